"""Add the presets for new games that people save in their accounts."""

import sqlalchemy as sa
from alembic import op

revision = "0039"
down_revision = "0038"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Create the table."""
    op.create_table(
        "host_presets",
        sa.Column("person", sa.String(40), nullable=False),
        sa.Column("name", sa.String(60), nullable=False),
        sa.Column("fields", sa.Text(), nullable=False),
        sa.Column("created", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(["person"], ["persons.id"], name="fk_host_presets_person_persons", ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("person", "name", name="pk_host_presets"),
    )

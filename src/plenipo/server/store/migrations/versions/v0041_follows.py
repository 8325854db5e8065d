"""Add the people whom a person follows."""

import sqlalchemy as sa
from alembic import op

revision = "0041"
down_revision = "0040"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Create the table."""
    op.create_table(
        "follows",
        sa.Column("person", sa.String(40), nullable=False),
        sa.Column("followed", sa.String(40), nullable=False),
        sa.ForeignKeyConstraint(["person"], ["persons.id"], name="fk_follows_person_persons", ondelete="CASCADE"),
        sa.ForeignKeyConstraint(["followed"], ["persons.id"], name="fk_follows_followed_persons", ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("person", "followed", name="pk_follows"),
    )

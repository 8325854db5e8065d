"""People say on which days they are away."""

import sqlalchemy as sa
from alembic import op

revision = "0010"
down_revision = "0009"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the table."""
    op.create_table(
        "absences",
        sa.Column("person", sa.String(40), nullable=False),
        sa.Column("first", sa.Date, nullable=False),
        sa.Column("last", sa.Date, nullable=False),
        sa.PrimaryKeyConstraint("person", "first", name="pk_absences"),
        sa.ForeignKeyConstraint(["person"], ["persons.id"], name="fk_absences_person", ondelete="CASCADE"),
    )


def downgrade() -> None:
    """Drop it."""
    op.drop_table("absences")

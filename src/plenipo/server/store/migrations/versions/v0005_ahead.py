"""Seats may leave orders for the retreats and adjustments that come of their moves."""

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the table."""
    op.create_table(
        "ahead",
        sa.Column("game", sa.String(40), nullable=False),
        sa.Column("power", sa.String(200), nullable=False),
        sa.Column("orders", sa.Text, nullable=False),
        sa.PrimaryKeyConstraint("game", "power"),
        sa.ForeignKeyConstraint(["game"], ["games.id"], ondelete="CASCADE"),
    )


def downgrade() -> None:
    """Drop it."""
    op.drop_table("ahead")

"""The tenure that wrote each order set; older ones have no writer."""

import sqlalchemy as sa
from alembic import op

revision = "0027"
down_revision = "0026"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the column."""
    op.add_column("sheets", sa.Column("tenure", sa.Integer(), nullable=True))


def downgrade() -> None:
    """Drop it."""
    op.drop_column("sheets", "tenure")

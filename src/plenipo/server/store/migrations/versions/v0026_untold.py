"""The number of changes of a game without a notification."""

import sqlalchemy as sa
from alembic import op

revision = "0026"
down_revision = "0025"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the column."""
    op.add_column("games", sa.Column("untold", sa.Integer(), nullable=False, server_default="0"))


def downgrade() -> None:
    """Drop it."""
    op.drop_column("games", "untold")

"""Store the pace of finished games with their results, for the leaderboards."""

import sqlalchemy as sa
from alembic import op

revision = "0036"
down_revision = "0035"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the column; earlier results have no pace."""
    op.add_column("results", sa.Column("pace", sa.String(20), nullable=False, server_default=""))

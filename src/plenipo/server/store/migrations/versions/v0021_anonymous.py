"""A mark of anonymous games, which hide their players until the end."""

import sqlalchemy as sa
from alembic import op

revision = "0021"
down_revision = "0020"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the column."""
    op.add_column("games", sa.Column("anonymous", sa.Boolean(), nullable=False, server_default=sa.false()))


def downgrade() -> None:
    """Drop it."""
    op.drop_column("games", "anonymous")

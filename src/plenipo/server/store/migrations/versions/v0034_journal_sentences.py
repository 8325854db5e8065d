"""The sentences of game logs as kinds and parts."""

import sqlalchemy as sa
from alembic import op

revision = "0034"
down_revision = "0033"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the column; it is empty for the entries of earlier versions, whose hashes do not cover it."""
    op.add_column("journal", sa.Column("sentence", sa.Text, nullable=False, server_default=""))


def downgrade() -> None:
    """Drop it."""
    op.drop_column("journal", "sentence")

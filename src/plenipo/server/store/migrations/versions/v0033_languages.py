"""The language of an account."""

import sqlalchemy as sa
from alembic import op

revision = "0033"
down_revision = "0032"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the column; empty stands for the language of the browser."""
    op.add_column("mail_preferences", sa.Column("language", sa.String(40), nullable=False, server_default=""))


def downgrade() -> None:
    """Drop it."""
    op.drop_column("mail_preferences", "language")

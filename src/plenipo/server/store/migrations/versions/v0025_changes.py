"""Motions to change the settings of a running game."""

import sqlalchemy as sa
from alembic import op

revision = "0025"
down_revision = "0024"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the column."""
    op.add_column("motions", sa.Column("changes", sa.Text(), nullable=True))


def downgrade() -> None:
    """Drop it."""
    with op.batch_alter_table("motions") as table:
        table.drop_column("changes")

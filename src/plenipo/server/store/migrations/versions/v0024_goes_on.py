"""When a game goes on that a table stops for now by vote."""

import sqlalchemy as sa
from alembic import op

revision = "0024"
down_revision = "0023"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the column."""
    op.add_column("motions", sa.Column("goes_on", sa.DateTime(timezone=True), nullable=True))


def downgrade() -> None:
    """Drop it."""
    with op.batch_alter_table("motions") as table:
        table.drop_column("goes_on")

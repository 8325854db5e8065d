"""Boards that changed in play are kept, for they take seconds to work out."""

import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision = "0005"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the table."""
    op.create_table(
        "boards",
        sa.Column("name", sa.String(64), nullable=False),
        sa.Column("created", sa.DateTime(timezone=True), nullable=False),
        sa.Column("content", sa.LargeBinary, nullable=False),
        sa.PrimaryKeyConstraint("name", name="pk_boards"),
    )
    op.create_index("ix_boards_created", "boards", ["created"])


def downgrade() -> None:
    """Drop it."""
    op.drop_table("boards")

"""A game has rulings among its turns, and each has a reason, which may be kept back."""

import sqlalchemy as sa
from alembic import op

revision = "0008"
down_revision = "0007"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the column and the table."""
    op.add_column("turns", sa.Column("ruling", sa.Boolean, nullable=False, server_default=sa.false()))
    op.create_table(
        "reasons",
        sa.Column("game", sa.String(40), nullable=False),
        sa.Column("digest", sa.String(64), nullable=False),
        sa.Column("salt", sa.String(64), nullable=False),
        sa.Column("text", sa.Text, nullable=False),
        sa.Column("withheld", sa.Boolean, nullable=False),
        sa.PrimaryKeyConstraint("game", "digest", name="pk_reasons"),
        sa.ForeignKeyConstraint(["game"], ["games.id"], name="fk_reasons_game", ondelete="CASCADE"),
    )


def downgrade() -> None:
    """Drop them."""
    op.drop_table("reasons")
    op.drop_column("turns", "ruling")

"""Counters of the rate limits, and how much each game has stored."""

import sqlalchemy as sa
from alembic import op

from plenipo.server.store.schema import Instant

revision = "0029"
down_revision = "0028"
branch_labels = None
depends_on = None

_STORED = """
UPDATE games SET stored =
    COALESCE((SELECT SUM(LENGTH(orders) + 100) FROM sheets WHERE sheets.game = games.id), 0)
  + COALESCE((SELECT SUM(LENGTH(text) + LENGTH(proposal) + 100) FROM letters WHERE letters.game = games.id), 0)
  + COALESCE((SELECT SUM(LENGTH(text) + 100) FROM journal WHERE journal.game = games.id), 0)
"""


def upgrade() -> None:
    """Add the table and the columns, and measure what is stored already."""
    op.create_table(
        "counters",
        sa.Column("subject", sa.String(64), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("until", Instant, nullable=False),
        sa.PrimaryKeyConstraint("subject", name="pk_counters"),
    )
    op.create_index("ix_counters_until", "counters", ["until"])
    op.add_column("games", sa.Column("stored", sa.BigInteger(), nullable=False, server_default="0"))
    op.add_column("games", sa.Column("thinned", sa.Boolean(), nullable=False, server_default=sa.false()))
    op.execute(_STORED)


def downgrade() -> None:
    """Drop them."""
    op.drop_column("games", "thinned")
    op.drop_column("games", "stored")
    op.drop_table("counters")

"""Add the table of deals."""

import sqlalchemy as sa
from alembic import op

from plenipo.server.store.schema import Instant, JsonText

revision = "0037"
down_revision = "0036"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the table as it was in this version."""
    op.create_table(
        "deals",
        sa.Column("game", sa.String(40), sa.ForeignKey("games.id", ondelete="CASCADE"), primary_key=True),
        sa.Column("number", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("turn", sa.Integer, nullable=False),
        sa.Column("phase_number", sa.Integer, nullable=False),
        sa.Column("phase", sa.String(200), nullable=False),
        sa.Column("proposer", sa.String(200), nullable=False),
        sa.Column("partner", sa.String(200), nullable=False),
        sa.Column("clauses", JsonText, nullable=False),
        sa.Column("state", sa.String(20), nullable=False),
        sa.Column("reason", JsonText, nullable=True),
        sa.Column("shown", JsonText, nullable=False),
        sa.Column("made", Instant, nullable=False),
    )

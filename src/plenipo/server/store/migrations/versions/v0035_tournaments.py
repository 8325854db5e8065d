"""Add the tables of tournaments."""

import sqlalchemy as sa
from alembic import op

from plenipo.server.store.schema import Instant, JsonText

revision = "0035"
down_revision = "0034"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the tables as they were in this version, with their indices."""
    op.create_table(
        "tournaments",
        sa.Column("id", sa.String(40), primary_key=True),
        sa.Column("name", sa.String(200), nullable=False),
        sa.Column("description", sa.Text, nullable=False),
        sa.Column("variant", sa.String(200), nullable=False),
        sa.Column("plan", JsonText, nullable=False),
        sa.Column("schedule", JsonText, nullable=False),
        sa.Column("settings", JsonText, nullable=False),
        sa.Column("director", sa.String(40), sa.ForeignKey("persons.id", ondelete="SET NULL"), nullable=True),
        sa.Column("state", sa.String(20), nullable=False),
        sa.Column("round", sa.Integer, nullable=False),
        sa.Column("created", Instant, nullable=False),
    )
    op.create_table(
        "tournament_players",
        _tournament(),
        _number("number"),
        sa.Column("person", sa.String(40), sa.ForeignKey("persons.id", ondelete="SET NULL"), nullable=True),
        sa.Column("name", sa.String(200), nullable=False),
        sa.Column("active", sa.Boolean, nullable=False),
    )
    op.create_table(
        "tournament_boards",
        _tournament(),
        _number("round"),
        _number("board"),
        sa.Column("game", sa.String(40), sa.ForeignKey("games.id", ondelete="SET NULL"), nullable=True),
    )
    op.create_table(
        "tournament_seats",
        _tournament(),
        _number("round"),
        _number("board"),
        sa.Column("power", sa.String(200), primary_key=True),
        sa.Column("player", sa.Integer, nullable=False),
    )
    for table, column in (
        ("tournament_boards", "game"),
        ("tournament_players", "person"),
        ("tournaments", "director"),
        ("tournaments", "created"),
    ):
        op.create_index(f"ix_{table}_{column}", table, [column])


def _tournament() -> sa.Column[str]:
    ends = sa.ForeignKey("tournaments.id", ondelete="CASCADE")
    return sa.Column("tournament", sa.String(40), ends, primary_key=True)


def _number(name: str) -> sa.Column[int]:
    return sa.Column(name, sa.Integer, primary_key=True, autoincrement=False)

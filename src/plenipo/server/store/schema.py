"""The tables of the store, in the words of the house."""

from sqlalchemy import Boolean, Column, DateTime, ForeignKey, Index, Integer, MetaData, String, Table, Text

__all__ = ["games", "heartbeats", "keys", "metadata", "players", "seats", "sheets", "turns"]

metadata = MetaData(
    naming_convention={
        "ix": "ix_%(table_name)s_%(column_0_N_name)s",
        "pk": "pk_%(table_name)s",
        "fk": "fk_%(table_name)s_%(column_0_N_name)s",
    }
)

_GAME = 40
"""The most characters of the id of a game."""

_NAME = 200
"""The most characters of the name of a variant, a power or a game."""


def _game() -> Column[str]:
    return Column("game", String(_GAME), ForeignKey("games.id", ondelete="CASCADE"), primary_key=True)


games = Table(
    "games",
    metadata,
    Column("id", String(_GAME), primary_key=True),
    # grows with every change of the game; who changes it must know it
    Column("revision", Integer, nullable=False),
    # grows with every processing, undo and draw; orders name it
    Column("phase_number", Integer, nullable=False),
    Column("variant", String(_NAME), nullable=False),
    Column("name", String(_NAME), nullable=False),
    Column("phase", String(_NAME), nullable=False),
    Column("turn", Integer, nullable=False),
    Column("over", Boolean, nullable=False),
    Column("seating", String(20), nullable=False),
    Column("parent", String(_GAME), nullable=True),
    Column("parent_turn", Integer, nullable=True),
    Column("created", DateTime(timezone=True), nullable=False),
    Column("changed", DateTime(timezone=True), nullable=False),
    # the record without its turns
    Column("record", Text, nullable=False),
    # what its schedule makes of its phases, as JSON; null for a game without deadlines
    Column("timing", Text, nullable=True),
    # the next instant at which time changes the game, if any
    Column("wake", DateTime(timezone=True), nullable=True),
)

seats = Table(
    "seats",
    metadata,
    _game(),
    Column("power", String(_NAME), primary_key=True),
    # the name of the computer player, or empty for a person
    Column("computer", String(_NAME), nullable=False),
)

keys = Table(
    "keys",
    metadata,
    # the SHA-256 of the token; the token itself is nowhere
    Column("digest", String(64), primary_key=True),
    Column("game", String(_GAME), ForeignKey("games.id", ondelete="CASCADE"), nullable=False),
    # the seat it opens, or empty for all; before the game begins `?` for an invitation and `#3` for player 3
    Column("power", String(_NAME), nullable=False),
)

turns = Table(
    "turns",
    metadata,
    _game(),
    Column("number", Integer, primary_key=True, autoincrement=False),
    Column("phase", String(_NAME), nullable=False),
    Column("hash", String(64), nullable=False),
    Column("record", Text, nullable=False),
)

sheets = Table(
    "sheets",
    metadata,
    _game(),
    Column("phase_number", Integer, primary_key=True, autoincrement=False),
    Column("power", String(_NAME), primary_key=True),
    # later sheets of a phase replace earlier ones and are kept beside them
    Column("version", Integer, primary_key=True, autoincrement=False),
    Column("ready", Boolean, nullable=False),
    Column("created", DateTime(timezone=True), nullable=False),
    Column("orders", Text, nullable=False),
)

players = Table(
    "players",
    metadata,
    _game(),
    # in the order in which they sat down, from 1
    Column("number", Integer, primary_key=True, autoincrement=False),
    Column("name", String(_NAME), nullable=False),
    # the power wished for, and once the game has begun the one that is played; empty for any
    Column("power", String(_NAME), nullable=False),
)

heartbeats = Table(
    "heartbeats",
    metadata,
    # what is done again and again
    Column("name", String(40), primary_key=True),
    # when it was last done
    Column("at", DateTime(timezone=True), nullable=False),
)

Index(None, games.c.changed)
Index(None, games.c.wake)
Index(None, games.c.parent)
Index(None, keys.c.game)

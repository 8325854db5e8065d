"""The store: games in a database, SQLite in a file or PostgreSQL by its address.

A game is kept as its record (`plenipo.engine.history.record`), a row for each turn, with the columns that are searched.
Every change names the revision it was made on and is carried out in one transaction, or not at all: so a turn is
processed once, whoever asks for it and how often, and nothing that was accepted is lost when the program is killed.
A change is on disk when `change` returns.
"""

import json
import sqlite3
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from threading import Lock
from time import sleep
from typing import Any

from platformdirs import user_data_path
from sqlalchemy import Connection, Engine, RowMapping, create_engine, event, func, select
from sqlalchemy.engine import URL, make_url
from sqlalchemy.exc import ArgumentError, NoSuchModuleError, SQLAlchemyError
from sqlalchemy.pool import QueuePool, StaticPool

from plenipo.errors import PlenipoError
from plenipo.server.store import schema
from plenipo.server.store.migrate import migrate

__all__ = ["Change", "Store", "StoreError", "StoredGame", "StoredKey", "StoredSheet", "default_url"]

Json = dict[str, Any]

CONNECTIONS = 40
"""How many connections to the database are kept, one for each thread that answers."""

WAIT = 30
"""How many seconds a connection to SQLite waits for another that writes."""


TRIES = 1000
"""How often in that time it is tried to switch it to the write-ahead log."""


class StoreError(PlenipoError):
    """The database cannot be used; the message says which and why."""


@dataclass(frozen=True)
class StoredSheet:
    """A sheet: the texts of the orders, whether it is final, and which of its phase it is, from 1."""

    orders: tuple[str, ...]
    ready: bool = False
    version: int = 0


@dataclass(frozen=True)
class StoredKey:
    """A key to a game: the SHA-256 of its token, and the seat it opens (`''`: the whole table)."""

    digest: str
    power: str = ""


@dataclass(frozen=True)
class StoredGame:
    """A game as the store keeps it.

    `record` is the record of the game without its turns, `turns` the records of those; `sheets` are the newest ones of
    the open phase. `computers` maps each seat to the name of its computer player, `''` for a person.
    """

    id: str
    variant: str
    name: str
    record: Json
    turns: tuple[Json, ...]
    computers: Mapping[str, str]
    phase: str
    over: bool
    seating: str = "hotseat"
    parent: str | None = None
    parent_turn: int | None = None
    sheets: Mapping[str, StoredSheet] = field(default_factory=dict)
    revision: int = 1
    phase_number: int = 1


@dataclass(frozen=True)
class Change:
    """What is to be changed of a game. What is None stays as it is.

    `sheets` are handed in for the open phase, or for the new one with `next_phase`, which begins a phase.
    `record`, `phase` and `over` come with a change of the game; `keep` is how many of its turns stay, `turn` the
    record of the one added after them.
    """

    sheets: Mapping[str, StoredSheet] = field(default_factory=dict)
    next_phase: bool = False
    record: Json | None = None
    phase: str | None = None
    over: bool | None = None
    keep: int | None = None
    turn: Json | None = None


def default_url() -> str:
    """The address of the database in the user's data folder, which is made if it is not there; raises `OSError`."""
    folder = user_data_path("plenipo", appauthor=False, ensure_exists=True)
    return f"sqlite:///{folder / 'games.sqlite'}"


class Store:
    """The games in one database; safe to use from several threads, and beside other programs on the same database.

    Raises `StoreError` if the database cannot be reached or is of a newer version of this program.
    """

    def __init__(self, url: str | None = None) -> None:
        try:
            self.url = _address(url or default_url())
            self.engine = _engine(self.url)
            migrate(self.engine)
        except (SQLAlchemyError, ArgumentError, NoSuchModuleError, ModuleNotFoundError) as fault:
            raise StoreError(f"The database '{_shown(url)}' cannot be used: {_reason(fault)}.") from fault

        self._glance: sqlite3.Connection | None = None
        if self.glances:
            self._glance = sqlite3.connect(str(self.url.database), check_same_thread=False, isolation_level=None)
        self._glancing = Lock()

    def close(self) -> None:
        """Let go of the database."""
        if self._glance is not None:
            self._glance.close()
            self._glance = None
        self.engine.dispose()

    @property
    def glances(self) -> bool:
        """Whether `glance` can be asked without waiting: the database is a file here."""
        return self.url.get_backend_name() == "sqlite" and self.url.database not in {None, "", ":memory:"}

    def glance(self, game: str) -> int | None:
        """The same as `revision`, in some millionths of a second; only where `glances`."""
        with self._glancing:
            if self._glance is None:
                return None
            row = self._glance.execute("SELECT revision FROM games WHERE id = ?", (game,)).fetchone()
        return None if row is None else int(row[0])

    def create(self, game: StoredGame, keys: Sequence[StoredKey], now: datetime) -> None:
        """Keep a new game and the keys to it."""
        with self.engine.begin() as connection:
            connection.execute(
                schema.games.insert().values(
                    id=game.id,
                    revision=game.revision,
                    phase_number=game.phase_number,
                    variant=game.variant,
                    name=game.name,
                    phase=game.phase,
                    turn=len(game.turns),
                    over=game.over,
                    seating=game.seating,
                    parent=game.parent,
                    parent_turn=game.parent_turn,
                    created=now,
                    changed=now,
                    record=_text(game.record),
                )
            )
            rows: list[tuple[Any, list[Json]]] = [
                (
                    schema.seats,
                    [{"game": game.id, "power": p, "computer": name} for p, name in game.computers.items()],
                ),
                (schema.keys, [{"game": game.id, "digest": key.digest, "power": key.power} for key in keys]),
                (schema.turns, [_turn_row(game.id, number, turn) for number, turn in enumerate(game.turns)]),
                (schema.sheets, [_sheet_row(game.id, game.phase_number, *item, now) for item in game.sheets.items()]),
            ]
            for table, values in rows:
                if values:
                    connection.execute(table.insert(), values)

    def revision(self, game: str) -> int | None:
        """The revision of a game, None if there is no such game."""
        if self.glances:
            return self.glance(game)
        with self.engine.connect() as connection:
            revision = select(schema.games.c.revision).where(schema.games.c.id == game)
            return connection.execute(revision).scalar_one_or_none()

    def read(self, game: str) -> StoredGame | None:
        """The whole of a game as it stands, None if there is no such game."""
        with self.engine.connect() as connection:
            if connection.dialect.name == "postgresql":
                connection.execution_options(isolation_level="REPEATABLE READ")
            # SQLite reads of one connection see one moment, once a transaction is open
            row = connection.execute(select(schema.games).where(schema.games.c.id == game)).mappings().one_or_none()
            return None if row is None else self._stored(connection, row)

    def _stored(self, connection: Connection, row: RowMapping) -> StoredGame:
        game = row["id"]
        turns = select(schema.turns.c.record).where(schema.turns.c.game == game).order_by(schema.turns.c.number)
        seats = select(schema.seats.c.power, schema.seats.c.computer).where(schema.seats.c.game == game)
        return StoredGame(
            game,
            row["variant"],
            row["name"],
            json.loads(row["record"]),
            tuple(json.loads(text) for text in connection.execute(turns).scalars()),
            {row.power: row.computer for row in connection.execute(seats)},
            row["phase"],
            row["over"],
            row["seating"],
            row["parent"],
            row["parent_turn"],
            _newest(connection, game, row["phase_number"]),
            row["revision"],
            row["phase_number"],
        )

    def key(self, digest: str) -> tuple[str, str] | None:
        """The game a key is for and the seat it opens, None if there is no such key."""
        table = schema.keys
        with self.engine.connect() as connection:
            row = connection.execute(select(table.c.game, table.c.power).where(table.c.digest == digest)).one_or_none()
            return None if row is None else (row[0], row[1])

    def change(self, game: str, revision: int, change: Change, now: datetime) -> bool:
        """Carry out a change of the game as it stood at `revision`; False, and nothing is done, if it has moved on."""
        table = schema.games
        values: Json = {"revision": revision + 1, "changed": now}
        values |= {"phase_number": table.c.phase_number + 1} if change.next_phase else {}
        values |= {"record": _text(change.record)} if change.record is not None else {}
        values |= {"phase": change.phase} if change.phase is not None else {}
        values |= {"over": change.over} if change.over is not None else {}
        if change.keep is not None:
            values["turn"] = change.keep + (change.turn is not None)
        with self.engine.begin() as connection:
            done = connection.execute(
                table.update().where(table.c.id == game, table.c.revision == revision).values(values)
            )
            if done.rowcount != 1:
                return False
            phase_number = connection.execute(select(table.c.phase_number).where(table.c.id == game)).scalar_one()
            if change.keep is not None:
                turns = schema.turns
                connection.execute(turns.delete().where(turns.c.game == game, turns.c.number >= change.keep))
                if change.turn is not None:
                    connection.execute(turns.insert().values(_turn_row(game, change.keep, change.turn)))
            for power, sheet in change.sheets.items():
                connection.execute(schema.sheets.insert().values(_sheet_row(game, phase_number, power, sheet, now)))
        return True

    def delete(self, game: str) -> bool:
        """Throw a game away; whether there was one."""
        with self.engine.begin() as connection:
            # what belongs to it goes with it (ON DELETE CASCADE)
            return connection.execute(schema.games.delete().where(schema.games.c.id == game)).rowcount == 1

    def count(self) -> int:
        """How many games there are."""
        with self.engine.connect() as connection:
            return connection.execute(select(func.count()).select_from(schema.games)).scalar_one()


def _newest(connection: Connection, game: str, phase_number: int) -> dict[str, StoredSheet]:
    table = schema.sheets
    rows = connection.execute(
        select(table.c.power, table.c.orders, table.c.ready, table.c.version)
        .where(table.c.game == game, table.c.phase_number == phase_number)
        .order_by(table.c.version)
    )
    return {power: StoredSheet(tuple(json.loads(orders)), ready, version) for power, orders, ready, version in rows}


def _turn_row(game: str, number: int, turn: Json) -> Json:
    return {
        "game": game,
        "number": number,
        "phase": turn["phase"],
        "hash": turn["hash"],
        "record": _text(turn),
    }


def _sheet_row(game: str, phase_number: int, power: str, sheet: StoredSheet, now: datetime) -> Json:
    return {
        "game": game,
        "phase_number": phase_number,
        "power": power,
        "version": sheet.version,
        "ready": sheet.ready,
        "created": now,
        "orders": _text(list(sheet.orders)),
    }


def _text(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


# The engine


def _address(text: str) -> URL:
    """The address as SQLAlchemy wants it: PostgreSQL by pg8000, and SQLite in a file."""
    if "://" not in text:
        text = f"sqlite:///{Path(text).absolute()}"
    url = make_url(text)
    if url.drivername in {"postgres", "postgresql"}:
        url = url.set(drivername="postgresql+pg8000")
    return url


def _connecting(url: URL) -> tuple[URL, Json]:
    """The address without what pg8000 takes apart: a folder with a socket as `host`, and `connect_timeout`."""
    folder, seconds = url.query.get("host"), url.query.get("connect_timeout")
    arguments: Json = {}
    if isinstance(folder, str) and folder.startswith("/"):
        arguments["unix_sock"] = f"{folder}/.s.PGSQL.{url.port or 5432}"
    if isinstance(seconds, str) and seconds.isdecimal():
        arguments["timeout"] = int(seconds)
    return url.difference_update_query(["host", "connect_timeout"]) if arguments else url, arguments


def _engine(url: URL) -> Engine:
    if url.get_backend_name() != "sqlite":
        plain, further = _connecting(url) if url.drivername == "postgresql+pg8000" else (url, {})
        return create_engine(plain, connect_args=further, pool_pre_ping=True, pool_size=CONNECTIONS)
    engine = create_engine(url, connect_args={"timeout": WAIT, "check_same_thread": False}, **_pool(url))
    event.listen(engine, "connect", _safe_sqlite)
    event.listen(engine, "begin", _begin_sqlite)
    return engine


def _pool(url: URL) -> Json:
    """How connections are kept: as many as there are threads, but one for a database in memory, which it is."""
    if url.database in {None, "", ":memory:"}:
        return {"poolclass": StaticPool}
    return {"poolclass": QueuePool, "pool_size": CONNECTIONS}


def _safe_sqlite(connection: Any, _record: object) -> None:
    """Every commit is on disk when it returns, readers do not wait for the writer, and rows go with their game."""
    connection.isolation_level = None  # transactions are begun by _begin_sqlite
    cursor = connection.cursor()
    for setting in (f"busy_timeout={1000 * WAIT}", "synchronous=FULL", "foreign_keys=ON"):
        cursor.execute(f"PRAGMA {setting}")
    _write_ahead(cursor)
    cursor.close()


def _write_ahead(cursor: sqlite3.Cursor) -> None:
    """Switch to the write-ahead log; who does so while another does is refused at once, so it is tried for a while."""
    for last in (*(False,) * TRIES, True):
        try:
            cursor.execute("PRAGMA journal_mode=WAL")
        except sqlite3.OperationalError:
            if last:
                raise
            sleep(WAIT / TRIES)
        else:
            return


def _begin_sqlite(connection: Connection) -> None:
    connection.exec_driver_sql("BEGIN IMMEDIATE" if connection.get_execution_options().get("immediate") else "BEGIN")


def _shown(url: str | None) -> str:
    """The address without the password."""
    try:
        return make_url(url).render_as_string(hide_password=True) if url else "in the user's data folder"
    except ArgumentError:
        return url or ""


def _reason(fault: Exception) -> str:
    text = str(getattr(fault, "orig", None) or fault).strip().splitlines()
    return (text[0] if text else type(fault).__name__).rstrip(".")

"""The store: games in a database, SQLite in a file or PostgreSQL by its address.

A game is stored as its record (`plenipo.engine.history.record`), a row for each turn, with the columns that are
searched. Every change names the revision it was made on and is carried out in one transaction, or not at all: so a turn
is processed once, however often it is requested, and nothing that was accepted is lost when the program is killed.
A change is on disk when `change` returns.
"""

import json
import sqlite3
from collections.abc import Collection, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict, fields
from datetime import UTC, date, datetime
from pathlib import Path
from threading import Lock
from typing import Any, Protocol, TypeVar, cast

from platformdirs import user_data_path
from sqlalchemy import Connection, Engine, RowMapping, bindparam, func, select, text
from sqlalchemy.exc import ArgumentError, NoSuchModuleError, SQLAlchemyError

from plenipo.errors import PlenipoError
from plenipo.server.clock import seconds
from plenipo.server.store import schema
from plenipo.server.store.conditional_orders import conditional_orders_of
from plenipo.server.store.deals import deals_of
from plenipo.server.store.engines import explain_fault, hide_password, make_engine, url_of
from plenipo.server.store.faults import TEMPORARY, trouble_of
from plenipo.server.store.metrics import Figured, collect_metrics
from plenipo.server.store.migrate import OtherVersionError, is_current, migrate
from plenipo.server.store.notifications import DeliveryPlanner, tell
from plenipo.server.store.order_corrections import readings_of
from plenipo.server.store.persons import keep_person
from plenipo.server.store.seats import SeatsChanged, as_row, tenures_of
from plenipo.server.store.values import (
    HEAD,
    HERE,
    ChangeMoment,
    GameChange,
    GameHead,
    GameProgress,
    HistoryChange,
    JournalEntry,
    Json,
    NewPerson,
    Notification,
    Seating,
    StoredEntry,
    StoredGame,
    StoredKey,
    StoredMessage,
    StoredOrderSet,
    StoredPost,
    StoredQuestion,
    StoredReading,
    StoredReason,
    StoredTenure,
    TenureKind,
    bytes_of,
    chain_entries,
)

__all__ = [
    "HERE",
    "GameChange",
    "GameHead",
    "GameProgress",
    "HistoryChange",
    "JournalEntry",
    "Json",
    "Notification",
    "Seating",
    "SeatsChanged",
    "Store",
    "StoreAwayError",
    "StoreError",
    "StoredEntry",
    "StoredGame",
    "StoredKey",
    "StoredMessage",
    "StoredOrderSet",
    "StoredPost",
    "StoredQuestion",
    "StoredReading",
    "StoredReason",
    "StoredTenure",
    "TenureKind",
    "default_url",
    "mail_folder",
]

SIZED_ANEW = 10.0
"""The seconds for which a measured size of the database is reused."""


class StoreError(PlenipoError):
    """The database cannot be used; the message names it and the reason."""


class StoreAwayError(StoreError):
    """The database cannot be used now, but perhaps in a moment."""


_SIZE_SQLITE = text(
    "SELECT (page_count - freelist_count) * page_size "
    "FROM pragma_page_count(), pragma_freelist_count(), pragma_page_size()"
)
_SIZE_POSTGRES = text("SELECT pg_database_size(current_database())")

_NAMES = {
    "sqlite": "SELECT value FROM json_each(:names)",
    "postgresql": "SELECT jsonb_array_elements_text(CAST(:names AS jsonb))",
}
"""Any number of names as one parameter, a JSON list."""

_CLAIM = text(
    "SELECT pg_try_advisory_xact_lock(:family, hashtext(id)) FROM games WHERE id = :game AND wake <= :now"
).bindparams(bindparam("now", type_=schema.Instant()))

CLAIMS = 0x706C656E
"""The family of the locks that servers on PostgreSQL hold on the games they are working on."""


def default_url() -> str:
    """Return the address of the database in the user's data folder, which is created if missing; raise `OSError`."""
    folder = user_data_path("plenipo", appauthor=False, ensure_exists=True)
    return f"sqlite:///{folder / 'games.sqlite'}"


def mail_folder() -> Path:
    """Return the folder for mail of a server without a mail server, in the user's data folder."""
    return user_data_path("plenipo", appauthor=False) / "mail"


class SubjectStore(Protocol):
    """The rows of one subject in a database; safe to use from several threads."""

    def __init__(self, engine: Engine) -> None: ...


S = TypeVar("S", bound=SubjectStore)


class Store:
    """The games in one database; safe to use from several threads, and beside other programs on the same database.

    `quota` is the number of bytes the database may use before `is_full`, and `game_quota` the number that the orders,
    messages and log of a game may take before older versions of its order sets are no longer stored; None for no limit.
    Raise `StoreError` if the database cannot be reached or is of a newer version of this program.
    """

    def __init__(self, url: str | None = None, *, quota: int | None = None, game_quota: int | None = None) -> None:
        self.quota, self.game_quota = quota, game_quota
        self._sized = (-SIZED_ANEW, 0)
        try:
            self.url = url_of(url or default_url())
            self.engine = make_engine(self.url)
            migrate(self.engine)
        except (SQLAlchemyError, ArgumentError, NoSuchModuleError, ModuleNotFoundError) as fault:
            away = isinstance(fault, SQLAlchemyError) and trouble_of(fault) in TEMPORARY
            kind = StoreAwayError if away else StoreError
            raise kind(f"The database '{hide_password(url)}' cannot be used: {explain_fault(fault)}.") from fault
        except OtherVersionError as fault:
            raise StoreError(f"The database '{hide_password(url)}' {fault}") from fault

        self._subjects: dict[object, object] = {}
        self.later: DeliveryPlanner = lambda _preferences, _kind, now: {"mail": now}
        """The channels for a notice and the instant of each, chosen by the person's settings."""
        self._glance: sqlite3.Connection | None = None
        if self.glances:
            self._glance = sqlite3.connect(str(self.url.database), check_same_thread=False, isolation_level=None)
        self._glancing = Lock()

    def of(self, subject: type[S]) -> S:
        """Return the part of this store that belongs to a subject, such as `Motions`."""
        known = self._subjects.get(subject)
        # two threads that ask first at the same time get the same part
        return cast("S", known or self._subjects.setdefault(subject, subject(self.engine)))

    @property
    def address(self) -> str:
        """The whole address of the database with its password, for child processes; never show it."""
        return self.url.render_as_string(hide_password=False)

    def close(self) -> None:
        """Close the connections to the database."""
        if self._glance is not None:
            self._glance.close()
            self._glance = None
        self.engine.dispose()

    def collect_metrics(self, now: datetime) -> Figured:
        """Return the counts of games and posts at an instant."""
        return collect_metrics(self.engine, now)

    def size(self) -> int:
        """Return how many bytes the database has in use."""
        sqlite = self.url.get_backend_name() == "sqlite"
        with self.engine.connect() as connection:
            return int(connection.execute(_SIZE_SQLITE if sqlite else _SIZE_POSTGRES).scalar_one())

    def is_full(self) -> bool:
        """Return whether the database had reached its quota when it was last measured."""
        if self.quota is None:
            return False
        if seconds() - self._sized[0] >= SIZED_ANEW:
            self._sized = (seconds(), self.size())
        return self._sized[1] >= self.quota

    def stored_size(self, game: str) -> int:
        """Return the approximate size of the orders, messages and log of a game in bytes; 0 for an unknown game."""
        table = schema.games
        with self.engine.connect() as connection:
            stored = connection.execute(select(table.c.stored).where(table.c.id == game)).scalar_one_or_none()
            return stored or 0

    @property
    def glances(self) -> bool:
        """True if `glance` can be called without waiting: the database is a local file."""
        return self.url.get_backend_name() == "sqlite" and self.url.database not in {None, "", ":memory:"}

    def glance(self, game: str) -> int | None:
        """Return the same as `revision`, in some microseconds; only where `glances`."""
        with self._glancing:
            if self._glance is None:
                return None
            row = self._glance.execute("SELECT revision FROM games WHERE id = ?", (game,)).fetchone()
        return None if row is None else int(row[0])

    def create(
        self,
        game: StoredGame,
        keys: Sequence[StoredKey],
        now: datetime,
        wake: datetime | None = None,
        notices: Sequence[Notification] = (),
        guest: NewPerson | None = None,
    ) -> None:
        """Store a new game, its keys, the next instant at which time changes it, and its notices.

        `guest` is a new person who opens it.
        """
        with self.engine.begin() as connection:
            if guest is not None:
                keep_person(connection, guest)
            values = {key: getattr(game, key) for key in ("variant", "phase", "over")}
            values |= {"turn": _turns_of(game.record), "created": now, "changed": now}
            connection.execute(
                schema.games.insert().values(
                    **game.head,
                    **values,
                    record=_without_turns(game.record),
                    timing=game.timing,
                    settings=game.settings,
                    wake=wake,
                    state=game.state,
                    due=game.due,
                    waits=game.waits,
                    listed=(game.settings or {}).get("listed", "link"),
                    anonymous=(game.settings or {}).get("anonymous", False),
                )
            )
            tables: list[tuple[Any, list[Json]]] = [
                (
                    schema.seats,
                    [{"game": game.id, "power": p, "computer": name} for p, name in game.computers.items()],
                ),
                (schema.keys, [{"game": game.id, "digest": key.digest, "power": key.power} for key in keys]),
                (schema.turns, _turn_rows(game.id, game.record, now)),
                (schema.tenures, [as_row(game.id, tenure) for tenure in game.tenures]),
                (
                    schema.reasons,
                    [
                        {"game": game.id, "digest": digest, "salt": salt, "text": told, "withheld": False}
                        for digest, (salt, told) in game.record.get("reasons", {}).items()
                    ],
                ),
                (
                    schema.order_sets,
                    [_order_set_row(game.id, game.phase_number, *item, now) for item in game.order_sets.items()],
                ),
            ]
            for table, rows in tables:
                if rows:
                    connection.execute(table.insert(), rows)
            tell(connection, game.id, game.phase_number, notices, now, self.later)

    def revision(self, game: str) -> int | None:
        """Return the revision of a game, None if there is no such game."""
        if self.glances:
            return self.glance(game)
        with self.engine.connect() as connection:
            revision = select(schema.games.c.revision).where(schema.games.c.id == game)
            return connection.execute(revision).scalar_one_or_none()

    def stands(self, games: Collection[str]) -> dict[str, GameProgress]:
        """Return the progress of each of these games, by one query; unknown games are left out."""
        if not games:
            return {}
        table, names = schema.games, text(_NAMES[self.url.get_backend_name()])
        query = select(*(table.c[name] for name in ("id", *GameProgress._fields))).where(table.c.id.in_(names))
        with self.engine.connect() as connection:
            rows = connection.execute(query, {"names": json.dumps(list(games))})
            return {game: GameProgress(*stand) for game, *stand in rows}

    def read(self, game: str, *, whole: bool = True) -> StoredGame | None:
        """Return a game, None if there is no such game; with all its turns, or with their `hashes` alone."""
        with self.engine.connect() as connection:
            if connection.dialect.name == "postgresql":
                connection.execution_options(isolation_level="REPEATABLE READ")
            # SQLite reads of one connection see one moment, once a transaction is open
            row = connection.execute(select(schema.games).where(schema.games.c.id == game)).mappings().one_or_none()
            return None if row is None else self._read_game(connection, row, whole=whole)

    def _read_game(self, connection: Connection, row: RowMapping, *, whole: bool) -> StoredGame:
        game, turns = row["id"], schema.turns
        here = select(turns.c.record if whole else turns.c.hash).where(turns.c.game == game)
        rows = list(connection.execute(here.order_by(turns.c.number)).scalars())
        ruled = select(turns.c.number, turns.c.record).where(turns.c.game == game, turns.c.ruling)
        seats = select(schema.seats.c.power, schema.seats.c.computer).where(schema.seats.c.game == game)
        record = row["record"] | ({"entries": rows} if whole else {})
        return StoredGame(
            **{name: row[name] for name in (*HEAD, "variant", "phase", "over")},
            record=record,
            computers={row.power: row.computer for row in connection.execute(seats)},
            order_sets=_newest(connection, game, row["phase_number"]),
            timing=row["timing"],
            settings=row["settings"],
            state=row["state"],
            due=row["due"],
            waits=tuple(row["waits"]),
            tenures=tenures_of(connection, game),
            hashes=() if whole else tuple(rows),
            rulings={one.number: one.record for one in connection.execute(ruled)},
            journal=_newest_entry(connection, game),
            absences=_absences(connection, game),
            ahead=conditional_orders_of(connection, game),
            readings=readings_of(connection, game, row["phase_number"]),
            deals=deals_of(connection, game),
        )

    def turns(self, game: str, first: int, last: int) -> list[Json]:
        """Return the records of the entries of a game, turns and rulings, from `first`, from 0, to before `last`."""
        turns = schema.turns
        here = (turns.c.game == game, turns.c.number >= first, turns.c.number < last)
        with self.engine.connect() as connection:
            rows = connection.execute(select(turns.c.record).where(*here).order_by(turns.c.number))
            return list(rows.scalars())

    def times(self, game: str) -> tuple[datetime, list[datetime]]:
        """Return when a game last changed, and when each turn was processed; if unknown, the former."""
        games, turns = schema.games, schema.turns
        query = select(turns.c.at).where(turns.c.game == game, turns.c.ruling.is_(False)).order_by(turns.c.number)
        with self.engine.connect() as connection:
            changed: datetime = connection.execute(select(games.c.changed).where(games.c.id == game)).scalar_one()
            return changed, [at or changed for at in connection.execute(query).scalars()]

    def key(self, digest: str) -> tuple[str, str] | None:
        """Return the game of a key and the seat it opens, None if there is no such key."""
        table = schema.keys
        with self.engine.connect() as connection:
            row = connection.execute(select(table.c.game, table.c.power).where(table.c.digest == digest)).one_or_none()
            return None if row is None else (row[0], row[1])

    def change(self, game: str, revision: int, change: GameChange, now: datetime) -> bool:
        """Apply a change to the game as it stood at `revision`.

        Return False, and do nothing, if it has changed since.
        """
        table, history = schema.games, change.history
        values: Json = {"revision": revision + 1, **change.columns}
        values |= {"untold": table.c.untold + 1} if change.untold else {"changed": now}
        if history is not None:
            values |= {"phase_number": table.c.phase_number + 1, "phase": history.phase, "over": history.over}
            values |= {"record": _without_turns(history.record), "turn": history.turn}
        orders = {power: schema.encode_json(order_set.orders) for power, order_set in change.order_sets.items()}
        if added := bytes_of(*orders.values(), *(text for one in change.entries for text in (one.text, one.as_json))):
            values["stored"] = table.c.stored + added
        with self.engine.begin() as connection:
            done = connection.execute(
                table.update().where(table.c.id == game, table.c.revision == revision).values(values)
            )
            if done.rowcount != 1:
                return False
            here = select(table.c.phase_number, table.c.stored).where(table.c.id == game)
            phase_number, stored = connection.execute(here).one()
            if orders and self.game_quota is not None and stored > self.game_quota:
                _drop_versions(connection, game, phase_number, orders)
            if history is not None:
                turns = schema.turns
                connection.execute(turns.delete().where(turns.c.game == game, turns.c.number >= history.keep))
                if rows := _turn_rows(game, history.record, now, history.keep):
                    connection.execute(turns.insert(), rows)
            moment = ChangeMoment(game, phase_number - (history is not None), phase_number, now)
            for part in change.parts:
                part.write(connection, moment)
            _enter(connection, game, phase_number, change.entries, now)
            tell(connection, game, phase_number, change.notices, now, self.later)
            for power, order_set in change.order_sets.items():
                connection.execute(
                    schema.order_sets.insert().values(_order_set_row(game, phase_number, power, order_set, now))
                )
        return True

    def wake(self, game: str, revision: int, wake: datetime | None) -> None:
        """Set when time changes a game next, if it still stands at `revision`."""
        table = schema.games
        with self.engine.begin() as connection:
            here = (table.c.id == game, table.c.revision == revision)
            connection.execute(table.update().where(*here).values(wake=wake))

    def delete(self, game: str) -> bool:
        """Delete a game; return whether there was one."""
        with self.engine.begin() as connection:
            # rows that belong to it are deleted with it (ON DELETE CASCADE)
            return connection.execute(schema.games.delete().where(schema.games.c.id == game)).rowcount == 1

    def due(self, now: datetime, most: int = 100) -> tuple[str, ...]:
        """Return the games that time changes at `now` or before, the longest overdue first."""
        table = schema.games
        query = select(table.c.id).where(table.c.wake <= now).order_by(table.c.wake).limit(most)
        with self.engine.connect() as connection:
            return tuple(connection.execute(query).scalars())

    def find_games_moved_on(self, since: datetime, most: int) -> dict[str, int]:
        """Return the games past their first phase that changed at `since` or later, with the numbers of their phases.

        The newest come first.
        """
        table = schema.games
        query = select(table.c.id, table.c.phase_number).where(table.c.changed >= since, table.c.phase_number > 1)
        with self.engine.connect() as connection:
            rows = connection.execute(query.order_by(table.c.changed.desc()).limit(most))
            return {row.id: row.phase_number for row in rows}

    def overdue(self, now: datetime) -> tuple[str, ...]:
        """Return the running games whose deadline is over and that wait for nothing that time brings at once."""
        table = schema.games
        query = select(table.c.id).where(table.c.state == "running", table.c.due <= now, table.c.wake > now)
        with self.engine.connect() as connection:
            return tuple(connection.execute(query).scalars())

    @contextmanager
    def claim(self, game: str, now: datetime) -> Iterator[bool]:
        """Yield whether a game is still due and not claimed by another server.

        The claim is held until the context ends. It saves work if several servers check at the same time; `change`
        makes the decision.
        """
        table = schema.games
        with self.engine.connect() as connection:
            if connection.dialect.name == "postgresql":
                values = {"family": CLAIMS, "game": game, "now": now}
                yield bool(connection.execute(_CLAIM, values).scalar_one_or_none())
                return
            due = select(table.c.id).where(table.c.id == game, table.c.wake <= now)
            due_still = connection.execute(due).one_or_none() is not None
        yield due_still

    def time(self) -> datetime | None:
        """Return the time of the database's own clock; None where that is the clock of this machine."""
        if self.url.get_backend_name() != "postgresql":
            return None
        with self.engine.connect() as connection:
            moment: datetime = connection.execute(text("SELECT clock_timestamp()")).scalar_one()
            return moment.astimezone(UTC)

    def is_current(self) -> bool:
        """Return whether the tables of the database have this program's newest version."""
        with self.engine.connect() as connection:
            return is_current(connection)

    def journal(self, game: str) -> tuple[JournalEntry, ...]:
        """Return the game log in order."""
        table = schema.journal
        query = select(table).where(table.c.game == game).order_by(table.c.number)
        with self.engine.connect() as connection:
            rows = connection.execute(query).mappings().all()
        return tuple(JournalEntry(**{name: row[name] for name in _JOURNAL_ENTRY}) for row in rows)

    def reasons(self, game: str) -> tuple[StoredReason, ...]:
        """Return the reasons of all rulings of a game, including those not yet published."""
        table = schema.reasons
        query = select(table).where(table.c.game == game).order_by(table.c.digest)
        with self.engine.connect() as connection:
            return tuple(StoredReason(*row[1:]) for row in connection.execute(query))

    def count(self) -> int:
        """Return the number of games."""
        with self.engine.connect() as connection:
            return connection.execute(select(func.count()).select_from(schema.games)).scalar_one()


def _drop_versions(connection: Connection, game: str, phase_number: int, powers: Collection[str]) -> None:
    """Remove the versions of order sets of a phase that are about to be replaced."""
    order_sets, games = schema.order_sets, schema.games
    old = (order_sets.c.game == game, order_sets.c.phase_number == phase_number, order_sets.c.power.in_(powers))
    texts = connection.execute(select(order_sets.c.orders).where(*old)).scalars().all()
    if texts:
        connection.execute(order_sets.delete().where(*old))
        less = games.c.stored - bytes_of(*map(schema.encode_json, texts))
        connection.execute(games.update().where(games.c.id == game).values(stored=less))


def _absences(connection: Connection, game: str) -> dict[str, tuple[tuple[date, date], ...]]:
    """Return the leave of the players of a game."""
    table, tenures = schema.absences, schema.tenures
    playing = select(tenures.c.person).where(tenures.c.game == game, tenures.c.until.is_(None))
    absences: dict[str, tuple[tuple[date, date], ...]] = {}
    for row in connection.execute(select(table).where(table.c.person.in_(playing)).order_by(table.c.first)):
        absences[row.person] = (*absences.get(row.person, ()), (row.first, row.last))
    return absences


def _newest_entry(connection: Connection, game: str) -> tuple[int, str]:
    """Return the number and the hash of the newest entry of a game log."""
    table = schema.journal
    last = select(table.c.number, table.c.hash).where(table.c.game == game).order_by(table.c.number.desc()).limit(1)
    newest = connection.execute(last).one_or_none()
    return (0, "") if newest is None else (newest[0], newest[1])


def _enter(connection: Connection, game: str, phase_number: int, entries: Sequence[StoredEntry], now: datetime) -> None:
    """Write entries into the game log, each chained to the one before."""
    if entries:
        written = chain_entries(_newest_entry(connection, game), game, entries, phase_number, now)
        connection.execute(schema.journal.insert(), [{"game": game, **asdict(entry)} for entry in written])


_JOURNAL_ENTRY = tuple(value.name for value in fields(JournalEntry))


def _newest(connection: Connection, game: str, phase_number: int) -> dict[str, StoredOrderSet]:
    table = schema.order_sets
    rows = connection.execute(
        select(table.c.power, table.c.orders, table.c.ready, table.c.version, table.c.tenure)
        .where(table.c.game == game, table.c.phase_number == phase_number)
        .order_by(table.c.version)
    )
    return {power: StoredOrderSet(tuple(orders), *more) for power, orders, *more in rows}


def _turns_of(record: Json) -> int:
    """Return the number of turns in force in a new game."""
    standing = 0
    for entry in record["entries"]:
        ruling = entry.get("ruling")
        standing = entry["keep"] if ruling == "back" else standing + (ruling is None)
    return standing


def _without_turns(record: Json) -> Json:
    """Return the record of a game without the entries and reasons, which have rows of their own."""
    return {key: value for key, value in record.items() if key not in {"entries", "reasons"}}


def _turn_rows(game: str, record: Json, now: datetime, first: int = 0) -> list[Json]:
    """Return the rows of the entries of a record, which are numbered from `first` on."""
    return [
        {
            "game": game,
            "number": number,
            "phase": entry.get("phase", ""),
            "hash": entry["hash"],
            "record": entry,
            "ruling": "ruling" in entry,
            "at": now,
        }
        for number, entry in enumerate(record["entries"], first)
    ]


def _order_set_row(game: str, phase_number: int, power: str, order_set: StoredOrderSet, now: datetime) -> Json:
    return {
        "game": game,
        "phase_number": phase_number,
        "power": power,
        "version": order_set.version,
        "ready": order_set.ready,
        "created": now,
        "orders": order_set.orders,
        "tenure": order_set.tenure,
    }

"""Backups: copying a database while it is used, and verifying every record and game log of a copy."""

import shutil
import sqlite3
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack, closing
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from sqlalchemy import select
from sqlalchemy.engine import make_url
from sqlalchemy.exc import SQLAlchemyError

from plenipo.engine.history import record
from plenipo.errors import PlenipoError
from plenipo.server.clock import SystemClock
from plenipo.server.hosted_game import open_by_kept_rules
from plenipo.server.kept_variants import KeptVariants
from plenipo.server.store import Store, StoreError, schema
from plenipo.server.store.values import entry_hash
from plenipo.server.table_copy import clear_tables, copy_tables, is_empty, snapshot_of

__all__ = ["BackupError", "Checked", "back_up", "check_backup", "journal_faults", "restore"]

PAGES = 500
"""The pages copied at a time, so that players do not wait meanwhile."""


class BackupError(PlenipoError):
    """A backup that cannot be made, or is not whole; the message says why."""


@dataclass(frozen=True)
class Checked:
    """The contents of a backup: its numbers of games, turns and messages, and its faults as sentences."""

    games: int
    turns: int
    messages: int
    faults: tuple[str, ...]


def back_up(store: Store, target: Path) -> None:
    """Copy the database of a store into a new file, while it is used; raise `BackupError`.

    The file appears only when it is complete.
    """
    postgresql = store.url.get_backend_name() == "postgresql"
    if not store.glances and not postgresql:
        raise BackupError("A database in memory cannot be copied; keep games in a file or in PostgreSQL.")
    if target.exists():
        raise BackupError(f"'{target}' is there already; name a new file.")
    part = target.with_name(f"{target.name}.part")
    try:
        if postgresql:
            _copy_snapshot(store, part)
        else:
            with closing(sqlite3.connect(str(store.url.database))) as source, closing(sqlite3.connect(part)) as copy:
                source.backup(copy, pages=PAGES)
        with closing(sqlite3.connect(part)) as copy:
            copy.execute("PRAGMA journal_mode=DELETE")
            _look_for_damage(copy)
        part.replace(target)
    except (StoreError, SQLAlchemyError) as fault:
        part.unlink(missing_ok=True)
        raise BackupError(f"The database cannot be copied: {_first_line(getattr(fault, 'orig', fault))}.") from fault
    except (OSError, sqlite3.OperationalError) as fault:
        part.unlink(missing_ok=True)
        raise BackupError(f"'{target}' cannot be written: {str(fault).rstrip('.')}.") from fault
    except sqlite3.Error as fault:
        part.unlink(missing_ok=True)
        raise BackupError(f"The database is damaged and was not copied: {_first_line(fault)}.") from fault
    except BackupError:
        part.unlink(missing_ok=True)
        raise


def _copy_snapshot(store: Store, part: Path) -> None:
    """Copy PostgreSQL as it is at one instant into a new file."""
    part.unlink(missing_ok=True)
    copy = Store(str(part))
    try:
        with snapshot_of(store.engine) as source, copy.engine.begin() as target:
            copy_tables(source, target)
    finally:
        copy.close()


def _look_for_damage(copy: sqlite3.Connection) -> None:
    """Raise `BackupError` if a copy is damaged, or has rows that refer to nothing."""
    (word,) = copy.execute("PRAGMA integrity_check(1)").fetchone()
    if word != "ok":
        raise BackupError(f"The database is damaged and was not copied: {_first_line(word)}.")
    stray = copy.execute("PRAGMA foreign_key_check").fetchone()
    if stray is not None:
        raise BackupError(f"The database is damaged and was not copied: a row of '{stray[0]}' refers to nothing.")


def _first_line(words: object) -> str:
    """Return the first line of SQLite's description of a damage, without headings."""
    lines = [line for line in str(words).splitlines() if line and not line.startswith("***")]
    return (lines or ["it cannot be read"])[0].rstrip(".")


def restore(source: Path, address: str) -> None:
    """Restore a verified backup into a new file or an empty PostgreSQL database, and verify every record there.

    Raise `BackupError`; then there is no file, or PostgreSQL is empty as before.
    """
    report = check_backup(source)
    if report.faults:
        raise BackupError(report.faults[0])
    backend = make_url(address).get_backend_name() if "://" in address else "sqlite"
    if backend == "postgresql":
        _restore_to_postgresql(source, address, report)
        return
    if backend != "sqlite":
        raise BackupError("A backup is restored into a new file or an empty PostgreSQL database; name one of these.")
    path = make_url(address).database if "://" in address else address
    target = Path(path or "")
    if not path or target.exists():
        raise BackupError(f"'{path}' is there already, and is not overwritten; name a new file.")
    try:
        shutil.copyfile(source, target)
        verified = check_backup(target) == report
    except OSError as fault:
        target.unlink(missing_ok=True)
        raise BackupError(f"'{target}' cannot be written: {fault.strerror or fault}.") from fault
    except BackupError:
        verified = False
    if not verified:
        target.unlink(missing_ok=True)
        raise BackupError(f"What was written to '{target}' does not verify and was removed; check the disk.")


def _restore_to_postgresql(source: Path, address: str, report: Checked) -> None:
    with tempfile.TemporaryDirectory() as folder, ExitStack() as open_stores:
        copy = Path(folder) / "copy.sqlite"
        shutil.copyfile(source, copy)
        try:
            old = Store(str(copy))
            open_stores.callback(old.close)
            new = Store(address)
            open_stores.callback(new.close)
            with old.engine.connect() as rows, new.engine.begin() as target:
                if not is_empty(target):
                    raise BackupError("The PostgreSQL database has games or accounts; name an empty one.")
                copy_tables(rows, target)
            found = _looked_through(new)
        except (StoreError, SQLAlchemyError, OSError) as fault:
            why = _first_line(getattr(fault, "orig", fault))
            raise BackupError(f"The backup cannot be restored: {why}.") from fault
        if found != report:
            with new.engine.begin() as target:
                clear_tables(target)
            first = (found.faults or ("there are other games, turns or messages than in the backup.",))[0]
            raise BackupError(f"What was restored does not verify and was removed: {first}")


def check_backup(source: Path) -> Checked:
    """Check whether a backup opens, and every record and game log in it verifies; the file itself is not changed.

    Raise `BackupError` for a file that is not a backup.
    """
    if not source.is_file():
        raise BackupError(f"There is no file '{source}'.")
    with tempfile.TemporaryDirectory() as folder:
        copy = Path(folder) / "copy.sqlite"
        try:
            shutil.copyfile(source, copy)
            with closing(sqlite3.connect(copy)) as plain:
                (word,) = plain.execute("PRAGMA integrity_check").fetchone()
                tables = {name for (name,) in plain.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}
        except (OSError, sqlite3.Error) as fault:
            raise BackupError(f"'{source}' is not a whole backup: {str(fault).rstrip('.')}.") from fault
        if word != "ok":
            raise BackupError(f"'{source}' is not a whole backup: {_first_line(word)}.")
        if not {"games", "turns", "alembic_version"} <= tables:
            raise BackupError(f"'{source}' is a database, but not one of games.")
        try:
            store = Store(str(copy))
        except StoreError as fault:
            raise BackupError(str(fault)) from fault
        try:
            return _looked_through(store)
        finally:
            store.close()


def _looked_through(store: Store) -> Checked:
    faults: list[str] = []
    turns, kept = 0, KeptVariants(store, SystemClock())
    with store.engine.connect() as connection:
        games = list(connection.execute(select(schema.games.c.id).order_by(schema.games.c.id)).scalars())
        messages = len(connection.execute(select(schema.messages.c.number)).all())
    for game in games:
        stored = store.read(game)
        if stored is None:
            continue
        try:
            played = open_by_kept_rules(stored, kept.load_rules, partial(record.decode_game, stored.record))
            turns += len(played.turns)
        except PlenipoError as fault:
            faults.append(f"The record of game {game} does not verify: {fault}")
        faults += journal_faults(store, game)
    return Checked(len(games), turns, messages, tuple(faults))


def journal_faults(store: Store, game: str) -> Iterator[str]:
    """Yield a sentence if the game log of a game is damaged."""
    before = game
    for number, entry in enumerate(store.journal(game), 1):
        row = {"number": entry.number, "at": entry.at, "phase_number": entry.phase_number}
        before = entry_hash(before, {**row, "kind": entry.kind, "text": entry.text, "sentence": entry.sentence})
        if entry.number != number or entry.hash != before:
            yield f"The journal of game {game} does not verify at entry {number}."
            return

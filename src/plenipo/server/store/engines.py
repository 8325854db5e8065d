"""The engines of databases: SQLite in a file, or PostgreSQL by its address."""

import sqlite3
from pathlib import Path
from time import sleep
from typing import Any

from sqlalchemy import Connection, Engine, create_engine, event
from sqlalchemy.engine import URL, make_url
from sqlalchemy.exc import ArgumentError
from sqlalchemy.pool import QueuePool, StaticPool

from plenipo import extras
from plenipo.errors import PlenipoError
from plenipo.server.store.faults import wrap_driver
from plenipo.server.store.values import Json

__all__ = ["UnusableTextError", "engine_of", "explain_fault", "hide_password", "make_engine", "url_of"]

CONNECTIONS = 40
"""The number of database connections that are kept, one for each thread that answers."""

WAIT = 30
"""The seconds a connection to SQLite waits for another that writes."""

TRIES = 1000
"""The attempts to switch to the write-ahead log."""


class UnusableTextError(PlenipoError):
    """A text that no database can store."""


def engine_of(url: str) -> Engine:
    """Return an engine for a database, which is neither migrated nor looked at."""
    return make_engine(url_of(url))


def url_of(text: str) -> URL:
    """Return the address in SQLAlchemy's form: PostgreSQL by pg8000, and SQLite in a file."""
    if "://" not in text:
        text = f"sqlite:///{Path(text).absolute()}"
    url = make_url(text)
    if url.drivername in {"postgres", "postgresql"}:
        url = url.set(drivername="postgresql+pg8000")
    return url


def _connecting(url: URL) -> tuple[URL, Json]:
    """Split off what pg8000 takes separately: a folder with a socket as `host`, and `connect_timeout`."""
    folder, seconds = url.query.get("host"), url.query.get("connect_timeout")
    arguments: Json = {}
    if isinstance(folder, str) and folder.startswith("/"):
        arguments["unix_sock"] = f"{folder}/.s.PGSQL.{url.port or 5432}"
    if isinstance(seconds, str) and seconds.isdecimal():
        arguments["timeout"] = int(seconds)
    return url.difference_update_query(["host", "connect_timeout"]) if arguments else url, arguments


def make_engine(url: URL) -> Engine:
    """Return an engine for a database, with its settings."""
    if url.get_backend_name() != "sqlite":
        plain, further = _connecting(url) if url.drivername == "postgresql+pg8000" else (url, {})
        hidden = {"hide_parameters": True}  # the log contains none of the users' texts
        engine = create_engine(plain, connect_args=further, pool_pre_ping=True, pool_size=CONNECTIONS, **hidden)
        if url.drivername == "postgresql+pg8000":
            wrap_driver(engine)
    else:
        arguments = {"timeout": WAIT, "check_same_thread": False}
        engine = create_engine(url, connect_args=arguments, hide_parameters=True, **_pool(url))
        event.listen(engine, "connect", _safe_sqlite)
        event.listen(engine, "begin", _begin_sqlite)
    _refuse_nul(engine)
    if url.get_backend_name() == "sqlite":
        # a transaction that reads first is refused at once when it writes after another; a writer from the start waits
        engine.begin = engine.execution_options(immediate=True).begin  # type: ignore[method-assign]
    return engine


def _pool(url: URL) -> Json:
    """Return the settings of the connection pool: a connection for each thread, or one for a memory database."""
    if url.database in {None, "", ":memory:"}:
        return {"poolclass": StaticPool}
    return {"poolclass": QueuePool, "pool_size": CONNECTIONS}


def _safe_sqlite(connection: Any, _record: object) -> None:
    """Configure SQLite for durable commits, readers that do not wait, and deleted data that is overwritten."""
    connection.isolation_level = None  # _begin_sqlite begins the transactions
    cursor = connection.cursor()
    for setting in (f"busy_timeout={1000 * WAIT}", "synchronous=FULL", "foreign_keys=ON", "secure_delete=ON"):
        cursor.execute(f"PRAGMA {setting}")
    _write_ahead(cursor)
    cursor.close()


def _write_ahead(cursor: sqlite3.Cursor) -> None:
    """Switch to the write-ahead log; SQLite refuses concurrent attempts at once, so it is tried repeatedly."""
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


def _refuse_nul(engine: Engine) -> None:
    """Refuse every text with a NUL character, which PostgreSQL cannot keep, with `UnusableTextError`."""

    @event.listens_for(engine, "before_cursor_execute")
    def look(_c: object, _cursor: object, _statement: str, parameters: Any, _context: object, _many: object) -> None:
        if _has_nul(parameters):
            raise UnusableTextError("The text contains a NUL character, which cannot be stored; remove it.")


def _has_nul(value: object) -> bool:
    if isinstance(value, str):
        return "\0" in value
    if isinstance(value, dict):
        return any(map(_has_nul, value.values()))
    return isinstance(value, list | tuple) and any(map(_has_nul, value))


def hide_password(url: str | None) -> str:
    """Return the address without the password."""
    try:
        return make_url(url).render_as_string(hide_password=True) if url else "in the user's data folder"
    except ArgumentError:
        return url or ""


def explain_fault(fault: Exception) -> str:
    """Return the reason a database cannot be used, as the end of a sentence."""
    if isinstance(fault, ImportError):
        return extras.explain(fault).rstrip(".")
    orig = getattr(fault, "orig", None) or fault
    said = orig.args[0].get("M") if orig.args and isinstance(orig.args[0], dict) else orig  # pg8000's spelling
    text = str(said).strip().splitlines()
    return (text[0] if text else type(fault).__name__).rstrip(".")

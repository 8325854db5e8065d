"""Faults of the database: their kinds, which of them are temporary, and the driver's own exceptions made uniform.

Codes: https://www.sqlite.org/rescode.html and https://www.postgresql.org/docs/17/errcodes-appendix.html.
"""

import os
import socket
import sqlite3
import struct
from collections.abc import Callable, Mapping
from contextlib import suppress
from enum import StrEnum
from types import TracebackType
from typing import Any
from weakref import WeakKeyDictionary

from sqlalchemy import Engine, event
from sqlalchemy.engine import ExceptionContext
from sqlalchemy.exc import DBAPIError, IntegrityError, OperationalError, SQLAlchemyError
from sqlalchemy.exc import TimeoutError as NoConnectionLeft

__all__ = ["TEMPORARY", "DatabaseFault", "trouble_of", "wrap_driver"]


class DatabaseFault(StrEnum):
    """The kind of a fault of the database."""

    LOST = "connection lost"
    STARTING = "starting"
    LOCKED = "locked"
    BUSY = "busy"
    FULL = "disk full"
    CONFLICT = "conflict"
    UNEXPECTED = "unexpected"


TEMPORARY = frozenset(
    {DatabaseFault.LOST, DatabaseFault.STARTING, DatabaseFault.LOCKED, DatabaseFault.BUSY, DatabaseFault.FULL}
)
"""The kinds that pass without a change of this program; a request may be sent again after them."""

_SQLITE: Mapping[int, DatabaseFault] = {
    sqlite3.SQLITE_BUSY: DatabaseFault.LOCKED,
    sqlite3.SQLITE_LOCKED: DatabaseFault.LOCKED,
    sqlite3.SQLITE_FULL: DatabaseFault.FULL,
    sqlite3.SQLITE_IOERR_WRITE: DatabaseFault.FULL,
    sqlite3.SQLITE_IOERR_SHMSIZE: DatabaseFault.FULL,
    sqlite3.SQLITE_CONSTRAINT: DatabaseFault.CONFLICT,
}
"""Kinds by result code: an extended code, or the primary code in its low byte."""

_POSTGRESQL: Mapping[str, DatabaseFault] = {
    "08": DatabaseFault.LOST,
    "57P01": DatabaseFault.LOST,
    "57P02": DatabaseFault.LOST,
    "57P03": DatabaseFault.STARTING,
    "57P05": DatabaseFault.LOST,
    "40001": DatabaseFault.LOCKED,
    "40P01": DatabaseFault.LOCKED,
    "55P03": DatabaseFault.LOCKED,
    "53100": DatabaseFault.FULL,
    "53": DatabaseFault.BUSY,
    "23": DatabaseFault.CONFLICT,
}
"""Kinds by SQLSTATE: a whole code, or its class, the first two characters."""

PORT = 5432
"""The default port of PostgreSQL."""

_DRIVER = "pg8000.core"
"""The module that speaks the protocol of PostgreSQL; it raises various exceptions when a connection breaks."""


def trouble_of(error: SQLAlchemyError) -> DatabaseFault:
    """Return the kind of a fault."""
    if isinstance(error, NoConnectionLeft):
        return DatabaseFault.BUSY
    if not isinstance(error, DBAPIError):
        return DatabaseFault.UNEXPECTED
    found = _by_code(error.orig)
    if found is not None:
        return found
    if error.connection_invalidated:
        return DatabaseFault.LOST
    return DatabaseFault.CONFLICT if isinstance(error, IntegrityError) else DatabaseFault.UNEXPECTED


def _by_code(fault: object) -> DatabaseFault | None:
    code = getattr(fault, "sqlite_errorcode", None)
    if code is not None:
        return _SQLITE.get(code) or _SQLITE.get(code & 0xFF)
    state = _state(fault)
    if state:
        return _POSTGRESQL.get(state) or _POSTGRESQL.get(state[:2])
    if isinstance(fault, OSError) or (type(fault).__name__ == "InterfaceError" and _has_no_connection(fault)):
        return DatabaseFault.LOST
    return None


def _has_no_connection(fault: Any) -> bool:
    """Return whether an `InterfaceError` of pg8000 means a missing connection, by its cause or its message."""
    words = str(fault)
    return isinstance(fault.__cause__, OSError) or "network error" in words or "connection is closed" in words


def _state(fault: object) -> str:
    """Return the SQLSTATE of a fault of pg8000, empty if it has none."""
    first = (getattr(fault, "args", ()) or ("",))[0]
    return str(first.get("C", "")) if isinstance(first, dict) else ""


def wrap_driver(engine: Engine) -> None:
    """Turn all exceptions of pg8000 when a connection breaks into `OperationalError`, and close its socket.

    It lets exceptions of sockets and of unpacking through, which SQLAlchemy takes for faults of the program, and leaves
    the sockets of connections open that fail while they are opened or closed.
    """
    dialect: Any = engine.dialect
    ping: Callable[[Any], bool] = dialect.do_ping
    sockets = WeakKeyDictionary[Any, socket.socket]()

    def connect(_dialect: object, _record: object, arguments: Any, named: Any) -> Any:
        return _uniform(dialect, open_connection, *arguments, **named)

    def open_connection(*arguments: Any, **named: Any) -> Any:
        used = _open_socket(named.pop("unix_sock", None), named)
        try:
            made = dialect.loaded_dbapi.Connection(*arguments, sock=used, **named)
        except BaseException:
            _release(used)
            raise
        sockets[made] = used
        return made

    def close(connection: Any) -> None:
        used = sockets.pop(connection, None)
        with suppress(dialect.loaded_dbapi.Error, OSError):  # the server cannot be notified of the end
            connection.close()
        if used is not None:
            _release(used)

    def look(connection: Any) -> bool:
        return bool(_uniform(dialect, ping, connection))

    def broken_off(context: ExceptionContext) -> SQLAlchemyError | None:
        fault = context.original_exception
        if _state(fault).startswith("57P"):
            context.is_disconnect = True
        elif not isinstance(fault, dialect.loaded_dbapi.Error) and _is_of_driver(fault):
            context.is_disconnect = True
            orig = dialect.loaded_dbapi.InterfaceError(f"network error: {fault!r}")
            return OperationalError("", None, orig, connection_invalidated=True)
        return None

    event.listen(engine, "do_connect", connect)
    event.listen(engine, "handle_error", broken_off)
    dialect.do_ping = look
    dialect.do_close = close


def _open_socket(path: str | None, named: Mapping[str, Any]) -> socket.socket:
    """Connect to the socket at a path, or to a host and a port; raise `OSError`."""
    timeout: float | None = named.get("timeout")
    if path is None:
        place = (named.get("host") or "localhost", named.get("port") or PORT)
        made = socket.create_connection(place, timeout)
        made.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)
        return made
    made = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    made.settimeout(timeout)
    try:
        made.connect(path)
    except OSError:
        made.close()
        raise
    return made


def _release(used: socket.socket) -> None:
    """Close a socket now, also while the file that was made of it is still in use."""
    number = used.detach()
    if number >= 0:
        os.close(number)


def _uniform(dialect: Any, call: Callable[..., Any], *arguments: Any, **named: Any) -> Any:
    try:
        return call(*arguments, **named)
    except dialect.loaded_dbapi.Error:
        raise
    except Exception as fault:
        if not _is_of_driver(fault):
            raise
        raise dialect.loaded_dbapi.InterfaceError(f"network error: {fault!r}") from fault


def _is_of_driver(fault: BaseException) -> bool:
    """Return whether an exception comes from the network, or from within the protocol of pg8000."""
    if isinstance(fault, OSError | EOFError | struct.error):
        return True
    innermost = _innermost(fault.__traceback__)
    return isinstance(fault, Exception) and innermost == _DRIVER


def _innermost(trace: TracebackType | None) -> str:
    """Return the module in which an exception was raised."""
    name = ""
    while trace is not None:
        name, trace = str(trace.tb_frame.f_globals.get("__name__", "")), trace.tb_next
    return name

"""Watchers of a server at work, for its operators: of requests and loops, without personal data."""

import json
import logging
import sys
import threading
from datetime import UTC, datetime, timedelta
from types import TracebackType
from typing import Any, Protocol

__all__ = ["GAME", "KIND", "POST", "JsonLineFormatter", "JsonLog", "Watcher", "log_as_json"]

GAME, POST = "game", "post"
"""The fields of a log line that name a game and an outgoing message, by their ids."""

KIND = "kind"
"""The kind of an error, in a line of the log and in the metric that counts errors."""

EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
"""The instant from which the log counts the seconds of its records."""

_LOG = logging.getLogger("plenipo.server")

REQUESTS = logging.getLogger("plenipo.requests")

SAID = "said"


class Watcher(Protocol):
    """An observer of requests and of the checks of loops; called from any thread."""

    def request(self, route: str, method: str, status: int, took: float) -> None:
        """Record that a request for a route was answered after `took` seconds."""

    def record_check(self, loop: str, done: int, took: float) -> None:
        """Record that a check of a loop did so many things in `took` seconds."""


class JsonLog:
    """A log with a line for each request, and for each check that found something to do."""

    def request(self, route: str, method: str, status: int, took: float) -> None:
        """Write a line for a request."""
        _say("request", route=route, method=method, status=status, ms=round(1000 * took, 1))

    def record_check(self, loop: str, done: int, took: float) -> None:
        """Write a line for a check, if anything was done."""
        if done:
            _say("loop", loop=loop, done=done, ms=round(1000 * took, 1))


def _say(what: str, **said: Any) -> None:
    REQUESTS.info(what, extra={SAID: said})


class JsonLineFormatter(logging.Formatter):
    """A formatter that writes a record as one line of JSON.

    The values filled into the message are left out, because they could be an address, a key or a mail. Of an exception,
    the line has the type and the places in the program, not the message.
    """

    def format(self, record: logging.LogRecord) -> str:
        """Return the line for a record."""
        at = (EPOCH + timedelta(seconds=record.created)).isoformat(timespec="milliseconds")
        line: dict[str, Any] = {"at": at, "level": record.levelname.casefold(), "logger": record.name}
        line["event"] = str(record.msg).splitlines()[0] if record.msg else ""
        line |= getattr(record, SAID, {})
        line |= {name: getattr(record, name) for name in (GAME, POST, KIND) if hasattr(record, name)}
        if record.exc_info and record.exc_info[0] is not None:
            line["error"] = record.exc_info[0].__name__
            line["where"] = _places(record.exc_info[2])
        return json.dumps(line, default=str)


def _places(trace: Any) -> list[str]:
    """Return the last five places of the program in a traceback."""
    found = []
    while trace is not None:
        code = trace.tb_frame.f_code
        found.append(f"{code.co_filename.rpartition('plenipo/')[2]}:{trace.tb_lineno}")
        trace = trace.tb_next
    return found[-5:]


def log_as_json() -> None:
    """Write all log records of this process to standard error as lines of JSON.

    That includes warnings, and exceptions that end a thread or the program.
    """
    handler = logging.StreamHandler()
    handler.setFormatter(JsonLineFormatter())
    logging.basicConfig(level=logging.WARNING, handlers=[handler], force=True)
    REQUESTS.setLevel(logging.INFO)
    logging.captureWarnings(capture=True)
    # errors within logging itself are dropped: Python would report them in text that is no JSON
    logging.raiseExceptions = False
    sys.excepthook = _log_end
    threading.excepthook = lambda end: _log_end(end.exc_type, end.exc_value, end.exc_traceback)
    sys.unraisablehook = lambda end: _log_end(end.exc_type, end.exc_value, end.exc_traceback)


def _log_end(kind: type[BaseException], fault: BaseException | None, trace: TracebackType | None) -> None:
    """Log an uncaught exception, unless it is an interrupt from the keyboard or a regular exit."""
    if not issubclass(kind, KeyboardInterrupt | SystemExit):
        _LOG.error("an exception that nobody caught", exc_info=(kind, fault or kind(), trace))

"""Metrics for operators in the format of Prometheus: durations and counts, without personal data."""

import logging
from collections.abc import Callable, Iterator
from typing import Any

from prometheus_client import CollectorRegistry, Counter, Histogram, generate_latest, start_http_server
from prometheus_client.metrics_core import GaugeMetricFamily, Metric
from sqlalchemy import Connection, event
from sqlalchemy.exc import SQLAlchemyError

from plenipo.server.clock import Clock, seconds
from plenipo.server.observer import KIND
from plenipo.server.store import Store
from plenipo.server.store.faults import trouble_of

__all__ = ["Figures"]

LOGGER = "plenipo.server"

TIMES = (0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 10.0)
"""The limits of the histogram buckets, in seconds."""

STATEMENTS = frozenset({"SELECT", "INSERT", "UPDATE", "DELETE"})


class Figures:
    """The metrics of one process."""

    def __init__(self, store: Store, clock: Clock, listeners: Callable[[], int]) -> None:
        self.registry = CollectorRegistry()
        kept: dict[str, Any] = {"registry": self.registry, "buckets": TIMES}
        of = ("route", "method", "status")
        self._requests = Histogram("plenipo_request_seconds", "Until an answer to a request began.", of, **kept)
        self._looks = Histogram("plenipo_look_seconds", "One check of a loop for work to do.", ("loop",), **kept)
        self._done = Counter(
            "plenipo_done", "What loops did: games gone on with, posts sent.", ("loop",), registry=self.registry
        )
        self._store = Histogram("plenipo_store_seconds", "Statements and commits of the store.", ("statement",), **kept)
        self._errors = Counter("plenipo_errors", "Errors in the log, by kind.", (KIND,), registry=self.registry)
        self.registry.register(_Standing(store, clock, listeners))
        self._watch_store(store)
        self._counted = _Counted(self._errors)
        logging.getLogger(LOGGER).addHandler(self._counted)

    def request(self, route: str, method: str, status: int, took: float) -> None:
        """Count a request and its duration."""
        self._requests.labels(route, method, str(status)).observe(took)

    def record_check(self, loop: str, done: int, took: float) -> None:
        """Count a check of a loop, its duration and the things done."""
        self._looks.labels(loop).observe(took)
        self._done.labels(loop).inc(done)

    def serve(self, service: str, port: int) -> int:
        """Serve the metrics at an address and return the port (0 chooses one); raise `OSError` if it is taken."""
        server, _ = start_http_server(port, service, self.registry)
        return server.server_port

    def text(self) -> str:
        """Return all current metrics as they are served."""
        return generate_latest(self.registry).decode()

    def close(self) -> None:
        """Count no more errors."""
        logging.getLogger(LOGGER).removeHandler(self._counted)

    def _watch_store(self, store: Store) -> None:
        began = "plenipo_began"

        @event.listens_for(store.engine, "before_cursor_execute")
        def before(connection: Connection, *_: Any) -> None:
            connection.info[began] = seconds()

        @event.listens_for(store.engine, "after_cursor_execute")
        def after(connection: Connection, _cursor: Any, statement: str, *_: Any) -> None:
            word = statement.lstrip()[:6].upper()
            took = seconds() - connection.info.pop(began, seconds())
            self._store.labels(word if word in STATEMENTS else "other").observe(took)

        commit = store.engine.dialect.do_commit

        def commit_timed(connection: Any) -> None:
            with self._store.labels("COMMIT").time():
                commit(connection)

        store.engine.dialect.do_commit = commit_timed  # type: ignore[assignment]  # there is no event after a commit


class _Standing:
    """The counts of games and posts, read from the store for each request of the metrics."""

    def __init__(self, store: Store, clock: Clock, listeners: Callable[[], int]) -> None:
        self.store, self.clock, self.listeners = store, clock, listeners

    def collect(self) -> Iterator[Metric]:
        """Yield the current metrics."""
        standing = self.store.collect_metrics(self.clock.now())
        games = GaugeMetricFamily("plenipo_games", "Games, by the state they are in.", labels=["state"])
        for state, number in sorted(standing.games.items()):
            games.add_metric([state], number)
        yield games
        for name, words, value in (
            ("plenipo_due_games", "Games with something due that is not done yet.", standing.due),
            ("plenipo_due_late_seconds", "For how long the longest of them has been due.", standing.due_late),
            ("plenipo_posts_waiting", "Posts that wait to be sent.", standing.posts),
            (
                "plenipo_posts_late_seconds",
                "For how long the longest of them could have been sent.",
                standing.posts_late,
            ),
            ("plenipo_posts_failing", "Posts that could not be sent yet and are tried again.", standing.failing),
            ("plenipo_posts_given_up", "Posts that could not be sent and are given up.", standing.given_up),
            ("plenipo_open_reports", "Reports that nobody has dealt with yet.", standing.open_reports),
            ("plenipo_listeners", "Browsers that listen to games at this process.", self.listeners()),
        ):
            yield GaugeMetricFamily(name, words, value=value)


class _Counted(logging.Handler):
    """A log handler that counts errors."""

    def __init__(self, counter: Counter) -> None:
        super().__init__(logging.ERROR)
        self._counter = counter

    def emit(self, record: logging.LogRecord) -> None:
        self._counter.labels(_kind(record)).inc()


def _kind(record: logging.LogRecord) -> str:
    """Return the kind of an error: that of the log record, or of its database exception."""
    fault = record.exc_info[1] if record.exc_info else None
    if isinstance(fault, SQLAlchemyError):
        return f"database {trouble_of(fault)}"
    return str(getattr(record, KIND, "program"))

"""Faults of the database: which are temporary, what is answered to them, and that each is logged and counted."""

import gc
import logging
import shutil
import socket
import sqlite3
import threading
import warnings
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager, suppress
from functools import partial
from pathlib import Path

import pytest
from fastapi.testclient import TestClient
from sqlalchemy import event, text
from sqlalchemy.exc import SQLAlchemyError

from plenipo.server.keys import digest
from plenipo.server.metrics import Figures
from plenipo.server.people.accounts import Accounts
from plenipo.server.service import GameService
from plenipo.server.store import Store, StoreAwayError, StoreError
from plenipo.server.store.faults import TEMPORARY, DatabaseFault, trouble_of
from plenipo.server.store.persons import Persons, StoredSession
from plenipo.server.store.waiting import open_store
from plenipo.server.web.app import create_app
from server.clocks import ManualClock
from server.cluster import NoPostgresError, killed_and_started, running
from server.test_notifications import NOW
from waiting import LIMIT, join_all, run_together, wait_until


@contextmanager
def browser(store: Store) -> Iterator[TestClient]:
    """A browser at a server that does nothing by itself."""
    app = create_app(GameService(store), loops="none")
    with TestClient(app, raise_server_exceptions=False, follow_redirects=False) as made:
        yield made


@pytest.fixture
def kept(address: str) -> Iterator[Store]:
    """A store of each kind."""
    made = Store(address)
    yield made
    made.close()


@pytest.fixture
def own_cluster() -> Iterator[str]:
    """Yield the address of a PostgreSQL server of its own, which the test may stop and start."""
    try:
        with running() as url:
            yield url
    except NoPostgresError as reason:
        pytest.skip(str(reason))


def sqlite_fault(code: int) -> sqlite3.Error:
    fault = sqlite3.OperationalError("a fault")
    fault.sqlite_errorcode = code
    return fault


FAULTS: tuple[tuple[Callable[[], Exception], DatabaseFault, int], ...] = (
    (partial(sqlite_fault, sqlite3.SQLITE_BUSY), DatabaseFault.LOCKED, 503),
    (partial(sqlite_fault, sqlite3.SQLITE_BUSY_SNAPSHOT), DatabaseFault.LOCKED, 503),
    (partial(sqlite_fault, sqlite3.SQLITE_FULL), DatabaseFault.FULL, 503),
    (partial(sqlite_fault, sqlite3.SQLITE_CORRUPT), DatabaseFault.UNEXPECTED, 500),
    (partial(sqlite_fault, sqlite3.SQLITE_ERROR), DatabaseFault.UNEXPECTED, 500),
    (partial(sqlite3.IntegrityError, "UNIQUE constraint failed"), DatabaseFault.CONFLICT, 409),
)


@pytest.mark.parametrize(("made", "trouble", "status"), FAULTS)
def test_a_fault_of_the_database_is_answered_logged_and_counted_by_its_kind(
    store: Store, caplog: pytest.LogCaptureFixture, made: Callable[[], Exception], trouble: DatabaseFault, status: int
) -> None:
    figures = Figures(store, ManualClock(NOW), int)

    def fails(*_: object) -> None:
        raise made()

    with browser(store) as client:
        event.listen(store.engine, "do_execute", fails)
        try:
            answer = client.get("/api/people/nobody")
        finally:
            event.remove(store.engine, "do_execute", fails)
    figures.close()
    assert answer.status_code == status
    assert [record.levelno for record in caplog.records if trouble in record.getMessage()] == [logging.ERROR]
    assert f'plenipo_errors_total{{kind="database {trouble}"}} 1.0' in figures.text()


# NUL characters

NUL_PATHS = (
    "/api/games/a%00b",
    "/games/a%00b",
    "/api/people/a%00b",
    "/people/a%00b",
    "/calendar/a%00b.ics",
    "/unsubscribe/a%00b?kind=message",
    "/api/variants/a%00b",
)


@pytest.mark.parametrize("path", NUL_PATHS)
def test_an_address_with_a_nul_character_is_not_found(kept: Store, path: str) -> None:
    with browser(kept) as client:
        assert client.get(path).status_code == 404


def test_a_form_or_body_with_a_nul_character_is_refused(kept: Store) -> None:
    with browser(kept) as client:
        for path, form in (
            ("/sign-in", {"mail": "a\0b@example.org"}),
            ("/host", {"variant": "standard", "your-name": "Dora", "name": "Do\0ra"}),
            ("/host", {"variant": "standard", "your-name": "Do\0ra", "name": "Dora"}),
        ):
            answer = client.post(path, data=form)
            assert answer.status_code in {303, 404, 422}, (path, answer.text)  # a name loses what is not printed
        for path, body in (
            ("/api/games", {"variant": "standard", "name": "a\0b"}),
            ("/api/games/x%00/join", {"name": "Do\0ra"}),
            ("/api/people/nobody/report", {"text": "a\0b"}),
        ):
            answer = client.post(path, json=body)
            assert answer.status_code in {401, 404, 422}, (path, answer.text)
        assert client.get("/find?language=a%00b").status_code in {200, 404, 422}


def test_a_text_with_a_nul_character_is_never_given_to_the_database(kept: Store) -> None:
    accounts = Accounts(kept.of(Persons), ManualClock(NOW))
    person = accounts.guest("Anna").person
    with pytest.raises(ValueError, match="NUL"):
        kept.of(Persons).rename(person.id, "An\0na")


# Two first requests at once


def test_two_first_requests_of_a_new_guest_are_both_answered(kept: Store) -> None:
    accounts = Accounts(kept.of(Persons), ManualClock(NOW))
    with browser(kept) as client:
        for number in range(4):
            person = accounts.guest(f"Anna {number}").person
            token = f"token {number}"
            kept.of(Persons).sign_in(StoredSession(digest(token), person.id, "Firefox", NOW, NOW))

            def ask(path: str, token: str = token) -> int:
                return client.post(path, headers={"cookie": f"session={token}"}).status_code

            answers = run_together(*(partial(ask, path) for path in ("/me/calendar", "/me/notifications") * 3))
            assert set(answers) <= {303}, answers


def test_transactions_that_read_before_they_write_wait_for_each_other(kept: Store) -> None:
    """A transaction on SQLite that began as a reader cannot write after another one did."""
    with kept.engine.begin() as connection:
        connection.execute(text("INSERT INTO heartbeats (name, at) VALUES ('x', '2026-11-23 00:00:00')"))

    def touch() -> None:
        with kept.engine.begin() as connection:
            connection.execute(text("SELECT count(*) FROM heartbeats")).scalar_one()
            connection.execute(text("UPDATE heartbeats SET at = '2026-11-23 00:00:01' WHERE name = 'x'"))

    assert run_together(*([touch] * 12)) == [None] * 12


# PostgreSQL that goes away

BREAKING_OFF = (
    b"",
    b"R",
    b"R\0\0\0\x08\0\0",
    b"R\0\0\0\x08\0\0\0\0",
    b"R\0\0\0\x08\0\0\0\0S\0\0\0\x04",
    b"E\0\0\0\x06",
    b"Z",
)


@pytest.mark.parametrize("said", BREAKING_OFF)
def test_a_postgresql_that_breaks_off_in_the_middle_of_a_word_is_away(said: bytes) -> None:
    with closing(socket.create_server(("127.0.0.1", 0))) as server:
        port = server.getsockname()[1]

        def answer() -> None:
            server.settimeout(LIMIT)
            taken, _ = server.accept()
            taken.settimeout(LIMIT)
            with taken:
                taken.recv(4096)
                taken.sendall(said)

        thread = threading.Thread(target=answer, daemon=True)
        thread.start()
        with pytest.raises(StoreAwayError):
            Store(f"postgresql://plenipo@127.0.0.1:{port}/plenipo")
        join_all([thread])


def test_a_connection_that_fails_while_it_is_opened_leaves_no_socket_open(tmp_path: Path) -> None:
    """PostgreSQL takes a connection from the queue of its socket and ends before anything is said."""
    gc.collect()
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as server, warnings.catch_warnings(record=True) as left:
        warnings.simplefilter("always", ResourceWarning)
        server.bind(str(tmp_path / ".s.PGSQL.5432"))
        server.listen(8)
        ended = threading.Event()

        def hang_up() -> None:
            server.settimeout(0.05)
            while not ended.is_set():
                with suppress(TimeoutError):
                    server.accept()[0].close()

        thread = threading.Thread(target=hang_up, daemon=True)
        thread.start()
        for _ in range(60):
            with pytest.raises(StoreAwayError):
                Store(f"postgresql://plenipo@/postgres?host={tmp_path}")
        ended.set()
        join_all([thread])
        gc.collect()
    assert not [str(one.message) for one in left if "PGSQL" in str(one.message)]


def test_a_connection_that_broke_off_is_closed_without_an_error_in_the_log(
    own_cluster: str, caplog: pytest.LogCaptureFixture
) -> None:
    store = Store(own_cluster)
    assert store.count() == 0
    killed_and_started(Path(own_cluster.partition("?host=")[2]) / "data")
    assert store.count() == 0
    store.close()
    assert [line.getMessage() for line in caplog.records if line.levelno >= logging.ERROR] == []


def test_no_request_is_taken_for_a_fault_of_the_program_while_postgresql_restarts(own_cluster: str) -> None:
    store = Store(own_cluster)
    folder = Path(own_cluster.partition("?host=")[2])
    done = threading.Event()
    statuses: set[int] = set()

    def ask() -> None:
        while not done.is_set():
            statuses.add(client.get("/api/people/nobody").status_code)

    with browser(store) as client:
        threads = [threading.Thread(target=ask, daemon=True) for _ in range(4)]
        for thread in threads:
            thread.start()
        for _ in range(2):
            killed_and_started(folder / "data")
        done.set()
        join_all(threads)
        assert client.get("/api/people/nobody").status_code == 404
    store.close()
    assert statuses <= {404, 503}, statuses


def test_every_fault_while_postgresql_restarts_is_known_to_be_temporary(own_cluster: str) -> None:
    store = Store(own_cluster)
    folder = Path(own_cluster.partition("?host=")[2])
    killed_and_started(folder / "data")
    with store.engine.connect() as connection:
        pid = connection.execute(text("SELECT pg_backend_pid()")).scalar_one()

        def is_ended() -> bool:
            there = text("SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity WHERE pid = :pid")
            with store.engine.connect() as other:
                return not other.execute(there, {"pid": pid}).scalar_one()

        wait_until(is_ended, within=60)
        with pytest.raises(SQLAlchemyError) as found:
            connection.execute(text("SELECT 1"))
        assert trouble_of(found.value) in TEMPORARY
    assert store.count() == 0
    store.close()


# A database that is starting


def test_a_database_that_is_starting_is_waited_for_and_one_sentence_says_so(own_cluster: str) -> None:
    folder = Path(own_cluster.partition("?host=")[2])
    hidden = folder / "hidden"
    sock = folder / ".s.PGSQL.5432"
    sock.rename(hidden)
    said: list[str] = []

    def tell(sentence: str) -> None:
        said.append(sentence)
        hidden.rename(sock)

    store = open_store(own_cluster, tell)
    assert store.count() == 0
    store.close()
    assert len(said) == 1
    assert "Waiting up to 60 seconds" in said[0]


def test_a_database_that_does_not_start_is_given_up_after_a_while_and_one_that_is_wrong_at_once(tmp_path: Path) -> None:
    said: list[str] = []
    with pytest.raises(StoreError, match="cannot be used"):
        open_store(f"postgresql://plenipo@/postgres?host={tmp_path}", said.append, patience=0.2, pause=0.05)
    assert len(said) == 1
    with pytest.raises(StoreError):
        open_store("nonsense://", said.append)
    assert len(said) == 1


def test_a_database_of_a_newer_program_is_refused_in_one_sentence(empty: Path, tmp_path: Path) -> None:
    newer = Path(shutil.copy(empty, tmp_path / "newer.sqlite"))
    with closing(sqlite3.connect(newer)) as plain:
        plain.execute("UPDATE alembic_version SET version_num = '9999'")
        plain.commit()
    with pytest.raises(StoreError, match="belongs to a newer version of Plenipo: its tables have version 9999"):
        Store(str(newer))

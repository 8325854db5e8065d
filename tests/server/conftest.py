"""A host with an empty store, and a browser at its door."""

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from fastapi.testclient import TestClient

from plenipo.server.clock import Clock, clock_of
from plenipo.server.service import GameService
from plenipo.server.store import Store
from plenipo.server.store.schema import metadata
from plenipo.server.web.app import create_app
from server.cluster import NoPostgresError, running
from server.serving import Running, served


@pytest.fixture(scope="session")
def cluster() -> Iterator[str]:
    """The address of a PostgreSQL of our own, which tests share."""
    try:
        with running() as url:
            yield url
    except NoPostgresError as reason:
        pytest.skip(str(reason))


@pytest.fixture(scope="session")
def usual_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    """A server started without options; nothing that it was asked leaves a traceback in its log."""
    with served(tmp_path_factory.mktemp("server")) as server:
        yield server
    assert "Traceback" not in server.log


@pytest.fixture
def postgres(cluster: str) -> Iterator[str]:
    """The address of an empty PostgreSQL."""
    yield cluster
    store = Store(cluster)
    with store.engine.begin() as connection:
        for table in reversed(metadata.sorted_tables):
            connection.execute(table.delete())
    store.close()


@pytest.fixture(params=["sqlite", "postgresql"])
def address(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """The address of an empty database, of each kind."""
    sqlite = f"sqlite:///{tmp_path / 'games.sqlite'}"
    return sqlite if request.param == "sqlite" else str(request.getfixturevalue("postgres"))


@pytest.fixture(scope="session")
def empty(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A database without games, to be copied: its tables are made once."""
    path = tmp_path_factory.mktemp("empty") / "games.sqlite"
    Store(str(path)).close()
    return path


@pytest.fixture
def store(empty: Path, tmp_path: Path) -> Iterator[Store]:
    made = Store(str(shutil.copy(empty, tmp_path / "games.sqlite")))
    yield made
    made.close()


@pytest.fixture
def clock(store: Store) -> Clock:
    """The time of day; a module of tests that sets it itself has a fixture of its own."""
    return clock_of(store)


@pytest.fixture
def service(store: Store, clock: Clock) -> GameService:
    return GameService(store, clock=clock)


@pytest.fixture
def client(service: GameService) -> Iterator[TestClient]:
    with TestClient(create_app(service), raise_server_exceptions=False, follow_redirects=False) as made:
        yield made

"""A host with an empty store, and a browser at its door."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from fastapi.testclient import TestClient

from plenipo.server.host import Host
from plenipo.server.store import Store
from plenipo.server.web.app import create_app


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    made = Store(str(tmp_path / "games.sqlite"))
    yield made
    made.close()


@pytest.fixture
def host(store: Store) -> Host:
    return Host(store)


@pytest.fixture
def client(host: Host) -> Iterator[TestClient]:
    with TestClient(create_app(host), raise_server_exceptions=False, follow_redirects=False) as made:
        yield made

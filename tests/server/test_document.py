"""The OpenAPI document is made once, at the first request and for any number of simultaneous ones."""

import sys
import threading

import pytest
from fastapi import FastAPI
from fastapi.testclient import TestClient

from plenipo.server.service import GameService
from plenipo.server.store import Store
from plenipo.server.web.app import create_app
from waiting import run_together


def test_simultaneous_first_requests_for_the_document_all_get_it(store: Store) -> None:
    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-5)
    try:
        for _ in range(3):
            client = TestClient(create_app(GameService(store), loops="none"), raise_server_exceptions=False)
            answers = run_together(*[lambda client=client: client.get("/api/openapi.json")] * 6)
            assert {getattr(answer, "status_code", answer) for answer in answers} == {200}
            assert len({getattr(answer, "content", b"") for answer in answers}) == 1
    finally:
        sys.setswitchinterval(before)


def test_the_document_is_made_by_one_at_a_time(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    """A request during its making waits for it, also at another app of the process: their routes are the same."""
    making, most, guard = 0, 0, threading.Lock()
    meanwhile = threading.Event()
    usual = FastAPI.openapi

    def openapi(app: FastAPI) -> dict[str, object]:
        nonlocal making, most
        with guard:
            making += 1
            most = max(most, making)
        meanwhile.wait(0.2)
        made: dict[str, object] = usual(app)
        with guard:
            making -= 1
        return made

    monkeypatch.setattr(FastAPI, "openapi", openapi)
    clients = [TestClient(create_app(GameService(store), loops="none")) for _ in range(2)]
    run_together(*[lambda client=client: client.get("/api/openapi.json") for client in clients * 2])
    assert most == 1

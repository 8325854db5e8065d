"""Health: a process that answers is live; it is ready with a database, current tables and a worker that looks."""

import sqlite3
from datetime import timedelta

from fastapi.testclient import TestClient
from sqlalchemy import event, text

from plenipo.server.service import GameService
from plenipo.server.store import Store
from plenipo.server.store.heartbeats import Heartbeats
from plenipo.server.web.app import create_app
from plenipo.server.worker import NAME, Worker
from server.clocks import ManualClock
from server.test_notifications import NOW


def test_a_server_is_ready_once_a_worker_looks_and_no_more_when_it_stops(store: Store) -> None:
    clock = ManualClock(NOW)
    service = GameService(store, clock=clock)
    with TestClient(create_app(service, loops="none")) as client:
        assert client.get("/health/live").json() == {"live": True}
        before = client.get("/health/ready")
        assert (before.status_code, before.json()["worker"]) == (503, False)
        Worker(service).look()
        assert store.of(Heartbeats).last(NAME) == NOW
        after = client.get("/health/ready")
        assert (after.status_code, set(after.json().values())) == (200, {True})
        clock.time += timedelta(minutes=4)
        assert client.get("/health/ready").status_code == 503
        assert client.get("/health/live").status_code == 200


def test_a_server_with_old_tables_or_without_its_database_is_live_and_not_ready(store: Store) -> None:
    service = GameService(store, clock=ManualClock(NOW))
    Worker(service).look()

    def fails(*_: object) -> None:
        raise sqlite3.OperationalError("unable to open database file")

    with TestClient(create_app(service, loops="none")) as client:
        with store.engine.begin() as connection:
            connection.execute(text("UPDATE alembic_version SET version_num = '0001'"))
        answer = client.get("/health/ready")
        assert (answer.status_code, answer.json()["tables"], answer.json()["database"]) == (503, False, True)
        event.listen(store.engine, "do_execute", fails)
        answer = client.get("/health/ready")
        event.remove(store.engine, "do_execute", fails)
        assert (answer.status_code, set(answer.json().values())) == (503, {False})
        assert client.get("/health/live").status_code == 200

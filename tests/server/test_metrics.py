"""Figures and logs for operators: what they say, where they are served, and that nothing of persons is in them."""

import json
import logging
import re
import urllib.request
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path

import pytest
from fastapi.testclient import TestClient
from typer.testing import CliRunner

from plenipo.cli import app
from plenipo.server.keys import digest
from plenipo.server.metrics import Figures
from plenipo.server.observer import JsonLineFormatter, JsonLog
from plenipo.server.people.mail import send_due
from plenipo.server.store import Store
from plenipo.server.store.notifications import NotificationStore
from plenipo.server.store.persons import Persons, StoredSession
from plenipo.server.web.app import create_app
from plenipo.server.worker import Worker
from server.serving import answer_of, served
from server.test_notifications import NOW, Table
from waiting import LIMIT

MARKS = ("Anna", "Ben", "example.org", "Mordor", "Quai", "sesame")


@pytest.fixture
def table(store: Store) -> Table:
    return Table(store)


@pytest.fixture
def figures(table: Table) -> Iterator[Figures]:
    made = Figures(table.service.store, table.clock, table.service.broker.listeners)
    yield made
    made.close()


def said(figures: Figures) -> dict[str, float]:
    """Each figure by its name and labels."""
    lines = [line for line in figures.text().splitlines() if not line.startswith("#")]
    return {name: float(value) for name, _, value in (line.rpartition(" ") for line in lines)}


def test_figures_say_how_the_games_and_the_posts_stand(table: Table, figures: Figures) -> None:
    table.sent()
    assert said(figures)['plenipo_games{state="running"}'] == 1
    assert said(figures)["plenipo_due_games"] == 0
    due = table.service.games.load(table.game.id).press_table.due
    assert due is not None
    table.clock.time = due + timedelta(seconds=7)
    now = said(figures)
    assert now["plenipo_due_games"] == 1
    assert now["plenipo_due_late_seconds"] >= 7
    Worker(table.service, (figures,)).look_again()
    now = said(figures)
    assert now["plenipo_due_games"] == 0
    assert now['plenipo_done_total{loop="due games"}'] == 1
    assert now['plenipo_look_seconds_count{loop="due games"}'] == 1
    table.process()
    assert said(figures)["plenipo_posts_waiting"] >= 3
    table.sent()
    assert said(figures)["plenipo_posts_waiting"] == 0


def test_posts_that_fail_are_counted_until_they_are_given_up(
    table: Table, figures: Figures, monkeypatch: pytest.MonkeyPatch
) -> None:
    table.sent()

    def fails(*_: object) -> None:
        raise OSError("nobody is there")

    monkeypatch.setattr(table.inbox, "send", fails)
    table.process()
    table.sent()
    waiting = said(figures)["plenipo_posts_waiting"]
    assert said(figures)["plenipo_posts_failing"] == waiting > 0
    for _ in range(6):
        table.sent(timedelta(days=1))
    assert said(figures)["plenipo_posts_failing"] == 0
    assert said(figures)["plenipo_posts_given_up"] >= waiting


def test_requests_are_counted_by_route_and_reveal_no_persons(
    table: Table, figures: Figures, caplog: pytest.LogCaptureFixture
) -> None:
    store = table.service.store
    store.of(Persons).sign_in(StoredSession(digest("sesame"), table.people["Italy"], "Firefox", NOW, NOW))
    table.write("France", "Italy", "Mordor")
    with (
        caplog.at_level(logging.INFO, "plenipo.requests"),
        TestClient(create_app(table.service, loops="none", watchers=(figures, JsonLog()))) as client,
    ):
        client.get(f"/games/{table.game.id}/sit/{table.game.all_seats}", follow_redirects=False)
        client.get(f"/unsubscribe/{store.of(NotificationStore).preferences(table.people['Italy']).token}?kind=message")
        client.get("/nowhere/sesame")
        client.request("PROPFIND", "/")
        client.cookies.set("session", "sesame")
        for _ in range(2):
            client.get(f"/api/games/{table.game.id}")
        client.get("/me/data")
    found = figures.text()
    assert 'route="/games/{game}/sit/' in found
    assert 'route="(no route)"' in found
    assert 'plenipo_store_seconds_count{statement="SELECT"}' in found
    lines = [JsonLineFormatter().format(record) for record in caplog.records if record.name == "plenipo.requests"]
    assert {json.loads(line)["event"] for line in lines} == {"request"}
    assert len(lines) == 7
    secrets = (table.game.all_seats, table.game.invitation, table.game.id, *table.people.values(), *MARKS)
    for secret in secrets:
        assert secret not in found
        assert all(secret not in line for line in lines)


def test_a_line_of_the_log_has_no_words_that_were_filled_in(
    table: Table, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fails(*_: object) -> None:
        raise OSError("Ben of example.org is not known here: Mordor")

    table.process()
    monkeypatch.setattr(table.inbox, "send", fails)
    with caplog.at_level(logging.WARNING, "plenipo.server"):
        send_due(table.service.store, table.mail, table.clock)
        try:
            fails()
        except OSError:
            logging.getLogger("plenipo.server").exception("cannot look for %s", "Mordor")
    lines = [JsonLineFormatter().format(record) for record in caplog.records]
    assert len(lines) >= 2
    for line in lines:
        assert not any(mark in line for mark in MARKS)
        assert "\n" not in line
    last = json.loads(lines[-1])
    assert (last["error"], last["event"]) == ("OSError", "cannot look for %s")
    assert last["where"]
    assert json.loads(lines[0])["post"]


def test_a_server_serves_its_figures_to_its_own_machine_alone_and_logs_lines_of_json(tmp_path: Path) -> None:
    with served(tmp_path, "--metrics", "0", "--log", "json") as server:
        assert b"Plenipo" in answer_of(server.port)
        where = re.search(r"http://127\.0\.0\.1:(\d+)/metrics", server.lines[1])
        assert where, server.lines
        with urllib.request.urlopen(f"http://127.0.0.1:{where[1]}/metrics", timeout=LIMIT) as answer:  # our own
            text = answer.read().decode()
    assert 'plenipo_request_seconds_count{method="GET",route="/",status="200"} 1.0' in text
    lines = [json.loads(line) for line in server.log.splitlines() if line]
    assert any(line["event"] == "request" and line["route"] == "/" for line in lines)


@pytest.mark.parametrize("place", ["nine", "70000", "10.0.0.5:", "203.0.113.1:0"])
def test_an_unusable_address_for_metrics_is_reported_in_a_sentence(tmp_path: Path, place: str) -> None:
    result = CliRunner().invoke(app, ["work", "--database", str(tmp_path / "g.sqlite"), "--metrics", place])
    assert result.exit_code == 2
    assert place in result.output
    assert len(result.output.strip().splitlines()) <= 2

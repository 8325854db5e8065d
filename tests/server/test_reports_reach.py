"""A report always has a recipient: the moderators, or the operator of a server without any."""

import logging

import pytest
from fastapi.testclient import TestClient
from typer.testing import CliRunner

from plenipo.cli import app as command
from plenipo.server.errors import ReportRefused
from plenipo.server.moderation import moderators_of
from plenipo.server.service import GameService
from plenipo.server.store import Store
from plenipo.server.store.persons import Persons
from plenipo.server.web.app import create_app
from server.test_moderation import Door, person_of, write


@pytest.fixture
def door(service: GameService, store: Store) -> Door:
    made = Door(service, store)
    made.app = create_app(service)  # with no moderators
    return made


def reported(door: Door) -> tuple[str, TestClient, TestClient]:
    anna, ben, cora = door.browser(), door.browser(), door.browser()
    game = door.game(anna, ben, cora)
    write(ben, game, "England", "France", "Rude words.")
    ben_id = person_of(door, game, "England")
    page = cora.get(f"{game}/talk?seat=England&seat=France").text
    assert "The operator of this server reads it." in page
    form = {"thread": ["England", "France"], "seat": "England", "sentence": "He is rude.", "kind": "abuse"}
    said = cora.post(f"{game}/talk/report", data=form).text
    assert "The operator of this server reads it." in said
    return ben_id, ben, cora


def run(store: Store, *words: str) -> tuple[int, str]:
    result = CliRunner().invoke(command, ["reports", *words, "--database", str(store.url)])
    return result.exit_code, result.output


def test_without_moderators_the_operator_is_notified_once_and_reads_reports_on_the_command_line(
    door: Door, store: Store, caplog: pytest.LogCaptureFixture
) -> None:
    with caplog.at_level(logging.WARNING, "plenipo.server"):
        ben_id, _, cora = reported(door)
        assert (
            cora.post(f"/people/{ben_id}/report", data={"sentence": "And his name.", "kind": "name"}).status_code == 200
        )
    told = [record.getMessage() for record in caplog.records if "plenipo reports list" in record.getMessage()]
    assert len(told) == 1
    code, text = run(store, "list")
    assert (code, len(text.splitlines())) == (0, 2)
    assert "Ben: He is rude." in text
    code, text = run(store, "show", "1")
    assert (code, "* England" in text, "Rude words." in text, "1 earlier report, 0 bans." in text) == (
        0,
        True,
        True,
        True,
    )


def test_the_operator_closes_reports_and_bans_on_the_command_line(door: Door, store: Store) -> None:
    ben_id, ben, cora = reported(door)
    cora.post(f"/people/{ben_id}/report", data={"sentence": "And his name.", "kind": "name"})
    assert run(store, "close", "2", "--reason", "A fine name.") == (0, "Report 2 is closed.\n")
    assert run(store, "ban", "1", "--reason", "Insults.", "--days", "3") == (
        0,
        "Banned for 3 days; report 1 is closed.\n",
    )
    assert ben.post("/me/name", data={"name": "Benno"}).status_code == 403
    assert run(store, "list") == (0, "No open reports.\n")
    for words in (("show", "9"), ("close", "1", "--reason", "Again."), ("ban", "9", "--reason", "No.")):
        code, text = run(store, *words)
        assert (code, text.count("\n"), "Traceback" in text) == (2, 1, False), (words, text)


def test_open_reports_are_a_figure(door: Door, store: Store) -> None:

    def figures() -> int:
        return store.collect_metrics(door.service.clock.now()).open_reports

    assert figures() == 0
    reported(door)
    assert figures() == 1
    run(store, "close", "1", "--reason", "Read.")
    assert figures() == 0


def test_moderators_are_mailed_when_the_queue_is_no_longer_empty(service: GameService, store: Store) -> None:
    door = Door(service, store)
    anna, ben, cora = door.browser(), door.browser(), door.browser()
    game = door.game(anna, ben, cora)
    ben_id = person_of(door, game, "England")
    for sentence in ("Rude.", "Rude again."):
        said = cora.post(f"/people/{ben_id}/report", data={"sentence": sentence}).text
        assert "The moderators of this server read it." in said
    posts = [post for post, _ in store.of(Persons).take_posts(service.clock.now()) if post.subject == "A report waits"]
    assert [post.to for post in posts] == ["mod@example.org"]
    assert "Rude" not in posts[0].body


def test_moderators_are_named_in_the_environment_too() -> None:
    options = {"PLENIPO_MODERATORS": " Anna@example.org, ben@example.org,"}
    assert moderators_of(options, ("Cora@example.org",)) == {"anna@example.org", "ben@example.org", "cora@example.org"}
    assert moderators_of({}) == frozenset()
    with pytest.raises(ReportRefused, match="'anna' is not an email address"):
        moderators_of({"PLENIPO_MODERATORS": "anna"})

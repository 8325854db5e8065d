"""Pages name their reader, so that a browser deletes what it keeps when another person reads."""

from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest
from fastapi.testclient import TestClient

from plenipo.server import keys
from plenipo.server.service import GameService
from plenipo.server.store import Store
from plenipo.server.store.persons import Persons, SignInMethod
from plenipo.server.web.app import create_app
from server.clocks import ManualClock

START = datetime(2026, 11, 22, 12, tzinfo=UTC)


@pytest.fixture
def service(tmp_path: Path) -> Iterator[GameService]:
    store = Store(str(tmp_path / "games.sqlite"))
    yield GameService(store, clock=ManualClock(START))
    store.close()


def browser(service: GameService) -> TestClient:
    return TestClient(create_app(service, loops="none"), "http://localhost", follow_redirects=False)


def come_in(client: TestClient, name: str = "Anna") -> str:
    """Host a game under a name, which signs the browser in; the path of the game."""
    answer = client.post("/host", data={"variant": "standard", "name": name, "schedule": "Own pace", "you": "play"})
    assert answer.status_code == 303, answer.text
    return str(answer.headers["location"])


def test_a_page_without_a_person_is_read_by_nobody_and_sets_no_cookie(service: GameService) -> None:
    answer = browser(service).get("/")
    assert answer.headers["x-reader"] == "none"
    assert "set-cookie" not in answer.headers


def test_each_page_of_a_person_names_the_same_reader_and_other_people_another(service: GameService) -> None:
    anna, ben = browser(service), browser(service)
    game = come_in(anna)
    come_in(ben, "Ben")
    marks = {anna.get(path).headers["x-reader"] for path in ("/", "/me", game, "/games/nothere")}
    assert len(marks) == 1
    assert marks != {"none"}
    assert ben.get("/").headers["x-reader"] not in marks
    assert anna.cookies["reader"] in marks


def test_a_page_that_has_not_changed_names_its_reader_too(service: GameService) -> None:
    anna = browser(service)
    game = come_in(anna)
    tag = anna.get(game).headers["etag"]
    again = anna.get(game, headers={"if-none-match": tag})
    assert again.status_code == 304
    assert again.headers["x-reader"] == anna.cookies["reader"]


def test_after_signing_out_nobody_reads_and_the_browser_is_told_to_forget(service: GameService) -> None:
    anna = browser(service)
    come_in(anna)
    anna.get("/")
    left = anna.post("/me/sign-out")
    assert left.headers["clear-site-data"] == '"cache"'
    assert anna.get("/").headers["x-reader"] == "none"
    assert "reader" not in anna.cookies


def test_a_session_that_has_ended_elsewhere_is_nobodys(service: GameService) -> None:
    anna = browser(service)
    come_in(anna)
    anna.get("/")
    session = anna.cookies["session"]
    anna.post("/me/sign-out")
    anna.cookies.set("session", session)
    assert anna.get("/learn").headers["x-reader"] == "none"


def test_answers_to_programs_and_what_anyone_may_cache_name_no_reader(service: GameService) -> None:
    anna = browser(service)
    come_in(anna)
    assert "x-reader" not in anna.get("/api/me").headers
    tag = anna.get("/map.css?variant=standard").headers["etag"]
    again = anna.get("/map.css?variant=standard", headers={"if-none-match": tag})
    assert again.status_code == 304
    assert not {"x-reader", "set-cookie"} & set(again.headers)


def test_the_offline_page_is_the_same_for_everyone(service: GameService) -> None:
    anna = browser(service)
    come_in(anna)
    mine, theirs = anna.get("/offline"), browser(service).get("/offline")
    assert mine.status_code == 200
    assert mine.content == theirs.content


def test_signing_out_takes_the_keys_of_a_person_with_a_way_back_and_leaves_those_of_a_guest(
    service: GameService,
) -> None:
    persons = service.store.of(Persons)
    for name, has_way in (("Anna", True), ("Ben", False)):
        client = browser(service)
        game = come_in(client, name)
        person = persons.of_session(keys.digest(client.cookies["session"]), START)
        assert person is not None
        if has_way:
            persons.add_way(SignInMethod("mail", "anna@example.org", person.id, START))
        left = client.post("/me/sign-out").headers.get_list("set-cookie")
        gone = [cookie for cookie in left if cookie.startswith("seat=") and f"Path={game}" in cookie]
        assert bool(gone) is has_way

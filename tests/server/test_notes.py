"""Private notes: about a game, a power or a thread, read by their writer and by no other person."""

import pytest
from sqlalchemy import select

from plenipo.server.people.accounts import Accounts
from plenipo.server.service import GameService
from plenipo.server.store import schema
from plenipo.server.store.persons import Persons
from server.test_people_pages import Browser, hosted, link_in

MARK = "Mordor is a friend"


@pytest.fixture
def anna(service: GameService) -> Browser:
    return Browser(service)


@pytest.fixture
def ben(service: GameService) -> Browser:
    return Browser(service)


@pytest.fixture
def game(anna: Browser, ben: Browser) -> str:
    """The address of a game that Anna runs and in which Ben plays France."""
    address = hosted(anna, "Anna", you="rule")
    ben.get(link_in(anna.get(address).text))
    ben.post(f"{address}/join", data={"name": "Ben", "power": "France"})
    anna.post(f"{address}/start")
    return address


def keep(browser: Browser, game: str, text: str, *about: str) -> dict[tuple[str, ...], str]:
    answer = browser.put(f"/api{game}/notes", json={"about": list(about), "text": text})
    assert answer.status_code == 200, answer.text
    return {tuple(one["about"]): one["text"] for one in answer.json()["notes"]}


def test_notes_are_kept_by_subject_and_an_empty_one_is_removed(game: str, ben: Browser) -> None:
    keep(ben, game, "Be patient.")
    keep(ben, game, "Honest so far.", "italy")
    assert keep(ben, game, "He asked for BUR.", "Germany", "France") == {
        (): "Be patient.",
        ("France", "Germany"): "He asked for BUR.",
        ("Italy",): "Honest so far.",
    }
    assert keep(ben, game, " ", "Italy") == {(): "Be patient.", ("France", "Germany"): "He asked for BUR."}
    assert keep(ben, game, "All of them.", "everyone")[("everyone",)] == "All of them."


def test_only_the_writer_reads_a_note(game: str, anna: Browser, ben: Browser, service: GameService) -> None:
    keep(ben, game, MARK, "Italy")
    anna.post(f"{game}/gm-tools/notes", data={"text": "Ben is late."})
    stranger = Browser(service)
    paths = ("", "/gm-tools", "/report", "/feed.json")
    paths_of_programs = ("", "/notes", "/press", "/press/file", "/journal", "/record", "/history")
    for browser, secret in ((anna, MARK), (stranger, MARK), (stranger, "Ben is late."), (ben, "Ben is late.")):
        asked = [f"{game}{path}" for path in paths] + [f"/api{game}{path}" for path in paths_of_programs]
        assert [path for path in asked if secret in browser.get(path).text] == []
    assert "Ben is late." in anna.get(f"{game}/gm-tools").text
    assert stranger.put(f"/api{game}/notes", json={"about": [], "text": "x"}).status_code == 401


def test_a_replacement_does_not_read_the_notes_of_the_player_before(
    game: str, anna: Browser, ben: Browser, service: GameService
) -> None:
    keep(ben, game, MARK)
    offered = anna.post(f"{game}/gm-tools/seat", data={"power": "France", "act": "offer"}).text
    dora = Browser(service)
    dora.get(link_in(offered.replace('id="offer" readonly', 'id="link" readonly')))
    dora.post(f"{game}/join", data={"name": "Dora"})
    assert dora.get(f"/api{game}/notes").json() == {"notes": []}
    assert keep(dora, game, "A new start.") == {(): "A new start."}


@pytest.mark.parametrize(
    ("about", "text", "sentence"),
    [
        (["Gondor"], "x", "'Gondor' has no seat in this game"),
        ([], "x" * 4001, "The note has 4001 characters; at most 4000 are allowed."),
    ],
)
def test_a_note_that_cannot_be_kept_is_refused_in_a_sentence(
    game: str, ben: Browser, about: list[str], text: str, sentence: str
) -> None:
    answer = ben.put(f"/api{game}/notes", json={"about": about, "text": text})
    assert (answer.status_code, sentence in answer.json()["error"]["message"]) == (422, True)


def test_notes_move_with_the_seats_of_a_guest_and_go_with_the_account(
    game: str, ben: Browser, service: GameService
) -> None:
    keep(ben, game, MARK, "Italy")
    assert ben.get("/me/data").json()["notes"] == [{"game": game.rpartition("/")[2], "about": "Italy", "text": MARK}]
    persons = service.store.of(Persons)
    accounts = Accounts(persons, service.clock)
    tenures = service.games.load(game.rpartition("/")[2]).tenures
    guest = persons.find(next(one.person for one in tenures if one.name == "Ben") or "")
    other = accounts.guest("Benjamin").person
    assert guest
    persons.merge(guest, other.id, "m" * 64, service.clock.now())
    assert accounts.everything(other)["notes"][0]["text"] == MARK
    accounts.delete(other)
    with service.store.engine.connect() as connection:
        assert connection.execute(select(schema.notes)).all() == []

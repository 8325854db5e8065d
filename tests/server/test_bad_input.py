"""Bad input around a game: names at the same instant, old links, old forms; a sentence for each, and nothing lost."""

import re
from collections.abc import Callable
from functools import partial
from html import unescape

import pytest

from plenipo.engine.position import Power
from plenipo.server.errors import SeatRefused
from plenipo.server.hosted_game import Credentials
from plenipo.server.new_games import GameKeys, NewGameRequest
from plenipo.server.service import GameService
from plenipo.server.store import Store
from server.test_people_pages import Browser, hosted, link_in
from waiting import run_together

ONE_SEAT = {f"computer.{power}": "careless" for power in ("Austria", "England", "France", "Germany", "Italy", "Russia")}
"""The fields of a form by which computers play all powers of standard but Turkey."""


@pytest.fixture
def anna(service: GameService) -> Browser:
    return Browser(service)


@pytest.fixture
def ben(service: GameService) -> Browser:
    return Browser(service)


def sentence_of(page: str) -> str:
    """Return the one sentence of the page of a refusal."""
    found = re.search(r'<p id="fault"[^>]*>(.*?)</p>', page, re.DOTALL)
    assert found, page
    told = unescape(found[1])
    assert "\n" not in told.strip()
    return told


def same_instant(
    service: GameService, store: Store, *joins: Callable[[GameService], str]
) -> tuple[list[str], list[Exception]]:
    """Let players join at the same instant, each at a server of their own; return the seats, and the refusals."""
    others = [Store(str(store.url)) for _ in joins[1:]]
    servers = [service, *(GameService(other, clock=service.clock) for other in others)]
    try:
        answers = run_together(*(partial(join, server) for join, server in zip(joins, servers, strict=True)))
    finally:
        for other in others:
            other.close()
    return [one for one in answers if isinstance(one, str)], [one for one in answers if isinstance(one, Exception)]


def invite(service: GameService) -> tuple[GameKeys, Credentials]:
    game = service.open(NewGameRequest("standard", {}, lobby=True))
    return game, service.credentials(game.id, [game.invitation])


def test_of_players_with_one_name_at_the_same_instant_one_joins(service: GameService, store: Store) -> None:
    game, invited = invite(service)

    def join(server: GameService, name: str) -> str:
        return server.lobby.join(game.id, invited, name)

    names = ("Ben", "ben", " Ben ", "B\u200ben")
    seats, refused = same_instant(service, store, *(partial(join, name=name) for name in names))
    assert len(seats) == 1
    assert {type(one) for one in refused} == {SeatRefused}
    assert all(str(one).endswith(".") for one in refused)
    service.games.forget(game.id)
    assert len(service.games.load(game.id).players) == 1


def test_of_players_who_take_one_power_at_the_same_instant_one_joins(service: GameService, store: Store) -> None:
    game, invited = invite(service)

    def join(server: GameService, name: str) -> str:
        return server.lobby.join(game.id, invited, name, "France")

    seats, refused = same_instant(service, store, *(partial(join, name=name) for name in ("Ben", "Cleo", "Dora")))
    assert len(seats) == 1
    assert {type(one) for one in refused} == {SeatRefused}
    service.games.forget(game.id)
    assert [player.power for player in service.games.load(game.id).players] == [Power("France")]


def test_a_link_to_a_game_that_has_started_or_ended_says_so_and_leads_to_the_game(
    anna: Browser, ben: Browser, service: GameService
) -> None:
    game = hosted(anna, "Anna")
    link = link_in(anna.get(game).text)
    ben.get(link)
    assert anna.post(f"{game}/start").status_code == 200
    for answer in (Browser(service).get(link), ben.post(f"{game}/join", data={"name": "Ben"})):
        assert answer.status_code == 409
        assert sentence_of(answer.text) == "This link no longer gives a seat: the game has started."
        assert f'href="{game}"' in answer.text
    assert anna.post(f"/api{game}/draw", json={"phase_number": 1}).status_code == 200
    for answer in (Browser(service).get(link), ben.post(f"{game}/join", data={"name": "Ben"})):
        assert sentence_of(answer.text) == "This link no longer gives a seat: the game is over."
        assert f'href="{game}"' in answer.text


def test_a_link_to_a_game_that_was_cancelled_or_deleted_says_so(
    anna: Browser, ben: Browser, service: GameService
) -> None:
    game = hosted(anna, "Anna")
    link = link_in(anna.get(game).text)
    ben.get(link)
    anna.post(f"{game}/cancel")
    for answer in (Browser(service).get(link), ben.post(f"{game}/join", data={"name": "Ben"})):
        assert sentence_of(answer.text) == "The game was cancelled before it started."
    service.store.delete(game.rpartition("/")[2])
    service.games.forget(game.rpartition("/")[2])
    for answer in (Browser(service).get(link), ben.post(f"{game}/join", data={"name": "Ben"})):
        assert answer.status_code == 404
        assert sentence_of(answer.text).startswith("There is no game")


def test_a_link_to_a_full_game_leads_to_the_waiting_list(anna: Browser, ben: Browser, service: GameService) -> None:
    game = hosted(anna, "Anna", you="keep", ready_check="yes", **ONE_SEAT)
    link, cleo = link_in(anna.get(game).text), Browser(service)
    for browser in (ben, cleo):
        browser.get(link)
    assert "1 of 1 player" in ben.post(f"{game}/join", data={"name": "Ben"}).text
    assert "Join the waiting list" in cleo.get(link).text
    assert "You are on the waiting list." in cleo.post(f"{game}/join", data={"name": "Cleo"}).text


def test_a_wrong_key_of_a_game_that_is_open_is_refused_as_before(anna: Browser, ben: Browser) -> None:
    game = hosted(anna, "Anna")
    answer = ben.get(f"{game}/sit/nothing")
    assert answer.status_code == 401
    assert "This key does not open this game" in sentence_of(answer.text)


OLD_FORMS = {
    "no variant": ({"variant": ""}, "is not a variant"),
    "no name": ({"name": ""}, "Write a name"),
    "a name under another field": ({"name": "", "player": "Emma"}, "Write a name"),
    "a schedule that is gone": ({"schedule": "Fortnightly"}, "is not a schedule"),
    "an assignment that is gone": ({"deal": "wishes"}, "is not a value of 'deal'"),
    "a computer that is gone": ({"computer": "genius"}, "is not a computer player"),
    "a computer on a seat that is gone": ({"computer.France": "genius"}, "is not a computer player"),
    "a role that is gone": ({"you": "boss"}, "is not a role in the game"),
    "a power that is gone": ({"power": "Narnia"}, "is not a power of this game"),
    "a preference that is gone": ({"preference": "Narnia", "deal": "preferences"}, "is not a power of this game"),
    "an option that is gone": ({"option.manners": "good"}, "manners"),
}


@pytest.mark.parametrize("name", OLD_FORMS)
def test_a_form_of_an_older_version_is_refused_in_a_sentence_and_leaves_no_game(
    store: Store, anna: Browser, name: str
) -> None:
    fields, message = OLD_FORMS[name]
    answer = anna.post("/host", data={"variant": "standard", "name": "Emma", "schedule": "Own pace", **fields})
    assert answer.status_code == 422
    assert message in sentence_of(answer.text)
    assert store.count() == 0


def test_fields_that_no_form_has_any_more_are_left_out(anna: Browser) -> None:
    assert hosted(anna, "Anna", colour="red", **{"x" * 300: "y"}).startswith("/games/")


ACTS = ("join", "preference", "leave", "chat", "invite", "admit", "claim", "start", "take", "here")


@pytest.mark.parametrize("act", ACTS)
def test_a_form_of_the_lobby_without_its_fields_is_refused_in_a_sentence(anna: Browser, ben: Browser, act: str) -> None:
    game = hosted(anna, "Anna", you="keep")
    ben.get(link_in(anna.get(game).text))
    for browser in (anna, ben):
        for fields in ({}, {"another": "x"}, {"number": "x" * 50, "text": "", "name": "\0"}):
            answer = browser.post(f"{game}/{act}", data=fields)
            assert answer.status_code < 500, (act, fields, answer.text)
            if answer.status_code >= 400:
                assert sentence_of(answer.text).endswith(".")

"""Games between people: one link, seats taken by name, powers dealt, computers on what is left."""

import re
from functools import partial

import pytest
from fastapi.testclient import TestClient

from plenipo.server.errors import NoKey, NotBegun, NotYours, Over, SeatRefused
from plenipo.server.hosted_game import Credentials
from plenipo.server.new_games import GameKeys, NewGameRequest
from plenipo.server.service import GameService
from plenipo.server.submissions import Edit
from plenipo.server.web.app import create_app
from waiting import run_together


def lobby(service: GameService, variant: str = "standard") -> tuple[GameKeys, Credentials, Credentials]:
    """Return a game that has not begun, with the credentials of its host and of an invited player."""
    game = service.open(NewGameRequest(variant, {}, lobby=True))
    return game, service.credentials(game.id, [game.all_seats]), service.credentials(game.id, [game.invitation])


def seated(service: GameService, game: GameKeys, token: str) -> Credentials:
    return service.credentials(game.id, [token])


def test_players_join_by_name_and_play_chosen_or_assigned_powers(service: GameService) -> None:
    game, host, invited = lobby(service)
    anna = service.lobby.join(game.id, invited, "Anna", "France")
    ben = service.lobby.join(game.id, invited, "Ben")
    service.lobby.start(game.id, host)
    assert seated(service, game, anna).powers == ("France",)
    (dealt,) = seated(service, game, ben).powers
    view = service.view(game.id, Credentials(), None)
    assert {player.name: player.power for player in view.players} == {"Anna": "France", "Ben": dealt}
    assert dealt != "France"
    assert [power for power, computer in view.computers.items() if not computer] == [
        power for power in view.rules.names if power in {"France", dealt}
    ]
    service.orders.submit(game.id, seated(service, game, anna), "France", 1, Edit(("A PAR - BUR",), ready=True))


def test_a_game_begins_automatically_when_every_seat_is_taken(service: GameService) -> None:
    game, _, invited = lobby(service)
    tokens = [service.lobby.join(game.id, invited, f"Player {number}") for number in range(7)]
    assert not service.forming(game.id)
    powers = [seated(service, game, token).powers for token in tokens]
    assert sorted(powers) == sorted((power,) for power in service.view(game.id, Credentials(), None).rules.names)
    with pytest.raises(Over, match="has started"):
        service.lobby.join(game.id, invited, "Late")


def test_nothing_is_ordered_before_a_game_begins(service: GameService) -> None:
    game, host, invited = lobby(service)
    token = service.lobby.join(game.id, invited, "Anna", "France")
    with pytest.raises(NotBegun):
        service.orders.submit(game.id, seated(service, game, token), "France", 1, Edit(("A PAR H",)))
    with pytest.raises(NotBegun):
        service.phases.process(game.id, host, 1)


def test_a_player_who_leaves_the_lobby_leaves_a_seat_for_others(service: GameService) -> None:
    game, host, invited = lobby(service)
    anna = seated(service, game, service.lobby.join(game.id, invited, "Anna", "France"))
    ben = seated(service, game, service.lobby.join(game.id, invited, "Ben", "Italy"))
    with pytest.raises(NotYours):
        service.lobby.leave(game.id, anna, ben.player or 0)
    service.lobby.leave(game.id, ben, ben.player or 0)
    service.lobby.join(game.id, invited, "Ben", "Italy")
    service.lobby.leave(game.id, host, anna.player or 0)
    assert [player.name for player in service.view(game.id, Credentials(), None).players] == ["Ben"]


@pytest.mark.parametrize(
    ("name", "power", "sentence"),
    [
        ("", "", "Write a name to join."),
        (" \u200b", "", "invisible characters"),
        ("x" * 41, "", "too long"),
        ("Germany", "", "is reserved; choose another name"),
        ("  gm ", "", "is reserved; choose another name"),
        ("\uff27ermany", "", "is reserved; choose another name"),  # a wide G
        ("P\u0430ul", "", "mixes letters of several scripts"),  # a Cyrillic a
        ("ANNA", "", "The name 'ANNA' is taken here"),
        ("Ben", "France", "France is taken"),
    ],
)
def test_a_name_that_deceives_and_a_power_that_is_taken_are_refused(
    service: GameService, name: str, power: str, sentence: str
) -> None:
    game, _, invited = lobby(service)
    service.lobby.join(game.id, invited, "Anna", "France")
    with pytest.raises(SeatRefused, match=re.escape(sentence)):
        service.lobby.join(game.id, invited, name, power)


def test_a_stranger_cannot_join_and_no_player_joins_late(service: GameService) -> None:
    game, host, invited = lobby(service)
    with pytest.raises(NoKey):
        service.lobby.join(game.id, Credentials(), "Mallory")
    with pytest.raises(SeatRefused):
        service.lobby.start(game.id, host)
    service.lobby.join(game.id, invited, "Anna")
    service.lobby.start(game.id, host)
    with pytest.raises(Over):
        service.lobby.join(game.id, invited, "Ben")


def test_two_that_want_the_same_power_at_once_do_not_both_get_it(service: GameService) -> None:
    game, _, invited = lobby(service)
    names = ("Anna", "Ben", "Cleo", "Dan")
    answers = run_together(*(partial(service.lobby.join, game.id, invited, name, "France") for name in names))
    assert [type(answer) for answer in answers].count(SeatRefused) == 3
    assert len(service.view(game.id, Credentials(), None).players) == 1


# In browsers


@pytest.fixture
def browsers(service: GameService) -> list[TestClient]:
    """Three browsers with cookies of their own."""
    return [TestClient(create_app(service), raise_server_exceptions=False, follow_redirects=True) for _ in range(3)]


def link_in(page: str) -> str:
    found = re.search(r'id="link" readonly value="([^"]+)"', page)
    assert found
    return found[1]


def test_a_game_is_hosted_and_joined_from_the_pages(browsers: list[TestClient]) -> None:
    anna, ben, stranger = browsers
    assert "Host Diplomacy" in anna.get("/variants/standard/host").text
    fields = {
        "variant": "standard",
        "name": "Anna",
        "game": "Quai d'Orsay",
        "schedule": "Weekdays",
        "zone": "Europe/London",
        "you": "play",
    }
    page = anna.post("/host", data=fields)
    assert page.status_code == 200
    assert "1 of 7 players have joined" in page.text
    assert "Moves are due Mondays to Fridays at 20:00, London time" in page.text
    link = link_in(page.text)
    assert "Join this game" in ben.get(link).text
    address = link.partition("/sit/")[0]
    assert "Ben" in ben.post(f"{address}/join", data={"name": "Ben", "power": "Italy"}).text
    assert 'name="name"' not in stranger.get(address).text
    assert stranger.post(f"{address}/join", data={"name": "Mallory"}).status_code == 401
    assert ben.post(f"{address}/start").status_code == 401
    assert "the-game" in anna.post(f"{address}/start").text
    game = address.rpartition("/")[2]
    assert ben.get(f"/api/games/{game}").json()["viewer"]["seats"] == ["Italy"]
    assert stranger.get(f"/api/games/{game}").json()["viewer"]["seats"] == []


def test_a_schedule_that_cannot_be_kept_opens_no_game(browsers: list[TestClient]) -> None:
    fields = {"variant": "standard", "name": "Anna", "schedule": "Weekdays", "zone": "Mars/Olympus"}
    page = browsers[0].post("/host", data=fields)
    assert page.status_code == 422
    assert "is not a time zone" in page.text


def test_a_schedule_is_set_by_hand_and_explained_while_one_sets_it(browsers: list[TestClient]) -> None:
    fields: dict[str, str | list[str]] = {
        "variant": "standard",
        "name": "Anna",
        "schedule": "by hand",
        "zone": "Europe/London",
        "day": ["Mon", "Thu"],
        "hour": "19:30",
        "grace": "12h",
        "within": "2d",
        "early": "never",
        "missed": "computer",
    }
    explained = browsers[0].post("/host/schedule", data=fields).json()
    assert "Moves are due Mondays and Thursdays at 19:30, London time" in explained["words"][0]
    assert len(explained["next"]) == 3
    page = browsers[0].post("/host", data=fields)
    for sentence in explained["words"]:
        assert sentence in page.text
    assert (
        "No day of the week is chosen" in browsers[0].post("/host/schedule", data={**fields, "day": []}).json()["fault"]
    )
    wrong = browsers[0].post("/host", data={**fields, "hour": "25:99"})
    assert (wrong.status_code, "is not an hour of the week" in wrong.text) == (422, True)

"""Games between people: one link, seats taken by name, powers dealt, computers on what is left."""

import re
from datetime import UTC, datetime, timedelta
from functools import partial
from urllib.parse import urlsplit

import pytest
from fastapi.testclient import TestClient

from plenipo.engine.position import Power
from plenipo.errors import UnknownName
from plenipo.server.broker import Broker
from plenipo.server.errors import NoKey, NotBegun, NotYours, Over, SeatRefused
from plenipo.server.hosted_game import Credentials
from plenipo.server.hosting.schedule import schedule_of
from plenipo.server.hosting.settings import settings_of
from plenipo.server.new_games import GameKeys, NewGameRequest
from plenipo.server.service import GameService
from plenipo.server.store import Store
from plenipo.server.submissions import Edit
from plenipo.server.web.app import create_app
from server.clocks import ManualClock
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


def test_the_host_chooses_the_level_of_the_computers_that_take_the_empty_seats(service: GameService) -> None:
    game, host, invited = lobby(service)
    service.lobby.join(game.id, invited, "Anna", "France")
    with pytest.raises(UnknownName, match="nobody"):
        service.lobby.start(game.id, host, "nobody")
    assert service.forming(game.id)
    service.lobby.start(game.id, host, "careless")
    computers = service.view(game.id, Credentials(), None).computers
    assert computers == {power: "" if power == "France" else "careless" for power in computers}


def test_the_level_chosen_before_a_ready_check_counts_after_it(service: GameService) -> None:
    new = NewGameRequest("standard", {}, lobby=True, settings=settings_of({"ready_check": True}))
    game = service.open(new)
    host, invited = (service.credentials(game.id, [token]) for token in (game.all_seats, game.invitation))
    anna = seated(service, game, service.lobby.join(game.id, invited, "Anna", "France"))
    service.lobby.start(game.id, host, "careless")
    assert service.forming(game.id)
    service.lobby.confirm_presence(game.id, anna)
    assert set(service.view(game.id, Credentials(), None).computers.values()) == {"", "careless"}


def test_computers_named_for_seats_play_them_from_the_start(service: GameService) -> None:
    chosen = {"Austria": "careless", "Turkey": "sensible"}
    game = service.open(NewGameRequest("standard", {}, chosen, lobby=True))
    invited = service.credentials(game.id, [game.invitation])
    with pytest.raises(SeatRefused, match="Turkey has no player in this game"):
        service.lobby.join(game.id, invited, "Anna", "Turkey")
    tokens = [service.lobby.join(game.id, invited, f"Player {number}") for number in range(5)]
    assert not service.forming(game.id), "the seats of players are taken"
    computers = service.view(game.id, Credentials(), None).computers
    assert {power: name for power, name in computers.items() if name} == chosen
    dealt = {power for token in tokens for power in seated(service, game, token).powers}
    assert dealt == set(computers) - set(chosen)


def test_a_game_keeps_a_seat_for_a_player(service: GameService) -> None:
    names = [str(power) for power in service.view(lobby(service)[0].id, Credentials(), None).rules.names]
    with pytest.raises(SeatRefused, match="leave at least one for a player"):
        service.open(NewGameRequest("standard", {}, dict.fromkeys(names, "careless"), lobby=True))
    with pytest.raises(UnknownName, match="nobody"):
        service.open(NewGameRequest("standard", {}, {"France": "nobody"}, lobby=True))


def test_a_player_beside_computers_named_for_seats_waits_when_the_others_are_taken(service: GameService) -> None:
    names = [str(power) for power in service.view(lobby(service)[0].id, Credentials(), None).rules.names]
    settings = settings_of({"ready_check": True})
    new = NewGameRequest("standard", {}, dict.fromkeys(names[1:], "careless"), lobby=True, settings=settings)
    game = service.open(new)
    invited = service.credentials(game.id, [game.invitation])
    service.lobby.join(game.id, invited, "Anna")  # the ready check begins
    service.lobby.join(game.id, invited, "Ben")
    hosted = service.games.load(game.id)
    assert [player.name for player in hosted.reserves] == ["Ben"]


def test_the_player_who_takes_the_last_seat_has_preferences_too(service: GameService) -> None:
    new = NewGameRequest("standard", {}, lobby=True, settings=settings_of({"deal": "preferences"}))
    game = service.open(new)
    invited = service.credentials(game.id, [game.invitation])
    for number in range(6):
        service.lobby.join(game.id, invited, f"Player {number}")
    last = service.lobby.join(game.id, invited, "Last", "Turkey", "Russia")
    assert not service.forming(game.id)
    assert seated(service, game, last).powers == ("Turkey",)


def test_the_preferences_of_a_player_who_waits_for_approval_count_when_the_host_lets_them_in(
    service: GameService,
) -> None:
    settings = settings_of({"deal": "preferences", "approval": True})
    game = service.open(NewGameRequest("standard", {}, lobby=True, settings=settings))
    host, invited = (service.credentials(game.id, [token]) for token in (game.all_seats, game.invitation))
    tokens = [service.lobby.join(game.id, invited, f"Player {number}", "Turkey") for number in range(7)]
    for reserve in service.games.load(game.id).reserves:
        assert reserve.preferences == ("Turkey",)
        service.lobby.admit(game.id, host, reserve.number)
    assert not service.forming(game.id)
    assert [seated(service, game, token).powers for token in tokens].count((Power("Turkey"),)) == 1


@pytest.mark.parametrize(("schedule", "countdown"), [("Live", 30), ("Weekdays", 0), ("Own pace", 0)])
def test_the_clock_of_a_live_game_starts_after_a_countdown(store: Store, schedule: str, countdown: int) -> None:
    clock = ManualClock(datetime(2026, 3, 2, 19, tzinfo=UTC))
    service = GameService(store, Broker(), clock)
    game = service.open(NewGameRequest("standard", {}, lobby=True, schedule=schedule_of(schedule)))
    host, invited = (service.credentials(game.id, [token]) for token in (game.all_seats, game.invitation))
    service.lobby.join(game.id, invited, "Anna", "France")
    service.lobby.start(game.id, host)
    timing = service.games.load(game.id).timing
    assert timing is not None
    assert timing.phase.opened - clock.time == timedelta(seconds=countdown)
    if countdown:
        within = timing.schedule.movement and timing.schedule.movement.within
        assert within
        assert timing.phase.due == clock.time + timedelta(seconds=countdown) + within


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
    assert 'data-holder="Ben" data-state="taken"' in anna.get(address).text
    assert 'aria-label="Play Austria"' in anna.get(address).text  # a player may still change seats
    assert 'aria-label="Play Italy"' not in anna.get(address).text
    number = next(one["number"] for one in anna.get(f"/api{urlsplit(address).path}").json()["players"])
    anna.post(f"{address}/preference", data={"number": number, "power": "Austria"})
    assert 'data-holder="Anna" data-state="mine"' in anna.get(address).text
    assert stranger.post(f"{address}/join", data={"name": "Mallory"}).status_code == 401
    assert ben.post(f"{address}/start").status_code == 401
    assert "the-game" in anna.post(f"{address}/start").text
    game = address.rpartition("/")[2]
    assert ben.get(f"/api/games/{game}").json()["viewer"]["seats"] == ["Italy"]
    assert stranger.get(f"/api/games/{game}").json()["viewer"]["seats"] == []


def test_the_host_gives_computers_to_seats_with_a_level_for_each(browsers: list[TestClient]) -> None:
    anna, ben, _ = browsers
    assert 'name="computer.Turkey"' in anna.get("/variants/standard/host").text
    fields = {"variant": "standard", "name": "Anna", "power": "France", "computer.Turkey": "careless"}
    page = anna.post("/host", data=fields).text
    assert "1 of 6 players have joined" in page
    assert "Computer: careless" in page
    assert 'value="Turkey"' not in ben.get(link_in(page)).text
    refused = anna.post("/host", data={**fields, "power": "Turkey"})
    assert refused.status_code == SeatRefused.status
    assert "A computer plays Turkey" in refused.text


def test_everyone_who_may_join_sees_the_form_for_preferences(browsers: list[TestClient]) -> None:
    anna, ben, _ = browsers
    page = anna.post("/host", data={"variant": "standard", "name": "Anna", "deal": "preferences"}).text
    link = link_in(page)
    assert page.count('name="preference"') == 3
    form = ben.get(link).text
    assert form.count('name="preference"') == 3
    address = link.partition("/sit/")[0]
    joined = ben.post(f"{address}/join", data={"name": "Ben", "preference": ["Turkey", "", "Italy"]}).text
    assert "Preferences: Turkey, Italy" in joined
    assert "Preferences: Turkey" not in anna.get(address).text


def test_the_host_starts_with_computers_of_a_level_by_one_click(browsers: list[TestClient]) -> None:
    anna, *_ = browsers
    page = anna.post("/host", data={"variant": "standard", "name": "Anna", "computer": "sensible"}).text
    assert '<option value="sensible" selected>' in page
    assert "Start with computers in the empty seats" in page
    address = link_in(page).partition("/sit/")[0]
    anna.post(f"{address}/start", data={"computer": "careless"})
    powers = anna.get(f"/api{urlsplit(address).path}").json()["powers"]
    assert [power["computer"] for power in powers].count("careless") == len(powers) - 1


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

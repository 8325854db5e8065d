"""Lobbies that end without a game, links that become tenures, and preferences that can be verified at the end."""

import re
from datetime import UTC, datetime, timedelta

import pytest

from plenipo.engine.position import Power
from plenipo.server.broker import Broker
from plenipo.server.errors import NoKey, NotYours, Over, SeatRefused
from plenipo.server.hosted_game import Credentials
from plenipo.server.hosting.schedule import OnMissed
from plenipo.server.hosting.seating import assign_powers
from plenipo.server.hosting.settings import Settings
from plenipo.server.hosting.tick import FORMING_FOR, GameState
from plenipo.server.new_games import NewGameRequest
from plenipo.server.service import GameService
from plenipo.server.store import Store
from plenipo.server.submissions import Edit
from server.clocks import ManualClock
from server.test_people_pages import Browser, hosted, link_in

START = datetime(2026, 11, 22, 12, tzinfo=UTC)
DAY = timedelta(days=1)


@pytest.fixture
def clock() -> ManualClock:
    return ManualClock(START)


@pytest.fixture
def timed(store: Store, clock: ManualClock) -> GameService:
    return GameService(store, Broker(), clock)


def state(service: GameService, game: str) -> GameState:
    timing = service.view(game, Credentials(), None).timed
    assert timing is not None
    return timing.state


def test_a_lobby_that_no_player_joins_for_a_month_is_closed(timed: GameService, clock: ManualClock) -> None:
    keys = timed.open(NewGameRequest("standard", {}, lobby=True))
    invited = timed.credentials(keys.id, [keys.invitation])
    clock.time = START + FORMING_FOR - DAY
    assert timed.store.due(clock.time) == ()
    timed.lobby.join(keys.id, invited, "Anna")
    clock.time = START + FORMING_FOR + DAY
    timed.time.settle(keys.id)
    assert state(timed, keys.id) is GameState.FORMING, "somebody sat down since"
    clock.time = START + 2 * FORMING_FOR
    assert timed.store.due(clock.time) == (keys.id,)
    timed.time.go_on(keys.id)
    assert state(timed, keys.id) is GameState.CANCELLED
    assert timed.journal(keys.id)[-1].kind == "cancelled"
    assert timed.store.due(clock.time + 9 * FORMING_FOR) == ()
    with pytest.raises(Over, match="was cancelled"):
        timed.lobby.join(keys.id, invited, "Ben")
    host = timed.credentials(keys.id, [keys.all_seats])
    for act in (timed.lobby.start, timed.lobby.cancel):
        with pytest.raises(Over, match="was cancelled"):
            act(keys.id, host)
    with pytest.raises(Over, match="was cancelled"):
        timed.phases.process(keys.id, host, 1)
    with pytest.raises(Over, match="was cancelled"):
        timed.orders.submit(keys.id, Credentials((Power("France"),)), "France", 1, Edit())


def test_the_host_calls_a_game_off(service: GameService) -> None:
    anna, ben = Browser(service), Browser(service)
    game = hosted(anna, "Anna", you="keep")
    link = link_in(anna.get(game).text)
    ben.get(link)
    ben.post(f"{game}/join", data={"name": "Ben"})
    assert ben.post(f"{game}/cancel").status_code == 401
    assert "Ben" in anna.get(game).text
    page = anna.post(f"{game}/cancel").text
    assert "cancelled before it started" in page
    for browser in (anna, ben):
        page = browser.get(game).text
        assert "cancelled before it started" in page
        assert '<button class="btn main"' not in page
        mine = browser.get("/api/me").json()["games"]
        assert (mine["now"], mine["going_on"]) == ([], [])
    late = Browser(service).get(link)
    assert late.status_code == 409, "the invitation opens nothing any more"
    assert "cancelled before it started" in late.text


def test_a_link_becomes_a_tenure(service: GameService) -> None:
    keys = service.open(NewGameRequest("standard", {}, seating="links"))
    anna, other = Browser(service), Browser(service)
    anna.get(f"/games/{keys.id}/sit/{keys.seats[Power('France')]}")
    page = anna.post(f"/games/{keys.id}/claim", data={"name": "Anna", "power": "France"})
    assert page.status_code == 200
    view = anna.get(f"/api/games/{keys.id}").json()
    assert view["viewer"]["seats"] == ["France"]
    assert [(player["name"], player["power"], player["me"]) for player in view["players"]] == [("Anna", "France", True)]
    assert other.get(f"/games/{keys.id}/sit/{keys.seats[Power('France')]}").status_code == 401
    entry = anna.get(f"/api/games/{keys.id}/journal").json()["entries"][-1]
    assert (entry["sentence"], "Anna" in entry["text"]) == ("Anna plays France.", False)


def test_no_player_claims_the_seat_of_another(service: GameService) -> None:
    keys = service.open(NewGameRequest("standard", {}, seating="links"))
    france = service.credentials(keys.id, [keys.seats[Power("France")]])
    with pytest.raises(NotYours):
        service.handover.claim(keys.id, france, "Italy", "Anna")
    with pytest.raises(SeatRefused):
        service.handover.claim(keys.id, france, "France", "Germany")
    token = service.handover.claim(keys.id, france, "France", "Anna")
    with pytest.raises(NoKey):
        service.credentials(keys.id, [keys.seats[Power("France")]])
    with pytest.raises(SeatRefused, match="Anna has already claimed"):
        service.handover.claim(keys.id, service.credentials(keys.id, [token]), "France", "Annie")


def test_preferences_are_public_when_the_game_is_over_and_the_assignment_can_be_verified(service: GameService) -> None:
    keys = service.open(NewGameRequest("standard", {}, lobby=True, settings=Settings(deal="preferences")))
    invited = service.credentials(keys.id, [keys.invitation])
    wished = {"Anna": ("France", "Italy"), "Ben": ("France",), "Dora": ("Italy", "France"), "Emil": ()}
    for name, preferences in wished.items():
        service.lobby.join(keys.id, invited, name, *preferences)
    host = service.credentials(keys.id, [keys.all_seats])
    service.lobby.start(keys.id, host)
    reader = Browser(service)
    for player in reader.get(f"/api/games/{keys.id}").json()["players"]:
        assert player["preferences"] == []
    service.phases.draw(keys.id, host, service.view(keys.id, host, None).phase_number)
    players = reader.get(f"/api/games/{keys.id}").json()["players"]
    assert {player["name"]: tuple(player["preferences"]) for player in players} == wished
    # the record publishes the seed, so anyone can repeat the assignment of powers
    dice = service.games.load(keys.id).game.dice
    assert dice is not None
    assert reader.get(f"/api/games/{keys.id}/record").json()["seed"] == dice.seed.hex()
    again = assign_powers(
        {player["number"]: [Power(preference) for preference in player["preferences"]] for player in players},
        list(service.view(keys.id, host, None).rules.names),
        lambda label, names: dice.shuffle(f"seats|{label}", names),
    )
    assert again == {player["number"]: player["power"] for player in players}


def test_every_way_to_miss_a_phase_can_be_set_on_the_page(service: GameService) -> None:
    browser = Browser(service)
    page = browser.get("/variants/standard/host").text
    for name in ("missed-first", "missed"):
        choices = re.search(rf'<select[^>]*name="{name}">(.*?)</select>', page, re.DOTALL)
        assert choices
        assert set(re.findall(r'value="([^"]+)"', choices[1])) == {way.value for way in OnMissed}
    fields = {"schedule": "by hand", "day": ["Mon"], "hour": "20:00", "missed-first": "replace", "missed": "extend"}
    game = hosted(browser, "Anna", **{**fields, "extensions": "5", "vacant-after": "4"})  # type: ignore[arg-type]
    timing = service.view(game.rpartition("/")[2], Credentials(), None).timed
    assert timing is not None
    missed = timing.schedule.missed
    assert (missed.first, missed.then, missed.extensions, missed.vacant_after) == ("replace", "extend", 5, 4)
    wrong = browser.post("/host/schedule", data={**fields, "extensions": "many"}).json()
    assert "extensions" in wrong["fault"]

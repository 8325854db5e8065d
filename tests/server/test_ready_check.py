"""Before a game of strangers begins: who is here, who waits for a seat, and who is let in."""

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from fastapi.testclient import TestClient

from plenipo.server.errors import NoKey, NotYours, Over, SeatRefused
from plenipo.server.hosted_game import Credentials
from plenipo.server.hosting.schedule import schedule_of
from plenipo.server.hosting.settings import settings_of
from plenipo.server.new_games import NewGameRequest
from plenipo.server.people.accounts import Accounts
from plenipo.server.service import GameService
from plenipo.server.store.persons import Persons
from plenipo.server.web.app import create_app
from server.clocks import ManualClock

NOON = datetime(2026, 3, 2, 12, tzinfo=UTC)
PEOPLE = ("Anna", "Ben", "Cleo", "Dan", "Eva", "Finn", "Gert", "Hugo", "Ida")


class Game:
    """A game that has_ready_check, with who sits at it by name."""

    def __init__(
        self, service: GameService, variant: str = "standard", time: str = "Weekdays", **settings: Any
    ) -> None:
        chosen = settings_of({"listed": "listed", "computer": "careless", **settings})
        keys = service.open(NewGameRequest(variant, {}, lobby=True, schedule=schedule_of(time), settings=chosen))
        self.service, self.id = service, keys.id
        self.host = service.credentials(keys.id, [keys.all_seats])
        self.people: dict[str, str] = {}
        self.tokens: dict[str, str] = {}

    def sit(self, *names: str) -> None:
        for name in names:
            person = self.service.store.of(Persons)
            self.people[name] = Accounts(person, self.service.clock).guest(name).person.id
            mine = Credentials(person=self.people[name])
            self.tokens[name] = self.service.lobby.join(self.id, mine, name)

    def of(self, name: str) -> Credentials:
        return self.service.credentials(self.id, (), self.people[name])

    def here(self, *names: str) -> None:
        for name in names:
            self.service.lobby.confirm_presence(self.id, self.of(name))

    @property
    def state(self) -> str:
        timing = self.service.games.load(self.id).timing
        return "" if timing is None else timing.state.value

    @property
    def seated(self) -> list[str]:
        return [player.name for player in self.service.games.load(self.id).players]

    @property
    def waiting(self) -> list[str]:
        return [player.name for player in self.service.games.load(self.id).reserves]


@pytest.fixture
def clock() -> ManualClock:
    return ManualClock(NOON)


def test_a_listed_game_begins_when_all_have_said_that_they_are_here(service: GameService) -> None:
    game = Game(service)
    game.sit(*PEOPLE[:7])
    assert game.state == "ready_check"
    game.here(*PEOPLE[:6])
    assert game.state == "ready_check"
    game.here("Gert")
    assert game.state == "running"


def test_a_player_absent_for_a_day_loses_the_seat_to_a_waiting_player_and_nothing_is_counted(
    service: GameService, clock: ManualClock
) -> None:
    game = Game(service)
    game.sit(*PEOPLE)
    assert (game.seated, game.waiting) == (list(PEOPLE[:7]), ["Hugo", "Ida"])
    game.here(*PEOPLE[:6])
    clock.time += timedelta(hours=23, minutes=59)
    service.time.settle(game.id)
    assert "Gert" in game.seated
    clock.time += timedelta(minutes=1)
    service.time.settle(game.id)
    assert (sorted(game.seated), game.waiting, game.state) == (
        sorted([*PEOPLE[:6], "Hugo"]),
        ["Ida"],
        "ready_check",
    )
    assert service.store.of(Persons).games(game.people["Gert"]) == ()
    game.here("Hugo")  # those who had said it before are not asked again
    assert game.state == "running"


def test_a_seat_without_a_waiting_player_is_offered_again(service: GameService, clock: ManualClock) -> None:
    game = Game(service)
    game.sit(*PEOPLE[:7])
    game.here("Anna")
    clock.time += timedelta(hours=24)
    service.time.settle(game.id)
    assert (game.state, game.seated) == ("forming", ["Anna"])
    assert service.matchmaking.open_seats(None)[0].missing == 6
    with pytest.raises(Over, match="players are still joining"):
        game.here("Anna")


def test_in_a_live_game_the_ready_check_is_as_short_as_a_phase(service: GameService, clock: ManualClock) -> None:
    game = Game(service, "corner", time="Live")
    game.sit("Anna", "Ben")
    service.lobby.start(game.id, game.host)
    assert game.state == "ready_check"
    with pytest.raises(SeatRefused, match="ready check is running"):
        service.lobby.start(game.id, game.host)
    clock.time += timedelta(minutes=10)
    service.time.settle(game.id)
    assert game.state == "forming"


def test_a_player_who_takes_the_last_seat_during_the_ready_check_is_asked_too(service: GameService) -> None:
    game = Game(service)
    game.sit(*PEOPLE[:6])
    service.lobby.start(game.id, game.host)
    game.here(*PEOPLE[:5])
    game.sit("Gert")
    game.here("Finn")
    assert game.state == "ready_check"
    game.here("Gert")
    assert game.state == "running"


def test_a_player_who_leaves_makes_room_for_the_first_waiting_player(service: GameService) -> None:
    game = Game(service, ready_check=True)
    game.sit(*PEOPLE[:8])
    service.lobby.leave(game.id, game.of("Ben"), game.of("Ben").player or 0)
    assert (game.waiting, "Hugo" in game.seated, game.state) == ([], True, "ready_check")
    service.lobby.leave(game.id, game.of("Cleo"), game.of("Cleo").player or 0)
    assert game.state == "forming"


def test_with_approval_the_host_chooses_the_players(service: GameService) -> None:
    game = Game(service, approval=True)
    game.sit("Anna", "Ben")
    assert (game.seated, game.waiting) == ([], ["Anna", "Ben"])
    waits = {reserve.name: reserve.number for reserve in service.games.load(game.id).reserves}
    with pytest.raises(NoKey):
        service.lobby.admit(game.id, game.of("Ben"), waits["Ben"])
    with pytest.raises(NotYours):
        service.lobby.leave(game.id, game.of("Ben"), waits["Anna"])
    service.lobby.admit(game.id, game.host, waits["Ben"])
    service.lobby.leave(game.id, game.host, waits["Anna"])
    assert (game.seated, game.waiting) == (["Ben"], [])
    with pytest.raises(SeatRefused, match="on the waiting list"):
        service.lobby.admit(game.id, game.host, waits["Anna"])


def test_a_waiting_player_has_no_part_in_the_game_and_may_take_a_free_seat(service: GameService) -> None:
    game = Game(service)
    game.sit(*PEOPLE[:8])
    game.here(*PEOPLE[:7])
    hugo = game.of("Hugo")
    assert (hugo.powers, hugo.all_seats, hugo.player) == ((), False, None)
    anna = game.of("Anna")
    (power,) = anna.powers
    service.handover.act(game.id, anna, power, "resign")
    service.handover.take_over(game.id, hugo, power, "Hugo")
    assert game.waiting == []
    assert game.of("Hugo").powers == (power,)


def test_the_pages_ask_and_answer(service: GameService) -> None:
    anna, ben = (TestClient(create_app(service), raise_server_exceptions=False) for _ in range(2))
    game = Game(service, approval=True)
    anna.post(f"/games/{game.id}/join", data={"name": "Anna"})
    assert "You have requested a seat" in anna.get(f"/games/{game.id}").text
    assert "Request a seat" in ben.get(f"/games/{game.id}").text
    number = service.games.load(game.id).reserves[0].number
    assert ben.post(f"/games/{game.id}/admit", data={"number": number}).status_code in (401, 403)
    service.lobby.admit(game.id, game.host, number)
    service.lobby.start(game.id, game.host)
    assert "0 of 1 players are ready" in ben.get(f"/games/{game.id}").text
    assert ">Ready</button>" not in ben.get(f"/games/{game.id}").text
    assert ben.post(f"/games/{game.id}/here").status_code == NotYours.status
    assert ">Ready</button>" in anna.get(f"/games/{game.id}").text
    anna.post(f"/games/{game.id}/here")
    assert game.state == "running"

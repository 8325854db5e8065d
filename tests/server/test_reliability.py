"""Reliability: deadlines met, games left, the people a game accepts, and ratings from results."""

from datetime import date, timedelta
from typing import Any

import pytest
from fastapi.testclient import TestClient

from plenipo.server.errors import SeatRefused
from plenipo.server.hosted_game import Credentials
from plenipo.server.hosting.settings import settings_of
from plenipo.server.ratings import PersonRating, ratings
from plenipo.server.reliability import require_welcome
from plenipo.server.service import GameService
from plenipo.server.store.persons import Persons
from plenipo.server.store.reliability import RatedSeat, Reliability, Standings
from plenipo.server.submissions import Edit
from plenipo.server.web.app import create_app
from server.clocks import ManualClock
from server.test_ready_check import NOON, Game

pytest.importorskip("openskill", reason="openskill is not installed")


@pytest.fixture
def clock() -> ManualClock:
    return ManualClock(NOON)


def begun(service: GameService, *names: str, **settings: Any) -> Game:
    """A game that has begun with these people, and computers on the other seats."""
    game = Game(service, ready_check=False, **settings)
    game.sit(*names)
    service.lobby.start(game.id, game.host)
    return game


def order(game: Game, name: str) -> None:
    credentials = game.of(name)
    number = game.service.games.load(game.id).phase_number
    game.service.orders.submit(game.id, credentials, credentials.powers[0], number, Edit(()))


def on(service: GameService, clock: ManualClock, game: Game) -> None:
    """The deadline of the open phase passes, and the grace after it."""
    due = service.games.load(game.id).columns["due"]
    clock.time = due + timedelta(hours=3)
    service.time.settle(game.id)
    clock.time += timedelta(hours=3)
    service.time.settle(game.id)


def test_submitted_orders_keep_a_deadline_and_missing_orders_miss_it(service: GameService, clock: ManualClock) -> None:
    game = begun(service, "Anna", "Ben")
    order(game, "Anna")
    on(service, clock, game)  # the first phase waits for Ben
    assert service.matchmaking.reliability(game.people["Ben"]) == Reliability(0, 1, 0, 1)
    order(game, "Ben")  # all have, and the deadline is over
    assert service.games.load(game.id).phase_number == 2
    assert service.matchmaking.reliability(game.people["Anna"]) == Reliability(1, 1, 0, 1)
    assert service.matchmaking.reliability(game.people["Ben"]) == Reliability(0, 1, 0, 1)  # one deadline is missed once
    clock.time += timedelta(days=366)
    assert service.matchmaking.reliability(game.people["Ben"]).due == 0


def test_a_player_on_leave_has_missed_nothing(service: GameService, clock: ManualClock) -> None:
    game = begun(service, "Anna", "Ben")
    day = date(2026, 3, 3)
    service.store.of(Persons).set_absence(game.people["Ben"], NOON.date(), day)
    order(game, "Anna")
    on(service, clock, game)
    assert service.matchmaking.reliability(game.people["Ben"]).due == 0


def test_a_game_that_is_left_counts_and_getting_up_before_it_begins_does_not(service: GameService) -> None:
    game = begun(service, "Anna", "Ben")
    service.handover.act(game.id, game.of("Ben"), game.of("Ben").powers[0], "resign")
    forming = Game(service)
    forming.sit("Cleo")
    service.lobby.leave(forming.id, forming.of("Cleo"), forming.of("Cleo").player or 0)
    assert service.matchmaking.reliability(game.people["Ben"]) == Reliability(0, 0, 1, 1)
    assert service.matchmaking.reliability(game.people["Anna"]) == Reliability(0, 0, 0, 1)
    assert service.matchmaking.reliability(forming.people["Cleo"]) == Reliability()


@pytest.mark.parametrize(
    ("settings", "known", "member", "refused"),
    [
        ({}, Reliability(0, 40), False, ""),
        ({"reliable": 9}, Reliability(9, 10), False, ""),
        ({"reliable": 9}, Reliability(44, 50), False, "you have met 44 of 50"),
        ({"reliable": 9}, Reliability(0, 9), False, ""),
        ({"newcomers": False}, Reliability(9, 9), False, "at least 10 of their deadlines"),
        ({"newcomers": False}, Reliability(0, 10), False, ""),
        ({"claimed": True}, Reliability(), False, "with a sign-in method"),
        ({"claimed": True}, Reliability(), True, ""),
    ],
)
def test_a_game_takes_whom_it_asks_for(
    settings: dict[str, Any], known: Reliability, *, member: bool, refused: str
) -> None:
    if not refused:
        require_welcome(settings_of(settings), known, member=member)
        return
    with pytest.raises(SeatRefused, match=refused):
        require_welcome(settings_of(settings), known, member=member)


def test_a_game_for_members_refuses_a_guest_at_every_door(service: GameService) -> None:
    game = Game(service, claimed=True, ready_check=False)
    with pytest.raises(SeatRefused, match="with a sign-in method"):
        game.sit("Otto")
    service.lobby.join(game.id, game.host, "Anna", "Turkey")
    service.lobby.start(game.id, game.host)
    service.handover.act(game.id, game.host, "Turkey", "remove")
    with pytest.raises(SeatRefused, match="with a sign-in method"):
        service.handover.take_over(game.id, Credentials(person=game.people["Otto"]), "Turkey", "Otto")


def test_the_page_of_a_person_has_the_numbers_and_the_games_that_are_over(service: GameService) -> None:
    game = begun(service, "Anna", "Ben")
    service.phases.draw(game.id, game.host, 1)
    client = TestClient(create_app(service), raise_server_exceptions=False)
    page = client.get(f"/people/{game.people['Anna']}").text
    assert "0 of 1" in page
    assert f"/games/{game.id}" in page
    assert "Rating" not in page
    known = client.get(f"/api/people/{game.people['Anna']}").json()
    assert (known["games"], known["left"], len(known["finished"])) == (1, 0, 1)
    service.store.of(Persons).delete(game.people["Anna"], "a player who left")
    gone = client.get(f"/api/people/{game.people['Anna']}")
    assert (gone.status_code, "a player who left" in gone.json()["error"]["message"]) == (404, True)


def test_the_page_of_a_person_has_the_results_by_variant_and_power(service: GameService) -> None:
    game = begun(service, "Anna", "Ben")
    service.phases.draw(game.id, game.host, 1)
    client = TestClient(create_app(service))
    person = game.people["Anna"]
    assert "Results by power" not in client.get(f"/people/{person}").text, "one game is in the list above"
    (finished,) = service.store.of(Standings).list_finished_games(person)
    twice = Game(service, ready_check=False)
    twice.people["Anna"] = person
    service.lobby.join(twice.id, Credentials(all_seats=True, person=person), "Anna", finished.power)
    service.lobby.start(twice.id, twice.host)
    service.phases.draw(twice.id, twice.host, 1)
    page = client.get(f"/people/{person}").text
    table = page.partition("Results by power")[2].partition("</table>")[0]
    assert f'<th scope="row">{finished.power}</th><td>2</td>' in table


def test_a_game_by_link_is_on_no_public_profile(service: GameService) -> None:
    game = Game(service, listed="link", ready_check=False)
    with pytest.raises(Exception, match="invitation"):
        game.sit("Anna")
    service.lobby.join(game.id, Credentials(all_seats=True, person=game.people["Anna"]), "Anna")
    service.lobby.start(game.id, game.host)
    service.phases.draw(game.id, game.host, 1)
    assert service.store.of(Standings).list_finished_games(game.people["Anna"]) == ()


def game_of(number: int, *seats: tuple[str | None, float, str]) -> list[RatedSeat]:
    return [RatedSeat(f"g{number}", tenure, *seat) for tenure, seat in enumerate(seats, 1)]


def test_a_solo_raises_the_winner_and_all_losers_lose_alike() -> None:
    seven = game_of(1, ("a", 1.0, "player"), *((name, 0.0, "player") for name in "bcdefg"))
    rated = ratings([seven])
    assert rated["a"].mean > PersonRating().mean
    losers = {round(rated[name].mean, 9) for name in "bcdefg"}
    assert len(losers) == 1
    assert losers.pop() < PersonRating().mean


def test_a_player_who_left_comes_last_and_a_replacement_only_gains() -> None:
    plain = game_of(1, ("a", 0.0, "player"), ("b", 0.0, "player"), ("c", 1.0, "player"))
    left = game_of(1, ("a", 0.0, "left"), ("b", 0.0, "player"), ("c", 1.0, "player"))
    assert ratings([left])["a"].mean < ratings([plain])["a"].mean
    stood_in = game_of(1, ("a", 0.0, "substitute"), ("b", 0.5, "player"), ("c", 1.0, "player"))
    assert ratings([stood_in])["a"] == PersonRating(games=1)
    won = game_of(1, ("a", 1.0, "substitute"), ("b", 0.0, "player"))
    assert ratings([won])["a"].mean > PersonRating().mean


def test_ratings_depend_on_results_alone_and_deleted_accounts_change_no_others() -> None:
    games = [game_of(n, ("a", float(n % 2), "player"), ("b", float((n + 1) % 2), "player")) for n in range(12)]
    assert ratings(games) == ratings(games)
    assert ratings(games)["a"].games == 12
    assert ratings([game_of(1, ("a", 1.0, "player"))]) == {}
    gone = ratings([game_of(1, ("a", 1.0, "player"), (None, 0.0, "player"), (None, 0.0, "player"))])
    assert set(gone) == {"a"}
    assert gone["a"].mean > PersonRating().mean

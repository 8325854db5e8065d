"""Orders ahead: left with the moves, they answer retreats and adjustments, and a phase they answer is over at once."""

from datetime import UTC, datetime, timedelta

import pytest
from fastapi.testclient import TestClient

from plenipo.engine.position import Power
from plenipo.server.errors import NoDeadline, NotYours, OrderRefused, Stale
from plenipo.server.hosted_game import Credentials
from plenipo.server.hosting.schedule import schedule_of
from plenipo.server.new_games import GameKeys, NewGameRequest
from plenipo.server.service import GameService
from plenipo.server.store import Store
from plenipo.server.submissions import Edit
from plenipo.server.web.app import create_app
from server.clocks import ManualClock

NOON = datetime(2026, 11, 23, 12, tzinfo=UTC)

# Italy is dislodged from Tyrolia by Germany and Austria
FIRST = {"Italy": ["A VEN - TYO"]}
SECOND = {"Germany": ["A MUN - TYO"], "Austria": ["A VIE S A MUN - TYO"]}


@pytest.fixture
def clock() -> ManualClock:
    return ManualClock(NOON)


def begun(service: GameService) -> tuple[GameKeys, dict[str, Credentials]]:
    """A game of seven people with deadlines on weekdays, and what opens their seats."""
    game = service.open(NewGameRequest("standard", {}, lobby=True, schedule=schedule_of("Weekdays")))
    invited = service.credentials(game.id, [game.invitation])
    names = service.view(game.id, invited, None).rules.names
    keys = {str(power): service.lobby.join(game.id, invited, f"Player of {power}", power) for power in names}
    return game, {power: service.credentials(game.id, [key]) for power, key in keys.items()}


def phase(service: GameService, game: GameKeys) -> tuple[int, str]:
    view = service.view(game.id, Credentials(), None)
    return view.phase_number, str(view.position.phase)


def play(
    service: GameService,
    clock: ManualClock,
    game: GameKeys,
    seats: dict[str, Credentials],
    orders: dict[str, list[str]],
) -> None:
    """Submit these orders for every player, and mark all ready."""
    number, _ = phase(service, game)
    for power, credentials in seats.items():
        service.orders.submit(
            game.id, credentials, power, number, Edit(tuple(orders.get(power, ())), whole=True, ready=True)
        )
    clock.time += timedelta(minutes=10)
    service.time.settle(game.id)


def units(service: GameService, game: GameKeys, power: str) -> set[str]:
    return {str(unit) for unit in service.view(game.id, Credentials(), None).position.units_of(Power(power))}


def test_a_retreat_that_was_ordered_ahead_is_over_at_once(service: GameService, clock: ManualClock) -> None:
    game, seats = begun(service)
    play(service, clock, game, seats, FIRST)
    # Vienna is held, so the second is the first that is allowed; the third is for a unit that nothing happens to
    service.orders.submit_conditional(
        game.id, seats["Italy"], "Italy", 2, ["A TYO - VIE", "a tyrolia - piedmont", "A ROM - APU"]
    )
    play(service, clock, game, seats, SECOND)
    view = service.view(game.id, Credentials(), None)
    assert "A PIE" in units(service, game, "Italy")
    assert view.turn == 3  # the retreats were played in the same instant
    assert str(view.position.phase) == "Spring 1902 movement"


def test_a_retreat_for_which_nothing_fits_waits_for_its_owner(service: GameService, clock: ManualClock) -> None:
    game, seats = begun(service)
    play(service, clock, game, seats, FIRST)
    service.orders.submit_conditional(game.id, seats["Italy"], "Italy", 2, ["A TYO - VIE", "build F NAP"])
    play(service, clock, game, seats, SECOND)
    assert phase(service, game)[1] == "Fall 1901 retreats"
    service.orders.submit(game.id, seats["Italy"], "Italy", 3, Edit(("A TYO - PIE",), ready=True))


def test_unneeded_conditional_orders_are_skipped_and_gone_at_the_next_moves(
    service: GameService, clock: ManualClock
) -> None:
    game, seats = begun(service)
    service.orders.submit_conditional(game.id, seats["Austria"], "Austria", 1, ["A VIE - BOH", "build A BUD"])
    play(service, clock, game, seats, {})
    assert phase(service, game)[1] == "Fall 1901 movement"
    assert service.view(game.id, seats["Austria"], Power("Austria")).ahead == {}


def test_a_player_sees_only_the_own_conditional_orders(service: GameService) -> None:
    game, seats = begun(service)
    service.orders.submit_conditional(game.id, seats["Austria"], "Austria", 1, ["A VIE - BOH"])
    assert service.view(game.id, seats["Austria"], Power("Austria")).ahead == {"Austria": ("A VIE - BOH",)}
    for who, credentials in (("Turkey", seats["Turkey"]), (None, Credentials())):
        assert service.view(game.id, credentials, None if who is None else Power(who)).ahead == {}
    host = service.credentials(game.id, [game.all_seats])
    assert service.view(game.id, host, service.eyes(game.id, host, None)[0]).ahead == {}
    with pytest.raises(NotYours):
        service.orders.submit_conditional(game.id, seats["Turkey"], "Austria", 1, ["A VIE - BOH"])


def test_orders_ahead_of_others_change_no_byte(service: GameService) -> None:
    game, seats = begun(service)
    client = TestClient(create_app(service))
    addresses = [f"/api/games/{game.id}", f"/api/games/{game.id}/history", f"/games/{game.id}"]
    before = [client.get(address).content for address in addresses]
    service.orders.submit_conditional(game.id, seats["Austria"], "Austria", 1, ["A VIE - BOH"])
    assert [client.get(address).content for address in addresses] == before


@pytest.mark.parametrize(
    ("texts", "index", "sentence"),
    [
        (["A VIE - BOH", "A VIE S A BUD"], 1, "'A VIE S A BUD' is neither a retreat nor an adjustment"),
        (["A VIE - NOWHERE"], 0, "is neither a retreat nor an adjustment"),
        (["A VIE - BOH"] * 61, 60, "at most 60"),
    ],
)
def test_what_is_neither_a_retreat_nor_an_adjustment_is_refused(
    service: GameService, texts: list[str], index: int, sentence: str
) -> None:
    game, seats = begun(service)
    with pytest.raises(OrderRefused, match=sentence) as refused:
        service.orders.submit_conditional(game.id, seats["Austria"], "Austria", 1, texts)
    assert refused.value.index == index


def test_they_are_for_the_open_phase_and_for_games_from_several_screens(service: GameService) -> None:
    game, seats = begun(service)
    with pytest.raises(Stale):
        service.orders.submit_conditional(game.id, seats["Austria"], "Austria", 7, ["A VIE - BOH"])
    hot = service.open(NewGameRequest("standard", {}))
    with pytest.raises(NoDeadline):
        service.orders.submit_conditional(
            hot.id, service.credentials(hot.id, [hot.all_seats]), "Austria", 1, ["A VIE - BOH"]
        )


def test_they_are_on_disk(service: GameService, store: Store) -> None:
    game, seats = begun(service)
    service.orders.submit_conditional(game.id, seats["Austria"], "Austria", 1, ["A VIE - BOH", "build A BUD"])
    stored = GameService(store).view(game.id, seats["Austria"], Power("Austria"))
    assert stored.ahead == {"Austria": ("A VIE - BOH", "build A BUD")}

"""Orders ahead: left with the moves, they answer retreats and adjustments, and a phase they answer is over at once."""

from datetime import UTC, datetime, timedelta

import pytest
from fastapi.testclient import TestClient

from plenipo.engine.position import Power
from plenipo.server.errors import NoDeadline, NotYours, OrderRefused, Stale
from plenipo.server.hosted_game import Credentials
from plenipo.server.hosting.schedule import schedule_of
from plenipo.server.new_games import GameKeys, NewGame
from plenipo.server.service import Host
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


def begun(host: Host) -> tuple[GameKeys, dict[str, Credentials]]:
    """A game of seven people with deadlines on weekdays, and what opens their seats."""
    game = host.open(NewGame("standard", {}, lobby=True, schedule=schedule_of("Weekdays")))
    invited = host.credentials(game.id, [game.invitation])
    names = host.view(game.id, invited, None).rules.names
    keys = {str(power): host.join(game.id, invited, f"Player of {power}", power) for power in names}
    return game, {power: host.credentials(game.id, [key]) for power, key in keys.items()}


def phase(host: Host, game: GameKeys) -> tuple[int, str]:
    view = host.view(game.id, Credentials(), None)
    return view.phase_number, str(view.position.phase)


def play(
    host: Host, clock: ManualClock, game: GameKeys, seats: dict[str, Credentials], orders: dict[str, list[str]]
) -> None:
    """Everybody is ready with these orders, and nobody changes his mind."""
    number, _ = phase(host, game)
    for power, credentials in seats.items():
        host.hand_in(game.id, credentials, power, number, Edit(tuple(orders.get(power, ())), whole=True, ready=True))
    clock.time += timedelta(minutes=10)
    host.settle(game.id)


def units(host: Host, game: GameKeys, power: str) -> set[str]:
    return {str(unit) for unit in host.view(game.id, Credentials(), None).position.units_of(Power(power))}


def test_a_retreat_that_was_ordered_ahead_is_over_at_once(host: Host, clock: ManualClock) -> None:
    game, seats = begun(host)
    play(host, clock, game, seats, FIRST)
    # Vienna is held, so the second is the first that is allowed; the third is for a unit that nothing happens to
    host.order_ahead(game.id, seats["Italy"], "Italy", 2, ["A TYO - VIE", "a tyrolia - piedmont", "A ROM - APU"])
    play(host, clock, game, seats, SECOND)
    view = host.view(game.id, Credentials(), None)
    assert "A PIE" in units(host, game, "Italy")
    assert view.turn == 3  # the retreats were played in the same instant
    assert str(view.position.phase) == "Spring 1902 movement"


def test_a_retreat_for_which_nothing_fits_waits_for_its_owner(host: Host, clock: ManualClock) -> None:
    game, seats = begun(host)
    play(host, clock, game, seats, FIRST)
    host.order_ahead(game.id, seats["Italy"], "Italy", 2, ["A TYO - VIE", "build F NAP"])
    play(host, clock, game, seats, SECOND)
    assert phase(host, game)[1] == "Fall 1901 retreats"
    host.hand_in(game.id, seats["Italy"], "Italy", 3, Edit(("A TYO - PIE",), ready=True))


def test_what_nobody_needs_is_passed_over_and_gone_at_the_next_moves(host: Host, clock: ManualClock) -> None:
    game, seats = begun(host)
    host.order_ahead(game.id, seats["Austria"], "Austria", 1, ["A VIE - BOH", "build A BUD"])
    play(host, clock, game, seats, {})
    assert phase(host, game)[1] == "Fall 1901 movement"
    assert host.view(game.id, seats["Austria"], Power("Austria")).ahead == {}


def test_only_ones_own_orders_ahead_are_seen(host: Host) -> None:
    game, seats = begun(host)
    host.order_ahead(game.id, seats["Austria"], "Austria", 1, ["A VIE - BOH"])
    assert host.view(game.id, seats["Austria"], Power("Austria")).ahead == {"Austria": ("A VIE - BOH",)}
    for who, credentials in (("Turkey", seats["Turkey"]), (None, Credentials())):
        assert host.view(game.id, credentials, None if who is None else Power(who)).ahead == {}
    keeper = host.credentials(game.id, [game.all_seats])
    assert host.view(game.id, keeper, host.eyes(game.id, keeper, None)[0]).ahead == {}
    with pytest.raises(NotYours):
        host.order_ahead(game.id, seats["Turkey"], "Austria", 1, ["A VIE - BOH"])


def test_orders_ahead_of_others_change_no_byte(host: Host) -> None:
    game, seats = begun(host)
    client = TestClient(create_app(host))
    addresses = [f"/api/games/{game.id}", f"/api/games/{game.id}/history", f"/games/{game.id}"]
    before = [client.get(address).content for address in addresses]
    host.order_ahead(game.id, seats["Austria"], "Austria", 1, ["A VIE - BOH"])
    assert [client.get(address).content for address in addresses] == before


@pytest.mark.parametrize(
    ("texts", "index", "sentence"),
    [
        (["A VIE - BOH", "A VIE S A BUD"], 1, "'A VIE S A BUD' is no retreat and no adjustment"),
        (["A VIE - NOWHERE"], 0, "is no retreat and no adjustment"),
        (["A VIE - BOH"] * 61, 60, "at most 60"),
    ],
)
def test_what_is_neither_a_retreat_nor_an_adjustment_is_refused(
    host: Host, texts: list[str], index: int, sentence: str
) -> None:
    game, seats = begun(host)
    with pytest.raises(OrderRefused, match=sentence) as refused:
        host.order_ahead(game.id, seats["Austria"], "Austria", 1, texts)
    assert refused.value.index == index


def test_they_are_for_the_open_phase_and_for_games_from_several_screens(host: Host) -> None:
    game, seats = begun(host)
    with pytest.raises(Stale):
        host.order_ahead(game.id, seats["Austria"], "Austria", 7, ["A VIE - BOH"])
    hot = host.open(NewGame("standard", {}))
    with pytest.raises(NoDeadline):
        host.order_ahead(hot.id, host.credentials(hot.id, [hot.all_seats]), "Austria", 1, ["A VIE - BOH"])


def test_they_are_on_disk(host: Host, store: Store) -> None:
    game, seats = begun(host)
    host.order_ahead(game.id, seats["Austria"], "Austria", 1, ["A VIE - BOH", "build A BUD"])
    stored = Host(store).view(game.id, seats["Austria"], Power("Austria"))
    assert stored.ahead == {"Austria": ("A VIE - BOH", "build A BUD")}

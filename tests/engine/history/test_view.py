"""The view that each viewpoint has of a game."""

from dataclasses import replace

import pytest

from plenipo.engine.dice import Dice
from plenipo.engine.history.game import Game
from plenipo.engine.history.view import GM, View, view
from plenipo.engine.orders import Order
from plenipo.engine.position import Power
from plenipo.engine.reading.notation import notation_of
from plenipo.errors import UnknownName
from table import standard
from whole import whole_text

FRANCE, ENGLAND, TURKEY = Power("France"), Power("England"), Power("Turkey")


def opened() -> Game:
    return Game.new(standard(), Dice(bytes(range(32))))


def order_sets(game: Game) -> dict[Power, list[Order]]:
    read = notation_of(game.rules).read
    kind = game.position.phase.kind
    return {FRANCE: [read("A PAR - BUR", kind)], ENGLAND: [read("F LON - NTH", kind), read("A LVP H", kind)]}


def seen(who: Power | None) -> View:
    game = opened()
    return view(game, who, order_sets(game))


def test_a_power_sees_its_own_order_set_and_no_other() -> None:
    assert [str(order) for order in seen(FRANCE).order_sets[FRANCE]] == ["A PAR - BUR"]
    assert set(seen(FRANCE).order_sets) == {FRANCE}
    assert not seen(TURKEY).order_sets


def test_an_observer_sees_no_order_set_and_the_game_master_all() -> None:
    assert not seen(None).order_sets
    assert set(seen(GM).order_sets) == {FRANCE, ENGLAND}


@pytest.mark.parametrize("who", [None, FRANCE, TURKEY, GM])
def test_every_viewer_sees_which_powers_have_submitted_orders(who: Power | None) -> None:
    assert seen(who).submitted == (ENGLAND, FRANCE)
    assert TURKEY in seen(who).waiting_for
    assert FRANCE not in seen(who).waiting_for


def test_no_view_shows_the_seed_or_another_order_set_in_its_text() -> None:
    text = whole_text(replace(seen(TURKEY), rules=None))  # type: ignore[arg-type]  # the rules are public
    assert "BUR" not in whole_text(seen(TURKEY).order_sets)
    assert bytes(range(32)).hex() not in text
    assert seen(TURKEY).commitment == opened().dice.commitment  # type: ignore[union-attr]  # the game has dice


def test_what_is_over_is_public() -> None:
    game = opened()
    after = view(game.process(order_sets(game)), TURKEY, {})
    assert after.turns[0].orders[FRANCE] == ("A PAR - BUR",)
    assert str(after.position.phase) == "Fall 1901 movement"
    assert after.submitted == ()


def test_a_view_goes_back_and_then_shows_no_open_phase() -> None:
    game = opened()
    now = view(game.process(order_sets(game)), GM, order_sets(game))
    then = now.at(0)
    assert (str(then.position.phase), list(then.turns)) == ("Spring 1901 movement", [])
    assert (dict(then.order_sets), then.may_order) == ({}, ())
    assert now.at(1) is now
    with pytest.raises(UnknownName, match="none numbered 2"):
        now.at(2)


def test_no_power_has_orders_to_give_when_the_game_is_over() -> None:
    game = opened().draw([FRANCE, ENGLAND])
    assert view(game, FRANCE, {}).over
    assert view(game, FRANCE, {}).may_order == ()


def test_a_stranger_has_no_view() -> None:
    with pytest.raises(UnknownName, match="'Narnia' has no seat"):
        view(opened(), Power("Narnia"), {})

"""A power keeps another from taking a centre."""

from collections.abc import Callable

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from plenipo import library
from plenipo.engine.board import Code
from plenipo.engine.history.game import Game
from plenipo.engine.history.record import decode_game, encode_game
from plenipo.engine.phases.legality import Legality
from plenipo.engine.position import Power
from plenipo.engine.reading.order_entry import OrderEntry
from plenipo.engine.rules import Rules
from plenipo.errors import IllegalOrder, PlenipoError
from plenipo.rulekit.vetoes import Vetoed

Tiny = Callable[..., Rules]
FRANCE, GERMANY, ITALY = Power("France"), Power("Germany"), Power("Italy")
VETO = "[modules.vetoes]\n"


def after_fall(rules: Rules, *written: str) -> Game:
    """France stands in Spain when ownership is settled; what Italy writes with its Fall orders."""
    game = Game.new(rules).process({FRANCE: ["A MAR - SPA"], ITALY: ["F NAP - TYN"]})
    return game.process({FRANCE: [], ITALY: ["F TYN - WES", *written]})


def test_a_centre_does_not_change_hands_that_winter(tiny: Tiny) -> None:
    rules = tiny(VETO + 'by = "anyone"\n')
    assert after_fall(rules).position.owners[Code("SPA")] == FRANCE
    game = after_fall(rules, "VETO Spain")
    assert Code("SPA") not in game.position.owners
    assert "Italy keeps Spain from changing hands." in game.turns[-1].resolution.notes
    assert decode_game(encode_game(game), rules) == game
    while (game.position.phase.year, game.position.phase.season) != (1903, "Spring"):
        game = game.process({})
    assert game.position.owners[Code("SPA")] == FRANCE


def test_it_takes_a_unit_nearby_or_the_centre_itself(tiny: Tiny) -> None:
    near, owner = tiny(VETO), tiny(VETO + 'by = "owner"\n')
    legal = Legality(near, near.opening).orders_of(FRANCE)
    assert "VETO SPA" in map(str, legal.declarations)
    assert all(offer in legal for offer in legal.declarations)
    with pytest.raises(IllegalOrder, match="next to its units; TUN is not one"):
        OrderEntry(near, near.opening, FRANCE).give((), "VETO TUN")
    with pytest.raises(IllegalOrder, match="its own centres; SPA is not one"):
        OrderEntry(owner, owner.opening, FRANCE).give((), "VETO SPA")


def test_there_are_so_many_in_a_game(tiny: Tiny) -> None:
    rules = tiny(VETO)
    game = Game.new(rules).process({ITALY: ["VETO TRI", "VETO ROM"]})
    assert game.position.slots["vetoes"] == Vetoed(frozenset({Code("TRI")}), {ITALY: 1})
    with pytest.raises(IllegalOrder, match="Italy has no veto"):
        OrderEntry(rules, game.position, ITALY).give((), "VETO ROM")


@pytest.mark.parametrize(
    ("text", "why"),
    [
        (VETO + "most = -1", "'vetoes.most' is -1"),
        (VETO + "[modules.captures]\npassing = true", "'vetoes' and 'captures.passing' cannot be played together"),
    ],
)
def test_what_cannot_be_is_refused(tiny: Tiny, text: str, why: str) -> None:
    with pytest.raises(PlenipoError, match=why):
        tiny(text)


@settings(max_examples=25)
@given(st.sets(st.sampled_from(["VEN", "ROM", "TRI", "MAR"])), st.sampled_from(["France", "Germany", "Italy"]))
def test_a_centre_without_a_veto_changes_hands_as_usual(codes: set[str], name: str) -> None:
    rules = library.load("concert")
    game = Game.new(rules).process({Power(name): [f"VETO {code}" for code in sorted(codes)]})
    slot = game.position.slots.get("vetoes", Vetoed())
    assert isinstance(slot, Vetoed)
    assert slot.codes <= codes
    assert len(slot.codes) <= slot.of(Power(name)) <= 2

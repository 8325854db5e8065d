"""What is named in secret stays so until it is opened, and does then what its data says."""

from collections.abc import Callable
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from plenipo import library
from plenipo.engine.board import Code
from plenipo.engine.dice import Dice
from plenipo.engine.events import CENTRE_LOST
from plenipo.engine.history.game import Game
from plenipo.engine.history.record import decode_game, encode_game
from plenipo.engine.history.view import view
from plenipo.engine.phases.legality import Legality
from plenipo.engine.position import Power
from plenipo.engine.reading.order_entry import OrderEntry
from plenipo.engine.rules import Rules
from plenipo.errors import IllegalOrder, PlenipoError
from plenipo.rulekit.designations import DESIGNATION_OPENED, Named
from variants.test_conformance import random_orders

Tiny = Callable[..., Rules]
FRANCE, GERMANY = Power("France"), Power("Germany")


def item(more: str) -> str:
    return f"[[modules.designations.items]]\n{more}\n"


KING = item('name = "king"\nof = "unit"\nopened = "lost"\ndeed = { does = ["topples"] }')
MINE = item('name = "mine"\nopened = "entered"\ndeed = { does = ["destroys"] }')
BOMB = item('name = "bomb"\nopened = "order"\nwhere = "centre"\ndeed = { does = ["frees", "destroys"] }')


def test_a_king_is_followed_where_he_goes(tiny: Tiny) -> None:
    rules = tiny(KING)
    game = Game.new(rules).process({FRANCE: ["NAME king A PAR"]})
    game = game.process({FRANCE: ["A PAR - PIC", "A MAR - GAS"]})
    assert game.position.slots["designations"] == Named({FRANCE: {"king": Code("PIC")}})
    assert decode_game(encode_game(game), rules) == game


def test_a_king_who_is_dislodged_and_disbanded_is_gone(tiny: Tiny) -> None:
    rules = tiny(KING)
    game = Game.new(rules)
    game = game.process({FRANCE: ["NAME king A PAR", "A PAR - BUR"], GERMANY: ["A MUN - RUH", "A BER - MUN"]})
    game = game.process({FRANCE: ["A BUR H"], GERMANY: ["A MUN - BUR", "A RUH S A MUN - BUR"]})
    game = game.process({FRANCE: ["A BUR D"]})
    (opened,) = [event for event in game.turns[-1].resolution.events if event.kind == DESIGNATION_OPENED]
    assert (opened.powers, opened.names) == ((FRANCE,), ("king",))
    assert [event.kind for event in game.turns[-1].resolution.events].count(CENTRE_LOST) == 3


def test_a_mine_spares_its_own_and_destroys_the_first_other(tiny: Tiny) -> None:
    rules = tiny(MINE)
    game = Game.new(rules).process({FRANCE: ["NAME mine BUR"]})
    game = game.process({FRANCE: ["A PAR - BUR"]})
    assert game.position.unit_at(Code("BUR"))
    game = Game.new(rules).process({FRANCE: ["NAME mine BUR"]}).process({GERMANY: ["A MUN - BUR"]})
    assert game.position.unit_at(Code("BUR")) is None
    assert "The mine of France in Burgundy is opened, by Germany." in game.turns[-1].resolution.notes


def test_what_is_named_is_opened_by_an_order_later(tiny: Tiny) -> None:
    rules = tiny(BOMB)
    with pytest.raises(IllegalOrder, match="France may open nothing now"):
        OrderEntry(rules, rules.opening, FRANCE).give((), "OPEN bomb")
    game = Game.new(rules).process({FRANCE: ["NAME bomb Munich"]}).process({FRANCE: ["OPEN BOMB"]})
    assert Code("MUN") not in game.position.owners
    assert game.position.unit_at(Code("MUN")) is None


def test_nobody_else_sees_it_before(tiny: Tiny) -> None:
    rules = tiny(BOMB)
    game = Game.new(rules).process({FRANCE: ["NAME bomb MUN"]})
    assert "MUN" not in str(view(game, GERMANY, {}).turns[0].orders) + str(view(game, None, {}).position.slots)
    assert view(game, FRANCE, {}).position.slots["designations"] == Named({FRANCE: {"bomb": Code("MUN")}})
    game = game.process({FRANCE: ["OPEN bomb"]})
    assert view(game, GERMANY, {}).position.slots["designations"] == game.position.slots["designations"]


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("NAME bom MUN", "'bom' is nothing one names; did you mean bomb"),
        ("NAME bomb BUR", "BUR cannot be the bomb of France"),
        ("NAME bomb", "''|place|written"),
    ],
)
def test_what_cannot_be_named_is_answered_in_a_sentence(tiny: Tiny, text: str, why: str) -> None:
    rules = tiny(BOMB)
    with pytest.raises(PlenipoError, match=why):
        OrderEntry(rules, rules.opening, FRANCE).give((), text)


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("[modules.designations]\n", "'designations.items' is empty"),
        (MINE + MINE, "'mine' is there twice"),
        (MINE.replace('"mine"', '"land mine"'), "needs a name that is one word of letters"),
        (MINE.replace('"entered"', '"lost"'), "which only a unit can be"),
        (MINE.replace('"entered"', '"taken"'), 'write where = "home" or "owned"'),
        (KING.replace('"lost"', '"entered"'), "which only a space can be"),
        (KING.replace("topples", "falls"), "there is nobody who gets it"),
        (KING.replace("topples", "frees"), "is about no space"),
        (MINE + 'units = ["A"]', 'write of = "unit"'),
        (MINE + 'among = ["XYZ"]', "names 'XYZ', which is not on the board"),
        (MINE + 'seasons = ["Autumn"]', "the season 'Autumn', which has no movement phase"),
    ],
)
def test_what_contradicts_itself_is_refused(tiny: Tiny, text: str, why: str) -> None:
    with pytest.raises(PlenipoError, match=why):
        tiny(text)


@settings(max_examples=10)
@given(st.integers(0, 10_000))
def test_what_others_named_shows_only_once_it_is_open(seed: int) -> None:
    rules, chance = library.load("cloak-and-dagger"), Random(seed)
    game = Game.new(rules, Dice(bytes(32)))
    for _ in range(6):
        sheets = random_orders(rules, game.position, chance)
        game = game.process({power: list(orders) for power, orders in sheets.items()})
        slot = game.position.slots.get("designations")
        if isinstance(slot, Named):
            for who in (FRANCE, None):
                seen = view(game, who, {}).position.slots.get("designations", Named())
                assert isinstance(seen, Named)
                assert {power for power, _, _ in seen.hidden()} <= {who}
                assert all(slot.of[power][name] == code for power, of in seen.of.items() for name, code in of.items())


def test_everything_that_is_offered_is_allowed() -> None:
    rules = library.load("cloak-and-dagger")
    legal = Legality(rules, rules.opening).orders_of(FRANCE)
    assert {"NAME capital PAR", "NAME mine BEL"} <= {str(offer) for offer in legal.declarations}
    assert all(offer in legal for offer in legal.declarations)

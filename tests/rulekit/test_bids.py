"""Bids are secret, opened together, and hire what nobody plays."""

from collections.abc import Callable

import pytest

from plenipo import library
from plenipo.engine.board import Code
from plenipo.engine.dice import Dice
from plenipo.engine.history.game import Game
from plenipo.engine.history.record import decode_game, encode_game
from plenipo.engine.phases.legality import Legality
from plenipo.engine.position import Power
from plenipo.engine.reading.order_entry import OrderEntry
from plenipo.engine.rules import Rules
from plenipo.errors import IllegalOrder, PlenipoError
from plenipo.rulekit.money import Money

Tiny = Callable[..., Rules]
FRANCE, ITALY = Power("France"), Power("Italy")
TUNIS = '[modules.garrisons]\nunits = ["A TUN"]\n[modules.money]\nstart = 4\n[modules.bids]\nspaces = ["TUN"]\n'


def opened(rules: Rules, **bids: str) -> Game:
    sheets = {Power(name): [bid] for name, bid in bids.items()}
    return Game.new(rules, Dice(bytes(32))).process(sheets)


def test_the_highest_bid_orders_the_unit_in_the_next_movement_and_no_longer(tiny: Tiny) -> None:
    rules = tiny(TUNIS)
    game = opened(rules, Italy="BID TUN 2", France="BID 3 for Tunis")
    assert "France got TUN for 3 crowns: the unit in the next movement." in game.turns[0].resolution.notes
    assert "A TUN" in map(str, Legality(rules, game.position).orders_of(FRANCE).units)
    assert "A TUN" not in map(str, Legality(rules, game.position).orders_of(ITALY).units)
    assert decode_game(encode_game(game), rules) == game
    game = game.process({FRANCE: ["A TUN - NAF"]})
    assert game.position.unit_at(Code("NAF"))
    while game.position.phase.season != "Spring":
        game = game.process({})
    assert "A NAF" not in map(str, Legality(rules, game.position).orders_of(FRANCE).units)


@pytest.mark.parametrize(("pays", "left"), [("winner", (4, 1)), ("all", (2, 1))])
def test_the_winner_pays_or_all_do(tiny: Tiny, pays: str, left: tuple[int, int]) -> None:
    game = opened(tiny(TUNIS + f'pays = "{pays}"\n'), Italy="BID TUN 2", France="BID TUN 3")
    purses = Money().purses(game.position)
    assert (purses[ITALY], purses[FRANCE]) == left


def test_among_equal_bids_nobody_gets_it_or_one_who_is_drawn(tiny: Tiny) -> None:
    nobody = opened(tiny(TUNIS), Italy="BID TUN 2", France="BID TUN 2")
    assert not nobody.turns[0].resolution.events
    drawn = opened(tiny(TUNIS + 'equal = "lot"\n'), Italy="BID TUN 2", France="BID TUN 2")
    (draw,) = drawn.turns[0].resolution.draws
    assert draw.label == "Spring 1901|bids for TUN"
    assert drawn.turns[0].resolution.events[0].powers == (draw.result,)


def test_a_centre_may_be_bought(tiny: Tiny) -> None:
    rules = tiny('[modules.money]\nstart = 4\n[modules.bids]\nspaces = ["TUN"]\ngives = "centre"\n')
    assert opened(rules, Italy="BID TUN 1").position.owners[Code("TUN")] == ITALY


HIRED = """\
[calendar]
start = 1901
cycle = [
  ["Auction", "choice"], ["Spring", "movement"], ["Spring", "retreats"], ["Fall", "movement"], ["Fall", "retreats"],
  ["Winter", "ownership"], ["Winter", "adjustments"],
]
[powers]
Germany = { played = false }
[modules.money]
start = 9
[modules.bids]
gives = "power"
phase = "choice"
powers = ["Germany"]
"""


def test_a_power_nobody_plays_is_hired_with_all_its_units_and_builds_until_the_next_bids(tiny: Tiny) -> None:
    rules = tiny(HIRED)
    game = Game.new(rules, Dice(bytes(32)))
    assert str(game.position.phase) == "Auction 1901 choice"
    assert "Germany" not in rules.names
    assert not [power for power in rules.names if not Legality(rules, game.position).orders_of(power)]
    game = game.process({FRANCE: ["BID Germany 5"], ITALY: ["BID 4 for German"]})
    assert "France got Germany for 5 crowns: its orders until the next bids." in game.turns[0].resolution.notes
    game = game.process({FRANCE: ["F KIE - DEN", "A MUN - RUH"], ITALY: ["A BER - SIL"]})
    assert game.position.unit_at(Code("DEN"))
    assert game.position.unit_at(Code("BER"))
    game = game.process({FRANCE: ["A RUH - HOL"]})
    assert "A KIE B" in map(str, Legality(rules, game.position).orders_of(FRANCE))
    game = game.process({FRANCE: ["B A KIE"]})
    assert game.position.unit_at(Code("KIE"))
    assert decode_game(encode_game(game), rules) == game
    game = game.process({ITALY: ["BID Germany 1"]})
    assert "A KIE" in map(str, Legality(rules, game.position).orders_of(ITALY).units)


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("BID PAR 1", "'PAR' is not for sale; bids are for TUN"),
        ("BID TUN 5", "more than France has, which is 4"),
        ("BID TUN 0", "below the least bid"),
        ("BID TUN", "does not read like a bid"),
    ],
)
def test_a_bid_that_cannot_be_is_answered_in_a_sentence(tiny: Tiny, text: str, why: str) -> None:
    rules = tiny(TUNIS)
    with pytest.raises(IllegalOrder, match=why):
        OrderEntry(rules, rules.opening, FRANCE).give((), text)


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ('[modules.bids]\nspaces = ["TUN"]\n', "needs 'money'"),
        (TUNIS.replace('spaces = ["TUN"]', "spaces = []"), "nothing to bid for"),
        (TUNIS.replace('spaces = ["TUN"]', 'spaces = ["PAR"]'), "PAR, where no unit stands that nobody plays"),
        (TUNIS + 'seasons = ["Winter"]', "the season 'Winter', which has no movement phase"),
        (TUNIS + "least = 0", "must be 1 or more"),
    ],
)
def test_what_nobody_could_get_is_refused(tiny: Tiny, text: str, why: str) -> None:
    with pytest.raises(PlenipoError, match=why):
        tiny(text)


def test_every_bid_that_is_offered_is_allowed() -> None:
    rules = library.load("condottieri")
    legal = Legality(rules, rules.opening).orders_of(FRANCE)
    assert {str(offer) for offer in legal.declarations} >= {"BID TUN 1", "BID BUL 3", "GIVE Italy 2"}
    assert all(offer in legal for offer in legal.declarations)

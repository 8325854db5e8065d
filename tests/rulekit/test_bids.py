"""Secret bids that are opened together and hire unplayed powers."""

from collections.abc import Callable

import pytest

from plenipo import library
from plenipo.conformance import of_a_random_game
from plenipo.engine.board import Code
from plenipo.engine.dice import Dice
from plenipo.engine.history.game import Game
from plenipo.engine.history.record import decode_game, encode_game
from plenipo.engine.history.view import view
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
    order_sets = {Power(name): [bid] for name, bid in bids.items()}
    return Game.new(rules, Dice(bytes(32))).process(order_sets)


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
    balances = Money().balances(game.position)
    assert (balances[ITALY], balances[FRANCE]) == left


def test_equal_bids_win_nothing_or_one_is_drawn(tiny: Tiny) -> None:
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


def test_an_unplayed_power_is_hired_with_all_its_units_and_builds_until_the_next_bids(tiny: Tiny) -> None:
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


BRIBES = '[modules.money]\nstart = 6\neach = 0\n[modules.bids]\ngives = "order"\n'
GERMANY = Power("Germany")


def stands(game: Game, *codes: str) -> list[str]:
    return [str(game.position.unit_at(Code(code))) for code in codes]


def test_a_unit_carries_out_the_order_for_which_all_bids_together_are_highest(tiny: Tiny) -> None:
    rules = tiny(BRIBES)
    order_sets = {
        GERMANY: ["A MUN - TYR", "A BER - SIL"],
        FRANCE: ["BID A MUN - BUR 2", "A PAR H"],
        ITALY: ["BID Munich to Burgundy 2", "BID 3 for A BER H"],
        Power("Russia"): ["BID A MUN - BOH 3"],
    }
    game = Game.new(rules, Dice(bytes(32))).process(order_sets)
    assert stands(game, "BUR", "BER") == ["A BUR", "A BER"]
    balances = Money().balances(game.position)
    assert [balances[power] for power in (FRANCE, ITALY, GERMANY, Power("Russia"))] == [4, 1, 6, 6]
    notes = game.turns[0].resolution.notes
    assert "France and Italy got 'A MUN - BUR' of Germany for 4 crowns." in notes
    assert "Russia bid 3 crowns for 'A MUN - BOH'." in [one.why for one in game.turns[0].resolution.outcomes]
    assert "bids" not in game.position.slots
    assert decode_game(encode_game(game), rules) == game


def test_what_its_own_power_orders_goes_before_among_equals_and_may_count_itself(tiny: Tiny) -> None:
    order_sets = {GERMANY: ["A MUN - TYR", "BID A MUN - TYR 2"], FRANCE: ["BID A MUN - BUR 2"]}
    assert stands(Game.new(tiny(BRIBES)).process(order_sets), "TYO") == ["A TYO"]
    without = {GERMANY: ["A MUN - TYR"], FRANCE: ["BID A MUN - BUR 2"]}
    assert stands(Game.new(tiny(BRIBES)).process(without), "BUR") == ["A BUR"]
    assert stands(Game.new(tiny(BRIBES + "own = 3\n")).process(without), "TYO") == ["A TYO"]


def test_among_equal_bids_for_orders_its_own_power_is_obeyed_or_one_is_drawn(tiny: Tiny) -> None:
    order_sets = {GERMANY: ["A MUN - TYR"], FRANCE: ["BID A MUN - BUR 2"], ITALY: ["BID A MUN - BOH 2"]}
    assert stands(Game.new(tiny(BRIBES)).process(order_sets), "TYO") == ["A TYO"]
    game = Game.new(tiny(BRIBES + 'equal = "lot"\n'), Dice(bytes(32))).process(order_sets)
    (draw,) = game.turns[0].resolution.draws
    assert draw.label == "Spring 1901|bids for the order in MUN"
    assert draw.slips == ("A MUN - BOH", "A MUN - BUR")


def test_a_bid_must_be_covered_by_the_balance_beside_the_own_orders(tiny: Tiny) -> None:
    rules = tiny(BRIBES.replace("each = 0", "each = 0\norders = { move = 1 }"))
    order_sets = {FRANCE: ["A PAR - BUR", "BID A MUN H 4", "BID A BER H 2", "BID F KIE H 1"], GERMANY: ["A BER - SIL"]}
    game = Game.new(rules).process(order_sets)
    assert stands(game, "SIL") == ["A SIL"]
    assert Money().balances(game.position)[FRANCE] == 0
    whys = [one.why for one in game.turns[0].resolution.outcomes if one.power == FRANCE and one.unit is None]
    assert whys[1] == "France bid 2 crowns for 'A BER H', and did not have them any more."


def test_no_power_learns_of_secret_bids_of_others(tiny: Tiny) -> None:
    rules = tiny(BRIBES.replace("each = 0", "each = 0\nsecret = true") + "secret = true\n")
    game = Game.new(rules).process({FRANCE: ["BID A MUN H 2"], ITALY: ["BID A MUN H 1"]})
    for who, told in ((FRANCE, True), (ITALY, True), (GERMANY, False), (None, False)):
        seen = view(game, who, {}).turns[0]
        assert ("France and Italy got" in str(seen.resolution.notes)) is told
        assert any("France bid" in one.why for one in seen.resolution.outcomes) is (who == FRANCE)
        assert any("BID" in text for text in seen.orders.get(FRANCE, ())) is (who == FRANCE)


@pytest.mark.parametrize("bids_first", [False, True])
def test_a_balance_pays_for_orders_first_and_for_bids_with_what_is_left(tiny: Tiny, *, bids_first: bool) -> None:
    money, bids = "[modules.money]\nstart = 4\norders = { move = 1 }\n", '[modules.bids]\nspaces = ["TUN"]\n'
    rules = tiny('[modules.garrisons]\nunits = ["A TUN"]\n' + (bids + money if bids_first else money + bids))
    game = Game.new(rules).process({FRANCE: ["A PAR - BUR", "F BRE - MAO", "BID TUN 4"], ITALY: ["BID TUN 1"]})
    balances = Money().balances(game.position)
    assert (balances[FRANCE], balances[ITALY]) == (2, 3)


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("BID A MUN 3", "A MUN"),
        ("BID A PRU H 3", "for no unit that is there"),
        ("BID A MUN - PAR 3", "A MUN does not reach Paris"),
        ("BID A MUN H 7", "more than France has, which is 6"),
        ("BID A MUN H", "does not read like a bid; write 'BID A PAR - BUR 3'"),
    ],
)
def test_a_bid_for_an_order_that_cannot_be_is_answered_in_a_sentence(tiny: Tiny, text: str, why: str) -> None:
    rules = tiny(BRIBES)
    with pytest.raises(PlenipoError, match=why):
        OrderEntry(rules, rules.opening, FRANCE).give((), text)


def test_bids_for_orders_are_listed_and_played_at_random(tiny: Tiny) -> None:
    rules = tiny(BRIBES.replace("each = 0", "each = 1") + 'equal = "lot"\n')
    legal = Legality(rules, rules.opening).orders_of(FRANCE)
    assert {"BID A MUN H 1", "BID A MUN - BUR 1", "BID A PAR - BUR 1"} <= set(map(str, legal.declarations))
    assert all(offer in legal for offer in legal.declarations[:20])
    assert list(of_a_random_game(rules, 1, 3)) == []


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
        (TUNIS.replace('spaces = ["TUN"]', 'spaces = ["PAR"]'), "PAR, where no unit of an unplayed power stands"),
        (TUNIS + 'seasons = ["Winter"]', "the season 'Winter', which has no movement phase"),
        (TUNIS + "least = 0", "must be 1 or more"),
        (TUNIS + "own = 1", "has 'own', which is what the order of a unit's own power counts"),
        (BRIBES + 'phase = "choice"', "gives orders, which are carried out in movements"),
        (BRIBES + 'powers = ["Italy"]', "gives an order"),
        (BRIBES + "own = -1", "has -1 as 'own'; it must be 0 or more"),
    ],
)
def test_a_bid_that_cannot_win_anything_is_refused(tiny: Tiny, text: str, why: str) -> None:
    with pytest.raises(PlenipoError, match=why):
        tiny(text)


def test_every_bid_that_is_offered_is_allowed() -> None:
    rules = library.load("condottieri")
    legal = Legality(rules, rules.opening).orders_of(FRANCE)
    assert {str(offer) for offer in legal.declarations} >= {"BID TUN 1", "BID BUL 3", "GIVE Italy 2"}
    assert all(offer in legal for offer in legal.declarations)

"""Doubts about a plan: every kind once, and none about sound plans."""

from random import Random

import pytest

from plenipo import library
from plenipo.engine.calendar import Phase, PhaseKind
from plenipo.engine.dice import Dice
from plenipo.engine.history.game import Game
from plenipo.engine.history.view import view
from plenipo.engine.orders import MovementOrder, Support
from plenipo.engine.outcome import Resolution
from plenipo.engine.phases.legality import Legality
from plenipo.engine.phases.step import process
from plenipo.engine.position import Dislodged, Power
from plenipo.engine.reading.plan_check import DoubtKind, doubts
from strategies import by_power, movement_orders, scattered_position
from table import order_sets, place, standard, units_of

ENGLAND = Power("England")

BOARD = """
    England: F NTH, A YOR, A EDI, F LON
    France: A PAR, A MAR
    Germany: F KIE
"""

DOUBTFUL = {
    "an army without its convoy": (
        "A YOR - NWY",
        DoubtKind.NO_CONVOY,
        "A YOR - NWY has no convoy: F NTH is not ordered to carry it.",
    ),
    "a convoy for an army that stays": (
        "F NTH C A YOR - NWY",
        DoubtKind.IDLE_CONVOY,
        "F NTH C A YOR - NWY convoys no unit: A YOR holds.",
    ),
    "a support for what one's own unit does not do": (
        "F LON S A YOR - WAL, A YOR - EDI, A EDI - CLY",
        DoubtKind.OTHER_SUPPORT,
        "F LON S A YOR - WAL does not match the order of A YOR: its order is A YOR - EDI.",
    ),
    "a support to hold for a unit that moves": (
        "F LON S A YOR, A YOR - WAL",
        DoubtKind.OTHER_SUPPORT,
        "F LON S A YOR does not match the order of A YOR: its order is A YOR - WAL.",
    ),
    "two units to one place": (
        "A YOR - LVP, A EDI - LVP",
        DoubtKind.SAME_PLACE,
        "A YOR - LVP and A EDI - LVP move to the same space and will bounce.",
    ),
    "a move to where one's own unit stays": (
        "A YOR - EDI",
        DoubtKind.OCCUPIED,
        "A YOR - EDI does not enter as long as A EDI stays there.",
    ),
    "two that would change places": (
        "A YOR - EDI, A EDI - YOR",
        DoubtKind.SWAP,
        "A EDI - YOR and A YOR - EDI cannot pass each other: one of them needs a convoy.",
    ),
    "a support that nobody could make matter": (
        "A YOR - LVP, A EDI S A YOR - LVP",
        DoubtKind.NEEDLESS,
        "A EDI S A YOR - LVP cannot matter: no unit of others can be in Liverpool.",
    ),
}


@pytest.mark.parametrize("case", DOUBTFUL)
def test_each_doubt_is_a_kind_an_order_and_a_sentence(case: str) -> None:
    orders, kind, sentence = DOUBTFUL[case]
    written = order_sets(standard(), f"England: {orders}")[ENGLAND]
    (found,) = doubts(standard(), place(BOARD), ENGLAND, written)
    assert (found.kind, str(found)) == (kind, sentence)
    assert set(found.orders) <= set(written)


@pytest.mark.parametrize(
    "orders",
    [
        "",
        "A YOR - NWY, F NTH C A YOR - NWY",
        "A YOR - EDI, A EDI - LVP",
        "A YOR - EDI VIA, A EDI - YOR, F NTH C A YOR - EDI",
        "F NTH - HEL, A YOR H",
        "F NTH S F KIE - HEL",
    ],
)
def test_a_sound_plan_raises_no_doubt(orders: str) -> None:
    written = order_sets(standard(), f"England: {orders}").get(ENGLAND, [])
    assert doubts(standard(), place(BOARD), ENGLAND, written) == ()


def test_an_army_that_only_others_could_carry_is_named() -> None:
    position = place("England: A YOR\nFrance: F NTH")
    written = order_sets(standard(), "England: A YOR - NWY")[ENGLAND]
    (found,) = doubts(standard(), position, ENGLAND, written)
    assert str(found) == "A YOR - NWY needs fleets of others: no convoy of your own carries it there."


def test_two_retreats_to_one_place_are_doubtful() -> None:
    rules = standard()
    gone = [Dislodged(unit) for unit in units_of(rules, "France", "A PAR, A MAR")]
    phase = Phase("Spring", 1901, PhaseKind.RETREATS)
    position = place("Germany: A BUR", phase, dislodged=gone)
    written = order_sets(rules, "France: A PAR R GAS, A MAR R GAS", PhaseKind.RETREATS)[Power("France")]
    (found,) = doubts(rules, position, Power("France"), written)
    assert str(found) == "A PAR R GAS and A MAR R GAS go to one place and are both disbanded."


@pytest.mark.parametrize("seed", range(120))
def test_a_support_that_cannot_matter_changes_nothing_when_it_is_left_out(seed: int) -> None:
    rules, chance = standard(), Random(seed)
    position = scattered_position(chance, rules.board)
    legality = Legality(rules, position)
    orders = [order for order in movement_orders(chance, rules.board, position) if _legal(legality, order)]
    needless = {
        order
        for power, order_set in by_power(position, orders).items()
        for doubt in doubts(rules, position, power, order_set)
        if doubt.kind is DoubtKind.NEEDLESS
        for order in doubt.orders
    }
    whole = process(rules, position, by_power(position, orders))
    without = process(rules, position, by_power(position, [order for order in orders if order not in needless]))
    spared = {order.unit.location.space for order in needless if isinstance(order, Support)}

    def came_of_it(resolution: Resolution) -> list[tuple[str, str, bool]]:
        return [
            (str(found.unit), str(found.result), found.dislodged_by is not None)
            for found in resolution.outcomes
            if found.unit and found.unit.space not in spared
        ]

    assert came_of_it(whole) == came_of_it(without)


def _legal(legality: Legality, order: MovementOrder) -> bool:
    unit = legality.position.unit_at(order.unit.location.space)
    return unit is not None and legality.check(unit.power, order).order == order


@pytest.mark.parametrize("variant", ["slow-couriers", "double-diplomacy"])
def test_orders_for_later_and_for_units_of_others_are_checked_as_well(variant: str) -> None:
    """Delayed orders are for the places where units will stand, and two powers may order each unit."""
    game = Game.new(library.load(variant), Dice(bytes(32)))
    chance = Random(5)
    for _ in range(4):
        order_sets = {}
        for power in view(game, None, {}).may_order:
            legal = Legality(game.rules, game.position).orders_of(power)
            order_sets[power] = [chance.choice(list(legal.of(unit))) for unit in legal.units]
            for doubt in doubts(game.rules, game.position, power, order_sets[power]):
                assert doubt.sentence
        game = game.process(order_sets)

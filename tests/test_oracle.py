"""The oracle is right about positions worked by hand, and its verdicts satisfy the definitions it enumerates."""

from random import Random

import pytest

from clockwise import standard_board
from oracle import Fate, Verdict, consistent_outcomes, solve
from plenipo.engine.orders import Convoy, Hold, Move, MovementOrder, Support
from plenipo.engine.position import Position, Unit
from plenipo.engine.rulebook import Rulebook
from strategies import dense_position, knotted_battle, movement_orders, small_position
from table import order_sets, standard

BOARD = standard_board()

WORKED = {
    # Title: orders; spaces of the units that move; who is dislodged from where; routes broken; units rotated.
    "three armies go round (6.C.1)": (
        "Turkey: F ANK - CON, A CON - SMY, A SMY - ANK",
        "ANK CON SMY",
        "",
        "",
        "ANK CON SMY",
    ),
    "a bounce stops a circle (6.C.3)": (
        "Turkey: F ANK - CON, A CON - SMY, A SMY - ANK, A BUL - CON",
        "",
        "",
        "",
        "",
    ),
    "a circle goes through an attacked convoy (6.C.4)": (
        "Austria: A TRI - SER, A SER - BUL\n"
        "Turkey: A BUL - TRI, F AEG C A BUL - TRI, F ION C A BUL - TRI, F ADR C A BUL - TRI\n"
        "Italy: F NAP - ION",
        "BUL SER TRI",
        "",
        "",
        "BUL SER TRI",
    ),
    "a circle stops with its convoy (6.C.5)": (
        "Austria: A TRI - SER, A SER - BUL\n"
        "Turkey: A BUL - TRI, F AEG C A BUL - TRI, F ION C A BUL - TRI, F ADR C A BUL - TRI\n"
        "Italy: F NAP - ION, F TUN S F NAP - ION",
        "NAP",
        "ION<NAP",
        "",
        "",
    ),
    "two convoyed armies change places (6.C.6)": (
        "England: F NTH C A LON - BEL, A LON - BEL\nFrance: F ENG C A BEL - LON, A BEL - LON",
        "BEL LON",
        "",
        "",
        "BEL LON",
    ),
    "a third army stops the change (6.C.7)": (
        "England: F NTH C A LON - BEL, A LON - BEL\nFrance: F ENG C A BEL - LON, A BEL - LON, A BUR - BEL",
        "",
        "",
        "",
        "",
    ),
    "a broken circle dislodges no own unit (6.C.8)": (
        "Turkey: F CON - BLA, A BUL - CON, A SMY S A BUL - CON\nRussia: F BLA - BUL/EC\nAustria: A SER - BUL",
        "",
        "",
        "",
        "",
    ),
    "the loser of a head-to-head does not block where the winner came from (6.E.1)": (
        "Germany: A BER - PRU, F KIE - BER, A SIL S A BER - PRU\nRussia: A PRU - BER",
        "BER KIE",
        "PRU<BER",
        "",
        "",
    ),
    "no power dislodges itself head to head (6.E.2)": (
        "Germany: A BER - KIE, F KIE - BER, A MUN S A BER - KIE",
        "",
        "",
        "",
        "",
    ),
    "a loser dislodged by a third still blocks (6.E.5)": (
        "Germany: F HOL - NTH, F HEL S F HOL - NTH, F SKA S F HOL - NTH\n"
        "France: F NTH - HOL, F BEL S F NTH - HOL\n"
        "England: F EDI S F NRG - NTH, F YOR S F NRG - NTH, F NRG - NTH, F LON S F NRG - NTH\n"
        "Austria: A KIE S A RUH - HOL, A RUH - HOL",
        "NRG",
        "NTH<NRG",
        "",
        "",
    ),
    "the simple paradox (6.F.14)": (
        "England: F LON S F WAL - ENG, F WAL - ENG\nFrance: A BRE - LON, F ENG C A BRE - LON",
        "WAL",
        "ENG<WAL",
        "BRE",
        "",
    ),
    "Pandin's paradox has no consistent outcome (6.F.16)": (
        "England: F LON S F WAL - ENG, F WAL - ENG\nFrance: A BRE - LON, F ENG C A BRE - LON\n"
        "Germany: F NTH S F BEL - ENG, F BEL - ENG",
        "",
        "",
        "BRE",
        "",
    ),
    "the betrayal paradox (6.F.18)": (
        "England: F NTH C A LON - BEL, A LON - BEL, F ENG S A LON - BEL\nFrance: F BEL S F NTH\n"
        "Germany: F HEL S F SKA - NTH, F SKA - NTH",
        "",
        "",
        "LON",
        "",
    ),
    "a second route leaves no paradox (6.F.19)": (
        "France: A TUN - NAP, F TYN C A TUN - NAP, F ION C A TUN - NAP\nItaly: F NAP S F ROM - TYN, F ROM - TYN",
        "",
        "",
        "",
        "",
    ),
    "two paradoxes with two answers (6.F.22)": (
        "England: F EDI - NTH, F LON S F EDI - NTH\nFrance: A BRE - LON, F ENG C A BRE - LON\n"
        "Germany: F BEL S F PIC - ENG, F PIC - ENG\nRussia: A NWY - BEL, F NTH C A NWY - BEL",
        "EDI PIC",
        "ENG<PIC NTH<EDI",
        "BRE NWY",
        "",
    ),
    "two paradoxes with exclusive answers (6.F.23)": (
        "England: F EDI - NTH, F YOR S F EDI - NTH\nFrance: A BRE - LON, F ENG C A BRE - LON\n"
        "Germany: F BEL S F ENG, F LON S F NTH\nItaly: F MID - ENG, F IRI S F MID - ENG\n"
        "Russia: A NWY - BEL, F NTH C A NWY - BEL",
        "",
        "",
        "BRE NWY",
        "",
    ),
    "two paradoxes with no answer (6.F.24)": (
        "England: F EDI - NTH, F LON S F EDI - NTH, F IRI - ENG, F MID S F IRI - ENG\n"
        "France: A BRE - LON, F ENG C A BRE - LON, F BEL S F ENG\nRussia: A NWY - BEL, F NTH C A NWY - BEL",
        "EDI",
        "NTH<EDI",
        "BRE NWY",
        "",
    ),
    "a swap by an own convoy (6.G.1)": (
        "England: A NWY - SWE, F SKA C A NWY - SWE\nRussia: A SWE - NWY",
        "NWY SWE",
        "",
        "",
        "NWY SWE",
    ),
    "a foreign fleet cannot turn a head-to-head into a swap (6.G.2)": (
        "England: A NWY - SWE\nRussia: F SWE - NWY\nGermany: F SKA C A NWY - SWE",
        "",
        "",
        "",
        "",
    ),
    "a dislodged unit blocks where its convoyed attacker came from (6.G.10)": (
        "England: A NWY - SWE VIA, F DEN S A NWY - SWE, F FIN S A NWY - SWE\nGermany: F SKA C A NWY - SWE\n"
        "Russia: A SWE - NWY, F BAR S A SWE - NWY\nFrance: F NRG - NWY, F NTH S F NRG - NWY",
        "NWY",
        "SWE<NWY",
        "",
        "",
    ),
    "a convoyed army does not cut the support of an attack on where it came from (6.G.13)": (
        "Austria: F ADR C A TRI - VEN, A TRI - VEN VIA\nItaly: A VEN S F ALB - TRI, F ALB - TRI",
        "ALB",
        "TRI<ALB",
        "",
        "",
    ),
}


def read(text: str) -> tuple[list[Unit], list[MovementOrder]]:
    """The units that are ordered in `text`, and the orders."""
    units: list[Unit] = []
    orders: list[MovementOrder] = []
    for power, order_set in order_sets(standard(), text).items():
        for order in order_set:
            assert isinstance(order, Hold | Move | Support | Convoy)
            assert order.unit.kind is not None
            units.append(Unit(power, order.unit.kind, order.unit.location))
            orders.append(order)
    return units, orders


def moves(verdict: Verdict) -> frozenset[str]:
    """The spaces of the units that moved."""
    return frozenset(space for space, fate in verdict.fates.items() if fate.moved)


@pytest.mark.parametrize(("text", "moved", "dislodged", "broken", "rotated"), WORKED.values(), ids=WORKED)
def test_a_position_worked_by_hand(text: str, moved: str, dislodged: str, broken: str, rotated: str) -> None:
    verdict = solve(BOARD, *read(text))
    found = {f"{space}<{fate.dislodged_by}" for space, fate in verdict.fates.items() if fate.dislodged_by}
    assert moves(verdict) == set(moved.split())
    assert found == set(dislodged.split())
    assert verdict.broken == set(broken.split())
    assert verdict.rotated == set(rotated.split())


def fates(text: str) -> dict[str, Fate]:
    """The fate of every unit of `text`, by the space it stands in."""
    return {str(space): fate for space, fate in solve(BOARD, *read(text)).fates.items()}


def test_a_dislodged_unit_may_not_go_to_a_stand_off_or_to_where_its_attacker_came_from() -> None:
    text = "Austria: A VIE - BOH, A TYO - MUN, A SIL S A TYO - MUN\nGermany: A MUN H\nRussia: A GAL - BOH"
    assert solve(BOARD, *read(text)).contested == {"BOH"}
    assert {str(to) for to in fates(text)["MUN"].retreats} == {"BER", "BUR", "KIE", "RUH"}


def test_a_dislodged_unit_may_go_to_where_a_convoyed_attacker_came_from() -> None:
    text = "England: A NWY - SWE VIA, F SKA C A NWY - SWE, F DEN S A NWY - SWE\nRussia: A SWE H"
    assert {str(to) for to in fates(text)["SWE"].retreats} == {"FIN", "NWY"}


def test_a_support_is_given_or_cut_and_neither_where_it_matches_nothing() -> None:
    text = "France: A PAR S A MAR - BUR, A MAR - BUR, A GAS S A PAR, A PIC S A BRE - PAR, A BRE H\nItaly: A SPA - GAS"
    given = {space: fate.given for space, fate in fates(text).items()}
    assert given == {"PAR": True, "MAR": None, "GAS": False, "PIC": None, "BRE": None, "SPA": None}


def battles(count: int) -> list[tuple[Position, tuple[MovementOrder, ...]]]:
    """Seeded battles small enough to try every set of moves."""
    found = []
    for seed in range(count):
        chance = Random(seed)
        if seed % 3 == 0:
            battle = knotted_battle(chance, BOARD)
        else:
            position = (small_position, dense_position)[seed % 3 - 1](chance, BOARD)
            battle = position, movement_orders(chance, BOARD, position)
        if sum(isinstance(order, Move) for order in battle[1]) <= 6:
            found.append(battle)
    return found


def test_a_verdict_satisfies_the_definitions_and_policy_is_used_only_where_they_allow_not_just_one() -> None:
    single = broken = rotated = 0
    for position, orders in battles(3000):
        verdict = solve(BOARD, position.units, orders)
        outcomes = consistent_outcomes(BOARD, position.units, orders)
        if not verdict.broken and not verdict.rotated:
            assert outcomes == [moves(verdict)], (position.units, orders)
            single += 1
            continue
        assert len(outcomes) != 1, (position.units, orders)
        assert moves(verdict) in consistent_outcomes(BOARD, position.units, orders, verdict.broken)
        broken += bool(verdict.broken)
        rotated += bool(verdict.rotated)
    assert single > 2000
    assert broken > 30
    assert rotated > 30


def test_the_verdict_does_not_depend_on_the_order_of_the_orders() -> None:
    for position, orders in battles(300):
        chance = Random(len(orders))
        shuffled = chance.sample(orders, len(orders))
        units = chance.sample(position.units, len(position.units))
        assert solve(BOARD, units, shuffled) == solve(BOARD, position.units, orders)


def test_the_oracle_refuses_a_policy_it_does_not_know() -> None:
    with pytest.raises(NotImplementedError, match=r"4\.A\.2 1982"):
        solve(BOARD, *read("France: A PAR H"), Rulebook.edition("1982"))

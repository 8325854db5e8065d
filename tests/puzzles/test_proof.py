"""Proofs on the kernel: puzzles are proved again, and positions with no solution or several have no proof."""

import pytest

from plenipo.engine.position import Power
from plenipo.puzzles import OrderPuzzle, load_order_puzzles
from plenipo.puzzles.goals import Goal
from proofs import share

pytest.importorskip("numba")

from plenipo.engine.reading.positions import read_position
from plenipo.library import load
from plenipo.puzzles.making import prove_again
from plenipo.puzzles.proof import Prover

PUZZLES = tuple(load_order_puzzles().values())
STANDARD = load("standard")
FRANCE = Power("France")


def proof_of(goal: str, units: dict[str, list[str]], centres: dict[str, list[str]] | None = None) -> set[str] | None:
    line = {"phase": "Fall 1901 movement", "units": units, "centres": centres or {}}
    proof = Prover(STANDARD, read_position(STANDARD, line)[0]).prove(FRANCE, Goal.from_text(goal))
    return None if proof is None else {str(order) for order in proof.solution}


@pytest.mark.parametrize("puzzle", share(PUZZLES, 20), ids=lambda one: str(one.number))
def test_a_puzzle_is_proved_again(puzzle: OrderPuzzle) -> None:
    assert prove_again(puzzle) is not None


def test_a_supported_attack_that_cannot_be_cut_is_the_only_solution() -> None:
    units = {"France": ["A PIC", "F ENG"], "Germany": ["A BEL"], "England": ["F NTH"]}
    # the fleet cannot be attacked from the land, and could not be convoyed for
    assert proof_of("take BEL", units) is None, "England can cut or prevent either attack"
    assert proof_of("take BEL", {"France": ["A PIC", "A BUR"], "Germany": ["A BEL"]}) is None, "either may attack"
    assert proof_of("take BEL", {"France": ["A PIC", "F IRI"], "Germany": ["A BEL"]}) is None, "nobody supports"


def test_the_one_way_to_hold_a_centre_is_found() -> None:
    units = {"France": ["A BEL", "A PIC"], "Germany": ["A RUH", "A HOL"]}
    assert proof_of("save BEL", units, {"France": ["BEL"]}) == {"A PIC S A BEL"}
    units["France"].append("A BUR")
    assert proof_of("save BEL", units, {"France": ["BEL"]}) is None, "either can support"


def test_a_centre_that_is_safe_anyway_is_no_puzzle() -> None:
    assert proof_of("save PAR", {"France": ["A PAR"], "Germany": ["A BUR"]}, {"France": ["PAR"]}) is None


def test_a_victory_can_be_a_goal() -> None:
    own = "PAR MAR BRE SPA POR BEL HOL LON LVP EDI MUN KIE BER DEN NWY SWE VEN".split()
    assert proof_of("win", {"France": ["A FIN"], "Turkey": ["A CON"]}, {"France": own}) == {"A FIN - STP"}
    assert proof_of("win", {"France": ["A FIN"], "Turkey": ["A MOS"]}, {"France": own}) is None, "Turkey can prevent it"
    assert proof_of("win", {"France": ["A APU"], "Turkey": ["A CON"]}, {"France": own}) is None, "Rome or Naples"


OWN = "PAR MAR BRE SPA POR BEL HOL LON LVP EDI MUN KIE BER DEN NWY SWE TUN".split()
"""Seventeen centres, of which an attacker from Bohemia and Tyrolia reaches Munich only."""

ATTACKERS = ["A BOH", "A TYO"]


def test_a_victory_takes_a_centre_and_holds_another_that_others_attack() -> None:
    others = {"Austria": ATTACKERS, "Turkey": ["A CON", "A SMY"]}
    solution = {"A FIN - STP", "A RUH S A MUN"}
    assert proof_of("win", {"France": ["A FIN", "A MUN", "A RUH"], **others}, {"France": OWN}) == solution
    assert proof_of("win", {"France": ["A FIN", "A MUN"], **others}, {"France": OWN}) is None, "Munich falls"
    units = {"France": ["A FIN", "A MUN", "A RUH", "A BUR"], **others}
    assert proof_of("win", units, {"France": OWN}) is None, "either may support"


def test_a_victory_is_proved_where_the_replies_together_are_too_many() -> None:
    units = {
        "France": ["A FIN", "A MUN", "A RUH", "A KIE", "A BER", "F DEN", "F SWE", "F TUN", "A MAR", "A SPA"],
        "Austria": ATTACKERS,
        "Russia": ["A PRU", "F BAL"],
        "Italy": ["F ION", "F GOL"],
    }
    assert proof_of("win", units, {"France": OWN}) == {"A FIN - STP", "A RUH S A MUN", "A KIE S A BER"}


def test_a_centre_that_a_unit_already_stands_in_is_counted() -> None:
    others = {"Turkey": ["A CON"]}
    assert proof_of("win", {"France": ["A STP"], **others}, {"France": OWN}) is None, "no order is needed"

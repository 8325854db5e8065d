"""Kernel and engine adjudicate the same phases: results, reasons, dislodgers, retreats, and the position after."""

from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from random import Random

import pytest

from agree import OPTIONS, SHAPES, Apart, adjudicated_by_phases, differences, options_of, pair, taken, total, warm
from plenipo import library
from plenipo.batch import REASONS, RESULTS, Arena, InvalidArray, Scope, compile_tables
from plenipo.batch.refusals import UnsupportedRules
from plenipo.cases import DATC
from plenipo.cases.format import Case, read
from plenipo.cases.run import CasePlayer, CaseVerdict, run_case
from plenipo.engine.board import Code, Location
from plenipo.engine.calendar import Phase, PhaseKind
from plenipo.engine.dice import Dice
from plenipo.engine.orders import Move, MovementOrder
from plenipo.engine.outcome import Resolution, Waiting
from plenipo.engine.phases import step
from plenipo.engine.position import Dislodged, Position
from plenipo.engine.rules import Rules
from plenipo.errors import ImpossiblePosition, InvalidPosition
from plenipo.library import VARIANTS
from strategies import by_power

CASES = Path(__file__).parents[1] / "cases"
FILES = [*sorted(DATC.glob("*.yaml")), *sorted(CASES.rglob("*.yaml")), *sorted(VARIANTS.glob("*/cases/*.yaml"))]


@pytest.fixture(scope="module", autouse=True)
def compiled_kernel() -> None:
    warm()


@pytest.mark.parametrize("variant", taken())
def test_both_agree_on_random_phases_of_every_variant(variant: str) -> None:
    rounds = 4 if variant == "standard" else 1
    assert list(differences(variant, rounds * len(SHAPES) * len(options_of(variant)))) == []


@pytest.mark.parametrize("variant", adjudicated_by_phases())
def test_both_agree_on_random_phases_between_changes_of_the_board(variant: str) -> None:
    assert list(differences(variant, 120)) == []
    counts = total(variant)
    assert min(counts["retreats"], counts["adjustments"], counts["retreats offered"]) > 0


def test_both_agree_on_the_option_of_every_policy_on_knots() -> None:
    for option in OPTIONS:
        for seed in range(12):
            assert list(pair("standard", option).follow(seed, SHAPES[3])) == []


def test_the_sample_holds_every_reason_that_a_movement_can_have() -> None:
    list(differences("standard", 5 * len(OPTIONS) * 4))
    counts = total("standard")
    assert [name for name in REACHED if not counts[name]] == []


REACHED = (
    "moves: unopposed",
    "moves: overcame",
    "moves: rotated",
    "fails: repelled",
    "fails: stood off",
    "fails: head to head",
    "fails: own unit",
    "fails: no convoy",
    "fails: convoy broken",
    "holds: held",
    "holds: dislodged",
    "holds: no order",
    "supports: given",
    "cut: attacked",
    "cut: dislodged",
    "convoys: given",
    "disrupted: dislodged",
    "void: illegal",
    "void: no match",
    "retreats: ordered",
    "disbanded: ordered",
    "builds: ordered",
    "removed: ordered",
    "removed: civil disorder",
)


def test_a_kernel_that_adjudicates_otherwise_would_be_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    both = pair("standard")
    monkeypatch.setattr(both, "rules", library.load("standard", {"4.A.1": "any", "4.A.7": "no-effect", "4.A.4": "cut"}))
    assert any(list(both.follow(seed, SHAPES[1])) for seed in range(300))


# Every worked case: whatever the cases have the engine adjudicate, the kernel adjudicates too


class _Twice:
    """Adjudicates by the engine, and by the kernel where it takes the rules and the position, and compares."""

    def __init__(self) -> None:
        self.compared: Counter[PhaseKind] = Counter()
        self.faults: list[str] = []
        self.pairs: dict[int, Apart] = {}

    def adjudicate(
        self, rules: Rules, position: Position, order_sets: step.OrderSets, dice: Dice | None = None
    ) -> Resolution | Waiting:
        resolution = step.adjudicate(rules, position, order_sets, dice)
        if isinstance(resolution, Waiting):
            return resolution
        kind = position.phase.kind
        if kind in (PhaseKind.MOVEMENT, PhaseKind.RETREATS, PhaseKind.ADJUSTMENTS) and resolution.outcomes:
            try:
                self.faults += self.pairs.setdefault(id(rules), Apart(rules)).again(resolution)
            except (InvalidPosition, UnsupportedRules):
                return resolution
            self.compared[kind] += 1
        return resolution


def test_both_agree_on_every_worked_case() -> None:
    twice = _Twice()
    player = CasePlayer(decide=twice.adjudicate)
    alone: list[str] = []
    for path in FILES:
        for case in read(path.read_text(encoding="utf-8"), path.name):
            assert isinstance(case, Case)
            before = twice.compared.total()
            result = run_case(case, player)
            assert result.outcome is not CaseVerdict.FAILED, result
            assert twice.faults == [], f"{path.name}, {case.id}: {twice.faults}"
            if twice.compared.total() == before and path.parent.name == "datc":
                alone.append(case.id)
    assert alone == []
    assert twice.compared[PhaseKind.MOVEMENT] > 300
    assert min(twice.compared.values()) >= 15


def test_the_words_of_the_kernel_are_those_of_the_engine() -> None:
    assert [str(result) for result in RESULTS][:3] == ["moves", "fails", "holds"]
    assert len(set(RESULTS)) == len(RESULTS)
    assert len(set(REASONS)) == len(REASONS)


def test_an_arena_of_single_phases_adjudicates_and_does_not_go_on() -> None:
    rules = library.load("standard")
    arena = Arena(compile_tables(rules, scope=Scope.PHASES), 1)
    arena.put(0, rules.opening)
    orders = arena.blank_orders()
    column = next(i for i, unit in enumerate(arena.units(0)) if str(unit) == "A PAR")
    orders[0, column] = arena.codes.pack(Move(arena.units(0)[column].ref, Location(Code("BUR"))))
    arena.adjudicate(orders)
    assert arena.position(0).phase == rules.opening.phase
    assert str(arena.units(0)[column]) == "A BUR"
    calls: tuple[Callable[[], object], ...] = (
        lambda: arena.step(orders),
        arena.reset,
        arena.random_step,
        lambda: arena.play(1),
    )
    for call in calls:
        with pytest.raises(InvalidArray, match="for whole games"):
            call()
    with pytest.raises(InvalidArray, match="'keep' is for whole games"):
        Arena(arena.tables, 1, keep=[0])


def test_a_game_is_not_adjudicated_twice_without_being_put_anew() -> None:
    rules = library.load("standard")
    arena = Arena(compile_tables(rules, scope=Scope.PHASES), 2)
    position, orders = next(
        found
        for seed in range(99)
        if (found := SHAPES[1](Random(seed), rules, rules.board)) and _dislodges(rules, *found)
    )
    arena.put(1, position)
    row = arena.blank_orders()
    arena.write(row, 1, by_power(position, orders))
    arena.adjudicate(row)
    with pytest.raises(InvalidArray, match="Game 1 was adjudicated; put its next position first"):
        arena.adjudicate(row)


def _dislodges(rules: Rules, position: Position, orders: tuple[MovementOrder, ...]) -> bool:
    return bool(step.process(rules, position, by_power(position, orders)).after.dislodged)


def test_single_phases_of_whole_games_are_stepped_and_not_adjudicated() -> None:
    arena = Arena(library.load("standard"), 1)
    with pytest.raises(InvalidArray, match="whole games go on with 'step'"):
        arena.adjudicate(arena.blank_orders())


def test_tables_of_movements_are_for_no_adjustments() -> None:
    rules = library.load("standard")
    arena = Arena(compile_tables(rules, scope=Scope.MOVEMENTS), 1)
    arena.put(0, replace(rules.opening, phase=Phase("Winter", 1901, PhaseKind.ADJUSTMENTS)))
    for ask in (arena.legal, lambda: arena.adjudicate(arena.blank_orders())):
        with pytest.raises(InvalidArray, match="for single movements, and a game is in an adjustment phase"):
            ask()


def test_dislodged_units_are_only_taken_in_a_retreat_phase() -> None:
    rules = library.load("standard")
    lost = replace(rules.opening, dislodged=(Dislodged(rules.opening.units[0]),))
    with pytest.raises(ImpossiblePosition, match="only in a retreat phase can it be"):
        Arena(rules, 1).put(0, lost)


def test_the_columns_of_units_do_not_matter() -> None:
    # the same position with its units in another order of columns
    both = pair("standard")
    for seed in range(40):
        position, orders = SHAPES[1](Random(seed), both.rules, both.rules.board)
        arena = both.arena
        arena.put(0, position)
        row = arena.blank_orders()
        columns = {unit.space: i for i, unit in enumerate(arena.units(0))}
        for order in orders:
            row[0, columns[order.unit.location.space]] = arena.codes.pack(order)
        plain = arena.resolve(row)
        count = len(position.units)
        shuffled = list(range(count))
        Random(seed).shuffle(shuffled)
        for array in (arena.state.kinds, arena.state.places, row):
            array[0, :count] = array[0, shuffled]
        mixed = arena.resolve(row)
        for one, other in zip(plain, mixed, strict=True):
            assert [int(one[0]) >> column & 1 for column in shuffled] == [int(other[0]) >> i & 1 for i in range(count)]

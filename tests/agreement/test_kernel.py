"""The kernel and the engine judge the same phases: results, reasons, dislodgers, retreats, and the position after."""

from collections import Counter
from pathlib import Path
from random import Random

import pytest

from agree import OPTIONS, SHAPES, differences, pair, taken, warm
from plenipo import library
from plenipo.batch import REASONS, RESULTS, Arena, Codes, InvalidArray, compile_tables
from plenipo.batch.refusals import UnsupportedRules
from plenipo.cases.format import Case, read
from plenipo.cases.run import Verdict, run_case, stages
from plenipo.engine import step
from plenipo.engine.calendar import PhaseKind
from plenipo.engine.outcome import Resolution
from plenipo.engine.position import Position
from plenipo.engine.rules import Rules
from plenipo.errors import InvalidPosition
from plenipo.library import VARIANTS

CASES = Path(__file__).parents[1] / "cases"
FILES = [*sorted(CASES.rglob("*.yaml")), *sorted(VARIANTS.glob("*/cases/*.yaml"))]


@pytest.fixture(scope="module", autouse=True)
def compiled_kernel() -> None:
    warm()


@pytest.mark.parametrize("variant", taken())
def test_both_agree_on_random_phases_of_every_variant(variant: str) -> None:
    assert list(differences(variant, 60 if variant != "standard" else 5 * len(OPTIONS) * 4)) == []


def test_both_agree_on_the_option_of_every_policy_on_knots() -> None:
    for option in OPTIONS:
        for seed in range(12):
            assert list(pair("standard", option).follow(seed, SHAPES[3])) == []


def test_the_sample_holds_every_reason_that_a_movement_can_have() -> None:
    list(differences("standard", 5 * len(OPTIONS) * 4))
    total: Counter[str] = Counter()
    for option in OPTIONS:
        total += pair("standard", option).counts
    missing = [name for name in REACHED if not total[name]]
    assert missing == []


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


def test_a_kernel_that_judges_otherwise_would_be_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    both = pair("standard")
    monkeypatch.setattr(both, "rules", library.load("standard", {"4.A.1": "any", "4.A.7": "no-effect", "4.A.4": "cut"}))
    assert any(list(both.follow(seed, SHAPES[1])) for seed in range(300))


# Every worked case: whatever the cases have the engine judge, the kernel judges too


class _Twice:
    """Judges by the engine, and by the kernel where it takes the rules, and compares."""

    def __init__(self) -> None:
        self.engine = step.process
        self.compared = 0
        self.faults: list[str] = []
        self.arenas: dict[int, Arena | None] = {}

    def process(self, rules: Rules, position: Position, sheets: step.Sheets, *more: object) -> Resolution:
        resolution = self.engine(rules, position, sheets, *more)  # type: ignore[arg-type]  # whatever it takes
        if position.phase.kind is PhaseKind.MOVEMENT:
            self.compare(rules, resolution)
        return resolution

    def arena(self, rules: Rules) -> Arena | None:
        if id(rules) not in self.arenas:
            try:
                self.arenas[id(rules)] = Arena(compile_tables(rules), 1, seed=bytes(32), room=64)
            except UnsupportedRules:
                self.arenas[id(rules)] = None
        return self.arenas[id(rules)]

    def compare(self, rules: Rules, resolution: Resolution) -> None:
        arena = self.arena(rules)
        if arena is None:
            return
        try:
            arena.put(0, resolution.before)
        except InvalidPosition:
            return
        orders = arena.blank_orders()
        units = arena.units(0)
        columns = {unit.space: i for i, unit in enumerate(units)}
        codes = Codes(arena.tables)
        for outcome in resolution.outcomes:
            if outcome.unit is not None:
                illegal = outcome.cause.reason == "illegal"
                order = outcome.order
                orders[0, columns[outcome.unit.space]] = 15 << 20 if illegal else codes.pack(order) if order else 0
        judged = arena.step(orders)
        verdicts = arena.verdicts(judged, 0, units)
        for outcome in resolution.outcomes:
            if outcome.unit is not None:
                mine = verdicts[columns[outcome.unit.space]]
                if mine != (outcome.result, outcome.cause.reason, outcome.dislodged_by):
                    self.faults.append(f"{outcome.order}: {mine}, engine {outcome.result} {outcome.cause.reason}")
        after = arena.position(0)
        if (after.units, after.dislodged) != (resolution.after.units, resolution.after.dislodged):
            self.faults.append(f"after: {after}, engine {resolution.after}")
        self.compared += 1


def test_both_agree_on_every_worked_case(monkeypatch: pytest.MonkeyPatch) -> None:
    twice = _Twice()
    for module in ("plenipo.cases.stage", "plenipo.cases.changing", "plenipo.engine.game"):
        monkeypatch.setattr(f"{module}.process", twice.process, raising=False)
    stage = stages()
    counts: Counter[str] = Counter()
    for path in FILES:
        for case in read(path.read_text(encoding="utf-8"), path.name):
            assert isinstance(case, Case)
            before = twice.compared
            result = run_case(case, stage)
            assert result.outcome is not Verdict.FAILED, result
            assert twice.faults == [], f"{path.name}, {case.id}: {twice.faults}"
            counts[path.parent.name] += twice.compared > before
    assert counts["datc"] > 140
    assert twice.compared > 250


def test_the_words_of_the_kernel_are_those_of_the_engine() -> None:
    assert [str(result) for result in RESULTS][:3] == ["moves", "fails", "holds"]
    assert len(set(RESULTS)) == len(RESULTS)
    assert len(set(REASONS)) == len(REASONS)


def test_an_arena_of_single_phases_is_refused() -> None:
    with pytest.raises(InvalidArray, match="single phases"):
        Arena(compile_tables(library.load("standard"), whole_games=False), 1)


def test_the_columns_of_units_do_not_matter() -> None:
    # the same position with its units in another order of columns
    both = pair("standard")
    for seed in range(40):
        position, orders = SHAPES[1](Random(seed), both.rules)
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

"""Compare the kernel with the engine on random phases: results, reasons, dislodgers, and the position after.

Positions of several shapes, many of them packed with supports and convoys, are adjudicated by both, with orders of
which some fit together and some are illegal; so are the retreats, settlings and adjustments that follow. Where the
kernel cannot go on from phase to phase, as in a game whose board changes, it adjudicates every phase by itself.

    python scripts/agree.py [--phases 200000] [--seed 0] [--variants standard corner ...]
"""

import argparse
import fcntl
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from pathlib import Path
from random import Random

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tests"))

from plenipo import library
from plenipo.batch import (
    REASONS,
    RESULTS,
    Arena,
    Numbering,
    PhaseResults,
    Scope,
    Tables,
    UnsupportedRules,
    compile_tables,
)
from plenipo.batch.adjudicate import movement
from plenipo.batch.bits import CACHE, Array
from plenipo.batch.kinds import unit_word
from plenipo.batch.packing import ILLEGAL, pack
from plenipo.batch.phases import BY_DISORDER
from plenipo.engine.board import Board, Code
from plenipo.engine.calendar import Phase, PhaseKind
from plenipo.engine.dice import SEED_BYTES, Dice
from plenipo.engine.orders import Move, MovementOrder, Retreat
from plenipo.engine.outcome import Cause, MovementResult, Outcome, Reason, Resolution, Result
from plenipo.engine.phases import delays, retreats
from plenipo.engine.phases.step import Written, adjudicate_movement, process
from plenipo.engine.position import Dislodged, Position, Power, Unit
from plenipo.engine.rules import Rules
from strategies import (
    dense_position,
    knotted_battle,
    movement_orders,
    of_any_kind,
    scattered_position,
    small_position,
)

Shape = Callable[[Random, Rules, Board], tuple[Position, tuple[MovementOrder, ...]]]

OPTIONS: Mapping[str, Mapping[str, str]] = {
    "as it is": {},
    "1971": {"rulebook": "1971"},
    "1982": {"rulebook": "1982"},
    "2000": {"rulebook": "2000"},
    "2023": {"rulebook": "2023"},
    "4.A.1 any": {"4.A.1": "any"},
    "4.A.3 intent-or-land": {"4.A.3": "intent-or-land"},
    "4.A.3 explicit": {"4.A.3": "explicit"},
    "4.A.3 1971": {"4.A.3": "1971"},
    "4.A.4 cut": {"4.A.4": "cut"},
    "4.A.5 forbidden": {"4.A.5": "forbidden"},
    "4.A.7 no-effect": {"4.A.7": "no-effect"},
    "4.B.4 required": {"4.B.4": "required"},
    "4.D.8 home": {"4.D.8": "home"},
}
"""Rulebooks and single policies; every choice the kernel knows is among them."""

OF_VARIANTS: Mapping[str, Mapping[str, Mapping[str, str]]] = {
    "napoleonic": {
        "pieces": {"victory_measure": "pieces"},
        "occupy": {"hold_meaning": "occupy"},
        "starving": {"new_centre_sustains": "false"},
        "occupy, starving": {"hold_meaning": "occupy", "new_centre_sustains": "false"},
    },
}
"""Options of single variants that change what the kernel counts."""

ROOM = 64

PAPERS = frozenset({Result.PAID, Result.UNPAID, Result.REFERRED})
"""Results of declarations and payments, which the kernel does not adjudicate."""


def _shaped(shape: Callable[[Random, Board, Sequence[Power]], Position]) -> Shape:
    def made(chance: Random, rules: Rules, board: Board) -> tuple[Position, tuple[MovementOrder, ...]]:
        position = shape(chance, board, [info.name for info in rules.powers])
        position = of_any_kind(chance, board, position)
        return position, movement_orders(chance, board, position)

    return made


def _knotted(chance: Random, rules: Rules, board: Board) -> tuple[Position, tuple[MovementOrder, ...]]:
    position, orders = knotted_battle(chance, board)
    powers = chance.sample(rules.names, min(4, len(rules.names)))
    names: dict[Power, Power] = {}
    units = tuple(
        unit._replace(power=names.setdefault(unit.power, powers[len(names) % len(powers)])) for unit in position.units
    )
    position = replace(position, units=units)
    mixed = of_any_kind(chance, board, position)
    # orders name coasts, and other kinds may reach others of them
    return mixed, orders if mixed is position else movement_orders(chance, board, mixed)


SHAPES: tuple[Shape, ...] = (
    _shaped(small_position),
    _shaped(dense_position),
    _shaped(dense_position),
    _knotted,
    _shaped(scattered_position),
)


@dataclass
class Pair:
    """One set of rules, played by the engine and, in one game of an arena, by the kernel."""

    rules: Rules
    counts: Counter[str] = field(default_factory=Counter)

    def __post_init__(self) -> None:
        self.arena = Arena(self.rules, 1, seed=bytes(32), room=ROOM)
        self.numbering = _numbering(self.arena.tables)

    def follow(self, seed: int, shape: Shape) -> Iterator[str]:
        """Adjudicate a movement of `seed` and the phases after it; yield a sentence for each difference."""
        chance = Random(seed)  # noqa: S311  # seeded chance, so that a difference can be looked at again
        position, orders = self._begun(chance, shape)
        if not position.units or len(position.units) > ROOM:
            return
        self.take(position)
        row = self._movement(chance, orders)
        for i, unit in enumerate(self.arena.units(0)):
            if any(module.why_no_orders(self.rules, position, unit) for module in self.rules.modules):
                row[0, i] = 0  # to the kernel, a unit that takes no orders has none
        while True:
            order_sets = self.arena.orders_of(row, 0)
            resolution = process(self.rules, position, order_sets, Dice(seed.to_bytes(SEED_BYTES, "big")))
            faults = list(self._compare(row, resolution))
            yield from faults
            if faults:
                return  # the two positions differ from here on
            position = resolution.after
            if position.winners or position.phase.kind is PhaseKind.MOVEMENT or len(position.units) > ROOM:
                return
            self.go_on(position)
            row = self._retreats(chance) if position.phase.kind is PhaseKind.RETREATS else self._adjustments(chance)

    def _begun(self, chance: Random, shape: Shape) -> tuple[Position, tuple[MovementOrder, ...]]:
        """Return a position and orders for it: a movement of the first years, with random owners of some centres."""
        position, orders = shape(chance, self.rules, self.rules.board)
        calendar = self.rules.calendar
        first = calendar.start if calendar.first_year is None else calendar.first_year
        movements = [step for step in (*calendar.opening, *calendar.cycle) if step.kind is PhaseKind.MOVEMENT]
        step = chance.choice(movements)
        position = replace(
            position,
            phase=Phase(step.season, first + chance.randint(0, 3), step.kind),
            owners=_owners(chance, self.rules, self.rules.board),
            homes=self.rules.opening.homes,
        )
        # memory of centres that do not count at once: the same owners were seen before
        if delay := self.arena.tables.facts.delay:
            for _ in range(2):
                position = delays.settle(self.rules, position, delay).position
        return position, orders

    def take(self, position: Position) -> None:
        """Set the kernel to a position."""
        self.arena.put(0, position)

    def go_on(self, position: Position) -> None:
        """Follow the engine to `position`, which the kernel has reached on its own."""

    def results(self, row: Array) -> PhaseResults:
        """Return the kernel's results for the orders of a phase."""
        return self.arena.step(row)

    # Orders

    def _movement(self, chance: Random, orders: tuple[MovementOrder, ...]) -> Array:
        """Return the orders as the row of the game; some units get any order at all, legal or not."""
        row = self.arena.blank_orders()
        columns = {unit.space: (i, unit) for i, unit in enumerate(self.arena.units(0))}
        noise = chance.choice((0.0, 0.0, 0.0, 0.1, 0.5))
        for order in orders:
            i, unit = columns[order.unit.location.space]
            row[0, i] = self.arena.codes.pack(order)
            if chance.random() < noise:
                row[0, i] = self._any(chance, unit, 1, 5)
        return row

    def _any(self, chance: Random, unit: Unit, least: int, most: int) -> int:
        """Return any order of a unit among these kinds, legal now or not."""
        tables, keys = self.arena.tables, self.numbering.keys
        base = unit_word(tables.location_number[unit.location], tables.kind_number[unit.kind]) + 1
        first, last = np.searchsorted(
            keys, np.array([(base << 25) | (least << 20), (base << 25) | (most + 1) << 20], np.uint64)
        )
        return int(keys[chance.randrange(int(first), int(last))]) & (1 << 25) - 1

    def _retreats(self, chance: Random) -> Array:
        row, legal = self.arena.blank_orders(), self.arena.legal()
        units = self.arena.units(0)
        for i, unit in enumerate(units):
            found = legal.of(0, i)
            if len(found):
                row[0, i] = chance.choice([0, *found.tolist(), *found.tolist(), self._any(chance, unit, 6, 7)])
        return row

    def _adjustments(self, chance: Random) -> Array:
        """Return legal orders of each power in any order, sometimes too many, and some that are not legal."""
        row, legal = self.arena.blank_orders(), self.arena.legal()
        given: list[int] = []
        for power in range(self.arena.tables.players):
            found = legal.of(0, power).tolist()
            given += chance.sample(found, chance.randint(0, len(found)))
        keys = self.numbering.keys
        loose = keys[: int(np.searchsorted(keys, np.uint64(1 << 25)))]
        for _ in range(chance.choice((0, 0, 1, 3))):
            given.insert(chance.randint(0, len(given)), int(chance.choice(loose[1:].tolist())))
        given = given[:ROOM]
        row[0, : len(given)] = given
        return row

    # Comparing

    def _compare(self, row: Array, resolution: Resolution) -> Iterator[str]:
        before = resolution.before
        kind = before.phase.kind
        units = self.arena.units(0)
        self.counts[str(kind)] += 1
        rows = [array[0].tolist() for array in self.results(row)]
        where = f"{self.rules.variant}, {before.phase}"
        if kind is PhaseKind.ADJUSTMENTS:
            yield from self._compare_adjustments(where, row[0].tolist(), rows, units, resolution)
        else:
            yield from self._compare_units(where, rows, units, resolution)
        yield from self._compare_after(where, resolution)

    def _compare_after(self, where: str, resolution: Resolution) -> Iterator[str]:
        mine, theirs = self.arena.position(0), resolution.after
        for name in ("phase", "units", "dislodged", "owners", "winners"):
            if getattr(mine, name) != getattr(theirs, name):
                yield f"{where}: {name} {getattr(mine, name)}, engine {getattr(theirs, name)}"
        if theirs.dislodged and mine.contested != theirs.contested:
            yield f"{where}: contested {mine.contested}, engine {theirs.contested}"
        homes = [{power: codes for power, codes in p.homes.items() if codes} for p in (mine, theirs)]
        if homes[0] != homes[1]:
            yield f"{where}: homes {homes[0]}, engine {homes[1]}"

    def _compare_units(
        self, where: str, rows: list[list[int]], units: Sequence[Unit], resolution: Resolution
    ) -> Iterator[str]:
        results, reasons, by = rows
        movement = resolution.before.phase.kind is PhaseKind.MOVEMENT
        leaving = {dislodged.unit for dislodged in resolution.before.dislodged}
        columns = {unit.space: i for i, unit in enumerate(units) if movement or unit in leaving}
        for outcome in resolution.outcomes:
            if outcome.unit is None or outcome.result in PAPERS:
                continue
            i = columns[outcome.unit.space]
            foe = units[by[i]] if movement and by[i] < len(units) else None
            mine = (RESULTS[results[i]], REASONS[reasons[i]], foe)
            reason = Reason.NO_ORDER if outcome.cause.reason is Reason.SILENCED else outcome.cause.reason
            theirs = (outcome.result, reason, outcome.dislodged_by)
            self.counts[f"{outcome.result}: {outcome.cause.reason}"] += 1
            if mine != theirs:
                yield f"{where}: {units[i].power} '{outcome.order}' {mine}, engine {theirs}"

    def _compare_adjustments(
        self, where: str, orders: list[int], rows: list[list[int]], units: Sequence[Unit], resolution: Resolution
    ) -> Iterator[str]:
        results, _, fates = rows
        mine: Counter[tuple[str, str]] = Counter()
        for packed, result in zip(orders, results, strict=True):
            if packed == 0:
                break
            if RESULTS[result] is not Result.VOID:
                at = {unit.space: unit.ref for unit in units}
                mine[RESULTS[result], str(self.arena.codes.order(packed, None, at))] += 1
        for unit, fate in zip(units, fates, strict=False):
            if fate == BY_DISORDER:
                mine["disorder", str(unit)] += 1
        theirs: Counter[tuple[str, str]] = Counter()
        for outcome in resolution.outcomes:
            if outcome.cause.reason is Reason.CIVIL_DISORDER:
                theirs["disorder", str(outcome.unit)] += 1
            elif outcome.order is not None and outcome.result is not Result.VOID:
                theirs[outcome.result, str(outcome.order)] += 1
            self.counts[f"{outcome.result}: {outcome.cause.reason}"] += 1
        if mine != theirs:
            yield f"{where}: adjustments {mine - theirs}, engine {theirs - mine}"


class Apart(Pair):
    """One set of rules; the kernel adjudicates each phase separately, on the board of that phase."""

    def __post_init__(self) -> None:
        pass  # the arena of the current board

    def again(self, resolution: Resolution) -> Iterator[str]:
        """Have the kernel adjudicate the engine's phase; yield a sentence for each difference.

        Raises `InvalidPosition` for a position the kernel cannot hold, and `UnsupportedRules`.
        """
        self.take(resolution.before)
        row = self.arena.blank_orders()
        orders = [self._packed(outcome) for outcome in resolution.outcomes if outcome.result not in PAPERS]
        if resolution.before.phase.kind is PhaseKind.ADJUSTMENTS:
            given = [order for order in orders if order]
            row[0, : len(given)] = given
        else:
            columns = {unit.space: i for i, unit in enumerate(self.arena.units(0))}
            if resolution.before.phase.kind is PhaseKind.RETREATS:
                leaving = {lost.unit for lost in resolution.before.dislodged}
                columns = {unit.space: i for i, unit in enumerate(self.arena.units(0)) if unit in leaving}
            for outcome, order in zip(resolution.outcomes, orders, strict=False):
                if outcome.unit:
                    row[0, columns[outcome.unit.space]] = order
        yield from self._compare(row, resolution)

    def _packed(self, outcome: Outcome) -> int:
        """Return the order of an outcome as a number."""
        if outcome.cause.reason is Reason.ILLEGAL:
            return pack(ILLEGAL)
        by_itself = outcome.cause.reason is Reason.CIVIL_DISORDER or outcome.order is None
        return 0 if by_itself or outcome.order is None else self.arena.codes.pack(outcome.order, outcome.power)

    def take(self, position: Position) -> None:
        """Set the kernel to a position on its current board."""
        board = self.rules.board_at(position)
        known = board.answers.setdefault("agree", {})
        if self.rules not in known:
            tables = compile_tables(self.rules, board, Scope.PHASES)
            known[self.rules] = Arena(tables, 1, seed=bytes(SEED_BYTES), room=ROOM)
        self.arena: Arena = known[self.rules]
        self.numbering = _numbering(self.arena.tables)
        self.arena.put(0, position)

    def go_on(self, position: Position) -> None:
        """Set the kernel to the engine's next position."""
        self.take(position)

    def results(self, row: Array) -> PhaseResults:
        """Return the kernel's results for the orders of a phase, without leaving the phase."""
        return self.arena.adjudicate(row)

    def _compare_after(self, where: str, resolution: Resolution) -> Iterator[str]:
        """Compare the retreats open to dislodged units; only the engine decides the rest."""
        if resolution.before.phase.kind is not PhaseKind.MOVEMENT:
            return
        calendar = self.arena.tables.calendar
        here = int(self.arena.state.step[0])
        self.arena.state.step[0] = next(i for i, step in enumerate(calendar) if step.kind is PhaseKind.RETREATS)
        legal, units = self.arena.legal(), self.arena.units(0)
        columns = {unit: i for i, unit in enumerate(units)}
        self.arena.state.step[0] = here
        for outcome in resolution.outcomes:
            unit = outcome.unit
            if unit is None or outcome.dislodged_by is None:
                continue
            lost = Dislodged(unit, outcome.dislodged_by)
            if retreats.why_none(self.rules, resolution.before, lost):
                continue
            orders = [self.arena.codes.order(packed, unit.ref, {}) for packed in legal.of(0, columns[unit]).tolist()]
            mine = {order.to for order in orders if isinstance(order, Retreat)}
            self.counts["retreats offered"] += len(mine)
            if mine != set(outcome.retreats):
                yield f"{where}: {unit} may retreat to {mine}, engine {outcome.retreats}"


class Between(Apart):
    """Rules that only the engine can take from phase to phase: the kernel adjudicates each phase on its own board.

    The boards come from random games in which no power gives orders. Drawing a new board takes the engine far longer
    than adjudicating, so most seeds end with the movement, before a board is drawn.
    """

    WHOLE = 8
    """One seed in this many is followed to the next movement."""

    def __post_init__(self) -> None:
        self.bases = [base for seed in range(3) for base in self._drawn(seed)]
        self.take(self.bases[0])

    def follow(self, seed: int, shape: Shape) -> Iterator[str]:
        """Do as `Pair.follow`, or compare the movement alone."""
        if seed % self.WHOLE == 0:
            yield from super().follow(seed, shape)
            return
        chance = Random(seed)  # noqa: S311  # seeded chance, so that a difference can be looked at again
        position, orders = self._begun(chance, shape)
        if position.units and len(position.units) <= ROOM:
            self.take(position)
            order_sets = self.arena.orders_of(self._movement(chance, orders), 0)
            try:
                process(self.rules, position, order_sets, adjudicator=_adjudicated_twice)
            except _AdjudicatedTwice as twice:
                yield from self._compare_results(position, *twice.results)

    def _compare_results(self, position: Position, mine: MovementResult, theirs: MovementResult) -> Iterator[str]:
        where = f"{self.rules.variant}, {position.phase}"
        self.counts["movement"] += 1
        for one, other in zip(mine.outcomes, theirs.outcomes, strict=True):
            self.counts[f"{other.result}: {other.cause.reason}"] += 1
            if _bare(one) != _bare(other):
                yield f"{where}: {one}, engine {other}"
        if mine.moved != theirs.moved:
            yield f"{where}: moved {mine.moved}, engine {theirs.moved}"
        goals = {outcome.order.to.space for outcome in theirs.outcomes if isinstance(outcome.order, Move)}
        vacant = goals - {unit.space for unit in _after(position, theirs)}
        if mine.contested & vacant != theirs.contested & vacant:
            yield f"{where}: contested {mine.contested}, engine {theirs.contested}"
        dislodgers = {position.units.index(o.dislodged_by) for o in theirs.outcomes if o.dislodged_by}
        if mine.afloat & dislodgers != theirs.afloat:
            yield f"{where}: by sea {mine.afloat}, engine {theirs.afloat}"

    def _drawn(self, seed: int) -> Iterator[Position]:
        """Yield the movements of the first three years of a game."""
        position, dice = self.rules.opening, Dice((1 + seed).to_bytes(SEED_BYTES, "big"))
        while position.phase.year < self.rules.calendar.start + 3:
            if position.phase.kind is PhaseKind.MOVEMENT:
                yield position
            position = process(self.rules, position, {}, dice).after

    def _begun(self, chance: Random, shape: Shape) -> tuple[Position, tuple[MovementOrder, ...]]:
        """Return random units on the board of a game, and random owners of centres."""
        base = chance.choice(self.bases)
        board = self.rules.board_at(base)
        position, orders = shape(chance, self.rules, board)
        return replace(base, units=position.units, owners=_owners(chance, self.rules, board)), orders


class _AdjudicatedTwice(Exception):  # noqa: N818  # it carries an answer and is no error
    """Carry both results of a movement and end the phase before they take effect."""

    def __init__(self, mine: MovementResult, theirs: MovementResult) -> None:
        super().__init__()
        self.results = mine, theirs


def _bare(outcome: Outcome) -> Outcome:
    """Return an outcome with its reason, without the parts that only the engine adds."""
    return outcome._replace(said="", cause=Cause(outcome.cause.reason), fall=None)


def _adjudicated_twice(
    rules: Rules, position: Position, orders: Sequence[MovementOrder | None], written: Sequence[Written]
) -> MovementResult:
    """Adjudicate a movement with both and stop."""
    raise _AdjudicatedTwice(
        movement(rules, position, orders, written), adjudicate_movement(rules, position, orders, written)
    )


def _after(position: Position, result: MovementResult) -> Iterator[Unit]:
    """Yield the units at their places after the moves."""
    for i, (unit, outcome) in enumerate(zip(position.units, result.outcomes, strict=True)):
        if not outcome.dislodged_by:
            order = outcome.order
            yield unit._replace(location=order.to) if i in result.moved and isinstance(order, Move) else unit


def _owners(chance: Random, rules: Rules, board: Board) -> dict[Code, Power]:
    """Return random owners of most centres."""
    owned = [code for code in sorted(board.centres) if chance.random() < 0.8]
    return {code: chance.choice(rules.names) for code in owned}


def _numbering(tables: Tables) -> Numbering:
    """Return the numbering of a board, made once for all options."""
    known = tables.board.answers.setdefault("numbering", {})
    if not known:
        known[None] = Numbering(tables)
    found: Numbering = known[None]
    return found


def options_of(variant: str) -> Mapping[str, Mapping[str, str]]:
    """Return the options under which a variant is compared, by name."""
    return {**OPTIONS, **OF_VARIANTS.get(variant, {})}


@cache
def pair(variant: str, option: str = "as it is") -> Pair:
    """Return both implementations of a variant with one option; raise `UnsupportedRules` if the kernel has none."""
    rules = library.load(variant, options_of(variant)[option])
    return Pair(rules) if variant in taken() else Between(rules)


def warm() -> None:
    """Compile the kernel in one process; the others wait and then find it in the cache."""
    CACHE.mkdir(parents=True, exist_ok=True)
    with (CACHE / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        arena = Arena(library.load("standard"), 1, seed=bytes(32))
        arena.legal()
        arena.resolve(arena.blank_orders())
        arena.step(arena.blank_orders())


@cache
def taken() -> tuple[str, ...]:
    """Return the package's variants whose whole games the kernel plays."""
    found = []
    for name in library.names():
        try:
            compile_tables(library.load(name))
        except UnsupportedRules:
            continue
        found.append(name)
    return tuple(found)


def adjudicated_by_phases() -> tuple[str, ...]:
    """Return the package's other variants whose phases the kernel adjudicates."""
    found = []
    for name in sorted(set(library.names()) - set(taken())):
        try:
            compile_tables(library.load(name), scope=Scope.PHASES)
        except UnsupportedRules:
            continue
        found.append(name)
    return tuple(found)


def differences(variant: str, phases: int, seed: int = 0) -> Iterator[str]:
    """Yield the differences in so many movements of a variant and the phases after them, option by option."""
    options = tuple(options_of(variant))
    for n in range(phases):
        option = options[n // len(SHAPES) % len(options)]
        for fault in pair(variant, option).follow(seed + n, SHAPES[n % len(SHAPES)]):
            yield f"seed {seed + n}, options {option}, {fault}"


def total(variant: str) -> Counter[str]:
    """Return the number of comparisons so far for a variant, over all its options."""
    return sum((pair(variant, option).counts for option in options_of(variant)), Counter())


def main() -> None:
    """Run the comparison and print the counts; exit with 1 if anything differs."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--phases", type=int, default=200_000, help="movement phases in all")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--variants", nargs="*", help="those the kernel takes, if left out")
    arguments = parser.parse_args()
    variants = arguments.variants or (*taken(), *adjudicated_by_phases())
    each = -(-arguments.phases // len(variants))
    begin, faults = time.perf_counter(), 0
    for variant in variants:
        for fault in differences(variant, each, arguments.seed):
            faults += 1
            print(fault)
        print(f"{variant}: {each} movements done after {time.perf_counter() - begin:.0f} s", flush=True)
    counts = sum((total(variant) for variant in variants), Counter[str]())
    for name, count in sorted(counts.items()):
        print(f"{count:9} {name}")
    print(
        f"{counts['movement']} movements, {counts['retreats']} retreat and {counts['adjustments']} adjustment phases: "
        f"{faults} differences"
    )
    sys.exit(1 if faults else 0)


if __name__ == "__main__":
    main()

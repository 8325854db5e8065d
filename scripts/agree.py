"""Compare the kernel with the engine on random phases: results, reasons, dislodgers, and the position after.

Positions of several shapes, many of them packed with supports and convoys, are judged by both, with orders of which
some fit together and some are illegal; the retreats, settlings and adjustments that follow are judged by both as well.

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
from plenipo.batch import REASONS, RESULTS, Arena, Numbering, UnsupportedRules, compile_tables
from plenipo.batch.bits import CACHE, Array
from plenipo.batch.phases import BY_DISORDER
from plenipo.engine.board import Board
from plenipo.engine.calendar import Phase, PhaseKind
from plenipo.engine.orders import MovementOrder
from plenipo.engine.outcome import Reason, Resolution, Result
from plenipo.engine.position import Position, Power, Unit
from plenipo.engine.rules import Rules
from plenipo.engine.step import process
from strategies import dense_position, knotted_battle, movement_orders, scattered_position, small_position

Shape = Callable[[Random, Rules], tuple[Position, tuple[MovementOrder, ...]]]

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

ROOM = 64


def _shaped(shape: Callable[[Random, Board, Sequence[Power]], Position]) -> Shape:
    def made(chance: Random, rules: Rules) -> tuple[Position, tuple[MovementOrder, ...]]:
        position = shape(chance, rules.board, [info.name for info in rules.powers])
        return position, movement_orders(chance, rules.board, position)

    return made


def _knotted(chance: Random, rules: Rules) -> tuple[Position, tuple[MovementOrder, ...]]:
    position, orders = knotted_battle(chance, rules.board)
    powers = chance.sample(rules.names, min(4, len(rules.names)))
    names: dict[Power, Power] = {}
    units = tuple(
        unit._replace(power=names.setdefault(unit.power, powers[len(names) % len(powers)])) for unit in position.units
    )
    return replace(position, units=units), orders


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
        self.numbering = _numbering(self.rules)
        self.movements = [step for step in self.arena.tables.calendar if step.kind is PhaseKind.MOVEMENT]

    def follow(self, seed: int, shape: Shape) -> Iterator[str]:
        """Judge a movement of `seed` and what follows it; a sentence for each difference."""
        chance = Random(seed)  # noqa: S311  # seeded chance, so that a difference can be looked at again
        position, orders = shape(chance, self.rules)
        if not position.units or len(position.units) > ROOM:
            return
        calendar = self.rules.calendar
        first = calendar.start if calendar.first_year is None else calendar.first_year
        step = chance.choice(self.movements)
        phase = Phase(step.season, first + chance.randint(0, 3), step.kind)
        owned = [code for code in sorted(self.rules.board.centres) if chance.random() < 0.8]
        opening = self.rules.opening
        position = replace(
            position,
            phase=phase,
            owners={code: chance.choice(self.rules.names) for code in owned},
            homes=opening.homes,
        )
        # what rule modules remember: the same owners were seen before
        for module in self.rules.modules:
            for _ in range(2):
                position = replace(position, slots=module.settled(self.rules, position, phase)[0].slots)
        self.arena.put(0, position)
        row = self._movement(chance, orders)
        while True:
            sheets = self.arena.orders_of(row, 0)
            resolution = process(self.rules, position, sheets)
            faults = list(self._compare(row, resolution))
            yield from faults
            if faults:
                return  # from here on the two are not in one position
            position = resolution.after
            if position.winners or position.phase.kind is PhaseKind.MOVEMENT:
                return
            row = self._retreats(chance) if position.phase.kind is PhaseKind.RETREATS else self._adjustments(chance)

    # Orders

    def _movement(self, chance: Random, orders: tuple[MovementOrder, ...]) -> Array:
        """The orders in the row of the game; now and then some are any orders of their units, legal or not."""
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
        """Any order of a unit of these kinds, whether or not it is legal now."""
        tables, keys = self.arena.tables, self.numbering.keys
        base = tables.location_number[unit.location] * 2 + (unit.kind == "F") + 1
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
        """Legal orders of each power, in any order and now and then too many, and some that are not legal."""
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
        judged = self.arena.step(row)
        rows = [array[0].tolist() for array in judged]
        told = f"{self.rules.variant}, {before.phase}"
        if kind is PhaseKind.ADJUSTMENTS:
            yield from self._compare_adjustments(told, row[0].tolist(), rows, units, resolution)
        else:
            yield from self._compare_units(told, rows, units, resolution)
        mine, theirs = self.arena.position(0), resolution.after
        for name in ("phase", "units", "dislodged", "owners", "winners"):
            if getattr(mine, name) != getattr(theirs, name):
                yield f"{told}: {name} {getattr(mine, name)}, engine {getattr(theirs, name)}"
        if theirs.dislodged and mine.contested != theirs.contested:
            yield f"{told}: contested {mine.contested}, engine {theirs.contested}"
        homes = [{power: codes for power, codes in p.homes.items() if codes} for p in (mine, theirs)]
        if homes[0] != homes[1]:
            yield f"{told}: homes {homes[0]}, engine {homes[1]}"

    def _compare_units(
        self, told: str, rows: list[list[int]], units: Sequence[Unit], resolution: Resolution
    ) -> Iterator[str]:
        results, reasons, by = rows
        movement = resolution.before.phase.kind is PhaseKind.MOVEMENT
        leaving = {dislodged.unit for dislodged in resolution.before.dislodged}
        columns = {unit.space: i for i, unit in enumerate(units) if movement or unit in leaving}
        for outcome in resolution.outcomes:
            assert outcome.unit is not None  # noqa: S101  # only builds have no unit
            i = columns[outcome.unit.space]
            foe = units[by[i]] if movement and by[i] < len(units) else None
            mine = (RESULTS[results[i]], REASONS[reasons[i]], foe)
            theirs = (outcome.result, outcome.cause.reason, outcome.dislodged_by)
            self.counts[f"{outcome.result}: {outcome.cause.reason}"] += 1
            if mine != theirs:
                yield f"{told}: {units[i].power} '{outcome.order}' {mine}, engine {theirs}"

    def _compare_adjustments(
        self, told: str, orders: list[int], rows: list[list[int]], units: Sequence[Unit], resolution: Resolution
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
            yield f"{told}: adjustments {mine - theirs}, engine {theirs - mine}"


_numberings: dict[int, Numbering] = {}


def _numbering(rules: Rules) -> Numbering:
    """The numbering of a board, made once for all options."""
    found = _numberings.get(id(rules.board))
    if found is None:
        found = _numberings[id(rules.board)] = Numbering(compile_tables(rules, whole_games=False))
    return found


@cache
def pair(variant: str, option: str = "as it is") -> Pair:
    """Both implementations of a variant with one of `OPTIONS`; raises `UnsupportedRules` if the kernel cannot."""
    return Pair(library.load(variant, OPTIONS[option]))


def warm() -> None:
    """Have the kernel compiled, by one process for all: the others wait and then find it in the cache."""
    CACHE.mkdir(parents=True, exist_ok=True)
    with (CACHE / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        arena = Arena(library.load("standard"), 1, seed=bytes(32))
        arena.legal()
        arena.resolve(arena.blank_orders())
        arena.step(arena.blank_orders())


def taken() -> tuple[str, ...]:
    """The variants of the package that the kernel takes."""
    found = []
    for name in library.names():
        try:
            compile_tables(library.load(name))
        except UnsupportedRules:
            continue
        found.append(name)
    return tuple(found)


def differences(variant: str, phases: int, seed: int = 0, options: Sequence[str] = tuple(OPTIONS)) -> Iterator[str]:
    """Differences in so many movements of a variant and what follows them, the options and shapes in turn."""
    for n in range(phases):
        both = pair(variant, options[n // len(SHAPES) % len(options)])
        for fault in both.follow(seed + n, SHAPES[n % len(SHAPES)]):
            yield f"seed {seed + n}, options {options[n // len(SHAPES) % len(options)]}, {fault}"


def main() -> None:
    """Run the comparison and print what was compared; the exit status is 1 if anything differs."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--phases", type=int, default=200_000, help="movement phases in all")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--variants", nargs="*", help="those the kernel takes, if left out")
    arguments = parser.parse_args()
    variants = arguments.variants or taken()
    each = -(-arguments.phases // len(variants))
    begin, faults = time.perf_counter(), 0
    for variant in variants:
        for fault in differences(variant, each, arguments.seed):
            faults += 1
            print(fault)
        print(f"{variant}: {each} movements done after {time.perf_counter() - begin:.0f} s", flush=True)
    total: Counter[str] = Counter()
    for variant in variants:
        for option in OPTIONS:
            total += pair(variant, option).counts
    for name, count in sorted(total.items()):
        print(f"{count:9} {name}")
    print(
        f"{total['movement']} movements, {total['retreats']} retreat and {total['adjustments']} adjustment phases: "
        f"{faults} differences"
    )
    sys.exit(1 if faults else 0)


if __name__ == "__main__":
    main()

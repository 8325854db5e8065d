"""The lookup tables of one variant, so that a line is looked up and not parsed: pieces, orders, phases."""

import json
from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

import numpy as np

from plenipo.batch.arena import Arena
from plenipo.batch.bits import Array
from plenipo.batch.codes import Codes
from plenipo.batch.packing import WAIVE, pack
from plenipo.batch.tables import NOBODY, STEPS, Tables
from plenipo.engine.board import Code, Location, UnitKind
from plenipo.engine.calendar import PhaseKind
from plenipo.engine.dice import SEED_BYTES
from plenipo.engine.orders import Build, Convoy, Disband, Hold, Move, Order, Ref, Remove, Retreat, Support, Waive
from plenipo.engine.phases.convoys import landings
from plenipo.engine.reading.notation import notation_of

__all__ = [
    "MOST_POWERS",
    "NO_PIECE",
    "TOGETHER",
    "KernelPhase",
    "Passed",
    "UnusualError",
    "VariantLookup",
    "remembered",
    "spread",
]

TOGETHER = 512
"""The number of lines that are adjudicated together."""

MOST_POWERS = 32
"""A piece of a power is one number: the piece times this, and the power."""

NO_PIECE = (1 << 12) - 1
"""Stands for no piece; there are fewer pieces than that."""

_REMEMBERED = 50_000


remembered = lru_cache(_REMEMBERED)
"""Makes a function remember its newest answers; made with its object, so that it goes when that does."""


class UnusualError(Exception):
    """The line is to be answered by itself."""


class KernelPhase(NamedTuple):
    """A phase as the kernel has it."""

    step: int
    year: int
    kind: PhaseKind


class Passed(NamedTuple):
    """The steps passed between a phase and the next: True if ownership was settled, and if homes were fixed."""

    settled: bool
    fixed: bool


class VariantLookup:
    """Everything about one variant that turns texts into numbers.

    Pieces (a kind of unit at a location) are numbered in the order in which positions list them, centres by the
    alphabet, which is not the order in which the kernel has them: `kernel_centres` leads there.
    """

    def __init__(self, tables: Tables) -> None:
        self.tables, self.rules = tables, tables.rules
        self.notation = notation_of(self.rules)
        self.arena = Arena(tables, TOGETHER, seed=bytes(SEED_BYTES))
        self._codes = Codes(tables)
        board = tables.board
        standing = sorted(
            (location, kind, text)
            for text, (kind, location) in board.standing.items()
            if location in tables.location_number
        )
        if len(standing) >= NO_PIECE:
            raise UnusualError
        self.texts = [text for _, _, text in standing]
        self.locations = [location for location, _, _ in standing]
        self.kinds = [kind for _, kind, _ in standing]
        self.number = {text: i for i, text in enumerate(self.texts)}
        self.place = np.array([tables.location_number[location] for location in self.locations])
        self.kind = np.array([tables.kind_number[kind] for kind in self.kinds])
        self.space = np.array([tables.space_number[location.space] for location in self.locations])
        self.piece_at = np.full((len(tables.locations), len(tables.kinds)), NO_PIECE)
        self.piece_at[self.place, self.kind] = np.arange(len(standing))
        self.powers: dict[str, int] = {name: tables.power_number[name] for name in self.rules.names}
        self.spaces: dict[str, int] = {code: i for i, code in enumerate(tables.spaces)}
        self.codes = sorted(tables.centres)
        self.kernel_centres = np.array([tables.centre_number[code] for code in self.codes], np.int64)
        self.centre_of_space = np.full(len(tables.spaces) + 1, len(self.codes))
        self.space_of_centre = np.array([tables.space_number[code] for code in self.codes], np.int64)
        self.centre_of_space[self.space_of_centre] = np.arange(len(self.codes))
        self.centre: dict[str, int] = {code: i for i, code in enumerate(self.codes)}
        self.home = np.full(len(self.codes), NOBODY, np.uint8)
        for power, codes in self.rules.opening.homes.items():
            for code in codes:
                self.home[self.centre[code]] = tables.power_number[power]
        self.orders: dict[PhaseKind, dict[str, int]] = {kind: {} for kind in STEPS}
        self.delay = tables.facts.delay
        self._fixed = self.rules.facts.fixed
        self.moment = remembered(self._moment)
        self.near = remembered(self._near)
        self.passed = remembered(self._find_passed_steps)

    # -- texts to numbers

    def _moment(self, text: str) -> KernelPhase:
        """Return the phase written as `text`; raise `UnusualError` for one in which the kernel takes no orders."""
        phase = self.rules.calendar.read(text)
        if phase.kind not in {PhaseKind.MOVEMENT, PhaseKind.RETREATS, PhaseKind.ADJUSTMENTS}:
            raise UnusualError
        if not -30_000 < phase.year < 30_000:
            raise UnusualError
        return KernelPhase(self.tables.step_of(phase), phase.year, phase.kind)

    def read(self, texts: Sequence[str], kind: PhaseKind) -> None:
        """Remember the orders among `texts` that are not known; -1 stands for one that a position must complete.

        Otherwise an order is one number: its packed form, 12 bits of its piece and 12 of the other that it names.
        """
        known = self.orders[kind]
        if len(known) > _REMEMBERED:
            known.clear()
        for text in texts:
            if text not in known:
                if len(text) > 60 or ":" in text:
                    raise UnusualError
                known[text] = self._pack_order(self.notation.read(text, kind))

    def _pack_order(self, order: Order) -> int:
        if order == Waive():
            return pack(WAIVE, 1) | NO_PIECE << 32 | NO_PIECE << 44
        unit: Ref | None = getattr(order, "unit", None)
        other: Ref | None = getattr(order, "other", None)
        if unit is None or str(unit) not in self.number or (other and str(other) not in self.number):
            return -1
        match order:
            case Hold() | Disband() | Remove() | Build() | Support(to=None):
                pass
            case Move(to=to, via=via):
                if not self._complete(unit, to) or (via and self._may_walk(unit, to)):
                    return -1
            case Retreat(to=to):
                if not self._complete(unit, to):
                    return -1
            case Support(to=Location() as to) | Convoy(to=to) if other:
                if to.coast and not self._complete(other, to):
                    return -1  # a support may leave the coast out
            case _:
                return -1
        named = self.number[str(other)] if other else NO_PIECE
        return self._codes.pack(order) | self.number[str(unit)] << 32 | named << 44

    def _may_walk(self, unit: Ref, to: Location) -> bool:
        """Return True if a unit ordered to move by convoy goes by land where no chain of fleets is possible (4.A.3)."""
        near = to.space in self.tables.board.reach(unit.kind or UnitKind.ARMY, unit.location)
        return near and self.rules.rulebook["4.A.3"] not in {"intent", "explicit"}

    def _complete(self, unit: Ref, to: Location) -> bool:
        """Return True if a destination names a coast exactly where its unit needs one."""
        coasts = self.tables.board.spaces[to.space].coasts
        return to.coast in coasts if unit.kind in self.tables.board.sailing and coasts else not to.coast

    # -- the board

    def _near(self, piece: int) -> tuple[tuple[int, str], ...]:
        """Return where a piece can go without a convoy.

        The result has spaces, and the locations in them as JSON, in the engine's order.
        """
        tables = self.tables
        row = tables.arrays.near[int(self.kind[piece]), int(self.place[piece])]
        locations = sorted(tables.locations[to] for to in row[1 : row[0] + 1].tolist())
        return tuple((tables.space_number[location.space], json.dumps(str(location))) for location in locations)

    def can_convoy(self, fleets: frozenset[Code], start: int, to: int) -> bool:
        """Return True if fleets in these seas could convoy an army from one space to another."""
        spaces = self.tables.spaces
        return spaces[to] in landings(self.tables.board, fleets, spaces[start])

    # -- the calendar

    def _find_passed_steps(self, step: int, year: int, next_step: int, next_year: int) -> Passed:
        """Return the steps passed between two phases."""
        settled = fixed = False
        last = self.tables.phase(next_step, next_year)
        for phase in self.rules.calendar.after(self.tables.phase(step, year)):
            if phase == last:
                break
            if phase.kind is PhaseKind.OWNERSHIP:
                settled = True
                fixed |= self._fixed is not None and phase.year == self._fixed.year
        return Passed(settled, fixed)


def spread(flat: Array, counts: Array, columns: int, fill: int) -> Array:
    """Numbers of several rows, one row after the other, as a table; what is left of a row is `fill`."""
    table: Array = np.full((len(counts), columns), fill, np.int64)
    table[np.arange(columns) < counts[:, None]] = flat
    return table

"""The lookup tables of one variant: each text of a line is read once, in any spelling, and then is a number."""

import json
from collections.abc import Callable, Mapping
from functools import lru_cache, partial
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
from plenipo.engine.hooks import RuleModule
from plenipo.engine.orders import Build, Convoy, Disband, Hold, Move, Order, Ref, Remove, Retreat, Support, Waive
from plenipo.engine.phases.convoys import landings
from plenipo.engine.position import Power
from plenipo.engine.reading.notation import notation_of
from plenipo.errors import AmbiguousOrder, IllegalOrder

__all__ = [
    "ANY",
    "MOST_POWERS",
    "NO_PIECE",
    "TOGETHER",
    "UNREAD",
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

ANY, UNREAD = -1, -2
"""In the place of an order: a text with several orders or none that is plain, and one that cannot be read."""

_ELSE = -3
"""Less the number of a space: an order for the unit there that the engine must complete or refuse."""

_OWNERS_MATTER = (
    *(RuleModule.budget, RuleModule.foreseen, RuleModule.marks, RuleModule.order_sets, RuleModule.unit_as_named),
    *(RuleModule.why_no_order_set, RuleModule.why_no_orders, RuleModule.why_not_carried_out),
    RuleModule.why_not_ordered,
)
"""Hooks that may look at owners to decide whether the order of a unit is legal."""

_REMEMBERED = 50_000
_LONGEST = 60
_MOST_NAMES = 1 << 10


remembered = lru_cache(_REMEMBERED)
"""Makes a function remember its newest answers; made with its object, so that it goes when that does."""


class UnusualError(Exception):
    """The line is to be answered alone."""


class KernelPhase(NamedTuple):
    """A phase as the kernel has it."""

    step: int
    year: int
    kind: PhaseKind


class Passed(NamedTuple):
    """The steps passed between a phase and the next: True if ownership was settled, and if homes were fixed."""

    settled: bool
    fixed: bool


class Spellings(dict[str, int]):
    """The numbers of texts; one that is not known is read and remembered."""

    def __init__(self, known: Mapping[str, int], read: Callable[[str], int]) -> None:
        super().__init__(known)
        self._known, self._read = known, read

    def __missing__(self, text: str) -> int:
        if len(text) > _LONGEST:
            raise UnusualError
        number = self._read(text)
        if len(self) >= _REMEMBERED:
            self.clear()
            self.update(self._known)
        self[text] = number
        return number


class VariantLookup:
    """Everything about one variant that turns texts into numbers.

    Pieces (a unit type at a location) are numbered in the order in which positions list them, centres by the
    alphabet, which is not the order in which the kernel has them: `kernel_centres` leads there. If units `moves_alone`,
    owners, homes and slots make no difference to legality before adjustments.
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
        self.refs = {Ref(kind, location): i for i, (location, kind, _) in enumerate(standing)}
        self.number = Spellings({text: i for i, text in enumerate(self.texts)}, self._read_piece)
        self.place = np.array([tables.location_number[location] for location in self.locations])
        self.kind = np.array([tables.kind_number[kind] for kind in self.kinds])
        self.space = np.array([tables.space_number[location.space] for location in self.locations])
        self.piece_at = np.full((len(tables.locations), len(tables.kinds)), NO_PIECE)
        self.piece_at[self.place, self.kind] = np.arange(len(standing))
        self.powers = tables.power_number
        self.forget_names()
        self.spaces = Spellings({code: i for i, code in enumerate(tables.spaces)}, self._read_space)
        self.codes = sorted(tables.centres)
        self.kernel_centres = np.array([tables.centre_number[code] for code in self.codes], np.int64)
        self.centre_of_space = np.full(len(tables.spaces) + 1, len(self.codes))
        self.space_of_centre = np.array([tables.space_number[code] for code in self.codes], np.int64)
        self.centre_of_space[self.space_of_centre] = np.arange(len(self.codes))
        self.centre = Spellings({code: i for i, code in enumerate(self.codes)}, self._read_centre)
        self.home = np.full(len(self.codes), NOBODY, np.uint8)
        for power, codes in self.rules.opening.homes.items():
            for code in codes:
                self.home[self.centre[code]] = tables.power_number[power]
        self.orders = {kind: Spellings({}, partial(self._read_order, kind)) for kind in STEPS}
        self.kinds_of_unit = (None, *tables.kinds)
        if len(standing) + len(tables.spaces) * len(self.kinds_of_unit) >= NO_PIECE:
            raise UnusualError
        self.space_of_unit = np.concatenate([self.space, np.arange(len(tables.spaces)).repeat(len(self.kinds_of_unit))])
        self.delay = tables.facts.delay
        self._fixed = self.rules.facts.fixed
        self.moves_alone = not any(self.rules.overriding[hook] for hook in _OWNERS_MATTER)
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

    def forget_names(self) -> None:
        """Forget the names of powers other than their own, where there are many of them."""
        self.names = [*self.tables.powers, *[""] * (MOST_POWERS - len(self.tables.powers))]
        own: dict[str, int] = {name: self.powers[name] for name in self.rules.names}
        self.name_number = Spellings(own, self._read_power)
        self.power_of = list(range(MOST_POWERS))

    @property
    def has_many_names(self) -> bool:
        """True if `forget_names` is due."""
        return len(self.names) > _MOST_NAMES

    def _read_power(self, text: str) -> int:
        """Number a name of a power; its own name is the number of the power."""
        self.power_of.append(self.powers[self.rules.power(text)])
        self.names.append(text)
        return len(self.names) - 1

    def _read_piece(self, text: str) -> int:
        return self.refs[self.notation.unit(text)]

    def _read_space(self, text: str) -> int:
        return self.tables.space_number[self.notation.location(text).space]

    def _read_centre(self, text: str) -> int:
        return self.codes.index(self.notation.location(text).space)

    def _read_order(self, kind: PhaseKind, text: str) -> int:
        """Return a text as a number: `ANY`, `UNREAD`, one that names a space, or an order.

        An order is its packed form, 12 bits of its unit, 12 of the other that it names, and 6 of the power before it.
        """
        lines = self.notation.order_set(text, kind).lines
        if len(lines) != 1 or isinstance(lines[0].fault, AmbiguousOrder):
            return ANY if lines else UNREAD
        order = lines[0].order
        if order is None:
            return UNREAD
        unit: Ref | None = getattr(order, "unit", None)
        packed = self._pack_order(order, kind)
        if packed >= 0:
            speaker = 0 if lines[0].power is None else 1 + self.powers[lines[0].power]
            return packed | speaker << 56
        space = self.tables.space_number.get(unit.location.space) if unit else None
        return ANY if space is None or lines[0].power else _ELSE - space

    def _pack_order(self, order: Order, kind: PhaseKind) -> int:
        if order == Waive():
            return pack(WAIVE, 1) | NO_PIECE << 32 | NO_PIECE << 44
        unit: Ref | None = getattr(order, "unit", None)
        other: Ref | None = getattr(order, "other", None)
        named = self._number_unit(other) if other else NO_PIECE
        whole = unit in self.refs
        number = self.refs[unit] if unit and whole else self._number_unit(unit)
        if unit is None or number < 0 or named < 0 or (kind is PhaseKind.ADJUSTMENTS and not whole):
            return ANY
        match order:
            case Hold() | Disband() | Remove() | Build() | Support(to=None):
                pass
            case Move(to=to, via=via):
                if not self._complete(unit, to) or (via and (not whole or self._may_walk(unit, to))):
                    return ANY
            case Retreat(to=to):
                if not self._complete(unit, to):
                    return ANY
            case Support(to=Location() as to) | Convoy(to=to) if other:
                if to.coast and not self._complete(other, to):
                    return ANY  # a support may leave the coast out
            case _:
                return ANY
        try:
            return self._codes.pack(order) | number << 32 | named << 44
        except IllegalOrder:
            return ANY

    def pack(self, order: Order, power: Power | None = None) -> int:
        """Return the packed form of an order that the engine completed; raise `IllegalOrder` if it has none."""
        return self._codes.pack(order, power)

    def _number_unit(self, ref: Ref | None) -> int:
        """Return the number of a unit without its letter or coast, which any unit in that space has; -1 if none may."""
        if ref is None or ref.location.space not in self.tables.space_number:
            return ANY
        if ref in self.refs:
            return self.refs[ref]
        if ref.location.coast or (ref.kind is None and self.rules.rulebook["4.C.1"] == "void"):
            return ANY
        kinds = self.kinds_of_unit
        space = self.tables.space_number[ref.location.space]
        return len(self.texts) + space * len(kinds) + kinds.index(ref.kind) if ref.kind in kinds else ANY

    def _may_walk(self, unit: Ref, to: Location) -> bool:
        """Return True if a unit ordered to move by convoy goes by land where no chain of fleets is possible (4.A.3)."""
        near = to.space in self.tables.board.reach(unit.kind or UnitKind.ARMY, unit.location)
        return near and self.rules.rulebook["4.A.3"] not in {"intent", "explicit"}

    def _complete(self, unit: Ref, to: Location) -> bool:
        """Return True if a destination names a coast exactly where its unit needs one."""
        if to.space not in self.tables.space_number:
            return False
        coasts = self.tables.board.spaces[to.space].coasts
        if unit.kind is None and coasts:
            return False
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

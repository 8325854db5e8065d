"""Lines in columns: what several of them say, flat in lists as it is read, then in tables of the kernel's numbers."""

from collections.abc import Mapping
from typing import Any, NamedTuple

import msgspec
import numpy as np

from plenipo.batch.bits import Array
from plenipo.batch.packing import REMOVE
from plenipo.batch.tables import NOBODY
from plenipo.engine.calendar import PhaseKind
from plenipo.fastlines.known import MOST_POWERS, NO_PIECE, UnusualError, VariantLookup, spread

__all__ = ["NEVER", "Columns", "LineTables", "PlainLine"]

NEVER = 1 << 30
"""Sorts behind every piece."""

Raw = msgspec.Raw
Several = dict[str, list[str]]


class Beaten(msgspec.Struct, forbid_unknown_fields=True):
    """A dislodged unit of a line."""

    by: str
    barred: list[str] | None = None
    retreats: list[str] | None = None


class StoredCentreDelays(msgspec.Struct, forbid_unknown_fields=True):
    """The stored state of centres whose builds are delayed."""

    owners: dict[str, str]
    ripe: list[str]
    standing: dict[str, str]


class Slots(msgspec.Struct, forbid_unknown_fields=True):
    """The stored state of modules, as far as the kernel supports it."""

    delayed_centres: StoredCentreDelays | None = None


class PlainLine(msgspec.Struct, forbid_unknown_fields=True):
    """A line that says its position and its orders as an answer does; any other is answered alone."""

    variant: str
    phase: str
    units: Several
    centres: Several | None = None
    centers: Several | None = None
    orders: Several | None = None
    dislodged: dict[str, dict[str, Beaten]] | None = None
    contested: list[str] | None = None
    homes: Several | None = None
    slots: Slots | None = None
    options: dict[str, str] | msgspec.UnsetType = msgspec.UNSET
    id: Raw | msgspec.UnsetType = msgspec.UNSET
    results: Raw | None = None
    further: Raw | None = None
    errors: Raw | None = None
    notes: Raw | None = None
    events: Raw | None = None


class RepeatedFields(NamedTuple):
    """The fields of a line that its answer repeats unchanged."""

    variant: str
    options: dict[str, str] | msgspec.UnsetType
    id: Raw | msgspec.UnsetType


class LineTables:
    """Several lines of one phase as tables with a row each; `odd` are the rows that are to be answered by themselves.

    `pieces` are numbers of `VariantLookup`, sorted, with `NEVER` in what is left of a row; the dislodged stand
    behind the
    others. `whose` are their powers, `came` what the kernel knows of their dislodging. `owner`, `home`, `ripe` and
    `standing` are by centre, the last two only where centres are not built for at once.
    """

    def __init__(self, known: VariantLookup, columns: "Columns") -> None:
        self.known, self.columns = known, columns
        self.rows = len(columns.numbers)
        self.odd = np.zeros(self.rows, bool)
        self.moments = columns.moments
        room = known.arena.room
        self.standing_units = np.array(columns.unit_counts)
        numbers = np.array(columns.units, np.int64) * MOST_POWERS + _repeat_powers(columns.unit_powers)
        units = spread(numbers, self.standing_units, room, NEVER)
        units.sort(axis=1)
        self.counts = self.standing_units.copy()
        self.came = np.zeros((self.rows, room), np.int64)
        for row, beaten in columns.beaten.items():
            first = int(self.standing_units[row])
            self.counts[row] = first + len(beaten)
            for column, (unit, came) in enumerate(beaten, first):
                units[row, column], self.came[row, column] = unit, came
        self.there = np.arange(room) < self.counts[:, None]
        self.whose = np.where(self.there, units % MOST_POWERS, 0)
        self.pieces = np.where(self.there, units // MOST_POWERS, 0)
        space = np.where(self.there, known.space[self.pieces], -1)
        twice = (space[:, 1:] == space[:, :-1]) & (space[:, 1:] >= 0) & (self.came[:, 1:] == 0)
        self.odd |= twice.any(axis=1)
        self.owner = self._owners()
        self.home = np.tile(known.home, (self.rows, 1))
        for row, homes in columns.homes.items():
            self.home[row] = homes
        self.contested = columns.contested
        shape = (self.rows, len(known.codes))
        self.ripe, self.standing = np.zeros(shape, bool), np.full(shape, NOBODY, np.uint8)
        if known.delay:
            for row, (ripe, standing, owners) in enumerate(columns.held):
                self.ripe[row, ripe] = True
                self.standing[row, standing[0]] = standing[1]
                before = np.full(shape[1], NOBODY, np.uint8)
                before[owners[0]] = owners[1]
                self.odd[row] |= bool((before != self.owner[row]).any())
        self.orders = np.zeros((self.rows, room), np.uint32)
        self.ordered: list[list[tuple[int, int]]] = []
        """In an adjustment phase, the piece or `NO_PIECE` and the power of each order."""
        self._write_orders()
        self.orders[self.odd] = 0

    def _owners(self) -> Array:
        """Return the owner of each centre, by row; a row that lists a centre twice is marked as odd."""
        columns = self.columns
        owner = np.full((self.rows, len(self.known.codes)), NOBODY, np.uint8)
        line = np.repeat(np.arange(self.rows), columns.owner_counts)
        owner[line, np.array(columns.owners, np.int64)] = _repeat_powers(columns.owner_powers)
        self.odd |= (owner != NOBODY).sum(axis=1) != columns.owner_counts  # a centre is listed twice
        return owner

    def _write_orders(self) -> None:
        """Write the orders into the columns of their units, or in an adjustment phase one after the other."""
        columns, known = self.columns, self.known
        flat = np.array(columns.orders, np.int64)
        line = np.repeat(np.arange(self.rows), columns.order_counts)
        who = _repeat_powers(columns.order_powers)
        packed = flat & 0xFFFFFFFF
        unit, other = flat >> 32 & NO_PIECE, flat >> 44 & NO_PIECE
        fine = flat >= 0
        last = len(known.texts)
        column_of = np.full((self.rows, last + 1), -1, np.int64)
        takes = self.there & ((self.came > 0) == (columns.kind is PhaseKind.RETREATS))
        rows, places = np.nonzero(takes)
        column_of[rows, self.pieces[rows, places]] = places
        column = column_of[line, np.minimum(unit, last)]
        if columns.kind is PhaseKind.ADJUSTMENTS:
            counts = np.array(columns.order_counts)
            centre = known.centre_of_space[known.space[np.minimum(unit, last - 1)]]
            owner = np.pad(self.owner, ((0, 0), (0, 1)), constant_values=NOBODY)[line, centre]
            mine = (column >= 0) & (self.whose[line, column] == who)
            waives = unit == NO_PIECE
            packed = np.where(waives, packed | who << 10, packed)
            fine &= waives | np.where(packed >> 20 & 15 == REMOVE, mine, owner == who)
            self.odd |= counts > self.orders.shape[1]
            self.odd[line[~fine]] = True
            keep = ~self.odd[line]
            first = np.concatenate(([0], np.cumsum(counts)))
            at = np.arange(len(line)) - first[line]
            self.orders[line[keep], at[keep]] = packed[keep]
            pairs = list(zip(unit.tolist(), who.tolist(), strict=True))
            self.ordered = [pairs[a:b] for a, b in zip(first[:-1].tolist(), first[1:].tolist(), strict=True)]
            return
        fine &= (column >= 0) & (self.whose[line, column] == who)
        fine &= (other == NO_PIECE) | (column_of[line, np.minimum(other, last)] >= 0)
        self.odd[line[~fine]] = True
        self.orders[line[fine], column[fine]] = packed[fine]
        self.odd |= np.count_nonzero(self.orders, axis=1) != np.array(columns.order_counts)  # two orders for a unit


def _repeat_powers(powers: list[tuple[int, int]]) -> Array:
    """Powers, each as often as is said."""
    pairs = np.array(powers, np.int64).reshape(-1, 2)
    return np.repeat(pairs[:, 0], pairs[:, 1])


class Columns:
    """Lines of one variant and one kind of phase, as they are gathered."""

    def __init__(self, known: VariantLookup, kind: PhaseKind) -> None:
        self.known, self.kind = known, kind
        self.numbers: list[int] = []
        self.texts: list[bytes] = []
        self.named: list[RepeatedFields] = []
        self.moments: list[tuple[int, int]] = []
        self.units: list[int] = []
        self.unit_powers: list[tuple[int, int]] = []
        self.unit_counts: list[int] = []
        self.owners: list[int] = []
        self.owner_powers: list[tuple[int, int]] = []
        self.owner_counts: list[int] = []
        self.orders: list[int] = []
        self.order_powers: list[tuple[int, int]] = []
        self.order_counts: list[int] = []
        self.homes: dict[int, Array] = {}
        self.contested: dict[int, list[str]] = {}
        self.beaten: dict[int, list[tuple[int, int]]] = {}
        self.held: list[tuple[list[int], Any, Any]] = []

    def __len__(self) -> int:
        return len(self.numbers)

    def add(self, number: int, text: bytes, line: PlainLine, step: int, year: int) -> None:
        """Add a line; raise `UnusualError`, `KeyError` or `PlenipoError` for one that is not plain."""
        units, owners, orders = len(self.units), len(self.owners), len(self.orders)
        whose = len(self.unit_powers), len(self.owner_powers), len(self.order_powers)
        try:
            self._add(len(self.numbers), line)
        except Exception:
            del self.units[units:], self.owners[owners:], self.orders[orders:]
            del self.unit_powers[whose[0] :], self.owner_powers[whose[1] :], self.order_powers[whose[2] :]
            raise
        self.unit_counts.append(len(self.units) - units)
        self.owner_counts.append(len(self.owners) - owners)
        self.order_counts.append(len(self.orders) - orders)
        self.numbers.append(number)
        self.texts.append(text)
        self.named.append(RepeatedFields(line.variant, line.options, line.id))
        self.moments.append((step, year))

    def _add(self, row: int, line: PlainLine) -> None:
        known, units = self.known, len(self.units)
        powers, number, centre = known.powers, known.number.__getitem__, known.centre.__getitem__
        for power, pieces in line.units.items():
            self.units += map(number, pieces)
            self.unit_powers.append((powers[power], len(pieces)))
        owned = line.centres if line.centres is not None else line.centers
        if owned is None:
            raise UnusualError  # nobody owns anything, about which something is said
        for power, codes in owned.items():
            self.owners += map(centre, codes)
            self.owner_powers.append((powers[power], len(codes)))
        if line.orders:
            self._order(line.orders)
        for code in line.contested or ():
            known.spaces[code]  # a name of it would be something to read
        beaten: list[tuple[int, int]] = []
        if line.dislodged:
            beaten = self._beaten(line.dislodged, {int(known.space[piece]): piece for piece in self.units[units:]})
        if (beaten and self.kind is not PhaseKind.RETREATS) or len(self.units) - units + len(beaten) > known.arena.room:
            raise UnusualError
        homes = self._homes(line.homes) if line.homes is not None else None
        if known.delay:
            self.held.append(self._read_delayed_centres(line.slots))
        elif line.slots is not None:
            raise UnusualError
        if homes is not None:
            self.homes[row] = homes
        if line.contested:
            self.contested[row] = line.contested
        if beaten:
            self.beaten[row] = beaten

    def _order(self, order_sets: Several) -> None:
        known, orders = self.known.orders[self.kind], self.orders
        number = known.__getitem__
        for power, texts in order_sets.items():
            who = self.known.powers[power]
            before = len(orders)
            try:
                orders += map(number, texts)
            except KeyError:
                del orders[before:]
                self.known.read(texts, self.kind)
                orders += map(number, texts)
            self.order_powers.append((who, len(texts)))

    def _homes(self, value: Several) -> Array:
        """Return the power whose home each centre is."""
        known = self.known
        if value.keys() != known.powers.keys():
            raise UnusualError
        homes = np.full(len(known.codes), NOBODY, np.uint8)
        for power, codes in value.items():
            for code in codes:
                centre = known.centre[code]
                if homes[centre] != NOBODY:
                    raise UnusualError
                homes[centre] = known.powers[power]
        return homes

    def _beaten(self, value: Mapping[str, Mapping[str, Beaten]], occupied: Mapping[int, int]) -> list[tuple[int, int]]:
        """Return the dislodged units with where their attackers came from, which is all that may be barred to them.

        `occupied` has the piece in each space.
        """
        known = self.known
        beaten: list[tuple[int, int]] = []
        spaces: set[int] = set()
        for power, units in value.items():
            for text, told in units.items():
                piece, by = known.number[text], known.number[told.by]
                space = int(known.space[piece])
                there = occupied.get(space)
                if there is None or known.kinds[there] is not known.kinds[by] or space in spaces:
                    raise UnusualError
                if told.retreats is not None if told.barred is None else told.barred != [known.locations[by].space]:
                    raise UnusualError
                spaces.add(space)
                beaten.append((piece * MOST_POWERS + known.powers[power], 1 + int(known.place[by])))
        return sorted(beaten)

    def _read_delayed_centres(self, slots: Slots | None) -> tuple[list[int], Any, Any]:
        """Return the stored state of centres: those that are ripe, the units that stood in them, their owners."""
        held = slots.delayed_centres if slots else None
        if held is None:
            raise UnusualError
        centre, powers = self.known.centre.__getitem__, self.known.powers.__getitem__
        standing, owners = (
            (list(map(centre, part)), list(map(powers, part.values()))) for part in (held.standing, held.owners)
        )
        return list(map(centre, held.ripe)), standing, owners

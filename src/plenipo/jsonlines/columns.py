"""Lines in columns: what several of them say, flat in lists as it is read, then in tables of the kernel's numbers."""

from array import array
from collections.abc import Iterable, Mapping, Sequence
from itertools import chain, pairwise
from typing import Any

import msgspec
import numpy as np

from plenipo.batch.bits import Array
from plenipo.batch.packing import (
    NONE,
    REMOVE,
    order_word,
    verb_of,
)
from plenipo.batch.tables import NOBODY
from plenipo.engine.calendar import PhaseKind
from plenipo.jsonlines.lookup import ANY, MOST_POWERS, NO_PIECE, UNREAD, UnusualError, VariantLookup, spread

__all__ = ["NEVER", "Columns", "LineTables", "PlainLine"]

NEVER = 1 << 30
"""Sorts behind every piece."""

_SHORT = 15_000
"""A line with so many characters cannot have too many entries."""

_MOST_ENTRIES = 4_000

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


class PlainLine(msgspec.Struct, forbid_unknown_fields=True, gc=False):
    """A line whose parts have the types that an answer gives them; any other is answered alone."""

    variant: str
    phase: str
    units: Several
    centres: Several | None = None
    centers: Several | None = None
    owners: Several | None = None
    orders: Several | None = None
    dislodged: dict[str, dict[str, Beaten]] | None = None
    contested: list[str] | None = None
    homes: Several | None = None
    slots: Slots | None = None
    options: dict[str, str] | msgspec.UnsetType = msgspec.UNSET
    id: str | int | float | bool | msgspec.UnsetType | None = msgspec.UNSET
    results: Raw | None = None
    further: Raw | None = None
    errors: Raw | None = None
    notes: Raw | None = None
    events: Raw | None = None
    refusals: Raw | None = None


class ByPower:
    """Texts of several lines as numbers, by the names of powers: flat, with the counts of names and of texts."""

    def __init__(self) -> None:
        self.numbers, self.names, self.lengths = array("q"), array("q"), array("q")
        self.name_counts, self.counts = array("q"), array("q")

    def add(self, value: Several, names: Any, numbers: Any) -> None:
        """Add the texts of a line."""
        named, count = len(self.names), len(self.numbers)
        self.names.extend(map(names, value))
        self.lengths.extend(map(len, value.values()))
        self.numbers.extend(map(numbers, chain.from_iterable(value.values())))
        self.name_counts.append(len(self.names) - named)
        self.counts.append(len(self.numbers) - count)

    def keep(self, rows: int) -> None:
        """Drop everything behind the first lines."""
        if len(self.name_counts) > rows:
            del self.name_counts[rows:]
        if len(self.counts) > rows:
            del self.counts[rows:]
        named = sum(self.name_counts)
        del self.names[named:], self.lengths[named:], self.numbers[sum(self.counts) :]

    def name_rows(self) -> Array:
        """Return the row of each name."""
        return np.repeat(np.arange(len(self.name_counts)), self.name_counts)

    def tables(self) -> tuple[Array, Array, Array]:
        """Return for each text its row, the name it stands under and its number."""
        rows = np.repeat(np.arange(len(self.counts)), self.counts)
        return rows, np.repeat(_array(self.names), self.lengths), _array(self.numbers)


def _array(numbers: Any) -> Array:
    return np.array(numbers, np.int64)


class Columns:
    """Lines of one variant and one kind of phase, as they are gathered."""

    def __init__(self, known: VariantLookup, kind: PhaseKind) -> None:
        self.known, self.kind = known, kind
        self.numbers: list[int] = []
        self.texts: list[bytes] = []
        self.lines: list[PlainLine] = []
        self.moments: list[tuple[int, int]] = []
        self.units, self.owners, self.orders = ByPower(), ByPower(), ByPower()
        self.homes: dict[int, tuple[Array, list[int]]] = {}
        self.contested: dict[int, list[int]] = {}
        self.beaten: dict[int, tuple[list[tuple[int, int]], list[int]]] = {}
        self.held: list[tuple[list[int], Any, Any]] = []

    def __len__(self) -> int:
        return len(self.numbers)

    def add(self, number: int, text: bytes, line: PlainLine, step: int, year: int) -> None:
        """Add a line; raise one of the errors of reading for one that is to be answered alone."""
        rows = len(self.numbers)
        try:
            self._add(rows, line, len(text))
        except Exception:
            for part in (self.units, self.owners, self.orders):
                part.keep(rows)
            raise
        self.numbers.append(number)
        self.texts.append(text)
        self.lines.append(line)
        self.moments.append((step, year))

    def _add(self, row: int, line: PlainLine, length: int) -> None:
        known = self.known
        name, number = known.name_number.__getitem__, known.number.__getitem__
        units = self.units
        first = len(units.numbers)
        units.add(line.units, name, number)
        owned = line.centres if line.centres is not None else line.owners if line.owners is not None else line.centers
        if owned is None:
            raise UnusualError  # without owners the position gets a warning, which the slow path writes
        self.owners.add(owned, name, known.centre.__getitem__)
        homes = self._homes(line.homes) if line.homes is not None else None
        there = units.numbers[first:]
        beaten = self._beaten(line.dislodged, {int(known.space[i]): i for i in there}) if line.dislodged else None
        count = len(there) + (len(beaten[0]) if beaten else 0)
        self.orders.add(line.orders or {}, name, known.orders[self.kind].__getitem__)
        contested = list(map(known.spaces.__getitem__, line.contested)) if line.contested else []
        entries = count + self.owners.counts[row] + self.orders.counts[row] + len(contested)
        too_many = count > known.arena.room or (length > _SHORT and entries > _MOST_ENTRIES)
        if too_many or (beaten and self.kind is not PhaseKind.RETREATS):
            raise UnusualError
        if known.delay:
            self.held.append(self._read_delayed_centres(line.slots))
        elif line.slots is not None:
            raise UnusualError
        if homes is not None:
            self.homes[row] = homes
        if contested:
            self.contested[row] = contested
        if beaten:
            self.beaten[row] = beaten

    def _homes(self, value: Several) -> tuple[Array, list[int]]:
        """Return the power whose home each centre is, and the names of the powers."""
        known = self.known
        names = list(map(known.name_number.__getitem__, value))
        powers = [known.power_of[name] for name in names]
        if sorted(powers) != sorted(known.powers[name] for name in known.rules.names):
            raise UnusualError
        homes = np.full(len(known.codes), NOBODY, np.uint8)
        for power, codes in zip(powers, value.values(), strict=True):
            for code in codes:
                centre = known.centre[code]
                if homes[centre] != NOBODY:
                    raise UnusualError
                homes[centre] = power
        return homes, names

    def _beaten(
        self, value: Mapping[str, Mapping[str, Beaten]], occupied: Mapping[int, int]
    ) -> tuple[list[tuple[int, int]], list[int]]:
        """Return the dislodged units with where their attackers came from, all that may be barred, and the names.

        `occupied` has the piece in each space.
        """
        known = self.known
        beaten: list[tuple[int, int]] = []
        spaces: set[int] = set()
        names = list(map(known.name_number.__getitem__, value))
        for name, units in zip(names, value.values(), strict=True):
            for text, told in units.items():
                piece, by = known.number[text], known.number[told.by]
                space = int(known.space[piece])
                there = occupied.get(space)
                if there is None or known.kinds[there] is not known.kinds[by] or space in spaces:
                    raise UnusualError
                barred = None if told.barred is None else list(map(known.spaces.__getitem__, told.barred))
                if told.retreats is not None if barred is None else barred != [int(known.space[by])]:
                    raise UnusualError
                spaces.add(space)
                beaten.append((piece * MOST_POWERS + known.power_of[name], 1 + int(known.place[by])))

        def in_order(entry: tuple[int, int]) -> tuple[str, str, int]:
            piece, who = divmod(entry[0], MOST_POWERS)
            return known.tables.powers[who], known.kinds[piece], piece

        return sorted(beaten, key=in_order), names

    def _read_delayed_centres(self, slots: Slots | None) -> tuple[list[int], Any, Any]:
        """Return the stored state of centres: those that are ripe, the units that stood in them, their owners."""
        held = slots.delayed_centres if slots else None
        if held is None:
            raise UnusualError
        known, centre = self.known, self.known.centre.__getitem__
        standing, owners = (
            (list(map(centre, part)), [known.power_of[known.name_number[name]] for name in part.values()])
            for part in (held.standing, held.owners)
        )
        return list(map(centre, held.ripe)), standing, owners


class LineTables:
    """Several lines of one phase as tables with a row each; `odd` are the rows that are to be answered by themselves.

    `pieces` are numbers of `VariantLookup`, sorted, with `NEVER` in what is left of a row; the dislodged stand behind
    the others. `whose` are their powers, `came` what the kernel knows of their dislodging. `owner`, `home`, `ripe` and
    `standing` are by centre, the last two only where centres are not built for at once. `names` are the names that
    powers have in their lines. `troubled` are the orders that the engine must look at, and `column` the units of all.
    """

    def __init__(self, known: VariantLookup, columns: Columns) -> None:
        self.known, self.columns = known, columns
        self.rows = len(columns.numbers)
        self.odd = np.zeros(self.rows, bool)
        self.moments = columns.moments
        self.power_of = np.array(known.power_of)
        room = known.arena.room
        _, names, numbers = columns.units.tables()
        self.counts = _array(columns.units.counts)
        units = spread(numbers * MOST_POWERS + self.power_of[names], self.counts, room, NEVER)
        units.sort(axis=1)
        self.came = np.zeros((self.rows, room), np.int64)
        for row, (beaten, _) in columns.beaten.items():
            first = int(self.counts[row])
            self.counts[row] = first + len(beaten)
            for column, (unit, came) in enumerate(beaten, first):
                units[row, column], self.came[row, column] = unit, came
        self.there = np.arange(room) < self.counts[:, None]
        self.units = np.where(self.there, units, 0)
        self.whose = self.units % MOST_POWERS
        self.pieces = self.units // MOST_POWERS
        self.space = np.where(self.there, known.space[self.pieces], -1)
        twice = (self.space[:, 1:] == self.space[:, :-1]) & (self.space[:, 1:] >= 0) & (self.came[:, 1:] == 0)
        self.odd |= twice.any(axis=1)
        self.owner = self._owners()
        self.home = np.tile(known.home, (self.rows, 1))
        for row, (homes, _) in columns.homes.items():
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
        self.names = self._names()
        self.orders = np.zeros((self.rows, room), np.uint32)
        self.ordered: list[list[tuple[int, int]]] = []
        """In an adjustment phase, the piece or `NO_PIECE` and the power of each order."""
        self._write_orders()
        self.orders[self.odd] = 0

    def _owners(self) -> Array:
        """Return the owner of each centre, by row; a row that lists a centre twice is marked as odd."""
        owner = np.full((self.rows, len(self.known.codes)), NOBODY, np.uint8)
        rows, names, centres = self.columns.owners.tables()
        owner[rows, centres] = self.power_of[names]
        self.odd |= (owner != NOBODY).sum(axis=1) != self.columns.owners.counts  # a centre is listed twice
        return owner

    def _names(self) -> Array:
        """Return the name of each power, by row: the first by which the line calls it."""
        columns = self.columns
        names = np.tile(np.arange(MOST_POWERS), (self.rows, 1))
        if len(self.power_of) == MOST_POWERS:
            return names
        parts = [(part.name_rows(), _array(part.names)) for part in (columns.orders, columns.owners, columns.units)]
        for of in (columns.beaten, columns.homes):
            parts[1:1] = [(np.full(len(own), row), _array(own)) for row, (_, own) in of.items()]
        for rows, own in parts:
            # the last of several counts, if the indices are copied
            names[rows[::-1].copy(), self.power_of[own[::-1]]] = own[::-1]
        return names

    def _write_orders(self) -> None:
        """Write the orders by the columns of their units, or in an adjustment phase one after the other."""
        columns, known = self.columns, self.known
        line, names, flat = columns.orders.tables()
        who = self.power_of[names]
        self.order_names = names
        self.line, self.first = line, np.concatenate(([0], np.cumsum(columns.orders.counts)))
        plain = flat >= 0
        packed = flat & 0xFFFFFFFF
        unit = np.where(plain, flat >> 32 & NO_PIECE, 0)
        other, speaker = flat >> 44 & NO_PIECE, flat >> 56
        fine = plain & ((speaker == 0) | (speaker == who + 1))
        if columns.kind is PhaseKind.ADJUSTMENTS:
            self._write_adjustments(line, who, packed, unit, fine)
            return
        column_of = self._columns()
        column = column_of[line, unit]
        fine &= (column >= 0) & (self.whose[line, column] == who)
        fine &= (other == NO_PIECE) | (column_of[line, np.where(plain & (other != NO_PIECE), other, 0)] >= 0)
        space = np.where(plain, known.space_of_unit[unit], np.where(flat < UNREAD, UNREAD - 1 - flat, 0))
        column = column_of[line, len(known.texts) + space * len(known.kinds_of_unit)]
        column = np.where((flat == ANY) | (flat == UNREAD), -1, column)
        keys = (line * self.orders.shape[1] + column)[column >= 0]
        twice = np.zeros(len(line), bool)
        twice[column >= 0] = np.bincount(keys, minlength=1)[keys] > 1 if len(keys) else False
        self.column, self.troubled = column, ~fine | twice
        whole = np.zeros(self.rows, bool)
        whole[line[flat == ANY]] = True
        self.troubled |= whole[line]
        self.urgent = self.troubled & (whole[line] | ((column >= 0) & (self.whose[line, column] == who)))
        self.orders[line[~self.troubled], column[~self.troubled]] = packed[~self.troubled]

    def _columns(self) -> Array:
        """Return the columns of units by row and unit, with its letter and coast or without; -1 if it is not there."""
        known, kinds = self.known, len(self.known.kinds_of_unit)
        last = len(known.texts)
        column_of = np.full((self.rows, len(known.space_of_unit)), -1, np.int16)
        rows, columns = np.nonzero(self.there & ((self.came > 0) == (self.columns.kind is PhaseKind.RETREATS)))
        pieces = self.pieces[rows, columns]
        column_of[rows, pieces] = columns
        bare = last + known.space[pieces] * kinds
        column_of[rows, bare] = columns
        column_of[rows, bare + 1 + known.kind[pieces]] = columns
        return column_of

    def _write_adjustments(self, line: Array, who: Array, packed: Array, unit: Array, fine: Array) -> None:
        known, counts = self.known, _array(self.columns.orders.counts)
        last = len(known.texts)
        column_of = np.full((self.rows, last + 1), -1, np.int16)
        rows, places = np.nonzero(self.there)
        column_of[rows, self.pieces[rows, places]] = places
        column = column_of[line, np.minimum(unit, last)]
        centre = known.centre_of_space[known.space[np.minimum(unit, last - 1)]]
        owner = np.pad(self.owner, ((0, 0), (0, 1)), constant_values=NOBODY)[line, centre]
        waives, removes = unit == NO_PIECE, verb_of(packed) == REMOVE
        packed = np.where(waives, packed | order_word(NONE, 0, who), packed)
        fine &= waives | np.where(removes, (column >= 0) & (self.whose[line, column] == who), owner == who)
        self.who, self.packed, self.troubled = who, packed, ~fine
        self.urgent = self.troubled
        self.odd |= counts > self.orders.shape[1]
        keep = fine & ~self.odd[line]
        at = np.arange(len(line)) - self.first[line]
        self.orders[line[keep], at[keep]] = packed[keep]
        pairs = list(zip(unit.tolist(), who.tolist(), strict=True))
        self.ordered = [pairs[a:b] for a, b in pairwise(self.first.tolist())]

    def trouble_powers(self, row: int, others: Iterable[int]) -> set[int]:
        """Mark all adjustments of the powers with a troubled one, and of others; return the powers."""
        own = slice(self.first[row], self.first[row + 1])
        powers = {*others, *self.who[own][self.troubled[own]].tolist()}
        self.troubled[own] |= np.isin(self.who[own], list(powers))
        return powers

    def write_adjustments(self, row: int, accepted: Sequence[int]) -> None:
        """Write the adjustments of a row that are not troubled, and behind them those that the engine accepts."""
        own = slice(self.first[row], self.first[row + 1])
        keep = ~self.troubled[own]
        self.ordered[row] = [pair for pair, kept in zip(self.ordered[row], keep.tolist(), strict=True) if kept]
        given = [*self.packed[own][keep].tolist(), *accepted]
        self.orders[row] = 0
        self.orders[row, : len(given)] = given

    def with_orders(self, chosen: Array) -> Array:
        """Return which rows have one of the chosen orders."""
        rows = np.zeros(self.rows, bool)
        rows[self.line[chosen]] = True
        return rows

    def troubled_orders(self, row: int) -> dict[str, list[str]]:
        """Return the orders of a row that the engine must look at, as they are written."""
        first, last = self.first[row], self.first[row + 1]
        texts = list(chain.from_iterable((self.columns.lines[row].orders or {}).values()))
        found: dict[str, list[str]] = {}
        for i in np.flatnonzero(self.troubled[first:last]).tolist():
            found.setdefault(self.known.names[self.order_names[first + i]], []).append(texts[i])
        return found

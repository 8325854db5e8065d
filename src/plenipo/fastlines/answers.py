"""The answers to several lines, made from the kernel's numbers: texts are looked up and joined."""

import json
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import accumulate, pairwise
from typing import Any, NamedTuple

import msgspec
import numpy as np

from plenipo.batch.arena import PhaseResults
from plenipo.batch.bits import Array
from plenipo.batch.kinds import kind_of, owner_of, unit_word
from plenipo.batch.packing import REMOVE, VIA
from plenipo.batch.phases import BY_DISORDER, BY_RULE
from plenipo.batch.results import REASONS, RESULTS
from plenipo.batch.state import AFLOAT
from plenipo.batch.tables import NOBODY
from plenipo.engine.calendar import PhaseKind
from plenipo.engine.events import Event
from plenipo.engine.history.record import encode_event
from plenipo.engine.orders import Waive
from plenipo.engine.outcome import Reason, Result
from plenipo.engine.phases import delays, retreats
from plenipo.engine.phases.ownership import homes_fixed, make_capture_event
from plenipo.engine.phases.step import had_nowhere
from plenipo.engine.position import Dislodged, Unit
from plenipo.fastlines.columns import NEVER, Columns, LineTables
from plenipo.fastlines.known import MOST_POWERS, NO_PIECE, VariantLookup, remembered

__all__ = ["Answers"]

_ILLEGAL, _NO_CONVOY = REASONS.index(Reason.ILLEGAL), REASONS.index(Reason.NO_CONVOY)
_NO_ORDER, _DISORDER = REASONS.index(Reason.NO_ORDER), REASONS.index(Reason.CIVIL_DISORDER)
_VOID, _REMOVED = RESULTS.index(Result.VOID), RESULTS.index(Result.REMOVED)
_NOBODY_CAME = 255
_NONE = MOST_POWERS - 1
"""Stands for no power in the number of a centre; there are fewer powers."""

Told = tuple[str, str]
"""An event as JSON: its sentence, and the whole."""


class _Texts(dict[int, str]):
    """Texts by number, each made when it is first asked for."""

    def __init__(self, made: Callable[[int], str]) -> None:
        self._made = made

    def __missing__(self, number: int) -> str:
        self[number] = text = self._made(number)
        return text


class _After(NamedTuple):
    """The games after their phase, by row: units in columns, centres by the alphabet."""

    units: Array
    """Piece and power as one number, `NEVER` where there is none or a dislodged one."""
    beaten: dict[int, list[tuple[int, int]]]
    """The dislodged, with where their attackers came from."""
    owner: Array
    home: Array
    ripe: Array
    moments: list[tuple[int, int]]


class Answers:
    """Writes the answers of one variant."""

    def __init__(self, known: VariantLookup) -> None:
        self.known, self.tables = known, known.tables
        self.results = _Texts(self._result)
        self.units = _Texts(self._unit)
        self.owned = _Texts(self._encode_owned_centre)
        self.held = _Texts(self._encode_centre_power)
        self.beaten = _Texts(self._beaten)
        self.attackers = _Texts(self._attacker)
        self.quoted = [json.dumps(text) for text in known.texts]
        self.powers = [f', "power": {json.dumps(power)}' for power in known.tables.powers]
        self._closed = remembered(self._make_closed)
        self._phase = remembered(self._make_phase)
        self._unit_of = remembered(self._make_unit_of)
        self._lost = remembered(self._make_lost)
        self._disbanded = remembered(self._make_disbanded)
        self._taken = remembered(self._make_taken)
        self._fixed = remembered(self._make_fixed)
        self._delayed = remembered(self._make_delayed)
        self._waived = remembered(self._make_waived)
        self._unused = remembered(self._make_unused)
        self._homes = remembered(self._make_homes)
        self.opening_homes = known.home.tobytes()

    def of(self, columns: Columns) -> Iterator[str | None]:
        """Yield the answer to each line, or None for one that is to be answered by itself."""
        tables = LineTables(self.known, columns)
        judged = self._adjudicate(tables)
        results = np.array([part[: tables.rows] for part in judged])
        after = self._after(tables)
        contested = self.known.arena.state.contested[: tables.rows]
        texts = list(self._texts(tables, results, after, contested))
        for odd, text in zip(tables.odd.tolist(), texts, strict=True):
            yield None if odd else text

    # -- through the kernel

    def _adjudicate(self, tables: LineTables) -> PhaseResults:
        known, count = self.known, tables.rows
        state = known.arena.state
        state.units[:count] = tables.counts
        state.kinds[:count] = unit_word(tables.whose, np.where(tables.there, known.kind[tables.pieces], 0))
        state.places[:count] = np.where(tables.there, known.place[tables.pieces], 0)
        state.came[:count] = tables.came
        state.contested[:] = 0
        for row, codes in tables.contested.items():
            for code in codes:
                number = known.spaces[code]
                state.contested[row, number >> 6] |= np.uint64(1 << (number & 63))
        state.owner[:count, known.kernel_centres] = tables.owner
        state.home[:count, known.kernel_centres] = tables.home
        if known.delay:
            bits = np.uint64(1) << known.kernel_centres.astype(np.uint64)
            state.ripe[:count] = np.where(tables.ripe, bits, np.uint64(0)).sum(axis=1, dtype=np.uint64)
        state.step[:count] = [step for step, _ in tables.moments]
        state.year[:count] = [year for _, year in tables.moments]
        state.winner[:] = 0
        state.winner[:count] = np.where(tables.odd, 0, NOBODY)
        orders = known.arena.blank_orders()
        orders[:count] = tables.orders
        return known.arena.step(orders)

    def _after(self, tables: LineTables) -> _After:
        known, state = self.known, self.known.arena.state
        count, room = tables.rows, tables.there.shape[1]
        tables.odd |= state.winner[:count] != NOBODY
        kinds = state.kinds[:count].astype(np.int64)
        there = np.arange(room) < state.units[:count, None]
        pieces = known.piece_at[np.where(there, state.places[:count], 0), kind_of(kinds)]
        tables.odd |= (there & (pieces == NO_PIECE)).any(axis=1)
        units = np.where(there, pieces * MOST_POWERS + owner_of(kinds), NEVER)
        came = state.came[:count]
        beaten: dict[int, list[tuple[int, int]]] = defaultdict(list)
        for row, column in zip(*(part.tolist() for part in np.nonzero(there & (came > 0))), strict=True):
            beaten[row].append((int(units[row, column]), int(came[row, column])))
        units[came > 0] = NEVER
        ripe = np.zeros((count, len(known.codes)), bool)
        if known.delay:
            ripe = (state.ripe[:count, None] >> known.kernel_centres.astype(np.uint64) & np.uint64(1)).astype(bool)
        return _After(
            units,
            beaten,
            state.owner[:count, known.kernel_centres],
            state.home[:count, known.kernel_centres],
            ripe,
            list(zip(state.step[:count].tolist(), state.year[:count].tolist(), strict=True)),
        )

    # -- from tables to texts

    def _texts(self, tables: LineTables, results: Array, after: _After, contested: Array) -> Iterator[str]:
        known, kind = self.known, tables.columns.kind
        told: dict[int, list[Told]] = defaultdict(list)
        closed: list[str] = []
        further: Mapping[int, list[str]] = {}
        dislodged: Mapping[int, list[tuple[int, str]]] = {}
        if kind is PhaseKind.MOVEMENT:
            entries, dislodged = self._encode_movement(tables, results, after, contested, told)
            closed = self._encode_contested(contested)
            for row in told:
                closed[row] = "[]"  # the dislodged were disbanded, and with them what was barred to them is forgotten
        elif kind is PhaseKind.RETREATS:
            entries = self._encode_retreats(tables, results)
        else:
            entries, further = self._encode_adjustments(tables, results)
        if not closed:
            closed = ["[]"] * tables.rows
            for row, codes in tables.contested.items() if kind is PhaseKind.ADJUSTMENTS else ():
                closed[row] = json.dumps(sorted(set(codes)))
        standing = self._standing(tables, after)
        owned = self._centres(after.owner)
        passed = [
            known.passed(*then, *now) if not odd else None
            for odd, then, now in zip(tables.odd.tolist(), tables.moments, after.moments, strict=True)
        ]
        self._add_ownership_events(tables, after, passed, told)
        slots = self._slots(tables, after, passed) if known.delay else [""] * tables.rows
        homes = [self._homes(row.tobytes()) for row in after.home]
        lines = tables.columns.named
        variants = {line.variant: json.dumps(line.variant) for line in lines}
        for row, line in enumerate(lines):
            beaten = dislodged.get(row)
            out = (
                f'{{"results": {{{entries[row]}}}, "errors": [], "units": {{{standing[row]}}}, '
                f'"dislodged": {self._encode_dislodged(beaten) if beaten else "{}"}, '
                f'"phase": "{self._phase(*after.moments[row])}", "contested": {closed[row]}, '
                f'"centres": {{{owned[row]}}}, "variant": {variants[line.variant]}{homes[row]}{slots[row]}'
            )
            if line.options is not msgspec.UNSET:
                out += f', "options": {json.dumps(line.options)}'
            if line.id is not msgspec.UNSET:
                out += f', "id": {json.dumps(json.loads(bytes(line.id)))}'
            if row in further:
                out += f', "further": [{", ".join(further[row])}]'
            if events := told.get(row):
                out += f', "notes": [{", ".join([note for note, _ in events])}]'
                out += f', "events": [{", ".join([event for _, event in events])}]'
            yield out + "}"

    def _encode_movement(
        self, tables: LineTables, results: Array, after: _After, contested: Array, told: dict[int, list[Told]]
    ) -> tuple[list[str], dict[int, list[tuple[int, str]]]]:
        """Return the results of movement orders, and the dislodged units in the form of the next position."""
        known = self.known
        numbers, reasons, by = results
        there, odd = tables.there, tables.odd
        odd |= (there & (reasons == _ILLEGAL)).any(axis=1)
        unmade = there & (reasons == _NO_CONVOY) & ((tables.orders & VIA) > 0)
        for row, column in zip(*(part.tolist() for part in np.nonzero(unmade)), strict=True):
            # a way that does not exist is not the same as one that nobody made
            odd[row] |= not self._could_be_convoyed(tables, row, column)
        texts = self._entries(tables, numbers, reasons, there)
        ends = [0, *accumulate(tables.counts.tolist())]
        dislodged: dict[int, list[tuple[int, str]]] = defaultdict(list)
        disbanded: dict[int, list[int]] = defaultdict(list)
        rows, columns = np.nonzero(there & (by != _NOBODY_CAME) & ~odd[:, None])
        units = tables.pieces * MOST_POWERS + tables.whose
        occupied = np.where(after.units < NEVER, known.space[np.where(after.units < NEVER, after.units, 0) >> 5], -1)
        lost = zip(
            rows.tolist(),
            columns.tolist(),
            units[rows, columns].tolist(),
            units[rows, by[rows, columns]].tolist(),
            numbers[rows, columns].tolist(),
            reasons[rows, columns].tolist(),
            strict=True,
        )
        last, shut = -1, frozenset[int]()
        for row, column, unit, attacker, number, reason in lost:
            if row != last:
                last, shut = row, frozenset(occupied[row].tolist()) | _bits(contested[row].tolist())
                left = dict(after.beaten.get(row, ()))
            came = left.get(unit)
            why, text, ways = self._lost(unit), self.quoted[unit >> 5], "[]"
            fate = ', "destroyed": true'
            if came is not None:
                barred, ways = self._ways(unit >> 5, attacker >> 5, came, shut)
                entry = f'{{"by": {self.quoted[attacker >> 5]}, "barred": {barred}, "retreats": {ways}}}'
                dislodged[row].append((unit % MOST_POWERS, f"{text}: {entry}"))
                fate = ""
            elif not why:
                disbanded[row].append(unit)
            begin, by_whom = self.beaten[unit << 12 | number << 6 | reason], self.attackers[attacker]
            whose, other = self.powers[unit % MOST_POWERS], self.quoted[attacker >> 5]
            texts[ends[row] + column] = (
                f'{begin}{by_whom}{json.dumps(f" {why}")[1:-1] if why else ""}"{whose}, '
                f'"reason": "{REASONS[reason]}", "dislodged_by": {other}, "retreats": {ways}{fate}}}'
            )
        for row, gone in disbanded.items():
            told[row] += map(self._disbanded, sorted(gone, key=self._unit_of))
        return _join_rows(texts, ends), dislodged

    def _ways(self, piece: int, attacker: int, came: int, shut: frozenset[int]) -> tuple[str, str]:
        """Return the spaces barred to a dislodged unit and its retreats, as JSON.

        `shut` are the spaces that are not vacant for a retreat: occupied or contested.
        """
        known = self.known
        start = int(known.space[attacker])
        if came & AFLOAT and known.rules.rulebook["4.A.5"] == "allowed":
            ways = [text for space, text in known.near(piece) if space not in shut]
            return "[]", f"[{', '.join(ways)}]"
        ways = [text for space, text in known.near(piece) if space not in shut and space != start]
        return f"[{json.dumps(self.tables.spaces[start])}]", f"[{', '.join(ways)}]"

    def _encode_dislodged(self, beaten: Sequence[tuple[int, str]]) -> str:
        """Return the dislodged units by their powers."""
        by_power: dict[int, list[str]] = {}
        for who, text in beaten:
            by_power.setdefault(who, []).append(text)
        powers = self.tables.powers
        parts = [f"{json.dumps(powers[who])}: {{{', '.join(own)}}}" for who, own in by_power.items()]
        return f"{{{', '.join(parts)}}}"

    def _entries(self, tables: LineTables, numbers: Array, reasons: Array, of: Array) -> list[str]:
        """Return the results of the orders of units, row by row; `of` selects the units."""
        units = tables.pieces * MOST_POWERS + tables.whose
        return list(map(self.results.__getitem__, (units << 12 | numbers.astype(np.int64) << 6 | reasons)[of].tolist()))

    def _could_be_convoyed(self, tables: LineTables, row: int, column: int) -> bool:
        """Return True if fleets stand where they could convoy a unit to where it was ordered."""
        known, pieces = self.known, tables.pieces[row][tables.there[row]].tolist()
        board = self.tables.board
        carriers = board.carriers.get(known.kinds[pieces[column]], ())
        fleets = frozenset(
            known.locations[piece].space
            for piece in pieces
            if known.kinds[piece] in carriers and board.spaces[known.locations[piece].space].carries
        )
        to = int(self.tables.arrays.space_of[int(tables.orders[row, column]) & 1023])
        return known.can_convoy(fleets, int(known.space[pieces[column]]), to)

    def _encode_retreats(self, tables: LineTables, results: Array) -> list[str]:
        """Return the results of the orders of dislodged units."""
        numbers, reasons, _ = results
        beaten = tables.there & (tables.came > 0)
        tables.odd |= (beaten & (reasons == _NO_ORDER) & (tables.orders > 0)).any(axis=1)
        texts = self._entries(tables, numbers, reasons, beaten)
        return _join_rows(texts, [0, *accumulate(beaten.sum(axis=1).tolist())])

    def _encode_adjustments(self, tables: LineTables, results: Array) -> tuple[list[str], dict[int, list[str]]]:
        """Return the results of adjustment orders, and of builds that were waived or not used."""
        numbers, reasons, fates = results
        used = np.arange(numbers.shape[1]) < np.array(tables.columns.order_counts)[:, None]
        tables.odd |= (used & (numbers == _VOID)).any(axis=1) | (fates == BY_RULE).any(axis=1)
        entries: list[str] = []
        further: dict[int, list[str]] = {}
        left = self._due(tables)
        for row, ordered in enumerate(tables.ordered):
            parts: list[str] = []
            waived: list[tuple[int, str]] = []
            came = zip(ordered, numbers[row].tolist(), reasons[row].tolist(), strict=False)
            for column, ((piece, who), number, reason) in enumerate(came):
                if piece == NO_PIECE:
                    waived.append((who, self._waived(who)))
                else:
                    parts.append(self.results[(piece * MOST_POWERS + who) << 12 | number << 6 | reason])
                if int(tables.orders[row, column]) >> 20 & 15 != REMOVE:
                    left[row, who] -= 1
            for column in np.flatnonzero(fates[row] == BY_DISORDER).tolist():
                unit = int(tables.pieces[row, column]) * MOST_POWERS + int(tables.whose[row, column])
                parts.append(self.results[unit << 12 | _REMOVED << 6 | _DISORDER])
            waived += [(who, self._unused(who, int(left[row, who]))) for who in np.flatnonzero(left[row] > 0).tolist()]
            entries.append("".join(parts)[2:])
            if waived:
                further[row] = [text for _, text in sorted(waived, key=lambda entry: entry[0])]
        return entries, further

    def _due(self, tables: LineTables) -> Array:
        """Return the number of builds of each power, by row."""
        known, rows = self.known, np.arange(tables.rows)[:, None] * (NOBODY + 1)

        def count_by_power(whose: Array, of: Array) -> Array:
            flat = np.bincount((rows + whose)[of], minlength=tables.rows * (NOBODY + 1))
            return flat.reshape(tables.rows, NOBODY + 1)[:, :MOST_POWERS]

        owner = tables.owner.astype(np.int64)
        taken_up = np.zeros((tables.rows, len(known.codes) + 1), bool)
        lines, columns = np.nonzero(tables.there)
        taken_up[lines, known.centre_of_space[known.space[tables.pieces[lines, columns]]]] = True
        sites = (tables.home == tables.owner) & (owner != NOBODY) & ~taken_up[:, :-1]
        counts = tables.ripe if known.delay else np.ones_like(tables.ripe)
        builds = count_by_power(owner, counts) - count_by_power(tables.whose, tables.there)
        # with more units than centres there is something to remove and nothing to build
        due: Array = np.minimum(np.maximum(builds, 0), count_by_power(owner, sites))
        return due

    def _standing(self, tables: LineTables, after: _After) -> list[str]:
        """Return the units by their powers, in the order in which the powers first stood before."""
        rows, columns = np.nonzero(tables.there & (tables.came == 0))
        first = np.tile(np.arange(MOST_POWERS) + 64, (tables.rows, 1))
        before = np.zeros((tables.rows, MOST_POWERS), bool)
        whose = tables.whose[rows, columns]
        before[rows, whose] = True
        first[rows[::-1], whose[::-1]] = columns[::-1]  # the last of several orders counts
        there = after.units < NEVER
        mine = np.where(there, after.units % MOST_POWERS, 0)
        keys = np.where(there, np.take_along_axis(first, mine, axis=1) << 20 | after.units, NEVER)
        keys.sort(axis=1)
        units = keys & (1 << 20) - 1
        there.sort(axis=1)
        there = there[:, ::-1]
        new = np.ones_like(there)
        new[:, 1:] = units[:, 1:] % MOST_POWERS != units[:, :-1] % MOST_POWERS
        texts = list(map(self.units.__getitem__, (new.astype(np.int64) << 20 | units)[there].tolist()))
        ends = [0, *accumulate(there.sum(axis=1).tolist())]
        texts_by_row = ["".join(texts[a:b])[3:] + "]" if a < b else "" for a, b in pairwise(ends)]
        lines, columns = np.nonzero(there)
        before[lines, units[lines, columns] % MOST_POWERS] = False
        for row, who in zip(*(part.tolist() for part in np.nonzero(before)), strict=True):
            texts_by_row[row] += f"{', ' if texts_by_row[row] else ''}{json.dumps(self.tables.powers[who])}: []"
        return texts_by_row

    def _centres(self, owner: Array) -> list[str]:
        """Return the owners of the centres as JSON without braces, the powers in the order of their first centres."""
        owned = owner != NOBODY
        who = np.where(owned, owner, _NONE).astype(np.int64)
        count, centres = owner.shape
        first = np.full((count, MOST_POWERS), centres)
        rows, columns = np.nonzero(owned)
        first[rows[::-1], who[rows, columns][::-1]] = columns[::-1]
        keys = np.take_along_axis(first, who, axis=1) << 20 | np.arange(centres) << 5 | who
        keys.sort(axis=1)
        keys &= (1 << 20) - 1
        new = np.ones_like(owned)
        new[:, 1:] = keys[:, 1:] % MOST_POWERS != keys[:, :-1] % MOST_POWERS
        there = keys % MOST_POWERS != _NONE
        texts = list(map(self.owned.__getitem__, (new.astype(np.int64) << 20 | keys)[there].tolist()))
        ends = [0, *accumulate(there.sum(axis=1).tolist())]
        return ["".join(texts[a:b])[3:] + "]" if a < b else "" for a, b in pairwise(ends)]

    def _encode_contested(self, contested: Array) -> list[str]:
        """Return the spaces that a stand-off left vacant."""
        texts = ["[]"] * len(contested)
        for row in np.flatnonzero(contested.any(axis=1)).tolist():
            words = tuple(contested[row].tolist())
            texts[row] = self._closed(words)
        return texts

    def _make_closed(self, words: tuple[int, ...]) -> str:
        return json.dumps(sorted(self.tables.spaces[number] for number in _bits(words)))

    def _add_ownership_events(
        self, tables: LineTables, after: _After, passed: Sequence[Any], told: dict[int, list[Told]]
    ) -> None:
        """Add the events of settled ownership to `told`: centres taken, centres that do not count yet, fixed homes."""
        changed = np.nonzero((after.owner != tables.owner) & ~tables.odd[:, None])
        for row, centre in zip(*(part.tolist() for part in changed), strict=True):
            loser, power = int(tables.owner[row, centre]), int(after.owner[row, centre])
            told[row].append(self._taken(centre, loser, power))
        settled = np.array([bool(way and way.settled) for way in passed])
        if self.known.delay:
            green = (after.owner != NOBODY) & ~after.ripe & settled[:, None]
            for row in np.flatnonzero(green.any(axis=1)).tolist():
                whose = after.owner[row]
                for who in range(len(self.known.powers)):
                    if codes := np.flatnonzero(green[row] & (whose == who)).tolist():
                        told[row].append(self._delayed(who, tuple(codes)))
        for row, way in enumerate(passed):
            if way and way.fixed:
                for who in range(len(self.known.powers)):
                    if codes := np.flatnonzero(after.home[row] == who).tolist():
                        told[row].append(self._fixed(who, tuple(codes)))

    def _slots(self, tables: LineTables, after: _After, passed: Sequence[Any]) -> list[str]:
        """Return the slots of the next positions as JSON: the stored state of centres whose builds are delayed."""
        known, centres = self.known, np.arange(len(self.known.codes)) << 5
        now = np.full((tables.rows, len(known.codes) + 1), NOBODY, np.uint8)
        rows, columns = np.nonzero(after.units < NEVER)
        units = after.units[rows, columns]
        now[rows, known.centre_of_space[known.space[units // MOST_POWERS]]] = units % MOST_POWERS
        settled = np.array([bool(way and way.settled) for way in passed])
        standing = np.where(settled[:, None], now[:, :-1], tables.standing)
        lines = []
        for table in (after.owner, standing):
            numbers = centres | np.where(table == NOBODY, _NONE, table).astype(np.int64)
            lines.append([", ".join(filter(None, map(self.held.__getitem__, row))) for row in numbers.tolist()])
        codes = [json.dumps(code) for code in known.codes]
        ripe = [", ".join([codes[i] for i in np.flatnonzero(row)]) for row in after.ripe]
        return [
            f', "slots": {{"{delays.SLOT}": {{"owners": {{{own}}}, "ripe": [{old}], "standing": {{{there}}}}}}}'
            for own, old, there in zip(lines[0], ripe, lines[1], strict=True)
        ]

    # -- the texts

    def _result(self, number: int) -> str:
        """Return the result of a unit, with its name."""
        unit, result, reason = number >> 12, RESULTS[number >> 6 & 63], REASONS[number & 63]
        text, power = self.known.texts[unit // MOST_POWERS], self.tables.powers[unit % MOST_POWERS]
        content = {"result": result, "why": f"{text}: {reason}.", "power": power, "reason": reason}
        return f", {json.dumps(text)}: {json.dumps(content)}"

    def _beaten(self, number: int) -> str:
        """Return the beginning of the result of a dislodged unit."""
        unit, result, reason = number >> 12, RESULTS[number >> 6 & 63], REASONS[number & 63]
        why = json.dumps(f"{self.known.texts[unit // MOST_POWERS]}: {reason}; dislodged by ")[:-1]
        return f', {self.quoted[unit // MOST_POWERS]}: {{"result": "{result}", "why": {why}'

    def _attacker(self, unit: int) -> str:
        """Return the unit that dislodged another, at the end of a sentence."""
        return json.dumps(f"{self.known.texts[unit // MOST_POWERS]} of {self.tables.powers[unit % MOST_POWERS]}.")[1:-1]

    def _unit(self, number: int) -> str:
        """Return a unit in the list of its power, which it may begin."""
        unit = number & (1 << 20) - 1
        text = json.dumps(self.known.texts[unit // MOST_POWERS])
        return f"], {json.dumps(self.tables.powers[unit % MOST_POWERS])}: [{text}" if number >> 20 else f", {text}"

    def _encode_owned_centre(self, number: int) -> str:
        """Return a centre in the list of its owner, which it may begin."""
        centre, who = (number & (1 << 20) - 1) >> 5, number % MOST_POWERS
        text = json.dumps(self.known.codes[centre])
        return f"], {json.dumps(self.tables.powers[who])}: [{text}" if number >> 20 else f", {text}"

    def _encode_centre_power(self, number: int) -> str:
        """Return a centre with a power; nothing if there is none."""
        who = number % MOST_POWERS
        if who == _NONE:
            return ""
        return f"{json.dumps(self.known.codes[number >> 5])}: {json.dumps(self.tables.powers[who])}"

    def _make_phase(self, step: int, year: int) -> str:
        return str(self.tables.phase(step, year))

    def _make_unit_of(self, number: int) -> Unit:
        """Return a piece with its power, as the engine has it."""
        piece, who = divmod(number, MOST_POWERS)
        return Unit(self.tables.powers[who], self.known.kinds[piece], self.known.locations[piece])

    def _make_lost(self, unit: int) -> str:
        """Return why a dislodged unit may not retreat; empty if it may."""
        rules = self.known.rules
        return retreats.why_none(rules, rules.opening, Dislodged(self._unit_of(unit)))

    def _make_disbanded(self, unit: int) -> Told:
        return _encode_event_texts(had_nowhere(self._unit_of(unit)))

    def _make_taken(self, centre: int, loser: int, power: int) -> Told:
        powers = self.tables.powers
        space = self.tables.board.spaces[self.known.codes[centre]]
        return _encode_event_texts(make_capture_event(space, powers[power], None if loser == NOBODY else powers[loser]))

    def _make_fixed(self, who: int, centres: tuple[int, ...]) -> Told:
        return _encode_event_texts(homes_fixed(self.tables.powers[who], [self.known.codes[i] for i in centres]))

    def _make_delayed(self, who: int, centres: tuple[int, ...]) -> Told:
        assert self.known.delay  # noqa: S101  # only then anything is delayed
        codes = [self.known.codes[i] for i in centres]
        return _encode_event_texts(delays.make_delay_event(self.known.delay, self.tables.powers[who], codes))

    def _make_waived(self, who: int) -> str:
        """Return the result of a waived build."""
        power = self.tables.powers[who]
        outcome = {"result": Result.WAIVED, "why": f"{power} waived 1 build.", "power": power, "reason": Reason.ORDERED}
        return json.dumps({"order": str(Waive()), **outcome})

    def _make_unused(self, who: int, count: int) -> str:
        """Return the result of builds for which no order was given."""
        power = self.tables.powers[who]
        why = f"{power} did not use {count} build{'' if count == 1 else 's'}."
        outcome = {"result": Result.WAIVED, "why": why, "power": power, "reason": Reason.NO_ORDER}
        return json.dumps({"order": None, **outcome})

    def _make_homes(self, home: bytes) -> str:
        """Return the home centres by the powers that have them, if not those of the opening."""
        if home == self.opening_homes:
            return ""
        homes: dict[str, list[str]] = {power: [] for power in self.known.powers}
        for code, who in zip(self.known.codes, home, strict=True):
            if who != NOBODY:
                homes[self.tables.powers[who]].append(code)
        return f', "homes": {json.dumps(homes)}'


def _encode_event_texts(event: Event) -> Told:
    return json.dumps(str(event)), json.dumps(encode_event(event))


def _bits(words: Iterable[int]) -> frozenset[int]:
    """Return the numbers of the spaces in a set of them."""
    return frozenset(w * 64 + i for w, word in enumerate(words) if word for i in range(64) if word >> i & 1)


def _join_rows(texts: Sequence[str], ends: Sequence[int]) -> list[str]:
    """Return the texts of each row as one, without the comma before the first."""
    return ["".join(texts[a:b])[2:] for a, b in pairwise(ends)]

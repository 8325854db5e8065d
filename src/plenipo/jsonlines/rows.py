"""The answers to several lines, made from the kernel's numbers: texts are looked up and joined."""

import json
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache, partial
from itertools import accumulate, pairwise
from typing import Any, NamedTuple

import msgspec
import numpy as np

from plenipo.batch.arena import PhaseResults
from plenipo.batch.bits import Array
from plenipo.batch.kinds import kind_of, owner_of, unit_word
from plenipo.batch.packing import (
    ILLEGAL,
    REMOVE,
    VIA,
    pack,
    target_of,
    verb_of,
)
from plenipo.batch.phases import BY_DISORDER, BY_RULE
from plenipo.batch.results import REASONS, RESULTS
from plenipo.batch.state import AFLOAT
from plenipo.batch.tables import NOBODY
from plenipo.engine.board import Code
from plenipo.engine.calendar import PhaseKind
from plenipo.engine.events import Event, Refusal
from plenipo.engine.history.record import encode_event, encode_refusal
from plenipo.engine.immutable import EMPTY
from plenipo.engine.orders import Waive
from plenipo.engine.outcome import Outcome, Reason, Resolution, Result
from plenipo.engine.phases import delays, retreats
from plenipo.engine.phases.ownership import homes_fixed, make_capture_event
from plenipo.engine.phases.step import had_nowhere, resolve_adjustments, sort_unit_orders
from plenipo.engine.position import Dislodged, Position, Power, Unit
from plenipo.engine.reading.positions import BoardReader
from plenipo.errors import PlenipoError
from plenipo.jsonlines.columns import NEVER, Columns, LineTables, PlainLine
from plenipo.jsonlines.lookup import MOST_POWERS, NO_PIECE, VariantLookup, remembered
from plenipo.jsonlines.reading import PositionLine, read_orders
from plenipo.jsonlines.writing import encode_results, join_parts

__all__ = ["Answers", "in_a_word"]

_ILLEGAL, _NO_CONVOY = REASONS.index(Reason.ILLEGAL), REASONS.index(Reason.NO_CONVOY)
_NO_ORDER, _DISORDER = REASONS.index(Reason.NO_ORDER), REASONS.index(Reason.CIVIL_DISORDER)
_VOID, _REMOVED = RESULTS.index(Result.VOID), RESULTS.index(Result.REMOVED)
_NOBODY_CAME = 255
_NONE = MOST_POWERS - 1
_quote = lru_cache(maxsize=64)(json.dumps)
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


class _Trouble(NamedTuple):
    """The answer of the engine about the orders of a row: refusals, and the reasons for them by the columns of units.

    In an adjustment phase, `outcomes` are those of the powers whose orders it looked at.
    """

    refusals: Sequence[Refusal]
    illegal: Mapping[int, str]
    outcomes: Mapping[int, Sequence[Outcome]] = EMPTY


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
        self.quoted = [json.dumps(text) for text in known.texts]
        self.units = _Texts(partial(self._item, self.quoted))
        self.owned = _Texts(partial(self._item, [json.dumps(code) for code in known.codes]))
        self.held = _Texts(self._encode_centre_power)
        self.beaten = _Texts(self._beaten)
        self.attackers = _Texts(self._attacker)
        self.powers = _Texts(lambda name: f', "power": {json.dumps(known.names[name])}')
        self.keys = _Texts(lambda name: json.dumps(known.names[name]))
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
        """Yield the answer to each line, or None for one that is to be answered alone."""
        tables = LineTables(self.known, columns)
        self.trouble: dict[int, _Trouble] = {}
        for row in np.flatnonzero(tables.with_orders(tables.urgent) & ~tables.odd).tolist():
            self._look_at(tables, row)
        results = np.array([part[: tables.rows] for part in self._adjudicate(tables)])
        after = self._after(tables)
        self._look_again(tables, results)
        contested = self.known.arena.state.contested[: tables.rows]
        texts = list(self._texts(tables, results, after, contested))
        for odd, text in zip(tables.odd.tolist(), texts, strict=True):
            yield None if odd else text

    def forget_names(self) -> None:
        """Forget the texts with names of powers, if there are too many of them."""
        if self.known.has_many_names:
            self.known.forget_names()
            for texts in (self.results, self.units, self.owned, self.powers, self.keys):
                texts.clear()
            self._homes.cache_clear()
            self._waived.cache_clear()
            self._unused.cache_clear()

    # -- orders that the engine looks at

    def _look_at(self, tables: LineTables, row: int, late: Collection[int] = ()) -> None:
        """Let the engine check the troubled orders of a row, and write those that count for the kernel.

        In an adjustment phase it checks all orders of the powers that gave one, and of `late` ones, which the kernel
        has adjudicated already.
        """
        known, rules, position = self.known, self.known.rules, self._position(tables, row)
        is_adjusting = tables.columns.kind is PhaseKind.ADJUSTMENTS
        reader = BoardReader(self.tables.board, rules.power, lambda: known.notation)
        illegal: dict[int, str] = {}
        outcomes: Mapping[int, Sequence[Outcome]] = {}
        try:
            powers = tables.trouble_powers(row, late) if is_adjusting else ()
            orders, unread = read_orders(rules, position, reader, tables.troubled_orders(row))
            if is_adjusting:
                found, refusals = resolve_adjustments(rules, position, orders, {self.tables.powers[i] for i in powers})
                outcomes = {known.powers[power]: own for power, own in found.items()}
                if not late:
                    given = [(o.order, o.power) for own in found.values() for o in own if o.result is not Result.VOID]
                    tables.write_adjustments(row, [known.pack(order, power) for order, power in given if order])
            else:
                legal, refused, refusals = sort_unit_orders(rules, position, orders)
                spaces = enumerate(tables.space[row, : tables.counts[row]].tolist())
                column_of = {self.tables.spaces[space]: column for column, space in spaces}
                for space, order in legal.items():
                    tables.orders[row, column_of[space]] = known.pack(order)
                illegal = {column_of[space]: reason for space, (_, reason) in refused.items()}
                tables.orders[row, list(illegal)] = pack(ILLEGAL)
        except (PlenipoError, ValueError, IndexError):
            tables.odd[row] = True
            tables.orders[row] = 0
        else:
            self.trouble[row] = _Trouble([*unread, *refusals], illegal, outcomes)

    def _look_again(self, tables: LineTables, results: Array) -> None:
        """Let the engine say why orders are illegal that the kernel refused, and who is removed in civil disorder."""
        numbers, reasons, fates = results
        if tables.columns.kind is PhaseKind.ADJUSTMENTS:
            late: dict[int, set[int]] = defaultdict(set)
            for row, column in np.argwhere(numbers == _VOID).tolist():
                if column < len(tables.ordered[row]):
                    late[row].add(tables.ordered[row][column][1])
            for row in np.flatnonzero((fates == BY_RULE).any(axis=1)).tolist():
                late[row] |= set(range(len(self.tables.powers)))
            lost: set[tuple[int, int]] = set()
            for row, column in np.argwhere(fates == BY_DISORDER).tolist():
                who = int(tables.whose[row, column])
                if (row, who) in lost:
                    late[row].add(who)  # the farthest comes first
                lost.add((row, who))
            for row, powers in late.items():
                if not tables.odd[row]:
                    self._look_at(tables, row, powers)
            return
        is_movement = tables.columns.kind is PhaseKind.MOVEMENT
        refused = reasons[tables.line, tables.column] == (_ILLEGAL if is_movement else _NO_ORDER)
        refused &= ~tables.troubled
        tables.troubled |= refused
        newly = tables.with_orders(refused)
        for row in np.flatnonzero(tables.with_orders(tables.troubled) & ~tables.odd).tolist():
            if newly[row] or row not in self.trouble:
                self._look_at(tables, row)
        for row, column in np.argwhere(tables.there & (reasons == _ILLEGAL)).tolist() if is_movement else ():
            tables.odd[row] |= row not in self.trouble or column not in self.trouble[row].illegal

    def _position(self, tables: LineTables, row: int) -> Position:
        """Return the position of a row as the engine has it."""
        known = self.known
        count = int(tables.counts[row])
        units, came = tables.units[row, :count].tolist(), tables.came[row, :count].tolist()
        owners: dict[Code, Power] = {}
        homes: Any = known.rules.opening.homes
        slots = {}
        if tables.columns.kind is PhaseKind.ADJUSTMENTS or not known.moves_alone:
            owners = self._by_centre(tables.owner[row])
            if row in tables.columns.homes:
                homes = {power: frozenset() for power in known.rules.names}
                for code, power in self._by_centre(tables.home[row]).items():
                    homes[power] |= {code}
            if known.delay:
                ripe = frozenset(known.codes[i] for i in np.flatnonzero(tables.ripe[row]).tolist())
                standing = self._by_centre(tables.standing[row])
                slots[delays.SLOT] = delays.CentreDelays(owners, ripe, standing)
        position = Position(
            self.tables.phase(*tables.moments[row]),
            tuple(self._unit_of(unit) for unit, then in zip(units, came, strict=True) if not then),
            tuple(
                Dislodged(self._unit_of(unit), None, (self.tables.locations[then - 1].space,))
                for unit, then in zip(units, came, strict=True)
                if then
            ),
            frozenset(self.tables.spaces[i] for i in tables.contested.get(row, ())),
            owners,
            homes,
            slots=slots,
        )
        position.mark_sound(self.tables.board)
        return position

    def _by_centre(self, powers: Array) -> dict[Code, Power]:
        """Return the powers by centre, without those that have none."""
        by = zip(self.known.codes, powers.tolist(), strict=True)
        return {code: self.tables.powers[who] for code, who in by if who != NOBODY}

    # -- through the kernel

    def _adjudicate(self, tables: LineTables) -> PhaseResults:
        known, count = self.known, tables.rows
        state = known.arena.state
        state.units[:count] = tables.counts
        state.kinds[:count] = unit_word(tables.whose, np.where(tables.there, known.kind[tables.pieces], 0))
        state.places[:count] = np.where(tables.there, known.place[tables.pieces], 0)
        state.came[:count] = tables.came
        state.contested[:] = 0
        for row, numbers in tables.contested.items():
            for number in numbers:
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
        dislodged: Mapping[int, list[tuple[Unit, str, str]]] = {}
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
            for row, numbers in tables.contested.items() if kind is PhaseKind.ADJUSTMENTS else ():
                closed[row] = json.dumps(sorted({self.tables.spaces[number] for number in numbers}))
        standing = self._standing(tables, after)
        owned = self._centres(tables, after.owner)
        passed = [
            known.passed(*then, *now) if not odd else None
            for odd, then, now in zip(tables.odd.tolist(), tables.moments, after.moments, strict=True)
        ]
        self._add_ownership_events(tables, after, passed, told)
        slots = self._slots(tables, after, passed) if known.delay else [""] * tables.rows
        names = tables.names.astype(np.int64)
        homes = [self._homes(*key) for key in zip(map(bytes, after.home), map(bytes, names), strict=True)]
        for row, line in enumerate(tables.columns.lines):
            beaten = dislodged.get(row)
            parts = {
                "results": f"{{{entries[row]}}}",
                "errors": "[]",
                "units": f"{{{standing[row]}}}",
                "dislodged": self._encode_dislodged(beaten) if beaten else "{}",
                "phase": f'"{self._phase(*after.moments[row])}"',
                "contested": closed[row],
                "centres": f"{{{owned[row]}}}",
            }
            parts |= self._repeat_request(line)
            if homes[row]:
                parts["homes"] = homes[row]
            if known.delay:
                parts["slots"] = slots[row]
            if row in further:
                parts["further"] = f"[{', '.join(further[row])}]"
            if events := told.get(row):
                parts["notes"] = f"[{', '.join([note for note, _ in events])}]"
                parts["events"] = f"[{', '.join([event for _, event in events])}]"
            if row in self.trouble and (refusals := self.trouble[row].refusals):
                parts["errors"] = json.dumps(list(map(str, refusals)))
                parts["refusals"] = json.dumps(list(map(encode_refusal, refusals)))
            yield join_parts(parts)

    def _repeat_request(self, line: PlainLine) -> dict[str, str]:
        """Return the parts of a line that its answer repeats: the variant, its options, and the name of the line."""
        rules = self.known.rules
        parts = {"variant": _quote(line.variant)}
        if line.options is not msgspec.UNSET:
            parts["options"] = json.dumps(line.options)
        elif rules.options:
            parts["options"] = json.dumps(dict(rules.options))
        if line.id is not msgspec.UNSET:
            parts["id"] = json.dumps(line.id)
        return parts

    def _encode_movement(
        self, tables: LineTables, results: Array, after: _After, contested: Array, told: dict[int, list[Told]]
    ) -> tuple[list[str], dict[int, list[tuple[Unit, str, str]]]]:
        """Return the results of movement orders, and the dislodged units in the form of the next position."""
        known = self.known
        numbers, reasons, by = results
        there, odd = tables.there, tables.odd
        unmade = there & (reasons == _NO_CONVOY) & ((tables.orders & VIA) > 0)
        for row, column in zip(*(part.tolist() for part in np.nonzero(unmade)), strict=True):
            # a route that does not exist differs from one for which the convoy orders are missing
            odd[row] |= not self._could_be_convoyed(tables, row, column)
        texts = self._entries(tables, numbers, reasons, there)
        ends = [0, *accumulate(tables.counts.tolist())]
        for row, trouble in self.trouble.items():
            for column, why in trouble.illegal.items():
                whose = self.powers[int(tables.names[row, tables.whose[row, column]])]
                begin = self._open_void(tables, row, column, why)
                texts[ends[row] + column] = f'{begin}."{whose}, "reason": "{Reason.ILLEGAL}"}}'
        dislodged: dict[int, list[tuple[Unit, str, str]]] = defaultdict(list)
        disbanded: dict[int, list[int]] = defaultdict(list)
        rows, columns = np.nonzero(there & (by != _NOBODY_CAME) & ~odd[:, None])
        units = tables.units
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
            name = int(tables.names[row, unit % MOST_POWERS])
            if came is not None:
                barred, ways = self._ways(unit >> 5, attacker >> 5, came, shut)
                entry = f'{{"by": {self.quoted[attacker >> 5]}, "barred": {barred}, "retreats": {ways}}}'
                dislodged[row].append((self._unit_of(unit), self.keys[name], f"{text}: {entry}"))
                fate = ""
            elif not why:
                disbanded[row].append(unit)
            begin, by_whom = self.beaten[unit << 12 | number << 6 | reason], self.attackers[attacker]
            if reason == _ILLEGAL:
                begin = self._open_void(tables, row, column, self.trouble[row].illegal[column]) + "; dislodged by "
            whose, other = self.powers[name], self.quoted[attacker >> 5]
            texts[ends[row] + column] = (
                f'{begin}{by_whom}{json.dumps(f" {why}")[1:-1] if why else ""}"{whose}, '
                f'"reason": "{REASONS[reason]}", "dislodged_by": {other}, "retreats": {ways}{fate}}}'
            )
        for row, gone in disbanded.items():
            told[row] += map(self._disbanded, sorted(gone, key=self._unit_of))
        return _join_rows(texts, ends), dislodged

    def _open_void(self, tables: LineTables, row: int, column: int, why: str) -> str:
        """Return the beginning of the result of a unit whose order was refused."""
        piece = int(tables.pieces[row, column])
        said = json.dumps(f"{self.known.texts[piece]}: {why.rstrip('.')}")[:-1]
        return f', {self.quoted[piece]}: {{"result": "{Result.VOID}", "why": {said}'

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

    def _encode_dislodged(self, beaten: Sequence[tuple[Unit, str, str]]) -> str:
        """Return the dislodged by the names of their powers, as JSON."""
        by_power: dict[str, list[str]] = {}
        for _, name, text in sorted(beaten):
            by_power.setdefault(name, []).append(text)
        parts = [f"{name}: {{{', '.join(own)}}}" for name, own in by_power.items()]
        return f"{{{', '.join(parts)}}}"

    def _entries(self, tables: LineTables, numbers: Array, reasons: Array, of: Array) -> list[str]:
        """Return the results of the orders of units, row by row; `of` selects the units."""
        units = tables.pieces << 16 | np.take_along_axis(tables.names, tables.whose, axis=1)
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
        to = int(self.tables.arrays.space_of[target_of(int(tables.orders[row, column]))])
        return known.can_convoy(fleets, int(known.space[pieces[column]]), to)

    def _encode_retreats(self, tables: LineTables, results: Array) -> list[str]:
        """Return the results of the orders of dislodged units."""
        numbers, reasons, _ = results
        beaten = tables.there & (tables.came > 0)
        texts = self._entries(tables, numbers, reasons, beaten)
        return _join_rows(texts, [0, *accumulate(beaten.sum(axis=1).tolist())])

    def _encode_adjustments(self, tables: LineTables, results: Array) -> tuple[list[str], dict[int, list[str]]]:
        """Return the results of adjustment orders, and of builds that were waived or not used."""
        numbers, reasons, fates = results
        entries: list[str] = []
        further: dict[int, list[str]] = {}
        left = self._due(tables).tolist()
        disorder: dict[int, list[int]] = defaultdict(list)
        for row, column in np.argwhere(fates == BY_DISORDER).tolist():
            disorder[row].append(column)
        for row, ordered in enumerate(tables.ordered):
            names, trouble = tables.names[row].tolist(), self.trouble.get(row)
            parts: dict[int, list[str]] = defaultdict(list)
            others: dict[int, list[str]] = defaultdict(list)
            count = len(ordered)
            came = zip(
                ordered,
                numbers[row, :count].tolist(),
                reasons[row, :count].tolist(),
                verb_of(tables.orders[row, :count]).tolist(),
                strict=True,
            )
            looked_at = trouble.outcomes if trouble else EMPTY
            for (piece, who), number, reason, verb in came:
                if who in looked_at:
                    continue
                if piece == NO_PIECE:
                    others[who].append(self._waived(who, names[who]))
                else:
                    parts[who].append(self.results[(piece << 16 | names[who]) << 12 | number << 6 | reason])
                if verb != REMOVE:
                    left[row][who] -= 1
            for column in disorder[row]:
                who = int(tables.whose[row, column])
                unit = int(tables.pieces[row, column]) << 16 | names[who]
                parts[who].append(self.results[unit << 12 | _REMOVED << 6 | _DISORDER])
            for who, count in enumerate(left[row]):
                if count > 0:
                    others[who].append(self._unused(who, names[who], count))
            for who, outcomes in looked_at.items():
                parts[who], others[who] = self._encode_outcomes(outcomes, who, names[who])
            entries.append("".join([text for who in sorted(parts) for text in parts[who]])[2:])
            if any(others.values()):
                further[row] = [text for who in sorted(others) for text in others[who]]
        return entries, further

    def _encode_outcomes(self, outcomes: Sequence[Outcome], who: int, name: int) -> tuple[list[str], list[str]]:
        """Return the outcomes of a power as the engine has them: those of its units, and others."""
        rules, spelt = self.known.rules, {self.tables.powers[who]: self.known.names[name]}
        resolution = Resolution(rules.opening, tuple(map(in_a_word, outcomes)), rules.opening)
        results, further = encode_results(PositionLine(rules, rules.opening, {}, spelt=spelt), resolution)
        parts = [f", {json.dumps(unit)}: {json.dumps(result)}" for unit, result in results.items()]
        return parts, list(map(json.dumps, further))

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
        """Return the units by their powers as JSON without braces; powers that have none any more come last."""
        texts = self._by_power(tables, after.units, self.units)
        count = tables.rows
        stood, stand = np.zeros((2, count, MOST_POWERS + 1), bool)
        rows = np.arange(count)[:, None]
        stood[rows, np.where(tables.there & (tables.came == 0), tables.whose, MOST_POWERS)] = True
        stand[rows, np.where(after.units < NEVER, after.units % MOST_POWERS, MOST_POWERS)] = True
        gone: dict[int, list[int]] = defaultdict(list)
        for row, who in np.argwhere((stood & ~stand)[:, :-1]).tolist():
            gone[row].append(who)
        for row, powers in gone.items():
            names = [self.keys[tables.names[row, who]] for who in sorted(powers, key=self.tables.powers.__getitem__)]
            texts[row] = ", ".join([*([texts[row]] if texts[row] else ()), *(f"{name}: []" for name in names)])
        return texts

    def _centres(self, tables: LineTables, owner: Array) -> list[str]:
        """Return the owners of the centres as JSON without braces."""
        centres = np.arange(owner.shape[1]) * MOST_POWERS
        return self._by_power(tables, np.where(owner == NOBODY, NEVER, centres + owner), self.owned)

    def _by_power(self, tables: LineTables, items: Array, texts: "_Texts") -> list[str]:
        """Return the lists of powers as JSON, the powers in the order of their first items.

        An item is a number times `MOST_POWERS`, and its power.
        """
        items = np.sort(items, axis=1)
        there = items < NEVER
        who = np.where(there, items % MOST_POWERS, 0)
        rows, columns = np.nonzero(there)
        first = np.zeros((tables.rows, MOST_POWERS), np.int64)
        # the last of several counts, if the indices are copied
        first[rows[::-1].copy(), who[rows, columns][::-1].copy()] = columns[::-1]
        keys = np.where(there, np.take_along_axis(first, who, axis=1) << 20 | items, NEVER)
        keys.sort(axis=1)
        items = keys & (1 << 20) - 1
        who = items % MOST_POWERS
        new = np.ones_like(there)
        new[:, 1:] = who[:, 1:] != who[:, :-1]
        names = np.take_along_axis(tables.names, who, axis=1)
        numbers = new.astype(np.int64) << 40 | items // MOST_POWERS << 16 | names
        found = list(map(texts.__getitem__, numbers[there].tolist()))
        ends = [0, *accumulate(there.sum(axis=1).tolist())]
        return ["".join(found[a:b])[3:] + "]" if a < b else "" for a, b in pairwise(ends)]

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
            f'{{"{delays.SLOT}": {{"owners": {{{own}}}, "ripe": [{old}], "standing": {{{there}}}}}}}'
            for own, old, there in zip(lines[0], ripe, lines[1], strict=True)
        ]

    # -- the texts

    def _result(self, number: int) -> str:
        """Return the result of a unit, with its name."""
        unit, result, reason = number >> 12, RESULTS[number >> 6 & 63], REASONS[number & 63]
        text, power = self.known.texts[unit >> 16], self.known.names[unit & 0xFFFF]
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

    def _item(self, texts: Sequence[str], number: int) -> str:
        """Return a unit or centre in the list of its power, which it may begin."""
        text = texts[number >> 16 & NO_PIECE]
        return f"], {self.keys[number & 0xFFFF]}: [{text}" if number >> 40 else f", {text}"

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

    def _make_waived(self, who: int, name: int) -> str:
        """Return the result of a waived build."""
        why = f"{self.tables.powers[who]} waived 1 build."
        outcome = {"result": Result.WAIVED, "why": why, "power": self.known.names[name], "reason": Reason.ORDERED}
        return json.dumps({"order": str(Waive()), **outcome})

    def _make_unused(self, who: int, name: int, count: int) -> str:
        """Return the result of builds for which no order was given."""
        why = f"{self.tables.powers[who]} did not use {count} build{'' if count == 1 else 's'}."
        outcome = {"result": Result.WAIVED, "why": why, "power": self.known.names[name], "reason": Reason.NO_ORDER}
        return json.dumps({"order": None, **outcome})

    def _make_homes(self, home: bytes, names: bytes) -> str:
        """Return the home centres by the powers that have them, if not those of the opening."""
        if home == self.opening_homes:
            return ""
        spelt = [self.known.names[name] for name in np.frombuffer(names, np.int64).tolist()]
        homes: dict[str, list[str]] = {spelt[self.known.powers[power]]: [] for power in self.known.rules.names}
        for code, who in zip(self.known.codes, home, strict=True):
            if who != NOBODY:
                homes[spelt[who]].append(code)
        return json.dumps(homes)


def in_a_word(outcome: Outcome) -> Outcome:
    """Return an outcome with the reason in a word in the place of the sentence about its unit."""
    if outcome.unit is None:
        return outcome
    return outcome._replace(said=f"{outcome.unit}: {outcome.cause.detail.rstrip('.') or outcome.cause.reason}.")


def _encode_event_texts(event: Event) -> Told:
    return json.dumps(str(event)), json.dumps(encode_event(event))


def _bits(words: Iterable[int]) -> frozenset[int]:
    """Return the numbers of the spaces in a set of them."""
    return frozenset(w * 64 + i for w, word in enumerate(words) if word for i in range(64) if word >> i & 1)


def _join_rows(texts: Sequence[str], ends: Sequence[int]) -> list[str]:
    """Return the texts of each row as one, without the comma before the first."""
    return ["".join(texts[a:b])[2:] for a, b in pairwise(ends)]

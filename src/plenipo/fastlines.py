"""JSON lines adjudicated together: lines in, arrays through the kernel, lines out, many at once.

A line that says its position and its orders as an answer does goes from text to arrays and back without values of the
engine between; reasons are words, as `plenipo.batch.adjudicate` gives them. Any other line (with a fault, an order
that is not allowed, a variant in which more happens than units move and centres change hands) is answered one by one,
by the kernel where it can and else by the engine, and then its `notes` say so.
"""

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import cache
from typing import Any, NamedTuple

import numpy as np

from plenipo import jsonlines
from plenipo.batch import adjudicate as kernel
from plenipo.batch.arena import Arena, PhaseResults
from plenipo.batch.codes import Codes
from plenipo.batch.packing import REMOVE, VIA, WAIVE, pack
from plenipo.batch.refusals import UnsupportedRules
from plenipo.batch.results import REASONS, RESULTS
from plenipo.batch.tables import KINDS, MOST_UNITS, NOBODY, STEPS, Tables, compile_tables
from plenipo.engine import facts
from plenipo.engine.board import Location, UnitKind
from plenipo.engine.calendar import PhaseKind
from plenipo.engine.events import Event, EventKind
from plenipo.engine.history.dice import SEED_BYTES, Dice
from plenipo.engine.history.game import notation_of
from plenipo.engine.history.record import encode_event
from plenipo.engine.orders import Build, Convoy, Disband, Hold, Move, Order, Ref, Remove, Retreat, Support, Waive
from plenipo.engine.outcome import Reason, Resolution, Result, Waiting
from plenipo.engine.phases import step
from plenipo.engine.phases.ownership import taken
from plenipo.engine.position import Position, Power
from plenipo.engine.rules import Rules
from plenipo.errors import PlenipoError

__all__ = ["TOGETHER", "Batch", "adjudicate"]

TOGETHER = 256
"""How many lines are adjudicated together."""

_REMEMBERED = 50_000

BY_ENGINE = EventKind("by_engine")
"""The engine did what the kernel could not."""

_BY_RULE, _BY_DISORDER, _NOBODY_CAME = 252, 253, 255
_ILLEGAL, _NO_CONVOY = REASONS.index(Reason.ILLEGAL), REASONS.index(Reason.NO_CONVOY)
_WORDLESS = {
    facts.UnitWeights,
    facts.Crossing,
    facts.PrefersConvoy,
    facts.CornersAsNearestArea,
    facts.RequiredBuilds,
    facts.Victory,
    facts.OpeningChoices,
}
"""The kinds of fact of which nothing is told but the results of orders."""

_BETWEEN = '", "'
_PLAIN = frozenset({"variant", "phase", "units", "orders", "centres", "centers", "contested", "dislodged", "id"})
_PLAIN |= {"options", "results", "errors", "notes", "further"}
"""The keys of a line that goes through arrays."""

Json = dict[str, Any]


class _UnusualError(Exception):
    """The line is to be answered by itself."""


class _Piece(NamedTuple):
    """A unit that may stand on the board: its rank by location, its text, kind and location by their numbers."""

    rank: int
    text: str
    kind: int
    place: int
    space: int


class _Order(NamedTuple):
    """An order in packed form, with the texts of the unit it is for and of the other one it names."""

    unit: str
    other: str
    packed: int


class _Row(NamedTuple):
    """A line as numbers: the units in columns, with the dislodged behind the others, and the orders."""

    number: int
    content: Json
    pieces: list[_Piece]
    powers: list[int]
    came: list[int]
    orders: list[int]
    ordered: list[tuple[_Piece | None, int]]
    owner: list[int]
    step: int
    year: int


def adjudicate(
    rules: Rules, position: Position, orders: Mapping[Power, Sequence[Order]], dice: Dice | None
) -> Resolution | Waiting:
    """Adjudicate a phase with the kernel, and where it cannot with the engine, which the notes then say."""
    count = len(position.units)
    try:
        if count <= MOST_UNITS:
            return kernel.adjudicate(rules, position, orders, dice)
        why = f"it has {count} units, and the kernel takes {MOST_UNITS}"
    except UnsupportedRules as fault:
        why = str(fault).rstrip(".")
    came = step.adjudicate(rules, position, orders, dice)
    if not isinstance(came, Resolution):
        return came
    event = Event(BY_ENGINE, f"The engine adjudicated this phase: {why}.")
    return replace(came, events=(*came.events, event))


class Batch:
    """Answers lines, many at once; made once for a run of them."""

    def __init__(self, load: jsonlines.Load) -> None:
        self._load = jsonlines.remembering(load)
        self._variants: dict[tuple[str, str], _Variant | None] = {}

    def answers(self, lines: Iterable[tuple[int, bytes]]) -> list[str]:
        """The answers to numbered lines, as JSON."""
        answers: dict[int, str] = {}
        rows: dict[_Variant, list[_Row]] = {}
        single: list[tuple[int, bytes]] = []
        order: list[int] = []
        for number, line in lines:
            order.append(number)
            try:
                content = jsonlines.parsed(line)
                variant = self._variant(content)
                rows.setdefault(variant, []).append(variant.row(number, content))
            except (_UnusualError, PlenipoError, KeyError, TypeError, ValueError, AttributeError, IndexError):
                # the reader of single lines says what is wrong, if anything is
                single.append((number, line))
        left = dict(single)
        for variant, several in rows.items():
            for start in range(0, len(several), TOGETHER):
                part = several[start : start + TOGETHER]
                for row, text in zip(part, variant.adjudicated(part), strict=True):
                    if text is None:
                        left[row.number] = json.dumps(row.content).encode()
                    else:
                        answers[row.number] = text
        for number, line in left.items():
            answers[number] = json.dumps(jsonlines.answer(line, number, self._load, adjudicate))
        return [answers[number] for number in order]

    def _variant(self, content: Json) -> "_Variant":
        """What is known of the variant of a line; raises `_UnusualError` for one that does not go through arrays."""
        options = content.get("options")
        key = (content["variant"], json.dumps(options) if options else "")
        if key not in self._variants:
            if len(self._variants) >= 64:
                self._variants.clear()
            self._variants[key] = None
            rules = jsonlines.rules_of(content, self._load)
            own = [fact for declared in rules.facts.declared.values() for fact in declared]
            if not rules.opening.slots and {type(fact) for fact in own} <= _WORDLESS:
                with suppress(UnsupportedRules):
                    self._variants[key] = _Variant(compile_tables(rules))
        variant = self._variants[key]
        if variant is None:
            raise _UnusualError
        return variant


class _Variant:
    """Everything about one variant that turns lines into numbers and numbers into lines."""

    def __init__(self, tables: Tables) -> None:
        self.tables, self.rules = tables, tables.rules
        self.notation = notation_of(self.rules)
        self.arena = Arena(tables, TOGETHER, seed=bytes(SEED_BYTES))
        self.codes = Codes(tables)
        board = tables.board
        ranks = {location: i for i, location in enumerate(sorted({loc for _, loc in board.standing.values()}))}
        self.pieces = {
            text: _Piece(
                ranks[location],
                text,
                KINDS.index(kind),
                tables.location_number[location],
                tables.space_number[location.space],
            )
            for text, (kind, location) in board.standing.items()
            if location in tables.location_number
        }
        self.piece_at: list[_Piece | None] = [None] * (2 * len(tables.locations))
        for piece in self.pieces.values():
            self.piece_at[2 * piece.place + piece.kind] = piece
        self.players: dict[str, int] = {name: tables.power_number[name] for name in self.rules.names}
        self.centres: dict[str, int] = {code: tables.centre_number[code] for code in tables.centres}
        self.by_code = sorted((code, number) for code, number in self.centres.items())
        self.orders: dict[tuple[str, PhaseKind], _Order | None] = {}
        homes = {tables.power_number[power]: codes for power, codes in self.rules.opening.homes.items()}
        self.homes = {who: {tables.space_number[code] for code in codes} for who, codes in homes.items()}
        self.home = self.arena.state.home[0].copy()
        self.words: dict[int, str] = {}
        self.owned: dict[tuple[int, ...], str] = {}

    # -- from a line to numbers

    def row(self, number: int, content: Json) -> _Row:
        """A line as numbers; raises anything for one that is not plain."""
        if not content.keys() <= _PLAIN:
            raise _UnusualError
        step, year, kind = self._phase(content["phase"])
        pieces: list[_Piece] = []
        powers: dict[str, int] = {}
        for power, texts in content["units"].items():
            who = self.players[power]
            for text in texts:
                pieces.append(self.pieces[text])
                powers[text] = who
        pieces.sort()
        if len({piece.space for piece in pieces}) != len(pieces):
            raise _UnusualError
        came = [0] * len(pieces)
        dislodged = content.get("dislodged")
        beaten = self._dislodged(dislodged, pieces, content.get("contested")) if dislodged else []
        if (beaten and kind is not PhaseKind.RETREATS) or len(pieces) + len(beaten) > self.arena.room:
            raise _UnusualError
        standing = len(pieces)
        whose = [powers[piece.text] for piece in pieces]
        for who, piece, origin in beaten:
            pieces.append(piece)
            whose.append(who)
            came.append(origin)
        columns = {piece.text: i for i, piece in enumerate(pieces) if (i >= standing) == (kind is PhaseKind.RETREATS)}
        owner = [NOBODY] * len(self.centres)
        owned = content.get("centres")
        if owned is None:
            owned = content.get("centers")
        if owned is None:
            raise _UnusualError
        for power, codes in owned.items():
            who = self.players[power]
            for code in codes:
                centre = self.centres[code]
                if owner[centre] != NOBODY:
                    raise _UnusualError
                owner[centre] = who
        orders, ordered = self._ordered(content.get("orders"), kind, columns, whose)
        return _Row(number, content, pieces, whose, came, orders, ordered, owner, step, year)

    @cache  # noqa: B019  # a variant lives as long as the run
    def _phase(self, text: str) -> tuple[int, int, PhaseKind]:
        phase = self.rules.calendar.read(text)
        if (
            not 0 < phase.year < 30_000
            or phase.kind not in STEPS
            or phase.kind
            in (
                PhaseKind.CHOICE,
                PhaseKind.OWNERSHIP,
            )
        ):
            raise _UnusualError
        return self.tables.step_of(phase), phase.year, phase.kind

    def _dislodged(self, value: Json, pieces: list[_Piece], contested: Any) -> list[tuple[int, _Piece, int]]:
        """The dislodged units with where their attackers came from; nothing else may be barred to them."""
        found: list[tuple[int, _Piece, int]] = []
        occupied = {piece.space for piece in pieces}
        closed = {self.tables.space_number[code] for code in contested or ()}
        for power, units in value.items():
            for text, known in units.items():
                piece, by = self.pieces[text], self.pieces[known["by"]]
                code = self.tables.spaces[by.space]
                barred = known.get("barred", [code]) == [code]
                if not barred or piece.space not in occupied or known.keys() - {"by", "barred", "retreats"}:
                    raise _UnusualError
                ways = [str(self.tables.locations[to]) for to in self._retreats(piece, occupied, closed, by.space)]
                if known.get("retreats", ways) != ways:
                    raise _UnusualError
                found.append((self.players[power], piece, 1 + by.place))
        if len({piece.space for _, piece, _ in found}) != len(found):
            raise _UnusualError
        return sorted(found)

    def _retreats(self, piece: _Piece, occupied: set[int], closed: set[int], origin: int) -> list[int]:
        """Where a dislodged unit may go, in the order of the engine."""
        near = self.tables.arrays.near[piece.kind, piece.place]
        space_of = self.tables.arrays.space_of
        shut = {*occupied, *closed, origin, piece.space}
        ways = [to for to in near[1 : near[0] + 1].tolist() if int(space_of[to]) not in shut]
        return sorted(ways, key=lambda to: self.tables.locations[to])

    def _ordered(
        self, value: Json | None, kind: PhaseKind, columns: dict[str, int], whose: list[int]
    ) -> tuple[list[int], list[tuple[_Piece | None, int]]]:
        """The orders by the columns of their units, or in an adjustment phase one after the other with their units."""
        adjusting = kind is PhaseKind.ADJUSTMENTS
        orders = [] if adjusting else [0] * len(whose)
        ordered: list[tuple[_Piece | None, int]] = []
        for power, texts in (value or {}).items():
            who = self.players[power]
            for text in texts:
                known = self.orders.get((text, kind)) or self._read(text, kind)
                unit, other, packed = known
                if adjusting and not unit:
                    orders.append(packed | who << 10)
                    ordered.append((None, who))
                    continue
                if adjusting:
                    piece = self.pieces[unit]
                    removing = packed >> 20 == REMOVE
                    if whose[columns[unit]] != who if removing else piece.space not in self.homes[who]:
                        raise _UnusualError
                    orders.append(packed)
                    ordered.append((piece, who))
                    continue
                column = columns[unit]
                if whose[column] != who or orders[column] or (other and other not in columns):
                    raise _UnusualError
                orders[column] = packed
        return orders, ordered

    def _read(self, text: str, kind: PhaseKind) -> _Order:
        """An order in its packed form; raises `_UnusualError` for one that the position must complete."""
        order = self.notation.read(text, kind)
        known = self.orders[text, kind] = self._packed(order) if len(text) < 60 and ":" not in text else None
        if len(self.orders) > _REMEMBERED:
            self.orders.clear()
        if known is None:
            raise _UnusualError
        return known

    def _packed(self, order: Order) -> _Order | None:
        if order == Waive():
            return _Order("", "", pack(WAIVE, 1))
        unit: Ref | None = getattr(order, "unit", None)
        other: Ref | None = getattr(order, "other", None)
        if unit is None or str(unit) not in self.pieces or (other and str(other) not in self.pieces):
            return None
        match order:
            case Hold() | Disband() | Remove() | Build():
                pass
            case Move(to=to, via=via):
                if not self._complete(unit, to) or (via and self.rules.rulebook["4.A.3"] not in {"intent", "explicit"}):
                    return None
            case Retreat(to=to):
                if not self._complete(unit, to):
                    return None
            case Support(to=None):
                pass
            case Support(to=Location() as to) | Convoy(to=to) if other:
                if not self._complete(other, to):
                    return None
            case _:
                return None
        return _Order(str(unit), str(other) if other else "", self.codes.pack(order))

    def _complete(self, unit: Ref, to: Location) -> bool:
        """Whether nothing about the coast of a destination is left open."""
        coasts = self.tables.board.spaces[to.space].coasts
        return to.coast in coasts if unit.kind is UnitKind.FLEET and coasts else not to.coast

    # -- from numbers to a line

    def adjudicated(self, rows: Sequence[_Row]) -> Iterator[str | None]:
        """The answer to each line, or None for one that is to be answered by itself."""
        arena, state = self.arena, self.arena.state
        room, count = arena.room, len(rows)
        padding = [0] * room

        def padded(values: list[list[int]]) -> Any:
            return [[*row, *padding[len(row) :]] for row in values]

        state.units[:count] = [len(row.pieces) for row in rows]
        state.kinds[:count] = padded([[2 * w + p.kind for w, p in zip(r.powers, r.pieces, strict=True)] for r in rows])
        state.places[:count] = padded([[piece.place for piece in row.pieces] for row in rows])
        state.came[:count] = padded([row.came for row in rows])
        state.contested[:] = 0
        for i, row in enumerate(rows):
            for code in row.content.get("contested") or ():
                number = self.tables.space_number[code]
                state.contested[i, number >> 6] |= np.uint64(1 << (number & 63))
        state.owner[:count] = [row.owner for row in rows]
        state.home[:count] = self.home
        state.step[:count] = [row.step for row in rows]
        state.year[:count] = [row.year for row in rows]
        state.winner[:] = 0
        state.winner[:count] = NOBODY
        orders = arena.blank_orders()
        orders[:count] = padded([row.orders[:room] for row in rows])
        judged = arena.step(orders)
        return self._texts(rows, judged)

    def _texts(self, rows: Sequence[_Row], judged: PhaseResults) -> Iterator[str | None]:
        state, count = self.arena.state, len(rows)
        after = (state.units, state.kinds, state.places, state.came, state.owner, state.step, state.year)
        parts = (*judged, *after, state.winner, state.contested)
        for row, *values in zip(rows, *(part[:count].tolist() for part in parts), strict=True):
            try:
                yield self._text(row, *values)
            except _UnusualError:
                yield None

    def _text(
        self,
        row: _Row,
        results: list[int],
        reasons: list[int],
        fates: list[int],
        units: int,
        kinds: list[int],
        places: list[int],
        came: list[int],
        owner: list[int],
        step: int,
        year: int,
        winner: int,
        contested: list[int],
    ) -> str:
        if winner != NOBODY:
            raise _UnusualError
        kind = STEPS[self.tables.arrays.steps[row.step]]
        lost: dict[int, tuple[_Piece, int, int]] = {}
        pieces: dict[int, list[_Piece]] = {who: [] for who in row.powers}
        occupied: set[int] = set()
        for column in range(units):
            unit = kinds[column]
            piece = self.piece_at[2 * places[column] + (unit & 1)]
            who = unit >> 1
            if piece is None:
                raise _UnusualError
            if came[column]:
                lost[piece.rank] = (piece, who, came[column])
            else:
                pieces.setdefault(who, []).append(piece)
                occupied.add(piece.space)
        closed = {w * 64 + i for w, word in enumerate(contested) if word for i in range(64) if word >> i & 1}
        if kind is PhaseKind.MOVEMENT:
            ways = {rank: self._ways(*gone, occupied, closed) for rank, gone in lost.items()}
            entries = self._moved(row, results, reasons, fates, ways)
        else:
            ways = {}
            entries = self._settled(row, kind, results, reasons, fates, pieces, owner)
            closed = {self.tables.space_number[code] for code in row.content.get("contested") or ()}
            if kind is PhaseKind.RETREATS:
                closed = set()
        powers, spaces = self.tables.powers, self.tables.spaces
        dislodged: dict[Power, Json] = {}
        for rank, (piece, who, origin) in lost.items():
            by = next(p for p in row.pieces if p.place == origin - 1)
            entry = {"by": by.text, "barred": [spaces[by.space]], "retreats": ways[rank]}
            dislodged.setdefault(powers[who], {})[piece.text] = entry
        standing = [f'"{powers[who]}": {_listed(sorted(own))}' for who, own in pieces.items()]
        out = [
            f'"results": {{{", ".join(entries)}}}, "errors": [], "units": {{{", ".join(standing)}}}',
            f'"dislodged": {json.dumps(dislodged) if dislodged else "{}"}',
            f'"phase": "{self._phase_text(step, year)}"',
            f'"contested": {json.dumps(sorted(spaces[i] for i in closed)) if closed else "[]"}',
            f'"centres": {{{self._owned(tuple(owner))}}}, "variant": {json.dumps(row.content["variant"])}',
        ]
        if kind is PhaseKind.ADJUSTMENTS and (waived := [self._waived(who) for piece, who in row.ordered if not piece]):
            out.append(f'"further": [{", ".join(waived)}]')
        if owner != row.owner and (events := self._taken(row.owner, owner, pieces)):
            out.append(f'"notes": {json.dumps([str(event) for event in events])}')
            out.append(f'"events": {json.dumps([encode_event(event) for event in events])}')
        out += [f'"{key}": {json.dumps(row.content[key])}' for key in ("options", "id") if key in row.content]
        return f"{{{', '.join(out)}}}"

    def _ways(self, piece: _Piece, who: int, origin: int, occupied: set[int], closed: set[int]) -> list[str]:  # noqa: ARG002  # whose it is does not matter
        """Where a unit that was just dislodged may retreat to."""
        if origin > len(self.tables.locations):
            raise _UnusualError  # it came over the sea, and its start may be open
        start = int(self.tables.arrays.space_of[origin - 1])
        return [str(self.tables.locations[to]) for to in self._retreats(piece, occupied, closed, start)]

    def _moved(
        self, row: _Row, results: list[int], reasons: list[int], fates: list[int], ways: Mapping[int, list[str]]
    ) -> Iterator[str]:
        """What came of the orders of a movement, an entry a unit."""
        words = self.words
        for i, piece in enumerate(row.pieces):
            by, reason = fates[i], reasons[i]
            if reason == _ILLEGAL or (reason == _NO_CONVOY and row.orders[i] & VIA):
                raise _UnusualError  # a way that does not exist is not the same as one that nobody made
            if by == _NOBODY_CAME:
                key = ((2 * piece.place + piece.kind) * 64 + row.powers[i]) * 4096 + results[i] * 64 + reason
                yield words.get(key) or self._entry(piece, row.powers[i], results[i], reason)
                continue
            if by < len(row.pieces):
                attacker = row.pieces[by]
                told = f"{REASONS[reason]}; dislodged by {attacker.text} of {self.tables.powers[row.powers[by]]}"
                entry = self._entry(piece, row.powers[i], results[i], reason, told)
                further = f'"dislodged_by": "{attacker.text}", "retreats": {json.dumps(ways.get(piece.rank, []))}'
                if piece.rank not in ways:
                    raise _UnusualError  # the engine tells why it is gone
                yield f"{entry[:-1]}, {further}}}"

    def _settled(
        self,
        row: _Row,
        kind: PhaseKind,
        results: list[int],
        reasons: list[int],
        fates: list[int],
        pieces: Mapping[int, list[_Piece]],
        owner: list[int],
    ) -> Iterator[str]:
        """What came of the orders of the other phases, an entry a unit that had one or was lost."""
        if kind is PhaseKind.RETREATS:
            for i, piece in enumerate(row.pieces):
                if row.came[i]:
                    if not row.orders[i] or REASONS[reasons[i]] is Reason.NO_ORDER:
                        raise _UnusualError
                    yield self._entry(piece, row.powers[i], results[i], reasons[i])
            return
        occupied = {piece.space for own in pieces.values() for piece in own}
        waived = [who for piece, who in row.ordered if piece is None]
        for power in self.players.values():
            left = owner.count(power) - len(pieces.get(power, ())) - waived.count(power)
            sites = self.rules.opening.homes_of(self.tables.powers[power]) if left > 0 else ()
            for code in sites:
                centre = self.centres.get(code, -1)
                if centre >= 0 and owner[centre] == power and self.tables.space_number[code] not in occupied:
                    raise _UnusualError  # a build was left unused
        for i, (ordered, who) in enumerate(row.ordered):
            if RESULTS[results[i]] is Result.VOID:
                raise _UnusualError
            if ordered:
                yield self._entry(ordered, who, results[i], reasons[i])
        disorder = REASONS.index(Reason.CIVIL_DISORDER)
        for i, piece in enumerate(row.pieces):
            if fates[i] == _BY_RULE:
                raise _UnusualError
            if fates[i] == _BY_DISORDER:
                yield self._entry(piece, row.powers[i], RESULTS.index(Result.REMOVED), disorder)

    @cache  # noqa: B019  # a variant lives as long as the run
    def _waived(self, who: int) -> str:
        """What came of a waived build."""
        power = self.tables.powers[who]
        outcome = {"result": Result.WAIVED, "why": f"{power} waived 1 build.", "power": power, "reason": Reason.ORDERED}
        return json.dumps({"order": str(Waive()), **outcome})

    def _entry(self, piece: _Piece, who: int, result: int, reason: int, told: str = "") -> str:
        """The result of a unit, with its name."""
        key = ((2 * piece.place + piece.kind) * 64 + who) * 4096 + result * 64 + reason
        entry = None if told else self.words.get(key)
        if entry is None:
            power, why = self.tables.powers[who], f"{piece.text}: {told or REASONS[reason]}."
            content = {"result": RESULTS[result], "why": why, "power": power, "reason": REASONS[reason]}
            entry = f'"{piece.text}": {json.dumps(content)}'
            if not told:
                self.words[key] = entry
        return entry

    @cache  # noqa: B019  # a variant lives as long as the run
    def _phase_text(self, step: int, year: int) -> str:
        return str(self.tables.phase(step, year))

    def _owned(self, owner: tuple[int, ...]) -> str:
        """Who owns what, as JSON without its braces; the same few hundred come again and again."""
        text = self.owned.get(owner)
        if text is None:
            owned: dict[int, list[str]] = {}
            for code, number in self.by_code:
                if owner[number] != NOBODY:
                    owned.setdefault(owner[number], []).append(code)
            text = ", ".join(f'"{self.tables.powers[who]}": {json.dumps(codes)}' for who, codes in owned.items())
            if len(self.owned) > _REMEMBERED:
                self.owned.clear()
            self.owned[owner] = text
        return text

    def _taken(self, before: list[int], after: list[int], pieces: Mapping[int, list[_Piece]]) -> list[Event]:
        """The centres that changed hands, in the order of the units that took them."""
        events: list[tuple[int, Event]] = []
        spaces, powers = self.tables.board.spaces, self.tables.powers
        for who, own in pieces.items():
            for piece in own:
                code = self.tables.spaces[piece.space]
                centre = self.centres.get(code, -1)
                if centre >= 0 and before[centre] != after[centre]:
                    loser = None if before[centre] == NOBODY else powers[before[centre]]
                    events.append((piece.rank, taken(spaces[code], powers[who], loser)))
        return [event for _, event in sorted(events)]


def _listed(pieces: Sequence[_Piece]) -> str:
    """The texts of units, as JSON."""
    return f'["{_BETWEEN.join([piece.text for piece in pieces])}"]' if pieces else "[]"

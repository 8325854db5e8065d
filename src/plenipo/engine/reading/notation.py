"""Reading and writing orders: all usual notations in, one canonical text out.

`Notation` is built once for a board. `str(order)` is the canonical text, and `read` returns the order again.
It reads the text without checking it: `plenipo.engine.phases.legality` checks that the unit exists, that the letter is
right and that the way is open. A coast is kept even where the space has none (DATC 4.B.1 to 4.B.7 decide later),
and a route written with a convoy only means that a convoy is wanted (DATC 4.A.3, 4.A.6).

The steps of reading a text:

1. An order in canonical form is looked up word by word.
2. Any other text is cut into words and marks (`-`, `/`, parentheses, a bracketed name) and read from left to right:
   a power's name, a unit, a verb, and the objects of the verb. A name takes as many words as it can.
3. The resulting order is compared with the kind of phase.
4. Names that may be several places are resolved by the possible locations and moves of such a unit, or reported.

A text of several orders is split by `plenipo.engine.reading.entries` first.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import NamedTuple

from plenipo.engine.board import Board, Location, UnitKind
from plenipo.engine.calendar import PhaseKind
from plenipo.engine.immutable import name_text
from plenipo.engine.orders import (
    Build,
    Choose,
    Convert,
    Convoy,
    Declare,
    Disband,
    Enter,
    Hold,
    Move,
    Notice,
    Order,
    Promise,
    Ref,
    Remove,
    Retreat,
    Support,
    Waive,
)
from plenipo.engine.position import GAME_MASTER, Position, Power, PowerInfo
from plenipo.engine.reading import reading_sentences as say
from plenipo.engine.reading.entries import (
    OrderText,
    bare,
    entries,
    greets,
    heads_letter,
    is_remark,
    is_signed,
    strip_comment,
    without_marks,
)
from plenipo.engine.reading.lexicon import Lexicon, excerpt, key_of
from plenipo.engine.reading.names import OpenName
from plenipo.engine.reading.readings import Footing, Picks, all_readings, choose_reading
from plenipo.engine.reading.syntax import OrderReader
from plenipo.engine.reading.text_cache import TextCache
from plenipo.engine.reading.vocabulary import Vocabulary
from plenipo.engine.reading.words import VERB_WORDS, VERBS, Verb
from plenipo.engine.rules import Rules
from plenipo.engine.sentences import Either, Quoted, Sentence
from plenipo.errors import InvalidOrder

__all__ = ["MAX_ORDER", "MAX_ORDERS", "Notation", "OrderSet", "OrderSetLine", "notation_of"]

MAX_ORDER = 1000
"""The greatest number of characters of an order; the longest sensible one has about two hundred."""

MAX_ORDERS = 1000
"""The greatest number of orders in an order set; the rest is reported as one fault."""


_LONGEST_HEADING = 60

_REMEMBERED = 3_000_000
"""The number of bytes for which a reader caches texts that it could read; the same orders recur often."""

_BOARDS = 24
"""The number of boards for which a reader is cached."""

_LONGEST_REMEMBERED = 60

_MEANS_MORE = frozenset(("hol", "cto", "sh", "sm"))
"""Verbs that mean more than their letter, or may be something else."""

_COUNT = re.compile(r"(?:^|(?<=[\s:]))[(\[]?[+-]\s?\d[)\]]?:?(?=[\s:]|$)")
"""The number of units a power gains or loses, in a line of its adjustments."""

_ENTERED = re.compile(r"DRAW\s+([^:]+):(.*)", re.IGNORECASE)
_PROMISE = r"PROMISE(?:\s*:\s*|\s+)"
_PROMISED = re.compile(rf"(?:(?:I\s+)?{_PROMISE})?([\"\u201c\u2018']?IF\b.*)|{_PROMISE}(.*)", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class OrderSetLine:
    """One entry of an order set: either an order or the fault that prevented it.

    `number` counts the lines of the text from 1. `power` is the power the order was written for, if the text names
    one: before the order, or in a heading above it. A caller that knows the author of the order set compares the two.
    """

    number: int
    text: str
    order: Order | None = None
    fault: InvalidOrder | None = None
    power: Power | None = None


@dataclass(frozen=True, slots=True)
class OrderSet:
    """Several orders read together, in the order in which they were written.

    A later one does not replace an earlier.
    """

    lines: tuple[OrderSetLine, ...]

    @property
    def orders(self) -> tuple[Order, ...]:
        """The orders that could be read."""
        return tuple(line.order for line in self.lines if line.order is not None)

    @property
    def faults(self) -> tuple[InvalidOrder, ...]:
        """The faults of the lines that could not be read."""
        return tuple(line.fault for line in self.lines if line.fault is not None)


class _ReadLine(NamedTuple):
    """An order as a line, and its relation to the lines beside it.

    `verb` is the one that the order begins with, `lone` a unit without any verb; with `goes_on` another unit follows
    where the order ought to end.
    """

    line: OrderSetLine
    verb: Verb | None = None
    lone: Ref | None = None
    goes_on: bool = False


def _notice(text: str, words: frozenset[str] = frozenset()) -> Notice | None:
    """Return `text` as a declaration, promise or draw, None if it is none; raises `InvalidOrder` if it is too long."""
    text = " ".join(text.split())
    entered, promised = _ENTERED.fullmatch(text), _PROMISED.fullmatch(text)
    notice: Notice | None = None
    if entered:
        notice = Enter(entered[1].strip(), entered[2].strip())
    elif promised:
        notice = Promise((promised[1] or promised[2]).strip())
    elif words and (head := text.partition(" "))[0].upper() in words:
        notice = Declare(head[0].upper(), head[2].strip())
    if notice and max(len(text), len(str(notice))) > MAX_ORDER:
        raise InvalidOrder(say.TOO_LONG(piece=Quoted(excerpt(text)), number=MAX_ORDER), piece=excerpt(text))
    return notice


class Notation:
    """Reads and writes orders for one board; build once, use for every order.

    `powers` are the powers whose names may stand before an order (`England: A LON H`) or a unit (`S German A KIE`);
    `words` are those with which the declarations of the game begin. The names and words of a `vocabulary` are
    understood in addition to the English ones.
    """

    def __init__(
        self,
        board: Board,
        powers: Iterable[PowerInfo] = (),
        words: frozenset[str] = frozenset(),
        vocabulary: Vocabulary | None = None,
    ) -> None:
        self.board = board
        self._words = words
        self._lexicon = Lexicon(board, powers, vocabulary)
        self._known: TextCache[Order] = TextCache(_REMEMBERED)
        self._order_sets: TextCache[OrderSet] = TextCache(_REMEMBERED)
        self._footing = Footing(board)
        self._places = _canonical_places(self._lexicon, self._footing)
        self._short = _short_words(self._lexicon)
        self._units = {
            letter: {text: Ref(kind, location) for text, location in self._places[kind].items()}
            for kind in board.kinds
            for letter in (str(kind), kind.lower())
        }

    def __repr__(self) -> str:
        return name_text(self, f"of {self.board.name}: {len(self.board.spaces)} spaces")

    def read(self, text: str, kind: PhaseKind) -> Order:
        """Return the order written as `text` for a phase of `kind`; a power named before it is accepted and dropped.

        Raises `InvalidOrder` if it cannot be read or belongs to another phase, `AmbiguousOrder` if it can be read in
        several ways.
        """
        order = self._known.get((text, kind))
        if order is None:
            order = self._canonical(text, kind) or self._common(text, kind) or _notice(text, self._words)
            if order is None:
                reader = self._reader(bare(text), kind)
                reader.speaker()
                order = self._order(reader, kind)
            self._known.keep((text, kind), text, order)
        return order

    def readings(self, text: str, kind: PhaseKind) -> tuple[Order, ...]:
        """Return every order that `text` may be, for a position to decide; none if it cannot be read."""
        try:
            found = all_readings(lambda picks: _once(self._reader(bare(text), kind, picks), kind), self._footing)
            return tuple(dict.fromkeys(reading.order for reading in found))
        except InvalidOrder:
            return ()

    def _order(self, reader: OrderReader, kind: PhaseKind) -> Order:
        """Return the order after the speaker of a reader; raises as `read` does."""
        text, led = reader.text, reader.led
        order = _read_for_phase(reader, kind)
        if not reader.open:
            return order
        return choose_reading(
            self._lexicon, self._footing, lambda picks: _once(self._reader(text, kind, picks, led), kind)
        )

    def location(self, text: str) -> Location:
        """Return the space and coast written as `text`: `stp(nc)`, `St Petersburg south coast`, `[BUR/BEL/PIC]`.

        Raises `InvalidOrder` or `AmbiguousOrder`.
        """
        reader = self._reader(text)
        location = reader.place()
        for name in reader.open.values():
            self._lexicon.one(name.first, name.piece)
        reader.finish(say.MORE_THAN_SPACE)
        return location

    def unit(self, text: str) -> Ref:
        """Return the unit written as `text`: `A PAR`, `Fleet North Sea`, `par`.

        Raises `InvalidOrder` or `AmbiguousOrder`.
        """
        reader = self._reader(text)
        ref = reader.unit()
        reader.finish(say.MORE_THAN_UNIT)
        for name in reader.open.values():
            stands = tuple(place for place in name.first if self._stands(ref.kind, place))
            begun = tuple(place for place in name.others if ref.kind and self._stands(ref.kind, place))
            place = self._lexicon.one(stands or begun or name.first, name.piece)
            return Ref(ref.kind, Location(place.space, place.coast or ref.location.coast))
        return ref

    def _stands(self, kind: UnitKind | None, place: Location) -> bool:
        return kind is None or self._footing.can_stand(kind, place)

    def line(self, text: str, kind: PhaseKind, number: int = 1) -> OrderSetLine:
        """Return one order with the power named before it, or with the fault; raises nothing."""
        order = self._canonical(text, kind) or self._common(text, kind)
        if order:
            return OrderSetLine(number, text, order)
        return self._notice_of(text, number) or self._line(text, kind, number).line

    def _line(self, text: str, kind: PhaseKind, number: int, led: Verb | None = None) -> _ReadLine:
        """Return one order as a line, and its relation to the lines beside it."""
        order = self._canonical(text, kind) or self._common(text, kind)
        if order:
            return _ReadLine(OrderSetLine(number, text, order), led)
        reader: OrderReader | None = None
        power: Power | None = None
        if led is None and kind is PhaseKind.ADJUSTMENTS and is_signed(text):
            led = Verb.BUILD if text[0] == "+" else Verb.DISBAND
        try:
            reader = self._reader(bare(text), kind, led=led)
            power = reader.speaker()
            return _ReadLine(OrderSetLine(number, text, self._order(reader, kind), power=power), reader.led)
        except InvalidOrder as fault:
            line = OrderSetLine(number, text, fault=_bare(fault), power=power)
            return _ReadLine(line, None, reader.lone, reader.next_unit() > 0) if reader else _ReadLine(line)

    def order_set(self, text: str, kind: PhaseKind) -> OrderSet:
        """Return the orders of a text, one per line or several separated by `;`, `,` or `and`; raises nothing.

        `Germany:` before an order applies to the rest of its line, and alone on a line to the lines below it.
        `Build` before the first unit of a list, or above the lines of one, applies to all of it.
        """
        order_set = self._order_sets.get((text, kind))
        if order_set is None:
            order_set = self._order_set(text, kind)
            if len(text) <= _LONGEST_REMEMBERED and not order_set.faults:
                self._order_sets.keep((text, kind), text, order_set)
        return order_set

    def _order_set(self, text: str, kind: PhaseKind) -> OrderSet:
        # an order set of several lines is not printable
        order = self._canonical(text, kind) or self._common(text, kind) if text.isprintable() else None
        if order:
            return OrderSet((OrderSetLine(1, text, order),))
        lines: list[OrderSetLine] = []
        heading: Power | None = None
        over: Verb | None = None
        closed = False
        for number, row in enumerate(text.splitlines(), 1):
            row, led = strip_comment(row), over  # noqa: PLW2901  # the row is what is left of it
            if kind is PhaseKind.ADJUSTMENTS:
                row, led = _strip_count(row, over)  # noqa: PLW2901
            row = without_marks(row)  # noqa: PLW2901
            if not row or heads_letter(row, self._lexicon):
                continue
            order = self._canonical(row, kind) or self._common(row, kind)
            if order and len(lines) < MAX_ORDERS:
                lines.append(OrderSetLine(number, row, order, power=heading))
                continue
            named = self._heads(row)
            if named:
                heading, over = named[0], named[1] or (led if led is not over else None)
                continue
            if lines and greets(row, self._lexicon):
                closed = True
            if closed and is_remark(row, self._lexicon):
                continue  # the closing words of a message
            notice = self._notice_of(row, number)
            if notice:
                lines.append(replace(notice, power=notice.power or heading))
                continue
            room = MAX_ORDERS - len(lines)
            found = self._row(row, kind, number, led, room)
            lines += [replace(line, power=line.power or heading) for line in found]
            if len(found) > room:
                break
        return OrderSet(tuple(lines))

    def _row(self, row: str, kind: PhaseKind, number: int, led: Verb | None, room: int) -> list[OrderSetLine]:
        """Return the orders of one line; a fault in the place of the first for which there is no `room`."""
        lines: list[OrderSetLine] = []
        speaker: Power | None = None
        waiting: list[tuple[int, Ref]] = []
        for entry in entries(row, self._lexicon):
            if len(lines) == room:
                why = say.TOO_MANY_ORDERS(piece=Quoted(excerpt(entry.text)), number=MAX_ORDERS)
                return [*lines, OrderSetLine(number, entry.text, fault=InvalidOrder(why, piece=excerpt(entry.text)))]
            line, verb, lone, goes_on = self._line(entry.text, kind, number, led)
            several = self._run_together(entry.text, kind, number, led) if goes_on else []
            if several and len(lines) + len(several) <= room:
                speaker = speaker if ":" not in entry.text else several[0].power or speaker
                lines += [replace(one, power=one.power or several[0].power or speaker) for one in several]
                continue
            named = self._heads(entry.text) if line.fault else None
            if named and (named[0] or named[1]):
                speaker, led = named[0] or speaker, named[1] or led  # 'FRANCE | A PAR - BUR'
                continue
            led = verb or led
            if line.power and ":" in entry.text:
                speaker = line.power
            lines.append(replace(line, power=line.power or speaker))
            if lone:
                waiting.append((len(lines) - 1, lone))
            elif waiting and line.order:
                for index, unit in waiting:
                    order = _same_for(unit, line.order, entry)
                    lines[index] = replace(lines[index], order=order, fault=None) if order else lines[index]
                waiting = []
            else:
                waiting = []
        return lines

    def _run_together(self, text: str, kind: PhaseKind, number: int, led: Verb | None) -> list[OrderSetLine]:
        """Return orders with nothing between them, `A PAR H A MAR H`, if each begins with a unit type; none if not."""
        reader, ends = self._reader(bare(text), kind, led=led), [0]
        try:
            reader.speaker()
            reader.order()
            while not reader.is_at_end:
                ends.append(reader.next_unit())
                reader.order()
        except InvalidOrder:
            return []
        cuts = zip(ends, [*ends[1:], len(reader.text)], strict=True)
        lines = [self._line(reader.text[start:end], kind, number, led).line for start, end in cuts if ends[1:]]
        return [] if any(line.fault for line in lines) else lines

    def _notice_of(self, text: str, number: int) -> OrderSetLine | None:
        """Return a line that is not an order for a unit, perhaps with its power before it."""
        head, colon, rest = text.partition(":")
        named = self._heads(f"{head}:") if colon else None
        power = named[0] if named else None
        if colon and head.strip().casefold() == GAME_MASTER.casefold():
            power = GAME_MASTER
        try:
            notice = _notice(rest.strip() if power else text, self._words)
        except InvalidOrder as fault:
            return OrderSetLine(number, text, fault=_bare(fault), power=power)
        return OrderSetLine(number, text, notice, power=power) if notice else None

    def _reader(
        self,
        text: str,
        kind: PhaseKind = PhaseKind.MOVEMENT,
        picks: Picks | None = None,
        led: Verb | None = None,
    ) -> OrderReader:
        """Return a reader of `text`, if it is not too long and a phase of `kind` asks for orders."""
        if kind not in _NEXT_WORDS:
            piece = excerpt(text)
            raise InvalidOrder(say.NOTHING_ORDERED_NOW(piece=Quoted(piece), kind=kind.one), piece=piece)
        if len(text) > MAX_ORDER:
            piece = excerpt(text)
            raise InvalidOrder(say.ORDER_TOO_LONG(piece=Quoted(piece), number=MAX_ORDER), piece=piece)
        removing = kind is PhaseKind.ADJUSTMENTS
        return OrderReader(self._lexicon, text, _NEXT_WORDS[kind], picks, led, removing=removing)

    def _heads(self, row: str) -> tuple[Power | None, Verb | None] | None:
        """Return the power and the verb that all of `row` names for the lines below it.

        `None` if it is no such heading.

        The name of a space alone is no heading without a colon.
        """
        if len(row) > _LONGEST_HEADING:
            return None
        reader = self._reader(row)
        return reader.heading()

    # -- canonical texts, word by word ----------------------------------------------------------------------

    def _canonical(self, text: str, kind: PhaseKind) -> Order | None:
        """Return the order, if `text` is a common form in its canonical spelling, in capitals or small letters."""
        if len(text) > MAX_ORDER:
            return None
        return self._in_words(text.split(), kind)

    def _common(self, text: str, kind: PhaseKind) -> Order | None:
        """Return the order, if `text` is a common form in other words and marks: `A Par-Bur`, `army paris holds`."""
        if len(text) > _LONGEST_REMEMBERED or not text.isascii():
            return None
        short = self._short
        words = [short.get(word, word) for word in text.lower().rstrip(" .,;").replace("-", " - ").split()]
        if "-" in words:
            hyphen = words.index("-")
            if words[hyphen + 1 : hyphen + 2] == ["-"]:
                del words[hyphen]  # 'moves to', '--'
            if (
                len(words) > hyphen + 1
                and f"{words[hyphen - 1]} {words[hyphen + 1]}" in self._lexicon.openers_and_names
            ):
                return None
        return self._in_words(words, kind)

    def _in_words(self, words: Sequence[str], kind: PhaseKind) -> Order | None:
        count = len(words)
        units = self._units.get(words[0]) if 3 <= count <= 7 else None
        unit = units.get(words[1]) if units else None
        if unit is None:
            return None
        verb, places = words[2], self._places[unit.kind]
        if kind is not PhaseKind.MOVEMENT:
            return _canonical_elsewhere(unit, verb, kind, places.get(words[3]) if count == 4 else None, count)
        if verb == "-":
            to = places.get(words[3]) if count >= 4 else None
            if to is None or count > 5 or (count == 5 and words[4] not in {"VIA", "via"}):
                return None
            return Move(unit, to, count == 5)
        if count == 3:
            return Hold(unit) if verb in {"H", "h"} else None
        others = self._units.get(words[3])
        other = others.get(words[4]) if others and count in {5, 7} else None
        if other is None:
            return None
        if count == 5:
            if verb in {"T", "t"}:
                return Convert(unit, other)
            return Support(unit, other) if verb in {"S", "s"} else None
        to = self._places[other.kind].get(words[6]) if words[5] == "-" else None
        if to is None:
            return None
        if verb in {"S", "s"}:
            return Support(unit, other, to)
        return Convoy(unit, other, to) if verb in {"C", "c"} else None


def _canonical_places(lexicon: Lexicon, footing: Footing) -> Mapping[UnitKind | None, dict[str, Location]]:
    """Return the unambiguous spellings of one word for each unit type, in capitals, small letters or capitalised."""
    longer = {key.rpartition(" ")[0] for key in (*lexicon.names, *lexicon.openers) if key.split()[-1] in VERB_WORDS}
    places: dict[str, Location] = {}
    for key, locations in lexicon.names.items():
        if len(locations) > 1 or " " in key or key in longer:
            continue
        for text in (key, key.upper(), key.capitalize()):
            places[text] = locations[0]
    for space in lexicon.board.spaces.values():
        if " " not in space.code:
            places[space.code] = places[space.code.lower()] = Location(space.code)
            for coast in space.coasts:
                place = Location(space.code, coast)
                for text in (str(place), f"{space.code}({coast})", f"{space.code}({coast.lower()})"):
                    places[text] = places[text.lower()] = place
    shared = {text: place for text, place in places.items() if key_of(text) not in lexicon.rivals}
    rivalled = {text: place for text, place in places.items() if text not in shared}
    return {
        kind: shared | {text: place for text, place in rivalled.items() if place.space in footing.stand[kind]}
        for kind in lexicon.board.kinds
    }


def _strip_count(row: str, led: Verb | None) -> tuple[str, Verb | None]:
    """Return a line of adjustments without its number, `France (+2):`, and the verb that the sign means."""
    count = _COUNT.search(row)
    if count is None:
        return row, led
    return row[: count.start()] + row[count.end() :], Verb.BUILD if "+" in count.group() else Verb.DISBAND


def _same_for(unit: Ref, order: Order, entry: OrderText) -> Order | None:
    """Return the order of the last unit of a list for one before it (`A PAR, A MAR hold`).

    `None` if it is not shared.
    """
    if isinstance(order, Hold | Build | Disband | Remove):
        return type(order)(unit)
    if isinstance(order, Support) and entry.joined:
        return replace(order, unit=unit)
    return None


def _short_words(lexicon: Lexicon) -> Mapping[str, str]:
    """Return the canonical words for units and verbs, except those that are names on this board."""
    letters = {Verb.HOLD: "h", Verb.MOVE: "-", Verb.SUPPORT: "s", Verb.CONVOY: "c", Verb.RETREAT: "r"}
    letters |= {Verb.DISBAND: "d", Verb.BUILD: "b"}
    short = {word: letters[verb] for word, verb in VERBS.items() if verb in letters and word not in _MEANS_MORE}
    short |= {word: kind.lower() for word, kind in lexicon.kinds.items() if len(word) > 1} | {"to": "-", "->": "-"}
    return {
        word: letter for word, letter in short.items() if not (word in lexicon.names or word in lexicon.inner_words)
    }


def _canonical_elsewhere(unit: Ref, verb: str, kind: PhaseKind, to: Location | None, count: int) -> Order | None:
    """Return the canonical orders of retreats and adjustments."""
    if kind is PhaseKind.RETREATS:
        if count == 3:
            return Disband(unit) if verb in {"D", "d"} else None
        return Retreat(unit, to) if to and verb in {"R", "-", "r"} else None
    if kind is PhaseKind.ADJUSTMENTS and count == 3:
        if verb in {"B", "b"}:
            return Build(unit)
        return Remove(unit) if verb in {"D", "d"} else None
    return None


_BELONGS: Mapping[type[Order], tuple[Sentence, tuple[PhaseKind, ...]]] = {
    Hold: (say.A_HOLD, (PhaseKind.MOVEMENT,)),
    Move: (say.A_MOVE, (PhaseKind.MOVEMENT, PhaseKind.RETREATS)),
    Support: (say.A_SUPPORT, (PhaseKind.MOVEMENT,)),
    Convoy: (say.A_CONVOY, (PhaseKind.MOVEMENT,)),
    Retreat: (say.A_RETREAT, (PhaseKind.RETREATS,)),
    Disband: (say.A_DISBANDMENT, (PhaseKind.RETREATS, PhaseKind.ADJUSTMENTS)),
    Build: (say.A_BUILD, (PhaseKind.ADJUSTMENTS,)),
    Waive: (say.A_WAIVED_BUILD, (PhaseKind.ADJUSTMENTS,)),
    Convert: (say.A_CONVERSION, (PhaseKind.MOVEMENT, PhaseKind.ADJUSTMENTS)),
    Choose: (say.A_CHOICE, (PhaseKind.CHOICE,)),
}
_NEXT_WORDS: Mapping[PhaseKind, str] = {
    PhaseKind.MOVEMENT: say.NEXT_IN_MOVEMENT,
    PhaseKind.RETREATS: say.NEXT_IN_RETREATS,
    PhaseKind.ADJUSTMENTS: say.NEXT_IN_ADJUSTMENTS,
    PhaseKind.CHOICE: say.NEXT_IN_CHOICE,
}


def _once(reader: OrderReader, kind: PhaseKind) -> tuple[Order, Mapping[int, OpenName]]:
    """Return the order of a text, with or without a power before it, and the names left open in it."""
    reader.speaker()
    return _read_for_phase(reader, kind), reader.open


def _read_for_phase(reader: OrderReader, kind: PhaseKind) -> Order:
    """Return the order as the phase means it: `-` is a retreat among retreats, `D` a removal among adjustments.

    Raises `InvalidOrder` if it is of another phase or the text has more than an order.
    """
    order = reader.choice() if kind is PhaseKind.CHOICE else reader.order()
    reader.finish(say.MORE_THAN_ORDER, order=order)
    noun, phases = _BELONGS[type(order)]
    if kind not in phases:
        text = excerpt(reader.text)
        where = Either(phase.one for phase in phases)
        raise InvalidOrder(say.OTHER_PHASE(piece=Quoted(text), noun=noun, phases=where, phase=kind.one), piece=text)
    if isinstance(order, Move) and kind is PhaseKind.RETREATS:
        if order.via:
            text = excerpt(reader.text)
            raise InvalidOrder(
                say.RETREAT_BY_CONVOY(piece=Quoted(text), order=f"{order.unit} - {order.to}"), piece=text
            )
        return Retreat(order.unit, order.to)
    if isinstance(order, Disband) and kind is PhaseKind.ADJUSTMENTS:
        return Remove(order.unit)
    return order


def _bare(fault: InvalidOrder) -> InvalidOrder:
    """Return the fault without its traceback and its causes, which would keep all reading data in memory."""
    fault.__cause__ = fault.__context__ = None
    return fault.with_traceback(None)


def notation_of(rules: Rules, position: Position | None = None, vocabulary: Vocabulary | None = None) -> Notation:
    """Return the reader of orders for these rules, on the board of `position` where that has changed.

    With a `vocabulary` it understands the names and words of another language as well.
    """
    return _notation(rules, rules.board if position is None else rules.board_at(position), vocabulary)


@lru_cache(maxsize=_BOARDS)
def _notation(rules: Rules, board: Board, vocabulary: Vocabulary | None) -> Notation:
    return Notation(board, rules.powers, rules.words, vocabulary)

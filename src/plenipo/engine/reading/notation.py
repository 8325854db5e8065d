"""Reading and writing orders: everything the field writes in, one canonical text out.

`Notation` is built once for a board. `str(order)` is the canonical text, and `read` gives the order back.
It reads what was written and does not check it: whether the unit exists, the letter is right and the way is open is
for `plenipo.engine.phases.legality`. A coast is kept even where the space has none (DATC 4.B.1 to 4.B.7 decide later),
and a route written with a convoy says no more than that a convoy is wanted (DATC 4.A.3, 4.A.6).

How a text is read:

1. An order in canonical form is looked up word by word.
2. Anything else is cut into words and marks (`-`, `/`, parentheses, a bracketed name) and read from left to right:
   a power's name, a unit, a verb, and what the verb needs. A name takes as many words as it can.
3. What the order turns out to be is compared with the kind of phase.
"""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from functools import lru_cache

from plenipo.engine.board import Board, Location
from plenipo.engine.calendar import PhaseKind
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
from plenipo.engine.reading.lexicon import Lexicon, excerpt
from plenipo.engine.reading.syntax import VERB_WORDS, Reader
from plenipo.engine.rules import Rules
from plenipo.engine.wording import listing, with_article
from plenipo.errors import InvalidOrder

__all__ = ["MAX_ORDER", "MAX_ORDERS", "Line", "Notation", "Sheet", "notation_of"]

MAX_ORDER = 1000
"""The most characters an order may have; the longest sensible one has about two hundred."""

MAX_ORDERS = 1000
"""The most orders a sheet may have; what follows is reported as one fault."""


_LONGEST_HEADING = 60

_REMEMBERED = 50_000
"""The most texts a reader remembers; the same orders come again and again."""

_LONGEST_REMEMBERED = 60

_ENTERED = re.compile(r"DRAW\s+([^:]+):(.*)", re.IGNORECASE)
_PROMISED = re.compile(r"(?:PROMISE\s+)?([\"\u201c\u2018']?IF\b.*)|PROMISE\s+(.*)", re.IGNORECASE)

_ENTRY = re.compile(r"(?:\[[^\[\]]*\]|\([^()]*\)|[^;,])+")


@dataclass(frozen=True, slots=True)
class Line:
    """One entry of a sheet of orders: either an order or the fault that keeps it from being one.

    `number` counts the lines of the text from 1. `power` is the power the order was written for, if the text names
    one: before the order, or in a heading above it. A caller who knows whose sheet it is compares the two.
    """

    number: int
    text: str
    order: Order | None = None
    fault: InvalidOrder | None = None
    power: Power | None = None


@dataclass(frozen=True, slots=True)
class Sheet:
    """Many orders read together, in the order in which they were written; a later order does not replace an earlier."""

    lines: tuple[Line, ...]

    @property
    def orders(self) -> tuple[Order, ...]:
        """The orders that could be read."""
        return tuple(line.order for line in self.lines if line.order is not None)

    @property
    def faults(self) -> tuple[InvalidOrder, ...]:
        """What could not be read, and why."""
        return tuple(line.fault for line in self.lines if line.fault is not None)


def _notice(text: str, words: frozenset[str] = frozenset()) -> Notice | None:
    """What is handed in beside orders, if `text` is that; raises `InvalidOrder` if it is too long."""
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
        raise InvalidOrder(f"'{excerpt(text)}' is too long; write at most {MAX_ORDER} characters.", piece=excerpt(text))
    return notice


class Notation:
    """Reads and writes orders for one board; build once, use for every order.

    `powers` are the powers whose names may stand before an order (`England: A LON H`) or a unit (`S German A KIE`);
    `words` are those with which the declarations of the game begin.
    """

    def __init__(self, board: Board, powers: Iterable[PowerInfo] = (), words: frozenset[str] = frozenset()) -> None:
        self.board = board
        self._words = words
        self._lexicon = Lexicon(board, powers)
        self._known: dict[tuple[str, PhaseKind], Order] = {}
        self._sheets: dict[tuple[str, PhaseKind], Sheet] = {}
        self._places = _canonical_places(self._lexicon)
        self._units = {
            letter: {text: Ref(kind, location) for text, location in self._places.items()}
            for kind in board.kinds
            for letter in (str(kind), kind.lower())
        }

    def read(self, text: str, kind: PhaseKind) -> Order:
        """The order written as `text` for a phase of `kind`; a power named before it is understood and dropped.

        Raises `InvalidOrder` if it cannot be read or belongs to another phase, `AmbiguousOrder` if it can be read in
        more ways than one.
        """
        order = self._known.get((text, kind))
        if order is None:
            order = self._canonical(text, kind) or _notice(text, self._words)
            if order is None:
                reader = self._reader(text, kind)
                reader.speaker()
                order = _settled(reader, kind)
            if len(self._known) < _REMEMBERED:
                self._known[text, kind] = order
        return order

    def location(self, text: str) -> Location:
        """The space and coast written as `text`: `stp(nc)`, `St Petersburg south coast`, `[BUR/BEL/PIC]`.

        Raises `InvalidOrder` or `AmbiguousOrder`.
        """
        reader = self._reader(text)
        location = reader.place()
        reader.finish("the name of a space")
        return location

    def unit(self, text: str) -> Ref:
        """The unit written as `text`: `A PAR`, `Fleet North Sea`, `par`; raises `InvalidOrder` or `AmbiguousOrder`."""
        reader = self._reader(text)
        ref = reader.unit()
        reader.finish("the name of a unit")
        return ref

    def line(self, text: str, kind: PhaseKind, number: int = 1) -> Line:
        """One order with the power named before it, or with the fault; raises nothing."""
        order = self._canonical(text, kind)
        if order:
            return Line(number, text, order)
        notice = self._notice_of(text, number)
        if notice:
            return notice
        power: Power | None = None
        try:
            reader = self._reader(text, kind)
            power = reader.speaker()
            return Line(number, text, _settled(reader, kind), power=power)
        except InvalidOrder as fault:
            return Line(number, text, fault=fault, power=power)

    def sheet(self, text: str, kind: PhaseKind) -> Sheet:
        """Many orders, one a line or several separated by `;` or `,`; raises nothing.

        `Germany:` before an order speaks for the rest of its line, and alone on a line for the lines below it.
        """
        sheet = self._sheets.get((text, kind))
        if sheet is None:
            sheet = self._sheet(text, kind)
            if len(text) <= _LONGEST_REMEMBERED and len(self._sheets) < _REMEMBERED:
                self._sheets[text, kind] = sheet
        return sheet

    def _sheet(self, text: str, kind: PhaseKind) -> Sheet:
        order = self._canonical(text, kind) if text.isprintable() else None  # a sheet of several lines is not
        if order:
            return Sheet((Line(1, text, order),))
        lines: list[Line] = []
        heading: Power | None = None
        for number, row in enumerate(text.splitlines(), 1):
            named = self._heading(row) if row and not row.isspace() else None
            if named:
                heading = named
                continue
            speaker = heading
            notice = self._notice_of(row.strip(), number)
            if notice:
                lines.append(replace(notice, power=notice.power or speaker))
                continue
            for entry in filter(None, (match.group().strip() for match in _ENTRY.finditer(row))):
                if len(lines) == MAX_ORDERS:
                    why = f"'{excerpt(entry)}' and what follows is not read; a sheet has at most {MAX_ORDERS} orders."
                    lines.append(Line(number, entry, fault=InvalidOrder(why, piece=excerpt(entry))))
                    return Sheet(tuple(lines))
                line = self.line(entry, kind, number)
                if line.power and ":" in entry:
                    speaker = line.power
                lines.append(replace(line, power=line.power or speaker))
        return Sheet(tuple(lines))

    def _notice_of(self, text: str, number: int) -> Line | None:
        """A line that is not an order for a unit, perhaps with the power that hands it in before it."""
        head, colon, rest = text.partition(":")
        power = self._heading(f"{head}:") if colon else None
        if colon and head.strip().casefold() == GAME_MASTER.casefold():
            power = GAME_MASTER
        try:
            notice = _notice(rest.strip() if power else text, self._words)
        except InvalidOrder as fault:
            return Line(number, text, fault=fault, power=power)
        return Line(number, text, notice, power=power) if notice else None

    def _reader(self, text: str, kind: PhaseKind = PhaseKind.MOVEMENT) -> Reader:
        """A reader of `text`, if it is not too long and a phase of `kind` asks for orders."""
        if kind not in _NEXT_WORDS:
            piece = excerpt(text)
            raise InvalidOrder(f"'{piece}' cannot be ordered now; a phase of {kind} asks for no orders.", piece=piece)
        if len(text) > MAX_ORDER:
            piece = excerpt(text)
            raise InvalidOrder(f"'{piece}' is too long; an order has at most {MAX_ORDER} characters.", piece=piece)
        return Reader(self._lexicon, text, _NEXT_WORDS[kind])

    def _heading(self, row: str) -> Power | None:
        """The power that is all of `row` but for a colon; `None` if it is the name of a space too and has no colon."""
        if len(row) > _LONGEST_HEADING or not self._lexicon.powers:
            return None
        reader = self._reader(row)
        try:
            power = reader.speaker()
        except InvalidOrder:
            return None  # it is read as an order, which says what is wrong
        return power if reader.ended else None

    # -- canonical texts, word by word ----------------------------------------------------------------------

    def _canonical(self, text: str, kind: PhaseKind) -> Order | None:
        """The order, if `text` is one of the common forms in their canonical spelling, in capitals or small letters."""
        if len(text) > MAX_ORDER:
            return None
        words = text.split()
        count = len(words)
        units = self._units.get(words[0]) if 3 <= count <= 7 else None
        unit = units.get(words[1]) if units else None
        if unit is None:
            return None
        verb = words[2]
        if kind is not PhaseKind.MOVEMENT:
            return _canonical_elsewhere(unit, verb, kind, self._places.get(words[3]) if count == 4 else None, count)
        if verb == "-":
            to = self._places.get(words[3]) if count >= 4 else None
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
        to = self._places.get(words[6]) if words[5] == "-" else None
        if to is None:
            return None
        if verb in {"S", "s"}:
            return Support(unit, other, to)
        return Convoy(unit, other, to) if verb in {"C", "c"} else None


def _canonical_places(lexicon: Lexicon) -> dict[str, Location]:
    """The spellings of one word that can mean nothing else, in capitals, small letters and with one capital."""
    places: dict[str, Location] = {}
    for key, locations in lexicon.names.items():
        longer = any(f"{key} {verb}" in lexicon.names or f"{key} {verb}" in lexicon.openers for verb in VERB_WORDS)
        if len(locations) > 1 or " " in key or longer:
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
    return places


def _canonical_elsewhere(unit: Ref, verb: str, kind: PhaseKind, to: Location | None, count: int) -> Order | None:
    """The canonical orders of retreats and adjustments."""
    if kind is PhaseKind.RETREATS:
        if count == 3:
            return Disband(unit) if verb in {"D", "d"} else None
        return Retreat(unit, to) if to and verb in {"R", "-", "r"} else None
    if kind is PhaseKind.ADJUSTMENTS and count == 3:
        if verb in {"B", "b"}:
            return Build(unit)
        return Remove(unit) if verb in {"D", "d"} else None
    return None


_BELONGS: Mapping[type[Order], tuple[str, tuple[PhaseKind, ...]]] = {
    Hold: ("a hold", (PhaseKind.MOVEMENT,)),
    Move: ("a move", (PhaseKind.MOVEMENT, PhaseKind.RETREATS)),
    Support: ("a support", (PhaseKind.MOVEMENT,)),
    Convoy: ("a convoy", (PhaseKind.MOVEMENT,)),
    Retreat: ("a retreat", (PhaseKind.RETREATS,)),
    Disband: ("a disbandment", (PhaseKind.RETREATS, PhaseKind.ADJUSTMENTS)),
    Build: ("a build", (PhaseKind.ADJUSTMENTS,)),
    Waive: ("a waived build", (PhaseKind.ADJUSTMENTS,)),
    Convert: ("a conversion", (PhaseKind.MOVEMENT, PhaseKind.ADJUSTMENTS)),
    Choose: ("a choice", (PhaseKind.CHOICE,)),
}
_NEXT_WORDS: Mapping[PhaseKind, str] = {
    PhaseKind.MOVEMENT: "-, S, C or H",
    PhaseKind.RETREATS: "- or D",
    PhaseKind.ADJUSTMENTS: "B or D",
    PhaseKind.CHOICE: "nothing",
}


def _settled(reader: Reader, kind: PhaseKind) -> Order:
    """The order left to read, as the phase means it: `-` is a retreat among retreats, `D` a removal among adjustments.

    Raises `InvalidOrder` if it is of another phase or more is written than an order.
    """
    order = reader.choice() if kind is PhaseKind.CHOICE else reader.order()
    reader.finish("the order", order)
    noun, phases = _BELONGS[type(order)]
    if kind not in phases:
        text = excerpt(reader.text)
        where = listing([phase.noun for phase in phases], "or")
        why = f"'{text}' is {noun}, which is ordered in {with_article(where)} phase"
        raise InvalidOrder(f"{why}; this is {with_article(kind.noun)} phase.", piece=text)
    if isinstance(order, Move) and kind is PhaseKind.RETREATS:
        if order.via:
            text = excerpt(reader.text)
            raise InvalidOrder(
                f"'{text}' goes by convoy, but a retreat never does; write '{order.unit} - {order.to}'.",
                piece=text,
            )
        return Retreat(order.unit, order.to)
    if isinstance(order, Disband) and kind is PhaseKind.ADJUSTMENTS:
        return Remove(order.unit)
    return order


def notation_of(rules: Rules, position: Position | None = None) -> Notation:
    """The reader of orders for these rules, on the board of `position` where that has changed."""
    return _notation(rules, rules.board if position is None else rules.board_at(position))


@lru_cache(maxsize=24)
def _notation(rules: Rules, board: Board) -> Notation:
    return Notation(board, rules.powers, rules.words)

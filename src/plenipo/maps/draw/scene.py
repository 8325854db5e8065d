"""The scene: the content of a picture, as a value, and the text of its titles."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property

from plenipo.engine.board import Board, Code
from plenipo.engine.facts import Crossing
from plenipo.engine.orders import Build, Convoy, Move, Notice, Order, Retreat, Support, Waive
from plenipo.engine.outcome import Outcome, Resolution
from plenipo.engine.place_rules import PlaceRule
from plenipo.engine.position import Position, Power, Unit
from plenipo.engine.sentences import ENGLISH, Sentence, TargetLanguage
from plenipo.errors import ImpossiblePosition, UnknownName
from plenipo.maps.draw import titles
from plenipo.maps.figure.segments import Point

__all__ = ["LABELS", "MARKS", "SHAPES", "Scene", "places_of"]

SHAPES: Mapping[str, tuple[float, float]] = {
    "map": (0, 0),
    "share": (1200, 630),
    "square": (1, 1),
    "card": (4, 3),
    "a4": (210, 297),
    "a3": (297, 420),
    "a2": (420, 594),
    "a1": (594, 841),
}
"""The shapes of a picture, width and height: its own, those of links, chats and pages, and paper in millimetres."""

LABELS = ("names", "codes", "none")
"""The possible labels of the map."""

MARKS: Mapping[str, Sentence] = titles.MARKS
"""The marks a space may bear, and their meanings; `walker` and `shade` take a letter: `walker I`."""


@dataclass(frozen=True)
class Scene:
    """The content of a picture; immutable.

    `position` is what stands on the board: that before the orders or that after. With a `resolution` its orders are
    drawn with their results; without one, `orders` are drawn as given. `labels` is one of `LABELS`. `corners` draws
    them as nodes to click. `legend` adds a margin with the `title` and what each power has by `counts`, or its centres
    if they are left out. `marks` gives spaces marks of `MARKS`, several with commas between. `lands` names the power
    whose colour a space without a centre wears, and `homes` the power whose home land each space is. `powers` are
    those of the game, in the order of the legend, so that colours stay the same from picture to picture; others that
    the position knows of follow. `focus` are the spaces the picture is cut down to; empty, the whole map.
    `crossings` are pairs of ways that cross by the rules in play, `place_rules` the rules of single spaces and ways.
    `beside` are places beside the board that may bear marks too, with their points.
    `caption` stands beside the title. `shape` is one of `SHAPES`: a share picture has the legend beside the map, and
    paper is turned as the map is and has its size in millimetres; a card is small but has the design of a wide picture.
    `motion` lets the units of a resolution carry out their orders when a script begins it.
    `like` names for a power another one whose colours it wears.
    `prefix` goes before every id, for two pictures in one page. Names and titles are in the `language`; codes are the
    same in all.
    """

    position: Position
    resolution: Resolution | None = None
    orders: tuple[Order, ...] = ()
    title: str = ""
    caption: str = ""
    shape: str = "map"
    motion: bool = False
    labels: str = "names"
    corners: bool = False
    legend: bool = False
    counts: Mapping[Power, int] | None = None
    marks: Mapping[Code, str] = field(default_factory=dict)
    lands: Mapping[Code, Power] = field(default_factory=dict)
    homes: Mapping[Code, Power] = field(default_factory=dict)
    powers: tuple[Power, ...] = ()
    focus: tuple[Code, ...] = ()
    crossings: tuple[Crossing, ...] = ()
    place_rules: tuple[PlaceRule, ...] = ()
    prefix: str = ""
    like: Mapping[Power, str] = field(default_factory=dict)
    beside: Mapping[Code, Point] = field(default_factory=dict)
    language: TargetLanguage = ENGLISH

    @cached_property
    def everyone(self) -> tuple[Power, ...]:
        """The powers of the picture: those named, and then any others in it, alphabetically."""
        powers: set[Power] = {outcome.power for outcome in self.outcomes} | set(self.lands.values())
        for position in (self.position, *([self.resolution.before] if self.resolution else ())):
            powers |= {unit.power for unit in position.units} | {d.unit.power for d in position.dislodged}
            powers |= {*position.owners.values(), *position.homes}
        return (*self.powers, *sorted(powers - set(self.powers)))

    @cached_property
    def outcomes(self) -> tuple[Outcome, ...]:
        """The results of the orders, if they are adjudicated."""
        return self.resolution.outcomes if self.resolution else ()

    @cached_property
    def given_orders(self) -> tuple[tuple[Power | None, Unit | None, Order, Outcome | None], ...]:
        """Every order to draw: its power and unit, as far as known, and its outcome."""
        if self.resolution:
            return tuple((o.power, o.unit, o.order, o) for o in self.outcomes if o.order is not None)
        there = {unit.location.space: unit for unit in self.position.units}
        there |= {dislodged.unit.location.space: dislodged.unit for dislodged in self.position.dislodged}
        return tuple(self._as_given(order, there) for order in self.orders)

    def _as_given(self, order: Order, there: Mapping[Code, Unit]) -> tuple[Power | None, Unit | None, Order, None]:
        if isinstance(order, Waive | Notice):
            return None, None, order, None
        space = order.unit.location.space
        if isinstance(order, Build):
            return self.position.owners.get(space), None, order, None
        unit = there.get(space)
        return (unit.power if unit else None), unit, order, None

    def mark_words(self, space: Code) -> tuple[str, ...]:
        """Return the marks of a space, one by one."""
        return tuple(word.strip() for word in self.marks.get(space, "").split(",") if word.strip())

    def owner(self, space: Code) -> Power | None:
        """Return the power whose colour fills a space: its owner, or the one in `lands`."""
        return self.position.owners.get(space) or self.lands.get(space)

    def check(self, board: Board) -> "Scene":
        """Make sure the scene can be drawn on `board`, and return it.

        Raise `ImpossiblePosition` if the position does not fit the board, `UnknownName` for anything else in it the
        board or the drawing does not know.
        """
        positions = [self.position, *([self.resolution.before] if self.resolution else [])]
        for position in positions:
            fault = next(position.faults(board), None)
            if fault:
                raise ImpossiblePosition(fault)
        orders = (order for _, _, order, _ in self.given_orders)
        named = [("an order", code) for order in orders for code in places_of(order)]
        named += [("'marks'", code) for code in self.marks if code not in self.beside]
        named += [("'lands'", code) for code in self.lands]
        named += [("'focus'", code) for code in self.focus]
        for where, code in named:
            if code not in board.spaces:
                raise UnknownName(f"{where} names '{code}', which is not a space of {board.name}.")
        if self.labels not in LABELS:
            raise UnknownName(f"'{self.labels}' is not a kind of label; there are {', '.join(LABELS)}.")
        if self.shape not in SHAPES:
            raise UnknownName(f"'{self.shape}' is not a shape of a picture; there are {', '.join(SHAPES)}.")
        for code in self.marks:
            for word in self.mark_words(code):
                if word.split()[0] not in MARKS:
                    raise UnknownName(f"'{word}' is not a mark of a space; there are {', '.join(MARKS)}.")
        return self

    # ------------------------------------------------------------------ words

    def heading(self, board: Board) -> str:
        """Return the title of the whole picture."""
        return self.title or f"{board.name}, {self.language.render(self.position.phase.as_sentence())}"

    def space_words(self, board: Board, code: Code) -> str:
        """Return a sentence or two about a space: its name and code, its kind, its owner, its unit."""
        space, say = board.spaces[code], self.language.render
        if space.impassable:
            return say(titles.IMPASSABLE(name=space.name, code=code))
        owner = self.position.owners.get(code)
        here = titles.SPACE(name=space.name, code=code, terrain=titles.TERRAINS[space.terrain])
        if space.centre:
            here = titles.CENTRE_OF(space=here, owner=owner) if owner else titles.CENTRE_FREE(space=here)
        words = [say(here)]
        unit = self.position.unit_at(code)
        if unit:
            words.append(self._capital(titles.UNIT_OF(type=_kind(board, unit), power=unit.power)))
        for word in self.mark_words(code):
            name, _, letter = word.partition(" ")
            words.append(f"{self._capital(MARKS[name])}{f' {letter}' if letter else ''}")  # english: ok
        return ". ".join(words)

    def unit_words(self, board: Board, unit: Unit, outcome: Outcome | None = None) -> str:
        """Return sentences about a unit: its type, place and power, its order, its outcome."""
        space, say = board.spaces[unit.space], self.language.render
        coast = unit.location.coast.lower()
        place = titles.COAST(space=space.name, coast=coast) if coast else space.name
        words = [self._capital(titles.UNIT_IN(type=_kind(board, unit), place=place, power=unit.power))]
        outcome = outcome or next((o for o in self.outcomes if o.unit == unit), None)
        if outcome:
            order = outcome.order or titles.NO_ORDER()
            words.append(say(titles.RESULT(order=order, result=titles.RESULTS[outcome.result])))
            words.append(say(outcome.why).rstrip("."))
        else:
            words += [str(order) for order in self.orders if _is_for(order, unit)]
        return ". ".join(word for word in words if word)

    def _capital(self, text: str) -> str:
        """Return a sentence in the language of the picture, beginning with a capital."""
        said = self.language.render(text)
        return f"{said[:1].upper()}{said[1:]}"


def _kind(board: Board, unit: Unit) -> str:
    return board.traits[unit.kind].name


def _is_for(order: Order, unit: Unit) -> bool:
    return not isinstance(order, Waive | Build | Notice) and order.unit.location.space == unit.space


def places_of(order: Order) -> Iterator[Code]:
    """Yield the spaces an order names."""
    if isinstance(order, Waive | Notice):
        return
    yield order.unit.location.space
    if isinstance(order, Support | Convoy):
        yield order.other.location.space
    if isinstance(order, Move | Retreat | Support | Convoy) and order.to is not None:
        yield order.to.space

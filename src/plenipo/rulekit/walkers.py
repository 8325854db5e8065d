"""Walkers: neutral pieces that cross the board as cards decide, strike units with anarchy and cure them.

There are two kinds, which a variant may name. Strikers put the unit they meet in anarchy, healers cure it, and one of
each in the same place annihilate each other before they do anything else. Walkers share a place with anything, block
nothing and change no strength. They first land on places drawn from the whole board, and then walk to the neighbour
with the highest card.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, ClassVar, Literal

from plenipo.engine.board import Board, Code
from plenipo.engine.calendar import Phase, PhaseKind
from plenipo.engine.changes import Split
from plenipo.engine.dice import DrawSource
from plenipo.engine.events import UNIT_DESTROYED, Event, EventKind
from plenipo.engine.hooks import Adjudication, Effects, RuleModule, SplitUnit
from plenipo.engine.immutable import FrozenMap
from plenipo.engine.position import Position
from plenipo.engine.reading.positions import quote_value
from plenipo.engine.sentences import SentenceKind, say
from plenipo.errors import InvalidRecord
from plenipo.rulekit.anarchy import Anarchy
from plenipo.rulekit.draw_piles import provinces

if TYPE_CHECKING:
    from plenipo.engine.reading.positions import BoardReader
    from plenipo.engine.rules import Rules

__all__ = [
    "ANARCHY_BEGUN",
    "ANARCHY_CURED",
    "PARKED",
    "WALKER_LANDED",
    "WALKER_MOVED",
    "Walkers",
    "Walking",
    "enterable",
    "landing_places",
]

WALKER_LANDED = EventKind("walker_landed")
"""The named walker came to the space."""

WALKER_MOVED = EventKind("walker_moved")
"""The named walker went from the first space to the second."""

WALKER_DOUBLED = EventKind("walker_doubled")
"""The walker named first has a double, the one named second, in the space."""

ANARCHY_BEGUN = EventKind("anarchy_begun")
"""The unit fell into anarchy."""

ANARCHY_CURED = EventKind("anarchy_cured")
"""The unit takes orders again."""

PARKED = Code("")
"""The place of a walker that has not landed yet."""

_LANDED = SentenceKind("walker-landed", "{walker} landed in {place}.")
_WENT = SentenceKind("walker-went", "{walker} went from {start} to {place}.")
_ANNIHILATED = SentenceKind("walker-annihilated", "{walker} was annihilated.")
_DOUBLED = SentenceKind("walker-doubled", "{double} appeared in {other}, the double of {walker} in {place}.")
_BOTH_ANNIHILATED = SentenceKind("walkers-annihilated", "{one} and {other} met in {place}, and both were annihilated.")
_FELL = SentenceKind("anarchy-begun", "{unit} of {power} fell into anarchy.")
_CURED = SentenceKind("anarchy-cured", "{unit} of {power} was cured of anarchy.")


@dataclass(frozen=True)
class Walking:
    """The place of each walker by its name, and the highest number given to a walker of each kind."""

    places: Mapping[str, Code] = field(default_factory=dict)
    numbers: Mapping[str, int] = field(default_factory=dict)

    def __post_init__(self) -> None:
        for name in ("places", "numbers"):
            object.__setattr__(self, name, FrozenMap(sorted(getattr(self, name).items(), key=_order)))

    def to_json(self) -> Any:
        """Return the places and numbers."""
        return {"places": dict(self.places), "numbers": dict(self.numbers)}


def _order(item: tuple[str, Any]) -> tuple[str, int]:
    """Return the sort key of a walker: kinds alphabetically, 2 before 10."""
    kind, number = _kind(item[0])
    return kind, number


def _kind(name: str) -> tuple[str, int]:
    kind, _, number = name.partition(" ")
    return kind, int(number) if number.isdecimal() else 0


@dataclass(frozen=True)
class Walkers(RuleModule):
    """The options.

    `strikers` and `healers` are their numbers at the start, `striker` and `healer` what they are called, as in
    `HEALER 2`. `first_placement` says whether several may land on the
    same place because drawn slips are put back (`with_replacement`) or not (`without_replacement`).
    `striker_home` and `healer_home` are where they wait before they land, a province or a place beside the board.
    `split_doubles_walkers` says whether a walker in a space that is split has a double too.
    """

    name: ClassVar[str] = "walkers"
    signs: ClassVar[Mapping[str, str]] = {
        "shade": "{striker}: puts the unit it meets in anarchy",
        "walker": "{healer}: cures a unit of anarchy",
    }
    claims: ClassVar[frozenset[str]] = frozenset({"walkers"})
    fixed: ClassVar[frozenset[str]] = frozenset({"striker", "healer", "striker_home", "healer_home"})

    strikers: int = 2
    healers: int = 3
    striker: str = "STRIKER"
    healer: str = "HEALER"
    striker_home: Code = PARKED
    healer_home: Code = PARKED
    first_placement: Literal["with_replacement", "without_replacement"] = "with_replacement"
    split_doubles_walkers: bool = True

    def opening(self, rules: "Rules", position: Position) -> Position:
        """Return the position with all walkers off the board."""
        numbers = {self.striker: self.strikers, self.healer: self.healers}
        names = [f"{kind} {number}" for kind, most in numbers.items() for number in range(1, most + 1)]
        return position.with_slot(self.name, Walking(dict.fromkeys(names, PARKED), numbers))

    def without_slot(self, rules: "Rules", position: Position) -> None:
        """Return nothing: as with units, a walker that is not named is not on the board."""

    def walking(self, position: Position) -> Walking:
        """Return the places of the walkers."""
        slot = position.slots.get(self.name)
        return slot if isinstance(slot, Walking) else Walking()

    def after_moves(self, rules: "Rules", adjudication: Adjudication) -> Effects:
        """Land or move every walker, and then let them act."""
        position, source = adjudication.position, adjudication.source
        board = rules.board_at(position)
        walking = self.walking(position)
        places: dict[str, Code] = {}
        events: list[Event] = []
        landing = landing_places(rules, position)
        for name, place in walking.places.items():
            if place == PARKED:
                open_places = [
                    code
                    for code in landing
                    if self.first_placement == "with_replacement" or code not in places.values()
                ]
                places[name] = Code(source.draw(name, open_places))
                why = _LANDED(walker=name, place=board.spaces[places[name]].name)
                events.append(Event(WALKER_LANDED, why, spaces=(places[name],), names=(name,)))
                continue
            ways = enterable(board, place)
            places[name] = Code(source.rank(name, ways)[0]) if ways else place
            if ways:
                start, end = board.spaces[place].name, board.spaces[places[name]].name
                why = _WENT(walker=name, start=start, place=end)
                events.append(Event(WALKER_MOVED, why, spaces=(place, places[name]), names=(name,)))
        position = position.with_slot(self.name, Walking(places, walking.numbers))
        met = self._resolve_meetings(rules, position)
        return met._replace(events=(*events, *met.events))

    def after_phase(self, rules: "Rules", position: Position, phase: Phase, source: DrawSource) -> Effects:
        """Let the walkers act again after retreats."""
        return self._resolve_meetings(rules, position) if phase.kind is PhaseKind.RETREATS else Effects(position)

    def space_lost(self, rules: "Rules", position: Position, space: Code) -> Effects:
        """Annihilate the walkers in a hole."""
        walking = self.walking(position)
        lost = [name for name, place in walking.places.items() if place == space]
        if not lost:
            return Effects(position)
        left = {name: place for name, place in walking.places.items() if name not in lost}
        events = (Event(UNIT_DESTROYED, _ANNIHILATED(walker=name), spaces=(space,), names=(name,)) for name in lost)
        return Effects(position.with_slot(self.name, Walking(left, walking.numbers)), tuple(events))

    def space_split(self, rules: "Rules", position: Position, split: Split, units: Sequence[SplitUnit]) -> Effects:
        """Keep a walker in the first half; with the option, its double gets the next number of its kind."""
        walking = self.walking(position)
        places, numbers = dict(walking.places), dict(walking.numbers)
        events: list[Event] = []
        for name, place in walking.places.items():
            if place != split.space:
                continue
            places[name] = split.halves[0]
            if self.split_doubles_walkers:
                kind, _ = _kind(name)
                others = [other for of_kind, other in map(_kind, places) if of_kind == kind]
                numbers[kind] = max(numbers.get(kind, 0), *others) + 1
                double = f"{kind} {numbers[kind]}"
                places[double] = split.halves[1]
                first, second = split.halves
                why = _DOUBLED(double=double, other=second, walker=name, place=first)
                events.append(Event(WALKER_DOUBLED, why, spaces=split.halves, names=(name, double)))
        if places == walking.places:
            return Effects(position)
        return Effects(position.with_slot(self.name, Walking(places, numbers)), tuple(events))

    def marks(self, rules: "Rules", position: Position) -> Mapping[Code, tuple[str, ...]]:
        """Return the walkers, by the first letter of their kind and their number; strikers are dark.

        Walkers that have not landed are at home, if they have one.
        """
        words: dict[Code, tuple[str, ...]] = {}
        for name, place in self.walking(position).places.items():
            kind, number = _kind(name)
            at = place or (self.striker_home if kind == self.striker else self.healer_home)
            if at != PARKED:
                word = f"{'shade' if kind == self.striker else 'walker'} {kind[:1]}{number}"
                words[at] = (*words.get(at, ()), word)
        return words

    def decode_slot(self, value: Any, reader: "BoardReader") -> Walking:
        """Read the places from JSON; `numbers` may leave out what the names of the walkers say."""
        parts = reader.mapping(value)
        places = {
            self._check_walker_name(name): PARKED if place == PARKED else reader.space(place)
            for name, place in reader.mapping(parts["places"]).items()
        }
        numbers = {kind: reader.number(number) for kind, number in reader.mapping(parts.get("numbers", {})).items()}
        if strange := numbers.keys() - {self.striker, self.healer}:
            raise InvalidRecord(
                say(
                    "{strange} is neither {striker} nor {healer}.",
                    strange=quote_value(min(strange)),
                    striker=self.striker,
                    healer=self.healer,
                )
            )
        return Walking(places, numbers)

    def _check_walker_name(self, name: str) -> str:
        """Return the name of a walker, if it is one: its kind and its number."""
        kind, number = _kind(name)
        if kind not in {self.striker, self.healer} or name != f"{kind} {number}":
            raise InvalidRecord(
                say(
                    "{name} is not a walker; write one like '{striker} 1'.",
                    name=quote_value(name),
                    striker=self.striker,
                )
            )
        return name

    def _resolve_meetings(self, rules: "Rules", position: Position) -> Effects:
        """Annihilate opposite walkers in one place in pairs; those left act on the unit there."""
        walking = self.walking(position)
        places = dict(walking.places)
        events: list[Event] = []
        acting: dict[Code, str] = {}
        for place in sorted({place for place in places.values() if place != PARKED}):
            strikers, healers = (
                [name for name, at in places.items() if at == place and _kind(name)[0] == kind]
                for kind in (self.striker, self.healer)
            )
            for pair in zip(strikers, healers, strict=False):
                why = _BOTH_ANNIHILATED(one=pair[0], other=pair[1], place=place)
                events.append(Event(UNIT_DESTROYED, why, spaces=(place,), names=pair))
                for name in pair:
                    del places[name]
            if len(strikers) != len(healers):
                acting[place] = max((strikers, self.striker), (healers, self.healer), key=lambda side: len(side[0]))[1]
        position = position.with_slot(self.name, Walking(places, walking.numbers))
        if anarchy := rules.module(Anarchy):
            position, done = self._act(anarchy, position, acting)
            events += done
        return Effects(position, tuple(events))

    def _act(self, anarchy: Anarchy, position: Position, acting: Mapping[Code, str]) -> tuple[Position, list[Event]]:
        struck = set(anarchy.units(position))
        events: list[Event] = []
        for unit in position.units:
            kind = acting.get(unit.space)
            if kind == self.striker and unit not in struck:
                struck.add(unit)
                why = _FELL(unit=unit, power=unit.power)
                events.append(Event(ANARCHY_BEGUN, why, (unit.power,), (unit.space,), (unit,)))
            elif kind == self.healer and unit in struck:
                struck.remove(unit)
                why = _CURED(unit=unit, power=unit.power)
                events.append(Event(ANARCHY_CURED, why, (unit.power,), (unit.space,), (unit,)))
        return anarchy.with_units(position, struck) if events else position, events


def landing_places(rules: "Rules", position: Position) -> tuple[Code, ...]:
    """Return the places on which a walker may land: every province that may be entered, alphabetically."""
    board = rules.board_at(position)
    return tuple(code for code in provinces(rules, position) if not board.spaces[code].impassable)


def enterable(board: Board, place: Code) -> tuple[Code, ...]:
    """Return the provinces next to `place` that a walker may enter, on land or sea, over any border; alphabetically."""
    near = {code for code in board.borders[place] if code is not None}
    return tuple(sorted(code for code in near if code in board.spaces and not board.spaces[code].impassable))

"""Placement: some powers choose in secret, before the first move, which units they start with.

The choices of a power are a list of groups. A group is a list of arrangements, of which exactly one is placed:
`[["A HOL"], ["F HOL"]]` is a choice between an army and a fleet. A power names units, as many as it likes; what it
leaves open is filled in from the first arrangement that has the units it named.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import reduce
from itertools import chain, product
from string import ascii_uppercase
from typing import TYPE_CHECKING, ClassVar, Literal

from plenipo.engine.board import Code, Location, UnitKind
from plenipo.engine.calendar import Calendar, PhaseKind, Step
from plenipo.engine.dice import DrawSource
from plenipo.engine.events import Event, EventKind
from plenipo.engine.facts import Alternative, Fact, OpeningChoices
from plenipo.engine.hooks import Choices, Effects, RuleModule
from plenipo.engine.orders import Choose, Ref
from plenipo.engine.position import Position, Power, Unit
from plenipo.engine.sentences import SentenceKind, say
from plenipo.errors import InvalidVariant

if TYPE_CHECKING:
    from plenipo.engine.rules import Rules

__all__ = ["UNITS_PLACED", "Placement"]

UNITS_PLACED = EventKind("units_placed")
"""The power starts with the units."""

Arrangement = tuple[str, ...]
"""Units placed together, like `A EDI`, `F LON`, `F LVP`."""

_NOT_TOGETHER = SentenceKind(
    "placement-not-together", "{power} cannot start with {units} together, only with {arrangements}."
)
_OR_ARRANGEMENT = SentenceKind("placement-or", "{one}, or {other}", note="Two arrangements of units.")
_ARRANGEMENT = SentenceKind("placement-units", "{units}")
_STARTS = SentenceKind("placement", "{power} starts with {units}.")
_STARTS_OPEN = SentenceKind("placement-open", "{power} starts with {units}, as it left open what to choose.")


@dataclass(frozen=True)
class Placement(RuleModule):
    """The options.

    `groups` has for each power that chooses its groups of arrangements, the customary one first. `placement_default`
    says what is placed where nothing was chosen: the first arrangement of the group (`listed`), one drawn by the game's
    dice (`draw`), or the phase stays open (`wait`).
    """

    name: ClassVar[str] = "placement"
    choice_words: ClassVar[str] = "Choose the units you begin with."
    claims: ClassVar[frozenset[str]] = frozenset({"the opening"})
    fixed: ClassVar[frozenset[str]] = frozenset({"groups"})

    groups: Mapping[Power, tuple[tuple[Arrangement, ...], ...]] = field(default_factory=dict)
    placement_default: Literal["listed", "draw", "wait"] = "listed"

    def calendar(self, calendar: Calendar) -> Calendar:
        """Return the calendar with the choice before everything else, in the season that then begins."""
        season = calendar.first.season
        return replace(calendar, opening=(Step(season, PhaseKind.CHOICE), *calendar.opening))

    def opening(self, rules: "Rules", position: Position) -> Position:
        """Return the position without the units that are still to be chosen."""
        places: set[tuple[Power, Code]] = set()
        self._check_groups(rules)
        for power, groups in self.groups.items():
            if power in rules.names:
                for unit in (unit for group in groups for arrangement in group for unit in arrangement):
                    ref = _ref(unit)
                    if not rules.board.can_stand(ref.kind or UnitKind.ARMY, ref.location):
                        raise InvalidVariant(
                            say(
                                "'{name}' gives {power} '{unit}', which cannot stand there.",
                                name=self.name,
                                power=power,
                                unit=unit,
                            ),
                            self._at(power),
                        )
                    places.add((power, ref.location.space))
        return replace(position, units=tuple(unit for unit in position.units if (unit.power, unit.space) not in places))

    def _at(self, power: Power) -> tuple[str, ...]:
        """Return the path to the groups of a power in a variant definition."""
        return ("modules", self.name, "groups", power)

    def _check_groups(self, rules: "Rules") -> None:
        """Raise `InvalidVariant` for two units in one space, whatever is chosen of each group."""
        taken: dict[Code, str] = {}
        for power, groups in self.groups.items():
            for number, group in enumerate(groups if power in rules.names else (), 1):
                of_group = f"group {number} of {power}"
                if not group or not all(group):
                    raise InvalidVariant(
                        say(
                            "'{name}' has nothing to place in an arrangement of {of_group}.",
                            name=self.name,
                            of_group=of_group,
                        ),
                        self._at(power),
                    )
                for arrangement in group:
                    spaces = [_ref(unit).location.space for unit in arrangement]
                    if twice := next((space for space in spaces if spaces.count(space) > 1), None):
                        raise InvalidVariant(
                            say(
                                "'{name}' places two units in {twice}, in {of_group}.",
                                name=self.name,
                                twice=twice,
                                of_group=of_group,
                            ),
                            self._at(power),
                        )
                    for space in spaces:
                        if taken.setdefault(space, of_group) != of_group:
                            both = f"{taken[space]} and {of_group} overlap: both place a unit in {space}"
                            raise InvalidVariant(
                                say("'{name}': {both}; write them as one group.", name=self.name, both=both),
                                self._at(power),
                            )

    def facts(self, rules: "Rules") -> Iterator[Fact]:
        """Yield the opening choices of each power: one arrangement of every group."""
        chosen = {power: groups for power, groups in self.groups.items() if power in rules.names}
        yield OpeningChoices(
            {
                power: tuple(self._alternative(rules, power, list(chain(*ways))) for ways in product(*groups))
                for power, groups in chosen.items()
            }
        )

    def _alternative(self, rules: "Rules", power: Power, units: Sequence[str]) -> Alternative:
        refs = [_ref(unit) for unit in units]
        placed = tuple(Unit(power, ref.kind or UnitKind.ARMY, ref.location) for ref in refs)
        return Alternative(tuple(map(Choose, refs)), placed, frozenset(), rules.opening.homes_of(power))

    def choices(self, rules: "Rules", position: Position, power: Power) -> tuple[Choose, ...]:
        """Return a choice for every unit that `power` may name."""
        if position.phase.kind is not PhaseKind.CHOICE or power not in rules.names:
            return ()
        units = dict.fromkeys(
            unit for group in self.groups.get(power, ()) for arrangement in group for unit in arrangement
        )
        return tuple(Choose(_ref(unit)) for unit in units)

    def why_not_together(self, rules: "Rules", position: Position, power: Power, choices: Sequence[Choose]) -> str:
        """Return why these units cannot be placed together; empty if they can."""
        named = {choice.unit for choice in choices}
        for group in self.groups.get(power, ()):
            members = {_ref(unit) for arrangement in group for unit in arrangement}
            if not any(named & members <= set(map(_ref, arrangement)) for arrangement in group):
                each = [_ARRANGEMENT(units=tuple(arrangement)) for arrangement in group]
                ways = reduce(lambda one, other: _OR_ARRANGEMENT(one=one, other=other), each)
                together = ", ".join(str(ref) for ref in sorted(named & members, key=str))
                return _NOT_TOGETHER(power=power, units=together, arrangements=ways)
        return ""

    def after_choices(self, rules: "Rules", position: Position, choices: Choices, source: DrawSource) -> Effects:
        """Place the chosen units on the board, and fill in the groups that were left open."""
        units: list[Unit] = []
        events: list[Event] = []
        for power in rules.names:
            groups = self.groups.get(power, ())
            if not groups or not self.choices(rules, position, power):
                continue
            named = {choice.unit for choice in choices.get(power, ())}
            placed: list[str] = []
            for number, group in enumerate(groups):
                ways = [arrangement for arrangement in group if _among(group, named) <= set(map(_ref, arrangement))]
                if len(ways) > 1 and self.placement_default == "draw":
                    named_ways = {", ".join(way): way for way in ways}
                    way = named_ways[source.draw(f"placement of {power} {number + 1}", named_ways)]
                else:
                    way = ways[0]
                placed.extend(way)
            started = tuple(Unit(power, ref.kind or UnitKind.ARMY, ref.location) for ref in map(_ref, placed))
            units += started
            kind = _STARTS_OPEN if self._open(power, choices) else _STARTS
            why = kind(power=power, units=", ".join(placed))
            events.append(Event(UNITS_PLACED, why, (power,), units=started))
        return Effects(replace(position, units=(*position.units, *units)), tuple(events))

    def missing_choices(self, rules: "Rules", position: Position, choices: Choices) -> tuple[Power, ...]:
        """Return every power that left a group open, if the option says to wait."""
        if self.placement_default != "wait":
            return ()
        return tuple(p for p in rules.names if self.choices(rules, position, p) and self._open(p, choices))

    def _open(self, power: Power, choices: Choices) -> bool:
        """Return True if the units named leave several arrangements of a group."""
        named = {choice.unit for choice in choices.get(power, ())}
        return any(not _is_settled(group, named) for group in self.groups.get(power, ()))


def _among(group: Sequence[Arrangement], named: set[Ref]) -> set[Ref]:
    return named & {_ref(unit) for arrangement in group for unit in arrangement}


def _is_settled(group: Sequence[Arrangement], named: set[Ref]) -> bool:
    """Return True if the units named leave only one arrangement of the group."""
    return sum(_among(group, named) <= set(map(_ref, arrangement)) for arrangement in group) == 1


def _ref(text: str) -> Ref:
    """Return the unit of a text such as `F STP/SC`; raise `InvalidVariant` for any other text."""
    letter, _, place = text.partition(" ")
    if len(letter) != 1 or letter not in ascii_uppercase or not place:
        raise InvalidVariant(say("'{text}' is not a unit; write one like 'A PAR' or 'F STP/SC'.", text=text))
    return Ref(UnitKind(letter), Location.from_text(place))

"""Chosen homes: every power chooses in secret the home centre it starts from.

The game opens with no unit on the board and no centre owned. In the choice phase each power names one of its allowed
centres; all choices are revealed together. The chosen centre is owned by its power and is its only home.
Ordinarily the first unit is built there in the adjustment phase that follows; with `merge_choice_and_build` the choice
names the unit as well (`A LON`) and it stands there at once.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, ClassVar, Literal

from plenipo.engine.board import Code, Location, Terrain, UnitKind
from plenipo.engine.calendar import Calendar, PhaseKind, Step
from plenipo.engine.dice import DrawSource
from plenipo.engine.events import Event, EventKind
from plenipo.engine.facts import Alternative, Fact, OpeningChoices, RequiredBuilds
from plenipo.engine.hooks import Choices, Effects, RuleModule
from plenipo.engine.orders import Choose, Ref
from plenipo.engine.position import Position, Power, Unit
from plenipo.engine.sentences import Sentence, SentenceKind

if TYPE_CHECKING:
    from plenipo.engine.rules import Rules

__all__ = ["HOME_CHOSEN", "HOME_GIVEN", "ChosenHomes"]

HOME_CHOSEN = EventKind("home_chosen")
"""The power starts from the centre."""

HOME_GIVEN = EventKind("home_given")
"""The power named no home and was given this one."""

_GIVEN = SentenceKind("home-given", "{power} named no home and was given {home} {how}.")
_STARTS = SentenceKind("home-starts", "{power} starts from {place}.")
_FIRST = SentenceKind("home-first", "as the first by the alphabet")
_BY_LOT = SentenceKind("by-lot", "by lot")


@dataclass(frozen=True)
class ChosenHomes(RuleModule):
    """The options.

    `not_allowed` are homes that may not be chosen. `home_default` says what a missing choice means: `draw` takes one of
    the allowed centres by the game's dice, `first_listed` the first by the alphabet, `wait` keeps the phase open.
    `first_build` says what a missing order means in the adjustment phase after the choice: nothing is built (`waived`)
    or an army (`required`).
    """

    name: ClassVar[str] = "chosen_homes"
    choice_words: ClassVar[str] = "Choose the home centre you begin with: it is all you own, and you build there first."
    claims: ClassVar[frozenset[str]] = frozenset({"the opening"})

    not_allowed: tuple[Code, ...] = ()
    home_default: Literal["draw", "first_listed", "wait"] = "draw"
    merge_choice_and_build: bool = False
    first_build: Literal["waived", "required"] = "waived"

    def calendar(self, calendar: Calendar) -> Calendar:
        """Return the calendar; with the build merged into the choice, the season of the build is that of the choice."""
        if not self.merge_choice_and_build:
            return calendar
        builds = [step.season for step in calendar.opening if step.kind is PhaseKind.ADJUSTMENTS]
        choices = [step.season for step in calendar.opening if step.kind is PhaseKind.CHOICE]
        merged = Step((builds or choices)[0], PhaseKind.CHOICE)
        return replace(calendar, opening=(merged,))

    def opening(self, rules: "Rules", position: Position) -> Position:
        """Return the position without units and owners; the homes are those that a power may choose."""
        return replace(position, units=(), owners={})

    def choices(self, rules: "Rules", position: Position, power: Power) -> tuple[Choose, ...]:
        """Return the allowed home centres of `power`, or the units it may start with there."""
        if position.phase.kind is not PhaseKind.CHOICE:
            return ()
        refs: list[Ref] = []
        for code in sorted(position.homes_of(power) - set(self.not_allowed)):
            if not self.merge_choice_and_build:
                refs.append(Ref(None, Location(code)))
                continue
            space = rules.board.spaces[code]
            refs.append(Ref(UnitKind.ARMY, Location(code)))
            if space.terrain is not Terrain.INLAND:
                refs.extend(Ref(UnitKind.FLEET, location) for location in space.locations)
        return tuple(map(Choose, refs))

    def replaced_choices(self, power: Power, choices: Sequence[Choose]) -> tuple[Choose, ...]:
        """Return all choices but the last."""
        return tuple(choices[:-1])

    def missing_choices(self, rules: "Rules", position: Position, choices: Choices) -> tuple[Power, ...]:
        """Return every power that named no home, if the option says to wait."""
        if self.home_default != "wait":
            return ()
        return tuple(p for p in rules.names if not choices.get(p) and self.choices(rules, position, p))

    def after_choices(self, rules: "Rules", position: Position, choices: Choices, source: DrawSource) -> Effects:
        """Give each power the centre that it chose, as its only home."""
        final: dict[Power, Choose] = {}
        given: list[Event] = []
        for power in rules.names:
            offered = self.choices(rules, position, power)
            if choices.get(power):
                final[power] = choices[power][-1]
            elif offered:
                final[power], how = self._missing(power, offered, source)
                why = _GIVEN(power=power, home=final[power].unit, how=how)
                given.append(Event(HOME_GIVEN, why, (power,), (final[power].unit.location.space,)))
        homes = {power: frozenset({choice.unit.location.space}) for power, choice in final.items()}
        units = tuple(
            Unit(power, choice.unit.kind, choice.unit.location) for power, choice in final.items() if choice.unit.kind
        )
        owners = {code: power for power, codes in homes.items() for code in codes}
        after = replace(position, units=units, homes=homes, owners=owners)
        starts = (
            Event(HOME_CHOSEN, _STARTS(power=power, place=rules.board.spaces[code].name), (power,), (code,))
            for code, power in after.owners.items()
        )
        return Effects(after, (*starts, *given))

    def _missing(self, power: Power, offered: tuple[Choose, ...], source: DrawSource) -> tuple[Choose, Sentence]:
        """Return the home of a power that named none, and how it was chosen."""
        if self.home_default == "first_listed":
            return offered[0], _FIRST()
        named = {str(choice.unit): choice for choice in offered}
        return named[source.draw(f"home of {power}", named)], _BY_LOT()

    def facts(self, rules: "Rules") -> Iterator[Fact]:
        """Yield the opening choices with their results, and the rule that the first build is required, if it is."""
        yield OpeningChoices({power: tuple(self._alternatives(rules, power)) for power in rules.names})
        if self.first_build == "required":
            yield RequiredBuilds()

    def _alternatives(self, rules: "Rules", power: Power) -> Iterator[Alternative]:
        offered = self.choices(rules, rules.opening, power)
        if not offered:
            yield Alternative((), (), frozenset(), frozenset())
        for choice in offered:
            kind, location = choice.unit
            home = frozenset({location.space})
            yield Alternative((choice,), (Unit(power, kind, location),) if kind else (), home, home)

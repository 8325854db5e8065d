"""Captures: how centres change hands: to which units, after how long, in passing, with a capital, from what year on."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, ClassVar

from plenipo.engine.board import Code, UnitKind
from plenipo.engine.calendar import Calendar, PhaseKind, Step, Year
from plenipo.engine.changes import Split
from plenipo.engine.facts import Capturing, Fact, Raids
from plenipo.engine.hooks import Effects, RuleModule, SplitUnit
from plenipo.engine.module_memory import ModuleMemory
from plenipo.engine.phases import ownership_history
from plenipo.engine.position import Position, Power
from plenipo.engine.sentences import say
from plenipo.errors import InvalidVariant
from plenipo.rulekit.rule_entries import RuleEntry

if TYPE_CHECKING:
    from plenipo.engine.rules import Rules

__all__ = ["Captures", "WatchesCentres"]


@dataclass(frozen=True)
class WatchesCentres(RuleModule):
    """A base for modules that remember the history of centres, in a slot of their own name."""

    memory: ClassVar[type[ModuleMemory]] = ownership_history.CentreHistory

    def space_lost(self, rules: "Rules", position: Position, space: Code) -> Effects:
        """Forget the history of a centre that is lost."""
        return Effects(ownership_history.with_parts(position, self.name, space, ()))

    def space_split(self, rules: "Rules", position: Position, split: Split, units: Sequence[SplitUnit]) -> Effects:
        """Copy the history of a centre to both of its halves."""
        return Effects(ownership_history.with_parts(position, self.name, split.space, split.halves))


@dataclass(frozen=True)
class Captures(WatchesCentres):
    """The options.

    With `every_season` ownership is settled after every movement and its retreats, whenever units are built. The others
    are as in the fact `Capturing`: `units` that take centres, at how many `looks` running they must stand there, and in
    single centres (`looks_of`), in which `seasons` single centres are taken, whether a centre is taken in `passing` or
    must stay `occupied`, its first and last year (`from_year`, `until_year`), the `capitals` with which everything is
    taken, or with `capitals_freed` set free, the centres that are `destroyed` when they pass from one power to another,
    and the `raids` that make centres neutral.
    """

    name: ClassVar[str] = ownership_history.CAPTURES
    claims: ClassVar[frozenset[str]] = frozenset({"how centres change hands"})
    fixed: ClassVar[frozenset[str]] = frozenset(
        {"units", "looks_of", "seasons", "from_year", "until_year", "capitals", "destroyed", "raids"}
    )

    every_season: bool = False
    units: tuple[UnitKind, ...] = ()
    looks: int = 1
    passing: bool = False
    occupied: bool = False
    from_year: Mapping[Code, Year] = field(default_factory=dict)
    until_year: Mapping[Code, Year] = field(default_factory=dict)
    capitals: Mapping[Power, Code] = field(default_factory=dict)
    capitals_freed: bool = field(default=False, metadata={"beside": ("capitals",)})
    destroyed: tuple[Code, ...] = ()
    looks_of: Mapping[Code, int] = field(default_factory=dict)
    seasons: Mapping[Code, tuple[str, ...]] = field(default_factory=dict)
    raids: Raids | None = None

    def calendar(self, calendar: Calendar) -> Calendar:
        """Return the calendar, with ownership settled after every movement and its retreats if the option says so."""
        return replace(calendar, cycle=tuple(_add_ownership_steps(calendar.cycle))) if self.every_season else calendar

    def facts(self, rules: "Rules") -> Iterator[Fact]:
        """Return the facts on how centres change hands; raise `InvalidVariant` for a space that is not on the board."""
        at = RuleEntry(rules, f"'{self.name}'", ("modules", self.name))
        at.centres(
            looks_of=self.looks_of,
            seasons=self.seasons,
            from_year=self.from_year,
            until_year=self.until_year,
            capitals=self.capitals.values(),
            destroyed=self.destroyed,
        )
        at.kinds(units=self.units)
        for code, last in self.until_year.items():
            if last < self.from_year.get(code, last):
                raise InvalidVariant(
                    say(
                        "'{name}' has {code} from {from_year} until {last}.",
                        name=self.name,
                        code=code,
                        from_year=self.from_year[code],
                        last=last,
                    )
                )
        at.least(1, looks=self.looks)
        for code, looks in self.looks_of.items():
            at.table("looks_of").least(1, **{code: looks})
        for code, seasons in self.seasons.items():
            at.table("seasons").seasons(PhaseKind.OWNERSHIP, **{code: seasons})
        if self.raids:
            raids = at.table("raids")
            raids.seasons(PhaseKind.MOVEMENT, seasons=self.raids.seasons)
            raids.kinds(units=self.raids.units)
            raids.players(powers=self.raids.powers)
        if self.passing and self.occupied:
            raise InvalidVariant(
                say("'{name}' has 'passing' and 'occupied': what is taken in passing would be lost.", name=self.name)
            )
        yield Capturing(
            self.units,
            self.looks,
            self.passing,
            self.occupied,
            dict(self.from_year),
            dict(self.until_year),
            dict(self.capitals),
            self.capitals_freed,
            frozenset(self.destroyed),
            dict(self.looks_of),
            dict(self.seasons),
            self.raids,
        )

    def opening(self, rules: "Rules", position: Position) -> Position:
        """Remove the owners of spaces that are not centres yet."""
        owners = {
            c: p
            for c, p in position.owners.items()
            if self.from_year.get(c, position.phase.year) <= position.phase.year
        }
        return replace(position, owners=owners)


def _add_ownership_steps(cycle: Sequence[Step]) -> Iterator[Step]:
    """Yield the steps, with ownership after each movement and its retreats where it is not settled there already."""
    for i, step in enumerate(cycle):
        yield step
        after = cycle[i + 1].kind if i + 1 < len(cycle) else PhaseKind.MOVEMENT
        over = step.kind is PhaseKind.RETREATS or (step.kind is PhaseKind.MOVEMENT and after is not PhaseKind.RETREATS)
        if over and after is not PhaseKind.OWNERSHIP and after is not PhaseKind.DRAWS:
            yield Step(step.season, PhaseKind.OWNERSHIP)

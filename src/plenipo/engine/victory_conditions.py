"""Ways to win, as data: the thing counted, the number that wins, the phases that are checked, and the duration.

A way is a value. `plenipo.engine.phases.victory` checks positions against it, the kernel supports those that are a
number of centres or units, and its text for people comes from `Way.in_words`.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, ClassVar, Literal

from plenipo.engine.board import Code
from plenipo.engine.calendar import Phase, PhaseKind, Year
from plenipo.engine.immutable import freeze_sorted
from plenipo.engine.position import Power
from plenipo.engine.wording import count, listing

__all__ = ["Measure", "Way"]

Measure = Literal["centres", "worth", "units", "both", "stands", "rivals", "points"]
"""A quantity that may be counted: the centres owned, their values, the units on the board, centres and units both, the
spaces among some that have units, the other powers that are out, or the count of a rule module.
"""

_NOUNS: Mapping[str, str] = {
    "centres": "centre",
    "worth": "point",
    "units": "piece",
    "both": "centre",
    "stands": "space",
    "rivals": "rival",
    "points": "point",
}


_THINGS: Mapping[str, str] = {"stands": "units", "worth": "points", "both": "centres and units"}


@dataclass(frozen=True)
class Way:
    """One way to win.

    `enough` is a number, more than half (`majority`), `all`, or only more than any other power (`most`); the number of
    the variant where it is left out. `each` are other numbers for single powers, `powers` the powers that may win this
    way (all where it is empty), `among` the only spaces that count. `lead` is the required lead over every other power;
    with 0 other powers do not matter. `then` decides between equals; powers that are still equal win together if it may
    be `shared`, or else not yet. The condition must be met at `held` checks running. It is checked after the steps of
    `after` (a season, a kind of phase, or both: `Fall movement`), at every ownership update where that is empty, and
    only in the years from `from_year` to `until_year`. The powers of each of the `sides` count together, and those of
    them that are left win together.
    """

    __pydantic_config__: ClassVar[dict[str, Any]] = {"extra": "forbid"}  # a misspelt key is reported, not passed over

    count: Measure = "centres"
    enough: int | Literal["majority", "all", "most"] | None = None
    each: Mapping[Power, int] = field(default_factory=dict)
    among: tuple[Code, ...] = ()
    powers: tuple[Power, ...] = ()
    lead: int = 1
    shared: bool = False
    held: int = 1
    after: tuple[str, ...] = ()
    from_year: Year | None = None
    until_year: Year | None = None
    then: tuple[Measure, ...] = ()
    sides: tuple[tuple[Power, ...], ...] = ()

    def __post_init__(self) -> None:
        object.__setattr__(self, "each", freeze_sorted(self.each))

    @property
    def noun(self) -> str:
        """The thing that is counted, in the singular."""
        return _NOUNS[self.count]

    @property
    def plain(self) -> bool:
        """True if it is a number of centres or units, checked at every ownership update."""
        odd = bool(self.among or self.powers or self.sides or self.shared or self.after or self.then)
        odd = odd or self.lead < 1 or self.held > 1
        dated = self.from_year is not None or self.until_year is not None
        countable = self.count == "centres" or (self.count == "units" and not isinstance(self.enough, str))
        numbers = (*([self.enough] if isinstance(self.enough, int) else []), *self.each.values())
        odd = odd or any(self.lead > number for number in numbers)
        return countable and self.enough != "most" and not odd and not dated

    def is_open(self, power: Power) -> bool:
        """Return whether `power` may win this way."""
        return not self.powers or power in self.powers

    def is_due(self, phase: Phase) -> bool:
        """Return whether it is checked when `phase` is over."""
        if not phase.within((), self.from_year, self.until_year):
            return False
        names = {phase.season, phase.kind.value, f"{phase.season} {phase.kind}"}
        return any(text in names for text in self.after) if self.after else phase.kind is PhaseKind.OWNERSHIP

    def in_words(self, usual: int) -> str:
        """Return the condition as words that continue with `win`; `usual` is the number of the variant."""
        things = _THINGS.get(self.count, self.count)
        enough = usual if self.enough is None else self.enough
        if self.among:
            names = listing(self.among)
            verb = "units in" if self.count == "stands" else "of"
            text = f"{'all' if enough == 'all' else 'most' if isinstance(enough, str) else enough} {verb} {names}"
            text = text.replace("units in", "units in all of") if enough == "all" and self.count == "stands" else text
        elif self.count == "rivals":
            text = "those left alone" if enough == "all" else f"{enough} rivals that are out"
        elif isinstance(enough, int):
            noun = {"units": "piece"}.get(self.count, self.noun)
            text = count(enough, noun) + (f" and {count(enough, 'unit')}" if self.count == "both" else "")
        else:
            text = {"majority": "more than half of all", "all": "all", "most": "the most"}[enough] + f" {things}"
        parts = [text]
        if self.each:
            parts.append(f"({listing([f'{number} for {power}' for power, number in self.each.items()])})")
        if self.powers:
            parts.append(f"of {listing(self.powers, 'or')}")
        if self.sides:
            parts.append(f"of {listing(['-'.join(side) for side in self.sides], 'or')} together")
        if self.lead > 1:
            parts.append(f"and {self.lead} more than anybody else")
        if self.held > 1:
            parts.append(f"{self.held} times running")
        if self.after:
            parts.append(f"after {listing(self.after, 'or')}")
        if self.from_year is not None and self.from_year == self.until_year:
            parts.append(f"in {self.from_year}")
        else:
            parts += [f"from {self.from_year} on"] if self.from_year is not None else []
            parts += [f"until {self.until_year}"] if self.until_year is not None else []
        return " ".join(parts)

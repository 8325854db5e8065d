"""Ways to win, as data: what is counted, how much of it is enough, when it is looked at, and for how long it must last.

A way is a value. `plenipo.engine.phases.victory` judges positions by it, the kernel takes those that are a number of
centres or units, and what people read of it comes from `Way.in_words`.
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
"""What may be counted: the centres owned, what they are worth, the units on the board, centres and units both, the
spaces among some in which units stand, the other powers that are out, or what a rule module counts."""

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

    `enough` is a number, more than half (`majority`), `all`, or only more than anybody else (`most`); the number of the
    variant where it is left out. `each` are other numbers for single powers, `powers` those to whom the way is open
    (all where it is empty), `among` the only spaces that count. `lead` is by how many more than any other power it must
    be; with 0 nobody else matters. `then` decides among equals; who are still equal win together if it may be `shared`,
    or else not yet. It must be so at `held` looks running. It is looked at after the steps of `after` (a season, a kind
    of phase, or both: `Fall movement`), whenever ownership has been settled where that is empty, and only in the years
    from `from_year` to `until_year`. The powers of each of the `sides` count together, and those of them that are left
    win together.
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
        """One of what is counted."""
        return _NOUNS[self.count]

    @property
    def plain(self) -> bool:
        """Whether it is a number of centres or units, looked at whenever ownership has been settled."""
        odd = bool(self.among or self.powers or self.sides or self.shared or self.after or self.then)
        odd = odd or self.lead < 1 or self.held > 1
        dated = self.from_year is not None or self.until_year is not None
        countable = self.count == "centres" or (self.count == "units" and not isinstance(self.enough, str))
        numbers = (*([self.enough] if isinstance(self.enough, int) else []), *self.each.values())
        odd = odd or any(self.lead > number for number in numbers)
        return countable and self.enough != "most" and not odd and not dated

    def is_open(self, power: Power) -> bool:
        """Whether `power` may win this way."""
        return not self.powers or power in self.powers

    def is_due(self, phase: Phase) -> bool:
        """Whether it is looked at when `phase` is over."""
        if not phase.within((), self.from_year, self.until_year):
            return False
        names = {phase.season, phase.kind.value, f"{phase.season} {phase.kind}"}
        return any(text in names for text in self.after) if self.after else phase.kind is PhaseKind.OWNERSHIP

    def in_words(self, usual: int) -> str:
        """What it takes, for a sentence that goes on with `win`; `usual` is the number of the variant."""
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

"""Ways to win, as data: the thing counted, the number that wins, the phases that are checked, and the duration.

A way is a value. `plenipo.engine.phases.victory` checks positions against it, the kernel supports those that are a
number of centres or units, and its text for people comes from `Way.in_words`.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import reduce
from typing import Any, ClassVar, Literal

from plenipo.engine.amounts import count_things
from plenipo.engine.board import Code
from plenipo.engine.calendar import Phase, PhaseKind, Year
from plenipo.engine.immutable import freeze_sorted
from plenipo.engine.position import Power
from plenipo.engine.sentences import Either, Sentence, SentenceKind, join_sentences

__all__ = ["Measure", "VictoryCondition"]

Measure = Literal["centres", "value", "units", "both", "stands", "rivals", "points"]
"""A quantity that may be counted: the centres owned, their values, the units on the board, centres and units both, the
spaces among some that have units, the other powers that are out, or the count of a rule module.
"""

_NOUNS: Mapping[str, str] = {
    "centres": "centre",
    "value": "point",
    "units": "piece",
    "both": "centre",
    "stands": "space",
    "rivals": "rival",
    "points": "point",
}


_THINGS: Mapping[str, str] = {"stands": "units", "value": "points", "both": "centres and units"}

_AMONG = {
    "all": SentenceKind("all-of", "all of {places}"),
    "most": SentenceKind("most-of", "most of {places}"),
    "": SentenceKind("number-of", "{number} of {places}"),
}
_STANDS_AMONG = {
    "all": SentenceKind("units-in-all", "all units in all of {places}"),
    "most": SentenceKind("most-units-in", "most units in {places}"),
    "": SentenceKind("units-in", "{number} units in {places}"),
}
_LEFT_ALONE = SentenceKind("left-alone", "those left alone")()
_RIVALS_OUT = SentenceKind("rivals-out", "{number} rivals that are out")
_BOTH = SentenceKind("both-amounts", "{one} and {other}")
_SHARES = {
    "majority": SentenceKind("more-than-half", "more than half of all {things}"),
    "all": SentenceKind("all-things", "all {things}"),
    "most": SentenceKind("the-most", "the most {things}"),
}
_EACH = SentenceKind("numbers-each", "({each})")
_FOR = SentenceKind("number-for", "{number} for {power}")
_OF = SentenceKind("of-powers", "of {powers}")
_SIDE = SentenceKind("side", "{one}-{other}")
_TOGETHER = SentenceKind("of-sides", "of {sides} together")
_LEAD = SentenceKind("lead", "and {number} more than any other power")
_HELD = SentenceKind("times-running", "{number} times running")
_AFTER = SentenceKind("after-phases", "after {phases}")
_IN_YEAR = SentenceKind("in-year", "in {year}")
_FROM_YEAR = SentenceKind("from-year", "from {year} on")
_UNTIL_YEAR = SentenceKind("until-year", "until {year}")


@dataclass(frozen=True)
class VictoryCondition:
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
        countable = self.count == "centres" or (self.count == "units" and not isinstance(self.enough, str))
        numbers = (*([self.enough] if isinstance(self.enough, int) else []), *self.each.values())
        odd = odd or any(self.lead > number for number in numbers)
        return countable and self.enough != "most" and not odd and not self.is_dated

    @property
    def is_dated(self) -> bool:
        """True if it is checked in some years only."""
        return self.from_year is not None or self.until_year is not None

    def is_due(self, phase: Phase) -> bool:
        """Return whether it is checked when `phase` is over."""
        if self.is_dated and not phase.within((), self.from_year, self.until_year):
            return False
        if not self.after:
            return phase.kind is PhaseKind.OWNERSHIP
        names = {phase.season, phase.kind.value, f"{phase.season} {phase.kind}"}
        return any(text in names for text in self.after)

    def in_words(self, usual: int) -> Sentence:
        """Return the condition as words that continue with `win`; `usual` is the number of the variant."""
        parts = [self._describe_count(usual if self.enough is None else self.enough)]
        if self.each:
            parts.append(_EACH(each=tuple(_FOR(number=number, power=power) for power, number in self.each.items())))
        if self.powers:
            parts.append(_OF(powers=Either(self.powers)))
        if self.sides:
            parts.append(_TOGETHER(sides=Either(map(_side, self.sides))))
        if self.lead > 1:
            parts.append(_LEAD(number=self.lead))
        if self.held > 1:
            parts.append(_HELD(number=self.held))
        if self.after:
            parts.append(_AFTER(phases=Either(self.after)))
        if self.from_year is not None and self.from_year == self.until_year:
            parts.append(_IN_YEAR(year=self.from_year))
        else:
            parts += [_FROM_YEAR(year=self.from_year)] if self.from_year is not None else []
            parts += [_UNTIL_YEAR(year=self.until_year)] if self.until_year is not None else []
        return reduce(join_sentences, parts)

    def _describe_count(self, enough: int | str) -> Sentence:
        """Return the thing and the number that wins, in words."""
        if self.among:
            some = _STANDS_AMONG if self.count == "stands" else _AMONG
            number = {"number": enough} if isinstance(enough, int) else {}
            word = enough if enough == "all" else "most" if isinstance(enough, str) else ""
            return some[word](places=self.among, **number)
        if self.count == "rivals":
            return _LEFT_ALONE if enough == "all" else _RIVALS_OUT(number=enough)
        if isinstance(enough, int):
            counted = count_things(enough, {"units": "piece"}.get(self.count, self.noun))
            return _BOTH(one=counted, other=count_things(enough, "unit")) if self.count == "both" else counted
        return _SHARES[enough](things=_THINGS.get(self.count, self.count))


def _side(powers: Sequence[Power]) -> Sentence | Power:
    """Return the powers of a side as one name."""
    first: Sentence | Power = powers[0]
    for power in powers[1:]:
        first = _SIDE(one=first, other=power)
    return first

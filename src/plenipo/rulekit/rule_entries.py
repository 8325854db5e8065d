"""Entries: what the lists of rule modules share: where an entry stands, what it may name, and when it counts."""

from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple, TypeVar

from plenipo.engine.board import Board, Code
from plenipo.engine.calendar import Phase, PhaseKind, Year, year_text
from plenipo.engine.facts import BuildSite
from plenipo.engine.position import Power
from plenipo.engine.sentences import say
from plenipo.engine.wording import hint, listing
from plenipo.errors import InvalidVariant

if TYPE_CHECKING:
    from plenipo.engine.rules import Rules

__all__ = ["InTime", "RuleEntry", "SpacePair", "check_space", "entries"]

SpacePair = tuple[Code, Code]
"""Two spaces between which units pass."""

Item = TypeVar("Item")


def check_space(board: Board, module: str, code: Code, path: tuple[str | int, ...]) -> None:
    """Raise `InvalidVariant` if a rule module names a space that the board does not have."""
    if code not in board.known_codes:
        near = hint(code, tuple(board.spaces))
        raise InvalidVariant(say("'{name}' names '{code}'; {hint}", name=module, code=code, hint=near), path)


@dataclass(frozen=True, kw_only=True)
class InTime:
    """An entry for the `seasons` and the years from `from_year` to `until_year`; for all if they are left out."""

    seasons: tuple[str, ...] = ()
    from_year: Year | None = None
    until_year: Year | None = None

    def in_time(self, phase: Phase) -> bool:
        """Return whether it applies in the season and year of a phase."""
        return phase.within(self.seasons, self.from_year, self.until_year)

    @property
    def when(self) -> str:
        """The time in words, such as ` in Fall from 1903`; empty if it always applies."""
        parts = [f"in {listing(self.seasons)}" if self.seasons else ""]
        parts.append(f"from {self.from_year}" if self.from_year is not None else "")
        parts.append(f"until {self.until_year}" if self.until_year is not None else "")
        return "".join(f" {part}" for part in parts if part)


class RuleEntry(NamedTuple):
    """An entry of a rule module: how sentences call it, and the path to it in the variant.

    Each check takes what is named by the keys under which it stands, and raises `InvalidVariant` at the first fault.
    """

    rules: "Rules"
    where: str
    path: tuple[str | int, ...]

    def wrong(self, why: str, *key: str | int) -> InvalidVariant:
        """Return the error to raise: the entry and why it is invalid; `key` leads to the invalid part."""
        return InvalidVariant(say("{where} {why}", where=self.where, why=why), (*self.path, *key))

    def part(self, *key: str | int) -> "RuleEntry":
        """Return the part under a key, with the same name."""
        return self._replace(path=(*self.path, *key))

    def table(self, key: str) -> "RuleEntry":
        """Return the table that is an option of a module, where the entry is the module."""
        return RuleEntry(self.rules, f"'{self.path[-1]}.{key}'", (*self.path, key))

    def spaces(self, **named: Iterable[Code]) -> None:
        """Check that all are spaces of the board."""
        known = self.rules.board.spaces
        self._check_known(
            known,
            named,
            lambda code: say("names '{code}', which is not on the board; {hint}", code=code, hint=hint(code, known)),
        )

    def centres(self, **named: Iterable[Code]) -> None:
        """Check that all are supply centres."""
        known = sorted(self.rules.board.centres)
        self._check_known(
            known,
            named,
            lambda code: say("names '{code}', which is not a supply centre; {hint}", code=code, hint=hint(code, known)),
        )

    def powers(self, **named: Iterable[Power]) -> None:
        """Check that all are powers of the game, played or not."""
        known = tuple(info.name for info in self.rules.powers)
        self._check_known(
            known,
            named,
            lambda power: say("names '{power}', which is not a power; {hint}", power=power, hint=hint(power, known)),
        )

    def players(self, **named: Iterable[Power]) -> None:
        """Check that all are played powers, since they declare, build or pay something."""
        self.powers(**named)
        known = self.rules.names
        self._check_known(
            known,
            named,
            lambda power: say(
                "names '{power}', which is unplayed (played = false); {hint}", power=power, hint=hint(power, known)
            ),
        )

    def kinds(self, **named: Iterable[str]) -> None:
        """Check that all are unit types of the variant."""
        known = self.rules.board.kinds
        self._check_known(
            known,
            named,
            lambda kind: say("names the unit '{kind}'; it must be {known}.", kind=kind, known=listing(known, "or")),
        )

    def ways(self, **named: Iterable[SpacePair]) -> None:
        """Check that units can pass on each way."""
        for key, ways in named.items():
            for one, other in ways:
                self.spaces(**{key: (one, other)})
                if other not in self.rules.board.near[one]:
                    raise self.wrong(
                        say("has the way between {one} and {other}, where no unit passes.", one=one, other=other), key
                    )

    def seasons(self, kind: PhaseKind, **named: Iterable[str]) -> None:
        """Check that all are seasons with a phase of a kind."""
        known, noun = self.rules.calendar.seasons(kind), kind.noun
        self._check_known(
            known,
            named,
            lambda one: say(
                "has the season '{one}', which has no {noun} phase; {hint}", one=one, noun=noun, hint=hint(one, known)
            ),
        )

    def _check_known(
        self, known: Container[str], named: Mapping[str, Iterable[str]], why: Callable[[str], str]
    ) -> None:
        for key, names in named.items():
            for name in names:
                if name not in known:
                    raise self.wrong(why(name), key)

    def in_time(self, item: InTime | BuildSite, kind: PhaseKind = PhaseKind.MOVEMENT) -> None:
        """Check that an entry can apply in a phase of a kind."""
        self.seasons(kind, seasons=item.seasons)
        first, last, begins = item.from_year, item.until_year, self.rules.calendar.start
        if last is None:
            return
        if first is not None and first > last:
            raise self.wrong(
                say("counts from {first} until {last}: never.", first=year_text(first), last=year_text(last)),
                "until_year",
            )
        if last < begins:
            why = f"counts until {year_text(last)}, and the game begins in {year_text(begins)}: it never does."
            raise self.wrong(why, "until_year")

    def least(self, lowest: int, /, **numbers: int | None) -> None:
        """Check that no given number is below its minimum."""
        for key, number in numbers.items():
            if number is not None and number < lowest:
                raise self.wrong(
                    say("has {number} as '{key}'; it must be {lowest} or more.", number=number, key=key, lowest=lowest),
                    key,
                )

    def odds(self, odds: tuple[int, int]) -> None:
        """Check that odds are at least one and at most all of the draws."""
        few, many = odds
        if not 1 <= few <= many:
            raise self.wrong(say("has {few} in {many} as odds; write such as [1, 6].", few=few, many=many), "odds")


def entries(
    rules: "Rules", module: str, key: str, items: Sequence[Item], called: Callable[[Item], str]
) -> Iterator[tuple[RuleEntry, Item]]:
    """Yield the items that a module lists under a key, each with its entry, which `called` names in sentences.

    Raises `InvalidVariant` if there are none.
    """
    path = ("modules", module, key)
    if not items:
        raise InvalidVariant(say("'{module}.{key}' is empty; it must list one or more.", module=module, key=key), path)
    for number, item in enumerate(items):
        yield RuleEntry(rules, called(item), (*path, number)), item

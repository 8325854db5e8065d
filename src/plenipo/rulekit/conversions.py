"""Conversions: units that turn into others by an order, such as an army in a port into a fleet."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from plenipo.engine.calendar import PhaseKind
from plenipo.engine.facts import Conversion, Conversions, Fact
from plenipo.engine.hooks import RuleModule
from plenipo.engine.wording import hint, listing
from plenipo.errors import InvalidVariant

if TYPE_CHECKING:
    from plenipo.engine.rules import Rules

__all__ = ["UnitConversions"]


@dataclass(frozen=True)
class UnitConversions(RuleModule):
    """The option `ways` lists which units turn into which, where and when; see `Conversion` for what each may say."""

    name: ClassVar[str] = "conversions"
    claims: ClassVar[frozenset[str]] = frozenset({"which units turn into others"})
    fixed: ClassVar[frozenset[str]] = frozenset({"ways"})

    ways: tuple[Conversion, ...] = ()

    def facts(self, rules: "Rules") -> Iterator[Fact]:
        """The ways; raises `InvalidVariant` for one that names what is not there, or that nobody could ever order."""
        board, names = rules.board, tuple(info.name for info in rules.powers)
        for number, way in enumerate(self.ways):
            for key, kind in (("unit", way.unit), ("into", way.into)):
                if kind not in board.kinds:
                    letters = listing(board.kinds, "or")
                    what = f"names the unit '{kind}', which is not a kind of this variant; it must be {letters}."
                    raise InvalidVariant(
                        f"'{self.name}' has a way that {what}", ("modules", self.name, "ways", number, key)
                    )
            if way.unit is way.into:
                raise InvalidVariant(f"'{self.name}' turns {way.unit} into {way.into}, which it is already.")
            seasons = rules.calendar.seasons(PhaseKind(way.phase))
            for word, known, what in (
                *((code, tuple(board.spaces), "space") for code in way.among),
                *((power, names, "power") for power in way.powers),
                *((season, seasons, "season of such a phase") for season in way.seasons),
            ):
                if word not in known:
                    raise InvalidVariant(f"'{self.name}' names '{word}', which is no {what}; {hint(word, known)}")
            if not seasons:
                raise InvalidVariant(f"'{self.name}' turns units in {way.phase}, and the calendar has none.")
            codes = set(way.among or board.spaces) & (board.spaces.keys() if way.where == "anywhere" else board.centres)
            stands = [{at.space for kind, at in board.standing.values() if kind is one} for one in (way.unit, way.into)]
            if not codes & stands[0] & stands[1]:
                both = f"{board.called(way.unit)} into {board.called(way.into)}"
                raise InvalidVariant(f"'{self.name}' turns {both}, but nowhere that is meant could both stand.")
        yield Conversions(self.ways)

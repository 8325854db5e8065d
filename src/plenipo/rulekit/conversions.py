"""Conversions: units that turn into others by an order, such as an army in a port into a fleet."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from plenipo.engine.calendar import PhaseKind
from plenipo.engine.facts import Conversion, Conversions, Fact
from plenipo.engine.hooks import RuleModule
from plenipo.engine.sentences import say
from plenipo.engine.space_filter import may_be
from plenipo.rulekit.rule_entries import entries

if TYPE_CHECKING:
    from plenipo.engine.rules import Rules

__all__ = ["UnitConversions"]


@dataclass(frozen=True)
class UnitConversions(RuleModule):
    """The option `ways` lists the conversions of units, with places and times; see `Conversion`."""

    name: ClassVar[str] = "conversions"
    claims: ClassVar[frozenset[str]] = frozenset({"which units turn into others"})
    fixed: ClassVar[frozenset[str]] = frozenset({"ways"})

    ways: tuple[Conversion, ...] = ()

    def facts(self, rules: "Rules") -> Iterator[Fact]:
        """Yield the conversions; raise `InvalidVariant` for one with an unknown name, or that can never be ordered."""
        board = rules.board
        for at, way in entries(rules, self.name, "ways", self.ways, lambda _: f"A way of '{self.name}'"):
            at.kinds(unit=(way.unit,), into=(way.into,))
            if way.unit is way.into:
                raise at.wrong(
                    say("turns {unit} into {into}, which it is already.", unit=way.unit, into=way.into), "into"
                )
            at.spaces(among=way.among)
            at.powers(powers=way.powers)
            kind = PhaseKind(way.phase)
            if not rules.calendar.seasons(kind):
                raise at.wrong(say("turns units in {phase}, and the calendar has none.", phase=way.phase), "phase")
            at.seasons(kind, seasons=way.seasons)
            codes = {code for code in way.among or board.spaces if may_be(way.where, board, code)}
            stands = [{at.space for kind, at in board.standing.values() if kind is one} for one in (way.unit, way.into)]
            if not codes & stands[0] & stands[1]:
                both = f"{board.name_with_article(way.unit)} into {board.name_with_article(way.into)}"
                raise at.wrong(say("turns {both}, but nowhere that is meant could both stand.", both=both))
        yield Conversions(self.ways)

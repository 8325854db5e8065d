"""Railways: lines along which armies move from any space to any other in one move, as far as the line is free."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, ClassVar

from plenipo.engine.board import Board, Code
from plenipo.engine.hooks import RuleModule
from plenipo.engine.orders import Move, Order, Retreat, Support
from plenipo.engine.place_rules import PlaceRule, name_of
from plenipo.engine.position import Position, Power, Unit
from plenipo.engine.sentences import NOTHING, Sentence, SentenceKind, say
from plenipo.engine.wording import listing
from plenipo.errors import InvalidVariant
from plenipo.rulekit.rule_entries import check_space, entries

if TYPE_CHECKING:
    from plenipo.engine.rules import Rules

__all__ = ["RailwayLine", "Railways"]

_ONLY_MOVES = SentenceKind("line-only-moves", "{unit} does not reach {place}: along a line units only move.")
_NOT_OPEN = SentenceKind("line-not-open", "the line from {one} to {other} is not open to {power}.")
_BLOCKED = SentenceKind("line-blocked", "{unit} of {power} stands on the line from {one} to {other}.")


@dataclass(frozen=True)
class RailwayLine:
    """The `spaces` of a line, in their order, each next to the one before it.

    Armies of the `powers` go along it, of all where that is empty; past units of others if it runs `through` them.
    """

    __pydantic_config__: ClassVar[dict[str, Any]] = {"extra": "forbid"}  # a misspelt key is reported, not passed over

    spaces: tuple[Code, ...]
    powers: tuple[Power, ...] = ()
    through: bool = False

    def between(self, one: Code, other: Code) -> tuple[Code, ...] | None:
        """Return the spaces between two spaces of the line; None if one is not on it or nothing is between them."""
        if one not in self.spaces or other not in self.spaces:
            return None
        first, last = sorted((self.spaces.index(one), self.spaces.index(other)))
        return self.spaces[first + 1 : last] or None


@dataclass(frozen=True)
class Railways(RuleModule):
    """The option `lines`: the lines."""

    name: ClassVar[str] = "railways"
    claims: ClassVar[frozenset[str]] = frozenset({"lines"})
    fixed: ClassVar[frozenset[str]] = frozenset({"lines"})

    lines: tuple[RailwayLine, ...] = ()

    def board(self, board: Board) -> Board:
        """Return the board on which all spaces of a line touch for armies; raise `InvalidVariant` for a broken line."""
        armies = {code: set(tos) for code, tos in board.armies.items()}
        for number, line in enumerate(self.lines):
            path = ("modules", self.name, "lines", number, "spaces")
            if len(line.spaces) < 3 or len(set(line.spaces)) < len(line.spaces):  # two touch anyway
                raise InvalidVariant(
                    say("A line of '{name}' has three spaces or more, each once.", name=self.name), path
                )
            for code in line.spaces:
                check_space(board, self.name, code, path)
            here = [code for code in line.spaces if code in board.armies]
            if board.spaces.keys() >= set(line.spaces):
                for one, other in zip(line.spaces, line.spaces[1:], strict=False):
                    closed = board.spaces[one].impassable or board.spaces[other].impassable
                    if other not in board.near[one] and not closed:
                        raise InvalidVariant(
                            say(
                                "A line of '{name}' goes from {one} to {other}, which do not touch.",
                                name=self.name,
                                one=one,
                                other=other,
                            ),
                            path,
                        )
            for one in here:
                armies[one] |= {other for other in here if other != one and not board.spaces[other].impassable}
        return replace(board, armies={code: frozenset(tos) for code, tos in armies.items()})

    def check(self, rules: "Rules") -> None:
        """Raise `InvalidVariant` for unknown powers."""
        for at, line in entries(rules, self.name, "lines", self.lines, lambda _: f"A line of '{self.name}'"):
            at.powers(powers=line.powers)

    def place_rules(self, rules: "Rules") -> Iterator[PlaceRule]:
        """Describe each line, station by station."""
        for line in self.lines:
            who = f"armies of {listing(line.powers)}" if line.powers else "armies"
            past = "past all units" if line.through else "unless a unit of another power stands on it"
            stations = listing(name_of(rules, code) for code in line.spaces)
            yield PlaceRule("railway", line.spaces, f"Railway: {who} go between {stations} in one move, {past}")

    def why_not_ordered(self, rules: "Rules", position: Position, unit: Unit, order: Order) -> str:
        """Return why a unit cannot move, retreat or support along a line; empty if it can."""
        if isinstance(order, Move) and not order.via:
            return self._why_not(rules, position, unit, unit.space, order.to.space)
        if isinstance(order, Retreat) or (isinstance(order, Support) and order.to is None):
            to = order.to.space if isinstance(order, Retreat) else order.other.location.space
            return self._why_not(rules, position, unit, unit.space, to, moves=False)
        if isinstance(order, Support) and order.to:
            why = self._why_not(rules, position, unit, unit.space, order.to.space, moves=False)
            other = position.unit_at(order.other.location.space)
            return why or (self._why_not(rules, position, other, other.space, order.to.space) if other else "")
        return ""

    def _why_not(
        self, rules: "Rules", position: Position, unit: Unit, one: Code, other: Code, *, moves: bool = True
    ) -> str:
        board = rules.board_at(position)
        if (one, other) not in self._find_added_contacts(board) or unit.kind in board.sailing:
            return ""
        names = {"one": board.spaces[one].name, "other": board.spaces[other].name}
        if not moves:
            return _ONLY_MOVES(unit=unit, place=names["other"])
        whys: list[Sentence] = []
        for line in self.lines:
            between = line.between(one, other)
            if between is None:
                continue
            if line.powers and unit.power not in line.powers:
                whys.append(_NOT_OPEN(power=unit.power, **names))
                continue
            there = [position.unit_at(code) for code in between]
            blocking = next((u for u in there if u and u.power != unit.power and not line.through), None)
            whys.append(_BLOCKED(unit=blocking, power=blocking.power, **names) if blocking else NOTHING)
        return "" if "" in whys else whys[0]

    def _find_added_contacts(self, board: Board) -> frozenset[tuple[Code, Code]]:
        """Return the pairs of spaces that touch only by a line."""
        known = board.answers.setdefault("lines", {})
        if self not in known:
            pairs = {
                (one, other)
                for line in self.lines
                for one in line.spaces
                for other in line.spaces
                if line.between(one, other) and other not in board.borders.get(one, ())
            }
            known[self] = frozenset(pairs)
        added: frozenset[tuple[Code, Code]] = known[self]
        return added

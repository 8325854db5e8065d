"""A timed board: spaces and ways that are closed in some seasons or years; what is closed follows from the calendar."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, ClassVar

from plenipo.engine.board import Board, Code
from plenipo.engine.calendar import Phase, PhaseKind
from plenipo.engine.changes import Barred, BoardChange, Closed
from plenipo.engine.dice import DrawSource
from plenipo.engine.events import UNIT_DISBANDED, Event
from plenipo.engine.hooks import Effects, RuleModule
from plenipo.engine.place_rules import PlaceRule, between, name_of
from plenipo.engine.position import Position
from plenipo.engine.sentences import say
from plenipo.errors import InvalidVariant
from plenipo.rulekit.board_closing import BOARD_CLOSED, BOARD_OPENED, LOST, explain_closing, explain_opening
from plenipo.rulekit.rule_entries import InTime, RuleEntry, check_space

if TYPE_CHECKING:
    from plenipo.engine.rules import Rules

__all__ = ["Timed", "TimedBoard"]


@dataclass(frozen=True)
class Timed(InTime):
    """A closed `space`, or a closed way `between` two spaces, in `seasons` and from `from_year` to `until_year`."""

    __pydantic_config__: ClassVar[dict[str, Any]] = {"extra": "forbid"}  # a misspelt key is reported, not passed over

    space: Code | None = None
    between: tuple[Code, Code] | None = None
    reason: str = ""

    @property
    def change(self) -> Closed | Barred:
        """The change of the board: `space` closed if it is given, else the way `between`."""
        if self.space is not None:
            return Closed(self.space)
        one, other = self.between or ("", "")
        return Barred(Code(one), Code(other))

    @property
    def codes(self) -> tuple[Code, ...]:
        """The spaces that the entry names."""
        return (self.space,) if self.space is not None else self.between or ()


@dataclass(frozen=True)
class TimedBoard(RuleModule):
    """The option `closed` lists what is closed, and when."""

    name: ClassVar[str] = "timed_board"
    fixed: ClassVar[frozenset[str]] = frozenset({"closed"})

    closed: tuple[Timed, ...] = ()

    def board(self, board: Board) -> Board:
        """Return `board` unchanged; raise `InvalidVariant` for spaces or ways that cannot be closed on it."""
        for number, timed in enumerate(self.closed):
            path = ("modules", self.name, "closed", number)
            if (timed.space is None) == (timed.between is None):
                raise InvalidVariant(
                    say("An entry of '{name}.closed' has a 'space' or 'between', and not both.", name=self.name), path
                )
            for code in timed.codes:
                check_space(board, self.name, code, path)
            if timed.space is not None and timed.space in board.centres:
                raise InvalidVariant(
                    say(
                        "'{name}' closes {space}, a supply centre; only other spaces close.",
                        name=self.name,
                        space=timed.space,
                    ),
                    path,
                )
        return board

    def opening(self, rules: "Rules", position: Position) -> Position:
        """Return the position with the closures at the first movement phase.

        Raises `InvalidVariant` for a season that the calendar lacks, and for a unit that opens in a closed space.
        """
        for number, timed in enumerate(self.closed):
            RuleEntry(rules, f"'{self.name}'", ("modules", self.name, "closed", number)).in_time(timed)
        first = rules.calendar.first
        moves = first if first.kind is PhaseKind.MOVEMENT else _next_move(rules, first)
        changed = self._with_changes(position, moves)
        shut = {change.space for change in changed.changes if isinstance(change, Closed)}
        for unit in position.units:
            if unit.space in shut and unit.space not in {c.space for c in position.changes if isinstance(c, Closed)}:
                raise InvalidVariant(
                    say("{unit} opens in a space that 'timed_board' closes in {moves}.", unit=unit, moves=moves),
                    ("modules", self.name),
                )
        return changed

    def after_phase(self, rules: "Rules", position: Position, phase: Phase, source: DrawSource) -> Effects:
        """Open and close spaces and ways before the next movement phase; remove units in a space that closes."""
        following = next(iter(rules.calendar.after(phase)))
        if following.kind is not PhaseKind.MOVEMENT:
            return Effects(position)
        changed = self._with_changes(position, following)
        if changed.changes == position.changes:
            return Effects(position)
        events = tuple(self._events(rules, position, changed))
        shut = {change.space for change in changed.changes if isinstance(change, Closed)}
        lost = [unit for unit in position.units if unit.space in shut]
        units = tuple(unit for unit in position.units if unit not in lost)
        return Effects(replace(changed, units=units), events)

    def place_rules(self, rules: "Rules") -> Iterator[PlaceRule]:
        """Describe what is closed, and when."""
        for timed in self.closed:
            why = f": {timed.reason}" if timed.reason else ""
            if timed.space is not None:
                yield PlaceRule("closed", timed.codes, f"{name_of(rules, timed.space)} is closed{timed.when}{why}")
            else:
                way = between(rules, *timed.codes[:2])
                yield PlaceRule("barred", timed.codes, f"Nobody passes {way}{timed.when}{why}")

    def marks(self, rules: "Rules", position: Position) -> Mapping[Code, tuple[str, ...]]:
        """Return the spaces that are closed now by this module."""
        own = {timed.space for timed in self.closed if timed.space is not None}
        shut = {change.space for change in position.changes if isinstance(change, Closed)}
        return dict.fromkeys(sorted(own & shut), ("closed",))

    def _with_changes(self, position: Position, phase: Phase) -> Position:
        """Return the position with the changes of this module as they are in a phase, and all others."""
        own = {timed.change for timed in self.closed}
        wanted = dict.fromkeys(timed.change for timed in self.closed if timed.in_time(phase))
        kept: list[BoardChange] = [change for change in position.changes if change not in own or change in wanted]
        kept += [change for change in wanted if change not in kept]
        return position if tuple(kept) == position.changes else replace(position, changes=tuple(kept))

    def _events(self, rules: "Rules", before: Position, after: Position) -> Iterator[Event]:
        spaces = rules.board.spaces
        for timed in self.closed:
            change = timed.change
            was, now = change in before.changes, change in after.changes
            if was == now:
                continue
            names = [spaces[code].name if code in spaces else code for code in timed.codes]
            why = explain_closing(names, timed.reason) if now else explain_opening(names, again=True)
            yield Event(BOARD_CLOSED if now else BOARD_OPENED, why, spaces=timed.codes)
            for unit in before.units:
                if now and unit.space == timed.space:
                    words = LOST(unit=unit, power=unit.power, place=names[0])
                    yield Event(UNIT_DISBANDED, words, (unit.power,), (unit.space,), (unit,))


def _next_move(rules: "Rules", phase: Phase) -> Phase:
    return next(later for later in rules.calendar.after(phase) if later.kind is PhaseKind.MOVEMENT)

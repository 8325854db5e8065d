"""A changing board: spaces and borders close, open and merge by the calendar, by chance, or by the orders of units."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, ClassVar

from plenipo.engine.board import Board, Code, Terrain, UnitKind
from plenipo.engine.calendar import Phase, PhaseKind
from plenipo.engine.changes import Barred, BoardChange, Closed, Joined, closed_by
from plenipo.engine.dice import DrawSource
from plenipo.engine.events import UNIT_DISBANDED, Event
from plenipo.engine.hooks import Adjudication, Effects, RuleModule
from plenipo.engine.module_memory import ModuleMemory
from plenipo.engine.orders import Hold
from plenipo.engine.place_rules import PlaceRule, between, name_of
from plenipo.engine.position import Position, Power
from plenipo.engine.sentences import say
from plenipo.engine.wording import listing
from plenipo.errors import InvalidFigure, InvalidVariant
from plenipo.rulekit.board_closing import (
    BOARD_CLOSED,
    BOARD_OPENED,
    LOST,
    NOWHERE,
    explain_closing,
    explain_opening,
    shut,
)
from plenipo.rulekit.board_merging import Both, join
from plenipo.rulekit.rule_entries import InTime, RuleEntry, SpacePair, check_space

if TYPE_CHECKING:
    from plenipo.engine.rules import Rules

__all__ = ["BoardChangeRule", "ChangingBoard", "Happened"]


@dataclass(frozen=True)
class BoardChangeRule(InTime):
    """A change of the board: the spaces and ways that close, open or join, and when.

    The spaces of `closes` and the ways of `bars` are closed, those of `opens` and `frees` opened. Of each pair in
    `joins`, the first space becomes a part of the second for good; `both` says what happens if units stand in both.
    With `drawn`, only so many of them change, by lot. With `spreads`, every time after the first the lot is drawn among
    the spaces beside those that this rule has closed, or beside the one space that it joins others to.

    The change is checked before every movement phase of the `seasons` and of the years from `from_year` to
    `until_year`. With `standing`, it happens only while a unit stands in each of these spaces, all of one power, and of
    the unit types `units` and the powers `powers` where these are given. With `holding`, it happens only when these
    units were ordered to hold and were not dislodged, and then at once. It happens once, or with `again` at every
    check. With `while_so`, it is undone at a check at which the condition is not met; without `standing` the change
    follows the calendar alone, and counts in the opening too.
    """

    __pydantic_config__: ClassVar[dict[str, Any]] = {"extra": "forbid"}  # a misspelt key is reported, not passed over

    closes: tuple[Code, ...] = ()
    opens: tuple[Code, ...] = ()
    bars: tuple[SpacePair, ...] = ()
    frees: tuple[SpacePair, ...] = ()
    joins: tuple[SpacePair, ...] = ()
    both: Both = "waits"
    drawn: int = 0
    spreads: bool = False
    standing: tuple[Code, ...] = ()
    units: tuple[UnitKind, ...] = ()
    powers: tuple[Power, ...] = ()
    holding: bool = False
    again: bool = False
    while_so: bool = False
    reason: str = ""

    @property
    def spaces(self) -> tuple[Code, ...]:
        """Every space it names."""
        return (
            *self.closes,
            *self.opens,
            *self.standing,
            *(code for way in (*self.bars, *self.frees, *self.joins) for code in way),
        )

    def key(self, code: Code, *, opening: bool) -> str:
        """Return the key under which a space is named; `opening` for spaces and borders closed at the start."""
        keys = {"shut": self.closes, "barred": self.bars} if opening else {}
        keys = keys or {key: getattr(self, key) for key in ("closes", "opens", "bars", "frees", "joins")}
        return next((key for key, named in keys.items() if any(code == one or code in one for one in named)), "")

    def fault(self) -> tuple[str, str] | None:
        """Return the key to blame and the fault of the change; None if it has no fault."""
        if not (self.shuts() or self.frees_up() or self.joins):
            return "closes", "says neither 'closes', 'opens', 'bars', 'frees' nor 'joins'."
        if self.holding and not self.standing:
            return "standing", "with 'holding' says where: 'standing'."
        if self.while_so and not (self.standing or self.when):
            return "while_so", "with 'while_so' says where or when: 'standing', 'seasons' or years."
        grows = bool(self.closes) if not self.joins else len({into for _, into in self.joins}) == 1
        if self.spreads and not (grows and self.drawn and self.again):
            return "spreads", "that 'spreads' needs 'closes', or 'joins' to one space, and 'drawn' and 'again'."
        if self.while_so and (self.drawn or self.holding or self.joins):
            return "while_so", "with 'while_so' is neither 'drawn' nor 'holding', and has no 'joins'."
        return None

    @property
    def is_timed(self) -> bool:
        """True if the change follows the calendar alone, and is undone by it."""
        return self.while_so and not self.standing

    def shuts(self) -> tuple[Closed | Barred, ...]:
        """Return the spaces and ways that the change closes."""
        return (*map(Closed, self.closes), *(Barred(*way) for way in self.bars))

    def frees_up(self) -> tuple[Closed | Barred, ...]:
        """Return the spaces and ways that the change opens."""
        return (*map(Closed, self.opens), *(Barred(*way) for way in self.frees))

    def is_met(self, position: Position, held: frozenset[Code] | None = None) -> bool:
        """Return True if units stand as the change requires.

        `held` are the spaces of units that were ordered to hold and did; None if they need not hold.
        """
        there = [position.unit_at(code) for code in self.standing]
        fits = [
            unit
            for unit in there
            if unit
            and (not self.units or unit.kind in self.units)
            and (not self.powers or unit.power in self.powers)
            and (held is None or unit.space in held)
        ]
        return len(fits) == len(there) and len({unit.power for unit in fits}) < 2  # all of one power


@dataclass(frozen=True)
class Happened(ModuleMemory):
    """The rules that have happened, by their numbers, each with the spaces it closed, in their order."""

    spaces: Mapping[int, tuple[Code, ...]] = field(default_factory=dict)


@dataclass(frozen=True)
class ChangingBoard(RuleModule):
    """The options.

    `shut` are spaces and `barred` ways that are closed at the start, `rules` says what closes and opens later; see
    `BoardChangeRule` for the keys of each. What a map does not show, such as a bridge, is declared as a contact and
    barred.
    """

    name: ClassVar[str] = "changing_board"
    memory: ClassVar[type[ModuleMemory]] = Happened
    fixed: ClassVar[frozenset[str]] = frozenset({"shut", "barred", "rules"})

    shut: tuple[Code, ...] = ()
    barred: tuple[SpacePair, ...] = ()
    rules: tuple[BoardChangeRule, ...] = ()

    def board(self, board: Board) -> Board:
        """Return `board` unchanged; raise `InvalidVariant` for a rule that changes nothing or has an unknown name."""
        for number, change in enumerate((BoardChangeRule(closes=self.shut, bars=self.barred), *self.rules)):
            at = ("modules", self.name, "rules", number - 1) if number else ("modules", self.name)
            for code in change.spaces:
                key = "standing" if code in change.standing else change.key(code, opening=not number)
                check_space(board, self.name, code, (*at, key))
            if number and (fault := change.fault()):
                raise InvalidVariant(say("A rule of '{name}' {fault}", name=self.name, fault=fault[1]), (*at, fault[0]))
        return board

    def opening(self, rules: "Rules", position: Position) -> Position:
        """Return the position with the initial closures; raise `InvalidVariant` for seasons and units that clash."""
        for number, change in enumerate(self.rules):
            at = RuleEntry(rules, f"'{self.name}'", ("modules", self.name, "rules", number))
            at.kinds(units=change.units)
            at.powers(powers=change.powers)
            at.in_time(change)
            for space, into in change.joins:
                try:
                    rules.board_at(replace(position, changes=(Joined(space, into),)))
                except InvalidFigure as fault:
                    raise at.wrong(
                        say("joins {space} to {into}: {fault}.", space=space, into=into, fault=fault), "joins"
                    ) from fault
        for unit in position.units:
            if unit.space in self.shut:
                raise InvalidVariant(
                    say("{unit} opens in a space that '{name}' has shut.", unit=unit, name=self.name),
                    ("modules", self.name, "shut"),
                )
        owners = {code: power for code, power in position.owners.items() if code not in self.shut}
        first = BoardChangeRule(closes=self.shut, bars=self.barred).shuts()
        return self._with_timed_changes(rules, replace(position, owners=owners, changes=(*position.changes, *first)))

    def _with_timed_changes(self, rules: "Rules", position: Position) -> Position:
        """Return the opening with the spaces that the calendar closes and opens in the first movement phase."""
        first = rules.calendar.first
        moves = first if first.kind is PhaseKind.MOVEMENT else _next_move(rules, first)
        for number, change in enumerate(self.rules):
            if not (change.is_timed and change.in_time(moves)):
                continue
            for unit in position.units:
                if unit.space in change.closes:
                    raise InvalidVariant(
                        say(
                            "{unit} opens in a space that '{name}' closes in {moves}.",
                            unit=unit,
                            name=self.name,
                            moves=moves,
                        ),
                        ("modules", self.name, "rules", number, "closes"),
                    )
            position = _close_and_open(rules, position, change.shuts(), change.frees_up(), change.reason).position
            position = self._with_note(position, number, change.closes)
        return position

    def after_moves(self, rules: "Rules", adjudication: Adjudication) -> Effects:
        """Make the changes that depend on units that were ordered to hold and did."""
        held = frozenset(
            outcome.unit.space
            for outcome in adjudication.outcomes
            if outcome.unit and isinstance(outcome.order, Hold) and not outcome.dislodged_by
        )
        before, now = adjudication.before, adjudication.position
        return self._apply_due_changes(rules, now, before.phase, adjudication.source, held)

    def after_phase(self, rules: "Rules", position: Position, phase: Phase, source: DrawSource) -> Effects:
        """Make the changes that are due before the next movement phase."""
        following = next(iter(rules.calendar.after(phase)))
        if following.kind is not PhaseKind.MOVEMENT:
            return Effects(position)
        return self._apply_due_changes(rules, position, following, source, None)

    def place_rules(self, rules: "Rules") -> Iterator[PlaceRule]:
        """Describe what closes, opens and joins, when, and what units have to do with it."""
        yield from (
            PlaceRule("closed", (code,), f"{name_of(rules, code)} is closed at the start") for code in self.shut
        )
        for way in self.barred:
            yield PlaceRule("barred", way, f"Nobody passes {between(rules, *way)} at the start")
        for change in self.rules:
            if change.is_timed:
                yield from _describe_timed_change(rules, change)
                continue
            named = listing(name_of(rules, code) for code in change.standing)
            verb = "hold" if change.holding else "stand"
            terms = f" while units {verb} in {named}" if change.while_so else f" when units {verb} in {named}"
            chance = f", {change.drawn} at a time by lot" if change.drawn else ""
            spread = ", and what lies beside it later" if change.spreads else ""
            rest = (
                f"{change.when}{terms if named else ''}{chance}{spread}{f': {change.reason}' if change.reason else ''}"
            )
            for verbs, codes in (("closes", change.closes), ("opens", change.opens)):
                yield from (PlaceRule("closed", (code,), f"{name_of(rules, code)} {verbs}{rest}") for code in codes)
            for verbs, ways in (("closes", change.bars), ("opens", change.frees)):
                yield from (PlaceRule("barred", way, f"The way {between(rules, *way)} {verbs}{rest}") for way in ways)
            for space, into in change.joins:
                words = f"{name_of(rules, space)} becomes a part of {name_of(rules, into)}{rest}"
                yield from (PlaceRule("event", (code,), words) for code in (space, into))
            ends = {code for way in (*change.bars, *change.frees, *change.joins) for code in way}
            for code in change.standing:
                if code not in ends:
                    yield PlaceRule("event", (code,), f"A unit in {name_of(rules, code)} changes the board{rest}")

    def marks(self, rules: "Rules", position: Position) -> Mapping[Code, tuple[str, ...]]:
        """Return the spaces that are closed now."""
        never = {code for code, space in rules.board.spaces.items() if space.impassable}
        named = {*self.shut, *(code for change in self.rules for code in (*change.closes, *change.opens))}
        named |= {code for codes in _applied_changes(self, position).values() for code in codes}
        return dict.fromkeys(sorted((closed_by(position.changes) & named) - never), ("closed",))

    def _apply_due_changes(
        self, rules: "Rules", position: Position, phase: Phase, source: DrawSource, held: frozenset[Code] | None
    ) -> Effects:
        events: list[Event] = []
        for number, change in enumerate(self.rules):
            if change.holding is not (held is not None):
                continue
            done = number in _applied_changes(self, position)
            done |= change.while_so and any(one in position.changes for one in change.shuts())
            met = change.in_time(phase) and change.is_met(position, held)
            if met and (not done or change.again or change.while_so):
                effects = self._apply_rule(rules, position, number, source)
            elif change.while_so and done and not met:
                effects = _close_and_open(rules, position, change.frees_up(), change.shuts(), again=True)
                effects = effects._replace(position=self._with_note(effects.position, number, None))
            else:
                continue
            position, events = effects.position, [*events, *effects.events]
        return Effects(position, tuple(events))

    def _apply_rule(self, rules: "Rules", position: Position, number: int, source: DrawSource) -> Effects:
        """Apply one rule."""
        change = self.rules[number]
        before = _applied_changes(self, position).get(number, ())
        now = set(position.changes)
        shuts = [one for one in change.shuts() if one not in now]
        if change.spreads and before:
            board = rules.board_at(position)
            beside = {code for closed in before for code in board.near.get(closed, ())}
            shuts = [Closed(code) for code in sorted(beside) if not board.spaces[code].impassable]
        frees = [one for one in change.frees_up() if one in now]
        joins = self._joins(rules, position, change, spread=bool(change.spreads and before))
        if change.drawn:
            slips = {_name_change(one): one for one in (*shuts, *frees, *joins)}
            label = f"rule {number + 1} of the board"
            drawn = source.rank(label, sorted(slips), needed=min(change.drawn, len(slips))) if slips else ()
            chosen = {slips[name] for name in drawn[: change.drawn]}
            shuts, frees = [one for one in shuts if one in chosen], [one for one in frees if one in chosen]
            joins = [one for one in joins if one in chosen]
        effects = _close_and_open(rules, position, shuts, frees, change.reason)
        codes = (*before, *(one.space for one in shuts if isinstance(one, Closed)))
        for one in joins:
            known = effects.position.changes
            joined = join(rules, effects.position, one, change.both, change.reason)
            effects = Effects(joined.position, (*effects.events, *joined.events))
            if joined.position.changes != known:
                codes = (*codes, one.into)
        if change.joins and codes == before:
            return effects  # units stand in both: try again next time
        return effects._replace(position=self._with_note(effects.position, number, codes))

    def _joins(self, rules: "Rules", position: Position, change: BoardChangeRule, *, spread: bool) -> list[Joined]:
        """Return the pairs of spaces that may merge now, by their names on the current board."""
        board = rules.board_at(position)

        def fits(space: Code, into: Code) -> bool:
            touch = space != into and into in board.borders.get(space, ())
            return touch and not any(
                board.spaces[code].impassable or board.spaces[code].corner for code in (space, into)
            )

        pairs = [(board.became(space), board.became(into)) for space, into in change.joins]
        if spread and pairs:
            into = pairs[0][1]
            afloat = board.spaces[into].terrain is Terrain.SEA
            beside = sorted({code for code in board.borders.get(into, ()) if code is not None})
            pairs = [(code, into) for code in beside if (board.spaces[code].terrain is Terrain.SEA) is afloat]
        return [Joined(*pair) for pair in dict.fromkeys(pairs) if fits(*pair)]

    def _with_note(self, position: Position, number: int, codes: tuple[Code, ...] | None) -> Position:
        known = {key: value for key, value in _applied_changes(self, position).items() if key != number}
        return position.with_slot(self.name, Happened(known if codes is None else {**known, number: codes}))


def _next_move(rules: "Rules", phase: Phase) -> Phase:
    return next(later for later in rules.calendar.after(phase) if later.kind is PhaseKind.MOVEMENT)


def _describe_timed_change(rules: "Rules", change: BoardChangeRule) -> Iterator[PlaceRule]:
    """Describe what is closed and open by the calendar."""
    rest = f"{change.when}{f': {change.reason}' if change.reason else ''}"
    for word, codes in (("closed", change.closes), ("open", change.opens)):
        yield from (PlaceRule("closed", (code,), f"{name_of(rules, code)} is {word}{rest}") for code in codes)
    yield from (PlaceRule("barred", way, f"Nobody passes {between(rules, *way)}{rest}") for way in change.bars)
    yield from (PlaceRule("barred", way, f"The way {between(rules, *way)} is open{rest}") for way in change.frees)


def _applied_changes(module: ChangingBoard, position: Position) -> Mapping[int, tuple[Code, ...]]:
    slot = position.slots.get(module.name)
    return slot.spaces if isinstance(slot, Happened) else {}


def _name_change(one: BoardChange) -> str:
    if isinstance(one, Joined):
        return f"{one.space}-{one.into}"
    return f"{one.one}-{one.other}" if isinstance(one, Barred) else str(getattr(one, "space", one))


def _close_and_open(
    rules: "Rules",
    position: Position,
    shuts: Sequence[Closed | Barred],
    frees: Sequence[Closed | Barred],
    reason: str = "",
    *,
    again: bool = False,
) -> Effects:
    """Return the position with these spaces and ways closed and opened, or open `again`, and the events."""
    events: list[Event] = []
    opened = [one for one in frees if one in position.changes]
    position = replace(position, changes=tuple(one for one in position.changes if one not in opened))
    for one in opened:
        codes = _codes(one)
        events.append(Event(BOARD_OPENED, explain_opening(_names(rules, codes), reason, again=again), spaces=codes))
    for one in shuts:
        if one in position.changes:
            continue
        codes = _codes(one)
        events.append(Event(BOARD_CLOSED, explain_closing(_names(rules, codes), reason), spaces=codes))
        if isinstance(one, Barred):
            position = replace(position, changes=(*position.changes, one))
        else:
            effects = shut(rules, position, one.space, UNIT_DISBANDED, LOST, NOWHERE)
            position, events = effects.position, [*events, *effects.events]
    return Effects(position, tuple(events))


def _names(rules: "Rules", codes: Sequence[Code]) -> list[str]:
    return [rules.board.spaces[code].name if code in rules.board.spaces else code for code in codes]


def _codes(one: Closed | Barred) -> tuple[Code, ...]:
    return (one.space,) if isinstance(one, Closed) else (one.one, one.other)

"""Special actions: orders of a unit or a power that change a space, such as to raze, to found or to free a centre.

`DO raze BEL` is submitted with the orders of a movement phase, or beside builds. A unit that carries out an action must
hold; an action may take several phases, and may end when another power's unit is ordered to the space. An action of a
power may affect another power instead: `DO embargo France`.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, ClassVar, Literal, NamedTuple

from plenipo.engine.amounts import count_things
from plenipo.engine.board import Board, Code, UnitKind
from plenipo.engine.calendar import Phase, PhaseKind, as_year
from plenipo.engine.events import UNIT_DESTROYED, Event, EventKind
from plenipo.engine.hooks import Adjudication, Effects, Prospect, RuleModule
from plenipo.engine.module_memory import ModuleMemory, make_sparse_field
from plenipo.engine.orders import Declare, Hold, Move
from plenipo.engine.outcome import Outcome, Result
from plenipo.engine.phases import adjustments
from plenipo.engine.place_rules import PlaceRule, name_of
from plenipo.engine.position import Position, Power, Slot, Unit
from plenipo.engine.reading.notation import notation_of
from plenipo.engine.sentences import Either, SentenceKind, say
from plenipo.engine.space_filter import IN_WORDS, Whose, is_such
from plenipo.engine.wording import listing
from plenipo.errors import IllegalOrder
from plenipo.rulekit.conditions import Condition, check_conditions, find_lacking
from plenipo.rulekit.draw_piles import draw_success
from plenipo.rulekit.effects import Effect, apply_effect, check_effect, explain_silence, find_silenced
from plenipo.rulekit.rule_entries import InTime, RuleEntry, entries
from plenipo.rulekit.treasury import Treasury

if TYPE_CHECKING:
    from plenipo.engine.rules import Rules

__all__ = ["WORK_BEGUN", "WORK_DONE", "WORK_FAILED", "InHand", "SpecialAction", "SpecialActions", "UnfinishedAction"]

WORK_BEGUN = EventKind("work_begun")
"""The power carries out the action of that name in the space, for the first number of phases out of the second."""

WORK_DONE = EventKind("work_done")
"""The power completed its action in the space; the name is that of the action."""

WORK_FAILED = EventKind("work_failed")
"""The action of the power in the space failed; the name is that of the action."""

WORD = "DO"

_ONLY_IN = SentenceKind("action-only-in", "'{action}' is possible only in {spaces}.")
_IS_CLOSED = SentenceKind("space-closed", "{place} is closed.")
_NO_SUCH_SPACE = SentenceKind(
    "action-no-such-space", "{power} may '{action}' in {spaces}, and {place} is not such a space."
)
_BY_UNIT_THERE = SentenceKind(
    "action-by-unit-there", "'{action}' is done by a unit that stands there; write '{example}'."
)
_BY_UNIT_ELSEWHERE = SentenceKind(
    "action-by-unit-elsewhere", "'{action}' is done by a unit elsewhere; write '{example}'."
)
_TOO_FAR = SentenceKind("action-too-far", "{place} is more than {steps} away from {base}.")
_HAS_NO_UNIT = SentenceKind("action-no-unit", "{power} has no {units} in {place} to {action} it.")
_UNIT = SentenceKind("a-unit", "unit", note="Instead of the names of unit types.")
_AT_IT = SentenceKind("action-at-it", "{power} already does this in {place}.")
_TO_ANOTHER = SentenceKind("action-to-another", "'{action}' must name another power.")
_ONLY_TO = SentenceKind("action-only-to", "'{action}' may name only {powers}.")
_IS_OUT = SentenceKind("power-is-out", "{power} is out of the game.")
_NOT_IN_PHASE = SentenceKind("action-not-now", "'{action}' is not possible in {phase}.")
_ONLY_BY = SentenceKind("action-only-by", "Only {powers} can do '{action}'.")
_REQUIRES = SentenceKind("action-requires", "'{action}' needs {condition}.")
_MOST_TIMES = SentenceKind("action-most", "{power} has done '{action}' {times}, the most allowed.")
_MOST_YEARLY = SentenceKind("action-most-yearly", "{power} has done '{action}' {times} in {year}, the most allowed.")
_NO_BUILD = SentenceKind("action-no-build", "{power} has no build for it.")
_TOO_DEAR = SentenceKind("action-too-dear", "'{action}' costs {price}, and {power} has {sum}.")
_UNKNOWN = SentenceKind("action-unknown", "'{action}' is not an action of this game; its actions are {actions}.")
_NOWHERE = SentenceKind("action-nowhere", "'{order}' does not say where; write such as '{example}'.")
_TO_NO_POWER = SentenceKind("action-to-none", "'{order}' names no power; add one of {powers}.")
_CANNOT_PAY = SentenceKind("action-cannot-pay", "{power} cannot pay for it any more")
_PURPOSE = SentenceKind("action-purpose", "to {action} {about}", note="What was paid for: 'to destroy Munich'.")
_FAILED_BY_CHANCE = SentenceKind("action-chance", "it failed by chance")
_SPACE_GONE = SentenceKind("action-space-gone", "the space is not on the board any more")
_OFTEN_ENOUGH = SentenceKind("action-often-enough", "{power} has done it as often as allowed")
_NO_BUILD_LEFT = SentenceKind("action-no-build-left", "{power} has no build left for it")
_DID_NOT_HOLD = SentenceKind("action-did-not-hold", "the unit there was not ordered to hold")
_WAS_DISLODGED = SentenceKind("was-dislodged", "{unit} was dislodged")
_DISTURBED = SentenceKind("action-disturbed", "{unit} of {power} was ordered there")
_FAILED = SentenceKind("action-failed", "{power} did not {action} {about}: {reason}.")
_GOES_ON = SentenceKind("action-goes-on", "{power} is to {action} {about}: {number} of {turns}.")
_DONE = SentenceKind("action-done", "{power}: {action} {about}.")
_LOST_WITH_IT = SentenceKind("action-unit-lost", "{unit} of {power} was lost with it.")


@dataclass(frozen=True)
class SpecialAction(InTime):
    """A special action, ordered by its `name`, and its `effect`.

    It is carried out `by` a unit of the power in the space, of one of the types `units`, or by the `power` itself. The
    unit must hold and must not be dislodged, unless `dislodged` allows that. The action is ordered in a movement or
    adjustment phase (`phase`), in the `seasons` and in the years from `from_year` to `until_year`. The space must fit
    the filter `where` (see `Whose`) and be one of `among`, and the power one of `powers`, if these are given.

    The action takes `turns` phases in a row, the first included: a unit is ordered anew in each, a power only once.
    With `undisturbed`, it fails when a unit of another power is ordered to the space. It costs `price` from the
    treasury, and with `build` one unused build of the adjustments. With `reach`, the unit stands at most so many steps
    away from the space, and the order names its space; with `spent`, the unit is lost when the action is completed. A
    power may complete it `most` times in a game and `yearly` times in a year; 0 is any number. With `odds`, it succeeds
    in so many out of so many draws, made when it would be completed. Only a power that meets all `conditions` may order
    it.

    With `of` a power, the action is about another power instead of a space, one of `whom` if these are given. Units
    that it silences take no orders in the movement phase that follows.
    """

    __pydantic_config__: ClassVar[dict[str, Any]] = {"extra": "forbid"}  # a misspelt key is reported, not passed over

    name: str
    effect: Effect
    by: Literal["unit", "power"] = "unit"
    where: Whose = "anywhere"
    among: tuple[Code, ...] = ()
    powers: tuple[Power, ...] = ()
    units: tuple[UnitKind, ...] = ()
    phase: Literal["movement", "adjustments"] = "movement"
    turns: int = 1
    undisturbed: bool = False
    dislodged: bool = False
    price: int = 0
    build: bool = False
    reach: int = 0
    spent: bool = False
    most: int = 0
    yearly: int = 0
    odds: tuple[int, int] = (1, 1)
    of: Literal["space", "power"] = "space"
    whom: tuple[Power, ...] = ()
    conditions: tuple[Condition, ...] = ()

    def in_time(self, phase: Phase) -> bool:
        """Return whether it may be ordered in a phase."""
        return phase.kind == self.phase and super().in_time(phase)

    def concerns(self, board: Board, power: Power, code: Code) -> bool:
        """Return whether this power may ever do it in this space."""
        there = not self.among or code in map(board.became, self.among)
        return there and (not self.powers or power in self.powers)


class UnfinishedAction(NamedTuple):
    """An unfinished special action: its power, name, space and number of phases so far."""

    power: Power
    name: str
    space: Code
    turns: int


@dataclass(frozen=True)
class InHand(ModuleMemory):
    """The special actions begun, and the number of times each power has completed each.

    The units in `spaces` and of `powers` take no orders in the next movement.
    """

    begun: tuple[UnfinishedAction, ...] = ()
    done: Mapping[Power, Mapping[str, tuple[int, int, int]]] = field(default_factory=dict)
    """For each power and action: the number of times in all, the last year, and the number of times in that year."""
    spaces: frozenset[Code] = make_sparse_field(frozenset)
    powers: frozenset[Power] = make_sparse_field(frozenset)

    def __post_init__(self) -> None:
        super().__post_init__()
        object.__setattr__(self, "begun", tuple(sorted(self.begun)))

    def times(self, power: Power, name: str, year: int) -> tuple[int, int]:
        """Return the number of times a power has done a special action, in the game and in a year."""
        whole, last, often = self.done.get(power, {}).get(name, (0, year, 0))
        return whole, often if last == year else 0

    def with_done(self, power: Power, name: str, year: int) -> "InHand":
        """Return these actions with one more completed by a power in a year."""
        whole, often = self.times(power, name, year)
        of = {**self.done.get(power, {}), name: (whole + 1, year, often + 1)}
        return replace(self, done={**self.done, power: of})


@dataclass(frozen=True)
class SpecialActions(RuleModule):
    """The option `actions`: the special actions that may be ordered, and their effects."""

    name: ClassVar[str] = "special_actions"
    memory: ClassVar[type[ModuleMemory]] = InHand
    claims: ClassVar[frozenset[str]] = frozenset({"works"})
    spends: ClassVar[bool] = True
    words: ClassVar[frozenset[str]] = frozenset({WORD})
    fixed: ClassVar[frozenset[str]] = frozenset({"actions"})

    actions: tuple[SpecialAction, ...] = ()

    def check(self, rules: "Rules") -> None:
        """Raise `InvalidVariant` for an action that no power could do, or that could have no effect."""
        for at, work in entries(rules, self.name, "actions", self.actions, lambda work: f"The action '{work.name}'"):
            self._check(at, work)

    def place_rules(self, rules: "Rules") -> Iterator[PlaceRule]:
        """Describe the spaces that single actions name."""
        for work in self.actions:
            for code in work.among:
                who = f" by {listing(work.powers, 'or')}" if work.powers else ""
                words = f"{WORD} {work.name} may be ordered in {name_of(rules, code)}{who}{work.when}"
                yield PlaceRule("action", (code,), words)

    def _check(self, at: RuleEntry, work: SpecialAction) -> None:
        if not work.name.isalpha():
            raise at.wrong(say("needs a name of letters alone, such as 'raze'."), "name")  # english: ok
        check_effect(at.part("effect"), work.effect, space=work.of == "space", power=True, profits=True)
        check_conditions(at, work.conditions)
        at.spaces(among=work.among)
        at.players(powers=work.powers)
        at.powers(whom=work.whom)
        at.kinds(units=work.units)
        at.in_time(work, PhaseKind(work.phase))
        at.odds(work.odds)
        at.least(1, turns=work.turns)
        at.least(0, price=work.price, most=work.most, yearly=work.yearly, reach=work.reach)
        if work.phase == "adjustments" and work.by == "unit":
            raise at.wrong(say('is ordered beside builds, where no unit is ordered; write by = "power".'), "phase")
        if work.build and work.phase != "adjustments":
            raise at.wrong(
                say('takes a build, and there are none in a movement; write phase = "adjustments".'), "build"
            )
        of_units = [key for key in ("units", "dislodged", "reach", "spent") if getattr(work, key)]
        if work.by == "power" and of_units:
            raise at.wrong(say("is done by the power itself, and has '{of_units}'.", of_units=of_units[0]), of_units[0])
        about = {"space": ("whom",), "power": ("among", "undisturbed")}[work.of]
        if wrong := next((key for key in about if getattr(work, key)), ""):
            raise at.wrong(say("is about a {of}, and has '{wrong}'.", of=work.of, wrong=wrong), wrong)
        if work.of == "power" and (work.by == "unit" or work.where != "anywhere" or work.turns > 1):
            raise at.wrong(
                say('is about a power: it is done by a power, at once and nowhere; write by = "power".'), "of"
            )
        if any(other.of != work.of for other in self.actions if other.name.casefold() == work.name.casefold()):
            raise at.wrong(
                say("is about a space, and another of its name about a power; call one of them otherwise."), "of"
            )
        if work.price and at.rules.module(Treasury) is None:
            raise at.wrong(say("has a 'price', and no power has a treasury; it needs 'money' or 'points'."), "price")

    def in_hand(self, position: Position) -> InHand:
        """Return the remembered special actions."""
        slot = position.slots.get(self.name)
        return slot if isinstance(slot, InHand) else InHand()

    # Ordering

    def _why_not(
        self, rules: "Rules", position: Position, power: Power, work: SpecialAction, code: Code, base: Code | None
    ) -> str:
        """Return a sentence on why a power may not order an action in a space now, from a `base`; empty if it may."""
        board = rules.board_at(position)
        if why := self._why_not_now(rules, position, power, work):
            return why
        space = board.spaces.get(code)
        if space is None or (work.among and code not in map(board.became, work.among)):
            return _ONLY_IN(action=work.name, spaces=Either(work.among))
        if space.impassable and "opens" not in work.effect.does:
            return _IS_CLOSED(place=space.name)
        if not is_such(work.where, board, position, power, code):
            spaces = IN_WORDS[work.where]
            return _NO_SUCH_SPACE(power=power, action=work.name, spaces=spaces, place=space.name)
        stands = code if base is None else base
        if (base is not None) is not (work.reach > 0):
            if work.reach:
                return _BY_UNIT_ELSEWHERE(action=work.name, example=f"{WORD} {work.name} {code} from PAR")
            return _BY_UNIT_THERE(action=work.name, example=f"{WORD} {work.name} {code}")
        if base is not None and base not in _within(board, code, work.reach):
            return _TOO_FAR(place=space.name, steps=count_things(work.reach, "step"), base=base)
        unit = position.unit_at(stands)
        if work.by == "unit" and (unit is None or unit.power != power or (work.units and unit.kind not in work.units)):
            kinds = Either(board.traits[kind].name for kind in work.units) if work.units else _UNIT()
            at = board.spaces[stands].name if stands in board.spaces else stands
            return _HAS_NO_UNIT(power=power, units=kinds, place=at, action=work.name)
        if work.by == "power" and any(b[:3] == (power, work.name, code) for b in self.in_hand(position).begun):
            return _AT_IT(power=power, place=space.name)
        return ""

    def _why_not_to(self, rules: "Rules", position: Position, power: Power, work: SpecialAction, to: Power) -> str:
        """Return a sentence on why a power may not order an action about the power `to` now; empty if it may."""
        if to == power:
            return _TO_ANOTHER(action=work.name)
        if work.whom and to not in work.whom:
            return _ONLY_TO(action=work.name, powers=Either(work.whom))
        if not position.survives(to):
            return _IS_OUT(power=to)
        return self._why_not_now(rules, position, power, work)

    def _why_not_now(self, rules: "Rules", position: Position, power: Power, work: SpecialAction) -> str:
        """Return a sentence on why a power may not order an action now, in any space; empty if it may."""
        if not work.in_time(position.phase):
            return _NOT_IN_PHASE(action=work.name, phase=position.phase)
        if work.powers and power not in work.powers:
            return _ONLY_BY(action=work.name, powers=Either(work.powers))
        if lacks := find_lacking(rules, position, power, work.conditions):
            return _REQUIRES(action=work.name, condition=lacks)
        whole, often = self.in_hand(position).times(power, work.name, position.phase.year)
        if work.most and whole >= work.most:
            return _MOST_TIMES(power=power, action=work.name, times=count_things(whole, "time"))
        if work.yearly and often >= work.yearly:
            times, year = count_things(often, "time"), as_year(position.phase.year)
            return _MOST_YEARLY(power=power, action=work.name, times=times, year=year)
        if work.build and adjustments.due(rules, position, power) < 1:
            return _NO_BUILD(power=power)
        treasury = rules.module(Treasury)
        if work.price and treasury and (has := treasury.balances(position).get(power, 0)) < work.price:
            price, sum_of = treasury.format_sum(work.price), treasury.format_sum(has)
            return _TOO_DEAR(action=work.name, price=price, power=power, sum=sum_of)
        return ""

    def complete_declaration(self, rules: "Rules", position: Position, power: Power, declaration: Declare) -> Declare:
        """Return the declaration of an action and its space; raise `IllegalOrder` if it is not allowed."""
        name, _, text = declaration.text.partition(" ")
        called = [work for work in self.actions if work.name.casefold() == name.casefold()]
        if not called:
            known = list(dict.fromkeys(work.name for work in self.actions))
            raise IllegalOrder(_UNKNOWN(action=name, actions=Either(known)))
        if called[0].of == "power":
            return self._done_to(rules, position, power, called, text.strip())
        if not text.strip():
            raise IllegalOrder(_NOWHERE(order=declaration, example=f"{WORD} {called[0].name} PAR"))
        places = [notation_of(rules, position).location(part).space for part in _FROM.split(text.strip(), maxsplit=1)]
        code, base = places[0], places[1] if len(places) > 1 else None
        whys = [self._why_not(rules, position, power, work, code, base) for work in called]
        if "" not in whys:
            raise IllegalOrder(whys[0])
        return Declare(WORD, _format_action(called[0], code, base))

    def _done_to(
        self, rules: "Rules", position: Position, power: Power, called: Sequence[SpecialAction], text: str
    ) -> Declare:
        """Return the declaration of an action about the power that a text names."""
        if not text:
            others = ", ".join(other for other in called[0].whom or rules.names if other != power)
            raise IllegalOrder(_TO_NO_POWER(order=f"{WORD} {called[0].name}", powers=others))
        to = rules.power(text)
        whys = [self._why_not_to(rules, position, power, work, to) for work in called]
        if "" not in whys:
            raise IllegalOrder(whys[0])
        return Declare(WORD, f"{called[0].name} {to}")

    def offers(self, rules: "Rules", position: Position, power: Power) -> tuple[Declare, ...]:
        """Return every action that the power may order, in each space or about each power."""
        board = rules.board_at(position)
        units = {unit.space for unit in position.units_of(power)}
        found: dict[Declare, None] = {}
        for work in self.actions:
            if work.of == "power":
                others = work.whom or rules.names
                to = (other for other in others if not self._why_not_to(rules, position, power, work, other))
                found |= dict.fromkeys(Declare(WORD, f"{work.name} {other}") for other in to)
            elif work.in_time(position.phase):
                for code in sorted(units if work.by == "unit" and not work.reach else board.spaces):
                    bases: list[Code | None] = [*sorted(units & _within(board, code, work.reach))]
                    for base in bases if work.reach else [None]:
                        if not self._why_not(rules, position, power, work, code, base):
                            found[Declare(WORD, _format_action(work, code, base))] = None
        return tuple(found)

    def prospect(self, rules: "Rules", position: Position, power: Power, declaration: Declare) -> Prospect:
        """Return which unit must hold and what is paid; for an action of several phases also what comes of it."""
        meant = self._find_action(rules, position, power, declaration)
        if meant is None:
            return Prospect()
        work, about, base = meant
        holds = (base or Code(about)) if work.by == "unit" else None
        if work.turns == 1:
            return Prospect(holds=holds, build=work.build)
        # an action of several phases is about a space; a year has one adjustment phase, and movements are about two
        after = apply_effect(rules, position, work.effect, Code(about), power, power).position
        waits = work.turns - 1
        years = waits if work.phase == "adjustments" else (waits + 1) // 2
        return Prospect(after, years, work.odds, holds, work.build)

    def _find_action(
        self, rules: "Rules", before: Position, power: Power, one: Declare
    ) -> tuple[SpecialAction, Code | Power, Code | None] | None:
        """Return the action that an accepted declaration means, its space or power, and the unit's own space."""
        name, _, text = one.text.partition(" ")
        for work in (work for work in self.actions if work.name == name and work.of == "power"):
            if not self._why_not_to(rules, before, power, work, Power(text)):
                return work, Power(text), None
        places = [Code(part) for part in _FROM.split(text, maxsplit=1)]
        code, base = places[0], places[1] if len(places) > 1 else None
        for work in self.actions:
            if work.name == name and not self._why_not(rules, before, power, work, code, base):
                return work, code, base
        return None

    def _find_begun_action(self, board: Board, power: Power, name: str, code: Code) -> SpecialAction:
        """Return the action of this name that a power has begun in a space; several may share a name."""
        called = [work for work in self.actions if work.name == name]
        return next((work for work in called if work.concerns(board, power, code)), called[0])

    # Effects

    def after_orders(self, rules: "Rules", adjudication: Adjudication) -> Effects:
        """Begin, continue, fail or complete the special actions of the phase."""
        before, position = adjudication.before, adjudication.position
        if before.phase.kind not in (PhaseKind.MOVEMENT, PhaseKind.ADJUSTMENTS):
            return Effects(position)
        moves = before.phase.kind is PhaseKind.MOVEMENT
        known, events = self.in_hand(position), list[Event]()
        if moves and (known.spaces or known.powers):
            known = replace(known, spaces=frozenset(), powers=frozenset())
            position = position.with_slot(self.name, known)
        going: dict[tuple[Power, str, str], int] = {begun[:3]: begun.turns for begun in known.begun}
        left: list[UnfinishedAction] = []
        at_work: dict[tuple[Power, str, Code | Power], tuple[SpecialAction, int, Code | None]] = {}
        for power, name, code, turns in known.begun:
            work = self._find_begun_action(rules.board_at(before), power, name, code)
            if work.by == "power" and moves:
                at_work[power, name, code] = (work, turns + 1, None)
            elif work.by == "power":
                left.append(UnfinishedAction(power, name, code, turns))
        builds = _builds_left(rules, adjudication)
        for power in rules.names:
            for one in dict.fromkeys(one for one in adjudication.declared.get(power, ()) if one.word == WORD):
                meant = self._find_action(rules, before, power, one)
                if meant is not None:
                    work, about, base = meant
                    at_work[power, work.name, about] = (work, going.get((power, work.name, about), 0) + 1, base)
        position = position.with_slot(self.name, replace(known, begun=tuple(left)))
        for (power, _, about), (work, turns, base) in at_work.items():
            fresh = turns == 1
            often = self._often_enough(position, before.phase, power, work) if fresh else ""
            why = often or self._why_failed(
                rules, adjudication, power, work, about, base or about, new=fresh, builds=builds
            )
            if not why and fresh and work.price and (treasury := rules.module(Treasury)):
                if treasury.balances(position).get(power, 0) < work.price:
                    why = _CANNOT_PAY(power=power)
                else:
                    what = _PURPOSE(action=work.name, about=about)
                    balances, event = treasury.pay_cost(treasury.ledger(position), power, work.price, what)
                    position, events = treasury.with_ledger(position, balances), [*events, event]
            if not why and fresh and work.build:
                builds[power] = builds.get(power, 0) - 1
            label = f"{power}: {work.name} {about} in {before.phase}"
            if not why and turns >= work.turns and not draw_success(adjudication.source, label, work.odds):
                why = _FAILED_BY_CHANCE()
            effects = self._gone_on(rules, position, power, work, about, turns, why)
            if work.spent and not why and turns >= work.turns:
                effects = _without(effects, power, base or Code(about))
            position, events = effects.position, [*events, *effects.events]
        if self.in_hand(position) == self.in_hand(adjudication.position) and not events:
            return Effects(adjudication.position)
        return Effects(position, tuple(events))

    def _often_enough(self, position: Position, phase: Phase, power: Power, work: SpecialAction) -> str:
        """Return why a power may not do an action once more, those of this phase counted; empty if it may."""
        whole, often = self.in_hand(position).times(power, work.name, phase.year)
        enough = (work.most and whole >= work.most) or (work.yearly and often >= work.yearly)
        return _OFTEN_ENOUGH(power=power) if enough else ""

    def _why_failed(
        self,
        rules: "Rules",
        adjudication: Adjudication,
        power: Power,
        work: SpecialAction,
        code: Code | Power,
        base: Code | Power,
        *,
        new: bool,
        builds: Mapping[Power, int],
    ) -> str:
        """Return why an action failed in this phase; empty if it goes on."""
        if work.of == "space" and code not in rules.board_at(adjudication.position).spaces:
            return _SPACE_GONE()
        if new and work.build and builds.get(power, 0) < 1:
            return _NO_BUILD_LEFT(power=power)
        if work.by == "unit":
            outcome = _of_unit(adjudication.outcomes, Code(base))
            if outcome is None or not isinstance(outcome.order, Hold | None):
                return _DID_NOT_HOLD()
            if outcome.dislodged_by and not work.dislodged:
                return _WAS_DISLODGED(unit=outcome.unit)
        if work.undisturbed and (by := _disturbing(adjudication.outcomes, power, Code(code))):
            return _DISTURBED(unit=by.unit, power=by.power)
        return ""

    def _gone_on(
        self,
        rules: "Rules",
        position: Position,
        power: Power,
        work: SpecialAction,
        to: Code | Power,
        turns: int,
        failed: str,
    ) -> Effects:
        """Return the position after another phase of an action, and the events."""
        known, of_space = self.in_hand(position), work.of == "space"
        code, whom = (Code(to), None) if of_space else (None, Power(to))
        about = ((power,) if whom is None else (power, whom), () if code is None else (code,))
        at = rules.board.spaces[code].name if code is not None and code in rules.board.spaces else to
        if failed:
            why = _FAILED(power=power, action=work.name, about=at, reason=failed)
            return Effects(position, (Event(WORK_FAILED, why, *about, names=(work.name,)),))
        if turns < work.turns and code is not None:
            begun = UnfinishedAction(power, work.name, code, turns)
            whole = count_things(work.turns, "turn")
            why = _GOES_ON(power=power, action=work.name, about=at, number=turns, turns=whole)
            event = Event(WORK_BEGUN, why, *about, names=(work.name,), numbers=(turns, work.turns))
            return Effects(position.with_slot(self.name, replace(known, begun=(*known.begun, begun))), (event,))
        known = known.with_done(power, work.name, position.phase.year)
        spaces, powers = find_silenced(rules.board_at(position), work.effect, code, whom)
        known = replace(known, spaces=known.spaces | spaces, powers=known.powers | powers)
        position = position.with_slot(self.name, known)
        done = Event(WORK_DONE, _DONE(power=power, action=work.name, about=at), *about, names=(work.name,))
        effects = apply_effect(rules, position, work.effect, code, whom or power, power)
        return Effects(effects.position, (done, *effects.events))

    def why_no_orders(self, rules: "Rules", position: Position, unit: Unit) -> str:
        """Return why a unit that an action silenced takes no orders; empty for other units."""
        known = self.in_hand(position)
        return explain_silence(unit, known.spaces, known.powers)

    # Visibility

    def slot_seen(self, rules: "Rules", slot: Slot, who: Power | None) -> Slot | None:
        """Return the whole slot; in fog the actions of `who` alone."""
        if not rules.in_fog or not isinstance(slot, InHand):
            return slot
        begun = tuple(one for one in slot.begun if one.power == who)
        done = {power: of for power, of in slot.done.items() if power == who}
        return replace(slot, begun=begun, done=done)


_FROM = re.compile(r"\s+from\s+", re.IGNORECASE)
"""The separator between the space and the unit's own space, for a special action done from elsewhere."""


def _format_action(work: SpecialAction, code: Code, base: Code | None) -> str:
    return f"{work.name} {code}" if base is None else f"{work.name} {code} from {base}"


def _within(board: Board, code: Code, steps: int) -> set[Code]:
    """Return the spaces at most so many steps away from one, without that space."""
    seen = edge = {code}
    for _ in range(steps):
        edge = {near for at in edge for near in board.near.get(at, ())} - seen
        seen = seen | edge
    return seen - {code}


def _without(effects: Effects, power: Power, base: Code) -> Effects:
    """Return the effects of an action with the loss of the unit that carried it out."""
    position = effects.position
    fleeing = position.dislodged_at(base)
    unit = fleeing.unit if fleeing and fleeing.unit.power == power else position.unit_at(base)
    if unit is None or unit.power != power:
        return effects
    event = Event(UNIT_DESTROYED, _LOST_WITH_IT(unit=unit, power=power), (power,), (base,), (unit,))
    left = replace(
        position,
        units=tuple(other for other in position.units if other != unit),
        dislodged=tuple(one for one in position.dislodged if one is not fleeing or one.unit != unit),
    )
    return Effects(left, (*effects.events, event), effects.outcomes)


def _of_unit(outcomes: Sequence[Outcome], code: Code) -> Outcome | None:
    """Return the outcome of the unit in a space."""
    return next((one for one in outcomes if one.unit and one.unit.space == code), None)


def _disturbing(outcomes: Sequence[Outcome], power: Power, code: Code) -> Outcome | None:
    """Return the outcome of a move order of another power's unit to a space, if there is one."""
    for one in outcomes:
        moves = isinstance(one.order, Move) and one.result is not Result.VOID and one.order.to.space == code
        if moves and one.unit and one.unit.power != power:
            return one
    return None


def _builds_left(rules: "Rules", adjudication: Adjudication) -> dict[Power, int]:
    """Return the number of builds each power left unused in adjustments, waived or not."""
    before, traits = adjudication.before, rules.board_at(adjudication.before).traits
    if before.phase.kind is not PhaseKind.ADJUSTMENTS:
        return {}
    left = {power: adjustments.due(rules, before, power) for power in rules.names}
    for one in adjudication.outcomes:
        if one.result is Result.BUILDS and one.unit:
            left[one.power] -= traits[one.unit.kind].upkeep
    return left

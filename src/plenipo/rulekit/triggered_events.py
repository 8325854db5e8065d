"""Triggered events: changes to spaces and powers at a time, by chance, or once a power meets a condition.

They are checked before every movement phase; the change is an effect, as with special actions, votes and secret
choices.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, ClassVar

from plenipo.engine.board import Code
from plenipo.engine.calendar import Phase, PhaseKind
from plenipo.engine.dice import DrawSource
from plenipo.engine.events import Event, EventKind
from plenipo.engine.hooks import Effects, RuleModule
from plenipo.engine.module_memory import ModuleMemory, make_sparse_field
from plenipo.engine.place_rules import PlaceRule, name_of
from plenipo.engine.position import Position, Power, Slot, Unit
from plenipo.engine.sentences import SentenceKind, say
from plenipo.rulekit.conditions import Condition, check_conditions, find_lacking
from plenipo.rulekit.draw_piles import draw_success
from plenipo.rulekit.effects import Effect, apply_effect, check_effect, explain_silence, find_silenced
from plenipo.rulekit.rule_entries import InTime, RuleEntry, entries

if TYPE_CHECKING:
    from plenipo.engine.rules import Rules

__all__ = ["HAPPENED", "PastEvents", "TriggeredEvent", "TriggeredEvents"]

HAPPENED = EventKind("happened")
"""A triggered event happened in the space or to the power; the name is its words."""

_HAPPENED = SentenceKind("event-happened", "{words}.")
_HAPPENED_TO = SentenceKind("event-happened-to", "{words} ({about}).")


@dataclass(frozen=True)
class TriggeredEvent(InTime):
    """A triggered event, named by its `words`, and its `effect` on each of `spaces` and `powers`.

    The event is checked before the movement phases of `seasons` and of the years from `from_year` to `until_year`; of
    all if these are left out. It happens only while one power owns all of `owning` and has units in all of `standing`,
    and that power profits from the effect; only when all powers in `out` have neither units nor centres left; and with
    `odds` of so many out of so many draws. With `drawn`, it happens to only so many of the spaces or powers, by lot. It
    happens once, or with `again` at every check.

    With `conditions`, it happens to those of `powers`, or of all powers, that meet all of them, once to each; each of
    these profits if `owning` and `standing` are empty.
    """

    __pydantic_config__: ClassVar[dict[str, Any]] = {"extra": "forbid"}  # a misspelt key is reported, not passed over

    words: str
    effect: Effect
    spaces: tuple[Code, ...] = ()
    powers: tuple[Power, ...] = ()
    owning: tuple[Code, ...] = ()
    standing: tuple[Code, ...] = ()
    out: tuple[Power, ...] = ()
    odds: tuple[int, int] = (1, 1)
    drawn: int = 0
    again: bool = False
    conditions: tuple[Condition, ...] = ()

    def who(self, position: Position) -> tuple[bool, Power | None]:
        """Return True if `out`, `owning` and `standing` are met, and the power that meets the last two.

        The power is None if they are not met, or if `owning` and `standing` are empty.
        """
        if any(position.survives(power) for power in self.out):
            return False, None
        owners = {position.owners.get(code) for code in self.owning}
        units = [position.unit_at(code) for code in self.standing]
        powers = owners | {unit.power if unit else None for unit in units}
        if len(powers) > 1 or None in powers:
            return False, None
        return True, next(iter(powers), None)


@dataclass(frozen=True)
class PastEvents(ModuleMemory):
    """The numbers of the events that have happened, and the spaces and powers whose units take no orders next movement.

    `to` has the events with conditions: the number of each with a power to which it has happened.
    """

    numbers: frozenset[int] = frozenset()
    spaces: frozenset[Code] = frozenset()
    powers: frozenset[Power] = frozenset()
    to: frozenset[tuple[int, Power]] = make_sparse_field(frozenset)


@dataclass(frozen=True)
class TriggeredEvents(RuleModule):
    """The option `items`: the triggered events."""

    name: ClassVar[str] = "triggered_events"
    memory: ClassVar[type[ModuleMemory]] = PastEvents
    claims: ClassVar[frozenset[str]] = frozenset({"automatic events"})
    fixed: ClassVar[frozenset[str]] = frozenset({"items"})

    items: tuple[TriggeredEvent, ...] = ()

    def check(self, rules: "Rules") -> None:
        """Raise `InvalidVariant` for an event that could never happen, or to no space or power."""
        for at, item in entries(rules, self.name, "items", self.items, lambda item: f"'{item.words}' of '{self.name}'"):
            self._check(at, item)

    def place_rules(self, rules: "Rules") -> Iterator[PlaceRule]:
        """Describe the events at the spaces that they affect, or that a power must own or occupy."""
        for item in self.items:
            chance = "" if item.odds == (1, 1) else f", with odds of {item.odds[0]} in {item.odds[1]}"
            words = f"{item.words[:1].upper()}{item.words[1:]}{item.when}{chance}"
            for code in dict.fromkeys((*item.spaces, *item.owning, *item.standing)):
                yield PlaceRule("event", (code,), f"{name_of(rules, code)}: {words}")

    def _check(self, at: RuleEntry, item: TriggeredEvent) -> None:
        at.spaces(spaces=item.spaces, owning=item.owning, standing=item.standing)
        at.powers(powers=item.powers, out=item.out)
        check_conditions(at, item.conditions)
        if item.conditions and item.spaces:
            raise at.wrong(say("asks what a power has, and happens to spaces; name them in the effect."), "spaces")
        profits, to_power = bool(item.owning or item.standing or item.conditions), bool(item.powers or item.conditions)
        check_effect(at.part("effect"), item.effect, space=bool(item.spaces), power=to_power, profits=profits)
        if not any("founds" in other.effect.does for other in self.items):
            at.centres(owning=item.owning)
        at.in_time(item)
        at.odds(item.odds)
        there = len(item.spaces or item.powers or (at.rules.names if item.conditions else ()))
        if item.drawn and item.drawn >= there:
            raise at.wrong(
                say("draws {drawn} of {there}; there must be more to draw from.", drawn=item.drawn, there=there),
                "drawn",
            )

    def past(self, position: Position) -> PastEvents:
        """Return the events that have happened."""
        slot = position.slots.get(self.name)
        return slot if isinstance(slot, PastEvents) else PastEvents()

    def after_phase(self, rules: "Rules", position: Position, phase: Phase, source: DrawSource) -> Effects:
        """Trigger the events that are due before the next movement phase."""
        following = next(iter(rules.calendar.after(phase)))
        known, events = self.past(position), list[Event]()
        if phase.kind is PhaseKind.MOVEMENT and (known.spaces or known.powers):
            known = replace(known, spaces=frozenset(), powers=frozenset())
            position = position.with_slot(self.name, known)
        if following.kind is not PhaseKind.MOVEMENT:
            return Effects(position)
        for number, item in enumerate(self.items):
            met, power = item.who(position)
            if not met or not item.in_time(following) or (number in known.numbers and not item.again):
                continue
            about = self._about(rules, position, item, number, known)
            if not about:
                continue
            if not draw_success(source, f"{item.words} before {following}", item.odds):
                continue
            effects, known, happened_to = self._apply_event(rules, position, item, about, power, source, known)
            if item.conditions:
                known = replace(known, to=known.to | {(number, one) for one in happened_to})
            else:
                known = replace(known, numbers=known.numbers | {number})
            position, events = effects.position.with_slot(self.name, known), [*events, *effects.events]
        return Effects(position, tuple(events))

    def _about(
        self, rules: "Rules", position: Position, item: TriggeredEvent, number: int, known: PastEvents
    ) -> list[tuple[Code | None, Power | None]]:
        """Return the spaces or powers to which an event happens now; one pair of None if it is about neither."""
        board = rules.board_at(position)
        if item.conditions:
            left = [
                power
                for power in item.powers or rules.names
                if (item.again or (number, power) not in known.to) and position.survives(power)
            ]
            return [(None, power) for power in left if not find_lacking(rules, position, power, item.conditions)]
        if item.spaces:
            return [(code, None) for code in map(board.became, item.spaces) if code in board.spaces] or [(None, None)]
        return [(None, power) for power in item.powers] or [(None, None)]

    def _apply_event(
        self,
        rules: "Rules",
        position: Position,
        item: TriggeredEvent,
        about: list[tuple[Code | None, Power | None]],
        to: Power | None,
        source: DrawSource,
        known: PastEvents,
    ) -> tuple[Effects, PastEvents, list[Power]]:
        """Apply one event, from which the power `to` may profit.

        Returns the effects, the events that have happened, and the powers to which this one happened.
        """
        board = rules.board_at(position)
        if item.drawn and about != [(None, None)]:
            slips = {str(code or power): (code, power) for code, power in about}
            label = f"where {item.words}" if about[0][0] else f"to whom {item.words}"
            drawn = source.rank(label, sorted(slips), needed=min(item.drawn, len(slips)))
            about = [slips[slip] for slip in drawn[: item.drawn]]
        events: list[Event] = []
        for code, power in about:
            name = board.spaces[code].name if code else power
            why = _HAPPENED_TO(words=item.words, about=name) if name else _HAPPENED(words=item.words)
            who = tuple(dict.fromkeys(one for one in (power, to) if one))
            events.append(Event(HAPPENED, why, who, (code,) if code else (), names=(item.words,)))
            gets = power if item.conditions and to is None else to
            effects = apply_effect(rules, position, item.effect, code, power, gets)
            position, events = effects.position, [*events, *effects.events]
            silent, mute = find_silenced(board, item.effect, code, power)
            known = replace(known, spaces=known.spaces | silent, powers=known.powers | mute)
        return Effects(position, tuple(events)), known, [power for _, power in about if power]

    def why_no_orders(self, rules: "Rules", position: Position, unit: Unit) -> str:
        """Return why a unit that was silenced takes no orders; empty for other units."""
        known = self.past(position)
        return explain_silence(unit, known.spaces, known.powers)

    def slot_seen(self, rules: "Rules", slot: Slot, who: Power | None) -> Slot | None:
        """Return the whole slot, as triggered events are public."""
        return slot

"""Centres that do not count for builds at once (`CentreDelay`): the state stored between ownership updates."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from plenipo.engine.board import Board, Code
from plenipo.engine.calendar import Phase, Step
from plenipo.engine.events import CENTRES_DELAYED, Event
from plenipo.engine.facts import CentreDelay
from plenipo.engine.hooks import Effects
from plenipo.engine.module_memory import ModuleMemory
from plenipo.engine.position import Position, Power, Unit
from plenipo.engine.rules import Rules
from plenipo.engine.sentences import SentenceKind, Series

__all__ = [
    "SLOT",
    "CentreDelays",
    "after_choice",
    "begin",
    "make_delay_event",
    "read_state",
    "settle",
    "standing",
    "start",
    "takes",
    "with_parts",
]

_MUST_STAND = SentenceKind(
    "must-stand-there",
    "To build for {centres}, {power} must stand in it when the next turn is settled.",
    "To build for {centres}, {power} must stand in them when the next turn is settled.",
)
_MUST_OWN = SentenceKind(
    "must-own",
    "To build for {centres}, {power} must own it when the next turn is settled.",
    "To build for {centres}, {power} must own them when the next turn is settled.",
)

SLOT = "delayed_centres"
"""The slot of a position in which this state is stored."""


@dataclass(frozen=True)
class CentreDelays(ModuleMemory):
    """The state at the last ownership update.

    `owners` maps each centre to its owner, `ripe` are the centres that had then been held long enough to count for
    builds, `standing` maps each centre to the power with a unit in it.
    """

    owners: Mapping[Code, Power] = field(default_factory=dict)
    ripe: frozenset[Code] = frozenset()
    standing: Mapping[Code, Power] = field(default_factory=dict)


def begin(position: Position) -> Position:
    """Return `position` as the first of a game: all owned centres have been held long enough."""
    return position.with_slot(SLOT, start(position))


def after_choice(rules: Rules, position: Position, phase: Phase) -> Position:
    """Return the position in which centres owned after a choice phase of the opening count as owned at the start."""
    opening = Step(phase.season, phase.kind) in rules.calendar.opening and phase.year == rules.calendar.start
    return begin(position) if opening else position


def read_state(position: Position) -> CentreDelays:
    """Return the stored state; for a position without one, that all centres were held long enough."""
    known = position.slots.get(SLOT)
    return known if isinstance(known, CentreDelays) else start(position)


def standing(board: Board, position: Position) -> dict[Code, Power]:
    """Return the power with a unit in each centre."""
    return {unit.location.space: unit.power for unit in position.units if unit.location.space in board.centres}


def takes(delay: CentreDelay, position: Position, unit: Unit) -> bool:
    """Return whether `unit` captures its centre now: with `late_capture`, if it was there at the last update."""
    if not delay.late_capture or not delay.about(unit.space):
        return True
    return read_state(position).standing.get(unit.space) == unit.power


def settle(rules: Rules, position: Position, delay: CentreDelay) -> Effects:
    """Store the owners after an ownership update; centres with an unchanged owner count for builds."""
    before, standing_now = read_state(position), standing(rules.board_at(position), position)
    slow = delay.among(position.owners)
    ripe = frozenset(
        code
        for code, power in position.owners.items()
        if code not in slow
        or (
            before.owners.get(code) == power
            and (code in before.ripe or not delay.occupied or standing_now.get(code) == power)
        )
    )
    late = sorted(position.owners.keys() - ripe)
    unripe = {power: [code for code in late if position.owners[code] == power] for power in rules.names}
    events = (make_delay_event(delay, power, codes) for power, codes in unripe.items() if codes)
    return Effects(position.with_slot(SLOT, CentreDelays(position.owners, ripe, standing_now)), tuple(events))


def make_delay_event(delay: CentreDelay, power: Power, codes: Sequence[Code]) -> Event:
    """Return the event about the centres that do not count for builds of `power` yet, and the requirement for that."""
    why = (_MUST_STAND if delay.occupied else _MUST_OWN)(power=power, centres=Series(codes), number=len(codes))
    return Event(CENTRES_DELAYED, why, (power,), tuple(codes))


def start(position: Position) -> CentreDelays:
    """Return the state at the start: all owned centres have been held long enough."""
    return CentreDelays(
        position.owners, frozenset(position.owners), {unit.space: unit.power for unit in position.units}
    )


def with_parts(position: Position, space: Code, parts: Sequence[Code]) -> Position:
    """Return `position` with `parts` in the place of `space` in the stored state."""
    slot = position.slots.get(SLOT)
    if not isinstance(slot, CentreDelays):
        return position

    def rename_space(table: Mapping[Code, Power]) -> dict[Code, Power]:
        left = {code: power for code, power in table.items() if code != space}
        return left | (dict.fromkeys(parts, table[space]) if space in table else {})

    ripe = slot.ripe - {space} | (frozenset(parts) if space in slot.ripe else frozenset())
    return position.with_slot(SLOT, CentreDelays(rename_space(slot.owners), ripe, rename_space(slot.standing)))

"""Centres that are not built for at once (`CentreDelay`): what is remembered of them between settlings."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from plenipo.engine.board import Board, Code
from plenipo.engine.calendar import Phase, Step
from plenipo.engine.events import CENTRES_DELAYED, Event
from plenipo.engine.facts import CentreDelay
from plenipo.engine.hooks import Effects
from plenipo.engine.immutable import freeze_sorted
from plenipo.engine.position import Position, Power, Unit
from plenipo.engine.rules import Rules

__all__ = [
    "SLOT",
    "Held",
    "after_choice",
    "begin",
    "delayed",
    "held",
    "settle",
    "standing",
    "start",
    "takes",
    "with_parts",
]

SLOT = "delayed_centres"
"""The slot of a position in which it is remembered."""


@dataclass(frozen=True)
class Held:
    """What was seen when ownership was last settled.

    `owners` is who owned each centre, `ripe` the centres that had then been held long enough to be built for,
    `standing` the power that stood in each centre.
    """

    owners: Mapping[Code, Power] = field(default_factory=dict)
    ripe: frozenset[Code] = frozenset()
    standing: Mapping[Code, Power] = field(default_factory=dict)

    def __post_init__(self) -> None:
        for name in ("owners", "standing"):
            object.__setattr__(self, name, freeze_sorted(getattr(self, name)))

    def to_json(self) -> Any:
        """The value as JSON."""
        return {"owners": dict(self.owners), "ripe": sorted(self.ripe), "standing": dict(self.standing)}


def begin(position: Position) -> Position:
    """`position` as the one the game begins with: all that is owned has been held long enough."""
    return position.with_slot(SLOT, start(position))


def after_choice(rules: Rules, position: Position, phase: Phase) -> Position:
    """What is owned after a choice phase of the opening counts as owned at the start."""
    opening = Step(phase.season, phase.kind) in rules.calendar.opening and phase.year == rules.calendar.start
    return begin(position) if opening else position


def held(position: Position) -> Held:
    """What is remembered; of a position that remembers nothing, that all was held long enough."""
    known = position.slots.get(SLOT)
    return known if isinstance(known, Held) else start(position)


def standing(board: Board, position: Position) -> dict[Code, Power]:
    """The power that stands in each centre."""
    return {unit.space: unit.power for unit in position.units if unit.space in board.centres}


def takes(delay: CentreDelay, position: Position, unit: Unit) -> bool:
    """Whether the power of `unit` takes its centre now: with `late_capture`, if it stood there at the last settling."""
    if not delay.late_capture or not delay.about(unit.space):
        return True
    return held(position).standing.get(unit.space) == unit.power


def settle(rules: Rules, position: Position, delay: CentreDelay) -> Effects:
    """Remember who owns what, once that is settled; what was owned the last time as well may be built for."""
    before, standing_now = held(position), standing(rules.board_at(position), position)
    ripe = frozenset(
        code
        for code, power in position.owners.items()
        if not delay.about(code)
        or (
            before.owners.get(code) == power
            and (code in before.ripe or not delay.occupied or standing_now.get(code) == power)
        )
    )
    unripe = {power: [code for code in position.centres_of(power) if code not in ripe] for power in rules.names}
    events = (delayed(delay, power, codes) for power, codes in unripe.items() if codes)
    return Effects(position.with_slot(SLOT, Held(position.owners, ripe, standing_now)), tuple(events))


def delayed(delay: CentreDelay, power: Power, codes: Sequence[Code]) -> Event:
    """The centres for which `power` cannot build yet, and what it must do for that."""
    hold, them = "stand in" if delay.occupied else "own", "it" if len(codes) == 1 else "them"
    why = f"To build for {', '.join(codes)}, {power} must {hold} {them} when the next turn is settled."
    return Event(CENTRES_DELAYED, why, (power,), tuple(codes))


def start(position: Position) -> Held:
    """What is remembered at the start: all that is owned has been held long enough."""
    return Held(position.owners, frozenset(position.owners), {unit.space: unit.power for unit in position.units})


def with_parts(position: Position, space: Code, parts: Sequence[Code]) -> Position:
    """`position` with `parts` in the place of `space` in what is remembered."""
    slot = position.slots.get(SLOT)
    if not isinstance(slot, Held):
        return position

    def renamed(table: Mapping[Code, Power]) -> dict[Code, Power]:
        left = {code: power for code, power in table.items() if code != space}
        return left | (dict.fromkeys(parts, table[space]) if space in table else {})

    ripe = slot.ripe - {space} | (frozenset(parts) if space in slot.ripe else frozenset())
    return position.with_slot(SLOT, Held(renamed(slot.owners), ripe, renamed(slot.standing)))

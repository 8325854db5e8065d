"""Closing: what modules share that close spaces in play, and what is lost with them."""

from dataclasses import replace

from plenipo.engine.board import Code
from plenipo.engine.changes import Closed
from plenipo.engine.events import CENTRE_LOST, UNIT_DISBANDED, Event, EventKind
from plenipo.engine.hooks import Effects
from plenipo.engine.position import Position, Unit
from plenipo.engine.rules import Rules

__all__ = ["BOARD_CLOSED", "BOARD_OPENED", "shut"]

BOARD_CLOSED = EventKind("board_closed")
"""The space, or the way between the two, is closed."""

BOARD_OPENED = EventKind("board_opened")
"""The space, or the way between the two, is open again."""


def shut(rules: Rules, position: Position, space: Code, kind: EventKind, gone: str, homeless: str) -> Effects:
    """Return `position` with `space` closed, the units in it lost and its centre without an owner.

    The events are the loss of the centre, and of units: those of units in the space are of the `kind` and end in the
    words `gone`; those of units elsewhere that can no longer stand in their spaces end in `homeless`.
    """
    units = (*position.units, *(d.unit for d in position.dislodged))
    lost = {unit for unit in units if unit.space == space}
    events = [_of_unit(kind, unit, gone) for unit in units if unit in lost]
    owner = position.owners.get(space)
    if owner is not None:
        events.append(Event(CENTRE_LOST, f"{owner} lost the supply centre.", (owner,), (space,)))
    position = replace(position, changes=(*position.changes, Closed(space)))
    board = rules.board_at(position)
    stray = {
        unit
        for unit in units
        if unit not in lost and not board.can_stand(unit.kind, unit.location) and not position.stranded(board, unit)
    }
    events += [_of_unit(UNIT_DISBANDED, unit, homeless) for unit in units if unit in stray]
    left = replace(
        position,
        units=tuple(unit for unit in position.units if unit not in lost | stray),
        dislodged=tuple(d for d in position.dislodged if d.unit not in lost | stray),
        owners={code: power for code, power in position.owners.items() if code != space},
    )
    return Effects(left, tuple(events))


def _of_unit(kind: EventKind, unit: Unit, what: str) -> Event:
    return Event(kind, f"{unit} of {unit.power} {what}.", (unit.power,), (unit.space,), (unit,))

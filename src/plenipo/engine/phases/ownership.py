"""Who owns which supply centre (rulebook, gaining and losing supply centres)."""

from dataclasses import replace

from plenipo.engine.events import CENTRE_TAKEN, Event
from plenipo.engine.hooks import RuleModule
from plenipo.engine.position import Position
from plenipo.engine.rules import Rules

__all__ = ["capture"]


def capture(rules: Rules, position: Position) -> tuple[Position, list[Event]]:
    """The position after every occupied centre has passed to the power that stands in it, and what changed hands.

    Looked at when the moves and the retreats of the season are over.
    """
    board = rules.board_at(position)
    owners = dict(position.owners)
    taken: list[Event] = []
    for unit in position.units:
        loser = owners.get(unit.space)
        if unit.space not in board.centres or loser == unit.power:
            continue
        if all(module.captures(rules, position, unit) for module in rules.overriding(RuleModule.captures)):
            why = f"{unit.power} took {board.spaces[unit.space].name}{f' from {loser}' if loser else ''}."
            powers = (unit.power, loser) if loser else (unit.power,)
            taken.append(Event(CENTRE_TAKEN, why, powers, (unit.space,)))
            owners[unit.space] = unit.power
    return (replace(position, owners=owners) if taken else position), taken

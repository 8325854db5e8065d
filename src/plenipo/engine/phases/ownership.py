"""Who owns which supply centre (rulebook, gaining and losing supply centres)."""

from dataclasses import replace

from plenipo.engine.hooks import RuleModule
from plenipo.engine.position import Position
from plenipo.engine.rules import Rules

__all__ = ["capture"]


def capture(rules: Rules, position: Position) -> tuple[Position, tuple[str, ...]]:
    """The position after every occupied centre has passed to the power that stands in it, and a sentence a change.

    Looked at when the moves and the retreats of the season are over.
    """
    board = rules.board_at(position)
    owners = dict(position.owners)
    notes: list[str] = []
    for unit in position.units:
        if unit.space not in board.centres or owners.get(unit.space) == unit.power:
            continue
        if all(module.captures(rules, position, unit) for module in rules.overriding(RuleModule.captures)):
            loser = owners.get(unit.space)
            name = board.spaces[unit.space].name
            notes.append(f"{unit.power} took {name}{f' from {loser}' if loser else ''}.")
            owners[unit.space] = unit.power
    if not notes:
        return position, ()
    return replace(position, owners=owners), tuple(notes)

"""A board as JSON, for programs that bring their own map, search or interface."""

from typing import Any

from plenipo.engine.board import Board, Corner, Terrain
from plenipo.engine.history import record
from plenipo.engine.phases import victory
from plenipo.engine.position import Position
from plenipo.engine.rules import Rules

__all__ = ["describe_board"]


def describe_board(rules: Rules, position: Position | None = None) -> dict[str, Any]:
    """Everything about the board of `rules`, as it is in `position` or else in the opening, as a JSON value.

    `armies` lists for each space, and `fleets` for each location (with its coast), where a unit there may move.
    `borders` lists the neighbours of a space, clockwise, with null for the edge of the board. `to_win` is a number
    of the
    unit that is `counted`: centres, or the unit of a rule module.
    """
    board = rules.board if position is None else rules.board_at(position)
    measure = victory.score(rules, rules.opening)
    return {
        "variant": rules.variant,
        "title": rules.title,
        "options": dict(rules.options),
        "to_win": measure.enough,
        "counted": measure.noun,
        "phase": str(rules.calendar.first),
        "powers": {info.name: {"adjective": info.adjective, "aliases": list(info.aliases)} for info in rules.powers},
        "spaces": {
            code: {
                "name": space.name,
                "aliases": list(space.aliases),
                "terrain": str(space.terrain),
                "impassable": space.impassable,
                "centre": space.centre,
                "coasts": list(space.coasts),
            }
            for code, space in sorted(board.spaces.items())
        },
        "armies": {code: sorted(to) for code, to in sorted(board.armies.items()) if not board.spaces[code].impassable},
        "fleets": {str(location): sorted(map(str, to)) for location, to in sorted(board.fleets.items())},
        "borders": {code: list(around) for code, around in sorted(board.borders.items())},
        "corners": [
            {"name": str(corner), "touches": [str(at) for at in corner.touches], "takes": _takes(board, corner)}
            for corner in board.corners
        ],
        "centres": sorted(board.centres),
        "homes": {power: sorted(codes) for power, codes in rules.opening.homes.items()},
        "opening": record.encode_position(rules.opening),
    }


def _takes(board: Board, corner: Corner) -> str:
    """Return the unit types that fit a corner: `army`, `fleet` or `either`."""
    wet = {board.spaces[place.space].terrain is Terrain.SEA for place in corner.touches}
    return "either" if len(wet) > 1 else "fleet" if wet == {True} else "army"

"""What modules that draw from a hat share: where the draws stand in a calendar, and what is in the hat."""

from dataclasses import replace

from plenipo.engine.board import Board, Code
from plenipo.engine.calendar import Calendar, PhaseKind, Step
from plenipo.engine.dice import DrawSource
from plenipo.engine.events import EventKind
from plenipo.engine.position import Position
from plenipo.engine.rules import Rules

__all__ = ["NOTHING_TO_DRAW", "comes_off", "has_draws", "provinces", "with_draws", "with_draws_before_retreats"]

NOTHING_TO_DRAW = EventKind("nothing_to_draw")
"""No slip is left for what was to be drawn."""


def comes_off(source: DrawSource, label: str, odds: tuple[int, int]) -> bool:
    """Whether something comes off that does so often out of so many draws; nothing is drawn if it always does."""
    few, many = odds
    return few == many or int(source.draw(label, [str(slip) for slip in range(1, many + 1)])) <= few


def with_draws(calendar: Calendar) -> Calendar:
    """The calendar in which slips are drawn after the retreats of every movement, or before them if it says so.

    One that has draws already stays as it is.
    """
    return calendar if has_draws(calendar) else _drawn_in(calendar)


def with_draws_before_retreats(calendar: Calendar) -> Calendar:
    """The calendar that says so; draws it has already are moved, and it gets none that nobody asked for."""
    calendar = replace(calendar, draws_before_retreats=True)
    return _drawn_in(calendar) if has_draws(calendar) else calendar


def has_draws(calendar: Calendar) -> bool:
    """Whether slips are drawn in every year."""
    return any(step.kind is PhaseKind.DRAWS for step in calendar.cycle)


def _drawn_in(calendar: Calendar) -> Calendar:
    """The calendar with one step of draws for each of retreats, where it says that they belong."""

    def drawn(steps: tuple[Step, ...]) -> tuple[Step, ...]:
        steps_now: list[Step] = []
        for step in steps:
            draws = Step(step.season, PhaseKind.DRAWS)
            if step.kind is PhaseKind.RETREATS:
                steps_now += [draws, step] if calendar.draws_before_retreats else [step, draws]
            elif step.kind is not PhaseKind.DRAWS:
                steps_now.append(step)
        return tuple(steps_now)

    return replace(calendar, cycle=drawn(calendar.cycle), opening=drawn(calendar.opening))


def provinces(rules: Rules, position: Position) -> tuple[Code, ...]:
    """Every province there is now, halves singly and closed ones too, alphabetically; a slip each goes into a hat.

    Corners and boxes off the board are no provinces, and neither is what was impassable from the beginning.
    """
    board = rules.board_at(position)
    never = {code for code, space in rules.board.spaces.items() if space.impassable}
    return tuple(sorted(c for c in board.borders if not board.spaces[c].corner and c not in never and _drawn(board, c)))


def _drawn(board: Board, code: Code) -> bool:
    """Whether a space lies on the drawn map: what does is named in the borders of what it touches."""
    return any(other is not None and code in board.borders.get(other, ()) for other in board.borders[code])

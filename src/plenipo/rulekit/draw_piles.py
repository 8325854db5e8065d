"""Draw piles: the steps of a calendar in which modules draw, and the slips in the pile."""

from dataclasses import replace

from plenipo.engine.board import Board, Code
from plenipo.engine.calendar import Calendar, PhaseKind, Step
from plenipo.engine.dice import DrawSource
from plenipo.engine.events import EventKind
from plenipo.engine.position import Position
from plenipo.engine.rules import Rules

__all__ = ["NOTHING_TO_DRAW", "draw_success", "has_draws", "provinces", "with_draws", "with_draws_before_retreats"]

NOTHING_TO_DRAW = EventKind("nothing_to_draw")
"""No slip was left to draw."""


def draw_success(source: DrawSource, label: str, odds: tuple[int, int]) -> bool:
    """Return True if a draw with these `odds`, so many out of so many, succeeds.

    Nothing is drawn if it always succeeds.
    """
    few, many = odds
    return few == many or int(source.draw(label, [str(slip) for slip in range(1, many + 1)])) <= few


def with_draws(calendar: Calendar) -> Calendar:
    """Return the calendar with draws after the retreats of every movement, or before them if it says so.

    A calendar that has draws already is returned unchanged.
    """
    return calendar if has_draws(calendar) else _drawn_in(calendar)


def with_draws_before_retreats(calendar: Calendar) -> Calendar:
    """Return the calendar with draws before the retreats of every movement; one without draws gets none."""
    calendar = replace(calendar, draws_before_retreats=True)
    return _drawn_in(calendar) if has_draws(calendar) else calendar


def has_draws(calendar: Calendar) -> bool:
    """Return True if the calendar has draws in every year."""
    return any(step.kind is PhaseKind.DRAWS for step in calendar.cycle)


def _drawn_in(calendar: Calendar) -> Calendar:
    """Return the calendar with one step of draws before or after each step of retreats, as the calendar says."""

    def add_draws(steps: tuple[Step, ...]) -> tuple[Step, ...]:
        steps_now: list[Step] = []
        for step in steps:
            draws = Step(step.season, PhaseKind.DRAWS)
            if step.kind is PhaseKind.RETREATS:
                steps_now += [draws, step] if calendar.draws_before_retreats else [step, draws]
            elif step.kind is not PhaseKind.DRAWS:
                steps_now.append(step)
        return tuple(steps_now)

    return replace(calendar, cycle=add_draws(calendar.cycle), opening=add_draws(calendar.opening))


def provinces(rules: Rules, position: Position) -> tuple[Code, ...]:
    """Return the provinces of the current board, alphabetically; each has one slip in the draw pile.

    Each half of a split province counts, and so do closed provinces. Corners, boxes off the board, and spaces that were
    impassable from the start are no provinces.
    """
    board = rules.board_at(position)
    never = {code for code, space in rules.board.spaces.items() if space.impassable}
    return tuple(
        sorted(c for c in board.borders if not board.spaces[c].corner and c not in never and _is_drawn(board, c))
    )


def _is_drawn(board: Board, code: Code) -> bool:
    """Return True if a space lies on the drawn map, so that a space that it touches has it among its borders."""
    return any(other is not None and code in board.borders.get(other, ()) for other in board.borders[code])

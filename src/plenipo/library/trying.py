"""Trying a variant out: its opening, its calendar and three years of play, so that a fault shows before a game does."""

from collections.abc import Iterator, Mapping, Sequence

from plenipo.engine.calendar import PhaseKind
from plenipo.engine.dice import Dice
from plenipo.engine.facts import Victory
from plenipo.engine.orders import Build, Choose, Move, Order, Remove
from plenipo.engine.outcome import Waiting
from plenipo.engine.phases.choosing import standing
from plenipo.engine.phases.commands import survives
from plenipo.engine.phases.legality import Legality
from plenipo.engine.phases.step import adjudicate
from plenipo.engine.position import Position, Power
from plenipo.engine.rules import Rules
from plenipo.engine.wording import count
from plenipo.errors import MissingDraw, PlenipoError

__all__ = ["Trouble", "troubles"]

YEARS = 3
"""For how long a variant is tried."""

MOST_PHASES = 200
"""More phases than three years of any calendar take."""

Trouble = tuple[Sequence[str], str]
"""The path of the key that is to blame, and a sentence."""


def troubles(rules: Rules) -> Iterator[Trouble]:
    """What play would find wrong with `rules`."""
    yield from _of_victory(rules)
    yield from _of_powers(rules)
    if not rules.draws_by_hand:
        yield from _of_play(rules)


def _of_victory(rules: Rules) -> Iterator[Trouble]:
    centres = len(rules.board.centres)
    counted = not any(isinstance(fact, Victory) for facts in rules.facts.declared.values() for fact in facts)
    if counted and rules.to_win > centres:
        yield (
            ("victory",),
            f"'victory' is {rules.to_win}, and the board has {count(centres, 'centre')}: nobody can win.",
        )
    if counted and not any(step.kind is PhaseKind.OWNERSHIP for step in rules.calendar.cycle):
        why = "'calendar.cycle' never settles ownership, so no centre changes hands and nobody can win."
        yield ("calendar", "cycle"), f'{why} Add a step like ["Winter", "ownership"].'


def _of_powers(rules: Rules) -> Iterator[Trouble]:
    opening = rules.opening
    choosing = opening.phase.kind is PhaseKind.CHOICE
    for power in rules.names:
        if not choosing and not survives(rules, opening, power):
            yield (
                ("powers", power),
                f"'powers.{power}' has neither units nor centres: it is out before the game begins.",
            )


def _of_play(rules: Rules) -> Iterator[Trouble]:
    """Faults of three years in which everybody plays the first orders that are listed, and others in turn."""
    position, dice = rules.opening, Dice(bytes(32))
    last = position.phase.year + YEARS
    for number in range(MOST_PHASES):
        if position.winners or position.phase.year >= last:
            return
        where = f"in {position.phase}, when it is tried out, "
        try:
            came = adjudicate(rules, position, _orders(rules, position, number), dice)
        except (PlenipoError, MissingDraw) as fault:
            yield (), f"{where}{fault}"
            return
        if isinstance(came, Waiting):
            return  # somebody must choose what no order that is listed chooses
        board = rules.board_at(came.after)
        if wrong := next(came.after.faults(board), None):
            yield (), f"{where}{wrong}"
            return
        position = came.after
    yield ("calendar",), f"three years take more than {MOST_PHASES} phases; 'calendar' does not get on."


def _orders(rules: Rules, position: Position, number: int) -> Mapping[Power, Sequence[Order]]:
    """Legal orders of everybody, others in every phase: the same whenever it is asked."""
    legality = Legality(rules, position)
    sheets: dict[Power, list[Order]] = {}
    for power in rules.names:
        listed = legality.orders_of(power)
        if position.phase.kind is PhaseKind.CHOICE:
            choices = [order for order in listed if isinstance(order, Choose)]
            sheets[power] = list(standing(legality, power, choices))
        elif position.phase.kind is PhaseKind.ADJUSTMENTS:
            sheets[power] = [order for order in listed if isinstance(order, Build | Remove)]
        else:
            sheets[power] = []
            for unit in listed.units:
                ways = [order for order in listed.of(unit) if isinstance(order, Move) or number % 2 == 0]
                if ways:
                    sheets[power].append(ways[(7 * number + len(sheets[power])) % len(ways)])
    return sheets

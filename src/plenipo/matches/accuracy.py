"""The accuracy of players: the loss by their orders against the best plan known at the time; pure.

A movement is judged by what the search could have known before it: plans are drawn and compared in samples of the
others' orders, and the orders given are evaluated in the same samples. What the others really ordered is not looked at.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from math import exp
from statistics import fmean

from plenipo.bots import WeighedOrders, weigh_orders
from plenipo.engine.calendar import PhaseKind
from plenipo.engine.history.game import Game
from plenipo.engine.history.view import View, view
from plenipo.engine.orders import MovementOrder, Order
from plenipo.engine.phases.legality import Legality, LegalOrders

__all__ = [
    "GRADES",
    "JudgedOrders",
    "PlayerAccuracy",
    "Weigh",
    "by_search",
    "count_accuracy",
    "judge_orders",
    "list_movements",
]

Weigh = Callable[[View, LegalOrders, Sequence[Order]], WeighedOrders | None]
"""Weighs the orders of a power against the best plan; None where nothing can be searched."""

GRADES = {"blunder": 0.04, "mistake": 0.02, "inaccuracy": 0.01}
"""The least loss for each grade, in shares of the board, the worst first."""

SOFT = 0.04
"""The loss at which the accuracy of a movement falls to 37 %, by an exponential curve."""


@dataclass(frozen=True)
class JudgedOrders:
    """The orders of a power in a movement: their loss and, if it is large, their grade and the difference to the plan.

    `given` are the orders that the best plan has not, and `better` those of the plan that were not given.
    """

    turn: int
    phase: str
    power: str
    loss: float
    grade: str
    given: tuple[str, ...]
    better: tuple[str, ...]


@dataclass(frozen=True)
class PlayerAccuracy:
    """The accuracy of a power over a game, from 0 to 100, the movements judged, and how many had each grade."""

    power: str
    accuracy: float
    movements: int
    grades: Mapping[str, int]


def by_search(view: View, legal: LegalOrders, orders: Sequence[Order]) -> WeighedOrders | None:
    """Weigh orders by the search; the same seed for all positions, so that a review is the same each time."""
    return weigh_orders(view, legal, orders, 1)


def judge_orders(game: Game, turn: int, weigh: Weigh = by_search) -> tuple[JudgedOrders, ...]:
    """Return the orders of a movement, judged for each power as it saw the game then."""
    before, resolution = game.fork(turn), game.turns[turn].resolution
    judged = []
    for power in game.rules.names:
        given = [
            outcome.order
            for outcome in resolution.outcomes
            if outcome.power == power and isinstance(outcome.order, MovementOrder)
        ]
        seen = view(before, power, {})
        legal = Legality(seen.rules, seen.position).orders_of(power)
        weighed = weigh(seen, legal, given) if legal.units else None
        if weighed is None:
            continue
        loss = max(0.0, weighed.best - weighed.given)
        grade = next((name for name, least in GRADES.items() if loss >= least), "")
        texts, plan = [str(order) for order in given], [str(order) for order in weighed.plan]
        judged.append(
            JudgedOrders(
                turn,
                str(resolution.before.phase),
                str(power),
                loss,
                grade,
                tuple(text for text in texts if text not in plan) if grade else (),
                tuple(text for text in plan if text not in texts) if grade else (),
            )
        )
    return tuple(judged)


def list_movements(game: Game) -> list[int]:
    """Return the numbers of the turns that were movements."""
    return [i for i, turn in enumerate(game.turns) if turn.resolution.before.phase.kind is PhaseKind.MOVEMENT]


def count_accuracy(judged: Sequence[JudgedOrders]) -> tuple[PlayerAccuracy, ...]:
    """Return the accuracy of each power, the most accurate first."""
    powers = dict.fromkeys(one.power for one in judged)
    found = [_count_of(power, [one for one in judged if one.power == power]) for power in powers]
    return tuple(sorted(found, key=lambda one: -one.accuracy))


def _count_of(power: str, judged: Sequence[JudgedOrders]) -> PlayerAccuracy:
    accuracy = 100 * fmean(exp(-one.loss / SOFT) for one in judged)
    grades = {name: sum(one.grade == name for one in judged) for name in reversed(GRADES)}
    return PlayerAccuracy(power, accuracy, len(judged), grades)

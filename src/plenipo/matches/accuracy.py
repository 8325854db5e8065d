"""The accuracy of orders: their loss against the best plan known at the time; pure.

A movement is rated by the facts its power could know before it: plans are searched for and compared in samples of the
others' orders. The orders that the others then gave are not looked at. Losses are measured by par, the share of the
board that all powers have when they are equal, so that the same grades hold on every board.
"""

from collections.abc import Callable, Container, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from statistics import fmean

from plenipo.bots import WeighedOrders, weigh_orders
from plenipo.engine.calendar import PhaseKind
from plenipo.engine.history.game import Game
from plenipo.engine.history.view import View, view
from plenipo.engine.orders import MovementOrder, Order
from plenipo.engine.phases.legality import Legality, LegalOrders
from plenipo.engine.position import Power

__all__ = [
    "HALVING_LOSS",
    "LEAST_LOSSES",
    "Grade",
    "PowerAccuracy",
    "RatedOrders",
    "Weigh",
    "average_accuracies",
    "find_difference",
    "grade_loss",
    "list_movements",
    "rate_loss",
    "rate_order_set",
    "rate_orders",
    "weigh_by_search",
]

Weigh = Callable[[View, LegalOrders, Sequence[Order]], WeighedOrders | None]
"""Weighs the orders of a power against the best plan known; None where nothing can be searched."""


class Grade(StrEnum):
    """The grade of the orders of a movement, by their loss."""

    GOOD = "good"
    INACCURACY = "inaccuracy"
    MISTAKE = "mistake"
    BLUNDER = "blunder"


LEAST_LOSSES = {Grade.BLUNDER: 0.3, Grade.MISTAKE: 0.2, Grade.INACCURACY: 0.1}
"""The least loss of each grade in parts of par, the worst first.

A centre more, among equal powers of five centres, is about a third of par: a blunder loses a centre.
"""

HALVING_LOSS = 0.3
"""The loss in parts of par that halves the accuracy."""


@dataclass(frozen=True)
class RatedOrders:
    """The orders of a power in a movement, beside the best plan known at the time.

    The orders themselves are the plan if none is better. `loss` is the share of the board lost against the plan,
    `accuracy` goes from 0 to 100.
    """

    turn: int
    phase: str
    power: str
    given: tuple[str, ...]
    plan: tuple[str, ...]
    loss: float
    accuracy: float
    grade: Grade


@dataclass(frozen=True)
class PowerAccuracy:
    """The accuracy of a power over a game, from 0 to 100, the number of its movements, and how many had each grade."""

    power: str
    accuracy: float
    movements: int
    grades: Mapping[Grade, int]


def grade_loss(loss: float, par: float) -> Grade:
    """Return the grade of a loss, both in shares of the board."""
    return next((grade for grade, least in LEAST_LOSSES.items() if loss >= least * par), Grade.GOOD)


def rate_loss(loss: float, par: float) -> float:
    """Return the accuracy of orders with a loss, from 0 to 100; 100 for none."""
    return float(100 * 0.5 ** (loss / (HALVING_LOSS * par)))


def weigh_by_search(view: View, legal: LegalOrders, orders: Sequence[Order]) -> WeighedOrders | None:
    """Weigh orders by the search, with the same seed for every movement: an analysis is the same each time."""
    return weigh_orders(view, legal, orders, 1)


def list_movements(game: Game) -> list[int]:
    """Return the numbers of the turns that were movements."""
    return [i for i, turn in enumerate(game.turns) if turn.resolution.before.phase.kind is PhaseKind.MOVEMENT]


def rate_order_set(
    game: Game, turn: int, power: Power, orders: Sequence[Order], weigh: Weigh = weigh_by_search
) -> RatedOrders | None:
    """Rate orders of a power in a movement of a game by the facts it could know then; None where nothing is sought."""
    seen = view(game.fork(turn), power, {})
    legal = Legality(seen.rules, seen.position).orders_of(power)
    weighed = weigh(seen, legal, orders) if legal.units else None
    if weighed is None:
        return None
    loss, par = weighed.best - weighed.given, 1 / len(game.rules.names)
    return RatedOrders(
        turn,
        str(game.turns[turn].resolution.before.phase),
        str(power),
        tuple(map(str, orders)),
        tuple(map(str, weighed.plan)),
        loss,
        rate_loss(loss, par),
        grade_loss(loss, par),
    )


def rate_orders(
    game: Game, turn: int, weigh: Weigh = weigh_by_search, *, but: Container[str] = ()
) -> tuple[RatedOrders, ...]:
    """Rate the orders that each power gave in a movement, `but` those of some powers."""
    outcomes = game.turns[turn].resolution.outcomes
    rated = []
    for power in (one for one in game.rules.names if one not in but):
        given = [one.order for one in outcomes if one.power == power and isinstance(one.order, MovementOrder)]
        rated.append(rate_order_set(game, turn, power, given, weigh))
    return tuple(one for one in rated if one is not None)


def find_difference(rated: RatedOrders) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the given orders that the best plan does not have, and the orders of the plan that were not given."""
    return (
        tuple(order for order in rated.given if order not in rated.plan),
        tuple(order for order in rated.plan if order not in rated.given),
    )


def average_accuracies(rated: Sequence[RatedOrders]) -> tuple[PowerAccuracy, ...]:
    """Return the accuracy of each power as the mean over its movements, the most accurate power first."""
    powers = dict.fromkeys(one.power for one in rated)
    found = [_average([one for one in rated if one.power == power]) for power in powers]
    return tuple(sorted(found, key=lambda one: -one.accuracy))


def _average(rated: Sequence[RatedOrders]) -> PowerAccuracy:
    grades = {grade: sum(one.grade is grade for one in rated) for grade in Grade}
    return PowerAccuracy(rated[0].power, fmean(one.accuracy for one in rated), len(rated), grades)

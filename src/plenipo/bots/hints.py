"""Hints for a learner: plans for the phase at hand, what each expects, and what it has to fear.

The plans are those that the search compared. The expected results of one come from adjudicating it with all orders
that the search assumed for the others: how often a centre is reached, a unit driven out, a move stood off.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from plenipo.engine.calendar import PhaseKind
from plenipo.engine.dice import Dice
from plenipo.engine.history.game import Game
from plenipo.engine.history.view import View
from plenipo.engine.orders import Move, Order
from plenipo.engine.outcome import Resolution
from plenipo.engine.phases.legality import LegalOrders
from plenipo.engine.phases.step import OrderSets
from plenipo.engine.position import Power
from plenipo.engine.sentences import SentenceKind

__all__ = ["Hint", "hints"]

_OFTEN = SentenceKind(
    "hint-often", "{result} ({number} of {samples}).", note="A result, and how often it came: '7 of 9'."
)
_DRIVES_OUT = SentenceKind("hint-drives-out", "{unit} of {power} is driven out")
_REACHES = SentenceKind("hint-reaches", "{unit} reaches {place}")
_STAYS = SentenceKind("hint-stays", "{unit} stays in {place}")
_DRIVEN_OUT = SentenceKind("hint-driven-out", "{unit} is driven out by {other} of {power}")
_FAILS = SentenceKind("hint-fails", "{order} fails")
_STOPPED = SentenceKind("hint-stopped", "{order} fails, stopped by {other} of {power}")
_ENTERS = SentenceKind("hint-enters", "{power} enters {place}")

MOST_TOLD = 4
"""The largest number of expectations, and of fears, that a plan shows."""

LIKELY, POSSIBLE = 0.5, 0.1
"""From which part of the samples on a gain is expected, and a loss is feared."""


@dataclass(frozen=True)
class Hint:
    """A plan: its orders, the share of the board it promises (0 if that is not known), and what may come of it."""

    orders: tuple[Order, ...]
    share: float
    expects: tuple[str, ...] = ()
    fears: tuple[str, ...] = ()


def hints(
    view: View,
    legal: LegalOrders,
    plans: Sequence[tuple[tuple[Order, ...], float]],
    samples: Sequence[OrderSets],
    most: int,
) -> tuple[Hint, ...]:
    """`most` of the plans, which are the best first; those that differ in more than one order before the others."""
    chosen: list[tuple[tuple[Order, ...], float]] = []
    for fewest in (2, 1):
        for plan in plans:
            apart = [len(set(plan[0]) - set(other)) for other, _ in chosen]
            if len(chosen) < most and all(count >= fewest for count in apart):
                chosen.append(plan)
    chosen.sort(key=lambda plan: -plan[1])
    return tuple(Hint(orders, share, *_foresee_results(view, legal.power, orders, samples)) for orders, share in chosen)


def _foresee_results(
    view: View, power: Power, orders: Sequence[Order], samples: Sequence[OrderSets]
) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return what a plan expects and what it fears, by its results in each sample."""
    expects: Counter[str] = Counter()
    fears: Counter[str] = Counter()
    if view.position.phase.kind is not PhaseKind.MOVEMENT:
        return (), ()
    for sample in samples:
        came = Game(view.rules, view.position, dice=Dice(bytes(32))).adjudicate({**sample, power: tuple(orders)})
        if isinstance(came, Resolution):
            expects.update(_gains(view, power, came))
            fears.update(_losses(view, power, came))
    return _often(expects, len(samples), LIKELY), _often(fears, len(samples), POSSIBLE)


def _often(counted: Counter[str], of: int, least: float) -> tuple[str, ...]:
    """Return the sentences that are true of at least such a part of the samples, the most frequent first."""
    ranked = sorted(counted.items(), key=lambda item: (-item[1], item[0]))
    often = [(result, number) for result, number in ranked if number >= least * of]
    return tuple(_OFTEN(result=result, number=number, samples=of) for result, number in often[:MOST_TOLD])


def _gains(view: View, power: Power, came: Resolution) -> set[str]:
    """Return the gains of a power: centres of others that its units reach or stay in, and units that it dislodges."""
    board = view.rules.board_at(view.position)
    told: set[str] = set()
    for outcome in came.outcomes:
        unit, by = outcome.unit, outcome.dislodged_by
        if unit is None:
            continue
        if unit.power != power:
            if by is not None and by.power == power:
                told.add(_DRIVES_OUT(unit=unit, power=unit.power))
            continue
        moved = isinstance(outcome.order, Move) and outcome.succeeded
        space = board.spaces[outcome.order.to.space if moved and isinstance(outcome.order, Move) else unit.space]
        if space.centre and by is None and view.position.owners.get(space.code) != power:
            told.add((_REACHES if moved else _STAYS)(unit=unit, place=space.name))
    return told


def _losses(view: View, power: Power, came: Resolution) -> set[str]:
    """Return the losses of a power: units driven out, moves that fail, and foreign units in its centres."""
    board = view.rules.board_at(view.position)
    told: set[str] = set()
    for outcome in came.outcomes:
        if outcome.power != power or outcome.unit is None:
            continue
        if outcome.dislodged_by is not None:
            by = outcome.dislodged_by
            told.add(_DRIVEN_OUT(unit=outcome.unit, other=by, power=by.power))
        elif isinstance(outcome.order, Move) and not outcome.succeeded:
            rivals = [unit for unit in outcome.cause.by if unit.power != power]
            if rivals:
                told.add(_STOPPED(order=outcome.order, other=rivals[0], power=rivals[0].power))
            else:
                told.add(_FAILS(order=outcome.order))
    for unit in came.after.units:
        space = board.spaces.get(unit.space)
        if space is None:
            continue  # the phase has changed the board
        before = view.position.unit_at(unit.space)
        came_in = before is None or before.power != unit.power
        if unit.power != power and view.position.owners.get(unit.space) == power and came_in:
            told.add(_ENTERS(power=unit.power, place=space.name))
    return told

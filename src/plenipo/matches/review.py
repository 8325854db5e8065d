"""Reviewing a game: the expectation of each power, the turning points, the best order missed; pure."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from itertools import pairwise
from statistics import fmean
from typing import Any

from plenipo.bots import Bot, estimate_shares
from plenipo.engine.calendar import PhaseKind
from plenipo.engine.history.game import Game
from plenipo.engine.history.view import view
from plenipo.engine.orders import MovementOrder
from plenipo.engine.outcome import Resolution
from plenipo.engine.phases.legality import Legality
from plenipo.engine.position import Power
from plenipo.matches.accuracy import (
    JudgedOrders,
    PlayerAccuracy,
    Weigh,
    count_accuracy,
    judge_orders,
    list_movements,
)
from plenipo.matches.lineup import chance_of, random_of
from plenipo.matches.referee import shares

__all__ = ["Expect", "MissedOrder", "Review", "TurningPoint", "by_playing", "by_policy", "by_standing", "review"]

Expect = Callable[[Game], Mapping[Power, float]]
"""The expectation of each power in an unfinished game: its share of the board, adding up to 1."""

FEW = 3
"""Number of the better-looking orders for which playouts are run."""

LEAST = 0.01
"""The smallest share to report."""


def by_standing(game: Game) -> dict[Power, float]:
    """Return the share of the squares of the scores, counting occupied centres as owned."""
    rules, position = game.rules, game.position
    if position.winners:
        return {Power(power): share for power, share in shares(rules, position).items()}
    owners = dict(position.owners)
    for unit in position.units:
        if rules.board_at(position).spaces[unit.space].centre and unit.power in rules.names:
            owners[unit.space] = unit.power
    after = replace(position, owners=owners)
    return {Power(power): share for power, share in shares(rules, after).items()}


def by_playing(player: Bot, *, movements: int, times: int, seed: bytes) -> Expect:
    """Return an estimator: the mean of `by_standing` after so many movements of `player` in all seats, so many times.

    The chance of a numbered playout is the same for every position, so that two can be compared.
    """

    def expect(game: Game) -> dict[Power, float]:
        if game.over:
            return by_standing(game)
        ends = [
            by_standing(_played_on(game, player, movements, chance_of(seed, str(i), Power("")))) for i in range(times)
        ]
        return {power: fmean(end[power] for end in ends) for power in game.rules.names}

    return expect


def by_policy(*, movements: int, times: int) -> Expect:
    """Return an estimator that plays so many movements by the compiled policy, so many times, or `by_standing`.

    It is a hundred times as fast as `by_playing`. The chance of a numbered playout is the same for every position.
    """

    def expect(game: Game) -> Mapping[Power, float]:
        if game.over:
            return by_standing(game)
        return estimate_shares(game.rules, game.position, 1, movements, times) or by_standing(game)

    return expect


def _played_on(game: Game, player: Bot, movements: int, seed: bytes) -> Game:
    left, number = movements, 0
    while not game.over:
        position = game.position
        if position.phase.kind is PhaseKind.MOVEMENT:
            if not left:
                break
            left -= 1
        legality = Legality(game.rules, position)
        number += 1
        game = game.process(
            {
                power: player(
                    view(game, power, {}),
                    legality.orders_of(power),
                    random_of(chance_of(seed, f"{number} {position.phase.kind}", power)),
                )
                for power in view(game, None, {}).may_order
            }
        )
    return game


@dataclass(frozen=True)
class MissedOrder:
    """A better order of a power, all other orders being as they were: the given one, the missed one, the gain.

    `gain` is the additional share of the board it could have expected.
    """

    power: str
    given: str
    better: str
    gain: float


@dataclass(frozen=True)
class TurningPoint:
    """A turning point: its number, from 0, its phase, the change of each power's share, and misses."""

    turn: int
    phase: str
    change: Mapping[str, float]
    missed: tuple[MissedOrder, ...]


@dataclass(frozen=True)
class Review:
    """The review of a game.

    `turns` are the numbers of the movements, from 0, and the number of turns of the game in the end; `phases` are their
    names and `shares` the expectation of each power just before each. `turning` are the greatest changes first.
    """

    title: str
    turns: tuple[int, ...]
    phases: tuple[str, ...]
    shares: Mapping[str, tuple[float, ...]]
    turning: tuple[TurningPoint, ...]
    accuracy: tuple[PlayerAccuracy, ...] = ()
    """The accuracy of each power, the most accurate first; empty if orders were not judged."""
    judged: tuple[JudgedOrders, ...] = ()
    """The orders with a grade, the greatest loss first."""

    def to_json(self) -> dict[str, Any]:
        """Return the review as JSON."""
        return asdict(self)


def review(
    game: Game,
    expect: Expect,
    *,
    most: int = 5,
    told: Callable[[int, int], None] = lambda _done, _of: None,
    weigh: Weigh | None = None,
) -> Review:
    """Review a game; describe `most` turns in full, and report progress to `told`.

    With a `weigh` the orders of each movement are judged.
    """
    moves = list_movements(game)
    marks = [*moves, len(game.turns)]
    steps = len(marks) + len(moves) * (weigh is not None)
    expected: list[Mapping[Power, float]] = []
    for number in marks:
        expected.append(expect(game if number == len(game.turns) else game.fork(number)))
        told(len(expected), steps)
    judged: list[JudgedOrders] = []
    for done, number in enumerate(moves if weigh is not None else (), len(marks) + 1):
        judged += judge_orders(game, number, weigh) if weigh is not None else ()
        told(done, steps)
    names = game.rules.names
    changes = [{power: after[power] - before[power] for power in names} for before, after in pairwise(expected)]
    greatest = sorted(range(len(moves)), key=lambda i: (-sum(map(abs, changes[i].values())), i))[:most]
    return Review(
        game.rules.title,
        tuple(marks),
        (*(str(game.turns[i].resolution.before.phase) for i in moves), str(game.position.phase)),
        {str(power): tuple(one[power] for one in expected) for power in names},
        tuple(
            TurningPoint(
                moves[i],
                str(game.turns[moves[i]].resolution.before.phase),
                {str(power): change for power, change in changes[i].items() if abs(change) >= LEAST},
                find_missed_orders(game, moves[i], expect),
            )
            for i in greatest
        ),
        count_accuracy(judged),
        tuple(sorted((one for one in judged if one.grade), key=lambda one: -one.loss)),
    )


def find_missed_orders(game: Game, turn: int, expect: Expect) -> tuple[MissedOrder, ...]:
    """Return the best single order that each power missed in a movement, other orders being as they were; best first.

    Every other legal order of every unit is adjudicated and evaluated by the resulting positions of units; the few that
    look best are evaluated by `expect`.
    """
    before, resolution = game.fork(turn), game.turns[turn].resolution
    real = expect(_gone_on(before, resolution))
    missed_orders = []
    for power in game.rules.names:
        best = _find_missed_order(before, resolution, power, expect, real[power])
        if best is not None:
            missed_orders.append(best)
    return tuple(sorted(missed_orders, key=lambda one: -one.gain))


def _find_missed_order(
    before: Game, resolution: Resolution, power: Power, expect: Expect, real: float
) -> MissedOrder | None:
    rules, position = before.rules, before.position
    legal = Legality(rules, position).orders_of(power)
    given = {outcome.unit: outcome for outcome in resolution.outcomes if outcome.unit is not None}
    order_sets = _order_sets(resolution)
    there = by_standing(_gone_on(before, resolution))[power]
    looks: list[tuple[float, str, str, Game]] = []
    for unit in legal.units:
        outcome = given.get(unit)
        ordered = str(outcome.order) if outcome is not None and outcome.order is not None else "no order"
        for order in legal.of(unit):
            if str(order) == ordered or not isinstance(order, MovementOrder):
                continue
            others = [other for other in order_sets.get(power, ()) if other.unit.location.space != unit.space]
            came = before.adjudicate({**order_sets, power: [*others, order]})
            if isinstance(came, Resolution):
                after = _gone_on(before, came)
                gain = by_standing(after)[power] - there
                if gain > 0:
                    looks.append((gain, ordered, str(order), after))
    looks.sort(key=lambda look: (-look[0], look[2]))
    judged = [
        MissedOrder(power, ordered, order, expect(after)[power] - real) for _, ordered, order, after in looks[:FEW]
    ]
    best = max(judged, key=lambda one: one.gain, default=None)
    return best if best is not None and best.gain >= LEAST else None


def _order_sets(resolution: Resolution) -> dict[Power, Sequence[MovementOrder]]:
    order_sets: dict[Power, list[MovementOrder]] = {}
    for outcome in resolution.outcomes:
        if isinstance(outcome.order, MovementOrder):
            order_sets.setdefault(outcome.power, []).append(outcome.order)
    return dict(order_sets)


def _gone_on(before: Game, resolution: Resolution) -> Game:
    """Return the game at the position that follows, without its history: enough to look ahead from."""
    return Game(before.rules, resolution.after, dice=before.dice)

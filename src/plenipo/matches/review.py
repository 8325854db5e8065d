"""Reviewing a game: the expectation of each power, the turning points, the accuracy of the orders; pure."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from itertools import pairwise
from statistics import fmean
from typing import Any

from plenipo.bots import Bot, estimate_shares
from plenipo.engine.calendar import PhaseKind
from plenipo.engine.history.game import Game
from plenipo.engine.history.view import view
from plenipo.engine.phases.legality import Legality
from plenipo.engine.position import Power
from plenipo.matches.accuracy import (
    PowerAccuracy,
    RatedOrders,
    Weigh,
    average_accuracies,
    list_movements,
    rate_orders,
)
from plenipo.matches.lineup import chance_of, random_of
from plenipo.matches.openings import NamedOpening, name_openings
from plenipo.matches.referee import shares

__all__ = ["Expect", "Review", "TurningPoint", "by_playing", "by_policy", "by_standing", "review"]

Expect = Callable[[Game], Mapping[Power, float]]
"""The expectation of each power in an unfinished game: its share of the board, adding up to 1."""

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
class TurningPoint:
    """A turning point: its number, from 0, its phase, and the change of each power's share."""

    turn: int
    phase: str
    change: Mapping[str, float]


@dataclass(frozen=True)
class Review:
    """The review of a game.

    `turns` are the numbers of the movements, from 0, and the number of turns of the game in the end; `phases` are their
    names and `shares` the expectation of each power just before each. `turning` are the greatest changes first.
    `rated` are the orders of all powers, turn by turn, and `accuracies` their means, the most accurate power first;
    both are empty where orders are not rated. `accuracy` is the mean over all orders, None without any. `openings` are
    the names of the powers' openings, for those that have one.
    """

    title: str
    turns: tuple[int, ...]
    phases: tuple[str, ...]
    shares: Mapping[str, tuple[float, ...]]
    turning: tuple[TurningPoint, ...]
    rated: tuple[RatedOrders, ...] = ()
    accuracies: tuple[PowerAccuracy, ...] = ()
    accuracy: float | None = None
    openings: Mapping[str, str] = field(default_factory=dict)

    def to_json(self) -> dict[str, Any]:
        """Return the review as JSON."""
        return asdict(self)


def review(
    game: Game,
    expect: Expect,
    *,
    most: int = 5,
    weigh: Weigh | None = None,
    openings: Sequence[NamedOpening] = (),
    told: Callable[[int, int], None] = lambda _done, _of: None,
) -> Review:
    """Review a game with its `most` important turns, rate its orders by `weigh`, and report progress to `told`.

    `openings` are the openings that have a name. Their orders are not rated: the search expects every neighbour to
    attack, and calls sound openings blunders.
    """
    moves = list_movements(game)
    marks = [*moves, len(game.turns)]
    steps = len(marks) + (len(moves) if weigh else 0)
    expected: list[Mapping[Power, float]] = []
    for number in marks:
        expected.append(expect(game if number == len(game.turns) else game.fork(number)))
        told(len(expected), steps)
    rated: list[RatedOrders] = []
    named = name_openings(game, openings)
    if weigh:
        for done, number in enumerate(moves, len(marks) + 1):
            rated += rate_orders(game, number, weigh, but=named if number == moves[0] else ())
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
            )
            for i in greatest
        ),
        tuple(rated),
        average_accuracies(rated),
        fmean(one.accuracy for one in rated) if rated else None,
        named,
    )

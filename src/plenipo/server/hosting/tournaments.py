"""Tournaments: the seating of rounds, and the standings, as pure functions.

A round has as many boards as its players need; seats that are left over are played by computers. The seating spreads
the powers, so that a player has another one in each round, and the opponents, so that few people meet twice.
"""

import math
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations
from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from plenipo.engine.position import Power
from plenipo.engine.sentences import SentenceKind
from plenipo.server.errors import TournamentRefused
from plenipo.server.hosting.scoring import Scoring
from plenipo.validation import clause

__all__ = [
    "MOST_PLAYERS",
    "BoardSeats",
    "PlayerStanding",
    "RandomBelow",
    "TournamentPlan",
    "cost_of",
    "plan_of",
    "rank_players",
    "seat_round",
]

_PLAN_INVALID = SentenceKind("server-tournament-plan-invalid", "'{value}' is not a value of '{name}': {fault}.")
_PLAYERS_FEW = SentenceKind(
    "server-tournament-players-few", "A round needs at least two players, and there are {count}."
)

MOST_PLAYERS = 350
"""The most players of a tournament."""

MOST_ROUNDS = 12
"""The most rounds of a tournament."""

POWER_AGAIN, MEET_AGAIN = 20, 3
"""The costs of a power that a player has had, and of two players who have met, for each earlier time."""

SWAPS = 40
"""The exchanges that are tried for each seat of a round."""

RandomBelow = Callable[[int], int]
"""A random whole number from 0 to below the argument."""

BoardSeats = Mapping[Power, str]
"""A board of a round: its powers, and the person who plays each; a power without one is played by a computer."""


class TournamentPlan(BaseModel):
    """The plan of a tournament: its rounds, the scoring system, and how many of the best rounds count (0: all).

    `computer` is the computer player of seats that are left over, empty for the usual one.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    rounds: Annotated[int, Field(ge=1, le=MOST_ROUNDS)] = 2
    scoring: Scoring = "Draw size"
    counted: Annotated[int, Field(ge=0, le=MOST_ROUNDS)] = 0
    computer: Annotated[str, Field(max_length=200)] = ""


def plan_of(values: Mapping[str, object]) -> TournamentPlan:
    """Parse a plan from a form or a database; raise `TournamentRefused` for a value that is none."""
    try:
        return TournamentPlan.model_validate(dict(values))
    except ValidationError as fault:
        errors = fault.errors()
        name, value = ".".join(map(str, errors[0]["loc"])), str(errors[0]["input"])[:60]
        raise TournamentRefused(_PLAN_INVALID(value=value, name=name, fault=clause(errors))) from fault


# Seating


@dataclass(frozen=True)
class _Earlier:
    """The earlier rounds, as counts: of the powers that players had, and of the pairs that met."""

    had: Counter[tuple[str, Power]]
    met: Counter[frozenset[str]]

    @classmethod
    def of(cls, boards: Sequence[BoardSeats]) -> "_Earlier":
        """Count what happened on boards of earlier rounds."""
        had = Counter((person, power) for board in boards for power, person in board.items())
        met = Counter(frozenset(pair) for board in boards for pair in combinations(board.values(), 2))
        return cls(had, met)

    def cost(self, powers: Sequence[Power], seats: Sequence[str], board: int) -> int:
        """Return the cost of a board among `seats`, which has a person or an empty text for each power in turn."""
        here = seats[board * len(powers) : (board + 1) * len(powers)]
        again = sum(self.had[person, power] for power, person in zip(powers, here, strict=True) if person)
        meetings = sum(self.met[frozenset(pair)] for pair in combinations(filter(None, here), 2))
        return POWER_AGAIN * again + MEET_AGAIN * meetings


def seat_round(
    players: Sequence[str], powers: Sequence[Power], earlier: Sequence[BoardSeats], draw: RandomBelow
) -> tuple[BoardSeats, ...]:
    """Return the boards of a round, with as little repeated as an exchange of two seats can reach.

    The players are spread evenly, so that no board has two more computers than another. Raise `TournamentRefused` for
    fewer than two players.
    """
    if len(players) < 2:
        raise TournamentRefused(_PLAYERS_FEW(count=len(players)))
    boards, size = math.ceil(len(players) / len(powers)), len(powers)
    known = _Earlier.of(earlier)
    seats = _deal(players, boards, size, draw)
    costs = [known.cost(powers, seats, board) for board in range(boards)]
    for _ in range(SWAPS * len(seats)):
        if not any(costs):
            break
        one, two = draw(len(seats)), draw(len(seats))
        here = sorted({one // size, two // size})
        if seats[one] == seats[two] or (len(here) == 2 and not (seats[one] and seats[two])):
            continue  # computers stay on their boards
        seats[one], seats[two] = seats[two], seats[one]
        after = [known.cost(powers, seats, board) for board in here]
        if sum(after) <= sum(costs[board] for board in here):
            for board, cost in zip(here, after, strict=True):
                costs[board] = cost
        else:
            seats[one], seats[two] = seats[two], seats[one]
    return tuple(
        {power: person for power, person in zip(powers, seats[board * size :], strict=False) if person}
        for board in range(boards)
    )


def _deal(players: Sequence[str], boards: int, size: int, draw: RandomBelow) -> list[str]:
    """Return the seats of all boards, one board after the other, with players dealt to them evenly."""
    order = _shuffle(players, draw)
    seats = []
    for board in range(boards):
        here = order[board::boards]
        seats += _shuffle([*here, *[""] * (size - len(here))], draw)
    return seats


def _shuffle(names: Sequence[str], draw: RandomBelow) -> list[str]:
    left = list(names)
    return [left.pop(draw(len(left))) for _ in names]


def cost_of(boards: Sequence[BoardSeats], powers: Sequence[Power], earlier: Sequence[BoardSeats]) -> int:
    """Return what a round repeats of earlier ones, which `seat_round` makes small."""
    known = _Earlier.of(earlier)
    seats = [board.get(power, "") for board in boards for power in powers]
    return sum(known.cost(powers, seats, number) for number in range(len(boards)))


# Standings


@dataclass(frozen=True)
class PlayerStanding:
    """A player's place, points, and the points of each round: None where there is no result.

    Players with the same points and the same best round share a place.
    """

    place: int
    person: str
    points: Fraction
    rounds: tuple[Fraction | None, ...]


def rank_players(
    players: Sequence[str], scores: Sequence[Mapping[str, Fraction]], counted: int = 0
) -> tuple[PlayerStanding, ...]:
    """Return the standings after rounds with these scores, best first; `counted` best rounds count, 0 for all.

    The best single round breaks ties; players who are still equal share a place and stand in the order of `players`.
    """
    lines = []
    for person in players:
        rounds = tuple(score.get(person) for score in scores)
        played = sorted((points for points in rounds if points is not None), reverse=True)
        lines.append((sum(played[: counted or None], Fraction(0)), max(played, default=Fraction(0)), person, rounds))
    lines.sort(key=lambda line: line[:2], reverse=True)
    standings: list[PlayerStanding] = []
    for number, (points, best, person, rounds) in enumerate(lines):
        equal = number > 0 and lines[number - 1][:2] == (points, best)
        standings.append(PlayerStanding(standings[-1].place if equal else number + 1, person, points, rounds))
    return tuple(standings)

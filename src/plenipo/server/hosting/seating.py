"""Seating: the assignment of powers to players when a game begins."""

from collections.abc import Callable, Mapping, Sequence

from munkres import Munkres

from plenipo.engine.position import Power

__all__ = ["assign_powers", "sum_of_squares"]


def assign_powers(
    players: Mapping[int, Sequence[Power]],
    powers: Sequence[Power],
    shuffled: Callable[[str, Sequence[str]], Sequence[str]],
) -> dict[int, Power]:
    """Return the assignment of powers: players by number, each with a preference list, best first, empty for any.

    The sum of the squared ranks is as small as it can be; a power that is not on a list ranks after all that are,
    and for an empty list all rank alike. The dice decide between equal assignments: `shuffled` returns its
    argument in random order, under a name.
    """
    numbers = [int(number) for number in shuffled("players", [str(number) for number in players])]
    columns = [Power(power) for power in shuffled("powers", powers)]
    costs = [[_rank(players[number], power) ** 2 for power in columns] for number in numbers]
    pairs = Munkres().compute(costs) if costs else []
    return {numbers[row]: columns[column] for row, column in sorted(pairs, key=lambda pair: numbers[pair[0]])}


def _rank(preferences: Sequence[Power], power: Power) -> int:
    """Return the rank of a power in a preference list, from 0."""
    return preferences.index(power) if power in preferences else len(preferences)


def sum_of_squares(players: Mapping[int, Sequence[Power]], seats: Mapping[int, Power]) -> int:
    """Return the sum of the squared ranks of an assignment, which `assign_powers` minimises."""
    return sum(_rank(preferences, seats[number]) ** 2 for number, preferences in players.items())

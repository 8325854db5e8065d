"""Seats: who plays what when a game begins."""

from collections.abc import Callable, Mapping, Sequence

from munkres import Munkres

from plenipo.engine.position import Power

__all__ = ["dealt", "sum_of_squares"]


def dealt(
    players: Mapping[int, Sequence[Power]],
    powers: Sequence[Power],
    shuffled: Callable[[str, Sequence[str]], Sequence[str]],
) -> dict[int, Power]:
    """Who plays what: players by number, each with the powers wished for, best first; no wish means any.

    The sum of the squared ranks is as small as it can be; a power that was not wished for ranks after all that were,
    and for who wished for nothing all are alike. Among deals that are alike the dice decide: `shuffled` brings what
    it is given into an order by chance, under a name.
    """
    numbers = [int(number) for number in shuffled("players", [str(number) for number in players])]
    columns = [Power(power) for power in shuffled("powers", powers)]
    costs = [[_rank(players[number], power) ** 2 for power in columns] for number in numbers]
    pairs = Munkres().compute(costs) if costs else []
    return {numbers[row]: columns[column] for row, column in sorted(pairs, key=lambda pair: numbers[pair[0]])}


def _rank(wishes: Sequence[Power], power: Power) -> int:
    """The rank of a power in a list of wishes, from 0."""
    return wishes.index(power) if power in wishes else len(wishes)


def sum_of_squares(players: Mapping[int, Sequence[Power]], seats: Mapping[int, Power]) -> int:
    """The sum of the squared ranks of a deal, which `dealt` makes as small as it can be."""
    return sum(_rank(wishes, seats[number]) ** 2 for number, wishes in players.items())

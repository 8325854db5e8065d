"""Seats: what people may be called, and who plays what when a game begins."""

import unicodedata
from collections.abc import Callable, Mapping, Sequence

from munkres import Munkres

from plenipo.engine.position import GAME_MASTER, Power
from plenipo.server.errors import SeatRefused

__all__ = ["LONGEST", "dealt", "name_of", "sum_of_squares"]

LONGEST = 40
"""The most characters of a name."""

_RESERVED = frozenset({GAME_MASTER.casefold(), "game master", "gamemaster", "keeper", "computer", "plenipo", "nobody"})


def name_of(text: str, powers: Sequence[Power] = (), others: Sequence[str] = ()) -> str:
    """A name as it is shown; raises `SeatRefused` for one that is empty, too long, deceives or is taken.

    It has letters of one script, and is neither the name of a power nor that of an office.
    """
    name = " ".join(unicodedata.normalize("NFKC", text).split())
    if not name:
        raise SeatRefused("A name is needed to sit down.")
    if len(name) > LONGEST:
        raise SeatRefused(f"'{name[:LONGEST]}…' is too long; a name has at most {LONGEST} characters.")
    if not name.isprintable():
        raise SeatRefused("The name has signs that cannot be seen; write it with letters.")
    scripts = {unicodedata.name(letter, "?").partition(" ")[0] for letter in name if letter.isalpha()}
    if len(scripts) > 1:
        raise SeatRefused(f"'{name}' mixes letters of several scripts; write it in one.")
    if name.casefold() in _RESERVED | {power.casefold() for power in powers}:
        raise SeatRefused(f"'{name}' would be taken for somebody else; choose another name.")
    if name.casefold() in {other.casefold() for other in others}:
        raise SeatRefused(f"Somebody is called '{name}' here already; choose another name.")
    return name


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

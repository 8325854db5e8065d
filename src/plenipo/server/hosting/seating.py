"""Seats: what people may be called, and who plays what when a game begins."""

import unicodedata
from collections.abc import Callable, Mapping, Sequence

from plenipo.engine.position import GAME_MASTER, Power
from plenipo.server.errors import SeatRefused

__all__ = ["dealt", "name_of"]

LONGEST = 40
"""The most characters of a name."""

_RESERVED = frozenset({GAME_MASTER.casefold(), "game master", "gamemaster", "keeper", "computer", "plenipo", "nobody"})


def name_of(text: str, powers: Sequence[Power], others: Sequence[str]) -> str:
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
    wishes: Mapping[int, Power | None], powers: Sequence[Power], shuffled: Callable[[Sequence[Power]], Sequence[Power]]
) -> dict[int, Power]:
    """Who plays what: players by number, each with the power taken or None for any, get those that are left as drawn.

    `shuffled` brings the powers that nobody took into an order by chance.
    """
    taken = {number: power for number, power in wishes.items() if power is not None}
    free = iter(shuffled([power for power in powers if power not in taken.values()]))
    return {number: taken[number] if number in taken else next(free) for number in wishes}

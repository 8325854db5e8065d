"""The line-up of a match: its players, and their seats in each game; pure."""

import hashlib
import hmac
import json
from collections.abc import Sequence
from dataclasses import dataclass
from random import Random

from plenipo.engine.amounts import count_things
from plenipo.engine.dice import Dice
from plenipo.engine.position import Power
from plenipo.engine.sentences import say
from plenipo.errors import UnknownName

__all__ = ["LIMIT", "WARM_UP", "YEARS", "Match", "chance_of", "lineup", "seats", "seed_of"]

YEARS = 20
"""Number of calendar years after which an undecided game ends."""

LIMIT = 10.0
"""Processor time an external player may use for a phase, in seconds."""

WARM_UP = 300.0
"""The same for its first orders, which may include compiling or loading."""


@dataclass(frozen=True)
class Match:
    """The plan of a match.

    `players` has a name for each seat, in any order: seats are taken in turn. `sources` gives the source of each name
    that is not an installed computer player: a `file.py:function` or a command. `seed`, 32 bytes, decides all chance.
    """

    variant: str
    players: tuple[str, ...]
    seed: bytes
    games: int = 100
    years: int = YEARS
    options: tuple[tuple[str, str], ...] = ()
    sources: tuple[tuple[str, str], ...] = ()
    limit: float = LIMIT
    votes: bool = False
    """Votes by the computers on draws and concessions at the end of each year."""
    trust: bool = False
    """Permission for the variant to bring code, to be passed to other processes."""
    warm_up: float = WARM_UP
    """Processor time an external player has for its trial orders before the first game, in seconds."""
    daide: tuple[tuple[str, str], ...] = ()
    """The commands of players that are programs for DAIDE, by their names."""

    @property
    def names(self) -> tuple[str, ...]:
        """Each player once, in the order of the line-up."""
        return tuple(dict.fromkeys(self.players))

    @property
    def fingerprint(self) -> str:
        """A short text, equal for two matches if each of their games is the same, however many they play."""
        decides: list[object] = [
            self.variant,
            self.options,
            self.players,
            self.sources,
            self.seed.hex(),
            self.years,
            self.votes,
        ]
        decides += [self.daide] if self.daide else []
        return hashlib.sha256(json.dumps(decides).encode()).hexdigest()[:16]


def lineup(texts: Sequence[str], places: int) -> tuple[str, ...]:
    """Return a player for each of `places` seats: `strong` takes one, `3 strong` takes three, the last all others.

    >>> lineup(["strong", "2 quick", "careless"], 7)
    ('strong', 'quick', 'quick', 'careless', 'careless', 'careless', 'careless')

    Raise `UnknownName` if there are more players than seats, or if a number leaves seats empty.
    """
    players: list[str] = []
    for place, text in enumerate(texts):
        number, _, name = text.strip().partition(" ")
        if not number.isdecimal():
            number, name = "", text.strip()
        if not name or number == "0":
            raise UnknownName(
                say("'{text}' is not a player; write a name, or how many and a name, such as '3 sensible'.", text=text)
            )
        last = place == len(texts) - 1
        players += [name.strip()] * (int(number) if number else max(1, places - len(players)) if last else 1)
    if len(players) != places:
        raise UnknownName(
            say(
                "{texts} makes {number}, and this variant has {places}.",
                texts=" ".join(repr(text) for text in texts),
                number=count_things(len(players), "player"),
                places=count_things(places, "seat"),
            )
        )
    return tuple(players)


def seats(match: Match, powers: Sequence[Power], game: int) -> dict[Power, str]:
    """Return the player of each power in a game.

    In as many consecutive games as there are powers, beginning with a multiple of that number, each player plays once
    in every seat; the neighbours are drawn anew for each such round. Only the shape of the line-up matters: the same
    shape and seed give the same seats.
    """
    places = len(powers)
    order = Dice(match.seed).shuffle(f"seats {game // places}", (f"{place:02}" for place in range(places)))
    return {power: match.players[int(order[(i + game) % places])] for i, power in enumerate(powers)}


def seed_of(match: Match, game: int) -> bytes:
    """Return the seed of all chance in a game, independent of its players."""
    return hmac.digest(match.seed, f"game {game}".encode(), "sha256")


def chance_of(seed: bytes, phase: str, power: Power) -> bytes:
    """Return the seed of a player's chance in a phase of the game with `seed`."""
    return hmac.digest(seed, f"{phase} {power}".encode(), "sha256")


def random_of(seed: bytes) -> Random:
    """Return a source of chance for a player, from its seed."""
    return Random(int.from_bytes(seed[:8], "big"))  # noqa: S311  # a player's whims, not a secret

"""Measure what declarations bring: players that vote, bid, hire and use special actions among the same that do not.

    python scripts/declarations_proof.py --games 20 --out declarations.jsonl
    python scripts/declarations_proof.py --variants fallout congress --level middling --games 40

Every second power declares, and in the next game, with the same seed, the others do. The share of a power is that of
the squares of the centres, or of the victory; the gain is that of a power that declares less that of one that does not,
with its interval of 95 % over such pairs of games. With `--out` each game is kept in a file as a line, and games that
are in it are not played again. Without `--variants` those of the library that have declarations are played.
"""

import argparse
import json
import sys
from collections.abc import Iterator, Sequence
from hashlib import sha256
from pathlib import Path
from random import Random
from typing import Any

from plan_quality import mean_of
from plenipo import bots, library
from plenipo.bots.declaring import declare
from plenipo.bots.sensible import sensible
from plenipo.engine.history.view import View
from plenipo.engine.hooks import RuleModule
from plenipo.engine.orders import Order
from plenipo.engine.phases.legality import LegalOrders
from plenipo.engine.position import Power
from plenipo.engine.rules import Rules
from plenipo.matches.players import Function
from plenipo.matches.referee import play

__all__ = ["find_gains", "list_variants", "play_game"]

YEARS = 10
"""The most years of a game."""

DECLARES, SILENT = "declares", "silent"


def list_variants() -> list[str]:
    """Return the variants of the library in which players may declare something that can be listed."""
    names = (*library.names(), *library.bank())
    return [name for name in names if library.load(name).overriding[RuleModule.offers]]


def make_player(level: str, *, declares: bool) -> Function:
    """Return a player of a level that makes declarations or makes none, and thinks the same otherwise."""

    def by_thumb(view: View, legal: LegalOrders, chance: Random) -> list[Order]:
        orders = sensible(view, legal, chance)
        return declare(view, legal, orders, chance) if declares else orders

    def ahead(view: View, legal: LegalOrders, chance: Random) -> list[Order]:
        return bots.think(view, legal, chance.getrandbits(64), level, declares=declares)

    return Function(DECLARES if declares else SILENT, by_thumb if level == "sensible" else ahead)


def list_declaring_powers(rules: Rules, number: int) -> list[Power]:
    """Return the powers that declare in a game: every second one, and the others in the game that follows."""
    return [power for place, power in enumerate(rules.names) if (place + number // 2 + number) % 2 == 0]


def play_game(variant: str, level: str, number: int, years: int, word: str) -> dict[str, Any]:
    """Play a game; return the mean share of the powers that declare and of the others, and how often they declared."""
    rules = library.load(variant)
    those = list_declaring_powers(rules, number)
    players = {one: make_player(level, declares=one) for one in (True, False)}
    seats = {power: players[power in those] for power in rules.names}
    seed = sha256(f"{word} {variant} {number // 2}".encode()).digest()
    played = play(rules, seats, players[False], number=number, seed=seed, years=years)
    words = tuple(f"{word} " for word in rules.words)
    made = sum(
        order.startswith(words) for turn in played.turns for several in turn.orders.values() for order in several
    )
    shares = {
        name: [played.shares[power] for power in rules.names if (power in those) is one]
        for name, one in ((DECLARES, True), (SILENT, False))
    }
    means = {name: sum(several) / len(several) for name, several in shares.items()}
    key = {"variant": variant, "level": level, "number": number, "years": years, "word": word}
    return {**key, **means, "made": made, "errors": len(played.faults)}


def find_gains(games: Sequence[dict[str, Any]]) -> list[float]:
    """Return the gain of a power that declares, the mean of each pair of games."""
    by_number = {game["number"]: game[DECLARES] - game[SILENT] for game in games}
    return [(by_number[n] + by_number[n + 1]) / 2 for n in sorted(by_number) if n % 2 == 0 and n + 1 in by_number]


def read_games(path: Path | None) -> Iterator[dict[str, Any]]:
    """Yield the games that a file has."""
    if path is not None and path.exists():
        yield from map(json.loads, path.read_text(encoding="utf-8").splitlines())


def main() -> int:
    """Play what is missing, and print a line for each variant."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--variants", nargs="*")
    parser.add_argument("--level", default="sensible", choices=[name for name in bots.BOTS if name != "careless"])
    parser.add_argument("--games", type=int, default=20, help="of each variant; an even number")
    parser.add_argument("--years", type=int, default=YEARS)
    parser.add_argument("--seed", default="declarations", help="any word")
    parser.add_argument("--out", type=Path, help="a file that keeps the games")
    given = parser.parse_args()
    keys = ("variant", "level", "number", "years", "word")
    known = {tuple(game[key] for key in keys): game for game in read_games(given.out)}
    for variant in given.variants or list_variants():
        games = []
        for number in range(given.games):
            key = (variant, given.level, number, given.years, given.seed)
            if key not in known:
                known[key] = play_game(variant, given.level, number, given.years, given.seed)
                if given.out is not None:
                    with given.out.open("a", encoding="utf-8") as file:
                        file.write(json.dumps(known[key]) + "\n")
            games.append(known[key])
        par = 1 / len(library.load(variant).names)
        made = mean_of([game["made"] for game in games], 1)
        print(
            f"{variant:18} {len(games)} games, par {par:.3f}, {made} declarations a game; share of a power with them "
            f"{mean_of([game[DECLARES] for game in games], 3)}, without {mean_of([game[SILENT] for game in games], 3)}"
            f"; gain {mean_of(find_gains(games), 3) if len(games) > 1 else '-'}",
            flush=True,
        )
    return 0


if __name__ == "__main__":
    sys.exit(main())

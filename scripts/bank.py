"""Play every variant of the bank at length: `python scripts/bank.py [--games N] [--years N] [NAME...]`.

Each conforms as those of the package do: its opening, its spaces and names, random games of legal orders, its folder.
It is drawn too, a game is recorded and read again, and where the kernel takes it, its games are the engine's.
Prints a line for each, and every fault.
"""

import argparse
import json
import sys
from collections.abc import Iterator
from pathlib import Path
from random import Random
from time import perf_counter

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))

from plenipo import charts, library
from plenipo.batch import Arena, UnsupportedRules, compile_tables
from plenipo.engine.dice import Dice
from plenipo.engine.history.game import Game
from plenipo.engine.history.record import decode_game, encode_game
from plenipo.errors import PlenipoError
from variants.golden import GOLDEN, golden_game
from variants.test_conformance import (
    of_a_random_game,
    of_the_names,
    of_the_opening,
    of_the_spaces,
    random_orders,
)


def faults(name: str, games: int, years: int) -> Iterator[str]:
    """Everything that is wrong with a variant of the bank, a sentence each."""
    rules = library.load(name)
    yield from map(str, library.check(library.folder_of(name)))
    yield from of_the_opening(rules)
    yield from of_the_names(rules, set(library.read(name).spaces))
    yield from of_the_spaces(rules)
    for seed in range(games):
        yield from of_a_random_game(rules, seed, years)
    chance = Random(games)  # noqa: S311  # only to play
    game = Game.new(rules, Dice(chance.randbytes(32)))
    for _ in range(8):
        if not game.position.winners:
            sheets = random_orders(rules, game.position, chance)
            game = game.process({power: list(orders) for power, orders in sheets.items()})
    if decode_game(encode_game(game), rules) != game:
        yield "the record of a game is not read as the game it was."
    if not charts.chart(name).draw().startswith("<svg"):
        yield "it cannot be drawn."


def agreement(name: str, games: int = 2) -> tuple[str, list[str]]:
    """Whether the kernel takes a variant, and every game in which the engine comes to something else."""
    rules = library.load(name)
    try:
        compile_tables(rules)
    except UnsupportedRules:
        return "engine", []
    arena = Arena(rules, games, seed=bytes(32), keep=range(games))
    arena.play(24)
    differing = []
    for game in range(games):
        try:
            arena.record(game)
        except PlenipoError as fault:
            differing.append(str(fault))
    return "kernel", differing


def main() -> int:
    """Print a line for each variant; returns how many have faults."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("names", nargs="*", metavar="NAME")
    parser.add_argument("--games", type=int, default=3)
    parser.add_argument("--years", type=int, default=12)
    parser.add_argument("--golden", action="store_true", help="write the hashes of the golden games anew, nothing else")
    given = parser.parse_args()
    if given.golden:
        old = json.loads(GOLDEN.read_text("utf-8")) if GOLDEN.is_file() else {}
        new = {name: golden_game(library.load(name)) for name in library.bank()}
        GOLDEN.write_text(json.dumps(new, indent=1) + "\n", encoding="utf-8")
        print("changed:", ", ".join(name for name in new if new[name] != old.get(name)) or "none")
        return 0
    wrong = 0
    for name in given.names or library.bank():
        began = perf_counter()
        found = list(faults(name, given.games, given.years))
        kernel, differing = agreement(name)
        found += differing
        print(f"{name:24} {kernel}  {perf_counter() - began:5.1f} s  {len(found)} faults", flush=True)
        for fault in found:
            print(f"    {fault}")
        wrong += bool(found)
    return wrong


if __name__ == "__main__":
    sys.exit(main())

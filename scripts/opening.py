"""Measure how long it takes to open a game that has not been used for a while, by its length.

Run it with `python scripts/opening.py`. Computer players play a game of each variant; it is stored with so many turns,
and opened by a process that has never seen it: read, viewed from a seat, and asked for its next deadline. The exit
status is 1 if the best of some times is over the limit.
"""

import argparse
import json
import subprocess
import sys
import tempfile
from collections.abc import Iterable
from datetime import UTC, datetime
from pathlib import Path
from random import Random
from time import perf_counter
from typing import Any

from plenipo import library
from plenipo.bots import BOTS, orders_of
from plenipo.engine.dice import Dice
from plenipo.engine.history.game import Game
from plenipo.engine.history.view import view
from plenipo.engine.position import Power
from plenipo.server.boards import keep_boards_in
from plenipo.server.broker import Broker
from plenipo.server.clock import SystemClock
from plenipo.server.hosted_game import HostedGame
from plenipo.server.hosting.schedule import schedule_of
from plenipo.server.hosting.tick import begin_game, tick
from plenipo.server.service import GameService
from plenipo.server.store import Store

LIMITS = {"irish": 150.0}
USUAL = 15.0
"""The limit in milliseconds, and the limit for variants whose boards change."""

TIMES = 7
"""The number of times each game is opened."""


def played(variant: str, turns: int) -> Game:
    """Return a game with so many turns by computer players; one that ends before begins again from its opening."""
    rules, chance = library.load(variant), Random(5)  # noqa: S311  # a player's whims
    game = Game.new(rules, Dice(bytes(32)))
    while len(game.turns) < turns and not game.over:
        order_sets = {}
        for power in rules.names:
            seen = view(game, power, {})
            if power in seen.may_order:
                order_sets[power] = [str(order) for order in orders_of(BOTS["careless"], seen, power, chance)]
        game = game.process(order_sets)
    return game.undo() if game.over else game


def keep(address: str, games: Iterable[Game]) -> None:
    """Put games with a schedule into a store."""
    store = Store(address)
    keep_boards_in(store)
    service = GameService(store, Broker())
    for game in games:
        now = datetime.now(UTC)
        timing = begin_game(schedule_of("Weekdays"), game.rules.names, game.position.phase.kind, now)
        seats = dict.fromkeys(game.rules.names, "")
        name = f"{game.rules.variant}{len(game.turns)}"
        game.rules.board_at(game.position)
        service._open(HostedGame(id=name, name=name, game=game, computers=seats, seating="links", timing=timing))  # noqa: SLF001
    store.close()


def opened(address: str, names: Iterable[str]) -> dict[str, dict[str, float]]:
    """Return the milliseconds of each step for each game, in this process."""
    store, found = Store(address), {}
    keep_boards_in(store)
    service = GameService(store, Broker(), SystemClock())
    for name in names:
        variant = name.rstrip("0123456789")
        other = service.games.load(f"{variant}0")  # a server has seen the variants it plays
        assert other.view(Power(other.rules.names[0]), service.credentials(name, [])).timed is not None  # noqa: S101
        start = perf_counter()
        hosted = service.games.load(name)
        read = perf_counter()
        seen = hosted.view(Power(hosted.rules.names[0]), service.credentials(name, []))
        assert seen.timed is not None  # noqa: S101  # it has a schedule
        assert seen.view.may_order or seen.view.over  # noqa: S101  # a player has something to order
        tick(seen.timed, datetime.now(UTC))
        looked = perf_counter()
        list(hosted.game.turns)
        whole = perf_counter()
        found[name] = {
            "opened": 1000 * (looked - start),
            "read": 1000 * (read - start),
            "its history": 1000 * (whole - looked),
        }
    store.close()
    return found


def main() -> int:
    """Play, store and open the games, and print the times."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n", maxsplit=1)[0])
    parser.add_argument("--times", type=int, default=TIMES)
    parser.add_argument("--lengths", type=int, nargs="+", default=[5, 30, 120])
    parser.add_argument("--variants", nargs="+", default=["standard", "napoleonic", "irish"])
    parser.add_argument("--open", nargs="+", help=argparse.SUPPRESS)
    wishes = parser.parse_args()
    if wishes.open:
        address, *names = wishes.open
        print(json.dumps(opened(address, names)))
        return 0
    with tempfile.TemporaryDirectory() as folder:
        address = str(Path(folder) / "games.sqlite")
        longest = {variant: played(variant, max(wishes.lengths)) for variant in wishes.variants}
        lengths = {
            variant: sorted({min(length, len(game.turns)) for length in wishes.lengths})
            for variant, game in longest.items()
        }
        keep(address, (game.fork(length) for variant, game in longest.items() for length in (0, *lengths[variant])))
        names = [f"{variant}{length}" for variant in longest for length in lengths[variant]]
        times: dict[str, list[dict[str, float]]] = {name: [] for name in names}
        for _ in range(wishes.times):
            for name in names:  # each in a process of its own, which has never seen a board of it
                command = [sys.executable, __file__, "--open", address, name]
                answer: Any = json.loads(subprocess.run(command, check=True, capture_output=True).stdout)  # noqa: S603
                times[name].append(answer[name])
    print(f"{'':12}{'turns':>8}{'opened ms':>12}{'of it read':>12}{'its history ms':>16}")
    late = False
    for variant in longest:
        for length in lengths[variant]:
            best = {
                step: min(one[step] for one in times[f"{variant}{length}"])
                for step in ("opened", "read", "its history")
            }
            print(f"{variant:12}{length:>8}{best['opened']:>12.1f}{best['read']:>12.1f}{best['its history']:>16.1f}")
            late |= best["opened"] > LIMITS.get(variant, USUAL)
    return int(late)


if __name__ == "__main__":
    sys.exit(main())

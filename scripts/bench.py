"""Time what adjudicates, on the same positions in one run: the engine, the kernel, and a peer where there is one.

The positions are from seeded self-play on the standard board, with the orders given in them. The engine gets texts
and gives resolutions with causes; the kernel gets its orders as arrays and gives sets of units; the package `diplomacy`
(its `set_orders` and `process`) is run where it is installed. Then the kernel lists all legal orders, and plays random
games.
Times are of the processor, not of the clock, so that other work on the machine disturbs less.

    python scripts/bench.py [--positions 500] [--rounds 5] [--games 2000]
"""

import argparse
import json
import random
import statistics
import time
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from typing import Any

from plenipo.engine.calendar import PhaseKind
from plenipo.engine.orders import Convoy, Move, Order, Support
from plenipo.engine.phases.legality import Legality
from plenipo.engine.phases.step import process
from plenipo.engine.position import Position, Power
from plenipo.engine.reading.notation import Notation, notation_of
from plenipo.engine.rules import Rules
from plenipo.library import load, names

OrderSets = dict[Power, list[str]]

PEER_NAMES = {"MID": "MAO", "NAT": "NAO", "NRG": "NWG", "GOL": "LYO", "TYN": "TYS", "TYO": "TYR"}


def chosen(rules: Rules, position: Position, rng: random.Random) -> dict[Power, list[Order]]:
    """Return an order for every unit: mostly moves, else supports and convoys that match, as players would."""
    legality = Legality(rules, position)
    order_sets: dict[Power, list[Order]] = {}
    aims: dict[str, Order] = {}
    units = [unit for power in rules.names for unit in legality.orders_of(power).units]
    rng.shuffle(units)
    for unit in units:
        orders = list(legality.orders_of(unit.power).of(unit))
        matching = [
            order
            for order in orders
            if isinstance(order, Support | Convoy)
            and isinstance(aim := aims.get(str(order.other.location)), Move)
            and aim.to == order.to
        ]
        moves = [order for order in orders if isinstance(order, Move)] or orders
        pick = rng.choice(matching if matching and rng.random() < 0.6 else moves if rng.random() < 0.8 else orders)
        aims[str(unit.location)] = pick
        order_sets.setdefault(unit.power, []).append(pick)
    return order_sets


def self_play(rules: Rules, count: int, seed: int = 1901) -> list[tuple[Position, OrderSets]]:
    """Return `count` movement phases from random games, with the orders given in them."""
    rng = random.Random(seed)  # noqa: S311  # seeded chance, not secrets
    found: list[tuple[Position, OrderSets]] = []
    position = rules.opening
    while len(found) < count:
        if position.winners or position.phase.year > rules.calendar.start + 15:
            position = rules.opening
        if position.phase.kind is PhaseKind.MOVEMENT:
            orders = chosen(rules, position, rng)
            found.append(
                (position, {power: [str(order) for order in order_set] for power, order_set in orders.items()})
            )
        else:
            legality = Legality(rules, position)
            orders = {}
            for power in rules.names:
                view = legality.orders_of(power)
                if position.phase.kind is PhaseKind.RETREATS:
                    orders[power] = [rng.choice(list(view.of(unit))) for unit in view.units]
                else:
                    orders[power] = rng.sample(everything := list(view), len(everything))
        position = process(rules, position, orders).after
    return found


def timed(run: Callable[[], None], rounds: int) -> list[float]:
    """Return the seconds of each round."""
    times = []
    for _ in range(rounds):
        start = time.process_time()
        run()
        times.append(time.process_time() - start)
    return times


def report(name: str, seconds: list[float], count: int) -> float:
    """Print and return the microseconds a phase."""
    best, median = (1e6 * value / count for value in (min(seconds), statistics.median(seconds)))
    print(f"{name:12} {best:9.1f} to {median:9.1f} microseconds a movement phase (best to median)")
    return best


def fresh_notation(rules: Rules) -> Notation:
    """Return a reader of orders that remembers no order read before."""
    return Notation(rules.board, rules.powers, rules.words)


def main() -> None:
    """Run the benchmark."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--positions", type=int, default=500)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--games", type=int, default=2000, help="random games the kernel plays on each board")
    arguments = parser.parse_args()
    rules = load("standard")
    samples = self_play(rules, arguments.positions)
    units = statistics.mean(len(position.units) for position, _ in samples)
    print(f"{len(samples)} positions from self-play, {units:.1f} units on average, {arguments.rounds} rounds")

    def ours() -> None:
        notation = fresh_notation(rules)
        for position, order_sets in samples:
            read = {
                power: [notation.read(text, PhaseKind.MOVEMENT) for text in texts]
                for power, texts in order_sets.items()
            }
            process(rules, position, read)

    own = report("plenipo", timed(ours, arguments.rounds), len(samples))
    kernel(rules, samples, arguments.rounds, arguments.games, own)
    peer = peer_run(samples, arguments.rounds)
    if peer is None:
        print("the package 'diplomacy' is not installed here, so there is nothing to compare with")
    else:
        best = report("diplomacy", peer, len(samples))
        print(f"plenipo is {best / own:.1f} times as fast")


MOVEMENTS = 20
"""Adjudicate the movements of a random game, with the retreats and adjustments between them."""


def kernel(rules: Rules, samples: list[tuple[Position, OrderSets]], rounds: int, games: int, engine: float) -> None:
    """Print the kernel's times, if Numba is installed; `engine` is the engine's time."""
    start = time.process_time()
    try:
        from plenipo import batch  # noqa: PLC0415  # Numba is an extra
    except ImportError as fault:
        print(fault)
        return
    print(f"kernel: import {time.process_time() - start:.2f} s", end=", ", flush=True)
    start = time.process_time()
    arena = batch.Arena(rules, len(samples), seed=bytes(32), room=48)
    arena.legal()
    arena.resolve(arena.blank_orders())
    print(f"first calls (compiled, or from the cache) {time.process_time() - start:.2f} s", flush=True)
    orders = arena.blank_orders()
    notation = notation_of(rules)
    units = 0
    for game, (position, order_sets) in enumerate(samples):
        arena.put(game, position)
        legality = Legality(rules, position)
        read = {
            power: [legality.complete(power, notation.read(text, PhaseKind.MOVEMENT)) for text in texts]
            for power, texts in order_sets.items()
        }
        arena.write(orders, game, read)
        units += len(position.units)
    repeats = max(1, 20_000 // len(samples))

    def resolve() -> None:
        for _ in range(repeats):
            arena.resolve(orders)

    def legal() -> None:
        for _ in range(repeats):
            arena.legal()

    best = min(timed(resolve, 3 * rounds)) / repeats
    best *= 1e6 / len(samples)
    print(
        f"kernel       {best:9.2f} microseconds a movement phase of {units / len(samples):.1f} units, orders prepared;"
    )
    print(f"             {engine / best:9.0f} times as fast as the engine with texts and causes")
    listed = len(arena.legal().packed) / len(samples)
    best = min(timed(legal, 3 * rounds)) / repeats
    print(f"kernel       {best * 1e6 / len(samples):9.2f} microseconds to list all {listed:.0f} legal orders")
    random_games(batch.Arena, games, rounds)


def random_games(make: Any, games: int, rounds: int) -> None:
    """Time random games a second and core on every board, and the same in two processes."""
    from growth import by_units  # noqa: PLC0415  # Numba is an extra
    from plenipo.batch import UnsupportedRules  # noqa: PLC0415

    for name in names():
        try:
            arena = make(load(name), games, seed=bytes(32))
        except UnsupportedRules as refused:
            ((units, took),) = by_units(load(name), (30,))
            print(f"{name:12} {took:9.2f} microseconds a movement phase of {units:.0f} units, adjudicated one by one:")
            print(f"{'':22} {refused}")
            continue
        best = min(played(arena) for _ in range(2 * rounds))
        print(f"{name:12} {games / best:9.0f} random games a second and core, {arena.bytes_a_game:.0f} bytes a game")
    with ProcessPoolExecutor(2, mp_context=get_context("spawn")) as pool:
        both = list(pool.map(in_process, [games] * 2, [rounds] * 2))
    print(f"two processes together {sum(both):9.0f} random games a second of the clock")


def played(arena: Any) -> float:
    """Return the processor seconds to play every game of an arena for some movements from the start."""
    arena.reset()
    start = time.process_time()
    arena.play(MOVEMENTS)
    return time.process_time() - start


def in_process(games: int, rounds: int) -> float:
    """Return the games played each second of elapsed time in a separate process."""
    from plenipo.batch import Arena  # noqa: PLC0415

    arena = Arena(load("standard"), games, seed=bytes(32))
    arena.play(MOVEMENTS)
    seconds = []
    for _ in range(2 * rounds):
        arena.reset()
        start = time.perf_counter()
        arena.play(MOVEMENTS)
        seconds.append(time.perf_counter() - start)
    return games / min(seconds)


def peer_run(samples: list[tuple[Position, OrderSets]], rounds: int) -> list[float] | None:
    """Return the seconds of each round of the package `diplomacy` (set_orders and process); None if not installed."""
    try:
        # an oracle on a developer's machine, and no dependency
        from diplomacy import Game  # type: ignore[import-not-found]  # noqa: PLC0415
    except ImportError:
        return None

    def name(text: str) -> str:
        for ours, theirs in PEER_NAMES.items():
            text = text.replace(ours, theirs)
        return text

    start: dict[str, Any] = json.loads(json.dumps(Game().get_state()))
    times = []
    for _ in range(rounds):
        total = 0.0
        for position, order_sets in samples:
            game = Game()
            game.set_state(start | {"name": position.phase.code, "units": peer_units(position, name)})
            orders = {power.upper(): [name(text) for text in texts] for power, texts in order_sets.items()}
            begin = time.process_time()
            for power, texts in orders.items():
                game.set_orders(power, texts)
            game.process()
            total += time.process_time() - begin
        times.append(total)
    return times


def peer_units(position: Position, name: Callable[[str], str]) -> dict[str, list[str]]:
    """Return the units of a position as the peer writes them."""
    units: dict[str, list[str]] = {}
    for unit in position.units:
        units.setdefault(unit.power.upper(), []).append(name(str(unit)))
    return units


if __name__ == "__main__":
    main()

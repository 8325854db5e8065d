"""Time the judge: microseconds a movement phase, text orders in, resolution with causes out.

Runs over positions from seeded self-play on the standard board, and, in the same run and on the same positions and
orders, the package `diplomacy` (its `set_orders` and `process`) where that is installed.

    python scripts/bench.py [--positions 500] [--rounds 5]
"""

import argparse
import json
import random
import statistics
import time
from collections.abc import Callable
from dataclasses import replace
from typing import Any

from plenipo.engine.calendar import PhaseKind
from plenipo.engine.game import notation_of
from plenipo.engine.legality import Legality
from plenipo.engine.orders import Convoy, Move, Order, Support
from plenipo.engine.position import Position, Power
from plenipo.engine.rules import Rules
from plenipo.engine.step import process
from plenipo.library import load

Sheets = dict[Power, list[str]]

PEER_NAMES = {"MID": "MAO", "NAT": "NAO", "NRG": "NWG", "GOL": "LYO", "TYN": "TYS", "TYO": "TYR"}


def chosen(rules: Rules, position: Position, rng: random.Random) -> dict[Power, list[Order]]:
    """An order for every unit: moves most of the time, else supports and convoys that match, as players would."""
    legality = Legality(rules, position)
    sheets: dict[Power, list[Order]] = {}
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
        sheets.setdefault(unit.power, []).append(pick)
    return sheets


def self_play(rules: Rules, count: int, seed: int = 1901) -> list[tuple[Position, Sheets]]:
    """`count` movement phases from games of seeded chance, with the orders given in them."""
    rng = random.Random(seed)  # noqa: S311  # seeded chance, not secrets
    found: list[tuple[Position, Sheets]] = []
    position = rules.opening
    while len(found) < count:
        if position.winners or position.phase.year > rules.calendar.start + 15:
            position = rules.opening
        if position.phase.kind is PhaseKind.MOVEMENT:
            orders = chosen(rules, position, rng)
            found.append((position, {power: [str(order) for order in sheet] for power, sheet in orders.items()}))
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
    """Seconds of each round."""
    times = []
    for _ in range(rounds):
        start = time.perf_counter()
        run()
        times.append(time.perf_counter() - start)
    return times


def report(name: str, seconds: list[float], count: int) -> float:
    """Print and return the microseconds a phase."""
    best, median = (1e6 * value / count for value in (min(seconds), statistics.median(seconds)))
    print(f"{name:12} {best:9.1f} to {median:9.1f} microseconds a movement phase (best to median)")
    return best


def fresh_notation(rules: Rules) -> Rules:
    """The same rules with a reader of their own, so that no order read before is remembered."""
    return replace(rules)


def main() -> None:
    """Run the benchmark."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--positions", type=int, default=500)
    parser.add_argument("--rounds", type=int, default=5)
    arguments = parser.parse_args()
    rules = load("standard")
    samples = self_play(rules, arguments.positions)
    units = statistics.mean(len(position.units) for position, _ in samples)
    print(f"{len(samples)} positions from self-play, {units:.1f} units on average, {arguments.rounds} rounds")

    def ours() -> None:
        notation = notation_of(fresh_notation(rules))
        for position, sheets in samples:
            read = {
                power: [notation.read(text, PhaseKind.MOVEMENT) for text in texts] for power, texts in sheets.items()
            }
            process(rules, position, read)

    own = report("plenipo", timed(ours, arguments.rounds), len(samples))
    peer = peer_run(samples, arguments.rounds)
    if peer is None:
        print("the package 'diplomacy' is not installed here, so there is nothing to compare with")
    else:
        best = report("diplomacy", peer, len(samples))
        print(f"plenipo is {best / own:.1f} times as fast")


def peer_run(samples: list[tuple[Position, Sheets]], rounds: int) -> list[float] | None:
    """Seconds of each round of the package `diplomacy`, for set_orders and process alone; None if not installed."""
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
        for position, sheets in samples:
            game = Game()
            game.set_state(start | {"name": position.phase.code, "units": peer_units(position, name)})
            orders = {power.upper(): [name(text) for text in texts] for power, texts in sheets.items()}
            begin = time.perf_counter()
            for power, texts in orders.items():
                game.set_orders(power, texts)
            game.process()
            total += time.perf_counter() - begin
        times.append(total)
    return times


def peer_units(position: Position, name: Callable[[str], str]) -> dict[str, list[str]]:
    """The units of a position as the peer writes them."""
    units: dict[str, list[str]] = {}
    for unit in position.units:
        units.setdefault(unit.power.upper(), []).append(name(str(unit)))
    return units


if __name__ == "__main__":
    main()

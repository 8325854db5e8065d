"""Measure how the kernel grows with units, spaces and games, and draw it as `docs/growth.svg`.

python scripts/growth.py [--out docs/growth.svg]
"""

import argparse
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from random import Random

from plenipo.batch import Arena, Scope, compile_tables
from plenipo.engine.board import Location, Terrain, UnitKind
from plenipo.engine.position import Position, Unit
from plenipo.engine.rules import Rules
from plenipo.library import load

Point = tuple[float, float]

WIDTH, HEIGHT, LEFT, TOP = 240, 170, 44, 30


def best(run: Callable[[], object], rounds: int = 7) -> float:
    """Return the least processor seconds a call takes."""
    times = []
    for _ in range(rounds):
        start = time.process_time()
        run()
        times.append(time.process_time() - start)
    return min(times)


def scattered(rules: Rules, units: int, chance: Random) -> Position:
    """Return a position with so many units of all powers, placed at random."""
    spaces = [space for space in rules.board.spaces.values() if not space.impassable]
    placed = []
    for space in chance.sample(spaces, units):
        fleet = space.terrain is Terrain.SEA or (space.terrain is Terrain.COAST and chance.random() < 0.5)
        location = chance.choice(space.locations) if fleet else Location(space.code)
        placed.append(Unit(chance.choice(rules.names), UnitKind.FLEET if fleet else UnitKind.ARMY, location))
    phase = next(p for p in rules.calendar.after(rules.calendar.first) if p.kind == "movement")
    return Position(phase, tuple(placed))


def by_units(rules: Rules, numbers: Sequence[int], games: int = 400) -> list[Point]:
    """Return the microseconds to adjudicate a movement of random legal orders, by the number of units."""
    chance = Random(1)  # noqa: S311  # seeded chance, not secrets
    tables = compile_tables(rules, scope=Scope.MOVEMENTS)
    points: list[Point] = []
    for number in numbers:
        arena = Arena(tables, games, seed=bytes(32), room=64)
        for game in range(games):
            arena.put(game, scattered(rules, number, chance))
        legal, orders = arena.legal(), arena.blank_orders()
        for game in range(games):
            for column in range(number):
                orders[game, column] = chance.choice(legal.of(game, column))
        points.append((number, best(lambda arena=arena, orders=orders: arena.resolve(orders)) / games * 1e6))  # type: ignore[misc]  # the values of this round
    return points


def by_games(rules: Rules, numbers: Sequence[int]) -> list[Point]:
    """Return the random games of 20 movements played a second, by the number played at once."""
    points: list[Point] = []
    for number in numbers:
        arena = Arena(rules, number, seed=bytes(32))

        def play(arena: Arena = arena) -> None:
            arena.reset()
            arena.play(20)

        points.append((number, number / best(play, 5)))
    return points


def panel(x: int, title: str, points: Sequence[Point], labels: Sequence[str], *, to_scale: bool = False) -> str:
    """Return one plot, its vertical axis from zero, each point with its value.

    The points are evenly spaced, or placed to scale on a horizontal axis from zero.
    """
    top = max(value for _, value in points) * 1.15
    last = len(points) - 1
    across = [value / points[-1][0] if to_scale else i / max(1, last) for i, (value, _) in enumerate(points)]
    places = [(x + WIDTH * a, TOP + HEIGHT * (1 - value / top)) for a, (_, value) in zip(across, points, strict=True)]
    line = " ".join(f"{a:.1f},{b:.1f}" for a, b in places)
    marks = "".join(
        f'<circle cx="{a:.1f}" cy="{b:.1f}" r="3"/>'
        f'<text x="{a - 4 * to_scale:.1f}" y="{b - 8:.1f}">{value:{",.3g" if value < 1000 else ",.0f"}}</text>'
        f'<text x="{a:.1f}" y="{TOP + HEIGHT + 16}">{label}</text>'
        for (a, b), (_, value), label in zip(places, points, labels, strict=True)
    )
    axis = f'<path d="M{x} {TOP + HEIGHT}h{WIDTH}" fill="none" stroke="#888"/>'
    head = f'<text x="{x + WIDTH / 2}" y="16" class="title">{title}</text>'
    return f'<g>{head}{axis}<polyline points="{line}" fill="none" stroke="#246" stroke-width="1.5"/>{marks}</g>'


def main() -> None:
    """Measure and draw."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--out", type=Path, default=Path(__file__).resolve().parents[1] / "docs" / "growth.svg")
    arguments = parser.parse_args()
    rules = load("standard")
    units = by_units(rules, (5, 10, 20, 30, 40, 50, 60))
    boards = [(name, load(name)) for name in ("standard", "napoleonic", "cline", "corner")]
    spaces = [(len(board.board.spaces), by_units(board, (30,))[0][1]) for _, board in boards]
    games = by_games(rules, (1, 10, 100, 1000, 10_000))
    panels = (
        panel(LEFT, "µs a movement, by units", units, [f"{x:.0f}" for x, _ in units], to_scale=True),
        panel(
            LEFT + WIDTH + 60,
            "µs a movement of 30 units, by spaces",
            spaces,
            [f"{name}, {len(board.board.spaces)}" for name, board in boards],
        ),
        panel(
            LEFT + 2 * (WIDTH + 60), "random games a second, by games at once", games, [f"{x:,.0f}" for x, _ in games]
        ),
    )
    style = "text{font:10px sans-serif;text-anchor:middle;fill:#222}.title{font-size:12px}circle{fill:#246}"
    total = LEFT * 2 + 3 * WIDTH + 2 * 60
    svg = (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {total} {TOP + HEIGHT + 30}" role="img">'
        f"<title>How the kernel grows with units, spaces and games</title><style>{style}</style>"
        f'<rect width="100%" height="100%" fill="#fff"/>{"".join(panels)}</svg>\n'
    )
    arguments.out.write_text(svg, encoding="utf-8")
    for name, points in (("units", units), ("spaces", spaces), ("games", games)):
        print(name, ", ".join(f"{x:g}: {y:.3g}" for x, y in points))


if __name__ == "__main__":
    main()

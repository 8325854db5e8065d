"""Measure the speed of the drawing and the size of pictures: the figures of docs/performance.md.

    python scripts/drawing_speed.py [--splits N] [--splits-only]

Every time is processor time of this process, the best of some rounds except where a first run is measured.
If the package `diplomacy` can be imported, its renderer is measured too, on the opening of its map.
"""

import argparse
import importlib
import sys
from collections.abc import Callable
from random import Random
from time import process_time

from plenipo import library
from plenipo.bots import orders_of
from plenipo.bots.sensible import sensible
from plenipo.charts import Chart, chart
from plenipo.engine.changes import Split
from plenipo.engine.dice import Dice
from plenipo.engine.history.game import Game
from plenipo.engine.history.view import view
from plenipo.engine.outcome import Resolution
from plenipo.errors import InvalidFigure
from plenipo.maps.cutting.changed_figures import ChangedFigures
from plenipo.maps.lettering.changed_placements import ChangedPlacements
from splits import dealt


def timed(work: Callable[[], object]) -> float:
    """Return the milliseconds of a call."""
    start = process_time()
    work()
    return 1000 * (process_time() - start)


def played(on: Chart, phases: int) -> Resolution:
    """Return a phase with many orders from a game between sensible computer players."""
    rules, chance = on.rules, Random(5)  # noqa: S311  # the same game each time
    assert rules is not None  # noqa: S101  # a variant has rules
    game = Game.new(rules, Dice(bytes(32)))
    for _ in range(phases):
        game = game.process({p: orders_of(sensible, view(game, p, {}), p, chance) for p in rules.names})
    return max((turn.resolution for turn in game.turns), key=lambda resolution: len(resolution.outcomes))


def halved(on: Chart, count: int) -> tuple[Split, ...]:
    """Return so many splits, as cards would decide them."""
    assert on.changed_placements is not None  # noqa: S101  # asked of a board that changes
    figures, chance = on.changed_placements.figures, Random("irish 1")  # noqa: S311  # the same splits each time
    changes: tuple[Split, ...] = ()
    while len(changes) < count:
        figure = figures.figure(changes)
        split = dealt(figure, chance.choice(sorted(figure.faces.keys() - figure.offboard.keys())), chance)
        try:
            figures.board((*changes, split))
        except InvalidFigure:
            continue
        changes = (*changes, split)
    return changes


def of_the_package() -> str:
    """Return the times of the package `diplomacy` (renderer, picture, picture with orders), or the reason for none."""
    try:
        renderer = importlib.import_module("diplomacy.engine.renderer")
        engine = importlib.import_module("diplomacy.engine.game")
    except ImportError as fault:
        return f"the package diplomacy: {fault}"
    game = engine.Game()
    game.set_orders("FRANCE", ["A PAR - BUR", "A MAR S A PAR - BUR", "F BRE - MAO"])
    made = []
    first = timed(lambda: made.append(renderer.Renderer(game)))
    bare = min(timed(lambda: made[0].render(incl_orders=False)) for _ in range(5))
    full = min(timed(lambda: made[0].render(incl_orders=True)) for _ in range(5))
    size = len(made[0].render(incl_orders=True).encode()) / 1000
    return (
        f"the package diplomacy: {first:.0f} ms to read its map, {bare:.0f} ms a picture, "
        f"{full:.0f} ms with 3 orders, {size:.0f} kB"
    )


def main() -> int:
    """Measure and print."""
    reader = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    reader.add_argument("--splits", type=int, default=29)
    reader.add_argument("--splits-only", action="store_true", help="measure no other variant")
    arguments = reader.parse_args()
    if not arguments.splits_only:
        measure_variants()
    measure_splits(arguments.splits)
    return 0


def measure_variants() -> None:
    """Print the times of every variant's first and later drawings, and those of the package `diplomacy`."""
    print(
        "| variant | first drawing, ms | again, ms | orders alone, ms | kB | kB with orders |\n"
        "|---|---|---|---|---|---|"
    )
    for name in sorted(file.parent.name for file in library.VARIANTS.glob("*/variant.toml")):
        on = chart(name)
        scene = on.scene()
        first = timed(lambda on=on, scene=scene: on.draw(scene))  # type: ignore[misc]
        again = min(timed(lambda on=on, scene=scene: on.draw(scene)) for _ in range(5))  # type: ignore[misc]
        ordered = on.scene(resolution=played(on, 10))
        on.order_layers(ordered)
        orders = min(timed(lambda on=on, ordered=ordered: on.order_layers(ordered)) for _ in range(5))  # type: ignore[misc]
        sizes = (len(on.draw(shown).encode()) / 1000 for shown in (scene, ordered))
        print(
            f"| {name} | {first:.0f} | {again:.0f} | {orders:.1f} | "
            + " | ".join(f"{size:.0f}" for size in sizes)
            + " |"
        )
    print(f"\n{of_the_package()}")


def measure_splits(count: int) -> None:
    """Print the times in which splits of the Irish board are cut and lettered, and their sum for a first picture."""
    on = chart("irish")
    assert on.changed_placements is not None  # noqa: S101  # a board that changes
    changes = halved(on, count)
    definition = library.read("irish")
    figures = ChangedFigures(on.figure, definition.spaces, definition.name)
    placements = ChangedPlacements(figures, on.placements)
    times = []
    for i in range(1, len(changes) + 1):
        cut = timed(lambda i=i: figures.board(changes[:i]))  # type: ignore[misc]
        times.append((cut, timed(lambda i=i: placements.placements(changes[:i]))))  # type: ignore[misc]
    both = sorted(cut + lettered for cut, lettered in times)
    print(
        f"\n{len(both)} splits, cut and lettered: {both[len(both) // 2]:.0f} ms in the middle, {both[-1]:.0f} at most "
        f"(cut {sum(cut for cut, _ in times) / len(times):.0f}, lettered "
        f"{sum(lettered for _, lettered in times) / len(times):.0f} on average); all one after another, as for a "
        f"first picture without kept boards: {sum(both):.0f} ms"
    )


if __name__ == "__main__":
    sys.exit(main())

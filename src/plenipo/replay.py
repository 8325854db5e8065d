"""A game as a moving picture: every phase with its orders and results, then the last position; below the I/O line.

Needs the extra `plenipo[png]`: resvg renders the pictures, Pillow puts them together.
"""

from collections.abc import Callable, Iterable, Sequence
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING

from plenipo.charts import Chart, Scene, Theme, chart
from plenipo.engine.history.game import Game
from plenipo.errors import PlenipoError, UnknownName
from plenipo.raster import png

if TYPE_CHECKING:
    from PIL.Image import Image

__all__ = ["FORMATS", "Progress", "animate", "scenes"]

Progress = Callable[[int, int], None]
"""Told after each picture how many are done, and of how many."""

FORMATS = {".png": "PNG", ".apng": "PNG", ".gif": "GIF"}
"""What may be written, by the ending of the file's name."""

PHASE = 1600
"""How long a phase with its results is shown, in milliseconds; the last position three times as long."""


def scenes(game: Game, chart: Chart) -> tuple[Scene, ...]:
    """The scenes of a game on its chart: each turn with what came of it, then the position it ended in."""
    turns = (chart.scene(resolution=turn.resolution) for turn in game.turns)
    return (*turns, chart.scene(game.position))


def animate(
    what: Game | Sequence[Scene],
    path: Path,
    *,
    on: Chart | None = None,
    theme: Theme | str = "light",
    width: int = 1000,
    phase: int = PHASE,
    progress: Progress | None = None,
) -> None:
    """Write a game, or scenes, as an animated PNG (`.png`, `.apng`) or GIF (`.gif`) `width` pixels wide.

    `on` is the chart to draw on; a game's own variant is found by its name if it is left out.
    `phase` is how long each picture is shown, in milliseconds. `progress` is told after each picture.
    Raises `UnknownName` for an ending that is none of `FORMATS` or a chart that cannot be known, `PlenipoError`
    without the extra, `OSError` if the file cannot be written: told before the first picture is made.
    """
    kind = FORMATS.get(path.suffix.casefold())
    if kind is None:
        raise UnknownName(f"'{path.name}' is not a name for a moving picture; let it end in {', '.join(FORMATS)}.")
    if on is None:
        if not isinstance(what, Game):
            raise UnknownName("Scenes alone do not say which map they are on; name the chart.")
        on = chart(what.rules.variant)
    pictured = scenes(what, on) if isinstance(what, Game) else tuple(what)
    if not pictured:
        raise UnknownName("There is no scene to show; a moving picture needs one at least.")
    with path.open("ab"):
        pass  # a place that cannot be written to is told before the long work
    frames = list(_frames(pictured, on, theme, width, progress))
    durations = [phase] * (len(frames) - 1) + [3 * phase]
    if kind == "GIF":
        frames = [_few_colours(frame) for frame in frames]
    first, *rest = frames
    first.save(path, kind, save_all=True, append_images=rest, duration=durations, loop=0)


def _frames(
    pictured: Sequence[Scene], on: Chart, theme: Theme | str, width: int, progress: Progress | None
) -> "Iterable[Image]":
    try:
        from PIL import Image  # noqa: PLC0415  # an extra; everything else works without it
    except ImportError as fault:
        raise PlenipoError(
            "A moving picture needs the extra 'png'; install it with: pip install 'plenipo[png]'."
        ) from fault
    for done, scene in enumerate(pictured, 1):
        with Image.open(BytesIO(png(on.draw(scene, theme), width))) as picture:
            yield picture.convert("RGB")
        if progress:
            progress(done, len(pictured))


def _few_colours(frame: "Image") -> "Image":
    """The frame in the 256 colours a GIF can have, without speckles."""
    from PIL import Image  # noqa: PLC0415  # an extra, and installed if there is a frame

    return frame.quantize(256, dither=Image.Dither.NONE)

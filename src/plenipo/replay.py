"""A game as a moving picture: every phase with its orders and results, then the last position; below the I/O line.

Needs the extra `plenipo[png]`: resvg renders the pictures, Pillow puts them together.
"""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import ExitStack
from functools import lru_cache, partial
from io import BytesIO
from itertools import chain, pairwise
from multiprocessing import get_context
from pathlib import Path
from typing import TYPE_CHECKING, Any

from plenipo import extras
from plenipo.charts import Chart, PictureLayers, Scene, Theme
from plenipo.engine.history.game import Game
from plenipo.engine.sentences import say
from plenipo.errors import UnknownName
from plenipo.raster import check_width, png

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray
    from PIL.Image import Image

__all__ = ["FORMATS", "Progress", "animate", "scenes"]

_TITLE = re.compile(r"<title.*?</title>", re.DOTALL)
_VIEW = re.compile(r'viewBox="([^"]*)"')
_HEX = re.compile(r"#[0-9a-fA-F]{6}")

Progress = Callable[[int, int], None]
"""Called after each picture with the number done and the total."""

FORMATS = {".png": "PNG", ".apng": "PNG", ".gif": "GIF", ".webp": "WEBP"}
"""The formats, by the suffix of the file."""

COLOURS = 255
"""The colours of an animation; one more index marks an unchanged pixel."""

SAVED: Mapping[str, Mapping[str, Any]] = {
    "PNG": {"transparency": COLOURS, "blend": 1, "disposal": 0},
    "WEBP": {"lossless": True, "method": 2, "quality": 40},
}
"""The options of Pillow for each format."""

PHASE = 1600
"""The time for a phase with its results, in milliseconds; the last position gets three times as much."""


def scenes(game: Game, chart: Chart) -> tuple[Scene, ...]:
    """Return the scenes of a game on its chart: each turn with its results, then the final position."""
    turns = (chart.scene(resolution=turn.resolution) for turn in game.turns)
    return (*turns, chart.scene(game.position))


def animate(
    pictured: Sequence[Scene],
    on: Chart,
    path: Path,
    *,
    theme: Theme | str = "light",
    width: int = 1000,
    phase: int = PHASE,
    progress: Progress | None = None,
    workers: int = 1,
) -> None:
    """Write scenes on a chart as an animated PNG (`.png`, `.apng`), GIF or WebP `width` pixels wide.

    `workers` is by how many processes the pictures are rendered; more than one need a guarded main module.
    `phase` is how long each picture is shown, in milliseconds. `progress` is called after each picture.
    Raises `UnknownName` for an ending that is none of `FORMATS`, a width that is none or no scene at all,
    `MissingExtra` without the extra, `OSError` if the file cannot be written: told before the first picture is made.
    """
    kind = FORMATS.get(path.suffix.casefold())
    if kind is None:
        raise UnknownName(
            say(
                "'{name}' is not a name for a moving picture; let it end in {formats}.",
                name=path.name,
                formats=", ".join(FORMATS),
            )
        )
    if not pictured:
        raise UnknownName(say("There is no scene to show; a moving picture needs one at least."))
    theme = Theme.from_name(theme) if isinstance(theme, str) else theme
    check_width(width)
    with path.open("ab"):
        pass  # check that the file can be written before the long work
    frames = list(_frames(pictured, on, theme, width, progress, workers))
    powers = {power for scene in pictured for power in scene.everyone}
    frames = _in_colours(frames, _colours_of(theme, powers))
    durations = [phase] * (len(frames) - 1) + [3 * phase]
    if kind == "PNG":
        frames = _only_changes(frames)
    first, *rest = frames
    first.save(path, kind, save_all=True, append_images=rest, duration=durations, loop=0, **SAVED.get(kind, {}))


def _frames(
    pictured: Sequence[Scene],
    on: Chart,
    theme: Theme,
    width: int,
    progress: Progress | None,
    workers: int,
) -> "Iterator[Image]":
    """Yield the pictures, all of the same size; a layer that several have in common is rendered once."""
    with extras.require("png", "A moving picture"):
        from PIL import Image  # noqa: PLC0415  # an extra; everything else works without it
    piles = [PictureLayers(*(_TITLE.sub("", sheet) for sheet in on.sheets(scene, theme))) for scene in pictured]
    height = max(_height(pile.water, width) for pile in piles)
    with ExitStack() as stack:
        pixels = _make_renderer(piles, width, workers, stack)
        grounds: dict[tuple[str, str], Image.Image] = {}
        for done, pile in enumerate(piles, 1):
            if pile[:2] not in grounds:
                grounds[pile[:2]] = Image.alpha_composite(pixels(pile.water), pixels(pile.land))
            frame = Image.alpha_composite(grounds[pile[:2]], pixels(pile.upper)).convert("RGB")
            if frame.height < height:  # a legend of fewer rows
                taller = Image.new("RGB", (width, height), frame.getpixel((0, 0)))
                taller.paste(frame)
                frame = taller
            yield frame
            if progress:
                progress(done, len(pictured))


def _make_renderer(
    piles: Sequence[PictureLayers], width: int, workers: int, stack: ExitStack
) -> "Callable[[str], Image]":
    """Return a function that renders a layer; several workers render all layers at once, those of a frame together."""
    from PIL import Image  # noqa: PLC0415  # an extra, and there by now

    render = partial(png, width=width)
    if workers > 1:
        pool = stack.enter_context(ProcessPoolExecutor(workers, get_context("spawn")))
        begun = {sheet: pool.submit(render, sheet) for sheet in dict.fromkeys(chain.from_iterable(piles))}

    @lru_cache(maxsize=4)
    def pixels(sheet: str) -> Image.Image:
        data = begun[sheet].result() if workers > 1 else render(sheet)
        return Image.open(BytesIO(data)).convert("RGBA")

    return pixels


def _height(svg: str, width: int) -> int:
    """Return the height of a picture, in pixels."""
    box = _VIEW.search(svg)
    wide, high = (float(number) for number in box[1].split()[2:]) if box else (1.0, 1.0)
    return round(high * width / wide)


def _colours_of(theme: Theme, powers: set[Any]) -> list[tuple[int, int, int]]:
    """Return the colours of a theme that no picture may change."""
    names = [*theme.tokens.values()]
    for colours in theme.colours(powers).values():
        names += [colours.land, colours.ink]
    numbers = (tuple(bytes.fromhex(name[1:])) for name in names if _HEX.fullmatch(name))
    return [(red, green, blue) for red, green, blue in dict.fromkeys(numbers)]


def _in_colours(frames: "Sequence[Image]", fixed: Sequence[tuple[int, int, int]]) -> "list[Image]":
    """Return the frames in the same 255 colours, with the `fixed` ones, each pixel in the nearest, without speckles."""
    import numpy as np  # noqa: PLC0415  # an extra, and installed if there is a frame
    from PIL import Image  # noqa: PLC0415

    sample = Image.new("RGB", (frames[0].width, sum(frame.height for frame in (frames[0], frames[-1]))))
    sample.paste(frames[0])
    sample.paste(frames[-1], (0, frames[0].height))
    free = sample.quantize(COLOURS - len(fixed), dither=Image.Dither.NONE).getpalette() or []
    palette = np.array([*fixed, *zip(free[::3], free[1::3], free[2::3], strict=False)], np.int32)[:COLOURS]
    nearest = np.full(1 << 24, COLOURS, np.uint8)  # the number of each colour met so far
    return [_apply_palette(frame, palette, nearest) for frame in frames]


def _apply_palette(frame: "Image", palette: "NDArray[np.int32]", nearest: "NDArray[np.uint8]") -> "Image":
    import numpy as np  # noqa: PLC0415
    from PIL import Image  # noqa: PLC0415

    pixels = np.asarray(frame, np.int32)
    packed = (pixels[..., 0] << 16) | (pixels[..., 1] << 8) | pixels[..., 2]
    unknown = np.unique(packed[nearest[packed] == COLOURS])
    for some in np.array_split(unknown, max(1, len(unknown) // 4096)):
        parts = np.column_stack((some >> 16, (some >> 8) & 255, some & 255))
        nearest[some] = ((parts[:, None, :] - palette) ** 2).sum(axis=2).argmin(axis=1)
    indexed = Image.fromarray(nearest[packed])
    indexed.putpalette(np.resize(palette.astype(np.uint8), (256, 3)).tobytes())
    return indexed


def _only_changes(frames: "Sequence[Image]") -> "list[Image]":
    """Return the frames with the colour that shows what was there before wherever nothing changes."""
    import numpy as np  # noqa: PLC0415
    from PIL import Image  # noqa: PLC0415

    changes = [frames[0]]
    for before, after in pairwise(frames):
        old, new = np.asarray(before), np.asarray(after)
        change = Image.fromarray(np.where(old == new, np.uint8(COLOURS), new))
        change.putpalette(after.getpalette() or [])
        changes.append(change)
    return changes

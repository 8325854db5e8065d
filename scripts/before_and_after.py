"""Draws docs/gallery/before-and-after.md: twelve scenes in which an earlier map misinformed, as they are drawn now.

    python scripts/before_and_after.py [BEFORE.svg]

`BEFORE.svg` is the opening as an earlier version drew it (`git show 0b1af9d:docs/gallery/opening.svg`); without it the
picture of the page that compares the two is left as it is.
"""

import io
import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from random import Random

from PIL import Image

from drawing_speed import halved
from gallery import GALLERY, midgame
from plenipo.charts import Chart, Scene, chart
from plenipo.engine.board import Coast, Code, Location, UnitKind
from plenipo.engine.history.game import Game
from plenipo.engine.position import Power, Unit
from plenipo.mapfaults import full_board
from plenipo.maps.draw.colours import seen_by
from plenipo.raster import png
from plenipo.replay import animate, scenes

WIDE = 760
"""The width of a picture, in pixels."""


def units_in(text: str) -> tuple[Unit, ...]:
    """Return units written as `France: A PAR, F BRE; Italy: A ROM`."""
    found = []
    for group in text.split("; "):
        power, units = group.split(": ")
        for unit in units.split(", "):
            space, _, coast = unit[2:].partition("/")
            found.append(Unit(Power(power), UnitKind(unit[0]), Location(Code(space), Coast(coast))))
    return tuple(found)


def turn(on: Chart, units: str, orders: str, focus: str = "") -> Scene:
    """Return the scene of some orders to some units, cut to the map around some spaces."""
    rules = on.rules
    assert rules is not None  # noqa: S101  # a variant has rules
    start = replace(rules.opening, units=units_in(units))
    given = {Power(power): texts.split(", ") for power, texts in (part.split(": ") for part in orders.split("; "))}
    resolution = Game(rules, start).process(given).turns[-1].resolution
    return on.scene(resolution=resolution, legend=False, focus=tuple(map(Code, focus.split())))


def kept(name: str, data: bytes | Image.Image, quality: int = 72) -> str:
    """Write a picture as WebP and return the line of Markdown that shows it."""
    image = Image.open(io.BytesIO(data)) if isinstance(data, bytes) else data
    image.convert("RGB").save(GALLERY / f"after-{name}.webp", quality=quality, method=6)
    return f"![](after-{name}.webp)"


def beside(images: Sequence[Image.Image]) -> Image.Image:
    """Return the pictures side by side."""
    high = min(image.height for image in images)
    whole = Image.new("RGB", (sum(image.width for image in images) + 8 * (len(images) - 1), high), "white")
    at = 0
    for image in images:
        whole.paste(image.convert("RGB"), (at, 0))
        at += image.width + 8
    return whole


def opened(svg: str, width: int = WIDE) -> Image.Image:
    """Return an SVG as pixels."""
    return Image.open(io.BytesIO(png(svg, width))).convert("RGB")


def seen(image: Image.Image, eye: str) -> Image.Image:
    """Return a picture as a person with a colour vision deficiency sees it."""
    few = image.quantize(192)
    palette = few.getpalette() or []
    for i in range(0, len(palette), 3):
        there = seen_by(eye, "#" + "".join(f"{value:02x}" for value in palette[i : i + 3]))
        palette[i : i + 3] = [int(there[k : k + 2], 16) for k in (1, 3, 5)]
    few.putpalette(palette)
    return few.convert("RGB")


def main() -> None:
    """Draw and write everything."""
    standard, cline, irish, corner, nine, past = map(
        chart, ("standard", "cline", "irish", "corner", "napoleonic", "1897")
    )
    parts: list[tuple[str, str]] = []

    def add(name: str, words: str, data: bytes | Image.Image) -> None:
        parts.append((words, kept(name, data)))

    north = turn(
        standard,
        "England: F LON, F NTH, A EDI; Germany: F DEN, A KIE, A BEL; Russia: A SWE, A NWY; France: F ENG, A HOL",
        "England: F LON - NTH, F NTH - BEL, A EDI H; Germany: F DEN - SWE, A KIE - HOL, A BEL H; "
        "Russia: A SWE - DEN, A NWY S A SWE; France: F ENG - BEL, A HOL H",
        "EDI NTH SWE BER BEL DEN LON",
    )
    add(
        "01",
        "Orders are drawn through the border they cross, and a bar stands on it: F LON - NTH leaves by the coast of "
        "London, F NTH - BEL keeps off Holland, F DEN - SWE crosses the Sound.",
        png(standard.draw(north), WIDE),
    )
    autumn, retreats, *_ = scenes(midgame(), standard)
    iberia = replace(retreats, focus=tuple(map(Code, "SPA POR WES NAF".split())), legend=False)
    far = replace(autumn, focus=tuple(map(Code, "NWY SWE STP FIN BAR".split())), legend=False)
    add(
        "02",
        "A fleet retreats from the Western Mediterranean to the Mid-Atlantic through the Strait of Gibraltar, and "
        "A STP - NWY goes through the border the two share, round Finland and Sweden.",
        beside([opened(standard.draw(iberia), 660), opened(standard.draw(far), 660)]),
    )
    frames = []
    for kind in ("png", "gif"):
        file = GALLERY / f"frame.{kind}"
        animate([autumn], standard, file, width=520)
        frames.append(Image.open(file).convert("RGB"))
        file.unlink()
    add("03", "The same frame as APNG and as GIF: every power has the same colour in both.", beside(frames))
    changes = halved(irish, 23)
    there = irish.at(replace(irish.opening, changes=changes))
    board = full_board(there)
    chance = Random(4)  # noqa: S311  # the same picture each time
    mixed = replace(board, units=tuple(Unit(chance.choice(irish.powers), u.kind, u.location) for u in board.units))
    add(
        "04",
        "Irish after 23 splits, a unit in every space: what has no room has a line that leads to it, and tokens "
        "shrink to the room there is.",
        png(there.draw(there.scene(mixed, legend=False)), 1200),
    )
    grip = turn(
        standard,
        "France: F WES, A POR, A SPA; Italy: A MAR",
        "France: F WES S A POR - SPA, A POR - SPA, A SPA - GAS; Italy: A MAR - SPA",
        "SPA POR WES GOL GAS",
    )
    add("05", "Supports take hold of the move that is drawn.", png(standard.draw(grip), WIDE))
    add("06", "The same map for a phone, 390 pixels wide: codes that can be read.", png(cline.draw(cline.scene()), 390))
    danes = standard.scene(legend=False, focus=(Code("DEN"), Code("KIE")))
    add("07", "The Belts and the Sound are open to the sea, and have banks.", png(standard.draw(danes), WIDE))
    add("08", "The whole map at the width at which maps are compared.", png(standard.draw(), 914))
    played_nine = opened(nine.draw(nine.scene(legend=False)), 560)
    add(
        "09",
        "Napoleonic as people see it who do not see green, and who do not see red.",
        beside([seen(played_nine, eye) for eye in ("deuteranopia", "protanopia")]),
    )
    add("10", "1897 shows its powers and their homes from the first picture.", png(past.draw(), 900))
    crowd = replace(
        corner.opening,
        units=units_in(
            "France: A BEL, A BUR, A PIC; Germany: A RUH, F HOL, A MUN; England: F NTH, F ENG; "
            "Austria: A SER, A ALB; Turkey: A BUL, F GRE; Italy: F ADR"
        ),
    )
    west = corner.scene(crowd, legend=False, focus=tuple(map(Code, "BEL HOL PIC RUH BUR".split())))
    south = corner.scene(crowd, legend=False, focus=tuple(map(Code, "SER BUL GRE ALB".split())))
    add(
        "11",
        "Corner: Belgium and the Balkans with their neighbours all occupied.",
        beside([opened(corner.draw(west), 660), opened(corner.draw(south), 660)]),
    )
    add("12", "What was excellent, the dark theme with 34 orders.", png(standard.draw(autumn, "dark"), 900))
    if sys.argv[1:]:
        before = opened(Path(sys.argv[1]).read_text(encoding="utf-8"), 800)
        now = opened(standard.draw(), 800)
        kept("all", beside([before, now]), 68)
    lines = [
        "# Before and after",
        "",
        "Drawn by `python scripts/before_and_after.py`.",
        "",
        "## The opening, at one width",
        "",
        "Left as it was, right as it is.",
        "",
        "![](after-all.webp)",
        "",
        "## Twelve scenes",
        "",
        "In each of these an earlier map misinformed, but for the last; this is how they are drawn now.",
        "",
    ]
    for number, (words, shown) in enumerate(parts, 1):
        lines += [f"### {number}", "", words, "", shown, ""]
    (GALLERY / "before-and-after.md").write_text("\n".join(lines), encoding="utf-8")


if __name__ == "__main__":
    main()

"""Draw the gallery: every picture of docs/gallery/, its page, and the hashes that the tests compare with.

Run it after an intended change of the drawing, and look at every picture before you commit.
`--hashes` writes the hashes alone.
"""

import hashlib
import sys
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path

from plenipo import library
from plenipo.charts import Chart, Scene, Theme, chart
from plenipo.engine.board import Coast, Code, Location, UnitKind
from plenipo.engine.calendar import Phase, PhaseKind
from plenipo.engine.changes import half_names
from plenipo.engine.history.game import Game
from plenipo.engine.position import Position, Power, Unit
from plenipo.maps.cutting.cut import halves, split
from plenipo.maps.draw.face import with_face
from plenipo.maps.figure.board import board_from
from plenipo.maps.lettering.label_search import refit
from plenipo.raster import png
from plenipo.replay import animate, scenes

GALLERY = Path(__file__).parents[1] / "docs" / "gallery"

VARIANT = "standard"

UNITS = {
    "Austria": "A VIE, A BUD, A SER, F GRE, F TRI",
    "England": "F NTH, F NRG, A NWY, F LON, A EDI",
    "France": "A BUR, A PAR, A SPA, F WES, F BRE",
    "Germany": "A MUN, A RUH, A BER, F DEN, F HOL",
    "Italy": "A VEN, F TYN, F TUN, F ION",
    "Russia": "A STP, A WAR, A UKR, F SEV, F RUM, F SWE",
    "Turkey": "A BUL, F BLA, F AEG, A SMY",
}

CENTRES = {
    "Austria": "VIE BUD TRI SER GRE",
    "England": "EDI LON LVP NWY BEL",
    "France": "PAR BRE MAR SPA POR",
    "Germany": "BER KIE MUN HOL DEN",
    "Italy": "VEN ROM NAP TUN",
    "Russia": "STP MOS WAR SEV RUM SWE",
    "Turkey": "ANK CON SMY BUL",
}

TURNS = (
    # every order and every way to fail: repelled, stood off, cut, dislodged, disrupted, void, illegal
    {
        "Austria": "A VIE S A BUD - GAL, A BUD - GAL, A SER S A BUL - RUM, F GRE - ALB, F TRI S F GRE - ALB",
        "England": "F NTH C A EDI - BEL, F NRG - BAR, A NWY H, F LON - ENG, A EDI - BEL",
        "France": "A BUR H, A PAR S A BUR, A SPA - NAF, F WES C A SPA - NAF, F BRE - ENG",
        "Germany": "A MUN - BUR, A RUH S A MUN - BUR, A BER - WAR, F DEN H, F HOL - BEL",
        "Italy": "A VEN - TRI, F TYN - WES, F TUN S F TYN - WES, F ION - AEG",
        "Russia": "A STP - NWY, A WAR - GAL, A UKR S A WAR - GAL, F SEV S F RUM, F RUM H, F SWE S A STP - NWY",
        "Turkey": "A BUL - RUM, F BLA S A BUL - RUM, F AEG - GRE, A SMY S A BUL - CON",
    },
    {"England": "A NWY R FIN", "Russia": "F RUM D", "France": "F WES R MID"},
    {"Austria": "F TRI D", "England": "A EDI D", "Russia": "A MOS B", "Turkey": "F ANK B, WAIVE"},
)

MARKS = {
    Code("BOH"): "hole",
    Code("MUN"): "anarchy, walker I",
    Code("UKR"): "shade \N{GREEK CAPITAL LETTER PSI}",  # english: ok
    Code("SPA"): "split",
}


SPLITS = (
    # the face, and the two neighbours between which it is split, in the order in which it happens
    ("NTH", "NWY", "BEL"),
    ("NTH 2", "NTH 1", "LON"),
    ("MUN", "BOH", "BUR"),
    ("KIE", "DEN", "MUN 2"),
    ("SPA", "GAS", "WES"),
    ("STP", "BAR", "MOS"),
    ("UKR", "WAR", "SEV"),
    ("ION", "TUN", "GRE"),
)

HOLES = "TYN BUD PIC"

SPLIT_UNITS = {
    "Austria": "A VIE, A SER, F TRI, F GRE",
    "England": "F NTH 1, F NTH 2, F NTH 3, F LON, A EDI, A NWY",
    "France": "A BUR, A PAR, F BRE, A SPA 1, F SPA 2/NC",
    "Germany": "A MUN 1, A MUN 2, F KIE 1, F KIE 2, A BER, F DEN",
    "Italy": "A VEN, F ROM, F ION 1, F ION 2",
    "Russia": "A STP 1, F STP 2/SC, A UKR 1, A UKR 2, F SEV, A WAR",
    "Turkey": "A BUL, F BLA, A SMY, F AEG",
}

SPLIT_CENTRES = {
    "Austria": "VIE, TRI, SER, GRE",
    "England": "EDI, LON, LVP, NWY, BEL",
    "France": "PAR, BRE, MAR, SPA 1, SPA 2, POR",
    "Germany": "BER, KIE 1, KIE 2, MUN 1, MUN 2, HOL, DEN",
    "Italy": "VEN, ROM, NAP, TUN",
    "Russia": "STP 1, STP 2, MOS, WAR, SEV, RUM, SWE",
    "Turkey": "ANK, CON, SMY, BUL",
}


@dataclass(frozen=True, slots=True)
class Picture:
    """One picture of the gallery: its scene and theme, and whether it is kept as a narrow PNG too.

    `on` is its chart, if that is not the chart of the variant.
    """

    name: str
    words: str
    scene: Scene
    theme: str = "light"
    narrow: bool = False
    on: Chart | None = None


def units_of(texts: Mapping[str, str]) -> tuple[Unit, ...]:
    """Return the units of each power, as written above."""
    found = []
    for power, text in texts.items():
        for unit in text.split(", "):
            space, _, coast = unit[2:].partition("/")
            found.append(Unit(Power(power), UnitKind(unit[0]), Location(Code(space), Coast(coast))))
    return tuple(found)


@cache
def split_chart() -> Chart:
    """Return the chart of the variant after the splits, with new placements for the halves."""
    on, figure, spaces = chart(VARIANT), chart(VARIANT).figure, library.read(VARIANT).spaces
    follows = dict(on.follows)
    for code, first, second in SPLITS:
        names = half_names(Code(code), figure.faces)
        figure = split(figure, Code(code), Code(first), Code(second), names)
        spaces = halves(spaces, Code(code), names)
        if centre := follows.pop(Code(code), None):
            follows |= dict.fromkeys(names, centre)
    follows = {code: centre for code, centre in follows.items() if centre in spaces}
    board = board_from(figure, spaces, on.board.name)
    return replace(on, board=board, figure=figure, placements=refit(figure, board, on.placements, ()), follows=follows)


def split_scene() -> Scene:
    """Return a scene with units on the halves, and holes where others were."""
    owners = {Code(code): Power(power) for power, codes in SPLIT_CENTRES.items() for code in codes.split(", ")}
    position = Position(Phase("Fall", 1907, PhaseKind.MOVEMENT), units_of(SPLIT_UNITS), owners=owners)
    return split_chart().scene(position, marks={Code(code): "hole" for code in HOLES.split()})


def midgame() -> Game:
    """Return the game of the gallery: a made-up autumn with 34 units, its retreats and its winter."""
    rules = library.load(VARIANT)
    owners = {Code(code): Power(power) for power, codes in CENTRES.items() for code in codes.split()}
    phase = Phase("Fall", 1904, PhaseKind.MOVEMENT)
    game = Game(rules, Position(phase, units_of(UNITS), owners=owners, homes=rules.opening.homes))
    for turn in TURNS:
        game = game.process({Power(power): texts.split(", ") for power, texts in turn.items()})
    return game


def pictures() -> tuple[Picture, ...]:
    """Return every picture, in the order of the page."""
    on, game = chart(VARIANT), midgame()
    autumn, retreats, winter = scenes(game, on)[:3]
    orders = tuple(o.order for o in game.turns[0].resolution.outcomes if o.order is not None)
    before = game.turns[0].resolution.before
    nine, wide = chart("napoleonic"), chart("cline")
    corner = tuple(Code(code) for code in "BEL BUR GAS MAR MUN PAR PIC PIE RUH SWI TYO".split())
    return (
        Picture("opening", "The opening of the standard board.", on.scene(), narrow=True),
        Picture("orders", "Autumn of a made-up game: 34 orders, before adjudication.", on.scene(before, orders=orders)),
        Picture("results", "The same orders, adjudicated.", autumn, narrow=True),
        Picture("retreats", "The retreats: two go, one is disbanded; the dislodged beside their attackers.", retreats),
        Picture("winter", "The winter: builds, removals and a waived build.", winter),
        Picture("codes", "Codes instead of names, and the corners.", on.scene(labels="codes", corners=True)),
        Picture("corners", "A part of the map, with its corners.", on.scene(before, corners=True, focus=corner)),
        Picture("marks", "The marks of other variants.", on.scene(before, marks=MARKS)),
        Picture(
            "split-and-hole",
            "A board that changed in play: eight splits, three holes.",
            split_scene(),
            on=split_chart(),
        ),
        Picture("dark", "The theme `dark`.", autumn, "dark"),
        Picture(
            "safe",
            "The theme `safe`: a palette for every colour vision, with patterns and letters.",  # english: ok
            autumn,
            "safe",
        ),
        Picture("muted", "The theme `muted`: another one.", autumn, "muted"),
        Picture("safe-dark", "The theme `safe-dark`.", autumn, "safe-dark"),
        Picture(
            "napoleonic", "Nine powers: a border that is closed, and one the plane cannot show.", nine.scene(), on=nine
        ),
        Picture(
            "cline",
            "Nine powers: a box beside the map, canals, and straits that armies cross.",
            wide.scene(),
            narrow=True,
            on=wide,
        ),
        Picture("nine-safe", "The same for every colour vision.", wide.scene(), "safe", on=wide),
        Picture("print", "The theme `print`: black and white, for zines.", autumn, "print"),
    )


def drawn(on: Chart, picture: Picture) -> str:
    """Return the picture as SVG; `on` is the chart of the variant."""
    return (picture.on or on).draw(picture.scene, Theme.from_name(picture.theme))


def hashes(svgs: Mapping[str, str]) -> str:
    """Return the SHA-256 of each picture, a line each."""
    return "".join(f"{hashlib.sha256(svg.encode()).hexdigest()}  {name}\n" for name, svg in svgs.items())


def page(shown: tuple[Picture, ...]) -> str:
    """Return the page of the gallery in Markdown."""
    lines = [
        "# Gallery",
        "",
        "Drawn by `python scripts/gallery.py`; every picture is one SVG.",
        "A picture narrower than 640 pixels shows codes in place of names.",
        "",
    ]
    for picture in shown:
        lines += [f"## {picture.words}", "", f"![{picture.words}]({picture.name}.svg)", ""]
        if picture.narrow:
            lines += [f"At 390 pixels: ![{picture.words}]({picture.name}-390.png)", ""]
    lines += ["## A game in motion.", "", "![The three phases above, one after the other.](replay.gif)", ""]
    pages = (
        "The pages for players, in the light and the dark theme, on a computer and on a phone: [pages.md](pages.md)."
    )
    lines += ["## Pages in the browser.", "", pages, ""]
    lines += ["## What it was.", "", "The map beside what it was: [before-and-after.md](before-and-after.md).", ""]
    return "\n".join(lines)


def main() -> None:
    """Draw and write everything."""
    on, shown = chart(VARIANT), pictures()
    svgs = {picture.name: drawn(on, picture) for picture in shown}
    GALLERY.mkdir(parents=True, exist_ok=True)
    (GALLERY / "hashes.txt").write_text(hashes(svgs), encoding="utf-8")
    if "--hashes" in sys.argv[1:]:
        return
    for picture in shown:
        (GALLERY / f"{picture.name}.svg").write_text(with_face(svgs[picture.name]), encoding="utf-8")
        if picture.narrow:
            (GALLERY / f"{picture.name}-390.png").write_bytes(png(svgs[picture.name], 390))
    animate(scenes(midgame(), on), on, GALLERY / "replay.gif", width=440)
    (GALLERY / "README.md").write_text(page(shown), encoding="utf-8")
    print(f"{sum(file.stat().st_size for file in GALLERY.iterdir()) / 1e6:.2f} MB in {GALLERY}")


if __name__ == "__main__":
    main()

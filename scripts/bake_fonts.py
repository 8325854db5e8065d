"""Bake the faces with which pictures become pixels: EB Garamond (OFL-1.1), as small TrueType files with its licence.

Run once, by hand, with fontTools and brotli installed: `python scripts/bake_fonts.py`.
It asks npm for the package `@fontsource/eb-garamond`, keeps the letters of European names, and writes
`src/plenipo/maps/draw/fonts/`. Nobody needs npm or fontTools afterwards.
"""

import tempfile
from pathlib import Path

from fontTools.merge import Merger
from fontTools.subset import Options, Subsetter
from fontTools.ttLib import TTFont

from packages import fetch

PACKAGE = "@fontsource/eb-garamond@5.3.0"
TARGET = Path(__file__).parents[1] / "src" / "plenipo" / "maps" / "draw" / "fonts"
STYLES = ("600-normal", "500-italic")
NAMES = [0, 1, 2, 6, 13, 14]
"""The entries of a file's table of names that are kept: a renderer needs its family, style and PostScript name."""
DAY = 3_800_000_000
"""When the files say they were made, so that the same package gives the same files (seconds since 1904)."""
SUBSETS = {
    "latin": (*range(0x20, 0x100), *range(0x2010, 0x2040)),
    "latin-ext": tuple(range(0x100, 0x180)),
    "greek": tuple(range(0x391, 0x3D0)),
}
"""The parts the package divides the face into, and which characters of each are kept."""


def main() -> None:
    """Fetch, cut down, write."""
    TARGET.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as name:
        package = fetch(PACKAGE, Path(name))
        for style in STYLES:
            parts = []
            for subset, kept in SUBSETS.items():
                font = TTFont(package / "files" / f"eb-garamond-{subset}-{style}.woff2")
                font.flavor = None
                options = Options(
                    layout_features=["kern", "liga", "mark"], hinting=False, name_IDs=[0, 1, 2, 6, 13, 14]
                )
                cutter = Subsetter(options)
                cutter.populate(unicodes=kept)
                cutter.subset(font)
                parts.append(str(Path(name) / f"{subset}-{style}.ttf"))
                font.save(parts[-1])
            # one file a style: a renderer that finds a letter missing would take any other style
            whole = Merger().merge(parts)
            for record in whole["name"].names:
                if record.nameID == 1:
                    record.string = "EB Garamond"
            whole["head"].created = whole["head"].modified = 0
            whole.save(TARGET / f"eb-garamond-{style}.ttf", reorderTables=True)
        (TARGET / "OFL.txt").write_bytes((package / "LICENSE").read_bytes())
    print(f"{sum(file.stat().st_size for file in TARGET.iterdir()) / 1000:.0f} kB in {TARGET}")


if __name__ == "__main__":
    main()

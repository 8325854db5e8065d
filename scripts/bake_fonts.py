"""Bake the faces of pictures and pages: EB Garamond (OFL-1.1) cut down to the characters in use, with its licence.

Run once, by hand, with fontTools and brotli installed: `python scripts/bake_fonts.py`.
It asks npm for the package `@fontsource/eb-garamond` and writes small TrueType files for pictures that become pixels,
and two WOFF2 files a style for pages, and for pictures that stand alone: one with the letters of English, and one with
accented letters, which is asked for, or put into a picture, only when one occurs. Afterwards neither npm nor
fontTools is needed.
"""

import tempfile
from collections.abc import Collection
from pathlib import Path

from fontTools.merge import Merger
from fontTools.subset import Options, Subsetter
from fontTools.ttLib import TTFont

from packages import fetch

PACKAGE = "@fontsource/eb-garamond@5.3.0"
PACKAGED = Path(__file__).parents[1] / "src" / "plenipo"
PICTURES = PACKAGED / "maps" / "draw" / "fonts"
PAGES = PACKAGED / "server" / "web" / "static" / "fonts"
PICTURE_STYLES = ("600-normal", "500-italic")
PAGE_STYLES = ("400-normal", "500-normal", "500-italic", "600-normal")
SUBSETS = {
    "latin": (*range(0x20, 0x100), *range(0x2010, 0x2040)),
    "latin-ext": tuple(range(0x100, 0x180)),
    "greek": tuple(range(0x391, 0x3D0)),
}
"""The parts the package divides the face into, and which characters of each are kept in pictures."""

PLAIN = (*range(0x20, 0x7F), 0xA0, 0xB7, 0xD7, *range(0x2010, 0x2040), 0x2212)
"""The characters of English text, in the first file of a style; `base.css` names the same ranges."""

ACCENTED = tuple(code for code in range(0xA1, 0x180) if code not in PLAIN)
"""The characters of its second file."""


def cut(file: Path, kept: Collection[int], features: Collection[str], names: Collection[int]) -> TTFont:
    """Return a face with some of its characters, features and names."""
    font = TTFont(file)
    font.flavor = None
    cutter = Subsetter(Options(layout_features=list(features), hinting=False, name_IDs=list(names)))
    cutter.populate(unicodes=kept)
    cutter.subset(font)
    return font


def bake_picture(package: Path, style: str, folder: Path) -> None:
    """Write one file per style: a renderer that finds a character missing would use another style."""
    parts = []
    for subset, kept in SUBSETS.items():
        # a renderer needs the family, the style and the PostScript name
        file = package / "files" / f"eb-garamond-{subset}-{style}.woff2"
        parts.append(str(folder / f"{subset}-{style}.ttf"))
        cut(file, kept, ("kern", "liga", "mark"), (0, 1, 2, 6, 13, 14)).save(parts[-1])
    whole = Merger().merge(parts)
    for record in whole["name"].names:
        if record.nameID == 1:
            record.string = "EB Garamond"
    # the same package gives the same files
    whole["head"].created = whole["head"].modified = 0
    whole.save(PICTURES / f"eb-garamond-{style}.ttf", reorderTables=True)


def bake_parts(package: Path, style: str, folder: Path, features: Collection[str]) -> None:
    """Write two files per style, divided by the characters of the text."""
    file = package / "files" / f"eb-garamond-latin-{style}.woff2"
    for name, kept in (("plain", PLAIN), ("accented", ACCENTED)):
        font = cut(file, kept, features, (0, 1, 2, 13, 14))
        font.flavor = "woff2"
        font.save(folder / f"eb-garamond-{style}-{name}.woff2")


def main() -> None:
    """Fetch the package, cut the faces down and write the files."""
    with tempfile.TemporaryDirectory() as name:
        package = fetch(PACKAGE, Path(name))
        for style in PICTURE_STYLES:
            bake_picture(package, style, Path(name))
            bake_parts(package, style, PICTURES, ("kern",))
        for style in PAGE_STYLES:
            bake_parts(package, style, PAGES, ("kern", "liga", "mark", "pnum", "tnum"))
        for folder in (PICTURES, PAGES):
            (folder / "OFL.txt").write_bytes((package / "LICENSE").read_bytes())
            print(f"{sum(file.stat().st_size for file in folder.iterdir()) / 1000:.0f} kB in {folder}")


if __name__ == "__main__":
    main()

"""Bake the widths of the map's letters as one small committed file.

Run once, by hand, with fontTools installed: `python scripts/bake_typeface.py`.
It asks npm for the package `@fontsource/eb-garamond` (EB Garamond, OFL-1.1), reads how far each letter of the two
styles of the map advances, and writes `src/plenipo/maps/data/typeface.json`.
Afterwards neither npm nor fontTools is needed.
The file holds numbers only, no outlines; they are thousandths of the font size.
"""

import json
import tempfile
import unicodedata
from pathlib import Path

from fontTools.ttLib import TTFont

from packages import fetch

PACKAGE = "@fontsource/eb-garamond@5.3.0"
TARGET = Path(__file__).parents[1] / "src" / "plenipo" / "maps" / "data" / "typeface.json"
STYLES = {"land": "600-normal", "water": "500-italic"}
"""The styles of the map, and the weight and slope of each."""
SUBSETS = ("latin-ext", "latin")
"""The parts the package divides the face into; a later one wins."""
KEPT = frozenset({"Lu", "Ll", "Nd", "Pd", "Po", "Ps", "Pe", "Pi", "Pf", "Zs"})
"""The kinds of character a name is made of, by Unicode category."""


def widths(file: Path) -> dict[str, int]:
    """Return the advance width of each character of a font file, in thousandths of the size."""
    font = TTFont(file)
    unit, advances = font["head"].unitsPerEm, font["hmtx"]
    return {
        chr(number): round(1000 * advances[glyph][0] / unit)
        for number, glyph in sorted(font.getBestCmap().items())
        if (number < 0x250 or 0x2010 <= number < 0x2040) and unicodedata.category(chr(number)) in KEPT
    }


def main() -> None:
    """Fetch the font, read the widths and write the file."""
    rows = []
    with tempfile.TemporaryDirectory() as name:
        files = fetch(PACKAGE, Path(name)) / "files"
        for style, cut in STYLES.items():
            found: dict[str, int] = {}
            for subset in SUBSETS:
                found |= widths(files / f"eb-garamond-{subset}-{cut}.woff")
            rows.append(f"{json.dumps(style)}:{json.dumps(dict(sorted(found.items())), separators=(',', ':'))}")
    note = f"Advances of EB Garamond (OFL-1.1) in 1/1000 of its size, by scripts/bake_typeface.py from {PACKAGE}."
    rows.insert(0, f'"note":{json.dumps(note)}')
    TARGET.write_text("{\n" + ",\n".join(rows) + "\n}\n", encoding="utf-8")
    print(f"{TARGET}: {TARGET.stat().st_size / 1000:.1f} kB")


if __name__ == "__main__":
    main()

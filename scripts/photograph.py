"""Photograph every page in a language, with contact prints: `python scripts/photograph.py de pictures`.

The pages are those of `tests/browser/every_page.py`, at eight sizes and in the light and the dark theme; a server with
games in every state is started for them. `--at 390 --in dark --page host account` takes some of them alone. A
pseudo-language of `tests/pseudo.py` may be named as well, such as `el-XA`.
"""

import argparse
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

from PIL import Image
from playwright.sync_api import sync_playwright

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))

from browser.every_page import SPOTS, World, open_window, start_server
from browser.hands import UNHINTED, chromium
from pseudo import write_catalogues

SIZES = {
    390: (390, 844),
    820: (820, 1180),
    844: (844, 390),
    1024: (1024, 768),
    1366: (1366, 768),
    1440: (1440, 900),
    1600: (1600, 1000),
    1920: (1920, 1080),
}

TALLEST = 2600
"""The height in pixels at which the picture of a long page ends."""

ACROSS = {390: 5, 820: 3, 844: 2, 1024: 2, 1366: 2, 1440: 2, 1600: 2, 1920: 2}
"""The number of pictures in a row of a contact print."""

OVERVIEW = 1900
"""The width of a contact print in pixels."""


def photograph(
    folder: Path, language: str, widths: Iterable[int], themes: Iterable[str], wanted: Sequence[str]
) -> None:
    """Write a PNG file of each page, at each width and in each theme, and contact prints of them."""
    folder.mkdir(parents=True, exist_ok=True)
    with TemporaryDirectory() as below, sync_playwright() as driver:
        catalogues = write_catalogues(Path(below) / "languages")
        with start_server(Path(below), catalogues) as site:
            world = World(site, Path(below))
            browser = driver.chromium.launch(executable_path=chromium(), args=["--no-sandbox", UNHINTED])
            for theme in themes:
                for width in widths:
                    taken = []
                    with open_window(browser, world, language, *SIZES[width], theme=theme) as opened:
                        for spot in SPOTS:
                            if wanted and spot.name not in wanted:
                                continue
                            page = opened(spot)
                            height = min(page.evaluate("document.documentElement.scrollHeight"), TALLEST)
                            page.set_viewport_size({"width": width, "height": max(height, SIZES[width][1])})
                            page.wait_for_timeout(300)
                            taken.append(folder / f"{spot.name}-{language}-{theme}-{width}.png")
                            page.screenshot(path=taken[-1])
                            page.set_viewport_size({"width": width, "height": SIZES[width][1]})
                    make_prints(taken, folder, f"{language}-{theme}-{width}", ACROSS[width])
            browser.close()
            world.close()


def make_prints(files: Sequence[Path], folder: Path, name: str, across: int) -> None:
    """Write contact prints of pictures, `across` beside each other and one row a print."""
    wide = OVERVIEW // across
    for number, start in enumerate(range(0, len(files), across), 1):
        pictures = [Image.open(file).convert("RGB") for file in files[start : start + across]]
        scaled = [one.resize((wide - 6, one.height * (wide - 6) // one.width)) for one in pictures]
        sheet = Image.new("RGB", (OVERVIEW, max(one.height for one in scaled)), "#777")
        for place, one in enumerate(scaled):
            sheet.paste(one, (place * wide, 0))
        sheet.save(folder / f"sheet-{name}-{number:02}.png")


if __name__ == "__main__":
    reader = argparse.ArgumentParser(description="Photograph every page in a language.")
    reader.add_argument("language")
    reader.add_argument("folder", type=Path)
    reader.add_argument("--at", nargs="+", type=int, choices=SIZES, default=list(SIZES), metavar="WIDTH")
    reader.add_argument("--in", nargs="+", default=["light", "dark"], metavar="THEME", dest="themes")
    reader.add_argument("--page", nargs="+", default=[], metavar="NAME", help="names of pages, such as lobby-host")
    asked = reader.parse_args()
    photograph(asked.folder, asked.language, asked.at, asked.themes, asked.page)

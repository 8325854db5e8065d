"""Check every page with axe at eight sizes, in the light and the dark theme; exit with 1 if axe reports anything.

Start a server first: `python scripts/axe_walk.py http://127.0.0.1:8021`, perhaps with `--at 390 1366`,
`--in dark` and `--scene ordering irish/rules`; the scenes are those of `tests/browser/take_pictures.py`.
"""

import argparse
import sys
from collections.abc import Callable
from pathlib import Path

from playwright.sync_api import Page, sync_playwright

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))

from browser.axe import faults
from browser.hands import UNHINTED, chromium
from browser.take_pictures import SCENES, opened
from plenipo import library

SIZES = ((390, 844), (768, 1024), (1024, 768), (1280, 800), (1366, 768), (1440, 900), (1600, 1000), (1920, 1080))


def _at(address: str) -> Callable[[Page], object]:
    return lambda page: page.goto(address)


def walk(site: str, widths: list[int], themes: list[str], wanted: list[str]) -> int:
    """Print each finding on a line; return the number of findings."""
    scenes: dict[str, Callable[[Page], object]] = {scene.__name__: scene for scene in SCENES}
    for name in library.names():
        for part in ("", "/rules", "/host"):
            scenes[f"{name}{part}"] = _at(f"/variants/{name}{part}")
    looked = total = 0
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium(), args=["--no-sandbox", UNHINTED])
        for theme in themes:
            with opened(browser, site, theme, 390, 844) as phone, opened(browser, site, theme, 1920, 1080) as desk:
                for name, scene in scenes.items():
                    if wanted and name not in wanted:
                        continue
                    for page, all_sizes in ((phone, SIZES[:1]), (desk, SIZES[1:])):
                        sizes = [size for size in all_sizes if size[0] in widths]
                        if not sizes:
                            continue
                        page.set_viewport_size({"width": sizes[0][0], "height": sizes[0][1]})
                        scene(page)
                        for width, height in sizes:
                            page.set_viewport_size({"width": width, "height": height})
                            page.wait_for_timeout(150)
                            found = faults(page)
                            looked, total = looked + 1, total + len(found)
                            for fault in found:
                                print(f"{name} {theme} {width}: {fault}", flush=True)
                    print(f"{name} {theme}", file=sys.stderr, flush=True)
        browser.close()
    print(f"axe looked {looked} times and found {total} faults.")
    return total


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("site")
    parser.add_argument("--at", nargs="+", type=int, default=[width for width, _ in SIZES], metavar="WIDTH")
    parser.add_argument("--in", nargs="+", default=["light", "dark"], metavar="THEME", dest="themes")
    parser.add_argument("--scene", nargs="+", default=[], metavar="NAME")
    asked = parser.parse_args()
    sys.exit(1 if walk(asked.site, asked.at, asked.themes, asked.scene) else 0)

"""Pictures as pixels, compared with what a browser makes of the same SVG."""

from collections.abc import Mapping
from io import BytesIO
from itertools import product

import pytest
from PIL import Image
from playwright.sync_api import sync_playwright

from browser.hands import UNHINTED, chromium
from plenipo import raster
from plenipo.charts import chart
from plenipo.maps.draw import Theme
from plenipo.maps.draw.face import with_face
from plenipo.maps.lettering.typeface import SLACK, width_of
from waiting import run_together

WIDE, HIGH, SPACING = 900, 120, 9
TEXTS = ("North Atlantic Ocean 1", "Indian Ocean")
Case = tuple[str, str]
"""A text and the name of its setting."""

SET = {
    "spaced and held to a width": 'letter-spacing="{spacing}" textLength="{long}" lengthAdjust="spacingAndGlyphs"',
    "spaced": 'letter-spacing="{spacing}"',
    "held to a width": 'textLength="{long}" lengthAdjust="spacingAndGlyphs"',
}


def painted(path: str, svgs: Mapping[Case, str]) -> dict[Case, bytes]:
    """Return the picture that a painting Chromium shows of each SVG; the browser of the page tests does not paint."""
    shown = {}
    with sync_playwright() as playwright:
        running = playwright.chromium.launch(executable_path=path, args=["--no-sandbox", "--disable-gpu", UNHINTED])
        page = running.new_page(viewport={"width": WIDE, "height": HIGH})
        for case, svg in svgs.items():
            page.set_content(f'<body style="margin:0">{with_face(svg)}</body>')
            page.wait_for_function("document.fonts.status === 'loaded'")
            shown[case] = page.screenshot()
        running.close()
    return shown


@pytest.fixture(scope="module")
def screenshots() -> dict[Case, bytes]:
    """The lines of lettering as a browser shows them, asked in a thread that no other test drives a browser in."""
    path = chromium()
    if path is None:
        pytest.skip("no Chromium is installed: `make browser` installs it, or name one in PLENIPO_BROWSER")
    (shown,) = run_together(lambda: painted(path, {case: line_of(*case)[0] for case in product(TEXTS, SET)}))
    if isinstance(shown, BaseException):
        raise shown
    return shown


def lettered(text: str, setting: str) -> str:
    """A picture of one line of lettering on white paper."""
    sheet = Theme.from_name("print").sheet(())
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" class="board" viewBox="0 0 {WIDE} {HIGH}"><style>{sheet}</style>'
        f'<rect width="{WIDE}" height="{HIGH}" fill="#fff"/><g class="names">'
        f'<text class="water" font-size="48" x="{WIDE // 2}" y="75" {setting}>{text}</text></g></svg>'
    )


def inked(image: bytes) -> tuple[int, int, int, int]:
    """The box of what is dark in an image."""
    box = Image.open(BytesIO(image)).convert("L").point(lambda value: 255 if value < 100 else 0).getbbox()
    assert box is not None
    return box


def line_of(text: str, setting: str) -> tuple[str, float]:
    """A picture of a text in a setting, and how long the line is by nature."""
    natural = width_of(text, water=True) / SLACK * 48 + (SPACING * len(text) if "spaced" in setting else 0)
    return lettered(text, SET[setting].format(spacing=SPACING, long=round(natural))), natural


@pytest.mark.parametrize("text", TEXTS)
@pytest.mark.parametrize("setting", SET)
def test_lettering_runs_as_wide_in_pixels_as_in_a_browser(
    screenshots: dict[Case, bytes], text: str, setting: str
) -> None:
    svg, natural = line_of(text, setting)
    shown, made = inked(screenshots[text, setting]), inked(raster.png(svg, WIDE))
    # a browser sets the spacing after the last letter too, which moves the line by half of it; widths know no kerning
    slack = 0.02 * natural
    apart = [abs(a - b) for a, b in zip(shown, made, strict=True)]
    assert max(apart) <= SPACING / 2 + slack / 2, (shown, made)
    assert abs((shown[2] - shown[0]) - (made[2] - made[0])) <= slack, (shown, made)


@pytest.mark.parametrize("width", [390, 1600])
@pytest.mark.parametrize(("variant", "theme", "letters"), [("irish", "light", "E"), ("standard", "light", "")])
def test_letters_tell_the_units_of_similar_powers_apart_at_every_width(
    variant: str, theme: str, letters: str, width: int
) -> None:
    """Among more than nine powers colours are not enough; among seven they are, and units bear none."""
    on = chart(variant)
    svg = on.draw(on.scene(legend=False), theme)
    other = svg.replace(">E</text>", ">Q</text>")
    changed = raster.png(svg, width) != raster.png(other, width)
    assert changed == bool(letters)

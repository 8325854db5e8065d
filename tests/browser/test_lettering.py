"""The writing on the map is enlarged where there is room, stays on the map, and names every place a unit stands in."""

import json
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from urllib.parse import urlencode

import pytest
from playwright.sync_api import Page, expect
from typer.testing import CliRunner

from browser.hands import Table
from browser.take_pictures import TURN
from plenipo import library
from plenipo.cli import app
from plenipo.engine.history.record import entries_of
from plenipo.server import uploads
from proofs import share

OVER_THE_EDGE = """() => {
  const edge = (element) => element.getBoundingClientRect();
  const frame = edge(document.querySelector('svg.the-map .neat'));
  const beside = (box) => box.left < frame.left - 1 || box.right > frame.right + 1;
  const spare = (box) => 0.11 * box.height + 1; // a line is higher than its messages
  const over = (box) => beside(box) || box.top < frame.top - spare(box) || box.bottom > frame.bottom + spare(box);
  const written = [...document.querySelectorAll('svg.the-map :is(.names, .codes) text:not([data-off])')];
  return { count: written.length, over: written.filter((text) => over(edge(text))).map((text) => text.textContent) };
}"""


@pytest.mark.parametrize("variant", ["standard", "irish", "cline"])
def test_names_stay_inside_the_frame_at_a_desk(page: Page, variant: str) -> None:
    size = page.viewport_size
    assert size is not None
    Table.open(page, variant)
    try:
        for width in (1600, 1260):
            resized(page, width, 760)
            found = page.evaluate(OVER_THE_EDGE)
            assert found["count"] > 40
            assert set(found["over"]) <= ({"Antarctic Sea"} if variant == "cline" else set())
    finally:
        page.set_viewport_size(size)


def test_names_and_codes_stay_inside_the_frame_on_a_phone(phone: Page) -> None:
    Table.open(phone, "standard")
    expect(phone.locator("svg.the-map :is(.names, .codes) text:not([data-off])")).not_to_have_count(0)
    assert phone.evaluate(OVER_THE_EDGE)["over"] == []


NAMELESS = """() => {
  const svg = document.querySelector('svg.the-map');
  const frame = svg.getBoundingClientRect();
  const across = (box) => box.left >= frame.left && box.right <= frame.right;
  const seen = (box) => across(box) && box.top >= frame.top && box.bottom <= frame.bottom;
  const written = new Set([...svg.querySelectorAll('text[data-of]:not([data-off])')].map((text) => text.dataset.of));
  // a corner has no name of its own: it is where three places with names meet
  const standing = [...svg.querySelectorAll('.unit[data-space]')];
  const provinces = standing.filter((unit) => !unit.dataset.space.startsWith('['));
  const units = provinces.filter((unit) => seen(unit.getBoundingClientRect()));
  const spaces = units.map((unit) => unit.dataset.space);
  return { units: units.length, nameless: spaces.filter((space) => !written.has(space)) };
}"""

COVERED = """() => {
  const svg = document.querySelector('svg.the-map');
  const box = (element) => element.getBoundingClientRect();
  const tokens = [...svg.querySelectorAll('.unit[data-space] > use')].map(box);
  const beside = (a, b) => Math.min(a.right, b.right) - Math.max(a.left, b.left) < 3;
  const apart = (a, b) => beside(a, b) || Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) < 6;
  const labels = [...svg.querySelectorAll('text[data-of]:not([data-off])')];
  return labels.filter((label) => !tokens.every((token) => apart(token, box(label)))).map((label) => label.textContent);
}"""

WRITTEN = """() => {
  const map = document.getElementById('map');
  return map.dataset.written?.startsWith(`${map.clientWidth} ${map.clientHeight} `);
}"""


def resized(page: Page, width: int, height: int) -> None:
    """Make the window another size, and wait until the map is written for it."""
    page.set_viewport_size({"width": width, "height": height})
    page.wait_for_function(WRITTEN)


SIZES = ((1600, 1000), (1440, 900), (1366, 768), (1280, 800), (1024, 768))


@pytest.fixture
def second_turn(page: Page) -> Iterator[Table]:
    """A game after a turn, so that the strip of the history takes its room too; the window gets its size back."""
    size = page.viewport_size
    assert size is not None
    yield Table.open(page).give(TURN).judge().again()
    page.set_viewport_size(size)


def test_every_occupied_province_has_a_name_or_a_code_at_every_size(second_turn: Table) -> None:
    page = second_turn.page
    for width, height in SIZES:
        resized(page, width, height)
        assert page.evaluate(NAMELESS) == {"units": 22, "nameless": []}, width
        assert page.evaluate(COVERED) == [], width


def test_marks_of_centres_and_order_lines_are_wide_enough_to_see_at_every_size(second_turn: Table) -> None:
    page = second_turn.page
    second_turn.give({"Austria": ["A VIE - TYR"]}).again().sit("Austria")
    for width, height in SIZES:
        resized(page, width, height)
        assert page.evaluate("() => document.querySelector('svg.the-map .centre').getBoundingClientRect().width") >= 7
        pixels = """() => {
          const line = document.querySelector('svg.the-map .order.move .line');
          return parseFloat(getComputedStyle(line).strokeWidth) * line.getScreenCTM().a;
        }"""
        assert page.evaluate(pixels) >= 2.4, width


BEHIND = """() => {
  const { left, right, top, bottom } = document.querySelector('.zoom').getBoundingClientRect();
  const across = (low, high) => Array.from({ length: 9 }, (_, i) => low + ((high - low) * i) / 8);
  const points = across(left, right).flatMap((x) => across(top, bottom).map((y) => [x, y]));
  const places = points.flatMap(([x, y]) => document.elementsFromPoint(x, y).map((one) => one.closest('[data-space]')));
  return [...new Set(places.filter(Boolean).map((place) => place.dataset.space))];
}"""
"""The spaces that lie behind the buttons of the map."""

CENTRES = """() => [...document.querySelectorAll('svg.the-map .marks .centre')]
  .map((mark) => mark.getBoundingClientRect().width)"""
"""The widths of the marks of centres, without those of small pictures."""


@cache
def golden(variant: str) -> str:
    """The record of the game that is kept with a variant, whose board is crowded."""
    (script,) = (library.folder_of(variant) / "games").glob("*.txt")
    with TemporaryDirectory() as folder:
        saved = Path(folder) / "game.json"
        played = CliRunner().invoke(app, ["play", variant, "--orders", str(script), "--save", str(saved)])
        assert played.exit_code == 0, played.output
        return saved.read_text(encoding="utf-8")


def at_its_middle(page: Page, variant: str) -> Table:
    """The golden game of a variant after half its turns."""
    record = golden(variant)
    return Table.uploaded(page, record, f"?turn={len(entries_of(json.loads(record))) // 2}")


@pytest.mark.parametrize("variant", library.names())
def test_in_every_variant_all_units_have_names_centres_are_seen_and_no_button_hides_a_place(
    page: Page, phone: Page, variant: str
) -> None:
    at_its_middle(page, variant)
    size = page.viewport_size
    assert size is not None
    try:
        for width, height in share(SIZES, 4):  # the largest and the smallest; all in `make proofs`
            resized(page, width, height)
            found = page.evaluate(NAMELESS)
            assert found["units"] >= 10
            assert found["nameless"] == [], width
            assert page.evaluate(BEHIND) == [], width
            assert min(page.evaluate(CENTRES)) >= 7, width
    finally:
        page.set_viewport_size(size)
    at_its_middle(phone, variant)
    assert phone.evaluate(NAMELESS) == {"units": found["units"], "nameless": []}
    assert phone.evaluate(BEHIND) == []
    assert min(phone.evaluate(CENTRES)) >= 7


def test_walkers_stay_when_orders_are_drawn_anew(page: Page) -> None:
    table = Table.open(page, "irish")
    while table.view["asks"]["choice"]:
        table.judge()
    table.again()
    walkers = page.locator("svg.the-map :is(.walker, .shade)")
    before = walkers.count()
    assert before > 0
    table.row(table.rows.first.get_attribute("data-unit") or "").locator(".order-button").click()
    page.keyboard.press("h")
    table.settled()
    expect(page.locator("#m-layer-orders .hold-order")).to_have_count(1)
    expect(walkers).to_have_count(before)


AMISS = """() => {
  const svg = document.querySelector('svg.the-map');
  const trim = ({ left, right, top, bottom, width, height }) => {
    const [across, down] = [0.03 * width, 0.11 * height];
    return { left: left + across, right: right - across, top: top + down, bottom: bottom - down };
  };
  const labels = [...svg.querySelectorAll('text[data-of]:not([data-off])')].map((text) =>
    ({ of: text.dataset.of, isCode: text.closest('.codes') !== null, box: trim(text.getBoundingClientRect()) }));
  const discs = [...svg.querySelectorAll('.unit[data-space]')].map((unit) => {
    const { x, y, width, height } = unit.querySelector('use').getBoundingClientRect();
    return { of: unit.dataset.space, x: x + width / 2, y: y + height / 2, r: Math.min(width, height) / 2 };
  });
  const beyond = (at, low, high) => Math.max(0, low - at, at - high);
  const far = ({ left, right, top, bottom }, { x, y, r }) =>
    Math.max(0, Math.hypot(beyond(x, left, right), beyond(y, top, bottom)) - r);
  const own = ({ of }) => discs.find((disc) => disc.of === of);
  const codes = labels.filter(({ isCode }) => isCode);
  const isNearer = (code) => (disc) => disc.of !== code.of && far(code.box, disc) < far(code.box, own(code)) - 0.5;
  const astray = codes.filter((code) => own(code) && discs.some(isNearer(code)));
  const beside = (a, b) => a.left < b.right + 1.5 && b.left < a.right + 1.5;
  const touch = (a, b) => beside(a, b) && Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > 1;
  const joined = codes.flatMap((code) =>
    labels.filter((other) => other !== code && touch(code.box, other.box)).map((other) => `${code.of} ${other.of}`));
  return { astray: astray.map(({ of }) => of), joined };
}"""
"""The codes that stand nearer to the unit of another space than to their own, and those that run into another label."""


@pytest.mark.parametrize("variant", library.names())
def test_on_a_phone_every_code_stands_nearest_to_its_own_unit_and_apart_from_others(phone: Page, variant: str) -> None:
    opening = uploads.pack_position(library.load(variant).opening)
    phone.goto(f"/position?{urlencode({'v': variant, 'p': opening})}")
    phone.wait_for_function(WRITTEN)
    assert phone.evaluate(AMISS) == {"astray": [], "joined": []}

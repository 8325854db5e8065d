"""The writing on the map is enlarged where there is room, and stays on the map."""

import pytest
from playwright.sync_api import Page, expect

from browser.hands import Table

OVER_THE_EDGE = """() => {
  const edge = (element) => element.getBoundingClientRect();
  const frame = edge(document.querySelector('svg.the-map .neat'));
  const beside = (box) => box.left < frame.left - 1 || box.right > frame.right + 1;
  const spare = (box) => 0.11 * box.height + 1; // a line is higher than its letters
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
            page.set_viewport_size({"width": width, "height": 760})
            page.wait_for_timeout(300)  # the writing follows the size a moment later
            found = page.evaluate(OVER_THE_EDGE)
            assert found["count"] > 40
            assert set(found["over"]) <= ({"Antarctic Sea"} if variant == "cline" else set())
    finally:
        page.set_viewport_size(size)


def test_names_and_codes_stay_inside_the_frame_on_a_phone(phone: Page) -> None:
    Table.open(phone, "standard")
    expect(phone.locator("svg.the-map :is(.names, .codes) text:not([data-off])")).not_to_have_count(0)
    assert phone.evaluate(OVER_THE_EDGE)["over"] == []

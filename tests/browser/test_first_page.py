"""The first page: what this is, where to begin, and how much it weighs."""

import pytest
from playwright.sync_api import Browser, expect

from browser.axe import faults
from browser.hands import open_context

LIMIT = 300_000
"""The most bytes on the wire of the first page on a desk."""


@pytest.mark.parametrize("size", [(1440, 900), (390, 844)], ids=["desk", "phone"])
def test_the_first_page_is_light_and_its_doors_are_on_the_screen(
    browser: Browser, site: str, size: tuple[int, int]
) -> None:
    context = open_context(browser, base_url=site, viewport={"width": size[0], "height": size[1]})
    page = context.new_page()
    received: list[float] = []
    network = context.new_cdp_session(page)
    network.send("Network.enable")
    network.on("Network.loadingFinished", lambda event: received.append(event["encodedDataLength"]))
    page.goto("/", wait_until="networkidle")
    for door in ("Play against computers", "Play with friends", "Join a game"):
        expect(page.locator(".door", has_text=door)).to_be_in_viewport(ratio=1)
    assert 20_000 < sum(received) <= LIMIT
    page.locator(".card").last.scroll_into_view_if_needed()
    expect(page.locator(".card img").last).to_be_visible()
    assert faults(page) == []
    context.close()

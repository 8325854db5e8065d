"""The size of the requests of pages that are opened for the first time."""

import pytest
from playwright.sync_api import Browser

from browser.first_load import VARIANTS, first_load, first_page

LIMIT = 235_000
"""The most bytes on the wire, with their headers, until a game takes orders; 5,000 fewer for the standard game."""


@pytest.mark.parametrize("variant", VARIANTS)
def test_a_game_asks_for_nothing_twice_and_is_small(browser: Browser, site: str, variant: str) -> None:
    load = first_load(browser, site, variant)
    assert 50_000 < load.received <= LIMIT - 5_000 * (variant == "standard")
    assert not [address for address in load.addresses if "picture.svg" in address]
    assert len(set(load.addresses)) == len(load.addresses)


def test_the_first_page_can_be_read_within_six_seconds_at_slow_3g_and_a_quarter_of_the_processor(
    browser: Browser, site: str
) -> None:
    # a busy machine may be slow once
    assert min(first_page(browser, site, slow=True).readable for _ in range(2)) <= 6

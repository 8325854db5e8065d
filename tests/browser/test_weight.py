"""The size of the requests of pages that are opened for the first time."""

import pytest
from playwright.sync_api import Browser

from browser.first_load import VARIANTS, first_load

LIMIT = 250_000
"""The most bytes on the wire, with their headers, until a game takes orders."""


@pytest.mark.parametrize("variant", VARIANTS)
def test_a_game_asks_for_nothing_twice_and_is_small(browser: Browser, site: str, variant: str) -> None:
    load = first_load(browser, site, variant)
    assert 50_000 < load.received <= LIMIT
    assert not [address for address in load.addresses if "picture.svg" in address]
    assert len(set(load.addresses)) == len(load.addresses)

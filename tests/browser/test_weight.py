"""What a page asks for when it is opened for the first time."""

import pytest
from playwright.sync_api import Browser

from browser.first_load import first_load


@pytest.mark.parametrize("variant", ["standard", "1897", "cline"])
def test_a_game_asks_for_nothing_twice_and_is_small(browser: Browser, site: str, variant: str) -> None:
    load = first_load(browser, site, variant)
    assert 50_000 < load.received < 250_000
    assert not [address for address in load.addresses if "picture.svg" in address]
    assert len(set(load.addresses)) == len(load.addresses)

"""A year of every variant from the gallery, by mouse, by keys and by touch, with what the page shows.

Each hand plays one variant here, and every variant where PLENIPO_YEARS is `all`: `make years`.
"""

import os

import pytest
from playwright.sync_api import Page

from browser.years import HANDS, YEARS, pictures, play_a_year

SHARE = {"standard": "mouse", "1897": "keys", "corner": "touch"}
"""The years that every test run plays, with the input device of each."""

PLAYED = [
    (variant, hand)
    for variant in YEARS
    for hand in HANDS
    if os.environ.get("PLENIPO_YEARS") == "all" or SHARE.get(variant) == hand
]


@pytest.mark.parametrize(("variant", "hand"), PLAYED)
def test_a_year_is_played_with_what_the_page_shows(request: pytest.FixtureRequest, variant: str, hand: str) -> None:
    page: Page = request.getfixturevalue("phone" if hand == "touch" else "page")
    folder = pictures() and f"{pictures()}/{variant}"
    year = YEARS[variant]
    assert play_a_year(HANDS[hand](page, folder), year) == list(year.phases)

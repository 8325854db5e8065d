"""The rules on screens in the browser: boards that play, readers who want no motion, and two sheets of paper."""

import re

import pytest
from playwright.sync_api import Browser, Page, expect

from browser.axe import faults_by_day_and_night
from browser.hands import PATIENCE, open_context

RULES = "/variants/standard/rules"

PLACE_OF_THE_ARMY = """() => document.querySelector('#m-unit-PAR').getBoundingClientRect().x"""


def test_a_board_plays_when_it_comes_into_view_and_again_at_its_button(page: Page) -> None:
    page.emulate_media(reduced_motion="no-preference")
    page.goto(RULES)
    before = page.evaluate(PLACE_OF_THE_ARMY)
    first = page.locator(".board-box").first
    first.scroll_into_view_if_needed()
    page.wait_for_function(f"before => ({PLACE_OF_THE_ARMY})() > before + 20", arg=before, timeout=PATIENCE)
    first.locator(".replay").focus()
    page.keyboard.press("Enter")
    page.wait_for_function(f"before => Math.abs(({PLACE_OF_THE_ARMY})() - before) < 2", arg=before, timeout=PATIENCE)
    page.wait_for_function(f"before => ({PLACE_OF_THE_ARMY})() > before + 20", arg=before, timeout=PATIENCE)


def test_nothing_moves_for_a_reader_who_wants_no_motion_until_it_is_asked_for(page: Page) -> None:
    page.emulate_media(reduced_motion="reduce")
    page.goto(RULES)
    first = page.locator(".board-box").first
    first.scroll_into_view_if_needed()
    page.locator(".board-box").nth(1).scroll_into_view_if_needed()
    expect(page.locator(".board-box[data-played]")).to_have_count(0)
    first.locator(".replay").click()
    expect(page.locator(".board-box[data-played]")).to_have_count(1)


def test_the_screens_are_reached_by_keys_and_axe_finds_nothing(page: Page) -> None:
    page.goto(RULES)
    page.locator('.screen-list a[href="#rules-fleets"]').focus()
    page.keyboard.press("Enter")
    expect(page.locator("#rules-fleets")).to_be_in_viewport()
    assert faults_by_day_and_night(page) == []


def test_a_phone_shows_the_boards_in_full_width(phone: Page) -> None:
    phone.goto(RULES)
    box = phone.locator(".board-box").first.bounding_box()
    assert box
    assert box["width"] > 300
    assert phone.evaluate("document.documentElement.scrollWidth <= innerWidth")
    phone.locator(".board-box .replay").first.tap()
    expect(phone.locator(".board-box[data-played]").first).to_be_visible()


@pytest.mark.parametrize("language", ["en", "de"])
def test_the_rules_are_printed_on_two_sheets(browser: Browser, site: str, language: str) -> None:
    with open_context(browser, base_url=site, locale=language) as context:
        page = context.new_page()
        page.goto(RULES)
        paper = page.pdf(prefer_css_page_size=True)
    assert len(re.findall(rb"/Type\s*/Page\b", paper)) == 2

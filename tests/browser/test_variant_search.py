"""The variant library: the list follows the search at once, the address keeps it, and it works without scripts."""

import re

from playwright.sync_api import Browser, Page, expect

from browser.axe import faults
from browser.hands import open_context


def test_the_list_follows_the_search_and_the_address_keeps_it(page: Page) -> None:
    page.goto("/bank")
    cards = page.locator("#bank > li")
    everything = cards.count()
    page.get_by_label("Players").select_option("2")
    expect(cards).not_to_have_count(everything)
    expect(page).to_have_url(re.compile(r"/bank\?players=2$"))
    duels = cards.count()
    expect(page.locator("#bank-count")).to_have_text(f"{duels} of {everything} variants")
    page.get_by_label("Search", exact=True).fill("across the alps")
    expect(cards).to_have_count(1)
    expect(page).to_have_url(re.compile(r"\?q=across\+the\+alps&players=2$"))

    page.reload()
    expect(cards).to_have_count(1)
    expect(page.get_by_label("Search", exact=True)).to_have_value("across the alps")
    page.goto("/bank?q=across+the+alps&players=7")  # kept from before; the choices leave out what finds nothing
    expect(page.locator("#bank-count")).to_have_text("No variants match.")
    assert faults(page) == []
    page.get_by_role("link", name="the number of players").click()
    expect(cards).to_have_count(1)
    page.get_by_role("link", name="Show all variants").click()
    expect(cards).to_have_count(everything)
    assert faults(page) == []


def test_without_scripts_the_search_is_a_form(browser: Browser, site: str) -> None:
    window = open_context(browser, base_url=site, java_script_enabled=False)
    page = window.new_page()
    page.goto("/bank")
    page.get_by_label("Requirements").select_option("money")
    page.get_by_label("Spaces").select_option("76-100")
    page.get_by_role("button", name="Search").click()
    expect(page.get_by_label("Requirements")).to_have_value("money")
    expect(page.locator("#bank-count")).to_have_text(re.compile(r"^[1-9]\d* of \d+ variants$"))
    window.close()


def test_each_variant_has_a_picture_that_is_fetched_on_the_screen_and_moves_nothing(page: Page) -> None:
    page.set_viewport_size({"width": 390, "height": 844})
    page.goto("/bank")
    maps = page.locator("#bank > li .bank-map")
    expect(maps).to_have_count(page.locator("#bank > li").count())
    expect(maps.first.locator("img")).to_have_js_property("complete", True)  # noqa: FBT003  # a value, not a switch
    shown = page.locator(".bank-map img").count()
    assert shown <= 2  # pictures below the screen wait
    last = maps.last
    before = last.bounding_box()
    last.scroll_into_view_if_needed()
    expect(last.locator("img")).to_be_visible()
    after = last.bounding_box()
    assert before is not None
    assert after is not None
    assert (before["width"], before["height"]) == (after["width"], after["height"])

    page.get_by_label("Search", exact=True).fill("sengoku")
    expect(maps).to_have_count(1)
    expect(maps.locator("img")).to_be_visible()  # a list that the search has renewed gets its pictures as well

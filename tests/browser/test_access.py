"""For everyone: axe finds no fault on any page, and nothing needs a mouse or eyes."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from browser import take_pictures as pages
from browser.axe import faults
from browser.hands import Table, printed

STAND_OFF = {"France": ["A PAR - BUR"], "Germany": ["A MUN - BUR"]}

SHARE = (
    pages.choosing,
    pages.variant,
    pages.rules,
    pages.hosting,
    pages.waiting,
    pages.corners,
    pages.retreating,
    pages.removing,
    pages.history,
    pages.doubting,
    pages.finished,
)
"""Pages at one size here; `scripts/axe_walk.py` looks at all of them at eight sizes, by day and by night."""


@pytest.mark.parametrize("scene", SHARE)
def test_axe_finds_nothing_beside_the_map(page: Page, scene: Callable[[Page], None]) -> None:
    scene(page)
    assert faults(page, beside_the_map=True) == []


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_axe_finds_nothing_while_a_turn_is_ordered_and_processed(page: Page, site: str, theme: str) -> None:
    page.context.add_cookies([{"name": "theme", "value": theme, "url": site}])
    table = Table.open(page).give(STAND_OFF).again().sit("France")
    table.click("MAR").kind("support")
    page.get_by_role("combobox", name="Or type an order").fill("a par - zz")
    expect(page.locator(".line-fault")).to_be_visible()
    in_the_dark = theme == "dark"
    assert faults(page, of_colours=in_the_dark) == []
    table.process()
    assert faults(page, of_colours=in_the_dark) == []
    if in_the_dark:
        return  # the pages that follow have no colours of their own
    for tab in ("Board", "Game"):
        page.get_by_role("tab", name=tab).click()
        assert faults(page, beside_the_map=True) == []
    page.get_by_role("button", name="Help and keyboard shortcuts").click()
    assert faults(page, beside_the_map=True) == []


def test_axe_finds_nothing_on_small_pages_and_choices(phone: Page) -> None:
    phone.goto("/")
    assert faults(phone) == []
    phone.goto("/variants/irish/rules")
    assert faults(phone) == []
    Table.open(phone, "1897", computers="others", player="careless", power="Italy")
    assert faults(phone) == []
    draws = Table.open(phone, "irish", options={"draws": "gm_entered", "majors": "France", "minors": "Belgium"})
    draws.judge().again()
    phone.get_by_label("Power being played").select_option("GM")
    expect(phone.locator(".draw-form")).to_be_visible()
    assert faults(phone) == []
    phone.goto("/games/nothere")
    assert faults(phone) == []


def test_the_board_is_a_list_and_results_are_spoken(page: Page) -> None:
    table = Table.open(page).give(STAND_OFF).again().sit("France")
    page.get_by_role("tab", name="Board").click()
    france = page.locator(".board-power", has_text="France").first
    expect(france.get_by_role("heading")).to_contain_text("3 centres, 3 units")
    expect(france).to_contain_text("Army Paris")
    expect(france).to_contain_text(printed("A PAR - BUR"))
    live = page.locator("#live[role=status]")
    page.keyboard.press("1")
    table.click("MAR", "SPA")
    expect(live).to_have_text(printed("A MAR - SPA. 2 of 3 ordered."))
    table.process()
    expect(live).to_contain_text("Results of Spring 1901 movement are in.")


def test_the_tab_key_reaches_the_whole_table_and_focus_is_never_lost(page: Page) -> None:
    table = Table.open(page).sit("France")
    table.row("A PAR").locator(".order-button").focus()
    page.keyboard.press("Enter")
    expect(table.row("A PAR").locator(".editor")).to_be_visible()
    page.locator('[data-chip="BUR"]').focus()
    page.keyboard.press("Enter")
    table.expect_order("A PAR", "A PAR - BUR")
    focused = page.evaluate("document.activeElement.closest('.panel') !== null")
    assert focused


def test_help_lists_the_keys_and_single_keys_can_be_switched_off(page: Page) -> None:
    table = Table.open(page)
    page.keyboard.press("?")
    expect(page.get_by_role("dialog")).to_contain_text("hold, move, support, convoy")
    page.keyboard.press("Escape")
    expect(page.get_by_role("dialog")).to_have_count(0)
    page.get_by_role("tab", name="Game").click()
    page.get_by_label("Single-key shortcuts").uncheck()
    page.get_by_role("tab", name="Orders").click()
    table.click("VIE")
    page.keyboard.press("h")
    expect(table.row("A VIE")).not_to_contain_text("A VIE H")
    assert table.view["order_sets"]["Austria"]["orders"] == []


def test_a_safe_palette_draws_patterns_and_the_choice_is_kept(page: Page) -> None:
    Table.open(page)
    page.get_by_label("Colours").first.click()
    page.get_by_role("menuitemradio", name="Colour-blind friendly", exact=True).click()
    expect(page.locator("#m-pattern-france")).to_be_attached()
    page.reload()
    expect(page.locator("html")).to_have_attribute("data-theme", "safe")
    expect(page.locator("#m-pattern-france")).to_be_attached()


def test_axe_finds_nothing_at_other_sizes(page: Page) -> None:
    before = page.viewport_size
    assert before is not None
    try:
        table = Table.open(page, "irish", computers="others", player="careless", power="Austria")
        table.process()
        for width, height in ((1024, 768), (1366, 768), (1920, 1080)):
            page.set_viewport_size({"width": width, "height": height})
            assert faults(page, beside_the_map=width != 1024) == [], width
    finally:
        page.set_viewport_size(before)

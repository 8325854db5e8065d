"""For everyone: axe finds no serious fault on any page, and nothing needs a mouse or eyes."""

from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe  # type: ignore[import-untyped]  # it has no types
from playwright.sync_api import Page, expect

from browser.hands import Table, printed

STAND_OFF = {"France": ["A PAR - BUR"], "Germany": ["A MUN - BUR"]}


def _faults(page: Page) -> list[str]:
    """The serious faults axe sees, one line each."""
    found: dict[str, Any] = Axe().run(page, options={"resultTypes": ["violations"]}).response
    return [
        f"{one['id']}: {node['html'][:160]} {node.get('failureSummary', '')[:200]}"
        for one in found["violations"]
        if one["impact"] in ("serious", "critical")
        for node in one["nodes"]
    ]


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_axe_finds_no_serious_fault_on_any_page(page: Page, site: str, theme: str) -> None:
    page.context.add_cookies([{"name": "theme", "value": theme, "url": site}])
    page.goto("/")
    page.get_by_text("Choose seats").first.click()
    page.get_by_role("button", name="Open a record").click()
    assert _faults(page) == []
    table = Table.open(page).give(STAND_OFF).again().sit("France")
    table.click("MAR").kind("support")
    page.get_by_role("combobox", name="Or type an order").fill("a par - zz")
    expect(page.locator(".line-fault")).to_be_visible()
    assert _faults(page) == []
    table.process()
    assert _faults(page) == []
    if theme == "dark":
        return  # the pages that follow have no colours of their own
    for tab in ("Board", "Game"):
        page.get_by_role("tab", name=tab).click()
        assert _faults(page) == []
    page.get_by_role("button", name="Help and keys").click()
    assert _faults(page) == []


def test_axe_finds_no_serious_fault_on_small_pages_and_choices(phone: Page) -> None:
    phone.goto("/")
    assert _faults(phone) == []
    Table.open(phone, "1897", computers="others", power="Italy")
    assert _faults(phone) == []
    draws = Table.open(phone, "irish", options={"draws": "gm_entered", "majors": "France", "minors": "Belgium"})
    draws.judge().again()
    phone.get_by_label("Power being played").select_option("GM")
    expect(phone.locator(".draw-form")).to_be_visible()
    assert _faults(phone) == []
    phone.goto("/games/nothere")
    assert _faults(phone) == []


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
    page.get_by_label("Single keys").uncheck()
    page.get_by_role("tab", name="Orders").click()
    table.click("VIE")
    page.keyboard.press("h")
    expect(table.row("A VIE")).not_to_contain_text("A VIE H")
    assert table.view["sheets"]["Austria"]["orders"] == []


def test_a_safe_palette_draws_patterns_and_the_choice_is_kept(page: Page) -> None:
    Table.open(page)
    page.get_by_label("Colours").first.click()
    page.get_by_role("menuitemradio", name="Colour-safe", exact=True).click()
    expect(page.locator("#m-pattern-france")).to_be_attached()
    page.reload()
    expect(page.locator("html")).to_have_attribute("data-theme", "safe")
    expect(page.locator("#m-pattern-france")).to_be_attached()


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_axe_finds_no_serious_fault_on_the_pages_of_a_variant_and_at_other_sizes(
    page: Page, site: str, theme: str
) -> None:
    page.context.add_cookies([{"name": "theme", "value": theme, "url": site}])
    before = page.viewport_size
    assert before is not None
    try:
        for address in ("/variants/irish", "/variants/corner/rules"):
            page.goto(address)
            assert _faults(page) == [], address
        table = Table.open(page, "irish", computers="others", power="Austria")
        table.process()
        for width, height in ((1024, 768), (1366, 768), (1920, 1080)):
            page.set_viewport_size({"width": width, "height": height})
            assert _faults(page) == [], width
    finally:
        page.set_viewport_size(before)

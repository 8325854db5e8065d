"""The tour of the first turn: eight steps by mouse, keys and touch, skipped and resumed; loaded when it is wanted."""

import json

import pytest
from playwright.sync_api import Page, expect

from browser.axe import faults_beside_the_map
from browser.hands import Table

AUSTRIA = {"seat": "Austria", "computers": "others", "player": "careless"}


def forget(page: Page) -> None:
    """Have no tour in this browser."""
    page.goto("/learn")
    page.evaluate("localStorage.removeItem('plenipo.tour')")


def kept(page: Page) -> dict[str, object]:
    stored: dict[str, object] = json.loads(page.evaluate("localStorage.getItem('plenipo.tour')"))
    return stored


def test_the_tour_is_loaded_only_when_it_is_wanted(page: Page) -> None:
    forget(page)
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    Table.open(page)
    assert not [address for address in asked if address.endswith(("/tour.js", "/tour.css"))]
    page.locator("[data-key=tour]").click()
    expect(page.locator(".tour")).to_contain_text("Step 1 of 8")
    assert len([address for address in asked if address.endswith("/tour.js")]) == 1


def test_the_tour_follows_a_player_with_the_mouse_to_the_results(page: Page) -> None:
    forget(page)
    table = Table.open(page, **AUSTRIA)
    page.locator("[data-key=tour]").click()
    tour = page.locator(".tour")
    expect(tour).to_contain_text("You play Austria.")
    assert faults_beside_the_map(page) == []
    tour.locator("[data-tour=next]").click()
    expect(tour).to_contain_text("Step 2 of 8")
    table.click("BUD")
    expect(tour).to_contain_text("Step 3 of 8")
    table.click("SER")
    table.expect_order("A BUD", "A BUD - SER")
    expect(tour).to_contain_text("Step 4 of 8")
    for number in (5, 6, 7):
        tour.locator("[data-tour=next]").click()
        expect(tour).to_contain_text(f"Step {number} of 8")
    expect(page.locator("#foot-bar .tour-target")).to_be_visible()
    table.process()
    expect(tour).to_contain_text("Read the results")
    expect(tour.locator("[data-tour=skip]")).to_have_count(0)
    tour.locator("[data-tour=next]").click()
    expect(tour).to_have_count(0)
    assert kept(page)["done"] is True
    expect(page.locator(".tour-target")).to_have_count(0)


def test_the_tour_is_skipped_and_resumed_by_keys_alone(page: Page) -> None:
    forget(page)
    Table.open(page, **AUSTRIA)
    page.locator("[data-key=tour]").focus()
    page.keyboard.press("Enter")
    expect(page.locator("[data-tour=next]")).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.locator(".tour")).to_contain_text("Step 2 of 8")
    page.keyboard.press("ArrowDown")
    expect(page.locator(".tour")).to_contain_text("Step 3 of 8")
    page.locator("[data-tour=skip]").focus()
    page.keyboard.press("Enter")
    expect(page.locator(".tour")).to_have_count(0)
    page.reload()
    Table(page).arrived()
    expect(page.locator(".tour")).to_have_count(0)
    again = page.locator("[data-key=tour]")
    expect(again).to_have_text("Continue the tour")
    again.focus()
    page.keyboard.press("Enter")
    expect(page.locator(".tour")).to_contain_text("Step 3 of 8")
    page.keyboard.press("Shift+Tab")
    page.keyboard.press("Enter")
    expect(page.locator(".tour")).to_contain_text("Step 2 of 8")


def test_the_tour_goes_on_after_the_page_is_loaded_again_by_touch_in_german(phone: Page) -> None:
    forget(phone)
    phone.context.set_extra_http_headers({"Accept-Language": "de"})
    Table.open(phone, **AUSTRIA)
    phone.locator("[data-key=tour]").tap()
    phone.locator("[data-tour=next]").tap()
    expect(phone.locator(".tour")).to_contain_text("Schritt 2 von 8")
    phone.reload()
    Table(phone).arrived()
    expect(phone.locator(".tour")).to_contain_text("Schritt 2 von 8")
    phone.locator('.unit[data-space="VIE"]').tap()
    expect(phone.locator(".tour")).to_contain_text("Schritt 3 von 8")
    phone.locator("[data-tour=skip]").tap()
    expect(phone.locator(".tour")).to_have_count(0)
    phone.context.set_extra_http_headers({})


@pytest.mark.parametrize("stored", ["nonsense", '{"step": 99}', "null"])
def test_a_state_that_another_version_stored_does_no_harm(page: Page, stored: str) -> None:
    page.goto("/learn")
    page.evaluate("stored => localStorage.setItem('plenipo.tour', stored)", stored)
    Table.open(page)
    if not page.locator(".tour").count():
        page.locator("[data-key=tour]").click()
    expect(page.locator(".tour h2")).to_be_visible()
    page.evaluate("localStorage.removeItem('plenipo.tour')")

"""Hints below the orders, and a game that is over looked back on."""

from urllib.parse import urlsplit

from playwright.sync_api import Page, expect

from browser.hands import Table
from waiting import wait_until

STAND_OFF = {"France": ["A PAR - BUR", "A MAR H"], "Germany": ["A MUN - BUR", "A BER - MUN"]}


def test_a_plan_of_the_computer_is_drawn_and_given(page: Page) -> None:
    Table.open(page).again().sit("France")
    hint = f"/api{urlsplit(page.url).path}/hint?seat=France"
    wait_until(lambda: len(page.request.get(hint).json()["plans"]) == 3, pause=5)  # till the players are ready
    page.locator("#hint").click()
    expect(page.locator(".plan")).to_have_count(3)
    expect(page.locator(".plan.on .plan-orders li")).to_have_count(3)
    drawn = page.locator("svg.the-map #m-layer-orders .order")
    expect(drawn).not_to_have_count(0)
    page.get_by_role("button", name="Plan 1").click()
    expect(drawn).to_have_count(0)
    page.get_by_role("button", name="Plan 2").click()
    expect(drawn).not_to_have_count(0)
    page.get_by_role("button", name="Use these orders").click()
    expect(page.locator(".count-of")).to_contain_text("3 of 3")


def test_a_game_that_is_over_is_looked_back_on(page: Page) -> None:
    table = Table.open(page).give(STAND_OFF).judge().again().sit("France")
    page.get_by_role("tab", name="Game").click()
    page.get_by_role("button", name="Agree to a draw").click()
    page.get_by_role("button", name="Yes").click()
    page.get_by_role("button", name="Analyse the game").first.click()
    plot = page.locator(".review-plot")
    expect(plot.locator("polyline:not(.case)")).to_have_count(7)
    expect(plot.locator("figcaption li")).to_have_count(7)
    page.locator(".turned").first.click()
    expect(table.phase).to_contain_text("Spring 1901")

"""Hints below the orders, and a game that is over looked back on."""

from urllib.parse import urlsplit

from playwright.sync_api import Page, expect

from browser.axe import faults
from browser.hands import Table, printed
from waiting import wait_until


def wait_for_plans(page: Page) -> int:
    """Wait until the computer players are ready, and return the number of France's plans: 2 or 3, as the seed has it.

    A computer that is not ready has one plan.
    """
    path = f"/api{urlsplit(page.url).path}/hint?seat=France"

    def count_plans() -> int:
        return len(page.request.get(path).json()["plans"])

    wait_until(lambda: count_plans() > 1, pause=5)
    return count_plans()


def test_a_plan_of_the_computer_is_drawn_and_given(page: Page) -> None:
    Table.open(page).again().sit("France")
    number = wait_for_plans(page)
    page.locator("#hint").click()
    expect(page.locator(".plan")).to_have_count(number)
    expect(page.locator(".plan.on .plan-orders li")).to_have_count(3)
    drawn = page.locator("svg.the-map #m-layer-orders .order")
    expect(drawn).not_to_have_count(0)
    page.get_by_role("button", name="Plan 1").click()
    expect(drawn).to_have_count(0)
    page.get_by_role("button", name="Plan 2").click()
    expect(drawn).not_to_have_count(0)
    page.get_by_role("button", name="Use these orders").click()
    expect(page.locator(".count-of")).to_contain_text("3 of 3")


STILL = {"France": ["A PAR H", "A MAR H", "F BRE H"]}


def finish(page: Page) -> Table:
    """Play a turn in which France stands still, and agree to a draw, once the players are ready."""
    table = Table.open(page).give(STILL).judge().again().sit("France")
    wait_for_plans(page)
    page.get_by_role("tab", name="Game").click()
    page.get_by_role("button", name="Agree to a draw").click()
    page.get_by_role("button", name="Yes").click()
    expect(page.get_by_role("button", name="Analyse the game").first).to_be_visible()  # the game is over
    return table


def test_a_game_that_is_over_is_looked_back_on(page: Page) -> None:
    table = finish(page)
    page.get_by_role("button", name="Analyse the game").first.click()
    plot = page.locator(".review-plot")
    expect(plot.locator("polyline:not(.case)")).to_have_count(7)
    expect(plot.locator("figcaption li")).to_have_count(7)
    expect(page.locator(".accuracies tbody tr")).to_have_count(8)
    expect(page.locator(".share-bar span")).to_have_count(7)
    assert faults(page) == []
    page.locator(".turned").first.click()
    expect(table.phase).to_contain_text("Spring 1901")
    worst = page.locator("li.mistake").first
    worst.get_by_role("button", name="Show the plan").click()
    expect(table.phase).to_contain_text("before")
    expect(page.locator("svg.the-map #m-layer-orders .order")).not_to_have_count(0)
    page.get_by_role("button", name="After", exact=True).click()
    expect(table.phase).to_contain_text("after")
    expect(page.locator("svg.the-map #m-layer-orders .order")).to_have_count(0)
    page.get_by_role("tab", name="Results").click()
    expect(page.locator('.result-group[data-power="France"] .grade').first).to_be_attached()
    expect(page.locator('.result-group[data-power="France"] .judgement')).to_contain_text("Better:")


def test_a_mistake_is_ordered_again_until_it_is_as_good_as_the_best_plan(page: Page) -> None:
    table = finish(page)
    page.goto(f"/games/{table.id}/learn")
    expect(page.locator(".task")).to_contain_text("Spring 1901")
    page.get_by_label("Power", exact=True).select_option("France")
    expect(page.locator(".task")).to_contain_text("France lost")
    expect(page.locator(".order-row")).to_have_count(3)
    expect(page.locator('[data-unit="A PAR"] .order-text')).to_have_text("A PAR H")
    page.locator("#check").click()
    expect(page.locator("#outcome-box")).to_contain_text("Not better")
    assert faults(page) == []
    page.locator('[data-unit="A PAR"] .order-button').click()
    page.locator('[data-chip="BUR"]').click()
    expect(page.locator('[data-unit="A PAR"] .order-text')).to_have_text(printed("A PAR - BUR"))
    page.locator("#give-away").click()
    expect(page.locator("#outcome-box")).to_contain_text("The best plan known at the time")
    expect(page.locator("svg.the-map #m-layer-orders .order")).not_to_have_count(0)
    assert faults(page) == []
    expect(page.get_by_role("link", name="Back to the game")).to_be_visible()

"""A game between people: hosted from the gallery, joined by one link on phones, by touch and by keys, and begun."""

from collections.abc import Iterator

import pytest
from axe_playwright_python.sync_playwright import Axe  # type: ignore[import-untyped]
from playwright.sync_api import Browser, Page, expect


@pytest.fixture
def phones(browser: Browser, site: str) -> Iterator[list[Page]]:
    """Three phones that know nothing of each other, in two time zones."""
    zones = ("Europe/Berlin", "America/New_York", "Europe/Berlin")
    contexts = [
        browser.new_context(
            base_url=site,
            viewport={"width": 390, "height": 844},
            has_touch=True,
            timezone_id=zone,
            reduced_motion="reduce",
        )
        for zone in zones
    ]
    yield [context.new_page() for context in contexts]
    for context in contexts:
        context.close()


def faults(page: Page) -> list[str]:
    return [fault["id"] for fault in Axe().run(page).response["violations"]]


def test_three_phones_come_from_one_link_to_the_first_turn(phones: list[Page]) -> None:
    anna, ben, cleo = phones
    anna.goto("/")
    anna.get_by_label("Host Diplomacy for others").tap()
    anna.get_by_label("Your name").fill("Anna")
    anna.get_by_label("Own pace").check()
    assert faults(anna) == []
    anna.get_by_role("button", name="Create the game").tap()
    link = anna.get_by_label("Whoever opens this link").input_value()

    ben.goto(link)
    ben.get_by_label("Your name").fill("Ben")
    ben.get_by_label("You play").select_option("Italy")
    ben.get_by_role("button", name="Sit down").tap()
    expect(anna.get_by_text("Ben")).to_be_visible()  # without asking for the page again
    assert faults(anna) == []

    cleo.goto(link)  # by keys alone
    cleo.get_by_label("Your name").focus()
    cleo.keyboard.type("Cleo")
    cleo.keyboard.press("Enter")
    expect(cleo.get_by_text("You sit at this game")).to_be_visible()

    expect(anna.get_by_text("3 of 7 seats are taken")).to_be_visible()
    anna.get_by_role("button", name="Begin the game").tap()
    for page in phones:
        page.wait_for_selector("body[data-ready]", state="attached")
        expect(page.locator("#phase")).to_contain_text("Spring 1901")
    expect(ben.locator("#seat-now")).to_contain_text("Italy")
    for page in phones:
        page.get_by_role("button", name="Ready").tap()
    for page in phones:
        expect(page.locator("#phase")).to_contain_text("1901")
    expect(anna.locator("#phase")).to_contain_text("processed", timeout=60_000)


def test_a_deadline_is_shown_in_the_time_of_whoever_looks(phones: list[Page]) -> None:
    berlin, new_york, _ = phones
    berlin.goto("/variants/standard/host")
    berlin.get_by_label("Your name").fill("Anna")
    berlin.get_by_label("Weekdays").check()
    berlin.get_by_role("button", name="Create the game").tap()
    expect(berlin.get_by_text("Moves are due Mondays to Fridays at 20:00, Berlin time")).to_be_visible()
    berlin.get_by_role("button", name="Begin the game").tap()
    berlin.wait_for_selector("body[data-ready]", state="attached")
    expect(berlin.locator(".phase-due")).to_contain_text("20:00")
    new_york.goto(berlin.url)
    expect(new_york.locator(".phase-due")).to_contain_text("14:00")

"""The journey of a new player: from the first page to the list, to a vacant seat, to the first orders."""

import pytest
from playwright.sync_api import Page, expect

from browser.axe import faults_beside_the_map as faults
from browser.conftest import PHONE, NewWindow
from browser.hands import unfold_cards, wait_for_table


@pytest.fixture
def windows(window: NewWindow) -> list[Page]:
    """A desk by day and a phone by night, in two time zones."""
    desk = window(viewport={"width": 1280, "height": 800})
    return [desk, window(viewport=PHONE, has_touch=True, timezone_id="America/New_York", color_scheme="dark")]


def test_a_stranger_finds_a_seat_that_was_left_takes_it_by_keys_and_orders(windows: list[Page]) -> None:
    anna, otto = windows
    otto.goto("/find?pace=slow")
    expect(otto.get_by_text("No open games match.")).to_be_visible()
    assert faults(otto) == []

    anna.goto("/variants/standard/host")
    unfold_cards(anna)
    anna.get_by_label("Your name").fill("Anna")
    anna.get_by_label("Game name").fill("Quai d'Orsay")
    anna.locator("#zone").evaluate("zone => zone.value = 'Europe/London'")
    anna.get_by_label("Weekly").check()
    anna.get_by_label("Listed", exact=False).first.check()
    anna.get_by_role("combobox", name="Language").select_option("English")
    assert faults(anna) == []
    anna.get_by_role("button", name="Create the game").click()
    anna.goto("/find")
    expect(anna.get_by_text("6 more players needed")).to_be_visible()
    assert faults(anna) == []
    anna.go_back()
    anna.get_by_role("button", name="Start with computers").click()
    expect(anna.get_by_text("0 of 1 players are ready")).to_be_visible()
    assert faults(anna) == []
    anna.get_by_role("button", name="Ready").click()
    wait_for_table(anna)
    power = anna.locator("#seat-now").inner_text().strip()
    anna.get_by_role("tab", name="Game").click()
    anna.get_by_role("button", name="Resign").click()
    anna.get_by_role("button", name="Yes").click()
    expect(anna.get_by_role("tabpanel").get_by_text("vacant", exact=True)).to_be_visible()
    expect(anna.locator("#powers").get_by_text("vacant", exact=True)).to_be_visible()

    otto.goto("/")
    otto.get_by_role("main").get_by_role("link", name="Join a game").tap()
    expect(otto.get_by_text("(your time)")).to_contain_text("Sunday at 1")  # 20:00 in London is the afternoon there
    assert faults(otto) == []
    otto.get_by_role("link", name=f"Take over {power} in").focus()  # by keys from here on
    otto.keyboard.press("Enter")
    otto.get_by_label("Your name").focus()
    expect(otto.get_by_text("If you miss a deadline")).to_be_visible()
    assert faults(otto) == []
    otto.keyboard.type("Otto")
    otto.keyboard.press("Enter")
    wait_for_table(otto)
    expect(otto.locator("#seat-now")).to_contain_text(power)
    otto.get_by_role("button", name="Ready").focus()
    otto.keyboard.press("Enter")
    expect(anna.locator("#phase")).to_contain_text("Processed at")

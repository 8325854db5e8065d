"""The question how a player is reached, in the browser: answered in the lobby, or put off beside the board."""

from datetime import datetime

import pytest
from playwright.sync_api import Page, expect

from browser.axe import faults_by_day_and_night
from browser.conftest import PHONE, NewWindow
from browser.hands import wait_for_table

SIZES = {"phone": PHONE, "desk": {"width": 1366, "height": 768}}


def join(host: Page, guest: Page) -> None:
    """Host a game, and join it as a guest."""
    opened = host.request.post(
        "/host", form={"variant": "standard", "name": "Hanna", "game": "Reach", "schedule": "Weekdays"}
    )
    host.goto(opened.url)
    guest.goto(host.get_by_label("Anyone with this link").input_value())
    guest.get_by_label("Your name").fill("Gus")
    guest.get_by_role("button", name="Join").click()
    expect(guest.locator("#reach")).to_be_visible()


def start(host: Page, guest: Page) -> None:
    """Start the game with computers, and wait for its board."""
    host.get_by_role("button", name="Start with computers").click()
    wait_for_table(guest)


@pytest.mark.parametrize("size", SIZES)
def test_a_guest_who_joins_is_asked_once(window: NewWindow, size: str) -> None:
    host, guest = window(viewport=SIZES["desk"]), window(viewport=SIZES[size])
    join(host, guest)
    assert faults_by_day_and_night(guest) == []
    address = guest.get_by_label("Email address")
    expect(address).to_be_hidden()
    guest.locator("#reach [value=mail]").check()
    expect(address).to_be_visible()
    guest.locator("#reach [value=none]").focus()
    guest.keyboard.press("Space")
    guest.locator("#reach button").focus()
    guest.keyboard.press("Enter")
    expect(guest.locator("#reach")).to_have_count(0)
    expect(guest.locator("#seats")).to_be_visible()
    start(host, guest)
    expect(guest.locator("#ask-reach")).to_have_count(0)


@pytest.mark.parametrize("size", SIZES)
def test_the_question_can_be_put_off_and_comes_back_before_the_deadline(window: NewWindow, size: str) -> None:
    host, guest = window(viewport=SIZES["desk"]), window(viewport=SIZES[size])
    join(host, guest)
    start(host, guest)
    question = guest.locator("#ask-reach")
    expect(question).to_be_visible()
    expect(guest.locator("#map")).to_be_in_viewport()
    assert faults_by_day_and_night(guest) == []
    question.get_by_role("button", name="Later").click()
    expect(question).to_be_hidden()
    game = guest.url.partition("/games/")[2].partition("?")[0]
    back = float(guest.evaluate("game => localStorage.getItem(`plenipo.reach.${game}`)", game))
    due = guest.request.get(f"/api/games/{game}").json()["time"]["due"]
    assert due is not None
    assert back < datetime.fromisoformat(due).timestamp() * 1000
    guest.reload()
    wait_for_table(guest)
    expect(question).to_be_hidden()
    guest.evaluate("game => localStorage.setItem(`plenipo.reach.${game}`, Date.now() - 1)", game)
    guest.reload()
    expect(question).to_be_visible()
    question.get_by_role("link").click()
    guest.locator("#reach [value=calendar]").check()
    guest.get_by_role("button", name="Confirm").click()
    expect(guest.locator("#calendar")).to_be_visible()
    guest.goto(f"/games/{game}")
    wait_for_table(guest)
    expect(question).to_have_count(0)

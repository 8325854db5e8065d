"""The question how a player is reached, in the browser."""

from playwright.sync_api import Browser, expect

from browser.axe import faults_by_day_and_night
from browser.hands import PATIENCE


def test_a_guest_who_joins_is_asked_once(browser: Browser, site: str) -> None:
    still = {"base_url": site, "reduced_motion": "reduce"}
    with browser.new_context(**still) as host, browser.new_context(**still) as guest:
        opened = host.request.post("/host", form={"variant": "standard", "name": "Hanna", "game": "Reach"})
        page = host.new_page()
        page.set_default_timeout(PATIENCE)
        page.goto(opened.url)
        expect(page.locator("#reach")).to_be_visible()
        link = page.locator("#link").input_value()
        seat = guest.new_page()
        seat.set_default_timeout(PATIENCE)
        seat.goto(link)
        seat.locator("#name").fill("Gus")
        seat.locator("#join button[type=submit]").click()
        expect(seat.locator("#reach")).to_be_visible()
        assert faults_by_day_and_night(seat) == []
        expect(seat.locator("#reach-mail")).to_be_hidden()
        seat.locator("#reach [value=mail]").check()
        expect(seat.locator("#reach-mail")).to_be_visible()
        seat.locator("#reach [value=none]").focus()
        seat.keyboard.press("Space")
        seat.locator("#reach button").focus()
        seat.keyboard.press("Enter")
        expect(seat.locator("#reach")).to_have_count(0)
        expect(seat.locator("#seats")).to_be_visible()

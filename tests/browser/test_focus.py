"""The focus stays on the page after a phase is processed, so that keys go on where they were."""

from playwright.sync_api import Page, expect

from browser.hands import Table


def test_the_focus_is_not_lost_when_a_phase_is_processed(page: Page) -> None:
    Table.open(page, seat="France")
    page.locator("#process").focus()
    page.keyboard.press("Enter")
    if page.locator("#doubts").is_visible():
        page.locator("#process").focus()
        page.keyboard.press("Enter")
    expect(page.locator("#go-on")).to_be_visible()
    expect(page.locator("#go-on")).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.locator("#phase")).to_be_focused()
    expect(page.locator("#go-on")).to_have_count(0)

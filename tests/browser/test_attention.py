"""The count in the title and the icon of the things that wait, and the sentence that orders are saved."""

import re

from playwright.sync_api import Page, expect

from browser.hands import wait_for_table

WAITING = re.compile(r"^\((\d+)\) ")
BADGED = re.compile(r"^data:image/svg")


def number(page: Page) -> int:
    found = WAITING.match(page.title())
    return int(found[1]) if found else 0


def test_the_title_and_the_icon_count_what_waits(phones: dict[str, Page]) -> None:
    france, germany, _ = phones.values()
    expect(france).to_have_title(WAITING)
    expect(france.locator("link[rel=icon]")).to_have_attribute("href", BADGED)
    before = number(france)
    germany.get_by_role("tab", name="Press").click()
    germany.get_by_role("button", name="France").first.tap()
    germany.locator("#message").fill("Sea lion?")
    germany.get_by_role("button", name="Send").tap()
    expect(france).to_have_title(re.compile(rf"^\({before + 1}\) "))


def test_orders_are_saved_with_the_time_and_nothing_waits_any_more(phones: dict[str, Page]) -> None:
    france = next(iter(phones.values()))
    france.locator('[data-unit="A PAR"] .order-button').tap()
    france.locator('[data-chip="BUR"]').tap()
    expect(france.locator(".saved")).to_have_text(re.compile(r"Your orders are saved \(\d\d:\d\d\)\."))
    expect(france).to_have_title(re.compile(r"^(?!\()"))
    expect(france.locator("link[rel=icon]")).to_have_attribute("href", re.compile(r"icon\.svg$"))
    france.reload()
    wait_for_table(france)
    expect(france.locator(".saved")).to_contain_text("Your orders are saved")


def test_the_sound_is_off_until_it_is_chosen(phones: dict[str, Page]) -> None:
    france = next(iter(phones.values()))
    france.get_by_role("tab", name="Game").click()
    sound = france.get_by_label("Sound for turns, messages and votes")
    expect(sound).not_to_be_checked()
    sound.check()
    assert "sound" in france.evaluate("localStorage.getItem('plenipo.settings')")
    sound.uncheck()

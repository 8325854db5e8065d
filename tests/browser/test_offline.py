"""A game without a connection: the last known state is marked, and orders are kept and sent."""

import json
from typing import Any

from playwright.sync_api import Page, expect

from browser.axe import faults_beside_the_map
from browser.hands import wait_for_table


def order(page: Page, unit: str, space: str) -> None:
    page.locator(f'[data-unit="{unit}"] .order-button').tap()
    page.locator(f'[data-chip="{space}"]').tap()


def orders_of(page: Page) -> list[str]:
    game = page.url.partition("/games/")[2].partition("?")[0]
    view: dict[str, Any] = page.request.get(f"/api/games/{game}").json()
    return [one["text"] for orders in view["order_sets"].values() for one in orders["orders"]]


def test_orders_given_without_a_connection_are_kept_and_sent(phones: dict[str, Page]) -> None:
    france = next(iter(phones.values()))
    france.wait_for_load_state("networkidle")
    france.context.set_offline(True)
    bar = france.locator(".offline-bar")
    expect(bar).to_contain_text("You see the game as it was at")
    order(france, "A PAR", "BUR")
    expect(bar).to_contain_text("1 change is kept on this device")
    expect(bar).to_contain_text("A PAR \u2013 BUR")
    assert faults_beside_the_map(france) == []
    france.context.set_offline(False)
    expect(bar).to_have_count(0)
    expect(france.locator("#toast")).to_contain_text("Everything is sent.")
    assert orders_of(france) == ["A PAR - BUR"]
    expect(france.locator('[data-unit="A PAR"] .order-text')).to_contain_text("BUR")


def test_what_was_kept_before_the_page_was_closed_is_sent_or_named(phones: dict[str, Page]) -> None:
    france, germany, _ = phones.values()
    for page, phase, text in ((france, 1, "A PAR - PIC"), (germany, 0, "A BER - KIE")):
        seat = "France" if page is france else "Germany"
        game = page.url.partition("/games/")[2].partition("?")[0]
        kept = json.dumps([{"phase_number": phase, "seat": seat, "give": [text]}])
        page.evaluate("([game, kept]) => localStorage.setItem(`plenipo.unsent.${game}`, kept)", [game, kept])
        page.reload()
        wait_for_table(page)
    expect(france.locator("#toast")).to_contain_text("Everything is sent.")
    assert orders_of(france) == ["A PAR - PIC"]
    expect(germany.locator("#toast")).to_contain_text("Not sent, because the phase was over")
    assert orders_of(germany) == []

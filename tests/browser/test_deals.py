"""A year with deals: offered by clicking the map, answered with reasons, kept and shown, by mouse and by fingers."""

from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect

from browser.axe import faults_beside_the_map as faults
from browser.conftest import NewWindow
from browser.hands import PLACE, Table
from waiting import wait_until

SCREENS: dict[str, dict[str, Any]] = {
    "desk": {"viewport": {"width": 1366, "height": 768}},
    "phone": {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True},
}


class DealingHand:
    """A person who deals with a mouse or with fingers."""

    def __init__(self, page: Page, *, touch: bool) -> None:
        self.page, self.touch = page, touch
        self.table = Table.open(page, seat="France", computers="others", player="quick", power="France")
        hint = f"/api/games/{self.table.id}/hint?seat=France"
        wait_until(lambda: page.request.get(hint).json()["words"] is None, pause=5)  # till the players are ready

    def press(self, place: Locator) -> None:
        (place.tap if self.touch else place.click)()
        self.table.settled()

    def button(self, name: str, within: Locator | None = None) -> Locator:
        return (within or self.page.locator("#pane")).get_by_role("button", name=name, exact=True)

    def click_map(self, *spaces: str) -> None:
        for space in spaces:
            x, y = self.page.evaluate(PLACE, space)
            (self.page.touchscreen.tap if self.touch else self.page.mouse.click)(x, y)
            self.table.settled()

    def open_deals(self) -> None:
        self.press(self.page.get_by_role("tab", name="Deals"))
        expect(self.page.get_by_role("heading", name="Deals", exact=True)).to_be_visible()

    def begin(self, power: str) -> None:
        self.press(self.page.locator(f'[data-key="deal with {power}"]'))
        expect(self.page.get_by_role("heading", name=f"Deal with {power}")).to_be_visible()

    def add(self, power: str, kind: str) -> None:
        self.press(self.page.locator(f'[data-key="add {kind} {power}"]'))

    def process(self) -> None:
        self.press(self.page.get_by_role("tab", name="Orders"))
        self.press(self.page.locator("#process"))
        if (again := self.page.get_by_role("button", name="anyway")).count():
            self.press(again)
        expect(self.page.locator("#go-on")).to_be_visible()
        self.press(self.page.locator("#go-on"))


@pytest.mark.parametrize("screen", SCREENS)
def test_a_year_is_played_with_deals(window: NewWindow, screen: str) -> None:
    page = window(**SCREENS[screen])
    hand = DealingHand(page, touch=screen == "phone")
    assert not page.evaluate("performance.getEntriesByType('resource').some(one => one.name.includes('panel-deals'))")
    hand.open_deals()
    assert faults(page) == []

    # spaces are clicked on the map, and the computer answers at once
    hand.begin("Germany")
    hand.add("France", "keep_out")
    hand.click_map("BUR", "BEL")
    expect(page.locator(".deal-pick .chip")).to_have_count(2)
    page.get_by_label("Add a space").select_option("RUH")
    page.get_by_label("Holds").select_option("8")
    assert faults(page) == []
    hand.press(hand.button("Add clause"))
    expect(page.locator(".clauses")).to_contain_text("moves nothing into Belgium, Burgundy and Ruhr in 8 movements")
    # an order of the other power is clicked on the map as orders are
    hand.add("Germany", "order")
    hand.click_map("KIE", "DEN")
    expect(page.locator(".clauses").nth(1)).to_contain_text("F KIE \N{EN DASH} DEN")
    hand.press(hand.button("Offer to Germany"))
    first = page.locator(".deal").last
    expect(first).to_have_attribute("data-state", "accepted")
    expect(first.locator(".deal-said")).to_contain_text("Germany: ")
    assert faults(page) == []

    # free text gets a sentence, and orders in it become clauses
    hand.begin("England")
    page.get_by_label("Or write to England").fill("Please leave the Channel to me.")
    hand.press(hand.button("Send"))
    expect(page.locator(".deal-said")).to_contain_text("I do not read sentences, only clauses of deals and orders")
    expect(page.get_by_label("Or write to England")).to_have_value("Please leave the Channel to me.")
    page.get_by_label("Or write to England").fill("F LON - NTH")
    hand.press(hand.button("Send"))
    hand.press(hand.button("Add as clauses"))
    hand.press(hand.button("Offer to England"))
    expect(page.locator(".deal .deal-said").first).to_be_visible()

    # a year goes by; every phase is processed as without deals, and kept and broken clauses are shown
    for _ in range(2):
        hand.process()
        while "movement" not in (phase := str(hand.table.view["phase"]["text"])):
            assert "retreats" in phase or "adjustments" in phase
            hand.process()
    hand.open_deals()
    judged = page.locator(".deal", has_text="Burgundy")
    expect(judged.locator(".verdict.kept")).to_have_text(["kept 2 of 8", "kept"])
    expect(judged).to_contain_text("Spring 1901")
    assert faults(page) == []


def act(page: Page, key: str) -> None:
    page.locator(f'[data-key="{key}"]').tap()
    expect(page.locator("body:not([data-busy])")).to_be_attached()


def test_a_person_accepts_an_offer_on_a_phone(phones: dict[str, Page]) -> None:
    france, germany, england = phones.values()
    for page in (france, germany, england):
        page.get_by_role("tab", name="Press").tap()
    act(france, "deals")
    act(france, "deal with Germany")
    act(france, "add show Germany")
    act(france, "add order France")
    act(france, "unit A PAR")
    act(france, "kind hold")
    act(france, "offer")
    expect(france.locator(".deal")).to_have_attribute("data-state", "open")
    expect(germany.get_by_role("tab", name="Press")).to_contain_text("1")
    act(germany, "deals")
    assert faults(germany) == []
    germany.get_by_role("button", name="Accept").tap()
    expect(germany.locator(".deal")).to_have_attribute("data-state", "accepted")
    expect(france.locator(".deal")).to_have_attribute("data-state", "accepted")  # without asking for the page again
    expect(england.get_by_role("tab", name="Press")).not_to_contain_text("1")
    act(england, "deals")
    expect(england.get_by_role("heading", name="New deal")).to_be_visible()
    expect(england.locator(".deal")).to_have_count(0)

"""Actions of a player for tests: open a game, click spaces on the map, read the lists."""

import os
import re
import shutil
from dataclasses import dataclass
from typing import Any

from playwright.sync_api import Browser, BrowserContext, Locator, Page, expect

PLACE = """space => {
  const svg = document.querySelector('svg.the-map');
  const find = kind => [...svg.querySelectorAll(kind)].find(e => (e.dataset.corner ?? e.dataset.space) === space);
  const kinds = ['.over .target', '.dislodged.unit', '.unit', '.corner', 'path.space'];
  const seen = kinds.map(find).find(e => e);
  const box = seen.getBoundingClientRect();
  return [box.x + box.width / 2, box.y + box.height / 2];
}"""
"""The point on the screen to click for a space: its highlight, else its unit, else its middle."""


IS_PROCESSED = "() => document.getElementById('go-on')?.checkVisibility({ visibilityProperty: true })"
"""True if the results of a phase are shown; a function, as the pages forbid the evaluation of texts."""

FORGET = """async () => {
  try {
    localStorage.clear();
    sessionStorage.clear();
    for (const worker of await navigator.serviceWorker?.getRegistrations() ?? []) await worker.unregister();
    for (const kept of await self.caches?.keys() ?? []) await caches.delete(kept);
  } catch { /* nothing was kept, or no page is open */ }
}"""
"""Delete what a page and its service worker keep."""

PATIENCE = 1000 * int(os.environ.get("PLENIPO_PATIENCE", "180"))
"""The longest time to wait for anything, in milliseconds."""

HEADLESS = "chromium-headless-shell"
"""The build without windows of its own: the tests of the pages take a third less processor time in it."""

CHROMIUM = (HEADLESS, "chromium", "chromium-browser", "google-chrome")

UNHINTED = "--font-render-hinting=none"
"""The option with which the headless build sets letters as wide as other builds."""


def open_context(browser: Browser, **options: Any) -> BrowserContext:
    """Return cookies and windows of their own, which wait as long as a busy machine takes."""
    context = browser.new_context(**options)
    context.set_default_timeout(PATIENCE)
    return context


def unfold_cards(page: Page) -> None:
    """Open the cards of the form for a new game, so that all its fields are on the screen."""
    for name in ("players", "pace", "options"):
        card = page.locator(f"#card-{name}")
        if card.get_attribute("open") is None:
            card.locator("> summary").click()
    expect(page.locator("details.host-card:not([open])")).to_have_count(0)


def chromium(*, whole: bool = False) -> str | None:
    """Return the path of the browser, from PLENIPO_BROWSER or the system; None if there is none.

    A `whole` browser is not the headless build.
    """
    names = (os.environ.get("PLENIPO_BROWSER", ""), *CHROMIUM)
    return next(
        (path for name in names if name and not (whole and HEADLESS in name) and (path := shutil.which(name))), None
    )


def wait_for_table(page: Page) -> None:
    """Wait until a game page takes orders, asking it at each frame: a selector is asked only every half second."""
    page.wait_for_function("() => document.body?.dataset.ready === 'yes'")


def forget(page: Page) -> None:
    """Forget what was done in a window, but for the files it fetched."""
    page.evaluate(FORGET)
    page.goto("about:blank")
    page.context.clear_cookies()


def printed(text: str) -> str:
    """An order as the page prints it, with a dash between places."""
    return text.replace(" - ", " \N{EN DASH} ")


@dataclass
class Table:
    """A page with a game on it."""

    page: Page

    @classmethod
    def open(cls, page: Page, variant: str = "standard", seat: str = "", **new: Any) -> "Table":
        """A new game, hot-seat unless `computers` says otherwise; in `seat`, if one is named."""
        body = {"variant": variant, "computers": "none", **new}
        answer = page.request.post("/api/games", data=body)
        assert answer.status == 201, answer.text()
        page.goto(f"/games/{answer.json()['id']}{f'?seat={seat}' if seat else ''}")
        return cls(page).arrived()

    @classmethod
    def play(cls, page: Page, title: str, power: str = "", *, computers: bool = True) -> "Table":
        """A game opened in the gallery with the mouse: at once, or in the seat of a power that is chosen there."""
        page.goto("/")
        card = page.locator(".card", has=page.get_by_role("heading", name=title, exact=True))
        if power or not computers:
            card.locator(".seats > summary").click()
            card.get_by_label("You play").select_option(power)
            others = "Computer players" if computers else "Players at this screen (hotseat)"
            card.get_by_label(others, exact=True).check()
        card.get_by_role("button", name=f"Play {title} now").click()
        return cls(page).arrived()

    @classmethod
    def uploaded(cls, page: Page, record: str, more: str = "") -> "Table":
        """The game of a record; `more` is the end of its address, such as a turn that is looked at."""
        answer = page.request.post("/api/games/upload", data=record, headers={"Content-Type": "application/json"})
        assert answer.status == 201, answer.text()
        page.goto(f"/games/{answer.json()['id']}{more}")
        return cls(page).arrived()

    @property
    def seat(self) -> str:
        """The power that is played at this screen now."""
        return self.page.locator(".power.now").get_attribute("data-power") or ""

    def arrived(self) -> "Table":
        """Wait until the page takes orders."""
        wait_for_table(self.page)
        return self

    @property
    def id(self) -> str:
        found = re.search(r"/games/([^/?#]+)", self.page.url)
        assert found
        return found[1]

    # Reading the page

    @property
    def phase(self) -> Locator:
        return self.page.locator("#phase")

    @property
    def rows(self) -> Locator:
        return self.page.locator(".order-row")

    def row(self, unit: str) -> Locator:
        return self.page.locator(f'.order-row[data-unit="{unit}"]')

    def expect_order(self, unit: str, text: str) -> None:
        """The list and the map have the order, each in its own way."""
        expect(self.row(unit).locator(".order-text")).to_have_text(printed(text))

    def result(self, unit: str) -> Locator:
        return self.page.locator(f'.result[data-unit="{unit}"]')

    @property
    def view(self) -> dict[str, Any]:
        """The game as the server tells it to this browser."""
        answer = self.page.request.get(f"/api/games/{self.id}")
        assert answer.ok, answer.text()
        found: dict[str, Any] = answer.json()
        return found

    # Acting on the page

    def click(self, *spaces: str) -> "Table":
        """Click places on the map, one after the other."""
        for space in spaces:
            x, y = self.page.evaluate(PLACE, space)
            self.page.mouse.click(x, y)
            self.settled()
        return self

    def click_land(self, space: str) -> "Table":
        """Click the middle of a province, beside whatever is lit or stands there."""
        box = self.page.locator(f'path.space[data-space="{space}"]').bounding_box()
        assert box
        self.page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
        self.settled()
        return self

    def settled(self) -> None:
        """Wait until what was done has been answered."""
        self.page.wait_for_function("() => document.body && !('busy' in document.body.dataset)")

    def kind(self, label: str) -> "Table":
        """Choose a kind of order with the mouse."""
        self.page.locator(f'[data-kind="{label}"]').click()
        self.settled()
        return self

    def give(self, orders: dict[str, list[str]]) -> "Table":
        """Give orders beside the page, to come to a position; then look at it."""
        for power, texts in orders.items():
            phase_number = self.view["phase_number"]
            answer = self.page.request.post(
                f"/api/games/{self.id}/orders", data={"phase_number": phase_number, "seat": power, "give": texts}
            )
            assert answer.ok, answer.text()
        return self

    def judge(self) -> "Table":
        """Judge the phase beside the page."""
        answer = self.page.request.post(
            f"/api/games/{self.id}/process", data={"phase_number": self.view["phase_number"]}
        )
        assert answer.ok, answer.text()
        return self

    def again(self) -> "Table":
        """Load the page anew."""
        self.page.reload()
        return self.arrived()

    def sit(self, power: str) -> "Table":
        """Play another power of this screen."""
        self.page.locator(f'button.power[data-power="{power}"]').click()
        self.settled()
        expect(self.page.locator(f'button.power[data-power="{power}"][aria-pressed=true]')).to_be_visible()
        return self

    def process(self) -> "Table":
        """Process the turn with the button, whatever it says about the plan, and see the results."""
        self.page.locator("#process").click()
        if (again := self.page.get_by_role("button", name="anyway")).count():
            again.click()
        self.page.wait_for_function(IS_PROCESSED)
        return self

    def go_on(self) -> "Table":
        """From the results to the orders of the phase that is open."""
        self.page.locator("#go-on").click()
        self.settled()
        return self

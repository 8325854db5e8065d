"""A newcomer who knows neither the rules nor the page: from the first page to the first processed year.

The newcomer reads names of links and buttons, and nothing else: no address, no code of a unit or space, no selector of
the tests. Each press is what the page names next, and where it offers several the first one is good enough.
"""

import re
import time

from playwright.sync_api import Locator, Page, expect

from browser.hands import Table

MOST_SECONDS = 15 * 60
"""The time in which a newcomer has to process the first year."""

SECONDS_A_PRESS = 12
"""The time in which a person finds and presses what the page names, several times that of the script."""

MOST_PRESSES = MOST_SECONDS // SECONDS_A_PRESS


class Newcomer:
    """A person at a page; `presses` has the name of everything that was pressed."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.presses: list[str] = []

    def press(self, target: Locator) -> None:
        """Press what is seen and can be pressed."""
        Table(self.page).settled()
        expect(target).to_be_enabled()
        self.presses.append(" ".join(target.inner_text().split()))
        assert len(self.presses) <= MOST_PRESSES, self.presses
        target.click()

    def button(self, name: str) -> Locator:
        """The first button whose name begins so."""
        return self.page.get_by_role("button", name=re.compile(f"^{name}")).filter(visible=True).first

    def link(self, name: str) -> Locator:
        return self.page.get_by_role("link", name=name).filter(visible=True).first

    def units_without_orders(self) -> Locator:
        """The buttons of the list of units that say that something is missing."""
        return self.page.get_by_role("list", name="Units").get_by_role("button", name="no order")

    def choices(self) -> Locator:
        """The spaces that are offered for the selected unit: their names follow their codes."""
        return self.page.get_by_role("list", name="Units").get_by_role("button", name=re.compile(r"^\S+ ,"))

    def order_as_the_task_says(self) -> None:
        """Give the order of an exercise: to the offered space that its task names."""
        expect(self.units_without_orders().first).to_be_visible()
        task = self.page.get_by_role("region", name="Exercise").inner_text()
        self.press(self.units_without_orders().first)
        expect(self.choices().first).to_be_visible()
        offered = [re.findall("[A-Z][a-z]+", name)[0] for name in self.choices().all_text_contents()]
        named = next(i for i, name in enumerate(offered) if name in task)
        self.press(self.choices().nth(named))

    def order_everything(self) -> None:
        """Give each unit the first order that is offered; the page selects the next unit of the list."""
        finished = self.page.get_by_text(re.compile(r"^(\d+) of \1 ordered$"))
        for _ in range(MOST_PRESSES):
            Table(self.page).settled()
            if finished.count():
                return
            if self.choices().count():
                self.press(self.choices().first)
            elif self.units_without_orders().count():
                self.press(self.units_without_orders().first)
            else:
                return

    def end_the_phase(self) -> None:
        """Press the main button; where the page asks again, press it again; then go on to the next phase."""
        onward = self.button("Continue to ")
        again = self.button("Process anyway")
        self.press(self.page.get_by_role("button", name=re.compile("^Process")).filter(visible=True).first)
        expect(onward.or_(again).first).to_be_visible()
        Table(self.page).settled()
        if not onward.count():
            self.press(again)
        self.press(onward)
        expect(onward).to_have_count(0)

    @property
    def phase(self) -> str:
        return self.page.get_by_role("heading", level=1).inner_text()


def test_a_newcomer_processes_the_first_year_with_the_words_of_the_page_alone(page: Page) -> None:
    start = time.monotonic()
    newcomer = Newcomer(page)
    page.goto("/")
    newcomer.press(newcomer.link("Learn it in twenty short lessons"))
    newcomer.press(newcomer.link("Start with the first lesson"))
    newcomer.order_as_the_task_says()
    newcomer.press(newcomer.button("Play"))
    expect(page.get_by_text("3 of 3 stars").first).to_be_visible()
    newcomer.press(newcomer.link("Learn Diplomacy"))
    newcomer.press(newcomer.link("A first year"))
    newcomer.press(newcomer.button("Start the game"))
    expect(newcomer.units_without_orders().first).to_be_visible()
    address = page.url
    first = newcomer.phase
    year = int(re.findall(r"\d{4}", first)[0])
    while str(year) in newcomer.phase:
        newcomer.order_everything()
        newcomer.end_the_phase()
    assert str(year + 1) in newcomer.phase
    assert page.url.partition("?")[0] == address.partition("?")[0], "the page of the game has everything"
    seconds = time.monotonic() - start
    print(f"{seconds:.0f} s and {len(newcomer.presses)} presses to {newcomer.phase}.")  # noqa: T201  # seen with `-s`

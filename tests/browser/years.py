"""A year of each variant, played from the gallery with one of three hands, by what the page shows and nothing else.

A year has orders for each of its phases by their headings; what is not ordered holds, is not built, or is dealt by the
page. A hand finds on the page what an order needs: a unit, a kind, places.
"""

import os
import re
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from playwright.sync_api import Locator, Page, expect

from browser.hands import Table, printed

Orders = Mapping[str, tuple[str, ...]]
"""The orders of a phase by power, each in the form in which the page prints it, with a hyphen between places."""

MOST = 90
"""The most times a key is pressed in search of something."""


@dataclass(frozen=True)
class Year:
    """A year to play: a variant by its title, its phases in order, and the choices on the page of the variant.

    The game master, if there is one, enters the first of `slips` that is in the draw pile.
    """

    title: str
    phases: Mapping[str, Orders]
    options: Mapping[str, str] = field(default_factory=dict)
    slips: tuple[str, ...] = ()


def _war(year: int, spring: Orders | None = None) -> dict[str, Orders]:
    """A year in which Germany takes Venice with Austria's help, builds, and Italy retreats and removes a unit."""
    return {
        f"Spring {year} movement": {"Germany": ("A MUN - TYO",), **(spring or {})},
        f"Fall {year} movement": {"Germany": ("A TYO - VEN",), "Austria": ("F TRI S A TYO - VEN",)},
        f"Fall {year} retreats": {"Italy": ("A VEN R TUS",)},
        f"Winter {year} adjustments": {"Germany": ("A MUN B",), "Italy": ("A TUS D",)},
    }


_IRISH = _war(1974)

YEARS = {
    "standard": Year("Diplomacy", _war(1901)),
    "1897": Year(
        "1897",
        {
            "Autumn 1897 choice": {"Austria": ("CHOOSE TRI",), "Germany": ("CHOOSE MUN",), "Italy": ("CHOOSE VEN",)},
            "Winter 1897 adjustments": {"Austria": ("F TRI B",), "Germany": ("A MUN B",), "Italy": ("A VEN B",)},
            **_war(1898),
        },
    ),
    "corner": Year("Corner Diplomacy", _war(1901, {"France": ("A PAR - [BUR/GAS/PAR]",)})),
    "napoleonic": Year(
        "Eckert's Napoleonic",
        {
            "Summer 1801 choice": {"England": ("CHOOSE F HOL",), "France": ("CHOOSE F MAR",)},
            "Summer 1801 movement": {"Austria": ("F TRI - VEN",), "Italy": ("A VEN - TYO",)},
            "Summer 1801 adjustments": {"Italy": ("A ROM D",)},
            "Fall 1801 movement": {"Prussia": ("A MUN - TYO",), "Austria": ("A VIE S A MUN - TYO",)},
            "Fall 1801 retreats": {"Italy": ("A TYO R PIE",)},
            "Fall 1801 adjustments": {"Austria": ("A TRI B",)},
        },
    ),
    "cline": Year("Cline Nine-Person", _war(1901, {"Barbary": ("F MOR - SAT",)})),
    "irish": Year(
        "Irish Diplomacy",
        {
            "Spring 1974 choice": {"Belgium": ("CHOOSE F BEL",)},
            "Spring 1974 movement": _IRISH["Spring 1974 movement"],
            "Spring 1974 draws": {},
            "Fall 1974 movement": _IRISH["Fall 1974 movement"],
            "Fall 1974 retreats": _IRISH["Fall 1974 retreats"],
            "Fall 1974 draws": {},
            "Winter 1974 adjustments": _IRISH["Winter 1974 adjustments"],
        },
        {"Draws": "gm_entered", "Majors": "Austria, Germany, Italy", "Minors": "Belgium"},
        ("NRG", "BAR", "NAT", "MID", "IRI", "SKA", "HEL", "BAL", "BOT", "Belgium"),
    ),
}

_ORDER = re.compile(
    r"(?P<unit>[AF] (?P<at>\S+)) (?:(?P<kind>[-RDB])(?: (?P<to>\S+))?|S (?P<of>[AF] (?P<of_at>\S+)) - (?P<where>\S+))"
)


class Hand(ABC):
    """One way to play; what it does with the page is all a person with that device can do."""

    def __init__(self, page: Page, pictures: str = "") -> None:
        self.page, self.table, self.pictures, self.steps = page, Table(page), pictures, 0

    # Differences between devices

    @abstractmethod
    def press(self, target: Locator) -> None:
        """Press a button or follow a link."""

    @abstractmethod
    def pick(self, target: Locator, value: str) -> None:
        """Choose in a list, or write into a field."""

    @abstractmethod
    def sit(self, power: str) -> None:
        """Take the seat of a power of this screen."""

    @abstractmethod
    def move(self, unit: str, at: str, kind: str, to: str) -> None:
        """Order a unit to go somewhere, or to retreat there."""

    @abstractmethod
    def support(self, unit: str, at: str, of: str, of_at: str, where: str) -> None:
        """Order a unit to support a move."""

    @abstractmethod
    def remove(self, unit: str, at: str) -> None:
        """Remove a unit."""

    @abstractmethod
    def place(self, at: str, message: str) -> None:
        """Choose a place; with a message the unit that comes there."""

    def process(self) -> None:
        """End the phase."""
        self.press(self.page.locator("#process"))

    def onward(self) -> None:
        """From the results to the phase that is open."""
        self.press(self.page.locator("#go-on"))

    # Common actions

    def open(self, year: Year) -> None:
        """From the gallery to a game in which all seats are at this screen."""
        self.page.goto("/")
        card = self.page.locator(".card", has=self.page.get_by_role("heading", name=year.title, exact=True))
        self.press(card.locator(".seats > summary"))
        form = card
        if year.options:
            self.press(card.get_by_role("link", name="All options"))
            form = self.page.locator("#new-game")
            expect(form).to_be_visible()
            self.press(form.locator(".options > summary"))
            for label, value in year.options.items():
                self.pick(form.get_by_label(label, exact=True), value)
        self.press(form.get_by_label("Players at this screen (hotseat)"))
        name = "Start the game" if year.options else f"Play {year.title} now"
        self.press(form.get_by_role("button", name=name))
        self.table.arrived()

    def give(self, order: str) -> None:
        """Give one order, and see it in the list."""
        if order.startswith("CHOOSE "):
            message, _, at = order.removeprefix("CHOOSE ").rpartition(" ")
            self.place(at, message)
            held = self.page.locator(f'.card-choice.held[data-place="{at}"]')
            expect(held).to_be_visible()
            return
        found = _ORDER.fullmatch(order)
        assert found, order
        unit, at = found["unit"], found["at"]
        if found["kind"] == "B":
            self.place(at, unit[0])
            expect(self.page.locator(f'.card-choice.held[data-place="{at}"]')).to_be_visible()
            return
        if found["of"]:
            self.support(unit, at, found["of"], found["of_at"], found["where"])
        elif found["kind"] == "D":
            self.remove(unit, at)
        else:
            self.move(unit, at, found["kind"], found["to"])
        expect(self.table.row(unit).locator(".order-text")).to_have_text(printed(order))

    def photograph(self, name: str) -> None:
        """Keep a picture of what one sees, where a folder for them is named."""
        if self.pictures:
            self.steps += 1
            folder = Path(self.pictures)
            folder.mkdir(parents=True, exist_ok=True)
            self.page.screenshot(path=folder / f"{type(self).__name__.lower()}-{self.steps:02}-{name}.png")


class Mouse(Hand):
    """Everything with the mouse, and on the map what can be done there."""

    def press(self, target: Locator) -> None:
        target.click()
        self.table.settled()

    def pick(self, target: Locator, value: str) -> None:
        if target.evaluate("field => field.tagName") == "SELECT":
            target.select_option(value)
        else:
            target.click()
            target.fill(value)

    def sit(self, power: str) -> None:
        self.press(self.page.locator(f'#powers button.power[data-power="{power}"]'))

    def move(self, unit: str, at: str, kind: str, to: str) -> None:
        self.table.click(at)
        expect(self.page.locator("#prompt")).to_contain_text(unit)
        self.table.click(to)

    def support(self, unit: str, at: str, of: str, of_at: str, where: str) -> None:
        self.table.click(at)
        self.table.kind("support")
        expect(self.page.locator("#prompt")).to_contain_text(f"{unit} supports which unit?")
        self.table.click(of_at)
        expect(self.page.locator("#prompt")).to_contain_text(f"{unit} supports {of} where?")
        self.table.click(where)

    def remove(self, unit: str, at: str) -> None:
        self.table.click(at)

    def place(self, at: str, message: str) -> None:
        self.table.click(at)
        card = self.page.locator(f'.card-choice[data-place="{at}"]')
        if card.locator(".chip").count() > 1:
            expect(self.page.locator("#prompt")).to_contain_text("which unit?")
            self.press(card.get_by_role("button", name={"A": "Army", "F": "Fleet"}[message]))


class Touch(Hand):
    """Everything with a finger, in the order set: each choice is a button in it."""

    def press(self, target: Locator) -> None:
        target.tap()
        self.table.settled()

    def pick(self, target: Locator, value: str) -> None:
        if target.evaluate("field => field.tagName") == "SELECT":
            target.select_option(value)
        else:
            target.tap()
            target.fill(value)

    def sit(self, power: str) -> None:
        self.press(self.page.get_by_role("tab", name="Powers"))
        self.press(self.page.locator(f'#pane button.power[data-power="{power}"]'))

    def _take(self, unit: str) -> None:
        row = self.table.row(unit)
        if not row.locator(".editor").count():
            self.press(row.locator(".order-button"))

    def _chip(self, name: str) -> None:
        self.press(self.page.locator(f'.editor [data-chip="{name}"]'))

    def move(self, unit: str, at: str, kind: str, to: str) -> None:
        self._take(unit)
        self._chip(to)

    def support(self, unit: str, at: str, of: str, of_at: str, where: str) -> None:
        self._take(unit)
        self.press(self.page.locator('[data-kind="support"]'))
        self._chip(of)
        self._chip(where)

    def remove(self, unit: str, at: str) -> None:
        self.press(self.table.row(unit).locator(".order-button"))

    def place(self, at: str, message: str) -> None:
        card = self.page.locator(f'.card-choice[data-place="{at}"]')
        words = {"A": "Army", "F": "Fleet", "": ""}[message]
        self.press(card.get_by_role("button", name=words) if words else card.get_by_role("button"))


class Keys(Hand):
    """Everything with keys."""

    def _until(self, key: str, done: Callable[[], bool]) -> None:
        """Press a key until something is so."""
        for _ in range(MOST):
            if done():
                return
            self.page.keyboard.press(key)
            self.table.settled()
        raise AssertionError(f"{key} does not lead there")

    def _reach(self, target: Locator) -> None:
        """Go to something with the Tab key."""
        expect(target).to_be_visible()
        self._until("Tab", lambda: bool(target.evaluate("one => one === document.activeElement")))

    def press(self, target: Locator) -> None:
        if target.evaluate("one => one.type === 'radio'"):
            # one button of a group has the focus, and arrow keys lead to the others
            group = target.locator("xpath=ancestor::fieldset")
            self._reach(group.locator("input:checked"))
            self._until("ArrowDown", target.is_checked)
            return
        self._reach(target)
        self.page.keyboard.press("Enter")
        self.table.settled()

    def pick(self, target: Locator, value: str) -> None:
        self._reach(target)
        if target.evaluate("field => field.tagName") == "SELECT":
            self._until("ArrowDown", lambda: target.input_value() == value)
        else:
            self.page.keyboard.type(value)

    def sit(self, power: str) -> None:
        self._until(".", lambda: self.page.locator("#seat-select").input_value() == power)

    def _take(self, at: str) -> None:
        self._until("ArrowDown", lambda: bool(self.page.locator(at).count()))

    def _name(self, place: str) -> None:
        self.page.keyboard.type(place.strip("[]").lower())
        self.page.keyboard.press("Enter")
        self.table.settled()

    def move(self, unit: str, at: str, kind: str, to: str) -> None:
        self._take(f'.order-row.on[data-unit="{unit}"]')
        self.page.keyboard.press("m" if kind == "-" else "r")
        self._name(to)

    def support(self, unit: str, at: str, of: str, of_at: str, where: str) -> None:
        self._take(f'.order-row.on[data-unit="{unit}"]')
        self.page.keyboard.press("s")
        self._name(of_at)
        self._name(where)

    def remove(self, unit: str, at: str) -> None:
        self._take(f'.order-row.on[data-unit="{unit}"]')
        self.page.keyboard.press("d")
        self.table.settled()

    def place(self, at: str, message: str) -> None:
        self._take(f'.card-choice.on[data-place="{at}"]')
        self._name(message)

    def process(self) -> None:
        self._until("Control+Enter", lambda: bool(self.page.locator("#go-on, #doubts[role=alert]").count()))

    def onward(self) -> None:
        self.page.keyboard.press("Control+Enter")
        self.table.settled()


HANDS: Mapping[str, type[Hand]] = {"mouse": Mouse, "keys": Keys, "touch": Touch}

SAID = "#prompt:not([hidden]), .todo, .draw-form h3, .big-note"
"""The places in which the page names the next action."""


def _says_what_is_asked(hand: Hand, phase: str) -> None:
    """Check that the page names the phase and the next action, and has a button to continue."""
    page = hand.page
    season, year, kind = phase.split(" ")
    expect(page.locator("#phase")).to_contain_text(re.compile(f"{season} {year}.*{kind}", re.IGNORECASE | re.DOTALL))
    expect(page.locator(SAID).first).not_to_be_empty()
    expect(page.locator("#foot-bar button").first).to_be_visible()


def _draws(hand: Hand, slips: tuple[str, ...]) -> Iterator[str]:
    """Enter what is to be drawn, as long as there is something."""
    page = hand.page
    while page.locator(".draw-form").count():
        due = page.locator(".draw-form h3").inner_text()
        fields = page.locator(".draw-form select")
        for n in range(fields.count()):
            slip = fields.nth(n).evaluate(
                """(field, slips) => {
                  const open = [...field.options].filter((one) => one.value && !one.disabled).map((one) => one.value);
                  return slips.find((slip) => open.includes(slip)) ?? open.at(-1);
                }""",
                list(slips),
            )
            hand.pick(fields.nth(n), slip)
        hand.press(page.locator(".draw-form").get_by_role("button", name="Enter"))
        yield due


def play_a_year(hand: Hand, year: Year) -> list[str]:
    """Play a year from the gallery to the first phase of the next; gives the headings of the phases."""
    page, table = hand.page, hand.table
    hand.open(year)
    played = []
    for phase, orders in year.phases.items():
        _says_what_is_asked(hand, phase)
        asks = table.view["asks"]
        for power, texts in orders.items():
            hand.sit(power)
            _says_what_is_asked(hand, phase)
            hand.photograph(f"{phase} {power}".replace(" ", "-"))
            for text in texts:
                hand.give(text)
            hand.photograph(f"{phase} {power} ordered".replace(" ", "-"))
        if asks["draws"] and year.slips:
            hand.sit("GM")
            hand.photograph(f"{phase} GM".replace(" ", "-"))
            for _ in _draws(hand, year.slips):
                pass
            expect(page.locator(".big-note")).to_be_visible()
        hand.process()
        if page.locator("#doubts[role=alert]").count():
            hand.photograph(f"{phase} doubts".replace(" ", "-"))
            hand.press(page.locator("#process"))
        expect(page.locator("#go-on")).to_be_visible()
        hand.photograph(f"{phase} results".replace(" ", "-"))
        played.append(phase)
        after = table.view["phase"]["text"]
        expect(page.locator("#go-on")).to_have_text(f"Continue to {after}")
        hand.onward()
        expect(page.locator("#go-on")).to_have_count(0)
    _says_what_is_asked(hand, table.view["phase"]["text"])
    return played


def pictures() -> str:
    """The folder for pictures of every step, if one is wanted."""
    return os.environ.get("PLENIPO_PICTURES", "")

"""Lessons and puzzles by every hand: each pair of a hand, a width and a language is covered once between them."""

import pytest
from playwright.sync_api import Locator, Page, expect

from browser.axe import faults
from browser.conftest import NewWindow
from plenipo.puzzles import load_case_puzzles
from plenipo.puzzles.case_puzzles import fate_of, list_questions

CASE = next(one for one in load_case_puzzles().values() if one.case == "6.D.3")
FATES = {str(one.unit): str(fate_of(one)) for one in list_questions(CASE.movement.resolution)}
SOLVED = {"en": "Solved", "de": "Gelöst"}
HEIGHTS = {390: 844, 1366: 768}


def open_window(window: NewWindow, hand: str, width: int, language: str) -> Page:
    """Return a window of this width and language; with fingers if the hand touches."""
    size = {"width": width, "height": HEIGHTS[width]}
    return window(viewport=size, locale=language, has_touch=hand == "touch", is_mobile=hand == "touch" and width == 390)


def press(target: Locator, hand: str) -> None:
    """Press a button by a hand."""
    if hand == "keys":
        target.focus()
        target.press("Enter")
    elif hand == "touch":
        target.tap()
    else:
        target.click()


def choose(page: Page, key: str, hand: str) -> None:
    """Choose one of several answers by a hand."""
    if hand == "keys":
        page.locator(f'[data-key="{key}"]').focus()
        page.keyboard.press("Space")
        expect(page.locator(f'[data-key="{key}"]')).to_be_checked()
    else:
        press(page.locator(f'.fate:has([data-key="{key}"])'), hand)


def has_no_overflow(page: Page) -> bool:
    """Return whether the page is no wider than its window."""
    return bool(page.evaluate("() => document.documentElement.scrollWidth <= innerWidth"))


@pytest.mark.parametrize(
    ("hand", "width", "language"), [("mouse", 390, "en"), ("keys", 390, "de"), ("touch", 1366, "de")]
)
def test_a_lesson_is_solved_by(window: NewWindow, hand: str, width: int, language: str) -> None:
    page = open_window(window, hand, width, language)
    page.goto("/learn/move")
    expect(page.locator("html")).to_have_attribute("lang", language)
    press(page.locator('[data-unit="A PAR"] .order-button'), hand)
    press(page.locator('[data-chip="BUR"]'), hand)
    expect(page.locator('[data-unit="A PAR"] .order-text')).to_have_text("A PAR \u2013 BUR")
    assert has_no_overflow(page)
    press(page.locator("#play"), hand)
    expect(page.locator("#outcome-box.solved")).to_contain_text(SOLVED[language])
    assert has_no_overflow(page)
    assert faults(page) == []


@pytest.mark.parametrize(
    ("hand", "width", "language"), [("mouse", 1366, "de"), ("keys", 1366, "en"), ("touch", 390, "en")]
)
def test_a_puzzle_is_solved_by(window: NewWindow, hand: str, width: int, language: str) -> None:
    page = open_window(window, hand, width, language)
    page.goto(f"/puzzles/{CASE.number}")
    expect(page.locator("html")).to_have_attribute("lang", language)
    for unit, fate in FATES.items():
        choose(page, f"fate {unit} {fate}", hand)
    assert has_no_overflow(page)
    press(page.locator("#check"), hand)
    expect(page.locator("#outcome-box.solved")).to_contain_text("DATC 6.D.3")
    assert has_no_overflow(page)
    assert faults(page) == []

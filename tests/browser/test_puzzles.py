"""Puzzles: both kinds by mouse, by keys and by touch; the progress stays in the browser."""

import json

from playwright.sync_api import Page, expect

from browser.axe import faults
from plenipo.puzzles import OrderPuzzle, load_case_puzzles, load_order_puzzles
from plenipo.puzzles.case_puzzles import fate_of, list_questions

CASE = next(one for one in load_case_puzzles().values() if one.case == "6.D.3")
FATES = {str(one.unit): str(fate_of(one)) for one in list_questions(CASE.movement.resolution)}


def with_one_support() -> OrderPuzzle:
    """A puzzle whose solution is the support of a unit that holds."""
    return next(
        one for one in load_order_puzzles().values() if len(one.solution) == 1 and one.solution[0].count(" ") == 4
    )


SUPPORT = with_one_support()
UNIT, HELPED = SUPPORT.solution[0].split(" S ")


def test_a_wrong_answer_is_refuted_and_the_right_one_solves_the_puzzle(page: Page) -> None:
    page.goto(f"/puzzles/{SUPPORT.number}")
    expect(page.locator(".task")).to_contain_text("whatever the others order")
    assert faults(page) == []
    page.locator("#check").click()
    expect(page.locator("#outcome-box")).to_contain_text("Not yet: the others have a reply")
    assert faults(page) == []

    page.locator("#again").click()
    page.locator(f'[data-unit="{UNIT}"] .order-button').click()
    page.locator('[data-kind="support"]').click()
    page.locator(f'[data-chip="{HELPED}"]').click()
    page.locator('[data-chip="hold"]').click()
    expect(page.locator(f'[data-unit="{UNIT}"] .order-text')).to_have_text(SUPPORT.solution[0])
    page.locator("#check").click()
    expect(page.locator("#outcome-box.solved")).to_contain_text("no other set of at most three orders")
    page.locator(f'[data-why="{UNIT}"]').click()
    expect(page.locator(".what-if")).to_be_visible()
    assert faults(page) == []

    page.goto("/puzzles")
    expect(page.locator('[data-done="order"]')).to_contain_text("1 of ")
    expect(page.locator('a.btn[data-chapter="order"]')).not_to_have_attribute("href", f"/puzzles/{SUPPORT.number}")
    assert faults(page) == []


def test_only_the_first_answer_to_a_puzzle_is_rated(page: Page) -> None:
    page.goto(f"/puzzles/{SUPPORT.number}")
    page.locator("#check").click()
    expect(page.locator("#solver")).to_contain_text("Your puzzle rating: ")
    expect(page.locator("#solver")).to_contain_text("(\N{MINUS SIGN}")
    assert faults(page) == []
    page.reload()
    page.locator("#check").click()
    expect(page.locator("#outcome-box")).to_be_visible()
    expect(page.locator("#solver")).to_have_count(0)
    page.goto("/puzzles")
    expect(page.locator("#solver")).to_contain_text("Your puzzle rating: ")
    assert faults(page) == []


def test_the_solution_is_shown_on_request(page: Page) -> None:
    page.goto(f"/puzzles/{SUPPORT.number}")
    page.locator("#check").click()
    page.locator("#give-away").click()
    expect(page.locator(".the-solution")).to_have_text(SUPPORT.solution[0])
    expect(page.locator("#onward")).to_be_visible()


def test_fates_are_chosen_by_keys_alone(page: Page) -> None:
    page.goto(f"/puzzles/{CASE.number}")
    page.locator("#check").focus()
    page.keyboard.press("Enter")
    expect(page.locator(".fault")).to_have_text("Answer for every unit.")
    for unit, fate in FATES.items():
        page.locator(f'[data-key="fate {unit} succeeds"]').focus()
        page.keyboard.press("Space")
        for _ in range(("succeeds", "fails", "dislodged").index(fate)):
            page.keyboard.press("ArrowDown")
    page.locator("#check").focus()
    page.keyboard.press("Enter")
    expect(page.locator("#outcome-box.solved")).to_contain_text("all answers are right")
    expect(page.locator("#outcome-box")).to_contain_text("DATC 6.D.3")
    assert faults(page) == []
    page.get_by_role("link", name="Rule: Cut a support").focus()
    page.keyboard.press("Enter")
    expect(page.locator("#rule-cut:target h3")).to_have_text("Cut a support")
    expect(page.locator("#rule-cut:target h3")).to_be_in_viewport()


def test_fates_are_chosen_by_touch_in_german(phone: Page) -> None:
    phone.context.set_extra_http_headers({"Accept-Language": "de"})
    phone.goto(f"/puzzles/{CASE.number}")
    expect(phone.locator(".task")).to_have_text("Was geschieht mit diesen Einheiten?")
    for unit in FATES:
        phone.locator(f'.fate:has([data-key="fate {unit} succeeds"])').tap()
    phone.locator("#check").tap()
    expect(phone.locator("#outcome-box")).to_contain_text("Antworten sind falsch.")
    expect(phone.locator(".verdict.cross")).to_have_count(sum(fate != "succeeds" for fate in FATES.values()))
    assert faults(phone) == []
    phone.context.set_extra_http_headers({})


def test_an_order_is_found_by_touch(phone: Page) -> None:
    phone.goto(f"/puzzles/{SUPPORT.number}")
    phone.locator(f'[data-unit="{UNIT}"] .order-button').tap()
    phone.locator('[data-kind="support"]').tap()
    phone.locator(f'[data-chip="{HELPED}"]').tap()
    phone.locator('[data-chip="hold"]').tap()
    expect(phone.locator(f'[data-unit="{UNIT}"] .order-text')).to_have_text(SUPPORT.solution[0])
    phone.locator("#check").tap()
    expect(phone.locator("#outcome-box.solved")).to_be_visible()


def test_progress_of_another_version_is_kept(page: Page) -> None:
    page.goto("/puzzles")
    foreign = json.dumps({"version": 7, "solved": {"1": 1}})
    page.evaluate("stored => localStorage.setItem('plenipo.puzzles', stored)", foreign)
    page.reload()
    expect(page.locator("#puzzle-note")).to_contain_text("progress of another version")
    page.goto(f"/puzzles/{CASE.number}")
    for unit, fate in FATES.items():
        page.locator(f'.fate:has([data-key="fate {unit} {fate}"])').click()
    page.locator("#check").click()
    expect(page.locator("#outcome-box.solved")).to_be_visible()
    assert page.evaluate("localStorage.getItem('plenipo.puzzles.earlier')") == foreign

"""Lessons: exercises by mouse, by keys and by touch; the stars stay in the browser, and a hint comes after a fault."""

import json

from playwright.sync_api import Page, expect

from browser.axe import faults


def test_a_wrong_answer_gets_a_hint_and_the_right_one_stars_that_stay(page: Page) -> None:
    page.goto("/learn/support-move")
    page.locator('[data-unit="A PAR"] .order-button').click()
    page.locator('[data-chip="BUR"]').click()
    expect(page.locator('[data-unit="A PAR"] .order-text')).to_have_text("A PAR \u2013 BUR")
    page.locator("#play").click()
    expect(page.locator("#outcome-box")).to_contain_text("Not yet")
    expect(page.locator("#outcome-box")).to_contain_text("The other army supports this move.")

    page.locator("#again").click()
    page.locator('[data-unit="A PAR"] .order-button').click()
    page.locator('[data-chip="BUR"]').click()
    expect(page.locator('[data-unit="A MAR"].on')).to_be_visible()
    page.locator('[data-kind="support"]').click()
    page.locator('[data-chip="A PAR"]').click()
    page.locator('[data-chip="BUR"]').click()
    expect(page.locator('[data-unit="A MAR"] .order-text')).to_have_text("A MAR S A PAR \u2013 BUR")
    assert faults(page) == []
    page.locator("#play").click()
    expect(page.locator("#outcome-box.solved")).to_contain_text("2 of 3 stars")
    assert faults(page) == []

    page.locator("#onward").click()
    expect(page.locator(".task")).to_have_text("Take Belgium with two fleets.")
    page.goto("/learn")
    expect(page.locator('[data-lesson="support-move"] .stars')).to_contain_text("2 of 3 stars")
    expect(page.locator("#learn-sum")).to_have_text("2 stars")
    assert faults(page) == []


def test_a_lesson_resumes_with_the_first_exercise_without_stars(page: Page) -> None:
    def keep_stars(stars: dict[str, list[int]]) -> None:
        page.goto("/learn")
        stored = json.dumps({"version": 1, "stars": stars})
        page.evaluate("stored => localStorage.setItem('plenipo.lessons', stored)", stored)
        page.reload()

    keep_stars({"move": [3], "support-move": [0, 3]})
    expect(page.locator("#learn-next")).to_have_text("Continue: Move and hold")
    page.locator("#learn-next").click()
    expect(page.locator(".task")).to_contain_text("from Berlin to Silesia")
    expect(page.locator("#exercise .count-of")).to_have_text("2 of 2")
    page.locator('[data-unit="A BER"] .order-button').click()
    page.locator('[data-chip="SIL"]').click()
    expect(page.locator('[data-unit="A BER"] .order-text')).to_have_text("A BER \u2013 SIL")
    page.locator("#play").click()
    expect(page.locator("#outcome-box.solved")).to_contain_text("3 of 3 stars")
    assert json.loads(page.evaluate("localStorage.getItem('plenipo.lessons')"))["stars"]["move"] == [3, 3]

    page.goto("/learn/support-move")
    expect(page.locator(".task")).to_have_text("Take Burgundy from Germany.")
    keep_stars({"move": [3, 1]})
    page.locator('[data-lesson="move"]').click()
    expect(page.locator(".task")).to_contain_text("from Paris to Burgundy")


def test_a_build_is_ordered_by_keys_alone(page: Page) -> None:
    page.goto("/learn/build")
    page.locator('[data-key="unit build BRE"]').focus()
    page.keyboard.press("Enter")
    page.locator('[data-chip="F BRE"]').focus()
    page.keyboard.press("Enter")
    expect(page.locator(".order-text", has_text="F BRE")).to_be_visible()
    page.locator('[data-key="unit build PAR"]').focus()
    page.keyboard.press("Enter")
    expect(page.locator(".order-text", has_text="A PAR")).to_be_visible()
    page.locator("#play").focus()
    page.keyboard.press("Enter")
    expect(page.locator("#outcome-box.solved")).to_contain_text("3 of 3 stars")


def test_a_move_is_ordered_by_touch_in_german(phone: Page) -> None:
    phone.context.set_extra_http_headers({"Accept-Language": "de"})
    phone.goto("/learn/move")
    expect(phone.locator(".task")).to_contain_text("von Paris nach Burgund")
    phone.locator('.unit[data-space="PAR"]').tap()
    expect(phone.locator("#lesson-text")).not_to_have_attribute("open", "")
    phone.locator('.target[data-space="BUR"]').tap()
    expect(phone.locator(".order-text", has_text="A PAR \u2013 BUR")).to_be_visible()
    phone.locator("#play").tap()
    expect(phone.locator("#outcome-box.solved")).to_contain_text("Gelöst")
    phone.context.set_extra_http_headers({})


def test_progress_of_another_version_is_kept(page: Page) -> None:
    page.goto("/learn")
    foreign = json.dumps({"version": 7, "stars": {"move": [3]}})
    page.evaluate("stored => localStorage.setItem('plenipo.lessons', stored)", foreign)
    page.reload()
    expect(page.locator("#learn-sum")).to_contain_text("progress of another version")
    page.goto("/learn/move")
    page.locator('[data-unit="A PAR"] .order-button').click()
    page.locator('[data-chip="BUR"]').click()
    expect(page.locator(".clear")).to_be_visible()
    page.locator("#play").click()
    expect(page.locator("#outcome-box.solved")).to_be_visible()
    assert page.evaluate("localStorage.getItem('plenipo.lessons.earlier')") == foreign

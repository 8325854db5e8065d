"""After a turn: what happened and why, the slider over the history, and trying it otherwise."""

import re

import pytest
from playwright.sync_api import Page, expect

from browser.conftest import DESK, NewWindow, post
from browser.hands import Table, printed
from plenipo.engine.history.game import Game
from plenipo.engine.history.record import encode_game
from plenipo.engine.history.verify import format_record
from plenipo.library import load

STAND_OFF = {"France": ["A PAR - BUR", "A MAR H"], "Germany": ["A MUN - BUR", "A BER - MUN"]}


def test_a_failure_tells_its_cause_its_numbers_and_what_would_have_changed_it(page: Page) -> None:
    table = Table.open(page).give(STAND_OFF).again().sit("France").process()
    failed = table.result("A PAR")
    expect(failed).to_contain_text("bounced")
    expect(failed.locator(".why")).to_contain_text("attack 1 against 1 of A MUN of Germany")
    expect(failed.locator(".result-button")).to_have_attribute("aria-expanded", "true")
    expect(failed.locator(".sums dd b")).to_have_text(["1", "1"])
    expect(failed.locator(".would")).to_contain_text("It would have entered BUR")
    page.get_by_role("button", name="Failed").click()
    assert page.locator(".result").count() == page.locator(".result.bad").count() >= 2
    expect(page.locator("#live")).to_contain_text("Results of Spring 1901")


def test_the_slider_goes_over_the_whole_history(page: Page) -> None:
    table = Table.open(page).give(STAND_OFF).judge().give({"France": ["A PAR - PIC"]}).judge().again()
    slider = page.get_by_role("slider", name="Turn")
    expect(slider).to_have_value("2")
    slider.focus()
    page.keyboard.press("ArrowLeft")
    expect(table.phase).to_contain_text("Fall 1901")
    expect(slider).to_have_attribute("aria-valuetext", "Fall 1901 movement")
    expect(table.result("A PAR")).to_contain_text(printed("A PAR - PIC"))
    slider.focus()
    page.keyboard.press("Home")
    expect(table.phase).to_contain_text("Spring 1901")
    expect(page.locator("svg.the-map .move.failed")).not_to_have_count(0)
    page.get_by_role("button", name="Before").click()
    expect(page.locator("svg.the-map #m-layer-orders .order")).to_have_count(0)
    page.get_by_role("button", name="After").click()
    expect(page.locator("svg.the-map .unit[data-space=PAR]")).to_have_count(1)
    expect(page.locator("svg.the-map .traces .order")).not_to_have_count(0)
    page.get_by_role("tab", name="Board").click()
    expect(page.locator(".which")).to_have_text("After Spring 1901 movement")
    page.locator("#go-on").click()
    expect(slider).to_have_value("2")


def test_a_what_if_is_tried_compared_and_thrown_away(page: Page) -> None:
    table = Table.open(page).give(STAND_OFF).again().sit("France").process()
    origin = table.id
    page.get_by_role("button", name="What if … from Spring 1901").click()
    expect(page.locator("#banner")).to_contain_text("What if from Spring 1901")
    table.arrived()
    assert table.id != origin
    table.sit("France")
    table.expect_order("A PAR", "A PAR - BUR")
    table.click("MAR").kind("support").click("PAR", "BUR")
    table.expect_order("A MAR", "A MAR S A PAR - BUR")
    table.process()
    expect(table.result("A PAR")).to_contain_text("moved")
    expect(page.locator(".compare")).to_contain_text(printed("A PAR - BUR: moved"))
    expect(page.locator(".compare")).to_contain_text(printed("Game: A PAR - BUR: bounced"))
    page.get_by_role("button", name="As played").click()
    expect(page.locator("svg.the-map .move.failed")).not_to_have_count(0)
    page.get_by_role("button", name="Delete").click()
    page.wait_for_url(f"**/games/{origin}*")
    table.arrived()
    assert "fork_of" in table.view
    assert table.view["fork_of"] is None


def test_the_last_turn_is_taken_back_with_its_orders(page: Page) -> None:
    table = Table.open(page).give(STAND_OFF).judge().again()
    page.get_by_role("tab", name="Game").click()
    page.get_by_role("button", name="Undo the last turn").click()
    page.get_by_role("button", name="Yes").click()
    expect(table.phase).to_contain_text("Spring 1901")
    table.sit("France")
    table.expect_order("A PAR", "A PAR - BUR")


def test_units_travel_once_where_motion_is_welcome(page: Page) -> None:
    page.emulate_media(reduced_motion="no-preference")
    table = Table.open(page).give({"France": ["A PAR - BUR"]}).again()
    table.process()
    expect(page.locator('[data-key="part after"][aria-pressed=true]')).to_be_visible()
    expect(page.locator("svg.the-map .unit[data-space=BUR]")).to_have_count(1)


def test_results_say_first_what_matters_to_me_and_fold_the_rest(page: Page, site: str) -> None:
    game = post(site, "/api/games", {"variant": "standard", "lobby": True})
    address, invitation = f"/api/games/{game['id']}", game["invitation"].rpartition("/")[2]
    key = post(site, f"{address}/join", {"name": "Anna", "power": "France"}, invitation)["key"]
    post(site, f"{address}/start", {}, game["keys"]["all"])
    page.goto(f"/games/{game['id']}/sit/{key}")
    table = Table(page).arrived()
    for texts in (["F BRE - MID", "A MAR - SPA"], ["F MID - POR", "A SPA H"]):
        phase = {"phase_number": table.give({"France": texts}).view["phase_number"]}
        post(site, f"{address}/process", phase, game["keys"]["all"])
    table.again()
    page.get_by_role("tab", name="Results").click()
    concerns = page.locator(".concerns li").first
    expect(concerns).to_have_text(re.compile("Gained: Portugal and Spain"))
    expect(page.locator(".summary-lines")).to_contain_text("France took Portugal")
    expect(page.locator(".summary-lines")).not_to_contain_text("more.")
    if page.locator("#phase").filter(has_text="retreats").count():  # computers may have had to retreat
        page.get_by_role("button", name="Earlier").click()
    expect(page.locator('section.result-group[data-power="France"] .result').first).to_be_visible()
    folded = page.locator('details.result-group[data-power="Russia"]')
    expect(folded.locator(".result").first).to_be_hidden()
    folded.locator("summary").click()
    expect(folded.locator(".result").first).to_be_visible()


APART = """() => {
  const boxes = [...document.querySelectorAll('.tick i')].map((label) => label.getBoundingClientRect());
  boxes.sort((a, b) => a.left - b.left);
  return { labels: boxes.length, over: boxes.filter((box, i) => i && box.left < boxes[i - 1].right + 2).length };
}"""


def test_a_history_of_many_turns_stays_readable(phone: Page) -> None:
    game = Game.new(load("standard"))
    while len(game.turns) < 78:
        game = game.process({})
    Table.uploaded(phone, format_record(encode_game(game)))
    phone.get_by_role("tab", name="Results").click()
    expect(phone.locator(".slider.many")).to_be_visible()
    found = phone.evaluate(APART)
    assert found["labels"] >= 3
    assert found["over"] == 0


CLOSE_LABELS = """() => {
  const boxesOf = (what) => [...document.querySelectorAll(what)].map((one) => one.getBoundingClientRect());
  const boxes = boxesOf('.tick i');
  const signs = boxesOf('#history .round svg');
  const apart = (a, b) => a.right + 3 <= b.left || b.right + 3 <= a.left || a.bottom <= b.top || b.bottom <= a.top;
  const close = boxes.filter((box, i) => [...boxes.slice(i + 1), ...signs].some((other) => !apart(box, other)));
  return { written: boxes.length, close: close.length, here: document.querySelectorAll('.tick.here i').length };
}"""
"""The count of texts below the slider, and of those closer than three pixels to another or to a button."""


@pytest.mark.parametrize("turn", [None, 0, 1, 14, 28, 29])
def test_the_labels_of_thirty_turns_do_not_touch_at_any_size(
    window: NewWindow, long_game: str, turn: int | None
) -> None:
    page = window(viewport=DESK)
    page.goto(long_game)
    if turn is not None:
        page.goto(f"{long_game.partition('/sit/')[0]}?turn={turn}&results=1")
    Table(page).arrived()
    for width, height, least in ((390, 844, 3), (844, 390, 3), (1366, 768, 6)):
        page.set_viewport_size({"width": width, "height": height})
        page.wait_for_function("() => document.querySelectorAll('.tick').length === 31")
        found: dict[str, int] = {}
        for _ in range(40):  # the strip is written anew after the window has its size
            page.wait_for_timeout(50)
            found, before = page.evaluate(CLOSE_LABELS), found
            if found == before:
                break
        assert (found["close"], found["here"]) == (0, 1), (width, found)
        assert found["written"] >= least, (width, found)


@pytest.fixture(scope="module")
def long_game(site: str) -> str:
    """The address of a game of thirty turns without orders."""
    game = post(site, "/api/games", {"variant": "standard", "computers": "none"})
    for number in range(1, 31):
        post(site, f"/api/games/{game['id']}/process", {"phase_number": number}, game["keys"]["all"])
    return f"/games/{game['id']}/sit/{game['keys']['all']}"

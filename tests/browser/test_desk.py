"""The game master's desk beyond its clock: looks, questions, readings and the editor of positions."""

import pytest
from playwright.sync_api import Page, expect

from browser.axe import faults_beside_the_map as faults
from browser.conftest import PHONE, NewWindow
from browser.hands import unfold_cards


@pytest.fixture
def windows(window: NewWindow) -> tuple[Page, Page]:
    """A game master and a player, each at a window as wide as a phone."""
    return window(viewport=PHONE), window(viewport=PHONE)


def begun(master: Page, player: Page, variant: str = "standard") -> str:
    """A game with a game master and France; the address of it."""
    master.goto(f"/variants/{variant}/host")
    unfold_cards(master)
    master.get_by_label("Your name").fill("Anna")
    master.get_by_label("No deadlines", exact=False).first.check()
    master.locator("input[name=you][value=rule]").check()
    master.get_by_role("button", name="Create the game").click()
    player.goto(master.get_by_label("Anyone with this link").input_value())
    player.get_by_label("Your name").fill("Ben")
    player.get_by_label("France").check()
    player.get_by_role("button", name="Join").click()
    expect(player.get_by_role("button", name="Join")).to_have_count(0)
    master.get_by_role("button", name="Start with computers").click()
    for page in (master, player):
        page.wait_for_selector("body[data-ready]", state="attached")
    return master.url.partition("?")[0]


def test_a_question_is_asked_answered_ruled_upon_and_looked_into_by_mouse(windows: tuple[Page, Page]) -> None:
    master, ben = windows
    game = begun(master, ben)
    orders = {"phase_number": 1, "seat": "France", "orders": ["A PAR - BUR", "F BRE - MID"]}
    assert ben.request.put(game.replace("/games/", "/api/games/") + "/orders", data=orders).ok
    ben.reload()
    ben.wait_for_selector("body[data-ready]", state="attached")
    ben.locator(".order-row").first.click()
    ben.get_by_role("link", name="Ask the game master").first.click()
    ben.get_by_label("Order").select_option("A PAR - BUR")
    ben.get_by_label("Your question").fill("Is that by land?")
    assert faults(ben) == []
    ben.get_by_role("button", name="Ask", exact=True).click()
    expect(ben.get_by_text("Not answered yet.")).to_be_visible()
    master.goto(f"{game}/gm-tools")
    question = master.locator("#questions")
    expect(question).to_contain_text("Is that by land?")
    question.get_by_text("Correct this order …").click()
    question.get_by_label("Correction").fill("A PAR - PIC")
    question.get_by_label("Reason (published with the ruling").fill("He wrote so by mail.")
    assert faults(master) == []
    question.get_by_role("button", name="Correct the order").click()
    expect(question).to_contain_text("is corrected to A PAR - PIC")
    question.get_by_label("Your answer (only France can read it)").fill("It is.")
    question.get_by_role("button", name="Answer France").click()
    expect(question.get_by_text("Answered (1)")).to_be_visible()
    ben.reload()
    expect(ben.get_by_text("The game master: It is.")).to_be_visible()
    expect(ben.get_by_text("A PAR - BUR is corrected to A PAR - PIC")).to_be_visible()
    assert faults(ben) == []
    master.get_by_role("button", name="Preview").click()
    expect(master.get_by_role("heading", name="Results")).to_be_visible()
    expect(master.get_by_role("region", name="Orders of France")).to_contain_text("A PAR - PIC")
    assert faults(master) == []
    master.get_by_role("link", name="Back to the GM tools").click()
    master.get_by_label("Actions for France").click()
    master.get_by_role("button", name="As seen by France").click()
    expect(master.get_by_role("heading", name="Units that France sees")).to_be_visible()
    expect(master.locator("#main")).not_to_contain_text("A PAR - PIC")
    assert faults(master) == []


def test_in_fog_a_position_is_looked_at_and_edited_by_keys(windows: tuple[Page, Page]) -> None:
    master, ben = windows
    game = begun(master, ben, "fog-of-war")
    master.goto(f"{game}/gm-tools")
    master.get_by_role("button", name="Show the whole position to edit it").press("Enter")
    turkey = master.get_by_label("Units of Turkey")
    expect(turkey).to_have_value("F ANK, A CON, A SMY")
    assert faults(master) == []
    turkey.focus()
    master.keyboard.press("Control+a")
    master.keyboard.type("A CON, A SMY")
    reason = master.locator("#edit-reason")
    for _ in range(60):
        master.keyboard.press("Tab")
        if reason.evaluate("field => field === document.activeElement"):
            break
    master.keyboard.type("It had sunk.")
    master.keyboard.press("Enter")
    expect(master.locator("#main")).to_contain_text("It had sunk.")
    expect(master.locator("#main")).to_contain_text("looked at the whole board")
    master.get_by_label("Actions for Turkey").press("Enter")
    master.get_by_role("button", name="As seen by Turkey").press("Enter")
    expect(master.locator(".look-units")).to_contain_text("A CON, A SMY")
    expect(master.locator(".look-units")).not_to_contain_text("Italy")
    assert faults(master) == []

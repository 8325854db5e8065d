"""The game master's desk beyond its clock: looks, questions, readings and the editor of positions."""

import pytest
from playwright.sync_api import Page, expect

from browser.axe import faults_beside_the_map as faults
from browser.conftest import PHONE, NewWindow
from browser.hands import unfold_cards, wait_for_table


@pytest.fixture
def windows(window: NewWindow) -> tuple[Page, Page]:
    """A game master and a player, each at a window as wide as a phone."""
    return window(viewport=PHONE), window(viewport=PHONE)


def begun(master: Page, player: Page, variant: str = "standard", schedule: str = "No deadlines") -> str:
    """A game with a game master and France; the address of it."""
    master.goto(f"/variants/{variant}/host")
    unfold_cards(master)
    master.get_by_label("Your name").fill("Anna")
    master.get_by_label(schedule, exact=False).first.check()
    master.locator("input[name=you][value=rule]").check()
    master.get_by_role("button", name="Create the game").click()
    player.goto(master.get_by_label("Anyone with this link").input_value())
    player.get_by_label("Your name").fill("Ben")
    player.get_by_label("France").check()
    player.get_by_role("button", name="Join").click()
    expect(player.get_by_role("button", name="Join")).to_have_count(0)
    master.get_by_role("button", name="Start with computers").click()
    for page in (master, player):
        wait_for_table(page)
    return master.url.partition("?")[0]


def test_a_question_is_asked_answered_ruled_upon_and_looked_into_by_mouse(windows: tuple[Page, Page]) -> None:
    master, ben = windows
    game = begun(master, ben)
    orders = {"phase_number": 1, "seat": "France", "orders": ["A PAR - BUR", "F BRE - MID"]}
    assert ben.request.put(game.replace("/games/", "/api/games/") + "/orders", data=orders).ok
    ben.reload()
    wait_for_table(ben)
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


def test_one_page_has_map_seats_deadline_announcements_and_notes(windows: tuple[Page, Page]) -> None:
    master, ben = windows
    game = begun(master, ben)
    master.goto(f"{game}/gm-tools")
    picture = master.get_by_role("img", name="The map of Spring 1901 movement")
    picture.scroll_into_view_if_needed()
    master.wait_for_function("picture => picture.complete && picture.naturalWidth > 0", arg=picture.element_handle())
    colours = master.locator(".gm-power rect").evaluate_all(
        "all => new Set(all.map(one => getComputedStyle(one).fill)).size"
    )
    assert colours == 7
    master.get_by_role("group", name="Templates").get_by_role("button", name="Welcome").click()
    field = master.get_by_label("Message to all players")
    expect(field).to_have_value("Welcome to the game. Write to me if you have a question.")
    assert faults(master) == []
    master.get_by_role("button", name="Send to all players").click()
    expect(master.get_by_text("Sent (1)")).to_be_visible()
    master.get_by_label("Only you can read this").fill("Ben plays from Chile.")
    master.locator("#notes").get_by_role("button", name="Save").click()
    expect(master.get_by_label("Only you can read this")).to_have_value("Ben plays from Chile.")
    ben.reload()
    wait_for_table(ben)
    ben.locator("#tab-press").click()
    expect(ben.get_by_text("Welcome to the game.").first).to_be_visible()


def test_a_deadline_is_set_by_date_and_a_removal_is_asked_for(windows: tuple[Page, Page]) -> None:
    master, ben = windows
    game = begun(master, ben, schedule="Weekdays")
    master.goto(f"{game}/gm-tools")
    master.get_by_text("Set the deadline …").click()
    field = master.get_by_label("Date and time")
    before = field.input_value()
    assert before, "the form begins with the deadline of now"
    day = master.evaluate(
        "text => new Date(new Date(text).getTime() + 3 * 86400000).toISOString().slice(0, 10)", before
    )
    field.fill(f"{day}T20:15")
    assert faults(master) == []
    master.get_by_role("button", name="Set the deadline", exact=True).click()
    expect(master.locator("#main")).to_contain_text("The deadline was moved. It is now")
    master.get_by_text("Set the deadline …").click()
    expect(master.get_by_label("Date and time")).to_have_value(f"{day}T20:15")
    master.get_by_label("Date and time").fill("2020-01-01T10:00")
    master.get_by_role("button", name="Set the deadline", exact=True).click()
    expect(master.get_by_role("alert")).to_contain_text("has passed; choose a later hour")
    expect(master.get_by_label("Date and time")).to_have_value("2020-01-01T10:00")
    master.get_by_label("Actions for France").click()
    master.get_by_label("Remove Ben from France …").click()
    expect(master.get_by_text("Ben loses the seat at once and is notified.")).to_be_visible()
    assert faults(master) == []
    master.get_by_role("button", name="Remove Ben from France").click()
    expect(master.locator("#main")).to_contain_text("is vacant")
    master.get_by_role("link", name="Games you run").click()
    expect(master.get_by_role("heading", name="To do")).to_be_visible()
    expect(master.locator("#main")).to_contain_text("Vacant: France")
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


def test_a_removed_player_is_shown_what_happened_and_the_way_to_other_games(windows: tuple[Page, Page]) -> None:
    master, ben = windows
    game = begun(master, ben)
    assert master.request.post(f"{game}/gm-tools/seat", form={"power": "France", "act": "remove"}).ok
    for page, shown in ((ben, 1), (master, 0)):
        page.goto(game)
        wait_for_table(page)
        expect(page.get_by_text("You are spectating.").or_(page.get_by_text("GM tools")).first).to_be_visible()
        expect(page.get_by_text("The host took the seat of France from Ben;")).to_have_count(shown)
    assert faults(ben) == []
    ben.locator("#pane").get_by_role("link", name="Find a game").click()
    expect(ben.get_by_role("heading", name="Find a game", level=1)).to_be_visible()

"""The editor of positions: units and owners are set on the map with the mouse, touch and keys."""

import re

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from browser.axe import faults
from browser.conftest import PHONE, NewWindow
from browser.hands import open_context

EDITOR = "/position/edit?v=standard"
SPOT = """space => {
  const { placement: [x, y] } = JSON.parse(document.getElementById('the-board').textContent).spaces[space];
  const at = new DOMPoint(x, y).matrixTransform(document.querySelector('svg.the-map').getScreenCTM());
  return [at.x, at.y];
}"""
"""The point on the screen where a unit stands in a space."""

CHOICE = "Drag a unit to another space, or choose it and then the space."


def units(page: Page, power: str) -> Locator:
    return page.get_by_label(f"Units of {power}")


def centres(page: Page, power: str) -> Locator:
    return page.get_by_label(f"Centres of {power}")


def unit_on_map(page: Page, space: str) -> Locator:
    return page.locator(f".the-map .unit[data-space={space}]")


def spot(page: Page, space: str) -> tuple[float, float]:
    x, y = page.evaluate(SPOT, space)
    return x, y


def click(page: Page, *spaces: str) -> None:
    for space in spaces:
        page.mouse.click(*spot(page, space))


def choose(page: Page, tool: str, power: str = "") -> None:
    if power:
        page.get_by_label("Power").select_option(power)
    page.locator(".edit-tools").get_by_role("button", name=tool, exact=True).click()


@pytest.fixture
def editor(window: NewWindow) -> Page:
    page = window(viewport={"width": 1366, "height": 768})
    page.goto(EDITOR)
    expect(page.get_by_text(CHOICE)).to_be_visible()
    return page


def test_a_unit_is_dragged_to_another_space_and_the_move_is_undone(editor: Page) -> None:
    editor.mouse.move(*spot(editor, "PAR"))
    editor.mouse.down()
    editor.mouse.move(*spot(editor, "PIC"), steps=4)
    editor.mouse.move(*spot(editor, "BUR"), steps=4)
    editor.mouse.up()
    expect(units(editor, "France")).to_have_value(re.compile("A BUR"))
    expect(units(editor, "France")).not_to_have_value(re.compile("PAR"))
    expect(unit_on_map(editor, "BUR")).to_have_count(1)
    expect(unit_on_map(editor, "PAR")).to_have_count(0)
    editor.get_by_role("button", name="Undo").click()
    expect(units(editor, "France")).to_have_value(re.compile("A PAR"))
    expect(unit_on_map(editor, "PAR")).to_have_count(1)


def test_units_are_placed_replaced_and_removed_by_clicks(editor: Page) -> None:
    choose(editor, "Army", "Turkey")
    click(editor, "GAL")
    expect(units(editor, "Turkey")).to_have_value(re.compile("A GAL"))
    click(editor, "VIE")
    expect(units(editor, "Turkey")).to_have_value(re.compile("A VIE"))
    expect(units(editor, "Austria")).not_to_have_value(re.compile("VIE"))
    click(editor, "GAL")
    expect(units(editor, "Turkey")).not_to_have_value(re.compile("GAL"))
    expect(unit_on_map(editor, "GAL")).to_have_count(0)
    choose(editor, "Remove unit")
    click(editor, "BUD")
    expect(units(editor, "Austria")).to_have_value("F TRI")
    choose(editor, "Move unit")
    click(editor, "TRI", "ADR")
    expect(units(editor, "Austria")).to_have_value("F ADR")


def test_a_fleet_goes_from_one_coast_to_the_other_and_off_the_board(editor: Page) -> None:
    choose(editor, "Fleet", "France")
    for coast in ("NC", "SC"):
        click(editor, "SPA")
        expect(units(editor, "France")).to_have_value(re.compile(f"F SPA/{coast}"))
    click(editor, "SPA")
    expect(units(editor, "France")).not_to_have_value(re.compile("SPA"))


def test_centres_change_their_owner(editor: Page) -> None:
    choose(editor, "Own centre", "France")
    click(editor, "BEL")
    expect(centres(editor, "France")).to_have_value(re.compile("BEL"))
    click(editor, "MUN")
    expect(centres(editor, "Germany")).not_to_have_value(re.compile("MUN"))
    click(editor, "BEL")
    expect(centres(editor, "France")).not_to_have_value(re.compile("BEL"))
    click(editor, "PIC")
    expect(editor.get_by_role("alert")).to_have_text("Picardy is not a supply centre.")


def test_what_cannot_be_is_refused_in_a_sentence_and_nothing_changes(editor: Page) -> None:
    before = units(editor, "France").input_value()
    choose(editor, "Fleet", "France")
    click(editor, "PAR")
    expect(editor.get_by_role("alert")).to_contain_text("PAR")
    expect(units(editor, "France")).to_have_value(before)
    click(editor, "BUR")
    expect(editor.get_by_role("alert")).to_contain_text("BUR")
    choose(editor, "Remove unit")
    click(editor, "BUR")
    expect(editor.get_by_role("alert")).to_have_text("There is no unit in Burgundy.")
    editor.get_by_role("button", name="Undo").click()
    expect(editor.get_by_role("status")).to_have_text("Nothing to undo.")


def test_everything_is_done_with_the_keyboard(editor: Page) -> None:
    def by_name(letters: str) -> None:
        editor.get_by_label("Space").focus()
        editor.keyboard.type(letters)
        editor.keyboard.press("Tab")
        editor.keyboard.press("Enter")

    by_name("paris")
    expect(editor.get_by_role("status")).to_have_text("Where does A PAR go?")
    by_name("burg")
    expect(units(editor, "France")).to_have_value(re.compile("A BUR"))
    editor.locator(".edit-tools").get_by_role("button", name="Own centre").focus()
    editor.keyboard.press("Enter")
    by_name("munich")
    expect(centres(editor, "Austria")).to_have_value(re.compile("MUN"))
    editor.get_by_label("Year").fill("1904")
    editor.get_by_role("button", name="Show this position").focus()
    editor.keyboard.press("Enter")
    expect(editor.get_by_role("heading", name="Spring 1904")).to_be_visible()
    expect(unit_on_map(editor, "BUR")).to_have_count(1)


def test_a_finger_drags_units_and_moves_the_map_elsewhere(window: NewWindow) -> None:
    page = window(viewport=PHONE, has_touch=True, is_mobile=True)
    page.goto(EDITOR)
    expect(page.get_by_text(CHOICE)).to_be_attached()
    session = page.context.new_cdp_session(page)

    def touch(kind: str, *at: tuple[float, float]) -> None:
        points = [{"x": x, "y": y} for x, y in at]
        session.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})

    def drag(start: tuple[float, float], end: tuple[float, float]) -> None:
        touch("touchStart", start)
        for share in (0.3, 0.7, 1):
            touch("touchMove", tuple(a + (b - a) * share for a, b in zip(start, end, strict=True)))  # type: ignore[arg-type]  # two numbers
        touch("touchEnd")

    drag(spot(page, "MOS"), spot(page, "UKR"))
    expect(units(page, "Russia")).to_have_value(re.compile("A UKR"))
    choose(page, "Army", "Italy")
    page.touchscreen.tap(*spot(page, "TUN"))
    expect(units(page, "Italy")).to_have_value(re.compile("A TUN"))
    before = units(page, "Russia").input_value()
    view = page.locator("svg.the-map").get_attribute("viewBox")
    x, y = spot(page, "MID")
    drag((x, y), (x + 40, y + 20))
    expect(page.locator("svg.the-map")).not_to_have_attribute("viewBox", view or "")
    assert units(page, "Russia").input_value() == before


def test_the_typed_position_is_drawn_and_a_mistake_stays_in_its_field(editor: Page) -> None:
    units(editor, "Italy").fill("A TUN")
    units(editor, "Italy").press("Tab")
    expect(unit_on_map(editor, "TUN")).to_have_count(1)
    units(editor, "Italy").fill("A TUN, A XYZ")
    units(editor, "Italy").press("Tab")
    expect(editor.get_by_role("alert")).to_contain_text("XYZ")
    expect(units(editor, "Italy")).to_have_value("A TUN, A XYZ")
    editor.get_by_role("button", name="Undo").click()
    expect(units(editor, "Italy")).to_have_value("A TUN")


def test_the_form_works_without_scripts(browser: Browser, site: str) -> None:
    context = open_context(browser, base_url=site, java_script_enabled=False)
    page = context.new_page()
    page.goto(EDITOR)
    expect(page.locator("#tools")).to_be_hidden()
    units(page, "France").fill("A MUN")
    units(page, "Germany").fill("A BER")
    page.get_by_role("button", name="Show this position").click()
    expect(page.get_by_role("heading", name="Spring 1901")).to_be_visible()
    expect(page.locator(".unit[data-space=MUN]")).to_have_count(1)
    context.close()


def test_the_editor_is_accessible(editor: Page) -> None:
    assert faults(editor) == []


def test_a_unit_is_dislodged_in_a_retreat_phase_and_another_takes_its_place(editor: Page) -> None:
    choose(editor, "Dislodge unit")
    click(editor, "PAR")
    expect(editor.locator("#edit-fault")).to_contain_text("belongs to a retreat phase")
    editor.get_by_label("Phase").select_option("Spring|retreats")
    click(editor, "PAR")
    dislodged = editor.get_by_label("Dislodged: France")
    expect(dislodged).to_have_value("A PAR")
    expect(units(editor, "France")).not_to_have_value(re.compile("PAR"))
    choose(editor, "Army", "Germany")
    click(editor, "PAR")
    expect(units(editor, "Germany")).to_have_value(re.compile("A PAR"))
    choose(editor, "Dislodge unit")
    click(editor, "PAR")
    expect(editor.locator("#edit-fault")).to_contain_text("is dislodged already")
    choose(editor, "Remove unit")
    click(editor, "PAR")
    choose(editor, "Dislodge unit")
    click(editor, "PAR")
    expect(dislodged).to_have_value("")
    expect(units(editor, "France")).to_have_value(re.compile("A PAR"))
    assert faults(editor) == []

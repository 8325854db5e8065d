"""Every kind of phase, on every variant: what is asked there is offered, given and shown."""

import re

from playwright.sync_api import Page, expect

from browser.hands import Table, printed

TO_A_RETREAT = (
    {"Germany": ["A MUN - TYR", "A BER - MUN"], "Austria": ["A VIE - BOH"], "Italy": ["A VEN H"]},
    {"Germany": ["A TYR - VEN", "A MUN H"], "Austria": ["F TRI S A TYR - VEN"], "Italy": ["A VEN H"]},
)
"""Two turns after which Germany, with Austria's help, has dislodged A VEN."""


def _after(table: Table, turns: tuple[dict[str, list[str]], ...]) -> Table:
    for orders in turns:
        table.give(orders).judge()
    return table.again()


BY_HAND = {"draws": "gm_entered", "majors": "France", "minors": "Belgium"}
"""A small game of chance in which the game master draws."""

LANDINGS = ("BUR", "NTH", "GAS", "MID", "WES")
"""The spaces in which its five walkers land."""


def test_a_retreat_and_then_a_build(page: Page) -> None:
    table = _after(Table.open(page), TO_A_RETREAT)
    expect(table.phase).to_contain_text("Retreats")
    expect(page.locator(".seat-select, .seat-name")).to_be_visible()
    table.sit("Italy") if table.rows.count() == 0 else None
    expect(table.row("A VEN")).to_be_visible()
    table.click("VEN", "PIE")
    expect(table.row("A VEN").locator(".order-text")).to_have_text("A VEN R PIE")
    expect(page.locator("#m-layer-orders .retreat")).to_have_count(1)
    table.process()
    expect(table.result("A VEN")).to_contain_text("retreated")
    table.go_on()
    expect(table.phase).to_contain_text("Adjustments")
    table.sit("Germany")
    expect(page.locator(".todo")).to_contain_text("may build 1")
    expect(page.locator(".over .target")).not_to_have_count(0)
    page.locator('.card-choice[data-place="BER"]').get_by_role("button", name="Fleet, Berlin").click()
    expect(page.locator('.card-choice[data-place="BER"]')).to_have_class("card-choice held")
    expect(page.locator(".unit.new[data-space=BER]").first).to_be_visible()
    table.process()
    expect(page.locator(".result[data-result=builds]").first).to_contain_text("built")


def test_a_place_on_the_map_asks_which_unit_to_build_and_a_removal_is_one_click(page: Page) -> None:
    table = _after(Table.open(page), TO_A_RETREAT)
    table.give({"Italy": ["A VEN D"]}).judge().again().sit("Germany")
    table.click("BER")
    expect(page.locator("#prompt")).to_contain_text("BER: which unit?")
    page.locator('.card-choice[data-place="BER"]').get_by_role("button", name="Army, Berlin").click()
    expect(page.locator('.card-choice[data-place="BER"]')).to_have_class("card-choice held")
    page.locator('.card-choice[data-place="BER"] [aria-pressed=true]').click()
    expect(page.locator(".card-choice.held")).to_have_count(0)
    assert table.view["order_sets"]["Germany"]["orders"] == []


def test_corners_are_places_to_move_to(page: Page) -> None:
    table = Table.open(page, "corner").sit("France")
    table.click("PAR")
    expect(page.get_by_text("Corners", exact=True)).to_be_visible()
    corner = page.locator(".chip", has_text="[").first.get_attribute("data-chip")
    assert corner
    assert corner.startswith("[")
    expect(page.locator("svg.the-map path.target").first).to_be_visible()
    table.click(corner)
    expect(table.row("A PAR").locator(".order-text")).to_have_text(printed(f"A PAR - {corner}"))
    table.process()
    expect(table.result("A PAR")).to_contain_text("moved")
    table.go_on().sit("France")
    expect(table.row(f"A {corner}")).to_be_visible()


def test_a_first_home_is_chosen_in_secret(page: Page) -> None:
    table = Table.open(page, "1897", computers="others", player="careless", power="Italy")
    expect(page.get_by_role("heading", name="Your choice")).to_be_visible()
    expect(page.locator(".todo")).to_contain_text("secret")
    table.click("ROM")
    expect(page.locator('.card-choice[data-place="ROM"]')).to_have_class("card-choice held")
    page.locator('.card-choice[data-place="NAP"] button').click()
    expect(page.locator('.card-choice[data-place="NAP"]')).to_have_class("card-choice held")
    expect(page.locator(".card-choice.held")).to_have_count(1)
    table.process()
    expect(page.locator('.result-group[data-power="Italy"]')).to_contain_text("chosen")
    assert "Italy" in table.view["position"]["homes"]


def test_units_are_placed_in_the_napoleonic_game(page: Page) -> None:
    table = Table.open(page, "napoleonic", power="England").sit("England")
    first = page.locator(".card-choice").nth(0)
    second = page.locator(".card-choice").nth(1)
    first.get_by_role("button", name="Fleet").first.click()
    expect(first).to_have_class("card-choice held")
    second.get_by_role("button", name="Army").first.click()
    expect(second).to_have_class("card-choice held")
    assert len(table.view["order_sets"]["England"]["orders"]) == 2
    table.judge().again()
    for _ in range(3):
        if "Movement" in table.phase.inner_text():
            break
        table.judge().again()
    expect(table.phase).to_contain_text("Movement")
    assert table.rows.count() >= 3


def test_the_crossing_and_the_box_beside_the_map_of_cline(page: Page) -> None:
    table = Table.open(page, "cline")
    table.give({"Italy": ["F NAP - APU", "A ROM - NAP"], "Barbary": ["F TUN - ION", "F MOR - SAT"]}).judge().again()
    table.sit("Italy").click("NAP", "SIC")
    table.expect_order("A NAP", "A NAP - SIC")
    table.sit("Barbary").click("SAT", "WAT").click("ION", "TYN")
    table.expect_order("F SAT", "F SAT - WAT")
    table.process()
    expect(table.result("A NAP")).to_contain_text("whose way crosses this one")
    expect(table.result("F SAT")).to_contain_text("moved")
    table.go_on().sit("Barbary")
    table.click("WAT", "ANT")
    table.expect_order("F WAT", "F WAT - ANT")


def test_the_irish_game_places_draws_and_promises(page: Page) -> None:
    table = Table.open(page, "irish")
    expect(page.get_by_role("heading", name="Points")).to_be_visible()
    expect(page.locator(".rail-head")).to_have_text("Points200 win")
    while table.view["asks"]["choice"]:
        table.judge()
    table.again()
    if table.view["asks"]["promises"]:
        giver = table.seat
        promise = page.get_by_label("New promise, in your own words")
        promise.fill("I shall be grateful")
        expect(page.locator(".promise-read.not")).to_contain_text("Not understood")
        promise.fill("If France doesn't enter (PIE), give him 2 points.")
        expect(page.locator(".promise-read")).to_contain_text(f"Understood: {giver} gives France 2 points")
        page.get_by_role("button", name="Promise", exact=True).click()
        expect(page.locator(".promises q")).to_have_text("If France doesn't enter (PIE), give him 2 points.")
        page.get_by_role("button", name="Withdraw: If France").click()
        expect(page.locator(".promises q")).to_have_count(0)
    for _ in range(6):
        table.judge()
        if (table.view["last"] or {}).get("draws"):
            break
    table.again()
    page.get_by_role("tab", name="Results").click()
    expect(page.locator(".draw").first).to_be_visible()


def _enter(table: Table, **chosen: str) -> None:
    """Choose in the form of the draw that is due, by the labels of its fields, and press Enter."""
    form = table.page.locator(".draw-form")
    for label, slip in chosen.items():
        form.get_by_label(label.replace("_", " "), exact=True).select_option(slip)
    form.get_by_role("button", name="Enter").click()
    table.settled()


def test_the_game_master_draws_with_the_form_alone(page: Page) -> None:
    table = Table.open(page, "irish", options=BY_HAND).judge().again()
    due = page.locator(".draw-form h3")
    page.get_by_label("Power being played").select_option("GM")
    for place in LANDINGS:
        expect(due).to_have_text(re.compile("^(IRISH|PSYCHIATRIST) [1-3]$"))
        _enter(table, Result=place)
    expect(page.locator(".big-note")).to_contain_text("All draws are entered")
    table.process()
    expect(page.locator(".draw")).to_have_count(5)
    table.go_on()
    expect(table.phase).to_contain_text("Draws")
    expect(due).to_have_text("Black hole")
    expect(page.locator(".draw-form .note")).to_have_text(re.compile("^Draw one of [0-9]+ slips.$"))
    expect(page.get_by_role("option", name="NTH, North Sea", exact=True)).to_be_attached()
    page.get_by_label("Result", exact=True).focus()
    for message in "PIC":
        page.keyboard.press(message)
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    table.settled()
    expect(due).to_have_text("Split")
    expect(page.locator("#live[role=status]")).to_have_text("black hole: PIC. Next: split.")
    _enter(table, Result="BUR")
    expect(due).to_have_text("Cards of BUR")
    page.get_by_role("button", name="Remove BUR (split)").click()
    expect(due).to_have_text("Split")
    _enter(table, Result="NTH")
    second = page.get_by_label("Second highest card")
    page.get_by_label("Highest card", exact=True).select_option("NWY")
    expect(second.locator("option[value=NWY]")).to_be_disabled()
    _enter(table, Highest_card="NWY", Second_highest_card="BEL")
    expect(page.locator(".entered li")).to_have_text(
        ["Black hole: PIC Picardy", "Split: NTH North Sea", "Cards of NTH: NWY, BEL Norway, Belgium"]
    )
    table.process()
    expect(page.locator("#pane")).to_contain_text("Picardy became a black hole.")
    expect(page.locator("#pane")).to_contain_text("Entered by the game master.")
    table.go_on()
    expect(table.phase).to_contain_text("Fall 1974")
    expect(page.locator('button.power[data-power="GM"]')).to_be_visible()


def test_only_players_who_draw_see_the_game_master(page: Page) -> None:
    table = Table.open(page, "irish")
    assert "GM" in table.view["viewer"]["seats"]
    expect(page.locator('[data-power="GM"]')).to_have_count(0)

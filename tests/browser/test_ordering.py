"""Giving orders: on the map, with keys, on the line of text; all three change the same list."""

import re

from playwright.sync_api import Page, Route, expect

from browser.hands import Table, printed

NORTH_SEA = {"England": ["F LON - NTH", "F EDI - NWG", "A LVP - YOR"]}


def test_a_support_takes_two_clicks_more(page: Page) -> None:
    table = Table.open(page).sit("France")
    table.click("PAR", "BUR")
    table.expect_order("A PAR", "A PAR - BUR")
    table.click("MAR").kind("support")
    expect(page.locator("#prompt")).to_contain_text("A MAR supports which unit?")
    table.click("PAR")
    expect(page.locator("#prompt")).to_contain_text("A MAR supports A PAR where?")
    table.click("BUR")
    table.expect_order("A MAR", "A MAR S A PAR - BUR")
    expect(page.locator("#m-layer-orders .support")).to_have_count(1)
    expect(page.locator("#m-layer-orders .move")).to_have_count(1)


def test_the_supported_unit_again_means_to_hold(page: Page) -> None:
    table = Table.open(page).sit("Germany")
    table.click("BER").kind("support").click("MUN", "MUN")
    table.expect_order("A BER", "A BER S A MUN")


def test_a_convoy_takes_two_clicks_more(page: Page) -> None:
    table = Table.open(page).give(NORTH_SEA).judge().again().sit("England")
    table.click("NTH").kind("convoy").click("YOR", "NWY")
    table.expect_order("F NTH", "F NTH C A YOR - NWY")
    table.click("YOR", "NWY")
    expect(table.row("A YOR").locator(".order-text")).to_contain_text(printed("A YOR - NWY"))
    page.locator("#process").click()
    expect(table.result("A YOR")).to_contain_text("moved")
    expect(table.result("F NTH")).to_contain_text("convoyed")


def test_keys_give_the_same_orders(page: Page) -> None:
    table = Table.open(page).sit("France")
    press = page.keyboard.press
    press("ArrowDown")
    expect(table.row("F BRE").locator(".editor")).to_be_visible()
    page.keyboard.type("mid")
    press("Enter")
    table.expect_order("F BRE", "F BRE - MID")
    page.keyboard.type("spar")  # s for support, then the unit
    press("Enter")
    page.keyboard.type("bur")
    press("Enter")
    table.expect_order("A MAR", "A MAR S A PAR - BUR")
    page.keyboard.press("h")
    table.expect_order("A PAR", "A PAR H")
    press("u")
    expect(table.row("A PAR")).to_contain_text("no order")


def test_messages_that_are_also_a_kind_still_name_a_place(page: Page) -> None:
    table = Table.open(page).sit("Italy")
    table.click("VEN")
    page.keyboard.type("tri")
    page.keyboard.press("Enter")
    table.expect_order("A VEN", "A VEN - TRI")
    table.sit("Russia").click("SEV")
    page.keyboard.type("black")
    page.keyboard.press("Enter")
    table.expect_order("F SEV", "F SEV - BLA")
    table.sit("Germany").click("KIE")
    page.keyboard.type("hol")  # h alone would be to hold
    table.settled()
    table.expect_order("F KIE", "F KIE H")


def test_the_line_completes_reads_any_spelling_and_marks_what_is_wrong(page: Page) -> None:
    table = Table.open(page).sit("France")
    line = page.get_by_role("combobox", name="Or type an order")
    line.fill("a par - b")
    expect(page.locator("#line-list [role=option]").first).to_contain_text(printed("A PAR - B"))
    page.keyboard.press("ArrowDown")
    expect(line).to_have_attribute("aria-activedescendant", "line-0")
    line.fill("army paris to burgundy")
    page.keyboard.press("Enter")
    table.expect_order("A PAR", "A PAR - BUR")
    expect(line).to_have_value("")
    line.fill("A MAR - Xyzzy")
    expect(page.locator(".line-fault mark")).to_have_text("Xyzzy")
    line.fill("A MAR - PEI")
    page.get_by_role("button", name="PIE").or_(page.get_by_role("button", name="PIC")).first.click()
    expect(line).to_have_value(re.compile("A MAR - PI"))
    line.fill("A MAR - LON")
    page.keyboard.press("Enter")
    expect(page.locator("#toast")).to_contain_text("LON")
    expect(line).to_have_value("A MAR - LON")


def test_an_order_is_cleared_undone_and_dragged(page: Page) -> None:
    table = Table.open(page).sit("Turkey")
    table.click("CON", "BUL")
    table.expect_order("A CON", "A CON - BUL")
    page.get_by_role("button", name="Clear A CON - BUL").click()
    expect(table.row("A CON")).to_contain_text("no order")
    page.get_by_role("button", name="Undo the last change of orders").click()
    table.expect_order("A CON", "A CON - BUL")
    box = page.locator('.unit[data-space="ANK"]').bounding_box()
    aim = page.locator('path.space[data-space="BLA"]').bounding_box()
    assert box
    assert aim
    page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    page.mouse.down()
    page.mouse.move(aim["x"] + aim["width"] * 0.4, aim["y"] + aim["height"] * 0.6, steps=5)
    page.mouse.up()
    table.expect_order("F ANK", "F ANK - BLA")


_ROUND = """() => [...document.querySelectorAll('.chosen-ring, .unit[data-space=VIE] > use')]
  .map((one) => one.getBoundingClientRect().width).sort((a, b) => b - a)"""
"""The widths of the ring around a unit in Vienna and of the unit."""


def test_the_map_pans_and_zooms_and_gives_no_order_by_it(page: Page) -> None:
    table = Table.open(page).click("VIE")
    board = page.locator("svg.the-map")
    before = board.get_attribute("viewBox")
    page.mouse.move(700, 500)
    page.mouse.wheel(0, -400)
    zoomed = board.get_attribute("viewBox")
    assert zoomed != before
    ring, unit = page.evaluate(_ROUND)
    assert unit < ring < unit + 10, "the ring stays close to the unit"
    page.mouse.down()
    page.mouse.move(600, 420, steps=4)
    page.mouse.up()
    assert board.get_attribute("viewBox") != zoomed
    page.get_by_role("button", name="Fit the map").click()
    assert board.get_attribute("viewBox") == before
    assert table.view["order_sets"]["Austria"]["orders"] == []


def test_two_coasts_are_two_places_and_the_province_asks_which(page: Page) -> None:
    table = Table.open(page).give({"France": ["F BRE - MID", "A MAR - GAS"]}).judge().again().sit("France")
    table.click("MID")
    expect(page.locator(".target-name")).to_have_text(["nc", "sc"])
    table.click_land("SPA")
    expect(page.locator("#prompt")).to_contain_text("which of these?")
    page.locator('[data-chip="SPA/SC"]').click()
    table.expect_order("F MID", "F MID - SPA/SC")
    table.click("MID", "SPA")
    table.expect_order("F MID", "F MID - SPA/NC")


def test_seats_are_switched_and_the_curtain_hides_what_others_wrote(page: Page) -> None:
    table = Table.open(page).sit("Austria").click("VIE", "GAL")
    page.get_by_text("Hide orders between players").click()
    page.locator("#next-power").click()
    expect(page.locator(".curtain")).to_contain_text("Pass the screen to England")
    expect(page.locator("#m-layer-orders .order")).to_have_count(0)
    page.get_by_role("button", name="I am England").click()
    expect(table.row("F LON")).to_be_visible()


def test_an_order_from_another_window_is_announced(page: Page) -> None:
    table = Table.open(page).sit("Italy")
    table.give({"Italy": ["A ROM - APU"]})
    expect(page.locator("#toast")).to_contain_text("changed in another window")
    table.expect_order("A ROM", "A ROM - APU")


def test_a_click_on_your_own_unit_selects_it_and_a_second_click_moves_onto_it(page: Page) -> None:
    table = Table.open(page).give(NORTH_SEA).judge().again().sit("England")
    table.click("NRG", "NTH")
    expect(page.locator("#prompt")).to_contain_text("F NTH moves where?")
    assert table.view["order_sets"]["England"]["orders"] == []
    expect(page.locator("#prompt")).to_contain_text(printed("Click it again: F NRG - NTH"))
    table.click("NTH")
    table.expect_order("F NRG", "F NRG - NTH")
    expect(page.locator("#prompt")).to_contain_text("F NTH moves where?")
    table.click("YOR", "NTH", "YOR")
    expect(page.locator("#prompt")).to_contain_text("A YOR moves where?")
    expect(table.row("F NTH")).to_contain_text("no order")


def test_a_support_offers_the_order_that_is_given_first(page: Page) -> None:
    table = Table.open(page).sit("France").click("PAR", "BUR").click("MAR").kind("support")
    page.locator('[data-help="A MAR S A PAR - BUR"]').click()
    table.settled()
    table.expect_order("A MAR", "A MAR S A PAR - BUR")


def test_after_a_convoyed_move_its_convoy_is_one_tap(page: Page) -> None:
    table = Table.open(page).give(NORTH_SEA).judge().again().sit("England").click("YOR", "NWY")
    expect(page.locator("#prompt")).to_contain_text("F NTH convoys which army?")
    page.locator('[data-help="F NTH C A YOR - NWY"]').click()
    table.settled()
    table.expect_order("F NTH", "F NTH C A YOR - NWY")


def test_your_own_plan_is_checked_before_it_is_processed(page: Page) -> None:
    table = Table.open(page).give(NORTH_SEA).judge().again()
    table.give({"England": ["A YOR - NWY"], "France": ["A PAR - BUR", "A MAR - BUR"]}).again()
    page.locator("#process").click()
    doubts = page.locator("#doubts")
    expect(doubts).to_contain_text("England: A YOR - NWY has no convoy: F NTH is not ordered to carry it.")
    expect(doubts).to_contain_text("A PAR - BUR and A MAR - BUR move to the same space and will bounce.")
    assert table.view["turn"] == 1
    doubts.get_by_role("button", name="has no convoy").click()
    expect(table.row("A YOR").locator(".editor")).to_be_visible()
    table.row("F NTH").locator(".order-button").click()
    page.locator('[data-help="F NTH C A YOR - NWY"]').click()
    table.settled()
    page.locator("#process").click()
    expect(doubts).not_to_contain_text("has no convoy")
    page.get_by_role("button", name="Process anyway").click()
    expect(page.locator("#go-on")).to_be_visible()
    assert table.view["turn"] == 2


def test_of_what_is_ordered_by_an_amount_one_amount_stands(page: Page) -> None:
    Table.open(page, "condottieri").sit("France")
    gift = page.locator(".amount", has_text="Give England").locator("select")
    for amount in ("2", "1"):
        gift.select_option(amount)
        expect(page.locator(".amount.held")).to_have_text(re.compile("^Give England"))
        expect(gift.locator("option:checked")).to_have_text(amount)
    gift.select_option("none")
    expect(page.locator(".amount.held")).to_have_count(0)


def test_of_amounts_chosen_faster_than_they_are_answered_the_last_one_stands(page: Page) -> None:
    Table.open(page, "condottieri").sit("France")
    gift = page.locator(".amount", has_text="Give England").locator("select")

    def slowly(route: Route) -> None:
        page.wait_for_timeout(300)
        route.continue_()

    page.route("**/orders", slowly)
    for amount in ("2", "1", "none"):
        gift.select_option(amount)
    expect(page.locator("body[data-busy]")).to_have_count(0)
    expect(page.locator(".amount.held")).to_have_count(0)
    for amount in ("2", "1"):
        gift.select_option(amount)
    expect(page.locator("body[data-busy]")).to_have_count(0)
    expect(page.locator(".amount.held")).to_have_count(1)
    expect(gift.locator("option:checked")).to_have_text("1")


def test_orders_without_a_unit_that_differ_in_their_last_word_stand_in_a_line(page: Page) -> None:
    Table.open(page, "sealed-orders").sit("Austria")
    line = page.locator(".alike").get_by_role("group").first
    expect(line.locator("> span")).to_have_text("Then A BUD retreats to")
    for wished in ("SER", "GAL"):
        line.get_by_role("button", name=f"THEN A BUD R {wished}").click()
    expect(line.locator("[aria-pressed=true]")).to_have_text(["GAL", "SER"])
    line.get_by_role("button", name="THEN A BUD R GAL").click()
    expect(line.locator("[aria-pressed=true]")).to_have_text(["SER"])

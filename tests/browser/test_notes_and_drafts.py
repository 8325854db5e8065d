"""Private notes, drafts of orders, the discussion of a moment, results of one power, and edited positions."""

from playwright.sync_api import Page, expect

from browser.axe import faults_beside_the_map as faults
from browser.conftest import PHONE, NewWindow
from browser.hands import Table, wait_for_table

MARK = "Austria is a friend of Mordor"


def tab(page: Page, name: str) -> None:
    page.get_by_role("tab", name=name).click()


def test_notes_on_a_power_and_a_thread_are_kept_and_sent_to_no_other(phones: dict[str, Page]) -> None:
    france, germany, _ = phones.values()
    tab(france, "Game")
    france.locator("summary", has_text="Austria").click()
    note = france.get_by_label("Austria, only you can read this")
    note.fill(MARK)
    note.blur()
    assert faults(france) == []
    tab(france, "Press")
    france.get_by_role("button", name="Germany Ben").tap()
    france.locator("summary", has_text="Private note").click()
    thread = france.get_by_label("Private note, only you can read this")
    thread.fill("He wants Burgundy.")
    thread.blur()
    assert faults(france) == []
    france.wait_for_selector("body:not([data-busy])", state="attached")
    france.reload()
    wait_for_table(france)
    tab(france, "Game")
    expect(france.get_by_label("Austria, only you can read this")).to_have_value(MARK)
    for path in ("", "/notes", "/press", "/journal"):
        address = germany.url.partition("?")[0].replace("/games/", "/api/games/") + path
        assert MARK not in germany.request.get(address).text()
    tab(germany, "Game")
    expect(germany.get_by_label("Austria, only you can read this")).to_have_value("")


def test_a_moment_is_discussed_by_a_link_that_leads_back_to_it(phones: dict[str, Page]) -> None:
    france, germany, _ = phones.values()
    tab(france, "Press")
    expect(france.get_by_role("button", name="Everyone")).to_be_visible()
    tab(france, "Game")
    france.get_by_role("button", name="Discuss").tap()
    message = france.locator("#message")
    expect(message).to_have_value(f"Spring 1901 movement: {france.url.partition('?')[0]}?turn=0\n")
    france.get_by_role("button", name="Send").tap()
    france.get_by_role("button", name="Send to everyone").tap()
    tab(germany, "Press")
    germany.get_by_role("button", name="Everyone").first.tap()
    expect(germany.locator(".message a")).to_have_attribute("href", f"{france.url.partition('?')[0]}?turn=0")


def test_drafts_of_orders_are_named_used_in_turn_and_undone(page: Page) -> None:
    table = Table.open(page).sit("France")
    table.click("PAR", "BUR")
    table.expect_order("A PAR", "A PAR - BUR")
    page.get_by_text("Drafts of these orders").click()
    page.get_by_label("Save these orders as a draft").fill("East")
    page.get_by_role("button", name="Save", exact=True).click()
    expect(page.get_by_role("button", name="Use East")).to_be_disabled()
    assert faults(page) == []
    table.click("PAR", "PIC")
    table.expect_order("A PAR", "A PAR - PIC")
    page.get_by_label("Save these orders as a draft").fill("North")
    page.get_by_role("button", name="Save", exact=True).click()
    page.get_by_role("button", name="Use East").click()
    table.expect_order("A PAR", "A PAR - BUR")
    page.get_by_role("button", name="Undo the last change of orders").click()
    table.expect_order("A PAR", "A PAR - PIC")
    page.reload()
    wait_for_table(page)
    table.sit("France")
    page.get_by_text("Drafts of these orders").click()
    expect(page.get_by_role("button", name="Use East")).to_be_enabled()
    page.get_by_role("button", name="Delete East").click()
    expect(page.get_by_role("button", name="Use East")).to_have_count(0)


def test_results_of_one_power_alone_also_in_another_turn(page: Page) -> None:
    table = Table.open(page).sit("France")
    table.click("PAR", "BUR")
    page.locator("#process").click()
    expect(page.locator(".result-group").first).to_be_visible()
    page.get_by_label("Power", exact=True).select_option("Italy")
    expect(page.locator(".result-group")).to_have_count(1)
    expect(page.locator(".result-group[data-power=Italy]")).to_be_visible()
    assert faults(page) == []
    page.get_by_label("Power", exact=True).select_option("")
    assert page.locator(".result-group").count() > 1


def test_a_position_is_edited_and_played_on_from_the_page_of_a_game(window: NewWindow) -> None:
    page = window(viewport=PHONE)
    Table.open(page)
    page.locator("#tab-game").click()
    page.get_by_role("button", name="Edit the position").click()
    page.wait_for_url("**/position/edit?**")
    page.get_by_label("Units of France").fill("A PAR, F XYZ")
    assert faults(page) == []
    page.get_by_role("button", name="Show this position").click()
    expect(page.get_by_role("alert")).to_contain_text("XYZ")
    expect(page.get_by_label("Units of France")).to_have_value("A PAR, F XYZ")
    page.get_by_label("Units of France").fill("A MUN")
    page.get_by_label("Units of Germany").fill("A BER, F KIE")
    page.get_by_label("Centres of France").fill("BRE, MAR, PAR, MUN")
    page.get_by_label("Centres of Germany").fill("BER, KIE")
    page.get_by_label("Year").fill("1904")
    page.get_by_role("button", name="Show this position").click()
    expect(page.get_by_role("heading", name="Spring 1904")).to_be_visible()
    expect(page.locator(".unit[data-space=MUN], .unit.p-france").first).to_be_attached()
    assert faults(page) == []
    page.get_by_role("button", name="Play from this position").click()
    wait_for_table(page)
    expect(page.locator("#phase")).to_contain_text("1904")

"""A newcomer's first game, from the gallery into the second year: once with the mouse alone, once with keys alone."""

from playwright.sync_api import Page, Route, expect

from browser.hands import Table

PHASES = 12
"""More phases than two years can have."""


def _second_year(table: Table) -> bool:
    return "1902" in table.phase.inner_text()


def _order_by_mouse(table: Table) -> None:
    """Whatever the phase asks: each unit does the first thing that its row offers; what can be built is built."""
    page = table.page
    for row in range(table.rows.count()):
        line = table.rows.nth(row)
        if line.locator(".none").count() or line.locator(".editor").count():
            if not line.locator(".editor").count():
                line.locator(".order-button").click()
            line.locator(".editor .chip, .editor .kind").last.click()
            table.settled()
    if page.locator(".card-choice .chip[aria-pressed=false]").count():
        page.locator(".card-choice .chip[aria-pressed=false]").first.click()
        table.settled()


def test_a_newcomer_plays_into_the_second_year_with_the_mouse_alone(page: Page) -> None:
    table = Table.play(page, "Diplomacy", "Austria")
    expect(table.phase).to_contain_text("Spring 1901")
    table.click("BUD", "SER")
    table.expect_order("A BUD", "A BUD - SER")
    table.click("TRI", "ALB").click("VIE", "GAL")
    table.expect_order("A VIE", "A VIE - GAL")
    table.process()
    expect(page.locator(".result").first).to_be_visible()
    assert table.view["turn"] >= 1
    for _ in range(PHASES):
        table.go_on()
        if _second_year(table):
            break
        _order_by_mouse(table)
        table.process()
    assert _second_year(table), table.phase.inner_text()
    assert table.rows.count() >= 1


def test_a_newcomer_plays_into_the_second_year_with_keys_alone(page: Page) -> None:
    page.goto("/")
    press = page.keyboard.press
    for _ in range(20):
        press("Tab")
        if page.evaluate("document.activeElement.getAttribute('aria-label') === 'Play Diplomacy now'"):
            break
    press("Tab")  # the level of the computers
    press("Tab")
    press("Enter")  # the seats open
    press("Tab")
    page.keyboard.type("Austria")
    page.get_by_role("button", name="Play Diplomacy now").focus()
    press("Enter")
    table = Table(page).arrived()
    for unit, messages in (("A BUD", "ser"), ("F TRI", "alb"), ("A VIE", "gal")):
        if unit == "A BUD":
            press("ArrowDown")
        expect(table.row(unit).locator(".editor")).to_be_visible()
        page.keyboard.type(messages)
        press("Enter")
        expect(table.row(unit).locator(".order-text")).to_contain_text(messages.upper())
    for _ in range(PHASES):
        press("Control+Enter")
        expect(page.locator("#go-on")).to_be_visible()
        table.settled()
        press("Control+Enter")
        expect(page.locator("#go-on")).to_have_count(0)
        table.settled()
        if _second_year(table):
            break
        for _ in range(table.rows.count()):
            press("ArrowDown")
            press("h" if "Movement" in table.phase.inner_text() else "d")
            table.settled()
        if page.locator(".card-choice").count():
            press("ArrowDown")
            page.keyboard.type("a")
            press("Enter")
            table.settled()
    assert _second_year(table), table.phase.inner_text()


def test_the_hot_seat_opens_with_the_power_one_chose(page: Page) -> None:
    Table.play(page, "Diplomacy", "Turkey", computers=False)
    expect(page.locator("#seat-select")).to_have_value("Turkey")


def test_play_now_draws_a_power(page: Page) -> None:
    first = Table.play(page, "Diplomacy").seat
    assert any(Table.play(page, "Diplomacy").seat != first for _ in range(5))


def test_a_phase_that_asks_only_others_says_whom_and_what(page: Page) -> None:
    Table.open(page, "irish", seat="Austria")
    expect(page.locator(".asked")).to_contain_text("Belgium may choose A BEL or F BEL.")


def test_a_phase_that_asks_no_person_is_passed_over(page: Page) -> None:
    table = Table.open(page, "irish", computers="others", player="careless", power="Austria")
    expect(table.phase).to_contain_text("Movement")
    expect(table.rows).to_have_count(3)


def test_a_choice_says_what_is_chosen(page: Page) -> None:
    Table.open(page, "1897", computers="others", player="careless", power="Italy")
    expect(page.locator(".todo")).to_contain_text("Choose the home centre you begin with")


def test_a_unit_selected_while_an_order_is_sent_stays_selected(page: Page) -> None:
    table = Table.open(page, computers="others", player="careless", power="Austria")
    table.click("BUD")
    held: list[Route] = []
    page.route("**/orders", lambda route: held.append(route))  # noqa: PLW0108  # Playwright marks its handler
    page.locator('.editor [data-chip="SER"]').click()
    table.row("A VIE").locator(".order-button").click()
    expect(table.row("A VIE").locator(".editor")).to_be_visible()
    held.pop().continue_()
    page.unroute("**/orders")
    table.settled()
    table.expect_order("A BUD", "A BUD - SER")
    expect(table.row("A VIE").locator(".editor")).to_be_visible()

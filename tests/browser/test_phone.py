"""At 390 pixels, with fingers: nothing is wider than the screen, targets are large, the sheet has every choice."""

from playwright.sync_api import Page, expect

from browser.hands import Table

_WIDER = "document.documentElement.scrollWidth > innerWidth"
_SMALL = """() => [...document.querySelectorAll('.panel button, .zoom button, .topbar button')]
  .filter(b => b.offsetParent && b.getBoundingClientRect().height && !b.closest('.grip') && b.id !== 'grip')
  .filter(b => { const r = b.getBoundingClientRect(); return r.height < 38 || r.width < 38; })
  .map(b => b.outerHTML.slice(0, 120))"""
_PLACE = """space => {
  const svg = document.querySelector('svg.the-map');
  const find = kind => [...svg.querySelectorAll(kind)].find(e => e.dataset.space === space);
  const box = (find('.over .target') ?? find('.unit')).getBoundingClientRect();
  return [box.x + box.width / 2, box.y + box.height / 2];
}"""


def _tap(page: Page, space: str) -> None:
    x, y = page.evaluate(_PLACE, space)
    page.touchscreen.tap(x, y)
    Table(page).settled()


def test_orders_are_tapped_on_the_map_and_on_the_chips(phone: Page) -> None:
    phone.goto("/")
    assert not phone.evaluate(_WIDER)
    card = phone.locator(".card", has=phone.get_by_role("heading", name="Diplomacy", exact=True))
    card.locator(".seats > summary").tap()
    card.get_by_label("You play").select_option("Austria")
    card.get_by_role("button", name="Play Diplomacy now").tap()
    table = Table(phone).arrived()
    assert not phone.evaluate(_WIDER)
    _tap(phone, "VIE")
    expect(table.row("A VIE").locator(".editor")).to_be_in_viewport()
    assert phone.evaluate(_SMALL) == []
    _tap(phone, "GAL")
    table.expect_order("A VIE", "A VIE - GAL")
    expect(table.row("F TRI").or_(table.row("A BUD")).locator(".editor")).to_be_visible()
    if not table.row("A BUD").locator(".editor").count():
        table.row("A BUD").locator(".order-button").tap()
    phone.locator('[data-kind="support"]').tap()
    phone.locator('[data-chip="A VIE"]').tap()
    phone.locator('[data-chip="GAL"]').tap()
    table.expect_order("A BUD", "A BUD S A VIE - GAL")
    phone.locator("#process").tap()
    expect(phone.locator("#go-on")).to_be_in_viewport()
    expect(phone.get_by_role("slider", name="Turn")).to_be_visible()
    assert not phone.evaluate(_WIDER)
    for tab in ("Powers", "Board", "Game"):
        phone.get_by_role("tab", name=tab).tap()
        assert not phone.evaluate(_WIDER)


_SEEN = """spaces => {
  const map = document.getElementById('map').getBoundingClientRect();
  const top = document.getElementById('panel').getBoundingClientRect().top;
  const inside = ({ x, y, width, height }) =>
    x >= map.left && x + width <= map.right && y >= map.top && y + height <= Math.min(map.bottom, top);
  const units = spaces.map((space) => document.querySelector(`.the-map .unit[data-space="${space}"]`));
  return units.every((unit) => inside(unit.getBoundingClientRect()));
}"""


def test_the_map_moves_to_the_units_of_the_selected_seat(phone: Page) -> None:
    table = Table.open(phone, seat="Germany")
    assert phone.evaluate(_SEEN, ["BER", "KIE", "MUN"])
    seat = phone.get_by_label("Power being played")
    seat.select_option("Turkey")
    table.settled()
    assert phone.evaluate(_SEEN, ["ANK", "CON", "SMY"])
    table.give({"Germany": ["A MUN - TYO"]}).judge()
    table.give({"Germany": ["A TYO - VEN"], "Austria": ["F TRI S A TYO - VEN"]}).judge().again()
    seat.select_option("Italy")
    table.settled()
    assert phone.evaluate(_SEEN, ["VEN"])
    when = phone.locator(".phase-when")
    assert when.evaluate("words => words.scrollWidth <= words.clientWidth"), "the season and the year are cut"


_MAP_SHARE = """() => {
  const [map, panel] = ['map', 'panel'].map((id) => document.getElementById(id).getBoundingClientRect());
  return (Math.min(map.bottom, panel.top) - map.top) / innerHeight;
}"""


def test_upright_the_map_has_half_of_the_screen_for_orders_and_for_results(phone: Page) -> None:
    table = Table.open(phone, seat="Germany")
    for results in (False, True):
        if results:
            table.judge()
        for width, height in ((390, 844), (360, 740)):
            phone.set_viewport_size({"width": width, "height": height})
            phone.wait_for_function(f"({_MAP_SHARE})() >= .499")
            assert not phone.evaluate(_WIDER)


def test_the_sheet_has_three_heights_and_two_fingers_zoom(phone: Page) -> None:
    Table.open(phone)
    panel, board = phone.locator("#panel"), phone.locator("svg.the-map")
    half = panel.bounding_box()
    assert half
    phone.get_by_role("button", name="Resize the panel").tap()
    expect(panel).to_have_attribute("data-stop", "full")
    phone.wait_for_function(
        "height => document.getElementById('panel').offsetHeight > height + 100", arg=half["height"]
    )
    phone.get_by_role("button", name="Resize the panel").tap()
    before = board.get_attribute("viewBox")
    session = phone.context.new_cdp_session(phone)

    def touch(kind: str, *spots: tuple[int, int]) -> None:
        session.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": [{"x": x, "y": y} for x, y in spots]})

    touch("touchStart", (160, 220), (230, 220))
    for spread in (10, 25, 40):
        touch("touchMove", (160 - spread, 220), (230 + spread, 220))
    touch("touchEnd")
    expect(board).not_to_have_attribute("viewBox", before or "")
    width = float((board.get_attribute("viewBox") or "").split()[2])
    assert width < float((before or "").split()[2])

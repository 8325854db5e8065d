"""Windows between a phone and a wide screen: the deadline, a pause, the players and their ready marks are all there."""

from playwright.sync_api import Locator, Page, expect

from browser.conftest import NewWindow, post
from browser.hands import wait_for_table

WIDTHS = (902, 1024, 1240)
SCHEDULE = {"movement": {"within": "20h"}, "cool": "0m", "missed": {"first": "hold"}}


def box(element: Locator) -> tuple[float, float, float, float]:
    """Return the left, top, right and bottom of an element that is seen."""
    expect(element).to_be_visible()
    found = element.bounding_box()
    assert found
    return found["x"], found["y"], found["x"] + found["width"], found["y"] + found["height"]


def expect_all_in_view(page: Page, deadline: str) -> None:
    """The header has the deadline on its one line, and the list the players and who is ready."""
    for width in WIDTHS:
        page.set_viewport_size({"width": width, "height": 768})
        expect(page.locator(".phase-due")).to_contain_text(deadline)
        left, top, right, bottom = box(page.locator(".phase-due"))
        bar = box(page.locator(".topbar"))
        assert bar[0] <= left < right <= bar[2], width
        assert bar[1] <= top < bottom <= bar[3], width
        assert box(page.locator("#phase"))[3] - box(page.locator("#phase"))[1] < 42, f"one line at {width}"
        for name in ("Anna", "Ben"):
            assert box(page.locator(".power-name small").filter(has_text=name))[2] <= width
        assert box(page.locator(".power[data-power=Germany] .power-units .icon"))[2] <= width
        expect(page.locator(".power[data-power=Germany] .power-units .sr")).not_to_be_empty()


def test_deadline_pause_players_and_ready_marks_are_seen_beside_orders_and_results(
    window: NewWindow, site: str
) -> None:
    settings = {"computer": "careless"}
    game = post(site, "/api/games", {"variant": "standard", "lobby": True, "schedule": SCHEDULE, "settings": settings})
    at, master, invitation = f"/games/{game['id']}", game["keys"]["all"], game["invitation"].rpartition("/")[2]
    keys = {
        power: post(site, f"/api{at}/join", {"name": name, "power": power}, invitation)["key"]
        for power, name in (("France", "Anna"), ("Germany", "Ben"))
    }
    post(site, f"/api{at}/start", {}, master)
    page = window(viewport={"width": 1024, "height": 768})
    page.goto(f"{at}/sit/{keys['France']}")
    wait_for_table(page)
    post(site, f"/api{at}/ready", {"phase_number": 1, "seat": "Germany", "ready": True}, keys["Germany"])
    expect(page.locator(".power[data-power=Germany][data-status=ready]")).to_be_visible()
    expect_all_in_view(page, "Due in")
    post(site, f"/api{at}/ready", {"phase_number": 1, "seat": "France", "ready": True}, keys["France"])
    expect(page.locator("#go-on")).to_be_visible()
    expect_all_in_view(page, "Due in")
    post(site, f"/api{at}/time", {"phase_number": 2, "action": "pause"}, master)
    expect(page.locator("#go-on")).to_be_visible()
    expect_all_in_view(page, "Paused")

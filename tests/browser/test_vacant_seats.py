"""A missed deadline, a vacant seat, its replacement player and a removal, from the seats of all who see them."""

from datetime import UTC, datetime, timedelta

from playwright.sync_api import Locator, Page, expect

from browser.conftest import NewWindow, post
from browser.hands import wait_for_table

DESK = {"width": 1366, "height": 768}
SCHEDULE = {"movement": {"within": "20h"}, "cool": "0m", "missed": {"first": "hold", "then": "hold", "vacant_after": 1}}
VACANT = "France is vacant after too many NMRs in a row"
REPLACED = "Dora plays France from now on, in place of Anna, whose seat was vacant after too many NMRs in a row."
REMOVED = "The host took the seat of France from Dora; France is vacant. The reason: Insults."


def player_of_france(page: Page) -> Locator:
    """Return the player of France in the list of players, which is opened."""
    page.get_by_role("tab", name="Game").click()
    return page.locator(".seat-list li").filter(has_text="France").locator(".note").first


def go_on(page: Page) -> None:
    """Close the results, which name the NMR."""
    expect(page.locator(".nmr")).to_contain_text("NMR: France")
    page.locator("#go-on").click()


def test_a_vacant_seat_a_replacement_and_a_removal_are_seen_from_all_seats(window: NewWindow, site: str) -> None:
    settings = {"computer": "careless"}
    new = {"variant": "standard", "lobby": True, "schedule": SCHEDULE, "settings": settings}
    game = post(site, "/api/games", new)
    at, master, invitation = f"/games/{game['id']}", game["keys"]["all"], game["invitation"].rpartition("/")[2]
    host, anna, ben, dora = (window(viewport=DESK) for _ in range(4))
    anna.goto(game["invitation"])
    anna.get_by_label("Your name").fill("Anna")
    anna.get_by_label("France", exact=True).check()
    anna.get_by_role("button", name="Join").click()
    expect(anna.locator(".seat-list [data-state=mine]")).to_contain_text("France")
    key = post(site, f"/api{at}/join", {"name": "Ben", "power": "Germany"}, invitation)["key"]
    post(site, f"/api{at}/start", {}, master)
    for page, own in ((host, master), (ben, key)):
        page.goto(f"{at}/sit/{own}")
    for page in (host, anna, ben):  # the page of the lobby goes on to the table
        wait_for_table(page)

    post(site, f"/api{at}/ready", {"phase_number": 1, "seat": "Germany", "ready": True}, key)
    until = (datetime.now(UTC) + timedelta(seconds=1)).isoformat()
    post(site, f"/api{at}/time", {"phase_number": 1, "action": "set", "until": until}, master)
    for page in (ben, anna):
        go_on(page)
    expect(anna.locator("[data-vacant=France]")).to_contain_text("Your seat is vacant")
    expect(player_of_france(ben)).to_have_text("vacant")
    ben.get_by_role("button", name="Game log").click()
    expect(ben.locator(".journal")).to_contain_text(VACANT)

    host.goto(f"{at}/gm-tools")
    row = host.get_by_role("row").filter(has_text="France")
    expect(row.get_by_role("cell").first).to_have_text("vacant")
    host.get_by_label("Actions for France").click()
    host.get_by_role("button", name="Find a replacement for France").click()
    dora.goto(host.locator("#offer").input_value())
    dora.get_by_label("Your name").fill("Dora")
    dora.get_by_role("button", name="Join").click()
    wait_for_table(dora)
    expect(player_of_france(ben)).to_have_text("Dora (replacement)")
    expect(anna.locator("[data-former=France]")).to_contain_text(REPLACED)
    expect(anna.locator("#ready")).to_have_count(0)
    dora.goto(f"{at}?seat=France")
    wait_for_table(dora)

    host.goto(f"{at}/gm-tools")
    host.get_by_label("Actions for France").click()
    host.get_by_label("Remove Dora from France …").click()
    row.get_by_label("Reason").fill("Insults.")
    host.get_by_role("button", name="Remove Dora from France").click()
    expect(host.locator("#main")).to_contain_text(REMOVED)
    expect(dora.locator("[data-former=France]")).to_have_text(REMOVED)  # without a reload
    expect(dora.locator("#toast")).not_to_be_visible()
    expect(player_of_france(ben)).to_have_text("vacant")

"""People at their own screens: seven phones, a game master, a host, a missing order set, two tabs, no network."""

import json
import socket
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
import uvicorn
from playwright.sync_api import Browser, Page, expect

from browser.axe import faults_by_day_and_night as faults
from browser.conftest import PHONE, NewWindow, Windows
from browser.hands import unfold_cards, wait_for_table
from plenipo.server.people.provider_settings import Provider
from plenipo.server.service import GameService
from plenipo.server.store import Store
from plenipo.server.warm_up import Warming
from plenipo.server.web.app import create_app
from server.clocks import ManualClock
from server.provider import elsewhere
from waiting import run_in_background

NewPhone = Callable[..., Page]

UNLOCKED = {
    "protocol": "ctap2",
    "transport": "internal",
    "hasResidentKey": True,
    "hasUserVerification": True,
    "isUserVerified": True,
    "automaticPresenceSimulation": True,
}
"""An authenticator that makes passkeys and whose user is verified."""


@pytest.fixture
def phone(window: NewWindow, windows_in_turn: Windows) -> Iterator[NewPhone]:
    """Makes phones that know nothing of each other; with an address one that was never used."""
    bought: list[Page] = []

    def new(at: str = "") -> Page:
        if not at:
            return window(viewport=PHONE, has_touch=True)
        bought.append(windows_in_turn.new(at, viewport=PHONE, has_touch=True))
        return bought[-1]

    yield new
    for page in bought:
        page.context.close()


@pytest.fixture
def clocked(tmp_path: Path) -> Iterator[tuple[str, ManualClock]]:
    """The address of a server with a clock that is set by hand, and the clock."""
    clock = ManualClock(datetime.now(UTC))
    with serving(tmp_path, clock) as address:
        yield address, clock


@contextmanager
def serving(folder: Path, clock: ManualClock, *providers: Provider) -> Iterator[str]:
    """The address of a server that goes by this clock."""
    store = Store(str(folder / "games.sqlite"))
    app = create_app(GameService(store, clock=clock, warming=Warming()), provided_by=providers)
    server = uvicorn.Server(uvicorn.Config(app, log_level="error", timeout_graceful_shutdown=1))
    with (
        socket.create_server(("127.0.0.1", 0)) as listening,
        run_in_background(server.run, [listening], end=lambda: setattr(server, "should_exit", True)),
    ):
        yield f"http://127.0.0.1:{listening.getsockname()[1]}"
    store.close()


def hosted(page: Page, name: str, time_: str, you: str = "play") -> str:
    """Open a game on the page; the link to it."""
    page.goto("/variants/standard/host")
    unfold_cards(page)
    page.get_by_label("Your name").fill(name)
    page.get_by_label(time_, exact=False).first.check()
    page.locator(f"input[name=you][value={you}]").check()
    page.get_by_role("button", name="Create the game").tap()
    return page.get_by_label("Anyone with this link").input_value()


def sat_down(page: Page, link: str, name: str, power: str = "") -> None:
    page.goto(link)
    page.get_by_label("Your name").fill(name)
    if power:
        page.get_by_label(power).check()
    page.get_by_role("button", name="Join").tap()
    expect(page.get_by_role("button", name="Join")).to_have_count(0)


def test_seven_phones_come_from_one_link_to_the_first_phase(phone: NewPhone) -> None:
    first, *others = [phone() for _ in range(7)]
    link = hosted(first, "Player 1", "No deadlines")
    for number, page in enumerate(others, 2):
        sat_down(page, link, f"Player {number}")
    powers = set()
    for page in (first, *others):
        wait_for_table(page)
        expect(page.locator("#phase")).to_contain_text("Spring 1901")
        powers.add(page.locator("#seat-now").inner_text())
    assert len(powers) == 7, "everybody has a power of his own"


def test_a_game_begins_by_keys_alone(page: Page) -> None:
    page.goto("/variants/standard/host")
    page.get_by_label("Your name").focus()
    page.keyboard.type("Anna")
    page.keyboard.press("Enter")
    expect(page.get_by_text("1 of 7 players have joined")).to_be_visible()
    for _ in range(60):
        page.keyboard.press("Tab")
        if page.evaluate("document.activeElement.textContent.trim().startsWith('Start with computers')"):
            break
    page.keyboard.press("Enter")
    wait_for_table(page)
    for _ in range(120):
        page.keyboard.press("Tab")
        if page.evaluate("document.activeElement.id === 'ready'"):
            break
    page.keyboard.press("Enter")
    expect(page.locator("#phase")).to_contain_text("Processed at")


def test_a_game_master_begins_and_runs_a_game_from_a_phone(phone: NewPhone) -> None:
    master, ben = phone(), phone()
    link = hosted(master, "Anna", "Weekdays", "rule")
    expect(master.get_by_text("You are the game master")).to_be_visible()
    assert faults(master) == []
    sat_down(ben, link, "Ben", "France")
    master.get_by_role("button", name="Start with computers").tap()
    wait_for_table(master)
    wait_for_table(ben)
    ben.get_by_role("tab", name="Press").tap()
    expect(ben.get_by_role("button", name="Game master Anna")).to_be_visible()
    master.get_by_role("link", name="GM tools").tap()
    expect(master.get_by_text("You are the game master")).to_be_visible()
    expect(master.locator("#main")).to_contain_text("Waiting for France")
    assert faults(master) == []
    master.get_by_role("button", name="Remind them").tap()
    expect(master.locator("#main")).to_contain_text("reminded the players who are not ready")
    master.get_by_text("Process now …").tap()
    master.get_by_label("Reason (public)").first.fill("All are here.")
    master.get_by_role("button", name="Process Spring 1901 movement").tap()
    expect(master.locator("#main")).to_contain_text("before it was due. The reason: All are here.")
    expect(ben.locator("#phase")).to_contain_text("1901")
    master.get_by_text("Roll back …").tap()
    master.locator("#back-reason").fill("Ben was cut off.")
    master.get_by_role("button", name="Roll back").tap()
    expect(master.locator("#main")).to_contain_text("back to Spring 1901 movement; 1 turn undone. Ben was cut off.")
    expect(ben.locator("#phase")).to_contain_text("Spring 1901")
    master.evaluate("for (const part of document.querySelectorAll('main details')) part.open = true")
    assert faults(master) == []


def test_a_host_without_a_seat_moves_deadlines_and_sees_no_orders(phone: NewPhone) -> None:
    host, ben = phone(), phone()
    link = hosted(host, "Anna", "Weekdays", "keep")
    sat_down(ben, link, "Ben", "France")
    host.get_by_role("button", name="Start with computers").tap()
    wait_for_table(host)
    host.goto(f"{host.url.partition('?')[0]}/gm-tools")
    assert faults(host) == []
    assert host.get_by_text("Open the orders").count() == 0
    assert host.get_by_role("heading", name="Rulings").count() == 0
    host.get_by_role("button", name="Pause").tap()
    expect(host.locator("#main")).to_contain_text("left, paused")
    wait_for_table(ben)
    expect(ben.locator(".phase-due")).to_contain_text("Paused")
    host.get_by_role("button", name="Resume").tap()
    expect(ben.locator(".phase-due")).to_contain_text("Due")


def test_a_game_is_called_off_and_a_lobby_says_so(phone: NewPhone) -> None:
    anna, ben = phone(), phone()
    sat_down(ben, hosted(anna, "Anna", "No deadlines"), "Ben")
    expect(anna.get_by_role("link", name="Ben", exact=True)).to_be_visible()
    anna.get_by_text("Cancel the game …").tap()
    assert faults(anna) == []
    anna.get_by_role("button", name="Cancel the game", exact=True).tap()
    expect(anna.get_by_text("cancelled before it started")).to_be_visible()
    expect(ben.get_by_text("cancelled before it started")).to_be_visible()  # without asking for the page again
    assert faults(ben) == []


def test_two_tabs_of_one_player_show_the_same(phone: NewPhone) -> None:
    one = phone()
    hosted(one, "Anna", "Weekdays")
    one.get_by_role("button", name="Start with computers").tap()
    wait_for_table(one)
    other = one.context.new_page()
    other.goto(one.url)
    wait_for_table(other)
    one.get_by_role("button", name="Ready").tap()
    expect(other.get_by_role("button", name="Not ready")).to_be_visible()
    other.get_by_role("button", name="Not ready").tap()
    expect(one.get_by_role("button", name="Ready", exact=True)).to_be_visible()


def test_a_phone_that_was_offline_comes_back_to_what_happened(phone: NewPhone) -> None:
    anna, ben = phone(), phone()
    link = hosted(anna, "Anna", "No deadlines")
    sat_down(ben, link, "Ben")
    anna.get_by_role("button", name="Start with computers").tap()
    wait_for_table(anna)
    wait_for_table(ben)
    ben.get_by_role("button", name="Ready").tap()
    expect(ben.get_by_role("button", name="Not ready")).to_be_visible()
    ben.context.set_offline(True)
    anna.get_by_role("button", name="Ready").tap()
    expect(anna.locator("#phase")).to_contain_text("processed")
    ben.context.set_offline(False)
    expect(ben.locator("#phase")).not_to_contain_text("Spring 1901 Movement")


WAYS = {
    "hold": "Fall 1901",
    "computer": "Fall 1901",
    "wait": "who missed the deadline",
    "replace": "who missed the deadline",
    "extend": "Spring 1901",
}
"""The text of the page after a deadline that passed with one order set missing, for each setting."""


def test_a_deadline_passes_with_one_order_set_missing(phone: NewPhone, clocked: tuple[str, ManualClock]) -> None:
    site, clock = clocked
    page = phone(site)
    games = {}
    for way in WAYS:
        schedule = {
            "movement": {"within": "1m"},
            "retreats": {"within": "1m"},
            "adjustments": {"within": "1m"},
            "cool": "0m",
            "missed": {"first": way, "then": way, "extensions": 5},
        }
        computers = ["Austria", "England", "Germany", "Italy", "Russia"]
        body = {"variant": "standard", "seating": "links", "schedule": schedule, "computers": computers}
        opened = page.request.post("/api/games", data={**body, "player": "careless"}).json()
        ready = {"phase_number": 1, "seat": "Turkey", "ready": True}
        key = {"authorization": f"Bearer {opened['keys']['seats']['Turkey']}"}
        assert page.request.post(f"/api/games/{opened['id']}/ready", data=ready, headers=key).ok
        games[way] = (opened["id"], page.request.get(f"/api/games/{opened['id']}").json()["time"]["due"])
    clock.time += timedelta(minutes=1)
    for way, (game, due) in games.items():
        page.goto(f"/games/{game}?seat=observer")
        wait_for_table(page)
        if way == "extend":
            for _ in range(200):
                if page.request.get(f"/api/games/{game}").json()["time"]["due"] != due:
                    break
                page.wait_for_timeout(100)
            else:
                pytest.fail("the deadline was not moved")
            expect(page.locator("#phase")).to_contain_text(WAYS[way])
        elif way in ("wait", "replace"):
            page.get_by_role("tab", name="Game").tap()
            expect(page.locator("#pane")).to_contain_text("Waiting for France")
            expect(page.locator("#pane")).to_contain_text(WAYS[way])
        else:
            expect(page.locator("#phase")).to_contain_text(WAYS[way])


ASKED = """PushManager.prototype.subscribe = async (options) => ({ toJSON: () => ({
  endpoint: `https://push.example/${new Uint8Array(options.applicationServerKey).length}`,
  keys: { p256dh: 'BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4',
    auth: 'BTBZMqHH6r4Tts7J_aSIgg' } }) });"""
"""A push service that is reached without a network; all else is the browser's own."""


def test_notifications_of_a_device_start_by_keyboard_appear_and_stop_by_touch(
    whole_browser: Browser, site: str
) -> None:
    page = Windows(whole_browser, site).new(viewport=PHONE, has_touch=True, service_workers="allow")
    page.context.grant_permissions(["notifications"], origin=site)
    page.add_init_script(ASKED)
    hosted(page, "Anna", "No deadlines")
    page.goto("/me")
    page.get_by_role("button", name="Turn on notifications").focus()
    page.keyboard.press("Enter")
    expect(page.get_by_text("Notifications are on for this device.")).to_be_visible()
    assert faults(page) == []
    there: list[dict[str, str]] = []
    protocol = page.context.new_cdp_session(page)
    protocol.on("ServiceWorker.workerRegistrationUpdated", lambda event: there.extend(event["registrations"]))
    protocol.send("ServiceWorker.enable")
    said = {"title": "Quai: Spring 1901 movement", "body": "You play France.", "url": "/me", "tag": "1"}
    page.wait_for_function("navigator.serviceWorker.ready.then((worker) => !!worker.active)")
    message = {"origin": site, "registrationId": there[-1]["registrationId"], "data": json.dumps(said)}
    protocol.send("ServiceWorker.deliverPushMessage", message)
    shown = "navigator.serviceWorker.ready.then((w) => w.getNotifications()).then((all) => all.map((n) => n.title)"
    page.wait_for_function(f"{shown}.includes('{said['title']}'))")
    assert protocol.send("Page.getAppManifest")["errors"] == []
    page.get_by_role("button", name="Turn off notifications").tap()
    expect(page.get_by_text("Notifications are off on this device.")).to_be_visible()


def test_a_browser_that_cannot_show_notices_says_so(phone: NewPhone, site: str) -> None:
    page = phone(site)
    page.add_init_script("delete window.PushManager")
    hosted(page, "Anna", "No deadlines")
    page.goto("/me")
    expect(page.get_by_text("This browser does not support notifications.")).to_be_visible()
    expect(page.get_by_role("button", name="Turn on notifications")).to_have_count(0)


def test_one_signs_in_with_a_device_by_touch_and_by_keys_and_removes_it(phone: NewPhone, site: str) -> None:
    page = phone(site.replace("127.0.0.1", "localhost"))  # a passkey is bound to a name
    protocol = page.context.new_cdp_session(page)
    protocol.send("WebAuthn.enable")
    device = protocol.send("WebAuthn.addVirtualAuthenticator", {"options": UNLOCKED})["authenticatorId"]
    hosted(page, "Anna", "No deadlines")
    page.goto("/me")
    page.get_by_label("Device name").fill("Anna's telephone")
    page.get_by_role("button", name="Add a passkey on this device").tap()
    expect(page.get_by_text("not used yet")).to_be_visible()
    assert faults(page) == []
    page.get_by_role("button", name="Remove Anna's telephone").tap()
    expect(page.get_by_role("alert").first).to_contain_text("make recovery words first")
    page.get_by_role("button", name="Create recovery words").tap()
    page.get_by_role("button", name="Sign out of").tap()
    expect(page.get_by_role("link", name="Sign in")).to_be_visible()
    protocol.send("WebAuthn.setUserVerified", {"authenticatorId": device, "isUserVerified": False})
    page.goto("/sign-in")
    page.get_by_role("button", name="Sign in with a passkey").tap()
    expect(page.get_by_text("The device was not unlocked")).to_be_visible()
    assert faults(page) == []
    protocol.send("WebAuthn.setUserVerified", {"authenticatorId": device, "isUserVerified": True})
    page.get_by_role("button", name="Sign in with a passkey").press("Enter")
    expect(page.get_by_role("heading", name="Anna", exact=True)).to_be_visible()
    expect(page.get_by_text("last used")).to_be_visible()
    page.get_by_role("button", name="Remove Anna's telephone").press("Enter")
    expect(page.get_by_text("last used")).to_have_count(0)
    page.get_by_role("button", name="Sign out of").tap()
    expect(page.get_by_role("link", name="Sign in")).to_be_visible()
    page.goto("/sign-in")
    page.get_by_role("button", name="Sign in with a passkey").tap()
    expect(page.get_by_text("This passkey is not known here; use another sign-in method.")).to_be_visible()
    page.goto(f"{site}/sign-in")  # a number is no name
    expect(page.get_by_role("heading", name="Email")).to_be_visible()
    expect(page.get_by_role("button", name="Sign in with a passkey")).to_have_count(0)


def faults_at_two_widths(page: Page) -> list[str]:
    """Return the faults that axe finds in the light and the dark scheme, on a phone and on a desktop."""
    found = []
    for width in (1280, 390):
        page.set_viewport_size({"width": width, "height": 844})
        found += [f"{fault} at {width}" for fault in faults(page)]
    return found


def test_one_signs_in_with_an_account_elsewhere_and_links_another(phone: NewPhone, tmp_path: Path) -> None:
    """And axe finds nothing: in the ways to sign in, before one goes elsewhere, and on one's own page with all ways."""
    with elsewhere(datetime.now(UTC)) as there, serving(tmp_path, there.clock, there.discord(), there.openid()) as site:
        page = phone(site)
        page.goto("/sign-in")
        assert faults_at_two_widths(page) == []
        page.route(lambda url: not url.startswith(site), lambda route: route.fulfill(status=204))  # one stays here
        page.get_by_role("button", name="Sign in with Discord").press("Enter")
        expect(page.get_by_role("link", name="Continue to Discord")).to_be_visible()
        assert faults_at_two_widths(page) == []
        page.unroute_all()
        page.get_by_role("link", name="Continue to Discord").click()
        expect(page.get_by_role("heading", name="Anna", exact=True)).to_be_visible()
        page.get_by_role("button", name="Sign in with Club").tap()
        expect(page.get_by_role("button", name="Remove Club")).to_be_visible()
        assert faults_at_two_widths(page) == []

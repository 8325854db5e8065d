"""A live game on two phones from one link: a clock in the head, a time bank that runs, a game that is paused."""

import re
from datetime import UTC, datetime, timedelta

import pytest
from playwright.sync_api import Browser, Page, expect

from browser.axe import faults_beside_the_map as faults
from browser.conftest import PHONE, post
from browser.hands import open_context, wait_for_table


def phone(browser: Browser, site: str, ahead: timedelta = timedelta(0)) -> Page:
    """A phone whose clock the test can move; it is `ahead` of the server's."""
    context = open_context(browser, base_url=site, viewport=PHONE, has_touch=True, reduced_motion="reduce")
    page = context.new_page()
    page.clock.install(time=datetime.now(UTC) + ahead)
    return page


def test_a_time_bank_runs_down_and_the_game_goes_on_tomorrow(browser: Browser, site: str) -> None:
    settings = {"computer": "careless"}
    game = post(site, "/api/games", {"variant": "standard", "lobby": True, "schedule": "Live", "settings": settings})
    anna, ben = (phone(browser, site) for _ in range(2))
    for page, name in ((anna, "Anna"), (ben, "Ben")):
        page.goto(game["invitation"])
        page.get_by_label("Your name").fill(name)
        page.get_by_role("button", name="Join").tap()
        expect(page.get_by_text(name).first).to_be_visible()
    # every answer sets the page's clock by the server's, so wait for the last of those to the opening page
    with anna.expect_response("**/votes") as votes, anna.expect_response("**/press") as messages:
        post(site, f"/api/games/{game['id']}/start", {}, game["keys"]["all"])
    votes.value.finished()
    messages.value.finished()
    for page in (anna, ben):  # the page of the lobby goes on to the table
        wait_for_table(page)
    clock = anna.locator(".live-clock")
    for page in (anna, ben):  # thirty seconds to look at the board
        expect(page.locator("#countdown")).to_contain_text("to the start")
    assert faults(anna) == []
    anna.clock.fast_forward("00:31")
    expect(anna.locator("#countdown")).to_have_count(0)
    expect(clock).to_contain_text("left")
    with anna.expect_response("**/notes*") as notes:  # asked for by the panel, and it sets the clock too
        anna.get_by_role("tab", name="Game").tap()
    notes.value.finished()
    anna.clock.fast_forward("00:31")
    expect(anna.locator("#countdown")).to_have_count(0)
    before = clock.bounding_box()
    anna.clock.fast_forward("10:30")
    expect(clock).to_contain_text("time bank")
    expect(clock).to_contain_text("14:")
    assert clock.bounding_box() == before, "nothing on the page moves when the time bank begins to run"
    anna.clock.fast_forward("13:35")
    expect(anna.locator("#live")).to_contain_text("60 seconds of your time bank left.")
    expect(anna.locator(".power-time-bank.runs .time-bank-left").first).to_contain_text(re.compile(r"^[01]:\d\d$"))
    assert faults(anna) == []
    anna.get_by_role("tab", name="Votes").tap()
    anna.get_by_role("button", name="Continue tomorrow").tap()
    expect(anna.get_by_label("Resume the game at")).to_be_visible()
    assert faults(anna) == []
    anna.get_by_role("button", name="Propose", exact=True).tap()
    ben.get_by_role("tab", name="Votes").tap()
    ben.get_by_role("button", name="For: Stop for now").tap()
    expect(anna.get_by_text(": passed")).to_be_visible()
    anna.get_by_role("tab", name="Game").tap()
    expect(anna.get_by_text("The game is paused until")).to_be_visible()
    for page in (anna, ben):
        page.context.close()


@pytest.mark.parametrize("hours", [-3, 3])
def test_a_phone_with_a_wrong_clock_shows_the_time_that_is_left(browser: Browser, site: str, hours: int) -> None:
    settings = {"computer": "careless", "press": {"preset": "Full press", "closing": 60}}
    body = {"variant": "standard", "lobby": True, "schedule": {"movement": {"within": "1d"}}, "settings": settings}
    game = post(site, "/api/games", body)
    path, invitation = f"/api/games/{game['id']}", game["invitation"].rpartition("/")[2]
    keys = [post(site, f"{path}/join", {"name": name}, invitation)["key"] for name in ("Anna", "Ben")]
    post(site, f"{path}/start", {}, game["keys"]["all"])
    post(site, f"{path}/votes", {"kind": "extend"}, keys[1])
    page = phone(browser, site, timedelta(hours=hours))
    page.goto(f"/games/{game['id']}/sit/{keys[0]}")
    wait_for_table(page)
    expect(page.locator(".phase-due")).to_contain_text(re.compile(r"Due in (1d 0h|23h 5\dm),"))
    page.get_by_role("tab", name="Votes").tap()
    expect(page.get_by_text(re.compile(r"Ends in (12h 0m|11h 5\dm) "))).to_be_visible()
    page.get_by_role("tab", name="Press").tap()
    page.get_by_role("button", name="Everyone").tap()
    expect(page.get_by_text(re.compile(r"Press closes in (23h 0m|22h 5\dm) "))).to_be_visible()
    page.context.close()


LAST_SECONDS = """async () => {
  const folder = document.querySelector('script[type=module]').src.replace(/[^/]*$/, '');
  const [{ game }, { serverTime }, { describeDeadline }] = await Promise.all(
    ['state.js', 'api.js', 'time.js'].map((file) => import(`${folder}${file}`)));
  game.view.time.due = new Date(serverTime() + 20000).toISOString();
  return describeDeadline();
}"""
"""The words of a deadline in twenty seconds."""


def begin(browser: Browser, site: str, schedule: dict[str, object]) -> Page:
    """A phone in a game with this schedule, half a minute after its beginning."""
    body = {"variant": "standard", "lobby": True, "schedule": schedule, "settings": {"computer": "careless"}}
    game = post(site, "/api/games", body)
    invitation = game["invitation"].rpartition("/")[2]
    key = post(site, f"/api/games/{game['id']}/join", {"name": "Anna"}, invitation)["key"]
    post(site, f"/api/games/{game['id']}/start", {}, game["keys"]["all"])
    page = phone(browser, site)
    page.goto(f"/games/{game['id']}/sit/{key}")
    wait_for_table(page)
    return page


def test_a_live_deadline_without_a_time_bank_is_a_clock_and_never_0_minutes(browser: Browser, site: str) -> None:
    page = begin(browser, site, {"movement": {"within": "20m"}, "missed": {"first": "hold"}})
    page.clock.fast_forward("00:31")
    expect(page.locator(".live-clock")).to_have_text(re.compile(r"^(20:00|19:\d\d)left$"))
    assert re.match("Due [^i]", page.evaluate(LAST_SECONDS)), "0 minutes would say nothing"
    page.context.close()


def test_a_deadline_in_a_day_is_a_date_also_with_a_time_bank(browser: Browser, site: str) -> None:
    page = begin(browser, site, {"movement": {"within": "1d"}, "time_bank": "15m", "missed": {"first": "hold"}})
    expect(page.locator(".phase-due")).to_contain_text("Due in")
    expect(page.locator(".live-clock")).to_have_count(0)
    page.get_by_role("tab", name="Powers").tap()
    expect(page.locator("[data-time-bank]").first).to_contain_text("15:00")
    page.context.close()

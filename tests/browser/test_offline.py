"""A game without a connection: the last known state is marked, and nothing of it survives a sign-out."""

import json
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from browser.axe import faults_beside_the_map
from browser.conftest import PHONE, NewWindow, open_phones
from browser.hands import unfold_cards, wait_for_table
from waiting import wait_until

STORED = """async () => {
  const found = [];
  for (const name of await caches.keys()) {
    const cache = await caches.open(name);
    for (const entry of await cache.keys()) {
      const path = new URL(entry.url).pathname;
      if (path.startsWith('/static/')) continue;
      found.push([path, await (await cache.match(entry, { ignoreVary: true })).text()]);
    }
  }
  for (const store of [localStorage, sessionStorage]) {
    for (const key of Object.keys(store)) found.push([key, store.getItem(key)]);
  }
  return found;
}"""
"""All that pages and the service worker keep in a browser, files aside: names or paths, and texts."""

KEPT = "async () => (await (await caches.open('plenipo.games')).keys()).map((entry) => new URL(entry.url).pathname)"
"""The paths of what the service worker keeps about games."""


def order(page: Page, unit: str, space: str) -> None:
    page.locator(f'[data-unit="{unit}"] .order-button').tap()
    page.locator(f'[data-chip="{space}"]').tap()


def orders_of(page: Page) -> list[str]:
    view: dict[str, Any] = page.request.get(f"/api/games/{game_of(page)}").json()
    return [one["text"] for orders in view["order_sets"].values() for one in orders["orders"]]


def game_of(page: Page) -> str:
    return page.url.partition("/games/")[2].partition("?")[0]


KEEP = """([game, late, seat, text]) => {
  const { phase_number } = JSON.parse(document.getElementById('the-game').textContent);
  const change = { phase_number: phase_number - late, seat, give: [text] };
  localStorage.setItem(`plenipo.unsent.${game}`, JSON.stringify([change]));
}"""
"""Keep a change of orders as a page without a connection does, of a phase so long ago."""


def wait_until_kept(page: Page) -> None:
    """Wait until the service worker keeps the page."""
    page.wait_for_selector("body[data-ready][data-kept]", state="attached")


def reload_offline(page: Page) -> None:
    page.context.set_offline(True)
    page.reload()
    wait_for_table(page)


@pytest.fixture
def phones(window: NewWindow, site: str) -> dict[str, Page]:
    """Three phones at one game, each in the seat of a power, that may have a service worker."""
    return open_phones(window, site, service_workers="allow")


@pytest.fixture
def anna(window: NewWindow) -> Page:
    """A person, known by name, who plays a game with computers for several people."""
    page = window(viewport=PHONE, has_touch=True, service_workers="allow")
    page.goto("/variants/standard/host")
    unfold_cards(page)
    page.get_by_label("Your name").fill("Anna")
    page.get_by_role("button", name="Create the game").tap()
    expect(page.get_by_role("button", name="Start with computers")).to_be_visible()
    assert page.request.post("/me/words").ok  # a way to come back, so that she can sign out of her seat
    page.get_by_role("button", name="Start with computers").tap()
    wait_until_kept(page)
    return page


def test_orders_given_without_a_connection_are_kept_and_sent(phones: dict[str, Page]) -> None:
    france = next(iter(phones.values()))
    france.wait_for_load_state("networkidle")
    france.context.set_offline(True)
    bar = france.locator(".offline-bar")
    expect(bar).to_contain_text("Last known state, from")
    order(france, "A PAR", "BUR")
    expect(bar).to_contain_text("1 change is kept on this device and sent when you are back")
    expect(bar).to_contain_text("A PAR \u2013 BUR")
    assert faults_beside_the_map(france) == []
    france.context.set_offline(False)
    expect(bar).to_have_count(0)
    expect(france.locator("#toast")).to_contain_text("Everything is sent.")
    assert orders_of(france) == ["A PAR - BUR"]
    expect(france.locator('[data-unit="A PAR"] .order-text')).to_contain_text("BUR")


def test_what_was_kept_before_the_page_was_closed_is_sent_when_the_player_says_so(phones: dict[str, Page]) -> None:
    france, germany, england = phones.values()
    kept = {
        france: (0, "France", "A PAR - PIC"),
        germany: (1, "Germany", "A BER - KIE"),
        england: (0, "England", "F EDI - NTH"),
    }
    for page, (late, seat, text) in kept.items():
        page.evaluate(KEEP, [game_of(page), late, seat, text])
        page.reload()
        wait_for_table(page)
    bar = france.locator(".offline-bar")
    expect(bar).to_contain_text("1 change is kept on this device and not sent")
    assert faults_beside_the_map(france) == []
    assert orders_of(france) == []
    france.get_by_role("button", name="Send", exact=True).tap()
    expect(france.locator("#toast")).to_contain_text("Everything is sent.")
    assert orders_of(france) == ["A PAR - PIC"]
    expect(germany.locator("#toast")).to_contain_text("Not sent, because the phase was over")
    expect(germany.locator(".offline-bar")).to_have_count(0)
    england.get_by_role("button", name="Discard").tap()
    expect(england.locator(".offline-bar")).to_have_count(0)
    assert orders_of(england) == orders_of(germany) == []


def test_a_message_that_could_not_be_sent_is_offered_when_the_connection_returns(phones: dict[str, Page]) -> None:
    france, germany, _ = phones.values()
    wait_until_kept(france)
    france.locator("#tab-press").tap()
    france.locator('[data-key="to Germany"]').tap()
    france.locator("#message").fill("Peace in Burgundy?")
    france.context.set_offline(True)
    france.locator("#message-send").tap()
    bar = france.locator(".offline-bar")
    expect(bar).to_contain_text("1 message is not sent: Germany.")
    france.reload()
    wait_for_table(france)
    expect(bar).to_contain_text("1 message is not sent: Germany.")
    france.context.set_offline(False)
    france.get_by_role("button", name="Open message").tap()
    expect(france.locator("#message")).to_have_value("Peace in Burgundy?")
    assert faults_beside_the_map(france) == []
    france.locator("#message-send").tap()
    expect(bar).to_have_count(0)
    germany.locator("#tab-press").tap()
    expect(germany.locator(".threads")).to_contain_text("Peace in Burgundy?")


def test_messages_can_be_read_without_a_connection_as_they_were_last_seen(phones: dict[str, Page]) -> None:
    france, germany, _ = phones.values()
    wait_until_kept(france)
    body = {"seat": "Germany", "to": ["France"], "text": "Meet me in Munich.", "once": "1"}
    assert germany.request.post(f"/api/games/{game_of(germany)}/press", data=body).ok
    france.locator("#tab-press").tap()
    france.locator(".thread").tap()
    expect(france.locator(".messages")).to_contain_text("Meet me in Munich.")
    wait_until(lambda: "Munich" in json.dumps(france.evaluate(STORED)), pause=0.2)
    reload_offline(france)
    france.locator("#tab-press").tap()
    france.locator(".thread").tap()
    expect(france.locator(".messages")).to_contain_text("Meet me in Munich.")
    expect(france.locator(".offline-bar")).to_contain_text("Last known state, from")


def test_a_reload_without_a_connection_shows_the_last_known_state(phones: dict[str, Page]) -> None:
    france, germany, _ = phones.values()
    wait_until_kept(france)
    wait_until_kept(germany)
    order(france, "A PAR", "BUR")
    expect(france.locator('[data-unit="A PAR"] .order-text')).to_contain_text("BUR")
    game = game_of(france)
    kept = """async (game) => {
      const view = await (await caches.open('plenipo.games')).match(`/api/games/${game}`);
      return Boolean(view) && (await view.text()).includes('A PAR - BUR');
    }"""
    wait_until(lambda: france.evaluate(kept, game), pause=0.2)
    reload_offline(france)
    bar = france.locator(".offline-bar")
    expect(bar).to_contain_text("Offline. Last known state, from")
    expect(france.locator("#phase")).to_contain_text("Spring 1901")
    expect(france.locator('[data-unit="A PAR"] .order-text')).to_contain_text("BUR")
    assert faults_beside_the_map(france) == []
    order(france, "A MAR", "SPA")
    expect(bar).to_contain_text("1 change is kept on this device and not sent: A MAR")
    france.context.set_offline(False)
    france.evaluate("dispatchEvent(new Event('online'))")
    expect(bar).to_contain_text("not sent: A MAR")
    expect(bar).not_to_contain_text("Offline.")
    assert orders_of(france) == ["A PAR - BUR"]
    france.get_by_role("button", name="Send", exact=True).tap()
    expect(bar).to_have_count(0)
    assert sorted(orders_of(france)) == ["A MAR - SPA", "A PAR - BUR"]


def test_other_pages_name_the_games_that_are_kept(anna: Page) -> None:
    anna.context.set_offline(True)
    anna.goto("/find")
    expect(anna.get_by_role("heading", name="You are offline")).to_be_visible()
    anna.locator("#kept-games a").tap()
    expect(anna.locator(".offline-bar")).to_contain_text("Last known state, from")


def test_nothing_secret_survives_a_sign_out(anna: Page) -> None:
    game = game_of(anna)
    power = anna.locator("#seat-now").inner_text()
    anna.locator(".order-button").first.tap()
    anna.locator("[data-chip]").first.tap()
    anna.evaluate("game => localStorage.setItem('plenipo.drafts', JSON.stringify({ [`${game} x`]: 'A secret' }))", game)
    anna.evaluate('game => localStorage.setItem(`plenipo.unsent.${game}`, \'[{"give": ["A secret"]}]\')', game)
    anna.evaluate("localStorage.setItem('plenipo.settings', '{}')")
    before = {path for path, _ in anna.evaluate(STORED)}
    assert f"/games/{game}" in before
    anna.goto("/me")
    anna.get_by_role("button", name="Sign out", exact=False).first.tap()
    anna.wait_for_url("**/")
    stored = anna.evaluate(STORED)
    assert not [path for path, text in stored if game in path + text or "secret" in text or "Anna" in text]
    assert "plenipo.settings" in [path for path, _ in stored], "what is not secret stays"
    anna.context.set_offline(True)
    anna.goto(f"/games/{game}")
    expect(anna.get_by_role("heading", name="You are offline")).to_be_visible()
    assert power not in anna.locator("main").inner_text()
    assert anna.locator("#kept-games a").count() == 0


def test_a_session_that_ended_elsewhere_takes_what_was_kept_with_it(anna: Page) -> None:
    """The next page, whichever it is, names another reader."""
    game = game_of(anna)
    anna.context.clear_cookies(name="session")
    anna.goto("/learn")
    assert not [path for path, _ in anna.evaluate(STORED) if game in path]


def test_a_game_that_is_refused_is_no_longer_kept(phones: dict[str, Page]) -> None:
    france = next(iter(phones.values()))
    wait_until_kept(france)
    game = game_of(france)
    ask = """async (address) => (await fetch(address)).status"""
    assert france.evaluate(ask, f"/api/games/{game}?seat=Germany") in {401, 403}
    assert not [path for path, _ in france.evaluate(STORED) if path.startswith(f"/games/{game}")]


def test_what_a_worker_keeps_is_what_the_server_answers_to_this_browser(anna: Page) -> None:
    """A page of before the sign-out that is still open cannot bring anything back."""
    game = game_of(anna)
    other = anna.context.new_page()
    other.goto("/me")
    other.get_by_role("button", name="Sign out", exact=False).first.tap()
    other.wait_for_url("**/")
    anna.evaluate(
        """async (game) => {
      const { port1, port2 } = new MessageChannel();
      const done = new Promise((resolve) => { port1.onmessage = resolve; });
      const asked = { page: `/games/${game}`, view: `/api/games/${game}` };
      (await navigator.serviceWorker.ready).active.postMessage(asked, [port2]);
      await done;
    }""",
        game,
    )
    for path, text in other.evaluate(STORED):
        if path == f"/games/{game}":
            view = json.loads(text.partition('id="the-game">')[2].partition("</script>")[0])
            assert not view["viewer"]["seats"]


def test_what_is_kept_is_bounded_in_games_answers_and_bytes(anna: Page) -> None:
    """The games seen longest ago go first, and never the one that is open."""
    game = game_of(anna)
    fill = """async (game) => {
      const cache = await caches.open('plenipo.games');
      const headers = (at, size) => ({ 'x-kept': String(at), 'x-bytes': String(size) });
      const put = (key, at, size) => cache.put(key, new Response('x', { headers: headers(at, size) }));
      for (let n = 0; n < 20; n += 1) await put(`/games/old${n}`, n, 1000);
      await put('/games/large', 100, 2 ** 24);
      for (let n = 0; n < 60; n += 1) await put(`/api/games/${game}/turns/${1000 + n}`, 1000 + n, 10);
    }"""
    anna.evaluate(fill, game)
    anna.evaluate("(game) => fetch(`/api/games/${game}`)", game)

    def is_bounded() -> bool:
        kept = anna.evaluate(KEPT)
        pages = [path for path in kept if path.startswith("/games/")]
        answers = [path for path in kept if path.startswith(f"/api/games/{game}")]
        return "/games/large" not in kept and len(pages) <= 12 and len(answers) <= 40

    wait_until(is_bounded, pause=0.2)
    kept = anna.evaluate(KEPT)
    assert f"/games/{game}" in kept
    assert f"/api/games/{game}/turns/1000" not in kept


def test_another_seat_than_the_kept_one_is_not_shown(phones: dict[str, Page]) -> None:
    france = next(iter(phones.values()))
    wait_until_kept(france)
    france.context.set_offline(True)
    france.goto(f"/games/{game_of(france)}?seat=Germany")
    expect(france.get_by_role("heading", name="You are offline")).to_be_visible()
    france.locator("#kept-games a").tap()
    expect(france.locator("#seat-now")).to_contain_text("France")

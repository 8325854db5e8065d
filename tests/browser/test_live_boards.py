"""Games in progress on the first page: small boards that move on with the game, and do not make the page heavy."""

from datetime import UTC, datetime

import pytest
from playwright.sync_api import Browser, expect

from browser.axe import faults
from browser.conftest import post
from browser.hands import open_context
from browser.test_first_page import LIMIT
from waiting import wait_until


def open_game(site: str, number: int) -> tuple[str, str]:
    """A listed game in progress that all may watch: its id, and the key of its host."""
    settings = {"listed": "listed", "spectators": "public", "ready_check": False, "computer": "careless"}
    name = f"Live game {number}"
    game = post(site, "/api/games", {"variant": "standard", "lobby": True, "settings": settings, "name": name})
    post(site, f"/api/games/{game['id']}/join", {"name": "Anna"}, game["invitation"].rpartition("/")[2])
    post(site, f"/api/games/{game['id']}/start", {}, game["keys"]["all"])
    return game["id"], game["keys"]["all"]


@pytest.mark.parametrize("size", [(1440, 900), (390, 844)], ids=["desk", "phone"])
def test_games_in_progress_are_small_boards_that_move_on(browser: Browser, site: str, size: tuple[int, int]) -> None:
    games = dict(open_game(site, number) for number in range(3))
    context = open_context(browser, base_url=site, viewport={"width": size[0], "height": size[1]})
    page = context.new_page()
    page.clock.install(time=datetime.now(UTC))
    received: list[float] = []
    asked: list[str] = []
    network = context.new_cdp_session(page)
    network.send("Network.enable")
    network.send("Network.setCacheDisabled", {"cacheDisabled": True})
    network.on("Network.loadingFinished", lambda event: received.append(event["encodedDataLength"]))
    page.on("request", lambda request: asked.append(request.url))
    page.goto("/", wait_until="networkidle")
    assert sum(received) <= LIMIT, sorted(received)
    boards = page.locator("[data-live]")

    def are_listed() -> bool:
        page.reload()
        return boards.count() == 3 and bool(listed() & set(games))

    def listed() -> set[str]:
        return {str(name) for name in boards.evaluate_all("all => all.map((one) => one.dataset.live)")}

    wait_until(are_listed, pause=1)  # the list of the server is as old as ten seconds
    received.clear()
    page.reload(wait_until="networkidle")
    assert sum(received) <= LIMIT, sorted(received)
    boards.last.scroll_into_view_if_needed()
    expect(boards.last.locator("img")).to_be_visible()
    assert faults(page) == []
    game = min(listed() & set(games))
    board = page.locator(f'[data-live="{game}"]')
    expect(board).to_contain_text("Spring 1901 movement")
    page.wait_for_load_state("networkidle")
    asked.clear()
    page.clock.run_for(61_000)
    page.wait_for_load_state("networkidle")
    assert [address for address in asked if "picture" in address] == [], "nothing has happened"
    post(site, f"/api/games/{game}/process", {"phase_number": 1}, games[game])

    def has_moved_on() -> bool:
        page.clock.run_for(61_000)  # a minute on the page; the list of the server is as old as ten seconds
        return "Fall 1901" in board.inner_text()

    wait_until(has_moved_on)
    context.close()

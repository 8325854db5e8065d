"""The end of a game: the vote on opening the private messages."""

from playwright.sync_api import Page, expect

from browser.axe import faults_beside_the_map
from browser.conftest import PHONE, NewWindow, post


def players(window: NewWindow, site: str) -> tuple[str, str, list[Page]]:
    """A game of two people and computers, whose messages stay private: its id, the host's key, and their phones."""
    game = post(site, "/api/games", {"variant": "standard", "lobby": True})
    invitation = game["invitation"].rpartition("/")[2]
    pages = []
    for name, power in (("Anna", "France"), ("Ben", "Germany")):
        key = post(site, f"/api/games/{game['id']}/join", {"name": name, "power": power}, invitation)["key"]
        pages.append(window(viewport=PHONE, has_touch=True))
        pages[-1].goto(f"/games/{game['id']}/sit/{key}")
    post(site, f"/api/games/{game['id']}/start", {}, game["keys"]["all"])
    return game["id"], game["keys"]["all"], pages


def test_players_agree_after_the_game_to_open_their_private_messages(window: NewWindow, site: str) -> None:
    game, key, (anna, ben) = players(window, site)
    post(site, f"/api/games/{game}/draw", {"phase_number": 1}, key)
    anna.get_by_role("button", name="Propose to open the private messages").tap()
    anna.get_by_role("button", name="Open the private messages").tap()
    anna.get_by_role("button", name="Propose", exact=True).tap()
    expect(anna.get_by_text("Needs every vote. 1 of 2 in favour.")).to_be_visible()
    assert faults_beside_the_map(anna) == []
    ben.get_by_role("tab", name="Votes").tap()
    ben.get_by_role("button", name="For: Open the private messages").tap()
    expect(anna.get_by_text("Open the private messages: passed")).to_be_visible()

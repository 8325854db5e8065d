"""The end of a game: its key turns, and the vote on opening the private messages."""

from typing import Any

from playwright.sync_api import Page, expect

from browser.axe import faults_beside_the_map
from browser.conftest import PHONE, NewWindow, post
from browser.hands import wait_for_table

KEY_TURNS = """async (history) => {
  const folder = document.querySelector('script[type=module]').src.replace(/[^/]*$/, '');
  return (await import(`${folder}key-turns.js`)).findKeyTurns(history);
}"""


def history(*scores: dict[str, int]) -> dict[str, Any]:
    """A history with these counts before each turn, and the last of them now."""
    moments = [{"turn": turn, "phase": {"text": f"turn {turn}"}, "score": score} for turn, score in enumerate(scores)]
    return {"turns": moments[:-1], "now": moments[-1]}


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


def test_key_turns_are_those_in_which_the_lead_changes_a_power_ends_or_much_is_gained(
    window: NewWindow, site: str
) -> None:
    _, _, (anna, _) = players(window, site)
    wait_for_table(anna)
    start = {"France": 3, "Germany": 3, "Italy": 3}
    found = anna.evaluate(
        KEY_TURNS,
        history(
            start,
            {"France": 4, "Germany": 3, "Italy": 3},  # nothing but one centre
            {"France": 4, "Germany": 6, "Italy": 1},
            {"France": 5, "Germany": 6, "Italy": 0},
        ),
    )
    assert [(one["turn"], one["lead"], one["out"]) for one in found] == [(1, "Germany", []), (2, "", ["Italy"])]
    assert anna.evaluate(KEY_TURNS, history(start, start)) == []


def test_the_scores_name_the_powers_in_the_language_of_the_reader(window: NewWindow, site: str) -> None:
    game, key, _ = players(window, site)
    post(site, f"/api/games/{game}/draw", {"phase_number": 1}, key)
    reader = window(viewport=PHONE, has_touch=True, locale="de-DE")
    reader.goto(f"/games/{game}")
    expect(reader.locator(".scores").get_by_role("rowheader", name="Deutschland")).to_be_visible()

"""The end of a game: who won, its key turns, rematch and picture, and the vote on opening the private messages."""

import re
from pathlib import Path
from typing import Any

from playwright.sync_api import Page, expect

from browser.axe import faults_beside_the_map, faults_by_day_and_night
from browser.conftest import DESK, PHONE, NewWindow, post
from browser.hands import Table, wait_for_table
from plenipo.library import load
from plenipo.server.uploads import edit_position, pack_position

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


def winning_position() -> str:
    """A position of Spring 1901 in which France has 21 centres, and so wins after Fall whatever the computers order."""
    rules = load("standard")
    units = {"Austria": "VIE", "England": "YOR", "Germany": "BER", "Italy": "APU", "Russia": "MOS", "Turkey": "SMY"}
    own = "BRE MAR PAR BEL HOL DEN SWE NWY SPA POR TUN SER BUL RUM GRE EDI LON LVP NAP ROM VEN".split()
    left = {"Austria": ["BUD", "TRI", "VIE"], "Germany": ["BER", "KIE", "MUN"], "Turkey": ["ANK", "CON", "SMY"]}
    changes = {
        "units": {"France": ["A PAR", "A MAR"], **{power: [f"A {space}"] for power, space in units.items()}},
        "centres": {"France": own, "Russia": ["MOS", "SEV", "STP", "WAR"], "England": [], "Italy": [], **left},
    }
    return pack_position(edit_position(rules.opening, rules, changes))


def play_to_the_end(page: Page, **new: Any) -> Table:
    """Play France against computers until it has won, and go from the last results to the end."""
    computers = dict.fromkeys(("Austria", "England", "Germany", "Italy", "Russia", "Turkey"), "careless")
    table = Table.open(page, position=winning_position(), computers=computers, **new)
    for _ in range(9):
        if table.view["over"]:
            break
        table.judge()
    return table.again()


def test_a_game_against_computers_ends_with_its_winner_scores_and_curves(page: Page) -> None:
    computers = dict.fromkeys(("Austria", "England", "Germany", "Italy", "Russia", "Turkey"), "careless")
    table = Table.open(page, position=winning_position(), computers=computers)
    table.judge().again()
    while "Fall" not in (table.phase.text_content() or ""):  # a careless computer may have to retreat
        table.judge().again()
    table.process()
    expect(page.locator(".end-line")).to_have_text(re.compile(r"^France won with \d+ centres\.$"))
    page.get_by_role("button", name="Result of the game").click()
    end = page.locator("section.end")
    expect(end.locator(".winner")).to_have_text(re.compile(r"^France won with \d+ centres\.$"))
    expect(end.get_by_role("row", name=re.compile("France you .*won alone: 100"))).to_be_visible()
    expect(end.get_by_role("row", name=re.compile("Turkey computer player .*France won alone: 0"))).to_be_visible()
    expect(end.locator("svg.curves polyline:not(.case)")).to_have_count(7)
    expect(end.get_by_role("button", name="Analyse the game")).to_be_visible()
    assert faults_by_day_and_night(page) == []
    for width, height in ((390, 844), (1366, 768)):
        page.set_viewport_size({"width": width, "height": height})
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
        for name in ("Rematch", "Analyse the game", "Picture of the end"):
            assert (end.get_by_role("button", name=name).bounding_box() or {"height": 0})["height"] >= 40


def test_a_rematch_against_computers_is_a_new_game_with_the_same_ones(page: Page) -> None:
    table = play_to_the_end(page)
    before = table.id
    page.get_by_role("button", name="Rematch").click()
    page.wait_for_url(lambda url: before not in url)
    table.arrived()
    assert table.seat == "France"
    view = table.view
    assert not view["over"]
    assert view["turn"] == 0
    assert {power["computer"] for power in view["powers"] if power["name"] != "France"} == {"careless"}
    expect(table.rows).to_have_count(2)


def test_the_picture_of_the_end_is_saved_as_png(page: Page) -> None:
    play_to_the_end(page)
    with page.expect_download() as download:
        page.get_by_role("button", name="Picture of the end").click()
    assert download.value.suggested_filename.endswith(".png")
    assert Path(download.value.path()).read_bytes().startswith(b"\x89PNG")


def test_a_game_against_computers_is_reviewed_from_its_end(page: Page) -> None:
    play_to_the_end(page)
    page.get_by_role("button", name="Analyse the game").click()
    expect(page.locator(".review svg.curves")).to_be_visible()
    expect(page.locator("section.end .winner")).to_be_visible()
    expect(page.get_by_role("button", name="Analyse the game")).to_have_count(0)


def test_a_draw_on_one_screen_shows_the_end_at_once_and_another_end_after_an_undo(page: Page) -> None:
    table = Table.open(page).judge().again()
    page.get_by_role("tab", name="Game").click()
    page.get_by_role("button", name="Agree to a draw").click()
    page.get_by_role("button", name="Yes").click()
    expect(page.get_by_role("heading", name="The game is over")).to_be_visible()
    expect(page.locator(".winner")).to_have_text(re.compile("^Draw: .*Turkey"))
    expect(page.locator(".scores tbody tr")).to_have_count(7)
    assert table.view["over"]


def test_a_hosted_game_ends_with_its_winner_and_a_rematch_that_invites_the_others(window: NewWindow, site: str) -> None:
    game, key, (anna, ben) = players(window, site)
    for page in (anna, ben):
        wait_for_table(page)
    post(site, f"/api/games/{game}/draw", {"phase_number": 1, "powers": ["Germany"]}, key)
    for page in (anna, ben):
        expect(page.locator(".winner")).to_have_text("Germany won: all others conceded.")
        expect(page.get_by_role("row", name=re.compile("Germany Ben .*100"))).to_be_visible()
    anna.get_by_role("button", name="Rematch").tap()
    expect(anna.get_by_label("Your name")).to_be_visible()
    ben.get_by_role("button", name="Rematch").tap()
    expect(ben.get_by_label("Your name")).to_be_visible()
    assert anna.url.split("?")[0] == ben.url.split("?")[0]
    spectator = window(viewport=DESK)
    spectator.goto(f"/games/{game}")
    expect(spectator.locator(".winner")).to_be_visible()
    expect(spectator.get_by_role("button", name="Rematch")).to_have_count(0)

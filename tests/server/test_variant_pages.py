"""The pages of a variant: what it says of itself, its rules with worked cases, and the form that opens a game."""

import html
import re
from itertools import pairwise
from urllib.parse import urlencode
from xml.etree import ElementTree as ET

import pytest
from fastapi.testclient import TestClient

from plenipo import library
from plenipo.bots import BOTS
from plenipo.server.computers import COMPUTER
from plenipo.server.web.about import Computer, NewGameChoices
from plenipo.server.web.worked_cases import worked_cases

FORM = {"Content-Type": "application/x-www-form-urlencoded", "Sec-Fetch-Site": "same-origin"}


@pytest.mark.parametrize("variant", library.names())
def test_a_variant_introduces_itself_and_links_to_its_rules(client: TestClient, variant: str) -> None:
    page = client.get(f"/variants/{variant}").text
    assert "First phases" in page
    assert f'href="/variants/{variant}/rules"' in page
    rules = client.get(f"/variants/{variant}/rules")
    assert rules.status_code == 200
    assert "$ plenipo" not in rules.text, "players need no command line"
    levels = [int(level) for level in re.findall(r"<h([1-6])", rules.text)]
    assert all(deeper <= level + 1 for level, deeper in pairwise(levels)), levels
    assert "<th></th>" not in rules.text
    for picture in set(re.findall(rf"/variants/{variant}/cases/[^?\"]+svg", rules.text)):
        drawn = client.get(picture)
        assert drawn.status_code == 200
        assert ET.fromstring(drawn.text).tag.endswith("svg")  # noqa: S314  # our own picture


def test_variants_with_movements_among_their_cases_show_them() -> None:
    assert all(worked_cases(variant) for variant in ("cline", "corner", "irish", "napoleonic"))


def test_a_game_is_opened_with_a_rulebook_partners_and_options(client: TestClient) -> None:
    form = [
        ("variant", "1897"),
        ("with", "corner"),
        ("computers", "none"),
        ("option.rulebook", "1971"),
        ("option.home_default", "first_listed"),
        ("option.w1897_build", ""),
        ("power", "Italy"),
    ]
    answer = client.post("/play", content=urlencode(form), headers=FORM)
    assert answer.status_code == 303, answer.text
    game = answer.headers["location"].partition("?")[0]
    view = client.get(f"/api{game}").json()
    assert view["variant"] == "1897+corner"
    assert view["options"] == {"rulebook": "1971", "home_default": "first_listed"}


def test_the_power_that_is_drawn_is_one_that_plays_with_the_options(client: TestClient) -> None:
    form = {"variant": "irish", "computers": "none", "option.majors": "Austria", "option.minors": "Belgium"}
    for _ in range(4):
        answer = client.post("/play", content=urlencode(form), headers=FORM)
        assert answer.status_code == 303, answer.text
        assert answer.headers["location"].partition("=")[2] in {"Austria", "Belgium"}


@pytest.mark.parametrize("level", BOTS)
def test_the_computers_are_chosen_by_name_in_plain_words(client: TestClient, level: str) -> None:
    words = str(BOTS[level].__doc__).rstrip(".")
    listed = f'<option value="{level}"{" selected" * (level == COMPUTER)}>{level.capitalize()}: {words[0].lower()}'
    for page in ("/", "/variants/corner"):
        assert listed + words[1:] in html.unescape(client.get(page).text)
    form = {"variant": "corner", "computers": "others", "player": level, "power": "Italy"}
    answer = client.post("/play", content=urlencode(form), headers=FORM)
    assert answer.status_code == 303, answer.text
    game = answer.headers["location"].partition("?")[0]
    players = {seat["name"]: seat["computer"] for seat in client.get(f"/api{game}").json()["powers"]}
    assert players.pop("Italy") is None
    assert set(players.values()) == {level}


def test_levels_that_would_not_think_are_not_offered(client: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("plenipo.bots.why_simple", lambda: "Numba is not installed here.")
    assert [(one.name, one.usual) for one in Computer.all()] == [("careless", False), ("sensible", True)]
    assert "Strongest" not in client.get("/variants/corner").text


def test_a_computer_there_is_not_is_refused(client: TestClient) -> None:
    form = {"variant": "corner", "computers": "others", "player": "genius"}
    answer = client.post("/play", content=urlencode(form), headers=FORM)
    assert answer.status_code in {404, 422}
    assert "genius" in answer.text


def test_what_cannot_be_played_together_is_not_offered() -> None:
    assert NewGameChoices.of("1897").partners == ("corner",)
    assert NewGameChoices.of("corner").partners == ("1897", "cline", "irish", "napoleonic")
    assert NewGameChoices.of("irish").partners == ("corner",)


def test_a_view_says_what_comes_next_and_what_the_signs_mean(client: TestClient) -> None:
    game = client.post("/api/games", json={"variant": "irish", "computers": "none"}).json()
    about = client.get(f"/api/games/{game['id']}").json()["about"]
    assert [phase["text"] for phase in about["next"]][:2] == ["Spring 1974 movement", "Fall 1974 movement"]
    assert {"kind": "shade", "words": "IRISH: puts the unit it meets in anarchy"} in about["signs"]
    assert about["rules"] == "/variants/irish/rules"


@pytest.mark.parametrize(
    ("text", "words", "understood"),
    [
        (
            "If France doesn't enter (PIE), give him 2 points.",
            "Understood: Italy gives France 2 points if France does not enter PIE. Italy has 0 points now; the",
            True,
        ),
        ("I shall be very grateful", "Not understood, the game master will decide it: ", False),
    ],
)
def test_a_promise_is_understood_or_not_while_it_is_written(
    client: TestClient, text: str, words: str, *, understood: bool
) -> None:
    game = client.post("/api/games", json={"variant": "irish", "computers": "none"}).json()
    answer = client.post(f"/api/games/{game['id']}/process", json={"phase_number": 1})
    assert answer.status_code == 200, answer.text
    asked = {"seat": "Italy", "text": f"PROMISE {text}"}
    reading = client.get(f"/api/games/{game['id']}/complete", params=asked).json()["reading"]
    assert reading["words"]["text"].startswith(words)
    assert reading["understood"] is understood


def test_an_unreadable_promise_causes_a_warning_on_submission(client: TestClient) -> None:
    game = client.post("/api/games", json={"variant": "irish", "computers": "none"}).json()
    assert client.post(f"/api/games/{game['id']}/process", json={"phase_number": 1}).status_code == 200
    number = client.get(f"/api/games/{game['id']}").json()["phase_number"]
    clear, unclear = "If France doesn't enter (PIE), give him 2 points.", "I shall be very grateful"
    body = {"phase_number": number, "seat": "Italy", "promises": [clear, unclear]}
    (message,) = client.post(f"/api/games/{game['id']}/orders", json=body).json()["messages"]
    assert message["text"].startswith(f"Not understood, the game master will decide it: '{unclear}'")
    assert client.post(f"/api/games/{game['id']}/orders", json=body).json()["messages"] == []

"""The list of the bank, searched by words, players and length."""

import re

import pytest
from fastapi.testclient import TestClient

from plenipo import library
from plenipo.server.web.library import entries, matching


def titles(page: str) -> list[str]:
    return re.findall(r'<h2><a href="/variants/([^"]*)">', page)


def test_the_page_lists_every_variant_of_the_bank(client: TestClient) -> None:
    page = client.get("/bank")
    assert page.status_code == 200
    assert sorted(titles(page.text)) == sorted(library.bank())
    assert f"{len(library.bank())} of {len(library.bank())} variants" in page.text


@pytest.mark.parametrize(
    ("query", "found"),
    [
        ("q=juggernaut", ["frankland-juggernaut"]),
        ("q=DUEL", ["france-austria"]),
        ("players=34", ["chaos"]),
        ("players=3&length=medium", ["france-germany-austria", "hundred"]),
        ("q=nothing+of+the+kind", []),
    ],
)
def test_it_is_searched_by_words_players_and_length(client: TestClient, query: str, found: list[str]) -> None:
    assert titles(client.get(f"/bank?{query}").text) == found


def test_what_is_searched_stands_in_the_page_as_text_alone(client: TestClient) -> None:
    page = client.get("/bank", params={"q": '"><b>'}).text
    assert "<b>" not in page
    assert client.get("/bank?players=many").status_code == 200


def test_a_variant_of_the_bank_has_its_pages_and_is_played(client: TestClient) -> None:
    for address in ("/variants/england-turkey", "/variants/england-turkey/rules"):
        assert client.get(address).status_code == 200
    opened = client.post("/play", data={"variant": "england-turkey"}, follow_redirects=False)
    assert opened.status_code == 303


def test_each_says_how_many_play() -> None:
    assert {entry.name: entry.players for entry in entries()} == {
        name: len(library.load(name).names) for name in library.bank()
    }


def test_the_list_is_sorted_by_players_and_title() -> None:
    keys = [(entry.players, entry.title) for entry in entries()]
    assert keys == sorted(keys)
    assert matching("") == entries()

"""The list of the library, searched by words, players, spaces, length and requirements."""

import re

import pytest
from fastapi.testclient import TestClient

from plenipo import library
from plenipo.server.web.library import LENGTHS, NEEDS, SIZES, LibrarySearch, entries, matching

NAMES = (*library.names(), *library.bank())


def titles(page: str) -> list[str]:
    return re.findall(r'<h2><a href="/variants/([^"]*)">', page)


def test_the_page_lists_every_variant(client: TestClient) -> None:
    page = client.get("/bank")
    assert page.status_code == 200
    assert sorted(titles(page.text)) == sorted(NAMES)
    assert f"{len(NAMES)} of {len(NAMES)} variants" in page.text


@pytest.mark.parametrize(
    ("query", "found"),
    [
        ("q=juggernaut", ["frankland-juggernaut"]),
        ("q=DUEL", ["france-austria"]),
        ("players=34", ["chaos"]),
        ("players=20-", ["irish", "chaos"]),
        ("players=3&length=medium", ["france-germany-austria", "hundred"]),
        ("spaces=-40", ["two-shores", "pure"]),
        ("spaces=77-79", ["ancient-mediterranean", "irish"]),
        ("spaces=79", ["ancient-mediterranean"]),
        ("needs=secrets&q=fog", ["fog-of-war"]),
        ("needs=money&players=2", ["intimate"]),
        ("needs=nothing&spaces=77-", ["ancient-mediterranean"]),
        ("q=nothing+of+the+kind", []),
        ("players=many", []),
        ("spaces=7-6", []),
        ("needs=luck", []),
    ],
)
def test_it_is_searched_by_words_and_filters(client: TestClient, query: str, found: list[str]) -> None:
    page = client.get(f"/bank?{query}")
    assert page.status_code == 200
    assert titles(page.text) == found


def test_each_choice_says_how_many_variants_it_leaves() -> None:
    search = LibrarySearch(players="7", length="medium")
    for name, choices in search.choices.items():
        assert choices
        for choice in choices:
            narrowed = LibrarySearch(**{"players": "7", "length": "medium", name: choice.value})
            assert choice.number == len(narrowed.find()) > 0, (name, choice)


def test_every_variant_has_a_choice_of_each_filter() -> None:
    search = LibrarySearch()
    for name, values in (("spaces", SIZES), ("length", LENGTHS), ("needs", NEEDS)):
        found = {entry.name for value in values for entry in LibrarySearch(**{name: value}).find()}
        own_rules = {entry.name for entry in entries() if not entry.needs}
        assert found | (own_rules if name == "needs" else set()) == set(NAMES)
    assert sum(choice.number for choice in search.choices["players"]) == len(NAMES)


def test_an_empty_result_says_what_to_leave_out(client: TestClient) -> None:
    page = client.get("/bank?q=juggernaut&players=7").text
    assert "No variants match." in page
    assert '<a href="/bank?players=7">the words</a>' in page
    assert '<a href="/bank?q=juggernaut">the number of players</a> (1 variant)' in page
    assert '<a href="/bank">Show all variants</a>' in page
    assert "Leaving out one filter is not enough" in client.get("/bank?q=zzzz&players=99").text


def test_a_filter_that_is_set_stays_in_the_page(client: TestClient) -> None:
    page = client.get("/bank?players=3&spaces=-40&needs=orders&q=%26").text
    assert re.search(r'<option value="3" selected>3 \(', page)
    assert re.search(r'<option value="-40" selected>up to 40 \(0\)', page)
    assert re.search(r'<option value="orders" selected>Other orders and choices', page)
    assert 'value="&amp;"' in page


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
    assert {entry.name: entry.players for entry in entries()} == {name: len(library.load(name).names) for name in NAMES}


def test_the_list_is_sorted_by_players_and_title() -> None:
    keys = [(entry.players, entry.title) for entry in entries()]
    assert keys == sorted(keys)
    assert matching("") == entries()

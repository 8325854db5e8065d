"""Pages whose address has wrong or missing parts after the question mark: each is answered by a page."""

import re
from collections.abc import Iterator
from html import unescape
from itertools import product
from urllib.parse import urlencode

import pytest
from fastapi.dependencies.models import Dependant
from fastapi.routing import APIRoute
from fastapi.testclient import TestClient

from browser.every_page import NOT_PAGES
from plenipo.server.web.app import PARTS

WRONG = ("", "narnia", "-1", "1.5", "9" * 30, "x" * 300, "\u202e\x00", "<b>&'\"", "observer,all")
"""Values of which most parameters understand none."""


def _names_of(dependant: Dependant) -> Iterator[str]:
    yield from (field.alias for field in dependant.query_params)
    for part in dependant.dependencies:
        yield from _names_of(part)


PAGES = {
    route.path: tuple(dict.fromkeys(_names_of(route.dependant)))
    for part in PARTS
    for route in part.router.routes
    if isinstance(route, APIRoute) and "GET" in (route.methods or ()) and not NOT_PAGES.search(route.path)
}
"""The paths of all pages with the names of their parameters."""

ASKING = {path: names for path, names in PAGES.items() if names}


@pytest.fixture
def game(client: TestClient) -> str:
    """The id of a game whose seats the browser has."""
    answer = client.post("/play", data={"variant": "standard", "computers": "none"})
    return answer.headers["location"].partition("?")[0].rpartition("/")[2]


def look_at(client: TestClient, address: str) -> int:
    """Return the status of a page; fail unless an error is a page with one sentence."""
    answer = client.get(address, follow_redirects=False)
    if answer.status_code in (303, 307):
        assert answer.headers["location"].startswith("/"), address
        return answer.status_code
    assert answer.headers["content-type"].startswith("text/html"), address
    assert answer.text.count("<h1") == 1, address
    if answer.status_code >= 400:
        sentence = re.search(r'<p (?:id|class)="fault"[^>]*>([^<]*)</p>', answer.text)
        assert sentence, address
        assert re.fullmatch(r"\S.*[.?]", unescape(sentence[1]), re.DOTALL), (address, sentence[1])
        assert "Unprocessable" not in answer.text
    return answer.status_code


def filled(path: str, game: str) -> str:
    return re.sub(r"\{\w+\}", lambda part: game if part[0] == "{game}" else "x", path)


def test_the_pages_with_parameters_are_those_we_know(client: TestClient) -> None:
    del client
    assert {"/position", "/position/edit", "/find", "/bank", "/leaderboard", "/games/{game}"} <= ASKING.keys()


FINE = (200, 303, 401, 403, 404, 409, 422)
"""Statuses of a page without parameters; 409 is that of a game that is not finished."""


def test_no_page_needs_anything_after_the_question_mark(client: TestClient, game: str) -> None:
    statuses = {path: look_at(client, filled(path, game)) for path in PAGES}
    assert {path: status for path, status in statuses.items() if status not in FINE} == {}
    plain = {path for path in ASKING if "{" not in path or path == "/games/{game}"}
    # the page of an account asks for a person first
    assert {path: statuses[path] for path in plain if statuses[path] not in (200, 303)} == {"/me/reach": 401}


def test_a_wrong_parameter_is_answered_by_a_page(client: TestClient, game: str) -> None:
    for path, names in ASKING.items():
        address = filled(path, game)
        for name, value in product(names, WRONG):
            wrong = f"{address}?{urlencode({name: value})}"
            status = look_at(client, wrong)
            assert status in FINE, wrong
            if status == 422:
                assert f'href="{address}"' in client.get(wrong).text, wrong


def test_the_editor_of_positions_begins_with_a_choice_of_variants(client: TestClient) -> None:
    page = client.get("/position/edit")
    assert page.status_code == 200
    assert '<option value="standard" selected>' in page.text
    assert '<option value="1897">' in page.text


def test_a_link_without_its_variant_or_its_position_says_so_or_leads_to_the_editor(client: TestClient) -> None:
    assert client.get("/position", follow_redirects=False).headers["location"] == "/position/edit"
    assert client.get("/position?v=1897", follow_redirects=False).headers["location"] == "/position/edit?v=1897"
    page = client.get("/position?p=eJyrVkrOSM1VslIyVNJRKlCyMqwFAC1HBQ8")
    assert (page.status_code, "does not name its variant" in page.text) == (422, True)


def test_a_wrong_value_is_named_and_the_page_without_it_is_offered(client: TestClient, game: str) -> None:
    page = client.get(f"/games/{game}?turn=soon")
    text = unescape(page.text)
    assert (page.status_code, "'turn' cannot be used" in text, f'href="/games/{game}"' in text) == (422, True, True)

"""The editor of positions: from any position of a game or the opening to another, by a form."""

import re
from html import unescape
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest
from fastapi.testclient import TestClient

from plenipo import library
from plenipo.server import uploads


def fields_of(page: str) -> dict[str, str]:
    """Return the fields of the form with the values that it begins with."""
    found = dict(re.findall(r'name="([^"]+)"[^>]* value="([^"]*)"', page))
    step = re.search(r'<option value="([^"]+)" selected', page)
    assert step
    return {**{name: value for name, value in found.items() if name not in ("language", "back")}, "step": step[1]}


def submit(client: TestClient, **changes: str) -> Any:
    fields = {**fields_of(client.get("/position/edit?v=standard").text), **changes}
    return client.post("/position/edit", data=fields)


def edit(client: TestClient, **changes: str) -> Any:
    """Return the position that the form leads to."""
    answer = submit(client, **changes)
    assert answer.status_code == 303, answer.text
    query = parse_qs(urlsplit(answer.headers["location"]).query)
    return uploads.unpack_position(query["p"][0], library.load("standard"))


def test_a_form_without_changes_leads_to_the_same_position(client: TestClient) -> None:
    assert edit(client) == library.load("standard").opening


def test_units_centres_and_phase_are_as_in_the_form(client: TestClient) -> None:
    changes = {"units France": "A MUN, F STP/SC", "units Germany": "", "centres France": "PAR, MUN"}
    changes |= {"units Russia": "A MOS", "centres Germany": "BER", "step": "Winter|adjustments", "year": "1905"}
    position = edit(client, **changes)
    assert str(position.phase) == "Winter 1905 adjustments"
    assert sorted(map(str, position.units_of(library.load("standard").power("France")))) == ["A MUN", "F STP/SC"]
    assert position.owners["MUN"] == "France"
    assert client.get(submit(client, **changes).headers["location"]).status_code == 200


RETREAT = {
    "step": "Spring|retreats",
    "units Germany": "A PAR, F KIE, A BER",
    "units France": "F BRE, A MAR",
    "dislodged France": "A PAR from BUR",
}
"""A retreat phase in which the army in Paris was dislodged from Burgundy."""


def test_units_are_dislodged_in_a_retreat_phase_and_cannot_go_where_their_attacker_came_from(
    client: TestClient,
) -> None:
    position = edit(client, **RETREAT)
    (dislodged,) = position.dislodged
    assert (str(dislodged.unit), dislodged.barred) == ("A PAR", ("BUR",))
    assert str(position.phase) == "Spring 1901 retreats"


def test_a_form_of_dislodged_units_without_changes_leads_to_the_same_position(client: TestClient) -> None:
    first = submit(client, **RETREAT).headers["location"]
    query = parse_qs(urlsplit(first).query)
    again = client.get("/position/edit", params={"v": "standard", "p": query["p"][0]})
    answer = client.post("/position/edit", data=fields_of(again.text))
    assert answer.status_code == 303, answer.text
    assert answer.headers["location"] == first
    later = client.post("/position/edit", data={**fields_of(again.text), "step": "Fall|movement"})
    after = uploads.unpack_position(
        parse_qs(urlsplit(later.headers["location"]).query)["p"][0], library.load("standard")
    )
    assert after.dislodged == ()


@pytest.mark.parametrize(
    ("changes", "piece"),
    [
        ({"units France": "A XYZ"}, "XYZ"),
        ({"units France": "A PAR, A PAR"}, "PAR"),
        ({"units France": "F PAR"}, "PAR"),
        ({"centres France": "BUR"}, "centre"),
        ({"year": "soon"}, "'soon' is not a year"),
        ({"step": "Summer|movement"}, "Summer"),
        ({"dislodged France": "A BUR"}, "retreat phase"),
        ({"step": "Spring|retreats", "dislodged France": "A XYZ"}, "XYZ"),
        ({"step": "Spring|retreats", "dislodged France": "A BUR from XYZ"}, "XYZ"),
    ],
)
def test_an_impossible_position_is_refused_with_the_piece(
    client: TestClient, changes: dict[str, str], piece: str
) -> None:
    answer = submit(client, **changes)
    assert (answer.status_code, piece in unescape(answer.text)) == (422, True)


def test_the_position_of_the_form_is_drawn_and_an_impossible_one_is_refused_with_the_piece(client: TestClient) -> None:
    fields = fields_of(client.get("/position/edit?v=standard").text)
    drawn = client.post("/position/edit.svg", data={**fields, "units France": "A MUN", "units Germany": ""})
    assert (drawn.status_code, drawn.headers["content-type"]) == (200, "image/svg+xml")
    assert 'data-space="MUN"' in drawn.text
    refused = client.post("/position/edit.svg", data={**fields, "units France": "A XYZ"})
    assert (refused.status_code, "XYZ" in refused.json()["error"]["message"]) == (422, True)


def test_every_variant_has_the_form(client: TestClient) -> None:
    for name in ("hundred", "irish", "1897"):
        page = client.get(f"/position/edit?v={name}")
        assert page.status_code == 200
        assert client.post("/position/edit", data=fields_of(page.text)).status_code == 303, name

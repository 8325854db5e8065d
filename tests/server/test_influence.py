"""Provinces tinted by the last unit in them, as far as the viewer has seen it."""

import re
from typing import Any

import pytest
from fastapi.testclient import TestClient


def play(client: TestClient, variant: str = "standard") -> dict[str, Any]:
    """A game at one screen in which a German army went to Tyrolia and back."""
    game: dict[str, Any] = client.post("/api/games", json={"variant": variant, "computers": "none"}).json()
    for number, order in enumerate(("A MUN - TYO", "A TYO - MUN"), 1):
        body = {"phase_number": number, "seat": "Germany", "give": [order]}
        assert client.post(f"/api/games/{game['id']}/orders", json=body).status_code == 200
        assert client.post(f"/api/games/{game['id']}/process", json={"phase_number": number}).status_code == 200
    return game


def class_of(picture: str, space: str) -> str:
    """Return the classes of the face of a space."""
    tags: list[str] = re.findall(r"<path [^>]*>", picture)
    for tag in tags:
        if f'data-space="{space}"' in tag and 'class="space' in tag:
            return tag
    raise AssertionError(space)


@pytest.mark.parametrize(("turn", "german"), [(0, False), (1, True), (2, True)])
def test_a_province_has_the_colour_of_its_last_unit(client: TestClient, *, turn: int, german: bool) -> None:
    game = play(client)
    address = f"/games/{game['id']}/picture.svg?turn={turn}"
    assert "p-germany" not in class_of(client.get(address).text, "TYO")
    tinted = client.get(f"{address}&influence=1").text
    assert ("p-germany" in class_of(tinted, "TYO")) == german
    assert "p-germany" not in class_of(tinted, "VIE"), "a centre has the colour of its owner"


def test_in_fog_a_power_sees_no_influence_of_units_that_it_has_not_seen(client: TestClient) -> None:
    game = play(client, "fog-of-war")
    address = f"/games/{game['id']}/picture.svg?turn=2&influence=1"
    assert "p-germany" in class_of(client.get(f"{address}&seat=Germany").text, "TYO")
    assert "p-germany" not in class_of(client.get(f"{address}&seat=Turkey").text, "TYO")

"""No request ends the server, whatever is wrong with it: each is answered, and so is the next."""

from random import Random

import pytest
from fastapi.testclient import TestClient

from odd_requests import Asker, Table, routes
from server.loops import alone

SHARES = 4
"""Every share is a server of its own, so that several processes can take them."""


@pytest.mark.parametrize("share", range(SHARES))
def test_every_odd_request_ends_in_an_answer_and_the_next_one_is_answered(share: int) -> None:
    async def ask() -> list[str]:
        asker = Asker(Table(Random(f"odd requests {share}")))
        found = []
        for _ in range(60):
            request = asker.table.odd()
            if wrong := await asker.ask(request) or await asker.ask_as_usual():
                found.append(f"{wrong}: {request}")
        return found

    assert alone(ask()) == []


@pytest.mark.parametrize("share", range(SHARES))
def test_every_route_is_asked_as_it_could_be_meant(share: int) -> None:
    async def ask() -> list[str]:
        asker = Asker(Table(Random(f"routes {share}")))
        asked = [asker.table.request(method, path) for method, path in routes()[share::SHARES]]
        return [f"{wrong}: {request}" for request in asked if (wrong := await asker.ask(request))]

    assert alone(ask()) == []


def test_the_routes_of_lobbies_hosts_and_times_are_among_those_that_are_asked() -> None:
    paths = {path for _, path in routes()}
    assert {"/host", "/variants/{variant}/host", "/games/{game}/join", "/games/{game}/leave"} <= paths
    assert {f"/api/games/{{game}}/{act}" for act in ("join", "leave", "start", "time")} <= paths


@pytest.mark.parametrize("address", ["/play", "/host", "/games/abc/join"])
def test_a_form_of_too_many_fields_is_refused_in_a_sentence(client: TestClient, address: str) -> None:
    answer = client.post(address, content="a=1&" * 300, headers={"content-type": "application/x-www-form-urlencoded"})
    assert answer.status_code == 400
    assert "This form has more than 100 fields." in answer.text

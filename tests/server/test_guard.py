"""Access control: the server's host names, the pages that may change games, and limits on opening games."""

import pytest
from fastapi.testclient import TestClient

from plenipo.server.service import GameService
from plenipo.server.web.app import create_app


def test_another_name_is_refused(service: GameService) -> None:
    app = create_app(service, names=("127.0.0.1", "localhost", "::1"))
    for name, status in {
        "localhost:8021": 200,
        "127.0.0.1": 200,
        "[::1]:80": 200,
        "evil.example": 400,
        "": 400,
    }.items():
        with TestClient(app, base_url="http://127.0.0.1") as client:
            answer = client.get("/api/variants", headers={"host": name})
            assert answer.status_code == status, name
            assert answer.headers["x-frame-options"] == "DENY"


FOREIGN = [
    {"origin": "https://evil.example"},
    {"origin": "null"},
    {"origin": "http://testserver:81"},
    {"sec-fetch-site": "cross-site"},
    {"sec-fetch-site": "same-site", "origin": "http://testserver"},
]
OWN = [{}, {"origin": "http://testserver"}, {"origin": "null", "sec-fetch-site": "same-origin"}]


@pytest.mark.parametrize("headers", FOREIGN)
def test_nothing_is_changed_for_a_page_of_another_server(
    client: TestClient, service: GameService, headers: dict[str, str]
) -> None:
    game = client.post("/api/games", json={"variant": "standard"}).json()["id"]
    before = service.store.count(), service.games.revision(game)
    assert client.post("/play", data={"variant": "standard"}, headers=headers).status_code == 403
    for method, address, body in (
        ("POST", "/api/games", {"variant": "standard"}),
        ("POST", f"/api/games/{game}/orders", {"phase_number": 1, "seat": "France", "give": ["A PAR H"]}),
        ("PUT", f"/api/games/{game}/orders", {"phase_number": 1, "seat": "France", "orders": []}),
        ("POST", f"/api/games/{game}/process", {"phase_number": 1}),
        ("DELETE", f"/api/games/{game}", None),
    ):
        answer = client.request(method, address, json=body, headers=headers)
        assert (answer.status_code, answer.json()["error"]["code"]) == (403, "foreign")
    assert (service.store.count(), service.games.revision(game)) == before
    assert client.get(f"/api/games/{game}", headers=headers).status_code == 200


@pytest.mark.parametrize("headers", OWN)
def test_pages_of_the_server_itself_and_programs_change_games(client: TestClient, headers: dict[str, str]) -> None:
    assert client.post("/play", data={"variant": "standard"}, headers=headers).status_code == 303
    assert client.post("/api/games", json={"variant": "standard"}, headers=headers).status_code == 201


@pytest.mark.parametrize("where", ["cookie", "address", "many headers"])
def test_an_address_or_headers_that_are_too_large_are_refused(client: TestClient, where: str) -> None:
    large = "a-" * 20_000
    address = f"/about?x={large}" if where == "address" else "/api/variants"
    headers = {"cookie": f"language={large}"} if where == "cookie" else {}
    if where == "many headers":
        headers = {f"x-{number}": "y" * 100 for number in range(400)}
    answer = client.get(address, headers=headers)
    assert answer.status_code == 431
    assert "the limit is 32768 bytes" in answer.text

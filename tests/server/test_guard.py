"""Who may ask what: names the server answers to, pages that may change games, and how often games may be opened."""

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

import pytest
from fastapi.testclient import TestClient

from plenipo.server.errors import TooOften
from plenipo.server.host import Host
from plenipo.server.limits import Limit
from plenipo.server.web.app import create_app


def test_another_name_is_refused(host: Host) -> None:
    app = create_app(host, names=("127.0.0.1", "localhost", "::1"))
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
    client: TestClient, host: Host, headers: dict[str, str]
) -> None:
    game = client.post("/api/games", json={"variant": "standard"}).json()["id"]
    before = host.store.count(), host.revision(game)
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
    assert (host.store.count(), host.revision(game)) == before
    assert client.get(f"/api/games/{game}", headers=headers).status_code == 200


@pytest.mark.parametrize("headers", OWN)
def test_pages_of_the_server_itself_and_programs_change_games(client: TestClient, headers: dict[str, str]) -> None:
    assert client.post("/play", data={"variant": "standard"}, headers=headers).status_code == 303
    assert client.post("/api/games", json={"variant": "standard"}, headers=headers).status_code == 201


@dataclass
class ManualClock:
    """A clock that stands still."""

    at: datetime = datetime(2026, 1, 1, tzinfo=UTC)

    def now(self) -> datetime:
        return self.at


def test_so_many_games_are_opened_in_an_hour_and_then_no_more() -> None:
    clock = ManualClock()
    limit = Limit("games were opened", 3, timedelta(hours=1), clock)
    for _ in range(3):
        limit.take("203.0.113.1")
        clock.at += timedelta(minutes=10)
    with pytest.raises(TooOften, match=r"^Too many games were opened from one address; try again in 30 minutes\.$"):
        limit.take("203.0.113.1")
    limit.take("203.0.113.2")
    clock.at += timedelta(minutes=30)
    limit.take("203.0.113.1")
    with pytest.raises(TooOften):
        limit.take("203.0.113.1")


def test_a_network_of_ipv6_is_one_address_and_this_machine_is_not_limited() -> None:
    limit = Limit("games were opened", 1, timedelta(hours=1), ManualClock())
    limit.take("2001:db8::1")
    with pytest.raises(TooOften):
        limit.take("2001:db8::2")
    limit.take("2001:db8:0:1::1")
    for _ in range(3):
        limit.take("127.0.0.1")
        limit.take("::1")


def test_opening_forking_and_uploading_are_limited_together(client: TestClient, host: Host) -> None:
    client.app.state.services.openings = Limit("games were opened", 3, timedelta(hours=1), host.clock)  # type: ignore[attr-defined]
    game = client.post("/api/games", json={"variant": "standard"}).json()["id"]
    record = client.get(f"/api/games/{game}/record").json()
    assert client.post("/api/games/upload", json=record).status_code == 201
    assert client.post(f"/api/games/{game}/fork", json={}).status_code == 201
    for address, body in (("/api/games", {"variant": "standard"}), (f"/api/games/{game}/fork", {})):
        answer = client.post(address, json=body)
        assert (answer.status_code, answer.json()["error"]["code"]) == (429, "too_often")
    assert client.post("/play", data={"variant": "standard"}).status_code == 429
    assert host.store.count() == 3

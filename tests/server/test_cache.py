"""ResponseCache are made once, kept for a while, and given in the form a browser takes."""

import gzip
import time

import pytest
from fastapi.testclient import TestClient

from plenipo.server.store import Store
from plenipo.server.web import cache
from plenipo.server.web.cache import Payload, ResponseCache, headers_of
from waiting import run_together


def test_many_simultaneous_requests_compute_an_answer_once() -> None:
    kept, made = ResponseCache(), []

    def make() -> Payload:
        made.append(1)
        time.sleep(0.02)
        return Payload(b"x" * 1000, "text/plain")

    run_together(*8 * [lambda: kept.get("key", make)])
    assert len(made) == 1
    assert kept.find("key") is not None


def test_the_oldest_answers_make_room() -> None:
    kept, size = ResponseCache(), cache.MOST_BYTES // 4
    for number in range(8):
        kept.get(number, lambda: Payload(bytes(size), "image/png"))
    assert kept.find(0) is None
    assert kept.find(7) is not None


def test_what_could_not_be_made_is_not_kept() -> None:
    kept = ResponseCache()

    def broken() -> Payload:
        raise ValueError("no")

    for _ in range(2):
        with pytest.raises(ValueError, match="no"):
            kept.get("key", broken)
    assert kept.get("key", lambda: Payload(b"", "text/plain")).body == b""


def test_a_browser_gets_what_it_takes() -> None:
    answer = Payload(b"word " * 1000, "text/plain")
    _, packed, body = headers_of(answer, "", "gzip, br", "no-cache")
    assert packed["content-encoding"] == "gzip"
    assert gzip.decompress(body) == answer.body
    assert headers_of(answer, "", "", "no-cache")[2] == answer.body
    assert headers_of(answer, f'W/"x", {answer.tag}', "gzip", "no-cache")[0] == 304


def test_the_short_way_says_what_the_long_way_says_and_forgets_when_the_game_goes_on(
    client: TestClient, store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = client.post("/api/games", json={"variant": "standard"}).json()["id"]
    asked: list[str] = []
    glance = store.glance

    def counted(name: str) -> int | None:
        asked.append(name)
        return glance(name)

    monkeypatch.setattr(store, "glance", counted)
    first = client.get(f"/api/games/{game}?seat=observer")
    before = len(asked)
    second = client.get(f"/api/games/{game}?seat=observer")
    assert len(asked) == before + 1
    assert (second.text, second.headers["etag"]) == (first.text, first.headers["etag"])
    assert second.headers["content-security-policy"] == first.headers["content-security-policy"]
    client.post(f"/api/games/{game}/process", json={"phase_number": 1})
    assert client.get(f"/api/games/{game}?seat=observer").json()["phase_number"] == 2
    own = client.get(f"/api/games/{game}").json()["viewer"]["seat"]
    client.cookies.clear()
    assert (own, client.get(f"/api/games/{game}").json()["viewer"]["seat"]) == ("all", None)

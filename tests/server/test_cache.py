"""ResponseCache are made once, kept for a while, and given in the form a browser takes."""

import gzip
import time
from collections.abc import Awaitable
from typing import Any

import pytest
from fastapi.testclient import TestClient
from starlette.types import Message, Receive, Scope, Send

from plenipo.server.store import Store
from plenipo.server.web import cache, etags
from plenipo.server.web.cache import Payload, ResponseCache, headers_of
from plenipo.server.web.etags import AnswerUnchanged, KnownReply
from server.loops import alone
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


class ManyAnswers:
    """An app that answers every request with the same bytes, and the layer before it that remembers answers."""

    def __init__(self, store: Store, body: bytes) -> None:
        self.made, self.payload = 0, Payload(body, "image/png")
        self.layer = AnswerUnchanged(self._answer, store)

    async def _answer(self, scope: Scope, receive: Receive, send: Send) -> None:
        del receive
        self.made += 1
        scope[etags.KNOWN] = KnownReply("game", 1, self.payload)
        await send({"type": "http.response.start", "status": 200, "headers": []})

    def ask(self, query: bytes, **headers: str) -> int:
        """Return how many answers the app has made after this request."""
        raw = [(name.replace("_", "-").encode(), value.encode()) for name, value in headers.items()]
        scope: Scope = {"type": "http", "method": "GET", "path": "/", "query_string": query, "headers": raw}

        async def receive() -> Message:
            return {"type": "http.request"}

        async def send(message: Message) -> None:
            del message

        alone(_run(self.layer(scope, receive, send)))
        return self.made


async def _run(answered: Awaitable[None]) -> None:
    await answered


def test_an_answer_to_a_long_request_is_not_remembered(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(store, "glance", lambda _: 1)
    short = ManyAnswers(store, b"answer")
    assert [short.ask(b"seat=France"), short.ask(b"seat=France")] == [1, 1]
    long_ones: list[dict[str, Any]] = [{"query": bytes(2100)}]
    long_ones += [{"query": b"", name: 2100 * "x"} for name in ("authorization", "cookie", "accept_language")]
    for long in long_ones:
        asked = ManyAnswers(store, b"answer")
        assert [asked.ask(**long), asked.ask(**long)] == [1, 2], long


def test_remembered_answers_take_no_more_than_their_share_of_memory(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(store, "glance", lambda _: 1)
    size = etags.MOST_BYTES // 4
    asked = ManyAnswers(store, bytes(size))
    for number in range(8):
        asked.ask(f"turn={number}".encode())
    assert asked.ask(b"turn=7") == 8
    assert asked.ask(b"turn=0") == 9
    huge = ManyAnswers(store, bytes(etags.MOST_BYTES + 1))
    assert [huge.ask(b""), huge.ask(b"")] == [1, 2]

"""Recent answers about unchanged games, repeated without running the app.

Most requests come from spectators who reload the same page. Where the store can return a game's
revision without waiting, the answer is sent at once.
"""

from collections.abc import Awaitable
from contextlib import suppress
from typing import NamedTuple

from cachetools import LRUCache
from starlette.datastructures import Headers
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from plenipo.server.store import Store
from plenipo.server.web.cache import Payload, headers_of

__all__ = ["AnswerUnchanged", "KnownReply"]

MOST_BYTES = 32 * 1024 * 1024
"""The most bytes of the cached answers, with the requests they answer."""

LONGEST_QUESTION = 2048
"""The most characters of a request whose answer is cached: its address, credentials and languages."""

OVERHEAD = 500
"""The bytes that an entry takes beside its texts, roughly."""

KNOWN = "plenipo.known"
"""The key in the scope of a request under which a route leaves a cacheable answer."""

RequestKey = tuple[str, bytes, str, str, str]


class KnownReply(NamedTuple):
    """An answer about a game at a revision."""

    game: str
    revision: int
    payload: Payload


class _Kept(NamedTuple):
    """A cached answer, and the bytes that it and its request take."""

    reply: KnownReply
    size: int


def _size_of(kept: _Kept) -> int:
    return kept.size


class AnswerUnchanged:
    """The layer between the guard and the app."""

    def __init__(self, app: ASGIApp, store: Store) -> None:
        self.app, self.store = app, store
        self._known: LRUCache[RequestKey, _Kept] = LRUCache(MOST_BYTES, _size_of)

    def __call__(self, scope: Scope, receive: Receive, send: Send) -> Awaitable[None]:
        """Send a cached answer, or let the app answer and cache it."""
        if scope["type"] != "http" or scope["method"] != "GET" or not self.store.glances:
            return self.app(scope, receive, send)
        return self._answer(scope, receive, send)

    async def _answer(self, scope: Scope, receive: Receive, send: Send) -> None:
        headers = Headers(scope=scope)
        # everything apart from the game on which an answer may depend
        question = (
            scope["path"],
            scope.get("query_string", b""),
            headers.get("authorization", ""),
            headers.get("cookie", ""),
            headers.get("accept-language", ""),
        )
        length = sum(map(len, question))
        if length > LONGEST_QUESTION:
            await self.app(scope, receive, send)
            return
        kept = self._known.get(question)
        if kept is not None and self.store.glance(kept.reply.game) == kept.reply.revision:
            await _send(kept.reply.payload, headers, send)
            return
        status = 0

        async def note_status(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
            await send(message)

        await self.app(scope, receive, note_status)
        reply = scope.get(KNOWN)
        if isinstance(reply, KnownReply) and status in {200, 304}:
            with suppress(ValueError):  # one that is larger than all there is room for
                self._known[question] = _Kept(reply, length + reply.payload.size + OVERHEAD)


async def _send(payload: Payload, headers_sent: Headers, send: Send) -> None:
    status, headers, body = headers_of(
        payload, headers_sent.get("if-none-match", ""), headers_sent.get("accept-encoding", ""), "private, no-cache"
    )
    if status == 200:
        headers = {**headers, "content-type": payload.kind, "content-length": str(len(body))}
    raw = [(name.encode("latin-1"), value.encode("latin-1")) for name, value in headers.items()]
    await send({"type": "http.response.start", "status": status, "headers": raw})
    await send({"type": "http.response.body", "body": body})

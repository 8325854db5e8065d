"""A cache of answers that are made once and sent often, such as to the spectators of a game."""

import gzip
import hashlib
from collections.abc import Callable, Hashable
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cached_property
from threading import Lock

from cachetools import LRUCache
from starlette.requests import Request
from starlette.responses import Response

from plenipo.server.web.models import Model

__all__ = ["Payload", "ResponseCache", "headers_of", "respond"]

LEVEL = 4
"""The compression level: one more takes twice the time for 3 % fewer bytes."""

PACKED = ("image/png", "font/")
"""Kinds that are compressed already."""

SMALLEST = 600
"""The fewest bytes that are compressed."""

MOST_BYTES = 64 * 1024 * 1024
"""The most bytes that are kept."""


@dataclass(frozen=True)
class Payload:
    """The bytes of an answer and their type, with the same bytes compressed at a `level` and their ETag."""

    body: bytes
    kind: str = "application/json"
    level: int = field(default=LEVEL, repr=False, compare=False)
    packed: bytes | None = field(init=False)

    def __post_init__(self) -> None:
        pays = len(self.body) >= SMALLEST and not self.kind.startswith(PACKED)
        object.__setattr__(self, "packed", gzip.compress(self.body, self.level, mtime=0) if pays else None)

    @classmethod
    def of(cls, model: Model) -> "Payload":
        """Return a model as JSON."""
        return cls(model.model_dump_json(exclude_defaults=model.lean).encode())

    @cached_property
    def tag(self) -> str:
        """Return the ETag of these bytes."""
        return f'"{hashlib.sha256(self.body).hexdigest()[:32]}"'

    @property
    def size(self) -> int:
        """The memory it takes, in bytes."""
        return len(self.body) + len(self.packed or b"")


class ResponseCache:
    """The newest answers by key; safe to use from several threads, and nothing is made twice at the same time."""

    def __init__(self) -> None:
        self._payloads: LRUCache[Hashable, Payload] = LRUCache(MOST_BYTES, lambda payload: payload.size)
        self._guard = Lock()
        self._making: dict[Hashable, Lock] = {}

    def find(self, key: Hashable) -> Payload | None:
        """Return the answer cached under `key`, None if there is none."""
        with self._guard:
            return self._payloads.get(key)

    def get(self, key: Hashable, make: Callable[[], Payload]) -> Payload:
        """Return the answer cached under `key`, or make it now."""
        payload = self.find(key)
        if payload is not None:
            return payload
        with self._guard:
            lock = self._making.setdefault(key, Lock())
        with lock:
            payload = self.find(key)
            if payload is None:
                try:
                    payload = make()
                    with self._guard, suppress(ValueError):  # one that is larger than all there is room for
                        self._payloads[key] = payload
                finally:
                    with self._guard:
                        self._making.pop(key, None)
        return payload


def headers_of(payload: Payload, has: str, takes: str, cache: str) -> tuple[int, dict[str, str], bytes]:
    """Return status, headers and body for a browser that `has` some tags already and `takes` some encodings."""
    vary = (
        "accept-encoding" if cache.startswith("public") else "accept-encoding, accept-language, cookie, authorization"
    )
    headers = {"etag": payload.tag, "vary": vary, "cache-control": cache}
    if payload.tag in has:
        return 304, headers, b""
    if payload.packed is not None and "gzip" in takes:
        return 200, {**headers, "content-encoding": "gzip"}, payload.packed
    return 200, headers, payload.body


def respond(request: Request, payload: Payload, *, cache: str = "private, no-cache") -> Response:
    """Return the answer for this browser: compressed if accepted, and without a body if it has it already."""
    has, takes = (request.headers.get(name, "") for name in ("if-none-match", "accept-encoding"))
    status, headers, body = headers_of(payload, has, takes, cache)
    return Response(body or None, status, headers, None if status == 304 else payload.kind)

"""The guard of every request: allowed host names, limits on bodies, and the headers of every answer."""

from collections.abc import Collection
from contextlib import suppress

from starlette.datastructures import Headers, MutableHeaders
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from plenipo.server.web.errors import refuse
from plenipo.server.web.models import Fault

__all__ = ["LARGE_BODY", "MOST_OF_HEAD", "SMALL_BODY", "Guard"]

MOST_OF_HEAD = 32 * 1024
"""The most bytes of an address with all headers."""

SMALL_BODY = 64 * 1024
"""The most bytes of a body."""

LARGE_BODY = 8 * 1024 * 1024
"""The most bytes of a game record."""

LARGE = frozenset({"/api/games/open", "/api/games/upload"})
"""The addresses that accept a record or another file."""

_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; font-src 'self'; "
    "connect-src 'self'; manifest-src 'self'; worker-src 'self'; form-action 'self'; base-uri 'none'; "
    "frame-ancestors 'none'"
)
_PICTURE_POLICY = "default-src 'none'; style-src 'unsafe-inline'; font-src data:; sandbox"

_HEAD_TOO_LARGE = "The address and headers are too large; the limit is {} bytes. Deleting this site's cookies helps."
_TOO_LARGE = "The request is too large; the limit is {} bytes."
_NOT_JSON = "Send JSON, with the header 'Content-Type: application/json'."

_READING = frozenset({"GET", "HEAD", "OPTIONS"})
"""The methods that change nothing."""

HEADERS = {
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    "referrer-policy": "same-origin",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "permissions-policy": "camera=(), geolocation=(), microphone=()",
}

LASTING_HTTPS = "max-age=31536000"
"""The `Strict-Transport-Security` header: HTTPS alone for a year."""


class Guard:
    """The outermost layer of the app.

    `names` are the host names it answers to, None for any: a server on a private machine answers only to the names of
    that machine, so that no other page can reach it under a name of its own. Whatever the names, a page of another
    server can change nothing.
    """

    def __init__(self, app: ASGIApp, names: Collection[str] | None = None) -> None:
        self.app = app
        self.names = None if names is None else frozenset(name.casefold() for name in names)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Let a request through, or refuse it."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        headers = Headers(scope=scope)

        async def send_guarded(message: Message) -> None:
            if message["type"] == "http.response.start":
                _add_headers(MutableHeaders(scope=message), secure=scope["scheme"] == "https")
            try:
                await send(message)
            except RuntimeError as error:
                if "closed" not in str(error):
                    raise
                # the client sent garbage after the request and was disconnected: no answer is possible

        fault = self._fault(scope, headers)
        if fault is not None:
            plain = PlainTextResponse(f"{fault.message}\n", fault.status)
            answer = refuse(fault) if scope["path"].startswith("/api/") else plain
            await answer(scope, receive, send_guarded)
            return
        with suppress(ClientDisconnect):
            await self.app(scope, _limit_size(receive, _limit(scope)), send_guarded)

    def _fault(self, scope: Scope, headers: Headers) -> Fault | None:
        """Return the reason to refuse a request before it reaches the app."""
        if _size_of_head(scope) > MOST_OF_HEAD:
            return Fault(status=431, code="too_large", message=_HEAD_TOO_LARGE.format(MOST_OF_HEAD))
        host = headers.get("host", "")
        if self.names is not None and _host_name(host) not in self.names:
            known = " or ".join(sorted(self.names))
            return Fault(status=400, code="malformed", message=f"This server answers to {known} only.")
        if scope["method"] not in _READING and _foreign(headers, host):
            return Fault(status=403, code="foreign", message="Only pages of this server itself may change its games.")
        if "\0" in scope["path"]:
            return Fault(status=404, code="not_found", message="There is nothing at this address.")
        length = headers.get("content-length", "0")
        if not length.isdecimal():
            return Fault(status=400, code="malformed", message="The length of the body is not a number.")
        most = _limit(scope)
        if int(length[:20]) > most:
            return Fault(status=413, code="too_large", message=_TOO_LARGE.format(most))
        if scope["path"].startswith("/api/") and scope["method"] in {"POST", "PUT", "PATCH"}:
            kind = headers.get("content-type", "").partition(";")[0].strip().casefold()
            if kind != "application/json":
                return Fault(status=415, code="wrong_type", message=_NOT_JSON)
        return None


def _foreign(headers: Headers, host: str) -> bool:
    """Return whether a browser sends this request for a page of another server.

    Only browsers send headers that show it.
    """
    site = headers.get("sec-fetch-site")
    if site is not None:
        return site not in {"same-origin", "none"}
    origin = headers.get("origin")
    return origin is not None and origin.partition("://")[2].casefold() != host.casefold()


def _size_of_head(scope: Scope) -> int:
    """Return the bytes of the address and the headers of a request."""
    address = len(scope.get("raw_path") or b"") + len(scope.get("query_string") or b"")
    return address + sum(len(name) + len(value) for name, value in scope["headers"])


def _limit(scope: Scope) -> int:
    return LARGE_BODY if scope["path"] in LARGE else SMALL_BODY


def _host_name(text: str) -> str:
    """Return the name in a `Host` header, without the port."""
    if text.startswith("["):
        return text.partition("]")[0].lstrip("[").casefold()
    return text.partition(":")[0].casefold()


def _limit_size(receive: Receive, limit: int) -> Receive:
    """Return the same messages, until their size exceeds the limit."""
    come = 0

    async def receive_limited() -> Message:
        nonlocal come
        message = await receive()
        come += len(message.get("body", b""))
        if come > limit:
            raise HTTPException(413, _TOO_LARGE.format(limit))
        return message

    return receive_limited


def _add_headers(headers: MutableHeaders, *, secure: bool) -> None:
    if secure:
        headers.setdefault("strict-transport-security", LASTING_HTTPS)
    for name, value in HEADERS.items():
        headers.setdefault(name, value)
    picture = headers.get("content-type", "").startswith("image/")
    headers.setdefault("content-security-policy", _PICTURE_POLICY if picture else _POLICY)
    headers.setdefault("cache-control", "private, no-cache")

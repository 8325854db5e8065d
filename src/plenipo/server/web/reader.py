"""The reader of a page, named to the browser, which deletes what it keeps as soon as another person reads.

A browser keeps drafts, and the games that were open, so that they are there without a connection. Each page names its
reader in a header, for the service worker, and in a cookie, for the scripts of the page.
"""

from collections.abc import Awaitable
from http import HTTPStatus
from http.cookies import SimpleCookie

from fastapi import Request
from starlette.concurrency import run_in_threadpool
from starlette.datastructures import MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from plenipo.server import keys
from plenipo.server.people.accounts import Accounts
from plenipo.server.store.persons import StoredPerson
from plenipo.server.web.context import LASTING, is_secure, session_of

__all__ = ["NamesReader", "mark_reader"]

COOKIE = "reader"
"""The cookie with the mark of the signed-in reader; it opens nothing."""

HEADER = "x-reader"
"""The header with the same mark, or `SIGNED_OUT`."""

SIGNED_OUT = "none"
"""The mark of a signed-out reader."""


def mark_reader(person: StoredPerson | None) -> str:
    """Return the mark by which a browser tells readers apart; it says nothing about the person."""
    return SIGNED_OUT if person is None else keys.digest(f"reader {person.id}")[:16]


class NamesReader:
    """The layer that names the reader of each page."""

    def __init__(self, app: ASGIApp, accounts: Accounts) -> None:
        self.app, self.accounts = app, accounts

    def __call__(self, scope: Scope, receive: Receive, send: Send) -> Awaitable[None]:
        """Let a request through; the answer names its reader if it is a page."""
        if scope["type"] != "http" or scope["path"].startswith(("/api/", "/static/")):
            return self.app(scope, receive, send)

        async def send_named(message: Message) -> None:
            if message["type"] == "http.response.start" and _is_page(message):
                await self._name_reader(Request(scope), MutableHeaders(scope=message))
            await send(message)

        return self.app(scope, receive, send_named)

    async def _name_reader(self, request: Request, headers: MutableHeaders) -> None:
        token = session_of(request)
        # looked up after the request, which may have ended the session
        mark = mark_reader(await run_in_threadpool(self.accounts.of, token) if token else None)
        headers[HEADER] = mark
        if request.cookies.get(COOKIE, SIGNED_OUT) == mark:
            return
        cookie: SimpleCookie = SimpleCookie({COOKIE: mark})
        gone = mark == SIGNED_OUT
        cookie[COOKIE].update({"path": "/", "max-age": "0" if gone else str(LASTING), "samesite": "lax"})
        if is_secure(request):
            cookie[COOKIE]["secure"] = True
        headers.append("set-cookie", cookie.output(header="").strip())


def _is_page(message: Message) -> bool:
    """Return whether an answer is a page, or says that a page has not changed; what anyone may cache is none."""
    headers: dict[bytes, bytes] = dict(message["headers"])
    if headers.get(b"cache-control", b"").startswith(b"public"):
        return False
    unchanged = message["status"] == HTTPStatus.NOT_MODIFIED
    return unchanged or headers.get(b"content-type", b"").startswith(b"text/html")

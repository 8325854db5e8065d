"""Metrics of every request: its route and the time to its answer."""

from collections.abc import Sequence

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from plenipo.server.clock import seconds
from plenipo.server.observer import Watcher

__all__ = ["Watched"]

METHODS = frozenset({"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"})

KEPT, NONE = "(kept answer)", "(no route)"
"""The names of requests answered from the cache, or without a route."""


class Watched:
    """The outermost layer of an app with metrics."""

    def __init__(self, app: ASGIApp, watchers: Sequence[Watcher]) -> None:
        self.app, self.watchers = app, watchers

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Let the app answer, and report when its answer began: an event stream may go on for hours."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        began = seconds()

        async def send_observed(message: Message) -> None:
            if message["type"] == "http.response.start":
                took, method, status = seconds() - began, scope["method"], message["status"]
                # never the path, which may contain a key
                known = getattr(scope.get("route"), "path", None)
                route = known or (KEPT if status in {200, 304} else NONE)
                for watcher in self.watchers:
                    watcher.request(route, method if method in METHODS else "other", status, took)
            await send(message)

        await self.app(scope, receive, send_observed)

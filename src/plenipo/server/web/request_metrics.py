"""Around every request: what it was for and how long its answer took, told to whoever watches."""

from collections.abc import Sequence

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from plenipo.server.clock import seconds
from plenipo.server.observer import Watcher

__all__ = ["Watched"]

METHODS = frozenset({"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"})

KEPT, NONE = "(kept answer)", "(no route)"
"""What stands in place of the route of a request that was answered from memory, or that no route is for."""


class Watched:
    """The outermost layer of an app that is watched."""

    def __init__(self, app: ASGIApp, watchers: Sequence[Watcher]) -> None:
        self.app, self.watchers = app, watchers

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Let the app answer, and tell when its answer began: an event stream may go on for hours."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        began = seconds()

        async def noted(message: Message) -> None:
            if message["type"] == "http.response.start":
                took, method, status = seconds() - began, scope["method"], message["status"]
                # never the path, which may have a key in it
                known = getattr(scope.get("route"), "path", None)
                route = known or (KEPT if status in {200, 304} else NONE)
                for watcher in self.watchers:
                    watcher.request(route, method if method in METHODS else "other", status, took)
            await send(message)

        await self.app(scope, receive, noted)

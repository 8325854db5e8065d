"""Limits for slow and endless requests, whose connections are closed, so that no client holds many or much memory.

Uvicorn limits how long a connection may rest between requests, and not how long a request may take to arrive, nor how
long its head may be.
"""

import asyncio
from typing import Any

__all__ = ["BODY_WITHIN", "HEAD_WITHIN", "MOST_BEFORE_BODY", "protocol"]

HEAD_WITHIN = 15.0
"""The seconds for the head of a request, from its first byte or from the opening of the connection on."""

BODY_WITHIN = 60.0
"""The seconds for its body."""


MOST_BEFORE_BODY = 64 * 1024
"""The bytes after which a request whose head is not complete is given up."""


def protocol(head: float = HEAD_WITHIN, body: float = BODY_WITHIN) -> type[asyncio.Protocol]:
    """Return Uvicorn's protocol of HTTP with limits for the time, in seconds, in which a request must have arrived."""
    from uvicorn.protocols.http.auto import AutoHTTPProtocol  # noqa: PLC0415  # an extra, and costly to load

    usual: Any = AutoHTTPProtocol

    class Limited(usual):  # type: ignore[misc]  # whichever of the two protocols is installed
        """A connection that is closed if a request on it takes too long to arrive."""

        def connection_made(self, transport: asyncio.Transport) -> None:
            """Start the time limit when the connection opens."""
            super().connection_made(transport)
            self._timer: asyncio.TimerHandle | None = None
            self._timed: Any = None
            self._before = 0  # bytes that came since the last head was complete
            self._count(head, None)

        def data_received(self, data: bytes) -> None:
            """Check whether the request is complete with this data, and set the limit for the rest."""
            cycle = self.cycle
            of_head = cycle is None or not cycle.more_body
            super().data_received(data)
            if self.cycle is not cycle:
                self._before = 0
            elif of_head:
                self._before += len(data)
                if self._before > MOST_BEFORE_BODY and not self.transport.is_closing():
                    self.transport.close()
            self._look()

        def connection_lost(self, exc: Exception | None) -> None:
            """Stop the time limit."""
            self._stop()
            super().connection_lost(exc)

        def _look(self) -> None:
            cycle = self.cycle
            if cycle is None or (cycle.response_complete and not cycle.more_body):
                if self._timer is None or self._timed is not None:
                    self._count(head, None)
            elif cycle.more_body:
                if self._timed is not cycle:
                    self._count(body, cycle)
            else:
                self._stop()

        def _count(self, within: float, cycle: Any) -> None:
            self._stop()
            self._timer, self._timed = self.loop.call_later(within, self._end), cycle

        def _stop(self) -> None:
            if self._timer is not None:
                self._timer.cancel()
            self._timer = self._timed = None

        def _end(self) -> None:
            """Close a connection whose request has not arrived."""
            cycle = self.cycle
            if cycle is not None and self._timed is None and not cycle.response_complete:
                return  # a request is being answered at the moment
            if not self.transport.is_closing():
                self.transport.close()

    return Limited

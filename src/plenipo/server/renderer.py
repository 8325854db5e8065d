"""Pictures as PNG for the server, rendered by programs of their own, so that a picture never stops the server.

The renderer of PNGs (`plenipo.raster`) holds Python's lock for as long as a picture takes, seconds for a large one. A
task is an SVG with its `width`; an answer is a PNG, or a sentence where `ok` is false.
"""

import hashlib
import sys
import threading
from contextlib import suppress
from typing import Any

from cachetools import LRUCache

from plenipo.errors import PlenipoError
from plenipo.server.programs import PATIENCE, Programs, Refusals, serve

__all__ = ["Renderer", "main"]

MOST_BYTES = 32 * 1024 * 1024
"""The most bytes of pictures that are cached."""

REFUSALS = Refusals(
    many="Too many pictures are being drawn now; try again in a moment.",
    slow="Pictures take too long to draw now; try again in a moment.",
    stopped="The picture took too long to draw; ask for a narrower one.",
)


class Renderer:
    """Renders pictures in programs of their own; safe to use from several threads."""

    def __init__(self, *, patience: float = PATIENCE, command: Any = None, **more: int) -> None:
        command = command or [sys.executable, "-m", "plenipo.server.renderer"]
        self.programs = Programs(command, REFUSALS, patience=patience, **more)
        self._cache: LRUCache[str, bytes] = LRUCache(MOST_BYTES, len)
        self._guard = threading.Lock()

    def png(self, svg: str, width: int) -> bytes:
        """Return an SVG as a PNG `width` pixels wide, from the cache if the same was rendered lately.

        Raise `TooBusy` if too many pictures wait, `PlenipoError` if it cannot be rendered or takes too long.
        """
        key = hashlib.sha256(f"{width} {svg}".encode()).hexdigest()
        with self._guard:
            known = self._cache.get(key)
        if known is not None:
            return known
        head, made = self.programs.ask(svg.encode(), width=width)
        if not head["ok"]:
            raise PlenipoError(made.decode())
        with self._guard, suppress(ValueError):  # a picture larger than the whole cache
            self._cache[key] = made
        return made

    def close(self) -> None:
        """End the programs that have nothing to do."""
        self.programs.close()


def _render(head: dict[str, Any], svg: bytes) -> tuple[dict[str, Any], bytes]:
    """Return the picture of a task, or the sentence why there is none."""
    from plenipo.raster import png  # noqa: PLC0415  # only this program renders

    try:
        return {"ok": True}, png(svg.decode(), head["width"])
    except PlenipoError as fault:
        return {"ok": False}, str(fault).encode()


def main() -> None:
    """Render what comes from standard input until it ends."""
    serve(_render)


if __name__ == "__main__":
    main()

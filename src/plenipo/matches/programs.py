"""Players that are programs of any language: a JSON line in for every phase, a JSON line of orders out.

In comes the position as `plenipo adjudicate` writes it, with these keys besides: `power`, who is to order; `legal`, a
list of every legal order; `game`, its number; `seed`, 64 digits of hex, for what the program decides by chance.
Out comes `{"orders": ["A PAR - BUR", …]}`, or `{"refused": "why"}` from one that does not play the variant.
"""

import json
import shlex
import subprocess
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from queue import Empty, Queue
from threading import Thread
from typing import Any

from plenipo import jsonlines
from plenipo.engine.orders import Order
from plenipo.errors import UnknownName
from plenipo.matches.players import Asked, CannotPlay, Misplayed

__all__ = ["Program", "line"]

_LONGEST = 80
"""How much of a wrong answer is quoted."""

_MOST = 10_000_000
"""The longest answer, in bytes, that is read."""


def line(asked: Asked) -> str:
    """What a program gets for a phase."""
    view = asked.view
    content: dict[str, Any] = jsonlines.encode_position(view.rules, view.position)
    content |= {
        "power": asked.legal.power,
        "legal": [str(order) for order in asked.legal],
        "game": asked.game,
        "seed": asked.seed.hex(),
    }
    return json.dumps(content) + "\n"


def answer(name: str, text: str) -> list[str]:
    """The orders that a program gave; raises `Misplayed`, or `CannotPlay` with its reason."""
    shown = text.strip()[:_LONGEST]
    try:
        content = json.loads(text)
    except ValueError:
        raise Misplayed(f"'{name}' printed '{shown}', which is not a JSON line.") from None
    if isinstance(content, dict) and isinstance(content.get("refused"), str):
        raise CannotPlay(content["refused"])
    orders = content.get("orders") if isinstance(content, dict) else None
    if not isinstance(orders, list) or not all(isinstance(order, str) for order in orders):
        raise Misplayed(f"'{name}' printed '{shown}'; an answer is like {{\"orders\": [\"A PAR - BUR\"]}}.")
    return list(orders)


@dataclass
class Program:
    """A program that plays. It runs on from phase to phase of a game, and is started anew after a fault."""

    name: str
    command: Sequence[str]
    limit: float
    clock: Callable[[], float] = time.perf_counter
    _running: subprocess.Popen[bytes] | None = field(default=None, init=False)
    _lines: Queue[bytes] = field(default_factory=Queue, init=False)

    @classmethod
    def written(cls, name: str, text: str, limit: float) -> "Program":
        """The program of a command as a shell would split it; raises `UnknownName` if there is none."""
        try:
            command = shlex.split(text)
        except ValueError as fault:
            raise UnknownName(f"'{text}' is not a command: {fault}.") from fault
        if not command:
            raise UnknownName(f"The player '{name}' has an empty command; write --player {name}='program options'.")
        return cls(name, command, limit)

    def orders(self, asked: Asked) -> list[Order] | list[str]:
        """Ask it; see `Player.orders`."""
        running = self._running or self._start()
        try:
            return self._answer(running, line(asked))
        except Empty:
            self.close()
            raise Misplayed(f"'{self.name}' gave no orders within {self.limit:g} s.") from None
        except OSError:
            self.close()
            raise Misplayed(f"'{self.name}' ended.") from None
        except CannotPlay as why:
            raise CannotPlay(f"'{self.name}' cannot play {asked.view.rules.title}: {why}") from None
        except Misplayed:
            self.close()
            raise

    def _answer(self, running: subprocess.Popen[bytes], text: str) -> list[str]:
        if running.stdin is not None:
            running.stdin.write(text.encode())
            running.stdin.flush()
        told = self._lines.get(timeout=self.limit)
        if not told:
            raise Misplayed(f"'{self.name}' ended.")
        return answer(self.name, told.decode("utf-8", "replace"))

    def _start(self) -> subprocess.Popen[bytes]:
        try:
            running = subprocess.Popen(self.command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)  # noqa: S603  # named by the user
        except OSError as fault:
            why = (fault.strerror or str(fault)).lower()
            raise UnknownName(f"The player '{self.name}' cannot be started: '{self.command[0]}': {why}.") from fault
        self._running = running
        self._lines = Queue()
        Thread(target=_read, args=(running, self._lines), daemon=True).start()
        return running

    def close(self) -> None:
        """End the program."""
        if self._running is not None:
            self._running.kill()
            with suppress(OSError):  # it may end with what it was told unread
                if self._running.stdin is not None:
                    self._running.stdin.close()
            self._running.wait()
            self._running = None


def _read(running: subprocess.Popen[bytes], lines: Queue[bytes]) -> None:
    """Pass on what a program prints, line by line, and an empty one at its end."""
    if running.stdout is not None:
        with running.stdout as pipe:
            for text in iter(lambda: pipe.readline(_MOST), b""):
                lines.put(text)
    lines.put(b"")

"""Players that are programs of any language: a JSON line in for every phase, a JSON line of orders out.

The input is the position as `plenipo adjudicate` writes it, with the additional keys of `KEYS`, limited to the power's
view. The output is `{"orders": ["A PAR - BUR", …]}`, or `{"refused": "why"}` from a program that does not play the
variant.
"""

import json
import shlex
import subprocess
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from functools import partial
from queue import Empty, Queue
from threading import Thread
from typing import Any, TypeVar

from plenipo import boards, jsonlines
from plenipo.bots.deals.notation import encode_talks, read_reply
from plenipo.bots.deals.talks import Reply, Talks
from plenipo.engine.calendar import PhaseKind
from plenipo.engine.history.game import Turn
from plenipo.engine.orders import Order
from plenipo.engine.position import Power
from plenipo.engine.rules import Rules
from plenipo.engine.sentences import say
from plenipo.errors import UnknownName
from plenipo.matches.children import Meter
from plenipo.matches.players import PATIENCE, CannotPlay, Misplayed, OrderRequest

__all__ = ["KEYS", "TALK_KEYS", "DealingProgram", "Program", "line", "turn_told"]

KEYS: Mapping[str, str] = {
    "power": "the power that is to order",
    "legal": "every legal order: a list of texts",
    "game": "the number of the game",
    "seed": "64 digits of hex, for random decisions of the program",
    "board": "in the first line alone: the board, as `plenipo board --json` gives it",
    "turns": "the phases that were adjudicated since the program's last line for this power: a list",
    "last": "the newest of all movements that were adjudicated, as in `turns`; missing before there is one",
}
"""The keys of a line in addition to the position."""

TALK_KEYS: Mapping[str, str] = {
    "deals": "the deals of the power, each with the state of its clauses so far",
    "breaches": "all promises that were broken so far, by whomever",
    "shown": "orders that partners have shown",
    "partners": "in a negotiation: the other powers that negotiate",
    "offers": "in a negotiation: the deals that the power is to answer",
    "step": "in a negotiation: 0 for the first offers, 1 for answers and further offers, 2 for answers to these",
    "may_offer": "in a negotiation: whether it may make offers now",
}
"""The further keys of a line for a program that negotiates."""

_Answer = TypeVar("_Answer")

_LONGEST = 80
"""The length of quoted wrong answers."""

_MOST = 10_000_000
"""The longest answer, in bytes, that is read."""

_SHORTEST = 0.01
"""Seconds between two checks of a program."""


def line(asked: OrderRequest, *, known: int = 0, board: bool = True) -> str:
    """Encode a phase for a program: only the turns after the first `known`, and the `board` if it is asked for.

    Everything is taken from the view of the power, so nothing hidden from it is included.
    """
    view = asked.view
    content: dict[str, Any] = jsonlines.encode_position(view.rules, view.position)
    content |= {
        "power": asked.legal.power,
        "legal": [str(order) for order in asked.legal],
        "game": asked.game,
        "seed": asked.seed.hex(),
        "turns": [turn_told(turn) for turn in view.turns[known:]],
    }
    movements = (turn for turn in reversed(view.turns) if turn.resolution.before.phase.kind is PhaseKind.MOVEMENT)
    last = next(movements, None)
    if last is not None:
        content["last"] = turn_told(last)
    if asked.talks is not None:
        content |= encode_talks(asked.talks)
    if board:
        content["board"] = boards.describe_board(view.rules)
    return json.dumps(content) + "\n"


def turn_told(turn: Turn) -> dict[str, Any]:
    """Return a finished phase as JSON: `phase`, `orders` by power, the result of each unit, and its dislodger."""
    orders: dict[str, list[str]] = {}
    results: dict[str, str] = {}
    dislodged: dict[str, str] = {}
    for outcome in turn.resolution.outcomes:
        if outcome.order is not None:
            orders.setdefault(str(outcome.power), []).append(str(outcome.order))
        if outcome.unit is not None:
            results[str(outcome.unit)] = str(outcome.result)
            if outcome.dislodged_by is not None:
                dislodged[str(outcome.unit)] = str(outcome.dislodged_by)
    told = {"phase": str(turn.resolution.before.phase), "orders": orders, "results": results}
    return {**told, "dislodged": dislodged} if dislodged else told


def answer(name: str, text: str) -> list[str]:
    """Return the orders of a program; raise `Misplayed`, or `CannotPlay` with its reason."""
    shown = text.strip()[:_LONGEST]
    try:
        content = json.loads(text)
    except ValueError:
        raise Misplayed(say("'{name}' printed '{shown}', which is not a JSON line.", name=name, shown=shown)) from None
    if isinstance(content, dict) and isinstance(content.get("refused"), str):
        raise CannotPlay(content["refused"])
    orders = content.get("orders") if isinstance(content, dict) else None
    if not isinstance(orders, list) or not all(isinstance(order, str) for order in orders):
        raise Misplayed(
            say(
                "'{name}' printed '{shown}'; an answer is like {{\"orders\": [\"A PAR - BUR\"]}}.",
                name=name,
                shown=shown,
            )
        )
    return list(orders)


@dataclass
class _Running:
    """A running program: its input, the lines it has printed, and the number of turns sent by power."""

    process: subprocess.Popen[bytes]
    to_read: Queue[bytes] = field(default_factory=Queue)
    printed: Queue[bytes] = field(default_factory=Queue)
    known: dict[str, int] = field(default_factory=dict)

    def __post_init__(self) -> None:
        # in threads, so that a program that neither reads nor prints does not block the match
        for work in (self._read, self._write):
            Thread(target=work, daemon=True).start()

    def _read(self) -> None:
        """Pass on the program's output line by line, and an empty line at its end."""
        if self.process.stdout is not None:
            with self.process.stdout as pipe:
                for text in iter(lambda: pipe.readline(_MOST), b""):
                    self.printed.put(text)
        self.printed.put(b"")

    def _write(self) -> None:
        if self.process.stdin is not None:
            with suppress(OSError), self.process.stdin as pipe:  # it may end without reading its input
                for text in iter(self.to_read.get, b""):
                    pipe.write(text)
                    pipe.flush()

    def end(self) -> None:
        """Kill the program."""
        self.to_read.put(b"")
        self.process.kill()
        self.process.wait()


@dataclass
class Program:
    """A program that plays. It runs on from phase to phase of a game, and is restarted after a fault.

    It has `limit` seconds for a phase and `first` for its first one after each start: of its own processor time where
    the system provides it, and `PATIENCE` times as many by the wall.
    """

    name: str
    command: Sequence[str]
    limit: float
    first: float | None = None
    _meter: Meter = field(default_factory=Meter, init=False)
    _running: _Running | None = field(default=None, init=False)

    @classmethod
    def from_command(cls, name: str, text: str, limit: float, first: float | None = None) -> "Program":
        """Return the program of a command, split as a shell would; raise `UnknownName` if there is none."""
        try:
            command = shlex.split(text)
        except ValueError as fault:
            raise UnknownName(say("'{text}' is not a command: {fault}.", text=text, fault=fault)) from fault
        if not command:
            raise UnknownName(
                say("The player '{name}' has an empty command; write --player {name}='program options'.", name=name)
            )
        return cls(name, command, limit, first)

    def clock(self) -> float:
        """Return the seconds all its processes have used so far; see `Player.clock`."""
        return self._meter.seconds()

    def orders(self, asked: OrderRequest) -> list[Order] | list[str]:
        """Ask it; see `Player.orders`."""
        return self._ask(asked, partial(answer, self.name))

    def _ask(self, asked: OrderRequest, read: Callable[[str], _Answer]) -> _Answer:
        """Return what `read` makes of its answer; after a fault it is started again. Raise as `orders` does."""
        if self._running is None:
            running, limit = self._start(), self.first or self.limit
        else:
            running, limit = self._running, self.limit
        try:
            return read(self._read_answer(running, asked, limit))
        except Empty:
            self.close()
            raise Misplayed(say("'{name}' gave no orders within {limit:g} s.", name=self.name, limit=limit)) from None
        except CannotPlay as why:
            raise CannotPlay(
                say("'{name}' cannot play {title}: {why}", name=self.name, title=asked.view.rules.title, why=why)
            ) from None
        except Misplayed:
            self.close()
            raise

    def warm_up(self, asked: OrderRequest, limit: float) -> None:  # noqa: ARG002  # it has it for its first orders anyway
        """Start it and ask it; see `Player.warm_up`."""
        self.orders(asked)

    def _read_answer(self, running: _Running, asked: OrderRequest, limit: float) -> str:
        known, power = running.known, asked.legal.power
        text = line(asked, known=known.get(power, 0), board=not known)
        began, used = time.perf_counter(), self.clock()
        running.to_read.put(text.encode())
        while True:
            left = min(limit - (self.clock() - used), PATIENCE * limit - (time.perf_counter() - began))
            with suppress(Empty):
                told = running.printed.get(timeout=max(left, _SHORTEST))
                break
            if left <= 0:
                raise Empty
        if not told:
            raise Misplayed(say("'{name}' ended.", name=self.name))
        if not known:
            self._meter.look_round()
        known[power] = len(asked.view.turns)
        return told.decode("utf-8", "replace")

    def _start(self) -> _Running:
        try:
            process = subprocess.Popen(self.command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)  # noqa: S603  # named by the user
        except OSError as fault:
            why = (fault.strerror or str(fault)).lower()
            raise UnknownName(
                say(
                    "The player '{name}' cannot be started: '{command}': {why}.",
                    name=self.name,
                    command=self.command[0],
                    why=why,
                )
            ) from fault
        self._meter.follow(process.pid)
        self._running = _Running(process)
        return self._running

    def close(self) -> None:
        """End the program."""
        if self._running is not None:
            self._meter.seconds()
            self._running.end()
            self._running = None


@dataclass
class DealingProgram(Program):
    """A program that negotiates: it is sent lines with offers, too, and answers those with answers and offers."""

    def negotiate(self, asked: OrderRequest, talks: Talks) -> tuple[Reply, tuple[str, ...]]:
        """Ask it; see `Negotiator.negotiate`."""
        power, rules = asked.legal.power, asked.view.rules
        return self._ask(asked._replace(talks=talks), partial(_read_talk, self.name, rules, power))


def _read_talk(name: str, rules: Rules, power: Power, text: str) -> tuple[Reply, tuple[str, ...]]:
    """Return what a program says in a negotiation, and what of it is not understood, in sentences with its name."""
    shown = text.strip()[:_LONGEST]
    try:
        content = json.loads(text)
    except (ValueError, RecursionError):
        return Reply(), (say("'{name}' printed '{shown}', which is not a JSON line.", name=name, shown=shown),)
    if isinstance(content, dict) and not {"answers", "offers"} & set(content) and content:
        why = "'{name}' printed '{shown}'; in a negotiation an answer is like {{\"answers\": {{}}, \"offers\": []}}."
        return Reply(), (say(why, name=name, shown=shown),)
    reply, unclear = read_reply(rules, power, content)
    return reply, tuple(say("'{name}': {fault}", name=name, fault=fault) for fault in unclear)

"""Orders proposed in a message: parsed as all orders are, and compared with the orders given; pure functions.

A line is an order of the power that may give it; if several may, it begins with the power, as in `Germany: waive`.
"""

from collections.abc import Iterator, Sequence
from typing import Literal

from plenipo.engine.orders import NOTICES, Order
from plenipo.engine.position import Power
from plenipo.engine.reading.order_entry import OrderEntry
from plenipo.engine.sentences import Either, SentenceKind
from plenipo.errors import PlenipoError, UnknownName
from plenipo.server.errors import MessageRefused
from plenipo.server.hosted_game import HostedGame

__all__ = ["MOST", "Fate", "Proposed", "fates", "orders_of", "read_proposal"]

_PROPOSAL_GAME_OVER = SentenceKind("server-proposal-game-over", "The game is over; there is nothing to propose.")
_PROPOSAL_TOO_LONG = SentenceKind(
    "server-proposal-too-long", "The message proposes {number} orders; at most {most} are allowed."
)
_PROPOSAL_REFUSED = SentenceKind("server-proposal-refused", "'{line}' cannot be proposed: {reason}")
_PROPOSAL_AMBIGUOUS = SentenceKind(
    "server-proposal-ambiguous", "'{line}' may be meant for {powers}; begin it with the power and a colon."
)
_PROPOSAL_UNREADABLE = SentenceKind(
    "server-proposal-unreadable", "'{line}' is not an order that can be proposed; write it in the text of the message."
)

MOST = 60
"""The most proposed orders of a message."""

Proposed = tuple[str, str]
"""A power and the order proposed to it."""

Fate = Literal["open", "kept", "broken"]
"""The result of a proposed order: its phase is open, or the order was given, or not."""


def read_proposal(hosted: HostedGame, seat: str, texts: Sequence[str]) -> tuple[Proposed, ...]:
    """Return the orders in some lines, each with its power; raise `MessageRefused` for a line that is no order.

    `seat` is the proposing power; an order that this power and others may give is its own.
    """
    lines = [line for text in texts for line in text.splitlines() if line.strip()]
    if lines and hosted.game.over:
        raise MessageRefused(_PROPOSAL_GAME_OVER())
    if len(lines) > MOST:
        raise MessageRefused(_PROPOSAL_TOO_LONG(number=len(lines), most=MOST))
    if not lines:
        return ()
    names = hosted.rules.names if hosted.public else [power for power in hosted.rules.names if power == seat]
    entries = [OrderEntry(hosted.rules, hosted.seen_by(power), power) for power in names]
    return tuple(dict.fromkeys(order for line in lines for order in _read(hosted, entries, seat, line.strip()[:200])))


def _read(hosted: HostedGame, entries: Sequence[OrderEntry], seat: str, line: str) -> Iterator[Proposed]:
    named, colon, rest = line.partition(":")
    if colon:
        try:
            power = hosted.rules.power(named.strip())
        except UnknownName:
            pass
        else:
            entries, line = [entry for entry in entries if entry.power == power], rest.strip()
    given: dict[Power, tuple[Order, ...]] = {}
    faults: list[PlenipoError] = []
    for entry in entries:
        try:
            given[entry.power] = entry.read(line)
        except PlenipoError as fault:
            faults.append(fault)
    mine = {power: orders for power, orders in given.items() if power == seat} or given
    if not mine:
        # the power that has the unit gives the best reason
        raise MessageRefused(
            _PROPOSAL_REFUSED(line=line, reason=min(map(str, faults), key=len, default="nobody orders it"))
        )
    if len(mine) > 1:
        raise MessageRefused(_PROPOSAL_AMBIGUOUS(line=line, powers=Either(mine)))
    for power, orders in mine.items():
        if any(isinstance(order, NOTICES) for order in orders):
            raise MessageRefused(_PROPOSAL_UNREADABLE(line=line))
        yield from ((str(power), str(order)) for order in orders)


def orders_of(hosted: HostedGame, proposal: Sequence[Proposed]) -> tuple[Order, ...]:
    """Return proposed orders as drawn on the current board; leave out orders that are no longer valid."""
    orders: list[Order] = []
    for power, text in proposal:
        try:
            orders += OrderEntry(hosted.rules, hosted.seen_by(Power(power)), Power(power)).read(text)
        except PlenipoError:
            continue
    return tuple(orders)


def fates(hosted: HostedGame, phase: str, phase_number: int, proposal: Sequence[Proposed]) -> tuple[Fate, ...]:
    """Return the results of the proposed orders of a phase."""
    still: Fate = "open"
    if phase_number == hosted.phase_number:
        return (still,) * len(proposal)
    turns = hosted.game.turns
    for number in range(min(len(turns), phase_number) - 1, -1, -1):
        turn = turns[number]
        if str(turn.resolution.before.phase) == phase:
            given = (text in turn.orders.get(Power(power), ()) for power, text in proposal)
            return tuple[Fate, ...]("kept" if kept else "broken" for kept in given)
    return (still,) * len(proposal)

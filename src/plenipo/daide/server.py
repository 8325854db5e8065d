"""A DAIDE server: the connections of clients, and the games they play, on asyncio.

Each game has a `Room`, which decides what is answered; here are the bytes, the clock and the limits. A client that
breaks the protocol, reads nothing or stays silent is disconnected, one that sends too much is read more slowly, and no
other client notices.
"""

import asyncio
import logging
import os
import socket
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field

from plenipo.daide.frames import FrameFault, FrameKind, FrameReader, ProtocolError, frame, language
from plenipo.daide.reports import SeatSummary
from plenipo.daide.room import Outbox, Room, Terms
from plenipo.daide.tokens import Token
from plenipo.daide.vocabulary import TokenVocabulary
from plenipo.engine.history.game import Game
from plenipo.engine.history.view import View, view
from plenipo.engine.orders import Order
from plenipo.engine.position import Power

__all__ = ["ComputerSeat", "DaideServer", "DealtGame", "ServerPlan"]

FIRST_MESSAGE = 30.0
"""Seconds that a client has for its initial message."""

IDLE = 300.0
"""Seconds after which a client that neither plays nor observes is sent away."""

SILENT = 900.0
"""Seconds after which a player whose orders are awaited, and who has sent nothing, is sent away; for games without
deadlines."""

SLOW = 1800.0
"""Seconds after which a player whose orders for a phase are still missing is sent away, whatever it has sent; for games
without deadlines."""

LINGER = 2.0
"""Seconds after the end of a game in which its clients may still ask."""

ABANDONED = 60.0
"""Seconds that a game waits for one of its clients to return when all have gone."""

MOST_CLIENTS = 256
"""The number of connections at the same time."""

MOST_UNREAD = 512_000
"""The number of bytes that may wait for a client that does not read; it is disconnected beyond that."""

FAREWELL = 5.0
"""Seconds that a client has to read what was sent before its connection was closed."""

ALLOWANCE = 200_000
"""The number of tokens that a client may send at once; then it is read at `PACE`."""

PACE = 20_000
"""The number of tokens a second at which a client is read that has used up its allowance."""

EACH_MESSAGE = 100
"""The number of tokens that a message counts for beside those that it has."""

BACKLOG = 256
_PIECE = 16_384
_TICK = 0.2

_log = logging.getLogger("plenipo.daide")


@dataclass(frozen=True)
class ComputerSeat:
    """A computer player of a power: its name, its orders, and whether it agrees to a draw."""

    name: str
    orders: Callable[[View, Power], Sequence[Order]]
    agrees: Callable[[View, Power], bool]


@dataclass(frozen=True)
class DealtGame:
    """A game that is about to begin: the passcodes of the powers for clients, in the order in which they are given."""

    game: Game
    seats: Mapping[Power, int]
    computers: Mapping[Power, ComputerSeat] = field(default_factory=dict)


@dataclass(frozen=True)
class ServerPlan:
    """The plan of a server: the rules in DAIDE's words, the terms of its games, and its limits."""

    words: TokenVocabulary
    map_name: str
    terms: Terms
    years: int | None = None
    """The number of years after which an undecided game is a draw."""
    first_message: float = FIRST_MESSAGE
    idle: float = IDLE
    silent: float = SILENT
    slow: float = SLOW
    linger: float = LINGER
    abandoned: float = ABANDONED


@dataclass(eq=False)
class _Client:
    """A client's connection, and the table at which it is."""

    number: int
    table: "_GameTable"
    writer: asyncio.StreamWriter
    since: float
    heard: float
    """The time of its newest message."""
    allowance: float = ALLOWANCE

    def send(self, content: bytes) -> None:
        """Send without waiting; break off with a client that has left too much unread."""
        transport = self.writer.transport
        if transport.is_closing():
            return
        if transport.get_write_buffer_size() > MOST_UNREAD:
            _log.info("client %d reads nothing and is disconnected", self.number)
            transport.abort()
            return
        self.writer.write(content)

    def finish(self) -> None:
        """Close the connection, after what has been sent."""
        self.send(frame(FrameKind.FINAL))
        self.close()

    def close(self) -> None:
        """Close the connection; a client that does not read what was sent is cut off."""
        self.writer.close()
        asyncio.get_running_loop().call_later(FAREWELL, self.writer.transport.abort)

    def charge(self, tokens: int, now: float) -> float:
        """Count a message of so many tokens; return the seconds to wait before another one is read."""
        self.allowance = min(ALLOWANCE, self.allowance + PACE * (now - self.heard)) - tokens - EACH_MESSAGE
        self.heard = now
        return max(0.0, -self.allowance / PACE)


class _GameTable:
    """A game with its clients."""

    def __init__(self, plan: ServerPlan, new: DealtGame, loop: asyncio.AbstractEventLoop) -> None:
        self.plan, self.game, self.computers = plan, new.game, new.computers
        others = {power: SeatSummary(one.name, "plenipo") for power, one in new.computers.items()}
        self.room = Room(view(new.game, None, {}), plan.words, new.seats, plan.map_name, plan.terms, others)
        self.connections: dict[int, _Client] = {}
        self.lock = asyncio.Lock()
        self.done = asyncio.Event()
        self.ended: float | None = None
        self._loop = loop
        self._gone: float | None = None

    def deliver(self, outbox: Outbox) -> None:
        """Send the messages of a room; `OFF` is the last that a client gets."""
        for number, message in outbox:
            connection = self.connections.get(number)
            if connection is not None:
                connection.send(language(message))
                if message == (Token.OFF,):
                    connection.finish()

    async def go_on(self) -> None:
        """Begin the game or process its phase where that is due; the lock is held."""
        room = self.room
        if not room.started and room.is_complete():
            self.deliver(room.start(self._loop.time()))
        while room.is_due(self._loop.time()) or room.is_draw_wanted():
            drawn = room.is_draw_wanted() and await asyncio.to_thread(self._all_agree)
            room.draws.clear()
            if not drawn and not room.is_due(self._loop.time()):
                return
            self.game = await asyncio.to_thread(self._process, room.orders(), drawn=drawn)
            self.deliver(room.advance(view(self.game, None, {}), self._loop.time()))
            await asyncio.sleep(0)
        if self.game.over and self.ended is None:
            self.ended = self._loop.time()

    def _all_agree(self) -> bool:
        seen = view(self.game, None, {})
        return all(
            one.agrees(seen, power) for power, one in self.computers.items() if self.game.position.survives(power)
        )

    def _process(self, orders: Mapping[Power, list[Order]], *, drawn: bool) -> Game:
        game, years = self.game, self.plan.years
        if not drawn:
            submitted: dict[Power, Sequence[Order]] = dict(orders)
            for power in view(game, None, {}).may_order:
                if power in self.computers:
                    submitted[power] = self.computers[power].orders(view(game, power, {}), power)
            game = game.process(submitted)
        first = game.rules.calendar.first.year
        late = years is not None and game.position.phase.year >= first + years
        return game.draw(game.survivors) if not game.over and (drawn or late) else game

    def _send_idle_off(self, now: float) -> None:
        """Send away who neither plays nor observes, and players without orders in a game without deadlines."""
        room, plan = self.room, self.plan
        for number, guest in list(room.guests.items()):
            connection = self.connections.get(number)
            if connection is None:
                continue
            idle = not guest.ready and not guest.present and now - connection.since > plan.idle
            awaited = room.deadline is None and guest.power in room.waiting_for
            if idle:
                self.deliver(room.send_off(number, "neither a player nor an observer"))
            elif awaited and now - max(connection.heard, room.began) > plan.silent:
                self.deliver(room.send_off(number, f"no orders for {plan.silent:g} seconds"))
            elif awaited and now - room.began > plan.slow:
                self.deliver(room.send_off(number, f"orders missing after {plan.slow:g} seconds"))

    async def tick(self, now: float) -> None:
        """Do what time brings: deadlines, reminders, and the end of a game that is over or abandoned."""
        async with self.lock:
            self.deliver(self.room.remind(now))
            await self.go_on()
            self._send_idle_off(now)
            self._gone = (self._gone or now) if self.room.is_abandoned() and not self.game.over else None
            if self._gone is not None and now - self._gone > self.plan.abandoned:
                self.deliver(self.room.close("all players have left"))
                self.done.set()
            if self.ended is not None and (now - self.ended > self.plan.linger or not self.connections):
                self.deliver(self.room.close())
                self.done.set()


class DaideServer:
    """A server of games one after the other. `deal` makes the next game, `over` takes each that has ended.

    `games` is the number of games after which the server ends, 0 for any number.
    """

    def __init__(
        self,
        plan: ServerPlan,
        deal: Callable[[int], DealtGame],
        over: Callable[[Game, Mapping[Power, SeatSummary]], object],
        games: int = 1,
    ) -> None:
        self.plan, self.games = plan, games
        self._deal, self._over = deal, over
        self._clients = 0
        self._last = 0
        self._table: _GameTable | None = None
        self._fault: Exception | None = None
        self.tasks: set[asyncio.Task[object]] = set()

    async def serve(self, host: str, port: int, listening: Callable[[int], object] = lambda _port: None) -> None:
        """Serve until the last game has ended; `listening` takes the port.

        Raise `OSError` for a port that is taken, and what a computer player raises.
        """
        loop = asyncio.get_running_loop()
        try:
            server = await asyncio.start_server(self._welcome, host, port, limit=_PIECE, backlog=BACKLOG)
        except OSError as fault:
            reason = fault.strerror if isinstance(fault, socket.gaierror) else os.strerror(fault.errno or 0)
            raise OSError(fault.errno, reason, f"{host}:{port}") from fault
        listening(server.sockets[0].getsockname()[1])
        played = 0
        try:
            while not self.games or played < self.games:
                table = self._table = _GameTable(self.plan, self._deal(played), loop)
                while not table.done.is_set():
                    await asyncio.sleep(_TICK)
                    await table.tick(loop.time())
                    if self._fault is not None:
                        raise self._fault
                played += 1
                self._over(table.game, table.room.players)
        finally:
            server.close()
            for task in list(self.tasks):
                task.cancel()

    async def _welcome(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        if task is not None:
            self.tasks.add(task)
        self._clients += 1
        try:
            if self._clients > MOST_CLIENTS or self._table is None:
                writer.write(frame(FrameKind.FINAL))
                return
            # asyncio reports a task that was cancelled, as all are at the end, when it is one of a connection
            with suppress(ConnectionError, TimeoutError, asyncio.CancelledError):
                await self._attend(reader, writer, self._table)
        except Exception as fault:  # noqa: BLE001  # a computer player's; `serve` raises it
            self._fault = fault
        finally:
            self._clients -= 1
            if task is not None:
                self.tasks.discard(task)
            writer.close()
            asyncio.get_running_loop().call_later(FAREWELL, writer.transport.abort)

    async def _attend(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, table: _GameTable) -> None:
        """Read what a client sends until it leaves or breaks the protocol."""
        _set_up(writer.get_extra_info("socket"))
        self._last += 1
        loop = asyncio.get_running_loop()
        connection = _Client(self._last, table, writer, loop.time(), loop.time())
        frames = FrameReader()
        try:
            while True:
                wait = None if frames.begun else self.plan.first_message
                try:
                    piece = await asyncio.wait_for(reader.read(_PIECE), wait)
                except TimeoutError:
                    raise ProtocolError(FrameFault.TIMER) from None
                if not piece:
                    return
                for one in frames.feed(piece):
                    if one.kind in (FrameKind.FINAL, FrameKind.ERROR):
                        return
                    if one.kind is FrameKind.INITIAL:
                        table.connections[connection.number] = connection
                        table.room.join(connection.number)
                        connection.send(frame(FrameKind.REPRESENTATION, self.plan.words.representation))
                        continue
                    message = one.message
                    async with table.lock:
                        if connection.number not in table.room.guests:
                            return
                        wait = connection.charge(len(message), loop.time())
                        table.deliver(table.room.receive(connection.number, message, loop.time()))
                        await table.go_on()
                    await writer.drain()
                    await asyncio.sleep(wait)
        except ProtocolError as broken:
            _log.info("client %d broke the protocol: %s", connection.number, broken)
            connection.send(frame(FrameKind.ERROR, broken.fault.to_bytes(2, "big")))
        finally:
            table.connections.pop(connection.number, None)
            table.deliver(table.room.leave(connection.number))
            with suppress(asyncio.CancelledError):
                async with table.lock:
                    await table.go_on()


def _set_up(sock: socket.socket) -> None:
    """Send small messages at once, and notice within minutes that a client is no longer there."""
    sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    sock.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)
    for name, value in (("TCP_KEEPIDLE", 60), ("TCP_KEEPINTVL", 15), ("TCP_KEEPCNT", 4)):
        if hasattr(socket, name):
            sock.setsockopt(socket.IPPROTO_TCP, getattr(socket, name), value)

"""Players that are programs for DAIDE: each seat has a server of its own, to which its program connects."""

import shlex
import socket
import subprocess
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field

from plenipo.daide.frames import FrameKind, FrameReader, ProtocolError, frame, language
from plenipo.daide.room import Outbox, Room
from plenipo.daide.tokens import Token, Tokens, as_text
from plenipo.daide.vocabulary import map_name, vocabulary_of
from plenipo.engine.orders import Order
from plenipo.engine.position import Power
from plenipo.engine.sentences import say
from plenipo.errors import InvalidVariant, UnknownName
from plenipo.matches.children import Meter
from plenipo.matches.players import PATIENCE, CannotPlay, Misplayed, OrderRequest

__all__ = ["DaideProgram"]

PLACEHOLDER = "{port}"
"""The place of the port in the command of a program."""

_HOST = "127.0.0.1"
_PIECE = 65_536
_SHORTEST = 0.05
"""Seconds between two checks of a program."""

_LEAVE = 1.0
"""Seconds that a program has to leave after the game."""

_LONGEST = 80
"""The length of quoted messages."""

_CLIENT = 1


@dataclass
class _Seat:
    """A program at work, its connection, and the game as it sees it."""

    process: subprocess.Popen[bytes]
    listening: socket.socket
    meter: Meter
    connection: socket.socket | None = None
    frames: FrameReader = field(default_factory=FrameReader)
    room: Room | None = None

    def end(self) -> None:
        """Say goodbye, and end the program if it does not end itself."""
        self.meter.seconds()
        if self.connection is not None:
            with suppress(OSError):
                self.connection.sendall(language((Token.OFF.value,)) + frame(FrameKind.FINAL))
            self.connection.close()
            with suppress(subprocess.TimeoutExpired):
                self.process.wait(_LEAVE)
        self.listening.close()
        self.process.kill()
        self.process.wait()


@dataclass
class DaideProgram:
    """A program for DAIDE that plays; it is started anew for each seat of a game, and after a fault.

    It has `first` seconds to connect and learn the map, as many for its first orders in a game, and `limit` for a
    phase: of its own processor time where the system provides it, and `PATIENCE` times as many by the wall. After a
    fault it has no more than `limit` for its orders, so that a program that thinks for ever costs little.
    """

    name: str
    command: Sequence[str]
    limit: float
    first: float
    _seats: dict[Power, _Seat] = field(default_factory=dict, init=False)
    _failed: set[Power] = field(default_factory=set, init=False)
    """The powers for which it has misplayed in this game."""
    _before: float = field(default=0.0, init=False)

    @classmethod
    def from_command(cls, name: str, text: str, limit: float, first: float) -> "DaideProgram":
        """Return the program of a command, split as a shell would; raise `UnknownName` for one without a port."""
        try:
            command = shlex.split(text)
        except ValueError as fault:
            raise UnknownName(say("'{text}' is not a command: {fault}.", text=text, fault=fault)) from fault
        if not any(PLACEHOLDER in word for word in command):
            raise UnknownName(
                say(
                    "The command '{text}' does not say where the port goes; write {placeholder} there, as in "
                    "--daide DumbBot='dumbbot -p{placeholder}'.",
                    text=text,
                    placeholder=PLACEHOLDER,
                )
            )
        return cls(name, command, limit, first)

    def clock(self) -> float:
        """Return the seconds all its processes have used so far; see `Player.clock`."""
        return self._before + sum(seat.meter.seconds() for seat in self._seats.values())

    def orders(self, asked: OrderRequest) -> list[Order] | list[str]:
        """Tell it what has happened, and wait for its orders; see `Player.orders`."""
        power = asked.legal.power
        try:
            return self._answer(self._seats.get(power) or self._start(power), asked)
        except (Misplayed, CannotPlay):
            self._failed.add(power)
            self._end(power)
            raise

    def warm_up(self, asked: OrderRequest, limit: float) -> None:  # noqa: ARG002  # it has it for its first orders anyway
        """Start it and ask it; see `Player.warm_up`."""
        self.orders(asked)

    def close(self) -> None:
        """End the programs of all seats."""
        for power in list(self._seats):
            self._end(power)
        self._failed.clear()

    def _end(self, power: Power) -> None:
        seat = self._seats.pop(power, None)
        if seat is not None:
            seat.end()
            self._before += seat.meter.seconds()

    def _start(self, power: Power) -> _Seat:
        listening = socket.create_server((_HOST, 0), backlog=1)
        port = str(listening.getsockname()[1])
        command = [word.replace(PLACEHOLDER, port) for word in self.command]
        try:
            process = subprocess.Popen(  # noqa: S603  # named by the user
                command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
            )
        except OSError as fault:
            listening.close()
            raise UnknownName(
                say(
                    "The player '{name}' cannot be started: '{command}': {why}.",
                    name=self.name,
                    command=command[0],
                    why=(fault.strerror or str(fault)).lower(),
                )
            ) from fault
        meter = Meter()
        meter.follow(process.pid)
        seat = self._seats[power] = _Seat(process, listening, meter)
        return seat

    def _answer(self, seat: _Seat, asked: OrderRequest) -> list[Order]:
        power, room, limit = asked.legal.power, seat.room, self.limit
        if room is None:
            room = self._seat_program(seat, asked)
            limit = limit if power in self._failed else max(self.first, limit)
        else:
            self._send(seat, room.advance(asked.view, 0.0))
        if not self._wait(seat, room, lambda: room.is_due(0.0), limit):
            raise Misplayed(say("'{name}' gave no orders within {limit:g} s.", name=self.name, limit=limit))
        return list(room.orders()[power])

    def _seat_program(self, seat: _Seat, asked: OrderRequest) -> Room:
        """Wait until the program has connected and accepted the map, and show it the game."""
        rules, limit = asked.view.rules, max(self.first, self.limit)
        try:
            words = vocabulary_of(rules)
        except InvalidVariant as fault:
            raise CannotPlay(say("'{name}' cannot play: {fault}", name=self.name, fault=fault)) from fault
        room = seat.room = Room(asked.view, words, {asked.legal.power: asked.seed[0]}, map_name(rules))
        if not self._wait(seat, room, room.is_complete, limit):
            raise Misplayed(say("'{name}' did not join the game within {limit:g} s.", name=self.name, limit=limit))
        self._send(seat, room.start(0.0))
        return room

    def _wait(self, seat: _Seat, room: Room, is_done: Callable[[], bool], limit: float) -> bool:
        """Take what the program sends until all is done; return whether that came within its limit."""
        began, used = time.perf_counter(), seat.meter.seconds()
        while not is_done():
            left = min(limit - (seat.meter.seconds() - used), PATIENCE * limit - (time.perf_counter() - began))
            if left <= 0:
                return False
            self._listen(seat, room, min(left, _SHORTEST))
        return True

    def _listen(self, seat: _Seat, room: Room, seconds: float) -> None:
        """Take what the program sends within so many seconds, and answer it."""
        try:
            if seat.connection is None:
                seat.listening.settimeout(seconds)
                seat.connection, _ = seat.listening.accept()
                seat.connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
                seat.meter.look_round()
            seat.connection.settimeout(seconds)
            piece = seat.connection.recv(_PIECE)
        except TimeoutError:
            if seat.process.poll() is not None and seat.connection is None:
                raise Misplayed(say("'{name}' ended.", name=self.name)) from None
            return
        except OSError:
            piece = b""
        if not piece:
            raise Misplayed(say("'{name}' ended.", name=self.name))
        try:
            for one in seat.frames.feed(piece):
                if one.kind is FrameKind.INITIAL:
                    room.join(_CLIENT)
                    self._write(seat, frame(FrameKind.REPRESENTATION, room.words.representation))
                elif one.kind is FrameKind.LANGUAGE:
                    self._take(seat, room, one.message)
                else:
                    raise Misplayed(say("'{name}' ended.", name=self.name))
        except ProtocolError as broken:
            raise Misplayed(
                say("'{name}' broke the protocol of DAIDE: {fault}.", name=self.name, fault=broken)
            ) from broken

    def _take(self, seat: _Seat, room: Room, message: Tokens) -> None:
        if message[0] == Token.REJ and not room.started:
            raise CannotPlay(
                say("'{name}' cannot play {title}: it refuses the map.", name=self.name, title=room.view.rules.title)
            )
        answers = room.receive(_CLIENT, message, 0.0)
        self._send(seat, answers)
        if any(answer[0] in (Token.HUH, Token.PRN) for _, answer in answers):
            text = as_text(message, room.words.names)[:_LONGEST]
            raise Misplayed(say("'{name}' sent '{text}', which is no message of DAIDE.", name=self.name, text=text))

    def _send(self, seat: _Seat, outbox: Outbox) -> None:
        self._write(seat, b"".join(language(message) for _, message in outbox))

    def _write(self, seat: _Seat, content: bytes) -> None:
        if seat.connection is None:
            return
        try:
            seat.connection.settimeout(PATIENCE * self.limit)
            seat.connection.sendall(content)
        except OSError as fault:
            raise Misplayed(say("'{name}' ended.", name=self.name)) from fault

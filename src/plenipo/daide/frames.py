"""The frames of the DAIDE protocol: the messages of a connection as bytes, read piece by piece.

A frame is a type, a byte of padding, the length of its content in two bytes, and the content.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field
from enum import IntEnum

from plenipo.daide.tokens import Tokens, decode, encode
from plenipo.errors import InvalidMessage

__all__ = ["Frame", "FrameFault", "FrameKind", "FrameReader", "ProtocolError", "frame", "initial", "language"]

MAGIC, VERSION = 0xDA10, 1
_HEAD = 4

MOST = 65_000
"""The longest content of a language message that is read, in bytes: an answer that repeats it has to fit in a frame."""


class FrameKind(IntEnum):
    """The type of a frame."""

    INITIAL = 0
    REPRESENTATION = 1
    LANGUAGE = 2
    FINAL = 3
    ERROR = 4


class FrameFault(IntEnum):
    """The code of an error message, after which the connection is closed."""

    TIMER = 0x01
    """No initial message came in time."""
    NOT_FIRST = 0x02
    ENDIAN = 0x03
    MAGIC = 0x04
    VERSION = 0x05
    TWICE = 0x06
    """A second initial message."""
    FROM_SERVER = 0x07
    UNKNOWN = 0x08
    SHORT = 0x09
    EARLY = 0x0A
    """A language message before the representation."""
    NO_REPRESENTATION = 0x0B
    UNEXPECTED = 0x0C
    FROM_CLIENT = 0x0D
    """A representation sent by a client."""
    TOKEN = 0x0E


class ProtocolError(Exception):
    """A frame that ends the connection, with the code of the error message."""

    def __init__(self, fault: FrameFault) -> None:
        super().__init__(fault.name)
        self.fault = fault


@dataclass(frozen=True)
class Frame:
    """A frame as it was read."""

    kind: FrameKind
    content: bytes

    @property
    def message(self) -> Tokens:
        """The tokens of a language message."""
        try:
            return decode(self.content)
        except InvalidMessage as fault:
            raise ProtocolError(FrameFault.TOKEN) from fault


def frame(kind: FrameKind, content: bytes = b"") -> bytes:
    """Return a frame as bytes."""
    return bytes((kind, 0)) + len(content).to_bytes(2, "big") + content


def language(message: Tokens) -> bytes:
    """Return the frame of a language message."""
    return frame(FrameKind.LANGUAGE, encode(message))


def initial(version: int = VERSION) -> bytes:
    """Return the first frame of a client."""
    return frame(FrameKind.INITIAL, version.to_bytes(2, "big") + MAGIC.to_bytes(2, "big"))


@dataclass
class FrameReader:
    """The frames of a client, from the pieces in which its bytes arrive; the first has to be the initial message."""

    begun: bool = False
    _left: bytearray = field(default_factory=bytearray)

    def feed(self, piece: bytes) -> Iterator[Frame]:
        """Yield the frames that are complete now; raise `ProtocolError`."""
        self._left += piece
        while len(self._left) >= _HEAD:
            length = int.from_bytes(self._left[2:_HEAD], "big")
            kind = self._left[0]
            self._check(kind, length)
            if len(self._left) < _HEAD + length:
                return
            content = bytes(self._left[_HEAD : _HEAD + length])
            del self._left[: _HEAD + length]
            if kind == FrameKind.INITIAL:
                self._check_initial(content)
            yield Frame(FrameKind(kind), content)

    def _check(self, kind: int, length: int) -> None:
        """Refuse a frame as soon as its head is here, so that no one waits for content that never comes."""
        if not self.begun:
            if kind != FrameKind.INITIAL:
                raise ProtocolError(FrameFault.NOT_FIRST)
            if length != _HEAD:
                raise ProtocolError(FrameFault.ENDIAN if length == _HEAD << 8 else FrameFault.SHORT)
        elif kind == FrameKind.INITIAL:
            raise ProtocolError(FrameFault.TWICE)
        elif kind == FrameKind.REPRESENTATION:
            raise ProtocolError(FrameFault.FROM_CLIENT)
        elif length > MOST or kind not in (FrameKind.LANGUAGE, FrameKind.FINAL, FrameKind.ERROR):
            raise ProtocolError(FrameFault.UNKNOWN)
        elif kind == FrameKind.LANGUAGE and (length < 2 or length % 2):
            raise ProtocolError(FrameFault.SHORT)

    def _check_initial(self, content: bytes) -> None:
        version, magic = int.from_bytes(content[:2], "big"), int.from_bytes(content[2:], "big")
        if magic != MAGIC:
            swapped = int.from_bytes(content[2:], "little") == MAGIC
            raise ProtocolError(FrameFault.ENDIAN if swapped else FrameFault.MAGIC)
        if version != VERSION:
            raise ProtocolError(FrameFault.VERSION)
        self.begun = True

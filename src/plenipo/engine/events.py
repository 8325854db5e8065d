"""Events of a phase beside the orders, and refusals: data first, then one English sentence."""

from enum import StrEnum
from typing import NamedTuple, NewType

from plenipo.engine.board import Code
from plenipo.engine.immutable import name_text
from plenipo.engine.position import Power, Unit

__all__ = [
    "CENTRES_DELAYED",
    "CENTRE_LOST",
    "CENTRE_TAKEN",
    "GAME_WON",
    "HOMES_FIXED",
    "UNIT_DESTROYED",
    "UNIT_DISBANDED",
    "Event",
    "EventKind",
    "Refusal",
    "RefusalCode",
]

EventKind = NewType("EventKind", str)
"""The kind of an event, as a stable word for programs; a rule module adds words for its own events."""

CENTRE_TAKEN = EventKind("centre_taken")
"""The first power took the centre, from the second if there is one."""

CENTRE_LOST = EventKind("centre_lost")
"""The power lost the centre, and no power captured it."""

UNIT_DESTROYED = EventKind("unit_destroyed")
"""The unit, or the piece that is named, was lost without a retreat."""

UNIT_DISBANDED = EventKind("unit_disbanded")
"""The unit had no place left and was disbanded."""

CENTRES_DELAYED = EventKind("centres_delayed")
"""The power cannot build for the centres yet."""

HOMES_FIXED = EventKind("homes_fixed")
"""The centres are the home centres of the power from now on."""

GAME_WON = EventKind("game_won")
"""The powers won the game."""


class Event(NamedTuple):
    """An event beside the orders: its kind, the sentence, and the powers, spaces and units it is about.

    `names` are those of things that are neither powers, spaces nor units; `numbers` are in the order of the sentence.
    """

    kind: EventKind
    sentence: str
    powers: tuple[Power, ...] = ()
    spaces: tuple[Code, ...] = ()
    units: tuple[Unit, ...] = ()
    names: tuple[str, ...] = ()
    numbers: tuple[int, ...] = ()

    def __str__(self) -> str:
        return self.sentence

    def __repr__(self) -> str:
        return name_text(self, f"{self.kind}: {self.sentence}")


class RefusalCode(StrEnum):
    """The reason for a refusal, as a stable word for programs."""

    UNREADABLE = "unreadable"
    AMBIGUOUS = "ambiguous"
    """It can be read in several ways."""
    ILLEGAL = "illegal"
    """It can be read, but is not allowed in this position."""
    NOT_NOW = "not_now"
    """It belongs to a phase of another kind."""
    NO_UNIT = "no_unit"
    """There is no unit to order."""
    NOT_YOURS = "not_yours"
    """The unit belongs to another power."""
    NO_ORDERS = "no_orders"
    """The unit takes no orders at all."""
    TWO_ORDERS = "two_orders"
    """Different orders were given for one unit."""
    REPLACED = "replaced"
    """A later choice took its place."""
    NOT_TOGETHER = "not_together"
    """It is incompatible with an earlier choice."""
    NO_ROOM = "no_room"
    """The possible builds or removals were already ordered before it."""
    NOT_PLAYED = "not_played"
    """The power has no player."""
    NOT_DRAWN = "not_drawn"
    """It is the result of a draw that is not due."""


class Refusal(NamedTuple):
    """A refused order or notice: the reason, the power that gave it, and its text.

    `place` is the range of the fault in the text, from one character up to another, where that is known.
    """

    code: RefusalCode
    sentence: str
    power: Power | None = None
    text: str = ""
    place: tuple[int, int] | None = None

    def __str__(self) -> str:
        return self.sentence

    def __repr__(self) -> str:
        return name_text(self, f"{self.code}: {self.sentence}")

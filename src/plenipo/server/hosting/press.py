"""Letters: who may write to whom and when, who reads what, and what a reader is shown of a letter.

A letter belongs to the thread of a set of seats, and is addressed to tenures: to those who held these seats when it was
written. So whoever takes a seat over reads nothing that was written to the one before. What is written to everyone
stays open to everybody at the table, also to those who come later.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Annotated, Any, Literal

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field

from plenipo.engine.calendar import PhaseKind
from plenipo.engine.position import GAME_MASTER, Power
from plenipo.engine.wording import listing

__all__ = [
    "EVERYONE",
    "LONGEST",
    "NO_LETTERS",
    "OFFICE",
    "OPENED",
    "PRESETS",
    "UNSIGNED",
    "Letter",
    "Letters",
    "Policy",
    "Shown",
    "Table",
    "cleaned",
    "closing",
    "in_words",
    "key_of",
    "may_read",
    "readers",
    "shown",
    "thread_of",
    "unread",
    "why_not",
]

EVERYONE = "*"
"""What stands for all seats in the key of a thread."""

UNSIGNED = "~"
"""What stands for the sender in the key of a thread of letters without a sender."""

OFFICE = GAME_MASTER
"""The seat of whoever keeps the game, who can always be written to."""

LONGEST = 20_000
"""The most characters of a letter."""

MINUTES = 7 * 24 * 60
"""The most minutes before a deadline at which letters may close."""

PHASES: dict[PhaseKind, str] = {
    PhaseKind.MOVEMENT: "moves",
    PhaseKind.RETREATS: "retreats",
    PhaseKind.ADJUSTMENTS: "adjustments",
    PhaseKind.CHOICE: "choices",
    PhaseKind.DRAWS: "draws",
}


class Policy(BaseModel):
    """The policy of letters of a game.

    `who` says to whom a seat may write: to nobody, to all at once, to one other or all, or to any. `phases` are the
    kinds of phase in which letters are written, none meaning all. They close `closing` minutes before a deadline, and
    in the grace after it private ones rest unless `grace`. `dead` says whether a power without units and centres still
    writes, `observers` whether those who look on read what is written to everyone. `grey` letters have no sender that
    is shown. `opened` says who reads all of them when the game is over.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    who: Literal["none", "everyone", "two", "groups"] = "groups"
    phases: tuple[PhaseKind, ...] = ()
    closing: Annotated[int, Field(ge=0, le=MINUTES)] = 0
    grace: bool = True
    dead: bool = True
    observers: bool = False
    grey: Literal["no", "allowed", "only"] = "no"
    opened: Literal["never", "players", "all"] = "never"


PRESETS: dict[str, tuple[Policy, str]] = {
    "Letters": (Policy(), "To anybody, at any time."),
    "As in the rulebook": (
        Policy(phases=(PhaseKind.MOVEMENT, PhaseKind.CHOICE), dead=False),
        "To anybody while moves are ordered; nobody writes during retreats and builds.",
    ),
    "Open letters": (Policy(who="everyone"), "Only to everyone at once."),
    "Open and unsigned": (Policy(who="everyone", grey="only"), "To everyone at once, and nobody sees from whom."),
    "None": (Policy(who="none"), "Nobody writes to another; the orders speak."),
}
"""Ways to set it, each with what it means."""

NO_LETTERS = PRESETS["None"][0]

OPENED: dict[str, str] = {
    "never": "Nobody ever reads the letters of others.",
    "players": "When the game is over its players read all letters.",
    "all": "When the game is over everybody reads all letters.",
}
"""Who reads all letters after the end, in a sentence."""


def _named(value: Any) -> Any:
    """A policy by the name of a preset, perhaps with parts set otherwise: `{"preset": "Letters", "opened": "all"}`."""
    if isinstance(value, str):
        value = {"preset": value}
    if isinstance(value, Mapping) and "preset" in value:
        rest = {key: part for key, part in value.items() if key != "preset"}
        known = {name.casefold(): policy for name, (policy, _) in PRESETS.items()}
        policy = known.get(str(value["preset"]).strip().casefold())
        if policy is None:
            raise ValueError(f"there is no such preset; the presets are {listing(list(PRESETS))}")
        return {**policy.model_dump(), **rest}
    return value


Letters = Annotated[Policy, BeforeValidator(_named)]
"""A policy as it may be written: its values, or the name of a preset."""


def in_words(policy: Policy) -> tuple[str, ...]:
    """What a policy means, in sentences."""
    whom = {
        "none": "Nobody writes to another player.",
        "everyone": "Letters go to everyone at once.",
        "two": "Letters go to one other player, or to everyone.",
        "groups": "Letters go to any other players, or to everyone.",
    }
    if policy.who == "none":
        return (whom["none"],)
    words = [whom[policy.who]]
    if policy.grey != "no":
        words.append("Nobody sees who wrote them." if policy.grey == "only" else "They may be sent unsigned.")
    if policy.phases:
        words.append(f"They are written only during {listing([PHASES[kind] for kind in policy.phases])}.")
    if policy.closing:
        words.append(f"They close {_minutes(policy.closing)} before the deadline.")
    if not policy.grace:
        words.append("In the grace after a deadline only open letters are written.")
    if not policy.dead:
        words.append("Who is eliminated no longer writes.")
    if policy.observers:
        words.append("Those who look on read what is written to everyone.")
    return (*words, OPENED[policy.opened])


def _minutes(minutes: int) -> str:
    return f"{minutes // 60} h" if minutes % 60 == 0 else f"{minutes} min"


@dataclass(frozen=True)
class Table:
    """All of a game that letters depend on, at one moment.

    `seats` are the powers in their order; `tenures` those who hold each of them now, and the office of the keeper,
    nobody meaning that nobody would read. `computers` are the seats that computers play.
    """

    policy: Policy
    seats: tuple[Power, ...]
    tenures: Mapping[str, tuple[int, ...]]
    kind: PhaseKind
    due: datetime | None = None
    in_grace: bool = False
    over: bool = False
    forming: bool = False
    dead: frozenset[Power] = frozenset()
    computers: frozenset[Power] = frozenset()


@dataclass(frozen=True)
class Letter:
    """A letter: its number in the game from 1, a random id, the seats of its thread, who wrote it, and who reads it.

    `sender` is the tenure that wrote it and `seat` where it sat. `proposal` are orders, each with the power that is to
    give it. `readers` are tenures; of an open letter they are not listed.
    """

    number: int
    id: str
    thread: tuple[str, ...]
    sender: int
    seat: str
    phase_number: int
    phase: str
    written: datetime
    text: str
    grey: bool = False
    proposal: tuple[tuple[str, str], ...] = ()
    readers: frozenset[int] = field(default_factory=frozenset)

    @property
    def open(self) -> bool:
        """Whether it was written to everyone."""
        return EVERYONE in self.thread


def key_of(seats: Iterable[str], order: Sequence[str]) -> tuple[str, ...]:
    """The key of the thread of these seats: each once, in the order of the powers, the office after them."""
    named = set(seats)
    return tuple(seat for seat in (EVERYONE, UNSIGNED, *order, OFFICE) if seat in named)


def cleaned(text: str) -> str:
    """The text of a letter as it is kept: without signs that are not seen or that turn the writing round."""
    kept = (sign for sign in text.replace("\r\n", "\n").replace("\r", "\n") if sign in "\n\t" or _plain(sign))
    return "".join(kept).strip()


def _plain(sign: str) -> bool:
    hidden = "\u200e\u200f\u061c"
    return ord(sign) >= 32 and not (
        sign in hidden
        or "\u007f" <= sign <= "\u009f"
        or "\u202a" <= sign <= "\u202e"
        or "\u2066" <= sign <= "\u2069"
        or "\ud800" <= sign <= "\udfff"
    )


def closing(table: Table) -> datetime | None:
    """When letters close before the deadline of the open phase, if they do."""
    if table.over or table.due is None or not table.policy.closing or table.policy.who == "none":
        return None
    return table.due - timedelta(minutes=table.policy.closing)


def why_not(table: Table, seat: str, to: Sequence[str], now: datetime, *, grey: bool = False) -> str:
    """Why a letter may not be written from a seat to others (`EVERYONE`: to all), a sentence; empty if it may."""
    others = [other for other in to if other != seat]
    known = {*table.seats, OFFICE, EVERYONE}
    if wrong := [other for other in to if other not in known]:
        return f"'{wrong[0][:60]}' has no seat at this game; write to {listing([str(s) for s in table.seats])}."
    if not others or len(others) < len(to):
        return "A letter needs somebody to read it who is not its writer."
    if EVERYONE in others and len(others) > 1:
        return "A letter to everyone goes to nobody else besides."
    if table.forming:
        return "The game has not begun; nobody has a seat to write from."
    empty = [other for other in others if other != EVERYONE and not table.tenures.get(other)]
    if empty:
        return _nobody(table, empty[0])
    if seat == OFFICE or others == [OFFICE]:
        return "A letter of the keeper, or to him, is signed." if grey else ""
    policy = table.policy
    if policy.who == "none":
        return "In this game nobody writes to another player; only the keeper can be written to."
    if policy.who == "everyone" and others != [EVERYONE]:
        return "In this game letters go to everyone at once, or to the keeper."
    if policy.who == "two" and len(others) > 1:
        return "In this game a letter goes to one other player, or to everyone."
    if grey and policy.grey == "no":
        return "In this game letters are signed."
    if not grey and policy.grey == "only":
        return "In this game letters to players are not signed."
    return "" if table.over else _closed(table, seat, now, private=others != [EVERYONE])


def _nobody(table: Table, seat: str) -> str:
    if seat == OFFICE:
        return "Nobody keeps this game who could be written to."
    if seat in table.computers:
        return f"A computer plays {seat}, and reads no letters."
    return f"The seat of {seat} is vacant; nobody would read it."


def _closed(table: Table, seat: str, now: datetime, *, private: bool) -> str:
    """Why nobody at a seat writes to a player at this moment."""
    policy = table.policy
    if seat in table.dead and not policy.dead:
        return f"{seat} is eliminated, and in this game whoever is eliminated writes no more."
    if policy.phases and table.kind not in policy.phases:
        return f"Letters rest now; they are written during {listing([PHASES[kind] for kind in policy.phases])}."
    if private and table.in_grace and not policy.grace:
        return "The deadline is over; until the phase ends only open letters are written."
    closes = closing(table)
    if closes is not None and now >= closes:
        return f"Letters closed {_minutes(policy.closing)} before the deadline."
    return ""


def thread_of(table: Table, seat: str, to: Sequence[str], *, grey: bool = False) -> tuple[str, ...]:
    """The key of the thread of a letter from a seat to others; the sender of an unsigned one is not in it."""
    if EVERYONE in to:
        return (EVERYONE,)
    return key_of([UNSIGNED if grey else seat, *to], table.seats)


def readers(table: Table, seat: str, to: Sequence[str]) -> frozenset[int]:
    """Who reads a letter that is written now: all who hold one of these seats; of an open one they are not listed."""
    if EVERYONE in to:
        return frozenset()
    return frozenset(number for one in (seat, *to) for number in table.tenures.get(one, ()))


def may_read(table: Table, letter: Letter, tenures: Collection[int]) -> bool:
    """Whether somebody with these tenures, none for who looks on, may read a letter now.

    Of one's own seat and time, what is open, and after the end everything if that was agreed at the start.
    """
    if not letter.readers.isdisjoint(tenures):
        return True
    seats = {seat for seat, held in table.tenures.items() if not set(held).isdisjoint(tenures)}
    if letter.open and (seats or table.policy.observers):
        return True
    opened = table.policy.opened
    return table.over and (opened == "all" or (opened == "players" and bool(seats - {OFFICE})))


@dataclass(frozen=True)
class Shown:
    """A letter as a reader is shown it: `seat` is empty where the sender is not."""

    letter: Letter
    mine: bool
    seat: str
    sender: int | None
    written: datetime


def shown(table: Table, letter: Letter, tenures: Collection[int]) -> Shown:
    """What a reader is shown of a letter: of an unsigned one neither the sender nor the minute, till all is opened."""
    mine = letter.sender in tenures
    hidden = letter.grey and not mine and not (table.over and table.policy.opened != "never")
    if not hidden:
        return Shown(letter, mine, letter.seat, letter.sender, letter.written)
    return Shown(letter, mine, "", None, letter.written.replace(minute=0, second=0, microsecond=0))


def unread(letters: Iterable[Letter], tenures: Collection[int], marks: Mapping[tuple[str, ...], int]) -> int:
    """How many letters of others came after how far the reader has read, by threads."""
    return sum(letter.sender not in tenures and letter.number > marks.get(letter.thread, 0) for letter in letters)

"""Press: who may write to whom and when, who reads a message, and how it is shown to a reader.

A message belongs to the thread of a set of seats, and is addressed to tenures: those that held these seats when it was
written. A replacement therefore cannot read the messages to the previous player. Public messages stay open to all
players of the game, including later ones.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Annotated, Any, Literal

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field

from plenipo.engine.calendar import PhaseKind
from plenipo.engine.position import GAME_MASTER, Power
from plenipo.engine.sentences import Quoted, Sentence, SentenceKind
from plenipo.engine.wording import listing
from plenipo.languages import mark

__all__ = [
    "EVERYONE",
    "LOBBY",
    "LONGEST",
    "NO_PRESS",
    "OFFICE",
    "OPENED",
    "PRESETS",
    "UNSIGNED",
    "PressFacts",
    "PressMessage",
    "PressPolicy",
    "PressSetting",
    "ShownMessage",
    "clean_text",
    "closing",
    "describe_press",
    "in_words",
    "is_unsigned",
    "key_of",
    "may_read",
    "readers",
    "show_message",
    "thread_of",
    "unread",
    "why_not",
]

EVERYONE = "*"
"""The key of the public thread: it stands for all seats."""

UNSIGNED = "~"
"""The sender in the key of a thread of anonymous messages."""

OFFICE = GAME_MASTER
"""The seat of the host or game master, who can always be written to."""

LOBBY = ""
"""The seat from which players write before the game starts, when powers are not assigned."""

LONGEST = 20_000
"""The most characters of a message."""

MINUTES = 7 * 24 * 60
"""The most minutes before a deadline at which press may close."""

PHASES: dict[PhaseKind, Sentence] = {
    PhaseKind.MOVEMENT: SentenceKind("server-press-movement", "moves", note="Press is open only during moves.")(),
    PhaseKind.RETREATS: SentenceKind("server-press-retreats", "retreats", note="Press is open only during these.")(),
    PhaseKind.ADJUSTMENTS: SentenceKind(
        "server-press-adjustments", "adjustments", note="Press is open only during these."
    )(),
    PhaseKind.CHOICE: SentenceKind("server-press-choice", "choices", note="Press is open only during these.")(),
    PhaseKind.DRAWS: SentenceKind(
        "server-press-draws", "draws", note="Press is open only during these draws of cards."
    )(),
}
"""The kinds of phase as parts of a sentence."""


class PressPolicy(BaseModel):
    """The press rules of a game.

    `who` says to whom a seat may write: to no other, to all at once, to one other or all, or to any set of seats.
    `phases`
    are the kinds of phase with press, empty for all. Press closes `closing` minutes before a deadline, and
    during the grace period private press is closed unless `grace`. `dead` says whether an eliminated power may still
    write, `observers` whether spectators read public press. `grey` messages are anonymous.
    `opened` says who may read all press after the game.
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


PRESETS: dict[str, tuple[PressPolicy, str]] = {
    mark("Full press"): (PressPolicy(), mark("Private and public messages at any time.")),
    mark("Press during moves"): (
        PressPolicy(phases=(PhaseKind.MOVEMENT, PhaseKind.CHOICE), dead=False),
        mark("Private and public messages in movement phases only, as in the rulebook."),
    ),
    mark("Public press"): (PressPolicy(who="everyone"), mark("Public messages only.")),
    mark("Anonymous public press"): (
        PressPolicy(who="everyone", grey="only"),
        mark("Public messages without the name of the sender."),
    ),
    mark("No press"): (PressPolicy(who="none"), mark("No messages between players (gunboat).")),
}
"""The presets for press, each with its meaning."""

NO_PRESS = PRESETS["No press"][0]

OPENED: dict[str, str] = {
    "never": mark("Private messages stay private after the game."),
    "players": mark("All messages are opened to the players after the game."),
    "all": mark("All messages are published after the game."),
}
"""The rules for reading all press after the end, each as a sentence."""

AGREED = mark("All players agreed after the game to open their private messages to each other.")


def _expand_preset(value: Any) -> Any:
    """Expand the name of a preset, perhaps with changed parts: `{"preset": "Full press", "opened": "all"}`."""
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


PressSetting = Annotated[PressPolicy, BeforeValidator(_expand_preset)]
"""A press policy as it may be given: its values, or the name of a preset."""


_WHOM = {
    "none": mark("There is no press between players."),
    "everyone": mark("All messages are public."),
    "two": mark("Messages go to one other player, or to all."),
    "groups": mark("Messages go to any group of players, or to all."),
}
_PHASES_OPEN = SentenceKind("server-press-phases", "Press is open only during {phases}.")
_CLOSES = SentenceKind("server-press-closes", "Press closes {span} before the deadline.")


def in_words(policy: PressPolicy) -> tuple[str, ...]:
    """Return a press policy as sentences."""
    if policy.who == "none":
        return (_WHOM["none"],)
    words = [_WHOM[policy.who]]
    if policy.grey != "no":
        words.append(
            mark("All messages are anonymous.") if policy.grey == "only" else mark("Messages may be anonymous.")
        )
    if policy.phases:
        words.append(_PHASES_OPEN(phases=tuple(PHASES[kind] for kind in policy.phases)))
    if policy.closing:
        words.append(_CLOSES(span=_minutes(policy.closing)))
    if not policy.grace:
        words.append(mark("During the grace period only public messages can be sent."))
    if not policy.dead:
        words.append(mark("Eliminated players cannot send messages."))
    if policy.observers:
        words.append(mark("Spectators can read public messages."))
    return (*words, OPENED[policy.opened])


def _minutes(minutes: int) -> str:
    return f"{minutes // 60} h" if minutes % 60 == 0 else f"{minutes} min"


@dataclass(frozen=True)
class PressFacts:
    """The facts of a game on which press depends, at one moment.

    `seats` are the powers in order; `tenures` are those that hold each of them now, and the host's office;
    a seat without one has no reader. `computers` are the seats of computer players. `agreed` are the tenures that
    voted after the game to open their private messages; empty as long as one of the players has not. Before the game
    starts (`forming`) all players hold the seat `LOBBY`; `anonymous` games hide who plays.
    """

    policy: PressPolicy
    seats: tuple[Power, ...]
    tenures: Mapping[str, tuple[int, ...]]
    kind: PhaseKind
    due: datetime | None = None
    in_grace: bool = False
    over: bool = False
    forming: bool = False
    anonymous: bool = False
    dead: frozenset[Power] = frozenset()
    computers: frozenset[Power] = frozenset()
    agreed: frozenset[int] = frozenset()

    @property
    def holders(self) -> frozenset[int]:
        """The tenures that hold a seat or the office now."""
        return frozenset(number for held in self.tenures.values() for number in held)

    def held_by(self, writer: str) -> frozenset[int]:
        """Return the tenures of the `writer` of a message that hold a seat now.

        In an anonymous game a tenure is not found by its number: its muted messages would show which power it plays.
        """
        if writer.startswith("#"):
            return frozenset(number for number in self.holders if f"#{number}" == writer and not self.anonymous)
        return frozenset(self.tenures.get(writer, ()))


def describe_press(table: PressFacts) -> tuple[str, ...]:
    """Return the press policy of a game as sentences, as it is now."""
    words = in_words(table.policy)
    return (*words[:-1], AGREED) if table.agreed else words


@dataclass(frozen=True)
class PressMessage:
    """A message: its number in the game from 1, a random id, the seats of its thread, its sender and its readers.

    `sender` is the tenure that wrote it and `seat` its seat. `proposal` are proposed orders, each with its
    power. `readers` are tenures; those of a public message are not listed.
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
        """True if the message is public."""
        return EVERYONE in self.thread


def key_of(seats: Iterable[str], order: Sequence[str]) -> tuple[str, ...]:
    """Return the key of the thread of these seats: each once, in the order of the powers, the office last."""
    named = set(seats)
    return tuple(seat for seat in (EVERYONE, UNSIGNED, *order, OFFICE) if seat in named)


def clean_text(text: str) -> str:
    """Return the text of a message as it is stored: without invisible or direction-changing characters."""
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


def closing(table: PressFacts) -> datetime | None:
    """Return when press closes before the deadline of the open phase, None if it does not."""
    if table.over or table.due is None or not table.policy.closing or table.policy.who == "none":
        return None
    return table.due - timedelta(minutes=table.policy.closing)


_UNSEATED = SentenceKind("server-press-unseated", "'{name}' has no seat in this game; write to {powers}.")
_COMPUTER_READS_NOTHING = SentenceKind("server-press-computer", "A computer plays {power}; it reads no messages.")
_VACANT = SentenceKind("server-press-vacant", "The seat of {power} is vacant.")
_ELIMINATED = SentenceKind(
    "server-press-eliminated", "{power} is eliminated; in this game eliminated players cannot send messages."
)
_CLOSED_IN_PHASE = SentenceKind(
    "server-press-closed-in-phase", "Press is closed in this phase; it is open during {phases}."
)
_CLOSED = SentenceKind("server-press-closed", "Press closed {span} before the deadline.")


def why_not(table: PressFacts, seat: str, to: Sequence[str], now: datetime, *, grey: bool = False) -> str:
    """Return why a seat may not write to others (`EVERYONE`: to all), as a sentence; empty if it may."""
    others = [other for other in to if other != seat]
    known = {*table.seats, OFFICE, EVERYONE}
    if wrong := [other for other in to if other not in known]:
        return _UNSEATED(name=Quoted(wrong[0][:60]), powers=tuple(table.seats))
    if not others or len(others) < len(to):
        return mark("A message needs a reader other than its sender.")
    if EVERYONE in others and len(others) > 1:
        return mark("A message to everyone has no other recipients.")
    if table.forming:
        return _why_not_in_lobby(table, seat, others)
    empty = [other for other in others if other != EVERYONE and not table.tenures.get(other)]
    if empty:
        return _nobody(table, empty[0])
    if seat == OFFICE or others == [OFFICE]:
        return mark("Messages from and to the host are signed.") if grey else ""
    policy = table.policy
    if policy.who == "none":
        return mark("This game has no press; you can write only to the host.")
    if policy.who == "everyone" and others != [EVERYONE]:
        return mark("This game has public press only: write to everyone, or to the host.")
    if policy.who == "two" and len(others) > 1:
        return mark("In this game a message goes to one other player, or to everyone.")
    if grey and policy.grey == "no":
        return mark("This game has no anonymous messages.")
    if not grey and policy.grey == "only":
        return mark("In this game messages to players are anonymous.")
    return "" if table.over else _why_closed(table, seat, now, private=others != [EVERYONE])


def _why_not_in_lobby(table: PressFacts, seat: str, others: Sequence[str]) -> str:
    """Return why a seat may not write to others before the game starts, as a sentence."""
    if others != [EVERYONE]:
        return mark("Before the game starts messages go to everyone who has joined.")
    if seat != OFFICE and table.policy.who == "none":
        return mark("This game has no press; before it starts only the host can write.")
    return ""


def is_unsigned(table: PressFacts, seat: str, *, grey: bool = False) -> bool:
    """Return whether a message is anonymous: if `grey`, and in the lobby of a game that hides its players.

    A signed message of the lobby would show later who plays which power, by the tenure of its sender.
    """
    return grey or (table.forming and seat != OFFICE and (table.anonymous or table.policy.grey == "only"))


def _nobody(table: PressFacts, seat: str) -> str:
    if seat == OFFICE:
        return mark("This game has no host to write to.")
    if seat in table.computers:
        return _COMPUTER_READS_NOTHING(power=Power(seat))
    return _VACANT(power=Power(seat))


def _why_closed(table: PressFacts, seat: str, now: datetime, *, private: bool) -> str:
    """Return why press from a seat to players is closed at this moment, as a sentence."""
    policy = table.policy
    if seat in table.dead and not policy.dead:
        return _ELIMINATED(power=Power(seat))
    if policy.phases and table.kind not in policy.phases:
        return _CLOSED_IN_PHASE(phases=tuple(PHASES[kind] for kind in policy.phases))
    if private and table.in_grace and not policy.grace:
        return mark("The deadline has passed; only public messages can be sent until the phase ends.")
    closes = closing(table)
    if closes is not None and now >= closes:
        return _CLOSED(span=_minutes(policy.closing))
    return ""


def thread_of(table: PressFacts, seat: str, to: Sequence[str], *, grey: bool = False) -> tuple[str, ...]:
    """Return the key of the thread of a message; the sender of an anonymous one is not in it."""
    if EVERYONE in to:
        return (EVERYONE,)
    return key_of([UNSIGNED if grey else seat, *to], table.seats)


def readers(table: PressFacts, seat: str, to: Sequence[str]) -> frozenset[int]:
    """Return the readers of a message written now: all tenures of its seats; those of a public one are not listed."""
    if EVERYONE in to:
        return frozenset()
    return frozenset(number for one in (seat, *to) for number in table.tenures.get(one, ()))


def may_read(table: PressFacts, message: PressMessage, tenures: Collection[int]) -> bool:
    """Return whether a viewer with these tenures (none for a spectator) may read a message now.

    Readable are messages of the viewer's own tenures, public ones, and after the end all, if the game was set up so.
    If the players agreed on it after the end, they read each other's messages, but none of somebody who was not asked.
    """
    if not message.readers.isdisjoint(tenures):
        return True
    seats = {seat for seat, held in table.tenures.items() if not set(held).isdisjoint(tenures)}
    if message.open and (seats or table.policy.observers):
        return True
    opened, plays = table.policy.opened, bool(seats - {OFFICE})
    if not table.over or opened == "all" or not plays:
        return table.over and opened == "all"
    return opened == "players" or table.agreed.issuperset({message.sender, *message.readers})


@dataclass(frozen=True)
class ShownMessage:
    """A message as it is shown to a reader: `seat` is empty where the sender is hidden."""

    message: PressMessage
    mine: bool
    seat: str
    sender: int | None
    written: datetime

    @property
    def writer(self) -> str:
        """The seat of the sender, or `#` and the tenure if it wrote before the game started; empty if hidden."""
        return self.seat or ("" if self.sender is None else f"#{self.sender}")


def show_message(table: PressFacts, message: PressMessage, tenures: Collection[int]) -> ShownMessage:
    """Return a message as shown to a reader; an anonymous one hides sender and minute until all press is opened."""
    mine = message.sender in tenures
    hidden = message.grey and not mine and not (table.over and table.policy.opened != "never")
    if not hidden:
        return ShownMessage(message, mine, message.seat, message.sender, message.written)
    return ShownMessage(message, mine, "", None, message.written.replace(minute=0, second=0, microsecond=0))


def unread(messages: Iterable[PressMessage], tenures: Collection[int], marks: Mapping[tuple[str, ...], int]) -> int:
    """Count the messages of others that the reader has not read yet, by the read marks of the threads."""
    return sum(message.sender not in tenures and message.number > marks.get(message.thread, 0) for message in messages)

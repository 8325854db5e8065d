"""The values that the store keeps and returns, and the changes it applies."""

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field, fields
from datetime import UTC, date, datetime, timedelta
from typing import Any, Literal, NamedTuple

__all__ = [
    "HEAD",
    "HERE",
    "SEATLESS",
    "Attendance",
    "Change",
    "GameHead",
    "JournalEntry",
    "Json",
    "Notice",
    "Seating",
    "Stand",
    "StoredEntry",
    "StoredGame",
    "StoredKey",
    "StoredLetter",
    "StoredMotion",
    "StoredPost",
    "StoredQuestion",
    "StoredReading",
    "StoredReason",
    "StoredResult",
    "StoredSheet",
    "StoredTenure",
    "StoredWishes",
    "Subscription",
    "TenureKind",
    "entry_hash",
    "journalled",
]

Json = dict[str, Any]


@dataclass(frozen=True)
class StoredSheet:
    """An order set: the texts of the orders, whether it is ready, and its version within the phase, from 1.

    `tenure` is the number of the tenure whose player wrote it, None where the writer had no tenure.
    """

    orders: tuple[str, ...]
    ready: bool = False
    version: int = 0
    tenure: int | None = None


@dataclass(frozen=True)
class StoredKey:
    """A key to a game: the SHA-256 of its token, and the seat it opens (`''`: all of them).

    `?` is an invitation, `#3` the key of tenure 3; `+France` offers the seat for good, `~France` for a while.
    """

    digest: str
    power: str = ""


TenureKind = Literal["player", "substitute", "sitter", "keeper", "reserve"]
"""The kind of a tenure: from the beginning, as replacement, as sitter, or as host.

A `reserve` is on the waiting list and has no seat.
"""

SEATLESS: frozenset[TenureKind] = frozenset({"keeper", "reserve"})
"""The kinds of those who sit on no seat."""


@dataclass(frozen=True)
class StoredTenure:
    """Somebody's time at a game: on the seat of a power (`''`: none dealt yet, or a keeper), from a phase to another.

    `until` is None while it lasts. `person` is who it is, None for somebody known by a key alone. `wishes` are the
    powers wished for, best first.
    """

    number: int
    name: str
    kind: TenureKind = "player"
    power: str = ""
    person: str | None = None
    since: int = 1
    until: int | None = None
    wishes: tuple[str, ...] = ()


@dataclass(frozen=True)
class StoredEntry:
    """An entry of the journal of a game: what happened beside the moves, of which kind, in a sentence for everybody."""

    kind: str
    text: str


@dataclass(frozen=True)
class JournalEntry:
    """An entry of a journal as it was kept: which one, when, in which phase, and the hash that chains it."""

    number: int
    at: datetime
    phase_number: int
    kind: str
    text: str
    hash: str


@dataclass(frozen=True, kw_only=True)
class StoredLetter:
    """A letter: the seats of its thread, the tenure that wrote it and where it sat, and the tenures that read it.

    `once` is what the writer's window calls it. `proposal` are orders, each with its power. `open` says that everybody
    reads it. The store gives it its `number`.
    """

    id: str
    thread: tuple[str, ...]
    sender: int
    seat: str
    once: str
    phase_number: int
    phase: str
    written: datetime
    text: str
    grey: bool = False
    open: bool = False
    proposal: tuple[tuple[str, str], ...] = ()
    readers: frozenset[int] = frozenset()
    number: int = 0


def entry_hash(before: str, row: Mapping[str, Any]) -> str:
    """The hash of an entry of a journal after the entry with the hash `before`; of the first one, the game's id."""
    what = [before, row["number"], row["at"].isoformat(), row["phase_number"], row["kind"], row["text"]]
    return hashlib.sha256(json.dumps(what, ensure_ascii=False, separators=(",", ":")).encode()).hexdigest()


def journalled(
    head: tuple[int, str], game: str, entries: Sequence[StoredEntry], phase_number: int, now: datetime
) -> list[JournalEntry]:
    """The entries of a journal after its newest one, whose number and hash are the `head` (0 if there is none)."""
    number, before = head if head[0] else (0, game)
    written = []
    for entry in entries:
        number += 1
        row = {"number": number, "at": now.astimezone(UTC), "phase_number": phase_number, **asdict(entry)}
        before = entry_hash(before, row)
        written.append(JournalEntry(**row, hash=before))
    return written


@dataclass(frozen=True)
class StoredMotion:
    """A motion: what is moved about which powers, by which seat, in which phase and when, until when, and the votes.

    `ballots` have for each seat the tenure that voted and whether it is for the motion. `goes_on` is when the game is
    to go on, if it is a motion to go on tomorrow, `changes` what is to be settled otherwise, if it is about that.
    """

    number: int
    kind: str
    about: tuple[str, ...]
    by: str
    phase_number: int
    moved: datetime
    until: datetime | None = None
    state: str = "open"
    ballots: Mapping[str, tuple[int, bool]] = field(default_factory=dict)
    goes_on: datetime | None = None
    changes: Json | None = None


HERE = "{address}"
"""The placeholder in mail for the address of the server, which only the sending process knows."""


@dataclass(frozen=True)
class StoredPost:
    """What is to be sent: its id, which stays the same however often it is tried, to whom, and what it says.

    `kind` is what it is about, `mail` for what somebody asked for, `hook` for a webhook, `day` for what is told once a
    day; `person` is who is told, of which `game`. `headers` have the `thread` it belongs to and where one says to
    `unsubscribe`, or that its `way` is `push`; then `to` is the id of a subscription.
    """

    id: str
    to: str
    subject: str
    body: str
    kind: str = "mail"
    person: str | None = None
    game: str | None = None
    headers: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class StoredWishes:
    """The notification settings of a person: channels by kind, quiet hours, and the tokens of links and calendar."""

    person: str
    token: str
    calendar: str
    kinds: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    quiet_from: int | None = None
    quiet_until: int | None = None
    zone: str = "UTC"
    hour: int = 8


@dataclass(frozen=True)
class Subscription:
    """A web push subscription: its endpoint, and the keys for encryption.

    `key` is the browser's public key, a point of 65 bytes, and `secret` its 16 bytes, both in URL-safe base64.
    """

    endpoint: str
    key: str
    secret: str

    @property
    def id(self) -> str:
        """The id of the subscription."""
        return hashlib.sha256(self.endpoint.encode()).hexdigest()[:32]


@dataclass(frozen=True)
class Attendance:
    """The record whether a tenure met a deadline with the orders it had to give."""

    tenure: int
    met: bool


@dataclass(frozen=True)
class StoredResult:
    """The result of a game for a tenure: its score, whether it stayed to the end, and its kind (`came`).

    `came` is the kind of the tenure, or `left`; `letters` says whether private messages were written in the game.
    """

    tenure: int
    power: str
    score: float
    came: str
    letters: bool


@dataclass(frozen=True)
class StoredReason:
    """The reason of a ruling: sealed by a salt, and perhaps published only after the game."""

    digest: str
    salt: str
    text: str
    withheld: bool = False


@dataclass(frozen=True)
class StoredReading:
    """An order of a power in the open phase that counts as another when it is processed, and why."""

    power: str
    order: str
    read: str
    reason: StoredReason


@dataclass(frozen=True, kw_only=True)
class StoredQuestion:
    """A question about one order, asked by a tenure (0 for who has only a link) of a power; the answer, once there is.

    The store gives it its `number`, from 1 in each game.
    """

    number: int = 0
    phase_number: int
    phase: str
    power: str
    tenure: int
    order: str
    text: str
    asked: datetime
    answer: str = ""
    answered: datetime | None = None


Seating = Literal["hotseat", "links"]
"""One key for all seats, or a key for each."""


@dataclass(frozen=True, kw_only=True)
class GameHead:
    """What a game is called and where it belongs, whoever keeps or shows it, at one revision.

    `parent` is the game that a what-if comes from, after so many turns. `phase_number` grows with every processing,
    undo and draw, `revision` with every change; `untold` are those changes of which nobody is told, for they are one
    person's business and nobody sees the game otherwise.
    """

    id: str
    name: str
    seating: Seating = "hotseat"
    parent: str | None = None
    parent_turn: int | None = None
    revision: int = 1
    untold: int = 0
    phase_number: int = 1

    @property
    def head(self) -> Json:
        """These values by their names."""
        return {name: getattr(self, name) for name in HEAD}


HEAD = tuple(value.name for value in fields(GameHead))
"""The names of those values."""


@dataclass(frozen=True, kw_only=True)
class StoredGame(GameHead):
    """A game as the store keeps it.

    `sheets` are the newest ones of the open phase. `computers` maps each seat to the name of its computer player, `''`
    for a person. `record` has its entries, turns and rulings; or they were not read, and then `hashes` are theirs,
    `rulings` those that are rulings, by their numbers from 0, and `Store.turns` reads the others. `journal` is the
    number and the hash of the newest entry of its journal. `absences` are the days on which those who play are away,
    first and last, by person.
    """

    variant: str
    record: Json
    computers: Mapping[str, str]
    phase: str
    over: bool
    sheets: Mapping[str, StoredSheet] = field(default_factory=dict)
    timing: Json | None = None
    settings: Json | None = None
    state: str = "running"
    due: datetime | None = None
    waits: tuple[str, ...] = ()
    tenures: tuple[StoredTenure, ...] = ()
    hashes: tuple[str, ...] = ()
    rulings: Mapping[int, Json] = field(default_factory=dict)
    journal: tuple[int, str] = (0, "")
    absences: Mapping[str, tuple[tuple[date, date], ...]] = field(default_factory=dict)
    ahead: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    readings: tuple[StoredReading, ...] = ()
    """The corrections of orders of the open phase, in order."""


class Stand(NamedTuple):
    """How far a game has come: its revision, the number of its open phase, its turns, and its newest letter.

    `untold` is how many of its revisions nobody is told of.
    """

    revision: int
    phase_number: int
    turn: int
    talk: int = 0
    untold: int = 0

    @property
    def told(self) -> int:
        """The number of its changes of which listeners are notified."""
        return self.revision - self.untold


NOT_AT_ALL = timedelta(0)


@dataclass(frozen=True)
class Notice:
    """What a person is told about the open phase of a game: what kind of thing, and the mail that says it.

    The same kind of thing is told once a phase, and mailed to who has an address. With a `wait` it is gathered so long,
    and told once while it waits. Without a person the game tells it of itself, where somebody has said where.
    """

    person: str
    kind: str
    subject: str
    body: str
    wait: timedelta = NOT_AT_ALL


@dataclass(frozen=True)
class StoredPerson:
    """A person: the id, the default name, and the instant of creation."""

    id: str
    name: str
    created: datetime


@dataclass(frozen=True)
class StoredSession:
    """A browser in which somebody is signed in: the SHA-256 of its token, what it is, since when, and last when."""

    digest: str
    person: str
    device: str
    created: datetime
    used: datetime
    network: str = ""
    """The keyed digest of the network from which it last changed something."""


ROW = 100
"""About how many bytes a row takes besides its text."""


def bytes_of(*texts: str) -> int:
    """Return about how many bytes rows with these texts take."""
    return sum(len(text.encode()) + ROW for text in texts)


class NewPerson(NamedTuple):
    """Somebody who is kept with the first seat they take, and the browser in which they are signed in."""

    person: StoredPerson
    session: StoredSession


@dataclass(frozen=True)
class Change:
    """What is to be changed of a game: `sheets` are handed in, for the open phase or else for the new one.

    A new phase begins with a new `record`, its `phase`, how many turns stand in it (`turn`) and whether the game is
    `over`; `keep` is how many entries stay as they are, and those of the record come after them. `reasons` are those
    of rulings.
    `wake` comes with `timing` and may be None then. `settings` are those of the game after it.
    `tenures` are those that are new or changed, `forget` the numbers of those that are as if they had never been;
    `add_keys` are new, and the keys to what stands in `drop_keys` open
    nothing after it. `computers` are the computer players of the seats that it names. `state`, `due` and `waits` are
    what the game is found by. `ahead` are all orders ahead of the game after it. `entries` are written into its
    journal, and `notices` are what persons are told. Of what is `untold` nobody hears but those whose own it is, and it
    does not count as a change in any list.
    """

    sheets: Mapping[str, StoredSheet] = field(default_factory=dict)
    record: Json | None = None
    phase: str = ""
    turn: int = 0
    over: bool = False
    keep: int = 0
    reasons: tuple[StoredReason, ...] = ()
    timing: Json | None = None
    settings: Json | None = None
    wake: datetime | None = None
    tenures: tuple[StoredTenure, ...] = ()
    forget: tuple[int, ...] = ()
    computers: Mapping[str, str] = field(default_factory=dict)
    add_keys: tuple[StoredKey, ...] = ()
    drop_keys: tuple[str, ...] = ()
    state: str | None = None
    due: datetime | None = None
    waits: tuple[str, ...] = ()
    ahead: Mapping[str, tuple[str, ...]] | None = None
    entries: tuple[StoredEntry, ...] = ()
    notices: tuple[Notice, ...] = ()
    untold: bool = False
    motions: tuple[tuple[int, str], ...] = ()
    """Motions that are decided by it: their numbers, and how."""
    readings: tuple[StoredReading, ...] = ()
    """The corrections of orders of the open phase."""
    attended: tuple[Attendance, ...] = ()
    """The seats that met the deadline of the previous phase, and those that did not."""
    results: tuple[StoredResult, ...] | None = None
    """What the game came to, if it is over since; none any more if it is not."""
    guest: NewPerson | None = None
    """Somebody new, to whom one of the tenures belongs."""

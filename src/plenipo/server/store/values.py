"""The values that the store keeps and returns, and the changes it applies."""

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from datetime import UTC, date, datetime, timedelta
from typing import Any, Literal, NamedTuple, Protocol

from sqlalchemy import Connection

from plenipo.engine.history.record import Json
from plenipo.engine.history.sentence_json import decode_sentence, encode_sentence

__all__ = [
    "HEAD",
    "HERE",
    "SEATLESS",
    "Attendance",
    "ChangeMoment",
    "ChangePart",
    "GameChange",
    "GameHead",
    "GameProgress",
    "HistoryChange",
    "JournalEntry",
    "Json",
    "Notification",
    "Seating",
    "StoredDeal",
    "StoredEntry",
    "StoredGame",
    "StoredKey",
    "StoredMessage",
    "StoredMotion",
    "StoredOrderSet",
    "StoredPost",
    "StoredPreferences",
    "StoredQuestion",
    "StoredReading",
    "StoredReason",
    "StoredResult",
    "StoredTenure",
    "Subscription",
    "TenureKind",
    "chain_entries",
    "entry_hash",
]


@dataclass(frozen=True)
class StoredOrderSet:
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


TenureKind = Literal["player", "substitute", "sitter", "host", "reserve"]
"""The kind of a tenure: from the beginning, as replacement, as sitter, or as host.

A `reserve` is on the waiting list and has no seat.
"""

SEATLESS: frozenset[TenureKind] = frozenset({"host", "reserve"})
"""The kinds of tenures without a seat."""


@dataclass(frozen=True)
class StoredTenure:
    """A person's tenure in a game: on the seat of a power (`''`: none assigned yet, or a host), from phase to phase.

    `until` is None while it lasts. `person` is the id of the person, None for a player known only by a key.
    `preferences`
    are the preferred powers, best first.
    """

    number: int
    name: str
    kind: TenureKind = "player"
    power: str = ""
    person: str | None = None
    since: int = 1
    until: int | None = None
    preferences: tuple[str, ...] = ()


@dataclass(frozen=True)
class StoredEntry:
    """An entry for the game log: its kind, and a public sentence on what happened apart from orders and press.

    The text is a sentence with a kind and parts; one without, as of an earlier version, stays in English.
    """

    kind: str
    text: str

    @property
    def as_json(self) -> str:
        """The kind and parts of the sentence as JSON, as they are stored; empty for a text without a kind."""
        encoded = encode_sentence(self.text)
        return "" if isinstance(encoded, str) else json.dumps(encoded, ensure_ascii=False, separators=(",", ":"))


@dataclass(frozen=True)
class JournalEntry:
    """An entry stored in a game log, with its number, instant and phase, and the hash that chains it.

    `text` is its sentence in English and `sentence` its kind and parts as JSON, empty in entries of earlier versions.
    """

    number: int
    at: datetime
    phase_number: int
    kind: str
    text: str
    hash: str
    sentence: str = ""

    @property
    def statement(self) -> str:
        """The sentence with its kind and parts; the text for an entry without them."""
        return decode_sentence(json.loads(self.sentence)) if self.sentence else self.text


@dataclass(frozen=True, kw_only=True)
class StoredMessage:
    """A message: the seats of its thread, the tenure and seat that sent it, and the tenures that may read it.

    `once` is the id given by the sender's browser window. `proposal` are orders, each with its power. `grey` means
    anonymous, `open` public. The store assigns the `number`.
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
    """Return the hash of a game log entry after the entry with the hash `before`, or the game's id for the first.

    Kind and parts of the sentence count if the entry has them.
    """
    what = [before, row["number"], row["at"].isoformat(), row["phase_number"], row["kind"], row["text"]]
    what += [row["sentence"]] if row.get("sentence") else []
    return hashlib.sha256(json.dumps(what, ensure_ascii=False, separators=(",", ":")).encode()).hexdigest()


def chain_entries(
    head: tuple[int, str], game: str, entries: Sequence[StoredEntry], phase_number: int, now: datetime
) -> list[JournalEntry]:
    """Return entries chained to the newest one of a game log, whose number and hash are `head` (0 if there is none)."""
    number, before = head if head[0] else (0, game)
    written = []
    for entry in entries:
        number += 1
        row: dict[str, Any] = {"number": number, "at": now.astimezone(UTC), "phase_number": phase_number}
        row |= {"kind": entry.kind, "text": str(entry.text), "sentence": entry.as_json}
        before = entry_hash(before, row)
        written.append(JournalEntry(**row, hash=before))
    return written


@dataclass(frozen=True)
class StoredMotion:
    """A motion: its kind and powers (`about`), the seat that proposed it, its phase, start and end, and the votes.

    `ballots` have for each seat the tenure that voted and whether it is for the motion. `goes_on` is the instant for a
    motion to continue the game tomorrow, `changes` are the new values for a motion to change settings.
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
    """An outgoing message: its id, which is the same for every attempt, the receiver, the subject and the text.

    `kind` is the kind of notification, `mail` for mail that a person requested, `hook` for a webhook, `day` for a daily
    digest; `person` and `game` are those notified and concerned. `headers` have the `thread` it belongs to and the
    address to `unsubscribe`, or the `way` `push`; then `to` is the id of a subscription. They may name the `language`.
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
class StoredPreferences:
    """The settings of a person: channels by kind, quiet hours, language, and the tokens of links and calendar."""

    person: str
    token: str
    calendar: str
    kinds: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    quiet_from: int | None = None
    quiet_until: int | None = None
    zone: str = "UTC"
    hour: int = 8
    language: str = ""


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

    `came` is the kind of the tenure, or `left`; `press` says whether private messages were written in the game, and
    `pace` is the pace of its schedule.
    """

    tenure: int
    power: str
    score: float
    came: str
    press: bool
    pace: str = ""


@dataclass(frozen=True)
class StoredReason:
    """The reason of a ruling: sealed by a salt, and perhaps published only after the game."""

    digest: str
    salt: str
    text: str
    withheld: bool = False


@dataclass(frozen=True)
class StoredReading:
    """A correction: an order in the open phase that counts as another when it is processed, and the reason."""

    power: str
    order: str
    read: str
    reason: StoredReason


@dataclass(frozen=True, kw_only=True)
class StoredQuestion:
    """A question about one order of a power, asked by a tenure (0 for a player with only a link), and its answer.

    The store draws the `number` at random.
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


@dataclass(frozen=True, kw_only=True)
class StoredDeal:
    """A deal that a seat offered to another in the phase after so many turns.

    `clauses` are as `plenipo.bots.deals.notation` writes them, `reason` is the sentence of an answer as JSON, and
    `shown` are the orders that a power has shown because it promised to. The `number` is random.
    """

    number: int
    turn: int
    phase_number: int
    phase: str
    proposer: str
    partner: str
    clauses: tuple[Json, ...]
    state: Literal["open", "accepted", "refused", "withdrawn"] = "open"
    reason: Any = None
    shown: Mapping[str, Sequence[str]] = field(default_factory=dict)
    made: datetime


Seating = Literal["hotseat", "links"]
"""One key for all seats, or a key for each."""


@dataclass(frozen=True, kw_only=True)
class GameHead:
    """The identity of a game at one revision: the facts that its stored form, the hosted game and its views share.

    `parent` is the game that a what-if comes from, after `parent_turn` turns. `phase_number` grows with every
    processing, undo and draw, `revision` with every change; `untold` counts the changes that others are not notified
    of, because they concern one person and do not change the view of others.
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
"""The names of the fields of `GameHead`."""


@dataclass(frozen=True, kw_only=True)
class StoredGame(GameHead):
    """A game as the store keeps it.

    `order_sets` are the newest order sets of the open phase. `computers` maps each seat to the name of its computer
    player,
    `''` for a person. `record` includes the entries (turns and rulings) unless they were left out; then `hashes` are
    their hashes, `rulings` are the rulings by their numbers from 0, and `Store.turns` reads the others. `journal` is
    the number and the hash of the newest entry of the game log. `absences` are the first and last days of the players'
    leave, by person.
    """

    variant: str
    record: Json
    computers: Mapping[str, str]
    phase: str
    over: bool
    order_sets: Mapping[str, StoredOrderSet] = field(default_factory=dict)
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
    deals: tuple[StoredDeal, ...] = ()


class GameProgress(NamedTuple):
    """The progress of a game: its revision, the number of its open phase, its turns, and its newest message (`talk`).

    `untold` is the number of revisions that others are not notified of.
    """

    revision: int
    phase_number: int
    turn: int
    talk: int = 0
    untold: int = 0

    @property
    def announced_changes(self) -> int:
        """The number of its changes of which listeners are notified."""
        return self.revision - self.untold


NOT_AT_ALL = timedelta(0)


@dataclass(frozen=True)
class Notification:
    """A notification to a person about the open phase of a game: its kind, and the mail with its text.

    A person gets each kind once a phase, by mail if there is an address. With a `wait`, notifications of the kind are
    gathered for that time and sent as one. Without a person it goes to the webhook of the game, if there is one.
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
    """A browser in which a person is signed in: the SHA-256 of its token, the device, and its first and last use."""

    digest: str
    person: str
    device: str
    created: datetime
    used: datetime
    network: str = ""
    """The keyed digest of the network from which it last changed something."""


ROW = 100
"""About how many bytes a row takes in addition to its text."""


def bytes_of(*texts: str) -> int:
    """Return about how many bytes rows with these texts take."""
    return sum(len(text.encode()) + ROW for text in texts)


class NewPerson(NamedTuple):
    """A person who is stored with their first seat, and the browser in which they are signed in."""

    person: StoredPerson
    session: StoredSession


class ChangeMoment(NamedTuple):
    """The game that a change applies to, the numbers of its phase before and after, and the instant of the change."""

    game: str
    phase_before: int
    phase_number: int
    now: datetime


class ChangePart(Protocol):
    """The part of a change that belongs to one subject, such as seats or motions."""

    def write(self, connection: Connection, at: ChangeMoment) -> None:
        """Store it within the transaction of the change."""


@dataclass(frozen=True)
class HistoryChange:
    """Another history of a game, with which a new phase begins.

    `record` has the new entries, which follow the first `keep` ones that stay. `phase` is the open phase, `turn` the
    number of turns, and `over` is true if the game is.
    """

    record: Json
    phase: str = ""
    turn: int = 0
    over: bool = False
    keep: int = 0


@dataclass(frozen=True)
class GameChange:
    """A change to a game: `order_sets` are those submitted for the open phase, or for the new one of a `history`.

    `columns` are new values of columns of the game, and `parts` the changes of single subjects, written in this order.
    `entries` are written into the game log, and `notices` are the notifications to send. An `untold` change
    notifies no other players, and it does not move the game in lists.
    """

    order_sets: Mapping[str, StoredOrderSet] = field(default_factory=dict)
    history: HistoryChange | None = None
    columns: Json = field(default_factory=dict)
    parts: tuple[ChangePart, ...] = ()
    entries: tuple[StoredEntry, ...] = ()
    notices: tuple[Notification, ...] = ()
    untold: bool = False

    def with_parts(self, *parts: ChangePart) -> "GameChange":
        """Return the change with more parts after its own."""
        return replace(self, parts=(*self.parts, *parts))

"""Press in a hosted game: writing and reading messages, and notifying their readers.

The rules for writing and reading are in `hosting.press`; this module finds the tenures of a request and stores the
messages. A message does not change the game.
"""

import secrets
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from functools import partial

from cachetools import LRUCache
from sqlalchemy import Connection

from plenipo.engine.sentences import SentenceKind
from plenipo.server import keys, proposals
from plenipo.server.broker import Announcement
from plenipo.server.errors import Busy, MessageRefused, NoKey, NotYours
from plenipo.server.games import ATTEMPTS, Games
from plenipo.server.hosted_game import Credentials, HostedGame
from plenipo.server.hosting import press
from plenipo.server.hosting.press import EVERYONE, LOBBY, LONGEST, OFFICE, PressFacts, PressMessage, ShownMessage
from plenipo.server.notifications import of_message
from plenipo.server.quota import require_room_in
from plenipo.server.store import StoredMessage
from plenipo.server.store.moderation import Moderation
from plenipo.server.store.motions import Motions
from plenipo.server.store.notifications import NotificationStore, tell
from plenipo.server.store.press import PressStore, thread_digest

__all__ = ["Correspondence", "Draft", "Inbox", "Thread", "seat_in_lobby", "tenures_of"]

_CHANGES_CONCURRENT = SentenceKind("server-changes-concurrent", "Too many changes arrived at once; try again.")
_MESSAGE_EMPTY = SentenceKind("server-message-empty", "The message is empty; write something, or propose orders.")
_MESSAGE_TOO_LONG = SentenceKind(
    "server-message-too-long", "The message has {number} characters; at most {most} are allowed."
)
_MESSAGE_UNKNOWN = SentenceKind("server-message-unknown", "There is no such message in this thread.")
_MUTE_KEY_MISSING = SentenceKind("server-mute-key-missing", "To mute a player you need a seat; send its key.")
_MUTE_SEAT_UNKNOWN = SentenceKind("server-mute-seat-unknown", "'{seat}' has no player whom you could mute.")
_MESSAGE_KEY_MISSING = SentenceKind("server-message-key-missing", "To send messages you need a seat; send its key.")
_MESSAGE_SEAT_OTHER = SentenceKind("server-message-seat-other", "You do not play {seat}.")
_GAME_STARTED = SentenceKind("server-message-game-started", "The game has started; write under Press.")
_SEAT_LENT_MESSAGES = SentenceKind(
    "server-seat-lent-messages",
    "The seat of {seat} is lent to {player}, who writes its messages; take it back to write yourself.",
)

SHOWN_AT_ONCE = 500
"""The most messages of a thread that are shown at once: the newest ones."""


@dataclass(frozen=True)
class Draft:
    """A message to send: from a seat to others, or to `EVERYONE`; `once` is its id in the browser window."""

    seat: str
    to: tuple[str, ...]
    text: str
    grey: bool = False
    proposal: tuple[str, ...] = ()
    once: str = ""


@dataclass(frozen=True)
class Thread:
    """The messages of a thread that a reader may see, in order, and the number of unread ones."""

    key: tuple[str, ...]
    messages: tuple[ShownMessage, ...]
    unread: int


@dataclass(frozen=True)
class Inbox:
    """The press of a game as a reader sees it: the reader's seats, and the threads, the newest first."""

    hosted: HostedGame
    table: PressFacts
    tenures: tuple[int, ...]
    seats: tuple[str, ...]
    threads: tuple[Thread, ...]
    muted: frozenset[int] = frozenset()
    """The tenures whose signed messages the reader has muted."""

    def thread(self, key: tuple[str, ...]) -> Thread:
        """Return the thread with this key, empty if it has no messages."""
        return next((thread for thread in self.threads if thread.key == key), Thread(key, (), 0))


class Correspondence:
    """The press of the games of one store; safe to use from several threads."""

    def __init__(self, games: Games) -> None:
        self.games = games
        self._store, self._moderation = games.store.of(PressStore), games.store.of(Moderation)
        self._motions = games.store.of(Motions)
        self._told: LRUCache[tuple[str, int], bool] = LRUCache(1000)
        games.messages_came = self._came

    # Participants

    def tenures(self, game_id: str, credentials: Credentials) -> tuple[int, ...]:
        """Return the tenures of these credentials; the key to all seats includes the host's."""
        return tenures_of(self.games.load(game_id).press_table, credentials)

    # Writing

    def write(self, game_id: str, credentials: Credentials, draft: Draft) -> ShownMessage:
        """Send a message; when this returns it is on disk, and its readers are notified.

        Raise `MessageRefused`, `NoKey`, `NotYours` and `QuotaReached`.
        """
        require_room_in(self.games.store, game_id)
        for _ in range(ATTEMPTS):
            hosted = self.games.load(game_id)
            table = hosted.press_table
            message = self._message(hosted, table, credentials, draft)
            also = partial(self._to_outbox, hosted, table)
            kept = self._store.add(game_id, hosted.revision, message, also)
            if kept is not None:
                new = _message(kept)
                self._tell(game_id, table, new)
                return press.show_message(table, new, tenures_of(table, credentials))
        raise Busy(_CHANGES_CONCURRENT())

    def _to_outbox(self, hosted: HostedGame, table: PressFacts, connection: Connection, kept: StoredMessage) -> None:
        """Put the notices to the readers of a message into the outbox, in the transaction that stores the message."""
        store = self.games.store
        # an anonymous message is announced also to readers who muted its sender; silence would reveal the sender
        mutes = self._moderation.list_mutes(hosted.id)
        deaf = {tenure for tenure, muted in mutes if muted == kept.sender and not kept.grey}
        notices = of_message(hosted, table, _message(kept), deaf)
        tell(connection, hosted.id, hosted.phase_number, notices, self.games.clock.now(), store.later)

    def _message(self, hosted: HostedGame, table: PressFacts, credentials: Credentials, draft: Draft) -> StoredMessage:
        now = self.games.clock.now()
        names = {seat.casefold(): seat for seat in (*map(str, table.seats), OFFICE)}
        seat = names.get(draft.seat.casefold(), draft.seat)
        to = tuple(names.get(one.casefold(), one) for one in draft.to)
        if seat == LOBBY and not table.forming:
            raise MessageRefused(_GAME_STARTED())
        sender = _acting(hosted, table, credentials, seat)
        if fault := press.why_not(table, seat, to, now, grey=draft.grey):
            raise MessageRefused(fault)
        text = press.clean_text(draft.text)
        if not text and not draft.proposal:
            raise MessageRefused(_MESSAGE_EMPTY())
        if len(text) > LONGEST:
            raise MessageRefused(_MESSAGE_TOO_LONG(number=len(text), most=LONGEST))
        return StoredMessage(
            id=secrets.token_hex(8),
            thread=press.thread_of(table, seat, to, grey=draft.grey),
            sender=sender,
            seat=seat,
            once=draft.once[:40] or keys.token()[:40],
            phase_number=hosted.phase_number,
            phase=str(hosted.game.position.phase),
            written=now,
            text=text,
            grey=press.is_unsigned(table, seat, grey=draft.grey),
            proposal=proposals.read_proposal(hosted, seat, draft.proposal),
            open=EVERYONE in to,
            readers=press.readers(table, seat, to),
        )

    # Reading

    def inbox(self, game_id: str, credentials: Credentials) -> Inbox:
        """Return all messages of a game that the credentials may read, by thread."""
        hosted = self.games.load(game_id)
        table = self._with_agreement(hosted)
        tenures = tenures_of(table, credentials)
        opened = table.over and (table.policy.opened != "never" or bool(table.agreed))
        stored = self._store.of(game_id, None if opened else tenures)
        readable = [one for kept in stored if press.may_read(table, one := _message(kept), tenures)]
        threads: dict[tuple[str, ...], list[PressMessage]] = {}
        for message in readable:
            threads.setdefault(message.thread, []).append(message)
        marks = self._marks(hosted, tenures, threads)
        muted = frozenset(other for _, other in self._moderation.list_mutes(game_id, tenures))
        shown = [
            Thread(
                key,
                tuple(press.show_message(table, message, tenures) for message in messages_in[-SHOWN_AT_ONCE:]),
                press.unread([one for one in messages_in if not _is_muted(one, muted)], tenures, marks)
                if tenures
                else 0,
            )
            for key, messages_in in threads.items()
        ]
        shown.sort(key=lambda thread: thread.messages[-1].message.number, reverse=True)
        held = tuple(
            seat for seat in (*table.seats, OFFICE) if not set(tenures).isdisjoint(table.tenures.get(seat, ()))
        )
        if not hosted.sees_names(credentials):
            hosted = replace(hosted, tenures=hosted.known_to(credentials, *tenures))
        return Inbox(hosted, table, tenures, held, tuple(shown), muted)

    def _with_agreement(self, hosted: HostedGame) -> PressFacts:
        """Return the facts of a game with the tenures that agreed to open their messages, if all players have."""
        table = hosted.press_table
        if not table.over or table.policy.opened != "never":
            return table
        passed = (one for one in self._motions.of(hosted.id) if (one.kind, one.state) == ("reveal", "passed"))
        agreed = frozenset(tenure for motion in passed for tenure, yes in motion.ballots.values() if yes)
        return replace(table, agreed=agreed)

    def _marks(
        self, hosted: HostedGame, tenures: Sequence[int], threads: Mapping[tuple[str, ...], Sequence[PressMessage]]
    ) -> dict[tuple[str, ...], int]:
        """Return the read marks of the tenures by thread; messages from before a tenure count as read."""
        known = self._store.marks(hosted.id, tenures)
        since = min((tenure.since for tenure in hosted.tenures if tenure.number in tenures), default=1)
        marks = {}
        for key, messages_in in threads.items():
            before = max((message.number for message in messages_in if message.phase_number < since), default=0)
            marks[key] = max([before, *(known.get((tenure, thread_digest(key)), 0) for tenure in tenures)])
        return marks

    def mark(self, game_id: str, credentials: Credentials, key: tuple[str, ...], message_id: str) -> None:
        """Record that the reader has read a thread up to a readable message; raise `MessageRefused`."""
        box = self.inbox(game_id, credentials)
        matching = [shown.message for shown in box.thread(key).messages if shown.message.id == message_id]
        if not matching:
            raise MessageRefused(_MESSAGE_UNKNOWN())
        self._store.mark(game_id, box.tenures, key, matching[0].number)
        persons = [t.person for t in box.hosted.tenures if t.number in box.tenures and t.person is not None]
        if persons and not any(thread.unread for thread in box.threads if thread.key != key):
            self.games.store.of(NotificationStore).forget_messages(game_id, persons)

    def mute(self, game_id: str, credentials: Credentials, seat: str, *, on: bool) -> None:
        """Mute or unmute the signed messages of the current players of a seat, or of a `writer`, unseen by others.

        Raise `MessageRefused` and `NoKey`.
        """
        table = self.games.load(game_id).press_table
        tenures = tenures_of(table, credentials)
        if not tenures:
            raise NoKey(_MUTE_KEY_MISSING())
        names = {one.casefold(): one for one in (*map(str, table.seats), OFFICE)}
        others = set(table.held_by(names.get(seat.casefold(), seat))) - set(tenures)
        if not others:
            raise MessageRefused(_MUTE_SEAT_UNKNOWN(seat=seat[:60]))
        self._moderation.mute(game_id, tenures, others, on=on)

    # Announcing

    def _tell(self, game_id: str, table: PressFacts, message: PressMessage) -> None:
        """Announce a message to its readers, once."""
        if self._told.get((game_id, message.number)):
            return
        self._told[game_id, message.number] = True
        everybody = press.may_read(table, message, ())
        to = None if everybody else frozenset(n for n in table.holders if press.may_read(table, message, (n,)))
        self.games.broker.announce(game_id, Announcement("message", {"thread": list(message.thread)}, readers=to))

    def _came(self, game_id: str, before: int) -> None:
        """Announce the messages that another server has stored."""
        table = self.games.load(game_id).press_table
        for kept in self._store.of(game_id, None, before):
            self._tell(game_id, table, _message(kept))


def _is_muted(message: PressMessage, muted: Collection[int]) -> bool:
    return message.sender in muted and not message.grey


def tenures_of(table: PressFacts, credentials: Credentials) -> tuple[int, ...]:
    """Return the tenures of these credentials; the key to all seats includes the host's."""
    office = table.tenures.get(OFFICE, ()) if credentials.all_seats else ()
    return tuple(dict.fromkeys((*credentials.tenures, *office)))


def seat_in_lobby(table: PressFacts, credentials: Credentials) -> str:
    """Return the seat from which these credentials write before the game starts: the host's office, or `LOBBY`."""
    return LOBBY if set(tenures_of(table, credentials)).isdisjoint(table.tenures.get(OFFICE, ())) else OFFICE


def _acting(hosted: HostedGame, table: PressFacts, credentials: Credentials, seat: str) -> int:
    """Return the tenure that writes from a seat; raise `NoKey` and `NotYours`."""
    held: Collection[int] = table.tenures.get(seat, ())
    mine = [number for number in tenures_of(table, credentials) if number in held]
    if not mine and not credentials.tenures and not credentials.all_seats:
        raise NoKey(_MESSAGE_KEY_MISSING())
    if not mine:
        raise NotYours(_MESSAGE_SEAT_OTHER(seat="the office of the host" if seat == OFFICE else seat[:60]))
    sitter = (
        None if seat == OFFICE else next((t for t in hosted.players if t.kind == "sitter" and t.power == seat), None)
    )
    if sitter is not None and sitter.number not in mine:
        raise NotYours(_SEAT_LENT_MESSAGES(seat=seat, player=hosted.public_name(sitter)))
    return mine[0] if sitter is None else sitter.number


_MESSAGE = tuple(value.name for value in fields(PressMessage))


def _message(stored: StoredMessage) -> PressMessage:
    return PressMessage(**{name: getattr(stored, name) for name in _MESSAGE})

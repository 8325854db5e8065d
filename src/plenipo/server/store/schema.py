"""The tables of the store."""

import json
from datetime import UTC, datetime
from typing import Any

from sqlalchemy import (
    BigInteger,
    Boolean,
    Column,
    Date,
    DateTime,
    Dialect,
    Float,
    ForeignKey,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    String,
    Table,
    Text,
    TypeDecorator,
    false,
)

__all__ = [
    "Instant",
    "JsonText",
    "absences",
    "ahead",
    "appeals",
    "attendances",
    "ballots",
    "ban_marks",
    "bans",
    "blocks",
    "boards",
    "challenges",
    "closed_ways",
    "codes",
    "counters",
    "deals",
    "encode_json",
    "follows",
    "games",
    "heartbeats",
    "hooks",
    "host_presets",
    "journal",
    "keys",
    "mail_preferences",
    "marks",
    "message_readers",
    "messages",
    "metadata",
    "moderation",
    "motions",
    "mutes",
    "notes",
    "notices",
    "order_sets",
    "own_keys",
    "persons",
    "posts",
    "puzzle_ratings",
    "questions",
    "readings",
    "reasons",
    "reports",
    "results",
    "seats",
    "seekers",
    "sessions",
    "subscriptions",
    "tenures",
    "tournament_boards",
    "tournament_players",
    "tournament_seats",
    "tournaments",
    "turns",
    "variant_versions",
    "ways",
]

metadata = MetaData(
    naming_convention={
        "ix": "ix_%(table_name)s_%(column_0_N_name)s",
        "pk": "pk_%(table_name)s",
        "fk": "fk_%(table_name)s_%(column_0_N_name)s",
    }
)


class Instant(TypeDecorator[datetime]):
    """An instant in UTC; SQLite stores no zones, so they are removed and added here."""

    impl = DateTime(timezone=True)
    cache_ok = True

    def process_bind_param(self, value: datetime | None, dialect: Dialect) -> datetime | None:  # noqa: ARG002
        """Return the value to store."""
        return None if value is None else value.astimezone(UTC)

    def process_result_value(self, value: datetime | None, dialect: Dialect) -> datetime | None:  # noqa: ARG002
        """Return the value read."""
        return None if value is None else value.replace(tzinfo=UTC) if value.tzinfo is None else value.astimezone(UTC)


def encode_json(value: object) -> str:
    """Return a value as the JSON that the store keeps."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


class JsonText(TypeDecorator[Any]):
    """A value that is kept as JSON, in a column of text; None is null."""

    impl = Text
    cache_ok = True

    def process_bind_param(self, value: object, dialect: Dialect) -> str | None:  # noqa: ARG002
        """Return the text to store."""
        return None if value is None else encode_json(value)

    def process_result_value(self, value: str | None, dialect: Dialect) -> Any:  # noqa: ARG002
        """Return the value read, with lists for tuples."""
        return None if value is None else json.loads(value)


_GAME = 40
"""The most characters of the id of a game."""

_NAME = 200
"""The most characters of the name of a variant, a power or a game."""


def _game() -> Column[str]:
    return Column("game", String(_GAME), ForeignKey("games.id", ondelete="CASCADE"), primary_key=True)


games = Table(
    "games",
    metadata,
    Column("id", String(_GAME), primary_key=True),
    # grows with every change of the game; a change names the revision that it applies to
    Column("revision", Integer, nullable=False),
    # the number of revisions that other players are not notified of
    Column("untold", Integer, nullable=False, server_default="0"),
    # the number of the newest message; messages do not change the revision
    Column("talk", Integer, nullable=False, server_default="0"),
    # grows with every processing, undo and draw; submitted orders name it
    Column("phase_number", Integer, nullable=False),
    Column("variant", String(_NAME), nullable=False),
    Column("name", String(_NAME), nullable=False),
    Column("phase", String(_NAME), nullable=False),
    Column("turn", Integer, nullable=False),
    Column("over", Boolean, nullable=False),
    Column("seating", String(20), nullable=False),
    Column("parent", String(_GAME), nullable=True),
    Column("parent_turn", Integer, nullable=True),
    Column("created", Instant, nullable=False),
    Column("changed", Instant, nullable=False),
    # the record without its turns
    Column("record", JsonText, nullable=False),
    # the schedule, the instants of the open phase and the time banks; null for a game without deadlines
    Column("timing", JsonText, nullable=True),
    # the next instant at which time changes the game, if any
    Column("wake", Instant, nullable=True),
    # the settings; null for games from before there were settings
    Column("settings", JsonText, nullable=True),
    # its stage, the deadline of its phase, and the powers it waits for
    Column("state", String(20), nullable=False, server_default="running"),
    Column("due", Instant, nullable=True),
    Column("waits", JsonText, nullable=False, server_default="[]"),
    # the visibility: link, listed or members
    Column("listed", String(10), nullable=False, server_default="link"),
    # true if the players' powers are hidden until it is over
    Column("anonymous", Boolean, nullable=False, server_default=false()),
    # the approximate size of its order sets, messages and game log, in bytes
    Column("stored", BigInteger, nullable=False, server_default="0"),
    # true if the older versions of its order sets were removed after it was over
    Column("thinned", Boolean, nullable=False, server_default=false()),
)

seats = Table(
    "seats",
    metadata,
    _game(),
    Column("power", String(_NAME), primary_key=True),
    # the name of the computer player, or empty for a person
    Column("computer", String(_NAME), nullable=False),
)

keys = Table(
    "keys",
    metadata,
    # the SHA-256 of the token; the token itself is not stored
    Column("digest", String(64), primary_key=True),
    Column("game", String(_GAME), ForeignKey("games.id", ondelete="CASCADE"), nullable=False),
    # the seat it opens, or empty for all; `?` an invitation, `#3` tenure 3, `+France` and `~France` offers of a seat
    Column("power", String(_NAME), nullable=False),
)

turns = Table(
    "turns",
    metadata,
    _game(),
    Column("number", Integer, primary_key=True, autoincrement=False),
    Column("phase", String(_NAME), nullable=False),
    Column("hash", String(64), nullable=False),
    Column("record", JsonText, nullable=False),
    # true if it is a ruling
    Column("ruling", Boolean, nullable=False, server_default=false()),
    # time at which it was processed; null for turns from before this was stored
    Column("at", Instant, nullable=True),
)

reasons = Table(
    "reasons",
    metadata,
    _game(),
    # the SHA-256 of salt and text, which the entry contains
    Column("digest", String(64), primary_key=True),
    Column("salt", String(64), nullable=False),
    Column("text", Text, nullable=False),
    # true if it is published only after the game
    Column("withheld", Boolean, nullable=False),
)

readings = Table(
    "readings",
    metadata,
    _game(),
    # in the order of the rulings, from 1
    Column("number", Integer, primary_key=True, autoincrement=False),
    # the open phase; the correction applies when it is processed, if the order is still there
    Column("phase_number", Integer, nullable=False),
    Column("power", String(_NAME), nullable=False),
    Column("order", Text, nullable=False),
    Column("read", Text, nullable=False),
    # the reason, which moves to the other reasons when the correction applies
    Column("digest", String(64), nullable=False),
    Column("salt", String(64), nullable=False),
    Column("text", Text, nullable=False),
    Column("withheld", Boolean, nullable=False),
)

questions = Table(
    "questions",
    metadata,
    _game(),
    # random
    Column("number", Integer, primary_key=True, autoincrement=False),
    Column("phase_number", Integer, nullable=False),
    Column("phase", String(_NAME), nullable=False),
    Column("power", String(_NAME), nullable=False),
    # the tenure that asked, 0 for a player with only the link to the seat
    Column("tenure", Integer, nullable=False),
    # the order in question, as it was then
    Column("order", Text, nullable=False),
    Column("text", Text, nullable=False),
    Column("asked", Instant, nullable=False),
    # the game master's answer, empty until there is one
    Column("answer", Text, nullable=False),
    Column("answered", Instant, nullable=True),
)

order_sets = Table(
    "order_sets",
    metadata,
    _game(),
    Column("phase_number", Integer, primary_key=True, autoincrement=False),
    Column("power", String(_NAME), primary_key=True),
    # later order sets of a phase replace earlier ones, which stay stored
    Column("version", Integer, primary_key=True, autoincrement=False),
    Column("ready", Boolean, nullable=False),
    Column("created", Instant, nullable=False),
    Column("orders", JsonText, nullable=False),
    # the number of the tenure whose player wrote it, null for a writer without a tenure
    Column("tenure", Integer, nullable=True),
)

tenures = Table(
    "tenures",
    metadata,
    _game(),
    # in the order in which they began, from 1
    Column("number", Integer, primary_key=True, autoincrement=False),
    # the person's name in this game
    Column("name", String(_NAME), nullable=False),
    # player, substitute, sitter, host or reserve (waiting list)
    Column("kind", String(20), nullable=False),
    # the power that is played, or chosen before the game begins; empty for any, and for the host
    Column("power", String(_NAME), nullable=False),
    # the preferred powers, best first
    Column("preferences", JsonText, nullable=False),
    # the person, null for a player known only by a key
    Column("person", String(_GAME), ForeignKey("persons.id", ondelete="SET NULL"), nullable=True),
    # the numbers of the phases in which it began and ended; the latter is null while it lasts
    Column("since", Integer, nullable=False),
    Column("until", Integer, nullable=True),
)

ahead = Table(
    "ahead",
    metadata,
    _game(),
    Column("power", String(_NAME), primary_key=True),
    # the seat's conditional orders for the phases before its next moves, ranked
    Column("orders", JsonText, nullable=False),
)

deals = Table(
    "deals",
    metadata,
    _game(),
    # random
    Column("number", Integer, primary_key=True, autoincrement=False),
    # the turns played before it was offered, and the phase that was open
    Column("turn", Integer, nullable=False),
    Column("phase_number", Integer, nullable=False),
    Column("phase", String(_NAME), nullable=False),
    Column("proposer", String(_NAME), nullable=False),
    Column("partner", String(_NAME), nullable=False),
    # the promises of both, as JSON lines have them
    Column("clauses", JsonText, nullable=False),
    # open, accepted, refused or withdrawn
    Column("state", String(20), nullable=False),
    # the sentence of the answer; null without one
    Column("reason", JsonText, nullable=True),
    # the orders shown by powers that promised to
    Column("shown", JsonText, nullable=False),
    Column("made", Instant, nullable=False),
)

messages = Table(
    "messages",
    metadata,
    _game(),
    # in the order in which they were written, from 1; never shown
    Column("number", Integer, primary_key=True, autoincrement=False),
    # random, so that it reveals nothing
    Column("id", String(_GAME), nullable=False),
    # the seats of its thread; `*` for all, `~` for an anonymous sender
    Column("thread", JsonText, nullable=False),
    # the tenure that wrote it, and its seat
    Column("sender", Integer, nullable=False),
    Column("seat", String(_NAME), nullable=False),
    # its id in the writer's browser window, so that it is not stored twice
    Column("once", String(_GAME), nullable=False),
    Column("phase_number", Integer, nullable=False),
    Column("phase", String(_NAME), nullable=False),
    Column("written", Instant, nullable=False),
    Column("grey", Boolean, nullable=False),
    Column("open", Boolean, nullable=False),
    Column("text", Text, nullable=False),
    # the proposed orders, each with its power
    Column("proposal", JsonText, nullable=False),
)

message_readers = Table(
    "message_readers",
    metadata,
    _game(),
    Column("number", Integer, primary_key=True, autoincrement=False),
    # a receiver of the message, or its sender
    Column("tenure", Integer, primary_key=True, autoincrement=False),
)

marks = Table(
    "marks",
    metadata,
    _game(),
    Column("tenure", Integer, primary_key=True, autoincrement=False),
    # the SHA-256 of the key of a thread
    Column("thread", String(64), primary_key=True),
    # the newest message of the thread that the tenure has read
    Column("number", Integer, nullable=False),
)

mutes = Table(
    "mutes",
    metadata,
    _game(),
    # the tenure that mutes, and the tenure whose messages it does not read
    Column("tenure", Integer, primary_key=True, autoincrement=False),
    Column("muted", Integer, primary_key=True, autoincrement=False),
)

notes = Table(
    "notes",
    metadata,
    _game(),
    # the tenure whose player wrote it; others never see it
    Column("tenure", Integer, primary_key=True, autoincrement=False),
    # its subject: empty for the game, a power, or the seats of a thread
    Column("about", String(600), primary_key=True),
    Column("text", Text, nullable=False),
)

motions = Table(
    "motions",
    metadata,
    _game(),
    # random
    Column("number", Integer, primary_key=True, autoincrement=False),
    Column("kind", String(20), nullable=False),
    # the powers that share, win or lose their seat
    Column("about", JsonText, nullable=False),
    # the seat that proposed it
    Column("by", String(_NAME), nullable=False),
    Column("phase_number", Integer, nullable=False),
    Column("moved", Instant, nullable=False),
    # time at which votes are counted; null if the motion stays open until decided or ends with the phase
    Column("until", Instant, nullable=True),
    # open, passed, failed or withdrawn
    Column("state", String(20), nullable=False),
    # time at which the game is to resume, for a motion to continue tomorrow
    Column("goes_on", Instant, nullable=True),
    # the new values, as JSON, for a motion to change settings
    Column("changes", JsonText, nullable=True),
)

ballots = Table(
    "ballots",
    metadata,
    _game(),
    Column("number", Integer, primary_key=True, autoincrement=False),
    Column("seat", String(_NAME), primary_key=True),
    # the tenure that voted; the vote counts while that tenure acts for the seat
    Column("tenure", Integer, nullable=False),
    Column("yes", Boolean, nullable=False),
)

journal = Table(
    "journal",
    metadata,
    _game(),
    # from 1
    Column("number", Integer, primary_key=True, autoincrement=False),
    Column("at", Instant, nullable=False),
    Column("phase_number", Integer, nullable=False),
    Column("kind", String(40), nullable=False),
    Column("text", Text, nullable=False),
    # the kind and parts of the text as JSON; empty in entries of earlier versions
    Column("sentence", Text, nullable=False, server_default=""),
    # hash of the previous entry and this one, so that every change is detected
    Column("hash", String(64), nullable=False),
)

persons = Table(
    "persons",
    metadata,
    Column("id", String(_GAME), primary_key=True),
    Column("name", String(_NAME), nullable=False),
    Column("created", Instant, nullable=False),
)

ways = Table(
    "ways",
    metadata,
    # mail, words, passkey or provider
    Column("kind", String(20), primary_key=True),
    # the address in lower case, or the SHA-256 of the words, of a passkey's id, or of a provider and the account there
    Column("identifier", String(320), primary_key=True),
    Column("person", String(_GAME), ForeignKey("persons.id", ondelete="CASCADE"), nullable=False),
    Column("created", Instant, nullable=False),
    # the name its owner gave it
    Column("name", String(80), nullable=False, server_default=""),
    # the public key of a passkey, and its signature counter
    Column("key", Text, nullable=False, server_default=""),
    Column("counter", BigInteger, nullable=False, server_default="0"),
    Column("used", Instant, nullable=True),
)

challenges = Table(
    "challenges",
    metadata,
    # the SHA-256 of the challenge to a browser, which can be answered once
    Column("digest", String(64), primary_key=True),
    Column("kind", String(20), nullable=False),
    # the person who was signed in, if any
    Column("person", String(_GAME), ForeignKey("persons.id", ondelete="CASCADE"), nullable=True),
    # the data needed to check the answer
    Column("content", Text, nullable=False),
    Column("expires", Instant, nullable=False),
)

absences = Table(
    "absences",
    metadata,
    Column("person", String(_GAME), ForeignKey("persons.id", ondelete="CASCADE"), primary_key=True),
    # days in the zone of each game
    Column("first", Date, primary_key=True),
    Column("last", Date, nullable=False),
)

merges = Table(
    "merges",
    metadata,
    # the SHA-256 of the token of the browser that may undo it
    Column("digest", String(64), primary_key=True),
    # the guest whose seats moved to a person
    Column("guest", String(_GAME), nullable=False),
    Column("name", String(_NAME), nullable=False),
    Column("created", Instant, nullable=False),
    Column("person", String(_GAME), ForeignKey("persons.id", ondelete="CASCADE"), nullable=False),
    # the games and numbers of the tenures that moved
    Column("tenures", JsonText, nullable=False),
    # the end of the time in which it can be undone
    Column("until", Instant, nullable=False),
)

sessions = Table(
    "sessions",
    metadata,
    # the SHA-256 of the token; the token itself is not stored
    Column("digest", String(64), primary_key=True),
    Column("person", String(_GAME), ForeignKey("persons.id", ondelete="CASCADE"), nullable=False),
    # the browser, in a few words
    Column("device", String(_NAME), nullable=False),
    Column("created", Instant, nullable=False),
    # the day on which it was last used
    Column("used", Instant, nullable=False),
    # the keyed digest of the network from which it last changed something; no address is stored
    Column("network", String(64), nullable=False, server_default=""),
)

codes = Table(
    "codes",
    metadata,
    # the SHA-256 of the token of the browser that requested it, and of the token in the mailed link
    Column("asked", String(64), primary_key=True),
    Column("link", String(64), nullable=False),
    # the SHA-256 of the browser's part and the six digits
    Column("code", String(64), nullable=False),
    Column("mail", String(320), nullable=False),
    Column("tries", Integer, nullable=False),
    Column("expires", Instant, nullable=False),
)

posts = Table(
    "posts",
    metadata,
    Column("id", String(_GAME), primary_key=True),
    Column("to", String(320), nullable=False),
    Column("subject", String(_NAME), nullable=False),
    # empty once it is sent
    Column("body", Text, nullable=False),
    Column("tries", Integer, nullable=False),
    # time at which to send it or try again; null once it is sent or given up
    Column("not_before", Instant, nullable=True),
    Column("sent", Instant, nullable=True),
    # the kind of notification, `mail` for requested mail, `hook` for a webhook; the person notified, and the game
    Column("kind", String(40), nullable=False, server_default="mail"),
    Column("person", String(_GAME), nullable=True),
    Column("game", String(_GAME), nullable=True),
    # more headers, as JSON: its thread, and the address to unsubscribe
    Column("headers", Text, nullable=False, server_default="{}"),
)

mail_preferences = Table(
    "mail_preferences",
    metadata,
    Column("person", String(_GAME), ForeignKey("persons.id", ondelete="CASCADE"), primary_key=True),
    # the tokens of links in mail and of the calendar's address: long, random, and valid for nothing else
    Column("token", String(64), nullable=False),
    Column("calendar", String(64), nullable=False),
    # the channels for each kind of notification; by default mail and the person's devices
    Column("kinds", JsonText, nullable=False),
    # the quiet hours, in the zone
    Column("quiet_from", Integer, nullable=True),
    Column("quiet_until", Integer, nullable=True),
    Column("zone", String(64), nullable=False),
    # the hour of the daily digest, in the zone
    Column("hour", Integer, nullable=False, server_default="8"),
    # the language of pages and mail, as a BCP 47 tag; empty for the browser's own
    Column("language", String(40), nullable=False, server_default=""),
)

subscriptions = Table(
    "subscriptions",
    metadata,
    # the beginning of the SHA-256 of the endpoint
    Column("id", String(_GAME), primary_key=True),
    # the signed-in browser; signing out ends the subscription
    Column("session", String(64), ForeignKey("sessions.digest", ondelete="CASCADE"), nullable=False),
    Column("endpoint", Text, nullable=False),
    # the keys that encrypt messages
    Column("key", String(_NAME), nullable=False),
    Column("secret", String(_NAME), nullable=False),
)

own_keys = Table(
    "own_keys",
    metadata,
    # the purpose of the key
    Column("name", String(40), primary_key=True),
    # a random private key, created when it was first needed
    Column("value", Text, nullable=False),
)

hooks = Table(
    "hooks",
    metadata,
    Column("game", String(_GAME), ForeignKey("games.id", ondelete="CASCADE"), primary_key=True),
    # the webhook's address, and the secret that signs its messages
    Column("url", String(320), nullable=False),
    Column("secret", String(64), nullable=False, server_default=""),
)

tournaments = Table(
    "tournaments",
    metadata,
    Column("id", String(_GAME), primary_key=True),
    Column("name", String(_NAME), nullable=False),
    Column("description", Text, nullable=False),
    Column("variant", String(_NAME), nullable=False),
    # the rounds, the scoring system and which rounds count
    Column("plan", JsonText, nullable=False),
    # the schedule of the games, as a preset with a time zone, and their settings
    Column("schedule", JsonText, nullable=False),
    Column("settings", JsonText, nullable=False),
    # the person who runs it; null for a deleted account
    Column("director", String(_GAME), ForeignKey("persons.id", ondelete="SET NULL"), nullable=True),
    # registration, running, over or cancelled
    Column("state", String(20), nullable=False),
    # the number of rounds that have begun
    Column("round", Integer, nullable=False),
    Column("created", Instant, nullable=False),
)


def _tournament() -> Column[str]:
    return Column("tournament", String(_GAME), ForeignKey("tournaments.id", ondelete="CASCADE"), primary_key=True)


tournament_players = Table(
    "tournament_players",
    metadata,
    _tournament(),
    # in the order in which they joined, from 1
    Column("number", Integer, primary_key=True, autoincrement=False),
    # null for a deleted account
    Column("person", String(_GAME), ForeignKey("persons.id", ondelete="SET NULL"), nullable=True),
    Column("name", String(_NAME), nullable=False),
    # false for a player who takes no part in further rounds
    Column("active", Boolean, nullable=False),
)

tournament_boards = Table(
    "tournament_boards",
    metadata,
    _tournament(),
    Column("round", Integer, primary_key=True, autoincrement=False),
    Column("board", Integer, primary_key=True, autoincrement=False),
    # the game, null until it is opened
    Column("game", String(_GAME), ForeignKey("games.id", ondelete="SET NULL"), nullable=True),
)

tournament_seats = Table(
    "tournament_seats",
    metadata,
    _tournament(),
    Column("round", Integer, primary_key=True, autoincrement=False),
    Column("board", Integer, primary_key=True, autoincrement=False),
    Column("power", String(_NAME), primary_key=True),
    # the number of the player
    Column("player", Integer, nullable=False),
)

sequels = Table(
    "sequels",
    metadata,
    _game(),
    # the rematch of the game
    Column("next", String(_GAME), nullable=False),
)

notices = Table(
    "notices",
    metadata,
    Column("person", String(_GAME), ForeignKey("persons.id", ondelete="CASCADE"), primary_key=True),
    _game(),
    Column("phase_number", Integer, primary_key=True, autoincrement=False),
    # the kind of notification; each is sent once
    Column("kind", String(40), primary_key=True),
)

attendances = Table(
    "attendances",
    metadata,
    _game(),
    Column("phase_number", Integer, primary_key=True, autoincrement=False),
    Column("tenure", Integer, primary_key=True, autoincrement=False),
    # true if orders were submitted before the deadline
    Column("met", Boolean, nullable=False),
    Column("at", Instant, nullable=False),
)

results = Table(
    "results",
    metadata,
    _game(),
    Column("tenure", Integer, primary_key=True, autoincrement=False),
    Column("power", String(_NAME), nullable=False),
    # by the scoring system of the game
    Column("score", Float, nullable=False),
    # the kind of the tenure, or `left`
    Column("came", String(20), nullable=False),
    # true if the game had private press
    Column("press", Boolean, nullable=False),
    # live, daily, slow or own pace; empty for results from before it was stored
    Column("pace", String(20), nullable=False, server_default=""),
    Column("ended", Instant, nullable=False),
)

seekers = Table(
    "seekers",
    metadata,
    Column("person", String(_GAME), ForeignKey("persons.id", ondelete="CASCADE"), primary_key=True),
    # the search for open seats that the person is notified of
    Column("wanted", JsonText, nullable=False),
)

puzzle_ratings = Table(
    "puzzle_ratings",
    metadata,
    # the number of a puzzle, as in its address
    Column("puzzle", Integer, primary_key=True, autoincrement=False),
    Column("rating", Float, nullable=False),
    # the uncertainty of the rating
    Column("deviation", Float, nullable=False),
    Column("results", Integer, nullable=False),
)

host_presets = Table(
    "host_presets",
    metadata,
    Column("person", String(_GAME), ForeignKey("persons.id", ondelete="CASCADE"), primary_key=True),
    # the name that the person gave it
    Column("name", String(60), primary_key=True),
    # the fields of the form for a new game that it sets
    Column("fields", JsonText, nullable=False),
    Column("created", Instant, nullable=False),
)

blocks = Table(
    "blocks",
    metadata,
    Column("person", String(_GAME), ForeignKey("persons.id", ondelete="CASCADE"), primary_key=True),
    # a person who cannot join the games that the first one hosts
    Column("blocked", String(_GAME), ForeignKey("persons.id", ondelete="CASCADE"), primary_key=True),
)

follows = Table(
    "follows",
    metadata,
    Column("person", String(_GAME), ForeignKey("persons.id", ondelete="CASCADE"), primary_key=True),
    # a person whom the first one follows
    Column("followed", String(_GAME), ForeignKey("persons.id", ondelete="CASCADE"), primary_key=True),
)

reports = Table(
    "reports",
    metadata,
    # from 1
    Column("number", Integer, primary_key=True, autoincrement=False),
    Column("at", Instant, nullable=False),
    # the reporting and the reported person; null if the account was deleted
    Column("by", String(_GAME), ForeignKey("persons.id", ondelete="SET NULL"), nullable=True),
    Column("about", String(_GAME), ForeignKey("persons.id", ondelete="SET NULL"), nullable=True),
    # the game, for a report of messages; the messages as they were then
    Column("game", String(_GAME), ForeignKey("games.id", ondelete="SET NULL"), nullable=True),
    Column("messages", JsonText, nullable=False),
    Column("sentence", Text, nullable=False),
    # true if a moderator has dealt with it
    Column("closed", Boolean, nullable=False, server_default=false()),
    # abuse, name, cheating, spam or other
    Column("kind", String(20), nullable=False, server_default="other"),
    # the seats of the thread, as JSON, for a report of messages
    Column("thread", JsonText, nullable=False, server_default="[]"),
)

bans = Table(
    "bans",
    metadata,
    # from 1
    Column("number", Integer, primary_key=True, autoincrement=False),
    Column("at", Instant, nullable=False),
    # time at which it ends automatically; null for a permanent ban
    Column("until", Instant, nullable=True),
    # account or network
    Column("kind", String(20), nullable=False),
    # the banned account and the moderator; null for deleted accounts, and for the operator
    Column("person", String(_GAME), ForeignKey("persons.id", ondelete="SET NULL"), nullable=True),
    Column("by", String(_GAME), ForeignKey("persons.id", ondelete="SET NULL"), nullable=True),
    # the reason shown to the banned person
    Column("reason", Text, nullable=False),
    Column("lifted", Boolean, nullable=False, server_default=false()),
)

ban_marks = Table(
    "ban_marks",
    metadata,
    Column("ban", Integer, ForeignKey("bans.number", ondelete="CASCADE"), primary_key=True),
    # a digest of the account or a sign-in method, or a digest of a network, keyed with a key of the server
    Column("digest", String(64), primary_key=True),
)

appeals = Table(
    "appeals",
    metadata,
    # one for each ban
    Column("ban", Integer, ForeignKey("bans.number", ondelete="CASCADE"), primary_key=True, autoincrement=False),
    Column("at", Instant, nullable=False),
    Column("text", Text, nullable=False),
    Column("answered", Boolean, nullable=False, server_default=false()),
)

moderation = Table(
    "moderation",
    metadata,
    # the actions of moderators, from 1, each chained to the previous one
    Column("number", Integer, primary_key=True, autoincrement=False),
    Column("at", Instant, nullable=False),
    Column("kind", String(40), nullable=False),
    Column("text", Text, nullable=False),
    Column("hash", String(64), nullable=False),
    # the report, the moderator and the person concerned; null for deleted accounts, and for the operator
    Column("report", Integer, nullable=True),
    Column("by", String(_GAME), ForeignKey("persons.id", ondelete="SET NULL"), nullable=True),
    Column("about", String(_GAME), ForeignKey("persons.id", ondelete="SET NULL"), nullable=True),
)

closed_ways = Table(
    "closed_ways",
    metadata,
    # the SHA-256 of a sign-in method of an account that moderators closed
    Column("digest", String(64), primary_key=True),
)

heartbeats = Table(
    "heartbeats",
    metadata,
    # the name of a regular job
    Column("name", String(40), primary_key=True),
    # time of the last run
    Column("at", Instant, nullable=False),
)

counters = Table(
    "counters",
    metadata,
    # a keyed digest of the limit and its subject
    Column("subject", String(64), primary_key=True),
    Column("number", Integer, nullable=False),
    # the end of the window in which they are counted
    Column("until", Instant, nullable=False),
)

boards = Table(
    "boards",
    metadata,
    # the SHA-256 of all data it was computed from
    Column("name", String(64), primary_key=True),
    Column("created", Instant, nullable=False),
    # compressed text
    Column("content", LargeBinary, nullable=False),
)

Index(None, boards.c.created)

variant_versions = Table(
    "variant_versions",
    metadata,
    # the name of an added variant
    Column("variant", String(_NAME), primary_key=True),
    # the SHA-256 of its files
    Column("digest", String(64), primary_key=True),
    # when a game was last played by it while it was the version of the folder
    Column("made", Instant, nullable=False),
    # when a game was last played by it
    Column("played", Instant, nullable=False),
    # compressed text: the texts of its files by folder and name
    Column("files", LargeBinary, nullable=False),
)
Index(None, counters.c.until)
Index(None, games.c.changed)
Index(None, games.c.wake)
Index(None, games.c.listed, games.c.state)
Index(None, games.c.parent)
Index(None, keys.c.game)
Index(None, tenures.c.person)
Index(None, tournament_boards.c.game)
Index(None, tournament_players.c.person)
Index(None, tournaments.c.director)
Index(None, tournaments.c.created)
Index(None, motions.c.state, motions.c.until)
Index(None, messages.c.game, messages.c.sender, messages.c.once, unique=True)
Index(None, message_readers.c.game, message_readers.c.tenure)
Index(None, ban_marks.c.digest)
Index(None, sessions.c.person)
Index(None, ways.c.person)
Index(None, posts.c.not_before)
Index(None, posts.c.person, posts.c.game, posts.c.kind)
Index(None, mail_preferences.c.token, unique=True)
Index(None, subscriptions.c.session)
Index(None, mail_preferences.c.calendar, unique=True)

"""The tables of the store."""

from datetime import UTC, datetime

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
    "games",
    "heartbeats",
    "hooks",
    "journal",
    "keys",
    "letter_readers",
    "letters",
    "mail_wishes",
    "marks",
    "metadata",
    "moderation",
    "motions",
    "mutes",
    "notices",
    "own_keys",
    "persons",
    "posts",
    "questions",
    "readings",
    "reasons",
    "reports",
    "results",
    "seats",
    "seekers",
    "sessions",
    "sheets",
    "subscriptions",
    "tenures",
    "turns",
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
    """An instant, in UTC; SQLite keeps no zones, so they are taken off and put on here."""

    impl = DateTime(timezone=True)
    cache_ok = True

    def process_bind_param(self, value: datetime | None, dialect: Dialect) -> datetime | None:  # noqa: ARG002
        """Return the value to store."""
        return None if value is None else value.astimezone(UTC)

    def process_result_value(self, value: datetime | None, dialect: Dialect) -> datetime | None:  # noqa: ARG002
        """Return the value read."""
        return None if value is None else value.replace(tzinfo=UTC) if value.tzinfo is None else value.astimezone(UTC)


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
    # grows with every change of the game; who changes it must know it
    Column("revision", Integer, nullable=False),
    # how many of the revisions nobody is told of
    Column("untold", Integer, nullable=False, server_default="0"),
    # the number of the newest letter; letters do not touch the revision
    Column("talk", Integer, nullable=False, server_default="0"),
    # grows with every processing, undo and draw; orders name it
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
    Column("record", Text, nullable=False),
    # what its schedule makes of its phases, as JSON; null for a game without deadlines
    Column("timing", Text, nullable=True),
    # the next instant at which time changes the game, if any
    Column("wake", Instant, nullable=True),
    # what was settled when it was opened, as JSON; null for what it was before there were settings
    Column("settings", Text, nullable=True),
    # what stage of its life it is in, when its phase is due, and the powers it waits for, as JSON
    Column("state", String(20), nullable=False, server_default="running"),
    Column("due", Instant, nullable=True),
    Column("waits", Text, nullable=False, server_default="[]"),
    # who finds it: link, listed or members
    Column("listed", String(10), nullable=False, server_default="link"),
    # whether who plays what is hidden until it is over
    Column("anonymous", Boolean, nullable=False, server_default=false()),
    # about how many bytes its order sets, messages and journal take
    Column("stored", BigInteger, nullable=False, server_default="0"),
    # whether the older versions of its order sets were removed, once it was over
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
    # the SHA-256 of the token; the token itself is nowhere
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
    Column("record", Text, nullable=False),
    # whether it is a ruling
    Column("ruling", Boolean, nullable=False, server_default=false()),
    # when it was processed; null for turns of before that was kept
    Column("at", Instant, nullable=True),
)

reasons = Table(
    "reasons",
    metadata,
    _game(),
    # the SHA-256 of salt and text, which the entry has
    Column("digest", String(64), primary_key=True),
    Column("salt", String(64), nullable=False),
    Column("text", Text, nullable=False),
    # whether it is kept back until the game is over
    Column("withheld", Boolean, nullable=False),
)

readings = Table(
    "readings",
    metadata,
    _game(),
    # in the order in which they were ruled, from 1
    Column("number", Integer, primary_key=True, autoincrement=False),
    # of the open phase; it counts when that is processed, if the order still stands
    Column("phase_number", Integer, nullable=False),
    Column("power", String(_NAME), nullable=False),
    Column("order", Text, nullable=False),
    Column("read", Text, nullable=False),
    # the reason, which goes among the others when it counts
    Column("digest", String(64), nullable=False),
    Column("salt", String(64), nullable=False),
    Column("text", Text, nullable=False),
    Column("withheld", Boolean, nullable=False),
)

questions = Table(
    "questions",
    metadata,
    _game(),
    # at random
    Column("number", Integer, primary_key=True, autoincrement=False),
    Column("phase_number", Integer, nullable=False),
    Column("phase", String(_NAME), nullable=False),
    Column("power", String(_NAME), nullable=False),
    # who asked, 0 for whoever has only the link to the seat
    Column("tenure", Integer, nullable=False),
    # the order that it is about, as it stood then
    Column("order", Text, nullable=False),
    Column("text", Text, nullable=False),
    Column("asked", Instant, nullable=False),
    # what the game master said, once he has
    Column("answer", Text, nullable=False),
    Column("answered", Instant, nullable=True),
)

sheets = Table(
    "sheets",
    metadata,
    _game(),
    Column("phase_number", Integer, primary_key=True, autoincrement=False),
    Column("power", String(_NAME), primary_key=True),
    # later sheets of a phase replace earlier ones and are kept beside them
    Column("version", Integer, primary_key=True, autoincrement=False),
    Column("ready", Boolean, nullable=False),
    Column("created", Instant, nullable=False),
    Column("orders", Text, nullable=False),
    # the number of the tenure whose player wrote it, null where the writer had none
    Column("tenure", Integer, nullable=True),
)

tenures = Table(
    "tenures",
    metadata,
    _game(),
    # in the order in which they began, from 1
    Column("number", Integer, primary_key=True, autoincrement=False),
    # what the person is called in this game
    Column("name", String(_NAME), nullable=False),
    # player, substitute, sitter or keeper
    Column("kind", String(20), nullable=False),
    # the power that is played, or taken before the game begins; empty for any and for a keeper
    Column("power", String(_NAME), nullable=False),
    # the powers wished for, best first, as JSON
    Column("wishes", Text, nullable=False),
    # who it is, null for somebody known by a key alone
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
    # what the seat left for the phases to come before its next moves, ranked, as JSON
    Column("orders", Text, nullable=False),
)

letters = Table(
    "letters",
    metadata,
    _game(),
    # in the order in which they were written, from 1; nobody is shown it
    Column("number", Integer, primary_key=True, autoincrement=False),
    # at random, so that it says nothing
    Column("id", String(_GAME), nullable=False),
    # the seats of its thread, as JSON; `*` for all, `~` for a sender who is not shown
    Column("thread", Text, nullable=False),
    # the tenure that wrote it, and the seat it wrote from
    Column("sender", Integer, nullable=False),
    Column("seat", String(_NAME), nullable=False),
    # what the writer's window calls it, so that it is not kept twice
    Column("once", String(_GAME), nullable=False),
    Column("phase_number", Integer, nullable=False),
    Column("phase", String(_NAME), nullable=False),
    Column("written", Instant, nullable=False),
    Column("grey", Boolean, nullable=False),
    Column("open", Boolean, nullable=False),
    Column("text", Text, nullable=False),
    # the orders in it, each with its power, as JSON
    Column("proposal", Text, nullable=False),
)

letter_readers = Table(
    "letter_readers",
    metadata,
    _game(),
    Column("number", Integer, primary_key=True, autoincrement=False),
    # a tenure that it was written to, or that wrote it
    Column("tenure", Integer, primary_key=True, autoincrement=False),
)

marks = Table(
    "marks",
    metadata,
    _game(),
    Column("tenure", Integer, primary_key=True, autoincrement=False),
    # the SHA-256 of the key of a thread
    Column("thread", String(64), primary_key=True),
    # how far the tenure has read it
    Column("number", Integer, nullable=False),
)

mutes = Table(
    "mutes",
    metadata,
    _game(),
    # who reads no letters of whom: two tenures
    Column("tenure", Integer, primary_key=True, autoincrement=False),
    Column("muted", Integer, primary_key=True, autoincrement=False),
)

motions = Table(
    "motions",
    metadata,
    _game(),
    # at random
    Column("number", Integer, primary_key=True, autoincrement=False),
    Column("kind", String(20), nullable=False),
    # the powers that share, win or lose their seat, as JSON
    Column("about", Text, nullable=False),
    # the seat that moved it
    Column("by", String(_NAME), nullable=False),
    Column("phase_number", Integer, nullable=False),
    Column("moved", Instant, nullable=False),
    # when it is counted; null if it stands, or ends with the phase
    Column("until", Instant, nullable=True),
    # open, passed, failed or withdrawn
    Column("state", String(20), nullable=False),
    # when the game is to go on, if it is to go on tomorrow
    Column("goes_on", Instant, nullable=True),
    # what is to be settled otherwise, as JSON, if it is about that
    Column("changes", Text, nullable=True),
)

ballots = Table(
    "ballots",
    metadata,
    _game(),
    Column("number", Integer, primary_key=True, autoincrement=False),
    Column("seat", String(_NAME), primary_key=True),
    # who cast it; it counts while he acts for the seat
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
    # of the entry before and this one, so that none is changed unseen
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
    # the address in lower case, or the SHA-256 of the words, of a passkey's id, or of a provider and who one is there
    Column("identifier", String(320), primary_key=True),
    Column("person", String(_GAME), ForeignKey("persons.id", ondelete="CASCADE"), nullable=False),
    Column("created", Instant, nullable=False),
    # what its owner calls it
    Column("name", String(80), nullable=False, server_default=""),
    # the public key of a passkey, and how often it says it was used
    Column("key", Text, nullable=False, server_default=""),
    Column("counter", BigInteger, nullable=False, server_default="0"),
    Column("used", Instant, nullable=True),
)

challenges = Table(
    "challenges",
    metadata,
    # the SHA-256 of what was asked of a browser, to be answered once
    Column("digest", String(64), primary_key=True),
    Column("kind", String(20), nullable=False),
    # of whom it was asked, if somebody was signed in
    Column("person", String(_GAME), ForeignKey("persons.id", ondelete="CASCADE"), nullable=True),
    # what the answer is looked at with
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
    # the guest whose seats went to a person
    Column("guest", String(_GAME), nullable=False),
    Column("name", String(_NAME), nullable=False),
    Column("created", Instant, nullable=False),
    Column("person", String(_GAME), ForeignKey("persons.id", ondelete="CASCADE"), nullable=False),
    # the games and numbers of the tenures that went, as JSON
    Column("tenures", Text, nullable=False),
    # until when it can be undone
    Column("until", Instant, nullable=False),
)

sessions = Table(
    "sessions",
    metadata,
    # the SHA-256 of the token; the token itself is nowhere
    Column("digest", String(64), primary_key=True),
    Column("person", String(_GAME), ForeignKey("persons.id", ondelete="CASCADE"), nullable=False),
    # the browser in a few words
    Column("device", String(_NAME), nullable=False),
    Column("created", Instant, nullable=False),
    # the day on which it was last used
    Column("used", Instant, nullable=False),
    # the keyed digest of the network from which it last changed something; no address is kept
    Column("network", String(64), nullable=False, server_default=""),
)

codes = Table(
    "codes",
    metadata,
    # the SHA-256 of what the browser that asked has, and of what the link in the mail has
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
    # when it is to be sent, or tried again; null once it is sent or given up
    Column("not_before", Instant, nullable=True),
    Column("sent", Instant, nullable=True),
    # what it is about, `mail` for what is asked for, `hook` for a webhook; who is told, of which game
    Column("kind", String(40), nullable=False, server_default="mail"),
    Column("person", String(_GAME), nullable=True),
    Column("game", String(_GAME), nullable=True),
    # what else goes with it, as JSON: its thread, and where one unsubscribes
    Column("headers", Text, nullable=False, server_default="{}"),
)

mail_wishes = Table(
    "mail_wishes",
    metadata,
    Column("person", String(_GAME), ForeignKey("persons.id", ondelete="CASCADE"), primary_key=True),
    # what the links in mail have, and the address of the calendar: long, at random, and good for nothing else
    Column("token", String(64), nullable=False),
    Column("calendar", String(64), nullable=False),
    # in which ways one is told of what, as JSON; of what is not named by mail and on one's devices
    Column("kinds", Text, nullable=False),
    # the hours of the zone between which nothing is told
    Column("quiet_from", Integer, nullable=True),
    Column("quiet_until", Integer, nullable=True),
    Column("zone", String(64), nullable=False),
    # the hour of the zone at which one is told what is told once a day
    Column("hour", Integer, nullable=False, server_default="8"),
)

subscriptions = Table(
    "subscriptions",
    metadata,
    # the beginning of the SHA-256 of the endpoint
    Column("id", String(_GAME), primary_key=True),
    # a browser in which somebody is signed in; it is told nothing once he is not
    Column("session", String(64), ForeignKey("sessions.digest", ondelete="CASCADE"), nullable=False),
    Column("endpoint", Text, nullable=False),
    # with what messages are encrypted
    Column("key", String(_NAME), nullable=False),
    Column("secret", String(_NAME), nullable=False),
)

own_keys = Table(
    "own_keys",
    metadata,
    # what the server signs with it
    Column("name", String(40), primary_key=True),
    # a private key, made at random when it was first needed
    Column("value", Text, nullable=False),
)

hooks = Table(
    "hooks",
    metadata,
    Column("game", String(_GAME), ForeignKey("games.id", ondelete="CASCADE"), primary_key=True),
    # where the game tells of itself, and with what that is signed
    Column("url", String(320), nullable=False),
    Column("secret", String(64), nullable=False, server_default=""),
)

sequels = Table(
    "sequels",
    metadata,
    _game(),
    # the game that the same people play after it
    Column("next", String(_GAME), nullable=False),
)

notices = Table(
    "notices",
    metadata,
    Column("person", String(_GAME), ForeignKey("persons.id", ondelete="CASCADE"), primary_key=True),
    _game(),
    Column("phase_number", Integer, primary_key=True, autoincrement=False),
    # what the person was told; the same is never told twice
    Column("kind", String(40), primary_key=True),
)

attendances = Table(
    "attendances",
    metadata,
    _game(),
    Column("phase_number", Integer, primary_key=True, autoincrement=False),
    Column("tenure", Integer, primary_key=True, autoincrement=False),
    # whether something was handed in before the deadline
    Column("met", Boolean, nullable=False),
    Column("at", Instant, nullable=False),
)

results = Table(
    "results",
    metadata,
    _game(),
    Column("tenure", Integer, primary_key=True, autoincrement=False),
    Column("power", String(_NAME), nullable=False),
    # by the system of the game
    Column("score", Float, nullable=False),
    # the kind of the tenure, or left
    Column("came", String(20), nullable=False),
    # whether private letters were written
    Column("letters", Boolean, nullable=False),
    Column("ended", Instant, nullable=False),
)

seekers = Table(
    "seekers",
    metadata,
    Column("person", String(_GAME), ForeignKey("persons.id", ondelete="CASCADE"), primary_key=True),
    # what seat somebody wants to be told of, as JSON
    Column("wanted", Text, nullable=False),
)

blocks = Table(
    "blocks",
    metadata,
    Column("person", String(_GAME), ForeignKey("persons.id", ondelete="CASCADE"), primary_key=True),
    # who does not sit down in the games that the first one keeps
    Column("blocked", String(_GAME), ForeignKey("persons.id", ondelete="CASCADE"), primary_key=True),
)

reports = Table(
    "reports",
    metadata,
    # from 1
    Column("number", Integer, primary_key=True, autoincrement=False),
    Column("at", Instant, nullable=False),
    # who reports, and whom; null for those who left
    Column("by", String(_GAME), ForeignKey("persons.id", ondelete="SET NULL"), nullable=True),
    Column("about", String(_GAME), ForeignKey("persons.id", ondelete="SET NULL"), nullable=True),
    # in which game, if it is about letters; these as they were then, as JSON
    Column("game", String(_GAME), ForeignKey("games.id", ondelete="SET NULL"), nullable=True),
    Column("letters", Text, nullable=False),
    Column("sentence", Text, nullable=False),
    # whether a moderator has dealt with it
    Column("closed", Boolean, nullable=False, server_default=false()),
    # abuse, name, cheating, spam or other
    Column("kind", String(20), nullable=False, server_default="other"),
    # the seats of the thread, as JSON, if it is about letters
    Column("thread", Text, nullable=False, server_default="[]"),
)

bans = Table(
    "bans",
    metadata,
    # from 1
    Column("number", Integer, primary_key=True, autoincrement=False),
    Column("at", Instant, nullable=False),
    # when it ends by itself; null for good
    Column("until", Instant, nullable=True),
    # account or network
    Column("kind", String(20), nullable=False),
    # whose account, and which moderator; null for those who left, and for the operator
    Column("person", String(_GAME), ForeignKey("persons.id", ondelete="SET NULL"), nullable=True),
    Column("by", String(_GAME), ForeignKey("persons.id", ondelete="SET NULL"), nullable=True),
    # what the banned person is told
    Column("reason", Text, nullable=False),
    Column("lifted", Boolean, nullable=False, server_default=false()),
)

ban_marks = Table(
    "ban_marks",
    metadata,
    Column("ban", Integer, ForeignKey("bans.number", ondelete="CASCADE"), primary_key=True),
    # a digest of the account, of a way to sign in, or, with a key of the server, of a network
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
    # what moderators did, from 1, each chained to the one before
    Column("number", Integer, primary_key=True, autoincrement=False),
    Column("at", Instant, nullable=False),
    Column("kind", String(40), nullable=False),
    Column("text", Text, nullable=False),
    Column("hash", String(64), nullable=False),
    # about which report; the moderator and whom it is about, null for those who left, and for the operator
    Column("report", Integer, nullable=True),
    Column("by", String(_GAME), ForeignKey("persons.id", ondelete="SET NULL"), nullable=True),
    Column("about", String(_GAME), ForeignKey("persons.id", ondelete="SET NULL"), nullable=True),
)

closed_ways = Table(
    "closed_ways",
    metadata,
    # the SHA-256 of a way to sign in of an account that moderators closed
    Column("digest", String(64), primary_key=True),
)

heartbeats = Table(
    "heartbeats",
    metadata,
    # what is done again and again
    Column("name", String(40), primary_key=True),
    # when it was last done
    Column("at", Instant, nullable=False),
)

counters = Table(
    "counters",
    metadata,
    # a keyed digest of what is limited and of whom
    Column("subject", String(64), primary_key=True),
    Column("number", Integer, nullable=False),
    # when the window ends in which they are counted
    Column("until", Instant, nullable=False),
)

boards = Table(
    "boards",
    metadata,
    # the SHA-256 of all that it was worked out from
    Column("name", String(64), primary_key=True),
    Column("created", Instant, nullable=False),
    # text, deflated
    Column("content", LargeBinary, nullable=False),
)

Index(None, boards.c.created)
Index(None, counters.c.until)
Index(None, games.c.changed)
Index(None, games.c.wake)
Index(None, games.c.listed, games.c.state)
Index(None, games.c.parent)
Index(None, keys.c.game)
Index(None, tenures.c.person)
Index(None, motions.c.state, motions.c.until)
Index(None, letters.c.game, letters.c.sender, letters.c.once, unique=True)
Index(None, letter_readers.c.game, letter_readers.c.tenure)
Index(None, ban_marks.c.digest)
Index(None, sessions.c.person)
Index(None, ways.c.person)
Index(None, posts.c.not_before)
Index(None, posts.c.person, posts.c.game, posts.c.kind)
Index(None, mail_wishes.c.token, unique=True)
Index(None, subscriptions.c.session)
Index(None, mail_wishes.c.calendar, unique=True)

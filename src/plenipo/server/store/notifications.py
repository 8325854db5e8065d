"""The store of notifications: those sent, the settings of each person, and the outbox."""

import hashlib
import json
import secrets
from base64 import b64encode
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict
from datetime import datetime
from typing import Any

from sqlalchemy import Connection, Engine, delete, literal, select, union_all, update
from sqlalchemy.exc import IntegrityError

from plenipo.engine.history.sentence_json import encode_sentence
from plenipo.engine.sentences import Sentence
from plenipo.server.store import schema
from plenipo.server.store.values import Notification, StoredPost, StoredPreferences

__all__ = [
    "DAY",
    "LANGUAGE",
    "LONGEST",
    "SENTENCES",
    "SIGNED",
    "DeliveryPlanner",
    "NotificationStore",
    "put_post",
    "tell",
]

SIGNED = "whsec_"
"""The prefix of the secret of a webhook, as in Standard Webhooks."""

LONGEST = 200
"""The most characters of the subject of a post; its body has the whole text."""

DAY = "day"
"""The channel, and the kind of post, of the daily digest: its body has a line of JSON for each notice."""

SENTENCES = "sentences"
"""The header of a post with its subject and body as kinds and parts, from which it is rendered in a language."""

LANGUAGE = "language"
"""The header of a post with the language of its reader, where the person to whom it goes does not tell it."""

DeliveryPlanner = Callable[[StoredPreferences, str, datetime], Mapping[str, datetime]]
"""A function that returns the channels of a notice and the instant of each, from settings, a kind and an instant."""


class NotificationStore:
    """The notification settings of people and the webhooks of games; safe to use from several threads."""

    def __init__(self, engine: Engine) -> None:
        self.engine = engine

    def preferences(self, person: str) -> StoredPreferences:
        """Return the notification settings of a person; create defaults and link tokens if there are none."""
        table = schema.mail_preferences
        with self.engine.connect() as connection:
            row = connection.execute(select(table).where(table.c.person == person)).mappings().first()
        if row is not None:
            return _read(row)
        with self.engine.begin() as connection:
            return _preferences(connection, person)

    def list_chosen(self, person: str) -> frozenset[str] | None:
        """Return the channels that a person has chosen for any kind of notification; None before a choice."""
        table = schema.mail_preferences
        with self.engine.connect() as connection:
            kinds = connection.execute(select(table.c.kinds).where(table.c.person == person)).scalar_one_or_none()
        return frozenset(channel for channels in kinds.values() for channel in channels) if kinds else None

    def preference(self, preferences: StoredPreferences) -> None:
        """Store the notification settings of a person."""
        with self.engine.begin() as connection:
            _preferences(connection, preferences.person)
            values = asdict(preferences)
            table = schema.mail_preferences
            connection.execute(update(table).where(table.c.person == preferences.person).values(**values))

    def language(self, person: str) -> str:
        """Return the language that a person has chosen, empty if there is none."""
        table = schema.mail_preferences
        query = select(table.c.language).where(table.c.person == person)
        with self.engine.connect() as connection:
            return str(connection.execute(query).scalar_one_or_none() or "")

    def new_calendar(self, person: str) -> None:
        """Replace the address of a person's calendar feed; the old one stops working."""
        table = schema.mail_preferences
        with self.engine.begin() as connection:
            _preferences(connection, person)
            new = secrets.token_urlsafe(24)
            connection.execute(update(table).where(table.c.person == person).values(calendar=new))

    def by_token(self, *, token: str = "", calendar: str = "") -> StoredPreferences | None:
        """Return the settings of the person with this mail or calendar token, None if there is none."""
        table = schema.mail_preferences
        where = table.c.token == token if token else table.c.calendar == calendar
        with self.engine.connect() as connection:
            row = connection.execute(select(table).where(where)).mappings().first()
        return None if row is None else _read(row)

    def hook(self, game: str) -> str:
        """Return the webhook of a game, empty if there is none."""
        table = schema.hooks
        with self.engine.connect() as connection:
            url: str | None = connection.execute(select(table.c.url).where(table.c.game == game)).scalar_one_or_none()
        return url or ""

    def set_hook(self, game: str, url: str) -> None:
        """Set the webhook of a game; an empty one removes it."""
        table = schema.hooks
        with self.engine.begin() as connection:
            connection.execute(delete(table).where(table.c.game == game))
            if url:
                secret = f"{SIGNED}{b64encode(secrets.token_bytes(24)).decode()}"
                connection.execute(table.insert().values(game=game, url=url, secret=secret))

    def hook_secret(self, game: str) -> str:
        """Return the signing secret of a game's webhook, empty if there is none."""
        table = schema.hooks
        with self.engine.connect() as connection:
            query = select(table.c.secret).where(table.c.game == game)
            found: str | None = connection.execute(query).scalar_one_or_none()
        return found or ""

    def forget_messages(self, game: str, persons: Sequence[str]) -> None:
        """Cancel notifications of messages that people have read meanwhile."""
        posts = schema.posts
        waits = (posts.c.person.in_(persons), posts.c.sent.is_(None), posts.c.tries == 0)
        with self.engine.begin() as connection:
            connection.execute(delete(posts).where(posts.c.game == game, posts.c.kind == "message", *waits))
            days = select(posts.c.id, posts.c.body).where(posts.c.kind == DAY, *waits)
            for post, body in connection.execute(days.with_for_update()).all():
                kept = "".join(
                    line for line in body.splitlines(keepends=True) if json.loads(line)[:2] != [game, "message"]
                )
                if kept != body:
                    connection.execute(update(posts).where(posts.c.id == post).values(body=kept))


def tell(
    connection: Connection,
    game: str,
    phase_number: int,
    notices: Sequence[Notification],
    now: datetime,
    later: DeliveryPlanner,
) -> None:
    """Record notices, and put them into the outbox of people who can be reached and want them.

    A kind of notice is sent once a phase; a gathered one, once while it waits. `later` returns the channels and
    instants
    for the settings of a person. A notice without a person goes to the webhook of the game.
    """
    for notice in notices:
        if not notice.person:
            _tell_hook(connection, game, notice, now)
        elif _is_new(connection, game, phase_number, notice):
            _tell_person(connection, game, notice, now, later)


def _tell_hook(connection: Connection, game: str, notice: Notification, now: datetime) -> None:
    hooks = schema.hooks
    hook = connection.execute(select(hooks.c.url, hooks.c.secret).where(hooks.c.game == game)).one_or_none()
    if hook is not None:
        headers = {"secret": hook.secret, LANGUAGE: _language_of_host(connection, game)}
        new = secrets.token_hex(16)
        put_post(connection, StoredPost(new, hook.url, notice.subject, notice.body, "hook", None, game, headers), now)


def _language_of_host(connection: Connection, game: str) -> str:
    """Return the language that the host of a game has chosen, empty if there is none."""
    tenures, table = schema.tenures, schema.mail_preferences
    hosts = (tenures.c.game == game, tenures.c.kind == "host", tenures.c.until.is_(None))
    query = select(table.c.language).join(tenures, tenures.c.person == table.c.person).where(*hosts)
    return next((str(language) for language in connection.execute(query).scalars() if language), "")


def _is_new(connection: Connection, game: str, phase_number: int, notice: Notification) -> bool:
    """Return whether a notice has not been sent to its person yet, and record it."""
    told, posts = schema.notices, schema.posts
    if notice.wait:
        waits = (posts.c.person == notice.person, posts.c.game == game, posts.c.kind == _family(notice))
        query = select(posts.c.id).where(*waits, posts.c.sent.is_(None), posts.c.tries == 0)
        return connection.execute(query).first() is None
    key = {"person": notice.person, "game": game, "phase_number": phase_number, "kind": notice.kind}
    if connection.execute(select(told.c.kind).filter_by(**key)).first():
        return False
    connection.execute(told.insert().values(**key))
    return True


def _tell_person(
    connection: Connection, game: str, notice: Notification, now: datetime, later: DeliveryPlanner
) -> None:
    doors = _doors(connection, notice.person)
    if not doors:
        return
    preferences, family = _preferences(connection, notice.person), _family(notice)
    at = later(preferences, family, now + notice.wait)
    for to, way in doors:
        headers = _headers(way, preferences, family) | {"thread": game}
        if way in at:
            new = secrets.token_hex(16)
            post = StoredPost(new, to, notice.subject, notice.body, family, notice.person, game, headers)
            put_post(connection, post, at[way])
    if DAY in at:
        mailed = [door for door in doors if door[1] == "mail"]
        for to, way in mailed or doors:
            _gather(connection, to, _headers(way, preferences, DAY), game, notice, at[DAY])


def _family(notice: Notification) -> str:
    return notice.kind.partition(" ")[0]


def _doors(connection: Connection, person: str) -> Sequence[tuple[str, str]]:
    """Return the channels and addresses of a person: mail addresses, and the subscriptions of browsers."""
    ways, sessions, subscriptions = schema.ways, schema.sessions, schema.subscriptions
    mail = select(ways.c.identifier, literal("mail")).where(ways.c.person == person, ways.c.kind == "mail")
    push = (
        select(subscriptions.c.id, literal("push"))
        .join(sessions, sessions.c.digest == subscriptions.c.session)
        .where(sessions.c.person == person)
    )
    return [(to, way) for to, way in connection.execute(union_all(mail, push))]


def _headers(way: str, preferences: StoredPreferences, family: str) -> dict[str, str]:
    return {"way": way} if way == "push" else {"unsubscribe": f"/unsubscribe/{preferences.token}?kind={family}"}


def _gather(
    connection: Connection, to: str, headers: dict[str, str], game: str, notice: Notification, at: datetime
) -> None:
    """Add a notice to the daily digest of a person; the id of its post has the date, so that there is only one."""
    posts = schema.posts
    new = hashlib.sha256(f"{notice.person} {to} {at.isoformat()}".encode()).hexdigest()[:32]
    said = [encode_sentence(notice.subject), encode_sentence(notice.body)]
    line = f"{json.dumps([game, _family(notice), notice.subject, notice.body, said])}\n"
    before = connection.execute(select(posts.c.body).where(posts.c.id == new)).scalar_one_or_none()
    if before is None:
        try:
            with connection.begin_nested():
                put_post(connection, StoredPost(new, to, "", line, DAY, notice.person, None, headers), at)
        except IntegrityError:
            before = ""  # another notice has created the digest of this day at the same moment
    if before is not None and line not in before:
        connection.execute(update(posts).where(posts.c.id == new).values(body=posts.c.body + line))


def put_post(connection: Connection, post: StoredPost, at: datetime) -> None:
    """Insert a post into the outbox, to be sent at an instant; its sentences are kept as kinds and parts."""
    about = str(post.subject) if len(post.subject) <= LONGEST else f"{post.subject[: LONGEST - 1]}…"
    headers = dict(post.headers)
    if isinstance(post.subject, Sentence) or isinstance(post.body, Sentence):
        headers[SENTENCES] = json.dumps([encode_sentence(post.subject), encode_sentence(post.body)])
    values = {**asdict(post), "subject": about, "body": str(post.body), "headers": json.dumps(headers)}
    connection.execute(schema.posts.insert().values(**values, tries=0, not_before=at))


def _preferences(connection: Connection, person: str) -> StoredPreferences:
    table = schema.mail_preferences
    mine = select(table).where(table.c.person == person)
    row = connection.execute(mine).mappings().first()
    if row is None:
        made = StoredPreferences(person, secrets.token_urlsafe(24), secrets.token_urlsafe(24))
        with suppress(IntegrityError), connection.begin_nested():  # another request may have created the row since
            connection.execute(table.insert().values(**asdict(made)))
        row = connection.execute(mine).mappings().one()
    return _read(row)


def _read(row: Any) -> StoredPreferences:
    kinds = {kind: tuple(ways) for kind, ways in row["kinds"].items()}
    return StoredPreferences(**{**row, "kinds": kinds})

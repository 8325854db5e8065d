"""What the store has of telling people: what each was told, what he wants to be mailed, and the posts that wait."""

import json
import secrets
from base64 import b64encode
from collections.abc import Callable, Sequence
from dataclasses import asdict
from datetime import datetime
from typing import Any

from sqlalchemy import Connection, Engine, delete, select, update

from plenipo.server.store import schema
from plenipo.server.store.values import Notice, StoredPost, StoredWishes

__all__ = ["SIGNED", "Later", "Telling", "tell"]

SIGNED = "whsec_"
"""What stands before the secret of a webhook, as Standard Webhooks has it."""

LONGEST = 200
"""The most characters of what a post is about; the whole of it is in the post."""

Later = Callable[[StoredWishes, str, datetime], datetime | None]
"""When somebody is told something of a kind that is ready at an instant, by what he wants; None if he is not."""


class Telling:
    """What people want to be told, and where games tell of themselves; safe to use from several threads."""

    def __init__(self, engine: Engine) -> None:
        self.engine = engine

    def wishes(self, person: str) -> StoredWishes:
        """What somebody wants to be mailed; who has none yet gets some, with the tokens of his addresses."""
        with self.engine.begin() as connection:
            return _wishes(connection, person)

    def wish(self, wishes: StoredWishes) -> None:
        """Keep what somebody wants."""
        with self.engine.begin() as connection:
            _wishes(connection, wishes.person)
            values = {**asdict(wishes), "kinds": json.dumps(dict(wishes.kinds))}
            table = schema.mail_wishes
            connection.execute(update(table).where(table.c.person == wishes.person).values(**values))

    def by_token(self, *, token: str = "", calendar: str = "") -> StoredWishes | None:
        """Whose mail, or whose calendar, has this token."""
        table = schema.mail_wishes
        where = table.c.token == token if token else table.c.calendar == calendar
        with self.engine.connect() as connection:
            row = connection.execute(select(table).where(where)).mappings().first()
        return None if row is None else _read(row)

    def hook(self, game: str) -> str:
        """Where a game tells of itself, empty if nowhere."""
        table = schema.hooks
        with self.engine.connect() as connection:
            url: str | None = connection.execute(select(table.c.url).where(table.c.game == game)).scalar_one_or_none()
        return url or ""

    def set_hook(self, game: str, url: str) -> None:
        """Say where a game tells of itself; empty for nowhere."""
        table = schema.hooks
        with self.engine.begin() as connection:
            connection.execute(delete(table).where(table.c.game == game))
            if url:
                secret = f"{SIGNED}{b64encode(secrets.token_bytes(24)).decode()}"
                connection.execute(table.insert().values(game=game, url=url, secret=secret))

    def hook_secret(self, game: str) -> str:
        """With what the messages of a game are signed, empty if there are none."""
        table = schema.hooks
        with self.engine.connect() as connection:
            query = select(table.c.secret).where(table.c.game == game)
            found: str | None = connection.execute(query).scalar_one_or_none()
        return found or ""

    def forget_letters(self, game: str, persons: Sequence[str]) -> None:
        """Send nobody word of letters that he has read meanwhile."""
        posts = schema.posts
        here = (posts.c.game == game, posts.c.kind == "letter", posts.c.person.in_(persons), posts.c.sent.is_(None))
        with self.engine.begin() as connection:
            connection.execute(delete(posts).where(*here, posts.c.tries == 0))


def tell(
    connection: Connection, game: str, phase_number: int, notices: Sequence[Notice], now: datetime, later: Later
) -> None:
    """Note what persons are told, and put mail to those into the outbox who have an address and want it.

    The same kind of thing is told once a phase; what is gathered, once while it waits. `later` says when, by what
    somebody wants. A notice without a person goes to where the game tells of itself.
    """
    told, ways, posts = schema.notices, schema.ways, schema.posts
    for notice in notices:
        family = notice.kind.partition(" ")[0]
        if not notice.person:
            hooks = schema.hooks
            hook = connection.execute(select(hooks.c.url, hooks.c.secret).where(hooks.c.game == game)).one_or_none()
            if hook is not None:
                post = StoredPost(
                    secrets.token_hex(16),
                    hook.url,
                    notice.subject,
                    notice.body,
                    kind="hook",
                    game=game,
                    headers={"secret": hook.secret},
                )
                connection.execute(posts.insert().values(**_post(post), tries=0, not_before=now))
            continue
        if notice.wait:
            waits = (posts.c.person == notice.person, posts.c.game == game, posts.c.kind == family)
            if connection.execute(select(posts.c.id).where(*waits, posts.c.sent.is_(None), posts.c.tries == 0)).first():
                continue
        else:
            key = {"person": notice.person, "game": game, "phase_number": phase_number, "kind": notice.kind}
            if connection.execute(select(told.c.kind).filter_by(**key)).first():
                continue
            connection.execute(told.insert().values(**key))
        addresses = select(ways.c.identifier).where(ways.c.person == notice.person, ways.c.kind == "mail")
        for address in connection.execute(addresses).scalars().all():
            wishes = _wishes(connection, notice.person)
            at = later(wishes, family, now + notice.wait)
            if at is None:
                continue
            headers = {"thread": game, "unsubscribe": f"/unsubscribe/{wishes.token}?kind={family}"}
            post = StoredPost(
                secrets.token_hex(16),
                address,
                notice.subject,
                notice.body,
                kind=family,
                person=notice.person,
                game=game,
                headers=headers,
            )
            connection.execute(posts.insert().values(**_post(post), tries=0, not_before=at))


def _post(post: StoredPost) -> dict[str, Any]:
    about = post.subject if len(post.subject) <= LONGEST else f"{post.subject[: LONGEST - 1]}…"
    return {**asdict(post), "subject": about, "headers": json.dumps(dict(post.headers))}


def _wishes(connection: Connection, person: str) -> StoredWishes:
    table = schema.mail_wishes
    row = connection.execute(select(table).where(table.c.person == person)).mappings().first()
    if row is not None:
        return _read(row)
    made = StoredWishes(person, secrets.token_urlsafe(24), secrets.token_urlsafe(24))
    connection.execute(table.insert().values(**{**asdict(made), "kinds": "{}"}))
    return made


def _read(row: Any) -> StoredWishes:
    return StoredWishes(**{**row, "kinds": json.loads(row["kinds"])})

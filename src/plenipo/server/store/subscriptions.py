"""The store of web push subscriptions and of the server's own keys."""

from collections.abc import Callable
from dataclasses import asdict

from sqlalchemy import Engine, delete, select
from sqlalchemy.exc import IntegrityError

from plenipo.server.store import schema
from plenipo.server.store.values import Subscription

__all__ = ["Subscriptions"]


class Subscriptions:
    """The subscriptions in one database, each of a signed-in browser."""

    def __init__(self, engine: Engine) -> None:
        self.engine = engine

    def keep(self, session: str, subscription: Subscription) -> None:
        """Store the subscription of the session; an earlier session or subscription in its place is removed."""
        table = schema.subscriptions
        with self.engine.begin() as connection:
            connection.execute(delete(table).where((table.c.session == session) | (table.c.id == subscription.id)))
            connection.execute(table.insert().values(id=subscription.id, session=session, **asdict(subscription)))

    def end(self, session: str) -> None:
        """End the subscription of a session."""
        table = schema.subscriptions
        with self.engine.begin() as connection:
            connection.execute(delete(table).where(table.c.session == session))

    def drop(self, subscription: str) -> None:
        """Remove a subscription that its push service no longer knows."""
        table = schema.subscriptions
        with self.engine.begin() as connection:
            connection.execute(delete(table).where(table.c.id == subscription))

    def find(self, subscription: str) -> Subscription | None:
        """Return the subscription with this id, None if it is gone."""
        table = schema.subscriptions
        query = select(table.c.endpoint, table.c.key, table.c.secret).where(table.c.id == subscription)
        with self.engine.connect() as connection:
            row = connection.execute(query).one_or_none()
        return None if row is None else Subscription(row.endpoint, row.key, row.secret)

    def of(self, person: str) -> dict[str, Subscription]:
        """Return the subscriptions of a person, by session."""
        table, sessions = schema.subscriptions, schema.sessions
        query = select(table).join(sessions, sessions.c.digest == table.c.session).where(sessions.c.person == person)
        with self.engine.connect() as connection:
            rows = connection.execute(query).all()
        return {row.session: Subscription(row.endpoint, row.key, row.secret) for row in rows}

    def own_key(self, name: str, made: Callable[[], str]) -> str:
        """Return a key of the server's own, created from `made` if there is none yet; all processes get the same."""
        table = schema.own_keys
        query = select(table.c.value).where(table.c.name == name)
        with self.engine.connect() as connection:
            found: str | None = connection.execute(query).scalar_one_or_none()
        if found is not None:
            return found
        try:
            with self.engine.begin() as connection:
                connection.execute(table.insert().values(name=name, value=made()))
        except IntegrityError:
            pass  # another process was first
        with self.engine.connect() as connection:
            return str(connection.execute(query).scalar_one())

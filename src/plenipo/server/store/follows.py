"""The store of follows: the people whom a person follows. Nobody else learns of it."""

from sqlalchemy import Engine, delete, select

from plenipo.server.store import schema

__all__ = ["Follows"]


class Follows:
    """The follows in one database; safe to use from several threads."""

    def __init__(self, engine: Engine) -> None:
        self.engine = engine

    def follow(self, person: str, other: str, *, on: bool) -> None:
        """Follow another person, or no longer."""
        table = schema.follows
        with self.engine.begin() as connection:
            connection.execute(delete(table).where(table.c.person == person, table.c.followed == other))
            if on:
                connection.execute(table.insert().values(person=person, followed=other))

    def list_followed(self, person: str) -> tuple[tuple[str, str], ...]:
        """Return the ids and names of the people whom a person follows, by name."""
        table, persons = schema.follows, schema.persons
        query = select(persons.c.id, persons.c.name).join(table, table.c.followed == persons.c.id)
        with self.engine.connect() as connection:
            found = connection.execute(query.where(table.c.person == person).order_by(persons.c.name, persons.c.id))
            return tuple((row.id, row.name) for row in found)

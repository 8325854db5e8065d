"""The store of private notes, each of one tenure about a game, a power or a thread."""

from collections.abc import Collection

from sqlalchemy import Connection, Engine, delete, func, select

from plenipo.server.store import schema

__all__ = ["NoteStore", "forget_notes"]


class NoteStore:
    """The private notes in one database; safe to use from several threads."""

    def __init__(self, engine: Engine) -> None:
        self.engine = engine

    def of(self, game: str, tenures: Collection[int]) -> dict[tuple[int, str], str]:
        """Return the notes of tenures, by tenure and subject."""
        table = schema.notes
        query = select(table).where(table.c.game == game, table.c.tenure.in_(tenures)).order_by(table.c.about)
        with self.engine.connect() as connection:
            return {(row.tenure, row.about): row.text for row in connection.execute(query)}

    def keep(self, game: str, tenure: int, about: str, text: str, most: int) -> bool:
        """Store the note of a tenure about something, or remove it if it is empty.

        Return False, and store nothing, if the tenure has `most` notes already.
        """
        table = schema.notes
        mine = (table.c.game == game, table.c.tenure == tenure)
        with self.engine.begin() as connection:
            connection.execute(delete(table).where(*mine, table.c.about == about))
            if not text:
                return True
            if connection.execute(select(func.count()).where(*mine)).scalar_one() >= most:
                return False
            connection.execute(table.insert().values(game=game, tenure=tenure, about=about, text=text))
        return True


def forget_notes(connection: Connection, person: str) -> None:
    """Remove the notes of all tenures of a person."""
    notes, tenures = schema.notes, schema.tenures
    for held in connection.execute(select(tenures.c.game, tenures.c.number).where(tenures.c.person == person)).all():
        connection.execute(delete(notes).where(notes.c.game == held.game, notes.c.tenure == held.number))

"""The store of presets for new games, which people save in their accounts."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import Connection, Engine, delete, func, select, update

from plenipo.server.store import schema

__all__ = ["HostPreset", "HostPresets", "move_presets"]

PresetFields = Mapping[str, str | Sequence[str]]
"""The fields of the form for a new game: a text, or the checked values of several boxes."""


@dataclass(frozen=True)
class HostPreset:
    """A preset that a person saved: its name, and the fields that it sets; all others keep their defaults."""

    name: str
    fields: PresetFields


class HostPresets:
    """The presets in one database; safe to use from several threads."""

    def __init__(self, engine: Engine) -> None:
        self.engine = engine

    def of(self, person: str) -> tuple[HostPreset, ...]:
        """Return the presets of a person, the oldest first."""
        table = schema.host_presets
        query = select(table).where(table.c.person == person).order_by(table.c.created, table.c.name)
        with self.engine.connect() as connection:
            return tuple(HostPreset(row.name, row.fields) for row in connection.execute(query))

    def keep(self, person: str, preset: HostPreset, now: datetime, most: int) -> bool:
        """Store a preset in place of one with the same name; return False, and do nothing, at `most` other ones."""
        table = schema.host_presets
        mine = (table.c.person == person, table.c.name == preset.name)
        with self.engine.begin() as connection:
            changed = connection.execute(update(table).where(*mine).values(fields=preset.fields))
            if changed.rowcount:
                return True
            others = select(func.count()).where(table.c.person == person)
            if connection.execute(others).scalar_one() >= most:
                return False
            row = {"person": person, "name": preset.name, "fields": preset.fields, "created": now}
            connection.execute(table.insert().values(**row))
        return True

    def remove(self, person: str, name: str) -> None:
        """Remove a preset of a person."""
        table = schema.host_presets
        with self.engine.begin() as connection:
            connection.execute(delete(table).where(table.c.person == person, table.c.name == name))


def move_presets(connection: Connection, guest: str, person: str) -> None:
    """Move the presets of a guest to a person, but for those whose names the person has used."""
    table = schema.host_presets
    taken = select(table.c.name).where(table.c.person == person).scalar_subquery()
    connection.execute(update(table).where(table.c.person == guest, table.c.name.not_in(taken)).values(person=person))

"""The store of the versions of added variants that games are played by."""

import zlib
from contextlib import suppress
from datetime import datetime, timedelta

from sqlalchemy import Engine, delete, select, update
from sqlalchemy.exc import IntegrityError

from plenipo.server.store import schema

__all__ = ["VERSIONS_KEPT", "VersionStore"]

VERSIONS_KEPT = 8
"""The number of versions of a variant that stay, however long ago they were played."""

PLAYED_KEPT = timedelta(days=365)
"""The time for which every other version stays after a game was last played by it."""


class VersionStore:
    """The versions in one database; safe to use from several threads."""

    def __init__(self, engine: Engine) -> None:
        self.engine = engine

    def find(self, variant: str) -> tuple[tuple[str, str], ...]:
        """Return the checksums and texts of the versions of a variant, the newest first."""
        table = schema.variant_versions
        query = select(table).where(table.c.variant == variant).order_by(table.c.made.desc(), table.c.digest)
        with self.engine.connect() as connection:
            return tuple((row.digest, zlib.decompress(row.files).decode()) for row in connection.execute(query))

    def keep(self, variant: str, digest: str, text: str, now: datetime) -> None:
        """Keep a version as the newest of its variant, and remove old ones that nobody has played for a year."""
        table, files = schema.variant_versions, zlib.compress(text.encode())
        with suppress(IntegrityError), self.engine.begin() as connection:  # another process kept the same
            connection.execute(delete(table).where(table.c.variant == variant, table.c.digest == digest))
            row = {"variant": variant, "digest": digest, "made": now, "played": now, "files": files}
            connection.execute(table.insert().values(row))
            of_variant = select(table.c.digest).where(table.c.variant == variant)
            last = of_variant.order_by(table.c.played.desc(), table.c.made.desc()).limit(VERSIONS_KEPT)
            staying = connection.execute(last).scalars().all()
            old = (table.c.variant == variant) & (table.c.played < now - PLAYED_KEPT) & table.c.digest.not_in(staying)
            connection.execute(delete(table).where(old))

    def note_played(self, variant: str, digest: str, now: datetime) -> None:
        """Note that a game is played by a version."""
        table = schema.variant_versions
        with self.engine.begin() as connection:
            this = (table.c.variant == variant) & (table.c.digest == digest)
            connection.execute(update(table).where(this).values(played=now))

"""Migration of a database to this program's version, with Alembic."""

from functools import cache
from pathlib import Path

from alembic import command
from alembic.config import Config
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory
from alembic.util.exc import CommandError
from sqlalchemy import Connection, Engine, text
from sqlalchemy.exc import DatabaseError

from plenipo.server.store.schema import metadata

__all__ = ["OtherVersionError", "is_current", "migrate"]

LOCK = 0x706C656E
"""The number of the lock that two servers starting at once on PostgreSQL contend for."""


OLDEST = "0034"
"""The version of the oldest tables that this program reads."""


class OtherVersionError(Exception):
    """The database has tables of a version unknown to this program; the message ends a sentence about the database."""


def _configuration() -> Config:
    """Return Alembic's configuration with the folder of the migrations."""
    config = Config()
    config.set_main_option("script_location", str(Path(__file__).with_name("migrations")).replace("%", "%%"))
    return config


def migrate(engine: Engine) -> None:
    """Make the tables of an empty database, or migrate them to the newest version.

    Raise `OtherVersionError` for tables of an unknown version, and `DatabaseError` if the migration fails.
    """
    with engine.connect() as plain:
        connection = plain.execution_options(immediate=True)
        _lock(connection)
        context = MigrationContext.configure(connection)
        current = context.get_current_heads()
        if not current:
            metadata.create_all(connection, checkfirst=False)
            context.stamp(ScriptDirectory.from_config(_configuration()), "head")
        elif not set(current) <= _list_known_versions():
            raise OtherVersionError(_explain_version(current))
        elif current != _newest():
            config = _configuration()
            config.attributes["connection"] = connection
            try:
                command.upgrade(config, "head")
            except CommandError as fault:
                raise DatabaseError("migration", None, fault) from fault
        connection.commit()


def _explain_version(current: tuple[str, ...]) -> str:
    """Return the end of a sentence about a database whose tables have an unknown version."""
    version = ", ".join(current)
    if max(current) < OLDEST:
        return (
            f"belongs to a development version of Plenipo that is no longer read: its tables have version {version}, "
            f"and this program reads them from {OLDEST}; name a new database."
        )
    return (
        f"belongs to a newer version of Plenipo: its tables have version {version}, and this "
        f"program knows them up to {', '.join(_newest())}. Start the newer version, or restore a backup."
    )


@cache
def _newest() -> tuple[str, ...]:
    """Return the version of a current database; the migrations are read once in a process."""
    return tuple(ScriptDirectory.from_config(_configuration()).get_heads())


@cache
def _list_known_versions() -> frozenset[str]:
    """Return every version of the tables that this program knows."""
    return frozenset(one.revision for one in ScriptDirectory.from_config(_configuration()).walk_revisions())


def is_current(connection: Connection) -> bool:
    """Return whether a database has the newest version."""
    return MigrationContext.configure(connection).get_current_heads() == _newest()


def _lock(connection: Connection) -> None:
    """Let one server at a time migrate; the lock goes with the transaction."""
    if connection.dialect.name == "postgresql":
        connection.execute(text("SELECT pg_advisory_xact_lock(:number)"), {"number": LOCK})
    else:
        connection.exec_driver_sql("PRAGMA user_version")  # opens the transaction the migrations run in

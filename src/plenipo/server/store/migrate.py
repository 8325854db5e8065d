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

__all__ = ["NewerDatabaseError", "configuration", "is_current", "migrate"]

LOCK = 0x706C656E
"""The number of the lock that two servers starting at once on PostgreSQL contend for."""


class NewerDatabaseError(Exception):
    """The database was used by a newer version of this program; the message ends a sentence about the database."""


def configuration() -> Config:
    """Return Alembic's configuration with the folder of the migrations."""
    config = Config()
    config.set_main_option("script_location", str(Path(__file__).with_name("migrations")).replace("%", "%%"))
    return config


def migrate(engine: Engine) -> None:
    """Migrate the database to the newest version; raise `DatabaseError` if that fails."""
    with engine.connect() as plain:
        connection = plain.execution_options(immediate=True)
        _lock(connection)
        current = MigrationContext.configure(connection).get_current_heads()
        if not set(current) <= _list_known_versions():
            raise NewerDatabaseError(
                f"belongs to a newer version of Plenipo: its tables have version {', '.join(current)}, and this "
                f"program knows them up to {', '.join(_newest())}. Start the newer version, or restore a backup."
            )
        if current != _newest():
            config = configuration()
            config.attributes["connection"] = connection
            try:
                command.upgrade(config, "head")
            except CommandError as fault:
                raise DatabaseError("migration", None, fault) from fault
        connection.commit()


@cache
def _newest() -> tuple[str, ...]:
    """Return the version of a current database; the migrations are read once in a process."""
    return tuple(ScriptDirectory.from_config(configuration()).get_heads())


@cache
def _list_known_versions() -> frozenset[str]:
    """Return every version of the tables that this program knows."""
    return frozenset(one.revision for one in ScriptDirectory.from_config(configuration()).walk_revisions())


def is_current(connection: Connection) -> bool:
    """Return whether a database has the newest version."""
    return MigrationContext.configure(connection).get_current_heads() == _newest()


def _lock(connection: Connection) -> None:
    """Let one server at a time migrate; the lock goes with the transaction."""
    if connection.dialect.name == "postgresql":
        connection.execute(text("SELECT pg_advisory_xact_lock(:number)"), {"number": LOCK})
    else:
        connection.exec_driver_sql("PRAGMA user_version")  # opens the transaction the migrations run in

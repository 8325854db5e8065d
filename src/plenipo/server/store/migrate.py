"""Bringing a database to the form this version of the program knows, with Alembic."""

from functools import cache
from pathlib import Path

from alembic import command
from alembic.config import Config
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory
from alembic.util.exc import CommandError
from sqlalchemy import Connection, Engine, text
from sqlalchemy.exc import DatabaseError

__all__ = ["configuration", "migrate"]

LOCK = 0x706C656E
"""The number of the lock that two servers starting at once on PostgreSQL contend for."""


def configuration() -> Config:
    """Where the migrations are."""
    config = Config()
    config.set_main_option("script_location", str(Path(__file__).with_name("migrations")).replace("%", "%%"))
    return config


def migrate(engine: Engine) -> None:
    """Bring the database to the newest form; raises `DatabaseError` if it cannot be done."""
    with engine.connect() as plain:
        connection = plain.execution_options(immediate=True)
        _lock(connection)
        if MigrationContext.configure(connection).get_current_heads() != _newest():
            config = configuration()
            config.attributes["connection"] = connection
            try:
                command.upgrade(config, "head")
            except CommandError as fault:
                raise DatabaseError("migration", None, fault) from fault
        connection.commit()


@cache
def _newest() -> tuple[str, ...]:
    """What a database of the newest form says of itself; the migrations are read once in a process."""
    return tuple(ScriptDirectory.from_config(configuration()).get_heads())


def _lock(connection: Connection) -> None:
    """Let one server at a time migrate; the lock goes with the transaction."""
    if connection.dialect.name == "postgresql":
        connection.execute(text("SELECT pg_advisory_xact_lock(:number)"), {"number": LOCK})
    else:
        connection.exec_driver_sql("PRAGMA user_version")  # opens the transaction the migrations run in

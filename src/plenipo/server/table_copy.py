"""Copy every table of the store from one database to another, PostgreSQL to SQLite or the other way."""

from collections.abc import Iterator

from sqlalchemy import Connection, Engine, Table, func, insert, select, text

from plenipo.server.store import schema

__all__ = ["clear_tables", "copy_tables", "is_empty", "snapshot_of"]

ROWS = 500
"""The number of rows that are read and written together, so that memory does not grow with a table."""


def snapshot_of(engine: Engine) -> Connection:
    """Return a connection that only reads, and sees every table as it was at one instant; close it afterwards."""
    if engine.dialect.name != "postgresql":
        return engine.connect()
    return engine.connect().execution_options(isolation_level="REPEATABLE READ", postgresql_readonly=True)


def copy_tables(source: Connection, target: Connection) -> int:
    """Copy all rows of all tables within the transactions of the connections; return how many there were.

    A table comes after those that it refers to. The target has the tables already; what they held is replaced.
    """
    copied = 0
    clear_tables(target)
    for table in schema.metadata.sorted_tables:
        for rows in _batches(source, table):
            target.execute(insert(table), rows)
            copied += len(rows)
        _continue_numbers(target, table)
    return copied


def clear_tables(target: Connection) -> None:
    """Remove all rows of all tables."""
    for table in reversed(schema.metadata.sorted_tables):
        target.execute(table.delete())


def is_empty(connection: Connection) -> bool:
    """Return whether a database has no rows but the server's own keys, heartbeats and counters."""
    return not any(
        connection.execute(select(func.count()).select_from(table)).scalar_one()
        for table in schema.metadata.sorted_tables
        if table not in {schema.own_keys, schema.heartbeats, schema.counters}
    )


def _batches(source: Connection, table: Table) -> Iterator[list[dict[str, object]]]:
    found = source.execution_options(stream_results=True, yield_per=ROWS).execute(select(table))
    for rows in found.mappings().partitions(ROWS):
        yield [dict(row) for row in rows]


def _continue_numbers(target: Connection, table: Table) -> None:
    """Let PostgreSQL number new rows after those that were copied."""
    column = table.autoincrement_column
    if column is None or target.dialect.name != "postgresql":
        return
    named = {"table": table.name, "column": column.name}
    sequence = target.execute(text("SELECT pg_get_serial_sequence(:table, :column)"), named).scalar_one()
    if sequence is not None:
        most = target.execute(select(func.max(column))).scalar_one()
        step = text("SELECT setval(CAST(:sequence AS regclass), :number, :used)")
        target.execute(step, {"sequence": sequence, "number": most or 1, "used": most is not None})

"""The history of the tables, one migration a file; Alembic runs those that a database lacks."""

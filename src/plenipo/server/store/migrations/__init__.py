"""The history of the tables, a step a file; Alembic runs what a database has not seen yet."""

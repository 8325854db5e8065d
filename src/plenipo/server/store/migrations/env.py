"""The entry point of Alembic, which runs the migrations on the given connection."""

from alembic import context

from plenipo.server.store.schema import metadata

context.configure(
    connection=context.config.attributes["connection"],
    target_metadata=metadata,
    render_as_batch=True,
)
with context.begin_transaction():
    context.run_migrations()

"""Add the tables of tournaments."""

from alembic import op

from plenipo.server.store import schema

revision = "0035"
down_revision = "0034"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the tables with their indices."""
    tables = (schema.tournaments, schema.tournament_players, schema.tournament_boards, schema.tournament_seats)
    schema.metadata.create_all(op.get_bind(), tables=tables)

"""Add the private notes of players and hosts."""

import sqlalchemy as sa
from alembic import op

revision = "0038"
down_revision = "0037"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Create the table."""
    op.create_table(
        "notes",
        sa.Column("game", sa.String(40), nullable=False),
        sa.Column("tenure", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("about", sa.String(600), nullable=False),
        sa.Column("text", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(["game"], ["games.id"], name="fk_notes_game_games", ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("game", "tenure", "about", name="pk_notes"),
    )

"""Games have deadlines and players by name, and the server knows when it last looked for games that are due."""

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the columns and the table."""
    op.add_column("games", sa.Column("timing", sa.Text, nullable=True))
    op.add_column("games", sa.Column("wake", sa.DateTime(timezone=True), nullable=True))
    op.create_index("ix_games_wake", "games", ["wake"])
    op.create_table(
        "players",
        sa.Column("game", sa.String(40), nullable=False),
        sa.Column("number", sa.Integer, autoincrement=False, nullable=False),
        sa.Column("name", sa.String(200), nullable=False),
        sa.Column("power", sa.String(200), nullable=False),
        sa.PrimaryKeyConstraint("game", "number", name="pk_players"),
        sa.ForeignKeyConstraint(["game"], ["games.id"], name="fk_players_game", ondelete="CASCADE"),
    )
    op.create_table(
        "heartbeats",
        sa.Column("name", sa.String(40), nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("name", name="pk_heartbeats"),
    )


def downgrade() -> None:
    """Drop them."""
    op.drop_table("heartbeats")
    op.drop_table("players")
    op.drop_index("ix_games_wake", "games")
    for column in ("wake", "timing"):
        op.drop_column("games", column)

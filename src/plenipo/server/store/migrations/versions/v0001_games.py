"""Games, seats, keys, turns and order sets."""

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Make the tables."""
    op.create_table(
        "games",
        sa.Column("id", sa.String(40), nullable=False),
        sa.Column("revision", sa.Integer, nullable=False),
        sa.Column("stage", sa.Integer, nullable=False),
        sa.Column("variant", sa.String(200), nullable=False),
        sa.Column("name", sa.String(200), nullable=False),
        sa.Column("phase", sa.String(200), nullable=False),
        sa.Column("turn", sa.Integer, nullable=False),
        sa.Column("over", sa.Boolean, nullable=False),
        sa.Column("seating", sa.String(20), nullable=False),
        sa.Column("parent", sa.String(40), nullable=True),
        sa.Column("parent_turn", sa.Integer, nullable=True),
        sa.Column("created", sa.DateTime(timezone=True), nullable=False),
        sa.Column("changed", sa.DateTime(timezone=True), nullable=False),
        sa.Column("record", sa.Text, nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_games"),
    )
    op.create_index("ix_games_changed", "games", ["changed"])
    op.create_index("ix_games_parent", "games", ["parent"])
    op.create_table(
        "seats",
        sa.Column("game", sa.String(40), nullable=False),
        sa.Column("power", sa.String(200), nullable=False),
        sa.Column("computer", sa.String(200), nullable=False),
        sa.PrimaryKeyConstraint("game", "power", name="pk_seats"),
        sa.ForeignKeyConstraint(["game"], ["games.id"], name="fk_seats_game", ondelete="CASCADE"),
    )
    op.create_table(
        "keys",
        sa.Column("digest", sa.String(64), nullable=False),
        sa.Column("game", sa.String(40), nullable=False),
        sa.Column("power", sa.String(200), nullable=False),
        sa.PrimaryKeyConstraint("digest", name="pk_keys"),
        sa.ForeignKeyConstraint(["game"], ["games.id"], name="fk_keys_game", ondelete="CASCADE"),
    )
    op.create_index("ix_keys_game", "keys", ["game"])
    op.create_table(
        "turns",
        sa.Column("game", sa.String(40), nullable=False),
        sa.Column("number", sa.Integer, autoincrement=False, nullable=False),
        sa.Column("phase", sa.String(200), nullable=False),
        sa.Column("hash", sa.String(64), nullable=False),
        sa.Column("record", sa.Text, nullable=False),
        sa.PrimaryKeyConstraint("game", "number", name="pk_turns"),
        sa.ForeignKeyConstraint(["game"], ["games.id"], name="fk_turns_game", ondelete="CASCADE"),
    )
    op.create_table(
        "sheets",
        sa.Column("game", sa.String(40), nullable=False),
        sa.Column("stage", sa.Integer, autoincrement=False, nullable=False),
        sa.Column("power", sa.String(200), nullable=False),
        sa.Column("version", sa.Integer, autoincrement=False, nullable=False),
        sa.Column("ready", sa.Boolean, nullable=False),
        sa.Column("given", sa.DateTime(timezone=True), nullable=False),
        sa.Column("orders", sa.Text, nullable=False),
        sa.PrimaryKeyConstraint("game", "stage", "power", "version", name="pk_sheets"),
        sa.ForeignKeyConstraint(["game"], ["games.id"], name="fk_sheets_game", ondelete="CASCADE"),
    )

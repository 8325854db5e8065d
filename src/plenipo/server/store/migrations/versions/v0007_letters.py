"""Letters between the seats of a game, who reads each, and how far everybody has read."""

import sqlalchemy as sa
from alembic import op

revision = "0007"
down_revision = "0006"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the tables, and the count of letters."""
    op.add_column("games", sa.Column("talk", sa.Integer(), nullable=False, server_default="0"))
    op.create_table(
        "letters",
        sa.Column("game", sa.String(40), nullable=False),
        sa.Column("number", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("id", sa.String(40), nullable=False),
        sa.Column("thread", sa.Text(), nullable=False),
        sa.Column("sender", sa.Integer(), nullable=False),
        sa.Column("seat", sa.String(200), nullable=False),
        sa.Column("once", sa.String(40), nullable=False),
        sa.Column("phase_number", sa.Integer(), nullable=False),
        sa.Column("phase", sa.String(200), nullable=False),
        sa.Column("written", sa.DateTime(timezone=True), nullable=False),
        sa.Column("grey", sa.Boolean(), nullable=False),
        sa.Column("open", sa.Boolean(), nullable=False),
        sa.Column("text", sa.Text(), nullable=False),
        sa.Column("proposal", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(["game"], ["games.id"], name="fk_letters_game", ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("game", "number", name="pk_letters"),
    )
    op.create_index("ix_letters_game_sender_once", "letters", ["game", "sender", "once"], unique=True)
    op.create_table(
        "letter_readers",
        sa.Column("game", sa.String(40), nullable=False),
        sa.Column("number", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("tenure", sa.Integer(), autoincrement=False, nullable=False),
        sa.ForeignKeyConstraint(["game"], ["games.id"], name="fk_letter_readers_game", ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("game", "number", "tenure", name="pk_letter_readers"),
    )
    op.create_table(
        "marks",
        sa.Column("game", sa.String(40), nullable=False),
        sa.Column("tenure", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("thread", sa.String(64), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(["game"], ["games.id"], name="fk_marks_game", ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("game", "tenure", "thread", name="pk_marks"),
    )
    op.create_index("ix_letter_readers_game_tenure", "letter_readers", ["game", "tenure"])


def downgrade() -> None:
    """Drop them."""
    for table in ("marks", "letter_readers", "letters"):
        op.drop_table(table)
    op.drop_column("games", "talk")

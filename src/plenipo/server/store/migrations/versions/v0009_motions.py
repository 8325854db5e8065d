"""Motions that a table votes on, and the votes of the seats."""

import sqlalchemy as sa
from alembic import op

revision = "0009"
down_revision = "0008"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the tables."""
    op.create_table(
        "motions",
        sa.Column("game", sa.String(40), nullable=False),
        sa.Column("number", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("kind", sa.String(20), nullable=False),
        sa.Column("about", sa.Text(), nullable=False),
        sa.Column("by", sa.String(200), nullable=False),
        sa.Column("phase_number", sa.Integer(), nullable=False),
        sa.Column("moved", sa.DateTime(timezone=True), nullable=False),
        sa.Column("until", sa.DateTime(timezone=True), nullable=True),
        sa.Column("state", sa.String(20), nullable=False),
        sa.ForeignKeyConstraint(["game"], ["games.id"], name="fk_motions_game", ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("game", "number", name="pk_motions"),
    )
    op.create_index("ix_motions_state_until", "motions", ["state", "until"])
    op.create_table(
        "ballots",
        sa.Column("game", sa.String(40), nullable=False),
        sa.Column("number", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("seat", sa.String(200), nullable=False),
        sa.Column("tenure", sa.Integer(), nullable=False),
        sa.Column("yes", sa.Boolean(), nullable=False),
        sa.ForeignKeyConstraint(["game"], ["games.id"], name="fk_ballots_game", ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("game", "number", "seat", name="pk_ballots"),
    )


def downgrade() -> None:
    """Drop them."""
    op.drop_table("ballots")
    op.drop_table("motions")

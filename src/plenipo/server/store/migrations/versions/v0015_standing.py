"""Deadlines that people met or missed, and what their games came to."""

import sqlalchemy as sa
from alembic import op

revision = "0015"
down_revision = "0014"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the tables."""
    op.create_table(
        "attendances",
        sa.Column("game", sa.String(40), nullable=False),
        sa.Column("phase_number", sa.Integer, nullable=False, autoincrement=False),
        sa.Column("tenure", sa.Integer, nullable=False, autoincrement=False),
        sa.Column("met", sa.Boolean, nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(["game"], ["games.id"], name="fk_attendances_game", ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("game", "phase_number", "tenure", name="pk_attendances"),
    )
    op.create_table(
        "results",
        sa.Column("game", sa.String(40), nullable=False),
        sa.Column("tenure", sa.Integer, nullable=False, autoincrement=False),
        sa.Column("power", sa.String(200), nullable=False),
        sa.Column("score", sa.Float, nullable=False),
        sa.Column("came", sa.String(20), nullable=False),
        sa.Column("letters", sa.Boolean, nullable=False),
        sa.Column("ended", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(["game"], ["games.id"], name="fk_results_game", ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("game", "tenure", name="pk_results"),
    )


def downgrade() -> None:
    """Drop them."""
    op.drop_table("results")
    op.drop_table("attendances")

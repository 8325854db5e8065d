"""Questions to a game master, and corrections of orders of an open phase."""  # english: ok

import sqlalchemy as sa
from alembic import op

revision = "0020"
down_revision = "0018"
branch_labels = None
depends_on = None


def _of_game(name: str, *columns: sa.Column[object]) -> None:
    op.create_table(
        name,
        sa.Column("game", sa.String(40), nullable=False),
        sa.Column("number", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("phase_number", sa.Integer(), nullable=False),
        *columns,
        sa.ForeignKeyConstraint(["game"], ["games.id"], name=f"fk_{name}_game", ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("game", "number", name=f"pk_{name}"),
    )


def upgrade() -> None:
    """Add the tables."""
    _of_game(
        "readings",
        sa.Column("power", sa.String(200), nullable=False),
        sa.Column("order", sa.Text(), nullable=False),
        sa.Column("read", sa.Text(), nullable=False),
        sa.Column("digest", sa.String(64), nullable=False),
        sa.Column("salt", sa.String(64), nullable=False),
        sa.Column("text", sa.Text(), nullable=False),
        sa.Column("withheld", sa.Boolean(), nullable=False),
    )
    _of_game(
        "questions",
        sa.Column("phase", sa.String(200), nullable=False),
        sa.Column("power", sa.String(200), nullable=False),
        sa.Column("tenure", sa.Integer(), nullable=False),
        sa.Column("order", sa.Text(), nullable=False),
        sa.Column("text", sa.Text(), nullable=False),
        sa.Column("asked", sa.DateTime(timezone=True), nullable=False),
        sa.Column("answer", sa.Text(), nullable=False),
        sa.Column("answered", sa.DateTime(timezone=True), nullable=True),
    )


def downgrade() -> None:
    """Drop them."""
    op.drop_table("questions")
    op.drop_table("readings")

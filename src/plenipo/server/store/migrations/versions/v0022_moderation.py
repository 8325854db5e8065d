"""Muted and blocked players, reports, and the log of moderators."""

import sqlalchemy as sa
from alembic import op

revision = "0022"
down_revision = "0021"
branch_labels = None
depends_on = None


def _person(table: str, column: str, gone: str) -> sa.ForeignKeyConstraint:
    return sa.ForeignKeyConstraint([column], ["persons.id"], name=f"fk_{table}_{column}", ondelete=gone)


def upgrade() -> None:
    """Add the tables."""
    op.create_table(
        "mutes",
        sa.Column("game", sa.String(40), nullable=False),
        sa.Column("tenure", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("muted", sa.Integer(), autoincrement=False, nullable=False),
        sa.ForeignKeyConstraint(["game"], ["games.id"], name="fk_mutes_game", ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("game", "tenure", "muted", name="pk_mutes"),
    )
    op.create_table(
        "blocks",
        sa.Column("person", sa.String(40), nullable=False),
        sa.Column("blocked", sa.String(40), nullable=False),
        _person("blocks", "person", "CASCADE"),
        _person("blocks", "blocked", "CASCADE"),
        sa.PrimaryKeyConstraint("person", "blocked", name="pk_blocks"),
    )
    op.create_table(
        "reports",
        sa.Column("number", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("by", sa.String(40), nullable=True),
        sa.Column("about", sa.String(40), nullable=True),
        sa.Column("game", sa.String(40), nullable=True),
        sa.Column("letters", sa.Text(), nullable=False),
        sa.Column("sentence", sa.Text(), nullable=False),
        sa.Column("closed", sa.Boolean(), nullable=False, server_default=sa.false()),
        _person("reports", "by", "SET NULL"),
        _person("reports", "about", "SET NULL"),
        sa.ForeignKeyConstraint(["game"], ["games.id"], name="fk_reports_game", ondelete="SET NULL"),
        sa.PrimaryKeyConstraint("number", name="pk_reports"),
    )
    op.create_table(
        "moderation",
        sa.Column("number", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("kind", sa.String(40), nullable=False),
        sa.Column("text", sa.Text(), nullable=False),
        sa.Column("hash", sa.String(64), nullable=False),
        sa.PrimaryKeyConstraint("number", name="pk_moderation"),
    )
    op.create_table(
        "closed_ways",
        sa.Column("digest", sa.String(64), nullable=False),
        sa.PrimaryKeyConstraint("digest", name="pk_closed_ways"),
    )


def downgrade() -> None:
    """Drop them."""
    for table in ("closed_ways", "moderation", "reports", "blocks", "mutes"):
        op.drop_table(table)

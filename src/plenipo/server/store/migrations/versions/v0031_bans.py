"""Bans with appeals, kinds of reports with their thread, and who did what in the log of moderators."""

import sqlalchemy as sa
from alembic import op

from plenipo.server.store.schema import Instant

revision = "0031"
down_revision = "0030"
branch_labels = None
depends_on = None

PEOPLE = {"moderation": ("by", "about"), "bans": ("person", "by")}
"""The columns that name a person, who may leave."""


def _person(table: str, column: str) -> sa.ForeignKeyConstraint:
    return sa.ForeignKeyConstraint([column], ["persons.id"], name=f"fk_{table}_{column}", ondelete="SET NULL")


def upgrade() -> None:
    """Add the tables and columns."""
    op.create_table(
        "bans",
        sa.Column("number", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("at", Instant, nullable=False),
        sa.Column("until", Instant, nullable=True),
        sa.Column("kind", sa.String(20), nullable=False),
        sa.Column("person", sa.String(40), nullable=True),
        sa.Column("by", sa.String(40), nullable=True),
        sa.Column("reason", sa.Text(), nullable=False),
        sa.Column("lifted", sa.Boolean(), nullable=False, server_default=sa.false()),
        *(_person("bans", column) for column in PEOPLE["bans"]),
        sa.PrimaryKeyConstraint("number", name="pk_bans"),
    )
    op.create_table(
        "ban_marks",
        sa.Column("ban", sa.Integer(), nullable=False),
        sa.Column("digest", sa.String(64), nullable=False),
        sa.ForeignKeyConstraint(["ban"], ["bans.number"], name="fk_ban_marks_ban", ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("ban", "digest", name="pk_ban_marks"),
    )
    op.create_index("ix_ban_marks_digest", "ban_marks", ["digest"])
    op.create_table(
        "appeals",
        sa.Column("ban", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("at", Instant, nullable=False),
        sa.Column("text", sa.Text(), nullable=False),
        sa.Column("answered", sa.Boolean(), nullable=False, server_default=sa.false()),
        sa.ForeignKeyConstraint(["ban"], ["bans.number"], name="fk_appeals_ban", ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("ban", name="pk_appeals"),
    )
    op.add_column("sessions", sa.Column("network", sa.String(64), nullable=False, server_default=""))
    op.add_column("reports", sa.Column("kind", sa.String(20), nullable=False, server_default="other"))
    op.add_column("reports", sa.Column("thread", sa.Text(), nullable=False, server_default="[]"))
    with op.batch_alter_table("moderation") as table:
        table.add_column(sa.Column("report", sa.Integer(), nullable=True))
        for column in PEOPLE["moderation"]:
            table.add_column(sa.Column(column, sa.String(40), nullable=True))
            table.create_foreign_key(f"fk_moderation_{column}", "persons", [column], ["id"], ondelete="SET NULL")


def downgrade() -> None:
    """Drop them."""
    with op.batch_alter_table("moderation") as table:
        for column in PEOPLE["moderation"]:
            table.drop_constraint(f"fk_moderation_{column}", type_="foreignkey")
            table.drop_column(column)
        table.drop_column("report")
    for name, column in (("reports", "thread"), ("reports", "kind"), ("sessions", "network")):
        op.drop_column(name, column)
    for name in ("appeals", "ban_marks", "bans"):
        op.drop_table(name)

"""Browsers with push subscriptions, channels of notifications, and the hour of the digest."""

import json
from collections.abc import Callable
from typing import Any

import sqlalchemy as sa
from alembic import op

revision = "0018"
down_revision = "0017"
branch_labels = None
depends_on = None

AT_FIRST = ["mail", "push"]


def upgrade() -> None:
    """Add the tables and the hour; kinds without mail have no channel."""
    op.create_table(
        "subscriptions",
        sa.Column("id", sa.String(40), nullable=False),
        sa.Column("session", sa.String(64), nullable=False),
        sa.Column("endpoint", sa.Text(), nullable=False),
        sa.Column("key", sa.String(200), nullable=False),
        sa.Column("secret", sa.String(200), nullable=False),
        sa.ForeignKeyConstraint(["session"], ["sessions.digest"], name="fk_subscriptions_session", ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("id", name="pk_subscriptions"),
    )
    op.create_index("ix_subscriptions_session", "subscriptions", ["session"])
    op.create_table(
        "own_keys",
        sa.Column("name", sa.String(40), nullable=False),
        sa.Column("value", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("name", name="pk_own_keys"),
    )
    op.add_column("mail_wishes", sa.Column("hour", sa.Integer(), nullable=False, server_default="8"))
    _rewrite(lambda on: AT_FIRST if on else [])


def downgrade() -> None:
    """Drop them."""
    _rewrite(bool)
    op.drop_column("mail_wishes", "hour")
    op.drop_table("own_keys")
    op.drop_table("subscriptions")


def _rewrite(how: Callable[[Any], Any]) -> None:
    """Write what everybody wants anew, kind by kind."""
    table = sa.table("mail_wishes", sa.column("person", sa.String), sa.column("kinds", sa.Text))
    connection = op.get_bind()
    for person, kinds in connection.execute(sa.select(table.c.person, table.c.kinds)).all():
        new = json.dumps({kind: how(value) for kind, value in json.loads(kinds).items()})
        connection.execute(sa.update(table).where(table.c.person == person).values(kinds=new))

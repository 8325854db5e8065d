"""Notification preferences; more kinds of posts than mail; the webhook of a game."""

import sqlalchemy as sa
from alembic import op

revision = "0011"
down_revision = "0010"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the columns and the tables."""
    for column in (
        sa.Column("kind", sa.String(40), nullable=False, server_default="mail"),
        sa.Column("person", sa.String(40), nullable=True),
        sa.Column("game", sa.String(40), nullable=True),
        sa.Column("headers", sa.Text(), nullable=False, server_default="{}"),
    ):
        op.add_column("posts", column)
    op.create_index("ix_posts_person_game_kind", "posts", ["person", "game", "kind"])
    op.create_table(
        "mail_wishes",
        sa.Column("person", sa.String(40), nullable=False),
        sa.Column("token", sa.String(64), nullable=False),
        sa.Column("calendar", sa.String(64), nullable=False),
        sa.Column("kinds", sa.Text(), nullable=False),
        sa.Column("quiet_from", sa.Integer(), nullable=True),
        sa.Column("quiet_until", sa.Integer(), nullable=True),
        sa.Column("zone", sa.String(64), nullable=False),
        sa.ForeignKeyConstraint(["person"], ["persons.id"], name="fk_mail_wishes_person", ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("person", name="pk_mail_wishes"),
    )
    op.create_index("ix_mail_wishes_token", "mail_wishes", ["token"], unique=True)
    op.create_index("ix_mail_wishes_calendar", "mail_wishes", ["calendar"], unique=True)
    op.create_table(
        "hooks",
        sa.Column("game", sa.String(40), nullable=False),
        sa.Column("url", sa.String(320), nullable=False),
        sa.ForeignKeyConstraint(["game"], ["games.id"], name="fk_hooks_game", ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("game", name="pk_hooks"),
    )


def downgrade() -> None:
    """Drop them."""
    op.drop_table("hooks")
    op.drop_table("mail_wishes")
    op.drop_index("ix_posts_person_game_kind", "posts")
    for column in ("headers", "game", "person", "kind"):
        op.drop_column("posts", column)

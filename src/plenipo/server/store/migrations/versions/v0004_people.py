"""Games know who holds their seats and for how long, people have sessions, and mail waits to be sent."""

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"
branch_labels = None
depends_on = None

INSTANT = sa.DateTime(timezone=True)
NEW_TABLES = ("notices", "posts", "codes", "sessions", "ways", "journal", "tenures", "persons")


def _game() -> tuple[sa.Column[str], sa.ForeignKeyConstraint]:
    """Return the column of a table that belongs to a game."""
    return sa.Column("game", sa.String(40), nullable=False), sa.ForeignKeyConstraint(
        ["game"], ["games.id"], ondelete="CASCADE"
    )


def _person(ondelete: str) -> tuple[sa.Column[str], sa.ForeignKeyConstraint]:
    """Return the column of a table that belongs to a person."""
    return sa.Column("person", sa.String(40), nullable=ondelete != "CASCADE"), sa.ForeignKeyConstraint(
        ["person"], ["persons.id"], ondelete=ondelete
    )


def upgrade() -> None:
    """Add the tables; players with a name keep their seats."""
    op.create_table(
        "persons",
        sa.Column("id", sa.String(40), nullable=False),
        sa.Column("name", sa.String(200), nullable=False),
        sa.Column("created", INSTANT, nullable=False),
        sa.PrimaryKeyConstraint("id"),
    )
    op.create_table(
        "tenures",
        *_game(),
        sa.Column("number", sa.Integer, autoincrement=False, nullable=False),
        sa.Column("name", sa.String(200), nullable=False),
        sa.Column("kind", sa.String(20), nullable=False),
        sa.Column("power", sa.String(200), nullable=False),
        sa.Column("wishes", sa.Text, nullable=False),
        *_person("SET NULL"),
        sa.Column("since", sa.Integer, nullable=False),
        sa.Column("until", sa.Integer, nullable=True),
        sa.PrimaryKeyConstraint("game", "number"),
    )
    op.create_index("ix_tenures_person", "tenures", ["person"])
    op.execute(
        "INSERT INTO tenures (game, number, name, kind, power, wishes, since) "
        "SELECT game, number, name, 'player', power, '[]', 1 FROM players"
    )
    op.drop_table("players")
    op.create_table(
        "journal",
        *_game(),
        sa.Column("number", sa.Integer, autoincrement=False, nullable=False),
        sa.Column("at", INSTANT, nullable=False),
        sa.Column("phase_number", sa.Integer, nullable=False),
        sa.Column("kind", sa.String(40), nullable=False),
        sa.Column("text", sa.Text, nullable=False),
        sa.Column("hash", sa.String(64), nullable=False),
        sa.PrimaryKeyConstraint("game", "number"),
    )
    op.create_table(
        "ways",
        sa.Column("kind", sa.String(20), nullable=False),
        sa.Column("identifier", sa.String(320), nullable=False),
        *_person("CASCADE"),
        sa.Column("created", INSTANT, nullable=False),
        sa.PrimaryKeyConstraint("kind", "identifier"),
    )
    op.create_index("ix_ways_person", "ways", ["person"])
    op.create_table(
        "sessions",
        sa.Column("digest", sa.String(64), nullable=False),
        *_person("CASCADE"),
        sa.Column("device", sa.String(200), nullable=False),
        sa.Column("created", INSTANT, nullable=False),
        sa.Column("used", INSTANT, nullable=False),
        sa.PrimaryKeyConstraint("digest"),
    )
    op.create_index("ix_sessions_person", "sessions", ["person"])
    op.create_table(
        "codes",
        sa.Column("asked", sa.String(64), nullable=False),
        sa.Column("link", sa.String(64), nullable=False),
        sa.Column("code", sa.String(64), nullable=False),
        sa.Column("mail", sa.String(320), nullable=False),
        sa.Column("tries", sa.Integer, nullable=False),
        sa.Column("expires", INSTANT, nullable=False),
        sa.PrimaryKeyConstraint("asked"),
    )
    op.create_table(
        "posts",
        sa.Column("id", sa.String(40), nullable=False),
        sa.Column("to", sa.String(320), nullable=False),
        sa.Column("subject", sa.String(200), nullable=False),
        sa.Column("body", sa.Text, nullable=False),
        sa.Column("tries", sa.Integer, nullable=False),
        sa.Column("not_before", INSTANT, nullable=True),
        sa.Column("sent", INSTANT, nullable=True),
        sa.PrimaryKeyConstraint("id"),
    )
    op.create_index("ix_posts_not_before", "posts", ["not_before"])
    op.create_table(
        "notices",
        *_person("CASCADE"),
        *_game(),
        sa.Column("phase_number", sa.Integer, autoincrement=False, nullable=False),
        sa.Column("kind", sa.String(40), nullable=False),
        sa.PrimaryKeyConstraint("person", "game", "phase_number", "kind"),
    )
    op.add_column("games", sa.Column("settings", sa.Text, nullable=True))
    op.add_column("games", sa.Column("state", sa.String(20), nullable=False, server_default="running"))
    op.add_column("games", sa.Column("due", INSTANT, nullable=True))
    op.add_column("games", sa.Column("waits", sa.Text, nullable=False, server_default="[]"))


def downgrade() -> None:
    """Drop them; players keep their seats."""
    op.create_table(
        "players",
        *_game(),
        sa.Column("number", sa.Integer, autoincrement=False, nullable=False),
        sa.Column("name", sa.String(200), nullable=False),
        sa.Column("power", sa.String(200), nullable=False),
        sa.PrimaryKeyConstraint("game", "number", name="pk_players"),
    )
    op.execute(
        "INSERT INTO players (game, number, name, power) "
        "SELECT game, number, name, power FROM tenures WHERE until IS NULL AND kind <> 'keeper'"
    )
    for table in NEW_TABLES:
        op.drop_table(table)
    for column in ("waits", "due", "state", "settings"):
        op.drop_column("games", column)

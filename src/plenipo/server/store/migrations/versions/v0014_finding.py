"""Open seats for strangers, and searches with notifications."""

import sqlalchemy as sa
from alembic import op

revision = "0014"
down_revision = "0011"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the column and the table."""
    op.add_column("games", sa.Column("listed", sa.String(10), nullable=False, server_default="link"))
    op.create_index("ix_games_listed_state", "games", ["listed", "state"])
    op.create_table(
        "seekers",
        sa.Column("person", sa.String(40), nullable=False),
        sa.Column("wanted", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(["person"], ["persons.id"], name="fk_seekers_person", ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("person", name="pk_seekers"),
    )


def downgrade() -> None:
    """Drop them."""
    op.drop_table("seekers")
    op.drop_index("ix_games_listed_state", "games")
    op.drop_column("games", "listed")

"""Games that are played again by the same people; browsers that are told by push; keys of the server's own."""

import sqlalchemy as sa
from alembic import op

revision = "0017"
down_revision = "0011"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the tables."""
    op.create_table(
        "sequels",
        sa.Column("game", sa.String(40), nullable=False),
        sa.Column("next", sa.String(40), nullable=False),
        sa.ForeignKeyConstraint(["game"], ["games.id"], name="fk_sequels_game", ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("game", name="pk_sequels"),
    )
    op.create_table(
        "pushes",
        sa.Column("id", sa.String(40), nullable=False),
        sa.Column("person", sa.String(40), nullable=False),
        sa.Column("endpoint", sa.Text(), nullable=False),
        sa.Column("p256dh", sa.String(120), nullable=False),
        sa.Column("auth", sa.String(40), nullable=False),
        sa.Column("device", sa.String(100), nullable=False),
        sa.ForeignKeyConstraint(["person"], ["persons.id"], name="fk_pushes_person", ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("id", name="pk_pushes"),
    )
    op.create_index("ix_pushes_person", "pushes", ["person"])
    op.create_table(
        "own_keys",
        sa.Column("name", sa.String(40), nullable=False),
        sa.Column("value", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("name", name="pk_own_keys"),
    )


def downgrade() -> None:
    """Drop them."""
    op.drop_table("own_keys")
    op.drop_index("ix_pushes_person", "pushes")
    op.drop_table("pushes")
    op.drop_table("sequels")

"""Games that are played again by the same people; secrets of webhooks; when turns were processed."""

import sqlalchemy as sa
from alembic import op

revision = "0017"
down_revision = "0015"
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
    op.add_column("hooks", sa.Column("secret", sa.String(64), nullable=False, server_default=""))
    op.add_column("turns", sa.Column("at", sa.DateTime(timezone=True), nullable=True))


def downgrade() -> None:
    """Drop them."""
    op.drop_column("turns", "at")
    op.drop_column("hooks", "secret")
    op.drop_table("sequels")

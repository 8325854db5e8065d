"""Ways to sign in have names, keys and counters; what was asked of browsers that are about to sign in."""

import sqlalchemy as sa
from alembic import op

revision = "0023"
down_revision = "0022"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the columns and the table."""
    op.add_column("ways", sa.Column("name", sa.String(80), nullable=False, server_default=""))
    op.add_column("ways", sa.Column("key", sa.Text(), nullable=False, server_default=""))
    op.add_column("ways", sa.Column("counter", sa.BigInteger(), nullable=False, server_default="0"))
    op.add_column("ways", sa.Column("used", sa.DateTime(timezone=True), nullable=True))
    op.create_table(
        "challenges",
        sa.Column("digest", sa.String(64), nullable=False),
        sa.Column("kind", sa.String(20), nullable=False),
        sa.Column("person", sa.String(40), nullable=True),
        sa.Column("content", sa.Text(), nullable=False),
        sa.Column("expires", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(["person"], ["persons.id"], name="fk_challenges_person", ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("digest", name="pk_challenges"),
    )


def downgrade() -> None:
    """Drop them; who signs in in such a way alone is left without one."""
    op.drop_table("challenges")
    op.execute("DELETE FROM ways WHERE kind IN ('passkey', 'provider')")
    for name in ("name", "key", "counter", "used"):
        op.drop_column("ways", name)

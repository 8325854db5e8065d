"""Guests whose seats went to a person who signed in, for as long as that can be undone."""

import sqlalchemy as sa
from alembic import op

from plenipo.server.store.schema import Instant

revision = "0028"
down_revision = "0027"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the table."""
    op.create_table(
        "merges",
        sa.Column("digest", sa.String(64), nullable=False),
        sa.Column("guest", sa.String(40), nullable=False),
        sa.Column("name", sa.String(200), nullable=False),
        sa.Column("created", Instant, nullable=False),
        sa.Column("person", sa.String(40), nullable=False),
        sa.Column("tenures", sa.Text(), nullable=False),
        sa.Column("until", Instant, nullable=False),
        sa.PrimaryKeyConstraint("digest", name="pk_merges"),
        sa.ForeignKeyConstraint(["person"], ["persons.id"], name="fk_merges_person", ondelete="CASCADE"),
    )


def downgrade() -> None:
    """Drop it."""
    op.drop_table("merges")

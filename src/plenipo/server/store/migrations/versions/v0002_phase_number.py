"""The number of the open phase has its own name, and an order set has an instant of creation."""

from alembic import op

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None

_RENAMED = (("games", "stage", "phase_number"), ("sheets", "stage", "phase_number"), ("sheets", "given", "created"))


def upgrade() -> None:
    """Rename the columns, in place: both databases do so, and a table made anew would lose its rows' dependants."""
    for table, before, after in _RENAMED:
        op.execute(f"ALTER TABLE {table} RENAME COLUMN {before} TO {after}")


def downgrade() -> None:
    """Give the columns their former names."""
    for table, before, after in _RENAMED:
        op.execute(f"ALTER TABLE {table} RENAME COLUMN {after} TO {before}")

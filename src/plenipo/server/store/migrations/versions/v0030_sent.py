"""Mail that was sent or given up: neither its address nor its subject is kept."""

from alembic import op

revision = "0030"
down_revision = "0029"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Empty what is kept of it."""
    op.execute(
        "UPDATE posts SET \"to\" = '', subject = '', body = '', headers = '{}' "
        "WHERE sent IS NOT NULL OR not_before IS NULL"
    )


def downgrade() -> None:
    """Leave it empty: it is gone."""

"""Add a table for the versions of added variants, which expired after 90 days among the boards."""

import hashlib
import json
import zlib
from datetime import timedelta

import sqlalchemy as sa
from alembic import op

revision = "0042"
down_revision = "0041"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Create the table, and move the versions to it."""
    table = op.create_table(
        "variant_versions",
        sa.Column("variant", sa.String(200), nullable=False),
        sa.Column("digest", sa.String(64), nullable=False),
        sa.Column("made", sa.DateTime(timezone=True), nullable=False),
        sa.Column("played", sa.DateTime(timezone=True), nullable=False),
        sa.Column("files", sa.LargeBinary(), nullable=False),
        sa.PrimaryKeyConstraint("variant", "digest", name="pk_variant_versions"),
    )
    bind, instant = op.get_bind(), sa.DateTime(timezone=True)
    boards = sa.table("boards", sa.column("name"), sa.column("created", instant), sa.column("content", sa.LargeBinary))
    games = sa.table("games", sa.column("variant", sa.String))
    for variant in bind.execute(sa.select(games.c.variant).distinct()).scalars().all():
        here = boards.c.name == hashlib.sha256(f"the files of {variant}".encode()).hexdigest()
        kept = bind.execute(sa.select(boards.c.content, boards.c.created).where(here)).first()
        if kept is None:
            continue
        for number, files in enumerate(json.loads(zlib.decompress(kept.content))):
            text = json.dumps(files, ensure_ascii=False, sort_keys=True).encode()
            row = {
                "variant": variant,
                "digest": hashlib.sha256(text).hexdigest(),
                "made": kept.created - timedelta(seconds=number),
                "played": kept.created,
                "files": zlib.compress(text),
            }
            bind.execute(table.insert().values(row))
        bind.execute(sa.delete(boards).where(here))

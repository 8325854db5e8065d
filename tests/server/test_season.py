"""A small season: computers play by a fast clock while servers are killed and clients attack the pages.

The judge finds nothing wrong. `make season` plays 1,000 games.
"""

import os
import re
import subprocess
import sys
from datetime import UTC, datetime
from pathlib import Path

import pytest
from sqlalchemy import insert, select

import season_servers
from plenipo.server.store import Store, schema
from plenipo.server.store.cleanup import POST_LASTS, clean_up
from waiting import LIMIT

SEASON = Path(__file__).parents[2] / "scripts" / "season.py"


@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system cannot fork servers")
def test_a_small_season_under_attack_loses_nothing_and_leaves_no_game_standing_unnamed() -> None:
    command = [sys.executable, str(SEASON), "--games", "4", "--turns", "3", "--days", "2", "--deadly", "0.1"]
    command += ["--hostile", "8"]
    played = subprocess.run(command, capture_output=True, text=True, check=False, timeout=LIMIT)  # noqa: S603  # our own
    said = played.stdout + played.stderr
    assert "0 faults" in played.stdout, said
    acknowledged = re.search(r"order sets acknowledged: (\d+)", played.stdout)
    written = re.search(r"messages acknowledged: (\d+)", played.stdout)
    killed = re.search(r"(\d+) processes were killed", played.stdout)
    assert acknowledged
    assert written
    assert killed
    assert int(acknowledged[1]) > 4, "hardly anything was ordered"
    assert int(written[1]) > 4, "hardly anything was written"
    assert int(killed[1]) > 2, "hardly anything was killed"
    # the time that pages took depends on the machine, and is printed
    assert re.search(r"[1-9]\d* honest requests beside 8 hostile clients: p50 \d+ ms, p99 \d+ ms", said), said


def test_the_judge_sees_posts_that_were_removed_because_they_were_sent_long_ago(address: str) -> None:
    store = Store(address)
    season_servers.keep_removed_posts(store.engine)
    sent = datetime(2026, 10, 19, 8, tzinfo=UTC)
    post = {"id": "a", "to": "b@example.org", "subject": "Spring 1901", "body": "", "tries": 0, "not_before": None}
    with store.engine.begin() as connection:
        connection.execute(insert(schema.posts), [post | {"sent": sent}])
    assert clean_up(store.engine, sent + POST_LASTS)["posts"] == 1
    with store.engine.connect() as connection:
        assert connection.execute(select(schema.posts)).all() == []
        (kept,) = connection.execute(select(season_servers.REMOVED_POSTS)).mappings()
    assert (kept["id"], kept["subject"], kept["sent"]) == ("a", "Spring 1901", sent)
    if store.engine.dialect.name == "postgresql":  # other tests use the same database
        with store.engine.begin() as connection:
            connection.exec_driver_sql("DROP FUNCTION keep_removed_post() CASCADE")
            season_servers.REMOVED_POSTS.drop(connection)
    store.close()

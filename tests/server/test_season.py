"""A small season: computers play by a fast clock while servers are killed and clients attack the pages.

The judge finds nothing wrong. `make season` plays 1,000 games.
"""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

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

"""`plenipo selfplay`: the same games however they are shared out, a row a game, and a summary that adds up."""

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from typer.testing import CliRunner

from agree import warm
from plenipo.cli import app, selfplay
from plenipo.engine.position import Power
from plenipo.spread import spread

SEED = "11" * 32


@pytest.fixture(scope="module", autouse=True)
def compiled_kernel() -> None:
    warm()


def played(*arguments: str) -> str:
    result = CliRunner().invoke(app, ["selfplay", *arguments, "--seed", SEED])
    assert result.exit_code == 0, result.output
    return result.output


def test_the_summary_counts_games_wins_and_pieces() -> None:
    told = played("standard", "--games", "40", "--movements", "12")
    assert told.startswith("40 games of Diplomacy, ")
    assert "Seed 1111" in told
    assert all(power in told for power in ("Austria", "England", "Turkey"))


def test_json_lines_hold_a_row_a_game(tmp_path: Path) -> None:
    out = tmp_path / "games.jsonl"
    played("standard", "--games", "30", "--movements", "12", "--out", str(out))
    rows = [json.loads(line) for line in out.read_text().splitlines()]
    assert [row["game"] for row in rows] == list(range(30))
    assert all(sum(row["centres"].values()) <= 34 for row in rows)
    assert any(row["units"]["France"] != 3 for row in rows)
    assert {row["movements"] for row in rows} == {12}


def test_parquet_holds_the_same_rows(tmp_path: Path) -> None:
    parquet = pytest.importorskip("pyarrow.parquet", reason="PyArrow is not installed")
    names = [tmp_path / "games.jsonl", tmp_path / "games.parquet"]
    for name in names:
        played("standard", "--games", "20", "--movements", "8", "--out", str(name))
    lines = [json.loads(line) for line in names[0].read_text().splitlines()]
    assert parquet.read_table(names[1]).to_pylist() == lines


def test_shares_in_several_processes_are_the_same_games(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(selfplay, "SHARE", 8)
    plan = selfplay.SelfPlayPlan("standard", {}, 20, 10, {}, bytes.fromhex(SEED))
    alone = [row for first, count in selfplay.shares(20) for row in selfplay.share(plan, first, count)]
    parts = spread(selfplay.share, [(plan, first, count) for first, count in selfplay.shares(20)], workers=2)
    assert [row for part in parts for row in part] == alone


BARE = (
    "import ray; ray.init(include_dashboard=False, log_to_driver=False); print(ray.get(ray.remote(lambda: 7).remote()))"
)


@pytest.fixture
def ray(monkeypatch: pytest.MonkeyPatch) -> None:
    """Ray, where it is installed and can be started at all: a sandbox may forbid it to."""
    pytest.importorskip("ray", reason="Ray is an extra that is not installed")
    monkeypatch.setenv("RAY_USAGE_STATS_ENABLED", "0")
    with subprocess.Popen(  # noqa: S603  # our own line
        [sys.executable, "-c", BARE],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        start_new_session=True,
    ) as bare:
        try:
            told, _ = bare.communicate(timeout=90)
        except subprocess.TimeoutExpired:
            os.killpg(bare.pid, signal.SIGKILL)
            pytest.skip("Ray does not start on this machine within 90 seconds")
    if not told.endswith("7\n"):
        pytest.skip(f"Ray does not start on this machine: {told[-300:]}")


@pytest.mark.usefixtures("ray")
def test_shares_on_ray_are_the_same_games(tmp_path: Path) -> None:
    names = [tmp_path / "a.jsonl", tmp_path / "b.jsonl"]
    played("standard", "--games", "20", "--movements", "5", "--out", str(names[0]))
    played("standard", "--games", "20", "--movements", "5", "--out", str(names[1]), "--ray")
    assert names[0].read_text() == names[1].read_text()


def test_a_power_that_attacks_does_better_than_at_random() -> None:
    plan = selfplay.SelfPlayPlan("standard", {}, 200, 40, {Power("France"): "attack"}, bytes.fromhex(SEED))
    rows = selfplay.share(plan, 0, 200)
    means = {power: sum(row["centres"][power] for row in rows) / len(rows) for power in rows[0]["centres"]}
    assert max(means, key=lambda power: means[power]) == "France"


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["irish"], "walkers"),
        (["standard", "--policy", "France=win"], "random, hold, attack"),
        (["standard", "--policy", "Spain=hold"], "'Spain' is not a power"),
        (["standard", "--out", "games.txt"], ".parquet or .jsonl"),
    ],
)
def test_what_cannot_be_played_is_one_sentence(arguments: list[str], told: str) -> None:
    result = CliRunner().invoke(app, ["selfplay", *arguments, "--games", "1"])
    assert result.exit_code == 2
    assert told in result.output
    assert len(result.output.strip().splitlines()) == 1


def test_a_seed_that_is_none_is_refused() -> None:
    result = CliRunner().invoke(app, ["selfplay", "standard", "--seed", "xyz"])
    assert result.exit_code == 2
    assert "64 digits of hex" in result.output

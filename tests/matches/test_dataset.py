"""The data set: what is read is what was written, every row stands for itself, and the card says what is there."""

from pathlib import Path

import pytest
from typer.testing import CliRunner

from plenipo import jsonlines, library
from plenipo.cli import app
from plenipo.engine.history.game import Game
from plenipo.engine.position import Power
from plenipo.errors import InvalidRecord
from plenipo.matches.dataset import COLUMNS, DatasetRow, read
from plenipo.matches.run import game_of, read_games
from table import standard

pytest.importorskip("pyarrow", reason="PyArrow is not installed")


def played(tmp_path: Path) -> tuple[list[DatasetRow], list[Game]]:
    """The same three games as a data set and as lines."""
    for name in ("games.parquet", "games.jsonl"):
        arguments = ["match", "sensible", "careless", "--games", "3", "--years", "2"]
        result = CliRunner().invoke(app, [*arguments, "--games-to", str(tmp_path / name)])
        assert result.exit_code == 0, result.output
    games = [game_of(standard(), game) for _, _, game in read_games(tmp_path / "games.jsonl")]
    return list(read(tmp_path / "games.parquet")), games


def test_every_row_stands_for_a_power_in_a_phase_of_a_game(tmp_path: Path) -> None:
    rows, games = played(tmp_path)
    assert len(rows) == sum(len(turn.orders) for game in games for turn in game.turns)
    for row in rows:
        turn = games[row.game].turns[row.turn]
        assert turn.orders[Power(row.power)] == row.orders
        assert jsonlines.read(row.position, library.load).position == turn.resolution.before
        assert row.score == len(games[row.game].position.centres_of(Power(row.power)))
    for game in range(3):
        shares = {row.power: row.share for row in rows if row.game == game}
        assert sum(shares.values()) == pytest.approx(1, abs=1e-6)


def test_the_card_names_every_column_and_the_players(tmp_path: Path) -> None:
    played(tmp_path)
    card = (tmp_path / "games.md").read_text()
    assert all(f"`{name}`" in card for name in COLUMNS)
    assert "1 sensible, 6 careless" in card


def test_a_file_of_another_sort_is_refused(tmp_path: Path) -> None:
    other = tmp_path / "other.parquet"
    other.write_text("no table")
    with pytest.raises(InvalidRecord, match="is not a Parquet file"):
        next(read(other))
    result = CliRunner().invoke(app, ["match", "sensible", "--games-to", str(tmp_path / "games.txt")])
    assert result.exit_code == 2
    assert "must end in .parquet or .jsonl" in result.output

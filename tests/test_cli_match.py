"""`plenipo match`: the same command, the same games; a table, lines and a page of them."""

import json
import re
from pathlib import Path

import pytest
from typer.testing import CliRunner

from plenipo.cli import app

BASELINE = f"baseline={Path(__file__).parent / 'baseline.py'}:baseline"


def match(*arguments: str, status: int = 0) -> str:
    result = CliRunner().invoke(app, ["match", *arguments])
    assert result.exit_code == status, result.output
    return result.output


def test_the_same_command_gives_the_same_games(tmp_path: Path) -> None:
    files = [tmp_path / "a.jsonl", tmp_path / "b.jsonl"]
    for file in files:
        match("baseline", "careless", "--player", BASELINE, "--games", "3", "--years", "2", "--games-to", str(file))
    first, second = (file.read_text() for file in files)
    assert first == second
    games = [json.loads(line) for line in first.splitlines()]
    assert [game["game"] for game in games] == [0, 1, 2]
    assert len({tuple(game["seats"].items()) for game in games}) == 3


def test_the_table_and_the_page_tell_of_every_player(tmp_path: Path) -> None:
    page = tmp_path / "match.html"
    told = match("2 baseline", "careless", "--player", BASELINE, "--games", "2", "--years", "2", "--report", str(page))
    assert told.startswith("2 games of Diplomacy, 2 years each: 0 won alone, 2 cut off after 2 years.")
    assert re.search(r"2 baseline +0\.\d{3}±", told)
    assert re.search(r"5 careless +0\.\d{3}±", told)
    html = page.read_text()
    assert "careless by power" in html
    assert html.count("<svg") == 3
    assert not re.search(r"(src|href)=|https?://", html)


def test_faults_stand_on_the_error_stream_and_the_match_goes_on(tmp_path: Path) -> None:
    file = tmp_path / "mine.py"
    file.write_text("def play(view, legal, chance):\n    raise ValueError('no idea')\n")
    told = match("mine", "careless", "--player", f"mine={file}:play", "--games", "1", "--years", "1")
    assert "'mine' raised ValueError: no idea (game 0, Spring 1901 movement, " in told
    assert re.search(r"\d faults in all", told)


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["sensibel"], "did you mean sensible?"),
        (["sensible", "7 careless"], "makes 8 players, and this variant has 7 seats"),
        (["sensible", "--variant", "nowhere"], "'nowhere' is neither a variant"),
        (["sensible", "--report", "/nowhere/at/all.html"], "cannot be used"),
        (["sensible", "--player", "x"], "write --player NAME=WHAT"),
    ],
)
def test_what_cannot_be_played_is_one_sentence(arguments: list[str], told: str) -> None:
    output = match(*arguments, "--games", "1", status=2)
    assert told in output
    assert len(output.strip().splitlines()) == 1

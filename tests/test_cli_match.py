"""`plenipo match`: the same command, the same games; a table, lines and a page of them."""

import json
import re
from functools import partial
from pathlib import Path

import pytest
from typer.testing import CliRunner

from plenipo.cli import app, terminal
from plenipo.cli.saved import load
from table import standard

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


def test_a_player_that_does_not_play_has_no_score(tmp_path: Path) -> None:
    file = tmp_path / "mine.py"
    file.write_text("def play(view, legal, chance):\n    raise ValueError('no idea')\n")
    arguments = ["mine", "careless", "--player", f"mine={file}:play", "--games", "1", "--years", "1"]
    told = match(*arguments)
    assert re.search(r"1 mine( +-){4} +[\d.]+ +-", told)
    assert re.search(r"'mine' has no score: the substitute ordered for it in (\d+) of \1 phases", told)
    first, last = json.loads(CliRunner().invoke(app, ["match", *arguments, "--json"]).stdout)["players"]
    assert (first["player"], last["player"]) == ("careless", "mine")
    assert (last["share"], last["by_power"]) == (None, None)
    assert "has no score" in last["unscored"]
    assert first["unscored"] is None
    assert 0 <= first["share"]["low"] <= first["share"]["mean"] <= first["share"]["high"]


def test_the_share_of_each_player_by_power_is_printed() -> None:
    told = match("sensible", "careless", "--games", "7", "--years", "1").partition("Share by power:")[2]
    rows = [line.split() for line in told.strip().splitlines()]
    assert rows[0][0] == "power"
    assert sorted(rows[0][1:]) == ["careless", "sensible"]
    assert [row[0] for row in rows[1:8]] == sorted(standard().names)


def test_a_match_reports_its_progress(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(terminal, "progress", partial(terminal.progress, every=0.0))
    result = CliRunner().invoke(app, ["match", "careless", "--games", "3", "--years", "1", "--json"])
    assert result.exit_code == 0, result.output
    assert [line.partition(",")[0] for line in result.stderr.splitlines()] == [
        "Playing: 1 of 3 done",
        "Playing: 2 of 3 done",
    ]
    assert json.loads(result.stdout)["players"]  # and the result is clear of it


def killed(file: Path, lines: int) -> None:
    """Leave a file as it is when a match is killed while it writes a game."""
    whole = file.read_bytes().splitlines(keepends=True)
    file.write_bytes(b"".join(whole[:lines]) + whole[lines][: len(whole[lines]) // 2])


def test_a_match_that_was_killed_goes_on_and_comes_to_the_same(tmp_path: Path) -> None:
    file, other = tmp_path / "a.jsonl", tmp_path / "b.jsonl"
    arguments = ["sensible", "careless", "--games", "4", "--years", "1", "--seed", "killed", "--json"]
    told = match(*arguments, "--games-to", str(file))
    other.write_bytes(file.read_bytes())
    killed(other, 2)
    assert match(*arguments, "--games-to", str(other), "--resume") == told
    assert other.read_bytes() == file.read_bytes()
    # a complete match is left as it is, and more games may be played
    assert match(*arguments, "--games-to", str(other), "--resume") == told
    assert other.read_bytes() == file.read_bytes()
    match(*arguments[:2], "--games", "5", *arguments[4:], "--games-to", str(other), "--resume")
    assert other.read_bytes().startswith(file.read_bytes())
    assert len(other.read_bytes().splitlines()) == 5


@pytest.mark.parametrize(
    "other",
    [
        ["sensible", "careless", "--seed", "2"],
        ["careless", "sensible"],
        ["sensible", "careless", "--years", "2"],
        ["sensible", "careless", "--set", "rulebook=1971"],
        ["sensible", "careless", "--votes"],
    ],
    ids=" ".join,
)
def test_another_match_does_not_go_on_with_the_games_of_this_one(other: list[str], tmp_path: Path) -> None:
    file = tmp_path / "a.jsonl"
    match("sensible", "careless", "--games", "1", "--years", "1", "--games-to", str(file))
    before = file.read_bytes()
    years = [] if "--years" in other else ["--years", "1"]
    told = match(*other, *years, "--games", "2", "--games-to", str(file), "--resume", status=2)
    assert "this game is not the next one of this match" in told
    assert file.read_bytes() == before


def test_the_games_of_a_match_are_opened_like_saved_ones(tmp_path: Path) -> None:
    file, saved = tmp_path / "games.jsonl", tmp_path / "game.json"
    match("sensible", "careless", "--games", "2", "--years", "2", "--games-to", str(file))
    played = json.loads(file.read_text().splitlines()[1])

    def run(*arguments: str, status: int = 0) -> str:
        result = CliRunner().invoke(app, [*arguments])
        assert result.exit_code == status, result.output
        return result.output

    run("convert", str(file), str(saved), "--to", "plenipo", "--game", "1")
    assert "is in order" in run("verify", str(saved))
    game = load(saved)
    assert str(game.position.phase) == played["phase"]
    assert {power: len(game.position.centres_of(power)) for power in game.rules.names} == played["scores"]
    run("show", "--position", str(file), "--game", "1", "--svg", str(tmp_path / "one.svg"))
    run("show", "--position", str(saved), "--svg", str(tmp_path / "other.svg"))
    assert (tmp_path / "one.svg").read_bytes() == (tmp_path / "other.svg").read_bytes()
    again = ["--movements", "0", "--json"]
    assert run("review", str(file), "--game", "1", *again) == run("review", str(saved), *again)
    assert "2 games of a match, 0 to 1; say which one with --game NUMBER" in run("review", str(file), status=2)
    assert "no game 7: this file has the games 0 to 1" in run("review", str(file), "--game", "7", status=2)
    assert "one saved game, so there is no game 1" in run("review", str(saved), "--game", "1", status=2)


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["sensible", "--resume"], "--resume goes on with the games of a file of lines"),
        (["sensible", "--resume", "--games-to", "x.parquet"], "--resume goes on with the games of a file of lines"),
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

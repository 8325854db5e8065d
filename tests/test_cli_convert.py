"""`plenipo convert` and `plenipo replay-check`: many games, what is reported about them, and what differs."""

import gzip
import json
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from plenipo.cli import app

CUT_OFF = '{"phases": ['

REMOVAL = """PHASE 1901 Spring Movement
POSITIONS
Austria: army boh
Austria: fleet alb
Austria: army gal
Austria: supply vie
Austria: supply bud
ORDERS
boh hold
PHASE 1901 Fall Movement
POSITIONS
Austria: army boh
Austria: fleet alb
Austria: army gal
Austria: supply vie
Austria: supply bud
ORDERS
boh hold
PHASE 1901 Fall Adjustment
POSITIONS
Austria: army boh
Austria: fleet alb
Austria: army gal
Austria: supply vie
Austria: supply bud
ORDERS
PHASE 1902 Spring Movement
POSITIONS
Austria: fleet alb
Austria: army gal
Austria: supply vie
Austria: supply bud
ORDERS
"""
"""A game in which a unit disappears that no policy removes: two centres, three units, and the nearest army goes."""


def run(*words: object) -> Result:
    """Call the program."""
    return CliRunner().invoke(app, [str(word) for word in words])


@pytest.fixture
def played(tmp_path: Path) -> Path:
    """A saved game of one turn."""
    file = tmp_path / "game.json"
    runner = CliRunner()
    runner.invoke(app, ["play", "--save", str(file)], input="a bud - ser\n" + "done\n" * 7)
    return file


def test_several_files_become_json_lines_and_come_back_as_one_text(played: Path, tmp_path: Path) -> None:
    lines, text, again = (tmp_path / name for name in ("all.jsonl.gz", "all.txt", "again.jsonl"))
    told = run("convert", played, played, lines, "--to", "plenipo")
    assert (told.exit_code, told.stdout) == (0, "")
    assert "2 games with 2 phases were converted, 0 were refused" in told.stderr
    with gzip.open(lines, "rt", encoding="utf-8") as file:
        assert [json.loads(line)["variant"] for line in file] == ["standard", "standard"]
    assert run("convert", lines, text, "--to", "text").exit_code == 0
    assert text.read_text(encoding="utf-8").count('[Variant "standard"]') == 2
    assert run("convert", text, again, "--to", "diplomacy").exit_code == 0
    assert len(again.read_text(encoding="utf-8").splitlines()) == 2
    one = run("convert", again, "-", "--to", "text", "--game", "1")
    assert one.stdout.startswith('[Variant "standard"]')


def test_a_game_that_is_refused_is_named_and_the_others_are_converted(played: Path, tmp_path: Path) -> None:
    broken, target = tmp_path / "broken.json", tmp_path / "all.jsonl"
    broken.write_text(CUT_OFF, encoding="utf-8")
    told = run("convert", played, broken, played, target)
    assert told.exit_code == 1
    assert f"'{broken}': The file is not valid JSON, or it was cut off." in told.stderr
    assert "2 games with 2 phases were converted, 1 were refused" in told.stderr
    assert len(target.read_text(encoding="utf-8").splitlines()) == 2


def test_a_target_that_exists_is_kept_if_nothing_was_converted(tmp_path: Path) -> None:
    broken, target = tmp_path / "broken.json", tmp_path / "kept.json"
    broken.write_text(CUT_OFF, encoding="utf-8")
    target.write_text("precious", encoding="utf-8")
    told = run("convert", broken, target)
    assert (told.exit_code, told.stderr) == (2, f"'{broken}': The file is not valid JSON, or it was cut off.\n")
    assert target.read_text(encoding="utf-8") == "precious"
    assert sorted(file.name for file in tmp_path.iterdir()) == ["broken.json", "kept.json"]


def test_convert_says_what_is_lost_and_where_the_rules_differ(tmp_path: Path) -> None:
    game, target = tmp_path / "game.txt", tmp_path / "game.json"
    game.write_text(REMOVAL, encoding="utf-8")
    told = run("convert", game, target, "--to", "plenipo")
    assert told.exit_code == 0
    assert "Austria has the units A GAL and F ALB in the file" in told.stderr
    talk = tmp_path / "talk.txt"
    message = '> "Austria" to "Italy", "S1901M", 7: "Peace?"'
    talk.write_text(f'[Variant "standard"]\n[Result "*"]\n\n== Spring 1901 movement\n{message}\n', encoding="utf-8")
    told = run("convert", talk, target, "--to", "droidippy")
    assert "The format 'droidippy' has no room for this, which is lost: messages." in told.stderr


def test_replay_check_counts_differences_by_what_explains_them(tmp_path: Path) -> None:
    game = tmp_path / "game.txt"
    game.write_text(REMOVAL, encoding="utf-8")
    told = run("replay-check", game, "--json")
    sums = json.loads(told.stdout)
    assert (told.exit_code, sums["games"], sums["refused"]) == (0, 1, 0)
    assert sums["differences"] == {"removal": 1}
    shown = run("replay-check", game).stdout
    assert "removals that no player ordered are chosen by another rule" in shown
    assert "Austria A BOH" in shown


def test_replay_check_names_a_policy_with_the_smallest_position(tmp_path: Path) -> None:
    """A convoy that may become a walk: the army goes by land where the convoy fails, and another unit plays no part."""
    text = """[Variant "standard"]
[Result "*"]

== Spring 1901 movement
@ Italy: A VEN, F NAP |
@ Austria: A BUD |
Italy: A VEN - TYR VIA
Austria: A BUD H

== Fall 1901 movement
@ Italy: A TYO, F NAP |
@ Austria: A BUD |
"""
    game = tmp_path / "game.txt"
    game.write_text(text, encoding="utf-8")
    shown = run("replay-check", game)
    assert "policy 4.A.3 (a convoy to an adjacent place) is 'intent-or-land' there" in shown.stdout
    assert "    Italy A VEN\n    Italy: A VEN - TYO VIA" in shown.stdout

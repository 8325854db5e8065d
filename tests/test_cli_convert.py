"""`plenipo convert` and `plenipo replay-check`: many games, what is reported about them, and what differs."""

import gzip
import json
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from formats.backstabbr_pages import pages
from formats.sample_games import play
from plenipo import library
from plenipo.cli import app, joined_files
from plenipo.formats import FORMATS

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


def in_a_folder(texts: dict[str, str], path: Path) -> Path:
    """The texts as the files of a folder."""
    for name, text in texts.items():
        file = path / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")
    return path


def in_a_zip(texts: dict[str, str], path: Path) -> Path:
    """The texts as the files of a zip."""
    with zipfile.ZipFile(path.with_suffix(".zip"), "w", zipfile.ZIP_DEFLATED) as archive:
        for name, text in texts.items():
            archive.writestr(name, text)
    return path.with_suffix(".zip")


@pytest.mark.parametrize("keep", [in_a_folder, in_a_zip])
def test_the_saved_pages_of_a_game_are_one_game(keep: Callable[[dict[str, str], Path], Path], tmp_path: Path) -> None:
    game = play(1, turns=3)
    drawn = "<svg>" + "<path d='M0 0'/>" * 200_000 + "</svg>"
    saved = {f"{number}.html": page.replace("<svg>", drawn + "<svg>") for number, page in enumerate(pages(game))}
    beside = {".hidden": "\0", "1_files/style.css": "html { }"}
    source, target = keep(saved | beside, tmp_path / "pages"), tmp_path / "game.json"
    told = run("convert", source, target, "--to", "plenipo")
    assert (told.exit_code, told.stderr) == (0, "")
    again = FORMATS["plenipo"].read(target.read_text(encoding="utf-8"), library.load)
    assert again.position == game.position


@pytest.mark.parametrize("keep", [in_a_folder, in_a_zip])
def test_of_the_files_of_a_run_only_the_game_is_read(
    keep: Callable[[dict[str, str], Path], Path], tmp_path: Path
) -> None:
    texts = {"lmvsgame.json": FORMATS["ai_diplomacy"].write(play(1, turns=2)), "overview.jsonl": "{}\n", "a.log": "x"}
    told = run("convert", keep(texts, tmp_path / "run"), "-", "--to", "text")
    assert told.exit_code == 0
    assert told.stdout.startswith('[Variant "standard"]')


def test_a_zip_that_is_damaged_or_unpacks_to_too_much_is_refused_in_one_sentence(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    source = in_a_zip({"game.txt": "== " * 100_000}, tmp_path / "game")
    source.write_bytes(source.read_bytes()[:200])
    told = run("convert", source, tmp_path / "game.json")
    assert (told.exit_code, told.stderr) == (
        2,
        f"'{source}' is a zip that is damaged, encrypted or of an unknown kind.\n",
    )
    monkeypatch.setattr(joined_files, "LARGEST", 1 << 16)
    monkeypatch.setattr(joined_files, "MOST_FILES", 3)
    bomb = in_a_zip({"game.txt": "== " * 100_000}, tmp_path / "bomb")
    told = run("convert", bomb, tmp_path / "game.json")
    assert (told.exit_code, told.stderr) == (2, f"The files of '{bomb}' are too large together.\n")
    many = in_a_zip({f"{number}.txt": "" for number in range(4)}, tmp_path / "many")
    told = run("convert", many, tmp_path / "game.json")
    assert (told.exit_code, told.stderr) == (2, f"'{many}' has more than 3 files.\n")


def test_replay_check_says_where_a_file_only_changes_the_type_of_a_unit(tmp_path: Path) -> None:
    game = tmp_path / "game.txt"
    before, mark, after = REMOVAL.replace("Austria: army boh\n", "").replace("boh hold\n", "").rpartition("PHASE")
    game.write_text(before + mark + after.replace("fleet alb", "army alb"), encoding="utf-8")
    told = run("replay-check", game, "--json")
    assert json.loads(told.stdout)["differences"] == {"type": 1}


def test_replay_check_says_where_a_file_lacks_the_orders_of_a_phase(tmp_path: Path) -> None:
    game = tmp_path / "game.txt"
    game.write_text(REMOVAL.replace("boh hold\n", "").replace("army gal", "army ukr", 1), encoding="utf-8")
    told = run("replay-check", game, "--json")
    assert json.loads(told.stdout)["differences"] == {"missing": 1, "removal": 1}
    assert "the file has no orders of a phase before" in run("replay-check", game).stdout

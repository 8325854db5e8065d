"""`plenipo puzzle` asks and judges; `plenipo puzzles` makes, resumes and proves; unusable calls get one sentence."""

from dataclasses import replace
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from plenipo.cli import app
from plenipo.puzzles import load_case_puzzles, load_order_puzzles
from plenipo.puzzles.case_puzzles import fate_of, list_questions
from plenipo.puzzles.order_puzzles import read_puzzles, write_games, write_header, write_puzzle

ORDER_PUZZLE = next(iter(load_order_puzzles().values()))
CASE_PUZZLE = next(one for one in load_case_puzzles().values() if one.case == "6.D.3")


def run(*arguments: str, typed: str | None = None) -> Result:
    return CliRunner().invoke(app, list(arguments), input=typed)


def test_the_solution_solves_a_puzzle() -> None:
    typed = "\n".join([*ORDER_PUZZLE.solution, "", ""])
    told = run("puzzle", str(ORDER_PUZZLE.number), typed=typed)
    assert told.exit_code == 0
    assert f"You play {ORDER_PUZZLE.power}." in told.stdout
    assert "whatever the others order." in told.stdout
    assert "Solved: no other set of at most three orders does it." in told.stdout


def test_a_wrong_order_is_answered_and_the_solution_shown_on_request() -> None:
    told = run("puzzle", str(ORDER_PUZZLE.number), typed="fly\n\ny\n")
    assert "fly" in told.stdout
    assert "Not yet:" in told.stdout
    assert all(order in told.stdout for order in ORDER_PUZZLE.solution)


def test_every_unit_of_a_case_is_asked_about_with_its_reason() -> None:
    right = [fate_of(one) for one in list_questions(CASE_PUZZLE.movement.resolution)]
    told = run("puzzle", str(CASE_PUZZLE.number), typed="\n".join(right) + "\n")
    assert told.exit_code == 0
    assert told.stdout.count("Right.") == len(right)
    assert "Solved." in told.stdout
    wrong = run("puzzle", str(CASE_PUZZLE.number), typed="perhaps\n" + "s\n" * len(right))
    assert "Type the beginning of one of these words." in wrong.stdout
    assert "answers were wrong." in wrong.stdout


def test_the_reason_for_each_unit_and_the_lessons_about_it_follow_the_answers() -> None:
    questions = list_questions(CASE_PUZZLE.movement.resolution)
    told = run("puzzle", str(CASE_PUZZLE.number), typed="s\n" * len(questions))
    assert all(one.why in told.stdout for one in questions)
    assert told.stdout.splitlines()[-2:] == ["Lesson: Cut a support", "Lesson: Support a hold"]
    german = run("--language", "de", "puzzle", str(CASE_PUZZLE.number), typed="g\n" * len(questions))
    assert german.stdout.splitlines()[-2:] == [
        "Lektion: Eine Unterstützung unterbrechen",
        "Lektion: Das Halten unterstützen",
    ]


def test_a_file_of_puzzles_is_played(tmp_path: Path) -> None:
    file = tmp_path / "mine.jsonl"
    file.write_text(write_header("standard", "1") + write_puzzle(ORDER_PUZZLE) + write_games(1), encoding="utf-8")
    assert f"Puzzle {ORDER_PUZZLE.number}:" in run("puzzle", "--file", str(file), typed="").stdout


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (("puzzle", "9999"), "There is no puzzle 9999 here; the numbers are 1 to "),
        (("puzzle", "--kind", "chess"), "'chess' is no kind of puzzle; write what and order."),
        (("puzzle", "--file", "/no/such"), "'/no/such' cannot be used: no such file or directory."),
        (("puzzles", "check", "/no/such"), "'/no/such' cannot be used: no such file or directory."),
        (("puzzles", "make", "--to", "/no/such/file"), "'/no/such/file' cannot be used: no such file or directory."),
    ],
)
def test_an_unusable_call_gets_one_sentence(arguments: tuple[str, ...], sentence: str) -> None:
    told = run(*arguments)
    assert told.exit_code == 2
    assert told.stderr.startswith(sentence)
    assert told.stderr.count("\n") == 1


def test_rules_without_proofs_are_refused_in_a_sentence(tmp_path: Path) -> None:
    pytest.importorskip("numba")
    told = run("puzzles", "make", "--variant", "fog-of-war", "--to", str(tmp_path / "f.jsonl"))
    assert told.exit_code == 2
    assert told.stderr == "'fog-of-war' has no puzzles of this kind: its players do not see everything.\n"


def test_puzzles_are_made_resumed_and_proved(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("numba")
    monkeypatch.setattr("plenipo.puzzles.making.MOVEMENTS", 2)
    whole, parts = tmp_path / "whole.jsonl", tmp_path / "parts.jsonl"
    assert run("puzzles", "make", "--games", "2", "--seed", "plenipo", "--to", str(whole)).exit_code == 0
    assert run("puzzles", "make", "--games", "1", "--seed", "plenipo", "--to", str(parts)).exit_code == 0
    with parts.open("a") as file:
        file.write('{"number":9')  # the program was stopped here
    assert run("puzzles", "make", "--games", "2", "--seed", "plenipo", "--to", str(parts)).exit_code == 0
    assert parts.read_text() == whole.read_text()
    found = list(read_puzzles(whole.read_text(), "whole"))
    assert [one.number for one in found] == list(range(1, len(found) + 1))
    proved = run("puzzles", "check", str(whole), "--every", "3")
    assert proved.exit_code == 0, proved.output
    wrong = tmp_path / "wrong.jsonl"
    false = replace(found[0], solution=found[0].solution[1:])
    wrong.write_text(write_header("standard", "plenipo") + write_puzzle(false))
    told = run("puzzles", "check", str(wrong))
    assert told.exit_code == 1
    assert told.stdout.startswith("Puzzle 1 is not proved: its solution is not the only one.\n")

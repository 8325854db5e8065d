"""The tour of the documents from the wheel: which commands are run, and what counts as a fault."""

import subprocess
from pathlib import Path

import pytest

from console import Call
from plenipo.cli.main import COMMANDS
from tour import (
    MOST_TIME,
    REFUSED,
    ROOT,
    RUNNERS,
    SERVED,
    TRIED,
    empty_caches,
    judge,
    judge_times,
    judge_trial,
    place_wheel,
    tour,
)

PAGE = Path("page.md")
NEEDED = "This needs the extra 'maps'; install it with: pip install 'plenipo[maps]'.\n"


def test_the_tour_of_the_readme_has_every_command_of_the_program() -> None:
    commands = [call.command for call in tour(ROOT / "README.md")]
    assert not any(command.startswith("make ") for command in commands)
    for name in ("variants", "play", "adjudicate", "show", "verify", "cases", "rulebooks"):
        assert any(command.startswith(f"plenipo {name}") for command in commands)


def test_the_readme_runs_from_a_wheel_with_uvx_and_with_pipx() -> None:
    commands = [call.command for call in tour(ROOT / "README.md")]
    for runner in RUNNERS:
        assert any(command.startswith(f"{runner} ") and "dist/plenipo-*.whl" in command for command in commands), runner


def test_the_wheel_lies_where_the_pages_look_for_it_and_nothing_is_taken_from_a_cache(tmp_path: Path) -> None:
    wheel = tmp_path / "plenipo-0.1.0-py3-none-any.whl"
    wheel.touch()
    place_wheel(wheel, tmp_path)
    assert [file.name for file in tmp_path.glob("dist/plenipo-*.whl")] == [wheel.name]
    assert all(Path(folder).is_relative_to(tmp_path) for folder in empty_caches(tmp_path).values())


def test_the_pages_that_need_a_server_are_there() -> None:
    assert all((ROOT / "docs" / name).is_file() for name in SERVED)


@pytest.mark.parametrize(
    ("status", "printed", "error", "whole", "fault"),
    [
        (0, "1 passed, 0 failed\n", "", True, ""),
        (0, "0 passed, 1 failed\n", "", True, "page.md:3 'plenipo cases' printed:\n0 passed, 1 failed\n"),
        (2, "", NEEDED, False, ""),
        (2, "", NEEDED, True, f"page.md:3 'plenipo cases' ended with status 2:\n{NEEDED}"),
        (2, "", f"{NEEDED}More.\n", False, f"page.md:3 'plenipo cases' ended with status 2:\n{NEEDED}More.\n"),
        (1, "", "Traceback (most", False, "page.md:3 'plenipo cases' ended with a traceback:\nTraceback (most"),
    ],
)
def test_a_command_does_what_its_page_says_or_names_what_it_needs(
    status: int,
    printed: str,
    error: str,
    whole: bool,  # noqa: FBT001
    fault: str,
) -> None:
    call = Call(3, "plenipo cases", "... passed, 0 failed\n")
    done = subprocess.CompletedProcess(call.command, status, printed, error)
    assert judge(PAGE, call, done, whole=whole) == fault


def test_a_measured_time_over_its_limit_is_a_fault() -> None:
    assert list(judge_times(MOST_TIME)) == []
    assert list(judge_times({name: seconds / 2 for name, seconds in MOST_TIME.items()})) == []
    slow = {"From nothing to a board": 21.5, "import plenipo": 0.3, "plenipo --version": 0.2}
    assert list(judge_times(slow)) == [
        "From nothing to a board: 21.500 s is over the limit of 20 s.",
        "plenipo --version: 0.200 s is over the limit of 0.15 s.",
    ]


def test_a_call_of_every_command_is_tried() -> None:
    tried = {line.split()[0] for line in TRIED.split("\n") if line}
    assert {*COMMANDS, "--licences"} == tried


@pytest.mark.parametrize(
    ("status", "error", "fault"),
    [
        (0, "", ""),
        (2, NEEDED, ""),
        (0, "One.\nTwo.\n", ""),
        (2, "No module named 'ray'.\n", "'plenipo warm' fails and names no extra:\nNo module named 'ray'.\n"),
        (1, "", "'plenipo warm' fails and names no extra:\n"),
        (2, "One.\nTwo.\n", "'plenipo warm' says more than one sentence:\nOne.\nTwo.\n"),
        (1, "Traceback (most", "'plenipo warm' ended with a traceback:\nTraceback (most"),
    ],
)
def test_a_command_that_fails_says_why_in_one_sentence(status: int, error: str, fault: str) -> None:
    assert judge_trial("warm", subprocess.CompletedProcess("warm", status, "", error)) == fault


def test_a_call_that_is_refused_with_everything_installed_may_name_no_extra() -> None:
    assert {*TRIED.splitlines()} >= REFUSED
    for command in REFUSED:
        assert judge_trial(command, subprocess.CompletedProcess(command, 2, "", "It is not there.\n")) == ""

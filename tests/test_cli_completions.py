"""Completions: the script of each shell, and the answers that it gets."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from typer.testing import CliRunner

from plenipo import library
from plenipo.cli import app
from plenipo.cli.completions import VARIABLE, Shell, complete_variant
from plenipo.cli.main import COMMANDS
from waiting import LIMIT

RUN = "from plenipo.cli import app\napp(prog_name='plenipo')"


def ask(*words: str) -> list[str]:
    """Return the answers to bash, of which the last word is to be completed."""
    asked = {VARIABLE: "complete_bash", "COMP_WORDS": " ".join(("plenipo", *words)), "COMP_CWORD": str(len(words))}
    told = subprocess.run(  # noqa: S603  # our own code
        [sys.executable, "-c", RUN],
        env={**os.environ, **asked},
        capture_output=True,
        text=True,
        check=True,
        timeout=LIMIT,
    )
    return told.stdout.split()


@pytest.mark.parametrize(
    ("words", "answers"),
    [
        (("vari",), ["variants"]),
        (("completions", ""), ["bash", "zsh", "fish"]),
        (("play", "chao"), ["chaos"]),
        (("show", "1897+cor"), ["1897+corner"]),
        (("adjudicate", "--fa"), ["--fast"]),
        (("map", "comp"), ["compile"]),
    ],
    ids=str,
)
def test_words_are_completed(words: tuple[str, ...], answers: list[str]) -> None:
    assert ask(*words) == answers


def test_every_command_is_offered() -> None:
    assert {*COMMANDS} <= {*ask("")}


@pytest.mark.parametrize("shell", Shell)
def test_the_script_of_a_shell_asks_the_program(shell: Shell) -> None:
    told = CliRunner().invoke(app, ["completions", shell.value])
    assert told.exit_code == 0
    assert f"{VARIABLE}=complete_{shell.value}" in told.stdout


def test_bash_completes_a_command_by_the_script(tmp_path: Path) -> None:
    bash = shutil.which("bash")
    if bash is None or sys.platform == "win32":
        pytest.skip("there is no bash")
    program = tmp_path / "plenipo"
    program.write_text(f'#!/bin/sh\nexec "{sys.executable}" -c "{RUN}" "$@"\n', encoding="utf-8")
    program.chmod(0o755)
    script = (
        'eval "$(plenipo completions bash)"; COMP_WORDS=(plenipo rule); COMP_CWORD=1; '
        'complete -p plenipo; _plenipo_completion plenipo; echo "${COMPREPLY[@]}"'
    )
    told = subprocess.run(  # noqa: S603  # our own script
        [bash, "-c", script],
        env={**os.environ, "PATH": f"{tmp_path}{os.pathsep}{os.environ['PATH']}"},
        capture_output=True,
        text=True,
        check=True,
        timeout=LIMIT,
    )
    assert told.stdout.splitlines() == ["complete -o default -F _plenipo_completion plenipo", "rulebooks"]


def test_every_variant_is_offered() -> None:
    assert complete_variant("") == [*library.names(), *library.bank()]
    assert complete_variant("no such") == []


def test_a_shell_without_completions_is_refused_with_those_there_are() -> None:
    told = CliRunner().invoke(app, ["completions", "csh"])
    assert told.exit_code == 2
    assert "'csh' is not one of 'bash', 'zsh', 'fish'" in told.stderr

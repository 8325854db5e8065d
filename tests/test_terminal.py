"""The output of a command without a terminal: every name in full, and the progress."""

import re

import pytest
from typer.testing import CliRunner

from plenipo import library
from plenipo.cli import app
from plenipo.cli.terminal import progress


@pytest.mark.parametrize("arguments", [["variants", "--bank"], ["variants"], ["board", "cline"]], ids=" ".join)
def test_a_table_in_a_pipe_has_a_line_for_each_row(arguments: list[str]) -> None:
    rows = CliRunner().invoke(app, arguments).stdout.splitlines()
    named = {row.split()[0] for row in rows[1:] if row.strip()}
    board = library.load("cline").board
    wanted = {"--bank": set(library.bank()), "variants": set(library.names())}.get(arguments[-1], set(board.spaces))
    assert wanted <= named
    assert len(rows) == len(wanted) + 1


def test_a_long_task_tells_in_lines_how_far_it_is_where_there_is_no_terminal(
    capsys: pytest.CaptureFixture[str],
) -> None:
    with progress("Playing", every=0.0) as told:
        for done in range(4):
            told(done, 3)
    lines = capsys.readouterr().err.splitlines()
    assert len(lines) == 2
    assert re.fullmatch(r"Playing: 1 of 3 done, about \d+ (s|min|h) left\.", lines[0])
    assert lines[1].startswith("Playing: 2 of 3 done")


def test_a_short_task_tells_nothing(capsys: pytest.CaptureFixture[str]) -> None:
    with progress("Playing", every=3600.0) as told:
        for done in range(1, 4):
            told(done, 3)
    assert capsys.readouterr().err == ""

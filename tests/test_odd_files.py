"""No file ends a command in a traceback, whatever is wrong with it."""

from pathlib import Path
from random import Random

import pytest

from odd_files import COMMANDS, Files


@pytest.mark.parametrize("command", COMMANDS)
def test_odd_files_are_answered_in_sentences(command: str, tmp_path: Path) -> None:
    files = Files(tmp_path, Random(f"odd files {command}"))
    assert [wrong for _ in range(12) if (wrong := files.called(command))] == []

"""No file ends a command in a traceback, whatever is wrong with it."""

import shutil
from pathlib import Path
from random import Random

import pytest

from odd_files import COMMANDS, VARIANTS, Files
from plenipo.cli import app
from plenipo.formats import FORMATS
from plenipo.server.opened_files import read_file


@pytest.mark.parametrize("command", COMMANDS)
def test_odd_files_are_answered_in_sentences(command: str, tmp_path: Path) -> None:
    files = Files(tmp_path, Random(f"odd files {command}"))
    assert [wrong for _ in range(12) if (wrong := files.called(command))] == []


def test_every_format_of_games_is_among_the_odd_files(tmp_path: Path) -> None:
    files = Files(tmp_path, Random(1))
    assert files.games.keys() == FORMATS.keys()
    for name, texts in files.games.items():
        assert [read_file(text).form.name for text in texts] == [name] * len(texts)


@pytest.mark.parametrize("name", ["variant.toml", "map.toml", "look.toml", "placements.toml"])
def test_brackets_without_end_are_a_mistake_of_the_file(name: str, tmp_path: Path) -> None:
    folder = tmp_path / "variant"
    shutil.copytree(VARIANTS / "standard", folder)
    (folder / name).write_text((folder / name).read_text() + "\nx = " + "[" * 5000)
    told = Files(tmp_path, Random(1)).run.invoke(app, ["check", str(folder)])
    assert told.exit_code == 1
    assert name in told.output
    assert isinstance(told.exception, SystemExit)

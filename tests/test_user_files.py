"""Files of users that have no end: each is refused at once, in one sentence that names it."""

import os
import shutil
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from typer.testing import CliRunner

from plenipo import library, user_files
from plenipo.cli import app
from plenipo.user_files import LARGEST, LARGEST_RECORD, read_text

VARIANTS = Path(library.__file__).parents[1] / "variants"

pytestmark = [
    pytest.mark.timeout(60),
    pytest.mark.skipif(sys.platform == "win32", reason="there are no devices and named pipes in folders"),
]


def endless(path: Path) -> str:
    """A link to a device whose bytes never end."""
    path.symlink_to("/dev/zero")
    return "it is not a regular file"


def pipe(path: Path) -> str:
    """A named pipe into which no program writes."""
    os.mkfifo(path)
    return "it is not a regular file"


def huge(path: Path) -> str:
    """A file of 20 GB that takes no room."""
    with path.open("wb") as file:
        file.truncate(20 << 30)
    return "it is larger than "


Make = Callable[[Path], str]
KINDS = pytest.mark.parametrize("make", [endless, pipe, huge])
MAP_FILES = ("figure.json", "look.toml", "map.toml", "placements.json", "placements.toml")


def refused(command: list[str], file: Path, why: str) -> None:
    """Assert that a command ends with one sentence about a file."""
    answer = CliRunner().invoke(app, command)
    assert isinstance(answer.exception, SystemExit), answer.exception
    assert answer.exit_code != 0
    sentences = answer.output.strip().splitlines()
    said = " ".join(sentences)
    assert str(file) in said or file.name in said
    assert why in said
    assert len(said) < len(str(file)) + 200


@KINDS
@pytest.mark.parametrize("name", ["variant.toml", "rules.py", *MAP_FILES])
def test_check_refuses_a_file_of_a_variant_that_has_no_end(name: str, make: Make, tmp_path: Path) -> None:
    folder = tmp_path / "variant"
    shutil.copytree(VARIANTS / "standard", folder)
    (folder / name).unlink(missing_ok=True)
    refused(["check", str(folder)], folder / name, make(folder / name))


@KINDS
def test_check_refuses_a_table_of_contacts_that_has_no_end(make: Make, tmp_path: Path) -> None:
    text = (VARIANTS / "standard" / "variant.toml").read_text(encoding="utf-8")
    text = "\n".join(line for line in text.splitlines() if not line.startswith("figure"))
    (tmp_path / "variant.toml").write_text('contacts = "contacts.toml"\n' + text, encoding="utf-8")
    refused(["check", str(tmp_path)], tmp_path / "contacts.toml", make(tmp_path / "contacts.toml"))


@KINDS
def test_check_refuses_a_map_file_that_has_no_end(make: Make, tmp_path: Path) -> None:
    file = tmp_path / "endless.map"
    refused(["check", str(file)], file, make(file))


@KINDS
@pytest.mark.parametrize(
    "command",
    [
        ["cases", "FILE"],
        ["verify", "FILE"],
        ["replay", "FILE", "film.png"],
        ["play", "--load", "FILE"],
        ["play", "--orders", "FILE"],
        ["convert", "FILE", "-", "--to", "plenipo"],
        ["show", "standard", "--position", "FILE", "--svg", "-"],
        ["match", "mine", "--player", "mine=FILE:play", "--games", "1"],
    ],
    ids=lambda command: " ".join(command[:2]),
)
def test_a_named_file_that_has_no_end_is_refused(command: list[str], make: Make, tmp_path: Path) -> None:
    file = tmp_path / "endless.py"
    why = make(file)
    if command[0] == "convert" and make is huge:
        why = "A line is longer than 65536 bytes."  # games are read in parts, so a file may be larger than the memory
    refused([part.replace("FILE", str(file)) for part in command], file, why)


def test_a_file_is_read_up_to_its_largest_size(tmp_path: Path) -> None:
    file = tmp_path / "text"
    file.write_bytes(b"one\r\ntwo\rthree\n")
    assert read_text(file, 15) == "one\ntwo\nthree\n"
    with pytest.raises(OSError, match="it is larger than 0 megabytes"):
        read_text(file, 14)


def test_a_file_that_tells_no_size_is_not_read_beyond_the_largest(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "growing"
    file.write_bytes(b"x" * 20)
    monkeypatch.setattr(user_files, "check", lambda *_: None)
    with pytest.raises(OSError, match="it is larger than"):
        read_text(file, 10)


def test_what_comes_with_plenipo_is_far_from_the_largest_size() -> None:
    sizes = [file.stat().st_size for file in VARIANTS.parent.rglob("*") if file.suffix in {".toml", ".json", ".yaml"}]
    assert 8 * max(sizes) < LARGEST < LARGEST_RECORD

"""Folders that are added to the variant library: shown, played, and read again when they change."""

import os
from collections.abc import Iterator
from pathlib import Path

import pytest
import typer
from starlette.testclient import TestClient

from boards_in.samples import JUDGE
from boards_in.test_readers import only_board, written
from plenipo import library
from plenipo.boards_in import variant_files
from plenipo.cli.serve import add_variants
from plenipo.library import plugins


@pytest.fixture
def mine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A folder of variants that was added to the library, with the Isle in it."""
    monkeypatch.setattr(plugins, "_ADDED", [])
    written(tmp_path / "mine" / "isle", variant_files(only_board(JUDGE, "judge_map")))
    plugins.add_folders([tmp_path / "mine"])
    yield tmp_path / "mine"
    plugins._SEEN.clear()


def save(file: Path, text: str) -> None:
    """Write a file, a second later than it was written before."""
    later = file.stat().st_mtime + 1 if file.exists() else 0
    file.write_text(text, encoding="utf-8")
    if later:
        os.utime(file, (later, later))


@pytest.mark.usefixtures("mine")
def test_an_added_variant_is_listed_described_and_played(client: TestClient) -> None:
    assert "Isle" in client.get("/bank?q=isle").text
    assert "Isle" in client.get("/variants/isle").text
    assert "Licence as found" in client.get("/variants/isle/rules").text
    opened = client.post("/play", data={"variant": "isle"}, follow_redirects=False)
    assert opened.status_code == 303


def test_a_folder_that_appears_is_found_and_one_that_goes_is_gone(mine: Path) -> None:
    written(mine / "second", {"variant.toml": 'title = "Second"\nparent = "standard"\n'})
    assert {"isle", "second"} <= {*library.bank()}
    (mine / "second" / "variant.toml").unlink()
    (mine / "second").rmdir()
    assert "second" not in library.bank()


def test_a_folder_that_becomes_a_variant_later_is_found(mine: Path) -> None:
    (mine / "late").mkdir()
    assert "late" not in library.bank()
    save(mine / "late" / "variant.toml", 'title = "Late"\nparent = "standard"\n')
    assert "late" in library.bank()


def test_what_a_designer_saves_is_shown_at_the_next_look(mine: Path, client: TestClient) -> None:
    file = mine / "isle" / "variant.toml"
    text = file.read_text("utf-8")
    assert "no-cache" in client.get("/variants/isle/picture.svg").headers["cache-control"]
    save(file, text.replace('title = "Isle"', 'title = "Islet"'))
    assert "Islet" in client.get("/variants/isle").text
    assert "Islet" in client.get("/bank").text
    save(mine / "isle" / "README.md", "# Isle\n\nQuite another isle.\n")
    assert "Quite another isle." in client.get("/variants/isle/rules").text


def test_a_mistake_is_shown_with_its_line_and_without_the_path_of_the_machine(mine: Path, client: TestClient) -> None:
    file = mine / "isle" / "variant.toml"
    text = file.read_text("utf-8")
    save(file, text.replace("F POR", "F SBX"))
    told = client.get("/variants/isle")
    assert told.status_code in (400, 404, 422)
    assert "isle/variant.toml, line" in told.text
    assert "SBX" in told.text
    assert str(mine) not in told.text
    save(file, "title = ")
    assert "Isle" not in client.get("/bank").text
    save(file, text)
    os.utime(file, (file.stat().st_mtime + 5, file.stat().st_mtime + 5))
    assert client.get("/variants/isle").status_code == 200


def test_a_name_of_a_shipped_variant_keeps_its_meaning(mine: Path) -> None:
    written(mine / "standard", {"variant.toml": 'title = "Mine"\nparent = "cline"\n'})
    written(mine / "hundred", {"variant.toml": 'title = "Mine"\nparent = "cline"\n'})
    assert library.read("standard").title != "Mine"
    assert library.read("hundred").title != "Mine"
    assert "standard" not in library.bank()


def test_the_server_takes_named_folders_or_the_one_in_the_data_folder(
    mine: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(plugins, "_ADDED", [])
    assert add_variants([mine]) == [mine]
    assert "isle" in library.bank()
    assert [folder.name for folder in add_variants(None)] == ["variants"]
    with pytest.raises(typer.Exit):
        add_variants([tmp_path / "gone"])

"""Sources on disk: folders and zips are read within limits, and nothing outside of them is."""

import stat
import zipfile
from pathlib import Path

import pytest

from boards_in.samples import JUDGE
from plenipo.boards_in import READERS, open_source
from plenipo.errors import InvalidBoardFile


def zipped(path: Path, files: dict[str, bytes]) -> Path:
    """Write a zip and return its path."""
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    return path


def test_a_zip_is_read_as_a_folder_is(tmp_path: Path) -> None:
    source = zipped(tmp_path / "maps.zip", {f"maps/{name}": text.encode() for name, text in JUDGE.items()})
    files = open_source(source)
    assert READERS["judge_map"].find(files) == ["maps/isle.map"]
    assert len(READERS["judge_map"].read(files, "maps/isle.map").spaces) == 6


@pytest.mark.parametrize("name", ["../isle.map", "/etc/isle.map", "a/../../isle.map", "C:/isle.map"])
def test_a_zip_that_names_a_file_outside_is_refused(name: str, tmp_path: Path) -> None:
    with pytest.raises(InvalidBoardFile, match="which lies outside of it"):
        open_source(zipped(tmp_path / "maps.zip", {name: b"x"}))


def test_a_zip_with_a_link_is_refused(tmp_path: Path) -> None:
    link = zipfile.ZipInfo("isle.map")
    link.external_attr = (stat.S_IFLNK | 0o777) << 16
    with zipfile.ZipFile(tmp_path / "maps.zip", "w") as archive:
        archive.writestr(link, "/etc/passwd")
    with pytest.raises(InvalidBoardFile, match="is a link"):
        open_source(tmp_path / "maps.zip")


def test_a_zip_that_unpacks_without_measure_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InvalidBoardFile, match="unpacks without measure"):
        open_source(zipped(tmp_path / "maps.zip", {"isle.map": bytes(20_000_000)}))


def test_a_zip_that_is_none_is_refused(tmp_path: Path) -> None:
    (tmp_path / "maps.zip").write_bytes(b"PK\x03\x04 and no more")
    with pytest.raises(InvalidBoardFile, match="not a zip"):
        open_source(tmp_path / "maps.zip")


def test_links_in_a_folder_are_not_followed(tmp_path: Path) -> None:
    (tmp_path / "secret.map").write_text("USE isle\n", encoding="utf-8")
    (tmp_path / "maps").mkdir()
    (tmp_path / "maps" / "link.map").symlink_to(tmp_path / "secret.map")
    (tmp_path / "maps" / "folder").symlink_to(tmp_path)
    assert open_source(tmp_path / "maps").find("*.map") == []


def test_a_name_in_a_file_leads_no_higher_than_the_source(tmp_path: Path) -> None:
    (tmp_path / "secret.map").write_text("x", encoding="utf-8")
    (tmp_path / "maps").mkdir()
    (tmp_path / "maps" / "isle.map").write_text("USE ../secret.map\n", encoding="utf-8")
    files = open_source(tmp_path / "maps")
    with pytest.raises(InvalidBoardFile, match="is not beside it"):
        READERS["judge_map"].read(files, "isle.map")


def test_a_file_that_is_too_large_or_no_text_is_refused(tmp_path: Path) -> None:
    (tmp_path / "isle.map").write_bytes(b"#" * 5_000_000)
    (tmp_path / "zero.map").write_bytes(b"USE \0 x")
    files = open_source(tmp_path)
    for name, why in (("isle.map", "larger than 4 megabytes"), ("zero.map", "not a text")):
        with pytest.raises(InvalidBoardFile, match=why):
            files.text(name)

"""The files of a map in a folder: garbage in any of them is a mistake with its file and line, and never a crash."""

import json
import shutil
import tomllib
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random
from typing import Any

import pytest

from maps.figures import STANDARD, board_of, island, standard_figure
from plenipo import library
from plenipo.errors import InvalidFigure
from plenipo.maps.authoring.authored import read_table
from plenipo.maps.figure.planar import Figure
from plenipo.maps.lettering.placements import Placements, hints_from

GARBAGE: tuple[Any, ...] = (
    7,
    -1.5,
    True,
    None,
    "",
    "x",
    "PAR",
    [],
    [1, 2],
    {},
    {"PAR": 1},
    float("inf"),
    "\ud800",
    10**30,
)
"""Values that may replace any other value."""


def folder_with(folder: Path, file: str, text: str) -> Path:
    shutil.copytree(STANDARD, folder / "mine", ignore=shutil.ignore_patterns("cases", "games"))
    (folder / "mine" / file).write_text(text, encoding="utf-8")
    return folder / "mine"


def of(file: str, old: str, new: str) -> str:
    text = (STANDARD / file).read_text(encoding="utf-8")
    assert old in text
    return text.replace(old, new, 1)


@pytest.mark.parametrize(
    ("file", "text", "line", "sentence"),
    [
        ("figure.json", "garbage", 1, "cannot be read"),
        ("figure.json", of("figure.json", '"ADR"', "7"), None, "7 is not the code of a space"),
        ("map.toml", "garbage", 1, "cannot be read"),
        ("map.toml", 'title = "Mine"\nseas = 7\n', 1, "the map has no 'lands'"),
        ("map.toml", of("map.toml", "[corners]", "[corners]\nLON = 7"), None, "corner LON"),
        ("map.toml", of("map.toml", "[edges]", '[edges]\n"BEL-BUR" = 7\n[edges.more]'), None, "edge"),
        ("placements.json", "garbage", 1, "cannot be read"),
        ("placements.json", of("placements.json", '"unit":', '"unit":"large","was":'), 3, "'large'"),
        ("placements.json", of("placements.json", '"names":{', '"names":{"PAR":7},"was":{'), None, "cannot be read"),
        ("look.toml", "garbage", 1, "not TOML"),
        ("look.toml", "\n[follow]\nBUR = 'PAR'\n", 2, "'follow' is not a key of a look"),
        ("look.toml", "[follows]\nGAS = 'PAR'\nBUR = 7\n", 3, "'follows.BUR' names 7"),
        ("placements.toml", "garbage", 1, "not TOML"),
        ("placements.toml", "[centres]\nPAR = [2.3, 48.9]\nBRE = 7\n", 3, "'centres.BRE' is 7"),
        ("placements.toml", "[lines]\nPAR = ['Par', 'is']\n", 2, "'lines.PAR' is"),
    ],
)
def test_garbage_in_a_file_of_a_map_is_a_mistake_with_its_line(
    tmp_path: Path, file: str, text: str, line: int | None, sentence: str
) -> None:
    (mistake,) = library.check(folder_with(tmp_path, file, text))
    assert mistake.file.name == file
    assert mistake.line if line is None else mistake.line == line
    assert sentence in mistake.sentence


def test_bytes_that_are_no_text_are_a_mistake_on_their_line(tmp_path: Path) -> None:
    folder = folder_with(tmp_path, "look.toml", "")
    (folder / "look.toml").write_bytes(b"[follows]\n\xff")
    (mistake,) = library.check(folder)
    assert (mistake.file.name, mistake.line) == ("look.toml", 2)
    assert "not UTF-8" in mistake.sentence


def test_the_files_of_the_packages_own_variants_have_no_mistakes() -> None:
    for folder in sorted(library.VARIANTS.iterdir()):
        if (folder / "map.toml").is_file():
            assert library.check(folder) == []


def spoiled(value: Any, chance: Random) -> Any:
    """The value with something else in one place of it."""
    if isinstance(value, dict) and value and chance.random() < 0.95:
        key = chance.choice(sorted(value))
        return {**value, key: spoiled(value[key], chance)}
    if isinstance(value, list) and value and chance.random() < 0.9:
        i = chance.randrange(len(value))
        return [*value[:i], spoiled(value[i], chance), *value[i + 1 :]]
    return chance.choice(GARBAGE)


def spoiled_texts(text: str, count: int) -> Iterator[str]:
    chance, data = Random(text), json.loads(text)
    for _ in range(count):
        yield json.dumps(spoiled(data, chance))


def answers(read: Callable[..., object], *of: object) -> bool:
    """Tell whether a value can be read or is refused with a sentence."""
    try:
        read(*of)
    except InvalidFigure as fault:
        return len(str(fault)) > 10
    return True


def test_a_spoiled_figure_is_read_or_refused_and_nothing_else() -> None:
    def read(text: str) -> None:
        board_of(Figure.from_json(text).check())

    assert all(answers(read, text) for text in spoiled_texts(island().to_json(), 1500))


def test_spoiled_placements_are_read_or_refused_and_nothing_else() -> None:
    text = (STANDARD / "placements.json").read_text(encoding="utf-8")
    assert all(answers(Placements.from_json, other) for other in spoiled_texts(text, 150))


@pytest.mark.parametrize("seed", range(40))
def test_spoiled_tables_are_read_or_refused_and_nothing_else(seed: int) -> None:
    chance = Random(seed)
    hints = {"centres": {"PAR": [2.3, 48.9]}, "lines": {"PAR": [["Pa", "ris"]]}}
    atlas = tomllib.loads((STANDARD / "map.toml").read_text(encoding="utf-8"))
    assert all(answers(read_table, {**atlas, key: spoiled(atlas[key], chance)}) for key in atlas)
    assert all(answers(hints_from, {key: spoiled(value, chance)}, standard_figure()) for key, value in hints.items())

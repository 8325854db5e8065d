"""Figures in files: one that has the lines of another says what differs, and is read as a whole figure."""

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from maps.figures import STANDARD, standard_figure
from plenipo import library
from plenipo.engine.board import Code
from plenipo.errors import InvalidFigure
from plenipo.maps.authoring.authored import map_digest
from plenipo.maps.figure.figure_files import figure_text, read_figure
from plenipo.maps.figure.planar import Figure


def folder_with(folder: Path, text: str) -> Path:
    folder.mkdir()
    file = folder / "figure.json"
    file.write_text(text, encoding="utf-8")
    return file


def with_another_bend(figure: Figure) -> Figure:
    """The figure, one of its lines bent a little."""
    where = next(number for number, arc in enumerate(figure.arcs) if arc.bends)
    arc = figure.arcs[where]
    bent = replace(arc, bends=((arc.bends[0][0] + 1, arc.bends[0][1]), *arc.bends[1:]))
    return replace(figure, arcs=(*figure.arcs[:where], bent, *figure.arcs[where + 1 :]))


def without_an_island(figure: Figure) -> Figure:
    return replace(figure, decorations=(*figure.decorations[:5], *figure.decorations[6:]))


def with_a_node_more(figure: Figure) -> Figure:
    """The figure, a line of it divided at a bend."""
    where = next(number for number, arc in enumerate(figure.arcs) if arc.bends)
    arc = figure.arcs[where]
    halves = (replace(arc, end="new", bends=()), replace(arc, start="new", bends=arc.bends[1:]))
    arcs = (*figure.arcs[:where], *halves, *figure.arcs[where + 1 :])
    return replace(figure, nodes={**figure.nodes, "new": arc.bends[0]}, arcs=arcs)


CHANGES: tuple[Callable[[Figure], Figure], ...] = (
    lambda figure: figure,
    lambda figure: replace(figure, title="Another"),
    lambda figure: replace(figure, impassable={}),
    lambda figure: replace(figure, through={Code("KIE"): "the canal"}, marks=()),
    lambda figure: replace(figure, arcs=figure.arcs[::-1]),
    with_another_bend,
    without_an_island,
    with_a_node_more,
)


@pytest.mark.parametrize("change", CHANGES)
def test_a_figure_that_shares_lines_with_another_is_short_and_reads_back(
    change: Callable[[Figure], Figure], tmp_path: Path
) -> None:
    figure = change(standard_figure())
    text = figure.to_json_above("standard", standard_figure())
    read = read_figure(folder_with(tmp_path / "own", text))
    assert read == figure
    assert read.to_json() == figure.to_json()
    if figure.arcs != standard_figure().arcs[::-1]:
        assert len(text) < len(figure.to_json()) / 20


def test_a_node_of_the_other_figure_may_be_missing() -> None:
    base = with_a_node_more(standard_figure())
    text = standard_figure().to_json_above("base", base)
    assert '"new":null' in text
    assert Figure.from_json(text, base.to_json()) == standard_figure()


def test_a_figure_that_shares_little_or_lacks_a_part_is_written_whole() -> None:
    plan = replace(standard_figure(), schematic=True)
    assert standard_figure().to_json_above("plan", plan) == standard_figure().to_json()
    cline = read_figure(library.folder_of("cline") / "figure.json")
    assert cline.to_json_above("standard", standard_figure()) == cline.to_json()


@pytest.mark.parametrize(
    ("extends", "sentence"),
    [
        ("nowhere", "the figure extends 'nowhere', which is no whole figure of the package"),
        ("../own", "the figure extends '../own', which is no whole figure of the package"),
        ("irish", "the figure extends 'irish', which is no whole figure of the package"),
        (7, "7 is not a text"),
    ],
)
def test_what_cannot_be_extended_is_refused_by_name(extends: object, sentence: str, tmp_path: Path) -> None:
    file = folder_with(tmp_path / "own", json.dumps({"format": "plenipo-figure-1", "extends": extends}))
    with pytest.raises(InvalidFigure) as refused:
        read_figure(file)
    assert str(refused.value) == sentence


@pytest.mark.parametrize("rows", ['"arcs":["0-x"]', '"arcs":["0"]', '"arcs":7', '"nodes":[]'])
def test_what_is_no_part_of_a_figure_is_refused_in_a_sentence(rows: str, tmp_path: Path) -> None:
    file = folder_with(tmp_path / "own", f'{{"format":"plenipo-figure-1","extends":"standard",{rows}}}')
    with pytest.raises(InvalidFigure, match="the figure cannot be read"):
        read_figure(file)


@pytest.mark.parametrize("name", ["irish", "napoleonic", "neutrals"])
def test_a_figure_of_the_package_holds_what_differs_from_the_standard_one(name: str) -> None:
    folder = library.folder_of(name)
    text = (folder / "figure.json").read_text(encoding="utf-8")
    assert '"extends":"standard"' in text
    assert figure_text(read_figure(folder / "figure.json").check(), folder, STANDARD) == text


def test_a_figure_of_another_folder_is_whole(tmp_path: Path) -> None:
    figure = replace(standard_figure(), title="Mine")
    assert figure_text(figure, tmp_path, STANDARD) == figure.to_json()
    assert figure_text(figure, STANDARD, None) == figure.to_json()


def test_the_map_of_neutrals_is_the_standard_one_with_switzerland_open() -> None:
    figure = read_figure(library.folder_of("neutrals") / "figure.json")
    source = {**standard_figure().source, "map": map_digest(library.folder_of("neutrals") / "map.toml")}
    assert figure == replace(standard_figure(), title="Neutrals", impassable={}, source=source)

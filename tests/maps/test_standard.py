"""The drawn regular board equals the lists written down independently from the rules."""

import re

import pytest

from clockwise import DATA, bare, read, standard_board
from looks import close_borders, close_nodes, short_borders
from maps.figures import STANDARD, standard_figure, standard_texts
from plenipo.engine.board import Board, Code, Location, Space, Terrain
from plenipo.errors import InvalidFigure
from plenipo.maps.figure.board import board_from
from plenipo.maps.figure.planar import BEYOND, Figure, codes_of

CORNERS = {
    who: frozenset(re.findall(r"\[[^]]*\]", names))
    for who, _, names in (line.partition(":") for line in (DATA / "standard_corners.txt").read_text().splitlines())
    if who in ("army", "fleet", "either")
}


@pytest.fixture(scope="module")
def figure() -> Figure:
    return standard_figure().check()


@pytest.fixture(scope="module")
def board(figure: Figure) -> Board:
    return board_from(figure, standard_texts(), "standard")


def test_army_contacts_are_those_of_the_lists(board: Board) -> None:
    assert dict(board.armies) == dict(standard_board().armies)
    assert sum(map(len, board.armies.values())) == 2 * 111


def test_fleet_contacts_with_their_coasts_are_those_of_the_lists(board: Board) -> None:
    assert dict(board.fleets) == dict(standard_board().fleets)
    assert sum(map(len, board.fleets.values())) == 2 * 141


def test_spaces_with_terrain_and_coasts_are_those_of_the_lists(board: Board) -> None:
    assert dict(board.spaces) == dict(standard_board().spaces)


@pytest.mark.parametrize(("area", "contacts"), read(DATA / "standard_clockwise.txt").items())
def test_every_area_touches_the_same_things_in_the_same_order(area: str, contacts: list[str], board: Board) -> None:
    drawn = [there or "*" for there in board.borders[Code(area)]]
    listed = [bare(contact) for contact in contacts]
    assert listed in [drawn[i:] + drawn[:i] for i in range(len(drawn))]


def stands(space: Space) -> str:
    return "fleet" if space.terrain is Terrain.SEA else "army"


def test_the_corners_are_the_137_and_each_takes_the_units_it_should(board: Board) -> None:
    drawn: dict[str, set[str]] = {"army": set(), "fleet": set(), "either": set()}
    for corner in board.corners:
        who = {stands(board.spaces[location.space]) for location in corner.touches}
        drawn[who.pop() if len(who) == 1 else "either"].add(str(corner))
    assert drawn == CORNERS
    assert len(board.corners) == 137


def test_a_corner_names_the_coast_that_reaches_it(board: Board) -> None:
    south = Location(Code("BUL"), board.spaces[Code("BUL")].coasts[1])
    assert [str(corner) for corner in board.corners if south in corner.touches] == [
        "[AEG/BUL(sc)/CON]",
        "[AEG/BUL(sc)/GRE]",
    ]


def test_eulers_formula_holds_with_the_corners_of_the_frame(figure: Figure) -> None:
    on_frame = [name for name in figure.nodes if BEYOND in codes_of(name)]
    assert (len(figure.faces), len(figure.nodes) - len(on_frame), len(on_frame)) == (76, 137, 13)
    assert len(figure.nodes) - len(figure.arcs) + len(figure.faces) + 1 == 2


def test_a_text_without_a_face_and_a_face_without_a_text_are_refused(figure: Figure) -> None:
    texts = dict(standard_texts())
    text = texts.pop(Code("PAR"))
    with pytest.raises(InvalidFigure, match="face PAR"):
        board_from(figure, texts, "standard")
    with pytest.raises(InvalidFigure, match="space PARIS"):
        board_from(figure, {**standard_texts(), Code("PARIS"): text}, "standard")


# ---------------------------------------------------------------------- lint: is the drawing good to look at


def test_only_gibraltar_is_a_short_stretch_of_border(figure: Figure) -> None:
    assert short_borders(figure, 50) == {("MID", "WES")}


def test_areas_that_do_not_touch_keep_apart(figure: Figure) -> None:
    assert not close_borders(figure, 15)


def test_four_areas_meet_nowhere(figure: Figure) -> None:
    assert {len(halves) for halves in figure.rotation.values()} == {3}


def test_corners_lie_apart(figure: Figure) -> None:
    assert not close_nodes(figure, 30)


def test_the_committed_figure_is_small_and_says_what_it_is_made_of() -> None:
    text = (STANDARD / "figure.json").read_text()
    assert 50_000 < len(text) < 150_000
    assert set(Figure.from_json(text).source) == {"land", "map", "geos"}

"""The drawn map of Balkan Wars VI has exactly the contacts that are published."""

import tomllib

import pytest

from clockwise import DATA
from looks import close_nodes, short_borders
from maps.figures import assert_compiled_from_map, board_of, pairs_of
from plenipo import library
from plenipo.engine.board import Board, Code, Location, Terrain, UnitKind
from plenipo.maps.figure.planar import Figure
from plenipo.maps.lettering.label_grid import FULL_WIDTH
from plenipo.maps.lettering.overlaps import overlaps
from plenipo.maps.lettering.placements import Placements

FOLDER = library.folder_of("balkan-wars")
PUBLISHED = tomllib.loads((DATA / "balkan_wars_contacts.toml").read_text(encoding="utf-8"))

Pairs = set[tuple[str, str]]


@pytest.fixture(scope="module")
def figure() -> Figure:
    return Figure.from_json((FOLDER / "figure.json").read_text(encoding="utf-8")).check()


@pytest.fixture(scope="module")
def board() -> Board:
    return library.load("balkan-wars").board


def published(kind: str) -> Pairs:
    """The contacts of the list, both ways."""
    return pairs_of(PUBLISHED[kind])


def test_the_committed_figure_is_what_the_committed_map_compiles_to(figure: Figure) -> None:
    assert_compiled_from_map(figure, FOLDER)


def test_army_contacts_are_those_that_are_published(board: Board) -> None:
    assert {(one, other) for one, others in board.armies.items() for other in others} == published("armies")


def test_fleet_contacts_are_those_that_are_published(board: Board) -> None:
    assert {(one.space, to.space) for one, others in board.fleets.items() for to in others} == published("fleets")


def test_no_space_has_two_coasts_and_the_danube_makes_a_port_of_galati(board: Board, figure: Figure) -> None:
    assert not any(space.coasts for space in board.spaces.values())
    drawn = board_of(figure)
    assert {code for code, space in board.spaces.items() if space.terrain != drawn.spaces[code].terrain} == {"GAL"}
    assert board.spaces[Code("GAL")].terrain is Terrain.COAST
    assert {str(to) for to in board.steps(UnitKind.FLEET, Location(Code("GAL")))} == {"BES", "CST"}


def test_borders_and_corners_lie_far_enough_apart_to_be_read(figure: Figure) -> None:
    assert set(close_nodes(figure, 22)) <= STRAITS
    assert {pair for pair in short_borders(figure, 25) if "#" not in pair} <= SHORT


STRAITS = {
    ("AEG/CON/MAR", "AEG/MAR/SMY"),
    ("ATH/COR/SPA", "ATH/CYC/SPA"),
    ("CON/MAR/SBS", "IZM/MAR/SBS"),
}
"""The ends of the straits and of the isthmus."""

SHORT: Pairs = {("AEG", "MAR"), ("ATH", "SPA"), ("CMS", "ION"), ("CYC", "EMS"), ("MAR", "SBS")}
"""The isthmus and the straits, which are short by nature."""


def test_nothing_on_the_map_lies_over_another_thing(figure: Figure, board: Board) -> None:
    placements = Placements.from_json((FOLDER / "placements.json").read_text(encoding="utf-8"))
    assert overlaps(figure, board, placements, FULL_WIDTH) == []

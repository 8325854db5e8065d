"""The drawn map of Hundred has exactly the contacts that are published."""

import tomllib

import pytest

from clockwise import DATA
from maps.figures import assert_compiled_from_map, pairs_of
from plenipo import library
from plenipo.engine.board import Board
from plenipo.maps.figure.planar import Figure
from plenipo.maps.lettering.label_grid import FULL_WIDTH
from plenipo.maps.lettering.overlaps import overlaps
from plenipo.maps.lettering.placements import Placements

FOLDER = library.folder_of("hundred")
PUBLISHED = tomllib.loads((DATA / "hundred_contacts.toml").read_text(encoding="utf-8"))


@pytest.fixture(scope="module")
def figure() -> Figure:
    return Figure.from_json((FOLDER / "figure.json").read_text(encoding="utf-8")).check()


@pytest.fixture(scope="module")
def board() -> Board:
    return library.load("hundred").board


def published(kind: str) -> set[tuple[str, str]]:
    """The contacts of the list, both ways; those of fleets with their coasts."""
    return pairs_of(PUBLISHED[kind])


def test_the_committed_figure_is_what_the_committed_map_compiles_to(figure: Figure) -> None:
    assert_compiled_from_map(figure, FOLDER)


def test_army_contacts_are_those_that_are_published(board: Board) -> None:
    assert {(str(one), str(other)) for one, others in board.armies.items() for other in others} == published("armies")


def test_fleet_contacts_are_those_that_are_published_coast_by_coast(board: Board) -> None:
    assert {(str(one), str(to)) for one, others in board.fleets.items() for to in others} == published("fleets")


def test_nothing_on_the_map_lies_over_another_thing(figure: Figure, board: Board) -> None:
    placements = Placements.from_json((FOLDER / "placements.json").read_text(encoding="utf-8"))
    assert overlaps(figure, board, placements, FULL_WIDTH) == []

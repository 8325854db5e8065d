"""Sketches of boards from the earth compile, and have about as many spaces as are asked for."""

import tomllib
from contextlib import suppress
from functools import cache

import pytest

from maps.figures import board_of
from plenipo.cli.map_commands import ATTEMPTS
from plenipo.engine.board import Board
from plenipo.errors import InvalidFigure
from plenipo.maps.authoring.atlas import compile_figure
from plenipo.maps.authoring.authored import read_table
from plenipo.maps.authoring.sketches import EarthSketch, sketch_map

Extent = tuple[float, float, float, float]

IBERIA: Extent = (-10.5, 35, 4, 45)
PLACES: dict[str, tuple[Extent, int, int]] = {
    "Iberia": (IBERIA, 14, 5),
    "Iceland": ((-26, 62.5, -12, 67.5), 5, 4),
    "Britain": ((-11, 49.5, 3, 59.5), 12, 6),
    "Caspia": ((44, 35, 58, 48), 8, 2),
    "Horn": ((30, -5, 55, 18), 16, 4),
    "Honshu": ((130, 32, 143, 42), 14, 5),
    "Plate": ((-66, -42, -48, -25), 10, 3),
}


@cache
def made(name: str) -> tuple[EarthSketch, Board]:
    """The first sketch that compiles, as `plenipo map new` takes it, with its board."""
    extent, lands, seas = PLACES[name]
    for attempt in range(ATTEMPTS):
        sketch = sketch_map(name, extent, lands, seas, attempt=attempt)
        with suppress(InvalidFigure):
            return sketch, board_of(compile_figure(read_table(tomllib.loads(sketch.text))))
    pytest.fail(f"no sketch of {name} compiles")


def sketched(name: str) -> EarthSketch:
    return made(name)[0]


@pytest.mark.parametrize("name", PLACES)
def test_a_sketch_compiles_to_a_board_with_the_spaces_and_contacts_that_it_names(name: str) -> None:
    spaces = {space.code: space for space in sketched(name).spaces}
    compiled = made(name)[1]
    assert spaces.keys() == compiled.spaces.keys()
    for code, space in compiled.spaces.items():
        assert spaces[code].sea == (space.terrain == "sea")
        assert spaces[code].touches == {str(other) for other in compiled.borders[code] if other is not None}
        assert spaces[code].coasts == tuple(map(str, space.coasts)) or set(spaces[code].coasts) == set(space.coasts)


@pytest.mark.parametrize("name", PLACES)
def test_a_sketch_has_about_as_many_spaces_as_are_asked_for(name: str) -> None:
    _, lands, seas = PLACES[name]
    wet = [space.sea for space in sketched(name).spaces]
    assert lands - 4 <= wet.count(False) <= lands + 6
    assert seas - 2 <= wet.count(True) <= seas + 3


def test_lands_are_named_after_the_countries_that_lie_there() -> None:
    names = {space.name.rpartition(" ")[0] or space.name for space in sketched("Iberia").spaces}
    assert {"Spain", "Portugal", "France", "Sea"} <= names


def test_a_sketch_says_on_which_coasts_of_the_package_it_lies() -> None:
    assert tomllib.loads(sketched("Plate").text)["land"]["base"] == "americas"
    assert tomllib.loads(sketched("Honshu").text)["land"]["base"] == "far_east"
    assert "base" not in tomllib.loads(sketched("Iberia").text)["land"]


def test_the_same_question_gives_the_same_sketch() -> None:
    one, other = (sketch_map("Iberia", *PLACES["Iberia"]) for _ in range(2))
    assert one == other


@pytest.mark.parametrize(
    ("extent", "sentence"),
    [
        ((4, 35, -10, 45), "4 35 -10 45 is no piece of the earth: write west, south, east, north in degrees"),
        ((-10, 45, 4, 35), "is no piece of the earth"),
        ((-10, 35, 150, 45), "reaches beyond the coasts in the package, which lie between -75 and 112 degrees east"),
        ((-10, 35, 150, 45), "or between -93 and -30 degrees east and -60 and 24 degrees north"),
        ((-40, 40, -30, 48), "there is no land between these degrees"),
    ],
)
def test_a_piece_of_the_earth_that_cannot_be_is_refused_in_a_sentence(extent: Extent, sentence: str) -> None:
    with pytest.raises(InvalidFigure) as fault:
        sketch_map("Nowhere", extent, 10, 4)
    assert sentence in str(fault.value)

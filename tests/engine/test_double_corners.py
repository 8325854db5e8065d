"""Corners of the same areas: how they are told apart, and when they cannot be."""

from collections.abc import Mapping

import pytest

from plenipo.engine.board import Coast, Code, Corner, Location
from plenipo.engine.double_corners import Double, areas_of, told_apart
from plenipo.errors import InvalidFigure

Lists = Mapping[Code, tuple[Code | None, ...]]


def borders(text: str) -> Lists:
    """`A: B C *` and so on, with semicolons between."""
    rows = (row.split(":") for row in text.split(";"))
    return {Code(area.strip()): tuple(None if c == "*" else Code(c) for c in near.split()) for area, near in rows}


def corner(text: str) -> Corner:
    places = (part.partition("-") for part in text.split())
    return Corner(tuple(Location(Code(area), Coast(coast)) for area, _, coast in places))


ISLAND = borders("I: S N; N: S I S * ; S: N I N *")
CAPE = borders("A: B C D; B: C A D; C: D A B; D: A C B")


def test_a_corner_of_its_own_areas_keeps_its_name() -> None:
    assert [str(c) for c in told_apart([corner("B C D"), corner("A B C")], CAPE)] == ["[A/B/C]", "[B/C/D]"]


def test_two_of_the_same_areas_are_named_clockwise_both_ways_round() -> None:
    found = told_apart([corner("I N S")] * 2, ISLAND)
    assert [str(c) for c in found] == ["[I>N>S]", "[I>S>N]"]
    assert all(isinstance(c, Double) for c in found)
    assert {tuple(sorted(c.touches)) for c in found} == {corner("I N S").touches}


def test_coasts_that_tell_two_corners_apart_are_enough() -> None:
    found = told_apart([corner("I-NC N S"), corner("I-SC N S")], ISLAND)
    assert [str(c) for c in found] == ["[I(nc)/N/S]", "[I(sc)/N/S]"]


def test_two_corners_of_the_same_four_areas_differ_too() -> None:
    # two rings of four quarters each, glued along their rims: A B C D clockwise at one end, the other way at the other
    ring = borders("A: B D; B: C A; C: D B; D: A C")
    assert [str(c) for c in told_apart([corner("A B C D")] * 2, ring)] == ["[A>B>C>D]", "[A>D>C>B]"]


def test_the_ends_of_an_island_differ_without_borders() -> None:
    assert told_apart([corner("I N S")] * 2, {}) == told_apart([corner("I N S")] * 2, ISLAND)


def test_meetings_of_four_areas_that_the_borders_do_not_show_are_refused() -> None:
    with pytest.raises(InvalidFigure, match=r"^2 corners of A, B, C, D cannot be distinguished: "):
        told_apart([corner("A B C D")] * 2, borders("A: B D; B: C A; C: D B; D: A *"))


def test_three_points_of_the_same_areas_are_no_plane_figure() -> None:
    with pytest.raises(InvalidFigure, match=r"^3 corners of I, N, S have the same coasts; a plane has room for two$"):
        told_apart([corner("I N S")] * 3, ISLAND)


def test_the_areas_of_a_corner_are_read_off_its_name() -> None:
    assert areas_of(Code("[AEG/BUL(sc)/CON]")) == ("AEG", "BUL", "CON")
    assert areas_of(Code("[I>S>N]")) == ("I", "S", "N")
    assert areas_of(Code("STP")) == ()

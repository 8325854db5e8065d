"""The routes of moves: through the areas they leave and enter, however these bend, and nothing else."""

from dataclasses import replace
from functools import partial
from math import dist

import pytest

from plenipo.charts import chart
from plenipo.engine.board import Location
from plenipo.maps.draw.arrows import Bend, DrawableLine, Route
from plenipo.maps.draw.base import Base, base_of
from plenipo.maps.draw.routes import KEPT, Routes, pairs_on
from plenipo.maps.lettering.label_search import refit
from plenipo.maps.lettering.placements import Placements, RoutePlacement, point_of

ON = chart("standard")

VEN = Location.from_text("VEN")


def base() -> Base:
    return base_of(ON.figure, ON.placements)


def route(a: str, b: str) -> DrawableLine:
    here, to = Location.from_text(a), Location.from_text(b)
    start, end = (base().plane.at(point_of(ON.placements.units, location)) for location in (here, to))
    return base().routes.between(here, to, start, end)


def areas_along(line: DrawableLine) -> list[str]:
    """The areas a line passes through, in order; those it only grazes are left out."""
    count = round(line.length / 2)
    spots = [line.at(i / count) for i in range(count + 1)]
    here = [next((c for c in base().shapes.rings if base().shapes.holds(c, spot)), "") for spot in spots]
    passed = [code for code in here if 2 * here.count(code) > 8]
    return [code for i, code in enumerate(passed) if i == 0 or passed[i - 1] != code]


def test_a_move_between_areas_side_by_side_is_a_plain_bend() -> None:
    assert isinstance(route("PAR", "BUR"), Bend)


@pytest.mark.parametrize(
    ("a", "b"),
    [("VEN", "TRI"), ("NWY", "STP"), ("NWY", "STP/NC"), ("ENG", "NTH"), ("LVP", "NAT"), ("EDI", "NRG"), ("MID", "WES")],
)
def test_a_move_that_would_cut_a_corner_goes_over_the_border(a: str, b: str) -> None:
    assert isinstance(route(a, b), Route)
    areas = [Location.from_text(end).space for end in (a, b)]
    assert areas_along(route(a, b)) == areas
    assert areas_along(route(b, a)) == areas[::-1]


def test_moves_against_each_other_keep_apart() -> None:
    there, back = route("VEN", "TRI"), route("TRI", "VEN")
    assert dist(there.at(0.5), back.at(0.5)) > 5


def test_the_same_move_has_the_same_line() -> None:
    assert route("VEN", "TRI") is route("VEN", "TRI")


@pytest.mark.parametrize("variant", ["standard", "corner", "napoleonic", "cline", "irish"])
def test_the_placements_of_a_map_bring_the_route_of_every_move(variant: str) -> None:
    on = chart(variant)
    assert set(pairs_on(on.board)) <= on.placements.routes.keys()


def test_a_route_that_no_placements_bring_is_searched_for() -> None:
    bare = Placements.from_json(ON.placements.to_json())
    routes = Routes(base().shapes, bare)
    ends = (Location.from_text("TRI"), Location.from_text("VEN"))
    assert routes.searched(*ends) == ON.placements.routes[ends] != RoutePlacement()


def test_what_is_remembered_of_orders_is_made_once_and_the_oldest_forgotten() -> None:
    routes, made = Routes(base().shapes, ON.placements), list[int]()
    for number in (1, 2, 1, *range(KEPT + 1), 0):
        assert routes.get_or_compute(number, partial(lambda n: made.append(n) or n, number)) == number  # type: ignore[func-returns-value]
    assert made == [1, 2, *(n for n in range(KEPT + 1) if n not in (1, 2)), 0]


def test_only_the_routes_to_what_changed_are_forgotten() -> None:
    same = refit(ON.figure, ON.board, ON.placements, ())
    assert same.routes == ON.placements.routes
    # a unit that stands elsewhere needs another way
    moved = replace(ON.placements, units={**ON.placements.units, VEN: ON.placements.units[Location.from_text("PIE")]})
    fresh = refit(ON.figure, ON.board, moved, ())
    assert {ends for ends in same.routes if VEN in ends} == same.routes.keys() - fresh.routes.keys()

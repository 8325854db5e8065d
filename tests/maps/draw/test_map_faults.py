"""The faults that `plenipo faults` finds, on small pictures and on the standard board."""

import re
from dataclasses import replace
from functools import cache

import pytest
from shapely import LineString, Point, Polygon

from plenipo.charts import Chart, chart
from plenipo.engine.board import Coast, Code, Location, UnitKind
from plenipo.engine.orders import Move, Ref, Retreat, Support
from plenipo.engine.outcome import Cause, Outcome, Reason, Resolution, Result
from plenipo.engine.position import Dislodged, Position, Unit
from plenipo.mapfaults import WIDTHS, Faults, Moves, full_board, laid_wrong, phase_counted, tiny_tokens
from plenipo.mapfaults.reading import FaultCount, ReadPicture, area_of, classes, rings_of
from plenipo.maps.lettering.placements import LEAST_ROOM, TOKEN
from plenipo.maps.lettering.typeface import CAPITAL

OF_THE_BANK = ("ancient-mediterranean", "balkan-wars", "hundred", "pure", "sengoku", "south-america", "two-shores")
"""The variants of the bank with a figure of their own."""

SVG = '<svg xmlns="http://www.w3.org/2000/svg">{}</svg>'
UNIT = '<g class="unit army" transform="translate({} {})"/>'
MOVE = '<g class="order move p-x"><path class="line" d="M0 0L200 0"/><path class="head" d="M200 0L230 10L230-10Z"/></g>'
SUPPORT = '<g class="order support p-x"><circle class="grip" cx="{}" cy="{}" r="9"/></g>'


@cache
def draw_full(variant: str) -> str:
    """Return the picture of a full board of a variant."""
    on = chart(variant)
    return on.draw(on.scene(full_board(on), legend=False))


def drawn(*parts: str) -> ReadPicture:
    return ReadPicture(SVG.format("".join(parts)))


def test_a_path_is_read_as_svg_means_it() -> None:
    assert rings_of("M10 10l3-4 0 3z") == [[(10, 10), (13, 6), (13, 9)]]
    assert rings_of("M0 0Q10 10 20 0")[0][8] == (10, 5)
    (waves,) = rings_of("M5 0q10 10 20 0t20 0 20 0l1 1")
    assert (waves[8], waves[24], waves[40], waves[-1]) == ((15, 5), (35, -5), (55, 5), (66, 1))
    assert area_of("M0 0l10 0 0 10-10 0zM2 2l2 0 0 2-2 0z").area == pytest.approx(96)


@pytest.mark.parametrize(("at", "nothing"), [((100, 5), 0), ((100, 60), 1), ((300, 60), 0), ((300, 120), 1)])
def test_a_ring_grips_a_move_or_a_unit_or_nothing(at: tuple[int, int], nothing: int) -> None:
    assert drawn(MOVE, SUPPORT.format(*at), UNIT.format(300, 0)).grips() == FaultCount(nothing, 1)


@pytest.mark.parametrize(
    ("path", "alike"),
    [
        ("M0 3L200 3", 2),
        ("M0 12L200 12", 2),
        ("M0 16L200 16", 0),
        ("M100-99L100 99", 0),
        ("M0-80L200 80", 0),
        ("M0-8L200 8", 2),
    ],
)
def test_lines_that_run_over_each_other_are_found_and_those_that_cross_are_not(path: str, alike: int) -> None:
    other = f'<g class="order move p-y"><path class="line" d="{path}"/></g>'
    assert drawn(MOVE, other).tangles() == FaultCount(alike, 2)


@pytest.mark.parametrize(("at", "covered"), [((400, 0), 0), ((230, 0), 1), ((272, 0), 0)])
def test_a_unit_covers_an_arrowhead(at: tuple[int, int], covered: int) -> None:
    assert drawn(MOVE, UNIT.format(*at)).heads() == FaultCount(covered, 1)


def test_the_areas_of_a_picture_are_those_of_its_board() -> None:
    on = chart("standard")
    picture = ReadPicture(on.draw(on.scene()))
    assert set(picture.areas) >= set(on.board.spaces)
    assert all(sum(area.contains(Point(unit)) for area in picture.areas.values()) == 1 for unit in picture.units)


@pytest.mark.parametrize(("variant", "moves"), [("standard", 504), ("napoleonic", 544)])
def test_moves_run_over_the_border_they_cross(variant: str, moves: int) -> None:
    strays, bars = Moves(chart(variant)).count_faults()
    assert (strays, bars.faults) == (FaultCount(0, moves), 0)


@pytest.mark.parametrize("variant", ["standard", "napoleonic", "cline", "irish", "corner", "1897", *OF_THE_BANK])
def test_nothing_lies_wrong_on_a_full_board_at_any_width(variant: str) -> None:
    on, svg = chart(variant), draw_full(variant)
    assert {width: list(laid_wrong(on, svg, width)) for width in WIDTHS} == {390: [], 760: [], 1600: []}


@pytest.mark.parametrize("variant", ["standard", "napoleonic", "cline", "irish", "corner", "1897"])
def test_every_unit_of_a_full_board_can_be_seen_on_a_phone(variant: str) -> None:
    assert tiny_tokens(draw_full(variant)).faults == 0


def test_a_unit_beside_its_space_must_have_a_line_that_leads_there() -> None:
    on = chart("cline")
    led = Location(Code("RUH"))
    there = on.placements.units[Location(Code("MOS"))]
    spoiled = replace(on, placements=replace(on.placements, small_units={led: there}))
    svg = spoiled.draw(spoiled.scene(Position(on.opening.phase, (Unit(on.powers[0], UnitKind.ARMY, led),))))
    assert [said for said in laid_wrong(on, svg, 390) if "the unit in RUH" in said] == []
    unled = re.sub(r'<path class="leader[^>]*>', "", svg)
    assert "the unit in RUH stands outside it" in list(laid_wrong(on, unled, 390))
    assert not [said for said in laid_wrong(on, svg, 1600) if "the unit in RUH" in said]


def test_lettering_that_touches_a_unit_is_found() -> None:
    on = chart("standard")
    at, label = on.placements.units[Location(Code("MOS"))], on.placements.small_codes[Code("MOS")]
    above = LEAST_ROOM * TOKEN * on.placements.unit + (CAPITAL / 2 + 0.02) * label.size
    beside = replace(label, at=(at[0], at[1] + round(above)))
    spoiled = replace(
        on, placements=replace(on.placements, small_codes={**on.placements.small_codes, Code("MOS"): beside})
    )
    for shown, said in ((on, []), (spoiled, ["the label of MOS touches the unit in MOS"])):
        svg = shown.draw(shown.scene(full_board(shown), legend=False))
        assert [fault for fault in laid_wrong(shown, svg, 390) if "unit in MOS" in fault] == said


def test_lettering_out_of_its_space_is_found_unless_a_line_leads_there() -> None:
    on = chart("standard")
    label = on.placements.small_codes[Code("MOS")]
    away = on.placements.units[Location(Code("MID"))]
    led = replace(label, at=away, leader=(away, on.placements.units[Location(Code("MOS"))]))
    for moved, faults in ((replace(label, at=away), 1), (led, 0)):
        spoiled = replace(on.placements, small_codes={**on.placements.small_codes, Code("MOS"): moved})
        svg = replace(on, placements=spoiled).draw()
        said = [fault for fault in laid_wrong(on, svg, 390) if "label of MOS stands outside" in fault]
        assert len(said) == faults


def beside_the_border(code: str, far: int) -> Chart:
    """The standard chart with the unit of a space so far from its border."""
    on = chart("standard")
    face = Polygon(on.figure.ring(on.figure.faces[Code(code)][0]))
    seat = on.placements.units[Location(Code(code))]
    border = face.exterior.interpolate(face.exterior.project(Point(seat)))
    way = LineString([border, Point(seat)]).interpolate(far)
    units = {**on.placements.units, Location(Code(code)): (round(way.x), round(way.y))}
    return replace(on, placements=replace(on.placements, units=units))


@pytest.mark.parametrize(("code", "far", "size"), [("MOS", 100, 5), ("MOS", 210, 7), ("MUN", 100, 5)])
def test_a_token_shrinks_where_it_would_hang_over_the_border(code: str, far: int, size: int) -> None:
    on = beside_the_border(code, far)
    svg = on.draw(on.scene(legend=False))
    (token,) = (group for group in ReadPicture(svg).root.iter() if group.get("id") == f"unit-{code}")
    assert f"t{size}" in classes(token)
    assert [fault for fault in laid_wrong(on, svg, 1600) if fault.startswith(f"the unit in {code} lies")] == []


def test_a_token_half_outside_its_space_is_found() -> None:
    on = beside_the_border("MOS", 20)
    svg = re.sub(r"(unit army p-russia) t5", r"\1", on.draw(on.scene(legend=False)))
    said = [fault for fault in laid_wrong(on, svg, 1600) if "MOS" in fault and "unit in" in fault]
    assert re.fullmatch(r"the unit in MOS lies by 4\d% outside it", said[0])


def test_tokens_too_small_to_see_are_counted() -> None:
    tokens = [f'<g class="unit army z{size}" transform="translate(0 0)"/>' for size in (5, 9, 15, 21)]
    picture = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 3900 3900">{"".join(tokens)}</svg>'
    assert tiny_tokens(picture, 390) == FaultCount(2, 4)


def drawn_wrong(variant: str, *orders: tuple[Move | Retreat | Support, Result]) -> Faults:
    """Return the faults of the map with these orders and results; a unit that retreats is dislodged."""
    on = chart(variant)
    given = [(Unit(on.powers[0], order.unit.kind or A, order.unit.location), order, result) for order, result in orders]
    outcomes = tuple(
        Outcome(unit.power, unit, order, result, Cause(Reason.NO_ORDER), "") for unit, order, result in given
    )
    position = Position(
        on.opening.phase,
        tuple(unit for unit, order, _ in given if not isinstance(order, Retreat)),
        tuple(Dislodged(unit) for unit, order, _ in given if isinstance(order, Retreat)),
    )
    return phase_counted(on, Resolution(position, outcomes, position))


def at(kind: UnitKind, space: str, coast: str = "") -> Ref:
    return Ref(kind, Location(Code(space), Coast(coast)))


A, F = UnitKind.ARMY, UnitKind.FLEET
BEL, POR = Location(Code("BEL")), Location(Code("POR"))
NORTHWARD = Move(at(A, "STP"), Location(Code("NWY")))


@pytest.mark.parametrize(
    ("variant", "orders"),
    [
        ("standard", [(NORTHWARD, Result.FAILS), (Support(at(F, "SWE"), at(A, "STP"), NORTHWARD.to), Result.SUPPORTS)]),
        ("cline", [(NORTHWARD, Result.FAILS), (Support(at(F, "SWE"), at(A, "STP"), NORTHWARD.to), Result.SUPPORTS)]),
        ("cline", [(Retreat(at(F, "NWY"), Location(Code("SKA"))), Result.RETREATS)]),
        ("cline", [(Retreat(at(A, "DEN"), Location(Code("SWE"))), Result.RETREATS)]),
    ],
)
def test_supports_and_retreats_run_through_no_third_area(
    variant: str, orders: list[tuple[Move | Retreat | Support, Result]]
) -> None:
    counted = drawn_wrong(variant, *orders)
    assert (counted.strays.faults, counted.bars.faults, counted.supports.faults, counted.grips.faults) == (0, 0, 0, 0)
    assert counted.strays.of == 1


@pytest.mark.parametrize(
    ("variant", "support", "moved"),
    [
        ("corner", Support(at(F, "RUM"), at(A, "MOS"), Location(Code("SEV"))), Result.FAILS),
        ("standard", Support(at(F, "RUM"), at(A, "ARM"), Location(Code("SEV"))), Result.FAILS),
        ("cline", Support(at(F, "MOR"), at(A, "SPA"), Location(Code("ALG"))), Result.FAILS),
        ("cline", Support(at(A, "BUL"), at(A, "SMY"), Location(Code("GRE"))), Result.FAILS),
    ],
)
def test_supports_of_long_moves_run_where_these_run_and_through_no_third_area(
    variant: str, support: Support, moved: Result
) -> None:
    assert support.to is not None
    counted = drawn_wrong(variant, (Move(support.other, support.to), moved), (support, Result.SUPPORTS))
    assert (counted.supports, counted.grips) == (FaultCount(0, 1), FaultCount(0, 1))


@pytest.mark.parametrize(
    ("variant", "orders"),
    [
        # two that support each other, a support that would come along the move, and one that meets it at a sharp angle
        ("standard", [Support(at(F, "RUM"), at(A, "SEV")), Support(at(A, "SEV"), at(F, "RUM"))]),
        ("napoleonic", [Support(at(F, "MID"), at(F, "SPA")), Support(at(F, "SPA"), at(F, "MID"), POR)]),
        ("cline", [NORTHWARD, Support(at(F, "SWE"), at(A, "STP"), NORTHWARD.to)]),
        ("corner", [Move(at(F, "ENG"), BEL), Support(at(A, "BUR"), at(F, "ENG"), BEL)]),
    ],
)
def test_the_lines_of_two_orders_are_distinguishable(variant: str, orders: list[Move | Retreat | Support]) -> None:
    for moved in (Result.MOVES, Result.FAILS):
        given = [(order, Result.SUPPORTS if isinstance(order, Support) else moved) for order in orders]
        counted = drawn_wrong(variant, *given)
        assert (counted.tangles, counted.strays.faults, counted.supports.faults) == (FaultCount(0, len(orders)), 0, 0)


@pytest.mark.parametrize(
    ("variant", "units"),
    [("corner", [at(F, "[BEL/HOL/NTH]"), at(A, "BEL"), at(A, "HOL")]), ("cline", [at(F, "SPA", "SC")])],
)
def test_a_token_on_a_corner_or_a_coast_leaves_codes_of_a_small_picture_free(variant: str, units: list[Ref]) -> None:
    on = chart(variant)
    standing = tuple(Unit(on.powers[0], unit.kind or A, unit.location) for unit in units)
    svg = on.draw(on.scene(Position(on.opening.phase, standing), legend=False))
    assert list(laid_wrong(on, svg, 390)) == []

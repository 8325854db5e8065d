"""Convoys as they are drawn, on boards that were not drawn with each other in mind: parsed from the picture."""

from dataclasses import replace
from xml.etree import ElementTree as ET

import pytest
from shapely import LineString, Point, Polygon

from plenipo.charts import Chart, chart
from plenipo.engine.board import Coast, Code, Location, UnitKind
from plenipo.engine.calendar import PhaseKind
from plenipo.engine.history.game import Game
from plenipo.engine.orders import Move, Ref
from plenipo.engine.outcome import Resolution
from plenipo.engine.position import Power, Unit
from plenipo.mapfaults.orders import OrderFaults, order_faults
from plenipo.mapfaults.reading import FaultCount, ReadPicture, classes, parts_of
from plenipo.maps.draw.convoys import Convoys, Passage

TURKISH = ("standard", "Turkey: A CON, A BUL; Russia: F BLA, A SEV")
"""A Turkish army that no fleet carries over the Black Sea, where a Russian fleet stands."""


def played(variant: str, units: str, orders: str) -> tuple[Chart, Resolution]:
    """Process some orders to some units, each written as `France: A PAR, F BRE; Italy: A ROM`."""
    on = chart(variant)
    assert on.rules is not None
    standing = []
    for group in units.split("; "):
        power, texts = group.split(": ")
        for text in texts.split(", "):
            space, _, coast = text[2:].partition("/")
            standing.append(Unit(Power(power), UnitKind(text[0]), Location(Code(space), Coast(coast))))
    given = {Power(power): texts.split(", ") for power, texts in (part.split(": ") for part in orders.split("; "))}
    first = on.rules.opening.phase
    later = (phase for phase in on.rules.calendar.after(first) if phase.kind is PhaseKind.MOVEMENT)
    phase = first if first.kind is PhaseKind.MOVEMENT else next(later)
    game = Game(on.rules, replace(on.rules.opening, phase=phase, units=tuple(standing)))
    return on, game.process(given).turns[-1].resolution


def seen(variant: str, units: str, orders: str) -> tuple[ReadPicture, OrderFaults]:
    """The picture of what came of the orders, and what misleads in it."""
    on, resolution = played(variant, units, orders)
    drawn = ReadPicture(on.draw(on.scene(resolution=resolution, legend=False)))
    return drawn, order_faults(on.at(resolution.before), drawn, resolution)


def group_of(drawn: ReadPicture, order: str) -> ET.Element:
    return next(group for group in drawn.root.iter() if group.findtext("{*}title") == order)


CONVOYS = [
    # no fleet is ordered; none stands there; one is dislodged; the chain is whole and the landing repelled
    ("standard", "Turkey: A CON; Russia: F BLA", "Turkey: A CON - RUM VIA; Russia: F BLA H"),
    (
        "standard",
        "Germany: A KIE, F HEL; England: F NTH",
        "Germany: A KIE - LON, F HEL C A KIE - LON; England: F NTH H",
    ),
    ("standard", "Russia: A STP; Germany: F BOT, F SWE", "Russia: A STP - SWE VIA; Germany: F BOT H, F SWE H"),
    (
        "standard",
        "England: A LON, F NTH; Germany: F DEN, F HEL; Russia: A NWY",
        "England: A LON - NWY, F NTH C A LON - NWY; Germany: F HEL - NTH, F DEN S F HEL - NTH; Russia: A NWY H",
    ),
    (
        "standard",
        "France: F MID, F WES, A BRE, F TYN; Italy: A NAP",
        "France: A BRE - NAP, F MID C A BRE - NAP, F WES C A BRE - NAP, F TYN C A BRE - NAP; Italy: A NAP H",
    ),
    ("chaos", "Portugal: A POR; Spain: F MID", "Portugal: A POR - NAF VIA; Spain: F MID H"),
    ("ancient-mediterranean", "Greece: A ATH; Rome: F ION, F AUS", "Greece: A ATH - APU; Rome: F ION H, F AUS H"),
]


@pytest.mark.parametrize(("variant", "units", "orders"), CONVOYS)
def test_a_convoyed_move_is_drawn_over_no_land_that_takes_no_part(variant: str, units: str, orders: str) -> None:
    _, counted = seen(variant, units, orders)
    assert counted.overland.of >= 1
    assert (counted.overland.faults, counted.unbarred.faults) == (0, 0)


def test_a_broken_convoy_ends_at_the_fleet_that_did_not_carry_it() -> None:
    drawn, _ = seen(*TURKISH, "Turkey: A CON - RUM VIA, A BUL H; Russia: F BLA H, A SEV H")
    on = chart("standard")
    group = group_of(drawn, "A CON - RUM VIA")
    end = Point(parts_of(group, "line")[0][-1])
    fleet = Point(next(unit for unit in drawn.units if drawn.areas[Code("BLA")].contains(Point(unit))))
    assert {"convoyed", "failed", "broken"} <= classes(group)
    assert drawn.areas[Code("BLA")].contains(end)
    assert 45 < end.distance(fleet) < 75
    assert on.board.spaces[Code("BLA")].name == "Black Sea"


def test_a_convoy_without_a_fleet_breaks_off_a_little_way_out_at_sea() -> None:
    on = chart("standard")
    position = replace(on.opening, units=(Unit(Power("Turkey"), UnitKind.ARMY, Location(Code("CON"))),))
    order = Move(Ref(UnitKind.ARMY, Location(Code("CON"))), Location(Code("RUM")), via=True)
    drawn = ReadPicture(on.draw(on.scene(position, orders=(order,), legend=False)))
    group = group_of(drawn, "A CON - RUM VIA")
    end = Point(parts_of(group, "line")[0][-1])
    assert drawn.areas[Code("BLA")].contains(end)
    assert drawn.areas[Code("CON")].distance(end) < 70
    assert not parts_of(group, "bar")  # nothing is known of it yet


@pytest.mark.parametrize(
    ("units", "orders", "of"),
    [
        (TURKISH[1], "Turkey: A CON - RUM VIA, A BUL S A CON - RUM; Russia: F BLA H, A SEV H", 1),
        (
            "Turkey: A BUL, F SEV, F BLA, A ARM; Russia: A RUM",
            "Turkey: A BUL S A ARM - RUM, F SEV S A ARM - RUM, F BLA C A ARM - RUM, A ARM - RUM; Russia: A RUM H",
            2,
        ),
        (
            "Turkey: A BUL, A CON, F BLA; Russia: A SEV, A ARM",
            "Turkey: A BUL H, A CON - SEV, F BLA C A CON - SEV; Russia: A ARM S A SEV, A SEV H",
            0,
        ),
    ],
)
def test_supports_of_a_convoyed_move_end_where_it_lands(units: str, orders: str, of: int) -> None:
    drawn, counted = seen("standard", units, orders)
    assert counted.astray == FaultCount(0, of)
    assert drawn.grips().faults == 0


@pytest.mark.parametrize(
    ("units", "orders", "order"),
    [
        ("Russia: A MOS, A SEV", "Russia: A MOS - ANK, A SEV H", "A MOS - ANK"),
        ("Russia: A MOS, A SEV", "Russia: A MOS S A SEV - UKR, A SEV H", "A MOS S A SEV - UKR"),
        ("France: A BRE, F MID", "France: A BRE H, F MID C A BRE - POR", "F MID C A BRE - POR"),
    ],
)
def test_an_order_that_counts_for_nothing_is_a_short_stub(units: str, orders: str, order: str) -> None:
    drawn, counted = seen("standard", units, orders)
    assert counted.long == FaultCount(0, 1)
    assert "void" in classes(group_of(drawn, order))


@pytest.mark.parametrize("variant", ["cline", "napoleonic"])
def test_a_failed_move_between_units_that_stand_on_the_border_has_its_bar_beside_them(variant: str) -> None:
    on = chart(variant)
    placements = on.placements.units
    close = sorted(
        {(here, to) for here, tos in on.board.armies.items() for to in tos},
        key=lambda pair: Point(placements[Location(pair[0])]).distance(Point(placements[Location(pair[1])])),
    )
    for here, to in close[:5]:
        power = on.powers[0]
        drawn, counted = seen(variant, f"{power}: A {here}, A {to}", f"{power}: A {here} - {to}, A {to} H")
        assert counted.unbarred == FaultCount(0, 1), (here, to)
        (bar,) = parts_of(group_of(drawn, f"A {here} - {to}"), "bar")
        token = Polygon([(x, y) for x, y in Point(drawn.units[0]).buffer(36).exterior.coords])
        assert LineString(bar).centroid.distance(token) > 0, (here, to)


def test_the_way_of_a_convoy_runs_over_the_seas_of_the_fleets_that_were_ordered() -> None:
    on, resolution = played(
        "standard",
        "England: A LON, F NTH, F ENG",
        "England: A LON - BEL, F NTH C A LON - BEL, F ENG H",
    )
    convoys = Convoys(on.board, on.scene(resolution=resolution))
    assert convoys.passage(Code("LON"), Code("BEL")) == Passage((Code("NTH"),), 1)
    assert convoys.passage(Code("LON"), Code("TUN")) is not None
    assert convoys.passage(Code("LON"), Code("MUN")) is None


def test_a_chain_with_a_gap_is_carried_up_to_the_gap() -> None:
    on, resolution = played("standard", "France: A BRE, F MID", "France: A BRE - TUN VIA, F MID C A BRE - TUN")
    passage = Convoys(on.board, on.scene(resolution=resolution)).passage(Code("BRE"), Code("TUN"))
    assert passage is not None
    assert not passage.whole
    assert passage.seas[passage.carried] == Code("WES") or passage.carried == 0

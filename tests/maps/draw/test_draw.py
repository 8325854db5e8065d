"""The drawn map: what every picture must contain, checked on the SVG itself."""

import hashlib
import importlib.util
import math
import re
import sys
from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from pathlib import Path
from random import Random
from types import ModuleType
from xml.etree import ElementTree as ET

import pytest
from shapely.geometry import LineString, Point

from plenipo import library
from plenipo.charts import chart
from plenipo.engine.board import Coast, Code, Location, UnitKind
from plenipo.engine.orders import Choose, Convoy, Move, Ref, Support
from plenipo.engine.phases.step import process
from plenipo.engine.place_rules import KINDS
from plenipo.engine.position import Dislodged, Power, Unit
from plenipo.engine.reading.notation import notation_of
from plenipo.errors import ImpossiblePosition, InvalidFigure, InvalidVariant, UnknownName
from plenipo.mapfaults.reading import rings_of
from plenipo.maps import draw as draw_module
from plenipo.maps.draw import Scene, Theme, draw, view_box
from plenipo.maps.draw.base import base_of
from plenipo.maps.draw.paths import DISC, ROUGH, SOFT, THIN, Plane, Shapes, bent, curve, path, thin_line, with_detail
from plenipo.maps.draw.stylesheet import RULES, TOKENS
from plenipo.maps.draw.theme import slug, tags
from plenipo.maps.figure.segments import contains
from plenipo.maps.lettering.overlaps import overlaps
from plenipo.maps.lettering.typeface import width_of
from strategies import by_power, dense_position, movement_orders, scattered_position, small_position

SVG = "{http://www.w3.org/2000/svg}"
MOST_BYTES = 350_000

CHART = chart("standard")
FRANCE = Power("France")


@cache
def gallery() -> ModuleType:
    """The script that draws the gallery, as a module."""
    file = Path(__file__).parents[3] / "scripts" / "gallery.py"
    spec = importlib.util.spec_from_file_location("gallery", file)
    assert spec
    assert spec.loader
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


@cache
def svgs() -> dict[str, str]:
    """Every picture of the gallery."""
    return {picture.name: gallery().drawn(CHART, picture) for picture in gallery().pictures()}


PICTURES = [picture.name for picture in gallery().pictures()]


def parsed(svg: str) -> ET.Element:
    return ET.fromstring(svg)  # noqa: S314  # the drawing's own text


@cache
def tree(name: str) -> ET.Element:
    return parsed(svgs()[name])


def by_id(root: ET.Element) -> dict[str, ET.Element]:
    return {element.get("id", ""): element for element in root.iter() if element.get("id")}


def title_of(element: ET.Element) -> str:
    return element.findtext(f"{SVG}title", "")


def rings(text: str) -> Iterator[list[tuple[int, int]]]:
    """The rings of a path of relative lines, as a reader of SVG would follow it."""
    for part in re.findall(r"M([^Mz]*)z", text):
        start, _, steps = part.partition("l")
        (x, y), numbers = map(int, start.split()), list(map(int, re.findall(r"-?\d+", steps)))
        ring = [(x, y)]
        for dx, dy in zip(numbers[::2], numbers[1::2], strict=True):
            x, y = x + dx, y + dy
            ring.append((x, y))
        yield ring


def place(element: ET.Element) -> tuple[int, int]:
    x, y = re.findall(r"-?\d+", element.get("transform", ""))[:2]
    return int(x), int(y)


# every picture


@pytest.mark.parametrize("name", PICTURES)
def test_every_picture_is_sound_xml_with_a_title_a_view_and_unique_ids(name: str) -> None:
    root = tree(name)
    ids = [element.get("id") for element in root.iter() if element.get("id")]
    assert root.tag == f"{SVG}svg"
    titles = {"napoleonic": "Eckert's Napoleonic", "cline": "Cline Nine-Person", "nine-safe": "Cline Nine-Person"}
    assert title_of(root).startswith(f"{titles.get(name, 'Diplomacy')}, ")
    assert len(root.get("viewBox", "").split()) == 4
    assert len(ids) == len(set(ids))


@pytest.mark.parametrize("name", PICTURES)
def test_everything_that_is_referred_to_is_there(name: str) -> None:
    known = by_id(tree(name)).keys()
    references = set(re.findall(r'href="#([^"]+)"', svgs()[name])) | set(re.findall(r"url\(#([^)]+)\)", svgs()[name]))
    assert references
    assert references <= known


@pytest.mark.parametrize("name", PICTURES)
def test_no_picture_is_too_large(name: str) -> None:
    assert len(svgs()[name].encode()) <= MOST_BYTES


@pytest.mark.parametrize("name", PICTURES)
def test_every_class_in_a_picture_has_a_rule_or_is_a_name(name: str) -> None:
    sheet = tree(name).findtext(f"{SVG}style", "")
    ruled = set(re.findall(r"\.([a-z][\w-]*)", sheet))
    used = {word for element in tree(name).iter() for word in element.get("class", "").split()}
    names = {
        "board",
        "space",
        "army",
        "fleet",
        "unit",
        "names",
        "codes",
        "dislodged",
        "beaten",
        "new",
        "large",
        "water",
    }
    names |= {
        "link",
        "canal",
        "passage",
        "crossing",
        "closed",
        "box",
        "lane",
        "move",
        "hold-order",
        "convoyed",
        *KINDS,
        "broken",
        "disrupted",
        "failure",
        "stand-off",
        "build",
        "waive",
        "void",
        "anarchy",
    }
    assert {word for word in used - ruled - names if not word.startswith(("theme-", "p-"))} == set()


def test_the_golden_hashes_are_those_of_the_gallery() -> None:
    """After a change on purpose: `python scripts/gallery.py`, and look at every picture."""
    known = dict(line.split()[::-1] for line in (gallery().GALLERY / "hashes.txt").read_text().splitlines())
    assert {name: hashlib.sha256(svg.encode()).hexdigest() for name, svg in svgs().items()} == known


@pytest.mark.parametrize("name", ["orders", "results", "retreats", "winter", "split-and-hole", "cline"])
def test_orders_drawn_alone_are_those_of_the_picture(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    picture = next(picture for picture in gallery().pictures() if picture.name == name)
    whole = svgs()[name]
    monkeypatch.setattr(draw_module, "_Picture", None)
    layers = (picture.on or CHART).order_layers(picture.scene)
    for layer, text in layers._asdict().items():
        assert text in whole
        assert bool(text) == (f'<g id="layer-{layer}">' in whole)


def test_orders_drawn_alone_are_refused_as_the_picture_is() -> None:
    with pytest.raises(ImpossiblePosition, match="XYZ"):
        CHART.order_layers(CHART.scene(replace(CHART.opening, owners={Code("XYZ"): FRANCE})))


def test_the_same_scene_gives_the_same_text() -> None:
    assert CHART.draw(CHART.scene()) == CHART.draw(CHART.scene())


# layers, spaces, units


def test_the_layers_lie_in_their_order() -> None:
    found = re.findall(r'<g id="layer-([a-z-]+)"', svgs()["results"])
    order = "water land ownership inland-water borders annotations centres orders names units signs legend".split()
    assert found == order


def test_every_space_has_its_element_and_says_what_it_is() -> None:
    ids = by_id(tree("opening"))
    for code, space in CHART.board.spaces.items():
        element = ids[f"space-{code}"]
        assert title_of(element).startswith(f"{space.name} ({code}), ")
        assert "space" in element.get("class", "").split()
    assert title_of(ids["space-PAR"]) == "Paris (PAR), inland, supply centre of France. Army of France"
    assert title_of(ids["space-SWI"]) == "Switzerland (SWI), nobody may enter"
    assert title_of(ids["space-NTH"]) == "North Sea (NTH), sea"


def test_every_seat_lies_in_its_own_space_as_drawn() -> None:
    ids, plane = by_id(tree("opening")), Plane.of(CHART.figure, CHART.placements.unit)
    places = [(location.space, point) for location, point in CHART.placements.units.items()] + list(
        CHART.placements.centres.items()
    )
    for code, point in places:
        outer = rings_of(ids[f"space-{code}"].get("d", ""))[0]
        assert contains([(round(x), round(y)) for x, y in outer], plane.at(point)), f"{code} at {point}"


def test_every_unit_stands_on_its_seat_and_says_whose_it_is() -> None:
    ids, plane = by_id(tree("opening")), Plane.of(CHART.figure, CHART.placements.unit)
    for unit in CHART.opening.units:
        element = ids[f"unit-{unit.space}"]
        kind = "army" if unit.kind is UnitKind.ARMY else "fleet"
        assert {"unit", kind, f"p-{unit.power.lower()}"} <= set(element.get("class", "").split())
        assert place(element) == plane.at(CHART.placements.units[unit.location])
        assert unit.power in title_of(element)
    assert title_of(ids["unit-STP"]) == "Fleet in St Petersburg (sc), Russia"


def test_a_unit_says_its_order_and_what_came_of_it() -> None:
    titles = {key: title_of(element) for key, element in by_id(tree("results")).items() if key.startswith("unit-")}
    assert titles["unit-PAR"].startswith("Army in Paris, France. A PAR S A BUR: supports. ")
    assert titles["unit-TRI"].startswith("Fleet in Trieste, Austria. F TRI S F GRE - ALB: cut. ")
    assert titles["unit-BER"].startswith("Army in Berlin, Germany. A BER - WAR: void. ")
    assert len(titles) == 34


def test_owners_fill_centres_and_what_follows_them() -> None:
    ids = by_id(tree("opening"))
    assert "p-france" in ids["space-PAR"].get("class", "").split()
    assert "p-france" in ids["space-BUR"].get("class", "").split()
    assert "p-" not in ids["space-SPA"].get("class", "")


def test_dislodged_units_stand_beside_their_attackers() -> None:
    ids, plane = by_id(tree("retreats")), Plane.of(CHART.figure, CHART.placements.unit)
    here, aside = ids["unit-NWY"], ids["dislodged-NWY"]
    assert "p-russia" in here.get("class", "")
    assert "p-england" in aside.get("class", "")
    assert place(aside) == plane.at(CHART.placements.dislodged[Location(Code("NWY"))])
    assert ", dislodged by A STP of Russia" in title_of(aside)


def test_silhouettes_differ_without_colour() -> None:
    army, fleet = by_id(tree("print"))["army"], by_id(tree("print"))["fleet"]
    assert {child.tag for child in army} != {child.tag for child in fleet}


def test_corners_are_nodes_with_their_names() -> None:
    corners = [e for e in tree("codes").iter() if "corner" in e.get("class", "").split()]
    assert len(corners) == len(CHART.board.corners)
    assert {e.get("data-corner") for e in corners} == {str(corner) for corner in CHART.board.corners}
    assert not any("corner" in e.get("class", "").split() for e in tree("opening").iter())


def test_narrow_pictures_show_codes() -> None:
    sheet = tree("opening").findtext(f"{SVG}style", "")
    narrow = sheet.partition("@media (max-width:1000px)")[2]
    assert ".large{display:none}" in narrow
    assert ".small{display:inline}" in narrow
    centres, codes = (e for e in tree("opening").iter() if e.get("class") == "compact small")
    assert {e.text for e in codes.iter(f"{SVG}text")} >= {"PAR", "STP"}
    assert len(centres) == len(CHART.board.centres)


def test_text_stays_text() -> None:
    words = "".join(tree("opening").itertext())
    for space in CHART.board.spaces.values():
        assert space.name.split()[0].split("-")[0][:8] in words


def test_a_curved_name_has_room_for_a_wider_face() -> None:
    # without this font another is used, and letters beyond the end of their line are not drawn at all
    root = tree("opening")
    lines = by_id(root)
    names = [text for text in root.iter(f"{SVG}text") if text.find(f"{SVG}textPath") is not None]
    assert names
    for text in names:
        run = text.find(f"{SVG}textPath")
        assert run is not None
        numbers = [int(number) for number in re.findall(r"-?\d+", lines[run.attrib["href"][1:]].attrib["d"])]
        letters = run.text or ""
        wide = width_of(letters, water=True) * float(text.attrib["font-size"])
        wide += float(text.get("letter-spacing", 0)) * len(letters)
        assert math.dist(numbers[:2], numbers[-2:]) > 1.25 * wide, letters


def test_labels_can_be_left_out() -> None:
    assert 'id="layer-names"' not in CHART.draw(CHART.scene(labels="none"))


# orders and results


def groups(name: str, *kinds: str) -> list[ET.Element]:
    return [e for e in tree(name).iter(f"{SVG}g") if set(kinds) <= set(e.get("class", "").split())]


@pytest.mark.parametrize(
    ("picture", "kinds", "count"),
    [
        ("orders", "move", 17),
        ("orders", "support", 11),
        ("orders", "convoy", 2),
        ("orders", "hold-order", 4),
        ("orders", "failed", 0),
        ("results", "move failed", 9),
        ("results", "move convoyed", 2),
        ("results", "support cut", 1),
        ("results", "support void", 1),
        ("results", "convoy disrupted", 1),
        ("results", "hold-order", 2),
        ("results", "failure stand-off", 3),
        ("results", "unit beaten", 3),
        ("retreats", "retreat", 2),
        ("retreats", "strike", 1),
        ("winter", "strike", 2),
        ("winter", "unit new", 2),
        ("winter", "build", 2),
        ("winter", "waive", 1),
    ],
)
def test_every_order_and_result_is_drawn(picture: str, kinds: str, count: int) -> None:
    assert len(groups(picture, *kinds.split())) == count


def test_powers_not_listed_in_the_scene_are_drawn_as_well() -> None:
    scene = Scene(CHART.opening, powers=(Power("Oz"), FRANCE), legend=True)
    assert scene.everyone[:2] == ("Oz", "France")
    assert set(scene.everyone) == {"Oz", *library.load("standard").names}
    assert "p-turkey" in CHART.draw(scene, "print")


def test_a_choice_is_marked_where_it_lies() -> None:
    paris = Location(Code("PAR"))
    svg = CHART.draw(CHART.scene(orders=(Choose(Ref(None, paris)),)))
    x, y = Plane.of(CHART.figure, CHART.placements.unit).at(CHART.placements.units[paris])
    assert f'<use href="#choice" transform="translate({x} {y})"/>' in svg


def test_the_legend_of_many_powers_stays_within_the_margin() -> None:
    powers = tuple(Power(f"The Republic of {i}") for i in range(23))
    empty = replace(CHART.opening, units=(), owners={}, homes={})
    root = parsed(CHART.draw(replace(CHART.scene(empty), powers=powers)))
    west, north, width, height = map(int, root.get("viewBox", "").split())
    counts = [e for e in root.iter(f"{SVG}text") if e.get("class") == "count"]
    assert len(counts) == 23
    assert all(west < int(e.get("x", "")) < west + width - 400 for e in counts)
    assert all(north < int(e.get("y", "")) < north + height - 10 for e in counts)


def test_coasts_are_named_where_there_are_several_and_no_fleet_stands() -> None:
    def named(*units: Unit) -> list[tuple[int, int]]:
        root = parsed(CHART.draw(CHART.scene(replace(CHART.opening, units=units))))
        texts = [text for text in root.iter(f"{SVG}text") if text.get("class") == "coast-name"]
        assert all(text.text in ("NC", "SC", "EC") for text in texts)
        return [(int(text.get("x", "")), int(text.get("y", ""))) for text in texts]

    several = [code for code, space in CHART.board.spaces.items() if len(space.coasts) > 1]
    plane, units = Plane.of(CHART.figure, CHART.placements.unit), CHART.placements.units
    places = {loc: plane.at(at) for loc, at in units.items() if loc.space in several and loc.coast}
    assert len(places) == 6
    assert sorted(named()) == sorted((x, y + 10) for x, y in places.values())
    north = Location(Code("SPA"), Coast("NC"))
    fleet = Unit(FRANCE, UnitKind.FLEET, north)
    assert sorted(named(fleet)) == sorted((x, y + 10) for there, (x, y) in places.items() if there != north)


def test_opposed_moves_bend_apart() -> None:
    units = (Unit(FRANCE, UnitKind.ARMY, Location(Code("PAR"))), Unit(FRANCE, UnitKind.ARMY, Location(Code("BUR"))))
    position = replace(CHART.opening, units=units)
    notation = notation_of(library.load("standard"))
    orders = tuple(notation.read(text, position.phase.kind) for text in ("A PAR - BUR", "A BUR - PAR"))
    lines = re.findall(
        r'class="line" d="M(\d+) (\d+)Q(\d+) (\d+) (\d+) (\d+)"', CHART.draw(CHART.scene(position, orders=orders))
    )
    (_, _, mx, my, _, _), (_, _, nx, ny, _, _) = (tuple(map(int, line)) for line in lines)
    assert abs(mx - nx) + abs(my - ny) > 20


def test_a_move_stops_short_of_the_unit_it_meets() -> None:
    plane = Plane.of(CHART.figure, CHART.placements.unit)
    x, y = plane.at(CHART.placements.units[Location(Code("BUR"))])
    group = next(e for e in groups("orders", "move") if title_of(e) == "A MUN - BUR")
    tip = next(e for e in group.iter() if e.get("class") == "head").get("d", "")
    corners = [tuple(map(int, pair.split())) for pair in tip.strip("MZ").split("L")]
    assert min((x - a) ** 2 + (y - b) ** 2 for a, b in corners) > DISC**2


def test_an_order_to_a_space_without_unit_placement_is_a_mark_on_its_unit() -> None:
    rules = library.load("standard")
    unit = next(unit for unit in rules.opening.units if unit.space == "MUN")
    order = Move(unit.ref, Location(Code("SWI")))
    resolution = process(rules, rules.opening, by_power(rules.opening, [order]))
    root = parsed(CHART.draw(CHART.scene(resolution=resolution)))
    assert [g for g in root.iter() if "failure" in g.get("class", "").split()]


def test_a_stand_off_is_marked_only_where_no_unit_entered() -> None:
    """Two enter a vacant place with different strength: one arrives, and the place is not fought for in vain."""
    rules = library.load("standard")
    refs = {unit.space: Ref(unit.kind, unit.location) for unit in rules.opening.units}
    to = {code: Location(Code(code)) for code in ("GAL", "BLA")}
    move = {
        start: Move(refs[Code(start)], to["BLA" if start in ("SEV", "ANK") else "GAL"])
        for start in ("VIE", "WAR", "SEV", "ANK")
    }
    orders: list[Move | Support] = [*move.values(), Support(refs[Code("BUD")], refs[Code("VIE")], to["GAL"])]
    resolution = process(rules, rules.opening, by_power(rules.opening, orders))
    root = parsed(CHART.draw(CHART.scene(resolution=resolution)))
    crosses = [g for g in root.iter() if "stand-off" in g.get("class", "").split()]
    assert len(crosses) == 1


@pytest.mark.parametrize(
    ("word", "kind"), [("walker", "walker"), ("shade", "shade"), ("hole", "hole"), ("split", "split")]
)
def test_marks_of_other_variants_are_drawn(word: str, kind: str) -> None:
    assert any(kind in e.get("class", "").split() for e in tree("marks").iter())
    assert not any(kind in e.get("class", "").split() for e in tree("results").iter()), word


@pytest.mark.parametrize("seed", range(24))
def test_whatever_is_ordered_and_whatever_comes_of_it_can_be_drawn(seed: int) -> None:
    chance, rules = Random(seed), library.load("standard")
    make = chance.choice((scattered_position, dense_position, small_position))
    position = make(chance, CHART.board, rules.names)
    orders = movement_orders(chance, CHART.board, position)
    judged = process(rules, position, by_power(position, orders))
    for scene in (CHART.scene(position, orders=orders), CHART.scene(resolution=judged), CHART.scene(judged.after)):
        svg = CHART.draw(scene)
        root = parsed(svg)
        ids = by_id(root)
        assert len(svg.encode()) <= MOST_BYTES
        assert {unit.space for unit in scene.position.units} == {key[5:] for key in ids if key.startswith("unit-")}
        assert len(scene.position.dislodged) == sum(key.startswith("dislodged-") for key in ids)
        drawn = {title_of(e) for e in root.iter(f"{SVG}g") if "order" in e.get("class", "").split()}
        assert {str(o) for _, _, o, _ in scene.given_orders if isinstance(o, Move | Support | Convoy)} <= drawn


@pytest.mark.parametrize("name", ["orders", "results", "retreats"])
def test_every_line_of_an_order_lies_within_the_frame(name: str) -> None:
    plane = Plane.of(CHART.figure, CHART.placements.unit)
    for element in tree(name).iter(f"{SVG}path"):
        if element.get("class") in ("line", "head", "bar"):
            spots = [spot for line in rings_of(element.get("d", "")) for spot in line]
            assert all(0 <= x <= plane.width and 0 <= y <= plane.height for x, y in spots)


# names from outside


def test_names_from_outside_are_escaped() -> None:
    power = Power("<b>\"&'")
    unit = Unit(power, UnitKind.ARMY, Location(Code("PAR")))
    scene = Scene(replace(CHART.opening, units=(unit,), owners={Code("PAR"): power}), title="<script>&", legend=True)
    root = parsed(CHART.draw(scene, "safe"))
    assert title_of(root) == "<script>&"
    assert power in title_of(by_id(root)["unit-PAR"])


def test_two_pictures_in_one_page_share_no_id() -> None:
    first, second = (set(by_id(parsed(CHART.draw(CHART.scene(prefix=p))))) for p in ("a-", "b-"))
    assert first
    assert not first & second


def test_the_view_can_be_cut_down() -> None:
    whole = view_box(CHART.figure, CHART.placements, ())
    west, north, width, height = map(int, view_box(CHART.figure, CHART.placements, (Code("PAR"), Code("BUR"))).split())
    assert whole.startswith("-")
    assert 0 < width * height < 0.1 * int(whole.split()[2]) * int(whole.split()[3])
    assert tree("corners").get("viewBox") != whole
    assert west > 0
    assert north > 0


# bad input


def test_a_position_that_names_other_spaces_is_refused() -> None:
    stray = replace(CHART.opening, units=(Unit(FRANCE, UnitKind.ARMY, Location(Code("OZ"))),))
    with pytest.raises(ImpossiblePosition, match="'A OZ' stands in 'OZ', which is not on the board"):
        CHART.draw(CHART.scene(stray))
    lost = replace(CHART.opening, dislodged=(Dislodged(Unit(FRANCE, UnitKind.FLEET, Location(Code("OZ")))),))
    with pytest.raises(ImpossiblePosition, match="'F OZ' stands in 'OZ'"):
        CHART.draw(CHART.scene(lost))


@pytest.mark.parametrize(
    ("scene", "sentence"),
    [
        (CHART.scene(labels="latin"), "'latin' is not a kind of label; there are names, codes, none."),
        (CHART.scene(marks={Code("OZ"): "hole"}), "'marks' names 'OZ', which is not a space of standard."),
        (CHART.scene(marks={Code("PAR"): "wall"}), "'wall' is not a mark of a space; there are hole, split, "),
        (CHART.scene(focus=(Code("OZ"),)), "'focus' names 'OZ', which is not a space of standard."),
        (replace(CHART.scene(), lands={Code("OZ"): FRANCE}), "'lands' names 'OZ', which is not a space of standard."),
    ],
)
def test_what_the_board_does_not_know_is_refused(scene: Scene, sentence: str) -> None:
    with pytest.raises(UnknownName, match=re.escape(sentence)):
        CHART.draw(scene)


def test_a_theme_there_is_none_of_is_refused() -> None:
    with pytest.raises(UnknownName, match=r"'drak' is not a theme; did you mean dark\?"):
        CHART.draw(theme="drak")
    with pytest.raises(UnknownName, match=r"'neon' is not a theme; there are dark, light, "):
        CHART.draw(theme="neon")


def test_seats_that_lack_a_space_are_refused() -> None:
    codes = {code: lettering for code, lettering in CHART.placements.codes.items() if code != "PAR"}
    with pytest.raises(InvalidFigure, match="no face and placement for PAR"):
        draw(CHART.figure, CHART.board, replace(CHART.placements, codes=codes), CHART.scene(), Theme.from_name("light"))


# themes


@pytest.mark.parametrize("name", Theme.names())
def test_a_theme_sets_every_token_and_its_sheet_uses_no_other(name: str) -> None:
    theme = Theme.from_name(name)
    sheet = theme.sheet([FRANCE])
    assert theme.tokens.keys() == TOKENS.keys()
    assert set(re.findall(r"var\(--([a-z0-9-]+)\)", sheet)) <= set(re.findall(r"--([a-z0-9-]+):", sheet))


def test_every_token_is_used() -> None:
    assert {token for token in TOKENS if f"var(--{token})" not in RULES} == set()


@pytest.mark.parametrize("name", Theme.names())
def test_strangers_get_colours_of_their_own_up_to_23_powers(name: str) -> None:
    theme = Theme.from_name(name)
    powers = [Power(f"Stranger {i}") for i in range(23)]
    found = theme.colours(powers)
    assert len({(c.land, c.ink, c.pattern) for c in found.values()}) == 23
    assert theme.colours(reversed(powers)) == found
    many = theme.colours([Power(f"Stranger {i}") for i in range(98)])
    most = 90 if len({c.land for c in many.values()}) > 1 else 24  # without colours there are only the patterns
    assert len({(c.land, c.ink, c.pattern) for c in many.values()}) >= most


def test_a_power_wears_the_colours_that_its_variant_chose() -> None:
    theme, oz = Theme.from_name("light"), Power("Oz")
    assert theme.colours([oz], {oz: "Italy"})[oz] == theme.powers["Italy"]
    both = theme.colours([oz, Power("Italy")], {oz: "Italy"})
    assert both[oz] == theme.powers["Italy"] != both[Power("Italy")]
    assert theme.colours([oz], {oz: "Nobody"}) == theme.colours([oz])


def test_known_powers_keep_their_colours_beside_strangers() -> None:
    theme = Theme.from_name("light")
    assert theme.colours([FRANCE, Power("Oz")])[FRANCE] == theme.powers["France"]


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("title =", "this is not TOML"),
        ('colour = "x"', "'colour' is not a key of a theme"),
        ('[tokens]\nsea = "#fff"', "token 'paper' is ''"),
        ("[powers]\nOz = 3", "'powers.Oz' has 3|token 'paper'"),
    ],
)
def test_a_faulty_theme_is_refused(text: str, sentence: str) -> None:
    with pytest.raises(InvalidVariant, match=sentence):
        Theme.from_toml(text, "mine")


def test_a_theme_cannot_break_out_of_its_sheet() -> None:
    tokens = "\n".join(f'{name} = "#fff"' for name in TOKENS if name != "sea-0")
    with pytest.raises(InvalidVariant, match="token 'sea-0'"):
        Theme.from_toml(f'[tokens]\nsea-0 = "red}}.x{{"\n{tokens}', "mine")


# small parts


def test_tags_tell_powers_apart() -> None:
    powers = [Power(name) for name in ("Austria", "Persia", "Papacy", "Pa")]
    found = tags(powers)
    assert len(set(found.values())) == 4
    assert found[Power("Austria")] == "A"


def test_a_slug_is_safe_in_a_class() -> None:
    assert re.fullmatch(r"[a-z0-9-]+", slug('Ö "<&> x'))


def test_a_path_ends_where_its_points_end() -> None:
    points = [(5, 5), (8, 1), (8, 1), (-3, 40), (0, 0)]
    assert next(rings(path(points, closed=True))) == [(5, 5), (8, 1), (-3, 40), (0, 0)]


@pytest.mark.parametrize("name", ["standard", "cline", "irish", "napoleonic"])
def test_how_finely_lines_are_drawn_is_kept_with_the_placements_of_every_map(name: str) -> None:
    on = chart(name)
    assert with_detail(on.figure, on.placements).detail == on.placements.detail
    known, anew = (
        Shapes(on.figure, Plane.of(on.figure, on.placements.unit), detail) for detail in (on.placements.detail, None)
    )
    assert (known.lines, known.rough, known.lines_of("river")) == (anew.lines, anew.rough, anew.lines_of("river"))


def test_a_line_drawn_at_several_tolerances_is_the_one_thinned_again_and_again() -> None:
    line = CHART.figure.lines[7]
    points = [Plane.of(CHART.figure, CHART.placements.unit).at(point) for point in line]
    shapes = Shapes(CHART.figure, Plane.of(CHART.figure, CHART.placements.unit))
    assert shapes.lines[7] == thin_line(points)
    assert shapes.rough[7] in (thin_line(thin_line(points), least) for least in (THIN, SOFT, ROUGH))


def test_a_detail_that_does_not_fit_its_line_is_worked_out_anew() -> None:
    plane, detail = Plane.of(CHART.figure, CHART.placements.unit), CHART.placements.detail
    damaged = Shapes(CHART.figure, plane, {name: digits[1:] for name, digits in detail.items()})
    assert damaged.lines == Shapes(CHART.figure, plane).lines


def test_a_coast_is_drawn_as_a_curve_that_stays_near_its_points_and_keeps_its_ends_and_sharp_corners() -> None:
    shapes = Shapes(CHART.figure, Plane.of(CHART.figure, CHART.placements.unit))
    for i in shapes.shore[:60]:
        line, (drawn,) = shapes.lines[i], rings_of(shapes.arc(i))
        assert (drawn[0], drawn[-1]) == (line[0], line[-1])
        near = LineString(drawn)
        for spot, through in bent(line):
            assert near.distance(Point(spot)) <= (0 if through else 6)


def test_a_line_drawn_from_its_other_end_is_the_same_curve() -> None:
    line = [(0, 0), (21, 3), (40, 12), (51, 31), (20, 40), (20, 53)]
    (one,), (other,) = (rings_of(curve(way)) for way in (line, line[::-1]))
    assert LineString(one).equals_exact(LineString(other[::-1]), 0.01)


def test_a_thinned_line_stays_near_the_line() -> None:
    line = [(i * 10, (i * i) % 7) for i in range(50)]
    assert thin_line(line, 10.0) == (line[0], line[-1])
    assert set(thin_line(line, 0.5)) <= set(line)
    assert len(thin_line(line, 0.5)) > 10


# a board that changed in play


def test_the_changed_board_of_the_gallery_has_no_collisions() -> None:
    on = gallery().split_chart()
    assert overlaps(on.figure, on.board, on.placements) == []


def test_the_halves_of_a_split_sea_are_spaces_of_their_own_with_the_line_between_them() -> None:
    ids, on = by_id(tree("split-and-hole")), gallery().split_chart()
    assert "space-NTH" not in ids
    for half, name in (("NTH-1", "North Sea 1"), ("NTH-2", "North Sea 2"), ("NTH-3", "North Sea 3")):
        assert title_of(ids[f"space-{half}"]).startswith(f"{name} ({half.replace('-', ' ')}), sea")
    line = next(i for i, arc in enumerate(on.figure.arcs) if arc.pair == ("NTH 1", "NTH 3"))
    border = next(e for e in tree("split-and-hole").iter() if e.get("class") == "sea-border")
    assert Shapes(on.figure, Plane.of(on.figure, on.placements.unit)).arc(line) in border.get("d", "")


def test_the_name_of_a_hole_stands_on_black() -> None:
    sunk = {"".join(e.itertext()) for e in tree("split-and-hole").iter() if "sunk" in e.get("class", "").split()}
    assert sunk == {"Tyrrhenian Sea", "Budapest", "Picardy", "TYN", "BUD", "PIC"}


# contacts without a border


@cache
def nine(variant: str, theme: str = "light") -> ET.Element:
    """The opening of one of the boards with boxes, links and canals."""
    on = chart(variant)
    return parsed(on.draw(on.scene(), theme))


def ways_in(root: ET.Element, kind: str) -> list[ET.Element]:
    return [element for element in root.iter() if element.get("class", "").split()[:2] == ["annotation", kind]]


@pytest.mark.parametrize("theme", Theme.names())
def test_every_way_has_a_title_and_its_spaces(theme: str) -> None:
    kinds = {"link": 2, "canal": 2, "passage": 5, "crossing": 2, "lane": 2}
    for kind, number in kinds.items():
        found = ways_in(nine("cline", theme), kind)
        assert len(found) == number
        assert all(title_of(element) and element.get("data-spaces") for element in found)
    assert "oppose each other" in title_of(ways_in(nine("cline", theme), "crossing")[0])
    (closed,) = ways_in(nine("napoleonic", theme), "closed")
    assert title_of(closed) == "Nobody passes the border between Murmansk and Norway"


def test_a_box_is_a_sea_with_a_name_and_a_title_outside_the_frame_and_inside_the_picture() -> None:
    root, on = nine("cline"), chart("cline")
    box = by_id(root)["space-ANT"]
    assert title_of(box) == "Antarctic Sea (ANT), sea"
    (ring,) = rings(box.get("d", ""))
    plane = Plane.of(on.figure, on.placements.unit)
    west, north, width, height = map(int, root.get("viewBox", "").split())
    assert min(y for _, y in ring) > plane.height
    assert all(west < x < west + width and north < y < north + height for x, y in ring)
    texts = {"".join(element.itertext()) for element in root.iter(f"{SVG}text")}
    assert {"Antarctic Sea", "ANT", "West Atlantic", "Indian Ocean", "WAT", "IND"} <= texts


def test_the_legend_stands_below_a_box() -> None:
    root = nine("cline")
    (ring,) = rings(by_id(root)["space-ANT"].get("d", ""))
    legend = by_id(root)["layer-legend"]
    assert min(int(text.get("y", "0")) for text in legend.iter(f"{SVG}text")) > max(y for _, y in ring) + 60


def test_nothing_but_the_ground_is_cut_off_at_the_frame() -> None:
    root = nine("cline")
    clipped = next(element for element in root if element.get("clip-path") == "url(#frame)")
    assert [layer.get("id") for layer in clipped] == [
        f"layer-{name}" for name in ("water", "land", "ownership", "inland-water", "borders")
    ]


def test_a_unit_in_a_box_its_orders_and_its_marks_are_drawn() -> None:
    on, ant, ind = chart("cline"), Location(Code("ANT")), Location(Code("IND"))
    persia = Power("Persia")
    position = replace(on.opening, units=(Unit(persia, UnitKind.FLEET, ant), Unit(persia, UnitKind.FLEET, ind)))
    orders = (Move(Ref(UnitKind.FLEET, ant), ind), Move(Ref(UnitKind.FLEET, ind), ant))
    root = parsed(on.draw(on.scene(position, orders=orders, marks={Code("ANT"): "split"})))
    plane = Plane.of(on.figure, on.placements.unit)
    assert place(by_id(root)["unit-ANT"]) == plane.at(on.placements.units[ant])
    lines = [e.get("d", "") for e in root.iter(f"{SVG}path") if e.get("class") == "line"]
    assert len(lines) == 2
    spots = [[tuple(map(float, spot.split())) for spot in line[1:].split("L")] for line in lines]
    # both go round by the margin below the map, one beside the other
    assert all(any(y > plane.height for _, y in line) for line in spots)
    assert spots[0][1:-1] != spots[1][-2:0:-1]
    assert any(e.get("class") == "split" for e in root.iter(f"{SVG}path"))


def test_a_part_of_the_map_may_be_a_box() -> None:
    on = chart("cline")
    west, north, width, height = map(int, view_box(on.figure, on.placements, (Code("ANT"),)).split())
    (ring,) = rings(by_id(nine("cline"))["space-ANT"].get("d", ""))
    assert all(west < x < west + width and north < y < north + height for x, y in ring)
    whole = [int(number) for number in view_box(on.figure, on.placements, ()).split()]
    assert whole[1] + whole[3] > max(y for _, y in ring)


@pytest.mark.parametrize(("variant", "code"), [("cline", "ASI"), ("napoleonic", "RED")])
def test_what_lies_off_the_board_is_hatched(variant: str, code: str) -> None:
    root, on = nine(variant), chart(variant)
    shape = base_of(on.figure, on.placements).shapes.outline(Code(code))
    hatched = {
        e.get("fill") for e in root.iter(f"{SVG}path") if "hatching" in e.get("class", "") and e.get("d") == shape
    }
    assert hatched == {"url(#hatching)", "url(#coarse)"}
    assert Code(code) not in on.board.spaces


def test_more_than_nine_powers_bear_letters_in_every_theme() -> None:
    powers = [Power(name) for name in ("Austria England France Germany Italy Russia Turkey Spain Sweden".split())]
    for theme in map(Theme.from_name, Theme.names()):
        assert ("--tagged:inline" in theme.sheet(powers)) == theme.tagged
        assert "--tagged:inline" in theme.sheet([*powers, Power("Greece")])


# shapes, titles and captions


@pytest.mark.parametrize(
    ("shape", "ratio"), [("share", 1200 / 630), ("square", 1.0), ("a4", 210 / 297), ("a1", 594 / 841)]
)
def test_a_picture_has_the_shape_asked_for_and_all_of_the_map(shape: str, ratio: float) -> None:
    picture = ET.fromstring(CHART.draw(CHART.scene(shape=shape, title="Ours", caption="by mail")))  # noqa: S314  # our own
    west, north, width, height = map(float, picture.get("viewBox", "").split())
    paper = shape.startswith("a")
    assert paper == picture.get("width", "").endswith("mm")
    # paper is turned as the map is
    assert width / height == pytest.approx(1 / ratio if paper and width > height else ratio, abs=0.002)
    neat = next(e for e in picture.iter() if e.get("class") == "neat")
    assert max(west, north) < 0
    assert west + width > float(neat.get("width", 0))
    assert north + height > float(neat.get("height", 0))
    assert {"Ours", "by mail"} <= {e.text for e in picture.iter(f"{SVG}text")}


def test_a_title_with_markup_is_written_as_it_stands() -> None:
    text = CHART.draw(CHART.scene(title="<b>Ours</b>"))
    assert "<b>" not in text
    assert "&lt;b&gt;Ours" in text


def test_the_legend_shows_the_letters_that_units_bear() -> None:
    def letters(name: str, theme: str) -> set[str | None]:
        picture = chart(name).draw(chart(name).scene(legend=True), theme)
        legend = by_id(ET.fromstring(picture))["layer-legend"]  # noqa: S314  # our own
        return {e.findtext(f"{SVG}text") for e in legend.iter(f"{SVG}g") if "tag" in e.get("class", "").split()}

    assert letters("standard", "light") == set()
    assert {"A", "E", "F"} <= letters("standard", "safe")
    assert len(letters("irish", "light")) == len(chart("irish").powers)


def test_an_unknown_shape_is_refused() -> None:
    with pytest.raises(UnknownName, match="'a9' is not a shape of a picture"):
        CHART.draw(CHART.scene(shape="a9"))


def shown_of_the_sheet(svg: str) -> tuple[float, float]:
    """Return the shares of the height and of the area of a picture that the map takes."""
    root = ET.fromstring(svg)  # noqa: S314  # our own picture
    _, _, width, height = map(float, root.get("viewBox", "").split())
    neat = next(e for e in root.iter() if e.get("class") == "neat")
    wide, high = float(neat.get("width", 0)), float(neat.get("height", 0))
    return high / height, wide * high / (width * height)


@pytest.mark.parametrize("variant", ["standard", "irish", "two-shores"])
def test_a_share_picture_has_the_codes_and_the_tokens_of_a_narrow_one_and_the_map_fills_its_height(
    variant: str,
) -> None:
    on = chart(variant)
    svg = on.draw(on.scene(shape="share"))
    assert "@media" not in svg
    assert ".large{display:none}" in svg
    tall, _ = shown_of_the_sheet(svg)
    assert tall >= 0.95
    sizes = [float(size) for size in re.findall(r'<text class="count" style="font-size:(\d+)px"', svg)]
    assert len(sizes) == 2 * len(on.powers)
    scale = 1200 / float(svg.partition('viewBox="')[2].split()[2])
    assert min(sizes) * scale >= 11


@pytest.mark.parametrize("variant", ["standard", "irish", "1897"])
def test_the_map_of_a_poster_fills_the_sheet_and_its_legend_stands_beside_it(variant: str) -> None:
    on = chart(variant)
    svg = on.draw(on.scene(shape="a3"))
    tall, area = shown_of_the_sheet(svg)
    assert tall >= 0.9
    assert area >= 0.62
    legend = svg.partition('layer-legend">')[2]
    assert "supply centre</text>" in legend
    assert "North is up" in legend
    assert all(float(x) < 0 for x in re.findall(r'<text class="\w+" style="[^"]*" x="(-?\d+)"', legend))

"""Cutting faces: the halves are compared with what the clockwise lists say of them, which know no drawing."""

import math
from collections.abc import Mapping
from dataclasses import replace
from functools import cache
from itertools import pairwise
from random import Random

import pytest
from shapely import LineString
from shapely import Point as Dot

from clockwise import DATA, IMPASSABLE, SEAS, bare, read
from maps.figures import STANDARD, board_of, island, quarters, standard_figure, standard_texts
from maps.figures import halves as two_faces
from plenipo.charts import chart
from plenipo.engine.board import Board, Coast, Code, Location, UnitKind
from plenipo.engine.changes import Border, half_names
from plenipo.engine.position import Position
from plenipo.errors import InvalidFigure
from plenipo.maps.cutting.cut import borders, halves, middle, split
from plenipo.maps.draw import Scene, Theme
from plenipo.maps.draw import draw as picture_of
from plenipo.maps.figure.board import SpaceText, board_from
from plenipo.maps.figure.boxes import Box
from plenipo.maps.figure.figure_files import read_figure
from plenipo.maps.figure.planar import Arc, Figure, Point
from plenipo.maps.figure.segments import area2, contains
from plenipo.maps.lettering.label_search import refit
from plenipo.maps.lettering.overlaps import overlaps
from proofs import share, so_many

Lists = dict[str, list[str]]

SAMPLES = 220


@cache
def lists() -> Mapping[str, list[str]]:
    return read(DATA / "standard_clockwise.txt")


def code(text: str) -> Code:
    return Code(text)


def drawn_lists(figure: Figure) -> Lists:
    """Return the neighbours of each face of a figure, clockwise, with `*` for the edge."""
    found: Lists = {}
    for face in figure.faces:
        stretches = figure.stretches(face)
        found[face] = ["*" if figure.outside(s[0]) else figure.beyond(s[0]) for s in stretches]
    return found


def turned(contacts: list[str]) -> tuple[str, ...]:
    """A clockwise list, from where it begins in the order of letters, without marks that tell contacts apart."""
    plain = [bare(contact) for contact in contacts]
    return min(tuple(plain[i:] + plain[:i]) for i in range(len(plain)))


def compared(found: Mapping[str, list[str]]) -> dict[str, tuple[str, ...]]:
    return {area: turned(contacts) for area, contacts in found.items()}


def split_lists(old: Mapping[str, list[str]], area: str, first: int, second: int, names: tuple[str, str]) -> Lists:
    """The lists after a split of `area` between its contacts number `first` and `second`, by the rule alone.

    X 1 has the contacts from the first to the second, X 2 those from the second back to the first. In the list of the
    first X becomes X 1, X 2, in that of the second X 2, X 1; in every other one half is named.
    """
    ring = old[area]
    turn = ring[first:] + ring[:first]
    until = (second - first) % len(ring)
    one, two = turn[: until + 1], [*turn[until:], turn[0]]
    new = {other: list(found) for other, found in old.items() if other != area}
    new[names[0]], new[names[1]] = [*one, names[1]], [*two, names[0]]
    for number, contact in enumerate(ring):
        if contact == "*":
            continue
        if number == first:
            halves_of = list(names)
        elif number == second:
            halves_of = list(names[::-1])
        else:
            halves_of = [names[0] if 0 < (number - first) % len(ring) < until else names[1]]
        theirs = new[bare(contact)]
        i = theirs.index(_seen_from(old, area, number))
        new[bare(contact)] = [*theirs[:i], *halves_of, *theirs[i + 1 :]]
    return new


def _seen_from(old: Mapping[str, list[str]], area: str, number: int) -> str:
    """Return the name under which the neighbour lists the border that is contact `number` of an area."""
    contact = old[area][number]
    theirs = [c for c in old[bare(contact)] if bare(c) == area]
    if len(theirs) == 1:
        return theirs[0]
    # two borders with one neighbour: theirs run the other way round
    mark = contact.partition("#")[2]
    return next(c for c in theirs if c.partition("#")[2] == mark)


def stem(area: str) -> str:
    """The area of the regular board that a half is part of."""
    return bare(area).partition(" ")[0]


def steps_of(found: Mapping[str, list[str]]) -> tuple[set[frozenset[str]], set[frozenset[str]]]:
    """The pairs of areas between which armies and fleets step, by the rule for clockwise lists."""
    armies, fleets = set(), set()
    for area, ring in found.items():
        for here, then in pairwise([*ring, ring[0]]):
            kinds = [
                "*" if there == "*" or stem(there) in IMPASSABLE else stem(there) in SEAS for there in (here, then)
            ]
            if stem(area) in IMPASSABLE or kinds[0] == "*":
                continue
            pair = frozenset((area, bare(here)))
            if stem(area) in SEAS or kinds[0]:
                fleets.add(pair)
            else:
                armies.add(pair)
            # along a shore: past the sea that lies between two neighbours
            if stem(area) not in SEAS and kinds[0] is True and kinds[1] is False:
                fleets.add(frozenset((area, bare(then))))
    return armies, fleets


def steps_on(board: Board) -> tuple[set[frozenset[str]], set[frozenset[str]]]:
    """The same as a board has them, coasts left out."""
    armies: set[frozenset[str]] = {frozenset((a, b)) for a, tos in board.armies.items() for b in tos}
    return armies, {frozenset((a.space, b.space)) for a, tos in board.fleets.items() for b in tos}


def pairs() -> list[tuple[str, int, int]]:
    """Every ordered pair of contacts of every area of the regular board that touches two areas, never the edge."""
    return [
        (area, i, j)
        for area, ring in sorted(lists().items())
        for i, a in enumerate(ring)
        for j, b in enumerate(ring)
        if "*" not in (a, b) and bare(a) != bare(b)
    ]


def contact_of(figure: Figure, old: Mapping[str, list[str]], area: str, number: int) -> Border:
    """The drawn border that a list means: told apart by north and south where there are two."""
    contact = old[area][number]
    fitting = [c for c in borders(figure, code(area)) if c.neighbour == bare(contact)]
    if len(fitting) > 1:
        fitting.sort(key=lambda c: middle(figure, code(area), c)[1], reverse=contact.endswith("n"))
    return fitting[0]


# the contacts of the halves


def test_the_drawn_lists_are_those_of_the_rules_before_any_cut() -> None:
    assert compared(drawn_lists(standard_figure())) == compared(lists())


def _sample() -> list[tuple[str, int, int]]:
    """Some pairs for every area, and many of those that touch another twice, the same ones always."""
    chance = Random("pairs of contacts")
    found = [pair for pair in pairs() if pair[0] == "POR" or (pair[0] in ("MID", "SPA") and chance.random() < 0.5)]
    rest = [pair for pair in pairs() if pair[0] not in ("MID", "SPA", "POR")]
    chance.shuffle(rest)
    seen: dict[str, int] = {}
    for pair in rest:
        if seen.setdefault(pair[0], 0) < 3:
            seen[pair[0]] += 1
            found.append(pair)
    return found


@pytest.mark.parametrize("part", range(6))
def test_a_split_gives_the_clockwise_lists_of_the_rule(part: int) -> None:
    figure = standard_figure()
    sample = _sample()
    assert len(sample) >= SAMPLES
    assert {area for area, _, _ in sample} == set(lists())
    for area, i, j in share(sample[part::6], 3):
        first, second = (contact_of(figure, lists(), area, n) for n in (i, j))
        names = half_names(code(area), figure.faces)
        after = split(figure, code(area), first, second)
        expected = split_lists(lists(), area, i, j, names)
        assert compared(drawn_lists(after)) == compared(expected), (area, first, second)
        board = board_from(after, halves(standard_texts(), code(area), names), "split")
        assert steps_on(board) == steps_of(expected), (area, first, second)
        assert len(after.nodes) == len(figure.nodes) + 2
        assert len(after.arcs) == len(figure.arcs) + 3


@pytest.mark.parametrize("seed", range(so_many(10, 3)))
def test_halves_split_again_and_again_keep_to_the_rule(seed: int) -> None:
    chance = Random(f"splits {seed}")
    figure, texts = standard_figure(), dict(standard_texts())
    area = chance.choice(sorted(figure.faces))
    family = {area}
    for _ in range(12):
        area = chance.choice(sorted(family))
        old = drawn_lists(figure)
        near = borders(figure, code(area))
        first, second = chance.choice([(a, b) for a in near for b in near if a.neighbour != b.neighbour])
        names = half_names(code(area), figure.faces)
        i, j = (_number(old[area], contact) for contact in (first, second))
        marked = _marked(figure)
        after = split(figure, code(area), first, second, names)
        expected = split_lists(marked, area, i, j, names)
        assert compared(drawn_lists(after)) == compared(expected), (area, first, second)
        figure, texts = after, halves(texts, code(area), names)
        family = (family - {area}) | set(names)
        board = board_from(figure, texts, "split")
        assert steps_on(board) == steps_of(expected), (area, first, second)
    assert len(figure.faces) == len(standard_figure().faces) + 12


def _number(ring: list[str], contact: Border) -> int:
    return [i for i, there in enumerate(ring) if there == contact.neighbour][contact.number]


def _marked(figure: Figure) -> Lists:
    """The drawn lists, with the same mark on both sides of each border where two areas touch more than once."""
    found: Lists = {}
    for face in figure.faces:
        ring = []
        for stretch in figure.stretches(face):
            there = figure.beyond(stretch[0])
            ring.append("*" if figure.outside(stretch[0]) else f"{there}#{min(half >> 1 for half in stretch)}")
        found[face] = ring
    return found


def standard_split(*splits: tuple[str, str, str]) -> tuple[Figure, Board]:
    """The regular board after some splits: area, first, second."""
    figure, texts = standard_figure(), dict(standard_texts())
    for area, first, second in splits:
        names = half_names(code(area), figure.faces)
        figure = split(figure, code(area), code(first), code(second), names)
        texts = halves(texts, code(area), names)
    return figure, board_from(figure, texts, "split")


def fleet(board: Board, area: str, coast: str = "") -> set[str]:
    return set(map(str, board.steps(UnitKind.FLEET, Location(code(area), Coast(coast)))))


def test_a_sea_split_between_norway_and_belgium_has_norway_and_belgium_on_both_halves() -> None:
    figure, board = standard_split(("NTH", "NWY", "BEL"))
    assert turned(drawn_lists(figure)["NTH 1"]) == turned([*"NWY SKA DEN HEL HOL BEL".split(), "NTH 2"])
    assert fleet(board, "NTH 1") == {"BEL", "DEN", "HEL", "HOL", "NTH 2", "NWY", "SKA"}
    assert fleet(board, "NTH 2") == {"BEL", "EDI", "ENG", "LON", "NRG", "NTH 1", "NWY", "YOR"}
    assert board.spaces[code("NTH 1")].carries
    assert board.spaces[code("NTH 2")].carries


def test_a_half_is_split_again_and_its_sister_is_a_neighbour_like_any() -> None:
    _, board = standard_split(("NTH", "NWY", "BEL"), ("NTH 2", "NTH 1", "LON"))
    assert fleet(board, "NTH 2") == {"BEL", "ENG", "LON", "NTH 1", "NTH 3"}
    assert fleet(board, "NTH 3") == {"EDI", "LON", "NRG", "NTH 1", "NTH 2", "NWY", "YOR"}


def test_a_canal_is_cut_where_the_line_parts_its_seas_and_stays_one_where_it_does_not() -> None:
    figure, board = standard_split(("KIE", "DEN", "MUN"))
    assert fleet(board, "KIE 1") == {"BAL", "BER", "DEN"}
    assert fleet(board, "KIE 2") == {"DEN", "HEL", "HOL"}
    assert {"KIE 1", "KIE 2"} <= figure.through.keys()
    _, whole = standard_split(("KIE", "BER", "HOL"))
    assert fleet(whole, "KIE 2") == {"BAL", "BER", "DEN", "HEL", "HOL"}
    assert not whole.spaces[code("KIE 2")].coasts
    assert fleet(whole, "KIE 1") == set()


def test_fleets_pass_between_the_halves_of_a_land_if_the_line_ends_at_a_sea() -> None:
    _, inland = standard_split(("KIE", "DEN", "MUN"))
    assert "KIE 2" not in fleet(inland, "KIE 1")
    _, ashore = standard_split(("BRE", "ENG", "PAR"))
    assert "BRE 2" in fleet(ashore, "BRE 1")
    assert ashore.armies[code("BRE 1")] == {"BRE 2", "PAR", "PIC"}


def test_the_neighbours_of_a_cut_keep_their_borders_point_for_point() -> None:
    before, after = standard_figure(), split(standard_figure(), code("MUN"), code("BOH"), code("BUR"))
    old = {point for line in before.lines for point in line}
    new = {point for line in after.lines[:-1] for point in line}
    assert old <= new
    assert len(new - old) <= 2
    assert {name for name in before.nodes if "MUN" not in name} <= after.nodes.keys()
    assert set(before.nodes.values()) <= set(after.nodes.values())


# the line


def test_a_line_lies_inside_its_face_and_ends_in_the_middle_of_both_borders() -> None:
    figure = standard_figure()
    for area, first, second in (
        ("NTH", "NWY", "BEL"),
        ("NWY", "SKA", "STP"),
        ("BLA", "RUM", "SEV"),
        ("MUN", "BOH", "BUR"),
    ):
        after = split(figure, code(area), code(first), code(second))
        line = after.lines[-1]
        ring = figure.ring(figure.faces[code(area)][0])
        assert all(contains(ring, point) for point in line[1:-1])
        for end, there in ((line[0], first), (line[-1], second)):
            points = [p for half in figure.between(code(area), code(there)) for p in figure.line(half)]
            lengths = [math.dist(a, b) for a, b in pairwise(points)]
            detours = [math.dist(a, end) + math.dist(end, b) - math.dist(a, b) for a, b in pairwise(points)]
            i = detours.index(min(detours))
            before = sum(lengths[:i]) + math.dist(points[i], end)
            assert abs(before - sum(lengths) / 2) < 20, (area, there)


def test_a_line_keeps_clear_of_the_capes_it_passes() -> None:
    figure = read_figure(STANDARD.parent / "irish" / "figure.json")
    after = split(figure, code("NAT"), code("LVP"), code("ICE"))
    line, ring = LineString(after.lines[-1]), figure.ring(figure.faces[code("NAT")][0])
    ends = (Dot(line.coords[0]), Dot(line.coords[-1]))
    assert all(line.distance(at) > 100 for at in map(Dot, ring) if min(map(at.distance, ends)) > 500)


def test_a_face_too_small_for_a_line_is_made_larger_and_split() -> None:
    figure, area = standard_figure(), code("DEN")
    for _ in range(20):
        near = borders(figure, area)
        first, second = near[0], next(border for border in near[::-1] if border.neighbour != near[0].neighbour)
        names = half_names(area, figure.faces)
        figure = split(figure, area, first, second, names).check()
        area = min(names, key=lambda half: abs(area2(figure.ring(figure.faces[half][0]))))
    assert len(figure.faces) == len(standard_figure().faces) + 20


def test_a_box_stays_linked_with_the_halves_on_whose_coast_it_was() -> None:
    box = Box(code("OFF"), (-9000, 0), (2000, 2000), (Location(code("SPA"), Coast("SC")), Location(code("MID"))))
    figure = replace(standard_figure(), boxes=(box,)).check()
    after = split(figure, code("SPA"), code("GAS"), code("WES")).boxes[0].links
    assert set(map(str, after)) == {"SPA 1", "SPA 2/SC", "MID"}
    sea = split(figure, code("MID"), code("BRE"), code("NAF")).boxes[0].links
    assert set(map(str, sea)) == {"SPA/SC", "MID 1", "MID 2"}
    north = max((Border(code("MID"), n) for n in (0, 1)), key=lambda border: middle(figure, code("SPA"), border)[1])
    part = split(figure, code("SPA"), north, code("GAS")).boxes[0].links
    assert set(map(str, part)) == {"SPA 2/SC", "MID"}


def test_a_line_leaves_a_straight_border_at_about_a_right_angle() -> None:
    after = split(large(quarters(seas="AAA")), code("AAA"), code("BBB"), code("DDD"))
    line = after.lines[-1]
    (ax, ay), (bx, by) = line[0], line[1]
    assert abs(bx - ax) * 3 > abs(by - ay) * 10


def test_the_same_split_gives_the_same_figure() -> None:
    one, two = (split(standard_figure(), code("MUN"), code("BOH"), code("BUR")).to_json() for _ in range(2))
    assert one == two
    assert Figure.from_json(one).check() == split(standard_figure(), code("MUN"), code("BOH"), code("BUR"))


# coasts


def coasts(figure: Figure, area: str) -> dict[str, tuple[str, bool]]:
    return {mark.coast: (mark.reason, mark.kept) for mark in figure.marks if mark.space == area}


def test_a_half_with_both_coasts_of_its_parent_keeps_their_names_and_one_with_one_drops_them() -> None:
    figure, board = standard_split(("SPA", "GAS", "WES"))
    assert board.spaces[code("SPA 1")].coasts == ()
    assert board.spaces[code("SPA 2")].coasts == ("NC", "SC")
    assert coasts(figure, "SPA 2") == {"NC": ("on the NC of SPA", True), "SC": ("on the SC of SPA", True)}
    assert fleet(board, "SPA 2", "SC") == {"MID", "POR", "SPA 1", "WES"}
    assert fleet(board, "SPA 2", "NC") == {"GAS", "MID", "POR"}
    assert fleet(board, "SPA 1") == {"GOL", "MAR", "SPA 2/SC", "WES"}


def test_of_two_shores_on_one_coast_the_first_clockwise_keeps_its_name() -> None:
    figure, board = standard_split(("SPA", "GOL", "WES"))
    assert board.spaces[code("SPA 2")].coasts == ("EC", "NC", "SC")
    assert fleet(board, "SPA 2", "SC") == {"MID", "POR", "SPA 1", "WES"}
    assert fleet(board, "SPA 2", "EC") == {"GOL", "MAR", "SPA 1"}
    assert coasts(figure, "SPA 2")["EC"] == ("cut off from the other shores of SPA", False)


def test_the_shores_of_a_half_whose_parent_had_one_are_named_by_the_compass() -> None:
    figure, board = standard_split(("BRE", "ENG", "MID"))
    assert board.spaces[code("BRE 1")].coasts == ("NC", "SC")
    assert board.spaces[code("BRE 2")].coasts == ()
    assert fleet(board, "BRE 1", "NC") == {"BRE 2", "ENG", "PIC"}
    assert fleet(board, "BRE 1", "SC") == {"BRE 2", "GAS", "MID"}
    assert coasts(figure, "BRE 1")["NC"] == ("cut off from the other shores of BRE", False)


def test_a_half_with_more_shores_than_the_compass_has_names_numbers_the_rest() -> None:
    figure = wheel("LLL SA SB SC SD SE")
    area = code("HUB")
    for first, second in pairwise(("SE", "SD", "SC", "SB", "SA")):
        names = half_names(area, figure.faces)
        figure = split(figure, area, code(first), code(second), names)
        area = names[1]
    found = board_of(figure).spaces[area].coasts
    assert found == ("C5", "C6", "EC", "SC", "WC")


def test_marks_that_are_kept_go_through_the_file_of_a_figure() -> None:
    figure, _ = standard_split(("SPA", "GAS", "WES"))
    assert Figure.from_json(figure.to_json()).marks == figure.marks
    assert any(mark.kept for mark in figure.marks)


# inherited by the halves


def test_halves_are_what_the_whole_was() -> None:
    figure = standard_figure()
    swiss = split(figure, code("SWI"), code("MUN"), code("PIE"))
    assert {"SWI 1", "SWI 2"} == swiss.impassable.keys()
    assert swiss.impassable[code("SWI 1")] == figure.impassable[code("SWI")]
    sea = split(figure, code("MID"), Border(code("SPA"), 0), code("NAT"))
    assert {"MID 1", "MID 2"} <= sea.seas
    assert "MID" not in sea.seas
    assert sea.decorations == figure.decorations


def test_an_enclave_goes_to_the_half_it_lies_in() -> None:
    figure = large(island())
    lists_after = drawn_lists(split(figure, code("AAA"), code("SSS"), code("BBB")))
    assert sorted(lists_after["EEE"]) in (["AAA 1"], ["AAA 2"])
    assert sorted(lists_after["AAA 1"] + lists_after["AAA 2"]) == "AAA 1,AAA 2,BBB,BBB,EEE,SSS,SSS".split(",")


def test_a_sea_is_parted_by_a_line_round_its_island() -> None:
    lists_after = drawn_lists(split(large(island()), code("SSS"), code("AAA"), code("BBB")))
    assert sorted(lists_after["AAA"]) == ["BBB", "EEE", "SSS 1", "SSS 2"]
    assert sorted(lists_after["BBB"]) == ["AAA", "SSS 1", "SSS 2"]
    assert sum("*" in lists_after[half] for half in ("SSS 1", "SSS 2")) == 1


# names and texts


def test_halves_are_numbered_in_the_order_of_their_splits() -> None:
    taken = {code("NTH")}
    for area, expected in (("NTH", ("1", "2")), ("NTH 2", ("2", "3")), ("NTH 1", ("1", "4")), ("NTH 3", ("3", "5"))):
        names = half_names(code(area), taken)
        assert names == tuple(f"NTH {n}" for n in expected)
        taken = (taken - {code(area)}) | set(names)


def test_halves_have_the_names_and_spellings_of_the_whole_with_their_number() -> None:
    texts = halves(
        {code("NTH"): SpaceText("North Sea", aliases=("North",))}, code("NTH"), (code("NTH 1"), code("NTH 2"))
    )
    texts = halves(texts, code("NTH 2"), (code("NTH 2"), code("NTH 3")))
    assert {c: (t.name, t.aliases) for c, t in texts.items()} == {
        f"NTH {n}": (f"North Sea {n}", (f"North {n}",)) for n in (1, 2, 3)
    }


# refused cuts

REFUSALS = {
    "XXX AAA BBB": "XXX is not a face of Standard that can be cut; its faces have codes such as PAR",
    "PAR MUN BUR": "PAR has no border with MUN; it touches BRE, PIC, BUR, GAS",
    "PAR PIC PIC": "PAR cannot be split from its border with PIC to the same border; name two",
    "SPA MID GAS": "SPA touches MID 2 times; say which border, from 0 clockwise",
    "TUN # NAF": "TUN has no border with #; it touches NAF, WES, TYN, ION",
}


@pytest.mark.parametrize("wanted", REFUSALS)
def test_what_cannot_be_split_is_refused_in_a_sentence(wanted: str) -> None:
    area, first, second = map(code, wanted.split())
    with pytest.raises(InvalidFigure) as caught:
        split(standard_figure(), area, first, second)
    assert str(caught.value) == REFUSALS[wanted]


def test_a_face_with_fewer_than_two_neighbours_cannot_be_split() -> None:
    with pytest.raises(InvalidFigure, match=r"^AAA touches SSS alone; it cannot be split, since that takes two$"):
        split(large(two_faces()), code("AAA"), code("SSS"), code("SSS"))


def test_a_name_that_another_face_has_is_refused() -> None:
    with pytest.raises(InvalidFigure, match=r"^NWY cannot be the name of a half of NTH; another face has that name$"):
        split(standard_figure(), code("NTH"), code("NWY"), code("BEL"), (code("NWY"), code("NTH 2")))


def test_a_line_to_an_island_inside_does_not_part_a_face() -> None:
    with pytest.raises(InvalidFigure, match="does not part it, since only one of them is "):
        split(large(island()), code("AAA"), code("SSS"), code("EEE"))


# the drawing of a changed board


def test_a_split_board_is_seated_without_collisions() -> None:
    on = chart("standard")
    for area, first, second in (("NTH", "NWY", "BEL"), ("MUN", "BOH", "BUR"), ("SPA", "GAS", "WES")):
        names = half_names(code(area), on.figure.faces)
        figure = split(on.figure, code(area), code(first), code(second), names)
        board = board_from(figure, halves(standard_texts(), code(area), names), "split")
        placements = refit(figure, board, on.placements, ())
        position = Position(on.opening.phase)
        svg = picture_of(figure, board, placements, Scene(position), Theme.from_name("light"))
        assert overlaps(figure, board, placements) == []
        assert all(f'data-space="{name}"' in svg for name in names)
        untouched = on.placements.units.keys() - {Location(code(area)), *on.board.spaces[code(area)].locations}
        assert all(placements.units[location] == on.placements.units[location] for location in untouched)


# small figures


def large(figure: Figure) -> Figure:
    """A small figure a hundred times larger, so that there is room for a line."""

    def far(point: Point) -> Point:
        return point[0] * 100, point[1] * 100

    return replace(
        figure,
        frame=(0, 0, 10000, 10000),
        nodes={name: far(at) for name, at in figure.nodes.items()},
        arcs=tuple(replace(arc, bends=tuple(map(far, arc.bends))) for arc in figure.arcs),
        marks=tuple(replace(mark, at=far(mark.at)) for mark in figure.marks),
    )


def wheel(names: str) -> Figure:
    """A round land `HUB` with sectors about it, counter-clockwise; those whose names begin with S are seas."""
    sectors = names.split()
    angles = [2 * math.pi * i / len(sectors) + 0.3 for i in range(len(sectors))]
    nodes: dict[str, Point] = {}
    arcs: list[Arc] = []
    inner, outer = [], []
    for i, angle in enumerate(angles):
        inner.append("/".join(sorted((sectors[i - 1], sectors[i], "HUB"))))
        outer.append("/".join(sorted((sectors[i - 1], sectors[i], "#"))))
        nodes[inner[-1]] = _at(angle, 2000)
        nodes[outer[-1]] = _at(angle, 5000 / max(abs(math.cos(angle)), abs(math.sin(angle))))
    corners = [(math.pi / 4 + math.pi / 2 * k, at) for k, at in enumerate(((1, 1), (0, 1), (0, 0), (1, 0)))]
    for i, sector in enumerate(map(code, sectors)):
        j = (i + 1) % len(sectors)
        low, high = angles[i], angles[i] + 2 * math.pi / len(sectors)
        turns = [(turn + way * 2 * math.pi, at) for turn, at in corners for way in (0, 1)]
        frame = tuple((x * 10000, y * 10000) for turn, (x, y) in sorted(turns) if low < turn < high)
        rim = tuple(_at(low + (high - low) * k / 8, 2000) for k in range(1, 8))
        arcs += [
            Arc(inner[i], inner[j], rim, code("HUB"), sector),
            Arc(inner[i], outer[i], (), sector, code(sectors[i - 1])),
            Arc(outer[i], outer[j], frame, sector, code("#")),
        ]
    seas = frozenset(code(name) for name in sectors if name.startswith("S"))
    through = {code(name): "a test" for name in sectors if name not in seas}
    return Figure("wheel", (0, 0, 10000, 10000), nodes, tuple(arcs), seas=seas, through=through).check()


def _at(angle: float, far: float) -> Point:
    return round(5000 + far * math.cos(angle)), round(5000 + far * math.sin(angle))

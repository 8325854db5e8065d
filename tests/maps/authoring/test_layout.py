"""A board given by its contacts, laid out: every contact is to be seen, and nothing else."""

import math
from collections.abc import Collection, Iterator
from dataclasses import replace
from itertools import combinations, pairwise
from random import Random
from statistics import correlation

import pytest
import shapely

from layout_proof import list_crossed
from plenipo.engine.board import Board, Code, Location, Space, Terrain
from plenipo.maps.authoring.layout import laid_out
from plenipo.maps.authoring.places import SCALE
from plenipo.maps.figure.planar import Figure
from plenipo.maps.lettering.annotations import annotations_of
from plenipo.maps.lettering.placements import Placements

NO_PLACEMENTS = Placements({}, {}, {}, {}, {}, unit=300, mark=100)


def random_board(seed: int) -> Board:
    """Spaces in contact with some of those near them, and now and then with one far away."""
    chance = Random(seed)
    count = chance.choice([1, 2, 3, 4, 5, 8, 12, 20, 30])
    spaces = [Space(Code(f"S{i}"), f"Space {i}", chance.choice(list(Terrain))) for i in range(count)]
    at = [(chance.random(), chance.random()) for _ in spaces]
    pairs = set()
    for i in range(count):
        by_distance = sorted(range(count), key=lambda j: (at[i][0] - at[j][0]) ** 2 + (at[i][1] - at[j][1]) ** 2)
        near = by_distance[1 : chance.choice([2, 3, 4, 6])]
        near += [chance.randrange(count)] if chance.random() < 0.2 else []
        pairs |= {(min(i, j), max(i, j)) for j in near if j != i}
    kinds = [(spaces[i], spaces[j]) for i, j in sorted(pairs)]
    armies = [(a.code, b.code) for a, b in kinds if Terrain.SEA not in (a.terrain, b.terrain)]
    fleets = [(Location(a.code), Location(b.code)) for a, b in kinds if Terrain.INLAND not in (a.terrain, b.terrain)]
    board = Board.from_contacts("random", spaces, armies, fleets)
    near_of: dict[Code, set[Code]] = {space.code: set() for space in spaces}
    for a, b in contacts_of(board):
        near_of[a].add(b)
        near_of[b].add(a)
    return replace(board, borders={code: tuple(sorted(near)) for code, near in near_of.items()})


def contacts_of(board: Board) -> Iterator[tuple[Code, Code]]:
    """Every two spaces that some unit passes between, once, in the order of the alphabet."""
    for a, b in combinations(sorted(board.spaces), 2):
        by_sea = any(to.space == b for at, tos in board.fleets.items() if at.space == a for to in tos)
        if by_sea or b in board.armies.get(a, ()):
            yield a, b


@pytest.mark.parametrize("seed", [*range(12), 17, 34])
def test_every_contact_is_a_border_or_a_link_and_every_other_border_is_barred(seed: int) -> None:
    board = random_board(seed)
    figure = laid_out(board).check()
    marks = annotations_of(figure, board, NO_PLACEMENTS)
    drawn = {kind: {mark.spaces for mark in marks if mark.kind == kind} for kind in ("link", "closed")}
    bordering = {pair for pair in combinations(sorted(board.spaces), 2) if figure.between(*pair)}
    assert set(figure.faces) - set(figure.offboard) == set(board.spaces)
    assert (bordering - drawn["closed"]) | drawn["link"] == set(contacts_of(board))
    assert not drawn["link"] & bordering


def test_a_layout_is_the_same_each_time() -> None:
    assert laid_out(random_board(5)).to_json() == laid_out(random_board(5)).to_json()


def test_places_stand_where_their_author_wishes() -> None:
    board = random_board(4)
    figure = laid_out(board, {code: (float(10 * i), 0.0) for i, code in enumerate(sorted(board.spaces))})
    middles = [
        sum(x for half in figure.faces[code][0] for x, _ in figure.line(half)[:-1])
        / len(figure.ring(figure.faces[code][0]))
        for code in sorted(board.spaces)
    ]
    assert middles == sorted(middles)


def test_spaces_on_one_place_are_moved_apart() -> None:
    board = random_board(4)
    for shared in (len(board.spaces), 2):
        seats = {code: (float(i // shared), 0.0) for i, code in enumerate(sorted(board.spaces))}
        assert shown(board, laid_out(board, seats))


def shown(board: Board, figure: Figure) -> bool:
    """Tell whether every space is a face, and every contact a border or a line between two."""
    marks = annotations_of(figure.check(), board, NO_PLACEMENTS)
    drawn = {kind: {mark.spaces for mark in marks if mark.kind == kind} for kind in ("link", "closed")}
    bordering = {pair for pair in contacts_of(board) if figure.between(*pair)}
    faces = set(figure.faces) - set(figure.offboard)
    return faces == set(board.spaces) and bordering | drawn["link"] == set(contacts_of(board))


def drawn_board(count: int, pairs: Collection[tuple[int, int]]) -> Board:
    """A board of inland spaces with these contacts."""
    spaces = [Space(Code(f"S{i}"), f"Space {i}", Terrain.INLAND) for i in range(count)]
    board = Board.from_contacts("drawn", spaces, [(f"S{i}", f"S{j}") for i, j in pairs], ())
    near = {code: tuple(sorted(to)) for code, to in board.armies.items()}
    return replace(board, borders=near)


def near_each_other(count: int, seed: int) -> tuple[list[tuple[float, float]], set[tuple[int, int]]]:
    """Places at random and the pairs of a map in the plane between them (Delaunay), one in four left out."""
    chance = Random(seed)
    at = [(chance.random(), chance.random()) for _ in range(count)]
    triangles = shapely.get_parts(shapely.delaunay_triangles(shapely.MultiPoint(at)))
    number = {place: i for i, place in enumerate(at)}
    corners = [[number[x, y] for x, y in triangle.exterior.coords[:3]] for triangle in triangles]
    pairs = {(min(pair), max(pair)) for three in corners for pair in combinations(three, 2)}
    return at, {pair for pair in sorted(pairs) if chance.random() < 0.75}


PARTS = {(15 * part + i, 15 * part + (i + 1) % 15) for part in range(4) for i in range(15)}
STARS = {(0, i) for i in range(1, 20)} | {(i, i + 20) for i in range(1, 20)}


@pytest.mark.parametrize(
    ("count", "pairs"),
    [
        (100, near_each_other(100, 1)[1]),
        (60, near_each_other(60, 3)[1] | {(Random(i).randrange(30), 30 + i) for i in range(30)}),
        (60, PARTS),
        (40, STARS),
        (80, {(i, i + 1) for i in range(79)}),
        (9, set(combinations(range(9), 2))),
    ],
    ids=["in the plane", "out of the plane", "in parts", "stars", "a chain", "everything"],
)
def test_a_large_board_is_drawn_whatever_its_contacts_are(count: int, pairs: Collection[tuple[int, int]]) -> None:
    board = drawn_board(count, pairs)
    assert shown(board, laid_out(board))


@pytest.mark.parametrize("share", [0.05, 0.3, 0.7, 1.0])
def test_seats_of_some_places_turn_and_mirror_the_drawing_of_all(share: float) -> None:
    at, pairs = near_each_other(60, 7)
    board, chance = drawn_board(60, pairs), Random(3)
    seated = sorted(chance.sample(range(60), round(60 * share)))
    figure = laid_out(board, {Code(f"S{i}"): (100 * at[i][0], 100 * at[i][1]) for i in seated})
    middle = {i: shapely.Polygon(figure.ring(figure.faces[Code(f"S{i}")][0])).centroid for i in range(60)}
    for axis, there in (("x", 0), ("y", 1)):
        found = [getattr(middle[i], axis) for i in range(60)]
        meant = [at[i][there] for i in range(60)]
        assert correlation(found, meant) > 0.8


def test_in_a_drawing_where_many_roads_cross_a_border_there_is_a_gap_for_them() -> None:
    """Seven spaces in contact with each other: a line between two of them but grazes a third."""
    board = drawn_board(7, set(combinations(range(7), 2)))
    for seats in (
        None,
        {Code(f"S{i}"): (math.sin(math.tau * i * 3 / 7), math.cos(math.tau * i * 3 / 7)) for i in range(7)},
    ):
        figure = laid_out(board, seats)
        middles = {code: shapely.Polygon(figure.ring(figure.faces[code][0])).centroid for code in board.spaces}
        units = {Location(code): (round(place.x), round(place.y)) for code, place in middles.items()}
        links = [mark for mark in annotations_of(figure, board, replace(NO_PLACEMENTS, units=units)) if mark.line]
        assert links
        for link in links:
            others = (shapely.Polygon(figure.ring(figure.faces[c][0])) for c in board.spaces if c not in link.spaces)
            assert not any(shapely.LineString(link.line).intersects(other.buffer(-0.12 * SCALE)) for other in others)


def patchwork(
    count: int, seed: int, *, left_out: float = 0.0, far: int = 0
) -> tuple[Board, dict[Code, tuple[float, float]]]:
    """A board like a map in the plane, a third of it seas, with some contacts missing and some to far spaces."""
    chance = Random(seed)
    at, pairs = near_each_other(count, seed)
    pairs = {pair for pair in sorted(pairs) if chance.random() >= left_out}
    pairs |= {(min(pair), max(pair)) for pair in (tuple(chance.sample(range(count), 2)) for _ in range(far))}
    wet = [place[0] + place[1] < 0.7 for place in at]
    touched = {i for pair in pairs for i in pair}
    terrains = [Terrain.SEA if wet[i] else Terrain.COAST for i in range(count)]
    spaces = [Space(Code(f"S{i}"), f"Space {i}", terrains[i]) for i in sorted(touched)]
    armies = [(f"S{i}", f"S{j}") for i, j in sorted(pairs) if not wet[i] and not wet[j]]
    fleets = [(Location(Code(f"S{i}")), Location(Code(f"S{j}"))) for i, j in sorted(pairs)]
    board = Board.from_contacts("patchwork", spaces, armies, fleets)
    near = {code: {to.space for to in board.fleets[Location(code)]} for code in board.spaces}
    seats = {Code(f"S{i}"): (100 * x, 100 * y) for i, (x, y) in enumerate(at) if i in touched}
    return replace(board, borders={code: tuple(sorted(tos)) for code, tos in near.items()}), seats


def unlike_boards() -> Iterator[tuple[str, Board, dict[Code, tuple[float, float]]]]:
    """Boards of 60 to 350 spaces: in the plane, with seats, with far contacts, and one that is no map at all."""
    plane, seats = patchwork(60, 11)
    yield "plane", plane, {}
    yield "seats", plane, seats
    yield "far contacts", *patchwork(80, 12, far=12)
    yield "far contacts, no seats", patchwork(80, 12, far=12)[0], {}
    yield "large", *patchwork(350, 14, far=6)
    yield "sparse", *patchwork(120, 13, left_out=0.35)
    pairs = (Random(5 + i).sample(range(60), 2) for i in range(120))
    yield "all at random", drawn_board(60, {(min(pair), max(pair)) for pair in pairs}), {}


@pytest.mark.parametrize(("board", "seats"), [pytest.param(b, s, id=name) for name, b, s in unlike_boards()])
def test_no_link_is_drawn_across_a_third_space(board: Board, seats: dict[Code, tuple[float, float]]) -> None:
    figure = laid_out(board, seats)
    assert shown(board, figure)
    rings = {code: shapely.Polygon(figure.ring(figure.faces[code][0])) for code in board.spaces if code in figure.faces}
    middles = {Location(code): ring.representative_point() for code, ring in rings.items()}
    units = {at: (round(place.x), round(place.y)) for at, place in middles.items()}
    marks = annotations_of(figure, board, replace(NO_PLACEMENTS, units=units))
    assert not list_crossed(figure, board, marks)
    for mark in marks:
        if mark.kind == "link":
            assert bool(mark.line) != bool(mark.stubs)
            for stub, code in zip(mark.stubs, mark.spaces, strict=bool(mark.stubs)):
                assert rings[code].buffer(1).contains(shapely.LineString(stub))


def test_the_contacts_of_a_map_in_the_plane_are_borders() -> None:
    board, _ = patchwork(100, 21)
    figure = laid_out(board)
    pairs = list(contacts_of(board))
    assert sum(bool(figure.between(*pair)) for pair in pairs) >= 0.98 * len(pairs)


def test_a_contact_whose_straight_line_is_barred_has_a_border_round_what_bars_it() -> None:
    """Three spaces in a row, the outer two in contact: the middle one stands on the straight line."""
    board = drawn_board(3, {(0, 1), (1, 2), (0, 2)})
    figure = laid_out(board, {Code(f"S{i}"): (10.0 * i, 0.0) for i in range(3)})
    assert figure.between(Code("S0"), Code("S2"))


def test_there_is_water_round_a_board_and_its_coast_wavers() -> None:
    board, _ = patchwork(60, 11)
    figure = laid_out(board)
    (outside,) = {arc.left if arc.right == "#" else arc.right for arc in figure.arcs if "#" in arc.pair}
    assert outside in figure.seas
    assert outside in figure.offboard
    here = [half for half in figure.half_edges if figure.face(half) == outside and figure.beyond(half) != "#"]
    pieces = [math.dist(a, b) for half in here for a, b in pairwise(figure.line(half))]
    # no piece of the coast runs straight as far as from one space to the next
    assert max(pieces) < SCALE / 3

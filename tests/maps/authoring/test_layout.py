"""A board given by its contacts, laid out: every contact is to be seen, and nothing else."""

import math
from collections.abc import Collection, Iterator
from dataclasses import replace
from itertools import combinations
from random import Random
from statistics import correlation

import pytest
import shapely

from plenipo.engine.board import Board, Code, Location, Space, Terrain
from plenipo.maps.authoring.layout import SCALE, laid_out
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

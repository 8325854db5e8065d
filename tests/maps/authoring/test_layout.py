"""A board given by its contacts, laid out: every contact is to be seen, and nothing else."""

from collections.abc import Iterator
from dataclasses import replace
from itertools import combinations
from random import Random

import pytest

from plenipo.engine.board import Board, Code, Location, Space, Terrain
from plenipo.errors import InvalidFigure
from plenipo.maps.authoring.layout import laid_out
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


def test_two_spaces_on_one_place_are_refused() -> None:
    board = random_board(4)
    with pytest.raises(InvalidFigure, match="S0 and S1 stand on one place"):
        laid_out(board, dict.fromkeys(sorted(board.spaces), (1.0, 1.0)))

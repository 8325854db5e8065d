"""Boards derived from figures, on small figures with visible answers."""

import subprocess
import sys
from dataclasses import replace
from itertools import pairwise
from typing import Any

import pytest

from maps.figures import board_of, draw, halves, island, quarters, standard_figure
from plenipo.engine.board import Board, Coast, Code, Location, Terrain, UnitKind
from plenipo.errors import InvalidFigure
from plenipo.maps.figure.board import SpaceText, board_from
from plenipo.maps.figure.boxes import Box
from plenipo.maps.figure.planar import Figure, Mark
from waiting import LIMIT


def strip(**flags: Any) -> Figure:
    """From west to east: sea `SSS`, land `AAA` from north to south, sea `TTT`, land `BBB`."""
    posts = {"SSS": 0, "AAA": 25, "TTT": 50, "BBB": 75}
    codes = [*posts]
    nodes, arcs, bends = {}, [], {}
    for west, east in pairwise(codes):
        name = "#/" + "/".join(sorted((west, east)))
        nodes[f"{name}:n"], nodes[f"{name}:s"] = (posts[east], 100), (posts[east], 0)
        arcs.append(f"{name}:s {name}:n {west} {east}")
    inner = [*nodes]
    for code, (a, b) in {"SSS": (0, 0), "AAA": (0, 2), "TTT": (2, 4), "BBB": (4, 4)}.items():
        if a != b:
            arcs.append(f"{inner[a]} {inner[b]} # {code}")
            arcs.append(f"{inner[b + 1]} {inner[a + 1]} # {code}")
        elif code == "SSS":
            arcs.append(f"{inner[1]} {inner[0]} # SSS")
            bends[arcs[-1]] = ((0, 0), (0, 100))
        else:
            arcs.append(f"{inner[4]} {inner[5]} # BBB")
            bends[arcs[-1]] = ((100, 100), (100, 0))
    return draw(nodes, "\n".join(arcs), bends, **{"seas": "SSS TTT", **flags})


EAST, WEST = Mark(Code("AAA"), Coast("EC"), (50, 50)), Mark(Code("AAA"), Coast("WC"), (25, 50))


def fleets(board: Board) -> dict[str, str]:
    return {str(loc): " ".join(sorted(map(str, tos))) for loc, tos in board.fleets.items()}


def armies(board: Board) -> dict[str, str]:
    return {code: " ".join(sorted(tos)) for code, tos in board.armies.items()}


def borders(board: Board) -> dict[str, str]:
    """Borders with `*` for the edge, each list turned so that it begins with the first contact by name."""
    found = {}
    for code, border in board.borders.items():
        names = [there or "*" for there in border]
        start = names.index(min(names))
        found[str(code)] = " ".join(names[start:] + names[:start])
    return found


def test_two_shores_are_two_coasts_called_by_the_nearest_mark() -> None:
    board = board_of(strip(marks=(EAST, WEST)))
    assert board.spaces[Code("AAA")].coasts == ("EC", "WC")
    assert fleets(board) == {"SSS": "AAA/WC", "AAA/EC": "TTT", "AAA/WC": "SSS", "TTT": "AAA/EC BBB", "BBB": "TTT"}


def test_the_two_shores_of_a_passage_are_one_coast() -> None:
    board = board_of(strip(through={Code("AAA"): "a canal"}))
    assert board.spaces[Code("AAA")].coasts == ()
    assert fleets(board)["AAA"] == "SSS TTT"


@pytest.mark.parametrize(
    ("marks", "message"),
    [
        ((), "face AAA has 2 shores, and the one from .* has no mark"),
        ((EAST,), "face AAA has 2 shores, and the one from #/AAA/SSS:. to #/AAA/SSS:. has no mark"),
        ((EAST, Mark(Code("AAA"), Coast("WC"), (49, 50))), "face AAA: one shore is marked both EC and WC"),
        ((EAST, WEST, Mark(Code("BBB"), Coast("WC"), (75, 50))), "face BBB has 1 shore and needs no mark for its WC"),
    ],
)
def test_shores_and_marks_must_agree(marks: tuple[Mark, ...], message: str) -> None:
    with pytest.raises(InvalidFigure, match=message):
        board_of(strip(marks=marks))


def test_borders_are_clockwise_and_none_is_the_edge_of_the_board() -> None:
    board = board_of(quarters())
    assert borders(board) == {
        "AAA": "* BBB DDD",
        "BBB": "* CCC AAA",
        "CCC": "* DDD BBB",
        "DDD": "* AAA CCC",
    }


def test_faces_that_meet_in_a_point_alone_do_not_touch_and_the_point_is_one_corner() -> None:
    board = board_of(quarters())
    assert armies(board) == {"AAA": "BBB DDD", "BBB": "AAA CCC", "CCC": "BBB DDD", "DDD": "AAA CCC"}
    assert [str(corner) for corner in board.corners] == ["[AAA/BBB/CCC/DDD]"]


def test_a_fleet_passes_a_land_border_that_ends_at_a_sea_it_lies_on() -> None:
    # AAA and BBB touch in the north, CCC in the southeast is sea, and only BBB has a shore on it
    board = board_of(quarters(seas="CCC"))
    assert fleets(board) == {"BBB": "CCC", "CCC": "BBB DDD", "DDD": "CCC"}
    board = board_of(quarters(seas="CCC DDD"))
    assert fleets(board) == {"AAA": "BBB DDD", "BBB": "AAA CCC", "CCC": "BBB DDD", "DDD": "AAA CCC"}


def test_shores_that_meet_in_a_point_are_one_coast() -> None:
    board = board_of(quarters(seas="BBB DDD"))
    assert board.spaces[Code("AAA")].coasts == ()
    assert fleets(board)["AAA"] == "BBB DDD"


def test_an_inland_face_takes_no_fleet_and_a_sea_no_army() -> None:
    board = board_of(island())
    assert {code: space.terrain for code, space in board.spaces.items()} == {
        "AAA": Terrain.COAST,
        "BBB": Terrain.COAST,
        "EEE": Terrain.INLAND,
        "SSS": Terrain.SEA,
    }
    assert armies(board) == {"AAA": "BBB EEE", "BBB": "AAA", "EEE": "AAA"}
    assert fleets(board) == {"AAA": "BBB SSS", "BBB": "AAA SSS", "SSS": "AAA BBB"}
    assert not board.can_stand(UnitKind.FLEET, Location(Code("EEE")))
    assert not board.can_stand(UnitKind.ARMY, Location(Code("SSS")))


def test_the_shores_of_islands_and_enclaves_come_last_among_the_borders() -> None:
    board = board_of(island())
    assert borders(board) == {"AAA": "BBB SSS EEE", "BBB": "AAA SSS", "EEE": "AAA", "SSS": "* AAA BBB"}
    assert [str(corner) for corner in board.corners] == ["[AAA/BBB/SSS]", "[AAA/BBB/SSS]"]


def test_no_unit_enters_an_impassable_face_but_it_makes_corners() -> None:
    board = board_of(island(impassable={Code("BBB"): "neutral"}))
    assert board.spaces[Code("BBB")].impassable
    assert armies(board) == {"AAA": "EEE", "BBB": "", "EEE": "AAA"}
    assert fleets(board) == {"AAA": "SSS", "SSS": "AAA"}
    assert not board.can_stand(UnitKind.FLEET, Location(Code("BBB")))
    assert len(board.corners) == 2


def test_a_face_that_nobody_enters_needs_no_names_of_its_shores() -> None:
    board = board_of(strip(impassable={Code("AAA"): "closed"}))
    assert board.spaces[Code("AAA")].coasts == ()
    assert fleets(board) == {"SSS": "", "TTT": "BBB", "BBB": "TTT"}


def test_what_is_off_the_board_is_the_edge_of_it_and_makes_no_corners() -> None:
    board = board_of(island(offboard={Code("BBB"): "part of no variant"}))
    assert set(board.spaces) == {"AAA", "EEE", "SSS"}
    assert borders(board) == {"AAA": "* SSS EEE", "EEE": "AAA", "SSS": "* AAA *"}
    assert not board.corners


def test_the_edge_of_the_board_is_one_contact_however_often_it_bends() -> None:
    assert borders(board_of(halves())) == {"AAA": "* SSS", "SSS": "* AAA"}


def test_an_unsound_figure_makes_no_board() -> None:
    figure = quarters()
    with pytest.raises(InvalidFigure, match="free end"):
        board_of(Figure(title="", frame=figure.frame, nodes=figure.nodes, arcs=figure.arcs[:1]))


def test_playing_needs_no_shapely() -> None:
    code = "import sys, plenipo.maps.figure.board; sys.exit('shapely' in sys.modules or 'numpy' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False, timeout=LIMIT).returncode == 0  # noqa: S603 - fixed words


# boxes


def boxed(links: tuple[str, ...], **flags: Any) -> Figure:
    return replace(
        halves(**flags), boxes=(Box(Code("XXX"), (50, -30), (20, 10), tuple(map(Location.from_text, links))),)
    )


def test_fleets_pass_between_a_box_and_what_it_is_linked_with_and_no_border_tells() -> None:
    board = board_of(boxed(("SSS", "AAA")))
    there = {Location(Code("AAA")), Location(Code("SSS"))}
    assert board.spaces[Code("XXX")].terrain is Terrain.SEA
    assert board.fleets[Location(Code("XXX"))] == there
    assert all(Location(Code("XXX")) in board.fleets[location] for location in there)
    assert board.borders[Code("XXX")] == ("SSS", "AAA")
    assert "XXX" not in board.armies
    assert all("XXX" not in board.borders[location.space] for location in there)


def test_a_box_needs_a_text() -> None:
    texts = {Code("AAA"): SpaceText("A"), Code("SSS"): SpaceText("S")}
    with pytest.raises(InvalidFigure, match="box XXX of the figure is not a space"):
        board_from(boxed(("SSS",)), texts, "small")


def test_a_box_linked_with_a_coast_names_it() -> None:
    with pytest.raises(InvalidFigure, match="write one of its coasts"):
        board_of(boxed(("AAA/NC",)))
    iran = replace(standard_figure(), boxes=(boxed(("SSS",)).boxes[0],))
    for link, good in (("SPA", False), ("SPA/NC", True)):
        figure = replace(iran, boxes=(replace(iran.boxes[0], at=(0, -90_000), links=(Location.from_text(link),)),))
        if good:
            board = board_of(figure)
            assert board.fleets[Location(Code("XXX"))] == {Location(Code("SPA"), Coast("NC"))}
        else:
            with pytest.raises(InvalidFigure, match="write one of its coasts"):
                board_of(figure)

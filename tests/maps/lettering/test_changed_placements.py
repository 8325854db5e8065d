"""Placements on boards that were split: the halves have theirs, and nothing else moves."""

from functools import cache
from math import dist
from random import Random

import pytest
from shapely import Point, Polygon, maximum_inscribed_circle

from maps.cutting.test_changed_figures import IRISH, IRISH_TEXTS, any_split, figures, split_of
from maps.figures import STANDARD, beyond_frame, standard_figure, standard_texts
from plenipo.engine.board import Code, Location
from plenipo.engine.changes import BoardChange, Closed, Split
from plenipo.maps.cutting.changed_figures import ChangedFigures
from plenipo.maps.figure.board import board_from
from plenipo.maps.figure.planar import Figure
from plenipo.maps.figure.segments import area2
from plenipo.maps.lettering.changed_placements import ChangedPlacements, with_doubles
from plenipo.maps.lettering.label_grid import FULL_WIDTH
from plenipo.maps.lettering.overlaps import overlaps
from plenipo.maps.lettering.placements import Placements
from plenipo.maps.lettering.space_search import RADIUS


def irish_seats() -> Placements:
    return Placements.from_json((STANDARD.parent / "irish" / "placements.json").read_text(encoding="utf-8"))


def changed_placements() -> ChangedPlacements:
    return ChangedPlacements(figures(), irish_seats())


@cache
def after_a_game() -> tuple[ChangedFigures, ChangedPlacements, tuple[BoardChange, ...]]:
    """A board split 24 times, as the cards fall."""
    chance, found = Random("placements"), figures()
    seating = ChangedPlacements(found, irish_seats())
    changes: tuple[BoardChange, ...] = ()
    for _ in range(24):
        figure = found.figure(changes)
        changes = (*changes, any_split(figure, chance.choice(sorted(figure.faces)), chance))
        found.board(changes)
        seating.placements(changes)
    return found, seating, changes


def test_candidates_that_are_left_out_could_not_have_won(monkeypatch: pytest.MonkeyPatch) -> None:
    chance, found = Random("left out"), figures()
    figure = found.figure(())
    changes = tuple(any_split(figure, code, chance) for code in map(Code, ("BOH", "BOT", "SPA")))
    quick = [changed_placements().placements((change,)) for change in changes]
    monkeypatch.setattr("plenipo.maps.lettering.space_search.HAIR", 1e9)
    assert [changed_placements().placements((change,)) for change in changes] == quick


def test_after_24_splits_everything_has_a_seat_in_its_own_space() -> None:
    found, seating, changes = after_a_game()
    figure, board, placements = found.figure(changes), found.board(changes), seating.placements(changes)
    for code, space in board.spaces.items():
        face = Polygon(figure.ring(figure.faces[code][0]))
        assert placements.codes[code].lines == (code,) or code in placements.names
        for location in {Location(code), *space.locations}:
            assert face.contains(Point(placements.units[location]))
            assert location in placements.dislodged
        assert (code in placements.centres) == space.centre


def test_after_24_splits_things_overlap_only_where_a_half_is_too_small_for_a_unit() -> None:
    found, seating, changes = after_a_game()
    figure, board, placements = found.figure(changes), found.board(changes), seating.placements(changes)
    pixel = (figure.frame[2] - figure.frame[0]) / FULL_WIDTH
    small = {
        code
        for code, cycles in figure.faces.items()
        if maximum_inscribed_circle(Polygon(figure.ring(cycles[0])), tolerance=pixel).length < (RADIUS + 1) * pixel
    }
    assert len(small) < 20
    for fault in overlaps(figure, board, placements):
        words = fault.replace(",", " ").split()
        named = {" ".join(words[i : i + n]) for i in range(len(words)) for n in (1, 2)}
        assert named & small, fault


def test_a_split_moves_nothing_but_its_halves() -> None:
    before, seating = irish_seats(), changed_placements()
    split = split_of(IRISH, "MUN", "BOH", "BUR")
    after = seating.placements((split,))
    for code in before.codes.keys() - {"MUN"}:
        assert after.codes[code] == before.codes[code]
        assert after.names.get(code) == before.names.get(code)
        assert after.units[Location(code)] == before.units[Location(code)]
    assert {"MUN 1", "MUN 2"} <= after.names.keys() | after.codes.keys()
    assert "MUN" not in after.codes


def test_a_half_that_keeps_the_code_of_the_whole_is_seated_anew() -> None:
    found, seating = figures(), changed_placements()
    first = split_of(IRISH, "NTH", "NWY", "BEL")
    second = split_of(found.figure((first,)), "NTH 2", "NTH 1", "LON")
    assert "NTH 2" in second.halves
    before, after = seating.placements((first,)), seating.placements((first, second))
    assert after.names.get(Code("NTH 2")) != before.names[Code("NTH 2")]
    figure = found.figure((first, second))
    assert overlaps(figure, found.board((first, second)), after) == []


def test_the_mark_of_a_centre_stays_where_it_was_in_the_half_that_has_the_place() -> None:
    before = irish_seats().centres[Code("MUN")]
    after = changed_placements().placements((split_of(IRISH, "MUN", "BOH", "BUR"),)).centres
    assert min(dist(after[half], before) for half in map(Code, ("MUN 1", "MUN 2"))) < 300


def test_a_space_that_is_closed_keeps_its_seats() -> None:
    seating = changed_placements()
    assert seating.placements((Closed(Code("BEL")),)).units == seating.placements(()).units


def at_the_frame(figure: Figure) -> list[Code]:
    """The faces along the frame, alphabetically."""
    west, south, east, north = figure.frame
    rings = {code: figure.ring(cycles[0]) for code, cycles in figure.faces.items()}
    return sorted(
        code for code, ring in rings.items() if any(x in (west, east) or y in (south, north) for x, y in ring)
    )


@pytest.mark.parametrize("game", [0, 1, 2, 3, 10, 12, 19, 29])
def test_the_labels_of_halves_along_the_frame_lie_inside_it_however_small_they_are(game: int) -> None:
    chance, found = Random(f"frame {game}"), figures()
    seating = ChangedPlacements(found, irish_seats())
    changes: tuple[BoardChange, ...] = ()
    space: Code | None = None
    for _ in range(5):
        figure = found.figure(changes)
        split = any_split(figure, space or chance.choice(at_the_frame(figure)), chance)
        changes = (*changes, split)
        figure, placements = found.figure(changes), seating.placements(changes)
        assert set(split.halves) <= placements.codes.keys()
        assert not beyond_frame(figure, placements)
        assert not [fault for fault in overlaps(figure, found.board(changes), placements) if "frame" in fault]
        # the smaller half along the frame is split again, if one lies there
        halves = set(split.halves) & set(at_the_frame(figure))
        space = min(halves, key=lambda half: abs(area2(figure.ring(figure.faces[half][0]))), default=None)


def test_the_same_changes_have_the_same_seats_by_whatever_way() -> None:
    splits: tuple[Split, ...] = (split_of(IRISH, "MUN", "BOH", "BUR"), split_of(IRISH, "SPA", "GAS", "WES"))
    one = changed_placements()
    one.placements(splits[:1])
    assert one.placements(splits).to_json() == changed_placements().placements(splits).to_json()


def test_corners_that_differ_by_their_order_are_each_at_their_own_end() -> None:
    board = board_from(IRISH, IRISH_TEXTS, "irish")
    points = with_doubles(IRISH, board, irish_seats()).corners
    assert len(points) == len(board.corners) == 139
    # clockwise round its northern end lie Iceland, the Atlantic in the west, the Norwegian Sea in the east
    assert points["[ICE>NAT>NRG]"] == IRISH.nodes["ICE/NAT/NRG:n"]
    assert points["[ICE>NRG>NAT]"] == IRISH.nodes["ICE/NAT/NRG:s"]


@pytest.mark.parametrize("space", ["TUN", "SWI", "DEN"])
def test_the_halves_of_a_small_province_are_seated_without_collision_on_the_regular_board(space: str) -> None:
    figure = standard_figure()
    placements = Placements.from_json((STANDARD / "placements.json").read_text(encoding="utf-8"))
    found = ChangedFigures(figure, standard_texts(), "standard")
    near = [there for there in found.board(()).borders[Code(space)] if there]
    split = split_of(figure, space, near[0], near[len(near) // 2])
    after = ChangedPlacements(found, placements).placements((split,))
    assert not [fault for fault in overlaps(found.figure((split,)), found.board((split,)), after) if "lies" in fault]

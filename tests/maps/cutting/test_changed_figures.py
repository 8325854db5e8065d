"""Boards that change in play: what the figures works out, again and again, against the rules of the split."""

from collections import Counter
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from clockwise import STANDARD
from maps.cutting.test_cut import large
from maps.figures import island, standard_figure, standard_texts, texts_of
from plenipo.engine.board import Board, Code, Location, Terrain, UnitKind
from plenipo.engine.changes import BoardChange, Border, Closed, Opened, Split, half_names
from plenipo.errors import InvalidFigure
from plenipo.library import load
from plenipo.maps.cutting import changed_figures
from plenipo.maps.cutting.changed_figures import ChangedFigures
from plenipo.maps.cutting.cut import borders, middle
from plenipo.maps.figure.board import SpaceText
from plenipo.maps.figure.figure_files import read_figure
from plenipo.maps.figure.planar import Figure
from plenipo.maps.figure.segments import area2
from plenipo.rulekit.corners import add_corners


def irish_figure() -> Figure:
    return read_figure(STANDARD.parent / "irish" / "figure.json")


IRISH = irish_figure()
IRISH_TEXTS = {
    **standard_texts(),
    **{
        Code(code): SpaceText(name, centre=True)
        for code, name in (("ALB", "Albania"), ("ICE", "Iceland"), ("NAF", "North Africa"), ("SWI", "Switzerland"))
    },
}
BOARDS = {"standard": (standard_figure(), standard_texts()), "irish": (IRISH, IRISH_TEXTS)}


def figures(name: str = "irish") -> ChangedFigures:
    return ChangedFigures(*BOARDS[name], name)


def split_of(figure: Figure, space: str, start: str, end: str) -> Split:
    """A split from one border to another; of several with one neighbour the number follows the code: `SPA#1`."""
    ends = [Border(Code(code), int(number or 0)) for code, _, number in (e.partition("#") for e in (start, end))]
    return Split(Code(space), ends[0], ends[1], half_names(Code(space), figure.faces))


def any_split(figure: Figure, space: Code, chance: Random) -> Split:
    """A split as cards would decide it: two neighbours, and one border of each."""
    near = borders(figure, space)
    first, second = chance.sample(sorted({border.neighbour for border in near}), 2)
    ends = [chance.choice([border for border in near if border.neighbour == there]) for there in (first, second)]
    return Split(space, ends[0], ends[1], half_names(space, figure.faces))


def prove(before: Figure, after: Figure, board: Board, split: Split) -> None:
    """The figure is sound, and the halves touch what the rule of the split says."""
    after.check()
    assert len(after.nodes) - len(after.arcs) == len(before.nodes) - len(before.arcs) - 1
    assert len(after.faces) == len(before.faces) + 1
    for code, around in board.borders.items():
        for there, times in Counter(around).items():
            if there is not None:
                assert board.borders[there].count(code) == times, f"{code} and {there} disagree"
    one, other = ([there for there in board.borders[half] if there] for half in split.halves)
    ends = [split.start.neighbour, split.end.neighbour]
    whole = [before.beyond(s[0]) for s in before.stretches(split.space) if not before.outside(s[0])]
    assert Counter(one + other) == Counter([*whole, *ends, *split.halves])
    assert {*ends, split.halves[1]} <= set(one)
    assert {*ends, split.halves[0]} <= set(other)
    for half in split.halves:
        space = board.spaces[half]
        assert (space.terrain is Terrain.SEA) == (split.space in before.seas)
        assert not (space.coasts and space.terrain is not Terrain.COAST)
        assert all(board.fleets[location] for location in space.locations if space.terrain is not Terrain.INLAND)


# hundreds of splits


@pytest.mark.parametrize("seed", range(2))
def test_a_game_of_twelve_years_goes_through(seed: int) -> None:
    chance, found = Random(f"game {seed}"), figures()
    changes: tuple[BoardChange, ...] = ()
    for _ in range(24):
        before = found.figure(changes)
        split = any_split(before, chance.choice(sorted(before.faces)), chance)
        after, board = found.figure((*changes, split)), found.board((*changes, split))
        prove(before, after, board, split)
        add_corners(board)
        changes = (*changes, split)
    assert len(found.board(changes).spaces) == len(IRISH.faces) + 24


@pytest.mark.parametrize(("name", "seed"), [("standard", 1), ("irish", 1)])
def test_pieces_are_split_again_until_they_are_specks(name: str, seed: int) -> None:
    chance, found = Random(f"pieces {seed}"), figures(name)
    space = chance.choice(sorted(BOARDS[name][0].faces))
    changes: tuple[BoardChange, ...] = ()
    for _ in range(24):
        before = found.figure(changes)
        split = any_split(before, space, chance)
        changes = (*changes, split)
        prove(before, found.figure(changes), found.board(changes), split)
        after = found.figure(changes)
        space = min(split.halves, key=lambda half: abs(area2(after.ring(after.faces[half][0]))))


@settings(max_examples=10, deadline=None)
@given(st.data())
def test_any_province_is_split_between_any_two_neighbours_and_then_its_halves(data: st.DataObject) -> None:
    found = figures()
    changes: tuple[BoardChange, ...] = ()
    spaces = sorted(IRISH.faces)
    for _ in range(3):
        space = data.draw(st.sampled_from(spaces))
        before = found.figure(changes)
        near = borders(before, space)
        first = data.draw(st.sampled_from(near))
        second = data.draw(st.sampled_from([border for border in near if border.neighbour != first.neighbour]))
        split = Split(space, first, second, half_names(space, before.faces))
        changes = (*changes, split)
        prove(before, found.figure(changes), found.board(changes), split)
        spaces = list(split.halves)


# derived properties


def test_the_north_sea_is_split_between_norway_and_belgium() -> None:
    split = split_of(IRISH, "NTH", "NWY", "BEL")
    board = figures().board((split,))
    around, listed = list(board.borders[Code("NTH 1")]), [*"NWY SKA DEN HEL HOL BEL".split(), "NTH 2"]
    assert listed in [around[i:] + around[:i] for i in range(len(around))]
    assert board.spaces[Code("NTH 1")].name == "North Sea 1"
    assert {str(to) for to in board.fleets[Location(Code("NTH 2"))]} == {
        *"NWY BEL ENG LON YOR EDI NRG".split(),
        "NTH 1",
    }


def test_iceland_which_has_two_neighbours_is_split_between_them() -> None:
    split = split_of(IRISH, "ICE", "NAT", "NRG")
    board = figures().board((split,))
    assert [board.reach(UnitKind.FLEET, Location(half)) for half in split.halves] == [
        {"NAT", "NRG", "ICE 2"},
        {"NAT", "NRG", "ICE 1"},
    ]
    assert board.armies[Code("ICE 1")] == {"ICE 2"}


def test_a_sea_is_split_at_either_of_two_borders_with_one_neighbour() -> None:
    north, south = (split_of(IRISH, "NRG", f"NAT#{number}", "NWY") for number in (0, 1))
    boards = [figures().board((split,)) for split in (north, south)]
    touched = [[half for half in north.halves if "ICE" in board.borders[half]] for board in boards]
    assert len(touched[0]) == len(touched[1]) == 1
    assert touched[0] != touched[1]


def test_what_was_closed_is_closed_and_so_are_its_halves_until_they_are_opened() -> None:
    split = split_of(IRISH, "BEL", "ENG", "RUH")
    changes: tuple[BoardChange, ...] = (Closed(Code("BEL")), split)
    board = figures().board(changes)
    for half in split.halves:
        assert board.spaces[half].impassable
        assert not board.spaces[half].centre
        assert not board.reach(UnitKind.ARMY, Location(half))
    assert "BEL 1" in board.borders[Code("ENG")]
    opened = figures().board((*changes, Opened(Code("BEL 2"))))
    assert opened.spaces[Code("BEL 2")].centre
    assert opened.reach(UnitKind.ARMY, Location(Code("BEL 2")))
    assert not opened.reach(UnitKind.ARMY, Location(Code("BEL 1")))


def test_a_closed_sea_keeps_the_coasts_round_it_together() -> None:
    board = figures().board((Closed(Code("NTH")),))
    assert "HOL" in board.reach(UnitKind.FLEET, Location(Code("BEL")))
    assert "NTH" not in board.reach(UnitKind.FLEET, Location(Code("BEL")))
    assert "YOR" in board.reach(UnitKind.FLEET, Location(Code("LON")))


def test_what_is_remembered_changes_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    chance, found = Random("memory"), figures()
    changes: tuple[BoardChange, ...] = ()
    for _ in range(4):
        figure = found.figure(changes)
        changes = (*changes, any_split(figure, chance.choice(sorted(figure.faces)), chance))
    monkeypatch.setattr(changed_figures, "KEPT", 2)
    fresh = figures()
    assert fresh.figure(changes).to_json() == found.figure(changes).to_json()
    for n in (3, 1):
        assert fresh.figure(changes[:n]) == found.figure(changes[:n])
        assert fresh.texts(changes[:n]) == found.texts(changes[:n])
    assert found.board(changes) is found.board(changes)


def test_the_middles_of_borders_are_counted_as_borders_are() -> None:
    found = figures()
    middles = found.middles((), Code("SPA"), Code("MID"))
    assert middles == tuple(middle(IRISH, Code("SPA"), Border(Code("MID"), n)) for n in (0, 1))
    assert found.middles((), Code("SPA"), Code("PAR")) == ()


def test_the_rules_of_a_variant_have_their_boards_from_its_figures() -> None:
    rules = load("standard")
    assert isinstance(rules.changed_boards, ChangedFigures)
    assert rules.changed_boards.board(()).armies == rules.board.armies


# refused splits


def test_a_line_to_an_island_in_a_face_is_refused_in_a_sentence() -> None:
    figure = large(island())
    found = ChangedFigures(figure, texts_of(figure), "island")
    with pytest.raises(InvalidFigure, match=r"does not part it, since only one of them is "):
        found.board((split_of(figure, "AAA", "SSS", "EEE"),))
    assert found.board((split_of(figure, "AAA", "SSS", "BBB"),)).spaces.keys() >= {"AAA 1", "AAA 2", "EEE"}


@pytest.mark.parametrize(
    ("space", "start", "half", "sentence"),
    [
        ("XXX", "PAR", "A 1", "XXX is not a face of "),
        ("PAR", "MUN", "A 1", "PAR has no border with MUN"),
        ("PAR", "PIC", "MUN", "MUN cannot be the name of a half"),
        ("PAR", "BUR", "A 1", "PAR cannot be split from its border with BUR to the same border"),
    ],
)
def test_a_change_that_cannot_be_made_is_refused_in_a_sentence(
    space: str, start: str, half: str, sentence: str
) -> None:
    split = Split(Code(space), Border(Code(start)), Border(Code("BUR")), (Code(half), Code("A 2")))
    with pytest.raises(InvalidFigure) as caught:
        figures().board((split,))
    assert str(caught.value).startswith(sentence)

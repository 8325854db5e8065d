"""Two faces that touch become one: contacts, coasts, centres and names follow, and all else stays as it is."""

from random import Random

import pytest

from maps.cutting.test_changed_figures import any_split, figures
from plenipo.engine.board import Code, Location, Terrain
from plenipo.engine.changes import Barred, BoardChange, Closed, Joined, closed_by, find_successors
from plenipo.errors import InvalidFigure


def one(space: str, into: str) -> Joined:
    return Joined(Code(space), Code(into))


def test_what_touched_either_touches_the_whole() -> None:
    found = figures("standard")
    before, after = found.board(()), found.board((one("GAS", "BUR"),))
    assert "GAS" not in after.spaces
    assert after.armies[Code("BUR")] == (before.armies[Code("BUR")] | before.armies[Code("GAS")]) - {"BUR", "GAS"}
    assert all("GAS" not in tos for tos in after.armies.values())
    assert after.spaces[Code("BUR")].terrain is Terrain.COAST
    assert {str(to) for to in after.fleets[Location(Code("BUR"))]} == {"BRE", "MID", "SPA/NC"}


def test_shores_that_run_on_are_one_coast() -> None:
    board = figures("standard").board((one("POR", "SPA"),))
    assert board.spaces[Code("SPA")].coasts == ()
    assert {str(to) for to in board.fleets[Location(Code("SPA"))]} == {"GAS", "GOL", "MID", "MAR", "WES"}


def test_a_shore_apart_keeps_the_name_of_its_coast() -> None:
    board = figures("standard").board((one("FIN", "STP"),))
    assert board.spaces[Code("STP")].coasts == ("NC", "SC")
    assert "SWE" in {str(to) for to in board.fleets[Location(Code("STP"), "SC")]}  # type: ignore[arg-type]
    board = figures("standard").board((one("STP", "FIN"),))
    assert board.spaces[Code("FIN")].coasts == ("NC", "SC")


def test_the_whole_is_a_centre_if_either_was_and_has_the_names_of_both() -> None:
    board = figures("standard").board((one("PAR", "PIC"),))
    picardy = board.spaces[Code("PIC")]
    assert picardy.centre
    assert picardy.name == "Picardy"
    assert {"PAR", "Paris"} <= set(picardy.aliases)
    assert board.became(Code("PAR")) == "PIC"
    assert "PAR" in board.known_codes


@pytest.mark.parametrize(
    ("space", "into", "why"),
    [
        ("PAR", "ENG", "are a sea and a land; they cannot become one"),
        ("PAR", "ROM", "do not touch; only neighbours become one"),
        ("SWI", "MUN", "may not be entered"),
        ("XYZ", "MUN", "is not a face of"),
    ],
)
def test_two_that_cannot_become_one_are_refused(space: str, into: str, why: str) -> None:
    with pytest.raises(InvalidFigure, match=why):
        figures("standard").board((one(space, into),))


@pytest.mark.parametrize("seed", range(6))
def test_whatever_is_joined_and_split_in_turn_the_figure_stays_sound(seed: int) -> None:
    found, chance, changes = figures(), Random(seed), list[BoardChange]()
    for turn in range(12):
        figure = found.figure(tuple(changes))
        lands = [code for code in figure.faces if code not in figure.impassable and code not in figure.offboard]
        space = chance.choice(lands)
        near = sorted(
            {
                there
                for stretch in figure.stretches(space)
                if (there := figure.beyond(stretch[0])) in lands and (there in figure.seas) == (space in figure.seas)
            }
        )
        changes.append(
            any_split(figure, space, chance) if turn % 4 == 3 or not near else Joined(space, chance.choice(near))
        )
        board = found.board(tuple(changes))
        for code, around in board.borders.items():
            assert all(there is None or board.borders[there].count(code) == around.count(there) for there in around)
        for at, tos in board.fleets.items():
            assert all(at in board.fleets[to] for to in tos)


def test_a_figure_that_was_kept_is_the_one_worked_out() -> None:
    found = figures("standard")
    changes = (one("POR", "SPA"), one("GAS", "BUR"))
    drawn = found._drawn.of(changes)
    read = found._first.decode(drawn.encode(), changes)
    assert read.figure == drawn.figure
    assert read.texts == drawn.texts


def test_what_is_said_of_the_part_is_said_of_the_whole() -> None:
    changes = (Closed(Code("PAR")), one("PAR", "BUR"), Barred(Code("BUR"), Code("MUN")))
    assert find_successors([Code("PAR"), Code("MAR")], changes) == {"BUR", "MAR"}
    assert closed_by(changes) == frozenset()

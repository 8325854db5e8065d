"""The cases of jDip: each is a game of one phase, and a game of several is written as cases that continue."""

import io

import pytest

from formats.sample_games import play
from plenipo import library
from plenipo.engine.history.game import Game
from plenipo.errors import InvalidRecord
from plenipo.formats import FORMATS
from plenipo.formats.jdip import JDIP
from plenipo.formats.streaming import games_in

BURGUNDY = """
# Two armies want one place.
CASE Burgundy (movement)
PRESTATE_SETPHASE Spring 1903, Movement
PRESTATE
    France: Army Paris      # as mails write it
    Germany: A mun
ORDERS
    France: A par-bur
    Germany: A mun => bur
POSTSTATE_SAME
END
"""

RETREAT = """
CASE A fleet looks for a harbour
PRESTATE_SETPHASE F1901R
PRESTATE
    Italy: F gre
    Turkey: A ser
PRESTATE_DISLODGED
    Turkey: F gre
PRESTATE_RESULTS
    FAILURE: Turkey: F gre
    SUCCESS: Italy: F ion-gre
    SUCCESS: Italy: F aeg S F ion-gre
    FAILURE: Turkey: A ser-alb
    FAILURE: Austria: A tri-alb
ORDERS
    Turkey: F gre-{to}
POSTSTATE
    Italy: F gre
    Turkey: A ser{left}
END
"""

WINTER = """
CASE Two builds, one made
PRESTATE_SETPHASE Fall 1901 (Adjustment)
PRESTATE_SUPPLYCENTER_OWNERS
    Germany: A ber
    Germany: A mun
    Germany: F kie
PRESTATE
    Germany: A ruh
ORDERS
    Germany: Build A ber
    Germany: Waive kie
POSTSTATE
    Germany: A ruh
    Germany: A ber
END
"""


def read_all(text: str) -> list[Game]:
    """The games of a file."""
    file = io.BytesIO(text.encode())
    return [one.form.read(one.text, library.load) for one in games_in(file, FORMATS)]


def test_each_case_of_a_file_is_a_game_that_begins_where_the_case_does() -> None:
    games = read_all(f"VARIANT_ALL Standard\n{BURGUNDY}{WINTER}")
    assert [str(game.start.phase) for game in games] == ["Spring 1903 movement", "Winter 1901 adjustments"]
    assert [len(game.turns) for game in games] == [1, 1]
    assert all(game.rulings == () for game in games)
    assert [str(unit) for unit in games[0].position.units] == ["A MUN", "A PAR"]
    assert {str(unit) for unit in games[1].position.units} == {"A RUH", "A BER"}


@pytest.mark.parametrize("place", ["alb", "ion"])
def test_a_unit_may_not_retreat_where_moves_failed_or_its_attacker_came_from(place: str) -> None:
    (game,) = read_all("VARIANT_ALL Standard\n" + RETREAT.format(to=place, left=""))
    assert game.rulings == ()
    assert {str(unit) for unit in game.position.units} == {"F GRE", "A SER"}


def test_a_unit_may_retreat_elsewhere() -> None:
    (game,) = read_all("VARIANT_ALL Standard\n" + RETREAT.format(to="aeg", left="\n    Turkey: F aeg"))
    assert game.rulings == ()
    assert "F AEG" in {str(unit) for unit in game.position.units}


def test_a_dislodged_unit_does_not_bar_the_place_that_its_attacker_came_from_by_sea() -> None:
    text = """VARIANT_ALL Standard
CASE By sea
PRESTATE_SETPHASE Spring 1901, Retreat
PRESTATE
    Russia: A lvp
PRESTATE_DISLODGED
    England: A lvp
PRESTATE_RESULTS
    FAILURE: England: A lvp-edi
    SUCCESS: Russia: A edi-lvp by convoy
ORDERS
    England: A lvp-edi
POSTSTATE
    Russia: A lvp
    England: A edi
END
"""
    (game,) = read_all(text)
    assert game.rulings == ()


def test_where_the_case_ends_otherwise_a_ruling_says_how() -> None:
    text = BURGUNDY.replace("POSTSTATE_SAME", "POSTSTATE\n    France: A bur\n    Germany: A mun")
    (game,) = read_all(f"VARIANT_ALL Standard\n{text}")
    ((after, ruling),) = game.rulings
    assert after == 1
    assert "France has the units A BUR in the file, and after the orders before it A PAR." in str(ruling.reason.text)


def test_a_game_of_several_phases_is_one_game_again() -> None:
    game = play(3, turns=9)
    text = JDIP.write(game)
    assert text.count("\nCASE ") == 9
    (again,) = read_all(text)
    assert again.position == game.position


def test_a_case_for_a_variant_of_the_library_is_read_by_its_rules() -> None:
    (game,) = read_all(f"VARIANT_ALL DATC_Fleet-Rome\n{BURGUNDY}")
    assert game.rules.variant == "fleet-rome"


@pytest.mark.parametrize(
    ("old", "new", "sentence"),
    [
        ("VARIANT_ALL Standard", "VARIANT_ALL Narnia", "The cases are for the variant 'Narnia' of jDip"),
        ("A par-bur", "A par-narnia", ""),
        ("Army Paris", "Army Narnia", "Case 'Burgundy (movement)': "),
        ("    Germany: A mun\n", "    Germany A mun\n", "Case 'Burgundy (movement)': 'Germany A mun' is not a line"),
        ("Germany: A mun\n", "Germnay: A mun\n", "did you mean Germany?"),
        ("Spring 1903, Movement", "Monday", "'Monday' is not a phase; write one like 'Spring 1901, Movement'."),
        ("CASE Burgundy (movement)\n", "", "'PRESTATE_SETPHASE Spring 1903, Movement' is not a line of a case"),
        (BURGUNDY, "", "The file has no line that begins with CASE"),
    ],
)
def test_what_cannot_be_read_is_said_in_a_sentence_with_the_name_of_the_case(old: str, new: str, sentence: str) -> None:
    text = f"VARIANT_ALL Standard\n{BURGUNDY}".replace(old, new)
    if not sentence:  # an order is stored as it was written
        (game,) = read_all(text)
        assert game.turns[0].resolution.refusals
        return
    with pytest.raises(InvalidRecord) as told:
        read_all(text)
    assert sentence in str(told.value)


def test_another_variant_is_not_written() -> None:
    with pytest.raises(InvalidRecord, match="The cases of jDip are for the standard game"):
        JDIP.write(Game.new(library.load("corner")))

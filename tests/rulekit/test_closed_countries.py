"""The home centres of powers that start without a player are closed."""

from collections.abc import Callable

import pytest

from hats import BY_HAND, drawn, given
from plenipo.engine.board import Code, Location, UnitKind
from plenipo.engine.calendar import PhaseKind
from plenipo.engine.changes import closed_by
from plenipo.engine.dice import Dice
from plenipo.engine.history.game import Game
from plenipo.engine.history.record import decode_game, encode_game
from plenipo.engine.phases.adjustments import due
from plenipo.engine.phases.legality import Legality
from plenipo.engine.position import Power
from plenipo.engine.reading.notation import notation_of
from plenipo.engine.rules import Rules
from plenipo.errors import InvalidVariant, UnknownName
from plenipo.library import load
from plenipo.rulekit.closed_countries import ClosedCountries
from table import board_of, owner

Tiny = Callable[..., Rules]
HEAD = """
[modules.closed_countries]
majors = ["Austria", "England", "France", "Germany", "Italy", "Russia", "Turkey"]
major_powers = ["Austria", "England", "France", "Germany", "Italy", "Russia", "Turkey"]
"""
COUNTRIES = """
[modules.closed_countries.countries]
Italy = ["APU", "NAP", "PIE", "ROM", "TUS", "VEN"]
Turkey = ["ANK", "ARM", "CON", "SMY", "SYR"]
"""
MODULE = HEAD + COUNTRIES
ITALY = Power("Italy")
SIX = "Austria, England, France, Germany, Russia, Turkey"


def test_where_all_powers_are_played_nothing_is_closed(tiny: Tiny) -> None:
    rules = tiny(MODULE)
    assert rules.opening.changes == ()
    assert board_of(rules.opening) == board_of(load("standard").opening)


def test_the_country_of_an_unplayed_power_is_closed(tiny: Tiny) -> None:
    rules = tiny(MODULE, majors=SIX)
    assert ITALY not in rules.names
    assert closed_by(rules.opening.changes) == {"APU", "NAP", "PIE", "ROM", "TUS", "VEN"}
    assert "Italy" not in board_of(rules.opening)
    assert owner(rules.opening, "ROM") is None
    board = rules.board_at(rules.opening)
    assert len(board.centres) == 31
    assert not board.reach(UnitKind.ARMY, Location(Code("TYO"))) & {"PIE", "VEN"}


def test_no_unit_enters_supports_into_or_convoys_to_it(tiny: Tiny) -> None:
    rules = tiny(MODULE, majors=SIX)
    for power in rules.names:
        orders = " ".join(str(order) for order in Legality(rules, rules.opening).orders_of(power))
        assert not any(code in orders for code in ("VEN", "PIE", "ROM"))


def test_an_order_into_it_is_refused_because_it_is_closed(tiny: Tiny) -> None:
    rules = tiny(MODULE, majors=SIX)
    order = notation_of(rules).read("A VIE - VEN", PhaseKind.MOVEMENT)
    checked = Legality(rules, rules.opening).check(Power("Austria"), order)
    assert checked.reason == "Venice is a closed country: it has no player, and no unit may enter."


def test_what_lies_round_it_touches_as_before(tiny: Tiny) -> None:
    open_board, closed = (tiny(MODULE, **options).board for options in ({}, {"majors": SIX}))
    for location, tos in open_board.fleets.items():
        assert tos == closed.fleets[location]
    rules = tiny(MODULE, majors=SIX)
    board = rules.board_at(rules.opening)
    assert board.borders == open_board.borders


def test_an_unplayed_major_may_stand_on_in_civil_disorder(tiny: Tiny) -> None:
    rules = tiny(MODULE, majors=SIX, unplayed_majors="civil_disorder")
    assert ITALY not in rules.names
    assert board_of(rules.opening)["Italy"] == ["F NAP", "A ROM", "A VEN"]
    assert rules.opening.changes == ()
    after = Game.new(rules).process(given(Austria=["A VIE - TYO"]))
    after = after.process(given(Austria=["A TYO - VEN", "F TRI S A TYO - VEN"])).process({})
    assert board_of(after.position)["Italy"] == ["F NAP", "A ROM"]
    assert due(rules, after.position, ITALY) == 0


def test_what_is_no_country_is_open_and_no_centre(tiny: Tiny) -> None:
    rules = tiny(BY_HAND + "[modules.splits]\n" + MODULE, not_countries="Italy")
    assert ITALY not in rules.names
    assert closed_by(rules.opening.changes) == set()
    assert not {"NAP", "ROM", "VEN"} & rules.board.centres
    assert "VEN" in rules.board.reach(UnitKind.ARMY, Location(Code("TYO")))
    after = drawn(rules, rules.opening, {"split": "ROM", "cards of ROM": "TUS KS, NAP QS"}).after
    assert not {"ROM 1", "ROM 2"} & rules.board_at(after).centres


def test_a_power_without_a_country_just_does_not_play(tiny: Tiny) -> None:
    rules = tiny(MODULE, majors="England, France")
    assert rules.names == ("England", "France")
    assert closed_by(rules.opening.changes) == {
        *("APU", "NAP", "PIE", "ROM", "TUS", "VEN"),
        *("ANK", "ARM", "CON", "SMY", "SYR"),
    }
    assert "MUN" in rules.board_at(rules.opening).centres


@pytest.mark.parametrize(
    ("options", "told"),
    [
        ({"majors": "Itly"}, "'Itly' is not a power of this variant; did you mean Italy?"),
        ({"minors": "Mars"}, "'Mars' is not a power of this variant; there are Austria, England,"),
        ({"not_countries": "Itly"}, "'Itly' is not a power"),
        ({"not_countries": "w" * 40_000}, "'" + "w" * 199 + "…' is not a power"),
        ({"majors": ""}, "At least one power must be played: 'majors' and 'minors' are both empty."),
    ],
)
def test_a_name_that_is_no_power_is_refused(tiny: Tiny, options: dict[str, str], told: str) -> None:
    with pytest.raises(UnknownName) as fault:
        tiny(MODULE, **options)
    assert str(fault.value).startswith(told)


def test_a_country_of_provinces_that_are_none_is_refused(tiny: Tiny) -> None:
    with pytest.raises(
        InvalidVariant, match="'closed_countries' gives Italy 'XYZ', which is not a province of the board"
    ):
        tiny(HEAD + '[modules.closed_countries.countries]\nItaly = ["XYZ"]\n')


def test_a_record_keeps_what_is_closed(tiny: Tiny) -> None:
    rules = tiny(MODULE, majors=SIX)
    game = Game.new(rules, Dice(bytes(32))).process({})
    assert decode_game(encode_game(game), rules) == game
    assert closed_by(game.position.changes) >= {"ROM"}


def test_the_option_of_irish_diplomacy_leaves_north_africa_as_it_is_in_the_regular_game() -> None:
    rules = load("irish", {"not_countries": "North Africa"})
    assert "NAF" not in rules.board.centres
    assert len(rules.board_at(rules.opening).centres) == 37
    assert ClosedCountries.name in {module.name for module in rules.modules}

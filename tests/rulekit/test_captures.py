"""Changes in the ownership of centres."""

from collections.abc import Callable
from dataclasses import replace

import pytest

from plenipo.batch import UnsupportedRules, compile_tables
from plenipo.conformance import of_a_random_game
from plenipo.engine.board import Code
from plenipo.engine.calendar import Phase, PhaseKind
from plenipo.engine.history.game import Game
from plenipo.engine.history.record import decode_game, encode_game
from plenipo.engine.phases.step import advance
from plenipo.engine.rules import Rules
from plenipo.errors import InvalidVariant
from table import place, said

Tiny = Callable[..., Rules]
FALL = Phase("Fall", 1901, PhaseKind.RETREATS)


def module(text: str) -> str:
    return f"[modules.captures]\n{text}\n"


def owners(rules: Rules, units: str, phase: Phase = FALL, /, **owned: str) -> dict[str, str]:
    position = advance(rules, place(units, phase, rules, owners=owned)).position
    return {str(code): str(power) for code, power in position.owners.items()}


def test_only_units_of_a_kind_take_centres(tiny: Tiny) -> None:
    rules = tiny(module("units = ['A']"))
    assert owners(rules, "France: A SPA, F POR") == {"SPA": "France"}


def test_after_some_settlings_at_which_the_same_power_stood_there(tiny: Tiny) -> None:
    rules = tiny(module("looks = 3"))
    position = place("France: A SPA\nItaly: A ROM", FALL, rules, owners={"Italy": "ROM"})
    for year, owned in ((1901, False), (1902, False), (1903, True)):
        position = advance(rules, replace(position, phase=FALL._replace(year=year))).position
        assert ("SPA" in position.owners) == owned


def test_a_unit_that_leaves_begins_anew(tiny: Tiny) -> None:
    rules = tiny(module("looks = 2"))
    position = advance(rules, place("France: A SPA", FALL, rules)).position
    gone = replace(position, phase=FALL._replace(year=1902), units=place("France: A GAS").units)
    back = replace(advance(rules, gone).position, phase=FALL._replace(year=1903), units=position.units)
    assert advance(rules, back).position.owners == {}


def test_in_every_season(tiny: Tiny) -> None:
    rules = tiny(module("every_season = true"))
    assert [str(step.season) for step in rules.calendar.cycle if step.kind is PhaseKind.OWNERSHIP] == [
        "Spring",
        "Winter",
    ]
    game = Game.new(rules).process({"France": ["A MAR - SPA"]})  # type: ignore[dict-item]  # a power by its name
    assert game.position.owners[Code("SPA")] == "France"
    assert str(game.position.phase) == "Fall 1901 movement"


def test_a_unit_captures_in_passing_unless_a_unit_stands_there(tiny: Tiny) -> None:
    rules = tiny(module("passing = true"))
    game = Game.new(rules)
    game = game.process({"France": ["A MAR - SPA"], "Italy": ["A VEN - TRI", "F NAP - ION"]})  # type: ignore[dict-item]
    assert "SPA" not in game.position.owners
    assert decode_game(encode_game(game), rules) == game
    game = game.process({"France": ["A SPA - GAS"], "Austria": ["A BUD - SER"]})  # type: ignore[dict-item]
    assert game.position.owners[Code("SPA")] == "France"
    assert game.position.owners[Code("SER")] == "Austria"


def test_a_centre_that_must_stay_occupied_is_lost_when_it_is_left(tiny: Tiny) -> None:
    rules = tiny(module("occupied = true"))
    effects = advance(rules, place("France: A PAR", FALL, rules, owners={"France": "PAR MAR"}))
    assert effects.position.owners == {"PAR": "France"}
    assert "France lost Marseilles: no unit of it stands there." in said(effects)


def test_a_centre_counts_from_a_year_on_and_up_to_one(tiny: Tiny) -> None:
    rules = tiny(module("from_year = { SPA = 1903 }\nuntil_year = { PAR = 1902 }"))
    later = FALL._replace(year=1903)
    assert owners(rules, "France: A SPA, A PAR") == {"PAR": "France"}
    assert owners(rules, "France: A SPA", later, France="PAR") == {"SPA": "France"}


def test_with_a_capital_goes_everything_or_it_is_free(tiny: Tiny) -> None:
    text = "capitals = { France = 'PAR' }"
    assert owners(tiny(module(text)), "Germany: A PAR", France="PAR MAR SPA") == dict.fromkeys(
        ("PAR", "MAR", "SPA"), "Germany"
    )
    freed = tiny(module(text + "\ncapitals_freed = true"))
    assert owners(freed, "Germany: A PAR", France="PAR MAR SPA") == {"PAR": "Germany"}
    assert owners(freed, "Germany: A MAR", France="PAR MAR SPA") == {
        "MAR": "Germany",
        "PAR": "France",
        "SPA": "France",
    }


@pytest.mark.parametrize("text", ["looks = 2", "passing = true\nevery_season = true", "occupied = true"])
def test_random_games_go_on_and_their_records_are_read_again(text: str, tiny: Tiny) -> None:
    rules = tiny(module(text))
    assert list(of_a_random_game(rules, 1, years=5)) == []


def test_where_nothing_is_said_all_is_as_usual(tiny: Tiny) -> None:
    units, owned = "France: A SPA, A MUN\nItaly: A TUN", {"Germany": "MUN BER", "Italy": "ROM"}
    assert owners(tiny(module("")), units, FALL, **owned) == owners(tiny(""), units, FALL, **owned)


WRONG = {
    "looks_of = { SPA = 0 }": "'captures.looks_of' has 0 as 'SPA'; it must be 1 or more.",
    "seasons = { SPA = ['Spring'] }": "has the season 'Spring', which has no ownership phase; there are Winter.",
    "from_year = { BUR = 1903 }": "names 'BUR', which is not a supply centre;",
    "from_year = { PAR = 1903 }\nuntil_year = { PAR = 1902 }": "has PAR from 1903 until 1902.",
    "looks = 0": "'captures' has 0 as 'looks'; it must be 1 or more.",
    "passing = true\noccupied = true": "has 'passing' and 'occupied': what is taken in passing would be lost.",
    "capitals = { France = 'BUR' }": "names 'BUR', which is not a supply centre;",
    "capitals = { Spain = 'PAR' }": "'Spain' is not a power of this variant;",
}


@pytest.mark.parametrize("text", WRONG)
def test_what_is_not_there_is_refused(text: str, tiny: Tiny) -> None:
    with pytest.raises(InvalidVariant) as refused:
        tiny(module(text))
    assert WRONG[text] in str(refused.value)


def test_the_kernel_refuses_it(tiny: Tiny) -> None:
    with pytest.raises(UnsupportedRules, match="'captures': centres change hands otherwise"):
        compile_tables(tiny(module("looks = 2")))


def test_a_kind_of_unit_there_is_not_is_refused(tiny: Tiny) -> None:
    with pytest.raises(InvalidVariant, match=r"names the unit 'Q'; it must be A or F"):
        tiny(module("units = ['Q']"))


def test_a_centre_may_be_destroyed_when_it_passes_from_one_power_to_another(tiny: Tiny) -> None:
    rules = tiny(module("destroyed = ['MUN', 'SPA']"))
    effects = advance(rules, place("France: A MUN, A SPA", FALL, rules, owners={"Germany": "MUN BER"}))
    assert dict(effects.position.owners) == {"BER": "Germany", "SPA": "France"}
    assert "France lost Munich: it is destroyed." in said(effects)
    later = replace(effects.position, phase=FALL._replace(year=1902))
    assert "MUN" not in advance(rules, later).position.owners
    game = replace(Game.new(rules), start=effects.position)
    assert decode_game(encode_game(game), rules).position.slots == effects.position.slots


def test_single_centres_may_take_longer_or_be_taken_in_their_seasons_alone(tiny: Tiny) -> None:
    slow = tiny(module("looks_of = { SPA = 2 }"))
    first = advance(slow, place("France: A SPA, A BEL", FALL, slow)).position
    assert dict(first.owners) == {"BEL": "France"}
    second = advance(slow, replace(first, phase=FALL._replace(year=1902))).position
    assert dict(second.owners) == {"BEL": "France", "SPA": "France"}
    timed = tiny(module("every_season = true\nseasons = { SPA = ['Spring'] }"))
    assert owners(timed, "France: A SPA, A BEL") == {"BEL": "France"}
    spring = Phase("Spring", 1902, PhaseKind.RETREATS)
    assert owners(timed, "France: A SPA, A BEL", spring) == {"BEL": "France", "SPA": "France"}

"""Victory conditions as a list."""

from collections.abc import Callable
from dataclasses import replace
from random import Random

import pytest

from plenipo import library
from plenipo.batch import Arena, UnsupportedRules, compile_tables
from plenipo.engine.board import Location, UnitKind
from plenipo.engine.calendar import Phase, PhaseKind
from plenipo.engine.history.game import Game
from plenipo.engine.history.record import decode_game, encode_game
from plenipo.engine.phases import victory
from plenipo.engine.phases.step import advance
from plenipo.engine.position import Position, Power, Unit
from plenipo.engine.rules import Rules
from plenipo.engine.victory_conditions import VictoryCondition
from plenipo.errors import InvalidVariant
from plenipo.rulekit.victory_conditions import VictoryConditions
from table import place, said

Tiny = Callable[..., Rules]
FALL = Phase("Fall", 1901, PhaseKind.RETREATS)
FRANCE, ITALY = Power("France"), Power("Italy")


def ways(*texts: str) -> str:
    return "victory = 4\n" + "".join(f"[[modules.victory_conditions.ways]]\n{text}\n" for text in texts)


def after(rules: Rules, units: str = "", phase: Phase = FALL, **owners: str) -> tuple[Position, str]:
    effects = advance(rules, place(units, phase, rules, owners=owners))
    return effects.position, " ".join(said(effects))


def winners(rules: Rules, units: str = "", phase: Phase = FALL, **owners: str) -> tuple[str, ...]:
    return after(rules, units, phase, **owners)[0].winners


def test_the_number_of_the_variant_wins_where_a_way_says_none(tiny: Tiny) -> None:
    rules = tiny(ways("count = 'centres'"))
    assert winners(rules, France="BRE MAR PAR SPA", Italy="NAP ROM VEN") == ("France",)
    assert winners(rules, France="BRE MAR PAR", Italy="NAP ROM VEN") == ()
    assert rules.victory_condition == "4 centres"


def test_more_than_half_of_the_centres_there_are(tiny: Tiny) -> None:
    rules = tiny(ways("enough = 'majority'"))
    owned = sorted(rules.board.centres)
    assert winners(rules, France=" ".join(owned[:17])) == ()
    assert winners(rules, France=" ".join(owned[:18])) == ("France",)
    assert rules.victory_condition == "more than half of all centres"


def test_more_than_half_of_the_units_wherever_they_stand(tiny: Tiny) -> None:
    rules = tiny(ways("count = 'units'\nenough = 'majority'"))
    two = "France: A BUR, A GAS\nItaly: A TUS"
    assert winners(rules, two, France="PAR", Italy="ROM") == ("France",)
    assert winners(rules, two + ", A PIE", France="PAR", Italy="ROM") == ()


def test_both_centres_and_units(tiny: Tiny) -> None:
    rules = tiny(ways("count = 'both'\nenough = 2"))
    assert winners(rules, "France: A BUR", France="PAR MAR", Italy="ROM") == ()
    assert winners(rules, "France: A BUR, A GAS", France="PAR", Italy="ROM") == ()
    assert winners(rules, "France: A BUR, A GAS", France="PAR MAR", Italy="ROM") == ("France",)


def test_named_centres_all_or_some_for_whom_they_are_named(tiny: Tiny) -> None:
    rules = tiny(
        ways(
            "among = ['BER', 'ROM', 'VIE']\nenough = 'all'",
            "among = ['LON', 'EDI', 'LVP']\nenough = 2\npowers = ['France']",
        )
    )
    assert winners(rules, Italy="ROM VIE", France="PAR BER") == ()
    assert winners(rules, Italy="ROM VIE BER", France="PAR") == ("Italy",)
    assert winners(rules, Italy="LON EDI", France="PAR") == ()
    position, notes = after(rules, France="LON LVP", Italy="ROM")
    assert position.winners == ("France",)
    assert "France won the game: 2 of LON, EDI and LVP of France win." in notes


def test_units_that_stand_somewhere_at_whatever_time(tiny: Tiny) -> None:
    rules = tiny(ways("count = 'stands'\namong = ['MOS']\nenough = 'all'\npowers = ['France']\nafter = ['movement']"))
    rules = replace(rules, opening=place("France: A WAR\nItaly: A ROM", rules=rules))
    game = Game.new(rules)
    done = game.process({FRANCE: ["A WAR - MOS"]})
    assert done.position.winners == ("France",)
    assert str(done.position.phase) == "Spring 1901 movement"
    assert decode_game(encode_game(done), rules) == done
    assert game.process({FRANCE: ["A WAR - LVN"]}).position.winners == ()


def test_the_last_that_is_left(tiny: Tiny) -> None:
    rules = tiny(ways("count = 'rivals'\nenough = 'all'"))
    assert winners(rules, France="PAR", Italy="ROM") == ()
    assert winners(rules, "Italy: A TUS", France="PAR") == ()
    assert winners(rules, France="PAR") == ("France",)
    assert rules.victory_condition == "those left alone"


def test_what_must_last_is_remembered_and_forgotten_when_it_is_lost(tiny: Tiny) -> None:
    rules = tiny(ways("enough = 3\nheld = 2"))
    first, _ = after(rules, France="BRE MAR PAR", Italy="ROM")
    assert first.winners == ()
    again = replace(first, phase=FALL._replace(year=1902))
    assert advance(rules, again).position.winners == ("France",)
    less = replace(again, owners={code: power for code, power in again.owners.items() if code != "PAR"})
    third = replace(advance(rules, less).position, phase=FALL._replace(year=1903), owners=again.owners)
    assert advance(rules, third).position.winners == ()


def test_what_must_last_stands_in_the_record(tiny: Tiny) -> None:
    rules = tiny(ways("enough = 3\nheld = 2"))
    game = Game.new(rules).process({}).process({})
    assert game.position.slots[victory.SLOT].to_json()["0"] == {"Russia": 1}
    assert decode_game(encode_game(game), rules) == game


def test_at_a_limit_the_first_in_rank_wins_and_equals_share_it(tiny: Tiny) -> None:
    rank = "enough = 'most'\nfrom_year = 1905\nthen = ['units']\nshared = true"
    rules = tiny(ways(rank))
    late = FALL._replace(year=1905)
    assert winners(rules, France="BRE MAR PAR", Italy="ROM") == ()
    assert winners(rules, "", late, France="BRE MAR PAR", Italy="ROM") == ("France",)
    assert winners(rules, "Italy: A TUS", late, France="BRE", Italy="ROM") == ("Italy",)
    assert winners(rules, "", late, France="BRE", Italy="ROM") == ("France", "Italy")
    alone = tiny(ways("enough = 'most'\nfrom_year = 1905"))
    assert winners(alone, "", late, France="BRE", Italy="ROM") == ()


def test_all_remaining_powers_may_win_together_at_a_limit(tiny: Tiny) -> None:
    rules = tiny(ways("enough = 1\nlead = 0\nshared = true\nfrom_year = 1905"))
    late = FALL._replace(year=1905)
    assert winners(rules, "Turkey: A SYR", late, France="BRE MAR", Italy="ROM") == ("France", "Italy")


def test_other_numbers_for_single_powers_and_a_lead(tiny: Tiny) -> None:
    rules = tiny(ways("enough = 4\neach = { Italy = 2 }\nlead = 2"))
    assert winners(rules, France="BRE MAR PAR", Italy="ROM") == ()
    assert winners(rules, France="BRE", Italy="ROM VEN") == ()
    assert winners(rules, Italy="ROM VEN") == ("Italy",)
    assert victory.count_needed(rules, rules.opening, ITALY) == 2
    assert rules.victory_condition == "4 centres (2 for Italy) and 2 more than any other power"


def test_points_count_where_a_module_gives_them(tiny: Tiny) -> None:
    text = ways("count = 'points'\nenough = 6") + "[modules.points]\nvictory_points = 0\nminor_income = 2\n"
    rules = tiny(text)
    assert winners(rules, France="BRE MAR PAR", Italy="ROM") == ("France",)
    assert winners(rules, France="BRE MAR", Italy="ROM") == ()


WRONG = {
    "enough = 35": "takes 35, and there are only 34 centres to have.",
    "enough = 0": "takes 0; it must be 1 or more.",
    "among = ['PRA']": "names 'PRA', which is not a space of the board; did you mean PAR?",
    "among = ['BUR']": "counts the centre 'BUR', which is not a supply centre.",
    "among = ['PAR', 'PAR']": "lists a space twice among PAR, PAR.",
    "among = ['PAR', 'ROM']\nenough = 3": "takes 3, and there are only 2 centres to have.",
    "powers = ['Frnace']": "names 'Frnace', which is not a power of this variant; did you mean France?",
    "each = { Spain = 3 }": "names 'Spain', which is not a power of this variant; there are",
    "count = 'stands'": "counts where units stand and lists no spaces in 'among'.",
    "count = 'rivals'\nenough = 7": "takes 7, and there are only 6 rivals to have.",
    "count = 'points'\nenough = 7": "counts points, and no rule module in play gives any.",
    "held = 0": "is to last for 0 looks; it must be 1 or more.",
    "lead = -1": "needs a lead of -1; it must be 0 or more.",
    "enough = 'most'\nlead = 0": "asks for the most with a lead of 0; the lead must be 1 or more.",
    "after = ['Autumn movement']": "is checked after 'Autumn movement', which is not in the calendar;",
    "until_year = 1900": "is checked until 1900, and the game begins in 1901.",
    "from_year = 1910\nuntil_year = 1905": "is checked from 1910 until 1905; it must begin before it ends.",
}


@pytest.mark.parametrize("text", WRONG)
def test_a_condition_no_power_can_meet_is_refused(text: str, tiny: Tiny) -> None:
    with pytest.raises(InvalidVariant) as refused:
        tiny(ways(text))
    assert f"'victory_conditions' has a way to win that {WRONG[text]}" in str(refused.value)


# Against a second opinion


def expected(rules: Rules, position: Position, way: VictoryCondition) -> set[str]:
    """Return the powers that meet one victory condition at once, as its definition reads."""
    owned = {p: {code for code, owner in position.owners.items() if owner == p} for p in rules.names}
    stood = {p: {unit.space for unit in position.units if unit.power == p} for p in rules.names}
    spaces = {"centres": owned, "units": stood}[way.count]
    has = {p: len(spaces[p] & set(way.among) if way.among else spaces[p]) for p in rules.names}
    there = {"centres": len(rules.board.centres), "units": len(position.units)}[way.count]
    total = len(way.among) or there
    numbers: dict[object, float] = {"majority": total / 2 + 0.5, "all": total, "most": 1}
    found = set[str]()
    for power in rules.names:
        if way.powers and power not in way.powers:
            continue
        wanted = way.each.get(power, way.enough)
        number = numbers[wanted] if isinstance(wanted, str) else wanted or rules.to_win
        there_too = {unit.power for unit in position.units} | set(position.owners.values())
        alive = power in there_too
        ahead = all(has[power] >= has[other] + way.lead for other in rules.names if other in there_too - {power})
        if alive and has[power] >= number and ahead:
            found.add(power)
    return found


def test_random_ways_and_positions_come_out_as_the_definition_reads() -> None:
    base = library.load("standard")
    chance = Random(1)
    spaces, seen = sorted(base.board.centres), set()
    for number in range(400):
        some = tuple(chance.sample(spaces, chance.randint(1, 6))) if chance.random() < 0.4 else ()
        way = VictoryCondition(
            count=chance.choice(["centres", "units"]),
            enough=chance.choice([1, min(2, len(some) or 2), min(3, len(some) or 3), "majority", "all", "most"]),
            each={FRANCE: chance.randint(1, len(some) or 4)} if chance.random() < 0.3 else {},
            among=some,
            powers=(FRANCE, ITALY) if chance.random() < 0.3 else (),
            lead=chance.randint(1, 2),
        )
        players = chance.sample(base.names, chance.randint(1, 3))
        owners = {code: chance.choice(players) for code in chance.sample(spaces, chance.randint(0, 12))}
        units = tuple(
            Unit(chance.choice(players), UnitKind.ARMY, Location(code))
            for code in chance.sample(spaces, chance.randint(0, 8))
        )
        position = Position(FALL._replace(kind=PhaseKind.OWNERSHIP), units, owners=owners)
        rules = replace(base, modules=(VictoryConditions((way,)),))
        judged = victory.look(rules, position, position.phase).verdict
        assert set(judged.powers) == expected(rules, position, way), (number, way)
        seen.add(bool(judged.powers))
    assert seen == {True, False}


# The kernel


@pytest.mark.parametrize(
    "text",
    [
        "enough = 'majority'",
        "enough = 9\neach = { Turkey = 6, Russia = 8 }",
        "count = 'units'\nenough = 8",
        "enough = 8\nlead = 3",
    ],
)
def test_a_number_of_centres_or_units_is_a_table_of_the_kernel(text: str, tiny: Tiny) -> None:
    rules = tiny(ways(text))
    arena = Arena(rules, 4, seed=bytes(32), keep=range(4))
    arena.play(40)
    assert [winner for winner in arena.winners if winner] or "majority" in text
    for game in range(4):
        assert arena.record(game)["entries"]  # which the engine decides, and says where it comes to something else


@pytest.mark.parametrize(
    "text",
    [
        "among = ['PAR']\nenough = 1",
        "held = 2",
        "after = ['movement']",
        "enough = 'most'",
        "count = 'both'",
        "lead = 0",
    ],
)
def test_other_ways_are_refused_by_the_kernel(text: str, tiny: Tiny) -> None:
    with pytest.raises(UnsupportedRules, match="'victory_conditions': there are several ways to win, or one"):
        compile_tables(tiny(ways(text)))


# Sides


SIDES = "sides = [['France', 'Italy'], ['Germany', 'Austria']]"


def test_powers_of_one_side_count_together_and_win_together(tiny: Tiny) -> None:
    rules = tiny(ways(f"enough = 5\n{SIDES}"))
    assert winners(rules, France="BRE MAR PAR", Italy="ROM VEN", Germany="MUN") == ("France", "Italy")
    assert winners(rules, France="BRE MAR PAR", Italy="ROM", England="LON EDI LVP NWY SWE") == ("England",)
    assert winners(rules, France="BRE MAR PAR", Italy="ROM", Germany="MUN") == ()
    both = winners(rules, France="BRE MAR PAR", Italy="ROM VEN", Germany="MUN KIE BER", Austria="VIE BUD")
    assert both == ()


def test_an_eliminated_power_does_not_win_with_its_side(tiny: Tiny) -> None:
    rules = tiny(ways(f"enough = 3\n{SIDES}"))
    assert winners(rules, France="BRE MAR PAR", Germany="MUN") == ("France",)
    score = victory.score(rules, place("", FALL, rules, owners={"France": "BRE", "Italy": "ROM"})).counts
    assert (score[FRANCE], score[ITALY], score[Power("England")]) == (2, 2, 0)


def test_a_side_without_others_is_each_power_by_itself(tiny: Tiny) -> None:
    alone = tiny(ways("enough = 3\nsides = [['France'], ['Italy']]"))
    plain = tiny(ways("enough = 3"))
    for owned in ({"France": "BRE MAR PAR", "Italy": "ROM"}, {"France": "BRE", "Italy": "ROM VEN NAP"}):
        assert winners(alone, "", FALL, **owned) == winners(plain, "", FALL, **owned) != ()


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("sides = [['France', 'Spain']]", "has 'Spain' on a side, which is not a power of this variant;"),
        ("sides = [['France', 'Italy'], ['Italy']]", "has 'Italy' on two sides; it must be on one."),
        ("count = 'rivals'\nenough = 1\nsides = [['France']]", "counts rivals and has sides;"),
    ],
)
def test_sides_that_cannot_be_are_refused(text: str, why: str, tiny: Tiny) -> None:
    with pytest.raises(InvalidVariant) as refused:
        tiny(ways(text))
    assert why in str(refused.value)

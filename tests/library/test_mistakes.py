"""Fifty and more mistakes a designer makes, each answered with its line and what would be right.

Each is made in a good folder by putting one text in the place of another; `check` must answer at the line where they
differ, in this sentence.
"""

from pathlib import Path

import pytest

from mistakes import checked, unanswered
from plenipo import library
from plenipo.errors import ImpossiblePosition

GOOD = """\
title = "Iberia"
parent = "standard"
victory = 12
rulebook = "2000"
policies = { "4.D.3" = "last" }

[about]
designer = "A. B."
length = "short"
special = ["seven powers"]

[calendar]
start = 1901
cycle = [
  ["Spring", "movement"], ["Spring", "retreats"],
  ["Fall", "movement"], ["Fall", "retreats"],
  ["Winter", "ownership"], ["Winter", "adjustments"],
]

[remove]
powers = ["Turkey"]

[powers]
France = { units = ["F BRE", "A MAR", "A PAR"], homes = ["BRE", "PAR"], owned = ["BRE", "MAR", "PAR"] }
Spain = { adjective = "Spanish", like = "Turkey", units = ["A SPA", "F POR"] }

[spaces]
NAF = { centre = true }

[modules.captures]
looks = 2
units = ["A"]
from_year = { NAF = 1903 }
capitals = { France = "PAR" }

[modules.builds]
values = { PAR = 2 }
extra = { Spain = 1 }
most_builds = 2
builds_in = ["Winter"]

[[modules.victory_conditions.ways]]
count = "centres"
enough = 12

[[modules.victory_conditions.ways]]
among = ["MUN", "ROM"]
enough = "all"
held = 2
after = ["Fall retreats"]

[[modules.builds.sites]]
where = "home"

[[modules.builds.sites]]
where = "near_home"
units = ["A"]
powers = ["Spain"]

[options]
slow = "captures.looks"
"""

MISTAKES = [
    (
        'title = "Iberia"',
        'titel = "Iberia"',
        "'titel' is not a key of a variant; did you mean title?",
    ),
    (
        'title = "Iberia"',
        'title = ""',
        "'title' is empty.",
    ),
    (
        'title = "Iberia"',
        'title = "Iberia',
        "this is not TOML: Illegal character '\\n'.",
    ),
    (
        'parent = "standard"',
        'parent = "standart"',
        "'parent': 'standart' is neither a variant nor a folder with one; did you mean standard?",
    ),
    (
        'parent = "standard"',
        "parent = 3",
        "'parent' is 3; it must be a text.",
    ),
    (
        "victory = 12",
        "victory = 0",
        "'victory' is 0; it must be a whole number above 0.",
    ),
    (
        "victory = 12",
        'victory = "12"',
        "'victory' is '12'; it must be a whole number above 0.",
    ),
    (
        "victory = 12",
        "victory = 1.5",
        "'victory' is 1.5; it must be a whole number above 0.",
    ),
    (
        'rulebook = "2000"',
        'rulebook = "2001"',
        "'2001' is not a rulebook; the editions are standard, 1971, 1982, 2000, 2023.",
    ),
    (
        '{ "4.D.3" = "last" }',
        '{ "4.D.3" = "late" }',
        "'late' is not a choice of policy 4.D.3; the choices are hold, first, last.",
    ),
    (
        '{ "4.D.3" = "last" }',
        '{ "4.D.33" = "last" }',
        "'4.D.33' is not a policy; did you mean 4.D.3?",
    ),
    (
        'length = "short"',
        'length = "brief"',
        "'about.length' has 'brief'; it may be 'short', 'medium' or 'long'.",
    ),
    (
        'designer = "A. B."',
        'desinger = "A. B."',
        "'about.desinger' is not a key of a variant; did you mean designer?",
    ),
    (
        '["Fall", "movement"]',
        '["Fall", "movment"]',
        "'calendar.cycle' has 'movment'; it may be 'choice', 'movement', 'retreats', 'draws', 'ownership' "
        "or 'adjustments'.",
    ),
    (
        '["Fall", "movement"]',
        '["Spring", "movement"]',
        "'calendar.cycle' has 'Spring movement' twice; give one of them another season.",
    ),
    (
        '["Winter", "adjustments"]',
        '["Winter"]',
        "'calendar.cycle' has ['Winter']; it must be a list of two texts.",
    ),
    (
        "start = 1901",
        "start = 0.5",
        "'calendar.start' is 0.5; it must be a year such as 1901, 0 or \"48 BC\".",
    ),
    (
        'powers = ["Turkey"]',
        'powers = ["Turky"]',
        "'remove.powers' has 'Turky', which is not there.",
    ),
    (
        'powers = ["Turkey"]',
        'powers = "Turkey"',
        "'remove.powers' is 'Turkey'; it must be a list.",
    ),
    (
        '"F BRE", "A MAR"',
        '"F BRE", "A MRA"',
        "'powers.France.units': 'MRA' is not a space of this board; the nearest is MAR (Marseilles).",
    ),
    (
        '"F BRE", "A MAR"',
        '"F BRE", "F PAR"',
        "'powers.France.units': 'F PAR' cannot stand there: a fleet needs water.",
    ),
    (
        '"F BRE", "A MAR"',
        '"F BRE", "A BRE"',
        "in the opening 'F BRE' and 'A BRE' stand in the same space.",
    ),
    (
        '"F BRE", "A MAR"',
        '"F BRE", "MAR"',
        "'powers.France.units': 'MAR' must begin with A for an army or F for a fleet.",
    ),
    (
        '"F BRE", "A MAR"',
        '"F BRE", "X MAR"',
        "'powers.France.units': 'X MAR' is not a space of this board; the nearest is MAR (Marseilles).",
    ),
    (
        'homes = ["BRE", "PAR"]',
        'homes = ["BRE", "BUR"]',
        "'powers.France.homes': Burgundy is not a supply centre.",
    ),
    (
        'homes = ["BRE", "PAR"]',
        'homes = ["BRE", "XYZ"]',
        "'powers.France.homes': 'XYZ' is not a space of this board; a space is written by its code or "
        "name, such as ADR (Adriatic Sea).",
    ),
    (
        'owned = ["BRE", "MAR", "PAR"]',
        'owned = ["BRE", "MAR", "LON"]',
        "'powers.France.owned': LON is owned by England.",
    ),
    (
        'units = ["A SPA", "F POR"]',
        'unit = ["A SPA", "F POR"]',
        "'powers.Spain.unit' is not a key of a variant; did you mean units?",
    ),
    (
        'units = ["A SPA", "F POR"]',
        'units = ["F SPA", "F POR"]',
        "'powers.Spain.units': 'F SPA' cannot stand there: a fleet there is on one of NC, SC.",
    ),
    (
        'units = ["A SPA", "F POR"]',
        "units = []",
        "'powers.Spain' has neither units nor centres: it is out before the game begins.",
    ),
    (
        "NAF = { centre = true }",
        "NFA = { centre = true }",
        "'spaces.NFA.name' is missing; it must be a text.",
    ),
    (
        "NAF = { centre = true }",
        "NAF = { center = true }",
        "'spaces.NAF.center' is not a key of a variant; did you mean centre?",
    ),
    (
        "NAF = { centre = true }",
        'NAF = { centre = "yes" }',
        "'spaces.NAF.centre' is 'yes'; it must be true or false.",
    ),
    (
        "[modules.captures]",
        "[modules.capture]",
        "'capture' is not a rule module; did you mean captures?",
    ),
    (
        "looks = 2",
        "look = 2",
        "'look' is not an option of 'captures'; did you mean looks or looks_of?",
    ),
    (
        "looks = 2",
        "looks = 0",
        "'captures' has 0 as 'looks'; it must be 1 or more.",
    ),
    (
        "looks = 2",
        'looks = "two"',
        "'two' is not a choice of looks; it must be a whole number.",
    ),
    (
        "from_year = { NAF = 1903 }",
        "from_year = { GAS = 1903 }",
        "'captures' names 'GAS', which is not a supply centre; there are ANK, BEL, BER, BRE, BUD, BUL, "
        "CON, DEN, EDI, GRE, HOL, KIE, LON, LVP, MAR, MOS, MUN, NAF, NAP, NWY, PAR, POR, ROM, RUM, SER, "
        "SEV, SMY, SPA, STP, SWE, TRI, TUN, VEN, VIE, WAR.",
    ),
    (
        'capitals = { France = "PAR" }',
        'capitals = { Frnace = "PAR" }',
        "'Frnace' is not a power of this variant; did you mean France?",
    ),
    (
        'capitals = { France = "PAR" }',
        'capitals = { France = "BUR" }',
        "'captures' names 'BUR', which is not a supply centre; did you mean BER, BUD or BUL?",
    ),
    (
        "values = { PAR = 2 }",
        "values = { BUR = 2 }",
        "'builds' names 'BUR', which is not a supply centre; did you mean BER, BUD or BUL?",
    ),
    (
        "values = { PAR = 2 }",
        "values = { PAR = 2.5 }",
        "'2.5' is not a choice of values.PAR; it must be a whole number.",
    ),
    (
        "extra = { Spain = 1 }",
        "extra = { Portugal = 1 }",
        "'Portugal' is not a power of this variant; there are Austria, England, France, Germany, Italy, Russia, Spain.",
    ),
    (
        'builds_in = ["Winter"]',
        'builds_in = ["Fall"]',
        "'builds' has the season 'Fall', which has no adjustment phase; there are Winter.",
    ),
    (
        "enough = 12",
        "enough = 99",
        "'victory_conditions' has a way to win that takes 99, and there are only 35 centres to have.",
    ),
    (
        "enough = 12",
        'enough = "most of them"',
        "'most of them' is not a choice of ways.enough; it must be a whole number or 'majority', 'all' or 'most'.",
    ),
    (
        'count = "centres"',
        'count = "centers"',
        "'centers' is not a choice of ways.count; it must be 'centres', 'value', 'units', 'both', "
        "'stands', 'rivals' or 'points'.",
    ),
    (
        'among = ["MUN", "ROM"]',
        'among = ["MUN", "RMO"]',
        "'victory_conditions' has a way to win that names 'RMO', which is not a space of the board; did you mean ROM?",
    ),
    (
        'among = ["MUN", "ROM"]',
        'among = ["MUN", "TUS"]',
        "'victory_conditions' has a way to win that counts the centre 'TUS', which is not a supply centre.",
    ),
    (
        "held = 2",
        "held = 0",
        "'victory_conditions' has a way to win that is to last for 0 looks; it must be 1 or more.",
    ),
    (
        'after = ["Fall retreats"]',
        'after = ["Autumn retreats"]',
        "'victory_conditions' has a way to win that is checked after 'Autumn retreats', which is not in the "
        "calendar; there are Spring movement, Spring retreats, Fall movement, Fall retreats, Winter "
        "ownership, Winter adjustments.",
    ),
    (
        'where = "near_home"',
        'where = "near_homes"',
        "'near_homes' is not a choice of sites.where; it must be 'home', 'owned', 'unowned', 'anywhere', "
        "'near_home', 'near_owned' or 'near_unit'.",
    ),
    (
        'powers = ["Spain"]\n',
        'powers = ["Spian"]\n',
        "A site of 'builds' names 'Spian', which is not a power; did you mean Spain?",
    ),
    (
        'units = ["A"]\npowers',
        'units = ["B"]\npowers',
        "A site of 'builds' names the unit 'B'; it must be A or F.",
    ),
    (
        'slow = "captures.looks"',
        'slow = "captures.look"',
        "'options.slow' is 'captures.look', which is not an option of the modules in play; did you mean "
        "captures.looks?",
    ),
    (
        "[options]",
        "[modules.points]\n\n[options]",
        "'victory_conditions' and 'points' both decide who wins: they cannot be played together.",
    ),
    (
        "[options]",
        "[options",
        "this is not TOML: Expected ']' at the end of a table declaration.",
    ),
]
"""The text to replace, the mistake in its place, and the answer to it."""


def test_the_good_folder_has_no_mistake(tmp_path: Path) -> None:
    assert checked(tmp_path, GOOD) == []


def test_there_are_at_least_fifty() -> None:
    assert len({(good, wrong) for good, wrong, _ in MISTAKES}) >= 50


@pytest.mark.parametrize(("good", "wrong", "sentence"), MISTAKES)
def test_a_mistake_is_answered_with_its_line(good: str, wrong: str, sentence: str, tmp_path: Path) -> None:
    assert not unanswered(tmp_path, GOOD, good, wrong, sentence)


# Several at once, and what play would find


def test_mistakes_in_several_places_are_found_in_one_pass(tmp_path: Path) -> None:
    text = GOOD.replace("looks = 2", 'looks = "two"').replace("most_builds = 2", "most_builds = []")
    text = text.replace('"A SPA"', '"A SPE"')
    assert [line for line, _ in checked(tmp_path, text)] == [25, 31, 39]


def test_what_the_variant_makes_wrong_with_its_parent_stands_in_its_own_file(tmp_path: Path) -> None:
    text = 'title = "Dry"\nparent = "standard"\n[spaces]\n' + "".join(
        f"{code} = {{ centre = false }}\n" for code in sorted(library.load("standard").board.centres)[:20]
    )
    (tmp_path / "variant.toml").write_text(text, encoding="utf-8")
    found = library.check(tmp_path)
    assert [(mistake.file, mistake.line) for mistake in found] == [(tmp_path / "variant.toml", 2)]
    assert found[0].sentence == "'victory' is 18, and the board has 14 centres: nobody can win."


def test_a_removed_centre_is_blamed_on_the_layer_that_removed_it(tmp_path: Path) -> None:
    text = 'title = "Dry"\nparent = "winter-1898"\n[spaces]\nMAR = { centre = false }\n'
    (tmp_path / "variant.toml").write_text(text, encoding="utf-8")
    found = library.check(tmp_path)
    assert [(mistake.file, mistake.line) for mistake in found] == [(tmp_path / "variant.toml", 2)]
    assert found[0].sentence == "'powers.France.homes': Marseilles is not a supply centre."


def test_a_calendar_that_never_settles_ownership_is_found(tmp_path: Path) -> None:
    cycle = '[calendar]\nstart = 1\ncycle = [["Spring", "movement"], ["Spring", "retreats"]]\n'
    found = checked(tmp_path, f'title = "Endless"\nparent = "standard"\n{cycle}')
    why = "'calendar.cycle' never settles ownership, so no centre changes hands and nobody can win."
    assert found == [(5, f'{why} Add a step like ["Winter", "ownership"].')]


def test_a_step_of_the_opening_that_comes_again_in_its_year_is_found(tmp_path: Path) -> None:
    steps = '["Spring", "movement"], ["Spring", "retreats"], ["Spring", "ownership"], ["Spring", "adjustments"]'
    calendar = f'[calendar]\nstart = 1\nopening = [["Spring", "movement"]]\ncycle = [{steps}]\n'
    text = f'title = "Twice"\nparent = "standard"\n{calendar}'
    found = checked(tmp_path, text)
    assert found == [
        (5, "'calendar.opening' has 'Spring movement', and so has the first cycle; write a later 'first_year'.")
    ]


def test_a_mistake_on_no_line_of_a_file_is_found_by_playing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A module whose phases go wrong, though all that it is told is right."""

    def broken(*_: object) -> None:
        raise ImpossiblePosition("the moon fell on Paris.")

    monkeypatch.setattr("plenipo.engine.phases.ownership.settle", broken)
    assert checked(tmp_path, GOOD) == [(1, "in Fall 1901 movement, when it is tried out, the moon fell on Paris.")]

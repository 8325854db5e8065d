"""Eckert's Napoleonic game: its sentences, its README, its random games.

The rules are its worked cases; what stands here cannot be said in a case.
"""

import re
from dataclasses import replace
from itertools import product
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from plenipo import library
from plenipo.cases.format import Case, read
from plenipo.cli import app
from plenipo.conformance import of_a_random_game
from plenipo.engine.board import UnitKind
from plenipo.engine.calendar import PhaseKind
from plenipo.engine.history.submissions import Submissions
from plenipo.engine.orders import Order
from plenipo.engine.phases.legality import Legality
from plenipo.engine.position import Power
from plenipo.engine.reading.notation import notation_of
from plenipo.engine.rules import Rules
from plenipo.errors import PlenipoError

FOLDER = library.folder_of("napoleonic")
README = (FOLDER / "README.md").read_text(encoding="utf-8")
EIGHT = {"nine_players": "false"}


@pytest.fixture(scope="module")
def rules() -> Rules:
    return library.load("napoleonic")


@pytest.fixture(scope="module")
def report() -> str:
    """Return the output of `plenipo play` for the golden game, with one line for each outcome."""
    return played(FOLDER / "games" / "nine-powers.txt").stdout


def played(file: Path, *args: str) -> Result:
    """Run a script."""
    return CliRunner().invoke(app, ["play", "napoleonic", "--orders", str(file), *args], env={"COLUMNS": "300"})


# The golden game


@pytest.mark.parametrize(
    "sentence",
    [
        "England starts with A HOL, F EDI, A LON, F LVP.",
        "France starts with F MAR.",
        "F GRE did not enter ALB: attack 0.9 against 1 of F TRI of Austria, which was ordered there too.",
        "A RUH was destroyed: Ruhr has a supply centre, from which no unit retreats.",
        "A BUL did not enter RUM: attack 1.8 (with F BLA) against 2 (with A SER) of A BUD of Austria",
        "F ALB did not enter GRE: attack 2 (with F ION) against hold 2 (with A MAC).",
        "A NWY moved to STP unopposed.",
        "Prussia built A BER.",
        "A BUL was dislodged by A RUM of Austria: attack 2 (with A SER) against 1.9 (with F BLA).",
        "F MID retreated to BRE.",
        "Moors took Brest from France.",
        "A LON did not enter BEL: its convoy was broken when F SKA of Sweden dislodged F NTH.",
        "F SEV moved to ARM: attack 1.9 (with F BLA) against 1.8 (with A SYR) of A SMY of Turkey.",
        "A SMY moved to CON: attack 1.8 (with F BLA) against hold 1.",
        "A HOL moved to BEL by convoy",
        "A ANK moved to CON: attack 1.8 (with F BLA) against 1 of A BUL of Austria.",
    ],
)
def test_the_golden_game_shows_the_strength_of_every_power(report: str, sentence: str) -> None:
    assert sentence in report


def test_the_golden_game_builds_for_a_retaken_home_a_turn_later(report: str) -> None:
    turns = dict(re.findall(r"─ (\w+ \d+ adjustments): results ─+\n(.*?)(?=\n─)", report, re.DOTALL))
    assert "France built" not in turns["Fall 1802 adjustments"]
    assert "France built A PAR." in turns["Summer 1803 adjustments"]


# Refusals


@pytest.mark.parametrize(
    ("power", "order", "sentence"),
    [
        ("Moors", "F POR - SPA/NC", "F POR does not reach SPA/NC, only SPA."),
        ("Russia", "F STP - BAR", "F STP does not reach Barents Sea."),
        ("Turkey", "F GRE - BUL/SC", "F GRE does not reach Bulgaria."),
        ("Turkey", "F ANK - BUL", "F ANK does not reach Bulgaria."),
        ("Sweden", "F NWY - MUR", "F NWY does not reach Murmansk."),
        ("Sweden", "F NWY - STP", "F NWY does not reach St Petersburg."),
        ("Russia", "F SEV - SIB", "a fleet cannot enter Siberia."),
        ("Russia", "A MOS - MUR", "A MOS does not reach Murmansk."),
    ],
)
def test_an_illegal_order_is_reported_with_its_reason(rules: Rules, power: str, order: str, sentence: str) -> None:
    position = replace(rules.opening, phase=rules.calendar.read("Summer 1801 movement"))
    judged = Legality(rules, position).check(Power(power), notation_of(rules).read(order, PhaseKind.MOVEMENT))
    assert judged.reason == sentence


@pytest.mark.parametrize(
    ("order", "sentence"),
    [
        ("A TUN - ALG", "'ALG' is not a space of this board; the nearest are AEG (Aegean Sea) and ALB (Albania)."),
        ("A SWE - ICE", "'ICE' is not a space of this board"),
        ("A LIV H", "'LIV' may be LVN (Livonia) or LVP (Liverpool)"),
    ],
)
def test_a_province_of_another_board_is_no_order(rules: Rules, order: str, sentence: str) -> None:
    with pytest.raises(PlenipoError, match=re.escape(sentence)):
        notation_of(rules).read(order, PhaseKind.MOVEMENT)


def choose(rules: Rules, power: str, *units: str) -> Submissions:
    """The choices of `power` submitted."""
    orders: list[Order] = [notation_of(rules).read(f"CHOOSE {unit}", PhaseKind.CHOICE) for unit in units]
    return Submissions(rules, rules.opening).submit_orders(Power(power), tuple(orders))


@pytest.mark.parametrize(
    ("power", "units", "sentence"),
    [
        ("England", ["A EDI", "A LON"], "England cannot start with A EDI, A LON together"),
        ("England", ["F EDI", "F LON", "F LVP"], "England cannot start with F EDI, F LON, F LVP together"),
        ("England", ["A HOL", "F HOL"], "England cannot start with A HOL, F HOL together"),
        ("England", ["A YOR"], "England may choose "),
        ("France", ["A BRE"], "France may choose A MAR, F MAR."),
        ("Sweden", ["A DEN"], "Sweden has nothing to choose."),
    ],
)
def test_units_that_the_list_does_not_have_are_refused(
    rules: Rules, power: str, units: list[str], sentence: str
) -> None:
    with pytest.raises(PlenipoError, match=re.escape(sentence)):
        choose(rules, power, *units)


def test_every_arrangement_of_the_list_is_taken(rules: Rules) -> None:
    for army in ("EDI", "LON", "LVP"):
        ports = [f"{'A' if port == army else 'F'} {port}" for port in ("EDI", "LON", "LVP")]
        for holland in ("A HOL", "F HOL"):
            assert len(choose(rules, "England", holland, *ports).order_sets[Power("England")]) == 4


def test_a_garrison_cannot_be_ordered_by_a_player() -> None:
    eight = library.load("napoleonic", EIGHT)
    position = replace(eight.opening, phase=eight.calendar.read("Summer 1801 movement"))
    judged = Legality(eight, position).check(
        Power("France"), notation_of(eight).read("A SPA - IBE", PhaseKind.MOVEMENT)
    )
    assert judged.reason == "A SPA belongs to Neutral, not to France."


def test_no_power_orders_the_garrisons(tmp_path: Path) -> None:
    script = tmp_path / "orders.txt"
    script.write_text("Summer 1801 movement\nNeutral: A SPA - IBE\n", encoding="utf-8")
    told = played(script, "--set", "nine_players=false").stdout
    assert "No player has Neutral: its units follow their standing orders." in told
    assert "A SPA supported F POR in place." in told


# Strength


def test_no_space_has_neighbours_enough_for_ten_turks_against_nine(rules: Rules) -> None:
    board = rules.board
    near: dict[str, set[str]] = {code: set() for code in board.spaces}
    for code, space in board.spaces.items():
        for kind, location in product((UnitKind.ARMY, UnitKind.FLEET), space.locations):
            for other in board.reach(kind, location) if board.can_stand(kind, location) else ():
                near[other].add(code)
    # ten that attack, and eight that support the one attacked
    assert 10 < max(map(len, near.values())) < 10 + 8


# Random games


@pytest.mark.parametrize("seed", range(2))
@pytest.mark.parametrize("options", [{}, EIGHT, {"season_cycle": "Spring, Summer, Fall, Winter"}], ids=str)
def test_a_random_game_goes_on_to_1825(options: dict[str, str], seed: int) -> None:
    assert list(of_a_random_game(library.load("napoleonic", options), seed, years=24)) == []


# The README


def test_every_rule_has_a_case_that_names_it() -> None:
    named = set()
    for file in sorted((FOLDER / "cases").glob("*.yaml")):
        for case in read(file.read_text(encoding="utf-8"), file.name):
            assert isinstance(case, Case)
            source = str(case.notes["source"])
            named |= set(re.findall(r"NAP-[RQ]\d+", source))
            for first, last in re.findall(r"NAP-R(\d+) to NAP-R(\d+)", source):
                named |= {f"NAP-R{number}" for number in range(int(first), int(last) + 1)}
    assert set(re.findall(r"NAP-[RQ]\d+", README)) == named
    assert {f"NAP-R{number}" for number in range(1, 26)} | {f"NAP-Q{number}" for number in range(1, 26)} == named


def test_every_option_is_listed_with_its_values() -> None:
    table = dict(re.findall(r"^\| `(\w+)` \| (.*) \|$", README, re.MULTILINE))
    options = library.options_of("napoleonic")
    assert {option.name for option in options} <= set(table)
    for option in options:
        for value in (option.default, *(option.choices.split(" | ") if " | " in option.choices else ())):
            assert f"`{value}`" in table[option.name], f"{option.name} may be {value}"


def test_every_command_of_the_readme_runs() -> None:
    for command in re.findall(r"^\$ plenipo (.*)$", README, re.MULTILINE):
        args = [part.strip('"') for part in re.findall(r'"[^"]*"|\S+', command)]
        told = CliRunner().invoke(app, args, input="quit\n")
        assert told.exit_code == 0, told.output
        assert told.output.startswith("Eckert's Napoleonic, ")

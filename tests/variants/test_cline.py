"""The Cline Nine-Person variant: its straits in every combination, its sentences, its README, its random games.

The rules are its worked cases; what stands here cannot be said in a case.
"""

import re
from itertools import product
from pathlib import Path

import pytest
from typer.testing import CliRunner

from plenipo import library
from plenipo.cases.format import Case, read
from plenipo.cli import app
from plenipo.conformance import of_a_random_game
from plenipo.engine.phases.legality import Legality
from plenipo.engine.position import Power
from plenipo.engine.reading.notation import notation_of
from plenipo.engine.rules import Rules
from plenipo.errors import PlenipoError
from table import WINTER, judge, outcome, place, results, units_of

FOLDER = library.folder_of("cline")
README = (FOLDER / "README.md").read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def rules() -> Rules:
    return library.load("cline")


@pytest.fixture(scope="module")
def report() -> str:
    """Return the output of `plenipo play` for the golden game, with one line for each outcome."""
    file = str(FOLDER / "games" / "round-the-board.txt")
    return CliRunner().invoke(app, ["play", "cline", "--orders", file], env={"COLUMNS": "300"}).output


# The straits

MOVES = {
    "south": {"A SIC": "NAP", "A NAP": "SIC", "F TYN": "ION", "F ION": "TYN"},
    "north": {"A IRE": "CLY", "A CLY": "IRE", "F NAT": "LVP", "F LVP": "NAT"},
}
"""The four units that can be in a strait, and where each goes."""

HELP = {
    "A SIC": ["A ROM", "A APU"],
    "F TYN": ["F GRE", "F ALB"],
    "F ION": ["F TUS", "F GOL"],
    "A IRE": ["A EDI"],
    "F NAT": ["A YOR", "F WAL"],
    "F LVP": ["F NRG", "F MID"],
    "A CLY": ["F IRI"],
}
"""The units that can support each move and are not attacked."""

POWERS = ["Austria", "Barbary", "France", "Turkey"]


def straits(strait: str, most: int) -> list[tuple[dict[str, str], dict[str, int]]]:
    """Return the combinations of orders (`-`, `H`, or absent) with the supports of each mover, at most `most`."""
    units = list(MOVES[strait])
    found = []
    for acts in product(("", "H", "-"), repeat=4):
        does = {unit: act for unit, act in zip(units, acts, strict=True) if act}
        counts = [range(min(most, len(HELP.get(unit, ()))) + 1) if does[unit] == "-" else (0,) for unit in does]
        found += [(does, dict(zip(does, supports, strict=True))) for supports in product(*counts) if does]
    return found


def who_goes(strait: str, does: dict[str, str], supports: dict[str, int]) -> set[str]:
    """Return the moves that succeed by definition: stronger than the defender, the opposing and the crossing move."""
    moves = MOVES[strait]
    pairs = [tuple(moves)[:2], tuple(moves)[2:]]
    strength = {unit: 1 + supports[unit] for unit in does if does[unit] == "-"}
    gone = set()
    for mine, other in (pairs, pairs[::-1]):
        for unit in mine:
            opposite = mine[1 - mine.index(unit)]
            against = [strength[rival] for rival in (opposite, *other) if rival in strength]
            against += [1] if does.get(opposite) == "H" else []
            if unit in strength and all(strength[unit] > number for number in against):
                gone.add(unit)
    return gone


@pytest.mark.parametrize("strait", MOVES)
def test_every_combination_in_a_strait_comes_out_as_the_definition_says(strait: str, rules: Rules) -> None:
    seen = set()
    for does, supports in straits(strait, most=2):
        lines = []
        for unit, power in zip(MOVES[strait], POWERS, strict=True):
            to = MOVES[strait][unit]
            if does.get(unit) == "-":
                helpers = HELP.get(unit, [])[: supports[unit]]
                lines.append(f"{power}: {unit} - {to}" + "".join(f", {name} S {unit} - {to}" for name in helpers))
            elif unit in does:
                lines.append(f"{power}: {unit} H")
        came = results(judge("\n".join(lines), rules=rules))
        went = {unit for unit in does if came[unit].startswith("moves")}
        assert went == who_goes(strait, does, supports), "\n".join(lines)
        seen.add(frozenset(went))
    # whatever is ordered, at most one move passes a strait
    assert seen == {frozenset(), *(frozenset({unit}) for unit in MOVES[strait])}


# Sentences

SAID = [
    "A IRE did not enter CLY: attack 1 against 1 of F NAT of France, whose way crosses this one.",
    "F NAT did not enter LVP: attack 1 against 1 of A IRE of England, whose way crosses this one.",
    "A SIC did not enter NAP: attack 1 against 1 of F TYN of Barbary, whose way crosses this one.",
    "F TYN did not enter ION: attack 1 against 2 (with A ROM) of A SIC of Italy, whose way crosses this one.",
    "A IRE did not enter CLY: attack 1 against 2 (with F IRI) of F NAT of France, whose way crosses this one.",
    "F CRE did not enter ION: attack 1 against 1 of F TYN of Barbary, which was ordered there too.",
    "A NAP did not enter SIC: attack 1 against 1 of F ION of Turkey, whose way crosses this one.",
    "F ION convoyed A NAP to SIC.",
    "A NAP moved to SIC by convoy unopposed.",
    "F TYN did not enter ION: attack 1 against hold 1.",
    "A CLY retreated to IRE.",
    "F EGY retreated to EAS.",
    "F ANT moved to IND unopposed.",
    "F SEV moved to BLA unopposed.",
    "F IND did not enter ANT: attack 1 against hold 2 (with F WAT).",
    "A MOR moved to CAN by convoy unopposed.",
    "Russia built F MOS.",
    "Persia built F IRA/NC.",
    "Persia built F JOR/SC.",
    "Persia built F JOR/WC.",
    *(f"took {name}." for name in ("Canary Islands", "Corsica", "Crete", "Egypt", "Ethiopia", "Piedmont")),
]


@pytest.mark.parametrize("sentence", SAID)
def test_the_golden_game_shows_every_special_rule_and_says_what_happened(sentence: str, report: str) -> None:
    assert sentence in report


def test_a_move_that_passed_the_strait_names_what_it_met_there(rules: Rules) -> None:
    orders = "Italy: A SIC - NAP, A ROM S A SIC - NAP\nBarbary: F TYN - ION"
    assert outcome(judge(orders, rules=rules), "A SIC").why.startswith(
        "A SIC moved to NAP: attack 2 (with A ROM) against 1 of F TYN of Barbary"
    )


WRONG = {
    "Persia: F EGY C A JOR - SAH": "F EGY cannot convoy; no fleet may convoy in Egypt.",
    "Persia: F GEO C A JOR - SAH": "F GEO cannot convoy; no fleet may convoy in Georgia.",
    "Russia: F SEV C A JOR - SAH": "F SEV cannot convoy; no fleet may convoy in Sevastopol.",
    "Russia: F MOS C A JOR - SAH": "F MOS cannot convoy; no fleet may convoy in Moscow.",
    "Barbary: F ANT C A MAU - ETH": "F ANT cannot convoy; no fleet may convoy in Antarctic Sea.",
    "Barbary: F CAN C A MAU - MOR": "F CAN cannot convoy; no fleet may convoy in Canary Islands.",
    "Barbary: A MAU - CAN": "A MAU does not reach Canary Islands, and no chain of fleets could convoy it there.",
    "Barbary: A MAU - ANT": "an army cannot enter Antarctic Sea.",
    "Persia: F EGY - JOR": "F EGY may go to JOR/SC or JOR/WC: the order must name the coast.",
    "Persia: F EGY - JOR(nc)": "F EGY does not reach JOR/NC, only JOR/SC or JOR/WC.",
    "Persia: F IND - JOR(wc)": "F IND does not reach JOR/WC, only JOR/SC.",
    "Persia: F IND - WAT": "F IND does not reach West Atlantic.",
    "Persia: F GEO - BLA": "F GEO does not reach Black Sea.",
    "Barbary: A MAU - NAF": "'NAF' is not a space of this board; the nearest are NAT (North Atlantic Ocean) and NAP",
    "Persia: Build F IRA": "a fleet in Iran is built in IRA/NC or IRA/SC: the order must name it so.",
    "Persia: Build F JOR": "a fleet in Jordan is built in JOR/SC or JOR/WC: the order must name it so.",
    "Persia: Build F EGY": "Egypt is not a home centre of Persia.",
    "Russia: Build F WAR": "no fleet can be built in Warsaw, which has no coast.",
}
"""An order, and what is told of it."""

UNITS = """
Barbary: A MAU, F CAN, F ANT
Persia: F EGY, A JOR, F IND, F GEO
Russia: F SEV, F MOS
"""


@pytest.mark.parametrize("order", WRONG)
def test_an_invalid_order_is_reported_in_a_sentence_with_suggestions(order: str, rules: Rules) -> None:
    power, text = order.split(": ")
    owners = {"Persia": "ARA EGY IRA JOR", "Russia": "MOS WAR"}
    winter = text.startswith("Build")
    position = place("", WINTER, rules, owners=owners) if winter else place(UNITS, rules=rules)
    try:
        understood = notation_of(rules).read(text, position.phase.kind)
        said = Legality(rules, position).check(Power(power), understood).reason
    except PlenipoError as fault:
        said = str(fault)
    assert said.startswith(WRONG[order])


# The README

NO_CASE = {"CLI-R33"}
"""A remark on the history of the game, of which nothing comes in play."""


def test_every_rule_and_ruling_of_the_readme_is_in_some_case_and_the_other_way_round() -> None:
    told = set(re.findall(r"^- \*\*(CLI-[RQ]\d+)", README, re.MULTILINE))
    assert {f"CLI-R{n}" for n in range(1, 34)} | {f"CLI-Q{n}" for n in range(1, 16)} == told
    cases = [case for file in sorted((FOLDER / "cases").glob("*.yaml")) for case in read(file.read_text(), file.name)]
    cited = {str(rule) for case in cases if isinstance(case, Case) for rule in case.notes["rules"]}
    assert cited == told - NO_CASE


@pytest.mark.parametrize("option", library.options_of("cline"), ids=lambda option: option.name)
def test_every_option_stands_in_the_readme_with_its_default(option: library.Option) -> None:
    assert f"| `{option.name}` | `{option.default}` |" in README


def test_the_setup_table_of_the_readme_is_the_opening(rules: Rules) -> None:
    for info in rules.powers:
        name = next(name for name in (info.name, *info.aliases) if f"| {name} |" in README)
        row = re.search(rf"^\| {name} \| (.*) \|$", README, re.MULTILINE)
        assert row is not None
        assert set(units_of(rules, info.name, row[1])) == set(rules.opening.units_of(info.name))


def test_the_free_centres_of_the_readme_are_the_unowned_ones(rules: Rules) -> None:
    listed = re.search(r"^Neutral centres are (.*)\.$", README, re.MULTILINE)
    assert listed is not None
    owned = {code for power in rules.names for code in rules.opening.homes_of(power)}
    assert set(re.findall(r"[A-Z]{3}", listed[1])) == rules.board.centres - owned


def test_the_commands_of_the_readme_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    commands = re.findall(r"^\$ plenipo (.*)$", README, re.MULTILINE)
    assert len(commands) > 3
    for command in commands:
        done = CliRunner().invoke(app, command.split(), input="quit\n")
        assert done.exit_code == 0, f"{command}: {done.output}"


# Another map


def test_a_folder_with_another_figure_takes_over_everything_else(tmp_path: Path, rules: Rules) -> None:
    block = re.search(r"```toml\n(.*?)```", README, re.DOTALL)
    assert block is not None
    (tmp_path / "variant.toml").write_text(block[1], encoding="utf-8")
    (tmp_path / "figure.json").write_bytes((FOLDER / "figure.json").read_bytes())
    assert library.check(tmp_path) == []
    other = library.load(tmp_path)
    assert other.title == "Cline Nine-Person on the club's map"
    assert other.opening.units == rules.opening.units
    assert other.modules == rules.modules


# Random games


@pytest.mark.parametrize(("name", "seed"), [("cline", 1901), ("cline", 1930), ("cline+corner", 7)])
def test_random_games_go_on_to_1930_without_an_error(name: str, seed: int) -> None:
    assert list(of_a_random_game(library.load(name), seed, years=29)) == []

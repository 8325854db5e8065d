"""Adjudication by JSON lines: what a good line gives, and that no bad line stops the rest."""

import json
import random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from typer.testing import CliRunner

from plenipo import jsonlines, library
from plenipo.cli import app
from plenipo.engine.history.game import Game
from plenipo.engine.outcome import Resolution
from plenipo.engine.phases.legality import Legality
from plenipo.engine.position import Power

Json = dict[str, Any]

SPRING: Json = {
    "variant": "standard",
    "phase": "Spring 1901",
    "units": {"France": ["A PAR", "F BRE"], "Germany": ["A MUN", "A RUH"]},
    "orders": {"France": ["A PAR - BUR"], "Germany": ["A MUN - BUR", "A RUH S A MUN - BUR"]},
}
DISLODGING: Json = {
    "variant": "standard",
    "phase": "S1901M",
    "units": {"Austria": ["A VIE", "A BUD"], "Germany": ["A TYO", "A BOH"]},
    "orders": {"Germany": ["A TYO S A BOH - VIE", "A BOH - VIE"], "Austria": ["A BUD H"]},
}


def one(asked: object) -> Json:
    """The answer to one line."""
    return jsonlines.answer(asked if isinstance(asked, str | bytes) else json.dumps(asked), 1, library.load)


def changed(base: Json, **parts: object) -> Json:
    """The answer to `base` with parts of it replaced, or left out where None."""
    return one({key: value for key, value in {**base, **parts}.items() if value is not None})


def test_a_line_gives_results_units_and_the_next_phase() -> None:
    out = one(SPRING)
    assert {unit: told["result"] for unit, told in out["results"].items()} == {
        "A PAR": "fails",
        "F BRE": "holds",
        "A MUN": "moves",
        "A RUH": "supports",
    }
    assert out["results"]["A MUN"]["why"].startswith("A MUN moved to BUR")
    assert out["units"] == {"France": ["F BRE", "A PAR"], "Germany": ["A BUR", "A RUH"]}
    assert (out["dislodged"], out["errors"], out["phase"]) == ({}, [], "Fall 1901 movement")


def test_the_id_comes_back_unchanged_even_from_a_line_that_cannot_be_adjudicated() -> None:
    assert changed(SPRING, id={"game": [1]})["id"] == {"game": [1]}
    assert changed(SPRING, id=7, variant="none")["id"] == 7


def test_powers_are_spelt_as_the_line_spells_them() -> None:
    asked = {
        **DISLODGING,
        "units": {"AUSTRIA": ["A VIE"], "german": ["A TYO", "A BOH"]},
        "centers": {"austria": ["VIE"]},
    }
    answer = one({**asked, "orders": {"Germany": ["A TYO S A BOH - VIE", "A BOH - VIE"]}})
    assert answer["units"] == {"AUSTRIA": [], "german": ["A TYO", "A VIE"]}
    assert list(answer["dislodged"]) == list(answer["centres"]) == ["AUSTRIA"]


def test_a_line_may_ask_what_would_have_changed_the_fate_of_a_unit() -> None:
    answer = one({**SPRING, "orders": {"Germany": ["A MUN - BUR"], "France": ["A PAR - BUR"]}, "what_if": ["A PAR"]})
    assert answer["results"]["A PAR"]["what_if"] == [["A RUH had supported A PAR to BUR"]]
    answer = one({**SPRING, "what_if": True})
    assert answer["results"]["A MUN"]["what_if"] == [["the support of A RUH had been cut"]]
    assert "what_if" not in one(SPRING)["results"]["A MUN"]
    assert one({**SPRING, "what_if": ["A SPA"]})["errors"] == ["'what_if': there is no unit in Spain."]


def test_a_line_may_ask_for_the_legal_orders_of_its_position() -> None:
    asked = {**SPRING, "orders": {"France": ["A PAR - BUR"]}}
    answer = one({**asked, "legal": ["France"]})
    rules = library.load("standard")
    position = jsonlines.read({**asked, "legal": ["France"]}, library.load).position
    expected = list(map(str, Legality(rules, position).orders_of(rules.power("France")).everything))
    assert {"A PAR - BUR", "A PAR H"} <= set(expected)
    assert answer["legal"] == {"France": expected}
    assert "legal" not in one(asked)
    everybody = one({**asked, "legal": True})["legal"]
    assert list(everybody) == list(rules.names)
    assert (everybody["France"], everybody["Turkey"]) == (expected, [])


def test_legal_orders_of_retreats_and_builds() -> None:
    retreats = one({**DISLODGING, "orders": {"Germany": ["A TYO S A BOH - VIE", "A BOH - VIE"]}})
    assert one({**retreats, "legal": ["Austria"]})["legal"] == {"Austria": ["A VIE R GAL", "A VIE R TRI", "A VIE D"]}
    builds = {"variant": "standard", "phase": "Winter 1901", "units": {}, "centres": {"France": ["PAR"]}}
    assert one({**builds, "legal": ["France"]})["legal"] == {"France": ["A PAR B", "WAIVE"]}


def test_an_answer_with_legal_orders_may_be_put_in_again() -> None:
    answer = one({**SPRING, "legal": True})
    again = one({**answer, "orders": {}})
    assert (again["errors"], "legal" in again) == ([], False)


def test_legal_orders_of_no_power_are_a_fault_of_one_sentence() -> None:
    answer = one({**SPRING, "legal": ["Frnce", 3]})
    assert answer["legal"] == {}
    assert len(answer["errors"]) == 2
    assert "'Frnce'" in answer["errors"][0]
    assert one({**SPRING, "legal": "France"})["errors"] == ["'legal': 'France' is neither a list of powers nor true."]


def test_dislodged_units_are_listed_with_attacker_and_retreats() -> None:
    out = one(DISLODGING)
    assert out["dislodged"] == {"Austria": {"A VIE": {"by": "A BOH", "barred": ["BOH"], "retreats": ["GAL", "TRI"]}}}
    assert out["units"]["Austria"] == ["A BUD"]
    assert out["phase"] == "Spring 1901 retreats"


def test_an_answer_with_new_orders_is_a_line_for_the_next_phase() -> None:
    out = one({**one(DISLODGING), "orders": {"Austria": ["A VIE - BOH"]}})
    assert out["results"]["A VIE"]["result"] == "disbanded"
    assert out["errors"] == ["Austria: 'A VIE R BOH' is illegal: the attacker of A VIE came from Bohemia."]
    out = one({**one(DISLODGING), "orders": {"Austria": ["A VIE - GAL"]}})
    assert (out["units"]["Austria"], out["errors"]) == (["A BUD", "A GAL"], [])


@pytest.mark.parametrize(
    ("dislodged", "allowed"),
    [
        (["A VIE"], {"BOH", "GAL", "TRI"}),
        ({"A VIE": {}}, {"BOH", "GAL", "TRI"}),
        ({"A VIE": {"from": "BOH"}}, {"GAL", "TRI"}),
        ({"A VIE": {"by": "A BOH"}}, {"GAL", "TRI"}),
        ({"A VIE": {"by": "A BOH", "retreats": ["TRI"]}}, {"TRI"}),
        ({"A VIE": {"retreats": []}}, set()),
    ],
)
def test_a_dislodged_unit_may_be_described_in_several_ways(dislodged: object, allowed: set[str]) -> None:
    line = {
        "variant": "standard",
        "phase": "S1901R",
        "units": {"Austria": ["A BUD"], "Germany": ["A TYO", "A VIE"]},
        "dislodged": {"Austria": dislodged},
    }
    for place in ("BOH", "GAL", "TRI", "BUD"):
        out = one({**line, "orders": {"Austria": [f"A VIE - {place}"]}})
        assert out["results"]["A VIE"]["result"] == ("retreats" if place in allowed else "disbanded")
        assert bool(out["errors"]) == (place not in allowed)


def test_a_space_left_vacant_by_a_stand_off_is_closed() -> None:
    line = {
        "variant": "standard",
        "phase": "S1901R",
        "units": {"Germany": ["A VIE"]},
        "dislodged": {"Austria": ["A VIE"]},
        "contested": ["Galicia"],
        "orders": {"Austria": "A VIE - GAL"},
    }
    assert "a stand-off took place in Galicia" in one(line)["errors"][0]


@pytest.mark.parametrize("key", ["centers", "centres"])
def test_builds_and_removals_go_by_the_centres(key: str) -> None:
    line = {
        "variant": "standard",
        "phase": "W1901A",
        "units": {"France": ["A BUR"], "Germany": ["A MUN", "A RUH"]},
        key: {"France": ["PAR", "BRE", "Spain"], "Germany": ["MUN"]},
        "orders": {"France": ["F BRE B", "WAIVE"], "Germany": ["A RUH D"]},
    }
    out = one(line)
    assert {unit: told["result"] for unit, told in out["results"].items()} == {
        "F BRE": "builds",
        "A RUH": "removed",
    }
    assert out["units"] == {"France": ["F BRE", "A BUR"], "Germany": ["A MUN"]}
    assert out["centres"] == {"France": ["BRE", "PAR", "SPA"], "Germany": ["MUN"]}
    assert out["errors"] == []


def test_two_builds_in_one_place_leave_one_result_and_one_error() -> None:
    out = one(
        {
            "variant": "standard",
            "phase": "W1901A",
            "units": {},
            "centres": {"France": ["PAR", "BRE"]},
            "orders": {"France": ["F BRE B", "A BRE B", "A PAR B"]},
        }
    )
    assert {unit: told["result"] for unit, told in out["results"].items() if told["result"] != "void"} == {
        "F BRE": "builds",
        "A PAR": "builds",
    }
    assert len(out["errors"]) == 1
    assert "A BRE B" in out["errors"][0]


def test_an_adjustment_phase_without_centres_says_so() -> None:
    out = changed(SPRING, phase="W1901A", orders=None)
    assert out["errors"] == ["'centres' is missing, so nobody owns a centre and every unit must be removed."]


def test_a_year_that_ends_without_centres_says_so() -> None:
    line = {**SPRING, "phase": "F1901M", "orders": {"France": ["A PAR - GAS"]}}
    assert one(line)["notes"][-1] == "'centres' is missing, so only the centres occupied now count as owned."
    assert not any("missing" in note for note in one({**line, "centres": {"France": ["PAR"]}})["notes"])


def test_homes_may_be_given() -> None:
    line = {"variant": "standard", "phase": "W1901A", "units": {}, "centres": {"France": ["SPA"]}}
    line |= {"homes": {"France": ["SPA"]}, "orders": {"France": ["A SPA B"]}}
    assert one(line)["units"] == {"France": ["A SPA"]}


def test_options_choose_the_rulebook() -> None:
    two = {"France": ["A PAR - BUR", "A PAR - GAS"]}
    assert changed(SPRING, orders=two)["units"]["France"] == ["F BRE", "A PAR"]
    assert changed(SPRING, orders=two, options={"4.D.3": "last"})["units"]["France"] == ["F BRE", "A GAS"]


def test_a_win_is_reported() -> None:
    rules = library.load("standard")
    owned = sorted(rules.board.centres)[:18]
    out = one({"variant": "standard", "phase": "F1901M", "units": {"France": ["A PAR"]}, "centres": {"France": owned}})
    assert out["winners"] == ["France"]
    assert any("won the game" in note for note in out["notes"])


@pytest.mark.parametrize(
    ("line", "sentence"),
    [
        ("garbage", "line 1: this is not JSON: Expecting value at character 1, near 'garbage'."),
        ("x" * 1_000_000, "line 1: this is not JSON"),
        ('{"variant": "standard"', "line 1: this is not JSON"),
        (b"\xff\xfe{}", "line 1: this is not UTF-8 text: byte 1 cannot be read."),
        ("[" * 100_000, "line 1: this JSON is nested too deeply"),
        ('{"id": ' + "9" * 10_000 + "}", "line 1: this JSON cannot be used"),
        ('{"id": NaN}', "line 1: this JSON cannot be used: NaN is not a JSON value."),
        ("[1, 2]", "line 1: '[1, 2]' is not a position; a line is a JSON object."),
        ("null", "line 1: 'null' is not a position; a line is a JSON object."),
        ({}, "line 1: 'variant' is missing; write it like \"standard\"."),
        ({"variant": 3}, "line 1: 'variant' is '3'; write it like \"standard\"."),
        (
            {"variant": "standrad"},
            "line 1: 'standrad' is neither a variant nor a folder with one; did you mean standard?",
        ),
        ({"variant": "standard"}, "line 1: 'phase' is missing; write it like \"Spring 1901 movement\"."),
        ({**SPRING, "phase": "Summer 1901"}, "line 1: 'Summer 1901' is not a phase of this calendar; write one like"),
        ({**SPRING, "units": None}, 'line 1: \'units\' is missing; write it like {"France": ["A PAR"]}.'),
        ({**SPRING, "options": 3}, "line 1: 'options' is '3'; it must be an object of texts."),
        ({**SPRING, "options": {"rulebook": []}}, "line 1: option 'rulebook' is '[]'; it must be a text."),
        ({**SPRING, "options": {"rulebook": 1066}}, "line 1: '1066' is not a rulebook; the editions are"),
    ],
)
def test_a_line_that_cannot_be_adjudicated_gives_one_sentence(line: object, sentence: str) -> None:
    out = one(line)
    assert out.keys() <= {"errors", "id"}
    assert len(out["errors"]) == 1
    assert out["errors"][0].startswith(sentence)
    assert len(out["errors"][0]) < 400


@pytest.mark.parametrize(
    ("parts", "sentence"),
    [
        ({"unitz": {}}, "'unitz' is not a key of a position; did you mean units?"),
        ({"units": {"Frence": ["A PAR"]}}, "'units': 'Frence' is not a power of this game; did you mean France?"),
        ({"units": {"France": ["A XYZ"]}}, "'units.France': 'XYZ' is not a space"),
        ({"units": {"France": ["PAR"]}}, "'units.France': 'PAR' must begin with A for an army or F for a fleet."),
        ({"units": {"France": ["F PAR"]}}, "'units.France': 'F PAR' cannot stand there"),
        (
            {"units": {"France": ["F SPA"]}},
            "'units.France': 'F SPA' cannot stand there: a fleet there is on one of NC, SC.",
        ),
        ({"units": {"France": ["A SWI"]}}, "'units.France': 'A SWI' cannot stand there: Switzerland is impassable."),
        ({"units": {"France": [7]}}, "'units.France': '7' is not a text."),
        ({"units": {"France": 7}}, "'units.France': '7' is not a list of texts."),
        ({"units": [1]}, "'units': '[1]' is not an object with an entry for each power."),
        (
            {"units": {"France": ["A PAR", "A PAR"]}},
            "'units.France': A PAR of France cannot stand where A PAR of",
        ),
        ({"orders": {"Frence": ["A PAR H"]}}, "'orders': 'Frence' is not a power of this game; did you mean France?"),
        ({"orders": {"France": ["A PAR - XYZ"]}}, "France: 'XYZ' is not a space"),
        ({"orders": {"France": ["A MUN - BUR"]}}, "France: 'A MUN - BUR' was ignored: A MUN belongs to Germany"),
        ({"orders": {"France": ["A GAS - BUR"]}}, "France: 'A GAS - BUR' was ignored: there is no unit in Gascony."),
        ({"orders": {"France": ["A PAR - MUN"]}}, "France: 'A PAR - MUN' is illegal: A PAR does not reach Munich"),
        ({"orders": {"France": ["A PAR - BUR", "A PAR H"]}}, "France: A PAR has no valid order: two orders were given"),
        ({"orders": {"France": ["A PAR B"]}}, "France: 'A PAR B' is a build, which is ordered in an adjustment phase"),
        ({"orders": {"France": ["A PAR R BUR"]}}, "France: 'A PAR R BUR' is a retreat"),
        ({"orders": {"France": ["Germany: A MUN H"]}}, "France: 'Germany: A MUN H' is written for Germany."),
        ({"orders": {"France": [None]}}, "'orders.France': 'null' is not a text."),
        ({"orders": "A PAR H"}, "'orders': 'A PAR H' is not an object with an entry for each power."),
        (
            {"dislodged": {"Austria": ["A VIE"]}},
            "'dislodged': nobody is dislodged in Spring 1901 movement; this belongs",
        ),
        ({"centers": {"France": ["BUR"]}}, "'centres.France': Burgundy is not a supply centre."),
        (
            {"centers": {"France": ["PAR"], "Italy": ["PAR"]}},
            "'centres.Italy': PAR cannot belong to Italy",
        ),
        ({"contested": 3}, "'contested': '3' is not a list of texts."),
    ],
)
def test_unusable_orders_are_reported_and_the_rest_is_adjudicated(parts: Json, sentence: str) -> None:
    out = changed(SPRING, **parts)
    assert out["errors"][0].startswith(sentence)
    assert len([error for error in out["errors"] if error.startswith(sentence)]) == 1
    assert "phase" in out
    if "units" not in parts:
        assert out["results"]["A RUH"]["result"] in {"supports", "holds"}


@pytest.mark.parametrize(
    ("dislodged", "sentence"),
    [
        ({"Austria": {"A VIE": 3}}, "'dislodged.Austria.A VIE': '3' is not an object."),
        (
            {"Austria": {"A VIE": {"form": "BOH"}}},
            "'dislodged.Austria.A VIE': 'form' is not one of by, from",
        ),
        ({"Austria": {"A VIE": {"from": "XYZ"}}}, "'dislodged.Austria.A VIE': 'XYZ' is not a space"),
        ({"Austria": {"A VIE": {"by": "A XYZ"}}}, "'dislodged.Austria.A VIE': 'XYZ' is not a space"),
        (
            {"Austria": {"A GAL": {"by": "A BOH"}}},
            "'dislodged.Austria.A GAL': no unit stands in GAL, so",
        ),
        ({"Austria": ["A VIE"], "Italy": ["A VIE"]}, "'dislodged': A VIE cannot have stood where A VIE did."),
        ({"Austria": ["A ADR"]}, "'dislodged.Austria': 'A ADR' cannot stand there"),
    ],
)
def test_a_faulty_dislodged_unit_is_reported(dislodged: Json, sentence: str) -> None:
    line = {"variant": "standard", "phase": "S1901R", "units": {"Germany": ["A VIE"]}, "dislodged": dislodged}
    assert one(line)["errors"][0].startswith(sentence)


def scrambled() -> st.SearchStrategy[object]:
    """JSON values made of words that mean something here."""
    words = st.sampled_from(
        "France Germany A PAR - BUR|A PAR|F STP/SC|units|by|from|retreats|BUR|A MUN|S1901R|W1901A|[A/B]|: ,;".split("|")
    )
    texts = st.one_of(words, st.text(max_size=8))
    leaves = st.one_of(st.none(), st.booleans(), st.integers(), st.floats(allow_nan=False), texts)
    return st.recursive(
        leaves, lambda deeper: st.one_of(st.lists(deeper, max_size=4), st.dictionaries(texts, deeper, max_size=4))
    )


@settings(max_examples=200, deadline=None)
@given(st.sampled_from(sorted(jsonlines.KEYS)), scrambled(), st.sampled_from(["S1901M", "F1901R", "W1901A"]))
def test_whatever_a_key_holds_there_is_an_answer(key: str, value: object, phase: str) -> None:
    out = one({**SPRING, "phase": phase, "dislodged": {"Austria": ["A VIE"]}, key: value})
    assert isinstance(out["errors"], list)
    json.dumps(out)


@settings(max_examples=100, deadline=None)
@given(st.one_of(st.binary(max_size=60), st.text(max_size=60)))
def test_whatever_a_line_holds_there_is_an_answer(line: bytes | str) -> None:
    assert one(line)["errors"]


def next_orders(game: Game, chance: random.Random) -> dict[Power, list[str]]:
    """A legal order, mostly, for every unit."""
    legality = Legality(game.rules, game.position)
    orders: dict[Power, list[str]] = {}
    for power in game.rules.names:
        legal = legality.orders_of(power)
        by_unit: dict[object, list[str]] = {}
        for order in legal:
            by_unit.setdefault(getattr(order, "unit", None), []).append(str(order))
        orders[power] = [chance.choice(texts) for texts in by_unit.values() if chance.random() < 0.9]
    return orders


def test_a_game_played_by_lines_is_the_game_played_by_the_engine() -> None:
    chance = random.Random(1901)
    game = Game.new(library.load("standard"))
    opening = game.position
    line: Json = {
        "variant": "standard",
        "phase": str(opening.phase),
        "units": {power: list(map(str, opening.units_of(power))) for power in game.rules.names},
        "centers": {power: list(opening.centres_of(power)) for power in game.rules.names},
    }
    for _ in range(30):
        orders = next_orders(game, chance)
        game = game.process(orders)
        line = one({**line, "orders": orders})
        last: Resolution = game.turns[-1].resolution
        assert line["errors"] == list(last.errors)
        assert line["phase"] == str(last.after.phase)
        for power in game.rules.names:
            assert line["units"].get(power, []) == list(map(str, last.after.units_of(power)))
            assert line["centres"].get(power, []) == list(last.after.centres_of(power))
        if game.over:
            break


def test_the_command_answers_line_by_line_and_passes_over_blank_lines() -> None:
    text = f"{json.dumps(SPRING)}\n\nnonsense\n{json.dumps({**SPRING, 'id': 3})}"
    run = CliRunner().invoke(app, ["adjudicate"], input=text)
    answers = [json.loads(line) for line in run.stdout.splitlines()]
    assert run.exit_code == 0
    assert [len(answer["errors"]) for answer in answers] == [0, 1, 0]
    assert answers[1]["errors"][0].startswith("line 3: ")
    assert answers[2]["id"] == 3


def test_an_answer_can_be_written_whatever_the_line_holds() -> None:
    texts = list(jsonlines.answers([r'{"id": "\ud800"}', '{"id": "é"}'], library.load))
    assert [json.loads(text)["id"] for text in texts] == ["\ud800", "é"]
    assert "".join(texts).isascii()


def test_the_command_reads_a_file(tmp_path: Any) -> None:
    file = tmp_path / "positions.jsonl"
    file.write_text(json.dumps(SPRING) + "\n", encoding="utf-8")
    run = CliRunner().invoke(app, ["adjudicate", str(file)])
    assert json.loads(run.stdout)["phase"] == "Fall 1901 movement"
    missing = CliRunner().invoke(app, ["adjudicate", str(tmp_path / "none.jsonl")])
    assert missing.exit_code == 2
    assert missing.stderr == f"'{tmp_path / 'none.jsonl'}' cannot be used: no such file or directory.\n"

"""Running cases: what is checked, what is refused, and how it is told."""

from collections.abc import Iterator
from pathlib import Path
from textwrap import dedent

import pytest

from plenipo import library
from plenipo.cases.checks import Report
from plenipo.cases.format import Case
from plenipo.cases.kinds import KINDS, kind
from plenipo.cases.run import CaseResult, Verdict, run_file, run_text, summary
from plenipo.cases.stage import Stage
from plenipo.engine.rules import Rules


def run(content: str) -> list[CaseResult]:
    """The results of a file with this content."""
    return list(run_text(dedent(content), "f.yaml"))


def only(content: str) -> CaseResult:
    """The one result of a file with this content."""
    (result,) = run(content)
    return result


MOVE = """
- id: a
  kind: movement
  units: {{France: [A PAR, F BRE], Germany: [A MUN]}}
  orders: {orders}
  expect: {expect}
"""


def moved(expect: str, orders: str = "{France: [A PAR - BUR], Germany: [A MUN - BUR]}") -> CaseResult:
    """Paris and Munich clash in Burgundy; what the case expects of it."""
    return only(MOVE.format(orders=orders, expect=expect))


@pytest.mark.parametrize(
    ("expect", "message"),
    [
        ("{results: {A PAR: moves}}", "results, A PAR: expected 'moves', came 'fails'."),
        (
            "{results: {A PAR: success, F BRE: fail}}",
            "results, A PAR: expected 'success', came 'fails'; results, F BRE",
        ),
        ("{after_movement: {France: [A BUR, F BRE], Germany: [A MUN]}}", "after_movement of France: expected A BUR, F"),
        (
            "{after_movement: {France: [A PAR, F BRE]}}",
            "after_movement of powers not named: expected none, came A MUN.",
        ),
        ("{results: {}, dislodged: {A PAR: {by: A MUN}}}", "dislodged: expected A PAR, came none."),
        ("{units: [[France, A PAR, BUR]]}", "end of A PAR of France: expected 'BUR', came 'PAR'."),
        ("{units: [[France, A MUN, MUN]]}", "owner of A MUN: expected 'France', came 'Germany'."),
        ("{legal_retreats: {A PAR: [GAS]}}", "legal_retreats, A PAR: expected to be dislodged, came undislodged."),
        ("{centres_changed: true}", "centres_changed: expected True, came False."),
    ],
)
def test_a_failure_shows_what_was_expected_and_what_came(expect: str, message: str) -> None:
    result = moved(expect)
    assert result.outcome is Verdict.FAILED
    assert result.message.startswith(message)
    assert str(result) == f"f.yaml, case a: {result.message}"


@pytest.mark.parametrize(
    ("expect", "message"),
    [
        ("{}", "key 'expect' says nothing, so the case could not fail."),
        ("{also: prose alone}", "key 'expect' says nothing, so the case could not fail."),
        ("{reslts: {}}", "key 'reslts' is not known in the 'expect' of kind 'movement'; it may have after_movement, "),
        ("{also: [1]}", "key 'also' is not known in the 'expect' of kind 'movement'"),
        ("{results: {A PAR: wins}}", "key 'results, A PAR': 'wins' is not a result; the words are success, fail, void"),
        ("{results: {A VIE: fails}}", "key 'results': there is no unit 'A VIE'; the units are F BRE, A MUN, A PAR."),
        ("{results: {F PAR: fails}}", "key 'results': there is no unit 'F PAR'; the units are F BRE, A MUN, A PAR."),
        ("{results: {A QQQ: fails}}", "key 'results': 'QQQ' is not a space of this board"),
        ("{results: [A PAR]}", "key 'results': ['A PAR'] must be a mapping."),
        ("{dislodged: {A PAR: {from: MUN}}}", "key 'dislodged': 'A PAR' has from; it may have 'by' and 'retreats'."),
        ("{units: [[France, A PAR]]}", "key 'units': ['France', 'A PAR'] must be [power, unit, end]."),
        ("{units: {Spain: [A MAD]}}", "key 'units': 'Spain' is not a power of this game; "),
        ("{units: {France: [PAR]}}", "key 'units': 'PAR' must begin with A or F."),
        ("{units: {France: [], FRENCH: []}}", "key 'units': France stands twice."),
        ("{centres_changed: 1}", "key 'centres_changed': 1 must be true or false."),
        ("{text_about_retreats: {A PAR: {maybe: []}}}", "key 'text_about_retreats': 'A PAR' may have 'allowed' and"),
    ],
)
def test_an_expectation_that_cannot_be_read_is_told_with_its_key(expect: str, message: str) -> None:
    result = moved(expect)
    assert result.outcome is Verdict.FAILED
    assert result.message.startswith(message)


@pytest.mark.parametrize(
    ("orders", "message"),
    [
        ("{Spain: [A PAR H]}", "key 'orders': 'Spain' is not a power of this game; "),
        ("{France: A PAR H}", "key 'orders': 'A PAR H' must be a list."),
        ("[[France]]", "key 'orders': ['France'] must be [power, order] or [power, order, word]."),
        ("[[France, A PAR - BUR, wins]]", "key 'orders, France 'A PAR - BUR'': 'wins' is not a result; "),
        ("[[France, A PAR - BUR, fail, x]]", "key 'orders': ['France', 'A PAR - BUR', 'fail', 'x'] must be "),
    ],
)
def test_orders_that_make_no_sense_as_data_are_told_with_their_key(orders: str, message: str) -> None:
    result = moved("{units: [[France, A PAR, BUR]]}", orders)
    assert result.outcome is Verdict.FAILED
    assert result.message.startswith(message)


def test_words_are_checked_beside_the_orders() -> None:
    assert moved("{}", "[[France, A PAR - BUR, success]]").outcome is Verdict.PASSED
    assert moved("{}", "[[France, A PAR - BUR, moves]]").outcome is Verdict.PASSED
    assert (
        moved("{}", "[[France, A PAR - BUR, open]]").message == "key 'expect' says nothing, so the case could not fail."
    )
    message = moved("{}", "[[France, A PAR - BUR, fail]]").message
    assert message == "orders, France 'A PAR - BUR': expected 'fail', came 'moves'."


@pytest.mark.parametrize(
    "order", ["A PAR jumps BUR", "A PAR - [BEL/BUR/PIC]", "A PAR S A PAR", "A MUN - BUR", "nonsense"]
)
def test_an_order_that_does_not_count_is_void_and_so_it_fails(order: str) -> None:
    for word in ("void", "fail"):
        assert moved("{units: [[France, A PAR, PAR]]}", f"[[France, '{order}', {word}]]").outcome is Verdict.PASSED
    assert moved("{units: [[France, A PAR, PAR]]}", f"[[France, '{order}', success]]").outcome is Verdict.FAILED


def test_a_support_of_a_unit_that_is_dislodged_is_no_success() -> None:
    result = only(
        """
        - id: a
          kind: movement
          units: {Austria: [A VIE], Italy: [A TYO, A TRI]}
          orders:
          - [Austria, A VIE H, success]
          - [Italy, A TRI - VIE, success]
          - [Italy, A TYO S A TRI - VIE, success]
        """
    )
    assert result.message == "orders, Austria 'A VIE H': expected 'success', came 'holds, dislodged'."


@pytest.mark.parametrize(
    ("case", "message"),
    [
        ("{id: a, kind: strolls}", "kind 'strolls' is not known; there are "),
        ("{id: a, kind: movment}", "kind 'movment' is not known; did you mean movement?"),
        ("{id: a, kind: map, variant: nowhere}", "'nowhere' is neither a variant nor a folder with one"),
        ("{id: a, kind: map, options: {4.A.9: b}}", "'4.A.9' is not an option of Diplomacy"),
        ("{id: a, kind: map, options: {4.A.1: b}}", "'b' is not a choice of policy 4.A.1"),
        ("{id: a, kind: map, units: {}}", "key 'units' is not known in a case of kind 'map'; it may have black_"),
        (
            "{id: a, kind: movement, unit: {}}",
            "key 'unit' is not known in a case of kind 'movement'; it may have anarchic, black_holes, centr",
        ),
        (
            "{id: a, kind: movement, units: {France: [F MUN]}}",
            "key 'units': 'F MUN' cannot stand there: a fleet needs w",
        ),
        ("{id: a, kind: movement, units: {France: [F STP]}}", "key 'units': 'F STP' cannot stand there: a fleet there"),
        (
            "{id: a, kind: movement, season: Summer 1901}",
            "key 'season': 'Summer 1901' is not in this calendar, which h",
        ),
        (
            "{id: a, kind: movement, centres: {France: [BUR]}}",
            "key 'units': 'BUR' is owned but is not a supply centre.",
        ),
        ("{id: a, kind: retreat}", "key 'dislodged' is missing; a case of retreats needs a unit that must retreat."),
        ("{id: a, kind: retreat, dislodged: {A VIE: {from: TYO}}}", "key 'dislodged': 'A VIE' needs 'owner', and 'fr"),
        ("{id: a, kind: movement+retreat}", "key 'retreat' is missing; a case of this kind goes on with retreats."),
        ("{id: a, kind: elimination, orders: {}}", "key 'orders' is for retreats here, and nobody is dislodged."),
        ("{id: a, kind: victory, expect: {winner: null}}", "key 'centres_count' is missing; it says how many centres"),
        ("{id: a, kind: victory, centres_count: {Italy: 35}}", "key 'centres_count': Italy cannot own 35; 34 centres"),
        ("{id: a, kind: victory, centres_count: {}, also: [{centres_count: {}}]}", "key 'also' expects nothing"),
        (
            "{id: a, kind: adjacency, expect: {moves: [{unit: A}]}}",
            "key 'moves': a row has unit, from, to and adjacent",
        ),
        (
            "{id: a, kind: adjustment, follow_up: {expect: {}}}",
            "key 'follow_up' expects nothing, so it could not fail.",
        ),
        (
            "{id: a, kind: script, steps: [{season: Spring 1900}]}",
            "key 'season': the game does not come to Spring 1900",
        ),
        ("{id: a, kind: script, steps: [{season: Mayday}]}", "key 'season': 'Mayday' is not a phase of this calendar"),
        ("{id: a, kind: script, steps: [{sason: x}]}", "key 'sason' is not known in a step of a script"),
    ],
)
def test_a_case_that_cannot_be_played_is_told_in_a_sentence(case: str, message: str) -> None:
    result = only(f"- {case}")
    assert result.outcome is Verdict.FAILED
    assert result.message.startswith(message)


def test_a_retreat_that_does_not_take_place_is_a_failure() -> None:
    result = only(
        """
        - id: a
          kind: movement+retreat
          units: {Austria: [A VIE]}
          orders: [[Austria, A VIE H, success]]
          retreat: {orders: [], units: [[Austria, A VIE, gone]]}
        """
    )
    assert result.message == "retreat: expected a dislodged unit, came none."


def test_faults_of_a_later_season_and_of_a_step_are_told_apart() -> None:
    follow_up = only(
        """
        - id: a
          kind: adjustment
          centres: {Italy: [ROM]}
          units: {Italy: [A ROM]}
          expect: {built: {}}
          follow_up:
            centres: {Italy: [ROM, NAP]}
            units: {Italy: [A ROM]}
            expect: {built: {Italy: [A NAP]}}
        """
    )
    assert follow_up.message == "follow_up, built: expected Italy A NAP, came none."
    script = only(
        """
        - id: a
          kind: script
          steps:
          - {season: Spring 1901, expect: {units: {Italy: []}}}
          - {season: Fall 1901, expect: {centres: {Italy: [TUN]}}}
        """
    )
    assert script.message.split("; ") == [
        "Spring 1901, units of Italy: expected none, came A ROM, A VEN, F NAP",
        "Fall 1901, centres of Italy: expected TUN, came NAP, ROM, VEN.",
    ]


def test_skipped_cases_are_told_apart_and_counted_apart() -> None:
    results = run(
        """
        - {id: a, kind: property, for_all: every board, given: x}
        - {id: b, kind: walkers, skip: "the walkers, later"}
        - {id: c, kind: map, expect: {centres_total: 34}}
        - {id: d, kind: map, expect: {centres_total: 35}}
        """
    )
    assert [result.outcome for result in results] == ["skipped", "skipped", "passed", "failed"]
    assert results[0].message == "a property is held by a property test, not by a worked case"
    assert results[1].message == "the walkers, later"
    assert summary(results) == "1 passed, 1 failed, 2 skipped"
    assert summary(results[2:]) == "1 passed, 1 failed"


def test_a_fault_of_the_program_is_a_failure_of_one_case() -> None:
    def broken(_name: str, options: object) -> Rules:
        if options:
            raise ZeroDivisionError("no board")
        return library.load("standard")

    content = "- {id: a, kind: map, options: {x: y}}\n- {id: b, kind: map, expect: {centres_total: 34}}"
    results = list(run_text(content, "f.yaml", broken))
    assert results[0].message == "the program broke with ZeroDivisionError: no board"
    assert results[1].outcome is Verdict.PASSED


def test_files_that_cannot_be_read_are_failed_results(tmp_path: Path) -> None:
    (missing,) = run_file(tmp_path / "none.yaml")
    assert str(missing) == f"none.yaml: '{tmp_path / 'none.yaml'}' cannot be read: No such file or directory."
    (tmp_path / "bytes.yaml").write_bytes(b"\xff\xfe\xff")
    (binary,) = run_file(tmp_path / "bytes.yaml")
    assert (binary.outcome, binary.message.split(": ")[1]) == ("failed", "it is not UTF-8 text.")
    (tmp_path / "empty.yaml").write_text("", encoding="utf-8")
    (empty,) = run_file(tmp_path / "empty.yaml")
    assert str(empty).startswith("empty.yaml: there is no list 'cases'")


@pytest.fixture
def new_kind() -> Iterator[str]:
    """A kind of case that only this test knows."""

    @kind("greeting", "who", "word", state=False)
    def _greet(case: Case, stage: Stage, report: Report) -> None:
        report.same("word", case.expect["word"], f"hello {case.given['who']} of {stage.rules.title}")

    yield "greeting"
    del KINDS["greeting"]


def test_a_kind_is_added_by_registering_a_function(new_kind: str) -> None:
    passed = only(f"- {{id: a, kind: {new_kind}, who: x, expect: {{word: hello x of Diplomacy}}}}")
    assert passed.outcome is Verdict.PASSED
    refused = only(f"- {{id: a, kind: {new_kind}, units: {{}}, expect: {{word: hello}}}}")
    known = "black_holes, closed, splits, who"
    assert refused.message == f"key 'units' is not known in a case of kind 'greeting'; it may have {known}."

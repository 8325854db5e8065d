"""Running cases: positions, steps and facts, what is refused, and how it is said."""

from pathlib import Path
from textwrap import dedent

import pytest

from plenipo import library
from plenipo.cases.run import CaseResult, CaseVerdict, run_file, run_text, summary
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
  units: {{France: [A PAR, F BRE], Germany: [A MUN]}}
  orders: {orders}
  expect: {expect}
"""


def moved(expect: str, orders: str = "{France: [A PAR - BUR], Germany: [A MUN - BUR]}") -> CaseResult:
    """Paris and Munich clash in Burgundy; what the case expects of it."""
    return only(MOVE.format(orders=orders, expect=expect))


@pytest.mark.parametrize(
    "expect",
    [
        "{results: {A PAR: fails, F BRE: holds}}",
        "{results: {army paris: {result: fails, power: FRANCE, dislodged_by: ~}}}",
        "{units: {French: [F Brest, A Paris]}}",
        "{orders: {France: {A PAR - BUR: fails}}}",
        "{dislodged: {}, contested: [Burgundy]}",
        "{centres: {France: [PAR, BRE, MAR]}, unowned: {$lacks: [PAR]}, unit_count: 3}",
        "{adjustments: {Germany: {due: 2, builds: 3, keeps: 3, sites: [KIE, Berlin]}}}",
        "{calendar: {$begins: [Fall 1901 movement, Fall 1901 retreats]}, phase: Fall 1901 movement}",
        "{board: {armies: {PAR: [BRE, BUR, GAS, PIC]}, fleets: {STP/SC: [BOT, FIN, LVN]}, to_win: 18}}",
        "{readings: {LYO: {$contains: [GOL]}, Atlantis: []}, legal: {Italy: []}}",
        "{submissions: {accepted: [France, Germany], visible: [], waiting_for: []}}",
    ],
)
def test_a_case_passes_that_says_what_happens(expect: str) -> None:
    assert str(moved(expect)) == "f.yaml, case a: passed"


@pytest.mark.parametrize(
    ("expect", "message"),
    [
        (
            "{results: {A PAR: moves}}",
            'results, A PAR: expected \'moves\', but it is {"result": "fails", "why": "A PAR ',
        ),
        ("{units: {France: [A BUR, F BRE]}}", "units, France: expected an item 'A BUR', but it is ["),
        (
            "{units: {$only: {France: [A PAR, F BRE]}}}",
            'units: expected {"$only": {"France": ["A PAR", "F BRE"]}}, but',
        ),
        ("{results: {A VIE: fails}}", "results, A VIE: expected 'fails', but it is missing."),
        (
            "{orders: {Germany: {A MUN - BUR: moves}}}",
            "orders, Germany, A MUN - BUR: expected 'moves', but it is 'fails'.",
        ),
        ("{reslts: {}}", "'reslts' is not a key of an answer; did you mean results?"),
        ("{units: {Spain: []}}", "'Spain' is not a power of this game; "),
        ("{units: {$only: {Spain: []}}}", "'Spain' is not a power of this game; "),
        ("{units: {$count: two}}", 'units: expected {"$count": "two"}, but it is '),
        ("{units: {$counts: 2}}", "'$counts' is not an operator; "),
    ],
)
def test_a_failure_shows_the_piece_of_the_answer_that_differs(expect: str, message: str) -> None:
    result = moved(expect)
    assert result.outcome is CaseVerdict.FAILED
    assert result.message.startswith(message)
    assert str(result) == f"f.yaml, case a: {result.message}"


@pytest.mark.parametrize(
    ("case", "message"),
    [
        ("{id: a, variant: nowhere, expect: {winners: []}}", "'nowhere' is neither a variant nor a folder with one"),
        ("{id: a, options: {4.Z.1: x}, expect: {winners: []}}", "'4.Z.1' is not "),
        ("{id: a, seed: 12, expect: {winners: []}}", "'12' is not a seed; write 64 digits of hex."),
        ("{id: a, units: {France: [A NTH]}, expect: {winners: []}}", "'units.France': 'A NTH' cannot stand there"),
        ("{id: a, units: {Spain: [A PAR]}, expect: {winners: []}}", "'units': 'Spain' is not a power of this game"),
        ("{id: a, units: [A PAR], expect: {winners: []}}", "'units': "),
        ("{id: a, units: {}, slots: {walkers: {}}, expect: {winners: []}}", "'slots': 'walkers' is not a rule module"),
        (
            "{id: a, steps: [{phase: Spring 1900 movement, expect: {winners: []}}]}",
            "key 'phase': the game does not come ",
        ),
        ("{id: a, steps: [{phase: Mayday, expect: {winners: []}}]}", "'Mayday' is not a phase of this calendar"),
    ],
)
def test_a_case_that_cannot_be_played_is_said_in_a_sentence(case: str, message: str) -> None:
    result = only(f"- {case}")
    assert result.outcome is CaseVerdict.FAILED
    assert result.message.startswith(message)


def test_what_a_case_does_not_say_is_as_in_the_opening() -> None:
    opening = only("- {id: a, before: {unit_count: 22, phase: Spring 1901 movement, winners: []}}")
    assert opening.outcome is CaseVerdict.PASSED
    bare = only("- {id: a, units: {}, variant: '1897', before: {unit_count: 0, phase: Spring 1898 movement}}")
    assert bare.outcome is CaseVerdict.PASSED


def test_orders_that_cannot_be_read_are_void_and_said_in_the_errors() -> None:
    orders = "{France: [A PAR jumps BUR], Spain: [A MAD H]}"
    assert moved("{orders: {France: {A PAR jumps BUR: void}}, results: {A PAR: holds}}", orders).outcome == "passed"
    assert moved("{errors: {$contains: [{$has: Spain}, {$has: jumps}]}}", orders).outcome == "passed"


def test_an_order_given_twice_has_a_list_of_results() -> None:
    result = only(
        """
        - id: a
          phase: Winter 1901 adjustments
          units: {}
          centres: {Italy: [ROM, NAP]}
          orders: {Italy: [A ROM B, A ROM B]}
          expect: {orders: {Italy: {A ROM B: {$in_order: [builds, void]}}}}
        """
    )
    assert str(result) == "f.yaml, case a: passed"


def test_later_orders_replace_those_submitted_before() -> None:
    orders = "[{France: [A PAR - BUR]}, {France: [A PAR - GAS]}]"
    assert moved("{results: {A PAR: moves}, units: {France: [A GAS, F BRE]}}", orders).outcome is CaseVerdict.PASSED


def test_a_step_goes_on_from_the_one_before_and_waits_for_its_phase() -> None:
    result = only(
        """
        - id: a
          orders: {Italy: [F NAP - ION]}
          steps:
          - {orders: {Italy: [F ION - TUN]}, expect: {centres: {Italy: [NAP, ROM, TUN, VEN]}}}
          - {phase: Spring 1902 movement, before: {units: {Italy: [A ROM, A VEN, F TUN]}}}
          - {phase: Fall 1905 movement, units: {Italy: [A MUN]}, before: {centres: {Italy: [NAP, ROM, TUN, VEN]}}}
          - {expect: {centres: {Italy: {$count: 6}}}}
        """
    )
    assert (
        result.message
        == 'step 4, centres, Italy: expected {"$count": 6}, but it is ["MUN", "NAP", "ROM", "TUN", "VEN"].'
    )


def test_alternatives_are_run_with_their_own_options_and_expectations() -> None:
    results = run(
        """
        - id: a
          units: {Russia: [A WAR]}
          orders: {Russia: [A WAR - GAL, A WAR - SIL]}
          expect: {results: {A WAR: void}}
          alternatives:
          - {options: {4.D.3: last}, expect: {units: {Russia: [A SIL]}}}
          - {orders: {Russia: [A WAR - GAL]}, expect: {units: {Russia: [A SIL]}}}
        """
    )
    assert [(result.id, str(result.outcome)) for result in results] == [
        ("a", "passed"),
        ("a (4.D.3=last)", "passed"),
        ("a (alternative 2)", "failed"),
    ]


def test_chance_draws_with_the_seed_and_a_changed_draw_is_found() -> None:
    result = only(
        """
        - id: a
          variant: irish
          seed: "1111111111111111111111111111111111111111111111111111111111111111"
          phase: Spring 1974 movement
          units: {}
          expect: {chance: {repeats: true, changes_found: true}, draws: {$count: 8}}
        """
    )
    assert str(result) == "f.yaml, case a: passed"


def test_skipped_cases_are_counted_apart() -> None:
    results = run(
        """
        - {id: b, skip: "the walkers, later"}
        - {id: c, before: {board: {centres: {$count: 34}}}}
        - {id: d, before: {board: {centres: {$count: 35}}}}
        """
    )
    assert [result.outcome for result in results] == ["skipped", "passed", "failed"]
    assert results[0].message == "the walkers, later"
    assert summary(results) == "1 passed, 1 failed, 1 skipped"
    assert summary(results[1:]) == "1 passed, 1 failed"


def test_a_fault_of_the_program_is_a_failure_of_one_case() -> None:
    def broken(_name: str, options: object) -> Rules:
        if options:
            raise ZeroDivisionError("no board")
        return library.load("standard")

    content = "- {id: a, options: {x: y}, before: {unowned: []}}\n- {id: b, before: {unit_count: 22}}"
    results = list(run_text(content, "f.yaml", broken))
    assert results[0].message == "the program broke with ZeroDivisionError: no board"
    assert results[1].outcome is CaseVerdict.PASSED


def test_files_that_cannot_be_read_are_failed_results(tmp_path: Path) -> None:
    (missing,) = run_file(tmp_path / "none.yaml")
    assert str(missing) == f"none.yaml: '{tmp_path / 'none.yaml'}' cannot be read: No such file or directory."
    (tmp_path / "bytes.yaml").write_bytes(b"\xff\xfe\xff")
    (binary,) = run_file(tmp_path / "bytes.yaml")
    assert (binary.outcome, binary.message.split(": ")[1]) == ("failed", "it is not UTF-8 text.")
    (tmp_path / "empty.yaml").write_text("", encoding="utf-8")
    (empty,) = run_file(tmp_path / "empty.yaml")
    assert str(empty).startswith("empty.yaml: there is no list 'cases'")

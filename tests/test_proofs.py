"""The share of tests that a run makes: some of each file, and all of what is asked for."""

import re
from pathlib import Path

import pytest

import proofs
from long_tests import find_long

TESTS = Path(__file__).parent
PAGE, OTHER, SERVER = TESTS / "browser" / "test_page.py", TESTS / "browser" / "test_other.py", TESTS / "test_server.py"
LONG = {"browser/test_page.py::test_a": 3.0, "browser/test_page.py::test_b": 2.0, "test_server.py::test_long": 4.0}
"""The seconds of long tests; another one of the pages takes six."""

CASES = [
    *((PAGE, "test_a"), (PAGE, "test_b"), (OTHER, "test_c")),
    *((SERVER, "test_long"), (SERVER, "test_short"), (SERVER, "test_long")),
]
"""Six cases of tests, by file and name."""


@pytest.mark.parametrize(
    ("named", "budget", "made"),
    [
        ([], 0, "000 010"),
        ([], 2, "010 010"),
        ([], 6, "010 110"),
        ([], 9, "110 110"),
        ([], 11, "110 110"),
        ([], 12, "011 110"),
        ([TESTS], 12, "011 110"),
        ([], 15, "111 110"),
        ([], 19, "111 111"),
        ([PAGE], 0, "110 010"),
        ([PAGE.parent], 0, "111 010"),
        ([PAGE, SERVER], 6, "111 111"),
    ],
)
def test_the_shortest_long_tests_of_each_file_are_made_within_a_budget_and_all_of_what_is_named(
    monkeypatch: pytest.MonkeyPatch, named: list[Path], budget: float, made: str
) -> None:
    monkeypatch.setattr(proofs, "ALL", False)
    assert proofs.choose(CASES, named, LONG, budget) == [one == "1" for one in made.replace(" ", "")]


def test_all_are_made_where_every_proof_is(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(proofs, "ALL", True)
    assert all(proofs.choose(CASES, (), LONG))


def test_each_long_test_on_the_list_is_there_once_and_the_list_is_sorted() -> None:
    listed = [line.split()[1] for line in proofs.LIST.read_text(encoding="utf-8").splitlines()]
    assert listed == sorted(set(listed))
    for one in listed:
        file, name, *_ = one.split("::")
        assert re.search(rf"\b{name}\b", (TESTS / file).read_text(encoding="utf-8")), one


def test_what_took_a_second_outside_the_rules_is_put_on_the_list() -> None:
    report = """<testsuites><testsuite>
      <testcase classname="tests.server.test_api" name="test_long[a]" time="0.2"/>
      <testcase classname="tests.server.test_api" name="test_long[b]" time="1.2"/>
      <testcase classname="tests.server.test_api" name="test_short" time="0.9"/>
      <testcase classname="tests.server.hosting.test_motions.TestSeats" name="runTest" time="2"/>
      <testcase classname="tests.browser.test_map" name="test_map" time="9"/>
      <testcase classname="tests.engine.test_solver" name="test_solver" time="9"/>
    </testsuite></testsuites>"""
    assert find_long(report) == {
        "server/test_api.py::test_long": 0.7,
        "server/hosting/test_motions.py::TestSeats::runTest": 2.0,
        "browser/test_map.py::test_map": 9.0,
    }

"""The share of tests that a run makes: some of each file, and all of what is asked for."""

import re
from pathlib import Path

import pytest

import proofs
from long_tests import find_long

TESTS = Path(__file__).parent
PAGE, SERVER = TESTS / "browser" / "test_page.py", TESTS / "server" / "test_server.py"
LONG = {"server/test_server.py::test_long"}
"""The tests that take long, beside those of pages."""

CASES = [(PAGE, "test_a")] * 4 + [(SERVER, "test_long"), (SERVER, "test_short")] * 4
"""Twelve cases of tests, by file and name."""


@pytest.mark.parametrize(
    ("named", "made"),
    [
        ([], "1..1 11.1.111"),
        ([TESTS], "1..1 11.1.111"),
        ([PAGE], "1111 11.1.111"),
        ([PAGE.parent], "1111 11.1.111"),
        ([SERVER], "1..1 11111111"),
        ([PAGE, SERVER.parent], "1111 11111111"),
    ],
)
def test_one_in_three_long_tests_of_a_file_is_made_and_all_of_what_is_named(
    monkeypatch: pytest.MonkeyPatch, named: list[Path], made: str
) -> None:
    monkeypatch.setattr(proofs, "ALL", False)
    assert proofs.choose(CASES, named, LONG, 3) == [one == "1" for one in made.replace(" ", "")]


def test_all_are_made_where_every_proof_is(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(proofs, "ALL", True)
    assert all(proofs.choose(CASES, (), LONG))


def test_each_long_test_on_the_list_is_there_once_and_the_list_is_sorted() -> None:
    listed = proofs.LIST.read_text(encoding="utf-8").split()
    assert listed == sorted(set(listed))
    for one in listed:
        file, name, *_ = one.split("::")
        assert re.search(rf"\b{name}\b", (TESTS / file).read_text(encoding="utf-8")), one


def test_what_took_a_second_outside_the_browser_and_the_rules_is_put_on_the_list() -> None:
    report = """<testsuites><testsuite>
      <testcase classname="tests.server.test_api" name="test_long[a]" time="0.2"/>
      <testcase classname="tests.server.test_api" name="test_long[b]" time="1.2"/>
      <testcase classname="tests.server.test_api" name="test_short" time="0.9"/>
      <testcase classname="tests.server.hosting.test_motions.TestSeats" name="runTest" time="2"/>
      <testcase classname="tests.browser.test_map" name="test_map" time="9"/>
      <testcase classname="tests.engine.test_solver" name="test_solver" time="9"/>
    </testsuite></testsuites>"""
    assert find_long(report) == ["server/hosting/test_motions.py::TestSeats::runTest", "server/test_api.py::test_long"]

"""The project's own worked cases, each a test by its own name, and the proof that each of their expectations bites."""

import copy
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from plenipo.cases.format import Case, Unreadable, read
from plenipo.cases.run import Verdict, run_case, run_file, stages
from plenipo.cases.values import mapping, texts
from plenipo.library import VARIANTS

CASES = Path(__file__).parents[1] / "cases"
FILES = [*sorted(CASES.rglob("*.yaml")), *sorted(VARIANTS.glob("*/cases/*.yaml"))]

stage = stages()


def own_cases() -> list[Case | Unreadable]:
    """Every case of every file, alternatives by themselves."""
    return [case for path in FILES for case in read(path.read_text(encoding="utf-8"), path.name)]


@pytest.mark.parametrize("case", [pytest.param(case, id=case.id) for case in own_cases()])
def test_case(case: Case | Unreadable) -> None:
    assert isinstance(case, Case), case
    result = run_case(case, stage)
    if result.outcome is Verdict.SKIPPED:
        pytest.skip(result.message)
    assert result.outcome is Verdict.PASSED, str(result)


def test_every_section_of_the_datc_is_there_with_all_its_cases() -> None:
    counts = {
        path.stem: sum(isinstance(case, Case) and not case.alternative for case in read(path.read_text(), path.name))
        for path in FILES
        if path.parent.name == "datc"
    }
    # 6.J has one more than the document, which puts two positions into 6.J.9
    assert counts == {
        "6a": 12, "6b": 15, "6c": 9, "6d": 34, "6e": 15, "6f": 25, "6g": 20, "6h": 16, "6i": 7, "6j": 12
    }  # fmt: skip
    assert sum(counts.values()) == 165


def test_every_case_of_the_datc_names_its_source() -> None:
    for path in FILES:
        if path.parent.name == "datc":
            for case in read(path.read_text(), path.name):
                assert isinstance(case, Case)
                source = str(case.given.get("source"))
                assert source.startswith("DATC 3.0, 6.")
                assert case.id.split(" ")[0].rstrip("ab") == source.removeprefix("DATC 3.0, ")


def test_a_file_runs_as_its_cases_do() -> None:
    for path in FILES:
        expected = [case.id for case in read(path.read_text(encoding="utf-8"), path.name)]
        results = list(run_file(path))
        assert [result.id for result in results] == expected
        assert all(result.outcome is not Verdict.FAILED for result in results)


def falsified(value: object) -> Iterator[object]:
    """`value` with one thing changed at a time, so that it is no longer true of what happens."""
    if isinstance(value, bool):
        yield not value
    elif isinstance(value, int):
        yield value + 1
    elif value is None:
        yield "France"
    elif isinstance(value, dict):
        if not value:
            yield {"France": ["A PAR"]}
        for key, item in value.items():
            for other in falsified(item):
                yield {**value, key: other}
    elif isinstance(value, list) and value and isinstance(value[0], list):
        for i, row in enumerate(value):
            yield [*value[:i], [*row[:-1], "x<SWI"], *value[i + 1 :]]
    elif isinstance(value, list) and value and isinstance(value[0], dict):
        for i, row in enumerate(value):
            yield [*value[:i], {**row, "adjacent": not row["adjacent"]}, *value[i + 1 :]]
    elif isinstance(value, list):
        yield value[1:] if value else ["Spain"]
    elif isinstance(value, str):
        yield {"moves": "fails", "Germany": "France"}.get(value, "moves")


def rule_cases() -> list[Case]:
    """The cases of our own rules, without those that are not run."""
    return [
        case
        for case in own_cases()
        if isinstance(case, Case) and not case.id.startswith("6.") and case.kind not in ("script", "property")
    ]


UNTESTED_WHEN_SHORTER = {
    *("accept", "refuse", "phases", "unowned", "unowned_include", "never_home", "refused_if_tried"),
    *("not_centres", "units_at_start_absent", "enterable", "excluded", "unowned_centres_include", "for_gm"),
}
"""Lists that say what is so of some: a shorter one says less, and is still true."""


def reasons(key: str, value: object) -> bool:
    """Whether an expectation tells why orders were refused, which is not compared."""
    return key == "refused" and isinstance(value, dict) and any(isinstance(why, str) for why in value.values())


@pytest.mark.parametrize("case", [pytest.param(case, id=case.id) for case in rule_cases()])
def test_no_expectation_can_be_changed_unnoticed(case: Case) -> None:
    changed = 0
    for key, value in case.expect.items():
        if key in UNTESTED_WHEN_SHORTER:
            continue
        wrong = falsified(copy.deepcopy(value))
        if isinstance(value, dict) and reasons(key, value):
            taken = set(texts(case.expect["accepted"], "accepted")) - set(mapping(case.given.get("late"), "late"))
            wrong = iter([{**value, power: "a reason"} for power in sorted(taken)])
        for other in wrong:
            result = run_case(replace(case, expect={**case.expect, key: other}), stage)
            assert result.outcome is Verdict.FAILED, f"{key}: {other} went unnoticed"
            changed += 1
    assert changed or set(case.expect) <= UNTESTED_WHEN_SHORTER


def test_the_words_beside_the_orders_can_not_be_changed_unnoticed() -> None:
    opposite = {"success": "fail", "fail": "success", "void": "success"}
    changed = 0
    for case in own_cases():
        assert isinstance(case, Case)
        rows = case.given.get("orders")
        if case.alternative or not case.id.startswith("6.") or not isinstance(rows, list):
            continue
        for i, (power, order, word) in enumerate(rows):
            if word in opposite:
                other = [*rows[:i], [power, order, opposite[word]], *rows[i + 1 :]]
                result = run_case(replace(case, given={**case.given, "orders": other}), stage)
                assert result.outcome is Verdict.FAILED, f"{case.id}: '{order}' went unnoticed"
                changed += 1
    assert changed > 600

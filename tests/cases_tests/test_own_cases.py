"""The project's own worked cases, each a test by its own name, and the proof that each of their expectations bites."""

from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from plenipo.cases import DATC
from plenipo.cases.format import Case, Unreadable, read
from plenipo.cases.matching import differences
from plenipo.cases.run import CasePlayer, CaseVerdict, run_case, run_file
from plenipo.cases.views import Names
from plenipo.library import VARIANTS
from proofs import share

CASES = Path(__file__).parents[1] / "cases"
FILES = [*sorted(DATC.glob("*.yaml")), *sorted(CASES.rglob("*.yaml")), *sorted(VARIANTS.glob("*/cases/*.yaml"))]

player = CasePlayer()


@cache
def own_cases() -> list[Case | Unreadable]:
    """Every case of every file, alternatives by themselves."""
    return [case for path in FILES for case in read(path.read_text(encoding="utf-8"), path.name)]


@pytest.mark.parametrize("case", [pytest.param(case, id=case.id) for case in own_cases()])
def test_case(case: Case | Unreadable) -> None:
    assert isinstance(case, Case), case
    result = run_case(case, player)
    if result.outcome is CaseVerdict.SKIPPED:
        pytest.skip(result.message)
    assert result.outcome is CaseVerdict.PASSED, str(result)


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
                source = str(case.notes["source"])
                assert source.startswith("DATC 3.0, 6.")
                assert case.id.split(" ")[0].rstrip("ab") == source.removeprefix("DATC 3.0, ")


def test_a_file_runs_as_its_cases_do() -> None:
    for path in sorted((CASES / "rules").glob("*.yaml")):
        expected = [case.id for case in read(path.read_text(encoding="utf-8"), path.name)]
        results = list(run_file(path))
        assert [result.id for result in results] == expected
        assert all(result.outcome is not CaseVerdict.FAILED for result in results)


def falsified(pattern: object) -> Iterator[object]:
    """`pattern` with one thing changed at a time, so that it is no longer true of what it was true of."""
    if isinstance(pattern, dict):
        if not pattern:
            yield {"never": "never"}
        for key, item in pattern.items():
            rest = {name: other for name, other in pattern.items() if name != key}
            if key == "$lacks":
                yield from ({"$all": [rest, {"$contains": [one]}]} if rest else {"$contains": [one]} for one in item)
            elif key == "$not":
                yield {**rest, "$is": item}
            elif key == "$one_of":
                yield {**rest, key: ["never"]}
            elif key == "$max":
                yield {**rest, key: -99}
            elif key != "$matching":
                yield from ({**pattern, key: other} for other in falsified(item))
    elif isinstance(pattern, list):
        if not pattern:
            yield ["never"]
        for i, item in enumerate(pattern):
            yield from ([*pattern[:i], other, *pattern[i + 1 :]] for other in falsified(item))
    elif pattern is None:
        yield {"$not": None}
    elif isinstance(pattern, bool):
        yield not pattern
    elif isinstance(pattern, int):
        yield pattern + 1
    else:
        yield "fails" if pattern == "moves" else f"{pattern} never"


def runnable() -> list[Case]:
    """The cases that are run."""
    return [case for case in own_cases() if isinstance(case, Case) and not case.skip]


@pytest.mark.parametrize("case", [pytest.param(case, id=case.id) for case in share(runnable(), 4)])
def test_no_expectation_can_be_changed_unnoticed(case: Case) -> None:
    changed = 0
    for step, before, after in player.views(case):
        names = Names(before.rules, (before.position, *((after.position,) if after else ())))
        for expect, view in ((step.before, before), (step.expect, after)):
            facts = {key: view[key] for key in expect} if view is not None else {}
            assert not list(differences(expect, facts, names.same))
            for other in falsified(expect) if expect else ():
                assert next(differences(other, facts, names.same), None), f"{other} went unnoticed"
                changed += 1
    assert changed

"""Cases in the earlier format are converted whole: they still pass, nothing is lost, and what was false then fails."""

import copy
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml

import convert_cases
from convert_cases import EXPECT, KINDS, choices_meant, convert, converted
from plenipo.cases.entries import entries
from plenipo.cases.format import HEADINGS, NOTES, Case, read
from plenipo.cases.run import CasePlayer, CaseVerdict, run_case, run_text
from plenipo.errors import InvalidCase, PlenipoError

SAMPLE = Path(__file__).parents[1] / "data" / "earlier_cases.yaml"
TEXT = SAMPLE.read_text(encoding="utf-8")

player = CasePlayer(convert_cases.load)


def earlier() -> list[dict[str, Any]]:
    """The cases of the sample."""
    return [entry.value for entry in entries(TEXT, HEADINGS) if isinstance(entry.value, dict)]


def test_the_sample_has_every_kind_and_every_key() -> None:
    assert {case.get("kind", case.get("phase")) for case in earlier()} == set(KINDS)
    unused = [key for key in EXPECT if not re.search(rf"\b{key}\b", TEXT)]
    assert unused == []


def test_the_converted_sample_passes_and_keeps_its_names_and_notes() -> None:
    new = convert(TEXT)
    results = list(run_text(new, "new.yaml", convert_cases.load))
    assert [result for result in results if result.outcome is CaseVerdict.FAILED] == []
    cases = [case for case in read(new, "new.yaml") if isinstance(case, Case) and not case.alternative]
    assert [case.id for case in cases] == [case["id"] for case in earlier()]
    for old, case in zip(earlier(), cases, strict=True):
        for key in NOTES - {"also", "for_all"} & set(old):
            assert case.notes.get(key) == old.get(key), f"{case.id}: {key}"


def false(value: object) -> Iterator[object]:
    """`value` with one thing changed at a time, so that it is no longer true of what happens."""
    if isinstance(value, bool):
        yield not value
    elif isinstance(value, int):
        yield value + 1
    elif value is None:
        yield "France"
    elif isinstance(value, dict):
        for key, item in value.items():
            yield from ({**value, key: other} for other in false(item))
    elif isinstance(value, list) and value and isinstance(value[0], list):
        yield from ([*value[:i], [*row[:-1], "x<SWI"], *value[i + 1 :]] for i, row in enumerate(value))
    elif isinstance(value, list) and value and isinstance(value[0], dict):
        for i, row in enumerate(value):
            yield [*value[:i], {**row, "adjacent": not row["adjacent"]}, *value[i + 1 :]]
    elif isinstance(value, list):
        yield value[1:] if value else ["Spain"]
    else:
        yield {"moves": "fails", "Germany": "France"}.get(str(value), "moves")


TRUE_OF_FEWER = {
    *("accept", "refuse", "phases", "unowned", "unowned_include", "never_home", "refused_if_tried", "for_gm"),
    *("not_centres", "units_at_start_absent", "enterable", "excluded", "unowned_centres_include", "also"),
    "text_about_retreats",
}
"""Lists that say what is so of some: a shorter one says less, and is still true."""


@pytest.mark.parametrize("case", earlier(), ids=lambda case: case["id"])
def test_what_was_false_in_the_earlier_format_fails_in_the_present_one(case: dict[str, Any]) -> None:
    for key, value in (case.get("expect") or {}).items():
        reasons = key == "refused" and any(isinstance(why, str) for why in value.values())
        for other in () if key in TRUE_OF_FEWER or reasons else false(copy.deepcopy(value)):
            assert not passes({**case, "expect": {**case["expect"], key: other}}), f"{key}: {other} went unnoticed"


def passes(case: dict[str, Any]) -> bool:
    """Tell whether a case in the earlier format can be converted, and passes afterwards."""
    try:
        new = converted({key: value for key, value in case.items() if key != "alternatives"})
    except (PlenipoError, KeyError):
        return False
    cases = list(read(yaml.safe_dump([new], sort_keys=False), "x"))
    return all(isinstance(c, Case) and run_case(c, player).outcome is not CaseVerdict.FAILED for c in cases)


def test_comments_and_headings_stay_where_they_are() -> None:
    old = (
        "about: Something.  # said here\ncases:\n\n# First\n\n- {id: a, kind: map, expect: {corners: 137}}\n"
        "# Second\n- {id: b, kind: map, expect: {centres_total: 34}}\n"
    )
    assert convert(old) == (
        "about: Something.  # said here\ncases:\n\n# First\n\n"
        "- id: a\n  before: {board: {corners: {$count: 137}}}\n"
        "# Second\n"
        "- id: b\n  before: {board: {centres: {$count: 34}}}\n"
    )


@pytest.mark.parametrize(
    ("when", "options"),
    [
        ("4.B.2 strict: order void", [{"4.B.2": "void"}]),
        ("4.A.1 a with 4.A.2 1971, or 4.A.2 1982", [{"4.A.1": "any", "4.A.2": "1971"}, {"4.A.2": "1982"}]),
        ("rulebooks before 2000", [{"rulebook": "1971"}, {"rulebook": "1982"}]),
        ("rulebook of 1971 (the oldest)", [{"rulebook": "1971"}]),
        ("explicit adjacent convoy", [{"4.A.3": "explicit"}]),
    ],
)
def test_conditions_in_prose_become_options(when: str, options: list[dict[str, str]]) -> None:
    assert choices_meant(when) == options


def test_what_cannot_be_converted_is_said() -> None:
    with pytest.raises(InvalidCase, match="case 'a' cannot be converted: kind 'dance' is not known"):
        convert("- {id: a, kind: dance}")
    with pytest.raises(InvalidCase, match="case 'a' cannot be converted: key 'reslts' of 'expect' is not known"):
        convert("- {id: a, kind: movement, expect: {reslts: {}}}")
    with pytest.raises(InvalidCase, match="key 'when': 'if it rains' names no option"):
        convert("- {id: a, kind: movement, expect: {results: {}}, alternatives: [{when: if it rains}]}")

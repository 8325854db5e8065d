"""List the tests that take long, of which `make test` makes a part.

    python -m pytest -n 2 --dist loadfile --junitxml report.xml tests/*/
    python scripts/long_tests.py report.xml > tests/long_tests.txt

Tests of the rules (engine, agreement, worked cases) are never left out.
"""

import argparse
import sys
from collections import defaultdict
from collections.abc import Iterator, Mapping
from pathlib import Path

from defusedxml import ElementTree

LIMIT = 1.0
"""The seconds from which a case of a test is long, on a quiet machine."""

KEPT = ("agreement", "cases_tests", "engine")
"""The folders whose tests are not on the list."""


def main() -> None:
    """Write the list."""
    parser = argparse.ArgumentParser(description="List the tests that take long, from a report of pytest.")
    parser.add_argument("report", type=Path, help="what pytest wrote with --junitxml")
    found = find_long(parser.parse_args().report.read_text(encoding="utf-8"))
    sys.stdout.writelines(f"{seconds:.1f} {name}\n" for name, seconds in sorted(found.items()))


def find_long(report: str) -> Mapping[str, float]:
    """Return the mean seconds of a long test's cases, by a path below tests/, two colons and the function's name."""
    cases: defaultdict[str, list[float]] = defaultdict(list)
    for name, seconds in _read(report):
        cases[name].append(seconds)
    return {name: sum(each) / len(each) for name, each in cases.items() if max(each) >= LIMIT}


def _read(report: str) -> Iterator[tuple[str, float]]:
    """Yield each case's test, unless it is never left out, and its seconds."""
    for case in ElementTree.fromstring(report).iter("testcase"):
        _, *parts = case.get("classname", "").split(".")
        end = next((number for number, part in enumerate(parts) if part.startswith("test_")), None)
        if end is not None and parts[0] not in KEPT:
            name = case.get("name", "").partition("[")[0]
            test = "::".join(["/".join(parts[: end + 1]) + ".py", *parts[end + 1 :], name])
            yield test, float(case.get("time", 0))


if __name__ == "__main__":
    main()

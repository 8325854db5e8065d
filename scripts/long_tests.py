"""List the tests outside the browser that take long, of which `make test` makes a part.

    python -m pytest -n 2 --dist loadfile --junitxml report.xml tests/*/
    python scripts/long_tests.py report.xml > tests/long_tests.txt

Tests of the rules (engine, agreement, worked cases) are never left out, and all tests in the browser take long.
"""

import argparse
import sys
from collections.abc import Iterator
from pathlib import Path

from defusedxml import ElementTree

LIMIT = 1.0
"""The seconds from which a case of a test is long, on a quiet machine."""

KEPT = ("agreement", "browser", "cases_tests", "engine")
"""The folders whose tests are not on the list."""


def main() -> None:
    """Write the list."""
    parser = argparse.ArgumentParser(description="List the tests that take long, from a report of pytest.")
    parser.add_argument("report", type=Path, help="what pytest wrote with --junitxml")
    sys.stdout.writelines(f"{one}\n" for one in find_long(parser.parse_args().report.read_text(encoding="utf-8")))


def find_long(report: str) -> list[str]:
    """Return the long tests in a report, sorted: a path below tests/, two colons and the name of the function."""
    return sorted(set(_read(report)))


def _read(report: str) -> Iterator[str]:
    """Yield the name of each long case's test."""
    for case in ElementTree.fromstring(report).iter("testcase"):
        _, *parts = case.get("classname", "").split(".")
        end = next((number for number, part in enumerate(parts) if part.startswith("test_")), None)
        if end is None or parts[0] in KEPT or float(case.get("time", 0)) < LIMIT:
            continue
        name = case.get("name", "").partition("[")[0]
        yield "::".join(["/".join(parts[: end + 1]) + ".py", *parts[end + 1 :], name])


if __name__ == "__main__":
    main()

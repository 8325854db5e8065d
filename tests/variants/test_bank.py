"""The bank: each of its variants has a sound folder, a README, cases that pass, and can be played.

A small share of what `plenipo check --games` does for each of them at length.
"""

import json
import re
from pathlib import Path
from random import Random

import pytest

from plenipo import charts, library
from plenipo.cases import CaseVerdict, run_file
from plenipo.conformance import of_the_names, of_the_opening
from plenipo.library.plugins import BANK
from variants.golden import GOLDEN, golden_game

NAMES = library.bank()


def test_there_are_at_least_twenty_five_beyond_the_others() -> None:
    assert len(NAMES) >= 25
    assert not set(NAMES) & set(library.names())


@pytest.mark.parametrize("name", NAMES)
def test_a_variant_of_the_bank_conforms(name: str) -> None:
    folder = library.folder_of(name)
    assert folder == BANK / name
    rules = library.load(name)
    faults = [*of_the_opening(rules), *of_the_names(rules, set(library.read(name).spaces))]
    assert faults == []


@pytest.mark.parametrize("name", NAMES)
def test_its_golden_game_is_as_it_was(name: str) -> None:
    """A change of rules shows: `python scripts/golden.py` writes the hashes anew, and says which changed."""
    assert golden_game(library.load(name)) == json.loads(GOLDEN.read_text(encoding="utf-8"))[name]


@pytest.mark.parametrize("name", NAMES)
def test_its_cases_pass(name: str) -> None:
    results = [result for file in sorted((BANK / name / "cases").glob("*.yaml")) for result in run_file(file)]
    assert results
    assert [str(result) for result in results if result.outcome is not CaseVerdict.PASSED] == []


@pytest.mark.parametrize("name", NAMES)
def test_it_says_where_it_comes_from_and_what_is_special(name: str) -> None:
    about = library.read(name).about
    assert about.designer
    assert about.source
    assert about.length
    assert about.special
    text = (BANK / name / "README.md").read_text(encoding="utf-8")
    for part in ("## The rules", "## Rulings", f"plenipo play {name}", about.source):
        assert part in text
    assert re.match(rf"# {re.escape(library.read(name).title)}\n", text)


HEADINGS = ("The rules", "Where the facts come from", "Departures", "Rulings", "Options")
"""The headings of the page of a variant, in their order; a page may lack the middle ones."""

DEPARTS = re.compile(
    r"the text (lets|has it|orders|adds)|though the text|in the (text|source)\b|the source calls|is left out",
    re.IGNORECASE,
)
"""Words by which a page says that its text is not followed."""


def sections(name: str) -> dict[str, str]:
    """The sections of the page of a variant, by their headings."""
    _, *parts = re.split(r"^## (.+)\n", (BANK / name / "README.md").read_text(encoding="utf-8"), flags=re.MULTILINE)
    return dict(zip(parts[::2], parts[1::2], strict=True))


@pytest.mark.parametrize("name", NAMES)
def test_what_departs_from_the_text_of_a_variant_stands_under_departures_alone(name: str) -> None:
    known = sections(name)
    assert list(known) == [heading for heading in HEADINGS if heading in known]
    assert not DEPARTS.search(known["Rulings"])
    assert "Departures" not in known or known["Departures"].strip().startswith("1. **")


def test_a_variant_whose_text_names_an_edition_is_played_by_that() -> None:
    assert library.read("scorched-earth").rulebook == "1971"
    assert "of 1971" in sections("scorched-earth")["The rules"]


@pytest.mark.parametrize("name", Random(1).sample(NAMES, 4))
def test_some_are_drawn(name: str) -> None:
    assert charts.chart(name).draw().startswith("<svg")


def test_every_folder_is_a_variant() -> None:
    assert sorted(path.name for path in Path(BANK).iterdir()) == sorted(NAMES)

"""The language of the project keeps to its ceilings, and the terms to avoid are read from the glossary."""

import pytest

from language import CEILINGS, ROOT, Passage, is_participle, list_replaced_terms, measure


def test_every_count_of_the_language_is_at_most_its_ceiling() -> None:
    too_high = [f"{one.name}: {one.value:.2f}, at most {one.ceiling}" for one in measure() if not one.is_met]
    assert not too_high, "python scripts/language.py --where shows the places: " + "; ".join(too_high)


def test_every_ceiling_belongs_to_a_count() -> None:
    assert {one.name for one in measure()} == CEILINGS.keys()


@pytest.mark.parametrize(
    ("name", "answer"),
    [("told", "yes"), ("_seated", "yes"), ("process_phase", "no"), ("proceed", "no"), ("set", "no"), ("moves", "no")],
)
def test_a_function_named_by_a_participle_alone_is_recognised(name: str, answer: str) -> None:
    assert is_participle(name) is (answer == "yes")


def test_a_term_that_the_glossary_replaces_is_found_with_its_line() -> None:
    page = ROOT / "docs" / "page.md"
    found = list(list_replaced_terms([Passage(page, 7, "The keeper moves deadlines."), Passage(page, 8, "The host.")]))
    assert found == ["docs/page.md:7: 'keeper' in 'The keeper moves deadlines.'"]

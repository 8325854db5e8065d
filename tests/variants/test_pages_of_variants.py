"""Statements of the variants' pages about options and departures, compared with the played rules."""

import re

import pytest

from plenipo import library
from variants.test_bank import sections

IRISH = (library.VARIANTS / "irish" / "README.md").read_text(encoding="utf-8")


def test_what_irish_does_not_offer_is_no_option_and_agrees_with_the_defaults() -> None:
    options = {option.name: option.default for option in library.options_of("irish")}
    not_offered = IRISH.partition("\nNot offered:\n")[2]
    bullets = [line for line in not_offered.splitlines() if line.startswith("- ")]
    assert len(bullets) > 4
    for bullet in bullets:
        (refused,) = re.findall(r"\(`(\w+)`\)", bullet)
        assert refused not in options
        assert set(re.findall(r"(?<!\()`(\w+)`(?!\))", bullet)) <= options.keys()
    # the page says of promises that cannot be paid what is done by default
    assert options["beyond_balance"] == "owed"
    assert "| `beyond_balance` | `owed` |" in IRISH
    (limit,) = [bullet for bullet in bullets if "`promise_limit`" in bullet]
    assert "are a debt, or void the promise; see `beyond_balance`" in limit
    (debt,) = [bullet for bullet in bullets if "`debt`" in bullet]
    assert "never fall below 0, and is paid from its next income" in debt


DEPARTURES = {
    "scorched-earth": ("rules 4 and 5 of the text", "A unit at work"),
    "high-speed": ("The text orders both moves of a unit together", "Two movements"),
    "cancelled-out": ("depends in the text on the players", "Which country"),
}


@pytest.mark.parametrize("name", DEPARTURES)
def test_a_known_departure_is_stated(name: str) -> None:
    words, heading = DEPARTURES[name]
    departures = sections(name)["Departures"]
    assert f"**{heading}" in departures
    assert words in departures

"""The widths of the map's letters."""

import pytest

from plenipo.maps.lettering.typeface import DESCENT, depth_of, width_of

# measured on EB Garamond with another program: semi-bold "Edinburgh" is 4.43 sizes wide, italic "North Sea" 3.99
MEASURED = [("Edinburgh", False, 4.43), ("North Sea", True, 3.99)]


@pytest.mark.parametrize(("text", "water", "width"), MEASURED)
def test_a_text_is_given_its_true_width_and_a_little_slack(text: str, water: bool, width: float) -> None:  # noqa: FBT001 - a case
    assert width <= width_of(text, water=water) <= 1.08 * width


def test_an_unknown_letter_is_taken_for_a_wide_one() -> None:
    assert width_of("\u4eac") > width_of("m")


def test_accents_are_known_and_no_wider_than_their_letters() -> None:
    assert width_of("\u00e9\u0142\u0151") < 1.2 * width_of("elo")


def test_only_letters_that_hang_reach_below_the_line() -> None:
    assert depth_of("Burgundy") == DESCENT
    assert depth_of("Bohemia") < DESCENT / 5

"""Alternatives named in prose, and the options they mean."""

import pytest

from plenipo.cases.editions import choices_meant
from plenipo.engine.rulebook import EDITIONS, POLICIES
from plenipo.errors import InvalidCase


@pytest.mark.parametrize(
    ("when", "options"),
    [
        ("4.B.2 strict: order void", [{"4.B.2": "void"}]),
        ("4.B.3 lenient: coast corrected", [{"4.B.3": "corrected"}]),
        ("4.B.4 strict: support void", [{"4.B.4": "required"}]),
        ("4.B.5 strict: order void", [{"4.B.5": "void"}]),
        ("4.B.6 strict: order void", [{"4.B.6": "void"}]),
        ("4.A.1 choice a (1971)", [{"4.A.1": "any"}]),
        ("4.A.4 choice b: support is cut", [{"4.A.4": "cut"}]),
        ("4.A.7 choice a", [{"4.A.7": "no-effect"}]),
        ("4.A.2 rule of 1982 (Clyde still falls to the convoyed army)", [{"4.A.2": "1982"}]),
        ("4.A.2 rulebook rules 1971/1982/2000/2023", [{"4.A.2": "1971"}, {"4.A.2": "1982"}, {"4.A.2": "2000"}]),
        ("4.A.1 a with 4.A.2 1971, or 4.A.2 1982", [{"4.A.1": "any", "4.A.2": "1971"}, {"4.A.2": "1982"}]),
        ("explicit adjacent convoy (DPTG)", [{"4.A.3": "explicit"}]),
        ("fall-back to the land route allowed (2.x preference)", [{"4.A.3": "intent-or-land"}]),
        ("rulebook of 1971", [{"rulebook": "1971"}]),
        ("rulebooks 1971/2023", [{"rulebook": "1971"}, {"rulebook": "2023"}]),
        (
            "rulebooks before 2023: distance to home centres",
            [{"rulebook": "1971"}, {"rulebook": "1982"}, {"rulebook": "2000"}],
        ),
    ],
)
def test_prose_means_options(when: str, options: list[dict[str, str]]) -> None:
    assert choices_meant(when) == options


@pytest.mark.parametrize(
    "when",
    [
        "",
        "strict",
        "4.B.2",
        "4.B.2 lenient",
        "4.A.9 1971",
        "4.A.2 1959",
        "4.A.2 1971/1959",
        "rulebook of 1959",
        "rulebooks before 1971",
        "4.A.1 a with something else",
        "4.A.1 a, or else",
    ],
)
def test_prose_that_names_no_option_is_refused_with_the_piece(when: str) -> None:
    with pytest.raises(InvalidCase, match=r"key 'when': '.*' names no option; write 'options'"):
        choices_meant(when)


def test_every_option_a_phrase_can_mean_exists() -> None:
    for when in ("explicit adjacent convoy", "4.A.5 choice a", "4.A.5 b", "4.C.1 strict", "4.C.2 strict"):
        for options in choices_meant(when):
            assert all(value in POLICIES[key].choices for key, value in options.items())
    for key, policy in POLICIES.items():
        if key.startswith("4."):
            for edition in EDITIONS:
                (options,) = choices_meant(f"{key} {edition}")
                assert options[key] in policy.choices

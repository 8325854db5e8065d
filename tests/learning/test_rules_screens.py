"""The rules on screens: five of them, all of lessons that exist, and with the numbers of the game itself."""

import re

import pytest

from plenipo import library
from plenipo.errors import InvalidCase
from plenipo.learning import load_rules_screens
from plenipo.learning.lessons import VARIANT
from plenipo.learning.rules_screens import read_rules_screens


def test_the_whole_game_stands_on_five_screens_and_no_rule_twice() -> None:
    screens = load_rules_screens()
    rules = [rule.lesson.id for screen in screens for rule in screen.rules]
    assert len(screens) == 5
    assert len(rules) == len(set(rules))
    assert {"move", "support-move", "cut", "retreat", "convoy", "coasts", "build", "remove"} <= set(rules)


def test_the_numbers_are_those_of_the_game() -> None:
    rules = library.load(VARIANT)
    words = " ".join(text for screen in load_rules_screens() for text in screen.texts)
    centres, victory = len(rules.board.centres), rules.victory.enough
    assert set(map(int, re.findall(r"\d+", words))) == {1, centres, victory}


FAULTS = [
    ("- id: a\n  title: A\n  text: []", "line 1: key 'rules' is missing."),
    ("- id: a\n  title: A\n  text: []\n  rules: [chess-1]", "line 1: 'chess-1' is not an exercise of a lesson."),
    (
        "- id: a\n  title: A\n  text: []\n  rules: [move-9]",
        "line 1: 'move-9' is not an exercise of a lesson.",
    ),
    ("- just a word", "line 1: 'just a word' must be a mapping."),
]


@pytest.mark.parametrize(("content", "message"), FAULTS)
def test_a_fault_of_the_file_is_named_with_its_line(content: str, message: str) -> None:
    with pytest.raises(InvalidCase) as caught:
        read_rules_screens(content)
    assert message in str(caught.value)

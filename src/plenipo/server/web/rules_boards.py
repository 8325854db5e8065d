"""The rules on screens for their page: each rule with a small board on which its example is played."""

import re
from collections.abc import Mapping
from functools import lru_cache
from typing import NamedTuple

from plenipo.learning import Exercise, Lesson, RuleNote, load_rules_screens
from plenipo.maps.draw.scene import places_of
from plenipo.server.texts import LESSONS, pgettext
from plenipo.server.web.pictures import PREFIX, PictureLook, picture

__all__ = ["RuleOnBoard", "ScreenOfRules", "anchor_of_rule", "anchor_of_text", "rules_on_boards"]


def anchor_of_rule(name: str) -> str:
    """Return the id of the element of the page that explains a rule, which is named as its lesson or note."""
    return f"rule-{name}"


def anchor_of_text(variant: str) -> str:
    """Return the id of the element of a page that has the text of the rules of a variant."""
    return f"rules-{variant}"


class RuleOnBoard(NamedTuple):
    """A rule: the lesson that teaches it, its example, and a picture of that."""

    lesson: Lesson
    example: Exercise
    picture: str

    @property
    def anchor(self) -> str:
        """The id of its element of the page."""
        return anchor_of_rule(self.lesson.id)

    @property
    def distance(self) -> str:
        """The scale of the picture, in a word: units are drawn larger where it shows much of the map."""
        width = float(_WIDTH.findall(self.picture)[0])
        return "near" if width < NEAR else "middling" if width < MIDDLING else "far"


NEAR, MIDDLING = 1250, 1800
"""The widths in pips up to which a picture is near, or middling."""

_WIDTH = re.compile(r'viewBox="\S+ \S+ (\S+)')


class ScreenOfRules(NamedTuple):
    """A screen: its id, its title, its paragraphs, its rules, and its notes by their anchors."""

    id: str
    title: str
    text: tuple[str, ...]
    rules: tuple[RuleOnBoard, ...]
    notes: Mapping[str, RuleNote]


@lru_cache(maxsize=16)
def rules_on_boards(theme: str, language: str) -> tuple[ScreenOfRules, ...]:
    """Return the rules of the standard game on screens, with pictures for a page; raise `UnknownName` for the theme.

    The first picture has the ids that the stylesheet of the page refers to.
    """
    numbers = iter(range(1, 100))
    screens = []
    for screen in load_rules_screens():
        rules = tuple(
            RuleOnBoard(lesson, example, _board(lesson, example, next(numbers), theme, language))
            for lesson, example in screen.rules
        )
        notes = {anchor_of_rule(note.id): note for note in screen.notes}
        screens.append(ScreenOfRules(screen.id, screen.title, screen.text, rules, notes))
    return tuple(screens)


def _board(lesson: Lesson, example: Exercise, number: int, theme: str, language: str) -> str:
    """Return a solved exercise as a bare card that can move."""
    resolution = example.adjudicate(example.solution).resolution
    before = resolution.before
    spaces = {unit.space for unit in before.units} | {one.unit.space for one in before.dislodged}
    spaces |= {place for one in resolution.outcomes if one.order for place in places_of(one.order)}
    look = PictureLook(
        theme,
        bare=True,
        focus=tuple(sorted(spaces)),
        language=language,
        title=pgettext(lesson.id, lesson.title, LESSONS),
        shape="card",
        motion=True,
        prefix=PREFIX if number == 1 else f"{PREFIX}{number}-",
    )
    return picture(example.rules, before, look, resolution)

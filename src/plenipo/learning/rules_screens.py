"""The rules on a few screens: each rule is a lesson, shown by the solution of one of its exercises."""

from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

from plenipo.cases.entries import CaseEntry, entries
from plenipo.engine.sentences import say
from plenipo.errors import InvalidCase
from plenipo.learning.lessons import Exercise, Lesson, check_keys, load_lessons

__all__ = ["RulesScreen", "ShownRule", "load_rules_screens", "read_rules_screens"]

FILE = Path(__file__).with_name("rules.yaml")

_SCREEN = frozenset({"id", "title", "text", "rules"})


class ShownRule(NamedTuple):
    """A rule: the lesson that teaches it, and the exercise whose solution shows it."""

    lesson: Lesson
    example: Exercise


@dataclass(frozen=True)
class RulesScreen:
    """A part of the rules that is read at once: its title, its paragraphs, and its rules."""

    id: str
    title: str
    text: tuple[str, ...]
    rules: tuple[ShownRule, ...]

    @property
    def texts(self) -> tuple[str, ...]:
        """Every text of the screen itself, each once."""
        return tuple(dict.fromkeys((self.title, *self.text)))


@lru_cache(maxsize=1)
def load_rules_screens() -> tuple[RulesScreen, ...]:
    """Return the screens of the package in their order."""
    return read_rules_screens(FILE.read_text(encoding="utf-8"))


def read_rules_screens(content: str) -> tuple[RulesScreen, ...]:
    """Return the screens of a file; raises `InvalidCase` with the line of one that cannot be read."""
    return tuple(_screen(entry) for entry in entries(content, frozenset()))


def _screen(entry: CaseEntry) -> RulesScreen:
    if entry.fault:
        raise InvalidCase(entry.fault)
    try:
        table = check_keys(entry.value, _SCREEN, _SCREEN)
        rules = tuple(map(_find_rule, table["rules"]))
        return RulesScreen(str(table["id"]), str(table["title"]), tuple(map(str, table["text"])), rules)
    except InvalidCase as error:
        raise InvalidCase(say("line {line}: {fault}", line=entry.line, fault=error.sentence)) from error


def _find_rule(name: object) -> ShownRule:
    """Return the rule of an exercise, which is named by its lesson and its number, such as `move-1`."""
    for lesson in load_lessons().values():
        for exercise in lesson.exercises:
            if exercise.id == name:
                return ShownRule(lesson, exercise)
    raise InvalidCase(say("'{name}' is not an exercise of a lesson.", name=name))

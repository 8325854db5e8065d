"""The rules on a few screens: a rule is a lesson, shown by the solution of one of its exercises, or a note."""

from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

from plenipo.cases.entries import CaseEntry, entries
from plenipo.engine.sentences import say
from plenipo.errors import InvalidCase
from plenipo.learning.lessons import Exercise, Lesson, check_keys, load_lessons

__all__ = ["RuleNote", "RulesScreen", "ShownRule", "load_rules_screens", "read_rules_screens"]

FILE = Path(__file__).with_name("rules.yaml")

_NEEDED = frozenset({"id", "title", "text", "rules"})
_SCREEN = _NEEDED | {"notes"}
_NOTE = frozenset({"id", "title", "text"})


class ShownRule(NamedTuple):
    """A rule: the lesson that teaches it, and the exercise whose solution shows it."""

    lesson: Lesson
    example: Exercise


class RuleNote(NamedTuple):
    """A rule that no lesson teaches: its title and its paragraphs."""

    id: str
    title: str
    text: tuple[str, ...]


@dataclass(frozen=True)
class RulesScreen:
    """A part of the rules that is read at once: its title, its paragraphs, its rules, and its notes after them."""

    id: str
    title: str
    text: tuple[str, ...]
    rules: tuple[ShownRule, ...]
    notes: tuple[RuleNote, ...] = ()

    @property
    def texts(self) -> tuple[str, ...]:
        """Every text of the screen itself, each once."""
        notes = (text for note in self.notes for text in (note.title, *note.text))
        return tuple(dict.fromkeys((self.title, *self.text, *notes)))

    @property
    def titles(self) -> dict[str, str]:
        """The titles of its rules and notes, by the id of the lesson or of the note."""
        return {
            **{rule.lesson.id: rule.lesson.title for rule in self.rules},
            **{note.id: note.title for note in self.notes},
        }


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
        table = check_keys(entry.value, _SCREEN, _NEEDED)
        rules = tuple(map(_find_rule, table["rules"]))
        notes = tuple(map(_note, table.get("notes", ())))
        return RulesScreen(str(table["id"]), str(table["title"]), tuple(map(str, table["text"])), rules, notes)
    except InvalidCase as error:
        raise InvalidCase(say("line {line}: {fault}", line=entry.line, fault=error.sentence)) from error


def _note(value: object) -> RuleNote:
    table = check_keys(value, _NOTE, _NOTE)
    return RuleNote(str(table["id"]), str(table["title"]), tuple(map(str, table["text"])))


def _find_rule(name: object) -> ShownRule:
    """Return the rule of an exercise, which is named by its lesson and its number, such as `move-1`."""
    for lesson in load_lessons().values():
        for exercise in lesson.exercises:
            if exercise.id == name:
                return ShownRule(lesson, exercise)
    raise InvalidCase(say("'{name}' is not an exercise of a lesson.", name=name))

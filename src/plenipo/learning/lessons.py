"""Lessons and their exercises: read from a file, and the result of the orders that a player gives."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from pathlib import Path
from typing import NamedTuple

from plenipo.cases.entries import CaseEntry, entries
from plenipo.cases.format import POSITION, Case, CaseStep, Json
from plenipo.cases.run import CasePlayer
from plenipo.engine.orders import Order
from plenipo.engine.outcome import Resolution
from plenipo.engine.position import Position, Power
from plenipo.engine.reading.order_entry import OrderEntry
from plenipo.engine.reading.vocabulary import Vocabulary
from plenipo.engine.rules import Rules
from plenipo.engine.sentences import say
from plenipo.errors import InvalidCase

__all__ = [
    "MOST_ORDERS",
    "VARIANT",
    "Exercise",
    "ExerciseResult",
    "Lesson",
    "check_keys",
    "load_lessons",
    "read_lessons",
]

FILE = Path(__file__).with_name("lessons.yaml")

MOST_ORDERS = 20
"""The most orders that an answer may give."""

MOST_STARS = 3

VARIANT = "standard"
"""The variant that the lessons teach."""

_PLAYER = CasePlayer()

_TEXTS = frozenset({"task", "hint", "learned"})
_EXERCISE = frozenset({*POSITION, *_TEXTS, "power", "orders", "expect", "solution"})
_LESSON = frozenset({"id", "title", "text", "exercises", "play"})


class ExerciseResult(NamedTuple):
    """The result of the orders of a player: the phase they were played in, and whether they reached the goal.

    `stars` are from 1 to 3 for a solved exercise, one less for each order more than the solution has; 0 otherwise.
    """

    orders: tuple[Order, ...]
    resolution: Resolution
    solved: bool
    stars: int


@dataclass(frozen=True)
class Exercise:
    """A position, the orders of the other powers, and the goal of the player, who orders the units of `power`.

    `task` says what to do, `hint` helps after a wrong answer, and `learned` says why the right one worked.
    `solution` has the fewest orders that reach the goal.
    """

    id: str
    power: Power
    task: str
    hint: str
    learned: str
    position_entries: Json
    orders: Mapping[str, Sequence[str]]
    goal: Json
    solution: tuple[str, ...]

    @property
    def rules(self) -> Rules:
        """The rules of the variant that the lessons teach."""
        return _PLAYER.load(VARIANT, {})

    @cached_property
    def position(self) -> Position:
        """The position in which the orders are given."""
        _, before, _ = next(iter(_PLAYER.views(self._as_case(()))))
        return before.position

    def read(self, texts: Sequence[str], vocabulary: Vocabulary | None = None) -> tuple[Order, ...]:
        """Return the orders of the player in the order of their units, a later one for a unit in place of an earlier.

        Raises `InvalidOrder` for a text that cannot be read, `IllegalOrder` for an order that is not allowed.
        """
        entry = OrderEntry(self.rules, self.position, self.power, vocabulary=vocabulary)
        order_set: tuple[Order, ...] = ()
        for text in texts[:MOST_ORDERS]:
            order_set = entry.give(order_set, text).order_set
        return order_set

    def adjudicate(self, texts: Sequence[str], vocabulary: Vocabulary | None = None) -> ExerciseResult:
        """Play the phase with the orders of the player; raises as `read` does."""
        orders = self.read(texts, vocabulary)
        case = self._as_case(tuple(str(order) for order in orders))
        _, _, after = next(iter(_PLAYER.views(case)))
        assert after is not None  # noqa: S101  # the step is played
        assert after.resolution is not None  # noqa: S101  # as above
        solved = not any(_PLAYER.faults(case))
        stars = max(1, MOST_STARS - max(0, len(orders) - len(self.solution))) if solved else 0
        return ExerciseResult(orders, after.resolution, solved, stars)

    def _as_case(self, orders: tuple[str, ...]) -> Case:
        submitted = {**{power: list(texts) for power, texts in self.orders.items()}, str(self.power): list(orders)}
        step = CaseStep(self.position_entries, (submitted,), {}, self.goal, played=True)
        return Case(self.id, FILE.name, 1, VARIANT, {}, (step,), {})


@dataclass(frozen=True)
class Lesson:
    """A lesson: its title, its paragraphs, and exercises; with `play` it ends with a game against computers."""

    id: str
    title: str
    text: tuple[str, ...]
    exercises: tuple[Exercise, ...]
    play: bool = False

    @property
    def texts(self) -> tuple[str, ...]:
        """Every text of the lesson that a player reads, each once."""
        exercises = (text for one in self.exercises for text in (one.task, one.hint, one.learned))
        return tuple(dict.fromkeys((self.title, *self.text, *exercises)))


@lru_cache(maxsize=1)
def load_lessons() -> Mapping[str, Lesson]:
    """Return the lessons of the package in their order, by their ids."""
    return {lesson.id: lesson for lesson in read_lessons(FILE.read_text(encoding="utf-8"))}


def read_lessons(content: str) -> tuple[Lesson, ...]:
    """Return the lessons of a file; raises `InvalidCase` with the line of one that cannot be read."""
    return tuple(_lesson(entry) for entry in entries(content, frozenset()))


def _lesson(entry: CaseEntry) -> Lesson:
    if entry.fault:
        raise InvalidCase(entry.fault)
    try:
        table = check_keys(entry.value, _LESSON, ("id", "title", "text"))
        name = str(table["id"])
        exercises = [
            check_keys(one, _EXERCISE, _EXERCISE - {*POSITION, "orders"}) for one in table.get("exercises", ())
        ]
        return Lesson(
            name,
            str(table["title"]),
            tuple(map(str, table["text"])),
            tuple(_exercise(f"{name}-{number}", one) for number, one in enumerate(exercises, 1)),
            play=bool(table.get("play", False)),
        )
    except InvalidCase as error:
        raise InvalidCase(say("line {line}: {fault}", line=entry.line, fault=error.sentence)) from error


def _exercise(name: str, table: Json) -> Exercise:
    return Exercise(
        name,
        Power(str(table["power"])),
        str(table["task"]),
        str(table["hint"]),
        str(table["learned"]),
        {key: table[key] for key in POSITION if key in table},
        table.get("orders", {}),
        table["expect"],
        tuple(map(str, table["solution"])),
    )


def check_keys(value: object, known: frozenset[str], needed: Sequence[str] | frozenset[str]) -> Json:
    """Return a mapping with no keys but the known ones, and with all that are needed."""
    if not isinstance(value, dict):
        raise InvalidCase(say("{value!r} must be a mapping.", value=value))
    unknown = next((key for key in value if key not in known), None)
    if unknown is not None:
        raise InvalidCase(
            say("key '{key}' is not known; these are {known}.", key=unknown, known=", ".join(sorted(known)))
        )
    missing = next((key for key in sorted(needed) if key not in value), None)
    if missing is not None:
        raise InvalidCase(say("key '{key}' is missing.", key=missing))
    return value

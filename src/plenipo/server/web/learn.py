"""Lessons in the browser: the list, a lesson, and the result of the orders of a learner; nothing is stored here."""

from typing import Annotated, ClassVar

from fastapi import APIRouter, Body, Request
from fastapi.responses import Response
from pydantic import BaseModel, ConfigDict, Field

from plenipo.engine.phases.legality import Legality
from plenipo.engine.sentences import SentenceKind
from plenipo.languages.names import vocabulary_in
from plenipo.learning import Exercise, Lesson, load_lessons
from plenipo.learning.lessons import MOST_ORDERS, VARIANT, ExerciseResult
from plenipo.server.errors import UnknownLesson
from plenipo.server.texts import LESSONS, pgettext
from plenipo.server.web.about import Computer
from plenipo.server.web.boards import Board
from plenipo.server.web.cache import respond
from plenipo.server.web.context import counts, theme_of
from plenipo.server.web.models import Model, Outcome, Phase, Position, Text
from plenipo.server.web.pictures import PictureLook, arrows, picture
from plenipo.server.web.rendering import render_page
from plenipo.server.web.translation import language_of_orders
from plenipo.server.web.views import Arrows, Node

__all__ = ["router"]

_NO_LESSON = SentenceKind("server-no-lesson", "There is no lesson '{name}'; the list of lessons is at /learn.")
_NO_EXERCISE = SentenceKind(
    "server-no-exercise", "There is no exercise {number} in the lesson '{name}'; the last is {last}."
)

router = APIRouter(tags=["learning"])


class ExerciseModel(Model):
    """An exercise: what to do, the position, the legal orders of the player, and a picture of the position.

    `needed` is the smallest number of orders that reaches the goal. On the page of the lesson, which has the picture
    already, `picture` is left out.
    """

    lean: ClassVar[bool] = True

    lesson: str
    number: int
    count: int
    power: str
    task: str
    phase: Phase
    position: Position
    needed: int
    choices: tuple[Node, ...]
    picture: str = ""

    @classmethod
    def of(cls, lesson: Lesson, number: int, look: PictureLook | None) -> "ExerciseModel":
        """Return the model of an exercise, which is counted from 1; without a look it has no picture."""
        exercise = lesson.exercises[number - 1]
        rules, position = exercise.rules, exercise.position
        return cls.model_validate(
            {
                "lesson": lesson.id,
                "number": number,
                "count": len(lesson.exercises),
                "power": exercise.power,
                "task": pgettext(lesson.id, exercise.task, LESSONS),
                "phase": Phase.of(position.phase),
                "position": Position.of(rules, position),
                "needed": len(exercise.solution),
                "choices": Legality(rules, position).orders_of(exercise.power).choices(),
                "picture": picture(rules, position, look) if look else "",
            }
        )


class LessonOrders(Model):
    """The orders of a learner as they are understood, and drawn for the picture of the position."""

    orders: tuple[Text, ...]
    arrows: Arrows


class PlayedExercise(Model):
    """The results of a learner's orders, and a picture of them; `words` say why they worked, or give a hint."""

    solved: bool
    stars: int
    orders: tuple[Text, ...]
    outcomes: tuple[Outcome, ...]
    words: str
    picture: str

    @classmethod
    def of(cls, lesson: Lesson, exercise: Exercise, answer: ExerciseResult, look: PictureLook) -> "PlayedExercise":
        """Return the model of an answer."""
        return cls.model_validate(
            {
                "solved": answer.solved,
                "stars": answer.stars,
                "orders": answer.orders,
                "outcomes": answer.resolution.outcomes,
                "words": pgettext(lesson.id, exercise.learned if answer.solved else exercise.hint, LESSONS),
                "picture": picture(exercise.rules, exercise.position, look, answer.resolution),
            }
        )


class LessonBody(BaseModel):
    """The orders of a learner, in any spelling; a later order for a unit replaces an earlier one."""

    model_config = ConfigDict(extra="forbid")

    orders: Annotated[list[Annotated[str, Field(max_length=200)]], Field(max_length=MOST_ORDERS)] = []


def _find_lesson(name: str) -> Lesson:
    lesson = load_lessons().get(name)
    if lesson is None:
        raise UnknownLesson(_NO_LESSON(name=name[:60]))
    return lesson


def _find_exercise(name: str, number: int) -> tuple[Lesson, Exercise]:
    lesson = _find_lesson(name)
    if not 1 <= number <= len(lesson.exercises):
        raise UnknownLesson(_NO_EXERCISE(name=name, number=number, last=len(lesson.exercises)))
    return lesson, lesson.exercises[number - 1]


def _look(request: Request) -> PictureLook:
    return PictureLook(theme_of(request), bare=True, language=language_of_orders(request))


@router.get("/learn", include_in_schema=False)
def lessons_page(request: Request) -> Response:
    """Show the list of lessons; the browser keeps the stars."""
    return respond(request, render_page(request, "learn.html", lessons=tuple(load_lessons().values())))


@router.get("/learn/{lesson}", include_in_schema=False)
def lesson_page(request: Request, lesson: str) -> Response:
    """Show a lesson, with its first exercise."""
    shown = _find_lesson(lesson)
    names = tuple(load_lessons())
    place = names.index(shown.id)
    look = _look(request)
    first = shown.exercises[0] if shown.exercises else None
    page = render_page(
        request,
        "lesson.html",
        look.theme,
        lesson=shown,
        variant=VARIANT,
        place=place + 1,
        count=len(names),
        after=names[place + 1] if place + 1 < len(names) else "",
        computers=Computer.all(),
        exercise=ExerciseModel.of(shown, 1, None) if first else None,
        picture=picture(first.rules, first.position, look) if first else "",
        board=Board.of(first.rules, first.position) if first else None,
    )
    return respond(request, page)


@router.get("/api/lessons/{lesson}/{number}")
def exercise(request: Request, lesson: str, number: int) -> ExerciseModel:
    """Return an exercise of a lesson."""
    shown, _ = _find_exercise(lesson, number)
    return ExerciseModel.of(shown, number, _look(request))


@router.post("/api/lessons/{lesson}/{number}/orders")
@counts("completions")
def draw_orders(request: Request, lesson: str, number: int, body: Annotated[LessonBody, Body()]) -> LessonOrders:
    """Read orders for an exercise, and draw them; nothing is stored."""
    _, shown = _find_exercise(lesson, number)
    orders = shown.read(body.orders, vocabulary_in(language_of_orders(request), shown.rules.variant))
    layers = arrows(shown.rules, shown.position, orders)
    return LessonOrders(orders=tuple(map(str, orders)), arrows=Arrows.model_validate(layers))


@router.post("/api/lessons/{lesson}/{number}")
@counts("adjudications")
def play_exercise(request: Request, lesson: str, number: int, body: Annotated[LessonBody, Body()]) -> PlayedExercise:
    """Play an exercise with some orders; nothing is stored."""
    shown, task = _find_exercise(lesson, number)
    answer = task.adjudicate(body.orders, vocabulary_in(language_of_orders(request), task.rules.variant))
    return PlayedExercise.of(shown, task, answer, _look(request))

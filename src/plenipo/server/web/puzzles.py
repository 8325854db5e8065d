"""Puzzles in the browser: the list, a puzzle, and the judgement of an answer; the browser keeps the progress."""

from collections.abc import Iterable, Mapping
from functools import lru_cache
from typing import Annotated, Any, ClassVar, Literal, NamedTuple
from urllib.parse import quote

from fastapi import APIRouter, Body, Request
from fastapi.responses import Response
from pydantic import BaseModel, ConfigDict, Field

from plenipo import library
from plenipo.cases import DATC
from plenipo.engine.board import Code
from plenipo.engine.outcome import Outcome as EngineOutcome
from plenipo.engine.outcome import Resolution
from plenipo.engine.phases.legality import Legality
from plenipo.engine.position import Position as EnginePosition
from plenipo.engine.rules import Rules
from plenipo.engine.sentences import SentenceKind
from plenipo.errors import UnknownName
from plenipo.languages.names import vocabulary_in
from plenipo.learning import find_lessons_about, find_rules_about, load_lessons
from plenipo.learning.lessons import MOST_ORDERS, VARIANT
from plenipo.puzzles import CasePuzzle, OrderPuzzle, UnitFate, load_case_puzzles, load_order_puzzles
from plenipo.puzzles.case_puzzles import fate_of, list_questions
from plenipo.puzzles.glicko import (
    HIGHEST,
    LEAST_DEVIATION,
    MOST_DEVIATION,
    NEW_SOLVER,
    GlickoRating,
    rate_puzzle,
    update_rating,
)
from plenipo.server.errors import TooOften, UnknownPuzzle
from plenipo.server.store.puzzle_ratings import PuzzleRatings
from plenipo.server.texts import LESSONS, pgettext
from plenipo.server.web.boards import Board
from plenipo.server.web.cache import respond
from plenipo.server.web.context import Here, Services, counts, network_of, person_of, theme_of
from plenipo.server.web.learn import LessonBody, LessonOrders
from plenipo.server.web.models import Model, Outcome, Phase, Position, SentenceField, Text
from plenipo.server.web.pictures import PictureLook, arrows, picture
from plenipo.server.web.reasons import UnitReason
from plenipo.server.web.rendering import render_page
from plenipo.server.web.rules_boards import anchor_of_rule, anchor_of_text
from plenipo.server.web.translation import language_of_orders
from plenipo.server.web.views import Arrows, Node
from plenipo.server.web.worked_cases import anchor_of_case, worked_cases

__all__ = ["router"]

_NO_PUZZLE = SentenceKind("server-no-puzzle", "There is no puzzle {number}; the list of puzzles is at /puzzles.")
_WHAT_TASK = SentenceKind("server-puzzle-what", "What happens to these units?")
_ONLY = SentenceKind("server-puzzle-only", "Solved: no other set of at most three orders does it.")
_REFUTED = SentenceKind("server-puzzle-refuted", "Not yet: the others have a reply, which you see here.")
_WRONG = SentenceKind("server-puzzle-wrong", "Not yet: this is not the solution.")
_TOO_MANY = SentenceKind(
    "server-puzzle-too-many", "Not yet: {number} order is enough.", "Not yet: {number} orders are enough."
)
_ALL_RIGHT = SentenceKind("server-puzzle-right", "Solved: all answers are right.")
_SOME_WRONG = SentenceKind("server-puzzle-some-wrong", "{number} answer is wrong.", "{number} answers are wrong.")

_SHOWN = SentenceKind("server-puzzle-shown", "This is the solution.")
_NO_ORDERS = SentenceKind("server-puzzle-no-orders", "Puzzle {number} asks for no orders.")

MOST_FATES = 20
"""The most units about which an answer may say something."""

router = APIRouter(tags=["puzzles"])

Kind = Literal["what", "order"]
"""The kinds of puzzles: what happens, and find the order."""

ORDERS = "order"
"""The name of the chapter of the puzzles of the second kind."""


class Chapter(NamedTuple):
    """A chapter of puzzles: the name and title of its variant, and the numbers of its puzzles, the easiest first."""

    name: str
    title: str
    numbers: tuple[int, ...]

    def sort_by(self, ratings: Mapping[int, GlickoRating]) -> "Chapter":
        """Return it in the order of the ratings of those with results; the others keep their computed difficulty."""
        levels = {number: float(one.difficulty) for number in self.numbers if (one := _look_up(number))}
        levels |= {number: ratings[number].rating for number in self.numbers if number in ratings}
        return self._replace(numbers=tuple(sorted(self.numbers, key=lambda number: (levels[number], number))))


def _look_up(number: int) -> CasePuzzle | OrderPuzzle | None:
    return load_case_puzzles().get(number) or load_order_puzzles().get(number)


@lru_cache(maxsize=1)
def chapters() -> Mapping[str, Chapter]:
    """Return the chapters of the first kind, one for each variant that is there; the longest first."""
    by_variant: dict[str, list[CasePuzzle]] = {}
    for puzzle in load_case_puzzles().values():
        by_variant.setdefault(puzzle.variant, []).append(puzzle)
    found = []
    for variant, puzzles in by_variant.items():
        try:
            title = library.read(variant).title
        except UnknownName:
            continue  # the variant is gone
        found.append(Chapter(variant, title, _by_difficulty(puzzles)))
    return {chapter.name: chapter for chapter in sorted(found, key=lambda one: (-len(one.numbers), one.title))}


@lru_cache(maxsize=1)
def order_chapter() -> Chapter:
    """Return the chapter of the second kind."""
    return Chapter(ORDERS, "", _by_difficulty(load_order_puzzles().values()))


def _by_difficulty(puzzles: Iterable[CasePuzzle | OrderPuzzle]) -> tuple[int, ...]:
    return tuple(one.number for one in sorted(puzzles, key=lambda one: (one.difficulty, one.number)))


class FateQuestion(Model):
    """A unit about which a puzzle asks, with its order; empty if it has none."""

    unit: Text
    power: str
    order: str


class PuzzleModel(Model):
    """A puzzle: what to do, the position, and a picture of it.

    One of the kind `what` has the orders of all powers in its picture and asks about some units. One of the kind
    `order` has the legal orders of the player, and the number of orders that is `needed`. The `difficulty` is a rating:
    computed at first, and changed by first answers. On the page of the puzzle, which has the picture already, `picture`
    is left out.
    """

    lean: ClassVar[bool] = True

    number: int
    kind: Kind
    variant: str
    title: str
    difficulty: int
    task: SentenceField
    phase: Phase
    position: Position
    focus: tuple[str, ...]
    questions: tuple[FateQuestion, ...] = ()
    power: str = ""
    needed: int = 0
    choices: tuple[Node, ...] = ()
    picture: str = ""

    @classmethod
    def of(
        cls, puzzle: CasePuzzle | OrderPuzzle, look: PictureLook | None, rating: GlickoRating | None = None
    ) -> "PuzzleModel":
        """Return the model of a puzzle, with its rating if it has results; without a look it has no picture."""
        rules, position = PuzzleMoment.of(puzzle)
        more = _order_parts(puzzle) if isinstance(puzzle, OrderPuzzle) else _case_parts(puzzle)
        return cls.model_validate(
            {
                "number": puzzle.number,
                "variant": puzzle.variant,
                "title": rules.title,
                "difficulty": puzzle.difficulty if rating is None else round(rating.rating),
                "phase": Phase.of(position.phase),
                "position": Position.of(rules, position),
                "picture": _draw(puzzle, look) if look else "",
                **more,
            }
        )


class PuzzleMoment(NamedTuple):
    """The rules and the position of a puzzle."""

    rules: Rules
    position: EnginePosition

    @classmethod
    def of(cls, puzzle: CasePuzzle | OrderPuzzle) -> "PuzzleMoment":
        """Return those of a puzzle; raise `UnknownName` for one whose variant is gone."""
        if isinstance(puzzle, OrderPuzzle):
            return cls(puzzle.rules, puzzle.position)
        return cls(puzzle.movement.rules, puzzle.movement.position)


def _draw(puzzle: CasePuzzle | OrderPuzzle, look: PictureLook) -> str:
    """Return the picture of a puzzle before it is answered, with the orders that are known."""
    rules, position = PuzzleMoment.of(puzzle)
    if isinstance(puzzle, OrderPuzzle):
        return picture(rules, position, look)
    orders = [outcome.order for outcome in puzzle.movement.resolution.outcomes if outcome.order]
    return picture(rules, position, look, None, orders)


def _order_parts(puzzle: OrderPuzzle) -> dict[str, Any]:
    rules, position = PuzzleMoment.of(puzzle)
    board = rules.board_at(position)
    return {
        "kind": "order",
        "task": puzzle.goal.sentence(board),
        "focus": _around(rules, position, puzzle.places if puzzle.goal.centre else ()),
        "power": puzzle.power,
        "needed": len(puzzle.solution),
        "choices": Legality(rules, position).orders_of(puzzle.power).choices(),
    }


def _case_parts(puzzle: CasePuzzle) -> dict[str, Any]:
    resolution = puzzle.movement.resolution
    questions = [
        FateQuestion(unit=str(one.unit), power=one.power, order=str(one.order) if one.order else "")
        for one in list_questions(resolution)
    ]
    return {"kind": "what", "task": _WHAT_TASK(), "focus": (), "questions": tuple(questions)}


def _around(rules: Rules, position: EnginePosition, places: Iterable[Code]) -> tuple[str, ...]:
    """Return some places, the spaces around them, and those around these that have units; all units without places."""
    board = rules.board_at(position)
    standing = {unit.space for unit in position.units}
    near = set(places)
    near |= {other for code in near for other in board.borders.get(code, ()) if other is not None}
    far = {other for code in near for other in board.borders.get(code, ()) if other in standing}
    return tuple(sorted(near | far or standing))


# Answers


class FateModel(Model):
    """A unit of a puzzle of the kind `what`: the answer that was given, if any, and the right one."""

    unit: Text
    given: UnitFate | None
    right: UnitFate


class LessonLink(Model):
    """A lesson that teaches what decided a puzzle."""

    id: str
    title: str


class RuleLink(Model):
    """A rule that decided a puzzle: its title, and the address of its paragraph on the page of the basic rules."""

    title: str
    address: str


class RatedSolver(Model):
    """The rating of a solver after an answer, its deviation, and the change in whole points."""

    rating: float
    deviation: float
    change: int

    @classmethod
    def of(cls, own: GlickoRating, puzzle: GlickoRating, *, solved: bool) -> "RatedSolver":
        """Return the rating after an answer to a puzzle."""
        after = update_rating(own, [(puzzle, float(solved))])
        change = round(after.rating) - round(own.rating)
        return cls(rating=round(after.rating, 2), deviation=round(after.deviation, 2), change=change)


class PuzzleResult(Model):
    """The judgement of an answer, the results of all orders, and a picture of them.

    `paragraphs` are the basic rules that decided, none where only rules of a variant did. `source` names the worked
    case, `rules` is the page of the rules of the variant, at the case where it shows that.
    The `solution` is given away only on request. `solver` is the rating of the solver after it, if the answer came with
    the one before.
    """

    solved: bool
    words: SentenceField
    fates: tuple[FateModel, ...] = ()
    solution: tuple[Text, ...] = ()
    solver: RatedSolver | None = None
    outcomes: tuple[Outcome, ...]
    lessons: tuple[LessonLink, ...]
    paragraphs: tuple[RuleLink, ...]
    source: str
    rules: str
    picture: str

    @classmethod
    def of(
        cls, puzzle: CasePuzzle | OrderPuzzle, resolution: Resolution, look: PictureLook, **parts: object
    ) -> "PuzzleResult":
        """Return the model of a judgement; `parts` are those of the kind of puzzle."""
        rules, position = PuzzleMoment.of(puzzle)
        case = puzzle if isinstance(puzzle, CasePuzzle) else None
        return cls.model_validate(
            {
                "outcomes": resolution.outcomes,
                "lessons": _lessons_about(resolution.outcomes),
                "paragraphs": _link_rules(resolution.outcomes),
                "source": f"{SOURCES.get(case.source, '')} {case.case}".strip() if case else "",
                "rules": _rules_page(puzzle.variant) + _find_example(puzzle),
                "picture": picture(rules, position, look, resolution),
                **parts,
            }
        )


SOURCES = {path.name: "DATC" for path in DATC.glob("*.yaml")}
"""The collections that files of cases belong to."""


def _lessons_about(outcomes: Iterable[EngineOutcome]) -> tuple[LessonLink, ...]:
    """Return the lessons about what decided some outcomes."""
    return tuple(
        LessonLink(id=one.id, title=pgettext(one.id, one.title, LESSONS)) for one in find_lessons_about(outcomes)
    )


def _link_rules(outcomes: Iterable[EngineOutcome]) -> tuple[RuleLink, ...]:
    """Return the rules that decided some outcomes."""
    lessons, page = load_lessons(), _rules_page(VARIANT)
    return tuple(
        RuleLink(
            title=pgettext(one.id if one.id in lessons else one.screen, one.title, LESSONS),
            address=f"{page}#{anchor_of_rule(one.id)}",
        )
        for one in find_rules_about(outcomes)
    )


def _rules_page(variant: str) -> str:
    """Return the address of the page of the rules of a variant."""
    return f"/variants/{quote(variant, safe='+')}/rules"


def _find_example(puzzle: CasePuzzle | OrderPuzzle) -> str:
    """Return the fragment of the page of the rules: the case of a puzzle, or the rules of the variant themselves.

    Empty for the basic rules, of which there is a paragraph for each reason.
    """
    if puzzle.variant == VARIANT:
        return ""
    if isinstance(puzzle, CasePuzzle) and puzzle.case in worked_cases(puzzle.variant):
        return f"#{quote(anchor_of_case(puzzle.variant, puzzle.case))}"
    return f"#{quote(anchor_of_text(puzzle.variant))}"


class ReasonBody(BaseModel):
    """A unit, and the orders of the answer."""

    model_config = ConfigDict(extra="forbid")

    unit: Annotated[str, Field(max_length=60)]
    orders: Annotated[list[Annotated[str, Field(max_length=200)]], Field(max_length=MOST_ORDERS)] = []


class SolverBody(BaseModel):
    """The rating of a solver, which the browser keeps; by default that of a solver without results."""

    model_config = ConfigDict(extra="forbid")

    rating: Annotated[float, Field(ge=0, le=HIGHEST)] = NEW_SOLVER.rating
    deviation: Annotated[float, Field(ge=LEAST_DEVIATION, le=MOST_DEVIATION)] = NEW_SOLVER.deviation

    @property
    def before(self) -> GlickoRating:
        """The rating before the answer."""
        return GlickoRating(self.rating, self.deviation)


class PuzzleBody(BaseModel):
    """An answer: orders in any spelling, or the fate of each unit that the puzzle asks about.

    With `solution` the solution is given away, and the answer does not matter. With `solver` the answer is rated; a
    browser sends it with the first answer to a puzzle.
    """

    model_config = ConfigDict(extra="forbid")

    orders: Annotated[list[Annotated[str, Field(max_length=200)]], Field(max_length=MOST_ORDERS)] = []
    fates: Annotated[dict[Annotated[str, Field(max_length=60)], UnitFate], Field(max_length=MOST_FATES)] = {}
    solution: bool = False
    solver: SolverBody | None = None


def _find_puzzle(number: int) -> CasePuzzle | OrderPuzzle:
    """Return a puzzle; raise `UnknownPuzzle` for a number without one, and for one whose variant is gone."""
    found = _look_up(number)
    if found is None:
        raise UnknownPuzzle(_NO_PUZZLE(number=number))
    try:
        PuzzleMoment.of(found)
    except UnknownName as error:
        raise UnknownPuzzle(error.sentence) from error
    return found


def _find_order_puzzle(number: int) -> OrderPuzzle:
    found = _find_puzzle(number)
    if not isinstance(found, OrderPuzzle):
        raise UnknownPuzzle(_NO_ORDERS(number=number))
    return found


def _look(request: Request) -> PictureLook:
    return PictureLook(theme_of(request), bare=True, language=language_of_orders(request))


@router.get("/puzzles", include_in_schema=False)
def puzzles_page(request: Request, here: Here) -> Response:
    """Show the chapters of puzzles; the browser keeps the progress."""
    known = here.service.store.of(PuzzleRatings).all()
    sorted_chapters = tuple(chapter.sort_by(known) for chapter in chapters().values())
    page = render_page(request, "puzzles.html", chapters=sorted_chapters, orders=order_chapter().sort_by(known))
    return respond(request, page)


@router.get("/puzzles/{number}", include_in_schema=False)
def puzzle_page(request: Request, number: int, here: Here) -> Response:
    """Show a puzzle."""
    shown = _find_puzzle(number)
    look = _look(request)
    rules, position = PuzzleMoment.of(shown)
    chapter = order_chapter() if isinstance(shown, OrderPuzzle) else chapters()[shown.variant]
    known = here.service.store.of(PuzzleRatings).all()
    page = render_page(
        request,
        "puzzle.html",
        look.theme,
        puzzle=PuzzleModel.of(shown, None, known.get(number)),
        chapter=chapter.sort_by(known),
        picture=_draw(shown, look),
        board=Board.of(rules, position),
    )
    return respond(request, page)


@router.get("/api/puzzles/{number}")
def puzzle(request: Request, number: int, here: Here) -> PuzzleModel:
    """Return a puzzle."""
    return PuzzleModel.of(_find_puzzle(number), _look(request), here.service.store.of(PuzzleRatings).find(number))


@router.post("/api/puzzles/{number}/orders")
@counts("completions")
def draw_orders(request: Request, number: int, body: Annotated[LessonBody, Body()]) -> LessonOrders:
    """Read orders for a puzzle, and draw them; nothing is stored."""
    shown = _find_order_puzzle(number)
    orders = shown.read(body.orders, vocabulary_in(language_of_orders(request), shown.variant))
    layers = arrows(shown.rules, shown.position, orders)
    return LessonOrders(orders=tuple(map(str, orders)), arrows=Arrows.model_validate(layers))


@router.post("/api/puzzles/{number}")
@counts("adjudications")
def answer_puzzle(request: Request, number: int, body: Annotated[PuzzleBody, Body()], here: Here) -> PuzzleResult:
    """Check an answer to a puzzle; one that is rated also changes the rating of the puzzle."""
    shown = _find_puzzle(number)
    judged = (
        _judge_orders(request, shown, body) if isinstance(shown, OrderPuzzle) else _judge_fates(request, shown, body)
    )
    if body.solver is None:
        return judged
    rating = here.service.store.of(PuzzleRatings).find(number) or rate_puzzle(shown.difficulty)
    solver = RatedSolver.of(body.solver.before, rating, solved=judged.solved)
    _rate_puzzle(request, here, shown, body.solver.before, solved=judged.solved)
    return judged.model_copy(update={"solver": solver})


def _rate_puzzle(
    request: Request, here: Services, puzzle: CasePuzzle | OrderPuzzle, solver: GlickoRating, *, solved: bool
) -> None:
    """Change the rating of a puzzle by a result, unless one of the same person or network has done so today.

    The browser sends the rating of the solver and may lie; so nobody can move a puzzle far.
    """
    person, about = person_of(request, here), str(puzzle.number)
    try:
        here.limits.take(
            "puzzle results", person=person.id if person else None, network=network_of(request, here), about=about
        )
    except TooOften:
        return

    def rate(before: GlickoRating | None) -> GlickoRating:
        return update_rating(before or rate_puzzle(puzzle.difficulty), [(solver, float(not solved))])

    here.service.store.of(PuzzleRatings).add_result(puzzle.number, rate)


def _judge_orders(request: Request, puzzle: OrderPuzzle, body: PuzzleBody) -> PuzzleResult:
    given = list(puzzle.solution) if body.solution else body.orders
    answer = puzzle.judge(puzzle.read(given, vocabulary_in(language_of_orders(request), puzzle.variant)))
    words = _ONLY() if answer.solved else _REFUTED() if answer.refuted else _WRONG()
    if answer.wasteful:
        words = _TOO_MANY(number=len(puzzle.solution))
    return PuzzleResult.of(
        puzzle,
        answer.resolution,
        _look(request),
        solved=answer.solved and not body.solution,
        words=_SHOWN() if body.solution else words,
        solution=puzzle.solution if answer.solved else (),
    )


def _judge_fates(request: Request, puzzle: CasePuzzle, body: PuzzleBody) -> PuzzleResult:
    resolution = puzzle.movement.resolution
    fates = [
        FateModel(unit=str(one.unit), given=body.fates.get(str(one.unit)), right=fate_of(one))
        for one in list_questions(resolution)
    ]
    wrong = sum(one.given != one.right for one in fates)
    words = _SHOWN() if body.solution else _SOME_WRONG(number=wrong) if wrong else _ALL_RIGHT()
    return PuzzleResult.of(
        puzzle, resolution, _look(request), solved=not wrong and not body.solution, words=words, fates=tuple(fates)
    )


@router.post("/api/puzzles/{number}/reason")
@counts("adjudications")
def explain_unit(request: Request, number: int, body: Annotated[ReasonBody, Body()]) -> UnitReason:
    """Say why a unit fared as it did after an answer, and which other orders would have changed that."""
    shown = _find_puzzle(number)
    if isinstance(shown, OrderPuzzle):
        orders = shown.read(body.orders, vocabulary_in(language_of_orders(request), shown.variant))
        resolution = shown.judge(orders).resolution
    else:
        resolution = shown.movement.resolution
    return UnitReason.of(PuzzleMoment.of(shown).rules, resolution, body.unit)

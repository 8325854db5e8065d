"""The game master's actions, as data and pages: rulings, access to hidden information, and questions about orders."""

from datetime import datetime
from typing import Annotated, Any

from fastapi import APIRouter, Query, Request
from fastapi.responses import RedirectResponse, Response

from plenipo.engine.history import record
from plenipo.server import gm_tools
from plenipo.server.gm_tools import RulingReason
from plenipo.server.hosted_game import GameView
from plenipo.server.questions import VisibleQuestions
from plenipo.server.rulings import OrderCorrection
from plenipo.server.store import StoredQuestion, StoredReading
from plenipo.server.web import bodies, models
from plenipo.server.web.cache import respond
from plenipo.server.web.context import GameId, Here, Services, counts, credentials_of, person_of, theme_of, viewer_of
from plenipo.server.web.forms import Fields, Form, field
from plenipo.server.web.models import Model, Spoken, Text
from plenipo.server.web.pictures import PictureLook, picture
from plenipo.server.web.rendering import render_page
from plenipo.server.web.translation import language_of_orders
from plenipo.server.web.views import View, ViewAnswer

__all__ = ["QuestionsAnswer", "phase_in", "reason_in", "router"]

router = APIRouter(tags=["rulings"])


class OpenedAnswer(Model):
    """The orders of a seat that a game master opened, and the entry of the game log about it."""

    power: str
    orders: tuple[Text, ...]
    ready: bool
    entry: int


class PreviewAnswer(Model):
    """A preview of the phase with the current orders, or the missing parts without which it cannot end."""

    phase: str
    missing: Spoken
    entry: int
    turn: models.Turn | None

    @classmethod
    def of(cls, preview: gm_tools.Preview, game: GameView) -> "PreviewAnswer":
        """Return a preview of a game."""
        turn = None if preview.turn is None else models.Turn.of(game.rules, preview.turn, game.turn)
        return cls(phase=preview.phase, missing=preview.missing, entry=preview.entry, turn=turn)


class Question(Model):
    """A question about an order, and the answer once there is one."""

    number: int
    phase: str
    phase_number: int
    power: str
    order: str
    text: str
    asked: datetime
    answer: str
    answered: datetime | None

    @classmethod
    def of(cls, question: StoredQuestion) -> "Question":
        """Return a stored question; its author is named by the seat."""
        return cls(**{name: getattr(question, name) for name in cls.model_fields})


class OrderRead(Model):
    """An order of the open phase that counts as another."""

    power: str
    order: str
    read: str
    reason: str

    @classmethod
    def of(cls, reading: StoredReading) -> "OrderRead":
        """Return a correction, for viewers who may know of it before the phase is processed."""
        return cls(power=reading.power, order=reading.order, read=reading.read, reason=reading.reason.text)


class QuestionsAnswer(Model):
    """The questions of a player, or for the game master all; and the corrections of the open phase."""

    questions: tuple[Question, ...]
    readings: tuple[OrderRead, ...]

    @classmethod
    def of(cls, asked: VisibleQuestions) -> "QuestionsAnswer":
        """Return the questions of a game that a viewer may read."""
        return cls(
            questions=tuple(map(Question.of, asked.questions)), readings=tuple(map(OrderRead.of, asked.readings))
        )


class WholeAnswer(Model):
    """A whole position, in the form in which a ruling takes one."""

    position: dict[str, Any]


def _reason(body: bodies.BackBody | bodies.PositionBody | bodies.ReadingsBody) -> RulingReason:
    return RulingReason(body.reason, body.withheld)


def _readings(body: bodies.ReadingsBody) -> list[OrderCorrection]:
    return [OrderCorrection(one.power, one.order, one.read) for one in body.readings]


def _after(request: Request, here: Services, game: str) -> ViewAnswer:
    viewer = viewer_of(request, here, game, None)
    return ViewAnswer(view=View.of(here.service.view(game, viewer.credentials, viewer.who)))


# Rulings


@router.post("/api/games/{game}/rulings/back")
def go_back(request: Request, here: Here, game: GameId, body: bodies.BackBody) -> ViewAnswer:
    """Roll the game back to an earlier phase; its orders come back as drafts."""
    credentials = viewer_of(request, here, game, None).credentials
    here.gm_tools.go_back(game, credentials, body.phase_number, body.turns, _reason(body))
    return _after(request, here, game)


@router.post("/api/games/{game}/rulings/position")
def edit(request: Request, here: Here, game: GameId, body: bodies.PositionBody) -> ViewAnswer:
    """Continue the game from another position."""
    credentials = viewer_of(request, here, game, None).credentials
    here.gm_tools.edit(game, credentials, body.phase_number, body.position, _reason(body))
    return _after(request, here, game)


@router.post("/api/games/{game}/rulings/again")
def judge_again(request: Request, here: Here, game: GameId, body: bodies.ReadingsBody) -> ViewAnswer:
    """Adjudicate the last turn again, with corrected orders."""
    credentials = viewer_of(request, here, game, None).credentials
    here.gm_tools.judge_again(game, credentials, body.phase_number, _readings(body), _reason(body))
    return _after(request, here, game)


@router.post("/api/games/{game}/rulings/reading")
def read_as(request: Request, here: Here, game: GameId, body: bodies.ReadingsBody) -> QuestionsAnswer:
    """Correct orders of the open phase, if they stand when it is processed; the correction is published then."""
    credentials = viewer_of(request, here, game, None).credentials
    here.gm_tools.read_as(game, credentials, body.phase_number, _readings(body), _reason(body))
    return QuestionsAnswer.of(here.asking.of(game, credentials))


# Hidden information


@router.post("/api/games/{game}/open")
def look_into(request: Request, here: Here, game: GameId, body: bodies.LookIntoBody) -> OpenedAnswer:
    """Open the orders of a seat, as a game master; the game log shows it to all."""
    credentials = viewer_of(request, here, game, None).credentials
    opened = here.gm_tools.look_into(game, credentials, body.power, body.phase_number, body.entry)
    return OpenedAnswer.model_validate(opened)


@router.post("/api/games/{game}/preview")
@counts("previews")
def preview(request: Request, here: Here, game: GameId, body: bodies.LookBody) -> PreviewAnswer:
    """Preview the result of the current orders, as a game master; the game log shows it to all."""
    credentials = viewer_of(request, here, game, None).credentials
    found = here.gm_tools.preview(game, credentials, body.phase_number, body.entry)
    return PreviewAnswer.of(found, here.service.view(game, credentials, None))


@router.post("/api/games/{game}/seen")
@counts("previews")
def view_as_seat(request: Request, here: Here, game: GameId, body: bodies.LookIntoBody) -> ViewAnswer:
    """Return the game from a seat's viewpoint, without its orders, for a game master; logged if views differ."""
    credentials = viewer_of(request, here, game, None).credentials
    view = here.gm_tools.seen_by(game, credentials, body.power, body.phase_number, body.entry)
    return ViewAnswer(view=View.of(view))


@router.post("/api/games/{game}/whole")
@counts("previews")
def whole(request: Request, here: Here, game: GameId, body: bodies.LookBody) -> WholeAnswer:
    """Return the whole position, for a game master who edits it; logged if views differ."""
    credentials = viewer_of(request, here, game, None).credentials
    position = here.gm_tools.whole(game, credentials, body.phase_number, body.entry)
    return WholeAnswer(position=record.encode_position(position))


def phase_in(form: Form) -> int:
    """Return the number of the phase in a form, 0 if it names none."""
    text = field(form, "phase_number", 9)
    return int(text) if text.isdecimal() else 0


def entry_in(form: Form) -> int:
    """Return the number of the game log's entry for an access, 0 if the form names none."""
    text = field(form, "entry", 9)
    return int(text) if text.isdecimal() else 0


def reason_in(form: Form) -> RulingReason:
    """Return the reason of a ruling in a form."""
    return RulingReason(field(form, "reason", 2000), withheld=bool(field(form, "withheld")))


@router.post("/games/{game}/gm-tools/preview", include_in_schema=False)
@counts("previews")
def preview_page(request: Request, here: Here, game: GameId, form: Fields) -> Response:
    """Show the page of a preview, this once."""
    credentials = credentials_of(request, here, game)
    found = here.gm_tools.preview(game, credentials, phase_in(form), entry_in(form))
    view = here.service.view(game, credentials, None)
    answer, theme = PreviewAnswer.of(found, view), theme_of(request)
    shown = ""
    if found.turn is not None:
        resolution = found.turn.resolution
        shown = picture(
            view.rules,
            resolution.before,
            PictureLook(theme, bare=True, language=language_of_orders(request)),
            resolution,
        )
    return _respond_with_view(
        request,
        theme,
        view,
        picture=shown,
        phase=answer.phase,
        turn=answer.turn,
        entry=answer.entry,
        missing=answer.missing,
    )


@router.post("/games/{game}/gm-tools/seen", include_in_schema=False)
@counts("previews")
def seen_page(request: Request, here: Here, game: GameId, form: Fields) -> Response:
    """Show the game from a seat's viewpoint, as a page."""
    credentials = credentials_of(request, here, game)
    view = here.gm_tools.seen_by(game, credentials, field(form, "power"), phase_in(form), entry_in(form))
    theme = theme_of(request)
    return _respond_with_view(
        request,
        theme,
        view,
        picture=picture(view.rules, view.position, PictureLook(theme, bare=True, language=language_of_orders(request))),
        phase=str(view.position.phase),
        turn=models.Turn.of(view.rules, view.view.turns[-1], view.turn - 1) if view.turn else None,
        seat=str(view.who),
        public=here.service.public(game),
    )


def _respond_with_view(request: Request, theme: str, view: GameView, **more: object) -> Response:
    answer = respond(request, render_page(request, "look.html", theme, game=view, variant=view.rules.variant, **more))
    answer.headers["cache-control"] = "no-store"
    return answer


# Questions


@router.get("/api/games/{game}/questions")
def list_questions(request: Request, response: Response, here: Here, game: GameId) -> QuestionsAnswer:
    """List a player's questions to the game master, with the answers; for the game master, all of them."""
    response.headers["cache-control"] = "no-store"
    return QuestionsAnswer.of(here.asking.of(game, viewer_of(request, here, game, None).credentials))


@router.post("/api/games/{game}/questions", status_code=201)
def ask(request: Request, here: Here, game: GameId, body: bodies.AskBody) -> Question:
    """Ask the game master about an own submitted order; the game master is shown that order and no other."""
    credentials = viewer_of(request, here, game, None).credentials
    return Question.of(here.asking.ask(game, credentials, body.seat, body.phase_number, body.order, body.text))


@router.post("/api/games/{game}/questions/{number}/answer")
def answer(request: Request, here: Here, game: GameId, number: int, body: bodies.AnswerBody) -> QuestionsAnswer:
    """Answer a question, as the game master."""
    credentials = viewer_of(request, here, game, None).credentials
    here.asking.answer(game, credentials, number, body.text)
    return QuestionsAnswer.of(here.asking.of(game, credentials))


@router.get("/games/{game}/questions", include_in_schema=False)
def questions_page(
    request: Request, here: Here, game: GameId, order: Annotated[str, Query(max_length=1100)] = ""
) -> Response:
    """Show a player's questions to the game master, and the form for a new one."""
    viewer = viewer_of(request, here, game, None)
    found = here.asking.of(game, viewer.credentials)
    if found.answers:
        return RedirectResponse(f"/games/{game}/gm-tools#questions", 303)
    view = here.service.view(game, viewer.credentials, viewer.who)
    page = render_page(
        request,
        "questions.html",
        game=view,
        seat=viewer.who,
        person=person_of(request, here),
        orders=view.order_sets[viewer.who].texts if viewer.who in view.order_sets and viewer.who is not None else (),
        about=order,
        asked=QuestionsAnswer.of(found),
    )
    shown = respond(request, page)
    shown.headers["cache-control"] = "no-store"
    return shown


@router.post("/games/{game}/questions", include_in_schema=False)
def ask_by_form(request: Request, here: Here, game: GameId, form: Fields) -> Response:
    """Ask the game master."""
    seat, order = field(form, "seat"), field(form, "order", 1100)
    here.asking.ask(game, credentials_of(request, here, game), seat, phase_in(form), order, field(form, "text", 4000))
    return RedirectResponse(f"/games/{game}/questions", 303)


@router.post("/games/{game}/gm-tools/answer", include_in_schema=False)
def answer_by_form(request: Request, here: Here, game: GameId, form: Fields) -> Response:
    """Answer a question."""
    number = field(form, "number", 9)
    credentials = credentials_of(request, here, game)
    here.asking.answer(game, credentials, int(number) if number.isdecimal() else 0, field(form, "text", 4000))
    return RedirectResponse(f"/games/{game}/gm-tools#questions", 303)


@router.post("/games/{game}/gm-tools/read", include_in_schema=False)
def read_as_by_form(request: Request, here: Here, game: GameId, form: Fields) -> Response:
    """Correct an order of the open phase."""
    readings = [OrderCorrection(field(form, "power"), field(form, "order", 1100), field(form, "read", 1100))]
    here.gm_tools.read_as(game, credentials_of(request, here, game), phase_in(form), readings, reason_in(form))
    return RedirectResponse(f"/games/{game}/gm-tools#questions", 303)

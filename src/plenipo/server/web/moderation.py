"""Muting, blocking and reporting, and the page of the moderators; all of it works without script."""

from datetime import datetime
from typing import Annotated

from fastapi import APIRouter, Depends, Query, Request
from fastapi.responses import RedirectResponse, Response

from plenipo.server.errors import LetterRefused
from plenipo.server.hosting.letters import key_of
from plenipo.server.moderation import ACTS, Waiting
from plenipo.server.store.moderation import Deed
from plenipo.server.store.persons import StoredPerson
from plenipo.server.web import bodies
from plenipo.server.web.cache import respond
from plenipo.server.web.context import GameId, Here, Services, credentials_of, person_of, signed_in, viewer_of
from plenipo.server.web.forms import Form, field, form_of
from plenipo.server.web.letters import key_in, thread_words
from plenipo.server.web.models import Model
from plenipo.server.web.people import PersonId
from plenipo.server.web.rendering import rendered

__all__ = ["router"]

router = APIRouter(tags=["moderation"])

Fields = Annotated[Form, Depends(form_of)]
Person = Annotated[StoredPerson, Depends(signed_in)]


class ReportedLetter(Model):
    """A letter that goes with a report."""

    seat: str
    written: datetime
    text: str


class ReportAnswer(Model):
    """A report as a moderator sees it; he who sits at its game sees no letters, and does nothing about it."""

    number: int
    at: datetime
    about: str
    sentence: str
    letters: tuple[ReportedLetter, ...]
    closed: bool
    listed: bool
    barred: bool

    @classmethod
    def of(cls, waiting: Waiting, *, listed: bool) -> "ReportAnswer":
        """A report; `listed` says whether its game is found by strangers."""
        report = waiting.report
        return cls(
            number=report.number,
            at=report.at,
            about=waiting.about,
            sentence=report.sentence,
            letters=tuple(map(ReportedLetter.model_validate, waiting.letters)),
            closed=report.closed,
            listed=listed,
            barred=waiting.barred,
        )


class DeedAnswer(Model):
    """What a moderator did, chained to what was done before."""

    number: int
    at: datetime
    kind: str
    text: str
    hash: str

    @classmethod
    def of(cls, deed: Deed) -> "DeedAnswer":
        """An entry of the journal."""
        return cls.model_validate(deed)


class ModerationAnswer(Model):
    """The reports, those that wait first, and what moderators did."""

    reports: tuple[ReportAnswer, ...]
    journal: tuple[DeedAnswer, ...]


class Blocked(Model):
    """Somebody whom one blocks."""

    id: str
    name: str


class BlockedAnswer(Model):
    """All whom one blocks."""

    blocked: tuple[Blocked, ...]


def _moderation(here: Services, person: str) -> ModerationAnswer:
    waiting = here.moderators.waiting(person)
    games = {one.report.game for one in waiting if one.report.game and not one.report.closed}
    listed = {game for game in games if here.host.games.hosted(game).settings.listed != "link"}
    reports = tuple(ReportAnswer.of(one, listed=one.report.game in listed) for one in waiting)
    return ModerationAnswer(reports=reports, journal=tuple(map(DeedAnswer.of, here.moderators.deeds(person))))


def _blocked(here: Services, person: str) -> BlockedAnswer:
    found = here.host.store.moderation.blocked(person)
    return BlockedAnswer(blocked=tuple(Blocked(id=one, name=name) for one, name in found))


# As data


@router.post("/api/games/{game}/letters/mute", status_code=204)
def mute(request: Request, here: Here, game: GameId, body: bodies.MuteBody) -> Response:
    """Fold the letters of whoever sits at a seat, or no longer; nobody else ever learns it."""
    here.host.letters.mute(game, viewer_of(request, here, game, None).credentials, body.seat, on=body.muted)
    return Response(status_code=204)


@router.post("/api/games/{game}/letters/report", status_code=204)
def report_letters(request: Request, here: Here, game: GameId, body: bodies.ReportLettersBody) -> Response:
    """Report whoever writes from a seat; the newest letters of the thread go to the moderators."""
    credentials = viewer_of(request, here, game, None).credentials
    key = key_of(key_in(body.thread), here.host.games.hosted(game).letters.seats)
    here.moderators.report_letters(game, credentials, key, body.seat, body.sentence)
    return Response(status_code=204)


@router.post("/api/people/{person}/report", status_code=204)
def report_person(here: Here, person: PersonId, me: Person, body: bodies.ReportBody) -> Response:
    """Report a person."""
    here.moderators.report_person(me.id, person, body.sentence)
    return Response(status_code=204)


@router.get("/api/me/blocks")
def blocks(here: Here, me: Person) -> BlockedAnswer:
    """Whom one blocks from sitting down in the games one keeps."""
    return _blocked(here, me.id)


@router.put("/api/me/blocks/{person}")
def block(here: Here, person: PersonId, me: Person, body: bodies.BlockBody) -> BlockedAnswer:
    """Block somebody from sitting down in the games one keeps, or no longer."""
    _block(here, me, person, on=body.blocked)
    return _blocked(here, me.id)


def _block(here: Services, me: StoredPerson, person: str, *, on: bool) -> None:
    if here.host.store.persons.find(person) is not None and person != me.id:
        here.host.store.moderation.block(me.id, person, on=on)


@router.get("/api/moderation")
def moderation(here: Here, me: Person) -> ModerationAnswer:
    """The reports, for moderators."""
    return _moderation(here, me.id)


@router.post("/api/moderation/{number}")
def moderate(here: Here, number: int, me: Person, body: bodies.ModerateBody) -> ModerationAnswer:
    """Deal with a report: `dismiss` it, `strike` a name, `unlist` a game, `close` an account."""
    here.moderators.act(me.id, number, body.act, body.reason)
    return _moderation(here, me.id)


# As pages


@router.get("/moderation", include_in_schema=False)
def moderation_page(request: Request, here: Here, me: Person) -> Response:
    """The page of the moderators."""
    page = rendered(request, "moderation.html", person=me, found=_moderation(here, me.id), acts=ACTS)
    answer = respond(request, page)
    answer.headers["cache-control"] = "no-store"
    return answer


@router.post("/moderation", include_in_schema=False)
def moderate_by_form(here: Here, me: Person, form: Fields) -> Response:
    """Deal with a report."""
    number = field(form, "number", 9)
    here.moderators.act(
        me.id, int(number) if number.isdecimal() else 0, field(form, "act"), field(form, "reason", 2000)
    )
    return RedirectResponse("/moderation", 303)


@router.post("/people/{person}/block", include_in_schema=False)
def block_by_form(here: Here, person: PersonId, me: Person, form: Fields) -> Response:
    """Block somebody, or no longer."""
    on = field(form, "act") != "unblock"
    _block(here, me, person, on=on)
    return RedirectResponse(f"/people/{person}" if on else "/me", 303)


@router.post("/people/{person}/report", include_in_schema=False)
def report_person_by_form(request: Request, here: Here, person: PersonId, me: Person, form: Fields) -> Response:
    """Report a person."""
    here.moderators.report_person(me.id, person, field(form, "sentence", 2000))
    return _thanks(request, me, f"/people/{person}")


def _thanks(request: Request, person: StoredPerson | None, back: str) -> Response:
    return respond(request, rendered(request, "reported.html", person=person, back=back))


@router.get("/games/{game}/talk", include_in_schema=False)
def talk_page(
    request: Request,
    here: Here,
    game: GameId,
    seat: Annotated[list[str] | None, Query(max_length=60, description="Each seat of a thread.")] = None,
) -> Response:
    """Whose letters in a thread one mutes, and how one reports them."""
    credentials = credentials_of(request, here, game)
    box = here.host.letters.letterbox(game, credentials)
    key = key_of(key_in(word[:200] for word in seat or ()), box.table.seats)
    thread = box.thread(key)
    if not thread.letters:
        raise LetterRefused("There is no such thread of letters that you may read.")
    writers = dict.fromkeys(shown.seat for shown in thread.letters if shown.seat and not shown.mine)
    held = {writer: set(box.table.tenures.get(writer, ())) for writer in writers}
    page = rendered(
        request,
        "talk.html",
        game=here.host.view(game, credentials, None),
        person=person_of(request, here),
        title=thread_words(key),
        thread=[thread_words([word]) for word in key],
        writers=[(writer, bool(numbers & box.muted), bool(numbers)) for writer, numbers in held.items()],
    )
    answer = respond(request, page)
    answer.headers["cache-control"] = "no-store"
    return answer


@router.post("/games/{game}/talk/mute", include_in_schema=False)
def mute_by_form(request: Request, here: Here, game: GameId, form: Fields) -> Response:
    """Mute somebody, or no longer."""
    on = field(form, "act") != "unmute"
    here.host.letters.mute(game, credentials_of(request, here, game), field(form, "seat"), on=on)
    return RedirectResponse(f"/games/{game}", 303)


@router.post("/games/{game}/talk/report", include_in_schema=False)
def report_letters_by_form(request: Request, here: Here, game: GameId, form: Fields) -> Response:
    """Report letters."""
    key = key_of(key_in(word[:200] for word in form.get("thread", ())), here.host.games.hosted(game).letters.seats)
    credentials = credentials_of(request, here, game)
    here.moderators.report_letters(game, credentials, key, field(form, "seat"), field(form, "sentence", 2000))
    return _thanks(request, person_of(request, here), f"/games/{game}")

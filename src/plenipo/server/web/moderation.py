"""Muting, blocking and reporting, and the page of the moderators; all of it works without script."""

from collections import Counter
from datetime import datetime
from typing import Annotated

from fastapi import APIRouter, Query, Request
from fastapi.responses import RedirectResponse, Response

from plenipo.engine.sentences import SentenceKind
from plenipo.server.bans import NewBan, words_of
from plenipo.server.errors import MessageRefused, ReportRefused
from plenipo.server.hosting.press import key_of
from plenipo.server.moderation import ACTS, KINDS, WaitingReport
from plenipo.server.store.bans import Ban
from plenipo.server.store.moderation import LoggedAction, Moderation
from plenipo.server.store.persons import Persons, StoredPerson
from plenipo.server.texts import translate
from plenipo.server.web import bodies
from plenipo.server.web.cache import respond
from plenipo.server.web.context import (
    GameId,
    Here,
    Person,
    Services,
    credentials_of,
    network_of,
    open_to_banned,
    person_of,
    persons_behind,
    viewer_of,
)
from plenipo.server.web.forms import Fields, Form, field
from plenipo.server.web.models import Model
from plenipo.server.web.press import key_in, thread_readers
from plenipo.server.web.profiles import PersonId
from plenipo.server.web.rendering import render_page

__all__ = ["router"]

_DAYS_UNREADABLE = SentenceKind("server-days-unreadable", "'{text}' is not a number of days.")
_THREAD_UNKNOWN = SentenceKind("server-thread-unknown", "There is no such thread of messages that you may read.")

router = APIRouter(tags=["moderation"])


class ReportedMessage(Model):
    """A message that goes with a report; `reported` if it is one of the reported seat."""

    seat: str
    written: datetime
    text: str
    reported: bool = True


class EarlierReport(Model):
    """An earlier report about the same person."""

    number: int
    at: datetime
    kind: str
    sentence: str
    closed: bool


class BanAnswer(Model):
    """A ban, with its appeal if there is one; `until` is null if it is for good."""

    number: int
    about: str
    kind: str
    at: datetime
    until: datetime | None
    reason: str
    lifted: bool
    appeal: str | None
    appealed: datetime | None
    answered: bool

    @classmethod
    def of(cls, ban: Ban, about: str = "") -> "BanAnswer":
        """Return a ban; `about` is the name of its subject."""
        values = {name: getattr(ban, name) for name in cls.model_fields if name != "about"}
        return cls(**values, about=about)


class HistoryAnswer(Model):
    """The moderators' information on a person: earlier reports, decisions and bans, or only their numbers."""

    earlier: int
    banned: int
    reports: tuple[EarlierReport, ...]
    decisions: tuple[str, ...]
    bans: tuple[BanAnswer, ...]


class ReportAnswer(Model):
    """A report as a moderator sees it; one who plays in its game sees no messages, and cannot act on it."""

    number: int
    at: datetime
    kind: str
    about: str
    sentence: str
    thread: tuple[str, ...]
    messages: tuple[ReportedMessage, ...]
    closed: bool
    listed: bool
    barred: bool
    history: HistoryAnswer

    @classmethod
    def of(cls, waiting: WaitingReport, *, listed: bool) -> "ReportAnswer":
        """Return a report; `listed` says whether its game is listed."""
        report = waiting.report
        return cls(
            number=report.number,
            at=report.at,
            kind=report.kind,
            about=waiting.about,
            sentence=report.sentence,
            thread=() if waiting.barred else report.thread,
            messages=tuple(map(ReportedMessage.model_validate, waiting.messages)),
            closed=report.closed,
            listed=listed,
            barred=waiting.barred,
            history=HistoryAnswer(
                earlier=waiting.history.counts[0],
                banned=waiting.history.counts[1],
                reports=tuple(map(EarlierReport.model_validate, waiting.history.reports)),
                decisions=tuple(deed.text for deed in waiting.history.decisions),
                bans=tuple(map(BanAnswer.of, waiting.history.bans)),
            ),
        )


class LoggedActionAnswer(Model):
    """A moderator's decision, chained to the one before."""

    moderator: str
    number: int
    at: datetime
    kind: str
    text: str
    hash: str

    @classmethod
    def of(cls, deed: LoggedAction, moderator: str) -> "LoggedActionAnswer":
        """Return an entry of the log, with the name of the moderator."""
        return cls(
            moderator=moderator, **{name: getattr(deed, name) for name in ("number", "at", "kind", "text", "hash")}
        )


class ModerationAnswer(Model):
    """The queue: counts, the reports, open ones first, the active bans, and the moderators' log."""

    open: int
    by_kind: dict[str, int]
    oldest: datetime | None
    appeals: int
    bans: tuple[BanAnswer, ...]
    reports: tuple[ReportAnswer, ...]
    journal: tuple[LoggedActionAnswer, ...]


class Blocked(Model):
    """A blocked person."""

    id: str
    name: str


class BlockedAnswer(Model):
    """The people that a person blocks."""

    blocked: tuple[Blocked, ...]


def _moderation(here: Services, person: str) -> ModerationAnswer:
    waiting = here.moderators.waiting(person)
    games = {one.report.game for one in waiting if one.report.game and not one.report.closed}
    found = here.service.games.open_each(games, lambda hosted: hosted.settings.listed != "link")
    listed = {game for game, shown in found.items() if shown}
    reports = tuple(ReportAnswer.of(one, listed=one.report.game in listed) for one in waiting)
    open_ones = [one for one in reports if not one.closed]
    bans = tuple(BanAnswer.of(ban, name) for ban, name in here.moderators.active_bans(person))
    return ModerationAnswer(
        open=len(open_ones),
        by_kind=dict(sorted(Counter(one.kind for one in open_ones).items())),
        oldest=min((one.at for one in open_ones), default=None),
        appeals=sum(ban.appeal is not None and not ban.answered for ban in bans),
        bans=bans,
        reports=reports,
        journal=tuple(LoggedActionAnswer.of(deed, name) for deed, name in here.moderators.deeds(person)),
    )


def _list_blocked(here: Services, person: str) -> BlockedAnswer:
    found = here.service.store.of(Moderation).list_blocked(person)
    return BlockedAnswer(blocked=tuple(Blocked(id=one, name=name) for one, name in found))


# As data


@router.post("/api/games/{game}/press/mute", status_code=204)
def mute(request: Request, here: Here, game: GameId, body: bodies.MuteBody) -> Response:
    """Mute or unmute the messages of a seat; no other player learns of it."""
    here.service.press.mute(game, viewer_of(request, here, game, None).credentials, body.seat, on=body.muted)
    return Response(status_code=204)


@router.post("/api/games/{game}/press/report", status_code=204)
def report_messages(request: Request, here: Here, game: GameId, body: bodies.ReportMessagesBody) -> Response:
    """Report the holder of a seat for messages; the newest of the thread go to the moderators."""
    credentials = viewer_of(request, here, game, None).credentials
    key = key_of(key_in(body.thread), here.service.games.load(game).press_table.seats)
    network = network_of(request, here)
    here.moderators.report_messages(game, credentials, key, body.seat, body.sentence, body.kind, network=network)
    return Response(status_code=204)


@router.post("/api/people/{person}/report", status_code=204)
def report_person(request: Request, here: Here, person: PersonId, me: Person, body: bodies.ReportBody) -> Response:
    """Report a person."""
    network = network_of(request, here)
    here.moderators.report_person(me.id, person, body.sentence, body.kind, network=network)
    return Response(status_code=204)


@router.get("/api/me/blocks")
def blocks(here: Here, me: Person) -> BlockedAnswer:
    """List the people blocked from the games that a person hosts."""
    return _list_blocked(here, me.id)


@router.put("/api/me/blocks/{person}")
def block(here: Here, person: PersonId, me: Person, body: bodies.BlockBody) -> BlockedAnswer:
    """Block or unblock a person in all games that the caller hosts."""
    _block(here, me, person, on=body.blocked)
    return _list_blocked(here, me.id)


def _block(here: Services, me: StoredPerson, person: str, *, on: bool) -> None:
    if here.service.store.of(Persons).find(person) is not None and person != me.id:
        here.service.store.of(Moderation).block(me.id, person, on=on)


@router.get("/api/moderation")
def moderation(here: Here, me: Person) -> ModerationAnswer:
    """List the reports, for moderators."""
    return _moderation(here, me.id)


@router.post("/api/moderation/{number}")
def moderate(here: Here, number: int, me: Person, body: bodies.ModerateBody) -> ModerationAnswer:
    """Decide a report: `dismiss` it, `strike` a name, `unlist` a game, `ban` or `close` an account."""
    here.moderators.act(me.id, number, body.act, body.reason, NewBan(body.days, body.networks))
    return _moderation(here, me.id)


@router.post("/api/moderation/bans/network")
def ban_network(here: Here, me: Person, body: bodies.NetworkBanBody) -> ModerationAnswer:
    """Ban a network, by one address of it."""
    here.moderators.ban_network(me.id, body.address, NewBan(body.days), body.reason)
    return _moderation(here, me.id)


@router.post("/api/moderation/bans/{number}")
def end_ban(here: Here, number: int, me: Person, body: bodies.EndBanBody) -> ModerationAnswer:
    """Lift a ban, or reject its appeal."""
    here.moderators.end_ban(me.id, number, body.reason, lifted=body.lifted)
    return _moderation(here, me.id)


class MyBan(Model):
    """A ban of the caller, and whether an appeal is still possible."""

    number: int
    kind: str
    until: datetime | None
    reason: str
    words: str
    appealed: bool


class MyBansAnswer(Model):
    """The bans of the caller, by account and by network."""

    bans: tuple[MyBan, ...]


def _my_bans(request: Request, here: Services) -> MyBansAnswer:
    found = here.moderators.bans.active(persons_behind(request, here), network_of(request, here))
    return MyBansAnswer(
        bans=tuple(
            MyBan(
                number=ban.number,
                kind=ban.kind,
                until=ban.until,
                reason=ban.reason,
                words=translate(words_of(ban)),
                appealed=ban.appeal is not None,
            )
            for ban in found
        )
    )


@router.get("/api/me/bans")
def my_bans(request: Request, here: Here) -> MyBansAnswer:
    """List the bans of the caller, by account and by network."""
    return _my_bans(request, here)


@router.post("/api/me/bans/{number}/appeal")
@open_to_banned
def appeal(request: Request, here: Here, number: int, body: bodies.AppealBody) -> MyBansAnswer:
    """Appeal against a ban, once."""
    here.moderators.bans.appeal(number, persons_behind(request, here), network_of(request, here), body.text)
    return _my_bans(request, here)


# As pages


@router.get("/moderation", include_in_schema=False)
def moderation_page(request: Request, here: Here, me: Person) -> Response:
    """Show the page of the moderators."""
    page = render_page(request, "moderation.html", person=me, found=_moderation(here, me.id), acts=ACTS, kinds=KINDS)
    answer = respond(request, page)
    answer.headers["cache-control"] = "no-store"
    return answer


@router.post("/moderation", include_in_schema=False)
def moderate_by_form(here: Here, me: Person, form: Fields) -> Response:
    """Decide a report."""
    number = field(form, "number", 9)
    ban = NewBan(_days(form), bool(field(form, "networks")))
    chosen = int(number) if number.isdecimal() else 0
    here.moderators.act(me.id, chosen, field(form, "act"), field(form, "reason", 2000), ban)
    return RedirectResponse("/moderation", 303)


@router.post("/moderation/bans", include_in_schema=False)
def ban_network_by_form(here: Here, me: Person, form: Fields) -> Response:
    """Ban a network."""
    here.moderators.ban_network(me.id, field(form, "address"), NewBan(_days(form)), field(form, "reason", 2000))
    return RedirectResponse("/moderation", 303)


@router.post("/moderation/bans/{number}", include_in_schema=False)
def end_ban_by_form(here: Here, number: int, me: Person, form: Fields) -> Response:
    """Lift a ban, or reject its appeal."""
    lifted = field(form, "act") == "lift"
    here.moderators.end_ban(me.id, number, field(form, "reason", 2000), lifted=lifted)
    return RedirectResponse("/moderation", 303)


def _days(form: Form) -> int | None:
    """Return the days of a ban in a form, None for good; raise `ReportRefused`."""
    text = field(form, "days") or "7"
    if text == "for good":
        return None
    if not text.isdecimal():
        raise ReportRefused(_DAYS_UNREADABLE(text=text[:20]))
    return int(text[:9])


@router.get("/appeal", include_in_schema=False)
def appeal_page(request: Request, here: Here) -> Response:
    """Show a banned person the reason and end of the ban, and the form for one appeal."""
    return _appeal_page(request, here)


def _appeal_page(request: Request, here: Services, fault: str = "", status: int = 200, text: str = "") -> Response:
    bans, person = _my_bans(request, here).bans, person_of(request, here)
    answer = respond(request, render_page(request, "appeal.html", person=person, bans=bans, fault=fault, text=text))
    answer.status_code = status if fault else answer.status_code
    answer.headers["cache-control"] = "no-store"
    return answer


@router.post("/appeal", include_in_schema=False)
@open_to_banned
def appeal_by_form(request: Request, here: Here, form: Fields) -> Response:
    """Appeal against a ban."""
    number, text = field(form, "number", 9), field(form, "text", 4000)
    try:
        chosen = int(number) if number.isdecimal() else 0
        here.moderators.bans.appeal(chosen, persons_behind(request, here), network_of(request, here), text)
    except ReportRefused as fault:
        return _appeal_page(request, here, fault.sentence, fault.status, text)
    return RedirectResponse("/appeal", 303)


@router.post("/people/{person}/block", include_in_schema=False)
def block_by_form(here: Here, person: PersonId, me: Person, form: Fields) -> Response:
    """Block or unblock a person."""
    on = field(form, "act") != "unblock"
    _block(here, me, person, on=on)
    return RedirectResponse(f"/people/{person}" if on else "/me", 303)


@router.post("/people/{person}/report", include_in_schema=False)
def report_person_by_form(request: Request, here: Here, person: PersonId, me: Person, form: Fields) -> Response:
    """Report a person."""
    sentence, kind = field(form, "sentence", 2000), field(form, "kind") or "other"
    here.moderators.report_person(me.id, person, sentence, kind, network=network_of(request, here))
    return _thanks(request, here, me, f"/people/{person}")


def _thanks(request: Request, here: Services, person: StoredPerson | None, back: str) -> Response:
    page = render_page(request, "reported.html", person=person, back=back, readers=here.moderators.readers)
    return respond(request, page)


@router.get("/games/{game}/talk", include_in_schema=False)
def talk_page(
    request: Request,
    here: Here,
    game: GameId,
    seat: Annotated[list[str] | None, Query(max_length=60, description="Each seat of a thread.")] = None,
) -> Response:
    """Show the page for muting and reporting the messages of a thread."""
    credentials = credentials_of(request, here, game)
    box = here.service.press.inbox(game, credentials)
    key = key_of(key_in(word[:200] for word in seat or ()), box.table.seats)
    thread = box.thread(key)
    if not thread.messages:
        raise MessageRefused(_THREAD_UNKNOWN())
    writers = dict.fromkeys(shown.writer for shown in thread.messages if shown.writer and not shown.mine)
    held = {writer: box.table.held_by(writer) for writer in writers}
    names = {f"#{tenure.number}": tenure.name for tenure in box.hosted.tenures}
    page = render_page(
        request,
        "talk.html",
        game=here.service.view(game, credentials, None),
        person=person_of(request, here),
        key=thread_readers(key),
        thread=thread_readers(key),
        kinds=KINDS,
        readers=here.moderators.readers,
        writers=[(writer, bool(numbers & box.muted), bool(numbers)) for writer, numbers in held.items()],
        names=names,
    )
    answer = respond(request, page)
    answer.headers["cache-control"] = "no-store"
    return answer


@router.post("/games/{game}/talk/mute", include_in_schema=False)
def mute_by_form(request: Request, here: Here, game: GameId, form: Fields) -> Response:
    """Mute or unmute a player."""
    on = field(form, "act") != "unmute"
    here.service.press.mute(game, credentials_of(request, here, game), field(form, "seat"), on=on)
    return RedirectResponse(f"/games/{game}", 303)


@router.post("/games/{game}/talk/report", include_in_schema=False)
def report_messages_by_form(request: Request, here: Here, game: GameId, form: Fields) -> Response:
    """Report messages."""
    key = key_of(key_in(word[:200] for word in form.get("thread", ())), here.service.games.load(game).press_table.seats)
    credentials = credentials_of(request, here, game)
    seat, sentence, kind = field(form, "seat"), field(form, "sentence", 2000), field(form, "kind") or "abuse"
    network = network_of(request, here)
    here.moderators.report_messages(game, credentials, key, seat, sentence, kind, network=network)
    return _thanks(request, here, person_of(request, here), f"/games/{game}")

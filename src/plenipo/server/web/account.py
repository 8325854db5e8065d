"""The pages and answers about a person's own account: signing in, games, sessions, and deletion."""

from collections.abc import Iterable
from datetime import date, datetime
from typing import Annotated, Any

from fastapi import APIRouter, Depends, Request
from fastapi.responses import JSONResponse, RedirectResponse, Response
from pydantic import Field

from plenipo import library
from plenipo.engine.sentences import SentenceKind
from plenipo.server import keys
from plenipo.server.errors import CodeRefused, GameServiceError, SeatRefused, WrongCode
from plenipo.server.hosted_game import HOTSEAT
from plenipo.server.hosting.absences import absence_of
from plenipo.server.hosting.notifications import KINDS, WAYS
from plenipo.server.hosting.tick import GameState
from plenipo.server.notifications import preferences_of
from plenipo.server.people.accounts import CODE_LASTS, UNDO_WITHIN, SignedIn
from plenipo.server.people.origins import place_of
from plenipo.server.store.follows import Follows
from plenipo.server.store.host_presets import HostPresets
from plenipo.server.store.moderation import Moderation
from plenipo.server.store.notifications import NotificationStore
from plenipo.server.store.persons import GameOfPerson, StoredPerson
from plenipo.server.store.subscriptions import Subscriptions
from plenipo.server.web.cache import Payload, respond
from plenipo.server.web.context import (
    SECURE_SESSION,
    SESSION,
    Here,
    Person,
    Services,
    device_of,
    is_secure,
    network_of,
    open_to_banned,
    person_of,
    session_of,
    sign_in,
    stand_up,
)
from plenipo.server.web.forms import form_of
from plenipo.server.web.models import Model, Text
from plenipo.server.web.rendering import render_page
from plenipo.server.web.translation import language_of

__all__ = ["MyGames", "remember_undo", "router", "show_account_page"]

_LEAVES_MANY = SentenceKind("server-leaves-many", "You have {most} absences; remove one that is over.")

router = APIRouter()

ENDED = frozenset({GameState.OVER, GameState.CANCELLED, GameState.ABANDONED})
"""The states of finished games."""

UNDO = "undo"
"""The cookie by which a browser can undo the move of its guest's seats."""

ASKED = "asked"
"""The cookie of a browser that requested a code, for as long as the code can be used."""


class MyGame(Model):
    """A person's game in a list: its name, its deadline, and the action it needs."""

    id: str
    name: Text
    title: str
    phase: str
    power: str
    office: Annotated[str, Field(description="The part in the game; empty in one that is played in one browser.")]
    state: str
    due: datetime | None
    my_turn: bool
    waits_for: Annotated[
        tuple[str, ...], Field(description="The powers that are not ready; in an anonymous game only your own.")
    ]

    @classmethod
    def of(cls, game: GameOfPerson, title: str) -> "MyGame":
        """Return the list entry of a game; `title` is that of its variant."""
        return cls(
            id=game.id,
            name=game.name,
            title=title,
            phase=game.phase,
            power=game.power,
            office="" if game.seating == HOTSEAT else game.kind,
            state=game.state,
            due=game.due,
            my_turn=game.kind != "host" and game.power in game.waits,
            waits_for=tuple(power for power in game.waits if not game.anonymous or power == game.power),
        )


class MyGames(Model):
    """A person's games: those that need an action, running ones, and finished ones."""

    now: tuple[MyGame, ...]
    going_on: tuple[MyGame, ...]
    over: tuple[MyGame, ...]

    @classmethod
    def of(cls, games: tuple[GameOfPerson, ...]) -> "MyGames":
        """Return the games of a person; one both hosted and played is listed once, as played."""
        played = {game.id for game in games if game.kind != "host"}
        titles = {variant: library.title_of(variant) for variant in {game.variant for game in games}}
        mine = [MyGame.of(game, titles[game.variant]) for game in games if game.kind != "host" or game.id not in played]
        going_on = [game for game in mine if game.state not in ENDED]
        now = [game for game in going_on if game.my_turn]
        soonest = sorted(now, key=lambda game: (game.due is None, game.due.timestamp() if game.due else 0.0))
        return cls(
            now=tuple(soonest),
            going_on=tuple(game for game in going_on if not game.my_turn),
            over=tuple(game for game in mine if game.state in ENDED),
        )


class Me(Model):
    """The signed-in person and their games."""

    name: Text
    games: MyGames


MOST_ABSENCES = 20
"""The most leaves that are stored for a person."""

SingleValues = dict[str, str]


async def _form(request: Request) -> SingleValues:
    fields = await form_of(request)
    return {name: values[0][:300] for name, values in fields.items()}


SingleFields = Annotated[SingleValues, Depends(_form)]


# As data


@router.get("/api/me", tags=["people"])
def me(here: Here, person: Person) -> Me:
    """Return the person signed in in this browser, and their games."""
    return Me(name=person.name, games=MyGames.of(here.accounts.games(person)))


@router.get("/me/data", include_in_schema=False)
def my_data(here: Here, person: Person) -> Response:
    """Return all stored data of the person, as a file."""
    headers = {"content-disposition": 'attachment; filename="plenipo.json"', "cache-control": "no-store"}
    return JSONResponse(here.accounts.everything(person), headers=headers)


# Signing in


def show_account_page(
    request: Request, template: str, fault: GameServiceError | None = None, **context: Any
) -> Response:
    """Return a page that is never cached, with the ways to sign in here.

    With a `fault` it shows that, and has its status and headers.
    """
    here: Services = request.app.state.services
    devices = place_of(str(request.url)) is not None
    words = "" if fault is None else fault.sentence
    page: Payload = render_page(
        request, template, fault=words, devices=devices, providers=here.named_providers, **context
    )
    answer = respond(request, page)
    if fault is not None:
        answer.status_code = fault.status
        answer.headers.update(fault.headers)
    answer.headers["cache-control"] = "no-store"
    return answer


@router.get("/sign-in", include_in_schema=False)
def sign_in_page(request: Request, here: Here) -> Response:
    """Show the sign-in page."""
    return show_account_page(request, "sign-in.html", person=person_of(request, here), asked=False)


@router.post("/sign-in", include_in_schema=False)
@open_to_banned
def ask_for_code(request: Request, here: Here, form: SingleFields) -> Response:
    """Mail a code, and ask for it."""
    person = person_of(request, here)
    try:
        asked = here.accounts.send_code(form.get("mail", ""), network_of(request, here), language_of(request))
    except GameServiceError as fault:
        return show_account_page(request, "sign-in.html", fault, person=person, asked=False)
    games = here.accounts.guest_games(person)
    mail = form.get("mail", "")
    answer = show_account_page(request, "sign-in.html", person=person, asked=True, mail=mail, games=games)
    answer.set_cookie(
        ASKED,
        asked,
        max_age=int(CODE_LASTS.total_seconds()),
        path="/sign-in",
        httponly=True,
        samesite="strict",
        secure=is_secure(request),
    )
    return answer


@router.post("/sign-in/code", include_in_schema=False)
@open_to_banned
def by_code(request: Request, here: Here, form: SingleFields) -> Response:
    """Sign in with a code that was mailed."""
    person = person_of(request, here)
    asked = request.cookies.get(ASKED, "")
    try:
        fresh = here.accounts.is_fresh(person, session_of(request))
        done = here.accounts.confirm(asked, form.get("code", ""), person, device_of(request), fresh=fresh)
    except GameServiceError as fault:
        again = isinstance(fault, WrongCode)
        return show_account_page(request, "sign-in.html", fault, person=person, asked=again)
    return _finish_sign_in(request, here, done)


@router.post("/sign-in/words", include_in_schema=False)
@open_to_banned
def by_words(request: Request, here: Here, form: SingleFields) -> Response:
    """Sign in with recovery words."""
    person = person_of(request, here)
    try:
        done = here.accounts.by_words(form.get("words", ""), person, network_of(request, here), device_of(request))
    except GameServiceError as fault:
        return show_account_page(request, "sign-in.html", fault, person=person, asked=False)
    return _finish_sign_in(request, here, done)


@router.get("/sign-in/{link}", include_in_schema=False)
def link_page(request: Request, here: Here, link: str) -> Response:
    """Show the page of a mailed link: a button, so that a mail scanner does not use the link up."""
    person = person_of(request, here)
    found = here.accounts.code_of_link(link, request.cookies.get(ASKED, ""))
    mail, here_asked = found or ("", False)
    games = here.accounts.guest_games(person)
    return show_account_page(
        request, "sign-in-link.html", person=person, link=link, mail=mail, here_asked=here_asked, games=games
    )


@router.post("/sign-in/{link}", include_in_schema=False)
@open_to_banned
def by_link(request: Request, here: Here, link: str) -> Response:
    """Sign in with the link of a mail."""
    person = person_of(request, here)
    try:
        fresh = here.accounts.is_fresh(person, session_of(request))
        asked = request.cookies.get(ASKED, "")
        done = here.accounts.follow(link, person, device_of(request), asked=asked, fresh=fresh)
    except CodeRefused as fault:
        return show_account_page(request, "sign-in.html", fault, person=person, asked=False)
    return _finish_sign_in(request, here, done)


def _finish_sign_in(request: Request, here: Services, done: SignedIn) -> Response:
    answer = RedirectResponse("/me", 303)
    sign_in(request, answer, here, done.token)
    remember_undo(request, answer, done)
    answer.delete_cookie(ASKED, path="/sign-in")
    return answer


def remember_undo(request: Request, answer: Response, done: SignedIn) -> None:
    """Set the cookie that can undo the move of a guest's seats."""
    if done.undo:
        lasts = int(UNDO_WITHIN.total_seconds())
        secure = is_secure(request)
        answer.set_cookie(UNDO, done.undo, max_age=lasts, path="/me", httponly=True, samesite="strict", secure=secure)


@router.post("/me/undo", include_in_schema=False)
def undo_merge(request: Request, here: Here, person: Person) -> Response:
    """Give the guest of this browser their seats back, and be that guest again."""
    try:
        done = here.accounts.undo_merge(request.cookies.get(UNDO, ""), device_of(request))
    except GameServiceError as fault:
        return _mine(request, here, person, fault)
    answer = RedirectResponse("/me", 303)
    sign_in(request, answer, here, done.token)
    answer.delete_cookie(UNDO, path="/me")
    return answer


# The account page


@router.get("/me", include_in_schema=False)
def my_page(request: Request, here: Here) -> Response:
    """Show the account page; a visitor is asked to sign in."""
    person = person_of(request, here)
    if person is None:
        return RedirectResponse("/sign-in", 303)
    return _mine(request, here, person)


def _mine(
    request: Request, here: Services, person: StoredPerson, fault: GameServiceError | None = None, words: str = ""
) -> Response:
    account = here.accounts.account(person, session_of(request))
    games = here.accounts.games(person)
    mine = MyGames.of(games)
    absences = here.accounts.persons.absences(person.id)
    preferences = here.service.store.of(NotificationStore).preferences(person.id)
    more: dict[str, Any] = {
        "blocked": here.service.store.of(Moderation).list_blocked(person.id),
        "bans": here.moderators.bans.active([person.id], network_of(request, here)),
        "followed": here.service.store.of(Follows).list_followed(person.id),
        "moderates": here.moderators.is_moderator(person.id),
        "mine": mine,
        "presets": here.service.store.of(HostPresets).of(person.id),
        "runs": any(game.kind == "host" for game in games),
        "words": words,
        "absences": absences,
        "told": KINDS,
        "notification_ways": WAYS,
        "preferences": preferences,
        "wanted": preferences_of(preferences),
        "pushed": here.service.store.of(Subscriptions).of(person.id),
        "calendar": str(request.url_for("calendar", token=preferences.calendar)),
        "device": device_of(request),
        "merged": here.accounts.merge_of(request.cookies.get(UNDO, "")),
    }
    return show_account_page(request, "me.html", fault, person=person, account=account, **more)


@router.post("/me/away", include_in_schema=False)
def set_absence(request: Request, here: Here, person: Person, form: SingleFields) -> Response:
    """Set or remove the person's leave."""
    today = here.service.clock.now().date()
    try:
        if form.get("remove"):
            here.accounts.persons.set_absence(person.id, date.fromisoformat(form.get("first", "")), None)
        else:
            days = absence_of(form.get("first", ""), form.get("last", ""), today)
            if len(here.accounts.persons.absences(person.id)) >= MOST_ABSENCES:
                raise SeatRefused(_LEAVES_MANY(most=MOST_ABSENCES))
            here.accounts.persons.set_absence(person.id, days.first, days.last)
    except GameServiceError as fault:
        return _mine(request, here, person, fault)
    except ValueError:
        return _mine(request, here, person, SeatRefused("This is not one of your absences."))
    return RedirectResponse("/me", 303)


@router.post("/me/name", include_in_schema=False)
def rename(request: Request, here: Here, person: Person, form: SingleFields) -> Response:
    """Rename the person."""
    try:
        here.accounts.rename(person, form.get("name", ""))
    except GameServiceError as fault:
        return _mine(request, here, person, fault)
    return RedirectResponse("/me", 303)


@router.post("/me/words", include_in_schema=False)
def new_words(request: Request, here: Here, person: Person) -> Response:
    """Create recovery words, shown this once."""
    try:
        here.accounts.require_fresh(person, session_of(request))
    except GameServiceError as fault:
        return _mine(request, here, person, fault)
    return _mine(request, here, person, words=here.accounts.new_words(person))


@router.post("/me/ways/remove", include_in_schema=False)
def remove_way(request: Request, here: Here, person: Person, form: SingleFields) -> Response:
    """Remove a sign-in method."""
    try:
        here.accounts.require_fresh(person, session_of(request))
        here.accounts.remove_way(person, form.get("kind", ""), form.get("identifier", ""))
    except GameServiceError as fault:
        return _mine(request, here, person, fault)
    return RedirectResponse("/me", 303)


@router.post("/me/sign-out", include_in_schema=False)
@open_to_banned
def sign_out(request: Request, here: Here, person: Person, form: SingleFields) -> Response:
    """Sign out in one browser, this one if none is named, or in all others."""
    own = keys.digest(session_of(request))
    which = form.get("session", "") or own
    if which == "others":
        here.accounts.sign_out_elsewhere(person, session_of(request))
        return RedirectResponse("/me", 303)
    # a guest's keys are the only way back to the seats
    games = [game.id for game in here.accounts.games(person)] if here.accounts.persons.ways(person.id) else []
    here.accounts.sign_out(person, which)
    return _finish_sign_out(request, games) if which == own else RedirectResponse("/me", 303)


@router.post("/me/delete", include_in_schema=False)
@open_to_banned
def delete(request: Request, here: Here, person: Person, form: SingleFields) -> Response:
    """Delete the account, if the person typed the confirmation."""
    if form.get("sure", "").strip().casefold() != "delete":
        return _mine(request, here, person, SeatRefused("Write 'delete' into the field, if you mean it."))
    here.service.leave_every_seat(person.id)
    here.accounts.delete(person)
    return _finish_sign_out(request)


def _finish_sign_out(request: Request, games: Iterable[str] = ()) -> Response:
    """Return to the start page, without the session, and without the browser's keys to these games."""
    answer = RedirectResponse("/", 303)
    for game in games:
        stand_up(answer, game)
    answer.delete_cookie(SECURE_SESSION if is_secure(request) else SESSION, path="/")
    answer.headers["clear-site-data"] = '"cache"'  # pages that the browser keeps for its button Back
    return answer

"""Notification settings, unsubscribing with one click, the calendar feed, and the webhook of a game."""

from dataclasses import replace
from datetime import timedelta
from zoneinfo import available_timezones

from fastapi import APIRouter, Request
from fastapi.responses import JSONResponse, RedirectResponse, Response
from icalendar import Alarm, Calendar, Event

from plenipo import languages
from plenipo.engine.sentences import SentenceKind
from plenipo.languages import mark
from plenipo.server.errors import HookNotTaken, UnknownGame
from plenipo.server.hosting.notifications import KINDS, MORNING, WAYS, kind_of
from plenipo.server.notifications import preferences_of
from plenipo.server.people import webhooks
from plenipo.server.permissions import require_all_seats
from plenipo.server.store.notifications import DAY, NotificationStore
from plenipo.server.store.persons import Persons
from plenipo.server.texts import translate, translate_phase, using_language
from plenipo.server.web.context import GameId, Here, Person, Services, credentials_of, open_to_banned
from plenipo.server.web.forms import Fields, Form
from plenipo.server.web.rendering import render_page
from plenipo.server.web.translation import language_of

__all__ = ["router"]

_UNSUBSCRIBE_LINK_UNKNOWN = SentenceKind(
    "server-unsubscribe-link-unknown", "This link is not valid; change your email settings on the account page."
)
_CALENDAR_LINK_UNKNOWN = SentenceKind(
    "server-calendar-link-unknown", "This calendar link is not valid; copy the current one from your account page."
)
_ORDERS_DUE = SentenceKind(
    "server-calendar-alarm",
    "{game}: your orders are due",
    note="A reminder in a calendar, two hours before a deadline.",
)

router = APIRouter(include_in_schema=False)


NO_STORE = {"cache-control": "no-store", "referrer-policy": "no-referrer"}


def _field(form: Form, name: str, most: int = 320) -> str:
    return form.get(name, [""])[0][:most]


@router.post("/me/notifications")
def want(here: Here, person: Person, form: Fields) -> Response:
    """Set the notification channels and quiet hours."""
    telling = here.service.store.of(NotificationStore)
    before = telling.preferences(person.id)
    hours = [_field(form, name, 2) for name in ("from", "until")]
    first, last = (int(hour) if hour.isdecimal() and int(hour) < 24 else None for hour in hours)
    zone, hour = _field(form, "zone", 64), _field(form, "hour", 2)
    telling.preference(
        replace(
            before,
            kinds={kind: tuple(way for way in WAYS if way in form.get(kind, ())) for kind in KINDS},
            hour=int(hour) if hour.isdecimal() and int(hour) < 24 else MORNING,
            quiet_from=first,
            quiet_until=last,
            zone=zone if zone in available_timezones() else before.zone,
        )
    )
    return RedirectResponse("/me", 303)


def _words(kind: str) -> str:
    """Return in words the notifications that the link of a mail ends."""
    return mark("Daily digest") if kind == DAY else KINDS[kind_of(kind)]


@router.get("/unsubscribe/{token}")
def unsubscribe_page(request: Request, here: Here, token: str, kind: str = "") -> Response:
    """Show the page of a mail's unsubscribe link: a button, so that a mail scanner changes nothing."""
    if here.service.store.of(NotificationStore).by_token(token=token[:64]) is None:
        raise UnknownGame(_UNSUBSCRIBE_LINK_UNKNOWN())
    page = render_page(request, "unsubscribe.html", words=_words(kind), done=False)
    return Response(page.body, 200, NO_STORE, page.kind)


@router.post("/unsubscribe/{token}")
@open_to_banned
def unsubscribe(request: Request, here: Here, token: str, kind: str = "") -> Response:
    """End mail of a kind; with one click, as in RFC 8058, so there is no question."""
    telling = here.service.store.of(NotificationStore)
    preferences = telling.by_token(token=token[:64])
    if preferences is None:
        raise UnknownGame(_UNSUBSCRIBE_LINK_UNKNOWN())
    now = preferences_of(preferences)
    way = DAY if kind == DAY else "mail"
    which = KINDS if kind == DAY else (kind_of(kind),)
    less: dict[str, tuple[str, ...]] = {
        one: tuple(other for other in WAYS if other != way and other in now.ways(one)) for one in which
    }
    telling.preference(replace(preferences, kinds={**preferences.kinds, **less}))
    page = render_page(request, "unsubscribe.html", words=_words(kind), done=True)
    return Response(page.body, 200, NO_STORE, page.kind)


@router.get("/calendar/{token}.ics")
def calendar(request: Request, here: Here, token: str) -> Response:
    """Return all deadlines of a person as a calendar feed; the address is the secret."""
    preferences = here.service.store.of(NotificationStore).by_token(calendar=token[:64])
    if preferences is None:
        raise UnknownGame(_CALENDAR_LINK_UNKNOWN())
    # a calendar program does not send the language of its user
    chosen = preferences.language
    language = chosen if chosen in languages.available() else language_of(request)
    with using_language(language):
        made = _calendar_of(request, here, preferences.person, language)
    return Response(made.to_ical(), 200, NO_STORE, "text/calendar; charset=utf-8")


def _calendar_of(request: Request, here: Services, person: str, language: str) -> Calendar:
    """Return the deadlines of a person as a calendar in the current language."""
    made = Calendar()
    made.add("prodid", f"-//Plenipo//deadlines//{language.upper()}")
    made.add("version", "2.0")
    made.add("x-wr-calname", "Plenipo")
    for game in here.service.store.of(Persons).games(person):
        if game.due is None or game.state != "running" or game.kind == "host":
            continue
        event = Event()
        event.add("uid", f"{game.id}-{game.phase}@plenipo".replace(" ", "-"))
        event.add("dtstamp", game.changed)
        event.add("dtstart", game.due)
        event.add("duration", timedelta(0))
        event.add("summary", f"{game.name}: {translate_phase(game.phase)}")
        event.add("url", str(request.url_for("game", game=game.id)))
        if game.power in game.waits:
            alarm = Alarm()
            alarm.add("action", "DISPLAY")
            alarm.add("description", translate(_ORDERS_DUE(game=game.name)))
            alarm.add("trigger", -timedelta(hours=2))
            event.add_component(alarm)
        made.add_component(event)
    return made


@router.post("/me/calendar")
def new_calendar(here: Here, person: Person) -> Response:
    """Replace the address of the calendar feed, so that the old one stops working."""
    here.service.store.of(NotificationStore).new_calendar(person.id)
    return RedirectResponse("/me", 303)


@router.get("/games/{game}/hook")
def hook(request: Request, here: Here, game: GameId) -> Response:
    """Return the webhook of a game and its signing secret, for the host."""
    require_all_seats(credentials_of(request, here, game))
    telling = here.service.store.of(NotificationStore)
    return JSONResponse({"url": telling.hook(game), "secret": telling.hook_secret(game)}, headers=NO_STORE)


@router.post("/games/{game}/hook")
def set_hook(request: Request, here: Here, game: GameId, form: Fields) -> Response:
    """Set the webhook of a game, as the host."""
    require_all_seats(credentials_of(request, here, game))
    url = _field(form, "url").strip()
    if url:
        try:
            webhooks.check_address(url)
        except webhooks.HookRefusedError as fault:
            raise HookNotTaken(fault.sentence) from fault
    here.service.store.of(NotificationStore).set_hook(game, url)
    return RedirectResponse(f"/games/{game}", 303)

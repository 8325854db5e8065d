"""Matchmaking: the list of open seats, for people and programs, and the taking of one of them."""

from datetime import datetime
from typing import Annotated, Any
from urllib.parse import urlencode

from fastapi import APIRouter, Depends, Query, Request
from fastapi.responses import RedirectResponse, Response
from pydantic import Field

from plenipo import library
from plenipo.engine.sentences import SentenceKind
from plenipo.server.errors import NoKey, NotSignedIn
from plenipo.server.hosting.matchmaking import PACES, OpenSeat, Wanted, wanted_of, week_of
from plenipo.server.hosting.schedule_words import hours_in_words, missed_in_words
from plenipo.server.hosting.settings import LANGUAGES
from plenipo.server.store.matchmaking import MatchmakingStore
from plenipo.server.web import bodies
from plenipo.server.web.cache import respond
from plenipo.server.web.context import GameId, Here, Services, cookie_tokens, credentials_of, person_of, shown_late, sit
from plenipo.server.web.forms import Fields, field
from plenipo.server.web.lobby import enter, newcomer, seat_page
from plenipo.server.web.models import Model, Spoken, Text
from plenipo.server.web.rendering import render_page
from plenipo.server.web.views import SeatKey

__all__ = ["FoundSeat", "Search", "find_seats", "router"]

_WATCH_ADDRESS_MISSING = SentenceKind(
    "server-watch-address-missing", "To be notified of open seats you need an email address; sign in with it first."
)
_SEAT_NOT_OPEN = SentenceKind("server-seat-not-open", "This seat is not open; the list shows the open seats.")

router = APIRouter()

FILTERS = ("pace", "language", "press", "variant")


class FoundSeat(Model):
    """An open seat: its game, its power if that is settled, and the kind of game.

    `missing` is the number of players needed before the game begins, 0 for a running one; `centres` is null where it is
    hidden. `hours` says in words when moves are due, `week` has the next such hours.
    """

    game: str
    name: Text
    variant: str
    title: str
    phase: str
    power: str
    free: tuple[str, ...]
    missing: int
    seats: int
    centres: int | None
    pace: str
    hours: Spoken
    week: tuple[datetime, ...]
    due: datetime | None
    missed: Spoken
    language: str
    press: bool
    asked: Annotated[Spoken, Field(description="The requirements for players who join, as sentences.")]
    link: str

    @classmethod
    def of(cls, seat: OpenSeat, now: datetime) -> "FoundSeat":
        """Return the seat as listed at an instant."""
        same = ("game", "name", "variant", "title", "phase", "power", "free", "missing", "seats", "centres", "pace")
        more: dict[str, Any] = {
            "due": seat.due,
            "language": seat.language,
            "asked": seat.asked,
            "press": seat.press.who in ("two", "groups"),
        }
        link = f"/games/{seat.game}" + (f"/take?{urlencode({'power': seat.power})}" if seat.power else "")
        return cls(
            **{name: getattr(seat, name) for name in same},
            **more,
            hours=hours_in_words(seat.schedule),
            week=week_of(seat.schedule, now),
            missed=missed_in_words(seat.schedule),
            link=link,
        )


class FoundSeats(Model):
    """The open seats."""

    seats: tuple[FoundSeat, ...]


def _read_search(
    pace: Annotated[str, Query(max_length=20, description="`live`, `daily`, `slow` or `own pace`.")] = "",
    language: Annotated[str, Query(max_length=20, description="In what people write, by its own name.")] = "",
    press: Annotated[str, Query(max_length=5, description="`yes` or `no`: whether there are private ones.")] = "",
    variant: Annotated[str, Query(max_length=200)] = "",
) -> Wanted:
    """Return the search; raise `SeatRefused`."""
    return wanted_of(pace=pace, language=language, press=press, variant=variant)


Search = Annotated[Wanted, Depends(_read_search)]
"""The search in the query of an address."""


def find_seats(request: Request, here: Services, wanted: Wanted) -> list[FoundSeat]:
    """Return the open seats that a visitor may take and that fit a search."""
    person = person_of(request, here)
    now = here.service.clock.now()
    seats = here.service.matchmaking.open_seats(None if person is None else person.id)
    return [FoundSeat.of(seat, now) for seat in seats if wanted.fits(seat)]


@router.get("/api/find", tags=["games"])
def find(request: Request, here: Here, wanted: Search) -> FoundSeats:
    """List the seats open to strangers, in forming and running listed games."""
    return FoundSeats(seats=tuple(find_seats(request, here, wanted)))


@router.get("/find", include_in_schema=False)
def find_page(request: Request, here: Here, wanted: Search) -> Response:
    """Show the open seats as a page, with filters."""
    person = person_of(request, here)
    sought = {} if person is None else here.service.store.of(MatchmakingStore).sought(person.id)
    page = render_page(
        request,
        "find.html",
        person=person,
        seats=find_seats(request, here, wanted),
        watched=here.service.matchmaking.list_watchable_games(None if person is None else person.id),
        wanted=wanted,
        filtered=wanted != Wanted(),
        titles={name: library.load(name).title for name in library.names()},
        paces=PACES,
        languages=LANGUAGES,
        sought=wanted_of(**sought[person.id]) if person is not None and person.id in sought else None,
        mailed=person is not None and any(way.kind == "mail" for way in here.accounts.persons.ways(person.id)),
    )
    return respond(request, page)


@router.post("/find/notifications", include_in_schema=False)
def tell_me(request: Request, here: Here, form: Fields) -> Response:
    """Start or stop notifications of seats like these."""
    person = person_of(request, here)
    if person is None:
        raise NotSignedIn(_WATCH_ADDRESS_MISSING())
    wanted = wanted_of(**{name: field(form, name) for name in FILTERS})
    stop = bool(field(form, "stop"))
    here.service.store.of(MatchmakingStore).seek(person.id, None if stop else wanted.model_dump())
    asked = {name: value for name, value in wanted.model_dump().items() if value}
    return RedirectResponse(f"/find?{urlencode(asked)}" if asked else "/find", 303)


# Taking a seat of a running game


@router.get("/games/{game}/take", include_in_schema=False)
@shown_late
def take_page(
    request: Request, here: Here, game: GameId, power: Annotated[str, Query(max_length=200)] = ""
) -> Response:
    """Show the page on which a stranger takes over an open seat."""
    credentials = credentials_of(request, here, game)
    seat = next((seat for seat in _of_game(here, credentials.person, game) if seat.power == power), None)
    if seat is None:
        raise NoKey(_SEAT_NOT_OPEN())
    return seat_page(request, here, here.service.view(game, credentials, None), power)


def _of_game(here: Services, person: str | None, game: str) -> list[OpenSeat]:
    return [seat for seat in here.service.matchmaking.open_seats(person) if seat.game == game]


@router.post("/games/{game}/take", include_in_schema=False)
@shown_late
def take(request: Request, here: Here, game: GameId, form: Fields) -> Response:
    """Take over an open seat."""
    credentials, name, session = newcomer(request, here, game, field(form, "name"))
    token = here.service.handover.take_over(game, credentials, field(form, "power"), name)
    return enter(request, here, game, token, session)


@router.post("/api/games/{game}/take", status_code=201, tags=["games"])
@shown_late
def take_over(request: Request, response: Response, here: Here, game: GameId, body: bodies.TakeBody) -> SeatKey:
    """Take over an open seat of a listed game; its key is shown this once."""
    token = here.service.handover.take_over(game, credentials_of(request, here, game), body.power, body.name)
    sit(request, response, game, (*cookie_tokens(request, here, game), token))
    return SeatKey(key=token)

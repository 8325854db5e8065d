"""Public profiles: the name, the reliability, ratings, and finished games; and the leaderboards."""

from functools import lru_cache
from typing import Annotated, Any

from fastapi import APIRouter, Path, Request
from fastapi.responses import RedirectResponse, Response

from plenipo import library
from plenipo.engine.sentences import SentenceKind
from plenipo.server.errors import UnknownPerson
from plenipo.server.hosting.matchmaking import PACES, Wanted
from plenipo.server.hosting.names import LEFT
from plenipo.server.matchmaking import YEAR
from plenipo.server.moderation import KINDS
from plenipo.server.ratings import SHOWN_FROM, PersonRating, rank_people, ratings
from plenipo.server.store.follows import Follows
from plenipo.server.store.moderation import Moderation
from plenipo.server.store.reliability import RatedSeat, Standings
from plenipo.server.web.cache import respond
from plenipo.server.web.context import Here, Person, Services, person_of
from plenipo.server.web.forms import Fields, field
from plenipo.server.web.matchmaking import Search
from plenipo.server.web.models import Model, Text
from plenipo.server.web.rendering import render_page

__all__ = ["PersonId", "router"]

_PERSON_UNKNOWN = SentenceKind("server-person-unknown", "There is no such player here; did you mean {most}?")
router = APIRouter()

PersonId = Annotated[str, Path(max_length=40, description="The id of a person.")]


class Rated(Model):
    """A person's rating among people, and its uncertainty; shown from the tenth game on."""

    pool: str
    mean: float
    spread: float
    games: int


class Finished(Model):
    """A listed game that a person played to its end."""

    id: str
    name: Text
    title: str
    power: str
    score: float


class Profile(Model):
    """The public profile of a person: the numbers are those of the last 12 months.

    `met` are the deadlines met of those `due`, `left` the games left of those `played`.
    """

    name: Text
    met: int
    due: int
    left: int
    games: int
    ratings: tuple[Rated, ...]
    finished: tuple[Finished, ...]


POOLS = {True: "with private press", False: "without private press"}


@lru_cache(maxsize=16)
def _rate_players(games: tuple[tuple[RatedSeat, ...], ...]) -> dict[str, PersonRating]:
    return ratings(games)


def _make_profile(here: Services, person: str) -> Profile:
    found = here.accounts.persons.find(person)
    if found is None:
        raise UnknownPerson(_PERSON_UNKNOWN(most=LEFT))
    standings = here.service.store.of(Standings)
    numbers = standings.reliability(person, here.service.clock.now() - YEAR)
    pools = [
        (words, _rate_players(standings.list_rated_games(press=press)).get(person)) for press, words in POOLS.items()
    ]
    return Profile(
        name=found.name,
        met=numbers.met,
        due=numbers.due,
        left=numbers.left,
        games=numbers.games,
        ratings=tuple(
            Rated(pool=words, mean=round(one.mean, 1), spread=round(one.spread, 1), games=one.games)
            for words, one in pools
            if one is not None and one.games >= SHOWN_FROM
        ),
        finished=tuple(
            Finished(
                id=game.id,
                name=game.name,
                title=library.title_of(game.variant),
                power=game.power,
                score=round(game.score, 2),
            )
            for game in standings.list_finished_games(person)
        ),
    )


class Leader(Model):
    """A line of a leaderboard: a person, with their rating and its uncertainty; `sure` is its lower bound."""

    place: int
    person: str
    name: Text
    sure: float
    mean: float
    spread: float
    games: int


class Leaderboard(Model):
    """The people with the highest ratings, from the tenth rated game on."""

    leaders: tuple[Leader, ...]


MOST_LEADERS = 100
"""The most people of a leaderboard."""


def _list_leaders(here: Services, wanted: Wanted) -> tuple[Leader, ...]:
    standings = here.service.store.of(Standings)
    games = standings.list_rated_games(press=wanted.press != "no", variant=wanted.variant, pace=wanted.pace)
    rated = rank_people(_rate_players(games))
    names = standings.name_people([person for person, _ in rated[:MOST_LEADERS]])
    shown = [(person, one) for person, one in rated[:MOST_LEADERS] if person in names]
    return tuple(
        Leader(
            place=place,
            person=person,
            name=names[person],
            sure=round(one.mean - 2 * one.spread, 1),
            mean=round(one.mean, 1),
            spread=round(one.spread, 1),
            games=one.games,
        )
        for place, (person, one) in enumerate(shown, 1)
    )


@router.get("/api/leaderboard", tags=["people"])
def get_leaderboard(here: Here, wanted: Search) -> Leaderboard:
    """Return the leaderboard of games with private press (or `press=no`), of a variant, and of a pace."""
    return Leaderboard(leaders=_list_leaders(here, wanted))


@router.get("/leaderboard", include_in_schema=False)
def leaderboard_page(request: Request, here: Here, wanted: Search) -> Response:
    """Show a leaderboard as a page, with filters."""
    found = here.service.store.of(Standings).list_rated_variants()
    page = render_page(
        request,
        "leaderboard.html",
        person=person_of(request, here),
        leaders=_list_leaders(here, wanted),
        titles={name: library.title_of(name) for name in found},
        paces=PACES,
        wanted=wanted,
        fewest=SHOWN_FROM,
    )
    return respond(request, page)


@router.get("/api/people/{person}", tags=["people"])
def get_profile(here: Here, person: PersonId) -> Profile:
    """Return the public profile of a person."""
    return _make_profile(here, person)


@router.post("/people/{person}/follow", include_in_schema=False)
def follow(here: Here, person: PersonId, me: Person, form: Fields) -> Response:
    """Follow a person, or no longer."""
    on = field(form, "act") != "unfollow"
    if here.accounts.persons.find(person) is not None and person != me.id:
        here.service.store.of(Follows).follow(me.id, person, on=on)
    return RedirectResponse(f"/people/{person}", 303)


@router.get("/people/{person}", include_in_schema=False)
def person_page(request: Request, here: Here, person: PersonId) -> Response:
    """Show the public profile of a person as a page."""
    me = person_of(request, here)
    blocked = me is not None and person in dict(here.service.store.of(Moderation).list_blocked(me.id))
    other = person if me is not None and me.id != person else ""
    follows = me is not None and person in dict(here.service.store.of(Follows).list_followed(me.id))
    more: dict[str, Any] = {"follows": follows, "kinds": KINDS, "readers": here.moderators.readers}
    page = render_page(
        request, "person.html", known=_make_profile(here, person), person=me, other=other, blocked=blocked, **more
    )
    return respond(request, page)

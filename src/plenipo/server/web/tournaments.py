"""Tournaments: the list, the page of each with standings and boards, its forms, and a JSON feed."""

from datetime import datetime
from typing import Annotated

from fastapi import APIRouter, Path, Request
from fastapi.responses import RedirectResponse, Response

from plenipo import library
from plenipo.server import tournaments
from plenipo.server.hosting.names import LEFT
from plenipo.server.hosting.press import PRESETS as PRESS_PRESETS
from plenipo.server.hosting.schedule import PRESETS
from plenipo.server.hosting.schedule_words import describe_preset
from plenipo.server.hosting.scoring import SYSTEMS, format_points
from plenipo.server.hosting.tournaments import MOST_ROUNDS, TournamentPlan, plan_of
from plenipo.server.store.tournaments import StoredTournament
from plenipo.server.web.cache import respond
from plenipo.server.web.context import Here, Person, Services, counts, person_of
from plenipo.server.web.forms import Fields, field
from plenipo.server.web.models import Model, Text
from plenipo.server.web.rendering import render_page

__all__ = ["router"]

router = APIRouter()

TournamentId = Annotated[str, Path(max_length=40, description="The id of a tournament.")]


class TournamentHead(Model):
    """A tournament in a list: its variant, its state, and how many of its rounds have begun.

    `state` is `registration`, `running`, `over` or `cancelled`.
    """

    id: str
    name: Text
    variant: str
    title: str
    state: str
    round: int
    rounds: int
    players: int
    created: datetime

    @classmethod
    def of(cls, found: StoredTournament, players: int) -> "TournamentHead":
        """Return a tournament with a number of players."""
        return cls(
            id=found.id,
            name=found.name,
            variant=found.variant,
            title=library.title_of(found.variant),
            state=found.state,
            round=found.round,
            rounds=plan_of(found.plan).rounds,
            players=players,
            created=found.created,
        )


class TournamentHeads(Model):
    """Tournaments, the newest first."""

    tournaments: tuple[TournamentHead, ...]


class RankedPlayer(Model):
    """A line of the standings: `rounds` are the points of each round, null without a result.

    `number` is the player's number in the tournament; `active` is false for one who takes no part in further rounds.
    """

    place: int
    number: int
    name: Text
    points: str
    rounds: tuple[str | None, ...]
    active: bool


class TournamentSeat(Model):
    """A seat of a board: `name` and `number` of its player, null for a computer."""

    power: str
    name: Text | None
    number: int | None


class TournamentBoard(Model):
    """A board of a round, with its game (null while it is being opened), the game's phase, and its seats."""

    round: int
    board: int
    game: str | None
    phase: str
    over: bool
    seats: tuple[TournamentSeat, ...]


class TournamentPage(Model):
    """A tournament with its standings and the boards of its rounds; `counted` best rounds count, 0 for all."""

    head: TournamentHead
    description: Text
    director: Text
    scoring: str
    counted: int
    schedule: str
    standings: tuple[RankedPlayer, ...]
    boards: tuple[TournamentBoard, ...]


def _show(here: Services, found: StoredTournament) -> TournamentPage:
    plan = plan_of(found.plan)
    director = None if found.director is None else here.accounts.persons.find(found.director)
    names = {one.number: LEFT if one.person is None else one.name for one in found.players}
    active = {one.number for one in found.active_players}
    powers = library.load(found.variant).names
    return TournamentPage(
        head=TournamentHead.of(found, len(found.players)),
        description=found.description,
        director=LEFT if director is None else director.name,
        scoring=plan.scoring,
        counted=plan.counted,
        schedule=found.schedule["preset"],
        standings=tuple(
            RankedPlayer(
                place=one.place,
                number=int(one.person),
                name=names[int(one.person)],
                points=format_points(one.points),
                rounds=tuple(None if points is None else format_points(points) for points in one.rounds),
                active=int(one.person) in active,
            )
            for one in here.service.tournaments.rank(found)
        ),
        boards=tuple(
            TournamentBoard(
                round=board.round,
                board=board.board,
                game=board.game,
                phase=board.phase,
                over=board.is_over,
                seats=tuple(
                    TournamentSeat(power=power, name=names.get(number) if number else None, number=number)
                    for power in powers
                    for number in (board.seats.get(power),)
                ),
            )
            for board in found.boards
        ),
    )


@router.get("/api/tournaments", tags=["tournaments"])
def list_tournaments(here: Here) -> TournamentHeads:
    """List the tournaments of the server, the newest first."""
    return TournamentHeads(tournaments=tuple(TournamentHead.of(*one) for one in here.service.tournaments.list_newest()))


@router.get("/api/tournaments/{tournament}", tags=["tournaments"])
def get_tournament(here: Here, tournament: TournamentId) -> TournamentPage:
    """Return a tournament with its standings and boards."""
    return _show(here, here.service.tournaments.find(tournament))


@router.get("/tournaments", include_in_schema=False)
def tournaments_page(request: Request, here: Here) -> Response:
    """Show the tournaments as a page, with the form for a new one."""
    page = render_page(
        request,
        "tournaments.html",
        person=person_of(request, here),
        found=[TournamentHead.of(*one) for one in here.service.tournaments.list_newest()],
        titles={name: library.load(name).title for name in library.names()},
        scoring=tuple(SYSTEMS),
        schedules={name: describe_preset(name) for name in PRESETS},
        press=PRESS_PRESETS,
        most_rounds=MOST_ROUNDS,
        plan=TournamentPlan(),
    )
    return respond(request, page)


@router.get("/tournaments/{tournament}", include_in_schema=False)
def tournament_page(request: Request, here: Here, tournament: TournamentId) -> Response:
    """Show a tournament as a page."""
    found = here.service.tournaments.find(tournament)
    person = person_of(request, here)
    mine = None if person is None else found.player_of(person.id)
    page = render_page(
        request,
        "tournament.html",
        person=person,
        shown=_show(here, found),
        mine=mine,
        directs=person is not None and found.director == person.id,
        going=sum(not board.is_over for board in found.boards),
        unfinished=any(not board.has_begun for board in found.boards),
    )
    return respond(request, page)


def _go_to(tournament: str) -> Response:
    return RedirectResponse(f"/tournaments/{tournament}", 303)


@router.post("/tournaments", include_in_schema=False)
@counts("games")
def open_tournament(here: Here, person: Person, form: Fields) -> Response:
    """Open a tournament for registration."""
    plan = {name: field(form, name, 40) for name in ("rounds", "scoring", "counted") if field(form, name)}
    settings = {"press": {"preset": field(form, "press", 100)}} if field(form, "press") else {}
    new = tournaments.NewTournament(
        field(form, "name"),
        field(form, "variant") or "standard",
        field(form, "description", tournaments.LONGEST_DESCRIPTION),
        plan,
        field(form, "schedule", 40) or "Weekdays",
        field(form, "zone", 60) or None,
        settings,
    )
    return _go_to(here.service.tournaments.create(person, new))


@router.post("/tournaments/{tournament}/join", include_in_schema=False)
def join_tournament(here: Here, person: Person, tournament: TournamentId, form: Fields) -> Response:
    """Take part in a tournament."""
    here.service.tournaments.join(tournament, person, field(form, "name"))
    return _go_to(tournament)


@router.post("/tournaments/{tournament}/leave", include_in_schema=False)
def leave_tournament(here: Here, person: Person, tournament: TournamentId) -> Response:
    """Take no part in further rounds."""
    here.service.tournaments.leave(tournament, person)
    return _go_to(tournament)


@router.post("/tournaments/{tournament}/remove", include_in_schema=False)
def remove_player(here: Here, person: Person, tournament: TournamentId, form: Fields) -> Response:
    """Take a player out of further rounds, as the director."""
    number = field(form, "number", 9)
    here.service.tournaments.remove(tournament, person, int(number) if number.isdecimal() else 0)
    return _go_to(tournament)


@router.post("/tournaments/{tournament}/round", include_in_schema=False)
@counts("games")
def start_round(here: Here, person: Person, tournament: TournamentId) -> Response:
    """Begin the next round, or open the games of one that was cut short."""
    here.service.tournaments.start_round(tournament, person)
    return _go_to(tournament)


@router.post("/tournaments/{tournament}/end", include_in_schema=False)
def end_tournament(here: Here, person: Person, tournament: TournamentId) -> Response:
    """End a tournament, so that its standings are final."""
    here.service.tournaments.end(tournament, person)
    return _go_to(tournament)


@router.post("/tournaments/{tournament}/cancel", include_in_schema=False)
def cancel_tournament(here: Here, person: Person, tournament: TournamentId) -> Response:
    """Cancel a tournament before its first round."""
    here.service.tournaments.cancel(tournament, person)
    return _go_to(tournament)

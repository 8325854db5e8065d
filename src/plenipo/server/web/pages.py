"""The pages: templates filled with the models of the JSON interface, so that the first view needs no more requests."""

import secrets
from http import HTTPStatus
from typing import Annotated
from urllib.parse import urlencode

from fastapi import APIRouter, Query, Request
from fastapi.responses import HTMLResponse, RedirectResponse, Response
from starlette.concurrency import run_in_threadpool

from plenipo import library
from plenipo.engine.sentences import SentenceKind
from plenipo.errors import InvalidRecord
from plenipo.learning.lessons import VARIANT
from plenipo.library import plugins
from plenipo.server import keys, uploads
from plenipo.server.computers import COMPUTER
from plenipo.server.errors import NoKey, NotYours, Over
from plenipo.server.hosted_game import GameView
from plenipo.server.hosting.matchmaking import Wanted
from plenipo.server.new_games import NewGameRequest
from plenipo.server.seats import require_invitations
from plenipo.server.web.about import About, Computer, NewGameChoices, rules_of
from plenipo.server.web.account import MyGames
from plenipo.server.web.boards import Board
from plenipo.server.web.cache import Payload, respond
from plenipo.server.web.context import (
    COOKIE,
    GameId,
    Here,
    SeatName,
    TurnNumber,
    counts,
    is_own_server,
    person_of,
    read_rules,
    respond_cached,
    shown_late,
    sit,
    theme_of,
    viewer_of,
)
from plenipo.server.web.forms import form_of
from plenipo.server.web.images import draw_position
from plenipo.server.web.library import LENGTHS, LibrarySearch, entries
from plenipo.server.web.live_boards import find_live_boards
from plenipo.server.web.lobby import lobby_page, offer_page
from plenipo.server.web.matchmaking import find_seats
from plenipo.server.web.models import Fault, Phase, Position, Turn, Variant
from plenipo.server.web.pictures import PictureLook, picture
from plenipo.server.web.reach import asks_how_to_reach
from plenipo.server.web.rendering import OPTION, render_page
from plenipo.server.web.rules_boards import rules_on_boards
from plenipo.server.web.translation import language_of_orders
from plenipo.server.web.views import History, LegalOrdersAnswer, View
from plenipo.server.web.worked_cases import worked_cases

__all__ = ["error_page", "router"]

router = APIRouter(include_in_schema=False)

_LINK_WITHOUT_VARIANT = SentenceKind(
    "server-position-link-without-variant", "The link to the position does not name its variant; copy it whole."
)


def error_page(request: Request, fault: Fault) -> Response:
    """Return the page of an error; plain text if even that cannot be rendered."""
    faulty = fault.status == HTTPStatus.UNPROCESSABLE_ENTITY and request.method == "GET" and request.url.query
    try:
        game = request.path_params.get("game") if fault.code == Over.code else None
        without_query = request.url.path if faulty else ""
        page = render_page(request, "error.html", fault=fault, without_query=without_query, game=game).body
        return HTMLResponse(page, fault.status)
    except Exception:  # noqa: BLE001  # whatever is wrong with the page, the sentence must come
        return Response(f"{fault.message}\n", fault.status, media_type="text/plain")


@router.get("/")
def gallery(request: Request, here: Here) -> Response:
    """Show the games that need the person, their other games, and all variants with their maps."""
    person = person_of(request, here)
    page = render_page(
        request,
        "gallery.html",
        variants=[Variant.load(name) for name in library.names()],
        computers=Computer.all(),
        person=person,
        mine=MyGames.of(here.accounts.games(person)) if person is not None else None,
        open_seats=find_seats(request, here, Wanted())[:SHOWN_SEATS],
        live=find_live_boards(request, here).boards,
        library_size=len(entries()),
    )
    return respond(request, page)


SHOWN_SEATS = 4
"""The most open seats that the start page lists."""


@router.get("/open")
def open_page(request: Request) -> Response:
    """Show the form that opens games of other programs."""
    return respond(request, render_page(request, "open.html"))


@router.get("/bank")
def bank_page(
    request: Request,
    here: Here,
    q: Annotated[str, Query(max_length=60)] = "",
    players: Annotated[str, Query(max_length=10)] = "",
    spaces: Annotated[str, Query(max_length=10)] = "",
    length: Annotated[str, Query(max_length=10)] = "",
    needs: Annotated[str, Query(max_length=10)] = "",
) -> Response:
    """Show the variants of the library that match a search."""
    search = LibrarySearch(q, players, spaces, length, needs)
    found = search.find()
    page = render_page(
        request,
        "bank.html",
        entries=found,
        all=len(entries()),
        search=search,
        looser=() if found else search.looser,
        own=sorted(plugins.find_added()) if is_own_server(request, here) else (),
        lengths=LENGTHS,
    )
    return respond(request, page)


@router.get("/variants/{variant}", name="variant")
def variant_page(request: Request, here: Here, variant: str) -> Response:
    """Show one variant and the choices for a new game of it."""
    rules = read_rules(request, here, variant)
    page = render_page(
        request,
        "variant.html",
        variant=Variant.load(variant),
        about=About.of(rules, rules.opening),
        choices=NewGameChoices.of(variant),
        computers=Computer.all(),
    )
    return respond(request, page)


@router.get("/variants/{variant}/rules")
def rules_page(request: Request, here: Here, variant: str) -> Response:
    """Show the rules of a variant, with pictures of worked cases; those of the standard game on screens first."""
    rules = read_rules(request, here, variant)
    theme = theme_of(request)
    parts = rules_of(variant)
    page = render_page(
        request,
        "rules.html",
        theme,
        variant=Variant.load(variant),
        about=About.of(rules, rules.opening),
        taught=VARIANT,
        screens=rules_on_boards(theme, language_of_orders(request)) if rules.variant == VARIANT else (),
        parts=parts,
        cases=tuple((part.variant, case) for part in parts for case in worked_cases(part.variant).values()),
    )
    return respond(request, page)


@router.post("/play")
@counts("games")
async def play(request: Request, here: Here) -> Response:
    """Open a game from a plain form, and go to it, in the chosen or a random seat."""
    form = await form_of(request)
    fields = {name: values[0] for name, values in form.items()}
    variant = library.AND.join(filter(None, (fields.get("variant", ""), *form.get("with", ()))))[:200]
    computers = fields.get("computers", "others")[:20]
    options = {name.removeprefix(OPTION): value for name, value in fields.items() if name.startswith(OPTION)}
    # the powers may depend on the options
    rules = await run_in_threadpool(uploads.rules_of, variant, options)
    person = fields.get("power", "")[:200] or secrets.choice(rules.names)
    player = fields.get("player", "")[:200] or COMPUTER
    me = await run_in_threadpool(person_of, request, here)
    new = NewGameRequest(
        variant,
        options,
        computers,
        player,
        person,
        position=fields.get("position") or None,
        host=None if me is None else (me.id, me.name),
    )
    game = await run_in_threadpool(here.service.open, new)
    answer = RedirectResponse(f"/games/{game.id}?{urlencode({'seat': person})}", 303)
    sit(request, answer, game.id, (game.all_seats,))
    return answer


@router.get("/games/{game}/sit/{token}")
@shown_late
def take_seat(request: Request, here: Here, game: GameId, token: str) -> Response:
    """Take the seat that a link opens, in addition to those of the browser, and go to the game.

    An offered seat is not taken by opening its link: the page asks for a name first.
    """
    try:
        here.service.credentials(game, [token])
    except NoKey:
        require_invitations(here.service.games.load(game))
        raise
    before = keys.several(request.cookies.get(COOKIE, ""))
    answer = RedirectResponse(f"/games/{game}", 303)
    sit(request, answer, game, (*before, token))
    return answer


@router.get("/games/{game}", name="game")
@shown_late
def game_page(
    request: Request,
    here: Here,
    game: GameId,
    seat: SeatName = None,
    turn: TurnNumber = None,
    results: TurnNumber = None,
) -> Response:
    """Show a game, now or after a number of turns."""
    forming = here.service.forming(
        game
    )  # before the viewer is determined: a waiting player has a power as soon as the game has begun
    try:
        viewer = viewer_of(request, here, game, seat)
    except (NoKey, NotYours):
        if seat is None:
            raise
        return RedirectResponse(f"/games/{game}", 303)  # an address that a player passed on: watch the game instead
    if forming:
        return lobby_page(request, here, here.service.view(game, viewer.credentials, None), viewer.credentials)
    if viewer.credentials.offers and viewer.credentials.player is None:
        return offer_page(request, here, here.service.view(game, viewer.credentials, None), viewer.credentials)
    theme = theme_of(request)
    look = PictureLook(theme, bare=True, language=language_of_orders(request))
    adjudicated = turn is not None and bool(results)
    asked = viewer.credentials.player is not None and asks_how_to_reach(here, person_of(request, here))

    def make(game: GameView) -> Payload:
        moment = game.at(turn)
        played = game.find_turn(turn) if turn is not None and (adjudicated or turn < game.turn) else None
        resolution = played.resolution if played is not None and adjudicated else None
        orders = [order for order_set in moment.order_sets.values() for order in order_set] if turn is None else []
        return render_page(
            request,
            "game.html",
            theme,
            game=View.of(game),
            board=Board.of(game.rules, moment.position),
            options=LegalOrdersAnswer.of(game),
            history=History.of(game),
            result=Turn.of(game.rules, played, turn) if played is not None and turn is not None else None,
            picture=picture(game.rules, moment.position, look, resolution, orders),
            shown={"turn": game.turn if turn is None else turn, "results": adjudicated},
            asks_reach=asked,
        )

    return respond_cached(request, here, viewer, ("page", turn, adjudicated, theme, asked), make)


@router.get("/position")
def position(
    request: Request,
    here: Here,
    v: Annotated[str, Query(max_length=200)] = "",
    p: Annotated[str, Query(max_length=50_000)] = "",
) -> Response:
    """Show a shared position, which the address itself contains; without one, go to the editor of positions."""
    if not p:
        return RedirectResponse("/position/edit" + (f"?{urlencode({'v': v})}" if v else ""), 303)
    if not v:
        raise InvalidRecord(_LINK_WITHOUT_VARIANT())
    rules = read_rules(request, here, v.replace(" ", library.AND))
    shared = uploads.unpack_position(p, rules)
    theme = theme_of(request)
    page = render_page(
        request,
        "position.html",
        theme,
        shared={
            "variant": rules.variant,
            "title": rules.title,
            "phase": Phase.of(shared.phase),
            "position": Position.of(rules, shared),
            "code": p,
        },
        board=Board.of(rules, shared),
        picture=draw_position(request, here, rules, shared),
    )
    return respond(request, page)

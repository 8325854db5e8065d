"""Pictures of games and variants, and the style sheets of bare ones."""

from typing import Annotated, Any

from fastapi import APIRouter, Query, Request
from fastapi.responses import Response
from starlette.exceptions import HTTPException

from plenipo.errors import PlenipoError
from plenipo.maps.draw import Theme
from plenipo.raster import png
from plenipo.server import sharing
from plenipo.server.errors import UnknownGame
from plenipo.server.hosted import GameView
from plenipo.server.web.cache import Payload, respond
from plenipo.server.web.context import GameId, Here, SeatName, cached, theme_of, viewer_of
from plenipo.server.web.pictures import Look, picture, sheet_css
from plenipo.server.web.worked import case_picture

__all__ = ["router"]

router = APIRouter(tags=["pictures"])

SVG, PNG, CSS = "image/svg+xml", "image/png", "text/css; charset=utf-8"

WIDEST = 4096
"""The widest PNG, in pixels."""

MOST_FOCUS = 100
"""The most spaces a picture is cut down to."""

Turn = Annotated[int | None, Query(ge=0, le=2**31 - 1, description="After so many turns; now, if left out.")]
Flag = Annotated[bool, Query()]
ThemeName = Annotated[str | None, Query(alias="theme", max_length=40)]
Labels = Annotated[str, Query(max_length=10, description="`names`, `codes` or `none`.")]
Focus = Annotated[str, Query(max_length=1000, description="Codes of spaces, with commas between.")]
Width = Annotated[int, Query(ge=16, le=WIDEST, description="In pixels.")]

Responses = dict[int | str, dict[str, Any]]

ANSWERS_SVG: Responses = {200: {"content": {SVG: {}}, "description": "The picture."}}
ANSWERS_PNG: Responses = {200: {"content": {PNG: {}}, "description": "The picture."}}
ANSWERS_CSS: Responses = {200: {"content": {CSS: {}}, "description": "The style sheet."}}


def _drawn(game: GameView, look: Look, turn: int | None, *, results: bool, orders: bool) -> str:
    """A moment of a game; `results` draws a turn as it was adjudicated."""
    if turn is not None and turn > game.turn - results:
        raise UnknownGame(f"The game has {game.turn} turns: there is none numbered {turn}.")
    if results and turn is None:
        if not game.turn:
            raise UnknownGame("No turn has been played yet, so there are no results to draw.")
        turn = game.turn - 1
    moment = game.view if turn is None else game.view.at(turn)
    resolution = game.view.turns[turn].resolution if results and turn is not None else None
    unresolved = [order for sheet in moment.sheets.values() for order in sheet] if orders and resolution is None else []
    return picture(game.rules, moment.position, look, resolution, unresolved)


def _look(request: Request, theme: str | None, labels: str, focus: str, *, bare: bool, legend: bool) -> Look:
    codes = tuple(part.strip() for part in focus.split(",") if part.strip())[:MOST_FOCUS]
    return Look(theme_of(request, theme), labels, bare, legend, codes)


@router.get("/games/{game}/picture.svg", response_class=Response, responses=ANSWERS_SVG)
def game_svg(
    request: Request,
    here: Here,
    game: GameId,
    seat: SeatName = None,
    turn: Turn = None,
    theme: ThemeName = None,
    labels: Labels = "names",
    focus: Focus = "",
    *,
    results: Flag = False,
    orders: Flag = True,
    bare: Flag = False,
    legend: Flag = True,
) -> Response:
    """The map of a game: now with the orders one may see, or a past turn before or after it was adjudicated."""
    look = _look(request, theme, labels, focus, bare=bare, legend=legend)
    return cached(
        request,
        here,
        viewer_of(request, here, game, seat),
        ("svg", look, turn, results, orders),
        lambda view: Payload(_drawn(view, look, turn, results=results, orders=orders).encode(), SVG),
    )


@router.get("/games/{game}/picture.png", response_class=Response, responses=ANSWERS_PNG)
def game_png(
    request: Request,
    here: Here,
    game: GameId,
    seat: SeatName = None,
    turn: Turn = None,
    theme: ThemeName = None,
    labels: Labels = "names",
    focus: Focus = "",
    width: Width = 1600,
    *,
    results: Flag = False,
    orders: Flag = True,
    legend: Flag = True,
) -> Response:
    """The same as pixels; needs the extra `plenipo[png]` on the server."""
    look = _look(request, theme, labels, focus, bare=False, legend=legend)
    _needs_png()
    return cached(
        request,
        here,
        viewer_of(request, here, game, seat),
        ("png", look, turn, results, orders, width),
        lambda view: Payload(png(_drawn(view, look, turn, results=results, orders=orders), width), PNG),
    )


def _needs_png() -> None:
    try:
        png('<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1 1"/>', 1)
    except PlenipoError as fault:
        raise HTTPException(501, str(fault)) from fault


@router.get("/variants/{name}/cases/{case}.svg", response_class=Response, responses=ANSWERS_SVG)
def case_svg(request: Request, name: str, case: str, theme: ThemeName = None) -> Response:
    """A worked case of a variant, with what comes of its orders."""
    return Response(case_picture(sharing.rules_of(name).variant, case, theme_of(request, theme)), media_type=SVG)


@router.get("/variants/{name}/picture.svg", response_class=Response, responses=ANSWERS_SVG)
def variant_svg(
    request: Request,
    here: Here,
    name: str,
    theme: ThemeName = None,
    labels: Labels = "names",
    *,
    bare: Flag = False,
    legend: Flag = False,
) -> Response:
    """The opening of a variant."""
    rules = sharing.rules_of(name)
    look = _look(request, theme, labels, "", bare=bare, legend=legend)
    answer = here.cache.get(
        ("variant", rules, look), lambda: Payload(picture(rules, rules.opening, look).encode(), SVG)
    )
    return respond(request, answer, cache="public, max-age=3600")


@router.get("/sheet.css", response_class=Response, responses=ANSWERS_CSS)
def sheet(request: Request, here: Here, variant: str, theme: ThemeName = None) -> Response:
    """The style sheet of bare pictures of a variant, in one theme."""
    rules = sharing.rules_of(variant)
    chosen = theme_of(request, theme) if theme else "light"
    Theme.named(chosen)
    answer = here.cache.get(("css", rules, chosen), lambda: Payload(sheet_css(rules, chosen).encode(), CSS))
    return respond(request, answer, cache="public, max-age=3600")

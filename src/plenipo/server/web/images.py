"""Pictures of games and variants, and the stylesheets of bare ones."""

import hashlib
from dataclasses import replace
from typing import Annotated, Any

from fastapi import APIRouter, Query, Request
from fastapi.responses import Response
from pydantic import BaseModel, Field
from starlette.exceptions import HTTPException

from plenipo import languages
from plenipo.engine.board import Code
from plenipo.engine.history.view import View
from plenipo.engine.position import Position, Power
from plenipo.engine.rules import Rules
from plenipo.engine.sentences import SentenceKind, Series
from plenipo.errors import PlenipoError, UnknownName
from plenipo.library import plugins
from plenipo.maps.draw import Theme
from plenipo.maps.draw.face import with_face
from plenipo.raster import check_installed
from plenipo.server import uploads
from plenipo.server.errors import UnknownGame
from plenipo.server.hosted_game import Credentials, GameView
from plenipo.server.renderer import Renderer
from plenipo.server.service import GameService
from plenipo.server.web.cache import Payload, respond
from plenipo.server.web.context import (
    SEAT,
    GameId,
    Here,
    Services,
    count,
    read_rules,
    respond_cached,
    shown_late,
    theme_of,
    viewer_of,
)
from plenipo.server.web.pictures import PictureLook, find_influence, map_css, picture
from plenipo.server.web.translation import language_of_orders
from plenipo.server.web.worked_cases import case_picture

__all__ = ["draw_position", "picture_of_turn", "router"]

_LANGUAGE_UNKNOWN = SentenceKind(
    "server-language-unknown", "'{shown}' is not a language of this server; there are {languages}."
)
_RESULTS_NONE = SentenceKind("server-results-none", "No turn has been played yet, so there are no results to draw.")

router = APIRouter(tags=["pictures"])

SVG, PNG, CSS = "image/svg+xml", "image/png", "text/css; charset=utf-8"

WIDEST = 1600
"""The widest PNG, in pixels."""

MOST_FOCUS = 100
"""The most spaces that a cropped picture may show."""

ThemeName = Annotated[str | None, Query(alias="theme", max_length=40)]


def known_language(tag: str) -> str:
    """Return the tag of a language as its catalogue has it; raise `UnknownName`."""
    known = {one.casefold(): one for one in languages.available()}
    if tag.casefold() not in known:
        raise UnknownName(_LANGUAGE_UNKNOWN(shown=tag, languages=Series(known.values())))
    return known[tag.casefold()]


class PictureOptions(BaseModel):
    """The options of a picture."""

    theme: Annotated[str | None, Field(max_length=40)] = None
    labels: Annotated[str, Field(max_length=10, description="`names`, `codes` or `none`.")] = "names"
    bare: bool = False
    language: Annotated[str | None, Field(max_length=40, description="Of names and titles: a tag such as `de`.")] = None

    def look(self, request: Request, *, legend: bool, focus: str = "") -> PictureLook:
        """Return the look for a request; raise `UnknownName` for an unknown theme or language."""
        codes = tuple(part.strip() for part in focus.split(",") if part.strip())[:MOST_FOCUS]
        language = self.usual_language(request) if self.language is None else known_language(self.language)
        return PictureLook(theme_of(request, self.theme), self.labels, self.bare, legend, codes, language)

    def usual_language(self, request: Request) -> str:
        """Return the language of a picture for which none is asked: that of the reader."""
        return language_of_orders(request)


class VariantDrawn(PictureOptions):
    """The options of a picture of a variant's opening, which is in English if no language is asked for."""

    legend: bool = False

    def usual_language(self, request: Request) -> str:
        """Return English: a shared cache may keep the picture for readers of any language."""
        del request
        return languages.ENGLISH


class GameDrawn(PictureOptions):
    """The moment of a game for a picture, and the picture's options."""

    seat: Annotated[str | None, Field(max_length=200, description=SEAT)] = None
    turn: Annotated[int | None, Field(ge=0, le=2**31 - 1, description="After so many turns; now, if left out.")] = None
    results: bool = False
    orders: bool = True
    legend: bool = True
    influence: Annotated[bool, Field(description="Tint each province by the last unit in it.")] = False
    focus: Annotated[str, Field(max_length=1000, description="Codes of spaces, with commas between.")] = ""

    def of(self, game: GameView, look: PictureLook) -> str:
        """Draw a moment of a game; `results` draws a turn as it was adjudicated."""
        if self.results and not game.turn:
            raise UnknownGame(_RESULTS_NONE())
        turn = game.turn - 1 if self.results and self.turn is None else self.turn
        moment = game.at(turn)
        resolution = game.find_turn(turn).resolution if self.results and turn is not None else None
        given = (
            [order for sheet in moment.order_sets.values() for order in sheet] if self.orders and not resolution else []
        )
        return picture(game.rules, moment.position, look, resolution, given, self._influence_at(moment))

    def _influence_at(self, moment: View) -> dict[Code, Power]:
        """Return the power whose unit stood last in each space, as far as the viewer has seen; empty if not asked."""
        if not self.influence:
            return {}
        opening = [turn.resolution.before for turn in moment.turns[:1]]
        after = (moment.turns.after(number) for number in range(len(moment.turns)))
        return find_influence((*opening, *after, moment.position))


class GamePixels(GameDrawn):
    """The options of a PNG."""

    width: Annotated[int, Field(ge=16, le=WIDEST, description="In pixels.")] = 1600


Responses = dict[int | str, dict[str, Any]]

ANSWERS_SVG: Responses = {200: {"content": {SVG: {}}, "description": "The picture."}}
ANSWERS_PNG: Responses = {200: {"content": {PNG: {}}, "description": "The picture."}}
ANSWERS_CSS: Responses = {200: {"content": {CSS: {}}, "description": "The stylesheet."}}


@router.get("/games/{game}/picture.svg", response_class=Response, responses=ANSWERS_SVG)
@shown_late
def game_svg(request: Request, here: Here, game: GameId, drawn: Annotated[GameDrawn, Query()]) -> Response:
    """Draw the map of a game: now with the viewer's visible orders, or a past turn before or after adjudication."""
    look = drawn.look(request, legend=drawn.legend, focus=drawn.focus)
    viewer = viewer_of(request, here, game, drawn.seat)
    what = ("svg", look, drawn.turn, drawn.results, drawn.orders, drawn.influence)

    def draw(view: GameView) -> Payload:
        count(request, here, "drawings")
        return _svg(drawn.of(view, look), look)

    return respond_cached(request, here, viewer, what, draw)


@router.get("/games/{game}/picture.png", response_class=Response, responses=ANSWERS_PNG)
@shown_late
def game_png(request: Request, here: Here, game: GameId, drawn: Annotated[GamePixels, Query()]) -> Response:
    """Draw the map of a game as PNG; needs the extra `plenipo[png]` on the server."""
    look = replace(drawn.look(request, legend=drawn.legend, focus=drawn.focus), bare=False)
    _require_png()
    viewer = viewer_of(request, here, game, drawn.seat)
    what = ("png", look, drawn.turn, drawn.results, drawn.orders, drawn.influence, drawn.width)

    def draw(view: GameView) -> Payload:
        count(request, here, "pictures")
        return Payload(here.renderer.png(drawn.of(view, look), drawn.width), PNG)

    return respond_cached(request, here, viewer, what, draw)


def picture_of_turn(service: GameService, renderer: Renderer, game: str, turn: str) -> bytes:
    """Draw the map after so many turns with the results of the last of them, for a message.

    Empty where no picture can be drawn, or none now.
    """
    try:
        view = service.view(game, Credentials(), None)
        number = int(turn) - 1
        look = PictureLook("light")
        if not 0 <= number < view.turn:
            return renderer.png(picture(view.rules, view.position, look), MESSAGE)
        played = view.find_turn(number)
        return renderer.png(picture(view.rules, played.resolution.before, look, played.resolution), MESSAGE)
    except PlenipoError:
        return b""


def draw_position(request: Request, here: Services, rules: Rules, position: Position) -> str:
    """Return a bare picture of a position, for a page in the reader's theme and language."""
    look = PictureLook(theme_of(request), bare=True, language=language_of_orders(request))
    code = hashlib.sha256(uploads.pack_position(position).encode()).digest()

    def draw() -> Payload:
        count(request, here, "drawings")
        return Payload(picture(rules, position, look).encode(), SVG)

    return here.cache.get(("position", rules, code, look), draw).body.decode()


MESSAGE = 1200
"""The width of the picture of a message, in pixels."""


def _svg(drawn: str, look: PictureLook) -> Payload:
    """Return a picture for a page that has the typeface, or a standalone one with the typeface.

    A map without names is small, and the codes of coasts on it are not worth 27 kB.
    """
    return Payload((drawn if look.bare or look.labels == "none" else with_face(drawn)).encode(), SVG)


def _css(rules: Rules, theme: str, *, cards: bool) -> Payload:
    return Payload(map_css(rules, theme, cards=cards).encode(), CSS)


def _require_png() -> None:
    """Raise `HTTPException` where the extra `png` is not installed."""
    try:
        check_installed()
    except PlenipoError as fault:
        raise HTTPException(501, str(fault)) from fault


@router.get("/variants/{name}/cases/{case}.svg", response_class=Response, responses=ANSWERS_SVG)
def case_svg(request: Request, here: Here, name: str, case: str, theme: ThemeName = None) -> Response:
    """Draw a worked case of a variant, with the results of its orders."""
    rules, chosen = read_rules(request, here, name), theme_of(request, theme)

    def draw() -> Payload:
        count(request, here, "drawings")
        return Payload(with_face(case_picture(rules.variant, case, chosen)).encode(), SVG)

    return respond(request, here.cache.get(("case", rules, case, chosen), draw))


@router.get("/variants/{name}/picture.svg", response_class=Response, responses=ANSWERS_SVG)
def variant_svg(request: Request, here: Here, name: str, drawn: Annotated[VariantDrawn, Query()]) -> Response:
    """Draw the opening of a variant; that of a folder with a mistake as it was before."""
    rules = read_rules(request, here, name, as_saved=False)
    look = drawn.look(request, legend=drawn.legend)
    version = plugins.version_of(name)

    def draw() -> Payload:
        count(request, here, "drawings")
        return _svg(picture(rules, rules.opening, look), look)

    answer = here.cache.get(("variant", rules, version, look), draw)
    # the variant of a designer, which may change at any time, is asked for each time
    return respond(request, answer, cache="no-cache" if version else "public, max-age=3600")


@router.get("/map.css", response_class=Response, responses=ANSWERS_CSS)
def sheet(request: Request, here: Here, variant: str, theme: ThemeName = None, *, cards: bool = False) -> Response:
    """Return the stylesheet of bare pictures of a variant, or of cards, in one theme."""
    rules = read_rules(request, here, variant)
    chosen = theme_of(request, theme) if theme else "light"
    Theme.from_name(chosen)
    answer = here.cache.get(("css", rules, chosen, cards), lambda: _css(rules, chosen, cards=cards))
    return respond(request, answer, cache="public, max-age=3600")

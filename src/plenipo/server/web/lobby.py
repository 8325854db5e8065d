"""Games between people, before they begin: the page that opens one, and the lobby in which its seats are taken."""

from typing import Annotated
from urllib.parse import parse_qs, urlsplit

import segno
from fastapi import APIRouter, Depends, Request
from fastapi.responses import RedirectResponse, Response
from markupsafe import Markup
from starlette.concurrency import run_in_threadpool

from plenipo import library
from plenipo.server import sharing
from plenipo.server.host import NewGame
from plenipo.server.hosted import Credentials, GameView
from plenipo.server.hosting.schedule import PRESETS, in_words, schedule_of
from plenipo.server.web.about import About, Choices
from plenipo.server.web.cache import respond
from plenipo.server.web.context import GameId, Here, Services, cookie_tokens, may_open, sit
from plenipo.server.web.models import Variant
from plenipo.server.web.rendering import MOST_FIELDS, OPTION, rendered

__all__ = ["lobby_page", "router"]

router = APIRouter(include_in_schema=False)

Form = dict[str, list[str]]


async def _form(request: Request) -> Form:
    return parse_qs((await request.body()).decode("utf-8", "replace"), max_num_fields=MOST_FIELDS)


Fields = Annotated[Form, Depends(_form)]


def _field(form: Form, name: str, most: int = 200) -> str:
    return form.get(name, [""])[0][:most]


@router.get("/variants/{variant}/host", name="host")
def host_page(request: Request, variant: str) -> Response:
    """Everything that is settled before people are invited to a game of a variant."""
    rules = sharing.rules_of(variant)
    page = rendered(
        request,
        "host.html",
        variant=Variant.named(variant),
        about=About.of(rules, rules.opening),
        choices=Choices.of(variant),
        presets={name: in_words(schedule_of(name)) for name in PRESETS},
    )
    return respond(request, page)


@router.post("/host", dependencies=[Depends(may_open)])
async def host_game(request: Request, here: Here, form: Fields) -> Response:
    """Open a game for people, sit down at it if a name was given, and go to its lobby."""
    variant = library.AND.join(filter(None, (_field(form, "variant"), *form.get("with", ()))))[:200]
    schedule = schedule_of(_field(form, "schedule") or "Own pace", _field(form, "zone") or None)
    options = {name.removeprefix(OPTION): values[0] for name, values in form.items() if name.startswith(OPTION)}
    new = NewGame(variant, options, name=_field(form, "game", 100), schedule=schedule, lobby=True)
    return await run_in_threadpool(_opened, request, here, new, _field(form, "name"))


def _opened(request: Request, here: Services, new: NewGame, name: str) -> Response:
    game = here.host.open(new)
    tokens = [game.all_seats, game.invitation]
    if name:
        tokens.append(here.host.join(game.id, here.host.credentials(game.id, tokens), name))
    answer = RedirectResponse(f"/games/{game.id}", 303)
    sit(request, answer, game.id, tuple(tokens))
    return answer


@router.post("/games/{game}/join")
def join(request: Request, here: Here, game: GameId, form: Fields) -> Response:
    """Sit down at a game that has not begun."""
    tokens = cookie_tokens(request, here, game)
    token = here.host.join(game, here.host.credentials(game, tokens), _field(form, "name"), _field(form, "power"))
    answer = RedirectResponse(f"/games/{game}", 303)
    sit(request, answer, game, (*tokens, token))
    return answer


@router.post("/games/{game}/leave")
def leave(request: Request, here: Here, game: GameId, form: Fields) -> Response:
    """Get up again, or ask another to."""
    number = _field(form, "number", 9)
    tokens = cookie_tokens(request, here, game)
    credentials = here.host.credentials(game, tokens)
    here.host.leave(game, credentials, int(number) if number.isdecimal() else 0)
    answer = RedirectResponse(f"/games/{game}", 303)
    if number == str(credentials.player):
        sit(request, answer, game, tuple(t for t in tokens if here.host.opens(game, t)))
    return answer


@router.post("/games/{game}/start")
def start(request: Request, here: Here, game: GameId) -> Response:
    """Begin a game, with computers on the seats that nobody took."""
    here.host.start(game, here.host.credentials(game, cookie_tokens(request, here, game)))
    return RedirectResponse(f"/games/{game}", 303)


def lobby_page(request: Request, here: Services, game: GameView, credentials: Credentials) -> Response:
    """The lobby of a game that has not begun."""
    tokens = cookie_tokens(request, here, game.id)
    invitation = next((t for t in tokens if here.host.credentials(game.id, [t]).invited), "")
    link = str(request.url_for("sit_down", game=game.id, token=invitation)) if invitation else ""
    taken = {player.power for player in game.players}
    page = rendered(
        request,
        "lobby.html",
        game=game,
        variant=Variant.named(game.rules.variant),
        link=link,
        code=Markup(segno.make(link, error="m").svg_inline(border=2, omitsize=True)) if link else "",  # noqa: S704  # made from an address of this server
        reachable=urlsplit(link).hostname not in {"127.0.0.1", "localhost", "::1"},
        me=credentials.player,
        keeper=credentials.all_seats,
        free=[power for power in game.rules.names if power not in taken],
        words=in_words(game.timed.schedule) if game.timed else [],
    )
    return respond(request, page)

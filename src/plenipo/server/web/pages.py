"""The pages: templates filled with what the JSON interface tells, so that the first view needs no second question."""

import hashlib
import secrets
from functools import lru_cache
from importlib.metadata import version
from pathlib import Path
from typing import Annotated, Any
from urllib.parse import parse_qs, urlencode

from fastapi import APIRouter, Query, Request
from fastapi.responses import HTMLResponse, RedirectResponse, Response
from jinja2 import Environment, FileSystemLoader, select_autoescape
from starlette.concurrency import run_in_threadpool

from plenipo import library
from plenipo.server import keys, sharing
from plenipo.server.errors import UnknownGame
from plenipo.server.host import NewGame
from plenipo.server.hosted import GameView
from plenipo.server.web.cache import Payload
from plenipo.server.web.context import COOKIE, THEMES, GameId, Here, SeatName, ask, cached, sit, theme_of
from plenipo.server.web.errors import Refusal
from plenipo.server.web.pictures import Look, board_of, picture
from plenipo.server.web.present import history_of, options_of, phase_of, position_of, turn_of, variant_of, view_of

__all__ = ["STATIC", "error_page", "router"]

Json = dict[str, Any]

HERE = Path(__file__).parent
STATIC = HERE / "static"

router = APIRouter(include_in_schema=False)

HTML = "text/html; charset=utf-8"

Turn = Annotated[int | None, Query(ge=0, le=2**31 - 1)]


@lru_cache(maxsize=1024)
def _static(name: str, stamp: int) -> str:  # noqa: ARG001  # the stamp is part of the key
    """The address of a file with the hash of its content, so that browsers keep it as long as it is the same."""
    digest = hashlib.sha256((STATIC / name).read_bytes()).hexdigest()[:12]
    return f"/static/{name}?v={digest}"


def static(name: str) -> str:
    """The address of a file of `static`; raises `OSError` if there is none."""
    return _static(name, (STATIC / name).stat().st_mtime_ns)


def _environment() -> Environment:
    made = Environment(
        loader=FileSystemLoader(HERE / "templates"), autoescape=select_autoescape(default=True), trim_blocks=True
    )
    made.globals["static"] = static
    return made


TEMPLATES = _environment()


def rendered(request: Request, template: str, theme: str | None = None, **context: Any) -> Payload:
    """A page as bytes."""
    shared = {
        "themes": list(THEMES),
        "theme": theme or theme_of(request),
        "version": version("plenipo"),
    }
    return Payload(TEMPLATES.get_template(template).render(**shared, **context).encode(), HTML)


def error_page(request: Request, refusal: Refusal) -> Response:
    """The page of an error; plain text if even that cannot be made."""
    try:
        page = rendered(request, "error.html", status=refusal.status, message=refusal.message, title=refusal.title).body
        return HTMLResponse(page, refusal.status)
    except Exception:  # noqa: BLE001  # whatever is wrong with the page, the sentence must come
        return Response(f"{refusal.message}\n", refusal.status, media_type="text/plain")


@router.get("/")
def gallery(request: Request) -> Response:
    """All variants with their maps."""
    page = rendered(request, "gallery.html", variants=[variant_of(name) for name in library.names()])
    return HTMLResponse(page.body)


@router.post("/play")
async def play(request: Request, here: Here) -> Response:
    """Open a game from a plain form, and go to it, in the seat that was chosen; a power is drawn for who chose none."""
    form = parse_qs((await request.body()).decode("utf-8", "replace"), max_num_fields=20)
    given = {name: values[0] for name, values in form.items()}
    variant, computers = given.get("variant", "")[:200], given.get("computers", "others")[:20]
    person = given.get("power", "")[:200] or await run_in_threadpool(_drawn_power, variant)
    wanted = NewGame(variant, {}, computers, person, position=given.get("position") or None)
    game = await run_in_threadpool(here.host.open, wanted)
    answer = RedirectResponse(f"/games/{game.id}?{urlencode({'seat': person})}", 303)
    sit(request, answer, game.id, (game.all_seats,))
    return answer


def _drawn_power(variant: str) -> str:
    """A power for somebody who wants any; raises as `sharing.rules_of` does."""
    return secrets.choice(sharing.rules_of(variant).names)


@router.get("/games/{game}/sit/{token}")
def sit_down(request: Request, here: Here, game: GameId, token: str) -> Response:
    """Take the seat that a link opens, beside those the browser has, and go to the game."""
    here.host.credentials(game, [token])
    before = keys.several(request.cookies.get(COOKIE, ""))
    answer = RedirectResponse(f"/games/{game}", 303)
    sit(request, answer, game, (*before, token))
    return answer


@router.get("/games/{game}", name="table")
def table(
    request: Request, here: Here, game: GameId, seat: SeatName = None, turn: Turn = None, results: Turn = None
) -> Response:
    """The table: one game, now or as it was after so many turns."""
    viewer = ask(request, here, game, seat)
    theme = theme_of(request)
    judged = turn is not None and bool(results)

    def made(seen: GameView) -> Payload:
        if turn is not None and turn > seen.turn - judged:
            raise UnknownGame(f"The game has {seen.turn} turns: there is none numbered {turn}.")
        shown = seen.view if turn is None else seen.view.at(turn)
        resolution = seen.view.turns[turn].resolution if turn is not None and judged else None
        orders = [order for sheet in shown.sheets.values() for order in sheet] if turn is None else []
        return rendered(
            request,
            "table.html",
            theme,
            game=view_of(seen),
            board=board_of(seen.rules, shown.position),
            options=options_of(seen),
            history=history_of(seen),
            result=turn_of(seen.rules, seen.view.turns[turn], turn) if turn is not None and turn < seen.turn else None,
            picture=picture(seen.rules, shown.position, Look(theme, bare=True), resolution, orders),
            shown={"turn": seen.turn if turn is None else turn, "results": judged},
        )

    return cached(request, here, viewer, ("page", turn, judged, theme), made)


@router.get("/position")
def position(
    request: Request,
    v: Annotated[str, Query(max_length=200)],
    p: Annotated[str, Query(max_length=50_000)],
) -> Response:
    """A shared position, which is in the address itself."""
    rules = sharing.rules_of(v.replace(" ", library.AND))
    shown = sharing.unpacked(p, rules)
    theme = theme_of(request)
    page = rendered(
        request,
        "position.html",
        theme,
        shared={
            "variant": rules.variant,
            "title": rules.title,
            "phase": phase_of(shown.phase),
            "position": position_of(rules, shown),
            "code": p,
        },
        board=board_of(rules, shown),
        picture=picture(rules, shown, Look(theme, bare=True)),
    )
    return HTMLResponse(page.body)

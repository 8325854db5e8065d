"""What the routes share: the host behind an app, who asks, and answers as JSON."""

import json
from collections.abc import Callable, Hashable
from dataclasses import dataclass, field
from typing import Annotated, Any

from fastapi import Depends, Path, Query, Request
from fastapi.responses import JSONResponse, Response

from plenipo.engine.position import Power
from plenipo.maps.draw import Theme
from plenipo.server import keys
from plenipo.server.errors import NoKey
from plenipo.server.host import GameKeys, Host
from plenipo.server.hosted import Credentials, GameView, State
from plenipo.server.web.cache import Payload, ResponseCache, respond
from plenipo.server.web.unchanged import KNOWN, KnownReply

__all__ = ["GameId", "Here", "SeatName", "Services", "Viewer", "ask", "cached", "json_of", "opened", "sit", "theme_of"]

Json = dict[str, Any]

THEMES = Theme.names()
"""The themes one may choose."""

COOKIE = "seat"
"""The cookie with the tokens of one game; it goes only to the addresses of that game."""

LASTING = 400 * 24 * 3600
"""How long a browser keeps its seat, in seconds."""

GameId = Annotated[str, Path(max_length=40, description="The id of a game.")]
SeatName = Annotated[
    str | None,
    Query(alias="seat", max_length=200, description="Whose eyes: a power, `all` or `observer`."),
]


@dataclass
class Services:
    """What an app has behind it."""

    host: Host
    answers: ResponseCache = field(default_factory=ResponseCache)


def services(request: Request) -> Services:
    """The services of the app that was asked."""
    found: Services = request.app.state.services
    return found


Here = Annotated[Services, Depends(services)]


@dataclass(frozen=True)
class Viewer:
    """Somebody who asks about a game: by which keys, through whose eyes, and the state of the game."""

    game: str
    credentials: Credentials
    who: Power | None
    state: State = field(compare=False)
    revision: int = field(compare=False, default=0)


def ask(request: Request, here: Services, game: str, seat: str | None) -> Viewer:
    """Who asks; raises `UnknownGame`, `NoKey` or `NotYours`, and `UnknownName` for a seat there is none of.

    A key in the header must be right; a cookie that opens nothing any more is as good as none.
    """
    host = here.host
    scheme, _, shown = request.headers.get("authorization", "").partition(" ")
    if shown:
        if scheme.casefold() != "bearer":
            raise NoKey("Show your key as 'Authorization: Bearer KEY'.")
        credentials = host.credentials(game, keys.several(shown.strip()))
    else:
        try:
            credentials = host.credentials(game, keys.several(request.cookies.get(COOKIE, "")))
        except NoKey:
            credentials = Credentials()
    return Viewer(game, credentials, *host.eyes(game, credentials, seat))


def json_of(value: Any, status: int = 200) -> JSONResponse:
    """An answer as JSON."""
    return JSONResponse(value, status)


def dumped(value: Any) -> Payload:
    """JSON as an answer that can be kept."""
    return Payload(json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode(), "application/json")


def cached(
    request: Request, here: Services, viewer: Viewer, what: Hashable, make: Callable[[GameView], Payload]
) -> Response:
    """What `make` answers about a game; made once for each state of the game and each pair of eyes."""
    key = (viewer, what)
    found = here.answers.find((key, viewer.state))
    if found is None:
        seen = here.host.view(viewer.game, viewer.credentials, viewer.who)
        found = here.answers.get((key, seen.state), lambda: make(seen))
    # an answer made at a later revision than was asked about is not remembered under that
    request.scope[KNOWN] = KnownReply(viewer.game, viewer.revision, found)
    return respond(request, found)


def theme_of(request: Request, named: str | None = None) -> str:
    """The theme asked for, or the one the browser remembers; raises `UnknownName` for one asked for and not there."""
    if named is not None:
        return Theme.named(named).name
    kept = request.cookies.get("theme", "")
    return kept if kept in THEMES else "light"


def opened(request: Request, game: GameKeys) -> Json:
    """A new game as its opener is told of it."""
    return {
        "id": game.id,
        "url": str(request.app.url_path_for("table", game=game.id)),
        "keys": {"all": game.all_seats, "seats": dict(game.seats)},
        "links": {power: f"/games/{game.id}/sit/{token}" for power, token in game.seats.items()},
    }


def sit(request: Request, response: Response, game: str, tokens: tuple[str, ...]) -> None:
    """Let the browser remember its keys to a game, beside those it has."""
    value = keys.BETWEEN.join(dict.fromkeys(tokens))
    for place in (f"/games/{game}", f"/api/games/{game}"):
        response.set_cookie(
            COOKIE,
            value,
            max_age=LASTING,
            path=place,
            httponly=True,
            samesite="lax",
            secure=request.url.scheme == "https",
        )

"""What the routes share: the host behind an app, who looks, and answers that are made once."""

from collections.abc import Callable, Hashable
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Annotated

from fastapi import Depends, Path, Query, Request
from fastapi.responses import Response

from plenipo.engine.position import Power
from plenipo.maps.draw import Theme
from plenipo.server import keys
from plenipo.server.errors import NoKey
from plenipo.server.host import Host
from plenipo.server.hosted import Credentials, GameView, State
from plenipo.server.limits import Limit
from plenipo.server.web.cache import Payload, ResponseCache, respond
from plenipo.server.web.models import Model
from plenipo.server.web.unchanged import KNOWN, KnownReply

__all__ = [
    "SEAT",
    "GameId",
    "Here",
    "SeatName",
    "Services",
    "Viewer",
    "cached",
    "cookie_tokens",
    "may_open",
    "sit",
    "theme_of",
    "viewer_of",
]

THEMES = Theme.names()
"""The themes one may choose."""

COOKIE = "seat"
"""The cookie with the tokens of one game; it goes only to the addresses of that game."""

LASTING = 400 * 24 * 3600
"""How long a browser keeps its seat, in seconds."""

GameId = Annotated[str, Path(max_length=40, description="The id of a game.")]
SEAT = "Whose eyes: a power, `all` or `observer`."
SeatName = Annotated[str | None, Query(alias="seat", max_length=200, description=SEAT)]
TurnNumber = Annotated[int | None, Query(ge=0, le=2**31 - 1, description="After so many turns; now, if left out.")]

GAMES_AN_HOUR = 60
"""The most games that one address may open in an hour, what-ifs among them."""


@dataclass
class Services:
    """What an app has behind it."""

    host: Host
    cache: ResponseCache = field(default_factory=ResponseCache)

    def __post_init__(self) -> None:
        self.openings = Limit("games were opened", GAMES_AN_HOUR, timedelta(hours=1), self.host.clock)


def services(request: Request) -> Services:
    """The services of the app that was asked."""
    behind: Services = request.app.state.services
    return behind


Here = Annotated[Services, Depends(services)]


def may_open(request: Request, here: Here) -> None:
    """Count a game that is to be opened; raises `TooOften`."""
    here.openings.take(request.client.host if request.client else "")


@dataclass(frozen=True)
class Viewer:
    """Who looks at a game: with which keys, through whose eyes, and the state and revision of the game."""

    game: str
    credentials: Credentials
    who: Power | None
    state: State = field(compare=False)
    revision: int = field(compare=False, default=0)


def viewer_of(request: Request, here: Services, game: str, seat: str | None) -> Viewer:
    """Who looks; raises `UnknownGame`, `NoKey` or `NotYours`, and `UnknownName` for a seat that does not exist.

    A key in the header must be right; of those in a cookie the ones that open something count.
    """
    host = here.host
    scheme, _, tokens = request.headers.get("authorization", "").partition(" ")
    if tokens:
        if scheme.casefold() != "bearer":
            raise NoKey("Show your key as 'Authorization: Bearer KEY'.")
        credentials = host.credentials(game, keys.several(tokens.strip()))
    else:
        credentials = host.credentials(game, cookie_tokens(request, here, game))
    return Viewer(game, credentials, *host.eyes(game, credentials, seat))


def cookie_tokens(request: Request, here: Services, game: str) -> tuple[str, ...]:
    """The keys to a game that the browser has; one that opens nothing any more is as good as none."""
    return tuple(token for token in keys.several(request.cookies.get(COOKIE, "")) if here.host.opens(game, token))


def cached(
    request: Request, here: Services, viewer: Viewer, what: Hashable, make: Callable[[GameView], Model | Payload]
) -> Response:
    """What `make` answers about a game; made once for each state of the game and each pair of eyes.

    A model must be of the class that the route declares.
    """

    def payload_of(game: GameView) -> Payload:
        answer = make(game)
        if isinstance(answer, Payload):
            return answer
        declared = request.scope["route"].response_model
        if type(answer) is not declared:
            raise TypeError(f"{request.url.path} declares {declared} and answers with {type(answer)}.")
        return Payload.of(answer)

    key = (viewer, what)
    payload = here.cache.find((key, viewer.state))
    if payload is None:
        game = here.host.view(viewer.game, viewer.credentials, viewer.who)
        payload = here.cache.get((key, game.state), lambda: payload_of(game))
    # an answer made at a later revision than was asked about is not remembered under that
    request.scope[KNOWN] = KnownReply(viewer.game, viewer.revision, payload)
    return respond(request, payload)


def theme_of(request: Request, name: str | None = None) -> str:
    """The theme asked for, or the one the browser remembers; raises `UnknownName` for one asked for and not there."""
    if name is not None:
        return Theme.named(name).name
    remembered = request.cookies.get("theme", "")
    return remembered if remembered in THEMES else "light"


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

"""Shared parts of the routes: services, viewers, and cached answers."""

from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Annotated, Any, TypeVar, cast

from fastapi import Depends, Path, Query, Request
from fastapi.responses import Response
from starlette.concurrency import run_in_threadpool

from plenipo.engine.position import Power
from plenipo.engine.rules import Rules
from plenipo.engine.sentences import SentenceKind
from plenipo.languages import mark
from plenipo.maps.draw import Theme
from plenipo.server import keys, uploads
from plenipo.server.errors import NoKey, NotSignedIn
from plenipo.server.file_reader import FileReader
from plenipo.server.gm_tools import GmTools
from plenipo.server.hosted_game import Credentials, GameView, ViewFingerprint
from plenipo.server.limits import AtOnce, Limits, Queue, is_this_machine
from plenipo.server.moderation import Moderators
from plenipo.server.notes import PrivateNotes
from plenipo.server.people.accounts import Accounts
from plenipo.server.people.provider_settings import Provider
from plenipo.server.questions import Asking
from plenipo.server.renderer import Renderer
from plenipo.server.service import GameService
from plenipo.server.store.challenges import Challenges
from plenipo.server.store.counters import Counters
from plenipo.server.store.notifications import NotificationStore
from plenipo.server.store.persons import Persons, StoredPerson
from plenipo.server.web.cache import Payload, ResponseCache, respond
from plenipo.server.web.etags import KNOWN, KnownReply
from plenipo.server.web.models import Model
from plenipo.server.web.translation import language_of

if TYPE_CHECKING:
    from plenipo.server.people.passkeys import Passkeys
    from plenipo.server.people.providers import Providers

__all__ = [
    "SEAT",
    "GameId",
    "Here",
    "Person",
    "SeatName",
    "Services",
    "Viewer",
    "admit_request",
    "cookie_tokens",
    "count",
    "counts",
    "credentials_of",
    "device_of",
    "is_open_to_banned",
    "is_own_server",
    "is_secure",
    "is_shown_late",
    "network_of",
    "open_to_banned",
    "person_of",
    "persons_behind",
    "read_credentials",
    "respond_cached",
    "session_of",
    "shown_late",
    "sign_in",
    "signed_in",
    "sit",
    "stand_up",
    "stranger",
    "theme_of",
    "viewer_of",
]

_KEY_FORM = SentenceKind("server-key-form", "Send your key as 'Authorization: Bearer KEY'.")
_ANALYSES_WAIT = SentenceKind("server-analyses-wait", "Too many games are being analysed now; try again in a moment.")
_SIGNED_OUT = SentenceKind("server-signed-out", "You are not signed in in this browser; sign in, or join a game.")

THEMES = Theme.names()
"""The themes to choose from."""

READING = frozenset({"GET", "HEAD", "OPTIONS"})
"""The methods that change nothing."""

COOKIE = "seat"
"""The cookie with the tokens of one game; it goes only to the addresses of that game."""

SESSION = "session"
"""The cookie of the session; over HTTPS with a prefix that no other site can set."""

SECURE_SESSION = f"__Host-{SESSION}"

LASTING = 400 * 24 * 3600
"""The lifetime of a browser's cookies, in seconds."""

GameId = Annotated[str, Path(max_length=40, description="The id of a game.")]
SEAT = "Whose eyes: a power, `all` or `observer`."
SeatName = Annotated[str | None, Query(alias="seat", max_length=200, description=SEAT)]
TurnNumber = Annotated[int | None, Query(ge=0, le=2**31 - 1, description="After so many turns; now, if left out.")]

DESIGNERS = 8
"""The most pages of designers that are open at a time."""

ANALYSES = 20
"""The most requests that wait for the analysis of a game."""

STREAMS = 64
"""The most open event streams of one person, or of one address without a session."""


@dataclass
class Services:
    """The services behind an app."""

    service: GameService
    cache: ResponseCache = field(default_factory=ResponseCache)
    moderated_by: frozenset[str] = frozenset()
    """The mail addresses of the moderators."""
    provided_by: Sequence[Provider] = ()
    """The identity providers for signing in."""
    renderer: Renderer = field(default_factory=Renderer)
    files: FileReader = field(default_factory=FileReader)
    for_others: bool = True
    """True if the server serves other people than the local user, whose requests are not limited."""

    def __post_init__(self) -> None:
        self.limits = Limits(self.service.store.of(Counters), self.service.clock)
        self.streams = AtOnce(mark("event streams"), STREAMS)
        self.designers = AtOnce(mark("open pages of designers"), DESIGNERS)
        self.analyses = Queue(_ANALYSES_WAIT, ANALYSES)
        self.gm_tools = GmTools(self.service)
        self.asking = Asking(self.service.games)
        self.notes = PrivateNotes(self.service.games)
        self.accounts = Accounts(self.service.store.of(Persons), self.service.clock, self.limits)
        self.moderators = Moderators(self.service, self.accounts, self.moderated_by)

    @property
    def named_providers(self) -> tuple[tuple[str, str], ...]:
        """The providers' names, in addresses and on pages."""
        return tuple((one.slug, one.title) for one in self.provided_by)

    @cached_property
    def passkeys(self) -> "Passkeys":
        """Return the passkeys of the store."""
        from plenipo.server.people.passkeys import Passkeys  # noqa: PLC0415  # loads OpenSSL

        return Passkeys(self.accounts, self.service.store.of(Challenges))

    @cached_property
    def providers(self) -> "Providers":
        """Return the external accounts of the store."""
        from plenipo.server.people.providers import Providers  # noqa: PLC0415  # loads OpenSSL

        return Providers(self.accounts, self.service.store.of(Challenges), self.provided_by)


async def services(request: Request) -> Services:
    """Return the services of the requested app; a coroutine, so that no thread is asked for them."""
    behind: Services = request.app.state.services
    return behind


Here = Annotated[Services, Depends(services)]


def network_of(request: Request, here: Services) -> str:
    """Return the address that a request is counted by; empty where it is not limited, or not known.

    Not limited is the person at this machine whose own server this is. What came through a proxy on this machine is
    counted, by the client that the proxy names, or all together where it names none.
    """
    if is_own_server(request, here):
        return ""
    return request.client.host if request.client else ""


def is_own_server(request: Request, here: Services) -> bool:
    """Return whether the server is for one person alone, and that person at its machine asks, not a proxy on it."""
    address = request.client.host if request.client else ""
    return not here.for_others and is_this_machine(address) and not any(name in request.headers for name in _PROXIED)


_PROXIED = ("x-forwarded-for", "forwarded", "x-real-ip", "via")
"""Headers by which a proxy says for whom it asks, or that it is one."""

Endpoint = TypeVar("Endpoint", bound=Callable[..., Any])

_COUNTED: dict[Callable[..., Any], tuple[str, ...]] = {}


def counts(*names: str) -> Callable[[Endpoint], Endpoint]:
    """Declare under which of `plenipo.server.limits.RATES` the requests of a route are counted.

    Every other route that changes something is counted under `changes`.
    """

    def declare(endpoint: Endpoint) -> Endpoint:
        _COUNTED[endpoint] = names
        return endpoint

    return declare


def count(request: Request, here: Services, *names: str) -> None:
    """Count a request under some limits, by signed-in person and by network; raise `TooOften`."""
    network, token = network_of(request, here), session_of(request)
    if not network and not here.for_others:
        return
    person = person_of(request, here)
    request.state.signed_in = (token, person)
    for name in names:
        here.limits.take(name, person=None if person is None else person.id, network=network)


def read_rules(request: Request, here: Services, variant: str, *, as_saved: bool = True) -> Rules:
    """Return the rules of a variant that an address names; variants that must be combined first are counted.

    Raise as `uploads.rules_of` does, and `TooOften`.
    """
    return uploads.rules_of(variant, as_saved=as_saved, before_combining=lambda: count(request, here, "combinations"))


@dataclass(frozen=True)
class Viewer:
    """A viewer of a game: keys, viewpoint, and the state and revision of the game."""

    game: str
    credentials: Credentials
    who: Power | None
    state: ViewFingerprint = field(compare=False)
    revision: int = field(compare=False, default=0)


def viewer_of(request: Request, here: Services, game: str, seat: str | None) -> Viewer:
    """Return the viewer; raise `UnknownGame`, `NoKey` or `NotYours`, and `UnknownName` for a seat that does not exist.

    A key in the header must be right; invalid ones in a cookie are ignored.
    """
    credentials = read_credentials(request, here, game)
    return Viewer(game, credentials, *here.service.eyes(game, credentials, seat))


def read_credentials(request: Request, here: Services, game: str) -> Credentials:
    """Return the credentials at a game, from the key in the header, or else from the browser's cookies."""
    scheme, _, tokens = request.headers.get("authorization", "").partition(" ")
    if not tokens:
        return credentials_of(request, here, game)
    if scheme.casefold() != "bearer":
        raise NoKey(_KEY_FORM())
    return here.service.credentials(game, keys.several(tokens.strip()))


_SHOWN_LATE: set[Callable[..., Any]] = set()


def shown_late(endpoint: Endpoint) -> Endpoint:
    """Declare that a route is open to delayed spectators: it shows them the game as they see it.

    Every other route with a game in its address is closed to them.
    """
    _SHOWN_LATE.add(endpoint)
    return endpoint


def is_shown_late(endpoint: Callable[..., Any]) -> bool:
    """Return whether a route about a game is open to delayed spectators."""
    return endpoint in _SHOWN_LATE


_OPEN_TO_BANNED: set[Callable[..., Any]] = set()


def open_to_banned(endpoint: Endpoint) -> Endpoint:
    """Declare that a changing route is open to banned people: to sign in and out, to leave, and to appeal."""
    _OPEN_TO_BANNED.add(endpoint)
    return endpoint


def is_open_to_banned(endpoint: Callable[..., Any]) -> bool:
    """Return whether a changing route is open to banned people."""
    return endpoint in _OPEN_TO_BANNED


async def admit_request(request: Request, here: Here) -> None:
    """Count a request under the limits of its route, and refuse it where the route is closed to the sender.

    A route about a game is closed to delayed spectators unless it is `shown_late`, one that changes something to
    banned people unless it is `open_to_banned`. Raise `TooOften`, `NotYours` and `Banned`. All of it is done in one
    thread, and in none if there is nothing to do.
    """
    endpoint, changing = request.scope["endpoint"], request.method not in READING
    names = _COUNTED.get(endpoint, ("changes",) if changing else ())
    game = None if is_shown_late(endpoint) else request.path_params.get("game")
    closed_to_banned = changing and not is_open_to_banned(endpoint)
    if names or game is not None or closed_to_banned:
        await run_in_threadpool(_admit, request, here, names, game, closed_to_banned)


def _admit(
    request: Request,
    here: Services,
    names: tuple[str, ...],
    game: str | None,
    closed_to_banned: bool,  # noqa: FBT001  # it goes to a thread by its place
) -> None:
    if names:
        count(request, here, *names)
    if game is not None:
        _require_table(request, here, game)
    if closed_to_banned:
        _require_not_banned(request, here)


def _require_not_banned(request: Request, here: Services) -> None:
    here.moderators.bans.require_none(persons_behind(request, here), network_of(request, here))
    token = session_of(request)
    if token:
        network = here.moderators.bans.network(network_of(request, here))
        here.accounts.persons.note_network(keys.digest(token), network)


def persons_behind(request: Request, here: Services) -> frozenset[str]:
    """Return the accounts behind a request: the signed-in person, and the holders of the seats of its keys."""
    person, game = person_of(request, here), request.path_params.get("game")
    found = frozenset() if person is None else frozenset({person.id})
    if game is None:
        return found
    shown = request.headers.get("authorization", "").partition(" ")[2].strip()
    tokens = {*keys.several(shown), *keys.several(request.cookies.get(COOKIE, ""))}
    return found | here.moderators.bans.persons_behind(game, tokens)


def _require_table(request: Request, here: Services, game: str) -> None:
    if not here.service.looked_on(game):
        here.service.require_table(game, read_credentials(request, here, game))


def stranger(here: Services, game: str) -> Viewer:
    """Return a viewer without any key; raise `UnknownGame`."""
    credentials = here.service.credentials(game, ())
    return Viewer(game, credentials, *here.service.eyes(game, credentials, None))


def credentials_of(request: Request, here: Services, game: str, *more: str) -> Credentials:
    """Return a browser's credentials at a game: its keys, `more` new ones, and the signed-in person."""
    person = person_of(request, here)
    kept = keys.several(request.cookies.get(COOKIE, ""))
    return here.service.credentials(game, more, None if person is None else person.id, kept=kept)


def session_of(request: Request) -> str:
    """Return the token of the browser's session, empty without one."""
    return request.cookies.get(SECURE_SESSION if is_secure(request) else SESSION, "")


def is_secure(request: Request) -> bool:
    """Return whether a request came over HTTPS, so that cookies are those that no other site can set."""
    return request.url.scheme == "https"


def person_of(request: Request, here: Services) -> StoredPerson | None:
    """Return the person signed in in the browser, None if there is none."""
    token = session_of(request)
    known = getattr(request.state, "signed_in", None)  # looked up once, where the request was counted
    if known is not None and known[0] == token:
        return cast("StoredPerson | None", known[1])
    return here.accounts.of(token) if token else None


def signed_in(request: Request, here: Here) -> StoredPerson:
    """Return the signed-in person; raise `NotSignedIn`."""
    person = person_of(request, here)
    if person is None:
        raise NotSignedIn(_SIGNED_OUT())
    return person


Person = Annotated[StoredPerson, Depends(signed_in)]
"""The signed-in person of a request."""


def sign_in(request: Request, response: Response, here: Services, token: str) -> None:
    """Sign the browser in as the person with this token, and end its earlier session."""
    before, person = session_of(request), person_of(request, here)
    if before and person is not None and before != token:
        here.accounts.sign_out(person, keys.digest(before))
    secure = is_secure(request)
    response.set_cookie(
        SECURE_SESSION if secure else SESSION,
        token,
        max_age=LASTING,
        path="/",
        httponly=True,
        samesite="lax",
        secure=secure,
    )
    known = here.accounts.of(token)
    if known is not None and (language := here.service.store.of(NotificationStore).language(known.id)):
        response.set_cookie("language", language, max_age=LASTING, path="/", samesite="lax", secure=secure)


def device_of(request: Request) -> str:
    """Return the browser in a few words, for the list of sessions."""
    agent = request.headers.get("user-agent", "")
    browser = next((name for name, sign in _BROWSERS if sign in agent), "A browser")
    system = next((name for name, sign in _SYSTEMS if sign in agent), "")
    return f"{browser} on {system}" if system else browser


_BROWSERS = (("Edge", "Edg/"), ("Opera", "OPR/"), ("Firefox", "Firefox/"), ("Chrome", "Chrome/"), ("Safari", "Safari/"))
_SYSTEMS = (
    ("Android", "Android"),
    ("iPhone", "iPhone"),
    ("iPad", "iPad"),
    ("Windows", "Windows"),
    ("Mac", "Mac OS"),
    ("Linux", "Linux"),
)


def cookie_tokens(request: Request, here: Services, game: str) -> tuple[str, ...]:
    """Return the browser's keys to a game; keys that are no longer valid are left out."""
    return tuple(token for token in keys.several(request.cookies.get(COOKIE, "")) if here.service.opens(game, token))


def respond_cached(
    request: Request, here: Services, viewer: Viewer, what: Hashable, make: Callable[[GameView], Model | Payload]
) -> Response:
    """Return the answer of `make` about a game; made once for each state of the game, each viewpoint and language.

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

    key = (viewer, what, language_of(request))
    payload = here.cache.find((key, viewer.state))
    if payload is None:
        game = here.service.view(viewer.game, viewer.credentials, viewer.who)
        payload = here.cache.get((key, game.state), lambda: payload_of(game))
    # an answer made at a later revision than was asked about is not remembered under that, and none is remembered
    # for a person, who may have signed out when the same is asked again
    if viewer.credentials.person is None:
        request.scope[KNOWN] = KnownReply(viewer.game, viewer.revision, payload)
    return respond(request, payload)


def theme_of(request: Request, name: str | None = None) -> str:
    """Return the requested theme, or the browser's; raise `UnknownName` for an unknown one."""
    if name is not None:
        return Theme.from_name(name).name
    remembered = request.cookies.get("theme", "")
    return remembered if remembered in THEMES else "light"


def sit(request: Request, response: Response, game: str, tokens: tuple[str, ...]) -> None:
    """Store keys to a game in the browser, beside those it has."""
    value = keys.BETWEEN.join(dict.fromkeys(tokens))
    for place in _places_of(game):
        response.set_cookie(
            COOKIE,
            value,
            max_age=LASTING,
            path=place,
            httponly=True,
            samesite="lax",
            secure=is_secure(request),
        )


def stand_up(response: Response, game: str) -> None:
    """Delete the keys to a game from the browser."""
    for place in _places_of(game):
        response.delete_cookie(COOKIE, path=place)


def _places_of(game: str) -> tuple[str, str]:
    """Return the paths to which a browser sends the keys to a game."""
    return f"/games/{game}", f"/api/games/{game}"

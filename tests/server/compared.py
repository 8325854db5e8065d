"""Two runs of one game that differ in one secret, and everything that each kind of viewer is shown and sent of both.

Both runs are copies of one database, with the same clock and the same draws at random, so that nothing needs to be left
out of what is compared: statuses, headers, tags and bodies of all routes, events on two servers, mail, pushes and
webhooks.
"""

import asyncio
import json
import re
import secrets
import shutil
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, closing, contextmanager, suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path
from random import Random
from typing import Any
from unittest.mock import patch

from anyio.from_thread import start_blocking_portal
from fastapi.routing import APIRoute
from fastapi.testclient import TestClient
from sqlalchemy import select

from plenipo.engine.phases.legality import Legality
from plenipo.engine.position import Power
from plenipo.errors import PlenipoError
from plenipo.server import keys
from plenipo.server.broker import Broker, Listener
from plenipo.server.hosted_game import Credentials
from plenipo.server.hosting.schedule import schedule_of
from plenipo.server.hosting.settings import settings_of
from plenipo.server.hosting.tick import Holder
from plenipo.server.new_games import GameKeys, NewGameRequest
from plenipo.server.people.push import PUSH_KEY, new_key
from plenipo.server.press import Draft
from plenipo.server.seats import SeatAct
from plenipo.server.service import GameService
from plenipo.server.store import Store, schema
from plenipo.server.store.notifications import NotificationStore
from plenipo.server.store.persons import Persons, SignInMethod, StoredPerson, StoredSession
from plenipo.server.store.subscriptions import Subscriptions
from plenipo.server.store.values import Subscription
from plenipo.server.submissions import Edit
from plenipo.server.tournaments import NewTournament, Tournaments
from plenipo.server.web.app import PARTS, create_app
from plenipo.server.web.context import COOKIE, SESSION, Services, Viewer
from plenipo.server.web.events import _late, _listening, _stream
from plenipo.server.worker import Worker
from server.clocks import ManualClock
from server.loops import alone

__all__ = ["KINDS", "WAYS", "Game", "Kind", "Looker", "compare", "copies", "person_of", "played", "routes"]

START = datetime(2026, 11, 22, 12, tzinfo=UTC)
HOUR = timedelta(hours=1)

DAILY = {"movement": {"within": "1d", "remind": ["2h"]}, "cool": "10m", "missed": {"first": "hold"}}
LIVE = {**DAILY, "movement": {"within": "5m"}, "cool": "0m", "time_bank": "10m"}


@dataclass(frozen=True)
class Kind:
    """A kind of game: its variant, how its seats are opened, and how it is set.

    `plays` says whether its host plays, `in_tournament` whether it is a board of a tournament.
    """

    variant: str = "hundred"
    seating: str = "lobby"
    options: Mapping[str, str] = field(default_factory=dict)
    schedule: Mapping[str, Any] = field(default_factory=lambda: DAILY)
    settings: Mapping[str, Any] = field(default_factory=dict)
    plays: bool = False
    in_tournament: bool = False


SECRET_VOTES = {"pause": {"secrecy": "secret"}}

KINDS: dict[str, Kind] = {
    "hot seat": Kind(seating="hotseat"),
    "link game": Kind(seating="links"),
    "anonymous": Kind("standard", settings={"anonymous": True, "deal": "drawn"}, plays=True),
    "fog": Kind("fog-of-war", settings={"spectators": "public"}),
    "masquerade": Kind("masquerade"),
    "press off": Kind(settings={"press": "No press"}),
    "delayed spectators": Kind(settings={"delay": "1 phase", "spectators": "public"}),
    "game master": Kind(settings={"host": "game master"}),
    "live": Kind("standard", schedule=LIVE, plays=True),
    "irish": Kind("irish", options={"draws": "gm_entered"}),
    "tournament": Kind(in_tournament=True),
}

PEOPLE = ("Anna", "Ben", "Cleo", "Dora", "Emil", "Fay", "Gus", "Zoe")
"""The host, two who play, one who has left a seat, who took it, and three who have nothing to do with the game."""


@dataclass(frozen=True)
class Looker:
    """A reader by the credentials of the browser: the signed-in person, keys in the cookie, a key in the header."""

    person: str = ""
    cookie: str = ""
    bearer: str = ""

    @property
    def headers(self) -> dict[str, str]:
        cookies = {SESSION: self.person and f"session of {self.person}".replace(" ", "-"), COOKIE: self.cookie}
        sent = "; ".join(f"{name}={value}" for name, value in cookies.items() if value)
        shown = {"authorization": f"Bearer {self.bearer}"} if self.bearer else {}
        return {"accept-encoding": "identity", "sec-fetch-site": "same-origin", "cookie": sent, **shown}


def person_of(name: str) -> str:
    return name.lower() * 4


@dataclass
class Game:
    """A run of a game: a server of its own on the database, with another beside it."""

    kind: Kind
    store: Store
    id: str
    keys: dict[str, str]
    """The keys by what they open: `host`, `other game`, names of people, and of powers in a game of links."""
    seats: dict[str, str] = field(default_factory=dict)
    """The seats that people play or played, by name."""
    lookers: dict[str, Looker] = field(default_factory=dict)
    successor: str = ""
    """The current player of the vacated seat."""
    start: datetime = START + HOUR
    tournament: str = "x"
    """The tournament of which it is a board; a wrong address for other games."""

    def __post_init__(self) -> None:
        self.clock = ManualClock(self.start)
        self.service, self.beside = (GameService(self.store, Broker(), self.clock) for _ in range(2))
        app = create_app(self.service, loops="none")
        self.client = TestClient(app, "http://localhost", follow_redirects=False)
        self.here = Services(self.service)
        self.gm_tools, self.asking, self.notes = self.here.gm_tools, self.here.asking, self.here.notes

    def credentials(self, looker: Looker, service: GameService | None = None) -> Credentials:
        person = person_of(looker.person) if looker.person else None
        tokens = keys.several(looker.bearer or looker.cookie)
        return (service or self.service).credentials(self.id, tokens, person)

    def who(self, name: str) -> Credentials:
        """Return the credentials of a player by name, or of the host."""
        return self.service.credentials(self.id, [self.keys[name]])

    @property
    def phase_number(self) -> int:
        return self.service.games.load(self.id).phase_number

    def submit_orders(self, name: str, place: int, *, ready: bool | None = None) -> None:
        """Hand in one of two different order sets of a power."""
        hosted = self.service.games.load(self.id)
        power = Power(self.seats[name])
        legal = sorted(map(str, Legality(hosted.rules, hosted.seen_by(power)).orders_of(power)))
        credentials = self.who(name if name in self.keys else "host")
        order = () if not legal else (legal[place],)
        self.service.orders.submit(self.id, credentials, power, hosted.phase_number, Edit(order, ready=ready))


# Preparing a game up to the point where the runs differ


def played(kind: Kind, path: Path, way: str = "resigned") -> Game:
    """Return a game of a kind in which a phase was played and one player left in a way, with all its readers."""
    game = _opened(kind, Store(str(path)))
    hosted = game.service.games.load(game.id)
    if hosted.timing is None or hosted.may_order:
        with suppress(PlenipoError):  # a phase that asks for choices goes on without what the rest of them need
            game.service.phases.process(game.id, game.who("host"), game.phase_number)
    if kind.seating == "lobby":
        former, game.successor = WAYS[way](game)
        game.lookers["a former player"] = Looker(former, game.keys[former])
        game.lookers["another player"] = Looker("Ben", game.keys["Ben"])
        service = Looker("Anna", "~".join(filter(None, (game.keys["host"], game.keys.get("Anna", "")))))
        game.lookers["the host"] = service
        game.lookers["the host with a seat"] = Looker("", f"{game.keys['host']}~{game.keys['Ben']}")
    elif kind.seating == "links":
        other = str(hosted.rules.names[0])
        game.lookers["another player"] = Looker(bearer=game.keys[other])
        game.lookers["the host"] = Looker(bearer=game.keys["host"])
    game.lookers["a stranger"] = Looker()
    game.lookers["a signed-in stranger"] = Looker("Zoe")
    game.lookers["a key of another game"] = Looker(cookie=game.keys["other game"])
    game.lookers["a wrong key"] = Looker(bearer=game.keys["other game"])
    return game


def _opened(kind: Kind, store: Store) -> Game:
    service = GameService(store, Broker(), ManualClock(START))
    for name in PEOPLE:
        session = Looker(name).headers["cookie"].partition("=")[2]
        opened = StoredSession(keys.digest(session), person_of(name), "A browser", START, START)
        store.of(Persons).add(StoredPerson(person_of(name), name, START), opened)
        store.of(Persons).add_way(SignInMethod("mail", f"{name.lower()}@example.org", person_of(name), START))
        device = Subscription(f"https://push.example/{name}", "B" * 87, "A" * 22)
        store.of(Subscriptions).keep(keys.digest(session), device)
    store.of(Subscriptions).own_key(PUSH_KEY, new_key)
    other = service.open(NewGameRequest("hundred", {}, seating="links"))
    if kind.seating != "lobby":
        made = service.open(NewGameRequest(kind.variant, kind.options, seating=kind.seating, name="the game"))  # type: ignore[arg-type]  # one of the two
        tokens = {str(power): token for power, token in made.seats.items()}
        game = Game(kind, store, made.id, {"host": made.all_seats, "other game": other.all_seats, **tokens})
        game.seats["Cleo"] = str(game.service.games.load(made.id).rules.names[-1])
        game.keys |= {"Cleo": tokens[game.seats["Cleo"]]} if tokens else {}
        return game
    settings = {"listed": "listed", "ready_check": False, "absence": 7, "computer": "careless", "votes": SECRET_VOTES}
    new = NewGameRequest(
        kind.variant,
        kind.options,
        lobby=True,
        name="the game",
        schedule=schedule_of(kind.schedule),
        settings=settings_of({**settings, **kind.settings}),
        host=(person_of("Anna"), "Anna"),
    )
    if kind.in_tournament:
        return _seated(kind, store, service, other.all_seats, new)
    made = service.open(new)
    store.of(NotificationStore).set_hook(made.id, "https://hook.example/of/this")
    tokens = {"host": made.all_seats, "other game": other.all_seats}
    for name in PEOPLE[0 if kind.plays else 1 : 4]:
        invited = service.credentials(made.id, [made.invitation], person_of(name))
        tokens[name] = service.lobby.join(made.id, invited, name)
    if service.forming(made.id):  # it begins by itself when every seat is taken
        service.lobby.start(made.id, service.credentials(made.id, [made.all_seats]))
    game = Game(kind, store, made.id, tokens)
    game.seats = {player.name: str(player.power) for player in game.service.games.load(made.id).players if player.power}
    return game


def _seated(kind: Kind, store: Store, service: GameService, other_key: str, new: NewGameRequest) -> Game:
    """Return the only board of a tournament that Anna directs, with the keys, which none of its pages shows."""
    made: list[GameKeys] = []
    tokens = {"other game": other_key}
    join = service.lobby.join

    def open_board(board: NewGameRequest) -> GameKeys:
        made.append(service.open(board))
        return made[-1]

    def join_board(game: str, credentials: Credentials, name: str, *preferences: str) -> str:
        tokens[name] = join(game, credentials, name, *preferences)
        return tokens[name]

    def person(name: str) -> StoredPerson:
        found = store.of(Persons).find(person_of(name))
        assert found
        return found

    tournaments = Tournaments(service.games, service.lobby, open_board)
    settings = new.settings.model_dump(mode="json", exclude_defaults=True)
    asked = NewTournament("the tournament", kind.variant, settings=settings)
    tournament = tournaments.create(person("Anna"), asked)
    for name in PEOPLE[1:4]:
        tournaments.join(tournament, person(name))
    with patch.object(service.lobby, "join", join_board):
        tournaments.start_round(tournament, person("Anna"))
    (board,) = made
    store.of(NotificationStore).set_hook(board.id, "https://hook.example/of/this")
    game = Game(kind, store, board.id, {"host": board.all_seats, **tokens}, tournament=tournament)
    game.seats = {player.name: str(player.power) for player in game.service.games.load(board.id).players}
    return game


def _taken(game: Game, offer: str | None) -> tuple[str, str]:
    """Emil sits down where Dora was: who left, and who came after."""
    assert offer
    taker = game.service.credentials(game.id, [offer], person_of("Emil"))
    game.keys["Emil"] = game.service.handover.accept(game.id, taker, "Emil")
    game.seats["Emil"] = game.seats["Dora"]
    return "Dora", "Emil"


def _left(game: Game, name: str, act: SeatAct) -> tuple[str, str]:
    power = game.seats["Dora"]
    game.service.handover.act(game.id, game.who(name), power, act)
    return _taken(game, game.service.handover.act(game.id, game.who("host"), power, "offer"))


def _replaced(game: Game) -> tuple[str, str]:
    """Dora leaves no orders for two movements, and her vacant seat is offered."""
    for _ in range(8):
        hosted = game.service.games.load(game.id)
        timing = hosted.timing
        assert timing is not None
        if timing.phase.due is None:
            game.service.phases.process(game.id, game.who("host"), hosted.phase_number)
            continue
        if timing.seats[Power(game.seats["Dora"])].holder is Holder.NOBODY:
            break
        for name in ("Ben", "Cleo"):
            if Power(game.seats[name]) in hosted.may_order:
                game.submit_orders(name, 0)
        game.clock.time = timing.phase.due + timedelta(minutes=1)
        game.service.time.settle(game.id)
    timed = game.service.view(game.id, Credentials(), None).timed
    assert timed is not None
    assert timed.seats[Power(game.seats["Dora"])].holder is Holder.NOBODY
    return _taken(game, game.service.handover.act(game.id, game.who("host"), game.seats["Dora"], "offer"))


def _lent(game: Game) -> tuple[str, str]:
    return _taken(game, game.service.handover.act(game.id, game.who("Dora"), game.seats["Dora"], "lend"))


def _lent_and_taken_back(game: Game) -> tuple[str, str]:
    lender, sitter = _lent(game)
    game.service.handover.act(game.id, game.who("Dora"), game.seats["Dora"], "take back")
    return sitter, lender


WAYS: Mapping[str, Callable[[Game], tuple[str, str]]] = {
    "resigned": lambda game: _left(game, "Dora", "resign"),
    "removed": lambda game: _left(game, "host", "remove"),
    "replaced": _replaced,
    "gave back": _lent_and_taken_back,
    "lends": _lent,
}
"""The ways to leave a seat; each returns the player who left and the one who plays the seat now."""


@contextmanager
def copies(game: Game, folder: Path) -> Iterator[tuple[Game, Game]]:
    """Two runs that go on from a game, alike."""
    source = Path(game.store.engine.url.database or "")
    game.store.engine.dispose()
    runs = []
    with ExitStack() as stack:
        for name in ("one", "other"):
            target = folder / f"{name}.sqlite"
            for end in ("", "-wal", "-shm"):
                if Path(f"{source}{end}").is_file():
                    shutil.copy(f"{source}{end}", f"{target}{end}")
            store = stack.enter_context(closing(Store(str(target))))
            run = Game(
                game.kind,
                store,
                game.id,
                dict(game.keys),
                dict(game.seats),
                dict(game.lookers),
                game.successor,
                game.clock.time,
                game.tournament,
            )
            run.client.portal = stack.enter_context(start_blocking_portal())  # or it starts a loop for each request
            runs.append(run)
        yield runs[0], runs[1]


# Compared answers

ENDLESS = "/events"
"""The ending of addresses whose answers never end; their events are compared instead."""

WITHOUT_GAMES = re.compile(
    r"/health/|/static/|/api/variants|/variants/|/bank|/learn|/api/lessons|/puzzles|/api/puzzles|/worker\.js"
    r"|/manifest|/order_set\.css|/position"
)
"""The routes that know of no game and no person."""

SLOW = ("/hint", "/picture.png")
"""Addresses that take a computer long, and a picture that is compared as a drawing."""


def routes(*methods: str) -> list[tuple[str, str]]:
    """Every route of the server that knows of games or people, by its method."""
    found = {
        (method, route.path)
        for part in PARTS
        for route in part.router.routes
        if isinstance(route, APIRoute)
        for method in route.methods or ()
    }
    return sorted(
        (method, path)
        for method, path in found
        if method in methods and not WITHOUT_GAMES.match(path) and not path.endswith((ENDLESS, *SLOW))
    )


MORE: Mapping[str, Sequence[str]] = {
    "/games/{game}": ("?seat=observer", "?turn=0&results=1"),
    "/api/games/{game}": ("?seat=observer",),
    "/api/games/{game}/complete": ("?text=a&seat={seat}",),
    "/api/games/{game}/deals": ("?seat={seat}", "?seat={secret}"),
    "/api/games/{game}/deals/options": ("?seat={seat}&power={secret}",),
    "/api/games/{game}/press/thread": ("?seat=everyone", "?seat={seat}&seat=Ben"),
    "/api/games/{game}/review/{turn}": ("?power={secret}",),
    "/api/games/{game}/turns/{turn}/why": ("?unit=PAR",),
    "/games/{game}/picture.svg": ("?turn=0&results=1", "?seat=observer"),
    "/games/{game}/take": ("?power={secret}",),
}
"""Queries with which a route is requested as well."""


def addresses(game: Game, looker: Looker) -> Iterator[str]:
    """Yield every address that a reader requests."""
    own = game.store.of(NotificationStore).preferences(person_of(looker.person)) if looker.person else None
    seat = game.seats.get(looker.person, "all")
    for _, path in routes("GET"):
        token = own.token if own and "unsubscribe" in path else own.calendar if own and "calendar" in path else "x" * 40
        for person in map(person_of, ("Cleo", "Dora", "Emil", "Fay", "Gus") if "{person}" in path else ("",)):
            for more in ("", *MORE.get(path, ())):
                yield (path + more).format(
                    game=game.id, turn=0, token=token, person=person, seat=seat, secret=game.seats["Cleo"],
                    slug="x", link="x", language="de", tournament=game.tournament,
                )  # fmt: skip


EXPIRES = re.compile(r"expires=[^;]*;")
"""The hour of the machine in a cookie that ends."""


def asked(game: Game, looker: Looker, path: str) -> str:
    answer = game.client.get(path, headers=looker.headers)
    game.client.cookies.clear()
    assert answer.status_code < 500, (path, answer.text)
    return EXPIRES.sub("", f"{answer.status_code} {sorted(answer.headers.items())} {answer.text}")


def listeners(game: Game, service: GameService, looker: Looker, stack: ExitStack) -> Listener | None:
    """Return a listener to the game at one of the servers; None for readers without access or with a delay."""
    try:
        credentials = game.credentials(looker, service)
        who, *_ = service.eyes(game.id, credentials, None)
        game_view = service.view(game.id, credentials, who)
    except PlenipoError:
        return None
    if game_view.late:
        return None
    return stack.enter_context(
        _listening(Services(service), Viewer(game.id, credentials, who, game_view.state), game_view)
    )


async def _heard(game: Game, act: Callable[[], None]) -> dict[str, list[str]]:
    """Return the events that every reader receives at each of the two servers during an action on the first."""
    with ExitStack() as stack:
        here = {
            (name, place): listener
            for name, looker in game.lookers.items()
            for place, service in enumerate((game.service, game.beside))
            if (listener := listeners(game, service, looker, stack)) is not None
        }
        for name, looker in game.lookers.items():
            if looker.person:  # the events of the first page, for all games of the person
                mine = game.here.accounts.games(game.store.of(Persons).find(person_of(looker.person)))  # type: ignore[arg-type]  # there is one
                tenures = frozenset((one.id, one.tenure) for one in mine)
                ids = [one.id for one in mine]
                for place, service in enumerate((game.service, game.beside)):
                    listened = service.broker.listening(frozenset(), *ids, tenures=tenures)
                    here[f"{name}, of games", place] = stack.enter_context(listened)
        for service in (game.service, game.beside):
            await asyncio.to_thread(service.games.listened_from_now, (game.id,))
            await asyncio.to_thread(service.games.load, game.id)
        await asyncio.to_thread(act)
        for service in (game.service, game.beside):
            await asyncio.to_thread(service.games.catch_up)
            await asyncio.to_thread(service.games.load, game.id)
        await asyncio.sleep(0)
        found: dict[str, list[str]] = {}
        for (name, place), listener in here.items():
            events = [listener.queue.get_nowait() for _ in range(listener.queue.qsize())]
            found[f"{name} at server {place}"] = [f"{kind} {json.dumps(data, default=str)}" for kind, data in events]
        return found


def heard(game: Game, act: Callable[[], None]) -> dict[str, list[str]]:
    """Return the events that every reader receives during an action."""
    return alone(_heard(game, act))


def greeting(game: Game, looker: Looker) -> str:
    """Return the first line of a reader's events."""

    async def first() -> str:
        credentials = game.credentials(looker)
        who, state, _ = game.service.eyes(game.id, credentials, None)
        viewer = Viewer(game.id, credentials, who, state)
        late = game.service.view(game.id, credentials, who).late
        stream = _late(game.here, viewer) if late else _stream(game.here, lambda: viewer)
        line = await anext(stream)
        await stream.aclose()
        return line.decode()

    try:
        return alone(first())
    except PlenipoError as fault:
        return str(fault)


def posts(game: Game, looker: Looker) -> list[str]:
    """Return the mail and push messages of a reader, and the notices of the game to all."""
    table = schema.posts
    mine = person_of(looker.person) if looker.person else ""
    with game.store.engine.connect() as connection:
        rows = connection.execute(select(table)).mappings().all()
    rows = [row for row in rows if row["kind"] == "hook" or row["person"] == mine]
    return sorted(f"{row['to']} {row['kind']} {row['not_before']} {row['subject']} {row['body']}" for row in rows)


@contextmanager
def drawn_alike(seed: str) -> Iterator[None]:
    """Let all that is drawn at random be drawn from a seed, so that two runs draw the same."""
    chance = Random(seed)
    with patch.object(secrets, "token_bytes", lambda number=32: chance.randbytes(number or 32)):
        yield


def later_acts(game: Game) -> list[str]:
    """Let Ben move, write and ask after the secret, which none of it may depend on; return how each ends."""

    def ask() -> None:
        power = game.seats["Ben"]
        game.submit_orders("Ben", 0, ready=False)
        order = game.service.games.load(game.id).order_sets[Power(power)].texts[0]
        game.asking.ask(game.id, game.who("Ben"), power, game.phase_number, order, "Does it count?")

    def write() -> None:
        game.service.press.write(game.id, game.who("Ben"), Draft(game.seats["Ben"], ("everyone",), "Good evening."))

    def move() -> None:
        game.service.voting.move(game.id, game.who("Ben"), "extend")

    ends = []
    for act in (move, write, ask):
        try:
            act()
        except (PlenipoError, LookupError) as fault:  # not allowed in this kind of game, or without Ben
            ends.append(f"{type(fault).__name__}: {fault}")
        else:
            ends.append("done")
    return ends


Secret = Callable[[Game, int], None]
"""The action of a run, 0 or 1."""


def compare(
    runs: tuple[Game, Game],
    secret: Secret,
    names: Sequence[str] | None = None,
    hidden: str = "",
    *,
    later: bool = False,
) -> tuple[int, list[str]]:
    """Return the number of answers compared for these readers, and the ones that differed.

    `hidden` is a pattern of values derived from the secret itself, such as its digest. Answers are compared at once or,
    with `later`, after the reminder of the deadline; and again after another player did something public.
    """
    heard_in = []
    for place, run in enumerate(runs):
        with drawn_alike("addresses"):  # drawn at once, so that they do not depend on the receiver of the first message
            for person in map(person_of, PEOPLE):
                run.store.of(NotificationStore).preferences(person)
        with drawn_alike("acts"):
            heard_in.append(heard(run, lambda run=run, place=place: secret(run, place)))  # type: ignore[misc]  # bound now
    found, compared = [], 0
    ends: list[list[str]] = []
    for place, run in enumerate(runs):
        with drawn_alike("later acts"):
            after = heard(run, lambda run=run: ends.append(later_acts(run)))  # type: ignore[misc]  # bound now
        heard_in[place] = {name: [*events, *after[name]] for name, events in heard_in[place].items()}
    if ends[0] != ends[1]:
        found.append(f"what others do ends with {ends[0]} and {ends[1]}")
    for name in names or runs[0].lookers:
        for where in (key for key in heard_in[0] if key.startswith((f"{name} at", f"{name}, of"))):
            compared += 1
            if heard_in[0][where] != heard_in[1][where]:
                found.append(f"{where} hears {heard_in[0][where]} and {heard_in[1][where]}")
        shown = []
        for run in runs:
            with drawn_alike(name):
                if later:
                    run.clock.time = run.start + 21 * HOUR
                    Worker(run.service).look()
                looker = run.lookers[name]
                page = {path: asked(run, looker, path) for path in addresses(run, looker)}
                shown.append({**page, "posts": "\n".join(posts(run, looker)), "hello": greeting(run, looker)})
        for path in shown[0]:
            compared += 1
            one, other = (re.sub(hidden, "", each[path]) if hidden else each[path] for each in shown)
            if one != other:
                at = next((n for n, pair in enumerate(zip(one, other, strict=False)) if pair[0] != pair[1]), 0)
                found.append(f"{name} at {path}: {one[max(0, at - 120) : at + 80]!r} {other[at : at + 80]!r}")
    return compared, found

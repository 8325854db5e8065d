"""Spectators with a delay: they learn positions when their delay is over, and never who acts when.

Two games differ only in who submits what, becomes ready, votes, lends a seat and when; every answer, header and event
for the spectator is the same to the byte.
"""

import re
import sys
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from fastapi.routing import APIRoute
from fastapi.testclient import TestClient
from sqlalchemy import select

from plenipo import library
from plenipo.errors import PlenipoError
from plenipo.server.broker import Broker
from plenipo.server.errors import NotYours, SeatRefused
from plenipo.server.hosted_game import Credentials
from plenipo.server.hosting.schedule import schedule_of
from plenipo.server.hosting.settings import settings_of
from plenipo.server.new_games import NewGameRequest
from plenipo.server.service import GameService
from plenipo.server.store import Store
from plenipo.server.store.notifications import NotificationStore
from plenipo.server.store.schema import posts
from plenipo.server.submissions import Edit
from plenipo.server.web.app import PARTS, create_app
from plenipo.server.web.context import Services, is_shown_late, stranger
from plenipo.server.web.events import _late
from proofs import share
from server.clocks import ManualClock
from server.loops import alone

START = datetime(2026, 11, 22, 12, tzinfo=UTC)
HOUR = timedelta(hours=1)
ANYBODY = Credentials()

VARIANTS = ("standard", "fog-of-war", "condottieri", "1897", "irish")


class Watched:
    """A listed game of two people that others look on at, with a clock by hand."""

    def __init__(self, store: Store, variant: str = "standard", **settings: Any) -> None:
        self.clock, self.variant = ManualClock(START), variant
        self.service = GameService(store, Broker(), self.clock)
        schedule = schedule_of({"movement": {"within": "24h"}, "cool": "0m", "time_bank": "10h"})
        own = settings_of({"listed": "listed", "ready_check": False, "computer": "careless", **settings})
        keys = self.service.open(
            NewGameRequest(variant, {}, lobby=True, name="the game", schedule=schedule, settings=own)
        )
        self.id = keys.id
        self.host = self.service.credentials(self.id, [keys.all_seats])
        self.powers = library.load(variant).names[:2]
        invited = self.service.credentials(self.id, [keys.invitation])
        self.tokens = [
            self.service.lobby.join(self.id, invited, name, power)
            for name, power in zip(("Anna", "Ben"), self.powers, strict=True)
        ]
        self.secrets = {keys.all_seats, keys.invitation, *self.tokens}
        self.service.lobby.start(self.id, self.host)
        self.client = TestClient(create_app(self.service), base_url="http://localhost")

    def player(self, number: int) -> Credentials:
        return self.service.credentials(self.id, [self.tokens[number]])

    def number(self) -> int:
        return self.service.games.load(self.id).phase_number

    def submit_orders(self, number: int, *, ready: bool) -> None:
        who = self.player(number)
        self.service.orders.submit(self.id, who, str(who.powers[0]), self.number(), Edit((), ready=ready))

    def process(self) -> None:
        self.service.phases.process(self.id, self.host, self.number())

    def turn(self) -> int:
        return self.service.view(self.id, ANYBODY, None).turn

    def asked(self) -> dict[str, bytes]:
        """Return every answer to a spectator, with its status and headers."""
        api, page = f"/api/games/{self.id}", f"/games/{self.id}"
        own = "board history result review turns/0 record journal rulings votes questions press press/file hook"
        looked = [api, *(f"{api}/{word}" for word in own.split()), f"{api}/press/thread?seat=everyone"]
        shown = "report picture.svg feed.atom feed.json picture.svg?turn=0&results=1"
        shown += " picture.png?width=64" if self.variant == "standard" else ""
        looked += [page, f"{page}?turn=0&results=1", *(f"{page}/{word}" for word in shown.split())]
        looked += [f"{api}/turns/0/why?unit=PAR", f"{api}/review/0?power=France", f"{page}/learn", "/api/find", "/find"]
        found = {}
        for path in looked:
            answer = self.client.get(path, headers={"accept-encoding": "identity"})
            assert answer.status_code < 500, (path, answer.text)
            plain = f"{answer.status_code} {sorted(answer.headers.items())} {answer.text}".replace(self.id, "GAME")
            assert not any(secret in plain for secret in self.secrets)
            plain = re.sub(r'"commitment": ?"[0-9a-f]{64}"|\'etag\', \'[^\']*\'|[?&]v=[0-9a-f]+', "", plain)
            found[path.replace(self.id, "GAME")] = plain.encode()
        return found

    def heard(self) -> bytes:
        """Return the first line of a spectator's events."""
        here = Services(self.service)

        async def first() -> bytes:
            stream = _late(here, stranger(here, self.id))
            line = await anext(stream)
            await stream.aclose()
            return line

        return alone(first())


def busy(game: Watched) -> None:
    """People act: one hands in, gets ready and takes it back, another leaves a message, a motion and the game."""
    game.submit_orders(0, ready=True)
    game.submit_orders(0, ready=False)
    game.clock.time += HOUR
    with suppress(PlenipoError):  # before the first moves some powers have nothing, and do not vote
        game.service.voting.move(game.id, game.player(0), "pause")
    game.submit_orders(1, ready=False)
    with suppress(PlenipoError):
        game.service.handover.act(game.id, game.host, str(game.powers[1]), "offer")
    game.service.handover.act(game.id, game.player(1), str(game.powers[1]), "lend")


@pytest.mark.parametrize("variant", share(VARIANTS, 3))
def test_a_delayed_spectator_sees_no_actions_of_players(store: Store, variant: str) -> None:
    quiet, loud = (Watched(store, variant, delay="1 phase", spectators="public") for _ in range(2))
    object.__setattr__(loud.service.games.load(loud.id).game, "dice", quiet.service.games.load(quiet.id).game.dice)
    before = quiet.asked()
    busy(loud)
    different(loud.asked(), before)
    assert loud.heard() == quiet.heard()
    # the phase is over: another is open, and others still see the one before
    quiet.process()
    if quiet.service.games.load(quiet.id).turn == 1:  # a next phase without orders is over as well
        different(quiet.asked(), before)


def different(found: dict[str, bytes], before: dict[str, bytes]) -> None:
    """Fail with the differences, except in the lists of seats: an offered seat is public."""
    for path, shown in found.items():
        assert "find" in path or shown == before[path], path
    assert len(found) > 20


def test_a_delay_of_phases_shows_each_when_so_many_more_are_over(store: Store) -> None:
    game = Watched(store, delay="2 phases")
    shown = []
    for _ in range(4):
        shown.append((game.service.view(game.id, game.player(0), None).turn, game.turn()))
        game.process()
    assert [late for _, late in shown] == [max(turn - 2, 0) for turn, _ in shown]
    late = game.client.get(f"/api/games/{game.id}").json()
    assert (late["turn"], late["time"], late["players"]) == (game.turn(), None, [])
    assert late["late"] == "Anyone with the link can watch, 2 phases late, until the game is over."
    game.service.phases.draw(game.id, game.host, game.number())
    assert game.turn() == game.service.games.load(game.id).turn
    assert game.client.get(f"/api/games/{game.id}/record").status_code == 200


def test_a_webhook_says_nothing_while_spectators_are_delayed(store: Store) -> None:
    """Neither a turn nor a vote is told, in whichever way people act; at the end it tells how the game ended."""
    told = []
    for delay in ("1 phase", ""):
        game = Watched(store, delay=delay)
        store.of(NotificationStore).set_hook(game.id, "https://hook.example/of/this")
        busy(game)
        game.process()
        with store.engine.connect() as connection:
            mine = select(posts.c.body).where(posts.c.kind == "hook", posts.c.body.contains(game.id))
            told.append(len(connection.execute(mine).all()))
        if delay:
            game.service.phases.draw(game.id, game.host, game.number())
            with store.engine.connect() as connection:
                assert len(connection.execute(mine).all()) == 1
    assert told[0] == 0
    assert told[1] > 1


def test_many_simultaneous_delayed_spectators_are_all_answered(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("plenipo.server.service.HELD_LATE", 1)  # each look at one game drops the other
    one, other = (Watched(store, delay="1 phase") for _ in range(2))
    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    try:
        with ThreadPoolExecutor(4) as threads:
            looks = [one.id, other.id] * 60
            seen = list(threads.map(lambda game: one.service.view(game, ANYBODY, None).late, looks))
    finally:
        sys.setswitchinterval(before)
    assert all(seen)


def test_a_delay_of_hours_shows_each_phase_so_long_after_it_was_over(store: Store) -> None:
    game = Watched(store, delay="3h")
    game.clock.time += HOUR
    game.process()
    api = f"/api/games/{game.id}"
    game.clock.time += 3 * HOUR - timedelta(seconds=1)
    assert (game.turn(), game.client.get(api).json()["turn"]) == (0, 0)
    game.clock.time += timedelta(seconds=1)
    assert (game.turn(), game.client.get(api).json()["turn"]) == (1, 1)


def test_in_fog_a_delayed_spectator_sees_the_public_view_of_that_time(store: Store) -> None:
    game = Watched(store, "fog-of-war", delay="1 phase")
    early = game.client.get(f"/api/games/{game.id}").json()["position"]
    game.process()
    assert game.client.get(f"/api/games/{game.id}").json()["position"] == early


def test_a_game_without_spectators_shows_itself_to_none(store: Store) -> None:
    game = Watched(store, spectators="nobody")
    page = f"/games/{game.id}"
    for path in (page, f"/api{page}", f"{page}/picture.svg", f"{page}/report"):
        answer = game.client.get(path)
        assert (answer.status_code, "This game allows no spectators" in answer.text) == (403, True), path
    with pytest.raises(NotYours):
        game.service.view(game.id, ANYBODY, None)
    assert game.service.view(game.id, game.player(1), None).turn == 0


def test_games_with_public_spectators_are_listed_as_they_are_seen(store: Store) -> None:
    game = Watched(store, delay="1 phase", spectators="public")
    hidden = Watched(store, spectators="link")
    game.process()
    assert [(view.id, view.turn) for view in game.service.matchmaking.list_watchable_games(None)] == [(game.id, 0)]
    page = game.client.get("/find").text
    assert f'href="/games/{game.id}"' in page
    assert f'href="/games/{hidden.id}"' not in page
    assert "Spring 1901" in page
    assert "Fall 1901" not in page


ROUTES = [
    (method, route.path, route.endpoint)
    for part in PARTS
    for route in part.router.routes
    if isinstance(route, APIRoute)
    for method in sorted(route.methods or ())
    if re.match(r"(/api)?/games/{", route.path)
]
"""Every way to ask about one game."""

CLOSED = "Only players can see this game until it is over."


def test_every_route_about_a_game_is_closed_to_delayed_spectators_unless_declared_open(store: Store) -> None:
    game = Watched(store, delay="1 phase")
    own = {"game": game.id, "turn": "0", "number": "1", "token": game.tokens[0]}
    wrong = []
    with TestClient(create_app(game.service, loops="none"), "http://localhost", follow_redirects=False) as client:
        for method, path, endpoint in ROUTES:
            if path.endswith("/events"):
                continue  # goes on for ever; what it says is compared above
            by_form = method == "POST" and not path.startswith("/api")
            answer = client.request(
                method,
                path.format_map(own),
                data={"act": "x"} if by_form else None,
                json={} if method in ("POST", "PUT") and not by_form else None,
            )
            client.cookies.clear()
            if (CLOSED in answer.text) is is_shown_late(endpoint):
                wrong.append((method, path, answer.status_code))
    assert not wrong
    assert len(ROUTES) > 80


def test_every_route_about_a_game_names_it_alike() -> None:
    assert [path for _, path, _ in ROUTES if "{game}" not in path] == []


def test_what_is_shown_late_is_compared_to_the_byte(store: Store) -> None:
    """An address that is opened to those who look on late is one of those that two games are asked alike."""
    game = Watched(store, delay="1 phase")
    compared = {re.sub(r"turns/0", "turns/{turn}", path.partition("?")[0]) for path in game.asked()}
    seats = {"/games/{game}/sit/{token}", "/games/{game}/take", "/api/games/{game}/events"}
    opened = {path for method, path, endpoint in ROUTES if method == "GET" and is_shown_late(endpoint)}
    assert {path.replace("{game}", "GAME") for path in opened - seats} <= compared


@pytest.mark.parametrize("delay", ["-1", "0 phases", "21 phases", "1.5h", "-3h", "soon", "1000000000h"])
def test_a_delay_that_is_none_is_refused_in_one_sentence(delay: str) -> None:
    with pytest.raises(SeatRefused, match=f"^'{re.escape(delay)}' is not a value of 'delay': (write )?a delay"):
        settings_of({"delay": delay})

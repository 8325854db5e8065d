"""Events: a listening browser is notified at once of changes in its game (Server-Sent Events)."""

import asyncio
import json
import logging
from collections.abc import AsyncGenerator, AsyncIterator, Callable, Mapping
from contextlib import AbstractContextManager, aclosing, suppress
from functools import partial
from typing import Any

from fastapi import APIRouter, Request
from fastapi.responses import Response, StreamingResponse
from starlette.concurrency import run_in_threadpool

from plenipo.engine.position import GAME_MASTER
from plenipo.engine.sentences import Sentence
from plenipo.errors import PlenipoError
from plenipo.server.broker import MARKS, Listener
from plenipo.server.hosted_game import GameView
from plenipo.server.hosting.tick import BEFORE
from plenipo.server.service import GameService
from plenipo.server.texts import translate
from plenipo.server.web.context import (
    GameId,
    Here,
    SeatName,
    Services,
    Viewer,
    network_of,
    person_of,
    shown_late,
    signed_in,
    viewer_of,
)

__all__ = ["router", "watch"]

router = APIRouter(prefix="/api", tags=["events"])

_LOG = logging.getLogger("plenipo.server")

BEAT = 15
"""The seconds of silence after which a comment line keeps the connection open."""

LOOK = 0.3
"""The seconds between two checks for changes by another server."""


SEATED = frozenset({"lobby", "phase", "time", "vote"})
"""The kinds of events with which a listener may have gained or lost a seat."""


def _line(kind: str, data: Mapping[str, Any]) -> bytes:
    """Return an event as the stream has it, its sentences in the language of the request."""
    told = {key: translate(part) if isinstance(part, Sentence) else part for key, part in data.items()}
    return f"event: {kind}\ndata: {json.dumps(told, ensure_ascii=False)}\n\n".encode()


def _eyes(game_view: GameView) -> frozenset[str]:
    """Return the powers whose order sets a listener may hear of."""
    if game_view.who == GAME_MASTER:
        return frozenset(game_view.seats)
    master: set[str] = {GAME_MASTER} if game_view.drawing is not None else set()
    master |= set() if game_view.masked else {MARKS}
    return frozenset(master if game_view.who is None else {game_view.who, *master})


@router.get(
    "/games/{game}/events",
    response_class=Response,
    responses={200: {"content": {"text/event-stream": {}}, "description": "A stream of events."}},
)
@shown_late
async def events(request: Request, here: Here, game: GameId, seat: SeatName = None) -> Response:
    """Stream the events of a game.

    The events are `hello`, `order_set`, `phase`, `time`, `message`, `deal`, `question`, `computers`, `lobby`, `gone`
    and `behind`. A message is announced to its readers alone, and a deal to its two powers.
    """
    look = partial(viewer_of, request, here, game, seat)
    viewer = await run_in_threadpool(look)
    game_view = await run_in_threadpool(here.service.view, game, viewer.credentials, viewer.who)
    headers = {"cache-control": "no-store", "x-accel-buffering": "no"}
    who = await run_in_threadpool(_listener, request, here)
    stream = _count_stream(here, who, _late(here, viewer) if game_view.late else _stream(here, look))
    return StreamingResponse(stream, media_type="text/event-stream", headers=headers)


@router.get(
    "/me/events",
    response_class=Response,
    responses={200: {"content": {"text/event-stream": {}}, "description": "A stream of events."}},
    tags=["people"],
)
async def my_events(request: Request, here: Here) -> Response:
    """Stream `games` events when a game of the signed-in person changes, without details."""
    person = await run_in_threadpool(signed_in, request, here)
    games = await run_in_threadpool(here.accounts.games, person)
    tenures = frozenset((game.id, game.tenure) for game in games)
    headers = {"cache-control": "no-store", "x-accel-buffering": "no"}
    who = here.streams.look(person.id, "")
    stream = _count_stream(here, who, _my_stream(here.service, frozenset(game.id for game in games), tenures))
    return StreamingResponse(stream, media_type="text/event-stream", headers=headers)


def _listener(request: Request, here: Services) -> str:
    """Return the key under which a stream is counted; raise `TooOften` above the limit."""
    person = person_of(request, here)
    return here.streams.look(None if person is None else person.id, network_of(request, here))


async def _count_stream(here: Services, who: str, stream: AsyncGenerator[bytes, None]) -> AsyncIterator[bytes]:
    """Yield the same stream, counted while it is open."""
    with here.streams.one(who):
        async with aclosing(stream):
            async for line in stream:
                yield line


async def _my_stream(
    service: GameService, games: frozenset[str], tenures: frozenset[tuple[str, int]]
) -> AsyncGenerator[bytes, None]:
    with service.broker.listening(frozenset(), *games, tenures=tenures) as listener:
        await run_in_threadpool(service.games.listened_from_now, tuple(games))
        yield _line("hello", {})
        while True:
            try:
                await asyncio.wait_for(listener.queue.get(), BEAT)
            except TimeoutError:
                yield b": still here\n\n"
                continue
            yield _line("games", {})


async def _late(here: Services, viewer: Viewer) -> AsyncGenerator[bytes, None]:
    """Stream to a delayed spectator: only that another phase is shown."""
    known = None
    while True:
        game_view = await run_in_threadpool(here.service.view, viewer.game, viewer.credentials, viewer.who)
        now = {"phase_number": game_view.phase_number, "turn": game_view.turn}
        if known is None:
            yield _line(
                "hello", {"phase_number": game_view.phase_number, "order_sets": {}, "computers": "", "players": 0}
            )
        elif now != known:
            yield _line("phase", {**now, "what": "elsewhere"})
        else:
            yield b": still here\n\n"
        if not game_view.late:
            return
        known = now
        await asyncio.sleep(BEAT)


def _tenures(here: Services, viewer: Viewer) -> frozenset[tuple[str, int]]:
    """Return the tenures of a viewer, each with its game."""
    return frozenset((viewer.game, number) for number in here.service.press.tenures(viewer.game, viewer.credentials))


def _listening(here: Services, viewer: Viewer, game_view: GameView) -> AbstractContextManager[Listener]:
    """Listen to a game with a viewer's viewpoint and tenures."""
    return here.service.broker.listening(_eyes(game_view), viewer.game, tenures=_tenures(here, viewer))


def _has_the_seats_of(listener: Listener, here: Services, look: Callable[[], Viewer]) -> bool:
    """Return whether the viewer still has the viewpoint and the tenures with which a listener began."""
    try:
        viewer = look()
        game_view = here.service.view(viewer.game, viewer.credentials, viewer.who)
    except PlenipoError:
        return False
    return (_eyes(game_view), _tenures(here, viewer)) == (listener.powers, listener.tenures)


async def _stream(here: Services, look: Callable[[], Viewer]) -> AsyncGenerator[bytes, None]:
    """Stream to the viewer whom `look` returns, until the game is gone or the viewer's seats are others."""
    viewer = await run_in_threadpool(look)
    game_view = await run_in_threadpool(here.service.view, viewer.game, viewer.credentials, viewer.who)
    with _listening(here, viewer, game_view) as listener:
        await run_in_threadpool(here.service.games.listened_from_now, (viewer.game,))
        # checked after listening has begun, so that no change is missed
        game_view = await run_in_threadpool(here.service.view, viewer.game, viewer.credentials, viewer.who)
        versions = {power: order_set.version for power, order_set in game_view.order_sets.items()}
        computers = here.service.computers.warmth(game_view.computers)
        hello = {"phase_number": game_view.phase_number, "order_sets": versions, "computers": computers}
        forming = game_view.timed is not None and game_view.timed.state in BEFORE
        yield _line("hello", {**hello, "players": len(game_view.players), "forming": forming})
        while True:
            try:
                kind, data = await asyncio.wait_for(listener.queue.get(), BEAT)
            except TimeoutError:
                yield b": still here\n\n"
                continue
            yield _line(kind, data)
            seated = kind in SEATED and (listener.powers or listener.tenures)
            if kind == "gone" or (seated and not await run_in_threadpool(_has_the_seats_of, listener, here, look)):
                return


async def watch(service: GameService, woken: asyncio.Event | None = None) -> None:
    """Check repeatedly for changes by other servers on the same database to games with listeners.

    Setting `woken` starts the next check at once.
    """
    woken = woken or asyncio.Event()
    while True:
        with suppress(TimeoutError):
            await asyncio.wait_for(woken.wait(), LOOK)
        woken.clear()
        try:
            await run_in_threadpool(service.games.catch_up)
        except Exception:  # noqa: BLE001  # whatever it was, the looking must go on
            _LOG.exception("cannot look after the games that are listened to")

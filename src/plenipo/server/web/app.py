"""The app: everything the web sees, put together."""

import asyncio
from collections.abc import AsyncIterator, Callable, Collection, Coroutine, Iterable, Iterator, Sequence
from contextlib import asynccontextmanager
from functools import cache, partial
from threading import Lock
from typing import Any

from fastapi import Depends, FastAPI, Request
from fastapi.responses import JSONResponse, Response
from starlette.routing import BaseRoute

from plenipo import __version__
from plenipo.server import gc_tuning, worker
from plenipo.server.observer import Watcher
from plenipo.server.people.mail import Outgoing, send_for_ever
from plenipo.server.people.provider_settings import Provider
from plenipo.server.renderer import Renderer
from plenipo.server.service import GameService
from plenipo.server.web import (
    account,
    advice,
    api,
    assets,
    deals,
    designing,
    errors,
    events,
    feeds,
    games_run,
    gm_tools,
    health,
    host_presets,
    images,
    language_choice,
    learn,
    live_boards,
    lobby,
    matchmaking,
    mistakes,
    models,
    moderation,
    notes,
    notifications,
    pages,
    passkeys,
    position_editor,
    press,
    profiles,
    providers,
    push,
    puzzles,
    reach,
    rematch,
    report,
    results,
    rulings,
    script_texts,
    tournaments,
    votes,
)
from plenipo.server.web.context import Services, admit_request
from plenipo.server.web.etags import AnswerUnchanged
from plenipo.server.web.reader import NamesReader
from plenipo.server.web.request_metrics import Watched
from plenipo.server.web.security import Guard
from plenipo.server.web.translation import InReadersLanguage

__all__ = ["PARTS", "create_app"]

PARTS = (
    advice,
    rematch,
    api,
    assets,
    games_run,
    gm_tools,
    events,
    feeds,
    matchmaking,
    mistakes,
    health,
    host_presets,
    images,
    rulings,
    deals,
    designing,
    press,
    language_choice,
    learn,
    live_boards,
    lobby,
    account,
    moderation,
    pages,
    passkeys,
    position_editor,
    profiles,
    providers,
    push,
    puzzles,
    reach,
    report,
    results,
    script_texts,
    notes,
    notifications,
    tournaments,
    votes,
)
"""The modules whose routes are the app's."""

REFUSALS: dict[int | str, dict[str, Any]] = {
    status: {"model": models.Failure, "description": description}
    for status, description in {
        400: "What was sent cannot be understood.",
        401: "A key is needed, or the one shown opens nothing here.",
        403: "The key does not open this.",
        404: "There is no such thing.",
        405: "The address cannot be used in that way.",
        409: "The phase is over, or the game is.",
        413: "Too much was sent.",
        415: "Something else than JSON was sent.",
        429: "Too much was asked for in a time; `Retry-After` says in how many seconds to try again.",
        422: "Something in what was sent is refused.",
        501: "This server cannot do that.",
        503: "The games cannot be reached now.",
    }.items()
}

_DOCUMENTING = Lock()

ABOUT = """Games of Diplomacy and its variants.

Every refusal is one sentence in `error.message`, with a stable word in `error.code`. Keys are shown as
`Authorization: Bearer KEY`; several are shown with `~` between them."""


@cache
def routes() -> tuple[BaseRoute, ...]:
    """Return the routes of all apps, made once: compiling their models takes a second at first use."""
    app = FastAPI(docs_url=None, redoc_url=None, openapi_url=None, responses=REFUSALS, redirect_slashes=False)
    for part in PARTS:
        app.include_router(part.router, dependencies=[Depends(admit_request)])
    app.add_api_route("/api/openapi.json", document, include_in_schema=False)
    return tuple(app.routes)


def document(request: Request) -> Response:
    """Answer with the OpenAPI document of the JSON interface."""
    app: FastAPI = request.app
    with _DOCUMENTING:  # the framework makes it once, and fails if two ask for it first
        made = app.openapi()
    return JSONResponse(made)


@asynccontextmanager
async def _run_tasks(
    list_tasks: Callable[[asyncio.Event], Iterable[Coroutine[Any, Any, None]]], pixels: Renderer, app: FastAPI
) -> AsyncIterator[None]:
    """Run the tasks of a server as long as its app runs; then end them, the renderer and the reader of files."""
    tasks = [asyncio.create_task(task) for task in list_tasks(asyncio.Event())]
    try:
        yield
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        pixels.close()
        app.state.services.files.close()


def create_app(
    service: GameService,
    *,
    names: Collection[str] | None = None,
    loops: str = "thread",
    mail: Outgoing | None = None,
    alone: bool = False,
    moderators: Collection[str] = (),
    provided_by: Sequence[Provider] = (),
    watchers: Sequence[Watcher] = (),
    child: Sequence[str] = (),
    renderer: Renderer | None = None,
    for_others: bool = True,
) -> FastAPI:
    """Return the app of a game service; it answers to the host names `names` only, or to any if that is None.

    `loops` is the place of the worker for due games: a `thread`, a `process` of its own, or `none`. The app sends the
    outgoing mail through `mail`; without it, mail waits for another process. `alone` means that the process does
    nothing else. `moderators` are the mail addresses of the moderators; `provided_by` are identity providers for
    signing in. `watchers` observe requests and loops; `child` are the arguments of the worker's process. `renderer`
    renders pictures as pixels, by default one of its own; it is closed with the app. Without `for_others` it is a
    personal server, and requests of its own machine are not limited.
    """
    pixels = renderer or Renderer()

    def list_tasks(woken: asyncio.Event) -> Iterator[Coroutine[Any, Any, None]]:
        yield events.watch(service, woken)
        if loops == "thread":
            yield worker.work(service, watchers)
        elif loops == "process":
            yield worker.apart(service.store.address, woken.set, *child)
        if alone:
            yield gc_tuning.settle_for_ever()
        if mail is not None:
            yield send_for_ever(service.store, mail, service.clock, watchers)

    app = FastAPI(
        title="Plenipo",
        version=__version__,
        description=ABOUT,
        lifespan=partial(_run_tasks, list_tasks, pixels),
        docs_url=None,
        redoc_url=None,
        openapi_url=None,
        routes=list(routes()),
        redirect_slashes=False,
    )
    moderated_by = frozenset(address.strip().casefold() for address in moderators)
    app.state.services = Services(
        service, moderated_by=moderated_by, provided_by=provided_by, renderer=pixels, for_others=for_others
    )

    errors.install(app, pages.error_page)
    app.add_middleware(InReadersLanguage)
    app.add_middleware(AnswerUnchanged, store=service.store)
    app.add_middleware(NamesReader, accounts=app.state.services.accounts)
    app.add_middleware(Guard, names=names)
    if watchers:
        app.add_middleware(Watched, watchers=watchers)
    return app

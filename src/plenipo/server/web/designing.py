"""The page of a designer: the mistakes in an added folder and its picture, again after every save.

A folder is read as often as somebody watches it, and checked once after each save for all viewers. The slower parts,
the drawing and the first years of a game, follow in a thread of their own, which stops at the next save.
"""

import asyncio
import json
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import suppress
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from threading import Event, Lock

from cachetools import LRUCache
from fastapi import APIRouter, Request
from fastapi.responses import Response, StreamingResponse
from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException

from plenipo import charts, library
from plenipo.engine.sentences import SentenceKind
from plenipo.errors import PlenipoError
from plenipo.languages import mark
from plenipo.library import plugins
from plenipo.library.mistakes import FaultyFile, Mistake
from plenipo.server.web.cache import respond
from plenipo.server.web.context import Here, Services, is_own_server
from plenipo.server.web.rendering import render_page

__all__ = ["FolderFindings", "find_mistakes", "router", "try_folder"]

router = APIRouter(include_in_schema=False)

_FILE_GONE = SentenceKind("server-file-gone", "this file is not there now; the page goes on when it is.")
_FILE_UNREADABLE = SentenceKind("server-file-unreadable", "a file of this folder cannot be read now.")

LOOK = 0.5
"""The seconds between two looks at the files of a folder that somebody watches."""

BEAT = 30
"""The number of looks without a change after which a comment line keeps the connection open."""

EVERYBODY = "designers"
"""The one subject for which open pages of designers are counted."""


@dataclass(frozen=True)
class FolderFindings:
    """The mistakes in a folder as it was saved: `saved` names that state; `tried` if it was drawn and played too."""

    saved: str
    mistakes: tuple[Mistake, ...]
    tried: bool

    @property
    def version(self) -> str:
        """The name of the findings so far."""
        return f"{self.saved}-{'tried' if self.tried else 'read'}"


class _FoundMistakes:
    """The mistakes found in the checked folders, and the places of all folders that were variants once."""

    def __init__(self) -> None:
        self.places: dict[str, Path] = {}
        self.newest: LRUCache[Path, FolderFindings] = LRUCache(64)
        self.reading = Lock()
        """Held while the files of a folder are checked, so that they are checked once for everybody."""
        self.trying = Lock()
        """Held while a folder is drawn and played, so that one is at a time."""

    def clear(self) -> None:
        """Forget everything."""
        self.places.clear()
        self.newest.clear()


_FOUND = _FoundMistakes()


def find_mistakes(name: str) -> FolderFindings:
    """Return what is known of the mistakes in an added folder; its files are checked if they changed.

    A folder without mistakes is from then on the one that the games of the variant go on with.
    """
    folder = _folder_of(name)
    with _FOUND.reading:
        saved = _name_state(folder, name)
        known = _FOUND.newest.get(folder)
        if known is None or known.saved != saved:
            mistakes = _check(folder, name)
            known = _FOUND.newest[folder] = FolderFindings(saved, mistakes, tried=bool(mistakes))
        return known


def try_folder(name: str, plays: Callable[[], bool] = lambda: True) -> None:
    """Draw the board of a folder without mistakes in its files and play its first years, unless that is being done.

    It stops, and nothing comes of it, when the folder is saved again, or it no longer `plays`.
    """
    folder, found = _folder_of(name), find_mistakes(name)

    def is_newest() -> bool:
        with _FOUND.reading:
            return _FOUND.newest.get(folder) is found

    if found.tried or not _FOUND.trying.acquire(blocking=False):
        return
    try:
        if not is_newest():
            return
        mistakes = _check(folder, name, tries=lambda: plays() and is_newest())
        with _FOUND.reading:
            if plays() and _FOUND.newest.get(folder) is found and _name_state(folder, name) == found.saved:
                _FOUND.newest[folder] = FolderFindings(found.saved, mistakes, tried=True)
    finally:
        _FOUND.trying.release()


def _check(folder: Path, name: str, tries: Callable[[], bool] | None = None) -> tuple[Mistake, ...]:
    """Return the mistakes in the files of a folder; where it `tries`, also those of the picture and of play."""
    file = folder / plugins.FILE
    if not file.is_file():
        return (Mistake(file, 0, _FILE_GONE()),)
    try:
        if tries is not None:
            version = plugins.version_of(name)
            charts.chart_of(library.load(name, as_saved=True), library.read(name, as_saved=True).figure, version)
        mistakes = library.check(folder, plays=tries or _plays_nothing)
        if not mistakes:
            library.load(name, as_saved=True)  # which keeps it for the games
    except FaultyFile as fault:
        return (fault.mistake,)
    except PlenipoError as fault:
        return (Mistake(file, 0, fault.sentence),)
    except (OSError, UnicodeDecodeError):
        return (Mistake(file, 0, _FILE_UNREADABLE()),)
    except Exception as fault:
        mistake = plugins.mistake_in_code(fault)
        if mistake is None:
            raise
        return (mistake,)
    return tuple(mistakes)


def _plays_nothing() -> bool:
    return False


def _name_state(folder: Path, name: str) -> str:
    """Return a name for the state of the files of a variant, and of those it takes something over from.

    If a folder could never be read, the missing folder may be any other one.
    """
    try:
        near = {layer.folder for layer in library.read(name).sources.values()}
    except (PlenipoError, OSError):
        near = {*plugins.find_added().values()}
    states = [(one.name, plugins.stamps_in(one)) for one in sorted({folder, *near})]
    return sha256(repr(states).encode()).hexdigest()[:16]


def _folder_of(name: str) -> Path:
    """Return the folder of an added variant, or of one that was there before; raise `HTTPException` for others."""
    added = plugins.find_added().get(name)
    if added is not None:
        _FOUND.places[name] = added
    if name not in _FOUND.places:
        raise HTTPException(404)
    return _FOUND.places[name]


def _admit_designer(request: Request, here: Services, variant: str) -> None:
    """Refuse all but the person whose own server this is, and all but added folders."""
    if not is_own_server(request, here):
        raise HTTPException(403, mark("This page is only on a server of your own: start 'plenipo serve' there."))
    _folder_of(variant)


@router.get("/variants/{variant}/design")
def design_page(request: Request, here: Here, variant: str) -> Response:
    """Show the mistakes in an added folder, and the picture of its board when it last had none."""
    _admit_designer(request, here, variant)
    found, folder = find_mistakes(variant), _folder_of(variant)
    try:
        title, drawn = library.load(variant).title, True
    except (PlenipoError, OSError):
        title, drawn = variant, False
    page = render_page(
        request,
        "design.html",
        variant=variant,
        title=title,
        found=found,
        drawn=drawn,
        places=[_name_place(mistake, folder) for mistake in found.mistakes],
        sentences=[_without_path(mistake.sentence, folder) for mistake in found.mistakes],
    )
    return respond(request, page, cache="no-store")


def _name_place(mistake: Mistake, folder: Path) -> str:
    """Return the name of the file of a mistake, with its folder where that is another one."""
    file = mistake.file
    return file.name if file.parent == folder else f"{file.parent.name}/{file.name}"


def _without_path(sentence: str, folder: Path) -> str:
    """Return a sentence that names files in a folder without the way to it on this machine."""
    for way in {f"{folder.parent}/", f"{folder.resolve().parent}/"}:
        if way in sentence:
            sentence = sentence.replace(way, "")
    return sentence


@router.get("/variants/{variant}/design/events")
async def design_events(request: Request, here: Here, variant: str) -> Response:
    """Stream a `findings` event whenever more is found, or something else, in an added folder."""
    _admit_designer(request, here, variant)
    here.designers.look(None, EVERYBODY)
    headers = {"cache-control": "no-store", "x-accel-buffering": "no"}
    return StreamingResponse(_watch(here, variant), media_type="text/event-stream", headers=headers)


async def _watch(
    here: Services, variant: str, wait: Callable[[float], Awaitable[None]] = asyncio.sleep
) -> AsyncGenerator[bytes, None]:
    """Yield an event at the first look, and at each look that finds another version; `wait` passes the time between."""
    told, quiet, left = "", 0, Event()
    trial: asyncio.Future[None] | None = None
    with here.designers.one(EVERYBODY):
        try:
            while True:
                found = await run_in_threadpool(find_mistakes, variant)
                quiet = 0 if found.version != told else quiet + 1
                if not quiet:
                    told = found.version
                    yield f"event: findings\ndata: {json.dumps({'version': told})}\n\n".encode()
                elif quiet % BEAT == 0:
                    yield b": still here\n\n"
                if trial is not None and trial.done():
                    trial.result()
                    trial = None
                if trial is None and not found.tried:
                    trial = asyncio.ensure_future(run_in_threadpool(try_folder, variant, lambda: not left.is_set()))
                await wait(LOOK)
        finally:
            left.set()
            if trial is not None:
                with suppress(asyncio.CancelledError):
                    await trial

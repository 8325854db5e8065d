"""The page of a designer: the mistakes in an added folder and its picture, again after every save."""

import asyncio
import json
from collections.abc import AsyncGenerator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from threading import Lock

from cachetools import LRUCache
from fastapi import APIRouter, Request
from fastapi.responses import Response, StreamingResponse
from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException

from plenipo import charts, library
from plenipo.errors import PlenipoError
from plenipo.languages import mark
from plenipo.library import plugins
from plenipo.library.mistakes import FaultyFile, Mistake
from plenipo.server.web.cache import respond
from plenipo.server.web.context import Here, Services, is_at_machine
from plenipo.server.web.rendering import render_page

__all__ = ["FolderFindings", "find_mistakes", "router"]

router = APIRouter(include_in_schema=False)

LOOK = 0.5
"""The seconds between two looks at the files of a folder that somebody watches."""

BEAT = 30
"""The number of looks without a change after which a comment line keeps the connection open."""


@dataclass(frozen=True)
class FolderFindings:
    """What was found in a folder as it was saved: `saved` names that state; `tried` where years were played too."""

    saved: str
    mistakes: tuple[Mistake, ...]
    tried: bool

    @property
    def version(self) -> str:
        """The name of what is found so far."""
        return f"{self.saved}-{'tried' if self.tried else 'read'}"


_FOUND: LRUCache[Path, FolderFindings] = LRUCache(64)
_FINDING = Lock()
"""The lock held while a folder is checked, so that one is checked at a time."""


def find_mistakes(name: str, *, tried: bool) -> FolderFindings:
    """Return the mistakes in an added folder as it is now; where it has none and is `tried`, those of its first years.

    A folder without mistakes is from then on the one that the games of the variant go on with.
    """
    folder = _folder_of(name)
    with _FINDING:
        saved = _name_state(folder, name)
        known = _FOUND.get(folder)
        if known is not None and known.saved == saved and (known.tried or not tried):
            return known
        mistakes = tuple(_check(folder, name, tried=tried))
        found = _FOUND[folder] = FolderFindings(saved, mistakes, tried or bool(mistakes))
        return found


def _check(folder: Path, name: str, *, tried: bool) -> Sequence[Mistake]:
    try:
        mistakes = library.check(folder, played=tried)
        if not mistakes:
            rules, figure = library.load(name, as_saved=True), library.read(name, as_saved=True).figure
            charts.chart_of(rules, figure, plugins.version_of(name))
    except FaultyFile as fault:
        return [fault.mistake]
    except PlenipoError as fault:
        return [Mistake(folder / plugins.FILE, 0, fault.sentence)]
    except (OSError, UnicodeDecodeError):
        return [Mistake(folder / plugins.FILE, 0, mark("a file of this folder cannot be read now."))]
    except Exception as fault:
        mistake = plugins.mistake_in_code(fault)
        if mistake is None:
            raise
        return [mistake]
    return mistakes


def _name_state(folder: Path, name: str) -> str:
    """Return a name for the state of the files of a variant, and of those it takes something over from."""
    with suppress(PlenipoError, OSError):
        layers = {layer.folder for layer in library.read(name).sources.values()}
        folder_states = [plugins.stamps_in(one) for one in sorted({folder, *layers})]
        return sha256(repr(folder_states).encode()).hexdigest()[:16]
    return sha256(repr([plugins.stamps_in(folder)]).encode()).hexdigest()[:16]


def _folder_of(name: str) -> Path:
    """Return the folder of an added variant; raise `HTTPException` for any other name."""
    folder = plugins.find_added().get(name)
    if folder is None:
        raise HTTPException(404)
    return folder


def _admit_designer(request: Request, variant: str) -> None:
    """Refuse all but the person at the machine of the server, and all but added folders."""
    if not is_at_machine(request):
        raise HTTPException(403, mark("This page is only for the person at the machine of the server."))
    _folder_of(variant)


@router.get("/variants/{variant}/design")
def design_page(request: Request, variant: str) -> Response:
    """Show the mistakes in an added folder, and the picture of its board when it last had none."""
    _admit_designer(request, variant)
    found = find_mistakes(variant, tried=False)
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
        places=[_name_place(mistake, _folder_of(variant)) for mistake in found.mistakes],
    )
    return respond(request, page, cache="no-store")


def _name_place(mistake: Mistake, folder: Path) -> str:
    """Return the name of the file of a mistake, with its folder where that is another one."""
    file = mistake.file
    return file.name if file.parent == folder else f"{file.parent.name}/{file.name}"


@router.get("/variants/{variant}/design/events")
async def design_events(request: Request, here: Here, variant: str) -> Response:
    """Stream a `findings` event whenever more is found, or something else, in an added folder."""
    _admit_designer(request, variant)
    here.designers.look(None, EVERYBODY)
    headers = {"cache-control": "no-store", "x-accel-buffering": "no"}
    return StreamingResponse(_watch(here, variant), media_type="text/event-stream", headers=headers)


EVERYBODY = "designers"
"""The one subject for which open pages of designers are counted."""


async def _watch(here: Services, variant: str) -> AsyncGenerator[bytes, None]:
    told, quiet = "", 0
    with here.designers.one(EVERYBODY):
        while True:
            try:
                found = await run_in_threadpool(find_mistakes, variant, tried=told.endswith("-read"))
                version = found.version
            except HTTPException:  # the folder is no variant any more
                version = "gone"
            quiet = 0 if version != told else quiet + 1
            if version != told:
                told = version
                yield f"event: findings\ndata: {json.dumps({'version': version})}\n\n".encode()
            elif quiet % BEAT == 0:
                yield b": still here\n\n"
            if version.endswith("-read"):
                continue  # what takes longer is looked for now
            await asyncio.sleep(LOOK)

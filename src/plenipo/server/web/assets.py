"""The files of the pages: read and compressed once, and served below an address that changes when any of them does."""

import hashlib
import re
from collections.abc import Iterator
from functools import cached_property
from mimetypes import guess_type
from pathlib import Path

from fastapi import APIRouter, Request
from fastapi.responses import Response
from starlette.exceptions import HTTPException

from plenipo.server.web.cache import Payload, respond

__all__ = ["ASSETS", "Assets", "read_asset", "router"]

YEAR = 365 * 24 * 3600

_IMPORT = re.compile(r"""^(?:import|export)\b[^'";()]*['"]\./([\w.-]+)['"]""", re.MULTILINE)

_COMMENT = re.compile(r"^[ \t]*(?:/\*(?:[^*]|\*(?!/))*\*/|//[^\n]*)[ \t]*\n", re.MULTILINE)
"""A comment that has its lines to itself, as in a script or a stylesheet."""

COMMENTED = {".js", ".css"}

LEVEL = 9
"""The compression level of files, which are compressed once."""


def read_asset(file: Path) -> bytes:
    """Return the content of a file for sending; comments, a sixth of the bytes, are left out of scripts and styles."""
    if file.suffix not in COMMENTED:
        return file.read_bytes()
    return _COMMENT.sub("", file.read_text(encoding="utf-8")).encode()


class Assets:
    """The files of one folder."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._modules: dict[str, tuple[str, ...]] = {}

    @cached_property
    def payloads(self) -> dict[str, Payload]:
        """Each file by its path below the folder."""
        files = sorted(file for file in self.folder.rglob("*") if file.is_file())
        return {
            file.relative_to(self.folder).as_posix(): Payload(
                read_asset(file), guess_type(file.name)[0] or "application/octet-stream", LEVEL
            )
            for file in files
        }

    @cached_property
    def version(self) -> str:
        """Return a fingerprint of all files; the files name each other, so they change address together."""
        tags = "".join(f"{name} {payload.tag}\\n" for name, payload in self.payloads.items())
        return hashlib.sha256(tags.encode()).hexdigest()[:12]

    def address(self, name: str) -> str:
        """Return the address of a file; raise `KeyError` if there is none."""
        self.payloads[name]
        return f"/static/{self.version}/{name}"

    def modules(self, name: str) -> tuple[str, ...]:
        """Return the addresses of all modules that a module imports, so that a browser can request them at once."""
        if name not in self._modules:
            needed = dict.fromkeys(self._list_imports(name, set()))
            self._modules[name] = tuple(self.address(other) for other in needed if other != name)
        return self._modules[name]

    def _list_imports(self, name: str, before: set[str]) -> Iterator[str]:
        if name in before:
            return
        before.add(name)
        yield name
        for other in _IMPORT.findall(self.payloads[name].body.decode()):
            yield from self._list_imports(other, before)


ASSETS = Assets(Path(__file__).with_name("static"))

router = APIRouter(include_in_schema=False)


@router.get("/static/{path:path}")
def asset(request: Request, path: str) -> Response:
    """Return a file of the pages; browsers keep a file requested by the version of its content for a year."""
    version, _, name = path.partition("/")
    current = version == ASSETS.version
    # a page of before an update finds the files of now
    payload = ASSETS.payloads.get(path) or ASSETS.payloads.get(name)
    if payload is None:
        raise HTTPException(404)
    return respond(request, payload, cache=f"public, max-age={YEAR}, immutable" if current else "public, no-cache")

"""Map files of the package `diplomacy` as variants: made into folders of data when one is asked for by its name."""

import re
from atexit import register
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from shutil import rmtree
from tempfile import mkdtemp

from plenipo.boards_in import READERS, open_source, variant_files
from plenipo.engine.sentences import say
from plenipo.errors import InvalidBoardFile, InvalidVariant, UnknownName
from plenipo.formats.diplomacy_package import MAP_SUFFIX
from plenipo.user_files import check

__all__ = ["PACKAGE", "folder_from", "is_map_file", "write_variant"]

PACKAGE = "diplomacy"
"""The package that brings map files, in its folder `maps`; it is looked for and never imported."""

_NAME = re.compile(r"[\w.-]+")


def is_map_file(name_or_path: str | Path) -> bool:
    """Return True if the name or path is that of a map file."""
    return str(name_or_path).endswith(MAP_SUFFIX)


def folder_from(name_or_path: str | Path, near: Path | None = None) -> Path:
    """Return the folder of a variant made from a map file, which exists as long as the program runs.

    The file is looked for in the folder `near`, in the working directory, and by its bare name among the maps of the
    installed package. Raises `UnknownName` if there is none, `OSError` and `InvalidVariant` if it cannot be read.
    """
    file = _find_map_file(name_or_path, near)
    check(file)
    return _make_folder(file.resolve(), file.stat().st_mtime_ns)


def write_variant(file: Path, folder: Path) -> None:
    """Write the files of the variant that a map file is into `folder`; raises `InvalidVariant` and `OSError`."""
    try:
        files = variant_files(READERS["judge_map"].read(open_source(file), file.name))
    except InvalidBoardFile as fault:
        raise InvalidVariant(say("The map cannot be read: {fault}", fault=fault)) from fault
    folder.mkdir(parents=True, exist_ok=True)
    for name, text in files.items():
        (folder / name).write_text(text, encoding="utf-8")


def _find_map_file(name_or_path: str | Path, near: Path | None) -> Path:
    name = str(name_or_path)
    places = [place / name for place in (near, Path()) if place is not None]
    if _NAME.fullmatch(name):
        spec = find_spec(PACKAGE)
        places += [Path(folder) / "maps" / name for folder in (spec and spec.submodule_search_locations) or ()]
    for place in places:
        if place.exists():
            return place
    raise UnknownName(
        say(
            "'{name}' is a map of the package {package}, and neither that package nor such a file is here: "
            "install the package, or name the file with --variant.",
            name=name,
            package=PACKAGE,
        )
    )


@cache
def _make_folder(file: Path, _changed: int) -> Path:
    """Return the folder made of a file as it was at the time `_changed`."""
    folder = Path(mkdtemp(prefix="plenipo-map-"))
    register(rmtree, folder, ignore_errors=True)
    write_variant(file, folder / file.name)
    return folder / file.name

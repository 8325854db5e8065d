"""Private files of a server, readable only by their owner: the database, backups, and mail in files."""

import os
from contextlib import suppress
from pathlib import Path

from platformdirs import user_data_path
from sqlalchemy.engine import make_url
from sqlalchemy.exc import ArgumentError

__all__ = ["UMASK", "data_folder", "database_files", "keep_private"]

UMASK = 0o077
"""The mode bits removed from new files and folders, so that only their owner can open them."""

OPEN_TO_OTHERS = 0o077


def data_folder() -> Path:
    """Return the user's data folder, which may not be there yet."""
    return user_data_path("plenipo", appauthor=False)


def database_files(database: str | None) -> tuple[Path, ...]:
    """Return the files of a database that are there: itself, its log and its index; none for one that is no file."""
    if not database:
        return ()
    name: str | None = database
    if "://" in database:
        try:
            url = make_url(database)
        except ArgumentError:
            return ()
        name = url.database if url.get_backend_name() == "sqlite" else None
    if not name:
        return ()
    return tuple(path for end in ("", "-wal", "-shm", "-journal") if (path := Path(name + end)).is_file())


def keep_private(database: str | None) -> None:
    """Make all files that this process writes from now on private, and existing ones too.

    Existing files are those of the user's data folder, and those of a `database` elsewhere, but not its folder.
    """
    os.umask(UMASK)
    folder = data_folder()
    if folder.is_dir():
        _close(folder)
        for path in folder.rglob("*"):
            if not path.is_symlink():
                _close(path)
    for path in database_files(database):
        _close(path)


def _close(path: Path) -> None:
    with suppress(OSError):  # it belongs to another user, or is gone
        mode = path.stat().st_mode
        if mode & OPEN_TO_OTHERS:
            path.chmod(mode & 0o7777 & ~OPEN_TO_OTHERS)

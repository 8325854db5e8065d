"""`plenipo backup` and `plenipo restore`: a copy of all games during play, and its verification."""

from pathlib import Path
from typing import Annotated

import typer

from plenipo.cli.options import Database, refuse
from plenipo.cli.serve import needs_server
from plenipo.engine.wording import count
from plenipo.errors import PlenipoError

__all__ = ["backup", "restore"]


def backup(
    file: Annotated[Path, typer.Argument(help="The new file that the games are copied into.", show_default=False)],
    database: Database = None,
) -> None:
    """Copy all games into a file, even while a server is running."""
    with needs_server():
        from plenipo.server.backup import back_up  # noqa: PLC0415  # an extra
        from plenipo.server.private_files import keep_private  # noqa: PLC0415
        from plenipo.server.store import Store  # noqa: PLC0415
    try:
        keep_private(database)
        store = Store(database)
        back_up(store, file)
        typer.echo(f"{count(store.count(), 'game')} copied to {file}.")
        store.close()
    except (PlenipoError, OSError) as fault:
        refuse(str(fault))


def restore(
    file: Annotated[Path, typer.Argument(help="The backup.", show_default=False)],
    database: Annotated[
        str | None, typer.Option(help="The new file that games are kept in from now on.", show_default=False)
    ] = None,
    *,
    check: Annotated[bool, typer.Option("--check", help="Only look whether it is whole; nothing is changed.")] = False,
) -> None:
    """Restore a backup, after verifying every record and every journal in it."""
    with needs_server():
        from plenipo.server import backup  # noqa: PLC0415  # an extra
    if not check and database is None:
        refuse("Name the file that games are to be kept in with '--database', or only '--check' the backup.")
    try:
        report = backup.checked(file)
        if report.faults:
            refuse(" ".join(report.faults[:3]))
        if not check:
            backup.restore(file, database or "")
    except (PlenipoError, OSError) as fault:
        refuse(str(fault))
    letters = f" and {count(report.letters, 'letter')}" if report.letters else ""
    typer.echo(f"{count(report.games, 'game')} with {count(report.turns, 'turn')}{letters}: every record verifies.")

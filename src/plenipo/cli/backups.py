"""`plenipo backup` and `plenipo restore`: a copy of all games during play, and its verification."""

from pathlib import Path
from typing import Annotated

import typer

from plenipo.cli.options import Database, refuse
from plenipo.cli.serve import needs_server
from plenipo.errors import PlenipoError
from plenipo.languages.current import _, in_words, plural

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
        typer.echo(
            plural("{number} game copied to {file}.", "{number} games copied to {file}.", store.count(), file=file)
        )
        store.close()
    except (PlenipoError, OSError) as fault:
        refuse(in_words(fault))


def restore(
    file: Annotated[Path, typer.Argument(help="The backup.", show_default=False)],
    database: Annotated[
        str | None, typer.Option(help="The new file that games are kept in from now on.", show_default=False)
    ] = None,
    *,
    check: Annotated[bool, typer.Option("--check", help="Only check the backup; nothing is changed.")] = False,
) -> None:
    """Restore a backup, after verifying every record and every journal in it."""
    with needs_server():
        from plenipo.server import backup  # noqa: PLC0415  # an extra
    if not check and database is None:
        refuse(_("Name the file that games are to be kept in with '--database', or only '--check' the backup."))
    try:
        report = backup.check_backup(file)
        if report.faults:
            refuse(" ".join(report.faults[:3]))
        if not check:
            backup.restore(file, database or "")
    except (PlenipoError, OSError) as fault:
        refuse(in_words(fault))
    parts = {
        "games": plural("{number} game", "{number} games", report.games),
        "turns": plural("{number} turn", "{number} turns", report.turns),
    }
    if report.messages:
        messages = plural("{number} message", "{number} messages", report.messages)
        typer.echo(_("{games} with {turns} and {messages}: every record verifies.", messages=messages, **parts))
    else:
        typer.echo(_("{games} with {turns}: every record verifies.", **parts))

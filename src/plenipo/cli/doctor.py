"""`plenipo doctor`: checks of an installation, a line each, with advice on what to change."""

import json
import os
from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer

from plenipo.cli.options import AsJson, Database
from plenipo.languages.current import _, in_words, mark

__all__ = ["doctor"]

_STATES = {"ok": mark("ok"), "warning": mark("warning"), "fault": mark("fault")}
"""The states of checks, as words."""


def doctor(
    database: Database = None,
    name: Annotated[
        list[str] | None, typer.Option(envvar="PLENIPO_NAME", help="A name the server answers to; may be given again.")
    ] = None,
    address: Annotated[
        str | None, typer.Option(envvar="PLENIPO_ADDRESS", help="The public address of the server.", show_default=False)
    ] = None,
    moderator: Annotated[list[str] | None, typer.Option(help="The mail address of a moderator.")] = None,
    backups: Annotated[
        Path | None, typer.Option(envvar="PLENIPO_BACKUPS", help="The folder of the backups.", show_default=False)
    ] = None,
    settings: Annotated[  # its mode is checked; what is in it comes by the environment, and root may own it
        Path, typer.Option(help="The file with the settings of the services.", readable=False)
    ] = Path("/etc/plenipo.env"),
    *,
    connect: Annotated[
        bool, typer.Option("--connect/--no-connect", help="Connect to the public address and the mail server.")
    ] = True,
    as_json: AsJson = False,
) -> None:
    """Check an installation: each check is ok, a warning or a fault. The exit status is 1 if there is a fault."""
    from plenipo.server.doctor import CheckState, Installation, examine  # noqa: PLC0415  # a command imports what it needs

    installation = Installation(
        os.environ,
        database,
        tuple(name or ()),
        address,
        tuple(moderator or ()),
        backups,
        settings,
        connect,
    )
    found = []
    for one in examine(installation):
        found.append(one)
        if not as_json:
            advice = f" {in_words(one.advice)}" if one.advice else ""
            typer.echo(f"{_(_STATES[one.state.value]):<8} {one.check:<10} {in_words(one.text)}{advice}")
    faulty = any(one.state is CheckState.FAULT for one in found)
    if as_json:
        typer.echo(
            json.dumps({"ok": not faulty, "checks": [asdict(one) for one in found]}, ensure_ascii=False, indent=2)
        )
    raise typer.Exit(int(faulty))

"""`plenipo sbom`: the software bill of materials of the installation."""

import json
from pathlib import Path
from typing import Annotated

import typer

from plenipo.cli.options import refuse
from plenipo.cli.serve import needs_server
from plenipo.languages.current import _

__all__ = ["sbom"]


def sbom(
    lock: Annotated[
        Path | None,
        typer.Option(help="The file with the hashes of the packages.", show_default="the lock of Plenipo"),
    ] = None,
) -> None:
    """Print the software bill of materials: installed packages with licences and hashes, as CycloneDX JSON."""
    with needs_server(_("The bill of materials")):
        from plenipo.sbom import find_lock, make_sbom, read_lock  # noqa: PLC0415  # an extra
        from plenipo.server.clock import SystemClock  # noqa: PLC0415  # an extra
    file = lock or find_lock()
    try:
        text = file.read_text(encoding="utf-8") if file is not None else ""
    except (OSError, UnicodeDecodeError):
        refuse(_("'{file}' cannot be read.", file=file))
    known = read_lock(text)
    if lock is not None and not known:
        refuse(_("'{file}' has no package with a hash.", file=lock))
    typer.echo(json.dumps(make_sbom(known, SystemClock().now()), ensure_ascii=False, indent=2))

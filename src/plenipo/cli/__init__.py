"""The command line; `plenipo --help` lists the commands, `docs/command-line.md` describes them."""

from plenipo.cli.main import app

__all__ = ["app"]

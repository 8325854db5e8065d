"""The program `plenipo`: its own options, and its commands by name.

Only Typer is imported at once. The module of a command is imported when the command is run or its help is shown, and
imports what it needs itself, so that each starts quickly.
"""

import sys
from collections.abc import Iterator, Mapping
from functools import cache
from importlib import import_module
from io import TextIOWrapper
from typing import Annotated, Any

import typer
from typer.main import get_group

from plenipo import __version__
from plenipo.cli.completions import prepare_completions
from plenipo.cli.language import LanguageGroup, TranslatedGroup
from plenipo.languages.current import _

__all__ = ["COMMANDS", "app"]

COMMANDS = {
    "play": "playing:play",
    "serve": "serve:serve",
    "new": "map_commands:new",
    "check": "variants:check",
    "variants": "variants:variants",
    "board": "variants:board",
    "rulebooks": "variants:rulebooks",
    "show": "drawing:show",
    "replay": "drawing:replay",
    "adjudicate": "adjudicating:adjudicate",
    "cases": "adjudicating:cases",
    "verify": "adjudicating:verify",
    "convert": "converting:convert",
    "replay-check": "converting:replay_check",
    "import": "board_import:import_boards",
    "map": "map_commands:maps",
    "faults": "faults:faults",
    "puzzle": "puzzles:puzzle",
    "puzzles": "puzzles:puzzles",
    "review": "matches:review",
    "match": "matches:match",
    "survey": "matches:survey",
    "selfplay": "kernel:selfplay",
    "warm": "kernel:warm",
    "daide": "daide:daide",
    "work": "serve:work",
    "backup": "backups:backup",
    "restore": "backups:restore",
    "reports": "reports:reports",
    "doctor": "doctor:doctor",
    "completions": "completions:completions",
    "sbom": "sbom:sbom",
}
"""Each command with the module of this package and the name in it: a function, or a group of commands."""


def build_command(name: str) -> Any:
    """Import a command and return it as Typer runs it; raises `KeyError` if there is none of this name."""
    module, _colon, named = COMMANDS[name].partition(":")
    found = getattr(import_module(f"plenipo.cli.{module}"), named)
    alone = typer.Typer(rich_markup_mode=None)
    if isinstance(found, typer.Typer):
        alone.add_typer(found, name=name, cls=TranslatedGroup)
    else:
        alone.command(name)(found)
    return get_group(alone).commands[name]


class CommandTable(Mapping[str, Any]):
    """The commands of the program, each built when it is first asked for."""

    def __init__(self) -> None:
        self._build = cache(build_command)

    def __getitem__(self, name: str) -> Any:
        return self._build(name)

    def __contains__(self, name: object) -> bool:
        return name in COMMANDS

    def __iter__(self) -> Iterator[str]:
        return iter(COMMANDS)

    def __len__(self) -> int:
        return len(COMMANDS)


class CommandGroup(LanguageGroup):
    """The group of all commands."""

    def __init__(self, **attributes: Any) -> None:
        super().__init__(**attributes | {"commands": CommandTable()})


app = typer.Typer(
    name="plenipo",
    cls=CommandGroup,
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 110},
)


prepare_completions()


def _version(*, wanted: bool) -> None:
    if wanted:
        typer.echo(f"plenipo {__version__}")
        raise typer.Exit


def _licences(*, wanted: bool) -> None:
    if wanted:
        from plenipo.licences import list_licences  # noqa: PLC0415  # a command imports what it needs

        own, *others = list_licences()
        typer.echo(
            _(
                "Plenipo {version} is under the {licence} licence. It uses these packages:",
                version=own.version,
                licence=own.licence,
            )
        )
        widths = (max(len(one.package) for one in others), max(len(one.version) for one in others))
        for one in others:
            typer.echo(f"{one.package:<{widths[0]}}  {one.version:<{widths[1]}}  {one.licence}".rstrip())
        raise typer.Exit


@app.callback()
def main(
    *,
    version: Annotated[  # noqa: ARG001  # its callback does the work
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Show the version.")
    ] = False,
    licences: Annotated[  # noqa: ARG001  # the same
        bool,
        typer.Option(
            "--licences", callback=_licences, is_eager=True, help="Show the licences of Plenipo and of its packages."
        ),
    ] = False,
    language: Annotated[  # noqa: ARG001  # `LanguageGroup` takes it out, wherever it stands
        str | None,
        typer.Option(metavar="TAG", help="The language, such as de; also PLENIPO_LANGUAGE.", show_default="en"),
    ] = None,
) -> None:
    """Diplomacy where the rules are a variable."""
    # characters that the terminal cannot show or decode must not end a game
    for stream in (sys.stdin, sys.stdout):
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="replace")

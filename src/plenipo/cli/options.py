"""Arguments and options that several commands share, and their errors."""

import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, NoReturn

import typer

from plenipo.cli.completions import complete_variant
from plenipo.languages.current import _, in_words

if TYPE_CHECKING:
    from plenipo.engine.rules import Rules

__all__ = [
    "UNUSABLE",
    "VARIANT",
    "AsJson",
    "Database",
    "FolderOption",
    "GameNumberOption",
    "GamesOption",
    "Ray",
    "ReportOption",
    "Seed",
    "SettingsOption",
    "ThemeOption",
    "Trust",
    "VariantArgument",
    "VotesOption",
    "Workers",
    "Years",
    "load_rules",
    "options_from",
    "pairs",
    "print_whole",
    "refuse",
    "report_faults",
]

UNUSABLE = 2
"""The exit status of an invalid call."""

WIDEST = 10_000
"""A number of columns greater than that of any table."""

VARIANT = "A variant by its name (`plenipo variants` lists them), or the folder of one."
VariantArgument = Annotated[str, typer.Argument(help=VARIANT, autocompletion=complete_variant)]
SettingsOption = Annotated[
    list[str] | None,
    typer.Option("--set", metavar="KEY=VALUE", help="An option, such as rulebook=1971 or 4.A.2=1982. May be repeated."),
]

Workers = Annotated[int, typer.Option(help="Processes that share the games.", min=1)]
Ray = Annotated[bool, typer.Option("--ray", help="Share the games on Ray instead; needs plenipo[ray].")]
Years = Annotated[int, typer.Option(help="The number of years after which an undecided game ends.", min=1)]
VotesOption = Annotated[bool, typer.Option("--votes", help="Computers vote on draws and concessions after each year.")]
Seed = Annotated[str, typer.Option(help="Any text; it decides all chance.")]
ReportOption = Annotated[Path | None, typer.Option(help="Write a page with tables and plots to this file.")]
GamesOption = Annotated[int, typer.Option(help="The number of games.", min=1)]
GameNumberOption = Annotated[
    int | None,
    typer.Option("--game", help="The number of a game of the match, from 0.", min=0, show_default="the only one"),
]
FolderOption = Annotated[str | None, typer.Option(help="The folder of its variant, if the package lacks it.")]
ThemeOption = Annotated[str, typer.Option(help="Colours: `light`, `dark`, and others.")]
AsJson = Annotated[bool, typer.Option("--json", help="Print all of it as one JSON object.")]
Database = Annotated[
    str | None,
    typer.Option(
        help="A file, or an address such as postgresql://…",
        show_default="in your data folder",
        envvar="PLENIPO_DATABASE",
    ),
]


def _trust(*, allowed: bool) -> None:
    if allowed:
        from plenipo.library import plugins  # noqa: PLC0415  # a command imports what it needs

        plugins.trust_code()


Trust = Annotated[
    bool,
    typer.Option("--trust", callback=_trust, help="Run the code that a variant brings in its folder (rules.py)."),
]
"""An option that takes effect before the command runs."""


def refuse(sentence: str) -> NoReturn:
    """End the command with `sentence` on the error stream."""
    typer.echo(sentence, err=True)
    raise typer.Exit(UNUSABLE)


@contextmanager
def report_faults(extra: str = "maps") -> Iterator[None]:
    """Report every fault of the input, of the machine or of a plug-in as one sentence on the error stream.

    `extra` is the optional dependency of the command, which does not come with Plenipo itself.
    """
    from plenipo import extras  # noqa: PLC0415  # a command imports what it needs
    from plenipo.errors import PlenipoError  # noqa: PLC0415

    try:
        with extras.require(extra):
            yield
    except PlenipoError as fault:
        refuse(in_words(fault))
    except BrokenPipeError:
        # the reader of the output has closed it
        sys.stdout = None
        raise typer.Exit(1) from None
    except OSError as fault:
        refuse(_("'{file}' cannot be used: {reason}.", file=fault.filename, reason=_reason(fault)))
    except UnicodeDecodeError:
        refuse(_("The file is not UTF-8 text."))
    except typer.Exit:
        raise
    except ImportError as fault:
        refuse(in_words(extras.explain(fault)))
    except Exception as fault:
        from plenipo.library import plugins  # noqa: PLC0415

        blamed = plugins.blame(fault)
        if not blamed:
            raise
        refuse(in_words(blamed))


def _reason(fault: OSError) -> str:
    return (fault.strerror or str(fault)).lower()


def pairs(texts: Iterable[str], example: str) -> dict[str, str]:
    """Return `key=value` texts as a mapping."""
    values: dict[str, str] = {}
    for text in texts:
        key, mark, value = text.partition("=")
        if not mark or not key or not value:
            refuse(_("'{text}' is not a setting; write {example}.", text=text, example=example))
        values[key.strip()] = value.strip()
    return values


def print_whole(table: object) -> None:
    """Print a table: as wide as the terminal, or at its full width where a program reads it."""
    from rich.measure import Measurement  # noqa: PLC0415  # a command imports what it needs

    from plenipo.cli.terminal import plain_console  # noqa: PLC0415

    console = plain_console()
    if not console.is_terminal:
        wide = console.options.update(width=WIDEST)
        console.width = max(console.width, Measurement.get(console, wide, table).maximum)  # type: ignore[arg-type]
    console.print(table)


def load_rules(variant: str, settings: list[str] | None = None) -> "Rules":
    """Load a variant with the options of a call."""
    from plenipo import library  # noqa: PLC0415  # a command imports what it needs

    return library.load(variant, options_from(settings))


def options_from(settings: Iterable[str] | None) -> dict[str, str]:
    """Return the options of a game."""
    return pairs(settings or (), _("--set KEY=VALUE, for instance --set rulebook=1971"))

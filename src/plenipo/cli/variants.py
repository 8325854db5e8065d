"""`plenipo variants`, `check`, `board` and `rulebooks`: what is installed, and what its files say."""

import json
from typing import Annotated

import typer

from plenipo.cli.completions import complete_variant
from plenipo.cli.options import (
    AsJson,
    SettingsOption,
    Trust,
    VariantArgument,
    load_rules,
    print_whole,
    refuse,
    report_faults,
)
from plenipo.languages.current import _, in_words, plural

__all__ = ["board", "check", "rulebooks", "variants"]


def variants(
    named: Annotated[
        list[str] | None,
        typer.Argument(help="Show the options of these.", show_default="none", autocompletion=complete_variant),
    ] = None,
    *,
    bank: Annotated[bool, typer.Option("--bank", help="List the variants of the library.")] = False,
    trust: Trust = False,  # noqa: ARG001  # its callback does the work
) -> None:
    """List the variants and plug-ins with their packages, or the options of some variants."""
    from plenipo import library  # noqa: PLC0415
    from plenipo.cli import tables  # noqa: PLC0415
    from plenipo.errors import PlenipoError  # noqa: PLC0415
    from plenipo.library import plugins  # noqa: PLC0415

    with report_faults():
        for name in named or ():
            print_whole(tables.options(library.load(name).title, library.options_of(name)))
        if named:
            return
        if bank:
            print_whole(tables.bank(map(library.read, library.bank())))
            return
        rows = []
        packages = {plugin.name: plugin.package for plugin in plugins.variants().installed_plugins}
        for name in library.names():
            try:
                rules = library.load(name)
            except PlenipoError as fault:
                if name not in packages:
                    raise
                said = _(
                    "The variant '{name}' of {package} cannot be used: {fault}",
                    name=name,
                    package=packages[name],
                    fault=fault,
                )
                typer.echo(said, err=True)
                continue
            numbers = (len(rules.names), len(rules.board.centres))
            rows.append((name, rules.title, *numbers, rules.victory_condition, packages.get(name, "")))
        print_whole(tables.variants(rows))
        print_whole(tables.plugged_in(plugins.every_shelf()))
        for shelf in plugins.every_shelf():
            for sentence in shelf.faults.values():
                typer.echo(in_words(sentence), err=True)


def check(
    folders: Annotated[list[str], typer.Argument(help="Folders of variants, or names of installed ones.")],
    games: Annotated[
        int, typer.Option(help="Also play this number of random games, and compare record, picture and kernel.", min=0)
    ] = 0,
    years: Annotated[int, typer.Option(help="The number of years each game is played.", min=1)] = 12,
    *,
    trust: Trust = False,  # noqa: ARG001  # its callback does the work
) -> None:
    """Find every mistake in the files of variants; the exit status is 1 if there are any."""
    from plenipo import library  # noqa: PLC0415

    found = 0
    with report_faults():
        for folder in folders:
            place = library.folder_of(folder)
            mistakes = list(map(in_words, library.check(place)))
            if games and not mistakes:
                from plenipo import conformance  # noqa: PLC0415

                mistakes = [f"{place.name}: {fault}" for fault in conformance.faults(place, games, years)]
            for mistake in mistakes:
                typer.echo(mistake)
            found += len(mistakes)
    typer.echo(plural("{number} mistake found.", "{number} mistakes found.", found))
    if found:
        raise typer.Exit(1)


def board(
    variant: VariantArgument = "standard",
    settings: SettingsOption = None,
    *,
    as_json: AsJson = False,
    trust: Trust = False,  # noqa: ARG001  # its callback does the work
) -> None:
    """Show the board of a variant: spaces, contacts, coasts, centres, opening."""
    from plenipo import boards  # noqa: PLC0415
    from plenipo.cli import tables  # noqa: PLC0415

    with report_faults():
        rules = load_rules(variant, settings)
        if as_json:
            typer.echo(json.dumps(boards.describe_board(rules), indent=1, ensure_ascii=False))
        else:
            print_whole(tables.board_of(rules))


def rulebooks(
    keys: Annotated[list[str] | None, typer.Argument(help="Only these policies.", show_default="all")] = None,
) -> None:
    """List the policies on which rulebooks differ, and the choices of each edition."""
    from plenipo.cli import tables  # noqa: PLC0415
    from plenipo.engine.rulebook import POLICIES  # noqa: PLC0415

    for key in keys or ():
        if key not in POLICIES:
            refuse(_("'{name}' is not a policy; there are {policies}.", name=key, policies=", ".join(POLICIES)))
    print_whole(tables.rulebooks(keys or ()))

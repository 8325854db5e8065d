"""`plenipo map`: compile an authored map, place labels and units on it, check both; `plenipo new`: a first folder."""

import os
import re
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from plenipo.cli.options import refuse, report_faults
from plenipo.engine.sentences import say
from plenipo.errors import InvalidVariant
from plenipo.languages.current import _, in_words, plural

if TYPE_CHECKING:
    from plenipo.engine.board import Board

__all__ = ["maps", "new"]

maps = typer.Typer(no_args_is_help=True, help="Compile, place and check the map of a variant.")

Folders = Annotated[list[str], typer.Argument(help="Folders of variants, or names of installed ones.")]

NAME = re.compile(r"[^\W_][\w-]{0,59}")
"""The names of new folders."""


@maps.command("compile")
def compile_maps(folders: Folders) -> None:
    """Compile the `map.toml` of variants to the `figure.json` beside it."""
    from plenipo.cli.terminal import progress  # noqa: PLC0415  # a command imports what it needs

    with report_faults():
        from plenipo.maps.authoring.atlas import compile_map, write_figure  # noqa: PLC0415  # brings shapely

        with progress(_("Compiling")) as advance:
            for done, name in enumerate(folders):
                advance(done, len(folders))
                file = _map_in(name)
                try:
                    figure = compile_map(file)
                except ValueError as fault:
                    refuse(f"{file}: {in_words(fault)}{_seen_in(file, fault)}")
                beside = write_figure(file, figure)
                sizes = {"faces": len(figure.faces), "corners": len(figure.nodes), "edges": len(figure.arcs)}
                typer.echo(_("{file}: {faces} faces, {corners} corners, {edges} edges", file=beside, **sizes))


def _seen_in(file: Path, fault: Exception) -> str:
    """Write the cut-out of a map whose lines cross beside it; return the words about it, none for any other fault."""
    from plenipo.maps.authoring.atlas import CrossingLines  # noqa: PLC0415

    if not isinstance(fault, CrossingLines):
        return ""
    beside = file.with_name("fault.svg")
    beside.write_text(fault.cutout, encoding="utf-8")
    return " " + _("(red in {file})", file=beside)


def _map_in(name: str) -> Path:
    """Return the `map.toml` of a variant, of a folder that is none yet, or the file itself; raise `InvalidVariant`."""
    from plenipo import library  # noqa: PLC0415

    path = Path(name)
    folder = path.parent if path.name == "map.toml" else path if path.is_dir() else library.folder_of(name)
    if not (folder / "map.toml").is_file():
        raise InvalidVariant(say("'{name}' has no map.toml, which is what is compiled.", name=folder.name))
    return folder / "map.toml"


@maps.command("place")
def place_maps(
    folders: Folders,
    *,
    routes: Annotated[bool, typer.Option("--routes", help="The routes of moves alone.")] = False,
    small: Annotated[bool, typer.Option("--small", help="The codes and marks of small pictures alone.")] = False,
    detail: Annotated[bool, typer.Option("--detail", help="How finely lines are drawn alone.")] = False,
) -> None:
    """Find where names, units and centres stand on a map, and write its `placements.json`.

    Hints are taken from a `placements.toml` beside the figure. A board that is given by its contacts is laid out, and
    its figure is written as well.
    """
    from plenipo.cli.terminal import progress  # noqa: PLC0415

    with report_faults(), progress(_("Placing")) as advance:
        for done, name in enumerate(folders):
            advance(done, len(folders))
            typer.echo(place(name, routes=routes, small=small, detail=detail))


def boards_on(figure: Path, also: str) -> "Iterator[Board]":
    """Yield the boards of the variant `also` and of every variant of the package that is played on the same figure."""
    from plenipo import library  # noqa: PLC0415

    own = (folder.parent.name for folder in sorted(library.VARIANTS.glob("*/variant.toml")))
    for name in dict.fromkeys((also, *own)):
        if library.read(name).figure == figure:
            yield library.load(name).board


def place(name: str, *, routes: bool = False, small: bool = False, detail: bool = False) -> str:
    """Find the placements of a variant and write them beside its figure; return a sentence about them."""
    from plenipo import library  # noqa: PLC0415
    from plenipo.maps.draw.paths import with_detail  # noqa: PLC0415
    from plenipo.maps.draw.routes import with_routes  # noqa: PLC0415
    from plenipo.maps.figure.board import board_from  # noqa: PLC0415
    from plenipo.maps.figure.figure_files import read_figure  # noqa: PLC0415
    from plenipo.maps.lettering.label_grid import LabelGrid  # noqa: PLC0415
    from plenipo.maps.lettering.label_search import placements_in  # noqa: PLC0415
    from plenipo.maps.lettering.placements import Placements  # noqa: PLC0415
    from plenipo.maps.lettering.small import with_small  # noqa: PLC0415

    definition = library.read(name)
    if definition.is_given_by_contacts:
        return _place_contacts(name)
    figure = read_figure(definition.figure)
    file = definition.figure.with_name("placements.json")
    if routes or small or detail:
        placements = Placements.from_json(file.read_text(encoding="utf-8"))
    else:
        placements = placements_in(definition.figure.parent, definition.spaces)
    if small:
        board = board_from(figure, definition.spaces, name)
        placements = with_small(LabelGrid(figure, board), placements)
    elif not detail:
        placements = with_routes(figure, boards_on(definition.figure, name), placements)
    placements = with_detail(figure, placements)
    file.write_text(placements.to_json(), encoding="utf-8", newline="\n")
    sizes = {"names": len(placements.names), "codes": len(placements.codes), "routes": len(placements.routes)}
    return _("{file}: {names} names, {codes} codes, {routes} routes", file=file, **sizes)


def place_labels(folder: Path) -> None:
    """Find where names, units and centres stand on the map of a folder, without the routes of moves."""
    from plenipo import library  # noqa: PLC0415
    from plenipo.maps.draw.paths import with_detail  # noqa: PLC0415
    from plenipo.maps.figure.figure_files import read_figure  # noqa: PLC0415
    from plenipo.maps.lettering.label_search import placements_in  # noqa: PLC0415

    definition = library.read(str(folder))
    figure = read_figure(definition.figure)
    placements = with_detail(figure, placements_in(folder, definition.spaces))
    (folder / "placements.json").write_text(placements.to_json(), encoding="utf-8", newline="\n")


def _place_contacts(name: str) -> str:
    """Lay out a board given by its contacts, write figure and placements beside them; return a sentence about it."""
    from plenipo import library  # noqa: PLC0415
    from plenipo.charts import chart  # noqa: PLC0415
    from plenipo.maps.draw.paths import with_detail  # noqa: PLC0415
    from plenipo.maps.draw.routes import with_routes  # noqa: PLC0415

    laid_out = chart(name)
    figure, folder = laid_out.figure, library.read(name).figure.parent
    placements = with_detail(figure, with_routes(figure, [laid_out.board], laid_out.placements))
    (folder / "figure.json").write_text(figure.to_json(), encoding="utf-8", newline="\n")
    (folder / "placements.json").write_text(placements.to_json(), encoding="utf-8", newline="\n")
    sizes = {"areas": len(figure.faces), "routes": len(placements.routes)}
    return _("{folder}: a layout of {areas} areas, {routes} routes", folder=folder, **sizes)


@maps.command("check")
def check_maps(folders: Folders) -> None:
    """Find the mistakes in variants, and draw the map of each that has none; the exit status is 1 if there are any."""
    from plenipo import library  # noqa: PLC0415
    from plenipo.charts import chart  # noqa: PLC0415
    from plenipo.cli.terminal import progress  # noqa: PLC0415

    found = 0
    with report_faults(), progress(_("Checking")) as advance:
        for done, name in enumerate(folders):
            advance(done, len(folders))
            mistakes = library.check(library.folder_of(name))
            for mistake in mistakes:
                typer.echo(in_words(mistake))
            found += len(mistakes)
            if not mistakes:
                drawn = chart(name)
                drawn.draw()
                spaces, title = len(drawn.board.spaces), drawn.title
                typer.echo(_("{title}: {spaces} spaces, drawn without a fault.", title=title, spaces=spaces))
    if found:
        typer.echo(plural("{number} mistake found.", "{number} mistakes found.", found))
        raise typer.Exit(1)


FIRST = """\
# {title}: change what you like, and look with `plenipo check`. Every key is described in docs/variants.md.
title = {quoted}
parent = {parent}

# other units or centres for a power:
# [powers]
# Italy = {{ units = ["A VEN", "F NAP", "F ROM"] }}

# other rules:
# [modules.builds]
# sites = [{{ where = "owned" }}]
"""
"""The first `variant.toml` of a designer."""

PAGE = """\
# {title}

Say in two sentences what is special about this variant.

## Rules

Everything that is not written here is as in {like}.
"""
"""The first page of a designer."""


def new(
    name: Annotated[str, typer.Argument(help="The folder to make; its last part is the name of the variant.")],
    like: Annotated[str, typer.Option(help="The variant to begin with, by its name or its folder.")] = "standard",
) -> None:
    """Make the folder of a variant that plays at once, to be changed by you."""
    import json  # noqa: PLC0415

    from plenipo import library  # noqa: PLC0415

    folder = Path(name)
    with report_faults():
        if not NAME.fullmatch(folder.name):
            refuse(_("'{name}' is not a name of a folder; write A to Z, digits and hyphens.", name=folder.name[:60]))
        if folder.exists():
            refuse(_("'{name}' is there already; choose another name, or change what is in it.", name=folder.name))
        parent = library.read(like)
        path = Path(like)
        near = like if not path.is_dir() else os.path.relpath(path.resolve(), folder.absolute())
        title = folder.name.replace("-", " ").replace("_", " ").capitalize()
        texts = {
            "variant.toml": FIRST.format(title=title, quoted=json.dumps(title), parent=json.dumps(near)),
            "README.md": PAGE.format(title=title, like=parent.title),
        }
        folder.mkdir(parents=True)
        for file, text in texts.items():
            (folder / file).write_text(text, encoding="utf-8")
        typer.echo(
            _(
                "{folder} is made, like {title}. Play it: {command}",
                folder=folder,
                title=parent.title,
                command=f"plenipo play {folder}",
            )
        )

"""`plenipo map`: sketch a map from the earth, compile, place and check it; `plenipo new`: a first folder."""

import json
import math
import os
import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from plenipo.cli.options import refuse, report_faults
from plenipo.engine.sentences import say
from plenipo.errors import InvalidVariant
from plenipo.languages.current import _, in_words, plural

if TYPE_CHECKING:
    from plenipo.boards_in.pictures.answers import PictureAnswers
    from plenipo.engine.board import Board
    from plenipo.engine.position import Position
    from plenipo.maps.authoring.layers import LayeredMap
    from plenipo.maps.authoring.sketches import SketchedSpace
    from plenipo.maps.figure.planar import Figure

__all__ = ["maps", "new"]

maps = typer.Typer(no_args_is_help=True, help="Sketch, compile, place and check the map of a variant.")

Folders = Annotated[list[str], typer.Argument(help="Folders of variants, or names of installed ones.")]

NAME = re.compile(r"[^\W_][\w-]{0,59}")
"""The names of new folders."""


ATTEMPTS = 8
"""The number of sketches that are tried before one that does not compile is kept."""

POWERS = ("Alpha", "Beta", "Gamma", "Delta", "Epsilon", "Zeta", "Eta")
"""The powers of a sketched board."""

HOMES = 3
"""The home centres of each."""


@maps.command("new")
def new_map(
    name: Annotated[str, typer.Argument(help="The folder to make; its last part is the name of the variant.")],
    from_earth: Annotated[
        tuple[float, float, float, float],
        typer.Option(help="The part of the earth: its west, south, east and north edge in degrees.", metavar="W S E N"),
    ],
    lands: Annotated[int, typer.Option(help="The approximate number of lands.", min=2, max=200)] = 18,
    seas: Annotated[int, typer.Option(help="The approximate number of seas.", min=1, max=100)] = 6,
    powers: Annotated[int, typer.Option(help="The number of powers.", min=1, max=len(POWERS))] = 3,
) -> None:
    """Make the folder of a board with real coasts, and with candidate borders and seas for you to change.

    Land is divided along modern borders and then evenly. The folder has a map.toml, its figure.json, and a
    variant.toml that plays.
    """
    from plenipo.cli.terminal import progress  # noqa: PLC0415

    folder = _free_folder(name)
    with report_faults():
        from plenipo.errors import InvalidFigure  # noqa: PLC0415
        from plenipo.maps.authoring.atlas import compile_map  # noqa: PLC0415  # brings shapely
        from plenipo.maps.authoring.sketches import sketch_map  # noqa: PLC0415

        title, file, fault = _title_of(folder), folder / "map.toml", None
        with progress(_("Sketching")) as advance:
            for attempt in range(ATTEMPTS):
                advance(attempt, ATTEMPTS)
                try:
                    sketch = sketch_map(title, from_earth, lands, seas, attempt=attempt)
                except InvalidFigure as wrong:
                    refuse(in_words(wrong))
                folder.mkdir(parents=True, exist_ok=True)
                file.write_text(sketch.text, encoding="utf-8")
                try:
                    figure = compile_map(file)
                except InvalidFigure as wrong:
                    fault = wrong
                    continue
                (folder / "figure.json").write_text(figure.to_json(), encoding="utf-8", newline="\n")
                fault = None
                break
        (folder / "variant.toml").write_text(_opening_of(title, sketch.spaces, powers), encoding="utf-8")
        (folder / "README.md").write_text(PAGE.format(title=title, like="Standard"), encoding="utf-8")
        if fault is not None:
            refuse(f"{file}: {in_words(fault)}{_seen_in(file, fault)}")
        land = sum(not space.sea for space in sketch.spaces)
        typer.echo(
            _(
                "{folder} is made, with {lands} lands and {seas} seas. Change its map.toml, then: {command}",
                folder=folder,
                lands=land,
                seas=len(sketch.spaces) - land,
                command=f"plenipo map compile {folder} && plenipo map place {folder}",
            )
        )


def _free_folder(name: str) -> Path:
    """Return a folder that is to be made; refuse a name that is none, or is taken."""
    folder = Path(name)
    if not NAME.fullmatch(folder.name):
        refuse(_("'{name}' is not a name of a folder; write A to Z, digits and hyphens.", name=folder.name[:60]))
    if folder.exists():
        refuse(_("'{name}' is there already; choose another name, or change what is in it.", name=folder.name))
    return folder


def _title_of(folder: Path) -> str:
    return folder.name.replace("-", " ").replace("_", " ").capitalize()


def _opening_of(title: str, spaces: Sequence["SketchedSpace"], powers: int) -> str:
    """Return the `variant.toml` of a sketched board: powers far from each other, and centres between them."""
    lands = {space.code: space for space in spaces if not space.sea}
    seas = {space.code for space in spaces if space.sea}
    homes = _list_homes(lands, min(powers, max(1, len(lands) // 2)))
    free = [code for code in lands if not any(code in own for own in homes)]
    centres = {code for own in homes for code in own} | set(free[::2])
    rows = []
    for power, own in zip(POWERS, homes, strict=False):
        afloat = next((code for code in own if lands[code].touches & seas and not lands[code].coasts), None)
        units = [f"{'F' if code == afloat else 'A'} {code}" for code in own]
        rows.append(f"{power} = {{ units = {json.dumps(units)} }}")
    told = []
    for space in sorted(spaces, key=lambda space: space.code):
        centre = ", centre = true" if space.code in centres else ""
        told.append(f"{space.code} = {{ name = {json.dumps(space.name, ensure_ascii=False)}{centre} }}")
    return SKETCHED.format(
        title=json.dumps(title, ensure_ascii=False),
        victory=len(centres) // 2 + 1,
        powers="\n".join(rows),
        spaces="\n".join(told),
    )


def _list_homes(lands: dict[str, "SketchedSpace"], powers: int) -> list[list[str]]:
    """Return the homes of each power: a space as far from the others' as can be, with its neighbours."""
    left = list(lands)
    middle = [sum(space.at[i] for space in lands.values()) / len(lands) for i in (0, 1)]
    homes: list[list[str]] = []
    for _number in range(powers):
        others = [lands[code].at for own in homes for code in own] or [(middle[0], middle[1])]
        first = max(left, key=lambda code: min(math.dist(lands[code].at, at) for at in others))
        near = sorted(
            left, key=lambda code: (code not in lands[first].touches, math.dist(lands[code].at, lands[first].at))
        )
        own = [first, *(code for code in near if code != first)][: min(HOMES, max(1, len(lands) // powers))]
        homes.append(own)
        left = [code for code in left if code not in own]
    return homes


SKETCHED = """\
# Change what you like, and look with `plenipo check`. Every key is described in docs/variants.md.
title = {title}
figure = "figure.json"      # compiled of map.toml by `plenipo map compile`
victory = {victory}

[calendar]
start = 1
cycle = [
  ["Spring", "movement"], ["Spring", "retreats"],
  ["Fall", "movement"], ["Fall", "retreats"],
  ["Winter", "ownership"], ["Winter", "adjustments"],
]

[powers]
{powers}

[spaces]
{spaces}
"""
"""The `variant.toml` of a sketched board."""


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
    routes: Annotated[bool, typer.Option("--routes", help="Only the routes of moves.")] = False,
    small: Annotated[bool, typer.Option("--small", help="Only the codes and marks of small pictures.")] = False,
    detail: Annotated[bool, typer.Option("--detail", help="Only the detail of the lines.")] = False,
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


@maps.command("export")
def export_map(
    name: Annotated[str, typer.Argument(help="The folder of a variant, or the name of an installed one.")],
    layers: Annotated[Path, typer.Option(help="The SVG to write, with a layer of spaces, one of names and so on.")],
) -> None:
    """Write the map of a variant as an SVG in layers, for Inkscape.

    Beside it goes a file of the same name with .toml, which has codes, kinds, coasts, homes and units: `plenipo import`
    reads both back.
    """
    from plenipo import library  # noqa: PLC0415
    from plenipo.boards_in.pictures.answers import write_answers  # noqa: PLC0415
    from plenipo.maps.figure.board import board_from  # noqa: PLC0415
    from plenipo.maps.figure.figure_files import read_figure  # noqa: PLC0415

    with report_faults():
        from plenipo.maps.authoring.layers import draw_layers  # noqa: PLC0415  # brings shapely

        definition, rules = library.read(name), library.load(name)
        board, opening = rules.board, rules.opening
        if definition.is_given_by_contacts:
            refuse(_("The board of {title} is given by its contacts, so it has no shapes to draw.", title=rules.title))
        figure = read_figure(definition.figure)
        picture = draw_layers(figure, board, opening.homes.values())
        answers = _describe_layers(picture, figure, board, opening)
        spaces = answers.spaces
        layers.write_text(picture.svg, encoding="utf-8")
        layers.with_suffix(".toml").write_text(write_answers(answers), encoding="utf-8")
        command = f"plenipo import {layers}"
        typer.echo(
            _("{file} has {number} areas; read it back: {command}", file=layers, number=len(spaces), command=command)
        )
        texts = {
            code: text for code, text in definition.spaces.items() if code in spaces and code not in figure.offboard
        }
        shown = board_from(replace(figure, boxes=()), texts, rules.title, checked=True)
        if unseen := len({pair for _, pair in _contacts_of(board) ^ _contacts_of(shown)}):
            typer.echo(
                plural(
                    "{number} contact of the rules is no border of the map, so it is not in the file.",
                    "{number} contacts of the rules are no borders of the map, so they are not in the file.",
                    unseen,
                )
            )


def _describe_layers(picture: "LayeredMap", figure: "Figure", board: "Board", opening: "Position") -> "PictureAnswers":
    """Return what a picture in layers does not say of its spaces and powers."""
    from plenipo.boards_in.pictures.answers import PictureAnswers, PowerAnswer, SpaceAnswer  # noqa: PLC0415
    from plenipo.maps.authoring.layers import SPACES  # noqa: PLC0415  # brings shapely

    spaces = {}
    for code, middle in picture.middles.items():
        kind = "off" if code in figure.offboard else "impassable" if code in figure.impassable else ""
        space = board.spaces.get(code)
        spaces[str(code)] = SpaceAnswer(
            middle,
            space.name if space else "",
            kind or ("sea" if code in figure.seas else "land"),
            centre=bool(space and space.centre),
            coasts="one" if code in figure.through else "several" if space and space.coasts else "",
            shores=picture.shores.get(code, ()),
        )
    powers = {
        str(power): PowerAnswer(
            tuple(sorted(codes)),
            tuple(str(unit.ref) for unit in opening.units if unit.power == power),
        )
        for power, codes in opening.homes.items()
    }
    return PictureAnswers((SPACES,), spaces=spaces, powers=powers)


def _contacts_of(board: "Board") -> set[tuple[str, frozenset[str]]]:
    """Return the pairs of spaces between which a unit type passes."""
    by_land = {("A", frozenset({str(a), str(b)})) for a, others in board.armies.items() for b in others}
    return by_land | {("F", frozenset({str(a.space), str(b.space)})) for a, to in board.fleets.items() for b in to}


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
    from plenipo import library  # noqa: PLC0415

    folder = _free_folder(name)
    with report_faults():
        parent = library.read(like)
        path = Path(like)
        near = like if not path.is_dir() else os.path.relpath(path.resolve(), folder.absolute())
        title = _title_of(folder)
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

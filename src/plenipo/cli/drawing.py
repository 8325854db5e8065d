"""`plenipo show` and `plenipo replay`: pictures of positions and animations of games."""

import os
from pathlib import Path
from typing import Annotated

import typer

from plenipo.cli.completions import complete_variant
from plenipo.cli.options import (
    VARIANT,
    FolderOption,
    GameNumberOption,
    SettingsOption,
    ThemeOption,
    Trust,
    options_from,
    refuse,
    report_faults,
)
from plenipo.engine.sentences import say
from plenipo.languages.current import _

__all__ = ["replay", "show"]


def show(
    variant: Annotated[
        str | None, typer.Argument(help=VARIANT, show_default="standard", autocompletion=complete_variant)
    ] = None,
    position: Annotated[
        Path | None, typer.Option(help="A saved game, a position or a JSON line to show instead of the opening.")
    ] = None,
    svg: Annotated[Path | None, typer.Option(help="Write the picture here; `-` is standard output.")] = None,
    png: Annotated[Path | None, typer.Option(help="Write the picture here as pixels; needs plenipo[png].")] = None,
    poster: Annotated[
        Path | None, typer.Option(help="Write a poster here, a PDF with 3 mm of bleed; needs plenipo[poster].")
    ] = None,
    paper: Annotated[str, typer.Option(help="The paper of the poster: a4, a3, a2 or a1.")] = "a3",
    width: Annotated[int, typer.Option(help="The width of the PNG in pixels.")] = 1600,
    theme: ThemeOption = "light",
    labels: Annotated[str, typer.Option(help="The labels of the spaces: names, codes or none.")] = "names",
    title: Annotated[str, typer.Option(help="The title, instead of the variant and the phase.")] = "",
    caption: Annotated[str, typer.Option(help="The text beside the title.")] = "",
    shape: Annotated[
        str, typer.Option(help="map, or share (1200x630), square, a4, a3, a2, a1; all but map have a legend.")
    ] = "map",
    settings: SettingsOption = None,
    number: GameNumberOption = None,
    *,
    results: Annotated[bool, typer.Option("--results", help="Draw the orders with their results.")] = False,
    legend: Annotated[bool, typer.Option("--legend", help="Add a legend below the map.")] = False,
    corners: Annotated[bool, typer.Option("--corners", help="Mark the corners in which spaces meet.")] = False,
    trust: Trust = False,  # noqa: ARG001  # its callback does the work
) -> None:
    """Draw the map of a variant with a position on it, as SVG, PNG or a poster in PDF."""
    with report_faults():
        from plenipo import extras  # noqa: PLC0415
        from plenipo.cli import pictures  # noqa: PLC0415
        from plenipo.user_files import LARGEST_RECORD, read_text  # noqa: PLC0415

        if png is not None:
            extras.check("png", "resvg_py", what="PNG")
        if poster is not None:
            extras.check("poster", what=say("A poster"))
        if svg is None and png is None and poster is None:
            refuse(_("Where to? Write --svg FILE, --png FILE or --poster FILE, for instance --svg map.svg."))
        text = read_text(position, LARGEST_RECORD) if position is not None else None
        moment = pictures.moment(text, variant, options_from(settings), results=results, number=number)
        look = {"labels": labels, "legend": legend or shape != "map" or bool(title or caption), "corners": corners}
        look |= {"title": title, "caption": caption, "shape": shape}
        drawing = pictures.drawing(moment, variant, theme, **look)
        if svg is not None:
            from plenipo.maps.draw.face import with_face  # noqa: PLC0415

            alone = with_face(drawing)
            typer.echo(alone, nl=False) if str(svg) == "-" else svg.write_text(alone, encoding="utf-8")
        if png is not None:
            from plenipo import raster  # noqa: PLC0415

            png.write_bytes(raster.png(drawing, width))
        if poster is not None:
            poster.write_bytes(pictures.poster(moment, variant, theme, paper, **look))


def replay(
    game: Annotated[Path, typer.Argument(help="A saved game.")],
    out: Annotated[Path, typer.Argument(help="The file of the animation, ending in .png, .gif or .webp.")],
    variant: FolderOption = None,
    theme: ThemeOption = "light",
    width: Annotated[int, typer.Option(help="The width in pixels.")] = 1000,
    seconds: Annotated[float, typer.Option(help="The number of seconds each phase is shown.", min=0.1)] = 1.6,
    number: GameNumberOption = None,
    *,
    trust: Trust = False,  # noqa: ARG001  # its callback does the work
) -> None:
    """Make an animation of a saved game; needs plenipo[png]."""
    with report_faults("png"):
        from plenipo import charts, extras  # noqa: PLC0415

        extras.check("png", what=say("A moving picture"))
        from plenipo.cli import saved, terminal  # noqa: PLC0415
        from plenipo.replay import animate, scenes  # noqa: PLC0415

        played = saved.load(game, variant, number)
        chart = charts.chart(variant or played.rules.variant, played.rules.options)
        with terminal.progress(_("Drawing")) as progress:
            pictured, phase = scenes(played, chart), round(seconds * 1000)
            workers = os.cpu_count() or 1
            animate(pictured, chart, out, theme=theme, width=width, phase=phase, progress=progress, workers=workers)

"""The commands, one function each. A command reports invalid input in one sentence, with exit status 2.

Only Typer is imported at once: a command imports its modules itself, so that each starts quickly.
"""

import json
import os
import secrets
import sys
from contextlib import nullcontext
from io import TextIOWrapper
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from plenipo.cli.backups import backup, restore
from plenipo.cli.board_import import import_boards
from plenipo.cli.completions import complete_variant, completions, prepare_completions
from plenipo.cli.converting import convert, replay_check
from plenipo.cli.daide import daide
from plenipo.cli.doctor import doctor
from plenipo.cli.language import LanguageGroup
from plenipo.cli.map_commands import maps, new
from plenipo.cli.matches import match, review, survey
from plenipo.cli.options import (
    VARIANT,
    AsJson,
    FolderOption,
    GameNumberOption,
    GamesOption,
    Ray,
    SettingsOption,
    ThemeOption,
    Trust,
    VariantArgument,
    Workers,
    options_from,
    pairs,
    print_whole,
    refuse,
    report_faults,
)
from plenipo.cli.puzzles import puzzle, puzzles
from plenipo.cli.reports import reports
from plenipo.cli.sbom import sbom
from plenipo.cli.serve import serve, work
from plenipo.engine.sentences import say
from plenipo.languages.current import _, in_words, mark, plural

if TYPE_CHECKING:
    from plenipo.engine.rules import Rules

__all__ = ["app"]

app = typer.Typer(
    name="plenipo",
    cls=LanguageGroup,
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 110},
)


prepare_completions()


def _version(*, wanted: bool) -> None:
    if wanted:
        from importlib.metadata import version  # noqa: PLC0415  # a command imports what it needs

        typer.echo(f"plenipo {version('plenipo')}")
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


def _rules(variant: str, settings: list[str] | None = None) -> "Rules":
    from plenipo import library  # noqa: PLC0415

    return library.load(variant, options_from(settings))


@app.command()
def play(
    variant: Annotated[
        str | None, typer.Argument(help=VARIANT, show_default="standard", autocompletion=complete_variant)
    ] = None,
    settings: SettingsOption = None,
    orders: Annotated[Path | None, typer.Option(help="Play this script of orders instead of asking.")] = None,
    save: Annotated[Path | None, typer.Option(help="Save the game to this file after every phase.")] = None,
    load: Annotated[Path | None, typer.Option(help="Continue the game saved in this file.")] = None,
    computer: Annotated[
        list[str] | None,
        typer.Option(metavar="POWER=NAME", help="Let a computer player play this power. May be repeated."),
    ] = None,
    *,
    open_orders: Annotated[
        bool, typer.Option("--open", help="Do not hide the orders of one player from the next.")
    ] = False,
    trust: Trust = False,  # noqa: ARG001  # its callback does the work
) -> None:
    """Play a game in the terminal, with all players at one keyboard.

    Type orders in the usual notation, `?` for help, `quit` to leave.
    """
    from plenipo import library  # noqa: PLC0415
    from plenipo.cli import saved  # noqa: PLC0415
    from plenipo.cli.follow import Follower  # noqa: PLC0415
    from plenipo.cli.hotseat import Hotseat  # noqa: PLC0415
    from plenipo.cli.script import blocks_of, dice_of, settings_of  # noqa: PLC0415
    from plenipo.cli.terminal import Terminal  # noqa: PLC0415
    from plenipo.engine.dice import SEED_BYTES, Dice  # noqa: PLC0415
    from plenipo.engine.history.game import Game  # noqa: PLC0415
    from plenipo.library import plugins  # noqa: PLC0415
    from plenipo.user_files import read_text  # noqa: PLC0415

    with report_faults():
        text = read_text(orders) if orders is not None else None
        dice, settings = dice_of(text or ""), [*settings_of(text or ""), *(settings or ())]
        if load is not None:
            if settings:
                refuse(_("A saved game keeps its options; leave out --set and '# Set: …', or leave out --load."))
            game = saved.load(load, variant)
            if dice is not None and dice != game.dice:
                refuse(_("A saved game keeps its dice, and the script has the seed of others; leave out '# Seed: …'."))
        else:
            game = Game.new(_rules(variant or "standard", settings), dice or Dice(secrets.token_bytes(SEED_BYTES)))
        library.check_installed(game.rules)
        chosen = pairs(computer or (), _("--computer POWER=NAME, for instance --computer France=sensible"))
        computers = {game.rules.power(power): plugins.players()[name] for power, name in chosen.items()}
        if save is not None:
            saved.save(game, save)  # report a file that cannot be written before the games start
        at = (game, Terminal(secret=not open_orders), saved.saver(save), computers)
        if text is not None:
            Follower(*at).follow(blocks_of(text, game.rules.calendar), str(orders))
        else:
            Hotseat(*at).play()
        if save is not None:
            typer.echo(_("Saved; go on with: {command}", command=f"plenipo play --load {save}"), err=True)


app.command()(convert)
app.command()(replay_check)
app.command()(serve)
app.command()(backup)
app.command()(restore)
app.command()(work)
app.command()(doctor)
app.command()(sbom)
app.command()(completions)
app.command()(new)
app.command("import")(import_boards)
app.add_typer(maps, name="map")
app.command()(puzzle)
app.add_typer(puzzles, name="puzzles")
app.add_typer(reports, name="reports")


@app.command()
def adjudicate(
    file: Annotated[
        Path | None, typer.Argument(help="A file of JSON lines; `-` is standard input.", show_default="standard input")
    ] = None,
    *,
    fast: Annotated[
        bool,
        typer.Option("--fast", help="Many lines together by the kernel, with a reason in a word; needs plenipo[fast]."),
    ] = False,
    workers: Annotated[int, typer.Option(help="The number of processes that share the lines.", min=1, max=256)] = 1,
    trust: Trust = False,  # noqa: ARG001  # its callback does the work
) -> None:
    """Adjudicate positions: one JSON object per line in, one per line out, in the same order."""
    from plenipo import extras  # noqa: PLC0415
    from plenipo.jsonlines import stream  # noqa: PLC0415

    if fast:
        with report_faults():
            extras.check("fast", what="--fast")

    with report_faults(), nullcontext(sys.stdin.buffer) if file in (None, Path("-")) else file.open("rb") as source:
        if source.isatty():
            typer.echo(_("Type positions, one JSON object a line; end with Ctrl-D."), err=True)
        stream.run(source, sys.stdout, fast=fast, workers=workers)


_OUTCOMES = {"passed": mark("passed"), "failed": mark("failed"), "skipped": mark("skipped")}
"""The outcomes of worked cases, as words."""


@app.command()
def cases(
    files: Annotated[list[Path], typer.Argument(help="Files of worked cases.")],
    *,
    trust: Trust = False,  # noqa: ARG001  # its callback does the work
) -> None:
    """Run worked cases; the exit status is 1 if any failed."""
    from plenipo.cases.run import CaseVerdict, run_file, summary  # noqa: PLC0415
    from plenipo.user_files import check as check_file  # noqa: PLC0415

    with report_faults():
        results = []
        for file in files:
            check_file(file)  # a file that is not there is an unusable call, not a failed case
            for result in run_file(file):
                results.append(result)
                if result.outcome is not CaseVerdict.PASSED:
                    outcome = _(_OUTCOMES[result.outcome.value])
                    typer.echo(f"{file}:{result.line}: {result.id} {outcome}: {in_words(result.message)}")
        typer.echo(in_words(summary(results)))
        if any(result.outcome is CaseVerdict.FAILED for result in results):
            raise typer.Exit(1)


@app.command()
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


@app.command()
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


@app.command()
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
        rules = _rules(variant, settings)
        if as_json:
            typer.echo(json.dumps(boards.describe_board(rules), indent=1, ensure_ascii=False))
        else:
            print_whole(tables.board_of(rules))


@app.command()
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


@app.command()
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


@app.command()
def verify(
    game: Annotated[Path, typer.Argument(help="A saved game.")],
    variant: FolderOption = None,
    *,
    trust: Trust = False,  # noqa: ARG001  # its callback does the work
) -> None:
    """Verify a saved game: its hashes, every draw, and that its orders lead to its positions."""
    from plenipo import library  # noqa: PLC0415
    from plenipo.engine.history.verify import verify as verify_record  # noqa: PLC0415
    from plenipo.user_files import LARGEST_RECORD, read_text  # noqa: PLC0415

    with report_faults():
        text = read_text(game, LARGEST_RECORD)
        record = verify_record(text, lambda name, options: library.load(variant or name, options))
    parts = [
        _("{number} turns were adjudicated again", number=len(record.game.turns)),
        _("{number} draws repeated", number=record.repeated),
    ]
    if record.entered:
        parts.append(_("{number} draws were entered by the game master", number=record.entered))
    if record.unproved:
        parts.append(_("{number} draws wait for the seed to be published", number=record.unproved))
    if record.withheld:
        parts.append(_("{number} reasons of rulings are withheld", number=record.withheld))
    print_whole(_("'{file}' is in order: {details}.", file=game, details=", ".join(parts)))


@app.command()
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


@app.command()
def warm() -> None:
    """Compile the code of the computer players, once after installing or updating; needs plenipo[fast]."""
    with report_faults("fast"):
        from plenipo import bots, extras, warm  # noqa: PLC0415  # a command imports what it needs

        extras.check("fast", "numba", what=say("A computer player that thinks ahead"))
        if not bots.is_compiled():
            typer.echo(_("Compiling the computer players: most of a minute of processor time, once."), err=True)
            with warm.alone():
                if not bots.is_compiled():
                    warm.warm(lambda level: typer.echo(_("Ready: {level}.", level=level), err=True))
        typer.echo(_("The computer players are ready."))


app.command()(match)
app.command()(survey)
app.command()(review)
app.command()(daide)


@app.command()
def selfplay(
    variant: VariantArgument,
    games: GamesOption = 1000,
    movements: Annotated[
        int, typer.Option(help="The number of movements after which an undecided game ends.", min=1)
    ] = 100,
    workers: Workers = 1,
    policy: Annotated[
        list[str] | None, typer.Option(metavar="POWER=NAME", help="Play a power by random, hold or attack.")
    ] = None,
    out: Annotated[
        Path | None, typer.Option(help="Write a row for each game to this file, ending in .parquet or .jsonl.")
    ] = None,
    seed: Annotated[
        str | None, typer.Option(help="32 bytes in hex that decide all chance.", show_default="drawn")
    ] = None,
    settings: SettingsOption = None,
    *,
    ray: Ray = False,
    trust: Trust = False,
) -> None:
    """Let the kernel play many games against itself and summarise them; needs plenipo[fast]."""
    with report_faults("fast"):
        from plenipo import extras  # noqa: PLC0415

        if ray:
            extras.check("ray", what="--ray")
        if out is not None and out.suffix != ".jsonl":
            extras.check("selfplay", "pyarrow", what="Parquet")
        from plenipo.cli import selfplay as play  # noqa: PLC0415

        powers, chance = play.policies(policy or ()), play.seed(seed)
        plan = play.SelfPlayPlan(variant, options_from(settings), games, movements, powers, chance, trust=trust)
        print_whole(play.run(plan, workers=workers, ray=ray, out=out))

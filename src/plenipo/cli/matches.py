"""The commands about players: `plenipo match`, `plenipo survey` and `plenipo review`."""

import hashlib
import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from plenipo.cli.completions import complete_variant
from plenipo.cli.options import (
    VARIANT,
    AsJson,
    FolderOption,
    GameNumberOption,
    GamesOption,
    Ray,
    ReportOption,
    Seed,
    SettingsOption,
    Trust,
    VotesOption,
    Workers,
    Years,
    options_from,
    pairs,
    print_whole,
    report_faults,
)
from plenipo.languages.current import _, in_words

if TYPE_CHECKING:
    from rich.table import Table

    from plenipo.engine.rules import Rules
    from plenipo.matches import Match, Played

__all__ = ["match", "review", "survey"]

PARQUET = ".parquet"
"""The file name extension of a data set."""

LINES = ".jsonl"
"""The file name extension of a file with one game per line."""

INTERRUPTED = 130
"""The exit status after Ctrl-C, as in shells."""


def seed_from(text: str) -> bytes:
    """Return the 32 bytes of a seed from any text."""
    return hashlib.sha256(text.encode()).digest()


def match(
    players: Annotated[
        list[str],
        typer.Argument(help="A player takes a seat, '3 quick' takes three, the last takes all that are left."),
    ],
    variant: Annotated[str, typer.Option(help=VARIANT, autocompletion=complete_variant)] = "standard",
    games: GamesOption = 100,
    years: Years = 20,
    player: Annotated[
        list[str] | None,
        typer.Option(
            metavar="NAME=WHAT",
            help="A player of your own: FILE.py:FUNCTION, or the command of a program that speaks JSON lines. "
            "May be repeated.",
        ),
    ] = None,
    daide: Annotated[
        list[str] | None,
        typer.Option(
            metavar="NAME=COMMAND",
            help="A program for DAIDE; {port} in its command stands for the port to connect to. May be repeated.",
        ),
    ] = None,
    limit: Annotated[
        float, typer.Option(help="Seconds of processor time a player of your own has for a phase.", min=0.01)
    ] = 10.0,
    warm_up: Annotated[
        float, typer.Option(help="The same for its first orders, for which it may have to compile.", min=0.01)
    ] = 300.0,
    games_to: Annotated[
        Path | None,
        typer.Option(help="Write every game: a name that ends in .jsonl, or in .parquet with a card in .md beside it."),
    ] = None,
    report: ReportOption = None,
    seed: Seed = "1",
    workers: Workers = 1,
    settings: SettingsOption = None,
    *,
    resume: Annotated[
        bool, typer.Option("--resume", help="Go on with the match that --games-to FILE.jsonl has the first games of.")
    ] = False,
    votes: VotesOption = False,
    ray: Ray = False,
    as_json: AsJson = False,
    trust: Trust = False,
) -> None:
    """Let computer players and programs play a match, in all seats in turn, and show the standings."""
    from plenipo import extras  # noqa: PLC0415  # a command imports what it needs
    from plenipo.cli.terminal import plain_console, progress  # noqa: PLC0415
    from plenipo.matches import Match, lineup, play_match, standings  # noqa: PLC0415
    from plenipo.matches import report as pages  # noqa: PLC0415
    from plenipo.matches.referee import Spent  # noqa: PLC0415
    from plenipo.matches.run import rules_of  # noqa: PLC0415
    from plenipo.matches.standings import ratings  # noqa: PLC0415

    with report_faults():
        options = tuple(options_from(settings).items())
        named = pairs(player or (), _("--player NAME=WHAT, for instance --player mine=mine.py:play"))
        programs = pairs(daide or (), _("--daide NAME=COMMAND, for instance --daide DumbBot='dumbbot -p{port}'"))
        wanted = Match(
            variant,
            (),
            seed_from(seed),
            games,
            years,
            options,
            tuple(named.items()),
            limit,
            votes,
            trust,
            warm_up,
            tuple(programs.items()),
        )
        rules = rules_of(wanted)
        wanted = replace(wanted, players=lineup(players, len(rules.names)))
        if ray:
            extras.check("ray", what="--ray")
        spent = {name: Spent() for name in wanted.names}
        stopped = False
        with ExitStack() as stack:
            played, write = stack.enter_context(_games_to(games_to, wanted, rules, resume=resume))
            if report is not None:
                report.touch()  # report a file that cannot be written before the games start
            told = stack.enter_context(progress(_("Playing")))
            try:
                for game, times in play_match(wanted, first=len(played), workers=workers, ray=ray, told=told):
                    write(game)
                    played.append(game.without_turns)
                    for name, time in times.items():
                        spent[name].join(time)
            except KeyboardInterrupt:
                stopped = True
        if stopped:
            typer.echo(_("Stopped after {done} of {total} games.", done=len(played), total=games), err=True)
            if games_to is not None:
                typer.echo(_("What is kept is taken up again by the same command with --resume."), err=True)
            if not played:
                raise typer.Exit(INTERRUPTED)
        played = played[:games]
        rated = None
        if len(wanted.names) > 1:
            missing = extras.missing("match", "openskill")
            if missing:
                typer.echo(_("No ratings: {reason}", reason=missing), err=True)
            else:
                rated = ratings(played)
        table = standings(played, rated)
        if as_json:
            result = {"variant": variant, "options": dict(options), "games": len(played), "years": years, "seed": seed}
            deals = {name: count._asdict() for name, count in pages.count_deals(played).items()}
            whole = {**result, "players": [standing.to_json() for standing in table]}
            typer.echo(json.dumps({**whole, "deals": deals} if deals else whole, indent=1))
        else:
            console = plain_console()
            console.print(in_words(pages.headline(wanted, rules.title, played)), soft_wrap=True)
            rows = (pages.cells(standing, spent[standing.player]) for standing in table)
            print_whole(_table(pages.COLUMNS, rows))
            for sentence in pages.list_unscored(table):
                console.print(in_words(sentence), soft_wrap=True)
            for sentence in pages.describe_deals(played):
                console.print(in_words(sentence), soft_wrap=True)
            if len(wanted.names) > 1:
                console.print("\n" + _("Share by power:"))
                columns, rows_by_power = pages.by_power(table)
                print_whole(_table(columns, rows_by_power))
        for fault in pages.faults_of(played):
            typer.echo(in_words(fault), err=True)
        if games_to is not None and games_to.suffix == PARQUET:
            from plenipo.matches.dataset import card  # noqa: PLC0415

            games_to.with_suffix(".md").write_text(card(wanted, rules.title, table, played), encoding="utf-8")
        if report is not None:
            report.write_text(pages.html(wanted, rules.title, played, table, spent), encoding="utf-8")
    if stopped:
        raise typer.Exit(INTERRUPTED)


@contextmanager
def _games_to(
    path: Path | None, wanted: "Match", rules: "Rules", *, resume: bool
) -> "Iterator[tuple[list[Played], Callable[[Played], object]]]":
    """Give the games of a match already in a file, and a function that writes the others, by the file extension."""
    from plenipo.errors import UnknownName  # noqa: PLC0415  # a command imports what it needs
    from plenipo.matches.run import encode_game, resume_match  # noqa: PLC0415

    if resume and (path is None or path.suffix != LINES):
        raise UnknownName(_("--resume goes on with the games of a file of lines; name it with --games-to FILE.jsonl."))
    if path is None:
        yield [], lambda _: None
    elif path.suffix == PARQUET:
        from plenipo.matches.dataset import Writer  # noqa: PLC0415

        with Writer(path, rules) as data:
            yield [], data.write
    elif path.suffix == LINES:
        kept = resume_match(wanted, path) if resume else []
        with path.open("a" if resume else "w", encoding="utf-8", newline="\n") as lines:

            def write(game: "Played") -> None:
                lines.write(encode_game(wanted, game))
                lines.flush()  # whatever ends the match, what was played is kept

            yield kept, write
    else:
        raise UnknownName(_("'{file}' must end in {one} or {other}.", file=path, one=PARQUET, other=LINES))


def survey(
    variants: Annotated[list[str], typer.Argument(help=f"{VARIANT} A second one is shown beside it.")],
    player: Annotated[str | None, typer.Option(help="Who plays all seats.", show_default="the best there is")] = None,
    games: GamesOption = 100,
    years: Years = 20,
    report: ReportOption = None,
    seed: Seed = "1",
    workers: Workers = 1,
    settings: SettingsOption = None,
    *,
    votes: VotesOption = False,
    ray: Ray = False,
    trust: Trust = False,
) -> None:
    """Let computer players play on a board and report statistics for its designer: who wins, and how games go."""
    from plenipo import extras  # noqa: PLC0415  # a command imports what it needs
    from plenipo.cli.terminal import plain_console, progress  # noqa: PLC0415
    from plenipo.matches import survey_page as pages  # noqa: PLC0415
    from plenipo.matches.lineup import Match  # noqa: PLC0415
    from plenipo.matches.players import BEST  # noqa: PLC0415
    from plenipo.matches.run import play_match, rules_of  # noqa: PLC0415
    from plenipo.matches.survey import collect_facts, make_survey  # noqa: PLC0415

    with report_faults():
        options, name = tuple(options_from(settings).items()), player or BEST
        if ray:
            extras.check("ray", what="--ray")
        matches = [
            Match(variant, (), seed_from(seed), games, years, options, votes=votes, trust=trust) for variant in variants
        ]
        everybody = [rules_of(wanted) for wanted in matches]
        if report is not None:
            report.touch()  # report a file that cannot be written before the games start
        surveys = []
        console = plain_console()
        for wanted, rules in zip(matches, everybody, strict=True):
            filled = replace(wanted, players=(name,) * len(rules.names))
            with progress(rules.title) as told:
                played = play_match(filled, workers=workers, ray=ray, told=told)
                surveys.append(make_survey(rules, name, years, [collect_facts(rules, game) for game, _ in played]))
            console.print(f"{rules.title}:", *pages.facts(surveys[-1]), sep="\n", soft_wrap=True)
            print_whole(_table(pages.COLUMNS, pages.rows(surveys[-1])))
        if report is not None:
            report.write_text(pages.html(surveys), encoding="utf-8")


def review(
    game: Annotated[Path, typer.Argument(help="A saved game.")],
    variant: FolderOption = None,
    player: Annotated[
        str | None, typer.Option(help="Who plays the game on to see what to expect.", show_default="the policy")
    ] = None,
    movements: Annotated[int, typer.Option(help="How many movements it is played on; 0 counts centres.", min=0)] = 4,
    times: Annotated[
        int | None, typer.Option(help="How many times from each position.", min=1, show_default="40, 4 with --player")
    ] = None,
    turns: Annotated[int, typer.Option(help="The number of turns shown in full.", min=0)] = 5,
    report: Annotated[Path | None, typer.Option(help="Write a page with a plot to this file.")] = None,
    number: GameNumberOption = None,
    *,
    as_json: AsJson = False,
    trust: Trust = False,  # noqa: ARG001  # its callback does the work
) -> None:
    """Review a saved game: the expectation of each power, the turning points, the best order missed."""
    from plenipo.cli import saved  # noqa: PLC0415  # a command imports what it needs
    from plenipo.cli.terminal import plain_console, progress  # noqa: PLC0415
    from plenipo.library import plugins  # noqa: PLC0415
    from plenipo.matches import review_page as pages  # noqa: PLC0415
    from plenipo.matches.accuracy import by_search  # noqa: PLC0415
    from plenipo.matches.review import Expect, by_playing, by_policy, by_standing  # noqa: PLC0415
    from plenipo.matches.review import review as reviewed  # noqa: PLC0415

    with report_faults():
        played = saved.load(game, variant, number)
        expect: Expect = by_standing
        if movements and player:
            bot = plugins.players()[player]
            expect = by_playing(bot, movements=movements, times=times or 4, seed=seed_from("1"))
        elif movements:
            expect = by_policy(movements=movements, times=times or 40)
        if report is not None:
            report.touch()  # report a file that cannot be written before the work starts
        with progress(_("Looking back")) as told:
            weigh = by_search if movements else None
            looked_back = reviewed(played, expect, most=turns, told=told, weigh=weigh)
        if report is not None:
            report.write_text(pages.html(looked_back), encoding="utf-8")
        if as_json:
            typer.echo(json.dumps(looked_back.to_json(), indent=1))
            return
        console = plain_console()
        print_whole(_table(pages.COLUMNS, pages.rows(looked_back)))
        if looked_back.accuracy:
            print_whole(_table(pages.ACCURACY_COLUMNS, pages.accuracy_rows(looked_back)))
        for sentence in (*pages.sentences(looked_back), *pages.mistakes(looked_back)):
            console.print(in_words(sentence), soft_wrap=True)


def _table(columns: Sequence[str], rows: Iterable[Sequence[str]]) -> "Table":
    """Return a table for the terminal: the first column left-aligned, the others right-aligned."""
    from rich.table import Table  # noqa: PLC0415

    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0), header_style="bold")
    last = len(columns) - 1
    for place, name in enumerate(columns):
        table.add_column(_(name), no_wrap=place < last, overflow="fold", justify="right" if place else "left")
    for row in rows:
        table.add_row(*row)
    return table

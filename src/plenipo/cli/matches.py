"""The commands about players: `plenipo match`, `plenipo survey` and `plenipo review`."""

import hashlib
import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, replace
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
    from plenipo.matches.referee import Spent
    from plenipo.matches.standings import Standing

__all__ = ["match", "review", "survey"]

PARQUET = ".parquet"
"""The file name extension of a data set."""

LINES = ".jsonl"
"""The file name extension of a file with one game per line."""

INTERRUPTED = 130
"""The exit status after Ctrl-C, as in shells."""


OwnPlayersOption = Annotated[
    list[str] | None,
    typer.Option(
        metavar="NAME=WHAT",
        help="A player of your own: FILE.py:FUNCTION, or the command of a program that speaks JSON lines. "
        "May be repeated.",
    ),
]
DaideOption = Annotated[
    list[str] | None,
    typer.Option(
        metavar="NAME=COMMAND",
        help="A program for DAIDE; {port} in its command stands for the port to connect to. May be repeated.",
    ),
]
LimitOption = Annotated[
    float, typer.Option(help="Seconds of processor time a player of your own has for a phase.", min=0.01)
]
WarmUpOption = Annotated[
    float, typer.Option(help="The same for its first orders, for which it may have to compile.", min=0.01)
]
GamesToOption = Annotated[
    Path | None,
    typer.Option(help="Write the games to this file, ending in .jsonl, or in .parquet with a card in .md beside it."),
]
ResumeOption = Annotated[
    bool, typer.Option("--resume", help="Continue the match whose first games are in --games-to FILE.jsonl.")
]


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
    player: OwnPlayersOption = None,
    daide: DaideOption = None,
    limit: LimitOption = 10.0,
    warm_up: WarmUpOption = 300.0,
    games_to: GamesToOption = None,
    report: ReportOption = None,
    seed: Seed = "1",
    workers: Workers = 1,
    settings: SettingsOption = None,
    *,
    resume: ResumeOption = False,
    votes: VotesOption = False,
    ray: Ray = False,
    as_json: AsJson = False,
    trust: Trust = False,
) -> None:
    """Let computer players and programs play a match, in all seats in turn, and show the standings."""
    from plenipo import extras  # noqa: PLC0415  # a command imports what it needs
    from plenipo.matches import Match, lineup  # noqa: PLC0415
    from plenipo.matches.run import rules_of  # noqa: PLC0415

    with report_faults():
        named = pairs(player or (), _("--player NAME=WHAT, for instance --player mine=mine.py:play"))
        programs = pairs(daide or (), _("--daide NAME=COMMAND, for instance --daide DumbBot='dumbbot -p{port}'"))
        wanted = Match(
            variant,
            (),
            seed_from(seed),
            games,
            years,
            tuple(options_from(settings).items()),
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
        result = _play_games(wanted, rules, games_to, report, resume=resume, workers=workers, ray=ray)
        if result.stopped:
            typer.echo(_("Stopped after {done} of {total} games.", done=len(result.played), total=games), err=True)
            if games_to is not None:
                typer.echo(_("The same command with --resume continues from the saved games."), err=True)
            if not result.played:
                raise typer.Exit(INTERRUPTED)
        _report_match(wanted, rules, result, seed if as_json else None, games_to, report)
    if result.stopped:
        raise typer.Exit(INTERRUPTED)


@dataclass
class _MatchResult:
    """The games of a match, the processor time that each player spent, and whether it was stopped."""

    played: "list[Played]"
    spent: "Mapping[str, Spent]"
    stopped: bool = False


def _play_games(
    wanted: "Match",
    rules: "Rules",
    games_to: Path | None,
    report: Path | None,
    *,
    resume: bool,
    workers: int,
    ray: bool,
) -> _MatchResult:
    """Play the games of a match that its file does not have yet, and write each into it; Ctrl-C stops it."""
    from plenipo.cli.terminal import progress  # noqa: PLC0415  # a command imports what it needs
    from plenipo.matches import play_match  # noqa: PLC0415
    from plenipo.matches.referee import Spent  # noqa: PLC0415

    with ExitStack() as stack:
        played, write = stack.enter_context(_games_to(games_to, wanted, rules, resume=resume))
        result = _MatchResult(played, {name: Spent() for name in wanted.names})
        if report is not None:
            report.touch()  # report a file that cannot be written before the games start
        told = stack.enter_context(progress(_("Playing")))
        try:
            for game, times in play_match(wanted, first=len(played), workers=workers, ray=ray, told=told):
                write(game)
                played.append(game.without_turns)
                for name, time in times.items():
                    result.spent[name].join(time)
        except KeyboardInterrupt:
            result.stopped = True
    del played[wanted.games :]
    return result


def _report_match(
    wanted: "Match",
    rules: "Rules",
    result: _MatchResult,
    seed: str | None,
    games_to: Path | None,
    report: Path | None,
) -> None:
    """Show the standings of a match, as JSON with its `seed` if there is one, and write its pages."""
    from plenipo.matches import report as pages  # noqa: PLC0415  # a command imports what it needs
    from plenipo.matches import standings  # noqa: PLC0415

    table = standings(result.played, _rate(wanted, result.played))
    if seed is not None:
        _print_json(wanted, result.played, table, seed)
    else:
        _print_standings(wanted, rules, result, table)
    for fault in pages.faults_of(result.played):
        typer.echo(in_words(fault), err=True)
    if games_to is not None and games_to.suffix == PARQUET:
        from plenipo.matches.dataset import card  # noqa: PLC0415

        games_to.with_suffix(".md").write_text(card(wanted, rules.title, table, result.played), encoding="utf-8")
    if report is not None:
        report.write_text(pages.html(wanted, rules.title, result.played, table, result.spent), encoding="utf-8")


def _rate(wanted: "Match", played: "Sequence[Played]") -> dict[str, tuple[float, float]] | None:
    """Return the ratings of the players; None for one player, and where a package is missing, which is said."""
    from plenipo import extras  # noqa: PLC0415  # a command imports what it needs
    from plenipo.matches.standings import ratings  # noqa: PLC0415

    if len(wanted.names) < 2:
        return None
    if missing := extras.missing("match", "openskill"):
        typer.echo(_("No ratings: {reason}", reason=missing), err=True)
        return None
    return ratings(played)


def _print_json(wanted: "Match", played: "Sequence[Played]", table: "Sequence[Standing]", seed: str) -> None:
    """Print the standings of a match as JSON, and its deals if it had any."""
    from plenipo.matches import report as pages  # noqa: PLC0415  # a command imports what it needs

    deals = {name: count._asdict() for name, count in pages.count_deals(played).items()}
    whole = {
        "variant": wanted.variant,
        "options": dict(wanted.options),
        "games": len(played),
        "years": wanted.years,
        "seed": seed,
        "players": [standing.to_json() for standing in table],
    }
    typer.echo(json.dumps({**whole, "deals": deals} if deals else whole, indent=1))


def _print_standings(wanted: "Match", rules: "Rules", result: _MatchResult, table: "Sequence[Standing]") -> None:
    """Print the standings of a match in words and tables."""
    from plenipo.cli.terminal import plain_console  # noqa: PLC0415  # a command imports what it needs
    from plenipo.matches import report as pages  # noqa: PLC0415

    console = plain_console()
    console.print(in_words(pages.headline(wanted, rules.title, result.played)), soft_wrap=True)
    rows = (pages.cells(standing, result.spent[standing.player]) for standing in table)
    print_whole(_table(pages.COLUMNS, rows))
    for sentence in (*pages.list_unscored(table), *pages.describe_deals(result.played)):
        console.print(in_words(sentence), soft_wrap=True)
    if len(wanted.names) > 1:
        console.print("\n" + _("Share by power:"))
        columns, rows_by_power = pages.by_power(table)
        print_whole(_table(columns, rows_by_power))


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
    player: Annotated[
        str | None, typer.Option(help="The computer player of all seats.", show_default="the best there is")
    ] = None,
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
        str | None,
        typer.Option(
            help="The computer player that continues the game to estimate each power's share.",
            show_default="the policy",
        ),
    ] = None,
    movements: Annotated[
        int, typer.Option(help="The number of movements it continues for; 0 counts centres.", min=0)
    ] = 4,
    times: Annotated[
        int | None,
        typer.Option(help="The number of continuations from each position.", min=1, show_default="40, 4 with --player"),
    ] = None,
    turns: Annotated[int, typer.Option(help="The number of key turns and of mistakes shown.", min=0)] = 5,
    report: Annotated[Path | None, typer.Option(help="Write a page with a plot to this file.")] = None,
    number: GameNumberOption = None,
    *,
    as_json: AsJson = False,
    trust: Trust = False,  # noqa: ARG001  # its callback does the work
) -> None:
    """Review a saved game: the expectation and accuracy of each power, the key turns, the worst orders."""
    from plenipo.bots import why_slow  # noqa: PLC0415  # a command imports what it needs
    from plenipo.cli import saved  # noqa: PLC0415
    from plenipo.cli.terminal import plain_console, progress  # noqa: PLC0415
    from plenipo.library import plugins  # noqa: PLC0415
    from plenipo.matches import review_page as pages  # noqa: PLC0415
    from plenipo.matches.accuracy import weigh_by_search  # noqa: PLC0415
    from plenipo.matches.openings import read_openings  # noqa: PLC0415
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
            looked_back = reviewed(
                played,
                expect,
                most=turns,
                weigh=weigh_by_search if movements else None,
                openings=read_openings(variant or played.rules.variant),
                told=told,
            )
        if report is not None:
            report.write_text(pages.html(looked_back), encoding="utf-8")
        if as_json:
            typer.echo(json.dumps(looked_back.to_json(), indent=1))
            return
        console = plain_console()
        print_whole(_table(pages.COLUMNS, pages.rows(looked_back)))
        if looked_back.accuracies:
            print_whole(_table(pages.ACCURACY_COLUMNS, pages.accuracy_rows(looked_back)))
        for sentence in (
            *pages.openings(looked_back),
            *pages.sentences(looked_back),
            *pages.mistakes(looked_back, turns),
        ):
            console.print(in_words(sentence), soft_wrap=True)
        if movements and (reason := why_slow(played.rules)):
            console.print(_("The orders were not rated:"), in_words(reason), soft_wrap=True)


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

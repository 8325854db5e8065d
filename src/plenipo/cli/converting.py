"""`plenipo convert` and `plenipo replay-check`: games of other programs, read as a stream, written and compared."""

import gzip
import json
import os
import sys
from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from functools import cache
from io import TextIOWrapper
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, BinaryIO, NamedTuple, TextIO

import typer

from plenipo.cli.joined_files import open_source
from plenipo.cli.options import AsJson, FolderOption, GameNumberOption, Trust, refuse, report_faults
from plenipo.languages.current import _, in_words, plural

if TYPE_CHECKING:
    from collections.abc import Callable

    from plenipo.engine.history.game import Game
    from plenipo.engine.rules import Rules
    from plenipo.formats import Format
    from plenipo.formats.differences import PositionDifference
    from plenipo.formats.streaming import GameText

__all__ = ["convert", "replay_check"]

MOST_SHOWN = 20
"""The most differences that are printed one by one; the rest are counted."""

EXAMPLES = 2
"""The examples of each explanation that `replay-check` prints."""

FromOption = Annotated[
    str | None, typer.Option("--from", help="The format of the files.", show_default="recognised by their content")
]


class _ReadGame(NamedTuple):
    """A game that was read, or the sentence about one that was not; `label` names its file and number."""

    label: str
    game: "Game | None"
    fault: str = ""
    form: "Format | None" = None


def convert(
    files: Annotated[
        list[Path],
        typer.Argument(
            metavar="FROM... TO",
            help="Files or folders with games, in any of the formats, then the file that is written; "
            "`-` is standard output.",
        ),
    ],
    to: Annotated[str, typer.Option(help="The format that is written, by its name, or one of a plug-in.")] = (
        "diplomacy"
    ),
    name: FromOption = None,
    number: GameNumberOption = None,
    *,
    variant: Annotated[
        str | None, typer.Option(help="The folder or map file of the game's variant, if it is not installed.")
    ] = None,
    trust: Trust = False,  # noqa: ARG001  # its callback does the work
) -> None:
    """Read games in one format and write them in another, and name what differs or is lost."""
    from plenipo.library import plugins  # noqa: PLC0415

    if len(files) < 2:
        refuse(_("Say which file is written: plenipo convert FROM... TO."))
    *sources, target = files
    with report_faults():
        form = plugins.formats()[to]
        if not form.writes:
            refuse(_("The format '{name}' is only read; nothing writes it.", name=to))
        games = _games(sources, variant, name, number)
        first = next(games, None)
        if first is None:
            refuse(_("No game was found."))
        second = next(games, None)
        if second is None:
            if first.game is None:
                refuse(first.fault)
            text = form.write(first.game)
            with _writing(target) as file:
                file.write(text)
            _Report(form).add(first)
            return
        report = _Report(form)
        with _writing(target) as file:
            for source in chain((first, second), games):
                _write_one(source, form, file, report)
        report.sum_up()


def _write_one(source: _ReadGame, form: "Format", file: TextIO, report: "_Report") -> None:
    from plenipo.errors import InvalidRecord  # noqa: PLC0415

    if source.game is None:
        report.refuse(source.fault)
        return
    try:
        text = form.write(source.game)
    except InvalidRecord as fault:
        report.refuse(f"{source.label}: {in_words(fault)}")
        return
    file.write(_in_one_line(text))
    report.add(source)


def _in_one_line(text: str) -> str:
    """Return a JSON text in one line, and any other as it is."""
    if not text.startswith("{") or text.count("\n") <= 1:
        return text
    return json.dumps(json.loads(text), ensure_ascii=False) + "\n"


class _Report:
    """The report of `convert`: games that were refused, positions that differ, and parts that are lost."""

    def __init__(self, form: "Format") -> None:
        self._form = form
        self._games = self._phases = self._refused = self._differences = 0
        self._lost: Counter[str] = Counter()

    def add(self, source: _ReadGame) -> None:
        """Count a game, and print its differences."""
        from plenipo.engine.history.rulings import Edited  # noqa: PLC0415

        game = source.game
        if game is None:
            return
        self._games += 1
        self._phases += len(game.turns)
        for _place, ruling in game.rulings:
            if source.form is not None and source.form.name != "plenipo" and isinstance(ruling, Edited):
                self._differences += 1
                if self._differences <= MOST_SHOWN:
                    typer.echo(f"{source.label}: {ruling.reason.text}", err=True)
        for part in _lost_parts(game, self._form):
            if not self._lost[part]:
                typer.echo(
                    _(
                        "The format '{name}' has no room for this, which is lost: {part}.",
                        name=self._form.name,
                        part=part,
                    ),
                    err=True,
                )
            self._lost[part] += 1

    def refuse(self, sentence: str) -> None:
        """Count a game that was not converted, and print why."""
        self._refused += 1
        typer.echo(sentence, err=True)

    def sum_up(self) -> None:
        """Print the sums; end with status 1 if a game was refused."""
        text = _(
            "{games} games with {phases} phases were converted, {refused} were refused; {differences} positions "
            "differ from those that follow by the rules.",
            games=self._games,
            phases=self._phases,
            refused=self._refused,
            differences=self._differences,
        )
        typer.echo(text, err=True)
        if self._refused:
            raise typer.Exit(1)


def _lost_parts(game: "Game", form: "Format") -> Iterator[str]:
    """Yield the names of the parts that a game has and a format does not preserve."""
    from plenipo.engine.history.rulings import Edited  # noqa: PLC0415
    from plenipo.formats import GamePart  # noqa: PLC0415

    has = {
        GamePart.MESSAGES: bool(game.messages),
        GamePart.TIMES: any(message.time is not None for message in game.messages),
        GamePart.END: bool(game.drawn),
        GamePart.OPTIONS: bool(game.rules.options),
        GamePart.RULINGS: any(not isinstance(ruling, Edited) for _, ruling in game.rulings),
        GamePart.CHANCE: game.dice is not None and any(turn.resolution.draws for turn in game.turns),
    }
    yield from (str(part) for part in form.loses if has.get(part))


@contextmanager
def _writing(target: Path) -> Iterator[TextIO]:
    """Open a file that appears under its name when all is written; `-` is standard output, `.gz` is compressed."""
    if str(target) == "-":
        yield sys.stdout
        return
    beside = target.with_name(target.name + ".new")
    try:
        with beside.open("wb") as raw, ExitStack() as stack:
            packed: Any = raw
            if target.suffix == ".gz":
                packed = stack.enter_context(gzip.GzipFile(target.stem, "wb", fileobj=raw))
            yield stack.enter_context(TextIOWrapper(packed, encoding="utf-8", newline="\n"))
        os.replace(beside, target)  # noqa: PTH105  # says what it does better than Path.replace
    finally:
        beside.unlink(missing_ok=True)


# Reading


def _games(
    paths: list[Path], variant: str | None, name: str | None, number: int | None = None
) -> "Iterator[_ReadGame]":
    """Yield the games of files and folders, with a progress bar; `number` chooses one, from 0."""
    from plenipo.cli.terminal import progress  # noqa: PLC0415
    from plenipo.errors import PlenipoError  # noqa: PLC0415

    load = _loader(variant)
    total = sum(path.stat().st_size for path in paths)
    done = 0
    with progress(_("Reading games")) as tell:
        for path in paths:
            read, seen = 0, 0
            try:
                with open_source(path) as file:
                    for text in _texts(file, name, load):
                        seen += 1
                        if number is None or number == text.number - 1:
                            yield _read_one(path, text, load)
                        read = file.tell()
                        tell(min(done + read, total), max(total, 1))
            except PlenipoError as fault:
                where = f"'{path}'" if not seen else _("'{file}', after game {number}", file=path, number=seen)
                yield _ReadGame(where, None, f"{where}: {in_words(fault)}")
            done += path.stat().st_size


def _read_one(path: Path, text: "GameText", load: "Callable[[str, Mapping[str, Any]], Rules]") -> _ReadGame:
    from plenipo.errors import PlenipoError  # noqa: PLC0415

    label = f"'{path}'" if text.number == 1 else _("'{file}', game {number}", file=path, number=text.number)
    try:
        return _ReadGame(label, text.form.read(text.text, load), form=text.form)
    except PlenipoError as fault:
        return _ReadGame(label, None, f"{label}: {in_words(fault)}")


def _texts(file: BinaryIO, name: str | None, load: "Callable[[str, Mapping[str, Any]], Rules]") -> "Iterator[GameText]":
    from plenipo.cli import saved  # noqa: PLC0415
    from plenipo.formats import Format  # noqa: PLC0415
    from plenipo.formats.streaming import games_in  # noqa: PLC0415
    from plenipo.library import plugins  # noqa: PLC0415

    match = Format("match", _("games of a match"), saved.is_match, lambda text, _: saved.read_of_match(text, load))
    registry = plugins.formats()
    if name is not None:
        registry[name]  # raises for a name that is none
    return games_in(file, {"match": match, **registry.values}, name)


def _loader(variant: str | None) -> "Callable[[str, Mapping[str, Any]], Rules]":
    """Return a function that loads the rules of a variant, each once."""
    from plenipo import library  # noqa: PLC0415

    @cache
    def load(name: str, options: tuple[tuple[str, Any], ...]) -> "Rules":
        return library.load(variant or name, dict(options))

    def keep(name: str, options: Mapping[str, Any]) -> "Rules":
        try:
            return load(name, tuple(sorted(options.items())))
        except TypeError:  # an option that cannot be hashed
            return library.load(variant or name, options)

    return keep


# Comparing


def replay_check(
    files: Annotated[list[Path], typer.Argument(help="Files or folders with games, in any of the formats.")],
    name: FromOption = None,
    *,
    variant: FolderOption = None,
    as_json: AsJson = False,
    trust: Trust = False,  # noqa: ARG001  # its callback does the work
) -> None:
    """Adjudicate the games of files again; report where their positions differ, and the policy that explains it."""
    from plenipo.formats.differences import list_differences  # noqa: PLC0415

    with report_faults():
        load = _loader(variant)
        games = phases = refused = 0
        causes: Counter[str] = Counter()
        examples: dict[str, list[tuple[str, PositionDifference]]] = {}
        for source in _games(files, variant, name):
            if source.game is None:
                refused += 1
                typer.echo(source.fault, err=True)
                continue
            games += 1
            phases += len(source.game.turns)
            for difference in list_differences(source.game, load):
                causes[difference.cause] += 1
                kept = examples.setdefault(difference.cause, [])
                if len(kept) < EXAMPLES:
                    kept.append((source.label, difference))
        if as_json:
            sums = {"games": games, "phases": phases, "refused": refused, "differences": dict(causes)}
            typer.echo(json.dumps(sums, ensure_ascii=False))
        else:
            _print_causes(games, phases, refused, causes, examples)
        if refused or causes[""]:
            raise typer.Exit(1)


def _print_causes(
    games: int,
    phases: int,
    refused: int,
    causes: "Counter[str]",
    examples: "Mapping[str, list[tuple[str, PositionDifference]]]",
) -> None:
    typer.echo(
        _(
            "{games} games with {phases} phases were adjudicated again, {refused} were refused.",
            games=games,
            phases=phases,
            refused=refused,
        )
    )
    if not causes:
        typer.echo(_("Every position is the one that follows by the rules."))
    for cause, count in causes.most_common():
        typer.echo("")
        typer.echo(plural("{number} position: {why}", "{number} positions: {why}", count, why=_explain(cause)))
        for label, difference in examples[cause]:
            typer.echo(f"  {label}, {difference.phase}: {difference.text}")
            if difference.units:
                typer.echo("    " + "; ".join(f"{unit.power} {unit}" for unit in difference.units))
            for power, orders in (difference.orders or {}).items():
                typer.echo(f"    {power}: " + ", ".join(orders))


def _explain(cause: str) -> str:
    """Return a sentence for the explanation of a difference."""
    from plenipo.engine.rulebook import POLICIES  # noqa: PLC0415

    key, mark, choice = cause.partition("=")
    if mark:
        policy = POLICIES[key]
        return _(
            "policy {key} ({title}) is '{choice}' there: {meaning}",
            key=key,
            title=in_words(policy.title),
            choice=choice,
            meaning=in_words(policy.choices[choice]),
        )
    rules = {
        "removal": _("removals that no player ordered are chosen by another rule than policy 4.D.8 knows"),
        "build": _("units were built that no order in the file builds"),
        "type": _("units of another type stand in the same places, which contradicts what the file says before"),
        "missing": _("the file has no orders of a phase before"),
        "": _("no policy explains it"),
    }
    return rules[cause]

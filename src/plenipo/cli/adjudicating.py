"""`plenipo adjudicate`, `plenipo cases` and `plenipo verify`: positions, worked cases and saved games, checked."""

import sys
from contextlib import nullcontext
from pathlib import Path
from typing import Annotated

import typer

from plenipo.cli.options import FolderOption, Trust, print_whole, report_faults
from plenipo.languages.current import _, in_words, mark

__all__ = ["adjudicate", "cases", "verify"]


_OUTCOMES = {"passed": mark("passed"), "failed": mark("failed"), "skipped": mark("skipped")}
"""The outcomes of worked cases, as words."""


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

"""`plenipo import`: boards of other programs as folders of variants."""

from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from shutil import rmtree
from tempfile import mkdtemp
from typing import TYPE_CHECKING, Annotated

import typer

from plenipo.cli.options import print_whole, refuse, report_faults
from plenipo.languages.current import _, in_words, mark, plural

if TYPE_CHECKING:
    from plenipo.boards_in import BoardFormat, ImportedBoard, SourceFiles

__all__ = ["import_boards"]

LISTED = 12
"""The most boards that are named when a user must choose."""


@dataclass(frozen=True, slots=True)
class _Result:
    """A board that was read, or why it was not: `outcome` is a word for it, `why` a sentence."""

    reader: str
    key: str
    outcome: str
    why: str = ""


OUTCOMES = (mark("playable"), mark("with mistakes"), mark("refused"), mark("there already"))
"""The outcomes of an import."""

PLAYABLE, MISTAKEN, REFUSED, KNOWN = OUTCOMES


def import_boards(
    source: Annotated[Path, typer.Argument(help="A file, a folder, a zip or a whole checkout with boards.")],
    to: Annotated[
        Path | None, typer.Option(help="The folder for the new folders.", show_default="in your data folder")
    ] = None,
    board: Annotated[
        list[str] | None, typer.Option(help="Import the boards whose file or name has this in it. May be repeated.")
    ] = None,
    form: Annotated[
        list[str] | None, typer.Option("--format", help="Look for these formats alone. May be repeated.")
    ] = None,
    *,
    everything: Annotated[bool, typer.Option("--all", help="Import every board in the source.")] = False,
    replace: Annotated[bool, typer.Option("--replace", help="Write over boards that were imported before.")] = False,
) -> None:
    """Import boards of other programs, each as the folder of a variant that plays at once.

    Nothing is run that the source contains, and nothing is fetched. What could not be kept is named on the page of the
    variant, with its author and licence as found.
    """
    from plenipo.boards_in import open_source  # noqa: PLC0415  # a command imports what it needs
    from plenipo.cli.terminal import progress  # noqa: PLC0415
    from plenipo.library import plugins  # noqa: PLC0415

    with report_faults("import"):
        files = open_source(source)
        shelf = plugins.board_readers()
        readers = [shelf[name] for name in form] if form else list(shelf.values.values())
        found = [(reader, key) for reader in readers for key in reader.find(files)]
        chosen = [pair for pair in found if not board or any(text.lower() in pair[1].lower() for text in board)]
        if not chosen:
            names = ", ".join(reader.title for reader in readers)
            refuse(_("There is no board in '{source}'; these are read: {names}.", source=source.name, names=names))
        if len(chosen) > 1 and not everything and not board:
            _ask_which(found)
        folder = to or _data_folder()
        results: list[_Result] = []
        with progress(_("Importing")) as advance:
            for result in _import_each(files, chosen, folder, replace=replace):
                results.append(result)
                advance(len(results), len(chosen))
        _report(results, folder)


def _ask_which(found: Sequence[tuple["BoardFormat", str]]) -> None:
    keys = [key for _reader, key in found]
    shown = ", ".join(keys[:LISTED]) + (", …" if len(keys) > LISTED else "")
    refuse(
        plural(
            "There is {number} board: {boards}. Choose with --board, or take --all.",
            "There are {number} boards: {boards}. Choose with --board, or take --all.",
            len(keys),
            boards=shown,
        )
    )


def _data_folder() -> Path:
    from plenipo.cli.serve import needs_server  # noqa: PLC0415

    with needs_server(_("The data folder")):
        from plenipo.server.private_files import data_folder  # noqa: PLC0415  # an extra
    return data_folder() / "variants"


def _import_each(
    files: "SourceFiles", chosen: Sequence[tuple["BoardFormat", str]], folder: Path, *, replace: bool
) -> Iterator[_Result]:
    """Read, write and check one board after the other."""
    from plenipo import library  # noqa: PLC0415
    from plenipo.boards_in import folder_name, variant_files  # noqa: PLC0415
    from plenipo.errors import InvalidBoardFile  # noqa: PLC0415

    folder.mkdir(parents=True, exist_ok=True)
    made: set[str] = set()
    for reader, key in chosen:
        try:
            board = reader.read(files, key)
        except InvalidBoardFile as fault:
            yield _Result(reader.name, key, REFUSED, in_words(fault))
            continue
        name = _free_name(folder_name(board), made)
        made.add(name)
        if (folder / name).exists() and not replace:
            yield _Result(reader.name, key, KNOWN, _("'{name}' is there already; --replace writes over it.", name=name))
            continue
        _write(folder / name, variant_files(board))
        mistakes = library.check(folder / name)
        if mistakes:
            yield _Result(reader.name, key, MISTAKEN, in_words(mistakes[0]))
        else:
            yield _Result(reader.name, key, PLAYABLE, _left_out(board))


def _left_out(board: "ImportedBoard") -> str:
    return " ".join(in_words(sentence) for sentence in board.left_out)


def _free_name(name: str, made: set[str]) -> str:
    number = 2
    free = name
    while free in made:
        free, number = f"{name}-{number}", number + 1
    return free


def _write(folder: Path, texts: dict[str, str]) -> None:
    """Write a folder whole: a reader of it never sees half of one, and other files in it stay."""
    made = Path(mkdtemp(prefix=".import-", dir=folder.parent))
    try:
        for file, text in texts.items():
            (made / file).write_text(text, encoding="utf-8", newline="\n")
        made.chmod(0o755)
        if folder.exists():
            for file in texts:
                (made / file).replace(folder / file)
        else:
            made.rename(folder)
    finally:
        with suppress(OSError):
            rmtree(made)


def _report(results: Sequence[_Result], folder: Path) -> None:
    """Print a table by reader, a line for each board that needs a look, and where the folders are."""
    from rich.table import Table  # noqa: PLC0415

    counted = Counter((result.reader, result.outcome) for result in results)
    table = Table(_("Format"), _("Boards"), *map(_, OUTCOMES), box=None)
    for reader in dict.fromkeys(result.reader for result in results):
        numbers = [counted[reader, outcome] for outcome in OUTCOMES]
        table.add_row(reader, str(sum(numbers)), *map(str, numbers))
    for result in results:
        if result.outcome != PLAYABLE or (len(results) == 1 and result.why):
            typer.echo(f"{result.key}: {_(result.outcome)}. {result.why}")
    print_whole(table)
    playable = sum(result.outcome == PLAYABLE for result in results)
    typer.echo(
        plural(
            "{number} board is playable, in {folder}.",
            "{number} boards are playable, in {folder}.",
            playable,
            folder=folder,
        )
    )
    if not playable:
        raise typer.Exit(1)

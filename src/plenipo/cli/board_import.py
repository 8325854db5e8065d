"""`plenipo import`: boards of other programs as folders of variants."""

import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from shutil import rmtree
from tempfile import mkdtemp
from typing import TYPE_CHECKING, Annotated

import typer

from plenipo.cli.options import print_whole, refuse, report_faults
from plenipo.languages.current import _, in_words, mark, plural

if TYPE_CHECKING:
    from plenipo.boards_in import BoardFormat, ImportChoices, ImportedBoard, SourceFiles

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


AreasOption = Annotated[
    list[str] | None,
    typer.Option(help="In a picture, the layer, class, id or colour (#a0c0e0) of the spaces. May be repeated."),
]
IgnoreOption = Annotated[
    list[str] | None, typer.Option(help="In a picture, a layer, class, id or colour to leave out. May be repeated.")
]
ContactsOption = Annotated[
    Path | None,
    typer.Option(
        help="A file or folder with the board of a picture as a list of contacts, in any format that is read."
    ),
]


def import_boards(
    source: Annotated[Path, typer.Argument(help="A file, a folder, a zip or a whole checkout with boards.")],
    to: Annotated[
        Path | None, typer.Option(help="The folder for the new folders.", show_default="in your data folder")
    ] = None,
    board: Annotated[
        list[str] | None, typer.Option(help="Import only boards with this in their file or name. May be repeated.")
    ] = None,
    form: Annotated[list[str] | None, typer.Option("--format", help="Try only these formats. May be repeated.")] = None,
    areas: AreasOption = None,
    ignore: IgnoreOption = None,
    contacts: ContactsOption = None,
    *,
    everything: Annotated[bool, typer.Option("--all", help="Import every board in the source.")] = False,
    replace: Annotated[bool, typer.Option("--replace", help="Replace boards that were imported before.")] = False,
) -> None:
    """Import boards of other programs, each as the folder of a variant that plays at once.

    A picture becomes a figure; what it does not say is asked in a terminal, and kept in import.toml beside it.
    Nothing is run that the source contains, and nothing is fetched. What could not be kept is named on the page of the
    variant, with its author and licence as found.
    """
    from plenipo.boards_in import open_source  # noqa: PLC0415  # a command imports what it needs
    from plenipo.boards_in.values import ImportChoices  # noqa: PLC0415
    from plenipo.cli.terminal import progress  # noqa: PLC0415
    from plenipo.library import plugins  # noqa: PLC0415
    from plenipo.user_files import read_text  # noqa: PLC0415

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
        listed = None if contacts is None else _read_list(contacts)
        beside = source.with_suffix(".toml")  # the answers that `plenipo map export` writes beside a picture
        known = read_text(beside) if source.is_file() and beside != source and beside.is_file() else ""
        choices = ImportChoices(tuple(areas or ()), tuple(ignore or ()), known, listed)
        results: list[_Result] = []
        with progress(_("Importing")) as advance:
            for result in _import_each(files, chosen, folder, choices, replace=replace):
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
    files: "SourceFiles",
    chosen: Sequence[tuple["BoardFormat", str]],
    folder: Path,
    choices: "ImportChoices",
    *,
    replace: bool,
) -> Iterator[_Result]:
    """Read, write and check one board after the other."""
    from plenipo import library  # noqa: PLC0415
    from plenipo.boards_in import folder_name, variant_files  # noqa: PLC0415
    from plenipo.cli.map_commands import place_labels  # noqa: PLC0415
    from plenipo.errors import InvalidBoardFile, PlenipoError  # noqa: PLC0415

    folder.mkdir(parents=True, exist_ok=True)
    made: set[str] = set()
    for reader, key in chosen:
        try:
            board = _read_board(reader, files, key, folder, choices)
        except InvalidBoardFile as fault:
            yield _Result(reader.name, key, REFUSED, in_words(fault))
            continue
        name = _free_name(folder_name(board.name), made)
        made.add(name)
        if (folder / name).exists() and not replace:
            yield _Result(reader.name, key, KNOWN, _("'{name}' is there already; --replace writes over it.", name=name))
            continue
        _write(folder / name, variant_files(board))
        mistakes = library.check(folder / name)
        if board.figure is not None and not mistakes:
            try:
                place_labels(folder / name)
            except PlenipoError as fault:
                yield _Result(reader.name, key, MISTAKEN, in_words(fault))
                continue
        if mistakes:
            yield _Result(reader.name, key, MISTAKEN, in_words(mistakes[0]))
        else:
            yield _Result(reader.name, key, PLAYABLE, _notes_on(board))


def _read_board(
    reader: "BoardFormat", files: "SourceFiles", key: str, folder: Path, choices: "ImportChoices"
) -> "ImportedBoard":
    """Read a board; of a picture with the answers that are beside an earlier import, and those to open questions."""
    from plenipo.boards_in import ANSWERS, folder_name  # noqa: PLC0415
    from plenipo.user_files import read_text  # noqa: PLC0415

    if reader.read_chosen is None:
        return reader.read(files, key)
    kept = folder / folder_name(Path(key).stem) / ANSWERS
    if kept.is_file():
        choices = replace(choices, answers=read_text(kept))
    board = reader.read_chosen(files, key, choices)
    answers = _ask_open(board)
    return reader.read_chosen(files, key, replace(choices, answers=answers)) if answers != board.answers else board


def _read_list(source: Path) -> "ImportedBoard":
    """Read the one board in a source of contacts; refuse a source with none or with several."""
    from plenipo.boards_in import open_source  # noqa: PLC0415
    from plenipo.library import plugins  # noqa: PLC0415

    files = open_source(source)
    readers = [reader for reader in plugins.board_readers().values.values() if reader.read_chosen is None]
    found = [(reader, key) for reader in readers for key in reader.find(files)]
    if len(found) != 1:
        refuse(_("There is no list of contacts in '{source}', or more than one board.", source=source.name))
    reader, key = found[0]
    return reader.read(files, key)


def _ask_open(board: "ImportedBoard") -> str:
    """Ask what a picture leaves open, if somebody sits at the terminal; return the answers to keep."""
    from plenipo.boards_in import add_answer  # noqa: PLC0415

    answers = board.answers
    if board.questions and sys.stdin.isatty():
        for question in board.questions:
            text = f"{in_words(question.sentence)} ({', '.join(question.choices)})"
            said = typer.prompt(text, default=question.proposal, value_proc=partial(_check_choice, question.choices))
            answers = add_answer(answers, question, said)
    return answers


def _check_choice(choices: Sequence[str], said: str) -> str:
    """Return what was said in small letters; `typer.prompt` asks again after a `BadParameter`."""
    choice = said.strip().lower()
    if choice not in choices:
        raise typer.BadParameter(
            _("'{text}' is no answer; write one of these: {choices}.", text=said, choices=", ".join(choices))
        )
    return choice


def _notes_on(board: "ImportedBoard") -> str:
    from plenipo.boards_in import ANSWERS  # noqa: PLC0415

    notes = [in_words(sentence) for sentence in (*board.notes, *board.left_out)]
    if board.questions:
        guessed = plural(
            "{number} answer was guessed, and stands in {file}.",
            "{number} answers were guessed, and stand in {file}.",
            len(board.questions),
            file=ANSWERS,
        )
        notes.append(guessed)
    return " ".join(notes)


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

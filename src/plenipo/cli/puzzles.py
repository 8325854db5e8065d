"""The commands `plenipo puzzle`, which plays puzzles, and `plenipo puzzles`, which makes and proves them."""

import secrets
from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from plenipo.cli.matches import seed_from
from plenipo.cli.options import VARIANT, GamesOption, Seed, Workers, refuse, report_faults
from plenipo.languages.current import _, current_language, in_list, in_words, mark, name_of, plural

if TYPE_CHECKING:
    from plenipo.cli.terminal import Terminal
    from plenipo.engine.outcome import Outcome
    from plenipo.puzzles import CasePuzzle, OrderPuzzle

__all__ = ["puzzle", "puzzles"]

puzzles = typer.Typer(no_args_is_help=True, help="Make and prove puzzles of the kind 'find the order'.")

KINDS = ("what", "order")
"""The kinds of puzzles: what happens, and find the order."""

FAULTY = 1
"""The exit status if a puzzle is not proved."""

PuzzleFile = Annotated[
    Path | None, typer.Option(help="A file of `plenipo puzzles make`.", show_default="the package's")
]

_FATES = {
    "succeeds": mark("succeeds"),
    "fails": mark("fails"),
    "dislodged": mark("is dislodged"),
}


def puzzle(
    number: Annotated[int | None, typer.Argument(help="The number of a puzzle.", show_default="any")] = None,
    kind: Annotated[
        str | None, typer.Option(help="`what` happens, or find the `order`.", show_default="either")
    ] = None,
    file: PuzzleFile = None,
) -> None:
    """Solve a puzzle in the terminal: what happens to the units, or which orders reach the goal."""
    from plenipo.cli.terminal import Ended, Terminal  # noqa: PLC0415  # a command imports what it needs
    from plenipo.puzzles import OrderPuzzle  # noqa: PLC0415

    with report_faults():
        known = _known_puzzles(kind, file)
        if number is not None and number not in known:
            refuse(
                _("There is no puzzle {number} here; the numbers are {ranges}.", number=number, ranges=_ranges(known))
            )
        chosen = known[secrets.choice(list(known)) if number is None else number]
        terminal = Terminal()
        with suppress(Ended):
            if isinstance(chosen, OrderPuzzle):
                _find_the_order(terminal, chosen)
            else:
                _say_what_happens(terminal, chosen)


def _known_puzzles(kind: str | None, file: Path | None) -> "Mapping[int, CasePuzzle | OrderPuzzle]":
    from plenipo.puzzles import load_case_puzzles, load_order_puzzles  # noqa: PLC0415
    from plenipo.puzzles.order_puzzles import read_puzzles  # noqa: PLC0415
    from plenipo.user_files import read_text  # noqa: PLC0415

    if kind is not None and kind not in KINDS:
        refuse(_("'{kind}' is no kind of puzzle; write {kinds}.", kind=kind, kinds=in_list(KINDS)))
    if file is not None:
        found = {one.number: one for one in read_puzzles(read_text(file), file.name)}
        if not found:
            refuse(_("'{file}' has no puzzles yet.", file=file))
        return found
    known: dict[int, CasePuzzle | OrderPuzzle] = {}
    if kind != "order":
        known |= load_case_puzzles()
    if kind != "what":
        known |= load_order_puzzles()
    return known


def _ranges(numbers: "Mapping[int, object]") -> str:
    """Return numbers as ranges, such as `1 to 371, 10001 to 10500`."""
    runs: list[list[int]] = []
    for number in sorted(numbers):
        if runs and runs[-1][1] == number - 1:
            runs[-1][1] = number
        else:
            runs.append([number, number])
    return ", ".join(_("{first} to {last}", first=first, last=last) for first, last in runs)


def _find_the_order(terminal: "Terminal", puzzle: "OrderPuzzle") -> None:
    from plenipo.cli import tables  # noqa: PLC0415
    from plenipo.errors import PlenipoError  # noqa: PLC0415
    from plenipo.languages.names import vocabulary_in  # noqa: PLC0415

    rules, position = puzzle.rules, puzzle.position
    vocabulary = vocabulary_in(current_language(), rules.variant)
    terminal.say(_("Puzzle {number}: {phase}", number=puzzle.number, phase=position.phase))
    terminal.say(tables.position_of(rules, position))
    goal = puzzle.goal.sentence(rules.board_at(position))
    terminal.say(f"{_('You play {power}.', power=name_of(puzzle.power))} {in_words(goal)}")
    count = len(puzzle.solution)
    terminal.say(
        plural(
            "{number} order is enough. Type it, then an empty line.",
            "{number} orders are enough. Type one a line, then an empty line.",
            count,
        )
    )
    orders: list[str] = []
    while line := terminal.read("> ").strip():
        try:
            puzzle.read([*orders, line], vocabulary)
        except PlenipoError as fault:
            terminal.say(in_words(fault))
        else:
            orders.append(line)
    answer = puzzle.judge(puzzle.read(orders, vocabulary))
    if answer.solved:
        terminal.say(_("Solved: no other set of at most three orders does it."))
    elif answer.refuted:
        terminal.say(_("Not yet: the others have a reply."))
    elif answer.wasteful:
        terminal.say(plural("Not yet: {number} order is enough.", "Not yet: {number} orders are enough.", count))
    else:
        terminal.say(_("Not yet: this is not the solution."))
    terminal.say(tables.report(rules, answer.resolution))
    _name_lessons(terminal, answer.resolution.outcomes)
    if not answer.solved and terminal.agrees(_("Show the solution?")):
        terminal.say(in_list(puzzle.solution))


def _say_what_happens(terminal: "Terminal", puzzle: "CasePuzzle") -> None:
    from plenipo.cli import tables  # noqa: PLC0415
    from plenipo.puzzles.case_puzzles import fate_of, list_questions  # noqa: PLC0415

    rules, resolution = puzzle.movement
    terminal.say(
        _(
            "Puzzle {number}: {variant}, {phase}",
            number=puzzle.number,
            variant=rules.title,
            phase=resolution.before.phase,
        )
    )
    terminal.say(tables.position_of(rules, resolution.before))
    for outcome in resolution.outcomes:
        if outcome.order:
            terminal.say(f"  {name_of(outcome.power)}: {outcome.order}")
    words = {key: _(text) for key, text in _FATES.items()}
    wrong = 0
    questions = list_questions(resolution)
    for outcome in questions:
        fate = fate_of(outcome)
        question = _("{what}: {fates}?", what=outcome.order or outcome.unit, fates=", ".join(words.values()))
        while not (typed := _match(terminal.read(f"{question} ").strip(), words)):
            terminal.say(_("Type the beginning of one of these words."))
        wrong += typed != fate
        terminal.say(f"{_('Right.') if typed == fate else _('No.')} {in_words(outcome.why)}")
    terminal.say(
        _("Solved.") if not wrong else plural("{number} answer was wrong.", "{number} answers were wrong.", wrong)
    )
    _name_lessons(terminal, resolution.outcomes)


def _name_lessons(terminal: "Terminal", outcomes: "Iterable[Outcome]") -> None:
    from plenipo.languages import pgettext  # noqa: PLC0415
    from plenipo.learning import find_lessons_about  # noqa: PLC0415

    for lesson in find_lessons_about(outcomes):
        title = pgettext(current_language(), lesson.id, lesson.title, "lessons")
        terminal.say(_("Lesson: {title}", title=title))


def _match(typed: str, words: Mapping[str, str]) -> str:
    """Return the key of the word that a text begins; empty if there is none."""
    found = [
        key
        for key, word in words.items()
        if typed and (word.casefold().startswith(typed.casefold()) or key.startswith(typed.casefold()))
    ]
    return found[0] if found else ""


@puzzles.command()
def make(
    to: Annotated[Path, typer.Option(help="The file, to which puzzles are added.")],
    variant: Annotated[str, typer.Option(help=VARIANT)] = "standard",
    games: GamesOption = 20,
    seed: Seed = "1",
    first: Annotated[int, typer.Option(help="The number of the first puzzle of a new file.", min=1)] = 1,
    workers: Workers = 1,
) -> None:
    """Find puzzles in games that computers play; a file of the same seed is continued."""
    from plenipo import extras  # noqa: PLC0415  # a command imports what it needs
    from plenipo.cli.terminal import progress  # noqa: PLC0415
    from plenipo.puzzles.order_puzzles import BegunFile, read_puzzles, write_games, write_puzzle  # noqa: PLC0415
    from plenipo.spread import spread  # noqa: PLC0415
    from plenipo.user_files import read_text  # noqa: PLC0415

    with report_faults(extra="fast"):
        extras.check("fast", what="plenipo puzzles make")
        from plenipo.puzzles.making import make_puzzles  # noqa: PLC0415  # it needs the kernel

        begun = BegunFile.of(read_text(to) if to.exists() else "", to.name, variant, seed)
        to.write_text(begun.text, encoding="utf-8")  # without the puzzles of a game that was not finished
        known = list(read_puzzles(begun.text, to.name))
        number = max((one.number for one in known), default=first - 1)
        seen = {one.identity for one in known}
        shares = [(variant, seed_from(seed), game) for game in range(begun.games, games)]
        with to.open("a", encoding="utf-8") as out, progress(_("Playing")) as told, suppress(KeyboardInterrupt):
            for done, found in enumerate(spread(make_puzzles, shares, workers=workers), begun.games + 1):
                for one in found:
                    if one.identity not in seen:
                        seen.add(one.identity)
                        number += 1
                        out.write(write_puzzle(replace(one, number=number)))
                out.write(write_games(done))
                out.flush()
                told(done, games)
        typer.echo(plural("{number} puzzle in '{file}'.", "{number} puzzles in '{file}'.", len(seen), file=to))


@puzzles.command()
def check(
    file: Annotated[
        Path | None, typer.Argument(help="A file of `plenipo puzzles make`.", show_default="the package's")
    ] = None,
    every: Annotated[int, typer.Option(help="Prove only one puzzle of so many.", min=1)] = 1,
    workers: Workers = 1,
) -> None:
    """Prove puzzles again, and name those whose solution is not the only one."""
    from plenipo import extras  # noqa: PLC0415  # a command imports what it needs
    from plenipo.cli.terminal import progress  # noqa: PLC0415
    from plenipo.spread import spread  # noqa: PLC0415

    with report_faults(extra="fast"):
        extras.check("fast", what="plenipo puzzles check")
        from plenipo.puzzles.making import prove_again  # noqa: PLC0415  # it needs the kernel

        known = list(_known_puzzles("order", file).values())[::every]
        wrong = []
        with progress(_("Proving")) as told:
            proofs = spread(prove_again, [(one,) for one in known], workers=workers)
            for done, (one, proof) in enumerate(zip(known, proofs, strict=True), 1):
                if proof is None:
                    wrong.append(one.number)
                told(done, len(known))
        for number in wrong:
            typer.echo(_("Puzzle {number} is not proved: its solution is not the only one.", number=number))
        right = len(known) - len(wrong)
        typer.echo(plural("{number} puzzle proved.", "{number} puzzles proved.", right))
        if wrong:
            raise typer.Exit(FAULTY)

"""Write the list of the puzzles that are made from worked cases; a puzzle keeps its number while its case is there.

`python scripts/puzzle_index.py` writes the list, with `--check` it only says whether the list is up to date.
"""

import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from plenipo.cases import DATC
from plenipo.library import VARIANTS
from plenipo.puzzles.case_puzzles import INDEX, CasePuzzle, find_puzzles, read_index, write_index

STANDARD = "standard"


def case_files() -> Iterator[tuple[str, Path]]:
    """Every file of cases in the package, with the variant in whose folder it is."""
    for path in sorted(DATC.glob("*.yaml")):
        yield STANDARD, path
    for path in sorted(VARIANTS.rglob("cases/*.yaml")):
        yield path.parent.parent.name, path


def number_puzzles(known: tuple[CasePuzzle, ...], found: Iterator[CasePuzzle]) -> tuple[CasePuzzle, ...]:
    """Return the puzzles found, with the numbers of those that are known and new ones for the others."""
    numbers = {identify(puzzle): puzzle.number for puzzle in known}
    last = max(numbers.values(), default=0)
    numbered = []
    for puzzle in found:
        number = numbers.get(identify(puzzle))
        if number is None:
            last += 1
            number = last
        numbered.append(replace(puzzle, number=number))
    return tuple(numbered)


def identify(puzzle: CasePuzzle) -> tuple[str, str, str, int]:
    """Return what makes a puzzle the same in every version of the list."""
    return puzzle.variant, puzzle.source, puzzle.case, puzzle.step


def write_list(known: str) -> str:
    """Return the list of the puzzles of all cases; those of the `known` list keep their numbers."""
    found = (puzzle for variant, path in case_files() for puzzle in find_puzzles(variant, path))
    return write_index(number_puzzles(read_index(known), found))


if __name__ == "__main__":
    before = INDEX.read_text(encoding="utf-8") if INDEX.exists() else ""
    after = write_list(before)
    if "--check" in sys.argv:
        sys.exit(before != after and "The list of puzzles is out of date; run scripts/puzzle_index.py.")
    INDEX.write_text(after, encoding="utf-8")
    print(f"{len(read_index(after))} puzzles")

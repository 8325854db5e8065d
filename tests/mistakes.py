"""Mistakes of designers as data: a good text, what is put in the place of what in it, and what the answer says."""

from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType

from plenipo import library

NO_PARENTS: Mapping[str, str] = MappingProxyType({})


def checked(folder: Path, text: str, parents: Mapping[str, str] = NO_PARENTS) -> list[tuple[int, str]]:
    """The lines and sentences about a folder with this `variant.toml`, beside `parents`; those of other files at 0."""
    for place, content in ((folder, text), *((folder.parent / name, parent) for name, parent in parents.items())):
        place.mkdir(exist_ok=True)
        (place / "variant.toml").write_text(content, encoding="utf-8")
    own = folder / "variant.toml"
    return [(mistake.line if mistake.file == own else 0, mistake.sentence) for mistake in library.check(folder)]


def unanswered(
    folder: Path, whole: str, good: str, wrong: str, sentence: str, parents: Mapping[str, str] = NO_PARENTS
) -> str:
    """Return the answers if none is at the line of the mistake and contains the sentence; else an empty text."""
    text = whole.replace(good, wrong, 1)
    pairs = zip(whole.splitlines(), text.splitlines(), strict=False)
    number = next(number for number, (before, after) in enumerate(pairs, 1) if before != after)
    answers = checked(folder, text, parents)
    return "" if any(line == number and sentence in said for line, said in answers) else f"line {number}: {answers}"

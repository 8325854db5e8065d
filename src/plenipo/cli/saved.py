"""Saved games: a game in a file."""

import os
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from plenipo import library
from plenipo.engine.history import record
from plenipo.engine.history.game import Game
from plenipo.engine.history.verify import format_record
from plenipo.engine.rules import Rules
from plenipo.engine.sentences import say
from plenipo.errors import InvalidRecord
from plenipo.formats.parsing import json_object
from plenipo.languages.current import _, in_words
from plenipo.library import plugins
from plenipo.user_files import LARGEST_RECORD, read_text

__all__ = ["is_match", "load", "read", "read_of_match", "replace", "save", "saver"]


def replace(path: Path, text: str) -> None:
    """Write `text` to `path` atomically. Raise `OSError`."""
    beside = path.with_name(path.name + ".new")
    beside.write_text(text, encoding="utf-8")
    os.replace(beside, path)  # noqa: PTH105  # says what it does better than Path.replace


def save(game: Game, path: Path) -> None:
    """Write the record of `game` to `path`; raise `OSError`."""
    replace(path, format_record(record.encode_game(game)))


def saver(path: Path | None) -> Callable[[Game], None]:
    """Return a function that saves a game to `path`, if there is one."""
    return lambda game: save(game, path) if path is not None else None


def load(path: Path, variant: str | None = None, number: int | None = None) -> Game:
    """Return the game saved at `path`, in any format; `variant` is the folder of a variant that is not installed.

    `number` selects a game in a file with several games of a match. Raise `OSError`, `InvalidRecord`, and what
    `plenipo.library.load` raises.
    """
    try:
        return read(read_text(path, LARGEST_RECORD), variant, number)
    except UnicodeDecodeError as fault:
        raise InvalidRecord(_("'{file}' is not UTF-8 text, so it is not a saved game.", file=path)) from fault
    except InvalidRecord as fault:
        raise InvalidRecord(say("'{path}': {fault}", path=path, fault=in_words(fault))) from fault


def read(text: str, variant: str | None = None, number: int | None = None) -> Game:
    """Return the game in `text`, as `load` does."""

    def rules(name: str, options: Mapping[str, Any]) -> Rules:
        return library.load(variant or name, options)

    if is_match(text):
        return _of_match(text.splitlines(), rules, number)
    if number:
        text = _("This is one saved game, so there is no game {number} in it; leave out --game.", number=number)
        raise InvalidRecord(text)
    formats = plugins.formats().values
    form = next((form for form in formats.values() if form.sniff(text)), formats["plenipo"])
    return form.read(text, rules)


def is_match(text: str) -> bool:
    """Tell whether a text was written by `plenipo match --games-to FILE.jsonl`: a game of a match in each line."""
    first = json_object(text.partition("\n")[0])
    return first is not None and {"seats", "turns", "tally"} <= first.keys()


def read_of_match(line: str, rules: Callable[[str, Mapping[str, Any]], Rules]) -> Game:
    """Return the game in one line of a file of a match."""
    return _of_match([line], rules, 0)


def _of_match(lines: Sequence[str], rules: Callable[[str, Mapping[str, Any]], Rules], number: int | None) -> Game:
    """Return one game of a match, replayed from its orders."""
    from plenipo.matches.run import decode_game, game_of  # noqa: PLC0415  # of no use to other games

    if number is None and len(lines) > 1:
        raise InvalidRecord(
            _(
                "This file has {number} games of a match, 0 to {last}; say which one with --game NUMBER "
                "(`plenipo convert --to plenipo --game NUMBER` saves it as a game of its own).",
                number=len(lines),
                last=len(lines) - 1,
            )
        )
    if (number or 0) >= len(lines):
        last = len(lines) - 1
        raise InvalidRecord(
            _("There is no game {number}: this file has the games 0 to {last}.", number=number, last=last)
        )
    name, options, played = decode_game(lines[number or 0])
    return game_of(rules(name, options), played)

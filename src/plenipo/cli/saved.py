"""Saved games: a game in a file."""

import os
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from plenipo import library
from plenipo.engine.history import record
from plenipo.engine.history.game import Game
from plenipo.engine.history.verify import written
from plenipo.engine.rules import Rules
from plenipo.errors import InvalidRecord
from plenipo.library import plugins

__all__ = ["load", "read", "replace", "save", "saver"]


def replace(path: Path, text: str) -> None:
    """Write `text` to `path`; the file is whole at every moment. Raises `OSError`."""
    beside = path.with_name(path.name + ".new")
    beside.write_text(text, encoding="utf-8")
    os.replace(beside, path)  # noqa: PTH105  # says what it does better than Path.replace


def save(game: Game, path: Path) -> None:
    """Write the record of `game` to `path`; raises `OSError`."""
    replace(path, written(record.encode_game(game)))


def saver(path: Path | None) -> Callable[[Game], None]:
    """What saves a game to `path`, if there is one."""
    return lambda game: save(game, path) if path is not None else None


def load(path: Path, variant: str | None = None) -> Game:
    """The game saved at `path`, in any format; `variant` is the variant's folder where the package does not have it.

    Raises `OSError`, `InvalidRecord`, and what `plenipo.library.load` raises.
    """
    try:
        return read(path.read_text(encoding="utf-8"), variant)
    except UnicodeDecodeError as fault:
        raise InvalidRecord(f"'{path}' is not UTF-8 text, so it is not a saved game.") from fault
    except InvalidRecord as fault:
        raise InvalidRecord(f"'{path}': {fault}") from fault


def read(text: str, variant: str | None = None) -> Game:
    """The game that `text` holds, as `load`."""

    def rules(name: str, options: Mapping[str, Any]) -> Rules:
        return library.load(variant or name, options)

    formats = plugins.formats().values
    form = next((form for form in formats.values() if form.matches(text)), formats["plenipo"])
    return form.read(text, rules)

"""Saved games: a game record in a file."""

import json
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from plenipo import library
from plenipo.engine.history import record
from plenipo.engine.history.game import Game
from plenipo.engine.history.verify import written
from plenipo.errors import InvalidRecord

__all__ = ["decoded", "load", "save"]


def save(game: Game, path: Path) -> None:
    """Write `game` to `path`; the file is whole at every moment. Raises `OSError`."""
    beside = path.with_name(path.name + ".new")
    beside.write_text(written(record.encode_game(game)), encoding="utf-8")
    os.replace(beside, path)  # noqa: PTH105  # says what it does better than Path.replace


def load(path: Path, variant: str | None = None) -> Game:
    """The game saved at `path`; `variant` is the variant's folder where the package does not have it.

    Raises `OSError`, `InvalidRecord`, and what `plenipo.library.load` raises.
    """
    try:
        value = json.loads(path.read_text(encoding="utf-8"))
    except (UnicodeDecodeError, ValueError, RecursionError) as fault:
        raise InvalidRecord(f"'{path}' is not JSON, so it is no saved game.") from fault
    if not isinstance(value, dict):
        raise InvalidRecord(f"'{path}' holds no saved game.")
    return decoded(value, variant, f"'{path}'")


def decoded(value: Mapping[str, Any], variant: str | None, name: str) -> Game:
    """The game of a record, as `load`; `name` is how its file is called in messages."""
    options = value.get("options", {})
    if not isinstance(value.get("variant"), str) or not isinstance(options, dict):
        raise InvalidRecord(f"{name} does not say which variant was played.")
    rules = library.load(variant or value["variant"], options)
    return record.decode_game(value, rules)

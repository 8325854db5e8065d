"""Plenipo's own record: lossless, chained by hashes; `docs/records.md` describes it."""

import re

from plenipo.engine.history import record
from plenipo.engine.history.game import Game
from plenipo.engine.history.verify import format_record
from plenipo.engine.sentences import say
from plenipo.errors import InvalidRecord
from plenipo.formats.base import Format, GamePart, LoadRules
from plenipo.formats.parsing import json_object

__all__ = ["RECORD"]

_BEGINNING = re.compile(r'\s*\{.{0,200}"format"\s*:\s*"plenipo', re.DOTALL)


def _read(text: str, load: LoadRules) -> Game:
    value = json_object(text)
    if value is None:
        raise InvalidRecord(say("The file is not a JSON object, so it is not a saved game."))
    variant, options = value.get("variant"), value.get("options", {})
    if not isinstance(variant, str) or not isinstance(options, dict):
        raise InvalidRecord(say("The file does not say which variant was played."))
    return record.decode_game(value, load(variant, options))


def _sniff(text: str) -> bool:
    value = json_object(text)
    return "format" in value if value is not None else _BEGINNING.match(text) is not None


RECORD = Format(
    "plenipo",
    "Plenipo's own record of a game",
    _sniff,
    _read,
    lambda game: format_record(record.encode_game(game)),
    frozenset(GamePart),
)

"""Plenipo's own record: lossless, chained by hashes; `docs/records.md` describes it."""

from plenipo.engine.history import record
from plenipo.engine.history.game import Game
from plenipo.engine.history.verify import format_record
from plenipo.engine.sentences import say
from plenipo.errors import InvalidRecord
from plenipo.formats.base import Format, LoadRules
from plenipo.formats.parsing import json_object

__all__ = ["RECORD"]


def _read(text: str, load: LoadRules) -> Game:
    value = json_object(text)
    if value is None:
        raise InvalidRecord(say("The file is not a JSON object, so it is not a saved game."))
    variant, options = value.get("variant"), value.get("options", {})
    if not isinstance(variant, str) or not isinstance(options, dict):
        raise InvalidRecord(say("The file does not say which variant was played."))
    return record.decode_game(value, load(variant, options))


RECORD = Format(
    "plenipo",
    "Plenipo's own record of a game",
    lambda text: "format" in (json_object(text) or ()),
    _read,
    lambda game: format_record(record.encode_game(game)),
)

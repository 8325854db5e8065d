"""Uploaded positions and games: reading and checking them, with a refusal in one sentence.

A shared position is its compressed record in characters for an address; it needs no store.
"""

import base64
import binascii
import json
import zlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from plenipo import library
from plenipo.engine.calendar import year_text
from plenipo.engine.history import record
from plenipo.engine.history.game import Game
from plenipo.engine.history.rulings import Edited, HistoryEntry
from plenipo.engine.history.turns import Turn
from plenipo.engine.position import Position, Power
from plenipo.engine.rules import Rules
from plenipo.engine.sentences import SentenceKind
from plenipo.errors import InvalidRecord, InvalidVariant, PlenipoError, UnknownName
from plenipo.library.mistakes import FaultyFile

__all__ = [
    "RECORD_UNREADABLE",
    "CheckedRecord",
    "check_record",
    "computers_of",
    "game_of",
    "pack_position",
    "rules_of",
    "unpack_position",
]

_VARIANT_UNKNOWN = SentenceKind(
    "server-variant-unknown", "'{named}' is not a variant; there are {variants}, and those of the library."
)
_OPTIONS_FORM = SentenceKind(
    "server-options-form", '\'options\' must be an object of texts, such as {{"rulebook": "1971"}}.'
)
_FOLDER_FAULTY = SentenceKind("server-folder-faulty", "This variant has a mistake: {file}, line {line}: {fault}")
_RECORD_FORM = SentenceKind("server-record-form", "This is not a game record: a record is a JSON object.")
_RECORD_TOO_LONG = SentenceKind("server-record-too-long", "The record has {number} turns; at most {most} are allowed.")
_RECORD_VARIANT_MISSING = SentenceKind(
    "server-record-variant-missing", "The record does not say which variant was played."
)
RECORD_UNREADABLE = SentenceKind(
    "server-record-unreadable", "The record cannot be read: a part of it has the wrong form."
)
_RECORD_COMPUTERS_FORM = SentenceKind(
    "server-record-computers-form", "'computers' must be an object of powers and their computer players."
)
_RECORD_COMPUTERS_POWER = SentenceKind(
    "server-record-computers-power", "'computers' names '{power}', which is not a power of the game."
)
_COMPUTER_UNKNOWN = SentenceKind("server-computer-unknown", "'{computer}' is not the name of a computer player.")
_POSITION_LINK_LENGTH = SentenceKind(
    "server-position-link-length", "The link to the position is cut short or too long; copy it whole."
)
_POSITION_LINK_EMPTY = SentenceKind("server-position-link-empty", "The link contains no position.")
_POSITION_LINK_DAMAGED = SentenceKind(
    "server-position-link-damaged", "The link to the position is damaged; copy it whole."
)
_YEAR_IMPOSSIBLE = SentenceKind("server-year-impossible", "{year} is not a year of a game.")
_RECORD_POSITION_IMPOSSIBLE = SentenceKind(
    "server-record-position-impossible", "The record has an impossible position: {fault}"
)
_RECORD_POWER_UNKNOWN = SentenceKind(
    "server-record-power-unknown", "The record has a power '{stranger}', which is not in the game."
)
_RECORD_SPACE_UNKNOWN = SentenceKind(
    "server-record-space-unknown", "The record names '{nowhere}', which is not a space of the board."
)

LARGEST = 200_000
"""The most characters of a shared position after unpacking."""

LONGEST_NAME = 60
"""The most characters of the name of a computer player."""

MOST_TURNS = 2_000
"""The most turns of an uploaded record."""


def rules_of(
    variant: object,
    options: object = None,
    *,
    as_saved: bool = True,
    before_combining: Callable[[], object] = lambda: None,
) -> Rules:
    """Return the rules of a variant by its name, or of several joined with `+`; never of any other folder on the disk.

    One in an added folder is `as_saved`; otherwise it may be as it could last be played. Several that are not in the
    cache together take time and a lock: `before_combining` is called first, and may raise to prevent that. Raise
    `UnknownName` or `InvalidVariant`.
    """
    known = (*library.names(), *library.bank())
    parts = [part.strip() for part in variant.split(library.AND)] if isinstance(variant, str) else []
    wrong = next((part for part in parts if part not in known), None)
    if not parts or len(parts) > len(known) or wrong is not None:
        named = str(wrong if wrong is not None else variant)[:60]
        raise UnknownName(_VARIANT_UNKNOWN(named=named, variants=tuple(library.names())))
    if options is None:
        options = {}
    if not isinstance(options, Mapping) or not all(isinstance(value, str) for value in options.values()):
        raise UnknownName(_OPTIONS_FORM())
    name = library.AND.join(parts)
    if len(parts) > 1 and not library.is_cached(name):
        before_combining()
    try:
        return library.load(name, options, as_saved=as_saved)
    except FaultyFile as fault:
        mistake = fault.mistake
        file = f"{mistake.file.parent.name}/{mistake.file.name}"  # the rest of the path is the operator's own affair
        raise InvalidVariant(_FOLDER_FAULTY(file=file, line=mistake.line, fault=mistake.sentence)) from fault


def game_of(value: object) -> Game:
    """Return the game of an uploaded record; raise `InvalidRecord`, `UnknownName` or `InvalidVariant`."""
    if not isinstance(value, dict):
        raise InvalidRecord(_RECORD_FORM())
    turns = value.get("turns", value.get("entries"))
    if isinstance(turns, list) and len(turns) > MOST_TURNS:
        raise InvalidRecord(_RECORD_TOO_LONG(number=len(turns), most=MOST_TURNS))
    if not isinstance(value.get("variant"), str):
        raise InvalidRecord(_RECORD_VARIANT_MISSING())
    rules = rules_of(value["variant"], value.get("options"))
    try:
        game = record.decode_game(value, rules)
        for position in filter(None, (game.start, *map(_after, game.entries))):
            _look_through(position, rules)
    except PlenipoError:
        raise
    except (ValueError, LookupError, TypeError, AttributeError, ArithmeticError, RecursionError) as fault:
        raise InvalidRecord(RECORD_UNREADABLE()) from fault
    return game


@dataclass(frozen=True)
class CheckedRecord:
    """A game record that was read and checked, and the computer player of each seat, `''` or nothing for a person."""

    record: Mapping[str, Any]
    computers: Mapping[str, str] = field(default_factory=dict)


def check_record(value: object) -> CheckedRecord:
    """Read and check an uploaded record; raise the errors of `game_of` and `computers_of`."""
    game = game_of(value)
    computers = {str(power): computer for power, computer in computers_of(value, game.rules).items()}
    return CheckedRecord(record.encode_game(game), computers)


def _after(entry: HistoryEntry) -> Position | None:
    """Return the position after an entry of a record, None if it has none."""
    if isinstance(entry, Turn):
        return entry.resolution.after
    return entry.position if isinstance(entry, Edited) else None


def computers_of(value: object, rules: Rules) -> dict[Power, str]:
    """Return the computer player of each seat by a record, `''` for a person; raise `InvalidRecord`.

    A computer player that is not installed here keeps its seat, and another plays for it.
    """
    stored = value.get("computers", {}) if isinstance(value, dict) else {}
    if not isinstance(stored, dict):
        raise InvalidRecord(_RECORD_COMPUTERS_FORM())
    for power, computer in stored.items():
        if power not in rules.names:
            raise InvalidRecord(_RECORD_COMPUTERS_POWER(power=power))
        if not isinstance(computer, str) or not computer.isprintable() or len(computer) > LONGEST_NAME:
            raise InvalidRecord(_COMPUTER_UNKNOWN(computer=str(computer)[:LONGEST_NAME]))
    return {power: stored.get(power, "") for power in rules.names}


def pack_position(position: Position) -> str:
    """Return the position as a text for an address."""
    text = json.dumps(record.encode_position(position), separators=(",", ":"), ensure_ascii=False)
    return base64.urlsafe_b64encode(zlib.compress(text.encode(), 9)).decode().rstrip("=")


def unpack_position(code: str, rules: Rules) -> Position:
    """Return the position in a text of `pack_position`; raise `InvalidRecord` for any other text."""
    try:
        data = base64.urlsafe_b64decode(code + "=" * (-len(code) % 4))
        reader = zlib.decompressobj()
        text = reader.decompress(data, LARGEST)
        if not reader.eof:
            raise InvalidRecord(_POSITION_LINK_LENGTH())
        value = json.loads(text)
        if not isinstance(value, dict):
            raise InvalidRecord(_POSITION_LINK_EMPTY())
        position = record.decode_position(value, rules)
        _look_through(position, rules)
    except PlenipoError:
        raise
    except (binascii.Error, zlib.error, ValueError, LookupError, TypeError, AttributeError, RecursionError) as fault:
        raise InvalidRecord(_POSITION_LINK_DAMAGED()) from fault
    return position


def edit_position(position: Position, rules: Rules, changes: Mapping[str, object]) -> Position:
    """Return a position with other parts, as a record has them; raise `InvalidRecord` for an impossible one."""
    value = {**record.encode_position(position), **changes}
    try:
        edited = record.decode_position(value, rules)
        _look_through(edited, rules)
    except PlenipoError:
        raise
    except (ValueError, LookupError, TypeError, AttributeError) as fault:
        raise InvalidRecord(_POSITION_LINK_DAMAGED()) from fault
    return edited


def _look_through(position: Position, rules: Rules) -> None:
    """Raise `InvalidRecord` for the first part of a position that these rules do not know."""
    phase = position.phase
    if not -100_000 < phase.year < 100_000:
        raise InvalidRecord(_YEAR_IMPOSSIBLE(year=year_text(phase.year)))
    next(rules.calendar.after(phase))
    board = rules.board_at(position)
    fault = next(position.faults(board), None)
    if fault:
        raise InvalidRecord(_RECORD_POSITION_IMPOSSIBLE(fault=fault))
    known: set[Power] = {info.name for info in rules.powers}
    named = {unit.power for unit in position.units} | {d.unit.power for d in position.dislodged}
    named |= {*position.owners.values(), *position.homes, *position.winners}
    named |= {d.by.power for d in position.dislodged if d.by}
    stranger = next(iter(sorted(named - known)), None)
    if stranger is not None:
        raise InvalidRecord(_RECORD_POWER_UNKNOWN(stranger=stranger))
    places = {*position.contested, *(code for codes in position.homes.values() for code in codes)}
    places |= {code for d in position.dislodged for code in d.barred} | {d.by.space for d in position.dislodged if d.by}
    nowhere = next(iter(sorted(places - board.spaces.keys())), None)
    if nowhere is not None:
        raise InvalidRecord(_RECORD_SPACE_UNKNOWN(nowhere=nowhere))

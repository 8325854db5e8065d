"""The reader of lines: a position and orders from JSON, with a sentence about each part that cannot be used."""

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache

from plenipo.engine.board import Code
from plenipo.engine.calendar import PhaseKind
from plenipo.engine.dice import Dice
from plenipo.engine.events import Refusal, RefusalCode
from plenipo.engine.history.record import Json
from plenipo.engine.orders import Order
from plenipo.engine.position import Position, Power
from plenipo.engine.reading.ambiguity import read_order_sets, unread
from plenipo.engine.reading.notation import notation_of
from plenipo.engine.reading.positions import BoardReader, PositionFault, quote_value, read_position
from plenipo.engine.rules import Rules
from plenipo.engine.wording import hint
from plenipo.errors import AmbiguousOrder, PlenipoError, UnreadablePosition

__all__ = [
    "KEYS",
    "MOST_BYTES",
    "MOST_ORDERS",
    "Load",
    "PositionLine",
    "names_owners",
    "parse_json",
    "read",
    "read_orders",
    "remembering",
    "rules_of",
]

Load = Callable[[str, Mapping[str, str]], Rules]
"""A function that loads the rules of a variant by its name and options, such as `plenipo.library.load`."""

KEYS: Mapping[str, str] = {
    "variant": "name of the variant; required",
    "phase": "phase to adjudicate, such as `Spring 1901` or `F1901R`; required",
    "units": "units on the board: a list of texts for each power; required",
    "orders": "orders: a list of texts for each power",
    "dislodged": "in a retreat phase, the units that must retreat, for each power",
    "contested": "in a retreat phase, the spaces a stand-off left vacant: a list",
    "centres": "owned supply centres: a list for each power; `centers` and `owners` are understood too",
    "homes": "home centres: a list for each power, if not those of the variant's opening",
    "winners": "who has won, if the game is over: a list of powers",
    "options": "options of the variant, such as `rulebook`",
    "changes": "what has changed of the board, a list as a record has it",
    "slots": "what rule modules remember, an object as a record has it",
    "seed": "what the dice draw by where something is left to chance: 64 digits of hex",
    "what_if": "units of a movement phase, a list of texts: explain what would have changed their results; or `true`",
    "legal": "powers, a list: return all their legal orders in this phase before it is adjudicated; or `true`",
    "id": "any value; returned unchanged",
}
"""Every key of a line, with its meaning."""

_LET_PASS = frozenset(
    {"results", "further", "errors", "notes", "draws", "centers", "owners", "events", "refusals", "waiting"}
)
"""Keys of an answer, let pass when an answer is put in again; and the other spellings."""

MOST_BYTES = 1_000_000
"""The longest line that is read."""

MOST_ORDERS = 2000
"""The most orders of a line."""

_DEEPEST = 50
"""The deepest nesting of lists in keys that are returned unchanged."""


@dataclass(frozen=True)
class PositionLine:
    """The content of a line: a position of a variant with orders, and sentences about its ignored parts."""

    rules: Rules
    position: Position
    orders: Mapping[Power, Sequence[Order]]
    errors: tuple[str, ...] = ()
    refusals: tuple[Refusal, ...] = ()
    spelt: Mapping[Power, str] = field(default_factory=dict)
    what_if: frozenset[Code] = frozenset()
    dice: Dice | None = None
    legal: tuple[Power, ...] | None = None
    """The powers whose legal orders are asked for; None if nothing is asked."""


def remembering(load: Load) -> Load:
    """`load` that looks for a variant once; one that is edited while lines are read is taken as it was."""

    @lru_cache(maxsize=64)
    def load_cached(name: str, options: tuple[tuple[str, str], ...]) -> Rules:
        return load(name, dict(options))

    return lambda name, options: load_cached(name, tuple(options.items()))


def read(line: bytes | str | Json, load: Load) -> PositionLine:
    """Return the content of one line; raise `PlenipoError` for a line that cannot be adjudicated."""
    return _read(line if isinstance(line, dict) else parse_json(line), load)


def parse_json(line: bytes | str) -> Json:
    """Parse a line as a JSON object; raise `UnreadablePosition` for anything else."""
    if len(line) > MOST_BYTES:
        raise UnreadablePosition(f"this line is longer than {MOST_BYTES} characters, which no position needs.")
    try:
        text = line.decode("utf-8") if isinstance(line, bytes) else line
        value = json.loads(text, parse_constant=_no_constant)
    except UnicodeDecodeError as fault:
        raise UnreadablePosition(f"this is not UTF-8 text: byte {fault.start + 1} cannot be read.") from fault
    except json.JSONDecodeError as fault:
        piece = quote_value(fault.doc[max(fault.pos - 10, 0) : fault.pos + 20].strip())
        raise UnreadablePosition(
            f"this is not JSON: {fault.msg} at character {fault.pos + 1}, near {piece}."
        ) from fault
    except RecursionError as fault:
        raise UnreadablePosition("this JSON is nested too deeply; a position needs five levels.") from fault
    except ValueError as fault:
        raise UnreadablePosition(f"this JSON cannot be used: {fault}.") from fault
    if not isinstance(value, dict):
        raise UnreadablePosition(f"{quote_value(value)} is not a position; a line is a JSON object.")
    if "id" in value and _too_deep(value["id"]):
        raise UnreadablePosition(f"'id' is nested more than {_DEEPEST} levels deep.")
    return value


def _no_constant(name: str) -> None:
    raise ValueError(f"{name} is not a JSON value")


def _too_deep(value: object) -> bool:
    """Return whether a value is nested more than `_DEEPEST` levels deep."""
    level = [value]
    for _ in range(_DEEPEST):
        level = [
            part
            for whole in level
            if isinstance(whole, dict | list)
            for part in (whole.values() if isinstance(whole, dict) else whole)
        ]
    return bool(level)


def _read(content: Json, load: Load) -> PositionLine:
    errors: list[str] = []
    for key in content:
        if key not in KEYS and key not in _LET_PASS:
            errors.append(f"{quote_value(key)} is not a key of a position; {hint(key, KEYS)}")
            if len(errors) > len(KEYS):
                raise UnreadablePosition(f"it has {len(content)} keys; {hint('', KEYS)}")
    rules = rules_of(content, load)
    position, reader = read_position(rules, content)
    if position.phase.kind is PhaseKind.ADJUSTMENTS and not names_owners(content):
        errors.append("'centres' is missing, so nobody owns a centre and every unit must be removed.")
    orders, refusals = read_orders(rules, position, reader, content.get("orders"))
    what_if = _what_if(position, reader, content.get("what_if"))
    legal = _asking(rules, reader, content.get("legal"))
    errors += map(str, reader.faults)
    return PositionLine(
        rules,
        position,
        orders,
        tuple(errors),
        tuple(refusals),
        reader.spelt,
        what_if,
        _dice(content.get("seed")),
        legal,
    )


def _dice(value: object) -> Dice | None:
    """Return the dice of the seed, if one is written."""
    if value is None:
        return None
    if not isinstance(value, str):
        raise UnreadablePosition(f"'seed' is {quote_value(value)}; write 64 digits of hex.")
    return Dice.from_hex(value)


def rules_of(content: Json, load: Load) -> Rules:
    """Return the rules of the variant with its options."""
    name = content.get("variant")
    if not isinstance(name, str):
        why = "missing" if name is None else quote_value(name)
        raise UnreadablePosition(f"'variant' is {why}; write it like \"standard\".")
    written = content.get("options") or {}
    if not isinstance(written, dict):
        raise UnreadablePosition(f"'options' is {quote_value(written)}; it must be an object of texts.")
    for key, value in written.items():
        if isinstance(value, bool) or not isinstance(value, str | int):
            raise UnreadablePosition(f"option {quote_value(key)} is {quote_value(value)}; it must be a text.")
    return load(name, {key: str(value) for key, value in written.items()})


def names_owners(content: Json) -> bool:
    """Return whether the line names the owners of centres."""
    return any(content.get(key) is not None for key in ("centres", "centers", "owners"))


def read_orders(
    rules: Rules, position: Position, reader: BoardReader, value: object
) -> tuple[dict[Power, list[Order]], list[Refusal]]:
    """Return the orders that can be read, if necessary with the help of the position, and the others."""
    notation, kind = notation_of(rules, position), position.phase.kind
    order_sets: dict[Power, list[str | Order]] = {}
    refusals: list[Refusal] = []
    count = 0
    for power, entry in reader.by_power(("orders",), value, master=rules.draws_by_hand):
        order_set = order_sets.setdefault(power, [])
        for text in reader.each(("orders", power), entry, reader.text):
            lines = notation.order_set(text, kind).lines
            count += len(lines)
            if count > MOST_ORDERS:
                raise UnreadablePosition(f"'orders' has more than {MOST_ORDERS} orders, which no phase can take.")
            for line in lines:
                if line.power not in (None, power):
                    why = f"{power}: {quote_value(line.text)} is written for {line.power}."
                    refusals.append(Refusal(RefusalCode.NOT_YOURS, why, power, line.text))
                elif line.fault is not None and not isinstance(line.fault, AmbiguousOrder):
                    refusals.append(unread(power, line.text, line.fault))
                else:
                    order_set.append(line.order or line.text)
    orders, unreadable = read_order_sets(rules, notation, position, order_sets)
    return orders, [*refusals, *unreadable]


def _what_if(position: Position, reader: BoardReader, value: object) -> frozenset[Code]:
    """Return the spaces of the units whose alternatives the line asks for."""
    if not value:
        return frozenset()
    place = ("what_if",)
    if position.phase.kind is not PhaseKind.MOVEMENT:
        why = f"this has no meaning in {position.phase}; it belongs to a movement phase."
        reader.faults.append(PositionFault(place, why))
        return frozenset()
    if value is True:
        return frozenset(unit.space for unit in position.units)
    spaces = {location.space for _, location in reader.each(place, value, reader.piece)}
    for space in sorted(spaces):
        if position.unit_at(space) is None:
            reader.faults.append(PositionFault(place, f"there is no unit in {reader.board.spaces[space].name}."))
    return frozenset(space for space in spaces if position.unit_at(space))


def _asking(rules: Rules, reader: BoardReader, value: object) -> tuple[Power, ...] | None:
    """Return the powers whose legal orders are asked for, in the order of the line."""
    if value is None or value is False or isinstance(value, dict):  # an object is the answer to an earlier line
        return None
    if value is True:
        return tuple(rules.names)
    if not isinstance(value, list):
        reader.faults.append(PositionFault(("legal",), f"{quote_value(value)} is neither a list of powers nor true."))
        return None
    asking: dict[Power, None] = {}
    for name in value:
        try:
            asking[rules.power(name if isinstance(name, str) else quote_value(name))] = None
        except PlenipoError as fault:
            reader.faults.append(PositionFault(("legal",), str(fault)))
    return tuple(asking)

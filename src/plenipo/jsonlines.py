"""Adjudication by JSON lines: one position with its orders a line in, one resolution a line out.

A line that cannot be adjudicated gives `{"errors": ["line 3: …"]}` in its place. Within a line whatever can be used is,
and everything else is one sentence in `errors`. What a line may say is described in `docs/command-line.md`.
A line that was put out, with new `orders`, may be put in again: it holds all that the next phase needs.
"""

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

from plenipo.engine.board import Code
from plenipo.engine.calendar import PhaseKind
from plenipo.engine.changes import find_successors
from plenipo.engine.dice import Dice
from plenipo.engine.events import Refusal, RefusalCode
from plenipo.engine.history import record
from plenipo.engine.history.record import Json
from plenipo.engine.history.what_if import what_would_change
from plenipo.engine.immutable import EMPTY
from plenipo.engine.orders import Order
from plenipo.engine.outcome import Outcome, Resolution, Waiting
from plenipo.engine.phases import retreats
from plenipo.engine.phases.legality import Legality
from plenipo.engine.phases.step import adjudicate
from plenipo.engine.position import Dislodged, Position, Power
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
    "Adjudicate",
    "Load",
    "PositionLine",
    "answer",
    "answers",
    "encode_answer",
    "encode_legal",
    "encode_position",
    "read",
]


Load = Callable[[str, Mapping[str, str]], Rules]
"""A function that loads the rules of a variant by its name and options, such as `plenipo.library.load`."""

Adjudicate = Callable[[Rules, Position, Mapping[Power, Sequence[Order]], Dice | None], Resolution | Waiting]
"""A function that adjudicates a phase, such as `plenipo.engine.phases.step.adjudicate`."""

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


def answers(lines: Iterable[bytes | str], load: Load, adjudicator: Adjudicate = adjudicate) -> Iterator[str]:
    """Yield the answer to each line as soon as the line is there, as JSON in ASCII; blank lines are passed over."""
    load = remembering(load)
    for number, line in enumerate(lines, 1):
        if line.strip():
            yield json.dumps(answer(line, number, load, adjudicator))


def remembering(load: Load) -> Load:
    """`load` that looks for a variant once; one that is edited while lines are read is taken as it was."""

    @lru_cache(maxsize=64)
    def load_cached(name: str, options: tuple[tuple[str, str], ...]) -> Rules:
        return load(name, dict(options))

    return lambda name, options: load_cached(name, tuple(options.items()))


def answer(line: bytes | str, number: int, load: Load, adjudicator: Adjudicate = adjudicate) -> Json:
    """Return the answer to one line, valid or not; `number` is for its errors."""
    content: Json = {}
    try:
        content = parse_json(line)
        return answer_json(content, load, adjudicator)
    except PlenipoError as fault:
        name = {"id": content["id"]} if "id" in content else {}
        return {"errors": [f"line {number}: {fault}"], **name}


def answer_json(content: Json, load: Load, adjudicator: Adjudicate = adjudicate) -> Json:
    """Return the answer to a line; raise `PlenipoError` if nothing in it can be adjudicated."""
    line = _line(content, load)
    return encode_answer(line, content, adjudicator(line.rules, line.position, line.orders, line.dice))


def read(line: bytes | str | Json, load: Load) -> PositionLine:
    """Return the content of one line; raise `PlenipoError` for a line that cannot be adjudicated."""
    return _line(line if isinstance(line, dict) else parse_json(line), load)


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


def _line(content: Json, load: Load) -> PositionLine:
    errors: list[str] = []
    for key in content:
        if key not in KEYS and key not in _LET_PASS:
            errors.append(f"{quote_value(key)} is not a key of a position; {hint(key, KEYS)}")
            if len(errors) > len(KEYS):
                raise UnreadablePosition(f"it has {len(content)} keys; {hint('', KEYS)}")
    rules = rules_of(content, load)
    position, reader = read_position(rules, content)
    if position.phase.kind is PhaseKind.ADJUSTMENTS and not _says_owners(content):
        errors.append("'centres' is missing, so nobody owns a centre and every unit must be removed.")
    orders, refusals = _orders(rules, position, reader, content.get("orders"))
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


def _says_owners(content: Json) -> bool:
    """Return whether the line names the owners of centres."""
    return any(content.get(key) is not None for key in ("centres", "centers", "owners"))


def _orders(
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


# Answers


def encode_legal(rules: Rules, position: Position, powers: Iterable[Power]) -> dict[Power, list[str]]:
    """All orders that each of the powers may give in the phase of a position, as orders are written."""
    legality = Legality(rules, position)
    return {power: [str(order) for order in legality.orders_of(power).everything] for power in powers}


def encode_position(rules: Rules, position: Position, spelt: Mapping[Power, str] = EMPTY) -> Json:
    """Return a position as a line says it, without orders; `spelt` are other spellings of the powers."""
    stored = record.encode_position(position)

    def by_spelling(by_power: Mapping[str, Any]) -> dict[str, Any]:
        return {spelt.get(Power(power), power): entry for power, entry in by_power.items()}

    dislodged: dict[str, Json] = {}
    for unit, by, barred in position.dislodged:
        places = retreats.options(rules, position, Dislodged(unit, by, barred))
        facts = {"by": str(by) if by else None, "barred": list(barred), "retreats": [str(to) for to in places]}
        dislodged.setdefault(unit.power, {})[str(unit)] = facts
    out: Json = {
        "units": by_spelling(stored["units"]),
        "dislodged": by_spelling(dislodged),
        "phase": stored["phase"],
        "contested": stored["contested"],
        "centres": by_spelling(stored["centres"] if "centres" in stored else stored["owners"]),
        "variant": rules.variant,
    }
    assumed = rules.opening.homes
    if position.changes:
        assumed = {power: find_successors(codes, position.changes) for power, codes in assumed.items()}
    if position.homes != assumed:
        out["homes"] = by_spelling(stored["homes"])
    if position.winners:
        out["winners"] = stored["winners"]
    if rules.options:
        out["options"] = dict(rules.options)
    return out | {key: stored[key] for key in ("changes", "slots") if key in stored}


def encode_answer(line: PositionLine, content: Json, came: Resolution | Waiting) -> Json:
    """Return the results of a line as JSON; `content` is the object of the line."""
    resolution = came if isinstance(came, Resolution) else Resolution(line.position, (), line.position)
    after = resolution.after
    results, further = _results(line, resolution)
    out: Json = {
        "results": results,
        "errors": [*line.errors, *map(str, line.refusals), *came.errors],
        **encode_position(line.rules, after, line.spelt),
        **{key: content[key] for key in ("variant", "options", "seed", "id") if key in content},
    }
    stood = dict.fromkeys([unit.power for unit in line.position.units])
    gone = {line.spelt.get(power, power): list[str]() for power in stood}
    out["units"] = {**gone, **out["units"]}
    if further:
        out["further"] = further
    notes = list(resolution.notes)
    if after.phase.kind is PhaseKind.ADJUSTMENTS and not _says_owners(content):
        notes.append("'centres' is missing, so only the centres occupied now count as owned.")
    if notes:
        out["notes"] = notes
    if resolution.events:
        out["events"] = [record.encode_event(event) for event in resolution.events]
    if refusals := (*line.refusals, *came.refusals):
        out["refusals"] = [record.encode_refusal(refusal) for refusal in refusals]
    if line.legal is not None:
        legal = encode_legal(line.rules, line.position, line.legal)
        out["legal"] = {line.spelt.get(power, power): orders for power, orders in legal.items()}
    if isinstance(came, Waiting):
        out["waiting"] = list(came.powers)
    if resolution.draws:
        out["draws"] = [record.encode_draw(draw) for draw in resolution.draws]
    return out


def _results(line: PositionLine, resolution: Resolution) -> tuple[dict[str, Json], list[Json]]:
    """Return a result for each unit, and one for everything else a power gave: choices, waived builds, promises.

    The first of two builds in one place is the result of the unit.
    """
    results: dict[str, Json] = {}
    further: list[Json] = []
    for outcome in resolution.outcomes:
        entry = _result(line, resolution, outcome)
        key = str(outcome.unit)
        if outcome.unit is not None and key not in results:
            results[key] = entry
        else:
            further.append({"order": str(outcome.order) if outcome.order else None, **entry})
    return results, further


def _result(line: PositionLine, resolution: Resolution, outcome: Outcome) -> Json:
    entry: Json = {"result": str(outcome.result), "why": outcome.why}
    entry |= {"power": line.spelt.get(outcome.power, outcome.power), "reason": str(outcome.cause.reason)}
    if outcome.dislodged_by is not None:
        entry |= {"dislodged_by": str(outcome.dislodged_by), "retreats": [str(to) for to in outcome.retreats]}
        if outcome.unit is not None and resolution.after.dislodged_at(outcome.unit.space) is None:
            entry["destroyed"] = True
    if outcome.unit is not None and outcome.unit.space in line.what_if:
        changes = what_would_change(line.rules, resolution, outcome.unit)
        entry["what_if"] = [[str(change) for change in together] for together in changes]
    return entry

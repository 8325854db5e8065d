"""Mutated lines: those of games with something changed, left out or added."""

import json
from collections.abc import Iterator
from copy import deepcopy
from random import Random
from typing import Any

from plenipo import jsonlines, library
from plenipo.engine.dice import Dice
from plenipo.engine.history.game import Game
from plenipo.engine.phases.legality import Legality

__all__ = ["ODD", "changed", "good_lines", "mutated"]

Json = dict[str, Any]

SEED = "5a" * 32

ODD: tuple[Any, ...] = (
    None,
    True,
    {},
    [],
    "",
    "x",
    "\ud800",
    "A PAR",
    "F STP/SC",
    "PAR 1",
    "[BEL/BUR/PIC]",
    "France",
    "GM",
    "PROMISE " + "If France enters PAR, give them 1 point. " * 24,
    "v" * 300,
    "ab\0c",
    -1,
    0,
    3,
    1.5,
    10**30,
    float("inf"),
    {"closed": "PAR"},
    {"split": "PAR", "from": ["BUR", 0], "to": ["PIC", 0], "halves": ["PAR 1", "PAR 2"]},
    {"A PAR": {"by": "A BUR", "retreats": ["PIC"]}},
    ["PAR", 3],
    [["France", "A PAR"]],
)
"""Values of which most are out of place wherever they are put."""

KEYS = ("closed", "split", "halves", "by", "barred", "places", "numbers", "ripe", "\ud800", "x" * 300)


def good_lines(name: str, chance: Random, phases: int) -> Iterator[Json]:
    """The lines of a game of one variant, as one who knows the format would write them."""
    rules = library.load(name)
    game = Game.new(rules, Dice.from_hex(SEED))
    for _ in range(phases):
        legality = Legality(rules, game.position)
        orders: dict[str, list[str]] = {}
        for power in rules.names:
            listed = [str(order) for order in legality.orders_of(power)]
            orders[power] = chance.sample(listed, min(len(listed), 4))
        yield {**jsonlines.encode_position(rules, game.position), "orders": orders, "seed": SEED, "id": name}
        game = game.process(orders)  # type: ignore[arg-type]  # names of powers
        if game.over:
            return


def mutated(line: Json, chance: Random) -> bytes:
    """The line with one to three things wrong, as text; now and then the text itself is damaged."""
    value = json.loads(json.dumps(line))
    for _ in range(chance.randint(1, 3)):
        changed(value, chance)
    text = bytearray(json.dumps(value).encode())
    if chance.random() < 0.1:
        at = chance.randrange(len(text))
        damage = chance.choice((b"", b"\xff", b"[" * 900, b'"', b"\\ud800", b"1e999", text[at : at + 40]))
        text[at : at + chance.randint(0, 5)] = damage
    if chance.random() < 0.03:
        depth = chance.choice((40, 60, 300, 960, 990, 3000))
        return b'{"variant": "standard", "phase": ' + b"[" * depth + b"]" * depth + b"}"
    return bytes(text.replace(b"\n", b" "))


def changed(value: Any, chance: Random) -> None:
    """Change one thing somewhere in a value."""
    places = [value]
    while True:
        part = places[-1]
        inner = [x for x in (part.values() if isinstance(part, dict) else part) if isinstance(x, dict | list) and x]
        if not inner or chance.random() < 0.3:
            break
        places.append(chance.choice(inner))
    part = places[-1]
    odd = deepcopy(chance.choice(ODD))
    if isinstance(part, dict) and part:
        key = chance.choice(sorted(part))
        match chance.randint(0, 4):
            case 0:
                del part[key]
            case 1:
                part[chance.choice(KEYS)] = part.pop(key)
            case 2:
                part[chance.choice(KEYS)] = odd
            case 3:
                part[key] = [odd] * chance.randint(1, 3)
            case _:
                part[key] = odd
    elif isinstance(part, list) and part:
        at = chance.randrange(len(part))
        match chance.randint(0, 3):
            case 0:
                del part[at]
            case 1:
                part.append(part[at])
            case 2:
                part.insert(at, odd)
            case _:
                part[at] = odd

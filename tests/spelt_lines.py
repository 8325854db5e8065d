"""Lines of random games in the spelling of this library or of others, with illegal and unreadable orders among them."""

import re
from collections.abc import Iterator
from random import Random
from typing import Any

from plenipo import jsonlines, library
from plenipo.engine.calendar import PhaseKind
from plenipo.engine.dice import Dice
from plenipo.engine.history.game import Game
from plenipo.engine.phases import adjustments
from plenipo.engine.phases.legality import Legality

__all__ = ["spelt_lines"]

Json = dict[str, Any]

FIELD = {"MID": "MAO", "NAT": "NAO", "NRG": "NWG", "GOL": "LYO", "TYN": "TYS", "TYO": "TYR"}
"""The codes of other programs that differ from those of the standard map."""

UNREADABLE = ("x", "A PAR to nowhere", "F NWG", "", "A - BUR", "PROMISE If x, y.", "A PAR - BUR, A MAR - SPA")
_CODE = re.compile("|".join(FIELD))


def spelt_lines(
    name: str,
    seed: int,
    *,
    illegal: float,
    unreadable: float = 0,
    modest: float = 1,
    words: float = 0,
    field: bool = True,
) -> Iterator[Json]:
    """Yield the lines of random games without end; `illegal` and `unreadable` are shares of the orders.

    A `modest` share of powers orders no more builds and removals than it has; a share of orders is in other `words`.
    With `field`, powers are in capitals and spaces have the codes of other programs.
    """
    chance = Random(f"{name} {seed}")
    rules = library.load(name)
    game = Game.new(rules, Dice.from_hex("5a" * 32))
    while True:
        position, legality = game.position, Legality(rules, game.position)
        legal: dict[str, list[str]] = {}
        everything: list[str] = []
        for power in rules.names:
            by_unit: dict[object, list[str]] = {}
            for order in legality.orders_of(power):
                by_unit.setdefault(getattr(order, "unit", None), []).append(str(order))
            legal[power] = [chance.choice(texts) for texts in by_unit.values() if chance.random() < 0.95]
            if position.phase.kind is PhaseKind.ADJUSTMENTS and chance.random() < modest:
                due = abs(adjustments.possible(rules, position, power))
                legal[power] = chance.sample(legal[power], min(due, len(legal[power])))
            everything += [chance.choice(texts) for texts in by_unit.values()]
        line = jsonlines.encode_position(rules, position)
        powers = chance.sample(sorted(legal), len(legal))
        line["orders"] = {
            power: [
                reword(text, power, chance) if chance.random() < words else text
                for text in (damage(text, everything, chance, illegal, unreadable) for text in texts)
            ]
            for power, texts in ((power, legal[power]) for power in powers)
        }
        yield respell(line) if field else line
        game = game.process(legal)  # type: ignore[arg-type]  # names of powers
        if game.over or game.position.phase.year > rules.calendar.start + 12:
            game = Game.new(rules, Dice.from_hex("5a" * 32))


def damage(text: str, others: list[str], chance: Random, illegal: float, unreadable: float) -> str:
    """Return an order, or with these chances one that is probably illegal, or a text that is none."""
    pick = chance.random()
    if pick < unreadable:
        return chance.choice(UNREADABLE)
    if pick < unreadable + illegal:
        head, verb, _ = text.partition(" - ")
        other = chance.choice(others)
        return f"{head}{verb}{other.split()[1]}" if verb and chance.random() < 0.6 and " " in other else other
    return text


def reword(text: str, power: str, chance: Random) -> str:
    """Return an order as others write it: in small letters, in words, without letters or coasts, with its power."""
    match chance.randrange(7):
        case 0:
            return text.lower()
        case 1:
            return text.replace(" - ", "-")
        case 2:
            return text.replace("A ", "Army ").replace("F ", "Fleet ").replace(" S ", " supports ")
        case 3:
            return text.replace("A ", "").replace("F ", "") if len(text) > 6 else text
        case 4:
            return f"{power}: {text}"
        case 5:
            return re.sub("/[A-Z]+", "", text)
        case _:
            return f"{text}."


def respell(value: Any) -> Any:
    """Return a line with the field's codes, and its powers in capitals."""
    if isinstance(value, str):
        return _CODE.sub(lambda code: FIELD[code.group()], value)
    if isinstance(value, list):
        return [respell(item) for item in value]
    if not isinstance(value, dict):
        return value
    by_power = {"units", "centres", "homes", "orders", "dislodged"}
    return (
        {
            key: {power.upper(): respell(entry) for power, entry in part.items()}
            if key in by_power
            else (part if key in {"variant", "phase", "slots", "options"} else respell(part))
            for key, part in value.items()
        }
        if "variant" in value
        else {respell(key): respell(part) for key, part in value.items()}
    )

"""Reading the collections of orders as people write them, `tests/data/order_texts.txt` and its like."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from plenipo import load
from plenipo.engine.calendar import PhaseKind
from plenipo.engine.phases.legality import Legality
from plenipo.engine.position import Power
from plenipo.engine.reading.ambiguity import read_order_sets
from plenipo.engine.reading.notation import notation_of
from table import SPRING, place

DATA = Path(__file__).parent / "data"
REFUSED = "refused: "
_SECTION = re.compile(r"\[(?P<variant>\S+) (?P<phase>\w+)(?: \((?P<units>.*)\))?\]")


class OrderText(NamedTuple):
    """One text, where it is written, and what it means: canonical orders apart by ` | `, or why it is refused."""

    text: str
    expected: str
    variant: str
    kind: PhaseKind
    units: str = ""

    @property
    def understood(self) -> bool:
        """Tell whether a player would understand the text."""
        return not self.expected.startswith(REFUSED)


def order_texts(name: str) -> Iterator[OrderText]:
    """The texts of a collection, in the order in which they stand there."""
    variant, kind, units, expected = "", PhaseKind.MOVEMENT, "", ""
    for line in (DATA / name).read_text(encoding="utf-8").splitlines():
        section = _SECTION.fullmatch(line)
        if section:
            variant, kind = section["variant"], PhaseKind(section["phase"])
            units = (section["units"] or "").replace("; ", "\n")
        elif line.startswith("\t"):
            text = line[1:].replace("\\n", "\n").replace("\\s", " ")
            yield OrderText(text, expected, variant, kind, units)
        elif line and not line.startswith("#"):
            expected = line


def reading_of(case: OrderText) -> str:
    """Return the reading of a text: canonical orders separated by ` | `, with the sentence about each refused piece."""
    rules = load(case.variant)
    notation = notation_of(rules)
    if case.units:
        power = Power(case.units.partition(":")[0])
        position = place(case.units, SPRING, rules)
        read, refusals = read_order_sets(rules, notation, position, {power: [case.text]})
        legality = Legality(rules, position)
        orders = [str(legality.check(power, order).order or order) for order in read[power]]
        return " | ".join([*orders, *(f"{REFUSED}{refusal}" for refusal in refusals)])
    lines = notation.order_set(case.text, case.kind).lines
    return " | ".join(str(line.order) if line.order else f"{REFUSED}{line.fault}" for line in lines)


def is_right(case: OrderText, reading: str) -> bool:
    """Tell whether a reading is the expected one, or the refusal of the whole text with the expected words."""
    if case.understood:
        return reading == case.expected
    return reading.startswith(REFUSED) and case.expected.removeprefix(REFUSED) in reading


def is_misread(case: OrderText, reading: str) -> bool:
    """Tell whether an order was read that is not the expected one."""
    orders = [piece for piece in reading.split(" | ") if piece and not piece.startswith(REFUSED)]
    return any(order not in case.expected.split(" | ") for order in orders)

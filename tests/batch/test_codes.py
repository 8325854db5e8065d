"""Orders as numbers: there and back, the same on every machine, a text for each."""

import hashlib

import numpy as np
import pytest

from plenipo import library
from plenipo.batch import Codes, InvalidArray, Numbering, compile_tables
from plenipo.engine.calendar import PhaseKind
from plenipo.engine.phases.legality import Legality
from plenipo.engine.reading.notation import notation_of

RULES = library.load("standard")
NUMBERING = Numbering(compile_tables(RULES))


def test_the_numbering_stays_as_it_is() -> None:
    # learned policies depend on these numbers: changing them breaks every stored policy
    assert len(NUMBERING) == 31865
    texts = "\n".join(map(NUMBERING.text, range(len(NUMBERING))))
    assert hashlib.sha256(texts.encode()).hexdigest()[:16] == "7f66b723dad32e3a"
    assert NUMBERING.packed_order(0) == 0


def test_every_number_has_its_text_and_finds_itself_again() -> None:
    texts = set()
    for number in range(0, len(NUMBERING), 7):
        text, unit, packed = NUMBERING.text(number), NUMBERING.unit(number), NUMBERING.packed_order(number)
        assert text
        texts.add(text)
        tables = NUMBERING.tables
        kind = np.array([0 if unit is None or unit.kind == "A" else 1])
        place = np.array([0 if unit is None else tables.location_number[unit.location]])
        assert NUMBERING.numbers(kind, place, np.array([packed], np.uint32)).tolist() == [number]
    assert len(texts) > len(range(0, len(NUMBERING), 7)) * 0.99


def test_legal_orders_of_the_engine_go_there_and_back() -> None:
    codes = Codes(NUMBERING.tables)
    view = Legality(RULES, RULES.opening)
    at = {unit.space: unit.ref for unit in RULES.opening.units}
    for power in RULES.names:
        for unit in RULES.opening.units_of(power):
            for order in view.orders_of(power).of(unit):
                assert codes.order(codes.pack(order), unit.ref, at) == order


def test_texts_are_read_by_the_notation() -> None:
    notation = notation_of(RULES)
    for number in range(1, len(NUMBERING), 501):
        text = NUMBERING.text(number).partition(": ")[2] or NUMBERING.text(number)
        verb = NUMBERING.packed_order(number) >> 20 & 15
        kind = PhaseKind.MOVEMENT if verb < 6 else PhaseKind.RETREATS if verb < 8 else PhaseKind.ADJUSTMENTS
        assert notation.read(text, kind)


def test_a_number_there_is_not_is_refused() -> None:
    for wrong in (-1, len(NUMBERING)):
        with pytest.raises(InvalidArray, match="not the number of an order"):
            NUMBERING.packed_order(wrong)
    with pytest.raises(InvalidArray, match="not an order of that unit"):
        NUMBERING.numbers(np.array([1]), np.array([0]), np.array([2 << 20], np.uint32))

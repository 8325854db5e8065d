"""The memory for texts: bounded by bytes, the oldest forgotten first."""

import pytest

from plenipo import library
from plenipo.engine.calendar import PhaseKind
from plenipo.engine.reading.notation import Notation
from plenipo.engine.reading.text_cache import TextCache
from plenipo.errors import InvalidOrder


def test_the_oldest_texts_are_forgotten_once_they_take_too_much() -> None:
    cache: TextCache[int] = TextCache(10_000)
    for number in range(100):
        cache.keep(number, "x" * 500, number)
        assert len(cache) <= 10
    kept = [number for number in range(100) if cache.get(number) is not None]
    assert kept == list(range(100 - len(kept), 100))
    assert len(kept) >= 5
    cache.keep("too long", "x" * 5_000, 8)
    assert cache.get("too long") is None
    assert cache.get(99) == 99


@pytest.mark.parametrize("name", ["standard", "cline"])
def test_what_can_be_read_is_remembered_and_what_cannot_is_not(name: str) -> None:
    rules = library.load(name)
    notation = Notation(rules.board, rules.powers, rules.words)
    place = next(space for space in rules.board.spaces.values() if space.code.isalpha())
    good = [f"A {place.code} H", f"army {place.code.lower()} holds"]
    for text in good:
        notation.read(text, PhaseKind.MOVEMENT)
        assert notation.order_set(text, PhaseKind.MOVEMENT) is notation.order_set(text, PhaseKind.MOVEMENT)
    known = len(notation._known), len(notation._order_sets)
    assert known == (2, 2)
    for number in range(50):
        text = f"A {place.code} goes {number} astray"
        with pytest.raises(InvalidOrder):
            notation.read(text, PhaseKind.MOVEMENT)
        assert notation.order_set(text, PhaseKind.MOVEMENT).faults
    assert (len(notation._known), len(notation._order_sets)) == known

"""The memory of a rule module is written as its fields say, and read again."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

import pytest
from hypothesis import given
from hypothesis import strategies as st

from plenipo.engine.board import Code, Location, UnitKind
from plenipo.engine.module_memory import ModuleMemory, make_sparse_field
from plenipo.engine.position import Power, Unit
from plenipo.errors import PlenipoError
from plenipo.rulekit import MODULES
from table import reader, standard

RULES = standard()
CODES = st.sampled_from(sorted(RULES.board.centres))
POWERS = st.sampled_from(RULES.names)
NUMBERS = st.integers(0, 10**9)


class Stay(NamedTuple):
    """A power and the number of turns that it stayed."""

    power: Power
    turns: int


@dataclass(frozen=True)
class Diary(ModuleMemory):
    """A memory with a field of every kind."""

    stays: Mapping[Code, Stay] = field(default_factory=dict)
    visits: Mapping[Power, Mapping[str, tuple[int, Code]]] = field(default_factory=dict)
    order: tuple[Code, ...] = ()
    pairs: frozenset[tuple[int, Power]] = frozenset()
    rows: Mapping[int, frozenset[Code]] = make_sparse_field(dict)


@dataclass(frozen=True)
class Guests(ModuleMemory):
    """A memory with one field."""

    units: frozenset[Unit] = frozenset()


DIARIES = st.builds(
    Diary,
    st.dictionaries(CODES, st.builds(Stay, POWERS, NUMBERS)),
    st.dictionaries(POWERS, st.dictionaries(st.text(max_size=5), st.tuples(NUMBERS, CODES), max_size=3), max_size=3),
    st.lists(CODES, max_size=4).map(tuple),
    st.frozensets(st.tuples(NUMBERS, POWERS), max_size=4),
    st.dictionaries(NUMBERS, st.frozensets(CODES, max_size=3), max_size=3),
)


@given(DIARIES)
def test_what_is_written_is_read_again(diary: Diary) -> None:
    assert Diary.from_json(diary.to_json(), reader()) == diary


@given(DIARIES)
def test_a_memory_can_be_hashed_and_its_json_has_the_order_of_the_names(diary: Diary) -> None:
    assert hash(diary) == hash(Diary.from_json(diary.to_json(), reader()))
    assert list(diary.to_json()["stays"]) == sorted(diary.stays)


def test_an_empty_sparse_field_is_left_out_and_may_be_missing() -> None:
    assert "rows" not in Diary().to_json()
    assert Diary(rows={3: frozenset({Code("PAR")})}).to_json()["rows"] == {"3": ["PAR"]}
    assert Diary.from_json(Diary().to_json(), reader()) == Diary()


def test_a_single_field_is_written_as_its_value() -> None:
    units = (Unit(Power("Italy"), UnitKind.ARMY, Location(Code(code))) for code in ("VEN", "ROM"))
    guests = Guests(frozenset(units))
    assert guests.to_json() == [["Italy", "A ROM"], ["Italy", "A VEN"]]
    assert Guests.from_json(guests.to_json(), reader()) == guests


@pytest.mark.parametrize(
    ("change", "why"),
    [
        ({"stays": {"XXX": ["France", 1]}}, "XXX"),
        ({"stays": {"PAR": ["Frence", 1]}}, "Frence"),
        ({"stays": {"PAR": ["France"]}}, "A list of 2 items has 1."),
        ({"stays": {"PAR": ["France", "1"]}}, "whole number"),
        ({"rows": {"x": []}}, "'x' is not a whole number."),
        ({"rows": {"9" * 5000: []}}, "is not a whole number."),
        ({"order": 3}, "list"),
        ({"colour": 1}, "'colour' is not one of its entries."),
    ],
)
def test_what_no_game_has_is_refused_in_a_sentence(change: dict[str, object], why: str) -> None:
    with pytest.raises(PlenipoError, match=why):
        Diary.from_json({**Diary().to_json(), **change}, reader())


def test_a_missing_field_is_refused() -> None:
    with pytest.raises(KeyError, match="stays"):
        Diary.from_json({"visits": {}, "order": [], "pairs": []}, reader())


@pytest.mark.parametrize("name", sorted(name for name, module in MODULES.items() if module.memory))
def test_the_empty_memory_of_a_rule_module_is_read_again(name: str) -> None:
    memory = MODULES[name].memory
    assert memory is not None
    assert memory.from_json(memory().to_json(), reader()) == memory()

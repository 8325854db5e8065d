"""The reader of positions: what is written is read back, and whatever is wrong is one sentence that quotes it."""

import json
from collections.abc import Callable
from dataclasses import replace
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from plenipo import jsonlines, library
from plenipo.engine.board import Code
from plenipo.engine.calendar import Phase, PhaseKind
from plenipo.engine.history.record import encode_position
from plenipo.engine.position import Dislodged, Position, Power, Unit
from plenipo.engine.reading.positions import MOST_CHANGES, MOST_ENTRIES, quote_value, read_position
from plenipo.engine.rules import Rules
from plenipo.errors import InvalidPosition, PlenipoError
from strategies import chances

Json = dict[str, Any]

STANDARD = library.load("standard")
PLAIN = [name for name in library.names() if not library.load(name).opening.slots]
"""The variants in which no module remembers anything."""

QUICK = settings(max_examples=40, deadline=None)


def some_position(rules: Rules, chance: Random) -> Position:
    """Any position there could be, likely or not."""
    board = rules.board
    places = sorted(board.standing.values(), key=str)
    chance.shuffle(places)
    units, spaces = list[Unit](), set[Code]()
    for kind, location in places[: chance.randint(0, 30)]:
        if location.space not in spaces:
            spaces.add(location.space)
            units.append(Unit(chance.choice(rules.names), kind, location))
    retreating = chance.random() < 0.4
    dislodged = []
    if retreating:
        for unit in chance.sample(units, min(len(units), 3)):
            kind, at = chance.choice([(k, loc) for k, loc in places if loc.space == unit.space])
            origin = chance.choice(places)[1]
            by = replace_location(unit, origin) if chance.random() < 0.8 else None
            barred = (origin.space,) if by and chance.random() < 0.8 else ()
            dislodged.append(Dislodged(Unit(chance.choice(rules.names), kind, at), by, barred))
    centres = sorted(board.centres)
    season = rules.calendar.cycle[0].season
    year = rules.calendar.start + chance.randint(0, 30)
    vacant = [code for code in sorted(board.spaces) if code not in spaces]
    return Position(
        Phase(season, year, PhaseKind.RETREATS if retreating else PhaseKind.MOVEMENT),
        tuple(units),
        tuple(dislodged),
        frozenset(chance.sample(vacant, chance.randint(0, 3))),
        {code: chance.choice(rules.names) for code in chance.sample(centres, chance.randint(0, len(centres)))},
        {power: frozenset(chance.sample(centres, chance.randint(0, 4))) for power in rules.names},
        (chance.choice(rules.names),) if chance.random() < 0.1 else (),
    )


def replace_location(unit: Unit, location: Any) -> Unit:
    """The unit, in another place."""
    return unit._replace(location=location)


# Round trips


@pytest.mark.parametrize("name", PLAIN)
@QUICK
@given(chance=chances())
def test_what_a_record_says_is_read_back(name: str, chance: Random) -> None:
    rules = library.load(name)
    position = some_position(rules, chance)
    written = json.loads(json.dumps(encode_position(position)))
    read = read_position(rules, written, whole=True)
    assert read.reader.faults == []
    assert read.position == position
    assert encode_position(read.position) == encode_position(position)


@pytest.mark.parametrize("name", PLAIN)
@QUICK
@given(chance=chances())
def test_what_a_line_says_is_read_back(name: str, chance: Random) -> None:
    rules = library.load(name)
    position = some_position(rules, chance)
    written = json.loads(json.dumps(jsonlines.encode_position(rules, position)))
    read = read_position(rules, written)
    assert read.reader.faults == []
    assert read.position == position


def shouted(text: str, chance: Random) -> str:
    """The same in another spelling."""
    return chance.choice((text, text.lower(), f"  {text} ", text.title()))


@QUICK
@given(chance=chances())
def test_spellings_and_the_order_of_lists_make_no_difference(chance: Random) -> None:
    position = replace(some_position(STANDARD, chance), dislodged=())
    written = jsonlines.encode_position(STANDARD, position)
    for key in ("units", "centres", "homes"):
        entries = [(power, list(items)) for power, items in written.get(key, {}).items()]
        chance.shuffle(entries)
        for _, items in entries:
            chance.shuffle(items)
        written[key] = {shouted(power, chance): [shouted(item, chance) for item in items] for power, items in entries}
    written["owners"] = written.pop("centres")
    read = read_position(STANDARD, written)
    assert read.reader.faults == []
    assert read.position == position
    assert all(
        spelling in {**written["units"], **written["owners"], **written["homes"]}
        for spelling in read.reader.spelt.values()
    )


# Every fault, with its place and the piece quoted


WRONG: dict[str, tuple[Callable[[Json], Any], str, str]] = {
    "a power there is not": (lambda line: line["units"].update(Moon=["A PAR"]), "units", "Moon"),
    "a unit that is no text": (lambda line: line["units"]["France"].append(7), "units.France", "7"),
    "a unit nobody can read": (lambda line: line["units"]["France"].append("A XYZ"), "units.France", "XYZ"),
    "a unit without its kind": (lambda line: line["units"]["France"].append("RUH"), "units.France", "RUH"),
    "an army at sea": (lambda line: line["units"]["France"].append("A NTH"), "units.France", "A NTH"),
    "a fleet inland": (lambda line: line["units"]["France"].append("F RUH"), "units.France", "F RUH"),
    "units that are no list": (lambda line: line["units"].update(Italy={"A ROM": 1}), "units.Italy", '{"A ROM": 1}'),
    "two units in a space": (lambda line: line["units"].update(Russia=["A PAR"]), "units.Russia", "A PAR"),
    "a centre that is none": (lambda line: line["centres"]["France"].append("BUR"), "centres.France", "Burgundy"),
    "a centre of two": (lambda line: line["centres"].update(Turkey=["PAR"]), "centres.Turkey", "PAR"),
    "a home that is none": (lambda line: line.update(homes={"France": ["BUR"]}), "homes.France", "Burgundy"),
    "homes of nobody": (lambda line: line.update(homes=["PAR"]), "homes", '["PAR"]'),
    "a space there is not": (lambda line: line.update(contested=["Atlantis"]), "contested", "Atlantis"),
    "a winner there is not": (lambda line: line.update(winners=[None]), "winners", "null"),
    "a surrogate": (lambda line: line.update(contested=["\ud800"]), "contested", "�"),
}


@pytest.mark.parametrize("wrong", WRONG)
def test_a_fault_is_one_sentence_at_its_place_and_is_left_out(wrong: str) -> None:
    line = good()
    expected = read_position(STANDARD, line).position
    change, place, piece = WRONG[wrong]
    change(line)
    read = read_position(STANDARD, line)
    (fault,) = read.reader.faults
    assert ".".join(fault.place) == place
    assert piece in fault.sentence
    assert fault.sentence.endswith((".", "?"))
    assert "\n" not in str(fault)
    assert read.position.units == expected.units
    assert read.position.owners == expected.owners


@QUICK
@given(several=st.sets(st.sampled_from(sorted(WRONG)), min_size=2))
def test_all_faults_are_reported_together(several: set[str]) -> None:
    homes = several & {"a home that is none", "homes of nobody"}
    spaces = several & {"a space there is not", "a surrogate"}
    line = good()
    for name in sorted(several):
        WRONG[name][0](line)
    overwritten = max(0, len(homes) - 1) + max(0, len(spaces) - 1)
    assert len(read_position(STANDARD, line).reader.faults) == len(several) - overwritten


def good() -> Json:
    """A position with nothing wrong in it."""
    return {
        "phase": "Fall 1902 movement",
        "units": {"France": ["A PAR", "F BRE"], "England": ["F LON"]},
        "centres": {"France": ["PAR", "BRE"], "England": ["LON"]},
    }


HOPELESS: dict[str, tuple[Json, str]] = {
    "no phase": ({"phase": None}, "'phase' is missing"),
    "a phase that is a number": ({"phase": 3}, "'phase' is '3'"),
    "a phase there is not": ({"phase": "Monsoon 1901"}, "'Monsoon 1901' is not a phase"),
    "no units": ({"units": None}, "'units' is missing"),
    "changes that are no list": ({"changes": {"closed": "PAR"}}, "'changes' is"),
    "a change of nothing": ({"changes": [{}]}, "'changes', number 1: '{}' is not a change"),
    "a space that is gone": ({"changes": [{"closed": "XYZ"}]}, "'XYZ' is not the code of a space"),
    "slots of no module": ({"slots": {"moon": {}}}, "'moon' is not a rule module of this game"),
    "slots that are a list": ({"slots": []}, "'slots': '[]' is not an object"),
}


@pytest.mark.parametrize(("part", "told"), HOPELESS.values(), ids=HOPELESS)
def test_what_nothing_can_be_made_of_is_refused(part: Json, told: str) -> None:
    with pytest.raises(PlenipoError) as refused:
        read_position(STANDARD, good() | part)
    assert told in str(refused.value)
    assert "\n" not in str(refused.value)


ANYTHING = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=30) | st.sampled_from(["PAR", "A PAR"]),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=9) | st.just("France"), inner),
    max_leaves=12,
)
KEYS = ("phase", "units", "dislodged", "contested", "centres", "owners", "homes", "winners", "changes", "slots")


@pytest.mark.parametrize("name", library.names())
@settings(max_examples=60, deadline=None)
@given(parts=st.dictionaries(st.sampled_from(KEYS), ANYTHING, min_size=1))
def test_anything_is_read_or_refused_in_sentences(name: str, parts: Json) -> None:
    rules = library.load(name)
    line = jsonlines.encode_position(rules, rules.opening) | parts
    try:
        told = [str(fault) for fault in read_position(rules, line).reader.faults]
    except PlenipoError as fault:
        told = [str(fault)]
    for sentence in told:
        assert sentence
        assert "\n" not in sentence
        assert len(sentence) < 1000


# The budget of a line


@pytest.mark.parametrize("key", ["units", "centres", "homes"])
def test_more_entries_than_a_position_can_have_are_refused(key: str) -> None:
    entries = ["A PAR"] if key == "units" else ["PAR"]
    line = good() | {key: {"France": entries * (MOST_ENTRIES + 1)}}
    with pytest.raises(InvalidPosition, match=f"more than {MOST_ENTRIES} entries"):
        read_position(STANDARD, line)


def test_the_entries_of_all_lists_count_together() -> None:
    half = MOST_ENTRIES // 2
    parts = {"centres": {"France": ["PAR"] * half}, "homes": {"France": ["PAR"] * half}, "contested": ["BUR"] * half}
    for key, part in parts.items():
        assert read_position(STANDARD, good() | {key: part}).position
    with pytest.raises(InvalidPosition, match=f"more than {MOST_ENTRIES} entries"):
        read_position(STANDARD, good() | parts)


def test_no_more_is_read_than_there_may_be() -> None:
    asked = 0

    class Counted(list[str]):
        def __iter__(self) -> Any:
            nonlocal asked
            asked += 1
            return super().__iter__()

    with pytest.raises(InvalidPosition, match="entries"):
        read_position(STANDARD, good() | {"contested": Counted(["nowhere"] * (MOST_ENTRIES + 1))})
    assert asked == 0


def test_a_board_changes_only_so_often() -> None:
    rules = library.load("irish")
    line = jsonlines.encode_position(rules, rules.opening)
    changes = [{"closed": "NTH"}, {"opened": "NTH"}] * (MOST_CHANGES // 2 + 1)
    with pytest.raises(InvalidPosition, match=f"there may be {MOST_CHANGES}"):
        read_position(rules, line | {"changes": changes})


# Quoting of values


@given(ANYTHING)
def test_what_is_quoted_is_short_and_can_be_printed(value: object) -> None:
    text = quote_value(value)
    assert text[0] == text[-1] == "'"
    assert len(text) <= 62
    assert text.isprintable()


def test_a_value_too_deep_to_write_down_is_quoted_all_the_same() -> None:
    deep: list[Any] = []
    for _ in range(100_000):
        deep = [deep]
    assert quote_value(deep) == "'…'"


def test_powers_are_spelt_as_the_line_spells_them_first() -> None:
    line = good() | {"units": {"FRANCE": ["A PAR"]}, "centres": {"france": ["PAR"]}}
    assert read_position(STANDARD, line).reader.spelt == {Power("France"): "FRANCE"}

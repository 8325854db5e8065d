"""No line ends the run, whatever is wrong with it, and none is swallowed."""

import gc
import io
import json
import tracemalloc
from collections.abc import Iterator
from random import Random
from typing import Any

import pytest

from mutations import good_lines, mutated
from plenipo import jsonlines, library
from plenipo.engine.calendar import PhaseKind
from plenipo.engine.history.verify import verify
from plenipo.engine.reading.notation import notation_of
from plenipo.errors import InvalidRecord
from plenipo.jsonlines import stream

Json = dict[str, Any]
LINE: Json = {"variant": "standard", "phase": "Spring 1901", "units": {"France": ["A PAR"]}, "centres": {}}
IRISH: Json = {"variant": "irish", "phase": "Winter 1974 adjustments", "units": {}, "options": {"draws": "gm_entered"}}
SPLIT = {"split": "PAR", "from": ["BUR", 0], "to": ["PIC", 0], "halves": ["PAR 1", "PAR 2"]}


def one(**content: object) -> Json:
    return jsonlines.answer(json.dumps(content), 1, library.load)


@pytest.mark.parametrize("name", library.names())
def test_every_mutated_line_is_answered_and_so_is_the_next(name: str) -> None:
    chance = Random(f"mutated {name}")
    good = list(good_lines(name, chance, 6))
    lines: list[bytes] = []
    for number in range(40):
        lines += [mutated(chance.choice(good), chance), json.dumps({**LINE, "id": number}).encode()]
    sink = io.StringIO()
    stream.run(io.BytesIO(b"\n".join(lines)), sink)
    answers = [json.loads(text) for text in sink.getvalue().splitlines()]
    assert len(answers) == len(lines)
    assert [answer["id"] for answer in answers[1::2]] == list(range(40))
    for answer in answers[::2]:
        assert "results" in answer or len(answer["errors"]) == 1
        assert all(sentence and "Traceback" not in sentence for sentence in answer["errors"])


@pytest.mark.parametrize(
    ("content", "told"),
    [
        ({**LINE, "variant": "v" * 300}, "is neither a variant nor a folder with one"),
        ({**LINE, "variant": "a\0b"}, "is neither a variant nor a folder with one"),
        ({**LINE, "changes": {"closed": "PAR"}}, "'changes' is '"),
        ({**IRISH, "changes": [{}]}, "'changes', number 1: '{}' is not a change"),
        ({**IRISH, "changes": [True]}, "'changes', number 1: 'true' is not a change"),
        ({**IRISH, "changes": [{"closed": 3}]}, "'3' is not the code of a space of the board"),
        ({**IRISH, "changes": [{"closed": "\ud800"}]}, "is not the code of a space of the board"),
        ({**IRISH, "changes": [SPLIT, {"closed": "PAR"}]}, "number 2: 'PAR' is not the code of a space of the board"),
        ({**IRISH, "changes": [{**SPLIT, "from": ["BUR", 1.5]}]}, "is not a border"),
        ({**IRISH, "changes": [{**SPLIT, "halves": ["A", "B"]}]}, "are not the halves of PAR"),
        ({**IRISH, "changes": [{"closed": "NTH"}] * 500}, "lists 500 changes of the board; there may be 400."),
        ({**IRISH, "slots": {"walkers": {"places": {"IRISH 1": "XYZ"}}}}, "'XYZ' is not a space of this board"),
        ({**IRISH, "slots": {"walkers": {"places": {"MOON 1": "PAR"}}}}, "'MOON 1' is not a walker"),
        ({**IRISH, "slots": {"black_holes": ["PAR 9"]}}, "what 'black_holes' remembers cannot be read"),
        ({**IRISH, "slots": {"points": {"France": 10**30}}}, "is not a whole number of a billion or less"),
        (
            {**LINE, "variant": "napoleonic", "phase": "S1801M", "slots": {"delayed_centres": {"ripe": [-1, "POR"]}}},
            "what 'delayed_centres' remembers cannot be read",
        ),
        ({**LINE, "units": {"France": ["A PAR"] * 6000}}, "more than 5000 entries"),
        ({**LINE, "orders": {"France": ["A PAR H; " * 900] * 3}}, "'orders' has more than 2000 orders"),
        ({**LINE, "id": json.loads("[" * 100 + "]" * 100)}, "'id' is nested more than 50 levels deep."),
        ({**LINE, "phase": "Spring " + "9" * 400}, "is not a phase of this calendar"),
        ({**LINE, "phase": "Spring ²"}, "is not a phase of this calendar"),
    ],
)
def test_what_cannot_be_adjudicated_is_one_sentence(content: Json, told: str) -> None:
    (sentence,) = one(**content)["errors"]
    assert sentence.startswith("line 1: ")
    assert told in sentence
    assert len(sentence) < 700


@pytest.mark.parametrize("depth", [30, 900, 960, 980, 990, 995, 1000, 100_000])
def test_nesting_is_reported_even_near_the_limit(depth: int) -> None:
    nested = b"[" * depth + b"]" * depth
    answer = jsonlines.answer(b'{"variant": "standard", "phase": ' + nested + b"}", 1, library.load)
    assert len(answer["errors"]) == 1


def test_a_split_home_is_a_home_where_homes_are_left_out() -> None:
    orders = {"France": ["F PAR 1 B", "A PAR 1 B"]}
    answer = one(**IRISH, centres={"France": ["PAR 1", "PAR 2"]}, changes=[SPLIT], orders=orders)
    assert answer["units"] == {"France": ["A PAR 1"]}


def test_a_home_in_a_hole_stays_a_home_when_the_hole_is_freed() -> None:
    fall = {**IRISH, "phase": "Fall 1974 draws", "units": {"France": ["A BUR"]}, "centres": {"France": ["BRE"]}}
    line = {**fall, "orders": {"GM": ["DRAW black hole: PAR", "DRAW split: NTH", "DRAW cards of NTH: NWY AS, BEL KS"]}}
    answer = one(**line)
    assert "PAR" in answer.get("homes", {"France": ["PAR"]})["France"]
    freed = {
        **answer,
        "changes": [*answer["changes"], {"opened": "PAR"}],
        "slots": {},
        "phase": "Winter 1980 adjustments",
    }
    built = one(**{**freed, "centres": {"France": ["PAR", "BRE"]}, "orders": {"France": ["A PAR B"]}})
    assert "A PAR" in built["units"]["France"]


def test_everything_a_power_gave_has_an_entry_of_its_own() -> None:
    winter = {**LINE, "phase": "W1901A", "units": {}, "centres": {"France": ["PAR", "BRE", "MAR"]}}
    answer = one(**{**winter, "orders": {"France": ["WAIVE", "WAIVE", "A PAR B"], "Italy": []}})
    assert [(entry["order"], entry["result"]) for entry in answer["further"]] == [("WAIVE", "waived")] * 2
    assert list(answer["results"]) == ["A PAR"]


def test_a_new_centre_builds_nothing_this_turn_where_only_centres_are_given() -> None:
    rules = library.load("napoleonic")
    power, homes = next((power, sorted(homes)) for power, homes in rules.opening.homes.items() if homes)
    centre = min(rules.board.centres - set(homes))
    army = next(text for text, (_, at) in rules.board.standing.items() if at.space == centre)
    answer = one(variant="napoleonic", phase="F1801M", units={power: [army]}, centres={power: homes[:1]})
    home = homes[0]
    assert answer["centres"][power] == sorted([home, centre])
    assert centre not in answer["slots"]["delayed_centres"]["ripe"]
    assert "adjustments" not in answer["phase"]


def test_a_doubled_walker_takes_no_number_that_is_taken() -> None:
    slots = {"walkers": {"places": {"IRISH 1": "RUH", "IRISH 2": "SPA"}}}
    draws = ["DRAW black hole: NTH", "DRAW split: RUH", "DRAW cards of RUH: KIE AS, BUR KS"]
    line = {
        **IRISH,
        "phase": "Fall 1974 draws",
        "units": {"France": ["A PAR"]},
        "slots": slots,
        "orders": {"GM": draws},
    }
    answer = one(**line)
    assert answer["slots"]["walkers"]["places"] == {"IRISH 1": "RUH 1", "IRISH 2": "SPA", "IRISH 3": "RUH 2"}


def test_a_unit_destroyed_for_good_says_so() -> None:
    units = {"Austria": ["A VIE"], "Germany": ["A TYO", "A BOH"]}
    line = {**IRISH, "phase": "Spring 1974", "units": units, "slots": {"anarchy": [["Austria", "A VIE"]]}}
    answer = one(**line, orders={"Germany": ["A BOH - VIE", "A TYO S A BOH - VIE"]})
    entry = answer["results"]["A VIE"]
    assert (entry["dislodged_by"], entry["destroyed"]) == ("A BOH", True)


def test_a_promise_that_is_read_can_be_read_back() -> None:
    notation = notation_of(library.load("irish"))
    for length in range(970, 1001):
        promise = "If " + "x" * (length - 3)
        (line,) = notation.order_set(promise, PhaseKind.MOVEMENT).lines
        if line.order is not None:
            assert notation.read(str(line.order), PhaseKind.MOVEMENT) == line.order


def test_a_record_of_brackets_is_refused() -> None:
    with pytest.raises(InvalidRecord, match="nested too deeply"):
        verify("[" * 100_000, library.load)


def memory_of(lines: Iterator[bytes]) -> int:
    """Return the bytes in use after the lines were answered and the answers discarded."""
    sink = io.StringIO()
    for line in lines:
        stream.run(io.BytesIO(line), sink)
        sink.seek(0)
        sink.truncate()
    gc.collect()
    return tracemalloc.get_traced_memory()[0]


def unreadable(name: str, share: str, number: int) -> Iterator[bytes]:
    """Yield lines of a variant with orders that cannot be read, no two of them alike."""
    rules = library.load(name)
    units: dict[str, list[str]] = {str(rules.names[0]): []}
    for line in range(number):
        orders = [f"{share} {line} {order} to nowhere {'x' * (order % 3)}" for order in range(22)]
        content = {"variant": name, "phase": "Spring 1901", "units": units, "centres": {}}
        yield json.dumps({**content, "orders": {str(rules.names[0]): orders}}).encode()


@pytest.mark.parametrize("name", ["standard", "cline"])
def test_memory_does_not_grow_with_lines_that_cannot_be_read(name: str) -> None:
    tracemalloc.start()
    try:
        before = memory_of(unreadable(name, "first", 5))
        after = memory_of(unreadable(name, "then", 25))
    finally:
        tracemalloc.stop()
    assert after - before < 250_000  # 550 texts that are kept with their tracebacks take some millions


def test_the_server_keeps_nothing_of_orders_that_it_could_not_read() -> None:
    rules = library.load("standard")
    order_set = notation_of(rules).order_set('A PAR to nowhere\nA PAR S x\n"\nF BRE -', PhaseKind.MOVEMENT)
    assert len(order_set.faults) >= 3
    for fault in order_set.faults:
        assert fault.__traceback__ is None
        assert fault.__context__ is None

"""Lines adjudicated together come out as lines one by one do: to the byte, if those have reasons in a word."""

import gc
import json
from itertools import islice
from random import Random
from typing import Any
from weakref import ref

import pytest
from hypothesis import given
from hypothesis import strategies as st

from plenipo import jsonlines, library
from plenipo.bots import orders_of
from plenipo.bots.sensible import sensible
from plenipo.engine.calendar import PhaseKind
from plenipo.engine.dice import Dice
from plenipo.engine.history.game import Game
from plenipo.engine.history.view import view
from plenipo.jsonlines.together import Batch, adjudicate
from spelt_lines import spelt_lines
from test_jsonlines_games import SEED, order_sets

Json = dict[str, Any]


def wild(name: str, seed: int, phases: int) -> list[bytes]:
    """The lines of a game, in which some orders are not allowed, missing, doubled or for another's unit."""
    chance = Random(f"{name} {seed}")
    rules = library.load(name)
    game = Game.new(rules, Dice.from_hex(SEED))
    found: list[bytes] = []
    for _ in range(phases):
        orders = order_sets(game, chance)
        line = jsonlines.encode_position(rules, game.position) | {"orders": orders}
        if rules.opening.slots:
            line["seed"] = SEED
        texts = [text for order_set in orders.values() for text in order_set]
        for power in chance.sample(sorted(orders), min(len(orders), 2)):
            if texts and chance.random() < 0.3:
                orders[power].append(chance.choice(texts))
        if chance.random() < 0.1 and orders:
            orders[chance.choice(sorted(orders))].append(chance.choice(["A PAR - MOS", "F NTH H", "x", "WAIVE"]))
        found.append(json.dumps(line).encode())
        game = game.process(orders)
        if game.over:
            break
    return found


LOAD = jsonlines.remembering(library.load)


def count_single(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Return a list to which the number of every line is added that is answered by itself."""
    single: list[int] = []
    answer = jsonlines.answer

    def counted(line: bytes, number: int, *others: Any) -> Json:
        single.append(number)
        return answer(line, number, *others)

    monkeypatch.setattr(jsonlines, "answer", counted)
    return single


def without_words(text: str) -> Json:
    """An answer without the sentences, which are shorter where lines are adjudicated together."""
    answer: Json = json.loads(text)
    for entry in (*answer.get("results", {}).values(), *answer.get("further", ())):
        del entry["why"]
    answer.pop("draws", None)
    return answer


@pytest.mark.parametrize("name", library.names())
def test_together_lines_come_to_what_each_comes_to_alone(name: str) -> None:
    lines = [line for seed in range(3) for line in wild(name, seed, 25)]
    together = Batch(library.load).answers(enumerate(lines, 1))
    load = jsonlines.remembering(library.load)
    for number, (line, text) in enumerate(zip(lines, together, strict=True), 1):
        alone = jsonlines.answer(line, number, load)
        assert without_words(text) == without_words(json.dumps(alone)), line
        assert text == json.dumps(jsonlines.answer(line, number, load, adjudicate)), line


@given(
    st.sampled_from(["standard", "1897", "napoleonic", "corner"]),
    st.integers(0, 10_000),
    st.sampled_from([0, 0.03, 0.3]),
    st.sampled_from([0, 0.05]),
    st.sampled_from([0, 0.5, 1]),
    st.sampled_from([0, 0.3]),
    st.sampled_from(["own", "field"]),
)
def test_any_spelling_of_any_orders_comes_to_the_same_bytes_as_alone(
    name: str, seed: int, illegal: float, unreadable: float, modest: float, words: float, codes: str
) -> None:
    found = spelt_lines(
        name, seed, illegal=illegal, unreadable=unreadable, modest=modest, words=words, field=codes == "field"
    )
    lines = [json.dumps({**line, "id": number}).encode() for number, line in enumerate(islice(found, 12))]
    together = Batch(LOAD).answers(enumerate(lines, 1))
    alone = [json.dumps(jsonlines.answer(line, number, LOAD, adjudicate)) for number, line in enumerate(lines, 1)]
    assert together == alone


@pytest.mark.parametrize("field", [False, True])
@pytest.mark.parametrize("name", ["standard", "napoleonic"])
def test_no_spelling_and_no_illegal_order_leads_a_line_out_of_the_arrays(
    name: str,
    field: bool,  # noqa: FBT001  # a parameter
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    found = spelt_lines(name, 3, illegal=0.1, unreadable=0.05, modest=0.5, words=0.3, field=field)
    plain = (line for line in found if "choice" not in line["phase"])
    lines = [json.dumps(line).encode() for line in islice(plain, 80)]
    single = count_single(monkeypatch)
    Batch(LOAD).answers(enumerate(lines))
    assert single == []


@pytest.mark.parametrize("name", ["standard", "1897", "napoleonic"])
def test_whole_games_go_through_arrays(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    single = count_single(monkeypatch)
    lines, chance = list[bytes](), Random(4)
    game = Game.new(library.load(name))
    kinds: list[PhaseKind] = []
    while len(lines) < 80 and not game.over:
        orders = {
            power: [text for text in order_set if "VIA" not in text]
            for power, order_set in order_sets(game, chance).items()
        }
        kinds.append(game.position.phase.kind)
        lines.append(json.dumps(jsonlines.encode_position(game.rules, game.position) | {"orders": orders}).encode())
        game = game.process(orders)
    Batch(library.load).answers(enumerate(lines))
    assert set(kinds) >= {PhaseKind.MOVEMENT, PhaseKind.ADJUSTMENTS}
    assert {kinds[number] for number in single} <= {PhaseKind.CHOICE}


@pytest.mark.parametrize("name", ["standard", "1897", "napoleonic"])
def test_games_of_good_players_have_the_same_results_in_batches(name: str) -> None:
    rules = library.load(name)
    game, chance, lines = Game.new(rules, Dice.from_hex(SEED)), Random(f"sensible {name}"), list[bytes]()
    while len(lines) < 90 and not game.over:
        seen = {power: view(game, power, {}) for power in rules.names}
        orders = {power: list(map(str, orders_of(sensible, seen[power], power, chance))) for power in rules.names}
        position = jsonlines.encode_position(rules, game.position)
        lines.append(json.dumps(position | {"orders": orders, "id": len(lines)}).encode())
        game = game.process(orders)
    load = jsonlines.remembering(library.load)
    together = Batch(library.load).answers(enumerate(lines, 1))
    for number, (line, text) in enumerate(zip(lines, together, strict=True), 1):
        assert without_words(text) == without_words(json.dumps(jsonlines.answer(line, number, load))), line


@pytest.mark.parametrize("phase", ["Spring 1901", "Spring 1901 retreats", "Winter 1901"])
def test_a_batch_in_which_no_line_of_a_phase_is_plain_is_answered(phase: str) -> None:
    line = json.dumps({"variant": "standard", "phase": phase, "units": {"France": ["A XYZ"]}, "centres": {}})
    texts = Batch(library.load).answers([(1, line.encode()), (2, line.encode())])
    assert [len(json.loads(text)["errors"]) for text in texts] == [1, 1]


def test_a_variant_that_is_needed_no_more_is_let_go() -> None:
    batch = Batch(library.load)
    batch.answers(enumerate(wild("standard", 7, 6), 1))
    (variant,) = batch._variants.values()
    held = ref(variant.known) if variant else None
    assert held
    assert held() is not None
    del variant
    batch._variants.clear()
    gc.collect()
    assert held() is None


def test_what_a_line_is_called_comes_back_as_it_is() -> None:
    line = {"variant": "standard", "phase": "Spring 1901", "units": {"France": ["A PAR"]}, "centres": {}}
    named = ('"a\\u00e9\\ud83d"', "1e400", "12345678901234567890123", "-0.0", "null", "[1, {}]", "true", "NaN", "1.50")
    lines = [json.dumps(line)[:-1] + f', "id": {name}}}' for name in named]
    together = Batch(library.load).answers(enumerate((text.encode() for text in lines), 1))
    load = jsonlines.remembering(library.load)
    alone = [json.dumps(jsonlines.answer(text, number, load)) for number, text in enumerate(lines, 1)]
    assert list(map(without_words, together)) == list(map(without_words, alone))


def test_over_as_many_units_as_the_kernel_takes_the_engine_says_that_it_stepped_in() -> None:
    rules = library.load("corner")
    texts = [text for text in rules.board.standing if text.startswith("A ")][:70]
    line = {"variant": "corner", "phase": "Spring 1901", "units": {"France": texts}, "centres": {}}
    (text,) = Batch(library.load).answers([(1, json.dumps(line).encode())])
    told = "The engine adjudicated this phase: it has 70 units, and the kernel takes 64."
    assert told in json.loads(text)["notes"]
    assert len(json.loads(text)["results"]) == 70

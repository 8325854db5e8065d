"""Lines adjudicated together come out as lines one by one do, but for the words of `why`."""

import json
from random import Random
from typing import Any

import pytest

from plenipo import jsonlines, library
from plenipo.engine.history.dice import Dice
from plenipo.engine.history.game import Game
from plenipo.fastlines import Batch
from test_jsonlines_games import SEED, sheets

Json = dict[str, Any]


def wild(name: str, seed: int, phases: int) -> list[bytes]:
    """The lines of a game, in which some orders are not allowed, missing, doubled or for another's unit."""
    chance = Random(f"{name} {seed}")
    rules = library.load(name)
    game = Game.new(rules, Dice.written(SEED))
    found: list[bytes] = []
    for _ in range(phases):
        orders = sheets(game, chance)
        line = jsonlines.encode_position(rules, game.position) | {"orders": orders}
        if rules.opening.slots:
            line["seed"] = SEED
        texts = [text for sheet in orders.values() for text in sheet]
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


def test_whole_games_go_through_arrays(monkeypatch: pytest.MonkeyPatch) -> None:
    single: list[int] = []
    answer = jsonlines.answer

    def counted(line: bytes, number: int, *others: Any) -> Json:
        single.append(number)
        return answer(line, number, *others)

    monkeypatch.setattr(jsonlines, "answer", counted)
    lines, chance = [], Random(4)
    game = Game.new(library.load("standard"))
    kinds = set()
    for _ in range(60):
        orders = {power: [text for text in sheet if "VIA" not in text] for power, sheet in sheets(game, chance).items()}
        kinds.add(game.position.phase.kind)
        lines.append(json.dumps(jsonlines.encode_position(game.rules, game.position) | {"orders": orders}).encode())
        game = game.process(orders)
    Batch(library.load).answers(enumerate(lines))
    assert len(kinds) == 3
    assert len(single) < 20  # a build left without an order, or a coast left open, is the engine's to word


def test_over_as_many_units_as_the_kernel_takes_the_engine_says_that_it_stepped_in() -> None:
    rules = library.load("corner")
    texts = [text for text in rules.board.standing if text.startswith("A ")][:70]
    line = {"variant": "corner", "phase": "Spring 1901", "units": {"France": texts}, "centres": {}}
    (text,) = Batch(library.load).answers([(1, json.dumps(line).encode())])
    told = "The engine adjudicated this phase: it has 70 units, and the kernel takes 64."
    assert told in json.loads(text)["notes"]
    assert len(json.loads(text)["results"]) == 70

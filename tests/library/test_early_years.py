"""A game that crosses the year 0, everywhere a year goes: files, records, JSON, the kernel, deadlines and pages."""

import json
from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from agree import SHAPES, Pair
from plenipo import jsonlines, library
from plenipo.engine.board import Code
from plenipo.engine.dice import Dice
from plenipo.engine.history.game import Game
from plenipo.engine.history.record import decode_game, encode_game
from plenipo.engine.position import Power
from plenipo.engine.rules import Rules
from plenipo.errors import InvalidVariant
from plenipo.jsonlines.together import Batch
from plenipo.library import plugins
from plenipo.server.hosting.schedule import schedule_of
from plenipo.server.hosting.schedule_words import in_words, why_no_end
from plenipo.server.web.models import Phase

CYCLE = """cycle = [
  ["Spring", "movement"], ["Spring", "retreats"], ["Fall", "movement"], ["Fall", "retreats"],
  ["Winter", "ownership"], ["Winter", "adjustments"],
]
"""
NOW = datetime(2026, 11, 22, 12, tzinfo=UTC)


def early(tmp_path: Path, start: str = '"2 BC"', more: str = "") -> Path:
    folder = tmp_path / "early"
    folder.mkdir()
    text = f'title = "Early"\nparent = "standard"\n[calendar]\nstart = {start}\n{CYCLE}{more}'
    (folder / "variant.toml").write_text(text, encoding="utf-8")
    return folder


def load_of(rules: Rules) -> jsonlines.Load:
    """Return a loader of rules for lines: a variant from a folder has no name that a line could give."""

    def load(_name: str, _options: Mapping[str, str]) -> Rules:
        return rules

    return load


@pytest.mark.parametrize(("start", "year"), [('"48 BC"', -48), ("-48", -48), ("0", 0), ("7", 7), ('"1901"', 1901)])
def test_a_calendar_begins_in_any_year(tmp_path: Path, start: str, year: int) -> None:
    folder = early(tmp_path, start)
    assert library.check(folder) == []
    assert library.load(folder).opening.phase.year == year


def test_a_game_across_the_year_0_is_recorded_without_loss(tmp_path: Path) -> None:
    rules = library.load(early(tmp_path))
    game, phases = Game.new(rules, Dice(bytes(32))), []
    while game.position.phase.year < 2:
        phases.append(str(game.position.phase))
        game = game.process({Power("France"): ["A PAR - BUR", "A BUR - PAR"]})
    assert phases[:2] == ["Spring 2 BC movement", "Fall 2 BC movement"]
    assert "Spring 0 movement" in phases
    record = json.loads(json.dumps(encode_game(game)))
    assert decode_game(record, rules) == game
    line = jsonlines.encode_position(rules, game.turns[1].resolution.before)
    assert line["phase"] == "Fall 2 BC movement"
    answer = jsonlines.answer(json.dumps(line).encode(), 1, load_of(rules))
    assert answer["phase"] == "Spring 1 BC movement"


def test_engine_and_kernel_agree_across_the_year_0(tmp_path: Path) -> None:
    both = Pair(library.load(early(tmp_path, more="[modules.homes]\nfixed_in = 0\n")))
    assert [fault for seed in range(60) for fault in both.follow(seed, SHAPES[seed % len(SHAPES)])] == []


def test_lines_of_early_years_go_through_arrays(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = early(tmp_path)
    monkeypatch.setattr(plugins, "bank", lambda: {"early": folder})
    rules = library.load("early")
    lines: list[bytes] = []
    game = Game.new(rules, Dice(bytes(32)))
    while game.position.phase.year < 3:
        order_set = {"France": ["F BRE H", "A PAR S F BRE"]}
        lines.append(json.dumps(jsonlines.encode_position(rules, game.position) | {"orders": order_set}).encode())
        game = game.process({Power(power): orders for power, orders in order_set.items()})
    alone: list[int] = []
    answer = jsonlines.answer

    def counted(line: bytes, number: int, *others: Any) -> Any:
        alone.append(number)
        return answer(line, number, *others)

    monkeypatch.setattr(jsonlines, "answer", counted)
    answers = [json.loads(text) for text in Batch(library.load).answers(enumerate(lines))]
    assert alone == []
    assert [one["phase"] for one in answers[:2]] == ["Fall 2 BC movement", "Spring 1 BC movement"]


TIMED = """
[[modules.order_restrictions.restrictions]]
orders = ["move"]
from_year = "1 BC"
until_year = 0
into = ["BUR"]
"""


def test_a_rule_counts_in_early_years_alone(tmp_path: Path) -> None:
    rules = library.load(early(tmp_path, more=TIMED))
    game, moved = Game.new(rules, Dice(bytes(32))), {}
    for _ in range(8):
        year, before = game.position.phase.year, game
        moved[year] = bool(before.process({Power("France"): ["A PAR - BUR"]}).position.unit_at(Code("BUR")))
        game = game.process({})
    assert moved == {-2: True, -1: False, 0: False, 1: True}


@pytest.mark.parametrize(
    ("years", "why"),
    [
        ('from_year = "1 BC"\nuntil_year = "2 BC"', "counts from 1 BC until 2 BC: never"),
        ('from_year = "before"', 'it must be a year such as 1901, 0 or "48 BC"'),
    ],
)
def test_years_in_which_nothing_counts_are_refused(tmp_path: Path, years: str, why: str) -> None:
    text = TIMED.replace('from_year = "1 BC"\nuntil_year = 0', years)
    with pytest.raises(InvalidVariant, match=why):
        _ = library.load(early(tmp_path, more=text)).facts


def test_a_centre_of_some_years_before_christ_is_taken_in_them_alone(tmp_path: Path) -> None:
    more = '[modules.captures.until_year]\nPAR = "2 BC"\n[modules.captures.from_year]\nLON = 1\n'
    rules = library.load(early(tmp_path, more=more))
    assert "LON" not in rules.opening.owners
    game = Game.new(rules, Dice(bytes(32)))
    while game.position.phase.year < 0:
        game = game.process({})
    assert any("it is no centre in 1 BC" in note for turn in game.turns for note in turn.resolution.notes)


def test_a_schedule_knows_years_before_christ() -> None:
    schedule = schedule_of(
        {"movement": {"within": "1d"}, "end": {"year": -46}, "later": [{"year": -47, "movement": {"within": "2d"}}]}
    )
    assert in_words(schedule)[-1] == "The game ends after 46 BC as it stands then, and is scored."
    assert any(sentence.startswith("From 47 BC on moves are due") for sentence in in_words(schedule))
    assert why_no_end(schedule, -48, NOW) == ""
    assert why_no_end(schedule, 0, NOW) == (
        "The game begins in 0, so it cannot end after 46 BC; write 0 or a later year."
    )


def test_a_page_writes_an_early_year_as_people_do(tmp_path: Path) -> None:
    phase = Phase.of(library.load(early(tmp_path)).opening.phase)
    assert (phase.when, phase.code, phase.year) == ("Spring 2 BC", "S2BCM", -2)

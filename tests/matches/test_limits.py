"""Limits of players: processor time is what counts, whatever a player has to prepare is prepared before it counts."""

import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from plenipo import library
from plenipo.bots import BOTS
from plenipo.engine.history.game import Game
from plenipo.engine.history.view import view
from plenipo.engine.phases.legality import Legality
from plenipo.engine.position import Power
from plenipo.matches.lineup import Match
from plenipo.matches.players import Function, Misplayed, OrderRequest
from plenipo.matches.programs import Program
from plenipo.matches.run import play_match
from table import standard

SEED = bytes(range(32))

COMPUTES = """
import time

def compute(seconds):
    began = time.process_time()
    while time.process_time() - began < seconds:
        pass
"""

PREPARES = """
from pathlib import Path
from plenipo.bots import BOTS

MARK = Path(__file__).with_suffix(".prepared")

def play(view, legal, chance):
    if legal.position.phase.kind == "movement" and not MARK.exists():
        compute(0.3)
        MARK.touch()
    return BOTS["sensible"](view, legal, chance)
"""

CYCLE = """
parent = "standard"
title = "Late Start"

[calendar]
start = 1900
first_year = 1901
opening = [["Winter", "adjustments"]]
cycle = [
  ["Spring", "movement"], ["Spring", "retreats"],
  ["Fall", "movement"], ["Fall", "retreats"],
  ["Winter", "ownership"], ["Winter", "adjustments"],
]
"""


def asked(power: str = "France") -> OrderRequest:
    game = Game.new(standard())
    legal = Legality(game.rules, game.position).orders_of(Power(power))
    return OrderRequest(view(game, Power(power), {}), legal, 0, SEED)


def with_own(tmp_path: Path, code: str, limit: float, variant: str = "standard") -> Match:
    file = tmp_path / "mine.py"
    file.write_text(code, encoding="utf-8")
    players = ("mine", *["sensible"] * (len(library.load(variant).names) - 1))
    return Match(variant, players, SEED, games=1, years=1, sources=(("mine", f"{file}:play"),), limit=limit)


@pytest.mark.parametrize("variant", ["standard", "1897"])
def test_what_a_player_prepares_at_its_first_movement_is_not_held_against_it(tmp_path: Path, variant: str) -> None:
    match = replace(with_own(tmp_path, COMPUTES + PREPARES, 0.1, variant), years=2)
    ((played, _),) = play_match(match)
    assert any(turn.phase.endswith("movement") for turn in played.turns)
    assert not played.faults


def test_what_a_player_prepares_has_a_limit_too(tmp_path: Path) -> None:
    match = with_own(tmp_path, f"{COMPUTES}\ndef play(*_):\n    compute(60)\n", 0.02)
    ((played, _),) = play_match(replace(match, warm_up=0.1))
    assert {fault.sentence for fault in played.faults} == {"'mine' gave no orders within 0.02 s."}


def test_a_match_without_orders_in_its_first_phase_is_played(tmp_path: Path) -> None:
    (tmp_path / "late").mkdir()
    (tmp_path / "late" / "variant.toml").write_text(CYCLE, encoding="utf-8")
    match = with_own(tmp_path, COMPUTES + PREPARES, 0.1, str(tmp_path / "late"))
    ((played, _),) = play_match(replace(match, years=2))
    assert not played.turns[0].orders
    assert played.turns[1].orders
    assert not played.faults


def test_a_player_that_waits_for_the_processor_is_not_late() -> None:
    def waits(*arguments: Any) -> Any:
        import time  # noqa: PLC0415

        time.sleep(0.3)
        return BOTS["sensible"](*arguments)

    assert Function("mine", waits, 0.1).orders(asked())


def test_a_player_that_computes_too_long_is_late() -> None:
    space: dict[str, Any] = {}
    exec(COMPUTES, space)  # noqa: S102  # our own code
    with pytest.raises(Misplayed, match=r"'mine' gave no orders within 0\.05 s\."):
        Function("mine", lambda *_: space["compute"](60), 0.05).orders(asked())


@pytest.mark.parametrize("compiler", ["numba.core.compiler", "llvmlite.binding"])
def test_nothing_is_raised_into_a_compiler(compiler: str) -> None:
    space: dict[str, Any] = {"__name__": compiler}
    own: dict[str, Any] = {}
    for names in (space, own):
        exec(COMPUTES, names)  # noqa: S102  # our own code
    compiled = []

    def thinks(*_: Any) -> Any:
        space["compute"](0.3)
        compiled.append(True)
        own["compute"](60)

    with pytest.raises(Misplayed, match=r"'mine' gave no orders within 0\.05 s\."):
        Function("mine", thinks, 0.05).orders(asked())
    assert compiled


# Programs

PROGRAM = """
import json, sys, time
{computes}
for line in sys.stdin:
    asked = json.loads(line)
    {work}
    first = {{}}
    for text in asked["legal"]:
        first.setdefault(" ".join(text.split()[:2]), text)
    print(json.dumps({{"orders": list(first.values())}}), flush=True)
"""


def program(tmp_path: Path, work: str, limit: float, first: float = 60.0) -> Program:
    pytest.importorskip("psutil", reason="psutil is not installed")
    file = tmp_path / f"{abs(hash(work))}.py"
    file.write_text(PROGRAM.format(computes=COMPUTES, work=work), encoding="utf-8")
    return Program.from_command("mine", f"{sys.executable} {file}", limit, first)


def test_a_program_that_waits_for_the_processor_is_not_late(tmp_path: Path) -> None:
    player = program(tmp_path, "time.sleep(0.5)", 0.2)
    try:
        assert [len(player.orders(asked())) for _ in range(2)] == [3, 3]
    finally:
        player.close()


def test_a_program_that_computes_too_long_is_ended_and_may_start_at_leisure(tmp_path: Path) -> None:
    player = program(tmp_path, "compute(0.4)", 0.1)
    try:
        assert len(player.orders(asked())) == 3
        with pytest.raises(Misplayed, match=r"'mine' gave no orders within 0\.1 s\."):
            player.orders(asked())
        assert player._running is None
    finally:
        player.close()


def test_the_time_of_a_program_is_what_it_computes_and_is_kept_when_it_is_started_anew(tmp_path: Path) -> None:
    times = []
    for work in ("time.sleep(0.5)", "compute(0.5)"):
        player = program(tmp_path, work, 30.0)
        for _ in range(2):
            player.orders(asked())
            player.close()
        times.append(player.clock())
    sleeping, computing = times
    assert computing >= sleeping + 0.8


def test_a_program_that_reads_nothing_delays_no_other(tmp_path: Path) -> None:
    file = tmp_path / "deaf.py"
    file.write_text("import time\ntime.sleep(600)\n", encoding="utf-8")
    player = Program.from_command("mine", f"{sys.executable} {file}", 0.1)
    large = asked()._replace(seed=bytes(100_000))  # more than fits into a pipe
    with pytest.raises(Misplayed, match="gave no orders within"):
        player.orders(large)


def test_chance_of_a_warmed_up_player_is_that_of_the_game(tmp_path: Path) -> None:
    code = "from plenipo.bots import BOTS\n\ndef play(*asked):\n    return BOTS['careless'](*asked)\n"
    ((own, _),) = play_match(with_own(tmp_path, code, 10.0))
    ((again, _),) = play_match(Match("standard", ("careless", *["sensible"] * 6), SEED, games=1, years=1))
    assert [turn.orders for turn in own.turns] == [turn.orders for turn in again.turns]

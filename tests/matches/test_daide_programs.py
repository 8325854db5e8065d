"""Programs for DAIDE in a match: they play, and one that fails costs its own orders and little time."""

import sys
from pathlib import Path

import pytest

from plenipo.errors import UnknownName
from plenipo.matches.daide_programs import DaideProgram
from plenipo.matches.lineup import Match
from plenipo.matches.players import CannotPlay
from plenipo.matches.run import play_match

SEED = bytes(range(32))
EXAMPLES = Path(__file__).parents[2] / "examples"

PLAYS = f"""
import sys
sys.path.insert(0, {str(EXAMPLES)!r})
import daide_client
from plenipo.daide.tokens import Token, parts_of
choose = daide_client.choose_orders
def play():
    daide_client.play("127.0.0.1", int(sys.argv[1]), 1)
"""

LOOPS = """
def loop(now, *rest):
    while parts_of(now[1]) != [Token.SPR, 1901]:
        pass
    return choose(now, *rest)
daide_client.choose_orders = loop
"""
"""It thinks for ever from its second movement on, and again after each start."""

FALLS_SILENT = """
import time
def sleep(now, *rest):
    if parts_of(now[1]) != [Token.SPR, 1901]:
        time.sleep(1000)
    return choose(now, *rest)
daide_client.choose_orders = sleep
"""
ENDS = "daide_client.choose_orders = lambda *_: sys.exit()\n"
BABBLES = "daide_client.choose_orders = lambda *_: [[Token.HUH]]\n"
BREAKS_FRAMES = "daide_client.initial = lambda: b'GET / HTTP/1.1'\n"
REFUSES_THE_MAP = """
build = daide_client.build
daide_client.build = lambda word, *rest: build(Token.REJ if word == Token.YES else word, *rest)
"""
NEVER_CONNECTS = "import time\nplay = lambda: time.sleep(1000)\n"


def match_of(folder: Path, code: str, years: int = 2, variant: str = "standard", **limits: float) -> Match:
    file = folder / "program.py"
    file.write_text(PLAYS + code + "\nplay()\n", encoding="utf-8")
    command = f"{sys.executable} {file} {{port}}"
    players = ("DAIDE", *["sensible"] * 6)
    return Match(variant, players, SEED, 1, years, daide=(("DAIDE", command),), **limits)  # type: ignore[arg-type]


@pytest.mark.timeout(300)
def test_a_program_plays_a_game_without_a_fault(tmp_path: Path) -> None:
    ((played, spent),) = play_match(match_of(tmp_path, "", years=4))
    assert not played.faults
    assert played.years == 4 or played.winners
    assert spent["DAIDE"].phases > 4


@pytest.mark.timeout(300)
def test_a_program_that_thinks_for_ever_has_its_limit_again_after_each_start(tmp_path: Path) -> None:
    ((played, _),) = play_match(match_of(tmp_path, LOOPS, limit=0.2, warm_up=30.0))
    assert len(played.faults) > 1
    assert {fault.sentence for fault in played.faults} == {"'DAIDE' gave no orders within 0.2 s."}


FAULTS = {
    "silent": (FALLS_SILENT, "'DAIDE' gave no orders within 0.2 s."),
    "ends": (ENDS, "'DAIDE' ended."),
    "babbles": (BABBLES, "'DAIDE' sent 'SUB (HUH)', which is no message of DAIDE."),
    "no frames": (BREAKS_FRAMES, "'DAIDE' broke the protocol of DAIDE: NOT_FIRST."),
    "absent": (NEVER_CONNECTS, "'DAIDE' did not join the game within 0.2 s."),
}


@pytest.mark.timeout(300)
@pytest.mark.parametrize(("code", "sentence"), FAULTS.values(), ids=FAULTS)
def test_a_fault_is_told_in_a_sentence_and_the_game_goes_on(tmp_path: Path, code: str, sentence: str) -> None:
    first = 0.2 if code == NEVER_CONNECTS else 30.0
    ((played, _),) = play_match(match_of(tmp_path, code, years=1, limit=0.2, warm_up=first))
    assert played.years == 1
    assert sentence in {fault.sentence for fault in played.faults}


@pytest.mark.timeout(300)
def test_a_program_that_refuses_the_map_cannot_play(tmp_path: Path) -> None:
    with pytest.raises(CannotPlay, match="'DAIDE' cannot play Diplomacy: it refuses the map"):
        next(iter(play_match(match_of(tmp_path, REFUSES_THE_MAP))))


def test_a_variant_that_daide_cannot_say_is_refused_for_the_program(tmp_path: Path) -> None:
    with pytest.raises(CannotPlay, match=r"'DAIDE' cannot play: .* cannot be played over DAIDE: "):
        next(iter(play_match(match_of(tmp_path, "", variant="fog-of-war"))))


COMMANDS = {"bot": "does not say where the port goes", "'bot {port}": "is not a command"}


@pytest.mark.parametrize(("command", "why"), COMMANDS.items())
def test_a_command_without_a_port_is_refused(command: str, why: str) -> None:
    with pytest.raises(UnknownName, match=why):
        DaideProgram.from_command("DAIDE", command, 1.0, 1.0)


def test_a_command_that_cannot_be_started_is_quoted(tmp_path: Path) -> None:
    match = Match("standard", ("DAIDE",) * 7, SEED, 1, 1, daide=(("DAIDE", f"{tmp_path}/nothing {{port}}"),))
    with pytest.raises(UnknownName, match="nothing': no such file or directory"):
        next(iter(play_match(match)))

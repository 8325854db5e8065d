"""The referee: games are the engine's, and whatever a player does, the game goes on."""

import json
import sys
import time
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from random import Random
from typing import Any

import pytest

from plenipo import library
from plenipo.bots import BOTS
from plenipo.engine.history.view import View
from plenipo.engine.orders import Order
from plenipo.engine.phases.legality import LegalOrders
from plenipo.engine.position import Power
from plenipo.errors import UnknownName
from plenipo.matches.lineup import Match
from plenipo.matches.players import CannotPlay, Function, Player
from plenipo.matches.programs import Program
from plenipo.matches.referee import Played, Spent, play
from plenipo.matches.run import encode_game, game_of, play_match, read_games, try_out
from table import standard

SEED = bytes(range(32))
SENSIBLE = Function("sensible", BOTS["sensible"])


def against(player: Player, years: int = 1, variant: str = "standard") -> Played:
    rules = library.load(variant)
    seats: dict[Power, Player] = dict.fromkeys(rules.names, SENSIBLE)
    seats[Power("France")] = player
    return play(rules, seats, SENSIBLE, seed=SEED, years=years)


def raises(*_: Any) -> list[Order]:
    raise KeyError("PAR")


def hangs(*_: Any) -> list[Order]:
    while True:
        with suppress(Exception):
            time.sleep(60)


def prints(*_: Any) -> list[Order]:
    sys.stdout.write("thinking")
    return []


def leaves(*_: Any) -> list[Order]:
    sys.exit(3)


def nonsense(*_: Any) -> Any:
    return ["A PAR - MOS"]


def strangers(view: View, legal: LegalOrders, chance: Random) -> Sequence[Order]:
    """The orders of another power."""
    return BOTS["sensible"](view, type(legal)(legal._legality, Power("Germany")), chance)


@pytest.mark.parametrize(
    ("function", "told"),
    [
        (raises, "'mine' raised KeyError: 'PAR'."),
        (hangs, "'mine' gave no orders within 0.02 s."),
        (prints, "'mine' printed 'thinking'."),
        (leaves, "'mine' raised SystemExit: 3."),
        (nonsense, "'mine' returned ['A PAR - MOS'], which is not a list of orders."),
        (strangers, "'mine' ordered what is not allowed: France:"),
    ],
)
def test_every_fault_of_a_player_is_reported_in_a_sentence_and_the_substitute_orders(function: Any, told: str) -> None:
    limit = 0.02 if function is hangs else 5.0
    played = against(Function("mine", function, limit))
    assert played.faults[0].sentence.startswith(told)
    assert (played.faults[0].power, played.faults[0].player) == ("France", "mine")
    assert played.turns[0].orders == against(SENSIBLE).turns[0].orders
    assert played.years == 1


def test_a_player_may_order_nothing() -> None:
    played = against(Function("idle", lambda *_: [], 5.0), years=2)
    assert not played.faults
    assert played.turns[0].orders["France"] == ()
    assert played.scores["France"] <= 3


def test_the_orders_of_a_game_lead_to_its_end_again(tmp_path: Path) -> None:
    match = Match("standard", ("sensible",) * 7, SEED, games=1, years=3)
    (played, spent), *others = play_match(match)
    assert not others
    assert spent["sensible"].phases >= 3 * 2 * 7 - 7
    file = tmp_path / "games.jsonl"
    file.write_text(encode_game(match, played), encoding="utf-8")
    ((variant, options, again),) = read_games(file)
    assert (variant, options, again) == ("standard", {}, played)
    end = game_of(standard(), again).position
    assert str(end.phase) == played.phase
    assert {power: len(end.centres_of(power)) for power in standard().names} == played.scores
    owners = dict(standard().opening.owners)
    for turn in played.turns:
        owners.update({code: Power(owner) for code, owner in turn.owners.items()})  # type: ignore[misc]
    assert owners == end.owners


def test_shares_make_one_and_moves_are_counted() -> None:
    played = against(SENSIBLE, years=2)
    assert sum(played.shares.values()) == pytest.approx(1)
    assert 0 < played.tally["failed"] < played.tally["moves"]
    assert played.tally["supports"] >= played.tally["others"]


@pytest.mark.parametrize("workers", [2])
def test_the_same_match_gives_the_same_games_however_they_are_shared(workers: int) -> None:
    match = Match("standard", ("careless",) * 7, SEED, games=3, years=1)
    alone = [encode_game(match, played) for played, _ in play_match(match)]
    assert [encode_game(match, played) for played, _ in play_match(match, workers=workers)] == alone
    assert len(set(alone)) == 3


# Programs

PROGRAM = """
import json, sys
for line in sys.stdin:
    asked = json.loads(line)
    first = {}
    for text in asked["legal"]:
        first.setdefault(" ".join(text.split()[:2]), text)
    print(json.dumps(ANSWER), flush=True)
"""


def program(tmp_path: Path, answer: str, limit: float = 20.0) -> Program:
    file = tmp_path / "program.py"
    file.write_text(PROGRAM.replace("json.dumps(ANSWER)", answer), encoding="utf-8")
    return Program.from_command("mine", f"{sys.executable} {file}", limit)


def test_a_program_gets_a_position_and_gives_orders(tmp_path: Path) -> None:
    played = against(program(tmp_path, 'json.dumps({"orders": list(first.values())})'))
    assert not played.faults
    assert played.turns[0].orders["France"] == ("F BRE H", "A MAR H", "A PAR H")


def test_what_a_program_gets_is_a_line_that_can_be_adjudicated(tmp_path: Path) -> None:
    seen = tmp_path / "seen.jsonl"
    player = program(tmp_path, f'(open({str(seen)!r}, "a").write(line), json.dumps({{"orders": []}}))[1]')
    against(player)
    first = json.loads(seen.read_text().splitlines()[0])
    assert (first["variant"], first["phase"], first["power"]) == ("standard", "Spring 1901 movement", "France")
    assert "A PAR - BUR" in first["legal"]
    assert len(bytes.fromhex(first["seed"])) == 32


@pytest.mark.parametrize(
    ("answer", "told"),
    [
        ('"hello"', "'mine' printed 'hello', which is not a JSON line."),
        ("json.dumps([1])", "'mine' printed '[1]'; an answer is like"),
        ('json.dumps({"orders": ["A PAR - MOS"]})', "'mine' ordered what is not allowed: "),
        ('json.dumps({"orders": ["jump"]})', "'mine' ordered what is not allowed: "),
        ("sys.exit()", "'mine' ended."),
    ],
)
def test_every_fault_of_a_program_is_reported_too(tmp_path: Path, answer: str, told: str) -> None:
    player = program(tmp_path, answer)
    played = against(player)
    player.close()
    assert played.faults[0].sentence.startswith(told)
    assert played.turns[0].orders == against(SENSIBLE).turns[0].orders


def test_a_program_that_hangs_is_ended(tmp_path: Path) -> None:
    player = program(tmp_path, "__import__('time').sleep(60)", limit=0.3)
    played = against(player)
    assert {fault.sentence for fault in played.faults} == {"'mine' gave no orders within 0.3 s."}
    assert player._running is None


def test_a_program_may_refuse_a_variant(tmp_path: Path) -> None:
    with pytest.raises(CannotPlay, match=r"'mine' cannot play Diplomacy: I play chess\."):
        against(program(tmp_path, 'json.dumps({"refused": "I play chess."})'))


def test_the_time_of_movements_alone_is_counted() -> None:
    spent = {"sensible": Spent()}
    rules = standard()
    played = play(rules, dict.fromkeys(rules.names, SENSIBLE), SENSIBLE, seed=SEED, years=1, spent=spent)
    movements = [turn for turn in played.turns if turn.phase.endswith("movement")]
    assert spent["sensible"].phases == sum(len(turn.orders) for turn in movements)


@pytest.mark.parametrize(
    ("sources", "told"),
    [
        ({}, "'mine' is not a computer player"),
        ({"mine": "nowhere.py:play"}, r"no Python file 'nowhere\.py'"),
        ({"mine": f"{Path(__file__)}:win"}, "no function 'win'"),
        ({"mine": "no-such-program --fast"}, "'no-such-program': no such file"),
        ({"mine": "'"}, "is not a command"),
    ],
)
def test_an_unavailable_player_is_reported_before_the_match_begins(sources: dict[str, str], told: str) -> None:
    with pytest.raises(UnknownName, match=told):
        try_out(Match("standard", ("mine",) * 7, SEED, sources=tuple(sources.items())))


def test_computers_end_a_game_by_their_votes_and_the_record_of_it_is_the_same_game(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    asked: list[tuple[str, tuple[Power, ...]]] = []

    def agrees(seen: View, _: Power, shared: Sequence[Power]) -> bool:
        asked.append((str(seen.position.phase), tuple(shared)))
        return seen.position.phase.year > 1902 and len(shared) > 1

    monkeypatch.setattr("plenipo.bots.votes.agrees", agrees)
    rules = standard()
    match = Match("standard", ("sensible",) * 7, SEED, games=1, years=4, votes=True)
    ((played, _),) = play_match(match)
    survivors = asked[-1][1]
    assert (played.years, played.winners) == (2, survivors)
    assert all(phase.startswith("Spring") for phase, _ in asked)
    assert sum(played.shares.values()) == pytest.approx(1)
    again = game_of(rules, played)
    assert (again.over, again.drawn) == (True, survivors)


def test_a_player_from_elsewhere_agrees_to_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("plenipo.bots.votes.agrees", lambda *_: True)
    mine = f"{Path(__file__).parents[1] / 'baseline.py'}:baseline"
    for players, years in ((("sensible",) * 7, 1), (("mine", *("sensible",) * 6), 2)):
        match = Match("standard", players, SEED, games=1, years=2, sources=(("mine", mine),), votes=True)
        ((played, _),) = play_match(match)
        assert (played.years, bool(played.winners)) == (years, years == 1)

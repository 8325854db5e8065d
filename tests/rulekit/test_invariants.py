"""Invariants of every game with special actions, triggered events, railways and tolls, with any orders and draws.

Each turn is checked again from the positions before and after it, its outcomes and its events.
"""

from collections import Counter
from random import Random

import pytest

from plenipo import library
from plenipo.engine.board import Code
from plenipo.engine.dice import Dice
from plenipo.engine.history.game import Game, Turn
from plenipo.engine.history.record import decode_game, encode_game
from plenipo.engine.orders import Move
from plenipo.engine.outcome import Result
from plenipo.engine.position import Position, Power
from plenipo.engine.rules import Rules
from plenipo.library.trial_orders import random_orders
from plenipo.rulekit.treasury import Treasury

LINES = (("PAR", "BUR", "MUN", "BER"), ("WAR", "MOS", "STP"), ("VIE", "BUD", "SER", "BUL"))
TOLLS = {frozenset({"PAR", "BUR"}): 2, frozenset({"NTH", "NRG"}): 1, frozenset({"VIE", "TRI"}): 3}
TEXT = """\
title = "Everything adds up"
parent = "standard"
[modules.money]
start = 4
gifts = false
tolls = [
  { between = ["PAR", "BUR"], cost = 2 }, { between = ["NTH", "NRG"], cost = 1 }, { between = ["VIE", "TRI"], cost = 3 }
]
[modules.special_actions]
actions = [
  { name = "raze", where = "centre", price = 1, dislodged = true, effect = { does = ["razes"] } },
  { name = "settle", where = "plain", turns = 2, price = 2, undisturbed = true, effect = {does = ["founds", "gives"]} },
  { name = "free", by = "power", where = "owned", yearly = 1, effect = { does = ["frees"] } },
]
[modules.triggered_events]
items = [
  { words = "a flood", spaces = ["HOL", "BEL", "VEN"], drawn = 1, again = true, effect = { does = ["razes"] } },
  { words = "a tax", powers = ["France", "Turkey"], again = true, effect = { points = -3 } },
  { words = "a town", spaces = ["RUH", "UKR"], odds = [1, 2], again = true, effect = { does = ["founds"] } },
]
[modules.railways]
lines = [
  { spaces = ["PAR", "BUR", "MUN", "BER"] }, { spaces = ["WAR", "MOS", "STP"] },
  { spaces = ["VIE", "BUD", "SER", "BUL"] },
]
"""
BORDERS = library.load("standard").board.borders
"""Judges railways: what does not touch on the regular board touches by a line alone."""


@pytest.fixture(scope="module")
def rules(tmp_path_factory: pytest.TempPathFactory) -> Rules:
    folder = tmp_path_factory.mktemp("everything")
    (folder / "variant.toml").write_text(TEXT, encoding="utf-8")
    return library.load(folder)


@pytest.mark.parametrize("seed", range(6))
def test_what_is_founded_razed_paid_and_driven_adds_up(rules: Rules, seed: int) -> None:
    chance = Random(seed)
    game = Game.new(rules, Dice(bytes(32)))
    for _ in range(8):
        if game.over:
            break
        before = game.position
        game = game.process(random_orders(rules, before, chance))
        turn = game.turns[-1]
        assert centres_by_events(rules, before, turn) == rules.board_at(game.position).centres
        owned = game.position.owners.keys() | {code for homes in game.position.homes.values() for code in homes}
        assert owned <= rules.board_at(game.position).centres
        assert balances(rules, game.position) == balances_by_events(rules, before, turn)
        for power, toll in tolls(turn).items():
            assert toll <= paid(turn)[power]
        for one, other in driven(turn):
            assert along_a_free_line(before, one, other)
    assert decode_game(encode_game(game), rules) == game


def centres_by_events(rules: Rules, before: Position, turn: Turn) -> frozenset[Code]:
    """The centres after a turn, as its events say."""
    now = set(rules.board_at(before).centres)
    for event in turn.resolution.events:
        if event.kind in ("centre_founded", "centre_razed"):
            (now.add if event.kind == "centre_founded" else now.discard)(event.spaces[0])
    return frozenset(now)


def balances(rules: Rules, position: Position) -> Counter[Power]:
    treasury = rules.module(Treasury)
    assert treasury
    return Counter(treasury.balances(position))


def balances_by_events(rules: Rules, before: Position, turn: Turn) -> Counter[Power]:
    """The balances after a turn, as its events say."""
    now = balances(rules, before)
    for event in turn.resolution.events:
        if event.kind == "points_received":
            now[event.powers[0]] += event.numbers[0]
    now.subtract(paid(turn))
    return now


def paid(turn: Turn) -> Counter[Power]:
    sums: Counter[Power] = Counter()
    for event in turn.resolution.events:
        if event.kind == "money_paid":
            sums[event.powers[0]] += event.numbers[0]
    return sums


def tolls(turn: Turn) -> Counter[Power]:
    """Return the tolls of the successful moves."""
    sums: Counter[Power] = Counter()
    for one, other, power in moves(turn):
        sums[power] += TOLLS.get(frozenset({one, other}), 0)
    return sums


def moves(turn: Turn) -> list[tuple[Code, Code, Power]]:
    """From where to where units went, and whose they are."""
    return [
        (outcome.unit.space, outcome.order.to.space, outcome.power)
        for outcome in turn.resolution.outcomes
        if outcome.unit and isinstance(outcome.order, Move) and outcome.result is Result.MOVES
    ]


def driven(turn: Turn) -> list[tuple[Code, Code]]:
    """The moves between spaces of one line that do not touch; no fleet carries an army there, for one lies inland."""
    together = [set(line) for line in LINES]
    apart = [(one, other) for one, other, _ in moves(turn) if other not in BORDERS[one]]
    return [way for way in apart if any(set(way) <= line for line in together)]


def along_a_free_line(before: Position, one: Code, other: Code) -> bool:
    """Tell whether both spaces are on one railway without a foreign unit between them."""
    mover = before.unit_at(one)
    for line in LINES:
        if mover and {one, other} <= set(line):
            first, last = sorted((line.index(one), line.index(other)))
            between = [before.unit_at(Code(code)) for code in line[first + 1 : last]]
            if all(unit is None or unit.power == mover.power for unit in between):
                return True
    return False

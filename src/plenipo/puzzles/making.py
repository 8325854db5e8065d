"""The making of puzzles of the kind *Find the order*: games that computers play, and the positions in them; pure."""

import hmac
from collections.abc import Iterator
from functools import lru_cache
from random import Random

from plenipo import library
from plenipo.bots import BOTS, orders_of
from plenipo.engine.calendar import PhaseKind
from plenipo.engine.dice import SEED_BYTES, Dice
from plenipo.engine.history.game import Game
from plenipo.engine.history.view import view
from plenipo.engine.orders import Order
from plenipo.engine.position import Position, Power
from plenipo.engine.rules import Rules
from plenipo.puzzles.goals import Goal, GoalKind, check_rules, settles_ownership
from plenipo.puzzles.order_puzzles import OrderPuzzle, make_line, rate_solution
from plenipo.puzzles.proof import Proof, Prover

__all__ = ["make_puzzles", "play_game", "prove_again", "puzzles_in"]

MOVEMENTS = 18
"""The number of movements for which a game is played."""

MOST_IN_POSITION = 4
"""The most puzzles that are taken from one position."""

_SIMPLE = 0.15
"""The part of the puzzles of one order that is kept: most of them are easy."""

LONGEST = 40
"""The number of movements for which an uneven game is played."""

_UNEVEN = 0.5
"""The part of the games in which one power thinks ahead and the others play by rules of thumb, so that it may win."""

_PLAYERS = ("quick", "raider", "builder", "guardian")
"""The computer players, of which each power has one that is drawn."""

_STRONG, _WEAK = "quick", "sensible"
"""The computer players of an uneven game."""


@lru_cache(maxsize=4)
def _load(variant: str) -> Rules:
    rules = library.load(variant)
    check_rules(rules)
    return rules


def make_puzzles(variant: str, seed: bytes, game: int) -> list[OrderPuzzle]:
    """Play a game and return the puzzles in it, without numbers; the same for the same arguments.

    Raise `NoPuzzles` for rules under which nothing can be proved, and `UnsupportedRules` where the kernel cannot play.
    """
    rules = _load(variant)
    chance = Random(hmac.digest(seed, f"puzzles of game {game}".encode(), "sha256"))  # noqa: S311  # chance in play is no secret
    return [puzzle for position in play_game(rules, chance) for puzzle in puzzles_in(rules, position, chance)]


def play_game(rules: Rules, chance: Random) -> Iterator[Position]:
    """Play a game of computers, and yield its positions before centres change hands."""
    played = Game.new(rules, Dice(chance.randbytes(SEED_BYTES)))
    most, players = MOVEMENTS, {power: BOTS[chance.choice(_PLAYERS)] for power in rules.names}
    if chance.random() < _UNEVEN:
        strong = chance.choice(rules.names)
        most, players = LONGEST, {power: BOTS[_STRONG if power == strong else _WEAK] for power in rules.names}
    movements = 0
    while not played.over and movements < most:
        movements += played.position.phase.kind is PhaseKind.MOVEMENT
        if settles_ownership(rules, played.position):
            yield played.position
        order_sets = {
            power: orders_of(player, view(played, power, {}), power, chance) for power, player in players.items()
        }
        played = played.process(order_sets)


def puzzles_in(rules: Rules, position: Position, chance: Random) -> list[OrderPuzzle]:
    """Return at most `MOST_IN_POSITION` puzzles in a position, each about another centre.

    Where a power is about to win, only victories are tried.
    """
    prover = Prover(rules, position)
    tasks = [(power, goal) for power in rules.names for goal in prover.list_goals(power)]
    victories = [task for task in tasks if task[1].kind is GoalKind.WIN]
    tasks = victories or tasks
    chance.shuffle(tasks)
    found: dict[Goal, OrderPuzzle] = {}
    for power, goal in tasks:
        if len(found) >= MOST_IN_POSITION:
            break
        if (goal.kind, goal.centre) in found:
            continue
        proof = prover.prove(power, goal)
        if proof is not None and (len(proof.solution) > 1 or chance.random() < _SIMPLE):
            found[goal] = make_puzzle(rules, position, power, goal, proof)
    return list(found.values())


def make_puzzle(rules: Rules, position: Position, power: Power, goal: Goal, proof: Proof) -> OrderPuzzle:
    """Return a proved puzzle, without a number."""

    def with_power(order: Order) -> str:
        unit = position.unit_at(getattr(order, "unit").location.space)  # noqa: B009  # orders of a movement have units
        return f"{unit.power if unit else ''}: {order}"

    return OrderPuzzle(
        0,
        rules.variant,
        power,
        goal,
        make_line(rules, position),
        tuple(map(str, proof.solution)),
        tuple(map(with_power, proof.reply)),
        rate_solution(power, goal, proof.solution, position),
    )


def prove_again(puzzle: OrderPuzzle) -> Proof | None:
    """Return the proof of a puzzle if its solution is the only one, None otherwise."""
    check_rules(puzzle.rules)
    proof = Prover(puzzle.rules, puzzle.position).prove(puzzle.power, puzzle.goal)
    if proof is None or set(proof.solution) != set(puzzle.read(puzzle.solution)):
        return None
    return proof

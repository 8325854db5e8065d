"""Puzzles of the kind *Find the order*: their values, their file, and the judgement of an answer, by the engine."""

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import combinations, product
from pathlib import Path
from typing import NamedTuple

from plenipo import library
from plenipo.engine.board import Code
from plenipo.engine.history.record import Json
from plenipo.engine.orders import Convoy, Hold, Move, MovementOrder, Order, Support
from plenipo.engine.outcome import Resolution
from plenipo.engine.phases.legality import Legality
from plenipo.engine.phases.movement import resolve
from plenipo.engine.phases.step import process
from plenipo.engine.position import Position, Power, Unit
from plenipo.engine.reading.order_entry import OrderEntry
from plenipo.engine.reading.positions import read_position
from plenipo.engine.reading.vocabulary import Vocabulary
from plenipo.engine.rules import Rules
from plenipo.engine.sentences import SentenceKind
from plenipo.errors import InvalidRecord, PlenipoError
from plenipo.jsonlines import encode_position
from plenipo.puzzles.goals import Goal, list_replies, places_of, reaches

__all__ = [
    "FIRST_NUMBER",
    "VERSION",
    "BegunFile",
    "InvalidPuzzles",
    "OrderJudgement",
    "OrderPuzzle",
    "load_order_puzzles",
    "make_line",
    "rate_solution",
    "read_puzzles",
    "write_games",
    "write_puzzle",
]

FILE = Path(__file__).with_name("order_puzzles.jsonl")

VERSION = 1
"""The version of the files."""

FIRST_NUMBER = 10_001
"""The number of the first of these puzzles in the package; those of cases have smaller ones."""

_MOST_TRIED = 1500
"""The most replies that are tried to refute a wrong answer."""

_NOT_A_FILE = SentenceKind("puzzle-file", "line {line} of '{file}' is no puzzle: {reason}.")
_OTHER_VERSION = SentenceKind(
    "puzzle-file-version", "'{file}' has puzzles of version {found}, and this is version {known}; make them again."
)
_OTHER_RUN = SentenceKind(
    "puzzle-file-run", "'{file}' was not begun with the variant '{variant}' and the seed '{seed}'; name another file."
)
_HEADER = SentenceKind("puzzle-file-header", "it must be an object with the keys 'puzzles', 'variant' and 'seed'")()


class InvalidPuzzles(InvalidRecord):
    """A file of puzzles that cannot be read; the message names the line."""


class OrderJudgement(NamedTuple):
    """The judgement of the orders of a player: solved, and the movement with a reply of the others.

    The reply to the solution is the one that refutes most other orders; the reply to a wrong answer refutes it, where
    one is found in time. `refuted` is whether it does. `wasteful` is whether there are more orders than in the solution
    and no reply to them was found: nothing is proved about them.
    """

    orders: tuple[Order, ...]
    solved: bool
    refuted: bool
    wasteful: bool
    resolution: Resolution


@dataclass(frozen=True)
class OrderPuzzle:
    """A position in which one set of orders of `power` reaches the goal, whatever the others order.

    `solution` is that set, `reply` the orders of others that refute most other sets. `difficulty` is a rating.
    """

    number: int
    variant: str
    power: Power
    goal: Goal
    line: Json
    solution: tuple[str, ...]
    reply: tuple[str, ...]
    difficulty: int

    @cached_property
    def rules(self) -> Rules:
        """The rules of its variant; raise as `library.load` does."""
        return library.load(self.variant)

    @cached_property
    def position(self) -> Position:
        """Its position; raise `InvalidPuzzles` if it cannot be read."""
        position, reader = read_position(self.rules, self.line)
        if reader.faults:
            raise InvalidPuzzles(str(reader.faults[0]))
        return position

    @property
    def identity(self) -> tuple[str, str, tuple[str, ...]]:
        """The things that no two puzzles of a file share: the power, the goal and the solution."""
        return self.power, str(self.goal), tuple(sorted(self.solution))

    @property
    def legal(self) -> Mapping[Unit, tuple[Order, ...]]:
        """The legal orders of every unit, without holds."""
        legality = Legality(self.rules, self.position)
        return {
            unit: tuple(order for order in legality.orders_of(unit.power).of(unit) if not isinstance(order, Hold))
            for unit in self.position.units
        }

    def read(self, texts: Sequence[str], vocabulary: Vocabulary | None = None) -> tuple[Order, ...]:
        """Return the orders of the player, a later one for a unit in place of an earlier.

        Raises `InvalidOrder` for a text that cannot be read, `IllegalOrder` for an order that is not allowed.
        """
        entry = OrderEntry(self.rules, self.position, self.power, vocabulary=vocabulary)
        order_set: tuple[Order, ...] = ()
        for text in texts:
            order_set = entry.give(order_set, text).order_set
        return order_set

    def judge(self, orders: Sequence[Order]) -> OrderJudgement:
        """Return the result for orders that `read` has returned: right is only the solution, added holds aside."""
        given = tuple(order for order in orders if not isinstance(order, Hold))
        solution = self.read(self.solution)
        solved = {self._plain(order) for order in given} == {self._plain(order) for order in solution}
        found = None if solved else self.refute(given)
        reply = self._known_reply() if found is None else found
        resolution = process(self.rules, self.position, {**self._by_power(reply), self.power: tuple(orders)})
        wasteful = not solved and found is None and len(given) > len(solution)
        return OrderJudgement(tuple(orders), solved, found is not None, wasteful, resolution)

    def refute(self, orders: Sequence[Order], most: int = _MOST_TRIED) -> tuple[Order, ...] | None:
        """Return orders of the others after which some orders of the power do not reach the goal.

        Few orders are tried before many; None if none of the first `most` replies does.
        """
        at = {unit.space: unit for unit in self.position.units}
        given = {at[order.unit.location.space]: order for order in orders if isinstance(order, _ORDERS)}
        known = {at[order.unit.location.space]: order for order in self._known_reply() if isinstance(order, _ORDERS)}
        replies = list_replies(self.legal, self.power, self.places, given)
        for tried, reply in enumerate(_few_first(known, replies)):
            if tried >= most:
                return None
            if not self._reaches({**reply, **given}):
                return tuple(reply.values())
        return None

    def withstands(self, orders: Sequence[Order], reply: Sequence[Order]) -> bool:
        """Return whether some orders of the power reach the goal for sure against orders of the others."""
        at = {unit.space: unit for unit in self.position.units}
        return self._reaches(
            {at[one.unit.location.space]: one for one in (*reply, *orders) if isinstance(one, _ORDERS)}
        )

    @property
    def places(self) -> frozenset[Code]:
        """The centres of the goal."""
        if self.goal.centre is not None:
            return frozenset({self.goal.centre})
        return frozenset(self.rules.board_at(self.position).centres)

    def _reaches(self, orders: Mapping[Unit, Order]) -> bool:
        rules, position = self.rules, self.position
        by_unit: list[MovementOrder | None] = []
        for unit in position.units:
            order = orders.get(unit)
            by_unit.append(order if isinstance(order, _ORDERS) else None)
        board = rules.board_at(position)
        solver = resolve(board, rules.rulebook, position.units, by_unit, rules.facts.movement)
        return reaches(rules, position, self.power, self.goal, solver).sure

    def _plain(self, order: Order) -> Order:
        """Return an order without VIA where the army can only go by sea."""
        if isinstance(order, Move) and order.via and order.unit.kind is not None:
            walks = order.to in self.rules.board_at(self.position).steps(order.unit.kind, order.unit.location)
            return order if walks else Move(order.unit, order.to)
        return order

    def _known_reply(self) -> tuple[Order, ...]:
        by_power: dict[Power, list[str]] = {}
        for text in self.reply:
            power, _, order = text.partition(": ")
            by_power.setdefault(Power(power), []).append(order)
        return tuple(
            order
            for power, texts in by_power.items()
            for text in texts
            for order in OrderEntry(self.rules, self.position, power).give((), text).order_set
        )

    def _by_power(self, orders: Sequence[Order]) -> dict[Power, tuple[Order, ...]]:
        at = {unit.space: unit.power for unit in self.position.units}
        by_power: dict[Power, tuple[Order, ...]] = {}
        for order in orders:
            if isinstance(order, _ORDERS):
                power = at[order.unit.location.space]
                by_power[power] = (*by_power.get(power, ()), order)
        return by_power


_ORDERS = (Hold, Move, Support, Convoy)


def _few_first(known: Mapping[Unit, Order], replies: Mapping[Unit, Sequence[Order]]) -> Iterator[Mapping[Unit, Order]]:
    """Yield a known reply, and then all with one order, with two, and so on."""
    yield {}
    yield known
    for size in range(1, len(replies) + 1):
        for units in combinations(replies, size):
            for orders in product(*(replies[unit] for unit in units)):
                yield dict(zip(units, orders, strict=True))


_BASE, _AN_ORDER, _A_CUT, _A_CONVOY, _A_HELPER, _WINS = 1000, 200, 150, 200, 150, 200


def rate_solution(power: Power, goal: Goal, solution: Iterable[Order], position: Position) -> int:
    """Return the difficulty of a puzzle as a rating, from what its solution involves.

    It is higher for each further order, for moves elsewhere than to the centre, for convoys, and for help to others.
    """
    difficulty = _BASE - _AN_ORDER
    for order in solution:
        difficulty += _AN_ORDER
        if isinstance(order, Move) and goal.centre not in places_of(order):
            difficulty += _A_CUT
        if isinstance(order, Convoy) or (isinstance(order, Move) and order.via):
            difficulty += _A_CONVOY
        if isinstance(order, Support):
            other = position.unit_at(order.other.location.space)
            difficulty += _A_HELPER * (other is not None and other.power != power)
    return difficulty + _WINS * (goal.centre is None)


# The file: a header, a line for each puzzle, and after those of a game the number of games that are done


def write_header(variant: str, seed: str) -> str:
    """Return the first line of a file."""
    return json.dumps({"puzzles": VERSION, "variant": variant, "seed": seed}, ensure_ascii=False) + "\n"


def write_games(done: int) -> str:
    """Return the line after the puzzles of the first games."""
    return json.dumps({_DONE: done}) + "\n"


def write_puzzle(puzzle: OrderPuzzle) -> str:
    """Return the line of a puzzle."""
    content = {
        "number": puzzle.number,
        "power": puzzle.power,
        "goal": str(puzzle.goal),
        "solution": puzzle.solution,
        "reply": puzzle.reply,
        "difficulty": puzzle.difficulty,
        **{key: puzzle.line[key] for key in ("phase", "units", "centres")},
    }
    return json.dumps(content, ensure_ascii=False, separators=(",", ":")) + "\n"


def make_line(rules: Rules, position: Position) -> Json:
    """Return a position as the lines of a file have it."""
    return {key: value for key, value in encode_position(rules, position).items() if key in _POSITION}


_POSITION = ("phase", "units", "centres")

_DONE = "games"


class BegunFile(NamedTuple):
    """The part of a file that another run continues: the text up to the last finished game, and the number of games."""

    text: str
    games: int

    @classmethod
    def of(cls, text: str, name: str, variant: str, seed: str) -> "BegunFile":
        """Return the beginning of a file; raise `InvalidPuzzles` for one of another variant or seed."""
        lines = text.splitlines(keepends=True)
        if not lines:
            return cls(write_header(variant, seed), 0)
        if _read_header(lines[0], name) != json.loads(write_header(variant, seed)):
            raise InvalidPuzzles(_OTHER_RUN(file=name, variant=variant, seed=seed))
        done = [number for number, line in enumerate(lines) if line.startswith(f'{{"{_DONE}":') and line[-1] == "\n"]
        if not done:
            return cls(lines[0], 0)
        return cls("".join(lines[: done[-1] + 1]), int(json.loads(lines[done[-1]])[_DONE]))


def read_puzzles(text: str, name: str) -> Iterator[OrderPuzzle]:
    """Yield the puzzles of a file; raise `InvalidPuzzles` for a line that is none, and for another version."""
    lines = text.splitlines()
    variant = _read_header(lines[0] if lines else "", name)["variant"]
    for number, line in enumerate(lines[1:], 2):
        try:
            content = json.loads(line)
            if _DONE in content:
                continue
            yield OrderPuzzle(
                int(content["number"]),
                str(variant),
                Power(content["power"]),
                Goal.from_text(content["goal"]),
                {key: content[key] for key in _POSITION},
                tuple(map(str, content["solution"])),
                tuple(map(str, content["reply"])),
                int(content["difficulty"]),
            )
        except (ValueError, KeyError, TypeError, AttributeError) as error:
            if isinstance(error, PlenipoError):
                raise
            reason = f"key {error} is missing" if isinstance(error, KeyError) else str(error)
            raise InvalidPuzzles(_NOT_A_FILE(line=number, file=name, reason=reason)) from error


def _read_header(line: str, name: str) -> Json:
    """Return the first line of a file; raise `InvalidPuzzles` for one that is none, and for another version."""
    try:
        head = json.loads(line)
    except ValueError:
        head = None
    if not isinstance(head, dict) or not {"puzzles", "variant", "seed"} <= head.keys():
        raise InvalidPuzzles(_NOT_A_FILE(line=1, file=name, reason=_HEADER))
    if head["puzzles"] != VERSION:
        raise InvalidPuzzles(_OTHER_VERSION(file=name, found=head["puzzles"], known=VERSION))
    return head


@lru_cache(maxsize=1)
def load_order_puzzles() -> Mapping[int, OrderPuzzle]:
    """Return the puzzles of the package by their numbers."""
    return {puzzle.number: puzzle for puzzle in read_puzzles(FILE.read_text(encoding="utf-8"), FILE.name)}

"""From a view to orders: the board and the game put into arrays, thought about, and the plan put into words again.

Heads (`plenipo.bots.search.Thinker`) are kept for the boards used last, each used by one thread at a time.
"""

from collections import OrderedDict
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from random import Random
from threading import Lock

import numpy as np

from plenipo.batch.arena import Arena
from plenipo.batch.bits import Array
from plenipo.batch.codes import Codes
from plenipo.batch.play import chance_of
from plenipo.batch.positions import encode, units_in
from plenipo.batch.refusals import UnsupportedRules
from plenipo.batch.rule_facts import Scope
from plenipo.batch.state import State, blank
from plenipo.batch.tables import MOST_UNITS, Size, Tables, compile_tables
from plenipo.bots.common import adjusted, chosen
from plenipo.bots.levels import Level
from plenipo.bots.search import Thinker
from plenipo.bots.sensible import sensible
from plenipo.engine.board import Board
from plenipo.engine.calendar import PhaseKind
from plenipo.engine.history.game import Turn
from plenipo.engine.history.view import View
from plenipo.engine.legality import LegalOrders
from plenipo.engine.orders import AdjustmentOrder, Build, Disband, Hold, Order, Remove
from plenipo.engine.position import Position
from plenipo.engine.rules import Rules
from plenipo.errors import IllegalOrder, InvalidPosition

__all__ = ["think", "why_not"]

MOST_BOARDS = 16
MOST_REMEMBERED = 1024
ENDLESS = 1 << 20
"""More centres than anybody can own: what it takes to win where victory is not the kernel's to see."""


class _Head:
    """What is needed to think on one board."""

    def __init__(self, tables: Tables) -> None:
        self.tables = tables
        self.codes = Codes(tables)
        self.thinker = Thinker(tables)
        self.state: State = blank(tables, 1, MOST_UNITS)


class _Heads:
    """Heads by rules and board; those used last are kept."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._tables: OrderedDict[tuple[Rules, int], tuple[Board, Tables]] = OrderedDict()
        self._idle: dict[int, list[_Head]] = {}

    def _tables_of(self, rules: Rules, board: Board) -> Tables:
        key = rules, id(board)
        with self._lock:
            known = self._tables.get(key)
            if known:
                self._tables.move_to_end(key)
                return known[1]
        try:
            tables = compile_tables(rules, board)
        except UnsupportedRules:
            tables = compile_tables(rules, board, Scope.PHASES)
            tables.arrays.size[Size.TO_WIN] = ENDLESS
        with self._lock:
            self._tables[key] = board, tables
            while len(self._tables) > MOST_BOARDS:
                _, (_, old) = self._tables.popitem(last=False)
                self._idle.pop(id(old), None)
        return tables

    @contextmanager
    def one(self, rules: Rules, board: Board) -> Iterator[_Head]:
        """A head for nobody else meanwhile; raises `UnsupportedRules`."""
        tables = self._tables_of(rules, board)
        with self._lock:
            idle = self._idle.setdefault(id(tables), [])
            head = idle.pop() if idle else None
        head = head or _Head(tables)
        try:
            yield head
        finally:
            with self._lock:
                if id(tables) in self._idle:
                    self._idle[id(tables)].append(head)


_HEADS = _Heads()
_REMEMBERED: OrderedDict[tuple[int, int], tuple[Turn, Array]] = OrderedDict()
_MEMORY = Lock()


def why_not(rules: Rules) -> str:
    """Why games of `rules` cannot be thought about, a sentence; empty if they can."""
    try:
        compile_tables(rules, rules.board, Scope.PHASES)
    except UnsupportedRules as refusal:
        return str(refusal)
    return ""


def think(view: View, legal: LegalOrders, seed: int, level: Level, budget: float | None = None) -> list[Order]:
    """The orders of the power of `legal`; the same for the same view, seed (64 bits) and level.

    A `budget` in milliseconds ends the thinking with the best so far. What the kernel cannot take is played by rules of
    thumb.
    """
    rules, position = view.rules, view.position
    kind = position.phase.kind
    if kind is PhaseKind.DRAWS:
        return []
    try:
        with _HEADS.one(rules, rules.board_at(position)) as head:
            if kind is PhaseKind.CHOICE:
                return _choose(head, view, legal, seed, level)
            if kind not in (PhaseKind.MOVEMENT, PhaseKind.RETREATS, PhaseKind.ADJUSTMENTS):
                return []
            _put(head, position)
            power = head.tables.power_number[legal.power]
            likely = _likely(view, head, power, level) if kind is PhaseKind.MOVEMENT else None
            _put(head, position)
            thought = head.thinker.think(head.state, 0, power, seed, level, likely=likely, budget=budget)
            return _orders(head, view, legal, thought.orders)
    except (UnsupportedRules, InvalidPosition, IllegalOrder):
        return sensible(view, legal, Random(seed))


def _put(head: _Head, position: Position) -> None:
    """Write a position into the state of a head, without what its tables have no place for."""
    tables = head.tables
    if tables.scope is not Scope.GAMES:
        centres = tables.centre_number
        position = replace(
            position,
            owners={code: power for code, power in position.owners.items() if code in centres},
            homes={
                power: frozenset(code for code in codes if code in centres)
                for power, codes in position.homes.items()
                if power in tables.power_number
            },
        )
    encode(tables, head.state, 0, position)


def _orders(head: _Head, view: View, legal: LegalOrders, packed: Array) -> list[Order]:
    """A plan as orders, each of them legal."""
    kind = view.position.phase.kind
    tables, codes = head.tables, head.codes
    units = units_in(tables, head.state, 0)
    at = {unit.space: unit.ref for unit, came in zip(units, head.state.came[0].tolist(), strict=False) if not came}
    if kind is PhaseKind.ADJUSTMENTS:
        plan: list[AdjustmentOrder] = []
        for number in packed.tolist():
            order = codes.order(number, None, at)
            if order is None:
                break
            if isinstance(order, Build | Remove) and order in legal:
                plan.append(order)
        return adjusted(view, legal, plan)
    mine = set(legal.units)
    orders: list[Order] = []
    for unit, number, came in zip(units, packed.tolist(), head.state.came[0].tolist(), strict=False):
        if unit not in mine or bool(came) != (kind is PhaseKind.RETREATS):
            continue
        order = codes.order(number, unit.ref, at)
        if order is None or order not in legal:
            order = Disband(unit.ref) if came else Hold(unit.ref)
        orders.append(order)
    return orders


def _likely(view: View, head: _Head, power: int, level: Level) -> Array | None:
    """How likely each temper is for each power, by the last movements; None if there is nothing to go by."""
    past: list[Turn] = []
    for turn in reversed(view.turns):
        if len(past) == level.memory:
            break
        if turn.resolution.before.phase.kind is PhaseKind.MOVEMENT:
            past.append(turn)
    found = [likely for turn in past if (likely := _foretold(view.rules, head, turn, power)) is not None]
    return sum(found[1:], found[0]) if found else None


def _foretold(rules: Rules, head: _Head, turn: Turn, power: int) -> Array | None:
    """How well each temper foretold one movement; None if it was on another board."""
    key = id(turn), power
    with _MEMORY:
        if key in _REMEMBERED:
            return _REMEMBERED[key][1]
    before = turn.resolution.before
    if rules.board_at(before) is not head.tables.board:
        return None
    _put(head, before)
    column = {unit.space: i for i, unit in enumerate(units_in(head.tables, head.state, 0))}
    seen = np.zeros(MOST_UNITS, np.uint32)
    for outcome in turn.resolution.outcomes:
        order = outcome.order
        if order is not None and outcome.unit is not None and outcome.unit.space in column:
            seen[column[outcome.unit.space]] = head.codes.pack(order)
    likely = head.thinker.foretold(head.state, 0, seen, power)
    with _MEMORY:
        _REMEMBERED[key] = turn, likely  # the turn is kept, so that no other can have its number
        while len(_REMEMBERED) > MOST_REMEMBERED:
            _REMEMBERED.popitem(last=False)
    return likely


# Choices before the first move


def _choose(head: _Head, view: View, legal: LegalOrders, seed: int, level: Level) -> list[Order]:
    """The alternative that does best against random ones of the others, each played out as a game of its own.

    Any choices where nothing says what they give.
    """
    choices = head.tables.facts.choices
    alternatives = choices.get(legal.power, ())
    if not alternatives:
        return chosen(view, legal, Random(seed))
    samples = max(1, level.samples // 2)
    power = list(choices).index(legal.power)
    picks = _picks([len(offered) for offered in choices.values()], power, samples, seed)
    arena = Arena(head.tables, len(picks), seed=bytes(32), room=MOST_UNITS)
    arena.reset(picks)
    worths = np.zeros(len(alternatives), np.int64)
    for game, row in enumerate(picks.tolist()):
        # the same chance for all alternatives of a sample
        worths[row[power]] += head.thinker.promised(arena.state, game, power, seed + game % samples, level)
    return list(alternatives[int(worths.argmax())].choices)


def _picks(limits: Sequence[int], power: int, samples: int, seed: int) -> Array:
    """A row for each alternative of a power and each sample of what the others may pick."""
    chance = Random(int(chance_of(seed)[0]))
    rows = [[chance.randrange(max(1, limit)) for limit in limits] for _ in range(samples)]
    return np.array(
        [[*row[:power], mine, *row[power + 1 :]] for mine in range(limits[power]) for row in rows], np.int64
    )

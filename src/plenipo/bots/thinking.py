"""From a view to orders: the board and the game put into arrays, thought about, and the plan put into words again.

Heads (`plenipo.bots.search_tables.Thinker`) are kept for the boards used last, each used by one thread at a time.
"""

from collections import OrderedDict
from collections.abc import Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from contextlib import AbstractContextManager, contextmanager
from dataclasses import replace
from functools import lru_cache
from random import Random
from threading import Lock
from typing import NamedTuple

import numpy as np

from plenipo.batch.arena import Arena
from plenipo.batch.bits import Array
from plenipo.batch.codes import Codes
from plenipo.batch.packing import MOVE
from plenipo.batch.play import chance_of
from plenipo.batch.positions import encode, units_in
from plenipo.batch.refusals import UnsupportedRules
from plenipo.batch.rule_facts import Scope
from plenipo.batch.state import State, blank
from plenipo.batch.tables import MOST_UNITS, Tables, compile_tables
from plenipo.bots.common import list_repairs, pick_adjustments, pick_choices
from plenipo.bots.deals.clauses import Clause, KeepOutClause, LeaveCentresClause, OrderClause
from plenipo.bots.levels import COMPARING, JUDGING, OTHERS, OWN, Level
from plenipo.bots.search_tables import UNBOUND, Bound, SampledPromise, Thinker, Thought
from plenipo.bots.sensible import sensible
from plenipo.engine.board import Board, Code
from plenipo.engine.calendar import PhaseKind
from plenipo.engine.history.game import Turn
from plenipo.engine.history.view import View
from plenipo.engine.orders import (
    AdjustmentOrder,
    Build,
    Convoy,
    Disband,
    Hold,
    Move,
    MovementOrder,
    Order,
    Ref,
    Remove,
    RetreatOrder,
    Support,
)
from plenipo.engine.phases.legality import LegalOrders
from plenipo.engine.position import Position, Power, Unit
from plenipo.engine.rules import Rules
from plenipo.errors import IllegalOrder, InvalidPosition

__all__ = [
    "UNBOUND",
    "Considered",
    "Head",
    "estimate_shares",
    "find_likely_styles",
    "lend_head",
    "list_attacks",
    "list_plans",
    "pack_clauses",
    "read_sample",
    "think",
    "weigh_orders",
    "weigh_plans",
    "why_not",
]

SEARCHED = (PhaseKind.MOVEMENT, PhaseKind.RETREATS, PhaseKind.ADJUSTMENTS)
"""The kinds of phase in which plans are searched for."""

Styles = Sequence[list[int]]
"""The rows of constants from which the power's own plans are drawn."""

MOST_REPAIRS = 6
"""The largest number of repaired plans that are compared."""

MOST_ATTACKS = 8
"""The largest number of attacks of which one is chosen where an attack was promised."""

MOST_COMPARED = 3
"""The largest number of plans of a search with which given orders are compared."""

MOST_BOARDS = 16
MOST_REMEMBERED = 1024


class Head:
    """The tables and memory for thinking on one board; it holds one position at a time, for one caller."""

    def __init__(self, tables: Tables, own: Styles) -> None:
        self.tables = tables
        self.codes = Codes(tables)
        self.thinker = Thinker(tables, [*OTHERS.values(), *own])
        self.state: State = blank(tables, 1, MOST_UNITS)
        self.units: tuple[Unit, ...] = ()
        self.dislodged: list[bool] = []
        self.at: dict[Code, Ref] = {}
        self._position: Position | None = None

    def put(self, position: Position) -> None:
        """Write a position into the state, without what the tables have no place for; nothing if it is there."""
        if self._position is position:
            return
        tables, self._position = self.tables, None
        encode(tables, self.state, 0, position if tables.scope is Scope.GAMES else _of_phase(tables, position))
        self.units = units_in(tables, self.state, 0)
        self.dislodged = [bool(came) for came in self.state.came[0, : len(self.units)].tolist()]
        standing = (unit for unit, came in zip(self.units, self.dislodged, strict=True) if not came)
        self.at = {unit.space: unit.ref for unit in standing}
        self._position = position


class _Heads:
    """Heads by rules and board; those used last are kept."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._tables: OrderedDict[tuple[Rules, int], tuple[Board, Tables]] = OrderedDict()
        self._idle: dict[int, list[tuple[Styles, Head]]] = {}

    def _tables_of(self, rules: Rules, board: Board) -> Tables:
        key = rules, id(board)
        with self._lock:
            known = self._tables.get(key)
            if known:
                self._tables.move_to_end(key)
                return known[1]
        tables = _closest(rules, board)
        with self._lock:
            self._tables[key] = board, tables
            while len(self._tables) > MOST_BOARDS:
                _, (_, old) = self._tables.popitem(last=False)
                self._idle.pop(id(old), None)
        return tables

    @contextmanager
    def one(self, rules: Rules, board: Board, own: Styles = OWN) -> Iterator[Head]:
        """Lend a head with these styles to one caller at a time; raises `UnsupportedRules`."""
        tables = self._tables_of(rules, board)
        with self._lock:
            idle = self._idle.setdefault(id(tables), [])
            place = next((i for i, (styles, _) in enumerate(idle) if styles is own), None)
            head = idle.pop(place)[1] if place is not None else None
        head = head or Head(tables, own)
        try:
            yield head
        finally:
            with self._lock:
                if id(tables) in self._idle:
                    self._idle[id(tables)].append((own, head))


def _closest(rules: Rules, board: Board) -> Tables:
    """Tables as close to the rules as there can be: of whole games, of single phases, or of their likeness.

    Raises `UnsupportedRules`.
    """
    for scope in (Scope.GAMES, Scope.PHASES):
        try:
            return compile_tables(rules, board, scope)
        except UnsupportedRules:
            continue
    return compile_tables(rules, board, Scope.LIKENESS)


_HEADS = _Heads()
_REMEMBERED: OrderedDict[tuple[int, int, int], tuple[Turn, Array]] = OrderedDict()
_MEMORY = Lock()


@lru_cache(maxsize=64)
def why_not(rules: Rules) -> str:
    """Return a sentence that says why games of `rules` cannot be searched; empty if they can.

    The answer is kept: tables take longer than a small search, and computers that deal ask in every movement.
    """
    try:
        compile_tables(rules, rules.board, Scope.LIKENESS)
    except UnsupportedRules as refusal:
        return str(refusal)
    return ""


def lend_head(view: View) -> AbstractContextManager[Head]:
    """Lend a head for the board of a view; raises `UnsupportedRules`."""
    return _HEADS.one(view.rules, view.rules.board_at(view.position))


def think(
    view: View,
    legal: LegalOrders,
    seed: int,
    level: Level,
    budget: float | None = None,
    own: Styles = OWN,
    *,
    bound: Bound = UNBOUND,
    promises: Sequence[SampledPromise] = (),
) -> list[Order]:
    """Return the orders of the power of `legal`; the same for the same view, seed (64 bits), level and own styles.

    A `budget` in milliseconds of processor time ends the thinking with the best so far. What the kernel cannot take is
    played by rules of thumb. Orders of a movement keep to `bound`, if others may keep the `promises` that they made.
    """
    kind = view.position.phase.kind
    if kind is PhaseKind.DRAWS:
        return []
    try:
        with _HEADS.one(view.rules, view.rules.board_at(view.position), own) as head:
            if kind is PhaseKind.CHOICE:
                return _choose(head, view, legal, seed, level)
            if kind not in SEARCHED:
                return []
            thought = _think(head, view, legal, seed, level, budget, bound, promises)
            orders = _orders(head, view, legal, thought.orders)
            return _choose_repair(head, view, legal, orders, level, bound)
    except (UnsupportedRules, InvalidPosition, IllegalOrder):
        return sensible(view, legal, Random(seed))


def _choose_repair(
    head: Head, view: View, legal: LegalOrders, orders: list[Order], level: Level, bound: Bound = UNBOUND
) -> list[Order]:
    """Return the plan without doubts that promises most in the samples of the search, of those close to `orders`.

    The search finds hardly any plan that needs it: the kernel does not look for chains of fleets and needless supports.
    Promises come first: a plan in which they are kept stays as it is if no repair keeps them.
    """
    plans = list_repairs(view, legal, orders, MOST_REPAIRS)
    if bound.forced or bound.barred:
        plans = [plan for plan in plans if _keeps_to(head, plan, bound)] or [orders]
    if len(plans) == 1 or view.position.phase.kind is not PhaseKind.MOVEMENT:
        return plans[0]
    power = head.tables.power_number[legal.power]
    return max(plans, key=lambda plan: head.thinker.evaluate(_pack(head, plan), power, level))


def _keeps_to(head: Head, orders: Sequence[Order], bound: Bound) -> bool:
    """Return whether orders are those that were promised, and enter no space that was not to be entered."""
    packed = _pack(head, orders)
    moves = packed[packed >> 20 & 15 == MOVE]
    entered = set(head.tables.arrays.space_of[moves & 1023].tolist())
    return all(packed[column] == order for column, order in bound.forced) and not entered & bound.barred


def pack_clauses(head: Head, clauses: Sequence[Clause]) -> Bound:
    """Return promises of one power for the search; attacks, of which any will do, are left out."""
    column = {unit.space: i for i, unit in enumerate(head.units)}
    numbers = head.tables.space_number
    forced: dict[int, int] = {}
    barred: set[int] = set()
    for clause in clauses:
        if isinstance(clause, OrderClause) and isinstance(clause.order, Hold | Move | Support | Convoy):
            if (place := column.get(clause.order.unit.location.space)) is not None:
                forced[place] = head.codes.pack(clause.order)
        elif isinstance(clause, KeepOutClause | LeaveCentresClause):
            barred |= {numbers[code] for code in clause.spaces if code in numbers}
    return Bound(tuple(sorted(forced.items())), frozenset(barred))


def list_plans(head: Head, plans: Array, power: Power) -> list[tuple[Order, ...]]:
    """Return packed plans of a movement as orders of the units of a power."""
    found = []
    for packed in plans.tolist():
        orders = (
            head.codes.order(number, unit.ref, head.at)
            for unit, number in zip(head.units, packed, strict=False)
            if unit.power == power
        )
        found.append(tuple(order for order in orders if order is not None))
    return found


def list_attacks(head: Head, legal: LegalOrders, spaces: AbstractSet[Code], bound: Bound) -> list[Bound]:
    """Return what a power could promise more than `bound`: each move into one of the spaces that it may order."""
    column = {unit.space: i for i, unit in enumerate(head.units)}
    numbers = head.tables.space_number
    options = []
    for unit in legal.units:
        place = column.get(unit.space)
        if place is None or place in dict(bound.forced):
            continue
        for order in legal.of(unit):
            to = order.to.space if isinstance(order, Move) and not order.via else None
            if isinstance(order, Move) and to in spaces and numbers.get(order.to.space) not in bound.barred:
                options.append(Bound((*bound.forced, (place, head.codes.pack(order))), bound.barred))
    return options[:MOST_ATTACKS]


def _pack(head: Head, orders: Sequence[Order]) -> Array:
    """Return orders of a movement in packed form, by the column of their unit."""
    column = {unit.space: i for i, unit in enumerate(head.units)}
    packed = np.zeros(MOST_UNITS, np.uint32)
    for order in orders:
        if isinstance(order, MovementOrder) and order.unit.location.space in column:
            packed[column[order.unit.location.space]] = head.codes.pack(order)
    return packed


class Considered(NamedTuple):
    """The plans considered for a phase, each with the share of the board it promises, and sampled orders of others."""

    plans: tuple[tuple[tuple[Order, ...], float], ...]
    samples: tuple[Mapping[Power, tuple[Order, ...]], ...]


def weigh_plans(view: View, legal: LegalOrders, seed: int, level: Level) -> Considered | None:
    """Return the plans weighed for a movement, retreat or adjustment phase, the best first; None without a search.

    Samples are given for movements alone. Raises nothing: what the kernel cannot take is not searched.
    """
    kind = view.position.phase.kind
    if kind not in SEARCHED:
        return None
    try:
        with _HEADS.one(view.rules, view.rules.board_at(view.position)) as head:
            best = _think(head, view, legal, seed, level, None)
            judged, samples = head.thinker.list_judged_plans(level)
            plans = {tuple(_orders(head, view, legal, one.orders)): one.value for one in reversed(judged)}
            if not plans:
                plans = {tuple(_orders(head, view, legal, best.orders)): 0.0}
            ranked = _without_doubts(head, view, legal, plans, level)
            theirs = [read_sample(head, row, legal.power) for row in samples] if kind is PhaseKind.MOVEMENT else []
            return Considered(tuple(ranked), tuple(theirs))
    except (UnsupportedRules, InvalidPosition, IllegalOrder):
        return None


def weigh_orders(
    view: View, legal: LegalOrders, orders: Sequence[Order], seed: int
) -> tuple[float, float, tuple[Order, ...]] | None:
    """Return the share that orders of a movement promise, that of the best plan known, and this plan.

    The plans of a search and the orders themselves are compared in new samples, since a search prefers plans that are
    lucky in its own. If no plan is better, the orders are the best one. None for other phases, and for rules that the
    kernel cannot take.
    """
    if view.position.phase.kind is not PhaseKind.MOVEMENT:
        return None
    try:
        with _HEADS.one(view.rules, view.rules.board_at(view.position)) as head:
            power = head.tables.power_number[legal.power]
            first = _think(head, view, legal, seed, JUDGING, None)
            judged, _ = head.thinker.list_judged_plans(JUDGING)
            found = [one.orders for one in judged[:MOST_COMPARED]] or [first.orders]
            plans = [_choose_repair(head, view, legal, _orders(head, view, legal, one), JUDGING) for one in found]
            likely = find_likely_styles(view, head, power, JUDGING)
            head.put(legal.position)
            head.thinker.draw_samples(head.state, 0, power, seed + 1, COMPARING, likely)
            values = {
                plan: head.thinker.evaluate(_pack(head, plan), power, COMPARING)
                for plan in dict.fromkeys(map(tuple, (orders, *plans)))
            }
            best = max(values, key=lambda plan: values[plan])
            return values[tuple(orders)], values[best], best
    except (UnsupportedRules, InvalidPosition, IllegalOrder):
        return None


def _without_doubts(
    head: Head, view: View, legal: LegalOrders, plans: Mapping[tuple[Order, ...], float], level: Level
) -> list[tuple[tuple[Order, ...], float]]:
    """Return the plans, each repaired, the best first; those that had to be are evaluated again."""
    repaired: dict[tuple[Order, ...], float] = {}
    for plan, value in plans.items():
        orders = tuple(_choose_repair(head, view, legal, list(plan), level))
        if orders not in repaired:
            same = orders == plan or view.position.phase.kind is not PhaseKind.MOVEMENT
            power = head.tables.power_number[legal.power]
            repaired[orders] = value if same else head.thinker.evaluate(_pack(head, orders), power, level)
    return sorted(repaired.items(), key=lambda plan: -plan[1])


def estimate_shares(rules: Rules, position: Position, seed: int, movements: int, times: int) -> dict[Power, float]:
    """Return the share of the board that each power may expect, by playing on so many movements, so many times.

    All powers go on by the policy. The shares add up to 1. Raises `UnsupportedRules` for rules that the kernel does
    not support.
    """
    with _HEADS.one(rules, rules.board_at(position)) as head:
        head.put(position)
        sums = np.zeros(head.tables.players, np.int64)
        for i in range(times):
            sums += head.thinker.estimate_shares(head.state, 0, seed + i, movements)
        total = int(sums.sum()) or 1
        powers = list(head.tables.power_number)[: head.tables.players]
        return {power: share / total for power, share in zip(powers, sums.tolist(), strict=True)}


def _think(
    head: Head,
    view: View,
    legal: LegalOrders,
    seed: int,
    level: Level,
    budget: float | None,
    bound: Bound = UNBOUND,
    promises: Sequence[SampledPromise] = (),
) -> Thought:
    power = head.tables.power_number[legal.power]
    likely = find_likely_styles(view, head, power, level)
    head.put(legal.position)
    return head.thinker.think(
        head.state, 0, power, seed, level, likely=likely, budget=budget, bound=bound, promises=promises
    )


def read_sample(head: Head, packed: Array, own: Power) -> Mapping[Power, tuple[Order, ...]]:
    """Return a sample of orders that the other powers may give in a movement."""
    order_sets: dict[Power, list[Order]] = {}
    for unit, number in zip(head.units, packed.tolist(), strict=False):
        order = head.codes.order(number, unit.ref, head.at)
        if order is not None and unit.power != own:
            order_sets.setdefault(unit.power, []).append(order)
    return {power: tuple(order_set) for power, order_set in order_sets.items()}


def _of_phase(tables: Tables, position: Position) -> Position:
    """Return the position without centres and homes that are not on the board of the phase."""
    centres = tables.centre_number
    return replace(
        position,
        owners={code: power for code, power in position.owners.items() if code in centres},
        homes={
            power: frozenset(code for code in codes if code in centres)
            for power, codes in position.homes.items()
            if power in tables.power_number
        },
    )


def _orders(head: Head, view: View, legal: LegalOrders, packed: Array) -> list[Order]:
    """Return a plan as orders, each of them legal."""
    kind, numbers = view.position.phase.kind, packed.tolist()
    if kind is PhaseKind.ADJUSTMENTS:
        plan: list[AdjustmentOrder] = []
        for number in numbers:
            order = head.codes.order(number, None, head.at)
            if order is None:
                break
            if isinstance(order, Build | Remove) and order in legal:
                plan.append(order)
        if head.tables.scope is Scope.LIKENESS:
            # the tables do not hold every rule of builds
            plan += [order for order in sensible(view, legal, Random(0)) if isinstance(order, Build | Remove)]
        return pick_adjustments(view, legal, plan)
    mine, retreating = legal.units, kind is PhaseKind.RETREATS
    orders: dict[Code, Order] = {}
    for unit, number, out in zip(head.units, numbers, head.dislodged, strict=False):
        if unit.power != legal.power or out != retreating or unit not in mine:
            continue
        ref = unit.ref
        order = head.codes.order(number, ref, head.at)
        if order is not None and order in legal:
            orders[unit.space] = order
        elif head.tables.scope is not Scope.LIKENESS:
            orders[unit.space] = Disband(ref) if out else Hold(ref)
    if len(orders) < len(mine):
        # units of others that this power may order, and those whose orders a rule forbids that is not in the tables
        by_thumb = {
            order.unit.location.space: order
            for order in sensible(view, legal, Random(0))
            if isinstance(order, MovementOrder | RetreatOrder)
        }
        orders = {**by_thumb, **orders}
    return list(orders.values())


def find_likely_styles(view: View, head: Head, power: int, level: Level) -> Array | None:
    """Return how likely each style is for each power, by the last movements; None if there are none to judge by."""
    past: list[Turn] = []
    for turn in reversed(view.turns):
        if len(past) == level.memory:
            break
        if turn.resolution.before.phase.kind is PhaseKind.MOVEMENT:
            past.append(turn)
    foretold = [likely for turn in past if (likely := _foretold(view.rules, head, turn, power, level)) is not None]
    return sum(foretold[1:], foretold[0]) if foretold else None


def _foretold(rules: Rules, head: Head, turn: Turn, power: int, level: Level) -> Array | None:
    """Return how well each style foretold one movement; None if it was on another board."""
    key = id(turn), power, level.rivals
    with _MEMORY:
        if key in _REMEMBERED:
            return _REMEMBERED[key][1]
    before = turn.resolution.before
    if rules.board_at(before) is not head.tables.board:
        return None
    head.put(before)
    column = {unit.space: i for i, unit in enumerate(head.units)}
    seen = np.zeros(MOST_UNITS, np.uint32)
    for outcome in turn.resolution.outcomes:
        order = outcome.order
        if order is not None and outcome.unit is not None and outcome.unit.space in column:
            seen[column[outcome.unit.space]] = head.codes.pack(order)
    likely = head.thinker.foretold(head.state, 0, seen, power, level)
    with _MEMORY:
        _REMEMBERED[key] = turn, likely  # the turn is kept, so that no other can have its number
        while len(_REMEMBERED) > MOST_REMEMBERED:
            _REMEMBERED.popitem(last=False)
    return likely


# Choices before the first move


def _choose(head: Head, view: View, legal: LegalOrders, seed: int, level: Level) -> list[Order]:
    """Return the alternative that does best against random ones of the others, each in a playout of its own.

    Any choices where nothing says what they give.
    """
    choices = head.tables.facts.choices
    alternatives = choices.get(legal.power, ())
    if not alternatives:
        return pick_choices(view, legal, Random(seed))
    samples = max(1, level.samples // 2)
    power = list(choices).index(legal.power)
    picks = _picks([len(offered) for offered in choices.values()], power, samples, seed)
    arena = Arena(head.tables, len(picks), seed=bytes(32), room=MOST_UNITS)
    arena.reset(picks)
    values = np.zeros(len(alternatives), np.int64)
    for game, row in enumerate(picks.tolist()):
        # the same chance for all alternatives of a sample
        values[row[power]] += head.thinker.estimate_shares(arena.state, game, seed + game % samples, level.depth + 1)[
            power
        ]
    return list(alternatives[int(values.argmax())].choices)


def _picks(limits: Sequence[int], power: int, samples: int, seed: int) -> Array:
    """Return a row for each alternative of a power and each sample of the others' choices."""
    chance = Random(int(chance_of(seed)[0]))
    rows = [[chance.randrange(max(1, limit)) for limit in limits] for _ in range(samples)]
    return np.array(
        [[*row[:power], mine, *row[power + 1 :]] for mine in range(limits[power]) for row in rows], np.int64
    )

"""The proof of a puzzle: the one set of orders that reaches a goal whatever the others order, on the kernel.

The sets are all sets of at most `MOST_ORDERS` orders of the power that have an effect near the goal: in its places,
where units stand that can act there, and where units of others stand that can act on those of the power among them.
Its other units hold. A set is sufficient if it reaches the goal against all replies that `goals.list_replies` names.
The proof shows that one set is, and that it is part of every other one that is. Doubt favours the other sets:
centres that retreats may still bring count for them, and not for the solution. In the end orders are drawn from all
legal ones, for the others against the solution, and for the power in place of it.

For a victory the replies are too many to try together. A set is sufficient if as many centres as the victory takes are
the power's against all replies, each centre alone: then no reply takes too many at once. A set is refuted by one
reply to the whole set, put together from those that take single centres. Sets that do neither leave no puzzle.
"""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import combinations
from math import comb, prod
from typing import NamedTuple

import numpy as np

from plenipo.batch.arena import Arena
from plenipo.batch.bits import Array
from plenipo.batch.rule_facts import Scope
from plenipo.batch.tables import MOST_UNITS, Tables, compile_tables
from plenipo.engine.board import Code, Location
from plenipo.engine.dice import SEED_BYTES
from plenipo.engine.orders import Hold, Move, Order
from plenipo.engine.phases.legality import Legality
from plenipo.engine.position import Position, Power, Unit
from plenipo.engine.rules import Rules
from plenipo.puzzles.goals import Goal, GoalKind, centres_to_win, list_replies, places_of

__all__ = ["MOST_ORDERS", "MOST_REPLIES", "Proof", "Prover"]

MOST_ORDERS = 3
"""The most orders of a solution."""

MOST_REPLIES = 100_000
"""The most replies that are tried against one set of orders; a puzzle that needs more is none."""

GAMES = 2048
"""The most positions that are adjudicated together."""

_SIZES = (64, 256, GAMES)
"""The numbers of games of the arenas, of which the smallest that is large enough is used."""

_MOST_ROUNDS = 60
"""The most sets that are tried against all replies."""

_MOST_ROUNDS_TO_WIN = 400
"""The same for a victory, where most centres are as safe under one set as under another, and are tried once."""

_MOST_SETS = 600_000
"""The most sets of orders that are tried for a victory; a position with more has none."""

_MIXED = 64
"""The number of replies that are put together from those that take single centres."""

_DRAWN = 4 * GAMES
"""The number of sets of orders that are drawn from all legal ones in the end."""


class Proof(NamedTuple):
    """A proved puzzle: the solution, the reply that refutes most other sets, and the number of replies tried."""

    solution: tuple[Order, ...]
    reply: tuple[Order, ...]
    replies: int


class Chosen(NamedTuple):
    """An order of the power in the numbers of the kernel: the column of its unit, and the packed order."""

    column: int
    packed: int


@dataclass(frozen=True)
class Prover:
    """Proofs in one position, for any power and goal; made once for each position."""

    rules: Rules
    position: Position

    @cached_property
    def legal(self) -> Mapping[Unit, tuple[Order, ...]]:
        """The legal orders of every unit, each once, without holds."""
        legality = Legality(self.rules, self.position)
        legal: dict[Unit, tuple[Order, ...]] = {}
        for unit in self.columns:
            orders = {self.pack(order): order for order in legality.orders_of(unit.power).of(unit)}
            legal[unit] = tuple(order for order in orders.values() if not isinstance(order, Hold))
        return legal

    @cached_property
    def tables(self) -> Tables:
        """The rules as the kernel takes them, for the board of the position."""
        return compile_tables(self.rules, self.rules.board_at(self.position), Scope.MOVEMENTS)

    @cached_property
    def arenas(self) -> Mapping[int, Arena]:
        """Games in the position, by their number."""
        arenas = {}
        for size in _SIZES:
            arena = arenas[size] = Arena(self.tables, size, seed=bytes(SEED_BYTES), room=MOST_UNITS)
            arena.put(0, self.position)
            for array in arena.state:
                array[:] = array[0]
        return arenas

    @cached_property
    def columns(self) -> Mapping[Unit, int]:
        """The column of every unit."""
        return {unit: column for column, unit in enumerate(self.arenas[GAMES].units(0))}

    def pack(self, order: Order) -> int:
        """Return an order as the number that the kernel takes."""
        return self.arenas[GAMES].codes.pack(order)

    def pack_all(self, orders: Sequence[Order]) -> Array:
        """Return no order, and then some orders, in the numbers of the kernel."""
        return np.array([0, *map(self.pack, orders)], np.uint32)

    def results(self, orders: Array) -> tuple[Array, Array]:
        """Adjudicate rows of packed orders, at most `GAMES`; return which units moved and which were dislodged."""
        arena = self.arenas[next(size for size in _SIZES if len(orders) <= size)]
        rows = arena.blank_orders()
        rows[: len(orders), : orders.shape[1]] = orders
        sets = arena.resolve(rows)
        bits = np.arange(len(self.columns), dtype=np.uint64)
        moved, dislodged = (
            (found[: len(orders), None] >> bits & np.uint64(1)).astype(bool) for found in (sets.moved, sets.dislodged)
        )
        return moved, dislodged

    def prove(self, power: Power, goal: Goal) -> Proof | None:
        """Return the proof that a goal has exactly one solution, None where it has none."""
        return (_Search if goal.centre is not None else _WinSearch)(self, power, goal).run()

    def list_goals(self, power: Power) -> Iterator[Goal]:
        """Yield the goals that may have a solution: centres in reach of `power`, its own in reach of others."""
        position = self.position
        reached = {
            own: {code for unit, orders in self.legal.items() if (unit.power == power) is own for code in _ends(orders)}
            for own in (True, False)
        }
        standing = {unit.space: unit.power for unit in position.units}
        centres = self.rules.board_at(position).centres
        owned = {code for code in centres if position.owners.get(code) == power}
        for code in sorted(centres):
            if code not in owned and code in reached[True] and standing.get(code) != power:
                yield Goal(GoalKind.TAKE, code)
            elif code in owned and code in reached[False]:
                yield Goal(GoalKind.SAVE, code)
        needed = centres_to_win(self.rules)
        if needed is not None and needed - MOST_ORDERS <= len(owned) < needed:
            yield Goal(GoalKind.WIN)


def _ends(orders: Sequence[Order]) -> frozenset[Code]:
    """Return the spaces to which moves go."""
    return frozenset(order.to.space for order in orders if isinstance(order, Move))


class _Search:
    """The search for the solution of one goal: sets of orders, of which each reply that is tried refutes some."""

    most_rounds = _MOST_ROUNDS

    def __init__(self, prover: Prover, power: Power, goal: Goal) -> None:
        self.prover, self.power, self.goal = prover, power, goal
        board = prover.rules.board_at(prover.position)
        self.board = board
        units = tuple(prover.columns)
        self.own = np.array([unit.power == power for unit in units])
        self.settled = 0
        """The number of centres of the power that no other power can reach."""
        self.places = frozenset({goal.centre}) if goal.centre is not None else self._centres_in_play()
        self.at = {code: np.array([unit.space == code for unit in units]) for code in self.places}
        self.to = {code: self._moves_to(code) for code in self.places}
        self.killers: list[Array] = []
        self.killed: list[int] = []
        self.orders_by_code = {
            (prover.columns[unit], prover.pack(order)): order
            for unit, orders in prover.legal.items()
            for order in orders
        }
        self.tried = 0

    def _centres_in_play(self) -> frozenset[Code]:
        """Return the centres that decide about a victory: those in reach of the power, and its own in others' reach."""
        position, legal = self.prover.position, self.prover.legal
        reached = {
            own: {code for unit, orders in legal.items() if (unit.power == self.power) is own for code in _ends(orders)}
            for own in (True, False)
        }
        beside = {to.space for unit in legal if unit.power != self.power for to in self._steps(unit)}
        centres = frozenset(self.board.centres)
        owned = {code for code in centres if position.owners.get(code) == self.power}
        settled = owned - reached[False] - beside
        self.settled = len(settled)
        standing = {unit.space for unit in legal if unit.power == self.power}
        return frozenset((owned | (centres & (reached[True] | standing))) - settled)

    def _moves_to(self, code: Code) -> Array:
        """Return the packed moves to a space."""
        prover = self.prover
        moves = {
            prover.pack(order)
            for orders in prover.legal.values()
            for order in orders
            if isinstance(order, Move) and order.to.space == code
        }
        return np.array(sorted(moves), np.uint32)

    # The adjudication of rows of orders

    def reach(self, rows: Array) -> tuple[Array, Array]:
        """Return for each row of orders whether the goal is reached for sure, and whether it may be."""
        parts = [self._reach_part(rows[first : first + GAMES]) for first in range(0, len(rows), GAMES)]
        if not parts:
            return np.zeros(0, bool), np.zeros(0, bool)
        return np.concatenate([sure for sure, _ in parts]), np.concatenate([perhaps for _, perhaps in parts])

    def _reach_part(self, rows: Array) -> tuple[Array, Array]:
        moved, dislodged = self.prover.results(rows)
        stays = ~moved & ~dislodged
        if self.goal.centre is not None:
            own, foreign = self._occupants(self.goal.centre, rows, moved, stays)
            if self.goal.kind is GoalKind.SAVE:
                return own, ~foreign
            near = self._beside(self.goal.centre, own=True)
            return own, own | (~foreign & (dislodged & near).any(axis=1))
        sure, perhaps = np.full(len(rows), self.settled), np.full(len(rows), self.settled)
        for code in self.places:
            has, may_have = self._has_centre(code, rows, moved, dislodged)
            sure += has
            perhaps += may_have
        return sure >= self.centres_needed, perhaps >= self.centres_needed

    @cached_property
    def centres_needed(self) -> int:
        """The number of centres that wins."""
        needed = centres_to_win(self.prover.rules)
        assert needed is not None  # noqa: S101  # the goal is offered only then
        return needed

    def _has_centre(self, code: Code, rows: Array, moved: Array, dislodged: Array) -> tuple[Array, Array]:
        """Return for each row whether a centre will be the power's for sure, and whether it may be."""
        owned = self.prover.position.owners.get(code) == self.power
        own, foreign = self._occupants(code, rows, moved, ~moved & ~dislodged)
        threatened = self._beside(code, own=False).any()
        retreats = (dislodged & self._beside(code, own=True)).any(axis=1)
        return own | (~foreign & (owned and not threatened)), own | (~foreign & (retreats | owned))

    def _occupants(self, code: Code, rows: Array, moved: Array, stays: Array) -> tuple[Array, Array]:
        """Return whether a unit of the power is in a space after the movement, and whether one of others is."""
        units = moved.shape[1]
        there = (moved & np.isin(rows[:, :units], self.to[code])) | (stays & self.at[code])
        return (there & self.own).any(axis=1), (there & ~self.own).any(axis=1)

    def _beside(self, code: Code, *, own: bool) -> Array:
        """Return the units, of the power or of others, that could retreat into a space."""
        return np.array(
            [
                (unit.power == self.power) is own and code in {to.space for to in self._steps(unit)}
                for unit in self.prover.columns
            ]
        )

    def _steps(self, unit: Unit) -> frozenset[Location]:
        return frozenset(self.board.steps(unit.kind, unit.location))

    # The search

    def run(self) -> Proof | None:
        """Return the proof, None where the goal has no solution or several."""
        self._add_killer(np.zeros(len(self.prover.columns), np.uint32))
        contested = self._list_contested()
        near = self._acting_on(contested)
        ground = contested | {unit.space for unit in near}
        if self._only_one(self._list_sets(self._orders_on(ground))) is None:
            return None  # found out soon, from few sets
        own = frozenset(unit.space for unit in near if unit.power == self.power)
        around = {unit.space for unit in self._acting_on(own) if unit.power != self.power}
        solution = self._only_one(self._list_sets(self._orders_on(ground | around)))
        if solution is None or not self._withstands_chance(solution):
            return None
        # the first reply is none at all, which shows little
        most = max(range(1, len(self.killers)), key=lambda i: self.killed[i], default=0)
        killer = self.killers[most]
        reply = tuple(self.orders_by_code[column, int(packed)] for column, packed in enumerate(killer) if packed)
        return Proof(tuple(self.orders_by_code[chosen] for chosen in solution), reply, self.tried)

    def _list_contested(self) -> frozenset[Code]:
        """Return the places in which orders of the power can matter."""
        return self.places

    def _list_sets(self, orders: Sequence[Chosen]) -> "_NumberedSets":
        """Return the sets that are tried."""
        return _NumberedSets.of(orders)

    def _acting_on(self, places: frozenset[Code]) -> list[Unit]:
        """Return the units that have an order with an effect in some places."""
        legal = self.prover.legal.items()
        return [unit for unit, orders in legal if any(places_of(order) & places for order in orders)]

    def _orders_on(self, places: frozenset[Code]) -> list[Chosen]:
        """Return the orders of the power that have an effect in some places."""
        return [chosen for chosen in self._all_orders() if places_of(self.orders_by_code[chosen]) & places]

    def _all_orders(self) -> list[Chosen]:
        return [Chosen(*code) for code in self.orders_by_code if self.own[code[0]]]

    def _only_one(self, sets: "_NumberedSets") -> tuple[Chosen, ...] | None:
        """Return the sufficient set that every sufficient one contains, None if there is none."""
        only: tuple[Chosen, ...] | None = None
        alive = sets.rows
        for number in sorted(range(len(self.killers)), key=lambda i: -self.killed[i]):
            alive = self._survivors(sets, alive, number)
        for _ in range(self.most_rounds):
            if not len(alive):
                return only
            chosen = sets.pick(alive[0])
            trial = self._try_replies(chosen)
            if trial.refutation is not None:
                alive = self._survivors(sets, alive, self._add_killer(trial.refutation))
            elif trial.sufficient and only is None and chosen:
                only = chosen
                alive = sets.without(alive, chosen)
            else:
                return None
        return None

    def _add_killer(self, reply: Array) -> int:
        """Keep a reply that refutes a set, and return its number."""
        self.killers.append(reply)
        self.killed.append(0)
        return len(self.killers) - 1

    def _survivors(self, sets: "_NumberedSets", alive: Array, number: int) -> Array:
        """Return the sets that a reply does not refute."""
        kept = [alive[:0]]
        for first in range(0, len(alive), GAMES):
            part = alive[first : first + GAMES]
            rows = np.repeat(self.killers[number][None, :], len(part), axis=0)
            sets.write(part, rows)
            kept.append(part[self.reach(rows)[1]])
        survivors = np.vstack(kept)
        self.killed[number] += len(alive) - len(survivors)
        return survivors

    def _try_replies(self, chosen: tuple[Chosen, ...]) -> "_ReplyTrial":
        """Try all replies to a set of orders, in an order drawn by chance, until one refutes it."""
        prover = self.prover
        units = tuple(prover.columns)
        given = {units[one.column]: self.orders_by_code[one] for one in chosen}
        replies = list_replies(prover.legal, self.power, self.places, given)
        count = prod(len(orders) + 1 for orders in replies.values())
        if count > MOST_REPLIES:
            return _ReplyTrial(None, sufficient=False)
        packed = {prover.columns[unit]: prover.pack_all(orders) for unit, orders in replies.items()}
        self.tried = count
        sure = True
        numbers = np.random.default_rng(0).permutation(count)
        for first in range(0, count, GAMES):
            left = numbers[first : first + GAMES]
            replied = np.zeros((len(left), len(units)), np.uint32)
            for column, orders in packed.items():
                left, digit = np.divmod(left, len(orders))
                replied[:, column] = orders[digit]
            for_sure, perhaps = self.reach(_with_orders(replied, chosen))
            if not perhaps.all():
                return _ReplyTrial(replied[int(np.argmin(perhaps))], sufficient=False)
            sure = sure and bool(for_sure.all())
        return _ReplyTrial(None, sufficient=sure)

    def _withstands_chance(self, solution: tuple[Chosen, ...]) -> bool:
        """Return whether no drawn orders of others refute the solution, and no drawn set of orders is one as well."""
        chance = np.random.default_rng(1)
        rows = np.zeros((_DRAWN, len(self.prover.columns)), np.uint32)
        for unit, column in self.prover.columns.items():
            if unit.power != self.power:
                orders = self.prover.pack_all(self.prover.legal[unit])
                rows[:, column] = orders[chance.integers(0, len(orders), _DRAWN)]
        if not self.reach(_with_orders(rows, solution))[0].all():
            return False
        every = self._all_orders()
        sets = _NumberedSets(every, chance.integers(-1, len(every), (_DRAWN, MOST_ORDERS)))
        alive = sets.without(sets.rows, solution)
        for number in range(len(self.killers)):
            alive = self._survivors(sets, alive, number)
        return all(not self._try_replies(sets.pick(row)).sufficient for row in alive[:_MOST_ROUNDS])


class _WinSearch(_Search):
    """The search for the solution of a victory, which tries the replies about each centre by themselves."""

    most_rounds = _MOST_ROUNDS_TO_WIN

    def __init__(self, prover: Prover, power: Power, goal: Goal) -> None:
        super().__init__(prover, power, goal)
        self.trials: dict[tuple[Code, frozenset[Chosen]], _CentreTrial] = {}

    @cached_property
    def targets(self) -> frozenset[Code]:
        """The centres in play that the power does not own."""
        owners = self.prover.position.owners
        return frozenset(code for code in self.places if owners.get(code) != self.power)

    @cached_property
    def captures(self) -> frozenset[Chosen]:
        """The moves into centres that the power does not own."""
        return frozenset(
            chosen
            for chosen in self._all_orders()
            if isinstance(order := self.orders_by_code[chosen], Move) and order.to.space in self.targets
        )

    def _list_contested(self) -> frozenset[Code]:
        """Return the centres that the power does not own, and its own ones that it may lose without orders."""
        return self.targets | {code for code in self.places if not self._try_centre(code, frozenset()).safe}

    def _list_sets(self, orders: Sequence[Chosen]) -> "_NumberedSets":
        """Return the sets that are tried, none where they are too many.

        Each has a capture where the power has too few centres without: the others fail even without replies.
        """
        standing = {unit.space for unit in self.prover.columns if unit.power == self.power}
        held = self.settled + len(self.places - self.targets) + len(self.targets & standing)
        if held < self.centres_needed:
            return _NumberedSets.with_one_of(orders, self.captures)
        return _NumberedSets.of(orders if comb(len(orders), MOST_ORDERS) <= _MOST_SETS else ())

    def _try_replies(self, chosen: tuple[Chosen, ...]) -> "_ReplyTrial":
        """Try all replies about each centre; put those that take a centre together to one that refutes the set."""
        trials = [self._try_centre(code, self._find_relevant(code, chosen)) for code in sorted(self.places)]
        self.tried = sum(trial.tried for trial in trials)
        if self.settled + sum(trial.safe for trial in trials) >= self.centres_needed:
            return _ReplyTrial(None, sufficient=True)
        taking = [row for trial in trials for row in trial.taking]
        if not taking:
            return _ReplyTrial(None, sufficient=False)
        chance = np.random.default_rng(2)
        mixed = np.zeros((_MIXED, len(self.prover.columns)), np.uint32)
        for row in mixed:
            for i in chance.permutation(len(taking)):
                if not (row[taking[i] > 0] > 0).any():  # each unit has one order
                    row[:] |= taking[i]
        perhaps = self.reach(_with_orders(mixed, chosen))[1]
        if perhaps.all():
            return _ReplyTrial(None, sufficient=False)
        return _ReplyTrial(mixed[int(np.argmin(perhaps))], sufficient=False)

    def _find_relevant(self, code: Code, chosen: Sequence[Chosen]) -> frozenset[Chosen]:
        """Return the orders of a set that can matter to a centre.

        They have an effect in it, or where a unit stands that can act there or on another of these orders, or they
        move a unit out of such a space.
        """
        units = tuple(self.prover.columns)
        ground, relevant = frozenset({code}), frozenset[Chosen]()
        while True:
            foreign = {unit.space for unit in self._acting_on(ground) if unit.power != self.power}
            more = {
                one
                for one in chosen
                if places_of(self.orders_by_code[one]) & (ground | foreign) or units[one.column].space in ground
            }
            if more == relevant:
                return relevant
            relevant = frozenset(more)
            ground = frozenset({code}).union(
                *({units[one.column].space} | places_of(self.orders_by_code[one]) for one in relevant)
            )

    def _try_centre(self, code: Code, relevant: frozenset[Chosen]) -> "_CentreTrial":
        if (code, relevant) not in self.trials:
            self.trials[code, relevant] = self._try_all(code, tuple(sorted(relevant)))
        return self.trials[code, relevant]

    def _try_all(self, code: Code, chosen: tuple[Chosen, ...]) -> "_CentreTrial":
        """Try all replies to some orders about a centre; where they are too many, it is not safe."""
        prover = self.prover
        units = tuple(prover.columns)
        given = {units[one.column]: self.orders_by_code[one] for one in chosen}
        replies = list_replies(prover.legal, self.power, frozenset({code}), given)
        packed = {prover.columns[unit]: prover.pack_all(orders) for unit, orders in replies.items()}
        count = prod(len(orders) for orders in packed.values())
        safe, lost, taking = count <= MOST_REPLIES, False, dict[int, Array]()
        for first in range(0, min(count, MOST_REPLIES), GAMES):
            left = np.arange(first, min(first + GAMES, count))
            replied = np.zeros((len(left), len(units)), np.uint32)
            for column, orders in packed.items():
                left, digit = np.divmod(left, len(orders))
                replied[:, column] = orders[digit]
            rows = _with_orders(replied, chosen)
            has, may_have = self._has_centre(code, rows, *prover.results(rows))
            safe = safe and bool(has.all())
            if not may_have.all():
                lost = True
                # the reply of the fewest orders leaves most units for other centres
                orders_of = np.where(may_have, len(units) + 1, (replied > 0).sum(axis=1))
                least = int(np.argmin(orders_of))
                taking.setdefault(int(orders_of[least]), replied[least])
        rows_of = tuple(taking[size] for size in sorted(taking)) if lost else ()
        return _CentreTrial(safe=safe, taking=rows_of, tried=min(count, MOST_REPLIES))


class _CentreTrial(NamedTuple):
    """The trial of orders about a centre: whether it is the power's after all replies, and replies that take it."""

    safe: bool
    taking: tuple[Array, ...]
    tried: int


class _ReplyTrial(NamedTuple):
    """The trial of a set against all replies: one that refutes it, and whether it reaches the goal for sure."""

    refutation: Array | None
    sufficient: bool


def _with_orders(rows: Array, chosen: Sequence[Chosen]) -> Array:
    """Return a copy of rows of orders in which the orders of a set are written."""
    rows = rows.copy()
    for one in chosen:
        rows[:, one.column] = one.packed
    return rows


class _NumberedSets(NamedTuple):
    """Sets of orders as rows of indices into `orders`, filled up with -1."""

    orders: Sequence[Chosen]
    rows: Array

    @classmethod
    def of(cls, orders: Sequence[Chosen]) -> "_NumberedSets":
        """Return all sets of at most `MOST_ORDERS` orders of different units, the smallest first."""
        columns = np.array([chosen.column for chosen in orders] or [0], np.int64)
        rows = []
        for size in range(MOST_ORDERS + 1):
            some = _combinations(len(orders), size)
            apart = np.ones(len(some), bool)
            for one, other in combinations(range(size), 2):
                apart &= columns[some[:, one]] != columns[some[:, other]]
            rows.append(some[apart])
        return cls(orders, np.vstack(rows))

    @classmethod
    def with_one_of(cls, orders: Sequence[Chosen], needed: Collection[Chosen]) -> "_NumberedSets":
        """Return the sets with one of the `needed` orders; none where they are more than `_MOST_SETS`."""
        first = [i for i, chosen in enumerate(orders) if chosen in needed]
        most = len(first) * len(orders) ** (MOST_ORDERS - 1) // 2
        if not first or most > _MOST_SETS:
            return cls(orders, np.zeros((0, MOST_ORDERS), np.int16))
        columns = np.array([chosen.column for chosen in orders], np.int64)
        rows = []
        for size in range(MOST_ORDERS):
            others = _combinations(len(orders), size)[:, : MOST_ORDERS - 1]
            for i in first:
                # a set with two of them is listed with the first
                apart = (others < 0) | ((columns[others] != columns[i]) & ~((others < i) & np.isin(others, first)))
                if size > 1:
                    apart[:, 0] &= columns[others[:, 0]] != columns[others[:, 1]]
                some = others[apart.all(axis=1)]
                rows.append(np.hstack([np.full((len(some), 1), i, np.int16), some]))
        return cls(orders, np.vstack(rows))

    def pick(self, row: Array) -> tuple[Chosen, ...]:
        """Return the orders of a row."""
        return tuple(self.orders[i] for i in row.tolist() if i >= 0)

    def without(self, rows: Array, chosen: Sequence[Chosen]) -> Array:
        """Return the rows that do not contain all of some orders."""
        contains = np.ones(len(rows), bool)
        for one in chosen:
            contains &= (rows == self.orders.index(one)).any(axis=1)
        return rows[~contains]

    def write(self, rows: Array, into: Array) -> None:
        """Write the orders of sets into rows of packed orders."""
        columns = np.array([one.column for one in self.orders] or [0], np.int64)
        packed = np.array([one.packed for one in self.orders] or [0], np.uint32)
        for place in range(rows.shape[1]):
            numbers = rows[:, place]
            given = np.flatnonzero(numbers >= 0)
            into[given, columns[numbers[given]]] = packed[numbers[given]]


@lru_cache(maxsize=64)
def _combinations(count: int, size: int) -> Array:
    """Return all choices of `size` of the first `count` numbers, as rows filled up with -1."""
    chosen = list(combinations(range(count), size))
    some = np.array(chosen, np.int16).reshape(len(chosen), size)
    return np.hstack([some, np.full((len(some), MOST_ORDERS - size), -1, np.int16)])

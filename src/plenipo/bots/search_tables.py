"""A player's head: what it needs to think about games on one board, and the steps of a thought.

At levels that have `rivals`, the nearest powers are assumed to search as well: a few small searches of each
give plans, and these stand in the samples beside what the policy would order, the more often the better such searches
foretold what that power ordered before.
"""

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from random import Random
from threading import Event, Lock, Thread, get_ident
from typing import NamedTuple

import numpy as np

from plenipo.batch.bits import Array
from plenipo.batch.kinds import owner_of
from plenipo.batch.packing import HOLD, MOVE
from plenipo.batch.play import MOVEMENT, blank, chance_of, memory
from plenipo.batch.state import State
from plenipo.batch.tables import MOST_UNITS, Tables
from plenipo.bots.evaluation import SHARE_ONE, count_up
from plenipo.bots.levels import OTHERS, OWN, RIVAL, SEARCHES, STYLES, Level
from plenipo.bots.opponents import LOGARITHMS, MOST_DRAWS, WEIGHT_ALL, foretell, stillness, weights_of
from plenipo.bots.plans import plans, tidy_pool
from plenipo.bots.policy import acting, order, sketch
from plenipo.bots.proximity import measure_proximity
from plenipo.bots.rivals import DRAWS, SHARE_OF_ONE, found_by, nearest, share_of
from plenipo.bots.rollout import play_out
from plenipo.bots.search import JUDGED, KEPT, MARGIN, MOST_PLANS, PLAYED, VALUE, glance, prepare, think, trial
from plenipo.bots.values import COUNTED

__all__ = ["UNBOUND", "Bound", "JudgedPlan", "Outlook", "SampledPromise", "Thinker", "Thought"]

MOST_SEARCHES = 64
LEAST_LIKELY = int(LOGARITHMS[1] - LOGARITHMS[2 * DRAWS + 2])
TAKEN = list(COUNTED).index("taken")
FRIEND = list(OTHERS).index("friend")


class JudgedPlan(NamedTuple):
    """A plan that was evaluated in all samples."""

    orders: Array
    """As in a `Thought`."""
    value: float
    """The share of the board it promises."""


class Thought(NamedTuple):
    """The result of thinking."""

    orders: Array
    """uint32[64], packed: in movements and retreats by the column of the unit, else a list ended by 0."""
    value: float
    """The share of the board the orders promise, from 0 to 1; 0 if there was nothing to compare."""
    played_out: int
    """The number of playouts."""
    kept: int
    """The number of small changes kept."""


def _parameters(level: Level) -> Array:
    """Return the parameters of the compiled search."""
    return np.array([*level[: MARGIN + 1], len(OTHERS), len(OWN) - 1], np.int64)


class Bound(NamedTuple):
    """The promises of a power for a movement: orders by the column of their unit, and spaces that it keeps out of."""

    forced: tuple[tuple[int, int], ...] = ()
    barred: frozenset[int] = frozenset()


class SampledPromise(NamedTuple):
    """The promises of another power, and in how many of `SHARE_OF_ONE` samples it is taken to keep them.

    `attacked` are the spaces of which it enters one where its sampled orders ever do.
    """

    power: int
    bound: Bound
    share: int
    attacked: frozenset[int] = frozenset()
    friendly: bool = False
    """True if it is taken for a friend in the playouts of these samples, for a promise that lasts."""


UNBOUND = Bound()


class Outlook(NamedTuple):
    """The result of a small search for a power: plans, and samples of the others' orders to judge by."""

    power: int
    plans: Array
    """uint32[*, 64], the best first."""
    samples: Array
    which: Array
    seeds: Array
    taken: int
    """The value of centres taken in playouts, as in the search."""


class _Watch:
    """Calls what is to be done when the thread that makes it has computed for so many seconds.

    Seconds are of processor time, so that a busy machine does not shorten a thought; on systems without processor
    time for each
    thread, wall-clock time counts.
    """

    def __init__(self, calls: Sequence[tuple[float, Callable[[], None]]]) -> None:
        self._time = _clock_of_thread()
        self._began, self._calls = self._time(), list(calls)
        self._over, self._lock = Event(), Lock()
        self._thread = Thread(target=self._watch, daemon=True)
        self._thread.start()

    def _watch(self) -> None:
        left = 0.0
        while not self._over.wait(left):
            with self._lock:
                if not self._calls:
                    return
                left = self._calls[0][0] - (self._time() - self._began)
                if left <= 0:
                    self._calls.pop(0)[1]()

    def skip(self) -> None:
        """Leave out the first of two calls if it is still to come."""
        with self._lock:
            if len(self._calls) == 2:
                self._calls.pop(0)

    def end(self) -> None:
        """Call nothing any more."""
        self._over.set()
        self._thread.join()


def _clock_of_thread() -> Callable[[], float]:
    """Return a clock that tells any thread how long this one has computed, in seconds."""
    if not hasattr(time, "pthread_getcpuclockid"):
        return time.perf_counter
    clock = time.pthread_getcpuclockid(get_ident())
    return lambda: time.clock_gettime_ns(clock) / 1e9


@dataclass
class Thinker:
    """A player's head for one set of tables: its working memory. One for each thread."""

    tables: Tables
    styles: Sequence[list[int]] = field(default_factory=lambda: STYLES)

    def __post_init__(self) -> None:
        tables = self.tables
        self._arrays, self._near = tables.arrays, measure_proximity(tables.arrays)
        self._state, self._other = (blank(tables, 1, MOST_UNITS) for _ in range(2))
        self._sketch = sketch(tables, list(self.styles))
        self._scratch, self._work = memory(tables)
        self._plans, self._trial = plans(tables, MOST_PLANS), trial(tables)
        self._drafts = np.zeros((MOST_DRAWS, MOST_UNITS), np.uint32)
        self._unknown = np.zeros(self._trial.weights.shape, np.int64)
        self._weights_before = weights_of(self._unknown)
        self._still_before = int(stillness(self._unknown).max())
        self._over = False

    def interrupt(self) -> None:
        """End the thinking in another thread, which then gives the best it has."""
        self._over = True
        self._pass_on()

    def _pass_on(self) -> None:
        """End the search that is going on."""
        self._trial.stop[0] = 1

    def think(
        self,
        state: State,
        game: int,
        power: int,
        seed: int,
        level: Level,
        *,
        likely: Array | None = None,
        budget: float | None = None,
        bound: Bound = UNBOUND,
        promises: Sequence[SampledPromise] = (),
    ) -> Thought:
        """Return the orders of a power, by its number, in a game of `state`, which stays as it is.

        The same seed (64 bits), level and knowledge give the same orders on every machine. `likely` is what `foretold`
        gave, summed over the phases seen. A `budget` in milliseconds of processor time ends the thinking early; half of
        it may be spent on rivals. The orders keep to `bound`, and the samples to the promises of others.
        """
        self._over = False
        self._trial.stop[0] = 0
        watch = None if budget is None else _Watch([(budget / 2000, self._pass_on), (budget / 1000, self.interrupt)])
        rival_plans: Mapping[int, Array] = {}
        if level.rivals and self._arrays.steps[state.step[game]] == MOVEMENT:
            rival_plans = self._plans_of_rivals(state, game, power, seed, level, likely)
        if watch is not None:
            watch.skip()
        self._trial.stop[0] = self._over
        thought = self._search_once(state, game, power, seed, level, likely, rival_plans, bound, promises)
        if watch is not None:
            watch.end()
        return thought

    def _plans_of_rivals(
        self, state: State, game: int, power: int, seed: int, level: Level, likely: Array | None
    ) -> Mapping[int, Array]:
        """Return the plans that small searches find for the nearest powers, uint32[searches, 64] for each."""
        styles = self._unknown if likely is None else likely[:, : len(OTHERS)]
        # a rival knows only which of the other powers order nothing
        theirs = np.column_stack(
            [np.broadcast_to(styles[:, :-1].max(axis=1)[:, None], styles[:, :-1].shape), styles[:, -1]]
        )
        rivals = self._acting(state, game, power, styles, level.rivals)
        spent = level.rival or RIVAL
        return {q: self._search_repeatedly(state, game, q, seed, spent, level.searches, theirs) for q in rivals}

    def _acting(self, state: State, game: int, power: int, styles: Array, most: int) -> list[int]:
        """Return the nearest powers, at most so many, without those that order nothing more often than not."""
        still = stillness(styles)
        near = nearest(state, game, power, self._arrays, len(still))
        return [q for q in near if 2 * still[q] < WEIGHT_ALL][:most]

    def _stillest(self, styles: Array) -> int:
        """In how many of `WEIGHT_ALL` samples that power orders nothing that does so most often, of those still there.

        Only then does it count that centres of others are harder to take than in playouts.
        """
        whose = np.union1d(owner_of(self._state.kinds[0, : int(self._state.units[0])]), self._state.owner[0])
        return int(stillness(styles)[whose[whose < len(styles)]].max(initial=0))

    def _search_repeatedly(
        self, state: State, game: int, power: int, seed: int, level: Level, times: int, likely: Array | None = None
    ) -> Array:
        """Return the orders of a power by a number of small searches, uint32[times, 64]."""
        # the same seed of another power begins elsewhere
        seeds = [seed + (power * MOST_SEARCHES + i + 1 << 32) for i in range(times)]
        return np.array(
            [self._search_once(state, game, power, one, level, likely, {}).orders for one in seeds], np.uint32
        )

    def _search_once(
        self,
        state: State,
        game: int,
        power: int,
        seed: int,
        level: Level,
        likely: Array | None,
        rival_plans: Mapping[int, Array],
        bound: Bound = UNBOUND,
        promises: Sequence[SampledPromise] = (),
    ) -> Thought:
        """One search; `rival_plans` are plans of rivals, by power."""
        self.draw_samples(state, game, power, seed, level, likely, bound)
        if rival_plans:
            self._lay_over(rival_plans, likely, Random(seed), level.samples)  # noqa: S311  # the same for the same seed
        if promises:
            self._lay_promises(promises, Random(seed), level.samples)  # noqa: S311  # the same for the same seed
        self._judge(level)(
            power, self._state, self._other, _parameters(level), self._arrays, self._near, self._sketch, self._scratch,
            self._work, self._plans, self._trial,
        )  # fmt: skip
        report = self._trial.report.tolist()
        return Thought(self._plans.draft[0].copy(), report[VALUE] / SHARE_ONE, report[PLAYED], report[KEPT])

    def draw_samples(
        self,
        state: State,
        game: int,
        power: int,
        seed: int,
        level: Level,
        likely: Array | None = None,
        bound: Bound = UNBOUND,
    ) -> None:
        """Draw plans of a power and samples of the others' orders, for a search or for `evaluate`."""
        self._copy(state, game)
        self._bind(bound)
        weights, still = self._weights_before, self._still_before
        if likely is not None:
            known = likely[:, : len(OTHERS)]
            weights, still = weights_of(known), self._stillest(known)
        self._trial.weights[:] = weights
        self._sketch.values[TAKEN] = COUNTED["taken"] * still // WEIGHT_ALL
        self._sketch.chance[:] = chance_of(seed)
        prepare(
            power, self._state, _parameters(level), self._arrays, self._near, self._sketch, self._work, self._plans,
            self._trial,
        )  # fmt: skip

    @staticmethod
    def _judge(level: Level) -> Callable[..., None]:
        """Return the search of a level; one that needs less to be compiled where that is enough."""
        return think if level.changes or level.depth else glance

    def _lay_over(self, rival_plans: Mapping[int, Array], likely: Array | None, chance: Random, samples: int) -> None:
        """Put plans of rivals into some of the samples, in place of the policy's orders."""
        whose = owner_of(self._state.kinds[0, : int(self._state.units[0])])
        for power, plans_of_one in rival_plans.items():
            columns = np.flatnonzero(whose == power)
            share = share_of(None if likely is None else likely[power])
            for sample in range(samples):
                if chance.randrange(SHARE_OF_ONE) < share:
                    plan = plans_of_one[chance.randrange(len(plans_of_one))]
                    self._trial.samples[sample, columns] = plan[columns]

    def evaluate(self, plan: Array, power: int, level: Level) -> float:
        """Return the share of the board that a plan (uint32[64]) promises in the samples drawn last.

        They were drawn for the same power at the same level. 0 if the thinking was interrupted.
        """
        pool, counts = self._plans.pool, self._plans.counts
        pool[:2] = plan  # a single plan would be taken without a look
        counts[0] = 2
        parameters = _parameters(level._replace(changes=0, margin=0, starts=1))
        self._judge(level)(
            power, self._state, self._other, parameters, self._arrays, self._near, self._sketch, self._scratch,
            self._work, self._plans, self._trial,
        )  # fmt: skip
        return int(self._trial.report[VALUE]) / SHARE_ONE

    def _bind(self, bound: Bound) -> None:
        """Have the plans of the next search keep to the clauses."""
        self._plans.forced[:] = 0
        self._plans.barred[:] = 0
        for column, packed in bound.forced:
            self._plans.forced[column] = packed
        self._plans.barred[list(bound.barred)] = 1

    def _lay_promises(self, promises: Sequence[SampledPromise], chance: Random, samples: int) -> None:
        """Have other powers keep their promises in some of the samples."""
        whose = owner_of(self._state.kinds[0, : int(self._state.units[0])])
        rows, space_of = self._trial.samples, self._arrays.space_of
        for promise in promises:
            columns = np.flatnonzero(whose == promise.power)
            moves = rows[:samples, columns] >> 20 & 15 == MOVE
            enters = space_of[np.where(moves, rows[:samples, columns] & 1023, 0)]
            attacks = (moves & np.isin(enters, list(promise.attacked))).any(axis=1)
            examples = rows[:samples][attacks][:, columns]
            barred = moves & np.isin(enters, list(promise.bound.barred))
            for sample in range(samples):
                if chance.randrange(SHARE_OF_ONE) >= promise.share:
                    continue
                if promise.friendly:
                    self._trial.which[sample, promise.power] = FRIEND
                if len(examples) and not attacks[sample]:
                    rows[sample, columns] = examples[chance.randrange(len(examples))]
                else:
                    rows[sample, columns[barred[sample]]] = HOLD << 20
                for column, packed in promise.bound.forced:
                    rows[sample, column] = packed

    def set_position(self, state: State, game: int) -> None:
        """Take over a position for `evaluate_promises`, where the last search may have been of another."""
        self._copy(state, game)
        self._plans.at[:] = -1
        for unit, here in enumerate(self._state.places[0, : int(self._state.units[0])].tolist()):
            if self._state.came[0, unit] == 0:
                self._plans.at[self._arrays.space_of[here]] = unit

    def list_nearest(self, state: State, game: int, power: int) -> list[int]:
        """Return the powers that could meet a power, the nearest first."""
        return nearest(state, game, power, self._arrays, self.tables.players)

    def look_out(
        self, state: State, game: int, power: int, seed: int, level: Level, most: int, likely: Array | None = None
    ) -> Outlook:
        """Return the best plans of a search without rivals, at most so many, and its samples."""
        self._search_once(state, game, power, seed, level, likely, {})
        judged, samples = self.list_judged_plans(level)
        best = [self._plans.draft[0].copy(), *(plan.orders for plan in judged)][:most]
        trial, count = self._trial, level.samples
        which, seeds = trial.which[:count].copy(), trial.seeds[:count].copy()
        return Outlook(power, np.array(best), samples, which, seeds, int(self._sketch.values[TAKEN]))

    def evaluate_promises(
        self, outlook: Outlook, level: Level, seed: int, bound: Bound = UNBOUND, promises: Sequence[SampledPromise] = ()
    ) -> tuple[int, Array]:
        """Return what the best plan of an outlook promises if promises are kept, in `SHARE_ONE`, and the plan.

        The outlook is one of the position of the last search. The same seed has the same samples kept to.
        """
        count, power = len(outlook.samples), outlook.power
        trial, plans = self._trial, self._plans
        trial.samples[:count], trial.which[:count], trial.seeds[:count] = outlook.samples, outlook.which, outlook.seeds
        trial.stop[0] = 0
        plans.pool[: len(outlook.plans)] = outlook.plans
        plans.pool[len(outlook.plans)] = outlook.plans[0]  # a single plan would be taken without a look
        plans.counts[0] = len(outlook.plans) + 1
        self._bind(bound)
        tidy_pool(power, self._state, self._arrays, plans)
        self._lay_promises(promises, Random(seed), count)  # noqa: S311  # the same for the same seed
        self._sketch.about[0] = power
        self._sketch.values[TAKEN] = outlook.taken
        parameters = _parameters(level._replace(changes=0, margin=0))
        self._judge(level)(
            power, self._state, self._other, parameters, self._arrays, self._near, self._sketch, self._scratch,
            self._work, plans, trial,
        )  # fmt: skip
        return int(trial.report[VALUE]), plans.draft[0].copy()

    def list_judged_plans(self, level: Level) -> tuple[list[JudgedPlan], Array]:
        """Return the plans evaluated in the last search, the best first, and the samples of the others' orders.

        The samples are uint32[*, 64]; the columns of the player's own units are empty in them.
        """
        sums, pool = self._trial.sums.tolist(), self._plans.pool
        count = int(self._trial.report[JUDGED])
        ranked = sorted(range(count), key=lambda k: -sums[k])
        plans = [JudgedPlan(pool[k].copy(), sums[k] / level.samples / SHARE_ONE) for k in ranked]
        return plans, self._trial.samples[: level.samples].copy()

    def estimate_shares(self, state: State, game: int, seed: int, movements: int, orders: Array | None = None) -> Array:
        """Return the share of the board, in parts of `SHARE_ONE`, that each player has once all went on by the policy.

        The game is played on for so many movements and to the end of the year, the first by the
        `orders` of all powers (uint32[64]) if they are given; int64[players].
        """
        self._copy(state, game)
        self._sketch.about[0] = -1
        self._sketch.acts[:] = acting(self.tables)
        self._sketch.values[TAKEN] = 0
        self._sketch.chance[:] = chance_of(seed)
        arrays, near, mind, work = self._arrays, self._near, self._sketch, self._work
        which, joint = self._trial.which[0], self._plans.joint
        which[:] = 0
        if orders is None:
            order(0, 0, self.tables.players, which, 0, self._state, joint, arrays, near, mind, work)
        else:
            joint[0] = orders
        play_out(
            self._state, self._other, joint, which, movements, arrays, near, mind, self._scratch, work,
            self._trial.shares,
        )  # fmt: skip
        shares: Array = self._trial.shares[: self.tables.players].copy()
        return shares

    def count_features(self, state: State, game: int) -> Array:
        """Return the counts of the evaluation for each player.

        The result is int64[players, columns], by `plenipo.bots.values.COUNTED`.
        """
        self._sketch.acts[:] = acting(self.tables)
        count_up(game, state, state.owner[game : game + 1], self._arrays, self._near, self._sketch)
        counts: Array = self._sketch.counts[: self.tables.players].copy()
        return counts

    def foretold(self, state: State, game: int, seen: Array, about: int, level: Level) -> Array:
        """Return how likely each style made the orders of a movement, int64[P, T]; see `foretell` in `opponents`.

        At a level with rivals there is one column more: how likely a search would have found them, for those that are
        near; for all others it is that of the likeliest style. `seen` is uint32[64], the orders of all powers by
        column; `about` the number of the power that asks.
        """
        near = nearest(state, game, about, self._arrays, level.rivals) if level.rivals else []
        rival_plans = {q: self._search_repeatedly(state, game, q, 1, RIVAL, SEARCHES) for q in near}
        self._copy(state, game)
        likely = np.zeros((len(self.tables.powers), len(OTHERS)), np.int64)
        row = np.zeros((1, MOST_UNITS), np.uint32)
        row[0, : len(seen)] = seen
        self._sketch.about[0] = about
        self._sketch.acts[:] = acting(self.tables)
        self._sketch.chance[:] = chance_of(1)
        foretell(
            0, self._state, row, 0, len(OTHERS), DRAWS, self._arrays, self._near, self._sketch, self._work,
            self._trial.which[0], self._drafts, likely,
        )  # fmt: skip
        whose = owner_of(self._state.kinds[0, : int(self._state.units[0])])
        gone = np.setdiff1d(np.arange(len(likely)), whose)
        likely[gone, :-1] = LEAST_LIKELY  # a power without units orders nothing
        if not level.rivals:
            return likely
        likely = np.column_stack([likely, likely.max(axis=1)])
        for power, plans_of_one in rival_plans.items():
            columns = np.flatnonzero(whose == power)
            likely[power, -1] = found_by(plans_of_one[:, columns], row[0, columns])
        return likely

    def _copy(self, state: State, game: int) -> None:
        """Take over a game, whatever room for units its state has."""
        for name, mine in self._state._asdict().items():
            theirs = getattr(state, name)
            if mine.ndim == 2 and mine.shape[1] > theirs.shape[1]:
                mine[0] = 0
                mine[0, : theirs.shape[1]] = theirs[game]
            else:
                mine[0] = theirs[game]

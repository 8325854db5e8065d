"""The arena: thousands of games of one variant, adjudicated together.

Arrays in, arrays out. See `plenipo.batch.state` for the representation of a game and `plenipo.batch.codes` for the
packing of an order into one number. All input is validated before compiled code reads it.
"""

import hmac
import secrets
from collections.abc import Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np

from plenipo.batch import loops
from plenipo.batch.bits import Array
from plenipo.batch.codes import Codes
from plenipo.batch.kernel import Read
from plenipo.batch.legal import menu
from plenipo.batch.loops import ATTACK, DRAWN, GIVEN_ORDERS, LOGGED, PASSIVE, RANDOM, SETS, STAYING, TALLY, WITH_RESULTS
from plenipo.batch.openings import check_picks, drawn_picks, place
from plenipo.batch.packing import ILLEGAL, REMOVE, WAIVE, unpack
from plenipo.batch.phases import Work, work
from plenipo.batch.positions import decode, encode, units_in
from plenipo.batch.refusals import InvalidArray, UnsupportedRules, check_array, check_whole, plain
from plenipo.batch.results import REASONS, RESULTS
from plenipo.batch.rule_facts import Scope
from plenipo.batch.scratch import Scratch, scratch
from plenipo.batch.state import State, blank, bytes_a_game
from plenipo.batch.tables import MOST_UNITS, NOBODY, STEPS, Size, Tables, compile_tables
from plenipo.engine.board import Code
from plenipo.engine.calendar import PhaseKind
from plenipo.engine.dice import SEED_BYTES, Dice
from plenipo.engine.facts import Alternative
from plenipo.engine.history.game import Game
from plenipo.engine.history.record import encode_game
from plenipo.engine.orders import Order
from plenipo.engine.outcome import Reason, Result
from plenipo.engine.position import Position, Power, Unit
from plenipo.engine.rules import Rules
from plenipo.errors import InvalidRecord

__all__ = ["POLICIES", "Arena", "Legal", "OrderResult", "PhaseResults", "Sets"]

POLICIES = {"random": RANDOM, "hold": PASSIVE, "attack": ATTACK}
"""The policies for a power: any legal order, all equally likely; hold; or attack the centres of other powers."""


class Legal(NamedTuple):
    """Legal orders of all games: those of unit `u` of game `g` are `packed[start[g, u]:start[g, u + 1]]`.

    `packed` is uint32; `start` is int64 with one column more than a game has columns for units. In an adjustment phase
    the columns are powers instead; unused columns are empty.
    """

    packed: Array
    start: Array

    def of(self, game: int, column: int) -> Array:
        """Return the orders of one unit, or in an adjustment phase of one power."""
        return self.packed[self.start[game, column] : self.start[game, column + 1]]


class Sets(NamedTuple):
    """The results of a movement as sets of units: a uint64 per game in which bit `u` is the unit in column `u`."""

    moved: Array
    failed: Array
    given: Array
    cut: Array
    broken: Array
    paradox: Array
    dislodged: Array


class PhaseResults(NamedTuple):
    """The results of the orders of a phase, as numbers of the engine's words; all uint8 with a column for each order.

    `results` are indices into `RESULTS`, `reasons` into `REASONS`. In a movement, `by` is the column of the unit that
    dislodged this one. Otherwise it is 254 for a unit removed by order or disbanded, 253 for one removed in civil
    disorder, 252 for a unit that a rule built without an order, and 255 for all others.
    """

    results: Array
    reasons: Array
    by: Array


class OrderResult(NamedTuple):
    """The result of one order, in the engine's words."""

    result: Result
    reason: Reason
    by: Unit | None = None


@dataclass(frozen=True)
class _RecordedTurn:
    """A phase of a recorded game: the orders of each power, as the engine represents them."""

    orders: Mapping[Power, tuple[Order, ...]]


class _Memory(NamedTuple):
    """The working memory of one thread."""

    scratch: Scratch
    work: Work
    q: Array
    land: Array
    tally: Array


class Arena:
    """`games` games of the same rules, each at its own phase.

    `seed`, 32 bytes, decides all chance; it is drawn at random by default, and `commitment` is its SHA-256. Games whose
    numbers are in `keep` store their orders for `record`. `workers` threads share the games. `room` is the maximum
    number of units of a game, by default as many as the rules can lead to.

    With tables of a narrower scope (see `compile_tables`) the games begin empty: set them with `put` and adjudicate
    them with `adjudicate` or `resolve`; `step`, `play` and everything else that advances to another phase raise
    `InvalidArray`.
    """

    def __init__(
        self,
        rules: Rules | Tables,
        games: int,
        *,
        seed: bytes | None = None,
        keep: Iterable[int] = (),
        workers: int = 1,
        room: int | None = None,
    ) -> None:
        self.tables = rules if isinstance(rules, Tables) else compile_tables(rules)
        check_whole("games", games, 1, 1 << 31)
        check_whole("workers", workers, 1, 1024)
        self._room = _room_for(self.tables) if room is None else room
        check_whole("room", self._room, 1, MOST_UNITS)
        self._seed = secrets.token_bytes(SEED_BYTES) if seed is None else seed
        self.commitment = Dice(self._seed).commitment
        self.codes = Codes(self.tables)
        self.state: State = blank(self.tables, games, self._room)
        self.workers = workers
        self.turns: dict[int, list[_RecordedTurn]] = {}
        self._starts: dict[int, Position] = {}
        for game in keep:
            self._of_whole_games("keep")
            check_whole("a game to keep", game, 0, games - 1)
            self.turns[game] = []
        spaces = len(self.tables.spaces)
        self._read = Read.of(self.tables.arrays)
        self._memory = [
            _Memory(scratch(spaces), work(spaces), *menu(self.tables.arrays), np.zeros(len(TALLY), np.int64))
            for _ in range(workers)
        ]
        self._buffers = [np.zeros(0, np.uint32) for _ in range(workers)]
        self._none = np.zeros((1, 1), np.uint8)
        self._no_orders = np.zeros((1, 1), np.uint32)
        if self.tables.scope is Scope.GAMES:
            self.reset()

    def __len__(self) -> int:
        return len(self.state.units)

    def __repr__(self) -> str:
        return f"<arena of {len(self)} games of {self.tables.rules.title}>"

    @property
    def room(self) -> int:
        """Number of columns of a game: the most units it may have, and the most orders of an adjustment phase."""
        return self._room

    @property
    def bytes_a_game(self) -> float:
        """Memory per game, in bytes."""
        return bytes_a_game(self.state)

    @cached_property
    def _game_seeds(self) -> list[bytes]:
        return [hmac.digest(self._seed, f"game {game}".encode(), "sha256") for game in range(len(self))]

    # Positions

    def reset(self, picks: Array | None = None) -> None:
        """Restart all games with their original seeds.

        Where the rules open with a choice, `picks` holds the choice of each power: int64, a row per game and a column
        per power, as indices into `choices`; drawn at random by default. Raise `InvalidArray` for invalid picks.
        """
        self._of_whole_games("reset")
        rules, choices = self.tables.rules, self.choices
        if picks is not None:
            check_picks(choices, picks, len(self))
        words = np.frombuffer(b"".join(seed[:8] for seed in self._game_seeds), np.uint64)
        np.bitwise_or(words, np.uint64(1), out=self.state.chance)
        self.state.played[:] = 0
        for game, turns in self.turns.items():
            turns.clear()
            self._starts[game] = rules.opening
        if not choices:
            encode(self.tables, self.state, 0, rules.opening)
            for array in self.state:
                if array is not self.state.chance:
                    array[:] = array[0]
        else:
            chosen = drawn_picks(choices, self.state.chance) if picks is None else picks
            place(self.tables, self.state, chosen)
            for game, turns in self.turns.items():
                named = zip(choices.items(), chosen[game].tolist(), strict=True)
                turns[:] = [
                    _RecordedTurn({power: offered[pick].choices for (power, offered), pick in named if offered})
                ]
            loops.begin(self.state, self.tables.arrays, self._memory[0].work)

    @property
    def choices(self) -> Mapping[Power, tuple[Alternative, ...]]:
        """The choices of each power before the game; empty if the rules open without a choice."""
        return self.tables.facts.choices

    def put(self, game: int, position: Position) -> None:
        """Set a game to a position, its units in the columns that `units` then gives; raise `UnsupportedPosition`."""
        check_whole("game", game, 0, len(self) - 1)
        encode(self.tables, self.state, game, position)
        if game in self.turns:
            self.turns[game] = []
            self._starts[game] = position

    def position(self, game: int) -> Position:
        """Return the position of a game as an engine position."""
        check_whole("game", game, 0, len(self) - 1)
        return decode(self.tables, self.state, game)

    def units(self, game: int) -> tuple[Unit, ...]:
        """Return the units of a game by their columns, those that must retreat included."""
        check_whole("game", game, 0, len(self) - 1)
        return units_in(self.tables, self.state, game)

    def contested_spaces(self, game: int) -> frozenset[Code]:
        """Return the spaces that a stand-off left vacant in the movement that `step` has just adjudicated."""
        row = self.state.contested[game].tolist()
        return frozenset(code for i, code in enumerate(self.tables.spaces) if row[i >> 6] >> (i & 63) & 1)

    @property
    def scratch(self) -> Scratch:
        """The working memory of the first thread, with all data of the last movement it adjudicated."""
        return self._memory[0].scratch

    @property
    def phases(self) -> Array:
        """The kind of phase of each game, as an index into `plenipo.batch.tables.STEPS`; uint8."""
        return self.tables.arrays.steps[self.state.step]

    # Orders

    def blank_orders(self) -> Array:
        """Return an empty order array for every game: uint32, a row per game, zeros for no order."""
        return np.zeros((len(self), self._room), np.uint32)

    def write(self, orders: Array, game: int, order_sets: Mapping[Power, Sequence[Order]]) -> None:
        """Write the orders of one game, completed as `Legality.check` gives them, into its row of `orders`.

        Raise `IllegalOrder` for an order with no number, and `InvalidArray` for one of a unit there is not and for an
        array of another shape or type.
        """
        check_whole("game", game, 0, len(self) - 1)
        check_array("orders", orders, np.uint32, (len(self), self._room), written=True)
        row = orders[game]
        row[:] = 0
        if STEPS[self.phases[game]] is PhaseKind.ADJUSTMENTS:
            packed = [self.codes.pack(order, power) for power, order_set in order_sets.items() for order in order_set]
            if len(packed) > self._room:
                raise InvalidArray(f"Game {game} has {len(packed)} orders, and there is room for {self._room}.")
            row[: len(packed)] = packed
            return
        retreating = STEPS[self.phases[game]] is PhaseKind.RETREATS
        came = self.state.came[game]
        columns = {unit.space: i for i, unit in enumerate(self.units(game)) if bool(came[i]) == retreating}
        for order_set in order_sets.values():
            for order in order_set:
                unit = getattr(order, "unit", None)
                if unit is None or unit.location.space not in columns:
                    raise InvalidArray(f"'{order}' is for no unit of game {game} that takes orders now.")
                row[columns[unit.location.space]] = self.codes.pack(order)

    def orders_of(self, orders: Array, game: int) -> dict[Power, tuple[Order, ...]]:
        """Return the orders in the row of a game as engine orders, without those that are marked illegal.

        Raise `InvalidArray` for an array of another shape or type.
        """
        check_whole("game", game, 0, len(self) - 1)
        check_array("orders", orders, np.uint32, (len(self), self._room))
        units = self.units(game)
        at = {unit.space: unit.ref for unit, came in zip(units, self.state.came[game], strict=False) if not came}
        order_sets: dict[Power, list[Order]] = {}
        row = orders[game].tolist()
        if STEPS[self.phases[game]] is PhaseKind.ADJUSTMENTS:
            for packed in row:
                order = self.codes.order(packed, None, at)
                if order is None:
                    break
                order_sets.setdefault(self._whose(game, packed), []).append(order)
        else:
            retreating = STEPS[self.phases[game]] is PhaseKind.RETREATS
            asked = (self.state.came[game] > 0) == retreating
            for unit, packed, is_asked in zip(units, row, asked.tolist(), strict=False):
                order = self.codes.order(packed, unit.ref, at) if is_asked and unpack(packed).verb != ILLEGAL else None
                if order is not None and unit.power in self.tables.rules.names:
                    order_sets.setdefault(unit.power, []).append(order)
        return {power: tuple(order_set) for power, order_set in order_sets.items()}

    def _whose(self, game: int, packed: int) -> Power:
        """Return the power of an adjustment order; the first power of the rules if it has none."""
        tables, (verb, to, of) = self.tables, unpack(packed)
        if verb == WAIVE:
            return tables.powers[of]
        space = int(tables.arrays.space_of[to])
        if verb == REMOVE:
            for unit in self.units(game):
                if unit.space == tables.spaces[space]:
                    return unit.power
        centre = int(tables.arrays.centre_of[space])
        owner = NOBODY if centre == NOBODY else int(self.state.owner[game, centre])
        return tables.powers[0 if owner == NOBODY else owner]

    def legal(self) -> Legal:
        """Return every legal order of every game, for the phase it is in."""
        self._within_scope()
        start = np.zeros((len(self), max(self._room, len(self.tables.powers)) + 1), np.int64)
        parts: list[Array] = []
        for number, (first, last) in enumerate(self._shares()):
            mine = self._memory[number]
            while True:
                buffer = self._buffers[number]
                total = loops.list_all(
                    first, last, self.state, self.tables.arrays, mine.work, mine.q, mine.land, buffer, start
                )
                if total <= len(buffer):
                    break
                self._buffers[number] = np.zeros(total + total // 8, np.uint32)
            start[first:last] += sum(len(part) for part in parts)
            parts.append(buffer[:total])
        return Legal(parts[0] if len(parts) == 1 else np.concatenate(parts), start)

    # Adjudication

    def _orders(self, orders: Array) -> Array:
        """Return the validated orders, with those of garrisons."""
        orders = plain("orders", orders, np.uint32, (len(self), self._room))
        wrong = loops.check(self.state, orders, self.tables.arrays)
        if wrong >= 0:
            game, column = divmod(int(wrong), self._room)
            raise InvalidArray(
                f"'orders' has {int(orders[game, column])} at {(game, column)}, which is not an order of a "
                f"{STEPS[self.phases[game]]} phase."
            )
        if self.tables.scope is Scope.GAMES and self.tables.players < len(self.tables.powers):
            orders = orders.copy()
            loops.stand(self.state, orders, self.tables.arrays, self._memory[0].scratch)
        return orders

    def resolve(self, orders: Array) -> Sets:
        """Adjudicate a movement of every game without changing the games: the fastest way to get the results.

        Raise `InvalidArray` for an array of another shape or type, for the first number that is no order of a movement
        phase, and if a game is in another phase.
        """
        orders = self._orders(orders)
        elsewhere = np.flatnonzero((self.phases != 0) | (self.state.winner != NOBODY))
        if len(elsewhere):
            raise InvalidArray(f"Game {int(elsewhere[0])} is not in a movement phase, and so cannot be resolved.")
        sets = np.zeros((len(self), len(SETS)), np.uint64)

        def share(number: int, first: int, last: int) -> None:
            mine = self._memory[number]
            loops.resolve_all(first, last, self.state, orders, self._read, mine.scratch, sets)

        self._spread(share)
        return Sets(*sets.T)

    def step(self, orders: Array) -> PhaseResults:
        """Adjudicate the current phase of each game and advance to its next phase; a game that is won stays.

        Illegal orders count as in the engine: the unit holds, or disbands, and the order is void. Units of unplayed
        powers get their standing orders. Raise `InvalidArray` as `resolve` does.
        """
        self._of_whole_games("step")
        orders = self._orders(orders)
        self._keep(orders)
        return self._adjudicate_orders(orders, GIVEN_ORDERS | WITH_RESULTS)

    def adjudicate(self, orders: Array) -> PhaseResults:
        """Adjudicate as `step` does, for tables of a narrower scope: every game stays in its phase.

        Units have then moved and the dislodged are marked; the caller sets the next position with `put`. Units of
        unplayed powers take the orders given. Raise `InvalidArray` as `resolve` does, for tables of whole games, for
        adjustments if the tables are for movements, and for a game that was adjudicated and not set again.
        """
        if self.tables.scope is Scope.GAMES:
            raise InvalidArray("'adjudicate' is for tables of single phases; whole games go on with 'step'.")
        self._within_scope()
        over = (self.phases != STEPS.index(PhaseKind.RETREATS)) & self.state.came.any(axis=1)
        if over.any():
            raise InvalidArray(f"Game {int(np.argmax(over))} was adjudicated; put its next position first.")
        return self._adjudicate_orders(self._orders(orders), GIVEN_ORDERS | WITH_RESULTS | STAYING)

    def _within_scope(self) -> None:
        """Refuse adjustments for tables that cover movements only."""
        if self.tables.scope is Scope.MOVEMENTS and np.any(self.phases == STEPS.index(PhaseKind.ADJUSTMENTS)):
            raise InvalidArray("These tables are for single movements, and a game is in an adjustment phase.")

    def _of_whole_games(self, what: str) -> None:
        """Refuse `what` for tables of single phases."""
        if self.tables.scope is not Scope.GAMES:
            raise InvalidArray(f"'{what}' is for whole games, and these tables are for single {self.tables.scope}.")

    def _adjudicate_orders(self, orders: Array, marks: int) -> PhaseResults:
        shape = (len(self), self._room)
        results = PhaseResults(*(np.full(shape, fill, np.uint8) for fill in (0, 0, 255)))
        self._run(1 << 30, marks, self._policies(None), orders, results)
        return results

    def random_step(self, policies: Mapping[Power, str] | None = None) -> tuple[Array, PhaseResults]:
        """Adjudicate as `step` does, with orders drawn by the policies; return those orders too."""
        self._of_whole_games("random_step")
        orders = self.blank_orders()
        shape = (len(self), self._room)
        results = PhaseResults(*(np.full(shape, fill, np.uint8) for fill in (0, 0, 255)))
        before = {game: self._snapshot(game) for game in self.turns}
        self._run(1 << 30, DRAWN | WITH_RESULTS | LOGGED, self._policies(policies), orders, results)
        self._remember(orders, before)
        return orders, results

    def play(self, movements: int, policies: Mapping[Power, str] | None = None) -> dict[str, int]:
        """Play every game for so many movements, or until it is won, with orders drawn by the policies.

        `policies` gives each power one of `POLICIES`, by default `random`. The phases after the last movement belong to
        the next call. Return the counts; see `plenipo.batch.loops.TALLY`.
        """
        self._of_whole_games("play")
        check_whole("movements", movements, 0, 1 << 30)
        chosen = self._policies(policies)
        for mine in self._memory:
            mine.tally[:] = 0
        if self.turns:
            self._play_kept(movements, policies)
        empty = PhaseResults(self._none, self._none, self._none)
        self._run(movements, DRAWN, chosen, self._no_orders, empty, without=frozenset(self.turns))
        counted = np.sum([mine.tally for mine in self._memory], axis=0)
        return dict(zip(TALLY, counted.tolist(), strict=True))

    def _policies(self, policies: Mapping[Power, str] | None) -> Array:
        chosen = np.full(len(self.tables.powers), RANDOM, np.uint8)
        for power, name in (policies or {}).items():
            if power not in self.tables.power_number or name not in POLICIES:
                raise InvalidArray(f"'{power}: {name}' is not a policy of a power; there are {', '.join(POLICIES)}.")
            chosen[self.tables.power_number[power]] = POLICIES[name]
        return chosen

    def _run(
        self,
        movements: int,
        marks: int,
        policies: Array,
        orders: Array,
        results: PhaseResults,
        *,
        without: frozenset[int] = frozenset(),
        only: tuple[int, int] | None = None,
    ) -> None:
        def share(number: int, first: int, last: int) -> None:
            mine = self._memory[number]
            for begin, end in _gaps(first, last, without):
                loops.run(
                    begin,
                    end,
                    movements,
                    marks,
                    policies,
                    self.state,
                    orders,
                    self.tables.arrays,
                    self._read,
                    mine.scratch,
                    mine.work,
                    mine.q,
                    mine.land,
                    results.results,
                    results.reasons,
                    results.by,
                    mine.tally,
                )

        if only:
            share(0, *only)
        else:
            self._spread(share)

    def _shares(self) -> list[tuple[int, int]]:
        """Return the games of each thread."""
        bounds = [len(self) * i // self.workers for i in range(self.workers + 1)]
        return list(pairwise(bounds))

    def _spread(self, share: Any) -> None:
        shares = self._shares()
        if len(shares) == 1:
            share(0, *shares[0])
            return
        with ThreadPoolExecutor(len(shares)) as pool:
            for future in [pool.submit(share, number, *bounds) for number, bounds in enumerate(shares)]:
                future.result()

    # Records

    def _snapshot(self, game: int) -> tuple[Array, ...]:
        """Copy a game before its next phase, so that its orders can be read."""
        return tuple(array[game].copy() for array in self.state)

    def _keep(self, orders: Array) -> None:
        for game, turns in self.turns.items():
            if self.state.winner[game] == NOBODY:
                turns.append(_RecordedTurn(self.orders_of(orders, game)))

    def _remember(self, orders: Array, before: Mapping[int, tuple[Array, ...]]) -> None:
        """Store drawn orders, read with the units as they were before."""
        for game, snapshot in before.items():
            now = self._snapshot(game)
            for array, row in zip(self.state, snapshot, strict=True):
                array[game] = row
            self._keep_one(orders, game)
            for array, row in zip(self.state, now, strict=True):
                array[game] = row

    def _keep_one(self, orders: Array, game: int) -> None:
        if self.state.winner[game] == NOBODY:
            self.turns[game].append(_RecordedTurn(self.orders_of(orders, game)))

    def _play_kept(self, movements: int, policies: Mapping[Power, str] | None) -> None:
        """Play the recorded games phase by phase; each game has its own chance, so the results are the same."""
        chosen = self._policies(policies)
        orders = self.blank_orders()
        results = PhaseResults(self._none, self._none, self._none)
        for game in self.turns:
            last = int(self.state.played[game]) + movements
            while self.state.winner[game] == NOBODY and self.state.played[game] < last:
                before = {game: self._snapshot(game)}
                self._run(1, DRAWN | LOGGED, chosen, orders, results, only=(game, game + 1))
                self._remember(orders, before)

    def record(self, game: int) -> dict[str, Any]:
        """Return the record of a recorded game, as `plenipo.engine.history.record` writes it, made by the engine.

        Raise `InvalidArray` if the game is not recorded, and `InvalidRecord` if the engine reaches another position.
        """
        if game not in self.turns:
            raise InvalidArray(f"Game {game} is not kept; say keep=[{game}] when the arena is made.")
        rules, start = self.tables.rules, self._starts[game]
        played = Game(rules, start, dice=Dice(self._game_seeds[game]))
        for turn in self.turns[game]:
            played = played.process(turn.orders)
        here, there = self.position(game), played.position
        if (here.phase, here.units, here.owners, here.winners) != (
            there.phase,
            there.units,
            there.owners,
            there.winners,
        ):
            raise InvalidRecord(f"The engine comes to another position than the kernel in game {game}.")
        return encode_game(played)

    def order_results(self, results: PhaseResults, game: int, units: Sequence[Unit]) -> tuple[OrderResult, ...]:
        """Return the results of the movement orders of one game in words; `units` are its units before, by column."""
        numbers, reasons, by = (array[game].tolist() for array in results)
        return tuple(
            OrderResult(RESULTS[numbers[i]], REASONS[reasons[i]], units[by[i]] if by[i] < len(units) else None)
            for i in range(len(units))
        )

    @property
    def winners(self) -> tuple[Power | None, ...]:
        """The winner of each game, None while it goes on."""
        return tuple(None if number == NOBODY else self.tables.powers[number] for number in self.state.winner.tolist())


def _gaps(first: int, last: int, without: frozenset[int]) -> Iterable[tuple[int, int]]:
    """Yield the ranges from `first` to `last` - 1 that omit some numbers."""
    begin = first
    for number in sorted(without):
        if begin <= number < last:
            if begin < number:
                yield begin, number
            begin = number + 1
    if begin < last:
        yield begin, last


def _room_for(tables: Tables) -> int:
    """Return the number of units a game of these rules can ever have, rounded up to eights, 64 at most.

    Raise `UnsupportedRules` for whole games that can lead to more: builds beyond it would be lost.
    """
    most = max(len(tables.rules.opening.units), int(tables.arrays.size[Size.CENTRES]) + _extra(tables))
    if tables.scope is Scope.GAMES and most > MOST_UNITS:
        raise UnsupportedRules(f"The kernel takes {MOST_UNITS} units, and a game of these rules can have {most}.")
    return min(MOST_UNITS, (most + 7) // 8 * 8)


def _extra(tables: Tables) -> int:
    """Return the number of units in addition to those supported by centres."""
    return sum(unit.power not in tables.rules.names for unit in tables.rules.opening.units)

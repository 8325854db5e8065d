"""A learning environment: one game for as many agents as it has powers, with the interface of PettingZoo.

All agents act at once, one order each per step: first the first unit of every power, then the second, and so on. When
no power has a unit left, the phase is adjudicated and the next begins. An action is the number of an order in the dense
numbering of the variant (`plenipo.batch.codes.Numbering`), 0 for none; the mask gives the legal ones. In an
adjustment phase each order is a build, a removal or a number of waived builds.

An observation is a dictionary. `observation` is a float32 array with a row per location (spaces first, then coasts)
and these columns: a unit of each power stands there (P); one of each kind, ordinarily an army, a fleet; it must
retreat; the space is closed by a stand-off; it is a centre of each power (P), of no power; it is a home of each power
(P); the unit the agent orders now. The last row is about the game: the agent, one of P, and the kind of phase, one of
five, in the first columns. `action_mask` is int8 with an entry for every number. The reward is 1 for the winner of a
game at its end, or a share by the squares of the scores (centres owned, or what else the variant counts) when the game
is cut off; 0 before.

Powers that do not learn may be played by `opponents`, functions such as computer players; they are then no agents.
They see the position of each phase and no history.

The environment supports variants whose whole games the kernel plays; others raise `UnsupportedRules`, naming the rule.
"""

from collections.abc import Callable, Mapping, Sequence
from random import Random
from typing import Any, ClassVar

import numpy as np

from plenipo import extras
from plenipo.batch.arena import Arena
from plenipo.batch.bits import Array
from plenipo.batch.codes import Numbering
from plenipo.batch.kinds import kind_of, owner_of
from plenipo.batch.packing import WAIVE, target_of, verb_of
from plenipo.batch.refusals import InvalidArray
from plenipo.batch.tables import NOBODY, STEPS, Tables, compile_tables
from plenipo.engine.calendar import PhaseKind
from plenipo.engine.dice import SEED_BYTES
from plenipo.engine.history.turns import Turns
from plenipo.engine.history.view import View
from plenipo.engine.orders import Order
from plenipo.engine.phases import adjustments, victory
from plenipo.engine.phases.legality import Legality, LegalOrders
from plenipo.engine.position import Power
from plenipo.engine.rules import Rules

with extras.require("selfplay", "The environment"):
    from gymnasium import spaces
    from pettingzoo import ParallelEnv

__all__ = ["DiplomacyEnvironment", "Observation", "Opponent"]

Observation = dict[str, Array]

Opponent = Callable[[View, LegalOrders, Random], Sequence[Order]]
"""A player for a power that is no agent: its view, its legal orders, chance -> its orders for the phase."""


class DiplomacyEnvironment(ParallelEnv):  # type: ignore[misc]  # PettingZoo has no types
    """One game of `rules`, cut off after `movements` movements; the agents are the names of the powers.

    `opponents` play the powers they are given for, which are no agents. Raises `UnknownName` for an unknown power.
    """

    metadata: ClassVar[dict[str, Any]] = {"name": "plenipo_v0", "render_modes": ["ansi"], "is_parallelizable": True}

    def __init__(
        self,
        rules: Rules | Tables,
        movements: int = 100,
        render_mode: str | None = None,
        opponents: Mapping[str, Opponent] | None = None,
    ) -> None:
        self.tables = rules if isinstance(rules, Tables) else compile_tables(rules)
        self.movements = movements
        self.render_mode = render_mode
        self.numbering = Numbering(self.tables)
        self.powers = self.tables.rules.names
        self.opponents = {self.tables.rules.power(name): player for name, player in (opponents or {}).items()}
        self.possible_agents = [str(power) for power in self.powers if power not in self.opponents]
        self.agents: list[str] = []
        rows, columns = len(self.tables.locations) + 1, self._columns
        self._observations = spaces.Dict(
            {
                "observation": spaces.Box(0.0, 1.0, (rows, columns), np.float32),
                "action_mask": spaces.Box(0, 1, (len(self.numbering),), np.int8),
            }
        )
        self.observation_spaces = dict.fromkeys(self.possible_agents, self._observations)
        self.action_spaces = {agent: spaces.Discrete(len(self.numbering)) for agent in self.possible_agents}
        self._chance = np.random.default_rng()
        self.arena = Arena(self.tables, 1, seed=bytes(SEED_BYTES))
        self._begin()

    @property
    def _columns(self) -> int:
        return max(3 * len(self.tables.powers) + len(self.tables.kinds) + 4, len(self.tables.powers) + len(STEPS))

    def observation_space(self, agent: str) -> Any:
        """Return the space of the observations of an agent, the same for all."""
        del agent
        return self._observations

    def action_space(self, agent: str) -> Any:
        """Return the space of the actions of an agent, the same for all."""
        return self.action_spaces[agent]

    def reset(
        self, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[dict[str, Observation], dict[str, dict[str, Any]]]:
        """Begin a new game; `seed` decides the chance of the rules, if any. `options` is not used."""
        del options
        if seed is not None:
            self._chance = np.random.default_rng(seed)
        self.agents = list(self.possible_agents)
        self.arena = Arena(self.tables, 1, seed=self._chance.bytes(SEED_BYTES))
        self._begin()
        return self._observe_all(), {agent: {} for agent in self.agents}

    def _begin(self) -> None:
        """Begin the phase with the first unit of each power."""
        arena = self.arena
        self._kind = STEPS[arena.phases[0]]
        legal = arena.legal()
        self._given: dict[Power, list[int]] = {power: [] for power in self.powers}
        self._asked: dict[Power, list[tuple[int, Array]]] = {power: [] for power in self.powers}
        if self._kind is PhaseKind.ADJUSTMENTS:
            for column, power in enumerate(self.powers):
                orders = legal.of(0, column)
                if len(orders) and power not in self.opponents:
                    due = self._due(orders)
                    self._asked[power] = [(-1, orders)] * due
        else:
            for column, unit in enumerate(arena.units(0)):
                orders = legal.of(0, column)
                if len(orders) and unit.power in self._asked and unit.power not in self.opponents:
                    self._asked[unit.power].append((column, orders))
        self._turn = 0

    def _due(self, orders: Array) -> int:
        """Return the number of adjustments of a power: the most it may waive, or the units it must remove."""
        waived = orders[verb_of(orders) == WAIVE]
        if len(waived):
            return int(target_of(waived).max())
        # the order that removes is of the unit's own power
        power = self.powers[int(owner_of(self.arena.state.kinds[0][self._column_at(target_of(int(orders[0])))]))]
        return -adjustments.due(self.tables.rules, self.arena.position(0), power)

    def _column_at(self, space: int) -> int:
        places = self.tables.arrays.space_of[self.arena.state.places[0, : int(self.arena.state.units[0])]]
        return int(np.flatnonzero(places == space)[0])

    def step(
        self, actions: dict[str, int]
    ) -> tuple[dict[str, Observation], dict[str, float], dict[str, bool], dict[str, bool], dict[str, dict[str, Any]]]:
        """Take the next order of every agent; raise `InvalidArray` for one that is not legal now."""
        for power in self.powers:
            allowed = self._numbers(power)
            number = int(actions.get(str(power), 0)) if len(allowed) else 0
            if number and number not in allowed:
                raise InvalidArray(f"'{self.numbering.text(number)}' ({number}) is not legal for {power} now.")
            self._given[power].append(self.numbering.packed_order(number))
        self._turn += 1
        if self._turn >= max(len(asked) for asked in self._asked.values()):
            self._adjudicate()
        won = int(self.arena.state.winner[0]) != NOBODY
        cut_off = not won and int(self.arena.state.played[0]) >= self.movements
        over = won or cut_off
        agents = list(self.agents)
        rewards = self._rewards() if over else dict.fromkeys(agents, 0.0)
        observed = self._observe_all()
        if over:
            self.agents = []
        details: dict[str, dict[str, Any]] = {agent: {} for agent in agents}
        return observed, rewards, dict.fromkeys(agents, won), dict.fromkeys(agents, cut_off), details

    def _open(self, power: Power) -> list[int]:
        """Return the packed orders a power may give now: those of its next unit, or adjustments not given yet."""
        asked = self._asked[power]
        if self._turn >= len(asked):
            return []
        orders: list[int] = asked[self._turn][1].tolist()
        if self._kind is not PhaseKind.ADJUSTMENTS:
            return orders
        spaces_used = {self._space(packed) for packed in self._given[power] if packed}
        waived = any(verb_of(packed) == WAIVE for packed in self._given[power])
        left = len(asked) - self._turn
        return [
            packed
            for packed in orders
            if (
                not waived and target_of(packed) <= left
                if verb_of(packed) == WAIVE
                else self._space(packed) not in spaces_used
            )
        ]

    def _numbers(self, power: Power) -> Array:
        """Return the numbers of the orders a power may give now."""
        packed = np.array(self._open(power), np.uint32)
        kinds, places = np.zeros(len(packed), np.int64), np.zeros(len(packed), np.int64)
        if len(packed) and (column := self._asked[power][self._turn][0]) >= 0:
            kinds[:] = kind_of(self.arena.state.kinds[0, column])
            places[:] = self.arena.state.places[0, column]
        return self.numbering.numbers(kinds, places, packed)

    def _space(self, packed: int) -> int:
        """Return the space of an adjustment, or -1."""
        return -1 if verb_of(packed) == WAIVE else int(self.tables.arrays.space_of[target_of(packed)])

    def _adjudicate(self) -> None:
        """Adjudicate the phase with the orders given, and advance until a power has an order to give."""
        arena = self.arena
        orders = arena.blank_orders()
        if self.opponents:
            arena.write(orders, 0, self._theirs())
        if self._kind is PhaseKind.ADJUSTMENTS:
            packed = [order for given in self._given.values() for order in given if order]
            first = int(np.count_nonzero(orders[0]))
            orders[0, first : first + len(packed)] = packed
        else:
            for power, asked in self._asked.items():
                for (column, _), order in zip(asked, self._given[power], strict=False):
                    orders[0, column] = order
        arena.step(orders)
        self._begin()

    def _theirs(self) -> dict[Power, Sequence[Order]]:
        """Return the orders of the opponents."""
        rules, position = self.tables.rules, self.arena.position(0)
        legality = Legality(rules, position)
        seed = int(self._chance.integers(1 << 62))
        order_sets: dict[Power, Sequence[Order]] = {}
        for number, (power, player) in enumerate(self.opponents.items()):
            legal = legality.orders_of(power)
            if any(True for _ in legal):
                seen = View(power, rules, position, Turns(), {}, ())
                order_sets[power] = player(seen, legal, Random(seed + number))  # noqa: S311  # a player's whims
        return order_sets

    def _rewards(self) -> dict[str, float]:
        """Return the final reward of each agent."""
        winner = int(self.arena.state.winner[0])
        counts = victory.score(self.tables.rules, self.arena.position(0)).counts
        score = np.array([counts.get(power, 0) for power in self.powers], float)
        shares = score**2 / max(1.0, float((score**2).sum())) if winner == NOBODY else np.eye(len(score))[winner]
        rewards = dict(zip(map(str, self.powers), map(float, shares), strict=True))
        return {agent: rewards[agent] for agent in self.possible_agents}

    # Observations

    def _observe_all(self) -> dict[str, Observation]:
        board = self._board()
        return {str(power): self._observe(power, board.copy()) for power in self.powers if str(power) in self.agents}

    def _observe(self, power: Power, board: Array) -> Observation:
        number = self.tables.power_number[power]
        board[-1, number] = 1
        board[-1, len(self.tables.powers) + self.arena.phases[0]] = 1
        mask = np.zeros(len(self.numbering), np.int8)
        allowed = self._numbers(power)
        mask[allowed if len(allowed) else 0] = 1
        column = self._asked[power][self._turn][0] if len(allowed) else -1
        if column >= 0:
            board[self.arena.state.places[0, column], -1] = 1
        return {"observation": board, "action_mask": mask}

    def _board(self) -> Array:
        """Return the part of the observation that all agents share."""
        tables, state = self.tables, self.arena.state
        powers, spaces_count = len(tables.powers), len(tables.spaces)
        further = powers + len(tables.kinds)
        board = np.zeros((len(tables.locations) + 1, self._columns), np.float32)
        for column in range(int(state.units[0])):
            place, unit = int(state.places[0, column]), int(state.kinds[0, column])
            board[place, owner_of(unit)] = 1
            board[place, powers + kind_of(unit)] = 1
            board[place, further] = float(state.came[0, column] != 0)
        for space in range(spaces_count):
            board[space, further + 1] = int(state.contested[0, space >> 6]) >> (space & 63) & 1
        for centre, space in enumerate(tables.arrays.centre.tolist()):
            owner, home = int(state.owner[0, centre]), int(state.home[0, centre])
            board[space, further + 2 + (powers if owner == NOBODY else owner)] = 1
            if home != NOBODY:
                board[space, further + powers + 3 + home] = 1
        return board

    def render(self) -> str:
        """Return the position as text, a line per power."""
        position = self.arena.position(0)
        lines = [f"{power}: {', '.join(map(str, position.units_of(power)))}" for power in self.powers]
        return "\n".join((str(position.phase), *lines))

    def close(self) -> None:
        """Do nothing: the environment holds no resources."""

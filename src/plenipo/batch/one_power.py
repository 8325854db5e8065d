"""The learning environment for a single learner: one power among opponents, with the interface of Gymnasium.

Observations, actions and rewards are those of `plenipo.batch.environment`; steps in which the power has no order to
give are skipped. `gymnasium.vector` runs many together, in one process or in several.
"""

from typing import Any

import numpy as np

from plenipo import extras
from plenipo.batch.bits import Array
from plenipo.batch.environment import DiplomacyEnvironment, Observation, Opponent
from plenipo.batch.tables import Tables, compile_tables
from plenipo.engine.rules import Rules

with extras.require("selfplay", "The environment"):
    from gymnasium import Env

__all__ = ["OnePowerEnvironment"]


class OnePowerEnvironment(Env[Any, Any]):
    """A game in which the learner plays `power`, by default drawn anew for each game, and `opponent` all others.

    `metadata`, spaces and rewards are those of `DiplomacyEnvironment`. Raises `UnknownName` for an unknown power.
    """

    def __init__(
        self, rules: Rules | Tables, opponent: Opponent, power: str | None = None, movements: int = 100
    ) -> None:
        self.tables = rules if isinstance(rules, Tables) else compile_tables(rules)
        names = self.tables.rules.names
        self.powers = names if power is None else (self.tables.rules.power(power),)
        self.opponent, self.movements = opponent, movements
        self._games: dict[str, DiplomacyEnvironment] = {}
        self._seat = str(self.powers[0])
        self.observation_space = self._game.observation_space(self._seat)
        self.action_space = self._game.action_space(self._seat)
        self._seen: Observation = {}

    @property
    def power(self) -> str:
        """The learner's power in this game."""
        return self._seat

    @property
    def _game(self) -> DiplomacyEnvironment:
        if self._seat not in self._games:
            others = {str(power): self.opponent for power in self.tables.rules.names if str(power) != self._seat}
            self._games[self._seat] = DiplomacyEnvironment(self.tables, self.movements, opponents=others)
        return self._games[self._seat]

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observation, dict[str, Any]]:
        """Begin a new game; `seed` decides all chance of this game and of those that follow."""
        super().reset(seed=seed, options=options)
        self._seat = str(self.powers[int(self.np_random.integers(len(self.powers)))])
        observed, _ = self._game.reset(seed=int(self.np_random.integers(1 << 31)))
        self._seen = observed[self._seat]
        self._passed_over(0.0, won=False, cut_off=False)
        return self._seen, {"power": self._seat}

    def step(self, action: int) -> tuple[Observation, float, bool, bool, dict[str, Any]]:
        """Take the next order; raise `InvalidArray` for one that is not legal now."""
        reward, won, cut_off = self._step_game(int(action))
        reward, won, cut_off = self._passed_over(reward, won=won, cut_off=cut_off)
        return self._seen, reward, won, cut_off, {"power": self._seat}

    def _step_game(self, action: int) -> tuple[float, bool, bool]:
        observed, rewards, won, cut_off, _ = self._game.step({self._seat: action})
        self._seen = observed[self._seat]
        return rewards[self._seat], won[self._seat], cut_off[self._seat]

    def _passed_over(self, reward: float, *, won: bool, cut_off: bool) -> tuple[float, bool, bool]:
        """Advance while the learner has no order to give."""
        while not (won or cut_off) and self._seen["action_mask"][0]:
            reward, won, cut_off = self._step_game(0)
        return reward, won, cut_off

    def action_masks(self) -> Array:
        """Return a boolean mask of the legal actions; the name is that of sb3-contrib."""
        return np.asarray(self._seen["action_mask"], bool)

    def render(self) -> str:
        """Return the position as text, a line per power."""
        return self._game.render()

"""Compare the plans of several players for the same positions against the orders that others really give.

    python scripts/decisions.py strong middling "no memory" --games 12
    python scripts/decisions.py strongest strong --among strong --games 10 --powers 4

Games among seven `middling`, or other players, give the positions and the orders of all others, in six draws. A plan is
laid over them and the policy plays the game on for four movements. Each player is compared with the first one named,
position by position; figures are parts of ten thousand of the board. That separates players in minutes where whole
games would take hours; it says nothing about the long-term effect of a style.
"""

import argparse
import time
from collections.abc import Sequence
from random import Random
from typing import NamedTuple

import numpy as np

from plenipo.batch.bits import Array
from plenipo.batch.kinds import owner_of
from plenipo.batch.state import State
from plenipo.batch.tables import MOST_UNITS
from plenipo.bots.evaluation import SHARE_ONE
from plenipo.bots.levels import LEVELS, OWN
from plenipo.bots.search_tables import Thinker
from strength import PLAYERS, Lab, Player

__all__ = ["Compared", "Noted", "compared", "noted"]

SORT = "middling"
DRAWS, TIMES, DEPTH, YEARS = 6, 24, 4, 14
OFTEN = 0.2
"""The number of movements of a game that are noted."""
FEWEST = 3
"""The fewest units of a power that is asked for a plan."""


class Noted(NamedTuple):
    """A position of a game with a movement to order."""

    state: State
    orders: Array
    """uint32[DRAWS, 64]: orders that all powers may give."""
    past: Sequence[tuple[State, Array]]
    """The earlier movements and their orders."""


class Compared(NamedTuple):
    """The value of a player's plans."""

    better: float
    """The gain over the first player, in shares of the board."""
    half: float
    """Half of the 95 % confidence interval."""
    ms: float


class _Watched(Lab):
    """Games of one level that note some of their positions."""

    def __init__(self, variant: str, seed: int, among: str) -> None:
        super().__init__(variant, PLAYERS[among], among)
        self.chance = Random(seed)  # noqa: S311  # games that can be repeated
        self.noted: list[Noted] = []
        self.before: list[tuple[State, Array]] = []

    def play(self, number: int, years: int = YEARS) -> Array:
        self.before = []
        return super().play(number, years)

    def _remember(self, past: Sequence[list[Array]], joint: Array, seat: int) -> None:
        state = State(*(array.copy() for array in self.arena.state))
        if self.chance.random() < OFTEN:
            rows = np.zeros((DRAWS, MOST_UNITS), np.uint32)
            rows[0] = joint
            for draw in range(1, DRAWS):
                for power, known in enumerate(past):
                    orders = self._thought(power, self.chance.getrandbits(60), known, mine=False)
                    self._lay(rows[draw], orders, power, adjusting=False)
            self.noted.append(Noted(state, rows, tuple(self.before[-8:])))
        self.before.append((state, joint.copy()))
        super()._remember(past, joint, seat)


def noted(variant: str, games: int, seed: int, years: int = YEARS, among: str = SORT) -> list[Noted]:
    """Return positions of so many games among players of one level."""
    lab = _Watched(variant, seed, among)
    for number in range(games):
        lab.play(number, years)
    return lab.noted


def _likely(thinker: Thinker, one: Noted, power: int, player: Player) -> Array | None:
    level = player.level
    past = one.past[-level.memory :] if level.memory else ()
    known = [thinker.foretold(state, 0, orders, power, level) for state, orders in past]
    return sum(known[1:], known[0]) if known else None


def _value(judge: Thinker, one: Noted, power: int, plan: Array) -> float:
    """Return a power's share of the board, averaged over the orders of the others and over chance."""
    columns = np.flatnonzero(owner_of(one.state.kinds[0, : int(one.state.units[0])]) == power)
    total = 0
    for number in range(TIMES):
        orders = one.orders[number % DRAWS].copy()
        orders[columns] = plan[columns]
        total += int(judge.estimate_shares(one.state, 0, number, DEPTH, orders)[power])
    return total / TIMES / SHARE_ONE


def compared(
    names: Sequence[str], variant: str, positions: Sequence[Noted], powers: int = 2, seed: int = 1
) -> dict[str, Compared]:
    """Return the value of each player's plans against the first player's, for some powers in each position."""
    tables = Lab(variant, PLAYERS[SORT]).tables
    judge = Thinker(tables)
    thinkers = {name: Thinker(tables, [*PLAYERS[name].others, *OWN]) for name in names}
    values: dict[str, list[float]] = {name: [] for name in names}
    spent = dict.fromkeys(names, 0.0)
    chance = Random(seed)  # noqa: S311  # as above
    for one in positions:
        counts = np.bincount(owner_of(one.state.kinds[0, : int(one.state.units[0])]), minlength=tables.players)
        able = [power for power in range(tables.players) if counts[power] >= FEWEST]
        for power in chance.sample(able, min(powers, len(able))):
            own = chance.getrandbits(60)
            for name, thinker in thinkers.items():
                likely = _likely(thinker, one, power, PLAYERS[name])
                began = time.process_time()
                plan = thinker.think(one.state, 0, power, own, PLAYERS[name].level, likely=likely).orders
                spent[name] += time.process_time() - began
                values[name].append(_value(judge, one, power, plan))
    first = np.array(values[names[0]])
    found = {}
    for name in names:
        more = np.array(values[name]) - first
        half = 1.96 * float(more.std()) / len(more) ** 0.5
        found[name] = Compared(float(more.mean()), half, 1000 * spent[name] / len(more))
    return found


def main() -> None:
    """Play, evaluate and print a row for each player."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("names", nargs="+", choices=list(PLAYERS), help="who is compared with the first")
    parser.add_argument("--games", type=int, default=12)
    parser.add_argument("--variant", default="standard")
    parser.add_argument("--among", default=SORT, choices=list(LEVELS), help="who plays the games and the others")
    parser.add_argument("--powers", type=int, default=2, help="asked for a plan in each position")
    given = parser.parse_args()
    positions = noted(given.variant, given.games, 1, among=given.among)
    for name, (better, half, ms) in compared(given.names, given.variant, positions, given.powers).items():
        print(f"| {name} | {ms:.2g} | {1e4 * better:+.0f} ± {1e4 * half:.0f} |")


if __name__ == "__main__":
    main()

"""Learning an evaluation from games of a computer player, and playing by it: one file, NumPy alone, one core.

    python examples/learn_evaluation.py --games 60
    plenipo match learner quick --player learner=examples/learn_evaluation.py:learner
    plenipo match learner quick --player learner=examples/learn_evaluation.py:untaught

The first command plays games, writes them as a data set, and fits a linear softmax over a few numbers of each power to
its share of the squares of the centres two years later. The second lets a player choose by it among plans of
the teacher and small changes of them, against samples of the others' orders; the third is the same player with
the weight of centres alone, to see what learning brought. Needs `pip install 'plenipo[selfplay]'`.
"""

import argparse
import hashlib
import json
import os
import sys
from collections.abc import Sequence
from pathlib import Path
from random import Random
from typing import Any
from weakref import WeakKeyDictionary

import numpy as np

from plenipo import extras, jsonlines, library
from plenipo.batch import Arena
from plenipo.batch.kinds import kind_of, owner_of
from plenipo.batch.tables import NOBODY, Tables
from plenipo.bots import BOTS
from plenipo.engine.calendar import PhaseKind
from plenipo.engine.history.view import View
from plenipo.engine.orders import Order
from plenipo.engine.phases.legality import Legality, LegalOrders
from plenipo.engine.position import Power
from plenipo.engine.rules import Rules
from plenipo.errors import MissingExtra
from plenipo.matches import Match, play_match
from plenipo.matches.dataset import Writer, read
from plenipo.matches.players import SUBSTITUTE

TEACHER = SUBSTITUTE
"""The level whose games are learned from, and the one whose plans are compared."""

WEIGHTS = Path(os.environ.get("LEARNED", "learned.json"))
"""The file of the weights."""

FEATURES = ("log of centres", "centres", "about to be taken", "in danger", "can be won", "units", "near others'")
AHEAD = 2
"""The distance of the target in years."""

PLANS, SAMPLES, CHANGES = 8, 6, 40
"""The numbers of own plans, samples of the others, and small changes of the best plan that are evaluated."""

Array = np.ndarray[Any, np.dtype[Any]]


class Eyes:
    """The features that the evaluation sees in many games of one variant at once."""

    def __init__(self, rules: Rules, games: int) -> None:
        self.arena = Arena(rules, games, seed=bytes(32))
        self.tables: Tables = self.arena.tables
        board, tables = self.tables.board, self.tables
        centres = [tables.space_number[code] for code in tables.centres]
        self.stands = np.zeros((len(tables.kinds), len(tables.locations), len(centres)), np.int16)
        self.reaches = np.zeros_like(self.stands)
        for k, kind in enumerate(tables.kinds):
            for at, location in enumerate(tables.locations):
                near = {location.space, *board.reach(kind, location)}
                for c, space in enumerate(centres):
                    self.stands[k, at, c] = tables.spaces[space] == location.space
                    self.reaches[k, at, c] = tables.spaces[space] in near

    def features(self) -> Array:
        """Return the features of each game and power: float, games by powers by `FEATURES`."""
        state, players = self.arena.state, self.tables.players
        games, centres = state.owner.shape
        shape = (games, len(self.tables.powers), centres)
        stand, reach = np.zeros(shape, np.int16), np.zeros(shape, np.int16)
        units = np.zeros(shape[:2], np.int16)
        rows = np.arange(games)
        for column in range(int(state.units.max())):
            there = (column < state.units) & (state.came[:, column] == 0)
            power, kind = owner_of(state.kinds[:, column]), kind_of(state.kinds[:, column])
            here = there[:, None]
            stand[rows, power] += self.stands[kind, state.places[:, column]] * here
            reach[rows, power] += self.reaches[kind, state.places[:, column]] * here
            units[rows, power] += there
        own = state.owner[:, None, :] == np.arange(shape[1])[None, :, None]
        stands = stand > 0
        taken = stands.any(axis=1, keepdims=True) & ~stands
        held = own & ~taken | stands
        ranked = np.sort(reach, axis=1)
        most, second = ranked[:, -1:, :], ranked[:, -2:-1, :]
        others = np.where(reach == most, second, most)
        seen = [
            np.log(held.sum(2) + 0.5),
            held.sum(2),
            (stands & ~own).sum(2),
            (held & (others >= reach) & (others > 0)).sum(2),
            (~held & (reach > others)).sum(2),
            units,
            (reach * ~held).sum(2),
        ]
        return np.asarray(np.stack(seen, axis=-1)[:, :players], float)

    def shares(self) -> Array:
        """The share of the squares of the centres: games by powers."""
        state = self.arena.state
        own = (state.owner[:, None, :] == np.arange(self.tables.players)[None, :, None]).sum(2).astype(float) ** 2
        for game, winner in enumerate(state.winner.tolist()):
            if winner != NOBODY:
                own[game] = np.eye(self.tables.players)[winner]
        return np.asarray(own / np.maximum(own.sum(1, keepdims=True), 1))


def softmax(values: Array) -> Array:
    """Parts that make one along the last axis."""
    raised = np.exp(values - values.max(-1, keepdims=True))
    return np.asarray(raised / raised.sum(-1, keepdims=True))


def fit(seen: Array, steps: Array, target: Array, kinds: int, rounds: int = 600) -> tuple[Array, list[float]]:
    """Weights, steps of the calendar by features, by Adam on the cross entropy; and the loss of each round."""
    weights = np.zeros((kinds, seen.shape[-1]))
    first, second, losses = np.zeros_like(weights), np.zeros_like(weights), []
    for i in range(1, rounds + 1):
        expected = softmax((seen * weights[steps][:, None, :]).sum(-1))
        losses.append(float(-(target * np.log(expected + 1e-9)).sum(1).mean()))
        slope = np.zeros_like(weights)
        np.add.at(slope, steps, ((expected - target)[:, :, None] * seen).sum(1) / len(seen))
        slope += 1e-4 * weights
        first, second = 0.9 * first + 0.1 * slope, 0.999 * second + 0.001 * slope**2
        weights -= 0.05 * (first / (1 - 0.9**i)) / (np.sqrt(second / (1 - 0.999**i)) + 1e-8)
    return weights, losses


# Playing


class Player:
    """Chooses by an evaluation among plans of the teacher and small changes of the best one."""

    def __init__(self, rules: Rules, weights: Array | None) -> None:
        self.eyes = Eyes(rules, max(PLANS, CHANGES) * SAMPLES)
        kinds = len(self.eyes.tables.calendar)
        self.weights = np.tile([2.0] + [0.0] * (len(FEATURES) - 1), (kinds, 1)) if weights is None else weights

    def orders(self, view: View, legal: LegalOrders, chance: Random) -> list[Order]:
        """The orders of a phase."""
        if view.position.phase.kind is not PhaseKind.MOVEMENT:
            return BOTS[TEACHER](view, legal, chance)
        legality = Legality(view.rules, view.position)
        others = [power for power in view.rules.names if power != legal.power and view.position.units_of(power)]
        samples = [
            {power: BOTS[TEACHER](view, legality.orders_of(power), Random(chance.getrandbits(60))) for power in others}
            for _ in range(SAMPLES)
        ]
        plans = [BOTS[TEACHER](view, legal, Random(chance.getrandbits(60))) for _ in range(PLANS)]
        value = self.judge(view, legal.power, plans, samples)
        best = plans[int(value.argmax())]
        offered = [list(legal.of(unit)) for unit in legal.units]
        changed = [self.change(best, offered, chance) for _ in range(CHANGES)]
        found = self.judge(view, legal.power, changed, samples)
        return changed[int(found.argmax())] if found.max() > value.max() else best

    def change(self, plan: Sequence[Order], offered: Sequence[Sequence[Order]], chance: Random) -> list[Order]:
        """The plan with other orders for one unit or two."""
        orders = {order.unit.location.space: order for order in plan if hasattr(order, "unit")}
        for _ in range(chance.randint(1, 2)):
            order = chance.choice(chance.choice(offered))
            if hasattr(order, "unit"):
                orders[order.unit.location.space] = order
        return list(orders.values())

    def judge(
        self, view: View, power: Power, plans: Sequence[Sequence[Order]], samples: Sequence[dict[Power, list[Order]]]
    ) -> Array:
        """The mean value of each plan after the movement, against the samples."""
        arena = self.eyes.arena
        arena.put(0, view.position)
        for array in arena.state:
            array[:] = array[0]
        orders, row = arena.blank_orders(), 0
        for plan in plans:
            for sample in samples:
                arena.write(orders, row, {**sample, power: plan})
                row += 1
        arena.step(orders)
        values = softmax((self.eyes.features() * self.weights[arena.state.step][:, None, :]).sum(-1))
        mine = values[:row, self.eyes.tables.power_number[power]]
        return np.asarray(mine.reshape(len(plans), len(samples)).mean(1))


_PLAYERS: WeakKeyDictionary[Rules, dict[bool, Player]] = WeakKeyDictionary()


def _player(rules: Rules, *, taught: bool) -> Player:
    known = _PLAYERS.setdefault(rules, {})
    if taught not in known:
        weights = np.array(json.loads(WEIGHTS.read_text(encoding="utf-8"))["weights"]) if taught else None
        known[taught] = Player(rules, weights)
    return known[taught]


def learner(view: View, legal: LegalOrders, chance: Random) -> list[Order]:
    """Orders by the evaluation that was learned."""
    return _player(view.rules, taught=True).orders(view, legal, chance)


def untaught(view: View, legal: LegalOrders, chance: Random) -> list[Order]:
    """Orders by the same choice, with the weight of centres alone."""
    return _player(view.rules, taught=False).orders(view, legal, chance)


# Learning


def play_games(variant: str, games: int, years: int, seed: str, data: Path) -> None:
    """Write games of the teacher in all seats."""
    rules = library.load(variant)
    match = Match(variant, (TEACHER,) * len(rules.names), hashlib.sha256(seed.encode()).digest(), games, years)
    with Writer(data, rules) as out:
        for game, _ in play_match(match):
            out.write(game)


def examples(variant: str, data: Path) -> tuple[Array, Array, Array, Eyes]:
    """Return the features of each position of the data, its step of the calendar, and the shares some years later."""
    eyes = Eyes(library.load(variant), 1)
    positions: dict[tuple[int, int], str] = {}
    ends: dict[int, dict[str, float]] = {}
    for row in read(data):
        positions[row.game, row.turn] = row.position
        ends.setdefault(row.game, {})[row.power] = row.share
    seen, steps, years, shares = [], [], [], []
    for text in positions.values():
        eyes.arena.put(0, jsonlines.read(text, library.load).position)
        seen.append(eyes.features()[0])
        shares.append(eyes.shares()[0])
        steps.append(int(eyes.arena.state.step[0]))
        years.append(int(eyes.arena.state.year[0]))
    target, keys = [], list(positions)
    for i, (game, _) in enumerate(keys):
        later = next((j for j in range(i, len(keys)) if keys[j][0] != game or years[j] >= years[i] + AHEAD), len(keys))
        if later < len(keys) and keys[later][0] == game:
            target.append(shares[later])
        else:
            target.append(np.array([ends[game].get(str(power), 0.0) for power in eyes.tables.rules.names]))
    return np.array(seen), np.array(steps), np.array(target), eyes


def main() -> None:
    """Play, fit, write the weights."""
    parser = argparse.ArgumentParser(description="Learn an evaluation from games of a computer player.")
    parser.add_argument("--variant", default="standard")
    parser.add_argument("--games", type=int, default=60)
    parser.add_argument("--years", type=int, default=12)
    parser.add_argument("--seed", default="learn")
    parser.add_argument("--data", type=Path, default=Path("games.parquet"))
    given = parser.parse_args()
    try:
        extras.check("selfplay", "pyarrow", what="Writing the games as a data set")
    except MissingExtra as fault:
        sys.exit(str(fault))
    play_games(given.variant, given.games, given.years, given.seed, given.data)
    seen, steps, target, eyes = examples(given.variant, given.data)
    split = len(seen) * 4 // 5
    weights, losses = fit(seen[:split], steps[:split], target[:split], len(eyes.tables.calendar))
    expected = softmax((seen[split:] * weights[steps[split:]][:, None, :]).sum(-1))
    unseen = float(-(target[split:] * np.log(expected + 1e-9)).sum(1).mean())
    WEIGHTS.write_text(json.dumps({"features": FEATURES, "weights": weights.round(4).tolist()}), encoding="utf-8")
    print(
        f"{len(seen)} positions, cross entropy {losses[0]:.3f} at first, {losses[-1]:.3f} fitted; unseen {unseen:.3f}."
    )
    print(f"The weights are in {WEIGHTS}.")


if __name__ == "__main__":
    main()

"""Measure a player's strength by thinking time, and the gain of each part of its thinking; draw docs/strength.svg.

    python scripts/strength.py --games 28
    python scripts/strength.py strong --among middling --games 105
    python scripts/strength.py strong --among baseline --variant cline

One player in each seat in turn plays among others of a level, `quick` by default, or the baseline of the literature
(`yardstick.py`), on the kernel alone: no orders are put into words, so that a game takes a tenth of the time of
`plenipo match`. The same numbers give the same games. A game ends after twenty years, or when it is won. With
`--games-to FOLDER` each game is a line of JSON in the file of its player there, and lines that are there already count.
"""

import argparse
import hashlib
import json
import math
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from random import Random
from statistics import fmean
from typing import NamedTuple

import numpy as np

from plenipo.batch import Arena
from plenipo.batch.bits import Array
from plenipo.batch.kinds import owner_of
from plenipo.batch.play import MOVEMENT, RETREATS, advance, memory
from plenipo.batch.tables import MOST_UNITS, NOBODY
from plenipo.bots.levels import LEVELS, OTHERS, OWN, Level
from plenipo.bots.policy import style
from plenipo.bots.search_tables import Thinker, Thought
from plenipo.library import load
from plenipo.matches.standings import Estimate, estimate, fraction
from yardstick import Baseline

__all__ = ["PLAYERS", "Lab", "Player", "Strength", "drawn", "measured"]

YEARS = 20
BASELINE = "baseline"
SIMPLE = Level(1, 1, 0, 0)
WIDTH, HEIGHT, LEFT, TOP = 640, 320, 48, 24


class Idle(Thinker):
    """A power that orders nothing."""

    def think(self, *_given: object, **_known: object) -> Thought:
        """Return no orders."""
        return Thought(np.zeros(MOST_UNITS, np.uint32), 0.0, 0, 0)


class Player(NamedTuple):
    """A contestant: its thinking time, the styles it assumes of the others, and its kind of thinker."""

    level: Level
    others: Sequence[list[int]] = tuple(OTHERS.values())
    sort: type[Thinker] = Thinker


_MIDDLING = LEVELS["middling"]

PLAYERS: Mapping[str, Player] = {
    "policy": Player(SIMPLE),
    **{name: Player(level) for name, level in LEVELS.items()},
    "pool alone": Player(_MIDDLING._replace(pool=40, changes=0)),
    "changes alone": Player(_MIDDLING._replace(pool=1, changes=80)),
    "one beginning": Player(_MIDDLING._replace(starts=1)),
    "never two plans": Player(_MIDDLING._replace(margin=0)),
    "no memory": Player(_MIDDLING._replace(memory=0)),
    "one style": Player(_MIDDLING, [style()] * len(OTHERS)),
    "no playout": Player(_MIDDLING._replace(depth=0, changes=200)),
    "strong without rivals": Player(LEVELS["strong"]._replace(rivals=0)),
    BASELINE: Player(SIMPLE, sort=Baseline),
    "idle": Player(SIMPLE, sort=Idle),
}
"""The levels, `middling` with one part of its thinking changed, `strong` that assumes no power searches, the baseline,
and a power that orders nothing."""


class Strength(NamedTuple):
    """The result of a player: its share of the board, the games it won alone, and milliseconds a movement."""

    share: Estimate
    alone: Estimate
    ms: float
    out: Sequence[int] = ()
    """The year of each game in which it lost its last centre or the game was won, counted from 1; if neither, the next
    after the last."""


class Lab:
    """A board on which games are played, with the tables that two kinds of players need to think."""

    def __init__(self, variant: str, player: Player, among: str = "quick") -> None:
        self.arena = Arena(load(variant), 1, seed=bytes(32), room=MOST_UNITS)
        self.tables = self.arena.tables
        self.player = player
        self.one = player.sort(self.tables, [*player.others, *OWN])
        self.another = PLAYERS[among].sort(self.tables)
        self.among = PLAYERS[among].level
        self.memory = memory(self.tables)
        self.spent, self.movements, self.out = 0.0, 0, 0
        self.warm = False

    def play(self, number: int, years: int = YEARS) -> Array:
        """Return the share of each power at the end of a game whose number decides all chance, float[players]."""
        state, tables = self.arena.state, self.tables
        seat = number % tables.players
        seed = int.from_bytes(hashlib.sha256(f"game {number}".encode()).digest()[:7], "big")
        picks = [Random(seed + q).randrange(max(1, len(of))) for q, of in enumerate(self.arena.choices.values())]  # noqa: S311  # games that can be repeated
        self.arena.reset(np.array([picks], np.int64) if picks else None)
        if not self.warm:  # the first thought loads compiled code, which says nothing about the later ones
            self.one.think(state, 0, seat, seed, self.player.level)
            self.warm = True
        began = int(state.year[0])
        last = began + years
        self.out = years + 1
        past: list[list[Array]] = [[] for _ in range(tables.players)]
        while state.winner[0] == NOBODY and state.year[0] < last:
            kind = int(tables.arrays.steps[state.step[0]])
            joint = np.zeros((1, MOST_UNITS), np.uint32)
            for power in range(tables.players):
                seed += 1
                orders = self._thought(power, seed, past[power], mine=power == seat)
                self._lay(joint[0], orders, power, adjusting=kind not in (MOVEMENT, RETREATS))
            if kind == MOVEMENT:
                self._remember(past, joint[0], seat)
            year = int(state.year[0]) - began + 1
            advance(0, state, 0, joint, tables.arrays, *self.memory)
            if self.out > years and (state.winner[0] != NOBODY or not (state.owner[0] == seat).any()):
                self.out = year
        if state.winner[0] != NOBODY:
            return np.asarray(np.arange(tables.players) == state.winner[0], float)
        squares = np.array([float((state.owner[0] == power).sum()) ** 2 for power in range(tables.players)])
        return np.asarray(squares / squares.sum())

    def _remember(self, past: Sequence[list[Array]], joint: Array, seat: int) -> None:
        """Note how well the styles predicted a movement, for each power that looks back."""
        for power, known in enumerate(past):
            thinker, level = (self.one, self.player.level) if power == seat else (self.another, self.among)
            if level.memory:
                began = time.process_time()
                known.append(thinker.foretold(self.arena.state, 0, joint, power, level))
                self.spent += (time.process_time() - began) * (power == seat)

    def _thought(self, power: int, seed: int, past: Sequence[Array], *, mine: bool) -> Array:
        thinker, level = (self.one, self.player.level) if mine else (self.another, self.among)
        state = self.arena.state
        moving = self.tables.arrays.steps[state.step[0]] == MOVEMENT
        began = time.process_time()
        known = list(past[-level.memory :]) if level.memory else []
        likely = sum(known[1:], known[0]) if known else None
        orders = thinker.think(state, 0, power, seed, level, likely=likely).orders
        if moving and mine:
            self.spent += time.process_time() - began
            self.movements += 1
        return orders

    def _lay(self, joint: Array, orders: Array, power: int, *, adjusting: bool) -> None:
        """Lay the orders of a power over those of all, or in an adjustment phase behind them."""
        state = self.arena.state
        if adjusting:
            used, count = int(np.argmin(joint != 0)), int(np.argmin(orders != 0))
            joint[used : used + count] = orders[:count]
        else:
            columns = np.flatnonzero(owner_of(state.kinds[0, : int(state.units[0])]) == power)
            joint[columns] = orders[columns]


def measured(
    player: Player,
    games: int,
    variant: str = "standard",
    years: int = YEARS,
    among: str = "quick",
    kept: Path | None = None,
) -> Strength:
    """Measure a player among others of a level, in all seats in turn; each game is a line of `kept`."""
    lab = Lab(variant, player, among)
    lines = kept.read_text(encoding="utf-8").splitlines() if kept is not None and kept.exists() else []
    found = [json.loads(line) for line in lines[:games]]
    for number in range(len(found), games):
        lab.spent, lab.movements = 0.0, 0
        share = float(lab.play(number, years)[number % lab.tables.players])
        found.append({"game": number, "share": share, "seconds": lab.spent, "movements": lab.movements, "out": lab.out})
        if kept is not None:
            with kept.open("a", encoding="utf-8") as file:
                file.write(json.dumps(found[-1]) + "\n")
    shares = [one["share"] for one in found]
    ms = 1000 * sum(one["seconds"] for one in found) / max(1, sum(one["movements"] for one in found))
    return Strength(
        estimate(shares), fraction([float(share == 1) for share in shares]), ms, [one.get("out", 0) for one in found]
    )


def drawn(found: Mapping[str, Strength], among: str = "quick") -> str:
    """Return a plot of the shares with their intervals over the time, as SVG; `among` names the level of the others."""
    low, high = (math.floor(math.log10(min(one.ms for one in found.values()))), 3)

    def x(ms: float) -> float:
        return LEFT + (WIDTH - LEFT - 90) * (math.log10(ms) - low) / (high - low)

    def y(share: float) -> float:
        return TOP + (HEIGHT - 2 * TOP - 16) * (1 - share)

    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" font-family="sans-serif" '
        f'font-size="11"><title>Share of the board among six of {among}, by the time of a movement</title>'
        f'<rect width="{WIDTH}" height="{HEIGHT}" fill="#fff"/>'
    ]
    for tenths in range(0, 11, 2):
        at = y(tenths / 10)
        parts.append(f'<path d="M{LEFT} {at:.1f}H{x(10**high):.1f}" stroke="#ddd"/>')
        parts.append(f'<text x="{LEFT - 6}" y="{at + 4:.1f}" text-anchor="end">{tenths / 10:.1f}</text>')
    for power in range(low, high + 1):
        at = x(10**power)
        parts.append(f'<text x="{at:.1f}" y="{HEIGHT - 20}" text-anchor="middle">{10.0**power:g} ms</text>')
    line = " ".join(f"{x(found[name].ms):.1f},{y(found[name].share.mean):.1f}" for name in LEVELS if name in found)
    parts.append(f'<polyline points="{line}" fill="none" stroke="#2b6cb0"/>')
    for name, one in found.items():
        colour = "#2b6cb0" if name in LEVELS else "#a05a2c"
        across, up = x(one.ms), y(one.share.mean)
        parts.append(
            f'<path d="M{across:.1f} {y(one.share.low):.1f}V{y(one.share.high):.1f}" stroke="{colour}"/>'
            f'<circle cx="{across:.1f}" cy="{up:.1f}" r="3.5" fill="{colour}"/>'
            f'<text x="{across + 6:.1f}" y="{up + 15:.1f}" fill="{colour}">{name}</text>'
        )
    parts.append(f'<text x="{LEFT}" y="14">Share of the board among six of {among}, intervals of 95 %</text></svg>\n')
    return "".join(parts)


def main() -> None:
    """Play, print a row for each player as it is done, and draw."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("names", nargs="*", default=list(PLAYERS), help="who plays; all if left out")
    parser.add_argument("--games", type=int, default=28)
    parser.add_argument("--variant", default="standard")
    parser.add_argument("--among", default="quick", choices=[*LEVELS, BASELINE], help="who the others are")
    parser.add_argument("--years", type=int, default=YEARS)
    parser.add_argument("--games-to", type=Path, help="a folder with a file for each player")
    parser.add_argument("--out", type=Path, help="draw the levels and their like to this file")
    given = parser.parse_args()
    found = {}
    for name in given.names:
        one = found[name] = measured(
            PLAYERS[name],
            given.games,
            given.variant,
            given.years,
            given.among,
            given.games_to / f"{name.replace(' ', '-')}.jsonl" if given.games_to else None,
        )
        half = one.share.high - one.share.mean
        out = f" out in year {fmean(one.out):.1f} |" if name == "idle" else ""
        print(
            f"| {name} | {one.ms:.2g} | {one.share.mean:.2f} ± {half:.2f} | {one.alone.mean:.0%} "
            f"({100 * one.alone.low:.0f} to {100 * one.alone.high:.0f}) |{out}",
            flush=True,
        )
    if given.out is not None:
        given.out.write_text(drawn(found, given.among), encoding="utf-8")


if __name__ == "__main__":
    main()

"""Count contradictions, self-blocks, lone attacks and centres given away in games of one player among itself.

    python scripts/plan_quality.py middling --games 10
    python scripts/plan_quality.py strong --variant cline --games 6 --years 8

Each line is a mean of a game with its interval of 95 %, as games are independent; the second part is in parts of a
hundred. "stopped by own" counts failed moves that a unit of the same power stopped, whether or not it was certain.
"""

import argparse
import math
from collections.abc import Callable, Sequence
from dataclasses import fields
from statistics import fmean, stdev

from plenipo.matches.lineup import YEARS, Match, lineup
from plenipo.matches.plan_quality import PlanQuality, measure_game
from plenipo.matches.run import game_of, play_match, rules_of
from plenipo.matches.standings import STUDENT, Z

Ratio = Callable[[PlanQuality], tuple[int, int]]

RATIOS: dict[str, Ratio] = {
    "plans that fail the plan check": lambda quality: (quality.doubted, quality.plans),
    "moves that fail": lambda quality: (quality.failed, quality.moves),
    "attacks on held units without support": lambda quality: (quality.lone_attacks, quality.attacks),
}


def mean_of(values: Sequence[float], digits: int = 2) -> str:
    """Return a mean with its 95 % interval."""
    if len(values) < 2:
        return f"{fmean(values):.{digits}f}"
    errors = STUDENT[len(values) - 2] if len(values) - 2 < len(STUDENT) else Z
    return f"{fmean(values):.{digits}f} ± {errors * stdev(values) / math.sqrt(len(values)):.{digits}f}"


def main() -> None:
    """Play the games and print the rates."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("player", help="the level that plays all powers")
    parser.add_argument("--variant", default="standard")
    parser.add_argument("--games", type=int, default=10)
    parser.add_argument("--years", type=int, default=YEARS)
    parser.add_argument("--seed", default="plans", help="any word")
    parser.add_argument("--workers", type=int, default=1)
    given = parser.parse_args()
    places = len(rules_of(Match(given.variant, (), bytes(32))).names)
    match = Match(
        given.variant,
        lineup([f"{places} {given.player}"], places),
        given.seed.encode().ljust(32, b"\0")[:32],
        given.games,
        given.years,
    )
    rules = rules_of(match)
    found = [measure_game(game_of(rules, played)) for played, _ in play_match(match, workers=given.workers)]
    print(f"{given.games} games of {places} {given.player}: {given.variant}, at most {given.years} years")
    for one in fields(PlanQuality):
        print(f"{one.name.replace('_', ' '):40} {mean_of([getattr(quality, one.name) for quality in found])}")
    for name, ratio in RATIOS.items():
        parts = [100 * part / whole for part, whole in map(ratio, found) if whole]
        print(f"{name:40} {mean_of(parts) if parts else 'none'}")


if __name__ == "__main__":
    main()

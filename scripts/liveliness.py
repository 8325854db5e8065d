"""Measure how lively games among computer players are: how long an idle power lasts, and which orders are given.

    python scripts/liveliness.py strong --games 14

One power in each seat in turn orders nothing: in which year was it out? Then games with a player in every seat: how
many moves fail, how often units of others are supported and armies are convoyed, and how and when games end that may
end by a vote.
"""

import hashlib
from collections.abc import Sequence
from random import Random
from statistics import fmean
from typing import Annotated

import typer

from plenipo.engine.history.view import View
from plenipo.engine.orders import Order
from plenipo.engine.phases.legality import LegalOrders
from plenipo.engine.rules import Rules
from plenipo.matches import Match, play_match
from plenipo.matches.players import BEST
from plenipo.matches.referee import Played
from plenipo.matches.run import rules_of
from plenipo.matches.survey import collect_facts

__all__ = ["ended", "idle", "out_in"]

IDLE = "idle"


def idle(_view: View, _legal: LegalOrders, _chance: Random) -> list[Order]:
    """A player that orders nothing."""
    return []


def out_in(rules: Rules, played: Played) -> int | None:
    """Return the year in which the idle power lost its last centre; None if it has one at the end."""
    (power,) = (power for power, player in played.seats.items() if player == IDLE)
    centres = collect_facts(rules, played).centres[power]
    lost = next((year for year, count in enumerate(centres) if count == 0), None)
    # a power without centres at the end of a year has no units either
    return None if lost is None else rules.calendar.first.year + lost - 1


def ended(rules: Rules, games: Sequence[Played], by: int) -> tuple[int, int]:
    """Return how many games one power won, and how many several shared, no later than in a year."""
    soon = [game for game in games if game.winners and rules.calendar.read(game.turns[-1].phase).year <= by]
    alone = sum(len(game.winners) == 1 for game in soon)
    return alone, len(soon) - alone


def main(
    player: Annotated[str, typer.Argument()] = BEST,
    games: Annotated[int, typer.Option()] = 14,
    variant: Annotated[str, typer.Option()] = "standard",
    years: Annotated[int, typer.Option(help="Years a game of players alone is played for.")] = 25,
    idle_years: Annotated[int, typer.Option(help="Years a game with an idle power is played for.")] = 10,
    seed: Annotated[str, typer.Option()] = "1",
) -> None:
    """Play, and print the results."""
    chance = hashlib.sha256(seed.encode()).digest()
    rules = rules_of(Match(variant, (), chance))
    others = (player,) * (len(rules.names) - 1)
    sources = ((IDLE, f"{__file__}:idle"),)
    first = rules.calendar.first.year
    lasted = []
    for played, _ in play_match(Match(variant, (IDLE, *others), chance, games, idle_years, sources=sources)):
        lasted.append(out_in(rules, played))
    out = [year if year is not None else first + idle_years for year in lasted]
    held = sum(year is None for year in lasted)
    print(
        f"An idle power among {player}: out in {fmean(out):.1f} on average, "
        f"{held} of {len(out)} had a centre at the end of {first + idle_years - 1} and count as out a year later."
    )
    together = [one for one, _ in play_match(Match(variant, (player, *others), chance, games, years, votes=True))]
    moves = sum(one.tally["moves"] for one in together)
    alone, shared = ended(rules, together, first + years - 1)
    print(
        f"{len(together)} games of {player} in every seat: {sum(one.tally['failed'] for one in together) / moves:.0%} "
        f"of the moves failed, {fmean(one.tally['others'] for one in together):.1f} supports for units of others and "
        f"{fmean(one.tally['convoyed'] for one in together):.1f} convoyed armies a game; "
        f"by {first + years - 1} {alone} were won and {shared} shared."
    )


if __name__ == "__main__":
    typer.run(main)

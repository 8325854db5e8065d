"""Writes docs/surveys.md: what games on the boards of the package are like, among computer players of one sort.

    python scripts/surveys.py --player quick --games 40

The page is what one run said; the command stands on it, and gives the same page again.
"""

import hashlib
from pathlib import Path
from typing import Annotated

import typer

from plenipo import library
from plenipo.cli.terminal import progress
from plenipo.matches import Match, matched
from plenipo.matches.players import BEST
from plenipo.matches.survey import Survey, seen, surveyed
from plenipo.matches.survey_page import COLUMNS, facts, rows

PAGE = Path(__file__).parents[1] / "docs" / "surveys.md"

OFTEN = 6
"""How many of the centres that change hands most are named."""


def section(survey: Survey) -> str:
    """What is told of one board, in Markdown."""
    often = sorted(survey.changes.items(), key=lambda item: (-item[1], item[0]))[:OFTEN]
    lines = [
        f"## {survey.title}",
        "",
        *facts(survey),
        f"Most often changed hands: {', '.join(f'{code} {times:.1f}' for code, times in often)} times a game.",
        "",
        f"| {' | '.join(COLUMNS)} |",
        f"|{'---|' * len(COLUMNS)}",
        *(f"| {' | '.join(row)} |" for row in rows(survey)),
        "",
    ]
    return "\n".join(lines)


def main(
    player: Annotated[str, typer.Option()] = BEST,
    games: Annotated[int, typer.Option()] = 40,
    years: Annotated[int, typer.Option()] = 20,
    workers: Annotated[int, typer.Option()] = 1,
) -> None:
    """Play on every board of the package, and write the page."""
    sections = []
    for name in library.names():
        rules = library.load(name)
        match = Match(name, (player,) * len(rules.names), hashlib.sha256(b"1").digest(), games, years)
        with progress(rules.title) as told:
            sections.append(
                section(
                    surveyed(
                        rules,
                        player,
                        years,
                        [seen(rules, game) for game, _ in matched(match, workers=workers, told=told)],
                    )
                )
            )
    head = (
        "# Surveys of the boards\n\n"
        f"What games on each board are like where `{player}` plays all seats: "
        f"`python scripts/surveys.py --player {player} --games {games} --years {years}` wrote this page.\n"
        "`plenipo survey VARIANT --report FILE` shows more, with plots; "
        "[Matches, surveys, reviews](matches.md) says what the figures mean.\n"
        "They hold among players of that sort, and say little of people.\n\n"
    )
    PAGE.write_text(head + "\n".join(sections), encoding="utf-8")


if __name__ == "__main__":
    typer.run(main)

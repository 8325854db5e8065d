"""Write docs/surveys.md: the character of games on the boards of the package, among computer players of one level.

    python scripts/surveys.py --player quick --games 40
    python scripts/surveys.py cline --player quick --games 40

The page is the result of one run; the command of each board stands under it, and gives the same again. If boards are
named, only their sections are written anew. The plots stand beside it, a file for each board.
"""

import hashlib
from pathlib import Path
from typing import Annotated

import typer

from plenipo import library
from plenipo.cli.terminal import progress
from plenipo.matches import Match, play_match
from plenipo.matches.players import BEST
from plenipo.matches.plots import picture
from plenipo.matches.survey import Survey, collect_facts, make_survey
from plenipo.matches.survey_page import COLUMNS, by_year, facts, rows

PAGE = Path(__file__).parents[1] / "docs" / "surveys.md"
PLOTS = PAGE.with_suffix("")

OFTEN = 6
"""The number of centres named as changing hands most."""

MARK = "<!-- survey: {} -->"

HEAD = """# Surveys of the boards

The character of games on each board when one computer player plays all seats.
`plenipo survey VARIANT --report FILE` shows more; [Matches, surveys, reviews](matches.md) says what the figures mean.
They hold among players of that sort, and say little of people.

"""


def section(name: str, survey: Survey) -> str:
    """Return the section about one board, in Markdown."""
    often = sorted(survey.changes.items(), key=lambda item: (-item[1], item[0]))[:OFTEN]
    lines = [
        MARK.format(name),
        f"## {survey.title}",
        "",
        *facts(survey),
        f"Most often changed hands: {', '.join(f'{code} {times:.1f}' for code, times in often)} times a game.",
        "",
        f"| {' | '.join(COLUMNS)} |",
        f"|{'---|' * len(COLUMNS)}",
        *(f"| {' | '.join(row)} |" for row in rows(survey)),
        "",
        f"![Centres by year](surveys/{name}.svg)",
        "",
        f"`python scripts/surveys.py {name} --player {survey.player} --games {survey.games}"
        f" --years {survey.most_years}`",
        "",
    ]
    return "\n".join(lines)


def known(page: str) -> dict[str, str]:
    """Return the sections of a page that was written before, by variant."""
    start = MARK.partition("{}")[0]
    _, *parts = page.split(start)
    return {part.partition(" ")[0]: f"{start}{part.rstrip()}\n" for part in parts}


def main(
    names: Annotated[list[str] | None, typer.Argument()] = None,
    player: Annotated[str, typer.Option()] = BEST,
    games: Annotated[int, typer.Option()] = 40,
    years: Annotated[int, typer.Option()] = 20,
    workers: Annotated[int, typer.Option()] = 1,
) -> None:
    """Play on the boards named, or on all of the package, and write the page."""
    PLOTS.mkdir(exist_ok=True)
    for name in names or library.names():
        rules = library.load(name)
        match = Match(name, (player,) * len(rules.names), hashlib.sha256(b"1").digest(), games, years)
        with progress(rules.title) as told:
            played = [collect_facts(rules, game) for game, _ in play_match(match, workers=workers, told=told)]
        survey = make_survey(rules, player, years, played)
        (PLOTS / f"{name}.svg").write_text(picture(by_year(survey)), encoding="utf-8")
        sections = known(PAGE.read_text(encoding="utf-8")) if PAGE.exists() else {}
        sections[name] = section(name, survey)
        ordered = [sections[known_one] for known_one in library.names() if known_one in sections]
        PAGE.write_text(HEAD + "\n".join(ordered), encoding="utf-8")


if __name__ == "__main__":
    typer.run(main)

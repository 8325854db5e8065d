"""Whole games kept with the variants play through the command line to the end they came to.

The game of the standard board was played by seven programs with simple rules of thumb; another adjudicator gave it
the same winner and the same centres.
"""

from pathlib import Path

import pytest
from typer.testing import CliRunner

from plenipo.cli import app
from plenipo.library import folder_of

ENDS = {
    ("standard", "france-alone"): (
        "Centres: France 18, Turkey 9, England 4, Austria 1, Germany 1, Russia 1.",
        "France has won with 18 centres.",
    ),
    ("irish", "four-years"): (
        "Points: France 44, Iceland 40, Italy 36, England 29, Germany 22, Holland 20, Denmark 11, Spain 6, "
        "Switzerland 5.",
        "No power has won yet: the game stands at Spring 1978 movement, with France 44, Iceland 40, Italy 36, "
        "England 29, Germany 22, Holland 20, Denmark 11, Spain 6, Switzerland 5.",
    ),
}
"""(variant, game) -> the last two lines of the report."""


@pytest.mark.parametrize(("variant", "game"), ENDS, ids=[" ".join(key) for key in ENDS])
def test_a_golden_game_ends_as_it_did(variant: str, game: str) -> None:
    script = folder_of(variant) / "games" / f"{game}.txt"
    result = CliRunner().invoke(app, ["play", variant, "--orders", str(script)], env={"COLUMNS": "300"})
    assert result.exit_code == 0
    assert tuple(result.output.splitlines()[-2:]) == ENDS[variant, game]


EVERYTHING = (
    "was split into",
    "Iceland 2 was split into Iceland 2 and Iceland 3",
    "became a black hole",
    "is a black hole no more",
    "put aside: it is a black hole",
    "is the double of",
    "fell into anarchy",
    "was cured of anarchy",
    "and both were annihilated",
    "lost the supply centre",
    "gave France 2 points: what it asked for happened",
    "what it asked for did not happen",
    "owes",
    "The game master decides what Spain promised",
    "the game master said so",
)


def test_the_golden_game_of_a_changing_board_shows_everything_that_can_happen(tmp_path: Path) -> None:
    script, saved = folder_of("irish") / "games" / "four-years.txt", tmp_path / "game.json"
    told = CliRunner().invoke(
        app, ["play", "irish", "--orders", str(script), "--save", str(saved)], env={"COLUMNS": "300"}
    )
    assert [words for words in EVERYTHING if words not in told.output] == []
    verified = CliRunner().invoke(app, ["verify", str(saved)], env={"COLUMNS": "300"})
    assert "14 turns were adjudicated again, 61 draws repeated" in verified.output

"""Whole games kept with the variants play through the command line to the end they came to.

The game of the standard board was played by seven programs with simple rules of thumb; another adjudicator gave it
the same winner and the same centres.
"""

import pytest
from typer.testing import CliRunner

from plenipo.cli import app
from plenipo.library import folder_of

ENDS = {
    ("standard", "france-alone"): (
        "Centres: France 18, Turkey 9, England 4, Austria 1, Germany 1, Russia 1.",
        "France has won with 18 centres.",
    ),
}
"""(variant, game) -> the last two lines of the report."""


@pytest.mark.parametrize(("variant", "game"), ENDS, ids=[" ".join(key) for key in ENDS])
def test_a_golden_game_ends_as_it_did(variant: str, game: str) -> None:
    script = folder_of(variant) / "games" / f"{game}.txt"
    result = CliRunner().invoke(app, ["play", variant, "--orders", str(script)])
    assert result.exit_code == 0
    assert tuple(result.output.splitlines()[-2:]) == ENDS[variant, game]

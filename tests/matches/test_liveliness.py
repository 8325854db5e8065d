"""The script that says how lively games are counts what happened in them."""

from dataclasses import replace

import pytest

import liveliness
from plenipo.engine.position import Power
from plenipo.matches.lineup import Match
from plenipo.matches.referee import Played
from plenipo.matches.run import game_of, play_match
from table import standard

YEARS = 8


@pytest.fixture(scope="module")
def played() -> list[Played]:
    sources = ((liveliness.IDLE, f"{liveliness.__file__}:idle"),)
    match = Match("standard", ("idle", *("middling",) * 6), bytes([2]) * 32, 2, YEARS, sources=sources)
    return [game for game, _ in play_match(match)]


def test_an_idle_power_is_out_in_the_year_in_which_it_loses_its_last_centre(played: list[Played]) -> None:
    begun = [replace(game, turns=game.turns[:4]) for game in played]  # no power loses everything in a year
    assert any(liveliness.out_in(standard(), game) for game in played)
    for game in [*played, *begun]:
        (power,) = (power for power, player in game.seats.items() if player == "idle")
        out = [
            turn.resolution.before.phase.year
            for turn in game_of(standard(), game).turns
            if not turn.resolution.after.survives(Power(power))
        ]
        assert not any(turn.orders.get(power) for turn in game.turns)
        assert liveliness.out_in(standard(), game) == min(out, default=None)


def test_games_that_end_later_are_not_counted(played: list[Played]) -> None:
    game = replace(played[0], winners=("France",))
    last = 1900 + YEARS
    shared = replace(game, winners=("France", "Italy"))
    games = [game, shared, replace(game, winners=())]
    assert [liveliness.ended(standard(), games, by) for by in (last - 1, last, last + 1)] == [(0, 0), (1, 1), (1, 1)]

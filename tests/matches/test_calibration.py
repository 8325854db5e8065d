"""Calibration: forecasts are fitted to some games and tested on others."""

from functools import cache
from pathlib import Path
from random import Random

import pytest

import calibration
from calibration import METHODS, Forecast, compare_forecasts, explain_variance, fit_factor, measure_calibration
from plenipo.bots import BOTS
from plenipo.cli import saved
from plenipo.engine.history.game import Game
from plenipo.engine.history.view import view
from plenipo.engine.phases.legality import Legality
from plenipo.matches.review import by_standing
from table import standard

TURNS = 12


@cache
def game(seed: int) -> Game:
    chance, played = Random(seed), Game.new(standard())
    for _ in range(TURNS):
        legal = Legality(played.rules, played.position)
        order_sets = {
            power: BOTS["sensible"](view(played, power, {}), legal.orders_of(power), chance)
            for power in view(played, None, {}).may_order
        }
        played = played.process(order_sets)
    return played


def test_every_surviving_power_is_foretold_before_every_movement() -> None:
    found = list(compare_forecasts(game(1), by_standing))
    assert [one.third for one in found] == sorted(one.third for one in found)
    assert {one.third for one in found} == {0, 1, 2}
    assert all(len(one.foretold) == len(METHODS) for one in found)
    opening = found[: len(standard().names)]
    for method in range(len(METHODS)):
        assert sum(one.foretold[method] for one in opening) == pytest.approx(0)
    assert [one.final for one in opening] == pytest.approx([share - 1 / 7 for share in by_standing(game(1)).values()])


@pytest.mark.parametrize("factor", [0.5, 1, 2])
def test_the_factor_that_made_the_final_shares_is_found_and_explains_all(factor: float) -> None:
    foretold = (-0.1, 0.02, 0.08)
    made = [Forecast(0, (share,), factor * share) for share in foretold]
    assert fit_factor(made, 0) == pytest.approx(factor)
    assert explain_variance(made, 0, factor) == pytest.approx(1)
    assert explain_variance(made, 0, 0) <= 0 + 1e-9


def test_a_method_that_knows_the_end_explains_all_and_centres_do_not() -> None:
    ends = by_standing(game(1))
    found = list(measure_calibration([game(1), game(1)], lambda _before: ends))
    assert [third for third, *_ in found] == [0, 1, 2]
    for _, tested, factors, (expected, *others) in found:
        assert tested > 0
        assert factors[0] == pytest.approx(1)
        assert expected == pytest.approx(1)
        assert max(others) < 1


def test_the_script_reads_saved_games(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    files = [tmp_path / f"{seed}.json" for seed in (1, 2)]
    for seed, file in enumerate(files, 1):
        saved.save(game(seed), file)
    calibration.main(files, movements=1, times=1)
    table = capsys.readouterr().out
    assert table.startswith("2 games, every second one fitted")
    assert [row.split(" | ")[0] for row in table.splitlines()[-3:]] == ["| first", "| second", "| last"]

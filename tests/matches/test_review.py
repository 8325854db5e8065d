"""Looking back on a game: expectations make one, and the turn that decided is found."""

import json
from collections.abc import Sequence
from functools import cache
from pathlib import Path

import pytest
from typer.testing import CliRunner

from plenipo.bots import BOTS, WeighedOrders
from plenipo.cli import app, saved
from plenipo.engine.history.game import Game
from plenipo.engine.history.view import View
from plenipo.engine.orders import Order
from plenipo.engine.phases.legality import LegalOrders
from plenipo.engine.position import Power
from plenipo.matches.openings import read_openings
from plenipo.matches.review import Review, by_playing, by_standing, review
from plenipo.matches.review_page import html, sentences
from table import standard

ORDERS = (
    {"Germany": ["F KIE - HOL", "A BER - KIE", "A MUN - RUH"], "France": ["A PAR - BUR", "A MAR - SPA"]},
    {"Germany": ["F HOL H", "A KIE - DEN"], "France": ["A BUR - PIC", "A SPA H"]},
)
"""Two movements of Germany and France."""


@cache
def game() -> Game:
    played = Game.new(standard())
    for order_sets in ORDERS:
        played = played.process({Power(power): order_set for power, order_set in order_sets.items()})
    return played


@cache
def found() -> Review:
    return review(game(), by_standing, most=2, openings=read_openings("standard"))


def test_what_the_powers_expect_makes_one() -> None:
    for i in range(len(found().turns)):
        assert sum(shares[i] for shares in found().shares.values()) == pytest.approx(1)
    for expect in (by_standing, by_playing(BOTS["careless"], movements=2, times=2, seed=bytes(32))):
        assert sum(expect(game()).values()) == pytest.approx(1)


def test_the_same_seed_expects_the_same() -> None:
    expect = by_playing(BOTS["sensible"], movements=1, times=2, seed=bytes(32))
    assert expect(game()) == expect(game())


def test_units_in_centres_count_as_owners() -> None:
    start = by_standing(game().fork(0))
    spring = by_standing(game().fork(1))
    assert start[Power("Russia")] == pytest.approx(16 / (16 + 6 * 9))
    assert spring[Power("Germany")] == pytest.approx(16 / (3 * 16 + 4 * 9))


def test_openings_are_named() -> None:
    assert found().openings == {"Germany": "Dutch Opening"}
    bold = Game.new(standard()).process({Power("Austria"): ["F TRI - ALB", "A BUD - SER"]})
    named = review(bold, by_standing, openings=read_openings("standard"))
    assert named.openings == {"Austria": "Balkan Gambit"}
    assert "Austria opened with: Balkan Gambit." in html(named)


def test_the_orders_of_a_named_opening_are_not_rated() -> None:
    def weigh(_view: View, _legal: LegalOrders, orders: Sequence[Order]) -> WeighedOrders:
        return WeighedOrders(0.1, 0.2, tuple(orders))

    opened = review(game(), by_standing, weigh=weigh, openings=read_openings("standard"))
    assert {one.power for one in opened.rated if one.turn == 0} == {*map(str, standard().names)} - {"Germany"}
    assert {one.power for one in opened.rated if one.turn == 1} == {*map(str, standard().names)}


def test_the_greatest_change_comes_first() -> None:
    sums = [sum(map(abs, turning.change.values())) for turning in found().turning]
    assert sums == sorted(sums, reverse=True)
    assert found().turning[0].turn in found().turns


def test_the_command_tells_it_as_text_json_and_a_page(tmp_path: Path) -> None:
    file, page = tmp_path / "game.json", tmp_path / "review.html"
    saved.save(game(), file)
    arguments = ["review", str(file), "--movements", "0", "--turns", "2"]
    told = CliRunner().invoke(app, [*arguments, "--report", str(page)])
    assert told.exit_code == 0, told.output
    assert "accuracy" not in told.output
    assert page.read_text() == html(found())
    as_json = json.loads(CliRunner().invoke(app, [*arguments, "--json"]).output)
    assert as_json == json.loads(json.dumps(found().to_json()))
    assert all(sentence in told.output for sentence in sentences(found()))

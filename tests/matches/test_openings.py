"""Named openings: every one of them can be ordered, and the one with the most orders gives the name."""

import shutil
from pathlib import Path

import pytest

from plenipo.engine.history.game import Game
from plenipo.engine.position import Power
from plenipo.errors import InvalidVariant
from plenipo.library import folder_of, load
from plenipo.matches.openings import FILE, find_opening, name_openings, read_openings
from table import standard

AUSTRIA = Power("Austria")


def test_every_opening_is_legal_and_gives_its_own_name() -> None:
    openings = read_openings("standard")
    assert {one.power for one in openings} == set(standard().names)
    for one in openings:
        played = Game.new(standard()).process({one.power: sorted(one.orders)})
        assert played.turns[0].resolution.refusals == ()
        assert {str(outcome.order) for outcome in played.turns[0].resolution.outcomes} >= one.orders
        assert name_openings(played, openings) == {str(one.power): one.name}


def test_no_two_openings_have_the_same_orders() -> None:
    openings = read_openings("standard")
    assert len({(one.power, one.orders) for one in openings}) == len(openings)


@pytest.mark.parametrize(
    ("orders", "name"),
    [
        (["F TRI - ALB", "A BUD - SER", "A VIE - TRI"], "Balkan Gambit, Trieste Variation"),
        (["F TRI - ALB", "A BUD - SER", "A VIE H"], "Balkan Gambit"),
        (["A BUD - SER"], ""),
        ([], ""),
    ],
)
def test_the_opening_with_the_most_orders_gives_the_name(orders: list[str], name: str) -> None:
    assert find_opening(read_openings("standard"), AUSTRIA, orders) == name


def test_a_variant_on_the_same_board_has_the_openings_and_another_has_none() -> None:
    assert read_openings("fog-of-war") == read_openings("standard")
    assert read_openings("hundred") == ()
    assert name_openings(Game.new(load("hundred")), ()) == {}


@pytest.mark.parametrize("text", ["Austria = 3", "[Austria", '[Austria]\n"Gambit" = "A BUD - SER"'])
def test_a_file_that_is_no_table_of_orders_is_refused(tmp_path: Path, text: str) -> None:
    shutil.copytree(folder_of("standard"), tmp_path / "mine")
    (tmp_path / "mine" / FILE).write_text(text)
    with pytest.raises(InvalidVariant, match="a list of orders for each name"):
        read_openings(tmp_path / "mine")

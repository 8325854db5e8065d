"""What a chart puts on a picture by the rules of its game."""

from xml.etree import ElementTree as ET

import pytest

from plenipo.charts import Chart, chart
from plenipo.engine.position import Position, Power
from plenipo.rulekit.points import Purses

SVG = "{http://www.w3.org/2000/svg}"


def legend(on: Chart, position: Position) -> set[str | None]:
    root = ET.fromstring(on.draw(on.scene(position)))  # noqa: S314  # our own picture
    return {text.text for text in root.iter(f"{SVG}text")}


def test_a_legend_tells_the_centres_of_every_power() -> None:
    on = chart("standard")
    assert {"France 3", "Russia 4", "Diplomacy, Spring 1901 movement"} <= legend(on, on.opening)


def test_the_legend_of_a_game_of_points_tells_points() -> None:
    on = chart("irish")
    position = on.opening.with_slot("points", Purses({Power("France"): 17}))
    assert {"France 17", "Italy 0", "Irish Diplomacy, Spring 1974 choice · points"} <= legend(on, position)


@pytest.mark.parametrize(("measure", "told"), [("centres", "France 5"), ("pieces", "France 0")])
def test_a_legend_tells_what_wins(measure: str, told: str) -> None:
    on = chart("napoleonic", {"victory_measure": measure})
    france = Power("France")
    owners = dict.fromkeys(sorted(on.board.centres)[:5], france)
    position = Position(on.opening.phase, (), owners=owners)
    assert told in legend(on, position)

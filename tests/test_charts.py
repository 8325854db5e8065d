"""The parts of a chart that the rules of its game decide."""

import re
from dataclasses import replace
from pathlib import Path
from shutil import copytree
from xml.etree import ElementTree as ET

import pytest

from plenipo import library
from plenipo.charts import Chart, chart
from plenipo.engine.calendar import Phase, PhaseKind
from plenipo.engine.orders import Move, Support
from plenipo.engine.phases.legality import Legality
from plenipo.engine.position import Position, Power
from plenipo.errors import InvalidVariant
from plenipo.rulekit.points import Balances

SVG = "{http://www.w3.org/2000/svg}"


def legend(on: Chart, position: Position) -> set[str | None]:
    root = ET.fromstring(on.draw(on.scene(position)))  # noqa: S314  # our own picture
    return {text.text for text in root.iter(f"{SVG}text")}


def test_a_legend_tells_the_centres_of_every_power() -> None:
    on = chart("standard")
    assert {"France 3", "Russia 4", "Diplomacy, Spring 1901 movement"} <= legend(on, on.opening)


def test_the_legend_of_a_game_of_points_tells_points() -> None:
    on = chart("irish")
    position = on.opening.with_slot("points", Balances({Power("France"): 17}))
    assert {"France 17", "Italy 0", "Irish Diplomacy, Spring 1974 choice · points"} <= legend(on, position)


@pytest.mark.parametrize(("measure", "told"), [("centres", "France 5"), ("pieces", "France 0")])
def test_a_legend_tells_what_wins(measure: str, told: str) -> None:
    on = chart("napoleonic", {"victory_measure": measure})
    france = Power("France")
    owners = dict.fromkeys(sorted(on.board.centres)[:5], france)
    position = Position(on.opening.phase, (), owners=owners)
    assert told in legend(on, position)


def test_walkers_wait_in_ireland_and_vienna_before_the_first_move() -> None:
    svg = chart("irish").draw()
    assert [svg.count(f'class="{kind}"') for kind in ("shade", "walker")] == [2, 3]
    assert "with its letter I1, in Ireland" in svg
    assert "with its letter P3, in Vienna" in svg
    places = re.findall(r'class="(?:shade|walker)"[^>]* transform="translate\(([^)]*)\)"', svg)
    assert len(set(places)) == 5, "each can be seen"


def test_closed_countries_are_hatched_and_nothing_may_enter_them() -> None:
    wishes = {"majors": "France, Germany", "minors": "Belgium"}
    rules, root = library.load("irish", wishes), ET.fromstring(chart("irish", wishes).draw())  # noqa: S314  # our own
    spaces = {found.get("data-space"): found.get("class", "") for found in root.iter() if found.get("data-space")}
    assert "impassable" in spaces["SPA"]
    assert "impassable" not in spaces["BEL"]
    moving = replace(rules.opening, phase=Phase("Spring", 1974, PhaseKind.MOVEMENT))
    orders = list(Legality(rules, moving).orders_of(Power("France")))
    assert len(orders) > 20
    assert not [order for order in orders if isinstance(order, Move | Support) and order.to and order.to.space == "SPA"]


def test_a_place_beside_the_board_is_a_point(tmp_path: Path) -> None:
    for name in ("standard", "irish"):
        copytree(library.folder_of(name), tmp_path / name)
    folder = tmp_path / "irish"
    (folder / "look.toml").write_text('[beside]\nIreland = "west"\n', encoding="utf-8")
    with pytest.raises(InvalidVariant, match=r"'beside.Ireland' is 'west'; write a point"):
        chart(folder)


def test_a_variant_without_a_map_of_its_own_has_the_seats_and_the_look_of_its_parent(tmp_path: Path) -> None:
    (tmp_path / "variant.toml").write_text('title = "Child"\nparent = "standard"\nvictory = 17\n', encoding="utf-8")
    child, parent = chart(tmp_path), chart("standard")
    assert child.placements == parent.placements
    assert child.follows == parent.follows
    assert child.follows


def test_of_the_look_of_a_parent_what_does_not_fit_is_left_out(tmp_path: Path) -> None:
    text = 'title = "Child"\nparent = "standard"\n[spaces]\nGAS = { centre = true }\nMAR = { centre = false }\n'
    france = (
        '[powers]\nFrance = { units = ["A PAR", "A MAR", "F BRE"], owned = ["PAR", "BRE"], homes = ["PAR", "BRE"] }\n'
    )
    (tmp_path / "variant.toml").write_text(text + france, encoding="utf-8")
    follows = chart(tmp_path).follows
    assert "GAS" not in follows
    assert "MAR" not in follows.values()

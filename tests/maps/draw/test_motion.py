"""Motion in pictures: who goes where, and that nothing moves unless it is asked for and begun."""

import re

import pytest

from plenipo.charts import chart
from plenipo.learning import load_lessons


def moving(lesson: str) -> str:
    exercise = load_lessons()[lesson].exercises[0]
    resolution = exercise.adjudicate(exercise.solution).resolution
    drawn = chart("standard")
    return drawn.draw(drawn.scene(resolution.before, resolution, motion=True))


def group(svg: str, ident: str) -> str:
    return svg.partition(f'id="{ident}"')[2].partition("<use")[0]


def stops(svg: str, ident: str) -> list[str]:
    return re.findall(r'values="([^"]*)"', group(svg, ident))


def test_a_picture_without_motion_has_no_animations() -> None:
    exercise = load_lessons()["move"].exercises[0]
    resolution = exercise.adjudicate(exercise.solution).resolution
    drawn = chart("standard")
    assert "<animate" not in drawn.draw(drawn.scene(resolution.before, resolution))
    assert "<animate" not in drawn.draw(drawn.scene(resolution.before, motion=True))


def test_every_animation_waits_until_it_is_begun() -> None:
    svg = moving("dislodge")
    assert svg.count("<animate") == svg.count('begin="indefinite"') > 3


def test_a_unit_that_moves_arrives() -> None:
    (values,) = stops(moving("move"), "unit-PAR")
    first, second, third, last = values.split(";")
    assert (first, third) == (second, last)
    assert first != last


def test_a_unit_that_is_stood_off_comes_back() -> None:
    (values,) = stops(moving("stand-off"), "unit-WAR")
    places = values.split(";")
    assert places[0] == places[1] == places[3] == places[4] != places[2]


def test_a_dislodged_unit_is_pushed_aside_and_a_supporting_one_stays() -> None:
    svg = moving("dislodge")
    (values,) = stops(svg, "unit-BUR")
    assert len(set(values.split(";"))) == 2
    assert stops(svg, "unit-RUH") == []


@pytest.mark.parametrize(("lesson", "ident"), [("build", "unit-BRE"), ("remove", "unit-ARM")])
def test_a_built_unit_appears_and_a_removed_one_goes(lesson: str, ident: str) -> None:
    (values,) = stops(moving(lesson), ident)
    first, *_, last = map(float, values.split(";"))
    assert (first < last) == (lesson == "build")


def test_a_unit_that_retreats_goes() -> None:
    (values,) = stops(moving("retreat"), "dislodged-VIE")
    assert len(set(values.split(";"))) == 2

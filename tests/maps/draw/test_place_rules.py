"""The marks of rules that belong to places, in the picture."""

from dataclasses import replace

import pytest
from shapely import LineString, Point

from plenipo.charts import chart
from plenipo.engine.board import Code
from plenipo.engine.place_rules import KINDS
from plenipo.mapfaults.places import unmarked_rules
from plenipo.mapfaults.reading import FaultCount, ReadPicture, classes, rings_of
from plenipo.maps.draw.place_rules import GLYPHS

RULED = ("rivers", "hussars", "straits-and-steppe", "iron-roads", "bridges", "cline")


@pytest.mark.parametrize("variant", RULED)
def test_every_rule_of_a_place_has_a_mark_a_title_and_a_word_in_the_legend(variant: str) -> None:
    on = chart(variant)
    assert on.rules is not None
    svg = on.draw()
    counted = unmarked_rules(on, ReadPicture(svg))
    assert (counted.faults, counted.of) == (0, len(on.rules.place_rules))
    assert counted.of > 0
    for kind in {rule.kind for rule in on.rules.place_rules}:
        assert f">{KINDS[kind]}</text>" in svg


def test_a_picture_without_the_marks_is_found_at_fault() -> None:
    on = chart("rivers")
    bare = on.draw(replace(on.scene(), place_rules=()))
    assert unmarked_rules(on, ReadPicture(bare)) == FaultCount(5, 5)


def test_a_rule_of_a_border_runs_along_that_border() -> None:
    on = chart("rivers")
    drawn = ReadPicture(on.draw())
    marks = [group for group in drawn.root.iter() if {"annotation", "strength"} <= classes(group)]
    assert len(marks) == 5
    for mark in marks:
        one, other = (drawn.areas[Code(code)] for code in mark.get("data-spaces", "").split())
        (band,) = [path for path in mark if "rule-band" in classes(path)]
        for line in rings_of(band.get("d", "")):
            assert max(one.distance(LineString(line)), other.distance(LineString(line))) < 6


def test_the_mark_of_a_space_lies_in_it_and_beside_its_unit() -> None:
    on = chart("straits-and-steppe")
    drawn = ReadPicture(on.draw())
    marks = [group for group in drawn.root.iter() if {"annotation", "objective"} <= classes(group)]
    assert [mark.get("data-spaces") for mark in marks] == ["CON", "MOS"]
    for mark in marks:
        plate = next(group for group in mark.iter() if group.get("transform"))
        x, y = map(int, plate.get("transform", "")[len("translate(") : -1].split())
        assert drawn.areas[Code(mark.get("data-spaces", ""))].contains(Point(x, y))
        assert all(Point(x, y).distance(token.shape) > 0 for token in drawn.tokens())


def test_a_railway_is_a_track_and_no_other_link() -> None:
    on = chart("iron-roads")
    drawn = ReadPicture(on.draw())
    kinds = [classes(group) for group in drawn.root.iter() if "annotation" in classes(group)]
    assert sum("railway" in kind for kind in kinds) == 3
    assert not any("link" in kind for kind in kinds)


def test_every_kind_of_rule_has_a_sign() -> None:
    assert GLYPHS.keys() == KINDS.keys()

"""Faults of a whole picture: each is found where it is made, and none in the pictures of the package."""

import re
from dataclasses import replace
from random import Random

import pytest

from maps.cutting.test_changed_figures import any_split
from plenipo.charts import chart
from plenipo.engine.board import Code
from plenipo.engine.changes import BoardChange
from plenipo.engine.position import Position
from plenipo.mapfaults.picture import beyond_its_place, marks_abroad, near_colours, untold
from plenipo.mapfaults.reading import ReadPicture
from plenipo.maps.draw import Theme
from plenipo.maps.lettering.placements import Placements


@pytest.mark.parametrize("variant", ["standard", "napoleonic", "irish"])
def test_an_anchor_on_the_land_of_others_is_found_and_the_package_has_none(variant: str) -> None:
    on = chart(variant)
    svg = on.draw(on.scene(legend=False))
    assert list(marks_abroad(svg)) == []
    x, y = base_place(svg, "DEN")
    moved = re.sub(r'(data-spaces="KIE">.*?<g transform="translate)\([^)]*\)', rf"\1({x} {y})", svg, flags=re.DOTALL)
    assert list(marks_abroad(moved)) == ["the anchor of KIE stands in DEN"]


def base_place(svg: str, code: str) -> tuple[int, int]:
    """A place inside a space of a picture."""
    inside = ReadPicture(svg).areas[Code(code)].representative_point()
    return round(inside.x), round(inside.y)


@pytest.mark.parametrize("variant", ["standard", "napoleonic", "irish"])
def test_colours_that_are_mistaken_are_found_and_the_package_has_none(variant: str) -> None:
    on, light = chart(variant), Theme.from_name("light")
    assert list(near_colours(on, light)) == []
    near = replace(light, name="near", powers={**light.powers, "Italy": replace(light.powers["Italy"], ink="#2a3480")})
    said = list(near_colours(on, near))
    assert any(sentence.startswith("the inks of England and Italy are ") for sentence in said) == (variant != "irish")


def test_letters_that_are_hidden_or_missing_are_found() -> None:
    on = chart("irish")
    svg = on.draw(on.scene(legend=False))
    assert [*untold(svg, 390), *untold(svg, 1600)] == []
    hidden = svg.replace(".compact text{stroke-width:.24em}", ".tag{display:none}")
    assert list(untold(hidden, 390)) == ["no letters tell units apart at 390 pixels"]
    assert list(untold(hidden, 1600)) == []


def test_lettering_over_the_frame_is_found_in_the_pixels() -> None:
    on = chart("standard")
    label = on.placements.names[Code("BAR")]
    east = on.figure.frame[2]
    names = {**on.placements.names, Code("BAR"): replace(label, curve=(), at=(east, label.at[1]))}
    spoiled: Placements = replace(on.placements, names=names)
    for shown, said in (
        (on, []),
        (replace(on, placements=spoiled), ["lettering runs over the frame in the PNG of 900"]),
    ):
        svg = shown.draw(shown.scene(legend=False))
        found = [said.removesuffix(" pixels") for said in beyond_its_place(shown, svg.replace("1000px", "800px"), 900)]
        assert [sentence for sentence in found if "frame" in sentence] == said


@pytest.mark.parametrize("width", [390, 900])
def test_a_box_beside_the_map_has_room_for_its_name_and_a_name_that_leaves_the_box_is_found(width: int) -> None:
    on = chart("cline")
    svg = on.draw(on.scene(legend=False))
    assert list(beyond_its_place(on, svg, width)) == []
    name = r'(<text class="water"[^>]* y=")(\d+)("[^>]*>(?:Antarctic Sea|ANT)<)'
    out, changed = re.subn(name, lambda found: f"{found[1]}{int(found[2]) + 160}{found[3]}", svg)
    assert changed > 1
    assert f"lettering runs over the frame in the PNG of {width} pixels" in list(beyond_its_place(on, out, width))


def test_lettering_wider_than_its_place_is_found_in_the_pixels() -> None:
    on = chart("standard")
    svg = on.draw(on.scene(legend=False))
    wider = svg
    for code in ("MOS", "UKR"):
        name = on.board.spaces[Code(code)].name
        # some programs add the letter spacing to a width that includes it already
        wider, changed = re.subn(rf"(<text[^>]*)(>(?:<textPath[^>]*>)?{name}<)", r'\1 letter-spacing="20"\2', wider)
        assert changed
    assert list(beyond_its_place(on, svg, 1200)) == []
    assert sorted(beyond_its_place(on, wider, 1200)) == [
        f"the label of {code} runs beyond its place in the PNG of 1200 pixels" for code in ("MOS", "UKR")
    ]


def test_names_on_irish_after_20_splits_lie_inside_the_frame_in_the_pixels() -> None:
    on, chance = chart("irish"), Random("a board of many halves")
    assert on.changed_placements is not None
    found = on.changed_placements.figures
    changes: tuple[BoardChange, ...] = ()
    for _ in range(20):
        figure = found.figure(changes)
        changes = (*changes, any_split(figure, chance.choice(sorted(figure.faces)), chance))
    position = Position(on.opening.phase, changes=changes)
    split = on.at(position)
    assert len(split.board.spaces) == len(on.board.spaces) + 20
    scene = on.scene(position, legend=False)
    assert [said for said in beyond_its_place(split, split.draw(scene), 1600) if "frame" in said] == []
    # a name of the same board that stands across the edge is found
    name, label = max(split.placements.names.items(), key=lambda named: named[1].at[0])
    across = replace(label, curve=(), at=(split.figure.frame[2], label.at[1]))
    spoiled = replace(split, placements=replace(split.placements, names={**split.placements.names, name: across}))
    said = [*beyond_its_place(spoiled, spoiled.draw(scene), 1600)]
    assert "lettering runs over the frame in the PNG of 1600 pixels" in said

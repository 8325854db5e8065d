"""The legend explains the signs that are in a picture, and no others."""

from dataclasses import replace
from xml.etree import ElementTree as ET

import pytest

from plenipo.charts import chart
from plenipo.engine.board import Code
from plenipo.engine.orders import Order
from plenipo.engine.reading.notation import notation_of
from plenipo.library import load
from plenipo.maps.draw import Scene
from plenipo.maps.draw.legend import GAP, ICON, KEY, LegendSign, rows_of
from plenipo.maps.lettering.typeface import width_of

SVG = "{http://www.w3.org/2000/svg}"
EUROPE = chart("standard")


def words(scene: Scene, name: str = "standard") -> list[str]:
    """The words for signs in the legend of a picture of a variant."""
    root = ET.fromstring(chart(name).draw(scene))  # noqa: S314  # our own picture
    return [text.text or "" for text in root.iter(f"{SVG}text") if text.get("class") == "key"]


def given(*texts: str) -> tuple[Order, ...]:
    reader = notation_of(load("standard"))
    return tuple(reader.read(text, EUROPE.opening.phase.kind) for text in texts)


def test_a_map_at_rest_explains_what_stands_on_it() -> None:
    assert words(EUROPE.scene()) == ["supply centre", "closed to all", "ships pass"]
    assert words(EUROPE.scene(legend=False)) == []
    assert words(EUROPE.scene(corners=True))[-1] == "corner"
    assert {"units pass", "ways cross"} <= set(words(chart("cline").scene(), "cline"))


@pytest.mark.parametrize(
    ("orders", "more"),
    [
        (("A PAR - BUR",), ["moves"]),
        (("A PAR - BUR", "A MAR S A PAR - BUR"), ["moves", "supports"]),
        (("A PAR H",), ["holds"]),
    ],
)
def test_the_signs_of_orders_are_explained_where_they_are_used(orders: tuple[str, ...], more: list[str]) -> None:
    assert words(EUROPE.scene(orders=given(*orders)))[3:] == more


def test_the_marks_of_rule_modules_are_explained() -> None:
    assert "a hole: nothing may enter" in words(EUROPE.scene(marks={Code("BOH"): "hole"}))


def test_what_an_icon_refers_to_is_in_the_picture_whatever_its_prefix() -> None:
    root = ET.fromstring(EUROPE.draw(replace(EUROPE.scene(orders=given("A PAR H")), prefix="m-")))  # noqa: S314
    ids = {element.get("id") for element in root.iter()}
    assert {use.get("href", "")[1:] for use in root.iter(f"{SVG}use")} <= ids


def test_signs_stand_in_rows_that_fit_and_never_on_each_other() -> None:
    signs = [LegendSign("", "a word" * n) for n in (1, 2, 1, 3, 1, 1)]
    rows = rows_of(signs, 900)
    assert [sign for row in rows for _, sign in row] == signs
    assert len(rows) > 1
    for row in rows:
        ends = [at + ICON + width_of(sign.word) * KEY for at, sign in row]
        assert ends[-1] <= 900 or len(row) == 1
        assert all(at >= end + GAP - 1 for (at, _), end in zip(row[1:], ends, strict=False))

"""Trimmed pictures: smaller, and the same pixels in their view."""

from io import BytesIO
from xml.etree import ElementTree as ET

import pytest
from PIL import Image, ImageChops

from plenipo import raster
from plenipo.charts import chart
from plenipo.engine.board import Code
from plenipo.maps.draw import crop
from plenipo.maps.draw.crop import trim
from plenipo.maps.draw.face import with_face
from proofs import share

VIEWS = [
    ("standard", "PAR BUR MAR"),
    ("standard", "NTH NWY YOR"),
    ("standard", "SPA MID POR WES"),
    ("standard", "SYR ARM"),
    ("cline", "ROM VEN TUS"),
    ("irish", "LON WAL"),
]


ROUNDED = 0.0005
"""The share of pixels on edges that the renderer rounds otherwise."""


def pixels(svg: str) -> Image.Image:
    return Image.open(BytesIO(raster.png(with_face(svg), 550))).convert("RGB")


@pytest.mark.parametrize(("variant", "focus"), share(VIEWS, 6))
def test_a_trimmed_picture_is_smaller_and_looks_the_same(
    variant: str, focus: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    drawn = chart(variant)
    scene = drawn.scene(focus=tuple(map(Code, focus.split())))
    trimmed = drawn.draw(scene)
    monkeypatch.setattr("plenipo.maps.draw.trim", lambda picture, _view, **_more: picture)
    whole = drawn.draw(scene)
    assert len(trimmed) < 0.75 * len(whole)
    difference = ImageChops.difference(pixels(trimmed), pixels(whole)).convert("L")
    other = sum(difference.histogram()[3:])
    assert other <= ROUNDED * difference.width * difference.height


def test_a_trimmed_picture_refers_to_nothing_that_is_gone() -> None:
    drawn = chart("standard")
    root = ET.fromstring(drawn.draw(drawn.scene(focus=(Code("PAR"), Code("BUR")))))  # noqa: S314  # our own picture
    there = {element.get("id") for element in root.iter()}
    assert {name[1:] for element in root.iter() if (name := element.get("href", ""))} <= there


PATHS = [
    ("M0 0l10 0 0 10zM500 500l10 0 0 10z", "M0 0l10 0 0 10z"),
    ("M500 500l10 0 0 10zm-495-495h5v5z", "M5 5h5v5z"),
    ("m900 0 5 5m-900 0 3 3", "M5 5l3 3"),
    ("M900 0q5 5 10 10t5 5M10 10c1 2 3 4 5 6s7 8 9 9a4 4 0 0 1 2 2", "M10 10c1 2 3 4 5 6s7 8 9 9a4 4 0 0 1 2 2"),
]


@pytest.mark.parametrize(("path", "left"), PATHS)
def test_the_pieces_of_a_path_outside_the_view_are_left_out(
    path: str, left: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(crop, "ROOM", 0)
    picture = f'<svg xmlns="http://www.w3.org/2000/svg"><path d="{path}"/></svg>'
    assert f'd="{left}"' in trim(picture, (0, 0, 50, 50))


def test_a_card_is_trimmed_more() -> None:
    drawn = chart("standard")
    focus = (Code("PAR"), Code("BUR"))
    card = drawn.draw(drawn.scene(focus=focus, shape="card"))
    assert len(card) < len(drawn.draw(drawn.scene(focus=focus)))
    assert "@media" not in card
    assert 'class="compact small"' not in card
    west, north, width, height = map(float, card.partition('viewBox="')[2].partition('"')[0].split())
    assert width / height == pytest.approx(4 / 3, abs=0.01)
    assert west > 0
    assert north > 0

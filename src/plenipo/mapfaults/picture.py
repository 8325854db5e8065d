"""Faults of a whole picture: marks on foreign land, colours too near, lettering that is missing, names in a PNG."""

import re
from collections.abc import Iterator
from io import BytesIO
from itertools import combinations

import numpy as np
import shapely
from shapely.geometry.base import BaseGeometry

from plenipo import raster
from plenipo.charts import Chart
from plenipo.engine.board import Code
from plenipo.engine.sentences import Sentence, say
from plenipo.mapfaults.reading import ReadPicture, classes
from plenipo.maps.draw import Theme
from plenipo.maps.draw.colours import EYES, distance, seen_by
from plenipo.maps.draw.stylesheet import at_width
from plenipo.maps.draw.theme import CROWD

__all__ = ["beyond_its_place", "marks_abroad", "near_colours", "untold"]

APART = 8.0
"""Two lands or two inks nearer than this are mistaken for each other, in CAM02-UCS."""

NAMELESS = ".names,.codes,.compact text,.compact path{visibility:hidden}"
"""The rule of a picture without lettering."""

LEADERLESS = ".leader,.leader-case{visibility:hidden}"
"""The rule of a picture without the lines of lettering."""

MAPLESS = ".board>.paper,.board>[clip-path]{display:none}"
"""The rule of a picture without the map itself, which takes most of the time that a picture takes."""

UNCOVERED = ",".join(f'[id$="layer-{name}"]' for name in ("annotations", "centres", "orders", "units", "signs"))
UNCOVERED += "{display:none}"
"""The rule of a picture of the map without what lies on it."""

ROUND = 0.42
"""The distance that lettering reaches over the line of capitals and under the baseline, with their halo, in sizes."""

EDGE = 2
"""So many pixels may lie on the edge of the frame or of a box beside it."""

SPECKS = 6
"""So many pixels of a label may lie beyond its place, which is measured without kerning."""


def marks_abroad(svg: str) -> Iterator[Sentence]:
    """Yield the anchors that stand on land they are not about, a sentence each."""
    drawn = ReadPicture(svg)
    lands = [
        (code, drawn.areas[code])
        for space in drawn.root.iter()
        if {"space", "land"} <= classes(space)
        for code in [Code(space.get("data-space", ""))]
    ]
    for group in drawn.root.iter():
        if "annotation" in classes(group) and classes(group) & {"canal", "passage"}:
            spaces = group.get("data-spaces", "").split()
            mark = next(part for part in group if part.get("transform"))
            x, y = map(float, re.findall(r"-?\d+(?:\.\d+)?", mark.get("transform", "")))
            for code, land in lands:
                if code not in spaces and land.contains(shapely.Point(x, y)):
                    yield say("the anchor of {spaces} stands in {code}", spaces=tuple(spaces), code=code)


def near_colours(on: Chart, theme: Theme) -> Iterator[Sentence]:
    """Yield the powers whose lands or inks some eye takes for each other and that nothing on the units tells apart."""
    if theme.tagged or len(on.powers) > CROWD:
        return
    pairs = (say("lands"), say("inks"))
    worn = theme.colours(on.powers, on.scene().like)
    for (one, a), (other, b) in combinations(worn.items(), 2):
        for what, first, second in zip(pairs, (a.land, a.ink), (b.land, b.ink), strict=True):
            for eye in EYES:
                far = distance(seen_by(eye, first), seen_by(eye, second))
                if far < APART:
                    yield say(
                        "the {what} of {one} and {other} are {far} apart for eyes with {eye} in the theme {theme}",
                        what=what,
                        one=one,
                        other=other,
                        far=f"{far:.1f}",
                        eye=eye,
                        theme=theme.name,
                    )


def untold(svg: str, width: int) -> Iterator[Sentence]:
    """Yield the units without initials in a picture so many pixels wide whose powers need them."""
    sheet = at_width(svg.partition("<style>")[2].partition("</style>")[0], width)
    if "--tagged:inline" not in sheet:
        return
    if re.search(r"(?:^|\})\s*\.tag\{display:none\}", sheet):
        yield say("no letters tell units apart at {width} pixels", width=width)  # english: ok
    for group in ReadPicture(svg).root.iter():
        if "unit" in classes(group) and not any("tag" in classes(part) for part in group):
            yield say("the unit in {space} bears no letters", space=group.get("data-space"))  # english: ok


def beyond_its_place(on: Chart, svg: str, width: int) -> Iterator[Sentence]:
    """Yield the lettering that runs over the frame or beyond the place kept free for it in the PNG of a picture.

    A box beside the map is a frame of its own. It is found by the pixels; needs `plenipo[png]`.
    """
    from PIL import Image, ImageChops, ImageDraw  # noqa: PLC0415  # an extra

    def paint(*rules: str) -> Image.Image:
        return Image.open(BytesIO(raster.png(svg.replace("</style>", f"{''.join(rules)}</style>", 1), width)))

    # the map is the same in both pictures, and painted once; leaders are no lettering, and hidden in both
    ground = paint(LEADERLESS, NAMELESS, UNCOVERED).convert("RGBA")
    with_names, without = (
        Image.alpha_composite(ground, paint(LEADERLESS, MAPLESS, *rules).convert("RGBA")).convert("RGB")
        for rules in ((), (NAMELESS,))
    )
    changed = ImageChops.difference(with_names, without).convert("L").point(lambda value: 255 if value > 60 else 0)
    west, north, wide, _ = map(float, svg.partition('viewBox="')[2].partition('"')[0].split())
    scale = width / wide
    drawn = ReadPicture(svg)

    def blacken(on_pixels: Image.Image, shape: BaseGeometry) -> None:
        brush = ImageDraw.Draw(on_pixels)
        for part in shapely.get_parts(shape):
            brush.polygon([((x - west) * scale, (y - north) * scale) for x, y in part.exterior.coords], fill=0)

    outside = changed.copy()
    for room in drawn.rooms:
        blacken(outside, room.buffer(EDGE / scale, join_style="mitre"))
    if outside.getbbox():
        yield say("lettering runs over the frame in the PNG of {width} pixels", width=width)
    placements = on.placements
    labels = drawn.labels(sorted({*placements.codes, *placements.names}), sorted(placements.small_codes), width)
    for label in labels:
        blacken(changed, label.shape.buffer(ROUND * label.size + 1 / scale))
    rows, columns = np.nonzero(np.asarray(changed))
    spots = shapely.points(columns / scale + west, rows / scale + north)
    if labels and len(spots):
        tree = shapely.STRtree([label.shape for label in labels])
        for number, count in zip(*np.unique(tree.nearest(spots), return_counts=True), strict=True):
            if count > SPECKS:
                yield say(
                    "the label of {space} runs beyond its place in the PNG of {width} pixels",
                    space=labels[number].space,
                    width=width,
                )

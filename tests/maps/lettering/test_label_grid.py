"""The grid of the search against the exact shapes it stands for."""

from functools import cache

import numpy as np
import pytest
import shapely

from maps.figures import standard_figure, standard_texts
from plenipo.engine.board import Code
from plenipo.maps.figure.board import board_from
from plenipo.maps.lettering.label_grid import LabelGrid, Window


@cache
def ground() -> LabelGrid:
    """The ground of the regular board."""
    return LabelGrid(standard_figure(), board_from(standard_figure(), standard_texts(), "standard"))


def test_the_cells_of_every_face_cover_its_area() -> None:
    counts = np.bincount(ground().owner.ravel(), minlength=len(ground().codes))
    for code, count in zip(ground().codes, counts, strict=True):
        area = ground().polygons[code].area
        assert abs(count * ground().cell ** 2 - area) < 0.02 * area


def test_every_cell_inside_the_frame_has_an_owner() -> None:
    assert (ground().owner[:-1, :-1] >= 0).all()


@pytest.mark.parametrize("code", ["CLY", "DEN", "NAT", "STP"])
def test_the_clearance_of_a_cell_is_its_distance_from_the_border_and_from_islands(code: str) -> None:
    window = Window.of(ground(), Code(code), 1000)
    face = ground().polygons[Code(code)]
    rows, columns = np.nonzero(window.own)
    chosen = slice(None, None, max(1, len(rows) // 50))
    for row, column in zip(rows[chosen], columns[chosen], strict=True):
        spot = shapely.Point(window.spots(np.array([row]), np.array([column]))[0])
        exact = min(face.boundary.distance(spot), ground().islands.distance(spot))
        assert abs(window.clearance[row, column] - exact) <= 1.5 * window.step * ground().cell


def test_the_shares_of_a_box_add_up() -> None:
    window = Window.of(ground(), Code("POR"), 3000)
    spot = np.array([ground().polygons[Code("POR")].representative_point().coords[0]])
    small, large = np.array([100.0, 100.0]), np.array([2500.0, 2500.0])
    assert window.shares("own", spot, -small, small) == [1.0]
    own, land = (window.shares(quality, spot, -large, large)[0] for quality in ("own", "land"))
    face = ground().polygons[Code("POR")]
    exact = face.intersection(shapely.box(*(spot[0] - large), *(spot[0] + large))).area / 5000**2
    assert abs(own - exact) < 0.05
    assert 0.0 < land < 1.0 - own


def test_what_lies_beyond_the_frame_counts_as_other_land() -> None:
    window = Window.of(ground(), Code("NAT"), 3000)
    assert window.land[:, 0].all()
    assert not window.own[:, 0].any()


def test_the_shores_of_a_land_with_two_coasts_touch_the_seas_of_each() -> None:
    shores = ground().shores(Code("BUL"))
    assert set(shores) == {"EC", "SC"}
    assert shores[next(c for c in shores if c == "EC")].distance(ground().polygons[Code("BLA")]) == 0
    assert shores[next(c for c in shores if c == "SC")].distance(ground().polygons[Code("BLA")]) > 0

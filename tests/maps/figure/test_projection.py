"""The plane of a map: there and back, and no folds."""

import json
import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from plenipo.errors import InvalidFigure
from plenipo.maps.figure.projection import Bulge, Projection

EUROPE = Projection(38, 62, 50, 15, (Bulge(10, 48, 0.4, 1450), Bulge(-3, 54.3, 0.35, 520)))
SOUTHERN = Projection(-20, -50, -35, 140, (Bulge(140, -30, -0.3, 600),))


@given(st.sampled_from([(EUROPE, 0, 15), (SOUTHERN, -80, 140)]), st.floats(-60, 60), st.floats(0, 80))
def test_a_place_comes_back_from_the_plane(where: tuple[Projection, int, int], east: float, north: float) -> None:
    projection, south, middle = where
    lon, lat = projection.inverse(*projection(middle + east, south + north))
    assert lon == pytest.approx(middle + east, abs=1e-6)
    assert lat == pytest.approx(south + north, abs=1e-6)


def test_the_origin_lies_at_zero_and_the_first_parallel_has_true_length() -> None:
    plain = Projection(38, 62, 50, 15)
    assert plain(15, 50) == pytest.approx((0, 0))
    (x0, y0), (x1, y1) = plain(15, 38), plain(15.01, 38)
    degree = 6371 * math.radians(0.01) * math.cos(math.radians(38))
    assert math.hypot(x1 - x0, y1 - y0) == pytest.approx(degree, rel=1e-6)


def test_a_bulge_magnifies_its_centre_and_leaves_far_places_alone() -> None:
    plain, bulged = Projection(38, 62, 50, 15), Projection(38, 62, 50, 15, (Bulge(10, 48, 0.5, 500),))
    before, after = (math.dist(p(10, 48), p(10, 48.1)) for p in (plain, bulged))
    assert after / before == pytest.approx(1.5, rel=1e-3)
    assert bulged(60, 40) == pytest.approx(plain(60, 40), abs=1e-6)


@pytest.mark.parametrize("gain", [-1.0, 2.3])
def test_a_bulge_that_folds_the_map_is_refused(gain: float) -> None:
    with pytest.raises(InvalidFigure, match="folds"):
        Bulge(0, 0, gain, 100)


@pytest.mark.parametrize(
    "data",
    [
        {"lat1": 38, "lat2": 62, "lat0": 50},
        {"lat1": 38, "lat2": 62, "lat0": 50, "lon0": "east"},
        {"lat1": 38, "lat2": 62, "lat0": 50, "lon0": 0, "lon1": 0},
        {"lat1": 38, "lat2": 38, "lat0": 50, "lon0": 0},
        {"lat1": 38, "lat2": 62, "lat0": 50, "lon0": 0, "bulges": [{"lon": 1}]},
        {"lat1": 38, "lat2": 62, "lat0": 50, "lon0": 0, "bulges": [{"lon": 1, "lat": 1, "gain": 1, "scale": 0}]},
    ],
)
def test_a_projection_that_makes_no_sense_is_refused(data: dict[str, object]) -> None:
    with pytest.raises(InvalidFigure):
        Projection.from_json(data)


def test_a_projection_comes_back_from_json() -> None:
    assert Projection.from_json(json.loads(json.dumps(EUROPE.to_json()))) == EUROPE

"""The placements of a map as a value: what a lettering says of itself, and the codec."""

import json
from itertools import pairwise
from math import dist, hypot
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from maps.figures import STANDARD
from plenipo.engine.board import Coast, Code, Location
from plenipo.errors import InvalidFigure
from plenipo.maps.lettering.placements import LabelPlacement, Placements, along
from plenipo.maps.lettering.typeface import LEADING

whole = st.integers(-50_000, 50_000)
points = st.tuples(whole, whole)
codes = st.from_regex(r"[A-Z]{3}( [0-9])?", fullmatch=True).map(Code)
spaces = st.one_of(codes, st.from_regex(r"\[[A-Z]{3}/[A-Z]{3}\((nc|sc)\)\]", fullmatch=True).map(Code))
locations = st.one_of(spaces.map(Location), st.builds(Location, codes, st.sampled_from(["NC", "SC"]).map(Coast)))
letterings = st.one_of(
    st.builds(LabelPlacement, st.tuples(st.text(min_size=1)), points, st.integers(1, 900)),
    st.builds(LabelPlacement, st.tuples(st.text(), st.text()), points, st.integers(1, 900), spacing=st.integers(0, 99)),
    st.builds(LabelPlacement, st.tuples(st.text()), points, st.integers(1, 900), st.tuples(points, points, points)),
)
placements = st.builds(
    Placements,
    names=st.dictionaries(codes, letterings, max_size=4),
    codes=st.dictionaries(codes, letterings, max_size=4),
    units=st.dictionaries(locations, points, max_size=4),
    dislodged=st.dictionaries(locations, points, max_size=4),
    centres=st.dictionaries(codes, points, max_size=4),
    corners=st.dictionaries(st.text(), points, max_size=4),
    unit=st.integers(1, 900),
    mark=st.integers(1, 900),
)


@given(placements)
def test_seats_come_back_from_json_as_they_went(value: Placements) -> None:
    text = value.to_json()
    assert Placements.from_json(text) == value
    assert Placements.from_json(text).to_json() == text


def test_the_committed_seats_are_written_as_the_codec_writes_them() -> None:
    text = (Path(STANDARD) / "placements.json").read_text(encoding="utf-8")
    assert Placements.from_json(text).to_json() == text


def test_one_line_stands_in_the_middle_and_two_share_it_evenly() -> None:
    (only,) = LabelPlacement(("Ruhr",), (500, 700), 100).baselines
    upper, lower = LabelPlacement(("Gulf of", "Bothnia"), (500, 700), 100).baselines
    assert only[0] == upper[0] == lower[0] == 500
    assert upper[1] - lower[1] == round(LEADING * 100)
    assert abs(upper[1] + lower[1] - 2 * only[1]) <= 2
    assert only[1] < 700


def test_steps_along_a_curve_are_even_and_end_where_it_ends() -> None:
    curve = ((0, 0), (3000, 2000), (4000, 0))
    line = along(curve, 12)
    steps = [dist(a, b) for a, b in pairwise(line)]
    assert (line[0], line[-1]) == (curve[0], curve[2])
    assert max(steps) < 1.02 * min(steps)
    assert sum(steps) > hypot(4000, 0)


GOOD = Placements({}, {Code("PAR"): LabelPlacement(("PAR",), (1, 2), 3)}, {}, {}, {}, {}, 7, 2).to_json()

SPOILED = {
    "no JSON": ("{", "cannot be read"),
    "another format": (GOOD.replace("plenipo-placements-1", "plenipo-placements-9"), "'plenipo-placements-9'"),
    "a table missing": (GOOD.replace('"centres"', '"centers"'), "lacks 'centres'"),
    "a place of three numbers": (GOOD.replace("[1,2]", "[1,2,3]"), "cannot be read"),
    "a place between whole numbers": (GOOD.replace("[1,2]", "[1.5,2]"), "1.5"),
    "a size that is a word": (GOOD.replace('"size":3', '"size":"large"'), "'large'"),
    "three lines": (GOOD.replace('["PAR"]', '["P","A","R"]'), "3 lines"),
    "a curve of two points": (GOOD.replace('"size":3', '"size":3,"curve":[[1,2],[3,4]]'), "2 points"),
    "a list": (json.dumps([]), "cannot be read"),
}


@pytest.mark.parametrize(("text", "said"), SPOILED.values(), ids=SPOILED)
def test_a_spoiled_file_is_refused_with_the_piece_that_is_wrong(text: str, said: str) -> None:
    with pytest.raises(InvalidFigure) as caught:
        Placements.from_json(text)
    assert said in str(caught.value)

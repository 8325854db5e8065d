"""The footprints of lettering: boxes and discs that contain all its letters."""

import numpy as np
import pytest

from plenipo.maps.lettering.footprints import HALF, Footprint, block, centre_line, disc, footprint_of
from plenipo.maps.lettering.placements import LabelPlacement
from plenipo.maps.lettering.typeface import ASCENT, DESCENT, width_of

WAYS = [("Ruhr",), ("Burgundy",), ("Gulf of", "Bothnia"), ("Constanti-", "nople")]


@pytest.mark.parametrize("lines", WAYS)
@pytest.mark.parametrize("water", [False, True])
def test_the_block_of_the_search_holds_the_boxes_of_the_check(lines: tuple[str, ...], *, water: bool) -> None:
    low, high = block(lines, water=water)
    boxes = footprint_of(LabelPlacement(lines, (0, 0), 1000), water=water).boxes / 1000
    assert np.allclose([*boxes.min(axis=0)[:2], *boxes.max(axis=0)[2:]], [*low, *high], atol=0.002)


def test_spacing_widens_a_name_between_its_letters() -> None:
    (plain,) = footprint_of(LabelPlacement(("ABC",), (0, 0), 100), water=True).boxes
    (spaced,) = footprint_of(LabelPlacement(("ABC",), (0, 0), 100, spacing=30), water=True).boxes
    assert spaced[2] - spaced[0] == pytest.approx(plain[2] - plain[0] + 2 * 30)


def test_a_level_curve_covers_what_straight_lettering_does() -> None:
    line = centre_line(LabelPlacement(("Black Sea",), (0, 33), 100, ((-400, 0), (0, 0), (400, 0))), water=True)
    half = width_of("Black Sea", water=True) * 50
    assert np.allclose(line[:, 1], (ASCENT - DESCENT) / 2 * 100)
    assert np.allclose(line[[0, -1], 0], [-half, half], atol=1)


def test_letters_that_find_no_room_on_a_curve_are_covered_all_the_same() -> None:
    short = LabelPlacement(("Black Sea",), (0, 33), 100, ((-50, 0), (0, 0), (50, 0)))
    found = footprint_of(short, water=True).discs
    assert found[:, 0].max() == pytest.approx(width_of("Black Sea", water=True) * 50, abs=1)
    assert set(found[:, 2]) == {HALF * 100}


def test_the_distance_from_things_covered_is_that_of_the_nearest() -> None:
    covered = Footprint.all([disc((0, 0), 10), Footprint(boxes=np.array([[100.0, -5.0, 120.0, 5.0]]))])
    spots = np.array([[20.0, 0.0], [90.0, 0.0], [110.0, 0.0], [123.0, 9.0], [0.0, 3.0]])
    assert covered.distance(spots).tolist() == [10.0, 10.0, 0.0, 5.0, -7.0]


def test_only_what_reaches_into_a_box_is_within_it() -> None:
    covered = Footprint.all(
        [disc((0, 0), 10), disc((50, 0), 10), Footprint(boxes=np.array([[100.0, -5.0, 120.0, 5.0]]))]
    )
    near = covered.within((35.0, -9.0), (101.0, 9.0))
    assert (len(near.discs), len(near.boxes)) == (1, 1)

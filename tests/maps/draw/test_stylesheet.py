"""The content of a picture at each width."""

from functools import cache

import pytest

from plenipo.charts import chart
from plenipo.raster import plain


@cache
def opening() -> str:
    return chart("standard").draw()


@pytest.mark.parametrize(
    ("width", "small", "middle"),
    [(390, True, False), (640, True, False), (641, True, True), (1000, True, True), (1001, False, False)],
)
def test_letters_tokens_and_lines_are_chosen_by_the_width_of_the_picture(
    width: int, *, small: bool, middle: bool
) -> None:
    sheet = plain(opening(), width).partition("<style>")[2].partition("</style>")[0]
    assert (".large{display:none}" in sheet) == small
    assert (".compact text{font-size:74px" in sheet) == middle
    assert ("{transform:scale(2.1)}" in sheet) == (small and not middle)
    assert "@media" not in sheet

"""Lines of orders: those too thin are found, and failures louder than successes; the package has neither."""

import pytest

from plenipo.charts import chart
from plenipo.mapfaults import WIDTHS
from plenipo.mapfaults.strokes import faint_successes, thin_lines

SVG = '<svg viewBox="0 0 1600 900"><style>{}</style></svg>'


@pytest.mark.parametrize("variant", ["standard", "irish"])
def test_the_lines_of_the_package_are_bold_and_successes_bolder(variant: str) -> None:
    on = chart(variant)
    svg = on.draw(on.scene(legend=False))
    assert [said for width in WIDTHS for said in (*thin_lines(svg, width), *faint_successes(svg, width))] == []


def test_lines_too_thin_are_found_at_the_width_where_they_are() -> None:
    sheet = ".line{stroke-width:4}.support .line{stroke-width:2}"
    assert list(thin_lines(SVG.format(sheet), 1600)) == []
    narrow = (
        "@media (max-width:640px){.line{stroke-width:7}.convoyed .line{stroke-width:4}.support .line{stroke-width:9}}"
    )
    assert list(thin_lines(SVG.format(sheet + narrow), 400)) == [
        "the lines of convoyed moves are 1.0 pixels wide at 400 pixels, less than 1.5"
    ]
    assert "the lines of moves are 1.0 pixels wide at 400 pixels, less than 1.5" in list(
        thin_lines(SVG.format(sheet), 400)
    )


@pytest.mark.parametrize(("width", "opacity", "found"), [(4, 1, 1), (4, 0.9, 0), (7, 0.5, 0), (7, 0.6, 1)])
def test_a_failure_as_bold_as_a_success_is_found(width: int, opacity: float, found: int) -> None:
    quiet = ".cut .line,.void .line{stroke-width:1}"
    sheet = f".line{{stroke-width:4}}.failed .line{{stroke-width:{width};stroke-opacity:{opacity}}}{quiet}"
    said = "moves that succeed are no bolder than those that fail at 1600 pixels"
    assert (said in list(faint_successes(SVG.format(sheet), 1600))) == found

"""Pixels and moving pictures, and the charts they are drawn on."""

import re
from dataclasses import replace
from functools import cache
from io import BytesIO
from pathlib import Path

import pytest

from plenipo import library
from plenipo.charts import Theme, chart, chart_of
from plenipo.engine.history.game import Game
from plenipo.engine.position import Power
from plenipo.errors import InvalidVariant, PlenipoError, UnknownName
from plenipo.raster import plain, png
from plenipo.replay import animate, scenes

image = pytest.importorskip("PIL.Image")
image_chops = pytest.importorskip("PIL.ImageChops")
pytest.importorskip("resvg_py")

CHART = chart("standard")


@cache
def game() -> Game:
    played = Game.new(library.load("standard"))
    for _ in range(2):
        played = played.process({"France": ["A PAR - BUR"], "Italy": ["A VEN - TRI"]})  # type: ignore[dict-item]
    return played


def opened(path: Path):  # type: ignore[no-untyped-def]  # noqa: ANN201  # a Pillow image, known only with the extra
    return image.open(path)


# pixels


def test_a_png_has_the_width_asked_for_and_the_colours_of_its_theme() -> None:
    with image.open(BytesIO(png(CHART.draw(), 300))) as picture:
        assert picture.format == "PNG"
        assert picture.width == 300
        assert picture.convert("RGB").getpixel((0, 0)) == (0xF4, 0xEC, 0xD9)  # the paper


def test_a_picture_three_pixels_wide_is_still_a_map() -> None:
    with image.open(BytesIO(png(CHART.draw(), 3))) as picture:
        assert picture.width == 3
        assert any(low != high for low, high in picture.convert("RGB").getextrema())


def test_names_are_written_in_the_face_that_comes_with_the_package() -> None:
    named, nameless = (png(CHART.draw(CHART.scene(labels=labels, legend=False)), 700) for labels in ("names", "none"))
    assert len(named) > len(nameless) + 5000


def test_custom_properties_are_put_in_for_the_renderer() -> None:
    text = plain(CHART.draw(theme="dark"), 1600)
    assert "var(" not in text
    assert "@media" not in text
    assert "#101518" in text


def test_narrow_rules_hold_for_narrow_pictures_only() -> None:
    assert ".large{display:none}" in plain(CHART.draw(), 390)
    assert ".large{display:none}" not in plain(CHART.draw(), 1600)


def test_an_undefined_property_is_refused() -> None:
    with pytest.raises(UnknownName, match="'--oz', which it does not set"):
        plain("<svg><style>.a{fill:var(--oz)}</style></svg>", 100)


@pytest.mark.parametrize("width", [0, -5, 100_000])
def test_a_width_that_is_none_is_refused(width: int) -> None:
    with pytest.raises(UnknownName, match=f"{width} is not a width"):
        png(CHART.draw(), width)


def test_a_text_that_is_no_picture_is_refused() -> None:
    with pytest.raises(PlenipoError, match="not a picture that can be rendered"):
        png("<svg", 100)


# moving pictures


def test_a_game_becomes_a_scene_a_turn_and_its_last_position() -> None:
    found = scenes(game(), CHART)
    assert len(found) == len(game().turns) + 1
    assert found[0].resolution is game().turns[0].resolution
    assert found[-1].position == game().position
    assert found[-1].resolution is None


@pytest.mark.parametrize(
    ("name", "kind"), [("game.png", "PNG"), ("game.APNG", "PNG"), ("game.gif", "GIF"), ("game.webp", "WEBP")]
)
def test_a_game_is_animated_and_progress_reported(tmp_path: Path, name: str, kind: str) -> None:
    told: list[tuple[int, int]] = []
    animate(
        scenes(game(), CHART),
        CHART,
        tmp_path / name,
        width=120,
        phase=500,
        progress=lambda done, of: told.append((done, of)),
    )
    with opened(tmp_path / name) as picture:
        assert picture.format == kind
        assert picture.n_frames == 3
        assert picture.width == 120
        picture.seek(2)
        picture.load()
        assert picture.info["duration"] == 1500
    assert told == [(1, 3), (2, 3), (3, 3)]


@pytest.mark.parametrize("name", ["game.png", "game.gif", "game.webp"])
def test_every_frame_has_the_colours_of_its_theme(tmp_path: Path, name: str) -> None:
    """A unit of Austria in the paint of Austria, in the first frame and the last, whatever else changed."""
    animate(scenes(game(), CHART), CHART, tmp_path / name, width=700)
    red = tuple(bytes.fromhex(Theme.from_name("light").colours(CHART.powers)[Power("Austria")].ink[1:]))
    with opened(tmp_path / name) as picture:
        for number in (0, 1, picture.n_frames - 1):
            picture.seek(number)
            counts = {colour: count for count, colour in picture.convert("RGB").getcolors(1 << 20)}
            assert counts.get(red, 0) > 50


@pytest.mark.parametrize("name", ["game.png", "game.gif", "game.webp"])
def test_a_frame_is_the_picture_of_its_scene(tmp_path: Path, name: str) -> None:
    animate(scenes(game(), CHART), CHART, tmp_path / name, width=300)
    with opened(tmp_path / name) as picture, image.open(BytesIO(png(CHART.draw(scenes(game(), CHART)[1]), 300))) as one:
        picture.seek(1)
        difference = image_chops.difference(picture.convert("RGB"), one.convert("RGB")).convert("L").histogram()
    assert sum(difference[40:]) < 0.005 * sum(difference)


@pytest.mark.parametrize(("variant", "theme"), [("standard", "light"), ("standard", "safe-dark"), ("cline", "print")])
def test_the_sheets_of_a_picture_lie_one_on_the_other_as_it_is_drawn(variant: str, theme: str) -> None:
    on = chart(variant)
    scene = on.scene(marks={"BOH": "hole", "NTH": "hole"})  # type: ignore[dict-item]
    water, land, upper = (image.open(BytesIO(png(sheet, 500))).convert("RGBA") for sheet in on.sheets(scene, theme))
    laid = image.alpha_composite(image.alpha_composite(water, land), upper).convert("RGB")
    with image.open(BytesIO(png(on.draw(scene, theme), 500))) as whole:
        difference = image_chops.difference(laid, whole.convert("RGB"))
    histogram = difference.convert("L").histogram()
    assert max(high for _, high in difference.getextrema()) <= 8  # the effect of rounding, hardly visible
    assert sum(histogram[4:]) < 0.001 * sum(histogram)


def test_the_water_is_the_same_sheet_in_all_pictures_of_a_game() -> None:
    shown = [replace(scene, legend=False, title="") for scene in scenes(game(), CHART)]
    sheets = [CHART.sheets(scene) for scene in shown]
    untold = [re.sub(r"<title.*?</title>", "", water, flags=re.DOTALL) for water, _, _ in sheets]
    assert len(set(untold)) == 1


def test_custom_scenes_are_animated_on_their_chart(tmp_path: Path) -> None:
    animate([CHART.scene(), CHART.scene(game().position)], CHART, tmp_path / "two.gif", theme="print", width=100)
    with opened(tmp_path / "two.gif") as picture:
        assert picture.n_frames == 2


def test_what_cannot_be_animated_is_refused(tmp_path: Path) -> None:
    sentence = "'game.mp4' is not a name for a moving picture; let it end in .png, .apng, .gif, .webp."
    with pytest.raises(UnknownName, match=re.escape(sentence)):
        animate(scenes(game(), CHART), CHART, tmp_path / "game.mp4")
    assert not (tmp_path / "game.mp4").exists()


def test_no_scene_at_all_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UnknownName, match="no scene to show"):
        animate([], CHART, tmp_path / "none.gif")


def test_an_unwritable_place_is_reported_before_the_work(tmp_path: Path) -> None:
    told: list[int] = []
    pictured = scenes(game(), CHART)
    with pytest.raises(OSError, match="nowhere"):
        animate(pictured, CHART, tmp_path / "nowhere" / "game.gif", progress=lambda done, _: told.append(done))
    assert not told


# charts


def test_a_chart_knows_its_variant() -> None:
    assert CHART.title == "Diplomacy"
    assert chart("standard") is chart("standard")
    assert CHART.scene().powers == library.load("standard").names
    assert CHART.scene(resolution=game().turns[1].resolution).position is game().turns[1].resolution.before


def test_land_without_a_centre_follows_the_owner_of_its_centre() -> None:
    lands = CHART.lands(replace(CHART.opening, owners={"VIE": "Italy"}))  # type: ignore[dict-item]
    assert lands["BOH"] == "Italy"  # type: ignore[index]
    assert "GAL" not in lands


def copy_of_standard(folder: Path) -> Path:
    for name in ("variant.toml", "figure.json", "placements.json", "look.toml"):
        text = (library.VARIANTS / "standard" / name).read_text(encoding="utf-8")
        (folder / name).write_text(text, encoding="utf-8")
    return folder


def test_a_folder_anywhere_can_be_drawn(tmp_path: Path) -> None:
    assert chart(copy_of_standard(tmp_path)).draw().startswith("<svg")


@pytest.mark.parametrize(
    ("name", "text", "sentence"),
    [
        ("placements.json", None, "cannot be drawn without placements.json"),
        ("placements.json", "{}", "the list of placements lacks 'format'"),
        ("look.toml", "[follows]\nOZ = 'PAR'", "'follows.OZ' names 'OZ'; a province follows a supply centre"),
        ("look.toml", "[follows]\nBUR = 'GAS'", "'follows.BUR' names 'GAS'; a province follows a supply centre"),
        ("look.toml", "follows", "this is not TOML"),
    ],
)
def test_a_folder_that_cannot_be_drawn_is_refused(tmp_path: Path, name: str, text: str | None, sentence: str) -> None:
    folder = copy_of_standard(tmp_path)
    if text is None:
        (folder / name).unlink()
    else:
        (folder / name).write_text(text, encoding="utf-8")
    chart_of.cache_clear()
    with pytest.raises(InvalidVariant, match=sentence):
        chart(folder)

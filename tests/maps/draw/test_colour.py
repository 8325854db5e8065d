"""The colours of the themes, measured: for every eye, and for reading."""

import colorsys
from itertools import combinations

import pytest

from maps.draw.colours import EYES, ciede2000, contrast, distance, seen_by
from plenipo.engine.position import Power
from plenipo.errors import UnknownName
from plenipo.maps.draw import Theme
from plenipo.maps.draw.theme import Colours

SAFE = ("safe", "safe-dark", "muted")
"""The themes for every colour vision."""

COLOURED = ("light", "dark", *SAFE)

SEVEN = ("Austria", "England", "France", "Germany", "Italy", "Russia", "Turkey")

APART = 9.0
"""CIEDE2000 between the land of any two of the seven powers in a safe theme, whoever looks."""

APART_FOR_MOST = 14.0
"""The same for a normal eye, in any theme with colours but the muted one, which may come down to 13."""

APART_OF_MANY = 4.0
"""The same among all 23 powers and the pieces of nobody; in a safe theme their patterns differ besides."""

NINE_APART = 8.0
"""The same among the nine powers of a board, in a safe theme."""

NINES = (
    "Austria Barbary England France Germany Italy Persia Russia Turkey",
    "Austria England France Italy Moors Prussia Russia Sweden Turkey",
)

MINORS = (
    "Albania Belgium Bulgaria Denmark Greece Holland Iceland North_Africa Norway Portugal Rumania Serbia Spain Sweden "
    "Switzerland Tunis"
)


def colours(theme: str) -> list[Colours]:
    return [*Theme.named(theme).powers.values(), *Theme.named(theme).spare]


def least(eye: str, several: list[Colours]) -> float:
    return min(distance(seen_by(eye, a.land), seen_by(eye, b.land)) for a, b in combinations(several, 2))


@pytest.mark.parametrize("eye", EYES)
@pytest.mark.parametrize("theme", SAFE)
def test_every_eye_tells_the_seven_powers_apart(theme: str, eye: str) -> None:
    assert least(eye, [Theme.named(theme).powers[power] for power in SEVEN]) >= APART


@pytest.mark.parametrize("eye", EYES)
@pytest.mark.parametrize("theme", SAFE)
def test_every_eye_tells_many_powers_apart(theme: str, eye: str) -> None:
    assert least(eye, colours(theme)) >= APART_OF_MANY


@pytest.mark.parametrize("theme", COLOURED)
def test_a_normal_eye_tells_the_seven_powers_apart(theme: str) -> None:
    wanted = 13.0 if theme == "muted" else APART_FOR_MOST
    assert least("normal", [Theme.named(theme).powers[power] for power in SEVEN]) >= wanted


def worn(theme: str, names: str) -> list[Colours]:
    """The colours of powers that play together."""
    powers = [Power(name.replace("_", " ")) for name in names.split()]
    return list(Theme.named(theme).colours(powers).values())


@pytest.mark.parametrize("nine", NINES)
@pytest.mark.parametrize("theme", COLOURED)
def test_nine_powers_are_told_apart(theme: str, nine: str) -> None:
    assert least("normal", worn(theme, nine)) >= 11.0
    if theme in SAFE:
        assert min(least(eye, worn(theme, nine)) for eye in EYES) >= (7.5 if theme == "muted" else NINE_APART)


@pytest.mark.parametrize("theme", COLOURED)
def test_a_normal_eye_tells_23_powers_and_nobodys_pieces_apart(theme: str) -> None:
    everyone = worn(theme, " ".join((*SEVEN, MINORS, "Neutral")))
    assert len(everyone) == 24
    assert least("normal", everyone) >= (10.0 if theme in ("light", "dark") else APART_OF_MANY)


@pytest.mark.parametrize("theme", COLOURED)
def test_land_of_a_power_is_not_taken_for_land_of_nobody(theme: str) -> None:
    tokens = Theme.named(theme).tokens
    for power in colours(theme):
        assert min(distance(power.land, tokens[ground]) for ground in ("land", "sea-0", "sea-1")) >= 5.0


@pytest.mark.parametrize("theme", [*COLOURED, "print"])
def test_a_power_wears_the_colours_of_another_unless_both_play(theme: str) -> None:
    prussia, germany = Power("Prussia"), Power("Germany")
    chosen = Theme.named(theme)
    assert chosen.colours([prussia])[prussia] == chosen.powers["Germany"]
    both = chosen.colours([prussia, germany])
    assert both[germany] == chosen.powers["Germany"]
    assert both[prussia] in chosen.spare


@pytest.mark.parametrize("theme", [*COLOURED, "print"])
def test_links_and_marks_can_be_seen(theme: str) -> None:
    tokens = Theme.named(theme).tokens
    assert contrast(tokens["mark"], tokens["halo"]) >= 4.5
    assert contrast(tokens["sea-text"], tokens["sea-halo"]) >= 4.5


@pytest.mark.parametrize("theme", [*SAFE, "print"])
def test_no_two_powers_share_a_pattern_where_patterns_are_drawn(theme: str) -> None:
    assert Theme.named(theme).patterned
    assert Theme.named(theme).tagged
    patterns = [c.pattern for c in colours(theme)]
    assert len(patterns) == len(set(patterns)) == 24


def test_print_is_black_and_white() -> None:
    theme = Theme.named("print")
    values = {*theme.tokens.values(), *(c.land for c in colours("print")), *(c.ink for c in colours("print"))}
    assert {value for value in values if value.startswith("#")} == {"#000000", "#ffffff"}


@pytest.mark.parametrize("theme", [*COLOURED, "print"])
def test_names_can_be_read_on_all_land(theme: str) -> None:
    tokens = Theme.named(theme).tokens
    lands = [tokens["land"], tokens["land-off"], *(c.land for c in colours(theme))]
    assert min(contrast(tokens["label"], land) for land in lands) >= 4.5


@pytest.mark.parametrize("theme", [*COLOURED, "print"])
def test_names_can_be_read_on_water_and_in_the_margin(theme: str) -> None:
    tokens = Theme.named(theme).tokens
    assert min(contrast(tokens["sea-text"], tokens[water]) for water in ("sea-0", "sea-1")) >= 4.5
    assert contrast(tokens["ink"], tokens["paper"]) >= 4.5


@pytest.mark.parametrize("theme", [*COLOURED, "print"])
def test_units_and_orders_stand_out(theme: str) -> None:
    tokens = Theme.named(theme).tokens
    for power in colours(theme):
        assert contrast(power.ink, power.land) >= 3.0
        assert contrast(power.ink, tokens["glyph"]) >= 4.5
    assert contrast(tokens["bad"], tokens["edge"]) >= 4.5


# the measures themselves


@pytest.mark.parametrize(
    ("first", "second", "known"),
    [
        # from the test data of Sharma, Wu and Dalal
        ((50, 2.6772, -79.7751), (50, 0, -82.7485), 2.0425),
        ((50, -1, 2), (50, 0, 0), 2.3669),
        ((50, 2.49, -0.001), (50, -2.49, 0.0009), 7.1792),
        ((50, 2.5, 0), (73, 25, -18), 27.1492),
        ((50, 2.5, 0), (56, -27, -3), 31.9030),
        ((60.2574, -34.0099, 36.2677), (60.4626, -34.1751, 39.4387), 1.2644),
        ((2.0776, 0.0795, -1.135), (0.9033, -0.0636, -0.5514), 0.9082),
    ],
)
def test_distances_are_those_of_the_published_data(
    first: tuple[float, float, float], second: tuple[float, float, float], known: float
) -> None:
    assert ciede2000(first, second) == pytest.approx(known, abs=5e-5)
    assert ciede2000(second, first) == pytest.approx(known, abs=5e-5)


def test_red_and_green_are_nearer_to_eyes_without_red_or_green() -> None:
    red, green = "#c0392b", "#6b8e23"
    apart = {eye: distance(seen_by(eye, red), seen_by(eye, green)) for eye in EYES}
    assert apart["deuteranopia"] < apart["normal"] / 2
    assert apart["protanopia"] < apart["normal"] / 2


@pytest.mark.parametrize("eye", EYES)
def test_grey_stays_grey_to_every_eye(eye: str) -> None:
    assert distance("#808080", seen_by(eye, "#808080")) < 1


def test_contrast_has_the_known_ends() -> None:
    assert contrast("#fff", "#000000") == pytest.approx(21)
    assert contrast("#777", "#777777") == pytest.approx(1)


@pytest.mark.parametrize("colour", ["red", "#12", "#12345g", ""])
def test_what_is_no_colour_is_refused(colour: str) -> None:
    with pytest.raises(UnknownName, match="is no colour"):
        contrast(colour, "#fff")


def _hue(colour: str) -> float:
    """Where on the wheel of colours, in degrees."""
    red, green, blue = (int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5))
    return colorsys.rgb_to_hls(red, green, blue)[0] * 360


@pytest.mark.parametrize("other", ["dark"])
def test_a_minor_power_keeps_its_hue_from_theme_to_theme(other: str) -> None:
    light = Theme.named("light").spare
    pairs = zip(light, Theme.named(other).spare, strict=False)
    turns = [abs(_hue(one.ink) - _hue(same.ink)) for one, same in pairs]
    assert max(min(turn, 360 - turn) for turn in turns) <= 75
    assert sum(min(turn, 360 - turn) <= 30 for turn in turns) >= len(light) // 2


def test_no_land_glares() -> None:
    """Land as light and as full of colour as a marker pen draws the eye before everything else."""
    for power in (*Theme.named("light").powers.values(), *Theme.named("light").spare):
        _, lightness, saturation = colorsys.rgb_to_hls(*(int(power.land[i : i + 2], 16) / 255 for i in (1, 3, 5)))
        assert not (lightness < 0.8 and saturation > 0.85), power.land

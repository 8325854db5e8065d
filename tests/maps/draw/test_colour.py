"""The colours of the themes, measured: for every eye, and for reading."""

import colorsys
import re
from itertools import combinations, permutations
from pathlib import Path

import pytest

import palettes
from plenipo import library
from plenipo.engine.position import Power
from plenipo.errors import InvalidVariant, UnknownName
from plenipo.maps.draw import Theme
from plenipo.maps.draw.colours import EYES, contrast, distance, seen_by, uniform
from plenipo.maps.draw.law import LAW
from plenipo.maps.draw.theme import Colours, theme_file

SAFE = ("safe", "safe-dark", "muted")
"""The themes for every colour vision."""

COLOURED = ("light", "dark", *SAFE)

MEET = ("standard", "cline", "napoleonic", "irish", "ancient-mediterranean", "crowded", "hundred", "two-shores")
"""Variants of the sets of powers that play together; the 34 of Chaos are more than there are colours."""


def colours(theme: str) -> list[Colours]:
    return [*Theme.from_name(theme).powers.values(), *Theme.from_name(theme).spare]


@pytest.mark.parametrize("theme", Theme.names())
def test_every_theme_keeps_the_law_of_colours(theme: str) -> None:
    assert list(Theme.from_name(theme).faults()) == []


@pytest.mark.parametrize("variant", MEET)
@pytest.mark.parametrize("theme", COLOURED)
def test_every_eye_distinguishes_powers_that_meet(theme: str, variant: str) -> None:
    """The theme's law covers the colours it names; this test covers the powers of the game, in any colours."""
    infos = library.load(variant).powers
    powers = [info.name for info in infos]
    worn = Theme.from_name(theme).colours(powers, {info.name: info.like for info in infos if info.like}).values()
    asked = LAW[Theme.from_name(theme).kind]
    for eye in EYES:
        few = asked.apart_normal if eye == "normal" else asked.apart
        many = asked.normal_of_many if eye == "normal" else asked.apart_of_many
        least = min(distance(seen_by(eye, a.land), seen_by(eye, b.land)) for a, b in combinations(worn, 2))
        assert least >= (few if len(powers) < 11 else many)


@pytest.mark.parametrize("variant", ["standard", "corner", "1897", "napoleonic", "cline"])
@pytest.mark.parametrize("theme", COLOURED)
def test_lands_inks_and_grounds_are_eight_apart_for_every_eye_where_few_play(theme: str, variant: str) -> None:
    infos, tokens = library.load(variant).powers, Theme.from_name(theme).tokens
    like = {info.name: info.like for info in infos if info.like}
    worn = Theme.from_name(theme).colours([info.name for info in infos], like).values()
    for eye in EYES:
        for one, other in combinations(worn, 2):
            assert distance(seen_by(eye, one.land), seen_by(eye, other.land)) >= 8
            assert distance(seen_by(eye, one.ink), seen_by(eye, other.ink)) >= 8
        for ground in ("land", "land-off", "sea-0", "sea-1"):
            assert min(distance(seen_by(eye, c.land), seen_by(eye, tokens[ground])) for c in worn) >= 8


TRADITION = {"Austria": (-10, 30), "England": (215, 265), "France": (180, 215), "Italy": (75, 150), "Turkey": (38, 60)}
"""The hues of the great powers on every board, in degrees from red: red, blue, sky blue, green, yellow."""


@pytest.mark.parametrize("theme", COLOURED)
def test_the_great_powers_wear_the_colours_of_tradition(theme: str) -> None:
    worn = Theme.from_name(theme).powers
    for power, (least, most) in TRADITION.items():
        assert least <= (_hue(worn[power].land) + 30) % 360 - 30 <= most, power
    assert all(_fullness(worn["Germany"].land) < _fullness(worn[power].land) for power in TRADITION)


def text_of(theme: str) -> str:
    return Path(str(theme_file(theme))).read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("changed", "sentence"),
    [
        (("England", "France"), "the lands of England and France are 0.0 apart for everybody"),
        (("England", "sea-0"), "the land of England and 'sea-0' are 0.0 apart"),
    ],
)
def test_a_theme_that_breaks_the_law_is_refused_in_a_sentence(changed: tuple[str, str], sentence: str) -> None:
    light, (one, other) = Theme.from_name("light"), changed
    land = light.powers[other].land if other in light.powers else light.tokens[other]
    text = text_of("light").replace(light.powers[one].land, land)
    with pytest.raises(InvalidVariant, match=re.escape(sentence)):
        Theme.from_toml(text, "mine")


@pytest.mark.parametrize("theme", COLOURED)
def test_orders_are_seen_on_every_land_and_on_every_ground(theme: str) -> None:
    worn, tokens = Theme.from_name(theme).powers, Theme.from_name(theme).tokens
    for one, other in permutations(worn.values(), 2):
        assert contrast(one.ink, other.land) >= 1.8
    for dress in worn.values():
        assert contrast(dress.ink, tokens["edge"]) >= 4.5
        assert min(contrast(dress.ink, tokens[ground]) for ground in ("sea-0", "sea-1", "land", "land-off")) >= 2.8


def test_a_theme_whose_orders_vanish_on_the_land_of_others_breaks_the_law() -> None:
    light = Theme.from_name("light")
    text = text_of("light").replace(light.powers["England"].ink, light.powers["France"].land)
    said = list(Theme.from_toml(text, "mine", lawful=False).faults())
    assert any(sentence.startswith("the orders of England on the land of France") for sentence in said)


def test_a_theme_with_writing_that_cannot_be_read_is_refused() -> None:
    with pytest.raises(InvalidVariant, match="'ink' on 'paper' have a contrast of"):
        Theme.from_toml(re.sub('ink = "#221b15"', 'ink = "#f4ecd9"', text_of("light")), "mine")


@pytest.mark.parametrize("theme", COLOURED)
def test_a_power_keeps_its_hue_from_theme_to_theme(theme: str) -> None:
    """Grey, and what is nearly grey, has no hue to keep."""
    light, other = Theme.from_name("light").powers, Theme.from_name(theme).powers
    pairs = [(light[power].land, other[power].land) for power in light if power in other]
    turns = [abs(_hue(a) - _hue(b)) for a, b in pairs if min(_fullness(a), _fullness(b)) > 0.08]
    assert len(turns) >= 7
    assert max(min(turn, 360 - turn) for turn in turns) <= 60


@pytest.mark.parametrize("theme", [*COLOURED, "print"])
def test_a_power_wears_the_colours_of_another_unless_both_play(theme: str) -> None:
    prussia, germany = Power("Prussia"), Power("Germany")
    chosen = Theme.from_name(theme)
    assert chosen.colours([prussia])[prussia] == chosen.powers["Germany"]
    both = chosen.colours([prussia, germany])
    assert both[germany] == chosen.powers["Germany"]
    assert both[prussia] != both[germany]


@pytest.mark.parametrize("theme", [*COLOURED, "print"])
def test_links_and_marks_can_be_seen(theme: str) -> None:
    tokens = Theme.from_name(theme).tokens
    assert contrast(tokens["mark"], tokens["halo"]) >= 4.5
    assert contrast(tokens["sea-text"], tokens["sea-halo"]) >= 4.5


@pytest.mark.parametrize("theme", [*SAFE, "print"])
def test_no_two_powers_share_a_pattern_where_patterns_are_drawn(theme: str) -> None:
    assert Theme.from_name(theme).patterned
    assert Theme.from_name(theme).tagged
    patterns = [c.pattern for c in colours(theme)]
    assert len(patterns) == len(set(patterns)) == 24


def test_print_is_black_and_white() -> None:
    theme = Theme.from_name("print")
    values = {*theme.tokens.values(), *(c.land for c in colours("print")), *(c.ink for c in colours("print"))}
    assert {value for value in values if value.startswith("#")} == {"#000000", "#ffffff"}


# the measures themselves


@pytest.mark.parametrize(
    ("colour", "known"),
    [
        # from colorspacious 1.1.2, an implementation of its own
        ("#ff0000", (60.048, 38.689, 24.319)),
        ("#00ff00", (87.004, -32.233, 30.431)),
        ("#0000ff", (31.221, -8.383, -39.159)),
        ("#c0392b", (49.907, 28.976, 16.883)),
        ("#808080", (56.229, -1.265, -0.762)),
        ("#231a13", (13.723, 2.655, 4.327)),
    ],
)
def test_colours_lie_where_another_implementation_of_cam02_ucs_puts_them(
    colour: str, known: tuple[float, float, float]
) -> None:
    assert uniform(colour) == pytest.approx(known, abs=0.02)


@pytest.mark.parametrize("theme", COLOURED)
def test_the_search_of_palettes_measures_as_the_law_does(theme: str) -> None:
    worn = [colour.land for colour in colours(theme)]
    found = palettes.uniform(palettes.linear_of(worn))
    for eye, row in zip(EYES, found, strict=True):
        for colour, place in zip(worn, row, strict=True):
            # the search does not round what an eye sees to bytes
            assert tuple(place) == pytest.approx(uniform(seen_by(eye, colour)), abs=0.6)


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
    """Return the hue in degrees."""
    red, green, blue = (int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5))
    return colorsys.rgb_to_hls(red, green, blue)[0] * 360


def _fullness(colour: str) -> float:
    """Return the chroma, from 0 for grey to 1."""
    parts = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    return max(parts) - min(parts)


def test_no_land_glares() -> None:
    """Land as light and as full of colour as a marker pen draws the eye before everything else."""
    for power in (*Theme.from_name("light").powers.values(), *Theme.from_name("light").spare):
        _, lightness, saturation = colorsys.rgb_to_hls(*(int(power.land[i : i + 2], 16) / 255 for i in (1, 3, 5)))
        assert not (lightness < 0.8 and saturation > 0.85), power.land

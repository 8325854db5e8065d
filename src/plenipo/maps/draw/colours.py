"""Colours measured: contrast, perceived distance, and how they look to colour-blind eyes; standard library only.

A colour is written `#rrggbb` or `#rgb` in sRGB. The measures say whether a palette can be read:

- `contrast` is the ratio of WCAG 2 (1 to 21; text wants 4.5);
- `distance` is CIEDE2000 (Sharma, Wu, Dalal 2005), where 1 is about the least a trained eye sees side by side;
- `seen_by` simulates a whole lack of one kind of cone (Machado, Oliveira, Fernandes 2009, severity 1).
"""

import math
import re
from collections.abc import Sequence

from plenipo.errors import UnknownName

__all__ = ["EYES", "ciede2000", "contrast", "distance", "halfway", "seen_by"]

Triple = tuple[float, float, float]

EYES: dict[str, tuple[Triple, Triple, Triple]] = {
    "normal": ((1, 0, 0), (0, 1, 0), (0, 0, 1)),
    "protanopia": ((0.152286, 1.052583, -0.204868), (0.114503, 0.786281, 0.099216), (-0.003882, -0.048116, 1.051998)),
    "deuteranopia": ((0.367322, 0.860646, -0.227968), (0.280085, 0.672501, 0.047413), (-0.011820, 0.042940, 0.968881)),
    "tritanopia": ((1.255528, -0.076749, -0.178779), (-0.078411, 0.930809, 0.147602), (0.004733, 0.691367, 0.303900)),
}
"""What each eye makes of linear red, green and blue: a row for each of the three it sees."""

_TO_XYZ = ((0.4124564, 0.3575761, 0.1804375), (0.2126729, 0.7151522, 0.0721750), (0.0193339, 0.1191920, 0.9503041))
_WHITE = (0.95047, 1.0, 1.08883)
_HEX = re.compile(r"#(?:[0-9a-fA-F]{3}){1,2}")


def halfway(first: str, second: str) -> str:
    """The colour between two.

    >>> halfway("#000", "#ffffff")
    '#7f7f7f'
    """
    one, other = (
        colour[1:] if len(colour) > 4 else "".join(2 * digit for digit in colour[1:]) for colour in (first, second)
    )
    mixed = ((int(one[i : i + 2], 16) + int(other[i : i + 2], 16)) // 2 for i in (0, 2, 4))
    return "#" + "".join(f"{part:02x}" for part in mixed)


def contrast(first: str, second: str) -> float:
    """The contrast ratio of two colours, from 1 to 21, whichever is the lighter.

    >>> round(contrast("#000", "#fff"), 1)
    21.0
    """
    low, high = sorted(_dot(_TO_XYZ[1], _linear(colour)) for colour in (first, second))
    return (high + 0.05) / (low + 0.05)


def seen_by(eye: str, colour: str) -> str:
    """The colour a normal eye would have to see to see what `eye`, a key of `EYES`, sees.

    >>> seen_by("normal", "#a02519")
    '#a02519'
    """
    linear = _linear(colour)
    return "#" + "".join(f"{_byte(_dot(row, linear)):02x}" for row in EYES[eye])


def distance(first: str, second: str) -> float:
    """The perceived distance of two colours, CIEDE2000 with all weights 1.

    >>> round(distance("#ff0000", "#00ff00"), 1)
    86.6
    """
    return ciede2000(_lab(first), _lab(second))


def ciede2000(first: Triple, second: Triple) -> float:
    """The distance of two colours given as CIE L*, a*, b*.

    >>> round(ciede2000((50, 2.5, 0), (73, 25, -18)), 4)
    27.1492
    """
    (l1, a1, b1), (l2, a2, b2) = first, second
    mean_c7 = ((math.hypot(a1, b1) + math.hypot(a2, b2)) / 2) ** 7
    g = 0.5 * (1 - math.sqrt(mean_c7 / (mean_c7 + 25**7)))
    a1, a2 = a1 * (1 + g), a2 * (1 + g)
    c1, c2 = math.hypot(a1, b1), math.hypot(a2, b2)
    h1, h2 = math.degrees(math.atan2(b1, a1)) % 360, math.degrees(math.atan2(b2, a2)) % 360
    turn = (h2 - h1 + 180) % 360 - 180 if c1 and c2 else 0.0
    dl, dc, dh = l2 - l1, c2 - c1, 2 * math.sqrt(c1 * c2) * math.sin(math.radians(turn / 2))
    lightness, chroma = (l1 + l2) / 2, (c1 + c2) / 2
    hue = (h1 + turn / 2) % 360 if c1 and c2 else h1 + h2
    t = (
        1
        - 0.17 * _cos(hue - 30)
        + 0.24 * _cos(2 * hue)
        + 0.32 * _cos(3 * hue + 6)
        - 0.20 * _cos(4 * hue - 63)
    )  # fmt: skip
    sl = 1 + 0.015 * (lightness - 50) ** 2 / math.sqrt(20 + (lightness - 50) ** 2)
    sc, sh = 1 + 0.045 * chroma, 1 + 0.015 * chroma * t
    rotation = 2 * math.sqrt(chroma**7 / (chroma**7 + 25**7))
    rt = -math.sin(math.radians(60 * math.exp(-(((hue - 275) / 25) ** 2)))) * rotation
    return math.sqrt((dl / sl) ** 2 + (dc / sc) ** 2 + (dh / sh) ** 2 + rt * (dc / sc) * (dh / sh))


def _cos(degrees: float) -> float:
    return math.cos(math.radians(degrees))


def _dot(row: Sequence[float], column: Sequence[float]) -> float:
    return sum(a * b for a, b in zip(row, column, strict=True))


def _linear(colour: str) -> Triple:
    if not _HEX.fullmatch(colour):
        raise UnknownName(f"'{colour}' is no colour; write one as #rrggbb.")
    digits = colour[1:] if len(colour) == 7 else "".join(2 * digit for digit in colour[1:])
    red, green, blue = (int(digits[i : i + 2], 16) / 255 for i in (0, 2, 4))
    return _straight(red), _straight(green), _straight(blue)


def _straight(value: float) -> float:
    """The linear light of an sRGB value between 0 and 1."""
    return value / 12.92 if value <= 0.04045 else ((value + 0.055) / 1.055) ** 2.4


def _byte(light: float) -> int:
    light = min(1.0, max(0.0, light))
    value = light * 12.92 if light <= 0.0031308 else 1.055 * light ** (1 / 2.4) - 0.055
    return round(value * 255)


def _lab(colour: str) -> Triple:
    linear = _linear(colour)
    x, y, z = (_root(_dot(row, linear) / white) for row, white in zip(_TO_XYZ, _WHITE, strict=True))
    return 116 * y - 16, 500 * (x - y), 200 * (y - z)


def _root(value: float) -> float:
    return math.cbrt(value) if value > (6 / 29) ** 3 else value / (3 * (6 / 29) ** 2) + 4 / 29

"""Colours measured: contrast, perceived distance, and how they look to colour-blind eyes; standard library only.

A colour is written `#rrggbb` or `#rgb` in sRGB. The measures say whether a palette can be read:

- `contrast` is the ratio of WCAG 2 (1 to 21; text wants 4.5);
- `distance` is that of CAM02-UCS (Luo, Cui, Li 2006), where 1 is about the least a trained eye sees side by side;
- `seen_by` simulates a whole lack of one kind of cone (Machado, Oliveira, Fernandes 2009, severity 1).
"""

import math
import re
from collections.abc import Sequence

from plenipo.errors import UnknownName

__all__ = ["EYES", "contrast", "distance", "halfway", "seen_by", "uniform"]

Triple = tuple[float, float, float]

EYES: dict[str, tuple[Triple, Triple, Triple]] = {
    "normal": ((1, 0, 0), (0, 1, 0), (0, 0, 1)),
    "protanopia": ((0.152286, 1.052583, -0.204868), (0.114503, 0.786281, 0.099216), (-0.003882, -0.048116, 1.051998)),
    "deuteranopia": ((0.367322, 0.860646, -0.227968), (0.280085, 0.672501, 0.047413), (-0.011820, 0.042940, 0.968881)),
    "tritanopia": ((1.255528, -0.076749, -0.178779), (-0.078411, 0.930809, 0.147602), (0.004733, 0.691367, 0.303900)),
}
"""The perception of linear red, green and blue by each eye: a row for each of the three perceived components."""

_TO_XYZ = ((0.4124564, 0.3575761, 0.1804375), (0.2126729, 0.7151522, 0.0721750), (0.0193339, 0.1191920, 0.9503041))
_HEX = re.compile(r"#(?:[0-9a-fA-F]{3}){1,2}")


def halfway(first: str, second: str) -> str:
    """Return the colour between two.

    >>> halfway("#000", "#ffffff")
    '#7f7f7f'
    """
    one, other = (
        colour[1:] if len(colour) > 4 else "".join(2 * digit for digit in colour[1:]) for colour in (first, second)
    )
    mixed = ((int(one[i : i + 2], 16) + int(other[i : i + 2], 16)) // 2 for i in (0, 2, 4))
    return "#" + "".join(f"{part:02x}" for part in mixed)


def contrast(first: str, second: str) -> float:
    """Return the contrast ratio of two colours, from 1 to 21, whichever is the lighter.

    >>> round(contrast("#000", "#fff"), 1)
    21.0
    """
    low, high = sorted(_dot(_TO_XYZ[1], _linear(colour)) for colour in (first, second))
    return (high + 0.05) / (low + 0.05)


def seen_by(eye: str, colour: str) -> str:
    """Return the colour as it looks to `eye`, a key of `EYES`, expressed for a normal eye.

    >>> seen_by("normal", "#a02519")
    '#a02519'
    """
    linear = _linear(colour)
    return "#" + "".join(f"{_byte(_dot(row, linear)):02x}" for row in EYES[eye])


def distance(first: str, second: str) -> float:
    """Return the perceived distance of two colours in CAM02-UCS.

    >>> round(distance("#ff0000", "#00ff00"), 1)
    76.1
    """
    return math.dist(uniform(first), uniform(second))


def uniform(colour: str) -> Triple:
    """Return the lightness J', redness a' and yellowness b' of a colour in CAM02-UCS, on a screen in a dim room.

    Distances are even: 1 is about the least that is seen. The conditions are those of sRGB (IEC 61966-2-1): 64 lux
    of light D65, a ground of 20 % and an average surround.

    >>> [round(part, 1) for part in uniform("#ffffff")]
    [100.0, -1.9, -1.1]
    """
    linear = _linear(colour)
    red, green, blue = _responses([100 * _dot(row, linear) for row in _TO_XYZ])
    a, b = red - 12 * green / 11 + blue / 11, (red + green - 2 * blue) / 9
    hue, chroma = math.atan2(b, a), math.hypot(a, b)
    lightness = 100 * (_achromatic(red, green, blue) / WHITE_SIGNAL) ** (0.69 * EXPONENT)
    excess = 50000 / 13 * INDUCTION * 0.25 * (math.cos(hue + 2) + 3.8) * chroma / (red + green + 1.05 * blue)
    colourful = excess**0.9 * math.sqrt(lightness / 100) * (1.64 - 0.29**GROUND) ** 0.73 * ADAPTED**0.25
    far = math.log(1 + 0.0228 * colourful) / 0.0228
    return 1.7 * lightness / (1 + 0.007 * lightness), far * math.cos(hue), far * math.sin(hue)


def _responses(xyz: Sequence[float]) -> Triple:
    """Return the responses of the three kinds of cones, adapted to the light."""
    sharp = [_dot(row, xyz) * gain for row, gain in zip(CAT02, GAINS, strict=True)]
    powers = [(ADAPTED * max(_dot(row, sharp), 0.0) / 100) ** 0.42 for row in TO_CONES]
    red, green, blue = (400 * power / (27.13 + power) + 0.1 for power in powers)
    return red, green, blue


def _achromatic(red: float, green: float, blue: float) -> float:
    """Return the strength of the achromatic signal."""
    return (2 * red + green + blue / 20 - 0.305) * INDUCTION


def _dot(row: Sequence[float], column: Sequence[float]) -> float:
    return sum(a * b for a, b in zip(row, column, strict=True))


def _linear(colour: str) -> Triple:
    if not _HEX.fullmatch(colour):
        raise UnknownName(f"'{colour}' is no colour; write one as #rrggbb.")
    digits = colour[1:] if len(colour) == 7 else "".join(2 * digit for digit in colour[1:])
    red, green, blue = (int(digits[i : i + 2], 16) / 255 for i in (0, 2, 4))
    return _straight(red), _straight(green), _straight(blue)


def _straight(value: float) -> float:
    """Return the linear light of an sRGB value between 0 and 1."""
    return value / 12.92 if value <= 0.04045 else ((value + 0.055) / 1.055) ** 2.4


def _byte(light: float) -> int:
    light = min(1.0, max(0.0, light))
    value = light * 12.92 if light <= 0.0031308 else 1.055 * light ** (1 / 2.4) - 0.055
    return round(value * 255)


# the viewing conditions of a screen under CIECAM02
CAT02 = ((0.7328, 0.4296, -0.1624), (-0.7036, 1.6975, 0.0061), (0.0030, 0.0136, 0.9834))
TO_CONES = (  # from what CAT02 makes of light to the cones of Hunt, Pointer and Estevez
    (0.7409792, 0.2180250, 0.0410058),
    (0.2853532, 0.6242014, 0.0904454),
    (-0.0096280, -0.0056980, 1.0153260),
)
_LUMINANCE = 64 / math.pi / 5  # luminance of the adapting field, in candela per square metre
GROUND = 0.2
_K4: float = (1 / (5 * _LUMINANCE + 1)) ** 4
ADAPTED = 0.2 * _K4 * 5 * _LUMINANCE + 0.1 * (1 - _K4) ** 2 * (5 * _LUMINANCE) ** (1 / 3)
INDUCTION: float = 0.725 * GROUND**-0.2
EXPONENT = 1.48 + math.sqrt(GROUND)
_ADAPTATION = 1 - math.exp((-_LUMINANCE - 42) / 92) / 3.6
_LIGHT = (95.047, 100.0, 108.883)
GAINS = tuple(_ADAPTATION * 100 / _dot(row, _LIGHT) + 1 - _ADAPTATION for row in CAT02)
WHITE_SIGNAL = _achromatic(*_responses(_LIGHT))

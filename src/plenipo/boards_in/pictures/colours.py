"""Colours as people see them: how far two are apart, their names, and which are water."""

import math
from functools import lru_cache

__all__ = ["colour_name", "difference", "is_watery", "oklab"]

NAMES = {
    "Red": "#e02020",
    "Blue": "#2050d0",
    "Green": "#20a040",
    "Yellow": "#f0e040",
    "Orange": "#f09020",
    "Purple": "#8030a0",
    "Pink": "#f0a0c0",
    "Brown": "#905020",
    "Teal": "#209090",
    "Lime": "#a0e040",
    "Black": "#202020",
    "White": "#f8f8f8",
    "Grey": "#909090",
    "Azure": "#80b8f0",
    "Beige": "#e8d8b0",
    "Maroon": "#701020",
    "Olive": "#808020",
    "Navy": "#102060",
    "Magenta": "#d020c0",
    "Mint": "#90e0b0",
}
"""Names for powers of which a picture shows only the colour."""


@lru_cache(maxsize=4096)
def oklab(colour: str) -> tuple[float, float, float]:
    """Return lightness, green to red and blue to yellow of a colour `#rrggbb`, as OKLab has them."""
    value = int(colour[1:], 16)
    r, g, b = (_linear(value >> shift & 255) for shift in (16, 8, 0))
    long = math.cbrt(0.4122214708 * r + 0.5363325363 * g + 0.0514459929 * b)
    middle = math.cbrt(0.2119034982 * r + 0.6806995451 * g + 0.1073969566 * b)
    short = math.cbrt(0.0883024619 * r + 0.2817188376 * g + 0.6299787005 * b)
    return (
        0.2104542553 * long + 0.7936177850 * middle - 0.0040720468 * short,
        1.9779984951 * long - 2.4285922050 * middle + 0.4505937099 * short,
        0.0259040371 * long + 0.7827717662 * middle - 0.8086757660 * short,
    )


def _linear(value: int) -> float:
    share = value / 255
    return share / 12.92 if share <= 0.04045 else float(((share + 0.055) / 1.055) ** 2.4)


def difference(one: str, other: str) -> float:
    """Return how far two colours are apart; 0.02 can just be seen."""
    return math.dist(oklab(one), oklab(other))


def is_watery(colour: str) -> bool:
    """Tell whether a colour is one that maps have for water: between green-blue and violet-blue, and not nearly black.

    >>> is_watery("#a0c8e8"), is_watery("#e0d0a0"), is_watery("#e8f4fa")
    (True, False, True)
    """
    lightness, red, yellow = oklab(colour)
    hue = math.degrees(math.atan2(yellow, red)) % 360
    return math.hypot(red, yellow) > 0.008 and 180 <= hue <= 285 and lightness > 0.25


def colour_name(colour: str, taken: set[str]) -> str:
    """Return the nearest name of a colour that is not taken yet.

    >>> colour_name("#d01818", set()), colour_name("#d01818", {"Red"})
    ('Red', 'Brown')
    """
    free = [name for name in NAMES if name not in taken] or [f"Power {len(taken) + 1}"]
    return min(free, key=lambda name: difference(colour, NAMES.get(name, "#808080")))

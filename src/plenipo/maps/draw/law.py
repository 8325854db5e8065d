"""The law of colours: the required distances between the colours of a theme for every eye, and its violations.

`EYES` are a normal eye and those without one of the three kinds of cones. Distances are CAM02-UCS, contrasts those of
WCAG 2. The colours a theme names for powers may meet in any variant; with more powers than those, units bear letters,
so the rest need less. `scripts/palettes.py` searches colours under this law.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations, permutations
from typing import Protocol

from plenipo.maps.draw.colours import EYES, contrast, distance, seen_by

__all__ = ["LAW", "Demands", "Dressed", "faults"]


class Dressed(Protocol):
    """The two colours of a power."""

    @property
    def land(self) -> str:
        """The colour of the land it owns."""

    @property
    def ink(self) -> str:
        """The colour of its units and orders."""


@dataclass(frozen=True)
class Demands:
    """The requirements for a theme of one kind.

    `apart` is asked of the lands of any two powers the theme names, for every eye, and `apart_normal` for a normal one;
    `apart_of_many` and `normal_of_many` of any two. `from_ground` and `ground_of_many` is how far land must be from
    the `grounds`, tokens of the theme, and `inks` and `inks_of_many` how far two inks. The rest are contrasts:
    an order that runs over the land of another power or over a ground is known by its ink, and by the `edge` round it.
    """

    apart: float
    apart_normal: float
    apart_of_many: float
    normal_of_many: float
    from_ground: float
    ground_of_many: float
    inks: float
    inks_of_many: float
    label: float = 4.5
    ink_on_land: float = 3.0
    ink_on_glyph: float = 4.5
    ink_abroad: float = 1.8
    ink_on_ground: float = 2.8
    ink_on_edge: float = 4.5
    grounds: tuple[str, ...] = ("sea-0", "sea-1", "land", "land-off")


LAW: Mapping[str, Demands] = {
    "colour": Demands(8.0, 11.0, 3.0, 7.0, 8.0, 4.0, 8.0, 0.0),
    "safe": Demands(8.0, 11.0, 4.0, 6.0, 8.0, 4.0, 8.0, 0.0),
}
"""The demands by kind: of a theme of colours, and of one with a pattern for each power as well.

A theme without colours, black on white, is distinguished by its patterns alone, of which no two may be the same.
"""


def faults(
    kind: str, tokens: Mapping[str, str], named: Mapping[str, Dressed], spare: tuple[Dressed, ...]
) -> Iterator[str]:
    """List the violations of the colour requirements in a theme, a sentence each."""
    if kind not in LAW:
        return
    asked = LAW[kind]
    everyone = [*named.items(), *((f"spare {i + 1}", colours) for i, colours in enumerate(spare))]
    for (one, a), (other, b) in combinations(everyone, 2):
        both = one in named and other in named
        lands = asked.apart if both else asked.apart_of_many
        normal = asked.apart_normal if both else asked.normal_of_many
        yield from _close(f"the lands of {one} and {other}", a.land, b.land, lands, normal)
        least = asked.inks if both else asked.inks_of_many
        if least:
            yield from _close(f"the inks of {one} and {other}", a.ink, b.ink, least, least)
    for name, colours in everyone:
        least = asked.from_ground if name in named else asked.ground_of_many
        for token in asked.grounds:
            yield from _close(f"the land of {name} and '{token}'", colours.land, tokens[token], least, least)
        yield from _dim(f"names on the land of {name}", tokens["label"], colours.land, asked.label)
        yield from _dim(f"the ink of {name} on its land", colours.ink, colours.land, asked.ink_on_land)
        yield from _dim(f"the ink of {name} and what is drawn on it", colours.ink, tokens["glyph"], asked.ink_on_glyph)
    for (one, a), (other, b) in permutations(named.items(), 2):
        yield from _dim(f"the orders of {one} on the land of {other}", a.ink, b.land, asked.ink_abroad)
    for name, colours in named.items():
        for token in asked.grounds:
            yield from _dim(f"the orders of {name} on '{token}'", colours.ink, tokens[token], asked.ink_on_ground)
        yield from _dim(f"the orders of {name} and the edge round them", colours.ink, tokens["edge"], asked.ink_on_edge)
    for text, ground in (("sea-text", "sea-0"), ("sea-text", "sea-1"), ("label", "land"), ("ink", "paper")):
        yield from _dim(f"'{text}' on '{ground}'", tokens[text], tokens[ground], asked.label)


def _close(what: str, one: str, other: str, least: float, normal: float) -> Iterator[str]:
    for eye in EYES:
        far, asked = (
            distance(_simulate_colour(eye, one), _simulate_colour(eye, other)),
            normal if eye == "normal" else least,
        )
        if far < asked:
            whom = "everybody" if eye == "normal" else f"eyes with {eye}"
            yield f"{what} are {far:.1f} apart for {whom}; the law of colours asks for {asked:g}"
            return


@lru_cache(maxsize=4096)
def _simulate_colour(eye: str, colour: str) -> str:
    return seen_by(eye, colour)


def _dim(what: str, one: str, other: str, least: float) -> Iterator[str]:
    if contrast(one, other) < least:
        yield f"{what} have a contrast of {contrast(one, other):.1f}; the law of colours asks for {least:g}"

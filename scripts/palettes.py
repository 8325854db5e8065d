"""Search the colours of the powers in a theme under the law of colours, and write them into its file.

    python scripts/palettes.py [--rounds N] THEME ...

The search starts from the colours in the file and changes one after the other at random, a little, as long as less of
`plenipo.maps.draw.law` is broken; the great powers stay as near as they can to their traditional colours, and the
others to their present ones. The same file and number of rounds always give the same colours. Look at the map before
you keep them.
"""

import argparse
import re
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from plenipo.maps.draw import colours as measures
from plenipo.maps.draw.colours import EYES
from plenipo.maps.draw.law import LAW, Demands
from plenipo.maps.draw.theme import Colours, Theme, theme_file

Rows = NDArray[np.float64]

RANGES = {
    "light": (0.70, 0.935, 0.11),
    "muted": (0.66, 0.945, 0.10),
    "safe": (0.64, 0.94, 0.15),
    "dark": (0.30, 0.60, 0.105),
    "safe-dark": (0.28, 0.60, 0.13),
}
"""The lightness of land, least and most, and its greatest chroma, in OKLCH."""

TRADITION = {
    "Austria": (25, 1.0, 0.15),
    "England": (272, 1.0, 0.25),
    "France": (230, 0.8, 0.7),
    "Germany": (90, 0.05, 0.2),
    "Italy": (140, 1.0, 0.5),
    "Russia": (310, 0.35, 0.9),
    "Turkey": (96, 1.0, 0.7),
    "Sweden": (178, 0.7, 0.4),
}
"""The colours of the great powers on boards since 1959: red, dark blue, light blue, grey, green, white, yellow.

Sweden has the sea green that is left.

Each is a hue in degrees of OKLCH, and shares of how full of colour and how light land may be.
"""

EASE = 0.6
"""By how much more than the law asks the search tries to keep colours apart."""

_TO_LMS = np.array(
    [
        [0.4122214708, 0.5363325363, 0.0514459929],
        [0.2119034982, 0.6806995451, 0.1073969566],
        [0.0883024619, 0.2817188376, 0.6299787005],
    ]
)
_TO_OK = np.array(
    [
        [0.2104542553, 0.7936177850, -0.0040720468],
        [1.9779984951, -2.4285922050, 0.4505937099],
        [0.0259040371, 0.7827717662, -0.8086757660],
    ]
)
_TO_XYZ = np.array(
    [[0.4124564, 0.3575761, 0.1804375], [0.2126729, 0.7151522, 0.0721750], [0.0193339, 0.1191920, 0.9503041]]
)
_EYES = np.array([EYES[eye] for eye in EYES])


def linear_of(colours: Sequence[str]) -> Rows:
    """Return linear red, green and blue, a row for each colour."""
    bytes_ = np.array([[int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)] for colour in colours])
    return np.where(bytes_ <= 0.04045, bytes_ / 12.92, ((bytes_ + 0.055) / 1.055) ** 2.4)


def _screen(linear: Rows) -> Rows:
    """Return the sRGB values for a screen."""
    light = np.clip(linear, 0, 1)
    return np.asarray(np.where(light <= 0.0031308, light * 12.92, 1.055 * light ** (1 / 2.4) - 0.055))


def written(linear: Rows) -> str:
    """Return one colour as #rrggbb."""
    return "#" + "".join(f"{round(float(v) * 255):02x}" for v in _screen(linear))


def lch_of(linear: Rows) -> Rows:
    """Return lightness, chroma and hue of OKLCH, in radians."""
    lab = np.cbrt(linear @ _TO_LMS.T) @ _TO_OK.T
    return np.stack((lab[..., 0], np.hypot(lab[..., 1], lab[..., 2]), np.arctan2(lab[..., 2], lab[..., 1])), axis=-1)


def linear_from(lch: Rows) -> Rows:
    """Return the linear colours of OKLCH rows, the inverse of `lch_of`; they may lie outside the gamut of a screen."""
    lab = np.array([lch[0], lch[1] * np.cos(lch[2]), lch[1] * np.sin(lch[2])])
    return np.asarray(np.linalg.inv(_TO_LMS) @ (np.linalg.inv(_TO_OK) @ lab) ** 3)


def uniform(linear: Rows) -> Rows:
    """Return CAM02-UCS for each eye: eyes, then colours, then the three; see `plenipo.maps.draw.colours.uniform`."""
    seen = np.clip(np.einsum("eij,nj->eni", _EYES, np.atleast_2d(linear)), 0, 1)
    sharp = 100 * np.einsum("ij,enj->eni", np.array(measures.CAT02) @ _TO_XYZ, seen) * np.array(measures.GAINS)
    power = (
        measures.ADAPTED * np.maximum(np.einsum("ij,enj->eni", np.array(measures.TO_CONES), sharp), 0) / 100
    ) ** 0.42
    red, green, blue = np.moveaxis(400 * power / (27.13 + power) + 0.1, -1, 0)
    a, b = red - 12 * green / 11 + blue / 11, (red + green - 2 * blue) / 9
    hue, chroma = np.arctan2(b, a), np.hypot(a, b)
    light = 100 * ((2 * red + green + blue / 20 - 0.305) / measures.WHITE_SIGNAL) ** (0.69 * measures.EXPONENT)
    excess = 50000 / 13 * measures.INDUCTION * 0.25 * (np.cos(hue + 2) + 3.8) * chroma / (red + green + 1.05 * blue)
    colourful = excess**0.9 * np.sqrt(light / 100) * (1.64 - 0.29**measures.GROUND) ** 0.73 * measures.ADAPTED**0.25
    far = np.log(1 + 0.0228 * colourful) / 0.0228
    return np.stack((1.7 * light / (1 + 0.007 * light), far * np.cos(hue), far * np.sin(hue)), axis=-1)


def distances(one: Rows, others: Rows) -> Rows:
    """Return the distances of one colour from others, for every eye: eyes, then others."""
    return np.asarray(np.sqrt(((one - others) ** 2).sum(axis=-1)))


def luminance(linear: Rows) -> Rows:
    """Return the luminance of each colour, 0 to 1."""
    return np.asarray(np.clip(linear, 0, 1) @ _TO_XYZ[1])


def contrast(one: float, other: Rows) -> Rows:
    """Return the contrast of a lightness with others."""
    low, high = np.minimum(one, other), np.maximum(one, other)
    return np.asarray((high + 0.05) / (low + 0.05))


@dataclass
class Search:
    """The colours of one theme during the search: lands first, then inks."""

    theme: Theme
    demands: Demands
    rounds: int

    def __post_init__(self) -> None:
        light = Theme.from_name("light")
        self.names = [*self.theme.powers]
        everyone = [*self.theme.powers.values(), *self.theme.spare]
        self.count, self.first = len(everyone), len(self.names)
        self.land = linear_of([c.land for c in everyone])
        self.ink = linear_of([c.ink for c in everyone])
        self.aim = lch_of(self.land)
        low, high, full = RANGES[self.theme.name]
        for i, name in enumerate(self.names):
            if name in TRADITION:
                hue, colourful, bright = TRADITION[name]
                self.aim[i] = low + bright * (high - low), full * colourful, np.radians(hue)
                self.land[i] = linear_of([written(linear_from(self.aim[i]))])[0]
            elif name in light.powers:
                self.aim[i, 2] = lch_of(linear_of([light.powers[name].land]))[0, 2]
        self.grounds = linear_of([self.theme.tokens[token] for token in self.demands.grounds])
        self.label = luminance(linear_of([self.theme.tokens["label"]]))
        self.glyph = luminance(linear_of([self.theme.tokens["glyph"]]))
        self.chance = np.random.default_rng(7)

    def wanted(self, named: float, others: float) -> Rows:
        """Return the least distance between each two colours."""
        rows = np.full((self.count, self.count), others)
        rows[: self.first, : self.first] = named
        np.fill_diagonal(rows, 0)
        return rows

    def lands(self) -> float:
        """Search the lands; return the cost of the result, 0 if the law holds."""
        d, low, high = self.demands, *RANGES[self.theme.name][:2]
        full = RANGES[self.theme.name][2]
        every = self.wanted(d.apart + EASE, d.apart_of_many + EASE)
        normal = self.wanted(d.apart_normal + EASE, d.normal_of_many + EASE)
        ground = np.where(np.arange(self.count)[:, None] < self.first, d.from_ground, d.ground_of_many) + EASE
        seas = uniform(self.grounds)
        great = {i for i, name in enumerate(self.names) if name in TRADITION}

        def cost(i: int, linear: Rows, lch: Rows, seen: Rows) -> float:
            mine = uniform(linear)
            far = distances(mine, seen)
            bad = float((np.maximum(every[i] - far, 0) ** 2).sum() + (np.maximum(normal[i] - far[0], 0) ** 2).sum())
            bad += 1.5 * float((np.maximum(ground[i] - distances(mine, seas), 0) ** 2).sum())
            bad += 30 * float(np.maximum(d.label - contrast(float(self.label[0]), luminance(linear[None])), 0).sum())
            turn = abs((lch[2] - self.aim[i, 2] + np.pi) % (2 * np.pi) - np.pi)
            loose = 0.35 if i < self.first else 0.6
            bad += 40 * max(0.0, turn - loose) ** 2 * (1 if lch[1] > 0.035 else 0.1)
            bad += 6000 * (max(0.0, low - lch[0]) ** 2 + max(0.0, lch[0] - high) ** 2)
            low_, high_ = (float(end(_screen(linear))) for end in (np.min, np.max))
            shade = (low_ + high_) / 2
            glare = (high_ - low_) / max(1 - abs(2 * shade - 1), 1e-6)  # as full of colour as a marker pen
            bad += 20.0 * max(0.0, glare - 0.8) * (0.72 < shade < 0.82)
            bad += 2500 * max(0.0, lch[1] - full) ** 2
            light, colourful, hue = np.array([100.0, 2500.0, 40.0]) if i in great else np.array([2.0, 250.0, 3.0])
            bad += light * (lch[0] - self.aim[i, 0]) ** 2 + colourful * (lch[1] - self.aim[i, 1]) ** 2 + hue * turn**2
            return float(bad)

        return self._anneal(self.land, cost)

    def inks(self) -> float:
        """Search the inks, for the lands as they are."""
        d, aim = self.demands, lch_of(self.ink)
        great = {i for i, name in enumerate(self.names) if name in TRADITION}
        for i in great:  # the land and the ink of a power have one hue
            hue, colourful, _ = TRADITION[self.names[i]]
            aim[i, 1:] = 0.11 * min(1.0, colourful * 1.5), np.radians(hue)
        every = self.wanted(d.inks + EASE, d.inks_of_many)
        lands, grounds = luminance(self.land), luminance(self.grounds)
        edge = luminance(linear_of([self.theme.tokens["edge"]]))

        def cost(i: int, linear: Rows, lch: Rows, seen: Rows) -> float:
            bad = float((np.maximum(every[i] - distances(uniform(linear), seen), 0) ** 2).sum())
            light = float(luminance(linear[None])[0])
            bad += 60 * max(0.0, d.ink_on_land + 0.05 - float(contrast(light, lands[i : i + 1])[0])) ** 2
            bad += 60 * max(0.0, d.ink_on_glyph + 0.05 - float(contrast(light, self.glyph)[0])) ** 2
            if i < self.first:
                ground = (lands[: self.first], d.ink_abroad), (grounds, d.ink_on_ground), (edge, d.ink_on_edge)
                for under, least in ground:
                    bad += 60 * float((np.maximum(0.0, least + 0.05 - contrast(light, under)) ** 2).sum())
            turn = abs((lch[2] - aim[i, 2] + np.pi) % (2 * np.pi) - np.pi) * (aim[i, 1] > 0.02)
            bad += 30 * max(0.0, turn - 0.45) ** 2 + (8.0 if i in great else 0.4) * turn**2
            bad += 4.0 * (lch[0] - aim[i, 0]) ** 2 + (800.0 if i in great else 10.0) * (lch[1] - aim[i, 1]) ** 2
            return float(bad)

        return self._anneal(self.ink, cost)

    def _anneal(self, rows: Rows, cost: Callable[[int, Rows, Rows, Rows], float]) -> float:
        seen = uniform(rows)
        for turn in range(self.rounds):
            heat = 1 - turn / self.rounds
            for i in self.chance.permutation(self.count):
                lch = lch_of(rows[i])
                tried = lch + self.chance.normal(size=3) * np.array([0.05, 0.03, 0.25]) * (0.08 + heat)
                linear = linear_from(tried)
                if (linear < 0).any() or (linear > 1).any() or tried[1] < 0:
                    continue
                linear = linear_of([written(linear)])[0]
                before, after = cost(i, rows[i], lch, seen), cost(i, linear, tried, seen)
                if after < before or self.chance.random() < np.exp((before - after) / (0.02 + 0.6 * heat**2)) * 0.5:
                    rows[i] = linear
                    seen[:, i] = uniform(linear)[:, 0]
        return float(sum(cost(i, rows[i], lch_of(rows[i]), seen) for i in range(self.count)))


def rewritten(text: str, theme: Theme, land: Rows, ink: Rows) -> str:
    """Return the file of a theme with other colours for its powers."""
    everyone = [*theme.powers.values(), *theme.spare]
    lines = iter(text.split("\n"))
    colours = {id(c): (written(land[i]), written(ink[i])) for i, c in enumerate(everyone)}
    named = dict(theme.powers)
    spare = iter(theme.spare)
    out = []
    for line in lines:
        power = re.match(r'"?(\w[\w ]*?)"? = \["#', line)
        if power and power[1] in named:
            c: Colours | None = named[power[1]]
        elif line.startswith('  ["#'):
            c = next(spare)
        else:
            c = None
        if c is not None:
            one, other = colours[id(c)]
            out.append(re.sub(r'\["#\w+", "#\w+"', f'["{one}", "{other}"', line))
        else:
            out.append(line)
    return "\n".join(out)


def main(given: Sequence[str] | None = None) -> int:
    """Search the colours of the themes named, and write them; return 1 if the law is broken after all."""
    reader = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    reader.add_argument("themes", nargs="+", choices=sorted(RANGES))
    reader.add_argument("--rounds", type=int, default=700)
    arguments = reader.parse_args(given)
    broken = 0
    for name in arguments.themes:
        theme = Theme.from_name(name)
        search = Search(theme, LAW[theme.kind], arguments.rounds)
        costs = search.lands(), search.inks()
        file = Path(str(theme_file(name)))
        text = rewritten(file.read_text(encoding="utf-8"), theme, search.land, search.ink)
        file.write_text(text, encoding="utf-8")
        faults = list(Theme.from_toml(text, name, lawful=False).faults())
        broken += len(faults)
        print(f"{name}: {costs[0]:.1f} for land, {costs[1]:.1f} for ink; {len(faults)} faults")
        for fault in faults[:12]:
            print(f"  {fault}")
    return bool(broken)


if __name__ == "__main__":
    sys.exit(main())

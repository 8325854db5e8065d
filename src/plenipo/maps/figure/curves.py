"""Curves of a drawn map: smooth lines, lines as a hand draws them, a waver, rounded outlines; standard library only.

Points are pairs of floats in kilometres.
"""

import hashlib
import math
import struct
from collections.abc import Sequence
from functools import lru_cache
from itertools import pairwise

__all__ = ["CurvePoint", "by_hand", "round_corners", "smooth", "wavering"]

CurvePoint = tuple[float, float]
"""A point in kilometres, before it is rounded to the figure's grid."""


def smooth(spots: Sequence[CurvePoint], step: float, *, closed: bool = False) -> list[CurvePoint]:
    """Return a centripetal Catmull-Rom curve through all `spots`, sampled about every `step` km; ends are kept exactly.

    A closed curve names its first spot again at the end.
    """
    if len(spots) < 3:
        return list(spots)
    first, second, before, last = spots[0], spots[1], spots[-2], spots[-1]
    ahead = before if closed else (2 * first[0] - second[0], 2 * first[1] - second[1])
    after = second if closed else (2 * last[0] - before[0], 2 * last[1] - before[1])
    padded = [ahead, *spots, after]
    line = [first]
    for i in range(1, len(padded) - 2):
        line += _span(padded[i - 1], padded[i], padded[i + 1], padded[i + 2], step)
    return line


def _span(p0: CurvePoint, p1: CurvePoint, p2: CurvePoint, p3: CurvePoint, step: float) -> list[CurvePoint]:
    """Return the curve from p1 to p2, without p1 and with p2 itself (Barry and Goldman's pyramid)."""
    t1 = _knot(p0, p1)
    t2 = t1 + _knot(p1, p2)
    t3 = t2 + _knot(p2, p3)
    count = max(2, int(math.dist(p1, p2) / step))
    spots: list[CurvePoint] = []
    for k in range(1, count):
        t = t1 + (t2 - t1) * k / count
        a1, a2, a3 = _mix(p0, p1, 0.0, t1, t), _mix(p1, p2, t1, t2, t), _mix(p2, p3, t2, t3, t)
        spots.append(_mix(_mix(a1, a2, 0.0, t2, t), _mix(a2, a3, t1, t3, t), t1, t2, t))
    return [*spots, p2]


def _knot(a: CurvePoint, b: CurvePoint) -> float:
    return math.sqrt(max(math.dist(a, b), 1e-6))


def _mix(a: CurvePoint, b: CurvePoint, ta: float, tb: float, t: float) -> CurvePoint:
    u = (t - ta) / (tb - ta)
    return a[0] + (b[0] - a[0]) * u, a[1] + (b[1] - a[1]) * u


def wavering(
    spots: Sequence[CurvePoint], seed: str, amplitude: float, *, most: float = 7.0, finest: float = 16.0
) -> list[CurvePoint]:
    """Return the line as an unsteady hand draws it: pieces longer than `finest` km are bent in the middle, repeatedly.

    The middle moves sideways by about `amplitude` times the length, never more than `most` km.
    The same seed always gives the same line.
    """
    line = [spots[0]]
    for i, (a, b) in enumerate(pairwise(spots)):
        line += _bent(a, b, f"{seed} {i}", amplitude=amplitude, most=most, finest=finest)
    return line


def _bent(a: CurvePoint, b: CurvePoint, seed: str, *, amplitude: float, most: float, finest: float) -> list[CurvePoint]:
    length = math.dist(a, b)
    if length < finest:
        return [b]
    aside = max(-most, min(most, _chance(seed) * amplitude * length)) / length
    middle = ((a[0] + b[0]) / 2 - (b[1] - a[1]) * aside, (a[1] + b[1]) / 2 + (b[0] - a[0]) * aside)
    return [
        *_bent(a, middle, seed + "0", amplitude=amplitude, most=most, finest=finest),
        *_bent(middle, b, seed + "1", amplitude=amplitude, most=most, finest=finest),
    ]


def by_hand(
    spots: Sequence[CurvePoint], seed: str, amount: float, *, longest: float = 110.0, step: float = 4.0
) -> list[CurvePoint]:
    """Return the line as a hand draws a border: in long waves with smaller ones on them, never in a zigzag.

    `spots` lie close together, as `smooth` gives them. A wave strays by about `amount` times its length; the longest
    is `longest` km, the shortest an eighth of it. Ends are kept, and near them the line hardly strays. The result has
    a spot about every `step` km; the same seed always gives the same line.
    """
    along = [0.0]
    for a, b in pairwise(spots):
        along.append(along[-1] + math.dist(a, b))
    whole, count = along[-1], max(2, round(along[-1] / step))
    if whole < 2 * step:
        return list(spots)
    line, at = [spots[0]], 0
    for k in range(1, count):
        here = whole * k / count
        while along[at + 1] < here:
            at += 1
        (ax, ay), (bx, by) = spots[at], spots[at + 1]
        length = along[at + 1] - along[at]
        share = (here - along[at]) / length
        aside = sum(
            amount * wave * _wave(f"{seed} {wave:.0f}", here / wave)
            * min(1.0, 2 * here / wave, 2 * (whole - here) / wave)
            for wave in (longest, longest / 2, longest / 4, longest / 8)
        )  # fmt: skip
        x, y = ax + (bx - ax) * share, ay + (by - ay) * share
        line.append((x - (by - ay) / length * aside, y + (bx - ax) / length * aside))
    return [*line, spots[-1]]


def _wave(seed: str, at: float) -> float:
    """Return a smooth wave through values by chance at whole numbers, from -1 to 1."""
    whole = math.floor(at)
    share = at - whole
    low, high = (max(-1.0, min(1.0, _chance(f"{seed} {i}"))) for i in (whole, whole + 1))
    return low + (high - low) * share * share * (3 - 2 * share)


@lru_cache(maxsize=1 << 15)
def _chance(seed: str) -> float:
    """Return a number that looks normally distributed (mean 0, deviation 1), decided by the seed alone."""
    # twelve evenly spread numbers from 0 to 1 have a sum of mean 6 and deviation 1
    numbers: tuple[int, ...] = struct.unpack(">12H8x", hashlib.sha256(seed.encode()).digest())
    return sum(numbers) / 65536 - 6


def round_corners(spots: Sequence[CurvePoint], *, times: int = 2, closed: bool) -> list[CurvePoint]:
    """Return the line with its corners cut off `times` times (Chaikin); an open line keeps its ends.

    A closed line names its first spot again at the end, before and after.
    """
    line = list(spots)
    for _ in range(times):
        if len(line) < 3:
            return line
        cut: list[CurvePoint] = []
        for (ax, ay), (bx, by) in pairwise(line):
            cut += [(0.75 * ax + 0.25 * bx, 0.75 * ay + 0.25 * by), (0.25 * ax + 0.75 * bx, 0.25 * ay + 0.75 * by)]
        line = [*cut, cut[0]] if closed else [line[0], *cut[1:-1], line[-1]]
    return line

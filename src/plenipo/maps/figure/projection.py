"""The projection of longitude and latitude to the plane of a drawn map, and back.

A map is a Lambert conformal conic projection of the sphere, optionally followed by bulges: smooth magnifiers that
give the crowded middle of a board more room. A bulge moves points but never tears or folds the plane, so it cannot
change which faces touch.
"""

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from plenipo.errors import InvalidFigure

__all__ = ["Bulge", "Projection"]

EARTH = 6371.0
"""Radius of the sphere in km."""


@dataclass(frozen=True, slots=True)
class Bulge:
    """A magnifier round the place `lon`, `lat` (degrees): lengths there grow by `gain`, fading over `scale` km."""

    lon: float
    lat: float
    gain: float
    scale: float

    def __post_init__(self) -> None:
        # the distance from the centre, u * (1 + gain * exp(-u * u)), must grow with u, or the plane would fold
        if not -1 < self.gain < math.exp(1.5) / 2:
            raise InvalidFigure(f"a bulge of gain {self.gain} folds the map; the gain lies between -1 and 2.24")
        if self.scale <= 0:
            raise InvalidFigure(f"a bulge of scale {self.scale} km is not a bulge; the scale is above 0")


@dataclass(frozen=True)
class Projection:
    """A Lambert conformal conic projection and its bulges, applied one after the other.

    `lat1` and `lat2` are the parallels of true scale, `lat0` and `lon0` the origin, all in degrees.
    Called with a place it gives kilometres east and north of the origin. Those of a `plane` are its places already:
    the map of a land that lies nowhere on the earth.
    """

    lat1: float
    lat2: float
    lat0: float
    lon0: float
    bulges: tuple[Bulge, ...] = ()
    plane: bool = False
    _centres: tuple[tuple[float, float], ...] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        if not self.plane and not (-80 < self.lat1 < 80 and -80 < self.lat2 < 80 and abs(self.lat1) != abs(self.lat2)):
            raise InvalidFigure(
                f"the parallels {self.lat1} and {self.lat2} make no cone; take two that differ, within 80 degrees"
            )
        object.__setattr__(self, "_centres", ())
        for bulge in self.bulges:
            x, y = self.flat(bulge.lon, bulge.lat)
            for earlier, centre in zip(self.bulges, self._centres, strict=False):
                x, y = _push(x, y, centre, earlier)
            object.__setattr__(self, "_centres", (*self._centres, (x, y)))

    @cached_property
    def _cone(self) -> tuple[float, float, float]:
        """The constant of the cone, its scale in km, and the radius of the origin's parallel in km."""
        n = math.log(math.cos(math.radians(self.lat1)) / math.cos(math.radians(self.lat2)))
        n /= math.log(_stretch(self.lat2) / _stretch(self.lat1))
        scale = EARTH * math.cos(math.radians(self.lat1)) * _stretch(self.lat1) ** n / n
        return n, scale, scale * _stretch(self.lat0) ** -n

    def flat(self, lon: float, lat: float) -> tuple[float, float]:
        """Kilometres of the place before any bulge: true shapes, for generalising land."""
        if self.plane:
            return lon, lat
        n, scale, origin = self._cone
        radius = scale * _stretch(min(max(lat, -89.0), 89.9)) ** -n
        angle = n * math.radians(lon - self.lon0)
        return radius * math.sin(angle), origin - radius * math.cos(angle)

    def warp(self, x: float, y: float) -> tuple[float, float]:
        """From kilometres before the bulges to kilometres on the map."""
        for bulge, centre in zip(self.bulges, self._centres, strict=True):
            x, y = _push(x, y, centre, bulge)
        return x, y

    def __call__(self, lon: float, lat: float) -> tuple[float, float]:
        """Kilometres of the place on the map."""
        return self.warp(*self.flat(lon, lat))

    def inverse(self, x: float, y: float) -> tuple[float, float]:
        """Longitude and latitude in degrees of a point in kilometres on the map; x and y of a plane."""
        for bulge, centre in zip(reversed(self.bulges), reversed(self._centres), strict=True):
            x, y = _pull(x, y, centre, bulge)
        if self.plane:
            return x, y
        n, scale, origin = self._cone
        radius = math.copysign(math.hypot(x, origin - y), n)
        angle = math.atan2(math.copysign(1, n) * x, math.copysign(1, n) * (origin - y))
        lat = 2 * math.atan((scale / radius) ** (1 / n)) - math.pi / 2 if radius else math.copysign(math.pi / 2, n)
        return self.lon0 + math.degrees(angle / n), math.degrees(lat)

    def to_json(self) -> dict[str, Any]:
        """Return the projection as plain JSON values; `from_json` reads them back."""
        cone = {key: float(getattr(self, key)) for key in ("lat1", "lat2", "lat0", "lon0")}
        return {
            **({"plane": True} if self.plane else cone),
            "bulges": [{key: float(getattr(b, key)) for key in ("lon", "lat", "gain", "scale")} for b in self.bulges],
        }

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> "Projection":
        """Read the table written by `to_json`, or the same table in a `map.toml`.

        Raise InvalidFigure for a missing, unknown or unusable entry.
        """
        plane = data.get("plane") is True
        keys = ("lat1", "lat2", "lat0", "lon0")
        try:
            table = dict.fromkeys(keys, 0.0) if plane else {key: float(data[key]) for key in keys}
            bulges = tuple(Bulge(**{key: float(value) for key, value in b.items()}) for b in data.get("bulges", ()))
        except (KeyError, TypeError, ValueError) as error:
            if isinstance(error, InvalidFigure):
                raise
            raise InvalidFigure(
                f"the projection {dict(data)!r} cannot be read ({error}); it needs lat1, lat2, lat0 and lon0, "
                "or plane = true, and bulges with lon, lat, gain and scale"
            ) from error
        known = {"plane", "bulges"} if plane else {*keys, "bulges"}
        if extra := set(data) - known:
            raise InvalidFigure(f"the projection has no entry {min(extra)!r}")
        return cls(bulges=bulges, plane=plane, **table)


def _stretch(lat: float) -> float:
    return math.tan(math.pi / 4 + math.radians(lat) / 2)


def _push(x: float, y: float, centre: tuple[float, float], bulge: Bulge) -> tuple[float, float]:
    dx, dy = x - centre[0], y - centre[1]
    factor = 1 + bulge.gain * math.exp(-(dx * dx + dy * dy) / (bulge.scale * bulge.scale))
    return centre[0] + dx * factor, centre[1] + dy * factor


def _pull(x: float, y: float, centre: tuple[float, float], bulge: Bulge) -> tuple[float, float]:
    """Undo `_push`: the distance from the centre grows steadily, so halving an interval finds it."""
    dx, dy = x - centre[0], y - centre[1]
    pushed = math.hypot(dx, dy)
    if not pushed:
        return x, y
    low, high = 0.0, pushed / (1 + min(bulge.gain, 0.0))
    for _ in range(60):
        middle = (low + high) / 2
        if middle * (1 + bulge.gain * math.exp(-((middle / bulge.scale) ** 2))) < pushed:
            low = middle
        else:
            high = middle
    return centre[0] + dx * low / pushed, centre[1] + dy * low / pushed

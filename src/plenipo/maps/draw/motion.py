"""Motion: units that carry out their orders in the picture, when a page starts it.

The animations are SMIL with `begin="indefinite"`: a picture stands still until a script begins them, so that a page
can respect a reader who wants no motion. At first the units stand without orders, then the orders appear, then the
units go.
"""

from collections.abc import Callable, Mapping

from plenipo.engine.orders import Move, Retreat
from plenipo.engine.outcome import Outcome, Result
from plenipo.engine.position import Unit
from plenipo.maps.draw.scene import Scene

__all__ = ["Motion"]

Place = tuple[float, float]
"""A point of the map, in pips."""

SECONDS = 4.4
"""The time of the whole motion."""

APPEAR = "0;.14;.26;1"
"""The moments at which orders begin to appear and are there, as shares of the time."""

GO = "0;.44;.64;1"
"""The moments at which units leave and arrive."""

BOUNCE = "0;.44;.54;.64;1"
"""The moments at which a unit leaves, is stopped and is back."""

MIDWAY = 0.42
"""The part of the way that a unit goes whose move fails."""


class Motion:
    """The motion of the units of a scene with a resolution; `where` gives the place of a unit, also if dislodged."""

    def __init__(self, scene: Scene, where: Callable[[Unit, bool], Place]) -> None:
        self.where = where
        moving = scene.motion and scene.resolution is not None
        self.outcomes: Mapping[Unit, Outcome] = {o.unit: o for o in scene.outcomes if o.unit} if moving else {}
        self.moving = moving

    def appear(self, layer: str) -> str:
        """Return a layer of orders that appears after a moment."""
        if not self.moving or not layer:
            return layer
        head, _, rest = layer.partition(">")
        return f"{head}>{_fade('0;0;1;1', APPEAR)}{rest}"

    def ring(self) -> str:
        """Return what shows the ring of a dislodged unit only when the attacker has arrived."""
        return _fade("0;0;1;1", GO) if self.moving else ""

    def of_built(self) -> str:
        """Return what lets a built unit appear."""
        return _fade("0;0;1;1", GO) if self.moving else ""

    def of_unit(self, unit: Unit, at: Place, *, gone: bool = False) -> str:
        """Return the motion of a unit from its place: to its destination, half-way and back, aside, or off the map."""
        outcome = self.outcomes.get(unit)
        if outcome is None:
            return ""
        order = outcome.order
        if outcome.result in (Result.REMOVED, Result.DISBANDED):
            return _fade("1;1;.15;.15", GO)
        if isinstance(order, Move | Retreat) and order.to is not None:
            there = self.where(Unit(unit.power, unit.kind, order.to), False)  # noqa: FBT003  # as the type of `where`
            if outcome.result in (Result.MOVES, Result.RETREATS):
                return _travel((at, at, there, there), GO)
            if outcome.result is Result.FAILS and not outcome.dislodged_by:
                half = (at[0] + MIDWAY * (there[0] - at[0]), at[1] + MIDWAY * (there[1] - at[1]))
                return _travel((at, at, half, at, at), BOUNCE)
        if outcome.dislodged_by and not gone:
            aside = self.where(unit, True)  # noqa: FBT003  # as above
            return _travel((at, at, aside, aside), GO)
        return ""


def _travel(points: tuple[Place, ...], moments: str) -> str:
    values = ";".join(f"{x:g} {y:g}" for x, y in points)
    return f'<animateTransform attributeName="transform" type="translate" values="{values}" {_timing(moments)}/>'


def _fade(values: str, moments: str) -> str:
    return f'<animate attributeName="opacity" values="{values}" {_timing(moments)}/>'


def _timing(moments: str) -> str:
    return f'keyTimes="{moments}" dur="{SECONDS}s" begin="indefinite" fill="freeze"'

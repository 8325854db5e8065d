"""The seas an army crosses by convoy: those of the fleets ordered to carry it, and where the chain of fleets breaks."""

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from heapq import heappop, heappush

from plenipo.engine.board import Board, Code
from plenipo.engine.orders import Convoy
from plenipo.engine.outcome import Result
from plenipo.maps.draw.scene import Scene

__all__ = ["Convoys", "Passage"]

ORDERED, LOST, IDLE, EMPTY = 1, 40, 60, 80
"""The cost of a sea on the way: its fleet convoys, or was to and did not, or has another order, or there is none."""


@dataclass(frozen=True)
class Passage:
    """The seas on the way of an army, in order, and over how many of them from the shore on it is carried."""

    seas: tuple[Code, ...]
    carried: int

    @property
    def whole(self) -> bool:
        """Tell whether a fleet carries the army over every sea on the way."""
        return self.carried == len(self.seas)


class Convoys:
    """The convoys of one scene."""

    def __init__(self, board: Board, scene: Scene) -> None:
        self.board, self.scene = board, scene

    @cached_property
    def fleets(self) -> Mapping[tuple[Code, Code], Mapping[Code, bool]]:
        """For each convoyed move, by its two ends, the seas of its fleets and whether each carries the army.

        An order that counts for nothing is left out. Without outcomes every fleet is taken to obey.
        """
        fleets: dict[tuple[Code, Code], dict[Code, bool]] = defaultdict(dict)
        for _, _, order, outcome in self.scene.given_orders:
            if isinstance(order, Convoy) and (outcome is None or outcome.result is not Result.VOID):
                carries = outcome is None or outcome.result is Result.CONVOYS
                fleets[order.other.location.space, order.to.space][order.unit.location.space] = carries
        return fleets

    def passage(self, start: Code, end: Code) -> Passage | None:
        """Return the way over water from one coastal space to another; None if no chain of fleets could reach there."""
        fleets = self.fleets.get((start, end), {})
        seas = self._cheapest(start, end, fleets)
        if seas is None:
            return None
        missing = (i for i, sea in enumerate(seas) if not fleets.get(sea, False))
        return Passage(seas, next(missing, len(seas)))

    def _cheapest(self, start: Code, end: Code, fleets: Mapping[Code, bool]) -> tuple[Code, ...] | None:
        """Return the seas of the cheapest way, over the sea of a fleet that was ordered to convoy if there is one."""
        goal = self.board.waters.get(end, frozenset())
        edge: list[tuple[int, tuple[Code, ...], Code]] = [(0, (), start)]
        done: set[tuple[Code, bool]] = set()
        while edge:
            cost, way, here = heappop(edge)
            on_course = not fleets or any(sea in fleets for sea in way)
            if (here, on_course) in done:
                continue
            done.add((here, on_course))
            if way and here in goal and on_course:
                return way
            for sea in self.board.waters.get(here, ()):
                if sea not in way and sea not in (start, end):
                    heappush(edge, (cost + self._cost(sea, fleets), (*way, sea), sea))
        return None

    def _cost(self, sea: Code, fleets: Mapping[Code, bool]) -> int:
        if sea in fleets:
            return ORDERED if fleets[sea] else LOST
        return EMPTY if self.scene.position.unit_at(sea) is None else IDLE

"""The baseline of the literature: a player of fixed strength, against which other players are measured.

Written anew from the public description of DumbBot (David Norman, about 2002); it is a yardstick and stays as it is.
Every centre has a worth, the worth spreads over the board step by step, and each unit goes where the sum is greatest.
All of that is linear in the worths, so for a board and a kind of season it is one matrix: locations by centres.
`plenipo match --player baseline=tests/baseline.py:baseline` plays with it.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from random import Random
from typing import Any, cast
from weakref import WeakKeyDictionary

import numpy as np

from plenipo.bots.common import by_unit, pick_adjustments, pick_choices
from plenipo.engine.board import Board, Code, Location, UnitKind
from plenipo.engine.calendar import PhaseKind
from plenipo.engine.history.view import View
from plenipo.engine.orders import Build, Disband, Hold, Move, Order, Remove, Retreat, Support
from plenipo.engine.phases.legality import LegalOrders
from plenipo.engine.position import Power, Unit

__all__ = ["baseline"]

SIZE = (1, 4, 16)
"""The size of a power with x centres is x² + 4x + 16."""

PLAY_ALTERNATIVE = 0.5
"""The probability that a unit takes the next best place instead, if both are equally good."""

DIFFERENCE = 5.0
"""The rate at which that probability falls with the relative difference between the two."""

Array = np.ndarray[Any, np.dtype[np.float64]]


@dataclass(frozen=True)
class Weights:
    """The weights of a kind of season: centres of others, own centres, proximity by steps, and units nearby."""

    attack: float
    defence: float
    nearness: tuple[float, ...]


EARLY = Weights(700, 300, (100, 1000, 30, 10, 6, 5, 4, 3, 2, 1))
"""A movement after which centres do not change hands yet."""

LATE = Weights(600, 400, (1000, 100, 30, 10, 6, 5, 4, 3, 2, 1))
"""The last movement before they do, and everything after it."""

AROUND = 1000.0
"""The weight of one's own units around, and against it the most of any one other power."""


@dataclass(frozen=True)
class Ground:
    """A board as numbers: its locations by the kinds of unit, its centres, and the nearness of these to those."""

    rows: Mapping[tuple[UnitKind, Location], int]
    centres: tuple[Code, ...]
    near: Mapping[Weights, Array]


_GROUNDS: WeakKeyDictionary[Board, Ground] = WeakKeyDictionary()


def ground(board: Board) -> Ground:
    """The numbers of a board, worked out once."""
    found = _GROUNDS.get(board)
    if found is None:
        found = _GROUNDS[board] = _ground(board)
    return found


def _ground(board: Board) -> Ground:
    places = [place for _, place in sorted(board.standing.items())]
    rows = {place: i for i, place in enumerate(places)}
    centres = tuple(sorted(board.centres))
    spread = np.zeros((len(places), len(places)))
    for (kind, location), row in rows.items():
        spread[row, row] = 1
        steps = board.steps(kind, location)
        for to in steps:
            # two coasts of one space count by their mean
            spread[row, rows[kind, to]] += 1 / sum(1 for other in steps if other.space == to.space)
    start = np.array([[float(location.space == centre) for centre in centres] for _, location in places])
    steps_on = [start]
    for _ in EARLY.nearness[1:]:
        steps_on.append(spread @ steps_on[-1] / 5)
    near = {
        weights: cast("Array", sum(weight * step for weight, step in zip(weights.nearness, steps_on, strict=True)))
        for weights in (EARLY, LATE)
    }
    return Ground(rows, centres, near)


class _Values:
    """The value to a power of a unit of each kind in each place."""

    def __init__(self, view: View, power: Power) -> None:
        self.board = view.rules.board_at(view.position)
        self.own: dict[Code, int] = {}
        self.enemies: dict[Code, int] = {}
        around: dict[Power, dict[Code, int]] = {}
        for unit in view.position.units:
            near = around.setdefault(unit.power, {})
            for code in {unit.space, *self.board.reach(unit.kind, unit.location)}:
                near[code] = near.get(code, 0) + 1
        self.own = around.pop(power, {})
        for near in around.values():
            for code, units in near.items():
                self.enemies[code] = max(units, self.enemies.get(code, 0))
        weights = EARLY if view.position.phase.kind is PhaseKind.MOVEMENT and not _last(view) else LATE
        self.ground = ground(self.board)
        self.values = self.ground.near[weights] @ self._worths(view, power, around, weights)

    def _worths(
        self, view: View, power: Power, around: Mapping[Power, Mapping[Code, int]], weights: Weights
    ) -> list[float]:
        owners = view.position.owners
        holders = [owners.get(centre) for centre in self.ground.centres]
        sizes = {holder: _size(holders.count(holder)) for holder in {*holders, *around}}
        return [
            weights.attack * sizes[holder]
            if holder != power
            else weights.defence * max((sizes[other] for other, near in around.items() if centre in near), default=0.0)
            for centre, holder in zip(self.ground.centres, holders, strict=True)
        ]

    def of(self, kind: UnitKind | None, location: Location) -> float:
        """The value of a unit of that kind there; 0 where none can stand."""
        row = self.ground.rows.get((kind or UnitKind.ARMY, location))
        if row is None:
            return 0.0
        units = self.own.get(location.space, 0) - self.enemies.get(location.space, 0)
        return float(self.values[row]) + AROUND * units


def _size(centres: int) -> float:
    square, linear, constant = SIZE
    return square * centres**2 + linear * centres + constant


def _last(view: View) -> bool:
    """Tell whether centres change hands before the next movement."""
    for phase in view.rules.calendar.after(view.position.phase):
        if phase.kind in (PhaseKind.MOVEMENT, PhaseKind.OWNERSHIP):
            return phase.kind is PhaseKind.OWNERSHIP
    return False


def baseline(view: View, legal: LegalOrders, chance: Random) -> list[Order]:
    """Orders by the nearness of centres, as the baseline of the literature gives them."""
    if view.position.phase.kind is PhaseKind.CHOICE:
        return pick_choices(view, legal, chance)
    values = _Values(view, legal.power)
    match view.position.phase.kind:
        case PhaseKind.ADJUSTMENTS:
            offered = [order for order in legal if isinstance(order, Build | Remove)]
            offered.sort(key=lambda order: _adjusting(values, order), reverse=True)
            return pick_adjustments(view, legal, offered)
        case PhaseKind.RETREATS:
            return _retreats(by_unit(view, legal), values, chance)
        case PhaseKind.MOVEMENT:
            return _Movement(view, legal, values, chance).orders()
    return []


def _adjusting(values: _Values, order: Build | Remove) -> float:
    value = values.of(order.unit.kind, order.unit.location)
    return value if isinstance(order, Build) else -value


def _retreats(offers: Iterable[Sequence[Order]], values: _Values, chance: Random) -> list[Order]:
    taken: set[Code] = set()
    orders: list[Order] = []
    for offered in offers:
        ways = [order for order in offered if isinstance(order, Retreat) and order.to.space not in taken]
        ways.sort(key=lambda way: values.of(way.unit.kind, way.to), reverse=True)
        worth = [values.of(way.unit.kind, way.to) for way in ways]
        if ways:
            way = ways[_picked(worth, chance)]
            taken.add(way.to.space)
            orders.append(way)
        else:
            orders.extend(order for order in offered if isinstance(order, Disband))
    return orders


def _picked(worth: Sequence[float], chance: Random) -> int:
    """The place of the one chosen of values from the greatest on: the first, or the next one if that is as good."""
    place = 0
    while place + 1 < len(worth):
        best, second = worth[place], worth[place + 1]
        staying = min(1.0, DIFFERENCE * (best - second) / best) if best > 0 else 1.0
        if chance.random() >= PLAY_ALTERNATIVE or chance.random() < staying:
            break
        place += 1
    return place


class _Movement:
    """Units choose in random order; one whose way is taken by a friend supports it where that helps."""

    def __init__(self, view: View, legal: LegalOrders, values: _Values, chance: Random) -> None:
        self.view, self.legal, self.values, self.chance = view, legal, values, chance
        self.board = values.board
        self.plan: dict[Unit, Order] = {}
        self.waiting = list(legal.units)

    def orders(self) -> list[Order]:
        """The orders of all units."""
        self.chance.shuffle(self.waiting)
        patience = 2 * len(self.waiting)
        while self.waiting:
            unit = self.waiting.pop(0)
            order = self._choice(unit, patient=patience > 0)
            patience -= 1
            if order is None:
                self.waiting.append(unit)
            else:
                self.plan[unit] = order if order in self.legal else Hold(unit.ref)
        self._wasted_holds()
        return list(self.plan.values())

    def _choice(self, unit: Unit, *, patient: bool) -> Order | None:
        """Return the order of a unit, or None while it waits for a unit of its own power that is in its way."""
        places = [unit.location, *sorted(self.board.steps(unit.kind, unit.location))]
        worth = {place: self.values.of(unit.kind, place) for place in places}
        places.sort(key=lambda place: worth[place], reverse=True)
        while places:
            to = places.pop(_picked([worth[place] for place in places], self.chance))
            if to == unit.location:
                break
            friend = self._standing(to.space)
            if friend in self.waiting:
                if patient:
                    return None
                continue
            if friend is not None and not isinstance(self.plan[friend], Move):
                if self.values.enemies.get(to.space, 0) > 1:
                    return Support(unit.ref, friend.ref)
                continue
            goer, going = self._going(to.space)
            if goer is not None and going is not None:
                if self.values.enemies.get(to.space, 0) > 0:
                    return Support(unit.ref, goer.ref, going.to)
                continue
            return Move(unit.ref, to)
        return Hold(unit.ref)

    def _standing(self, space: Code) -> Unit | None:
        unit = self.view.position.unit_at(space)
        return unit if unit in self.plan or unit in self.waiting else None

    def _going(self, space: Code) -> tuple[Unit | None, Move | None]:
        for unit, order in self.plan.items():
            if isinstance(order, Move) and order.to.space == space:
                return unit, order
        return None, None

    def _wasted_holds(self) -> None:
        """Give units that hold the most valuable support that is needed."""
        for unit, order in self.plan.items():
            if not isinstance(order, Hold):
                continue
            helps: list[tuple[float, str, Order]] = []
            for to in self.board.steps(unit.kind, unit.location):
                enemies = self.values.enemies.get(to.space, 0)
                goer, going = self._going(to.space)
                friend = self._standing(to.space)
                support: Order | None = None
                if goer is not None and going is not None and enemies > 0:
                    support = Support(unit.ref, goer.ref, going.to)
                elif friend is not None and enemies > 1 and not isinstance(self.plan[friend], Move):
                    support = Support(unit.ref, friend.ref)
                if support is not None and support in self.legal:
                    helps.append((self.values.of(unit.kind, to), str(support), support))
            if helps:
                self.plan[unit] = max(helps, key=lambda one: one[:2])[2]

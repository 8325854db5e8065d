"""Doubts about the orders of one power, without those of others: help before they are submitted.

All of these orders are legal, and all of them may be intended. A doubt concerns only the power's own units: the player
has to judge whether others help or hinder.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import combinations

from plenipo.engine.board import Code
from plenipo.engine.calendar import PhaseKind
from plenipo.engine.facts import Crossing
from plenipo.engine.orders import Convoy, Move, Order, Retreat, Support
from plenipo.engine.phases.convoys import chain_exists
from plenipo.engine.phases.legality import Legality
from plenipo.engine.position import Position, Power, Unit
from plenipo.engine.rules import Rules
from plenipo.engine.sentences import Sentence, SentenceKind

__all__ = ["Doubt", "DoubtKind", "doubts"]

_ITS_ORDER = SentenceKind("its-order", "its order is {order}")
_HOLDS = SentenceKind("unit-holds", "{unit} holds")
_DOES_NOT_ENTER = SentenceKind("does-not-enter", "{order} does not enter as long as {unit} stays there.")
_CANNOT_PASS = SentenceKind("cannot-pass", "{order} and {other} cannot pass each other: one of them needs a convoy.")
_IDLE_FLEETS = SentenceKind(
    "idle-fleets",
    "{order} has no convoy: {fleets} is not ordered to carry it.",
    "{order} has no convoy: {fleets} are not ordered to carry it.",
    count="fleets",
)
_FLEETS_OF_OTHERS = SentenceKind(
    "fleets-of-others", "{order} needs fleets of others: no convoy of your own carries it there."
)
_CARRIES_NONE = SentenceKind("carries-none", "{order} convoys no unit: {reason}.")
_SUPPORTS_OTHER = SentenceKind("supports-other", "{order} does not match the order of {unit}: {reason}.")
_CANNOT_MATTER = SentenceKind("cannot-matter", "{order} cannot matter: no unit of others can be in {place}.")
_BOTH_DISBANDED = SentenceKind("both-disbanded", "{order} and {other} go to one place and are both disbanded.")
_BOTH_BOUNCE = SentenceKind("both-bounce", "{order} and {other} move to the same space and will bounce.")


class DoubtKind(StrEnum):
    """The reason for which an order is doubtful."""

    NO_CONVOY = "no_convoy"
    """An army is to cross water and no fleet of its power convoys it."""
    IDLE_CONVOY = "idle_convoy"
    """A fleet convoys an army of its own power that does not go there."""
    OTHER_SUPPORT = "other_support"
    """A unit supports an order that another of its own power does not have."""
    SAME_PLACE = "same_place"
    """Two units move to one place, and bounce."""
    OCCUPIED = "occupied"
    """A unit moves to a space where another of its own power stays."""
    SWAP = "swap"
    """Two units are to change places without a convoy."""
    NEEDLESS = "needless"
    """A support cannot matter: no unit could contest the supported order."""


@dataclass(frozen=True, slots=True)
class Doubt:
    """One doubt: the orders concerned, and a sentence."""

    kind: DoubtKind
    orders: tuple[Order, ...]
    sentence: str

    def __str__(self) -> str:
        return self.sentence


def doubts(rules: Rules, position: Position, power: Power, orders: Sequence[Order]) -> tuple[Doubt, ...]:
    """Return the doubts about the completed `orders` of `power`, in their order; empty where there are none."""
    if position.phase.kind is PhaseKind.RETREATS:
        return tuple(_same_places([order for order in orders if isinstance(order, Retreat)]))
    if position.phase.kind is not PhaseKind.MOVEMENT:
        return ()
    # orders that are delayed are for where the units will stand
    return tuple(_Plan(Legality(rules, position).foreseen(power), power, orders).doubts())


class _Plan:
    """The movement orders of one power, by the spaces of the units; its own are all units that it orders."""

    def __init__(self, legality: Legality, power: Power, orders: Sequence[Order]) -> None:
        self.legality, self.board = legality, legality.board
        ordered = {order.unit.location.space: order for order in orders if isinstance(order, Move | Support | Convoy)}
        at = {unit.location.space: unit for unit in legality.position.units}
        self.own = {space: unit for space, unit in at.items() if unit.power == power or space in ordered}
        self.others = tuple(unit for space, unit in at.items() if space not in self.own)
        self.orders: Mapping[Code, Order] = {space: ordered[space] for space in ordered if space in self.own}

    def doubts(self) -> Iterator[Doubt]:
        """Yield all doubts."""
        for order in self.orders.values():
            match order:
                case Move():
                    yield from self._move(order)
                case Support():
                    yield from self._support(order)
                case Convoy():
                    yield from self._convoy(order)
        yield from _same_places(self._moves())

    def _moves(self) -> list[Move]:
        return [order for order in self.orders.values() if isinstance(order, Move)]

    def _does(self, unit: Unit) -> Sentence:
        """Return the order of a unit of the power, for a sentence."""
        order = self.orders.get(unit.space)
        return _ITS_ORDER(order=order) if order else _HOLDS(unit=unit)

    def _sails(self, move: Move) -> bool:
        start = move.unit.location
        kind = self.own[start.space].kind
        near = self.board.reachable.get((kind, start), ())
        return kind in self.board.carriers and (move.via or move.to.space not in near)

    # ------------------------------------------------------------------ moves

    def _move(self, move: Move) -> Iterator[Doubt]:
        start, to = move.unit.location.space, move.to.space
        if self._sails(move):
            yield from self._check_convoy(move)
        met, answer = self.own.get(to), self.orders.get(to)
        if met is None:
            return
        if not isinstance(answer, Move):
            yield Doubt(DoubtKind.OCCUPIED, (move,), _DOES_NOT_ENTER(order=move, unit=met))
        elif answer.to.space == start and start < to and not self._sails(move) and not self._sails(answer):
            words = _CANNOT_PASS(order=move, other=answer)
            yield Doubt(DoubtKind.SWAP, (move, answer), words)

    def _check_convoy(self, move: Move) -> Iterator[Doubt]:
        start, to = move.unit.location.space, move.to.space
        carriers = frozenset(
            space
            for space, order in self.orders.items()
            if isinstance(order, Convoy) and (order.other.location.space, order.to.space) == (start, to)
        )
        if chain_exists(self.board, carriers, start, to):
            return
        useful = self.legality.landings(self.own[start]).get(to, frozenset())
        idle = tuple(self.own[space] for space in sorted(useful - carriers) if space in self.own)
        words = _IDLE_FLEETS(order=move, fleets=idle) if idle else _FLEETS_OF_OTHERS(order=move)
        yield Doubt(DoubtKind.NO_CONVOY, (move,), words)

    def _convoy(self, convoy: Convoy) -> Iterator[Doubt]:
        unit = self.own.get(convoy.other.location.space)
        move = self.orders.get(convoy.other.location.space)
        if unit and not (isinstance(move, Move) and move.to.space == convoy.to.space):
            words = _CARRIES_NONE(order=convoy, reason=self._does(unit))
            yield Doubt(DoubtKind.IDLE_CONVOY, (convoy,), words)

    # ------------------------------------------------------------------ supports

    def _support(self, support: Support) -> Iterator[Doubt]:
        helped = support.other.location.space
        unit, order = self.own.get(helped), self.orders.get(helped)
        goes = order.to.space if isinstance(order, Move) else None
        wanted = support.to.space if support.to else None
        if unit and goes != wanted:
            words = _SUPPORTS_OTHER(order=support, unit=unit, reason=self._does(unit))
            yield Doubt(DoubtKind.OTHER_SUPPORT, (support,), words)
            return
        place = wanted or helped
        if unit and not self._crosses(helped, place) and not self._is_contested(place):
            name = self.board.spaces[place].name
            yield Doubt(DoubtKind.NEEDLESS, (support,), _CANNOT_MATTER(order=support, place=name))

    def _is_contested(self, place: Code) -> bool:
        """Return whether a unit of another power is in a place or may go there."""
        return any(
            place in (unit.space, *self.board.reach(unit.kind, unit.location)) or place in self.legality.landings(unit)
            for unit in self.others
            if unit.space == place or unit.space not in self.legality.without_orders
        )

    def _crosses(self, start: Code, to: Code) -> bool:
        """Return whether a contact is crossed by another, so that it may be opposed from elsewhere."""
        way = frozenset((start, to))
        return any(way in (crossing.one, crossing.other) for crossing in self.legality.rules.facts.all(Crossing))


def _same_places(moves: Sequence[Move | Retreat]) -> Iterator[Doubt]:
    for one, other in combinations(moves, 2):
        if one.to.space == other.to.space:
            kind = _BOTH_DISBANDED if isinstance(one, Retreat) else _BOTH_BOUNCE
            yield Doubt(DoubtKind.SAME_PLACE, (one, other), kind(order=one, other=other))

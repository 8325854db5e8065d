"""Disguise: positions and turns as shown to a power that does not know the unit types of others.

A unit in disguise has the type that stands for any (`HiddenKinds.letter`), and no coast. It is replaced in sentences
too, so that a sentence is the same for every unit type.
"""

import re
from collections.abc import Iterable
from dataclasses import replace
from functools import cached_property
from typing import Any

from plenipo.engine.board import Board, Code, Location
from plenipo.engine.events import Event, Refusal
from plenipo.engine.facts import HiddenKinds
from plenipo.engine.orders import Move, Order, Ref, Retreat, Support
from plenipo.engine.outcome import Cause, NoEffect, Outcome, Reason, Uncounted, Uncut
from plenipo.engine.position import Dislodged, Position, Power, Unit
from plenipo.engine.rules import Rules
from plenipo.engine.sentences import Either, Sentence, SentenceKind, Series

__all__ = ["Disguise", "find_disguised_spaces"]

_NOT_POSSIBLE = SentenceKind("not-possible", "'{order}' was not possible.")
_ORDER_NOT_POSSIBLE = SentenceKind("order-not-possible", "{power}: '{order}' was not possible.")


def find_disguised_spaces(rules: Rules, fact: HiddenKinds, position: Position, who: Power | None) -> frozenset[Code]:
    """Return the spaces of the units whose types `who` does not know."""
    board = rules.board_at(position)
    slot = position.slots.get(fact.slot)
    shown: Iterable[Code] = getattr(slot, "spaces", ())
    units = (*position.units, *(dislodged.unit for dislodged in position.dislodged))
    return frozenset(
        unit.space
        for unit in units
        if unit.power != who and unit.space not in shown and not (fact.alone and _alone(board, fact, unit.space))
    )


def _alone(board: Board, fact: HiddenKinds, code: Code) -> bool:
    """Return whether only one unit type can be in a space, so that every power knows the type of a unit there."""
    space = board.spaces.get(code)
    if space is None:
        return False
    places = dict.fromkeys((Location(code), *space.locations))
    kinds = [kind for kind in board.kinds if kind != fact.letter]
    return sum(any(board.can_stand(kind, place) for place in places) for kind in kinds) == 1


class Disguise:
    """The disguise of positions and turns for `who`, where the unit types in the spaces `codes` are hidden."""

    def __init__(self, fact: HiddenKinds, board: Board, who: Power | None, codes: frozenset[Code]) -> None:
        self.fact, self.board, self.who, self.codes = fact, board, who, codes

    def unit(self, unit: Unit) -> Unit:
        """Return a unit, in disguise if it is another power's in one of the spaces."""
        if unit.power == self.who or unit.space not in self.codes:
            return unit
        return Unit(unit.power, self.fact.letter, Location(unit.space))

    def dislodged_unit(self, dislodged: Dislodged) -> Dislodged:
        """Return a dislodged unit in disguise."""
        by = dislodged.by
        return Dislodged(self.unit(dislodged.unit), self.unit(by) if by else None, dislodged.barred)

    def sentence(self, sentence: str) -> str:
        """Return a sentence in which units in the spaces have no type and no coast."""
        return self._part(sentence) if self.codes else sentence

    def _part(self, part: Any) -> Any:
        """Return a part of a sentence in disguise: units, locations and orders, and those in a text of a player."""
        if isinstance(part, Sentence):
            parts = {key: self._part(one) for key, one in part.parts.items()}
            return part if parts == part.parts else part.kind(**parts)
        if isinstance(part, Unit | Ref):
            hides = part.location.space in self.codes
            return part._replace(kind=self.fact.letter, location=Location(part.location.space)) if hides else part
        if isinstance(part, Location):
            return Location(part.space) if part.space in self.codes else part
        if part.__class__ in (tuple, Either, Series):
            return part.__class__(map(self._part, part))
        if isinstance(part, Order):
            return self._text(str(part))
        if isinstance(part, str):
            text = self._text(part)
            return part if text == part else part.__class__(text)
        return part

    def _text(self, text: str) -> str:
        """Return an order, or another text of a player, in which units in the spaces have no type and no coast."""
        return self._coasts.sub(r"\1", self._units.sub(rf"{self.fact.letter} \1", text))  # english: ok

    @cached_property
    def _units(self) -> re.Pattern[str]:
        letters = "|".join(map(re.escape, self.board.kinds))
        return re.compile(rf"\b(?:{letters}) ({self._names})(?:/\w+)?(?!\w)")  # english: ok

    @cached_property
    def _coasts(self) -> re.Pattern[str]:
        return re.compile(rf"(?<!\w)({self._names})/\w+")

    @property
    def _names(self) -> str:
        return "|".join(map(re.escape, sorted(self.codes, key=lambda code: (-len(code), code))))

    def _ref(self, ref: Ref, power: Power | None) -> Ref:
        hides = ref.location.space in self.codes and power != self.who
        return Ref(self.fact.letter, Location(ref.location.space)) if hides else ref

    def order(self, order: Order | None, power: Power) -> Order | None:
        """Return an order of a power in disguise."""
        if order is None:
            return None
        changed: dict[str, Any] = {}
        unit = getattr(order, "unit", None)
        if unit is not None:
            changed["unit"] = self._ref(unit, power)
        if isinstance(order, Move | Retreat) and changed.get("unit") != unit:
            changed["to"] = Location(order.to.space)
        other = getattr(order, "other", None)
        if other is not None:
            changed["other"] = self._ref(other, None)
            if isinstance(order, Support) and order.to is not None and changed["other"] != other:
                changed["to"] = Location(order.to.space)
        into = getattr(order, "into", None)
        if into is not None:
            changed["into"] = self._ref(into, power)
        return replace(order, **changed) if changed else order

    def outcome(self, outcome: Outcome) -> Outcome:
        """Return an outcome in disguise.

        An order that was illegal because of a hidden unit shows only that it was illegal.
        """
        cause = outcome.cause
        order, unit = self.order(outcome.order, outcome.power), outcome.unit
        disguised = unit is not None and self.unit(unit) != unit
        about = getattr(outcome.order, "other", None)
        about_hidden = about is not None and about.location.space in self.codes
        refused = cause.reason in (Reason.ILLEGAL, Reason.PUT_OFF) and (about_hidden or disguised)
        by = outcome.dislodged_by
        return outcome._replace(
            unit=self.unit(unit) if unit else None,
            order=order,
            cause=self.cause(cause, refused=refused),
            said=_NOT_POSSIBLE(order=order) if refused else self.sentence(outcome.why),
            dislodged_by=self.unit(by) if by else None,
            retreats=() if disguised else outcome.retreats,
            fall=self.cause(outcome.fall) if outcome.fall else None,
        )

    def cause(self, cause: Cause, *, refused: bool = False) -> Cause:
        """Return a cause in disguise; for an order refused because of a hidden unit it reveals nothing more."""
        return cause._replace(
            by=tuple(map(self.unit, cause.by)),
            helpers=tuple(map(self.unit, cause.helpers)),
            against_helpers=tuple(map(self.unit, cause.against_helpers)),
            detail="" if refused else self.sentence(cause.detail),
            uncounted=tuple(
                Uncounted(self.unit(unit), why, self.unit(against) if against else None)
                for unit, why, against in cause.uncounted
            ),
            fleets=tuple(map(self.unit, cause.fleets)),
            uncut=tuple(
                Uncut(self.unit(unit), why, self.unit(fleet) if fleet else None) for unit, why, fleet in cause.uncut
            ),
            no_effect=NoEffect(*map(self.unit, cause.no_effect)) if cause.no_effect else None,
        )

    def refusal(self, refusal: Refusal) -> Refusal:
        """Return a refusal in disguise; one because of a hidden unit shows only that there was one."""
        if not self.codes:
            return refusal
        text, sentence = self._text(refusal.text), self.sentence(refusal.sentence)
        if self._units.search(refusal.text):
            sentence = _ORDER_NOT_POSSIBLE(power=refusal.power, order=text)
        return refusal._replace(sentence=sentence, text=text)

    def event(self, event: Event) -> Event:
        """Return an event in disguise."""
        return event._replace(sentence=self.sentence(event.sentence), units=tuple(map(self.unit, event.units)))

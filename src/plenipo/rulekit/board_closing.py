"""Closing: what modules share that close spaces in play, and what is lost with them."""

from collections.abc import Sequence
from dataclasses import replace

from plenipo.engine.board import Code
from plenipo.engine.changes import Closed
from plenipo.engine.events import CENTRE_LOST, UNIT_DISBANDED, Event, EventKind
from plenipo.engine.hooks import Effects
from plenipo.engine.position import Position, Unit
from plenipo.engine.rules import Rules
from plenipo.engine.sentences import Sentence, SentenceKind

__all__ = ["BOARD_CLOSED", "BOARD_OPENED", "LOST", "NOWHERE", "explain_closing", "explain_opening", "shut"]

BOARD_CLOSED = EventKind("board_closed")
"""The space, or the way between the two, is closed."""

BOARD_OPENED = EventKind("board_opened")
"""The space, or the way between the two, is open again."""

LOST = SentenceKind("lost-when-closed", "{unit} of {power} was lost when {place} closed.")
NOWHERE = SentenceKind("disbanded-nowhere", "{unit} of {power} was disbanded: it has nowhere to stand.")
_CENTRE_GONE = SentenceKind("centre-gone", "{power} lost the supply centre.")
_CLOSED = SentenceKind("space-closed", "{place} is closed.")
_CLOSED_BECAUSE = SentenceKind("space-closed-because", "{place} is closed: {reason}.")
_OPEN = SentenceKind("space-open", "{place} is open.")
_OPEN_BECAUSE = SentenceKind("space-open-because", "{place} is open: {reason}.")
_OPEN_AGAIN = SentenceKind("space-open-again", "{place} is open again.")
_WAY_CLOSED = SentenceKind("way-closed", "The way between {one} and {other} is closed.")
_WAY_CLOSED_BECAUSE = SentenceKind("way-closed-because", "The way between {one} and {other} is closed: {reason}.")
_WAY_OPEN = SentenceKind("way-open", "The way between {one} and {other} is open.")
_WAY_OPEN_BECAUSE = SentenceKind("way-open-because", "The way between {one} and {other} is open: {reason}.")
_WAY_OPEN_AGAIN = SentenceKind("way-open-again", "The way between {one} and {other} is open again.")


def explain_closing(names: Sequence[str], reason: str = "") -> Sentence:
    """Return the sentence that a space, or the way between two, is closed; `reason` is that of the variant."""
    if len(names) == 1:
        return _CLOSED_BECAUSE(place=names[0], reason=reason) if reason else _CLOSED(place=names[0])
    ways = {"one": names[0], "other": names[1]}
    return _WAY_CLOSED_BECAUSE(reason=reason, **ways) if reason else _WAY_CLOSED(**ways)


def explain_opening(names: Sequence[str], reason: str = "", *, again: bool = False) -> Sentence:
    """Return the sentence that a space, or the way between two, is open, or open again."""
    if len(names) == 1:
        place = names[0]
        if again:
            return _OPEN_AGAIN(place=place)
        return _OPEN_BECAUSE(place=place, reason=reason) if reason else _OPEN(place=place)
    ways = {"one": names[0], "other": names[1]}
    if again:
        return _WAY_OPEN_AGAIN(**ways)
    return _WAY_OPEN_BECAUSE(reason=reason, **ways) if reason else _WAY_OPEN(**ways)


def shut(
    rules: Rules, position: Position, space: Code, kind: EventKind, gone: SentenceKind, homeless: SentenceKind
) -> Effects:
    """Return `position` with `space` closed, the units in it lost and its centre without an owner.

    The events are the loss of the centre, and of units: those of units in the space are of the `kind` and have the
    sentence `gone`; those of units elsewhere that can no longer stand in their spaces have the sentence `homeless`.
    """
    units = (*position.units, *(d.unit for d in position.dislodged))
    lost = {unit for unit in units if unit.space == space}
    name = rules.board_at(position).spaces[space].name
    events = [_of_unit(kind, unit, gone, name) for unit in units if unit in lost]
    owner = position.owners.get(space)
    if owner is not None:
        events.append(Event(CENTRE_LOST, _CENTRE_GONE(power=owner), (owner,), (space,)))
    position = replace(position, changes=(*position.changes, Closed(space)))
    board = rules.board_at(position)
    stray = {
        unit
        for unit in units
        if unit not in lost and not board.can_stand(unit.kind, unit.location) and not position.is_stranded(board, unit)
    }
    events += [_of_unit(UNIT_DISBANDED, unit, homeless, name) for unit in units if unit in stray]
    left = replace(
        position,
        units=tuple(unit for unit in position.units if unit not in lost | stray),
        dislodged=tuple(d for d in position.dislodged if d.unit not in lost | stray),
        owners={code: power for code, power in position.owners.items() if code != space},
    )
    return Effects(left, tuple(events))


def _of_unit(kind: EventKind, unit: Unit, sentence: SentenceKind, place: str) -> Event:
    return Event(kind, sentence(unit=unit, power=unit.power, place=place), (unit.power,), (unit.space,), (unit,))

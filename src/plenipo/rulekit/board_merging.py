"""Mergers: the consequences for units, ownership and memory when two spaces become one during play."""

from dataclasses import replace
from typing import TYPE_CHECKING, Any, Literal

from plenipo.engine.board import Board, Location
from plenipo.engine.changes import Joined, find_successors
from plenipo.engine.events import UNIT_DISBANDED, Event, EventKind
from plenipo.engine.hooks import Effects
from plenipo.engine.position import Position, Unit
from plenipo.engine.reading.notation import notation_of
from plenipo.engine.reading.positions import BoardReader
from plenipo.engine.sentences import SentenceKind

if TYPE_CHECKING:
    from plenipo.engine.rules import Rules

__all__ = ["SPACES_JOINED", "Both", "join"]

SPACES_JOINED = EventKind("spaces_joined")
"""The first space became a part of the second."""

Both = Literal["waits", "stays", "lost"]
"""If units stand in both: merge later, keep the unit in the space that gives the name, or remove both units."""

_JOINED_TO = SentenceKind("spaces-joined", "{place} is a part of {whole} now.")
_JOINED_BECAUSE = SentenceKind("spaces-joined-because", "{place} is a part of {whole} now: {reason}.")
_LOST = SentenceKind("lost-when-joined", "{unit} of {power} was lost when {place} became a part of {whole}.")


def join(rules: "Rules", position: Position, joined: Joined, both: Both, reason: str = "") -> Effects:
    """Return `position` after one space became a part of another, which touches it.

    A unit in either then stands in the whole, a fleet on the coast that keeps most of its contacts. Nothing happens as
    long as a dislodged unit has yet to leave either, or where units stand in both and `both` says to wait. The owner of
    the whole is that of the space that gives the name, or else that of the other; it is a home of each power of which
    either was one.
    """
    space, into = joined.space, joined.into
    here, there = position.unit_at(into), position.unit_at(space)
    leaving = any(code in (space, into) for d in position.dislodged for code in (d.unit.space, *d.barred))
    if leaving or (here and there and both == "waits"):
        return Effects(position)
    before = rules.board_at(position)
    changes = (*position.changes, joined)
    board = rules.board_at(replace(position, changes=changes))
    lost = [unit for unit in (here, there) if here and there and unit and (both == "lost" or unit is there)]
    now: dict[Unit, Unit] = {}
    units: list[Unit] = []
    for unit in position.units:
        if unit in lost:
            continue
        now[unit] = unit._replace(location=_became(before, board, unit.location, joined))
        if board.can_stand(unit.kind, now[unit].location) or position.is_stranded(board, unit):
            units.append(now[unit])
        else:
            lost.append(unit)
    owners = {code: power for code, power in position.owners.items() if code != space}
    if space in position.owners:
        owners.setdefault(into, position.owners[space])
    names = {"place": before.spaces[space].name, "whole": before.spaces[into].name}
    why = _JOINED_BECAUSE(reason=reason, **names) if reason else _JOINED_TO(**names)
    events = [Event(SPACES_JOINED, why, spaces=(space, into))]
    for unit in lost:
        words = _LOST(unit=unit, power=unit.power, **names)
        events.append(Event(UNIT_DISBANDED, words, (unit.power,), (unit.space,), (unit,)))
    after = replace(
        position,
        units=tuple(units),
        contested=find_successors(position.contested, (joined,)),
        owners=owners,
        homes={power: find_successors(codes, (joined,)) for power, codes in position.homes.items()},
        changes=changes,
    )
    texts = {str(old): str(new) for old, new in now.items() if old != new} | {str(space): str(into)}
    return Effects(_translate_slots(rules, after, board, texts), tuple(events))


def _became(before: Board, after: Board, at: Location, joined: Joined) -> Location:
    """Return the location after the merge of a unit that stood at `at`.

    Only locations in the two merged spaces change; a fleet stands on the coast that keeps most of its contacts.
    """
    if at.space not in (joined.space, joined.into):
        return at
    coasts = after.spaces[joined.into].coasts
    if not coasts or at not in before.fleets:
        return Location(joined.into)
    reached = {to.space for to in before.fleets[at]}

    def ways(here: Location) -> int:
        return len(reached & {to.space for to in after.fleets.get(here, ())})

    return max(sorted(after.spaces[joined.into].locations), key=ways)


def _translate_slots(rules: "Rules", position: Position, board: Board, texts: dict[str, str]) -> Position:
    """Return the position with the slots of all modules in the notation of the merged board."""
    modules = {module.name: module for module in rules.modules}
    reader = BoardReader(board, rules.power, lambda: notation_of(rules, position), position.changes)
    for name, slot in position.slots.items():
        written = slot.to_json()
        said = _said_anew(written, texts)
        if said != written and name in modules:
            position = position.with_slot(name, modules[name].decode_slot(said, reader))
    return position


def _said_anew(value: Any, texts: dict[str, str]) -> Any:
    """Return JSON with some texts replaced; an entry that has a key already overrides a key that is renamed to it."""
    if isinstance(value, str):
        return texts.get(value, value)
    if isinstance(value, list | tuple):
        return [_said_anew(item, texts) for item in value]
    if isinstance(value, dict):
        moved = {texts[key]: _said_anew(item, texts) for key, item in value.items() if key in texts}
        return moved | {key: _said_anew(item, texts) for key, item in value.items() if key not in texts}
    return value

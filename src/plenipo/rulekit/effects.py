"""Effects: the changes that a rule makes to spaces and powers, as data, for all modules whose entries have effects."""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, ClassVar, Literal, get_args

from plenipo.engine.board import Board, Code, Location, UnitKind
from plenipo.engine.changes import Closed, Founded, Razed
from plenipo.engine.events import CENTRE_LOST, UNIT_DESTROYED, UNIT_DISBANDED, Event, EventKind
from plenipo.engine.hooks import Effects
from plenipo.engine.phases.ownership import make_capture_event
from plenipo.engine.phases.ownership_history import homes_now
from plenipo.engine.position import Position, Power, Unit
from plenipo.engine.sentences import SentenceKind, say
from plenipo.rulekit.board_closing import (
    BOARD_CLOSED,
    BOARD_OPENED,
    LOST,
    NOWHERE,
    explain_closing,
    explain_opening,
    shut,
)
from plenipo.rulekit.rule_entries import RuleEntry
from plenipo.rulekit.treasury import Treasury

if TYPE_CHECKING:
    from plenipo.engine.rules import Rules

__all__ = [
    "CENTRE_FOUNDED",
    "CENTRE_RAZED",
    "UNITS_SILENCED",
    "UNIT_RAISED",
    "Effect",
    "apply_effect",
    "check_effect",
    "explain_silence",
    "find_silenced",
]

UNIT_RAISED = EventKind("unit_raised")
"""The power has a new unit, which it did not build."""

UNITS_SILENCED = EventKind("units_silenced")
"""Units in the space, or of the power, take no orders in the next movement."""

UNIT_TURNED = EventKind("unit_turned")
"""The unit of the power in the space is of another kind from now on; the units are what it was and what it is."""

CENTRE_FOUNDED = EventKind("centre_founded")
"""The space is a supply centre from now on."""

CENTRE_RAZED = EventKind("centre_razed")
"""The space is no supply centre any more."""

_OfSpace = Literal[
    "destroys",
    "raises",
    "turns",
    "frees",
    "gives",
    "homes",
    "founds",
    "razes",
    "closes",
    "opens",
    "silences",
]
_OfPower = Literal["silences", "falls", "topples", "disbands"]
Word = Literal[_OfSpace, _OfPower]

_OF_SPACES, _OF_POWERS = get_args(_OfSpace), get_args(_OfPower)

_SILENT = SentenceKind("unit-silenced", "{unit} takes no orders in this movement.")
_TURNED = SentenceKind("unit-turned", "{unit} of {power} is {now} now.", note="{now} is the unit with its new type.")
_STANDS = SentenceKind("unit-raised", "{unit} of {power} stands there now.")
_DESTROYED = SentenceKind("unit-destroyed", "{unit} of {power} was destroyed.")
_FREED = SentenceKind("centre-freed", "{power} lost {place}, which is now neutral.")
_FOUNDED = SentenceKind("centre-founded", "{place} is a supply centre now.")
_RAZED = SentenceKind("centre-razed", "{place} is no supply centre any more.")
_SPACE_SILENCED = SentenceKind("space-silenced", "The unit in {place} takes no orders in the next movement.")
_POWER_SILENCED = SentenceKind("power-silenced", "The units of {power} take no orders in the next movement.")


@dataclass(frozen=True)
class Effect:
    """A change to the space or the power that the effect is about, and to those in `spaces` and `powers`.

    `does` lists what happens. To a space: its unit is destroyed (`destroys`), the power that profits gets a new unit of
    the type `unit` there if it is empty (`raises`), its unit becomes one of the type `unit` where that type can stand
    (`turns`), the centre loses its owner (`frees`) or passes to the power that profits (`gives`), the centre becomes a
    home of the power that profits (`homes`), the space becomes a supply centre (`founds`) or stops being one (`razes`),
    it closes (`closes`) or opens (`opens`), or its unit takes no orders in the next movement (`silences`). To a power:
    its units take no orders in the next movement (`silences`, where the effect is about no space), all its centres pass
    to the power that profits (`falls`) or lose their owner (`topples`), or all its units are destroyed (`disbands`).

    `points` are added to the treasury of the power, or taken from it if negative. `near` lists what happens to every
    space beside the space.
    """

    __pydantic_config__: ClassVar[dict[str, Any]] = {"extra": "forbid"}  # a misspelt key is reported, not passed over

    does: tuple[Word, ...] = ()
    spaces: tuple[Code, ...] = ()
    powers: tuple[Power, ...] = ()
    points: int = 0
    unit: UnitKind | None = None
    near: tuple[Word, ...] = ()


def check_effect(at: RuleEntry, effect: Effect, *, space: bool, power: bool, profits: bool) -> None:
    """Raise `InvalidVariant` for an effect, the entry `at`, that could do nothing; the flags say what it is about."""
    if not effect.does and not effect.points and not effect.near:
        raise at.wrong(say("does nothing: write 'does' or 'points'."))
    at.spaces(spaces=effect.spaces)
    at.powers(powers=effect.powers)
    for word in effect.does:
        to_space = word in _OF_SPACES and (space or effect.spaces)
        to_power = word in _OF_POWERS and (power or effect.powers)
        if not to_space and not to_power:
            what = "space" if word in _OF_SPACES else "power"
            raise at.wrong(say("has '{word}', and is about no {what}: write '{what}s'.", word=word, what=what), "does")
        if word in ("gives", "homes", "falls", "raises") and not profits:
            raise at.wrong(say("has '{word}', and no power gets it.", word=word), "does")
    for word in effect.near:
        if word not in _OF_SPACES or not (space or effect.spaces):
            raise at.wrong(say("has '{word}' as 'near', which is done to no space.", word=word), "near")
        if word in ("gives", "homes", "raises") and not profits:
            raise at.wrong(say("has '{word}', and no power gets it.", word=word), "near")
    if any(word in ("raises", "turns") for word in (*effect.does, *effect.near)) is not (effect.unit is not None):
        missing = "no 'unit'" if effect.unit is None else f"the unit '{effect.unit}', and raises none"
        raise at.wrong(say("has {missing}; write both 'raises' or 'turns' and 'unit', or neither.", missing=missing))
    at.kinds(unit=() if effect.unit is None else (effect.unit,))
    if effect.points and not (power or effect.powers):
        raise at.wrong(say("has 'points', and is about no power: write 'powers'."), "points")
    if effect.points:
        at.players(powers=effect.powers)
    if effect.points and at.rules.module(Treasury) is None:
        raise at.wrong(say("has 'points', and no power has a treasury; it needs 'money' or 'points'."), "points")


def find_silenced(
    board: Board, effect: Effect, space: Code | None, power: Power | None
) -> tuple[frozenset[Code], frozenset[Power]]:
    """Return the spaces and the powers whose units take no orders in the next movement because of an effect.

    `board` is the one before the effect. An effect about a space silences only the unit there.
    """
    here = set(_both(effect.spaces, space)) if "silences" in effect.does else set()
    around = _beside(board, effect, space) if "silences" in effect.near else set()
    powers = _both(effect.powers, power if space is None else None) if "silences" in effect.does else {}
    return frozenset(here | around), frozenset(powers)


def _beside(board: Board, effect: Effect, space: Code | None) -> set[Code]:
    """Return the spaces beside those that an effect is about."""
    codes = _both(effect.spaces, space)
    return {near for code in codes for near in board.near.get(code, ())} - set(codes)


def explain_silence(unit: Unit, spaces: frozenset[Code], powers: frozenset[Power]) -> str:
    """Return why a unit takes no orders, if units in `spaces` and of `powers` take none; empty if it takes orders."""
    silent = unit.space in spaces or unit.power in powers
    return _SILENT(unit=unit) if silent else ""


def apply_effect(
    rules: "Rules", position: Position, effect: Effect, space: Code | None, power: Power | None, to: Power | None
) -> Effects:
    """Apply an effect about a space or a power, from which the power `to` profits.

    Returns the position and the events.
    """
    events: list[Event] = []
    board = rules.board_at(position)
    here, beside = list(_both(effect.spaces, space)), sorted(_beside(board, effect, space))
    for words, codes in ((effect.does, here), (effect.near, beside)):
        for word in words:
            for code in codes if word in _OF_SPACES else ():
                position, more = _to_one(rules, position, effect, word, code, to)
                events += more
    for word in effect.does:
        about = None if word == "silences" and space is not None else power
        for name in _both(effect.powers, about) if word in _OF_POWERS else ():
            position, more = _to_power(rules, position, word, name, to)
            events += more
    treasury = rules.module(Treasury)
    if effect.points and treasury:
        balances = treasury.ledger(position).points
        sums = {name: max(effect.points, -balances.get(name, 0)) for name in _both(effect.powers, power)}
        effects = treasury.receive_income(position, sums)
        position, events = effects.position, [*events, *effects.events]
    return Effects(position, tuple(events))


def _to_one(
    rules: "Rules", position: Position, effect: Effect, word: str, code: Code, to: Power | None
) -> tuple[Position, list[Event]]:
    """Apply a word of an effect to a space, if the board still has it.

    Returns the position and the events.
    """
    board = rules.board_at(position)
    if code not in board.spaces:
        return position, []
    if word == "raises":
        unit = Unit(to, effect.unit, Location(code)) if effect.unit and to else None
        return _place_unit(rules, position, unit) if unit else (position, [])
    if word == "turns" and effect.unit is not None:
        return _change_unit_type(board, position, code, effect.unit)
    return _to_space(rules, position, word, code, to)


def _change_unit_type(board: Board, position: Position, code: Code, kind: UnitKind) -> tuple[Position, list[Event]]:
    """Change the unit in a space to another type, if that type can stand there; return the position and the events."""
    unit = position.unit_at(code)
    places = (unit.location, Location(code), *board.spaces[code].locations) if unit else ()
    at = next((place for place in places if board.can_stand(kind, place)), None)
    if unit is None or at is None or unit.kind is kind:
        return position, []
    now = Unit(unit.power, kind, at)
    event = Event(UNIT_TURNED, _TURNED(unit=unit, power=unit.power, now=now), (unit.power,), (code,), (unit, now))
    units = tuple(now if other == unit else other for other in position.units)
    return replace(position, units=units), [event]


def _both(listed: Iterable[Any], one: Any) -> dict[Any, None]:
    return dict.fromkeys((*listed, *(() if one is None else (one,))))


def _place_unit(rules: "Rules", position: Position, unit: Unit) -> tuple[Position, list[Event]]:
    """Place a new unit if the space is empty, a fleet on the first of several coasts.

    Returns the position and the events.
    """
    board = rules.board_at(position)
    places = (unit.location, *board.spaces[unit.space].locations)
    at = next((place for place in places if board.can_stand(unit.kind, place)), None)
    leaving = position.dislodged_at(unit.space)
    if at is None or position.unit_at(unit.space) or leaving:
        return position, []
    unit = unit._replace(location=at)
    event = Event(UNIT_RAISED, _STANDS(unit=unit, power=unit.power), (unit.power,), (unit.space,), (unit,))
    return replace(position, units=(*position.units, unit)), [event]


def _to_space(
    rules: "Rules", position: Position, word: str, code: Code, to: Power | None
) -> tuple[Position, list[Event]]:
    board = rules.board_at(position)
    space, unit, owner = board.spaces[code], position.unit_at(code), position.owners.get(code)
    if word == "destroys" and unit:
        event = Event(UNIT_DESTROYED, _DESTROYED(unit=unit, power=unit.power), (unit.power,), (code,), (unit,))
        return replace(position, units=tuple(other for other in position.units if other != unit)), [event]
    if word == "frees" and owner:
        owners = {other: power for other, power in position.owners.items() if other != code}
        event = Event(CENTRE_LOST, _FREED(power=owner, place=space.name), (owner,), (code,))
        return replace(position, owners=owners), [event]
    if word == "gives" and to and owner != to and code in board.centres:
        return replace(position, owners={**position.owners, code: to}), [make_capture_event(space, to, owner)]
    if word == "homes" and to and code in board.centres and code not in position.homes_of(to):
        homes = {**position.homes, to: position.homes_of(to) | {code}}
        return replace(position, homes=homes), [homes_now(to, sorted(homes[to]))]
    if word == "founds" and code not in board.centres and not space.impassable:
        changes = (*position.changes, Founded(code))
        event = Event(CENTRE_FOUNDED, _FOUNDED(place=space.name), spaces=(code,))
        return replace(position, changes=changes), [event]
    if word == "razes" and code in board.centres:
        owners = {other: power for other, power in position.owners.items() if other != code}
        event = Event(CENTRE_RAZED, _RAZED(place=space.name), (owner,) if owner else (), (code,))
        homes = {power: codes - {code} for power, codes in position.homes.items()}
        return replace(position, owners=owners, homes=homes, changes=(*position.changes, Razed(code))), [event]
    if word == "closes" and not space.impassable:
        effects = shut(rules, position, code, UNIT_DISBANDED, LOST, NOWHERE)
        return effects.position, [Event(BOARD_CLOSED, explain_closing([space.name]), spaces=(code,)), *effects.events]
    if word == "opens" and Closed(code) in position.changes:
        changes = tuple(change for change in position.changes if change != Closed(code))
        return replace(position, changes=changes), [Event(BOARD_OPENED, explain_opening([space.name]), spaces=(code,))]
    if word == "silences" and unit:
        why = _SPACE_SILENCED(place=space.name)
        return position, [Event(UNITS_SILENCED, why, (unit.power,), (code,))]
    return position, []


def _to_power(
    rules: "Rules", position: Position, word: str, power: Power, to: Power | None
) -> tuple[Position, list[Event]]:
    spaces = rules.board_at(position).spaces
    if word == "silences":
        why = _POWER_SILENCED(power=power)
        return position, [Event(UNITS_SILENCED, why, (power,))]
    if word == "disbands":
        lost = position.units_of(power)
        events = [Event(UNIT_DESTROYED, _DESTROYED(unit=u, power=power), (power,), (u.space,), (u,)) for u in lost]
        return replace(position, units=tuple(unit for unit in position.units if unit.power != power)), events
    codes = position.centres_of(power)
    if word == "falls" and to and to != power:
        won = [make_capture_event(spaces[code], to, power) for code in codes]
        return replace(position, owners={**position.owners, **dict.fromkeys(codes, to)}), won
    if word == "topples":
        owners = {code: owner for code, owner in position.owners.items() if owner != power}
        freed = [Event(CENTRE_LOST, _FREED(power=power, place=spaces[c].name), (power,), (c,)) for c in codes]
        return replace(position, owners=owners), freed
    return position, []

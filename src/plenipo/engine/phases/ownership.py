"""The ownership of supply centres (rulebook, gaining and losing supply centres), and its consequences."""

from collections.abc import Sequence
from dataclasses import replace

from plenipo.engine.board import Code, Space
from plenipo.engine.calendar import Phase, PhaseKind
from plenipo.engine.events import CENTRE_LOST, CENTRE_TAKEN, HOMES_FIXED, Event
from plenipo.engine.facts import Raids
from plenipo.engine.hooks import Effects, RuleModule
from plenipo.engine.phases import delays, ownership_history
from plenipo.engine.position import Position, Power, Unit
from plenipo.engine.rules import Rules
from plenipo.engine.sentences import SentenceKind, Series

__all__ = ["homes_fixed", "list_scheduled_effects", "make_capture_event", "raid", "settle"]

_HOMES_NOW = SentenceKind("homes-now", "The home centres of {power} are now {centres}.")
_TAKEN = SentenceKind("centre-taken", "{power} took {centre}.")
_TAKEN_FROM = SentenceKind("centre-taken-from", "{power} took {centre} from {loser}.")
_RAIDED = SentenceKind("centre-raided", "{power} lost {place}: {unit} of {raider} raids it.")


def settle(rules: Rules, position: Position, phase: Phase) -> Effects:
    """Return the position after every occupied centre has passed to the power in it, and the changes of owner.

    This happens when the moves and the retreats of the season are over, in `phase`.
    """
    before = position
    position, captures = _capture(rules, position, phase)
    position, of_centres = ownership_history.after_captures(
        rules, before, position, phase, [code for event in captures for code in event.spaces]
    )
    position, of_homes = ownership_history.homes(rules, position)
    events = (*captures, *of_centres, *of_homes)
    if delay := rules.facts.delay:
        position, of_delay, _ = delays.settle(rules, position, delay)
        events += of_delay
    if list_scheduled_effects(rules, phase):
        homes = {power: frozenset(position.centres_of(power)) for power in rules.names}
        position = replace(position, homes=homes)
        events += tuple(
            homes_fixed(power, codes)
            for power, codes in ((power, sorted(codes)) for power, codes in homes.items())
            if codes
        )
    return Effects(position, events)


def raid(rules: Rules, position: Position, raids: Raids, phase: Phase) -> Effects:
    """Remove the owner of every centre that is raided when `phase` is over.

    A centre that no unit can capture cannot be raided.
    """
    if not _is_over(rules, phase) or (raids.seasons and phase.season not in raids.seasons):
        return Effects(position)
    owners, events = dict(position.owners), list[Event]()
    for unit in position.units:
        owner = owners.get(unit.space)
        if owner is None or unit.power == owner or unit.power in rules.unplayed_powers or not raids.includes(unit):
            continue
        if all(module.captures(rules, position, unit) for module in rules.overriding[RuleModule.captures]):
            del owners[unit.space]
            place = rules.board_at(position).spaces[unit.space].name
            why = _RAIDED(power=owner, place=place, unit=unit, raider=unit.power)
            events.append(Event(CENTRE_LOST, why, (owner, unit.power), (unit.space,), (unit,)))
    return Effects(replace(position, owners=owners) if events else position, tuple(events))


def _is_over(rules: Rules, phase: Phase) -> bool:
    """Return whether the moves and retreats of a season end with `phase`."""
    following = next(iter(rules.calendar.after(phase))).kind
    unended = (PhaseKind.RETREATS, PhaseKind.DRAWS)
    return phase.kind is PhaseKind.RETREATS or (phase.kind is PhaseKind.MOVEMENT and following not in unended)


def list_scheduled_effects(rules: Rules, phase: Phase) -> tuple[str, ...]:
    """Return the other effects of an ownership update in `phase`, in words, for calendars."""
    fixed = rules.facts.fixed
    now = fixed is not None and (phase.kind, phase.year) == (PhaseKind.OWNERSHIP, fixed.year)
    return ("homes fixed",) if now else ()


def _capture(rules: Rules, position: Position, phase: Phase) -> tuple[Position, list[Event]]:
    centres = rules.board_at(position).centres
    owners = dict(position.owners)
    events: list[Event] = []
    for unit in position.units:
        loser = owners.get(unit.space)
        if unit.space in centres and loser != unit.power and _takes(rules, position, unit, phase):
            events.append(make_capture_event(rules.board_at(position).spaces[unit.space], unit.power, loser))
            owners[unit.space] = unit.power
    capturing = rules.facts.capturing
    for code, power in ownership_history.passers(capturing, position, phase) if capturing else ():
        if owners.get(code) != power and code in centres:
            events.append(make_capture_event(rules.board_at(position).spaces[code], power, owners.get(code)))
            owners[code] = power
    return (replace(position, owners=owners) if events else position), events


def _takes(rules: Rules, position: Position, unit: Unit, phase: Phase) -> bool:
    """Return whether `unit` captures the centre it is in."""
    delay = rules.facts.delay
    if unit.power in rules.facts.garrisons or (delay and not delays.takes(delay, position, unit)):
        return False
    capturing = rules.facts.capturing
    if capturing and not ownership_history.may_take(capturing, position, unit, phase):
        return False
    return all(module.captures(rules, position, unit) for module in rules.overriding[RuleModule.captures])


def make_capture_event(centre: Space, power: Power, loser: Power | None) -> Event:
    """Return the event that a centre has passed to `power`, from `loser` if it had an owner."""
    why = (_TAKEN_FROM if loser else _TAKEN)(power=power, centre=centre.name, **({"loser": loser} if loser else {}))
    return Event(CENTRE_TAKEN, why, (power, loser) if loser else (power,), (centre.code,))


def homes_fixed(power: Power, codes: Sequence[Code]) -> Event:
    """Return the event that these are the home centres of `power` from now on."""
    return Event(HOMES_FIXED, _HOMES_NOW(power=power, centres=Series(codes)), (power,), tuple(codes))

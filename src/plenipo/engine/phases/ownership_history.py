"""Centres and homes that change hands by a history of several ownership updates (`Capturing`, `EarnedHomes`)."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple

from plenipo.engine.board import Code
from plenipo.engine.calendar import Phase, as_year
from plenipo.engine.events import CENTRE_LOST, CENTRE_TAKEN, HOMES_FIXED, Event
from plenipo.engine.facts import Capturing
from plenipo.engine.module_memory import ModuleMemory, make_sparse_field
from plenipo.engine.position import Position, Power, Unit
from plenipo.engine.rules import Rules
from plenipo.engine.sentences import Sentence, SentenceKind, Series

__all__ = [
    "CAPTURES",
    "HOMES",
    "CentreHistory",
    "Run",
    "after_captures",
    "homes",
    "may_take",
    "note",
    "passers",
    "with_parts",
]

CAPTURES, HOMES = "captures", "homes"
"""The slots of a position in which the units in centres, and the owners, are stored."""

_LOST = SentenceKind("centre-lost", "{power} lost {centre}: {reason}.")
_DESTROYED = SentenceKind("is-destroyed", "it is destroyed")()
_NO_UNIT_THERE = SentenceKind("no-unit-of-it", "no unit of it stands there")()
_NO_CENTRE_IN = SentenceKind("no-centre-in", "it is no centre in {year}")
_CAPITAL_FELL = SentenceKind("capital-fell", "{power} lost {centre}: its capital has fallen.")
_TAKEN_WITH_CAPITAL = SentenceKind(
    "taken-with-capital", "{power} took {centre} from {loser}, whose capital has fallen."
)
_HOMES_NOW = SentenceKind("homes-now", "The home centres of {power} are now {centres}.")
_NO_HOMES = SentenceKind("no-homes", "{power} has no home centre now.")


class Run(NamedTuple):
    """A power, and the number of ownership updates running at which it was there."""

    power: Power
    looks: int


@dataclass(frozen=True)
class CentreHistory(ModuleMemory):
    """The history of each centre at ownership updates, the last power in it since, and the destroyed centres."""

    runs: Mapping[Code, Run] = field(default_factory=dict)
    visitors: Mapping[Code, Power] = field(default_factory=dict)
    gone: frozenset[Code] = make_sparse_field(frozenset)

    def after(self, now: Mapping[Code, Power]) -> "CentreHistory":
        """Return the history after another ownership update, at which these powers are there."""
        before = self.runs
        return CentreHistory(
            {
                code: Run(power, before[code].looks + 1 if code in before and before[code].power == power else 1)
                for code, power in now.items()
            },
            gone=self.gone,
        )


def read_history(position: Position, slot: str) -> CentreHistory:
    """Return the history stored in a slot."""
    known = position.slots.get(slot)
    return known if isinstance(known, CentreHistory) else CentreHistory()


def note(rules: Rules, position: Position) -> Position:
    """Return `position` with the powers in centres stored, if a rule depends on powers that passed."""
    capturing = rules.facts.capturing
    if capturing is None or not capturing.passing:
        return position
    centres, before = rules.board_at(position).centres, read_history(position, CAPTURES)
    here = {unit.space: unit.power for unit in position.units if unit.space in centres and _fits(capturing, unit)}
    return position.with_slot(CAPTURES, replace(before, visitors={**before.visitors, **here}))


def _fits(capturing: Capturing, unit: Unit) -> bool:
    return not capturing.units or unit.kind in capturing.units


def may_take(capturing: Capturing, position: Position, unit: Unit, phase: Phase) -> bool:
    """Return whether `unit` captures the centre it is in when ownership is updated in `phase`."""
    known = read_history(position, CAPTURES)
    if not _fits(capturing, unit) or not capturing.counts(unit.space, phase.year) or unit.space in known.gone:
        return False
    if not capturing.in_season(unit.space, phase.season):
        return False
    run = known.runs.get(unit.space)
    looks = run.looks if run and run.power == unit.power else 0
    return looks + 1 >= capturing.looks_of.get(unit.space, capturing.looks)


def passers(capturing: Capturing, position: Position, phase: Phase) -> Iterator[tuple[Code, Power]]:
    """Yield the vacant centres, each with the power that was there last."""
    if capturing.passing:
        known = read_history(position, CAPTURES)
        for code, power in known.visitors.items():
            vacant = code not in known.gone and position.unit_at(code) is None
            if vacant and capturing.counts(code, phase.year) and capturing.in_season(code, phase.season):
                yield code, power


def after_captures(
    rules: Rules, before: Position, position: Position, phase: Phase, taken: Iterable[Code]
) -> tuple[Position, tuple[Event, ...]]:
    """Apply the other rules after `taken` changed hands: captured capitals, vacated centres, expired centres."""
    capturing = rules.facts.capturing
    if capturing is None:
        return position, ()
    board, owners = rules.board_at(position), dict(position.owners)
    events: list[Event] = []

    def lose(code: Code, reason: Sentence) -> None:
        power = owners.pop(code)
        why = _LOST(power=power, centre=board.spaces[code].name, reason=reason)
        events.append(Event(CENTRE_LOST, why, (power,), (code,)))

    for code in taken:
        for power, capital in capturing.capitals.items():
            if capital == code and before.owners.get(code) == power and (winner := owners.get(code)):
                events += _apply_capital_fall(board.spaces, owners, power, winner, freed=capturing.capitals_freed)
    burnt = {code for code in taken if code in capturing.destroyed and code in before.owners}
    for code in sorted(burnt & owners.keys()):
        lose(code, _DESTROYED)
    if burnt:
        known = read_history(position, CAPTURES)
        position = position.with_slot(CAPTURES, replace(known, gone=known.gone | burnt))
    if capturing.occupied:
        for code, power in list(owners.items()):
            unit = position.unit_at(code)
            if unit is None or unit.power != power:
                lose(code, _NO_UNIT_THERE)
    for code in [code for code in owners if not capturing.counts(code, phase.year)]:
        lose(code, _NO_CENTRE_IN(year=as_year(phase.year)))
    position = replace(position, owners=owners)
    if capturing.looks > 1 or capturing.looks_of or capturing.passing:
        standing = {unit.space: unit.power for unit in position.units if unit.space in board.centres}
        position = position.with_slot(CAPTURES, read_history(position, CAPTURES).after(standing))
    return position, tuple(events)


def _apply_capital_fall(
    spaces: Mapping[Code, Any], owners: dict[Code, Power], power: Power, winner: Power, *, freed: bool
) -> Iterator[Event]:
    """Yield the events of the fall of the capital of `power` for its other centres, and change their owners."""
    for code in sorted(code for code, owner in owners.items() if owner == power):
        if freed:
            del owners[code]
            why = _CAPITAL_FELL(power=power, centre=spaces[code].name)
            yield Event(CENTRE_LOST, why, (power,), (code,))
        else:
            owners[code] = winner
            why = _TAKEN_WITH_CAPITAL(power=winner, centre=spaces[code].name, loser=power)
            yield Event(CENTRE_TAKEN, why, (winner, power), (code,))


def homes(rules: Rules, position: Position) -> tuple[Position, tuple[Event, ...]]:
    """Return the position with the homes that were won and lost, once ownership is updated."""
    earned = rules.facts.earned
    if earned is None:
        return position, ()
    now = {power: set(position.homes_of(power)) for power in rules.names}
    if earned.conquered:
        for loser in rules.names:
            old = position.homes_of(loser)
            holders = {position.owners.get(code) for code in old}
            winner = next(iter(holders)) if len(holders) == 1 else None
            if winner is not None and winner != loser:
                now[winner] |= old
    if earned.lost:
        for power in rules.names:
            now[power] -= {c for c in position.homes_of(power) if position.owners.get(c) not in (None, power)}
    if earned.after:
        remembered = read_history(position, HOMES).after(position.owners)
        for code, run in remembered.runs.items():
            if run.looks >= earned.after:
                for power in rules.names:
                    now[power] -= {code}
                now.setdefault(run.power, set()).add(code)
        position = position.with_slot(HOMES, remembered)
    changed = [power for power in rules.names if now[power] != position.homes_of(power)]
    if not changed:
        return position, ()
    whole = {**position.homes, **{power: frozenset(codes) for power, codes in now.items()}}
    return replace(position, homes=whole), tuple(homes_now(power, sorted(now[power])) for power in changed)


def homes_now(power: Power, codes: Sequence[Code]) -> Event:
    """Return the event that these are the home centres of `power` from now on."""
    said = _HOMES_NOW(power=power, centres=Series(codes)) if codes else _NO_HOMES(power=power)
    return Event(HOMES_FIXED, said, (power,), tuple(codes))


def with_parts(position: Position, slot: str, space: Code, parts: Sequence[Code]) -> Position:
    """Return `position` with `parts` in the place of `space` in the history of a slot."""
    known = position.slots.get(slot)
    if not isinstance(known, CentreHistory):
        return position

    def rename_space(table: Mapping[Code, Any]) -> dict[Code, Any]:
        left = {code: value for code, value in table.items() if code != space}
        return left | (dict.fromkeys(parts, table[space]) if space in table else {})

    gone = frozenset(part for code in known.gone for part in (parts if code == space else (code,)))
    return position.with_slot(slot, CentreHistory(rename_space(known.runs), rename_space(known.visitors), gone))

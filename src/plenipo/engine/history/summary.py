"""A phase in a few sentences: its results for all readers, and those that concern one power.

Everything is derived from the resolution, so that it works for every variant; every power, place and unit is named.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property, reduce

from plenipo.engine.amounts import count_things
from plenipo.engine.board import Code
from plenipo.engine.changes import stem
from plenipo.engine.events import CENTRE_TAKEN
from plenipo.engine.orders import Build, Move, Ref, Remove
from plenipo.engine.outcome import Outcome, Reason, Resolution, Result
from plenipo.engine.position import Power, Unit
from plenipo.engine.rules import Rules
from plenipo.engine.sentences import NOTHING, Either, Sentence, SentenceKind

__all__ = ["Concern", "ConcernKind", "Summary"]

_MOVES = SentenceKind("summary-moves", "{moves} succeeded and {failed} failed.")
_STAND_OFFS = SentenceKind("summary-stand-offs", "Stood off: {places}.")
_DISLODGED = SentenceKind("summary-dislodged", "Dislodged: {units}.")
_BY = SentenceKind("summary-dislodged-by", "{unit} of {power} by {other} of {rival}")
_TAKEN = SentenceKind("summary-taken", "{captures}.")
_TOOK = SentenceKind("summary-took", "{power} took {centres}")
_CENTRES = SentenceKind("summary-centres", "{centres}")
_FROM = SentenceKind("summary-from", "{centres} from {power}")
_TO = SentenceKind("summary-to", "{centres} to {power}")
_AND = SentenceKind("summary-and", "{one}, and {other}", note="Centres of two powers: 'A and B from X, and C from Y'.")
_NEXT = SentenceKind("summary-next", "{one}; {other}")
_UNITS_OF = SentenceKind("summary-units-of", "{power} {units}")
_BUILT = SentenceKind("summary-built", "Built: {units}.")
_REMOVED = SentenceKind("summary-removed", "Removed: {units}.")
_GAINED = SentenceKind("summary-gained", "Gained: {centres}.")
_LOST = SentenceKind("summary-lost", "Lost: {centres}.")
_DISBANDED = SentenceKind("summary-disbanded", "Disbanded: {units}.")
_MAY_RETREAT = SentenceKind(
    "summary-may-retreat", "{unit} was dislodged by {other} of {power} and may retreat to {places}."
)
_NOWHERE = SentenceKind("summary-nowhere", "{unit} was dislodged by {other} of {power} and has nowhere to go.")
_UNIT_OF = SentenceKind("unit-of", "{unit} of {power}")
_STANDS = SentenceKind("summary-attacked", "{unit} was attacked by {units} and stands.")
_ENTERED = SentenceKind("summary-entered", "{unit} of {power} stands in {place}, a centre of {owner}.")


class ConcernKind(StrEnum):
    """The reason for which an event of a phase concerns a power."""

    GAINED = "gained"
    """Centres it owns now and did not."""
    LOST = "lost"
    """Centres it owned and does not."""
    DISLODGED = "dislodged"
    """A unit of it was dislodged."""
    DISBANDED = "disbanded"
    """A dislodged unit of it left the board."""
    ATTACKED = "attacked"
    """A unit of another power tried to enter a space where a unit of it stays."""
    ENTERED = "entered"
    """A unit of another power entered a centre it owns."""
    HAPPENED = "happened"
    """An event that no power ordered affected a unit of it."""


@dataclass(frozen=True, slots=True)
class Concern:
    """A result that matters to a power, as a sentence."""

    kind: ConcernKind
    sentence: str

    def __str__(self) -> str:
        return self.sentence


@dataclass(frozen=True)
class Summary:
    """The results of one phase under `rules`."""

    rules: Rules
    resolution: Resolution

    def sentences(self) -> tuple[str, ...]:
        """Return the phase for all readers: moves, stand-offs, dislodgements, captures, builds and removals."""
        sentences = [self._moves(), self._stand_offs(), self._dislodgements(), self._captures()]
        sentences += [
            self._describe_adjustments(_BUILT, Build, Result.BUILDS),
            self._describe_adjustments(_REMOVED, Remove, Result.REMOVED),
        ]
        return tuple(sentence for sentence in sentences if sentence)

    def concerns(self, power: Power) -> tuple[Concern, ...]:
        """Return the results that matter to one power: its gains and losses, its dislodged units, and attacks on it."""
        own = [outcome for outcome in self.resolution.outcomes if outcome.power == power and outcome.unit]
        concerns = [
            *self._list_centre_concerns(ConcernKind.GAINED, _GAINED, _FROM, self._gained_centres(power)),
            *self._list_centre_concerns(ConcernKind.LOST, _LOST, _TO, self._lost_centres(power)),
            *(self._driven_out(outcome) for outcome in own if outcome.dislodged_by),
        ]
        gone = tuple(outcome.unit for outcome in own if outcome.result is Result.DISBANDED)
        if gone:
            concerns.append(Concern(ConcernKind.DISBANDED, _DISBANDED(units=gone)))
        concerns += [
            self._describe_attack(outcome.unit) for outcome in own if outcome.unit and self._attackers(outcome)
        ]
        befell = (event for event in self.resolution.events if any(unit.power == power for unit in event.units))
        concerns += [Concern(ConcernKind.HAPPENED, event.sentence) for event in befell if event.kind != CENTRE_TAKEN]
        return (*concerns, *self._intruders(power))

    # ------------------------------------------------------------------ data

    @cached_property
    def _names(self) -> Mapping[Code, str]:
        spaces = {
            **self.rules.board_at(self.resolution.before).spaces,
            **self.rules.board_at(self.resolution.after).spaces,
        }
        return {code: space.name for code, space in spaces.items()}

    @cached_property
    def _entries(self) -> Mapping[Code, tuple[Outcome, ...]]:
        """The moves to each space, whatever their results."""
        entries: dict[Code, list[Outcome]] = {}
        for outcome in self.resolution.outcomes:
            if isinstance(outcome.order, Move) and outcome.result in (Result.MOVES, Result.FAILS):
                entries.setdefault(outcome.order.to.space, []).append(outcome)
        return {code: tuple(outcomes) for code, outcomes in entries.items()}

    def _compare_owners(
        self, before: Mapping[Code, Power], after: Mapping[Code, Power], power: Power
    ) -> Mapping[Code, Power]:
        """Return the centres of `power` in `after` that it did not own in `before`, with their owners, '' for none."""
        parts = {stem(code)[0] for code, owner in before.items() if owner == power}
        return {
            code: before.get(code, Power(""))
            for code, owner in sorted(after.items())
            if owner == power and before.get(code) != power and (code in before or stem(code)[0] not in parts)
        }

    def _gained_centres(self, power: Power) -> Mapping[Code, Power]:
        return self._compare_owners(self.resolution.before.owners, self.resolution.after.owners, power)

    def _lost_centres(self, power: Power) -> Mapping[Code, Power]:
        return self._compare_owners(self.resolution.after.owners, self.resolution.before.owners, power)

    def _places(self, changed: Mapping[Code, Power], kind: SentenceKind) -> Sentence:
        """Return centres and the powers with which they were exchanged, by power; `kind` names such a power."""
        by: dict[Power, list[str]] = {}
        for code, other in changed.items():
            by.setdefault(other, []).append(self._names[code])
        parts = [
            kind(centres=tuple(names), power=other) if other else _CENTRES(centres=tuple(names))
            for other, names in sorted(by.items())
        ]
        return reduce(lambda one, other: _AND(one=one, other=other), parts)

    # ------------------------------------------------------------------ for all readers

    def _moves(self) -> str:
        results = [outcome.result for outcome in self.resolution.outcomes if isinstance(outcome.order, Move)]
        moved, failed = results.count(Result.MOVES), results.count(Result.FAILS)
        return _MOVES(moves=count_things(moved, "move"), failed=failed) if moved or failed else NOTHING

    def _stand_offs(self) -> str:
        entered = {code for code, moves in self._entries.items() if any(move.result is Result.MOVES for move in moves)}
        places = {
            outcome.cause.place
            for outcome in self.resolution.outcomes
            if outcome.cause.reason in (Reason.STOOD_OFF, Reason.COLLIDED) and outcome.cause.place
        }
        names = tuple(self._names[place] for place in sorted(places - entered))
        return _STAND_OFFS(places=names) if names else NOTHING

    def _dislodgements(self) -> str:
        gone = tuple(
            _BY(unit=outcome.unit, power=outcome.power, other=by, rival=by.power)
            for outcome in self.resolution.outcomes
            if (by := outcome.dislodged_by)
        )
        return _DISLODGED(units=gone) if gone else NOTHING

    def _captures(self) -> str:
        owners = self.resolution.after.owners.values()
        taken = {power: self._gained_centres(power) for power in sorted(set(owners))}
        took = [_TOOK(power=power, centres=self._places(of, _FROM)) for power, of in taken.items() if of]
        return _TAKEN(captures=reduce(_next, took)) if took else NOTHING

    def _describe_adjustments(self, said: SentenceKind, kind: type[Build | Remove], result: Result) -> str:
        by: dict[Power, list[Ref]] = {}
        for outcome in self.resolution.outcomes:
            if outcome.result is result and isinstance(outcome.order, kind):
                by.setdefault(outcome.power, []).append(outcome.order.unit)
        units = [_UNITS_OF(power=power, units=tuple(refs)) for power, refs in by.items()]
        return said(units=reduce(_next, units)) if units else NOTHING

    # ------------------------------------------------------------------ for one power

    def _list_centre_concerns(
        self, kind: ConcernKind, said: SentenceKind, with_power: SentenceKind, changed: Mapping[Code, Power]
    ) -> Iterable[Concern]:
        if changed:
            yield Concern(kind, said(centres=self._places(changed, with_power)))

    def _driven_out(self, outcome: Outcome) -> Concern:
        assert outcome.dislodged_by  # noqa: S101  # asked for by the caller
        parts = {"unit": outcome.unit, "other": outcome.dislodged_by, "power": outcome.dislodged_by.power}
        ways = Either(outcome.retreats)
        return Concern(ConcernKind.DISLODGED, _MAY_RETREAT(places=ways, **parts) if ways else _NOWHERE(**parts))

    def _attackers(self, outcome: Outcome) -> tuple[Unit, ...]:
        """Return the units of others that failed to enter a space where a unit stays."""
        if outcome.unit is None or outcome.result is Result.MOVES or outcome.dislodged_by:
            return ()
        tried = (move.unit for move in self._entries.get(outcome.unit.space, ()) if move.power != outcome.power)
        return tuple(unit for unit in tried if unit)

    def _describe_attack(self, unit: Unit) -> Concern:
        outcome = next(it for it in self.resolution.outcomes if it.unit == unit)
        by = tuple(_UNIT_OF(unit=other, power=other.power) for other in self._attackers(outcome))
        return Concern(ConcernKind.ATTACKED, _STANDS(unit=unit, units=by))

    def _intruders(self, power: Power) -> Iterable[Concern]:
        before, after = self.resolution.before, self.resolution.after
        for unit in after.units:
            if unit.power != power and after.owners.get(unit.space) == power and unit not in before.units:
                words = _ENTERED(unit=unit, power=unit.power, place=self._names[unit.space], owner=power)
                yield Concern(ConcernKind.ENTERED, words)


def _next(one: Sentence, other: Sentence) -> Sentence:
    return _NEXT(one=one, other=other)

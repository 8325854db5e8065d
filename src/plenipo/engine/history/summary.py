"""A phase in a few sentences: its results for all readers, and those that concern one power.

Everything is derived from the resolution, so that it works for every variant; every power, place and unit is named.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property

from plenipo.engine.board import Code
from plenipo.engine.changes import stem
from plenipo.engine.events import CENTRE_TAKEN
from plenipo.engine.orders import Build, Move, Remove
from plenipo.engine.outcome import Outcome, Reason, Resolution, Result
from plenipo.engine.position import Power, Unit
from plenipo.engine.rules import Rules
from plenipo.engine.wording import count, listing

__all__ = ["Concern", "ConcernKind", "Summary"]


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
        sentences += [self._adjusted("Built", Build, Result.BUILDS), self._adjusted("Removed", Remove, Result.REMOVED)]
        return tuple(sentence for sentence in sentences if sentence)

    def concerns(self, power: Power) -> tuple[Concern, ...]:
        """Return the results that matter to one power: its gains and losses, its dislodged units, and attacks on it."""
        own = [outcome for outcome in self.resolution.outcomes if outcome.power == power and outcome.unit]
        concerns = [
            *self._exchanged(ConcernKind.GAINED, "Gained", "from", self._gained(power)),
            *self._exchanged(ConcernKind.LOST, "Lost", "to", self._lost(power)),
            *(self._driven_out(outcome) for outcome in own if outcome.dislodged_by),
        ]
        gone = [str(outcome.unit) for outcome in own if outcome.result is Result.DISBANDED]
        if gone:
            concerns.append(Concern(ConcernKind.DISBANDED, f"Disbanded: {listing(gone)}."))
        concerns += [self._attacked(outcome.unit) for outcome in own if outcome.unit and self._attackers(outcome)]
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

    def _changed(self, before: Mapping[Code, Power], after: Mapping[Code, Power], power: Power) -> Mapping[Code, Power]:
        """Return the centres of `power` in `after` that it did not own in `before`, with their owners, '' for none."""
        parts = {stem(code)[0] for code, owner in before.items() if owner == power}
        return {
            code: before.get(code, Power(""))
            for code, owner in sorted(after.items())
            if owner == power and before.get(code) != power and (code in before or stem(code)[0] not in parts)
        }

    def _gained(self, power: Power) -> Mapping[Code, Power]:
        return self._changed(self.resolution.before.owners, self.resolution.after.owners, power)

    def _lost(self, power: Power) -> Mapping[Code, Power]:
        return self._changed(self.resolution.after.owners, self.resolution.before.owners, power)

    def _places(self, changed: Mapping[Code, Power], word: str) -> str:
        """Return centres and the powers with which they were exchanged, by power."""
        by: dict[Power, list[str]] = {}
        for code, other in changed.items():
            by.setdefault(other, []).append(self._names[code])
        return ", and ".join(
            f"{listing(names)}{f' {word} {other}' if other else ''}" for other, names in sorted(by.items())
        )

    # ------------------------------------------------------------------ for all readers

    def _moves(self) -> str:
        results = [outcome.result for outcome in self.resolution.outcomes if isinstance(outcome.order, Move)]
        moved, failed = results.count(Result.MOVES), results.count(Result.FAILS)
        return f"{count(moved, 'move')} succeeded and {failed} failed." if moved or failed else ""

    def _stand_offs(self) -> str:
        entered = {code for code, moves in self._entries.items() if any(move.result is Result.MOVES for move in moves)}
        places = {
            outcome.cause.place
            for outcome in self.resolution.outcomes
            if outcome.cause.reason in (Reason.STOOD_OFF, Reason.COLLIDED) and outcome.cause.place
        }
        names = [self._names[place] for place in sorted(places - entered)]
        return f"Stood off: {listing(names)}." if names else ""

    def _dislodgements(self) -> str:
        gone = [
            f"{outcome.unit} of {outcome.power} by {outcome.dislodged_by} of {outcome.dislodged_by.power}"
            for outcome in self.resolution.outcomes
            if outcome.dislodged_by
        ]
        return f"Dislodged: {listing(gone)}." if gone else ""

    def _captures(self) -> str:
        owners = self.resolution.after.owners.values()
        taken = {power: self._gained(power) for power in sorted(set(owners))}
        words = [f"{power} took {self._places(places, 'from')}" for power, places in taken.items() if places]
        return f"{'; '.join(words)}." if words else ""

    def _adjusted(self, word: str, kind: type[Build | Remove], result: Result) -> str:
        by: dict[Power, list[str]] = {}
        for outcome in self.resolution.outcomes:
            if outcome.result is result and isinstance(outcome.order, kind):
                by.setdefault(outcome.power, []).append(str(outcome.order.unit))
        return f"{word}: {'; '.join(f'{power} {listing(units)}' for power, units in by.items())}." if by else ""

    # ------------------------------------------------------------------ for one power

    def _exchanged(self, kind: ConcernKind, verb: str, word: str, changed: Mapping[Code, Power]) -> Iterable[Concern]:
        if changed:
            yield Concern(kind, f"{verb}: {self._places(changed, word)}.")

    def _driven_out(self, outcome: Outcome) -> Concern:
        assert outcome.dislodged_by  # noqa: S101  # asked for by the caller
        ways = listing((str(to) for to in outcome.retreats), "or")
        fate = f"may retreat to {ways}" if ways else "has nowhere to go"
        by = f"{outcome.dislodged_by} of {outcome.dislodged_by.power}"
        return Concern(ConcernKind.DISLODGED, f"{outcome.unit} was dislodged by {by} and {fate}.")

    def _attackers(self, outcome: Outcome) -> tuple[Unit, ...]:
        """Return the units of others that failed to enter a space where a unit stays."""
        if outcome.unit is None or outcome.result is Result.MOVES or outcome.dislodged_by:
            return ()
        tried = (move.unit for move in self._entries.get(outcome.unit.space, ()) if move.power != outcome.power)
        return tuple(unit for unit in tried if unit)

    def _attacked(self, unit: Unit) -> Concern:
        outcome = next(it for it in self.resolution.outcomes if it.unit == unit)
        by = listing(f"{other} of {other.power}" for other in self._attackers(outcome))
        return Concern(ConcernKind.ATTACKED, f"{unit} was attacked by {by} and stands.")

    def _intruders(self, power: Power) -> Iterable[Concern]:
        before, after = self.resolution.before, self.resolution.after
        for unit in after.units:
            if unit.power != power and after.owners.get(unit.space) == power and unit not in before.units:
                words = f"{unit} of {unit.power} stands in {self._names[unit.space]}, a centre of {power}."
                yield Concern(ConcernKind.ENTERED, words)

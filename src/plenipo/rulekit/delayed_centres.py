"""Delayed centres: a centre newly taken must be held for a turn before a new unit is got for it.

Ownership passes when the turn is settled, and the loser loses the centre at once. It counts for builds from the next
settling on, if it has not changed hands in between; a home centre retaken is new too. Units already on the board are
kept by every centre owned.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, ClassVar, Literal

from plenipo.engine.board import Code
from plenipo.engine.calendar import Phase, PhaseKind, Step
from plenipo.engine.changes import Split
from plenipo.engine.events import Event, EventKind
from plenipo.engine.history.dice import DrawSource
from plenipo.engine.hooks import Effects, Entitlement, RuleModule, SplitUnit
from plenipo.engine.position import Position, Power, Unit

if TYPE_CHECKING:
    from plenipo.engine.reading.positions import BoardReader
    from plenipo.engine.rules import Rules

__all__ = ["CENTRES_DELAYED", "DelayedCentres", "Held"]

CENTRES_DELAYED = EventKind("centres_delayed")
"""The power cannot build for the centres yet."""


@dataclass(frozen=True)
class Held:
    """What was seen when ownership was last settled.

    `owners` is who owned each centre, `ripe` the centres that had then been held long enough to be built for,
    `standing` the power that stood in each centre.
    """

    owners: Mapping[Code, Power] = field(default_factory=dict)
    ripe: frozenset[Code] = frozenset()
    standing: Mapping[Code, Power] = field(default_factory=dict)

    def __post_init__(self) -> None:
        for name in ("owners", "standing"):
            object.__setattr__(self, name, MappingProxyType(dict(sorted(getattr(self, name).items()))))

    def to_json(self) -> Any:
        """The value as JSON."""
        return {"owners": dict(self.owners), "ripe": sorted(self.ripe), "standing": dict(self.standing)}


@dataclass(frozen=True)
class DelayedCentres(RuleModule):
    """The options.

    `hold_meaning` says what holding a new centre for a turn is: to own it (`own`), or to stand in it when the next turn
    is settled (`occupy`). With `new_centre_sustains` false a new centre does not keep a unit either.
    `ownership_delay` at `one_turn` lets a centre change hands only when the same power stands in it twice running.
    """

    name: ClassVar[str] = "delayed_centres"
    claims: ClassVar[frozenset[str]] = frozenset({"when a centre counts"})

    hold_meaning: Literal["own", "occupy"] = "own"
    new_centre_sustains: bool = True
    ownership_delay: Literal["none", "one_turn"] = "none"

    def opening(self, rules: "Rules", position: Position) -> Position:  # noqa: ARG002  # a hook
        """Every centre owned at the start has been held long enough."""
        return position.with_slot(self.name, _start(position))

    def after_phase(self, rules: "Rules", position: Position, phase: Phase, hat: DrawSource) -> Effects:  # noqa: ARG002  # a hook
        """What is owned after the choices of the opening counts as owned at the start."""
        opening = Step(phase.season, phase.kind) in rules.calendar.opening and phase.year == rules.calendar.start
        if phase.kind is not PhaseKind.CHOICE or not opening:
            return Effects(position)
        return Effects(position.with_slot(self.name, _start(position)))

    def captures(self, rules: "Rules", position: Position, unit: Unit) -> bool:  # noqa: ARG002  # a hook
        """With `one_turn`, only if its power stood there when ownership was settled before."""
        return self.ownership_delay == "none" or self._held(position).standing.get(unit.space) == unit.power

    def after_ownership(self, rules: "Rules", position: Position, phase: Phase) -> Effects:  # noqa: ARG002  # a hook
        """Remember who owns what; centres owned twice running are ripe."""
        before = self._held(position)
        standing = {unit.space: unit.power for unit in position.units if unit.space in rules.board_at(position).centres}
        ripe = frozenset(
            code
            for code, power in position.owners.items()
            if before.owners.get(code) == power
            and (code in before.ripe or self.hold_meaning == "own" or standing.get(code) == power)
        )
        unripe = {power: [code for code in position.centres_of(power) if code not in ripe] for power in rules.names}
        hold = "own" if self.hold_meaning == "own" else "stand in"
        events = tuple(
            Event(
                CENTRES_DELAYED,
                f"To build for {', '.join(codes)}, {power} must {hold} {'it' if len(codes) == 1 else 'them'} when the "
                "next turn is settled.",
                (power,),
                tuple(codes),
            )
            for power, codes in unripe.items()
            if codes
        )
        return Effects(position.with_slot(self.name, Held(position.owners, ripe, standing)), events)

    def entitlement(
        self,
        rules: "Rules",  # noqa: ARG002  # a hook
        position: Position,
        power: Power,
        entitlement: Entitlement,
    ) -> Entitlement:
        """Builds only for centres held long enough; units are kept for every centre, if new ones sustain."""
        ripe = self._held(position).ripe
        new = sum(1 for code in position.centres_of(power) if code not in ripe)
        return Entitlement(entitlement.builds - new, entitlement.keeps - (0 if self.new_centre_sustains else new))

    def without_slot(self, position: Position) -> Held:
        """All that is owned has been held long enough."""
        return _start(position)

    def decode_slot(self, value: Any, reader: "BoardReader") -> Held:
        """What was seen, from JSON."""
        parts = reader.mapping(value)
        owners, standing = (
            {reader.space(code): reader.power(power) for code, power in reader.mapping(parts[key]).items()}
            for key in ("owners", "standing")
        )
        return Held(owners, frozenset(map(reader.space, reader.items(parts["ripe"]))), standing)

    def space_lost(self, rules: "Rules", position: Position, space: Code) -> Effects:  # noqa: ARG002  # a hook
        """A centre that is lost was never held."""
        return Effects(self._renamed(position, space, ()))

    def space_split(self, rules: "Rules", position: Position, split: Split, units: Sequence[SplitUnit]) -> Effects:  # noqa: ARG002  # a hook
        """Both halves of a centre have been held as long as the whole."""
        return Effects(self._renamed(position, split.space, split.halves))

    def _renamed(self, position: Position, space: Code, parts: Sequence[Code]) -> Position:
        """`position` with `parts` in the place of `space` in what is remembered."""
        slot = position.slots.get(self.name)
        if not isinstance(slot, Held):
            return position

        def renamed(table: Mapping[Code, Power]) -> dict[Code, Power]:
            left = {code: power for code, power in table.items() if code != space}
            return left | (dict.fromkeys(parts, table[space]) if space in table else {})

        ripe = slot.ripe - {space} | (frozenset(parts) if space in slot.ripe else frozenset())
        return position.with_slot(self.name, Held(renamed(slot.owners), ripe, renamed(slot.standing)))

    def _held(self, position: Position) -> Held:
        held = position.slots.get(self.name)
        return held if isinstance(held, Held) else _start(position)


def _start(position: Position) -> Held:
    """What is remembered where nothing was seen before: all that is owned has been held long enough."""
    return Held(position.owners, frozenset(position.owners), {unit.space: unit.power for unit in position.units})

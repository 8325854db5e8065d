"""Vetoes: a power stops the capture of a centre: `VETO BEL`, submitted with the orders of a movement phase."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, ClassVar, Literal

from plenipo.engine.board import Code
from plenipo.engine.calendar import Phase, PhaseKind
from plenipo.engine.events import Event, EventKind
from plenipo.engine.hooks import Adjudication, Effects, RuleModule
from plenipo.engine.module_memory import ModuleMemory
from plenipo.engine.orders import Declare
from plenipo.engine.position import Position, Power, Slot, Unit
from plenipo.engine.reading.notation import notation_of
from plenipo.engine.sentences import SentenceKind, say
from plenipo.errors import IllegalOrder, InvalidVariant

if TYPE_CHECKING:
    from plenipo.engine.rules import Rules

__all__ = ["CENTRE_VETOED", "Vetoed", "Vetoes"]

CENTRE_VETOED = EventKind("centre_vetoed")
"""The first power vetoes the capture of the centre."""

_NO_VETO = SentenceKind("veto-none", "{power} has no veto in {phase}.")
_NONE_OF_THEM = {
    "neighbour": SentenceKind(
        "veto-neighbour", "{power} may veto captures only of centres next to its units; {place} is not one."
    ),
    "owner": SentenceKind("veto-owner", "{power} may veto captures only of its own centres; {place} is not one."),
    "anyone": SentenceKind("veto-anyone", "{power} may veto captures only of supply centres; {place} is not one."),
}
_KEEPS = SentenceKind("veto", "{power} keeps {place} from changing hands.")


@dataclass(frozen=True)
class Vetoed(ModuleMemory):
    """The centres that do not change hands at the next settling, and how many vetoes each power has used."""

    codes: frozenset[Code] = frozenset()
    used: Mapping[Power, int] = field(default_factory=dict)

    def of(self, power: Power) -> int:
        """Return the number of vetoes that a power has used."""
        return self.used.get(power, 0)


@dataclass(frozen=True)
class Vetoes(RuleModule):
    """The options: the number of vetoes that a power has in a game (`most`, 0 for any number), and who may veto (`by`).

    That is any power with a unit next to the centre or in it (`neighbour`), the `owner` of the centre, or `anyone`.
    """

    name: ClassVar[str] = "vetoes"
    memory: ClassVar[type[ModuleMemory]] = Vetoed
    claims: ClassVar[frozenset[str]] = frozenset({"vetoes"})
    words: ClassVar[frozenset[str]] = frozenset({"VETO"})

    most: int = 1
    by: Literal["neighbour", "owner", "anyone"] = "neighbour"

    def check(self, rules: "Rules") -> None:
        """Raise `InvalidVariant` for a negative `most`, or if units capture centres in passing."""
        if self.most < 0:
            raise InvalidVariant(say("'{name}.most' is {most}; it must be 0 or more.", name=self.name, most=self.most))
        for module in rules.modules:
            if getattr(module, "passing", False):
                raise InvalidVariant(
                    say(
                        "'{name}' and '{module}.passing' cannot be played together: "
                        "who has passed on cannot be hindered.",
                        name=self.name,
                        module=module.name,
                    )
                )

    def recorded_vetoes(self, position: Position) -> Vetoed:
        """Return the vetoed centres and the number of vetoes used."""
        slot = position.slots.get(self.name)
        return slot if isinstance(slot, Vetoed) else Vetoed()

    def may(self, rules: "Rules", position: Position, power: Power) -> tuple[Code, ...]:
        """Return the centres whose capture a power may veto."""
        spent = self.most and self.recorded_vetoes(position).of(power) >= self.most
        if position.phase.kind is not PhaseKind.MOVEMENT or spent or not position.survives(power):
            return ()
        board = rules.board_at(position)
        near = {code for unit in position.units_of(power) for code in (unit.space, *board.near.get(unit.space, ()))}
        fits = {"neighbour": near, "owner": set(position.centres_of(power)), "anyone": set(board.spaces)}[self.by]
        return tuple(sorted(board.centres & fits))

    def complete_declaration(self, rules: "Rules", position: Position, power: Power, declaration: Declare) -> Declare:
        """Return the declaration of a veto; raise `IllegalOrder` if the power may not veto that centre."""
        may = self.may(rules, position, power)
        if not may:
            raise IllegalOrder(_NO_VETO(power=power, phase=position.phase))
        code = notation_of(rules, position).location(declaration.text).space
        if code not in may:
            raise IllegalOrder(_NONE_OF_THEM[self.by](power=power, place=code))
        return Declare("VETO", code)

    def offers(self, rules: "Rules", position: Position, power: Power) -> tuple[Declare, ...]:
        """Return a veto for each centre that the power may veto."""
        return tuple(Declare("VETO", code) for code in self.may(rules, position, power))

    def after_orders(self, rules: "Rules", adjudication: Adjudication) -> Effects:
        """Open the vetoes, which hold until ownership has been settled."""
        before, position = adjudication.before, adjudication.position
        known, events = self.recorded_vetoes(before), list[Event]()
        for power in rules.names:
            given = [one for one in adjudication.declared.get(power, ()) if one.word == "VETO"]
            for one in dict.fromkeys(given):
                if self.most and known.of(power) >= self.most:
                    break
                code = Code(one.text)
                used = {**known.used, power: known.of(power) + 1}
                known = Vetoed(known.codes | {code}, used)
                name = rules.board_at(before).spaces[code].name
                why = _KEEPS(power=power, place=name)
                events.append(Event(CENTRE_VETOED, why, (power,), (code,)))
        return Effects(position.with_slot(self.name, known) if events else position, tuple(events))

    def captures(self, rules: "Rules", position: Position, unit: Unit) -> bool:
        """Return True unless the centre in the unit's space was vetoed."""
        return unit.space not in self.recorded_vetoes(position).codes

    def after_ownership(self, rules: "Rules", position: Position, phase: Phase) -> Effects:
        """End the vetoes."""
        known = self.recorded_vetoes(position)
        return Effects(position.with_slot(self.name, Vetoed(used=known.used)) if known.codes else position)

    def slot_seen(self, rules: "Rules", slot: Slot, who: Power | None) -> Slot | None:
        """Return the whole slot, as vetoes are public; in fog only the number of vetoes that `who` used."""
        if not rules.in_fog or not isinstance(slot, Vetoed):
            return slot
        return Vetoed(used={power: number for power, number in slot.used.items() if power == who})

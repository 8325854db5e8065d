"""Designations: a power names a space or a unit in secret, and something comes of it when that is opened.

`NAME capital VIE` is handed in with the orders of a movement. It is opened by an order, `OPEN mine`, or by what
happens: somebody enters the space, takes the centre, or the unit is lost.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, ClassVar, Literal

from plenipo.engine.board import Board, Code, UnitKind
from plenipo.engine.calendar import Phase, PhaseKind
from plenipo.engine.changes import Split
from plenipo.engine.dice import DrawSource
from plenipo.engine.events import Event, EventKind
from plenipo.engine.facts import Fact
from plenipo.engine.hooks import Adjudication, Declared, Effects, RuleModule, SplitUnit
from plenipo.engine.orders import Declare, Move, Retreat
from plenipo.engine.outcome import Outcome, Result
from plenipo.engine.position import Position, Power, Slot, Unit
from plenipo.engine.reading.notation import notation_of
from plenipo.engine.whose import Whose, is_such
from plenipo.engine.wording import hint, listing
from plenipo.errors import IllegalOrder
from plenipo.rulekit import deeds
from plenipo.rulekit.deeds import Deed
from plenipo.rulekit.entries import Entry, InTime, entries

if TYPE_CHECKING:
    from plenipo.engine.reading.positions import BoardReader
    from plenipo.engine.rules import Rules

__all__ = ["DESIGNATION_OPENED", "Designation", "Designations", "Named"]

DESIGNATION_OPENED = EventKind("designation_opened")
"""What the first power had named in the space is opened, by the second if there is one; the name is the name."""


@dataclass(frozen=True)
class Designation(InTime):
    """Something that each power names once, in a word, and what comes of it.

    It names a `space`, or a `unit` of its own, which goes on being named where it goes. The space, or that in which the
    unit stands, is of a kind (`where`, see `Whose`). `among` are the only spaces, `powers` those that name one, `units`
    the kinds of unit. It is named in the movements of `seasons` and of the years from `from_year` to `until_year`. It
    is opened by `order`, when a unit of another power stands in the space after moves or retreats (`entered`), when the
    centre passes to another power (`taken`), or when the unit is gone (`lost`). What is done then is the `deed`, about
    the space, and about the power that named it; by it profits who entered or took it, or who gave the order.
    """

    __pydantic_config__: ClassVar[dict[str, Any]] = {"extra": "forbid"}  # a misspelt key is reported, not passed over

    name: str
    opened: Literal["order", "entered", "taken", "lost"]
    deed: Deed
    of: Literal["space", "unit"] = "space"
    where: Whose = "anywhere"
    among: tuple[Code, ...] = ()
    powers: tuple[Power, ...] = ()
    units: tuple[UnitKind, ...] = ()

    def in_time(self, phase: Phase) -> bool:
        """Whether it may be named in a phase."""
        return phase.kind is PhaseKind.MOVEMENT and super().in_time(phase)


@dataclass(frozen=True)
class Named:
    """What each power named, by the names, and which of it is open; whose units take no orders in the next movement."""

    of: Mapping[Power, Mapping[str, Code]] = field(default_factory=dict)
    opened: Mapping[Power, frozenset[str]] = field(default_factory=dict)
    spaces: frozenset[Code] = frozenset()
    powers: frozenset[Power] = frozenset()

    def __post_init__(self) -> None:
        whole = {power: MappingProxyType(dict(sorted(named.items()))) for power, named in sorted(self.of.items())}
        object.__setattr__(self, "of", MappingProxyType(whole))
        object.__setattr__(self, "opened", MappingProxyType({p: n for p, n in sorted(self.opened.items()) if n}))

    def is_open(self, power: Power, name: str) -> bool:
        """Whether something is open."""
        return name in self.opened.get(power, ())

    def hidden(self) -> Iterator[tuple[Power, str, Code]]:
        """What is not open yet."""
        for power, named in self.of.items():
            yield from ((power, name, code) for name, code in named.items() if not self.is_open(power, name))

    def with_named(self, power: Power, name: str, code: Code) -> "Named":
        """With something named."""
        return replace(self, of={**self.of, power: {**self.of.get(power, {}), name: code}})

    def with_opened(self, power: Power, name: str) -> "Named":
        """With something open."""
        return replace(self, opened={**self.opened, power: self.opened.get(power, frozenset()) | {name}})

    def to_json(self) -> Any:
        """The codes by power and name, and the rest."""
        return {
            "of": {power: dict(named) for power, named in self.of.items()},
            "opened": {power: sorted(names) for power, names in self.opened.items()},
            "spaces": sorted(self.spaces),
            "powers": sorted(self.powers),
        }


@dataclass(frozen=True)
class Designations(RuleModule):
    """The option `items`: what each power names in secret, and what comes of it."""

    name: ClassVar[str] = "designations"
    claims: ClassVar[frozenset[str]] = frozenset({"what is named in secret"})
    words: ClassVar[frozenset[str]] = frozenset({"NAME", "OPEN"})
    fixed: ClassVar[frozenset[str]] = frozenset({"items"})

    items: tuple[Designation, ...] = ()

    def facts(self, rules: "Rules") -> Iterator[Fact]:
        """None; raises `InvalidVariant` for what nobody could name, or nothing could come of."""
        names = [item.name for item in self.items]
        called = f"'{self.name}' of "
        for at, item in entries(rules, self.name, "items", self.items, lambda item: f"{called}'{item.name}'"):
            if not item.name.isalpha():
                raise at.wrong("needs a name that is one word of letters.", "name")
            if names.count(item.name) > 1:
                raise at.wrong("is there twice.", "name")
            self._check(at, item)
            profits = item.opened != "lost"
            deeds.checked(at.part("deed"), item.deed, space=profits, power=True, profits=profits)
        yield from ()

    def _check(self, at: Entry, item: Designation) -> None:
        at.spaces(among=item.among)
        at.powers(powers=item.powers)
        at.kinds(units=item.units)
        at.in_time(item)
        if item.opened == "lost" and item.of != "unit":
            raise at.wrong('is opened when it is lost, which only a unit can be: write of = "unit".', "opened")
        if item.opened == "taken" and (item.of != "space" or item.where not in ("home", "owned")):
            raise at.wrong('is opened when it is taken: write where = "home" or "owned".', "opened")
        if item.opened == "entered" and item.of != "space":
            raise at.wrong("is opened when it is entered, which only a space can be.", "opened")
        if item.units and item.of != "unit":
            raise at.wrong("has 'units', and names no unit: write of = \"unit\".", "units")

    def named(self, position: Position) -> Named:
        """What is named."""
        slot = position.slots.get(self.name)
        return slot if isinstance(slot, Named) else Named()

    # Naming and opening

    def may_name(self, rules: "Rules", position: Position, power: Power, item: Designation) -> tuple[Code, ...]:
        """The spaces that a power may name now, or those of the units; none where it has named one before."""
        done = item.name in self.named(position).of.get(power, {})
        if done or not item.in_time(position.phase) or (item.powers and power not in item.powers):
            return ()
        board = rules.board_at(position)
        codes = [
            code
            for code, space in board.spaces.items()
            if not space.impassable and self._fits(board, position, power, item, code)
        ]
        return tuple(sorted(codes))

    def _fits(self, board: Board, position: Position, power: Power, item: Designation, code: Code) -> bool:
        if item.among and code not in item.among:
            return False
        unit = position.unit_at(code)
        if item.of == "unit" and (unit is None or unit.power != power or (item.units and unit.kind not in item.units)):
            return False
        return is_such(item.where, board, position, power, code)

    def _may_open(self, position: Position, power: Power) -> tuple[str, ...]:
        known = self.named(position)
        mine = known.of.get(power, {})
        by_order = [item.name for item in self.items if item.opened == "order"]
        return tuple(name for name in by_order if name in mine and not known.is_open(power, name))

    def declared(self, rules: "Rules", position: Position, power: Power, declaration: Declare) -> Declare:
        """Something that may be named, or opened, now."""
        name, _, place = declaration.text.partition(" ")
        if position.phase.kind is not PhaseKind.MOVEMENT:
            raise IllegalOrder(
                f"{declaration.word} is written with the orders of a movement, and this is {position.phase}."
            )
        if declaration.word == "OPEN":
            may = self._may_open(position, power)
            meant = next((one for one in may if one.casefold() == name.casefold()), None)
            if meant is None or place:
                raise IllegalOrder(f"{power} may open {listing(may, 'or') or 'nothing'} now.")
            return Declare("OPEN", meant)
        item = next((item for item in self.items if item.name.casefold() == name.casefold()), None)
        if item is None:
            raise IllegalOrder(f"'{name}' is nothing one names; {hint(name, [item.name for item in self.items])}")
        codes = self.may_name(rules, position, power, item)
        if not codes:
            raise IllegalOrder(f"{power} names no {item.name} now.")
        notation = notation_of(rules, position)
        at = notation.unit(place).location if item.of == "unit" else notation.location(place)
        if at.space not in codes:
            few = f"; it may be {listing(codes, 'or')}" if len(codes) < _FEW else ""
            raise IllegalOrder(f"{at.space} cannot be the {item.name} of {power}{few}.")
        return Declare("NAME", f"{item.name} {at.space}")

    def offers(self, rules: "Rules", position: Position, power: Power) -> tuple[Declare, ...]:
        """Everything that may be named or opened."""
        if position.phase.kind is not PhaseKind.MOVEMENT:
            return ()
        names = [
            Declare("NAME", f"{item.name} {code}")
            for item in self.items
            for code in self.may_name(rules, position, power, item)
        ]
        return (*names, *(Declare("OPEN", name) for name in self._may_open(position, power)))

    # What comes of it

    def after_orders(self, rules: "Rules", adjudication: Adjudication) -> Effects:
        """What was named is kept, what moved is followed, and what was opened or entered takes effect."""
        before, outcomes, position, _, declared, _ = adjudication
        known = self.named(before)
        moving = before.phase.kind is PhaseKind.MOVEMENT
        if moving:
            known = replace(known, spaces=frozenset(), powers=frozenset())
        went = _gone(outcomes)
        known = self._followed(known, went)
        opened: list[tuple[Power, Designation, Power]] = []
        for power in rules.names:
            given = declared.get(power, ())
            for one in (one for one in given if one.word == "OPEN"):
                opened += [(power, item, power) for item in self.items if item.name == one.text]
        position = position.with_slot(self.name, known) if known != self.named(position) else position
        effects = self._opened(rules, position, opened)
        if moving or before.phase.kind is PhaseKind.RETREATS:
            entered = list(self._entered(effects.position))
            more = self._opened(rules, effects.position, entered)
            effects = Effects(more.position, (*effects.events, *more.events))
        # what is named now takes effect from now on
        now = self.named(effects.position)
        named = self._with_names(rules, before, now, declared)
        if named == now:
            return effects
        fresh = {power: dict(of.items() - now.of.get(power, {}).items()) for power, of in named.of.items()}
        for power, of in self._followed(Named(fresh), went).of.items():
            for name, code in of.items():
                now = now.with_named(power, name, code)
        return effects._replace(position=effects.position.with_slot(self.name, now))

    def _followed(self, known: Named, went: Mapping[tuple[Power, Code], Code]) -> Named:
        """The units that are named, where they have gone."""
        units = {item.name for item in self.items if item.of == "unit"}
        of = {
            power: {name: went.get((power, code), code) if name in units else code for name, code in named.items()}
            for power, named in known.of.items()
        }
        return replace(known, of=of)

    def _with_names(self, rules: "Rules", before: Position, known: Named, declared: Declared) -> Named:
        for power in rules.names:
            for one in (one for one in declared.get(power, ()) if one.word == "NAME"):
                name, _, code = one.text.partition(" ")
                item = next(item for item in self.items if item.name == name)
                if Code(code) in self.may_name(rules, before, power, item):
                    known = known.with_named(power, name, Code(code))  # the last one counts
        return known

    def _entered(self, position: Position) -> Iterator[tuple[Power, Designation, Power]]:
        for power, item, code in self._hidden(position, "entered"):
            unit = position.unit_at(code)
            if unit and unit.power != power:
                yield power, item, unit.power

    def _hidden(self, position: Position, opened: str) -> Iterator[tuple[Power, Designation, Code]]:
        items = {item.name: item for item in self.items if item.opened == opened}
        for power, name, code in self.named(position).hidden():
            if name in items:
                yield power, items[name], code

    def _opened(
        self, rules: "Rules", position: Position, opened: Sequence[tuple[Power, Designation, Power | None]]
    ) -> Effects:
        events: list[Event] = []
        for power, item, by in opened:
            known = self.named(position).with_opened(power, item.name)
            code = known.of[power][item.name]
            at = rules.board.spaces[code].name if code in rules.board.spaces else code
            who = f", by {by}" if by and by != power else ""
            why = f"The {item.name} of {power} in {at} is opened{who}."
            events.append(
                Event(DESIGNATION_OPENED, why, (power, by) if who and by else (power,), (code,), names=(item.name,))
            )
            space = code if item.opened != "lost" else None
            effects = deeds.done(rules, position, item.deed, space, power, by)
            spaces, powers = deeds.silenced(item.deed, space, power)
            known = replace(known, spaces=known.spaces | spaces, powers=known.powers | powers)
            position = effects.position.with_slot(self.name, known)
            events += effects.events
        return Effects(position, tuple(events))

    def after_ownership(self, rules: "Rules", position: Position, phase: Phase) -> Effects:
        """Centres that were named and have passed to another."""
        taken = [
            (power, item, owner)
            for power, item, code in self._hidden(position, "taken")
            if (owner := position.owners.get(code)) not in (None, power)
        ]
        return self._opened(rules, position, taken)

    def after_phase(self, rules: "Rules", position: Position, phase: Phase, source: DrawSource) -> Effects:
        """Units that were named and are gone."""
        lost: list[tuple[Power, Designation, Power | None]] = []
        for power, item, code in self._hidden(position, "lost"):
            fleeing = position.dislodged_at(code)
            unit = fleeing.unit if fleeing and fleeing.unit.power == power else position.unit_at(code)
            if unit is None or unit.power != power:
                lost.append((power, item, None))
        return self._opened(rules, position, lost)

    def why_no_orders(self, rules: "Rules", position: Position, unit: Unit) -> str:
        """A unit that something opened silences."""
        known = self.named(position)
        if unit.space in known.spaces or unit.power in known.powers:
            return f"{unit} takes no orders in this movement."
        return ""

    def space_split(self, rules: "Rules", position: Position, split: Split, units: Sequence[SplitUnit]) -> Effects:
        """What is named in a space that is split is in its first half."""
        known = self.named(position)
        if all(split.space not in named.values() for named in known.of.values()):
            return Effects(position)
        of = {
            power: {name: split.halves[0] if code == split.space else code for name, code in named.items()}
            for power, named in known.of.items()
        }
        return Effects(position.with_slot(self.name, replace(known, of=of)))

    # What others see

    def secrets(self) -> frozenset[str] | None:
        """What is named."""
        return self.words

    def slot_seen(self, rules: "Rules", slot: Slot, who: Power | None) -> Slot | None:
        """What one has named oneself, and what is open."""
        if not isinstance(slot, Named):
            return slot
        open_ones = {
            power: {name: code for name, code in named.items() if power == who or slot.is_open(power, name)}
            for power, named in slot.of.items()
        }
        if rules.in_fog:
            return Named({power: of for power, of in open_ones.items() if power == who})
        return replace(slot, of={power: of for power, of in open_ones.items() if of})

    def decode_slot(self, value: Any, reader: "BoardReader") -> Named:
        """What is named, from JSON."""
        whole = reader.mapping(value)
        of = {
            reader.power(power): {name: reader.space(code) for name, code in reader.mapping(named).items()}
            for power, named in reader.mapping(whole["of"]).items()
        }
        opened = {
            reader.power(power): frozenset(reader.text(name) for name in reader.items(names))
            for power, names in reader.mapping(whole.get("opened", {})).items()
        }
        spaces = frozenset(map(reader.space, reader.items(whole.get("spaces", []))))
        return Named(of, opened, spaces, frozenset(map(reader.power, reader.items(whole.get("powers", [])))))


def _gone(outcomes: Sequence[Outcome]) -> dict[tuple[Power, Code], Code]:
    """Where units have gone, by their powers and where they came from."""
    went: dict[tuple[Power, Code], Code] = {}
    for outcome in outcomes:
        order, unit = outcome.order, outcome.unit
        if unit and isinstance(order, Move | Retreat) and outcome.result in (Result.MOVES, Result.RETREATS):
            went[unit.power, unit.space] = order.to.space
    return went


_FEW = 9
"""So many spaces are listed in a sentence at most."""

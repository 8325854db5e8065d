"""Secret choices: a power secretly names a space, a unit or a power, or gets one by lot; an effect follows.

`NAME capital VIE` is submitted with the orders of a movement. The choice is revealed by an order, `OPEN mine`,
or by an event: a unit enters the space, a power takes the centre, or the unit is lost. A named power's centres, units
or victory may count for the power that named it, and that power may secretly order its units.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, ClassVar, Literal

from plenipo.engine.board import Board, Code, Location, UnitKind
from plenipo.engine.calendar import Phase, PhaseKind
from plenipo.engine.changes import Split
from plenipo.engine.dice import Draw, DrawSource
from plenipo.engine.events import Event, EventKind
from plenipo.engine.hooks import Adjudication, Declared, Effects, Prospect, RuleModule, SplitUnit
from plenipo.engine.immutable import FrozenMap, freeze_sorted
from plenipo.engine.orders import Declare, Move, Retreat
from plenipo.engine.outcome import Outcome, Result
from plenipo.engine.place_rules import PlaceRule, name_of
from plenipo.engine.position import Position, Power, Slot, Unit
from plenipo.engine.reading.notation import notation_of
from plenipo.engine.sentences import Either, SentenceKind, say
from plenipo.engine.space_filter import Whose, is_such
from plenipo.engine.wording import hint
from plenipo.errors import IllegalOrder
from plenipo.rulekit.effects import Effect, apply_effect, check_effect, explain_silence, find_silenced
from plenipo.rulekit.rule_entries import InTime, RuleEntry, entries

if TYPE_CHECKING:
    from plenipo.engine.reading.positions import BoardReader
    from plenipo.engine.rules import Rules

__all__ = ["DESIGNATION_OPENED", "NamedChoices", "SecretChoice", "SecretChoices"]

DESIGNATION_OPENED = EventKind("designation_opened")
"""Reveals the first power's choice in the space, made by the second power if there is one; the name is the choice's."""

_NOT_NOW = SentenceKind("choice-not-now", "{word} is written in a {phases} phase, and this is {phase}.")
_MAY_OPEN = SentenceKind("choice-may-open", "{power} may open {names} now.")
_MAY_OPEN_NONE = SentenceKind("choice-may-open-none", "{power} may open nothing now.")
_NOT_NAMED = SentenceKind("choice-unknown", "'{name}' is nothing one names; {hint}")
_NONE_NOW = SentenceKind("choice-none-now", "{power} names no {name} now.")
_CANNOT_BE = SentenceKind("choice-cannot-be", "{choice} cannot be the {name} of {power}.")
_MAY_BE = SentenceKind("choice-may-be", "{choice} cannot be the {name} of {power}; it may be {choices}.")
_IS = SentenceKind("choice-is", "The {name} of {power} is {choice}.")
_OPENED = SentenceKind("choice-opened", "The {name} of {power} in {place} is opened.")
_OPENED_BY = SentenceKind("choice-opened-by", "The {name} of {power} in {place} is opened, by {by}.")
_PHASES = {kind: SentenceKind(f"phase-noun-{kind.noun}", kind.noun)() for kind in PhaseKind}


@dataclass(frozen=True)
class SecretChoice(InTime):
    """Something that each power names once, in a word, and what comes of it.

    It names a `space`, or a `unit` of its own, which goes on being named where it goes. The space, or that in which the
    unit stands, is of a kind (`where`, see `Whose`). `among` are the only spaces, `powers` those that name one, `units`
    the kinds of unit. It is named in the movements of `seasons` and of the years from `from_year` to `until_year`. It
    is opened by `order`, when a unit of another power stands in the space after moves or retreats (`entered`), when the
    centre passes to another power (`taken`), or when the unit is gone (`lost`). What is done then is the `effect`,
    about
    the space, and about the power that named it; by it profits who entered or took it, or who gave the order.

    Or it names another `power`, one of `whom` where some are named. That is opened by `order`, when the power has
    neither units nor centres left (`out`), or not before the game ends (`end`); the effect is about the power that was
    named, and who named it profits. Opened or not, it `gives` who named it what it says: the centres and units of the
    power count for it when it is looked who has won (`counts`), it wins where the power does (`wins`), and it writes
    the orders of the power, which nobody plays (`orders`).

    With `drawn` nothing is named: each power gets one by lot at the end of the first such phase, each another as long
    as there are enough. It is named in a movement, or in a `choice` phase (`phase`).
    """

    __pydantic_config__: ClassVar[dict[str, Any]] = {"extra": "forbid"}  # a misspelt key is reported, not passed over

    name: str
    opened: Literal["order", "entered", "taken", "lost", "out", "end"]
    effect: Effect = field(default_factory=Effect)
    of: Literal["space", "unit", "power"] = "space"
    where: Whose = "anywhere"
    among: tuple[Code, ...] = ()
    powers: tuple[Power, ...] = ()
    units: tuple[UnitKind, ...] = ()
    whom: tuple[Power, ...] = ()
    gives: tuple[Literal["counts", "wins", "orders"], ...] = ()
    drawn: bool = False
    phase: Literal["movement", "choice"] = "movement"

    def in_time(self, phase: Phase) -> bool:
        """Return whether the choice may be made in a phase."""
        return phase.kind == self.phase and super().in_time(phase)

    def candidates(self, rules: "Rules") -> tuple[Power, ...]:
        """Return the powers that may be named at all, where it names one."""
        everybody = tuple(info.name for info in rules.powers if "orders" not in self.gives or not info.played)
        return self.whom or everybody


@dataclass(frozen=True)
class NamedChoices:
    """Choices by power and name, those revealed, and the spaces and powers whose units get no orders next movement."""

    of: Mapping[Power, Mapping[str, Code | Power]] = field(default_factory=dict)
    opened: Mapping[Power, frozenset[str]] = field(default_factory=dict)
    spaces: frozenset[Code] = frozenset()
    powers: frozenset[Power] = frozenset()

    def __post_init__(self) -> None:
        whole = {power: freeze_sorted(named) for power, named in sorted(self.of.items())}
        object.__setattr__(self, "of", FrozenMap(whole))
        object.__setattr__(self, "opened", FrozenMap({p: n for p, n in sorted(self.opened.items()) if n}))

    def is_open(self, power: Power, name: str) -> bool:
        """Return whether a choice is revealed."""
        return name in self.opened.get(power, ())

    def list_hidden(self) -> Iterator[tuple[Power, str, Code | Power]]:
        """Yield the choices that are not revealed yet."""
        for power, named in self.of.items():
            yield from ((power, name, code) for name, code in named.items() if not self.is_open(power, name))

    def with_named(self, power: Power, name: str, code: Code | Power) -> "NamedChoices":
        """Return the slot with one more choice named."""
        return replace(self, of={**self.of, power: {**self.of.get(power, {}), name: code}})

    def with_opened(self, power: Power, name: str) -> "NamedChoices":
        """Return the slot with one more choice opened."""
        return replace(self, opened={**self.opened, power: self.opened.get(power, frozenset()) | {name}})

    def to_json(self) -> Any:
        """Return the codes by power and name, and the rest."""
        return {
            "of": {power: dict(named) for power, named in self.of.items()},
            "opened": {power: sorted(names) for power, names in self.opened.items()},
            "spaces": sorted(self.spaces),
            "powers": sorted(self.powers),
        }


@dataclass(frozen=True)
class SecretChoices(RuleModule):
    """The option `items`: what each power names in secret, and what comes of it."""

    name: ClassVar[str] = "secret_choices"
    claims: ClassVar[frozenset[str]] = frozenset({"what is named in secret"})
    words: ClassVar[frozenset[str]] = frozenset({"NAME", "OPEN"})
    fixed: ClassVar[frozenset[str]] = frozenset({"items"})

    items: tuple[SecretChoice, ...] = ()

    def check(self, rules: "Rules") -> None:
        """Raise `InvalidVariant` for a choice that no power could make or that has no effect."""
        names = [item.name for item in self.items]
        called = f"'{self.name}' of "
        for at, item in entries(rules, self.name, "items", self.items, lambda item: f"{called}'{item.name}'"):
            if not item.name.isalpha():
                raise at.wrong(say("needs a name that is one word of letters."), "name")  # english: ok
            if names.count(item.name) > 1:
                raise at.wrong(say("is there twice."), "name")
            self._check(at, item)
            profits, of_space = item.opened != "lost", item.opened != "lost" and item.of != "power"
            if item.opened != "end" and (item.effect != Effect() or not item.gives):
                check_effect(at.part("effect"), item.effect, space=of_space, power=True, profits=profits)

    def place_rules(self, rules: "Rules") -> Iterator[PlaceRule]:
        """Describe the only spaces that may be named."""
        for item in self.items:
            for code in item.among:
                words = f"{name_of(rules, code)} may be named as {item.name} in secret"
                yield PlaceRule("action", (code,), words)

    def _check(self, at: RuleEntry, item: SecretChoice) -> None:
        at.spaces(among=item.among)
        at.players(powers=item.powers)
        at.kinds(units=item.units)
        if not at.rules.calendar.seasons(PhaseKind(item.phase)):
            raise at.wrong(say("is named in {phase} phases, and the calendar has none.", phase=item.phase), "phase")
        at.in_time(item, PhaseKind(item.phase))
        self._check_of_power(at, item)
        if item.opened == "lost" and item.of != "unit":
            raise at.wrong(say('is opened when it is lost, which only a unit can be: write of = "unit".'), "opened")
        if item.opened == "taken" and (item.of != "space" or item.where not in ("home", "owned")):
            raise at.wrong(say('is opened when it is taken: write where = "home" or "owned".'), "opened")
        if item.opened == "entered" and item.of != "space":
            raise at.wrong(say("is opened when it is entered, which only a space can be."), "opened")
        if item.units and item.of != "unit":
            raise at.wrong(say("has 'units', and names no unit: write of = \"unit\"."), "units")

    def _check_of_power(self, at: RuleEntry, item: SecretChoice) -> None:
        """Raise `InvalidVariant` for keys that do not fit the choice of a power, or fit no other choice."""
        others = ("whom", "gives") if item.of != "power" else ("among", "units")
        if wrong := next((key for key in others if getattr(item, key)), ""):
            raise at.wrong(say("has '{wrong}', and names a {of}.", wrong=wrong, of=item.of), wrong)
        if item.of == "power" and item.where != "anywhere":
            raise at.wrong(say("has 'where', and names a power."), "where")
        if (item.opened in ("entered", "taken", "lost") and item.of == "power") or (
            item.opened == "out" and item.of != "power"
        ):
            raise at.wrong(
                say("is opened when it is {opened}, which a {of} cannot be.", opened=item.opened, of=item.of), "opened"
            )
        if item.opened == "end" and (item.effect != Effect() or not item.gives):
            raise at.wrong(say("is opened when all is over, so that no effect comes of it; write 'gives'."), "opened")
        at.powers(whom=item.whom)
        for power in item.whom:
            if "orders" in item.gives and power not in at.rules.unplayed_powers:
                raise at.wrong(
                    say("gives the orders of {power}, which is played; it needs played = false.", power=power), "whom"
                )
        if item.of == "power" and not item.candidates(at.rules):
            raise at.wrong(say("gives the orders of powers that nobody plays, and all are played."), "gives")

    def named_choices(self, position: Position) -> NamedChoices:
        """Return the choices that the position remembers."""
        slot = position.slots.get(self.name)
        return slot if isinstance(slot, NamedChoices) else NamedChoices()

    # Naming and opening

    def may_name(
        self, rules: "Rules", position: Position, power: Power, item: SecretChoice
    ) -> tuple[Code | Power, ...]:
        """Return the spaces or powers that a power may name now, or where units stand; none where it has named one."""
        if item.drawn or not item.in_time(position.phase):
            return ()
        return self._open_to(rules, position, power, item)

    def _open_to(
        self, rules: "Rules", position: Position, power: Power, item: SecretChoice
    ) -> tuple[Code | Power, ...]:
        """Return what a power may choose or draw at any time; nothing if it has already chosen."""
        if item.name in self.named_choices(position).of.get(power, {}) or (item.powers and power not in item.powers):
            return ()
        if item.of == "power":
            return tuple(sorted(one for one in item.candidates(rules) if one != power and position.survives(one)))
        board = rules.board_at(position)
        codes = [
            code
            for code, space in board.spaces.items()
            if not space.impassable and self._fits(board, position, power, item, code)
        ]
        return tuple(sorted(codes))

    def _fits(self, board: Board, position: Position, power: Power, item: SecretChoice, code: Code) -> bool:
        if item.among and code not in item.among:
            return False
        unit = position.unit_at(code)
        if item.of == "unit" and (unit is None or unit.power != power or (item.units and unit.kind not in item.units)):
            return False
        return is_such(item.where, board, position, power, code)

    def _may_open(self, position: Position, power: Power) -> tuple[str, ...]:
        known = self.named_choices(position)
        mine = known.of.get(power, {})
        by_order = [item.name for item in self.items if item.opened == "order"]
        return tuple(name for name in by_order if name in mine and not known.is_open(power, name))

    def complete_declaration(self, rules: "Rules", position: Position, power: Power, declaration: Declare) -> Declare:
        """Return the declaration of a choice to name or open; raise `IllegalOrder` if it is not allowed now."""
        name, _, place = declaration.text.partition(" ")
        phases = {item.phase for item in self.items} if declaration.word == "NAME" else {PhaseKind.MOVEMENT}
        if position.phase.kind not in phases:
            kinds = Either(_PHASES[PhaseKind(kind)] for kind in sorted(phases))
            raise IllegalOrder(_NOT_NOW(word=declaration.word, phases=kinds, phase=position.phase))
        if declaration.word == "OPEN":
            may = self._may_open(position, power)
            meant = next((one for one in may if one.casefold() == name.casefold()), None)
            if meant is None or place:
                few = _MAY_OPEN(power=power, names=Either(may)) if may else _MAY_OPEN_NONE(power=power)
                raise IllegalOrder(few)
            return Declare("OPEN", meant)
        item = next((item for item in self.items if item.name.casefold() == name.casefold()), None)
        if item is None:
            raise IllegalOrder(_NOT_NAMED(name=name, hint=hint(name, [item.name for item in self.items])))
        codes = self.may_name(rules, position, power, item)
        if not codes:
            raise IllegalOrder(_NONE_NOW(power=power, name=item.name))
        notation = notation_of(rules, position)
        what: Code | Power
        if item.of == "power":
            what = rules.power(place)
        else:
            what = (notation.unit(place).location if item.of == "unit" else notation.location(place)).space
        if what not in codes:
            parts = {"choice": what, "name": item.name, "power": power}
            raise IllegalOrder(_MAY_BE(choices=Either(codes), **parts) if len(codes) < _FEW else _CANNOT_BE(**parts))
        return Declare("NAME", f"{item.name} {what}")

    def offers(self, rules: "Rules", position: Position, power: Power) -> tuple[Declare, ...]:
        """Return every choice that the power may name or open."""
        names = [
            Declare("NAME", f"{item.name} {code}")
            for item in self.items
            for code in self.may_name(rules, position, power, item)
        ]
        moving = position.phase.kind is PhaseKind.MOVEMENT
        return (*names, *(Declare("OPEN", name) for name in (self._may_open(position, power) if moving else ())))

    def prospect(self, rules: "Rules", position: Position, power: Power, declaration: Declare) -> Prospect:
        """Return the position in which a choice is named and, where an order opens it or another power, was opened.

        A space is entered or taken by the first unit of another power that could move there; where there is none, the
        choice is only named.
        """
        if declaration.word == "OPEN":
            return Prospect()
        name, _, text = declaration.text.partition(" ")
        item = next(item for item in self.items if item.name == name)
        what: Code | Power = Power(text) if item.of == "power" else Code(text)
        named = position.with_slot(self.name, self.named_choices(position).with_named(power, name, what))
        if item.opened == "order":
            return Prospect(self._open_choices(rules, named, [(power, item, power)]).position)
        board = rules.board_at(position)
        others = (unit for unit in position.units if unit.power != power)
        coming = next((unit for unit in others if what in board.reach(unit.kind, unit.location)), None)
        if item.opened not in ("entered", "taken") or coming is None:
            return Prospect(named)
        there = coming._replace(location=Location(Code(what)))
        before = replace(
            named, units=(*(unit for unit in position.units if unit.space not in (what, coming.space)), there)
        )
        after = self._open_choices(rules, before, [(power, item, coming.power)]).position
        # the unit that came is back where it was, unless it was lost
        lost = after.unit_at(Code(what)) is None
        units = tuple(unit for unit in position.units if not lost or unit != coming)
        return Prospect(replace(after, units=units), odds=_ENTERED)

    # Effects

    def after_orders(self, rules: "Rules", adjudication: Adjudication) -> Effects:
        """Store new choices, follow moved units, and apply the choices that were revealed or entered."""
        before, outcomes, position, _, declared, _ = adjudication
        known = self.named_choices(before)
        moving = before.phase.kind is PhaseKind.MOVEMENT
        if moving:
            known = replace(known, spaces=frozenset(), powers=frozenset())
        went = _find_destinations(outcomes)
        known = self._follow_units(known, went)
        opened: list[tuple[Power, SecretChoice, Power]] = []
        for power in rules.names:
            given = declared.get(power, ())
            for one in (one for one in given if one.word == "OPEN"):
                opened += [(power, item, power) for item in self.items if item.name == one.text]
        position = position.with_slot(self.name, known) if known != self.named_choices(position) else position
        effects = self._open_choices(rules, position, opened)
        if moving or before.phase.kind is PhaseKind.RETREATS:
            entered = list(self._find_entered(effects.position))
            more = self._open_choices(rules, effects.position, entered)
            effects = Effects(more.position, (*effects.events, *more.events))
        # new choices take effect from now on
        now = self.named_choices(effects.position)
        named = self._with_names(rules, before, now, declared)
        if named == now:
            return effects
        fresh = {power: dict(of.items() - now.of.get(power, {}).items()) for power, of in named.of.items()}
        for power, of in self._follow_units(NamedChoices(fresh), went).of.items():
            for name, what in of.items():
                now = now.with_named(power, name, what)
        return effects._replace(position=effects.position.with_slot(self.name, now))

    def _follow_units(self, known: NamedChoices, went: Mapping[tuple[Power, Code], Code]) -> NamedChoices:
        """Return the named units with the spaces to which they went."""
        units = {item.name for item in self.items if item.of == "unit"}
        of = {
            power: {
                name: went.get((power, Code(code)), code) if name in units else code for name, code in named.items()
            }
            for power, named in known.of.items()
        }
        return replace(known, of=of)

    def _with_names(self, rules: "Rules", before: Position, known: NamedChoices, declared: Declared) -> NamedChoices:
        for power in rules.names:
            for one in (one for one in declared.get(power, ()) if one.word == "NAME"):
                name, _, text = one.text.partition(" ")
                item = next(item for item in self.items if item.name == name)
                what = Power(text) if item.of == "power" else Code(text)
                if what in self.may_name(rules, before, power, item):
                    known = known.with_named(power, name, what)  # the last one counts
        return known

    def _find_entered(self, position: Position) -> Iterator[tuple[Power, SecretChoice, Power]]:
        for power, item, code in self._list_hidden(position, "entered"):
            unit = position.unit_at(Code(code))
            if unit and unit.power != power:
                yield power, item, unit.power

    def _list_hidden(self, position: Position, opened: str) -> Iterator[tuple[Power, SecretChoice, Code | Power]]:
        items = {item.name: item for item in self.items if item.opened == opened}
        for power, name, code in self.named_choices(position).list_hidden():
            if name in items:
                yield power, items[name], code

    def _open_choices(
        self, rules: "Rules", position: Position, opened: Sequence[tuple[Power, SecretChoice, Power | None]]
    ) -> Effects:
        events: list[Event] = []
        for power, item, by in opened:
            known = self.named_choices(position).with_opened(power, item.name)
            what = known.of[power][item.name]
            space: Code | None = None
            about, to = power, by
            if item.of == "power":
                about, to = Power(what), power
                why = _IS(name=item.name, power=power, choice=what)
                events.append(Event(DESIGNATION_OPENED, why, (power, about), names=(item.name,)))
            else:
                code = Code(what)
                at = rules.board.spaces[code].name if code in rules.board.spaces else code
                parts = {"name": item.name, "power": power, "place": at}
                why = _OPENED_BY(by=by, **parts) if by and by != power else _OPENED(**parts)
                both = (power, by) if by and by != power else (power,)
                events.append(Event(DESIGNATION_OPENED, why, both, (code,), names=(item.name,)))
                space = code if item.opened != "lost" else None
            board = rules.board_at(position)
            effects = apply_effect(rules, position, item.effect, space, about, to)
            spaces, powers = find_silenced(board, item.effect, space, about)
            known = replace(known, spaces=known.spaces | spaces, powers=known.powers | powers)
            position = effects.position.with_slot(self.name, known)
            events += effects.events
        return Effects(position, tuple(events))

    def after_ownership(self, rules: "Rules", position: Position, phase: Phase) -> Effects:
        """Open the choices of centres that have passed to another power."""
        taken = [
            (power, item, owner)
            for power, item, code in self._list_hidden(position, "taken")
            if (owner := position.owners.get(Code(code))) not in (None, power)
        ]
        return self._open_choices(rules, position, taken)

    def after_phase(self, rules: "Rules", position: Position, phase: Phase, source: DrawSource) -> Effects:
        """Open the choices of units and powers that are gone, and draw choices by lot."""
        lost: list[tuple[Power, SecretChoice, Power | None]] = []
        for power, item, what in self._list_hidden(position, "lost"):
            fleeing = position.dislodged_at(Code(what))
            unit = fleeing.unit if fleeing and fleeing.unit.power == power else position.unit_at(Code(what))
            if unit is None or unit.power != power:
                lost.append((power, item, None))
        for power, item, what in self._list_hidden(position, "out"):
            if not position.survives(Power(what)):
                lost.append((power, item, None))
        position, events, _ = self._open_choices(rules, position, lost)
        return Effects(self._with_drawn(rules, position, phase, source), events)

    def _with_drawn(self, rules: "Rules", position: Position, phase: Phase, source: DrawSource) -> Position:
        """Return the position with the choices that powers get by lot at the end of a phase."""
        known = self.named_choices(position)
        for item in (item for item in self.items if item.drawn and item.in_time(phase)):
            for power in rules.names:
                taken = {named.get(item.name) for named in known.of.values()}
                may = self._open_to(rules, position, power, item)
                if may:
                    slip = source.draw(_label(item, power), [what for what in may if what not in taken] or may)
                    known = known.with_named(power, item.name, Power(slip) if item.of == "power" else Code(slip))
        return position if known == self.named_choices(position) else position.with_slot(self.name, known)

    # Gifts of a named power

    def _namers(self, position: Position, gives: str, power: Power) -> tuple[Power, ...]:
        """Return the powers that chose a power for something that gives this."""
        names = {item.name for item in self.items if gives in item.gives}
        of = self.named_choices(position).of
        return tuple(namer for namer, named in of.items() if any(named.get(name) == power for name in names))

    def counts_for(self, rules: "Rules", position: Position, power: Power) -> tuple[Power, ...]:
        """Return the powers that a power has named, if their centres and units count for it."""
        names = [item.name for item in self.items if "counts" in item.gives]
        mine = self.named_choices(position).of.get(power, {})
        return tuple(Power(mine[name]) for name in names if name in mine)

    def wins_with(self, rules: "Rules", position: Position, power: Power) -> tuple[Power, ...]:
        """Return the powers that chose a power and win with it."""
        return self._namers(position, "wins", power)

    def rulers(self, rules: "Rules", position: Position, power: Power) -> tuple[Power, ...] | None:
        """Return the powers that chose an unplayed power and write its orders."""
        items = [item for item in self.items if "orders" in item.gives and power in item.candidates(rules)]
        return self._namers(position, "orders", power) if items else None

    def why_no_orders(self, rules: "Rules", position: Position, unit: Unit) -> str:
        """Return why a unit that an opened choice silences takes no orders; empty for other units."""
        known = self.named_choices(position)
        return explain_silence(unit, known.spaces, known.powers)

    def space_split(self, rules: "Rules", position: Position, split: Split, units: Sequence[SplitUnit]) -> Effects:
        """Move a choice in a space that is split to its first half."""
        known = self.named_choices(position)
        if all(split.space not in named.values() for named in known.of.values()):
            return Effects(position)
        of = {
            power: {name: split.halves[0] if what == split.space else what for name, what in named.items()}
            for power, named in known.of.items()
        }
        return Effects(position.with_slot(self.name, replace(known, of=of)))

    # Visibility

    @property
    def secret_order_sets(self) -> bool:
        """True if a choice gives the orders of a power, as open order sets would reveal who writes them."""
        return any("orders" in item.gives for item in self.items)

    def secrets(self) -> frozenset[str] | None:
        """Return the words of the secret choices."""
        return self.words

    def tells(self, rules: "Rules", position: Position, who: Power | None, told: Event | Outcome | Draw) -> bool:
        """Return whether a power may see something: a drawn choice is shown only to its own power."""
        if not isinstance(told, Draw):
            return True
        label = told.label.partition("|")[2]
        owners = (power for item in self.items for power in rules.names if item.drawn and label == _label(item, power))
        return next(owners, who) == who

    def slot_seen(self, rules: "Rules", slot: Slot, who: Power | None) -> Slot | None:
        """Return the choices of the viewing power and those that are revealed."""
        if not isinstance(slot, NamedChoices):
            return slot
        open_ones = {
            power: {name: code for name, code in named.items() if power == who or slot.is_open(power, name)}
            for power, named in slot.of.items()
        }
        if rules.in_fog:
            return NamedChoices({power: of for power, of in open_ones.items() if power == who})
        return replace(slot, of={power: of for power, of in open_ones.items() if of})

    def decode_slot(self, value: Any, reader: "BoardReader") -> NamedChoices:
        """Read the choices from JSON."""
        whole = reader.mapping(value)
        powers = {item.name for item in self.items if item.of == "power"}
        of: dict[Power, dict[str, Code | Power]] = {
            reader.power(power): {
                name: reader.power(what) if name in powers else reader.space(what)
                for name, what in reader.mapping(named).items()
            }
            for power, named in reader.mapping(whole["of"]).items()
        }
        opened = {
            reader.power(power): frozenset(reader.text(name) for name in reader.items(names))
            for power, names in reader.mapping(whole.get("opened", {})).items()
        }
        spaces = frozenset(map(reader.space, reader.items(whole.get("spaces", []))))
        return NamedChoices(of, opened, spaces, frozenset(map(reader.power, reader.items(whole.get("powers", [])))))


def _find_destinations(outcomes: Sequence[Outcome]) -> dict[tuple[Power, Code], Code]:
    """Return the destinations of units by power and origin."""
    went: dict[tuple[Power, Code], Code] = {}
    for outcome in outcomes:
        order, unit = outcome.order, outcome.unit
        if unit and isinstance(order, Move | Retreat) and outcome.result in (Result.MOVES, Result.RETREATS):
            went[unit.power, unit.space] = order.to.space
    return went


def _label(item: SecretChoice, power: Power) -> str:
    """Return the label of the draw for a power."""
    return f"{item.name} of {power}"


_FEW = 9
"""So many spaces are listed in a sentence at most."""

_ENTERED = (1, 4)
"""The estimated probability that a unit that could move to a named space does so."""

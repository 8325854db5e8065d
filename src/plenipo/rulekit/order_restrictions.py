"""Limits: what units may not be ordered: by season, kind and power, into spaces, along ways, without leave.

A limit may ask who holds a gate, or that who holds it gives leave: `LEAVE France` is submitted with the orders of a
movement. A way may take several movements: the same order is given each time, and the last one is carried out.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, ClassVar, Literal, NamedTuple

from plenipo.engine.amounts import count_things
from plenipo.engine.board import Board, Code, UnitKind
from plenipo.engine.calendar import PhaseKind, as_season
from plenipo.engine.events import Event, EventKind
from plenipo.engine.hooks import Adjudication, Declared, Effects, RuleModule
from plenipo.engine.module_memory import ModuleMemory
from plenipo.engine.orders import Convert, Convoy, Declare, Move, Order, Retreat, Support
from plenipo.engine.outcome import Result
from plenipo.engine.place_rules import PlaceRule, between, name_of
from plenipo.engine.position import Position, Power, Slot, Unit
from plenipo.engine.sentences import NOTHING, Either, Sentence, SentenceKind, say
from plenipo.engine.space_filter import IN_WORDS, Whose, is_such
from plenipo.engine.wording import hint, listing
from plenipo.errors import IllegalOrder
from plenipo.rulekit.conditions import Condition, check_conditions, find_lacking
from plenipo.rulekit.rule_entries import InTime, RuleEntry, SpacePair, entries

if TYPE_CHECKING:
    from plenipo.engine.rules import Rules

__all__ = ["LEAVE_GIVEN", "UNIT_ON_ITS_WAY", "Lately", "OrderRestrictions", "Restriction"]

LEAVE_GIVEN = EventKind("leave_given")
"""The first power lets the second pass where it holds the gate."""

UNIT_ON_ITS_WAY = EventKind("unit_on_its_way")
"""The unit is on its way between the two spaces, for the first number of movements out of the second."""

WORD = "LEAVE"

_TYPES: Mapping[str, type[Order]] = {
    "move": Move,
    "support": Support,
    "convoy": Convoy,
    "convert": Convert,
    "retreat": Retreat,
}

_RESTRICTED = SentenceKind(
    "restricted",
    "{unit} takes {orders}{whose}{where}{season}{moved}{gate}{conditions}.",
    note="Why an order is forbidden.",
)
_NO_ORDERS = SentenceKind("restricted-no-orders", "no orders")()
_NONE_BUT = SentenceKind("restricted-but", "no orders but {orders}", note="{orders} is 'moves or supports'.")
_NONE_OF = SentenceKind("restricted-none-of", "no {orders}", note="{orders} is 'moves or supports'.")
_ORDERS = {word: SentenceKind(f"{word}-orders", f"{word}s")() for word in _TYPES}
_INTO = SentenceKind("restricted-into", " into {spaces}")
_THERE = SentenceKind("restricted-there", " {places}", note="{places} is 'into Munich or between PAR and BRE'.")
_INTO_THERE = SentenceKind("into-spaces", "into {spaces}")
_BETWEEN = SentenceKind("between-spaces", "between {one} and {other}")
_IN_SEASON = SentenceKind("restricted-season", " in {season}")
_MOVED = {
    "moved": SentenceKind("restricted-moved", " after it moved")(),
    "stayed": SentenceKind("restricted-stayed", " unless it has just moved")(),
}
_GATE = SentenceKind("restricted-gate", ", for {power} does not hold {place}")
_OF = {
    "own": SentenceKind("restricted-own", " for its own power")(),
    "others": SentenceKind("restricted-others", " for others")(),
}
_WHILE = SentenceKind("restricted-while", " as long as {power} has {conditions}")
_REASON = SentenceKind("restricted-reason", "{reason}.")
_NO_GATE = SentenceKind("leave-none-to-give", "{power} holds nothing for which it could give leave in {phase}.")
_OWN_LEAVE = SentenceKind("leave-of-its-own", "{power} needs no leave of its own.")
_NO_LEAVE = SentenceKind("leave-missing", "{power} gave no leave for it.")
_NO_LEAVE_OF_ANY = SentenceKind("leave-missing-of-any", "no power gave leave for it.")
_LEAVE_GIVEN = SentenceKind("leave-given", "{power} lets {other} pass.")
_UNDER_WAY = SentenceKind("under-way", "it is on its way: {number} of {turns}.")
_UNIT_UNDER_WAY = SentenceKind("unit-under-way", "{unit} is on its way to {place}: {number} of {turns}.")


@dataclass(frozen=True)
class Restriction(InTime):
    """A ban on orders: on the `orders` named, or with `only` on all others; on all of them if none are named.

    It is about units of the kinds `units` and the powers `powers` that stand in the spaces `standing`, in the `seasons`
    and the years from `from_year` to `until_year`; about all of them where these are left out. With `after` it is about
    units that `moved`, or `stayed`, in the movement before. It is about orders to go `into` spaces, of them to those of
    a kind (`where`, see `Whose`), and along the ways `between` two, and to support there; about all of them where these
    are left out. With `of` it is about supports and convoys of units of its own power (`own`) or of `others`. It does
    not count for a power that holds the `gate`, a space: that owns it (`owner`), or has a unit there (`unit`); or to
    which who holds it gives leave (`leave`). With `turns` the way is not closed, but takes so many movements. With
    `conditions` it is about powers that have all of that alone.
    """

    __pydantic_config__: ClassVar[dict[str, Any]] = {"extra": "forbid"}  # a misspelt key is reported, not passed over

    orders: tuple[str, ...] = ()
    only: bool = False
    units: tuple[UnitKind, ...] = ()
    powers: tuple[Power, ...] = ()
    standing: tuple[Code, ...] = ()
    after: Literal["", "moved", "stayed"] = ""
    into: tuple[Code, ...] = ()
    where: Whose = "anywhere"
    between: tuple[SpacePair, ...] = ()
    of: Literal["any", "own", "others"] = "any"
    gate: Code | None = None
    held_by: Literal["owner", "unit"] = "owner"
    leave: bool = False
    turns: int = 0
    reason: str = ""
    conditions: tuple[Condition, ...] = ()

    @property
    def somewhere(self) -> bool:
        """True if it covers only some spaces or ways."""
        return bool(self.into or self.between) or self.where != "anywhere"

    def about(self, board: Board, position: Position, unit: Unit, order: Order) -> bool:
        """Return whether it covers an order of a unit, apart from the gate and the unit's previous order.

        `board` is that of the position.
        """
        named = isinstance(order, tuple(_TYPES[word] for word in self.orders)) if self.orders else not self.only
        if named is self.only or not isinstance(order, tuple(_TYPES.values())):
            return False
        if (self.units and unit.kind not in self.units) or (self.powers and unit.power not in self.powers):
            return False
        if (self.standing and unit.space not in self.standing) or not self.in_time(position.phase):
            return False
        if self.of != "any":
            other = position.unit_at(order.other.location.space) if isinstance(order, Support | Convoy) else None
            if other is None or (other.power == unit.power) is not (self.of == "own"):
                return False
        return not self.somewhere or self._there(board, position, unit, order)

    def _there(self, board: Board, position: Position, unit: Unit, order: Order) -> bool:
        """Return whether the destination of an order is one that the restriction covers."""
        if isinstance(order, Convert):
            return False
        to = order.to.space if order.to else order.other.location.space  # type: ignore[union-attr]  # all have either
        named = to in self.into if self.into else self.where != "anywhere"
        if named and is_such(self.where, board, position, unit.power, to):
            return True
        direct = isinstance(order, Support | Retreat) or (isinstance(order, Move) and not order.via)
        return direct and ((unit.space, to) in self.between or (to, unit.space) in self.between)


class OnItsWay(NamedTuple):
    """The destination of a unit on its way, and the number of movements so far."""

    to: Code
    turns: int


@dataclass(frozen=True)
class Lately(ModuleMemory):
    """The previous movement of units: the spaces of those that moved, and those on their way, by space."""

    moved: frozenset[Code] = frozenset()
    going: Mapping[Code, OnItsWay] = field(default_factory=dict)


@dataclass(frozen=True)
class OrderRestrictions(RuleModule):
    """The option `restrictions`: what may not be ordered."""

    name: ClassVar[str] = "order_restrictions"
    memory: ClassVar[type[ModuleMemory]] = Lately
    claims: ClassVar[frozenset[str]] = frozenset({"what may not be ordered"})
    words: ClassVar[frozenset[str]] = frozenset({WORD})
    fixed: ClassVar[frozenset[str]] = frozenset({"restrictions"})

    restrictions: tuple[Restriction, ...] = ()

    def check(self, rules: "Rules") -> None:
        """Raise `InvalidVariant` for a restriction that forbids nothing, or everything."""
        for at, limit in entries(
            rules, self.name, "restrictions", self.restrictions, lambda _: f"A restriction of '{self.name}'"
        ):
            self._check(at, limit)

    def _check(self, at: RuleEntry, limit: Restriction) -> None:
        for word in limit.orders:
            if word not in _TYPES:
                raise at.wrong(
                    say("names the order '{word}'; {hint}", word=word, hint=hint(word, tuple(_TYPES))), "orders"
                )
        if not limit.orders and limit.only:
            raise at.wrong(say("does not say what alone may be ordered: write 'orders'."), "only")
        if replace(limit, reason="") == Restriction():
            raise at.wrong(say("does not say what may not be ordered: write 'orders', 'units', 'into' or another key."))
        at.spaces(into=limit.into, standing=limit.standing, gate=(limit.gate,) if limit.gate else ())
        at.ways(between=limit.between)
        at.powers(powers=limit.powers)
        at.kinds(units=limit.units)
        at.in_time(limit)
        check_conditions(at, limit.conditions)
        if limit.leave and limit.gate is None:
            raise at.wrong(say("asks for leave, and has no 'gate' with a holder."), "leave")
        if limit.turns and (limit.turns < 2 or not limit.between):  # one movement is what all moves take
            raise at.wrong(
                say("has {turns} as 'turns'; it must be 2 or more, for the ways of 'between'.", turns=limit.turns),
                "turns",
            )

    def place_rules(self, rules: "Rules") -> Iterator[PlaceRule]:
        """Describe the limits that are about single spaces and ways."""
        for limit in self.restrictions:
            orders = listing((f"{word}s" for word in limit.orders), "or")
            no = f"take no orders but {orders}" if limit.only else f"take no {orders}" if orders else "do not go"
            whose = f" of {listing(limit.powers, 'or')}" if limit.powers else ""
            kinds = listing((rules.board.traits[kind].plural for kind in limit.units), "or") or "units"
            who, gate = kinds.capitalize() + whose, f"holds {name_of(rules, limit.gate)}" if limit.gate else ""
            but = (
                f" without leave of the power that {gate}"
                if limit.leave
                else f" unless their power {gate}"
                if gate
                else ""
            )
            why = f": {limit.reason}" if limit.reason else ""
            for one, other in limit.between:
                kind = "slow" if limit.turns else "leave" if limit.leave else "barred"
                takes = f"take {limit.turns} turns to move" if limit.turns else no
                words = f"{who} {takes} {between(rules, one, other)}{limit.when}{but}{why}"
                yield PlaceRule(kind, (one, other), words, str(limit.turns or ""))
            for code in limit.into:
                words = f"{who} {no} into {name_of(rules, code)}{limit.when}{but}{why}"
                yield PlaceRule("closed", (code,), words)
            for code in limit.standing if not limit.into and not limit.between else ():
                words = f"{who} in {name_of(rules, code)} {no}{limit.when}{but}{why}"
                yield PlaceRule("closed", (code,), words)

    def lately(self, position: Position) -> Lately:
        """Return the previous movement of units."""
        slot = position.slots.get(self.name)
        return slot if isinstance(slot, Lately) else Lately()

    def _holder(self, position: Position, limit: Restriction) -> Power | None:
        """Return the power that holds the gate of a restriction."""
        if limit.gate is None:
            return None
        unit = position.unit_at(limit.gate)
        return position.owners.get(limit.gate) if limit.held_by == "owner" else unit.power if unit else None

    def _find_forbidding(self, rules: "Rules", position: Position, unit: Unit, order: Order) -> Iterator[Restriction]:
        """Yield the restrictions that forbid an order, including those that leave may lift."""
        for limit in self.restrictions:
            if limit.turns or not limit.about(rules.board_at(position), position, unit, order):
                continue
            if limit.after and (unit.space in self.lately(position).moved) is not (limit.after == "moved"):
                continue
            if limit.conditions and find_lacking(rules, position, unit.power, limit.conditions):
                continue
            if limit.gate is None or self._holder(position, limit) != unit.power:
                yield limit

    def why_not_ordered(self, rules: "Rules", position: Position, unit: Unit, order: Order) -> str:
        """Return why an order is forbidden by the first restriction that no leave can lift; empty if none is."""
        for limit in self._find_forbidding(rules, position, unit, order):
            if not limit.leave or self._holder(position, limit) is None:
                return self._sentence(rules, position, limit, unit)
        return ""

    def _sentence(self, rules: "Rules", position: Position, limit: Restriction, unit: Unit) -> Sentence:
        """Return the sentence on why an order is closed."""
        if limit.reason:
            return _REASON(reason=limit.reason)
        orders = Either(_ORDERS[word] for word in limit.orders)
        power, has = unit.power, tuple(having.as_sentence() for having in limit.conditions)
        return _RESTRICTED(
            unit=unit,
            orders=(_NONE_BUT if limit.only else _NONE_OF)(orders=orders) if orders else _NO_ORDERS,
            whose=_OF.get(limit.of, NOTHING),
            where=self._places(rules, position, limit),
            season=_IN_SEASON(season=as_season(position.phase.season)) if limit.seasons else NOTHING,
            moved=_MOVED.get(limit.after, NOTHING),
            gate=_GATE(power=power, place=limit.gate) if limit.gate else NOTHING,
            conditions=_WHILE(power=power, conditions=has) if has else NOTHING,
        )

    def _places(self, rules: "Rules", position: Position, limit: Restriction) -> Sentence:
        """Return the spaces and ways of a restriction as a part of its sentence; empty if it has none."""
        board = rules.board_at(position)
        spaces: Either | Sentence = Either(board.spaces[code].name for code in limit.into if code in board.spaces)
        if not spaces and limit.where != "anywhere":
            spaces = IN_WORDS[limit.where]
        if limit.between:
            ways = [_BETWEEN(one=one, other=other) for one, other in limit.between]
            return _THERE(places=Either([*([_INTO_THERE(spaces=spaces)] if spaces else []), *ways]))
        return _INTO(spaces=spaces) if spaces else NOTHING

    # Leave

    def _gates(self, position: Position, power: Power) -> bool:
        """Return whether a power holds a gate for which it may give leave now."""
        now = position.phase
        if now.kind is not PhaseKind.MOVEMENT:
            return False
        return any(
            limit.leave and limit.in_time(now) and self._holder(position, limit) == power for limit in self.restrictions
        )

    def complete_declaration(self, rules: "Rules", position: Position, power: Power, declaration: Declare) -> Declare:
        """Return the declaration of leave for another power; raise `IllegalOrder` if it cannot be given."""
        if not self._gates(position, power):
            raise IllegalOrder(_NO_GATE(power=power, phase=position.phase))
        to = rules.power(declaration.text)
        if to == power:
            raise IllegalOrder(_OWN_LEAVE(power=power))
        return Declare(WORD, to)

    def offers(self, rules: "Rules", position: Position, power: Power) -> tuple[Declare, ...]:
        """Return leave for each other surviving power."""
        if not self._gates(position, power):
            return ()
        others = (other for other in rules.names if other != power and position.survives(other))
        return tuple(Declare(WORD, other) for other in others)

    def why_not_carried_out(
        self, rules: "Rules", position: Position, declared: Declared, unit: Unit, order: Order
    ) -> str:
        """Return why an order is not carried out: leave is missing, or the way takes longer; empty if it is."""
        for limit in self._find_forbidding(rules, position, unit, order):
            holder = self._holder(position, limit)
            given = declared.get(holder, ()) if holder and limit.leave else ()
            if Declare(WORD, unit.power) not in given:
                return _NO_LEAVE(power=holder) if holder else _NO_LEAVE_OF_ANY()
        if isinstance(order, Move):
            turns, takes = self._turns(position, unit, order), self._takes(rules, position, unit, order)
            return _UNDER_WAY(number=turns, turns=count_things(takes, "turn")) if turns < takes else ""
        return ""

    # Ways that take longer

    def _takes(self, rules: "Rules", position: Position, unit: Unit, order: Move) -> int:
        """Return the number of movements that a move takes."""
        board, slow = rules.board_at(position), (limit for limit in self.restrictions if limit.turns)
        about = (limit for limit in slow if limit.about(board, position, unit, order))
        return max(
            (one.turns for one in about if not find_lacking(rules, position, unit.power, one.conditions)), default=1
        )

    def _turns(self, position: Position, unit: Unit, order: Move) -> int:
        """Return the number of movement phases that a unit has been on its way, this one included."""
        going = self.lately(position).going.get(unit.space)
        return going.turns + 1 if going and going.to == order.to.space else 1

    def after_orders(self, rules: "Rules", adjudication: Adjudication) -> Effects:
        """Record the leave that was given, the units that moved, and those on their way."""
        before, position = adjudication.before, adjudication.position
        if before.phase.kind is not PhaseKind.MOVEMENT:
            return Effects(position)
        events = [
            Event(LEAVE_GIVEN, _LEAVE_GIVEN(power=power, other=one.text), (power, Power(one.text)))
            for power in rules.names
            for one in dict.fromkeys(adjudication.declared.get(power, ()))
            if one.word == WORD
        ]
        moved, going = set[Code](), dict[Code, OnItsWay]()
        for outcome in adjudication.outcomes:
            unit, order = outcome.unit, outcome.order
            if outcome.result is Result.MOVES and isinstance(order, Move):
                moved.add(order.to.space)
            elif unit and isinstance(order, Move) and not outcome.dislodged_by and outcome.result is Result.VOID:
                takes, turns = self._takes(rules, before, unit, order), self._turns(before, unit, order)
                why_not = self.why_not_carried_out(rules, before, adjudication.declared, unit, order)
                if turns < takes and outcome.cause.detail == why_not:
                    going[unit.space] = OnItsWay(order.to.space, turns)
                    name = rules.board_at(before).spaces[order.to.space].name
                    why = _UNIT_UNDER_WAY(unit=unit, place=name, number=turns, turns=count_things(takes, "turn"))
                    where = (unit.space, order.to.space)
                    events.append(Event(UNIT_ON_ITS_WAY, why, (unit.power,), where, (unit,), (), (turns, takes)))
        now = Lately(frozenset(moved), going)
        if now == self.lately(position) and not events:
            return Effects(position)
        return Effects(position.with_slot(self.name, now), tuple(events))

    # Visibility

    def slot_seen(self, rules: "Rules", slot: Slot, who: Power | None) -> Slot | None:
        """Return the whole slot; None in fog, as it would reveal where units stand."""
        return None if rules.in_fog else slot

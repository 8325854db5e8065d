"""Order quota: a power gives only so many orders in a phase or a year; every other unit holds."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, ClassVar, Literal

from plenipo.engine import budgets
from plenipo.engine.calendar import PhaseKind
from plenipo.engine.facts import Fact
from plenipo.engine.hooks import ORDER_WORDS, Adjudication, Budget, Effects, RuleModule
from plenipo.engine.module_memory import ModuleMemory
from plenipo.engine.position import Position, Power, Slot
from plenipo.engine.sentences import say
from plenipo.engine.wording import hint
from plenipo.errors import InvalidVariant

if TYPE_CHECKING:
    from collections.abc import Iterable

    from plenipo.engine.rules import Rules

__all__ = ["OrderQuota", "Used"]


@dataclass(frozen=True)
class Used(ModuleMemory):
    """The number of orders that each power has used of its quota, and the year."""

    year: int = 0
    orders: Mapping[Power, int] = field(default_factory=dict)


@dataclass(frozen=True)
class OrderQuota(RuleModule):
    """The options.

    In each `phase`, or `year`, a power gives at most so many orders as `most` says, or `of` says of it, in movement
    phases. Only the orders named in `counted` count; a hold never does.
    """

    name: ClassVar[str] = "order_quota"
    memory: ClassVar[type[ModuleMemory]] = Used
    claims: ClassVar[frozenset[str]] = frozenset({"how many orders are given"})
    fixed: ClassVar[frozenset[str]] = frozenset({"of"})

    most: int = 3
    of: Mapping[Power, int] = field(default_factory=dict)
    per: Literal["phase", "year"] = "phase"
    counted: tuple[str, ...] = ("move", "support", "convoy")

    def facts(self, rules: "Rules") -> "Iterable[Fact]":
        """Return no facts; raise `InvalidVariant` for a quota below 1, and for an empty or unknown `counted`."""
        for key, number in {"most": self.most, **{f"of.{power}": number for power, number in self.of.items()}}.items():
            if number < 1:
                raise InvalidVariant(
                    say("'{name}.{key}' is {number}; it must be 1 or more.", name=self.name, key=key, number=number)
                )
        known = list(ORDER_WORDS[1:4])
        for word in self.counted:
            if word not in known:
                raise InvalidVariant(
                    say(
                        "'{name}.counted' names '{word}'; {hint}",
                        name=self.name,
                        word=word,
                        hint=hint(word, dict.fromkeys(known)),
                    )
                )
        if not self.counted:
            raise InvalidVariant(say("'{name}.counted' is empty: no order would ever count.", name=self.name))
        return ()

    def used_orders(self, position: Position) -> Mapping[Power, int]:
        """Return the number of orders used of this year's quota, by power."""
        slot = position.slots.get(self.name)
        return slot.orders if isinstance(slot, Used) and slot.year == position.phase.year else {}

    def budget(self, rules: "Rules", position: Position, power: Power) -> Budget | None:
        """Return the orders left in the quota of a power, each order counting 1; None outside movement phases."""
        if position.phase.kind is not PhaseKind.MOVEMENT:
            return None
        most = self.of.get(power, self.most)
        return Budget(dict.fromkeys(self.counted, 1), most - self.used_orders(position).get(power, 0), "order")

    def after_orders(self, rules: "Rules", adjudication: Adjudication) -> Effects:
        """Record the orders that each power has used of its quota for the year."""
        before, position = adjudication.before, adjudication.position
        if self.per == "phase" or before.phase.kind is not PhaseKind.MOVEMENT:
            return Effects(position)
        used = dict(self.used_orders(before))
        for power, orders in budgets.paid_for(adjudication.outcomes).items():
            budget = self.budget(rules, before, power)
            used[power] = used.get(power, 0) + (budgets.sum_costs(budget, orders) if budget else 0)
        return Effects(position.with_slot(self.name, Used(before.phase.year, used)))

    def slot_seen(self, rules: "Rules", slot: Slot, who: Power | None) -> Slot | None:
        """Return the slot; in fog only the number of `who`, as the orders of others are public elsewhere."""
        if not rules.in_fog or not isinstance(slot, Used):
            return slot
        return Used(slot.year, {power: number for power, number in slot.orders.items() if power == who})

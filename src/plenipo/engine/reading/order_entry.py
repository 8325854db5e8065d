"""The entry of an order set: giving, replacing and withdrawing orders, each checked as it is given.

`OrderEntry` takes the orders of one power in one position. An order set is a tuple of completed orders; every change
returns another one.
There is at most one order for a unit, a building site or a label; a later one replaces an earlier one.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property, reduce

from plenipo.engine.budgets import PowerBudgets
from plenipo.engine.calendar import PhaseKind
from plenipo.engine.hooks import RuleModule
from plenipo.engine.orders import NOTICES, Build, Choose, Declare, Enter, Order, Promise, Remove, Waive
from plenipo.engine.phases import adjustments
from plenipo.engine.phases.choosing import standing
from plenipo.engine.phases.commands import list_served_powers
from plenipo.engine.phases.legality import Legality
from plenipo.engine.position import Position, Power, Unit
from plenipo.engine.reading import reading_sentences as say
from plenipo.engine.reading.ambiguity import resolve_ambiguity
from plenipo.engine.reading.notation import Notation, OrderSetLine, notation_of
from plenipo.engine.reading.vocabulary import Vocabulary
from plenipo.engine.rules import Rules
from plenipo.engine.sentences import NOTHING, Either, Quoted, Series, join_sentences
from plenipo.errors import AmbiguousOrder, IllegalOrder, PlenipoError

__all__ = ["ALL", "EntryResult", "OrderEntry", "unit_of"]

ALL = "*"
"""The text that withdraws a whole order set."""

MOST_PROMISES = 100
"""The greatest number of promises in an order set."""

Orders = tuple[Order, ...]


@dataclass(frozen=True)
class EntryResult:
    """The result of a text: the order set after it, the orders it gave, and those they replaced."""

    order_set: Orders
    orders: Orders = ()
    replaced: Orders = ()


@dataclass(frozen=True)
class OrderEntry:
    """The entry of orders for `power` in `position`.

    With `assigned` orders are listed under the powers whose units they are for, as in `Legality`. A
    `vocabulary` has names and words that are understood in addition to the English ones.
    """

    rules: Rules
    position: Position
    power: Power
    assigned: bool = False
    vocabulary: Vocabulary | None = None
    legality: Legality = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "legality", Legality(self.rules, self.position, assigned=self.assigned))

    @property
    def kind(self) -> PhaseKind:
        """The kind of the current phase."""
        return self.position.phase.kind

    @property
    def notation(self) -> Notation:
        """The reader of orders on the current board."""
        return notation_of(self.rules, self.position, self.vocabulary)

    @cached_property
    def due(self) -> int:
        """The number of orders that an adjustment phase has room for; 0 in any other phase."""
        if self.kind is not PhaseKind.ADJUSTMENTS:
            return 0
        return sum(abs(adjustments.possible(self.rules, self.position, power)) for power in self._powers)

    @cached_property
    def _powers(self) -> tuple[Power, ...]:
        """The powers whose builds and removals are written here."""
        return list_served_powers(self.rules, self.position, self.power) if self.rules.commanded else (self.power,)

    # Giving

    def read(self, text: str, order_set: Orders = ()) -> Orders:
        """Return the completed orders of a text, one or several; ambiguities are resolved with the help of `order_set`.

        Raises `InvalidOrder` for a text that cannot be read, `IllegalOrder` for an order that is not allowed.
        """
        return tuple(self._complete_line(line, order_set) for line in self._lines(text))

    def _lines(self, text: str) -> tuple[OrderSetLine, ...]:
        return self.notation.order_set(text, self.kind).lines

    def _complete_line(self, line: OrderSetLine, order_set: Orders) -> Order:
        if line.power not in (None, self.power):
            raise IllegalOrder(say.FOR_OTHER_POWER(order=Quoted(line.text), power=line.power, own=self.power))
        order = line.order
        if isinstance(line.fault, AmbiguousOrder):
            others = {self.power: order_set}
            order = resolve_ambiguity(
                self.rules, self.notation, self.position, self.power, line.text, line.fault, others
            )
        if order is None:
            raise line.fault or IllegalOrder(say.NOT_AN_ORDER(piece=Quoted(line.text)))
        return self.legality.complete(self.power, order)

    def give(self, order_set: Orders, text: str) -> EntryResult:
        """Return the order set with the orders of `text`.

        Raises as `read` does, and `IllegalOrder` if there is no room.
        """
        return self._give_orders(order_set, self.read(text, order_set))

    def give_each(self, order_set: Orders, text: str) -> Iterator[EntryResult | PlenipoError]:
        """Yield the result of each order of `text`, one after the other; a refused one changes nothing."""
        for line in self._lines(text):
            try:
                result = self._give_orders(order_set, (self._complete_line(line, order_set),))
            except PlenipoError as fault:
                yield fault
            else:
                order_set = result.order_set
                yield result

    def read_preferences(self, texts: Iterable[str]) -> Orders:
        """Return the order set that texts give, each one order, in the order of preference.

        If two orders are for one unit or one place, the first legal one counts; illegal orders are left out.
        """
        orders: Orders = ()
        for text in texts:
            try:
                change = self.give(orders, text)
            except PlenipoError:
                continue  # it was for another fate of the unit, or for no unit there is
            if not change.replaced:
                orders = change.order_set
        return orders

    def _give_orders(self, before: Orders, orders: Orders) -> EntryResult:
        order_set = before
        for order in orders:
            order_set = self._with(order_set, order)
        return EntryResult(order_set, orders, tuple(order for order in before if order not in order_set))

    def _with(self, order_set: Orders, order: Order) -> Orders:
        if order in order_set:
            return order_set
        if isinstance(order, Choose):
            others = tuple(other for other in order_set if not isinstance(other, Choose))
            choices = [other for other in order_set if isinstance(other, Choose)]
            return (*others, *standing(self.legality, self.power, [*choices, order]))
        if isinstance(order, Promise) and sum(isinstance(other, Promise) for other in order_set) >= MOST_PROMISES:
            raise IllegalOrder(say.TOO_MANY_PROMISES(order=order, number=MOST_PROMISES))
        key = _key(order)
        order_set = tuple(order if key is not None and _key(other) == key else other for other in order_set)
        if order not in order_set:
            order_set = (*order_set, order)
        if self.due and self._too_much(order_set):
            raise IllegalOrder(say.TOO_MUCH(order=order, power=self.power, number=self.due))
        if self.rules.overriding[RuleModule.budget] and not isinstance(order, NOTICES):
            account = PowerBudgets(self.rules, self.position, self.power)
            unpaid = [why for other in order_set if not isinstance(other, NOTICES) and (why := account.pay(other))]
            if unpaid:
                raise IllegalOrder(unpaid[0])
        return order_set

    def _count_used(self, order_set: Iterable[Order]) -> int:
        """Return how many builds or removals these orders use."""
        counted = [order for order in order_set if isinstance(order, Build | Remove)]
        kinds = [order.unit.kind for order in counted if order.unit.kind]
        return self.legality.board.upkeep(kinds) + sum(order.count for order in order_set if isinstance(order, Waive))

    def _too_much(self, order_set: Sequence[Order]) -> bool:
        """Return whether an order set has more orders than are due: of removals, one that is not required."""
        used = self._count_used(order_set)
        removals = [self._count_used((order,)) for order in order_set if isinstance(order, Remove)]
        return used > self.due and not (removals and used - min(removals) < self.due)

    def words(self, order: Order) -> tuple[bool, str]:
        """Return whether an accepted notice is understood, and a sentence for its author, possibly empty."""
        if not isinstance(order, NOTICES):
            return True, ""
        modules = self.rules.overriding[RuleModule.notice_words]
        words = [module.notice_words(self.rules, self.position, self.power, order) for module in modules]
        said = [one for one in words if one is not None]
        return all(understood for understood, _ in said), reduce(
            join_sentences, (sentence for _, sentence in said), NOTHING
        )

    # Taking back

    def clear(self, order_set: Orders, text: str) -> Orders:
        """Return the order set without the orders that `text` names: an order, a unit, or everything with `ALL`."""
        wanted = " ".join(text.split())
        if wanted == ALL:
            return ()
        left = tuple(order for order in order_set if str(order).casefold() != wanted.casefold())
        if left != order_set:
            return left
        try:
            space = self.notation.unit(wanted).location.space
        except PlenipoError:
            return order_set
        return tuple(order for order in order_set if _space(order) != space)

    # Remaining orders

    @cached_property
    def units(self) -> tuple[Unit, ...]:
        """The units that need an order each; none in phases where orders are not for units."""
        if self.kind not in (PhaseKind.MOVEMENT, PhaseKind.RETREATS):
            return ()
        return self.legality.orders_of(self.power).units

    def missing(self, order_set: Sequence[Order]) -> tuple[Unit, ...]:
        """Return the units that have no order yet."""
        ordered = {_space(order) for order in order_set}
        return tuple(unit for unit in self.units if unit.location.space not in ordered)

    @property
    def task(self) -> str:
        """The task of the power in any phase but a movement, in a few words; empty if there is none."""
        position, power = self.position, self.power
        due = adjustments.possible(self.rules, position, power) if self.kind is PhaseKind.ADJUSTMENTS else 0
        if due:
            if due < 0:
                return say.MUST_REMOVE(number=-due)
            return say.MAY_BUILD(number=due, sites=Series(adjustments.build_sites(self.rules, position, power)))
        if choices := Either(choice.unit for choice in self.legality.choices(power)):
            return say.MAY_CHOOSE_TASK(choices=choices) if len(choices) > 1 else say.HAS_CHOICE(choice=choices[0])
        gone = tuple(dislodged.unit for dislodged in position.dislodged if dislodged.unit.power == power)
        return say.MUST_RETREAT(units=gone) if gone else ""

    def describe_missing(self, order_set: Sequence[Order]) -> str:
        """Return a sentence about the default for missing orders; empty if none are missing."""
        if self.kind is PhaseKind.ADJUSTMENTS:
            number = self.due - self._count_used(order_set)
            if number <= 0:
                return ""
            builds = adjustments.possible(self.rules, self.position, self.power) > 0
            return (say.BUILDS_WAIVED if builds else say.UNITS_REMOVED)(number=number)
        idle = self.missing(order_set)
        if not idle:
            return ""
        return (say.WILL_BE_DISBANDED if self.kind is PhaseKind.RETREATS else say.WILL_HOLD)(units=idle)


def unit_of(order: Order) -> str:
    """Return the unit an order is for, as it is written; empty for orders without a unit."""
    return "" if isinstance(order, Waive | Choose | Enter | Promise | Declare) else str(order.unit)


def _space(order: Order) -> str:
    return "" if isinstance(order, Waive | Enter | Promise | Declare) else order.unit.location.space


def _key(order: Order) -> tuple[str, str] | None:
    """Return the key that no two orders of an order set share; None for promises, which are unlimited."""
    match order:
        case Promise():
            return None
        case Enter(label=label):
            return ("draw", label.casefold())
        case Declare():
            return ("declared", str(order))
        case Waive():
            return ("waive", "")
        case Choose(unit=ref):
            return ("choice", str(ref))
    return ("space", order.unit.location.space)

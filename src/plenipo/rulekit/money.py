"""Money: an income for centres, spaces and years, which pays for units, orders and gifts.

Every power has a treasury of whole coins. When ownership is settled, it receives its income and pays the upkeep of its
units. Orders that have a price are paid in the order in which they were given, and an order that cannot be paid does
not count. A gift is submitted with the orders of a movement phase: `GIVE France 3`.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, ClassVar, Literal

from plenipo.engine import budgets
from plenipo.engine.board import Code
from plenipo.engine.calendar import Phase, PhaseKind
from plenipo.engine.dice import Draw, DrawSource
from plenipo.engine.events import Event, EventKind
from plenipo.engine.hooks import ORDER_WORDS, Adjudication, Budget, Effects, Entitlement, Prospect
from plenipo.engine.orders import Declare
from plenipo.engine.outcome import Cause, Outcome, Reason, Result
from plenipo.engine.place_rules import PlaceRule, between, name_of
from plenipo.engine.position import Position, Power, Slot
from plenipo.engine.sentences import SentenceKind, say
from plenipo.engine.wording import count, hint
from plenipo.errors import IllegalOrder, InvalidVariant
from plenipo.rulekit.rule_entries import RuleEntry
from plenipo.rulekit.treasury import MONEY_PAID, Balances, Treasury

if TYPE_CHECKING:
    from plenipo.engine.rules import Rules

__all__ = ["UNITS_UNPAID", "Money", "Toll"]

UNITS_UNPAID = EventKind("units_unpaid")
"""The power could not pay for so many units."""

_GIFT = re.compile(r"(?P<to>.+?)\s+(?P<sum>\d{1,9})|(?P<first>\d{1,9})\s+(?:\w+\s+)?to\s+(?P<whom>.+)", re.IGNORECASE)

_OFFERED = (1, 2, 5)
"""The sums of gifts that are listed, in addition to the whole balance."""

_CANNOT_PAY = SentenceKind("units-unpaid", "{power} cannot pay for {number} of its units.")
_FOR_UNITS = SentenceKind("for-units", "for its units")()
_FOR_BUILDS = SentenceKind("for-builds", "for builds")()
_FOR_ORDERS = SentenceKind("for-orders", "for its orders")()
_NO_GIFTS = SentenceKind("gifts-none", "nobody gives {coins} to others in this game.")
_GIFTS_NOT_NOW = SentenceKind(
    "gifts-not-now", "gifts are submitted with the orders of a movement, and this is {phase}."
)
_NOT_TO_ITSELF = SentenceKind("gift-to-itself", "{power} cannot give anything to itself.")
_GIFT_OF_NOTHING = SentenceKind("gift-of-nothing", "a gift of 0 gives nothing; write a number above 0.")
_HAS_TO_GIVE = SentenceKind("gift-too-much", "{power} has {sum} to give.")
_HAS_NOTHING_TO_GIVE = SentenceKind("gift-without-money", "{power} has nothing to give.")
_GAVE = SentenceKind("gave", "{power} gave {to} {sum}.")
_GAVE_PART = SentenceKind("gave-part", "{power} gave {to} {sum}: of {promised} it had {has}.")
_GAVE_AND_OWES = SentenceKind("gave-and-owes", "{power} gave {to} {sum} and owes the rest: of {promised} it had {has}.")
_GAVE_NOTHING = SentenceKind("gave-nothing", "{power} gave {to} nothing: of {promised} it had {has}.")
_NONE = SentenceKind("number-none", "none", note="Instead of a number: 'it had none'.")
_NO_GIFT = SentenceKind("gift-unread", "'{text}' does not read like a gift; write 'GIVE France 3', in whole numbers.")


@dataclass(frozen=True)
class Toll:
    """The additional `cost` of a move along the way `between` two spaces."""

    __pydantic_config__: ClassVar[dict[str, Any]] = {"extra": "forbid"}  # a misspelt key is reported, not passed over

    between: tuple[Code, Code]
    cost: int


@dataclass(frozen=True)
class Money(Treasury):
    """The options.

    `coin` is the currency unit. A power begins with `start`, or its entry in `start_of`. Its income is `each` for a
    centre, or the centre's entry in `spaces`; a space there without a centre pays the power with a unit in it. It also
    gets `yearly`;
    only in the `seasons` named, if any are. `upkeep` is paid for each unit when ownership is settled; one that cannot
    be paid must be removed (`disband`), or stays and costs what is there (`kept`). A unit costs `build`, or what
    `builds` says of its kind; with `bought` centres do not limit how many there are. `orders` are the costs of other
    orders by their words, `tolls` the extra costs of moves across single borders. With `gifts`, powers may give coins
    to others; a gift above the balance transfers the balance (`part`), `nothing`, or the rest later (`owed`). With
    `secret`, powers do not see each other's balances. With `lapses`, the balance is lost when income is paid.
    """

    name: ClassVar[str] = "money"
    claims: ClassVar[frozenset[str]] = frozenset({"points"})
    words: ClassVar[frozenset[str]] = frozenset({"GIVE"})
    fixed: ClassVar[frozenset[str]] = frozenset({"coin", "start_of", "spaces", "builds", "orders", "tolls"})

    coin: str = "crown"
    start: int = 0
    start_of: Mapping[Power, int] = field(default_factory=dict)
    each: int = 1
    spaces: Mapping[Code, int] = field(default_factory=dict)
    yearly: int = 0
    seasons: tuple[str, ...] = ()
    upkeep: int = 0
    unpaid: Literal["disband", "kept"] = "disband"
    build: int = 0
    builds: Mapping[str, int] = field(default_factory=dict)
    bought: bool = False
    orders: Mapping[str, int] = field(default_factory=dict)
    tolls: tuple[Toll, ...] = ()
    gifts: bool = True
    short: Literal["part", "nothing", "owed"] = "part"
    secret: bool = False
    lapses: bool = False

    @property
    def noun(self) -> str:
        """The name of one coin."""
        return self.coin

    def place_rules(self, rules: "Rules") -> Iterator[PlaceRule]:
        """Describe tolls, and the income of single spaces."""
        for toll in self.tolls:
            words = f"A move {between(rules, *toll.between)} costs {count(toll.cost, self.coin)}"
            yield PlaceRule("toll", toll.between, words, str(toll.cost))
        for code, sum_of in self.spaces.items():
            yield PlaceRule("income", (code,), f"{name_of(rules, code)} pays {count(sum_of, self.coin)}", str(sum_of))

    def check(self, rules: "Rules") -> None:
        """Raise `InvalidVariant` for unknown names, negative sums, and prices that no power can pay."""
        sums = {key: getattr(self, key) for key in ("start", "each", "yearly", "upkeep", "build")}
        for table in ("start_of", "spaces", "builds", "orders"):
            sums |= {f"{table}.{key}": amount for key, amount in getattr(self, table).items()}
        for key, amount in sums.items():
            if amount < 0:
                raise InvalidVariant(
                    say(
                        "'{name}.{key}' is {amount}; a sum of money must be 0 or more.",
                        name=self.name,
                        key=key,
                        amount=amount,
                    )
                )
        at = RuleEntry(rules, f"'{self.name}'", ("modules", self.name))
        at.spaces(spaces=self.spaces)
        for number, toll in enumerate(self.tolls):
            toll_at = RuleEntry(rules, f"A toll of '{self.name}'", (*at.path, "tolls", number))
            toll_at.ways(between=(toll.between,))
            toll_at.least(1, cost=toll.cost)
        at.kinds(builds=self.builds)
        for word in self.orders:
            first, _, kind = word.partition(" ")
            if first not in ORDER_WORDS or first == "build" or (kind and kind not in rules.board.kinds):
                known = hint(first, dict.fromkeys(ORDER_WORDS))
                raise InvalidVariant(
                    say(
                        "'{name}.orders' names '{word}', which is no order; {known}",
                        name=self.name,
                        word=word,
                        known=known,
                    )
                )
        at.seasons(PhaseKind.OWNERSHIP, seasons=self.seasons)
        earned = self.each or self.yearly or self.start or any(self.spaces.values()) or any(self.start_of.values())
        if not earned:
            raise InvalidVariant(
                say("'{name}' gives no power anything: 'each', 'yearly' and 'start' are 0.", name=self.name)
            )

    def opening(self, rules: "Rules", position: Position) -> Position:
        """Return the position with the treasury of each power at the start."""
        return self.with_ledger(
            position, Balances({power: self.start_of.get(power, self.start) for power in rules.names})
        )

    # Income and upkeep

    def income(self, position: Position, power: Power) -> int:
        """Return the income of `power` when ownership is settled."""
        owned = position.centres_of(power)
        standing = [unit.space for unit in position.units_of(power) if unit.space in self.spaces]
        free = [code for code in standing if code not in position.owners]
        return self.yearly + sum(self.spaces.get(code, self.each) for code in owned) + sum(map(self.spaces.get, free))  # type: ignore[arg-type]  # all are in the table

    def after_ownership(self, rules: "Rules", position: Position, phase: Phase) -> Effects:
        """Add the income, and pay first debts and then upkeep out of it."""
        events: tuple[Event, ...] = ()
        if not self.seasons or phase.season in self.seasons:
            if self.lapses:
                left = {power: -has for power, has in self.balances(position).items()}
                position, events, _ = self.receive_income(position, left)
            alive = [power for power in rules.names if position.survives(power)]
            income = {power: self.income(position, power) for power in alive}
            position, of_income, _ = self.receive_income(position, income)
            events += of_income
        balances, unpaid = self.ledger(position), dict[Power, int]()
        for power in rules.names if self.upkeep else ():
            units, has = len(position.units_of(power)), balances.points.get(power, 0)
            kept = min(units, has // self.upkeep)
            cost = kept * self.upkeep
            if kept < units:
                cost = has if self.unpaid == "kept" else cost
                unpaid |= {power: units - kept} if self.unpaid == "disband" else {}
                why = _CANNOT_PAY(power=power, number=units - kept)
                events = (*events, Event(UNITS_UNPAID, why, (power,), numbers=(units - kept,)))
            if cost:
                balances, event = self.pay_cost(balances, power, cost, _FOR_UNITS)
                events = (*events, event)
        return Effects(self.with_ledger(position, replace(balances, unpaid=unpaid)), events)

    def after_phase(self, rules: "Rules", position: Position, phase: Phase, source: DrawSource) -> Effects:
        """Clear the unpaid units after adjustments."""
        balances = self.ledger(position)
        if phase.kind is PhaseKind.ADJUSTMENTS and balances.unpaid:
            position = self.with_ledger(position, replace(balances, unpaid={}))
        return Effects(position)

    # Builds and orders

    def entitlement(self, rules: "Rules", position: Position, power: Power, entitlement: Entitlement) -> Entitlement:
        """Limit the entitlement to the units that can be paid; with `bought`, centres do not limit it."""
        if power in rules.unplayed_powers:
            return entitlement
        balances, units = self.ledger(position), len(position.units_of(power))
        cheapest = min(
            [
                self.builds.get(kind, self.build)
                for kind, traits in rules.board_at(position).traits.items()
                if traits.built
            ]
        )
        has = balances.points.get(power, 0)
        room = has // cheapest if cheapest else max(0, entitlement.builds - units)
        keeps = units - balances.unpaid.get(power, 0)
        if not self.bought:
            room, keeps = min(room, max(0, entitlement.builds - units)), min(keeps, entitlement.keeps)
        return Entitlement(units + room if keeps >= units else keeps, keeps)

    def budget(self, rules: "Rules", position: Position, power: Power) -> Budget | None:
        """Return the prices of orders and the balance of a power; None if no order has a price."""
        costs = {"build": self.build, **{f"build {kind}": cost for kind, cost in self.builds.items()}, **self.orders}
        if not any(costs.values()) and not self.tolls:
            return None
        tolls = {frozenset(toll.between): toll.cost for toll in self.tolls}
        return Budget(costs, self.balances(position).get(power, 0), self.coin, tolls)

    def after_orders(self, rules: "Rules", adjudication: Adjudication) -> Effects:
        """Pay the orders, and then the gifts."""
        before, position = adjudication.before, adjudication.position
        balances, events, results = self.ledger(position), list[Event](), list[Outcome]()
        for power, orders in budgets.paid_for(adjudication.outcomes).items():
            budget = self.budget(rules, before, power)
            cost = budgets.sum_costs(budget, orders) if budget else 0
            if cost:
                what = _FOR_BUILDS if before.phase.kind is PhaseKind.ADJUSTMENTS else _FOR_ORDERS
                balances, event = self.pay_cost(balances, power, cost, what)
                events.append(event)
        for power in rules.names:
            for gift in adjudication.declared.get(power, ()):
                if gift.word == "GIVE":
                    balances, outcome = self._make_gift(rules, power, gift, balances)
                    results.append(outcome)
        return Effects(self.with_ledger(position, balances), tuple(events), tuple(results))

    # Gifts

    def complete_declaration(self, rules: "Rules", position: Position, power: Power, declaration: Declare) -> Declare:
        """Return the declaration of a gift; raise `IllegalOrder` if the power cannot make it."""
        if not self.gifts:
            raise IllegalOrder(_NO_GIFTS(coins=f"{self.coin}s"))
        if position.phase.kind is not PhaseKind.MOVEMENT:
            raise IllegalOrder(_GIFTS_NOT_NOW(phase=position.phase))
        to, number = _gift(rules, declaration)
        has = self.balances(position).get(power, 0)
        if to == power:
            raise IllegalOrder(_NOT_TO_ITSELF(power=power))
        if not number:
            raise IllegalOrder(_GIFT_OF_NOTHING())
        if number > has and self.short == "nothing":
            little = _HAS_TO_GIVE(power=power, sum=self.format_sum(has)) if has else _HAS_NOTHING_TO_GIVE(power=power)
            raise IllegalOrder(little)
        return Declare("GIVE", f"{to} {number}")

    def offers(self, rules: "Rules", position: Position, power: Power) -> tuple[Declare, ...]:
        """Return gifts of some sums for every other surviving power."""
        has = self.balances(position).get(power, 0)
        if not self.gifts or not has or position.phase.kind is not PhaseKind.MOVEMENT:
            return ()
        sums = sorted({number for number in (*_OFFERED, has) if number <= has})
        others = [other for other in rules.names if other != power and position.survives(other)]
        return tuple(Declare("GIVE", f"{other} {number}") for other in others for number in sums)

    def prospect(self, rules: "Rules", position: Position, power: Power, declaration: Declare) -> Prospect:
        """Return the position in which a gift was paid."""
        balances, _ = self._make_gift(rules, power, declaration, self.ledger(position))
        return Prospect(self.with_ledger(position, balances))

    def _make_gift(self, rules: "Rules", power: Power, gift: Declare, balances: Balances) -> tuple[Balances, Outcome]:
        to, number = _gift(rules, gift)
        has = balances.points.get(power, 0)
        sums, result, reason = number, Result.PAID, Reason.KEPT
        why = _GAVE(power=power, to=to, sum=self.format_sum(number))
        if has < number:
            sums, result, reason = has if self.short != "nothing" else 0, Result.UNPAID, Reason.NO_POINTS
            parts = {"power": power, "to": to, "promised": self.format_sum(number), "has": has or _NONE()}
            kind = _GAVE_AND_OWES if self.short == "owed" else _GAVE_PART
            why = kind(sum=self.format_sum(sums), **parts) if sums or self.short == "owed" else _GAVE_NOTHING(**parts)
        balances = balances.pay(power, to, number if self.short == "owed" else sums)
        return balances, Outcome(power, None, gift, result, Cause(reason), why)

    # Visibility

    def secrets(self) -> frozenset[str] | None:
        """Return the word of gifts where treasuries are secret; None where they are public."""
        return self.words if self.secret else None

    def _is_hidden(self, rules: "Rules") -> bool:
        """Return True if treasuries are secret: by the option, or because they would reveal what lies in fog."""
        return self.secret or rules.in_fog

    def slot_seen(self, rules: "Rules", slot: Slot, who: Power | None) -> Slot | None:
        """Return the whole slot; where treasuries are secret, the treasury and debts of `who` alone."""
        if not self._is_hidden(rules) or not isinstance(slot, Balances):
            return slot
        debts = tuple(debt for debt in slot.debts if who in (debt.debtor, debt.creditor))
        points, unpaid = (
            {power: number for power, number in table.items() if power == who} for table in (slot.points, slot.unpaid)
        )
        return Balances(points, debts, unpaid)

    def tells(self, rules: "Rules", position: Position, who: Power | None, told: Event | Outcome | Draw) -> bool:
        """Return True if `who` sees an event, outcome or draw.

        Where treasuries are secret, a payment is shown only to the powers that pay or are paid.
        """
        if not self._is_hidden(rules) or isinstance(told, Draw):
            return True
        if isinstance(told, Event):
            return told.kind not in _OF_PURSES or who in told.powers
        if isinstance(told.order, Declare) and told.order.word == "GIVE":
            return who in (told.power, _gift(rules, told.order)[0])
        return True


_OF_PURSES = ("points_received", "debt_paid", MONEY_PAID, UNITS_UNPAID)


def _gift(rules: "Rules", gift: Declare) -> tuple[Power, int]:
    """Return the recipient and the sum of a gift; raise `IllegalOrder` or `UnknownName`."""
    found = _GIFT.fullmatch(gift.text)
    if found is None:
        raise IllegalOrder(_NO_GIFT(text=gift))
    return rules.power(found["to"] or found["whom"]), int(found["sum"] or found["first"])

"""Bids: secret sums for the offers of an auction, opened together when the orders are carried out.

`BID SPA 3` is submitted with the orders of a movement, or in a phase of its own. The highest bid for a lot gets it: for
a turn the command of the unit that nobody plays in that space, the centre itself, if nobody owns it, or until the next
bids the command of a whole power that nobody plays: `BID Germany 5`. Or the units of any power are bribed: with
`BID A MUN - BUR 3` the bids of all powers for the same order add up, and the order of the highest sum is carried out.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, ClassVar, Literal, NamedTuple

from plenipo.engine import budgets
from plenipo.engine.board import Code
from plenipo.engine.calendar import PhaseKind
from plenipo.engine.dice import Draw, DrawSource
from plenipo.engine.events import Event, EventKind
from plenipo.engine.facts import Fact
from plenipo.engine.hooks import Adjudication, Declared, Effects, Prospect, RuleModule
from plenipo.engine.immutable import freeze_sorted
from plenipo.engine.module_memory import ModuleMemory
from plenipo.engine.orders import Declare, Hold, Move, Order, Ref
from plenipo.engine.outcome import Cause, Outcome, Reason, Result
from plenipo.engine.phases.legality import Legality
from plenipo.engine.place_rules import PlaceRule, name_of
from plenipo.engine.position import Position, Power, Slot, Unit
from plenipo.engine.reading.notation import notation_of
from plenipo.engine.sentences import NOTHING, Either, SentenceKind, say
from plenipo.engine.wording import with_article
from plenipo.errors import IllegalOrder, InvalidVariant
from plenipo.rulekit.rule_entries import RuleEntry
from plenipo.rulekit.treasury import Treasury

if TYPE_CHECKING:
    from plenipo.engine.rules import Rules

__all__ = ["BID_WON", "Bids", "Hired"]

BID_WON = EventKind("bid_won")
"""The power got what was bid for in the space, for so many coins."""

_BID = re.compile(r"(?P<lot>.+?)\s+(?P<sum>\d{1,9})|(?P<first>\d{1,9})\s+(?:\w+\s+)?for\s+(?P<what>.+)", re.IGNORECASE)

_NOTHING_TO_BID_FOR = SentenceKind("bid-nothing", "there is nothing to bid for in {phase}.")
_NOT_FOR_SALE = SentenceKind("bid-not-for-sale", "'{lot}' is not for sale; bids are for {lots}.")
_OTHER_UNITS = SentenceKind("bid-other-units", "{number} other unit", "{number} other units")
_TOO_LOW = SentenceKind("bid-too-low", "'{bid}' is below the least bid, which is {least}.")
_TOO_HIGH = SentenceKind("bid-too-high", "'{bid}' is more than {power} has, which is {has}.")
_NO_BID = SentenceKind("bid-unread", "'{bid}' does not read like a bid; write 'BID {lot} 3', in whole numbers.")
_NO_SUCH_UNIT = SentenceKind("bid-no-unit", "'{text}' is for no unit that is there.")
_ORDER_BOUGHT = SentenceKind("bid-order-bought", "{powers} got '{order}' of {owner} for {sum}.")
_BID_FOR_ORDER = SentenceKind("bid-for-order", "{power} bid {sum} for '{order}'{ending}.")
_BID_FOR_LOT = SentenceKind("bid-for-lot", "{power} bid {sum} for {lot}{ending}.")
_AND_PAID = SentenceKind("bid-and-paid", " and paid them")()
_HAD_TOO_LITTLE = SentenceKind("bid-had-too-little", ", and did not have them any more")()
_WON = SentenceKind("bid-won", "{power} got {lot} for {sum}: {gain}.")


@dataclass(frozen=True)
class Hired(ModuleMemory):
    """The commanders of unplayed units: by space for the next movement, or by power."""

    by: Mapping[str, Power] = field(default_factory=dict)


class Bribe(NamedTuple):
    """A power's bid for an order of the unit in a space, whether it could pay, and whether it did."""

    power: Power
    lot: Code
    what: str
    number: int
    valid: bool
    pays: bool = False


@dataclass(frozen=True)
class Sold:
    """The bids for orders of a movement and the orders that came of them, while that is adjudicated."""

    bids: tuple[Bribe, ...]
    orders: Mapping[Code, str]

    def __post_init__(self) -> None:
        object.__setattr__(self, "orders", freeze_sorted(self.orders))

    def to_json(self) -> Any:
        """Return the bids, each as a list, and the orders by spaces."""
        return {"bids": [list(bid) for bid in self.bids], "orders": dict(self.orders)}


@dataclass(frozen=True)
class Bids(RuleModule):
    """The options.

    `spaces` are what is bid for, or `powers`, in the phases of a kind (`phase`) of the `seasons` named, or of all. The
    highest bid of at least `least` gets the `service` of the unit there for the next movement, the `centre`, or the
    `power`, all of whose units and builds it orders until there are bids for it again; among equals nobody does
    (`nobody`), or who is drawn (`lot`). The `winner` pays, or `all` who bid.
    Where they give an `order`, bids are for orders of units, of any unit where no `spaces` are named. A power bids for
    as many orders as its balance pays for, the first ones first. What its own power orders a unit counts as a bid of
    `own`, which nobody pays, and goes before among equals; it counts too where nobody bid enough. With `secret` nobody
    learns what others bid.
    """

    name: ClassVar[str] = "bids"
    memory: ClassVar[type[ModuleMemory]] = Hired
    claims: ClassVar[frozenset[str]] = frozenset({"bids"})
    spends: ClassVar[bool] = True
    words: ClassVar[frozenset[str]] = frozenset({"BID"})
    fixed: ClassVar[frozenset[str]] = frozenset({"spaces", "powers", "phase"})

    spaces: tuple[Code, ...] = ()
    powers: tuple[Power, ...] = ()
    gives: Literal["service", "centre", "power", "order"] = "service"
    phase: Literal["movement", "choice"] = "movement"
    seasons: tuple[str, ...] = ()
    least: int = 1
    equal: Literal["nobody", "lot"] = "nobody"
    pays: Literal["winner", "all"] = "winner"
    own: int = 0
    secret: bool = False

    def place_rules(self, rules: "Rules") -> Iterator[PlaceRule]:
        """Describe the spaces that are bid for."""
        for code in self.spaces:
            what = "the centre" if self.gives == "centre" else "the unit"
            yield PlaceRule("action", (code,), f"Powers bid for {what} in {name_of(rules, code)}")

    def facts(self, rules: "Rules") -> Iterable[Fact]:
        """Return no facts; raise `InvalidVariant` for lots that no power can win, or if powers have no money."""
        if rules.module(Treasury) is None:
            raise InvalidVariant(say("'{name}' needs 'money': there is nothing to bid with.", name=self.name))
        at = RuleEntry(rules, f"'{self.name}'", ("modules", self.name))
        at.least(1, least=self.least)
        at.least(0, own=self.own)
        if self.own and self.gives != "order":
            raise at.wrong(
                say("has 'own', which is what the order of a unit's own power counts; write gives = \"order\"."), "own"
            )
        if self.gives == "order" and self.phase != "movement":
            raise at.wrong(
                say(
                    "gives orders, which are carried out in movements, and is held in {phase} phases.", phase=self.phase
                ),
                "phase",
            )
        key = "powers" if self.gives == "power" else "spaces"
        if not getattr(self, key) and self.gives != "order":
            raise InvalidVariant(say("'{name}.{key}' is empty: there is nothing to bid for.", name=self.name, key=key))
        if other := {"powers": self.spaces, "spaces": self.powers}[key]:
            which = "spaces" if other is self.spaces else "powers"
            raise InvalidVariant(
                say(
                    "'{name}' gives {gives}, and has '{which}'; write '{key}'.",
                    name=self.name,
                    gives=with_article(self.gives),
                    which=which,
                    key=key,
                )
            )
        for power in self.powers:
            if power not in rules.unplayed_powers:
                raise at.wrong(
                    say(
                        "lets powers bid for {power}, which is not an unplayed power; it needs played = false.",
                        power=power,
                    ),
                    "powers",
                )
        at.spaces(spaces=self.spaces)
        for code in self.spaces:
            unit = rules.opening.unit_at(code)
            if self.gives == "service" and (unit is None or unit.power not in rules.unplayed_powers):
                raise at.wrong(
                    say("lets powers bid for {code}, where no unit of an unplayed power stands.", code=code),
                    "spaces",
                    code,
                )
        if self.gives == "centre":
            at.centres(spaces=self.spaces)
        if not rules.calendar.seasons(PhaseKind(self.phase)):
            raise at.wrong(say("is held in {phase} phases, and the calendar has none.", phase=self.phase), "phase")
        at.seasons(PhaseKind(self.phase), seasons=self.seasons)
        return ()

    def hired_commanders(self, position: Position) -> Mapping[str, Power]:
        """Return the current commanders."""
        slot = position.slots.get(self.name)
        lasts = self.gives == "power" or position.phase.kind is PhaseKind.MOVEMENT
        return slot.by if isinstance(slot, Hired) and lasts else {}

    def rulers(self, rules: "Rules", position: Position, power: Power) -> tuple[Power, ...] | None:
        """Return the power that hired a whole power."""
        if self.gives != "power" or power not in self.powers:
            return None
        by = self.hired_commanders(position).get(power)
        return () if by is None else (by,)

    def commanders(self, rules: "Rules", position: Position, unit: Unit) -> tuple[Power, ...] | None:
        """Return the power that hired an unplayed unit."""
        by = self.hired_commanders(position).get(unit.space) if self.gives == "service" else None
        return None if by is None or unit.power not in rules.unplayed_powers else (by,)

    def lots(self, rules: "Rules", position: Position) -> tuple[str, ...]:
        """Return the lots that are open for bids now."""
        phase = position.phase
        if phase.kind != self.phase or (self.seasons and phase.season not in self.seasons):
            return ()
        if self.gives == "power":
            return tuple(power for power in self.powers if position.survives(power))
        if self.gives == "centre":
            return tuple(code for code in self.spaces if code not in position.owners)
        if self.gives == "order":
            return tuple(unit.space for unit in position.units if not self.spaces or unit.space in self.spaces)
        units = ((code, position.unit_at(code)) for code in self.spaces)
        return tuple(code for code, unit in units if unit is not None and unit.power in rules.unplayed_powers)

    def complete_declaration(self, rules: "Rules", position: Position, power: Power, declaration: Declare) -> Declare:
        """Return the declaration of a bid; raise `IllegalOrder` if the power cannot make it now."""
        lots = self.lots(rules, position)
        if not lots:
            raise IllegalOrder(_NOTHING_TO_BID_FOR(phase=position.phase))
        code, what, number = self._read(rules, position, declaration)
        if code not in lots:
            few = Either(lots) if len(lots) < _FEW else _OTHER_UNITS(number=len(lots))
            raise IllegalOrder(_NOT_FOR_SALE(lot=code, lots=few))
        if number < self.least:
            raise IllegalOrder(_TOO_LOW(bid=declaration, least=self.least))
        has = self._has(rules, position, power)
        if number > has:
            raise IllegalOrder(_TOO_HIGH(bid=declaration, power=power, has=has))
        return Declare("BID", f"{what} {number}")

    def _read(self, rules: "Rules", position: Position, bid: Declare) -> tuple[str, str, int]:
        """Return the lot of a bid, the lot or order bid for in canonical words, and the sum."""
        found = _BID.fullmatch(bid.text)
        if found is None:
            first = "A PAR - BUR" if self.gives == "order" else (*self.spaces, *self.powers)[0]
            raise IllegalOrder(_NO_BID(bid=bid, lot=first))
        text, number = found["lot"] or found["what"], int(found["sum"] or found["first"])
        if self.gives == "power":
            return rules.power(text), rules.power(text), number
        if self.gives == "order":
            order = self._order(rules, position, text)
            return order.unit.location.space, str(order), number  # type: ignore[union-attr]  # orders of a movement
        code = notation_of(rules, position).location(text).space
        return code, code, number

    def _order(self, rules: "Rules", position: Position, text: str) -> Order:
        """Return the order of a unit of any power; raise `PlenipoError` if the text is no order, or not a legal one."""
        order = notation_of(rules, position).read(text, PhaseKind.MOVEMENT)
        ref = getattr(order, "unit", None)
        unit = position.unit_at(ref.location.space) if isinstance(ref, Ref) else None
        if unit is None:
            raise IllegalOrder(_NO_SUCH_UNIT(text=text))
        checked = Legality(rules, position, assigned=True).check(unit.power, order)
        if checked.order is None:
            raise IllegalOrder(checked.reason)
        return checked.order

    def _has(self, rules: "Rules", position: Position, power: Power) -> int:
        treasury = rules.module(Treasury)
        return treasury.balances(position).get(power, 0) if treasury else 0

    def offers(self, rules: "Rules", position: Position, power: Power) -> tuple[Declare, ...]:
        """Return for every lot the least bid, of the whole balance a quarter and a half, and the whole of it.

        For orders that is the least bid that another order of the unit does not exceed.
        """
        has = self._has(rules, position, power)
        sums = sorted({number for number in (self.least, has // 4, has // 2, has) if self.least <= number <= has})
        if self.gives == "order":
            least = max(self.least, self.own + 1)
            return tuple(
                Declare("BID", f"{order} {least}")
                for code in (self.lots(rules, position) if least <= has else ())
                for order in self._plain_orders(rules, position, Code(code))
            )
        return tuple(Declare("BID", f"{code} {number}") for code in self.lots(rules, position) for number in sums)

    def prospect(self, rules: "Rules", position: Position, power: Power, declaration: Declare) -> Prospect:
        """Return the position in which a power paid for an order of its own unit, which it gives for nothing."""
        lot, _, number = self._read(rules, position, declaration)
        treasury, unit = rules.module(Treasury), position.unit_at(Code(lot)) if self.gives == "order" else None
        if treasury is None or unit is None or unit.power != power:
            return Prospect()
        return Prospect(treasury.with_ledger(position, treasury.ledger(position).with_points(power, -number)))

    def _plain_orders(self, rules: "Rules", position: Position, code: Code) -> Iterator[Order]:
        """Yield the hold of the unit in a space and its moves without convoy, of all that it may be ordered."""
        unit, legality = position.unit_at(code), Legality(rules, position, assigned=True)
        if unit is not None:
            steps = rules.board_at(position).steps(unit.kind, unit.location)
            plain: list[Order] = [Hold(unit.ref), *(Move(unit.ref, to) for to in sorted(steps))]
            for order in plain:
                if (checked := legality.check(unit.power, order).order) is not None:
                    yield checked

    # Orders that are bid for

    def order_sets(
        self,
        rules: "Rules",
        position: Position,
        order_sets: Mapping[Power, Sequence[Order]],
        declared: Declared,
        source: DrawSource,
    ) -> tuple[Mapping[Power, Sequence[Order]], Position]:
        """Return the order sets with the orders that were bought, which are paid at once."""
        treasury = rules.module(Treasury)
        if self.gives != "order" or treasury is None or not self.lots(rules, position):
            return order_sets, position
        bids = self._bids(rules, position, order_sets, declared)
        legality, balances = Legality(rules, position, assigned=True), treasury.ledger(position)
        whole = {power: list(order_set) for power, order_set in order_sets.items()}
        bought: dict[Code, str] = {}
        for code in dict.fromkeys(bid.lot for bid in bids if bid.valid):
            unit = position.unit_at(code)
            if unit is None:
                continue
            ordered = (legality.check(unit.power, one).order for one in whole.get(unit.power, ()) if _of(one) == code)
            own = next((str(order) for order in ordered if order is not None), None)
            sums = {} if own is None else {own: self.own}
            for bid in bids:
                if bid.lot == code and bid.valid:
                    sums[bid.what] = sums.get(bid.what, 0) + bid.number
            what = self._find_bought_order(code, sums, own, source)
            if what is not None:
                bought[code] = what
                order = self._order(rules, position, what)
                whole[unit.power] = [*(one for one in whole.get(unit.power, ()) if _of(one) != code), order]
        told = [
            bid._replace(pays=bid.valid and (self.pays == "all" or bought.get(bid.lot) == bid.what)) for bid in bids
        ]
        for bid in told:
            balances = balances.with_points(bid.power, -bid.number) if bid.pays else balances
        return whole, treasury.with_ledger(position, balances).with_slot(self.name, Sold(tuple(told), bought))

    def _bids(
        self, rules: "Rules", position: Position, order_sets: Mapping[Power, Sequence[Order]], declared: Declared
    ) -> list[Bribe]:
        """Return the bids for orders, only the last of a power for the same order, and whether each can be paid."""
        bids: list[Bribe] = []
        for power, several in declared.items():
            costs = [
                budgets.sum_costs(budget, budgets.affordable(rules, position, power, order_sets.get(power, ())))
                for budget in budgets.budgets(rules, position, power)
            ]
            left = self._has(rules, position, power) - sum(costs)
            read = {(code, what): number for code, what, number in self._all_read(rules, position, several)}
            for (code, what), number in read.items():
                bids.append(Bribe(power, Code(code), what, number, number <= left))
                left -= number if number <= left else 0
        return bids

    def _all_read(
        self, rules: "Rules", position: Position, several: Sequence[Declare]
    ) -> Iterator[tuple[str, str, int]]:
        return (self._read(rules, position, bid) for bid in several if bid.word == "BID")

    def _find_bought_order(
        self, code: Code, sums: Mapping[str, int], own: str | None, source: DrawSource
    ) -> str | None:
        """Return the order that was bought for the unit in a space; None if it carries out that of its own power."""
        best = sorted(what for what, number in sums.items() if number == max(sums.values()))
        if own in best:
            return own
        if len(best) > 1:
            return source.draw(f"bids for the order in {code}", best) if self.equal == "lot" else None
        return best[0]

    def _told_of_orders(self, treasury: Treasury, adjudication: Adjudication) -> Effects:
        """Report the bids for orders and their results, and forget them."""
        position = adjudication.position
        sold = position.slots.get(self.name)
        if not isinstance(sold, Sold):
            return Effects(position)
        events, results = list[Event](), list[Outcome]()
        for code, what in sorted(sold.orders.items()):
            paying = [bid for bid in sold.bids if (bid.lot, bid.what) == (code, what) and bid.valid]
            unit = adjudication.before.unit_at(code)
            if paying and unit is not None:
                total = sum(bid.number for bid in paying)
                by = tuple(bid.power for bid in paying)
                why = _ORDER_BOUGHT(powers=by, order=what, owner=unit.power, sum=treasury.format_sum(total))
                events.append(Event(BID_WON, why, by, (code,), names=(what,), numbers=(total,)))
        for bid in sold.bids:
            won = bid.valid and sold.orders.get(bid.lot) == bid.what
            ending = _AND_PAID if bid.pays else NOTHING if bid.valid else _HAD_TOO_LITTLE
            why = _BID_FOR_ORDER(power=bid.power, sum=treasury.format_sum(bid.number), order=bid.what, ending=ending)
            reason = Reason.KEPT if won else Reason.BROKEN if bid.valid else Reason.NO_POINTS
            result, order = Result.PAID if won else Result.UNPAID, Declare("BID", f"{bid.what} {bid.number}")
            results.append(Outcome(bid.power, None, order, result, Cause(reason, place=bid.lot), why))
        slots = {name: slot for name, slot in position.slots.items() if name != self.name}
        return Effects(replace(position, slots=slots), tuple(events), tuple(results))

    # Lots that are opened when the orders have been carried out

    def after_orders(self, rules: "Rules", adjudication: Adjudication) -> Effects:
        """Open all bids."""
        before, position = adjudication.before, adjudication.position
        treasury = rules.module(Treasury)
        if self.gives == "order":
            return self._told_of_orders(treasury, adjudication) if treasury else Effects(position)
        lasting = self.gives == "power" and not self.lots(rules, before)
        if before.phase.kind != self.phase or treasury is None or lasting:
            return Effects(position)
        bids: dict[str, dict[Power, tuple[int, Declare]]] = {}
        for power, several in adjudication.declared.items():
            for bid in several:
                if bid.word == "BID":
                    code, _, number = self._read(rules, before, bid)
                    bids.setdefault(code, {})[power] = (number, bid)  # the last one counts
        hired: dict[str, Power] = {}
        events, results = list[Event](), list[Outcome]()
        balances = treasury.ledger(position)
        for code, offered in sorted(bids.items()):
            paying = {power: bid for power, bid in offered.items() if bid[0] <= balances.points.get(power, 0)}
            winner = self._winner(
                before, code, {power: number for power, (number, _) in paying.items()}, adjudication.source
            )
            for power, (number, bid) in offered.items():
                pays = power in paying and (power == winner or self.pays == "all")
                balances = balances.with_points(power, -number) if pays else balances
                ending = _AND_PAID if pays else NOTHING if power in paying else _HAD_TOO_LITTLE
                why = _BID_FOR_LOT(power=power, sum=treasury.format_sum(number), lot=code, ending=ending)
                result = Result.PAID if power == winner else Result.UNPAID
                reason = Reason.KEPT if power == winner else Reason.BROKEN if power in paying else Reason.NO_POINTS
                results.append(Outcome(power, None, bid, result, Cause(reason, place=self._place(code)), why))
            if winner is not None:
                hired[code] = winner
                total = treasury.format_sum(paying[winner][0])
                why = _WON(power=winner, lot=code, sum=total, gain=_GETS[self.gives])
                who, where = ((winner, Power(code)), ()) if self.gives == "power" else ((winner,), (Code(code),))
                events.append(Event(BID_WON, why, who, where, numbers=(paying[winner][0],)))
        position = treasury.with_ledger(position, balances)
        if self.gives == "centre":
            position = replace(position, owners={**position.owners, **{Code(lot): who for lot, who in hired.items()}})
        else:
            position = position.with_slot(self.name, Hired(hired))
        return Effects(position, tuple(events), tuple(results))

    def _place(self, lot: str) -> Code | None:
        return None if self.gives == "power" else Code(lot)

    def _winner(self, before: Position, code: str, sums: Mapping[Power, int], source: DrawSource) -> Power | None:
        """Return the highest bidder; None if there is a tie and nothing is drawn."""
        best = [power for power, number in sums.items() if number == max(sums.values())]
        if len(best) > 1 and self.equal == "lot":
            return Power(source.draw(f"bids for {code}", best))
        return best[0] if len(best) == 1 else None

    def secrets(self) -> frozenset[str] | None:
        """Return the word of bids where they are secret; None where they are public."""
        return self.words if self.secret else None

    def tells(self, rules: "Rules", position: Position, who: Power | None, told: Event | Outcome | Draw) -> bool:
        """Return whether a power may see something: secret bids are shown only to the bidder."""
        if not self.secret:
            return True
        if isinstance(told, Draw):  # between whom a tie was
            return not told.label.partition("|")[2].startswith("bids for")
        if isinstance(told, Event):
            return told.kind != BID_WON or who in told.powers
        return who == told.power or not isinstance(told.order, Declare) or told.order.word not in self.words

    def slot_seen(self, rules: "Rules", slot: Slot, who: Power | None) -> Slot | None:
        """Return only the viewing power's own hires in fog or if bids are secret; else everything."""
        if not (rules.in_fog or self.secret) or not isinstance(slot, Hired):
            return slot
        return Hired({code: power for code, power in slot.by.items() if power == who})


def _of(order: Order) -> Code | None:
    """Return the space of the unit that an order is for."""
    ref = getattr(order, "unit", None)
    return ref.location.space if isinstance(ref, Ref) else None


_FEW = 9
"""So many lots are listed in a sentence at most."""

_GETS = {
    "service": SentenceKind("gain-service", "the unit in the next movement")(),
    "centre": SentenceKind("gain-centre", "the centre")(),
    "power": SentenceKind("gain-power", "its orders until the next bids")(),
}
"""The prize of the highest bid, in words."""

"""Bids: secret sums for what is to be had, opened together when the orders are carried out.

`BID SPA 3` is handed in with the orders of a movement, or in a phase of its own. The highest bid for a lot gets it: for
a turn the command of the unit that nobody plays in that space, the centre itself, if nobody owns it, or until the next
bids the command of a whole power that nobody plays: `BID Germany 5`.
"""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, ClassVar, Literal

from plenipo.engine.board import Code
from plenipo.engine.calendar import PhaseKind
from plenipo.engine.dice import DrawSource
from plenipo.engine.events import Event, EventKind
from plenipo.engine.facts import Fact
from plenipo.engine.hooks import Adjudication, Effects, RuleModule
from plenipo.engine.orders import Declare
from plenipo.engine.outcome import Cause, Outcome, Reason, Result
from plenipo.engine.position import Position, Power, Slot, Unit
from plenipo.engine.reading.notation import notation_of
from plenipo.engine.wording import listing
from plenipo.errors import IllegalOrder, InvalidVariant
from plenipo.rulekit.entries import Entry
from plenipo.rulekit.treasury import Treasury

if TYPE_CHECKING:
    from plenipo.engine.reading.positions import BoardReader
    from plenipo.engine.rules import Rules

__all__ = ["BID_WON", "Bids", "Hired"]

BID_WON = EventKind("bid_won")
"""The power got what was bid for in the space, for so many coins."""

_BID = re.compile(r"(?P<lot>.+?)\s+(?P<sum>\d{1,9})|(?P<first>\d{1,9})\s+(?:\w+\s+)?for\s+(?P<what>.+)", re.IGNORECASE)


@dataclass(frozen=True)
class Hired:
    """Who commands units that nobody plays, by their spaces and in the next movement, or by their powers."""

    by: Mapping[str, Power] = field(default_factory=dict)

    def __post_init__(self) -> None:
        object.__setattr__(self, "by", MappingProxyType(dict(sorted(self.by.items()))))

    def to_json(self) -> Any:
        """Who hired what."""
        return dict(self.by)


@dataclass(frozen=True)
class Bids(RuleModule):
    """The options.

    `spaces` are what is bid for, or `powers`, in the phases of a kind (`phase`) of the `seasons` named, or of all. The
    highest bid of at least `least` gets the `service` of the unit there for the next movement, the `centre`, or the
    `power`, all of whose units and builds it orders until there are bids for it again; among equals nobody does
    (`nobody`), or who is drawn (`lot`). The `winner` pays, or `all` who bid.
    """

    name: ClassVar[str] = "bids"
    claims: ClassVar[frozenset[str]] = frozenset({"bids"})
    words: ClassVar[frozenset[str]] = frozenset({"BID"})
    fixed: ClassVar[frozenset[str]] = frozenset({"spaces", "powers", "phase"})

    spaces: tuple[Code, ...] = ()
    powers: tuple[Power, ...] = ()
    gives: Literal["service", "centre", "power"] = "service"
    phase: Literal["movement", "choice"] = "movement"
    seasons: tuple[str, ...] = ()
    least: int = 1
    equal: Literal["nobody", "lot"] = "nobody"
    pays: Literal["winner", "all"] = "winner"

    def facts(self, rules: "Rules") -> Iterable[Fact]:
        """None; raises `InvalidVariant` for what nobody could ever get, and where nobody has money."""
        if rules.module(Treasury) is None:
            raise InvalidVariant(f"'{self.name}' needs 'money': there is nothing to bid with.")
        at = Entry(rules, f"'{self.name}'", ("modules", self.name))
        at.least(1, least=self.least)
        key = "powers" if self.gives == "power" else "spaces"
        if not getattr(self, key):
            raise InvalidVariant(f"'{self.name}.{key}' is empty: there is nothing to bid for.")
        if other := {"powers": self.spaces, "spaces": self.powers}[key]:
            which = "spaces" if other is self.spaces else "powers"
            raise InvalidVariant(f"'{self.name}' gives a {self.gives}, and has '{which}'; write '{key}'.")
        for power in self.powers:
            if power not in rules.unplayed:
                raise at.wrong(
                    f"lets powers bid for {power}, which is not a power that nobody plays; it needs played = false.",
                    "powers",
                )
        at.spaces(spaces=self.spaces)
        for code in self.spaces:
            unit = rules.opening.unit_at(code)
            if self.gives == "service" and (unit is None or unit.power not in rules.unplayed):
                raise at.wrong(f"lets powers bid for {code}, where no unit stands that nobody plays.", "spaces", code)
        if self.gives == "centre":
            at.centres(spaces=self.spaces)
        if not rules.calendar.seasons(PhaseKind(self.phase)):
            raise at.wrong(f"is held in {self.phase} phases, and the calendar has none.", "phase")
        at.seasons(PhaseKind(self.phase), seasons=self.seasons)
        return ()

    def hired(self, position: Position) -> Mapping[str, Power]:
        """Who commands what now."""
        slot = position.slots.get(self.name)
        lasts = self.gives == "power" or position.phase.kind is PhaseKind.MOVEMENT
        return slot.by if isinstance(slot, Hired) and lasts else {}

    def rulers(self, rules: "Rules", position: Position, power: Power) -> tuple[Power, ...] | None:
        """Who hired a whole power."""
        if self.gives != "power" or power not in self.powers:
            return None
        by = self.hired(position).get(power)
        return () if by is None else (by,)

    def commanders(self, rules: "Rules", position: Position, unit: Unit) -> tuple[Power, ...] | None:
        """Who hired a unit that nobody plays."""
        by = self.hired(position).get(unit.space) if self.gives == "service" else None
        return None if by is None or unit.power not in rules.unplayed else (by,)

    def lots(self, rules: "Rules", position: Position) -> tuple[str, ...]:
        """What may be bid for now."""
        phase = position.phase
        if phase.kind != self.phase or (self.seasons and phase.season not in self.seasons):
            return ()
        if self.gives == "power":
            return tuple(power for power in self.powers if position.survives(power))
        if self.gives == "centre":
            return tuple(code for code in self.spaces if code not in position.owners)
        units = ((code, position.unit_at(code)) for code in self.spaces)
        return tuple(code for code, unit in units if unit is not None and unit.power in rules.unplayed)

    def declared(self, rules: "Rules", position: Position, power: Power, declaration: Declare) -> Declare:
        """A bid for a lot of this movement, of no more than the purse holds."""
        lots = self.lots(rules, position)
        if not lots:
            raise IllegalOrder(f"there is nothing to bid for in {position.phase}.")
        code, number = self._read(rules, position, declaration)
        if code not in lots:
            raise IllegalOrder(f"'{code}' is not for sale; bids are for {listing(lots, 'or')}.")
        if number < self.least:
            raise IllegalOrder(f"'{declaration}' is below the least bid, which is {self.least}.")
        has = self._has(rules, position, power)
        if number > has:
            raise IllegalOrder(f"'{declaration}' is more than {power} has, which is {has}.")
        return Declare("BID", f"{code} {number}")

    def _read(self, rules: "Rules", position: Position, bid: Declare) -> tuple[str, int]:
        found = _BID.fullmatch(bid.text)
        if found is None:
            first = (*self.spaces, *self.powers)[0]
            raise IllegalOrder(f"'{bid}' does not read like a bid; write 'BID {first} 3', in whole numbers.")
        text, number = found["lot"] or found["what"], int(found["sum"] or found["first"])
        if self.gives == "power":
            return rules.power(text), number
        return notation_of(rules, position).location(text).space, number

    def _has(self, rules: "Rules", position: Position, power: Power) -> int:
        treasury = rules.module(Treasury)
        return treasury.purses(position).get(power, 0) if treasury else 0

    def offers(self, rules: "Rules", position: Position, power: Power) -> tuple[Declare, ...]:
        """The least bid for every lot, and all there is."""
        has = self._has(rules, position, power)
        sums = sorted({number for number in (self.least, has) if self.least <= number <= has})
        return tuple(Declare("BID", f"{code} {number}") for code in self.lots(rules, position) for number in sums)

    def after_orders(self, rules: "Rules", adjudication: Adjudication) -> Effects:
        """All bids are opened."""
        before, position = adjudication.before, adjudication.position
        treasury = rules.module(Treasury)
        lasting = self.gives == "power" and not self.lots(rules, before)
        if before.phase.kind != self.phase or treasury is None or lasting:
            return Effects(position)
        bids: dict[str, dict[Power, tuple[int, Declare]]] = {}
        for power, several in adjudication.declared.items():
            for bid in several:
                if bid.word == "BID":
                    code, number = self._read(rules, before, bid)
                    bids.setdefault(code, {})[power] = (number, bid)  # the last one counts
        hired: dict[str, Power] = {}
        events, results = list[Event](), list[Outcome]()
        purses = treasury.ledger(position)
        for code, offered in sorted(bids.items()):
            paying = {power: bid for power, bid in offered.items() if bid[0] <= purses.points.get(power, 0)}
            winner = self._winner(
                before, code, {power: number for power, (number, _) in paying.items()}, adjudication.source
            )
            for power, (number, bid) in offered.items():
                pays = power in paying and (power == winner or self.pays == "all")
                purses = purses.with_points(power, -number) if pays else purses
                what = treasury.counted(number)
                why = f"{power} bid {what} for {code}{' and paid them' if pays else ''}"
                if power not in paying:
                    why += ", and did not have them any more"
                result = Result.PAID if power == winner else Result.UNPAID
                reason = Reason.KEPT if power == winner else Reason.BROKEN if power in paying else Reason.NO_POINTS
                results.append(Outcome(power, None, bid, result, Cause(reason, place=self._place(code)), f"{why}."))
            if winner is not None:
                hired[code] = winner
                gets = _GETS[self.gives]
                why = f"{winner} got {code} for {treasury.counted(paying[winner][0])}: {gets}."
                who, where = ((winner, Power(code)), ()) if self.gives == "power" else ((winner,), (Code(code),))
                events.append(Event(BID_WON, why, who, where, numbers=(paying[winner][0],)))
        position = treasury.with_ledger(position, purses)
        if self.gives == "centre":
            position = replace(position, owners={**position.owners, **{Code(lot): who for lot, who in hired.items()}})
        else:
            position = position.with_slot(self.name, Hired(hired))
        return Effects(position, tuple(events), tuple(results))

    def _place(self, lot: str) -> Code | None:
        return None if self.gives == "power" else Code(lot)

    def _winner(self, before: Position, code: str, sums: Mapping[Power, int], source: DrawSource) -> Power | None:
        """Who bid most; None if nobody did alone and nothing is drawn."""
        best = [power for power, number in sums.items() if number == max(sums.values())]
        if len(best) > 1 and self.equal == "lot":
            return Power(source.draw(f"bids for {code}", best))
        return best[0] if len(best) == 1 else None

    def slot_seen(self, rules: "Rules", slot: Slot, who: Power | None) -> Slot | None:
        """What one has hired oneself, in fog; else everything."""
        if not rules.in_fog or not isinstance(slot, Hired):
            return slot
        return Hired({code: power for code, power in slot.by.items() if power == who})

    def decode_slot(self, value: Any, reader: "BoardReader") -> Hired:
        """Who hired what, from JSON."""
        return Hired({str(lot): reader.power(power) for lot, power in reader.mapping(value).items()})


_GETS = {"service": "the unit in the next movement", "centre": "the centre", "power": "its orders until the next bids"}
"""What the highest bid gets, in words."""

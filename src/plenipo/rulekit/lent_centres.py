"""Loans: a centre feeds a unit of another power than its owner: `LEND BEL Italy`, until it is recalled or lost."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, ClassVar, Literal

from plenipo.engine.amounts import count_things
from plenipo.engine.board import Code
from plenipo.engine.calendar import Phase, PhaseKind
from plenipo.engine.events import Event, EventKind
from plenipo.engine.hooks import Adjudication, Effects, Entitlement, RuleModule
from plenipo.engine.immutable import freeze_sorted
from plenipo.engine.orders import Declare
from plenipo.engine.phases import adjustments
from plenipo.engine.position import Position, Power, Slot
from plenipo.engine.reading.notation import notation_of
from plenipo.engine.sentences import SentenceKind, say
from plenipo.errors import IllegalOrder, InvalidVariant

if TYPE_CHECKING:
    from plenipo.engine.reading.positions import BoardReader
    from plenipo.engine.rules import Rules

__all__ = ["CENTRE_LENT", "LOAN_OVER", "Lent", "LentCentres"]

CENTRE_LENT = EventKind("centre_lent")
"""The first power lent the centre to the second."""

LOAN_OVER = EventKind("loan_over")
"""The centre counts for its owner again, and no more for the power."""

_LOAN = re.compile(r"(?P<centre>.+?)\s+to\s+(?P<to>.+)|(?P<first>\S+)\s+(?P<whom>\S.*)", re.IGNORECASE)

_NOT_NOW = SentenceKind("lend-not-now", "centres are lent with the orders of a movement, and this is {phase}.")
_NOT_LENT = SentenceKind("lend-not-lent", "{power} has not lent {place} to any power.")
_NO_RECALL = SentenceKind("lend-no-recall", "what is lent is lent for {years} in this game.")
_NOT_OWNED = SentenceKind("lend-not-owned", "{power} does not own {place}, and so cannot lend it.")
_NOT_TO_ITSELF = SentenceKind("lend-not-to-itself", "{power} cannot lend anything to itself.")
_LENT_ALREADY = SentenceKind("lend-already", "{place} is lent already.")
_NONE_BESIDE = SentenceKind(
    "lend-none-beside", "there are no centres beside the board; write such as 'LEND BEL to France'."
)
_FEWER_BESIDE = SentenceKind("lend-fewer", "{power} has {left} beside the board to lend, not {number}.")
_NO_LOAN = SentenceKind("lend-unread", "'{text}' does not read like a loan; write 'LEND BEL to France'.")
_LENDS = SentenceKind("lends", "{power} lends {to} {centres} beside the board.")
_LENT = SentenceKind("lent", "{power} lent {place} to {to}.")
_OVER = SentenceKind("loan-over", "{place} feeds no unit of {to} any more.")


@dataclass(frozen=True)
class Lent:
    """The borrower, lender and year of each lent centre, and the centres beside the board that are lent."""

    to: Mapping[Code, tuple[Power, Power, int]] = field(default_factory=dict)
    beside: tuple[tuple[Power, Power, int], ...] = ()
    """The lender, the borrower and the number of centres of each loan."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "to", freeze_sorted(self.to))

    def to_json(self) -> Any:
        """Return the borrower, lender and year by code, and the loans beside the board if there are any."""
        loans: dict[str, Any] = {code: list(loan) for code, loan in self.to.items()}
        return {**loans, "beside": [list(loan) for loan in self.beside]} if self.beside else loans

    def lends(self, power: Power, to: Power, number: int) -> "Lent":
        """Return these loans with `number` centres beside the board lent by a power to another."""
        kept = [loan for loan in self.beside if loan[:2] != (power, to)]
        return Lent(self.to, tuple(sorted([*kept, (power, to, number)] if number else kept)))

    def count_left(self, power: Power, most: int, to: Power) -> int:
        """Return how many centres beside the board a power may lend to another, apart from its current loan to it."""
        return most - sum(number for by, other, number in self.beside if by == power and other != to)


@dataclass(frozen=True)
class LentCentres(RuleModule):
    """The options.

    For how many `years` a centre is lent (0 until it is recalled), and whether it may be `recalled`. With `extra` every
    power also has this number of centres off the board, which support only units of others, while both powers survive.
    """

    name: ClassVar[str] = "lent_centres"
    claims: ClassVar[frozenset[str]] = frozenset({"whom centres feed"})
    words: ClassVar[frozenset[str]] = frozenset({"LEND", "RECALL"})

    years: int = 0
    recalled: Literal["always", "never"] = "always"
    extra: int = 0

    def check(self, rules: "Rules") -> None:
        """Raise `InvalidVariant` for negative numbers, and for loans that would never end."""
        if self.years < 0:
            raise InvalidVariant(
                say("'{name}.years' is {years}; it must be 0 or more.", name=self.name, years=self.years)
            )
        if self.extra < 0:
            raise InvalidVariant(
                say("'{name}.extra' is {extra}; it must be 0 or more.", name=self.name, extra=self.extra)
            )
        if not self.years and self.recalled == "never":
            raise InvalidVariant(
                say("'{name}' lends for good: write 'years', or recalled = \"always\".", name=self.name)
            )

    def loans(self, position: Position) -> Lent:
        """Return the loans."""
        slot = position.slots.get(self.name)
        return slot if isinstance(slot, Lent) else Lent()

    def _standing(self, position: Position) -> Iterator[tuple[Code, Power, Power]]:
        """Yield the loans of current owners: the centre, the borrower, the lender."""
        for code, (to, by, _) in self.loans(position).to.items():
            if position.owners.get(code) == by:
                yield code, to, by

    # Lending

    def complete_declaration(self, rules: "Rules", position: Position, power: Power, declaration: Declare) -> Declare:
        """Return the declaration of a loan or recall; raise `IllegalOrder` if the power cannot make it."""
        if position.phase.kind is not PhaseKind.MOVEMENT:
            raise IllegalOrder(_NOT_NOW(phase=position.phase))
        if declaration.word == "RECALL":
            code = notation_of(rules, position).location(declaration.text).space
            if (power, code) not in {(by, lent) for lent, _, by in self._standing(position)}:
                raise IllegalOrder(_NOT_LENT(power=power, place=code))
            if self.recalled == "never":
                raise IllegalOrder(_NO_RECALL(years=count_things(self.years, "year")))
            return Declare("RECALL", code)
        if number := _NUMBER.fullmatch(declaration.text):
            return self._beside(rules, position, power, int(number["number"]), rules.power(number["to"]))
        code, to = self._read(rules, position, declaration)
        if position.owners.get(code) != power:
            raise IllegalOrder(_NOT_OWNED(power=power, place=code))
        if to == power:
            raise IllegalOrder(_NOT_TO_ITSELF(power=power))
        if any(lent == code for lent, _, _ in self._standing(position)):
            raise IllegalOrder(_LENT_ALREADY(place=code))
        return Declare("LEND", f"{code} to {to}")

    def _beside(self, rules: "Rules", position: Position, power: Power, number: int, to: Power) -> Declare:
        """Return the declaration of a loan of centres beside the board."""
        if not self.extra:
            raise IllegalOrder(_NONE_BESIDE())
        left = self.loans(position).count_left(power, self.extra, to)
        if to == power or number > left or not position.survives(power):
            fewer = _FEWER_BESIDE(power=power, left=count_things(left, "centre"), number=number)
            raise IllegalOrder(_NOT_TO_ITSELF(power=power) if to == power else fewer)
        return Declare("LEND", f"{number} to {to}")

    def _read(self, rules: "Rules", position: Position, declaration: Declare) -> tuple[Code, Power]:
        found = _LOAN.fullmatch(declaration.text)
        if found is None:
            raise IllegalOrder(_NO_LOAN(text=declaration))
        code = notation_of(rules, position).location(found["centre"] or found["first"]).space
        return code, rules.power(found["to"] or found["whom"])

    def offers(self, rules: "Rules", position: Position, power: Power) -> tuple[Declare, ...]:
        """Return a loan of every centre to every other surviving power, and the recalls that are allowed."""
        if position.phase.kind is not PhaseKind.MOVEMENT:
            return ()
        standing = {code: by for code, _, by in self._standing(position)}
        others = [other for other in rules.names if other != power and position.survives(other)]
        free = [code for code in position.centres_of(power) if code not in standing]
        mine = [code for code, by in standing.items() if by == power and self.recalled == "always"]
        loans = [Declare("LEND", f"{code} to {other}") for code in free for other in others]
        known = self.loans(position)
        for other in others if self.extra and position.survives(power) else ():
            numbers = range(known.count_left(power, self.extra, other) + 1)
            loans += [Declare("LEND", f"{number} to {other}") for number in numbers]
        return (*loans, *(Declare("RECALL", code) for code in mine))

    def after_orders(self, rules: "Rules", adjudication: Adjudication) -> Effects:
        """Apply the loans and recalls."""
        before, position = adjudication.before, adjudication.position
        loans, events = dict(self.loans(position).to), list[Event]()
        spaces, known = rules.board_at(position).spaces, self.loans(position)
        for power in rules.names:
            for one in adjudication.declared.get(power, ()):
                if one.word == "LEND" and (found := _NUMBER.fullmatch(one.text)):
                    to, number = rules.power(found["to"]), int(found["number"])
                    if number <= known.count_left(power, self.extra, to):
                        known = known.lends(power, to, number)
                        why = _LENDS(power=power, to=to, centres=count_things(number, "centre"))
                        events.append(Event(CENTRE_LENT, why, (power, to), numbers=(number,)))
                elif one.word == "RECALL" and (loan := loans.pop(Code(one.text), None)):
                    events.append(_over(spaces[Code(one.text)].name, Code(one.text), loan[0]))
                elif one.word == "LEND":
                    code, to = self._read(rules, before, one)
                    loans[code] = (to, power, before.phase.year)  # the last loan counts
                    why = _LENT(power=power, place=spaces[code].name, to=to)
                    events.append(Event(CENTRE_LENT, why, (power, to), (code,)))
        now = Lent(loans, known.beside)
        return Effects(position.with_slot(self.name, now) if events else position, tuple(events))

    def after_ownership(self, rules: "Rules", position: Position, phase: Phase) -> Effects:
        """End the loans whose time is up, whose centre is lost, and those of eliminated powers."""
        known, events = self.loans(position), list[Event]()
        left: dict[Code, tuple[Power, Power, int]] = {}
        for code, (to, by, year) in known.to.items():
            ripe = self.years and phase.year >= year + self.years
            if position.owners.get(code) == by and not ripe and position.survives(to):
                left[code] = (to, by, year)
            else:
                space = rules.board_at(position).spaces.get(code)
                events.append(_over(space.name if space else code, code, to))
        beside = tuple(one for one in known.beside if all(map(position.survives, one[:2])))
        changed = events or beside != known.beside
        return Effects(position.with_slot(self.name, Lent(left, beside)) if changed else position, tuple(events))

    def entitlement(self, rules: "Rules", position: Position, power: Power, entitlement: Entitlement) -> Entitlement:
        """Count lent centres for the borrower."""
        more = sum(
            adjustments.value_of_centre(rules, code) * ((to == power) - (by == power))
            for code, to, by in self._standing(position)
        ) + sum(number for _, to, number in self.loans(position).beside if to == power)
        return Entitlement(max(0, entitlement.builds + more), max(0, entitlement.keeps + more))

    def slot_seen(self, rules: "Rules", slot: Slot, who: Power | None) -> Slot | None:
        """Return only the viewing power's own loans in fog; else everything."""
        if not rules.in_fog or not isinstance(slot, Lent):
            return slot
        beside = tuple(loan for loan in slot.beside if who in loan[:2])
        return Lent({code: loan for code, loan in slot.to.items() if who in loan[:2]}, beside)

    def decode_slot(self, value: Any, reader: "BoardReader") -> Lent:
        """Read the loans from JSON."""
        loans: dict[Code, tuple[Power, Power, int]] = {}
        whole = dict(reader.mapping(value))
        beside = []
        for loan in reader.items(whole.pop("beside", [])):
            lender, other, number = reader.items(loan)
            beside.append((reader.power(lender), reader.power(other), reader.number(number)))
        for code, loan in whole.items():
            to, by, year = reader.items(loan)
            loans[reader.space(code)] = (reader.power(to), reader.power(by), reader.number(year))
        return Lent(loans, tuple(beside))


_NUMBER = re.compile(r"(?P<number>\d{1,3})\s+(?:to\s+)?(?P<to>\S.*)", re.IGNORECASE)
"""So many centres beside the board, and to whom."""


def _over(name: str, code: Code, to: Power) -> Event:
    return Event(LOAN_OVER, _OVER(place=name, to=to), (to,), (code,))

"""The values that a case checks: an answer in JSON lines, and facts about its final position, computed when needed."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, partial
from itertools import chain, islice
from typing import Any

from plenipo.boards import describe_board
from plenipo.engine.calendar import PhaseKind
from plenipo.engine.dice import Dice, Draw
from plenipo.engine.history.submissions import Submissions
from plenipo.engine.hooks import RuleModule
from plenipo.engine.orders import Declare, Order
from plenipo.engine.outcome import Resolution, Result
from plenipo.engine.phases import adjustments, ownership, victory
from plenipo.engine.phases.legality import Legality
from plenipo.engine.position import Position, Power
from plenipo.engine.reading.ambiguity import read_order_sets
from plenipo.engine.reading.notation import notation_of
from plenipo.engine.rules import Rules
from plenipo.errors import IllegalOrder, InvalidRecord, PlenipoError
from plenipo.jsonlines import encode_legal

__all__ = [
    "DECLARED",
    "FACTS",
    "CaseView",
    "Names",
    "SubmittedOrderSets",
    "chance",
    "each_order_set",
    "fates",
    "submissions",
]

SubmittedOrderSets = Sequence[Mapping[str, Sequence[str]]]
"""Orders as they come in: one mapping of powers to texts after the other."""

DECLARED = "declared"
"""The result of a declaration that was taken, where nothing more is said of what came of it."""

_AHEAD = 40
"""The number of phases ahead that `calendar` shows."""


@dataclass(frozen=True)
class Names:
    """Names and orders as people write them, on the boards a case is played on."""

    rules: Rules
    positions: tuple[Position, ...]
    known: dict[str, frozenset[str]] = field(default_factory=dict)

    def same(self, one: str, other: str) -> bool:
        """Return True if two texts are the same, or name the same power, place, unit or order."""
        return one == other or not self.readings(one).isdisjoint({other, *self.readings(other)})

    def readings(self, text: str) -> frozenset[str]:
        """Everything `text` can mean, as the program prints it."""
        if text not in self.known:
            readings: set[str] = set()
            for position in self.positions:
                notation = notation_of(self.rules, position)
                readers: list[Callable[[str], object]] = [self.rules.power, notation.location, notation.unit]
                readers += [partial(notation.read, kind=kind) for kind in PhaseKind if kind.asks_orders]
                for reader in readers:
                    try:
                        readings.add(str(reader(text)))
                    except ValueError:
                        continue
            self.known[text] = frozenset(readings)
        return self.known[text]


@dataclass(frozen=True)
class _Readings(Mapping[str, list[str]]):
    """Any text, with everything it can mean."""

    names: Names

    def __getitem__(self, text: str) -> list[str]:
        return sorted(self.names.readings(text))

    def __contains__(self, text: object) -> bool:
        return isinstance(text, str)

    def __iter__(self) -> Iterator[str]:
        return iter(())

    def __len__(self) -> int:
        return 0


@dataclass(frozen=True)
class CaseView(Mapping[str, object]):
    """An answer of JSON lines, or a position in the same keys, with the facts of `FACTS` about `position`."""

    rules: Rules
    position: Position
    answer: Mapping[str, object]
    further: Mapping[str, Callable[[], object]] = field(default_factory=dict)
    """The further facts of a phase that was played, computed when needed: `orders`, `submissions`, `chance`."""
    resolution: Resolution | None = None
    """The resolution of the phase, if one was played."""

    @cached_property
    def names(self) -> Names:
        """Names as they are understood in the position."""
        return Names(self.rules, (self.position,))

    def __getitem__(self, key: str) -> object:
        if key in self.further:
            return self.further[key]()
        return self.answer[key] if key in self.answer else FACTS[key](self)

    def __contains__(self, key: object) -> bool:
        return key in self.answer or key in self.further or key in FACTS

    def __iter__(self) -> Iterator[str]:
        return chain(self.answer, self.further, FACTS)

    def __len__(self) -> int:
        return len(self.answer) + len(self.further) + len(FACTS)


def _adjustments(view: CaseView) -> dict[str, object]:
    """For each power the units due, how many it may come to by builds and how many it may keep, and where it builds."""
    by_power: dict[str, object] = {}
    for power in (*view.rules.names, *sorted({unit.power for unit in view.position.units} - set(view.rules.names))):
        builds, keeps = adjustments.entitlement(view.rules, view.position, power)
        due = adjustments.due(view.rules, view.position, power)
        sites = adjustments.build_sites(view.rules, view.position, power) if due > 0 else ()
        by_power[power] = {"due": due, "builds": builds, "keeps": keeps, "sites": list(sites)}
    return by_power


def _calendar(view: CaseView) -> list[str]:
    """Return the phases from this one on in which orders are given, and what happens between."""

    def labels() -> Iterator[str]:
        for phase in chain([view.position.phase], view.rules.calendar.after(view.position.phase)):
            if phase.kind.asks_orders:
                yield str(phase)
            else:
                yield from (f"{phase.when} {event}" for event in ownership.list_scheduled_effects(view.rules, phase))

    return list(islice(labels(), _AHEAD))


FACTS: dict[str, Callable[[CaseView], Any]] = {
    "adjustments": _adjustments,
    "board": lambda view: describe_board(view.rules, view.position),
    "calendar": _calendar,
    "eliminated": lambda view: [power for power in view.rules.names if not view.position.survives(power)],
    "score": lambda view: dict(victory.score(view.rules, view.position).counts),
    "balances": lambda view: {
        power: number
        for module in view.rules.overriding[RuleModule.balances]
        for power, number in module.balances(view.position).items()
    },
    "unit_count": lambda view: len(view.position.units),
    "legal": lambda view: encode_legal(view.rules, view.position, view.rules.names),
    "readings": lambda view: _Readings(view.names),
    "unowned": lambda view: sorted(view.rules.board_at(view.position).centres - set(view.position.owners)),
}
"""Facts about a position that no answer has, and how each is found."""


# Outcomes of orders as they were submitted


def _order(rules: Rules, before: Position, order_sets: SubmittedOrderSets, power: Power, text: str) -> Order | None:
    """Return the one order that `text` means beside all others; None if it cannot be read."""
    notation = notation_of(rules, before)
    others: dict[Power, list[str | Order]] = {}
    for name, texts in each_order_set(rules, order_sets):
        others.setdefault(name, []).extend(texts)
    context, _ = read_order_sets(rules, notation, before, others)
    known = context.get(power, [])
    read, _ = read_order_sets(rules, notation, before, {**context, power: [*known, text]})
    return read[power][len(known)] if len(read[power]) == len(known) + 1 else None


def each_order_set(rules: Rules, order_sets: SubmittedOrderSets) -> Iterator[tuple[Power, Sequence[str]]]:
    """Yield the order sets of powers of the game, in the order in which they come in."""
    for order_set in order_sets:
        for name, texts in order_set.items():
            try:
                yield rules.power(name), texts
            except PlenipoError:
                continue  # the answer has the sentence


def fates(
    rules: Rules, before: Position, order_sets: SubmittedOrderSets, resolution: Resolution
) -> dict[str, dict[str, object]]:
    """For each power its orders as they are written, with the result of each; of one given twice a list of results.

    What cannot be read, is not allowed, or had another order count in its place is void.
    """
    legality = Legality(rules, before)
    left = list(resolution.outcomes)
    by_power: dict[str, dict[str, list[str]]] = {}
    for power, texts in each_order_set(rules, order_sets):
        for text in texts:
            read = _order(rules, before, order_sets, power, text)
            order = legality.check(power, read).order if read is not None else None
            outcome = next((o for o in left if order is not None and (o.power, o.order) == (power, order)), None)
            if outcome is not None and before.phase.kind is PhaseKind.ADJUSTMENTS:
                left.remove(outcome)  # two equal builds are two orders, with two outcomes
            result = str(outcome.result) if outcome else DECLARED if isinstance(order, Declare) else str(Result.VOID)
            by_power.setdefault(power, {}).setdefault(text, []).append(result)
    return {
        power: {text: results if len(results) > 1 else results[0] for text, results in orders.items()}
        for power, orders in by_power.items()
    }


def submissions(rules: Rules, before: Position, order_sets: SubmittedOrderSets) -> dict[str, object]:
    """Return the submissions of a phase.

    These are the powers whose order sets are accepted (each set whole or not at all), the orders refused, the powers
    still waited for, and those whose orders others can see while the phase is open.
    """
    taken = Submissions(rules, before)
    refused: dict[str, list[str]] = {}
    for power, texts in each_order_set(rules, order_sets):
        orders = [_order(rules, before, order_sets, power, text) for text in texts]
        legal = tuple(order for order in orders if order is not None)
        try:
            submitted = taken.submit_orders(power, legal) if len(legal) == len(texts) else None
        except IllegalOrder:
            submitted = None
        taken = submitted or taken
        if submitted is None:
            refused.setdefault(power, []).extend(texts)
    readers = (None, *rules.names)
    return {
        "accepted": list(taken.order_sets),
        "refused": refused,
        "waiting_for": list(taken.waiting_for),
        "visible": sorted({power for reader in readers for power in taken.seen_by(reader) if power != reader}),
    }


def chance(dice: Dice, draws: Sequence[Draw]) -> dict[str, object]:
    """Return the commitment of the dice and the results of two checks.

    `repeats` is True if the seed reproduces the draws, `changes_found` if it exposes every changed draw.
    """
    return {
        "commitment": dice.commitment,
        "repeats": _is_verified(dice, draws),
        "changes_found": all(not _is_verified(dice, [replace(draw, result=_another(draw))]) for draw in draws),
    }


def _is_verified(dice: Dice, draws: Sequence[Draw]) -> bool:
    try:
        dice.check(draws)
    except InvalidRecord:
        return False
    return True


def _another(draw: Draw) -> str:
    """Something else that might have been drawn; one card alone can only be another card."""
    slips = [slip for slip in draw.slips if slip != draw.result]
    return (
        slips[0] if slips else " ".join(reversed(draw.result.split())) if " " in draw.result else f"not {draw.result}"
    )

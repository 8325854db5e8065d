"""Changes that would have altered an outcome: the smallest sets of other supports, found by adjudicating again."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import combinations

from plenipo.engine.orders import Convoy, Hold, Move, MovementOrder, Support
from plenipo.engine.outcome import Outcome, Resolution
from plenipo.engine.phases.legality import Legality
from plenipo.engine.phases.movement import NO, YES, GraphQuestion, MovementSolver, resolve
from plenipo.engine.position import Unit
from plenipo.engine.rules import Rules
from plenipo.engine.sentences import Sentence, SentenceKind, say
from plenipo.errors import UnknownName

__all__ = ["ChangeKind", "SupportChange", "what_would_change"]

_CUT = SentenceKind("change-cut", "the support of {unit} had been cut")
_GIVEN = SentenceKind(
    "change-given", "{unit} had supported {what}", note="{what} is 'A PAR to BUR' or 'A PAR in place'."
)
_ELSEWHERE = SentenceKind("change-elsewhere", "{unit} had instead supported {what}")
_TO = SentenceKind("other-to", "{unit} to {place}", note="The move that is supported or convoyed: 'A PAR to BUR'.")
_IN_PLACE = SentenceKind("other-in-place", "{unit} in place", note="The unit that is supported in its place.")


class ChangeKind(StrEnum):
    """The kind of difference between a support and the order that was given."""

    GIVEN = "given"
    """A unit that did not support does."""
    CUT = "cut"
    """A support that was given is not."""
    ELSEWHERE = "elsewhere"
    """A supporting unit supports something else."""


@dataclass(frozen=True, slots=True)
class SupportChange:
    """One changed support: `order` is the order that `unit` would have had."""

    kind: ChangeKind
    unit: Unit
    order: MovementOrder

    def __str__(self) -> str:
        return str(self.as_sentence())

    def as_sentence(self) -> Sentence:
        """Return the change as a part of a sentence: `A MUN had supported A RUH to BUR`."""
        if self.kind is ChangeKind.CUT:
            return _CUT(unit=self.unit)
        assert isinstance(self.order, Support)  # noqa: S101  # by construction
        other, to = self.order.other, self.order.to
        what = _TO(unit=other, place=to) if to else _IN_PLACE(unit=other)
        return (_GIVEN if self.kind is ChangeKind.GIVEN else _ELSEWHERE)(unit=self.unit, what=what)


def what_would_change(
    rules: Rules, resolution: Resolution, unit: Unit, most: int = 3
) -> tuple[tuple[SupportChange, ...], ...]:
    """Return the smallest sets of changed supports after which `unit` has the opposite outcome.

    A move that failed would succeed and one that succeeded would fail; a unit that was dislodged would stay and one
    that stayed would be dislodged; a support that was cut would be given and the other way round.
    A unit that did not support may, unless its own move is part of the fight; a support moved elsewhere is named only
    where cutting it would not be enough. All sufficient sets of the smallest size are returned, none if they need more
    than `most` (1 or more) changes.
    Each set is proved by adjudicating the phase again. Raises `UnknownName` for a unit not in the resolution.
    """
    position = resolution.before
    if unit not in position.units:
        raise UnknownName(
            say(
                "'{unit}' of {power} was not on the board in {phase}.",
                unit=unit,
                power=unit.power,
                phase=position.phase,
            )
        )
    index = position.units.index(unit)
    legality = Legality(rules, position)
    orders = [_legal(legality, outcome) for outcome in resolution.outcomes]
    battle = resolve(rules.board_at(position), rules.rulebook, position.units, orders, rules.facts.movement)
    wanted = not _has_succeeded(battle, index)
    changes = list(_candidates(legality, battle, index))
    for size in range(1, most + 1):
        changing = tuple(
            chosen
            for chosen in combinations(changes, size)
            if len({change.unit for change in chosen}) == size
            and _has_succeeded(_again(battle, orders, chosen), index) == wanted
        )
        if changing:
            return tuple(chosen for chosen in changing if not _needless(chosen, changing))
    return ()


def _legal(legality: Legality, outcome: Outcome) -> MovementOrder | None:
    """Return the order of a unit as it was adjudicated: None where it was illegal or missing."""
    if outcome.order is None:
        return None
    order = legality.check(outcome.power, outcome.order).order
    return order if isinstance(order, Hold | Move | Support | Convoy) else None


def _needless(chosen: tuple[SupportChange, ...], others: tuple[tuple[SupportChange, ...], ...]) -> bool:
    """Return whether a support moved elsewhere in `chosen` would be as effective if it were only cut."""
    cut = {
        change: SupportChange(ChangeKind.CUT, change.unit, Hold(change.unit.ref))
        for change in chosen
        if change.kind is ChangeKind.ELSEWHERE
    }
    as_sets = {frozenset(other) for other in others}
    return any(frozenset(chosen) - {moved} | {less} in as_sets for moved, less in cut.items())


def _has_succeeded(battle: MovementSolver, i: int) -> bool:
    order = battle.orders[i]
    if isinstance(order, Move):
        return battle.move[i] == YES
    if isinstance(order, Support) and battle.helps[i] >= 0:
        return battle.support[i] == YES
    return battle.dislodgement(i) == NO


def _again(
    battle: MovementSolver, orders: Sequence[MovementOrder | None], changes: Sequence[SupportChange]
) -> MovementSolver:
    changed = list(orders)
    for change in changes:
        changed[battle.units.index(change.unit)] = change.order
    return resolve(battle.board, battle.rulebook, battle.units, changed, battle.facts)


def _candidates(legality: Legality, battle: MovementSolver, index: int) -> Iterator[SupportChange]:
    """Yield every single change of a support that could affect the outcome of unit `index`."""
    near = _find_related(battle, index)
    for i, unit in enumerate(battle.units):
        before = battle.orders[i]
        if i == index or (isinstance(before, Move) and i in near):
            continue  # a move that is part of the fight is not a support
        supports = isinstance(before, Support) and battle.helps[i] >= 0
        if supports and i in near:
            yield SupportChange(ChangeKind.CUT, unit, Hold(unit.ref))
        kind = ChangeKind.ELSEWHERE if supports else ChangeKind.GIVEN
        for order in legality.orders_of(unit.power).supports(unit):
            k = battle.at[order.other.location.space]
            target = battle.orders[k]
            helps = order.to is None if not isinstance(target, Move) else order.to == target.to
            if k in near and helps and order != before:
                yield SupportChange(kind, unit, order)


def _find_related(battle: MovementSolver, index: int) -> set[int]:
    """Return the units whose orders the outcome of unit `index` may depend on, itself included."""
    order = battle.orders[index]
    start: GraphQuestion = ("move" if isinstance(order, Move) else "support", index)
    seen = {start}
    edge = [start]
    while edge:
        question = edge.pop()
        for read in battle.reads(question):
            if read not in seen:
                seen.add(read)
                edge.append(read)
    units = {i for _, i in seen}
    return units | {battle.helps[i] for i in units if battle.helps[i] >= 0}

"""Differences between the positions of a file and those that follow from its orders, each with its explanation.

A game that was read by playback has a ruling wherever the file has another position. For each, the turn before is
adjudicated by every choice of every policy; the first with which the file's position follows explains it. The smallest
position is what is left when no more units can be taken away and the two choices still differ.
"""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace

from plenipo.engine.board import Code
from plenipo.engine.calendar import Phase, PhaseKind
from plenipo.engine.history.game import Game
from plenipo.engine.history.rulings import Edited
from plenipo.engine.history.verify import LoadRules
from plenipo.engine.orders import Move, Order, Support
from plenipo.engine.outcome import Outcome
from plenipo.engine.position import Position, Power, Unit
from plenipo.engine.rulebook import POLICIES
from plenipo.engine.rules import Rules
from plenipo.errors import PlenipoError

__all__ = ["PositionDifference", "list_differences"]


@dataclass(frozen=True)
class PositionDifference:
    """A phase after which the file has another position: a text that says how, and an explanation where there is one.

    `policy` is the key of a policy, and `choice` the value with which the file's position follows; it is empty if no
    choice does. `rule` is a word for a difference that is no policy: `removal`, for a unit removed without an order;
    `build`, for one built without an order; `type`, for units that only change their type, which is a slip of the file;
    `missing`, where the file has no orders of a phase before. `units` and `orders` are the smallest position.
    """

    phase: Phase
    text: str
    policy: str = ""
    choice: str = ""
    rule: str = ""
    units: tuple[Unit, ...] = ()
    orders: Mapping[Power, tuple[str, ...]] | None = None

    @property
    def cause(self) -> str:
        """The explanation in a word: a policy with its choice, a rule, or nothing."""
        return f"{self.policy}={self.choice}" if self.policy else self.rule


def list_differences(game: Game, load: LoadRules) -> Iterator[PositionDifference]:
    """Yield the differences of a game that was read by playback, in order."""
    for place, ruling in game.rulings:
        if isinstance(ruling, Edited):
            yield _explain(game, place, ruling, load)


def _explain(game: Game, place: int, ruling: Edited, load: LoadRules) -> PositionDifference:
    text = str(ruling.reason.text or "")
    before, turn = game.position_after(place - 1), game.turns[place - 1]
    found, wanted = PositionDifference(before.phase, text), ruling.position
    ours = turn.resolution.after
    changed = set(ours.units) ^ set(wanted.units)
    for rules, key, choice in _other_choices(game.rules, load):
        with suppress(PlenipoError):
            after = Game(rules, before).process(turn.orders).position
            if _same(after, wanted) and not _same(ours, wanted):
                found = replace(found, policy=key, choice=choice)
                if before.phase.kind is PhaseKind.MOVEMENT:
                    small, orders = _shrink(game.rules, rules, before, turn.orders)
                    return replace(found, units=small.units, orders=orders)
                powers = {unit.power for unit in set(ours.units) ^ set(wanted.units)}
                return replace(found, units=tuple(unit for unit in before.units if unit.power in powers))
    if changed and _places(ours) == _places(wanted):
        return replace(found, rule="type", units=tuple(sorted(changed)))
    if before.phase.kind is PhaseKind.ADJUSTMENTS:
        lost, kept = set(ours.units) - set(wanted.units), set(wanted.units) - set(ours.units)
        ordered = {outcome.unit for outcome in turn.resolution.outcomes if outcome.cause.reason == "ordered"}
        if lost <= set(before.units) and kept <= set(before.units) - ordered:
            rule = "removal"
        elif kept and not lost and not kept & set(before.units):
            rule = "build"
        else:
            rule = "missing" if _lacks_orders(game, place) else ""
        return replace(found, rule=rule, units=tuple(sorted(lost | kept)))
    if _lacks_orders(game, place):
        return replace(found, rule="missing", units=tuple(sorted(changed)))
    units = _nearby(turn.resolution.outcomes, changed)
    orders = {
        power: tuple(str(one.order) for one in units if one.power == power and one.order is not None)
        for power in dict.fromkeys(one.power for one in units)
    }
    return replace(found, units=tuple(one.unit for one in units if one.unit is not None), orders=orders)


def _other_choices(rules: Rules, load: LoadRules) -> Iterator[tuple[Rules, str, str]]:
    """Yield the rules with one policy chosen otherwise, and which."""
    base = {key: rules.rulebook[key] for key in POLICIES if len(POLICIES[key].choices) > 1}
    given = dict(rules.options)
    for key, now in base.items():
        for choice in POLICIES[key].choices:
            if choice != now:
                with suppress(PlenipoError):
                    yield load(rules.variant, {**given, key: choice}), key, choice


def _lacks_orders(game: Game, place: int) -> bool:
    """Return True if a phase since the last movement was processed without the orders of any power."""
    for turn in reversed(game.turns[:place]):
        kind = turn.resolution.before.phase.kind
        if kind in (PhaseKind.MOVEMENT, PhaseKind.RETREATS) and not any(turn.orders.values()):
            return True
        if kind is PhaseKind.MOVEMENT:
            return False
    return False


def _places(position: Position) -> set[tuple[Power, Code]]:
    """Return the powers and spaces of the units."""
    return {(unit.power, unit.space) for unit in position.units}


def _same(ours: Position, wanted: Position) -> bool:
    """Return True if two positions have the same units and owners; dislodged units may be listed in one alone."""
    if ours.units != wanted.units:
        return False
    fallen, listed = ({one.unit for one in position.dislodged} for position in (ours, wanted))
    return (not listed or fallen >= listed) and (ours.phase != wanted.phase or ours.owners == wanted.owners)


def _shrink(
    rules: Rules, other: Rules, before: Position, orders: Mapping[Power, Sequence[str]]
) -> tuple[Position, dict[Power, tuple[str, ...]]]:
    """Return a smallest position, with its orders, in which two rules come to different positions."""
    given = {power: tuple(texts) for power, texts in orders.items()}
    position = before
    for unit in before.units:
        less = replace(position, units=tuple(one for one in position.units if one != unit))
        with suppress(PlenipoError):
            if _differ(rules, other, less, given):
                position = less
    known = Game(rules, position).process(given).turns[0].resolution.outcomes
    kept: dict[Power, tuple[str, ...]] = {}
    for outcome in known:
        if outcome.order is not None and outcome.unit is not None and outcome.cause.reason != "civil disorder":
            kept[outcome.power] = (*kept.get(outcome.power, ()), str(outcome.order))
    return position, kept


def _differ(rules: Rules, other: Rules, position: Position, orders: Mapping[Power, Sequence[str]]) -> bool:
    one, two = (Game(by, position).process(orders).position for by in (rules, other))
    return one.units != two.units or [d.unit for d in one.dislodged] != [d.unit for d in two.dislodged]


def _nearby(outcomes: Sequence[Outcome], units: set[Unit]) -> list[Outcome]:
    """Return the outcomes of units whose orders concern the places in which positions differ."""
    places = {unit.space for unit in units}

    def concerns(order: Order | None) -> bool:
        if isinstance(order, Move | Support) and order.to is not None and order.to.space in places:
            return True
        return isinstance(order, Support) and order.other.location.space in places

    return [one for one in outcomes if one.unit is not None and (one.unit.space in places or concerns(one.order))]

"""The quality of finished plans: how often orders of one power contradict each other or give something away; pure."""

from collections.abc import Sequence
from dataclasses import dataclass, fields

from plenipo.engine.calendar import PhaseKind
from plenipo.engine.dice import Dice
from plenipo.engine.history.game import Game
from plenipo.engine.orders import Hold, Move, Order, Support
from plenipo.engine.outcome import Outcome, Reason, Resolution, Result
from plenipo.engine.position import Power
from plenipo.engine.reading.plan_check import DoubtKind, doubts
from plenipo.engine.rules import Rules

__all__ = ["PlanQuality", "measure_game", "measure_plan"]

CONTRADICTIONS = frozenset({DoubtKind.OTHER_SUPPORT, DoubtKind.IDLE_CONVOY, DoubtKind.NO_CONVOY})
SELF_BLOCKS = frozenset({DoubtKind.OCCUPIED, DoubtKind.SWAP, DoubtKind.SAME_PLACE})


@dataclass(frozen=True, slots=True)
class PlanQuality:
    """Counts over the plans of one or more movements."""

    plans: int = 0
    doubted: int = 0
    """Plans that fail the plan check of the page."""
    contradictions: int = 0
    """Supports, convoys and moves by sea that another order of the same power contradicts."""
    self_blocks: int = 0
    """Orders that own units are certain to stop: into an own unit that stays, past each other, to one place."""
    moves: int = 0
    failed: int = 0
    stopped_by_own: int = 0
    """Failed moves that a unit of the same power stopped, whether or not it was to be expected."""
    supports: int = 0
    attacks: int = 0
    """Moves into a space where a unit of another power was not ordered to move."""
    lone_attacks: int = 0
    """Those of them that no unit supported."""
    centres_left: int = 0
    """Own centres that a unit left and another power entered, although the unit would have kept it by holding."""

    def __add__(self, other: "PlanQuality") -> "PlanQuality":
        return PlanQuality(*(getattr(self, one.name) + getattr(other, one.name) for one in fields(self)))


def measure_game(game: Game) -> PlanQuality:
    """Return the counts over all movements and powers of a game."""
    total = PlanQuality()
    for turn in game.turns:
        before = turn.resolution.before
        if before.phase.kind is PhaseKind.MOVEMENT:
            for power in game.rules.names:
                if before.units_of(power):
                    total += measure_plan(game.rules, turn.resolution, power)
    return total


def measure_plan(rules: Rules, resolution: Resolution, power: Power) -> PlanQuality:
    """Return the counts for the orders that one power had in a movement."""
    own = [one for one in resolution.outcomes if one.power == power and one.order is not None and one.unit is not None]
    orders = [outcome.order for outcome in own if outcome.order is not None]
    doubted = doubts(rules, resolution.before, power, orders)
    supported = {
        (outcome.order.other.location.space, outcome.order.to.space if outcome.order.to else None)
        for outcome in resolution.outcomes
        if isinstance(outcome.order, Support)
    }
    moves = [outcome for outcome in own if isinstance(outcome.order, Move)]
    attacks = [outcome for outcome in moves if _is_attack(resolution, outcome)]
    lone = [outcome for outcome in attacks if _way_of(outcome) not in supported]
    return PlanQuality(
        plans=1,
        doubted=bool(doubted),
        contradictions=sum(doubt.kind in CONTRADICTIONS for doubt in doubted),
        self_blocks=sum(doubt.kind in SELF_BLOCKS for doubt in doubted),
        moves=len(moves),
        failed=sum(outcome.result is not Result.MOVES for outcome in moves),
        stopped_by_own=sum(_is_stopped_by_own(outcome) for outcome in moves),
        supports=sum(isinstance(order, Support) for order in orders),
        attacks=len(attacks),
        lone_attacks=len(lone),
        centres_left=_count_centres_left(rules, resolution, power, moves),
    )


def _way_of(outcome: Outcome) -> tuple[str, str]:
    order = outcome.order
    assert isinstance(order, Move)  # noqa: S101  # callers pass moves alone
    return order.unit.location.space, order.to.space


def _is_attack(resolution: Resolution, outcome: Outcome) -> bool:
    """Return whether a move goes to where a unit of another power was not ordered to move."""
    met = resolution.before.unit_at(outcome.order.to.space) if isinstance(outcome.order, Move) else None
    if met is None or met.power == outcome.power:
        return False
    return not any(other.unit == met and isinstance(other.order, Move) for other in resolution.outcomes)


def _is_stopped_by_own(outcome: Outcome) -> bool:
    if outcome.result is Result.MOVES:
        return False
    own = any(unit.power == outcome.power for unit in outcome.cause.by)
    return outcome.cause.reason is Reason.OWN_UNIT or own


def _count_centres_left(rules: Rules, resolution: Resolution, power: Power, moves: Sequence[Outcome]) -> int:
    """Return how many centres of a power were left to another that a hold would have kept, by adjudicating again."""
    before, after = resolution.before, resolution.after
    count = 0
    for outcome in moves:
        unit = outcome.unit
        if unit is None or outcome.result is not Result.MOVES or before.owners.get(unit.space) != power:
            continue
        entered = after.unit_at(unit.space)
        if entered is None or entered.power == power:
            continue
        order_sets = _list_order_sets(resolution)
        order_sets[power] = [Hold(unit.ref) if order == outcome.order else order for order in order_sets.get(power, ())]
        again = Game(rules, before, dice=Dice(bytes(32))).adjudicate(order_sets)
        count += isinstance(again, Resolution) and again.after.unit_at(unit.space) == unit
    return count


def _list_order_sets(resolution: Resolution) -> dict[Power, list[Order]]:
    order_sets: dict[Power, list[Order]] = {}
    for outcome in resolution.outcomes:
        if outcome.order is not None:
            order_sets.setdefault(outcome.power, []).append(outcome.order)
    return order_sets

"""The goals of puzzles, and whether a movement reaches one; pure."""

from collections.abc import Collection, Mapping, Sequence
from enum import StrEnum
from typing import NamedTuple

from plenipo.engine.board import Board, Code
from plenipo.engine.calendar import PhaseKind
from plenipo.engine.facts import CENTRE
from plenipo.engine.hooks import RuleModule
from plenipo.engine.orders import Convoy, Hold, Move, Order, Support
from plenipo.engine.phases.movement import NO, YES, MovementSolver
from plenipo.engine.position import Position, Power, Unit
from plenipo.engine.rules import Rules
from plenipo.engine.sentences import Sentence, SentenceKind
from plenipo.errors import PlenipoError

__all__ = ["Goal", "GoalKind", "NoPuzzles", "check_rules", "places_of", "reaches", "settles_ownership"]

_TAKE = SentenceKind("puzzle-take", "Take {centre}, whatever the others order.")
_SAVE = SentenceKind("puzzle-save", "Keep {centre}, whatever the others order.")
_WIN = SentenceKind("puzzle-win", "Win the game, whatever the others order.")
_NO_PUZZLES = SentenceKind("puzzle-rules", "'{variant}' has no puzzles of this kind: {reason}.")
_SECRETS = SentenceKind("puzzle-secrets", "its players do not see everything")()
_CAPTURES = SentenceKind("puzzle-captures", "a unit in a centre does not always take it")()
_ORDERS = SentenceKind("puzzle-orders", "not every power orders its own units freely")()
_CROSSINGS = SentenceKind("puzzle-crossings", "moves meet outside the spaces")()


class NoPuzzles(PlenipoError):  # noqa: N818  # an exception is named after what is wrong
    """The rules of a variant do not allow the proofs of this module; the message says why."""


class GoalKind(StrEnum):
    """The kind of a goal."""

    TAKE = "take"
    """A unit of the power is in the centre, which it does not own yet."""
    SAVE = "save"
    """A unit of the power is in a centre that it owns and could lose."""
    WIN = "win"
    """The power has as many centres as the victory takes."""


class Goal(NamedTuple):
    """A goal in the last movement before centres change hands; `centre` is None for a victory."""

    kind: GoalKind
    centre: Code | None = None

    def __str__(self) -> str:
        return f"{self.kind} {self.centre}" if self.centre else str(self.kind)

    @classmethod
    def from_text(cls, text: str) -> "Goal":
        """Return the goal that `str` writes as `text`; raise `ValueError` for anything else."""
        kind, _, centre = text.partition(" ")
        return cls(GoalKind(kind), Code(centre) if centre else None)

    def sentence(self, board: Board) -> Sentence:
        """Return the goal as a sentence to the player."""
        if self.centre is None:
            return _WIN()
        return (_TAKE if self.kind is GoalKind.TAKE else _SAVE)(centre=board.spaces[self.centre].name)


def check_rules(rules: Rules) -> None:
    """Raise `NoPuzzles` for rules under which a movement alone does not decide who has a centre."""
    facts = rules.facts
    reason = next(
        (
            reason
            for reason, found in (
                (_SECRETS, rules.has_secrets),
                (_CAPTURES, facts.delay or facts.capturing or rules.overriding[RuleModule.captures]),
                (_ORDERS, rules.commanded or rules.overriding[RuleModule.budget] or rules.unplayed_powers),
                (_CROSSINGS, facts.movement.ways or facts.movement.crossings),
            )
            if found
        ),
        None,
    )
    if reason is not None:
        raise NoPuzzles(_NO_PUZZLES(variant=rules.variant, reason=reason))


def settles_ownership(rules: Rules, position: Position) -> bool:
    """Return whether a position is a movement after which, retreats apart, centres change hands."""
    if position.phase.kind is not PhaseKind.MOVEMENT or position.winners:
        return False
    for phase in rules.calendar.after(position.phase):
        if phase.kind in (PhaseKind.MOVEMENT, PhaseKind.OWNERSHIP):
            return phase.kind is PhaseKind.OWNERSHIP
    return False


def places_of(order: Order) -> frozenset[Code]:
    """Return the spaces in which an order can have an effect, apart from the one where the unit stands."""
    match order:
        case Move(to=to) | Convoy(to=to):
            return frozenset({to.space})
        case Support(other=other, to=to):
            return frozenset({(to or other.location).space})
        case Hold():
            return frozenset()
    return frozenset()


def centres_to_win(rules: Rules) -> int | None:
    """Return the number of centres that wins, None where something else does."""
    victory = rules.victory
    return victory.enough if victory.noun == CENTRE and not victory.ways else None


class Reached(NamedTuple):
    """The verdict on a goal: reached for `sure`, whatever the retreats; or `perhaps`, with retreats that help."""

    sure: bool
    perhaps: bool


def reaches(rules: Rules, position: Position, power: Power, goal: Goal, solver: MovementSolver) -> Reached:
    """Return whether a movement, as it was adjudicated, reaches a goal of `power`."""
    after: dict[Code, Power] = {}
    dislodged: list[Unit] = []
    for i, unit in enumerate(position.units):
        to = solver.dest[i]
        if to is not None and solver.move[i] == YES:
            after[to] = unit.power
        elif solver.dislodgement(i) == NO:
            after.setdefault(unit.space, unit.power)
        else:
            dislodged.append(unit)
    board = rules.board_at(position)

    def near(units: Collection[Unit], centre: Code) -> bool:
        return any(to.space == centre for unit in units for to in board.steps(unit.kind, unit.location))

    own = [unit for unit in dislodged if unit.power == power]
    if goal.centre is not None and goal.kind is GoalKind.TAKE:
        there = after.get(goal.centre)
        return Reached(there == power, there == power or (there is None and near(own, goal.centre)))
    if goal.centre is not None:
        there = after.get(goal.centre)
        return Reached(there == power, there in (None, power))
    foreign = [unit for unit in position.units if unit.power != power]
    sure = perhaps = 0
    for centre in board.centres:
        there, owned = after.get(centre), position.owners.get(centre) == power
        sure += there == power or (owned and there is None and not near(foreign, centre))
        perhaps += there == power or (there is None and (owned or near(own, centre)))
    needed = centres_to_win(rules)
    return Reached(needed is not None and sure >= needed, needed is not None and perhaps >= needed)


def list_replies(
    legal: Mapping[Unit, Sequence[Order]], power: Power, places: frozenset[Code], orders: Mapping[Unit, Order]
) -> dict[Unit, tuple[Order, ...]]:
    """Return the orders of other powers that can matter to orders of `power` for a goal in some places.

    These are all orders with an effect where one of these `orders` has one, where its unit stands, or in the `places`
    of the goal; and all moves of units that stand there. An order without such an effect could only take strength from
    those that have one, and a unit can as well hold instead.
    """
    ground = places | {unit.space for unit in orders}
    ground = ground.union(*map(places_of, orders.values()))
    replies: dict[Unit, tuple[Order, ...]] = {}
    for unit, offered in legal.items():
        if unit.power != power:
            matters = tuple(
                order
                for order in offered
                if places_of(order) & ground or (unit.space in ground and isinstance(order, Move))
            )
            if matters:
                replies[unit] = matters
    return replies

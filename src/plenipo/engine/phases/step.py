"""One step of a game, as a pure function from a position and orders to a resolution with the next position."""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple

from plenipo.engine.board import Board, Code
from plenipo.engine.budgets import PowerBudgets
from plenipo.engine.calendar import Phase, PhaseKind
from plenipo.engine.changes import Closed, Split
from plenipo.engine.dice import Dice, DrawSource
from plenipo.engine.events import GAME_WON, UNIT_DISBANDED, Event, Refusal, RefusalCode
from plenipo.engine.hooks import Adjudication, Effects, RuleModule, SplitUnit
from plenipo.engine.immutable import EMPTY
from plenipo.engine.orders import NOTICES, Choose, Convert, Declare, Enter, Hold, Move, MovementOrder, Order, Promise
from plenipo.engine.outcome import Cause, MovementResult, Outcome, Reason, Resolution, Result, Waiting
from plenipo.engine.phases import (
    adjustments,
    choosing,
    combining,
    converting,
    delays,
    explain,
    movement,
    ownership,
    ownership_history,
    retreats,
    victory,
)
from plenipo.engine.phases.commands import list_served_powers, merge_order_sets, owner
from plenipo.engine.phases.explain import Written
from plenipo.engine.phases.legality import CheckedOrder, Legality
from plenipo.engine.phases.movement import NO, NOTHING, YES, MovementSolver
from plenipo.engine.position import GAME_MASTER, Dislodged, Position, Power, Unit
from plenipo.engine.rules import Rules
from plenipo.engine.sentences import SentenceKind, Series, join_sentences
from plenipo.errors import GameOver, ImpossiblePosition, InvalidPhase, MissingDraw, PhaseNotOver

__all__ = [
    "DrawProgress",
    "MovementAdjudicator",
    "OrderSets",
    "SortedOrders",
    "Written",
    "adjudicate",
    "adjudicate_movement",
    "advance",
    "drawn_by_hand",
    "had_nowhere",
    "process",
    "resolve_adjustments",
    "sort_unit_orders",
]

OrderSets = Mapping[Power, Sequence[Order]]
"""The orders of each power, in the order they were given."""


MovementAdjudicator = Callable[[Rules, Position, Sequence[MovementOrder | None], Sequence[Written]], MovementResult]
"""An adjudicator of movement: takes a legal order and one as written for each unit, and returns the results."""


class DrawProgress(NamedTuple):
    """The progress of the game master with the draws of a phase.

    `made` are the results that count, by the labels under which they are entered, in the order of the draws. `due` is
    the draw that is missing, or the result that is impossible; None if nothing is left to draw.
    """

    made: Mapping[str, str] = EMPTY
    due: MissingDraw | None = None


class SortedOrders(NamedTuple):
    """Orders for units, checked in a position: the legal ones, completed, and the illegal ones with the reason."""

    legal: Mapping[Code, Order]
    illegal: Mapping[Code, tuple[Order, str]]
    refusals: Sequence[Refusal]


_HAD_NOWHERE = SentenceKind("had-nowhere", "{unit} of {power} was disbanded: it had nowhere to retreat to.")
_IGNORED = SentenceKind("order-ignored", "{power}: '{order}' was ignored: {reason}")
_IS_ILLEGAL = SentenceKind("order-illegal", "{power}: '{order}' is illegal: {reason}")
_NOT_PLAYED = SentenceKind("not-played", "No player has {power}: its units follow their standing orders.")
_CHOSE = SentenceKind("chose", "{power} chose {unit}.")
_NO_ROOM = SentenceKind("no-room", "{power}: {reason}")
_MUST_DRAW = SentenceKind("must-draw", "The game master must draw: {reason}")
_OVER = SentenceKind("game-over", "The game is over: {powers} won.")
_NO_ORDERS_IN = SentenceKind("no-orders-in", "'{phase}' is settled by the rules alone and takes no orders.")
_NOT_DUE = SentenceKind("draw-not-due", "nothing was to be drawn for '{label}'.")
_NOT_WHILE_DRAWING = SentenceKind("not-while-drawing", "no power orders units while slips are drawn.")()
_CHOICES_MISSING = SentenceKind("choices-missing", "The choices of {powers} are still missing.")
_CHOICE_REPLACED = SentenceKind("choice-replaced", "a later choice took its place.")()
_ORDER_TEXT = SentenceKind("order-text", "'{order}'", note="An order in quotation marks.")
_TWO_GIVEN = SentenceKind("two-given", "two orders were given to it, {orders}.")
_NO_VALID_ORDER = SentenceKind("no-valid-order", "{power}: {unit} has no valid order: {reason}")
_TWO_ORDERS = {
    which: SentenceKind(f"{which}-counts", f"{{power}}: {{unit}} was given {{orders}}; the {which} counts.")
    for which in ("first", "last")
}


def adjudicate_movement(
    rules: Rules, position: Position, orders: Sequence[MovementOrder | None], written: Sequence[Written]
) -> MovementResult:
    """Adjudicate a movement by `plenipo.engine.phases.movement`, with causes and sentences."""
    solver = movement.resolve(rules.board_at(position), rules.rulebook, position.units, orders, rules.facts.movement)
    outcomes = explain.outcomes(solver, written, position.units)
    # a convoyed attacker came over the water, not from its space (policy 4.A.5)
    attackers = {solver.at[outcome.dislodged_by.location.space] for outcome in outcomes if outcome.dislodged_by}
    whole_of = {part: rest for rest, part in solver.parts.items()}
    return MovementResult(
        outcomes,
        frozenset(i for i in range(len(position.units)) if solver.move[solver.parts.get(i, i)] == YES),
        frozenset(i for i in attackers if solver.by_sea(i) == YES),
        _find_contested(solver),
        {j: whole_of.get(i, i) for i, j in solver.joins.items() if solver.move[i] == YES},
    )


def process(
    rules: Rules,
    position: Position,
    order_sets: OrderSets,
    dice: Dice | None = None,
    adjudicator: MovementAdjudicator = adjudicate_movement,
) -> Resolution:
    """Adjudicate a phase that can end with these orders, as `adjudicate` does.

    Raises `PhaseNotOver` if it cannot end.
    """
    resolution = adjudicate(rules, position, order_sets, dice, adjudicator)
    if isinstance(resolution, Waiting):
        raise PhaseNotOver(resolution.sentence, resolution.powers)
    return resolution


def adjudicate(
    rules: Rules,
    position: Position,
    order_sets: OrderSets,
    dice: Dice | None = None,
    adjudicator: MovementAdjudicator = adjudicate_movement,
) -> Resolution | Waiting:
    """Return the resolution of the phase of `position`, or the reason it waits; `dice` decide random results.

    Orders that are illegal or for units of others are among the `refusals`; the units concerned hold (movement) or
    are disbanded (retreats). Two different orders for one unit fall under policy 4.D.3.
    A movement is adjudicated by `adjudicator`; another than `adjudicate_movement` must return the same outcomes.
    Raises `GameOver`, `InvalidPhase` if the phase takes no orders, and `ImpossiblePosition` if the position
    contradicts its board.
    """
    step = _Step(rules, position, dice, adjudicator)
    try:
        step.sort(order_sets)
        waiting = step.adjudicate()
    except MissingDraw as missing:
        waiting = Waiting(position, (GAME_MASTER,), _MUST_DRAW(reason=missing.sentence))
    if waiting:
        return replace(waiting, refusals=tuple(step.refusals))
    step.refuse_unused_draws()
    return Resolution(
        step.before,
        tuple(step.outcomes),
        step.position,
        tuple(step.events),
        tuple(step.refusals),
        tuple(step.source.drawn),
    )


def sort_unit_orders(rules: Rules, position: Position, order_sets: OrderSets) -> SortedOrders:
    """Return the orders of a movement or retreat phase by the spaces of their units, as `adjudicate` sorts them."""
    step = _Step(rules, position, None, adjudicate_movement)
    step.sort(order_sets)
    orders = _UnitOrders(step)
    return SortedOrders(orders.legal, orders.illegal, step.refusals)


def resolve_adjustments(
    rules: Rules, position: Position, order_sets: OrderSets, powers: Collection[Power]
) -> tuple[Mapping[Power, Sequence[Outcome]], Sequence[Refusal]]:
    """Return the outcomes of these powers in an adjustment phase, and the refusals, as `adjudicate` has them.

    The powers must not build where others may.
    """
    step = _Step(rules, position, None, adjudicate_movement)
    step.sort(order_sets)
    found = {power: step.adjust(power)[0] for power in _powers(rules, position) if power in powers}
    return found, step.refusals


def drawn_by_hand(rules: Rules, position: Position, order_sets: OrderSets) -> DrawProgress:
    """Return the draws that the game master has entered for the phase of `position`, and the next one that is due.

    The phase is run as `adjudicate` runs it, so that both agree on the draws; the result is discarded. Empty where
    draws are not physical, and when the game is over. Raises as `adjudicate` does.
    """
    if not rules.draws_by_hand or position.winners:
        return DrawProgress()
    step = _Step(rules, position, None, adjudicate_movement)
    due: MissingDraw | None = None
    try:
        step.sort(order_sets)
        step.adjudicate()
    except MissingDraw as missing:
        due = missing
    source = step.source
    return DrawProgress({draw.label.removeprefix(f"{source.where}|"): draw.result for draw in source.drawn}, due)


def advance(rules: Rules, position: Position, source: DrawSource | None = None) -> Effects:
    """Advance from a phase that is over to the next one in which a player has something to do.

    Automatic effects are applied on the way (ownership, victory, effects of rule modules), and phases in which no
    player has anything to do are skipped. Random results are drawn from `source`, and are logged in it.
    """
    progress = _Progress(rules, position, source or DrawSource(_where(position.phase)))
    progress.advance()
    return Effects(progress.position, tuple(progress.events), tuple(progress.outcomes))


def had_nowhere(unit: Unit) -> Event:
    """Return the event that a dislodged unit was disbanded, since neither it nor any other could retreat."""
    why = _HAD_NOWHERE(unit=unit, power=unit.power)
    return Event(UNIT_DISBANDED, why, (unit.power,), (unit.space,), (unit,))


def _where(phase: Phase) -> str:
    """Return the prefix of the labels of draws of a phase; those of a turn have one prefix, whichever phase ends it."""
    return str(phase) if phase.kind is PhaseKind.CHOICE else phase.when


def _find_contested(solver: MovementSolver) -> frozenset[Code]:
    """Return the spaces into which a move failed that was strong enough to prevent others."""
    return frozenset(
        dest
        for i, dest in enumerate(solver.dest)
        if dest is not None and solver.move[i] == NO and solver.prevent(i)[0] != NOTHING
    )


def _powers(rules: Rules, position: Position) -> tuple[Power, ...]:
    others = {unit.power for unit in position.units} | {
        power for power in rules.unplayed_powers if position.survives(power)
    }
    return (*rules.names, *sorted(others - set(rules.names)))


class _Progress:
    """A position on its way from phase to phase, and all events on the way."""

    def __init__(self, rules: Rules, position: Position, source: DrawSource) -> None:
        self.rules = rules
        self.position = position
        self.source = source
        self.events: list[Event] = []
        self.outcomes: list[Outcome] = []

    def take(self, effects: Effects) -> None:
        """Apply the effects of a module; if it changed the board, the slots of all modules follow."""
        before, self.position = self.position, effects.position
        self.events.extend(effects.events)
        self.outcomes.extend(effects.outcomes)
        if effects.position.changes is before.changes:
            return
        known, now = before.changes, effects.position.changes
        goes_on = now[: len(known)] == known
        for change in now[len(known) :] if goes_on else [change for change in now if change not in known]:
            if isinstance(change, Closed):
                for module in self.rules.overriding[RuleModule.space_lost]:
                    self.take(module.space_lost(self.rules, self.position, change.space))
            elif isinstance(change, Split):
                units = _split_units(before, effects.position, change)
                for module in self.rules.overriding[RuleModule.space_split]:
                    self.take(module.space_split(self.rules, self.position, change, units))

    def after_phase(self, phase: Phase) -> None:
        if phase.kind is PhaseKind.CHOICE and self.rules.facts.delay:
            self.position = delays.after_choice(self.rules, self.position, phase)
        capturing = self.rules.facts.capturing
        if capturing and phase.kind in (PhaseKind.MOVEMENT, PhaseKind.RETREATS):
            self.position = ownership_history.note(self.rules, self.position)
            if capturing.raids:
                self.take(ownership.raid(self.rules, self.position, capturing.raids, phase))
        for module in self.rules.overriding[RuleModule.after_phase]:
            self.take(module.after_phase(self.rules, self.position, phase, self.source))

    def advance(self) -> None:
        self.after_phase(self.position.phase)
        if self.check_victory(self.position.phase):
            return
        for phase in self.rules.calendar.after(self.position.phase):
            if phase.kind is PhaseKind.OWNERSHIP:
                if self.settle(phase):
                    return
            elif not self.is_idle(phase) and self.has_work(there := self.position.in_phase(phase)):
                self.position = there
                return
            if phase.kind is PhaseKind.RETREATS and self.position.dislodged:
                self.disband()
            self.after_phase(phase)
            if phase.kind is not PhaseKind.OWNERSHIP and self.check_victory(phase):
                return

    def disband(self) -> None:
        """Disband the dislodged units, none of which can retreat anywhere."""
        for unit, _, _ in self.position.dislodged:
            self.events.append(had_nowhere(unit))
        self.position = replace(self.position, dislodged=(), contested=frozenset())

    def settle(self, phase: Phase) -> bool:
        """Update the ownership of centres; return whether a power has won with it."""
        self.take(ownership.settle(self.rules, self.position, phase))
        for module in self.rules.overriding[RuleModule.after_ownership]:
            self.take(module.after_ownership(self.rules, self.position, phase))
        return self.check_victory(phase)

    def check_victory(self, phase: Phase) -> bool:
        """Check the victory conditions now that `phase` is over; return whether a power has won."""
        self.position, verdict = victory.look(self.rules, self.position, phase)
        if verdict.powers:
            self.events.append(Event(GAME_WON, verdict.why, verdict.powers))
            self.position = replace(self.position, phase=phase, winners=verdict.powers)
        return bool(verdict.powers)

    def is_idle(self, phase: Phase) -> bool:
        """Return whether a phase is skipped whatever the rules say: a retreat phase without dislodged units."""
        return phase.kind is PhaseKind.RETREATS and not self.position.dislodged

    def has_work(self, position: Position) -> bool:
        """Return whether the phase of `position` takes place: movements always do, others if any player can act."""
        rules, kind = self.rules, position.phase.kind
        if kind is PhaseKind.MOVEMENT:
            return True
        if kind is PhaseKind.DRAWS:
            return rules.draws_by_hand
        if kind is PhaseKind.RETREATS:
            return any(retreats.options(rules, position, dislodged) for dislodged in position.dislodged)
        if kind is PhaseKind.CHOICE:
            modules = rules.overriding[RuleModule.choices]
            return _has_offers(rules, position) or any(
                module.choices(rules, position, power) for module in modules for power in rules.names
            )
        if kind is PhaseKind.ADJUSTMENTS:
            at_work = any(adjustments.possible(rules, position, power) for power in _powers(rules, position))
            return at_work or _has_offers(rules, position) or converting.anyone(rules, position)
        return False


def _has_offers(rules: Rules, position: Position) -> bool:
    """Return whether any power may declare anything in the phase of a position."""
    return any(
        module.offers(rules, position, power) for module in rules.overriding[RuleModule.offers] for power in rules.names
    )


def _split_units(before: Position, after: Position, split: Split) -> tuple[SplitUnit, ...]:
    """Return the unit that was in a space before it was split, and its location now; empty if there was none."""
    unit, first = before.unit_at(split.space), after.unit_at(split.halves[0])
    return (SplitUnit(unit, first, after.unit_at(split.halves[1])),) if unit and first else ()


class _Step(_Progress):
    """A phase during its adjudication: the submitted orders, sorted, and the refusals."""

    def __init__(self, rules: Rules, position: Position, dice: Dice | None, adjudicator: MovementAdjudicator) -> None:
        if position.winners:
            raise GameOver(_OVER(powers=position.winners))
        self.legality = Legality(rules, position, assigned=True)
        self.unplayed, by_hand = rules.unplayed_powers, rules.draws_by_hand
        self.board = self.legality.board
        if not position.known_sound(self.board):
            fault = next(position.faults(self.board), None)
            if fault:
                raise ImpossiblePosition(fault)
            position.mark_sound(self.board)
        self.entered: dict[str, str] = {}
        source = DrawSource(_where(position.phase), dice, self.entered if by_hand else None)
        super().__init__(rules, position, source)
        self.before = position
        self.adjudicator = adjudicator
        self.orders: dict[Power, list[Order]] = {}
        self.promises: dict[Power, list[Promise]] = {}
        self.declared: dict[Power, list[Declare]] = {}
        self.refusals: list[Refusal] = []

    def adjudicate(self) -> Waiting | None:
        """Adjudicate up to the next phase; return the missing part where the phase cannot end yet.

        Raises `MissingDraw` where physical draws are entered and a result is missing.
        """
        phases: Mapping[PhaseKind, Callable[[], Waiting | None]] = {
            PhaseKind.CHOICE: self._choice,
            PhaseKind.MOVEMENT: self._movement,
            PhaseKind.RETREATS: self._retreats,
            PhaseKind.ADJUSTMENTS: self._adjustments,
            PhaseKind.DRAWS: self._draws,
        }
        phase = phases.get(self.position.phase.kind)
        if phase is None:
            raise InvalidPhase(_NO_ORDERS_IN(phase=self.position.phase))
        waiting = phase()
        if self.position.changes == self.before.changes and self.before.phase.kind is not PhaseKind.CHOICE:
            # units keep their locations or go where they can, and no two are in one space
            self.position.mark_sound(self.legality.board)
        return waiting

    # Submitted orders and notices

    def sort(self, order_sets: OrderSets) -> None:
        """Separate the orders from the accepted notices."""
        self.orders = {power: list(order_set) for power, order_set in self._that_count(order_sets).items()}

    def _that_count(self, order_sets: OrderSets) -> Mapping[Power, Sequence[Order]]:
        """Return the orders that count, by the powers they are for; the notices among `order_sets` are processed."""
        by_author: OrderSets = self._without_notices(order_sets)
        if self.rules.commanded:
            by_author = self._assign_orders(by_author)
        for module in self.rules.overriding[RuleModule.order_sets]:
            by_author, self.position = module.order_sets(
                self.rules, self.position, by_author, self.declared, self.source
            )
        return by_author

    def _assign_orders(self, order_sets: OrderSets) -> dict[Power, list[Order]]:
        """Return the orders by the power whose units they are for; several authors of a power make one order set."""
        rules, position = self.rules, self.position
        written = Legality(rules, position)
        parted: dict[Power, dict[Power, list[Order]]] = {}
        for author, order_set in order_sets.items():
            for order in order_set:
                checked = written.check(author, order)
                if checked.code is RefusalCode.NOT_YOURS:
                    self.refuse(checked.code, author, order, checked.reason)
                    continue
                power = owner(rules, position, author, order)
                if power is None:
                    mine = list_served_powers(rules, position, author) or (author,)
                    power = next((one for one in mine if self.legality.check(one, order).order is not None), mine[0])
                parted.setdefault(power, {}).setdefault(author, []).append(order)
        orders: dict[Power, list[Order]] = {}
        for power, by_author in parted.items():
            orders[power], events = merge_order_sets(rules, position, power, by_author, self.source)
            self.events += events
        return orders

    def _without_notices(self, order_sets: OrderSets) -> dict[Power, list[Order]]:
        """Return the orders of `order_sets` by their authors, without the notices submitted beside them."""
        by_author: dict[Power, list[Order]] = {}
        for power, order_set in order_sets.items():
            if power in self.unplayed:
                why = _NOT_PLAYED(power=power)
                self.refusals.append(Refusal(RefusalCode.NOT_PLAYED, why, power))
                continue
            orders = by_author[power] = []
            for order in order_set:
                if not isinstance(order, NOTICES):
                    orders.append(order)
                elif (checked := self.legality.check(power, order)).order is None:
                    self.refuse(checked.code, power, order, checked.reason)
                elif isinstance(order, Enter):
                    self.entered[order.label] = order.result
                elif isinstance(order, Promise):
                    self.promises.setdefault(power, []).append(order)
                elif isinstance(checked.order, Declare):
                    self.declared.setdefault(power, []).append(checked.order)
        return by_author

    def refuse(self, code: RefusalCode, power: Power, order: Order, reason: str) -> None:
        """Record that `order` was not accepted."""
        self.refusals.append(Refusal(code, _IGNORED(power=power, order=order, reason=reason), power, str(order)))

    def refuse_unused_draws(self) -> None:
        """Record each entered draw that was not due."""
        made = {draw.label.casefold() for draw in self.source.drawn}
        for label, result in self.entered.items():
            if f"{self.source.where}|{label}".casefold() not in made:
                why = _NOT_DUE(label=label)
                self.refuse(RefusalCode.NOT_DRAWN, GAME_MASTER, Enter(label, result), why)

    def go_on(self) -> None:
        """Apply the further effects of the orders of the phase, and then advance to the next phase."""
        outcomes = tuple(self.outcomes)
        for module in self.rules.overriding[RuleModule.after_orders]:
            self.take(module.after_orders(self.rules, self.adjudication(self.before, outcomes)))
        self.advance()

    def adjudication(self, before: Position, outcomes: tuple[Outcome, ...]) -> Adjudication:
        """Return the results so far of the orders given in `before`, for the rule modules."""
        return Adjudication(before, outcomes, self.position, self.promises, self.declared, self.source)

    # Movement

    def _movement(self) -> None:
        rules, position = self.rules, self.position
        orders = _UnitOrders(self)
        if rules.overriding[RuleModule.unit_as_named]:
            units = tuple(orders.units.get(unit.location.space, unit) for unit in position.units)
            position = replace(position, units=units)
        legal, written = orders.of_movement(position)
        result = self.adjudicator(rules, position, legal, written)
        moved = self._with_pending(_apply_moves(self.legality.board, rules, position, legal, result))
        outcomes, self.position = _without_lost(rules, position, result.outcomes, moved)
        self.outcomes += [
            _with_retreats(rules, self.position, outcome) if outcome.dislodged_by else outcome for outcome in outcomes
        ]
        of_units = tuple(self.outcomes)
        for module in rules.overriding[RuleModule.after_moves]:
            self.take(module.after_moves(rules, self.adjudication(position, of_units)))
        self.go_on()

    def _with_pending(self, moved: Position) -> Position:
        """Return `moved` with the units that were dislodged in an earlier movement and have not retreated yet.

        Where another is dislodged from the same space, the one that waited cannot retreat and is disbanded.
        """
        anew = {dislodged.unit.space for dislodged in moved.dislodged}
        for waiting in self.position.dislodged:
            if waiting.unit.space in anew:
                self.events.append(had_nowhere(waiting.unit))
        kept = [waiting for waiting in self.position.dislodged if waiting.unit.space not in anew]
        return replace(moved, dislodged=(*moved.dislodged, *kept)) if kept else moved

    def _draws(self) -> None:
        """Apply the effects of the physical draws."""
        for power, orders in self.orders.items():
            for order in orders:
                self.refuse(RefusalCode.NOT_NOW, power, order, _NOT_WHILE_DRAWING)
        self.go_on()

    def _retreats(self) -> None:
        legal = _UnitOrders(self).legal
        orders = [(dislodged, legal.get(dislodged.unit.space)) for dislodged in self.position.dislodged]
        outcomes, units = retreats.resolve(self.position, orders)  # type: ignore[arg-type]  # only retreats are legal here
        self.outcomes += outcomes
        self.position = replace(self.position, units=units, dislodged=(), contested=frozenset())
        self.go_on()

    def _choice(self) -> Waiting | None:
        """Reveal all choices together; as long as the phase waits for a power, nothing happens."""
        rules, legal = self.rules, {power: self._choices_of(power) for power in self.orders}
        modules = rules.overriding[RuleModule.missing_choices]
        missing = [power for module in modules for power in module.missing_choices(rules, self.position, legal)]
        if missing:
            return Waiting(self.before, tuple(missing), _CHOICES_MISSING(powers=Series(missing)))
        self.outcomes += [
            Outcome(power, None, choice, Result.CHOSEN, Cause(Reason.ORDERED), _CHOSE(power=power, unit=choice.unit))
            for power, choices in legal.items()
            for choice in choices
        ]
        for module in rules.overriding[RuleModule.after_choices]:
            self.take(module.after_choices(rules, self.position, legal, self.source))
        self.go_on()
        return None

    def _choices_of(self, power: Power) -> list[Choose]:
        """Return the compatible legal choices of a power, without those that a later one replaces."""
        choices: list[Choose] = []
        for order in self.orders[power]:
            checked = self.legality.check(power, order)
            code, reason = checked.code, checked.reason
            if isinstance(checked.order, Choose):
                code = RefusalCode.NOT_TOGETHER
                reason = self.legality.why_not_together(power, [*choices, checked.order])
            if isinstance(checked.order, Choose) and not reason:
                choices.append(checked.order)
            else:
                self.refuse(code, power, order, reason)
        for choice in choosing.list_replaced_choices(self.legality, power, choices):
            choices.remove(choice)
            self.refuse(RefusalCode.REPLACED, power, choice, _CHOICE_REPLACED)
        return choices

    def _adjustments(self) -> None:
        units: list[Unit] = []
        for power in _powers(self.rules, self.position):
            outcomes, left = self.adjust(power)
            self.outcomes += outcomes
            units += left
        outcomes, lost = adjustments.resolve_build_collisions(self.outcomes)
        self.outcomes = list(outcomes)
        self.position = replace(self.position, units=tuple(unit for unit in units if unit not in lost))
        self.go_on()

    def adjust(self, power: Power) -> tuple[tuple[Outcome, ...], tuple[Unit, ...]]:
        """Return the outcomes of the builds and removals of a power, and its units then; refuse illegal ones."""
        legal: list[Order] = []
        for order in self.orders.get(power, ()):
            checked = self.legality.check(power, order)
            if checked.order is None:
                self.refuse(checked.code, power, order, checked.reason)
            else:
                legal.append(checked.order)
        outcomes, left = adjustments.resolve(self.rules, self.position, power, legal)  # type: ignore[arg-type]  # only adjustment orders are legal here
        self.refusals += [
            Refusal(RefusalCode.NO_ROOM, _NO_ROOM(power=power, reason=outcome.why), power, str(outcome.order))
            for outcome in outcomes
            if outcome.result is Result.VOID
        ]
        return outcomes, left


class _UnitOrders:
    """The orders for units, sorted: at most one legal order per unit; refusals are recorded in the step."""

    def __init__(self, step: _Step) -> None:
        self.step = step
        self.legal: dict[Code, Order] = {}
        self.illegal: dict[Code, tuple[Order, str]] = {}
        self.put_off: set[Code] = set()
        """The spaces of units whose legal orders a rule module postpones."""
        self.units: dict[Code, Unit] = {}
        """The units at the locations that their own orders state: these may include the coast."""
        for power, orders in step.orders.items():
            by_space: dict[Code, list[tuple[Order, CheckedOrder]]] = {}
            for order in orders:
                checked = step.legality.check(power, order)
                if checked.unit is None:
                    step.refuse(checked.code, power, order, checked.reason)
                else:
                    by_space.setdefault(checked.unit.location.space, []).append((order, checked))
            account = PowerBudgets(step.rules, step.position, power) if step.legality.pays else None
            for space, several in by_space.items():
                counts = several[0] if len(several) == 1 else self._one_of(power, space, several)
                if counts is None:
                    continue
                order, checked = counts
                if account and checked.order is not None and (unpaid := account.pay(checked.order)):
                    checked = CheckedOrder(None, unpaid, checked.unit, RefusalCode.NO_ROOM)
                if checked.order is not None and checked.unit and (why := self._not_carried_out(checked)):
                    self.illegal[space] = (checked.order, why)
                    self.put_off.add(space)
                    continue
                if checked.order is not None and checked.unit is not None:
                    self.legal[space], self.units[space] = checked.order, checked.unit
                else:
                    self.illegal[space] = (order, checked.reason)
                    why = _IS_ILLEGAL(power=power, order=order, reason=checked.reason)
                    step.refusals.append(Refusal(checked.code, why, power, str(order)))

    def _not_carried_out(self, checked: CheckedOrder) -> str:
        """Return a sentence that says why a rule module prevents an order from being carried out.

        Empty if none does.
        """
        step = self.step
        if step.position.phase.kind is not PhaseKind.MOVEMENT or checked.unit is None or checked.order is None:
            return ""
        for module in step.rules.overriding[RuleModule.why_not_carried_out]:
            why = module.why_not_carried_out(step.rules, step.position, step.declared, checked.unit, checked.order)
            if why:
                return why
        return ""

    def _one_of(
        self, power: Power, space: Code, several: list[tuple[Order, CheckedOrder]]
    ) -> tuple[Order, CheckedOrder] | None:
        """Return the order that counts of several for one unit, by policy 4.D.3; None if none does."""
        policy = self.step.rules.rulebook["4.D.3"]
        order, checked = several[0] if policy == "first" else several[-1]
        texts = dict.fromkeys(str(one) for one, _ in several)
        if len(texts) == 1:
            return order, checked
        listed = tuple(_ORDER_TEXT(order=text) for text in texts)
        if policy == "hold":
            reason = _TWO_GIVEN(orders=listed)
            self.illegal[space] = (order, reason)
            why = _NO_VALID_ORDER(power=power, unit=checked.unit, reason=reason)
        else:
            why = _TWO_ORDERS[policy](power=power, unit=checked.unit, orders=listed)
        self.step.refusals.append(Refusal(RefusalCode.TWO_ORDERS, why, power, ", ".join(texts)))
        return None if policy == "hold" else (order, checked)

    def of_movement(self, position: Position) -> tuple[list[MovementOrder | None], list[Written]]:
        """Return the legal order of each unit, and the one that was written, standing orders included."""
        rules, legality = self.step.rules, self.step.legality
        standing = _standing_orders(rules, position)
        mute = legality.without_orders
        orders: list[MovementOrder | None] = []
        written: list[Written] = []
        for unit in position.units:
            space = unit.location.space
            order = self.legal.get(space)
            if order is None and space in standing:
                order = legality.check(unit.power, standing[space]).order
            orders.append(order)  # type: ignore[arg-type]  # only movement orders are legal in a movement phase
            given, why = (None, mute[space]) if space in mute else self.illegal.get(space, (order, ""))
            written.append(Written(given, why, space in self.put_off))  # type: ignore[arg-type]
        return orders, written


def _standing_orders(rules: Rules, position: Position) -> dict[Code, MovementOrder]:
    """Return the orders of garrisons that are still there and whose partners are."""
    garrisons = rules.facts.garrisons
    there = {unit.space for unit in position.units if unit.power in garrisons} if garrisons else set()
    return {
        space: order
        for garrison in garrisons.values()
        for space, order in garrison.orders.items()
        if space in there and (isinstance(order, Hold) or order.other.location.space in there)
    }


def _apply_moves(
    board: Board, rules: Rules, position: Position, orders: Sequence[MovementOrder | None], result: MovementResult
) -> Position:
    """Return the units in their new places, the dislodged units apart, and the spaces a stand-off left vacant."""
    units: list[Unit] = []
    dislodged: list[Dislodged] = []
    joined = result.joined
    at = {unit.location.space: i for i, unit in enumerate(position.units)}
    for i, (whole, given, outcome) in enumerate(zip(position.units, orders, result.outcomes, strict=True)):
        by = outcome.dislodged_by
        unit, order = whole, given
        part = combining.part_of(board, whole, given) if board.wholes else None
        if i in joined.values() and part is None:
            continue
        if part and i in result.moved and isinstance(given, Move):
            units += [] if i in joined.values() else [part._replace(location=given.to)]
            unit, order = combining.rest_of(board, whole, part.kind), None
        if by is not None:
            open_origin = at[by.location.space] in result.afloat and rules.rulebook["4.A.5"] == "allowed"
            dislodged.append(Dislodged(unit, by, () if open_origin else (by.space,)))
        elif i in joined:
            move = orders[joined[i]]
            mover = combining.part_of(board, position.units[joined[i]], move) or position.units[joined[i]]
            units.append(
                combining.combine_units(board, mover, unit, move.to if isinstance(move, Move) else None) or unit
            )
        elif i in result.moved and isinstance(order, Move):
            units.append(Unit(unit.power, unit.kind, order.to))
        elif isinstance(order, Convert) and outcome.result is Result.CONVERTS:
            units.append(converting.convert_unit(unit, order))
        else:
            units.append(unit)
    taken = {unit.location.space for unit in units}
    return replace(position, units=tuple(units), dislodged=tuple(dislodged), contested=result.contested - taken)


def _without_lost(
    rules: Rules, before: Position, outcomes: tuple[Outcome, ...], moved: Position
) -> tuple[tuple[Outcome, ...], Position]:
    """Destroy the dislodged units that a rule module does not allow to retreat; their outcomes say so."""
    lost: dict[Code, str] = {}
    for dislodged in moved.dislodged:
        if why := retreats.why_none(rules, before, dislodged):
            lost[dislodged.unit.space] = why
    if not lost:
        return outcomes, moved
    said = tuple(
        outcome._replace(said=join_sentences(outcome.why, lost[outcome.unit.space]))
        if outcome.unit and outcome.dislodged_by and outcome.unit.space in lost
        else outcome
        for outcome in outcomes
    )
    return said, replace(moved, dislodged=tuple(d for d in moved.dislodged if d.unit.space not in lost))


def _with_retreats(rules: Rules, after: Position, outcome: Outcome) -> Outcome:
    dislodged = after.dislodged_at(outcome.unit.space) if outcome.unit else None
    return outcome._replace(retreats=retreats.options(rules, after, dislodged)) if dislodged else outcome

"""One step of a game: a position and orders in, a resolution with the next position out; a pure function."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from types import MappingProxyType
from typing import NamedTuple

from plenipo.engine.board import Code
from plenipo.engine.calendar import Phase, PhaseKind
from plenipo.engine.history.dice import Dice, DrawSource
from plenipo.engine.hooks import Effects, Promises, RuleModule
from plenipo.engine.legality import CheckedOrder, Legality
from plenipo.engine.orders import AdjustmentOrder, Choose, Enter, Move, MovementOrder, Order, Promise, RetreatOrder
from plenipo.engine.outcome import Cause, MovementResult, Outcome, Reason, Resolution, Result
from plenipo.engine.phases import adjustments, explain, movement, ownership, retreats, victory
from plenipo.engine.phases.movement import NO, YES, MovementSolver
from plenipo.engine.position import GAME_MASTER, Dislodged, Position, Power, Unit
from plenipo.engine.rules import Rules
from plenipo.errors import InvalidPosition, MissingDraw

__all__ = ["Drawing", "MovementAdjudicator", "Sheets", "Written", "advance", "drawn_by_hand", "explained", "process"]

Sheets = Mapping[Power, Sequence[Order]]
"""The orders of each power, in the order they were given."""


Written = tuple[MovementOrder | None, str]
"""The order of a unit as it was given (None if none was), and why it is illegal (empty if it is not)."""

MovementAdjudicator = Callable[[Rules, Position, Sequence[MovementOrder | None], Sequence[Written]], MovementResult]
"""Who judges a movement: an order that counts and one as it was written for each unit in, what came of it out."""


class Drawing(NamedTuple):
    """How far the game master is with the draws of a phase.

    `made` are the results that count, by the labels he enters them with, in the order of the draws. `due` is the draw
    that is missing, or the result that cannot be; None if nothing is left to draw.
    """

    made: Mapping[str, str] = MappingProxyType({})
    due: MissingDraw | None = None


def explained(
    rules: Rules, position: Position, orders: Sequence[MovementOrder | None], written: Sequence[Written]
) -> MovementResult:
    """Judge a movement by `plenipo.engine.phases.movement`, with causes and sentences."""
    battle = movement.resolve(rules.board_at(position), rules.rulebook, position.units, orders, rules.facts.movement)
    outcomes = explain.outcomes(battle, written)
    # a convoyed attacker came over the water, not from its space (policy 4.A.5)
    attackers = {battle.at[outcome.dislodged_by.space] for outcome in outcomes if outcome.dislodged_by}
    return MovementResult(
        outcomes,
        frozenset(i for i, moved in enumerate(battle.move) if moved == YES),
        frozenset(i for i in attackers if battle.by_sea(i) == YES),
        _contested(battle),
    )


def process(
    rules: Rules,
    position: Position,
    sheets: Sheets,
    dice: Dice | None = None,
    movement_judge: MovementAdjudicator = explained,
) -> Resolution:
    """Judge the phase of `position`; `dice` decide what the rules leave to chance.

    Orders that are illegal or for units of others are reported in `errors`; the units concerned hold (movement) or
    are disbanded (retreats). Two different orders for one unit fall under policy 4.D.3.
    A movement is judged by `movement_judge`; who else judges it must come to the same outcomes.
    Raises `InvalidPosition` if the game is over or the position contradicts its board.
    """
    _check(rules, position)
    papers = _Papers(rules, position, sheets)
    hat = DrawSource(_where(position.phase), dice, papers.entered if rules.draws_by_hand else None)
    try:
        resolution = _judged(rules, position, papers, hat, movement_judge)
    except MissingDraw as missing:
        return Resolution(position, (), position, (), (*papers.errors, f"The game master must draw: {missing}"))
    errors = (*papers.errors, *papers.unused(hat), *resolution.errors)
    return replace(resolution, errors=errors, draws=tuple(hat.drawn))


def drawn_by_hand(rules: Rules, position: Position, sheets: Sheets) -> Drawing:
    """What the game master has drawn for the phase of `position` by what is in `sheets`, and what he must draw next.

    The phase is judged as `process` judges it, so that there is no second opinion of what is to be drawn; nothing is
    made of the result. Empty where nobody draws by hand, and when the game is over. Raises as `process` does.
    """
    if not rules.draws_by_hand or position.winners:
        return Drawing()
    _check(rules, position)
    papers = _Papers(rules, position, sheets)
    hat = DrawSource(_where(position.phase), None, papers.entered)
    due: MissingDraw | None = None
    try:
        _judged(rules, position, papers, hat, explained)
    except MissingDraw as missing:
        due = missing
    return Drawing({draw.label.removeprefix(f"{hat.where}|"): draw.result for draw in hat.drawn}, due)


def _check(rules: Rules, position: Position) -> None:
    """Raise `InvalidPosition` if the game is over or the position contradicts its board."""
    if position.winners:
        raise InvalidPosition(f"The game is over: {' and '.join(position.winners)} won.")
    board = rules.board_at(position)
    if not position.known_sound(board):
        fault = next(position.faults(board), None)
        if fault:
            raise InvalidPosition(fault)


def _judged(
    rules: Rules, position: Position, papers: "_Papers", hat: DrawSource, movement_judge: MovementAdjudicator
) -> Resolution:
    """What comes of the phase with what `hat` gives; raises `MissingDraw` where that is entered and is not there."""
    judges: Mapping[PhaseKind, Callable[[Rules, Position, Sheets, Promises, DrawSource], Resolution]] = {
        PhaseKind.CHOICE: _choice,
        PhaseKind.MOVEMENT: partial(_movement, judge=movement_judge),
        PhaseKind.RETREATS: _retreats,
        PhaseKind.ADJUSTMENTS: _adjustments,
        PhaseKind.DRAWS: _draws,
    }
    judge = judges.get(position.phase.kind)
    if judge is None:
        raise InvalidPosition(f"'{position.phase}' is settled by the rules alone and takes no orders.")
    return judge(rules, position, papers.orders, papers.promises, hat)


def _where(phase: Phase) -> str:
    """What stands before the labels of the draws of a phase; those of a turn are drawn in whichever phase ends it."""
    return str(phase) if phase.kind is PhaseKind.CHOICE else f"{phase.season} {phase.year}"


class _Papers:
    """What was handed in, orders and other papers apart, with a sentence about each paper that does not count."""

    def __init__(self, rules: Rules, position: Position, sheets: Sheets) -> None:
        self.orders: dict[Power, list[Order]] = {}
        self.promises: dict[Power, list[Promise]] = {}
        self.entered: dict[str, str] = {}
        self.errors: list[str] = []
        legality = Legality(rules, position)
        for power, sheet in sheets.items():
            if power in rules.unplayed:
                self.errors.append(f"Nobody plays {power}: its units follow their standing orders.")
                continue
            self.orders[power] = []
            for order in sheet:
                if not isinstance(order, Enter | Promise):
                    self.orders[power].append(order)
                elif reason := legality.judge(power, order).reason:
                    self.errors.append(f"{power}: '{order}' did not count: {reason}")
                elif isinstance(order, Enter):
                    self.entered[order.label] = order.result
                else:
                    self.promises.setdefault(power, []).append(order)

    def unused(self, hat: DrawSource) -> Iterator[str]:
        """A sentence about each entered draw that was not to be made."""
        made = {draw.label.casefold() for draw in hat.drawn}
        for label, result in self.entered.items():
            if f"{hat.where}|{label}".casefold() not in made:
                yield f"{GAME_MASTER}: '{Enter(label, result)}' did not count: nothing was to be drawn for '{label}'."


def advance(rules: Rules, position: Position, hat: DrawSource | None = None) -> Effects:
    """Go on from a phase that is done to the next one in which a player has something to do.

    What the rules do by themselves is done on the way (ownership, victory, events of rule modules), and phases in which
    nobody has anything to do are passed over. What is drawn comes from `hat`, and is logged in it.
    Returns the position, a sentence for each thing that happened, and outcomes of papers.
    """
    hat = hat or DrawSource(_where(position.phase))
    told = _Told(position)
    told.after_phase(rules, position.phase, hat)
    for phase in rules.calendar.after(position.phase):
        if phase.kind is PhaseKind.OWNERSHIP:
            _settle(rules, told, phase)
            verdict = victory.verdict(rules, told.position, phase)
            if verdict.powers:
                told.notes.append(verdict.why)
                told.position = replace(told.position, phase=phase, winners=verdict.powers)
                break
        elif _has_work(rules, told.position, phase):
            told.position = replace(told.position, phase=phase)
            break
        told.after_phase(rules, phase, hat)
    return Effects(told.position, tuple(told.notes), tuple(told.outcomes))


class _Told:
    """A position on its way through what happens by itself, and everything told about it."""

    def __init__(self, position: Position) -> None:
        self.position = position
        self.notes: list[str] = []
        self.outcomes: list[Outcome] = []

    def take(self, happened: Effects) -> None:
        self.position = happened.position
        self.notes.extend(happened.notes)
        self.outcomes.extend(happened.outcomes)

    def after_phase(self, rules: Rules, phase: Phase, hat: DrawSource) -> None:
        for module in rules.overriding(RuleModule.after_phase):
            self.take(module.after_phase(rules, self.position, phase, hat))


def _settle(rules: Rules, told: _Told, phase: Phase) -> None:
    told.position, changes = ownership.capture(rules, told.position)
    told.notes.extend(changes)
    for module in rules.overriding(RuleModule.after_ownership):
        told.position, events = module.after_ownership(rules, told.position, phase)
        told.notes.extend(events)


def _has_work(rules: Rules, position: Position, phase: Phase) -> bool:
    kind = phase.kind
    if kind is PhaseKind.DRAWS:
        return rules.draws_by_hand
    if kind is PhaseKind.RETREATS:
        return bool(position.dislodged)
    if kind is PhaseKind.CHOICE:
        modules = rules.overriding(RuleModule.choices)
        return any(module.choices(rules, position, power) for module in modules for power in rules.names)
    if kind is PhaseKind.ADJUSTMENTS:
        return any(adjustments.possible(rules, position, power) for power in _powers(rules, position))
    return True


def _powers(rules: Rules, position: Position) -> tuple[Power, ...]:
    others = sorted({unit.power for unit in position.units} - set(rules.names))
    return (*rules.names, *others)


Judged = tuple[Order, CheckedOrder]
"""An order as it was given, and what was found about it."""


class _Sheet:
    """The orders for units, sorted out: at most one legal order a unit, refusals, and sentences about them."""

    def __init__(self, rules: Rules, position: Position, sheets: Sheets) -> None:
        self.legality = Legality(rules, position)
        self.policy = rules.rulebook["4.D.3"]
        self.legal: dict[Code, Order] = {}
        self.refused: dict[Code, tuple[Order, str]] = {}
        self.errors: list[str] = []
        self.units: dict[Code, Unit] = {}
        for power, orders in sheets.items():
            given: dict[Code, list[Judged]] = {}
            for order in orders:
                judged = self.legality.judge(power, order)
                if judged.unit is None:
                    self.errors.append(f"{power}: '{order}' did not count: {judged.reason}")
                    continue
                given.setdefault(judged.unit.location.space, []).append((order, judged))
            for space, several in given.items():
                self._take(power, space, several)

    def _take(self, power: Power, space: Code, several: list[Judged]) -> None:
        order, judged = several[0] if self.policy == "first" else several[-1]
        if len(several) > 1 and len(different := dict.fromkeys(given for given, _ in several)) > 1:
            listed = " and ".join(f"'{given}'" for given in different)
            if self.policy == "hold":
                reason = f"two orders were given to it, {listed}."
                self.refused[space] = (order, reason)
                self.errors.append(f"{power}: {judged.unit} has no valid order: {reason}")
                return
            self.errors.append(f"{power}: {judged.unit} was given {listed}; the {self.policy} counts.")
        if judged.order is None:
            self.refused[space] = (order, judged.reason)
            self.errors.append(f"{power}: '{order}' is illegal: {judged.reason}")
        else:
            self.legal[space] = judged.order
            if judged.unit is not None:
                self.units[space] = judged.unit  # its own order may say on which coast it stands


def _movement(
    rules: Rules, position: Position, sheets: Sheets, promises: Promises, hat: DrawSource, judge: MovementAdjudicator
) -> Resolution:
    sheet = _Sheet(rules, position, sheets)
    board = rules.board_at(position)
    given = position
    if any(position.unit_at(space) is not unit for space, unit in sheet.units.items()):
        position = replace(position, units=tuple(sheet.units.get(unit.space, unit) for unit in position.units))
    standing = {
        space: order
        for module in rules.overriding(RuleModule.standing_orders)
        for space, order in module.standing_orders(rules, position).items()
    }
    orders: list[MovementOrder | None] = []
    written: list[Written] = []
    for unit in position.units:
        space = unit.location.space
        order: Order | None = sheet.legal.get(space) or _stands(sheet.legality, unit, standing.get(space))
        silenced = sheet.legality.why_no_orders(unit)
        refused = (None, silenced) if silenced else sheet.refused.get(space)
        orders.append(order)  # type: ignore[arg-type]  # a movement phase judges only movement orders legal
        written.append(refused or (order, ""))  # type: ignore[arg-type]
    fought = judge(rules, position, orders, written)
    outcomes, moved = _doomed(rules, position, fought.outcomes, _after_movement(rules, position, orders, fought))
    outcomes = tuple(_with_retreats(rules, moved, outcome) for outcome in outcomes)
    told = _Told(moved)
    for module in rules.overriding(RuleModule.after_moves):
        told.take(module.after_moves(rules, position, outcomes, told.position, promises, hat))
    after, notes, further = advance(rules, told.position, hat)
    if after.changes == position.changes:
        after.mark_sound(board)  # units keep what they stand on, and no two are in one space
    outcomes = (*outcomes, *told.outcomes, *further)
    return Resolution(given, outcomes, after, (*told.notes, *notes), tuple(sheet.errors))


def _stands(legality: Legality, unit: Unit, order: MovementOrder | None) -> Order | None:
    """A standing order completed, or nothing where it is not legal now."""
    return None if order is None else legality.judge(unit.power, order).order


def _after_movement(
    rules: Rules, position: Position, orders: Sequence[MovementOrder | None], fought: MovementResult
) -> Position:
    """The units in their new places, the dislodged apart, and the spaces a stand-off left vacant."""
    units: list[Unit] = []
    dislodged: list[Dislodged] = []
    for i, (unit, order, outcome) in enumerate(zip(position.units, orders, fought.outcomes, strict=True)):
        by = outcome.dislodged_by
        if by is not None:
            open_origin = position.units.index(by) in fought.afloat and rules.rulebook["4.A.5"] == "allowed"
            dislodged.append(Dislodged(unit, by, () if open_origin else (by.space,)))
        elif isinstance(order, Move) and i in fought.moved:
            units.append(unit._replace(location=order.to))
        else:
            units.append(unit)
    taken = {unit.space for unit in units}
    return replace(position, units=tuple(units), dislodged=tuple(dislodged), contested=fought.contested - taken)


def _doomed(
    rules: Rules, before: Position, outcomes: tuple[Outcome, ...], moved: Position
) -> tuple[tuple[Outcome, ...], Position]:
    """Without the dislodged that a rule module lets nobody retreat; their outcomes say so."""
    doomed: dict[Code, str] = {}
    for dislodged in moved.dislodged:
        fates = (
            module.why_no_retreat(rules, before, dislodged) for module in rules.overriding(RuleModule.why_no_retreat)
        )
        if fate := next((fate for fate in fates if fate), ""):
            doomed[dislodged.unit.space] = fate
    if not doomed:
        return outcomes, moved
    told = tuple(
        outcome._replace(why=f"{outcome.why} {doomed[outcome.unit.space]}")
        if outcome.unit and outcome.dislodged_by and outcome.unit.space in doomed
        else outcome
        for outcome in outcomes
    )
    return told, replace(moved, dislodged=tuple(d for d in moved.dislodged if d.unit.space not in doomed))


def _contested(battle: MovementSolver) -> frozenset[Code]:
    """Where some move failed that was strong enough to keep others out."""
    return frozenset(
        dest
        for i, dest in enumerate(battle.dest)
        if dest is not None and battle.move[i] == NO and battle.prevent(i)[0] > 0
    )


def _with_retreats(rules: Rules, after: Position, outcome: Outcome) -> Outcome:
    if outcome.dislodged_by is None or outcome.unit is None:
        return outcome
    found = after.dislodged_at(outcome.unit.space)
    return outcome._replace(retreats=retreats.options(rules, after, found)) if found else outcome


def _draws(rules: Rules, position: Position, sheets: Sheets, _: Promises, hat: DrawSource) -> Resolution:
    """What the game master drew takes effect."""
    errors = tuple(
        f"{power}: '{order}' did not count: nobody orders units while slips are drawn."
        for power, orders in sheets.items()
        for order in orders
    )
    after, notes, outcomes = advance(rules, position, hat)
    return Resolution(position, outcomes, after, notes, errors)


def _retreats(rules: Rules, position: Position, sheets: Sheets, _: Promises, hat: DrawSource) -> Resolution:
    sheet = _Sheet(rules, position, sheets)
    orders: list[tuple[Dislodged, RetreatOrder | None]] = [
        (dislodged, sheet.legal.get(dislodged.unit.space))  # type: ignore[misc]  # only retreat orders are legal here
        for dislodged in position.dislodged
    ]
    outcomes, units = retreats.resolve(position, orders)
    over = replace(position, units=units, dislodged=(), contested=frozenset())
    after, notes, further = advance(rules, over, hat)
    return Resolution(position, (*outcomes, *further), after, notes, tuple(sheet.errors))


def _choice(rules: Rules, position: Position, sheets: Sheets, _: Promises, hat: DrawSource) -> Resolution:
    """Reveal all choices together; while a power is waited for, nothing happens."""
    legality = Legality(rules, position)
    legal: dict[Power, list[Choose]] = {}
    errors: list[str] = []
    for power, orders in sheets.items():
        for order in orders:
            judged = legality.judge(power, order)
            taken = legal.setdefault(power, [])
            clash = (
                legality.why_not_together(power, [*taken, judged.order])
                if isinstance(judged.order, Choose)
                else judged.reason
            )
            if isinstance(judged.order, Choose) and not clash:
                taken.append(judged.order)
            else:
                errors.append(f"{power}: '{order}' did not count: {clash}")
    after = position
    notes: list[str] = []
    waiting: list[Power] = []
    for module in rules.overriding(RuleModule.after_choices):
        revealed = module.after_choices(rules, after, legal, hat)
        after = revealed.position
        notes.extend(revealed.notes)
        waiting.extend(revealed.waiting)
        for power, choice in revealed.replaced:
            legal[power].remove(choice)
            errors.append(f"{power}: '{choice}' did not count: a later choice took its place.")
    if waiting:
        errors.append(f"The choices of {', '.join(waiting)} are still missing.")
        return Resolution(position, (), position, (), tuple(errors))
    outcomes = tuple(
        Outcome(power, None, choice, Result.CHOSEN, Cause(Reason.ORDERED), f"{power} chose {choice.unit}.")
        for power, chosen in legal.items()
        for choice in chosen
    )
    after, further, others = advance(rules, after, hat)
    return Resolution(position, (*outcomes, *others), after, (*notes, *further), tuple(errors))


def _adjustments(rules: Rules, position: Position, sheets: Sheets, _: Promises, hat: DrawSource) -> Resolution:
    legality = Legality(rules, position)
    outcomes: list[Outcome] = []
    units: list[Unit] = []
    errors: list[str] = []
    for power in _powers(rules, position):
        legal: list[AdjustmentOrder] = []
        for order in sheets.get(power, ()):
            judged = legality.judge(power, order)
            if judged.order is None:
                errors.append(f"{power}: '{order}' did not count: {judged.reason}")
            else:
                legal.append(judged.order)  # type: ignore[arg-type]  # only adjustment orders are legal here
        done, left = adjustments.resolve(rules, position, power, legal)
        outcomes.extend(done)
        units.extend(left)
        errors.extend(f"{power}: {outcome.why}" for outcome in done if outcome.result is Result.VOID)
    after, notes, further = advance(rules, replace(position, units=tuple(units)), hat)
    return Resolution(position, (*outcomes, *further), after, notes, tuple(errors))

"""One step of a game: a position and orders in, a resolution with the next position out; a pure function."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from plenipo.engine import adjustments, explain, movement, ownership, retreats, victory
from plenipo.engine.board import Code
from plenipo.engine.calendar import PhaseKind
from plenipo.engine.dice import Dice, Draw
from plenipo.engine.legality import Judgement, Legality
from plenipo.engine.movement import NO, YES, Battle
from plenipo.engine.orders import AdjustmentOrder, Choose, Move, MovementOrder, Order, RetreatOrder
from plenipo.engine.outcome import Cause, Outcome, Reason, Resolution, Result
from plenipo.engine.position import Dislodged, Position, Power, Unit
from plenipo.engine.rules import Rules
from plenipo.errors import InvalidPosition

__all__ = ["Sheets", "advance", "process"]

Sheets = Mapping[Power, Sequence[Order]]
"""The orders of each power, in the order they were given."""


def process(rules: Rules, position: Position, sheets: Sheets, dice: Dice | None = None) -> Resolution:
    """Judge the phase of `position`; `dice` decide what the rules leave to chance.

    Orders that are illegal or for units of others are reported in `errors`; the units concerned hold (movement) or
    are disbanded (retreats). Two different orders for one unit fall under policy 4.D.3.
    Raises `InvalidPosition` if the game is over or the position contradicts its board.
    """
    if position.winners:
        raise InvalidPosition(f"The game is over: {' and '.join(position.winners)} won.")
    if not position.known_sound(rules.board):
        fault = next(position.faults(rules.board), None)
        if fault:
            raise InvalidPosition(fault)
    if position.phase.kind is PhaseKind.CHOICE:
        return _choice(rules, position, sheets, dice)
    judge = {
        PhaseKind.MOVEMENT: _movement,
        PhaseKind.RETREATS: _retreats,
        PhaseKind.ADJUSTMENTS: _adjustments,
    }.get(position.phase.kind)
    if judge is None:
        raise InvalidPosition(f"'{position.phase}' is settled by the rules alone and takes no orders.")
    return judge(rules, position, sheets)


def advance(rules: Rules, position: Position) -> tuple[Position, tuple[str, ...]]:
    """Go on from a phase that is done to the next one in which a player has something to do.

    Ownership and victory are settled on the way, phases with nothing to do are passed over.
    Returns the position and a sentence for each thing that happened.
    """
    notes: list[str] = []
    for phase in rules.calendar.after(position.phase):
        if phase.kind is PhaseKind.OWNERSHIP:
            position, changes = ownership.capture(rules, position)
            notes.extend(changes)
            for module in rules.modules:
                position, events = module.settled(rules, position, phase)
                notes.extend(events)
            won = victory.winner(rules, position)
            if won is not None:
                count = len(position.centres_of(won))
                notes.append(f"{won} won the game with {count} supply centres.")
                return replace(position, phase=phase, winners=(won,)), tuple(notes)
        elif _has_work(rules, position, phase.kind):
            return replace(position, phase=phase), tuple(notes)
    raise AssertionError("a calendar has no end")


def _has_work(rules: Rules, position: Position, kind: PhaseKind) -> bool:
    if kind is PhaseKind.RETREATS:
        return bool(position.dislodged)
    if kind is PhaseKind.CHOICE:
        return any(module.choices(rules, position, power) for module in rules.modules for power in rules.names)
    if kind is PhaseKind.ADJUSTMENTS:
        return any(adjustments.possible(rules, position, power) for power in _powers(rules, position))
    return True


def _powers(rules: Rules, position: Position) -> tuple[Power, ...]:
    others = sorted({unit.power for unit in position.units} - set(rules.names))
    return (*rules.names, *others)


Judged = tuple[Order, Judgement]
"""An order as it was given, and what was found about it."""


class _Sheet:
    """The orders for units, sorted out: at most one legal order a unit, refusals, and sentences about them."""

    def __init__(self, rules: Rules, position: Position, sheets: Sheets) -> None:
        self.legality = Legality(rules, position)
        self.policy = rules.rulebook["4.D.3"]
        self.legal: dict[Code, Order] = {}
        self.refused: dict[Code, tuple[Order, str]] = {}
        self.errors: list[str] = []
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


def _movement(rules: Rules, position: Position, sheets: Sheets) -> Resolution:
    sheet = _Sheet(rules, position, sheets)
    orders: list[MovementOrder | None] = []
    written: list[tuple[MovementOrder | None, str]] = []
    for unit in position.units:
        space = unit.location.space
        order: Order | None = sheet.legal.get(space)
        refused = sheet.refused.get(space)
        orders.append(order)  # type: ignore[arg-type]  # a movement phase judges only movement orders legal
        written.append(refused or (order, ""))  # type: ignore[arg-type]
    battle = movement.resolve(rules.board, rules.rulebook, position.units, orders, rules.modules)
    outcomes = explain.outcomes(battle, written)
    after, notes = advance(rules, _after_movement(rules, position, battle, outcomes))
    after.mark_sound(rules.board)  # units keep what they stand on, and no two are in one space
    told = tuple(_with_retreats(rules, after, outcome) for outcome in outcomes)
    return Resolution(position, told, after, notes, tuple(sheet.errors))


def _after_movement(rules: Rules, position: Position, battle: Battle, outcomes: Sequence[Outcome]) -> Position:
    """The units in their new places, the dislodged apart, and the spaces a stand-off left vacant."""
    units: list[Unit] = []
    dislodged: list[Dislodged] = []
    for i, outcome in enumerate(outcomes):
        unit, order, by = battle.units[i], battle.orders[i], outcome.dislodged_by
        if by is not None:
            # a convoyed attacker came over the water, not from its space (policy 4.A.5)
            came_by_sea = battle.by_sea(battle.at[by.space]) == YES
            open_origin = came_by_sea and rules.rulebook["4.A.5"] == "allowed"
            dislodged.append(Dislodged(unit, by, () if open_origin else (by.space,)))
        elif isinstance(order, Move) and battle.move[i] == YES:
            units.append(unit._replace(location=order.to))
        else:
            units.append(unit)
    taken = {unit.space for unit in units}
    return replace(
        position, units=tuple(units), dislodged=tuple(dislodged), contested=frozenset(_contested(battle) - taken)
    )


def _contested(battle: Battle) -> set[Code]:
    """Where some move failed that was strong enough to keep others out."""
    return {
        dest
        for i, dest in enumerate(battle.dest)
        if dest is not None and battle.move[i] == NO and battle.prevent(i)[0] > 0
    }


def _with_retreats(rules: Rules, after: Position, outcome: Outcome) -> Outcome:
    if outcome.dislodged_by is None or outcome.unit is None:
        return outcome
    found = after.dislodged_at(outcome.unit.space)
    return outcome._replace(retreats=retreats.options(rules, after, found)) if found else outcome


def _retreats(rules: Rules, position: Position, sheets: Sheets) -> Resolution:
    sheet = _Sheet(rules, position, sheets)
    orders: list[tuple[Dislodged, RetreatOrder | None]] = [
        (dislodged, sheet.legal.get(dislodged.unit.space))  # type: ignore[misc]  # only retreat orders are legal here
        for dislodged in position.dislodged
    ]
    outcomes, units = retreats.resolve(position, orders)
    over = replace(position, units=units, dislodged=(), contested=frozenset())
    after, notes = advance(rules, over)
    return Resolution(position, outcomes, after, notes, tuple(sheet.errors))


def _choice(rules: Rules, position: Position, sheets: Sheets, dice: Dice | None) -> Resolution:
    """Reveal all choices together; while a power is waited for, nothing happens."""
    legality = Legality(rules, position)
    legal: dict[Power, list[Choose]] = {}
    errors: list[str] = []
    for power, orders in sheets.items():
        for order in orders:
            judged = legality.judge(power, order)
            if isinstance(judged.order, Choose):
                legal.setdefault(power, []).append(judged.order)
            else:
                errors.append(f"{power}: '{order}' did not count: {judged.reason}")
    after = position
    notes: list[str] = []
    draws: list[Draw] = []
    waiting: list[Power] = []
    for module in rules.modules:
        revealed = module.chosen(rules, after, legal, dice)
        after = revealed.position
        notes.extend(revealed.notes)
        draws.extend(revealed.draws)
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
    after, further = advance(rules, after)
    return Resolution(position, outcomes, after, (*notes, *further), tuple(errors), tuple(draws))


def _adjustments(rules: Rules, position: Position, sheets: Sheets) -> Resolution:
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
    after, notes = advance(rules, replace(position, units=tuple(units)))
    return Resolution(position, tuple(outcomes), after, notes, tuple(errors))

"""Every reason on random retreats and adjustments says what is so, and hangs on the orders that it names.

The numbers and units of each sentence are worked out anew from the position and the orders. Then the orders named as
decisive are left out, and the outcome is no longer what it was. One position in forty here, all in `make proofs`.
"""

import re
from collections.abc import Callable, Iterator, Mapping
from random import Random

import pytest

from later_phases import adjustment_orders, adjustment_position, retreat_orders, retreat_position
from plenipo.engine.board import Board, Code, Location, UnitKind
from plenipo.engine.orders import Build, Disband, Order, Remove, Retreat, Waive
from plenipo.engine.outcome import Outcome, Reason, Resolution, Result
from plenipo.engine.phases.step import process
from plenipo.engine.position import Position, Power, Unit
from plenipo.engine.rules import Rules
from proofs import so_many
from table import standard

COUNT, PART = 2000, 40

Orders = Mapping[Power, list[Order]]

RULES = {"home": standard("2023", ("4.D.8", "home")), "owned": standard("2023", ("4.D.8", "owned"))}

SPOKEN_NUMBER = re.compile(r"(?<!\S)\d+(?= )")


def changed(rules: Rules, position: Position, orders: Orders, power: Power, mine: list[Order]) -> Resolution:
    """The resolution had one power given other orders."""
    return process(rules, position, {**orders, power: mine})


# Retreats


def retreat_faults(rules: Rules, position: Position, orders: Orders) -> Iterator[str]:
    """A line for each thing that a retreat's outcome claims and that is not so."""
    resolution = process(rules, position, orders)
    going = {o.unit: o.order.to for o in resolution.outcomes if o.unit and isinstance(o.order, Retreat)}
    for outcome in resolution.outcomes:
        unit, order, cause = outcome.unit, outcome.order, outcome.cause
        assert unit is not None
        rivals = (
            {other for other, to in going.items() if other != unit and to.space == going[unit].space}
            if (unit in going)
            else set()
        )
        expected = (
            (Reason.COLLIDED if rivals else Reason.ORDERED)
            if isinstance(order, Retreat)
            else (Reason.ORDERED if isinstance(order, Disband) else Reason.NO_ORDER)
        )
        where = {one.location for one in resolution.after.units if one.power == unit.power and one.kind == unit.kind}
        if cause.reason is not expected:
            yield f"{outcome.why} but it was {expected}"
        if (outcome.result is Result.RETREATS) != (isinstance(order, Retreat) and not rivals):
            yield f"{outcome.why} but its result is {outcome.result}"
        if isinstance(order, Retreat):
            if (order.to in where) != (not rivals):
                yield f"{outcome.why} but the board says otherwise"
            if cause.place != order.to.space or str(order.to.space) not in outcome.why:
                yield f"{outcome.why} but it went to {order.to}"
        if set(cause.by) != rivals:
            yield f"{outcome.why} but {rivals} retreated there as well"
        for other in going:
            told = f"{other} of {other.power}" in outcome.why
            if told != (other in rivals):
                yield f"{outcome.why} but {other} is {'' if told else 'not '}named"
        yield from _decisive_retreats(rules, position, orders, outcome)


def _decisive_retreats(rules: Rules, position: Position, orders: Orders, outcome: Outcome) -> Iterator[str]:
    if outcome.cause.reason is not Reason.COLLIDED:
        return
    rivals = outcome.cause.by
    for left_out in (rivals, *((one,) for one in rivals if len(rivals) > 1)):
        fewer = {
            power: [
                Disband(order.unit)
                if isinstance(order, Retreat) and any(_is_of(order, power, one) for one in left_out)
                else order
                for order in mine
            ]
            for power, mine in orders.items()
        }
        now = next(o for o in process(rules, position, fewer).outcomes if o.unit == outcome.unit)
        others = tuple(one for one in rivals if one not in left_out)
        if now.cause.by != others or (now.result is Result.RETREATS) == bool(others):
            yield f"{outcome.why} without {left_out}: {now.why}"


def _is_of(order: Order, power: Power, unit: Unit) -> bool:
    return isinstance(order, Retreat) and power == unit.power and order.unit.location == unit.location


# Adjustments


def adjustment_faults(rules: Rules, position: Position, orders: Orders) -> Iterator[str]:
    """A line for each thing that the outcome of a build or removal claims and that is not so."""
    resolution = process(rules, position, orders)
    for power in sorted(position.homes):
        mine = [outcome for outcome in resolution.outcomes if outcome.power == power]
        owned = {code for code, owner in position.owners.items() if owner == power}
        units = [unit for unit in position.units if unit.power == power]
        sites = [c for c in sorted(owned & set(position.homes[power])) if position.unit_at(c) is None]
        due = len(owned) - len(units)
        built = [o.unit for o in mine if o.result is Result.BUILDS]
        removed = [o.unit for o in mine if o.result is Result.REMOVED]
        after = {unit for unit in resolution.after.units if unit.power == power}
        if after != (set(units) - set(removed)) | set(built):
            yield f"{power}: the outcomes are not what is on the board"
        if len(removed) != max(0, -due) or len(built) > min(max(0, due), len(sites)):
            yield f"{power}: {len(built)} built and {len(removed)} removed, {due} were due"
        waived = 0
        for outcome in mine:
            numbers = {int(number) for number in SPOKEN_NUMBER.findall(re.sub(r"'[^']*'", "", outcome.why))}
            meant = set[int]()
            if outcome.result is Result.WAIVED:
                most = min(due, len(sites)) - len(built) - waived
                number = min(outcome.order.count, most) if isinstance(outcome.order, Waive) else most
                waived += number
                meant = {number}
            elif outcome.cause.reason is Reason.CIVIL_DISORDER and outcome.unit:
                steps = steps_home(rules, position, outcome.unit)
                meant = set() if steps is None else {steps}
            elif outcome.result is Result.VOID and isinstance(outcome.order, Build | Waive) and numbers:
                meant = {min(due, len(sites))}
            if numbers != meant:
                yield f"{outcome.why} but the number was {meant}"
            if outcome.unit and outcome.result is not Result.VOID and str(outcome.unit) not in outcome.why:
                yield f"{outcome.why} but it was {outcome.unit}"
        if due > 0 and waived + len(built) != min(due, len(sites)):
            yield f"{power}: {waived} waived and {len(built)} built of {min(due, len(sites))}"
        yield from _nearer(rules, position, mine, after)
        yield from _decisive_adjustments(rules, position, orders, mine)


def _nearer(rules: Rules, position: Position, mine: list[Outcome], after: set[Unit]) -> Iterator[str]:
    """A line for each unit removed in civil disorder although another was farther away."""
    for outcome in mine:
        if outcome.cause.reason is not Reason.CIVIL_DISORDER or outcome.unit is None:
            continue
        gone = _far(rules, position, outcome.unit)
        for other in after:
            if _far(rules, position, other) > gone:
                yield f"{outcome.why} but {other} was farther away"


def _far(rules: Rules, position: Position, unit: Unit) -> float:
    steps = steps_home(rules, position, unit)
    return float("inf") if steps is None else steps


def steps_home(rules: Rules, position: Position, unit: Unit) -> int | None:
    """The number of steps of a unit to the nearest centre that counts for 4.D.8; None if there is no way.

    An army goes over land and sea, a fleet as a fleet if it is to go home.
    """
    by_home = rules.rulebook["4.D.8"] == "home"
    owned = {code for code, owner in position.owners.items() if owner == unit.power}
    goals = set(position.homes[unit.power]) if by_home else owned
    board = rules.board
    sails = by_home and unit.kind == UnitKind.FLEET
    kinds = (UnitKind.FLEET,) if sails else (UnitKind.ARMY, UnitKind.FLEET)
    edge = {unit.location} if sails else _places(rules, unit.space)
    seen, steps = set(edge), 0
    while edge and not any(location.space in goals for location in edge):
        reached = {to for location in edge for kind in kinds for to in board.steps(kind, location)}
        edge = reached if sails else {place for to in reached for place in _places(rules, to.space)}
        edge -= seen
        seen |= edge
        steps += 1
    return steps if edge else None


def _places(rules: Rules, code: Code) -> set[Location]:
    return {Location(code), *rules.board.spaces[code].locations}


def _decisive_adjustments(rules: Rules, position: Position, orders: Orders, mine: list[Outcome]) -> Iterator[str]:
    """A line for each outcome that does not hang on the orders that it speaks of."""
    for outcome in mine:
        order, given = outcome.order, orders.get(outcome.power, [])
        if outcome.result is Result.VOID and order is not None and outcome.cause.reason is Reason.ILLEGAL:
            # the orders that counted before it are left out, and it counts
            counted = [o.order for o in mine if o.order and o.result in (Result.BUILDS, Result.REMOVED, Result.WAIVED)]
            later = [one for one in given if one not in counted]
            now = changed(rules, position, orders, outcome.power, later)
            found = next((o for o in now.outcomes if o.power == outcome.power and o.order == order), None)
            if counted and (found is None or found.result is Result.VOID):
                yield f"{outcome.why} without {counted}: {found.why if found else 'nothing'}"
        if outcome.cause.reason is Reason.CIVIL_DISORDER and outcome.unit:
            # another is removed by order, and the last that went in disorder stays
            last = [o for o in mine if o.cause.reason is Reason.CIVIL_DISORDER][-1]
            gone = {o.unit for o in mine if o.result is Result.REMOVED}
            spare = [u for u in position.units if u.power == outcome.power and u not in gone]
            if outcome is last and spare:
                now = changed(rules, position, orders, outcome.power, [*given, Remove(spare[0].ref)])
                if outcome.unit not in now.after.units:
                    yield f"{outcome.why} and all the same with the removal of {spare[0]}"
        if outcome.result in (Result.BUILDS, Result.REMOVED) and outcome.cause.reason is Reason.ORDERED:
            now = changed(rules, position, orders, outcome.power, [one for one in given if one != order])
            same = [o for o in now.outcomes if o.unit == outcome.unit and o.cause.reason is Reason.ORDERED]
            if same:
                yield f"{outcome.why} without its order: {same[0].why}"


LATER: Mapping[
    str,
    tuple[
        Callable[[Random, Board], Position],
        Callable[[Random, Board, Position], Orders],
        Callable[[Rules, Position, Orders], Iterator[str]],
    ],
] = {
    "retreat": (retreat_position, retreat_orders, retreat_faults),
    "adjustment": (adjustment_position, adjustment_orders, adjustment_faults),
}
"""A position, its orders and the faults in the reasons, of each kind of phase."""


@pytest.mark.parametrize("kind", LATER)
@pytest.mark.parametrize("goal", RULES)
def test_every_reason_of_a_retreat_or_adjustment_says_what_is_so(goal: str, kind: str) -> None:
    place, give, find = LATER[kind]
    rules = RULES[goal]
    for seed in range(so_many(COUNT, PART)):
        chance = Random(seed)
        position = place(chance, rules.board)
        orders = give(chance, rules.board, position)
        found = list(find(rules, position, orders))
        assert not found, f"seed {seed}:\n" + "\n".join(found)

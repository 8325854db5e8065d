"""Random positions and orders for the retreat and adjustment phases, made as those of `strategies` are."""

from collections.abc import Sequence
from random import Random

from hypothesis import strategies as st

from plenipo.engine.board import Board, Code, Location, UnitKind
from plenipo.engine.calendar import Phase, PhaseKind
from plenipo.engine.orders import AdjustmentOrder, Build, Disband, Order, Remove, Retreat, RetreatOrder, Waive
from plenipo.engine.position import Dislodged, Position, Power, Unit
from strategies import POWERS, SHAPES, chances, shuffled, unit_in

__all__ = [
    "ADJUSTMENTS",
    "RETREATS",
    "adjustment_orders",
    "adjustment_position",
    "adjustments",
    "retreat_orders",
    "retreat_position",
    "retreats",
]

RETREATS = Phase("Spring", 1901, PhaseKind.RETREATS)
ADJUSTMENTS = Phase("Winter", 1901, PhaseKind.ADJUSTMENTS)


# Retreats


def retreat_position(chance: Random, board: Board, powers: Sequence[Power] = POWERS) -> Position:
    """A position after a movement: some units were dislodged by those that now stand in their spaces."""
    before = chance.choice(SHAPES)(chance, board, powers)
    taken = {unit.space for unit in before.units}
    stay = list(before.units)
    dislodged = []
    for unit in before.units:
        # the attacker came from a space that is now vacant, by land or sea, or by convoy from farther away
        origins = _origins(board, unit.space, taken)
        if not origins or chance.random() < 0.5:
            continue
        kind, origin = chance.choice(origins)
        goals = sorted(to for to in board.steps(kind, origin) if to.space == unit.space)
        attacker = Unit(chance.choice([power for power in powers if power != unit.power]), kind, origin)
        stay.remove(unit)
        stay.append(attacker._replace(location=chance.choice(goals)))
        barred = () if kind is UnitKind.ARMY and chance.random() < 0.15 else (origin.space,)
        dislodged.append(Dislodged(unit, attacker, barred))
        # no two attackers come from one space
        taken.add(origin.space)
    held = {unit.space for unit in stay}
    vacant = sorted(code for code, space in board.spaces.items() if code not in held and not space.impassable)
    contested = frozenset(chance.sample(vacant, min(len(vacant), chance.randint(0, 6))))
    return Position(RETREATS, tuple(stay), tuple(dislodged), contested)


def _origins(board: Board, goal: Code, taken: set[Code]) -> list[tuple[UnitKind, Location]]:
    """Return the possible origins of a unit that is now in `goal`: kinds and locations in vacant spaces."""
    spaces = [space for code, space in board.spaces.items() if code not in taken and not space.impassable]
    places = [
        (kind, loc)
        for space in spaces
        for kind in (UnitKind.ARMY, UnitKind.FLEET)
        for loc in {Location(space.code), *space.locations}
    ]
    return sorted((kind, loc) for kind, loc in places if goal in board.reach(kind, loc))


def retreat_orders(chance: Random, board: Board, position: Position) -> dict[Power, list[Order]]:
    """For most dislodged units a retreat to a place that is open to it, or a disbanding; units crowd together."""
    closed = {unit.space for unit in position.units} | position.contested
    order_sets: dict[Power, list[Order]] = {}
    popular = chance.sample(sorted(board.spaces), len(board.spaces) // 2)
    for unit, _, barred in position.dislodged:
        steps = sorted(board.steps(unit.kind, unit.location))
        ways = [to for to in steps if to.space not in closed and to.space not in barred]
        ways = [to for to in ways if to.space in popular] or ways
        order: RetreatOrder = Disband(unit.ref)
        if ways and chance.random() < 0.85:
            order = Retreat(unit.ref, chance.choice(ways))
        if chance.random() < 0.95:
            order_sets.setdefault(unit.power, []).append(order)
    return order_sets


# Adjustments


def adjustment_position(chance: Random, board: Board, powers: Sequence[Power] = POWERS) -> Position:
    """Units, homes and owned centres such that most powers have builds or removals due."""
    units = chance.choice(SHAPES)(chance, board, powers).units
    centres = shuffled(chance, sorted(board.centres))
    each = max(1, min(4, len(centres) // (len(powers) + 2)))
    homes = {power: frozenset(centres[i * each : (i + 1) * each]) for i, power in enumerate(powers)}
    owners: dict[Code, Power] = {}
    for power, codes in homes.items():
        owners.update({code: power if chance.random() < 0.7 else chance.choice(powers) for code in sorted(codes)})
    for code in centres[len(powers) * each :]:
        if chance.random() < 0.8:
            owners[code] = chance.choice(powers)
    thinned = tuple(unit for unit in units if unit.space not in owners or chance.random() < 0.6)
    return Position(ADJUSTMENTS, thinned, owners=owners, homes=homes)


def adjustment_orders(chance: Random, board: Board, position: Position) -> dict[Power, list[Order]]:
    """Builds in owned vacant homes, removals and waives, at times too few or too many."""
    order_sets: dict[Power, list[Order]] = {}
    for power in sorted(position.homes):
        units = list(position.units_of(power))
        due = len(position.centres_of(power)) - len(units)
        count = max(0, abs(due) + chance.choice((-1, 0, 0, 0, 0, 1)))
        orders: list[AdjustmentOrder] = []
        if due < 0:
            orders += [Remove(unit.ref) for unit in chance.sample(units, min(count, len(units)))]
        elif due > 0:
            vacant = [code for code in sorted(position.homes_of(power)) if position.owners.get(code) == power]
            vacant = shuffled(chance, (code for code in vacant if position.unit_at(code) is None))
            orders += [Build(unit_in(chance, board, power, code, 0.5).ref) for code in vacant[:count]]
            unused = min(due, len(vacant)) - len(orders)
            if unused > 0 and chance.random() < 0.3:
                orders.append(Waive(chance.randint(1, unused)))
        if orders:
            order_sets[power] = list[Order](orders)
    return order_sets


# Hypothesis


def retreats(board: Board) -> st.SearchStrategy[tuple[Position, dict[Power, list[Order]]]]:
    """A position with dislodged units and orders for their retreats."""

    def build(chance: Random) -> tuple[Position, dict[Power, list[Order]]]:
        position = retreat_position(chance, board)
        return position, retreat_orders(chance, board, position)

    return chances().map(build)


def adjustments(board: Board) -> st.SearchStrategy[tuple[Position, dict[Power, list[Order]]]]:
    """A position with builds and removals due and orders for them."""

    def build(chance: Random) -> tuple[Position, dict[Power, list[Order]]]:
        position = adjustment_position(chance, board)
        return position, adjustment_orders(chance, board, position)

    return chances().map(build)

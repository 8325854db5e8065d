"""Random positions and orders for the movement phase, for seeded tests and for Hypothesis alike.

Every generator takes a `random.Random` and nothing hidden, so a seed is a position. The Hypothesis strategy at the
end runs the same generators on a source of chance that Hypothesis controls and shrinks.
Orders are legal and complete: each names its unit with letter and coast, and no order is refused. Whether a support or
convoy matches another order is another matter; some do not, on purpose.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from itertools import combinations
from random import Random

from hypothesis import strategies as st

from plenipo.engine.board import Board, Coast, Code, Location, Space, Terrain, UnitKind
from plenipo.engine.calendar import Phase, PhaseKind
from plenipo.engine.orders import (
    Convoy,
    Hold,
    Move,
    MovementOrder,
    Order,
    Support,
)
from plenipo.engine.position import Position, Power, Unit

__all__ = [
    "MOVEMENT",
    "POWERS",
    "SHAPES",
    "battles",
    "by_power",
    "chances",
    "dense_position",
    "knotted_battle",
    "movement_orders",
    "of_any_kind",
    "scattered_position",
    "shuffled",
    "small_position",
    "tight_board",
    "unit_in",
]

POWERS = tuple(map(Power, ("Austria", "England", "France", "Germany", "Italy", "Russia", "Turkey")))

MOVEMENT = Phase("Spring", 1901, PhaseKind.MOVEMENT)


# Positions


def tight_board(seas: int = 4, ports: int = 6) -> Board:
    """A board on which everything touches everything, so that the rarest of meetings are common.

    The first port has two coasts, and either is reached from everywhere.
    """
    wet = [Space(Code(f"SEA {i}"), f"Sea {i}", Terrain.SEA) for i in range(seas)]
    split = (Coast("NC"), Coast("SC"))
    dry = [
        Space(Code(f"PORT {i}"), f"Port {i}", Terrain.COAST, centre=True, coasts=() if i else split)
        for i in range(ports)
    ]
    locations = [loc for space in (*wet, *dry) for loc in space.locations]
    return Board.from_contacts(
        "tight",
        [*wet, *dry],
        ((a.code, b.code) for a, b in combinations(dry, 2)),
        ((a, b) for a, b in combinations(locations, 2) if a.space != b.space),
    )


def scattered_position(chance: Random, board: Board, powers: Sequence[Power] = POWERS) -> Position:
    """Ten to thirty-four units anywhere on the board, of all powers mixed."""
    spaces = [code for code, space in board.spaces.items() if not space.impassable]
    return _position(chance, board, chance.sample(spaces, min(len(spaces), chance.randint(10, 34))), powers)


def dense_position(chance: Random, board: Board, powers: Sequence[Power] = POWERS) -> Position:
    """One to three seas and what lies around them, packed with the units of a few powers."""
    area = _around_seas(chance, board, chance.randint(1, 3))
    count = min(len(area), chance.randint(6, 16))
    return _position(chance, board, area[:count], _few(chance, powers), full_seas=True)


def small_position(chance: Random, board: Board, powers: Sequence[Power] = POWERS) -> Position:
    """Two to eight units close together, mostly around a sea, sometimes inland."""
    count = chance.randint(2, 8)
    if chance.random() < 0.75:
        area = _around_seas(chance, board, chance.choice((1, 1, 2)))
    else:
        area = _around_land(chance, board, count + 2)
    return _position(chance, board, area[:count], _few(chance, powers), full_seas=True)


SHAPES = (scattered_position, dense_position, small_position)
"""The three kinds of position for movement."""


def _few(chance: Random, powers: Sequence[Power]) -> Sequence[Power]:
    """Two to four of the powers, so that own units meet often enough."""
    return chance.sample(list(powers), min(len(powers), chance.randint(2, 4)))


def _around_seas(chance: Random, board: Board, seas: int) -> list[Code]:
    """Some seas next to each other, then the shores and seas around them in random order; the seas stand early."""
    chosen = [chance.choice(sorted(board.ports))]
    while len(chosen) < seas:
        near = sorted({sea for code in chosen for sea in board.waters[code]} - set(chosen))
        if not near:
            break
        chosen.append(chance.choice(near))
    ports = sorted({port for sea in chosen for port in board.ports[sea]})
    shores = shuffled(chance, ports)
    behind = {to for port in ports for to in board.armies.get(port, frozenset())}
    behind |= {sea for code in chosen for sea in board.waters[code]}
    rest = shuffled(chance, sorted(behind - set(chosen) - set(shores)))
    # two shores a sea come first, that there be something to convoy; the rest of the area is mixed
    head = chosen + shores[: 2 * len(chosen)]
    tail = shores[2 * len(chosen) :] + rest[: max(2, len(shores) // 2)]
    return head + shuffled(chance, tail)


def _around_land(chance: Random, board: Board, count: int) -> list[Code]:
    """A land space and those around it, ring by ring."""
    area = [chance.choice(sorted(code for code in board.armies if not board.spaces[code].impassable))]
    for code in area:
        if len(area) >= count:
            break
        area += shuffled(chance, sorted(board.armies[code] - set(area)))
    return area


def shuffled(chance: Random, items: Iterable[Code]) -> list[Code]:
    """The items in random order."""
    found = list(items)
    chance.shuffle(found)
    return found


def _position(
    chance: Random, board: Board, spaces: Iterable[Code], powers: Sequence[Power], *, full_seas: bool = False
) -> Position:
    """A unit in each of `spaces`; with `full_seas` a port is a little more likely to hold an army."""
    share = 0.45 if full_seas else 0.5
    units = tuple(unit_in(chance, board, chance.choice(powers), code, share) for code in spaces)
    return Position(MOVEMENT, units)


def of_any_kind(chance: Random, board: Board, position: Position) -> Position:
    """The position with any kind of unit in the place of two in three, and without units where none may stand.

    On a board of ordinary armies and fleets it is the position itself.
    """
    if set(board.kinds) == {UnitKind.ARMY, UnitKind.FLEET} and all(traits.simple for traits in board.units):
        return position
    at: dict[Code, list[tuple[UnitKind, Location]]] = {}
    for kind, location in board.standing.values():
        at.setdefault(location.space, []).append((kind, location))
    units: list[Unit] = []
    for unit in position.units:
        if unit.space in at and (not board.can_stand(unit.kind, unit.location) or chance.random() < 2 / 3):
            units.append(Unit(unit.power, *chance.choice(sorted(at[unit.space]))))
        elif unit.space in at:
            units.append(unit)
    return replace(position, units=tuple(units))


def unit_in(chance: Random, board: Board, power: Power, code: Code, fleets: float) -> Unit:
    """A unit that may stand in `code`; in a port it is a fleet with probability `fleets`."""
    space = board.spaces[code]
    afloat = space.terrain is Terrain.SEA or (space.terrain is Terrain.COAST and chance.random() < fleets)
    if afloat:
        return Unit(power, UnitKind.FLEET, chance.choice(space.locations))
    return Unit(power, UnitKind.ARMY, Location(code))


# Orders for movement


@dataclass
class _Plan:
    """Orders in the making: what each unit has been told so far."""

    chance: Random
    board: Board
    units: dict[Code, Unit]
    orders: dict[Code, MovementOrder] = field(default_factory=dict)

    def reach(self, unit: Unit) -> list[Location]:
        """The locations `unit` may go to without convoy, sorted."""
        return sorted(to for to in self.board.steps(unit.kind, unit.location))

    def free(self) -> list[Unit]:
        """The units without an order yet, in random order."""
        found = [unit for code, unit in sorted(self.units.items()) if code not in self.orders]
        self.chance.shuffle(found)
        return found

    def tell(self, unit: Unit, order: MovementOrder) -> None:
        """Give `unit` its order; the first one stands."""
        self.orders.setdefault(unit.space, order)

    def go(self, unit: Unit, goal: Code) -> None:
        """Send `unit` to `goal` by itself, to any coast of it that it reaches."""
        ways = [to for to in self.reach(unit) if to.space == goal]
        if ways:
            self.tell(unit, Move(unit.ref, self.chance.choice(ways)))

    def chain(self, start: Code, without: Code | None = None) -> tuple[list[Code], Code] | None:
        """A random chain of fleets at sea that could carry an army from `start`, and where to, if there is any.

        No fleet of it can be left out, as the rules ask of a fleet that convoys.
        """
        carriers = self.board.convoying
        afloat = {code for code in self.board.ports if code in self.units and code != without}
        afloat = {code for code in afloat if self.units[code].kind in carriers}
        closed = self.board.waters.get(start, frozenset()) & afloat
        if not closed:
            return None
        path = [self.chance.choice(sorted(closed))]
        served = {start}
        while True:
            goals = sorted(self.board.ports[path[-1]] - served)
            beyond = sorted((self.board.waters[path[-1]] & afloat) - closed)
            if goals and (not beyond or self.chance.random() < 0.6):
                return path, self.chance.choice(goals)
            if not beyond:
                return None
            served |= self.board.ports[path[-1]]
            closed = closed | set(beyond)
            path.append(self.chance.choice(beyond))


def movement_orders(chance: Random, board: Board, position: Position) -> tuple[MovementOrder, ...]:
    """An order for most units: schemes that fit together first, then supports for them, then anything.

    A small share of the orders is then replaced by random ones and another left out, so that schemes break.
    """
    plan = _Plan(chance, board, {unit.space: unit for unit in position.units})
    if plan.units:
        for _ in range(chance.randint(0, 2 + len(plan.units) // 3)):
            chance.choice(_SCHEMES)(plan)
        for unit in plan.free():
            if chance.random() < 0.55 and not _back_someone(plan, unit):
                _attack_someone(plan, unit)
        for unit in plan.free():
            plan.tell(unit, _any_order(plan, unit))
    noise = chance.choice((0.0, 0.0, 0.1, 0.3, 1.0))
    for code, unit in sorted(plan.units.items()):
        if chance.random() < noise:
            plan.orders[code] = _any_order(plan, unit)
        elif chance.random() < 0.03:
            del plan.orders[code]
    return tuple(order for _, order in sorted(plan.orders.items()))


def by_power(position: Position, orders: Iterable[MovementOrder]) -> dict[Power, list[Order]]:
    """The orders sorted into one order set a power."""
    order_sets: dict[Power, list[Order]] = {}
    for order in orders:
        unit = position.unit_at(order.unit.location.space)
        assert unit is not None
        order_sets.setdefault(unit.power, []).append(order)
    return order_sets


def _scheme_convoy(plan: _Plan) -> None:
    """An army goes by sea and the fleets on the way carry it; now and then those of another way carry it too."""
    for army in plan.free():
        found = plan.chain(army.space) if army.kind in plan.board.carriers else None
        if found is not None:
            path, goal = found
            _carry(plan, army, path, goal)
            if plan.chance.random() < 0.6:
                _threaten(plan, plan.chance.choice(path))
            if plan.chance.random() < 0.4:
                _meet(plan, army, goal)
            return


def _scheme_paradox(plan: _Plan) -> None:
    """An army goes by sea to where a unit takes sides in a battle about a fleet on its way (DATC 6.F.14 to 6.F.24)."""
    armies = [unit for unit in plan.free() if unit.kind in plan.board.carriers]
    for army in armies * 4:
        found = plan.chain(army.space)
        meddler = plan.units.get(found[1]) if found else None
        if found is None or meddler is None or meddler.space in plan.orders:
            continue
        path, goal = found
        near = plan.board.reach(meddler.kind, meddler.location)
        prizes = [code for code in path if code in near]
        if not prizes:
            continue
        prize = plan.chance.choice(prizes)
        _carry(plan, army, path, goal)
        raiders = [unit for unit in plan.free() if unit != meddler]
        raiders = [unit for unit in raiders if prize in plan.board.reach(unit.kind, unit.location)]
        for raider in raiders[:2]:
            plan.go(raider, prize)
        _back(plan, meddler, plan.chance.choice([*raiders[:2], plan.units[prize]]))
        for unit in raiders[2:]:
            _back(plan, unit, plan.chance.choice([*raiders[:2], plan.units[prize], army]))
        return


def _carry(plan: _Plan, army: Unit, path: list[Code], goal: Code) -> None:
    """`army` goes to `goal` by the fleets of `path`, and maybe of other ways as well."""
    near = goal in plan.board.reach(army.kind, army.location)
    plan.tell(army, Move(army.ref, Location(goal), via=plan.chance.random() < (0.6 if near else 0.2)))
    carriers = list(path)
    for _ in range(plan.chance.choice((0, 0, 6))):
        again = plan.chain(army.space)
        if again is not None and again[1] == goal:
            carriers += again[0]
    for code in carriers:
        plan.tell(plan.units[code], Convoy(plan.units[code].ref, army.ref, Location(goal)))


def _meet(plan: _Plan, army: Unit, goal: Code) -> None:
    """The unit in `goal` comes the other way, or supports another that goes where `army` comes from."""
    other = plan.units.get(goal)
    near = [unit for unit in plan.free() if unit != other]
    near = [unit for unit in near if army.space in plan.board.reach(unit.kind, unit.location)]
    for unit in near[: plan.chance.choice((0, 1))]:
        plan.go(unit, army.space)
    if other is None:
        return
    if near and plan.chance.random() < 0.4:
        _back(plan, other, near[0])
        return
    plan.go(other, army.space)
    for unit in plan.free():
        if plan.chance.random() < 0.6:
            _back(plan, unit, plan.chance.choice((army, other)))


def _threaten(plan: _Plan, code: Code) -> None:
    """One or two units go to `code`; of the others that reach it some help them, some the unit in it."""
    near = [unit for unit in plan.free() if code in plan.board.reach(unit.kind, unit.location)]
    raiders = near[: plan.chance.choice((1, 1, 2))]
    for unit in raiders:
        plan.go(unit, code)
    for unit in near[len(raiders) :]:
        if plan.chance.random() < 0.7:
            _back(plan, unit, plan.chance.choice([*raiders, *raiders, plan.units[code]]))


def _scheme_swap(plan: _Plan) -> None:
    """Two neighbours go to each other's space."""
    for unit in plan.free():
        near = [plan.units[to.space] for to in plan.reach(unit) if to.space in plan.units]
        near = [other for other in near if other.space not in plan.orders]
        near = [other for other in near if unit.space in plan.board.reach(other.kind, other.location)]
        if near:
            other = plan.chance.choice(near)
            plan.go(unit, other.space)
            plan.go(other, unit.space)
            return


def _scheme_circle(plan: _Plan) -> None:
    """Units follow each other, at best all the way round."""
    free = plan.free()
    if not free:
        return
    path = [free[0]]
    while True:
        here = path[-1]
        near = sorted(to.space for to in plan.reach(here) if to.space in plan.units and to.space not in plan.orders)
        onward = [code for code in near if plan.units[code] not in path]
        if len(path) > 2 and path[0].space in near and plan.chance.random() < 0.7:
            onward = []
        if not onward:
            break
        path.append(plan.units[plan.chance.choice(onward)])
    for unit, after in zip(path, (*path[1:], path[0]), strict=True):
        plan.go(unit, after.space)


def _scheme_clash(plan: _Plan) -> None:
    """Several units go to one space with their supports, and a unit in it may leave."""
    free = plan.free()
    ways = sorted({to.space for to in plan.reach(free[0])}) if free else []
    if not ways:
        return
    goal = plan.chance.choice(ways)
    owner = plan.units.get(goal)
    if owner in free and plan.chance.random() < 0.4:
        plan.tell(owner, _any_order(plan, owner))
    near = [unit for unit in plan.free() if goal in plan.board.reach(unit.kind, unit.location)]
    rivals = near[: plan.chance.randint(1, 2)]
    for unit in rivals:
        plan.go(unit, goal)
    for unit in near[len(rivals) :]:
        if plan.chance.random() < 0.6:
            _back(plan, unit, plan.chance.choice(rivals))


_SCHEMES: tuple[Callable[[_Plan], None], ...] = (
    _scheme_convoy,
    _scheme_convoy,
    _scheme_paradox,
    _scheme_paradox,
    _scheme_swap,
    _scheme_circle,
    _scheme_clash,
)


def _attack_someone(plan: _Plan, unit: Unit) -> None:
    """Go where something stands, best where it supports or convoys."""
    ways = [to for to in plan.reach(unit) if to.space in plan.units]
    busy = [to for to in ways if isinstance(plan.orders.get(to.space), Support | Convoy)]
    if ways:
        plan.tell(unit, Move(unit.ref, plan.chance.choice(busy or ways)))


def _back_someone(plan: _Plan, unit: Unit) -> bool:
    """Support an order that is already given, if one can be supported from here."""
    others = [plan.units[code] for code in sorted(plan.orders)]
    plan.chance.shuffle(others)
    return any(_back(plan, unit, other) for other in others)


def _back(plan: _Plan, unit: Unit, other: Unit) -> bool:
    """Let `unit` support what `other` was ordered to do, if it may."""
    if unit.space == other.space or unit.space in plan.orders:
        return False
    order = plan.orders.get(other.space)
    near = plan.board.reach(unit.kind, unit.location)
    if isinstance(order, Move):
        if order.to.space in near and _could_go(plan, other, order.to.space, unit):
            plan.tell(unit, Support(unit.ref, other.ref, _spoken(plan, other, order.to)))
    elif other.space in near:
        plan.tell(unit, Support(unit.ref, other.ref))
    return unit.space in plan.orders


def _could_go(plan: _Plan, other: Unit, goal: Code, supporter: Unit) -> bool:
    """Tell whether `other` may be supported to `goal`: by its own move or a convoy without the supporter (6.D.31)."""
    if goal in plan.board.reach(other.kind, other.location):
        return True
    afloat = {code for code in plan.board.ports if code in plan.units} - {supporter.space}
    edge = sorted(plan.board.waters.get(other.space, frozenset()) & afloat)
    seen = set(edge)
    for code in edge:
        beyond = sorted((plan.board.waters[code] & afloat) - seen)
        seen.update(beyond)
        edge += beyond
    return any(goal in plan.board.ports[code] for code in seen)


def _spoken(plan: _Plan, other: Unit, to: Location) -> Location:
    """The destination as a supporter names it: the coast may be left out, or be another that `other` reaches."""
    ways = [way for way in plan.reach(other) if way.space == to.space]
    return plan.chance.choice([to, to, Location(to.space), *ways])


def _any_order(plan: _Plan, unit: Unit) -> MovementOrder:
    """Any order `unit` may be given, the kinds being about equally likely as far as they are possible."""
    kinds: list[Callable[[_Plan, Unit], MovementOrder | None]] = [_any_hold, _any_move, _any_move, _any_support]
    kinds += [_any_convoy] if unit.kind in plan.board.convoying else [_any_support]
    return plan.chance.choice(kinds)(plan, unit) or Hold(unit.ref)


def _any_hold(_plan: _Plan, unit: Unit) -> MovementOrder:
    return Hold(unit.ref)


def _any_move(plan: _Plan, unit: Unit) -> MovementOrder | None:
    if unit.kind in plan.board.carriers and plan.chance.random() < 0.3:
        found = plan.chain(unit.space)
        if found is not None:
            return Move(unit.ref, Location(found[1]), via=plan.chance.random() < 0.5)
    ways = plan.reach(unit)
    return Move(unit.ref, plan.chance.choice(ways)) if ways else None


def _any_support(plan: _Plan, unit: Unit) -> MovementOrder | None:
    near = plan.board.reach(unit.kind, unit.location)
    choices: list[tuple[Unit, Location | None]] = []
    for code, other in sorted(plan.units.items()):
        if code != unit.space:
            choices += [(other, None)] * 2 if code in near else []
            choices += [(other, to) for to in plan.reach(other) if to.space in near]
            found = plan.chain(code, without=unit.space) if other.kind in plan.board.carriers else None
            if found is not None and found[1] in near and found[1] != unit.space:
                choices.append((other, Location(found[1])))
    if not choices:
        return None
    other, goal = plan.chance.choice(choices)
    return Support(unit.ref, other.ref, goal)


def _any_convoy(plan: _Plan, unit: Unit) -> MovementOrder | None:
    for code in shuffled(plan.chance, sorted(plan.units)):
        found = plan.chain(code) if plan.units[code].kind in plan.board.carriers else None
        if found is not None and unit.space in found[0]:
            return Convoy(unit.ref, plan.units[code].ref, Location(found[1]))
    return None


# Knots: several convoys that turn on each other


def knotted_battle(chance: Random, board: Board) -> tuple[Position, tuple[MovementOrder, ...]]:
    """Two or three neighbouring seas with a convoy each, whose armies land on units that meddle with the convoys.

    Most are convoy paradoxes or nearly so, many of several convoys at once (DATC 6.F.22 to 6.F.24).
    """
    plan = _Plan(chance, board, {})
    seas = [code for code in _around_seas(chance, board, 3) if code in board.ports][: chance.choice((2, 2, 3))]

    for sea in seas:
        _enlist(plan, Location(sea))
    meddlers: dict[Code, Unit] = {}
    for sea, other in zip(seas, [*seas[1:], seas[0]], strict=True):
        # each convoy turns on another one, now and then on itself
        prize = sea if chance.random() < 0.15 else other
        meddler = _knot(plan, sea, prize)
        if meddler is not None:
            meddlers[prize] = meddler
    for sea in seas:
        for _ in range(chance.choice((0, 1, 1, 1, 2))):
            raider = _neighbour(plan, sea)
            if raider is not None:
                plan.go(raider, sea)
    for prize, meddler in meddlers.items():
        _take_sides(plan, meddler, [prize])
    for place in chance.choices([*seas, *(meddler.space for meddler in meddlers.values())], k=chance.randint(0, 4)):
        helper = _neighbour(plan, place)
        if helper is not None:
            _take_sides(plan, helper, [place])
    return Position(MOVEMENT, tuple(plan.units.values())), tuple(order for _, order in sorted(plan.orders.items()))


def _enlist(plan: _Plan, location: Location, kind: UnitKind = UnitKind.FLEET) -> Unit:
    """A new unit, of any power."""
    unit = Unit(plan.chance.choice(POWERS), kind, location)
    plan.units[unit.space] = unit
    return unit


def _knot(plan: _Plan, sea: Code, prize: Code) -> Unit | None:
    """An army carried over `sea`, and the fleet it lands on, which reaches `prize`; returns that fleet."""
    ports = shuffled(plan.chance, sorted(plan.board.ports[sea] - set(plan.units)))
    places = [loc for port in ports for loc in plan.board.spaces[port].locations]
    places = [loc for loc in places if prize in plan.board.reach(UnitKind.FLEET, loc)]
    if len(ports) < 2 or not places:
        return None
    meddler = _enlist(plan, places[0])
    start = next(port for port in ports if port != meddler.space)
    army = _enlist(plan, Location(start), UnitKind.ARMY)
    _carry(plan, army, [sea], meddler.space)
    return meddler


def _neighbour(plan: _Plan, code: Code) -> Unit | None:
    """A new fleet somewhere free from where it reaches `code`."""
    places = sorted(loc for loc, tos in plan.board.fleets.items() if any(to.space == code for to in tos))
    places = [loc for loc in places if loc.space not in plan.units]
    return _enlist(plan, plan.chance.choice(places)) if places else None


def _take_sides(plan: _Plan, unit: Unit, places: Sequence[Code]) -> None:
    """Support what stands in one of `places` or comes there."""
    near = plan.board.reach(unit.kind, unit.location)
    parties = [plan.units[code] for code in places if code in near and code in plan.units]
    parties += [
        plan.units[code] for code, order in plan.orders.items() if isinstance(order, Move) and order.to.space in places
    ]
    plan.chance.shuffle(parties)
    for party in parties:
        if _back(plan, unit, party):
            return


# Hypothesis


def chances() -> st.SearchStrategy[Random]:
    """A source of chance that Hypothesis controls."""
    return st.randoms(use_true_random=False)


def battles(
    board: Board, shape: Callable[[Random, Board], Position] = small_position
) -> st.SearchStrategy[tuple[Position, tuple[MovementOrder, ...]]]:
    """A position of the given shape and orders for its movement."""

    def build(chance: Random) -> tuple[Position, tuple[MovementOrder, ...]]:
        position = shape(chance, board)
        return position, movement_orders(chance, board, position)

    return chances().map(build)

"""The adjustment phase: the number of builds or removals, the sites of builds, and civil disorder (DATC 6.I, 6.J)."""

from collections.abc import Iterable, Mapping, Sequence

from plenipo.engine.board import Board, Code, Location, UnitKind
from plenipo.engine.budgets import PowerBudgets
from plenipo.engine.calendar import Step
from plenipo.engine.facts import AT_HOME, OWNED, BuildSite, CornersAsNearestArea, RequiredBuilds
from plenipo.engine.hooks import Entitlement, RuleModule
from plenipo.engine.orders import AdjustmentOrder, Build, Convert, Ref, Remove, Waive
from plenipo.engine.outcome import Cause, Outcome, Reason, Result
from plenipo.engine.phases import converting, delays
from plenipo.engine.position import Position, Power, Unit
from plenipo.engine.rules import Rules
from plenipo.engine.sentences import Either, Sentence, SentenceKind, Series
from plenipo.engine.space_filter import IN_WORDS, is_such

__all__ = [
    "build_sites",
    "disorder_order",
    "due",
    "entitlement",
    "list_possible_builds",
    "possible",
    "required_builds",
    "resolve",
    "resolve_build_collisions",
    "value_of_centre",
    "why_no_site",
    "why_not_built",
]


def entitlement(rules: Rules, position: Position, power: Power) -> Entitlement:
    """Return how many units `power` may build up to, and how many it may keep: its number of centres (rulebook)."""
    if power in rules.facts.garrisons:
        return Entitlement(0, len(position.units_of(power)))
    owned = position.centres_of(power)
    supply = rules.facts.supply
    whole = supply.units(power, owned)
    entitled = Entitlement(whole, whole)
    if delay := rules.facts.delay:
        late = delay.among(owned) - delays.read_state(position).ripe
        counted = supply.units(power, [code for code in owned if code not in late]) if late else whole
        entitled = Entitlement(counted, whole if delay.sustains else counted)
    for module in rules.overriding[RuleModule.entitlement]:
        entitled = module.entitlement(rules, position, power, entitled)
    return entitled


def value_of_centre(rules: Rules, code: Code) -> int:
    """Return the value of a centre for the number of units of its owner."""
    return rules.facts.supply.values.get(code, 1)


def due(rules: Rules, position: Position, power: Power) -> int:
    """Return how many units `power` may build (positive) or must remove (negative)."""
    builds, keeps = entitlement(rules, position, power)
    supply, garrisons = rules.facts.supply, rules.facts.garrisons
    if supply.credit and position.phase.season in supply.credit_in and power not in garrisons:
        builds, keeps = builds + supply.credit, keeps + supply.credit
    units = rules.board_at(position).upkeep([unit.kind for unit in position.units_of(power)])
    number = keeps - units if units > keeps else max(0, builds - units)
    if number == 0:
        return 0
    seasons = supply.builds_in if number > 0 else supply.removals_in
    if seasons and position.phase.season not in seasons:
        return 0
    return number if supply.most_builds is None else min(number, supply.most_builds)


def possible(rules: Rules, position: Position, power: Power) -> int:
    """Return `due`, but with no more builds than there are sites: the number that `power` can really order."""
    number = due(rules, position, power)
    return min(number, len(build_sites(rules, position, power))) if number > 0 else number


def build_sites(rules: Rules, position: Position, power: Power) -> tuple[Code, ...]:
    """Return the spaces in which `power` may build any unit, alphabetically; by default vacant homes it owns."""
    codes = _wide_or_home(rules, position, power)
    return tuple(code for code in sorted(codes) if not why_no_site(rules, position, power, code))


def list_possible_builds(rules: Rules, position: Position, power: Power) -> tuple[Ref, ...]:
    """Return every unit that `power` may build: by space, an army first, then fleets on each coast."""
    board = rules.board_at(position)
    return tuple(
        Ref(kind, location)
        for code in build_sites(rules, position, power)
        for kind in board.kinds
        for location in dict.fromkeys((Location(code), *board.spaces[code].locations))
        if board.can_stand(kind, location) and not why_not_built(rules, position, power, kind, location)
    )


def why_no_site(rules: Rules, position: Position, power: Power, code: Code) -> str:
    """Return a sentence that says why `power` may build no unit in `code`; empty if it may build any."""
    board = rules.board_at(position)
    name, sites = board.spaces[code].name, rules.facts.sites
    owner, unit = position.owners.get(code), position.unit_at(code)
    if sites == AT_HOME and code not in position.homes_of(power):
        return _NOT_HOME(place=name, power=power)
    if sites in (AT_HOME, OWNED) and owner != power:
        return _OWNED_BY(place=name, owner=owner, power=power) if owner else _NOT_OWNED(place=name, power=power)
    if unit:
        return _OCCUPIED(place=name, unit=unit)
    if sites in (AT_HOME, OWNED):
        return ""
    places = dict.fromkeys((Location(code), *board.spaces[code].locations))
    whys = [
        why_not_built(rules, position, power, kind, place)
        for kind in board.kinds
        for place in places
        if board.can_stand(kind, place)
    ]
    return "" if "" in whys else _NO_SITE(power=power, place=name, sites=_in_words(board, sites, power))


def why_not_built(rules: Rules, position: Position, power: Power, kind: UnitKind, location: Location) -> str:
    """Return a sentence that says why `power` may not build a unit type at a vacant location; empty if it may."""
    sites, board = rules.facts.sites, rules.board_at(position)
    if not board.traits[kind].built:
        return _NEVER_BUILT(type=board.name_with_article(kind))
    if parts := board.traits[kind].parts:
        return _BUILT_OF_PARTS(type=board.name_with_article(kind), parts=tuple(map(board.name_with_article, parts)))
    if not board.can_stand(kind, location):
        return _CANNOT_STAND(type=board.name_with_article(kind), place=board.spaces[location.space].name)
    if any(_is_site(rules, position, power, kind, location, site) for site in sites):
        return ""
    name = board.spaces[location.space].name
    return _TYPE_NOT_BUILT(
        power=power, type=board.name_with_article(kind), place=name, sites=_in_words(board, sites, power)
    )


def _wide_or_home(rules: Rules, position: Position, power: Power) -> Iterable[Code]:
    """Return a superset of the spaces in which a power may build."""
    wheres = {site.where for site in rules.facts.sites}
    if wheres == {"home"}:
        return position.homes_of(power)
    return position.centres_of(power) if wheres <= {"home", "owned"} else rules.board_at(position).spaces


def _is_site(
    rules: Rules, position: Position, power: Power, kind: UnitKind, location: Location, site: BuildSite
) -> bool:
    """Return whether a location is a site of this kind for a unit type."""
    code = location.space
    owner, homes = position.owners.get(code), position.homes_of(power)
    open_to = (not site.units or kind in site.units) and (not site.powers or power in site.powers)
    open_to &= position.phase.within(site.seasons, site.from_year, site.until_year)
    if not open_to or (site.among and code not in site.among) or position.unit_at(code):
        return False
    if site.while_home and not any(position.owners.get(home) == power for home in homes):
        return False
    board = rules.board_at(position)
    if site.where in ("home", "owned", "unowned", "anywhere"):
        return is_such(site.where, board, position, power, code)
    if owner not in (None, power):
        return False
    near = {
        "near_home": {home for home in homes if position.owners.get(home) == power},
        "near_owned": set(position.centres_of(power)),
        "near_unit": {unit.space for unit in position.units_of(power)},
    }[site.where]
    return any(step.space in near for step in board.steps(kind, location))


_IN = SentenceKind("in-such", "in {where}", note="{where} is 'home centres it owns' or the like.")
_WHERE: Mapping[str, Sentence] = {
    **{whose: _IN(where=words) for whose, words in IN_WORDS.items()},
    "near_home": SentenceKind("next-to-homes", "next to home centres it owns")(),
    "near_owned": SentenceKind("next-to-centres", "next to centres it owns")(),
    "near_unit": SentenceKind("next-to-units", "next to its units")(),
}
_NOT_HOME = SentenceKind("not-home", "{place} is not a home centre of {power}.")
_OWNED_BY = SentenceKind("owned-by", "{place} is owned by {owner}, not by {power}.")
_NOT_OWNED = SentenceKind("not-owned", "{power} does not own {place}.")
_OCCUPIED = SentenceKind("occupied", "{place} is occupied by {unit}.")
_NO_SITE = SentenceKind("no-site", "{power} may not build in {place}: {sites}.")
_NEVER_BUILT = SentenceKind("never-built", "{type} is not built in this game.")
_BUILT_OF_PARTS = SentenceKind("built-of-parts", "{type} is not built; it is {parts} together.")
_CANNOT_STAND = SentenceKind("cannot-stand", "{type} cannot stand in {place}.")
_TYPE_NOT_BUILT = SentenceKind("type-not-built", "{power} may not build {type} in {place}: {sites}.")
_BUILDS = SentenceKind("builds-at", "it builds {sites}")
_BUILDS_NOWHERE = SentenceKind("builds-nowhere", "it builds nowhere")()
_SITE_UNITS = SentenceKind("site-units", "{types} {where}", note="'fleets in home centres it owns'")
_SITE_AMONG = SentenceKind("site-among", "{where} among {places}")
_SITE_WHILE_HOME = SentenceKind("site-while-home", "{where} while it owns a home")
_SITE_SEASONS = SentenceKind("site-seasons", "{where} in {seasons}")
_SITE_FROM = SentenceKind("site-from", "{where} from {year} on")
_SITE_UNTIL = SentenceKind("site-until", "{where} until {year}")


def _in_words(board: Board, sites: Sequence[BuildSite], power: Power) -> Sentence:
    """Return the sites in which a power builds, in words."""
    parts = Either(_site_in_words(board, site) for site in sites if not site.powers or power in site.powers)
    return _BUILDS(sites=parts) if parts else _BUILDS_NOWHERE


def _site_in_words(board: Board, site: BuildSite) -> Sentence:
    where = _WHERE[site.where]
    if site.units:
        where = _SITE_UNITS(types=tuple(board.traits[kind].plural for kind in site.units), where=where)
    if site.among:
        where = _SITE_AMONG(where=where, places=Series(site.among))
    if site.while_home:
        where = _SITE_WHILE_HOME(where=where)
    if site.seasons:
        where = _SITE_SEASONS(where=where, seasons=Either(site.seasons))
    if site.from_year is not None:
        where = _SITE_FROM(where=where, year=site.from_year)
    return where if site.until_year is None else _SITE_UNTIL(where=where, year=site.until_year)


def required_builds(rules: Rules, position: Position, power: Power) -> tuple[Build, ...]:
    """Return the builds that `RequiredBuilds` adds for `power` if it left builds without an order."""
    phase = position.phase
    opening = Step(phase.season, phase.kind) in rules.calendar.opening and phase.year == rules.calendar.start
    if not opening or rules.facts.one(RequiredBuilds) is None:
        return ()
    return tuple(Build(Ref(UnitKind.ARMY, Location(code))) for code in sorted(position.homes_of(power)))


def resolve(
    rules: Rules, position: Position, power: Power, orders: Sequence[AdjustmentOrder]
) -> tuple[tuple[Outcome, ...], tuple[Unit, ...]]:
    """Adjudicate the legal `orders` of one power, in the order given, and add the missing ones.

    The first orders count (DATC 4.D.4 to 4.D.6); builds not ordered are waived; removals not ordered are decided by the
    rule of civil disorder. Returns the outcomes and the units of this power then on the board.
    """
    number = possible(rules, position, power)
    units = position.units_of(power)
    if number < 0:
        outcomes, removed = _removals(rules, position, power, orders, -number)
        units = tuple(unit for unit in units if unit not in removed)
        built: list[Unit] = []
    else:
        outcomes, built = _builds(rules, position, power, orders, number)
    turned, units = converting.resolve(power, units, orders)
    return (*outcomes, *turned), (*units, *built)


_WAIVED = SentenceKind("waived", "{power} waived {number} build.", "{power} waived {number} builds.")
_UNUSED = SentenceKind("not-used", "{power} did not use {number} build.", "{power} did not use {number} builds.")
_BUILT = SentenceKind("built", "{power} built {unit}.")
_BUILT_UNORDERED = SentenceKind("built-unordered", "{power} gave no order for a build, and so built {unit}.")
_REMOVED = SentenceKind("removed", "{power} removed {unit}.")
_NOT_BUILT = SentenceKind("not-built", "{unit} of {power} was not built: {others} built there as well.")
_ORDER_IGNORED = SentenceKind("adjustment-ignored", "'{order}' was ignored: {reason}")
_BUILDS_ALREADY = SentenceKind("builds-already", "{power} builds in {place} already.")
_BUILDS_USED = SentenceKind(
    "builds-used", "{power} has {number} build, and they are used.", "{power} has {number} builds, and they are used."
)
_REMOVED_ALREADY = SentenceKind("removed-already", "{unit} is removed already.")
_REMOVED_ENOUGH = SentenceKind("removed-enough", "{power} has removed enough units.")


def _builds(
    rules: Rules, position: Position, power: Power, orders: Sequence[AdjustmentOrder], number: int
) -> tuple[list[Outcome], list[Unit]]:
    """Return the outcomes of `number` builds, and the units built."""
    outcomes: list[Outcome] = []
    built: list[Unit] = []
    left, traits = number, rules.board_at(position).traits
    account = PowerBudgets(rules, position, power)
    for order in orders:
        if isinstance(order, Waive) and left:
            waived = min(order.count, left)
            left -= waived
            why = _WAIVED(power=power, number=waived)
            outcomes.append(Outcome(power, None, order, Result.WAIVED, Cause(Reason.ORDERED), why))
            continue
        if isinstance(order, Convert):
            continue
        unit: Unit | None = None
        if isinstance(order, Build):
            kind, location = order.unit
            unit = Unit(power, kind or UnitKind.ARMY, location)
        if unit and any(other.space == unit.space for other in built):
            outcomes.append(_void(power, unit, order, _BUILDS_ALREADY(power=power, place=unit.space)))
        elif unit is None or left < traits[unit.kind].upkeep:
            outcomes.append(_void(power, unit, order, _BUILDS_USED(power=power, number=number)))
        elif unpaid := account.pay(order):
            outcomes.append(_void(power, unit, order, unpaid))
        else:
            left -= traits[unit.kind].upkeep
            built.append(unit)
            cause = Cause(Reason.ORDERED, place=unit.space)
            outcomes.append(Outcome(power, unit, order, Result.BUILDS, cause, _BUILT(power=power, unit=unit)))
    for build in required_builds(rules, position, power):
        unit = Unit(power, UnitKind.ARMY, build.unit.location)
        vacant = all(other.space != unit.space for other in built)
        if left and vacant and not why_no_site(rules, position, power, unit.space):
            left -= 1
            built.append(unit)
            cause = Cause(Reason.NO_ORDER, place=unit.space)
            why = _BUILT_UNORDERED(power=power, unit=unit)
            outcomes.append(Outcome(power, unit, build, Result.BUILDS, cause, why))
    if left:
        why = _UNUSED(power=power, number=left)
        outcomes.append(Outcome(power, None, None, Result.WAIVED, Cause(Reason.NO_ORDER), why))
    return outcomes, built


def resolve_build_collisions(outcomes: Sequence[Outcome]) -> tuple[tuple[Outcome, ...], frozenset[Unit]]:
    """Return the outcomes of all powers, in which several builds in one space fail, and the units that are not built.

    This is possible only where units are built outside their power's homes and centres (`BuildSite`).
    """
    by_space: dict[Code, list[Unit]] = {}
    for outcome in outcomes:
        if outcome.result is Result.BUILDS and outcome.unit:
            by_space.setdefault(outcome.unit.space, []).append(outcome.unit)
    lost = frozenset(unit for units in by_space.values() if len(units) > 1 for unit in units)
    return tuple(_not_built(outcome, by_space) if outcome.unit in lost else outcome for outcome in outcomes), lost


def _not_built(outcome: Outcome, built: Mapping[Code, Sequence[Unit]]) -> Outcome:
    """Return the outcome of a build in a space where other powers build as well."""
    unit = outcome.unit
    assert unit is not None  # noqa: S101  # a build has one
    others = tuple(other for other in built[unit.space] if other != unit)
    why = _NOT_BUILT(unit=unit, power=unit.power, others=tuple(other.power for other in others))
    cause = Cause(Reason.COLLIDED, by=others, place=unit.space)
    return outcome._replace(result=Result.FAILS, cause=cause, said=why)


def _removals(
    rules: Rules, position: Position, power: Power, orders: Sequence[AdjustmentOrder], number: int
) -> tuple[list[Outcome], list[Unit]]:
    """Return the outcomes of `number` removals, and the units removed."""
    outcomes: list[Outcome] = []
    removed: list[Unit] = []
    board = rules.board_at(position)

    def enough() -> bool:
        return board.upkeep([unit.kind for unit in removed]) >= number

    for order in orders:
        if not isinstance(order, Remove):
            continue
        unit = position.unit_at(order.unit.location.space)
        assert unit is not None  # noqa: S101  # the order is legal
        if unit in removed:
            outcomes.append(_void(power, unit, order, _REMOVED_ALREADY(unit=unit)))
        elif enough():
            outcomes.append(_void(power, unit, order, _REMOVED_ENOUGH(power=power)))
        else:
            removed.append(unit)
            why = _REMOVED(power=power, unit=unit)
            outcomes.append(Outcome(power, unit, order, Result.REMOVED, Cause(Reason.ORDERED), why))
    for unit, in_disorder in () if enough() else disorder_order(rules, position, power):
        if not enough() and unit not in removed and board.traits[unit.kind].upkeep:
            removed.append(unit)
            outcomes.append(Outcome(power, unit, None, Result.REMOVED, Cause(Reason.CIVIL_DISORDER), in_disorder))
    return outcomes, removed


def _void(power: Power, unit: Unit | None, order: AdjustmentOrder, refusal: str) -> Outcome:
    cause = Cause(Reason.ILLEGAL, detail=refusal)
    return Outcome(power, unit, order, Result.VOID, cause, _ORDER_IGNORED(order=order, reason=refusal))


_DISORDER = {
    True: (
        SentenceKind(
            "disorder-home",
            "{unit} of {power} was removed in civil disorder: it stood {number} step from the nearest home centre.",
            "{unit} of {power} was removed in civil disorder: it stood {number} steps from the nearest home centre.",
        ),
        SentenceKind(
            "disorder-home-cut-off",
            "{unit} of {power} was removed in civil disorder: it has no way to any home centre.",
        ),
    ),
    False: (
        SentenceKind(
            "disorder-owned",
            "{unit} of {power} was removed in civil disorder: it stood {number} step from the nearest owned centre.",
            "{unit} of {power} was removed in civil disorder: it stood {number} steps from the nearest owned centre.",
        ),
        SentenceKind(
            "disorder-owned-cut-off",
            "{unit} of {power} was removed in civil disorder: it has no way to any owned centre.",
        ),
    ),
}
"""The sentences about a unit at a distance, and about one that is cut off, by whether home centres are the goal."""


def disorder_order(rules: Rules, position: Position, power: Power) -> list[tuple[Unit, str]]:
    """Return the units of `power` in the order of removal in civil disorder, each with a sentence that says why.

    The farthest goes first (policy 4.D.8), a fleet before an army, then by the alphabet of the full names.
    A unit that cannot reach home at all counts as farther than any other.
    """
    board = rules.board_at(position)
    by_home = rules.rulebook["4.D.8"] == "home"
    goals = position.homes_of(power) if by_home else frozenset(position.centres_of(power))
    far, cut_off = _DISORDER[by_home]
    overland = board.distances(goals)

    nearest = rules.facts.one(CornersAsNearestArea) is not None

    def distance(unit: Unit) -> float:
        corner = board.spaces[unit.space].corner if nearest else None
        if corner and (near := [overland[touch.space] for touch in corner.touches if touch.space in overland]):
            return min(near)
        if by_home and unit.kind in board.sailing:
            return _by_water(board, unit, goals)
        return overland.get(unit.space, float("inf"))

    def sentence(unit: Unit) -> str:
        steps = distance(unit)
        if steps == float("inf"):
            return cut_off(unit=unit, power=power)
        return far(unit=unit, power=power, number=int(steps))

    ranked = sorted(
        position.units_of(power),
        key=lambda unit: (-distance(unit), -board.kinds.index(unit.kind), board.spaces[unit.space].name, unit.location),
    )
    return [(unit, sentence(unit)) for unit in ranked]


def _by_water(board: Board, unit: Unit, goals: frozenset[Code]) -> float:
    """Return the moves a fleet needs to the nearest goal, infinite if it cannot reach any."""
    seen, edge, steps = {unit.location}, {unit.location}, 0
    while edge:
        if any(location.space in goals for location in edge):
            return steps
        edge = {to for location in edge for to in board.steps(unit.kind, location)} - seen
        seen |= edge
        steps += 1
    return float("inf")

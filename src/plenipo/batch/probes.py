"""What rule modules say, found out by asking their hooks.

A module knows nothing of the kernel. Every hook it overrides is either one that only prepares the rules (board,
calendar, opening), or one whose answers are a table, which is asked for everything that can be asked and compared with
the few forms the kernel knows. A hook of another sort, or answers of another form, are refused by the name of the
module.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from itertools import combinations
from random import Random
from typing import Any, NamedTuple

from plenipo.batch.refusals import UnsupportedRules
from plenipo.engine.board import Board, Code, Location, Terrain, UnitKind
from plenipo.engine.calendar import Phase, PhaseKind, Step
from plenipo.engine.doubles import areas_of
from plenipo.engine.facts import CornersAsNearestArea, RequiredBuilds
from plenipo.engine.history.dice import SEED_BYTES, Dice, DrawSource
from plenipo.engine.hooks import Choices, Entitlement, RuleModule
from plenipo.engine.orders import Choose, Hold, MovementOrder, Support
from plenipo.engine.phases.victory import most
from plenipo.engine.position import Dislodged, Position, Power, Unit
from plenipo.engine.rules import Rules

__all__ = ["Findings", "Part", "Ripening", "Scope", "Start", "probe", "unplayed"]


class Scope(StrEnum):
    """What tables are compiled for; each asks more of the rules than the one before."""

    MOVEMENTS = "movements"
    """Single movements and retreats: what happens before and after them may be anything."""
    PHASES = "phases"
    """Single phases of any kind, adjustments among them."""
    GAMES = "games"
    """Whole games, from phase to phase."""


_PREPARING = {
    "facts",
    "board",
    "calendar",
    "opening",
    "game_powers",
    "scheduled",
    "decode_slot",
    "victory_condition",
    "score",
    "marks",
}
"""Hooks that are done with when the rules are made, or that only tell people something."""

_BETWEEN = {"after_moves", "why_no_notice", "unit_as_named", "space_lost", "space_split"}
"""Hooks that act before and after phases, and are no tables; single phases do without them."""

_OF_AN_ADJUSTMENT = {"entitlement"}
"""Hooks that are asked while adjustments are judged."""

_OF_A_GAME = {
    "standing_orders",
    "why_no_orders",
    "why_no_retreat",
    "after_phase",
    "choices",
    "why_not_together",
    "replaced_choices",
    "missing_choices",
    "after_choices",
    "captures",
    "after_ownership",
    "verdict",
}
"""Hooks of whole games."""

_YEARS = 60
"""For how many years ahead what happens at a date is looked for."""

_TRIES = 24
"""How many random situations an answer is compared in."""


class Part(NamedTuple):
    """What one choice gives a power: units, centres, home centres, and the orders of the choice phase that say so."""

    orders: tuple[Choose, ...]
    units: tuple[Unit, ...]
    owned: frozenset[Code]
    homes: frozenset[Code]


class Start(NamedTuple):
    """The position the choices are put on, and what each power may choose from."""

    base: Position
    parts: Mapping[Power, tuple[Part, ...]]


@dataclass(frozen=True)
class Findings:
    """What was found; see `plenipo.batch.tables.Arrays` for the meaning of each."""

    weights: tuple[tuple[int, ...], ...]
    crossings: tuple[tuple[Code, Code, Code, Code], ...] = ()
    rides: tuple[tuple[Code, Code], ...] = ()
    standing: Mapping[Code, MovementOrder] | None = None
    doomed: frozenset[tuple[Power, UnitKind, Location]] = frozenset()
    distances: Mapping[tuple[Code, UnitKind, Location], int] | None = None
    frozen: tuple[Phase, ...] = ()
    ripening: "Ripening | None" = None
    pieces: bool = False
    required: frozenset[Step] = frozenset()
    start: Start | None = None


class Ripening(NamedTuple):
    """When a centre that changed hands counts: for builds, if it is still owned at the next settling.

    With `occupied`, only if a unit of its owner stands in it then; with `starving`, it keeps no unit before.
    """

    occupied: bool
    starving: bool


def unplayed(rules: Rules) -> tuple[Power, ...]:
    """The powers whose units nobody plays."""
    listed = tuple(info.name for info in rules.powers if not info.played)
    others = {unit.power for unit in rules.opening.units} - {info.name for info in rules.powers}
    return (*listed, *sorted(others))


def probe(rules: Rules, board: Board, powers: Sequence[Power], scope: Scope) -> Findings:
    """Ask the rule modules of `rules`; `powers` are all that may have units, those nobody plays among them.

    Raises `UnsupportedRules` for the first answer the kernel cannot take.
    """
    asked = _Asked(rules, board, tuple(powers))
    for module in rules.modules:
        asked.look_through(module, scope)
    findings = Findings(weights=asked.weights(), crossings=asked.crossings(), rides=asked.rides())
    if scope is Scope.MOVEMENTS:
        return findings
    findings = replace(
        findings, distances=asked.distances(), ripening=asked.ripening(), required=asked.required_builds()
    )
    if scope is Scope.PHASES:
        return findings
    asked.check_calendar()
    asked.check_captures()
    return replace(
        findings,
        standing=asked.standing(),
        doomed=asked.doomed(),
        frozen=asked.frozen(),
        pieces=asked.pieces(),
        start=asked.start(),
    )


def _overrides(module: RuleModule) -> set[str]:
    """The hooks a module does not leave as they are."""
    own = {name for kind in type(module).__mro__[:-1] if kind is not RuleModule for name in vars(kind)}
    return {name for name in own if not name.startswith("_") and callable(getattr(RuleModule, name, None))}


@dataclass(frozen=True)
class _Asked:
    """Rules to be asked, on one board."""

    rules: Rules
    board: Board
    powers: tuple[Power, ...]

    def look_through(self, module: RuleModule, scope: Scope) -> None:
        """Refuse a hook that no table can stand for."""
        taken = _PREPARING | _OF_AN_ADJUSTMENT | _OF_A_GAME
        taken |= set() if scope is Scope.GAMES else _BETWEEN
        for hook in sorted(_overrides(module) - taken):
            raise UnsupportedRules(
                f"The kernel cannot take the rule module '{module.name}': what it does in '{hook}' is no table."
            )

    def refuse(self, hook: str, what: str) -> UnsupportedRules:
        """The exception for answers of a form the kernel does not know, naming the modules that gave them."""
        names = [module.name for module in self.rules.modules if hook in _overrides(module)]
        listed = " and ".join(f"'{name}'" for name in names)
        return UnsupportedRules(f"The kernel cannot take the rule module {listed}: {what}.")

    def overriding(self, hook: str) -> bool:
        """Whether any module has something to say there."""
        return any(hook in _overrides(module) for module in self.rules.modules)

    # Single phases

    def stands(self) -> Iterator[tuple[UnitKind, Location]]:
        """Every place where a unit may stand."""
        for code, space in self.board.spaces.items():
            if space.impassable:
                continue
            if space.terrain is not Terrain.SEA and self.board.can_stand(UnitKind.ARMY, Location(code)):
                yield UnitKind.ARMY, Location(code)
            for location in space.locations:
                if self.board.can_stand(UnitKind.FLEET, location):
                    yield UnitKind.FLEET, location

    def weights(self) -> tuple[tuple[int, ...], ...]:
        """What a unit counts, a row a use, then a row a use supported; by power and kind."""
        weights = self.rules.facts.movement.weights
        rows = [
            weights.counts(power, kind, supporting=supporting)
            for supporting in (False, True)
            for power in self.powers
            for kind in UnitKind
        ]
        half = len(rows) // 2
        return (*zip(*rows[:half], strict=True), *zip(*rows[half:], strict=True))

    def crossings(self) -> tuple[tuple[Code, Code, Code, Code], ...]:
        """Ways that cross, by their ends."""
        ways = [(*sorted(fact.one), *sorted(fact.other)) for fact in self.rules.facts.movement.crossings]
        return tuple((a, b, c, d) for a, b, c, d in ways)

    def rides(self) -> tuple[tuple[Code, Code], ...]:
        """Ways of armies on which any convoy is taken."""
        ends = [sorted(way) for way in self.rules.facts.movement.convoy_ways]
        both = [(a, b) for one, other in sorted(ends) for a, b in ((one, other), (other, one))]
        return tuple((a, b) for a, b in both if b in self.board.armies.get(a, ()))

    def standing(self) -> Mapping[Code, MovementOrder]:
        """The orders of units nobody plays: holds, and supports of one another that end with the other unit."""
        rules, nobody = self.rules, unplayed(self.rules)
        found: dict[Code, MovementOrder] = {}
        if not nobody:
            return found
        # a unit nobody plays wherever one may stand, so that every standing order is told
        places = {location.space: (kind, location) for kind, location in self.stands()}
        opening = replace(rules.opening, units=tuple(Unit(nobody[0], *place) for place in places.values()))
        for module in rules.modules:
            found.update(module.standing_orders(rules, opening))
        for space, order in found.items():
            unit = opening.unit_at(space)
            fine = isinstance(order, Hold) or (isinstance(order, Support) and order.to is None)
            if unit is None or unit.power not in nobody or not fine:
                raise self.refuse("standing_orders", f"its standing order '{order}' is no hold and no support in place")
        for space in found:
            without = replace(opening, units=tuple(unit for unit in opening.units if unit.space != space))
            left: dict[Code, MovementOrder] = {}
            for module in rules.modules:
                left.update(module.standing_orders(rules, without))
            expected = {
                code: order
                for code, order in found.items()
                if code != space and not (isinstance(order, Support) and order.other.location.space == space)
            }
            if left != expected:
                raise self.refuse("standing_orders", "its standing orders change with the position")
        for unit in (*opening.units, *rules.opening.units):
            if any(module.why_no_orders(rules, opening, unit) for module in rules.modules):
                raise self.refuse("why_no_orders", "it takes orders away from units")
        return found

    def doomed(self) -> frozenset[tuple[Power, UnitKind, Location]]:
        """Which units are destroyed when they are dislodged."""
        if not self.overriding("why_no_retreat"):
            return frozenset()
        rules, opening = self.rules, self.rules.opening
        blank = replace(opening, units=(), owners={}, homes={})
        found = set()
        for power in self.powers:
            for kind, location in self.stands():
                lost = Dislodged(Unit(power, kind, location))
                fates = {
                    any(module.why_no_retreat(rules, position, lost) for module in rules.modules)
                    for position in (opening, blank)
                }
                if len(fates) > 1:
                    raise self.refuse("why_no_retreat", "what becomes of a dislodged unit changes with the position")
                if True in fates:
                    found.add((power, kind, location))
        return frozenset(found)

    # Whole games

    def distances(self) -> Mapping[tuple[Code, UnitKind, Location], int]:
        """Other distances of units from single centres in civil disorder; those from several must be the least."""
        if self.rules.facts.one(CornersAsNearestArea) is None:
            return {}
        places = [(kind, location, areas) for kind, location in self.stands() if (areas := areas_of(location.space))]
        return {
            (centre, kind, location): min(near)
            for centre in self.board.centres
            for overland in (self.board.distances([centre]),)
            for kind, location, areas in places
            if (near := [overland[area] for area in areas if area in overland])
        }

    def _settlings(self, years: int) -> Iterator[Phase]:
        """The steps of the next `years` years in which ownership is settled."""
        calendar = self.rules.calendar
        first = calendar.first
        if first.kind is PhaseKind.OWNERSHIP:
            yield first
        for phase in calendar.after(first):
            if phase.year > first.year + years:
                return
            if phase.kind is PhaseKind.OWNERSHIP:
                yield phase

    def _situation(self, chance: Random) -> Position:
        """A position with random owners, homes and units."""
        players = self.rules.names
        centres = sorted(self.board.centres)
        owners = {code: chance.choice(players) for code in centres if chance.random() < 0.8}
        homes = {power: frozenset(code for code in centres if chance.random() < 0.1) for power in players}
        places = {location.space: (kind, location) for kind, location in self.stands()}
        spaces = chance.sample(sorted(places), min(len(places), len(centres)))
        units = tuple(Unit(chance.choice(self.powers), *places[code]) for code in spaces)
        return replace(self.rules.opening, units=units, owners=owners, homes=homes)

    def _settle(self, position: Position, phase: Phase) -> Position:
        for module in self.rules.modules:
            position = module.after_ownership(self.rules, position, phase).position
        return position

    def frozen(self) -> tuple[Phase, ...]:
        """When the centres a power owns become its homes; nothing else may happen at a settling."""
        if not self.overriding("after_ownership"):
            return ()
        chance = Random(1)  # noqa: S311  # seeded chance, to look at some cases of many
        found = []
        for phase in self._settlings(_YEARS):
            before = self._situation(chance)
            after = self._settle(before, phase)
            owned = {power: frozenset(before.centres_of(power)) for power in self.rules.names}
            if dict(after.homes) != dict(before.homes):
                if {power: codes for power, codes in after.homes.items() if power in owned} != owned:
                    raise self.refuse("after_ownership", "it changes homes in a way that is not 'what is owned now'")
                found.append(phase)
            if replace(after, homes=before.homes, slots=before.slots) != before:
                raise self.refuse("after_ownership", "it changes the position when ownership is settled")
        return tuple(found)

    def ripening(self) -> Ripening | None:
        """When a centre that changed hands counts, None if at once; the units nobody plays are kept for any centre."""
        if not self.overriding("entitlement"):
            if unplayed(self.rules):
                names = " and ".join(unplayed(self.rules))
                raise UnsupportedRules(f"The kernel cannot take the units of {names}: nobody plays them.")
            return None
        phase = next(self._settlings(_YEARS), None)
        if phase is None:
            raise self.refuse("entitlement", "ownership is never settled in this calendar")
        chance = Random(2)  # noqa: S311  # seeded chance, to look at some cases of many
        forms = [None, *(Ripening(occupied, starving) for occupied in (False, True) for starving in (False, True))]
        for _ in range(_TRIES):
            position = replace(self._situation(chance), slots={})
            last, ripe = position.owners, set(position.owners)
            for _ in range(3):
                position = self._settle(position, phase)
                stays = {code for code, power in position.owners.items() if last.get(code) == power}
                ripe = stays & (ripe | {u.space for u in position.units if position.owners.get(u.space) == u.power})
                forms = [form for form in forms if self._entitles(position, form, {False: stays, True: ripe})]
                last, position = position.owners, self._later(position, chance)
        if not forms:
            raise self.refuse("entitlement", "what a power may build and keep follows no rule the kernel knows")
        return forms[0]

    def _entitles(self, position: Position, form: Ripening | None, ripe: Mapping[bool, set[Code]]) -> bool:
        """Whether every power is entitled to what this form says."""
        nobody = unplayed(self.rules)
        for power in self.powers:
            owned = position.centres_of(power)
            found = Entitlement(len(owned), len(owned))
            for module in self.rules.modules:
                found = module.entitlement(self.rules, position, power, found)
            if power in nobody:
                if found != (0, len(position.units_of(power))):
                    raise self.refuse("entitlement", f"units of {power} need centres, though nobody plays it")
                continue
            count = len(owned) if form is None else sum(code in ripe[form.occupied] for code in owned)
            if found != (count, count if form and form.starving else len(owned)):
                return False
        return True

    def _later(self, position: Position, chance: Random) -> Position:
        """The same with some centres owned by others, and other units."""
        other = self._situation(chance)
        owners = {code: power for code, power in position.owners.items() if chance.random() < 0.6}
        return replace(position, owners={**other.owners, **owners}, units=other.units)

    def check_calendar(self) -> None:
        """Nothing happens between the steps but that modules note what they saw after a choice."""
        calendar = self.rules.calendar
        for step in (*calendar.opening, *calendar.cycle):
            if step.kind is PhaseKind.DRAWS:
                raise UnsupportedRules(f"The kernel cannot take the calendar: it has draws in {step.season}.")
        if not self.overriding("after_phase"):
            return
        chance = Random(6)  # noqa: S311  # seeded chance, to look at some cases of many
        for step in (*calendar.opening, *calendar.cycle):
            for year in range(calendar.start, calendar.start + 3):
                phase = Phase(step.season, year, step.kind)
                before = self._situation(chance)
                after = before
                for module in self.rules.modules:
                    after = module.after_phase(
                        self.rules, after, phase, DrawSource("", Dice(bytes(SEED_BYTES)))
                    ).position
                if after != (replace(before, slots=after.slots) if step.kind is PhaseKind.CHOICE else before):
                    raise self.refuse("after_phase", f"it changes the position when {phase} is over")

    def check_captures(self) -> None:
        """Every unit of a power that is played takes the centre it stands in, and no other does."""
        if not self.overriding("captures"):
            return
        chance, nobody = Random(3), unplayed(self.rules)  # noqa: S311  # seeded chance, to look at some cases of many
        for _ in range(_TRIES):
            position = self._situation(chance)
            for unit in position.units:
                takes = all(module.captures(self.rules, position, unit) for module in self.rules.modules)
                if unit.space in self.board.centres and takes != (unit.power not in nobody):
                    raise self.refuse("captures", "not every unit takes the centre it stands in")

    def pieces(self) -> bool:
        """Whether who has won is told by pieces on the board, and not by centres owned."""
        phase = next(self._settlings(_YEARS), None)
        if phase is None or not self.overriding("verdict"):
            return False
        chance, rules = Random(4), self.rules  # noqa: S311  # seeded chance, to look at some cases of many
        forms = {False, True}
        for _ in range(_TRIES):
            some = chance.sample(rules.names, chance.randint(1, min(3, len(rules.names))))
            position = self._situation(chance)
            position = replace(position, units=tuple(u._replace(power=chance.choice(some)) for u in position.units))
            verdicts = (module.verdict(rules, position, phase) for module in rules.modules)
            found = next((verdict for verdict in verdicts if verdict is not None), None)
            won = most({power: len(position.units_of(power)) for power in rules.names}, rules.to_win)
            forms &= {found is not None}
            if found is not None and found.powers != ((won,) if won else ()):
                forms.clear()
        if not forms:
            raise self.refuse("verdict", "it decides who has won otherwise than by centres or by pieces")
        return forms.pop()

    def required_builds(self) -> frozenset[Step]:
        """The steps before the first year in which a power that orders no build gets an army in each of its homes."""
        if self.rules.facts.one(RequiredBuilds) is None:
            return frozenset()
        return frozenset(step for step in self.rules.calendar.opening if step.kind is PhaseKind.ADJUSTMENTS)

    # The choice before the first move

    def start(self) -> Start | None:
        """What each power may choose; None if the game opens with no choice. Choices must not depend on each other."""
        rules, base = self.rules, self.rules.opening
        calendar = rules.calendar
        if any(step.kind is PhaseKind.CHOICE for step in calendar.cycle):
            raise self.refuse("choices", "it asks for choices every year")
        if base.phase.kind is not PhaseKind.CHOICE:
            return None
        if sum(step.kind is PhaseKind.CHOICE for step in calendar.opening) > 1:
            raise self.refuse("choices", "it asks for choices more than once")
        parts = {power: self._parts(power) for power in rules.names}
        chance = Random(5)  # noqa: S311  # seeded chance, to look at some cases of many
        start = Start(base, parts)
        for _ in range(_TRIES):
            picked = {power: chance.choice(found) for power, found in parts.items() if found}
            told = self._reveal({power: part.orders for power, part in picked.items()})
            made = together(start, picked)
            if replace(made, slots=told.slots) != told:
                raise self.refuse("after_choices", "what one power gets depends on what others choose")
        return start

    def _reveal(self, choices: Choices) -> Position:
        position, hat = self.rules.opening, DrawSource("", Dice(bytes(SEED_BYTES)))
        for module in self.rules.modules:
            position = module.after_choices(self.rules, position, choices, hat).position
        return position

    def _parts(self, power: Power) -> tuple[Part, ...]:
        """The different things the choices of `power` lead to, each by the fewest choices."""
        rules, base = self.rules, self.rules.opening
        offered = [choice for module in rules.modules for choice in module.choices(rules, base, power)]
        found: dict[Any, Part] = {}
        for count in (1, 2):
            for orders in combinations(offered, count):
                if any(module.why_not_together(rules, base, power, orders) for module in rules.modules):
                    continue
                after = self._reveal({power: orders})
                old = set(base.units_of(power))
                units = tuple(unit for unit in after.units_of(power) if unit not in old)
                owned = frozenset(after.centres_of(power)) - frozenset(base.centres_of(power))
                found.setdefault(
                    (units, owned, after.homes_of(power)), Part(orders, units, owned, after.homes_of(power))
                )
        return tuple(found.values())


def together(start: Start, picked: Mapping[Power, Part]) -> Position:
    """The position that the parts picked make together."""
    units = [unit for part in picked.values() for unit in part.units]
    owners = {**start.base.owners, **{code: power for power, part in picked.items() for code in part.owned}}
    homes = {**start.base.homes, **{power: part.homes for power, part in picked.items()}}
    return replace(start.base, units=(*start.base.units, *units), owners=owners, homes=homes)

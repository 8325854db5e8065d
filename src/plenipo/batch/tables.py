"""Tables: the rules of a variant compiled once to arrays, for the kernel to read.

Spaces are numbered with the seas that convoy first, so that a set of such seas is one word, then alphabetically.
Locations are the spaces, each the bare space of its number, and after them the coasts of spaces that have several.
Powers are numbered as the rules list them; unplayed powers come after them. Facts of rule modules are compiled as
`plenipo.batch.rule_facts` documents.
"""

from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import cached_property
from typing import NamedTuple

import numpy as np

from plenipo.batch.bits import Array
from plenipo.batch.kinds import MOST_POWERS, RoleRow, unit_word
from plenipo.batch.packing import HOLD, SUPPORT_HOLD, pack
from plenipo.batch.refusals import UnsupportedRules
from plenipo.batch.rule_facts import RuleFacts, Scope, list_unplayed_powers, rule_facts
from plenipo.engine.board import Board, Code, Location, Terrain, UnitKind
from plenipo.engine.calendar import Phase, PhaseKind, Step
from plenipo.engine.facts import PIECE
from plenipo.engine.orders import Support
from plenipo.engine.position import Power
from plenipo.engine.rulebook import Rulebook
from plenipo.engine.rules import Rules
from plenipo.engine.strengths import Use
from plenipo.errors import ImpossiblePosition

__all__ = ["MOST_UNITS", "STEPS", "Arrays", "OptionBit", "Size", "Tables", "compile_tables"]

MOST_UNITS = 64
"""The most units of a position: a set of them is one word."""

MOST_SEAS = 64
MOST_LOCATIONS = 1023

NOWHERE = 65535
"""Stands for no location."""

NOBODY = 255
"""Stands for no power and no centre."""

STEPS = (PhaseKind.MOVEMENT, PhaseKind.RETREATS, PhaseKind.OWNERSHIP, PhaseKind.ADJUSTMENTS, PhaseKind.CHOICE)
"""The kinds of step of a calendar by their number."""


MOVING = (Use.ATTACK, Use.PREVENT, Use.DEFEND)
"""The uses of the strength of a unit that moves."""


NEVER = 1 << 30
"""A number of centres that no power can reach."""


class Size:
    """Places in `Arrays.size`."""

    SPACES, LOCATIONS, SEAS, CENTRES, POWERS, LEAD, OPTIONS, OPENING, FIRST_YEAR, PLAYERS, KINDS, CLASSES = range(12)


class OptionBit:
    """Bits of `Arrays.size[Size.OPTIONS]`; a bit that is not set means the choice of the project's own edition."""

    ANY_BREAKS = 1
    """4.A.1 any."""
    SPARE_1971 = 2
    SPARE_1982 = 4
    SPARE_2000 = 8
    """4.A.2."""
    OPPOSITE_WAY = 16
    """4.A.3 1971."""
    OR_LAND = 32
    """4.A.3 intent-or-land."""
    EXPLICIT = 64
    """4.A.3 explicit."""
    ORIGIN_CUTS = 128
    """4.A.4 cut."""
    ORIGIN_CLOSED = 256
    """4.A.5 forbidden."""
    PASSED_IS_OUT = 512
    """4.A.7 no-effect."""
    COAST_NEEDED = 1024
    """4.B.4 required."""
    DELAYED = 2048
    """Only centres owned at the last settling as well count for builds."""
    DISORDER_BY_HOME = 4096
    """4.D.8 home."""
    OCCUPIED = 8192
    """Beside DELAYED: and only if a unit stands in them."""
    STARVING = 16384
    """Beside DELAYED: and keep no unit before."""
    PIECES = 32768
    """Pieces on the board decide victory, not centres."""
    ANYWHERE = 65536
    """Builds are allowed in any centre owned, not only at home."""
    CHOOSY = 131072
    """Some units that are convoyed may not stand on every coast."""


_POLICIES = {
    ("4.A.1", "any"): OptionBit.ANY_BREAKS,
    ("4.A.2", "1971"): OptionBit.SPARE_1971,
    ("4.A.2", "1982"): OptionBit.SPARE_1982,
    ("4.A.2", "2000"): OptionBit.SPARE_2000,
    ("4.A.3", "1971"): OptionBit.OPPOSITE_WAY,
    ("4.A.3", "intent-or-land"): OptionBit.OR_LAND,
    ("4.A.3", "explicit"): OptionBit.EXPLICIT,
    ("4.A.4", "cut"): OptionBit.ORIGIN_CUTS,
    ("4.A.5", "forbidden"): OptionBit.ORIGIN_CLOSED,
    ("4.A.7", "no-effect"): OptionBit.PASSED_IS_OUT,
    ("4.B.4", "required"): OptionBit.COAST_NEEDED,
    ("4.D.8", "home"): OptionBit.DISORDER_BY_HOME,
}

_KNOWN = {
    "4.A.1": ("all", "any"),
    "4.A.2": ("szykman", "1971", "1982", "2000"),
    "4.A.3": ("intent", "intent-or-land", "explicit", "1971"),
    "4.A.4": ("no-cut", "cut"),
    "4.A.5": ("allowed", "forbidden"),
    "4.A.7": ("bounces", "no-effect"),
    "4.B.4": ("optional", "required"),
    "4.D.8": ("owned", "home"),
}
"""The policies that act on orders once they are read, and the choices the kernel supports. Others concern the text."""


class Arrays(NamedTuple):
    """The input of the kernel. Sets of spaces or locations are rows of words, sets of seas one word.

    Letters: S spaces, L locations, W words for L bits, C centres, P powers (including unplayed ones), Q kinds of unit,
    U words of units (`plenipo.batch.kinds`), K steps.
    """

    space_of: Array
    """uint16[L]: the space of a location."""
    step: Array
    """uint64[2 Q, L, W]: the steps of a unit of a kind, as locations and as spaces; see `way_row`."""
    near: Array
    """uint16[Q, L, D]: the same locations as a list, its length first."""
    reach: Array
    """uint16[Q, L, D]: the same spaces as a list, its length first."""
    water: Array
    """uint64[2, S]: the seas a convoy may leave a port by; the seas next to a sea. See `PORT` and `SEA` of `kernel`."""
    ports: Array
    """uint64[64, W]: the ports of a sea, as spaces."""
    coasts: Array
    """uint16[S, 5]: the coasts of a space that has several, their number first."""
    convoy_ways: Array
    """uint16[*, 2]: moves on which an army that could walk uses any complete convoy."""
    crossings: Array
    """uint16[*, 4]: ways that cross: a-b and c-d."""
    weights: Array
    """int64[8, U]: the strength of a unit, by use and, from row 4, in supporting that use; then on strong ways."""
    ways: Array
    """uint16[*, 3]: start and end of contacts with other strengths, and their column offset in `weights`."""
    roles: Array
    """int64[5, Q]: properties of unit types, by `RoleRow`."""
    stands: Array
    """uint64[Q, W]: the locations where a unit of a kind may stand."""
    centre: Array
    """uint16[C]: the space of a centre."""
    centre_of: Array
    """uint8[S]: the centre in a space, or 255."""
    listed: Array
    """uint8[C]: the centres by the alphabet of their codes."""
    sites: Array
    """uint16[C, *, 2]: possible builds in a centre, kind and location; 65535 after the last."""
    far: Array
    """uint16[Q, C, L]: the distance of a unit of a kind at a location from a centre, in civil disorder."""
    rank: Array
    """uint16[S]: the alphabetical rank of the full name of a space."""
    steps: Array
    """uint8[K]: the kind of each step of the calendar, the opening first."""
    required: Array
    """uint8[K]: the kind that a power without orders builds in each of its homes in a step, an army; or 255."""
    homes_fixed: Array
    """int64[*, 2]: step and year in which the centres a power owns become its homes."""
    lost: Array
    """uint8[U, L]: whether a unit dislodged at a location is destroyed."""
    enough: Array
    """int64[P]: the number of centres or pieces that wins, for each played power."""
    standing: Array
    """uint32[S]: the order, packed, of a unit of an unplayed power, by its space."""
    size: Array
    """int64[12]: numbers, by `Size`."""


@dataclass(frozen=True, eq=False)
class _Numbered:
    """Everything that has a number, in the order of the numbers."""

    rules: Rules
    board: Board
    spaces: tuple[Code, ...]
    locations: tuple[Location, ...]
    powers: tuple[Power, ...]
    centres: tuple[Code, ...]

    @cached_property
    def space_number(self) -> dict[Code, int]:
        """The number of each space."""
        return {code: i for i, code in enumerate(self.spaces)}

    @cached_property
    def location_number(self) -> dict[Location, int]:
        """The number of each location; a space with coasts has a bare location as well."""
        return {location: i for i, location in enumerate(self.locations)}

    @cached_property
    def power_number(self) -> dict[Power, int]:
        """The number of each power."""
        return {power: i for i, power in enumerate(self.powers)}

    @cached_property
    def kinds(self) -> tuple[UnitKind, ...]:
        """The kinds of unit by their numbers."""
        return self.board.kinds

    @cached_property
    def kind_number(self) -> dict[UnitKind, int]:
        """The number of each unit type."""
        return {kind: i for i, kind in enumerate(self.kinds)}

    def word_of(self, power: Power, kind: UnitKind) -> int:
        """Return the number of a unit of a power and a kind."""
        word: int = unit_word(self.power_number[power], self.kind_number[kind])
        return word

    @cached_property
    def centre_number(self) -> dict[Code, int]:
        """The number of each centre."""
        return {code: i for i, code in enumerate(self.centres)}


@dataclass(frozen=True, eq=False)
class Tables(_Numbered):
    """The compiled rules: codes and names for display, and `arrays` for the kernel."""

    calendar: tuple[Step, ...]
    arrays: Arrays
    scope: Scope
    facts: RuleFacts = field(repr=False)

    @property
    def players(self) -> int:
        """Number of played powers; those after them have units without a player."""
        return len(self.rules.names)

    def phase(self, step: int, year: int) -> Phase:
        """Return the phase at a step of the calendar."""
        return Phase(self.calendar[step].season, year, self.calendar[step].kind)

    def step_of(self, phase: Phase) -> int:
        """Return the step of the calendar at which `phase` stands; raise `ImpossiblePosition` if there is none."""
        calendar = self.rules.calendar
        here = Step(phase.season, phase.kind)
        first_year = calendar.start if calendar.first_year is None else calendar.first_year
        if here in calendar.opening and (here not in calendar.cycle or phase.year < first_year):
            return calendar.opening.index(here)
        if here in calendar.cycle:
            return len(calendar.opening) + calendar.cycle.index(here)
        raise ImpossiblePosition(f"'{phase}' is not in the calendar of '{self.rules.variant}'.")


def compile_tables(rules: Rules, board: Board | None = None, scope: Scope = Scope.GAMES) -> Tables:
    """Return the tables of `rules` on `board`, by default the board of the rules.

    A narrow `scope` checks only what it needs, so that a variant whose rules between the phases cannot be tables can
    still be adjudicated phase by phase.
    Raise `UnsupportedRules` naming the first rule that the kernel does not support, and the reason.
    """
    board = rules.board if board is None else board
    book = rules.rulebook
    for key, choices in _KNOWN.items():
        if book[key] not in choices:
            raise UnsupportedRules(f"The kernel cannot take policy {key} '{book[key]}'; it knows {', '.join(choices)}.")
    spaces = _spaces(board)
    coasts = [location for code in spaces if board.spaces[code].coasts for location in board.spaces[code].locations]
    locations = (*(Location(code) for code in spaces), *coasts)
    seas = sum(board.spaces[code].carries for code in spaces)
    if seas > MOST_SEAS:
        raise UnsupportedRules(f"The kernel takes {MOST_SEAS} seas that convoy, and this board has {seas}.")
    if len(locations) > MOST_LOCATIONS:
        raise UnsupportedRules(f"The kernel takes {MOST_LOCATIONS} locations, and this board has {len(locations)}.")
    opening = rules.opening
    powers = (*rules.names, *list_unplayed_powers(rules))
    if len(powers) > MOST_POWERS:
        raise UnsupportedRules(f"The kernel takes {MOST_POWERS} powers, and these rules have {len(powers)}.")
    if len(opening.units) > MOST_UNITS:
        raise UnsupportedRules(f"The kernel takes {MOST_UNITS} units, and these rules open with {len(opening.units)}.")
    centres = tuple(code for code in spaces if board.spaces[code].centre)
    if len(centres) >= NOBODY:
        raise UnsupportedRules(f"The kernel takes {NOBODY - 1} centres, and this board has {len(centres)}.")
    facts = rule_facts(rules, board, scope)
    if facts.delay and len(centres) > MOST_UNITS:
        raise UnsupportedRules(
            f"The kernel takes {MOST_UNITS} centres where they count late, and here are {len(centres)}."
        )
    calendar = (*rules.calendar.opening, *rules.calendar.cycle)
    lines = _Lines(rules, board, spaces, locations, powers, centres, seas)
    arrays = lines.arrays(calendar, facts)
    return Tables(rules, board, spaces, locations, powers, centres, calendar, arrays, scope, facts)


def _spaces(board: Board) -> tuple[Code, ...]:
    """Return every space a unit may stand on: seas that convoy, other seas, coasts, inland, each alphabetically."""
    grounds = (Terrain.SEA, Terrain.COAST, Terrain.INLAND)
    open_ones = [space for space in board.spaces.values() if not space.impassable]
    return tuple(
        space.code for space in sorted(open_ones, key=lambda s: (not s.carries, grounds.index(s.terrain), s.code))
    )


@dataclass(frozen=True, eq=False)
class _Lines(_Numbered):
    """The arrays of a board under construction."""

    seas: int

    @property
    def words(self) -> int:
        return (len(self.locations) + 63) // 64

    def steps(self, kind: UnitKind, location: Location) -> list[int]:
        """Return the numbers of the locations within reach, ascending."""
        steps = self.board.steps(kind, location)
        return sorted(self.location_number[to] for to in steps if to.space in self.space_number)

    def row(self, numbers: Iterable[int]) -> Array:
        """Return a set as a row of words."""
        row = np.zeros(self.words, np.uint64)
        for i in numbers:
            row[i >> 6] |= np.uint64(1 << (i & 63))
        return row

    def arrays(self, calendar: tuple[Step, ...], facts: RuleFacts) -> Arrays:
        """Return all arrays."""
        space_of = np.array([self.space_number[location.space] for location in self.locations], np.uint16)
        step, near, reach = self._contacts(space_of)
        water, ports = self._waters()
        centre_of = np.full(len(self.spaces), NOBODY, np.uint8)
        for i, code in enumerate(self.centres):
            centre_of[self.space_number[code]] = i
        names = sorted(self.spaces, key=lambda code: (self.board.spaces[code].name, code))
        rank = np.zeros(len(self.spaces), np.uint16)
        for i, code in enumerate(names):
            rank[self.space_number[code]] = i
        return Arrays(
            space_of=space_of,
            step=step,
            near=near,
            reach=reach,
            water=water,
            ports=ports,
            coasts=self._coasts(),
            convoy_ways=self._ways(facts.convoy_ways, 2),
            crossings=self._ways(facts.crossings, 4),
            weights=self._weights(facts),
            ways=self._strong_ways(facts),
            roles=self._roles(),
            stands=self._stands(),
            centre=np.array([self.space_number[code] for code in self.centres], np.uint16),
            centre_of=centre_of,
            listed=np.argsort(np.array(self.centres)).astype(np.uint8),
            sites=self._sites(),
            far=self._distances(facts),
            rank=rank,
            steps=np.array([STEPS.index(s.kind) if s.kind in STEPS else NOBODY for s in calendar], np.uint8),
            required=np.array(
                [
                    self.kind_number[UnitKind.ARMY]
                    if facts.required_builds
                    and i < len(self.rules.calendar.opening)
                    and s.kind is PhaseKind.ADJUSTMENTS
                    else NOBODY
                    for i, s in enumerate(calendar)
                ],
                np.uint8,
            ),
            homes_fixed=np.array(
                [
                    (i, facts.homes_fixed)
                    for i, s in enumerate(calendar)
                    if facts.homes_fixed is not None and s.kind is PhaseKind.OWNERSHIP
                ],
                np.int64,
            ).reshape(-1, 2),
            lost=self._build_lost(facts),
            enough=np.array(facts.enough or [NEVER] * len(self.rules.names), np.int64),
            standing=self._standing(facts),
            size=self._sizes(facts),
        )

    def _weights(self, facts: RuleFacts) -> Array:
        """Return the strengths, with extra columns for each strength of moves and supports on particular contacts."""
        columns = unit_word(len(self.powers), 0)
        weights = np.zeros((len(facts.weights), columns), np.int64)
        weights[:, [self.word_of(power, kind) for power in self.powers for kind in self.kinds]] = facts.weights
        blocks = [weights]
        for move, support in facts.way_strengths:
            block = weights.copy()
            if move is not None:
                block[list(MOVING)] = move
            if support is not None:
                block[len(Use) :] = support
            blocks.append(block)
        return np.concatenate(blocks, axis=1)

    def _strong_ways(self, facts: RuleFacts) -> Array:
        columns, spaces = unit_word(len(self.powers), 0), self.space_number
        known = facts.way_strengths
        rows = [
            (spaces[a], spaces[b], columns * (1 + known.index(strength)))
            for (one, other), strength in facts.ways.items()
            for a, b in ((one, other), (other, one))
        ]
        return np.array(rows, np.uint16).reshape(-1, 3)

    @cached_property
    def classes(self) -> tuple[frozenset[UnitKind], ...]:
        """The sets of kinds that convoy others."""
        return tuple(dict.fromkeys(self.board.carriers[kind] for kind in self.kinds if kind in self.board.carriers))

    def _roles(self) -> Array:
        roles = np.zeros((5, len(self.kinds)), np.int64)
        roles[RoleRow.SAILS] = [kind in self.board.sailing for kind in self.kinds]
        for cargo, carriers in self.board.carriers.items():
            k, number = self.kind_number[cargo], self.classes.index(carriers)
            roles[RoleRow.IS_CARGO, k], roles[RoleRow.CLASS, k] = 1, number
            roles[RoleRow.CARRIED_BY, k] = sum(1 << self.kind_number[carrier] for carrier in carriers)
            for carrier in carriers:
                roles[RoleRow.CARRIES, self.kind_number[carrier]] |= 1 << number
        return roles

    def _stands(self) -> Array:
        return np.array(
            [
                self.row(i for i, location in enumerate(self.locations) if self.board.can_stand(kind, location))
                for kind in self.kinds
            ],
            np.uint64,
        )

    def _build_lost(self, facts: RuleFacts) -> Array:
        lost = np.zeros((unit_word(len(self.powers), 0), len(self.locations)), np.uint8)
        for power, kind, location in facts.lost:
            lost[self.word_of(power, kind), self.location_number[location]] = 1
        return lost

    def _contacts(self, space_of: Array) -> tuple[Array, Array, Array]:
        steps = [[self.steps(kind, location) for location in self.locations] for kind in self.kinds]
        spaces = [[sorted({int(space_of[to]) for to in tos}) for tos in row] for row in steps]
        most = 1 + max((len(tos) for row in steps for tos in row), default=0)
        step = np.array(
            [[self.row(tos) for tos in row] for both in zip(steps, spaces, strict=True) for row in both],
            np.uint64,
        )
        near = np.zeros((len(self.kinds), len(self.locations), most), np.uint16)
        reach = np.zeros((len(self.kinds), len(self.locations), most), np.uint16)
        for table, rows in ((near, steps), (reach, spaces)):
            for kind, row in enumerate(rows):
                for i, tos in enumerate(row):
                    table[kind, i, : len(tos) + 1] = (len(tos), *tos)
        return step, near, reach

    def _waters(self) -> tuple[Array, Array]:
        water = np.zeros((2, len(self.spaces)), np.uint64)
        ports = np.zeros((MOST_SEAS, self.words), np.uint64)
        for code, seas in self.board.waters.items():
            if code in self.space_number:
                row = 0 if self.board.spaces[code].terrain is Terrain.COAST else 1
                water[row, self.space_number[code]] = sum(1 << self.space_number[sea] for sea in seas)
        for sea, codes in self.board.ports.items():
            ports[self.space_number[sea]] = self.row(
                self.space_number[code] for code in codes if code in self.space_number
            )
        return water, ports

    def _coasts(self) -> Array:
        coasts = np.zeros((len(self.spaces), 5), np.uint16)
        for i, code in enumerate(self.spaces):
            space = self.board.spaces[code]
            if len(space.coasts) > 4:
                raise UnsupportedRules(f"The kernel takes four coasts of a space, and {code} has {len(space.coasts)}.")
            numbers = [self.location_number[location] for location in space.locations] if space.coasts else []
            coasts[i, : len(numbers) + 1] = (len(numbers), *numbers)
        return coasts

    def _ways(self, ways: Iterable[tuple[Code, ...]], width: int) -> Array:
        return np.array([[self.space_number[code] for code in way] for way in ways], np.uint16).reshape(-1, width)

    def _sites(self) -> Array:
        board = self.board
        built = [k for k, kind in enumerate(self.kinds) if board.traits[kind].built]
        choices = [
            [
                (k, self.location_number[location])
                for k in built
                for location in dict.fromkeys((Location(code), *board.spaces[code].locations))
                if board.can_stand(self.kinds[k], location)
            ]
            for code in self.centres
        ]
        sites = np.full((len(self.centres), max(map(len, choices), default=0) + 1, 2), NOWHERE, np.uint16)
        for i, row in enumerate(choices):
            if row:
                sites[i, : len(row)] = row
        return sites

    def _distances(self, facts: RuleFacts) -> Array:
        far = np.full((len(self.kinds), len(self.centres), len(self.locations)), NOWHERE, np.uint16)
        home = self.rules.rulebook["4.D.8"] == "home"
        for i, code in enumerate(self.centres):
            overland = self.board.distances([code])
            for k, kind in enumerate(self.kinds):
                by_water = _by_water(self.board, kind, code) if home and kind in self.board.sailing else None
                for n, location in enumerate(self.locations):
                    steps = overland.get(location.space) if by_water is None else by_water.get(location)
                    steps = facts.distances.get((code, kind, location), steps)
                    if steps is not None:
                        far[k, i, n] = steps
        return far

    def _standing(self, facts: RuleFacts) -> Array:
        standing = np.zeros(len(self.spaces), np.uint32)
        for code, order in facts.standing.items():
            other = self.space_number[order.other.location.space] if isinstance(order, Support) else None
            standing[self.space_number[code]] = pack(HOLD) if other is None else pack(SUPPORT_HOLD, other, other)
        return standing

    def _choosy(self) -> bool:
        board = self.board
        coast = [Location(code) for code, space in board.spaces.items() if space.terrain is Terrain.COAST]
        open_coast = [location for location in coast if location.space in self.space_number]
        return not all(board.can_stand(kind, location) for kind in board.carriers for location in open_coast)

    def _sizes(self, facts: RuleFacts) -> Array:
        book, calendar = self.rules.rulebook, self.rules.calendar
        size = np.zeros(12, np.int64)
        size[Size.SPACES], size[Size.LOCATIONS] = len(self.spaces), len(self.locations)
        size[Size.SEAS], size[Size.CENTRES] = self.seas, len(self.centres)
        size[Size.POWERS], size[Size.PLAYERS] = len(self.powers), len(self.rules.names)
        size[Size.KINDS], size[Size.CLASSES] = len(self.kinds), len(self.classes)
        size[Size.LEAD] = facts.lead
        size[Size.OPENING] = len(calendar.opening)
        size[Size.FIRST_YEAR] = calendar.start if calendar.first_year is None else calendar.first_year
        size[Size.OPTIONS] = (
            _options(book)
            | _rules(facts)
            | (OptionBit.PIECES * (self.rules.victory.noun == PIECE))
            | (OptionBit.CHOOSY * self._choosy())
        )
        return size


def _options(book: Rulebook) -> int:
    return sum(bit for (key, choice), bit in _POLICIES.items() if book[key] == choice)


def _rules(facts: RuleFacts) -> int:
    delay = facts.delay
    bits = {
        OptionBit.DELAYED: delay is not None,
        OptionBit.OCCUPIED: delay is not None and delay.occupied,
        OptionBit.STARVING: delay is not None and not delay.sustains,
        OptionBit.ANYWHERE: facts.build_anywhere,
    }
    return sum(bit for bit, is_set in bits.items() if is_set)


def _by_water(board: Board, kind: UnitKind, goal: Code) -> dict[Location, int]:
    """Return the moves of a unit that goes by sea from each location to `goal` (policy 4.D.8 home)."""
    near: dict[Location, list[Location]] = {}
    for one, location in board.standing.values():
        for to in board.steps(kind, location) if one is kind else ():
            near.setdefault(to, []).append(location)
    edge = [location for location in board.spaces[goal].locations if board.can_stand(kind, location)]
    moves = dict.fromkeys(edge, 0)
    for location in edge:
        for to in near.get(location, ()):
            if to not in moves:
                moves[to] = moves[location] + 1
                edge.append(to)
    return moves

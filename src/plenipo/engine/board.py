"""The board: spaces, coasts and contacts, compiled from a figure and immutable.

A `Board` contains everything that the rules need to know about a map, but no coordinates and no colours.
It is built by `plenipo.maps` from a drawn figure; tests may build small boards with `Board.from_contacts`.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from functools import cached_property
from string import ascii_uppercase
from typing import Any, ClassVar, Literal, NamedTuple, NewType

from plenipo.engine.immutable import Brief, Immutable, name_text
from plenipo.engine.wording import with_article

__all__ = [
    "ARMY",
    "FLEET",
    "NO_COAST",
    "Board",
    "Coast",
    "Code",
    "Corner",
    "Location",
    "Space",
    "Terrain",
    "UnitKind",
    "UnitTraits",
]

Code = NewType("Code", str)
"""The code of a space in capitals, as orders print it: `PAR`, `STP`, `NTH 2`, `[BEL/BUR/PIC]`."""

Coast = NewType("Coast", str)
"""The name of a coast in capitals, `NC` `SC` `EC` `WC`, or `NO_COAST` where a space has no more than one."""

NO_COAST = Coast("")


class UnitKind(str):
    """A unit type: the capital letter that orders print. There is one value for each letter, so `is` compares them.

    The abilities of a unit type depend on the board, see `UnitTraits`; raises `ValueError` for any other text.

    >>> UnitKind("A") is UnitKind.ARMY
    True
    """

    __slots__ = ()
    ARMY: ClassVar["UnitKind"]
    FLEET: ClassVar["UnitKind"]

    def __new__(cls, letter: str) -> "UnitKind":  # noqa: D102, PYI034  # the class says it; no class is below it
        known = _KINDS.get(letter)
        if known is None:
            if len(letter) != 1 or letter not in ascii_uppercase:
                raise ValueError(f"{letter!r} is not the letter of a kind of unit; that is one capital")  # english: ok
            known = _KINDS[letter] = super().__new__(cls, letter)
        return known

    def __reduce__(self) -> tuple[type["UnitKind"], tuple[str]]:
        return UnitKind, (str(self),)

    @classmethod
    def __get_pydantic_core_schema__(cls, _source: object, _handler: object) -> dict[str, Any]:
        """Describe the notation in a file: a string of one capital letter."""
        letter = {"type": "str", "pattern": "^[A-Z]$"}
        return {"type": "function-after", "function": {"type": "no-info", "function": cls}, "schema": letter}


_KINDS: dict[str, UnitKind] = {}
UnitKind.ARMY, UnitKind.FLEET = UnitKind("A"), UnitKind("F")


class Terrain(StrEnum):
    """The terrain of a space, which decides which units may be there."""

    INLAND = "inland"
    """Land that touches no sea: armies only."""
    COAST = "coast"
    """Land that touches a sea: armies and fleets."""
    SEA = "sea"
    """Water: fleets only."""


@dataclass(frozen=True)
class UnitTraits(Brief):
    """The names and abilities of a unit type.

    `words` are other words for it that orders may use, `symbol` is its sign in the picture. It moves by the contacts of
    armies (`land`), of fleets and their coasts (`sea`), or by both (`both`), at most `steps` of them in one move, and
    may be only on terrain of `stands`, and only in the spaces of `only` if there are any. Between two steps it may also
    pass terrain of `over`. It convoys units of the types in `carries`. `parts` are the types of the units that it
    combines; a single unit has none. It counts as `upkeep` units in adjustments. One that is not `built` only stands
    for others.
    """

    kind: UnitKind
    name: str
    plural: str
    by: Literal["land", "sea", "both"]
    stands: frozenset[Terrain] = frozenset(Terrain)
    steps: int = 1
    over: frozenset[Terrain] = frozenset()
    only: frozenset["Code"] = frozenset()
    carries: frozenset[UnitKind] = frozenset()
    symbol: str = ""
    words: tuple[str, ...] = ()
    parts: tuple[UnitKind, ...] = ()
    upkeep: int = 1
    built: bool = True

    @property
    def simple(self) -> bool:
        """True if a move follows one contact and no other rule."""
        return self.steps == 1 and not self.only and self.by != "both" and self.stands == frozenset(Terrain)


ARMY = UnitTraits(UnitKind.ARMY, "army", "armies", "land", symbol="army")
FLEET = UnitTraits(UnitKind.FLEET, "fleet", "fleets", "sea", carries=frozenset({UnitKind.ARMY}), symbol="fleet")


class Location(NamedTuple):
    """A space, with a coast where it has several: the place of a unit."""

    space: Code
    coast: Coast = NO_COAST

    def __str__(self) -> str:
        return f"{self.space}/{self.coast}" if self.coast else self.space

    @classmethod
    def from_text(cls, text: str) -> "Location":
        """Return the location that `str` writes as `text`; a corner keeps the slashes of its name.

        >>> Location.from_text("STP/NC").coast, Location.from_text("[BEL/BUR/PIC]").coast
        ('NC', '')
        """
        space, _, coast = text.rpartition("/") if "/" in text and not text.startswith("[") else (text, "", "")
        return cls(Code(space), Coast(coast))


class Corner(NamedTuple):
    """A point of the figure where three or more spaces meet; a fact of the map whether or not a variant plays it.

    `touches` holds the locations that meet there, alphabetically; a province with several coasts appears with the
    coast that reaches the point, or without one where the point lies inland.
    """

    touches: tuple[Location, ...]

    @property
    def clockwise(self) -> bool:
        """True if `touches` are in their order round the point, to distinguish it from another of the same areas."""
        return False

    @property
    def areas(self) -> tuple[Code, ...]:
        """The codes of the areas that meet there."""
        return tuple(touch.space for touch in self.touches)

    def __str__(self) -> str:
        names = (f"{loc.space}({loc.coast.lower()})" if loc.coast else loc.space for loc in self.touches)
        return f"[{'/'.join(names)}]"


@dataclass(frozen=True, slots=True)
class Space(Brief):
    """A province or another place in which a unit may be.

    `coasts` names the coasts where there are several and is empty otherwise.
    `aliases` are the other spellings accepted on input; the name is always accepted.
    `coast_aliases` are other names of its coasts accepted on input, each with the coast it means.
    An `impassable` space has neighbours but no unit may enter it. In a sea for which `convoys` is false no fleet may
    convoy. A part of a province that was split names the province as its `whole` and has its number as `part`; a space
    at a corner has that as `corner`.
    """

    code: Code
    name: str
    terrain: Terrain
    centre: bool = False
    impassable: bool = False
    coasts: tuple[Coast, ...] = ()
    aliases: tuple[str, ...] = ()
    convoys: bool = True
    coast_aliases: tuple[tuple[Coast, Coast], ...] = ()
    whole: Code | None = None
    part: int = 0
    corner: Corner | None = None
    closed: bool = False
    """True if it is impassable because it was closed during play."""
    joined: tuple[Code, ...] = ()
    """The codes of the spaces that became parts of it during play."""
    ferry: bool = False
    """True if a fleet on its coast may convoy as in a sea."""

    @property
    def province(self) -> Code:
        """The code of the province that this is, or is a part of."""
        return self.whole or self.code

    def coast_called(self, coast: Coast) -> Coast:
        """Return the coast that `coast` means here: itself, unless it is another name of one."""
        return dict(self.coast_aliases).get(coast, coast)

    @property
    def carries(self) -> bool:
        """True if a fleet here may convoy (rulebook: fleets in a body of water)."""
        return self.convoys and (self.terrain is Terrain.SEA or self.ferry)

    @property
    def locations(self) -> tuple[Location, ...]:
        """Every location of a fleet here: one for each coast, or the space without a coast."""
        return tuple(Location(self.code, coast) for coast in self.coasts or (NO_COAST,))


_NOWHERE: frozenset[Any] = frozenset()


@dataclass(frozen=True)
class Board(Immutable):
    """Spaces and contacts; immutable, shared by every position played on it.

    `armies` maps each space to the spaces that an army may reach in one step; `fleets` maps each location of a fleet to
    the locations that it may reach in one step, with coasts. A contact that only one of its two ends has leads one way:
    units move and support along it, and no unit is convoyed over it. `borders` lists for each space, clockwise,
    everything it touches, impassable spaces included, with `None` for the edge of the board.
    """

    name: str
    spaces: Mapping[Code, Space]
    armies: Mapping[Code, frozenset[Code]]
    fleets: Mapping[Location, frozenset[Location]]
    borders: Mapping[Code, tuple[Code | None, ...]] = field(default_factory=dict)
    corners: tuple[Corner, ...] = ()
    units: tuple[UnitTraits, ...] = (ARMY, FLEET)
    """The unit types, in the order in which they are listed."""

    def __hash__(self) -> int:
        return self._hash

    @cached_property
    def _hash(self) -> int:
        return hash((self.name, self.centres, frozenset(self.armies.items())))

    def __repr__(self) -> str:
        return name_text(self, f"{self.name}: {len(self.spaces)} spaces, {len(self.centres)} supply centres")

    @cached_property
    def traits(self) -> Mapping[UnitKind, UnitTraits]:
        """The names and abilities of units, by their types."""
        return {traits.kind: traits for traits in self.units}

    @cached_property
    def kinds(self) -> tuple[UnitKind, ...]:
        """The unit types of this board."""
        return tuple(self.traits)

    @cached_property
    def _became(self) -> Mapping[Code, Code]:
        return {code: space.code for space in self.spaces.values() for code in space.joined}

    def became(self, code: Code) -> Code:
        """Return the current space of a code: its own, or the one that it became a part of during play."""
        return self._became.get(code, code)

    @cached_property
    def known_codes(self) -> frozenset[Code]:
        """The codes of all current spaces, of those that were split, and of those that became parts of others."""
        wholes = (space.whole for space in self.spaces.values() if space.whole)
        return frozenset((*self.spaces, *wholes, *self._became))

    def name_with_article(self, kind: UnitKind) -> str:
        """Return the name of one unit of a type, with its article: `an army`."""
        return with_article(self.traits[kind].name)

    @cached_property
    def sailing(self) -> frozenset[UnitKind]:
        """The unit types that move by sea, so that their location may need a coast."""
        return frozenset(traits.kind for traits in self.units if traits.by == "sea")

    @cached_property
    def carriers(self) -> Mapping[UnitKind, frozenset[UnitKind]]:
        """The unit types that are convoyed, each with the types that convoy it."""
        cargo = {kind for traits in self.units for kind in traits.carries}
        return {kind: frozenset(traits.kind for traits in self.units if kind in traits.carries) for kind in cargo}

    @cached_property
    def convoying(self) -> frozenset[UnitKind]:
        """The unit types that convoy others."""
        return frozenset(traits.kind for traits in self.units if traits.carries)

    @cached_property
    def wholes(self) -> Mapping[tuple[UnitKind, ...], UnitKind]:
        """The unit types that combine others, by their parts in alphabetical order."""
        return {tuple(sorted(traits.parts)): traits.kind for traits in self.units if traits.parts}

    def together(self, one: UnitKind, other: UnitKind) -> UnitKind | None:
        """Return the unit type that two units combine to, None if there is none."""
        return self.wholes.get(tuple(sorted((*self._made_of(one), *self._made_of(other)))))

    def separable_kinds(self, kind: UnitKind) -> Mapping[UnitKind, UnitKind]:
        """Return the unit types that may leave one of `kind`, each with the type that is left."""
        return self._separable_kinds[kind]

    @cached_property
    def _separable_kinds(self) -> Mapping[UnitKind, Mapping[UnitKind, UnitKind]]:
        found: dict[UnitKind, dict[UnitKind, UnitKind]] = {kind: {} for kind in self.kinds}
        for whole in self.wholes.values():
            for part in self.kinds:
                left = list(self._made_of(whole))
                for one in self._made_of(part):
                    if one not in left:
                        break
                    left.remove(one)
                else:
                    kind = left[0] if len(left) == 1 else self.wholes.get(tuple(sorted(left)))
                    if left and kind is not None:
                        found[whole][part] = kind
        return found

    def _made_of(self, kind: UnitKind) -> tuple[UnitKind, ...]:
        return self.traits[kind].parts or (kind,)

    def upkeep(self, kinds: Iterable[UnitKind]) -> int:
        """Return as how many units these count in adjustments."""
        return sum(self.traits[kind].upkeep for kind in kinds)

    @classmethod
    def from_contacts(
        cls,
        name: str,
        spaces: Iterable[Space],
        armies: Iterable[tuple[str, str]],
        fleets: Iterable[tuple[Location, Location]],
        one_way_armies: Iterable[tuple[str, str]] = (),
        one_way_fleets: Iterable[tuple[Location, Location]] = (),
    ) -> "Board":
        """Build a board from pairs of spaces (armies) and pairs of locations (fleets).

        Contacts go both ways, except those of the last two arguments, which go from the first of a pair to the second.
        """
        table = {space.code: space for space in spaces}
        army: dict[Code, set[Code]] = {code: set() for code, s in table.items() if s.terrain is not Terrain.SEA}
        for a, b in armies:
            army[Code(a)].add(Code(b))
            army[Code(b)].add(Code(a))
        fleet: dict[Location, set[Location]] = {
            loc: set() for s in table.values() if s.terrain is not Terrain.INLAND for loc in s.locations
        }
        for x, y in fleets:
            fleet[x].add(y)
            fleet[y].add(x)
        for a, b in one_way_armies:
            army[Code(a)].add(Code(b))
        for x, y in one_way_fleets:
            fleet[x].add(y)
        return cls(
            name,
            table,
            {code: frozenset(to) for code, to in army.items()},
            {loc: frozenset(to) for loc, to in fleet.items()},
        )

    @cached_property
    def answers(self) -> dict[str, dict[Any, Any]]:
        """A cache of results for this board, by question; it is no part of the board's value."""
        return {}

    @cached_property
    def centres(self) -> frozenset[Code]:
        """The supply centres."""
        return frozenset(code for code, space in self.spaces.items() if space.centre)

    def steps(self, kind: UnitKind, location: Location) -> frozenset[Location]:
        """Return the locations that a unit of `kind` at `location` may move to without a convoy."""
        return self.destinations.get((kind, location), _NOWHERE)

    def reach(self, kind: UnitKind, location: Location) -> frozenset[Code]:
        """Return the spaces that a unit of `kind` at `location` may move to without a convoy, on any coast."""
        return self.reachable.get((kind, location), _NOWHERE)

    def can_stand(self, kind: UnitKind, location: Location) -> bool:
        """Return whether a unit of `kind` may be exactly at `location`."""
        return (kind, location) in self.destinations

    @cached_property
    def standing(self) -> Mapping[str, tuple[UnitKind, Location]]:
        """Every unit that may be on this board, by its notation: `F STP/SC`."""
        return {f"{kind} {location}": (kind, location) for kind, location in self.destinations}

    @cached_property
    def destinations(self) -> Mapping[tuple[UnitKind, Location], frozenset[Location]]:
        """The locations that `steps` returns, by unit type and location: a table for code that asks about all units."""
        contacts = self._contacts
        return {
            (traits.kind, at): steps
            for traits in self.units
            for at, steps in self._ways(traits, contacts[traits.by]).items()
        }

    @cached_property
    def _contacts(self) -> dict[str, Mapping[Location, frozenset[Location]]]:
        """The destinations of one step from each location, by land, by sea and by both; by both without a coast."""
        land = {
            Location(code): frozenset(map(Location, tos))
            for code, tos in self.armies.items()
            if not self.spaces[code].impassable
        }
        sea = {at: tos for at, tos in self.fleets.items() if not self.spaces[at.space].impassable}
        both: dict[Location, set[Location]] = {}
        for at, tos in (*land.items(), *sea.items()):
            both.setdefault(Location(at.space), set()).update(Location(to.space) for to in tos)
        return {"land": land, "sea": sea, "both": {at: frozenset(tos) for at, tos in both.items()}}

    def _ways(
        self, traits: UnitTraits, contacts: Mapping[Location, frozenset[Location]]
    ) -> Mapping[Location, frozenset[Location]]:
        """Return the destinations of a move of such a unit, by its location."""
        if traits.simple:
            return contacts
        terrain = {at: self.spaces[at.space].terrain for at in contacts}
        stands = {
            at
            for at, made_of in terrain.items()
            if made_of in traits.stands and (not traits.only or at.space in traits.only)
        }
        open_to = {at for at, made_of in terrain.items() if made_of in traits.stands | traits.over}
        ways: dict[Location, frozenset[Location]] = {}
        for start in stands:
            seen, edge = {start}, {start}
            for _ in range(traits.steps):
                edge = {to for at in edge for to in contacts[at] if to in open_to} - seen
                seen |= edge
            ways[start] = frozenset(to for to in seen & stands if to.space != start.space)
        return ways

    @cached_property
    def reachable(self) -> Mapping[tuple[UnitKind, Location], frozenset[Code]]:
        """The spaces that `reach` returns, by unit type and location."""
        return {key: frozenset(to.space for to in tos) for key, tos in self.destinations.items()}

    @cached_property
    def _there_and_back(self) -> Mapping[Location, frozenset[Location]]:
        """The destinations of a fleet from which it can step back, by location."""
        nowhere: frozenset[Location] = frozenset()
        return {
            at: frozenset(to for to in tos if at in self.fleets.get(to, nowhere)) for at, tos in self.fleets.items()
        }

    @cached_property
    def one_way(self) -> Mapping[str, frozenset[tuple[Code, Code]]]:
        """The pairs of spaces between which units move one way only, from the first to the second: `land` and `sea`."""
        land = {(a, b) for a, tos in self.armies.items() for b in tos}
        sea = {(a.space, b.space) for a, tos in self.fleets.items() for b in tos}
        return {by: frozenset(pairs - {(b, a) for a, b in pairs}) for by, pairs in (("land", land), ("sea", sea))}

    def one_way_for(self, kind: UnitKind) -> frozenset[tuple[Code, Code]]:
        """Return the pairs of spaces that are one-way for units of a type, from the first to the second."""
        by = self.traits[kind].by
        return self.one_way["land"] & self.one_way["sea"] if by == "both" else self.one_way[by]

    @cached_property
    def ports(self) -> Mapping[Code, frozenset[Code]]:
        """The coastal spaces where a convoy through each sea may begin or end."""
        return {
            loc.space: frozenset(to.space for to in tos if self.spaces[to.space].terrain is Terrain.COAST)
            for loc, tos in self._there_and_back.items()
            if self.spaces[loc.space].carries
        }

    @cached_property
    def waters(self) -> Mapping[Code, frozenset[Code]]:
        """The seas next to each sea, and the seas of which each coastal space is a port."""
        seas: dict[Code, set[Code]] = {
            code: set() for code, s in self.spaces.items() if s.terrain is not Terrain.INLAND
        }
        for loc, tos in self._there_and_back.items():
            seas[loc.space].update(to.space for to in tos if self.spaces[to.space].carries)
        return {code: frozenset(codes) for code, codes in seas.items()}

    def distances(self, sources: Iterable[Code]) -> dict[Code, int]:
        """Return the steps from the nearest of `sources` over land and sea alike (civil disorder, DATC 4.D.8).

        Spaces that cannot be reached are absent.
        """
        steps = dict.fromkeys(sources, 0)
        edge = list(steps)
        while edge:
            beyond: list[Code] = []
            for code in edge:
                for to in self._neighbours[code]:
                    if to not in steps:
                        steps[to] = steps[code] + 1
                        beyond.append(to)
            edge = beyond
        return steps

    @cached_property
    def near(self) -> Mapping[Code, frozenset[Code]]:
        """The neighbours of each space: the spaces that it touches, and those that any unit reaches from it."""
        return {
            code: frozenset(other for other in self.borders.get(code, ()) if other is not None) | passed
            for code, passed in self._neighbours.items()
        }

    @cached_property
    def _neighbours(self) -> dict[Code, frozenset[Code]]:
        near: dict[Code, set[Code]] = {code: set() for code in self.spaces}
        pairs = [(code, to) for code, tos in self.armies.items() for to in tos]
        pairs += [(loc.space, to.space) for loc, locs in self.fleets.items() for to in locs]
        for one, other in pairs:  # distance is symmetric, even if no unit can move back
            near[one].add(other)
            near[other].add(one)
        return {code: frozenset(tos) for code, tos in near.items()}

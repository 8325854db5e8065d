"""Facts: the changes that rule modules make to table-shaped rules, as values; one frozen type for each kind.

A module declares facts (`RuleModule.facts`), `Rules.facts` has those of all modules of a game. The phases of the
engine, the kernel, the legend and the documents read the same values. Changes that need code are other hooks.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any, ClassVar, Literal, NamedTuple, TypeVar

from plenipo.engine.board import Code, UnitKind
from plenipo.engine.calendar import Year
from plenipo.engine.immutable import EMPTY, Brief, FrozenMap
from plenipo.engine.orders import Choose, Hold, Support
from plenipo.engine.place_rules import PlaceRule, as_fraction, between, name_of
from plenipo.engine.position import Power, Unit
from plenipo.engine.sentences import SentenceKind, say
from plenipo.engine.space_filter import Whose
from plenipo.engine.strengths import Strengths, Use
from plenipo.engine.victory_conditions import Measure, VictoryCondition
from plenipo.engine.wording import listing
from plenipo.errors import InvalidVariant

if TYPE_CHECKING:
    from plenipo.engine.rules import Rules

__all__ = [
    "CENTRE",
    "KINDS",
    "PIECE",
    "BuildSite",
    "BuildSites",
    "Capturing",
    "Command",
    "Conversion",
    "Conversions",
    "CornersAsNearestArea",
    "Crossing",
    "DrawsByHand",
    "EarnedHomes",
    "Fact",
    "Facts",
    "MovementFacts",
    "PrefersConvoy",
    "Raids",
    "RequiredBuilds",
    "Sight",
    "Supply",
    "UnitWeights",
    "WayStrength",
    "Weight",
]


CENTRE, PIECE = "centre", "piece"
"""The things that the engine itself counts for victory."""

_GARRISON_LOST = SentenceKind("garrison-lost", "{unit} was destroyed: a garrison never retreats.")


class Fact(Brief):
    """A value that a rule module declares."""

    decides: ClassVar[str] = ""
    """The matter that a fact of this kind decides alone, so that two different ones conflict; empty if none."""

    def place_rules(self, rules: "Rules") -> Iterable[PlaceRule]:  # noqa: ARG002  # what others are asked with
        """Describe the rules of this fact for single spaces and contacts, for the map; by default none."""
        return ()


class Weight(NamedTuple):
    """The weight of a power's units in one use, moving or supporting; of one unit type or, without one, of all."""

    value: int
    power: Power
    use: Use
    supporting: bool = False
    kind: UnitKind | None = None


@dataclass(frozen=True)
class UnitWeights(Fact):
    """The weights of units, as whole numbers on a scale; `scale` itself where no weight is given.

    A unit with weight 0 to enter a space enters only where nothing opposes it; one with weight 0 to stay where it is
    gives way to any other that comes.
    """

    decides: ClassVar[str] = "what units count"

    scale: int = 1
    weights: tuple[Weight, ...] = ()

    def __post_init__(self) -> None:
        if self.scale < 1:
            raise InvalidVariant(say("An ordinary unit cannot count {scale}; it must be 1 or more.", scale=self.scale))
        for weight in self.weights:
            if weight.value < 0:
                raise InvalidVariant(say("A unit cannot count {value}; it must be 0 or more.", value=weight.value))
        for (power, _, _), row in self._rows.items():
            if row[Use.ATTACK] > row[Use.PREVENT]:
                raise InvalidVariant(
                    say(
                        "Units of {power} cannot count {attack} to enter a space and {prevent} to keep others out of "
                        "it: two of them could enter it together.",
                        power=power,
                        attack=row[Use.ATTACK],
                        prevent=row[Use.PREVENT],
                    )
                )

    def counts(self, power: Power, kind: UnitKind, *, supporting: bool) -> tuple[int, ...]:
        """Return the weights of a unit, by `Use`."""
        rows = self._rows
        return rows.get((power, kind, supporting)) or rows.get((power, None, supporting)) or (self.scale,) * len(Use)

    def strengths(self, units: Sequence[Unit]) -> Strengths:
        """Return the strengths of these units."""
        if not self.weights:
            plain = (self.scale,) * len(units)
            return Strengths(self.scale, (plain,) * len(Use), (plain,) * len(Use))
        own, helping = (
            tuple(zip(*(self.counts(unit.power, unit.kind, supporting=supporting) for unit in units), strict=True))
            or ((),) * len(Use)
            for supporting in (False, True)
        )
        return Strengths(self.scale, own, helping)

    @cached_property
    def _rows(self) -> dict[tuple[Power, UnitKind | None, bool], tuple[int, ...]]:
        """The weights by power and unit type; without a type, for all types that no weight names."""
        rows: dict[tuple[Power, UnitKind | None, bool], list[int]] = {}
        named = dict.fromkeys((None, *(weight.kind for weight in self.weights)))
        for value, power, use, supporting, only in self.weights:
            for kind in (only,) if only else named:
                rows.setdefault((power, kind, supporting), [self.scale] * len(Use))[use] = value
        return {key: tuple(row) for key, row in rows.items()}


@dataclass(frozen=True)
class Crossing(Fact):
    """Two contacts that cross: direct moves along the one and along the other, in any direction, oppose each other."""

    one: frozenset[Code]
    other: frozenset[Code]


@dataclass(frozen=True)
class WayStrength(Fact):
    """The weights of units on a contact, by its ends: of those that `move` along it, and of supporters across it.

    The numbers are on the scale of `UnitWeights`, None where the usual ones apply; a support of 0 has no effect.
    """

    way: frozenset[Code]
    move: int | None = None
    support: int | None = None

    def place_rules(self, rules: "Rules") -> Iterator[PlaceRule]:
        """Describe the strength of moves and supports on the way."""
        one, other = sorted(self.way)
        scale = rules.facts.movement.weights.scale
        numbers = {"moves": self.move, "supports": self.support}
        shown = {what: as_fraction(number, scale) for what, number in numbers.items() if number is not None}
        words = listing(f"{what} count {number}" for what, number in shown.items())
        where = between(rules, one, other)
        yield PlaceRule(
            "strength", (one, other), f"{where.capitalize()[0]}{where[1:]} {words}", next(iter(shown.values()))
        )


@dataclass(frozen=True)
class PrefersConvoy(Fact):
    """A contact, by its ends, along which an army that can walk goes by sea if a complete convoy is ordered for it."""

    way: frozenset[Code]


@dataclass(frozen=True)
class CornersAsNearestArea(Fact):
    """In civil disorder a unit in a corner is as far from home as the nearest area of the corner (4.D.8)."""


@dataclass(frozen=True)
class CentreDelay(Fact):
    """A delay: a newly captured centre counts for builds after a turn; centres owned at the start count at once.

    The centre must be owned at two ownership updates running, or with `occupied` be occupied at the second. Without
    `sustains` it supports no unit before. With `late_capture` it changes hands only when units of the same power are in
    it at two updates running. The delay applies to the centres in `spaces` alone; to all if `spaces` is empty.
    """

    decides: ClassVar[str] = "when a centre counts"

    occupied: bool = False
    sustains: bool = True
    late_capture: bool = False
    spaces: frozenset[Code] = frozenset()

    def about(self, code: Code) -> bool:
        """Return whether the delay applies to a centre."""
        return not self.spaces or code in self.spaces

    def among(self, codes: Iterable[Code]) -> frozenset[Code]:
        """Return the centres among `codes` to which the delay applies."""
        return self.spaces.intersection(codes) if self.spaces else frozenset(codes)

    def place_rules(self, rules: "Rules") -> Iterator[PlaceRule]:
        """Describe the centres with a delay, where these are not all."""
        for code in sorted(self.spaces):
            yield PlaceRule("capture", (code,), f"{name_of(rules, code)} counts only after it was held for a turn")


@dataclass(frozen=True)
class HomesFixed(Fact):
    """The rule that the centres owned at the ownership update of a year are the homes for the rest of the game."""

    decides: ClassVar[str] = "when homes are fixed"

    year: int


@dataclass(frozen=True)
class BuildSite:
    """A kind of vacant place in which units are built.

    `where`: a home centre the power owns (`home`), any centre it owns (`owned`), a centre without an owner (`unowned`),
    any space (`anywhere`), or one that is not the centre of another power and that the unit could have reached from a
    home it owns (`near_home`), a centre it owns (`near_owned`) or a unit of its own (`near_unit`). `units` are the unit
    types built there, `powers` those that may build there, `among` the only spaces included; all of them where they are
    empty. With `while_home` it counts only as long as the power owns one of its homes, with `seasons` only in their
    adjustments, and only in the years from `from_year` to `until_year`.
    """

    __pydantic_config__: ClassVar[dict[str, Any]] = {"extra": "forbid"}  # a misspelt key is reported, not passed over

    where: Literal["home", "owned", "unowned", "anywhere", "near_home", "near_owned", "near_unit"] = "home"
    units: tuple[UnitKind, ...] = ()
    powers: tuple[Power, ...] = ()
    among: tuple[Code, ...] = ()
    while_home: bool = False
    seasons: tuple[str, ...] = ()
    from_year: Year | None = None
    until_year: Year | None = None


@dataclass(frozen=True)
class BuildSites(Fact):
    """The places in which units are built: any place of one of these kinds; by default homes."""

    decides: ClassVar[str] = "where units are built"

    sites: tuple[BuildSite, ...]

    def place_rules(self, rules: "Rules") -> Iterator[PlaceRule]:
        """Describe the spaces that are named."""
        for site in self.sites:
            who = f" by {listing(site.powers, 'or')}" if site.powers else ""
            kinds = listing((rules.board.traits[kind].plural for kind in site.units), "or") or "units"
            for code in site.among:
                yield PlaceRule("site", (code,), f"{kinds.capitalize()} may be built in {name_of(rules, code)}{who}")


AT_HOME = (BuildSite(),)
"""The places in which units are built if no rule module declares any."""

OWNED = (BuildSite("owned"),)
"""The places in which units are built that may be built in any centre their power owns."""


@dataclass(frozen=True)
class Supply(Fact):
    """The number of units a power may have for the centres it owns.

    A centre counts 1, or the value in `values`, or the value in `values_for` for its owner. A unit needs
    `centres_per_unit`; `extra` are additional units of single powers, `most` is the greatest number of units of a
    power, `most_builds` the greatest number of builds at a time. Units are built only in the adjustments of the seasons
    of `builds_in`, removed only in those of `removals_in`; in all of them where these are empty. In the adjustments of
    `credit_in` a power builds and keeps `credit` units more, for which it needs centres in those of other seasons.
    """

    decides: ClassVar[str] = "how many units a power may have"

    values: Mapping[Code, int] = field(default_factory=dict)
    centres_per_unit: int = 1
    extra: Mapping[Power, int] = field(default_factory=dict)
    most: int | None = None
    most_builds: int | None = None
    builds_in: tuple[str, ...] = ()
    removals_in: tuple[str, ...] = ()
    credit: int = 0
    credit_in: tuple[str, ...] = ()
    values_for: Mapping[Power, Mapping[Code, int]] = field(default_factory=dict)

    def value(self, power: Power, code: Code) -> int:
        """Return the value of a centre for `power`."""
        return self.values_for.get(power, {}).get(code, self.values.get(code, 1))

    def place_rules(self, rules: "Rules") -> Iterator[PlaceRule]:
        """Describe the centres with another value than 1."""
        for code, value in self.values.items():
            yield PlaceRule("value", (code,), f"{name_of(rules, code)} counts {value} for builds", str(value))
        for power, table in self.values_for.items():
            for code, value in table.items():
                words = f"{name_of(rules, code)} counts {value} for builds of {power}"
                yield PlaceRule("value", (code,), words, str(value))

    def units(self, power: Power, codes: Iterable[Code]) -> int:
        """Return how many units `power` may have for these centres."""
        number = sum(self.value(power, code) for code in codes) // self.centres_per_unit + self.extra.get(power, 0)
        return number if self.most is None else min(number, self.most)


@dataclass(frozen=True)
class EarnedHomes(Fact):
    """Home centres that are won and lost when ownership is updated.

    A centre owned at `after` ownership updates running becomes a home of its owner alone; with 0 none does. With `lost`
    a home owned by another power is no longer a home. With `conquered` a power that owns every home of another gets
    them as homes too.
    """

    decides: ClassVar[str] = "which homes are won and lost"

    after: int = 0
    lost: bool = False
    conquered: bool = False


@dataclass(frozen=True)
class Raids:
    """Raids: a centre with a unit of another power in it at the end of a season loses its owner.

    It is looked after the moves and retreats of `seasons`, and only units of the types in `units` and of `powers` raid;
    all of them where they are empty.
    """

    __pydantic_config__: ClassVar[dict[str, Any]] = {"extra": "forbid"}  # a misspelt key is reported, not passed over

    seasons: tuple[str, ...] = ()
    units: tuple[UnitKind, ...] = ()
    powers: tuple[Power, ...] = ()

    def includes(self, unit: Unit) -> bool:
        """Return whether a unit raids."""
        return (not self.units or unit.kind in self.units) and (not self.powers or unit.power in self.powers)


@dataclass(frozen=True)
class Capturing(Fact):
    """The way in which centres change hands when ownership is updated.

    Only units of the types in `units` capture centres, of every type where that is empty, and only where they were at
    `looks` ownership updates running, or at the number that `looks_of` gives for the centre; a centre of `seasons` only
    when ownership is updated in one of these. With `passing` a vacant centre goes to the power that was there last
    since the update before. With `occupied` a centre in which its owner has no unit loses its owner. A centre of
    `from_year` counts from that year on, one of `until_year` up to that year. A power that captures a centre of
    `capitals` captures all centres of the power whose capital it was, or with `capitals_freed` they lose their owner. A
    centre of `destroyed` that passes from one power to another is no centre for the rest of the game. `raids` make
    centres neutral before.
    """

    decides: ClassVar[str] = "how centres change hands"

    units: tuple[UnitKind, ...] = ()
    looks: int = 1
    passing: bool = False
    occupied: bool = False
    from_year: Mapping[Code, int] = field(default_factory=dict)
    until_year: Mapping[Code, int] = field(default_factory=dict)
    capitals: Mapping[Power, Code] = field(default_factory=dict)
    capitals_freed: bool = False
    destroyed: frozenset[Code] = frozenset()
    looks_of: Mapping[Code, int] = field(default_factory=dict)
    seasons: Mapping[Code, tuple[str, ...]] = field(default_factory=dict)
    raids: Raids | None = None

    def in_season(self, code: Code, season: str) -> bool:
        """Return whether a centre can be captured when ownership is updated in a season."""
        return season in self.seasons.get(code, (season,))

    def counts(self, code: Code, year: int) -> bool:
        """Return whether a centre can be owned in a year."""
        return self.from_year.get(code, year) <= year <= self.until_year.get(code, year)

    def place_rules(self, rules: "Rules") -> Iterator[PlaceRule]:
        """Describe the centres that change hands by a rule of their own."""
        yield from (PlaceRule("capture", (code,), words) for code, words in self._single(rules))

    def _single(self, rules: "Rules") -> Iterator[tuple[Code, str]]:
        for code, year in self.from_year.items():
            yield code, f"{name_of(rules, code)} can be owned from {year} on"
        for code, year in self.until_year.items():
            yield code, f"{name_of(rules, code)} can be owned until {year}"
        for power, code in self.capitals.items():
            what = "are nobody's" if self.capitals_freed else "go with it"
            yield (
                code,
                f"{name_of(rules, code)} is the capital of {power}: when it is taken the power's other centres {what}",
            )
        for code in sorted(self.destroyed):
            yield code, f"{name_of(rules, code)} is no centre any more once it passes from one power to another"
        for code, looks in self.looks_of.items():
            yield code, f"{name_of(rules, code)} is taken by units that stand there {looks} times running"
        for code, seasons in self.seasons.items():
            yield code, f"{name_of(rules, code)} is taken in {listing(seasons)} alone"


@dataclass(frozen=True)
class Conversion:
    """A conversion of one unit type into others by an order, in spaces of one kind (`where`, see `Whose`).

    `among` are the only spaces included, `powers` those that may convert, `seasons` the seasons; all where they are
    empty. It is ordered in place of a move, or beside builds and removals (`phase`). One ordered in place of a move and
    attacked fails where it must be `undisturbed`, otherwise only if the unit is dislodged.
    """

    __pydantic_config__: ClassVar[dict[str, Any]] = {"extra": "forbid"}  # a misspelt key is reported, not passed over

    unit: UnitKind
    into: UnitKind
    where: Whose = "anywhere"
    among: tuple[Code, ...] = ()
    powers: tuple[Power, ...] = ()
    seasons: tuple[str, ...] = ()
    phase: Literal["movement", "adjustments"] = "movement"
    undisturbed: bool = False


@dataclass(frozen=True)
class Conversions(Fact):
    """The conversions that orders may make: any of these."""

    decides: ClassVar[str] = "which units turn into others"

    ways: tuple[Conversion, ...] = ()

    def place_rules(self, rules: "Rules") -> Iterator[PlaceRule]:
        """Describe the only places in which units convert."""
        traits = rules.board.traits
        for way in self.ways:
            for code in way.among:
                what = f"{traits[way.unit].plural} may turn into {traits[way.into].plural}"
                yield PlaceRule("site", (code,), f"In {name_of(rules, code)} {what}")


@dataclass(frozen=True)
class RequiredBuilds(Fact):
    """The rule that in the adjustments of the opening every build left without an order is an army in a home."""


@dataclass(frozen=True)
class Garrison(Fact):
    """The units of a power without a player: they never retreat, need and capture no centre, and are not rebuilt.

    `orders` are their orders, by their spaces: holds, and supports to hold of one another. One without an order holds,
    and so does one whose partner is gone.
    """

    power: Power
    orders: Mapping[Code, Hold | Support] = field(default_factory=dict)


@dataclass(frozen=True)
class NoRetreat(Fact):
    """Dislodged units that are destroyed: of all powers or one, everywhere or only `in_centres`, of all types or one.

    `why` is the kind of the sentence about it: `unit`, `place` and `type` are the unit, the name of its space, and its
    type with an article.
    """

    why: SentenceKind
    power: Power | None = None
    in_centres: bool = False
    kind: UnitKind | None = None

    def about(self, unit: Unit, *, in_centre: bool) -> bool:
        """Return whether the rule applies to a unit that was dislodged, in a supply centre or not."""
        mine = self.power in (None, unit.power) and self.kind in (None, unit.kind)
        return mine and (in_centre or not self.in_centres)


@dataclass(frozen=True)
class Victory(Fact):
    """The victory condition: the thing counted, as one word (`centre`, `piece`); `enough` of it, and the most, win.

    The engine counts owned centres and pieces on the board; a module counts anything else itself
    (`RuleModule.progress`). If several powers have the most, they share the victory where it may be `shared`. Where
    there are `ways`, only they win, and the other fields describe the progress that is shown: by the first of them.
    """

    decides: ClassVar[str] = "who wins"

    noun: str
    enough: int
    shared: bool = False
    ways: tuple[VictoryCondition, ...] = ()

    @cached_property
    def every_way(self) -> tuple[VictoryCondition, ...]:
        """The ways to win; the one that `noun`, `enough` and `shared` describe where there are no others."""
        measures: dict[str, Measure] = {CENTRE: "centres", PIECE: "units"}
        return self.ways or (VictoryCondition(measures.get(self.noun, "points"), self.enough, shared=self.shared),)

    def place_rules(self, rules: "Rules") -> Iterator[PlaceRule]:
        """Describe the spaces that count for single ways to win."""
        for way in self.ways:
            for code in way.among:
                others = listing(name_of(rules, other) for other in way.among if other != code)
                also = f", with {others}" if others else ""
                who = f" for {listing(way.powers)}" if way.powers else ""
                yield PlaceRule("objective", (code,), f"{name_of(rules, code)} counts to win{also}{who}")


class Alternative(NamedTuple):
    """The result of a complete choice of a power: units, centres and home centres, and the choices that lead to it."""

    choices: tuple[Choose, ...]
    units: tuple[Unit, ...]
    owned: frozenset[Code]
    homes: frozenset[Code]


@dataclass(frozen=True)
class OpeningChoices(Fact):
    """The choices of each power before the first move; the result does not depend on the choices of others."""

    decides: ClassVar[str] = "the opening"

    alternatives: Mapping[Power, tuple[Alternative, ...]]


@dataclass(frozen=True)
class Sight(Fact):
    """The part of the board a power sees while the game goes on; it learns nothing about the rest.

    It always sees its own units, and as many steps round its `units`, its `centres` and its `homes`; with -1 not even
    these spaces. Of other centres it knows all `owners`, those it `remembered` as it last saw them, or only those that
    it has `seen` now.
    """

    decides: ClassVar[str] = "what powers see"

    units: int = 1
    centres: int = 1
    homes: int = -1
    owners: Literal["all", "remembered", "seen"] = "remembered"


@dataclass(frozen=True)
class HiddenKinds(Fact):
    """The rule that unit types of others are unknown: `letter` stands for any.

    Units whose spaces are in the `slot` of that name have revealed theirs, and with `alone` the type is known where
    only one unit type can be.
    """

    decides: ClassVar[str] = "whose kinds of unit are known"

    slot: str
    letter: UnitKind
    alone: bool = True


@dataclass(frozen=True)
class Command(Fact):
    """The seats that write the orders of a power: those of `by`, highest rank first; by default the power itself.

    Where several write for one power, `merge` decides between orders that differ: that of the highest rank, the one
    that all of them or more than half of them gave, or that of one drawn by lot. With `support_over_hold` a support
    takes precedence over a hold of another author.
    """

    decides: ClassVar[str] = "who writes orders"

    by: Mapping[Power, tuple[Power, ...]]
    merge: Literal["rank", "agreement", "majority", "lot"] = "rank"
    support_over_hold: bool = False


@dataclass(frozen=True)
class DrawsByHand(Fact):
    """The rule that the game master draws from a physical draw pile and enters the result."""


F = TypeVar("F", bound=Fact)


class MovementFacts(NamedTuple):
    """The facts of a game about movement."""

    weights: UnitWeights = UnitWeights()
    crossings: tuple[Crossing, ...] = ()
    convoy_ways: frozenset[frozenset[Code]] = frozenset()
    ways: Mapping[frozenset[Code], WayStrength] = EMPTY
    undisturbed: frozenset[tuple[UnitKind, UnitKind]] = frozenset()
    """The conversions, from one unit type to another, that fail where the unit is attacked."""


class Facts:
    """The facts that rule modules declare, by the name of the module.

    The facts that every phase reads are attributes: `movement` for movement, `delay` the delay before centres count for
    builds (None where they count at once), `supply` the number of units of a power, `sites` the places for builds,
    `conversions` the conversions of units, `capturing` the way centres are captured, `fixed` when homes are fixed,
    `earned` the homes won and lost, `command` the authors of orders (None where these four are not declared),
    `garrisons` the garrisons by their powers, `no_retreat` the dislodged units that are destroyed, garrisons among
    them. Raises `InvalidVariant` for two that contradict each other, and for a kind of fact that the engine does not
    know.
    """

    def __init__(self, declared: Mapping[str, tuple[Fact, ...]]) -> None:
        self.declared = FrozenMap(declared)
        self._by_kind: dict[type[Fact], list[Fact]] = {kind: [] for kind in KINDS}
        deciding: dict[str, tuple[str, Fact]] = {}
        for name, fact in ((name, fact) for name, facts in declared.items() for fact in facts):
            if type(fact) not in KINDS:
                raise InvalidVariant(
                    say("'{name}' declares '{fact}', which is not a kind of fact.", name=name, fact=fact)
                )
            other, known = deciding.setdefault(fact.decides, (name, fact)) if fact.decides else (name, fact)
            if known != fact:
                both = f"'{other}' and '{name}' both decide" if other != name else f"'{name}' decides twice"
                raise InvalidVariant(
                    say("{both} {decides}: they cannot be played together.", both=both, decides=fact.decides)
                )
            self._by_kind[type(fact)].append(fact)
        self.conversions = tuple(way for fact in self.all(Conversions) for way in fact.ways)
        self.movement = MovementFacts(
            self.one(UnitWeights) or UnitWeights(),
            self.all(Crossing),
            frozenset(fact.way for fact in self.all(PrefersConvoy)),
            {fact.way: fact for fact in self.all(WayStrength)},
            frozenset((way.unit, way.into) for way in self.conversions if way.undisturbed),
        )
        self.delay = self.one(CentreDelay)
        self.supply = self.one(Supply) or Supply()
        sites = self.one(BuildSites)
        self.sites = sites.sites if sites else AT_HOME
        self.capturing = self.one(Capturing)
        self.fixed = self.one(HomesFixed)
        self.earned = self.one(EarnedHomes)
        self.command = self.one(Command)
        self.garrisons = FrozenMap({garrison.power: garrison for garrison in self.all(Garrison)})
        self.no_retreat = (*self.all(NoRetreat), *(NoRetreat(_GARRISON_LOST, power) for power in self.garrisons))

    def all(self, kind: type[F]) -> tuple[F, ...]:
        """Return every fact of a kind, in the order of the modules."""
        return tuple(self._by_kind[kind])  # type: ignore[arg-type]  # filed under their own type

    def one(self, kind: type[F]) -> F | None:
        """Return the fact of a kind of which there can be only one, None if no module declares it."""
        return next(iter(self.all(kind)), None)


KINDS: tuple[type[Fact], ...] = (
    UnitWeights,
    Crossing,
    WayStrength,
    PrefersConvoy,
    CentreDelay,
    HomesFixed,
    BuildSites,
    Supply,
    EarnedHomes,
    Capturing,
    Conversions,
    RequiredBuilds,
    CornersAsNearestArea,
    Garrison,
    NoRetreat,
    Victory,
    OpeningChoices,
    Sight,
    HiddenKinds,
    Command,
    DrawsByHand,
)
"""Every kind of fact; the kernel supports each or refuses it by name."""

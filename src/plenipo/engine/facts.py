"""Facts: what rule modules change in table-shaped rules, as values; one frozen type for each kind.

A module declares facts (`RuleModule.facts`), `Rules.facts` has those of all modules of a game. The phases of the
engine, the kernel, the legend and the documents read the same values. What is code and not a value is another hook.
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
from plenipo.engine.space_filter import Whose
from plenipo.engine.strengths import Strengths, Use
from plenipo.engine.victory_conditions import Measure, Way
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
    "RequiredBuilds",
    "Sight",
    "Supply",
    "UnitWeights",
    "WayStrength",
    "Weight",
]


CENTRE, PIECE = "centre", "piece"
"""What the engine counts itself to see who has won."""


class Fact(Brief):
    """A value a rule module declares."""

    decides: ClassVar[str] = ""
    """What a fact of this kind decides alone, so that two different ones contradict each other; empty if not."""

    def place_rules(self, rules: "Rules") -> Iterable[PlaceRule]:  # noqa: ARG002  # what others are asked with
        """Describe what of this fact belongs to single spaces and ways, for the map; ordinarily nothing."""
        return ()


class Weight(NamedTuple):
    """What units of a power are worth in one use, themselves or as supporters; of one kind or, without one, of all."""

    worth: int
    power: Power
    use: Use
    supporting: bool = False
    kind: UnitKind | None = None


@dataclass(frozen=True)
class UnitWeights(Fact):
    """What units count, as whole numbers on a scale; `scale` itself where no weight is given.

    A unit that counts 0 to enter a space comes where nothing opposes it; one that counts 0 to stay where it is makes
    way for any other that comes.
    """

    decides: ClassVar[str] = "what units count"

    scale: int = 1
    weights: tuple[Weight, ...] = ()

    def __post_init__(self) -> None:
        if self.scale < 1:
            raise InvalidVariant(f"An ordinary unit cannot count {self.scale}; it must be 1 or more.")
        for weight in self.weights:
            if weight.worth < 0:
                raise InvalidVariant(f"A unit cannot count {weight.worth}; it must be 0 or more.")
        for (power, _, _), row in self._rows.items():
            if row[Use.ATTACK] > row[Use.PREVENT]:
                raise InvalidVariant(
                    f"Units of {power} cannot count {row[Use.ATTACK]} to enter a space and {row[Use.PREVENT]} to keep "
                    "others out of it: two of them could enter it together."
                )

    def counts(self, power: Power, kind: UnitKind, *, supporting: bool) -> tuple[int, ...]:
        """What a unit counts, by `Use`."""
        rows = self._rows
        return rows.get((power, kind, supporting)) or rows.get((power, None, supporting)) or (self.scale,) * len(Use)

    def strengths(self, units: Sequence[Unit]) -> Strengths:
        """The strengths of these units."""
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
        """What is counted by power and kind; without a kind, by all that no weight names."""
        rows: dict[tuple[Power, UnitKind | None, bool], list[int]] = {}
        named = dict.fromkeys((None, *(weight.kind for weight in self.weights)))
        for worth, power, use, supporting, only in self.weights:
            for kind in (only,) if only else named:
                rows.setdefault((power, kind, supporting), [self.scale] * len(Use))[use] = worth
        return {key: tuple(row) for key, row in rows.items()}


@dataclass(frozen=True)
class Crossing(Fact):
    """Two ways that cross: direct moves along the one and along the other, in whatever direction, oppose each other."""

    one: frozenset[Code]
    other: frozenset[Code]


@dataclass(frozen=True)
class WayStrength(Fact):
    """What units count on a way, by its ends, if anything else: those that `move` along it, and as supporters over it.

    The numbers are on the scale of `UnitWeights`; a support of 0 counts for nothing.
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
    """A way, by its ends, on which an army that can walk goes by sea as soon as a whole convoy is ordered for it."""

    way: frozenset[Code]


@dataclass(frozen=True)
class CornersAsNearestArea(Fact):
    """In civil disorder a unit in a corner stands as far from home as the nearest area of the corner (4.D.8)."""


@dataclass(frozen=True)
class CentreDelay(Fact):
    """A centre newly taken is not built for until it was held for a turn; what is owned at the start counts at once.

    To hold it is to own it at two settlings running, or with `occupied` to stand in it at the second. Without
    `sustains` it keeps no unit before. With `late_capture` it changes hands only when units of the same power stand in
    it at two settlings running. It is so of the centres in `spaces` alone; of all where there are none.
    """

    decides: ClassVar[str] = "when a centre counts"

    occupied: bool = False
    sustains: bool = True
    late_capture: bool = False
    spaces: frozenset[Code] = frozenset()

    def about(self, code: Code) -> bool:
        """Whether it is so of a centre."""
        return not self.spaces or code in self.spaces

    def place_rules(self, rules: "Rules") -> Iterator[PlaceRule]:
        """Describe the centres it is about, where these are not all."""
        for code in sorted(self.spaces):
            yield PlaceRule("capture", (code,), f"{name_of(rules, code)} counts only after it was held for a turn")


@dataclass(frozen=True)
class HomesFixed(Fact):
    """What a power owns when ownership is settled in a year are its homes for the rest of the game."""

    decides: ClassVar[str] = "when homes are fixed"

    year: int


@dataclass(frozen=True)
class BuildSite:
    """A kind of vacant place in which units are built.

    `where`: a home centre the power owns (`home`), any centre it owns (`owned`), a centre nobody owns (`unowned`), any
    space (`anywhere`), or one that is not the centre of another power and that the unit could have come to from a home
    it owns (`near_home`), a centre it owns (`near_owned`) or a unit of its own (`near_unit`). `units` are the kinds
    built there, `powers` those that may build there, `among` the only spaces meant; all of them where they are empty.
    With `while_home` it counts only as long as the power owns one of its homes, with `seasons` only in their
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
    """Where units are built: in a place of any of these kinds; ordinarily at home."""

    decides: ClassVar[str] = "where units are built"

    sites: tuple[BuildSite, ...]

    def place_rules(self, rules: "Rules") -> Iterator[PlaceRule]:
        """Describe the places that are named."""
        for site in self.sites:
            who = f" by {listing(site.powers, 'or')}" if site.powers else ""
            kinds = listing((rules.board.traits[kind].plural for kind in site.units), "or") or "units"
            for code in site.among:
                yield PlaceRule("site", (code,), f"{kinds.capitalize()} may be built in {name_of(rules, code)}{who}")


AT_HOME = (BuildSite(),)
"""Where units are built if no rule module says so."""

OWNED = (BuildSite("owned"),)
"""Where units are built that may be built in any centre their power owns."""


@dataclass(frozen=True)
class Supply(Fact):
    """How many units a power may have for the centres it owns.

    A centre counts 1, or what `worth` says, or `worth_to` says of its owner. So much as `centres_per_unit` keeps a
    unit; `extra` are units that single powers may have besides, `most` is more than nobody may have, `most_builds` more
    than nobody builds at a time. Units are built only in the adjustments of the seasons of `builds_in`, removed only in
    those of `removals_in`; in all of them where these are empty. In the adjustments of `credit_in` a power builds and
    keeps `credit` units more, for which it needs centres in those of other seasons.
    """

    decides: ClassVar[str] = "how many units a power may have"

    worth: Mapping[Code, int] = field(default_factory=dict)
    centres_per_unit: int = 1
    extra: Mapping[Power, int] = field(default_factory=dict)
    most: int | None = None
    most_builds: int | None = None
    builds_in: tuple[str, ...] = ()
    removals_in: tuple[str, ...] = ()
    credit: int = 0
    credit_in: tuple[str, ...] = ()
    worth_to: Mapping[Power, Mapping[Code, int]] = field(default_factory=dict)

    def value(self, power: Power, code: Code) -> int:
        """What a centre counts for `power`."""
        return self.worth_to.get(power, {}).get(code, self.worth.get(code, 1))

    def place_rules(self, rules: "Rules") -> Iterator[PlaceRule]:
        """Describe the centres that do not count 1."""
        for code, worth in self.worth.items():
            yield PlaceRule("worth", (code,), f"{name_of(rules, code)} counts {worth} for builds", str(worth))
        for power, table in self.worth_to.items():
            for code, worth in table.items():
                words = f"{name_of(rules, code)} counts {worth} for builds of {power}"
                yield PlaceRule("worth", (code,), words, str(worth))

    def units(self, power: Power, codes: Iterable[Code]) -> int:
        """How many units `power` may have for these centres."""
        number = sum(self.value(power, code) for code in codes) // self.centres_per_unit + self.extra.get(power, 0)
        return number if self.most is None else min(number, self.most)


@dataclass(frozen=True)
class EarnedHomes(Fact):
    """Home centres are won and lost when ownership is settled.

    A centre owned at `after` settlings running becomes a home of its owner, and of nobody else; with 0 none does. With
    `lost` a home that another owns is none any more. With `conquered` who owns every home of another has them for
    homes too.
    """

    decides: ClassVar[str] = "which homes are won and lost"

    after: int = 0
    lost: bool = False
    conquered: bool = False


@dataclass(frozen=True)
class Capturing(Fact):
    """How centres change hands when ownership is settled.

    Only units of the kinds in `units` take centres, of every kind where that is empty, and only where they stood at
    `looks` settlings running, or so many as `looks_of` says of the centre; a centre of `seasons` only when ownership
    is settled in one of these. With `passing` a centre in which nobody stands goes to the power that stood there last
    since the settling before. With `occupied` a centre in which its owner has no unit is nobody's. A centre of
    `from_year` counts from that year on, one of `until_year` up to that year. Who takes a centre of `capitals` takes
    all centres of the power it was the capital of, or with `capitals_freed` they are nobody's. A centre of `destroyed`
    that passes from one power to another is none for the rest of the game.
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

    def in_season(self, code: Code, season: str) -> bool:
        """Whether a centre is taken when ownership is settled in a season."""
        return season in self.seasons.get(code, (season,))

    def counts(self, code: Code, year: int) -> bool:
        """Whether a centre can be owned in a year."""
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
    """What units of a kind may turn into by an order, and in spaces of which kind (`where`, see `Whose`).

    `among` are the only spaces meant, `powers` those that may, `seasons` when; all of them where they are empty. It is
    ordered in place of a move, or beside builds and removals (`phase`). One ordered in place of a move that is attacked
    fails where it must be `undisturbed`, otherwise only if the unit is dislodged.
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
    """Which units turn into others by an order, where and when: in any of these ways."""

    decides: ClassVar[str] = "which units turn into others"

    ways: tuple[Conversion, ...] = ()

    def place_rules(self, rules: "Rules") -> Iterator[PlaceRule]:
        """Describe the places in which alone units turn into others."""
        traits = rules.board.traits
        for way in self.ways:
            for code in way.among:
                what = f"{traits[way.unit].plural} may turn into {traits[way.into].plural}"
                yield PlaceRule("site", (code,), f"In {name_of(rules, code)} {what}")


@dataclass(frozen=True)
class RequiredBuilds(Fact):
    """In the adjustments of the opening a power builds an army in each home where it left builds without an order."""


@dataclass(frozen=True)
class Garrison(Fact):
    """The units of a power that nobody plays: they never retreat, need no centre, take none and are not raised again.

    `orders` are what they do, by their spaces: holds, and supports in place of one another. One without an order holds,
    and so does one whose partner is gone.
    """

    power: Power
    orders: Mapping[Code, Hold | Support] = field(default_factory=dict)


@dataclass(frozen=True)
class NoRetreat(Fact):
    """Dislodged units that are destroyed: of all powers or of one, everywhere or only `in_centres`, of all or one kind.

    `why` is the sentence about it, in which `{unit}` and `{place}` stand for the unit and the name of its space.
    """

    why: str
    power: Power | None = None
    in_centres: bool = False
    kind: UnitKind | None = None

    def about(self, unit: Unit, *, in_centre: bool) -> bool:
        """Whether it is so of a unit that was dislodged, in a supply centre or not."""
        mine = self.power in (None, unit.power) and self.kind in (None, unit.kind)
        return mine and (in_centre or not self.in_centres)


@dataclass(frozen=True)
class Victory(Fact):
    """What is counted to see who has won, by one word (`centre`, `piece`); `enough` of it, and the most, win.

    Centres owned and pieces on the board the engine counts; what else there is, the module counts itself
    (`RuleModule.progress`). If several have the most, they share the victory where it may be `shared`. Where there are
    `ways`, one alone of them wins, and the rest is what is shown of a power's progress: by the first of them.
    """

    decides: ClassVar[str] = "who wins"

    noun: str
    enough: int
    shared: bool = False
    ways: tuple[Way, ...] = ()

    @cached_property
    def every_way(self) -> tuple[Way, ...]:
        """The ways to win; the one that `noun`, `enough` and `shared` say where there are no others."""
        measures: dict[str, Measure] = {CENTRE: "centres", PIECE: "units"}
        return self.ways or (Way(measures.get(self.noun, "points"), self.enough, shared=self.shared),)

    def place_rules(self, rules: "Rules") -> Iterator[PlaceRule]:
        """Describe the spaces that single ways to win are about."""
        for way in self.ways:
            for code in way.among:
                others = listing(name_of(rules, other) for other in way.among if other != code)
                also = f", with {others}" if others else ""
                who = f" for {listing(way.powers)}" if way.powers else ""
                yield PlaceRule("objective", (code,), f"{name_of(rules, code)} counts to win{also}{who}")


class Alternative(NamedTuple):
    """What one complete choice of a power gives it: units, centres and home centres; the choices that say so."""

    choices: tuple[Choose, ...]
    units: tuple[Unit, ...]
    owned: frozenset[Code]
    homes: frozenset[Code]


@dataclass(frozen=True)
class OpeningChoices(Fact):
    """What each power may choose among before the first move; what it gets does not depend on what others choose."""

    decides: ClassVar[str] = "the opening"

    alternatives: Mapping[Power, tuple[Alternative, ...]]


@dataclass(frozen=True)
class Sight(Fact):
    """What a power sees while the game goes on; what it does not see it is not told.

    Its own units it always sees, and so many steps round its `units`, its `centres` and its `homes`; with -1 not even
    these spaces. Of other centres it knows all `owners`, those it `remembered` as it last saw them, or only what it
    has `seen` now.
    """

    decides: ClassVar[str] = "what powers see"

    units: int = 1
    centres: int = 1
    homes: int = -1
    owners: Literal["all", "remembered", "seen"] = "remembered"


@dataclass(frozen=True)
class HiddenKinds(Fact):
    """Nobody knows of what kind the units of others are: `letter` stands for any.

    Those whose spaces are in the `slot` of that name have shown it, and with `alone` it is known where units of one
    kind alone can stand.
    """

    decides: ClassVar[str] = "whose kinds of unit are known"

    slot: str
    letter: UnitKind
    alone: bool = True


@dataclass(frozen=True)
class Command(Fact):
    """Who writes the orders of a power: the seats of `by`, the first in rank first; itself where nothing is said.

    Where several write for one power, `merge` says what counts of orders that differ: that of the first in rank, the
    one that all of them or more than half of them gave, or that of one who is drawn by lot. With `support_over_hold`
    a support goes before the hold that another wrote.
    """

    decides: ClassVar[str] = "who writes orders"

    by: Mapping[Power, tuple[Power, ...]]
    merge: Literal["rank", "agreement", "majority", "lot"] = "rank"
    support_over_hold: bool = False


@dataclass(frozen=True)
class DrawsByHand(Fact):
    """The game master draws from a real hat and enters what came out."""


F = TypeVar("F", bound=Fact)


class MovementFacts(NamedTuple):
    """What the facts of a game say about movement."""

    weights: UnitWeights = UnitWeights()
    crossings: tuple[Crossing, ...] = ()
    convoy_ways: frozenset[frozenset[Code]] = frozenset()
    ways: Mapping[frozenset[Code], WayStrength] = EMPTY
    undisturbed: frozenset[tuple[UnitKind, UnitKind]] = frozenset()
    """Which kinds turn into which only where nobody attacks them."""


class Facts:
    """The facts that rule modules declare, by the name of the module.

    What every phase reads is at hand: `movement` is what movement reads, `delay` how long centres are not built for
    (None where they count at once), `supply` how many units a power may have, `sites` where units are built,
    `conversions` the ways in which units turn into others, `capturing` how centres are taken, `fixed` when homes are,
    `earned` which are won and lost, `command` who writes orders (None where nothing is said of these four),
    `garrisons` the garrisons by their powers, `no_retreat` which dislodged units are destroyed, garrisons among them.
    Raises `InvalidVariant` for two that contradict each other, and for a kind of fact that the engine does not know.
    """

    def __init__(self, declared: Mapping[str, tuple[Fact, ...]]) -> None:
        self.declared = FrozenMap(declared)
        self._by_kind: dict[type[Fact], list[Fact]] = {kind: [] for kind in KINDS}
        deciding: dict[str, tuple[str, Fact]] = {}
        for name, fact in ((name, fact) for name, facts in declared.items() for fact in facts):
            if type(fact) not in KINDS:
                raise InvalidVariant(f"'{name}' declares '{fact}', which is not a kind of fact.")
            other, known = deciding.setdefault(fact.decides, (name, fact)) if fact.decides else (name, fact)
            if known != fact:
                both = f"'{other}' and '{name}' both decide" if other != name else f"'{name}' decides twice"
                raise InvalidVariant(f"{both} {fact.decides}: they cannot be played together.")
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
        why = "{unit} was destroyed: a garrison never retreats."
        self.no_retreat = (*self.all(NoRetreat), *(NoRetreat(why, power) for power in self.garrisons))

    def all(self, kind: type[F]) -> tuple[F, ...]:
        """Every fact of a kind, in the order of the modules."""
        return tuple(self._by_kind[kind])  # type: ignore[arg-type]  # filed under their own type

    def one(self, kind: type[F]) -> F | None:
        """The fact of a kind of which there can be only one, None if no module declares it."""
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
"""Every kind of fact there is; the kernel takes each or refuses it by name."""

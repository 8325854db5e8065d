"""Unit types: where units of each type stand and move, what they convoy, their strengths, and what turns into what.

Armies and fleets are types like any other: a variant has them unless it leaves them out, and an entry with their
letter changes them.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from itertools import product
from typing import TYPE_CHECKING, Any, ClassVar, Literal

from plenipo.engine.board import ARMY, FLEET, Board, Code, Terrain, UnitKind, UnitTraits
from plenipo.engine.calendar import PhaseKind
from plenipo.engine.facts import Conversion, Conversions, Fact, NoRetreat, UnitWeights, Weight
from plenipo.engine.hooks import RuleModule
from plenipo.engine.position import Power
from plenipo.engine.sentences import SentenceKind, say
from plenipo.engine.space_filter import may_be
from plenipo.engine.strengths import Use
from plenipo.engine.wording import hint
from plenipo.errors import InvalidVariant
from plenipo.rulekit.rule_entries import RuleEntry

if TYPE_CHECKING:
    from plenipo.engine.rules import Rules

__all__ = ["UnitType", "UnitTypes"]

StrengthUse = Literal["attack", "prevent", "defend", "hold", "support"]
"""The uses of a strength; `support` is the strength that the unit adds to another."""

_BESIDE_POWERS = {"beside": ("offence_of",)}
"""Metadata of options that say how the units of some powers count, and matter only where these powers are named."""

BUILT_IN = {traits.kind: traits for traits in (ARMY, FLEET)}

_NEVER_RETREATS = SentenceKind("never-retreats", "{unit} was destroyed: {type} never retreats.")
_IN_CENTRE = SentenceKind(
    "destroyed-in-centre", "{unit} was destroyed: {place} has a supply centre, from which no unit retreats."
)


@dataclass(frozen=True)
class UnitType:
    """A unit type, by its letter.

    Values that are left out are those of the type that it is `like`. `by` are the contacts that it uses: those of
    armies (`land`), of fleets (`sea`), or `both`. It makes at most `steps` steps in one move, past any units on the
    way; with 0 it never moves. It can stand only on `terrain`, and only in the spaces of `only` if these are given; on
    its way it may also cross the terrain of `over`. `carries` are the letters of the types that it convoys. `strength`
    is its strength by use: a unit with 0 to `hold` gives way to any attack, one with 0 to `attack` moves only where
    nothing opposes it. With `retreats` false it is destroyed when it is dislodged. `symbol` is its symbol on the map.

    A type with `parts`, the letters of other types, is not built: units of these types combine into it when one joins
    the other. In adjustments it counts as `upkeep` units: by default 1, or the number of its parts. A type with `built`
    false is not built but appears in other ways, such as conversion.
    """

    __pydantic_config__: ClassVar[dict[str, Any]] = {"extra": "forbid"}  # a misspelt key is reported, not passed over

    name: str = ""
    plural: str = ""
    like: UnitKind = UnitKind.ARMY
    by: Literal["land", "sea", "both"] | None = None
    steps: int | None = None
    terrain: tuple[Terrain, ...] | None = None
    over: tuple[Terrain, ...] = ()
    only: tuple[Code, ...] = ()
    carries: tuple[UnitKind, ...] | None = None
    symbol: str = ""
    words: tuple[str, ...] = ()
    parts: tuple[UnitKind, ...] = ()
    upkeep: int | None = None
    built: bool = True
    retreats: bool = True
    strength: Mapping[StrengthUse, int] = field(default_factory=dict)


@dataclass(frozen=True)
class UnitTypes(RuleModule):
    """The options.

    `kinds` are the kinds of unit by their letters, beside armies and fleets; `without` are letters of those that are
    not there. `scale` is what an ordinary unit counts: strengths are given on that scale, 10 for tenths. Without
    `retreats_from_centres` a unit dislodged in a supply centre is destroyed. `conversions` lists the units that turn
    into others by an order, such as an army in a port into a fleet, with places and times; see `Conversion`.

    `offence` is what the units of the powers in `offence_of` count when they move or support a move; the strengths of
    their types go before. `prevent` says what such a unit and its supporters count to keep rivals out of a space they
    go to: the same (`offence`) or an ordinary unit (`full`). `head_to_head` says what it counts against the unit coming
    the opposite way: an ordinary unit (`defend_full`) or `offence`; `support_head_to_head` the same of its supporters
    there (`offence` or `full`).
    """

    name: ClassVar[str] = "unit_types"
    claims: ClassVar[frozenset[str]] = frozenset({"the kinds of unit", "which units turn into others"})
    fixed: ClassVar[frozenset[str]] = frozenset({"kinds", "without", "scale", "conversions", "retreats_from_centres"})

    kinds: Mapping[UnitKind, UnitType] = field(default_factory=dict)
    without: tuple[UnitKind, ...] = ()
    scale: int = 1
    retreats_from_centres: bool = True
    conversions: tuple[Conversion, ...] = ()
    offence_of: tuple[Power, ...] = field(default=(), metadata=_BESIDE_POWERS)
    offence: int = field(default=1, metadata=_BESIDE_POWERS)
    prevent: Literal["offence", "full"] = field(default="offence", metadata=_BESIDE_POWERS)
    head_to_head: Literal["defend_full", "offence"] = field(default="defend_full", metadata=_BESIDE_POWERS)
    support_head_to_head: Literal["offence", "full"] = field(default="offence", metadata=_BESIDE_POWERS)

    def board(self, board: Board) -> Board:
        """Return the board with these unit types.

        Raises `InvalidVariant` for a type without a name, one like or carrying an unknown type, one that names an
        unknown space, and one that can stand nowhere.
        """
        if not self.kinds and not self.without:
            return board
        made: dict[UnitKind, UnitTraits] = {kind: t for kind, t in BUILT_IN.items() if kind not in self.without}
        for letter, kind in self.kinds.items():
            made[letter] = self._traits(board, letter, kind)
        for traits in made.values():
            for cargo in traits.carries & self.kinds.keys() if traits.kind in BUILT_IN else traits.carries:
                if cargo not in made:
                    raise InvalidVariant(
                        say(
                            "'{kind}' carries '{cargo}'; {hint}",
                            kind=traits.kind,
                            cargo=cargo,
                            hint=hint(cargo, tuple(made)),
                        )
                    )
        if not made:
            raise InvalidVariant(say("'unit_types' leaves no kind of unit; name one under 'kinds'."))
        _check_parts(made)
        there = frozenset(made)
        board = replace(board, units=tuple(replace(t, carries=t.carries & there) for t in made.values()))
        for traits in board.units:
            if not any(kind is traits.kind for kind, _ in board.standing.values()):
                raise InvalidVariant(
                    say(
                        "{type} can stand nowhere; look at 'terrain' and 'only'.",
                        type=board.name_with_article(traits.kind),
                    )
                )
        return board

    def _traits(self, board: Board, letter: UnitKind, kind: UnitType) -> UnitTraits:
        base = BUILT_IN.get(letter) or BUILT_IN.get(kind.like)
        if base is None:
            raise InvalidVariant(
                say(
                    "'{letter}' is like '{like}'; a kind is like A, an army, or F, a fleet.",
                    letter=letter,
                    like=kind.like,
                )
            )
        name = kind.name or (base.name if letter in BUILT_IN else "")
        if not name:
            raise InvalidVariant(
                say("The kind '{letter}' has no name; write one such as name = \"cavalry\".", letter=letter)
            )
        for code in kind.only:
            if code not in board.known_codes:
                raise InvalidVariant(
                    say(
                        "'{letter}' stands only in '{code}'; {hint}",
                        letter=letter,
                        code=code,
                        hint=hint(code, tuple(board.spaces)),
                    )
                )
        for key, number in (("steps", kind.steps), ("upkeep", kind.upkeep)):
            if number is not None and number < 0:
                where = ("modules", self.name, "kinds", letter, key)
                raise InvalidVariant(
                    say("'{letter}' has {number} {key}; it must be 0 or more.", letter=letter, number=number, key=key),
                    where,
                )  # english: ok
        return UnitTraits(
            letter,
            name,
            kind.plural or (base.plural if name == base.name else f"{name}s"),
            kind.by or base.by,
            base.stands if kind.terrain is None else frozenset(kind.terrain),
            base.steps if kind.steps is None else kind.steps,
            frozenset(kind.over),
            frozenset(kind.only),
            base.carries if kind.carries is None else frozenset(kind.carries),
            kind.symbol or (base.symbol if letter in BUILT_IN else ""),
            kind.words,
            kind.parts,
            (len(kind.parts) or 1) if kind.upkeep is None else kind.upkeep,
            kind.built,
        )

    def facts(self, rules: "Rules") -> Iterator[Fact]:
        """Yield the strengths of units, if any differs from the ordinary, units that never retreat, and conversions.

        Raises `InvalidVariant` for a negative strength, an offence below 1, and a conversion that can never be ordered.
        """
        if self.conversions:
            self._check_conversions(rules)
            yield Conversions(self.conversions)
        if not self.retreats_from_centres:
            yield NoRetreat(_IN_CENTRE, in_centres=True)
        for letter, kind in self.kinds.items():
            if not kind.retreats:
                yield NoRetreat(_NEVER_RETREATS, kind=letter)
        for letter, kind in self.kinds.items():
            path = ("modules", self.name, "kinds", letter, "strength")
            for word, value in kind.strength.items():
                RuleEntry(rules, f"The strength of '{letter}'", path).least(0, **{word: value})  # english: ok
        RuleEntry(rules, f"'{self.name}'", ("modules", self.name)).least(1, offence=self.offence)
        uses = {use.name.lower(): (use, False) for use in Use}
        weights = [
            Weight(self.offence, power, use, helping)
            for power, use, helping in product(self.offence_of, Use, (False, True))
            if self._counts_offence(use, supporting=helping)
        ]
        weights += [
            Weight(value, info.name, use, helping, letter)
            for info in rules.powers
            for letter, kind in self.kinds.items()
            for word, value in kind.strength.items()
            for use, helping in ([uses[word]] if word in uses else [(use, True) for use in Use])
        ]
        if weights or self.scale != 1:
            yield UnitWeights(self.scale, tuple(weights))

    def _check_conversions(self, rules: "Rules") -> None:
        board = rules.board
        for number, way in enumerate(self.conversions):
            at = RuleEntry(rules, f"A conversion of '{self.name}'", ("modules", self.name, "conversions", number))
            at.kinds(unit=(way.unit,), into=(way.into,))
            if way.unit is way.into:
                raise at.wrong(
                    say("turns {unit} into {into}, which it is already.", unit=way.unit, into=way.into), "into"
                )
            at.spaces(among=way.among)
            at.powers(powers=way.powers)
            kind = PhaseKind(way.phase)
            if not rules.calendar.seasons(kind):
                raise at.wrong(say("turns units in {phase}, and the calendar has none.", phase=way.phase), "phase")
            at.seasons(kind, seasons=way.seasons)
            codes = {code for code in way.among or board.spaces if may_be(way.where, board, code)}
            stands = [{at.space for kind, at in board.standing.values() if kind is one} for one in (way.unit, way.into)]
            if not codes & stands[0] & stands[1]:
                both = f"{board.name_with_article(way.unit)} into {board.name_with_article(way.into)}"
                raise at.wrong(say("turns {both}, but nowhere that is meant could both stand.", both=both))

    def _counts_offence(self, use: Use, *, supporting: bool) -> bool:
        """Return whether a unit counts its `offence` in a use of its strength."""
        if use is Use.DEFEND:
            return (self.support_head_to_head if supporting else self.head_to_head) == "offence"
        return use is Use.ATTACK or (use is Use.PREVENT and self.prevent == "offence")


def _check_parts(made: Mapping[UnitKind, UnitTraits]) -> None:
    """Raise `InvalidVariant` for a type with an unknown part, with only one part, or with the parts of another type."""
    known: dict[tuple[UnitKind, ...], UnitKind] = {}
    for letter, traits in made.items():
        for part in traits.parts:
            if part not in made:
                raise InvalidVariant(
                    say(
                        "'{letter}' is made of '{part}'; {hint}", letter=letter, part=part, hint=hint(part, tuple(made))
                    )
                )  # english: ok
            if made[part].parts:
                raise InvalidVariant(
                    say(
                        "'{letter}' is made of '{part}', which is made of others; name those.", letter=letter, part=part
                    )
                )
        if len(traits.parts) == 1:
            raise InvalidVariant(
                say(
                    "'{letter}' is made of {parts} alone; it takes two parts or more.",
                    letter=letter,
                    parts=traits.parts[0],
                )
            )
        if traits.parts and (other := known.setdefault(tuple(sorted(traits.parts)), letter)) != letter:
            raise InvalidVariant(
                say("'{letter}' and '{other}' are made of the same parts.", letter=letter, other=other)
            )  # english: ok

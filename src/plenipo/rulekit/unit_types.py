"""Unit kinds: which kinds of unit there are, where they stand and go, whom they convoy, and what they count.

Armies and fleets are kinds like any other: they are there unless the data leave them out, and an entry with their
letter changes them.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, ClassVar, Literal

from plenipo.engine.board import ARMY, FLEET, Board, Code, Terrain, UnitKind, UnitTraits
from plenipo.engine.facts import Fact, NoRetreat, UnitWeights, Weight
from plenipo.engine.hooks import RuleModule
from plenipo.engine.strengths import Use
from plenipo.engine.wording import hint
from plenipo.errors import InvalidVariant
from plenipo.rulekit.rule_entries import Entry

if TYPE_CHECKING:
    from plenipo.engine.rules import Rules

__all__ = ["Kind", "UnitTypes"]

Counted = Literal["attack", "prevent", "defend", "hold", "support"]
"""What a strength may be given for; `support` is what the unit adds to another."""

BUILT_IN = {traits.kind: traits for traits in (ARMY, FLEET)}


@dataclass(frozen=True)
class Kind:
    """A kind of unit, by its letter.

    What is left out is as for the kind that it is `like`. `by` are the contacts it goes by: those of armies (`land`),
    of fleets (`sea`), or `both`. It makes up to so many `steps` in one move, whatever stands on the way; 0 is one that
    never moves. It stands on `terrain` alone, and in the spaces of `only` alone; on its way it may also be over the
    terrain of `over`. `carries` are the letters of the kinds it convoys. `strength` is what it counts, by use: one that
    counts 0 to `hold` makes way for any that comes, one that counts 0 to `attack` comes only where nothing opposes it.
    Dislodged, it is destroyed where it has no `retreats`. `symbol` is what it looks like.
    A kind with `parts`, the letters of other kinds, is not built: units of these become one of it where one joins the
    other. It counts as so many units in adjustments as `upkeep` says, ordinarily 1, or as many as its parts.
    One that is not `built` comes about otherwise, by conversion for one.
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
    strength: Mapping[Counted, int] = field(default_factory=dict)


@dataclass(frozen=True)
class UnitTypes(RuleModule):
    """The options.

    `kinds` are the kinds of unit by their letters, beside armies and fleets; `without` are letters of those that are
    not there. `scale` is what an ordinary unit counts: strengths are given on that scale, 10 for tenths.
    """

    name: ClassVar[str] = "unit_types"
    claims: ClassVar[frozenset[str]] = frozenset({"the kinds of unit"})
    fixed: ClassVar[frozenset[str]] = frozenset({"kinds", "without", "scale"})

    kinds: Mapping[UnitKind, Kind] = field(default_factory=dict)
    without: tuple[UnitKind, ...] = ()
    scale: int = 1

    def board(self, board: Board) -> Board:
        """The board with these kinds.

        Raises `InvalidVariant` for a kind without a name, one like a kind that is not there, one that carries such, one
        that names a space there is none of, and one that could stand nowhere.
        """
        made: dict[UnitKind, UnitTraits] = {kind: t for kind, t in BUILT_IN.items() if kind not in self.without}
        for letter, kind in self.kinds.items():
            made[letter] = self._traits(board, letter, kind)
        for traits in made.values():
            for cargo in traits.carries & self.kinds.keys() if traits.kind in BUILT_IN else traits.carries:
                if cargo not in made:
                    raise InvalidVariant(f"'{traits.kind}' carries '{cargo}'; {hint(cargo, tuple(made))}")
        if not made:
            raise InvalidVariant("'unit_types' leaves no kind of unit; name one under 'kinds'.")
        _check_parts(made)
        there = frozenset(made)
        board = replace(board, units=tuple(replace(t, carries=t.carries & there) for t in made.values()))
        for traits in board.units:
            if not any(kind is traits.kind for kind, _ in board.standing.values()):
                raise InvalidVariant(f"{board.called(traits.kind)} can stand nowhere; look at 'terrain' and 'only'.")
        return board

    def _traits(self, board: Board, letter: UnitKind, kind: Kind) -> UnitTraits:
        base = BUILT_IN.get(letter) or BUILT_IN.get(kind.like)
        if base is None:
            raise InvalidVariant(f"'{letter}' is like '{kind.like}'; a kind is like A, an army, or F, a fleet.")
        name = kind.name or (base.name if letter in BUILT_IN else "")
        if not name:
            raise InvalidVariant(f"The kind '{letter}' has no name; write one such as name = \"cavalry\".")
        for code in kind.only:
            if code not in board.known:
                raise InvalidVariant(f"'{letter}' stands only in '{code}'; {hint(code, tuple(board.spaces))}")
        for key, number in (("steps", kind.steps), ("upkeep", kind.upkeep)):
            if number is not None and number < 0:
                where = ("modules", self.name, "kinds", letter, key)
                raise InvalidVariant(f"'{letter}' has {number} {key}; it must be 0 or more.", where)
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
        """What the kinds count, if any counts more or less than an ordinary unit, and which of them never retreat."""
        for letter, kind in self.kinds.items():
            if not kind.retreats:
                never = rules.board.called(letter)
                yield NoRetreat(f"{{unit}} was destroyed: {never} never retreats.", kind=letter)
        for letter, kind in self.kinds.items():
            path = ("modules", self.name, "kinds", letter, "strength")
            for word, worth in kind.strength.items():
                Entry(rules, f"The strength of '{letter}'", path).least(0, **{word: worth})
        uses = {use.name.lower(): (use, False) for use in Use}
        weights = [
            Weight(worth, info.name, use, helping, letter)
            for info in rules.powers
            for letter, kind in self.kinds.items()
            for word, worth in kind.strength.items()
            for use, helping in ([uses[word]] if word in uses else [(use, True) for use in Use])
        ]
        if weights or self.scale != 1:
            yield UnitWeights(self.scale, tuple(weights))


def _check_parts(made: Mapping[UnitKind, UnitTraits]) -> None:
    """Raise `InvalidVariant` for a kind made of what is not there, of one part alone, or of the same as another."""
    known: dict[tuple[UnitKind, ...], UnitKind] = {}
    for letter, traits in made.items():
        for part in traits.parts:
            if part not in made:
                raise InvalidVariant(f"'{letter}' is made of '{part}'; {hint(part, tuple(made))}")
            if made[part].parts:
                raise InvalidVariant(f"'{letter}' is made of '{part}', which is made of others; name those.")
        if len(traits.parts) == 1:
            raise InvalidVariant(f"'{letter}' is made of {traits.parts[0]} alone; it takes two parts or more.")
        if traits.parts and (other := known.setdefault(tuple(sorted(traits.parts)), letter)) != letter:
            raise InvalidVariant(f"'{letter}' and '{other}' are made of the same parts.")

"""Promises: points for another power, given if it does what the promise asks for.

A promise is written with the orders of a movement phase and is secret until the results are published:

    If France doesn't enter (PIE), give him 2 points.

    promise   = "If" conditions "," "give" ( power | "him" | "her" | "them" ) number "point" [ "s" ] [ "." ]
    conditions = condition { ( "and" | "or" ) condition }, where "and" binds closer
    condition = power verb place-or-unit
    verb      = "enters" | "leaves" | "holds in" | "supports" | "attacks", each also with "doesn't" or "does not"

"Him" is the first power named. A place may stand in parentheses; a split province named without a number is any part.
A power enters a place if a unit of it moved there, leaves one if a unit of it moved away, and attacks one if a unit of
it was ordered there by a legal order, whatever came of it. It holds in a place if a unit of it stood there, was not
ordered to move and was not dislodged. It supports a unit or place if a unit of it supported that unit, a unit in that
place or a move there by an order that matched, cut or not. Bounces and retreats enter nothing.

What does not read like that is kept for the game master (GM), who may settle it: `PROMISE Italy gives France 2 points.`
"""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, ClassVar, Literal, NamedTuple

from plenipo.engine.board import Code
from plenipo.engine.calendar import PhaseKind
from plenipo.engine.history.dice import DrawSource
from plenipo.engine.history.game import notation_of
from plenipo.engine.hooks import Effects, Promises, RuleModule
from plenipo.engine.orders import Move, Notice, Promise, Support
from plenipo.engine.outcome import Cause, Outcome, Reason, Result
from plenipo.engine.position import GAME_MASTER, Position, Power
from plenipo.engine.reading.notation import Notation
from plenipo.errors import AmbiguousOrder, InvalidOrder, UnknownName
from plenipo.rulekit.points import Points, counted

if TYPE_CHECKING:
    from plenipo.engine.rules import Rules

__all__ = ["Condition", "Pledge", "PromiseRules", "read_promise"]

VERBS = ("enter", "leave", "hold in", "support", "attack")

_SAID = re.compile(
    r"(?P<power>.+?)\s+(?:(?P<not>doesn't|does\s+not)\s+(?P<bare>enter|leave|hold\s+in|support|attack)"
    r"|(?P<verb>enters|leaves|holds\s+in|supports|attacks))\s+(?P<what>.+)",
    re.IGNORECASE,
)
_PROMISE = re.compile(
    r"if\s+(?P<conditions>.+?)\s*,\s*give\s+(?P<to>.+?)\s+(?P<points>\d{1,9})\s+points?\s*\.?", re.IGNORECASE
)
_ORDERED = re.compile(r"(?P<giver>.+?)\s+gives\s+(?P<to>.+?)\s+(?P<points>\d{1,9})\s+points?\s*\.?", re.IGNORECASE)
_FIRST_NAMED = {"him", "her", "them"}


class Condition(NamedTuple):
    """What a power must do, or with `wanted` false must not do: the verb, and the places it is about."""

    power: Power
    verb: str
    places: frozenset[Code]
    wanted: bool = True


class Pledge(NamedTuple):
    """A promise that the program can judge: any of `ways`, each a list of conditions, earns `points` for `to`."""

    ways: tuple[tuple[Condition, ...], ...]
    to: Power
    points: int


def read_promise(rules: "Rules", position: Position, text: str) -> Pledge:
    """The promise written as `text`; raises `InvalidOrder` with the piece that is not of the grammar."""
    plain = " ".join(text.replace("\u2019", "'").split())
    found = _PROMISE.fullmatch(plain)
    if found is None:
        raise InvalidOrder(
            f"'{plain}' does not read like a promise; write 'If France doesn't enter PIE, give him 2 points.'",
            piece=plain,
        )
    notation = notation_of(rules, position)
    ways = tuple(
        tuple(_condition(rules, notation, said) for said in re.split(r"\s+and\s+", way, flags=re.IGNORECASE))
        for way in re.split(r"\s+or\s+", found["conditions"], flags=re.IGNORECASE)
    )
    name = found["to"]
    to = ways[0][0].power if name.casefold() in _FIRST_NAMED else _power(rules, name)
    points = int(found["points"])
    if not points:
        raise InvalidOrder("A promise of 0 points gives nothing; write a number above 0.", piece=found["points"])
    return Pledge(ways, to, points)


def _condition(rules: "Rules", notation: Notation, text: str) -> Condition:
    found = _SAID.fullmatch(text)
    if found is None:
        raise InvalidOrder(
            f"'{text}' is no condition; a power enters, leaves, holds in, supports or attacks a place.", piece=text
        )
    said = " ".join((found["bare"] or found["verb"]).casefold().split())
    verb = next(verb for verb in VERBS if said in (verb, verb.replace("hold", "holds"), f"{verb}s"))
    return Condition(_power(rules, found["power"]), verb, _places(notation, found["what"]), not found["not"])


def _power(rules: "Rules", text: str) -> Power:
    try:
        return rules.power(text)
    except UnknownName as fault:
        raise InvalidOrder(str(fault), piece=text) from fault


def _places(notation: Notation, text: str) -> frozenset[Code]:
    """The spaces that `text` names, a place or the unit in it; all parts of a province that was split."""
    bare = text.strip()
    if bare.startswith("(") and bare.endswith(")"):
        bare = bare[1:-1].strip()
    try:
        return frozenset({notation.unit(bare).location.space})
    except AmbiguousOrder as several:
        return frozenset(notation.unit(name).location.space for name in several.suggestions)


@dataclass(frozen=True)
class PromiseRules(RuleModule):
    """The option `promises`: judged by the program (`auto`), all kept for the game master (`gm`), or none (`off`).

    They are paid in the order of the powers and of each sheet; one that cannot be paid in full is not paid at all.
    """

    name: ClassVar[str] = "promises"
    claims: ClassVar[frozenset[str]] = frozenset({"promises"})

    promises: Literal["auto", "gm", "off"] = "auto"

    def why_no_notice(self, rules: "Rules", position: Position, power: Power, paper: Notice) -> str | None:
        """Promises with the orders of a movement phase, in any words; to another power if the program can tell."""
        if not isinstance(paper, Promise):
            return None
        if self.promises == "off":
            return "promises are not played in this game."
        if position.phase.kind is not PhaseKind.MOVEMENT:
            return f"promises are given with the orders of a movement phase, and this is {position.phase}."
        if power == GAME_MASTER:
            return (
                ""
                if _ORDERED.fullmatch(paper.text)
                else "the game master writes 'PROMISE Italy gives France 2 points.'"
            )
        if not position.units_of(power) and not position.centres_of(power):
            return f"{power} is out of the game and can promise nothing."
        try:
            own = self.promises == "auto" and read_promise(rules, position, paper.text).to == power
        except InvalidOrder:
            return ""
        return f"{power} cannot give points to itself." if own else ""

    def after_moves(
        self,
        rules: "Rules",
        before: Position,
        outcomes: Sequence[Outcome],
        position: Position,
        promises: Promises,
        hat: DrawSource,  # noqa: ARG002  # a hook
    ) -> Effects:
        """Every promise judged on the outcomes and paid."""
        purse = next((module for module in rules.modules if isinstance(module, Points)), None)
        points = dict(purse.purses(position)) if purse else {}
        told: list[Outcome] = []
        for power in (*rules.names, GAME_MASTER):
            for promise in promises.get(power, ()):
                result, reason, why = self._judged(rules, before, power, promise, outcomes, points)
                told.append(Outcome(power, None, promise, result, Cause(reason, detail=why), why))
        if purse:
            position = purse.with_purses(position, points)
        return Effects(position, (), tuple(told))

    def _judged(
        self,
        rules: "Rules",
        before: Position,
        power: Power,
        promise: Promise,
        outcomes: Sequence[Outcome],
        points: dict[Power, int],
    ) -> tuple[Result, Reason, str]:
        """What came of one promise; pays it in `points`."""
        ordered = _ORDERED.fullmatch(promise.text) if power == GAME_MASTER else None
        if ordered:
            try:
                giver, to = rules.power(ordered["giver"]), rules.power(ordered["to"])
            except UnknownName as fault:
                return Result.REFERRED, Reason.NOT_UNDERSTOOD, str(fault)
            return _paid(giver, to, int(ordered["points"]), points, "the game master said so")
        if self.promises == "gm":
            return Result.REFERRED, Reason.ORDERED, f"The game master judges what {power} promised."
        try:
            pledge = read_promise(rules, before, promise.text)
        except InvalidOrder as fault:
            return Result.REFERRED, Reason.NOT_UNDERSTOOD, f"The game master judges what {power} promised: {fault}"
        kept = any(all(_met(condition, outcomes) == condition.wanted for condition in way) for way in pledge.ways)
        if not kept:
            why = f"{power} gave {pledge.to} nothing: what it asked for did not happen."
            return Result.UNPAID, Reason.BROKEN, why
        return _paid(power, pledge.to, pledge.points, points, "what it asked for happened")


def _paid(giver: Power, to: Power, count: int, points: dict[Power, int], why: str) -> tuple[Result, Reason, str]:
    """Move points from one purse to the other, if they are there."""
    has = points.get(giver, 0)
    if has < count:
        return (
            Result.UNPAID,
            Reason.NO_POINTS,
            f"{giver} owed {to} {counted(count)} and had only {has}: nothing was paid.",
        )
    points[giver] = has - count
    points[to] = points.get(to, 0) + count
    return Result.PAID, Reason.KEPT, f"{giver} gave {to} {counted(count)}: {why}."


def _met(condition: Condition, outcomes: Iterable[Outcome]) -> bool:
    """Whether the power did what the verb says."""
    test = partial(_TESTS[condition.verb], condition.places)
    return any(outcome.power == condition.power and outcome.unit is not None and test(outcome) for outcome in outcomes)


def _enters(places: frozenset[Code], outcome: Outcome) -> bool:
    return outcome.result is Result.MOVES and isinstance(outcome.order, Move) and outcome.order.to.space in places


def _leaves(places: frozenset[Code], outcome: Outcome) -> bool:
    return outcome.result is Result.MOVES and outcome.unit is not None and outcome.unit.space in places


def _holds(places: frozenset[Code], outcome: Outcome) -> bool:
    moving = isinstance(outcome.order, Move) and outcome.result is not Result.VOID
    stood = outcome.unit is not None and outcome.unit.space in places
    return stood and not moving and outcome.dislodged_by is None


def _supports(places: frozenset[Code], outcome: Outcome) -> bool:
    if not isinstance(outcome.order, Support) or outcome.result is Result.VOID:
        return False
    to = outcome.order.to
    return outcome.order.other.location.space in places or (to is not None and to.space in places)


def _attacks(places: frozenset[Code], outcome: Outcome) -> bool:
    legal = outcome.cause.reason is not Reason.ILLEGAL
    return legal and isinstance(outcome.order, Move) and outcome.order.to.space in places


_TESTS: Mapping[str, Callable[[frozenset[Code], Outcome], bool]] = dict(
    zip(VERBS, (_enters, _leaves, _holds, _supports, _attacks), strict=True)
)

"""Promises: points for another power, given if it does what the promise asks for.

A promise is written with the orders of a movement phase and is secret until the results are published:

    If France doesn't enter (PIE), give him 2 points.

    promise    = "If" conditions "," "give" gifts [ "." ]  |  ( giver "gives" | "I give" ) gifts [ "." ]
    conditions = condition { ( "and" | "or" ) condition }, where "and" binds closer
    condition  = power verb place-or-unit
    verb       = "enters" | "moves to" | "leaves" | "holds in" | "supports" | "attacks" | "stays out of",
                 each but the last also with "doesn't" or "does not"
    gifts      = gift { "and" gift }
    gift       = ( power | "him" | "her" | "them" ) number "point" [ "s" ], the number in figures or words

"Him" is the first power named. Quotation marks round all of it, and parentheses round a place, may stand or not; a
split province named without a number is any part.
A power enters a place, or moves to it, if a unit of it moved there, and stays out of it if not; it leaves one if a unit
of it moved away, and attacks one if a unit of it was ordered there by a legal order, with any result. It holds in a
place if a unit of it stood there, was not ordered to move and was not dislodged. It supports a unit or place if a unit
of it supported that unit, a unit in that place or a move there by an order that matched, cut or not; and a move
(`A VEN - TYO`) only if it supported this move. Bounces and retreats enter nothing.
A promise without a condition is a gift, by the power that hands it in.

Any other text is kept for the game master (GM), who may settle it: `PROMISE Italy gives France 2 points.`
"""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial, reduce
from typing import TYPE_CHECKING, ClassVar, Literal, NamedTuple

from plenipo.engine.amounts import count_things
from plenipo.engine.board import Code
from plenipo.engine.calendar import PhaseKind
from plenipo.engine.hooks import Adjudication, Effects, RuleModule
from plenipo.engine.orders import Move, Notice, Promise, Support
from plenipo.engine.outcome import Cause, Outcome, Reason, Result
from plenipo.engine.position import GAME_MASTER, Position, Power
from plenipo.engine.reading.notation import Notation, notation_of
from plenipo.engine.sentences import NOTHING, Either, Sentence, SentenceKind, join_sentences
from plenipo.errors import AmbiguousOrder, InvalidOrder, UnknownName
from plenipo.rulekit.points import format_points
from plenipo.rulekit.treasury import Balances, Treasury

if TYPE_CHECKING:
    from plenipo.engine.rules import Rules

__all__ = ["Gift", "Pledge", "PromiseCondition", "PromiseRules", "read_promise"]

VERBS = ("enter", "leave", "hold in", "support", "attack")

_VERB = (
    r"(?P<enter>enters?|(?:moves?|goes?)\s+(?:in)?to)|(?P<out>stays?\s+out\s+of)|(?P<leave>leaves?)"
    r"|(?P<hold>holds?\s+in)|(?P<support>supports?)|(?P<attack>attacks?)"
)
_SAID = re.compile(
    rf"(?P<power>.+?)\s+(?P<not>(?:doesn't|does\s+not|don't|do\s+not)\s+)?(?:{_VERB})\s+(?P<what>.+)", re.IGNORECASE
)
_PROMISE = re.compile(r"if\s+(?P<conditions>.+?)\s*,\s*(?:then\s+)?give\s+(?P<gifts>.+?)\s*\.?", re.IGNORECASE)
_GIFT = re.compile(r"(?P<to>.+?)\s+(?P<points>\d{1,9}|[a-z]+)\s+points?", re.IGNORECASE)
_GIVEN = re.compile(r"(?:(?P<giver>.+?)\s+gives|I\s+give)\s+(?P<gifts>.+?)\s*\.?", re.IGNORECASE)
_MOVE = re.compile(r"(.+?)\s*->?\s*(.+)")
_NUMBERS = "no one two three four five six seven eight nine ten eleven twelve".split()
_QUOTES = "\"'\u201c\u201d\u2018\u2019\u00ab\u00bb"
_FIRST_NAMED = {"him", "her", "them"}

_DOES = {
    "enter": SentenceKind("promise-enter", "{power} enters {places}"),
    "leave": SentenceKind("promise-leave", "{power} leaves {places}"),
    "hold in": SentenceKind("promise-hold", "{power} holds in {places}"),
    "support": SentenceKind("promise-support", "{power} supports {places}"),
    "attack": SentenceKind("promise-attack", "{power} attacks {places}"),
}
_DOES_NOT = {
    "enter": SentenceKind("promise-not-enter", "{power} does not enter {places}"),
    "leave": SentenceKind("promise-not-leave", "{power} does not leave {places}"),
    "hold in": SentenceKind("promise-not-hold", "{power} does not hold in {places}"),
    "support": SentenceKind("promise-not-support", "{power} does not support {places}"),
    "attack": SentenceKind("promise-not-attack", "{power} does not attack {places}"),
}
_MOVE_OF = SentenceKind("promise-move", "{places} - {to}")
_GIFT_TO = SentenceKind("promise-gift", "{power} {sum}", note="What a power is given: 'France 3 points'.")
_AND = SentenceKind("conditions-and", "{one} and {other}")
_OR_IF = SentenceKind("conditions-or-if", "{one}, or if {other}")
_UNREAD = SentenceKind(
    "promise-unread", "'{text}' does not read like a promise; write 'If France doesn't enter PIE, give him 2 points.'"
)
_OF_NOTHING = SentenceKind("promise-of-nothing", "A promise of {number} points gives nothing; write a number above 0.")
_NO_CONDITION = SentenceKind(
    "promise-no-condition",
    "'{text}' is not a condition; a power enters, leaves, holds in, supports or attacks a place.",
)
_NOT_PLAYED = SentenceKind("promises-not-played", "promises are not played in this game.")
_NOT_NOW = SentenceKind(
    "promises-not-now", "promises are given with the orders of a movement phase, and this is {phase}."
)
_MASTER_WRITES = SentenceKind("promise-of-master", "the game master writes 'PROMISE Italy gives France 2 points.'")
_IS_OUT = SentenceKind("promise-of-eliminated", "{power} is out of the game and can promise nothing.")
_TO_ITSELF = SentenceKind("promise-to-itself", "{power} cannot give points to itself.")
_MASTER_DECIDES = SentenceKind("promise-master-decides", "The game master decides it.")
_NOT_UNDERSTOOD = SentenceKind("promise-not-understood", "Not understood, the game master will decide it: {reason}")
_UNDERSTOOD = SentenceKind("promise-understood", "Understood: {power} gives {gifts}.")
_UNDERSTOOD_IF = SentenceKind("promise-understood-if", "Understood: {power} gives {gifts} if {conditions}.")
_TOO_LITTLE_OWED = SentenceKind("promise-rest-owed", "{power} has {sum} now; the rest will be owed.")
_TOO_LITTLE_VOID = SentenceKind("promise-maybe-void", "{power} has {sum} now; it will be void if that is not enough.")
_MASTER_DECIDES_FOR = SentenceKind("promise-referred", "The game master decides what {power} promised.")
_REFERRED = SentenceKind("promise-referred-because", "The game master decides what {power} promised: {reason}")
_BROKEN = SentenceKind("promise-broken", "{power} gave {to} nothing: what it asked for did not happen.")
_MASTER_SAID = SentenceKind("promise-master-said", "the game master said so")
_HAPPENED = SentenceKind("promise-happened", "what it asked for happened")
_A_GIFT = SentenceKind("promise-a-gift", "a gift")
_KEPT = SentenceKind("promise-kept", "{power} gave {gifts}: {reason}.")
_NOTHING_PAID = SentenceKind("promise-nothing-paid", "{power} owed {gifts} and had only {has}: nothing was paid.")
_OWES = SentenceKind("promise-owes", "{power} owes {gifts} and had {has}: {rest} will be paid out of its next income.")
_NONE = SentenceKind("number-none", "none", note="Instead of a number: 'it had none'.")


class PromiseCondition(NamedTuple):
    """An action that a power must do, or must not do if `wanted` is false: the verb, and its places.

    `to` are the destinations of the supported move, if the condition names one.
    """

    power: Power
    verb: str
    places: frozenset[Code]
    wanted: bool = True
    to: frozenset[Code] = frozenset()

    def __str__(self) -> str:
        return str(self.as_sentence())

    def as_sentence(self) -> Sentence:
        """Return the condition as a part of a sentence."""
        places: Either | Sentence = Either(sorted(self.places))
        if self.to:
            places = _MOVE_OF(places=places, to=Either(sorted(self.to)))
        return (_DOES if self.wanted else _DOES_NOT)[self.verb](power=self.power, places=places)


class Gift(NamedTuple):
    """Points for a power."""

    to: Power
    points: int

    def __str__(self) -> str:
        return str(self.as_sentence())

    def as_sentence(self) -> Sentence:
        """Return the gift as a part of a sentence."""
        return _GIFT_TO(power=self.to, sum=count_things(self.points, "point"))


class Pledge(NamedTuple):
    """A promise that the program can decide: any of `ways`, each a list of conditions, earns all of `gifts`."""

    ways: tuple[tuple[PromiseCondition, ...], ...]
    gifts: tuple[Gift, ...]

    @property
    def points(self) -> int:
        """The points that are given in all."""
        return sum(gift.points for gift in self.gifts)


def read_promise(rules: "Rules", position: Position, text: str, giver: Power | None = None) -> Pledge:
    """Return the promise of `giver` written as `text`; raise `InvalidOrder` with the piece outside the grammar."""
    plain = _plain(text)
    notation = notation_of(rules, position)
    if promise := _PROMISE.fullmatch(plain):
        ways = tuple(
            tuple(_condition(rules, notation, said) for said in re.split(r"\s+and\s+", way, flags=re.IGNORECASE))
            for way in re.split(r"\s+or\s+", promise["conditions"], flags=re.IGNORECASE)
        )
        return Pledge(ways, _gifts(rules, promise["gifts"], plain, ways[0][0].power))
    gift = _GIVEN.fullmatch(plain)
    if gift is None or (gift["giver"] and _power(rules, gift["giver"]) != giver):
        raise _unread(plain)
    return Pledge(((),), _gifts(rules, gift["gifts"], plain, None))


def _plain(text: str) -> str:
    """Return `text` with single spaces and one kind of apostrophe, without quotation marks around all of it."""
    plain = " ".join(text.split())
    quoted = plain.rstrip(" .")  # some put the full stop behind the quotation mark
    if len(quoted) > 1 and quoted[0] in _QUOTES and quoted[-1] in _QUOTES:
        plain = quoted[1:-1].strip()
    return plain.replace("\u2019", "'")


def _unread(plain: str) -> InvalidOrder:
    return InvalidOrder(_UNREAD(text=plain), piece=plain)


def _gifts(rules: "Rules", text: str, plain: str, first: Power | None) -> tuple[Gift, ...]:
    """Return the gifts of a promise.

    `first`, the first power that the promise names, receives a gift to "him", "her" or "them".
    """
    gifts = []
    for part in re.split(r"(?<=points)\s+and\s+|(?<=point)\s+and\s+", text, flags=re.IGNORECASE):
        gift = _GIFT.fullmatch(part)
        number = gift["points"].casefold() if gift else ""
        if gift is None or not (number.isdecimal() or number in _NUMBERS):
            raise _unread(plain)
        points = int(number) if number.isdecimal() else _NUMBERS.index(number)
        if not points:
            raise InvalidOrder(_OF_NOTHING(number=number), piece=number)
        pronoun = gift["to"].casefold() in _FIRST_NAMED
        gifts.append(Gift(first if pronoun and first else _power(rules, gift["to"]), points))
    return tuple(gifts)


def _condition(rules: "Rules", notation: Notation, text: str) -> PromiseCondition:
    said = _SAID.fullmatch(text)
    if said is None:
        raise InvalidOrder(_NO_CONDITION(text=text), piece=text)
    verb = next(verb for verb in VERBS if said[verb.split()[0]] or (said["out"] and verb == "enter"))
    move = _MOVE.fullmatch(said["what"]) if verb == "support" else None
    try:
        places, to = _places(notation, said["what"]), frozenset[Code]()
    except InvalidOrder:
        if move is None:
            raise
        places, to = (_places(notation, part) for part in move.groups())
    return PromiseCondition(_power(rules, said["power"]), verb, places, not said["not"] and not said["out"], to)


def _power(rules: "Rules", text: str) -> Power:
    try:
        return rules.power(text)
    except UnknownName as fault:
        raise InvalidOrder(fault.sentence, piece=text) from fault


def _places(notation: Notation, text: str) -> frozenset[Code]:
    """Return the spaces that `text` names, a place or the unit in it; all parts of a province that was split."""
    bare = text.strip()
    if bare.startswith("(") and bare.endswith(")"):
        bare = bare[1:-1].strip()
    try:
        return frozenset({notation.unit(bare).location.space})
    except AmbiguousOrder as several:
        return frozenset(notation.unit(name).location.space for name in several.suggestions)


@dataclass(frozen=True)
class PromiseRules(RuleModule):
    """The option `promises`: decided by the program (`auto`), all kept for the game master (`gm`), or none (`off`).

    They are paid in the order of the powers and of each order set. `beyond_balance` says what happens to points that
    the
    giver does not have: they are `owed` and paid out of its next income, or the promise is `void` as a whole.
    """

    name: ClassVar[str] = "promises"
    claims: ClassVar[frozenset[str]] = frozenset({"promises"})

    promises: Literal["auto", "gm", "off"] = "auto"
    beyond_balance: Literal["owed", "void"] = "owed"

    def why_no_notice(self, rules: "Rules", position: Position, power: Power, notice: Notice) -> str | None:
        """Return why a power cannot make a promise now; empty if it can, None if the notice is no promise."""
        if not isinstance(notice, Promise):
            return None
        if self.promises == "off":
            return _NOT_PLAYED()
        if position.phase.kind is not PhaseKind.MOVEMENT:
            return _NOT_NOW(phase=position.phase)
        if power == GAME_MASTER:
            settles = _GIVEN.fullmatch(_plain(notice.text))
            return NOTHING if settles and settles["giver"] else _MASTER_WRITES()
        if not position.survives(power):
            return _IS_OUT(power=power)
        try:
            gifts = read_promise(rules, position, notice.text, power).gifts if self.promises == "auto" else ()
        except InvalidOrder:
            return ""
        return _TO_ITSELF(power=power) if power in {gift.to for gift in gifts} else NOTHING

    def notice_words(self, rules: "Rules", position: Position, power: Power, notice: Notice) -> tuple[bool, str] | None:
        """Return True and the gifts of a promise in words, or False and why the game master has to decide it.

        The words warn if the giver has too little. If the game master decides every promise, they say that, with True.
        None for other notices, and for promises of the game master.
        """
        if not isinstance(notice, Promise) or power == GAME_MASTER:
            return None
        if self.promises == "gm":
            return True, _MASTER_DECIDES()
        try:
            pledge = read_promise(rules, position, notice.text, power)
        except InvalidOrder as fault:
            return False, _NOT_UNDERSTOOD(reason=fault.sentence)
        ways = [reduce(_and, [condition.as_sentence() for condition in way]) for way in pledge.ways if way]
        gifts = _in_words(pledge.gifts)
        words = _UNDERSTOOD(power=power, gifts=gifts)
        if ways:
            either = reduce(lambda one, other: _OR_IF(one=one, other=other), ways)
            words = _UNDERSTOOD_IF(power=power, gifts=gifts, conditions=either)
        treasury = rules.module(Treasury)
        has = treasury.balances(position).get(power, 0) if treasury else 0
        if treasury and has < pledge.points:
            fate = _TOO_LITTLE_OWED if self.beyond_balance == "owed" else _TOO_LITTLE_VOID
            words = join_sentences(words, fate(power=power, sum=format_points(has)))
        return True, words

    def after_moves(self, rules: "Rules", adjudication: Adjudication) -> Effects:
        """Decide every promise on the outcomes and pay the gifts."""
        before, outcomes, position = adjudication.before, adjudication.outcomes, adjudication.position
        treasury = rules.module(Treasury)
        balances = treasury.ledger(position) if treasury else Balances()
        results: list[Outcome] = []
        for power in (*rules.names, GAME_MASTER):
            for promise in adjudication.promises.get(power, ()):
                balances, result, reason, why = self._decide_promise(rules, before, power, promise, outcomes, balances)
                results.append(Outcome(power, None, promise, result, Cause(reason, detail=why), why))
        if treasury:
            position = treasury.with_ledger(position, balances)
        return Effects(position, (), tuple(results))

    def _decide_promise(
        self,
        rules: "Rules",
        before: Position,
        power: Power,
        promise: Promise,
        outcomes: Sequence[Outcome],
        balances: Balances,
    ) -> tuple[Balances, Result, Reason, str]:
        """Decide one promise; return the treasuries after it, the result, the reason and its words."""
        master = power == GAME_MASTER
        settled = _GIVEN.fullmatch(_plain(promise.text)) if master else None
        if self.promises == "gm" and not master:
            return balances, Result.REFERRED, Reason.ORDERED, _MASTER_DECIDES_FOR(power=power)
        try:
            giver = _power(rules, settled["giver"] or "") if settled else power
            pledge = read_promise(rules, before, promise.text, giver)
        except InvalidOrder as fault:
            why = fault.sentence if master else _REFERRED(power=power, reason=fault.sentence)
            return balances, Result.REFERRED, Reason.NOT_UNDERSTOOD, why
        to = tuple(gift.to for gift in pledge.gifts)
        if not any(all(_is_met(condition, outcomes) == condition.wanted for condition in way) for way in pledge.ways):
            return balances, Result.UNPAID, Reason.BROKEN, _BROKEN(power=power, to=to)
        why = _MASTER_SAID() if master else _HAPPENED() if pledge.ways != ((),) else _A_GIFT()
        return self._pay_pledge(giver, pledge, balances, why, owing=rules.module(Treasury) is not None)

    def _pay_pledge(
        self, giver: Power, pledge: Pledge, balances: Balances, why: Sentence, *, owing: bool
    ) -> tuple[Balances, Result, Reason, str]:
        """Move points from one treasury to others.

        If there are too few, the rest is owed; or nothing is paid, where there are no debts or the option voids it.
        """
        has, gifts = balances.points.get(giver, 0), _in_words(pledge.gifts)
        if has >= pledge.points:
            after = reduce(lambda now, gift: now.pay(giver, *gift), pledge.gifts, balances)
            return after, Result.PAID, Reason.KEPT, _KEPT(power=giver, gifts=gifts, reason=why)
        if self.beyond_balance == "void" or not owing:
            return balances, Result.UNPAID, Reason.NO_POINTS, _NOTHING_PAID(power=giver, gifts=gifts, has=has)
        after = reduce(lambda now, gift: now.pay(giver, *gift), pledge.gifts, balances)
        short = pledge.points - has
        owes = _OWES(power=giver, gifts=gifts, has=has or _NONE(), rest=format_points(short))
        return after, Result.UNPAID, Reason.NO_POINTS, owes


def _in_words(gifts: Iterable[Gift]) -> tuple[Sentence, ...]:
    return tuple(gift.as_sentence() for gift in gifts)


def _and(one: Sentence, other: Sentence) -> Sentence:
    return _AND(one=one, other=other)


def _is_met(condition: PromiseCondition, outcomes: Iterable[Outcome]) -> bool:
    """Return True if the power did what the verb of the condition says."""
    test = partial(_TESTS[condition.verb], condition)
    return any(outcome.power == condition.power and outcome.unit is not None and test(outcome) for outcome in outcomes)


def _enters(condition: PromiseCondition, outcome: Outcome) -> bool:
    return (
        outcome.result is Result.MOVES
        and isinstance(outcome.order, Move)
        and outcome.order.to.space in condition.places
    )


def _leaves(condition: PromiseCondition, outcome: Outcome) -> bool:
    return outcome.result is Result.MOVES and outcome.unit is not None and outcome.unit.space in condition.places


def _holds(condition: PromiseCondition, outcome: Outcome) -> bool:
    moving = isinstance(outcome.order, Move) and outcome.result is not Result.VOID
    stood = outcome.unit is not None and outcome.unit.space in condition.places
    return stood and not moving and outcome.dislodged_by is None


def _supports(condition: PromiseCondition, outcome: Outcome) -> bool:
    if not isinstance(outcome.order, Support) or outcome.result is Result.VOID:
        return False
    other, to = outcome.order.other.location.space, outcome.order.to
    if condition.to:
        return other in condition.places and to is not None and to.space in condition.to
    return other in condition.places or (to is not None and to.space in condition.places)


def _attacks(condition: PromiseCondition, outcome: Outcome) -> bool:
    legal = outcome.cause.reason not in (Reason.ILLEGAL, Reason.PUT_OFF)
    return legal and isinstance(outcome.order, Move) and outcome.order.to.space in condition.places


_TESTS: Mapping[str, Callable[[PromiseCondition, Outcome], bool]] = dict(
    zip(VERBS, (_enters, _leaves, _holds, _supports, _attacks), strict=True)
)

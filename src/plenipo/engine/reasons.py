"""The sentences of a movement phase, each made from the cause of an outcome and from nothing else."""

from collections.abc import Iterable, Sequence
from typing import Any

from plenipo.engine.orders import Convert, Convoy, Move, MovementOrder, Support
from plenipo.engine.outcome import Cause, NotCounted, NotCut, Reason, Result, Uncounted, Uncut
from plenipo.engine.position import Unit
from plenipo.engine.sentences import NOTHING, Sentence, SentenceKind, join_sentences
from plenipo.engine.strengths import format_strength

__all__ = [
    "CONVOY_ILLEGAL",
    "DID_HOLD",
    "FLEETS_DID",
    "LAND_NOT_OPPOSED",
    "LAND_NOT_OWN",
    "LAND_NOT_VIA",
    "NOT_BY_LAND",
    "NO_ORDER_GIVEN",
    "NO_UNIT_STAYED",
    "WAS_DISLODGED",
    "WAS_ORDERED",
    "WENT_BY_LAND",
    "explain_outcome",
    "fall_sentence",
    "sentence",
]

# Details of causes

NOT_BY_LAND = SentenceKind("not-by-land", "and it was to go by convoy, not by land")
"""The sentence for an army that could have walked where no fleets convoyed it."""
DID_HOLD = SentenceKind("did-hold", "{unit} held")
WAS_ORDERED = SentenceKind("was-ordered", "{unit} was ordered '{order}'")
WAS_DISLODGED = SentenceKind("was-dislodged", "{unit} was dislodged")
WENT_BY_LAND = SentenceKind("went-by-land", "{unit} was to go by land")
"""The sentence of earlier records, without the rule of the three that follow."""
LAND_NOT_VIA = SentenceKind("land-not-via", "{unit} was to go by land, as its order did not say VIA")
LAND_NOT_OWN = SentenceKind(
    "land-not-own",
    "{unit} was to go by land, as its order did not say VIA and no fleet of its own power convoyed it",
)
LAND_NOT_OPPOSED = SentenceKind("land-not-opposed", "{unit} was to go by land, as no unit came the opposite way")
NO_UNIT_STAYED = SentenceKind("no-unit-stayed", "no unit that it could join stayed there")
NO_ORDER_GIVEN = SentenceKind("no-order-given", "{unit} had no order")
CONVOY_ILLEGAL = SentenceKind("convoy-illegal", "the order of {unit} '{order}' was illegal")
FLEETS_DID = SentenceKind("fleets-did", "{fleets}", note="What each fleet of a possible convoy did instead.")

# Units that held

_REFUSED = {
    Reason.ILLEGAL: SentenceKind("held-illegal", "{unit} held, because its order '{order}' was illegal: {reason}"),
    Reason.PUT_OFF: SentenceKind(
        "held-put-off", "{unit} held, because its order '{order}' was not carried out: {reason}"
    ),
}
_HELD = {
    Reason.NO_ORDER: SentenceKind("held-no-order", "{unit} held: it had no order."),
    Reason.HELD: SentenceKind("held", "{unit} held."),
}

# Moves

_MOVED = SentenceKind("moved", "{unit} moved to {place}")
_MOVED_BY_CONVOY = SentenceKind("moved-by-convoy", "{unit} moved to {place} by convoy")
_JOINED = SentenceKind("joined", "{unit} joined {units} in {place}.")
_UNOPPOSED = SentenceKind("unopposed", "{moved} unopposed.", note="{moved} is 'A PAR moved to BUR'.")
_UNOPPOSED_NO_EFFECT = SentenceKind(
    "unopposed-no-effect",
    "{moved} unopposed; the move of {rival} had no effect there, because {by} came from there and dislodged it.",
)
_SWAPPED = SentenceKind("swapped", "{moved}: it changed places with {other}.")
_ROTATED = SentenceKind("rotated", "{moved}: {units} moved on in a circle.")
_OVERCAME = SentenceKind("overcame", "{moved}: {strengths}{meeting}.")
_OVERCAME_NO_EFFECT = SentenceKind(
    "overcame-no-effect",
    "{moved}: {strengths}{meeting}; "
    "the move of {rival} had no effect there, because {by} came from there and dislodged it.",
)
_STAYED = SentenceKind("stayed", "{unit} stayed: {reason}.")
_FAILED = SentenceKind("failed", "{unit} did not enter {place}: {reason}.")
_NO_CHAIN = SentenceKind("no-chain", "no complete chain of fleets was ordered to convoy it")
_NO_CHAIN_BY_LAND = SentenceKind("no-chain-by-land", "no complete chain of fleets was ordered to convoy it, {detail}")
_NO_CHAIN_BECAUSE = SentenceKind("no-chain-because", "no complete chain of fleets was ordered to convoy it; {detail}")
_PARADOX = SentenceKind("paradox", "its convoy by {fleets} depended on its own success, so it was not carried out")
_BROKEN = SentenceKind("broken", "its convoy was broken when {dislodgements}")
_OWN_UNIT = SentenceKind("own-unit", "{units} of its own power stayed there")
_OWN_OPPOSITE = SentenceKind("own-opposite", "it met {units} of its own power head to head")
_COMPARED = SentenceKind("compared", "{strengths}{meeting}{uncounted}")
_AGAINST_HOLD = SentenceKind("against-hold", "attack {attack} against hold {against}")
_AGAINST = SentenceKind("against", "attack {attack} against {against} of {rivals}")
_STRENGTH_WITH = SentenceKind("strength-with", "{strength} (with {helpers})")
_UNIT_OF = SentenceKind("unit-of", "{unit} of {power}")
_DISLODGED_BY = SentenceKind("dislodged-by", "{unit} dislodged {fleet}")
_MEETINGS = {
    Reason.HEAD_TO_HEAD: SentenceKind("came-opposite", ", which came the opposite way")(),
    Reason.STOOD_OFF: SentenceKind("ordered-there-too", ", which was ordered there too")(),
    Reason.CROSSED: SentenceKind("crossed", ", whose way crosses this one")(),
}
_FELL = SentenceKind("fell", "{unit} was dislodged by {by}: attack {attack} against {own}{uncounted}.")
_FELL_HOLDING = SentenceKind(
    "fell-holding", "{unit} was dislodged by {by}: attack {attack} against hold {own}{uncounted}."
)

# Supports that were not counted

_UNCOUNTED = SentenceKind("uncounted", "; {supports}")
_UNCOUNTED_OWN = SentenceKind(
    "uncounted-own-unit",
    "the support of {units} did not count against {against} of its own power",
    "the supports of {units} did not count against {against} of their own power",
    count="units",
)
_UNCOUNTED_WHY = {
    NotCounted.CUT: SentenceKind(
        "uncounted-cut", "the support of {units} was cut", "the supports of {units} were cut", count="units"
    ),
    NotCounted.ILLEGAL: SentenceKind(
        "uncounted-illegal",
        "the support of {units} was illegal",
        "the supports of {units} were illegal",
        count="units",
    ),
    NotCounted.PUT_OFF: SentenceKind(
        "uncounted-put-off",
        "the support of {units} was not carried out",
        "the supports of {units} were not carried out",
        count="units",
    ),
    NotCounted.NO_MATCH: SentenceKind(
        "uncounted-coast",
        "the support of {units} named another coast",
        "the supports of {units} named other coasts",
        count="units",
    ),
    NotCounted.ADDS_NOTHING: SentenceKind(
        "uncounted-adds-nothing",
        "the support of {units} adds no strength here",
        "the supports of {units} add no strength here",
        count="units",
    ),
}

# Supports, convoys and conversions

_TO = SentenceKind("other-to", "{unit} to {place}", note="The move that is supported or convoyed: 'A PAR to BUR'.")
_IN_PLACE = SentenceKind("other-in-place", "{unit} in place", note="The unit that is supported in its place.")
_SUPPORTED = SentenceKind("supported", "{unit} supported {what}.")
_SUPPORTED_NOT_OWN = SentenceKind(
    "supported-not-own", "{unit} supported {what}, which did not count against {spared} of its own power."
)
_SUPPORTED_ADDS_NOTHING = SentenceKind(
    "supported-adds-nothing", "{unit} supported {what}, which by the rules adds no strength here."
)
_SUPPORTED_UNCUT = SentenceKind(
    "supported-uncut",
    "{unit} supported {what}; {attacks}.",
    note="{attacks} is 'the attack of F ANK, which came from ANK, did not cut it'.",
)
_SUPPORTED_NOT_OWN_UNCUT = SentenceKind(
    "supported-not-own-uncut",
    "{unit} supported {what}, which did not count against {spared} of its own power; {attacks}.",
)
_UNCUT_WHY = {
    NotCut.AIMED: SentenceKind(
        "uncut-aimed",
        "the attack of {units}, which came from {place}, did not cut it",
        "the attacks of {units}, which came from {place}, did not cut it",
        count="units",
    ),
    NotCut.OWN_POWER: SentenceKind(
        "uncut-own-power",
        "the attack of {units} of its own power did not cut it",
        "the attacks of {units} of its own power did not cut it",
        count="units",
    ),
    NotCut.NO_CONVOY: SentenceKind(
        "uncut-no-convoy",
        "the attack of {units}, which was not convoyed, did not cut it",
        "the attacks of {units}, which were not convoyed, did not cut it",
        count="units",
    ),
}
_UNCUT_CONVOY_AGAINST = SentenceKind(
    "uncut-convoy-against",
    "the attack of {units} by convoy did not cut it, because it was against {fleet}, which was ordered to convoy",
    "the attacks of {units} by convoy did not cut it, because it was against {fleet}, which was ordered to convoy",
    count="units",
)
_UNCUT_CONVOY_FOR = SentenceKind(
    "uncut-convoy-for",
    "the attack of {units} by convoy did not cut it, because it was for {fleet}, which was ordered to convoy",
    "the attacks of {units} by convoy did not cut it, because it was for {fleet}, which was ordered to convoy",
    count="units",
)
_SUPPORTED_NOTHING = SentenceKind("supported-nothing", "{unit} supported {what}, which counted for nothing: {detail}.")
_CUT_DISLODGED = SentenceKind("cut-dislodged", "The support of {unit} for {what} was cut by {by}, which dislodged it.")
_CUT_ATTACKED = SentenceKind(
    "cut-attacked",
    "The support of {unit} for {what} was cut by the attack of {by}.",
    "The support of {unit} for {what} was cut by the attacks of {by}.",
    count="by",
)
_CONVOYED = SentenceKind("convoyed", "{unit} convoyed {what}.")
_CONVOYED_IN_VAIN = SentenceKind(
    "convoyed-in-vain",
    "{unit} convoyed {other}, which did not enter {place}.",
    note="A convoy that was not broken, of an army that failed to land.",
)
_NOT_CONVOYED = SentenceKind("not-convoyed", "{unit} did not convoy {what}.")
_NOT_CONVOYED_WHY = SentenceKind("not-convoyed-why", "{unit} did not convoy {what}: {reason}.")
_CHAIN_BROKEN = SentenceKind("chain-broken", "the chain of fleets was broken when {dislodgements}")
_NO_PART = SentenceKind("no-part-of-chain", "it was part of no complete chain of fleets")
_NO_PART_BECAUSE = SentenceKind("no-part-of-chain-because", "it was part of no complete chain of fleets; {detail}")
_CONVOY_PARADOX = SentenceKind("convoy-paradox", "the convoy depended on its own success, so it was not carried out")
_CONVERTED = SentenceKind("converted", "{unit} turned into {into}.")
_NOT_CONVERTED = SentenceKind("not-converted", "{unit} did not turn into {into}.")
_NOT_CONVERTED_ATTACKED = SentenceKind(
    "not-converted-attacked", "{unit} did not turn into {into}: it was attacked by {by}."
)


def sentence(unit: Unit, order: MovementOrder | None, result: Result, cause: Cause) -> Sentence:
    """Return the sentence about the order of a unit; empty if all there is to say is that it was dislodged.

    `order` is as in an outcome: the completed order, or as it was written where it was refused.
    """
    if cause.reason in _REFUSED:
        return _REFUSED[cause.reason](unit=unit, order=order, reason=cause.detail)
    if cause.reason is Reason.SILENCED:
        return _DETAIL(detail=cause.detail)
    if isinstance(order, Move):
        return _arrival(unit, order, cause) if result is Result.MOVES else _failure(unit, cause)
    if isinstance(order, Support):
        return _support(unit, order, cause)
    if isinstance(order, Convoy):
        return _convoy(unit, order, cause)
    if isinstance(order, Convert):
        return _conversion(unit, order, cause)
    return _HELD[cause.reason](unit=unit) if cause.reason in _HELD else NOTHING


_DETAIL = SentenceKind("takes-no-orders", "{detail}", note="A sentence of its own: why a unit takes no orders.")


def explain_outcome(unit: Unit, order: Any, result: Result, cause: Cause, fall: Cause | None) -> Sentence:
    """Return the sentences about the order of a unit in a movement phase, and about its fall if it was dislodged."""
    said = sentence(unit, order, result, cause)
    return join_sentences(said, fall_sentence(unit, fall)) if fall else said


def fall_sentence(unit: Unit, fall: Cause) -> Sentence:
    """Return the sentence that a unit was dislodged, by which one, and the two strengths."""
    kind = _FELL_HOLDING if fall.met is Reason.REPELLED else _FELL
    return kind(
        unit=unit,
        by=_each(fall.by),
        attack=_strength(fall.against, fall.against_helpers, fall.scale),
        own=_strength(fall.strength, fall.helpers, fall.scale),
        uncounted=_without(fall.uncounted),
    )


def _arrival(unit: Unit, order: Move, cause: Cause) -> Sentence:
    if cause.reason is Reason.JOINED:
        return _JOINED(unit=unit, units=cause.by, place=cause.place)
    moved = (_MOVED_BY_CONVOY if cause.fleets else _MOVED)(unit=unit, place=order.to)
    without = cause.no_effect
    if cause.reason is Reason.UNOPPOSED:
        return _UNOPPOSED_NO_EFFECT(moved=moved, **without._asdict()) if without else _UNOPPOSED(moved=moved)
    if cause.reason is Reason.ROTATED and len(cause.by) == 1:
        return _SWAPPED(moved=moved, other=_each(cause.by))
    if cause.reason is Reason.ROTATED:
        return _ROTATED(moved=moved, units=(unit, *cause.by))
    meeting = _MEETINGS[Reason.CROSSED] if cause.met is Reason.CROSSED else NOTHING
    strengths = _sums(cause, cause.met)
    if without:
        return _OVERCAME_NO_EFFECT(moved=moved, strengths=strengths, meeting=meeting, **without._asdict())
    return _OVERCAME(moved=moved, strengths=strengths, meeting=meeting)


def _failure(unit: Unit, cause: Cause) -> Sentence:
    if cause.reason is Reason.NO_MATCH:
        return _STAYED(unit=unit, reason=cause.detail)
    return _FAILED(unit=unit, place=cause.place, reason=_why_failed(unit, cause))


def _why_failed(unit: Unit, cause: Cause) -> Sentence:
    if cause.reason is Reason.NO_CONVOY:
        if not cause.detail:
            return _NO_CHAIN()
        by_land = cause.detail == NOT_BY_LAND()
        return (_NO_CHAIN_BY_LAND if by_land else _NO_CHAIN_BECAUSE)(detail=cause.detail)
    if cause.reason is Reason.PARADOX:
        return _PARADOX(fleets=cause.fleets)
    if cause.reason is Reason.CONVOY_BROKEN:
        return _BROKEN(dislodgements=_dislodgers(cause))
    if cause.reason is Reason.OWN_UNIT:
        return _OWN_UNIT(units=cause.by)
    if cause.reason is Reason.HEAD_TO_HEAD and cause.by[0].power == unit.power:
        return _OWN_OPPOSITE(units=cause.by)
    return _COMPARED(
        strengths=_sums(cause, cause.reason),
        meeting=_MEETINGS.get(cause.reason, NOTHING),
        uncounted=_without(cause.uncounted),
    )


def _support(unit: Unit, order: Support, cause: Cause) -> Sentence:
    what = _TO(unit=order.other, place=order.to) if order.to else _IN_PLACE(unit=order.other)
    if cause.reason is Reason.NO_MATCH:
        return _SUPPORTED_NOTHING(unit=unit, what=what, detail=cause.detail)
    if cause.reason is Reason.GIVEN:
        if any(support.why is NotCounted.ADDS_NOTHING for support in cause.uncounted):
            return _SUPPORTED_ADDS_NOTHING(unit=unit, what=what)
        spared = tuple(support.against for support in cause.uncounted)
        attacks = _not_cut(order, cause.uncut)
        if spared and attacks:
            return _SUPPORTED_NOT_OWN_UNCUT(unit=unit, what=what, spared=spared, attacks=attacks)
        if spared:
            return _SUPPORTED_NOT_OWN(unit=unit, what=what, spared=spared)
        return _SUPPORTED_UNCUT(unit=unit, what=what, attacks=attacks) if attacks else _SUPPORTED(unit=unit, what=what)
    kind = _CUT_DISLODGED if cause.reason is Reason.DISLODGED else _CUT_ATTACKED
    return kind(unit=unit, what=what, by=cause.by)


def _not_cut(order: Support, uncut: Iterable[Uncut]) -> tuple[Sentence, ...]:
    """Return the attacks that did not cut a support and why, as parts of a sentence."""
    alike: dict[tuple[NotCut, Unit | None], list[Unit]] = {}
    for attack in uncut:
        alike.setdefault((attack.why, attack.fleet), []).append(attack.unit)
    by_convoy = _UNCUT_CONVOY_AGAINST if order.to else _UNCUT_CONVOY_FOR
    return tuple(
        by_convoy(units=tuple(units), fleet=fleet)
        if why is NotCut.CONVOY_RULE
        else _UNCUT_WHY[why](units=tuple(units), place=units[0].space)
        for (why, fleet), units in alike.items()
    )


def _convoy(unit: Unit, order: Convoy, cause: Cause) -> Sentence:
    what = _TO(unit=order.other, place=order.to)
    if cause.reason is Reason.GIVEN and cause.met:
        return _CONVOYED_IN_VAIN(unit=unit, other=order.other, place=order.to)
    if cause.reason is Reason.GIVEN:
        return _CONVOYED(unit=unit, what=what)
    why: str = cause.detail
    if cause.reason is Reason.CONVOY_BROKEN:
        why = _CHAIN_BROKEN(dislodgements=_dislodgers(cause))
    elif cause.reason is Reason.NO_CONVOY:
        why = _NO_PART_BECAUSE(detail=cause.detail) if cause.detail else _NO_PART()
    elif cause.reason is Reason.PARADOX:
        why = _CONVOY_PARADOX()
    return _NOT_CONVOYED_WHY(unit=unit, what=what, reason=why) if why else _NOT_CONVOYED(unit=unit, what=what)


def _conversion(unit: Unit, order: Convert, cause: Cause) -> Sentence:
    if cause.reason is Reason.ORDERED:
        return _CONVERTED(unit=unit, into=order.into)
    if cause.reason is Reason.ATTACKED:
        return _NOT_CONVERTED_ATTACKED(unit=unit, into=order.into, by=cause.by)
    return _NOT_CONVERTED(unit=unit, into=order.into)


def _dislodgers(cause: Cause) -> tuple[Sentence, ...]:
    """Return `F BRE of France dislodged F ENG`, for each fleet and the unit that dislodged it."""
    return tuple(
        _DISLODGED_BY(unit=_of_power(by), fleet=fleet) for by, fleet in zip(cause.by, cause.fleets, strict=True)
    )


def _sums(cause: Cause, met: Reason | None) -> Sentence:
    """Return `attack 2 (with A RUH) against hold 2 (with A PAR)`, or `against 1 of A VIE of Austria`."""
    attack = _strength(cause.strength, cause.helpers, cause.scale)
    against = _strength(cause.against, cause.against_helpers, cause.scale)
    if met is Reason.REPELLED:
        return _AGAINST_HOLD(attack=attack, against=against)
    return _AGAINST(attack=attack, against=against, rivals=_each(cause.by))


def _strength(strength: int | None, helpers: Sequence[Unit], scale: int) -> str:
    number = format_strength(strength or 0, scale)
    return _STRENGTH_WITH(strength=number, helpers=tuple(helpers)) if helpers else number


def _of_power(unit: Unit) -> Sentence:
    return _UNIT_OF(unit=unit, power=unit.power)


def _each(units: Iterable[Unit]) -> tuple[Sentence, ...]:
    return tuple(map(_of_power, units))


def _without(uncounted: Iterable[Uncounted]) -> Sentence:
    """Return the supports that were not counted and why, as the end of a sentence."""
    alike: dict[tuple[NotCounted, Unit | None], list[Unit]] = {}
    for support in uncounted:
        alike.setdefault((support.why, support.against), []).append(support.unit)
    if not alike:
        return NOTHING
    return _UNCOUNTED(
        supports=tuple(
            _UNCOUNTED_OWN(units=tuple(units), against=against)
            if why is NotCounted.OWN_UNIT
            else _UNCOUNTED_WHY[why](units=tuple(units))
            for (why, against), units in alike.items()
        )
    )

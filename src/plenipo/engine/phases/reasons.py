"""The sentences of a movement phase, each made from the cause of an outcome and from nothing else."""

from collections.abc import Iterable, Sequence

from plenipo.engine.orders import Convert, Convoy, Move, MovementOrder, Support
from plenipo.engine.outcome import Cause, NotCounted, Reason, Result, Uncounted
from plenipo.engine.position import Unit
from plenipo.engine.strengths import shown
from plenipo.engine.wording import listing

__all__ = ["NOT_BY_LAND", "fall_sentence", "sentence"]

NOT_BY_LAND = "and it was to go by convoy, not by land"
"""Said of an army that could have walked where no fleets convoyed it."""

_REFUSED = {Reason.ILLEGAL: "was illegal", Reason.PUT_OFF: "was not carried out"}

_ENDINGS = {
    Reason.HEAD_TO_HEAD: ", which came the opposite way",
    Reason.STOOD_OFF: ", which was ordered there too",
    Reason.CROSSED: ", whose way crosses this one",
}

_NOT_COUNTED = {
    NotCounted.CUT: ("was cut", "were cut"),
    NotCounted.ILLEGAL: ("was illegal", "were illegal"),
    NotCounted.PUT_OFF: ("was not carried out", "were not carried out"),
    NotCounted.NO_MATCH: ("named another coast", "named other coasts"),
}
"""Of one support, and of several."""


_NO_CONVOY = {
    Reason.NO_CONVOY: "it was part of no complete chain of fleets",
    Reason.PARADOX: "the convoy depended on its own success, so it was not carried out",
}


def sentence(unit: Unit, order: MovementOrder | None, result: Result, cause: Cause) -> str:
    """What came of the order of a unit and why, one sentence; empty if all there is to say is that it was dislodged.

    `order` is as in an outcome: the completed order, or as it was written where it was refused.
    """
    if cause.reason in _REFUSED:
        return f"{unit} held, because its order '{order}' {_REFUSED[cause.reason]}: {cause.detail}"
    if cause.reason is Reason.SILENCED:
        return cause.detail
    if isinstance(order, Move):
        return _arrival(unit, order, cause) if result is Result.MOVES else _failure(unit, cause)
    if isinstance(order, Support):
        return _support(unit, order, cause)
    if isinstance(order, Convoy):
        return _convoy(unit, order, cause)
    if isinstance(order, Convert):
        return _conversion(unit, order, cause)
    return {Reason.NO_ORDER: f"{unit} held: it had no order.", Reason.HELD: f"{unit} held."}.get(cause.reason, "")


def fall_sentence(unit: Unit, fall: Cause) -> str:
    """That a unit was dislodged, by which one, and the two strengths."""
    hold = "hold " if fall.met is Reason.REPELLED else ""
    attack = _strength(fall.against, fall.against_helpers, fall.scale)
    own = _strength(fall.strength, fall.helpers, fall.scale)
    by = _each(fall.by)
    return f"{unit} was dislodged by {by}: attack {attack} against {hold}{own}{_without(fall.uncounted)}."


def _arrival(unit: Unit, order: Move, cause: Cause) -> str:
    if cause.reason is Reason.JOINED:
        return f"{unit} joined {listing(cause.by)} in {cause.place}."
    done = f"{unit} moved to {order.to}{' by convoy' if cause.fleets else ''}"
    if cause.reason is Reason.UNOPPOSED:
        return f"{done} unopposed."
    if cause.reason is Reason.ROTATED and len(cause.by) == 1:
        return f"{done}: it changed places with {_each(cause.by)}."
    if cause.reason is Reason.ROTATED:
        return f"{done}: {listing((unit, *cause.by))} moved on in a circle."
    ending = _ENDINGS[Reason.CROSSED] if cause.met is Reason.CROSSED else ""
    return f"{done}: {_sums(cause, cause.met)}{ending}."


def _failure(unit: Unit, cause: Cause) -> str:
    head = f"{unit} did not enter {cause.place}:"
    if cause.reason is Reason.NO_MATCH:
        return f"{unit} stayed: {cause.detail}."
    if cause.reason is Reason.NO_CONVOY:
        instead = f", {cause.detail}" if cause.detail else ""
        return f"{head} no complete chain of fleets was ordered to convoy it{instead}."
    if cause.reason is Reason.PARADOX:
        fleets = listing(cause.fleets)
        return f"{head} its convoy by {fleets} depended on its own success, so it was not carried out."
    if cause.reason is Reason.CONVOY_BROKEN:
        return f"{head} its convoy was broken when {_dislodgers(cause)}."
    if cause.reason is Reason.OWN_UNIT:
        return f"{head} {listing(cause.by)} of its own power stayed there."
    if cause.reason is Reason.HEAD_TO_HEAD and cause.by[0].power == unit.power:
        return f"{head} it met {listing(cause.by)} of its own power head to head."
    ending = _ENDINGS.get(cause.reason, "")
    return f"{head} {_sums(cause, cause.reason)}{ending}{_without(cause.uncounted)}."


def _support(unit: Unit, order: Support, cause: Cause) -> str:
    what = f"{order.other} to {order.to}" if order.to else f"{order.other} in place"
    if cause.reason is Reason.NO_MATCH:
        return f"{unit} supported {what}, which counted for nothing: {cause.detail}."
    if cause.reason is Reason.GIVEN:
        spared = [support.against for support in cause.uncounted]
        but = f", which did not count against {listing(spared)} of its own power" if spared else ""
        return f"{unit} supported {what}{but}."
    by = f"by {listing(cause.by)}, which dislodged it" if cause.reason is Reason.DISLODGED else _attacked(cause.by)
    return f"The support of {unit} for {what} was cut {by}."


def _convoy(unit: Unit, order: Convoy, cause: Cause) -> str:
    what = f"{order.other} to {order.to}"
    if cause.reason is Reason.GIVEN:
        return f"{unit} convoyed {what}."
    if cause.reason is Reason.CONVOY_BROKEN:
        why = f"the chain of fleets was broken when {_dislodgers(cause)}"
    else:
        why = _NO_CONVOY.get(cause.reason, cause.detail)
    return f"{unit} did not convoy {what}{f': {why}' if why else ''}."


def _conversion(unit: Unit, order: Convert, cause: Cause) -> str:
    if cause.reason is Reason.ORDERED:
        return f"{unit} turned into {order.into}."
    why = f": it was attacked by {listing(cause.by)}" if cause.reason is Reason.ATTACKED else ""
    return f"{unit} did not turn into {order.into}{why}."


def _attacked(by: Sequence[Unit]) -> str:
    return f"by the attack{'s' if len(by) > 1 else ''} of {listing(by)}"


def _dislodgers(cause: Cause) -> str:
    """`F BRE of France dislodged F ENG`, for each fleet and the unit that dislodged it."""
    return listing(f"{_each((by,))} dislodged {fleet}" for by, fleet in zip(cause.by, cause.fleets, strict=True))


def _sums(cause: Cause, met: Reason | None) -> str:
    """`attack 2 (with A RUH) against hold 2 (with A PAR)`, or `against 1 of A VIE of Austria`."""
    attack = _strength(cause.strength, cause.helpers, cause.scale)
    against = _strength(cause.against, cause.against_helpers, cause.scale)
    if met is Reason.REPELLED:
        return f"attack {attack} against hold {against}"
    return f"attack {attack} against {against} of {_each(cause.by)}"


def _strength(strength: int | None, helpers: Sequence[Unit], scale: int) -> str:
    return f"{shown(strength or 0, scale)}{f' (with {listing(helpers)})' if helpers else ''}"


def _each(units: Iterable[Unit]) -> str:
    return listing(f"{unit} of {unit.power}" for unit in units)


def _without(uncounted: Iterable[Uncounted]) -> str:
    """The supports that were not counted and why, as the end of a sentence."""
    alike: dict[tuple[NotCounted, Unit | None], list[Unit]] = {}
    for support in uncounted:
        alike.setdefault((support.why, support.against), []).append(support.unit)
    parts = []
    for (why, against), units in alike.items():
        several = len(units) > 1
        head = f"the support{'s' if several else ''} of {listing(units)}"
        if why is NotCounted.OWN_UNIT:
            parts.append(f"{head} did not count against {against} of {'their' if several else 'its'} own power")
        else:
            parts.append(f"{head} {_NOT_COUNTED[why][several]}")
    return f"; {listing(parts)}" if parts else ""

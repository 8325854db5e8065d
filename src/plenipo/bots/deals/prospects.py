"""Prospects of centres: in how many sampled cases a power takes and loses them, in plain words; pure."""

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from plenipo.engine.board import Code
from plenipo.engine.dice import Dice
from plenipo.engine.history.game import Game
from plenipo.engine.history.view import View
from plenipo.engine.outcome import Resolution
from plenipo.engine.phases.step import OrderSets
from plenipo.engine.position import Power
from plenipo.engine.sentences import SentenceKind

__all__ = ["CentreProspects", "count_prospects", "describe_difference"]

_WOULD_LOSE = SentenceKind(
    "deal-would-lose",
    "I would lose {place} in {number} of {cases} cases, and in {before} without the deal.",
    note="A computer player says why it accepts or refuses a deal.",
)
_WOULD_TAKE = SentenceKind(
    "deal-would-take",
    "I would take {place} in {number} of {cases} cases, and in {before} without the deal.",
    note="A computer player says why it accepts or refuses a deal.",
)

SMALLEST_PART = 10
"""A difference is mentioned if it is at least one case in so many; a smaller one may be chance."""


class CentreProspects(NamedTuple):
    """The number of sampled cases in which a power takes or loses each centre in a movement."""

    cases: int
    taken: Mapping[Code, int]
    lost: Mapping[Code, int]


def count_prospects(view: View, power: Power, cases: Sequence[OrderSets]) -> CentreProspects:
    """Return which centres a power takes and loses in a movement, given the orders of all powers in each case.

    A centre is lost when a unit of another power stands in it afterwards, and taken when one of its own does in a
    centre of another power, or of none.
    """
    taken: Counter[Code] = Counter()
    lost: Counter[Code] = Counter()
    owners, spaces = view.position.owners, view.rules.board_at(view.position).spaces
    for order_sets in cases:
        came = Game(view.rules, view.position, dice=Dice(bytes(32))).adjudicate(order_sets)
        if not isinstance(came, Resolution):
            continue
        for code, holder in ((unit.space, unit.power) for unit in came.after.units):
            if code not in spaces or not spaces[code].centre:
                continue
            owner = owners.get(code)
            taken[code] += holder == power != owner
            lost[code] += owner == power != holder
    return CentreProspects(len(cases), taken, lost)


def describe_difference(view: View, without: CentreProspects, within: CentreProspects, *, better: bool) -> str:
    """Return a sentence about the centre for which a deal changes most, for the better or worse; empty if none does.

    The counts are those without the deal and with it.
    """
    sign = 1 if better else -1
    changes = [
        *((sign * (within.taken[code] - without.taken[code]), code, _WOULD_TAKE) for code in _list_codes(view)),
        *((sign * (without.lost[code] - within.lost[code]), code, _WOULD_LOSE) for code in _list_codes(view)),
    ]
    most, code, kind = max(changes, key=lambda change: change[0], default=(0, Code(""), _WOULD_LOSE))
    if most <= 0 or most * SMALLEST_PART < within.cases:
        return ""
    counts = [one.taken[code] if kind is _WOULD_TAKE else one.lost[code] for one in (within, without)]
    place = view.rules.board_at(view.position).spaces[code].name
    return kind(place=place, number=counts[0], cases=within.cases, before=counts[1])


def _list_codes(view: View) -> list[Code]:
    spaces = view.rules.board_at(view.position).spaces
    return sorted(code for code in spaces if spaces[code].centre)

"""Candidates for deals: from plans that lack a support, stand-offs, fronts that can stay quiet, and a leader; pure."""

from collections.abc import Iterator, Sequence
from itertools import chain, islice, zip_longest

from plenipo.bots.deals.clauses import (
    AttackClause,
    Clause,
    KeepOutClause,
    LeaveCentresClause,
    OrderClause,
    ProposedDeal,
    why_void,
)
from plenipo.engine.board import Code
from plenipo.engine.orders import Hold, Move, Order, Support
from plenipo.engine.phases.legality import Legality
from plenipo.engine.position import Power
from plenipo.engine.rules import Rules

__all__ = ["LASTING", "find_candidates", "find_leader"]

PEACE, SHORT_PEACE, LASTING = 8, 2, 4
"""The number of movements of a peace, and of one that goes with something else; how many make it a lasting one."""

MOST_SUPPORTS = 3
"""The largest number of supports in each direction that are considered."""

LEADING = (5, 4)
"""A leader has this many times the centres of any other power, or half of those that win."""


def find_candidates(
    legality: Legality,
    power: Power,
    partner: Power,
    plans: Sequence[Sequence[Order]],
    theirs: Sequence[Sequence[Order]],
    held: Sequence[Clause],
    most: int,
) -> tuple[ProposedDeal, ...]:
    """Return up to `most` deals that `power` could offer `partner`, none of them void, without repetitions.

    `plans` and `theirs` are plans of the two, the best first. `held` are the clauses that bind either of them.
    """
    two = power, partner
    gain = [*_supports(legality, power, partner, plans, theirs)]
    give = [*_supports(legality, partner, power, theirs, plans)]
    mine, yours = _list_targets(plans[:1]), _list_targets(theirs[:1])
    peace = _peace(legality, power, partner, SHORT_PEACE)
    kinds: list[Iterator[tuple[Clause, ...]]] = [
        iter([_peace(legality, power, partner, PEACE)]),
        ((OrderClause(power, order), OrderClause(partner, help_), *peace) for order, help_ in gain),
        ((OrderClause(partner, order), OrderClause(power, help_), *peace) for order, help_ in give),
        (
            (
                OrderClause(power, one),
                OrderClause(partner, help_),
                OrderClause(partner, other),
                OrderClause(power, back),
            )
            for (one, help_), (other, back) in zip(gain, give, strict=False)
        ),
        _stand_offs(legality, two, mine & yours),
        _divisions(legality, two, _list_targets(plans), yours),
        _against_leader(legality, power, partner, peace),
    ]
    found: list[ProposedDeal] = []
    for clauses in chain.from_iterable(zip_longest(*kinds)):
        if not clauses:
            continue
        deal = ProposedDeal(*two, clauses)
        if deal not in found and not why_void(legality.rules, legality.position, deal, held):
            found.append(deal)
        if len(found) == most:
            break
    return tuple(found)


def _list_targets(plans: Sequence[Sequence[Order]]) -> frozenset[Code]:
    """Return the spaces to which units move in some plans."""
    return frozenset(order.to.space for plan in plans for order in plan if isinstance(order, Move))


def _domain(legality: Legality, power: Power) -> frozenset[Code]:
    """Return the spaces that a power sees as its own: its centres and homes, and where its units are.

    A space in which a unit of another power stands is none of them, so that the other may be attacked there.
    """
    position, spaces = legality.position, legality.board.spaces
    units = (unit.space for unit in position.units_of(power))
    homes = (code for code in position.homes_of(power) if position.owners.get(code) in (None, power))
    others = {unit.space for unit in position.units if unit.power != power}
    own = {*units, *homes, *position.centres_of(power)}
    return frozenset(code for code in own - others if code in spaces)


def _peace(legality: Legality, power: Power, partner: Power, movements: int) -> tuple[Clause, ...]:
    mine, yours = _domain(legality, power), _domain(legality, partner)
    return KeepOutClause(power, yours - mine, movements), KeepOutClause(partner, mine - yours, movements)


def _supports(
    legality: Legality,
    power: Power,
    helper: Power,
    plans: Sequence[Sequence[Order]],
    others: Sequence[Sequence[Order]],
) -> Iterator[tuple[Order, Order]]:
    """Yield orders of the plans of a power that others may oppose, each with a support that the helper can give.

    Attacks come first, and helpers that have nothing to do.
    """
    position = legality.position
    busy = {order.unit.location.space for order in next(iter(others), ()) if isinstance(order, Move)}
    foes = {unit.space for unit in position.units if unit.power not in (power, helper)}
    near = {
        code
        for unit in position.units
        if unit.power not in (power, helper)
        for code in legality.board.reach(unit.kind, unit.location)
    }
    wanted = dict.fromkeys(order for plan in plans for order in plan if isinstance(order, Move | Hold))
    ranked = sorted(wanted, key=lambda order: not (isinstance(order, Move) and order.to.space in foes))
    helpers = sorted(position.units_of(helper), key=lambda unit: (unit.space in busy, unit.space))

    def pairs() -> Iterator[tuple[Order, Order]]:
        for order in ranked:
            to = order.to if isinstance(order, Move) else None
            if (to.space if to else order.unit.location.space) not in foes | near:
                continue
            for unit in helpers:
                support = legality.check(helper, Support(unit.ref, order.unit, to)).order
                if support is not None:
                    yield order, support
                    break

    return islice(pairs(), MOST_SUPPORTS)


def _stand_offs(legality: Legality, two: tuple[Power, Power], wanted: frozenset[Code]) -> Iterator[tuple[Clause, ...]]:
    """Yield what ends a stand-off in a space that both powers want: one of them keeps out, or both."""
    power, partner = two
    own, other = _domain(legality, power), _domain(legality, partner)
    for code in sorted(wanted):
        here = frozenset([code])
        yield KeepOutClause(partner, here), KeepOutClause(power, other - own - here, SHORT_PEACE)
        yield KeepOutClause(power, here), KeepOutClause(partner, own - other - here, SHORT_PEACE)
        yield KeepOutClause(power, here, SHORT_PEACE), KeepOutClause(partner, here, SHORT_PEACE)


def _divisions(
    legality: Legality, two: tuple[Power, Power], planned: frozenset[Code], others: frozenset[Code]
) -> Iterator[tuple[Clause, ...]]:
    """Yield a division of the centres that both can reach and neither owns: each gets those it plans to enter.

    `planned` are the spaces that the first of the `two` may go to, `others` those that the second wants most.
    """
    power, partner = two
    reach = {
        one: {
            code for unit in legality.position.units_of(one) for code in legality.board.reach(unit.kind, unit.location)
        }
        for one in two
    }
    centres = {
        code
        for code in reach[power] & reach[partner]
        if legality.board.spaces[code].centre and legality.position.owners.get(code) not in (power, partner)
    }
    mine = frozenset(code for code in centres if code in planned and code not in others)
    yours = frozenset(code for code in centres if code in others) or frozenset(centres - mine)
    if mine and yours:
        yield (
            LeaveCentresClause(partner, mine, power, SHORT_PEACE),
            LeaveCentresClause(power, yours, partner, SHORT_PEACE),
        )


def find_leader(rules: Rules, legality: Legality) -> Power | None:
    """Return the power that is about to win: far ahead of every other, or half way to the victory; None if none is."""
    counts = sorted(
        ((len(legality.position.centres_of(power)), power) for power in rules.names), key=lambda one: (-one[0], one[1])
    )
    if len(counts) < 2:
        return None
    (most, leader), (second, _) = counts[:2]
    owned = sum(count for count, _ in counts)
    ahead = most * LEADING[1] >= second * LEADING[0] and most * len(counts) >= 2 * owned
    return leader if ahead else None


def _against_leader(
    legality: Legality, power: Power, partner: Power, peace: tuple[Clause, ...]
) -> Iterator[tuple[Clause, ...]]:
    leader = find_leader(legality.rules, legality)
    if leader is not None and leader not in (power, partner):
        both = AttackClause(power, leader, SHORT_PEACE), AttackClause(partner, leader, SHORT_PEACE)
        yield (*both, *peace)
        yield both

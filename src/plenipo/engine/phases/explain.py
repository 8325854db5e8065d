"""The causes of a movement phase: the reason for each result, with numbers, read from the solved questions.

`plenipo.engine.reasons` makes the sentences of the causes.
"""

from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import NamedTuple

from plenipo.engine.board import Code
from plenipo.engine.orders import Convert, Convoy, Hold, Move, MovementOrder, Support
from plenipo.engine.outcome import Cause, NoEffect, NotCounted, NotCut, Outcome, Reason, Result, Uncounted, Uncut
from plenipo.engine.phases.convoys import fleets_at_sea, landings
from plenipo.engine.phases.movement import ATTACK, DEFEND, HOLD, LAND, NO, NOTHING, PREVENT, YES, MovementSolver
from plenipo.engine.position import Unit
from plenipo.engine.reasons import (
    CONVOY_ILLEGAL,
    DID_HOLD,
    FLEETS_DID,
    LAND_NOT_OPPOSED,
    LAND_NOT_OWN,
    LAND_NOT_VIA,
    NO_ORDER_GIVEN,
    NO_UNIT_STAYED,
    NOT_BY_LAND,
    WAS_DISLODGED,
    WAS_ORDERED,
)
from plenipo.engine.sentences import Sentence, join_sentences

__all__ = ["Written", "outcomes"]


MOST_FLEETS_NAMED = 3
"""The greatest number of fleets whose other orders are named where a convoy did not take place."""


class Written(NamedTuple):
    """The order of a unit as it was given (None if none was), and the reason for its refusal (empty if accepted).

    With a refusal and no order the unit takes no orders. One that is `put_off` is legal, and is not carried out.
    """

    order: MovementOrder | None
    refusal: str = ""
    put_off: bool = False


class _Weights(NamedTuple):
    """The two sides of a move: its attack with its supporters, and the strongest opposition with its supporters."""

    attack: int
    against: int
    helpers: tuple[Unit, ...]
    allies: tuple[Unit, ...]
    reason: Reason
    rival: Unit | None
    scale: int

    def cause(self, reason: Reason, place: Code) -> Cause:
        by = (self.rival,) if self.rival else ()
        met = self.reason if reason is Reason.OVERCAME else None
        return Cause(reason, by, self.attack, self.against, self.helpers, self.allies, place, scale=self.scale, met=met)


def outcomes(solver: MovementSolver, written: Sequence[Written], units: Sequence[Unit]) -> tuple[Outcome, ...]:
    """Return an outcome for every one of `units`, whose movement `solver` has solved.

    `written` are their orders as given.
    """
    explainer = Explainer(solver, written)
    found = [explainer.outcome(i, given) for i, given in enumerate(written)]
    for rest, part in solver.parts.items():
        found[rest] = explainer.of_both(found[rest], explainer.outcome(part, written[rest]), units[rest])
    return tuple(found)


class Explainer:
    """The explanations of all orders, once every question is settled."""

    def __init__(self, solver: MovementSolver, written: Sequence[Written]) -> None:
        self.solver = solver
        self.units = solver.units
        self.written = written
        self.dislodgers = {
            j: a
            for a, j in enumerate(solver.holder)
            if j >= 0 and solver.move[a] == YES and solver.move[j] != YES and a not in solver.joins
        }

    def outcome(self, i: int, written: Written) -> Outcome:
        unit, order = self.units[i], self.solver.orders[i]
        fall: Cause | None = None
        if isinstance(order, Move):
            result, cause = self.move(i, order)
        elif isinstance(order, Support):
            result, cause = self.support(i, order)
        elif isinstance(order, Convoy):
            result, cause = self.convoy(i, order)
        elif isinstance(order, Convert):
            result, cause = self.conversion(i)
        elif written.refusal and written.order is None:
            result, cause = Result.HOLDS, Cause(Reason.SILENCED, detail=written.refusal)
        elif written.refusal:
            reason = Reason.PUT_OFF if written.put_off else Reason.ILLEGAL
            result, cause = Result.VOID, Cause(reason, detail=written.refusal)
        else:
            result, cause = Result.HOLDS, Cause(Reason.NO_ORDER if written.order is None else Reason.HELD)
        given = written.order if written.refusal else order
        if i not in self.dislodgers:
            return Outcome(unit.power, unit, given, result, cause, None)
        fall = self.fall(i, self.dislodgers[i])
        if result is Result.HOLDS:
            cause = fall
        return Outcome(unit.power, unit, given, result, cause, None, fall.by[0], fall=fall)

    # Strengths once everything is settled

    def helpers(self, i: int, without: str | None = None) -> tuple[Unit, ...]:
        solver = self.solver
        if not solver.supporters[i]:
            return ()
        return tuple(
            self.units[j]
            for j in solver.supporters[i]
            if solver.support[j] == YES and solver.power[j] != without and self.adds(j, i)
        )

    def adds(self, j: int, i: int) -> bool:
        """Return whether a support of unit j adds to the strength of unit i; by the rules of a variant it may not."""
        use = HOLD if self.solver.dest[i] is None else ATTACK
        return self.solver.helping[use][j] > 0

    def find_holder(self, i: int) -> int:
        """Return the unit that move i met in its destination and that did not leave it; -1 if there is none."""
        solver = self.solver
        holder = solver.holder[i]
        stays = holder >= 0 and (solver.move[holder] == NO or solver.head_to_head(i) == YES)
        return holder if stays else -1

    def weigh(self, i: int) -> "_Weights":
        """Return the attack of move i and the strongest opposition."""
        solver = self.solver
        holder = self.find_holder(i)
        meets = solver.head_to_head(i) == YES
        whose = solver.power[holder] if holder >= 0 else None
        against, rival, reason = NOTHING, -1, Reason.UNOPPOSED
        alone = False
        if whose == solver.power[i] and holder in self.dislodgers:
            # an own unit cannot be dislodged, but here another unit took its place
            rival = self.dislodgers[holder]
            helpers, attack = self.helpers(i), solver.strength(i, ATTACK)[0]
            against, reason = solver.prevent(rival)[0], Reason.STOOD_OFF
        else:
            helpers, attack = self.helpers(i, whose), solver.attack(i)[0]
            if meets:
                against, rival, reason = solver.strength(holder, DEFEND)[0], holder, Reason.HEAD_TO_HEAD
            elif holder >= 0:
                against, rival, reason = solver.hold(holder)[0], holder, Reason.REPELLED
                alone = solver.dest[holder] is not None  # a unit that failed to move cannot be supported to hold
            if whose == solver.power[i]:
                reason = Reason.HEAD_TO_HEAD if meets else Reason.OWN_UNIT
            else:
                for k in solver.rivals[i]:
                    if (strength := solver.prevent(k)[0]) > against:
                        against, rival, reason, alone = strength, k, Reason.STOOD_OFF, False
                for x in solver.crossers.get(i, ()):
                    if (strength := solver.passage(i, x)[0]) > against:
                        against, rival, reason, alone = strength, x, Reason.CROSSED, False
        allies = () if alone or rival < 0 else self.helpers(rival)
        by = self.units[rival] if rival >= 0 else None
        return _Weights(attack, max(against, 0), helpers, allies, reason, by, solver.scale)

    def fall(self, j: int, a: int) -> Cause:
        """Return the cause of the dislodgement of unit j: its strength against the attack of a."""
        solver = self.solver
        meets = solver.head_to_head(a) == YES
        stood = meets or solver.dest[j] is None
        own = solver.strength(j, DEFEND)[0] if meets else solver.hold(j)[0]
        return Cause(
            Reason.DISLODGED,
            (self.units[a],),
            own,
            solver.attack(a)[0],
            self.helpers(j) if stood else (),
            self.helpers(a, solver.power[j]),
            solver.space[j],
            scale=solver.scale,
            uncounted=tuple(self.list_uncounted(j)) if stood else (),
            met=Reason.HEAD_TO_HEAD if meets else Reason.REPELLED,
        )

    def list_uncounted(self, i: int) -> Iterator[Uncounted]:
        """Yield the supports that were ordered for unit i and are not in its strength."""
        solver = self.solver
        holder = self.find_holder(i)
        for j in solver.supporters[i]:
            if solver.support[j] != YES:
                yield Uncounted(self.units[j], NotCounted.CUT)
            elif holder >= 0 and solver.power[holder] == solver.power[j] != solver.power[i]:
                yield Uncounted(self.units[j], NotCounted.OWN_UNIT, self.units[holder])
            elif not self.adds(j, i):
                yield Uncounted(self.units[j], NotCounted.ADDS_NOTHING)
        for j, why in self.refused_supports.get(i, ()):
            yield Uncounted(self.units[j], why)

    @cached_property
    def refused_supports(self) -> dict[int, list[tuple[int, NotCounted]]]:
        """The supports that were meant for a unit and match no order, by the unit they were meant for."""
        solver = self.solver
        found: dict[int, list[tuple[int, NotCounted]]] = {}
        for j, given in enumerate(self.written):
            order = given.order
            if not isinstance(order, Support) or solver.helps[j] >= 0:
                continue
            i = solver.at.get(order.other.location.space, -1)
            i = i if order.to is None else solver.parts.get(i, i)
            if i < 0 or solver.dest[i] != (order.to.space if order.to else None):
                continue
            why = NotCounted.PUT_OFF if given.put_off else NotCounted.ILLEGAL
            found.setdefault(i, []).append((j, why if given.refusal else NotCounted.NO_MATCH))
        return found

    # The four kinds of order

    def move(self, i: int, order: Move) -> tuple[Result, Cause]:
        solver, place = self.solver, order.to.space
        if i in solver.joins or i in solver.astray:
            return self.join(i, place)
        if i in solver.unopposed:
            helpers = self.helpers(i) if solver.supporters[i] else ()
            attack = solver.strength(i, ATTACK)[0] if helpers else solver.own[ATTACK][i]
            return Result.MOVES, Cause(Reason.UNOPPOSED, (), attack, 0, helpers, (), place, "", solver.scale)
        if solver.path(i) == NO:
            return Result.FAILS, self.no_path(i, order)
        weights = self.weigh(i)
        if solver.move[i] != YES:
            if weights.rival and weights.rival.power == self.units[i].power and weights.attack == NOTHING:
                return Result.FAILS, Cause(weights.reason, (weights.rival,), place=place)
            cause = weights.cause(weights.reason, place)
            return Result.FAILS, cause._replace(uncounted=tuple(self.list_uncounted(i)))
        fleets = self.carrying(i) if solver.by_sea(i) == YES else ()
        if i in solver.circle:
            return Result.MOVES, Cause(Reason.ROTATED, tuple(self.circle(i)), place=place, fleets=fleets)
        reason = Reason.OVERCAME if weights.rival else Reason.UNOPPOSED
        cause = weights.cause(reason, place)
        return Result.MOVES, cause._replace(fleets=fleets, no_effect=self.no_effect(i, weights.attack))

    def no_effect(self, i: int, attack: int) -> NoEffect | None:
        """Return the rival as strong as `attack` that did not stop move i, as it was dislodged from its destination."""
        solver = self.solver
        for k in solver.rivals[i]:
            by = self.dislodgers.get(k, -1)
            beaten = by >= 0 and solver.space[by] == solver.dest[i] and solver.prevent(k)[0] == NOTHING
            if beaten and solver.path(k) == YES and solver.strength(k, PREVENT)[0] >= attack:
                return NoEffect(self.units[k], self.units[by])
        return None

    def circle(self, i: int) -> Iterator[Unit]:
        """Yield the other units of the circular movement of unit i, each followed by the one that it made way for."""
        k = self.solver.holder[i]
        while k != i:
            yield self.units[k]
            k = self.solver.holder[k]

    def join(self, i: int, place: Code) -> tuple[Result, Cause]:
        solver = self.solver
        j = solver.holder[i]
        by = (self.units[j],) if j >= 0 else ()
        if i in solver.joins and solver.move[i] == YES:
            return Result.MOVES, Cause(Reason.JOINED, by, place=place)
        what = WAS_DISLODGED(unit=self.units[j]) if i in solver.joins else NO_UNIT_STAYED()
        return Result.FAILS, Cause(Reason.NO_MATCH, by, place=place, detail=what)

    def of_both(self, rest: Outcome, part: Outcome, unit: Unit) -> Outcome:
        """Return the outcome of `unit`, of which a part was ordered away, from those of the part and of the rest."""
        why = join_sentences(part.why, rest.why) if rest.dislodged_by else part.why
        return part._replace(unit=unit, said=why, dislodged_by=rest.dislodged_by, fall=rest.fall)

    def support(self, j: int, order: Support) -> tuple[Result, Cause]:
        solver = self.solver
        i = solver.at[order.other.location.space]
        if solver.helps[j] < 0:
            return Result.VOID, self.no_match(i)
        if solver.support[j] == YES:
            i = solver.helps[j]
            holder = self.find_holder(i)
            spares = holder >= 0 and solver.power[holder] == solver.power[j]
            spared = (Uncounted(self.units[j], NotCounted.OWN_UNIT, self.units[holder]),) if spares else ()
            if not self.adds(j, i):
                spared = (Uncounted(self.units[j], NotCounted.ADDS_NOTHING),)
            uncut = tuple(self.list_uncut(j)) if solver.space[j] in solver.attackers else ()
            return Result.SUPPORTS, Cause(Reason.GIVEN, (self.units[i],), uncounted=spared, uncut=uncut)
        by = self.dislodgers.get(j, -1)
        if by >= 0 and solver.space[by] == solver.aim[j]:
            return Result.CUT, Cause(Reason.DISLODGED, (self.units[by],))
        cutters = tuple(self.units[a] for a in solver.attackers.get(solver.space[j], ()) if solver.cuts(a, j))
        return Result.CUT, Cause(Reason.ATTACKED, cutters)

    def list_uncut(self, j: int) -> Iterator[Uncut]:
        """Yield the attacks on unit j that did not cut the support it gave."""
        solver, aim = self.solver, self.solver.aim[j]
        for a in solver.attackers[solver.space[j]]:
            attacker = self.units[a]
            if solver.power[a] == solver.power[j]:
                yield Uncut(attacker, NotCut.OWN_POWER)
            elif solver.path(a) != YES:
                yield Uncut(attacker, NotCut.NO_CONVOY)
            elif aim is not None and solver.by_sea(a) == YES and solver.is_spared(j, a):
                yield Uncut(attacker, NotCut.CONVOY_RULE, self.units[solver.at[aim]])
            elif solver.space[a] == aim:
                yield Uncut(attacker, NotCut.AIMED)

    def conversion(self, i: int) -> tuple[Result, Cause]:
        solver = self.solver
        if solver.converts(i):
            return Result.CONVERTS, Cause(Reason.ORDERED)
        if i in self.dislodgers:
            return Result.FAILS, Cause(Reason.DISLODGED, (self.units[self.dislodgers[i]],))
        return Result.FAILS, Cause(Reason.ATTACKED, tuple(self.units[a] for a in solver.disturbing(i)))

    def no_match(self, i: int) -> Cause:
        """Return the cause for which a support or convoy of unit i matches nothing: the unit did something else."""
        order = self.solver.orders[i]
        unit = self.units[i]
        did = DID_HOLD(unit=unit) if order is None else WAS_ORDERED(unit=unit, order=order)
        return Cause(Reason.NO_MATCH, (unit,), detail=did)

    # Convoys

    def chain(self, i: int) -> frozenset[Code]:
        """Return the seas of the fleets that convoyed army i: those on an unbroken chain."""
        solver = self.solver
        dest = solver.dest[i]
        assert dest is not None  # noqa: S101  # only moves are convoyed
        safe = frozenset(sea for sea, k in solver.carriers[i].items() if k not in self.dislodgers)
        return landings(solver.board, safe, solver.space[i]).get(dest, frozenset())

    def carrying(self, i: int) -> tuple[Unit, ...]:
        """Return the fleets that convoyed army i."""
        chain = self.chain(i)
        return tuple(self.units[k] for sea, k in self.solver.carriers[i].items() if sea in chain)

    def no_path(self, i: int, order: Move) -> Cause:
        """Return the cause for which army i could not leave."""
        solver, place = self.solver, order.to.space
        if not solver.carriers[i]:
            walks = place in solver.board.reach(self.units[i].kind, self.units[i].location)
            if walks:
                return Cause(Reason.NO_CONVOY, place=place, detail=NOT_BY_LAND())
            return self.no_chain(i, ())._replace(place=place)
        return self.no_route(i)._replace(place=place)

    def no_chain(self, i: int, by: tuple[Unit, ...]) -> Cause:
        """Explain why no chain of fleets convoyed army i: the orders of the fleets that could have done so."""
        solver, dest = self.solver, self.solver.dest[i]
        seas = fleets_at_sea(solver.board, self.units, self.units[i].kind)
        needed = landings(solver.board, seas, solver.space[i]).get(dest, frozenset()) if dest else frozenset()
        said: dict[Unit, Sentence] = {}
        for fleet in sorted(solver.at[sea] for sea in needed):
            (order, refusal, _), unit = self.written[fleet], self.units[fleet]
            fits = isinstance(order, Convoy) and (order.other.location.space, order.to.space) == (solver.space[i], dest)
            if order is None:
                said[unit] = NO_ORDER_GIVEN(unit=unit)
            elif refusal:
                said[unit] = CONVOY_ILLEGAL(unit=unit, order=order)
            elif isinstance(order, Hold):
                said[unit] = DID_HOLD(unit=unit)
            elif not fits:
                said[unit] = WAS_ORDERED(unit=unit, order=order)
        if not 0 < len(said) <= MOST_FLEETS_NAMED:
            return Cause(Reason.NO_CONVOY, by)
        return Cause(Reason.NO_CONVOY, by, detail=FLEETS_DID(fleets=tuple(said.values())), fleets=tuple(said))

    def no_route(self, i: int) -> Cause:
        """Return the cause for which the fleets that were ordered to convoy army i, and could have, did not."""
        solver = self.solver
        if i in solver.paradox:
            return Cause(Reason.PARADOX, fleets=tuple(self.units[k] for k in solver.carriers[i].values()))
        lost = [k for k in solver.carriers[i].values() if k in self.dislodgers]
        by = tuple(self.units[self.dislodgers[k]] for k in lost)
        return Cause(Reason.CONVOY_BROKEN, by, fleets=tuple(self.units[k] for k in lost))

    def convoy(self, k: int, order: Convoy) -> tuple[Result, Cause]:
        solver, sea = self.solver, self.solver.space[k]
        i = solver.at[order.other.location.space]
        if solver.dest[i] != order.to.space:
            return Result.VOID, self.no_match(i)
        by_land = self.by_land(i) if solver.mode[i] == LAND else ""
        if k in self.dislodgers:
            return Result.DISRUPTED, Cause(Reason.DISLODGED, (self.units[self.dislodgers[k]],), detail=by_land)
        army = (self.units[i],)
        if by_land:
            return Result.VOID, Cause(Reason.NO_MATCH, army, detail=by_land)
        if sea not in solver.carriers[i]:
            return Result.CONVOYS, self.no_chain(i, army)
        if solver.route[i] == YES and sea in self.chain(i):
            return Result.CONVOYS, Cause(Reason.GIVEN, army, met=self.what_kept_out(i))
        return Result.CONVOYS, self.no_route(i)

    def by_land(self, i: int) -> Sentence | str:
        """Return the rule by which army i was not convoyed though fleets were ordered to (policy 4.A.3).

        It is empty where they made no complete chain.
        """
        policy, unit = self.solver.adjacent_rule, self.units[i]
        order = self.solver.orders[i]
        if policy == "1971":
            return LAND_NOT_OPPOSED(unit=unit) if self.solver.carriers[i] else ""
        if isinstance(order, Move) and order.via:
            return ""
        return LAND_NOT_VIA(unit=unit) if policy == "explicit" else LAND_NOT_OWN(unit=unit)

    def what_kept_out(self, i: int) -> Reason | None:
        """Return the opposition that army i met where it was convoyed to; None if it landed."""
        if self.solver.move[i] == YES:
            return None
        order = self.solver.orders[i]
        assert isinstance(order, Move)  # noqa: S101  # only moves are convoyed
        return self.move(i, order)[1].reason

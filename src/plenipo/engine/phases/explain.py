"""Why each order of a movement phase came out as it did: a cause with numbers, and the sentence made from it."""

from collections.abc import Sequence
from typing import NamedTuple

from plenipo.engine.board import Code
from plenipo.engine.orders import Convert, Convoy, Move, MovementOrder, Support
from plenipo.engine.outcome import Cause, Outcome, Reason, Result
from plenipo.engine.phases.movement import ATTACK, DEFEND, LAND, NO, NOTHING, YES, MovementSolver
from plenipo.engine.position import Unit
from plenipo.engine.strengths import shown
from plenipo.engine.wording import listing

__all__ = ["outcomes"]

_ENDINGS = {
    Reason.HEAD_TO_HEAD: ", which came the opposite way",
    Reason.STOOD_OFF: ", which was ordered there too",
    Reason.CROSSED: ", whose way crosses this one",
}


class _Weights(NamedTuple):
    """The two sides of a move: its attack with its helpers, and the strongest thing against it with its allies."""

    attack: int
    against: int
    helpers: tuple[Unit, ...]
    allies: tuple[Unit, ...]
    reason: Reason
    rival: Unit | None
    scale: int

    def cause(self, reason: Reason, place: Code) -> Cause:
        by = (self.rival,) if self.rival else ()
        return Cause(reason, by, self.attack, self.against, self.helpers, self.allies, place, "", self.scale)

    @property
    def opposition(self) -> str:
        whose = f" of {self.rival} of {self.rival.power}" if self.rival else ""
        return f"{shown(self.against, self.scale)}{_with(self.allies)}{whose}"

    @property
    def effort(self) -> str:
        """`attack 2 (with A RUH)`."""
        return f"attack {shown(self.attack, self.scale)}{_with(self.helpers)}"

    @property
    def sums(self) -> str:
        """`attack 2 (with A RUH) against hold 2 (with A PAR)`."""
        hold = "hold " if self.reason in (Reason.REPELLED, Reason.OWN_UNIT) else ""
        return f"{self.effort} against {hold}{shown(self.against, self.scale)}{_with(self.allies)}"


def outcomes(
    solver: MovementSolver, written: Sequence[tuple[MovementOrder | None, str]], units: Sequence[Unit]
) -> tuple[Outcome, ...]:
    """An outcome for every one of `units`, whose movement `solver` has settled.

    `written[i]` is the order of unit i as it was given (None if none was) and why it was illegal (empty if it was not);
    with a reason and no order the unit takes none.
    """
    explainer = Explainer(solver)
    found = [explainer.outcome(i, order, refusal) for i, (order, refusal) in enumerate(written)]
    for rest, part in solver.parts.items():
        found[rest] = explainer.of_both(found[rest], explainer.outcome(part, *written[rest]), units[rest])
    return tuple(found)


class Explainer:
    """Says what came of each order, once every question is settled."""

    def __init__(self, solver: MovementSolver) -> None:
        self.solver = solver
        self.units = solver.units
        self.names = list(map(str, solver.units))
        self.dislodgers = {
            j: a
            for a, j in enumerate(solver.holder)
            if j >= 0 and solver.move[a] == YES and solver.move[j] != YES and a not in solver.joins
        }

    def outcome(self, i: int, written: MovementOrder | None, refusal: str) -> Outcome:
        unit, name, order = self.units[i], self.names[i], self.solver.orders[i]
        by: Unit | None = None
        if isinstance(order, Move):
            result, cause, why = self.move(i, order)
        elif isinstance(order, Support):
            result, cause, why = self.support(i, order)
        elif isinstance(order, Convoy):
            result, cause, why = self.convoy(i, order)
        elif isinstance(order, Convert):
            result, cause, why = self.conversion(i, order)
        elif refusal and written is None:
            result, cause, why = Result.HOLDS, Cause(Reason.SILENCED, detail=refusal), refusal
        elif refusal:
            result, cause = Result.VOID, Cause(Reason.ILLEGAL, detail=refusal)
            why = f"{name} held, for its order '{written}' was illegal: {refusal}"
        elif written is None:
            result, cause, why = Result.HOLDS, Cause(Reason.NO_ORDER), f"{name} held: it had no order."
        else:
            result, cause, why = Result.HOLDS, Cause(Reason.HELD), f"{name} held."
        if i in self.dislodgers:
            by = self.units[self.dislodgers[i]]
            fall = self.weigh(self.dislodgers[i])
            end = f"{name} was dislodged by {by} of {by.power}: {fall.sums}."
            if result is Result.HOLDS:
                numbers = (fall.against, fall.attack, fall.allies, fall.helpers)
                cause = Cause(Reason.DISLODGED, (by,), *numbers, unit.space, "", fall.scale)
                why = end
            else:
                why = f"{why} {end}"
        return Outcome(unit.power, unit, written if refusal else order, result, cause, why, by)

    # Strengths once everything is settled

    def helpers(self, i: int, without: str | None = None) -> tuple[Unit, ...]:
        solver = self.solver
        if not solver.supporters[i]:
            return ()
        return tuple(
            self.units[j] for j in solver.supporters[i] if solver.support[j] == YES and solver.power[j] != without
        )

    def weigh(self, i: int) -> "_Weights":
        """The attack of move i and the strongest thing against it."""
        solver = self.solver
        holder, opponent = solver.holder[i], solver.opponent[i]
        meets = solver.head_to_head(i) == YES
        stays = holder >= 0 and (meets or solver.move[holder] == NO)
        against, rival, reason = NOTHING, -1, Reason.UNOPPOSED
        if meets:
            against, rival, reason = solver.strength(opponent, DEFEND)[0], opponent, Reason.HEAD_TO_HEAD
        elif stays:
            against, rival, reason = solver.hold(holder)[0], holder, Reason.REPELLED
        alone = reason is Reason.REPELLED and solver.dest[holder] is not None  # nobody supports a move in place
        if stays and solver.power[holder] == solver.power[i]:
            reason = Reason.OWN_UNIT
        else:
            for k in solver.rivals[i]:
                if (strength := solver.prevent(k)[0]) > against:
                    against, rival, reason, alone = strength, k, Reason.STOOD_OFF, False
            for x in solver.crossers.get(i, ()):
                if (strength := solver.passage(i, x)[0]) > against:
                    against, rival, reason, alone = strength, x, Reason.CROSSED, False
        helpers = self.helpers(i, solver.power[holder] if stays else None)
        allies = () if alone or rival < 0 else self.helpers(rival)
        by = self.units[rival] if rival >= 0 else None
        return _Weights(max(solver.attack(i)[0], 0), max(against, 0), helpers, allies, reason, by, solver.scale)

    # The four kinds of order

    def move(self, i: int, order: Move) -> tuple[Result, Cause, str]:
        solver, unit, place = self.solver, self.names[i], order.to.space
        if i in solver.joins or i in solver.astray:
            return self.join(i, place)
        if i in solver.unopposed:
            helpers = self.helpers(i) if solver.supporters[i] else ()
            attack = solver.strength(i, ATTACK)[0] if helpers else solver.own[ATTACK][i]
            cause = Cause(Reason.UNOPPOSED, (), attack, 0, helpers, (), place, "", solver.scale)
            return Result.MOVES, cause, f"{unit} moved to {order.to} unopposed."
        result = Result.MOVES if solver.move[i] == YES else Result.FAILS
        if solver.path(i) == NO:
            cause, why = self.no_path(i, place)
            return result, cause, why
        weights = self.weigh(i)
        sea = " by convoy" if solver.by_sea(i) == YES else ""
        if result is Result.MOVES:
            done = f"{unit} moved to {order.to}{sea}"
            if i in solver.circle:
                return result, weights.cause(Reason.ROTATED, place), f"{done}: the units of a circle all moved on."
            if not weights.rival:
                return result, weights.cause(Reason.UNOPPOSED, place), f"{done} unopposed."
            if weights.reason is Reason.REPELLED:
                return result, weights.cause(Reason.OVERCAME, place), f"{done}: {weights.sums}."
            ending = _ENDINGS[Reason.CROSSED] if weights.reason is Reason.CROSSED else ""
            why = f"{done}: {weights.effort} against {weights.opposition}{ending}."
            return result, weights.cause(Reason.OVERCAME, place), why
        cause = weights.cause(weights.reason, place)
        head = f"{unit} did not enter {place}:"
        if weights.reason is Reason.OWN_UNIT:
            return result, cause, f"{head} {weights.rival} of its own power stayed there."
        if weights.reason is Reason.REPELLED:
            return result, cause, f"{head} {weights.sums}."
        ending = _ENDINGS.get(weights.reason, "")
        return result, cause, f"{head} {weights.effort} against {weights.opposition}{ending}."

    def join(self, i: int, place: Code) -> tuple[Result, Cause, str]:
        solver, unit = self.solver, self.names[i]
        j = solver.holder[i]
        by = (self.units[j],) if j >= 0 else ()
        if i in solver.joins and solver.move[i] == YES:
            return Result.MOVES, Cause(Reason.JOINED, by, place=place), f"{unit} joined {self.names[j]} in {place}."
        what = f"{self.names[j]} was dislodged" if i in solver.joins else "no unit that it could join stayed there"
        return Result.FAILS, Cause(Reason.NO_MATCH, by, place=place, detail=what), f"{unit} stayed: {what}."

    def of_both(self, rest: Outcome, part: Outcome, unit: Unit) -> Outcome:
        """The outcome of `unit`, of which a part was ordered away, from those of the part and of the rest."""
        why = f"{part.why} {rest.why}" if rest.dislodged_by else part.why
        return part._replace(unit=unit, why=why, dislodged_by=rest.dislodged_by)

    def no_path(self, i: int, place: Code) -> tuple[Cause, str]:
        solver, unit = self.solver, self.names[i]
        head = f"{unit} did not enter {place}:"
        if not solver.carriers[i]:
            return Cause(Reason.NO_CONVOY, place=place), f"{head} no complete chain of fleets was ordered to convoy it."
        if i in solver.paradox:
            fleets = tuple(self.units[k] for k in solver.carriers[i].values())
            why = f"{head} its convoy by {listing(fleets)} depended on its own success, so it was not carried out."
            return Cause(Reason.PARADOX, fleets, place=place), why
        lost = [k for k in solver.carriers[i].values() if k in self.dislodgers]
        how = " and ".join(f"{self.whose(self.dislodgers[k])} dislodged {self.names[k]}" for k in lost)
        fleets = tuple(self.units[k] for k in lost)
        return Cause(Reason.CONVOY_BROKEN, fleets, place=place), f"{head} the convoy was broken, for {how}."

    def support(self, j: int, order: Support) -> tuple[Result, Cause, str]:
        solver, unit = self.solver, self.names[j]
        i = solver.at[order.other.location.space]
        what = f"{self.names[i]} to {order.to}" if order.to else f"{self.names[i]} in place"
        if solver.helps[j] < 0:
            cause = self.no_match(i)
            return Result.VOID, cause, f"{unit} supported {what}, which counted for nothing: {cause.detail}."
        if solver.support[j] == YES:
            return Result.SUPPORTS, Cause(Reason.GIVEN, (self.units[i],)), f"{unit} supported {what}."
        by = self.dislodgers.get(j, -1)
        if by >= 0 and solver.space[by] == solver.aim[j]:
            cause = Cause(Reason.DISLODGED, (self.units[by],))
            return Result.CUT, cause, f"The support of {unit} for {what} was cut by its own dislodgement."
        cutters = tuple(self.units[a] for a in solver.attackers.get(solver.space[j], ()) if self.cuts(a, j))
        cause = Cause(Reason.ATTACKED, cutters)
        return Result.CUT, cause, f"The support of {unit} for {what} was cut by the attack of {listing(cutters)}."

    def cuts(self, a: int, j: int) -> bool:
        """Whether the attack of a is among those that cut the support of j."""
        solver = self.solver
        if solver.power[a] == solver.power[j] or solver.path(a) != YES:
            return False
        return solver.space[a] != solver.aim[j] or solver.by_sea(a) == YES or self.dislodgers.get(j) == a

    def convoy(self, k: int, order: Convoy) -> tuple[Result, Cause, str]:
        solver, unit = self.solver, self.names[k]
        i = solver.at[order.other.location.space]
        what = f"{self.names[i]} to {order.to}"
        if solver.dest[i] == order.to.space and k in self.dislodgers:
            by = self.units[self.dislodgers[k]]
            return Result.DISRUPTED, Cause(Reason.DISLODGED, (by,)), f"{unit} did not convoy {what}."
        if solver.dest[i] == order.to.space and solver.mode[i] != LAND:
            return Result.CONVOYS, Cause(Reason.GIVEN, (self.units[i],)), f"{unit} convoyed {what}."
        cause = self.no_match(i, "went by land" if solver.dest[i] == order.to.space else "")
        return Result.VOID, cause, f"{unit} was to convoy {what}, which counted for nothing: {cause.detail}."

    def conversion(self, i: int, order: Convert) -> tuple[Result, Cause, str]:
        solver, what = self.solver, f"{self.names[i]} did not turn into {order.into}"
        if solver.converts(i):
            return Result.CONVERTS, Cause(Reason.ORDERED), f"{self.names[i]} turned into {order.into}."
        if i in self.dislodgers:
            return Result.FAILS, Cause(Reason.DISLODGED, (self.units[self.dislodgers[i]],)), f"{what}."
        by = tuple(self.units[a] for a in solver.disturbing(i))
        return Result.FAILS, Cause(Reason.ATTACKED, by), f"{what}, for it was attacked by {listing(by)}."

    def no_match(self, i: int, instead: str = "") -> Cause:
        """Why a support or convoy of unit i counts for nothing: it did something else, or what its order says."""
        order = self.solver.orders[i]
        did = instead or ("held" if order is None else f"was ordered '{order}'")
        return Cause(Reason.NO_MATCH, (self.units[i],), detail=f"{self.names[i]} {did}")

    def whose(self, i: int) -> str:
        return f"{self.names[i]} of {self.solver.power[i]}"


def _with(helpers: Sequence[Unit]) -> str:
    return f" (with {listing(helpers)})" if helpers else ""

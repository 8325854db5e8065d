"""Why each order of a movement phase came out as it did: a cause with numbers, and the sentence made from it."""

from collections.abc import Sequence
from typing import NamedTuple

from plenipo.engine.board import Code
from plenipo.engine.orders import Convoy, Move, MovementOrder, Support
from plenipo.engine.outcome import Cause, Outcome, Reason, Result
from plenipo.engine.phases.movement import ATTACK, DEFEND, LAND, NO, YES, MovementSolver
from plenipo.engine.position import Unit
from plenipo.engine.strengths import shown

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
    by: tuple[Unit, ...]
    scale: int = 1

    def facing(self, strength: int, allies: tuple[Unit, ...], reason: Reason, unit: Unit) -> "_Weights":
        return self._replace(against=strength, allies=allies, reason=reason, by=(unit,))

    def cause(self, reason: Reason, place: Code) -> Cause:
        return Cause(reason, self.by, self.attack, self.against, self.helpers, self.allies, place, "", self.scale)

    @property
    def opposition(self) -> str:
        return f"{shown(self.against, self.scale)}{_with(self.allies)} of {_named(self.by)}"

    @property
    def effort(self) -> str:
        """`attack 2 (with A RUH)`."""
        return f"attack {shown(self.attack, self.scale)}{_with(self.helpers)}"

    @property
    def sums(self) -> str:
        """`attack 2 (with A RUH) against hold 2 (with A PAR)`."""
        hold = "hold " if self.reason in (Reason.REPELLED, Reason.OWN_UNIT) else ""
        return f"{self.effort} against {hold}{shown(self.against, self.scale)}{_with(self.allies)}"


def outcomes(battle: MovementSolver, written: Sequence[tuple[MovementOrder | None, str]]) -> tuple[Outcome, ...]:
    """An outcome for every unit of a settled `battle`.

    `written[i]` is the order of unit i as it was given (None if none was) and why it was illegal (empty if it was not);
    with a reason and no order the unit takes none.
    """
    teller = Explainer(battle)
    return tuple(teller.outcome(i, order, refusal) for i, (order, refusal) in enumerate(written))


class Explainer:
    def __init__(self, battle: MovementSolver) -> None:
        self.battle = battle
        self.units = battle.units
        self.names = [str(unit) for unit in battle.units]

    def dislodger(self, i: int) -> Unit | None:
        battle = self.battle
        if battle.move[i] == YES:
            return None
        for a in battle.attackers.get(battle.space[i], ()):
            if battle.move[a] == YES:
                return self.units[a]
        return None

    def outcome(self, i: int, written: MovementOrder | None, refusal: str) -> Outcome:
        unit, name, order = self.units[i], self.names[i], self.battle.orders[i]
        by = self.dislodger(i)
        if refusal and written is None:
            result, cause, why = Result.HOLDS, Cause(Reason.SILENCED, detail=refusal), refusal
        elif refusal:
            result, cause = Result.VOID, Cause(Reason.ILLEGAL, detail=refusal)
            why = f"{name} held, for its order '{written}' was illegal: {refusal}"
        elif written is None:
            result, cause, why = Result.HOLDS, Cause(Reason.NO_ORDER), f"{name} held: it had no order."
        elif isinstance(order, Move):
            result, cause, why = self.move(i, order)
        elif isinstance(order, Support):
            result, cause, why = self.support(i, order)
        elif isinstance(order, Convoy):
            result, cause, why = self.convoy(i, order, by)
        else:
            result, cause, why = Result.HOLDS, Cause(Reason.HELD), f"{name} held."
        if by is not None:
            fall = self.weigh(self.battle.at[by.space])
            told = f"{unit} was dislodged by {by} of {by.power}: {fall.sums}."
            if result is Result.HOLDS:
                numbers = (fall.against, fall.attack, fall.allies, fall.helpers)
                cause = Cause(Reason.DISLODGED, (by,), *numbers, unit.space, "", fall.scale)
                why = told
            else:
                why = f"{why} {told}"
        return Outcome(unit.power, unit, written if refusal else order, result, cause, why, by)

    # Strengths once everything is settled

    def helpers(self, i: int, without: str | None = None) -> tuple[Unit, ...]:
        battle = self.battle
        return tuple(
            self.units[j] for j in battle.supporters[i] if battle.support[j] == YES and battle.power[j] != without
        )

    def weigh(self, i: int) -> "_Weights":
        """The attack of move i and the strongest thing against it."""
        battle = self.battle
        dest = battle.dest[i]
        assert dest is not None  # noqa: S101  # only moves are weighed
        holder = battle.at.get(dest, -1)
        opponent = battle.opponent(i)
        meets = opponent >= 0 and battle.head_to_head(i, opponent) == YES
        stays = holder >= 0 and (meets or battle.move[holder] == NO)
        helpers = self.helpers(i, battle.power[holder] if stays else None)
        best = _Weights(battle.attack(i)[0], 0, helpers, (), Reason.UNOPPOSED, (), battle.scale)
        if meets:
            strength = battle.strength(opponent, DEFEND)[0]
            best = best.facing(strength, self.helpers(opponent), Reason.HEAD_TO_HEAD, self.units[opponent])
        elif stays:
            allies = self.helpers(holder) if battle.dest[holder] is None else ()
            best = best.facing(battle.hold(dest)[0], allies, Reason.REPELLED, self.units[holder])
        if stays and battle.power[holder] == battle.power[i]:
            return best._replace(reason=Reason.OWN_UNIT)
        for k in battle.attackers[dest]:
            strength = battle.prevent(k)[0]
            if k != i and strength > best.against:
                best = best.facing(strength, self.helpers(k), Reason.STOOD_OFF, self.units[k])
        for x in battle.crossers.get(i, ()):
            strength = battle.passage(i, x)[0]
            if strength > best.against:
                best = best.facing(strength, self.helpers(x), Reason.CROSSED, self.units[x])
        return best

    # The four kinds of order

    def move(self, i: int, order: Move) -> tuple[Result, Cause, str]:
        battle, unit, place = self.battle, self.names[i], order.to.space
        if battle.unopposed(i):
            attack, helpers = battle.strength(i, ATTACK)[0], self.helpers(i)
            cause = Cause(Reason.UNOPPOSED, (), attack, 0, helpers, (), place, "", battle.scale)
            return Result.MOVES, cause, f"{unit} moved to {order.to} unopposed."
        result = Result.MOVES if battle.move[i] == YES else Result.FAILS
        if battle.path(i) == NO:
            cause, why = self.no_path(i, place)
            return result, cause, why
        weights = self.weigh(i)
        sea = " by convoy" if battle.by_sea(i) == YES else ""
        if result is Result.MOVES:
            done = f"{unit} moved to {order.to}{sea}"
            if i in battle.circle:
                return result, weights.cause(Reason.ROTATED, place), f"{done}: the units of a circle all moved on."
            if not weights.by:
                return result, weights.cause(Reason.UNOPPOSED, place), f"{done} unopposed."
            if weights.reason is Reason.REPELLED:
                return result, weights.cause(Reason.OVERCAME, place), f"{done}: {weights.sums}."
            ending = _ENDINGS[Reason.CROSSED] if weights.reason is Reason.CROSSED else ""
            why = f"{done}: {weights.effort} against {weights.opposition}{ending}."
            return result, weights.cause(Reason.OVERCAME, place), why
        cause = weights.cause(weights.reason, place)
        head = f"{unit} did not enter {place}:"
        if weights.reason is Reason.OWN_UNIT:
            return result, cause, f"{head} {weights.by[0]} of its own power stayed there."
        ending = _ENDINGS.get(weights.reason, "")
        if weights.reason is Reason.REPELLED:
            return result, cause, f"{head} {weights.sums}."
        return result, cause, f"{head} {weights.effort} against {weights.opposition}{ending}."

    def no_path(self, i: int, place: Code) -> tuple[Cause, str]:
        battle, unit = self.battle, self.names[i]
        head = f"{unit} did not enter {place}:"
        if not battle.carriers[i]:
            return Cause(Reason.NO_CONVOY, place=place), f"{head} no complete chain of fleets was ordered to convoy it."
        if i in battle.paradox:
            fleets = tuple(self.units[k] for k in battle.carriers[i].values())
            why = f"{head} its convoy by {_list(fleets)} depended on its own success, so it was not carried out."
            return Cause(Reason.PARADOX, fleets, place=place), why
        sunk = [(self.units[k], self.dislodger(k)) for k in battle.carriers[i].values()]
        lost = [(fleet, by) for fleet, by in sunk if by is not None]
        told = " and ".join(f"{by} of {by.power} dislodged {fleet}" for fleet, by in lost)
        fallen = tuple(fleet for fleet, _ in lost)
        return Cause(Reason.CONVOY_BROKEN, fallen, place=place), f"{head} the convoy was broken, for {told}."

    def support(self, j: int, order: Support) -> tuple[Result, Cause, str]:
        battle, unit = self.battle, self.names[j]
        what = f"{order.other} to {order.to}" if order.to else f"{order.other} in place"
        i = battle.helps[j]
        if i < 0:
            other = self.units[battle.at[order.other.location.space]]
            did = battle.orders[battle.at[other.space]]
            detail = f"{other} was ordered '{did}'" if did is not None else f"{other} held"
            cause = Cause(Reason.NO_MATCH, (other,), detail=detail)
            return Result.VOID, cause, f"{unit} supported {what}, which counted for nothing: {detail}."
        if battle.support[j] == YES:
            return Result.SUPPORTS, Cause(Reason.GIVEN, (self.units[i],)), f"{unit} supported {what}."
        by = self.dislodger(j)
        if by is not None and battle.space[battle.at[by.space]] == battle.aim[j]:
            cause = Cause(Reason.DISLODGED, (by,))
            return Result.CUT, cause, f"The support of {unit} for {what} was cut by its own dislodgement."
        cutters = self.cutters(j)
        cause = Cause(Reason.ATTACKED, cutters)
        return Result.CUT, cause, f"The support of {unit} for {what} was cut by the attack of {_list(cutters)}."

    def cutters(self, j: int) -> tuple[Unit, ...]:
        battle = self.battle
        dislodger = self.dislodger(j)
        return tuple(
            self.units[a]
            for a in battle.attackers.get(battle.space[j], ())
            if battle.power[a] != battle.power[j]
            and battle.path(a) == YES
            and (battle.space[a] != battle.aim[j] or battle.by_sea(a) == YES or self.units[a] == dislodger)
        )

    def convoy(self, k: int, order: Convoy, by: Unit | None) -> tuple[Result, Cause, str]:
        battle, unit = self.battle, self.names[k]
        what = f"{order.other} to {order.to}"
        i = battle.at[order.other.location.space]
        army = self.units[i]
        if battle.dest[i] != order.to.space:
            did = battle.orders[i]
            detail = f"{army} was ordered '{did}'" if did is not None else f"{army} held"
            cause = Cause(Reason.NO_MATCH, (army,), detail=detail)
            return Result.VOID, cause, f"{unit} was to convoy {what}, which counted for nothing: {detail}."
        if by is not None:
            return Result.DISRUPTED, Cause(Reason.DISLODGED, (by,)), f"{unit} did not convoy {what}."
        if battle.mode[i] == LAND:
            detail = f"{army} went by land"
            cause = Cause(Reason.NO_MATCH, (army,), detail=detail)
            return Result.VOID, cause, f"{unit} was to convoy {what}, which counted for nothing: {detail}."
        return Result.CONVOYS, Cause(Reason.GIVEN, (army,)), f"{unit} convoyed {what}."


def _list(units: Sequence[Unit]) -> str:
    names = [str(unit) for unit in units]
    return " and ".join([", ".join(names[:-1]), names[-1]] if len(names) > 1 else names)


def _named(units: Sequence[Unit]) -> str:
    return " and ".join(f"{unit} of {unit.power}" for unit in units)


def _with(helpers: Sequence[Unit]) -> str:
    return f" (with {_list(helpers)})" if helpers else ""

"""The results of orders, and their causes: data first, then one English sentence made from the data.

The words of `Result` are those of the worked cases (`moves`, `fails`, `holds`, `supports`, `cut`, `convoys`,
`disrupted`, `void`, and for the other phases `retreats`, `disbanded`, `builds`, `removed`, `waived`).
"""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import NamedTuple

from plenipo.engine.board import Code, Location
from plenipo.engine.dice import Draw
from plenipo.engine.display import table_html
from plenipo.engine.events import Event, Refusal
from plenipo.engine.immutable import EMPTY, Brief, name_text, shorten
from plenipo.engine.orders import Order
from plenipo.engine.position import Position, Power, Unit

__all__ = [
    "Cause",
    "MovementResult",
    "NoEffect",
    "NotCounted",
    "NotCut",
    "Outcome",
    "Reason",
    "Resolution",
    "Result",
    "Uncounted",
    "Uncut",
    "Waiting",
]


class Result(StrEnum):
    """The result of one order, as a word."""

    MOVES = "moves"
    FAILS = "fails"
    HOLDS = "holds"
    SUPPORTS = "supports"
    CUT = "cut"
    CONVOYS = "convoys"
    DISRUPTED = "disrupted"
    VOID = "void"
    """Illegal, or a support or convoy that matches no order; the unit held."""
    CONVERTS = "converts"
    RETREATS = "retreats"
    DISBANDED = "disbanded"
    BUILDS = "builds"
    REMOVED = "removed"
    WAIVED = "waived"
    CHOSEN = "chosen"
    PAID = "paid"
    """A promise whose points were paid."""
    UNPAID = "unpaid"
    REFERRED = "referred"
    """A promise that the game master has to decide."""

    @property
    def succeeded(self) -> bool:
        """True if the order succeeded."""
        return self not in _FAILED


_FAILED = frozenset(
    {
        Result.FAILS,
        Result.CUT,
        Result.DISRUPTED,
        Result.VOID,
        Result.DISBANDED,
        Result.UNPAID,
        Result.REFERRED,
    }
)


class Reason(StrEnum):
    """The rule that decided, as a stable word for programs."""

    UNOPPOSED = "unopposed"
    """Nothing stood in the way of the move."""
    OVERCAME = "overcame"
    """The attack was stronger than everything against it."""
    JOINED = "joined"
    """The unit combined with another of its power in the space."""
    ROTATED = "rotated"
    """Two units changed places by convoy, or the units of a circle all moved on (DATC 6.C, 6.G)."""
    REPELLED = "repelled"
    """The unit in the destination was as strong or stronger."""
    STOOD_OFF = "stood off"
    """Another move to the same space was as strong or stronger."""
    HEAD_TO_HEAD = "head to head"
    """The unit coming the opposite way was as strong or stronger, or of the same power."""
    CROSSED = "crossed"
    """A move along a contact that crosses this one was as strong or stronger."""
    OWN_UNIT = "own unit"
    """A unit of the same power held the destination (rulebook: no self-dislodgement)."""
    NO_CONVOY = "no convoy"
    """No complete chain of fleets was ordered to convoy the army, or the fleet was part of none."""
    CONVOY_BROKEN = "convoy broken"
    """A convoying fleet was dislodged, and no other route was left; of a fleet: none that it was part of."""
    PARADOX = "paradox"
    """The convoy depended on its own success (policy 4.A.2)."""
    HELD = "held"
    DISLODGED = "dislodged"
    GIVEN = "given"
    """The support or convoy was given."""
    ATTACKED = "attacked"
    """The support was cut by an attack."""
    NO_MATCH = "no match"
    """The supported or convoyed unit was not ordered to do that."""
    ILLEGAL = "illegal"
    """The order is not allowed here; the detail says why."""
    NO_ORDER = "no order"
    SILENCED = "silenced"
    """The unit takes no orders; the detail says why."""
    COLLIDED = "collided"
    """Two units retreated to one space (rulebook: both disbanded), or two powers built in one (neither does)."""
    ORDERED = "ordered"
    KEPT = "kept"
    """The condition of a promise was met."""
    BROKEN = "broken"
    """The condition of a promise was not met."""
    NO_POINTS = "no points"
    """The power did not have the points that it promised."""
    NOT_UNDERSTOOD = "not understood"
    """The program cannot decide the promise."""
    CIVIL_DISORDER = "civil disorder"
    """No removal was ordered; the rule of policy 4.D.8 chose."""
    PUT_OFF = "put off"
    """The order is legal and was not carried out; the detail says why."""


class NotCounted(StrEnum):
    """The reason for which a support was not counted."""

    CUT = "cut"
    OWN_UNIT = "own unit"
    """It would help to dislodge a unit of the supporter's own power."""
    ILLEGAL = "illegal"
    PUT_OFF = "put off"
    NO_MATCH = "no match"
    """It names another coast than the move."""
    ADDS_NOTHING = "adds nothing"
    """By the rules of the variant it adds no strength here: across a river, or by its type of unit."""


class Uncounted(NamedTuple):
    """A support that was not counted: the supporter, the reason, and the own unit that it did not count against.

    A support is given without counting where it would help to dislodge that unit; against others it counts.
    """

    unit: Unit
    why: NotCounted
    against: Unit | None = None


class NotCut(StrEnum):
    """The reason for which an attack on a supporter did not cut its support."""

    AIMED = "aimed"
    """It came from the space that the support was directed at (rulebook), and did not dislodge the supporter."""
    OWN_POWER = "own power"
    NO_CONVOY = "no convoy"
    """It was to come by convoy, and no convoy carried it."""
    CONVOY_RULE = "convoy rule"
    """It came by convoy, and the support was for or against a convoying fleet (policy 4.A.2)."""


class Uncut(NamedTuple):
    """An attack that did not cut a support: the attacker, the reason, and the fleet that the policy 4.A.2 protects."""

    unit: Unit
    why: NotCut
    fleet: Unit | None = None


class NoEffect(NamedTuple):
    """A rival whose move stood off no unit, because the unit `by` came from where the rival went and dislodged it."""

    rival: Unit
    by: Unit


class Cause(NamedTuple):
    """The cause of the result of an order.

    `by` are the units that decided (attacker, holder, rival, dislodger of a convoying fleet, the others of a circular
    movement in the order in which they moved on); `strength` and `against` are the two numbers compared, `helpers` and
    `against_helpers` the supporters counted in them; `place` is the space fought for; `detail` is a ready sentence
    part where the reason needs words of its own. The numbers are on a scale on which an ordinary unit counts
    `scale`. `uncounted` are the supports ordered for the unit that are not in `strength`; for a support that was
    given, it names the unit that it did not count against. `fleets` are those that convoyed, that were dislodged in
    a convoy, or whose convoy was a paradox, or that could have completed a chain and were ordered otherwise. `met`
    is the opposition that a successful move overcame, and the opposition of a dislodged unit, as the reason for which
    the attack would have failed; of a fleet that convoyed, the reason for which the army did not land. `uncut` are the
    attacks on a supporter that did not cut the support it gave, and `no_effect` is the rival that would have stopped
    a successful move if it had not been dislodged from the move's destination.
    """

    reason: Reason
    by: tuple[Unit, ...] = ()
    strength: int | None = None
    against: int | None = None
    helpers: tuple[Unit, ...] = ()
    against_helpers: tuple[Unit, ...] = ()
    place: Code | None = None
    detail: str = ""
    scale: int = 1
    uncounted: tuple[Uncounted, ...] = ()
    fleets: tuple[Unit, ...] = ()
    met: Reason | None = None
    uncut: tuple[Uncut, ...] = ()
    no_effect: NoEffect | None = None

    def __repr__(self) -> str:
        given = (f"{name}={value!r}" for name, value in self._asdict().items() if value not in ((), "", None))
        return shorten(f"Cause({', '.join(given)})")

    @property
    def units(self) -> tuple[Unit, ...]:
        """Every unit that the cause names."""
        spared = (support.against for support in self.uncounted if support.against is not None)
        uncounted = (support.unit for support in self.uncounted)
        attackers = (attack.unit for attack in self.uncut)
        protected = (attack.fleet for attack in self.uncut if attack.fleet is not None)
        rivals = self.no_effect or ()
        named = (*self.by, *self.helpers, *self.against_helpers, *uncounted, *spared, *self.fleets)
        return (*named, *attackers, *protected, *rivals)


class Outcome(NamedTuple):
    """The result of one order (movement and retreats: of one unit).

    `order` is the completed order, or as written where it is void, or None where none was given.
    `dislodged_by` is the unit, as it stood before moving, that took this one's place; `retreats` are then the
    locations it may retreat to, and `fall` is the cause of its dislodgement: its strength against that of the attack,
    where an adjudicator gives it. `why` is the sentence: `said`, or if that is None the one that is made from the other
    fields on demand.
    """

    power: Power
    unit: Unit | None
    order: Order | None
    result: Result
    cause: Cause
    said: str | None
    dislodged_by: Unit | None = None
    retreats: tuple[Location, ...] = ()
    fall: Cause | None = None

    def __repr__(self) -> str:
        what = self.order or (f"{self.unit} without an order" if self.unit else "no order")
        beaten = f", dislodged by {self.dislodged_by}" if self.dislodged_by else ""
        return name_text(self, f"{self.power}: {what}: {self.result} ({self.cause.reason}){beaten}")

    @property
    def why(self) -> str:
        """The sentence about the order and its cause."""
        if self.said is not None or self.unit is None:
            return self.said or ""
        from plenipo.engine.reasons import explain_outcome  # noqa: PLC0415  # it needs this module

        return explain_outcome(self.unit, self.order, self.result, self.cause, self.fall)

    @property
    def succeeded(self) -> bool:
        """True if the order succeeded, and the unit is where it was ordered to be.

        A fleet that convoyed no army, because the convoy as a whole was absent or failed, did not succeed.
        """
        ordered = self.cause.reason is not Reason.CIVIL_DISORDER
        if self.result is Result.CONVOYS and self.cause.reason is not Reason.GIVEN:
            return False
        return ordered and self.result.succeeded and self.dislodged_by is None


class MovementResult(NamedTuple):
    """The results of a movement phase, before any unit is moved; units are numbered as in the position.

    `moved` are the units whose move succeeded, `afloat` those of them that dislodged another and came by sea;
    `contested` are the spaces that a stand-off closes to retreats, should they be vacant.
    """

    outcomes: tuple[Outcome, ...]
    moved: frozenset[int]
    afloat: frozenset[int]
    contested: frozenset[Code]
    joined: Mapping[int, int] = EMPTY
    """The units that combined with others, each with the number of the other."""

    def __repr__(self) -> str:
        return name_text(self, f"{len(self.outcomes)} outcomes, {len(self.moved)} of them moves that succeeded")


@dataclass(frozen=True, slots=True)
class Resolution(Brief):
    """A phase adjudicated: the position before, an outcome for each order, events, and the position after.

    `refusals` are the parts that were not accepted, none of which stopped the rest. `draws` are the draws of this
    phase.
    """

    before: Position
    outcomes: tuple[Outcome, ...]
    after: Position
    events: tuple[Event, ...] = ()
    refusals: tuple[Refusal, ...] = ()
    draws: tuple[Draw, ...] = ()

    def __repr__(self) -> str:
        others = "".join(
            f", {len(found)} {noun}"
            for noun, found in (("events", self.events), ("refusals", self.refusals), ("draws", self.draws))
            if found
        )
        return name_text(self, f"{self.before.phase}: {len(self.outcomes)} outcomes{others}")

    def _repr_html_(self) -> str:
        rows = [
            (outcome.power, outcome.order or outcome.unit or "", outcome.result, outcome.why)
            for outcome in self.outcomes
        ]
        return table_html(("power", "order", "result", "why"), rows)

    @property
    def notes(self) -> tuple[str, ...]:
        """The events as sentences."""
        return tuple(event.sentence for event in self.events)

    @property
    def errors(self) -> tuple[str, ...]:
        """The refusals as sentences."""
        return tuple(refusal.sentence for refusal in self.refusals)


@dataclass(frozen=True, slots=True)
class Waiting(Brief):
    """A phase that is not over, because something is missing without which it cannot end; nothing has changed yet.

    `powers` are those that the phase waits for, the game master among them where draws are to be entered. `str` says
    what is missing.
    """

    position: Position
    powers: tuple[Power, ...]
    sentence: str
    refusals: tuple[Refusal, ...] = ()

    def __str__(self) -> str:
        return self.sentence

    @property
    def errors(self) -> tuple[str, ...]:
        """The refusals as sentences, and a sentence about the missing part."""
        return (*(refusal.sentence for refusal in self.refusals), self.sentence)

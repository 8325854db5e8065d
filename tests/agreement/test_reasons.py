"""Every reason on random movements says what is so, by the numbers and facts that the oracle finds for itself.

Of each outcome the strengths, helpers and units named are worked out anew from the definitions that the oracle is made
of, and the sentence may name nothing else. Then the orders that are named as decisive are changed, and the outcome is
no longer what it was. One position in forty here, all of them in `make proofs`.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import combinations, pairwise
from random import Random

import pytest

from oracle import House, _Definitions, _Question, _Read, solve
from plenipo import library
from plenipo.engine.board import Code
from plenipo.engine.orders import Convoy, Hold, Move, MovementOrder, Support
from plenipo.engine.outcome import Cause, NotCounted, NotCut, Outcome, Reason, Result
from plenipo.engine.phases.explain import Written
from plenipo.engine.phases.legality import Legality
from plenipo.engine.phases.step import adjudicate_movement
from plenipo.engine.position import Position, Power, Unit
from plenipo.engine.rules import Rules
from plenipo.engine.strengths import format_strength
from plenipo.rulekit.unit_types import UnitTypes
from proofs import so_many
from strategies import SHAPES, movement_orders

COUNT, PART = 2000, 40

VARIANTS = ("standard", "corner", "napoleonic", "cline")
"""Boards of their own: one with corners, one on which pieces count nine tenths, one on which ways cross."""

KNOWN_TO_THE_ORACLE = {"4.A.2": "szykman", "4.A.3": "intent"}

BY_FIGHT = (Reason.REPELLED, Reason.STOOD_OFF, Reason.HEAD_TO_HEAD, Reason.CROSSED)


@dataclass(frozen=True)
class Battle:
    """Units with their orders as given, and what came of them."""

    rules: Rules
    position: Position
    orders: dict[Code, MovementOrder]
    outcomes: dict[Code, Outcome]

    @classmethod
    def of(cls, rules: Rules, position: Position, orders: dict[Code, MovementOrder]) -> "Battle":
        legality = Legality(rules, position)
        legal: list[MovementOrder | None] = []
        written: list[Written] = []
        for unit in position.units:
            given = orders.get(unit.space)
            checked = legality.check(unit.power, given) if given else None
            legal.append(checked.order if checked else None)  # type: ignore[arg-type]
            written.append(Written(given, checked.reason if checked else ""))
        result = adjudicate_movement(rules, position, legal, written)
        return cls(rules, position, orders, {o.unit.space: o for o in result.outcomes if o.unit})

    def holding(self, units: Sequence[Unit]) -> "Battle":
        """The same, had some units held."""
        changed = {unit.space: Hold(unit.ref) for unit in units}
        return Battle.of(self.rules, self.position, {**self.orders, **changed})

    def without(self, unit: Unit) -> "Battle":
        """The same, had a unit not been there."""
        units = tuple(one for one in self.position.units if one != unit)
        orders = {code: order for code, order in self.orders.items() if code != unit.space}
        return Battle.of(self.rules, replace(self.position, units=units), orders)


def battle(rules: Rules, seed: int) -> Battle:
    """The battle of a seed; in one of three some supports cannot be given."""
    chance = Random(seed)
    board = rules.board
    position = chance.choice(SHAPES)(chance, board, rules.names)
    orders = {order.unit.location.space: order for order in movement_orders(chance, board, position)}
    movers = [order for order in orders.values() if isinstance(order, Move)]
    for unit in position.units if movers and chance.random() < 1 / 3 else ():
        helped = chance.choice(movers)
        if chance.random() < 0.15 and helped.unit.location.space != unit.space:
            orders[unit.space] = Support(unit.ref, helped.unit, helped.to)
    return Battle.of(rules, position, orders)


def house_of(rules: Rules) -> House:
    """Return the variant's rules for strengths and crossings in the form of the oracle."""
    weights: dict[Power, Fraction] = {}
    for module in rules.modules:
        if isinstance(module, UnitTypes):
            weights = dict.fromkeys(module.offence_of, Fraction(module.offence, module.scale))
    straits = tuple((crossing.one, crossing.other) for crossing in rules.facts.movement.crossings)
    return House(offence=weights, straits=straits)


class Witness:
    """The definitions applied to one battle that the oracle has resolved."""

    def __init__(self, battle: Battle) -> None:
        rules, position = battle.rules, battle.position
        legal = [o.order for o in battle.outcomes.values() if o.order and o.cause.reason is not Reason.ILLEGAL]
        verdict = solve(rules.board, position.units, legal, rules.rulebook, house_of(rules))  # type: ignore[arg-type]
        self.battle, self.verdict = battle, verdict
        self.units = {unit.space: unit for unit in position.units}
        self.rules = _Definitions(rules.board, position.units, legal, rules.rulebook, house_of(rules))  # type: ignore[arg-type]

        def moved(question: _Question) -> bool:
            if question.kind == "move":
                return verdict.fates[question.space].moved
            return question.space not in verdict.broken and self.rules.route(question.space, moved)

        self.read: _Read = moved

    def faults(self) -> Iterator[str]:
        """A line for each thing that an outcome claims and that is not so."""
        for space, outcome in self.battle.outcomes.items():
            claims = [*self.claims(space, outcome), *self.fall(space, outcome), *spoken(outcome)]
            yield from (f"{outcome.why} [{outcome.result}, {outcome.cause.reason}] {claim}" for claim in claims)

    # Claims

    def claims(self, space: Code, outcome: Outcome) -> Iterator[str]:
        order, cause = outcome.order, outcome.cause
        if cause.reason in (Reason.ILLEGAL, Reason.HELD, Reason.NO_ORDER):
            return
        if isinstance(order, Move):
            yield from self.move(space, outcome)
        elif isinstance(order, Support):
            yield from self.support(space, order, cause)
        elif isinstance(order, Convoy):
            yield from self.convoy(space, order, cause)

    def move(self, space: Code, outcome: Outcome) -> Iterator[str]:
        cause, reason, rules = outcome.cause, outcome.cause.reason, self.rules
        goal, scale = rules.target[space], outcome.cause.scale
        moved = self.verdict.fates[space].moved
        if moved != (outcome.result is Result.MOVES):
            yield "but the oracle says otherwise"
            return
        carried = [fleet.space for fleet in cause.fleets]
        if reason is Reason.NO_CONVOY:
            if space not in rules.convoyed or rules.route(space, lambda _: False):
                yield "but there was a complete chain"
            walks = goal in self.battle.rules.board.armies[space]
            if cause.detail.endswith("not by land") != walks:
                yield "but says the wrong thing of its way by land"
            return
        if reason in (Reason.PARADOX, Reason.CONVOY_BROKEN):
            if (space in self.verdict.broken) != (reason is Reason.PARADOX) or rules.path(space, self.read):
                yield "but the convoy did not end so"
            if not rules.route(space, lambda _: False):
                yield "but no chain was complete to begin with"
            if reason is Reason.CONVOY_BROKEN:
                yield from self.dislodgers(cause)
            return
        if bool(carried) != (space in rules.convoyed and moved):
            yield "but says the wrong thing of a convoy"
        if carried and set(carried) != self.chains(space, self.afloat(space)):
            yield "but other fleets carried it"
        if reason is Reason.ROTATED:
            ring = [space, *(unit.space for unit in cause.by), space]
            if any(rules.target[one] != then for one, then in pairwise(ring)):
                yield "but that is no circle"
            return
        against = dict(self.opposition(space))
        attack = rules.attack_strength(space, self.read)
        if reason is Reason.OWN_UNIT or (reason is Reason.HEAD_TO_HEAD and cause.by[0].power == outcome.power):
            stands = self.units[goal]
            if attack is not None or stands != cause.by[0] or self.verdict.fates[goal].dislodged_by:
                yield "but no own unit was in the way"
            if rules.opposed(space) != (reason is Reason.HEAD_TO_HEAD):
                yield "but says the wrong thing of how they met"
            return
        if attack is None:
            # an own unit was there and another took its place
            dislodger = self.verdict.fates[goal].dislodged_by
            if dislodger is None or [dislodger] != [unit.space for unit in cause.by]:
                yield "but it had no strength at all"
            attack = rules.offence(space) + rules.supports(space, self.read)
            against = {code: force for code, force in against.items() if code == dislodger}
        if cause.strength is None or attack != Fraction(cause.strength, scale):
            yield f"but its strength was {attack}"
        most = max(against.values(), default=Fraction(0))
        if cause.against is None or most != Fraction(cause.against, scale):
            yield f"but against it was {most}"
        if bool(cause.by) != bool(against):
            yield "but there was another against it"
        if cause.by:
            (rival,) = cause.by
            if against.get(rival.space) != most:
                yield "but that unit was not the strongest"
            if cause.met if moved else cause.reason:
                yield from self.meeting(space, rival, cause.met if moved else cause.reason)
            holding = rival.space in rules.target or self.holds(rival.space)
            backers = self.given(rival.space) if holding and not self.stuck(space, rival) else set()
            if {unit.space for unit in cause.against_helpers} != backers:
                yield f"but {backers} helped the other"
        without = self.no_effect(space, attack) if moved else None
        if (cause.no_effect and tuple(unit.space for unit in cause.no_effect)) != without:
            yield f"but the rival without effect was {without}"
        spared = self.spared(space)
        if {unit.space for unit in cause.helpers} != self.given(space) - spared:
            yield "but others helped"
        if not moved:
            yield from self.uncounted(space, cause, spared)

    def meeting(self, space: Code, rival: Unit, reason: Reason | None) -> Iterator[str]:
        rules, goal = self.rules, self.rules.target[space]
        so = {
            Reason.REPELLED: rival.space == goal and not rules.opposed(space),
            Reason.HEAD_TO_HEAD: rival.space == goal and rules.opposed(space),
            Reason.STOOD_OFF: rules.target.get(rival.space) == goal,
            Reason.CROSSED: rival.space in set(rules.in_the_strait(space)),
        }
        if reason is None or not so[reason]:
            yield f"but they did not meet so: {reason}"

    def support(self, space: Code, order: Support, cause: Cause) -> Iterator[str]:
        rules, fate = self.rules, self.verdict.fates[space]
        if cause.reason is Reason.NO_MATCH:
            if space in rules.backing.get(order.other.location.space, ()):
                yield "but it matched"
            return
        if fate.given != (cause.reason is Reason.GIVEN):
            yield f"but it was {'given' if fate.given else 'cut'}"
        aim = order.to.space if order.to else order.other.location.space
        if cause.reason is Reason.GIVEN:
            holder = self.stays(order.other.location.space) if order.to else None
            own = [holder] if holder and holder.power == self.units[space].power else []
            if [one.against for one in cause.uncounted] != own:
                yield "but says the wrong thing of an own unit"
            if {(one.unit.space, one.why) for one in cause.uncut} != self.uncut(space, aim):
                yield f"but the attacks that did not cut it were {self.uncut(space, aim)}"
        elif cause.reason is Reason.DISLODGED:
            if [fate.dislodged_by] != [unit.space for unit in cause.by] or fate.dislodged_by != aim:
                yield "but another dislodged it"
        else:
            foes = {
                foe
                for foe in rules.entering.get(space, ())
                if self.units[foe].power != self.units[space].power and rules.path(foe, self.read)
            }
            cutting = {foe for foe in foes if foe != aim or fate.dislodged_by == foe}
            if {unit.space for unit in cause.by} != cutting or not cutting:
                yield f"but {cutting} cut it"

    def convoy(self, space: Code, order: Convoy, cause: Cause) -> Iterator[str]:
        army = order.other.location.space
        if self.rules.target.get(army) != order.to.space:
            expected = Reason.NO_MATCH
        elif self.verdict.fates[space].dislodged_by is not None:
            expected = Reason.DISLODGED
        elif army not in self.rules.convoyed:
            expected = Reason.NO_MATCH
        elif space not in self.chains(army, self.rules.carriers[army]):
            expected = Reason.NO_CONVOY
        elif army in self.verdict.broken:
            expected = Reason.PARADOX
        elif self.rules.path(army, self.read) and space in self.chains(army, self.afloat(army)):
            expected = Reason.GIVEN
        else:
            expected = Reason.CONVOY_BROKEN
            yield from self.dislodgers(cause)
        if cause.reason is not expected:
            yield f"but it was {expected}"
        if bool(cause.met) != (expected is Reason.GIVEN and not self.verdict.fates[army].moved):
            yield "but says the wrong thing of the landing"

    def fall(self, space: Code, outcome: Outcome) -> Iterator[str]:
        fall, by = outcome.fall, self.verdict.fates[space].dislodged_by
        if (fall is None) != (by is None):
            yield "but the oracle says otherwise of its fall"
        if fall is None or by is None:
            return
        rules, met = self.rules, self.rules.opposed(by)
        moving = space in rules.target
        own = 1 + rules.supports(space, self.read) if met else rules.hold_strength(space, self.read)
        attack = rules.attack_strength(by, self.read)
        if own != Fraction(fall.strength or 0, fall.scale) or attack != Fraction(fall.against or 0, fall.scale):
            yield f"but it was dislodged by {attack} against {own}"
        if [unit.space for unit in fall.by] != [by]:
            yield "but another dislodged it"
        if {unit.space for unit in fall.helpers} != (self.given(space) if met or not moving else set()):
            yield "but others helped it stay"
        if {unit.space for unit in fall.against_helpers} != self.given(by) - self.spared(by):
            yield "but others helped to dislodge it"
        if met or not moving:
            yield from self.uncounted(space, fall, set())

    # Facts

    def dislodgers(self, cause: Cause) -> Iterator[str]:
        for by, fleet in zip(cause.by, cause.fleets, strict=True):
            if self.verdict.fates[fleet.space].dislodged_by != by.space:
                yield f"but {by} did not dislodge {fleet}"
        if not cause.by:
            yield "but names no fleet that was dislodged"

    def opposition(self, space: Code) -> Iterator[tuple[Code, Fraction]]:
        """Yield the opposition to a move: the units by their spaces, with their strengths."""
        rules, goal = self.rules, self.rules.target[space]
        if rules.opposed(space):
            yield goal, 1 + rules.supports(goal, self.read)
        elif (hold := rules.hold_strength(goal, self.read)) is not None:
            yield goal, hold
        for rival in rules.entering[goal]:
            if rival != space and (force := rules.prevent_strength(rival, self.read)) is not None:
                yield rival, force
        for foe in rules.in_the_strait(space):
            yield foe, rules.offence(foe) + rules.supports(foe, self.read)

    def stays(self, space: Code) -> Unit | None:
        """The unit in the destination of a move that did not get out of its way."""
        goal = self.rules.target[space]
        away = goal in self.rules.target and self.verdict.fates[goal].moved and not self.rules.opposed(space)
        return None if away else self.units.get(goal)

    def stuck(self, space: Code, rival: Unit) -> bool:
        """Tell whether `rival` blocks a move only because its own move failed, so that it has no support to hold."""
        goal = self.rules.target[space]
        return rival.space == goal and goal in self.rules.target and not self.rules.opposed(space)

    def holds(self, space: Code) -> bool:
        return space not in self.rules.target

    def given(self, space: Code) -> set[Code]:
        """Return the spaces whose units gave support to the unit of a space."""
        return {one for one in self.rules.backing.get(space, ()) if self.verdict.fates[one].given}

    def spared(self, space: Code) -> set[Code]:
        """Return the spaces whose support of a move does not count against the unit in its way."""
        stands = self.stays(space)
        if stands is None or stands.power == self.units[space].power:
            return set()
        return {one for one in self.given(space) if self.units[one].power == stands.power}

    def uncounted(self, space: Code, cause: Cause, spared: set[Code]) -> Iterator[str]:
        cut = set(self.rules.backing.get(space, ())) - self.given(space)
        goal = self.rules.target.get(space)
        refused = {
            outcome.unit.space
            for outcome in self.battle.outcomes.values()
            if outcome.unit and outcome.cause.reason is Reason.ILLEGAL and isinstance(outcome.order, Support)
            if outcome.order.other.location.space == space
            if (outcome.order.to.space if outcome.order.to else None) == goal
        }
        meant = {NotCounted.CUT: cut, NotCounted.OWN_UNIT: spared, NotCounted.ILLEGAL: refused}
        for why, units in meant.items():
            if {one.unit.space for one in cause.uncounted if one.why is why} != units:
                yield f"but {why} were {units}"

    def uncut(self, space: Code, aim: Code) -> set[tuple[Code, NotCut]]:
        """Return the attacks on a supporter that do not cut a support in the direction of `aim`, each with its reason.

        The convoy rule of policy 4.A.2 spares no support in the rulebook that the oracle knows.
        """
        found = set[tuple[Code, NotCut]]()
        for foe in self.rules.entering.get(space, ()):
            if self.units[foe].power == self.units[space].power:
                found.add((foe, NotCut.OWN_POWER))
            elif not self.rules.path(foe, self.read):
                found.add((foe, NotCut.NO_CONVOY))
            elif foe == aim:
                found.add((foe, NotCut.AIMED))
        return found

    def no_effect(self, space: Code, attack: Fraction) -> tuple[Code, Code] | None:
        """Return the rival that a unit from the destination of a move dislodged, and that unit.

        It is one without which the rival would have been as strong as the move.
        """
        rules, goal = self.rules, self.rules.target[space]
        for rival in rules.entering[goal]:
            by = self.verdict.fates[rival].dislodged_by
            if rival == space or by != goal or not rules.path(rival, self.read):
                continue
            whole = rules.offence(rival) + rules.supports(rival, self.read)
            if rules.prevent_strength(rival, self.read) is None and whole >= attack:
                return rival, goal
        return None

    def afloat(self, army: Code) -> set[Code]:
        """The fleets ordered to convoy an army that were not dislodged."""
        return {one for one in self.rules.carriers[army] if self.verdict.fates[one].dislodged_by is None}

    def chains(self, army: Code, fleets: Iterable[Code]) -> set[Code]:
        """Those of `fleets` that are part of a chain for an army from which none can be left out."""
        some = sorted(fleets)
        found = set[Code]()
        for size in range(1, len(some) + 1):
            for chain in map(set, combinations(some, size)):
                if self.joins(army, chain) and not any(self.joins(army, chain - {one}) for one in chain):
                    found |= chain
        return found

    def joins(self, army: Code, fleets: set[Code]) -> bool:
        """Tell whether these fleets would convoy an army to its destination if none were dislodged."""
        ordered, self.rules.carriers[army] = self.rules.carriers[army], fleets
        reaches = self.rules.route(army, lambda _: False)
        self.rules.carriers[army] = ordered
        return reaches


UNIT = re.compile(r"\b[AF] (?:\[[^\]]*\]|[A-Z0-9 ]{2,8}?(?:/[A-Z]{2})?)(?![A-Za-z\[/])")


def spoken(outcome: Outcome) -> Iterator[str]:
    """A line for each number or unit in the sentences of an outcome that its causes do not have."""
    causes = [cause for cause in (outcome.cause, outcome.fall) if cause]
    if outcome.cause.reason in (Reason.ILLEGAL, Reason.NO_MATCH):
        causes = [outcome.fall] if outcome.fall else []
    told = outcome.why if len(causes) > 1 or not outcome.fall else outcome.why[outcome.why.rindex("was dislodged by") :]
    known = {
        format_strength(number, c.scale) for c in causes for number in (c.strength, c.against) if number is not None
    }
    for number in re.findall(r"(?<![\w/\[])\d+(?:\.\d+)?(?= |\.$|\. |;|\)|:)", told) if causes else ():
        if number not in known:
            yield f"but the number {number} is in no cause"
    order = outcome.order
    named = {str(unit) for c in causes for unit in c.units} | {str(outcome.unit)}
    other = getattr(order, "other", None)
    for helper in [unit for c in causes for unit in (*c.helpers, *c.against_helpers)]:
        if outcome.cause.reason not in (Reason.UNOPPOSED, Reason.ROTATED) and str(helper) not in told:
            yield f"but {helper}, which helped, is not named"
    for unit in UNIT.findall(re.sub(r"'[^']*'", "", told)) if causes else ():  # quoted orders name units of their own
        if not any(name.startswith(unit) or unit.startswith(name) for name in (*named, str(other))):
            yield f"but {unit} is in no cause"


def decisive(battle: Battle) -> Iterator[str]:
    """A line for each outcome that stays what it is when what is named as decisive is otherwise."""
    for space, outcome in battle.outcomes.items():
        if outcome.fall:
            yield from _decisive_fall(battle, space, outcome.fall)
        if outcome.cause.reason is Reason.NO_CONVOY and outcome.cause.fleets and isinstance(outcome.order, Move):
            yield from _decisive_fleets(battle, space, outcome)
        if outcome.result is Result.FAILS and isinstance(outcome.order, Move):
            yield from _clear(battle, space)
        cause, moving = outcome.cause, isinstance(outcome.order, Move)
        if not cause.by or cause.reason in (Reason.GIVEN, Reason.NO_MATCH, Reason.NO_CONVOY):
            continue
        if moving and outcome.result is Result.MOVES and cause.reason is not Reason.ROTATED:
            helped = sum(1 for _ in cause.helpers) * cause.scale
            if not cause.helpers or (cause.strength or 0) - helped > (cause.against or 0):
                continue
            other = battle.holding(cause.helpers)
            if other.outcomes[space].result is Result.MOVES and not _unlike(outcome, other.outcomes[space]):
                yield f"{outcome.why} without the help: {other.outcomes[space].why}"
            continue
        stands = cause.reason in (Reason.REPELLED, Reason.OWN_UNIT)
        other = battle.without(cause.by[0]) if stands else battle.holding(cause.by)
        now = other.outcomes[space]
        if (now.result, now.cause.reason, now.cause.by) == (outcome.result, cause.reason, cause.by):
            yield f"{outcome.why} all the same: {now.why}"
        if isinstance(outcome.order, Support) and outcome.result is Result.CUT and now.result is not Result.SUPPORTS:
            named = set(now.cause.by) & set(cause.by)
            if named or now.result is not Result.CUT:
                yield f"{outcome.why} not given without the attacks: {now.why}"


def _decisive_fall(battle: Battle, space: Code, fall: Cause) -> Iterator[str]:
    """Yield a line if a unit is dislodged by the same one all the same when that holds, or when its helpers do."""
    now = battle.holding(fall.by).outcomes[space]
    if now.dislodged_by in fall.by:
        yield f"{now.why} although {fall.by} held"
    helped = len(fall.against_helpers) * fall.scale
    if helped and (fall.against or 0) - helped <= (fall.strength or 0):
        now = battle.holding(fall.against_helpers).outcomes[space]
        if now.fall and now.fall.by == fall.by and now.fall.strength == fall.strength:
            yield f"{now.why} although {fall.against_helpers} held"


def _decisive_fleets(battle: Battle, space: Code, outcome: Outcome) -> Iterator[str]:
    """Yield a line if an army has no chain of fleets though all those named were ordered to convoy it."""
    unit, order = outcome.unit, outcome.order
    assert unit is not None
    assert isinstance(order, Move)
    convoys = {fleet.space: Convoy(fleet.ref, unit.ref, order.to) for fleet in outcome.cause.fleets}
    now = Battle.of(battle.rules, battle.position, {**battle.orders, **convoys}).outcomes[space]
    if now.cause.reason is Reason.NO_CONVOY:
        yield f"{outcome.why} and all the same by {outcome.cause.fleets}: {now.why}"


def _clear(battle: Battle, space: Code) -> Iterator[str]:
    """Yield a line if a move that failed does not succeed once all that is named one after another is away.

    A unit that was ordered elsewhere or to the same space holds, and one that stood there is taken off the board.
    """
    told = []
    for _ in range(2 * len(battle.position.units) + 1):
        now = battle.outcomes[space]
        told.append(now.why)
        cause = now.cause
        if now.result is Result.MOVES or cause.reason in (Reason.NO_CONVOY, Reason.PARADOX):
            return
        if not cause.by:
            break
        by = cause.by[0]
        if cause.reason is Reason.CONVOY_BROKEN or (cause.reason not in NEAR and _moves(battle, by)):
            battle = battle.holding(cause.by)
        else:
            battle = battle.without(by)
    yield "never succeeds: " + " / ".join(told)


NEAR = (Reason.REPELLED, Reason.OWN_UNIT)
"""The reasons for which a move fails because of a unit that stood in its destination."""


def _moves(battle: Battle, unit: Unit) -> bool:
    return isinstance(battle.outcomes[unit.space].order, Move)


def _unlike(one: Outcome, other: Outcome) -> bool:
    return (one.cause.against, one.cause.by) != (other.cause.against, other.cause.by)


def rules_of(variant: str) -> Rules:
    rules = library.load(variant)
    differing = {key: word for key, word in KNOWN_TO_THE_ORACLE.items() if rules.rulebook[key] != word}
    return library.load(variant, differing) if differing else rules


@pytest.mark.parametrize("variant", VARIANTS)
def test_every_reason_says_what_is_so(variant: str) -> None:
    rules = rules_of(variant)
    for seed in range(so_many(COUNT, PART)):
        found = list(Witness(battle(rules, seed)).faults())
        assert not found, f"seed {seed}:\n" + "\n".join(found)


@pytest.mark.parametrize("variant", VARIANTS)
def test_without_the_orders_that_decided_it_would_have_come_out_otherwise(variant: str) -> None:
    rules = rules_of(variant)
    for seed in range(so_many(COUNT, PART)):
        found = list(decisive(battle(rules, seed)))
        assert not found, f"seed {seed}:\n" + "\n".join(found)

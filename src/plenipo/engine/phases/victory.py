"""Victory conditions (rulebook, object of the game)."""

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from plenipo.engine.amounts import count_things
from plenipo.engine.board import Code
from plenipo.engine.calendar import Phase
from plenipo.engine.facts import CENTRE
from plenipo.engine.hooks import RuleModule, Score, Verdict
from plenipo.engine.immutable import FrozenMap, freeze_sorted
from plenipo.engine.position import Position, Power
from plenipo.engine.rules import Rules
from plenipo.engine.sentences import Sentence, SentenceKind, join_sentences
from plenipo.engine.victory_conditions import Measure, VictoryCondition

__all__ = ["CENTRE", "SLOT", "JudgedPosition", "Runs", "count_needed", "look", "score"]

_WON = SentenceKind("won", "{powers} won the game with {amount}.")
_WON_BY = SentenceKind("won-by", "{powers} won the game: {condition} win.", note="'most of PAR and MUN win'")
_WON_WITH = SentenceKind("won-with", "{others} won with {powers}.")

SLOT = "victory_conditions"
"""The slot of a position that stores how long powers have met the conditions."""


@dataclass(frozen=True)
class Runs:
    """The number of checks running at which each power met the condition, by the number of the way."""

    looks: Mapping[int, Mapping[Power, int]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        sorted_looks = {n: freeze_sorted(of) for n, of in sorted(self.looks.items()) if of}
        object.__setattr__(self, "looks", FrozenMap(sorted_looks))

    def to_json(self) -> Any:
        """Return the numbers by way and power."""
        return {str(n): dict(of) for n, of in self.looks.items()}


class JudgedPosition(NamedTuple):
    """The position with the stored state of the ways to win, and the verdict."""

    position: Position
    verdict: Verdict = Verdict()


def look(rules: Rules, position: Position, phase: Phase) -> JudgedPosition:
    """Return the verdict after `phase`; one without powers if the game goes on.

    The ways are checked in their order, and the first by which a power has won decides. A power without units and
    centres wins only if there is no other. Ways that are checked at ownership updates are checked after the retreats.
    """
    for number, way in enumerate(rules.victory.every_way):
        if not way.is_due(phase):
            continue
        powers, has = _leading(rules, position, way)
        if way.held > 1:
            position, powers = _lasting(position, number, way, powers)
        if powers:
            why = _sentence(rules, way, powers, has)
            also = tuple(power for power in _with(rules, position, powers) if power not in powers)
            why = join_sentences(why, _WON_WITH(others=also, powers=powers)) if also else why
            return JudgedPosition(position, Verdict((*powers, *also), why))
    return JudgedPosition(position)


def _with(rules: Rules, position: Position, powers: Iterable[Power]) -> tuple[Power, ...]:
    """Return the powers that win where some powers do, including those that rule modules add."""
    modules = rules.overriding[RuleModule.wins_with]
    found = (other for module in modules for power in powers for other in module.wins_with(rules, position, power))
    return tuple(dict.fromkeys(found))


def score(rules: Rules, position: Position) -> Score:
    """Return each power's progress towards victory, final or on the way: by the first of the ways to win.

    The possessions of others that rule modules count for a power are left out: they may be secret.
    """
    way = rules.victory.every_way[0]
    counts = _counts(rules, position, way.count, way)
    if way.sides:  # each member has what its side has
        counts = {p: has for side, has in _together(_sides(rules, way), counts).items() for p in side}
    return Score(counts, rules.victory.noun, rules.victory.enough)


def count_needed(rules: Rules, position: Position, power: Power) -> int:
    """Return how much `power` needs of the thing that `score` counts."""
    way = rules.victory.every_way[0]
    return _enough(rules, position, way, way.count, power)


def _leading(rules: Rules, position: Position, way: VictoryCondition) -> tuple[tuple[Power, ...], int]:
    """Return the powers that meet the condition and lead by enough, and their number."""
    measures: tuple[Measure, ...] = ("centres", "units") if way.count == "both" else (way.count,)
    sides = _sides(rules, way)
    counted = {m: _together(sides, _with_others(rules, position, m, way)) for m in measures}
    counts = counted[measures[0]]
    alive = {power for power in rules.names if position.survives(power)} or set(rules.names)
    left = [side for side in sides if alive.intersection(side)]
    able = [
        side
        for side in left
        if (not way.powers or set(way.powers).issuperset(side))
        and all(counted[m][side] >= _enough(rules, position, way, m, side[0]) for m in measures)
    ]
    if not able:
        return (), 0
    if way.lead == 0:
        winners = able if way.shared or len(able) == 1 else []
        return _members(winners, alive), max(counts[side] for side in able)
    more = [_together(sides, _with_others(rules, position, measure, VictoryCondition())) for measure in way.then]
    ranks = {side: (counts[side], *(of[side] for of in more)) for side in sides}
    best = max(ranks[side] for side in able)
    leaders = [side for side in able if ranks[side] == best]
    # equals that may share a victory are no rivals of each other
    rivals = [side for side in left if side not in leaders]
    if (len(leaders) > 1 and not way.shared) or any(ranks[side] >= best for side in rivals):
        return (), 0
    if way.lead > 1 and any(counts[side] + way.lead > best[0] for side in rivals):
        return (), 0
    return _members(leaders, alive), best[0]


Side = tuple[Power, ...]
"""Powers that win together."""


def _sides(rules: Rules, way: VictoryCondition) -> list[Side]:
    """Return the powers by sides, each alone that is on none, in the order of reports."""
    of = {power: side for side in way.sides for power in side}
    return list(dict.fromkeys(of.get(power, (power,)) for power in rules.names))


def _together(sides: Iterable[Side], counts: Mapping[Power, int]) -> dict[Side, int]:
    return {side: sum(counts.get(power, 0) for power in side) for side in sides}


def _members(sides: Iterable[Side], alive: Collection[Power]) -> tuple[Power, ...]:
    """Return the powers of these sides that are left."""
    return tuple(power for side in sides for power in side if power in alive)


def _lasting(
    position: Position, number: int, way: VictoryCondition, powers: Iterable[Power]
) -> tuple[Position, tuple[Power, ...]]:
    """Return the position that stores that `powers` meet the condition now, and those that met it long enough."""
    slot = position.slots.get(SLOT)
    runs = slot if isinstance(slot, Runs) else Runs()
    before = runs.looks.get(number, {})
    now = {power: before.get(power, 0) + 1 for power in powers}
    lasting = tuple(power for power, looks in now.items() if looks >= way.held)
    return position.with_slot(SLOT, Runs({**runs.looks, number: now})), lasting


def _sentence(rules: Rules, way: VictoryCondition, powers: Sequence[Power], has: int) -> Sentence:
    called = way.noun if rules.victory.ways else rules.victory.noun  # a module names the quantity that it counts
    if way.count in ("centres", "units", "points") and not way.among:
        return _WON(powers=tuple(powers), amount=count_things(has, _SPOKEN.get(called, called)))
    return _WON_BY(powers=tuple(powers), condition=way.in_words(rules.to_win))


_SPOKEN = {CENTRE: "supply centre"}


def _enough(rules: Rules, position: Position, way: VictoryCondition, measure: Measure, power: Power) -> int:
    """Return the amount of `measure` that `power` needs."""
    wanted = way.each.get(power, rules.to_win if way.enough is None else way.enough)
    if isinstance(wanted, int):
        return wanted
    if wanted == "most":
        return 1
    total = _total(rules, position, way, measure)
    return total // 2 + 1 if wanted == "majority" else total


def _total(rules: Rules, position: Position, way: VictoryCondition, measure: Measure) -> int:
    """Return the total of `measure`."""
    if measure == "rivals":
        return len(rules.names) - 1
    if measure == "value":
        return sum(_worth(rules).get(code, 1) for code in way.among or rules.board_at(position).centres)
    if way.among:
        return len(way.among)
    if measure == "points":
        return sum(_of_module(rules, position).values())
    return len(position.units) if measure == "units" else len(rules.board_at(position).centres)


def _counts(rules: Rules, position: Position, measure: Measure, way: VictoryCondition) -> Mapping[Power, int]:
    """Return each power's amount of `measure`, in the spaces that count."""
    if measure in ("centres", "both"):
        among = frozenset(way.among)
        owned = Counter(power for code, power in position.owners.items() if not among or code in among)
        return {power: owned[power] for power in rules.names}
    if measure in ("value", "units", "stands"):
        return {power: _counts_of(rules, position, measure, way, power) for power in rules.names}
    if measure == "rivals":
        out = {power for power in rules.names if not position.survives(power)}
        return {power: len(out - {power}) for power in rules.names}
    return _of_module(rules, position)


def _counts_of(rules: Rules, position: Position, measure: Measure, way: VictoryCondition, power: Power) -> int:
    """Return one power's amount of a measure on the board, in the spaces that count."""
    among = frozenset(way.among)
    if measure in ("centres", "both"):
        codes = position.centres_of(power)
        return len(among.intersection(codes)) if among else len(codes)
    if measure == "value":
        supply, there = rules.facts.supply, among or rules.board_at(position).centres
        return sum(supply.value(power, code) for code in position.centres_of(power) if code in there)
    return sum(not among or unit.space in among for unit in position.units_of(power))


def _with_others(rules: Rules, position: Position, measure: Measure, way: VictoryCondition) -> Mapping[Power, int]:
    """Return each power's amount of `measure`, with that of others that rule modules count for it."""
    counts, modules = _counts(rules, position, measure, way), rules.overriding[RuleModule.counts_for]
    if not modules or measure in ("rivals", "points"):
        return counts
    whole = dict(counts)
    for power in rules.names:
        others = dict.fromkeys(other for module in modules for other in module.counts_for(rules, position, power))
        whole[power] += sum(_counts_of(rules, position, measure, way, other) for other in others)
    return whole


def _worth(rules: Rules) -> Mapping[Code, int]:
    return rules.facts.supply.values


def _of_module(rules: Rules, position: Position) -> Mapping[Power, int]:
    counts = (module.progress(rules, position) for module in rules.overriding[RuleModule.progress])
    return next((of_module for of_module in counts if of_module is not None), dict.fromkeys(rules.names, 0))

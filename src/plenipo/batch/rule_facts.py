"""Facts of rule modules as input of the kernel, and refusals by name of those it does not support.

Declarations of a module (`plenipo.engine.facts`) become numbers. Code of a module is refused by the hooks that its
class overrides; nothing is tried out.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum
from itertools import pairwise

from plenipo.batch.kinds import MOST_KINDS
from plenipo.batch.refusals import UnsupportedRules
from plenipo.engine import facts
from plenipo.engine.board import Board, Code, Location, UnitKind
from plenipo.engine.calendar import PhaseKind
from plenipo.engine.facts import Alternative, CentreDelay, Fact
from plenipo.engine.orders import Hold, Support
from plenipo.engine.phases import victory
from plenipo.engine.position import Power
from plenipo.engine.rules import Rules
from plenipo.engine.strengths import Use
from plenipo.engine.wording import listing

__all__ = ["COMPILED", "IGNORED", "REFUSED", "RuleFacts", "Scope", "list_unplayed_powers", "rule_facts"]


class Scope(StrEnum):
    """The scope of compiled tables; each of the first three requires more of the rules than the one before."""

    MOVEMENTS = "movements"
    """Single movements and retreats; any rules may apply before and after them."""
    PHASES = "phases"
    """Single phases of any kind, including adjustments."""
    GAMES = "games"
    """Whole games, from phase to phase."""
    LIKENESS = "likeness"
    """Single phases, without the rules that have no table: good enough for evaluation, not for adjudication."""


COMPILED = frozenset(
    {
        facts.UnitWeights,
        facts.WayStrength,
        facts.Crossing,
        facts.PrefersConvoy,
        facts.CentreDelay,
        facts.HomesFixed,
        facts.BuildSites,
        facts.Supply,
        facts.EarnedHomes,
        facts.Capturing,
        facts.RequiredBuilds,
        facts.CornersAsNearestArea,
        facts.Garrison,
        facts.NoRetreat,
        facts.Victory,
        facts.OpeningChoices,
    }
)
"""The kinds of fact that become numbers."""

IGNORED = frozenset({facts.DrawsByHand, facts.Sight})
"""The kinds that do not affect the kernel's results: a calendar with draws in it is refused."""

REFUSED = frozenset({facts.Command, facts.Conversions, facts.HiddenKinds})
"""The kinds without a table; rules that declare one are refused by its name, and so is any new kind."""

_HARMLESS = frozenset(
    {
        *("check", "facts", "board", "calendar", "opening", "game_powers"),
        *("without_slot", "decode_slot", "marks", "place_rules", "notice_words", "balances", "slot_seen", "tells"),
        *("space_lost", "space_split", "prospect"),
    }
)
"""Hooks that run only when the rules or a position are made, only affect text for players, or act only where the code
in another module changes the board."""

_CHOICES = frozenset({"choices", "why_not_together", "replaced_choices", "missing_choices", "after_choices"})
"""Hooks of the choice phase, which the kernel skips if a module declares the results of its choices."""

_BETWEEN_PHASES = _CHOICES | {
    "why_no_orders",
    "why_no_retreat",
    "why_no_notice",
    "complete_declaration",
    "offers",
    "unit_as_named",
    "after_moves",
    "after_phase",
    "after_ownership",
    "captures",
    "progress",
}
"""Hooks that act before and after single phases."""


@dataclass(frozen=True)
class RuleFacts:
    """The data from which the tables are made; see `plenipo.batch.tables.Arrays` for the meaning of each."""

    weights: tuple[tuple[int, ...], ...]
    crossings: tuple[tuple[Code, ...], ...]
    convoy_ways: tuple[tuple[Code, Code], ...]
    ways: Mapping[tuple[Code, Code], tuple[int | None, int | None]] = field(default_factory=dict)
    distances: Mapping[tuple[Code, UnitKind, Location], int] = field(default_factory=dict)
    delay: CentreDelay | None = None
    build_anywhere: bool = False
    required_builds: bool = False
    standing: Mapping[Code, Hold | Support] = field(default_factory=dict)
    lost: frozenset[tuple[Power, UnitKind, Location]] = frozenset()
    homes_fixed: int | None = None
    choices: Mapping[Power, tuple[Alternative, ...]] = field(default_factory=dict)
    enough: tuple[int, ...] = ()
    lead: int = 1

    @property
    def way_strengths(self) -> tuple[tuple[int | None, int | None], ...]:
        """The strengths of a move and of a support on contacts with other strengths than usual, each once."""
        return tuple(dict.fromkeys(self.ways.values()))


def list_unplayed_powers(rules: Rules) -> tuple[Power, ...]:
    """Return the powers whose units have no player."""
    listed = tuple(info.name for info in rules.powers if not info.played)
    others = {unit.power for unit in rules.opening.units} - {info.name for info in rules.powers}
    return (*listed, *sorted(others))


def rule_facts(rules: Rules, board: Board, scope: Scope) -> RuleFacts:
    """Return the facts of `rules` on a board; raise `UnsupportedRules` for the first one not supported."""
    _refuse_board(board)
    exact = scope is not Scope.LIKENESS
    if exact:
        _refuse_kinds(board)
        _refuse_hooks(rules, scope)
        _refuse_meek(rules, board)
        _refuse_untabled(rules)
    compiled = _of_movements(rules, board)
    if scope is Scope.MOVEMENTS:
        return compiled
    if exact:
        _refuse_phases(rules, board)
    declared = rules.facts
    compiled = replace(
        compiled,
        distances=_distances(board) if declared.one(facts.CornersAsNearestArea) else {},
        delay=declared.delay,
        build_anywhere=declared.sites == facts.OWNED,
        required_builds=declared.one(facts.RequiredBuilds) is not None and _has_armies(board),
    )
    if scope is not Scope.GAMES:
        return compiled
    _refuse_games(rules)
    garrisons = declared.garrisons.values()
    return replace(
        compiled,
        standing={space: order for garrison in garrisons for space, order in garrison.orders.items()},
        lost=_find_destroyed(rules, board),
        homes_fixed=fixed.year if (fixed := declared.one(facts.HomesFixed)) else None,
        choices=_choices(rules),
        enough=tuple(victory.count_needed(rules, rules.opening, power) for power in rules.names),
        lead=rules.victory.every_way[0].lead,
    )


def _refuse_untabled(rules: Rules) -> None:
    """Raise for facts without a table."""
    for kind in facts.KINDS:
        if kind not in COMPILED | IGNORED:
            _refuse(rules, kind, f"it declares {kind.__name__}, of which the kernel has no table")


def _refuse_phases(rules: Rules, board: Board) -> None:
    """Raise for rules without a table in phases other than movements and retreats."""
    if alone := set(list_unplayed_powers(rules)) - rules.facts.garrisons.keys():
        raise UnsupportedRules(f"The kernel cannot take the units of {listing(sorted(alone))}: nobody plays them.")
    if not _has_armies(board):
        _refuse(rules, facts.RequiredBuilds, "no army is built on this board")
    delay = rules.facts.delay
    if delay and delay.late_capture:
        _refuse(rules, CentreDelay, "a centre changes hands only when it was taken twice running")
    if delay and delay.spaces:
        _refuse(rules, CentreDelay, "a centre is waited for and others are not")
    if rules.facts.sites not in (facts.AT_HOME, facts.OWNED):
        _refuse(rules, facts.BuildSites, "units are built elsewhere than at home or in any centre owned")
    _refuse(rules, facts.Supply, "a centre is not a unit")


def _refuse_games(rules: Rules) -> None:
    """Raise for rules without a table between the phases."""
    _refuse(rules, facts.EarnedHomes, "homes are won and lost")
    _refuse(rules, facts.Capturing, "centres change hands otherwise")
    if any(fact.kind for fact in rules.facts.no_retreat):
        _refuse(rules, facts.NoRetreat, "units of one kind never retreat")
    _check_calendar(rules)
    if len(rules.victory.every_way) > 1 or not rules.victory.every_way[0].plain:
        noun = rules.victory.noun
        _refuse(
            rules,
            facts.Victory,
            f"it counts {noun}s to see who has won, or lets powers share it"
            if not rules.victory.ways
            else "there are several ways to win, or one that is more than a number of centres or units",
        )


def _of_movements(rules: Rules, board: Board) -> RuleFacts:
    weights, crossings, convoy_ways, ways, _ = rules.facts.movement
    powers = (*rules.names, *list_unplayed_powers(rules))
    open_spaces = {code for code, space in board.spaces.items() if not space.impassable}
    rows = [
        [weights.counts(power, kind, supporting=supporting) for power in powers for kind in board.kinds]
        for supporting in (False, True)
    ]
    ends = sorted(tuple(sorted(way)) for way in convoy_ways)
    both = [(a, b) for one, other in ends for a, b in ((one, other), (other, one))]
    return RuleFacts(
        weights=tuple(row for half in rows for row in zip(*half, strict=True)),
        crossings=tuple((*sorted(fact.one), *sorted(fact.other)) for fact in crossings),
        convoy_ways=tuple((a, b) for a, b in both if b in board.armies.get(a, ())),
        ways={
            (one, other): (strength.move, strength.support)
            for way, strength in ways.items()
            for one, other in (sorted(way),)
            if one in open_spaces and other in open_spaces
        },
    )


def _refuse_board(board: Board) -> None:
    """Raise for kinds of unit for which the tables have no room."""
    if len(board.units) > MOST_KINDS:
        raise UnsupportedRules(f"The kernel takes {MOST_KINDS} kinds of unit, and this board has {len(board.units)}.")
    for traits in board.units:
        if traits.kind in board.sailing and traits.kind in board.carriers:
            raise UnsupportedRules(f"The kernel cannot take {traits.plural}: they go by sea, and are convoyed as well.")


def _refuse_kinds(board: Board) -> None:
    """Raise for kinds of unit without a table."""
    if ferry := next((space.name for space in board.spaces.values() if space.ferry), ""):
        raise UnsupportedRules(f"The kernel cannot take convoys by fleets on a coast, as in {ferry}.")
    for traits in board.units:
        if traits.parts:
            raise UnsupportedRules(f"The kernel cannot take {traits.plural}: they are made of other units.")
        if traits.upkeep != 1:
            raise UnsupportedRules(f"The kernel cannot take {traits.plural} that count as {traits.upkeep} units.")


def _has_armies(board: Board) -> bool:
    """Return whether armies are built."""
    army = board.traits.get(UnitKind.ARMY)
    return army is not None and army.built


def _refuse(rules: Rules, kind: type[Fact], why: str) -> None:
    """Raise for facts of a kind, naming the modules that declare them; nothing if none does."""
    names = [name for name, declared in rules.facts.declared.items() if any(type(fact) is kind for fact in declared)]
    if names:
        quoted = listing([f"'{name}'" for name in names])
        raise UnsupportedRules(f"The kernel cannot take the rule module {quoted}: {why}.")


def _refuse_hooks(rules: Rules, scope: Scope) -> None:
    """Raise for the first hook that affects the kernel's results."""
    if scope is Scope.MOVEMENTS:
        return  # everything about movement itself is a fact
    for module in rules.modules:
        taken = _HARMLESS if scope is Scope.GAMES else _HARMLESS | _BETWEEN_PHASES
        if any(isinstance(fact, facts.OpeningChoices) for fact in rules.facts.declared.get(module.name, ())):
            taken |= _CHOICES
        for hook in sorted(module.overridden() - taken):
            raise UnsupportedRules(
                f"The kernel cannot take the rule module '{module.name}': what it does in '{hook}' is code and not a "
                "fact."
            )


def _check_calendar(rules: Rules) -> None:
    """Raise for draws, and for choices other than an opening choice whose results are declared by facts."""
    opening, cycle = rules.calendar.opening, rules.calendar.cycle
    if draws := next((step for step in (*opening, *cycle) if step.kind is PhaseKind.DRAWS), None):
        raise UnsupportedRules(f"The kernel cannot take the calendar: it has draws in {draws.season}.")
    steps = (*opening, *cycle, cycle[0])
    for step, following in pairwise(steps):
        if step.kind is following.kind is PhaseKind.MOVEMENT:
            raise UnsupportedRules(
                f"The kernel cannot take the calendar: no retreats come between the movements of {step.season} and "
                f"{following.season}."
            )
    choices = [step for step in (*opening, *cycle) if step.kind is PhaseKind.CHOICE]
    if choices and (choices != list(opening[:1]) or rules.facts.one(facts.OpeningChoices) is None):
        season = choices[-1].season
        raise UnsupportedRules(
            f"The kernel cannot take the calendar: nothing declares what the choice of {season} gives."
        )


def _distances(board: Board) -> dict[tuple[Code, UnitKind, Location], int]:
    """Return the distance of a unit in a corner from a centre in civil disorder: that of its nearest area."""
    corners = [(place, corner) for place in board.standing.values() if (corner := board.spaces[place[1].space].corner)]
    return {
        (centre, *place): min(near)
        for centre in board.centres
        for overland in (board.distances([centre]),)
        for place, corner in corners
        if (near := [overland[touch.space] for touch in corner.touches if touch.space in overland])
    }


def _find_destroyed(rules: Rules, board: Board) -> frozenset[tuple[Power, UnitKind, Location]]:
    """Return the dislodged units that are destroyed."""
    everybody = (*rules.names, *list_unplayed_powers(rules))
    return frozenset(
        (power, kind, location)
        for fact in rules.facts.no_retreat
        for power in ((fact.power,) if fact.power else everybody)
        for kind, location in board.standing.values()
        if not fact.in_centres or location.space in board.centres
    )


def _choices(rules: Rules) -> Mapping[Power, tuple[Alternative, ...]]:
    """Return the choices of each power before the first move."""
    choices = rules.facts.one(facts.OpeningChoices)
    if choices is None or rules.opening.phase.kind is not PhaseKind.CHOICE:
        return {}
    return {power: choices.alternatives.get(power, ()) for power in rules.names}


def _refuse_meek(rules: Rules, board: Board) -> None:
    """Raise for units with no strength to enter a space: in the tables no unit is as strong as none."""
    weights = rules.facts.movement.weights
    for power in (*rules.names, *list_unplayed_powers(rules)):
        for kind in board.kinds:
            if weights.counts(power, kind, supporting=False)[Use.ATTACK] == 0:
                many = board.traits[kind].plural
                raise UnsupportedRules(
                    f"The kernel cannot take {many} that attack nobody: they count 0 to enter a space."
                )

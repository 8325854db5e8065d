"""The kinds of case: for each, the keys it understands and how it is played.

A kind is a function registered with `kind`; one of a new variant is added in the same way, in a module of its own.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from types import MappingProxyType

from plenipo.cases.checks import Report, check, check_words
from plenipo.cases.format import Case
from plenipo.cases.stage import BOARD, STATE, Played, Stage
from plenipo.cases.values import integer, known_keys, mapping, sequence, text
from plenipo.engine.board import Code
from plenipo.engine.calendar import Phase, PhaseKind
from plenipo.engine.orders import Order
from plenipo.engine.phases import victory
from plenipo.engine.position import Position, Power
from plenipo.errors import InvalidCase, PlenipoError

__all__ = ["KINDS", "Kind", "kind", "named_in", "play"]

Play = Callable[[Case, Stage, Report], None]


@dataclass(frozen=True)
class Kind:
    """A kind of case.

    `inputs` and `expects` are the keys it understands beside the common ones; with `state`, also every key that
    describes a position. `play` plays a case and compares. A kind with a reason in `skip` cannot be run from data.
    `plain` gives the key of `expects` that a key stands for, where a kind understands keys with more to them.
    """

    name: str
    inputs: frozenset[str]
    expects: frozenset[str]
    play: Play
    state: bool = True
    skip: str = ""
    plain: Callable[[str], str] = str

    def run(self, case: Case, stage: Stage) -> Report:
        """Play `case` and report; raises `InvalidCase` for keys the kind does not know or a case that tests nothing."""
        allowed = self.inputs | frozenset(BOARD) | (frozenset(STATE) if self.state else frozenset())
        known_keys(case.given, allowed, f"a case of kind '{self.name}'")
        known_keys(
            {self.plain(key): item for key, item in case.expect.items()},
            self.expects,
            f"the 'expect' of kind '{self.name}'",
        )
        report = Report()
        self.play(case, stage.on_board_of(case.given), report)
        if not report.compared:
            raise InvalidCase("key 'expect' says nothing, so the case could not fail.")
        return report


KINDS: dict[str, Kind] = {}
"""Every kind by its name."""


def kind(
    name: str, inputs: str, expects: str, *, state: bool = True, skip: str = "", plain: Callable[[str], str] = str
) -> Callable[[Play], Play]:
    """Register the function that plays the kind `name`; the keys are written as words in one text."""

    def register(play: Play) -> Play:
        KINDS[name] = Kind(name, frozenset(inputs.split()), frozenset(expects.split()), play, state, skip, plain)
        return play

    return register


def named_in(stage: Stage, given: Mapping[str, object], position: Position) -> frozenset[Power]:
    """The powers a case speaks of."""
    keys: Iterable[str] = (key for key in ("centres", "homes", "initial_homes", "units") if key in given)
    named = {power for key in keys for power in stage.by_power(given[key], key)}
    return frozenset(named | {unit.power for unit in position.units})


def play(
    stage: Stage,
    orders: object,
    before: Position,
    named: frozenset[Power],
    papers: Mapping[Power, Sequence[Order]] = MappingProxyType({}),
) -> Played:
    """Judge the phase `before` stands in, with the orders of the case and what else is handed in."""
    rows = stage.completed(stage.rows(orders, before.phase.kind), before)
    resolution = stage.judge(before, rows, papers)
    return Played(stage, before, resolution.after, before, rows, resolution, named)


# Movement and retreats

_MOVEMENT = "results dislodged legal_retreats text_about_retreats units after_movement centres_changed centres"


@kind("movement", "season units orders", _MOVEMENT)
@kind("movement_rule", "season units orders", _MOVEMENT)
@kind("movement+retreat", "season units orders retreat", _MOVEMENT)
def _movement(case: Case, stage: Stage, report: Report) -> None:
    stage = stage.without_draws()
    before = stage.position(case.given, stage.phase(PhaseKind.MOVEMENT, case.given.get("season")))
    played = play(stage, case.given.get("orders"), before, named_in(stage, case.given, before))
    expect = dict(case.expect)
    if case.kind != "movement_rule" and {"results", "after_movement"} & set(expect):
        expect.setdefault("dislodged", {})
    check(played, expect, report)
    if not case.alternative:
        check_words(played, report)
    if case.kind == "movement+retreat":
        _retreats_after(played, mapping(case.given.get("retreat"), "retreat"), report)


_RETREAT = "results units destroyed units_after centres"


def _retreats_after(moved: Played, given: dict[str, object], report: Report) -> None:
    """The retreat phase that follows a movement: its orders, and what comes of them."""
    if not given:
        raise InvalidCase("key 'retreat' is missing; a case of this kind goes on with retreats.")
    expects = frozenset(_RETREAT.split())
    known_keys(given, expects | {"orders"}, "'retreat'")
    if moved.after.phase.kind is not PhaseKind.RETREATS:
        report.true("retreat", False, "expected a dislodged unit, came none")  # noqa: FBT003  # it did not hold
        return
    played = play(moved.stage, given.get("orders"), moved.after, moved.named)
    check(played, {key: value for key, value in given.items() if key in expects}, report)
    check_words(played, report, "retreat orders")


@kind("retreat", "season units dislodged orders", _RETREAT)
def _retreat(case: Case, stage: Stage, report: Report) -> None:
    before = stage.position(case.given, stage.phase(PhaseKind.RETREATS, case.given.get("season")))
    if not before.dislodged:
        raise InvalidCase("key 'dislodged' is missing; a case of retreats needs a unit that must retreat.")
    played = play(stage, case.given.get("orders"), before, named_in(stage, case.given, before))
    check(played, case.expect, report)
    if not case.alternative:
        check_words(played, report)


# Centres, builds and removals

_ADJUSTMENT = """built refused removed removed_by_disorder builds_due build_sites adjustments units_after units
    eliminated refused_if_tried"""


@kind("adjustment", "season units orders delta follow_up", _ADJUSTMENT)
def _adjustment(case: Case, stage: Stage, report: Report) -> None:
    _adjust(case, stage, case.given, case.expect, report)
    if "follow_up" not in case.given or case.alternative:
        return
    later = mapping(case.given["follow_up"], "follow_up")
    known_keys(later, {"season", "units", "orders", "delta", "expect", *STATE}, "'follow_up'")
    expect = mapping(later.pop("expect", None), "follow_up, expect")
    known_keys(expect, frozenset(_ADJUSTMENT.split()), "the 'expect' of 'follow_up'")
    further = Report()
    carried = {"homes": case.given["homes"]} if "homes" in case.given else {}
    _adjust(case, stage, {**carried, **later}, expect, further)
    if not further.compared:
        raise InvalidCase("key 'follow_up' expects nothing, so it could not fail.")
    report.compared += further.compared
    report.faults += [f"follow_up, {fault}" for fault in further.faults]


def _adjust(
    case: Case, stage: Stage, given: Mapping[str, object], expect: Mapping[str, object], report: Report
) -> None:
    before = stage.position(given, stage.phase(PhaseKind.ADJUSTMENTS, given.get("season")))
    played = play(stage, given.get("orders"), before, named_in(stage, given, before))
    if "delta" in given:
        check(played, {"delta": given["delta"]}, report)
    check(played, expect, report)
    if not case.alternative:
        check_words(played, report)


@kind("ownership", "season units", "centres adjustments unowned unowned_include builds_due build_sites eliminated")
def _ownership(case: Case, stage: Stage, report: Report) -> None:
    before = stage.position(case.given, stage.phase(PhaseKind.OWNERSHIP, case.given.get("season")))
    after = stage.settled(before)
    check(Played(stage, before, after, after, named=named_in(stage, case.given, before)), case.expect, report)


@kind(
    "elimination",
    "season units dislodged orders",
    "removed eliminated homes centres builds_due build_sites adjustments units units_after",
)
def _elimination(case: Case, stage: Stage, report: Report) -> None:
    """Retreats if there are any, then ownership, then the removals that nobody ordered."""
    reckoned, named = _reckoned(case, stage)
    if reckoned.phase.kind is PhaseKind.ADJUSTMENTS and not reckoned.winners:
        resolution = stage.judge(reckoned, ())
        played = Played(stage, reckoned, resolution.after, reckoned, (), resolution, named)
    else:
        played = Played(stage, reckoned, reckoned, reckoned, named=named)
    check(played, case.expect, report)


@kind("homes", "season units dislodged orders", "homes centres never_home builds_due build_sites adjustments")
def _homes(case: Case, stage: Stage, report: Report) -> None:
    """Retreats if there are any, then ownership and what the rules make of it."""
    reckoned, named = _reckoned(case, stage)
    check(Played(stage, reckoned, reckoned, reckoned, named=named), case.expect, report)


def _reckoned(case: Case, stage: Stage) -> tuple[Position, frozenset[Power]]:
    """The position of a case after retreats and ownership, and the powers the case speaks of."""
    season = case.given.get("season")
    before = stage.position(case.given, stage.phase(PhaseKind.OWNERSHIP, season))
    named = named_in(stage, case.given, before)
    if before.dislodged:
        last = _last_before(stage, before.phase, PhaseKind.RETREATS)
        rows = stage.rows(case.given.get("orders"), PhaseKind.RETREATS)
        return stage.judge(replace(before, phase=last), rows).after, named
    if "orders" in case.given:
        raise InvalidCase("key 'orders' is for retreats here, and nobody is dislodged.")
    return replace(stage.settled(before), phase=stage.phase(PhaseKind.ADJUSTMENTS, season)), named


def _last_before(stage: Stage, phase: Phase, wanted: PhaseKind) -> Phase:
    """The last phase of a kind before `phase` in the same year."""
    cycle = stage.rules.calendar.cycle
    here = cycle.index((phase.season, phase.kind))
    earlier = [step for step in cycle[:here] if step.kind is wanted]
    if not earlier:
        raise InvalidCase(f"key 'season': no {wanted} come before {phase.season} in this calendar.")
    return Phase(earlier[-1].season, phase.year, wanted)


@kind("victory", "season centres_count points also", "winner continue")
def _victory(case: Case, stage: Stage, report: Report) -> None:
    season = case.given.get("season")
    cases = [{**case.given, "expect": case.expect}, *_also(case)]
    for given in cases:
        position = stage.position(given, stage.phase(PhaseKind.OWNERSHIP, season))
        if "points" in given:
            position = STATE["points_before"](stage, position, given["points"])
        elif "centres_count" in given:
            position = replace(position, owners=_any_centres(stage, given["centres_count"]))
        elif "centres" not in given:
            raise InvalidCase("key 'centres_count' is missing; it says how many centres each power owns.")
        after = replace(position, winners=victory.verdict(stage.rules, position).powers)
        check(Played(stage, position, after, after), mapping(given["expect"], "expect"), report)


def _also(case: Case) -> list[dict[str, object]]:
    also = case.given.get("also")
    if also is None or isinstance(also, str):
        return []
    further: list[dict[str, object]] = []
    for item in sequence(also, "also"):
        given = mapping(item, "also")
        known_keys(given, {"centres_count", "centres", "points", "expect"}, "'also'")
        known_keys(mapping(given.get("expect"), "also, expect"), {"winner", "continue"}, "the 'expect' of 'also'")
        if not given.get("expect"):
            raise InvalidCase("key 'also' expects nothing, so it could not fail.")
        further.append(given)
    return further


def _any_centres(stage: Stage, value: object) -> dict[Code, Power]:
    """Owners of as many centres as the case counts, whichever they are."""
    free = sorted(stage.board.centres)
    owners: dict[Code, Power] = {}
    for power, number in stage.by_power(value, "centres_count").items():
        count = integer(number, "centres_count")
        if not 0 <= count <= len(free):
            raise InvalidCase(f"key 'centres_count': {power} cannot own {count}; {len(free)} centres are left.")
        owners.update(dict.fromkeys(free[:count], power))
        free = free[count:]
    return owners


# Board, words, calendar: nothing is played


@kind("property", "for_all", "for_all", state=False, skip="a property is held by a property test, not by a worked case")
@kind("adjacency", "", "moves", state=False)
@kind("map", "", "corners army_only fleet_only either touching_switzerland corners_of centres_total", state=False)
@kind("parse", "", "accept refuse", state=False)
@kind("calendar", "", "phases", state=False)
def _still(case: Case, stage: Stage, report: Report) -> None:
    check(Played(stage, stage.base, stage.base, stage.base), case.expect, report)


# A game in steps

_STEP = "results dislodged units centres homes builds_due build_sites adjustments eliminated winner"


@kind("script", "season units steps", "")
def _script(case: Case, stage: Stage, report: Report) -> None:
    """Phases one after the other, from the opening or from the position given; those not named pass without orders."""
    steps = [mapping(item, "steps") for item in sequence(case.given.get("steps"), "steps")]
    position = stage.rules.opening
    if set(case.given) & {"season", "units", *STATE}:
        first = _label(stage, case.given.get("season", steps[0].get("season") if steps else None))
        position = stage.position(case.given, first)
        if "units" not in case.given:
            position = replace(position, units=stage.rules.opening.units)
    for step in steps:
        known_keys(step, {"season", "orders", "expect"}, "a step of a script")
        expect = mapping(step.get("expect"), "steps, expect")
        known_keys(expect, frozenset(_STEP.split()), "the 'expect' of a step")
        label = text(step.get("season"), "steps, season")
        position = _wait(stage, position, _label(stage, label))
        played = play(stage, step.get("orders"), position, frozenset(stage.rules.names))
        found = Report()
        after = replace(played, reckoned=played.after)
        check(after, expect, found)
        check_words(after, found)
        report.compared += found.compared
        report.faults += [f"{label}, {fault}" for fault in found.faults]
        position = played.after


def _label(stage: Stage, label: object) -> Phase:
    try:
        return stage.rules.calendar.read(text(label, "season"))
    except PlenipoError as error:
        raise InvalidCase(f"key 'season': {error}") from error


def _wait(stage: Stage, position: Position, wanted: Phase) -> Position:
    """Go on without orders until the phase a step names."""
    reached = [str(position.phase)]
    while position.phase != wanted:
        if position.winners or position.phase.year > wanted.year:
            raise InvalidCase(
                f"key 'season': the game does not come to {wanted}; it went through {', '.join(reached)}."
            )
        position = stage.judge(position, ()).after
        reached.append(str(position.phase))
    return position

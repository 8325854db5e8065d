"""Expectations: a function for each key, which compares what a case says with what came of it."""

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from functools import partial
from itertools import chain

from plenipo.cases.stage import Played, Row, Stage, judged
from plenipo.cases.values import PROSE, flag, integer, mapping, sequence, text, texts
from plenipo.engine.calendar import PhaseKind
from plenipo.engine.orders import Disband
from plenipo.engine.outcome import Outcome, Reason, Result
from plenipo.engine.phases import adjustments, ownership
from plenipo.engine.position import Power, Unit
from plenipo.errors import InvalidCase

__all__ = ["EXPECTATIONS", "WORDS", "Report", "check", "check_words", "expects"]

WORDS = ("success", "fail", "void", "open", *(result.value for result in Result if result is not Result.VOID))
"""What may stand beside an order: the four words of the DATC, or the engine's own for exactly that result."""

_SUCCESS = {Result.MOVES, Result.HOLDS, Result.SUPPORTS, Result.CONVOYS}
_SUCCESS |= {Result.RETREATS, Result.BUILDS, Result.REMOVED, Result.WAIVED}


@dataclass
class Report:
    """What was compared so far: how many things, and a sentence part for each that differed."""

    compared: int = 0
    faults: list[str] = field(default_factory=list)

    def same(self, what: str, expected: object, came: object) -> None:
        """Note whether two values are equal."""
        self.compared += 1
        if expected != came:
            self.faults.append(f"{what}: expected {_shown(expected)}, came {_shown(came)}")

    def true(self, what: str, held: bool, otherwise: str) -> None:  # noqa: FBT001  # the condition is the point
        """Note whether something held; `otherwise` says what came instead."""
        self.compared += 1
        if not held:
            self.faults.append(f"{what}: {otherwise}")


def _shown(value: object) -> str:
    if value is None:
        return "nobody"
    if isinstance(value, str):
        return f"'{value}'"
    if isinstance(value, frozenset | set):
        return ", ".join(sorted(map(str, value))) or "none"
    if isinstance(value, Mapping):
        return "; ".join(f"{key} {_shown(item)}" for key, item in sorted(value.items())) or "none"
    if isinstance(value, list | tuple):
        return ", ".join(map(str, value)) or "none"
    return str(value)


Expectation = Callable[[Played, object, Report], None]

EXPECTATIONS: dict[str, Expectation] = {}
"""Every key of `expect` that looks at a played case, and its comparison."""


def expects(key: str) -> Callable[[Expectation], Expectation]:
    """Register a key of `expect`; the kinds of case that name it then understand it."""

    def register(function: Expectation) -> Expectation:
        EXPECTATIONS[key] = function
        return function

    return register


def check(played: Played, expect: Mapping[str, object], report: Report) -> None:
    """Compare everything `expect` says; its keys have been checked to be known."""
    for key, value in expect.items():
        if key not in PROSE:
            EXPECTATIONS[key](played, value, report)


# Orders and units


def check_words(played: Played, report: Report, where: str = "orders") -> None:
    """Compare the words beside the orders."""
    for row, outcome in judged(played):
        if row.word:
            _word(f"{where}, {row.power} '{row.written}'", row.word, _came(outcome), outcome, report)


def _came(outcome: Outcome | None) -> Result:
    return outcome.result if outcome else Result.VOID


def _word(what: str, word: str, came: Result, outcome: Outcome | None, report: Report) -> None:
    if word not in WORDS:
        raise InvalidCase(f"key '{what}': '{word}' is not a result; the words are {', '.join(WORDS)}.")
    out = outcome is not None and outcome.dislodged_by is not None
    shown = f"{came}, dislodged" if out else str(came)
    if word in ("success", "fail"):
        done = came in _SUCCESS or (outcome is not None and isinstance(outcome.order, Disband))
        well = done and not out
        report.true(what, well is (word == "success"), f"expected '{word}', came '{shown}'")
    elif word != "open":
        report.true(what, word == came, f"expected '{word}', came '{shown}'")


@expects("results")
def _results(played: Played, value: object, report: Report) -> None:
    """Unit, as it stood before -> word."""
    for name, word in mapping(value, "results").items():
        unit = played.stage.find(played.pieces, name, "results")
        outcome = played.outcome(unit)
        came = _came(outcome)
        if outcome is not None and outcome.order is None and any(_unreadable(row, unit) for row in played.rows):
            came = Result.VOID
        _word(f"results, {unit}", text(word, "results").casefold(), came, outcome, report)


def _unreadable(row: Row, unit: Unit) -> bool:
    return (
        row.order is None and row.about is not None and (row.power, row.about.location) == (unit.power, unit.location)
    )


@expects("dislodged")
def _dislodged(played: Played, value: object, report: Report) -> None:
    """Unit -> `by` and `retreats`; nobody else was dislodged."""
    expected: set[Unit] = set()
    for name, facts in mapping(value, "dislodged").items():
        unit = played.stage.find(played.pieces, name, "dislodged")
        expected.add(unit)
        told = mapping(facts, "dislodged")
        if not set(told) <= {"by", "retreats"}:
            raise InvalidCase(f"key 'dislodged': '{name}' has {', '.join(told)}; it may have 'by' and 'retreats'.")
        outcome = played.outcome(unit)
        if outcome is None or outcome.dislodged_by is None:
            continue
        if "by" in told:
            by = played.stage.find(played.pieces, told["by"], "dislodged, by")
            report.same(f"dislodged, {unit}, by", str(by), str(outcome.dislodged_by))
        if "retreats" in told:
            _retreats_are(played.stage, unit, told["retreats"], outcome, report)
    came = {outcome.unit for outcome in played.outcomes if outcome.unit and outcome.dislodged_by}
    report.same("dislodged", _names(expected), _names(came))


def _retreats_are(stage: Stage, unit: Unit, value: object, outcome: Outcome, report: Report) -> None:
    report.same(f"retreats of {unit}", _names(stage.places(value, "retreats")), _names(outcome.retreats))


@expects("legal_retreats")
def _legal_retreats(played: Played, value: object, report: Report) -> None:
    """Dislodged unit -> everywhere it may retreat to."""
    for name, places in mapping(value, "legal_retreats").items():
        outcome = _must_retreat(played, name, "legal_retreats", report)
        if outcome is not None and outcome.unit is not None:
            _retreats_are(played.stage, outcome.unit, places, outcome, report)


@expects("text_about_retreats")
def _text_about_retreats(played: Played, value: object, report: Report) -> None:
    """Dislodged unit -> `allowed` and `forbidden` places."""
    for name, facts in mapping(value, "text_about_retreats").items():
        told = mapping(facts, "text_about_retreats")
        if not set(told) <= {"allowed", "forbidden"}:
            raise InvalidCase(f"key 'text_about_retreats': '{name}' may have 'allowed' and 'forbidden'.")
        outcome = _must_retreat(played, name, "text_about_retreats", report)
        for word, places in told.items():
            for place in played.stage.places(places, "text_about_retreats"):
                if outcome is not None:
                    came = "allowed" if place in outcome.retreats else "forbidden"
                    report.same(f"retreat of {name} to {place}", word, came)


def _must_retreat(played: Played, name: str, key: str, report: Report) -> Outcome | None:
    """The outcome of a unit that should have been dislodged; None, with a fault told, if it was not."""
    unit = played.stage.find(played.pieces, name, key)
    outcome = played.outcome(unit)
    out = outcome is not None and outcome.dislodged_by is not None
    report.true(f"{key}, {unit}", out, "expected to be dislodged, came undislodged")
    return outcome if out else None


@expects("units")
def _units(played: Played, value: object, report: Report) -> None:
    """Rows `[power, unit, end]` say where a unit came to; a mapping of power to units says who stands afterwards."""
    if isinstance(value, list):
        for item in value:
            _end_of_unit(played, texts(item, "units"), report)
        return
    _standing(played, value, "units", report)


def _end_of_unit(played: Played, row: list[str], report: Report) -> None:
    """The end is a location, `x<LOC` if dislodged by the unit from LOC, or `gone` if off the board for good."""
    if len(row) != 3:
        raise InvalidCase(f"key 'units': {row!r} must be [power, unit, end].")
    stage = played.stage
    unit = stage.find(played.pieces, row[1], "units")
    report.same(f"owner of {unit}", stage.power(row[0], "units"), unit.power)
    if row[2] == "gone":
        end = "gone"
    elif row[2].startswith("x<"):
        end = f"x<{stage.place(row[2][2:], 'units').space}"
    else:
        end = str(stage.place(row[2], "units"))
    report.same(f"end of {unit} of {unit.power}", end, _end(played, unit))


def _end(played: Played, unit: Unit) -> str:
    """Where `unit` is afterwards, seen from its outcome and found there in the next position."""
    outcome = played.outcome(unit)
    if outcome is None:
        return "gone"
    if outcome.dislodged_by is not None:
        return f"x<{outcome.dislodged_by.space}"
    to = getattr(outcome.order, "to", None) if outcome.result in (Result.MOVES, Result.RETREATS) else unit.location
    if outcome.result is Result.DISBANDED or to is None:
        return "gone"
    there = played.after.unit_at(to.space)
    same = there is not None and (there.power, there.kind) == (unit.power, unit.kind)
    return str(there.location) if there is not None and same else f"gone from {to}"


def _names(things: Iterable[object]) -> frozenset[str]:
    return frozenset(map(str, things))


def _standing(played: Played, value: object, key: str, report: Report) -> None:
    """Power -> its units on the board; powers not named are not tested."""
    stage = played.stage.at(played.after)
    for power, items in stage.by_power(value, key).items():
        expected = _names(stage.unit(power, item, key) for item in sequence(items, key))
        report.same(f"{key} of {power}", expected, _names(played.after.units_of(power)))


@expects("units_after")
def _units_after(played: Played, value: object, report: Report) -> None:
    _standing(played, value, "units_after", report)


@expects("after_movement")
def _after_movement(played: Played, value: object, report: Report) -> None:
    """Power -> its units on the board, complete: a power not named has none."""
    _standing(played, value, "after_movement", report)
    named = set(played.stage.by_power(value, "after_movement"))
    others = {unit for unit in played.after.units if unit.power not in named}
    report.same("after_movement of powers not named", frozenset(), _names(others))


@expects("destroyed")
def _destroyed(played: Played, value: object, report: Report) -> None:
    """The units that left the board in a retreat phase."""
    expected = {played.stage.find(played.pieces, name, "destroyed") for name in texts(value, "destroyed")}
    came = {outcome.unit for outcome in played.outcomes if outcome.result is Result.DISBANDED}
    report.same("destroyed", _names(expected), _names(came))


# Centres, builds and removals


@expects("centres")
def _centres(played: Played, value: object, report: Report) -> None:
    stage = played.stage.at(played.after)
    for power, codes in stage.by_power(value, "centres").items():
        expected = _names(stage.codes(codes, "centres"))
        report.same(f"centres of {power}", expected, _names(played.after.centres_of(power)))


@expects("centres_changed")
def _centres_changed(played: Played, value: object, report: Report) -> None:
    changed = dict(played.before.owners) != dict(played.after.owners)
    report.same("centres_changed", flag(value, "centres_changed"), changed)


@expects("unowned")
def _unowned(played: Played, value: object, report: Report) -> None:
    for code in sorted(played.stage.at(played.after).codes(value, "unowned")):
        report.same(f"owner of {code}", None, played.after.owners.get(code))


EXPECTATIONS["unowned_include"] = _unowned


@expects("homes")
def _homes(played: Played, value: object, report: Report) -> None:
    stage = played.stage.at(played.after)
    for power, codes in stage.by_power(value, "homes").items():
        expected = _names(stage.codes(codes, "homes"))
        report.same(f"homes of {power}", expected, _names(played.after.homes_of(power)))


@expects("never_home")
def _never_home(played: Played, value: object, report: Report) -> None:
    """Centres that are the home of nobody."""
    homes = {code for codes in played.after.homes.values() for code in codes}
    report.same("never_home", frozenset(), _names(played.stage.codes(value, "never_home") & homes))


def _due(played: Played, power: Power) -> int:
    return adjustments.due(played.stage.rules, played.reckoned, power)


@expects("adjustments")
def _adjustments(played: Played, value: object, report: Report) -> None:
    """Power -> units to build, negative to remove."""
    for power, number in played.stage.by_power(value, "adjustments").items():
        report.same(f"adjustment of {power}", integer(number, "adjustments"), _due(played, power))


EXPECTATIONS["delta"] = _adjustments


@expects("builds_due")
def _builds_due(played: Played, value: object, report: Report) -> None:
    for power, number in played.stage.by_power(value, "builds_due").items():
        report.same(f"builds due to {power}", integer(number, "builds_due"), max(0, _due(played, power)))


@expects("build_sites")
def _build_sites(played: Played, value: object, report: Report) -> None:
    """Power -> where it may build, nowhere if no build is due."""
    for power, codes in played.stage.by_power(value, "build_sites").items():
        sites = adjustments.build_sites(played.stage.rules, played.reckoned, power) if _due(played, power) > 0 else ()
        report.same(f"build sites of {power}", _names(played.stage.codes(codes, "build_sites")), _names(sites))


def _pieces_by_power(played: Played, result: Result) -> dict[Power, frozenset[str]]:
    found: dict[Power, set[str]] = {}
    for outcome in played.outcomes:
        if outcome.result is result:
            found.setdefault(outcome.power, set()).add(str(outcome.unit))
    return {power: frozenset(units) for power, units in found.items()}


def _expected_pieces(played: Played, value: object, key: str) -> dict[Power, frozenset[str]]:
    return {
        power: _names(played.stage.unit(power, item, key) for item in sequence(items, key))
        for power, items in played.stage.by_power(value, key).items()
    }


@expects("built")
def _built(played: Played, value: object, report: Report) -> None:
    """Power -> units built, complete: a power not named built nothing."""
    expected = {power: units for power, units in _expected_pieces(played, value, "built").items() if units}
    report.same("built", expected, _pieces_by_power(played, Result.BUILDS))


@expects("removed")
def _removed(played: Played, value: object, report: Report) -> None:
    """Power -> units removed, by order or by the rule; an empty mapping says that nobody removed any."""
    came = _pieces_by_power(played, Result.REMOVED)
    expected = _expected_pieces(played, value, "removed")
    if not expected:
        report.same("removed", {}, came)
    for power, units in expected.items():
        report.same(f"removed by {power}", units, came.get(power, frozenset()))


@expects("removed_by_disorder")
def _removed_by_disorder(played: Played, value: object, report: Report) -> None:
    """The units the rule of civil disorder removed."""
    expected = {played.stage.find(played.pieces, name, "removed_by_disorder") for name in texts(value, "removed")}
    came = {o.unit for o in played.outcomes if o.result is Result.REMOVED and o.cause.reason is Reason.CIVIL_DISORDER}
    report.same("removed_by_disorder", _names(expected), _names(came))


@expects("refused")
def _refused(played: Played, value: object, report: Report) -> None:
    """Power -> its orders that were not carried out, or a text that says why; an empty mapping: none was refused."""
    came: dict[Power, set[str]] = {}
    for row in played.refusals:
        came.setdefault(row.power, set()).add(_plain(row.written))
    expected = played.stage.by_power(value, "refused")
    if not expected:
        report.same("refused", {}, came)
    for power, orders in expected.items():
        if isinstance(orders, str):
            report.true(f"refused orders of {power}", power in came, "expected to be refused, came accepted")
            continue
        given = {_plain(order) for order in texts(orders, "refused")}
        report.same(f"refused orders of {power}", given, came.get(power, set()))


def _plain(order: str) -> str:
    return " ".join(order.split()).upper()


@expects("refused_if_tried")
def _refused_if_tried(played: Played, value: object, report: Report) -> None:
    """Orders each of which is refused when it is given alone, whichever power of the case gives it."""
    stage = played.stage
    for written in texts(value, "refused_if_tried"):
        for power in sorted(played.named):
            rows = stage.rows({power: [written]}, played.before.phase.kind, "refused_if_tried")
            alone = Played(stage, played.before, played.before, played.before, rows, stage.judge(played.before, rows))
            outcome = judged(alone)[0][1]
            refused = outcome is None or outcome.result is Result.VOID
            report.true(f"'{written}' of {power}", refused, "expected to be refused, came accepted")


@expects("eliminated")
def _eliminated(played: Played, value: object, report: Report) -> None:
    """The powers of the case that have neither unit nor centre left."""
    after = played.after
    came = {power for power in played.named if not after.units_of(power) and not after.centres_of(power)}
    report.same("eliminated", frozenset(played.stage.powers(value, "eliminated")), frozenset(came))


# Victory


@expects("winner")
def _winner(played: Played, value: object, report: Report) -> None:
    expected = () if value is None else (played.stage.power(value, "winner"),)
    report.same("winner", expected, played.after.winners)


@expects("continue")
def _continue(played: Played, value: object, report: Report) -> None:
    report.same("continue", flag(value, "continue"), not played.after.winners)


# The board


@expects("moves")
def _moves(played: Played, value: object, report: Report) -> None:
    """Rows of `unit`, `from`, `to`, `adjacent`: whether the unit can make that step without convoy."""
    for item in sequence(value, "moves"):
        row = mapping(item, "moves")
        if set(row) != {"unit", "from", "to", "adjacent"}:
            raise InvalidCase(f"key 'moves': a row has unit, from, to and adjacent, not {', '.join(row)}.")
        unit, start, end = (text(row[key], "moves") for key in ("unit", "from", "to"))
        report.same(f"'{unit} {start} - {end}'", flag(row["adjacent"], "adjacent"), _adjacent(played, unit, start, end))


def _adjacent(played: Played, letter: str, start: str, end: str) -> bool:
    stage, board = played.stage, played.stage.board
    kind = stage.unit(stage.rules.names[0], f"{letter} {start}", "moves").kind
    here, there = stage.place(start, "moves, from"), stage.place(end, "moves, to")
    if there.coast:
        return there in board.steps(kind, here)
    return there.space in board.reach(kind, here)


def _corner_kinds(played: Played) -> list[str]:
    """For each corner of the board who could stand there: only armies, only fleets, either."""
    board = played.stage.board
    kinds: list[str] = []
    for corner in board.corners:
        wet = {board.spaces[place.space].terrain == "sea" for place in corner.touches}
        kinds.append("either" if len(wet) == 2 else "fleet_only" if wet == {True} else "army_only")
    return kinds


def _touching(played: Played, value: object) -> int:
    code = played.stage.place(value, "corners").space
    return sum(any(place.space == code for place in corner.touches) for corner in played.stage.board.corners)


@expects("corners")
def _corners(played: Played, value: object, report: Report) -> None:
    report.same("corners", integer(value, "corners"), len(played.stage.board.corners))


def _count_of(kind: str) -> Expectation:
    def compare(played: Played, value: object, report: Report) -> None:
        report.same(f"corners, {kind}", integer(value, kind), _corner_kinds(played).count(kind))

    return compare


for _kind in ("army_only", "fleet_only", "either"):
    EXPECTATIONS[_kind] = _count_of(_kind)


@expects("touching_switzerland")
def _touching_switzerland(played: Played, value: object, report: Report) -> None:
    number = integer(value, "touching_switzerland")
    report.same("corners touching Switzerland", number, _touching(played, "Switzerland"))


@expects("corners_of")
def _corners_of(played: Played, value: object, report: Report) -> None:
    for name, number in mapping(value, "corners_of").items():
        report.same(f"corners of {name}", integer(number, "corners_of"), _touching(played, name))


@expects("centres_total")
def _centres_total(played: Played, value: object, report: Report) -> None:
    report.same("centres_total", integer(value, "centres_total"), len(played.stage.board.centres))


# Words and calendar


@expects("accept")
def _accept(played: Played, value: object, report: Report) -> None:
    """Text -> how the program prints what it understood: a place, a unit or an order."""
    for written, canonical in mapping(value, "accept").items():
        meant = re.sub(r"\((\w+)\)(?=$|\s)", lambda match: f"/{match.group(1).upper()}", text(canonical, "accept"))
        came = _readings(played, written)
        otherwise = f"expected to be read as '{canonical}', came {_shown(sorted(came))}"
        report.true(f"accept, '{written}'", meant in came, otherwise)


@expects("refuse")
def _refuse(played: Played, value: object, report: Report) -> None:
    """Texts that mean neither place nor unit nor order."""
    for written in texts(value, "refuse"):
        report.same(f"refuse, '{written}'", [], sorted(_readings(played, written)))


def _readings(played: Played, written: str) -> set[str]:
    notation = played.stage.notation
    readers: list[Callable[[str], object]] = [notation.location, notation.unit]
    readers += [partial(notation.read, kind=kind) for kind in PhaseKind if kind.asks_orders]
    found: set[str] = set()
    for reader in readers:
        try:
            found.add(str(reader(written)))
        except ValueError:
            continue
    return found


@expects("phases")
def _phases(played: Played, value: object, report: Report) -> None:
    """The phases of the calendar from the first on in which orders are given, or rule modules act."""
    expected = [_phase_label(label) for label in texts(value, "phases")]
    rules = played.stage.rules
    came: list[str] = []
    for phase in chain([rules.calendar.first], rules.calendar.after(rules.calendar.first)):
        if len(came) >= len(expected):
            break
        if phase.kind.asks_orders:
            came.append(str(phase))
        else:
            came += [f"{phase.season} {phase.year} {event}" for event in ownership.scheduled(rules, phase)]
    report.same("phases", expected, came)


def _phase_label(label: str) -> str:
    """`Spring 1901 moves` as the calendar prints it: `Spring 1901 movement`."""
    words = {
        "moves": PhaseKind.MOVEMENT,
        "builds": PhaseKind.ADJUSTMENTS,
        "home choice": PhaseKind.CHOICE,
    }
    for word, usual in words.items():
        if label.endswith(f" {word}"):
            return f"{label.removesuffix(word)}{usual}"
    return label

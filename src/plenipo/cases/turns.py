"""Cases of the kind `turn_sequence`: what one power owns, may build and must remove, turn after turn.

Each turn is played: the units are put where the case says they came to stand, everybody holds, and the engine goes on
from there as in any game, through the settling of ownership and the adjustments.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import chain

from plenipo.cases.checks import Report, check, expects
from plenipo.cases.format import Case
from plenipo.cases.kinds import kind
from plenipo.cases.stage import Played, Row, Stage
from plenipo.cases.values import flag, integer, known_keys, mapping, sequence
from plenipo.engine.board import Code, Location, UnitKind
from plenipo.engine.calendar import Phase, PhaseKind
from plenipo.engine.orders import Remove
from plenipo.engine.phases import adjustments
from plenipo.engine.position import Position, Power, Unit
from plenipo.errors import InvalidCase

__all__: list[str] = []  # everything here is reached through the tables of kinds and expectations

_EXPECTS = "owned builds_due removals_due pieces_allowed_for_builds pieces_allowed_before_removal"

_STEP = {
    *("turn", "season", "owned_before", "pieces", "captures", "loses", "loses_pieces", "unit_leaves", "nobody_enters"),
    "expect",
}


@dataclass
class _Course:
    """How far a sequence has come: the position after the last turn, and where the units of the case stand.

    `power` is the power watched, `other` the one that takes centres from it. `pieces` is how many units the power has;
    `standing` the centres it took and still stands in; `lost` those in which the other stands.
    """

    stage: Stage
    power: Power
    other: Power
    position: Position
    turn: int = 0
    pieces: int = 0
    due: int = 0
    standing: frozenset[Code] = frozenset()
    lost: frozenset[Code] = frozenset()

    def units(self) -> tuple[Unit, ...]:
        """The units on the board: in centres taken, and the rest where there are none."""
        if len(self.standing) > self.pieces:
            raise InvalidCase(
                f"key 'captures': {self.power} stands in {', '.join(sorted(self.standing))}, "
                f"but has {self.pieces} {'piece' if self.pieces == 1 else 'pieces'}."
            )
        aside = self._aside()
        mine = [*sorted(self.standing), *(next(aside) for _ in range(self.pieces - len(self.standing)))]
        return (
            *(Unit(self.power, UnitKind.ARMY, Location(code)) for code in mine),
            *(Unit(self.other, UnitKind.ARMY, Location(code)) for code in sorted(self.lost)),
        )

    def _aside(self) -> Iterator[Code]:
        """Provinces without a centre, in which units change nothing."""
        board = self.stage.board
        for code in sorted(set(board.spaces) - board.centres):
            if board.can_stand(UnitKind.ARMY, Location(code)):
                yield code
        raise InvalidCase(f"key 'pieces': {self.pieces} are more than there are provinces to stand in.")


@kind("turn_sequence", "power steps", "")
def _turn_sequence(case: Case, stage: Stage, report: Report) -> None:
    """Turn after turn; those between that no step names pass without anything changing."""
    steps = [mapping(item, "steps") for item in sequence(case.given.get("steps"), "steps")]
    if not steps:
        raise InvalidCase("key 'steps' is missing; it has a mapping for each turn.")
    course = _begin(case, stage, steps[0])
    for step in steps:
        number = integer(step.get("turn", course.turn + 1), "turn")
        if number <= course.turn:
            raise InvalidCase(f"key 'turn': turn {number} comes after turn {course.turn}; turns are counted upwards.")
        while course.turn < number - 1:
            _play(course, {})
        settled = _play(course, step)
        found = Report()
        expect = mapping(step.get("expect"), "steps, expect")
        known_keys(expect, frozenset(_EXPECTS.split()), "the 'expect' of a step")
        if isinstance(expect.get("builds_due"), int):  # elsewhere the key has a number for each power
            expect["builds_due"] = {course.power: expect["builds_due"]}
        check(_Turn(stage, settled, settled, settled, power=course.power), expect, found)
        report.compared += found.compared
        report.faults += [f"turn {number}, {fault}" for fault in found.faults]


def _begin(case: Case, stage: Stage, first: dict[str, object]) -> _Course:
    """The position before the first turn, with what rule modules remember of it."""
    power = stage.power(case.given.get("power"), "power")
    if "owned_before" not in first or "pieces" not in first:
        raise InvalidCase("key 'steps': the first step says 'owned_before' and 'pieces'.")
    owned = stage.codes(first["owned_before"], "owned_before")
    phase = _turn(stage, stage.phase(PhaseKind.MOVEMENT, first.get("season")))
    base = stage.described({key: value for key, value in case.given.items() if key not in ("power", "steps")}, phase)
    owners = {code: owner for code, owner in base.owners.items() if owner != power and code not in owned}
    other = next(name for name in stage.rules.names if name != power)
    course = _Course(stage, power, other, base, pieces=integer(first["pieces"], "pieces"))
    before = replace(base, owners={**owners, **dict.fromkeys(owned, power)}, units=course.units())
    course.position = stage.remembering(stage.sound(before))
    return course


def _turn(stage: Stage, phase: Phase) -> Phase:
    """The last movement phase from `phase` on before ownership is settled."""
    for later in stage.rules.calendar.after(phase):
        if later.kind is PhaseKind.OWNERSHIP:
            return phase
        if later.kind is PhaseKind.MOVEMENT:
            phase = later
    raise AssertionError("a calendar has no end")


def _play(course: _Course, step: dict[str, object]) -> Position:
    """Play one turn; returns the position between its settling and its adjustments."""
    known_keys(step, _STEP, "a step of a turn sequence")
    stage, course.turn = course.stage, course.turn + 1
    phase = _turn(stage, course.position.phase)
    if "season" in step and _turn(stage, stage.phase(PhaseKind.MOVEMENT, step["season"])) != phase:
        raise InvalidCase(f"key 'season': turn {course.turn} is {phase.season} {phase.year}, not {step['season']}.")
    if "owned_before" in step and stage.codes(step["owned_before"], "owned_before") != _owned(course):
        raise InvalidCase(
            f"key 'owned_before': before turn {course.turn} {course.power} owns {', '.join(sorted(_owned(course)))}."
        )
    _stand(course, step)
    placed = stage.sound(replace(course.position, phase=phase, units=course.units()))
    settled = stage.judge(placed, ()).after
    if settled.winners:
        raise InvalidCase(f"key 'steps': in turn {course.turn} {' and '.join(settled.winners)} won the game.")
    course.due = adjustments.due(stage.rules, settled, course.power)
    course.position = _adjusted(course, settled)
    course.pieces = len(course.position.units_of(course.power))
    return settled


def _owned(course: _Course) -> frozenset[Code]:
    return frozenset(course.position.centres_of(course.power))


def _stand(course: _Course, step: dict[str, object]) -> None:
    """Count the pieces of the turn, and see which centres they and the other's came to stand in."""
    stage = course.stage
    captures, loses = (stage.codes(step.get(key), key) for key in ("captures", "loses"))
    left = _places(course, step.get("unit_leaves"), "unit_leaves")
    quiet = _places(course, step.get("nobody_enters"), "nobody_enters")
    _refuse(captures & loses, "loses", "it captures in the same turn")
    _refuse(left & captures, "unit_leaves", "it captures in the same turn")
    _refuse(left - course.standing, "unit_leaves", f"{course.power} has no unit that came there")
    entered = captures | loses
    _refuse(
        entered if step.get("nobody_enters") is True else entered & quiet,
        "nobody_enters",
        "somebody enters in this turn",
    )
    _refuse(entered - stage.board.centres, "captures", "is no centre")
    _refuse(loses - _owned(course), "loses", f"{course.power} does not own")
    if "pieces" in step:
        count = integer(step["pieces"], "pieces")
        if course.turn > 1 and count > course.pieces + max(0, course.due):
            raise InvalidCase(
                f"key 'pieces': {course.power} had {course.pieces} after turn {course.turn - 1} and could build "
                f"{max(0, course.due)}, and so cannot have {count}."
            )
        course.pieces = count
    course.pieces -= integer(step.get("loses_pieces", 0), "loses_pieces")
    course.standing = (course.standing | captures) - left - loses
    course.lost = (course.lost | loses) - captures


def _refuse(codes: frozenset[Code], key: str, why: str) -> None:
    if codes:
        raise InvalidCase(f"key '{key}' has {', '.join(sorted(codes))}, which {why}.")


def _places(course: _Course, value: object, key: str) -> frozenset[Code]:
    """The places of a list or a single place; `true` means every centre the power took and stands in."""
    if isinstance(value, bool):
        return course.standing if flag(value, key) else frozenset()
    return course.stage.codes([value] if isinstance(value, str) else value, key)


def _adjusted(course: _Course, settled: Position) -> Position:
    """The position before the next turn: nothing is built, and what must go goes from where it changes nothing."""
    if settled.phase.kind is not PhaseKind.ADJUSTMENTS:
        return settled
    aside = [unit for unit in settled.units_of(course.power) if unit.space not in course.standing]
    kept = [unit for unit in settled.units_of(course.power) if unit.space in course.standing]
    going = list(chain(aside, kept))[: max(0, -course.due)]
    course.standing -= {unit.space for unit in going}
    rows = tuple(Row(course.power, f"{unit} D", "", Remove(unit.ref)) for unit in going)
    return course.stage.judge(settled, rows).after


@dataclass(frozen=True, kw_only=True)
class _Turn(Played):
    """A turn when ownership has been settled; `power` is the one watched."""

    power: Power


def _watched(played: Played) -> Power:
    assert isinstance(played, _Turn)  # noqa: S101  # the keys below belong to `turn_sequence`
    return played.power


@expects("owned")
def _owned_are(played: Played, value: object, report: Report) -> None:
    came = frozenset(played.after.centres_of(_watched(played)))
    report.same("owned", played.stage.codes(value, "owned"), came)


@expects("removals_due")
def _removals_due(played: Played, value: object, report: Report) -> None:
    came = max(0, -adjustments.due(played.stage.rules, played.reckoned, _watched(played)))
    report.same("removals_due", integer(value, "removals_due"), came)


@expects("pieces_allowed_for_builds")
def _allowed_for_builds(played: Played, value: object, report: Report) -> None:
    """Up to how many units the power may build."""
    came = adjustments.entitlement(played.stage.rules, played.reckoned, _watched(played)).builds
    report.same("pieces_allowed_for_builds", integer(value, "pieces_allowed_for_builds"), came)


@expects("pieces_allowed_before_removal")
def _allowed_before_removal(played: Played, value: object, report: Report) -> None:
    """How many units the power may keep."""
    came = adjustments.entitlement(played.stage.rules, played.reckoned, _watched(played)).keeps
    report.same("pieces_allowed_before_removal", integer(value, "pieces_allowed_before_removal"), came)

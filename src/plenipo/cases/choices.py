"""Cases of secret choices: orders that arrive one after the other, are hidden, and are revealed together."""

from dataclasses import replace

from plenipo.cases.checks import Report, check, expects
from plenipo.cases.format import Case
from plenipo.cases.kinds import kind
from plenipo.cases.stage import CHANCE, Played, Row, Stage
from plenipo.cases.values import flag, sequence, text
from plenipo.engine.calendar import PhaseKind
from plenipo.engine.position import Position
from plenipo.engine.step import process
from plenipo.engine.submissions import Submissions
from plenipo.errors import IllegalOrder, InvalidCase

__all__: list[str] = []  # everything here is reached through the tables of kinds and expectations


@kind(
    "home_choice",
    "season orders orders_in_time late",
    "accepted refused late homes centres visible_to_others_before_reveal phase_complete waiting_for",
)
def _home_choice(case: Case, stage: Stage, report: Report) -> None:
    """Choices are handed in, then the deadline passes and they are revealed, then the late ones come."""
    before = stage.position(case.given, stage.phase(PhaseKind.CHOICE, case.given.get("season")))
    rows = (*_rows(stage, case.given.get("orders"), "orders"), *_rows(stage, case.given.get("orders_in_time")))
    submissions, turned_away = _handed_in(stage, before, rows)
    resolution = process(stage.rules, before, submissions.sheets, CHANCE)
    late = _rows(stage, case.given.get("late"), "late")
    _, too_late = _handed_in(stage, before, late, submissions.close())
    named = frozenset(row.power for row in (*rows, *late))
    played = Played(stage, before, resolution.after, resolution.after, rows, resolution, named)
    check(replace(played, submissions=submissions, turned_away=(*turned_away, *too_late)), case.expect, report)


def _rows(stage: Stage, value: object, key: str = "orders_in_time") -> tuple[Row, ...]:
    """Choices as a mapping of power to text, or in order as a list of such mappings and of rows `[power, text]`."""
    if value is None or isinstance(value, dict):
        return stage.rows(value, PhaseKind.CHOICE, key)
    return tuple(
        row
        for item in sequence(value, key)
        for row in stage.rows(item if isinstance(item, dict) else [item], PhaseKind.CHOICE, key)
    )


def _handed_in(
    stage: Stage, before: Position, rows: tuple[Row, ...], submissions: Submissions | None = None
) -> tuple[Submissions, tuple[Row, ...]]:
    """What the orders come to when they are handed in one after the other, and those that are not taken."""
    submissions = submissions or Submissions(stage.rules, before)
    turned_away: list[Row] = []
    for row in rows:
        try:
            if row.order is None:
                turned_away.append(row)
            else:
                submissions = submissions.hand_in(row.power, (row.order,))
        except IllegalOrder:
            turned_away.append(row)
    return submissions, tuple(turned_away)


def _submissions(played: Played) -> Submissions:
    assert played.submissions is not None  # noqa: S101  # only `home_choice` understands the keys below
    return played.submissions


@expects("accepted")
def _accepted(played: Played, value: object, report: Report) -> None:
    """The powers whose choice was taken in time, all of them."""
    report.same("accepted", set(played.stage.powers(value, "accepted")), set(_submissions(played).sheets))


@expects("late")
def _late(played: Played, value: object, report: Report) -> None:
    """The word `refused`: nothing that came after the reveal was taken."""
    if text(value, "late") != "refused":
        raise InvalidCase(f"key 'late': '{value}' must be 'refused'.")
    closed = _submissions(played).close()
    taken = closed.sheets != _submissions(played).sheets or not played.turned_away
    report.true("late", not taken, "expected to be refused, came accepted")


@expects("visible_to_others_before_reveal")
def _visible(played: Played, value: object, report: Report) -> None:
    """The powers whose choice another power or an observer can see while the phase is open."""
    submissions = _submissions(played)
    came = {
        power
        for reader in (None, *played.stage.rules.names)
        for power in submissions.seen_by(reader)
        if power != reader
    }
    expected = played.stage.powers(value, "visible_to_others_before_reveal")
    report.same("visible_to_others_before_reveal", set(expected), came)


@expects("phase_complete")
def _complete(played: Played, value: object, report: Report) -> None:
    report.same("phase_complete", flag(value, "phase_complete"), _submissions(played).complete)


@expects("waiting_for")
def _waiting(played: Played, value: object, report: Report) -> None:
    """The powers that have something to choose and have not chosen."""
    expected = played.stage.powers(value, "waiting_for")
    report.same("waiting_for", set(expected), set(_submissions(played).waiting_for))

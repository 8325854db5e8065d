"""Cases of secret choices: orders that arrive one after the other, are hidden, and are revealed together."""

from dataclasses import dataclass

from plenipo.cases.checks import Report, check, expects
from plenipo.cases.format import Case
from plenipo.cases.kinds import kind
from plenipo.cases.stage import CHANCE, Played, Row, Stage
from plenipo.cases.values import flag, sequence, text
from plenipo.engine.calendar import PhaseKind
from plenipo.engine.history.submissions import Submissions
from plenipo.engine.outcome import Resolution, Waiting
from plenipo.engine.phases.step import adjudicate
from plenipo.engine.position import Position
from plenipo.errors import IllegalOrder, InvalidCase

__all__ = ["Chosen"]


@dataclass(frozen=True, kw_only=True)
class Chosen(Played):
    """A choice phase after it was played.

    `submissions` are the choices before they were revealed; `turned_away` the orders that were not taken, those of
    `late`, which came after the reveal, among them.
    """

    submissions: Submissions
    turned_away: tuple[Row, ...]
    late: tuple[Row, ...]

    @property
    def refusals(self) -> tuple[Row, ...]:
        """The choices that were not taken."""
        return self.turned_away


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
    resolution = adjudicate(stage.rules, before, submissions.sheets, CHANCE)
    if isinstance(resolution, Waiting):
        resolution = Resolution(before, (), before, refusals=resolution.refusals)
    late = _rows(stage, case.given.get("late"), "late")
    _, too_late = _handed_in(stage, before, late, submissions.close())
    played = Chosen(
        stage,
        before,
        resolution.after,
        resolution.after,
        rows,
        resolution,
        frozenset(row.power for row in (*rows, *late)),
        submissions=submissions,
        turned_away=(*turned_away, *too_late),
        late=late,
    )
    check(played, case.expect, report)


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


def _chosen(played: Played) -> Chosen:
    assert isinstance(played, Chosen)  # noqa: S101  # only `home_choice` understands the keys below
    return played


@expects("accepted")
def _accepted(played: Played, value: object, report: Report) -> None:
    """The powers whose choice was taken in time, all of them."""
    report.same("accepted", set(played.stage.powers(value, "accepted")), set(_chosen(played).submissions.sheets))


@expects("late")
def _late(played: Played, value: object, report: Report) -> None:
    """The word `refused`: nothing that came after the reveal was taken."""
    late = _chosen(played).late
    if text(value, "late") != "refused" or not late:
        raise InvalidCase("key 'late': it must be 'refused', and the case must have late orders.")
    report.true("late", set(late) <= set(played.refusals), "expected to be refused, came accepted")


@expects("visible_to_others_before_reveal")
def _visible(played: Played, value: object, report: Report) -> None:
    """The powers whose choice another power or an observer can see while the phase is open."""
    submissions = _chosen(played).submissions
    readers = (None, *played.stage.rules.names)
    came = {power for reader in readers for power in submissions.seen_by(reader) if power != reader}
    expected = played.stage.powers(value, "visible_to_others_before_reveal")
    report.same("visible_to_others_before_reveal", set(expected), came)


@expects("phase_complete")
def _complete(played: Played, value: object, report: Report) -> None:
    came = _chosen(played).submissions.complete
    report.same("phase_complete", flag(value, "phase_complete"), came)


@expects("waiting_for")
def _waiting(played: Played, value: object, report: Report) -> None:
    """The powers that have something to choose and have not chosen."""
    expected = played.stage.powers(value, "waiting_for")
    report.same("waiting_for", set(expected), set(_chosen(played).submissions.waiting_for))

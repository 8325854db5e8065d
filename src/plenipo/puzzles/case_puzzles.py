"""Puzzles of the kind *What happens?*: the movements of worked cases, and the fate of their units.

`case_puzzles.tsv` lists them: the number, the difficulty, the variant, the file, the case and the step. The position
and the orders stand in the case alone, and the engine has the answer. `scripts/puzzle_index.py` writes the list.
"""

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property, lru_cache
from pathlib import Path
from typing import NamedTuple

from plenipo import library
from plenipo.cases import DATC
from plenipo.cases import format as case_format
from plenipo.cases.format import Case
from plenipo.cases.run import CasePlayer
from plenipo.engine.board import Code
from plenipo.engine.calendar import PhaseKind
from plenipo.engine.orders import Convoy, Hold, Move
from plenipo.engine.outcome import Outcome, Reason, Resolution
from plenipo.engine.position import Position
from plenipo.engine.rules import Rules
from plenipo.engine.sentences import SentenceKind
from plenipo.errors import PlenipoError, UnknownName

__all__ = [
    "MOST_ASKED",
    "CasePuzzle",
    "UnitFate",
    "fate_of",
    "find_puzzles",
    "list_questions",
    "load_case_puzzles",
    "rate_resolution",
    "read_index",
    "write_index",
]

INDEX = Path(__file__).with_name("case_puzzles.tsv")

MOST_ASKED = 5
"""The most units that a puzzle asks about."""

_GONE = SentenceKind("puzzle-gone", "Puzzle {number} is about '{case}' of the variant '{variant}', which is not here.")


class UnitFate(StrEnum):
    """The fate of a unit and its order."""

    SUCCEEDS = "succeeds"
    FAILS = "fails"
    DISLODGED = "dislodged"


def fate_of(outcome: Outcome) -> UnitFate:
    """Return the fate of a unit: dislodged, whatever its order did; else whether the order succeeded."""
    if outcome.dislodged_by is not None:
        return UnitFate.DISLODGED
    return UnitFate.SUCCEEDS if outcome.succeeded else UnitFate.FAILS


class CaseMovement(NamedTuple):
    """The movement of a case, and the rules that it was played by."""

    rules: Rules
    resolution: Resolution

    @property
    def position(self) -> Position:
        """The position before the movement."""
        return self.resolution.before


@dataclass(frozen=True)
class CasePuzzle:
    """A movement of a worked case; `source` is the file that has it, `step` counts from 0."""

    number: int
    difficulty: int
    variant: str
    source: str
    case: str
    step: int

    @cached_property
    def movement(self) -> CaseMovement:
        """The movement; raise `UnknownName` if the variant or the case is gone."""
        try:
            case = _cases_of(self.variant, self.source)[self.case]
            resolution = _movements(case)[self.step]
        except (KeyError, OSError, PlenipoError) as error:
            gone = _GONE(number=self.number, case=self.case, variant=self.variant)
            raise UnknownName(gone) from error
        return CaseMovement(_PLAYER.load(case.variant, case.options), resolution)


_PLAYER = CasePlayer()


def _file_of(variant: str, source: str) -> Path:
    own = DATC / source
    return own if own.is_file() else library.folder_of(variant) / "cases" / source


@lru_cache(maxsize=16)
def _cases_of(variant: str, source: str) -> Mapping[str, Case]:
    text = _file_of(variant, source).read_text(encoding="utf-8")
    return {case.id: case for case in case_format.read(text, source) if isinstance(case, Case)}


def _movements(case: Case) -> Mapping[int, Resolution]:
    """Return the movements of a case by the number of the step; raise `PlenipoError` for an unplayable case."""
    movements = {}
    for number, (_, _, after) in enumerate(_PLAYER.views(case)):
        if after is not None and after.resolution is not None:
            movements[number] = after.resolution
    return movements


# The choice of puzzles


def list_questions(resolution: Resolution) -> tuple[Outcome, ...]:
    """Return the units that a puzzle asks about, in their order: those with an order, or dislodged without one.

    If they are too many, those whose results are less plain come first, and armies before the fleets that convoy them.
    """
    outcomes = [one for one in resolution.outcomes if one.unit and (one.order or one.dislodged_by)]
    attacked = {one.order.to.space for one in outcomes if isinstance(one.order, Move)}
    chosen = sorted(outcomes, key=lambda one: -_rank(one, attacked))[:MOST_ASKED]
    return tuple(one for one in outcomes if one in chosen)


_WEIGHTS = {
    Reason.UNOPPOSED: 0,
    Reason.HELD: 0,
    Reason.NO_ORDER: 0,
    Reason.GIVEN: 30,
    Reason.OVERCAME: 80,
    Reason.REPELLED: 60,
    Reason.STOOD_OFF: 70,
    Reason.ATTACKED: 90,
    Reason.ILLEGAL: 90,
    Reason.NO_MATCH: 140,
    Reason.HEAD_TO_HEAD: 160,
    Reason.OWN_UNIT: 180,
    Reason.NO_CONVOY: 160,
    Reason.ROTATED: 200,
    Reason.CONVOY_BROKEN: 220,
    Reason.PARADOX: 450,
}
"""The parts of a difficulty that a reason adds once; other reasons, which are those of variants, add `_OTHER`."""

_OTHER = 150
_EASIEST, _A_UNIT, _UNCOUNTED, _DISLODGEMENT = 700, 60, 120, 50
_LANDED, _WITHSTOOD, _CONVOYS = 100, 90, -190
"""The changes of a rank: an army that came by sea, a unit that was attacked and is safe, a fleet that convoys."""


def _rank(outcome: Outcome, attacked: Collection[Code]) -> int:
    """Return the rank of a unit among those that a puzzle may ask about; `attacked` are the spaces that moves go to."""
    rank = _weigh(outcome)
    if outcome.dislodged_by is not None or outcome.unit is None:
        return rank
    if isinstance(outcome.order, Convoy):
        return rank + _CONVOYS
    if isinstance(outcome.order, Move) and outcome.succeeded and outcome.cause.fleets:
        return rank + _LANDED
    return rank or _WITHSTOOD * (outcome.unit.space in attacked)


def _weigh(outcome: Outcome) -> int:
    weight = _WEIGHTS.get(outcome.cause.reason, _OTHER) + _UNCOUNTED * bool(outcome.cause.uncounted)
    return weight + _DISLODGEMENT * (outcome.dislodged_by is not None)


def rate_resolution(resolution: Resolution) -> int:
    """Return the difficulty of a puzzle as a rating, from what the explanation of its results involves."""
    outcomes = list_questions(resolution)
    reasons = {one.cause.reason: _weigh(one) for one in outcomes}
    return _EASIEST + _A_UNIT * len(outcomes) + sum(reasons.values())


def find_puzzles(variant: str, path: Path) -> Iterator[CasePuzzle]:
    """Yield the puzzles in a file of cases, without numbers; `variant` is the one whose folder has the file.

    A case is none if it depends on chance, on secrets or on options, which a puzzle does not show; if an order of it
    counts for no unit; or if nothing in it stands in the way of a unit.
    """
    for case in _cases_of(variant, path.name).values():
        if case.skip or case.alternative or case.seed or case.options:
            continue
        try:
            rules = _PLAYER.load(case.variant, case.options)
            movements = {} if rules.has_secrets else _movements(case)
        except PlenipoError:
            continue  # a case about another subject
        for step, resolution in movements.items():
            if _is_puzzle(case, step, resolution):
                yield CasePuzzle(0, rate_resolution(resolution), case.variant, path.name, case.id, step)


def _is_puzzle(case: Case, step: int, resolution: Resolution) -> bool:
    if resolution.before.phase.kind is not PhaseKind.MOVEMENT or resolution.draws:
        return False
    given = sum(len(texts) for order_set in case.steps[step].orders for texts in order_set.values())
    orders = [one.order for one in resolution.outcomes if one.unit and one.order]
    plain = all(isinstance(order, Hold) for order in orders)
    return given == len(orders) and not plain and not _is_trivial(resolution)


def _is_trivial(resolution: Resolution) -> bool:
    """Return whether every unit moves unopposed, holds undisturbed or has no order."""
    return not any(_weigh(one) for one in list_questions(resolution))


# The list


def read_index(text: str) -> tuple[CasePuzzle, ...]:
    """Return the puzzles of a list."""
    rows = (line.split("\t") for line in text.splitlines() if line and not line.startswith("#"))
    return tuple(
        CasePuzzle(int(number), int(difficulty), variant, source, case, int(step))
        for number, difficulty, variant, source, case, step in rows
    )


def write_index(puzzles: tuple[CasePuzzle, ...]) -> str:
    """Return a list as text, by number."""
    rows = sorted(puzzles, key=lambda one: one.number)
    head = "# number, difficulty, variant, file, case, step; written by scripts/puzzle_index.py\n"
    return head + "".join(
        "\t".join(map(str, (one.number, one.difficulty, one.variant, one.source, one.case, one.step))) + "\n"
        for one in rows
    )


@lru_cache(maxsize=1)
def load_case_puzzles() -> Mapping[int, CasePuzzle]:
    """Return the puzzles of the package by their numbers."""
    return {puzzle.number: puzzle for puzzle in read_index(INDEX.read_text(encoding="utf-8"))}

"""Worked cases as pictures: a variant's test cases with their results, for its page of rules."""

from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import NamedTuple

from plenipo import library
from plenipo.cases.format import Case, read
from plenipo.cases.run import CasePlayer
from plenipo.engine.board import Code
from plenipo.engine.calendar import PhaseKind
from plenipo.engine.outcome import Resolution
from plenipo.engine.rules import Rules
from plenipo.engine.sentences import SentenceKind
from plenipo.engine.wording import listing
from plenipo.errors import PlenipoError, UnknownName
from plenipo.server.web.pictures import PictureLook, picture

__all__ = ["WorkedCase", "anchor_of_case", "case_picture", "worked_cases"]

_CASE_UNKNOWN = SentenceKind("server-case-unknown", "'{name}' is not a case of {variant} that is drawn.")

MOST = 8
"""The most cases that are drawn for a variant."""


def anchor_of_case(variant: str, name: str) -> str:
    """Return the id of the element of a page that shows a case."""
    return f"case-{variant}-{'-'.join(name.split())}"


class WorkedCase(NamedTuple):
    """A movement phase of a variant's cases: its subject, its source in the rules, and the result of each order."""

    variant: str
    id: str
    title: str
    source: str
    rules: Rules
    resolution: Resolution

    @property
    def anchor(self) -> str:
        """The id of its element of a page."""
        return anchor_of_case(self.variant, self.id)

    @property
    def sentences(self) -> tuple[str, ...]:
        """The results of its orders."""
        return tuple(outcome.why for outcome in self.resolution.outcomes if outcome.order)


@lru_cache(maxsize=32)
def worked_cases(variant: str) -> Mapping[str, WorkedCase]:
    """Return the first movement cases of a variant that use its rules unchanged, by their ids.

    Raise as `library.load` does.
    """
    worked: dict[str, WorkedCase] = {}
    player = CasePlayer()
    for case in _plain_cases(variant):
        if len(worked) < MOST and (resolution := _play_case(player, case)) is not None:
            source = str(case.notes.get("source") or listing(case.notes.get("rules", ())))
            rules = player.load(case.variant, case.options)
            worked[case.id] = WorkedCase(variant, case.id, str(case.notes.get("title", "")), source, rules, resolution)
    return worked


def _plain_cases(variant: str) -> Iterator[Case]:
    """Yield the cases of a variant that are one phase on an unchanged board and give results of orders."""
    for file in sorted((library.folder_of(variant) / "cases").glob("*.yaml")):
        for case in read(file.read_text(encoding="utf-8"), file.name):
            if isinstance(case, Case) and case.variant == variant and len(case.steps) == 1:
                plain = not (case.skip or case.alternative or case.seed or case.steps[0].before)
                if plain and "units" in case.steps[0].position and case.steps[0].expect.get("results"):
                    yield case


def _play_case(player: CasePlayer, case: Case) -> Resolution | None:
    """Return the resolution of a case, None unless it is of a movement and as the case expects."""
    try:
        _, before, after = next(player.views(case))
        movement = before.position.phase.kind is PhaseKind.MOVEMENT
        return after.resolution if after is not None and movement and not any(player.faults(case)) else None
    except PlenipoError:
        return None  # a case about another subject


def case_picture(variant: str, name: str, theme: str) -> str:
    """Return a worked case as SVG, cropped to its subject; raise `UnknownName` for one that is not drawn."""
    case = worked_cases(variant).get(name)
    if case is None:
        raise UnknownName(_CASE_UNKNOWN(name=name, variant=variant))
    rules, before = case.rules, case.resolution.before
    board = rules.board_at(before)
    own: set[Code] = {unit.space for unit in before.units}
    around = {other for code in own for other in board.borders.get(code, ()) if other is not None}
    return picture(rules, before, PictureLook(theme, legend=False, focus=tuple(sorted(own | around))), case.resolution)

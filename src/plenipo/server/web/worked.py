"""Worked cases as pictures: what the cases of a variant order, drawn with what came of it, for its page of rules."""

from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import Any, NamedTuple

import yaml

from plenipo import library
from plenipo.engine.board import Code
from plenipo.engine.calendar import PhaseKind
from plenipo.engine.history.game import notation_of
from plenipo.engine.outcome import Resolution
from plenipo.engine.phases.step import process
from plenipo.engine.position import Power
from plenipo.engine.reading.positions import read_position
from plenipo.engine.rules import Rules
from plenipo.engine.wording import listing
from plenipo.errors import PlenipoError, UnknownName
from plenipo.server.web.pictures import Look, picture

__all__ = ["WorkedCase", "case_picture", "worked_cases"]

MOMENT = ("units", "centres", "homes", "dislodged", "changes", "slots")
"""What a case says of its position, beside the phase."""

PLAIN = frozenset(
    {"id", "title", "source", "rules", "variant", "options", "phase", "orders", "expect", "note", *MOMENT}
)
"""What a case says that is one phase and nothing else."""

MOST = 8
"""How many cases of a variant are drawn."""


class WorkedCase(NamedTuple):
    """A movement of a variant's cases: what it shows, where the rules say so, and what came of each order."""

    id: str
    title: str
    source: str
    rules: Rules
    resolution: Resolution

    @property
    def sentences(self) -> tuple[str, ...]:
        """What came of its orders."""
        return tuple(outcome.why for outcome in self.resolution.outcomes if outcome.order)


@lru_cache(maxsize=32)
def worked_cases(variant: str) -> Mapping[str, WorkedCase]:
    """The first movements among the cases of a variant that are played with its rules as they are, by their ids.

    Raises as `library.load` does.
    """
    found = dict[str, WorkedCase]()
    for case in _cases(variant):
        rules = library.load(variant, {name: str(value) for name, value in case.get("options", {}).items()})
        if len(found) < MOST and (resolution := _played(rules, case)) is not None:
            found[case["id"]] = WorkedCase(
                str(case["id"]),
                str(case.get("title", "")),
                str(case.get("source") or listing(case.get("rules", ()))),
                rules,
                resolution,
            )
    return found


def _cases(variant: str) -> Iterator[Mapping[str, Any]]:
    for file in sorted((library.folder_of(variant) / "cases").glob("*.yaml")):
        for case in yaml.safe_load(file.read_text(encoding="utf-8"))["cases"]:
            plain = case.keys() <= PLAIN and case.get("variant", variant) == variant
            if plain and all(isinstance(case.get(key), Mapping) for key in ("units", "orders", "expect")):
                yield case


def _played(rules: Rules, case: Mapping[str, Any]) -> Resolution | None:
    """What comes of the orders of a case, if they are those of a movement on the board as it begins."""
    try:
        moment = {"phase": case.get("phase", "movement")} | {key: case[key] for key in MOMENT if key in case}
        position = read_position(rules, moment).position
        if position.phase.kind is not PhaseKind.MOVEMENT:
            return None
        notation = notation_of(rules, position)
        sheets = {
            Power(rules.power(power)): [notation.read(text, position.phase.kind) for text in texts]
            for power, texts in case["orders"].items()
        }
        resolution = process(rules, position, sheets)
        came = {str(outcome.unit): str(outcome.result) for outcome in resolution.outcomes if outcome.unit}
        return resolution if _agree(case["expect"].get("results", {}), came) else None
    except (PlenipoError, TypeError, AttributeError):
        return None  # a case about something else


def _agree(expected: Mapping[str, Any], came: Mapping[str, str]) -> bool:
    """Whether the results a case expects are those that came; a case that expects none is about something else."""
    results = {unit: value.get("result") if isinstance(value, Mapping) else value for unit, value in expected.items()}
    return bool(results) and all(came.get(unit) == result for unit, result in results.items() if result)


def case_picture(variant: str, name: str, theme: str) -> str:
    """A worked case as SVG, cut down to what it is about; raises `UnknownName` for one that is not drawn."""
    case = worked_cases(variant).get(name)
    if case is None:
        raise UnknownName(f"'{name}' is not a case of {variant} that is drawn.")
    rules, before = case.rules, case.resolution.before
    board = rules.board_at(before)
    own: set[Code] = {unit.space for unit in before.units}
    around = {other for code in own for other in board.borders.get(code, ()) if other is not None}
    return picture(rules, before, Look(theme, legend=False, focus=tuple(sorted(own | around))), case.resolution)

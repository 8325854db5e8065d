"""Puzzles from worked cases: the list is that of the cases, the answers are the engine's, and a loss is named."""

from pathlib import Path

import pytest

from plenipo.engine.orders import Hold
from plenipo.engine.outcome import Resolution
from plenipo.errors import UnknownName
from plenipo.puzzles import CasePuzzle, UnitFate, load_case_puzzles
from plenipo.puzzles.case_puzzles import (
    MOST_ASKED,
    fate_of,
    find_puzzles,
    list_questions,
    read_index,
    write_index,
)
from puzzle_index import number_puzzles, write_list

PUZZLES = load_case_puzzles()


def puzzle_of(case: str) -> CasePuzzle:
    return next(one for one in PUZZLES.values() if one.case == case)


def fates(resolution: Resolution) -> dict[str, str]:
    return {str(one.unit): str(fate_of(one)) for one in list_questions(resolution)}


def test_the_list_is_that_of_the_cases_of_the_package() -> None:
    text = write_index(tuple(PUZZLES.values()))
    assert write_list(text) == text, "run scripts/puzzle_index.py"


def test_a_puzzle_keeps_its_number_while_its_case_is_there() -> None:
    one, other = CasePuzzle(0, 900, "standard", "a.yaml", "A", 0), CasePuzzle(0, 900, "standard", "a.yaml", "B", 0)
    first = number_puzzles((), iter((other,)))
    assert [puzzle.number for puzzle in first] == [1]
    both = number_puzzles(first, iter((one, other)))
    assert [(puzzle.case, puzzle.number) for puzzle in both] == [("A", 2), ("B", 1)]


def test_a_list_is_read_as_it_was_written() -> None:
    puzzles = tuple(PUZZLES.values())
    assert read_index(write_index(puzzles)) == puzzles
    assert len({one.number for one in puzzles}) == len(puzzles)


@pytest.mark.parametrize("puzzle", PUZZLES.values(), ids=lambda one: f"{one.number} {one.case}")
def test_every_puzzle_asks_about_units_whose_fate_is_known(puzzle: CasePuzzle) -> None:
    resolution = puzzle.movement.resolution
    outcomes = list_questions(resolution)
    assert 1 <= len(outcomes) <= MOST_ASKED
    assert len({one.unit for one in outcomes}) == len(outcomes)
    assert all(one.why for one in outcomes)
    assert any(one.order and not isinstance(one.order, Hold) for one in outcomes)


def test_no_two_puzzles_show_the_same_and_have_different_answers() -> None:
    answers: dict[object, dict[str, str]] = {}
    for puzzle in PUZZLES.values():
        resolution = puzzle.movement.resolution
        orders = sorted(f"{one.power}: {one.order}" for one in resolution.outcomes if one.order)
        shown = (puzzle.variant, resolution.before.phase, frozenset(resolution.before.units), *orders)
        assert answers.setdefault(shown, fates(resolution)) == fates(resolution), puzzle


def test_a_case_with_options_or_without_a_conflict_is_no_puzzle(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    meets = (
        "units: {France: [A PAR], Germany: [A MUN]}, orders: {France: [A PAR - BUR], Germany: [A MUN - BUR]},"
        " expect: {results: {A PAR: fails}}"
    )
    cases = [
        "id: moves, units: {France: [A PAR]}, orders: {France: [A PAR - BUR]}, expect: {results: {A PAR: moves}}",
        f"id: meets, {meets}",
        f"id: chosen, options: {{rulebook: 1971}}, {meets}",
    ]
    file = tmp_path / "invented.yaml"
    file.write_text("".join(f"- {{{case}}}\n" for case in cases), encoding="utf-8")
    monkeypatch.setattr("plenipo.puzzles.case_puzzles.DATC", tmp_path)
    assert [puzzle.case for puzzle in find_puzzles("standard", file)] == ["meets"]


def test_fates_are_those_of_well_known_cases() -> None:
    assert fates(puzzle_of("6.D.3").movement.resolution) == {
        "F ADR": UnitFate.FAILS,  # its support is cut
        "A TRI": UnitFate.FAILS,
        "A VEN": UnitFate.SUCCEEDS,
        "F ION": UnitFate.FAILS,
    }
    assert fates(puzzle_of("6.D.2").movement.resolution)["A VEN"] == UnitFate.DISLODGED


@pytest.mark.parametrize(
    ("case", "unit"),
    [("6.F.5", "A LON"), ("6.C.5", "A SER"), ("6.E.7", "F NTH"), ("6.E.13", "F NTH"), ("6.G.16", "A NWY")],
)
def test_the_unit_that_a_case_is_about_is_asked_about(case: str, unit: str) -> None:
    assert unit in fates(puzzle_of(case).movement.resolution)


def test_what_takes_more_explaining_is_more_difficult() -> None:
    simple, paradox = puzzle_of("6.A.1"), puzzle_of("6.F.14")
    assert simple.difficulty < puzzle_of("6.D.2").difficulty < paradox.difficulty


@pytest.mark.parametrize(
    ("variant", "source", "case"),
    [("chess", "rules.yaml", "C1"), ("standard", "6a.yaml", "6.A.99"), ("standard", "chess.yaml", "6.A.1")],
)
def test_a_puzzle_whose_variant_or_case_is_gone_says_so(variant: str, source: str, case: str) -> None:
    with pytest.raises(UnknownName) as caught:
        CasePuzzle(7, 900, variant, source, case, 0).movement  # noqa: B018  # it is read, which raises
    assert str(caught.value) == f"Puzzle 7 is about '{case}' of the variant '{variant}', which is not here."

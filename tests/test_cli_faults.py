"""`plenipo faults`: a sentence for each fault of a map and the status 1, or one sentence and 0."""

from collections.abc import Iterator
from functools import cache

import pytest
from typer.testing import CliRunner, Result

from plenipo import mapfaults
from plenipo.cli import app
from plenipo.engine.sentences import Sentence, say


def run(*args: str) -> Result:
    return CliRunner().invoke(app, ["faults", *args])


def test_a_map_without_a_fault_is_said_to_have_none() -> None:
    found = run("standard", "--games", "0")
    assert (found.exit_code, found.stdout) == (0, "Diplomacy: the map has no fault.\n")


def test_each_fault_is_a_sentence_and_the_status_is_1(monkeypatch: pytest.MonkeyPatch) -> None:
    def abroad(svg: str) -> Iterator[Sentence]:  # noqa: ARG001  # any picture
        yield say("the anchor of {spaces} stands in {code}", spaces="KIE", code="DEN")

    monkeypatch.setattr(mapfaults, "marks_abroad", abroad)
    monkeypatch.setattr(mapfaults, "WIDTHS", mapfaults.WIDTHS[:1])  # the test above checks all of them
    monkeypatch.setattr(mapfaults, "faults_of", cache(mapfaults.faults_of))  # the second language asks for the same
    found = run("standard", "--games", "0")
    lines = ["Diplomacy: the anchor of KIE stands in DEN.", "1 fault found."]
    assert (found.exit_code, found.stdout.splitlines()) == (1, lines)
    german = run("standard", "--games", "0", "--language", "de")
    assert german.stdout.splitlines()[0] == "Diplomacy: Der Anker von KIE steht in DEN."


def test_all_names_are_read_before_the_first_map_is_drawn(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(mapfaults, "faults_of", None)
    found = run("standard", "standrad")
    assert found.exit_code == 2
    assert found.stderr == "'standrad' is neither a variant nor a folder with one; did you mean standard?\n"

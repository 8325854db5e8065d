"""The conformance of variants, tried at length: on folders of a designer, and with the command."""

from dataclasses import replace
from pathlib import Path

import pytest
from typer.testing import CliRunner

from plenipo import conformance, library
from plenipo.cli import app
from plenipo.conformance import faults, of_the_kernel, of_the_opening, of_the_record, of_the_spaces
from plenipo.engine.calendar import Phase
from plenipo.engine.dice import DrawSource
from plenipo.engine.history.game import Game
from plenipo.engine.hooks import Effects, RuleModule
from plenipo.engine.position import Position
from plenipo.engine.rules import Rules

RIDERS = """\
title = "Riders"
parent = "standard"

[powers]
{powers}

[modules.unit_types]
without = ["A", "F"]

[modules.unit_types.kinds]
H = {{ name = "horse", like = "A" }}
S = {{ name = "ship", like = "F", carries = ["H"] }}
"""


@pytest.fixture
def riders(tmp_path: Path) -> Path:
    """The folder of a variant without armies and fleets."""
    standard = library.read("standard").units
    powers = "\n".join(
        f"{power} = {{ units = {[text.replace('A ', 'H ').replace('F ', 'S ') for text in texts]} }}"
        for power, texts in standard.items()
    )
    (tmp_path / "riders").mkdir()
    (tmp_path / "riders" / "variant.toml").write_text(RIDERS.format(powers=powers), encoding="utf-8")
    return tmp_path / "riders"


def test_a_variant_without_armies_and_fleets_conforms(riders: Path) -> None:
    assert list(faults(riders, games=1, years=2)) == []
    rules = library.load(riders)
    assert {unit.kind for unit in rules.opening.units} == {"H", "S"}


class Dealer(RuleModule):
    """A rule module that deals everything when the first movement is over."""

    name = "dealer"

    def after_phase(self, rules: Rules, position: Position, phase: Phase, source: DrawSource) -> Effects:
        regular = library.load("standard").opening
        new = () if position.units else regular.units
        return Effects(replace(position, units=(*position.units, *new), owners=regular.owners, homes=regular.homes))


def test_a_variant_whose_centres_are_dealt_after_the_opening_conforms() -> None:
    rules = library.load("standard")
    bare = replace(rules.opening, units=(), owners={}, homes={})
    dealt = replace(rules, opening=bare, modules=(*rules.modules, Dealer()))
    assert list(of_the_spaces(dealt)) == []
    assert "no unit ever comes to NTH." in list(of_the_spaces(replace(rules, opening=bare)))


def test_an_unreachable_space_is_found_with_any_unit_types(riders: Path) -> None:
    rules = library.load(riders)
    inland = tuple(unit for unit in rules.opening.units if unit.space == "MOS")
    alone = replace(rules, opening=replace(rules.opening, units=inland, homes={}, owners={}))
    told = list(of_the_spaces(alone))
    assert "no unit ever comes to NTH." in told
    assert "no ship ever comes to STP/NC." in told
    assert "no unit ever comes to LVN." not in told


def test_a_power_with_nothing_to_do_is_a_fault() -> None:
    rules = library.load("standard")
    few = tuple(unit for unit in rules.opening.units if unit.power != "Italy")
    assert list(of_the_opening(replace(rules, opening=replace(rules.opening, units=few)))) == [
        "Italy has nothing to order in Spring 1901 movement."
    ]


def test_a_record_that_is_read_otherwise_is_a_fault(monkeypatch: pytest.MonkeyPatch) -> None:
    rules = library.load("standard")
    assert list(of_the_record(rules)) == []
    monkeypatch.setattr(conformance, "decode_game", lambda _, rules: Game.new(rules))
    assert list(of_the_record(rules)) == ["the record of a game is not read as the game it was."]


def test_the_games_of_the_kernel_are_compared_where_it_takes_the_variant() -> None:
    assert list(of_the_kernel(library.load("standard"), 1)) == []
    assert list(of_the_kernel(library.load("congress"), 1)) == []


def test_the_command_plays_the_given_number_of_games(riders: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    played: list[tuple[int, int]] = []

    def noted(_: Rules, seed: int, years: int) -> list[str]:
        played.append((seed, years))
        return ["the ship sinks."] if seed else []

    monkeypatch.setattr(conformance, "of_a_random_game", noted)
    result = CliRunner().invoke(app, ["check", str(riders), "--games", "2", "--years", "3"])
    assert played == [(0, 3), (1, 3)]
    assert (result.exit_code, result.stdout) == (1, "riders: the ship sinks.\n1 mistake found.\n")
    assert CliRunner().invoke(app, ["check", str(riders)]).stdout == "0 mistakes found.\n"

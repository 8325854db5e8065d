"""Facts that rule modules declare become tables; behaviour in code is refused with the name of the module."""

from dataclasses import dataclass, replace
from typing import ClassVar

import pytest

from plenipo import library
from plenipo.batch import Arena, Scope, UnsupportedRules, compile_tables
from plenipo.batch.rule_facts import COMPILED, IGNORED, REFUSED
from plenipo.batch.tables import OptionBit, Size
from plenipo.engine import facts
from plenipo.engine.board import UnitKind
from plenipo.engine.calendar import Phase
from plenipo.engine.facts import (
    KINDS,
    BuildSite,
    BuildSites,
    CentreDelay,
    Fact,
    HomesFixed,
    NoRetreat,
    UnitWeights,
    Victory,
    Weight,
)
from plenipo.engine.hooks import HOOKS, Effects, Entitlement, RuleModule
from plenipo.engine.phases import delays
from plenipo.engine.position import Position, Power
from plenipo.engine.rules import Rules
from plenipo.engine.sentences import SentenceKind
from plenipo.engine.strengths import Use
from table import Declares

FRANCE = Power("France")
LOST = SentenceKind("test-lost", "{unit} is lost in {place}.")


@dataclass(frozen=True)
class AnywhereInCode(RuleModule):
    """Lets every power build in all that it owns, by making that its home whenever ownership is settled."""

    name: ClassVar[str] = "anywhere_in_code"

    def after_ownership(self, rules: Rules, position: Position, phase: Phase) -> Effects:
        return Effects(replace(position, homes={p: frozenset(position.centres_of(p)) for p in rules.names}))


@dataclass(frozen=True)
class Ration(RuleModule):
    """A rule that lets no power build."""

    name: ClassVar[str] = "ration"

    def entitlement(self, rules: Rules, position: Position, power: Power, entitlement: Entitlement) -> Entitlement:
        return entitlement._replace(builds=0)


def playing(*modules: RuleModule) -> Rules:
    return replace(library.load("standard"), modules=modules)


def test_homes_may_be_fixed_in_any_year() -> None:
    for year in (1899, 1958, 2525):
        assert compile_tables(library.load("1897", {"year": str(year)})).arrays.homes_fixed[:, 1].tolist() == [year]


def test_code_is_refused_whatever_it_does() -> None:
    with pytest.raises(UnsupportedRules, match="'anywhere_in_code': what it does in 'after_ownership' is code"):
        compile_tables(playing(AnywhereInCode()))
    with pytest.raises(UnsupportedRules, match="'ration': what it does in 'entitlement'"):
        compile_tables(playing(Ration()), scope=Scope.PHASES)


def test_code_between_phases_does_not_prevent_adjudicating_single_phases() -> None:
    assert compile_tables(playing(AnywhereInCode()), scope=Scope.PHASES).scope is Scope.PHASES
    assert compile_tables(playing(Ration()), scope=Scope.MOVEMENTS).scope is Scope.MOVEMENTS


def test_the_same_as_a_fact_is_taken() -> None:
    plain, anywhere = compile_tables(playing()), compile_tables(playing(Declares((BuildSites((BuildSite("owned"),)),))))
    assert not plain.arrays.size[Size.OPTIONS] & OptionBit.ANYWHERE
    assert anywhere.arrays.size[Size.OPTIONS] & OptionBit.ANYWHERE


def test_weights_are_taken_on_the_ordinary_scale_too() -> None:
    heavy = UnitWeights(1, (Weight(2, FRANCE, Use.HOLD),))
    tables = compile_tables(playing(Declares((heavy,))))
    weights = tables.arrays.weights
    units = [tables.word_of(power, kind) for power in tables.powers for kind in tables.kinds]
    assert weights[Use.HOLD, [tables.word_of(FRANCE, kind) for kind in tables.kinds]].tolist() == [2, 2]
    assert weights.sum() == weights[:, units].size + 2


@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_of_fact_is_compiled_refused_or_known_to_change_nothing(kind: type[Fact]) -> None:
    assert sum(kind in kinds for kinds in (COMPILED, IGNORED, REFUSED)) == 1


def test_a_kind_of_fact_without_a_table_is_refused_by_name(monkeypatch: pytest.MonkeyPatch) -> None:
    class Weather(Fact):
        """A kind of fact that the engine knows, and the kernel does not."""

    monkeypatch.setattr(facts, "KINDS", (*KINDS, Weather))
    with pytest.raises(UnsupportedRules, match="'declares': it declares Weather, of which the kernel has no table"):
        compile_tables(playing(Declares((Weather(),))))


@pytest.mark.parametrize("victory", [Victory("hat", 3), Victory("centre", 10, shared=True)])
def test_a_victory_the_kernel_cannot_count_is_refused(victory: Victory) -> None:
    with pytest.raises(UnsupportedRules, match=r"'declares': it counts (hat|centre)s to see who has won"):
        compile_tables(playing(Declares((victory,))))


def test_unplayed_units_are_accepted_only_as_garrisons() -> None:
    rules = library.load("irish", {"majors": "England, France", "unplayed_majors": "civil_disorder"})
    with pytest.raises(UnsupportedRules, match=r"the units of .*Germany.*: nobody plays them"):
        compile_tables(rules, scope=Scope.PHASES)


HARMLESS = {
    *("check", "facts", "board", "calendar", "opening", "game_powers", "without_slot", "decode_slot", "marks"),
    *("notice_words", "place_rules"),
    *("balances", "slot_seen", "tells"),  # they tell of a position, and change none
    "prospect",  # asked by players alone
    *("space_lost", "space_split"),  # only code that is refused itself changes a board
}


@pytest.mark.parametrize("hook", sorted(set(HOOKS) - HARMLESS))
def test_every_hook_that_acts_in_a_game_is_refused_in_whole_games(hook: str) -> None:
    module = type("Code", (RuleModule,), {"name": "code", hook: lambda *_: None})()
    assert module.overridden() == {hook}
    with pytest.raises(UnsupportedRules, match=f"'code': what it does in '{hook}'"):
        compile_tables(playing(module))


@pytest.mark.parametrize(
    "fact",
    [
        BuildSites((BuildSite("owned"),)),
        UnitWeights(
            1, tuple(Weight(2, FRANCE, use, supporting, UnitKind.FLEET) for use in Use for supporting in (False, True))
        ),
        UnitWeights(10, tuple(Weight(7, FRANCE, use) for use in (Use.ATTACK, Use.DEFEND))),
        CentreDelay(occupied=True, sustains=False),
        HomesFixed(1903),
        NoRetreat(LOST, FRANCE),
        NoRetreat(LOST, in_centres=True),
        Victory("piece", 7),
    ],
    ids=lambda fact: type(fact).__name__,
)
def test_a_game_under_a_fact_is_the_same_to_the_engine(fact: Fact) -> None:
    opening = delays.begin if isinstance(fact, CentreDelay) else lambda position: position
    rules = playing(Declares((fact,)))
    rules = replace(rules, opening=opening(rules.opening))
    arena = Arena(rules, 4, seed=bytes(32), keep=range(4))
    arena.play(16)
    for game in range(4):
        assert arena.record(game)["entries"]  # which the engine decides, and says where it comes to something else

"""Facts that rule modules declare: compiled once for the rules of a game and read by all parts."""

from dataclasses import dataclass, replace
from typing import ClassVar

import pytest

from plenipo.engine.board import Code, UnitKind
from plenipo.engine.facts import Crossing, DrawsByHand, Fact, PrefersConvoy, UnitWeights, Weight
from plenipo.engine.hooks import HOOKS, RuleModule
from plenipo.engine.position import Position, Power, Unit
from plenipo.engine.rules import Rules
from plenipo.engine.strengths import Use
from plenipo.errors import InvalidVariant
from plenipo.library import load
from table import Declares, judge, outcome, results, standard

FRANCE = Power("France")


@dataclass(frozen=True)
class Another(Declares):
    """Another module that does."""

    name: ClassVar[str] = "another"


def playing(*facts: Fact) -> Rules:
    return replace(standard(), modules=(Declares(facts),))


HEAVY = UnitWeights(1, (Weight(2, FRANCE, Use.ATTACK), Weight(2, FRANCE, Use.PREVENT)))


def test_weights_count_on_the_ordinary_scale_too() -> None:
    resolution = judge("France: A PAR - BUR\nGermany: A BUR H", rules=playing(HEAVY))
    assert results(resolution)["A PAR"] == "moves"
    assert outcome(resolution, "A PAR").why == "A PAR moved to BUR: attack 2 against hold 1."
    assert results(judge("France: A PAR - BUR\nGermany: A BUR H"))["A PAR"] == "fails"


def test_a_weight_is_of_one_power_use_and_kind() -> None:
    fleets = UnitWeights(10, (Weight(7, FRANCE, Use.HOLD, supporting=True, kind=UnitKind.FLEET),))
    assert fleets.counts(FRANCE, UnitKind.FLEET, supporting=True) == (10, 10, 10, 7)
    assert fleets.counts(FRANCE, UnitKind.ARMY, supporting=True) == (10, 10, 10, 10)
    assert fleets.counts(FRANCE, UnitKind.FLEET, supporting=False) == (10, 10, 10, 10)


@pytest.mark.parametrize(
    ("scale", "weights", "why"),
    [
        (0, (), "An ordinary unit cannot count 0; it must be 1 or more"),
        (1, (-1,), "A unit cannot count -1; it must be 0 or more"),
        (10, (9, -1), "A unit cannot count -1; it must be 0 or more"),
    ],
)
def test_a_unit_counts_something_or_nothing_and_an_ordinary_one_something(
    scale: int, weights: tuple[int, ...], why: str
) -> None:
    with pytest.raises(InvalidVariant, match=why):
        UnitWeights(scale, tuple(Weight(worth, FRANCE, Use.HOLD) for worth in weights))


def test_a_unit_keeps_others_out_of_a_space_with_no_less_than_it_enters_it_with() -> None:
    sentence = "Units of France cannot count 2 to enter a space and 1 to keep others out of it: two of them could enter"
    with pytest.raises(InvalidVariant, match=sentence):
        UnitWeights(1, (Weight(2, FRANCE, Use.ATTACK),))
    with pytest.raises(InvalidVariant, match="Units of France cannot count 18 to enter a space and 10 to keep others"):
        load("napoleonic", {"weight_in_tenths": "18", "prevent": "full", "powers": "France"})


def test_two_modules_that_decide_the_same_are_named() -> None:
    rules = replace(standard(), modules=(Declares((HEAVY,)), Another((UnitWeights(10),))))
    with pytest.raises(InvalidVariant, match="'declares' and 'another' both decide what units count: they cannot be"):
        rules.facts  # noqa: B018  # compiled when it is asked for


def test_a_module_that_contradicts_itself_is_named() -> None:
    with pytest.raises(InvalidVariant, match="'declares' decides twice what units count"):
        playing(HEAVY, UnitWeights(10)).facts  # noqa: B018  # compiled when it is asked for


def test_two_modules_that_say_the_same_do_not_contradict_each_other() -> None:
    rules = replace(standard(), modules=(Declares((HEAVY, DrawsByHand())), Another((HEAVY, DrawsByHand()))))
    assert rules.facts.one(UnitWeights) == HEAVY
    assert rules.draws_by_hand


def test_facts_of_which_there_may_be_several_are_all_in_force() -> None:
    ways = [frozenset(map(Code, pair.split())) for pair in ("SIC NAP", "TYN ION", "NTH LON")]
    rules = playing(Crossing(*ways[:2]), Crossing(*ways[1:]), *map(PrefersConvoy, ways))
    assert rules.facts.all(Crossing) == rules.facts.movement.crossings == (Crossing(*ways[:2]), Crossing(*ways[1:]))
    assert rules.facts.movement.convoy_ways == set(ways)


def test_a_kind_of_fact_that_the_engine_does_not_read_is_refused() -> None:
    class Weather(Fact):
        """A fact without any effect."""

        def __str__(self) -> str:
            return "rain"

    with pytest.raises(InvalidVariant, match="'declares' declares 'rain', which is not a kind of fact"):
        playing(Weather()).facts  # noqa: B018  # compiled when it is asked for


@dataclass(frozen=True)
class Silence(RuleModule):
    """Overrides one hook."""

    name: ClassVar[str] = "silence"

    def why_no_orders(self, rules: Rules, position: Position, unit: Unit) -> str:
        return ""


def test_only_modules_that_override_a_hook_are_asked() -> None:
    one, other = Declares(), Silence()
    rules = replace(standard(), modules=(one, other))
    assert rules.overriding[RuleModule.facts] == (one,)
    assert rules.overriding[RuleModule.why_no_orders] == (other,)
    asked = {hook: rules.overriding[getattr(RuleModule, hook)] for hook in HOOKS}
    assert {hook for hook, modules in asked.items() if modules} == {"facts", "why_no_orders"}

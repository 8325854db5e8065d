"""The choices that a module declares before the first move have the declared results."""

from collections.abc import Mapping
from dataclasses import replace

import pytest

from plenipo.engine.dice import SEED_BYTES, Dice
from plenipo.engine.facts import Alternative, OpeningChoices
from plenipo.engine.phases.step import process
from plenipo.engine.position import Power
from plenipo.engine.rules import Rules
from plenipo.library import load

GAMES = {
    "1897": load("1897"),
    "1897, with the build": load("1897", {"merge_choice_and_build": "true"}),
    "napoleonic": load("napoleonic"),
    "irish": load("irish"),
}


def declared(rules: Rules) -> Mapping[Power, tuple[Alternative, ...]]:
    choices = rules.facts.one(OpeningChoices)
    assert choices is not None
    return choices.alternatives


@pytest.mark.parametrize("game", GAMES)
def test_every_alternative_gives_what_it_says_whatever_the_others_choose(game: str) -> None:
    rules = GAMES[game]
    before = rules.opening
    assert declared(rules)
    for power, alternatives in declared(rules).items():
        for alternative in alternatives:
            after = process(rules, before, {power: alternative.choices}, Dice(bytes(SEED_BYTES))).after
            assert set(after.units_of(power)) == {*before.units_of(power), *alternative.units}
            assert frozenset(after.centres_of(power)) == frozenset(before.centres_of(power)) | alternative.owned
            assert after.homes_of(power) == alternative.homes


def test_the_alternatives_of_a_power_are_all_different() -> None:
    for rules in GAMES.values():
        for alternatives in declared(rules).values():
            assert len({alternative[1:] for alternative in alternatives}) == len(alternatives)


def test_a_power_that_may_choose_no_home_has_none() -> None:
    rules = load("1897", {"not_allowed": "LON, EDI, LVP"})
    (nothing,) = declared(rules)[Power("England")]
    assert nothing == Alternative((), (), frozenset(), frozenset())
    after = process(rules, replace(rules.opening), {}, Dice(bytes(SEED_BYTES))).after
    assert after.homes_of(Power("England")) == frozenset()

"""The score: what each power has of what wins, as the rule modules in play count it."""

from dataclasses import replace

from plenipo.engine.hooks import Score
from plenipo.engine.phases.victory import score
from plenipo.engine.position import Power
from plenipo.library import load
from plenipo.rulekit.points import Balances, Points

FRANCE, ENGLAND = Power("France"), Power("England")


def test_centres_owned_count_where_no_module_counts_anything_else() -> None:
    rules = load("standard")
    found = score(rules, rules.opening)
    assert (found.noun, found.enough, found.counts[FRANCE], found.counts[Power("Russia")]) == ("centre", 18, 3, 4)
    landless = replace(rules.opening, owners={})
    assert set(score(rules, landless).counts.values()) == {0}


def test_points_count_where_points_win() -> None:
    rules = load("irish", {"majors": "France, England", "minors": "Belgium"})
    rich = Points().with_ledger(rules.opening, Balances({FRANCE: 7, ENGLAND: 201}))
    assert score(rules, rich) == Score({FRANCE: 7, ENGLAND: 201, Power("Belgium"): 0}, "point", 200)
    assert score(rules, rich).in_words(ENGLAND) == "201 points"
    assert load("irish", {"victory_points": "90"}).victory_condition == "90 points"
    assert score(load("irish", {"victory_points": "90"}), rich).enough == 90


def test_pieces_count_where_pieces_win() -> None:
    rules = load("napoleonic", {"victory_measure": "pieces"})
    found = score(rules, rules.opening)
    assert (found.noun, f"{found.enough} pieces") == ("piece", rules.victory_condition)
    assert found.counts == {power: len(rules.opening.units_of(power)) for power in rules.names}
    centres = load("napoleonic")
    assert score(centres, centres.opening).noun == "centre"


def test_what_is_counted_is_what_is_said_to_win() -> None:
    for name in ("standard", "irish", "napoleonic"):
        rules = load(name)
        _, noun, enough = score(rules, rules.opening)
        assert rules.victory_condition == f"{enough} {noun}s"

"""Rules that belong to places: described by those who decide them, and none left out."""

from collections.abc import Iterator, Mapping
from dataclasses import fields, is_dataclass, replace
from typing import Any

import pytest

from plenipo import library
from plenipo.engine.board import Code
from plenipo.engine.place_rules import KINDS, as_fraction
from plenipo.engine.rules import Rules

ELSEWHERE = frozenset({"chosen_homes", "closed_countries", "homes", "walkers"})
"""Modules whose places the map shows in another way: as homes, closed land and walkers."""

LINKS = ("add", "drop", "crossings")
"""Options of contacts whose places the map shows as links and crossings."""

NAMED = (
    *("armies-aboard", "bridges", "capitals", "condottieri", "garrison-duty", "high-speed", "hussars", "ice-age"),
    *("intimate", "iron-roads", "new-centres", "rich-capitals", "rivers", "straits-and-steppe", "unions"),
    *("cline", "napoleonic", "1897"),
)


def named_in(value: Any, codes: Mapping[Code, object]) -> Iterator[Code]:
    """Every code of a space in the options of a module."""
    if isinstance(value, str):
        yield from (code for code in (Code(value),) if code in codes)
    elif is_dataclass(value):
        for field in fields(value):
            yield from named_in(getattr(value, field.name), codes)
    elif isinstance(value, Mapping):
        yield from (code for pair in value.items() for part in pair for code in named_in(part, codes))
    elif isinstance(value, tuple | list | frozenset):
        yield from (code for part in value for code in named_in(part, codes))


def rules_of(variant: str) -> Rules:
    return library.load(variant)


@pytest.mark.parametrize("variant", NAMED)
def test_every_space_that_a_rule_names_is_described_as_a_place_of_it(variant: str) -> None:
    rules = rules_of(variant)
    described = {code for rule in rules.place_rules for code in rule.spaces}
    for module in rules.modules:
        if module.name not in ELSEWHERE:
            shown = replace(module, **dict.fromkeys(LINKS, ())) if module.name == "contacts" else module
            assert set(named_in(shown, rules.board.spaces)) <= described, module.name


@pytest.mark.parametrize("variant", NAMED)
def test_a_rule_of_a_place_is_of_a_known_kind_and_says_which_places_it_is_about(variant: str) -> None:
    rules = rules_of(variant)
    for rule in rules.place_rules:
        assert rule.kind in KINDS
        assert any(rules.board.spaces[code].name in rule.words for code in rule.spaces)
    marks = [(rule.kind, rule.spaces, rule.label) for rule in rules.place_rules]
    assert len(marks) == len(set(marks))


@pytest.mark.parametrize(
    ("variant", "kind", "spaces", "label", "words"),
    [
        ("rivers", "strength", "BUR RUH", "½", "Between Burgundy and Ruhr moves count ½ and supports count 0"),
        ("hussars", "barred", "TYO VEN", "", "Nobody passes between Tyrolia and Venice in Fall: snow on the pass"),
        ("straits-and-steppe", "objective", "MOS", "", "Moscow counts to win, with Constantinople"),
        ("iron-roads", "slow", "MAR PIE", "2", "Units take 2 turns to move between Piedmont and Marseilles"),
        (
            *("iron-roads", "leave", "BLA CON", ""),
            "Fleets do not go between Black Sea and Constantinople "
            "without leave of the power that holds Constantinople",
        ),
        ("condottieri", "income", "NTH", "1", "North Sea pays 1 ducat"),
        ("rich-capitals", "value", "VIE", "2", "Vienna counts 2 for builds"),
    ],
)
def test_a_rule_is_described_from_the_values_that_decide_it(
    variant: str, kind: str, spaces: str, label: str, words: str
) -> None:
    assert (kind, tuple(spaces.split()), words, label) in rules_of(variant).place_rules


def test_a_number_on_a_scale_is_a_fraction_where_it_is_no_whole_number() -> None:
    assert [as_fraction(number, 4) for number in (0, 1, 2, 3, 4, 5)] == ["0", "¼", "½", "¾", "1", "5/4"]

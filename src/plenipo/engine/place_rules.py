"""Rules that belong to places: texts and signs on the map and in its legend for single spaces and contacts.

Facts and rule modules describe their own (`Fact.place_rules`, `RuleModule.place_rules`), from the values that the
engine reads; no other code knows which rule belongs to which place.
"""

from collections.abc import Iterator, Mapping
from fractions import Fraction
from typing import TYPE_CHECKING, NamedTuple

from plenipo.engine.board import Code
from plenipo.engine.immutable import FrozenMap

if TYPE_CHECKING:
    from plenipo.engine.rules import Rules

__all__ = ["KINDS", "PlaceRule", "as_fraction", "between", "name_of", "place_rules_of"]

KINDS: Mapping[str, str] = FrozenMap(
    {
        "strength": "strength across it",
        "barred": "closed at times",
        "slow": "moves take turns",
        "leave": "by leave",
        "toll": "toll",
        "railway": "railway",
        "closed": "closes",
        "calm": "no convoys",
        "value": "counts more or less",
        "income": "income",
        "site": "units made here",
        "capture": "taken by its own rule",
        "objective": "counts to win",
        "event": "something happens",
        "action": "special order",
    }
)
"""The kinds of rule that belong to places, each with the name of its sign in the legend."""


class PlaceRule(NamedTuple):
    """A rule of one of `KINDS` about `spaces`: one space, the two ends of a contact, or all stations of a railway.

    `words` is a sentence about it, `label` the number or fraction on its sign, if it has one.
    """

    kind: str
    spaces: tuple[Code, ...]
    words: str
    label: str = ""


def place_rules_of(rules: "Rules") -> tuple[PlaceRule, ...]:
    """Return all rules of a game that belong to places, those of one kind about the same places as one."""
    merged: dict[tuple[str, tuple[Code, ...], str], list[str]] = {}
    for rule in _collect_place_rules(rules):
        spaces = rule.spaces if len(rule.spaces) != 2 else (min(rule.spaces), max(rule.spaces))  # a way
        merged.setdefault((rule.kind, spaces, rule.label), []).append(rule.words)
    return tuple(
        PlaceRule(kind, spaces, ". ".join(dict.fromkeys(words)), label)
        for (kind, spaces, label), words in merged.items()
    )


def _collect_place_rules(rules: "Rules") -> Iterator[PlaceRule]:
    for facts in rules.facts.declared.values():
        for fact in facts:
            yield from fact.place_rules(rules)
    for module in rules.modules:
        yield from module.place_rules(rules)


def name_of(rules: "Rules", code: Code) -> str:
    """Return the name of a space in sentences."""
    return rules.board.spaces[code].name if code in rules.board.spaces else code


def between(rules: "Rules", one: Code, other: Code) -> str:
    """Return the name of the contact between two spaces in sentences."""
    return f"between {name_of(rules, one)} and {name_of(rules, other)}"


def as_fraction(number: int, scale: int) -> str:
    """Return a number on a scale as a sign shows it.

    >>> as_fraction(1, 2), as_fraction(3, 10), as_fraction(4, 2)
    ('½', '3/10', '2')
    """
    share = Fraction(number, scale)
    glyphs = {Fraction(1, 2): "½", Fraction(1, 3): "⅓", Fraction(2, 3): "⅔", Fraction(1, 4): "¼", Fraction(3, 4): "¾"}
    return glyphs.get(share, str(share))

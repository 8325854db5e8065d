"""Lists, counts and suggestions in sentences."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from plenipo import library
from plenipo.engine.reading.notation import Notation
from plenipo.engine.wording import count, hint, listing, nearest
from plenipo.errors import InvalidOrder

WORDS = st.text(st.characters(codec="ascii", categories=["Lu", "Ll"]), min_size=3, max_size=12)


@pytest.mark.parametrize(
    ("items", "last", "sentence"),
    [([], "and", ""), (["a"], "and", "a"), (["a", "b"], "or", "a or b"), (["a", 2, "c"], "and", "a, 2 and c")],
)
def test_a_list_reads_as_in_a_sentence(items: list[object], last: str, sentence: str) -> None:
    assert listing(items, last) == sentence


@pytest.mark.parametrize(("number", "told"), [(0, "0 units"), (1, "1 unit"), (2, "2 units")])
def test_a_count_agrees_with_its_noun(number: int, told: str) -> None:
    assert count(number, "unit") == told


@pytest.mark.parametrize(
    ("slip", "code"),
    [
        ("Lodnon", "LON"),
        ("Londno", "LON"),
        ("BURGNDY", "BUR"),
        ("Burgundie", "BUR"),
        ("PRA", "PAR"),
        ("MNU", "MUN"),
        ("Munihc", "MUN"),
        ("Pariss", "PAR"),
        ("Maresilles", "MAR"),
        ("Constantiople", "CON"),
        ("Edinborough", "EDI"),
        ("St Petersberg", "STP"),
        ("Viena", "VIE"),
        ("Budapset", "BUD"),
        ("Tyrolya", "TYO"),
        ("Picrady", "PIC"),
        ("Brset", "BRE"),
    ],
)
def test_a_typical_slip_suggests_what_was_meant_first(slip: str, code: str) -> None:
    rules = library.load("standard")
    with pytest.raises(InvalidOrder) as refusal:
        Notation(rules.board, rules.powers).unit(f"A {slip}")
    assert refusal.value.suggestions[:1] == (code,)


@pytest.mark.parametrize(
    ("slip", "known", "near"),
    [
        ("standart", ["standard", "1897"], ("standard",)),
        ("intnet", ["intent", "route"], ("intent",)),
        ("moses", ["moses_convoy", "year"], ("moses_convoy",)),
        ("convoy", ["moses_convoy", "year"], ("moses_convoy",)),
        ("Germnay", ["Germany", "Italy"], ("Germany",)),
        ("PA", ["PAR", "PAL", "ROM"], ("PAR", "PAL")),
        ("XAR", ["PAR", "BAR", "PAL"], ("PAR", "BAR")),
        ("xyzzy", ["standard", "1897"], ()),
        ("", ["standard"], ()),
        ("x" * 300, ["standard"], ()),
    ],
)
def test_only_the_best_are_named(slip: str, known: list[str], near: tuple[str, ...]) -> None:
    assert nearest(slip, known) == near


def test_where_nothing_is_near_everything_is_listed() -> None:
    assert hint("zzz", ["one", "two"]) == "there are one, two."
    assert hint("zzz", []) == "there are none."


@given(WORDS, st.data())
def test_any_single_slip_finds_the_word_again(word: str, data: st.DataObject) -> None:
    at = data.draw(st.integers(0, len(word) - 2))
    slips = [
        word[:at] + word[at + 1] + word[at] + word[at + 2 :],
        word[:at] + word[at + 1 :],
        word[:at] + "#" + word[at + 1 :],
        word[:at] + "#" + word[at:],
    ]
    for slip in slips:
        if len(slip) > 2:
            assert nearest(slip, [word]) == (word,)


@given(WORDS, st.lists(WORDS, max_size=8))
def test_the_order_of_what_is_known_changes_only_the_order_of_suggestions(word: str, known: list[str]) -> None:
    assert set(nearest(word, known, 99)) == set(nearest(word, reversed(known), 99))

"""The language of expectations: what each pattern is like, what it is not like, and what is said of the difference."""

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from plenipo.cases.matching import OPERATORS, differences
from plenipo.errors import InvalidCase

ANSWER = {
    "results": {"A PAR": {"result": "moves", "why": "…"}, "A MUN": {"result": "holds", "dislodged_by": "A PAR"}},
    "units": {"France": ["A BUR", "F BRE"], "Germany": []},
    "winners": [],
    "by": None,
    "due": -1,
    "round": ["A", None, "B", "C"],
    "draws": [{"label": "x|split", "result": "PAR"}, {"label": "x|split 2", "result": "VIE"}, {"label": "x|hole"}],
}


def like(pattern: object, value: object = ANSWER) -> bool:
    """Tell whether the value matches the pattern, with names in any case."""
    return not list(differences(pattern, value, lambda one, other: one.casefold() == other.casefold()))


@pytest.mark.parametrize(
    ("pattern", "wrong"),
    [
        ({"results": {"A PAR": "moves"}}, {"results": {"A PAR": "fails"}}),
        ({"results": {"a par": {"result": "MOVES"}}}, {"results": {"A PAR": {"result": "moves", "what": 1}}}),
        ({"units": {"France": ["F BRE", "A BUR"]}}, {"units": {"France": ["F BRE"]}}),
        ({"units": {"Germany": []}}, {"units": {"France": []}}),
        ({"units": {"Italy": [], "Spain": {}}}, {"units": {"Italy": ["A ROM"]}}),
        ({"winners": []}, {"winners": ["France"]}),
        ({"nothing": {}}, {"units": {}}),
        ({"by": None, "nothing": None}, {"due": None}),
        ({"due": -1}, {"due": 1}),
        ({"due": {"$max": 0}}, {"due": {"$max": -2}}),
        ({"due": {"$not": 0}}, {"due": {"$not": -1}}),
        ({"due": {"$one_of": [1, -1]}}, {"due": {"$one_of": [1, True]}}),
        ({"units": {"$only": {"France": ["A BUR", "F BRE"]}}}, {"units": {"$only": {"Germany": []}}}),
        ({"units": {"$keys": ["Germany", "France"]}}, {"units": {"$keys": ["France"]}}),
        ({"units": {"$count": 2}}, {"units": {"$count": 1}}),
        ({"units": {"$each": {"$lacks": ["A PAR"]}}}, {"units": {"$each": {"$lacks": ["F BRE"]}}}),
        ({"units": {"France": {"$contains": ["F BRE"]}}}, {"units": {"France": {"$contains": ["F BRE", "F BRE"]}}}),
        ({"round": {"$round": ["B", "C", "A"]}}, {"round": {"$round": ["B", "A", "C"]}}),
        ({"round": {"$begins": ["A", None]}}, {"round": {"$begins": ["B"]}}),
        ({"draws": {"$in_order": [{"result": "PAR"}, {"result": "VIE"}, {"label": "x|hole"}]}},
         {"draws": {"$in_order": [{"result": "PAR"}, {"result": "VIE"}]}}),
        ({"draws": {"$matching": {"label": {"$has": "split"}}, "$count": 2}},
         {"draws": {"$matching": {"label": {"$has": "split"}}, "$count": 3}}),
        ({"results": {"$matching": {"dislodged_by": {"$not": None}}, "$keys": ["A MUN"]}},
         {"results": {"$matching": {"dislodged_by": {"$not": None}}, "$keys": []}}),
        ({"draws": {"$matching": {"result": "VIE"}, "$is": [{"label": "x|split 2"}]}},
         {"draws": {"$matching": {"result": "VIE"}, "$is": [{"label": "x|split"}]}}),
        ({"units": {"$all": [{"$count": 2}, {"Germany": []}]}}, {"units": {"$all": [{"$count": 2}, {"France": []}]}}),
        ({"units": {"France": {"$count": 2}, "$count": 2}}, {"units": {"France": {"$count": 3}, "$count": 2}}),
    ],
)  # fmt: skip
def test_a_pattern_matches_what_it_says_and_nothing_else(pattern: object, wrong: object) -> None:
    assert like(pattern)
    assert not like(wrong)


def test_every_operator_is_tried_above() -> None:
    tried = str(test_a_pattern_matches_what_it_says_and_nothing_else.pytestmark)  # type: ignore[attr-defined]
    assert [name for name in OPERATORS if name not in tried] == []


def test_items_of_a_list_find_partners_whatever_their_order() -> None:
    either = {"$one_of": ["a", "b"]}
    assert like([either, "a"], ["a", "b"])
    assert like([either, either], ["b", "a"])
    assert not like([either, "a"], ["b", "b"])


@pytest.mark.parametrize(
    ("pattern", "sentence"),
    [
        (
            {"results": {"A PAR": "fails"}},
            'results, A PAR: expected \'fails\', but it is {"result": "moves", "why": "…"}',
        ),
        ({"results": {"A ROM": "fails"}}, "results, A ROM: expected 'fails', but it is missing"),
        ({"units": {"France": ["A BUR"]}}, "units, France: expected no item besides [\"A BUR\"], but it is 'F BRE'"),
        ({"units": {"Germany": ["A MUN"]}}, "units, Germany: expected an item 'A MUN', but it is []"),
        (
            {"units": {"$count": 3}},
            'units: expected {"$count": 3}, but it is {"France": ["A BUR", "F BRE"], "Germany": []}',
        ),
    ],
)
def test_a_difference_shows_the_piece_of_the_answer(pattern: object, sentence: str) -> None:
    assert [str(found) for found in differences(pattern, ANSWER)] == [sentence]


@pytest.mark.parametrize(
    ("pattern", "sentence"),
    [
        ({"units": {"$cuont": 2}}, "'$cuont' is not an operator; these are $not, "),
        ({"units": {"$contains": "A PAR"}}, "'A PAR' must be a list where an operator wants several things."),
        ({"units": {"$only": ["A PAR"]}}, "'$only' takes a mapping, not [\"A PAR\"]."),
        ({"by": {"$has": 3}}, "'$has' takes a text, not 3."),
    ],
)
def test_an_operator_that_is_misused_is_said(pattern: object, sentence: str) -> None:
    with pytest.raises(InvalidCase) as raised:
        like(pattern)
    assert str(raised.value).startswith(sentence)


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(),
    lambda inner: (
        st.lists(inner, max_size=4) | st.dictionaries(st.text().filter(lambda k: k[:1] != "$"), inner, max_size=4)
    ),
    max_leaves=20,
)


@given(json_values)
def test_every_value_is_like_itself(value: object) -> None:
    assert not list(differences(value, value))


def is_empty(value: object) -> bool:
    """Return whether a value is like one that is not there."""
    return value in ([], {}, None) or (isinstance(value, dict) and all(map(is_empty, value.values())))


@example({"": {"": None}}, {})
@given(json_values, json_values)
def test_what_is_like_in_both_directions_and_whole_is_equal_but_for_what_is_empty(one: object, other: object) -> None:
    if isinstance(one, dict) and isinstance(other, dict) and not list(differences({"$only": one}, other)):
        assert {key for key in one if not is_empty(one[key])} <= set(other)

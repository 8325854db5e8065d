"""Editions are bundles of named policies, and single policies can be chosen otherwise."""

import pytest

from plenipo.engine.rulebook import EDITIONS, POLICIES, Policy, Rulebook
from plenipo.errors import UnknownName


@pytest.mark.parametrize("policy", POLICIES.values(), ids=POLICIES)
def test_every_edition_takes_a_choice_that_exists(policy: Policy) -> None:
    assert set(policy.editions) <= set(policy.choices)
    assert len(policy.editions) == len(EDITIONS)


def test_an_edition_can_be_changed_in_single_policies() -> None:
    book = Rulebook.edition("1971", {"4.A.3": "intent"})
    assert (book["4.A.1"], book["4.A.3"]) == ("any", "intent")
    assert book.deviations == {"4.A.3": "intent"}


@pytest.mark.parametrize(
    ("name", "policies", "sentence"),
    [
        ("1975", {}, "'1975' is not a rulebook; the editions are standard, 1971, 1982, 2000, 2023."),
        ("1971", {"4.A.22": "x"}, "'4.A.22' is not a policy; did you mean 4.A.2"),
        ("1971", {"4.A.2": "x"}, "'x' is not a choice of policy 4.A.2; the choices are szykman, 1971, 1982, 2000."),
    ],
)
def test_unknown_names_are_refused_with_the_nearest(name: str, policies: dict[str, str], sentence: str) -> None:
    with pytest.raises(UnknownName) as caught:
        Rulebook.edition(name, policies)
    assert sentence in str(caught.value)

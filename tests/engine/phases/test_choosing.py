"""Which choices stand when a power goes on choosing."""

import pytest

from plenipo import library
from plenipo.engine.orders import Choose
from plenipo.engine.phases.choosing import standing
from plenipo.engine.phases.legality import Legality
from plenipo.engine.position import Power
from plenipo.engine.reading.notation import notation_of


@pytest.mark.parametrize(
    ("variant", "power", "given", "left"),
    [
        ("1897", "England", "LON", "LON"),
        ("1897", "England", "LON, EDI", "EDI"),
        ("1897", "England", "LON, EDI, LON", "LON"),
        ("napoleonic", "England", "A EDI, F LON", "A EDI, F LON"),
        ("napoleonic", "England", "A EDI, F EDI", "F EDI"),
        ("napoleonic", "England", "", ""),
    ],
)
def test_a_later_choice_takes_the_place_of_what_it_rules_out(variant: str, power: str, given: str, left: str) -> None:
    rules = library.load(variant)
    legality = Legality(rules, rules.opening)
    read = notation_of(rules).read
    texts = [f"CHOOSE {part.strip()}" for part in given.split(",") if part.strip()]
    orders = [legality.complete(rules.power(power), read(text, rules.opening.phase.kind)) for text in texts]
    choices = [order for order in orders if isinstance(order, Choose)]
    found = standing(legality, Power(rules.power(power)), choices)
    assert ", ".join(str(choice.unit) for choice in found) == left

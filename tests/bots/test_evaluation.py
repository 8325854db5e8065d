"""The evaluation of positions: the features counted for each power, and the value they give."""

import numpy as np
import pytest

import expectation
from plenipo.batch import compile_tables
from plenipo.batch.play import blank
from plenipo.batch.positions import encode
from plenipo.batch.tables import MOST_UNITS
from plenipo.bots.evaluation import count_up
from plenipo.bots.policy import sketch, style
from plenipo.bots.proximity import measure_proximity
from plenipo.bots.search_tables import Thinker
from plenipo.bots.values import COUNTED
from plenipo.engine.position import Position, Power
from table import place, standard

TABLES = compile_tables(standard())
THINKER = Thinker(TABLES)
FRANCE, GERMANY = (TABLES.power_number[Power(name)] for name in ("France", "Germany"))


def counted(position: Position) -> dict[str, dict[str, int]]:
    """Return the features of France and Germany by name, without those that are zero."""
    state = blank(TABLES, 1, MOST_UNITS)
    encode(TABLES, state, 0, position)
    rows = THINKER.count_features(state, 0)
    return {
        name: {what: count for what, count in zip(COUNTED, rows[power].tolist(), strict=True) if count}
        for name, power in (("France", FRANCE), ("Germany", GERMANY))
    }


def test_what_could_be_taken_and_lost_is_counted_by_how_many_units_more_there_are_than_the_strongest_others() -> None:
    found = counted(
        place("France: A BUR, A RUH\nGermany: A MUN", owners={"France": "PAR", "Germany": "MUN BEL"}, homes={})
    )
    assert found == {
        # Munich, Belgium, Holland and Marseilles; Kiel is as near to Germany
        "France": {"centres": 1, "alive": 1, "units more": 1, "reached, as many": 1, "reached, more": 4},
        "Germany": {
            "centres": 2,
            "alive": 1,
            "units more": -1,
            "reached, as many": 1,
            "reached, more": 1,  # Berlin
            "held, fewer": 2,
        },
    }


def test_a_unit_in_a_centre_earns_a_part_of_it_at_the_cost_of_its_owner() -> None:
    found = counted(place("France: A MUN", owners={"Germany": "MUN"}))
    assert found["France"]["stood in"] == 1
    assert found["Germany"] == {"centres": 1, "alive": 1, "units more": -1, "stood in": -1, "held, fewer": 1}


def test_centres_taken_in_a_playout_count_less_but_more_from_powers_without_orders() -> None:
    """France took Paris and Marseilles, and reaches Munich and Belgium as Germany does, if that orders anything."""
    arrays, near, mind = TABLES.arrays, measure_proximity(TABLES.arrays), sketch(TABLES, [style()])
    state, later = blank(TABLES, 1, MOST_UNITS), blank(TABLES, 1, MOST_UNITS)
    units = "France: A BUR\nGermany: A RUH"
    encode(TABLES, state, 0, place(units, owners={"Germany": "PAR MAR MUN"}, homes={}))
    encode(TABLES, later, 0, place(units, owners={"France": "PAR MAR", "Germany": "MUN"}, homes={}))

    def of(power: int, *names: str) -> list[int]:
        count_up(0, later, state.owner, arrays, near, mind)
        return [int(mind.counts[power, list(COUNTED).index(name)]) for name in names]

    about = ("taken", "still, taken", "reached, as many", "reached, more", "still, more")
    assert of(FRANCE, *about) == [2, 0, 2, 0, 0]
    assert of(GERMANY, "taken", "held, as many") == [-2, 1]
    mind.acts[GERMANY] = 0
    assert of(FRANCE, *about) == [0, 2, 0, 1, 1]
    assert of(GERMANY, "taken", "held, fewer") == [0, 1]


def test_the_more_units_there_are_around_a_centre_the_more_is_hoped_and_the_less_is_feared_for_it() -> None:
    for about, fewest in (("reached", 2), ("held", 4)):
        values = [value for name, value in COUNTED.items() if name.startswith(about)]
        assert values == sorted(values)
        assert len(values) == fewest
    assert max(COUNTED.values()) == COUNTED["centres"]


def test_the_fit_finds_the_parts_that_made_the_later_centres() -> None:
    chance = np.random.default_rng(1)
    counts = chance.integers(0, 6, (400, len(COUNTED))).astype(float)
    counts[:, expectation.UNFITTED] = 0
    parts = np.array(list(COUNTED.values())) / COUNTED["centres"]
    fit = expectation.fitted(counts, counts @ parts)
    assert fit.parts == pytest.approx(np.where(np.isin(np.arange(len(COUNTED)), expectation.UNFITTED), 0, parts))
    assert fit.explained == pytest.approx(1)
    assert fit.explained_by_centres < 1


def test_positions_are_those_of_years_that_were_played_two_years_on() -> None:
    counts, later = expectation.positions("standard", 1, years=4)
    assert len(counts) == len(later) == 7 + 7  # the first two of four years; no power is eliminated by then
    assert counts[:7, 0].sum() == 22
    assert ((later >= 0) & (later <= 34)).all()

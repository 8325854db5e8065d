"""The type of another power's unit stays hidden in every view until the unit reveals it."""

from collections.abc import Callable
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from plenipo import charts, library
from plenipo.engine.board import Code
from plenipo.engine.calendar import PhaseKind
from plenipo.engine.dice import Dice
from plenipo.engine.history.game import Game
from plenipo.engine.history.record import decode_game, encode_game
from plenipo.engine.history.view import GM, view
from plenipo.engine.phases.legality import Legality
from plenipo.engine.position import Position, Power, Unit
from plenipo.engine.rules import Rules
from plenipo.errors import PlenipoError
from plenipo.library.trial_orders import random_orders
from table import place
from whole import whole_text

Tiny = Callable[..., Rules]
FRANCE, ENGLAND, GERMANY = Power("France"), Power("England"), Power("Germany")
SPRING = "Spring 1902 movement"


def begun(rules: Rules, text: str) -> Game:
    """A game that begins where units stand as written."""
    position = place(
        text, rules.calendar.read(SPRING), rules, owners={"France": "BRE PAR", "England": "LON", "Germany": "MUN"}
    )
    return Game(rules, position)


def told(game: Game, who: Power | None) -> str:
    """Everything one is told, as text."""
    seen = view(game, who, {})
    turns = [(turn.orders, turn.resolution) for turn in seen.turns]
    return whole_text((seen.position, turns))


def others(position: Position) -> set[str]:
    return {str(unit) for unit in position.units if unit.power == FRANCE}


def test_others_are_hidden_where_more_than_one_kind_can_stand() -> None:
    rules = library.load("masquerade")
    game = begun(rules, "France: F BRE, A PAR, F MID\nGermany: A MUN")
    assert others(view(game, GERMANY, {}).position) == {"A PAR", "F MID", "U BRE"}
    assert others(view(game, None, {}).position) == {"A PAR", "F MID", "U BRE"}
    assert others(view(game, FRANCE, {}).position) == others(view(game, GM, {}).position) == {"A PAR", "F BRE", "F MID"}


def test_the_type_of_a_dislodging_unit_is_known_from_then_on() -> None:
    rules = library.load("masquerade")
    game = begun(rules, "France: A BEL, A BUR\nGermany: A HOL, F KIE")
    game = game.process({FRANCE: ["A BEL - HOL", "A BUR - BEL"], GERMANY: ["F KIE - HEL"]})
    assert others(view(game, GERMANY, {}).position) == {"U BEL", "A BUR"}  # beaten off: nothing was dislodged
    game = begun(rules, "France: A BEL, A RUH\nGermany: A HOL")
    game = game.process({FRANCE: ["A BEL - HOL", "A RUH S A BEL - HOL"]})
    assert others(view(game, GERMANY, {}).position) == {"A HOL", "A RUH"}
    assert decode_game(encode_game(game), rules) == game
    game = game.process({GERMANY: ["A HOL D"]}).process({FRANCE: ["A HOL - KIE"]})
    assert others(view(game, GERMANY, {}).position) == {"A KIE", "A RUH"}


def test_it_is_forgotten_where_nothing_is_remembered(tiny: Tiny) -> None:
    rules = tiny("[modules.hidden_unit_types]\nremembered = false\n")
    game = begun(rules, "France: A BEL, A RUH\nGermany: A HOL")
    game = game.process({FRANCE: ["A BEL - HOL", "A RUH S A BEL - HOL"]}).process({})
    assert others(view(game, GERMANY, {}).position) == {"U HOL", "A RUH"}


def test_a_hidden_unit_may_be_supported_by_the_letter_that_stands_for_any() -> None:
    rules = library.load("masquerade")
    game = begun(rules, "France: F BRE\nEngland: F ENG")
    seen = view(game, ENGLAND, {})
    listed = set(map(str, Legality(rules, seen.position).orders_of(ENGLAND)))
    assert {"F ENG S U BRE", "F ENG S U BRE - PIC"} <= listed
    game = game.process({ENGLAND: ["F ENG S U BRE - PIC"], FRANCE: ["F BRE - PIC"]})
    assert game.position.unit_at(Code("PIC"))
    assert "F ENG supported U BRE" in told(game, ENGLAND)


def test_an_order_made_impossible_by_a_hidden_unit_is_only_called_impossible() -> None:
    rules = library.load("masquerade")
    game = begun(rules, "France: A BRE\nEngland: F ENG").process({ENGLAND: ["F ENG S U BRE - MID"]})
    assert game.turns[0].resolution.errors == (
        "England: 'F ENG S U BRE - MID' is illegal: an army cannot enter Mid-Atlantic Ocean.",
    )
    assert view(game, ENGLAND, {}).turns[0].resolution.errors == ("England: 'F ENG S U BRE - MID' was not possible.",)
    assert "army" not in told(game, ENGLAND)


def test_a_picture_shows_a_unit_and_not_its_kind() -> None:
    rules = library.load("masquerade")
    chart = charts.chart("masquerade")
    seen = [view(begun(rules, f"France: {kind} BRE\nGermany: A MUN"), GERMANY, {}).position for kind in "AF"]
    drawn = [chart.draw(chart.scene(position)) for position in seen]
    assert drawn[0] == drawn[1]


SECRET = st.sampled_from(["BRE", "PIC", "GAS", "BEL"])


@settings(max_examples=30)
@given(
    st.sets(SECRET, min_size=1), st.lists(st.tuples(SECRET, st.sampled_from(["BRE", "PIC", "GAS", "BEL"])), max_size=4)
)
def test_no_byte_of_a_view_depends_on_hidden_unit_types(spaces: set[str], orders: list[tuple[str, str]]) -> None:
    rules = library.load("masquerade")
    ways = [
        (one, to)
        for one, to in orders
        if one in spaces and one != to and {one, to} != {"GAS", "BEL"} and {one, to} != {"BRE", "BEL"}
    ]
    moves = dict(ways)
    tales = set()
    for kind in "AF":
        text = ", ".join(f"{kind} {code}" for code in sorted(spaces))
        game = begun(rules, f"France: {text}, A MAR\nGermany: A MUN, F HOL")
        order_set = [f"{kind} {one} - {to}" for one, to in moves.items()]
        game = game.process({FRANCE: order_set, GERMANY: ["F HOL - NTH", "A MUN - BUR"]})
        if game.position.phase.kind is PhaseKind.RETREATS:
            return  # a dislodged unit reveals its type
        tales.add((told(game, GERMANY), told(game, None)))
    assert len(tales) == 1


@settings(max_examples=10)
@given(st.integers(0, 10_000))
def test_nothing_of_a_hidden_unit_is_in_a_random_game(seed: int) -> None:
    rules, chance = library.load("masquerade"), Random(seed)
    game = Game.new(rules, Dice(bytes(32)))
    for _ in range(4):
        order_sets = random_orders(rules, game.position, chance)
        game = game.process({power: list(orders) for power, orders in order_sets.items()})
        seen = view(game, GERMANY, {})
        hidden = {unit.space for unit in seen.position.units if unit.kind == "U"}
        assert not any(unit.power == GERMANY for unit in seen.position.units if unit.space in hidden)
        whole: list[Unit] = [unit for unit in game.position.units if unit.space in hidden]
        said = " ".join(event.sentence for event in seen.turns[-1].resolution.events)
        said += " ".join(outcome.why for outcome in seen.turns[-1].resolution.outcomes)
        assert not any(f"{unit} " in f"{said} " for unit in whole)


@pytest.mark.parametrize(
    ("text", "why"),
    [
        (
            '[modules.hidden_unit_types]\nletter = "A"',
            "'hidden_unit_types.letter' is 'A', which is an army; name another letter",
        ),
        ('[modules.unit_types]\nwithout = ["F"]\n[modules.hidden_unit_types]\n', "there is one kind alone"),
    ],
)
def test_what_hides_nothing_is_refused(tiny: Tiny, text: str, why: str) -> None:
    with pytest.raises(PlenipoError, match=why):
        tiny(text)

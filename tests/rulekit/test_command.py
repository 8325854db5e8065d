"""Several order sets for one power, several powers on one order set."""

from collections.abc import Callable, Mapping, Sequence

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from plenipo import library
from plenipo.engine.board import Code
from plenipo.engine.calendar import Phase, PhaseKind
from plenipo.engine.dice import Dice
from plenipo.engine.history.game import Game
from plenipo.engine.history.record import decode_game, encode_game
from plenipo.engine.history.submissions import Submissions
from plenipo.engine.history.view import view
from plenipo.engine.phases.commands import list_served_powers, survives
from plenipo.engine.phases.legality import Legality
from plenipo.engine.position import Power
from plenipo.engine.reading.order_entry import OrderEntry
from plenipo.engine.rules import Rules
from plenipo.errors import IllegalOrder, PlenipoError
from table import place

Tiny = Callable[..., Rules]
FRANCE, FOCH, ITALY = Power("France"), Power("Foch"), Power("Italy")
MARSHAL = """[powers]
Foch = {{ units = [] }}
Joffre = {{ units = [] }}
[modules.command]
merge = "{merge}"
seats = {{ France = [{seats}] }}
"""


def joint(tiny: Tiny, merge: str, seats: str = '"France", "Foch", "Joffre"') -> Rules:
    return tiny(MARSHAL.format(merge=merge, seats=seats))


def spring(rules: Rules, **order_sets: Sequence[str]) -> Game:
    return Game.new(rules, Dice(bytes(32))).process({Power(name): orders for name, orders in order_sets.items()})


@pytest.mark.parametrize(
    ("merge", "order_sets", "went"),
    [
        ("rank", {"Foch": ["A PAR - BUR"], "France": ["A PAR - PIC"]}, "PIC"),
        ("rank", {"Foch": ["A PAR - BUR"]}, "BUR"),
        ("agreement", {"France": ["A PAR - BUR"], "Foch": ["A PAR - BUR"], "Joffre": ["A PAR - BUR"]}, "BUR"),
        ("agreement", {"France": ["A PAR - BUR"], "Foch": ["A PAR - BUR"]}, "PAR"),
        ("majority", {"France": ["A PAR - BUR"], "Foch": ["A PAR - BUR"], "Joffre": ["A PAR - PIC"]}, "BUR"),
        ("majority", {"France": ["A PAR - BUR"], "Joffre": ["A PAR - PIC"]}, "PAR"),
    ],
)
def test_what_counts_of_several_order_sets_is_data(
    tiny: Tiny, merge: str, order_sets: Mapping[str, Sequence[str]], went: str
) -> None:
    assert spring(joint(tiny, merge), **order_sets).position.unit_at(Code(went))


def test_a_lot_is_drawn_by_the_dice_of_the_game_and_stands_in_the_record(tiny: Tiny) -> None:
    rules = joint(tiny, "lot")
    game = spring(rules, France=["A PAR - BUR"], Foch=["A PAR - PIC"])
    (draw,) = game.turns[0].resolution.draws
    assert draw.label == "Spring 1901|movement order of France in PAR"
    assert game.position.unit_at(Code("BUR" if draw.result == "France" else "PIC"))
    assert decode_game(encode_game(game), rules) == game


def test_differing_order_sets_are_reported(tiny: Tiny) -> None:
    game = spring(joint(tiny, "rank"), France=["A PAR - BUR"], Foch=["A PAR - PIC"])
    (event,) = game.turns[0].resolution.events
    assert (str(event.kind), event.powers) == ("orders_differed", (FRANCE,))
    assert str(event) == "France: of 'A PAR - BUR' of France and 'A PAR - PIC' of Foch 'A PAR - BUR' counts, by rank."


def test_a_seat_without_a_power_orders_what_it_commands_and_is_waited_for(tiny: Tiny) -> None:
    rules = joint(tiny, "rank")
    legal = Legality(rules, rules.opening).orders_of(FOCH)
    assert [str(unit) for unit in legal.units] == ["F BRE", "A MAR", "A PAR"]
    assert FOCH in Submissions(rules, rules.opening).waiting_for
    assert survives(rules, rules.opening, FOCH)
    assert FOCH in Game.new(rules).survivors


def test_a_power_that_another_commands_alone_writes_nothing(tiny: Tiny) -> None:
    rules = tiny('[modules.command]\nseats = { France = ["Italy"] }\n')
    assert list(Legality(rules, rules.opening).orders_of(FRANCE)) == []
    assert FRANCE not in view(Game.new(rules), None, {}).may_order
    with pytest.raises(IllegalOrder, match="A PAR takes its orders from others"):
        OrderEntry(rules, rules.opening, FRANCE).give((), "A PAR - BUR")
    game = spring(rules, Italy=["A PAR - BUR", "A VEN - PIE"], France=["A MAR - SPA"])
    assert {unit.space for unit in game.position.units_of(FRANCE)} == {"BUR", "MAR", "BRE"}
    assert [str(refusal.code) for refusal in game.turns[0].resolution.refusals] == ["not_yours"]


def test_one_order_set_has_the_builds_and_removals_of_all_its_powers(tiny: Tiny) -> None:
    rules = tiny('[modules.command]\nseats = { France = ["Italy"] }\n')
    winter = Phase("Winter", 1901, PhaseKind.ADJUSTMENTS)
    owners = {"France": "PAR MAR", "Italy": "ROM"}
    position = place("France: A GAS\nItaly: A VEN, A TUS", phase=winter, rules=rules, owners=owners)
    assert list_served_powers(rules, position, ITALY) == (FRANCE, ITALY)
    assert OrderEntry(rules, position, ITALY).due == 2
    game = Game(rules, position).process({ITALY: ["Build A PAR", "A TUS D"]})
    assert {str(unit) for unit in game.position.units} == {"A GAS", "A PAR", "A VEN"}


@pytest.mark.parametrize(
    ("merge", "seats", "why"),
    [
        ("rank", "", "gives France no seat"),
        ("rank", '"Fosh"', "names 'Fosh' for France; did you mean Foch"),
        ("rank", '"Foch", "Foch"', "names Foch twice"),
        ("majority", '"France", "Foch"', "two seats, of which no majority"),
    ],
)
def test_an_order_set_that_no_power_can_write_is_refused(tiny: Tiny, merge: str, seats: str, why: str) -> None:
    with pytest.raises(PlenipoError, match=why):
        joint(tiny, merge, seats)


@settings(max_examples=25, deadline=None)
@given(st.permutations(["England", "Austria", "Turkey"]), st.sampled_from(["rank", "agreement", "majority", "lot"]))
def test_the_order_in_which_order_sets_come_in_does_not_matter(names: list[str], merge: str) -> None:
    rules = library.load("cancelled-out", {"merge": merge})
    orders = {"England": ["A ROM - TUS"], "Austria": ["A ROM - APU"], "Turkey": ["A ROM - TUS"]}
    one, other = (spring(rules, **{name: orders[name] for name in order}) for order in (sorted(names), names))
    assert one.position == other.position

"""Neutral pieces walk as cards decide, strike units with anarchy and cure them."""

from collections.abc import Callable, Mapping
from dataclasses import replace

import pytest

from hats import BY_HAND, drawn, notes, turn
from plenipo.engine.board import Code
from plenipo.engine.calendar import Phase, PhaseKind
from plenipo.engine.dice import Dice, card_value
from plenipo.engine.history.game import Game
from plenipo.engine.history.record import decode_game, decode_position, encode_game, encode_position
from plenipo.engine.outcome import Resolution
from plenipo.engine.position import Dislodged, Position
from plenipo.engine.rules import Rules
from plenipo.errors import PlenipoError
from plenipo.library import load
from plenipo.rulekit.anarchy import Anarchy
from plenipo.rulekit.walkers import Walkers, Walking, enterable
from table import board_of, place, reader, results, units_of

Tiny = Callable[..., Rules]
MODULES = "[modules.walkers]\n[modules.anarchy]\n"
HAND = BY_HAND + MODULES
CHANGING = HAND + "[modules.black_holes]\n[modules.splits]\n"


def walked(rules: Rules, position: Position, orders: str, **moves: str) -> Resolution:
    """A movement with walkers, given as `S1="LON PAR"` from one place to another, or `S1="PAR"` to land."""
    names = {word: f"{'STRIKER' if word[0] == 'S' else 'HEALER'} {word[1:]}" for word in moves}
    starts = {names[word]: Code(way.split()[0] if " " in way else "") for word, way in moves.items()}
    walking = Walking(starts, {"STRIKER": 9, "HEALER": 9})
    draws = {names[word]: way.split()[-1] for word, way in moves.items()}
    return turn(rules, position.with_slot("walkers", walking), orders, draws)


def struck(position: Position) -> set[str]:
    return {str(unit) for unit in Anarchy().units(position)}


def places(position: Position) -> Mapping[str, str]:
    return Walkers().walking(position).places


def test_they_begin_nowhere_and_land_on_places_drawn_from_the_whole_board(tiny: Tiny) -> None:
    rules = tiny(MODULES)
    assert places(rules.opening) == dict.fromkeys(("HEALER 1", "HEALER 2", "HEALER 3", "STRIKER 1", "STRIKER 2"), "")
    game = Game.new(rules, Dice(bytes(32))).process({})
    draws = game.turns[0].resolution.draws
    assert [len(draw.slips) for draw in draws] == [75] * 5
    assert draws[0].label == "Spring 1901|HEALER 1"
    assert decode_game(encode_game(game), rules) == game


def test_as_many_of_each_kind_begin_as_the_options_say(tiny: Tiny) -> None:
    rules = tiny(MODULES, strikers="1", healers="0")
    assert places(rules.opening) == {"STRIKER 1": ""}
    named = tiny('[modules.walkers]\nstriker = "IMP"\nhealer = "ANGEL"\nhealers = 1\n')
    assert set(places(named.opening)) == {"ANGEL 1", "IMP 1", "IMP 2"}


def test_slips_of_landing_places_go_back_into_the_hat_as_the_option_says(tiny: Tiny) -> None:
    rules = tiny(MODULES, first_placement="without_replacement", strikers="40", healers="0")
    draws = Game.new(rules, Dice(bytes(32))).process({}).turns[0].resolution.draws
    assert [len(draw.slips) for draw in draws] == list(range(75, 35, -1))
    assert len({draw.result for draw in draws}) == 40
    again = tiny(MODULES, strikers="40", healers="0")
    draws = Game.new(again, Dice(bytes(32))).process({}).turns[0].resolution.draws
    assert len({draw.result for draw in draws}) < 40


def test_then_each_goes_to_the_neighbour_with_the_highest_card(tiny: Tiny) -> None:
    rules = tiny(MODULES)
    game = Game.new(rules, Dice(bytes(32))).process({}).process({})
    before, after = (places(turn.resolution.after) for turn in game.turns)
    for draw in game.turns[1].resolution.draws:
        name = draw.label.split("|")[1]
        assert set(draw.cards) == set(enterable(rules.board, Code(before[name])))
        assert after[name] == max(draw.cards, key=lambda code: card_value(draw.cards[code]))


def test_they_go_over_any_border_but_not_into_what_is_closed(tiny: Tiny) -> None:
    board = load("standard").board
    assert enterable(board, Code("BUR")) == ("BEL", "GAS", "MAR", "MUN", "PAR", "PIC", "RUH")
    assert enterable(board, Code("NAF")) == ("MID", "TUN", "WES")
    rules = tiny(CHANGING)
    hole = drawn(rules, rules.opening, {"black hole": "BEL", "split": "MUN", "cards of MUN": "BUR, BOH"}).after
    assert enterable(rules.board_at(hole), Code("BUR")) == ("GAS", "MAR", "MUN 1", "MUN 2", "PAR", "PIC", "RUH")
    cornered = tiny(HAND, parent="corner")
    assert enterable(cornered.board, Code("BUR")) == enterable(board, Code("BUR"))


def test_one_that_can_go_nowhere_stays(tiny: Tiny) -> None:
    rules = tiny(CHANGING)
    position = rules.opening
    for hole, split, cards in (("SPA", "SYR", "EAS, SMY"), ("MID", "ARM", "SEV, ANK")):
        position = drawn(rules, position, {"black hole": hole, "split": split, f"cards of {split}": cards}).after
    after = turn(rules, position.with_slot("walkers", Walking({"STRIKER 1": Code("POR")}, {}))).after
    assert places(after) == {"STRIKER 1": "POR"}


def test_a_striker_puts_the_unit_it_meets_in_anarchy_and_a_healer_cures_it(tiny: Tiny) -> None:
    rules = tiny(HAND)
    position = place("Germany: A MUN, A BER", rules=rules)
    first = walked(rules, position, "", S1="BUR MUN", H1="PRU SIL")
    assert struck(first.after) == {"A MUN"}
    assert notes(first, "anarchy") == ["A MUN of Germany fell into anarchy."]
    second = walked(rules, first.after, "", S1="MUN BUR", H1="SIL MUN")
    assert struck(second.after) == set()
    assert notes(second, "cured") == ["A MUN of Germany was cured of anarchy."]


def test_the_orders_of_the_turn_stand_and_walkers_change_no_strength(tiny: Tiny) -> None:
    rules = tiny(HAND)
    position = place("France: A BUR, A RUH\nGermany: A MUN", rules=rules)
    after = walked(rules, position, "France: A BUR - MUN, A RUH S A BUR - MUN", S1="SIL MUN", S2="BEL RUH")
    assert results(after)["A BUR"] == "moves"
    assert results(after)["A MUN"] == "holds dislodged"
    assert struck(after.after) == {"A MUN", "A RUH"}
    assert [d.unit.power for d in after.after.dislodged] == ["Germany"]


def test_changing_places_is_no_meeting(tiny: Tiny) -> None:
    rules = tiny(HAND)
    after = walked(rules, place("Germany: A MUN", rules=rules), "Germany: A MUN - BUR", S1="BUR MUN", H1="MUN BUR")
    assert struck(after.after) == set()
    assert places(after.after) == {"STRIKER 1": "MUN", "HEALER 1": "BUR"}


@pytest.mark.parametrize(
    ("moves", "left", "anarchy"),
    [
        ({"S1": "BUR MUN", "H1": "SIL MUN"}, 0, set()),
        ({"S1": "BUR MUN", "S2": "BUR MUN", "H1": "SIL MUN"}, 1, {"A MUN"}),
        ({"S1": "BUR MUN", "H1": "SIL MUN", "H2": "SIL MUN"}, 1, set()),
        ({"S1": "BUR MUN", "S2": "BUR MUN"}, 2, {"A MUN"}),
    ],
)
def test_opposite_walkers_annihilate_each_other_in_pairs_before_they_act(
    tiny: Tiny, moves: dict[str, str], left: int, anarchy: set[str]
) -> None:
    rules = tiny(HAND)
    after = walked(rules, place("Germany: A MUN", rules=rules), "", **moves)
    assert len(places(after.after)) == left
    assert struck(after.after) == anarchy


def test_they_act_again_after_the_retreats(tiny: Tiny) -> None:
    rules = tiny(HAND)
    (beaten,) = units_of(rules, "Germany", "A MUN")
    position = replace(
        place("France: A MUN", Phase("Spring", 1901, PhaseKind.RETREATS), rules), dislodged=(Dislodged(beaten),)
    ).with_slot("walkers", Walking({"STRIKER 1": Code("SIL")}, {}))
    after = turn(rules, position, "Germany: A MUN R SIL").after
    assert struck(after) == {"A SIL"}


def test_a_walker_in_a_hole_is_lost(tiny: Tiny) -> None:
    rules = tiny(CHANGING)
    position = rules.opening.with_slot("walkers", Walking({"STRIKER 1": Code("NTH"), "HEALER 1": Code("MUN")}, {}))
    resolution = drawn(rules, position, {"black hole": "NTH", "split": "SYR", "cards of SYR": "EAS, SMY"})
    assert places(resolution.after) == {"HEALER 1": "MUN"}
    assert notes(resolution, "STRIKER") == ["STRIKER 1 was annihilated."]


@pytest.mark.parametrize(("option", "doubled"), [("true", True), ("false", False)])
def test_a_walker_in_a_province_that_is_split_has_a_double_as_the_option_says(
    tiny: Tiny, option: str, *, doubled: bool
) -> None:
    rules = tiny(CHANGING, split_doubles_walkers=option)
    walking = Walking({"STRIKER 1": Code("MUN"), "STRIKER 2": Code("BER")}, {"STRIKER": 2, "HEALER": 3})
    draws = {"black hole": "NTH", "split": "MUN", "cards of MUN": "BUR, BOH"}
    resolution = drawn(rules, rules.opening.with_slot("walkers", walking), draws)
    after = resolution.after
    told = ["STRIKER 3 appeared in MUN 2, the double of STRIKER 1 in MUN 1."]
    assert notes(resolution, "STRIKER 3") == (told if doubled else [])
    expected = {"STRIKER 1": "MUN 1", "STRIKER 2": "BER"} | ({"STRIKER 3": "MUN 2"} if doubled else {})
    assert places(after) == expected
    assert decode_position(encode_position(after), rules) == after


def test_walkers_without_anarchy_only_walk(tiny: Tiny) -> None:
    rules = tiny(BY_HAND + "[modules.walkers]\n")
    after = walked(rules, place("Germany: A MUN", rules=rules), "", S1="BUR MUN").after
    assert set(after.slots) == {"walkers"}
    assert board_of(after) == {"Germany": ["A MUN"]}


@pytest.mark.parametrize(
    "value",
    [None, [], {}, {"places": {"X": "PAR"}}, {"places": {"STRIKER 1": 3}}, {"places": {}, "numbers": {"STRIKER": "1"}}],
)
def test_what_cannot_have_been_remembered_is_refused(value: object) -> None:
    with pytest.raises((PlenipoError, KeyError)):
        Walkers().decode_slot(value, reader())

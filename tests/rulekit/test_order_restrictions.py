"""Limits: what may not be ordered, where, when and without whose leave; ways that take longer."""

from collections.abc import Callable
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from plenipo import library
from plenipo.engine.board import Code
from plenipo.engine.calendar import PhaseKind
from plenipo.engine.history.game import Game
from plenipo.engine.history.record import decode_game, encode_game
from plenipo.engine.orders import Move, Support
from plenipo.engine.outcome import Reason
from plenipo.engine.phases import retreats
from plenipo.engine.phases.legality import Legality
from plenipo.engine.position import Power
from plenipo.engine.reading.notation import notation_of
from plenipo.engine.reading.order_entry import OrderEntry
from plenipo.engine.rules import Rules
from plenipo.errors import IllegalOrder, InvalidVariant
from plenipo.rulekit.order_restrictions import Lately, OnItsWay, OrderRestrictions, Restriction

Tiny = Callable[..., Rules]
AUSTRIA, FRANCE, ITALY, RUSSIA, TURKEY = map(Power, ("Austria", "France", "Italy", "Russia", "Turkey"))
LIMIT = "[[modules.order_restrictions.restrictions]]\n"
TWICE = """\
[calendar]
start = 1901
cycle = [
  ["Spring", "movement"], ["Late Spring", "movement"], ["Late Spring", "retreats"],
  ["Fall", "movement"], ["Fall", "retreats"], ["Winter", "ownership"], ["Winter", "adjustments"],
]
[[modules.order_restrictions.restrictions]]
orders = ["move"]
only = true
seasons = ["Late Spring"]
[[modules.order_restrictions.restrictions]]
orders = ["move"]
seasons = ["Late Spring"]
after = "stayed"
"""


def listed(rules: Rules, game: Game, power: Power) -> list[str]:
    return list(map(str, Legality(rules, game.position).orders_of(power)))


def test_in_a_second_movement_only_those_move_that_have_moved(tiny: Tiny) -> None:
    rules = tiny(TWICE)
    game = Game.new(rules).process({FRANCE: ["A PAR - BUR"]})
    orders = listed(rules, game, FRANCE)
    assert "A BUR - BEL" in orders
    assert "A MAR H" in orders
    assert not [order for order in orders if " S " in order or order.startswith("A MAR -")]
    with pytest.raises(IllegalOrder, match="A MAR takes no moves in Late Spring unless it has just moved"):
        OrderEntry(rules, game.position, FRANCE).give((), "A MAR - SPA")
    assert decode_game(encode_game(game), rules) == game


def test_the_holder_of_the_gate_lets_others_pass_or_not(tiny: Tiny) -> None:
    rules = tiny(LIMIT + 'between = [["BLA", "CON"]]\ngate = "CON"\nleave = true\n')
    game = Game.new(rules).process({RUSSIA: ["F SEV - BLA"], TURKEY: ["A CON - BUL"]})
    shut = game.process({RUSSIA: ["F BLA - CON"]})
    assert shut.position.unit_at(Code("BLA"))
    outcome = next(one for one in shut.turns[-1].resolution.outcomes if str(one.unit) == "F BLA")
    assert outcome.cause.reason is Reason.PUT_OFF
    assert (
        outcome.why == "F BLA held, because its order 'F BLA - CON' was not carried out: Turkey gave no leave for it."
    )
    opened = game.process({RUSSIA: ["F BLA - CON"], TURKEY: ["LEAVE Russia"]})
    assert opened.position.unit_at(Code("CON"))
    assert "Turkey lets Russia pass." in opened.turns[-1].resolution.notes
    with pytest.raises(IllegalOrder, match="Russia holds nothing for which it could give leave"):
        OrderEntry(rules, game.position, RUSSIA).give((), "LEAVE Turkey")


def test_a_way_may_take_two_movements_of_one_order(tiny: Tiny) -> None:
    rules = tiny(LIMIT + 'between = [["PIE", "MAR"]]\nturns = 2\n')
    game = Game.new(rules).process({ITALY: ["A VEN - PIE"], FRANCE: ["A MAR - SPA"]})
    game = game.process({ITALY: ["A PIE - MAR"]})
    assert "A PIE is on its way to Marseilles: 1 of 2 turns." in game.turns[-1].resolution.notes
    slot = game.position.slots["order_restrictions"]
    assert isinstance(slot, Lately)
    assert slot.going == {"PIE": OnItsWay(Code("MAR"), 1)}
    assert decode_game(encode_game(game), rules) == game
    while game.position.phase.season != "Spring":
        game = game.process({})
    given_up = game.process({ITALY: ["A PIE H"]}).process({ITALY: ["A PIE - MAR"]})
    assert given_up.position.unit_at(Code("PIE"))
    assert game.process({ITALY: ["A PIE - MAR"]}).position.unit_at(Code("MAR"))


def test_units_do_not_retreat_where_they_may_not_go(tiny: Tiny) -> None:
    rules = tiny(LIMIT + 'into = ["BOH"]\npowers = ["Austria"]\n')
    game = Game.new(rules).process({AUSTRIA: ["A VIE - TYO"], ITALY: ["A VEN - PIE", "A ROM - VEN"]})
    order_sets = {ITALY: ["A VEN - TYO"], Power("Germany"): ["A MUN S A VEN - TYO"], AUSTRIA: []}
    game = game.process(order_sets)
    (dislodged,) = game.position.dislodged
    assert "BOH" not in {to.space for to in retreats.options(rules, game.position, dislodged)}
    assert "VIE" in {to.space for to in retreats.options(rules, game.position, dislodged)}


def test_supports_of_others_may_be_closed_and_homes_of_others(tiny: Tiny) -> None:
    rules = tiny(
        LIMIT + 'orders = ["support"]\nof = "others"\n' + LIMIT + 'where = "foreign_home"\nuntil_year = 1901\n'
    )
    orders = listed(rules, Game.new(rules), AUSTRIA)
    assert "A VIE S A BUD - GAL" in orders
    assert "A VIE S A VEN - TYO" not in orders
    assert "F TRI - VEN" not in orders


@pytest.mark.parametrize(
    ("where", "shut", "free"),
    [
        ("plain", "F TRI - ADR", "F TRI - VEN"),
        ("centre", "F TRI - VEN", "F TRI - ADR"),
        ("unowned", "A BUD - SER", "A BUD - GAL"),
        ("foreign", "F TRI - VEN", "A BUD - SER"),
    ],
)
def test_a_kind_of_space_may_be_closed(tiny: Tiny, where: str, shut: str, free: str) -> None:
    rules = tiny(LIMIT + f'where = "{where}"\n')
    orders = listed(rules, Game.new(rules), AUSTRIA)
    assert shut not in orders
    assert free in orders


@settings(max_examples=25, deadline=None)
@given(st.data())
def test_whatever_is_listed_is_allowed_and_nothing_that_is_closed_is_listed(data: st.DataObject) -> None:
    rules = replace(library.load("standard"), modules=(OrderRestrictions((Restriction(into=(Code("TYO"),)),)),))
    game = Game.new(rules)
    for _ in range(data.draw(st.integers(0, 3))):
        orders = {power: list(Legality(rules, game.position).orders_of(power)) for power in (ITALY, AUSTRIA)}
        game = game.process({power: [data.draw(st.sampled_from(of))] for power, of in orders.items() if of})
    legality = Legality(rules, game.position)
    for power in (ITALY, AUSTRIA):
        for order in legality.orders_of(power):
            assert legality.check(power, order).order == order
            assert not isinstance(order, Move | Support) or order.to is None or order.to.space != "TYO"


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ('orders = ["moves"]\n', "names the order 'moves'; did you mean move"),
        ('reason = "no"\n', "does not say what may not be ordered"),
        ('units = ["A"]\nonly = true\n', "does not say what alone may be ordered: write 'orders'"),
        ('into = ["PAX"]\n', "names 'PAX', which is not on the board; did you mean PAR"),
        ('between = [["PAR", "ROM"]]\n', "the way between PAR and ROM, where no unit passes"),
        ('into = ["PAR"]\nturns = 2\n', "for the ways of 'between'"),
        ('into = ["PAR"]\nleave = true\n', "has no 'gate' with a holder"),
        ('into = ["PAR"]\nseasons = ["Summer"]\n', "has the season 'Summer'"),
        ('into = ["PAR"]\nunits = ["C"]\n', "names the unit 'C'; it must be A or F"),
        ('into = ["PAR"]\nfrom_year = 1905\nuntil_year = 1904\n', "from 1905 until 1904: never"),
    ],
)
def test_a_limit_that_cannot_be_is_refused(tiny: Tiny, text: str, why: str) -> None:
    with pytest.raises(InvalidVariant, match=why):
        _ = tiny(LIMIT + text).facts


def test_a_limit_without_orders_is_about_all_of_them(tiny: Tiny) -> None:
    rules = tiny(LIMIT + 'units = ["F"]\nseasons = ["Spring"]\n')
    game = Game.new(rules)
    assert [order for order in listed(rules, game, FRANCE) if order.startswith("F")] == ["F BRE H"]
    assert "A PAR - BUR" in listed(rules, game, FRANCE)
    assert "F BRE - MID" in listed(rules, game.process({}), FRANCE)


@pytest.mark.parametrize("where", ["centre", "owned", "unowned"])
def test_what_kind_of_space_is_meant_does_not_matter_for_the_ways_named_besides(where: str, tiny: Tiny) -> None:
    rules = tiny(LIMIT + f'orders = ["move"]\nbetween = [["PAR", "GAS"]]\nwhere = "{where}"\n')
    assert "A PAR - GAS" not in listed(rules, Game.new(rules), FRANCE)


def test_a_limit_may_be_about_those_alone_that_have_so_much(tiny: Tiny) -> None:
    rules = tiny(
        "[[modules.order_restrictions.restrictions]]\norders = "
        '["support"]\nconditions = [{ count = "units", at_least = 4 }]\n'
    )
    legality = Legality(rules, rules.opening)
    assert not [order for order in legality.orders_of(Power("Russia")) if isinstance(order, Support)]
    assert [order for order in legality.orders_of(Power("France")) if isinstance(order, Support)]
    read = notation_of(rules, rules.opening).read("A MOS S A WAR", PhaseKind.MOVEMENT)
    why = legality.check(Power("Russia"), read).reason
    assert why == "A MOS takes no supports as long as Russia has 4 units or more."

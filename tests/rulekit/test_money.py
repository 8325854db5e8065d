"""Income, upkeep, prices and gifts, in whole coins."""

from collections.abc import Callable, Mapping
from pathlib import Path
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from plenipo import library
from plenipo.engine.budgets import affordable
from plenipo.engine.calendar import Phase, PhaseKind
from plenipo.engine.dice import Dice
from plenipo.engine.history.game import Game
from plenipo.engine.history.record import decode_game, encode_game
from plenipo.engine.history.view import view
from plenipo.engine.phases.legality import Legality
from plenipo.engine.position import Position, Power
from plenipo.engine.reading.order_entry import OrderEntry
from plenipo.engine.rules import Rules
from plenipo.errors import IllegalOrder, PlenipoError
from plenipo.rulekit.money import Money
from plenipo.rulekit.treasury import Balances
from table import place

Tiny = Callable[..., Rules]
FRANCE, ITALY = Power("France"), Power("Italy")
WINTER = Phase("Winter", 1901, PhaseKind.ADJUSTMENTS)
PLAIN = "[modules.money]\n"


def balances(position: Position) -> Mapping[Power, int]:
    return Money().balances(position)


def rich(position: Position, **has: int) -> Position:
    return Money().with_ledger(position, Balances({Power(name): number for name, number in has.items()}))


def year(rules: Rules, *order_sets: Mapping[str, list[str]]) -> Game:
    game = Game.new(rules)
    for order_set in order_sets:
        game = game.process({Power(name): orders for name, orders in order_set.items()})
    return game


def test_a_centre_brings_what_the_variant_says_and_a_space_what_the_table_says(tiny: Tiny) -> None:
    rules = tiny(PLAIN + "each = 2\nyearly = 1\nspaces = { PAR = 5, PIC = 3, MUN = 0 }\n")
    game = year(rules, {"France": ["A PAR - PIC"]}, {})
    assert balances(game.position)[FRANCE] == 1 + 5 + 2 + 2 + 3
    assert balances(game.position)[Power("Germany")] == 1 + 2 + 2
    assert "France got 13 crowns and has 13." in game.turns[-1].resolution.notes


def test_units_are_paid_and_those_that_cannot_be_are_removed(tiny: Tiny) -> None:
    rules = tiny(PLAIN + "each = 1\nupkeep = 2\n")
    game = year(rules, {}, {})
    assert str(game.position.phase) == "Winter 1901 adjustments"
    assert OrderEntry(rules, game.position, FRANCE).task == "must remove 2"
    game = game.process({FRANCE: ["A PAR D", "A MAR D"]})
    assert [str(unit) for unit in game.position.units_of(FRANCE)] == ["F BRE"]
    assert balances(game.position)[FRANCE] == 1
    assert "France cannot pay for 2 of its units." in game.turns[1].resolution.notes


def test_or_they_stay_and_take_what_is_there(tiny: Tiny) -> None:
    rules = tiny(PLAIN + 'each = 1\nupkeep = 2\nunpaid = "kept"\n')
    game = year(rules, {}, {})
    assert str(game.position.phase) == "Spring 1902 movement"
    assert len(game.position.units_of(FRANCE)) == 3
    assert balances(game.position)[FRANCE] == 0


@pytest.mark.parametrize(("bought", "built"), [("true", 2), ("false", 1)])
def test_builds_are_paid_and_centres_limit_them_or_not(tiny: Tiny, bought: str, built: int) -> None:
    rules = tiny(PLAIN + f"build = 3\nbought = {bought}\n")
    position = place("France: A SPA, A POR", WINTER, rules, owners={"France": "PAR BRE MAR"})
    game = Game(rules, rich(position, France=7)).process({FRANCE: ["Build A PAR", "Build A MAR"]})
    assert len(game.position.units_of(FRANCE)) == 2 + built
    assert balances(game.position)[FRANCE] == 7 - 3 * built


def test_an_order_that_costs_more_than_there_is_is_not_listed_and_is_refused(tiny: Tiny) -> None:
    rules = tiny(PLAIN + "start = 1\norders = { support = 2, move = 1 }\n")
    legal = Legality(rules, rules.opening).orders_of(FRANCE)
    assert not any(" S " in str(order) for order in legal)
    entry = OrderEntry(rules, rules.opening, FRANCE)
    order_set = entry.give((), "A PAR - BUR").order_set
    with pytest.raises(IllegalOrder, match=r"'A MAR - SPA' takes 1 crown, and France has no crown left\."):
        entry.give(order_set, "A MAR - SPA")
    with pytest.raises(IllegalOrder, match="takes 2 crowns, and France has 1 crown left"):
        entry.give((), "A PAR S A MAR - BUR")
    game = year(rules, {"France": ["A PAR - BUR", "A MAR - SPA"]})
    assert {str(unit) for unit in game.position.units_of(FRANCE)} == {"A BUR", "A MAR", "F BRE"}
    assert balances(game.position)[FRANCE] == 0
    assert str(game.turns[0].resolution.refusals[0].code) == "no_room"


def test_a_gift_is_an_order_with_an_outcome(tiny: Tiny) -> None:
    rules = tiny(PLAIN + "start = 5\n")
    game = year(rules, {"France": ["give 2 crowns to Italy"]})
    assert (balances(game.position)[FRANCE], balances(game.position)[ITALY]) == (3, 7)
    outcome = game.turns[0].resolution.outcomes[-1]
    assert (str(outcome.order), str(outcome.result), outcome.why) == (
        "GIVE Italy 2",
        "paid",
        "France gave Italy 2 crowns.",
    )


@pytest.mark.parametrize(
    ("short", "left", "why"),
    [
        ("part", {"Italy": 5}, "France gave Italy 3 crowns: of 4 crowns it had 3."),
        ("nothing", {"France": 3, "Italy": 2}, "France gave Italy nothing: of 4 crowns it had 3."),
        ("owed", {"Italy": 5}, "France gave Italy 3 crowns and owes the rest: of 4 crowns it had 3."),
    ],
)
def test_what_happens_when_money_is_short_is_data(tiny: Tiny, short: str, left: Mapping[str, int], why: str) -> None:
    rules = tiny(PLAIN + f'short = "{short}"\norders = {{ move = 1 }}\n')
    start = rich(rules.opening, France=4, Italy=2)
    game = Game(rules, start).process({FRANCE: ["GIVE Italy 4", "A PAR - BUR"]})
    assert {power: number for power, number in balances(game.position).items() if number} == left
    assert game.turns[0].resolution.outcomes[-1].why == why
    if short == "owed":
        game = game.process({})
        assert balances(game.position)[ITALY] == 5 + 3 + 1


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("GIVE France 1", "cannot give anything to itself"),
        ("GIVE Italy 0", "gives nothing"),
        ("GIVE Italy 1.5", "in whole numbers"),
        ("GIVE Italy", "does not read like a gift"),
        ("GIVE Narnia 1", "not a power of this game"),
    ],
)
def test_a_gift_that_cannot_be_is_answered_in_a_sentence(tiny: Tiny, text: str, why: str) -> None:
    rules = tiny(PLAIN + "start = 5\n")
    with pytest.raises(IllegalOrder, match=why):
        OrderEntry(rules, rules.opening, FRANCE).give((), text)


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("each = 1.5", "whole number"),
        ("spaces = { PAR = 0.5 }", "whole number"),
        ("each = -1", "must be 0 or more"),
        ("each = 0", "gives no power anything"),
        ("spaces = { PAS = 1 }", "'PAS', which is not on the board"),
        ("builds = { Z = 1 }", "names the unit 'Z'"),
        ("orders = { supports = 1 }", "'supports', which is no order; did you mean support"),
        ('seasons = ["Spring"]', "'Spring', which has no ownership phase"),
    ],
)
def test_check_finds_what_money_cannot_be(tmp_path: Path, text: str, why: str) -> None:
    folder = tmp_path / "poor"
    folder.mkdir()
    (folder / "variant.toml").write_text(f'title = "Poor"\nparent = "standard"\n{PLAIN}{text}\n', encoding="utf-8")
    mistakes = [str(mistake) for mistake in library.check(folder)]
    assert len(mistakes) == 1
    assert why in mistakes[0]
    assert "variant.toml, line " in mistakes[0]


def test_two_modules_that_keep_balances_are_refused_together(tiny: Tiny) -> None:
    with pytest.raises(PlenipoError, match="'points' and 'money' both decide points"):
        tiny("[modules.points]\n" + PLAIN)


def test_no_power_sees_the_secret_balance_of_another(tiny: Tiny) -> None:
    rules = tiny(PLAIN + "start = 5\nsecret = true\n")
    game = year(rules, {"France": ["GIVE Italy 2", "A PAR - BUR"]})
    for who, seen in ((FRANCE, {FRANCE: 3}), (ITALY, {ITALY: 7}), (None, {})):
        eyes = view(game, who, {})
        assert balances(eyes.position) == seen
        told = "GIVE" in str(eyes.turns[0].resolution.outcomes)
        assert told == (who is not None)
        assert ("GIVE" in str(eyes.turns[0].orders)) == (who == FRANCE)
        assert "A PAR - BUR" in str(eyes.turns[0].orders)
    assert balances(view(game, Power("Turkey"), {}).position) == {Power("Turkey"): 5}


@settings(max_examples=12, deadline=None)
@given(st.randoms(use_true_random=False), st.sampled_from(["part", "nothing", "owed"]))
def test_gifts_make_no_money_and_balances_are_never_below_nothing(chance: Random, short: str) -> None:
    rules = library.load("condottieri", {"short": short, "money.each": "0"})
    game = Game.new(rules, Dice(bytes(32)))
    for _ in range(2):
        order_sets = {}
        for power in rules.names:
            offers = Legality(rules, game.position).orders_of(power).declarations
            orders = chance.sample(offers, min(3, len(offers)))
            order_sets[power] = affordable(rules, game.position, power, orders)
        before = sum(balances(game.position).values())
        game = game.process(order_sets)
        resolution = game.turns[-1].resolution
        paid = sum(event.numbers[0] for event in resolution.events if str(event.kind) in ("bid_won", "money_paid"))
        got = sum(event.numbers[0] for event in resolution.events if str(event.kind) == "points_received")
        assert sum(balances(game.position).values()) == before - paid + got
        assert min(balances(game.position).values()) >= 0
    assert decode_game(encode_game(game), rules) == game


def test_a_move_along_a_way_with_a_toll_costs_it_besides(tiny: Tiny) -> None:
    rules = tiny(PLAIN + 'start = 1\norders = { move = 1 }\ntolls = [{ between = ["PAR", "BUR"], cost = 1 }]\n')
    orders = list(map(str, Legality(rules, rules.opening).orders_of(FRANCE)))
    assert "A PAR - GAS" in orders
    assert "A PAR - BUR" not in orders
    game = Game.new(rules).process({FRANCE: ["A PAR - BUR", "A MAR - BUR"]})
    assert [str(unit) for unit in game.position.units_of(FRANCE)] == ["F BRE", "A BUR", "A PAR"]
    assert balances(game.position)[FRANCE] == 0


def test_balances_that_lapse_hold_the_income_of_the_year_alone(tiny: Tiny) -> None:
    rules = tiny("[modules.money]\nstart = 5\neach = 0\nyearly = 3\nlapses = true\n")
    game = Game.new(rules)
    while game.position.phase.year == 1901:
        game = game.process({})
    assert set(balances(game.position).values()) == {3}
    notes = [note for turn in game.turns for note in turn.resolution.notes]
    assert "France lost 5 crowns and has 0." in notes
    assert "France got 3 crowns and has 3." in notes

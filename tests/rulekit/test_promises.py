"""Points promised on a condition are paid as soon as the moves are made."""

from collections.abc import Callable

import pytest

from hats import BY_HAND, drawn, given, turn
from plenipo.engine.board import Code
from plenipo.engine.calendar import Phase, PhaseKind
from plenipo.engine.dice import Dice
from plenipo.engine.history.game import Game
from plenipo.engine.history.record import decode_game, encode_game
from plenipo.engine.orders import Promise
from plenipo.engine.outcome import Outcome, Resolution
from plenipo.engine.phases.legality import Legality
from plenipo.engine.position import GAME_MASTER, Position, Power
from plenipo.engine.reading.notation import notation_of
from plenipo.engine.reading.order_entry import OrderEntry
from plenipo.engine.rules import Rules
from plenipo.errors import InvalidOrder
from plenipo.rulekit.points import Balances, Points
from plenipo.rulekit.promises import Gift, PromiseCondition, read_promise
from table import WINTER, place
from work import calls_of

Tiny = Callable[..., Rules]
MODULES = "[modules.points]\n[modules.promises]\n"
FRANCE, ITALY, GERMANY = Power("France"), Power("Italy"), Power("Germany")
PRINTED = "If France doesn't enter (PIE), give him 2 points."


def promised(rules: Rules, units: str, orders: str, text: str = PRINTED, **balances: int) -> Resolution:
    """A movement in which Italy promises something, with these points in the balances before it."""
    points = {Power(name): count for name, count in (balances or {"Italy": 6}).items()}
    owners = {"Italy": "ROM", "France": "PAR", "Germany": "MUN"}
    position = Points().with_ledger(place(units, rules=rules, owners=owners), Balances(points))
    return turn(rules, position, orders, Italy=text)


def balances(resolution: Resolution) -> dict[str, int]:
    return {str(power): count for power, count in Points().balances(resolution.after).items() if count}


def told(resolution: Resolution) -> Outcome:
    """Return the outcome of the one promise."""
    (found,) = (outcome for outcome in resolution.outcomes if isinstance(outcome.order, Promise))
    return found


@pytest.mark.parametrize(
    ("units", "orders", "left"),
    [
        ("France: A MAR", "France: A MAR H", {"Italy": 4, "France": 2}),
        ("France: A MAR", "France: A MAR - PIE", {"Italy": 6}),
        ("France: A MAR\nItaly: A TUS", "France: A MAR - PIE\nItaly: A TUS - PIE", {"Italy": 4, "France": 2}),
    ],
)
def test_the_printed_promise_is_kept_broken_and_kept_by_a_bounce(
    tiny: Tiny, units: str, orders: str, left: dict[str, int]
) -> None:
    assert balances(promised(tiny(MODULES), units, orders)) == left


UNITS = "France: A MAR, A PAR\nGermany: A MUN, A BUR\nItaly: A PIE"
ORDERS = "France: A MAR S A MUN - BUR, A PAR - BUR\nGermany: A MUN - TYO, A BUR - BEL\nItaly: A PIE - MAR"


@pytest.mark.parametrize(
    ("condition", "met"),
    [
        ("Germany enters TYO", True),
        ("Germany enters BUR", False),
        ("France enters BUR", True),
        ("Germany leaves MUN", True),
        ("Germany leaves BEL", False),
        ("Germany doesn't leave BUR", False),
        ("France holds in MAR", True),
        ("France holds in (A MAR)", True),
        ("France does not hold in PAR", True),
        ("Germany supports BUR", False),
        ("France supports A MUN", False),
        ("Italy attacks MAR", True),
        ("Italy enters MAR", False),
        ("the French attacks BUR", None),
        ("French attacks Burgundy", True),
        ("France doesn't attack BUR", False),
        ("Germany enters TYO and France enters BUR", True),
        ("Germany enters TYO and France enters MUN", False),
        ("Germany enters BUR or France enters BUR", True),
        ("Germany enters BUR and France enters MUN or Germany enters TYO", True),
        ("Germany enters TYO or France enters MUN and France enters MAR", True),
    ],
)
def test_a_condition_depends_on_the_actions_of_the_units(tiny: Tiny, condition: str, met: bool | None) -> None:  # noqa: FBT001  # a row of the table
    found = told(promised(tiny(MODULES), UNITS, ORDERS, f"If {condition}, give Germany 1 point."))
    assert str(found.result) == ("referred" if met is None else "paid" if met else "unpaid")


def test_support_counts_when_it_matches_an_order_cut_or_not(tiny: Tiny) -> None:
    rules = tiny(MODULES)
    units = "France: A MAR, A PAR\nItaly: A PIE"
    orders = "France: A MAR S A PAR - BUR, A PAR - BUR\nItaly: A PIE - MAR"
    for what in ("A PAR", "PAR", "BUR"):
        assert (
            str(told(promised(rules, units, orders, f"If France supports {what}, give him 1 point.")).result) == "paid"
        )
    unmatched = promised(rules, units, "France: A MAR S A PAR - BUR", "If France supports BUR, give him 1 point.")
    assert str(told(unmatched).result) == "unpaid"


def test_him_is_the_first_power_named(tiny: Tiny) -> None:
    text = "If Germany holds in MUN and France holds in MAR, give them 3 points."
    assert balances(promised(tiny(MODULES), "France: A MAR\nGermany: A MUN", "", text)) == {"Italy": 3, "Germany": 3}


def test_with_the_option_promises_are_paid_in_full_or_not_at_all(tiny: Tiny) -> None:
    rules = tiny(MODULES, beyond_balance="void")
    position = Points().with_ledger(rules.opening, Balances({ITALY: 5, FRANCE: 0}))
    texts = [
        f"PROMISE If France doesn't enter PIE, give {to} {n} points."
        for to, n in (("him", 3), ("Turkey", 4), ("Germany", 2))
    ]
    game = Game(rules, position).process(
        given(Italy=texts, France=["PROMISE If Italy holds in ROM, give him 3 points"])
    )
    paid = [
        (outcome.power, str(outcome.result), outcome.why)
        for outcome in game.turns[0].resolution.outcomes
        if outcome.unit is None
    ]
    assert paid == [
        ("France", "unpaid", "France owed Italy 3 points and had only 0: nothing was paid."),
        ("Italy", "paid", "Italy gave France 3 points: what it asked for happened."),
        ("Italy", "unpaid", "Italy owed Turkey 4 points and had only 2: nothing was paid."),
        ("Italy", "paid", "Italy gave Germany 2 points: what it asked for happened."),
    ]


def test_what_the_giver_does_not_have_is_owed_and_paid_first_out_of_its_next_income(tiny: Tiny) -> None:
    rules = tiny(MODULES)
    position = Points().with_ledger(rules.opening, Balances({ITALY: 5}))
    texts = [f"PROMISE If France doesn't enter PIE, give {to} {n} points." for to, n in (("him", 7), ("Germany", 14))]
    game = Game(rules, position).process(given(Italy=texts))
    whys = [outcome.why for outcome in game.turns[0].resolution.outcomes if outcome.unit is None]
    assert whys == [
        "Italy owes France 7 points and had 5: 2 points will be paid out of its next income.",
        "Italy owes Germany 14 points and had none: 14 points will be paid out of its next income.",
    ]
    assert Points().ledger(game.position).debts == ((ITALY, FRANCE, 2), (ITALY, GERMANY, 14))
    assert decode_game(encode_game(game), rules) == game
    fall = game.process({})
    sentences = [str(event) for event in fall.turns[-1].resolution.events]
    assert {
        "Italy got 15 points and has 15.",
        "Italy paid France 2 points that it owed.",
        "Italy paid Germany 13 points that it owed.",
    } <= set(sentences)
    assert Points().ledger(fall.position).debts == ((ITALY, GERMANY, 1),)
    assert Points().balances(fall.position)[ITALY] == 0
    years = fall.process({}).process({})
    assert Points().ledger(years.position).debts == ()
    assert Points().balances(years.position)[ITALY] == 14


def test_what_was_got_by_one_promise_pays_another(tiny: Tiny) -> None:
    rules = tiny(MODULES)
    position = Points().with_ledger(rules.opening, Balances({ITALY: 0, FRANCE: 3}))
    order_sets = given(
        France=["PROMISE If Italy holds in ROM, give him 3 points"],
        Italy=["PROMISE If France holds in PAR, give Turkey 2 points"],
    )
    after = Game(rules, position).process(order_sets).position
    assert Points().balances(after) == {"Italy": 1, "France": 0, "Turkey": 2}


@pytest.mark.parametrize(
    ("text", "piece"),
    [
        ("If France is nice to me, give him 2 points.", "'France is nice to me' is not a condition"),
        (
            "If France doesn't enter PIE, give him half my points.",
            "does not read like a promise; write 'If France doesn't",
        ),
        ("Give France 2 points.", "does not read like a promise"),
        ("If Frnce holds in PAR, give him 2 points.", "'Frnce' is not a power of this game; did you mean France?"),
        ("If France enters XYZ, give him 2 points.", "'XYZ'"),
        ("If France enters PIE, give him 0 points.", "A promise of 0 points gives nothing"),
        (f"If France enters PIE, give him {'9' * 20} points.", "does not read like a promise"),
    ],
)
def test_what_does_not_parse_is_kept_for_the_game_master_with_the_reason(tiny: Tiny, text: str, piece: str) -> None:
    rules = tiny(MODULES)
    found = told(promised(rules, "France: A PAR", "", text))
    assert str(found.result) == "referred"
    assert found.why.startswith("The game master decides what Italy promised: ")
    assert piece in found.why
    with pytest.raises(InvalidOrder):
        read_promise(rules, rules.opening, text)


def test_a_promise_is_read_into_its_parts(tiny: Tiny) -> None:
    rules = tiny(MODULES)
    pledge = read_promise(
        rules, rules.opening, "if  FRANCE does not enter (Piedmont) and Austria holds in TRI, give France 3 points"
    )
    first, second = pledge.ways[0]
    assert first == PromiseCondition(FRANCE, "enter", frozenset({Code("PIE")}), wanted=False)
    assert (second.power, second.verb, second.wanted) == ("Austria", "hold in", True)
    assert pledge.gifts == (Gift(FRANCE, 3),)


ONE = "if France enters PIE, give France 1 point"


@pytest.mark.parametrize(
    ("text", "same"),
    [
        (f'"{ONE}."', ONE),
        (f"\u201c{ONE}\u201d", ONE),
        (f'"{ONE.removesuffix(".")}".', ONE),
        (f"\u201c{ONE.removesuffix('.')}\u201d.", ONE),
        (f"\u2018{ONE.removesuffix('.')}\u2019 .", ONE),
        ("If France moves to PIE, give him one point", ONE),
        ("If France move into (PIE), then give him a point".replace("a point", "1 point"), ONE),
        ("If France goes to Piedmont, give them one point.", ONE),
        ("If France stays out of PIE, give him 2 points", "If France doesn't enter PIE, give him 2 points"),
        ("If France doesn\u2019t move to PIE, give him two points", "If France doesn't enter PIE, give him 2 points"),
        ("If France do not support A VEN, give him 1 point", "If France doesn't support VEN, give him 1 point"),
        ("I give France 2 points.", "Italy gives France two points"),
    ],
)
def test_a_promise_may_be_written_in_several_ways(tiny: Tiny, text: str, same: str) -> None:
    rules = tiny(MODULES)
    assert read_promise(rules, rules.opening, text, ITALY) == read_promise(rules, rules.opening, same, ITALY)


def test_a_promise_in_quotation_marks_needs_no_keyword(tiny: Tiny) -> None:
    rules = tiny(MODULES)
    lines = notation_of(rules).order_set(f'Italy: "{PRINTED}"\n\u201c{PRINTED}\u201d', PhaseKind.MOVEMENT).lines
    assert [type(line.order) for line in lines] == [Promise, Promise]


@pytest.mark.parametrize(
    ("what", "result"),
    [("A MUN - BUR", "paid"), ("A MUN -> BUR", "paid"), ("MUN-BUR", "paid"), ("A MUN - TYO", "unpaid")],
)
def test_support_of_one_move_is_another_thing_than_support_of_the_unit(tiny: Tiny, what: str, result: str) -> None:
    orders = "France: A MAR S A MUN - BUR\nGermany: A MUN - BUR"
    promise = f"If France supports {what}, give him 1 point."
    assert str(told(promised(tiny(MODULES), "France: A MAR\nGermany: A MUN", orders, promise)).result) == result


def test_two_may_be_given_points(tiny: Tiny) -> None:
    text = "If France holds in MAR, give him 2 points and Germany one point."
    assert balances(promised(tiny(MODULES), "France: A MAR", "", text)) == {"Italy": 3, "France": 2, "Germany": 1}


@pytest.mark.parametrize(
    ("text", "options", "words"),
    [
        (PRINTED, {}, "Understood: Italy gives France 2 points if France does not enter PIE."),
        (
            PRINTED.replace("2", "9"),
            {},
            "Understood: Italy gives France 9 points if France does not enter PIE. Italy has 6 points now; the rest "
            "will be owed.",
        ),
        (
            "I give France 9 points",
            {"beyond_balance": "void"},
            "Understood: Italy gives France 9 points. Italy has 6 points now; it will be void if that is not enough.",
        ),
        (
            "be nice",
            {},
            "Not understood, the game master will decide it: 'be nice' does not read like a promise; write",
        ),
        (PRINTED, {"promises": "gm"}, "The game master decides it."),
    ],
)
def test_the_answer_to_a_promise_says_how_it_is_understood(
    tiny: Tiny, text: str, options: dict[str, str], words: str
) -> None:
    rules = tiny(MODULES, **options)
    position = Points().with_ledger(rules.opening, Balances({ITALY: 6}))
    assert OrderEntry(rules, position, ITALY).words(Promise(text))[1].startswith(words)


def test_a_gift_needs_no_condition(tiny: Tiny) -> None:
    resolution = promised(tiny(MODULES), "France: A MAR", "", "I give France 2 points")
    assert balances(resolution) == {"Italy": 4, "France": 2}
    assert told(resolution).why == "Italy gave France 2 points: a gift."
    other = promised(tiny(MODULES), "France: A MAR", "", "Germany gives France 2 points")
    assert str(told(other).result) == "referred"


def test_a_place_that_was_split_is_either_half_and_a_half_is_itself(tiny: Tiny) -> None:
    rules = tiny(BY_HAND + MODULES + "[modules.splits]\n")
    position = drawn(rules, rules.opening, {"split": "NTH", "cards of NTH": "NWY KS, BEL QH"}).after
    for place_name, places in (("NTH", {"NTH 1", "NTH 2"}), ("(NTH 2)", {"NTH 2"})):
        pledge = read_promise(rules, position, f"If England enters {place_name}, give him 1 point.")
        assert pledge.ways[0][0].places == places


def test_the_game_master_settles_the_promises_left_to_a_ruling(tiny: Tiny) -> None:
    rules = tiny(MODULES)
    position = Points().with_ledger(rules.opening, Balances({ITALY: 5}))
    orders = [f"PROMISE Italy gives {to} 2 points." for to in ("France", "Frnce")]
    game = Game(rules, position).process({GAME_MASTER: [*orders, "PROMISE anything"]})
    assert Points().balances(game.position)[FRANCE] == 2
    whys = [outcome.why for outcome in game.turns[0].resolution.outcomes if outcome.unit is None]
    assert whys[0] == "Italy gave France 2 points: the game master said so."
    assert whys[1].startswith("'Frnce' is not a power of this game")
    assert game.turns[0].resolution.errors == (
        "GM: 'PROMISE anything' was ignored: the game master writes 'PROMISE Italy gives France 2 points.'",
    )


def refusal(rules: Rules, power: Power, text: str, position: Position | None = None) -> str:
    return Legality(rules, position or rules.opening).check(power, Promise(text)).reason


def test_some_promises_are_refused_on_submission(tiny: Tiny) -> None:
    rules = tiny(MODULES)
    assert refusal(rules, ITALY, PRINTED) == ""
    assert refusal(rules, FRANCE, PRINTED) == "France cannot give points to itself."
    winter = place("", WINTER, rules)
    told_winter = "promises are given with the orders of a movement phase, and this is Winter 1901 adjustments."
    assert refusal(rules, ITALY, PRINTED, winter) == told_winter
    gone = place("France: A PAR", Phase("Spring", 1901, PhaseKind.MOVEMENT), rules)
    assert refusal(rules, ITALY, PRINTED, gone) == "Italy is out of the game and can promise nothing."


def test_the_option_keeps_all_of_them_for_the_game_master_or_plays_none(tiny: Tiny) -> None:
    by_hand = tiny(MODULES, promises="gm")
    found = told(promised(by_hand, "France: A MAR", ""))
    assert (str(found.result), found.why) == ("referred", "The game master decides what Italy promised.")
    none = tiny(MODULES, promises="off")
    assert refusal(none, ITALY, PRINTED) == "promises are not played in this game."
    assert promised(none, "France: A MAR", "").errors == (
        f"Italy: 'PROMISE {PRINTED}' was ignored: promises are not played in this game.",
    )


def test_without_balances_nothing_can_be_paid(tiny: Tiny) -> None:
    rules = tiny("[modules.promises]\n")
    game = Game.new(rules).process(given(Italy=[f"PROMISE {PRINTED}"]))
    (found,) = (outcome for outcome in game.turns[0].resolution.outcomes if outcome.unit is None)
    assert found.why == "Italy owed France 2 points and had only 0: nothing was paid."


def test_a_record_keeps_promises_and_what_came_of_them(tiny: Tiny) -> None:
    rules = tiny(MODULES)
    game = Game.new(rules, Dice(bytes(32))).process(given(Italy=[f"PROMISE {PRINTED}", "PROMISE be nice"]))
    assert decode_game(encode_game(game), rules) == game


@pytest.mark.parametrize(
    "text", ["If " + "a and " * 2000, "If a, give " * 2000, "if " + "a " * 10000 + ", give b 1 points x"]
)
def test_a_long_text_takes_a_few_calls_a_letter(tiny: Tiny, text: str) -> None:
    rules = tiny(MODULES)

    def read() -> None:
        with pytest.raises(InvalidOrder):
            read_promise(rules, rules.opening, text)

    assert calls_of(read) < 10 * len(text)

"""Works: what a unit or a power is ordered to do to a space, and what comes of it; centres come and go with it."""

from collections.abc import Callable

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from plenipo import library
from plenipo.engine.board import Code
from plenipo.engine.changes import Founded, Joined, Razed, with_changes
from plenipo.engine.dice import Dice
from plenipo.engine.history.game import Game
from plenipo.engine.history.record import decode_game, encode_game
from plenipo.engine.phases.legality import Legality
from plenipo.engine.position import Power
from plenipo.engine.reading.order_entry import OrderEntry
from plenipo.engine.rules import Rules
from plenipo.errors import IllegalOrder, InvalidVariant
from plenipo.rulekit.special_actions import InHand, UnfinishedAction

Tiny = Callable[..., Rules]
ENGLAND, FRANCE, GERMANY, ITALY = map(Power, ("England", "France", "Germany", "Italy"))
RAZE = '[[modules.special_actions.actions]]\nname = "raze"\nwhere = "centre"\neffect = { does = ["razes"] }\n'
FOUND = (
    '[[modules.special_actions.actions]]\nname = "found"\nby = '
    '"power"\nphase = "adjustments"\nbuild = true\nyearly = 1\n'
    'turns = 3\nundisturbed = true\namong = ["YOR", "WAL"]\npowers = ["England"]\n'
    'effect = { does = ["founds", "gives", "homes"] }\n'
)


def until(game: Game, season: str, year: int) -> Game:
    while (game.position.phase.season, game.position.phase.year) != (season, year):
        game = game.process({})
    return game


def test_a_unit_that_holds_razes_the_centre_and_it_is_none_any_more(tiny: Tiny) -> None:
    rules = tiny(RAZE)
    game = Game.new(rules).process({FRANCE: ["DO raze Paris"], GERMANY: ["DO raze BER", "A BER - PRU"]})
    notes = game.turns[0].resolution.notes
    assert notes == (
        "France: raze Paris.",
        "Paris is no supply centre any more.",
        "Germany did not raze Berlin: the unit there was not ordered to hold.",
    )
    board = rules.board_at(game.position)
    assert "PAR" not in board.centres
    assert "BER" in board.centres
    assert "PAR" not in game.position.homes_of(FRANCE)
    assert decode_game(encode_game(game), rules) == game


def test_what_may_be_done_once_a_year_is_done_once_however_often_it_is_ordered(tiny: Tiny) -> None:
    rules = tiny(RAZE.replace("raze", "free").replace("razes", "frees") + "yearly = 1\n")
    game = Game.new(rules).process({FRANCE: ["DO free PAR", "DO free MAR"]})
    assert game.turns[0].resolution.notes == (
        "France: free Paris.",
        "France lost Paris, which is now neutral.",
        "France did not free Marseilles: France has done it as often as allowed.",
    )


def test_of_works_that_share_a_name_each_power_goes_on_with_its_own(tiny: Tiny) -> None:
    work = (
        '[[modules.special_actions.actions]]\nname = "found"\nby = '
        '"power"\nwhere = "plain"\neffect = { does = ["founds"] }\n'
    )
    rules = tiny(f'{work}turns = 3\npowers = ["England"]\n{work}turns = 2\npowers = ["France"]\n')
    game = Game.new(rules).process({FRANCE: ["DO found BUR"], ENGLAND: ["DO found YOR"]}).process({})
    assert {"BUR", "YOR"} & rules.board_at(game.position).centres == {"BUR"}


@pytest.mark.parametrize(("more", "burnt"), [("", False), ("dislodged = true\n", True)])
def test_a_dislodged_unit_does_it_only_where_the_rules_say_so(tiny: Tiny, more: str, *, burnt: bool) -> None:
    rules = tiny(RAZE.replace("effect", more + "effect"))
    game = Game.new(rules).process({FRANCE: ["A PAR - BUR"], GERMANY: ["A BER - SIL"], ITALY: ["A VEN - TYO"]})
    game = game.process({FRANCE: ["A BUR - MUN"], ITALY: ["A TYO S A BUR - MUN"], GERMANY: ["DO raze MUN"]})
    assert ("MUN" not in rules.board_at(game.position).centres) is burnt


BOMB = (
    '[[modules.special_actions.actions]]\nname = "bomb"\nreach = 2\nspent = '
    'true\nunits = ["A"]\neffect = { does = ["destroys"] }\n'
)


def test_a_unit_may_do_it_from_elsewhere_and_be_lost_with_it(tiny: Tiny) -> None:
    rules = tiny(BOMB)
    legal = Legality(rules, rules.opening).orders_of(FRANCE)
    assert "DO bomb MUN from PAR" in map(str, legal.declarations)
    assert all(offer in legal for offer in legal.declarations)
    game = Game.new(rules).process({FRANCE: ["DO bomb Munich from Paris"]})
    assert "A PAR of France was lost with it." in game.turns[0].resolution.notes
    assert [str(unit) for unit in game.position.units_of(GERMANY)] == ["A BER", "F KIE"]
    assert decode_game(encode_game(game), rules) == game
    for text, why in (
        ("DO bomb BER from PAR", "Berlin is more than 2 steps away from PAR"),
        ("DO bomb MUN", "'bomb' is done by a unit elsewhere; write 'DO bomb MUN from PAR'"),
        ("DO bomb LON from BRE", "France has no army in Brest to bomb it"),
    ):
        with pytest.raises(IllegalOrder, match=why):
            OrderEntry(rules, rules.opening, FRANCE).give((), text)


def test_a_build_that_is_left_founds_a_centre_a_year_later(tiny: Tiny) -> None:
    rules = tiny(FOUND)
    game = Game.new(rules).process({ENGLAND: ["F EDI - NWG", "F LON - NTH"]})
    game = game.process({ENGLAND: ["F NWG - NWY", "F NTH - DEN"]})
    assert "DO found YOR" in map(str, Legality(rules, game.position).orders_of(ENGLAND).declarations)
    both = game.process({ENGLAND: ["B F LON", "B F EDI", "DO found YOR"]})
    assert "England did not found Yorkshire: England has no build left for it." in both.turns[-1].resolution.notes
    game = game.process({ENGLAND: ["B F LON", "DO found YOR"]})
    assert game.position.slots["special_actions"] == InHand((UnfinishedAction(ENGLAND, "found", Code("YOR"), 1),))
    disturbed = game.process({FRANCE: ["F BRE - ENG"]})
    assert "YOR" not in rules.board_at(disturbed.position).centres
    game = until(game, "Winter", 1902)
    assert game.position.owners[Code("YOR")] == ENGLAND
    assert "YOR" in game.position.homes_of(ENGLAND)
    assert decode_game(encode_game(game), rules) == game


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("DO burn PAR", "'burn' is not an action of this game; its actions are raze"),
        ("DO raze", "does not say where; write such as 'DO raze PAR'"),
        ("DO raze GAS", "France may 'raze' in centres, and Gascony is not such a space"),
        ("DO raze SPA", "France has no unit in Spain to raze it"),
    ],
)
def test_what_cannot_be_done_is_answered_in_a_sentence(tiny: Tiny, text: str, why: str) -> None:
    rules = tiny(RAZE)
    with pytest.raises(IllegalOrder, match=why):
        OrderEntry(rules, rules.opening, FRANCE).give((), text)


CODES = ["PAR", "RUH", "YOR", "BEL"]


@settings(max_examples=40, deadline=None)
@given(st.lists(st.tuples(st.sampled_from(CODES), st.booleans()), max_size=8))
def test_a_space_is_a_centre_as_it_was_last_founded_or_razed(done: list[tuple[str, bool]]) -> None:
    board = library.load("standard").board
    changes = [Founded(Code(code)) if founded else Razed(Code(code)) for code, founded in done]
    now = with_changes(board, changes)
    expected = {code: code in board.centres for code in CODES} | dict(done)
    assert {code: code in now.centres for code in CODES} == expected
    assert now.armies == board.armies


def test_what_was_founded_stays_when_the_space_becomes_a_part_of_another() -> None:
    rules = library.load("standard")
    assert rules.changed_boards is not None
    joined = rules.changed_boards.board((Founded(Code("RUH")), Joined(Code("RUH"), Code("BUR"))))
    assert "BUR" in joined.centres


RISKY = "[modules.money]\nstart = 5\neach = 0\nyearly = 1\n" + RAZE + "price = 2\nodds = [1, 2]\ndislodged = true\n"


def test_a_work_is_paid_and_comes_off_as_often_as_its_odds_say(tiny: Tiny) -> None:
    rules, orders = tiny(RISKY), {FRANCE: ["DO raze PAR"], GERMANY: ["DO raze BER"]}
    done = []
    for seed in range(24):
        game = Game.new(rules, Dice(bytes([seed]) * 32)).process(orders)
        notes = game.turns[0].resolution.notes
        assert "France paid 2 crowns to raze PAR and has 3 left." in notes
        failed = "France did not raze Paris: it failed by chance." in notes
        assert failed is ("PAR" in rules.board_at(game.position).centres)
        done.append(not failed)
    assert {True, False} == set(done)


def test_odds_that_cannot_be_are_refused(tiny: Tiny) -> None:
    with pytest.raises(InvalidVariant, match="has 3 in 2 as odds; write such as"):
        tiny(RISKY.replace("[1, 2]", "[3, 2]"))


SILENCE = (
    '[[modules.special_actions.actions]]\nname = "hush"\nreach = '
    '1\nwhere = "foreign"\neffect = { does = ["silences"] }\n'
    '[[modules.special_actions.actions]]\nname = "embargo"\nby = '
    '"power"\nof = "power"\nyearly = 1\nwhom = ["Italy", "France"]\n'
    'effect = { does = ["silences"] }\n'
)


def test_a_work_silences_the_unit_in_a_space_in_the_next_movement_alone(tiny: Tiny) -> None:
    rules = tiny(SILENCE)
    game = Game.new(rules).process({GERMANY: ["A MUN H"], FRANCE: ["A PAR - BUR"]})
    assert "DO hush KIE from RUH" not in map(str, Legality(rules, game.position).orders_of(FRANCE).declarations)
    game = game.process({FRANCE: ["A BUR H", "DO hush MUN from BUR"]})
    assert "The unit in Munich takes no orders in the next movement." in game.turns[-1].resolution.notes
    assert decode_game(encode_game(game), rules) == game
    game = until(game, "Spring", 1902)
    assert "A MUN" not in map(str, Legality(rules, game.position).orders_of(GERMANY).units)
    assert "A BUR" in map(str, Legality(rules, game.position).orders_of(FRANCE).units)
    game = game.process({GERMANY: ["A MUN - TYR"]})
    assert str(game.position.unit_at(Code("MUN"))) == "A MUN"
    assert "A MUN" in map(str, Legality(rules, game.position).orders_of(GERMANY).units)


def test_a_work_of_a_power_may_be_about_another_power(tiny: Tiny) -> None:
    rules = tiny(SILENCE)
    offered = {str(one) for one in Legality(rules, Game.new(rules).position).orders_of(GERMANY).declarations}
    assert offered == {"DO embargo Italy", "DO embargo France"}
    game = Game.new(rules).process({GERMANY: ["DO embargo italian"]})
    assert game.turns[0].resolution.notes[0] == "Germany: embargo Italy."
    assert decode_game(encode_game(game), rules) == game
    assert not Legality(rules, game.position).orders_of(ITALY).units
    with pytest.raises(IllegalOrder, match="Germany has done 'embargo' 1 time in 1901"):
        OrderEntry(rules, game.position, GERMANY).give((), "DO embargo France")
    with pytest.raises(IllegalOrder, match="'embargo' may name only Italy or France"):
        OrderEntry(rules, game.position, ENGLAND).give((), "DO embargo Germany")
    with pytest.raises(IllegalOrder, match="'embargo' must name another power"):
        OrderEntry(rules, game.position, ITALY).give((), "DO embargo Italy")
    with pytest.raises(IllegalOrder, match="names no power"):
        OrderEntry(rules, game.position, ITALY).give((), "DO embargo")
    assert Legality(rules, game.process({}).position).orders_of(ITALY).units


def test_a_special_action_may_require_an_amount(tiny: Tiny) -> None:
    rules = tiny(RAZE + "conditions = [{ at_least = 4 }]\n")
    with pytest.raises(IllegalOrder, match="'raze' needs 4 centres or more"):
        OrderEntry(rules, rules.opening, FRANCE).give((), "DO raze PAR")


@pytest.mark.parametrize(
    ("more", "why"),
    [
        ('of = "power"', "is about a power: it is done by a power, at once and nowhere"),
        ('whom = ["Italy"]', "is about a space, and has 'whom'"),
        ('by = "power"\nof = "power"\namong = ["PAR"]', "is about a power, and has 'among'"),
        ('by = "power"\nof = "power"\nturns = 2', "is about a power: it is done by a power, at once and nowhere"),
        ("conditions = [{ at_least = 40 }]", "asks for 40 centres, and there are 34"),
        (
            "conditions = [{ at_least = 4, at_most = 3 }]",
            "asks for 4 or more and for 3 or fewer, which no power can have",
        ),
        ("conditions = [{ }]", "does not say how much it takes"),
        ("conditions = [{ most = true, fewest = true }]", "asks for the most and the fewest"),
        ('conditions = [{ count = "points", at_least = 1 }]', "counts 'points', and no power has a treasury"),
        ('conditions = [{ among = ["PAX"], at_least = 1 }]', "names 'PAX', which is not on the board"),
    ],
)
def test_works_about_powers_that_cannot_be_are_refused(tiny: Tiny, more: str, why: str) -> None:
    with pytest.raises(InvalidVariant, match=why):
        _ = tiny(
            f'[[modules.special_actions.actions]]\nname = "hush"\n{more}\neffect = {{ does = ["silences"] }}\n'
        ).facts


SHELL = (
    '[[modules.special_actions.actions]]\nname = "shell"\nby = "power"\nmost = 1\n'
    'effect = { does = ["destroys", "closes"], near = ["silences"] }\n'
)


def test_a_deed_may_be_done_to_the_spaces_around(tiny: Tiny) -> None:
    rules = tiny(SHELL)
    game = Game.new(rules).process({FRANCE: ["DO shell MUN", "A PAR - BUR"], GERMANY: ["A BER - KIE", "F KIE - BAL"]})
    board = rules.board_at(game.position)
    assert board.spaces[Code("MUN")].impassable
    assert not game.position.unit_at(Code("MUN"))
    assert "A BUR" not in map(str, Legality(rules, game.position).orders_of(FRANCE).units)  # beside it
    assert "A MAR" in map(str, Legality(rules, game.position).orders_of(FRANCE).units)
    assert "F BAL" in map(str, Legality(rules, game.position).orders_of(GERMANY).units)
    assert decode_game(encode_game(game), rules) == game


def test_a_deed_may_turn_a_unit_into_another_where_such_a_one_can_stand(tiny: Tiny) -> None:
    rules = tiny(
        '[modules.unit_types.kinds]\nG = { name = "guard", terrain = ["inland"], strength = { hold = 2 } }\n'
        '[[modules.special_actions.actions]]\nname = "arm"\nwhere = "home"\neffect = { does = ["turns"], unit = "G" }\n'
    )
    game = Game.new(rules).process({FRANCE: ["DO arm PAR", "DO arm BRE", "DO arm MAR"]})
    assert [str(unit) for unit in game.position.units_of(FRANCE)] == ["F BRE", "A MAR", "G PAR"]
    assert "A PAR of France is G PAR now." in game.turns[0].resolution.notes
    assert decode_game(encode_game(game), rules) == game


@pytest.mark.parametrize(
    ("effect", "why"),
    [
        ('does = ["turns"]', "has no 'unit'; write both 'raises' or 'turns' and 'unit'"),
        ('near = ["topples"]', "has 'topples' as 'near', which is done to no space"),
        ('does = ["turns"], unit = "Q"', "names the unit 'Q'"),
    ],
)
def test_deeds_that_cannot_be_are_refused(tiny: Tiny, effect: str, why: str) -> None:
    with pytest.raises(InvalidVariant, match=why):
        _ = tiny(f'[[modules.special_actions.actions]]\nname = "arm"\neffect = {{ {effect} }}\n').facts

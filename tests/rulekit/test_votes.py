"""Powers vote by an order, and something comes of it."""

from collections.abc import Callable
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from plenipo import library
from plenipo.engine.board import Code
from plenipo.engine.dice import Dice
from plenipo.engine.history.game import Game
from plenipo.engine.history.record import decode_game, encode_game
from plenipo.engine.history.view import view
from plenipo.engine.hooks import Adjudication
from plenipo.engine.orders import Declare
from plenipo.engine.phases.legality import Legality
from plenipo.engine.position import Power
from plenipo.engine.reading.order_entry import OrderEntry
from plenipo.engine.rules import Rules
from plenipo.errors import IllegalOrder, InvalidVariant, PlenipoError
from plenipo.rulekit.money import Money
from plenipo.rulekit.votes import Ballot, Votes

Tiny = Callable[..., Rules]
FRANCE, ITALY, GERMANY = Power("France"), Power("Italy"), Power("Germany")
SPACE = '[modules.votes.ballot]\nof = "space"\namong = ["BEL", "NTH"]\neffect = { does = ["closes"] }\n'
PEACE = """[modules.votes.ballot]
of = "proposal"
once = true
[modules.votes.ballot.proposals]
Peace = { does = ["frees"], spaces = ["PAR"] }
War = { does = ["disbands"], powers = ["Austria"] }
"""


def voted(rules: Rules, **votes: str) -> Game:
    return Game.new(rules, Dice(bytes(32))).process({Power(name): [f"VOTE {what}"] for name, what in votes.items()})


def test_a_space_is_closed(tiny: Tiny) -> None:
    rules = tiny(SPACE)
    game = voted(rules, France="BEL", Italy="Belgium", Turkey="NTH")
    assert "BEL was voted for, of 3 votes: BEL 2 and NTH 1." in game.turns[0].resolution.notes
    assert rules.board_at(game.position).spaces[Code("BEL")].impassable
    assert decode_game(encode_game(game), rules) == game


def test_a_proposal_does_what_it_says_and_only_once(tiny: Tiny) -> None:
    game = voted(tiny(PEACE), France="war", Germany="War")
    assert not game.position.units_of(Power("Austria"))
    with pytest.raises(IllegalOrder, match="nothing to vote on"):
        OrderEntry(game.rules, game.position, FRANCE).give((), "VOTE Peace")
    assert Code("PAR") not in voted(tiny(PEACE), France="peace").position.owners


def test_votes_may_be_for_other_powers_alone(tiny: Tiny) -> None:
    ballot = '[modules.votes.ballot]\neffect = { does = ["silences"] }\n'
    rules = tiny(ballot + "others = true\n")
    offered = Legality(rules, rules.opening).orders_of(FRANCE).declarations
    assert Declare("VOTE", "France") not in offered
    assert Declare("VOTE", "Italy") in offered
    with pytest.raises(IllegalOrder, match="'France' is not voted on; votes are for Austria, England, Germany"):
        OrderEntry(rules, rules.opening, FRANCE).give((), "VOTE France")
    assert Declare("VOTE", "France") in Legality(tiny(ballot), rules.opening).orders_of(FRANCE).declarations
    with pytest.raises(InvalidVariant, match="is of a space, and has 'others'"):
        _ = tiny(SPACE + "others = true\n").facts


TWO = """[[modules.votes.ballots]]
name = "exile"
enough = "majority"
effect = { does = ["silences"] }
[[modules.votes.ballots]]
name = "canal"
of = "space"
among = ["BEL", "NTH"]
once = true
effect = { does = ["closes"] }
"""


def test_several_ballots_are_held_side_by_side_each_by_its_name(tiny: Tiny) -> None:
    rules = tiny(TWO)
    vote = OrderEntry(rules, rules.opening, FRANCE).give((), "vote EXILE German")
    assert [str(order) for order in vote.orders] == ["VOTE exile Germany"]
    order_sets = {FRANCE: ["VOTE exile Germany", "VOTE canal NTH"], ITALY: ["VOTE canal NTH"]}
    game = Game.new(rules, Dice(bytes(32))).process(order_sets)
    notes = game.turns[0].resolution.notes
    assert "Nothing was carried as exile, of 1 vote: Germany 1." in notes
    assert "NTH was voted for as canal, of 2 votes: NTH 2." in notes
    assert decode_game(encode_game(game), rules) == game
    offered = list(map(str, Legality(rules, game.position).orders_of(FRANCE).declarations))
    assert "VOTE exile Italy" in offered
    assert not any("canal" in one for one in offered)  # it was held once and carried
    with pytest.raises(IllegalOrder, match="a vote begins with exile"):
        OrderEntry(rules, game.position, FRANCE).give((), "VOTE Italy")


def test_points_go_to_the_power_that_is_voted_for(tiny: Tiny) -> None:
    rules = tiny("[modules.money]\nstart = 1\n[modules.votes.ballot]\neffect = { points = 3 }\n")
    assert Money().balances(voted(rules, France="Italy").position)[ITALY] == 4


def test_among_equals_nothing_is_carried_or_what_is_drawn(tiny: Tiny) -> None:
    even = voted(tiny(SPACE), France="BEL", Italy="NTH")
    assert not even.position.changes
    drawn = voted(tiny(SPACE.replace("effect", 'equal = "lot"\neffect')), France="BEL", Italy="NTH")
    assert drawn.turns[0].resolution.draws[0].label == "Spring 1901|what was voted for"
    assert drawn.position.changes


def test_votes_may_count_by_centres(tiny: Tiny) -> None:
    game = voted(tiny(SPACE.replace("effect", 'weight = "centres"\neffect')), Russia="BEL", Italy="NTH")
    assert game.turns[0].resolution.events[0].numbers == (4, 7)


def test_secret_votes_stay_so(tiny: Tiny) -> None:
    game = voted(tiny("[modules.votes]\nsecret = true\n" + SPACE), France="BEL", Italy="BEL")
    assert view(game, ITALY, {}).turns[0].orders == {FRANCE: (), ITALY: ("VOTE BEL",)}
    assert "France" not in view(game, ITALY, {}).turns[0].resolution.notes[0]


@pytest.mark.parametrize(
    ("text", "why"), [("VOTE PAR", "'PAR' is not voted on; votes are for BEL or NTH"), ("VOTE Xyz", "'Xyz'")]
)
def test_a_vote_that_cannot_be_is_answered_in_a_sentence(tiny: Tiny, text: str, why: str) -> None:
    rules = tiny(SPACE)
    with pytest.raises(IllegalOrder, match=why):
        OrderEntry(rules, rules.opening, FRANCE).give((), text)


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("[modules.votes]\n", "'votes.ballot' does nothing"),
        (SPACE.replace("closes", "falls"), "'falls', and is about no power"),
        (SPACE.replace("closes", "gives"), "no power gets it"),
        (SPACE.replace("NTH", "NHT"), "'votes.ballot' names 'NHT', which is not on the board"),
        (SPACE + 'seasons = ["Winter"]', "the season 'Winter', which has no movement phase"),
        (SPACE + "least = 8", "there are fewer votes"),
        (SPACE + "from_year = 1905\nuntil_year = 1902", "never"),
        ('[modules.votes.ballot]\nof = "proposal"\n', "and has none"),
        (SPACE + "[modules.votes.ballot.proposals]\nPeace = { points = 1 }\n", 'write of = "proposal"'),
        ("[modules.votes.ballot]\neffect = { points = 3 }\n", "no power has a treasury"),
        (TWO.replace("canal", "exile"), "each has one of its own, a word of letters"),
        (TWO + SPACE, "write all of them under 'ballots'"),
    ],
)
def test_what_could_do_nothing_is_refused(tiny: Tiny, text: str, why: str) -> None:
    with pytest.raises(PlenipoError, match=why):
        tiny(text)


@settings(max_examples=40)
@given(
    st.dictionaries(st.sampled_from(["Austria", "France", "Italy", "Turkey"]), st.sampled_from(["BEL", "NTH", "PAR"])),
    st.sampled_from(["most", "majority", "all"]),
)
def test_what_is_carried_has_more_votes_than_anything_else(votes: dict[str, str], enough: str) -> None:
    ballot = Ballot("space", enough=enough)  # type: ignore[arg-type]  # one of its words
    module, standard = Votes(ballot), library.load("standard")
    declared = {Power(name): [Declare("VOTE", what)] for name, what in votes.items()}
    source = Random(0)
    effects = module.after_orders(standard, Adjudication(standard.opening, (), standard.opening, {}, declared, source))  # type: ignore[arg-type]  # nothing is drawn
    sums = sorted((list(votes.values()).count(what) for what in set(votes.values())), reverse=True) or [0]
    alone = len(sums) == 1 or sums[0] > sums[1]
    needed = {"most": 1, "majority": 4, "all": 7}[enough]
    assert bool(module.vote_results(effects.position).carried) is (alone and sums[0] >= needed)


def test_every_vote_that_is_offered_is_allowed(tiny: Tiny) -> None:
    rules = tiny(PEACE)
    legal = Legality(rules, rules.opening).orders_of(GERMANY)
    assert list(map(str, legal.declarations)) == ["VOTE Peace", "VOTE War"]
    assert all(offer in legal for offer in legal.declarations)

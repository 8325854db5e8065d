"""Draws are committed, repeatable, fair, and tell when they were changed."""

from collections import Counter
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from plenipo.engine.dice import DECK, Dice, Draw, DrawSource, card_value
from plenipo.errors import InvalidRecord, MissingDice, MissingDraw

SEED = bytes(range(32))


def test_the_commitment_is_the_sha256_of_the_seed_and_shows_nothing_else() -> None:
    dice = Dice(SEED)
    assert dice.commitment == "630dcd2966c4336691125448bbb25b4ff412a49c732db2c8abc1b8581bd710dd"
    assert SEED.hex() not in repr(dice)


@given(st.text(), st.lists(st.text(), min_size=1, unique=True))
def test_the_same_seed_and_label_draw_the_same_whatever_the_order_of_the_slips(label: str, slips: list[str]) -> None:
    dice = Dice(SEED)
    assert dice.draw(label, slips) == dice.draw(label, reversed(slips))
    assert sorted(dice.shuffle(label, slips)) == sorted(slips)


def test_every_slip_comes_out_about_equally_often() -> None:
    dice = Dice(SEED)
    counts = Counter(dice.draw(f"turn {turn}", "abc").result for turn in range(3000))
    assert set(counts) == set("abc")
    assert all(900 < count < 1100 for count in counts.values())


def test_a_changed_draw_is_found_and_one_entered_by_hand_is_believed() -> None:
    dice = Dice(SEED)
    made = dice.draw("first", "abc")
    other = next(slip for slip in "abc" if slip != made.result)
    dice.check([made, Draw("hat", ("x", "y"), "y", entered=True)])
    with pytest.raises(InvalidRecord, match=f"The draw 'first' gives '{made.result}', but '{other}' is recorded"):
        dice.check([Draw("first", made.slips, other)])


def test_a_seed_has_32_bytes() -> None:
    with pytest.raises(InvalidRecord, match="A seed has 32 bytes, not 5"):
        Dice(b"short")


# Cards


def test_a_deck_has_52_cards_from_the_two_of_clubs_to_the_ace_of_spades() -> None:
    assert len(set(DECK)) == 52
    assert [card_value(card) for card in DECK] == list(range(52))
    assert DECK[:5] == ("2C", "2D", "2H", "2S", "3C")
    assert card_value("JD") < card_value("JS") < card_value("QC") < card_value("AS")
    with pytest.raises(InvalidRecord, match="'11C' is not a card; write rank and suit, like 10C or KS"):
        card_value("11C")


@given(st.lists(st.text(min_size=1), min_size=1, max_size=52, unique=True))
def test_every_name_is_dealt_a_card_of_one_deck_whatever_the_order_of_the_names(names: list[str]) -> None:
    dealt = Dice(SEED).deal("deal", names)
    assert dealt == Dice(SEED).deal("deal", reversed(names))
    assert list(dealt.cards) == sorted(names)
    assert len(set(dealt.cards.values())) == len(names)
    Dice(SEED).check([dealt])


@given(st.integers(53, 400))
def test_more_names_than_cards_are_dealt_numbers(many: int) -> None:
    names = [f"S{number}" for number in range(many)]
    dealt = Dice(SEED).deal("deal", names)
    assert sorted(map(int, dealt.cards.values())) == list(range(1, many + 1))
    assert list(dealt.cards) == sorted(names)
    Dice(SEED).check([dealt])


def test_more_names_than_cards_are_ranked_by_their_numbers() -> None:
    hat = DrawSource("here", Dice(SEED))
    order = hat.rank("where", [f"S{number}" for number in range(75)], needed=2)
    numbers = [int(hat.drawn[0].cards[name]) for name in order]
    assert numbers == list(range(75, 0, -1))


def test_the_game_master_may_enter_numbers_where_there_are_more_names_than_cards() -> None:
    names = [f"S{number}" for number in range(75)]
    hat = DrawSource("here", None, {"where": "S3 75, S70 74"})
    assert hat.rank("where", names, needed=2)[:2] == ("S3", "S70")
    with pytest.raises(MissingDraw, match="'S3 76' is not for 'where'"):
        DrawSource("here", None, {"where": "S3 76"}).rank("where", names)


def test_every_name_has_the_highest_card_about_equally_often() -> None:
    hat = DrawSource("here", Dice(SEED))
    counts = Counter(hat.rank(f"deal {turn}", "abc")[0] for turn in range(600))
    assert set(counts) == set("abc")
    assert all(150 < count < 250 for count in counts.values())


def test_a_changed_card_is_found() -> None:
    dealt = Dice(SEED).deal("deal", "abc")
    other = next(card for card in DECK if card not in dealt.result.split())
    changed = replace(dealt, result=" ".join([other, *dealt.result.split()[1:]]))
    with pytest.raises(InvalidRecord, match=f"The draw 'deal' gives '{dealt.result}', but '{changed.result}'"):
        Dice(SEED).check([changed])


# The hat


def test_a_hat_logs_what_it_draws_under_full_labels() -> None:
    hat = DrawSource("Spring 1901", Dice(SEED))
    slip, order = hat.draw("hole", "abc"), hat.rank("cards", "xyz")
    assert [draw.label for draw in hat.drawn] == ["Spring 1901|hole", "Spring 1901|cards"]
    assert hat.drawn[0] == Dice(SEED).draw("Spring 1901|hole", "abc")
    assert (slip, set(order)) == (hat.drawn[0].result, set("xyz"))
    Dice(SEED).check(hat.drawn)


def test_names_are_ranked_by_their_cards() -> None:
    hat = DrawSource("here", Dice(SEED))
    order = hat.rank("cards", "abcdefgh")
    values = [card_value(hat.drawn[0].cards[name]) for name in order]
    assert values == sorted(values, reverse=True)


def test_without_dice_a_hat_says_what_must_be_drawn() -> None:
    with pytest.raises(MissingDice, match="'hole' must be drawn in Spring 1901, and this game has no dice"):
        DrawSource("Spring 1901").draw("hole", "abc")


def test_what_a_person_enters_is_taken_in_any_case_and_marked() -> None:
    hat = DrawSource("here", None, {"Black Hole": " nth "})
    assert hat.draw("black hole", ["NTH", "PAR"]) == "NTH"
    assert hat.drawn == [Draw("here|black hole", ("NTH", "PAR"), "NTH", entered=True)]


@pytest.mark.parametrize(
    ("told", "order"),
    [
        ("NWY KS, BEL QH", "NWY BEL EDI"),
        ("BEL qh, NWY 2c, EDI AS", "EDI BEL NWY"),
        ("BEL, EDI", "BEL EDI NWY"),
        ("EDI 10C", "EDI BEL NWY"),
    ],
)
def test_a_person_enters_cards_or_names_the_highest_first(told: str, order: str) -> None:
    hat = DrawSource("here", None, {"cards": told})
    assert hat.rank("cards", ["NWY", "BEL", "EDI"]) == tuple(order.split())
    assert hat.drawn[0].entered


@pytest.mark.parametrize(
    ("entered", "told"),
    [
        ({}, "'cards' has not been drawn yet; write 'DRAW cards: …' with the result."),
        ({"cards": "PAR KS"}, "'PAR KS' is not for 'cards'; cards go to BEL, NWY."),
        ({"cards": "NWY 1S"}, "'NWY 1S' is not for 'cards'; cards go to BEL, NWY."),
    ],
)
def test_a_missing_or_impossible_draw_is_reported(entered: dict[str, str], told: str) -> None:
    with pytest.raises(MissingDraw) as fault:
        DrawSource("here", None, entered).rank("cards", ["NWY", "BEL"])
    assert str(fault.value) == told


@pytest.mark.parametrize(
    ("told", "fault"),
    [
        ("NWY KS, NWY QH", "'NWY' comes twice in 'NWY KS, NWY QH' for 'cards'; everybody has one card of one deck."),
        ("NWY KS, BEL KS", "'KS' comes twice"),
        ("NWY, nwy", "'NWY' comes twice"),
        ("NWY", "'NWY' is not enough for 'cards'; write the 2 highest, like 'NWY KS, BEL QH'."),
    ],
)
def test_one_name_has_one_card_and_enough_are_entered_to_decide(told: str, fault: str) -> None:
    with pytest.raises(MissingDraw) as caught:
        DrawSource("here", None, {"cards": told}).rank("cards", ["NWY", "BEL", "EDI"], needed=2)
    assert str(caught.value).startswith(fault)


def test_a_single_name_needs_no_second() -> None:
    assert DrawSource("here", None, {"cards": "NWY"}).rank("cards", ["NWY"], needed=2) == ("NWY",)


def test_a_missing_draw_says_what_is_in_the_hat() -> None:
    with pytest.raises(MissingDraw) as slip:
        DrawSource("here", None, {}).draw("hole", ["b", "a"])
    assert (slip.value.label, slip.value.slips, slip.value.cards) == ("hole", ("a", "b"), 0)
    for told in ({}, {"cards": "c"}, {"cards": "a"}, {"cards": "a, a"}):
        with pytest.raises(MissingDraw) as cards:
            DrawSource("here", None, told).rank("cards", ["b", "a"], needed=2)
        assert (cards.value.label, cards.value.slips, cards.value.cards) == ("cards", ("a", "b"), 2)
    with pytest.raises(MissingDraw) as alone:
        DrawSource("here", None, {}).rank("cards", ["a"], needed=2)
    assert alone.value.cards == 1

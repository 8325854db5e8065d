"""Draws are committed, repeatable, fair, and tell when they were changed."""

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from plenipo.engine.dice import Dice, Draw
from plenipo.errors import InvalidRecord

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

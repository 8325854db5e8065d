"""Messages about option values that a rule module cannot have: our own words, never those of the library."""

from pathlib import Path

import pytest

from mistakes import checked

HEAD = 'title = "Odd"\nparent = "standard"\n'


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        (
            '[modules.votes.ballot]\neffect = "silences"\n',
            "'silences' is not a choice of ballot.effect; it must be a table.",
        ),
        (
            '[modules.unit_types.kinds.L1]\nname = "legion"\n',
            "'L1' is not a key of 'unit_types.kinds'; it must be one capital letter, such as C.",
        ),
        (
            '[modules.unit_types.kinds.C]\nname = "cavalry"\nstrength = { holds = 2 }\n',
            "'holds' is not a key of 'unit_types.kinds.C.strength'; it must be "
            "'attack', 'prevent', 'defend', 'hold' or 'support'.",
        ),
        (
            '[modules.order_restrictions.restrictions]\norders = ["move"]\n',
            "'order_restrictions.restrictions' is one table; it must be a list of "
            "tables, so write [[modules.order_restrictions.restrictions]].",
        ),
        (
            '[[modules.victory_conditions.ways]]\ncount = "centres"\nenough = "18"\n',
            "'18' is not a choice of ways.enough; it must be a whole number or 'majority', 'all' or 'most'.",
        ),
        ('[modules.vetoes]\nmost = "2"\n', "'2' is not a choice of most; it must be a whole number."),
        (
            '[modules.votes]\nsecret = "true"\n[modules.votes.ballot]\neffect = { does = ["falls"] }\n',
            "'true' is not a choice of secret; it must be true or false.",
        ),
        (
            '[modules.money]\n[modules.bids]\ngives = "order"\npowers = ["Italy"]\n',
            "'bids' gives an order, and has 'powers'; write 'spaces'.",
        ),
        (
            '[[modules.special_actions.actions]]\nname = "raze"\nodds = [1]\neffect = { does = ["razes"] }\n',
            "'actions.odds' has 1 value, which is too few.",
        ),
    ],
)
def test_it_is_said_in_words_of_our_own(tmp_path: Path, text: str, sentence: str) -> None:
    assert [said for _, said in checked(tmp_path / "odd", HEAD + text)] == [sentence]

"""What is said of a value that an option of a rule module cannot have: our own words, never those of the library."""

from pathlib import Path

import pytest

from mistakes import checked

HEAD = 'title = "Odd"\nparent = "standard"\n'


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        (
            '[modules.votes.ballot]\ndeed = "silences"\n',
            "'silences' is not a choice of ballot.deed; it must be a table.",
        ),
        (
            '[modules.unit_kinds.kinds.L1]\nname = "legion"\n',
            "'L1' is not a key of 'unit_kinds.kinds'; it must be one capital letter, such as C.",
        ),
        (
            '[modules.unit_kinds.kinds.C]\nname = "cavalry"\nstrength = { holds = 2 }\n',
            "'holds' is not a key of 'unit_kinds.kinds.C.strength'; it must be "
            "'attack', 'prevent', 'defend', 'hold' or 'support'.",
        ),
        (
            '[modules.limits.limits]\norders = ["move"]\n',
            "'limits.limits' is one table; it must be a list of tables, so write [[modules.limits.limits]].",
        ),
        (
            '[[modules.ways_to_win.ways]]\ncount = "centres"\nenough = "18"\n',
            "'18' is not a choice of ways.enough; it must be a whole number or 'majority', 'all' or 'most'.",
        ),
        ('[modules.vetoes]\nmost = "2"\n', "'2' is not a choice of most; it must be a whole number."),
        (
            '[modules.votes]\nsecret = "true"\n[modules.votes.ballot]\ndeed = { does = ["falls"] }\n',
            "'true' is not a choice of secret; it must be true or false.",
        ),
        (
            '[modules.money]\n[modules.bids]\ngives = "order"\npowers = ["Italy"]\n',
            "'bids' gives an order, and has 'powers'; write 'spaces'.",
        ),
        (
            '[[modules.works.works]]\nname = "raze"\nodds = [1]\ndeed = { does = ["razes"] }\n',
            "'works.odds' has 1 value, which is too few.",
        ),
    ],
)
def test_it_is_said_in_words_of_our_own(tmp_path: Path, text: str, sentence: str) -> None:
    assert [said for _, said in checked(tmp_path / "odd", HEAD + text)] == [sentence]

"""Mistakes in what a variant says of closing, vetoes, first units, bids, strengths by way and boards that change.

As in `test_more_mistakes`, but the good folder stands beside a parent of its own, which has all of these modules too:
the answer names the file of the variant, never that of its parent.
"""

from pathlib import Path

import pytest

from mistakes import checked, unanswered

PARENT = """\
title = "Elder"
parent = "standard"

[modules.vetoes]
most = 2

[modules.contacts]
strengths = [{ between = ["PIE", "MAR"], move = 3 }]

[modules.changing_board]
shut = ["SYR"]
"""

GOOD = """\
title = "Younger"
parent = "elder"

[modules.money]
start = 2

[modules.garrisons]
units = ["A TUN"]

[modules.bids]
spaces = ["TUN"]
seasons = ["Fall"]

[modules.unit_types]
scale = 2

[modules.vetoes]
most = 1
by = "owner"

[modules.contacts]
strengths = [
  { between = ["TYO", "VEN"], move = 1 },
  { between = ["MAR", "SPA"], support = 0 },
]

[modules.placement.groups]
Italy = [[["F NAP"], ["A NAP"]], [["A ROM"], ["F ROM"]]]

[modules.changing_board]
shut = ["IRI"]
barred = [["TYO", "MUN"]]

[[modules.changing_board.rules]]
frees = [["TYO", "MUN"]]
standing = ["TYO"]
units = ["A"]
holding = true

[[modules.changing_board.rules]]
closes = ["BAR"]
while_so = true
seasons = ["Fall"]
from_year = 1902
until_year = 1904

[[modules.changing_board.rules]]
joins = [["POR", "SPA"]]
both = "stays"
seasons = ["Spring"]
from_year = 1902
"""

MISTAKES = [
    ('closes = ["BAR"]', 'closes = ["BAX"]', "'changing_board' names 'BAX'; did you mean"),
    ('seasons = ["Fall"]\nfrom', 'seasons = ["Autum"]\nfrom', "'changing_board' has the season 'Autum'"),
    ("until_year = 1904", 'until_year = "1904 AD"', "'1904 AD' is not a choice of rules.until_year"),
    ("most = 1", "most = 0.5", "'0.5' is not a choice of most; it must be a whole number."),
    ('by = "owner"', 'by = "owners"', "'owners' is not a choice of by; it must be 'neighbour', 'owner' or 'anyone'."),
    ('by = "owner"', 'of = "owner"', "'of' is not an option of 'vetoes'"),
    ('[["F NAP"], ["A NAP"]]', '[["F NAP"], ["A ROM"]]', "overlap: both place a unit in ROM; write them as one group."),
    ('[["F NAP"], ["A NAP"]]', '[["F NAP"], []]', "'placement' has nothing to place in an arrangement of group 1"),
    ('[["F NAP"], ["A NAP"]]', '[["F NAP"], ["F TYO"]]', "'placement' gives Italy 'F TYO', which cannot stand there."),
    ('[["F NAP"], ["A NAP"]]', '[["F NAP", "A NAP"]]', "'placement' places two units in NAP, in group 1 of Italy."),
    ("Italy = [[", "Itally = [[", "'Itally' is not a power of this variant; did you mean Italy?"),
    (
        'spaces = ["TUN"]',
        'spaces = ["PAR"]',
        "'bids' lets powers bid for PAR, where no unit of an unplayed power stands.",
    ),
    ('seasons = ["Fall"]\n\n[modules.unit', 'seasons = ["Fal"]\n\n[modules.unit', "'bids' has the season 'Fal'"),
    ('["TYO", "VEN"]', '["TYO", "TYO"]', "'contacts' has the way between TYO and TYO, where no unit passes."),
    ('["TYO", "VEN"]', '["TYO", "ROM"]', "'contacts' has the way between TYO and ROM, where no unit passes."),
    ('["MAR", "SPA"], s', '["VEN", "TYO"], s', "The contact between VEN and TYO of 'contacts' is there twice."),
    (", support = 0 }", " }", "The contact between MAR and SPA of 'contacts' says neither 'move' nor 'support'."),
    ("support = 0 }", "support = -1 }", "The contact between MAR and SPA of 'contacts' has -1 as 'support'"),
    ('shut = ["IRI"]', 'shut = ["NAP"]', "opens in a space that 'changing_board' has shut."),
    ('["TYO", "MUN"]]\n\n', '["TYO", "MXN"]]\n\n', "'changing_board' names 'MXN'; did you mean"),
    ('standing = ["TYO"]', "standing = []", "with 'holding' says where: 'standing'."),
    ('units = ["A"]\nhold', 'units = ["X"]\nhold', "'changing_board' names the unit 'X'; it must be A or F."),
    ('[["POR", "SPA"]]', '[["POR", "MID"]]', "joins POR to MID: POR and MID are a sea and a land"),
    ('[["POR", "SPA"]]', '[["POR", "ROM"]]', "joins POR to ROM: POR and ROM do not touch; only neighbours become one."),
    ('both = "stays"', 'both = "stay"', "'stay' is not a choice of rules.both; it must be 'waits', 'stays' or 'lost'."),
    ('seasons = ["Spring"]', 'seasons = ["Winter"]', "'changing_board' has the season 'Winter'"),
]


def test_the_good_folder_has_no_mistake(tmp_path: Path) -> None:
    assert checked(tmp_path / "younger", GOOD, {"elder": PARENT}) == []


@pytest.mark.parametrize(("good", "wrong", "sentence"), MISTAKES)
def test_a_mistake_is_answered_in_the_file_of_the_variant(good: str, wrong: str, sentence: str, tmp_path: Path) -> None:
    assert not unanswered(tmp_path / "younger", GOOD, good, wrong, sentence, {"elder": PARENT})

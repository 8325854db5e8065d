"""Mistakes in what a variant says of money, order sets, votes, kinds of unit and boards that change.

As in `test_mistakes`: each is made in a good folder by putting one text in the place of another.
"""

from pathlib import Path

import pytest

from mistakes import checked, unanswered

GOOD = """\
title = "Fortunes"
parent = "standard"

[modules.money]
coin = "florin"
start = 2
spaces = { CON = 3, NTH = 1 }
builds = { F = 4 }
orders = { support = 1 }
seasons = ["Winter"]

[modules.garrisons]
units = ["A TUN"]

[modules.bids]
spaces = ["TUN"]
least = 1
seasons = ["Fall"]

[modules.command]
merge = "lot"
seats = { Italy = ["Austria", "France"] }

[modules.order_quota]
most = 3
of = { Turkey = 4 }
counted = ["move", "support"]

[modules.default_orders]
do = "last"

[modules.unit_types]
scale = 2
conversions = [{ unit = "A", into = "F", where = "home", seasons = ["Fall"] }]

[modules.unit_types.kinds]
C = { name = "cavalry", steps = 2, strength = { hold = 1 } }
D = { name = "double army", parts = ["A", "A"], upkeep = 2 }

[modules.contacts]
strengths = [{ between = ["PIE", "MAR"], move = 1, support = 0 }]

[modules.changing_board]
shut = ["IRI"]
[[modules.changing_board.rules]]
closes = ["NAT", "NRG"]
drawn = 1
again = true
spreads = true
seasons = ["Fall"]

[modules.votes.ballot]
of = "space"
among = ["BEL", "HOL"]
least = 2
effect = { does = ["frees"] }

[[modules.secret_choices.items]]
name = "capital"
where = "home"
opened = "taken"
effect = { does = ["falls"] }

[modules.vetoes]
most = 1

[modules.lent_centres]
years = 2

[modules.advance_orders]
phases = ["retreats"]

[modules.hidden_unit_types]
shown_by = ["convoy"]
"""

MISTAKES = [
    ("start = 2", "start = -2", "'money.start' is -2; a sum of money must be 0 or more."),
    ("start = 2", "start = 1.5", "'1.5' is not a choice of start; it must be a whole number."),
    ("CON = 3", "COM = 3", "'money' names 'COM', which is not on the board; did you mean CON?"),
    ("builds = { F = 4 }", "builds = { X = 4 }", "'money' names the unit 'X'; it must be A, F, C, D or U."),
    ("support = 1 }", "supports = 1 }", "'money.orders' names 'supports', which is no order; did you mean support?"),
    (
        'seasons = ["Winter"]',
        'seasons = ["Fall"]',
        "'money' has the season 'Fall', which has no ownership phase; there are Winter.",
    ),
    ('coin = "florin"', 'coins = "florin"', "'coins' is not an option of 'money'; did you mean coin?"),
    (
        'units = ["A TUN"]',
        'units = ["A TNU"]',
        "'garrisons' has the unit 'A TNU': 'TNU' is not a space of this board; the nearest is TUN (Tunis).",
    ),
    ('spaces = ["TUN"]', "spaces = []", "'bids.spaces' is empty: there is nothing to bid for."),
    (
        'strengths = [{ between = ["PIE", "MAR"], move = 1, support = 0 }]',
        "strengths = []",
        "'contacts.strengths' is empty; it must list one or more.",
    ),
    (
        'conversions = [{ unit = "A", into = "F", where = "home", seasons = ["Fall"] }]',
        "conversions = []",
        "'unit_types.conversions' is empty; it must list one or more.",
    ),
    ("least = 1", "least = 0", "'bids' has 0 as 'least'; it must be 1 or more."),
    (
        'merge = "lot"',
        'merge = "dice"',
        "'dice' is not a choice of merge; it must be 'rank', 'agreement', 'majority' or 'lot'.",
    ),
    (
        '["Austria", "France"]',
        '["Austria", "Frence"]',
        "'command.seats' names 'Frence' for Italy; did you mean France?",
    ),
    ('["Austria", "France"]', "[]", "'command.seats' gives Italy no seat: no player could write its orders."),
    ('Italy = ["Aus', 'Itally = ["Aus', "'Itally' is not a power of this variant; did you mean Italy?"),
    ("most = 3", "most = 0", "'order_quota.most' is 0; it must be 1 or more."),
    ("Turkey = 4", "Turky = 4", "'Turky' is not a power of this variant; did you mean Turkey?"),
    ('["move", "support"]', '["move", "suport"]', "'order_quota.counted' names 'suport'; did you mean support?"),
    ('["move", "support"]', "[]", "'order_quota.counted' is empty: no order would ever count."),
    ('do = "last"', 'do = "again"', "'again' is not a choice of do; it must be 'hold' or 'last'."),
    (
        'into = "F"',
        'into = "X"',
        "A conversion of 'unit_types' names the unit 'X'; it must be A, F, C, D or U.",
    ),
    (
        'where = "home", seasons',
        'where = "homes", seasons',
        "'homes' is not a choice of conversions.where; it must be 'home', 'owned', 'foreign', 'foreign_home', "
        "'unowned', 'centre', 'plain' or 'anywhere'.",
    ),
    (
        'seasons = ["Fall"] }]',
        'seasons = ["Autumn"] }]',
        "A conversion of 'unit_types' has the season 'Autumn', which has no movement phase; there are Spring, Fall.",
    ),
    ('name = "cavalry"', 'nmae = "cavalry"', "'nmae' is not a key of 'unit_types.kinds'; did you mean name?"),
    ("steps = 2", "steps = -2", "'C' has -2 steps; it must be 0 or more."),
    (
        "{ hold = 1 }",
        "{ holds = 1 }",
        "'holds' is not a key of 'unit_types.kinds.C.strength'; it must be 'attack', 'prevent', 'defend', 'hold' or "
        "'support'.",
    ),
    ('parts = ["A", "A"]', 'parts = ["A", "B"]', "'D' is made of 'B'; there are A, F, C, D."),
    ('parts = ["A", "A"]', 'parts = ["A"]', "'D' is made of A alone; it takes two parts or more."),
    ("upkeep = 2", "upkeep = -1", "'D' has -1 upkeep; it must be 0 or more."),
    (
        '["PIE", "MAR"]',
        '["PIE", "XYZ"]',
        "'contacts' names 'XYZ', which is not on the board; there are 76, such as ADR, AEG, ALB.",
    ),
    (
        "move = 1",
        "move = -1",
        "The contact between PIE and MAR of 'contacts' has -1 as 'move'; it must be 1 or more.",
    ),
    ('shut = ["IRI"]', 'shut = ["IRE"]', "'changing_board' names 'IRE'; did you mean IRI?"),
    ("drawn = 1", "drawm = 1", "'drawm' is not a key of 'changing_board.rules'; did you mean drawn?"),
    (
        'of = "space"',
        'of = "place"',
        "'place' is not a choice of ballot.of; it must be 'power', 'space' or 'proposal'.",
    ),
    (
        '["BEL", "HOL"]',
        '["BEL", "HOLL"]',
        "'votes.ballot' names 'HOLL', which is not on the board; did you mean HOL?",
    ),
    ("least = 2", "least = 20", "'votes.ballot' has 20 as 'least', and there are fewer votes."),
    (
        'does = ["frees"]',
        'does = ["frese"]',
        "'frese' is not a choice of ballot.does; it must be 'destroys', 'raises', 'turns', 'frees', 'gives', 'homes', "
        "'founds', 'razes', 'closes', 'opens', 'silences', 'falls', 'topples' or 'disbands'.",
    ),
    (
        'name = "capital"',
        'name = "the capital"',
        "'secret_choices' of 'the capital' needs a name that is one word of letters.",
    ),
    (
        'opened = "taken"',
        'opened = "lost"',
        "'secret_choices' of 'capital' is opened when it is lost, which only a unit can be: write of = \"unit\".",
    ),
    ('does = ["falls"]', "does = []", "'secret_choices' of 'capital' does nothing: write 'does' or 'points'."),
    ("most = 1", "most = -1", "'vetoes.most' is -1; it must be 0 or more."),
    ("years = 2", "years = -2", "'lent_centres.years' is -2; it must be 0 or more."),
    (
        'phases = ["retreats"]',
        'phases = ["builds"]',
        "'builds' is not a choice of phases; it must be 'retreats' or 'adjustments'.",
    ),
    (
        'phases = ["retreats"]',
        "phases = []",
        "'advance_orders.phases' is empty: nothing could be written with the moves.",
    ),
    (
        'shown_by = ["convoy"]',
        'shown_by = ["convoys"]',
        "'convoys' is not a choice of shown_by; it must be 'move', 'support', 'convoy', 'dislodging' or 'dislodged'.",
    ),
    (
        'shown_by = ["convoy"]',
        'letter = "F"',
        "'hidden_unit_types.letter' is 'F', which is a fleet; name another letter.",
    ),
]


def test_the_good_folder_has_no_mistake(tmp_path: Path) -> None:
    assert checked(tmp_path, GOOD) == []


@pytest.mark.parametrize(("good", "wrong", "sentence"), MISTAKES)
def test_a_mistake_is_answered_with_its_line(good: str, wrong: str, sentence: str, tmp_path: Path) -> None:
    assert not unanswered(tmp_path, GOOD, good, wrong, sentence)

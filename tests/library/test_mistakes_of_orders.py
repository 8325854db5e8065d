"""Mistakes in what a variant says of limits, works, happenings, lines, powers for hire, tolls and single centres."""

from pathlib import Path

import pytest

from mistakes import checked, unanswered

GOOD = """\
title = "Orders"
parent = "standard"

[calendar]
start = 1901
cycle = [
  ["Auction", "choice"], ["Spring", "movement"], ["Spring", "retreats"],
  ["Fall", "movement"], ["Fall", "retreats"], ["Winter", "ownership"], ["Winter", "adjustments"],
]

[powers]
Italy = { played = false }

[modules.money]
start = 5
tolls = [{ between = ["CON", "BLA"], cost = 2 }]

[modules.bids]
gives = "power"
phase = "choice"
powers = ["Italy"]

[modules.captures]
looks_of = { SPA = 2 }

[modules.builds]
values_for = { France = { BEL = 0 } }

[[modules.order_restrictions.restrictions]]
between = [["PIE", "MAR"]]
turns = 2

[[modules.order_restrictions.restrictions]]
orders = ["support"]
of = "others"
seasons = ["Fall"]

[[modules.special_actions.actions]]
name = "raze"
where = "centre"
price = 1
effect = { does = ["razes"] }

[[modules.triggered_events.items]]
words = "a flood"
spaces = ["HOL", "BEL"]
drawn = 1
odds = [1, 6]
effect = { does = ["silences"] }

[[modules.railways.lines]]
spaces = ["WAR", "MOS", "STP"]
powers = ["Russia"]
"""

MISTAKES = [
    ("played = false", 'played = "no"', "'powers.Italy.played' is 'no'; it must be true or false."),
    ("played = false", "playd = false", "'powers.Italy.playd' is not a key of a variant; did you mean played?"),
    ('powers = ["Italy"]', 'powers = ["Spain"]', "Spain"),
    ('powers = ["Italy"]', 'powers = ["France"]', "lets powers bid for France, which is not an unplayed power"),
    (
        'gives = "power"',
        'gives = "powers"',
        "'powers' is not a choice of gives; it must be 'service', 'centre', 'power' or 'order'.",
    ),
    ('"CON", "BLA"', '"CON", "ROM"', "A toll of 'money' has the way between CON and ROM, where no unit passes."),
    ("cost = 2", "cost = 0", "A toll of 'money' has 0 as 'cost'; it must be 1 or more."),
    ("SPA = 2", "SPA = 0", "'captures.looks_of' has 0 as 'SPA'; it must be 1 or more."),
    ("BEL = 0 }", "BUR = 0 }", "'builds.values_for' names 'BUR', which is not a supply centre; "),
    (
        '"PIE", "MAR"',
        '"PIE", "MAX"',
        "A restriction of 'order_restrictions' names 'MAX', which is not on the board; did you mean MAR",
    ),
    ("turns = 2", "turns = 1", "has 1 as 'turns'; it must be 2 or more, for the ways of 'between'."),
    ('orders = ["support"]', 'orders = ["suport"]', "names the order 'suport'; did you mean support"),
    (
        'of = "others"',
        'of = "other"',
        "'other' is not a choice of restrictions.of; it must be 'any', 'own' or 'others'.",
    ),
    ('seasons = ["Fall"]', 'seasons = ["Autumn"]', "A restriction of 'order_restrictions' has the season 'Autumn'"),
    ('name = "raze"', 'name = "raze 1"', "needs a name of letters alone, such as 'raze'."),
    ('where = "centre"', 'where = "center"', "'center' is not a choice of actions.where"),
    ("price = 1", "price = -1", "The action 'raze' has -1 as 'price'; it must be 0 or more."),
    ('["razes"]', '["raze"]', "'raze' is not a choice of actions.does"),
    ("drawn = 1", "drawn = 2", "'a flood' of 'triggered_events' draws 2 of 2; there must be more to draw from."),
    ("odds = [1, 6]", "odds = [7, 6]", "has 7 in 6 as odds; write such as [1, 6]."),
    ('["silences"]', '["gives"]', "'a flood' of 'triggered_events' has 'gives', and no power gets it."),
    ('"WAR", "MOS"', '"WAR", "ANK"', "A line of 'railways' goes from WAR to ANK, which do not touch."),
    ('powers = ["Russia"]', 'powers = ["Prussia"]', "Prussia"),
]


def test_the_good_folder_has_no_mistake(tmp_path: Path) -> None:
    assert checked(tmp_path, GOOD) == []


@pytest.mark.parametrize(("good", "wrong", "sentence"), MISTAKES)
def test_a_mistake_is_answered_with_its_line(good: str, wrong: str, sentence: str, tmp_path: Path) -> None:
    assert not unanswered(tmp_path, GOOD, good, wrong, sentence)

"""Every power chooses its first home in secret; what is not chosen is drawn, taken by the alphabet, or waited for."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from plenipo.engine.calendar import PhaseKind
from plenipo.engine.dice import SEED_BYTES, Dice
from plenipo.engine.history.game import Game
from plenipo.engine.history.submissions import Submissions
from plenipo.engine.orders import Order
from plenipo.engine.outcome import Resolution, Waiting
from plenipo.engine.phases.legality import Legality
from plenipo.engine.phases.step import adjudicate, process
from plenipo.engine.position import Position, Power
from plenipo.engine.reading.notation import notation_of
from plenipo.engine.rules import Rules
from plenipo.errors import IllegalOrder, MissingDice
from plenipo.library import load
from plenipo.rulekit.chosen_homes import ChosenHomes

HOMES = {
    "Austria": "BUD TRI VIE",
    "England": "EDI LON LVP",
    "France": "BRE MAR PAR",
    "Germany": "BER KIE MUN",
    "Italy": "NAP ROM VEN",
    "Russia": "MOS SEV WAR",
    "Turkey": "ANK CON SMY",
}
SEVEN = "Austria VIE, England LON, France PAR, Germany MUN, Italy ROM, Russia SEV, Turkey CON"
DICE = Dice(bytes(range(SEED_BYTES)))


def rules(**options: str) -> Rules:
    return load("1897", options)


def choices(played: Rules, text: str) -> dict[Power, list[Order]]:
    """`Austria VIE, England LON` as order sets."""
    order_sets: dict[Power, list[Order]] = {}
    for part in filter(None, text.split(", ")):
        power, _, place = part.partition(" ")
        order_sets.setdefault(Power(power), []).append(notation_of(played).read(place, PhaseKind.CHOICE))
    return order_sets


def reveal(played: Rules, text: str, dice: Dice | None = DICE) -> Resolution:
    return process(played, played.opening, choices(played, text), dice)


def homes(position: Position) -> dict[str, str]:
    return {power: " ".join(sorted(codes)) for power, codes in position.homes.items()}


def units(position: Position) -> list[str]:
    return [f"{unit.power} {unit}" for unit in position.units]


def test_the_game_opens_with_an_empty_board_and_a_choice() -> None:
    opening = rules().opening
    assert str(opening.phase) == "Autumn 1897 choice"
    assert not opening.units
    assert not opening.owners


@pytest.mark.parametrize("power", HOMES)
def test_a_power_may_choose_its_own_allowed_homes_and_nothing_else(power: str) -> None:
    orders = Legality(rules(), rules().opening).orders_of(Power(power))
    assert [str(order) for order in orders] == [f"CHOOSE {code}" for code in HOMES[power].split()]


def test_the_chosen_centres_are_owned_and_the_only_homes_when_all_are_revealed() -> None:
    after = reveal(rules(), SEVEN).after
    expected = dict(pair.split() for pair in SEVEN.split(", "))
    assert homes(after) == expected
    assert {owner: code for code, owner in after.owners.items()} == expected
    assert str(after.phase) == "Winter 1897 adjustments"
    assert not after.units


def test_nothing_is_drawn_where_every_power_chose() -> None:
    resolution = reveal(rules(), SEVEN, dice=None)
    assert not resolution.draws
    assert not resolution.errors
    assert min(outcome.why for outcome in resolution.outcomes) == "Austria chose VIE."


def test_the_last_of_several_choices_counts_and_the_others_are_refused() -> None:
    resolution = reveal(rules(), f"Austria BUD, {SEVEN}")
    assert homes(resolution.after)["Austria"] == "VIE"
    assert resolution.errors == ("Austria: 'CHOOSE BUD' was ignored: a later choice took its place.",)
    assert [found.why for found in resolution.outcomes if found.power == "Austria"] == ["Austria chose VIE."]


@pytest.mark.parametrize(
    ("choice", "reason"),
    [
        ("Russia STP", "Russia may choose MOS, SEV, WAR."),
        ("Austria SER", "Austria may choose BUD, TRI, VIE."),
        ("Germany PAR", "Germany may choose BER, KIE, MUN."),
        ("England YOR", "England may choose EDI, LON, LVP."),
        ("England NTH", "England may choose EDI, LON, LVP."),
    ],
)
def test_a_choice_that_is_not_allowed_is_refused_in_a_sentence_and_counts_as_none(choice: str, reason: str) -> None:
    resolution = reveal(rules(home_default="first_listed"), choice)
    assert len(resolution.errors) == 1
    assert resolution.errors[0].endswith(reason)
    power = choice.split(maxsplit=1)[0]
    assert homes(resolution.after)[power] == HOMES[power].split()[0]


def test_no_power_chooses_in_another_phase() -> None:
    played = rules()
    winter = reveal(played, SEVEN).after
    judged = Legality(played, winter).check(Power("Austria"), choices(played, "Austria VIE")[Power("Austria")][0])
    assert judged.order is None
    assert judged.reason == "'CHOOSE VIE' belongs to a choice phase, and this is Winter 1897 adjustments."


# Secrecy


def submitted(submissions: Submissions, text: str) -> Submissions:
    for power, orders in choices(submissions.rules, text).items():
        submissions = submissions.submit_orders(power, tuple(orders))
    return submissions


def test_choices_are_hidden_until_the_phase_is_closed_and_then_all_are_seen() -> None:
    played = rules()
    open_phase = submitted(Submissions(played, played.opening), SEVEN.removesuffix(", Turkey CON"))
    assert open_phase.waiting_for == ("Turkey",)
    assert not open_phase.complete
    for reader in (None, *played.names):
        assert set(open_phase.seen_by(reader)) == ({reader} - {None, "Turkey"})
    complete = submitted(open_phase, "Turkey CON")
    assert complete.complete
    assert set(complete.close().seen_by(None)) == set(HOMES)


def test_a_choice_may_be_changed_before_the_deadline_and_not_after_it() -> None:
    played = rules()
    changed = submitted(submitted(Submissions(played, played.opening), "Austria BUD"), "Austria TRI")
    assert [str(order) for order in changed.order_sets[Power("Austria")]] == ["CHOOSE TRI"]
    with pytest.raises(IllegalOrder, match="Autumn 1897 choice is over: the orders of Austria came too late"):
        submitted(changed.close(), "Austria VIE")


def test_a_choice_that_is_not_allowed_leaves_the_earlier_one() -> None:
    played = rules()
    submissions = submitted(Submissions(played, played.opening), "Russia WAR")
    with pytest.raises(IllegalOrder, match="'CHOOSE STP' is not allowed: Russia may choose MOS, SEV, WAR"):
        submitted(submissions, "Russia STP")
    assert [str(order) for order in submissions.order_sets[Power("Russia")]] == ["CHOOSE WAR"]


# Missing choices


@given(st.binary(min_size=SEED_BYTES, max_size=SEED_BYTES))
def test_a_missing_choice_is_drawn_among_the_allowed_centres_and_can_be_verified(seed: bytes) -> None:
    dice = Dice(seed)
    resolution = reveal(rules(), "Austria VIE", dice)
    drawn = homes(resolution.after)
    assert drawn["Austria"] == "VIE"
    assert all(drawn[power] in HOMES[power].split() for power in HOMES)
    assert len(resolution.draws) == 6
    dice.check(resolution.draws)
    assert resolution.after == reveal(rules(), "Austria VIE", dice).after


def test_every_allowed_centre_comes_out_of_the_hat_and_no_other() -> None:
    seen = [homes(reveal(rules(), "", Dice(bytes([number] * SEED_BYTES))).after) for number in range(60)]
    assert {power: " ".join(sorted({found[power] for found in seen})) for power in HOMES} == HOMES


def test_a_draw_is_an_event_and_needs_dice() -> None:
    resolution = reveal(rules(), SEVEN.removesuffix(", Turkey CON"))
    (draw,) = resolution.draws
    assert (draw.label, draw.slips) == ("Autumn 1897 choice|home of Turkey", ("ANK", "CON", "SMY"))
    assert f"Turkey named no home and was given {draw.result} by lot." in resolution.notes
    with pytest.raises(
        MissingDice, match="'home of Turkey' must be drawn in Autumn 1897 choice, and this game has no dice"
    ):
        reveal(rules(), SEVEN.removesuffix(", Turkey CON"), dice=None)


def test_a_missing_choice_may_be_the_first_by_the_alphabet() -> None:
    resolution = reveal(rules(home_default="first_listed"), "", dice=None)
    assert homes(resolution.after) == {power: codes.split()[0] for power, codes in HOMES.items()}
    assert "Russia named no home and was given MOS as the first by the alphabet." in resolution.notes


def test_the_game_may_wait_for_a_missing_choice() -> None:
    played = rules(home_default="wait")
    waiting = adjudicate(played, played.opening, choices(played, SEVEN.removesuffix(", Turkey CON")))
    assert waiting == Waiting(played.opening, (Power("Turkey"),), "The choices of Turkey are still missing.")
    assert homes(reveal(played, SEVEN).after)["Turkey"] == "CON"


# The first units


def chosen(played: Rules) -> Game:
    """A game in which the seven have chosen."""
    return Game.new(played).process(choices(played, SEVEN))


def order_set(**orders: str) -> dict[Power, list[str | Order]]:
    return {Power(power): [text] for power, text in orders.items()}


def test_the_first_unit_is_built_in_the_chosen_home_only() -> None:
    game = chosen(rules())
    game = game.process(order_set(Austria="Build A TRI", England="Build F LON", France="Build F PAR", Turkey="A CON B"))
    assert units(game.position) == ["Turkey A CON", "England F LON"]
    assert str(game.position.phase) == "Spring 1898 movement"


def test_a_required_first_build_is_an_army_unless_something_else_is_ordered() -> None:
    played = rules(w1897_build="required")
    game = chosen(played)
    game = game.process(order_set(England="Build F LON", Turkey="WAIVE"))
    assert units(game.position) == [
        "England F LON",
        "Germany A MUN",
        "France A PAR",
        "Italy A ROM",
        "Russia A SEV",
        "Austria A VIE",
    ]
    why = [outcome.why for outcome in game.turns[-1].resolution.outcomes]
    assert "France gave no order for a build, and so built A PAR." in why


def test_a_later_build_is_never_required() -> None:
    played = rules(w1897_build="required")
    game = chosen(played)
    game = game.process({}).process(order_set(Turkey="A CON - BUL")).process(order_set(Turkey="A BUL H"))
    assert str(game.position.phase) == "Winter 1898 adjustments"
    assert "Turkey A CON" not in units(game.process({}).position)


def test_choice_and_build_may_be_one_phase() -> None:
    played = rules(merge_choice_and_build="true")
    assert str(played.opening.phase) == "Winter 1897 choice"
    offered = [str(order.unit) for order in Legality(played, played.opening).choices(Power("England"))]
    assert offered == ["A EDI", "F EDI", "A LON", "F LON", "A LVP", "F LVP"]
    inland = [str(order.unit) for order in Legality(played, played.opening).choices(Power("Austria"))]
    assert inland == ["A BUD", "A TRI", "F TRI", "A VIE"]
    text = "Austria A VIE, England F LON, France A PAR, Germany A MUN, Italy F ROM, Russia F SEV, Turkey A CON"
    after = reveal(played, text).after
    assert units(after) == [
        "Turkey A CON",
        "England F LON",
        "Germany A MUN",
        "France A PAR",
        "Italy F ROM",
        "Russia F SEV",
        "Austria A VIE",
    ]
    assert homes(after)["England"] == "LON"
    assert str(after.phase) == "Spring 1898 movement"


def test_a_merged_choice_must_say_which_unit() -> None:
    played = rules(merge_choice_and_build="true")
    judged = Legality(played, played.opening).check(
        Power("England"), choices(played, "England LON")[Power("England")][0]
    )
    assert judged.order is None
    assert judged.reason == "'LON' may be any of A LON, F LON."


def test_a_fleet_chosen_where_there_are_two_coasts_names_one() -> None:
    played = replace(load("1897"), modules=(ChosenHomes(merge_choice_and_build=True),))
    offered = [str(order.unit) for order in Legality(played, played.opening).choices(Power("Russia"))]
    assert [text for text in offered if "STP" in text] == ["A STP", "F STP/NC", "F STP/SC"]

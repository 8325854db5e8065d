"""A secret choice stays secret until it is revealed, and then has the effect that its data declares."""

from collections.abc import Callable
from dataclasses import replace
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from plenipo import library
from plenipo.engine.board import Code
from plenipo.engine.calendar import Phase, PhaseKind
from plenipo.engine.dice import Dice
from plenipo.engine.events import CENTRE_LOST
from plenipo.engine.history.game import Game
from plenipo.engine.history.record import decode_game, encode_game
from plenipo.engine.history.view import view
from plenipo.engine.outcome import Resolution
from plenipo.engine.phases.legality import Legality
from plenipo.engine.phases.step import process
from plenipo.engine.position import Power
from plenipo.engine.reading.notation import notation_of
from plenipo.engine.reading.order_entry import OrderEntry
from plenipo.engine.rules import Rules
from plenipo.errors import IllegalOrder, InvalidVariant, PlenipoError
from plenipo.library.trial_orders import random_orders
from plenipo.rulekit.secret_choices import DESIGNATION_OPENED, NamedChoices, SecretChoices

Tiny = Callable[..., Rules]
FRANCE, GERMANY = Power("France"), Power("Germany")


def item(more: str) -> str:
    return f"[[modules.secret_choices.items]]\n{more}\n"


KING = item('name = "king"\nof = "unit"\nopened = "lost"\neffect = { does = ["topples"] }')
MINE = item('name = "mine"\nopened = "entered"\neffect = { does = ["destroys"] }')
BOMB = item('name = "bomb"\nopened = "order"\nwhere = "centre"\neffect = { does = ["frees", "destroys"] }')


def test_a_king_is_followed_as_the_unit_moves(tiny: Tiny) -> None:
    rules = tiny(KING)
    game = Game.new(rules).process({FRANCE: ["NAME king A PAR"]})
    game = game.process({FRANCE: ["A PAR - PIC", "A MAR - GAS"]})
    assert game.position.slots["secret_choices"] == NamedChoices({FRANCE: {"king": Code("PIC")}})
    assert decode_game(encode_game(game), rules) == game


def test_a_dislodged_and_disbanded_king_is_gone(tiny: Tiny) -> None:
    rules = tiny(KING)
    game = Game.new(rules)
    game = game.process({FRANCE: ["NAME king A PAR", "A PAR - BUR"], GERMANY: ["A MUN - RUH", "A BER - MUN"]})
    game = game.process({FRANCE: ["A BUR H"], GERMANY: ["A MUN - BUR", "A RUH S A MUN - BUR"]})
    game = game.process({FRANCE: ["A BUR D"]})
    (opened,) = [event for event in game.turns[-1].resolution.events if event.kind == DESIGNATION_OPENED]
    assert (opened.powers, opened.names) == ((FRANCE,), ("king",))
    assert [event.kind for event in game.turns[-1].resolution.events].count(CENTRE_LOST) == 3


def test_a_mine_spares_its_own_and_destroys_the_first_other(tiny: Tiny) -> None:
    rules = tiny(MINE)
    game = Game.new(rules).process({FRANCE: ["NAME mine BUR"]})
    game = game.process({FRANCE: ["A PAR - BUR"]})
    assert game.position.unit_at(Code("BUR"))
    game = Game.new(rules).process({FRANCE: ["NAME mine BUR"]}).process({GERMANY: ["A MUN - BUR"]})
    assert game.position.unit_at(Code("BUR")) is None
    assert "The mine of France in Burgundy is opened, by Germany." in game.turns[-1].resolution.notes


def test_what_is_named_is_opened_by_an_order_later(tiny: Tiny) -> None:
    rules = tiny(BOMB)
    with pytest.raises(IllegalOrder, match="France may open nothing now"):
        OrderEntry(rules, rules.opening, FRANCE).give((), "OPEN bomb")
    game = Game.new(rules).process({FRANCE: ["NAME bomb Munich"]}).process({FRANCE: ["OPEN BOMB"]})
    assert Code("MUN") not in game.position.owners
    assert game.position.unit_at(Code("MUN")) is None


def test_no_other_power_sees_it_before(tiny: Tiny) -> None:
    rules = tiny(BOMB)
    game = Game.new(rules).process({FRANCE: ["NAME bomb MUN"]})
    assert "MUN" not in str(view(game, GERMANY, {}).turns[0].orders) + str(view(game, None, {}).position.slots)
    assert view(game, FRANCE, {}).position.slots["secret_choices"] == NamedChoices({FRANCE: {"bomb": Code("MUN")}})
    game = game.process({FRANCE: ["OPEN bomb"]})
    assert view(game, GERMANY, {}).position.slots["secret_choices"] == game.position.slots["secret_choices"]


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("NAME bom MUN", "'bom' is nothing one names; did you mean bomb"),
        ("NAME bomb BUR", "BUR cannot be the bomb of France"),
        ("NAME bomb", "''|place|written"),
    ],
)
def test_what_cannot_be_named_is_answered_in_a_sentence(tiny: Tiny, text: str, why: str) -> None:
    rules = tiny(BOMB)
    with pytest.raises(PlenipoError, match=why):
        OrderEntry(rules, rules.opening, FRANCE).give((), text)


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("[modules.secret_choices]\n", "'secret_choices.items' is empty"),
        (MINE + MINE, "'mine' is there twice"),
        (MINE.replace('"mine"', '"land mine"'), "needs a name that is one word of letters"),
        (MINE.replace('"entered"', '"lost"'), "which only a unit can be"),
        (MINE.replace('"entered"', '"taken"'), 'write where = "home" or "owned"'),
        (KING.replace('"lost"', '"entered"'), "which only a space can be"),
        (KING.replace("topples", "falls"), "no power gets it"),
        (KING.replace("topples", "frees"), "is about no space"),
        (MINE + 'units = ["A"]', 'write of = "unit"'),
        (MINE + 'among = ["XYZ"]', "names 'XYZ', which is not on the board"),
        (MINE + 'seasons = ["Autumn"]', "the season 'Autumn', which has no movement phase"),
    ],
)
def test_what_contradicts_itself_is_refused(tiny: Tiny, text: str, why: str) -> None:
    with pytest.raises(PlenipoError, match=why):
        tiny(text)


@settings(max_examples=10)
@given(st.integers(0, 10_000))
def test_what_others_named_shows_only_once_it_is_open(seed: int) -> None:
    rules, chance = library.load("cloak-and-dagger"), Random(seed)
    game = Game.new(rules, Dice(bytes(32)))
    for _ in range(6):
        order_sets = random_orders(rules, game.position, chance)
        game = game.process({power: list(orders) for power, orders in order_sets.items()})
        slot = game.position.slots.get("secret_choices")
        if isinstance(slot, NamedChoices):
            for who in (FRANCE, None):
                seen = view(game, who, {}).position.slots.get("secret_choices", NamedChoices())
                assert isinstance(seen, NamedChoices)
                assert {power for power, _, _ in seen.list_hidden()} <= {who}
                assert all(slot.of[power][name] == code for power, of in seen.of.items() for name, code in of.items())


def test_everything_that_is_offered_is_allowed() -> None:
    rules = library.load("cloak-and-dagger")
    legal = Legality(rules, rules.opening).orders_of(FRANCE)
    assert {"NAME capital PAR", "NAME mine BEL"} <= {str(offer) for offer in legal.declarations}
    assert all(offer in legal for offer in legal.declarations)


# Powers that are named

PATRON = '[[modules.secret_choices.items]]\nname = "patron"\nof = "power"\nopened = "end"\nuntil_year = 1901\n'


def process_fall(rules: Rules, centres: str, **written: str) -> Resolution:
    """Process a Fall without units in which Italy owns these centres besides its own."""
    phase = Phase("Fall", 1901, PhaseKind.MOVEMENT)
    owners = {**rules.opening.owners, **dict.fromkeys(map(Code, centres.split()), Power("Italy"))}
    position = replace(rules.opening, phase=phase, units=(), owners=owners)
    read = notation_of(rules, position).read
    return process(rules, position, {Power(p): [read(text, phase.kind)] for p, text in written.items()})


EASTERN = "BUD VIE TRI EDI LON LVP BER KIE MUN MOS SEV STP"


def test_a_power_that_named_the_winner_wins_with_it(tiny: Tiny) -> None:
    rules = tiny(PATRON + 'gives = ["wins"]\n')
    won = process_fall(rules, f"{EASTERN} WAR ANK CON", France="NAME patron Italian", England="NAME patron France")
    assert won.after.winners == (Power("Italy"), FRANCE)
    assert won.notes[-1] == "Italy won the game with 18 supply centres. France won with Italy."


def test_the_centres_of_a_named_power_count_for_the_power_that_named_it(tiny: Tiny) -> None:
    rules = tiny(PATRON + 'gives = ["counts"]\n')
    assert not process_fall(rules, EASTERN).after.winners
    assert process_fall(rules, EASTERN, France="NAME patron Italy").after.winners == (FRANCE,)  # 3 and 15


def test_a_power_that_named_an_unplayed_power_orders_it_in_secret(tiny: Tiny) -> None:
    rules = tiny("[powers]\nItaly = { played = false }\n" + PATRON + 'gives = ["orders", "counts"]\n')
    game = Game.new(rules).process({FRANCE: ["NAME patron Italy"]})
    assert "A VEN" in map(str, Legality(rules, game.position).orders_of(FRANCE).units)
    game = game.process({FRANCE: ["A VEN - PIE"], GERMANY: ["A ROM - TUS"]})
    assert str(game.position.unit_at(Code("PIE"))) == "A PIE"
    assert str(game.position.unit_at(Code("ROM"))) == "A ROM"
    for who in (GERMANY, None):
        seen = view(game, who, {})
        assert not any("VEN" in text for turn in seen.turns for text in turn.orders.get(FRANCE, ()))
        assert not any("Italy" in text for turn in seen.turns for text in turn.resolution.notes)
        slot = seen.position.slots["secret_choices"]
        assert isinstance(slot, NamedChoices)
        assert not slot.of
    assert "A PIE" not in map(str, Legality(rules, view(game, GERMANY, {}).position).orders_of(GERMANY).units)
    assert decode_game(encode_game(game), rules) == game


def test_only_the_power_that_drew_a_card_knows_it(tiny: Tiny) -> None:
    rules = tiny(PATRON + 'gives = ["wins"]\ndrawn = true\n')
    game = Game.new(rules, Dice(bytes(32))).process({})
    named = SecretChoices().named_choices(game.position).of
    drawn = {power: of["patron"] for power, of in named.items()}
    assert set(drawn) == set(rules.names)
    assert len(set(drawn.values())) >= len(drawn) - 1  # all different, but for one who may be left with itself
    assert all(power != patron for power, patron in drawn.items())
    seen = view(game, FRANCE, {})
    assert [draw.label for draw in seen.turns[0].resolution.draws] == ["Spring 1901|patron of France"]
    assert not view(game, None, {}).turns[0].resolution.draws
    assert decode_game(encode_game(game), rules) == game
    assert "NAME" not in {one.word for one in Legality(rules, game.position).orders_of(FRANCE).declarations}


def test_a_power_that_was_named_is_opened_by_order_or_when_it_is_out(tiny: Tiny) -> None:
    item = PATRON.replace('"end"', '"{}"') + 'effect = {{ does = ["falls"] }}\n'
    rules = tiny(item.format("order"))
    game = Game.new(rules).process({FRANCE: ["NAME patron Italy"]}).process({FRANCE: ["OPEN patron"]})
    assert "The patron of France is Italy." in game.turns[-1].resolution.notes
    assert "France took Rome from Italy." in game.turns[-1].resolution.notes
    rules = tiny(item.format("out").replace("falls", "silences") + '[powers.Turkey]\nunits = ["A SMY"]\nhomes = []\n')
    position = Game.new(rules).process({FRANCE: ["NAME patron Turkey"]}).position
    gone = replace(position, units=tuple(unit for unit in position.units if unit.power != "Turkey"))
    assert "The patron of France is Turkey." in process(rules, gone, {}).notes


def test_something_may_be_named_in_a_choice_phase_before_all_moves(tiny: Tiny) -> None:
    calendar = (
        '[calendar]\nstart = 1901\nopening = [["Deal", "choice"]]\n'
        'cycle = [["Spring", "movement"], ["Spring", "retreats"], ["Winter", "ownership"], ["Winter", "adjustments"]]\n'
    )
    rules = tiny(calendar + PATRON + 'gives = ["wins"]\nphase = "choice"\n')
    game = Game.new(rules)
    assert str(game.position.phase) == "Deal 1901 choice"
    game = game.process({FRANCE: ["NAME patron Italy"]})
    assert SecretChoices().named_choices(game.position).of == {FRANCE: {"patron": "Italy"}}
    with pytest.raises(IllegalOrder, match="NAME is written in a choice phase, and this is Spring 1901 movement"):
        OrderEntry(rules, game.position, GERMANY).give((), "NAME patron Italy")


@pytest.mark.parametrize(
    ("more", "why"),
    [
        ("", "is opened when all is over, so that no effect comes of it; write 'gives'"),
        ('gives = ["wins"]\nwhere = "home"', "has 'where', and names a power"),
        ('gives = ["wins"]\namong = ["PAR"]', "has 'among', and names a power"),
        ('gives = ["orders"]', "gives the orders of powers that nobody plays, and all are played"),
        ('gives = ["orders"]\nwhom = ["Italy"]', "gives the orders of Italy, which is played"),
        ('gives = ["wins"]\nwhom = ["Itly"]', "names 'Itly', which is not a power"),
        ('gives = ["wins"]\nphase = "choice"', "is named in choice phases, and the calendar has none"),
        ('gives = ["wins"]\neffect = { does = ["falls"] }', "so that no effect comes of it"),
    ],
)
def test_powers_that_cannot_be_named_are_refused(tiny: Tiny, more: str, why: str) -> None:
    with pytest.raises(InvalidVariant, match=why):
        _ = tiny(f"{PATRON}{more}\n").facts


def test_a_space_that_is_named_gives_nothing_of_a_power(tiny: Tiny) -> None:
    item = '[[modules.secret_choices.items]]\nname = "den"\nopened = "{}"\neffect = {{ does = ["frees"] }}\n{}\n'
    for opened, more, why in (
        ("order", 'gives = ["wins"]', "has 'gives', and names a space"),
        ("out", "", "is opened when it is out, which a space cannot be"),
        ("entered", 'of = "power"', "is opened when it is entered, which a power cannot be"),
    ):
        with pytest.raises(InvalidVariant, match=why):
            _ = tiny(item.format(opened, more)).facts


def test_a_choice_revealed_at_a_space_silences_the_unit_there_and_none_of_the_power_that_named_it() -> None:
    rules = library.load("cloak-and-dagger")
    game = Game.new(rules)
    while game.position.phase.year == 1901:
        game = game.process({})
    game = game.process({FRANCE: ["NAME assassin MUN"]}).process({FRANCE: ["OPEN assassin"]})
    units = set(map(str, Legality(rules, game.process({}).position).orders_of(FRANCE).units))
    while game.position.phase.season != "Spring":
        game = game.process({})
    assert set(map(str, Legality(rules, game.position).orders_of(FRANCE).units)) == units != set()
    assert "A MUN" not in map(str, Legality(rules, game.position).orders_of(GERMANY).units)

"""Boards that change by rule: spaces and ways that close and open by season, by lot, and by what units do."""

from collections.abc import Callable

import pytest

from plenipo import library
from plenipo.charts import chart_of
from plenipo.conformance import of_a_random_game, of_the_opening
from plenipo.engine.calendar import PhaseKind
from plenipo.engine.changes import closed_by
from plenipo.engine.dice import Dice
from plenipo.engine.history.game import Game
from plenipo.engine.history.record import decode_game, encode_game
from plenipo.engine.phases.legality import Legality
from plenipo.engine.position import Power
from plenipo.engine.rules import Rules
from plenipo.errors import InvalidVariant
from plenipo.maps.draw.scene import Scene
from table import judge

Tiny = Callable[..., Rules]

BRIDGE = """
[[modules.contacts.add]]
between = ["LON", "BEL"]
units = ["A"]
reason = "a bridge"
"""
DUG = """
[modules.changing_board]
barred = [["LON", "BEL"]]
rules = [{ frees = [["LON", "BEL"]], standing = ["LON"], holding = true, units = ["A"], reason = "it is built" }]
"""
HELD = """
[modules.changing_board]
barred = [["LON", "BEL"]]
rules = [{ frees = [["LON", "BEL"]], standing = ["LON", "BEL"], while_so = true }]
"""
ICE = """
[modules.changing_board]
rules = [{ closes = ["BAR"], drawn = 1, spreads = true, again = true, seasons = ["Fall"] }]
"""
CENTRE = '[modules.changing_board]\nrules = [{ closes = ["PAR"], seasons = ["Fall"] }]\n'
OPENED = '[modules.changing_board]\nshut = ["BUR"]\nrules = [{ opens = ["BUR"], from_year = 1902 }]\n'


def after(rules: Rules, *turns: dict[str, list[str]]) -> Game:
    game = Game.new(rules, Dice(bytes(32)))
    for orders in turns:
        game = game.process({Power(power): texts for power, texts in orders.items()})
        while game.position.phase.kind is not PhaseKind.MOVEMENT:
            game = game.process({})
    return game


def goes(game: Game, power: str, order: str) -> bool:
    return order in map(str, Legality(game.rules, game.position).orders_of(Power(power)))


def test_a_bridge_is_built_by_an_army_that_holds(tiny: Tiny) -> None:
    rules = tiny('[powers.England]\nunits = ["A LON"]\n' + BRIDGE + DUG)
    assert not goes(after(rules), "England", "A LON - BEL")
    built = after(rules, {"England": ["A LON H"]})
    assert goes(built, "England", "A LON - BEL")
    assert "The way between London and Belgium is open: it is built." in map(str, built.turns[0].resolution.events)
    assert not goes(after(rules, {}), "England", "A LON - BEL")  # which holds, but was not ordered to
    assert goes(after(rules, {"England": ["A LON H"]}, {}), "England", "A LON - BEL")


def test_a_way_is_open_only_while_one_power_holds_both_ends(tiny: Tiny) -> None:
    units = '[powers.England]\nunits = ["A LON", "A BEL", "A HOL"]\nhomes = ["LON"]\n'
    rules = tiny(units + BRIDGE + HELD)
    assert not goes(after(rules), "England", "A LON - BEL")
    both = after(rules, {})
    assert goes(both, "England", "A LON - BEL")
    assert not goes(after(rules, {}, {"England": ["A BEL - RUH"]}), "England", "A LON - BEL")


def test_ice_spreads_to_what_lies_beside_it(tiny: Tiny) -> None:
    rules = tiny(ICE)
    years = after(rules, *({} for _ in range(5)))
    closed = closed_by(years.position.changes)
    assert "BAR" in closed
    assert len(closed) == 3
    board = rules.board
    assert all(code == "BAR" or board.near[code] & closed for code in closed)
    assert decode_game(encode_game(years), rules) == years


def test_a_closed_centre_has_no_owner_and_the_unit_in_it_is_lost(tiny: Tiny) -> None:
    game = after(tiny(CENTRE), {})
    assert "PAR" not in game.position.owners
    assert game.position.unit_at(next(iter(closed_by(game.position.changes)))) is None
    told = [str(event) for event in game.turns[0].resolution.events]
    assert told == ["Paris is closed.", "A PAR of France was lost when Paris closed.", "France lost the supply centre."]


def test_a_space_that_was_shut_opens(tiny: Tiny) -> None:
    rules = tiny(OPENED)
    assert not goes(after(rules), "France", "A PAR - BUR")
    assert goes(after(rules, {}, {}), "France", "A PAR - BUR")


def test_games_on_boards_that_change_are_played_and_drawn(tiny: Tiny) -> None:
    for text in (BRIDGE + DUG, ICE, CENTRE, OPENED):
        rules = tiny(text)
        assert list(of_the_opening(rules)) == []
        assert list(of_a_random_game(rules, 1, years=3)) == []
    rules = tiny(ICE)
    chart = chart_of(rules, library.folder_of("standard") / "figure.json")
    assert "<svg" in chart.draw(Scene(after(rules, {}, {}).position))


@pytest.mark.parametrize(
    ("rule", "sentence"),
    [
        ('closes = ["PAX"]', "'changing_board' names 'PAX'; did you mean PAR"),
        ('seasons = ["Fall"]', "says neither 'closes', 'opens', 'bars', 'frees' nor 'joins'"),
        ('closes = ["PAR"], holding = true', "says where: 'standing'"),
        ('closes = ["PAR"], spreads = true', "needs 'closes', or 'joins' to one space, and 'drawn' and 'again'"),
        ('closes = ["PAR"], seasons = ["Falll"]', "season 'Falll', which has no movement phase; did you mean Fall"),
        ('closes = ["PAR"], standing = ["BUR"], units = ["Q"]', "names the unit 'Q'; it must be A or F"),
        ('closes = ["PAR"], standing = ["BUR"], while_so = true, drawn = 1', "neither 'drawn' nor 'holding'"),
    ],
)
def test_rules_that_cannot_be_are_refused(tiny: Tiny, rule: str, sentence: str) -> None:
    with pytest.raises(InvalidVariant, match=sentence):
        assert tiny(f"[modules.changing_board]\nrules = [{{ {rule} }}]")


def test_a_move_over_a_river_counts_half_and_a_support_over_it_nothing(tiny: Tiny) -> None:
    text = '[modules.unit_types]\nscale = 2\n[modules.contacts]\nstrengths = [{ between = ["RUH", "BEL"], %s }]'
    half = tiny(text % "move = 1")
    units = "Germany: A RUH, A HOL\nFrance: A BEL"
    both = "Germany: A RUH - BEL, A HOL S A RUH - BEL"
    assert "A BEL" not in {str(gone.unit) for gone in judge("Germany: A RUH - BEL", units, half).after.dislodged}
    assert {str(gone.unit) for gone in judge(both, units, half).after.dislodged} == {"A BEL"}  # 1 and 2 against 2
    none = tiny(text % "support = 0")
    other = "Germany: A HOL - BEL, A RUH S A HOL - BEL"
    assert judge(other, units, none).after.dislodged == ()
    rival = judge("Germany: A RUH - BEL\nFrance: A PIC - BEL", "", half)
    assert {str(unit) for unit in rival.after.units} == {"A RUH", "A BEL"}


@pytest.mark.parametrize(
    ("way", "sentence"),
    [
        ('between = ["PAR", "MOS"], move = 1', "the way between PAR and MOS, where no unit passes"),
        ('between = ["PAR", "BUR"]', "neither 'move' nor 'support'"),
        ('between = ["PAR", "BUR"], move = 0', "has 0 as 'move'; it must be 1 or more"),
        ('between = ["PAR", "BRU"], move = 1', "names 'BRU', which is not on the board; did you mean BUR"),
    ],
)
def test_ways_that_cannot_be_are_refused(tiny: Tiny, way: str, sentence: str) -> None:
    with pytest.raises(InvalidVariant, match=sentence):
        assert tiny(f"[modules.contacts]\nstrengths = [{{ {way} }}]").facts

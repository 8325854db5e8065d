"""Spaces and ways that close and open by the calendar."""

from collections.abc import Callable

import pytest

from plenipo.batch import UnsupportedRules, compile_tables
from plenipo.batch.rule_facts import Scope
from plenipo.conformance import of_a_random_game
from plenipo.engine.calendar import PhaseKind
from plenipo.engine.history.game import Game
from plenipo.engine.history.record import decode_game, encode_game
from plenipo.engine.phases.legality import Legality
from plenipo.engine.position import Power
from plenipo.engine.reading.notation import notation_of
from plenipo.engine.rules import Rules
from plenipo.errors import InvalidVariant

Tiny = Callable[..., Rules]
RUSSIA = Power("Russia")

ICE = '{ closes = ["BOT"], while_so = true, seasons = ["Fall"], reason = "the gulf freezes" }'
SNOW = '{ bars = [["TYO", "VEN"]], while_so = true, seasons = ["Fall"] }'
CANAL = '{ bars = [["ION", "EAS"]], while_so = true, until_year = 1902 }'


def module(*rules: str) -> str:
    return f"[modules.changing_board]\nrules = [{', '.join(rules)}]\n"


def after(rules: Rules, *turns: dict[str, list[str]]) -> Game:
    game = Game.new(rules)
    for orders in turns:
        game = game.process({Power(power): texts for power, texts in orders.items()})
        while game.position.phase.kind is not PhaseKind.MOVEMENT:
            game = game.process({})
    return game


def moves(game: Game, power: str) -> set[str]:
    return set(map(str, Legality(game.rules, game.position).orders_of(Power(power))))


def test_a_way_is_closed_in_its_seasons_and_open_in_the_others(tiny: Tiny) -> None:
    rules = tiny(module(SNOW))
    spring = Game.new(rules)
    assert "A VEN - TYO" in moves(spring, "Italy")
    fall = after(rules, {})
    assert "A VEN - TYO" not in moves(fall, "Italy")
    assert "A VEN - PIE" in moves(fall, "Italy")
    told = [str(event) for event in fall.turns[0].resolution.events]
    assert told == ["The way between Tyrolia and Venice is closed."]
    again = after(rules, {}, {})
    assert "A VEN - TYO" in moves(again, "Italy")
    assert again.position.changes == ()


def test_a_space_closes_and_what_is_in_it_is_lost(tiny: Tiny) -> None:
    rules = tiny(module(ICE))
    fall = after(rules, {"Russia": ["F STP/SC - BOT"]})
    assert "BOT" not in {unit.space for unit in fall.position.units}
    told = [str(event) for event in fall.turns[0].resolution.events]
    assert told[-2:] == [
        "Gulf of Bothnia is closed: the gulf freezes.",
        "F BOT of Russia was lost when Gulf of Bothnia closed.",
    ]
    assert fall.rules.board_at(fall.position).spaces["BOT"].impassable  # type: ignore[index]  # a code
    assert decode_game(encode_game(fall), rules) == fall


def test_an_order_into_a_closed_space_is_refused_because_it_is_closed(tiny: Tiny) -> None:
    fall = after(tiny(module(ICE)), {})
    order = notation_of(fall.rules).read("F STP/SC - BOT", PhaseKind.MOVEMENT)
    checked = Legality(fall.rules, fall.position).check(RUSSIA, order)
    assert checked.reason == "Gulf of Bothnia is closed: nothing may enter."


def test_a_way_opens_in_a_year(tiny: Tiny) -> None:
    rules = tiny(module(CANAL))
    assert len(Game.new(rules).position.changes) == 1
    later = after(rules, {}, {}, {}, {})
    assert later.position.phase.year == 1903
    assert later.position.changes == ()


def test_random_games_are_played(tiny: Tiny) -> None:
    assert list(of_a_random_game(tiny(module(ICE, SNOW, CANAL)), 5)) == []


def test_the_kernel_refuses_whole_games_by_name(tiny: Tiny) -> None:
    with pytest.raises(UnsupportedRules, match="changing_board"):
        compile_tables(tiny(module(SNOW)), scope=Scope.GAMES)


@pytest.mark.parametrize(
    ("closed", "sentence"),
    [
        ('{ closes = ["BOX"], until_year = 1902, while_so = true }', "names 'BOX'"),
        ('{ closes = ["BOT"], while_so = true }', "says where or when: 'standing', 'seasons' or years"),
        ('{ closes = ["BOT"], seasons = ["Sommer"], while_so = true }', "has the season 'Sommer'"),
        ('{ closes = ["PAR"], until_year = 1902, while_so = true }', "opens in a space that 'changing_board' closes"),
        ('{ bars = [["BOT"]], until_year = 1902, while_so = true }', "bars"),
    ],
)
def test_what_cannot_close_is_refused(tiny: Tiny, closed: str, sentence: str) -> None:
    with pytest.raises(InvalidVariant, match=sentence):
        tiny(module(closed))

"""Lines: armies go along a railway in one move, as far as it is open to them and free."""

from collections.abc import Callable
from dataclasses import replace

import pytest

from plenipo.engine.board import Code
from plenipo.engine.history.game import Game
from plenipo.engine.orders import Move
from plenipo.engine.phases.legality import Legality
from plenipo.engine.position import Power, Unit
from plenipo.engine.rules import Rules
from plenipo.errors import InvalidVariant

Tiny = Callable[..., Rules]
RUSSIA, TURKEY = Power("Russia"), Power("Turkey")
LINE = '[[modules.railways.lines]]\nspaces = ["WAR", "MOS", "STP"]\npowers = ["Russia"]\n'


def why(rules: Rules, game: Game, power: Power, text: str) -> str:
    legality = Legality(rules, game.position)
    unit = game.position.unit_at(Code(text.split()[1]))
    assert unit
    return legality.check(power, Move(unit.ref, unit.location._replace(space=Code(text.rsplit(maxsplit=1)[-1])))).reason


def test_a_line_is_open_to_its_powers_past_their_own_units(tiny: Tiny) -> None:
    rules = tiny(LINE)
    game = Game.new(rules).process({RUSSIA: ["F STP/SC - BOT"]})
    assert not why(rules, game, RUSSIA, "A WAR - STP")
    assert game.process({RUSSIA: ["A WAR - STP"]}).position.unit_at(Code("STP"))


@pytest.mark.parametrize(
    ("more", "said"), [("", "A MOS of Russia stands on the line from Warsaw"), ("through = true", "")]
)
def test_units_of_others_block_it_unless_it_runs_through_them(tiny: Tiny, more: str, said: str) -> None:
    rules = tiny(LINE.replace("Russia", "Turkey") + more)
    units = (Unit.from_text("Turkey", "A WAR"), Unit.from_text("Russia", "A MOS"))
    game = Game(rules, replace(rules.opening, units=units))
    assert why(rules, game, TURKEY, "A WAR - STP").startswith(said)
    assert bool(why(rules, game, TURKEY, "A WAR - STP")) is bool(said)


def test_no_unit_supports_along_a_railway_and_all_listed_orders_are_legal(tiny: Tiny) -> None:
    rules = tiny(LINE)
    legality = Legality(rules, rules.opening)
    orders = list(legality.orders_of(RUSSIA))
    assert all(legality.check(RUSSIA, order).order == order for order in orders)
    assert "A WAR S F STP/SC" not in map(str, orders)
    assert "A MOS S F STP/SC" in map(str, orders)


@pytest.mark.parametrize(
    ("good", "wrong", "sentence"),
    [
        ('"MOS"', '"MOX"', "'railways' names 'MOX'; did you mean MOS"),
        ('"MOS"', '"ROM"', "goes from WAR to ROM, which do not touch"),
        ('"MOS", ', "", "has three spaces or more, each once"),
        ("Russia", "Rusia", "names 'Rusia', which is not a power; did you mean Russia"),
    ],
)
def test_a_line_that_breaks_is_refused(tiny: Tiny, good: str, wrong: str, sentence: str) -> None:
    with pytest.raises(InvalidVariant, match=sentence):
        _ = tiny(LINE.replace(good, wrong)).facts

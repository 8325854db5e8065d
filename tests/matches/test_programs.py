"""The input of a program: the board once, the orders since its last line, and nothing its power may not see."""

import json
from dataclasses import replace
from typing import Any

import pytest

from plenipo import boards, library
from plenipo.bots import BOTS, orders_of
from plenipo.engine.calendar import PhaseKind
from plenipo.engine.dice import Dice
from plenipo.engine.history.game import Game
from plenipo.engine.history.view import GM, view
from plenipo.engine.phases.legality import Legality
from plenipo.engine.position import Power
from plenipo.matches.lineup import random_of
from plenipo.matches.players import OrderRequest
from plenipo.matches.programs import KEYS, line

SEED = bytes(range(32))


def game_of(variant: str, phases: int) -> Game:
    """A game by rules of thumb, so many phases on."""
    game, chance = Game.new(library.load(variant), Dice(SEED)), random_of(SEED)
    for _ in range(phases):
        asked = view(game, None, {}).may_order
        game = game.process({p: orders_of(BOTS["sensible"], view(game, p, {}), p, chance) for p in asked})
    return game


def told(game: Game, power: str, **what: Any) -> dict[str, Any]:
    legal = Legality(game.rules, game.position).orders_of(Power(power))
    content: dict[str, Any] = json.loads(line(OrderRequest(view(game, Power(power), {}), legal, 0, SEED), **what))
    return content


@pytest.mark.parametrize("variant", ["standard", "cline"])
def test_the_first_line_has_the_board_as_the_command_shows_it(variant: str) -> None:
    game = game_of(variant, 0)
    first = told(game, game.rules.names[0])
    assert first["board"] == json.loads(json.dumps(boards.describe_board(game.rules)))
    assert "board" not in told(game, game.rules.names[0], board=False)
    assert first["turns"] == []
    assert "last" not in first
    assert {*KEYS} - {"last"} <= first.keys()


def test_a_line_has_the_orders_of_all_powers_since_the_last_one() -> None:
    game = game_of("standard", 3)
    turns = told(game, "Italy")["turns"]
    assert [turn["phase"] for turn in turns] == [str(turn.resolution.before.phase) for turn in game.turns]
    assert told(game, "Italy", known=2)["turns"] == turns[2:]
    for played, seen in zip(game.turns, turns, strict=True):
        assert {power: len(order_set) for power, order_set in played.orders.items() if order_set} == {
            power: len(order_set) for power, order_set in seen["orders"].items()
        }
        results = {str(outcome.unit): str(outcome.result) for outcome in played.resolution.outcomes if outcome.unit}
        assert seen["results"] == results


def test_every_phase_includes_the_newest_movement() -> None:
    game = game_of("standard", 0)
    kinds = set()
    for phases in range(1, 6):
        game = game_of("standard", phases)
        movements = [turn for turn in game.turns if turn.resolution.before.phase.kind is PhaseKind.MOVEMENT]
        last = told(game, "France", known=phases)["last"]
        assert last["phase"] == str(movements[-1].resolution.before.phase)
        kinds.add(game.position.phase.kind)
    assert len(kinds) > 1


@pytest.mark.parametrize(("variant", "hidden"), [("fog-of-war", True), ("standard", False)])
def test_a_program_receives_nothing_that_its_power_may_not_see(variant: str, hidden: bool) -> None:  # noqa: FBT001
    game = game_of(variant, 2)
    ordered = {str(outcome.order) for turn in game.turns for outcome in turn.resolution.outcomes}
    content = told(game, "Turkey")
    seen = {text for turn in content["turns"] for order_set in turn["orders"].values() for text in order_set}
    assert seen <= ordered
    assert (seen < ordered) is hidden
    own = {str(outcome.order) for outcome in game.turns[0].resolution.outcomes if outcome.power == "Turkey"}
    assert own <= seen
    london = "F LON" in {unit for units in content["units"].values() for unit in units} or any(
        "LON" in text for text in seen
    )
    assert london is not hidden


@pytest.mark.parametrize("variant", ["masquerade", "fog-of-war", "slow-couriers"])
def test_a_line_is_the_same_however_what_the_power_cannot_see_is_changed(variant: str) -> None:
    game = game_of(variant, 2)
    seen = view(game, Power("Turkey"), {})
    legal = Legality(game.rules, game.position).orders_of(Power("Turkey"))
    alone = line(OrderRequest(replace(seen, whole=None), legal, 0, SEED))
    assert line(OrderRequest(seen, legal, 0, SEED)) == alone
    assert line(OrderRequest(view(game, GM, {}), legal, 0, SEED)) != alone

"""Fog: what a power sees of positions and turns, and that nothing of the rest is in what it is shown."""

from collections.abc import Callable
from dataclasses import replace
from random import Random

import pytest

from plenipo.batch import compile_tables
from plenipo.engine.board import Code
from plenipo.engine.calendar import PhaseKind
from plenipo.engine.history.game import Game
from plenipo.engine.history.view import GM, View, view
from plenipo.engine.phases.legality import Legality
from plenipo.engine.position import Power
from plenipo.engine.rules import Rules
from plenipo.errors import InvalidVariant
from table import board_of
from whole import whole_text

Tiny = Callable[..., Rules]
FRANCE, ENGLAND, GERMANY = Power("France"), Power("England"), Power("Germany")

SECRET = {"Germany": ["A MUN - BUR", "F KIE - DEN"], "France": ["A PAR - BUR", "F BRE - MAO"]}


def fog(tiny: Tiny, text: str = "") -> Rules:
    return tiny(f"[modules.fog]\n{text}\n")


def played(rules: Rules, *turns: dict[str, list[str]]) -> Game:
    game = Game.new(rules)
    for orders in turns:
        game = game.process({Power(power): texts for power, texts in orders.items()})
        while game.position.phase.kind is not PhaseKind.MOVEMENT:
            game = game.process({})
    return game


def text_of(seen: View) -> str:
    """Everything a view holds, as text, but for what only says who is waited for."""
    parts = list(map(whole_text, (replace(seen, whole=None).position, seen.order_sets, seen.rulings)))
    return "\n".join([*parts, *(whole_text((turn.orders, turn.resolution)) for turn in seen.turns)])


def test_a_power_sees_its_units_its_centres_and_what_lies_next_to_them(tiny: Tiny) -> None:
    seen = view(Game.new(fog(tiny)), FRANCE, {})
    assert board_of(seen.position) == {"France": ["F BRE", "A MAR", "A PAR"]}
    near = view(played(fog(tiny), {"France": ["A PAR - BUR"]}), FRANCE, {})
    assert board_of(near.position)["Germany"] == ["A MUN"]  # next to Burgundy
    assert "England" not in board_of(near.position)


def test_an_observer_sees_no_unit_and_the_game_master_everything(tiny: Tiny) -> None:
    game = played(fog(tiny), SECRET)
    assert view(game, None, {}).position.units == ()
    assert not any(turn.resolution.outcomes for turn in view(game, None, {}).turns)
    assert view(game, Power(GM), {}).position == game.position


def test_own_orders_have_outcomes_and_reasons_only_where_every_cause_is_seen(tiny: Tiny) -> None:
    blind = view(played(fog(tiny, "units = 0\ncentres = 0"), SECRET), FRANCE, {})
    outcome = next(one for one in blind.turns[0].resolution.outcomes if str(one.unit) == "A PAR")
    assert (str(outcome.result), outcome.why, outcome.cause.by) == ("fails", "A PAR - BUR: fails.", ())
    clear = view(played(fog(tiny, "units = 2"), SECRET), FRANCE, {})
    outcome = next(one for one in clear.turns[0].resolution.outcomes if str(one.unit) == "A PAR")
    assert [str(unit) for unit in outcome.cause.by] == ["A MUN"]


def test_an_unseen_attack_that_changed_nothing_leaves_the_reason_of_a_support(tiny: Tiny) -> None:
    landing = [
        {"England": ["F LON - ENG", "A LVP - WAL"]},
        {"England": ["A WAL - BRE", "F ENG H"], "France": ["F BRE S A PAR - PIC", "A PAR - PIC"]},
    ]
    whys = {
        text: next(one for one in seen.turns[1].resolution.outcomes if str(one.unit) == "F BRE").why
        for text in ("units = 0\ncentres = 0", "units = 9")
        if (seen := view(played(fog(tiny, text), *landing), FRANCE, {}))
    }
    assert list(whys.values()) == [
        "F BRE supported A PAR to PIC.",
        "F BRE supported A PAR to PIC; the attack of A WAL, which was not convoyed, did not cut it.",
    ]


def test_owners_are_public_remembered_or_seen(tiny: Tiny) -> None:
    year = [
        {"France": ["A PAR - BUR"], "Germany": ["F KIE - HOL"]},
        {"France": ["A BUR - BEL"]},
        {"France": ["A BEL - PIC"]},
        {"France": ["A PIC - PAR"]},
    ]
    texts = {name: f"owners = '{name}'\nunits = 1\ncentres = 0" for name in ("all", "remembered", "seen")}
    games = {name: played(fog(tiny, text), *year) for name, text in texts.items()}
    seen = {name: view(game, FRANCE, {}).position.owners for name, game in games.items()}
    assert seen["all"] == games["all"].position.owners
    assert seen["remembered"].get(Code("HOL")) == GERMANY
    assert "HOL" not in seen["seen"]
    assert "CON" not in seen["remembered"]
    assert all(owners[Code("BEL")] == FRANCE for owners in seen.values())


def test_a_power_that_looks_back_sees_no_more_than_at_the_time(tiny: Tiny) -> None:
    game = played(fog(tiny), SECRET, {"Germany": ["F DEN - SWE"]})
    seen = view(game, FRANCE, {})
    assert board_of(seen.at(0).position) == {"France": ["F BRE", "A MAR", "A PAR"]}
    assert "DEN" not in "".join(map(str, seen.at(1).position.units))


def test_a_game_that_is_over_is_public(tiny: Tiny) -> None:
    game = replace(played(fog(tiny), SECRET), drawn=(FRANCE, GERMANY))
    assert view(game, FRANCE, {}).position == game.position
    assert len(view(game, None, {}).turns[0].resolution.outcomes) == len(game.turns[0].resolution.outcomes)


def test_a_unit_that_must_retreat_sees_where_it_may_go(tiny: Tiny) -> None:
    rules = fog(tiny, "units = 0\ncentres = 0")
    game = Game.new(rules)
    game = game.process({GERMANY: ["A MUN - BUR"]})
    game = game.process({FRANCE: ["A PAR - BUR", "A MAR S A PAR - BUR"]})
    assert game.position.phase.kind is PhaseKind.RETREATS
    seen = view(game, GERMANY, {})
    mine = set(map(str, Legality(rules, seen.position).orders_of(GERMANY)))
    assert mine == set(map(str, Legality(rules, game.position).orders_of(GERMANY)))


@pytest.mark.parametrize("seed", range(6))
def test_two_games_that_differ_in_what_is_not_seen_are_shown_alike(tiny: Tiny, seed: int) -> None:
    """The first move of Turkey, whom France cannot see for a year, is another one in one of the games."""
    rules, chance = fog(tiny), Random(seed)
    games = [Game.new(rules), Game.new(rules)]
    for turn, turkey in enumerate((["A CON - BUL"], ["A CON - SMY"])):
        legality = Legality(rules, games[0].position)
        order_sets: dict[Power, list[str]] = {
            power: [
                str(chance.choice(list(legality.orders_of(power).of(unit)))) for unit in legality.orders_of(power).units
            ]
            for power in (FRANCE, ENGLAND, GERMANY)
        }
        games[0] = games[0].process(order_sets)
        games[1] = games[1].process(order_sets if turn else {**order_sets, Power("Turkey"): turkey})
        if games[0].position.phase.kind is not PhaseKind.MOVEMENT:
            break
    assert games[0].position.units != games[1].position.units
    one, other = (text_of(view(game, FRANCE, {})) for game in games)
    assert one == other
    assert "BUL" not in one


def test_the_kernel_takes_a_game_in_fog(tiny: Tiny) -> None:
    assert compile_tables(fog(tiny))


def test_steps_that_are_none_are_refused(tiny: Tiny) -> None:
    with pytest.raises(InvalidVariant, match=r"'fog\.units' is -2; it must be a number of steps from -1 to 20"):
        fog(tiny, "units = -2")

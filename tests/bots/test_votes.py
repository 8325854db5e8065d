"""Votes of computer players: none at the beginning, none against a growing lead, and for more than they expect."""

from dataclasses import replace

import pytest

from plenipo.bots.votes import agrees, still_for, usual
from plenipo.engine.history.game import Game
from plenipo.engine.history.turns import Turns
from plenipo.engine.history.view import View, view
from plenipo.engine.position import Position, Power, Unit
from plenipo.engine.rules import Rules
from plenipo.errors import UnknownName
from table import standard

POWERS = tuple(map(Power, ("Austria", "England", "France", "Germany", "Italy", "Russia", "Turkey")))
ENGLAND, FRANCE, TURKEY = Power("England"), Power("France"), Power("Turkey")


def owning(rules: Rules, position: Position, parts: dict[Power, int]) -> Position:
    """The position with centres dealt to powers, and a unit of its owner in each of them."""
    codes = iter(sorted(rules.board.centres))
    dealt = {power: [next(codes) for _ in range(count)] for power, count in parts.items()}
    owners = {code: power for power, theirs in dealt.items() for code in theirs}
    units = []
    for code, power in owners.items():
        kind, location = min((one for one in rules.board.standing.values() if one[1].space == code), key=str)
        units.append(Unit(power, kind, location))
    return replace(position, owners=owners, units=tuple(units))


def game_of_years(years: int, parts: list[dict[Power, int]]) -> View:
    """Return a game of some years without orders, then with these centres at the ends of the last years."""
    game = Game.new(standard())
    shapes = [parts[0]] * (years - len(parts)) + parts
    while shapes:
        before = game.position.phase.year
        game = game.process({})
        if game.position.phase.year > before:
            last = game.turns[-1]
            after = owning(game.rules, game.position, shapes.pop(0))
            turn = replace(last, resolution=replace(last.resolution, after=after))
            game = replace(game, turns=Turns((*game.turns[:-1], turn)))
    return view(game, None, {})


EQUAL = {ENGLAND: 11, FRANCE: 11, TURKEY: 12}
LEADING = {ENGLAND: 7, FRANCE: 11, TURKEY: 16}


def test_no_computer_shares_a_game_that_has_not_begun() -> None:
    seen = view(Game.new(standard()), None, {})
    assert usual(seen) == (POWERS[5:6], POWERS)  # Russia has a home more than the others
    assert not all(agrees(seen, power, POWERS) for power in POWERS)
    assert not any(agrees(seen, power, POWERS[5:6]) for power in POWERS if power != POWERS[5])


def test_no_computer_concedes_a_game_of_which_it_has_a_good_part() -> None:
    seen = game_of_years(6, [LEADING])
    assert usual(seen)[0] == (TURKEY,)
    assert not agrees(seen, FRANCE, [TURKEY])
    assert agrees(seen, TURKEY, [TURKEY])


def test_equal_powers_share_a_game_that_has_stood_still() -> None:
    moving = game_of_years(6, [{ENGLAND: 5, FRANCE: 12, TURKEY: 17}, EQUAL])
    still = game_of_years(6, [EQUAL])
    three = (ENGLAND, FRANCE, TURKEY)
    assert (still_for(moving), still_for(still)) == (0, 5)
    assert not all(agrees(moving, power, three) for power in three)
    assert all(agrees(still, power, three) for power in three)
    assert not any(agrees(still, ENGLAND, shared) for shared in ([FRANCE], [FRANCE, TURKEY]))


def test_the_leader_waits_longer_than_a_power_behind() -> None:
    three = (ENGLAND, FRANCE, TURKEY)
    for years, willing in ((4, {ENGLAND}), (12, {ENGLAND, FRANCE, TURKEY})):
        seen = game_of_years(years, [LEADING])
        assert {power for power in three if agrees(seen, power, three)} >= willing
        if years == 4:
            assert not agrees(seen, TURKEY, three)


def test_a_nearly_eliminated_power_takes_any_share_and_an_eliminated_one_agrees_to_anything() -> None:
    shape = {ENGLAND: 1, FRANCE: 16, TURKEY: 17}
    seen = game_of_years(3, [{ENGLAND: 9, FRANCE: 10, TURKEY: 15}, shape])
    assert still_for(seen) == 0
    assert agrees(seen, ENGLAND, (ENGLAND, FRANCE, TURKEY))
    assert not agrees(seen, TURKEY, (ENGLAND, FRANCE, TURKEY))
    assert agrees(seen, POWERS[0], [TURKEY])


def test_without_the_kernel_votes_go_by_centres(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("plenipo.bots.why_simple", lambda: "Numba is not installed.")
    three = (ENGLAND, FRANCE, TURKEY)
    assert all(agrees(game_of_years(6, [EQUAL]), power, three) for power in three)
    assert not agrees(game_of_years(3, [LEADING]), TURKEY, three)


def test_the_same_seed_gives_the_same_vote() -> None:
    seen = game_of_years(5, [LEADING])
    for power in (ENGLAND, FRANCE, TURKEY):
        assert len({agrees(seen, power, POWERS, seed=9) for _ in range(2)}) == 1


@pytest.mark.parametrize(("shared", "named"), [([], "nobody"), (["Narnia"], "Narnia")])
def test_a_draw_is_shared_by_powers_of_the_game(shared: list[Power], named: str) -> None:
    with pytest.raises(UnknownName, match=named):
        agrees(view(Game.new(standard()), None, {}), FRANCE, shared)

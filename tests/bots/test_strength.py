"""The script that measures strength plays whole games, the same for the same number, and draws every player."""

from xml.etree import ElementTree as ET

import numpy as np
import pytest

import decisions
import strength
from plenipo.batch.kinds import owner_of
from plenipo.bots.levels import Level
from plenipo.matches.standings import Estimate

PLAYER = strength.Player(Level(4, 2, 4, 0, 1, 0, 2))


def test_a_game_is_the_same_for_the_same_number_and_its_shares_make_one() -> None:
    first, second = (strength.Lab("standard", PLAYER) for _ in range(2))
    shares = first.play(3, years=3)
    assert shares.sum() == pytest.approx(1)
    assert len(shares) == 7
    first.play(4, years=1)  # earlier matches do not influence the result
    assert np.array_equal(first.play(3, years=3), shares)
    assert np.array_equal(second.play(3, years=3), shares)
    assert first.movements == 6 + 2 + 6


def test_builds_and_removals_of_all_powers_are_given() -> None:
    """After two years the units of each power are as many as its centres, or its homes are full."""
    lab = strength.Lab("standard", PLAYER)
    lab.play(0, years=2)
    state = lab.arena.state
    units = np.bincount(owner_of(state.kinds[0, : int(state.units[0])]), minlength=7)
    centres = np.array([(state.owner[0] == power).sum() for power in range(7)])
    assert (units <= centres).all()
    assert units.sum() > 22


def test_decisions_are_evaluated_against_orders_of_all_others_and_compared_with_the_first_player() -> None:
    positions = decisions.noted("standard", 1, seed=2, years=2)
    assert positions
    for one in positions:
        assert (one.orders[:, : int(one.state.units[0])] != 0).all()
        assert [int(state.played[0]) for state, _ in one.past] == list(range(int(one.state.played[0])))
    found = decisions.compared(["middling", "policy"], "standard", positions[:1])
    assert found["middling"][:2] == (0, 0)
    assert found["policy"].better != 0


def test_the_drawing_has_every_player_at_its_place() -> None:
    found = {
        name: strength.Strength(Estimate(share, share - 0.1, share + 0.1), Estimate(0, 0, 1), ms)
        for name, share, ms in (("quick", 0.2, 0.1), ("strong", 0.8, 20.0), ("pool alone", 0.5, 20.0))
    }
    root = ET.fromstring(strength.drawn(found))  # noqa: S314  # our own drawing
    points = {name.text: dot for dot, name in zip(_all(root, "circle"), _names(root, found), strict=True)}
    assert float(points["quick"].get("cx", 0)) < float(points["strong"].get("cx", 0))
    assert points["strong"].get("cx") == points["pool alone"].get("cx")
    assert float(points["strong"].get("cy", 0)) < float(points["pool alone"].get("cy", 0))


def _all(root: ET.Element, tag: str) -> list[ET.Element]:
    return root.findall(f"{{http://www.w3.org/2000/svg}}{tag}")


def _names(root: ET.Element, found: dict[str, strength.Strength]) -> list[ET.Element]:
    return [text for text in _all(root, "text") if text.text in found]

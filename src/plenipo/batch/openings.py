"""Games that open with a choice: picks are validated or drawn, and applied to every game."""

from collections.abc import Mapping

import numpy as np

from plenipo.batch.bits import Array
from plenipo.batch.refusals import InvalidArray, check_array
from plenipo.batch.state import State
from plenipo.batch.tables import NOBODY, Tables
from plenipo.engine.facts import Alternative
from plenipo.engine.position import Power, Unit

__all__ = ["check_picks", "drawn_picks", "place"]

OpeningAlternatives = Mapping[Power, tuple[Alternative, ...]]
"""The choices of each power."""


def drawn_picks(choices: OpeningAlternatives, chance: Array) -> Array:
    """Draw random picks: int64, a row per game and a column per power; `chance` is the state of chance of each game."""
    limits = _limits(choices)
    mixed = chance[:, None] + np.arange(1, len(choices) + 1, dtype=np.uint64) * np.uint64(0x9E3779B97F4A7C15)
    mixed = (mixed ^ (mixed >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    mixed = (mixed ^ (mixed >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    drawn: Array = (mixed >> np.uint64(33)).astype(np.int64) % limits
    return drawn


def check_picks(choices: OpeningAlternatives, picks: Array, games: int) -> None:
    """Raise `InvalidArray` for picks of another shape or type, or for the first invalid one."""
    if not choices:
        raise InvalidArray("These rules open without a choice, so there is nothing to pick.")
    limits = _limits(choices)
    check_array("picks", picks, np.int64, (games, len(choices)))
    wrong = np.argwhere((picks < 0) | (picks >= limits))
    if len(wrong):
        game, power = map(int, wrong[0])
        raise InvalidArray(f"'picks' has {picks[game, power]} at {(game, power)}; it must be below {limits[power]}.")


def _limits(choices: OpeningAlternatives) -> Array:
    return np.array([max(1, len(alternatives)) for alternatives in choices.values()])


def place(tables: Tables, state: State, picks: Array) -> None:
    """Set every game to the position that its picks make together, at the step of the choice."""
    state.units[:], state.kinds[:], state.places[:], state.came[:] = 0, 0, 0, 0
    state.contested[:], state.owner[:], state.home[:] = 0, NOBODY, NOBODY
    state.winner[:] = NOBODY
    base = tables.rules.opening
    state.step[:], state.year[:] = tables.step_of(base.phase), base.phase.year
    everyone = np.arange(len(state.units))
    for unit in base.units:
        _add(tables, state, everyone, unit)
    for code, power in base.owners.items():
        state.owner[:, tables.centre_number[code]] = tables.power_number[power]
    for column, (power, alternatives) in enumerate(tables.facts.choices.items()):
        for number, part in enumerate(alternatives):
            games = np.flatnonzero(picks[:, column] == number)
            for unit in part.units:
                _add(tables, state, games, unit)
            for code in part.owned:
                state.owner[games, tables.centre_number[code]] = tables.power_number[power]
            for code in part.homes:
                state.home[games, tables.centre_number[code]] = tables.power_number[power]
        if not alternatives:
            for code in base.homes_of(power):
                state.home[:, tables.centre_number[code]] = tables.power_number[power]
    owned = state.owner != NOBODY
    weights = np.uint64(1) << np.arange(min(64, owned.shape[1]), dtype=np.uint64)
    state.ripe[:] = (owned[:, : len(weights)] * weights).sum(axis=1, dtype=np.uint64)


def _add(tables: Tables, state: State, games: Array, unit: Unit) -> None:
    """Add a unit to each of `games`."""
    columns = state.units[games]
    state.kinds[games, columns] = tables.word_of(unit.power, unit.kind)
    state.places[games, columns] = tables.location_number[unit.location]
    state.units[games] += 1
